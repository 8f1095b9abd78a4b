#!/usr/bin/env python3
"""Computes tests/reference/sgd_moments.json: mean and variance of SGD after k steps.

The exact ones step by step, from the moments of one batch: with s = sum of x^2 / B the offset
phi = w_k - w becomes (1 - eta s) phi + noise of variance eta^2 sigma_xi^2 s / B, and s has mean
sigma_x^2 and variance 2 sigma_x^4 / B. The Ornstein-Uhlenbeck ones by [sec:nonstationarysgd].
"""
from mpmath import mpf

from reference import descent_law, number, run


def one_by_one(eta, batch, w0, w, sigma_x, sigma_xi, steps):
    s, s2 = sigma_x**2, sigma_x**4 * (1 + 2 / batch)  # E s and E s^2
    first, second = w0 - w, (w0 - w) ** 2
    for _ in range(int(steps)):
        second = (1 - 2 * eta * s + eta**2 * s2) * second + eta**2 * sigma_xi**2 * s / batch
        first *= 1 - eta * s
    return w + first, second - first**2


def compute(quantity, params):
    keys = ("eta", "B", "what0", "w", "sigx", "sigxi", "k")
    setting = [number(params, key, mpf(1)) for key in keys]
    mean, variance = (descent_law if quantity.startswith("OU") else one_by_one)(*setting)
    return mean if "mean" in quantity or quantity.startswith("E[") else variance


run("sgd_moments.json", compute, __doc__)
