#!/usr/bin/env python3
"""Computes tests/reference/many_scaling.json: models with many features, d of them, on n rows.

Differential entropies are integrals of -f ln f over the radius, not their closed forms; E ln|ŵ_j|
and E ln|x| are integrals over densities; errors of predictions are rational numbers, those of ridge
for one feature an integral over χ². Best sizes: all of 1 … d+1 and the neighborhood of the zero of
u', one by one, smooth entropies of rows and models.
"""
from mpmath import e as euler_e
from mpmath import exp, inf, log, loggamma, mp, mpf, nint, pi, polyroots, quad, sqrt, zeta

from reference import number, run


def zero_mean_entropy(p):
    """[eq:single_mean_0]"""
    return p + log(2 * pi * euler_e, 2) / 2 + mp.euler / (2 * log(2))


def row_entropy(p, d, snr):
    return (d + 1) * zero_mean_entropy(p) - log(1 + snr, 2) / 2


def log_sphere(d):
    return log(2) + d / 2 * log(pi) - loggamma(d / 2)


def radial(log_density, d):
    """h and E ln|z| for a density that is a function of r alone, up to its norm; in nats."""
    weight = lambda s: exp(d * s + log_density(exp(s)))  # r = e^s
    peak = max((mpf(k) / 8 for k in range(-160, 161)), key=lambda s: d * s + log_density(exp(s)))
    cuts = [peak + mpf(k) for k in (-60, -20, -8, -4, -2, -1, 0, 1, 2, 4, 8, 20, 60)]
    norm = quad(weight, cuts)
    entropy = -quad(lambda s: weight(s) * log_density(exp(s)), cuts) / norm + log(norm)
    return entropy + log_sphere(d), quad(lambda s: weight(s) * s, cuts) / norm


def student_log(n, d):
    return lambda r: -(n + 1) / 2 * log(1 + r * r)


def fit_entropy(n, d):
    return radial(student_log(n, d), d)[0] / log(2)


def log_magnitude(dof, signal):
    """E ln|signal + T/sqrt(dof)|"""
    norm = loggamma((dof + 1) / 2) - loggamma(dof / 2) - log(pi) / 2
    density = lambda z: exp(norm - (dof + 1) / 2 * log(1 + z * z))
    # Both signs of z = e^s at once; the logarithm's pole is an end of a panel.
    both = lambda z: log(abs(signal + z)) + (log(abs(signal - z)) if z != signal else mpf(0))
    far = 46 * log(10) / dof + 3
    cuts = {mpf(k) for k in range(-80, int(far) + 1, 4)} | {far}
    if signal > 0:
        cuts |= {log(signal) + mpf(k) for k in (-2, -1, 0, 1, 2)}
    cuts = sorted(cut for cut in cuts if cut <= far)
    return quad(lambda s: density(exp(s)) * exp(s) * both(exp(s)), cuts)


def smooth_fit(p, n, d, signal):
    return fit_entropy(n, d) + d * (p - mpf(1) / 2 - log_magnitude(n - d + 1, signal) / log(2))


def log_radius_law(n, d):
    """R² = χ²_few/χ²_rest: ln of the density of r in d dimensions, up to its norm."""
    few, rest = min(n, d), abs(n - d) + 1
    return lambda r: (few - d) * log(r) - (few + rest) / 2 * log(1 + r * r)


def chi_log(k):
    """E ln|x| of k normal numbers"""
    return radial(lambda r: -r * r / 2, k)[1]


def spherical(n, d):
    return radial(log_radius_law(n, d), d)


def one_row(d, snr):
    """h and E ln|ŵ_j|, in nats"""
    log_y = chi_log(mpf(1)) + log(1 + snr) / 2
    student, _ = radial(student_log(d, 1), mpf(1))
    h = log_sphere(d) - log(2) + student + (d - 1) * (log_y - chi_log(d))
    return h, chi_log(mpf(1)) + log_y - 2 * chi_log(d)


def error(n, d, snr):
    if n < d - 1:
        return 1 + snr * (1 - n / d) + n / (d - n - 1)
    return (n - 1) / (n - d - 1) if n > d + 1 else inf


def model_entropy(p, n, d, snr):
    if n >= d:
        return smooth_fit(p, n, d, sqrt(snr / d))
    if n == 1:
        h, log_w = one_row(d, snr)
        return h / log(2) + d * (p - mpf(1) / 2 - log_w / log(2))
    h, log_r = spherical(n, d)
    direction = chi_log(mpf(1)) - chi_log(d)
    return h / log(2) + d * (p - mpf(1) / 2 - (log_r + direction) / log(2))


class Market:
    def __init__(self, params):
        get = lambda key: number(params, key)
        self.p, self.d, self.snr = get("p"), get("d"), get("snr")
        self.value = get("rhoI")
        self.bit = get("rhoJ") * get("kBT") * log(2)
        self.row = row_entropy(self.p, self.d, self.snr)

    def profit(self, n):
        return self.value / error(n, self.d, self.snr) - self.bit * (
            n * self.row - model_entropy(self.p, n, self.d, self.snr))

    def relaxed(self):
        return 1 + sqrt(self.value * self.d / (self.bit * self.row))

    def best(self):
        middle = nint(self.relaxed())
        near = [middle + k for k in range(-3, 4) if middle + k > self.d + 1]
        small = [mpf(k) for k in range(1, int(self.d) + 2)]
        return max(near + small, key=self.profit)


def ridge_excess(n, snr):
    """d = 1: E 1/(x + 1/S), x ~ χ²_n"""
    log_density = lambda x: (n / 2 - 1) * log(x) - x / 2 - n / 2 * log(2) - loggamma(n / 2)
    cuts = [0, 1, n / 2, n, 2 * n, 4 * n + 40, 10 * n + 400]
    return quad(lambda x: exp(log_density(x)) / (x + 1 / snr), cuts)


def compute(quantity, params):
    get = lambda key: number(params, key)
    n, d, snr, p = (number(params, key) for key in ("n", "d", "snr", "p"))
    if quantity == "MSE, least squares":
        return error(n, d, mpf(0))
    if quantity == "MSE, least squares, intercept":
        return (1 + 1 / n) * error(n - 1, d, mpf(0))
    if quantity == "MSE, shortest fit":
        return error(n, d, snr)
    if quantity == "MSE, ridge, d = 1":
        return 1 + ridge_excess(n, snr)
    if quantity == "excess, ridge, limit":
        return max(polyroots([1, 1 + snr * (get("r") - 1), -snr]))
    if quantity == "h, least squares":
        return fit_entropy(n, d)
    if quantity == "h, least squares, intercept":
        # Given ŵ the intercept has variance (1 + z²)/n.
        spread = log(2 * pi * euler_e / n) / 2
        widening = quad(lambda s: exp(d * s - n / 2 * log(1 + exp(2 * s))) * log(1 + exp(2 * s)),
                        [-60, -8, -2, 0, 2, 8, 60]) / quad(
                            lambda s: exp(d * s - n / 2 * log(1 + exp(2 * s))),
                            [-60, -8, -2, 0, 2, 8, 60])
        return fit_entropy(n - 1, d) + (spread + widening / 2) / log(2)
    if quantity == "h, shortest fit, w = 0":
        return spherical(n, d)[0] / log(2)
    if quantity == "h, one row":
        return one_row(d, snr)[0] / log(2)
    if quantity == "smooth H, model":
        return model_entropy(p, n, d, snr)
    if quantity == "smooth H, row":
        return row_entropy(p, d, snr)
    if quantity == "smooth cost, prediction":
        return (d - 1) * zero_mean_entropy(p)
    if quantity == "bits erased for a bit learned":
        return row_entropy(p, d, snr) / (log(1 + snr, 2) / 2)
    if quantity == "n*":
        return Market(params).best()
    if quantity == "n~*":
        return Market(params).relaxed()
    if quantity == "profit":
        return Market(params).profit(n)
    if quantity == "d*":
        return best_features(params)
    raise ValueError(quantity)


def best_features(params):
    """Feature j has the part S_0/j^(1+decay) of the SNR, and those left out are noise."""
    get = lambda key: number(params, key)
    decay, snr, bit = get("decay"), get("snr"), get("rhoJ") * get("kBT") * log(2)
    best, taken = (mpf("-inf"), 0), mpf(0)
    for d in range(1, int(params["most"]) + 1):
        taken += snr / zeta(1 + decay) / mpf(d) ** (1 + decay)
        noise = 1 + snr - taken
        row = row_entropy(get("p"), d, taken / noise)
        middle = nint(1 + sqrt(get("rhoI") / noise * d / (bit * row)))
        for n in (middle - 1, middle, middle + 1):
            if n > d + 1:
                profit = get("rhoI") / noise / error(n, mpf(d), mpf(0)) - bit * row * n
                best = max(best, (profit, d))
    return mpf(best[1])


if __name__ == "__main__":
    mp.dps = 30
    run("many_scaling.json", compute, __doc__)
