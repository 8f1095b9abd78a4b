#!/usr/bin/env python3
"""Computes tests/reference/exponent.json: the entropy of floor(log2 |X|), X normal around 0.

The plain sum over all exponents that hold more than 2^-300 of the mass.
"""
from mpmath import mpf

from reference import Normal, number, run, surprise


def compute(_, params):
    law = Normal(0, number(params, "sigma"))
    total = mpf(0)
    for exponent in range(-320, 20):
        left = mpf(2) ** exponent
        total += surprise(2 * law.mass(left, 2 * left))
    return total


run("exponent.json", compute, __doc__)
