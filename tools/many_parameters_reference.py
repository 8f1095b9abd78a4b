#!/usr/bin/env python3
"""Computes tests/reference/many_parameters.json: rows of many registers and what regression finds.

    tools/many_parameters_reference.py [--check] [--only three-corr]

Closed forms are integrated anew: E ln|X| from its density, h(ŵ) from the density of the
multivariate t's radius, moments of ridge from those of chi-square. Stored rows are summed cell by
cell, all boxes of cells, in double precision with 16 Gauss nodes a panel (11 digits or more); rows
on p24e8 come from the identity, with the masses of whole binades.
"""
import math

from mpmath import (beta, digamma, exp, inf, log, loggamma, matrix, mp, mpf, pi,
                    quad, sqrt)

from reference import Format, Normal, Student, gauss_legendre, run

LN2 = math.log(2)


# ---- cells in double precision -------------------------------------------------------------------

def edges_of(fmt):
    """All edges from -infinity to infinity."""
    above = [fmt.edges(e, m)[1] for e in fmt.exponents for m in range(fmt.count)]
    finite = [float(x) for x in above[:-1]]
    return [-math.inf] + [-x for x in reversed(finite)] + [0.0] + finite + [math.inf]


NODES, WEIGHTS = None, None


def points(left, right, longest):
    """Gauss points and weights in panels."""
    global NODES, WEIGHTS
    if NODES is None:
        NODES, WEIGHTS = ([float(x) for x in part] for part in gauss_legendre(16))
        total = sum(WEIGHTS)
        WEIGHTS = [w / total for w in WEIGHTS]
    panels = max(1, math.ceil((right - left) / longest))
    h = (right - left) / panels
    return [(left + h * (i + (1 + x) / 2), h * w) for i in range(panels)
            for x, w in zip(NODES, WEIGHTS)]


def phi(t):
    return math.exp(-t * t / 2) / math.sqrt(2 * math.pi)


def masses_between(edges, mean, deviation, weight, into):
    """Adds weight times the normal mass of each cell."""
    below, above = 0.0, 1.0
    for i in range(1, len(edges)):
        u = (edges[i] - mean) / deviation
        if u < -9.5:
            continue
        here, beyond = math.erfc(-u / math.sqrt(2)) / 2, math.erfc(u / math.sqrt(2)) / 2
        into[i - 1] += weight * (here - below if u < 0 else above - beyond)
        if u > 9.5:
            return
        below, above = here, beyond


def surprise(masses):
    return -sum(q * math.log2(q) for q in masses if q > 0)


def one_register(edges, mean, deviation):
    masses = [0.0] * (len(edges) - 1)
    masses_between(edges, mean, deviation, 1, masses)
    return surprise(masses)


def cells_within(edges, mean, deviation):
    for left, right in zip(edges, edges[1:]):
        left, right = max(left, mean - 9.5 * deviation), min(right, mean + 9.5 * deviation)
        if left < right:
            yield left, right


def two_registers(x_edges, y_edges, mean, sigma, conditional, longest):
    """H(X, Y): X normal, and Y given x normal with conditional(x) = (mean, deviation)."""
    total = 0.0
    for left, right in cells_within(x_edges, mean, sigma):
        masses = [0.0] * (len(y_edges) - 1)
        for x, weight in points(left, right, longest):
            masses_between(y_edges, *conditional(x), weight * phi((x - mean) / sigma) / sigma, masses)
        total += surprise(masses)
    return total


def three_registers(edges, p):
    """H(X1, X2, Y)."""
    total = 0.0
    first, second = p["scale1"], p["scale2"]
    for left1, right1 in cells_within(edges, p["mu1"], p["sigma1"]):
        outer = points(left1, right1, first)
        for left2, right2 in cells_within(edges, p["mu2"], p["deviation2"]):
            inner = points(left2, right2, second)
            masses = [0.0] * (len(edges) - 1)
            for x1, weight1 in outer:
                f1 = weight1 * phi((x1 - p["mu1"]) / p["sigma1"]) / p["sigma1"]
                center = p["mu2"] + p["slope"] * (x1 - p["mu1"])
                for x2, weight2 in inner:
                    t = (x2 - center) / p["sigma2"]
                    if abs(t) > 9.5:
                        continue
                    mean = p["b"] + p["w1"] * x1 + p["w2"] * x2
                    masses_between(edges, mean, p["noise"], f1 * weight2 * phi(t) / p["sigma2"], masses)
            total += surprise(masses)
    return total


def three_parameters(params):
    given = params["x2_given_x1"]
    p = {"mu1": params["mu"][0], "mu2": params["mu"][1], "sigma1": params["x1_sigma"],
         "slope": given["slope"], "sigma2": given["sigma"], "b": params["b"], "w1": params["w"][0],
         "w2": params["w"][1], "noise": params["sigma_xi"]}
    p["deviation2"] = math.hypot(p["slope"] * p["sigma1"], p["sigma2"])
    p["scale1"] = 1 / math.sqrt(1 / p["sigma1"] ** 2 + (p["slope"] / p["sigma2"]) ** 2
                                + (p["w1"] / p["noise"]) ** 2)
    p["scale2"] = 1 / math.hypot(1 / p["sigma2"], p["w2"] / p["noise"])
    return p


# ---- the chain -----------------------------------------------------------------------------------

def mean_entropy(edges, mean, spread, noise):
    """E H(N(M, noise²) stored), a trapezoidal sum over M."""
    if spread == 0:
        return one_register(edges, mean, noise)
    step = min(0.05, 0.1 * noise / spread)
    count = math.ceil(8.5 / step)
    ks = range(-count, count + 1)
    weights = [math.exp(-(k * step) ** 2 / 2) for k in ks]
    values = [one_register(edges, mean + spread * k * step, noise) for k in ks]
    return math.fsum(w * v for w, v in zip(weights, values)) / math.fsum(weights)


def in_cell_variance(edges, mean, deviation):
    total = 0.0
    for left, right in cells_within(edges, mean, deviation):
        mass = first = second = 0.0
        middle = min(max(mean, left), right)
        for x, weight in points(left, right, 0.5 * deviation):
            f = weight * phi((x - mean) / deviation) / deviation
            mass, first, second = mass + f, first + f * (x - middle), second + f * (x - middle) ** 2
        if mass > 0:
            total += second - first * first / mass
    return total


def square_widths(fmt, mean, deviation, clipped):
    """E Δ²; the outermost cells end with U, or are left out."""
    law, total = Normal(mean, deviation), mpf(0)
    for e in fmt.exponents:
        for m in range(fmt.count):
            low, high = fmt.edges(e, m, clipped=False)
            if not clipped and e == fmt.exponents[-1] and m == fmt.count - 1:
                continue
            total += (high - low) ** 2 * (law.above(low) - law.above(high)
                                          + law.above(-high) - law.above(-low))
    return float(total)


def chain(fmt, p):
    """(links, registers): each link is (mean, spread, noise, slopes)."""
    y = p["b"] + p["w1"] * p["mu1"] + p["w2"] * p["mu2"]
    total = p["w1"] + p["w2"] * p["slope"]
    spread = math.hypot(total * p["sigma1"], p["w2"] * p["sigma2"])
    links = [(p["mu1"], 0.0, p["sigma1"], []),
             (p["mu2"], abs(p["slope"]) * p["sigma1"], p["sigma2"], [p["slope"]]),
             (y, spread, p["noise"], [p["w1"], p["w2"]])]
    registers = [(p["mu1"], p["sigma1"]), (p["mu2"], p["deviation2"])]
    return links, registers


def chain_low(fmt, p):
    edges = edges_of(fmt)
    return math.fsum(mean_entropy(edges, *link[:3]) for link in chain(fmt, p)[0])


def chain_smear(fmt, p, variance):
    links, registers = chain(fmt, p)
    return sum(slope ** 2 * variance(*registers[k]) / (2 * LN2 * noise ** 2)
               for _, _, noise, slopes in links for k, slope in enumerate(slopes))


def chain_high(fmt, p):
    edges = edges_of(fmt)
    links, registers = chain(fmt, p)
    high = chain_low(fmt, p)
    law = Normal(0, 1)
    for j, (_, spread, noise, slopes) in enumerate(links):
        if j < 2 or p["slope"] == 0:
            v = sum(s ** 2 * in_cell_variance(edges, *registers[k]) for k, s in enumerate(slopes))
            high += math.log2(1 + v / noise ** 2) / 2
            continue
        length = sum(abs(s) * math.sqrt(square_widths(fmt, *registers[k], clipped=False))
                     for k, s in enumerate(slopes))
        outermost = edges[-2]
        clipped = sum(float(law.above((outermost - m) / s) + law.above((outermost + m) / s))
                      for m, s in registers)
        high += math.log2(1 + length ** 2 / 12 / noise ** 2) / 2
        high += clipped * math.log2(1 + (spread / noise) ** 2) / 2
    return high


def compute_three(quantity, params):
    fmt, p = Format.of(params), three_parameters(params)
    edges = edges_of(fmt)
    if "lower end" in quantity:
        return chain_low(fmt, p)
    if "upper end" in quantity:
        return chain_high(fmt, p)
    if "leading smear" in quantity:
        return chain_smear(fmt, p, lambda m, s: square_widths(fmt, m, s, clipped=True) / 12)
    if "exact variance" in quantity:
        return chain_smear(fmt, p, lambda m, s: in_cell_variance(edges, m, s))
    if quantity.startswith("H(X1,X2) "):
        return two_registers(edges, edges, p["mu1"], p["sigma1"],
                             lambda x: (p["mu2"] + p["slope"] * (x - p["mu1"]), p["sigma2"]),
                             p["scale1"])
    return three_registers(edges, p)


# ---- rows on fine registers: the identity --------------------------------------------------------

def runs_on_both_sides(fmt):
    for low, high, width in fmt.runs():
        yield low, high, width
        yield -high, -low, width


def width_means(fmt, law, functions):
    """The sums over runs of P-like integrals ∫ f g times a function of the width."""
    sums = [mpf(0)] * len(functions)
    for low, high, width in runs_on_both_sides(fmt):
        if law.above(low) - law.above(high) < mpf(10) ** -30:
            continue
        for i, (of_width, integral) in enumerate(functions):
            sums[i] += of_width(width) * integral(low, high)
    return sums


def normal_width_means(fmt, mean, deviation):
    """E log Δ, E Δ² and E Δ²(z - ν)²."""
    law = Normal(mean, deviation)

    def mass(low, high):
        return law.above(low) - law.above(high)

    def square(low, high):
        a, b = (low - mean) / deviation, (high - mean) / deviation
        edge = (a * exp(-a * a / 2) - b * exp(-b * b / 2)) / sqrt(2 * pi)
        return deviation ** 2 * (mass(low, high) + edge)

    return width_means(fmt, law, [(lambda w: log(w, 2), mass), (lambda w: w * w, mass),
                                  (lambda w: w * w, square)])


def row_of(params):
    sigma, w = matrix(params["Sigma"]), matrix(params["w"])
    mu, noise, b = matrix(params["mu"]), mpf(params["sigma_xi"]), mpf(params["b"])
    d = len(w)
    c, means = matrix(d + 1, d + 1), list(mu) + [b + sum(w[i] * mu[i] for i in range(d))]
    cross = sigma * w
    for i in range(d):
        for j in range(d):
            c[i, j] = sigma[i, j]
        c[i, d] = c[d, i] = cross[i]
    c[d, d] = (w.T * cross)[0] + noise ** 2
    return c, means


def compute_row(quantity, params):
    c, means = row_of(params)
    m = len(means)
    h = log((2 * pi * exp(1)) ** m * mp.det(c), 2) / 2
    deviations = [sqrt(c[j, j]) for j in range(m)]
    if quantity.startswith("smooth"):
        return h + sum(params["p"] - mpf(1) / 2 - mean_log(Normal(means[j], deviations[j])) / log(2)
                       for j in range(m))
    fmt, inverse = Format.of(params), c ** -1
    divergence = logs = mpf(0)
    for j in range(m):
        log_width, square, scored = normal_width_means(fmt, means[j], deviations[j])
        logs += log_width
        divergence += scored / c[j, j] ** 2 + (inverse[j, j] - 1 / c[j, j]) * square
    divergence /= 24 * log(2)
    return divergence if quantity.startswith("leading order") else h - logs + divergence


def mean_log(law):
    """E ln|X|, from the density."""
    at, scale = law.location, law.scale
    cuts = sorted({mpf(0), at} | {at + s * scale * k for k in (1, 3, 8, 20) for s in (-1, 1)})
    return quad(lambda x: law.density(x) * log(abs(x)) if x != 0 else mpf(0),
                [-inf] + cuts + [inf])


# ---- what regression finds -----------------------------------------------------------------------

def student_radius_entropy(n, d, log_scale):
    """h of the density ∝ (1 + |z|²)^(-(n+1)/2) in d dimensions plus log_scale, in bits: from the
    law of ln|z|, by quadrature."""
    a, c = mpf(d) / 2, (mpf(n) - d + 1) / 2
    sphere = log(2) + a * log(pi) - loggamma(a)

    def log_f(y):  # of y = ln |z|²
        return a * y - (a + c) * log(1 + exp(y)) - (loggamma(a) + loggamma(c) - loggamma(a + c))

    top = log(a / c)
    width = sqrt(1 / a + 1 / c)
    cuts = [top + width * k for k in (-60, -20, -8, -3, -1, 0, 1, 3, 8, 20, 60)]
    cuts[0], cuts[-1] = min(cuts[0], top - 80 / a), max(cuts[-1], top + 80 / c)
    mean = quad(lambda y: exp(log_f(y)) * y, cuts)
    surprise_of_y = quad(lambda y: -exp(log_f(y)) * log_f(y), cuts)
    return (sphere + surprise_of_y - log(2) + d * mean / 2 + log_scale) / log(2)


def compute_differential(quantity, params):
    d = params["d"]
    if "with intercept" in quantity:
        n = params["n"]
        of_b = log(2 * pi * exp(1) / n, 2) / 2 + (digamma(mpf(n) / 2) - digamma(mpf(n - d) / 2)) / (2 * log(2))
        return student_radius_entropy(n - 1, d, 0) + of_b
    if "one example" in quantity:
        ratio = student_radius_entropy(d, 1, 0)
        sphere = (log(2) + mpf(d) / 2 * log(pi) - loggamma(mpf(d) / 2)) / log(2)
        return sphere - 1 + ratio + (d - 1) * one_example_length(d, params["snr"])
    if "min-norm" in quantity:
        n = params["n"]
        return spherical_entropy(min(n, d), abs(n - d) + 1, d)
    log_scale = d * log(mpf(params["sigma_xi"])) - mpf(params["ln_det_Sigma"]) / 2
    return student_radius_entropy(params["n"], d, log_scale)


def one_example_length(d, snr):
    return (log(1 + mpf(snr)) / 2 + (digamma(mpf(1) / 2) - digamma(mpf(d) / 2)) / 2) / log(2)


def spherical_entropy(a, c, d, smooth_p=None):
    a, c = mpf(a) / 2, mpf(c) / 2
    sphere = log(2) + mpf(d) / 2 * log(pi) - loggamma(mpf(d) / 2)

    def log_f(y):
        return a * y - (a + c) * log(1 + exp(y)) - log(beta(a, c))

    top = log(a / c)
    cuts = [top - 90 / a] + [top + k for k in (-10, -3, -1, 0, 1, 3, 10)] + [top + 90 / c]
    cuts = sorted(cuts)
    mean = quad(lambda y: exp(log_f(y)) * y, cuts) / 2
    own = quad(lambda y: -exp(log_f(y)) * log_f(y), cuts) - log(2)
    if smooth_p is None:
        return (sphere + own + d * mean) / log(2)
    direction = (digamma(mpf(1) / 2) - digamma(mpf(d) / 2)) / 2
    return d * (smooth_p - mpf(1) / 2) + (sphere + own - d * direction) / log(2)


def smooth_single(p):
    return p + log(2 * pi * exp(1), 2) / 2 + mp.euler / (2 * log(2))


def estimate_of(params):
    sigma = matrix(params["Sigma"])
    d, n = len(params["w"]), mpf(params["n"])
    noise = mpf(params["sigma_xi"])
    inverse, nu = sigma ** -1, n - len(params["w"]) + 1
    scales = [noise * sqrt(inverse[j, j] / nu) for j in range(d)]
    laws = [Student(nu, params["w"][j], scales[j]) for j in range(d)]
    h = student_radius_entropy(n, d, d * log(noise) - log(mp.det(sigma)) / 2)
    return laws, h


def compute_stored_estimate(quantity, params):
    laws, h = estimate_of(params)
    if quantity.startswith("smooth"):
        return h + sum(params["p"] - mpf(1) / 2 - mean_log(law) / log(2) for law in laws)
    fmt = Format.of(params)
    if quantity.startswith("H(w1") or quantity.startswith("H(w2"):
        return one_student(fmt, laws[0 if quantity.startswith("H(w1") else 1])
    # D is 1e-13 of a bit here.
    return h - sum(width_means(fmt, law, [(lambda w: log(w, 2),
                                           lambda low, high: law.above(low) - law.above(high))])[0]
                   for law in laws)


def one_student(fmt, law):
    total = mpf(0)
    for e in fmt.exponents:
        for m in range(fmt.count):
            low, high = fmt.edges(e, m)
            for q in (law.above(low) - law.above(high), law.above(-high) - law.above(-low)
                      if high != inf else 1 - law.above(-low)):
                total -= q * log(q, 2) if q > 0 else 0
    return total


def compute_intercept(quantity, params):
    """Rows of ŵ, Student's with n - 1 degrees of freedom, and b̂ normal inside."""
    n, noise, sigma_x = params["n"], params["sigma_xi"], params["sigma_x"]
    mu, w, b = params["mu_x"], params["w"], params["b"]
    fmt = Format.of(params)
    nu = n - 1
    law = Student(nu, w, mpf(noise) / (sigma_x * sqrt(mpf(nu))))
    if quantity.startswith("H(w-hat) "):
        return one_student(fmt, law)
    edges, scale = edges_of(fmt), float(law.scale)
    constant = math.exp(math.lgamma((nu + 1) / 2) - math.lgamma(nu / 2)) / (math.sqrt(nu * math.pi) * scale)
    reach = scale * 60 * max(1, 1e18 ** (1 / nu) / 30)
    alone = [0.0] * (len(edges) - 1)
    joint = 0.0
    for left, right in zip(edges, edges[1:]):
        left, right = max(left, w - reach), min(right, w + reach)
        masses = [0.0] * (len(edges) - 1)
        at = left
        while at < right:
            length = 0.3 * math.hypot(scale, (at - w) / math.sqrt(nu + 1))
            length = min(length, 0.3 * noise / math.sqrt(n) / max(abs(mu), 1e-9) * math.hypot(
                1, (at - w) * sigma_x / noise))
            end = min(right, at + length)
            for x, weight in points(at, end, end - at + 1):
                z = x - w
                f = weight * constant * (1 + (z / scale) ** 2 / nu) ** (-(nu + 1) / 2)
                masses_between(edges, b - z * mu, math.hypot(noise, z * sigma_x) / math.sqrt(n), f, masses)
            at = end
        joint += surprise(masses)
        alone = [a + q for a, q in zip(alone, masses)]
    return surprise(alone) if quantity.startswith("H(b-hat)") else joint


def compute_ridge(quantity, params):
    n, w, penalty = mpf(params["n"]), mpf(params["w"]), mpf(params["penalty"])
    noise, unit = mpf(params["sigma_xi"]), mpf(params["sigma_x"]) ** 2

    def over_chi_square(g):
        def integrand(v):
            return exp((n / 2 - 1) * log(v) - v / 2 - n / 2 * log(2) - loggamma(n / 2)) * g(unit * v)
        return quad(integrand, [0, n / 4, n / 2, n, 2 * n, 4 * n, 10 * n, inf])

    mean = over_chi_square(lambda s: w * s / (s + penalty))
    if quantity.startswith("E "):
        return mean
    return over_chi_square(lambda s: noise ** 2 * s / (s + penalty) ** 2
                           + (w * s / (s + penalty) - mean) ** 2)


def compute_pair(quantity, params):
    x_edges = edges_of(Format(params["p"], params["E"]))
    y_edges = edges_of(Format(params["p_y"], params["E_y"]))
    mu, sigma, w, b, noise = (params[key] for key in ("mu_x", "sigma_x", "w", "b", "sigma_xi"))
    if quantity.startswith("H(X_fp),"):
        return one_register(x_edges, mu, sigma)
    if quantity.startswith("H(Y_fp),"):
        return one_register(y_edges, b + w * mu, math.hypot(w * sigma, noise))
    return two_registers(x_edges, y_edges, mu, sigma, lambda x: (b + w * x, noise),
                         1 / math.hypot(1 / sigma, w / noise))


def compute(quantity, params):
    if quantity.startswith("E ln|"):
        if "dof" not in params:
            return mean_log(Normal(params["mu"], params["sigma"]))
        return mean_log(Student(params["dof"], params["loc"], mpf(params["tau"]) / sqrt(mpf(params["dof"]))))
    if quantity.startswith("E H(N(M"):
        return mean_entropy(edges_of(Format.of(params)), params["mean"], params["sigma_M"], params["s"])
    if "x2_given_x1" in params:
        return compute_three(quantity, params)
    if "p_y" in params:
        return compute_pair(quantity, params)
    if "penalty" in params:
        return compute_ridge(quantity, params)
    if quantity.startswith("h("):
        return compute_differential(quantity, params)
    if "Landauer cost of learning" in quantity:
        d, n0 = params["d"], smooth_single(params["p"])
        h = compute_differential("one example", params)
        length = one_example_length(d, params["snr"]) + (digamma(mpf(1) / 2) - digamma(mpf(d) / 2)) / (2 * log(2))
        model = h + d * (params["p"] - mpf(1) / 2 - length)
        return (d + 1) * n0 - log(1 + mpf(params["snr"]), 2) / 2 - model
    if "w = 0" in quantity:
        n, d = params["n"], params["d"]
        return spherical_entropy(min(n, d), abs(n - d) + 1, d, params["p"])
    if "mu_x" in params:
        return compute_intercept(quantity, params)
    if "mu" in params:
        return compute_row(quantity, params)
    return compute_stored_estimate(quantity, params)


if __name__ == "__main__":
    mp.dps = 30
    run("many_parameters.json", compute, __doc__)
