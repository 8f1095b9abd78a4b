#!/usr/bin/env python3
"""Computes tests/reference/entropy_normal.json: H of a normal variable in one register.

[cor:gauss_fp_ent] at 45 digits; see tools/reference.py.
"""
from reference import Format, Normal, entropy, number, run


def compute(_, params):
    return entropy(Format.of(params), Normal(number(params, "mu"), number(params, "sigma")))


run("entropy_normal.json", compute, __doc__)
