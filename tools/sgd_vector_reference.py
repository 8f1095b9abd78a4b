#!/usr/bin/env python3
"""Computes tests/reference/sgd_vector.json: moments of SGD on many coefficients, and where it stops
to converge.

The second moment E φφᵀ is carried on step by step, entry by entry, with fourth moments of normal
numbers as sums over pairings, not as products of matrices. Limits come from the linear equations
that a step leaves unchanged; the largest learning rate is where their matrix, less the identity, is
singular for the first time.
"""
from itertools import product

from mpmath import det, eye, findroot, lu_solve, matrix, mp, mpf

from reference import number, run


class Features:
    """Normal features with mean and covariance, the first one a constant if there is an intercept."""

    def __init__(self, params):
        sigma = [[mpf(str(x)) for x in row] for row in params["Sigma"]]
        mean = [mpf(str(x)) for x in params["mu"]] if "mu" in params else None
        shift = 0 if mean is None else 1
        self.size = len(sigma) + shift
        self.mean = ([mpf(1)] + mean) if shift else [mpf(0)] * self.size
        self.cov = [[sigma[i - shift][j - shift] if min(i, j) >= shift else mpf(0)
                     for j in range(self.size)] for i in range(self.size)]
        self.noise = number(params, "sigma_xi", mpf(1)) ** 2
        self.batch = number(params, "batch")

    def second(self, i, j):
        return self.cov[i][j] + self.mean[i] * self.mean[j]

    def fourth(self, *which):
        """E x_i x_j x_k x_l: over all ways to pair up some of them, the others as means."""
        if not which:
            return mpf(1)
        first, rest = which[0], which[1:]
        total = self.mean[first] * self.fourth(*rest)
        for at, other in enumerate(rest):
            total += self.cov[first][other] * self.fourth(*rest[:at], *rest[at + 1:])
        return total

    def step(self, eta):
        """M' = L M + N as a matrix on the d² entries of M, and N."""
        d, pairs = self.size, list(product(range(self.size), repeat=2))
        big, added = matrix(d * d), matrix(d * d, 1)
        for row, (i, j) in enumerate(pairs):
            added[row] = eta**2 / self.batch * self.noise * self.second(i, j)
            for column, (k, l) in enumerate(pairs):
                value = mpf(1) if (i, j) == (k, l) else mpf(0)
                value -= eta * self.second(i, k) * (j == l) + eta * self.second(l, j) * (i == k)
                value += eta**2 * ((1 - 1 / self.batch) * self.second(i, k) * self.second(l, j) +
                                   self.fourth(i, k, l, j) / self.batch)
                big[row, column] = value
        return big, added


def moments(params):
    x = Features(params)
    eta = number(params, "eta")
    start = [mpf(str(value)) for value in params["phi0"]]
    big, added = x.step(eta)
    square = matrix([start[i] * start[j] for i, j in product(range(x.size), repeat=2)])
    mean = start
    for _ in range(int(params["steps"])):
        square = big * square + added
        mean = [mean[i] - eta * sum(x.second(i, j) * mean[j] for j in range(x.size))
                for i in range(x.size)]
    return mean, square, x.size


def compute(quantity, params):
    if quantity == "E phi":
        return moments(params)[0][params["i"]]
    if quantity == "E phi phi'":
        _, square, size = moments(params)
        return square[params["i"] * size + params["j"]]
    x = Features(params)
    if quantity == "stationary excess risk":
        big, added = x.step(number(params, "eta"))
        limit = lu_solve(eye(x.size**2) - big, added)
        return sum(limit[i * x.size + j] * x.second(j, i)
                   for i, j in product(range(x.size), repeat=2))
    if quantity == "largest learning rate":
        singular = lambda eta: det(eye(x.size**2) - x.step(eta)[0]) / eta**(x.size**2)
        high = mpf("1e-3")
        while singular(high) > 0:
            high *= mpf("1.02")
        return findroot(singular, (high / mpf("1.02"), high), solver="anderson", tol=mpf(10)**-30)
    raise ValueError(quantity)


if __name__ == "__main__":
    mp.dps = 45
    run("sgd_vector.json", compute, __doc__)
