"""Beyond the paper: models with many features."""

from markets import legend_above, price_name
from style import *


def size_against_features(data):
    figure, axes = plt.subplots(figsize=(3.4, 2.8))
    for price, rows, color, marker in curves_by(data.main, "rho_J"):
        axes.plot(rows["d"], rows["n_relaxed"], color=color, label=price_name(price))
        pays = rows["pays"] == 1
        axes.plot(rows["d"][pays], rows["n_star"][pays], marker, color=color, markersize=3)
        axes.plot(rows["d"][~pays], rows["n_star"][~pays], marker, color=color, markersize=3,
                  markerfacecolor="none")
    d = np.geomspace(1, data.main["d"].max(), 50)
    axes.plot(d, 1 + 2 * d * (1 + 1 / data.number("snr")), color="0.3", linestyle="--",
              label="$n = 2d(1 + 1/$SNR$)$")
    axes.set(xscale="log", yscale="log", xlabel="features $d$", ylabel="best number of rows $n^*$")
    axes.set_ylim(bottom=8)
    legend_above(axes)
    return figure


def phase_diagram(data):
    figure, (top, bottom) = with_error_panel(height=4.2, ratio=1.6)
    snr = data.main["snr"]
    for name, title, color in ("ols", "least squares", SECOND), ("ridge", "ridge", EXACT):
        top.plot(snr, data.main[name], color=color, label=title)
        top.plot(snr, data.main[name + "_limit"], color=color, linestyle="--", linewidth=0.8)
        bottom.plot(snr, data.main[name + "_n"], color=color)
        bottom.plot(snr, data.main[name + "_n_limit"], color="0.75", linestyle="--", linewidth=0.9)
    top.fill_between(snr, data.main["ridge"], 0.3, color="0.93", linewidth=0)
    top.text(0.13, 0.2, "do not train", color="0.3", fontsize=8)
    top.text(0.45, 0.04, "ridge", color="0.3", fontsize=7, rotation=45)
    top.text(2.6, 0.05, "least squares or ridge", color=SECOND, fontsize=7)
    top.fill_between(snr, data.main["ols"], data.main["ridge"], color=EXACT, alpha=0.08, linewidth=0)
    top.plot([], [], color="0.3", linestyle="--", linewidth=0.8, label="limit of many features")
    top.set(xscale="log", ylim=(0, 0.27), ylabel="price of $d$ rows, $cd/A$")
    bottom.axhline(1, color="0.5", linewidth=0.6)
    bottom.set(xlabel="signal-to-noise ratio", ylabel="$n^*/d$ there", yscale="log",
               ylim=(0.009, 30))
    legend_above(top)
    return figure


def profit_through_descent(data):
    counts = list(data.main.groups("d"))
    figure, panels = plt.subplots(len(counts), 1, figsize=(3.4, 1.5 * len(counts) + 0.4))
    untrained = 10 / (1 + data.number("snr"))
    best = dict(data["best"].groups("d"))
    for axes, (d, rows) in zip(np.atleast_1d(panels), counts):
        axes.plot(rows["n"] / d, rows["profit"], color=EXACT, marker=".", markersize=2)
        axes.axhline(untrained, color="0.3", linestyle="--", linewidth=0.9)
        axes.axvline(1, color="0.5", linestyle=":", linewidth=0.8)
        axes.plot(best[d]["n"] / d, best[d]["profit"], **{**STAR, "markersize": 7})
        axes.set(xscale="log", ylim=(-2.6, 3), ylabel="profit")
        axes.set_title(f"{d:.0f} features", loc="left")
    np.atleast_1d(panels)[-1].set_xlabel("rows for each feature, $n/d$")
    return figure


def output_share(data):
    figure, (top, bottom) = plt.subplots(2, 1, sharex=True, figsize=(3.4, 4))
    for d, rows, color, marker in curves_by(data.main, "d"):
        style = dict(color=color, marker=marker, markersize=3, markevery=8)
        top.plot(rows["n"], rows["share"], **style, label=f"$d = {d:.0f}$")
        bottom.plot(rows["n"], rows["erased_per_learned"], **style)
    top.set(xscale="log", yscale="log", ylabel="kept of the rows\u2019 entropy")
    bottom.set(xscale="log", yscale="log", xlabel="rows $n$",
               ylabel="bits erased for a bit learned")
    legend_above(top)
    return figure


def best_precision_and_features(data):
    figure, (top, bottom) = plt.subplots(2, 1, sharex=True, figsize=(3.4, 4))
    for d, rows, color, marker in curves_by(data.main, "d"):
        top.step(rows["rho_J"], rows["p"], where="mid", color=color)
        top.plot(rows["rho_J"], rows["p"], marker, color=color, markersize=3, label=f"$d = {d:.0f}$")
    rows = data["features"]
    bottom.plot(rows["rho_J"], rows["n"], color=SECOND, marker="s", markersize=3, label="rows $n^*$")
    bottom.plot(rows["rho_J"], rows["d"], color=EXACT, marker="o", markersize=3,
                label="features $d^*$")
    top.set(xscale="log", ylabel="best precision $p^*$")
    bottom.set(xscale="log", yscale="log", xlabel=r"price of energy $\rho_J$")
    bottom.legend()
    legend_above(top)
    return figure


def chain_bracket(data):
    figure, axes = plt.subplots(figsize=(3.4, 2.8))
    for p, rows, color, marker in curves_by(data.main, "p"):
        axes.plot(rows["snr"], np.maximum(rows["width"], 1e-16), color=color, marker=marker,
                  markersize=3, markevery=4, label=f"$p = {p:.0f}$")
    axes.set(xscale="log", yscale="log", xlabel="signal-to-noise ratio",
             ylabel="width of the bracket (bits)")
    legend_above(axes)
    return figure
