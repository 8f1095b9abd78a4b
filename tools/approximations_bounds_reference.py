#!/usr/bin/env python3
"""Computes tests/reference/approximations_bounds.json: the paper's approximations and bounds.

Integrals of the definitions, by tanh-sinh quadrature between 0, the edges of U and points a few
scales apart (mpmath's quad at 45 digits); widths of cells from the list of cells, masses from
tails. Nothing is taken from a closed form that a definition does not give.
"""
from mpmath import e, exp, fabs, inf, log, mpf, pi, quad, sqrt

from reference import Format, Normal, Student, number, run, slope_law, smooth_centered
from reference import smooth_pair, smooth_shifted, surprise


def law_of(params):
    return slope_law(params) if "n" in params else Normal(number(params, "mu", mpf(0)),
                                                          number(params, "sigma"))


def integral(f, law, low, high):
    """Between low and high, cut at 0, around the law and outward by powers of two."""
    offsets = [mpf(k) / 2 for k in range(-12, 13)] + [s * mpf(2) ** k for s in (-1, 1)
                                                      for k in range(3, 7)]
    if isinstance(law, Student):
        offsets += [s * mpf(4) ** k for s in (-1, 1) for k in range(4, 40)]
    points = {law.location + law.scale * k for k in offsets} | {mpf(0), low, high}
    if isinstance(law, Normal):  # nothing is left beyond 45 deviations
        low = max(low, law.location - 45 * law.scale)
        high = min(high, law.location + 45 * law.scale)
        points |= {low, high}
    inside = sorted(x for x in points if low <= x <= high)
    return quad(f, inside) if len(inside) > 1 else mpf(0)


def information(law, low, high):
    """-int f log2 f"""
    constant = log(law.scale)

    def integrand(x):
        log_f = law.log_density((x - law.location) / law.scale) - constant
        return -exp(log_f) * log_f / log(2)

    return integral(integrand, law, low, high)


def log_size(law, low, high):
    """int f log2(|x| / sqrt 2): G over the whole line [eq:G_int_non_gauss]"""
    return integral(lambda x: law.density(x) * log(fabs(x) / sqrt(mpf(2)), 2) if x else mpf(0),
                    law, low, high)


def log_width(fmt, law, outer=None):
    """E[log2 Delta] on U; `outer` replaces the width of the clipping cells."""
    total = mpf(0)
    edge = fmt.right_edge()
    for side in (law, law.mirrored()):
        for left, right, width in fmt.runs():
            shown = outer if outer is not None and right == edge else width
            total += side.mass(left, right) * log(shown, 2)
    return total


def approximation_1(fmt, law, outer=None):
    edge = fmt.right_edge()
    return information(law, -edge, edge) - log_width(fmt, law, outer)


def approximation_2(fmt, law, edge):
    """-int f log2(f Delta_s) between -edge and edge [eq:Ht_s_U]"""
    if edge == inf:
        return law.entropy() + fmt.p - 1 - log_size(law, -inf, inf)
    mass = law.mass(-edge, edge)
    return information(law, -edge, edge) + (fmt.p - 1) * mass - log_size(law, -edge, edge)


def special_error(fmt, law):
    """epsilon_0 [eq:special_error]"""
    a = fmt.first_width()
    ratio = lambda x: log(fabs(x) * mpf(2) ** (1 - fmt.p) / sqrt(mpf(2)) / a, 2)
    return integral(lambda x: law.density(x) * fabs(ratio(x)) if x else mpf(0), law, -a, a)


def special_constant(fmt):
    """C_0 [cor:eps_sp_bound]"""
    return 2 * fmt.first_width() * (fmt.p - mpf(1) / 2 + log(e, 2))


def conditioned(fmt, law):
    """H, h and E log2 Delta of X given that it lies in U."""
    edge = fmt.right_edge()
    inside = law.mass(-edge, edge)
    total = mpf(0)
    for side in (law, law.mirrored()):
        for exponent in fmt.exponents:
            for m in range(fmt.count):
                total += surprise(side.mass(*fmt.edges(exponent, m, clipped=False)) / inside)
    h = information(law, -edge, edge) / inside + log(inside, 2)
    return total, h, log_width(fmt, law) / inside


def mercator_rest(mu, sigma):
    """E[|ln |1 + eps/mu||; |eps/mu| > 1/2] [lem:Ac-bound]"""
    law = Normal(0, sigma)
    f = lambda x: law.density(x) * fabs(log(fabs(1 + x / mu))) if x != -mu else mpf(0)
    cuts = [mu * k for k in (-2, -mpf(3) / 2, -1)]
    left = sorted({-45 * sigma, -mu / 2, *[c for c in cuts if c > -45 * sigma],
                   *[-k * sigma for k in range(1, 45) if -k * sigma < -mu / 2]})
    right = sorted({45 * sigma, mu / 2, *[k * sigma for k in range(1, 45) if k * sigma > mu / 2]})
    return quad(f, left) + quad(f, right)


def mercator_bound(mu, sigma):
    c1, c2 = 4 * (log(2) + mpf(3) / 2) / sqrt(2 * pi), (1 + log(2)) / sqrt(2 * pi)
    return (c1 * sigma / mu + c2 * mu / sigma) * exp(-(mu**2) / (8 * sigma**2))


def of_a_format(quantity, fmt, law):
    edge = fmt.right_edge()
    if quantity.startswith("Ht (Approx. 1) with outer-bin"):
        values = fmt.positive_values()
        return approximation_1(fmt, law, outer=values[-1] - values[-2])
    if quantity.startswith("Ht (Approx. 1)"):
        return approximation_1(fmt, law)
    if quantity.startswith("|Ht - Ht_{s,U}|"):
        return fabs(approximation_1(fmt, law) - approximation_2(fmt, law, edge))
    if quantity.startswith("Ht_{s,U}"):
        return approximation_2(fmt, law, edge)
    if quantity.startswith("Ht_s (Approx. 2)"):
        return approximation_2(fmt, law, inf)
    if quantity.startswith("Ht_s^mu"):
        return smooth_shifted(fmt.p, law.entropy(), law.location)
    if quantity.startswith("epsilon_0"):
        return special_error(fmt, law)
    if quantity.startswith("bound C_0"):
        return special_constant(fmt) * law.density(mpf(0))
    if quantity.endswith("for X conditioned on U"):
        discrete, differential, widths = conditioned(fmt, law)
        return {"H(X_Q)": discrete, "h(X)": differential,
                "D(f||g)": discrete - differential + widths}[quantity.split(" ")[0]]
    raise ValueError(quantity)


def compute(quantity, params):
    if quantity == "Ht_s^0(p)":
        return smooth_centered(number(params, "p"))
    if quantity == "Ht_s(X_fp,Y_fp)":
        return smooth_pair(*(number(params, key) for key in ("p", "w", "sigx", "sigxi")))
    if quantity == "C_0":
        return special_constant(Format.of(params))
    if quantity.startswith("G"):
        return log_size(law_of(params), -inf, inf)
    if quantity.startswith("E[|ln|1+eps/mu||"):
        return mercator_rest(number(params, "mu"), number(params, "sigma"))
    if quantity.startswith("Lemma Ac-bound"):
        return mercator_bound(number(params, "mu"), number(params, "sigma"))
    law = Student(5, 0, 1) if "t_5" in quantity else law_of(params)
    return of_a_format(quantity, Format(params["p"], params.get("E", 8)), law)


run("approximations_bounds.json", compute, __doc__)
