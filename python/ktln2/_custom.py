"""Laws made of somebody's functions, which are sampled in batches and never called again.

ln f is written as sums of Chebyshev polynomials on panels that are halved until the sums agree with
the function; what is left of a gap goes into the error bar of every result.
"""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence

import numpy as np
import numpy.typing as npt

from . import _core
from ._law import Law

Array = npt.NDArray[Any]
Function = Callable[[Any], Any]

_ORDER = 20  # coefficients a panel
_CLOSE = 1e-13  # of ln f, or relative to it where that is larger
_DEEPEST = 52  # halvings of a panel
_LEAST = -730.0  # ln f below which nothing counts, e^-730 being about 1e-317
_NOTHING = -1e4  # ln f where there is no mass
_LIGHT = 1e-18  # mass of a panel that need not be resolved, but is counted as misplaced


def _chebyshev_nodes(count: int) -> Array:
    return np.asarray(np.cos(np.pi * (np.arange(count) + 0.5) / count))


_NODES = _chebyshev_nodes(_ORDER)
# Values at the nodes into coefficients: c_k = (2 - δ_k0)/n Σ f(x_j) T_k(x_j).
_TO_COEFFICIENTS = np.cos(np.outer(np.arange(_ORDER), np.arccos(_NODES))) * 2 / _ORDER
_TO_COEFFICIENTS[0] /= 2
# Between the nodes, where the sums are compared with the function.
_CHECKS = np.cos(np.pi * np.arange(1, _ORDER) / _ORDER)
_AT_CHECKS = np.cos(np.outer(np.arccos(_CHECKS), np.arange(_ORDER)))
_GAUSS_NODES, _GAUSS_WEIGHTS = np.polynomial.legendre.leggauss(24)  # type: ignore[no-untyped-call]
_AT_GAUSS = np.cos(np.outer(np.arccos(_GAUSS_NODES), np.arange(_ORDER)))


class CustomLaw(Law):
    """A law made of functions."""

    def __init__(self, name: str, *table: Any) -> None:
        self._name = name
        self._table = table  # as _core.Laws.tabulated takes it
        self._made = _core.Laws.tabulated(name, *table)

    def __reduce__(self) -> tuple[Any, ...]:
        return CustomLaw, (self._name, *self._table)

    def _rows(self, shape: tuple[int, ...]) -> _core.Laws:
        return self._made

    def __repr__(self) -> str:
        return f"custom({self._name!r})"


class _Sampler:
    """Somebody's functions of x = location + scale·z, called with whole arrays."""

    def __init__(self, name: str, pdf: Function, cdf: Function, log_pdf: Optional[Function]) -> None:
        self.name, self.pdf, self.cdf, self.log_pdf = name, pdf, cdf, log_pdf
        self.location, self.scale = 0.0, 1.0

    def refuse(self, what: str) -> ValueError:
        return ValueError(f"{self.name}: {what}")

    def _values(self, which: str, function: Function, x: Array) -> Array:
        with np.errstate(all="ignore"):
            values = np.asarray(function(x), dtype=float)
        if values.shape != x.shape:
            raise self.refuse(f"{which} must take an array and give one of the same shape, "
                              f"{x.shape}, got {values.shape}")
        return values

    def log_density(self, z: Array) -> Array:
        """ln of the density of z."""
        x = self.location + self.scale * z.reshape(-1)
        if self.log_pdf is not None:
            logs = self._values("log_pdf", self.log_pdf, x)
            bad = np.flatnonzero(np.isnan(logs) | (logs == np.inf))
        else:
            values = self._values("pdf", self.pdf, x)
            bad = np.flatnonzero(~(values >= 0) | (values == np.inf))
            with np.errstate(divide="ignore", invalid="ignore"):
                logs = np.log(values)
        if bad.size:
            raise self.refuse(f"the density must be finite and >= 0; it is not at {x[bad[0]]!r}")
        return np.asarray(logs + np.log(self.scale)).reshape(z.shape)

    def probability_below(self, x: Array) -> Array:
        values = self._values("cdf", self.cdf, x)
        bad = np.flatnonzero(~((values >= 0) & (values <= 1)))
        if bad.size:
            raise self.refuse(f"cdf must be from 0 to 1, got {values[bad[0]]!r} at {x[bad[0]]!r}")
        return values

    def quantile(self, q: float) -> float:
        """Roughly: all candidates of a step at once."""
        decades = np.logspace(-300, 300, 61)
        grid = np.concatenate([-decades[::-1], [0.0], decades])
        for _ in range(30):
            below = self.probability_below(grid)
            first = int(np.searchsorted(below >= q, True))
            if not 0 < first < len(grid):
                raise self.refuse("cdf must rise from 0 to 1")
            low, high = float(grid[first - 1]), float(grid[first])
            if not high - low > 1e-9 * max(abs(low), abs(high)):
                break
            grid = np.linspace(low, high, 33)
        return high


class _Panels:
    """Edges, coefficients, and how far the sums are off."""

    def __init__(self) -> None:
        self.left: list[Array] = []
        self.right: list[Array] = []
        self.coefficients: list[Array] = []
        self.misplaced = 0.0  # mass that the sums may have in the wrong place

    def add(self, left: Array, right: Array, coefficients: Array) -> None:
        self.left.append(left)
        self.right.append(right)
        self.coefficients.append(coefficients)

    def add_empty(self, left: Array, right: Array) -> None:
        flat = np.zeros((len(left), _ORDER))
        flat[:, 0] = _NOTHING
        self.add(left, right, flat)

    def sorted(self) -> tuple[Array, Array, Array]:
        """Ascending, without the empty ones at the ends."""
        left, right = np.concatenate(self.left), np.concatenate(self.right)
        order = np.argsort(left)
        coefficients = np.concatenate(self.coefficients)[order]
        full = np.flatnonzero(coefficients[:, 0] != _NOTHING)
        kept = slice(full[0], full[-1] + 1)
        return left[order][kept], right[order][kept], coefficients[kept]


def _first_panels(breaks: Sequence[float]) -> Array:
    """Octave by octave from 0 to both sides, cut at the breaks."""
    octaves = 2.0 ** np.arange(-1, 1000)
    edges = np.concatenate([-octaves[::-1], [0.0], octaves, np.asarray(breaks, dtype=float)])
    return np.asarray(np.unique(edges))


def _trimmed(sampler: _Sampler, edges: Array, low: float, high: float) -> Array:
    """Without the octaves that have no mass."""
    edges = edges[(edges >= low) & (edges <= high)]
    middle = (edges[:-1] + edges[1:]) / 2
    with np.errstate(over="ignore"):
        inside = np.isfinite(sampler.location + sampler.scale * edges)
    inside = inside[:-1] & inside[1:]
    logs = np.full(middle.shape, -np.inf)
    logs[inside] = sampler.log_density(middle[inside])
    heavy = np.flatnonzero(logs + np.log(edges[1:] - edges[:-1]) > -90.0)  # 1e-39
    if not heavy.size:
        raise sampler.refuse("the density must have mass where cdf rises")
    # One more octave on either side, where the mass dies out.
    return edges[max(0, heavy[0] - 1):min(len(edges), heavy[-1] + 3)]


class _Trial:
    """ln f on some panels, once as sums and once as it is."""

    def __init__(self, sampler: _Sampler, left: Array, right: Array) -> None:
        half = (right - left)[:, None] / 2
        u = np.concatenate([_NODES, _CHECKS])
        z = np.where(u < 0, left[:, None] + half * (1 + u), right[:, None] - half * (1 - u))
        logs = sampler.log_density(z)
        finite = np.isfinite(logs)
        known = np.where(finite, logs, 0.0)
        self.coefficients = known[:, :_ORDER] @ _TO_COEFFICIENTS.T
        self.gap = np.max(np.abs(self.coefficients @ _AT_CHECKS.T - known[:, _ORDER:]), axis=1)
        self.is_empty = np.all(logs < _LEAST, axis=1)
        self.is_torn = ~self.is_empty & ~np.all(finite, axis=1)
        with np.errstate(over="ignore"):
            self.mass = np.minimum(1.0, np.exp(np.max(logs, axis=1)) * (right - left))
        # What the rounding of x does to ln f, beside that of ln f itself.
        steepness = np.ptp(known, axis=1) / (right - left)
        x = sampler.location / sampler.scale + z
        ulp = 2.0 ** -52 * np.max(np.maximum(np.abs(x), np.abs(z)), axis=1)
        size = np.maximum(1.0, np.max(np.abs(known), axis=1))
        self.is_close = ~self.is_torn & (self.gap <= _CLOSE * size + 8 * steepness * ulp)


def _fitted(sampler: _Sampler, edges: Array) -> _Panels:
    panels = _Panels()
    left, right = edges[:-1], edges[1:]
    for depth in range(_DEEPEST + 1):
        trial = _Trial(sampler, left, right)
        light = (trial.mass < _LIGHT) & ~trial.is_empty & ~trial.is_close
        panels.add_empty(left[trial.is_empty | (light & trial.is_torn)],
                         right[trial.is_empty | (light & trial.is_torn)])
        good = trial.is_close & ~trial.is_empty
        panels.misplaced += float(np.sum(trial.mass[good] * np.minimum(1.0, trial.gap[good])))
        panels.misplaced += float(np.sum(trial.mass[light]))
        good |= light & ~trial.is_torn
        panels.add(left[good], right[good], trial.coefficients[good])
        rest = ~(trial.is_close | light | trial.is_empty)
        left, right = left[rest], right[rest]
        if not left.size:
            return panels
        middle = left + (right - left) / 2
        if depth == _DEEPEST or len(left) > 20000 or np.any((middle <= left) | (middle >= right)):
            break
        left, right = np.concatenate([left, middle]), np.concatenate([middle, right])
    where = sampler.location + sampler.scale * float(left[0])
    raise sampler.refuse(f"the density is not smooth near {where:.6g}: give the places where it "
                         "bends or jumps as breaks=[...], and its ends as support=(low, high)")


def _jumps(left: Array, right: Array, coefficients: Array) -> Array:
    """Edges where the density is not continuous, the outermost ones among them."""
    begins = coefficients @ ((-1.0) ** np.arange(_ORDER))
    ends = coefficients.sum(axis=1)
    top = max(float(begins.max()), float(ends.max()))
    before = np.concatenate([[_NOTHING], ends])
    behind = np.concatenate([begins, [_NOTHING]])
    high = np.maximum(before, behind) > top - 35.0  # e^-35 of the highest is a jump no more
    edges = np.concatenate([left, right[-1:]])
    return np.asarray(edges[high & (np.abs(before - behind) > 1e-3)])


def _check_mass(sampler: _Sampler, left: Array, right: Array, coefficients: Array) -> None:
    """The density must be what the distribution function is the integral of."""
    half = (right - left) / 2
    mass = half * (np.exp(coefficients @ _AT_GAUSS.T) @ _GAUSS_WEIGHTS)
    below = np.concatenate([[0.0], np.cumsum(mass)])
    edges = np.concatenate([left, right[-1:]])
    told = sampler.probability_below(sampler.location + sampler.scale * edges)
    if np.any(np.diff(told) < -1e-12):
        at = int(np.flatnonzero(np.diff(told) < -1e-12)[0])
        raise sampler.refuse(f"cdf must not fall; it does near "
                             f"{sampler.location + sampler.scale * edges[at]:.6g}")
    if not abs(below[-1] - 1) <= 1e-6:
        raise sampler.refuse(f"the density must integrate to 1, got {below[-1]:.9g}")
    off = np.abs(told - below)
    if np.max(off) > 1e-6:
        at = int(np.argmax(off))
        raise sampler.refuse(
            f"cdf must be the integral of the density, {below[at]:.9g} at "
            f"{sampler.location + sampler.scale * edges[at]:.6g}, got {told[at]:.9g}")


def custom(pdf: Function, cdf: Function, *, log_pdf: Optional[Function] = None,
           breaks: Sequence[float] = (), support: tuple[float, float] = (-np.inf, np.inf),
           name: str = "custom law") -> Law:
    """A law that the library does not have, from its density and its distribution function.

    >>> import numpy as np
    >>> gumbel = custom(lambda x: np.exp(-x - np.exp(-x)), lambda x: np.exp(-np.exp(-x)),
    ...                 name="gumbel")
    >>> from ktln2 import entropy
    >>> print(f"{entropy('p24e8', gumbel):.9f}")
    26.474620103

    The functions are called with arrays, a few dozen times, and then no more. `log_pdf`, the natural
    logarithm, reaches farther out. `breaks` are the places where the density bends or jumps,
    `support` where it begins and ends. Raises ValueError, with the place, where the density
    is negative or not smooth, or is not what the distribution function is the integral of.
    """
    sampler = _Sampler(name, pdf, cdf, log_pdf)
    low, mid, high = (sampler.quantile(q) for q in (0.25, 0.5, 0.75))
    if not low < high:
        raise sampler.refuse("cdf must rise from 0 to 1 without a jump")
    # A power of two, and a multiple of it: z and x are then the same digits.
    sampler.scale = 2.0 ** np.floor(np.log2((high - low) / 1.35))
    steps = np.round(mid / sampler.scale)
    ends = [float(end) for end in support]
    sampler.location = 0.0 if abs(steps) <= 2 else float(steps * sampler.scale)
    inner = [float(x) for x in breaks] + [end for end in ends if np.isfinite(end)]
    cuts = sorted({(x - sampler.location) / sampler.scale for x in inner})
    first, last = ((end - sampler.location) / sampler.scale for end in ends)
    edges = _trimmed(sampler, _first_panels(cuts), first, last)
    panels = _fitted(sampler, edges)
    left, right, coefficients = panels.sorted()
    _check_mass(sampler, left, right, coefficients)
    jumps = _jumps(left, right, coefficients)
    known = np.array([z for z in cuts if left[0] <= z <= right[-1]])
    law = CustomLaw(
        name, np.concatenate([left, right[-1:]]), np.ascontiguousarray(coefficients).reshape(-1),
        np.unique(np.concatenate([known, jumps])), bool(jumps.size), sampler.location,
        sampler.scale, float(min(0.5, panels.misplaced + 2.0 ** -50)))
    return law._checked()
