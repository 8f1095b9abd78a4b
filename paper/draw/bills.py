"""Bills, profits and mismatch costs of single answers."""

from matplotlib.ticker import MaxNLocator

from markets import as_map
from style import *

UP, DOWN, SUM = "#1f5fbf", "#7fb069", "0.25"


def cost(data, title):
    """The bill as a waterfall: what goes in, less what comes out, and what is left."""
    rows = data.main
    names, amounts = rows["part"], rows["bits"]
    is_sum = np.array([role == "sum" for role in rows["role"]])
    starts, ends, level = np.zeros(len(names)), np.zeros(len(names)), 0.0
    for i, amount in enumerate(amounts):
        starts[i] = 0 if is_sum[i] else level
        level = ends[i] = amount if is_sum[i] else level + amount
    colors = [SUM if whole else UP if amount >= 0 else DOWN for whole, amount in zip(is_sum, amounts)]
    figure, axes = plt.subplots(figsize=(5.6, 1.15 + 0.3 * len(names)))
    places = np.arange(len(names))
    axes.barh(places, ends - starts, left=starts, color=colors, height=0.62)
    for i in range(len(names) - 1):
        axes.plot([ends[i], ends[i]], [i - 0.31, i + 1.31], color="0.5", linewidth=0.6)
    low, high = min(0, starts.min(), ends.min()), max(0, starts.max(), ends.max())
    errors = np.where(is_sum & (rows["error"] > 0.004 * (high - low)), rows["error"], 0)
    if errors.any():
        axes.errorbar(ends[errors > 0], places[errors > 0], xerr=errors[errors > 0], fmt="none",
                      ecolor=SMOOTH, elinewidth=1.2, capsize=2)
    for i, amount in enumerate(amounts):
        axes.annotate(f"{amount:.6g}" if is_sum[i] else f"{amount:+.6g}".replace("-", "−"),
                      (max(starts[i], ends[i]) + errors[i], i), xytext=(4, 0), textcoords="offset points",
                      va="center", fontsize=7, fontweight="bold" if is_sum[i] else "normal")
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    reach = max(high, (ends + errors).max()) - low
    axes.set_xlim(1.05 * low, low + 1.22 * reach if reach > 0 else 1)
    axes.axvline(0, color="0.3", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.grid(axis="y", visible=False)
    axes.set_xlabel("bits")
    joules_above(axes, rows)
    headline(figure, title)
    return figure


def joules_above(axes, rows):
    """A second scale, where some amount says how much a bit is."""
    largest = int(np.argmax(np.abs(rows["bits"])))
    if rows["bits"][largest] == 0:
        return
    each = rows["joules"][largest] / rows["bits"][largest]
    other = axes.secondary_xaxis("top", functions=(lambda x: x * each, lambda x: x / each))
    other.set_xlabel("joules")
    other.xaxis.set_major_locator(MaxNLocator(5))


def islands(data, title):
    """The parts of a true mismatch cost."""
    names, amounts = data.main["part"], data.main["nats"]
    figure, axes = plt.subplots(figsize=(5.6, 0.95 + 0.26 * len(names)))
    places = np.arange(len(names))
    axes.barh(places, amounts, color=[UP if amount >= 0 else SMOOTH for amount in amounts], height=0.62)
    low, high = min(0, amounts.min()), max(0, amounts.max())
    for place, amount in zip(places, amounts):
        axes.annotate(f"{amount:.4g}".replace("-", "−"), (max(amount, 0), place), xytext=(4, 0),
                      textcoords="offset points", va="center", fontsize=7)
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    axes.axvline(0, color="0.3", linewidth=0.6)
    axes.set_xlim(1.05 * low, low + 1.15 * (high - low) if high > low else 1)
    axes.set_axisbelow(True)
    axes.grid(axis="y", visible=False)
    axes.set_xlabel("$k_B$")
    headline(figure, title)
    return figure


def scaling(data, title):
    """The profit against the size, its optima, and what it is the difference of."""
    choices = data["choices"]
    has_choices = len(choices["p"]) > 0
    figure, panels = plt.subplots(2 if has_choices else 1, 1, squeeze=False,
                                  figsize=(5.0, 4.6 if has_choices else 3.2),
                                  gridspec_kw={"height_ratios": [1.6, 1]} if has_choices else None)
    axes = panels[0, 0]
    rows, optima, at = data.main, data["optima"], data["at"]
    axes.plot(rows["n"], rows["revenue"], color=SECOND, linestyle=":", label="revenue")
    axes.plot(rows["n"], -rows["energy_cost"], color=SMOOTH, linestyle="--", label="less energy")
    axes.plot(rows["n"], rows["profit"], color=EXACT, linewidth=1.5, label="profit $u(n)$")
    axes.plot(at["n"], at["profit"], "o", color="white", markeredgecolor="black", label=None)
    for is_best, style in (0, {**STAR, "marker": "o", "markersize": 5}), (1, STAR):
        chosen = optima["global"] == is_best
        name = rf"$n^* = {optima['n'][chosen][0]:.6g}$" if is_best and chosen.any() else None
        axes.plot(optima["n"][chosen], optima["profit"][chosen], **style, label=name, clip_on=False)
    profit_limits(axes, rows, optima, at)
    zero_line(axes)
    axes.set_xscale("log")
    axes.set_xlim(rows["n"][0], rows["n"][-1])
    axes.set_xlabel("data points $n$")
    axes.set_ylabel("in the unit of the prices")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=4, columnspacing=1.4)
    headline(figure, title)
    if has_choices:
        precisions(panels[1, 0], choices)
    return figure


def profit_limits(axes, rows, optima, at):
    """Far beyond its optimum the profit falls without end: that is cut off."""
    revenue = rows["revenue"][np.isfinite(rows["revenue"])]
    marked = np.concatenate([optima["profit"], at["profit"], revenue])
    marked = marked[np.isfinite(marked)]
    if not len(marked):
        return
    high = marked.max()
    low = min(0, marked.min())
    if high > low:
        axes.set_ylim(low - 0.3 * (high - low), high + 0.08 * (high - low))


def precisions(axes, choices):
    axes.plot(choices["p"], choices["profit"], "o-", color=EXACT)
    best = int(np.nanargmax(choices["profit"]))
    axes.plot(choices["p"][best], choices["profit"][best], **STAR)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("precision $p$")
    axes.set_ylabel("best profit")


def mismatch(data, title):
    """The mismatch cost over the deviations of the data, its optimum, and where the data are."""
    figure, axes = plt.subplots(figsize=(4.4, 3.6))
    axes.grid(False)
    x, y, height = as_map(data.main, "mmc")
    drawn = axes.pcolormesh(x, y, height, cmap="cividis", shading="gouraud", rasterized=True)
    contours = axes.contour(x, y, height, levels=levels_of(height), colors="white", linewidths=0.6)
    axes.clabel(contours, contours.levels[1::2], fontsize=6, fmt="%g")
    figure.colorbar(drawn, ax=axes, label=r"$\mathrm{MMC}_v$ ($k_B$)", pad=0.02)
    looks = {
        "optimum": {**STAR, "markersize": 12},
        "local minimum": {**STAR, "markersize": 6, "markerfacecolor": "white"},
        "here": dict(marker="o", markersize=6, markerfacecolor="white", markeredgecolor="black",
                     markeredgewidth=0.8, linestyle="none", zorder=6),
    }
    for what, marks in data["marks"].groups("what"):
        name = f"here: {marks['mmc'][0]:.4g} $k_B$" if what == "here" else what
        axes.plot(marks["sigma_x"], marks["sigma_xi"], clip_on=False, label=name, **looks[what])
    room = 0.02 * (x[-1] - x[0]), 0.02 * (y[-1] - y[0])
    here_x, here_y = data["marks"]["sigma_x"], data["marks"]["sigma_xi"]
    axes.set_xlim(min(x[0], here_x.min() - room[0] if here_x.min() < x[0] else x[0]),
                  max(x[-1], here_x.max() + room[0] if here_x.max() > x[-1] else x[-1]))
    axes.set_ylim(min(y[0], here_y.min() - room[1] if here_y.min() < y[0] else y[0]),
                  max(y[-1], here_y.max() + room[1] if here_y.max() > y[-1] else y[-1]))
    axes.set_xlabel(r"deviation of the inputs $\sigma_x$")
    axes.set_ylabel(r"deviation of the noise $\sigma_\xi$")
    axes.legend(loc="upper center", bbox_to_anchor=(0.55, -0.16), ncol=3, handletextpad=0.3)
    for axis, ends in (axes.xaxis, x), (axes.yaxis, y):
        axis.set_ticks(with_ends(axis.get_majorticklocs(), ends[0], ends[-1]))
        axis.set_major_formatter(lambda value, _: f"{value:g}")
    headline(figure, title.replace("k_B", "$k_B$"))
    return figure


def with_ends(ticks, low, high):
    """The ends of an axis are told, and of the other ticks those that leave room."""
    kept = [tick for tick in ticks if low + 0.06 * (high - low) < tick < high - 0.06 * (high - low)]
    return [low, *kept, high]


def levels_of(height):
    """1, 2, 5 times powers of ten, as many as show the bottom and the slopes."""
    top = np.nanmax(height)
    if not top > 0:
        return [0]
    power = 10.0 ** np.floor(np.log10(top))
    steps = [level * scale for scale in (power / 100, power / 10, power) for level in (1, 2, 5)]
    return [level for level in steps if level < top][-6:] or [top / 2]
