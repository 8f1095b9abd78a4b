"""Laws against simulations."""

from style import *

BARS = dict(color="0.8", edgecolor="none")


def assymp_fit(data):
    """One row of panels for each batch size, from small to large; one column for each start."""
    starts = list(data.main.groups("w0"))
    count = len(list(starts[0][1].groups("B")))
    figure, panels = plt.subplots(count, len(starts), sharex="col", squeeze=False,
                                  figsize=(0.6 + 2.6 * len(starts), 1.35 * count + 0.6))
    for column, (w0, main) in zip(panels.T, starts):
        laws, fits = (dict(dict(data[name].groups("w0"))[w0].groups("B")) for name in ("laws", "fits"))
        for axes, (B, bars) in zip(column, main.groups("B")):
            against_limit(axes, bars, dict(laws[B].groups("law")), fits[B])
            axes.set_title(f"B = {B:.0f}", loc="left", pad=2)
        at_w = " = w" if w0 == data.number("w") else f", w = {data.number('w'):g}"
        column[0].set_title(rf"$\hat w_0$ = {w0:g}{at_w}", loc="center", pad=2)
        column[-1].set_xlabel(r"$\hat w$ after $\tau$ steps")
    for axes in panels[:, 0]:
        axes.set_ylabel("density")
    panels[0, 0].legend(loc="upper left", fontsize=6)
    return figure


def against_limit(axes, bars, curves, fits):
    histogram(axes, bars)
    plot(axes, curves["stationary"], "x", color=SMOOTH, linestyle="--", label="limit")
    plot(axes, curves["exact"], "x", color=EXACT, label="exact")
    plot(axes, curves["ou"], "x", color=SECOND, linestyle=":", linewidth=1.4, label="process")
    show_distances(axes, fits, {"stationary": "limit", "exact": "exact", "ou": "process"})
    axes.set_ylim(0, 1.12 * axes.get_ylim()[1])


def non_assymp_fit(data):
    """One panel for each number of steps."""
    groups = list(data.main.groups("k"))
    laws = dict(data["laws"].groups("k"))
    fits = dict(data["fits"].groups("k"))
    columns = min(3, len(groups))
    rows = -(-len(groups) // columns)
    figure, panels = plt.subplots(rows, columns, figsize=(2.2 * columns + 0.3, 1.8 * rows),
                                  squeeze=False)
    for axes in panels.flat[len(groups):]:
        axes.set_visible(False)
    for axes, (k, bars) in zip(panels.flat, groups):
        histogram(axes, bars)
        curves = dict(laws[k].groups("law"))
        plot(axes, curves["exact"], "x", color=EXACT, label="exact")
        plot(axes, curves["ou"], "x", color=SMOOTH, linestyle="--", label="process")
        axes.set_title(f"k = {k:.0f}", loc="left", pad=3)
        show_distances(axes, fits[k], {"exact": "exact", "ou": "process"})
        low, high = bars["low"][0], bars["high"][-1]
        axes.set_xlim(low, high + 0.12 * (high - low))
        axes.set_ylim(0, 1.15 * axes.get_ylim()[1])  # room for the distances
        axes.locator_params(axis="x", nbins=4)
    panels[0, 0].legend(loc="upper left", fontsize=6)
    figure.supxlabel(r"$\hat w_k$", fontsize=8)
    figure.supylabel("density", fontsize=8)
    return figure


def mean_fit(data):
    figure, (mean, deviation, ratio) = plt.subplots(
        3, 1, sharex=True, figsize=(3.4, 4.2), gridspec_kw={"height_ratios": [1.5, 1.5, 1]})
    curves, points = data.main, data["simulated"]
    for axes, name in (mean, "mean"), (deviation, "deviation"):
        axes.plot(curves["k"], curves[name], color=EXACT, label="exact moments")
        axes.plot(curves["k"], curves[f"process_{name}"], "--", color=SMOOTH, label="process")
    ratio.plot(curves["k"], curves["ratio"], color=EXACT)
    ratio.axhline(1, color=SMOOTH, linestyle="--")
    for axes, name in (mean, "mean"), (deviation, "deviation"), (ratio, "ratio"):
        axes.errorbar(points["k"], points[name], 2 * points[f"{name}_error"], fmt="o", color=SECOND,
                      markerfacecolor="white", markersize=3.5, elinewidth=0.8, zorder=4,
                      label="simulated")
    mean.axhline(data.number("w"), color="0.5", linewidth=0.6, linestyle=":")
    mean.set_ylabel(r"mean of $\hat w_k$")
    mean.legend(loc="upper left")
    deviation.set_ylabel("deviation")
    deviation.set_ylim(0, None)
    ratio.set_ylabel("exact /\nprocess")
    ratio.set_xscale("log")
    ratio.set_xlabel("SGD steps $k$")
    figure.align_ylabels()
    return figure


def z_fit_3(data):
    return z_fit(data)


def z_fit_10(data):
    return z_fit(data)


def z_fit_30(data):
    return z_fit(data)


def z_fit(data):
    figure, (top, bottom) = with_error_panel(height=3.0)
    bars, law, fit = data.main, data["law"], data["fit"]
    histogram(top, bars, label=f"{fit['trials'][0]:.0f} trials")
    top.plot(law["z"], law["density"], color=EXACT, label="$f_Z$")
    top.plot(law["z"], law["normal"], ":", color=SECOND, label="normal")
    top.text(0.02, 0.97, f"n = {data.number('n'):.0f}\nKS distance {fit['distance'][0]:.4f}\n"
             f"p-value {fit['p_value'][0]:.2f}", transform=top.transAxes, va="top", fontsize=7)
    top.set_ylim(0, None)
    top.set_ylabel("density")
    top.legend(loc="upper right")
    centers = (bars["low"] + bars["high"]) / 2
    bottom.axhspan(-2, 2, color="0.93", zorder=0)
    zero_line(bottom)
    bottom.plot(centers, bars["residual"], ".", color=EXACT, markersize=3)
    limit = 1.1 * np.max(np.abs(bars["residual"]), initial=4, where=np.isfinite(bars["residual"]))
    bottom.set_ylim(-limit, limit)
    bottom.set_ylabel("residual\n(deviations)")
    bottom.set_xlabel(r"$z = \hat w - w$")
    return figure


def show_distances(axes, fits, names):
    """Kolmogorov-Smirnov distances of the laws to the simulation."""
    distances = dict(zip(fits["law"], fits["distance"]))
    lines = ["Kolmogorov–Smirnov", *(f"{name} {distances[law]:.3f}" for law, name in names.items())]
    axes.text(0.98, 0.97, "\n".join(lines), transform=axes.transAxes, ha="right", va="top",
              fontsize=6)


def histogram(axes, bars, **look):
    axes.bar(bars["low"], bars["density"], bars["high"] - bars["low"], align="edge", **BARS, **look)


def plot(axes, rows, x, **look):
    axes.plot(rows[x], rows["density"], **look)
