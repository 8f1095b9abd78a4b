#!/usr/bin/env python3
"""Computes tests/reference/slope_law.json: the law of the fitted slope.

The density is the paper's formula [eq:exact_final_dist]; h(Z) is the integral of -f log f, not the
closed form of [lem:diff_ent_Ex]; its slope in n is a numerical derivative of that closed form
(mpmath's diff); the distribution function is the 2F1 of [eq:wh_cdf].
"""
from mpmath import diff, exp, gamma, hyp2f1, inf, log, loggamma, mpf, pi, quad, sqrt

from reference import Student, number, run


def density(z, n, sigma_x, sigma_xi):
    """[eq:exact_final_dist]"""
    front = exp(loggamma((n + 1) / 2) - loggamma(n / 2)) / (sqrt(pi) * sigma_x**n * sigma_xi)
    return front * ((sigma_x * sigma_xi) ** 2 / ((sigma_x * z) ** 2 + sigma_xi**2)) ** ((n + 1) / 2)


def differential_entropy(n, sigma_x, sigma_xi):
    def integrand(z):
        f = density(z, n, sigma_x, sigma_xi)
        return -f * log(f, 2) if f > 0 else mpf(0)

    unit = sigma_xi / (sigma_x * sqrt(n))
    return 2 * quad(integrand, [0] + [unit * mpf(2) ** k for k in range(-1, 8)] + [inf])


def distribution_function(x, n, w, sigma_x, sigma_xi):
    """[eq:wh_cdf]"""
    t = (x - w) * sigma_x / sigma_xi
    ratio = gamma((n + 1) / 2) / gamma(n / 2)
    half = mpf(1) / 2
    return half + t * ratio / sqrt(pi) * hyp2f1(half, (n + 1) / 2, 3 * half, -t * t)


def compute(quantity, params):
    n, sigma_x, sigma_xi = (number(params, key, mpf(1)) for key in ("n", "sigx", "sigxi"))
    if quantity.startswith("h(Z)"):
        return differential_entropy(n, sigma_x, sigma_xi)
    if quantity.startswith("d h(Z)/dn"):
        return diff(lambda m: Student(m, 0, 1 / sqrt(m)).entropy(), n)
    if quantity == "f_Z(z)":
        return density(number(params, "z"), n, sigma_x, sigma_xi)
    if quantity == "F_What(x)":
        return distribution_function(number(params, "x"), n, number(params, "w"), sigma_x, sigma_xi)
    raise ValueError(quantity)


run("slope_law.json", compute, __doc__)
