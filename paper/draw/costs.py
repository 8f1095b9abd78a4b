"""What exact regression and stochastic gradient descent cost: entropies and bits a data point."""

from matplotlib.lines import Line2D

from style import *


def sgd_hfp_vs_n(data):
    figure, (top, bottom) = with_error_panel(height=4.1, ratio=1.7)
    exact = dict(data["exact"].groups("w"))
    series = list(curves_by(data.main, "w"))
    for w, rows, color, marker in series:
        top.plot(rows["k"], rows["smooth"], "--", color=color)
        top.plot(rows["k"], rows["moments"], ":", color=color)
        bottom.plot(rows["k"], rows["smoothing"], "--", color=color, linewidth=0.6)
        bottom.plot(rows["k"], rows["difference"], ":", color=color)
        for axes, column in (top, "entropy"), (bottom, "difference"):
            axes.plot(exact[w]["k"], exact[w][column], color=color, **sparse(marker))
    top.set_ylabel(r"entropy of $\hat w_k$ (bits)")
    low, high = top.get_ylim()
    top.set_ylim(low, high + 0.15 * (high - low))  # room for the legend
    legends(top, [line("-", "exact law"), line(":", "exact moments"), line("--", "approximation")],
            "upper left", "$w$ =", series)
    bottom.legend(handles=[line("-", "against the exact law"), line(":", "against exact moments"),
                           Line2D([], [], color="black", linestyle="--", linewidth=0.6,
                                  label="share of the cells")],
                  loc="upper center", bbox_to_anchor=(0.45, -0.4), ncol=2, columnspacing=1.2)
    finish_error(bottom, "SGD steps $k$")
    return figure


def sgd_entropy_diff_rate(data):
    figure, (top, bottom) = with_error_panel(height=3.6, ratio=2.6)
    exact = dict(data["exact"].groups("w"))
    limits = dict(data["joint"].groups("w"))
    series = list(curves_by(data.main, "w"))
    for w, rows, color, marker in series:
        top.axhline(limits[w]["smooth"][0], **limit_line(color))
        top.plot(rows["k"], rows["smooth"], "--", color=color)
        top.plot(rows["k"], rows["rate"], color=color)
        bottom.plot(rows["k"], rows["difference"], color=color)
        for axes, column in (top, "rate"), (bottom, "difference"):
            axes.plot(exact[w]["k"], exact[w][column], color=color, **spots(marker))
    dots = precision_dots(top, series[0][1], "k", "precision, $(2kB-1)p/(kB)$")
    top.set_ylabel("cost per data point (bits)")
    legends(top, [EXACT_LAW, line("-", "exact moments"), line("--", "approximation"), dots],
            "lower right", "$w$ =", series)
    finish_error(bottom, "SGD steps $k$")
    return figure


def slope_entropy(data):
    figure, (top, bottom) = with_error_panel(height=3.6, ratio=2)
    series = list(curves_by(data.main, "snr"))
    for snr, rows, color, marker in series:
        top.plot(rows["n"], rows["smooth"], "--", color=color)
        top.plot(rows["n"], rows["entropy"], color=color, **sparse(marker))
        bottom.plot(rows["n"], rows["difference"], color=color, **sparse(marker))
    top.set_ylabel(r"entropy of $\hat w$ (bits)")
    legends(top, [line("-", "exact"), line("--", "approximation")], "upper right", "SNR", series)
    gray_band(data.main, top, bottom)
    finish_error(bottom, "data points $n$")
    return figure


def regression_rate(data):
    """The curves as they are, the same from near, where they can be told apart, and their errors."""
    figure, (top, near, bottom) = plt.subplots(
        3, 1, sharex=True, figsize=(3.4, 4.9), gridspec_kw={"height_ratios": [1.6, 1.5, 1]})
    limits = dict(data["joint"].groups("snr"))
    series = list(curves_by(data.main, "snr"))
    for snr, rows, color, marker in series:
        for axes in top, near:
            axes.axhline(limits[snr]["smooth"][0], **limit_line(color))
            axes.plot(rows["n"], rows["smooth"], "--", color=color)
            axes.plot(rows["n"], rows["rate"], color=color, **sparse(marker))
        bottom.plot(rows["n"], rows["difference"], color=color, **sparse(marker))
    dots = precision_dots(top, series[0][1], "n", "precision, $(2n-1)p/n$")
    top.set_ylabel("cost per data point (bits)", y=0)
    legends(top, [line("-", "exact"), line("--", "approximation"), dots], "lower right", "SNR",
            series)
    ends = [limits[snr]["smooth"][0] for snr, *_ in series]
    spread = max(ends) - min(ends)
    near.set_ylim(min(ends) - 0.8 * spread, max(ends) + 0.1 * spread)
    near.text(0.98, 0.05, "the same, from near", transform=near.transAxes, ha="right", fontsize=7)
    gray_band(data.main, top, bottom)
    finish_error(bottom, "data points $n$")
    return figure


H_fp_wh = H_fp_wh_exact = slope_entropy
Ex_dH = Ex_dH_exact = regression_rate


def sparse(marker):
    """Markers that tell curves apart without hiding them."""
    return dict(marker=marker, markevery=(4, 9), markersize=3)


def spots(marker):
    return dict(marker=marker, linestyle="none", markerfacecolor="white", markersize=3.5)


def limit_line(color):
    return dict(color=color, linestyle="--", linewidth=0.6, zorder=1)


def line(dashes, label):
    return Line2D([], [], color="black", linestyle=dashes, label=label)


EXACT_LAW = Line2D([], [], color="black", marker="o", linestyle="none", markerfacecolor="white",
                   label="exact law")


def precision_dots(axes, rows, x, label):
    return axes.plot(rows[x], rows["precision"], ".", color="0.55", markersize=2, label=label)[0]


def legends(axes, lines, place, name, series):
    """What line styles mean, inside the panel; what colors and markers mean, in a row above it."""
    axes.add_artist(axes.legend(handles=lines, loc=place))
    handles = [Line2D([], [], color=color, marker=marker, markersize=3, label=f"{value:g}")
               for value, _, color, marker in series]
    handles[0].set_label(f"{name} {handles[0].get_label()}")
    axes.legend(handles=handles, ncol=min(6, len(handles)), loc="lower center", bbox_to_anchor=(0.45, 1),
                handlelength=1.6, columnspacing=1.2, handletextpad=0.4)


def gray_band(table, top, bottom):
    """The approximation is not meant for n up to 2: its errors there would hide the others."""
    n, error = table["n"], table["difference"]
    meant = error[(n > 2) & np.isfinite(error)]
    if len(meant) and n[0] < 2:
        margin = 0.15 * (meant.max() - meant.min()) + 1e-3
        bottom.set_ylim(meant.min() - margin, meant.max() + margin)
        for axes in top, bottom:
            axes.axvspan(n[0], 2, color="0.93", zorder=0)


def finish_error(axes, x_label):
    zero_line(axes)
    axes.set_ylabel("error (bits)")
    axes.set_xscale("log")
    axes.set_xlabel(x_label)
