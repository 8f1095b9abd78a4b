"""Tables of the paper, as pictures for those who want them so; the report typesets them itself."""

import textwrap

from style import *

LINE = 0.125  # inches


def text_table(parts, size=6.5):
    """Tables below each other, each (header, body, widths in inches), cells wrapped to the widths."""

    def wrapped(text, width):
        return textwrap.wrap(str(text), max(4, int(width * 18 * 6.5 / size))) or [""]

    parts = [([[wrapped(text, width) for text, width in zip(row, widths)] for row in [header, *body]], widths)
             for header, body, widths in parts]
    heights = [[LINE * max(len(cell) for cell in row) + 0.06 for row in rows] for rows, _ in parts]
    gap = 0.25
    height = sum(map(sum, heights)) + gap * (len(parts) - 1) + 0.1
    width = max(sum(widths) for _, widths in parts)
    figure = plt.figure(figsize=(width, height))
    figure.set_layout_engine("none")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, width)
    axes.set_ylim(-height + 0.05, 0.05)
    axes.axis("off")
    y = 0
    for (rows, widths), tall in zip(parts, heights):
        y = write_rows(axes, rows, widths, tall, y, size) - gap
    return figure


def write_rows(axes, rows, widths, heights, y, size):
    """With lines above, below the header and below; returns how far down it got."""
    right = sum(widths)
    axes.plot([0, right], [y, y], color="black", linewidth=1)
    for i, (row, height) in enumerate(zip(rows, heights)):
        x = 0.04
        for cell, width in zip(row, widths):
            axes.text(x, y - 0.04, "\n".join(cell).replace("-", "−"), va="top", fontsize=size, linespacing=1.25,
                      fontweight="bold" if i == 0 else "normal")
            x += width
        y -= height
        is_end = i in (0, len(rows) - 1)
        axes.plot([0, right], [y, y], color="black" if is_end else "0.85", linewidth=1 if i == len(rows) - 1 else 0.5)
    return y


def cyclic_device(data):
    rows = data.main
    header = ["step", "what", "input", "intermediary", "output", "entropy (bits)", "change (bits)", "least cost (J)"]
    body = [
        [step, what, inward, between, outward, f"{entropy:.3f}", f"{change:+.3f}" if change else "0", f"{cost:.4g}" if cost else "free"]
        for step, what, inward, between, outward, entropy, change, cost in zip(
            ["0", "1", "F−1", "F"], rows["what"], rows["input"], rows["intermediary"], rows["output"],
            rows["entropy"], rows["change"], rows["cost"])
    ]
    body[0][-1] = ""
    return text_table([(header, body, [0.4, 1.25, 0.6, 0.85, 1.1, 0.95, 0.95, 0.95])])


def approx_audit(data):
    """What each approximation takes for granted; one example of it; the worst of many."""
    rows = data.main
    worst = [name for name in rows.columns if name.startswith("worst_p")]
    names = rows["quantity"]
    claimed = [[names[i], *(rows[key][i] for key in ("status", "assumption", "validated_by", "used_in"))]
               for i in range(len(names))]
    example = [[names[i], rows["example"][i], f"{rows['exact'][i]:.6f}", f"{rows['approximate'][i]:.6f}",
                short(rows["error"][i]), short(rows["bound"][i]).lstrip("+") or "none"] for i in range(len(names))]
    family = [[names[i], rows["family"][i], *(short(rows[key][i]) for key in worst)] for i in range(len(names))]
    return text_table([
        (["quantity", "status", "assumption", "validated by", "used in"], claimed, [1.5, 1.0, 1.9, 1.7, 1.2]),
        (["quantity", "example", "exact", "approximate", "error", "bound"], example, [1.5, 2.2, 1.0, 1.0, 0.8, 0.8]),
        (["quantity", "family", *(f"worst, p = {key.removeprefix('worst_p')}" for key in worst)], family,
         [1.5, 2.8] + [1.0] * len(worst))])


def short(value):
    return "" if np.isnan(value) else f"{value:+.1e}" if abs(value) < 1e-3 else f"{value:+.4f}"
