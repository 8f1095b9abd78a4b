"""Profit against the size of the data, and the mismatch cost over the deviations of the data."""

from style import *


def profit_ex(data):
    return profit(data, "rho_J", price_name)


def profit_sgd(data):
    """Below the profit and its error, the best size for many prices."""
    figure, (top, middle, bottom) = plt.subplots(
        3, 1, figsize=(3.4, 5), gridspec_kw={"height_ratios": [2.4, 1, 1]}
    )
    draw_profit(top, data, "rho_J", price_name)
    legend_above(top)
    difference(middle, data, "rho_J")
    middle.set_xscale("log")
    draw_sizes(bottom, data, "rho_J", r"price of energy $\rho_J$")
    return figure


def ddn_profit_ex(data):
    return derivative(data, "rho_J", price_name)


def ddn_profit_sgd(data):
    return derivative(data, "rho_J", price_name)


def profit_sgd_eta(data):
    return profit_and_sizes(data, "eta", rate_name, r"learning rate $\eta$")


def profit_sgd_B(data):
    figure = profit_and_sizes(data, "B", batch_name, "batch $B$")
    B = data["sizes"]["B"]
    figure.axes[1].plot(B, B, color="0.5", linestyle=":", linewidth=0.8, zorder=1)
    return figure


def ddn_profit_sgd_eta(data):
    return derivative(data, "eta", rate_name)


def ddn_profit_sgd_B(data):
    return derivative(data, "B", batch_name)


def MMC_Ex(data):
    return landscape(data)


def MMC_SGD(data):
    return landscape(data)


def cmos_erasure(data):
    """Heat against the duration, as it is and for what is erased; below, how far that is."""
    figure, (top, middle, bottom) = plt.subplots(
        3, 1, sharex=True, figsize=(3.4, 5), gridspec_kw={"height_ratios": [1.5, 1.5, 1]}
    )
    for vdd, rows, color, marker in curves_by(data.main, "vdd"):
        for kind, one in rows.groups("input"):
            style = dict(color=color, linestyle=":")
            if kind == "ramp":
                style = dict(color=color, marker=marker, markersize=3, markevery=(3, 6))
            name = rf"$V_{{dd}} = {vdd:g}\,k_B T/e$" if kind == "ramp" else None
            top.plot(one["duration"], one["heat"], **style, label=name)
            erased = np.where(one["erased"] > 0, one["erased"], np.nan)
            middle.plot(one["duration"], one["heat"] / erased, **style)
            bottom.plot(one["duration"], one["reads_one"], **style)
    best = data["optima"]
    middle.plot(best["duration"], best["heat"] / best["erased"], **{**STAR, "markersize": 7})
    middle.axhline(1, color="0.3", linestyle="--", linewidth=0.9)
    top.plot([], [], color="0.3", linestyle=":", label="input switched at once")
    top.plot([], [], color="0.3", linestyle="--", label="Landauer's bound")
    top.set_ylabel(r"heat ($k_B T \ln 2$)")
    middle.set_ylabel("heat per bit erased\n" + r"($k_B T \ln 2$)")
    bottom.set_ylabel("reads 1")
    bottom.set_xlabel("duration (a leaked charge takes 1)")
    for axes in top, middle, bottom:
        axes.set_xscale("log")
        axes.set_yscale("log")
    middle.set_ylim(0.7, 3e4)
    bottom.set_ylim(1e-5, 1)
    legend_above(top)
    return figure


def price_name(price):
    if price == 0:
        return r"$\rho_J = 0$"
    exponent = int(np.floor(np.log10(price)))
    factor = price / 10.0**exponent
    power = f"10^{{{exponent}}}"
    return rf"$\rho_J = {power}$" if factor == 1 else rf"$\rho_J = {factor:g} \times {power}$"


def rate_name(rate):
    return rf"$\eta = {rate:g}$"


def batch_name(batch):
    return f"$B = {batch:.0f}$"


def curves(axes, data, varied, quantity, name):
    """One curve a value of what varies."""
    for i, (value, rows, color, marker) in enumerate(curves_by(data.main, varied)):
        axes.plot(rows["n"], rows[quantity], color=color, marker=marker, markevery=(4 * i, 24),
                  markersize=3, label=name(value))


def draw_profit(axes, data, varied, name):
    best = dict(zip(data["optima"][varied], data["optima"]["n"]))

    def label(value):
        size = best[value]
        return f"{name(value)}: " + ("no $n^*$" if np.isnan(size) else f"$n^* = {size:.0f}$")

    curves(axes, data, varied, "profit", label)
    axes.plot(data["optima"]["n"], data["optima"]["profit"], **STAR)
    # Far beyond its optimum every curve falls without end.
    highest = data.main["profit"].max()
    bottom = min(rows["profit"][0] for _, rows in data.main.groups(varied))
    axes.set_ylim(bottom - 0.25 * (highest - bottom), highest + 0.1 * (highest - bottom))
    axes.set_xscale("log")
    axes.set_ylabel("profit $u(n)$")


def difference(axes, data, varied):
    for i, (_, rows, color, marker) in enumerate(curves_by(data.main, varied)):
        axes.plot(rows["n"], rows["difference"], color=color, marker=marker,
                  markevery=(4 * i, 24), markersize=2.5, linewidth=0.9)
    zero_line(axes)
    axes.set_ylabel("error")
    axes.ticklabel_format(axis="y", style="sci", scilimits=(-2, 3), useMathText=True)
    axes.yaxis.get_offset_text().set_fontsize(7)
    axes.set_xlabel("data points $n$")


def legend_above(axes):
    """Out of the way of the curves, which fill the panel."""
    axes.legend(loc="lower center", bbox_to_anchor=(0.45, 1), ncol=2, columnspacing=1.2,
                handlelength=2.2)


def profit(data, varied, name):
    figure, (top, bottom) = with_error_panel(height=3.7)
    draw_profit(top, data, varied, name)
    difference(bottom, data, varied)
    legend_above(top)
    return figure


def derivative(data, varied, name):
    figure, (top, bottom) = with_error_panel(height=3.7)
    curves(top, data, varied, "derivative", name)
    zeros = dict(data["zeros"].groups(varied))
    for value, _, color, _ in curves_by(data.main, varied):
        for n in zeros[value]["n"] if value in zeros else ():
            top.axvline(n, color=color, linestyle=":", linewidth=1.0)
    top.axhline(0, color="0.3", linewidth=0.6)
    top.set_yscale("symlog", linthresh=1e-3, linscale=0.6)
    top.set_xscale("log")
    top.set_ylabel("derivative $u'(n)$")
    difference(bottom, data, varied)
    legend_above(top)
    return figure


def profit_and_sizes(data, varied, name, axis_label):
    """Below the profit, the best size for many values of what varies."""
    figure, (top, bottom) = plt.subplots(
        2, 1, figsize=(3.4, 4.2), gridspec_kw={"height_ratios": [1.9, 1]}
    )
    draw_profit(top, data, varied, name)
    top.set_xlabel("data points $n$")
    legend_above(top)
    draw_sizes(bottom, data, varied, axis_label)
    return figure


def draw_sizes(axes, data, varied, axis_label):
    sizes = data["sizes"]
    axes.plot(sizes[varied], sizes["n_exact"], color=EXACT, label="exact moments")
    axes.plot(sizes[varied], sizes["n"], color=SMOOTH, linestyle="--", label="paper's formulas")
    axes.plot(data["optima"][varied], data["optima"]["n"], **{**STAR, "markersize": 7})
    axes.set_xscale("log")
    axes.set_xlabel(axis_label)
    axes.set_ylabel("best size $n^*$")
    axes.set_ylim(0, None)
    axes.legend(loc="best")


def as_map(table, quantity):
    sigma_x, sigma_xi = (np.unique(table[name]) for name in ("sigma_x", "sigma_xi"))
    return sigma_x, sigma_xi, table[quantity].reshape(len(sigma_x), len(sigma_xi)).T


def landscape(data):
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(5.2, 2.9), sharey=True, gridspec_kw={"width_ratios": [1.35, 1]}
    )
    for axes in left, right:
        axes.grid(False)
    x, y, cost = as_map(data.main, "mmc")
    drawn = left.pcolormesh(x, y, cost, cmap="cividis", shading="gouraud", rasterized=True)
    lines = left.contour(x, y, cost, levels=[1, 2, 5, *range(10, 200, 10)], colors="white",
                         linewidths=0.6)
    left.clabel(lines, [level for level in lines.levels if level >= 5], fontsize=6, fmt="%g")
    figure.colorbar(drawn, ax=left, label=r"$\mathrm{MMC}_v$ ($k_B$)", pad=0.02)
    draw_optima(left, data)
    left.set_ylabel(r"noise $\sigma_\xi$")
    left.set_title("mismatch cost")

    x, y, error = as_map(data["errors"], "difference")
    bound = np.abs(error).max()
    drawn = right.pcolormesh(x, y, error, cmap="PuOr", shading="gouraud", rasterized=True,
                             vmin=-bound, vmax=bound)
    lines = right.contour(x, y, error, levels=np.arange(-10, 11) / 10, colors="0.2", linewidths=0.5)
    right.clabel(lines, [-0.1, 0, 0.1], fontsize=6, fmt="%g")
    figure.colorbar(drawn, ax=right, label=r"closed form $-$ exact ($k_B$)", pad=0.02)
    right.set_title("error")
    for axes in left, right:
        axes.set_xlabel(r"deviation $\sigma_x$")
    figure.legend(*left.get_legend_handles_labels(), loc="lower center", ncol=4, columnspacing=1.2,
                  handletextpad=0.3)
    figure.get_layout_engine().set(rect=(0, 0.08, 1, 0.92))
    return figure


def draw_optima(axes, data):
    """The figure's own α comes first in the table."""
    own = data.number("alpha")
    marks = cycle("v^sD")
    for alpha, rows in data["optima"].groups("alpha"):
        for i, kind in enumerate(rows["entropies"]):
            if alpha == own and kind == "smooth":
                style = {**STAR, "markersize": 12, "label": rf"optimum, $\alpha = {alpha:g}$"}
            elif alpha == own:
                style = dict(marker="*", markersize=6, color="white", markeredgecolor="black",
                             markeredgewidth=0.6, linestyle="none", zorder=6, label="exact entropies")
            else:
                style = dict(marker=next(marks), markersize=4, color="white", zorder=4,
                             markeredgecolor="black", markeredgewidth=0.6, linestyle="none",
                             label=rf"$\alpha = {alpha:g}$")
            axes.plot([rows["sigma_x"][i]], [rows["sigma_xi"][i]], clip_on=False, **style)
