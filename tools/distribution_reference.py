#!/usr/bin/env python3
"""Generates tests/reference/distributions.json: densities, tails, entropies and cells of the laws.

Parameters are doubles: written in decimal where that is exact and in hexadecimal otherwise, and
taken as exactly that number here. A cell is the difference of two tails at 110 digits, of which at
most 35 cancel. A sample of the cells of every smooth law is computed again by integrating the
density; the script fails unless the two agree to 31 digits. Working precision: at least 110 digits
(mpmath), guaranteed: 30.
With --check the table is compared, digit by digit, and nothing is written.
"""
import math
import sys
from fractions import Fraction

from mpmath import digamma, e, erfc, exp, inf, log, log1p, loggamma, mp, mpf, nstr, pi, quad, sqrt
from mpmath import workdps

from reference import read, student_tail, write

WORKING = 110
GUARANTEED = 30
mp.dps = WORKING


def written(x):
    """The double x as text that means exactly x."""
    text = repr(x).removesuffix(".0")
    return text if Fraction(text) == Fraction(x) else x.hex()


class Normal:
    keys = ("mu", "sigma")
    method = "erfc"

    def __init__(self, mu, sigma):
        self.location, self.scale = mpf(mu), mpf(sigma)

    def log_density(self, z):
        return -z * z / 2 - log(2 * pi) / 2

    def upper(self, z):
        return erfc(z / sqrt(mpf(2))) / 2

    def entropy(self):
        return log(2 * pi * e) / 2

    def moments(self):
        return mpf(0), mpf(1)


class Student:
    keys = ("dof", "loc", "scale")
    method = "incomplete beta function"

    def __init__(self, dof, loc, scale):
        self.dof, self.location, self.scale = mpf(dof), mpf(loc), mpf(scale)

    def log_constant(self):
        dof = self.dof
        return loggamma((dof + 1) / 2) - loggamma(dof / 2) - log(dof * pi) / 2

    def log_density(self, z):
        return self.log_constant() - (self.dof + 1) / 2 * log1p(z * z / self.dof)

    def upper(self, z):
        return student_tail(self.dof, self.log_density, z)

    def entropy(self):
        half = self.dof / 2
        return (half + 0.5) * (digamma(half + 0.5) - digamma(half)) - self.log_constant()

    def moments(self):
        dof = self.dof
        return (mpf(0) if dof > 1 else None, sqrt(dof / (dof - 2)) if dof > 2 else inf)


class Uniform:
    keys = ("low", "high")
    method = "rational arithmetic"

    def __init__(self, low, high):
        self.location = mpf(low)
        self.scale = mpf(high) - mpf(low)

    def log_density(self, z):
        return mpf(0) if 0 <= z <= 1 else -inf

    def upper(self, z):
        return min(max(1 - z, mpf(0)), mpf(1))

    def entropy(self):
        return mpf(0)

    def moments(self):
        return mpf(1) / 2, 1 / sqrt(mpf(12))


class Laplace:
    keys = ("loc", "scale")
    method = "exp"

    def __init__(self, loc, scale):
        self.location, self.scale = mpf(loc), mpf(scale)

    def log_density(self, z):
        return -abs(z) - log(2)

    def upper(self, z):
        return exp(-z) / 2 if z >= 0 else 1 - exp(z) / 2

    def entropy(self):
        return 1 + log(2)

    def moments(self):
        return mpf(0), sqrt(mpf(2))


class Logistic:
    keys = ("loc", "scale")
    method = "exp"

    def __init__(self, loc, scale):
        self.location, self.scale = mpf(loc), mpf(scale)

    def log_density(self, z):
        return -abs(z) - 2 * log1p(exp(-abs(z)))

    def upper(self, z):
        return exp(-z) / (1 + exp(-z)) if z >= 0 else 1 / (1 + exp(z))

    def entropy(self):
        return mpf(2)

    def moments(self):
        return mpf(0), pi / sqrt(mpf(3))


LAWS = {
    "normal": Normal,
    "student": Student,
    "uniform": Uniform,
    "laplace": Laplace,
    "logistic": Logistic,
}


def cell(law, center, width):
    """P(a < Z < b), taken on the side where the tails are small."""
    z, h = (mpf(center) - law.location) / law.scale, mpf(width) / law.scale
    a, b = z - h / 2, z + h / 2
    if isinstance(law, Uniform):
        return law.upper(a) - law.upper(b)
    if a + b < 0:
        a, b = -b, -a
    return law.upper(a) - law.upper(b)


def cell_again(law, center, width):
    """The same by integrating the density, in units of what it is at the middle of the cell."""
    z, h = (mpf(center) - law.location) / law.scale, mpf(width) / law.scale
    pieces = max(1, int(math.ceil(h * (1 + abs(z)))))
    with workdps(50):
        top = law.log_density(z)
        total = mpf(0)
        for k in range(pieces):
            edges = [z - h / 2 + h * k / pieces, z - h / 2 + h * (k + 1) / pieces]
            if isinstance(law, Laplace) and edges[0] < 0 < edges[1]:
                edges.insert(1, mpf(0))
            total += quad(lambda t: exp(law.log_density(t) - top), edges)
        return exp(top) * total


entries = []
checked = 0


def text_of(value):
    return nstr(value, GUARANTEED, min_fixed=-5, max_fixed=20)


def add(name, parameters, quantity, value, method, **at):
    """One entry; its id counts the entries of the law."""
    params = {"law": name}
    params |= {key: written(x) for key, x in zip(LAWS[name].keys, parameters)}
    params |= {key: written(x) for key, x in at.items()}
    number = sum(1 for entry in entries if entry["params"]["law"] == name)
    entries.append(
        {
            "id": f"{name}.{number}",
            "quantity": quantity,
            "params": params,
            "value": value if isinstance(value, str) else text_of(value),
            "method": method,
        }
    )


def add_point(name, parameters, x):
    law = LAWS[name](*parameters)
    z = (mpf(x) - law.location) / law.scale
    log_pdf = law.log_density(z) - log(law.scale)
    if log_pdf > -inf:
        add(name, parameters, "log_pdf", log_pdf, "closed form", x=x)
    add(name, parameters, "pdf", exp(log_pdf), "closed form", x=x)
    below = 1 - law.upper(z) if isinstance(law, Uniform) else law.upper(-z)
    add(name, parameters, "cdf", below, law.method, x=x)
    add(name, parameters, "ccdf", law.upper(z), law.method, x=x)


def add_cell(name, parameters, center, width):
    global checked
    law = LAWS[name](*parameters)
    p = cell(law, center, width)
    method = law.method
    z, h = (mpf(center) - law.location) / law.scale, mpf(width) / law.scale
    if name != "uniform" and h * (1 + abs(z)) < 20 and len(entries) % 3 == 0:
        again = cell_again(law, center, width)
        if abs(again - p) > abs(p) * mpf(10) ** (-GUARANTEED - 1):
            sys.exit(f"{name}{parameters}: two methods differ at cell {center}, {width}")
        method += "; quad"
        checked += 1
    add(name, parameters, "cell_probability", p, method, center=center, width=width)
    if p > 0:
        outside = law.upper(-(z - h / 2)) + law.upper(z + h / 2)  # not for the uniform law
        log_p = log1p(-outside) if p > 0.5 and name != "uniform" else log(p)
        add(name, parameters, "log_cell_probability", log_p, method, center=center, width=width)


def add_law(name, parameters):
    law = LAWS[name](*parameters)
    mean, deviation = law.moments()
    entropy = (law.entropy() + log(law.scale)) / log(2)
    add(name, parameters, "differential_entropy", entropy, "closed form")
    mean = "nan" if mean is None else law.location + law.scale * mean
    add(name, parameters, "mean", mean, "closed form")
    deviation = "inf" if deviation == inf else law.scale * deviation
    add(name, parameters, "deviation", deviation, "closed form")


def survey(name, parameters, points, cells):
    """Points and cells are given in units of the scale, around the location."""
    add_law(name, parameters)
    location, scale = parameters[-2:]
    if name == "uniform":
        scale -= location
    for z in points:
        x = location + z * scale
        if math.isfinite(x):
            add_point(name, parameters, x)
    for z, h in cells:
        center, width = location + z * scale, h * scale
        if math.isfinite(center) and math.isfinite(width) and width > 0:
            add_cell(name, parameters, center, width)


POINTS = (0.0, 0.3, -1.7, 6.5, -12.0, 38.5, -41.0, 150.0)
FEW_POINTS = (0.25, -3.3, 20.0, 39.0)
CELLS = (
    # narrow, from the center outward
    (0.0, 1e-12), (0.7, 1e-12), (-5.0, 1e-12), (12.0, 1e-9), (-30.0, 1e-6), (100.0, 1e-12),
    # across the center, off it, and reaching to one side
    (0.0, 1e-3), (1e-5, 1e-4), (0.05, 0.3), (0.2, 0.45), (-0.25, 0.625), (0.3, 2.0), (0.0, 40.0),
    (0.0, 1e3), (450.0, 1e3),
    # the shoulder
    (1.0, 0.019), (-1.3, 0.09), (2.0, 0.4), (3.0, 0.75), (-4.0, 2.0),
    # the far tail
    (5.0, 0.21), (10.5, 1.0), (12.0, 0.07), (-12.0, 0.5), (12.0, 8.0), (30.0, 0.034), (-30.0, 1.0),
    (100.0, 0.011), (100.0, 3.0), (800.0, 1e3),
)  # fmt: skip
FEW_CELLS = ((0.125, 1e-12), (-0.5, 1.5), (5.0, 0.25), (-12.0, 0.125), (30.0, 4.0), (100.0, 1e-3))
STUDENT_CELLS = CELLS[::2] + ((1e3, 1e-9), (-1e3, 300.0), (1e8, 1.0), (1e8, 5e7), (3.3, 1.1))

survey("normal", (0.0, 1.0), POINTS, CELLS)
for mu, sigma in ((2.5, 0.01), (1e15, 1.0), (0.0, 1e-300), (0.0, 1e300), (-1e300, 1e285)):
    survey("normal", (mu, sigma), FEW_POINTS, FEW_CELLS)

for dof in (0.3, 1.0, 2.0, 3.0, 10.0, 57.0, 1000.0, 1e4, 1e6, 1e9):
    survey("student", (dof, 0.0, 1.0), POINTS[:-1], STUDENT_CELLS)
for dof, loc, scale in ((0.3, 0.0, 1e-300), (3.0, 1e15, 1.0), (1e6, 0.0, 1e300), (57.0, -2.5, 0.01)):
    survey("student", (dof, loc, scale), FEW_POINTS, FEW_CELLS)

for low, high in ((0.0, 1.0), (-3.0, 5.0), (0.0, 1e-300), (-1e300, 1e300), (1e15, 1e15 + 1)):
    survey("uniform", (low, high), (-0.5, 0.0, 0.25, 0.75, 1.0, 1.5),
           ((0.5, 1e-12), (0.5, 0.5), (0.0, 0.5), (0.0, 1e-3), (0.75, 0.75), (0.5, 1e3),
            (1.0, 0.25), (2.0, 0.5)))  # fmt: skip

for name in ("laplace", "logistic"):
    survey(name, (0.0, 1.0), POINTS, CELLS + ((700.0, 1.0), (5e-4, 1.1e-3), (3.0, 9.9e-4)))
    for loc, scale in ((2.5, 0.01), (1e15, 1.0), (0.0, 1e-300), (0.0, 1e300)):
        survey(name, (loc, scale), FEW_POINTS, FEW_CELLS)

print(f"{len(entries)} entries, {checked} cells computed twice", file=sys.stderr)
table = {
    "generator": "tools/distribution_reference.py",
    "working_digits": WORKING,
    "guaranteed_digits": GUARANTEED,
    "entries": entries,
}
if sys.argv[1:] != ["--check"]:
    write("distributions.json", table)
elif read("distributions.json") != table:
    sys.exit("distributions.json: not what is found here")
else:
    print("distributions.json: every digit is the same")
