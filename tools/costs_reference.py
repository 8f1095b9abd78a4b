#!/usr/bin/env python3
"""Computes tests/reference/costs.json: Landauer costs of regression, SGD, averaging and inference.

Smooth entropies by the paper's formulas. Exact joint entropies: of a small format by integrating,
over every cell of x, the differences of conditional tails between the edges of y (Gauss-Legendre,
45 digits); of p24e8 by the identity [eq:exact_identity] with the leading order of D. Inference in
exact rational arithmetic over all stored values.
"""
from fractions import Fraction
from functools import lru_cache

from mpmath import e, fabs, inf, log, mpf, pi, sqrt

from reference import Format, Normal, descent_law, entropy, gauss_legendre, number, run, slope_law
from reference import smooth_centered, smooth_pair, smooth_shifted, surprise

THERMAL = mpf("4e-21")  # k_B T in joules


# ---- smooth ------------------------------------------------------------------------------------

def pair_parameters(params):
    return tuple(number(params, key) for key in ("w", "sigx", "sigxi"))


def smooth_regression(params):
    p, n = number(params, "p"), number(params, "n")
    return n * smooth_pair(p, *pair_parameters(params)) - smooth_output(params)


def smooth_output(params):
    return smooth_shifted(number(params, "p"), slope_law(params).entropy(), number(params, "w"))


def descent_output(params, steps):
    """None stands for endless steps."""
    eta, batch, w = (number(params, key) for key in ("eta", "B", "w"))
    if steps is None:
        mean, variance = w, eta * number(params, "sigxi") ** 2 / (2 * batch)
    else:
        mean, variance = descent_law(eta, batch, number(params, "what0"), *pair_parameters(params),
                                     steps)
    return smooth_shifted(number(params, "p"), Normal(mean, sqrt(variance)).entropy(), mean)


def smooth_descent(params, steps, stationary):
    pair = smooth_pair(number(params, "p"), *pair_parameters(params))
    output = descent_output(params, None if stationary else steps)
    return steps * number(params, "B") * pair - output


# ---- two registers -----------------------------------------------------------------------------

@lru_cache(maxsize=None)
def joint_entropy(p, E, w, sigma_x, sigma_xi):
    """By symmetry twice the cells with x > 0."""
    fmt = Format(p, E)
    cells = [fmt.edges(exponent, m) for exponent in fmt.exponents for m in range(fmt.count)]
    edges = [-inf] + [-low for low, _ in reversed(cells)] + [high for _, high in cells]
    total, mass = mpf(0), mpf(0)
    for low, high in cells:
        row = joint_row(low, min(high, 14 * sigma_x), edges, w, sigma_x, sigma_xi)
        total += sum(map(surprise, row))
        mass += sum(row)
    if fabs(2 * mass - 1) > mpf(10) ** -30:
        raise ArithmeticError(f"p{p}e{E}: the probabilities miss 1 by {fabs(2 * mass - 1)}")
    return 2 * total


def joint_row(low, high, edges, w, sigma_x, sigma_xi):
    """P(low < X < high, Y in cell) for every cell of y."""
    row = [mpf(0)] * (len(edges) - 1)
    if low >= high:
        return row
    x_law = Normal(0, sigma_x)
    nodes, weights = gauss_legendre(24)
    piece = min(sigma_x, sigma_xi / fabs(w) if w else sigma_x) / 2
    pieces = int((high - low) / piece) + 1
    half = (high - low) / pieces / 2
    for k in range(pieces):
        middle = low + (2 * k + 1) * half
        for node, weight in zip(nodes, weights):
            x = middle + half * node
            front = half * weight * x_law.density(x)
            if front < mpf(10) ** -45:
                continue
            for j, part in enumerate(slices(Normal(w * x, sigma_xi), edges)):
                row[j] += front * part
    return row


def slices(law, edges):
    """The mass between neighboring edges, by differences on the side of the tail."""
    center = [edge <= law.location for edge in edges]
    tails = [law.cdf(edge) if below else law.above(edge) for edge, below in zip(edges, center)]
    for j in range(len(edges) - 1):
        if center[j] and center[j + 1]:
            yield tails[j + 1] - tails[j]
        elif center[j]:
            yield 1 - tails[j] - tails[j + 1]
        else:
            yield tails[j] - tails[j + 1]


def log_width(fmt, law):
    """E[log2 Delta], the clipping cells as wide as their neighbors (they hold nothing here)."""
    return 2 * sum(law.mass(left, right) * log(width, 2) for left, right, width in fmt.runs())


def squared_widths(fmt, law, slope):
    """E[Delta^2 (c0 + c2 x^2)], slope = (c0, c2), by Gauss-Legendre over the runs of one width."""
    nodes, weights = gauss_legendre(24)
    total = mpf(0)
    for left, right, width in fmt.runs():
        right = min(right, 14 * law.scale)
        pieces = max(1, int(2 * (right - left) / law.scale)) if right > left else 0
        for k in range(pieces):
            half = (right - left) / pieces / 2
            middle = left + (2 * k + 1) * half
            for node, weight in zip(nodes, weights):
                x = middle + half * node
                total += half * weight * law.density(x) * width**2 * (slope[0] + slope[1] * x * x)
    return 2 * total


@lru_cache(maxsize=None)
def fine_joint_entropy(p, E, w, sigma_x, sigma_xi):
    """h - E log Delta(X) - E log Delta(Y) + D, D = E[sum of Delta^2 (d ln f)^2] / (24 ln 2)"""
    fmt = Format(p, E)
    sigma_y = sqrt((w * sigma_x) ** 2 + sigma_xi**2)
    x, y = Normal(0, sigma_x), Normal(0, sigma_y)
    h = log(2 * pi * e * sigma_x * sigma_xi, 2)
    by_x = ((w / sigma_xi) ** 2, sigma_x**-4)  # E[(d ln f/dx)^2 | x]
    by_y = ((w * sigma_x / (sigma_xi * sigma_y)) ** 2, sigma_y**-4)  # E[(d ln f/dy)^2 | y]
    divergence = squared_widths(fmt, x, by_x) + squared_widths(fmt, y, by_y)
    return h - log_width(fmt, x) - log_width(fmt, y) + divergence / (24 * log(2))


def joint(params):
    solve = fine_joint_entropy if params["p"] > 12 else joint_entropy
    return solve(params["p"], params["E"], *pair_parameters(params))


def exact_regression(params):
    return number(params, "n") * joint(params) - entropy(Format.of(params), slope_law(params))


# ---- inference ---------------------------------------------------------------------------------

def stored_values(fmt):
    """All values in ascending order, as fractions (E > 0), and their cells."""
    upper = [(Fraction(2) ** exponent * (1 + Fraction(m, fmt.count)), fmt.edges(exponent, m))
             for exponent in fmt.exponents for m in range(fmt.count)]
    return [(-u, (-high, -low)) for u, (low, high) in reversed(upper)] + upper


def nearest(values, x, away_from_zero):
    """The index of the stored value next to x, and whether there are two."""
    low, high = 0, len(values) - 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if values[middle] <= x else (low, middle)
    below, above = x - values[low], values[high] - x
    if below == above:
        return (high if x > 0 or not away_from_zero else low), True
    return (low if below < above else high), False


def inference(params, away_from_zero=True):
    """H(X_fp) - H(Q(what X_fp)), and the probability of a tie."""
    fmt, law = Format.of(params), Normal(0, number(params, "sigx"))
    stored = stored_values(fmt)
    values = [value for value, _ in stored]
    images = [mpf(0)] * len(values)
    before, ties = mpf(0), mpf(0)
    for value, cell in stored:
        probability = law.mass(*cell)
        index, tie = nearest(values, Fraction(params["what"]) * value, away_from_zero)
        images[index] += probability
        before += surprise(probability)
        ties += probability if tie else 0
    return before - sum(map(surprise, images)), ties


def inference_map(params):
    value, ties = inference(params)
    other = inference(params, away_from_zero=False)[0]
    noted = (("probability_of_exact_ties", ties, 11), ("value_if_ties_to_plus_inf", other, 24))
    for key, found, digits in noted:
        if fabs(number(params, key) - found) > mpf(10) ** -digits:
            raise ValueError(f"{params}: {key} is {found}")
    return value


def input_entropy(params):
    return entropy(Format.of(params), Normal(0, number(params, "sigx")))


def ideal_inference(params):
    scale = number(params, "sigx") * fabs(number(params, "what"))
    return input_entropy(params) - entropy(Format.of(params), Normal(0, scale))


# ---- the table ---------------------------------------------------------------------------------

def precision_part(params):
    p = number(params, "p")
    samples = number(params, "n") if "n" in params else number(params, "k") * number(params, "B")
    return (2 * samples - 1) * p


def steps_of(params):
    return number(params, "k") if "k" in params else number(params, "tau")


QUANTITIES = {
    "Ht_s^w(What_fp)": smooth_output,
    "dE_min^Ex/(kB T ln2)": smooth_regression,
    "dE_min^Ex [J]": lambda params: THERMAL * log(2) * smooth_regression(params),
    "exact quantised cost": exact_regression,
    "H(X_fp,Y_fp) exact joint": joint,
    "Ht_s^{mu~(k)}": lambda params: descent_output(params, steps_of(params)),
    "dE_min^SGD(k)": lambda params: smooth_descent(params, steps_of(params), stationary=False),
    "dE_min^SGD/": lambda params: smooth_descent(params, steps_of(params), stationary=True),
    "averaging/summing": lambda params: (number(params, "n") - 1)
    * smooth_centered(number(params, "p")),
    "precision contribution [J]": lambda params: THERMAL * log(2) * precision_part(params),
    "precision contribution (": precision_part,
    "inference, quantised map": inference_map,
    "inference, ideal": ideal_inference,
    "H(X_fp)": input_entropy,
}


def compute(quantity, params):
    return next(f for start, f in QUANTITIES.items() if quantity.startswith(start))(params)


run("costs.json", compute, __doc__)
