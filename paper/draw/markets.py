"""Profit against the size of the data, and the mismatch cost over the deviations of the data."""

from matplotlib.ticker import FuncFormatter

from style import *


PRICE = r"price of energy $\rho_J$ (1/J)"


def profit_ex(data):
    figure, (top, bottom) = with_error_panel(height=3.7)
    draw_profit(top, data, "rho_J", price_name)
    difference(bottom, data, "rho_J")
    legend_above(top, PRICE)
    return figure


def profit_sgd(data):
    """Below the profit and its error, the best size for many prices."""
    figure, (top, middle, bottom) = plt.subplots(
        3, 1, figsize=(3.4, 5), gridspec_kw={"height_ratios": [2.4, 1, 1]}
    )
    draw_profit(top, data, "rho_J", price_name)
    legend_above(top, PRICE)
    difference(middle, data, "rho_J")
    middle.set_xscale("log")
    draw_sizes(bottom, data, "rho_J", PRICE)
    return figure


def ddn_profit_ex(data):
    return derivative(data, "rho_J", price_name, PRICE)


def ddn_profit_sgd(data):
    return derivative(data, "rho_J", price_name, PRICE)


def profit_sgd_eta(data):
    return profit_and_sizes(data, "eta", rate_name, r"learning rate $\eta$")


def profit_sgd_B(data):
    figure = profit_and_sizes(data, "B", batch_name, "batch $B$")
    B = data["sizes"]["B"]
    bottom = figure.axes[1]
    bottom.plot(B, B, color="0.5", linestyle=":", linewidth=0.8, zorder=1, label="one batch")
    bottom.legend(loc="best")
    return figure


def ddn_profit_sgd_eta(data):
    return derivative(data, "eta", rate_name)


def ddn_profit_sgd_B(data):
    return derivative(data, "B", batch_name)


def MMC_Ex(data):
    return landscape(data)


def MMC_SGD(data):
    return landscape(data)


PAPERS_BOUND = dict(color=SMOOTH, linestyle="--", label="the paper's lower bound")
TRUE_BOUND = dict(color=SECOND, linestyle=":", linewidth=1.6, label="a bound that holds")


def mismatch_bound(data):
    """The mismatch cost and its bounds, and below how far these are from it."""
    figure, (top, bottom) = with_error_panel(ratio=1.4)
    rows = data.main
    top.plot(rows["sigma_x"], rows["mismatch"], color=EXACT, label="mismatch cost")
    top.plot(rows["sigma_x"], rows["paper"], **PAPERS_BOUND)
    top.plot(rows["sigma_x"], rows["corrected"], **TRUE_BOUND)
    top.set_ylim(0, None)
    top.set_ylabel("mismatch ($k_B$)")
    top.legend(loc="upper left")
    draw_bounds(bottom, data)
    bottom.set_ylabel("bound\nless cost")
    return figure


def draw_bounds(axes, data):
    """How far bounds are above what they are to bound: shaded where they are, at zero in the best case."""
    rows = data.main
    x, above = rows["sigma_x"], rows["paper"] - rows["mismatch"]
    axes.fill_between(x, 0, above, where=above > 0, color=SMOOTH, alpha=0.12, linewidth=0)
    axes.plot(x, above, **PAPERS_BOUND)
    axes.plot(x, rows["corrected"] - rows["mismatch"], **TRUE_BOUND)
    axes.axhline(0, color=EXACT, linewidth=0.9, label="mismatch cost")
    axes.set_xlabel(r"deviation $\sigma_x$")


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
        return "$0$"
    exponent = int(np.floor(np.log10(price)))
    factor = price / 10.0**exponent
    power = f"10^{{{exponent}}}"
    return f"${power}$" if factor == 1 else rf"${factor:g} \times {power}$"


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


def legend_above(axes, title=None):
    """Out of the way of the curves, which fill the panel."""
    axes.legend(loc="lower center", bbox_to_anchor=(0.45, 1), ncol=2, columnspacing=1.2,
                handlelength=2.2, title=title, title_fontsize=7)


def derivative(data, varied, name, title=None):
    """Linear near zero and logarithmic far from it, without a corner in between."""
    figure, (top, bottom) = with_error_panel(height=3.9, ratio=3)
    curves(top, data, varied, "derivative", name)
    zeros = dict(data["zeros"].groups(varied))
    for value, _, color, _ in curves_by(data.main, varied):
        for n in zeros[value]["n"] if value in zeros else ():
            top.axvline(n, color=color, linestyle=":", linewidth=1.0)
    top.axhline(0, color="0.3", linewidth=0.6)
    top.set_yscale("asinh", linear_width=1e-3)
    powers = [10.0**e for e in range(-3, 1)]
    low, high = data.main["derivative"].min(), data.main["derivative"].max()
    top.set_ylim(1.3 * low, 1.3 * high)
    top.set_yticks([sign * power for sign in (-1, 1) for power in powers if low <= sign * power <= high] + [0])
    top.yaxis.set_major_formatter(FuncFormatter(signed_power))
    top.minorticks_off()
    top.set_xscale("log")
    top.set_ylabel("derivative $u'(n)$")
    difference(bottom, data, varied)
    legend_above(top, title)
    return figure


def signed_power(value, _):
    if value == 0:
        return "0"
    return f"${'-' if value < 0 else ''}10^{{{round(np.log10(abs(value)))}}}$"


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
    """The best size is a multiple of the batch: it jumps."""
    sizes = data["sizes"]
    axes.step(sizes[varied], sizes["n_exact"], where="mid", color=EXACT, label="exact moments")
    axes.step(sizes[varied], sizes["n"], where="mid", color=SMOOTH, linestyle="--", linewidth=0.9,
              label="paper's formulas")
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
    figure, (left, right) = plt.subplots(1, 2, figsize=(6.2, 3.3), sharey=True)
    x, y, cost = as_map(data.main, "mmc")
    drawn = left.pcolormesh(x, y, cost, cmap="cividis", shading="gouraud", rasterized=True)
    contours(left, x, y, cost, [1, 2, 5, 10, 20, 30, 40, *range(60, 200, 20)], LIGHT)
    figure.colorbar(drawn, ax=left, label=r"$\mathrm{MMC}_v$ ($k_B$)", pad=0.02)
    draw_optima(left, data)
    left.set_ylabel(r"noise $\sigma_\xi$")
    left.set_title("mismatch cost")

    x, y, error = as_map(data["errors"], "difference")
    bound = np.abs(error).max()
    drawn = right.pcolormesh(x, y, error, cmap="PuOr", shading="gouraud", rasterized=True,
                             vmin=-bound, vmax=bound)
    contours(right, x, y, error, np.arange(-10, 11) / 10, DARK)
    figure.colorbar(drawn, ax=right, label=r"closed form $-$ exact ($k_B$)", pad=0.02)
    right.set_title("error")
    for axes in left, right:
        frame_of_map(axes, data)
    figure.legend(*left.get_legend_handles_labels(), loc="lower center", ncol=4, columnspacing=1.4,
                  handletextpad=0.3)
    figure.get_layout_engine().set(rect=(0, 0.07, 1, 0.93))
    return figure


def contours(axes, x, y, values, levels, color):
    """Lines, each with a number where it crosses a diagonal away from the other numbers."""
    lines = axes.contour(x, y, values, levels=levels, colors=color, linewidths=0.6)
    along = np.linspace(0.06, 0.94, 400)
    right, up = (ends[0] + along * (ends[-1] - ends[0]) for ends in (x, y))
    columns, rows = (np.searchsorted(ends, fine) - 1 for ends, fine in ((x, right), (y, up)))
    rising, falling = values[rows, columns], values[rows[::-1], columns]
    path, up = (rising, up) if np.ptp(rising) > np.ptp(falling) else (falling, up[::-1])
    crossings = sorted((i, level) for level in lines.levels
                       for i in np.flatnonzero(np.diff(np.sign(path - level))))
    numbered, last = set(), -1.0
    for i, level in crossings:
        if level not in numbered and along[i] - last > 0.07:
            numbered.add(level)
            last = along[i]
            axes.clabel(lines, [level], fontsize=6, fmt="%g", manual=[(right[i], up[i])], inline_spacing=2)


def frame_of_map(axes, data):
    """The box of the family, with room for the marks on its edge."""
    low_x, high_x, low_y, high_y = (data.number(f"sigma_{name}") for name in ("x_min", "x_max", "xi_min", "xi_max"))
    axes.grid(False)
    axes.set_xlim(low_x - 0.09 * (high_x - low_x), high_x)
    axes.set_ylim(low_y, high_y)
    axes.axvspan(axes.get_xlim()[0], low_x, facecolor="none", edgecolor="0.85", hatch="////", linewidth=0)
    for ticks, low, high in (axes.set_xticks, low_x, high_x), (axes.set_yticks, low_y, high_y):
        whole = [n for n in range(1, int(high) + 1) if n - low > 0.3]
        ticks([low, *whole], [f"{value:g}" for value in (low, *whole)])
    axes.set_xlabel(r"deviation $\sigma_x$")


def draw_optima(axes, data):
    """The figure's own α comes first in the table."""
    own = data.number("alpha")
    marks = cycle("v^sD")
    edge = dict(markeredgecolor=DARK, markeredgewidth=0.6, linestyle="none")
    for alpha, rows in data["optima"].groups("alpha"):
        for i, kind in enumerate(rows["entropies"]):
            if alpha == own and kind == "smooth":
                look = dict(marker="*", markersize=11, color="gold", zorder=5, label=rf"optimum, $\alpha = {alpha:g}$")
            elif alpha == own:
                look = dict(marker="o", markersize=2.6, color=LIGHT, zorder=6, label="with exact entropies")
            else:
                look = dict(marker=next(marks), markersize=4.2, color=LIGHT, zorder=4, label=rf"$\alpha = {alpha:g}$")
            axes.plot([rows["sigma_x"][i]], [rows["sigma_xi"][i]], **edge, **look)
