#!/usr/bin/env python3
"""Computes tests/reference/mismatch.json: variational optima and mismatch costs [app:mmc], k_B = 1.

Delta S_tot = -ln 2 (H_in - H_out) + alpha (sigma_x^2 + sigma_xi^2) with the smooth entropies. The
optimum: the best point of a grid over the box, then, in turn, the zero of the derivative in either
variable (mpmath's diff, bisected) or the bound of the box, until nothing moves.
"""
import re
from functools import lru_cache

from mpmath import diff, linspace, log, mpf, sqrt

from reference import Normal, Student, descent_law, number, run, smooth_pair, smooth_shifted


class Production:
    """Delta S_tot in nats, up to the constant C that no difference sees."""

    def __init__(self, params):
        self.params = params
        numbers = re.findall(r"[\d.]+", params["box"])
        self.box = [(mpf(numbers[0]), mpf(numbers[1])), (mpf(numbers[2]), mpf(numbers[3]))]

    def output(self, sigma_x, sigma_xi):
        get = lambda key: number(self.params, key)
        w, p = get("w"), get("p")
        if self.params["model"] == "exact":
            n = get("n")
            law = Student(n, 0, sigma_xi / (sigma_x * sqrt(n)))
            return n, smooth_shifted(p, law.entropy(), w)
        eta, batch, steps = get("eta"), get("B"), get("tau")
        mean, variance = descent_law(eta, batch, get("what0"), w, sigma_x, sigma_xi, steps)
        if self.params["mode"] == "asym":  # [eq:SGD_final_dist]
            mean, variance = w, eta * sigma_xi**2 / (2 * batch)
        return batch * steps, smooth_shifted(p, Normal(mean, sqrt(variance)).entropy(), mean)

    def at(self, sigma_x, sigma_xi):
        samples, output = self.output(sigma_x, sigma_xi)
        pair = smooth_pair(number(self.params, "p"), number(self.params, "w"), sigma_x, sigma_xi)
        flow = number(self.params, "alpha") * (sigma_x**2 + sigma_xi**2)
        return flow - log(2) * (samples * pair - output)


def lowest_between(f, low, high, near, reach):
    """The zero of f' within reach of near, or the bound of [low, high] that f falls toward."""
    slope = lambda x: diff(f, x)
    a, b = max(low, near - reach), min(high, near + reach)
    if a == low and f(low + (high - low) / 10**9) > f(low):
        return low
    if b == high and f(high - (high - low) / 10**9) > f(high):
        return high
    for _ in range(130):
        middle = (a + b) / 2
        if slope(middle) < 0:
            a = middle
        else:
            b = middle
    return (a + b) / 2


@lru_cache(maxsize=None)
def optimum(key):
    production = Production(dict(key))
    (x_low, x_high), (xi_low, xi_high) = production.box
    grid = [(x, xi) for x in linspace(x_low, x_high, 35) for xi in linspace(xi_low, xi_high, 35)]
    x, xi = min(grid, key=lambda point: production.at(*point))
    reach = (xi_high - xi_low) / 17
    for _ in range(50):
        before = (x, xi)
        x = lowest_between(lambda s: production.at(s, xi), x_low, x_high, x, reach)
        xi = lowest_between(lambda s: production.at(x, s), xi_low, xi_high, xi, reach)
        if abs(before[0] - x) + abs(before[1] - xi) < mpf(10) ** -35:
            return x, xi
    raise ArithmeticError("the optimum does not settle")


def compute(quantity, params):
    best = optimum(tuple((k, v) for k, v in params.items() if k not in ("sigx", "sigxi")))
    if quantity.startswith("sigma_x*"):
        return best[0]
    if quantity.startswith("sigma_xi*"):
        return best[1]
    production = Production(params)
    return production.at(number(params, "sigx"), number(params, "sigxi")) - production.at(*best)


run("mismatch.json", compute, __doc__)
