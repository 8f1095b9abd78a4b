#!/usr/bin/env python3
"""Computes tests/reference/joint_approximations.json: Approximations 1 and 2 for a pair, on U^2.

    -int over U_x x U_y of f log2(f D(x) D(y)),   D the true cell widths or |x| 2^(1-p)/sqrt(2)

as a plain two-dimensional integral in mpmath: Gauss-Legendre panels in x and, for each x, in y, cut
at every edge where a width changes, toward zero where the logarithm is singular, and around the
ridge y = w x. Nothing is taken from the library, and no inner integral is done in closed form.
"""
from mpmath import mp, mpf, log, exp, pi, sqrt, ceil, cos

from reference import run

mp.dps = 24


def gauss(order):
    nodes, weights = [], []
    for i in range(order):
        x = cos(pi * (i + mpf(3) / 4) / (order + mpf(1) / 2))
        for _ in range(7):
            p0, p1 = mpf(1), x
            for k in range(2, order + 1):
                p0, p1 = p1, ((2 * k - 1) * x * p1 - (k - 1) * p0) / k
            d = order * (x * p1 - p0) / (x * x - 1)
            x -= p1 / d
        nodes.append(x)
        weights.append(2 / ((1 - x * x) * d * d))
    return nodes, weights


NODES, WEIGHTS = gauss(16)


class Register:
    """The idealized format: +-2^e (1 + m 2^(1-p)), e = -2^(E-1)+1 ... 2^(E-1)."""

    def __init__(self, p, E):
        self.p = p
        self.emin, self.emax = -2 ** (E - 1) + 1, 2 ** (E - 1)
        self.u = mpf(2) ** (self.emax + 1) - mpf(2) ** (self.emax - p)
        edges, widths = [mpf(0)], []
        a = mpf(2) ** self.emin * (1 + mpf(2) ** -p) if p > 1 else mpf(2) ** self.emin * mpf(3) / 2
        edges.append(a)
        widths.append(a)
        for e in range(self.emin, self.emax + 1):
            step = mpf(2) ** (e - p + 1)
            top = mpf(2) ** (e + 1)
            end_regular = top - step / 2 if e < self.emax else self.u
            if p > 1:
                if end_regular > edges[-1]:
                    edges.append(end_regular)
                    widths.append(step)
                if e < self.emax:
                    edges.append(top + step)
                    widths.append(top + step - end_regular)
            else:
                # one value 2^e a binade: cell from 3/4 2^e to 3/2 2^e
                if e == self.emin:
                    continue
                right = mpf(2) ** e * mpf(3) / 2 if e < self.emax else self.u
                edges.append(right)
                widths.append(right - edges[-2])
        self.edges, self.widths = edges, widths

    def log_width(self, x):
        x = abs(x)
        for right, width in zip(self.edges[1:], self.widths):
            if x <= right:
                return log(width)
        return log(self.widths[-1])

    def log_smooth(self, x):
        return log(abs(x)) + (mpf(1) / 2 - self.p) * log(mpf(2))


def cuts(register, low, high, smooth, extra, step):
    """Panel edges between low and high."""
    points = {low, high}
    for s in (-1, 1):
        if smooth:
            x = register.u
            while x > mpf(10) ** -18:
                points.add(s * x)
                x /= 2
        else:
            points.update(s * e for e in register.edges)
    points.add(mpf(0))
    points.update(extra)
    points = sorted(q for q in points if low <= q <= high)
    result = [points[0]]
    for q in points[1:]:
        n = int(ceil((q - result[-1]) / step))
        start = result[-1]
        for k in range(1, n + 1):
            result.append(start + (q - start) * k / n)
    return result


def integrate(edges, f):
    total = mpf(0)
    for a, b in zip(edges, edges[1:]):
        half, middle = (b - a) / 2, (a + b) / 2
        total += half * sum(w * f(middle + half * x, middle) for x, w in zip(NODES, WEIGHTS))
    return total


def approximation(rx, ry, w, sx, s, smooth):
    """By symmetry twice the half plane x > 0."""
    reach = mpf(12)

    def inner(x, log_dx):
        mean = w * x
        low, high = max(-ry.u, mean - reach * s), min(ry.u, mean + reach * s)
        if low >= high:
            return mpf(0)
        fx = exp(-x * x / (2 * sx * sx)) / (sx * sqrt(2 * pi))

        def g(y, middle):
            f = fx * exp(-(y - mean) ** 2 / (2 * s * s)) / (s * sqrt(2 * pi))
            ldy = ry.log_smooth(y) if smooth else ry.log_width(middle)
            return -f * (log(f) + log_dx + ldy)

        return integrate(cuts(ry, low, high, smooth, [], s), g)

    extra = [(c * ry.u + k * s) / abs(w) for c in (-1, 1) for k in range(-10, 11, 2)] if w else []
    xs = cuts(rx, mpf(0), min(rx.u, reach * sx), smooth, extra,
              min(sx / 2, s / abs(w) if w else sx))
    total = integrate(xs, lambda x, m: inner(x, rx.log_smooth(x) if smooth else rx.log_width(m)))
    return 2 * total / log(mpf(2))


def compute(quantity, params):
    number = lambda key: mpf(params[key])
    x, y = Register(params["px"], params["Ex"]), Register(params["py"], params["Ey"])
    return approximation(x, y, number("w"), number("sigx"), number("sigxi"),
                         smooth="Approx. 2" in quantity)


run("joint_approximations.json", compute, __doc__)
