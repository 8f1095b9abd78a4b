#!/usr/bin/env python3
"""Computes tests/reference/many_markets.json: what training with many features is worth.

    tools/many_markets_reference.py [--check] [--only pstar]

Best sizes are searched among all whole numbers around the best real one, which is found by
bisection of a numerical derivative; critical prices are tangents to the curve of what is earned,
by the same; rows on p24e8 come from the identity, with the masses of whole binades; moments of SGD
go step by step; predictions on registers go through all pairs of stored values.

Three numbers were first given otherwise, and are wrong there:

* pstar-n-d50-1e+14 was 2345. With the rounding noise in the error, as the model says, n = 2341 earns
  most of all whole numbers, 6.8e-7 more than 2345 does; the best real size is 2340.80. Without that
  noise it would be 2344.10, and 2345 is that, rounded up, as are the other sizes of that list: the
  noise was in the profit, it seems, but not in the size.
* The profit at p = 2, d = 50 and a price of 1e16 was said to be 6.05: it is 6.0958, at n = 277.
* nstar-sgd-excess-d5-1e+16 was said to start at w0 = 1: it has its value for w0 = 0.
"""
import math
from bisect import bisect_left

from mpmath import diff, erfc, euler, findroot, hyp2f2, log, matrix, mp, mpf, pi, sqrt
from mpmath import e as euler_e

from many_parameters_reference import normal_width_means
from reference import Format, number, run, smooth_centered


def exact_row(d, snr):
    """Independent features of deviation 1 and y on p24e8, σ_ξ = 1. D is 1e-14 of a bit."""
    fmt = Format(24, 8)
    widths = d * normal_width_means(fmt, mpf(0), mpf(1))[0] + normal_width_means(fmt, mpf(0), sqrt(1 + snr))[0]
    return (d + 1) * log(2 * pi * euler_e, 2) / 2 - widths


def smooth_row(p, d, snr):
    return (d + 1) * smooth_centered(p) - log(1 + snr, 2) / 2


def mean_log(mean, variance):
    """E ln|N|"""
    u = mean * mean / (2 * variance)
    return log(variance) / 2 - (euler + log(2)) / 2 + u * hyp2f2(1, 1, mpf(3) / 2, 2, -u)


def bit_price(params):
    return number(params, "rhoJ") * number(params, "kBT") * log(2)


def best_whole(profit, first, last):
    """Of a function with one maximum: thirds, then all that are left."""
    while last - first > 8:
        left, right = first + (last - first) // 3, last - (last - first) // 3
        if profit(left) < profit(right):
            first = left
        else:
            last = right
    return max(range(first, last + 1), key=profit)


# ---- least squares -------------------------------------------------------------------------------

def least_squares_size(params):
    """The model's own entropy moves n by less than 1e-2, and is not near half of a row's."""
    d, snr = int(params["d"]), number(params, "snr")
    row, bit = exact_row(d, snr), bit_price(params)
    value = number(params, "rhoI")
    if params.get("relaxed"):
        return 1 + sqrt(value * d / (bit * row))

    def profit(n):
        h = (n + 1) * (mp.digamma(mpf(n + 1) / 2) - mp.digamma(mpf(n - d + 1) / 2)) / 2
        h += mp.loggamma(mpf(n - d + 1) / 2) - mp.loggamma(mpf(n + 1) / 2) + d * log(pi) / 2
        # E ln|ŵ_j| is ln w but for terms of order 1/n², alike for neighbors.
        spread = 1 / mpf(n - d - 1)
        model = h / log(2) + d * (24 - mpf(1) / 2 - mean_log(sqrt(snr / d), spread) / log(2))
        return value * (1 - mpf(d) / (n - 1)) - bit * (n * row - model)

    return best_whole(profit, d + 2, 20000)


# ---- prices at which training stops to pay, for many features -----------------------------------

def critical(params):
    snr = number(params, "snr")
    if params["method"] == "ols":
        def slope(r):
            return (1 - 1 / r - 1 / (1 + snr)) / r
        return slope(findroot(lambda r: diff(slope, r), (mpf(1.5), mpf(2) / snr + 3), solver="anderson"))

    def excess(r):
        return max(mp.polyroots([1, 1 + snr * (r - 1), -snr], maxsteps=200, extraprec=200))

    def ridge_slope(r):
        return (1 / (1 + excess(r)) - 1 / (1 + snr)) / r

    if snr <= 1:
        with mp.workdps(90):
            return +ridge_slope(mpf(10) ** -40)
    low, high = mpf("0.01"), mpf(10)
    for _ in range(200):  # thirds: the slope has one maximum
        left, right = low + (high - low) / 3, high - (high - low) / 3
        if ridge_slope(left) < ridge_slope(right):
            low = left
        else:
            high = right
    return ridge_slope(low)


# ---- the best precision --------------------------------------------------------------------------

def best_precision(params):
    """(p, n, profit): rounded features, rows with smooth entropies, nothing for the model."""
    d, snr, bit = int(params["d"]), number(params, "snr"), bit_price(params)
    best = None
    for p in range(1, 30):
        noise = snr * mpf(4) ** -p / (4 * log(4))
        value, row = number(params, "rhoI") / (1 + noise), smooth_row(p, d, snr)

        def profit(n):
            return value * (1 - mpf(d) / (n - 1)) - bit * row * n

        n = best_whole(profit, d + 2, 100000)
        if best is None or profit(n) > best[2]:
            best = (p, n, profit(n))
    return best


# ---- SGD -----------------------------------------------------------------------------------------

def best_descent(params):
    """(n, excess): M = αI + β11ᵀ as all coefficients are alike."""
    d, snr, bit = int(params["d"]), number(params, "snr"), bit_price(params)
    eta, batch = number(params, "eta"), int(params["batch"])
    w = sqrt(snr / d)
    mean, alpha, beta = number(params, "w0") - w, mpf(0), (number(params, "w0") - w) ** 2
    row, all_sizes = exact_row(d, snr), []
    for k in range(1, 600):
        trace = d * (alpha + beta)
        shrink = 1 - 2 * eta + eta ** 2 * (1 + mpf(1) / batch)
        alpha = shrink * alpha + eta ** 2 / batch * (trace + 1)
        beta *= shrink
        mean *= 1 - eta
        excess = d * (alpha + beta)
        together = alpha + d * (beta - mean ** 2)  # along 1, of the covariance
        h = log((2 * pi * euler_e) ** d * alpha ** (d - 1) * together, 2) / 2
        spread = alpha + beta - mean ** 2
        model = h + d * (24 - mpf(1) / 2 - mean_log(w + mean, spread) / log(2))
        profit = number(params, "rhoI") / (1 + excess) - bit * (k * batch * row - model)
        all_sizes.append((profit, k * batch, excess))
    return max(all_sizes)[1:]


def stored_descent(params):
    """H of N(m + w, C) on p24e8, by the identity; D is 1e-13 of a bit."""
    a, w = matrix(params["Sigma"]), matrix(params["w"])
    eta, batch = mpf(params["eta"]), mpf(params["batch"])
    mean, moment = -w, w * w.T
    for _ in range(params["steps"]):
        trace = sum((a * moment)[i, i] for i in range(len(w)))
        moment = (moment - eta * (a * moment + moment * a)
                  + eta ** 2 * ((1 + 1 / batch) * (a * moment * a) + (trace + 1) / batch * a))
        mean = mean - eta * (a * mean)
    c = moment - mean * mean.T
    h = log((2 * pi * euler_e) ** len(w) * mp.det(c), 2) / 2
    return h - sum(normal_width_means(Format(24, 8), mean[i] + w[i], sqrt(c[i, i]))[0]
                   for i in range(len(w)))


# ---- predictions ---------------------------------------------------------------------------------

def upper_tail(x):
    return erfc(x / sqrt(mpf(2))) / 2


def positive_cells(fmt, deviation):
    """Masses of the positive cells, from that next to zero on."""
    edges = [fmt.edges(x, m) for x in fmt.exponents for m in range(fmt.count)]
    return [upper_tail(low / deviation) - (upper_tail(high / deviation) if high != mp.inf else 0)
            for low, high in edges]


def entropy_of(masses):
    return -sum(2 * q * log(q, 2) for q in masses if q > 0)


def prediction(params):
    """What two features hold less what Q(w·x) holds; sums of dyadic numbers are exact."""
    fmt = Format.of(params)
    w1, w2 = params["w"]
    own = positive_cells(fmt, mpf(1))
    if params["ideal"]:
        return 2 * entropy_of(own) - entropy_of(positive_cells(fmt, sqrt(mpf(w1) ** 2 + mpf(w2) ** 2)))
    values = [float(v) for v in fmt.positive_values()]
    # Rounding begins at the lower edge, so that ties go away from zero.
    lows = [float(fmt.edges(x, m)[0]) for x in fmt.exponents for m in range(fmt.count)]
    masses = [float(q) for q in own]
    stored = {}
    for x1, q1 in zip(values, masses):  # x1 > 0; the rest mirrors it
        for x2, q2 in zip(values, masses):
            for sign in (1, -1):
                y = w1 * x1 + sign * w2 * x2
                at = below_or_at(lows, abs(y))
                key = at if y >= 0 else ~at
                stored.setdefault(key, []).append(q1 * q2)
    # A sum that is 0 has no sign: it is stored as the smallest positive number, also in the mirror.
    zero = math.fsum(q1 * q2 for x1, q1 in zip(values, masses) for x2, q2 in zip(values, masses)
                     if w1 * x1 == w2 * x2)
    sums = {key: math.fsum(parts) for key, parts in stored.items()}
    total = mpf(0)
    for key in range(len(values)):
        both = mpf(sums.get(key, 0.0)) + mpf(sums.get(~key, 0.0))
        shift = mpf(zero) if key == 0 else mpf(0)
        for q in (both + shift, both - shift):
            total -= q * log(q, 2) if q > 0 else 0
    return 2 * entropy_of(own) - total


def below_or_at(lows, y):
    at = bisect_left(lows, y)
    return at if at < len(lows) and lows[at] == y else at - 1


def compute(quantity, params):
    if quantity in ("n*, exact row", "n~*, exact row"):
        return least_squares_size({**params, "relaxed": quantity.startswith("n~")})
    if quantity == "critical cd/A":
        return critical(params)
    if quantity in ("p*", "n at p*", "profit at p*"):
        return best_precision(params)[("p*", "n at p*", "profit at p*").index(quantity)]
    if quantity in ("n*, SGD", "excess at n*, SGD"):
        return best_descent(params)[0 if quantity.startswith("n*") else 1]
    if quantity == "largest learning rate":  # κ = 1, d eigenvalues of 1
        d, batch = mpf(params["d"]), mpf(params["batch"])
        return findroot(lambda eta: d * eta / batch - (2 - eta * (1 + 1 / batch)), mpf(1))
    if quantity == "H, SGD, stored":
        return stored_descent(params)
    if quantity == "cost, prediction":
        return prediction(params)
    raise ValueError(quantity)


if __name__ == "__main__":
    mp.dps = 30
    run("many_markets.json", compute, __doc__)
