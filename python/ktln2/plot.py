"""Pictures of answers, on matplotlib axes. Each function draws on `ax`, or on new axes, and returns
them.

>>> import matplotlib
>>> matplotlib.use("agg")
>>> from ktln2 import normal, plot
>>> axes = plot.register("bfloat16", normal(sigma=0.02))
>>> axes.get_ylabel()
'entropy (bit)'
"""

from __future__ import annotations

from typing import Any, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from ._ask import Bill
from ._entropy import by_bit, entropy as _entropy
from ._format import Format, FormatLike, as_format
from ._laws import LawLike, as_law
from . import mismatch, scaling

__all__ = ["bill", "cells", "entropy", "landscape", "profit", "register"]

_COLORS = {"sign": "#7a7a7a", "exponent": "#1f5fbf", "mantissa": "#c8102e"}
_KINDS = {"exact": "exact regression", "sgd": "SGD", "average": "an average", "sum": "a sum",
          "inference": "a prediction", "streaming": "regression with running sums"}
_MOST_CELLS = 5000  # that a picture can show


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt  # type: ignore[import]  # not needed by anything else
    return plt.subplots(figsize=(6.4, 3.6), layout="constrained")[1]


def _plain(ax: Any) -> Any:
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def register(format: FormatLike, law: LawLike, *, ax: Any = None) -> Any:
    """What every single bit of a register is worth, from the top, given those above it."""
    kept, x = as_format(format), as_law(law)
    worth = by_bit(kept, x)
    ax = _plain(_axes(ax))
    fields = [name.split()[0] for name in worth.names]
    for field in dict.fromkeys(fields):
        places = [i for i, one in enumerate(fields) if one == field]
        share = worth.bits[places].sum()
        ax.bar(places, worth.bits.value[places], width=0.85, color=_COLORS.get(field, "#4a8f4a"),
               label=f"{field}: {share:.3f} of {len(places)} bit" + "s" * (len(places) > 1))
    ax.axhline(1, color="0.7", linewidth=0.8, zorder=0)
    ax.set(title=f"{x!r} in {kept.name}: {worth.bits.sum():.4f} of {kept.width} bits",
           xlabel="bit, from the top", ylabel="entropy (bit)", ylim=(0, 1.08))
    ax.set_xticks(range(0, kept.width, max(1, kept.width // 8)))
    ax.legend(frameon=False, ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.18), fontsize=8)
    return ax


def _edges(kept: Format, low: float, high: float) -> npt.NDArray[Any]:
    """Midway between the values in sight, and beyond the last ones."""
    parts = []
    for start, spacing, count in kept.runs():
        for sign in (1.0, -1.0):
            ends = sorted((sign * low, sign * high))
            first = max(0.0, np.floor((ends[0] - start) / spacing) - 1) if spacing else 0.0
            last = min(count - 1, np.ceil((ends[1] - start) / spacing) + 1) if spacing else count - 1
            if last - first > _MOST_CELLS:
                raise ValueError(f"low and high must be closer: between {low:g} and {high:g} "
                                 f"{kept.name} has more than {_MOST_CELLS} values")
            if last >= first:
                parts.append(sign * (start + spacing * np.arange(first, last + 1)))
    values = np.unique(np.concatenate(parts)) + 0.0
    inside = np.flatnonzero((values >= low) & (values <= high))
    if len(inside) > _MOST_CELLS:
        raise ValueError(f"low and high must be closer: between {low:g} and {high:g} {kept.name} has "
                         f"{len(inside)} values, a picture shows {_MOST_CELLS}")
    if not inside.size:
        raise ValueError(f"low and high must be farther apart: {kept.name} has no value between "
                         f"{low:g} and {high:g}")
    near = values[max(0, inside[0] - 1):inside[-1] + 2]
    return np.asarray((near[:-1] + near[1:]) / 2)


def cells(format: FormatLike, law: LawLike, *, low: Optional[float] = None,
          high: Optional[float] = None, ax: Any = None) -> Any:
    """The density, and what a format makes of it: the probability of each cell over its width.

    From the lowest to the highest percent of the law unless `low` and `high` are given. For formats
    that round to nearest.
    """
    kept, x = as_format(format), as_law(law)
    if kept.rounding is None or not kept.rounding.startswith("nearest"):
        raise ValueError(f"format must round to nearest, got {kept!r}")
    left = x.quantile(0.005) if low is None else float(low)
    right = x.quantile(0.995) if high is None else float(high)
    if not left < right:
        raise ValueError(f"low must be less than high, got {left:g} and {right:g}")
    edges = _edges(kept, left, right)
    mass = np.diff(x.cdf(edges))
    ax = _plain(_axes(ax))
    ax.stairs(mass / np.diff(edges), edges, fill=True, color="#1f5fbf", alpha=0.25)
    ax.stairs(mass / np.diff(edges), edges, color="#1f5fbf", linewidth=0.8,
              label=f"{kept.name}: {len(mass)} cells")
    at = np.linspace(left, right, 600)
    ax.plot(at, x.pdf(at), color="black", linewidth=1, label="density")
    ax.set(title=f"{x!r} in {kept.name}", xlabel="x", ylabel="probability / width",
           xlim=(left, right))
    ax.set_ylim(bottom=0)
    ax.legend(frameon=False)
    return ax


def entropy(formats: Union[FormatLike, Sequence[FormatLike]], law: LawLike, x: Any, *,
            xlabel: str = "x", log: Optional[bool] = None, ax: Any = None) -> Any:
    """The entropy along one parameter of a law, a line for each format.

    `law` has one axis, as in normal(sigma=x), and `x` says what stands along it. The axis is
    logarithmic if `log`; for None, if x spans more than two decades.
    """
    at, many = np.asarray(x, dtype=float), as_law(law)
    if at.ndim != 1 or many.shape != at.shape:
        raise ValueError(f"x must be as long as the law, {many.shape}, got {at.shape}")
    listed = [formats] if isinstance(formats, (str, Format)) else list(formats)
    ax = _plain(_axes(ax))
    for one in listed:
        kept = as_format(one)
        h = _entropy(kept, many)
        line, = ax.plot(at, h.value, linewidth=1.2, label=f"{kept.name}")
        if np.any(h.error > 1e-3):
            ax.fill_between(at, h.value - h.error, h.value + h.error, color=line.get_color(),
                            alpha=0.2, linewidth=0)
    wide = bool(np.all(at > 0) and at.max() > 100 * at.min())
    if wide if log is None else log:
        ax.set_xscale("log")
    ax.set(xlabel=xlabel, ylabel="entropy (bit)")
    ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    return ax


def bill(of: Bill, *, ax: Any = None) -> Any:
    """Where the bits of a bill come from, and what is given back."""
    fields = of.get("fields")
    if not isinstance(fields, dict) or np.ndim(of["bits"]):
        raise ValueError("of must be a single bill that says what fields cost, "
                         f"got one of {of['kind']}")
    rows = [("sign of the inputs", fields["sign"], _COLORS["sign"]),
            ("exponent of the inputs", fields["exponent"], _COLORS["exponent"]),
            ("mantissa of the inputs", fields["mantissa"], _COLORS["mantissa"])]
    if fields.get("shared"):
        rows.append(("less what x and y share", -fields["shared"], "#4a8f4a"))
    rows += [("less the output", -of["output_bits"], "#4a8f4a"),
             ("to be paid", of["bits"], "black")]
    ax = _plain(_axes(ax))
    begin = 0.0
    for place, (_, size, color) in enumerate(rows[:-1]):
        ax.barh(place, size, left=begin, color=color)
        begin += size
    ax.barh(len(rows) - 1, of["bits"], color=rows[-1][2])
    widest = ax.get_xlim()[1]
    for place, (_, size, _color) in enumerate(rows):
        ax.text(widest * 1.01, place, f"{size:,.1f}", va="center", fontsize=8)
    ax.set_yticks(range(len(rows)), [name for name, _, _ in rows])
    ax.invert_yaxis()
    ax.set(xlabel="bits", title=f"{_KINDS[of['kind']]} in {of['format']}: {of['bits']:,.1f} bits = "
           f"{of['joules']:.3g} J at {of['temperature']:.4g} K", xlim=(0, widest))
    return ax


def profit(format: FormatLike, *, n: Any = None, ax: Any = None, **options: Any) -> Any:
    """What training on n points earns, and the n that earns most; options as of
    scaling.best_size()."""
    best = scaling.best_size(format, **options)
    star = best.number("n_star")
    if not np.isfinite(star):
        raise ValueError("there is no best size to show: more data are always worth it")
    least = 3.0 if options.get("algorithm", "exact") == "exact" else 1.0
    sizes = np.geomspace(least, max(10.0, 10 * star), 80) if n is None else np.asarray(n, dtype=float)
    options["at"] = [float(one) for one in sizes]
    curve = scaling.best_size(format, **options)["at"]
    ax = _plain(_axes(ax))
    for name, color, width in (("revenue", "0.6", 0.9), ("profit", "black", 1.3)):
        ax.plot([one["n"] for one in curve], [one[name] for one in curve], color=color,
                linewidth=width, label=name)
    ax.plot(star, best.number("profit"), marker="*", markersize=12, color="gold",
            markeredgecolor="black", linestyle="none", label=f"best: n = {star:g}", zorder=5)
    ax.set_xscale("log")
    ax.set(xlabel="data points n", ylabel="money", title=f"{_KINDS[best['kind']]} in {best['format']}")
    ax.legend(frameon=False)
    return ax


def landscape(format: FormatLike, *, points: int = 25, ax: Any = None, **options: Any) -> Any:
    """The mismatch cost over the deviations of inputs and noise, and where it is least; options as
    of mismatch.regression()."""
    made = mismatch.regression(format, landscape=points, **options)
    rows = made["landscape"]
    x = np.unique([one["sigma_x"] for one in rows])
    xi = np.unique([one["sigma_xi"] for one in rows])
    height = np.full((len(xi), len(x)), np.nan)
    for one in rows:
        if one["mmc_nats"] is not None:
            height[np.searchsorted(xi, one["sigma_xi"]), np.searchsorted(x, one["sigma_x"])] = \
                float(one["mmc_nats"])
    ax = _plain(_axes(ax))
    drawn = ax.contourf(x, xi, height, levels=20, cmap="viridis")
    ax.figure.colorbar(drawn, ax=ax, label="mismatch cost (nat)")
    ax.plot(made["sigma_x_star"], made["sigma_xi_star"], marker="*", markersize=12, color="gold",
            markeredgecolor="black", linestyle="none", label="least production", clip_on=False)
    ax.plot(made["sigma_x"], made["sigma_xi"], marker="o", color="white", markeredgecolor="black",
            linestyle="none", label=f"asked: {made['mmc_nats']:.3g} nat")
    ax.set(xlabel=r"$\sigma_x$", ylabel=r"$\sigma_\xi$",
           title=f"exact regression in {made['format']}, n = {made['n']}")
    ax.legend(loc="upper right", fontsize=8)
    return ax
