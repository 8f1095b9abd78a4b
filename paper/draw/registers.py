"""The entropy of one register and of two."""

from style import *


def fp_exact_approx_sigma(data):
    return against_sigma(data)


def against_sigma(data):
    """Exact entropy against the deviation, a curve for each number of exponent bits."""
    figure, (top, bottom) = with_error_panel()
    groups = list(data.main.groups("E"))
    for (E, rows), color in zip(groups, shades(len(groups))):
        top.plot(rows["sigma"], rows["entropy"], color=color, label=f"E = {E:.0f}")
        for exponent, dashes in (1 - 2 ** (E - 1), "--"), (2 ** (E - 1), ":"):
            top.axvline(2.0**exponent, color=color, linestyle=dashes, linewidth=0.6)
        bottom.plot(rows["sigma"], rows["difference"], color=color)
    top.axhline(data.main["smooth"][0], color=SMOOTH, linestyle="--", label=r"$\tilde H_s^0(p)$")
    top.set_ylabel("entropy (bits)")
    top.set_ylim(0, None)
    top.legend(ncol=2, loc="lower left")
    bottom.axhline(0, color="0.5", linewidth=0.6)
    bottom.set_ylim(-0.1, 0.1)
    bottom.set_ylabel("error (bits)")
    bottom.set_xscale("log", base=2)
    bottom.set_xlabel(r"standard deviation $\sigma$")
    return figure
