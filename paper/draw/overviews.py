"""Drawings over the data of several figures: those that the report opens with, and small multiples.

Each is given the figures by name.
"""

from matplotlib.colors import LogNorm
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedFormatter, FixedLocator, MaxNLocator

from markets import draw_bounds, price_name
from style import *

OPENING = dict(figsize=(3.3, 2.55))


# --- what the report opens with ---


def opening_process(figures):
    """The deviation of SGD on its way, and that of the process."""
    data = figures["mean_fit"]
    rows, points = data.main, data["simulated"]
    figure, axes = plt.subplots(**OPENING)
    axes.fill_between(rows["k"], rows["process_deviation"], rows["deviation"], color=SMOOTH, alpha=0.12, linewidth=0)
    axes.plot(rows["k"], rows["deviation"], color=EXACT, linewidth=1.5, label="exact")
    axes.errorbar(points["k"], points["deviation"], 2 * points["deviation_error"], fmt="o", color=SECOND,
                  markerfacecolor="white", markersize=3.5, elinewidth=0.8, zorder=4, label="simulated")
    axes.plot(rows["k"], rows["process_deviation"], "--", color=SMOOTH, linewidth=1.5, label="Ornstein-Uhlenbeck")
    axes.set_xscale("log")
    axes.set_ylim(0, None)
    axes.set_xlabel("SGD steps $k$")
    axes.set_ylabel(r"deviation of $\hat w_k$")
    axes.set_title(rf"from $\hat w_0$ = {data.number('w0'):g} toward $w$ = {data.number('w'):g}", loc="left")
    axes.legend(loc="lower right")
    return figure


def opening_rate(figures):
    """The best size against the learning rate."""
    data = figures["profit_sgd_eta"]
    sizes, batch = data["sizes"], data.number("B")
    figure, axes = plt.subplots(**OPENING)
    axes.step(sizes["eta"], sizes["n_exact"], where="mid", color=EXACT, linewidth=1.5, label="exact moments")
    axes.step(sizes["eta"], sizes["n"], where="mid", color=SMOOTH, linestyle="--", label="paper's formulas")
    axes.plot(data["optima"]["eta"], data["optima"]["n"], **{**STAR, "markersize": 8}, label="rates drawn in the figure")
    axes.axhline(batch, color="0.5", linestyle=":", linewidth=0.8)
    axes.annotate("a single batch", (sizes["eta"][-1], batch), xytext=(0, 3), textcoords="offset points", ha="right",
                  fontsize=7, color="0.35")
    axes.set_xscale("log")
    ticks = [0.01, 0.02, 0.05, 0.1, 0.2]
    axes.xaxis.set_major_locator(FixedLocator(ticks))
    axes.xaxis.set_major_formatter(FixedFormatter([f"{tick:g}" for tick in ticks]))
    axes.minorticks_off()
    axes.set_ylim(0, 1.3 * np.nanmax(sizes["n"]))
    axes.set_xlabel(r"learning rate $\eta$")
    axes.set_ylabel("best size $n^*$")
    axes.set_title(rf"batches of {batch:.0f}, $\rho_J$ = {price_name(data.number('rho_J'))} 1/J", loc="left")
    axes.legend(loc="upper right")
    return figure


def opening_bound(figures):
    """The paper's bound on the mismatch cost, what it should bound, and a bound that holds."""
    figure, axes = plt.subplots(**OPENING)
    data = figures["mismatch_bound"]
    draw_bounds(axes, data)
    low, high = axes.get_ylim()
    axes.set_ylim(low, high + 0.3 * (high - low))  # room for the legend
    axes.set_ylabel("bound less mismatch cost ($k_B$)")
    axes.set_title(rf"p{data.number('p'):.0f}e{data.number('E'):.0f}, one point, $\sigma_\xi$ = {data.number('sigma_xi'):g}",
                   loc="left")
    axes.legend(loc="upper right")
    return figure


# --- the formats of the appendix ---


def by_format(figures):
    """Figures by (p, E)."""
    return {(int(data.number("p")), int(data.number("E"))): data for data in figures.values()}


def worst_error(data):
    """Of Approximation 3, in bits, where the mean is a deviation from zero at least."""
    rows = data.main
    away = np.abs(rows["mu"]) >= rows["sigma"]
    return np.nanmax(np.abs(rows["difference"][away]))


def app_mu_errors(figures):
    """A map over the formats: the largest error of each panel."""
    panels = by_format(figures)
    precisions, widths = (sorted({key[i] for key in panels}) for i in (0, 1))
    worst = np.array([[worst_error(panels[p, E]) for E in widths] for p in precisions])
    figure, axes = plt.subplots(figsize=(4.4, 3.0))
    drawn = axes.pcolormesh(worst, cmap="cividis", norm=LogNorm(0.3, max(1, worst.max())), rasterized=True)
    for i, k in np.ndindex(worst.shape):
        axes.text(k + 0.5, i + 0.5, f"{worst[i, k]:.2g}", ha="center", va="center", fontsize=7,
                  color=LIGHT if drawn.norm(worst[i, k]) < 0.55 else DARK)
    axes.set_xticks(np.arange(len(widths)) + 0.5, widths)
    axes.set_yticks(np.arange(len(precisions)) + 0.5, precisions)
    axes.tick_params(length=0)
    axes.grid(False)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.set_xlabel("exponent bits $E$")
    axes.set_ylabel("precision $p$")
    bar = figure.colorbar(drawn, ax=axes, label=r"largest error, $|\mu| \geq \sigma$ (bits)", pad=0.02)
    ticks = [tick for tick in (0.3, 0.5, 1, 2, 5, 10, 20) if tick <= drawn.norm.vmax]
    bar.set_ticks(ticks, labels=[f"{tick:g}" for tick in ticks])
    bar.minorticks_off()
    return figure


def app_mu_all(figures):
    """One small panel for each format: rows of precisions, columns of exponent bits."""
    panels = by_format(figures)
    precisions, widths = (sorted({key[i] for key in panels}) for i in (0, 1))
    figure, axes = plt.subplots(len(precisions), len(widths), sharex=True, sharey="row", squeeze=False,
                                figsize=(0.93 * len(widths) + 0.5, 0.82 * len(precisions) + 0.7))
    with plt.rc_context({"path.simplify_threshold": 0.3}):
        for (p, E), data in panels.items():
            small_panel(axes[precisions.index(p), widths.index(E)], data)
        for p, row in zip(precisions, axes):
            row[0].set_ylabel(f"p = {p}")
            row[0].set_ylim(-0.3, 1.1 * max(max(panels[p, E].main["entropy"]) for E in widths) + 0.5)
            row[0].yaxis.set_major_locator(MaxNLocator(3, integer=True))
        for E, column in zip(widths, axes.T):
            column[0].set_title(f"E = {E}", pad=3)
            column[-1].set_xticks([-50, 0, 50])
    figure.supxlabel(r"mean $\mu$", fontsize=8)
    figure.supylabel("entropy (bits)", fontsize=8)
    names_above(figure, "Approximation 3")
    return figure


def small_panel(axes, data):
    rows = data.main
    axes.plot(rows["mu"], rows["entropy"], color=EXACT, linewidth=0.7)
    axes.plot(rows["mu"], rows["offset"], color=SMOOTH, linestyle=(0, (3, 1.5)), linewidth=0.7)
    axes.tick_params(labelsize=6, length=2)


def app_sigma_all(figures):
    """One panel for each precision, a curve for each number of exponent bits."""
    panels = {int(data.number("p")): data for data in figures.values()}
    columns = min(4, len(panels))
    figure, axes = plt.subplots(-(-len(panels) // columns), columns, sharex=True, sharey=True, squeeze=False,
                                figsize=(7.4, 3.7))
    for panel, (p, data) in zip(axes.flat, sorted(panels.items())):
        groups = list(data.main.groups("E"))
        for (E, rows), color in zip(groups, shades(len(groups))):
            panel.plot(rows["sigma"], rows["entropy"], color=color, linewidth=0.9, label=f"E = {E:.0f}")
        panel.axhline(data.main["smooth"][0], color=SMOOTH, linestyle="--", linewidth=0.9, label=r"$\tilde H_s^0(p)$")
        panel.set_xscale("log", base=2)
        panel.set_title(f"p = {p}", pad=3)
        panel.set_xlim(data.number("sigma_min"), data.number("sigma_max"))
        panel.set_xticks([2.0**e for e in (-64, 0, 64)], [f"$2^{{{e}}}$" for e in (-64, 0, 64)])
        panel.minorticks_off()
    axes[0, 0].set_ylim(0, 1.08 * max(max(data.main["entropy"]) for data in panels.values()))
    figure.supxlabel(r"standard deviation $\sigma$", fontsize=8)
    figure.supylabel("entropy (bits)", fontsize=8)
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="center right")
    figure.get_layout_engine().set(rect=(0, 0, 0.88, 1))
    return figure


def names_above(figure, approximation):
    lines = [Line2D([], [], color=EXACT, linewidth=0.9, label="exact"),
             Line2D([], [], color=SMOOTH, linestyle="--", linewidth=0.9, label=approximation)]
    figure.legend(handles=lines, loc="upper right", ncol=2)
    figure.get_layout_engine().set(rect=(0, 0, 1, 0.96))
