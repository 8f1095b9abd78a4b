#!/usr/bin/env python3
"""Computes tests/reference/formats.json: what a format can hold and what it makes of a number.

Stored values are found in exact rational arithmetic, straight from Eq. [eq:sem_fp]; the rest are
the formulas of [cor:gauss_fp_ent].
"""
from fractions import Fraction

from mpmath import floor, mpf, sqrt

from reference import Format, run


def floor_log2(x):
    """Of a positive fraction, exactly."""
    k = x.numerator.bit_length() - x.denominator.bit_length()
    return k if Fraction(2) ** k <= x else k - 1


def stored(x, p, E):
    """Sign, exponent and mantissa of x_fp [eq:sem_fp], ties to the larger magnitude."""
    lowest, highest = 1 - 2 ** (E - 1), 2 ** (E - 1)
    size, sign = abs(x), int(x < 0)
    exponent = min(max(floor_log2(size), lowest), highest)
    if floor_log2(size) > highest:
        return sign, highest, 1 - Fraction(1, 2 ** (p - 1))
    mantissa = max(size / Fraction(2) ** exponent - 1, 0)
    steps = (mantissa * 2 ** (p - 1) + Fraction(1, 2)).__floor__()
    if steps < 2 ** (p - 1):
        return sign, exponent, Fraction(steps, 2 ** (p - 1))
    if exponent < highest:
        return sign, exponent + 1, Fraction(0)
    return sign, highest, 1 - Fraction(1, 2 ** (p - 1))


def stored_on_one_level(x, p):
    """E = 0: the nearest of sqrt(2) (1 + m 2^(1-p)), an irrational number: there are no ties."""
    nearest = floor((abs(x) / sqrt(mpf(2)) - 1) * 2 ** (p - 1) + mpf(1) / 2)
    m = min(max(int(nearest), 0), 2 ** (p - 1) - 1)
    return int(x < 0), mpf(1) / 2, Fraction(m, 2 ** (p - 1))


def exact(fraction):
    return mpf(fraction.numerator) / fraction.denominator


def representable(fmt, i):
    """u_i, i = 1 ... K."""
    half = fmt.count * len(fmt.exponents)
    k = i - half - 1 if i > half else half - i  # of the positive values, from 0
    exponent, m = fmt.exponents[k // fmt.count], k % fmt.count
    return fmt.value(exponent, m) * (1 if i > half else -1)


def quantized(params):
    p, E, x = params["p"], params["E"], Fraction(params["x"])
    fields = stored(x, p, E) if E > 0 else stored_on_one_level(exact(x), p)
    found = (fields[0], str(fields[1]), str(fields[2]))
    if found != (params["s"], params["e"], params["m"]):
        raise ValueError(f"{params}: the fields are {found}")
    return (-1) ** fields[0] * mpf(2) ** fields[1] * (1 + exact(fields[2]))


def compute(quantity, params):
    fmt = Format.of(params)
    if quantity == "emin":
        return mpf(fmt.exponents[0])
    if quantity == "emax":
        return mpf(fmt.exponents[-1])
    if quantity == "K":
        return mpf(2 * fmt.count * len(fmt.exponents))
    if quantity.startswith("a = Delta_0"):
        return fmt.first_width()
    if quantity.startswith("right edge"):
        return fmt.right_edge()
    if quantity.startswith("u_i"):
        return representable(fmt, int(params["i"]))
    if quantity.startswith("x_fp"):
        return quantized(params)
    raise ValueError(quantity)


run("formats.json", compute, __doc__)
