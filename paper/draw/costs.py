"""What exact regression and stochastic gradient descent cost: entropies and bits a data point."""

from matplotlib.lines import Line2D

from style import *


def H_fp_wh(data):
    return slope_entropy(data)


def H_fp_wh_exact(data):
    return slope_entropy(data)


def Ex_dH(data):
    return regression_rate(data)


def Ex_dH_exact(data):
    return regression_rate(data)


def sgd_hfp_vs_n(data):
    figure, (top, bottom) = with_error_panel(height=3.6, ratio=1.9)
    exact = dict(data["exact"].groups("w"))
    series = styled(data.main, "w")
    for w, rows, color, marker in series:
        top.plot(rows["k"], rows["smooth"], "--", color=color)
        top.plot(rows["k"], rows["moments"], color=color)
        bottom.plot(rows["k"], rows["smoothing"], "--", color=color, linewidth=0.6)
        bottom.plot(rows["k"], rows["difference"], color=color)
        for axes, column in (top, "entropy"), (bottom, "difference"):
            axes.plot(exact[w]["k"], exact[w][column], color=color, **spots(marker))
    top.set_ylabel(r"entropy of $\hat w_k$ (bits)")
    legends(top, [(f"w = {w:g}", color, marker) for w, _, color, marker in series],
            ["exact moments", "approximation"])
    finish_error(bottom, "error (bits)", "SGD steps $k$")
    return figure


def sgd_entropy_diff_rate(data):
    figure, (top, bottom) = with_error_panel(height=3.6, ratio=2.6)
    exact = dict(data["exact"].groups("w"))
    limits = dict(data["joint"].groups("w"))
    series = styled(data.main, "w")
    for w, rows, color, marker in series:
        top.axhline(limits[w]["smooth"][0], **limit_line(color))
        top.plot(rows["k"], rows["smooth"], "--", color=color)
        top.plot(rows["k"], rows["rate"], color=color)
        bottom.plot(rows["k"], rows["difference"], color=color)
        for axes, column in (top, "rate"), (bottom, "difference"):
            axes.plot(exact[w]["k"], exact[w][column], color=color, **spots(marker))
    precision_dots(top, series[0][1], "k", "$(2kB-1)p/(kB)$")
    top.set_ylabel("cost per data point (bits)")
    legends(top, [(f"w = {w:g}", color, marker) for w, _, color, marker in series],
            ["exact moments", "approximation"], place="lower right")
    finish_error(bottom, "error (bits)", "SGD steps $k$")
    return figure


def slope_entropy(data):
    figure, (top, bottom) = with_error_panel(height=3.6, ratio=2)
    series = styled(data.main, "snr")
    for snr, rows, color, marker in series:
        top.plot(rows["n"], rows["smooth"], "--", color=color)
        top.plot(rows["n"], rows["entropy"], color=color, **sparse(marker))
        bottom.plot(rows["n"], rows["difference"], color=color, **sparse(marker))
    for axes in top, bottom:
        axes.axvspan(rows["n"][0], 2, color="0.93", zorder=0)
    top.set_ylabel(r"entropy of $\hat w$ (bits)")
    legends(top, [(f"SNR {snr:g}", color, marker) for snr, _, color, marker in series],
            ["exact", "approximation"])
    finish_error(bottom, "error (bits)", "data points $n$")
    return figure


def regression_rate(data):
    figure, (top, bottom) = with_error_panel(height=3.6, ratio=2)
    limits = dict(data["joint"].groups("snr"))
    series = styled(data.main, "snr")
    for snr, rows, color, marker in series:
        top.axhline(limits[snr]["smooth"][0], **limit_line(color))
        top.plot(rows["n"], rows["smooth"], "--", color=color)
        top.plot(rows["n"], rows["rate"], color=color, **sparse(marker))
        bottom.plot(rows["n"], rows["difference"], color=color, **sparse(marker))
    precision_dots(top, series[0][1], "n", "$(2n-1)p/n$")
    top.set_ylabel("cost per data point (bits)")
    legends(top, [(f"SNR {snr:g}", color, marker) for snr, _, color, marker in series],
            ["exact", "approximation"], place="lower right")
    finish_error(bottom, "error (bits)", "data points $n$")
    return figure


def styled(table, key):
    """(value, rows, color, marker) for each series."""
    groups = list(table.groups(key))
    return [
        (value, rows, color, marker)
        for (value, rows), color, marker in zip(groups, shades(len(groups)), MARKERS)
    ]


def sparse(marker):
    """Markers that tell curves apart without hiding them."""
    return dict(marker=marker, markevery=(4, 9), markersize=3)


def spots(marker):
    return dict(marker=marker, linestyle="none", markerfacecolor="white", markersize=3.5)


def limit_line(color):
    return dict(color=color, linestyle=(0, (2, 2)), linewidth=0.6, zorder=1)


def precision_dots(axes, rows, x, label):
    axes.plot(rows[x], rows["precision"], ".", color="0.55", markersize=2, label=label)
    axes.annotate(label, (rows[x][-1], rows["precision"][-1]), xytext=(0, -4), color="0.4",
                  textcoords="offset points", ha="right", va="top", fontsize=7)


def legends(axes, series, lines, place="best"):
    """What the colors and markers are, then what the line styles are."""
    handles = [Line2D([], [], color=color, marker=marker, markersize=3, label=label)
               for label, color, marker in series]
    handles += [Line2D([], [], color="black", linestyle=dashes, label=label)
                for label, dashes in zip(lines, ("-", "--"))]
    axes.legend(handles=handles, ncol=2, loc=place)


def finish_error(axes, label, x_label):
    axes.axhline(0, color="0.5", linewidth=0.6)
    axes.set_ylabel(label)
    axes.set_xscale("log")
    axes.set_xlabel(x_label)
