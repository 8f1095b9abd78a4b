#!/usr/bin/env python3
"""Computes tests/reference/entropy_slope.json: H of the fitted slope in one register.

[thm:quantized_ent] with the law of [lem:compute_f_z] at 45 digits; see tools/reference.py.
"""
from reference import Format, entropy, run, slope_law


def compute(_, params):
    return entropy(Format.of(params), slope_law(params))


run("entropy_slope.json", compute, __doc__)
