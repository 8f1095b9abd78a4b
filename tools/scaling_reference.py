#!/usr/bin/env python3
"""Computes tests/reference/scaling.json: profit of training, its slope, and the best sizes.

Profits are [eq:u_ex] and [eq:u_sgd]; slopes are numerical derivatives of the profit (mpmath's
diff), not the paper's formulas; the continuous optimum is looked for on a fine grid and then
bisected, the whole one is the best of its neighborhood and of the corner.
"""
from mpmath import diff, floor, log, mpf, sqrt

from reference import Normal, Student, descent_law, number, run, smooth_pair, smooth_shifted


class Market:
    """Prices, and the profit as a function of the number of samples."""

    def __init__(self, params):
        get = lambda key: number(params, key)
        self.w, self.sigma_x, self.sigma_xi, self.p = get("w"), get("sigx"), get("sigxi"), get("p")
        self.inference_price = get("rhoI")
        self.bit_price = get("rhoJ") * get("kBT") * log(2)
        self.pair = smooth_pair(self.p, self.w, self.sigma_x, self.sigma_xi)

    def profit(self, n):
        bits = n * self.pair - self.output(n)
        return self.inference_price / self.error(n) - self.bit_price * bits

    def slope(self, n):
        return diff(self.profit, n)


class Regression(Market):
    first, step = mpf(3), mpf(1)

    def error(self, n):
        """[eq:exact_error]"""
        return self.sigma_xi**2 * (n - 1) / (n - 2)

    def output(self, n):
        law = Student(n, 0, self.sigma_xi / (self.sigma_x * sqrt(n)))
        return smooth_shifted(self.p, law.entropy(), self.w)


class Descent(Market):
    def __init__(self, params):
        super().__init__(params)
        self.eta, self.w0 = number(params, "eta"), number(params, "what0")
        self.first = self.step = number(params, "B")

    def law(self, n):
        return descent_law(self.eta, self.step, self.w0, self.w, self.sigma_x, self.sigma_xi,
                           n / self.step)

    def error(self, n):
        mean, variance = self.law(n)
        return self.sigma_x**2 * (variance + (mean - self.w) ** 2) + self.sigma_xi**2

    def output(self, n):
        mean, variance = self.law(n)
        return smooth_shifted(self.p, Normal(mean, sqrt(variance)).entropy(), mean)


def continuous_optimum(market):
    """The best n >= first: the best of a geometric grid, then the zero of the slope beside it."""
    grid = [market.first * mpf("1.02") ** k for k in range(700)]
    best = max(range(len(grid)), key=lambda k: market.profit(grid[k]))
    low, high = grid[max(best - 1, 0)], grid[best + 1]
    if market.slope(low) <= 0:
        return market.first
    for _ in range(125):
        middle = (low + high) / 2
        if market.slope(middle) > 0:
            low = middle
        else:
            high = middle
    return low


def whole_optimum(market):
    """The best multiple of the step, near the continuous optimum and at the corner."""
    center = floor(continuous_optimum(market) / market.step)
    sizes = [market.step * (center + k) for k in range(-5, 7)]
    sizes = [n for n in sizes if n >= market.first] + [market.first]
    return max(sizes, key=market.profit)


def compute(quantity, params):
    market = (Descent if "eta" in params else Regression)(params)
    name = quantity.split("(")[0].strip()
    if "n*)" in quantity:
        return market.profit(whole_optimum(market))
    if name.startswith("u_"):
        return (market.slope if "'" in name else market.profit)(number(params, "n"))
    if name.startswith("n~*"):
        return continuous_optimum(market)
    if name.startswith("n*"):
        return whole_optimum(market)
    raise ValueError(quantity)


run("scaling.json", compute, __doc__)
