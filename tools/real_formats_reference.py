#!/usr/bin/env python3
"""Computes the entropies of tests/reference/real/formats.json that leave nothing to chance: those
of the code, its fields and its bits, in formats that people own.

A format is what its standard says of it: the magnitudes of its codes, in runs of equal spacing, and
the codes of its infinities and NaNs. Nothing is taken from the library. Cells are differences of
distribution functions; long runs of equally wide ones are summed with the Gauss rules for the
counting measure of reference.py, all others one by one.

    tools/real_formats_reference.py [--check] [--only TEXT]

checks every value, and writes those that are missing or wrong unless it is told only to check. The
tables of blocks, of stochastic rounding and of single stored numbers are kept as they are.
"""
import json
import os
import re
import sys
import time
from bisect import bisect_right
from collections import defaultdict
from functools import lru_cache

from mpmath import atan, erfc, exp, fabs, inf, log, mp, mpf, nstr, pi, sqrt

from reference import TABLES, arguments, counting_rule, surprise

mp.dps = 50
TABLE = os.path.join(TABLES, "real", "formats.json")
ORDER = 30
FEW = 256  # cells of a wide format that are summed one by one
NOTHING = mpf(10) ** -45  # a mass that no printed digit sees
LISTED = 20  # bits of a format whose codes are all gone through


# ---- formats -----------------------------------------------------------------------------------

class Format:
    """Magnitudes 0 ... last of each side, and where they stand."""

    def __init__(self, width, runs, last, lowest=None, signed=True, zeros=2, complement=False,
                 infinity=None, nan=None, exponent_bits=0):
        self.width, self.runs, self.last = width, runs, last
        self.lowest = last if lowest is None else lowest  # the largest magnitude below zero
        self.signed, self.zeros, self.complement = signed, zeros, complement
        self.infinity, self.nan = infinity, nan  # code of (negative)
        self.exponent_bits = exponent_bits

    def code(self, negative, magnitude):
        if not negative:
            return magnitude
        if self.complement:
            return (1 << self.width) - magnitude
        return (1 << (self.width - 1)) + magnitude

    def largest(self, negative):
        return self.lowest if negative else self.last

    def value(self, magnitude):
        first, _, start, spacing, _ = self.run_of(magnitude)
        return start + (magnitude - first) * spacing

    def run_of(self, magnitude):
        return self.runs[bisect_right(self.runs, magnitude, key=lambda run: run[0]) - 1]


def pushed(runs, first, count, start, spacing):
    """first, count, start, spacing and the end of what is nearer to the magnitude below."""
    edge = mpf(0)
    if runs:
        before = runs[-1]
        edge = (before[2] + (before[1] - 1) * before[3] + start) / 2
    runs.append((first, count, start, spacing, edge))


def floating(exponent_bits, mantissa_bits, bias, without, signed=True, zeros=2, **codes):
    """`without` codes at the top are no numbers."""
    steps = 1 << mantissa_bits
    last = (steps << exponent_bits) - 1 - without
    spacing = mpf(2) ** (1 - bias - mantissa_bits)
    runs = []
    if zeros == 0:  # the lowest exponent is like the others
        pushed(runs, 0, steps, spacing * steps / 2, spacing / 2)
    else:
        pushed(runs, 0, 1, mpf(0), spacing)
        if steps > 1:
            pushed(runs, 1, min(steps - 1, last), spacing, spacing)
    for field in range(1, 1 << exponent_bits):
        first = field * steps
        if first > last:
            break
        width = spacing * mpf(2) ** (field - 1)
        pushed(runs, first, min(steps, last - first + 1), width * steps, width)
    width = exponent_bits + mantissa_bits + (1 if signed else 0)
    return Format(width, runs, last, signed=signed, zeros=zeros, exponent_bits=exponent_bits,
                  **codes)


def both_signs(width, magnitude):
    return lambda negative: magnitude + ((1 << (width - 1)) if negative else 0)


def ieee(exponent_bits, mantissa_bits):
    width, steps = 1 + exponent_bits + mantissa_bits, 1 << mantissa_bits
    top = (steps << exponent_bits) - steps
    return floating(exponent_bits, mantissa_bits, (1 << (exponent_bits - 1)) - 1, steps,
                    infinity=both_signs(width, top), nan=both_signs(width, top + steps // 2))


def p3109(width, p, signed, extended):
    exponent_bits = width - p + (0 if signed else 1)
    bias = 1 << (exponent_bits - 1)
    top = (1 << (width - (1 if signed else 0))) - 1
    nan = (lambda _: 1 << (width - 1)) if signed else (lambda _: top)
    without = int(extended) + (0 if signed else 1)
    infinity = None
    if extended:
        infinity = both_signs(width, top) if signed else (lambda _: top - 1)
    return floating(exponent_bits, p - 1, bias, without, signed=signed, zeros=1, infinity=infinity,
                    nan=nan)


def fixed(width, unit, has_lowest=True):
    last, step = (1 << (width - 1)) - 1, mpf(2) ** unit
    lowest = last + int(has_lowest)
    runs = []
    pushed(runs, 0, 1, mpf(0), step)
    pushed(runs, 1, lowest, step, step)
    return Format(width, runs, last, lowest=lowest, zeros=1, complement=True)


def posit_parts(magnitude, width):
    """The scale, the fraction as a number and how many bits it has."""
    digits = format(magnitude, f"0{width - 1}b")
    rest = digits.lstrip(digits[0])
    run = len(digits) - len(rest)
    power = run - 1 if digits[0] == "1" else -run
    exponent, fraction = (rest[1:3] + "00")[:2], rest[3:]
    return 4 * power + int(exponent, 2), int(fraction or "0", 2), len(fraction)


def posit_value(magnitude, width):
    scale, fraction, bits = posit_parts(magnitude, width)
    return (1 + mpf(fraction) / 2**bits) * mpf(2) ** scale


def posit(width):
    last = (1 << (width - 1)) - 1
    runs, m = [(0, 1, mpf(0), mpf(0), mpf(0))], 1
    while m <= last:
        scale, _, bits = posit_parts(m, width)
        edge = mpf(0) if m == 1 else posit_value(2 * m - 1, width + 1)
        runs.append((m, 1 << bits, posit_value(m, width), mpf(2) ** (scale - bits), edge))
        m += 1 << bits
    return Format(width, runs, last, zeros=1, complement=True)


@lru_cache(maxsize=None)
def named(name):
    one_nan = {"zeros": 1, "nan": lambda _: 128}
    known = {
        "binary16": lambda: ieee(5, 10), "bfloat16": lambda: ieee(8, 7),
        "tf32": lambda: ieee(8, 10), "binary32": lambda: ieee(8, 23),
        "binary64": lambda: ieee(11, 52), "e5m2": lambda: ieee(5, 2),
        "e4m3ieee": lambda: ieee(4, 3), "e3m4": lambda: ieee(3, 4),
        "e4m3": lambda: floating(4, 3, 7, 1, nan=both_signs(8, 127)),
        "e3m2": lambda: floating(3, 2, 3, 0), "e2m3": lambda: floating(2, 3, 1, 0),
        "e2m1": lambda: floating(2, 1, 1, 0),
        "e4m3fnuz": lambda: floating(4, 3, 8, 0, **one_nan),
        "e5m2fnuz": lambda: floating(5, 2, 16, 0, **one_nan),
        "e4m3b11fnuz": lambda: floating(4, 3, 11, 0, **one_nan),
        "e8m0": lambda: floating(8, 0, 127, 1, signed=False, zeros=0, nan=lambda _: 255),
        "mxint8": lambda: fixed(8, -6), "mxint8s": lambda: fixed(8, -6, False),
    }
    if name in known:
        return known[name]()
    if found := re.fullmatch(r"binary(\d+)p(\d+)([su])([ef])", name):
        return p3109(int(found[1]), int(found[2]), found[3] == "s", found[4] == "e")
    if found := re.fullmatch(r"posit(\d+)", name):
        return posit(int(found[1]))
    if found := re.fullmatch(r"int(\d+)", name):
        return fixed(int(found[1]), 0)
    if found := re.fullmatch(r"q(\d+)\.(\d+)", name):
        return fixed(1 + int(found[1]) + int(found[2]), -int(found[2]))
    raise KeyError(name)


# ---- laws --------------------------------------------------------------------------------------

def student_tail(dof, z):
    """P(Z > z), z >= 0, for an odd number of degrees."""
    u = z / sqrt(mpf(dof))
    series = {1: mpf(0), 3: mpf(1), 5: 1 + mpf(2) / 3 / (1 + u * u)}[dof]
    angle = pi / 2 if z == 0 else atan(1 / u)
    return (angle - u / (1 + u * u) * series) / pi


class Law:
    """Location, scale and the upper tail of the standardized variable, for z >= 0."""

    def __init__(self, text):
        self.name, _, rest = text.partition(":")
        keys = {k: mpf(float(v)) for k, v in (item.split("=") for item in rest.split(","))}
        if self.name == "uniform":
            keys["loc"] = (keys["low"] + keys["high"]) / 2
            keys["scale"] = (keys["high"] - keys["low"]) / 2
        self.location = keys.get("mu", keys.get("loc"))
        self.scale = keys.get("sigma", keys.get("scale"))
        self.dof = int(keys.get("dof", 0))

    def tail(self, z):
        if self.name == "normal":
            return erfc(z / sqrt(mpf(2))) / 2 if z < 10**6 else mpf(0)
        if self.name == "laplace":
            return exp(-z) / 2
        if self.name == "logistic":
            return 1 / (1 + exp(z))
        if self.name == "uniform":
            return max(mpf(0), (1 - z) / 2)
        return student_tail(self.dof, z)

    def mass(self, a, b):
        """P(a < X < b)"""
        if not a < b:
            return mpf(0)
        low, high = (a - self.location) / self.scale, (b - self.location) / self.scale
        if low < 0 < high:
            return 1 - self.far(-low) - self.far(high)
        if high <= 0:
            low, high = -high, -low
        return self.far(low) - self.far(high)

    def masses(self, edges):
        """Of the cells between neighboring edges, each tail computed once."""
        at = [(x - self.location) / self.scale for x in edges]
        tails = [self.far(abs(z)) for z in at]
        return [1 - s - t if a < 0 < b else abs(s - t)
                for a, b, s, t in zip(at, at[1:], tails, tails[1:])]

    def far(self, z):
        return mpf(0) if z == inf else self.tail(z)

    def panel(self, a, b):
        """The length, somewhere between a and b, on which the rule of 30 points is exact."""
        low, high = (a - self.location) / self.scale, (b - self.location) / self.scale
        z = mpf(0) if low < 0 < high else min(abs(low), abs(high))
        if self.name == "uniform" and (low < -1 < high or low < 1 < high):
            return mpf(0)  # it ends in there
        length = {"normal": lambda: min(mpf(3) / 2, 8 / (1 + z)), "uniform": lambda: mpf(1),
                  "student": lambda: sqrt(self.dof + z * z) / 2}
        return self.scale * length.get(self.name, lambda: mpf(1))()


# ---- what a register does with a law -----------------------------------------------------------

class Stored:
    """A law in a format under a rule."""

    def __init__(self, name, rounding, overflow, distribution):
        self.format, self.law = named(name), Law(distribution)
        self.rounding, self.overflow = rounding, overflow
        self.entropies, self.codes = {}, None

    def reach(self, negative):
        """nearest, zero (toward it), away or odd"""
        return {"down": "away" if negative else "zero", "up": "zero" if negative else "away",
                "toward-zero": "zero", "to-odd": "odd"}.get(self.rounding, "nearest")

    def edge(self, negative, magnitude):
        """Where |x| begins to be stored as this magnitude or a larger one."""
        if magnitude == 0:
            return mpf(0)
        fmt, reach = self.format, self.reach(negative)
        first, _, _, spacing, lower = fmt.run_of(magnitude)
        if reach == "zero" or (reach == "odd" and magnitude % 2 == 0):
            return fmt.value(magnitude)
        if reach == "nearest":
            return lower if magnitude == first else fmt.value(magnitude) - spacing / 2
        return fmt.value(magnitude - 1)

    def overflows(self, negative):
        reach, last = self.reach(negative), self.format.largest(negative)
        if self.overflow == "saturate" or (reach == "odd" and last % 2 == 1):
            return False
        return reach != "zero"

    def beyond(self, negative):
        fmt = self.format
        return (fmt.nan if self.overflow == "nan" else fmt.infinity or fmt.nan)(negative)

    def mass(self, negative, a, b):
        return self.law.mass(-b, -a) if negative else self.law.mass(a, b)

    def end(self, negative, magnitude):
        """Where |x| ceases to be stored as this magnitude or a smaller one."""
        fmt = self.format
        if magnitude == fmt.largest(negative):
            if not self.overflows(negative):
                return inf
        return self.edge(negative, magnitude + 1)

    def special_masses(self):
        """(code, mass) of what no magnitude of its own side stands for."""
        fmt = self.format
        for negative in (False, True):
            if (not negative or fmt.signed) and self.overflows(negative):
                start = self.edge(negative, fmt.largest(negative) + 1)
                yield self.beyond(negative), self.mass(negative, start, inf)
        if fmt.signed:
            if fmt.zeros == 1:
                yield 0, self.mass(True, mpf(0), self.edge(True, 1))
            return
        lowest = inf if self.overflow == "saturate" else mpf(0)
        if fmt.zeros and lowest == 0:
            lowest = self.edge(True, 1)
        yield 0, self.mass(True, mpf(0), lowest)
        if lowest < inf:
            yield fmt.nan(True), self.mass(True, lowest, inf)

    def sides(self):
        yield False, 0
        if self.format.signed:
            yield True, 1 if self.format.zeros == 1 else 0

    def leading(self, shift):
        """H of the code without its last `shift` bits."""
        if self.format.width <= LISTED:
            return self.marginal(shift, self.format.width - shift)
        if shift not in self.entropies:
            apart = defaultdict(mpf)
            for code, mass in self.special_masses():
                apart[code >> shift] += mass
            total = mpf(0)
            for negative, begin in self.sides():
                for first, count, *_ in self.format.runs:
                    last = min(first + count - 1, self.format.largest(negative))
                    if max(first, begin) <= last:
                        total += self.run_sum(negative, max(first, begin), last, shift, apart)
            self.entropies[shift] = total + sum(surprise(p) for p in apart.values())
        return self.entropies[shift]

    def run_sum(self, negative, first, last, shift, apart):
        """The groups inside a run are summed; its first and its last go to `apart`."""
        offset = 1 if negative and self.format.complement else 0
        group = lambda m: (m - offset) >> shift
        low = lambda g: max(first, (g << shift) + offset)
        high = lambda g: min(last, (g << shift) + (1 << shift) - 1 + offset)
        if self.mass(negative, self.edge(negative, first), self.end(negative, last)) == 0:
            return mpf(0)
        for g in {group(first), group(last)}:
            mass = self.mass(negative, self.edge(negative, low(g)), self.end(negative, high(g)))
            apart[self.format.code(negative, low(g)) >> shift] += mass
        count = group(last) - group(first) - 1
        if count <= 0:
            return mpf(0)
        start = low(group(first) + 1)
        width = self.format.run_of(first)[3] * 2**shift
        return self.equal_cells(negative, self.edge(negative, start), width, count)

    def equal_cells(self, negative, left, width, count):
        right = left + count * width
        if self.mass(negative, left, right) < NOTHING:
            return mpf(0)
        if count <= FEW:
            points, weights = range(count), [1] * count
        elif count * width > self.law.panel(*((-right, -left) if negative else (left, right))):
            half = count // 2
            return (self.equal_cells(negative, left, width, half)
                    + self.equal_cells(negative, left + half * width, width, count - half))
        else:
            points, weights = counting_rule(ORDER, count)
        cells = ((left + j * width, left + (j + 1) * width) for j in points)
        return sum(w * surprise(self.mass(negative, a, b)) for w, (a, b) in zip(weights, cells))

    def all_codes(self):
        """The mass of every code."""
        if self.codes is None:
            self.codes = defaultdict(mpf)
            for code, mass in self.special_masses():
                self.codes[code] += mass
            for negative, begin in self.sides():
                for first, count, *_ in self.format.runs:
                    last = min(first + count - 1, self.format.largest(negative))
                    self.list_run(negative, max(first, begin), last)
        return self.codes

    def list_run(self, negative, first, last):
        if first > last:
            return
        if self.mass(negative, self.edge(negative, first), self.end(negative, last)) < NOTHING:
            return
        edges = [self.edge(negative, m) for m in range(first, last + 1)]
        edges.append(self.end(negative, last))
        found = self.law.masses([-x for x in edges] if negative else edges)
        for m, mass in enumerate(found, first):
            self.codes[self.format.code(negative, m)] += mass

    def marginal(self, shift, count):
        parts = defaultdict(mpf)
        for code, mass in self.all_codes().items():
            parts[(code >> shift) & ((1 << count) - 1)] += mass
        return sum(surprise(p) for p in parts.values())

    def binades(self, per):
        """H of sign and binade of a posit, or of sign and regime."""
        parts = defaultdict(mpf)
        for negative, begin in self.sides():
            for first, count, *_ in self.format.runs:
                if first >= max(begin, 1):
                    scale = posit_parts(first, self.format.width)[0]
                    last = first + count - 1
                    parts[negative, scale // per] += self.mass(
                        negative, self.edge(negative, first), self.end(negative, last))
        return sum(surprise(p) for p in parts.values())


def zero_masses(stored):
    """P(+0) and P(-0), the latter nothing where there is one zero."""
    fmt = stored.format
    if fmt.zeros == 0:
        return mpf(0), mpf(0)
    above = stored.mass(False, mpf(0), stored.end(False, 0))
    special = sum(mass for code, mass in stored.special_masses() if code == 0)
    if fmt.zeros == 1:
        return above + special, mpf(0)
    return above, stored.mass(True, mpf(0), stored.end(True, 0))


def quantity(stored, name):
    fmt, width = stored.format, stored.format.width
    signs = 1 if fmt.signed else 0
    is_posit = fmt.complement and fmt.runs[0][3] == 0
    whole, sign = (lambda: stored.leading(0)), (lambda: stored.leading(width - signs))
    head = lambda: stored.leading(width - signs - fmt.exponent_bits)
    if is_posit:
        head = lambda: stored.binades(1)
    found = {
        "entropy": whole,
        "sign": lambda: sign() if signs else mpf(0),
        "exponent": lambda: head() - (sign() if signs else 0),
        "mantissa": lambda: whole() - head(),
        "regime": lambda: stored.binades(4) - sign(),
        "posit_exponent": lambda: stored.binades(1) - stored.binades(4),
        "bits": lambda: [stored.leading(k) - (stored.leading(k + 1) if k + 1 < width else 0)
                         for k in reversed(range(width))],
        "marginal_exponent": lambda: stored.marginal(width - signs - fmt.exponent_bits,
                                                     fmt.exponent_bits),
        "marginal_mantissa": lambda: stored.marginal(0, width - signs - fmt.exponent_bits),
        "low_byte": lambda: stored.marginal(0, 8),
        "p_zero": lambda: sum(zero_masses(stored)),
        "p_subnormal": lambda: subnormal(stored),
        "p_beyond_max": lambda: beyond_max(stored),
    }
    if name == "entropy_of_value":
        plus, minus = zero_masses(stored)
        return whole() + surprise(plus + minus) - surprise(plus) - surprise(minus)
    return found[name]()


def subnormal(stored):
    """With the lowest exponent, but no zero."""
    fmt = stored.format
    steps = 1 << (fmt.width - (1 if fmt.signed else 0) - fmt.exponent_bits)
    if fmt.zeros == 0:
        special = sum(mass for code, mass in stored.special_masses() if code < steps)
        return special + stored.mass(False, mpf(0), stored.end(False, steps - 1))
    return sum(stored.mass(negative, stored.edge(negative, 1), stored.end(negative, steps - 1))
               for negative, _ in stored.sides()) if steps > 1 else mpf(0)


def beyond_max(stored):
    fmt = stored.format
    lowest = fmt.value(fmt.lowest) if fmt.signed else mpf(0)
    return stored.law.mass(fmt.value(fmt.last), inf) + stored.law.mass(-inf, -lowest)


# ---- the table ---------------------------------------------------------------------------------

def text_of(value):
    return nstr(value, 25, strip_zeros=False, min_fixed=-60, max_fixed=25)


def holds(old, new, digits, is_bit):
    """As many digits as are claimed; of a bit's worth, after the point. 0 is what is below 1e-25."""
    if old == "0":
        return fabs(new) <= mpf(10) ** -25
    size = 1 if is_bit else max(fabs(new), mpf(10) ** -60)
    return fabs(mpf(old) - new) <= size * mpf(10) ** (1 - digits)


@lru_cache(maxsize=4)
def stored_as(*key):
    return Stored(*key)


def check(entry):
    """Whether the value of an entry holds, which is put right if not."""
    key = (entry[k] for k in ("format", "rounding", "overflow", "distribution"))
    found = quantity(stored_as(*key), entry["quantity"])
    is_list = isinstance(found, list)
    new = found if is_list else [found]
    old = entry.get("value", [])
    old = old if is_list else [old]
    digits = entry["digits_guaranteed"]
    if len(old) == len(new) and all(holds(a, b, digits, is_list) for a, b in zip(old, new)):
        return True
    entry["value"] = [text_of(x) for x in new] if is_list else text_of(found)
    return False


def write(content):
    """One entry a line."""
    parts = []
    for key, value in content.items():
        if isinstance(value, list):
            lines = ",\n".join(json.dumps(one, separators=(",", ":")) for one in value)
            parts.append(f'{json.dumps(key)}:[\n{lines}\n]')
        else:
            parts.append(f"{json.dumps(key)}:{json.dumps(value, indent=1)}")
    with open(TABLE, "w", encoding="utf-8") as stream:
        stream.write("{\n" + ",\n".join(parts) + "\n}\n")


def main():
    options = arguments(__doc__).parse_args()
    with open(TABLE, encoding="utf-8") as stream:
        content = json.load(stream)
    start, compared, wrong = time.time(), 0, []
    for entry in content["entropy"]:
        is_by_chance = entry["rounding"].startswith("stochastic")
        if is_by_chance or options.only not in entry["id"]:
            continue
        compared += 1
        if not check(entry):
            wrong.append(entry["id"])
    print(f"real/formats.json: {compared} values in {time.time() - start:.0f} s, "
          f"{len(wrong)} do not hold")
    for line in wrong:
        print("  " + line)
    if not options.check:
        write(content)
    sys.exit(1 if options.check and wrong else 0)


if __name__ == "__main__":
    main()
