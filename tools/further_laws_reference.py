#!/usr/bin/env python3
"""Computes tests/reference/further_laws.json: the entropy of the stored code for laws on x > 0,
mixtures and relu, in real formats.

Every cell by itself: a difference of distribution functions, on the side where they are small. +0
and -0 are two codes where a format has both; relu stores everything <= 0 as +0.
"""
from mpmath import erfc, exp, gammainc, inf, log, mp, mpf, sqrt

from reference import run, surprise

# exponent bits, mantissa bits, bias, codes at the top that are no numbers, one zero, overflow
FLOATS = {
    "e4m3": (4, 3, 7, 1, False, "saturate"),
    "e5m2": (5, 2, 15, 4, False, "infinity"),
    "e2m1": (2, 1, 1, 0, False, "saturate"),
    "binary16": (5, 10, 15, 1024, False, "infinity"),
    "bfloat16": (8, 7, 127, 128, False, "infinity"),
    "binary8p4se": (4, 3, 8, 1, True, "infinity"),
}


def magnitudes(exponent_bits, mantissa_bits, bias, without):
    """Of all numbers >= 0, ascending."""
    steps = 2 ** mantissa_bits
    values = []
    for code in range(2 ** (exponent_bits + mantissa_bits) - without):
        field, mantissa = divmod(code, steps)
        whole = mantissa if field == 0 else mantissa + steps
        values.append(mpf(whole) * mpf(2) ** (max(field, 1) - bias - mantissa_bits))
    return values


def integer_edges(toward_zero):
    if toward_zero:
        return [mpf(i) for i in range(-127, 0)] + [mpf(i) for i in range(1, 128)]
    return [mpf(2 * i + 1) / 2 for i in range(-128, 127)]


def edges(name, rounding):
    toward_zero = rounding == "toward-zero"
    if name == "int8":
        return integer_edges(toward_zero)
    *shape, one_zero, overflow = FLOATS[name]
    values = magnitudes(*shape)
    if toward_zero:
        positive = values[1:]
    else:
        positive = [(a + b) / 2 for a, b in zip(values, values[1:])]
        if overflow == "infinity":
            positive.append(values[-1] + (values[-1] - values[-2]) / 2)
    middle = [] if one_zero else [mpf(0)]
    return [-x for x in reversed(positive)] + middle + positive


def normal_tails(z):
    return erfc(-z / sqrt(2)) / 2, erfc(z / sqrt(2)) / 2


def gamma_tails(shape, y):
    if y <= 0:
        return mpf(0), mpf(1)
    return (gammainc(shape, 0, y, regularized=True), gammainc(shape, y, inf, regularized=True))


def triangular_tails(low, mode, high, x):
    if x <= low or x >= high:
        return mpf(x >= high), mpf(x <= low)
    if x <= mode:
        below = (x - low) ** 2 / (high - low) / (mode - low)
        return below, 1 - below
    above = (high - x) ** 2 / (high - low) / (high - mode)
    return 1 - above, above


def tails(law, x):
    """P(X < x) and P(X > x) of a law without mixture or relu; parameters are doubles."""
    name, _, rest = law.partition(":")
    keys = {k: mpf(float(v)) for k, v in (item.split("=") for item in rest.split(",") if item)}
    if x in (-inf, inf):
        return mpf(x > 0), mpf(x < 0)
    if name == "normal":
        return normal_tails((x - keys.get("mu", mpf(0))) / keys.get("sigma", mpf(1)))
    if name == "triangular":
        return triangular_tails(keys["low"], keys["mode"], keys["high"], x)
    if x <= 0:
        return mpf(0), mpf(1)
    if name == "lognormal":
        return normal_tails((log(x) - keys["mu"]) / keys["sigma"])
    if name == "halfnormal":
        return 1 - erfc(x / keys["sigma"] / sqrt(2)), erfc(x / keys["sigma"] / sqrt(2))
    if name == "exponential":
        return 1 - exp(-x / keys["scale"]), exp(-x / keys["scale"])
    if name == "chi2":
        return gamma_tails(keys["dof"] / 2, x / 2)
    return gamma_tails(keys["shape"], x / keys["scale"])


def masses(law, cuts):
    ends = [-inf, *cuts, inf]
    at = [tails(law, x) for x in ends]
    return [b[0] - a[0] if a[0] < b[1] else a[1] - b[1] for a, b in zip(at, at[1:])]


def cell_masses(law, cuts):
    if law.startswith("relu:"):
        inner, zero = law[5:], mpf(0)
        after = next(i for i, x in enumerate([*cuts, inf]) if x > 0)
        fine = sorted({*cuts, zero})
        found = masses(inner, fine)
        below = sum(found[: fine.index(zero) + 1])
        above = found[fine.index(zero) + 1:]
        return [mpf(0)] * after + [below + above[0], *above[1:]]
    if not law.startswith("mixture:"):
        return masses(law, cuts)
    parts = [part.split("@") for part in law[8:].split("/")]
    weights = [mpf(float(weight)) for weight, _ in parts]
    each = [masses(inner, cuts) for _, inner in parts]
    return [sum(w * p for w, p in zip(weights, cell)) / sum(weights) for cell in zip(*each)]


def compute(_, params):
    mp.dps = 45
    found = cell_masses(params["distribution"], edges(params["format"], params["rounding"]))
    return sum(surprise(p) for p in found if p > 0)


run("further_laws.json", compute, __doc__)
