"""What the generators of tests/reference share: tables, the paper's format, two laws, entropies.

A table holds questions (id, quantity, params) and answers (value). A generator is a function from
an entry to its value; run() recomputes every value of the table with it:

    tools/NAME_reference.py            writes the table; a value that still holds keeps its text
    tools/NAME_reference.py --check    writes nothing, fails unless every value holds
    ... --only TEXT                    just the entries whose id contains TEXT

A value holds if it differs by no more than its est_error and half a unit of its last digit. To add
an entry, write its id, quantity, params, method and est_error, and run the generator.

Nothing here is taken from the library or from tests/oracle. Cells are written down from
[cor:gauss_fp_ent]; the probability of a narrow cell is a Gauss-Legendre sum of the density, of a
wide one a difference of tails; the entropy of a large format is summed with Gauss rules for the
counting measure, of a small one cell by cell.
"""
import argparse
import json
import os
import sys
import time
from decimal import Decimal
from functools import lru_cache

from mpmath import e, eigsy, erfc, exp, fabs, inf, log, log1p, loggamma, matrix, mp, mpf
from mpmath import euler, nstr, pi, psi, sqrt, workdps

WORKING_DIGITS = 45
mp.dps = WORKING_DIGITS

TABLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "reference")


# ---- tables ------------------------------------------------------------------------------------

def number(params, key, otherwise=None):
    """A parameter: a decimal that means exactly that number."""
    return mpf(str(params[key])) if key in params else otherwise


def as_doubles(params):
    """The same parameters after rounding to double."""
    return {k: v if isinstance(v, int) else str(Decimal(float(v))) for k, v in params.items()}


def read(table):
    with open(os.path.join(TABLES, table), encoding="utf-8") as stream:
        return json.load(stream)


def write(table, content):
    head = {key: value for key, value in content.items() if key != "entries"}
    lines = [f' "{key}": {json.dumps(value)},' for key, value in head.items()]
    shown = (json.dumps(entry, ensure_ascii=False) for entry in content["entries"])
    entries = ",\n".join("  " + text for text in shown)
    with open(os.path.join(TABLES, table), "w", encoding="utf-8") as stream:
        stream.write("{\n" + "\n".join(lines) + '\n "entries": [\n' + entries + "\n ]\n}\n")


def last_digit(text):
    """The weight of the last digit of a decimal."""
    mantissa, _, exponent = text.lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    return mpf(10) ** (int(exponent or 0) - decimals)


def text_of(value):
    return value if isinstance(value, str) else nstr(value, 25, min_fixed=-60, max_fixed=25)


def difference(old, new):
    """0 if both say the same, infinity if they cannot be compared."""
    if old == new:
        return mpf(0)
    try:
        return fabs(mpf(old) - mpf(new))
    except (TypeError, ValueError):
        return inf


class Comparison:
    """Counts what holds, and remembers the largest difference, relative to values above 1."""

    def __init__(self):
        self.largest, self.where, self.compared, self.wrong = mpf(0), "none", 0, []

    def holds(self, entry, key, new, error):
        """Whether the text of the table is right; a missing one is not."""
        old = entry.get(key)
        if not old:
            return False
        self.compared += 1
        apart = difference(old, new)
        size = apart / max(1, fabs(mpf(old))) if 0 < apart < inf else apart
        if size > self.largest:
            self.largest, self.where = size, entry["id"]
        if apart == 0 or apart <= allowed(entry, old) + error:
            return True
        self.wrong.append(f"{entry['id']} {key}: {old} in the table, {text_of(new)} found")
        return False


def allowed(entry, text):
    try:
        return mpf(entry.get("est_error") or 0) + last_digit(text) / 2 * (1 + mpf(10) ** -6)
    except ValueError:  # a word
        return mpf(0)


def recompute(table, compute, only):
    """The table with its values found anew, and how they compare with the old ones."""
    content, comparison = read(table), Comparison()
    start = time.time()
    for entry in content["entries"]:
        if only not in entry["id"]:
            continue
        answers = {"value": compute(entry["quantity"], entry["params"])}
        if "value_double_params" in entry:
            answers["value_double_params"] = compute(entry["quantity"], as_doubles(entry["params"]))
        for key, answer in answers.items():
            value, error = answer if isinstance(answer, tuple) else (answer, 0)
            if not comparison.holds(entry, key, value, error):
                entry[key] = text_of(value)
    print(f"{table}: {comparison.compared} values in {time.time() - start:.0f} s, largest "
          f"difference {nstr(comparison.largest, 2)} ({comparison.where}), "
          f"{len(comparison.wrong)} do not hold")
    for line in comparison.wrong:
        print("  " + line)
    return content, comparison


def arguments(doc):
    parser = argparse.ArgumentParser(description=doc,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare only, write nothing")
    parser.add_argument("--only", default="", metavar="TEXT", help="entries whose id contains TEXT")
    return parser


def run(tables, compute, doc, options=None):
    """The main program. compute(quantity, params) is a value, or a value and its error."""
    options = options or arguments(doc).parse_args()
    wrong = False
    for table in tables.split():
        content, comparison = recompute(table, compute, options.only)
        wrong = wrong or bool(comparison.wrong)
        if not options.check:
            write(table, content)
    sys.exit(1 if options.check and wrong else 0)


# ---- the paper's format ------------------------------------------------------------------------

class Format:
    """+-2^e (1 + m 2^(1-p)), m = 0 ... 2^(p-1) - 1, rounded to nearest [sec:fpn_structure]."""

    def __init__(self, p, E):
        self.p, self.E, self.count = int(p), int(E), 2 ** (int(p) - 1)
        if self.E == 0:  # one level, with exponent 1/2
            self.exponents = [mpf(1) / 2]
        else:
            self.exponents = range(1 - 2 ** (self.E - 1), 2 ** (self.E - 1) + 1)

    @classmethod
    def of(cls, params):
        return cls(params["p"], params["E"])

    def step(self, exponent):
        return mpf(2) ** (exponent + 1 - self.p)

    def value(self, exponent, m):
        return mpf(2) ** exponent + m * self.step(exponent)

    def edges(self, exponent, m, clipped=True):
        """The cell of a positive value; the outermost one ends at infinity, or with U."""
        half = self.step(exponent) / 2
        low, high = self.value(exponent, m) - half, self.value(exponent, m) + half
        if m == 0:
            low = mpf(0) if exponent == self.exponents[0] else low + half / 2
        if clipped and m == self.count - 1 and exponent == self.exponents[-1]:
            high = inf
        return low, high

    def right_edge(self):
        """The end of the granular region U: 2^(emax + 1) - 2^(emax - p)."""
        top = mpf(self.exponents[-1])
        return mpf(2) ** (top + 1) - mpf(2) ** (top - self.p)

    def first_width(self):
        """The two cells next to zero: 2^emin (1 + 2^-p)."""
        return mpf(2) ** self.exponents[0] * (1 + mpf(2) ** -self.p)

    def positive_values(self):
        return [self.value(x, m) for x in self.exponents for m in range(self.count)]

    def runs(self):
        """(left, right, width) of the positive cells in U, neighbors of one width joined."""
        for exponent in self.exponents:
            low, high = self.edges(exponent, 0, clipped=False)
            yield low, high, high - low
            if self.count > 1:
                last = self.edges(exponent, self.count - 1, clipped=False)[1]
                yield high, last, self.step(exponent)


# ---- laws --------------------------------------------------------------------------------------

class Law:
    """Location, scale and, of the standardized variable, density and upper tail."""

    def __init__(self, location, scale):
        self.location, self.scale = mpf(location), mpf(scale)

    def density(self, x):
        return exp(self.log_density((x - self.location) / self.scale)) / self.scale

    def above(self, x):
        return mpf(0) if x == inf else self.tail((x - self.location) / self.scale)

    def cdf(self, x):
        return self.tail((self.location - x) / self.scale)

    def mass(self, a, b):
        """P(a < X < b)."""
        low, high = ((x - self.location) / self.scale for x in (a, b))
        if low == -inf or high == inf:
            return self.tail(low) if high == inf else self.tail(-high)
        width = high - low
        if width > self.narrow(low, high):
            if low + high < 0:
                low, high = -high, -low
            return self.tail(low) - self.tail(high)
        middle = (low + high) / 2
        nodes, weights = gauss_legendre(6 if width < mpf(10) ** -5 else 24)
        return width / 2 * sum(w * exp(self.log_density(middle + width / 2 * x))
                               for x, w in zip(nodes, weights))

    def narrow(self, low, high):
        """The width up to which 24 points integrate the density to 45 digits."""
        return min(mpf(1) / 4, 2 / (1 + max(abs(low), abs(high))))

    def mirrored(self):
        other = type(self).__new__(type(self))
        other.__dict__ = dict(self.__dict__, location=-self.location)
        return other


class Normal(Law):
    def log_density(self, z):
        return -z * z / 2 - log(2 * pi) / 2

    def tail(self, z):
        return erfc(z / sqrt(mpf(2))) / 2

    def entropy(self):
        """In bits."""
        return log(2 * pi * e * self.scale**2, 2) / 2

    def panel(self, z):
        """The length of a piece around z on which a rule of 30 points is exact to 40 digits."""
        return min(mpf(3) / 2, 8 / (1 + abs(z)))


class Student(Law):
    def __init__(self, dof, location, scale):
        super().__init__(location, scale)
        self.dof = mpf(dof)
        self.log_peak = (loggamma((self.dof + 1) / 2) - loggamma(self.dof / 2)
                         - log(self.dof * pi) / 2)

    def log_density(self, z):
        return self.log_peak - (self.dof + 1) / 2 * log1p(z * z / self.dof)

    def tail(self, z):
        return student_tail(self.dof, self.log_density, z)

    def entropy(self):
        half = self.dof / 2
        nats = (half + mpf(1) / 2) * (psi(0, half + mpf(1) / 2) - psi(0, half)) - self.log_peak
        return (nats + log(self.scale)) / log(2)

    def narrow(self, low, high):
        return min(super().narrow(low, high), sqrt(self.dof) / 4)

    def panel(self, z):
        slope = (self.dof + 1) * abs(z) / (self.dof + z * z)
        return min(8 / (1 + slope), mpf(7) / 10 * sqrt(self.dof + z * z), max(mpf(3) / 2, abs(z)))


def student_tail(dof, log_density, z):
    """P(Z > z) of Student's t by series of positive terms, or a continued fraction between them."""
    if z < 0:
        return 1 - student_tail(dof, log_density, -z)
    if z * z >= dof:  # f(z) (z/dof) sum (dof/2 + 1/2)_k / (dof/2 + 1)_k x^k
        share = positive_series(dof / 2 + 1, dof / (dof + z * z), (dof + 1) / 2)
        return exp(log_density(z)) * z / dof * share
    if z > 15:
        return exp(log_density(z)) * z / dof * beta_fraction(dof, z)
    with workdps(mp.dps + 50):  # P(0 < Z < z) = z f(z) sum (dof/2 + 1/2)_k / (3/2)_k x^k
        x = z * z / (dof + z * z)
        central = z * exp(log_density(z)) * positive_series(mpf(3) / 2, x, (dof + 1) / 2)
        return 1 / mpf(2) - central  # above 10^-50


def positive_series(c, x, a):
    """sum (a)_k / (c)_k x^k"""
    term = total = mpf(1)
    k = 0
    while term > total * mpf(10) ** (-mp.dps - 5):
        term *= (a + k) / (c + k) * x
        total += term
        k += 1
    return total


def beta_fraction(dof, z):
    """P(Z > z) / (f(z) z/dof): the continued fraction of the incomplete beta function."""
    a, b, x = dof / 2, mpf(1) / 2, dof / (dof + z * z)
    value, c, d = mpf(1), mpf(1), mpf(0)  # Lentz: 1 + d_1 / (1 + d_2 / (1 + ...))
    for m in range(1, 10**5):
        k = m // 2
        if m % 2 == 0:
            step = k * (b - k) * x / ((a + m - 1) * (a + m))
        else:
            step = -(a + k) * (a + b + k) * x / ((a + m - 1) * (a + m))
        d = 1 / (1 + step * d)
        c = 1 + step / c
        value *= c * d
        if abs(c * d - 1) < mpf(10) ** (-mp.dps - 2):
            return 1 / value
    raise ArithmeticError("the continued fraction does not converge")


def slope_law(params):
    """The fitted slope: w plus sigma_xi/(sigma_x sqrt n) times Student's t_n [lem:compute_f_z]."""
    n = number(params, "n")
    scale = number(params, "sigxi") / (number(params, "sigx") * sqrt(n))
    return Student(n, number(params, "w"), scale)


# ---- entropy of one register -------------------------------------------------------------------

@lru_cache(maxsize=None)
def gauss_legendre(order):
    return rule(order, lambda k: mpf(1) / (4 - mpf(1) / k**2), 2)


@lru_cache(maxsize=None)
def counting_rule(order, count):
    """Nodes and weights for the sum over the points 0 ... count - 1."""
    beta = lambda k: mpf(count) ** 2 / 4 * (1 - (mpf(k) / count) ** 2) / (4 - mpf(1) / k**2)
    nodes, weights = rule(order, beta, count)
    return [x + mpf(count - 1) / 2 for x in nodes], weights


def rule(order, beta, total):
    jacobi = matrix(order, order)
    for k in range(1, order):
        jacobi[k - 1, k] = jacobi[k, k - 1] = sqrt(beta(k))
    nodes, vectors = eigsy(jacobi)
    return list(nodes), [total * vectors[0, i] ** 2 for i in range(order)]


ORDER = 30
NOTHING = mpf(10) ** -44  # a mass that no printed digit sees


def surprise(probability):
    return -probability * log(probability, 2) if probability > 0 else mpf(0)


def cell_sum(law, centers, weights, width):
    """Sums of -P log P and of P."""
    total, mass = mpf(0), mpf(0)
    for center, weight in zip(centers, weights):
        probability = law.mass(center - width / 2, center + width / 2)
        total += weight * surprise(probability)
        mass += weight * probability
    return total, mass


def block_sum(fmt, law, exponent, first, count):
    """Over the cells first ... first + count - 1 of an exponent, were they all alike."""
    step, start = fmt.step(exponent), fmt.value(exponent, first)
    low, high = start - step / 2, start + (count - mpf(1) / 2) * step
    if law.mass(low, high) < NOTHING:
        return mpf(0), mpf(0)
    nearest = min(max(law.location, low), high)
    if count <= 2 * ORDER:
        points, weights = range(count), [1] * count
    elif high - low > law.scale * law.panel((nearest - law.location) / law.scale):
        halves = [block_sum(fmt, law, exponent, first + k * count // 2, count // 2) for k in (0, 1)]
        return tuple(map(sum, zip(*halves)))
    else:
        points, weights = counting_rule(ORDER, count)
    return cell_sum(law, [start + j * step for j in points], weights, step)


def half_entropy(fmt, law):
    """The positive cells: those that are alike, then the others, one by one, in place of theirs."""
    total, mass = mpf(0), mpf(0)
    for exponent in fmt.exponents:
        alike = block_sum(fmt, law, exponent, 0, fmt.count)
        total += alike[0]
        mass += alike[1]
        for m in {0, fmt.count - 1} if exponent == fmt.exponents[-1] else {0}:
            probability = law.mass(*fmt.edges(exponent, m))
            instead = (0, 0)
            if alike[1] > 0:
                instead = cell_sum(law, [fmt.value(exponent, m)], [1], fmt.step(exponent))
            total += surprise(probability) - instead[0]
            mass += probability - instead[1]
    return total, mass


def entropy(fmt, law):
    """H(X_fp) in bits [thm:quantized_ent]; the probabilities must add up to 1."""
    upper = half_entropy(fmt, law)
    lower = upper if law.location == 0 else half_entropy(fmt, law.mirrored())
    defect = fabs(upper[1] + lower[1] - 1)
    if defect > mpf(10) ** -32:
        raise ArithmeticError(f"p{fmt.p}e{fmt.E}: the probabilities miss 1 by {nstr(defect, 3)}")
    return upper[0] + lower[0]


# ---- the smooth formulas -----------------------------------------------------------------------

def smooth_centered(p):
    """H~_s^0 [eq:single_mean_0]"""
    return p + log(2 * pi * e, 2) / 2 + euler / (2 * log(2))


def smooth_pair(p, w, sigma_x, sigma_xi):
    """H~_s(X, Y) [eq:approx_joint_ent_SNR]"""
    return 2 * smooth_centered(p) - log(1 + (w * sigma_x / sigma_xi) ** 2, 2) / 2


def smooth_shifted(p, differential_entropy, mean):
    """H~_s^mu [eq:three_approxes]"""
    return differential_entropy + (p - 1) - log(fabs(mean) / sqrt(mpf(2)), 2)


def descent_law(eta, batch, w0, w, sigma_x, sigma_xi, steps):
    """Mean and variance of the Ornstein-Uhlenbeck law after so many steps [sec:nonstationarysgd]"""
    decay = exp(-(sigma_x**2) * eta * steps)
    return w * (1 - decay) + w0 * decay, eta * sigma_xi**2 / (2 * batch) * (1 - decay**2)
