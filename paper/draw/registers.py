"""The entropy of one register and of two."""

from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator

from style import *

FLOOR = SECOND  # floor quantization


def outside(axes, **options):
    """A legend to the right of the axes, where it covers nothing."""
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.02), borderaxespad=0.2, **options)


def powers_of_two(axes, step):
    """Ticks at every `step`-th power of two, or closer ones on a short axis, logarithmic with base two."""
    low, high = (np.log2(end) for end in axes.get_xlim())
    while step > 1 and high - low < 2 * step:
        step //= 2
    exponents = np.arange(np.ceil(low / step) * step, high + 1e-9, step)
    axes.set_xticks(2.0**exponents, [f"$2^{{{int(e)}}}$" for e in exponents])
    axes.minorticks_off()


# --- entropy against the deviation ---


def against_sigma(data, top, bottom, error):
    """Exact entropy against the deviation, a curve for each number of exponent bits."""
    groups = list(data.main.groups("E"))
    ends = dict(data["ends"].groups("E"))
    for (E, rows), color in zip(groups, shades(len(groups))):
        top.plot(rows["sigma"], rows["entropy"], color=color, label=f"E = {E:.0f}")
        for end, dashes in (ends[E]["lowest"][0], "--"), (ends[E]["highest"][0], ":"):
            top.axvline(end, color=color, linestyle=dashes, linewidth=0.6)
        bottom.plot(rows["sigma"], rows["difference"], color=color)
    top.axhline(data.main["smooth"][0], color=SMOOTH, linestyle="--", label=r"$\tilde H_s^0(p)$")
    top.set_ylabel("entropy (bits)")
    top.set_ylim(0, None)
    top.set_title(f"p = {data.number('p'):.0f}")
    outside(top)
    zero_line(bottom)
    bottom.set_ylim(-error, error)
    bottom.set_ylabel("error (bits)")
    for axes in top, bottom:
        axes.set_xscale("log", base=2)
        axes.set_xlim(data.number("sigma_min"), data.number("sigma_max"))
        powers_of_two(axes, 32)
    bottom.set_xlabel(r"standard deviation $\sigma$")


def fp_exact_approx_sigma(data):
    figure, (top, bottom, near) = plt.subplots(
        3, 1, figsize=(3.6, 4.3), gridspec_kw={"height_ratios": [2.4, 1, 1]}
    )
    against_sigma(data, top, bottom, 0.05)
    top.tick_params(labelbottom=False)  # the first two panels have one axis
    rows = data["ripple"]
    near.plot(rows["sigma"], rows["difference"], color=SMOOTH, linestyle="--", label="the error")
    near.plot(rows["sigma"], rows["first_step"], color=EXACT, linestyle=":", label="that of\nApprox. 1")
    near.set_xscale("log", base=2)
    powers_of_two(near, 1)
    near.set_ylim(1.15 * min(rows["difference"]), 0)
    near.set_xlabel(r"standard deviation $\sigma$, two octaves")
    near.set_ylabel("error (bits)")
    outside(near)
    return figure


def appendix_sigma(data):
    figure, (top, bottom) = with_error_panel(3.2, 2.8)
    against_sigma(data, top, bottom, 0.3)
    return figure


# --- entropy against the mean ---


def fp_exact_approx_mu(data):
    figure, panels = plt.subplots(
        2, 2, sharex="col", sharey="row", figsize=(4.6, 3.2),
        gridspec_kw={"height_ratios": [2.6, 1], "width_ratios": [2.2, 1]},
    )
    for rows, (top, bottom) in zip((data.main, data["near"]), panels.T):
        top.plot(rows["mu"], rows["entropy"], color=EXACT, label="exact")
        top.plot(rows["mu"], rows["offset"], color=SMOOTH, linestyle="--", label="Approximation 3")
        top.plot(rows["mu"], rows["smooth"], color=SECOND, linestyle=":", linewidth=1.4, label="Approximation 2")
        bottom.plot(rows["mu"], rows["offset_difference"], color=SMOOTH, linestyle="--")
        bottom.plot(rows["mu"], rows["smooth_difference"], color=SECOND, linestyle=":", linewidth=1.4)
        within_half_a_bit(bottom)
        bottom.set_xlabel(r"mean $\mu$")
    top, bottom = panels.T[0]
    top.set_ylim(min(data.main["entropy"]) - 0.5, max(data.main["entropy"]) + 1.5)
    top.set_ylabel("entropy (bits)")
    bottom.set_ylabel("error (bits)")
    top.legend(loc="upper left")
    return figure


def within_half_a_bit(axes):
    zero_line(axes)
    for bound in -0.5, 0.5:
        axes.axhline(bound, color="0.5", linewidth=0.6, linestyle=(0, (1, 2)))
    axes.set_ylim(-0.8, 0.8)
    axes.set_yticks([-0.5, 0, 0.5])


def appendix_mu(data):
    figure, (top, bottom) = with_error_panel(2.2, 1.9, 2.2)
    rows = data.main
    top.plot(rows["mu"], rows["entropy"], color=EXACT, linewidth=0.9, label="exact")
    top.plot(rows["mu"], rows["offset"], color=SMOOTH, linestyle="--", linewidth=0.9, label="Approx. 3")
    top.set_ylim(-0.3, max(rows["entropy"]) + 1)
    top.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    top.set_ylabel("H (bits)")
    top.set_title(f"p = {data.number('p'):.0f}, E = {data.number('E'):.0f}", fontsize=7, pad=5)
    top.legend(loc="upper right", fontsize=5.5, handlelength=1.4, borderaxespad=0, labelspacing=0.25)
    bottom.plot(rows["mu"], rows["difference"], color=SMOOTH, linestyle="--", linewidth=0.9)
    zero_line(bottom)
    height = np.clip(np.nanmax(abs(rows["difference"])), 1.5, 5)  # without the pole at zero
    bottom.set_ylim(-height, height)
    bottom.yaxis.set_major_locator(MaxNLocator(4, integer=True, symmetric=True))
    bottom.set_ylabel("error")
    bottom.set_xlabel(r"mean $\mu$")
    return figure


def fp_off_zero(data):
    figure, (top, bottom) = with_error_panel()
    for sigma, rows, color, mark in curves_by(data.main, "sigma"):
        look = dict(color=color, marker=mark, markevery=(5, 40))
        top.plot(rows["mu"], rows["entropy"], label=rf"$\sigma$ = {sigma:g}", **look)
        top.plot(rows["mu"], rows["offset"], color=color, linestyle="--")
        bottom.plot(rows["mu"], rows["difference"], linestyle="--", **look)
    top.set_ylim(min(data.main["entropy"]) - 1, max(data.main["entropy"]) + 3)
    top.set_ylabel("entropy (bits)")
    top.set_title(f"p = {data.number('p'):.0f}, E = {data.number('E'):.0f}", loc="left")
    kinds = [Line2D([], [], color="0.2", label="exact"),
             Line2D([], [], color="0.2", linestyle="--", label="Approximation 3")]
    top.add_artist(top.legend(handles=kinds, loc="lower right", bbox_to_anchor=(1, 1), ncol=2, borderaxespad=0.1))
    top.legend(loc="lower left")
    within_half_a_bit(bottom)
    bottom.set_ylabel("error (bits)")
    bottom.set_xscale("log")
    bottom.minorticks_off()
    bottom.set_xlabel(r"mean $\mu$")
    return figure


# --- entropy against the precision ---


def at_precisions(p):
    """Markers at some precisions; at all of them they would run together."""
    marked = [i for i, value in enumerate(p) if value in (1, 4, 8, 12, 16, 20, 24, 32, 40, 53)]
    return marked or None


def against_precision(data, smooth, error):
    figure, (top, bottom) = with_error_panel()
    for E, rows, color, mark in curves_by(data.main, "E"):
        look = dict(color=color, marker=mark, markersize=2.8, markevery=at_precisions(rows["p"]))
        top.plot(rows["p"], rows["entropy"], label=f"E = {E:.0f}", **look)
        bottom.plot(rows["p"], rows["difference"], **look)
    top.plot(rows["p"], rows["smooth"], color=SMOOTH, linestyle="--", label=smooth, zorder=4)
    top.set_ylabel("entropy (bits)")
    outside(top)
    zero_line(bottom)
    bottom.set_ylim(-error, error)
    bottom.set_ylabel("error (bits)")
    bottom.set_xlabel("precision $p$")
    return figure, top, bottom


def fp_exact_approx_p_E(data):
    figure, top, bottom = against_precision(data, r"$\tilde H_s^0(p)$", 0.4)
    bottom.set_xticks([1, 8, 16, 24, 32, 40, 53])
    return figure


def joint_against_precision(data):
    figure, top, bottom = against_precision(data, r"$\tilde H_s(X, Y)$", 0.6)
    bottom.set_xticks([1, 4, 7, 10, 12, 16, 20, 24])
    return figure


def fp_joint_exact_approx_p_E_snr_2(data):
    return joint_against_precision(data)


def fp_joint_exact_approx_p_E_snr_100(data):
    return joint_against_precision(data)


# --- the structure of a register ---


def register_boxes(axes, p, E):
    """One box a bit: the sign, the exponent, the mantissa."""
    parts = [("sign", 1, "0.75"), (f"exponent, $E$ = {E}", E, "#f2c48d"), (f"mantissa, $p - 1$ = {p - 1}", p - 1, "#a9c8ea")]
    left = 0
    for name, count, color in parts:
        for i in range(count):
            axes.add_patch(Rectangle((left + i, 0), 0.9, 0.9, facecolor=color, edgecolor="black", linewidth=0.6))
        axes.text(left + (count - 0.1) / 2, 1.15 if count > 1 else -0.3, name, ha="center",
                  va="bottom" if count > 1 else "top", fontsize=7)
        left += count + 0.4
    axes.set_xlim(-0.9, left)
    axes.set_ylim(-1.3, 2.2)
    axes.set_aspect("equal")
    axes.axis("off")


def fp_diag(data):
    figure, (boxes, top, bottom) = plt.subplots(
        3, 1, figsize=(3.4, 4.1), gridspec_kw={"height_ratios": [0.7, 2.6, 1.2]}
    )
    register_boxes(boxes, int(data.number("p")), int(data.number("E")))
    looks = {"midpoint": dict(color=EXACT, linestyle="-"), "floor": dict(color=FLOOR, linestyle=":", linewidth=1.6)}
    rows = data.main
    leftmost = min(right for left, right in zip(rows["left"], rows["right"]) if left == 0) / 8
    for kind, cells in rows.groups("rounding"):
        edges = np.maximum(np.column_stack([cells["left"], cells["right"]]), leftmost).ravel()
        top.plot(edges, np.repeat(cells["width"], 2), label=rf"$\Delta(x)$, {kind}", **looks[kind])
    # A straight line on these axes; it begins where the figure does.
    end, height = rows["right"][-1], rows["smooth_right"][-1]
    top.plot([leftmost, end], [height * leftmost / end, height], color=SMOOTH, linestyle="--", label=r"$\Delta_s(x)$")
    top.set_xscale("log", base=2)
    top.set_yscale("log", base=2)
    powers_of_two(top, 2)
    top.set_xlabel("$x$")
    top.set_ylabel("cell width")
    top.legend(loc="upper left")
    for kind, points in data["ratio"].groups("rounding"):
        bottom.plot(points["x"], points["log_ratio"], **looks[kind])
    zero_line(bottom)
    for bound in -0.5, 0.5:
        bottom.axhline(bound, color="0.5", linewidth=0.6, linestyle=(0, (1, 2)))
    bottom.set_xscale("log", base=2)
    bottom.set_xlim(data.number("x_min"), data.number("x_max"))
    powers_of_two(bottom, 1)
    bottom.set_ylim(-0.75, 0.75)
    bottom.set_yticks([-0.5, 0, 0.5])
    bottom.set_xlabel(f"$x$ (here $p$ = {data.number('p_below'):.0f})")
    bottom.set_ylabel(r"$\log_2(\Delta_s/\Delta)$")
    return figure


def midpoint_quantization(data):
    figure, axes = one_panel(3.4, 2.0)
    cells, density = data.main, data["density"]
    low, high = density["x"][0], density["x"][-1]
    peak = 1.7 / max(density["density"])
    axes.plot(density["x"], density["density"] * peak, color="0.55", linewidth=0.8)
    axes.fill_between(density["x"], density["density"] * peak, color="0.93")
    axes.axhline(0, color="black", linewidth=1)
    arrow = dict(arrowstyle="-|>", color="black", linewidth=1.2, shrinkA=0, shrinkB=0)
    for i, (u, left, right) in enumerate(zip(cells["u"], cells["left"], cells["right"])):
        axes.vlines(u, 0, 2.4, color="black", linewidth=1.2)
        axes.text(u, -0.15, f"$u_{i + 1}$", ha="center", va="top")
        axes.text(u, 2.5, f"P = {cells['probability'][i]:.3f}", ha="center", va="bottom", fontsize=7)
        for start, height in (low if np.isnan(left) else left, 1.3), (high if np.isnan(right) else right, 0.8):
            axes.annotate("", (u, height), (start, height), arrowprops=arrow)
        if not np.isnan(right):
            axes.vlines(right, 0, 2.4, color=FLOOR, linewidth=1.6)
            axes.text(right, -0.15, rf"$\frac{{u_{i + 1} + u_{i + 2}}}{{2}}$", ha="center", va="top", color=FLOOR)
            axes.plot(right, 0.8, "o", color="black", markerfacecolor="white", markersize=4.5)
            axes.plot(right, 1.3, "o", color="black", markersize=4.5)
    axes.text(0.5, 1.02, f"$H(X_Q)$ = {sum(cells['term']):.3f} bits", transform=axes.transAxes, ha="center", fontsize=8)
    axes.set_xlim(low, high)
    axes.set_ylim(-0.85, 2.9)
    axes.axis("off")
    return figure


# --- the cells next to zero ---


def C0_vs_p(data):
    figure, axes = one_panel()
    for E, rows, color, mark in curves_by(data.main, "E"):
        axes.plot(rows["p"], rows["C0"], color=color, marker=mark, markersize=2.8, label=f"E = {E:.0f}",
                  markevery=at_precisions(rows["p"]))
    axes.set_yscale("log")
    axes.set_xticks([1, 8, 16, 24, 32, 40, 53])
    axes.set_xlabel("precision $p$")
    axes.set_ylabel("$C_0$")
    outside(axes)
    return figure


def eps0_vs_p(data):
    figure, (top, bottom) = with_error_panel()
    laws = dict(data.main.groups("law"))
    marks = {"normal": "o", "student": "s"}
    for name, part in laws.items():
        groups = list(part.groups("E"))
        for (E, rows), color in zip(groups, shades(len(groups))):
            dots = dict(color=color, marker=marks[name], markerfacecolor="none", markersize=4, linestyle="none",
                        markevery=at_precisions(rows["p"]))
            top.plot(rows["p"], rows["bound"], **dots)
            top.plot(rows["p"], rows["exact"], color=color, linewidth=0.8)
            bottom.plot(rows["p"], rows["excess"], **(dots | {"markersize": 2.5}))
    handles = [Line2D([], [], color=color, label=f"E = {E:.0f}") for (E, _), color in zip(groups, shades(len(groups)))]
    handles += [Line2D([], [], color="0.3", marker=marks[name], markerfacecolor="none", linestyle="none",
                       label=f"bound,\n{label}") for name, label in (("normal", "normal"), ("student", rf"Student $t_{{{data.number('dof'):g}}}$"))]
    handles.append(Line2D([], [], color="0.3", linewidth=0.8, label=r"$\varepsilon_0$ itself"))
    outside(top, handles=handles)
    top.set_yscale("log")
    top.minorticks_off()
    top.set_ylabel(r"$\varepsilon_0$ (bits)")
    bottom.set_yscale("log")
    bottom.set_ylabel("relative\nexcess")
    bottom.set_yticks([1e-9, 1e-5, 1e-1])
    bottom.set_xticks([1, 4, 8, 12, 16, 20, 24])
    bottom.set_xlabel("precision $p$")
    return figure


# --- exponents ---


def fp_exponents(data):
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(3.4, 3.3), gridspec_kw={"height_ratios": [2.2, 1]})
    groups = list(data.main.groups("sigma"))
    for (sigma, rows), color, hatch in zip(groups, shades(len(groups)), cycle(("", "////", "...."))):
        top.bar(rows["exponent"], rows["probability"], width=0.9, color=color, alpha=0.75, hatch=hatch,
                edgecolor="white", linewidth=0.3,
                label=rf"$\sigma$ = {sigma:g}: {rows['entropy'][0]:.4f} bits")
    top.set_xlabel("exponent")
    top.set_ylabel("probability")
    top.set_ylim(0, 1.75 * max(data.main["probability"]))
    top.legend(loc="upper left")
    octave = data["octave"]
    bottom.plot(octave["sigma"], octave["entropy"], color=EXACT)
    bottom.set_xscale("log", base=2)
    bottom.xaxis.set_major_locator(FixedLocator([1, 1.25, 1.5, 1.75, 2]))
    bottom.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    bottom.minorticks_off()
    bottom.set_xlabel(r"$\sigma$ over one octave")
    bottom.set_ylabel("$H$(exponent)\n(bits)")
    return figure


for _p in range(1, 9):
    globals()[f"app_sigma_p{_p}"] = appendix_sigma
    for _E in range(8):
        globals()[f"app_mu_p{_p}_E{_E}"] = appendix_mu
