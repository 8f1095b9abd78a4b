"""The bits of a register as boxes that are filled, and the law over the values that it can hold."""

from itertools import groupby

from matplotlib.ticker import MaxNLocator

from style import *

FIELDS = {"sign": "#7a7a7a", "exponent": "#1f5fbf", "mantissa": "#7fb069"}
WHOLE = "#c9a227"  # what has no fields
LAW = "#c8102e"


def field_of(name):
    """"exponent 7" is of the exponent."""
    return name.rstrip("0123456789").rstrip()


def entropy(data, title):
    """Above, what the parts of the register carry; below, where the law is among its values."""
    rows = data.main
    has_bits = max(rows["size"]) == 1 and len(rows["part"]) > 1
    has_law = "steps" in data.tables and len(data["steps"]["left"]) > 0
    count = len(rows["part"])
    upper = 1.35 if has_bits else 0.55 + 0.32 * count
    heights = [upper, 2.1, 0.42] if has_law else [upper]
    width = max(5.6, 0.105 * count) if has_bits else 5.6
    figure, axes = plt.subplots(len(heights), 1, figsize=(width, sum(heights) + 0.75), squeeze=False,
                                gridspec_kw={"height_ratios": heights})
    axes = axes[:, 0]
    if has_bits:
        bit_boxes(axes[0], rows["part"], rows["entropy"])
    else:
        part_bars(axes[0], rows)
    headline(figure, title)
    if has_law:
        law_over_values(axes[1], axes[2], data)
    return figure


def bit_boxes(axes, names, worths):
    """Boxes filled to the height of what each bit carries, given those before it."""
    places = np.arange(len(names))
    colors = [FIELDS.get(field_of(name), WHOLE) for name in names]
    axes.bar(places, np.clip(worths, 0, 1), width=0.86, color=colors)
    axes.bar(places, np.ones(len(names)), width=0.86, facecolor="none", edgecolor="0.3", linewidth=0.6)
    axes.set_ylim(0, 1.02)
    axes.set_yticks([0, 0.5, 1])
    axes.set_xlim(-0.8, len(names) - 0.2)
    axes.set_xticks([])
    axes.set_ylabel("bits carried")
    axes.grid(visible=False)
    name_fields(axes, names, worths)


def name_fields(axes, names, worths):
    """A brace and a name below each field, as far as there is room; narrow ones one line lower."""
    inches = axes.figure.get_size_inches()[0] - 0.9
    end_of_last = -np.inf
    for field, group in groupby(range(len(names)), lambda i: field_of(names[i])):
        group = list(group)
        first, last = group[0] - 0.43, group[-1] + 0.43
        color = FIELDS.get(field, WHOLE)
        axes.plot([first, last], [-0.06, -0.06], color=color, linewidth=2.4, clip_on=False,
                  solid_capstyle="butt")
        carried = np.clip(worths[group], 0, None).sum()
        name = "regime, exponent and fraction" if field == "bit" else field
        text = f"{name}: {amount(carried)} of {len(group)}"
        middle = (first + last) / 2
        half = 0.5 * len(text) * 0.062 * (len(names) + 0.6) / inches  # of the text, in boxes
        left = max(middle - half, -0.8)
        line = 0 if left > end_of_last else 1
        axes.annotate(text, (left + half, -0.06), xytext=(0, -5 - 9 * line), ha="center", va="top",
                      textcoords="offset points", fontsize=7, color="0.2", annotation_clip=False)
        if line == 0:
            end_of_last = left + 2 * half


def amount(bits):
    return "0" if bits == 0 else "<0.001" if bits < 0.001 else f"{bits:.4g}"


def part_bars(axes, rows):
    """A bar for each part, as long as it has bits."""
    names, sizes, carried = rows["part"], rows["size"], np.clip(rows["entropy"], 0, None)
    places = np.arange(len(names))
    axes.barh(places, carried, height=0.62, color=WHOLE)
    axes.barh(places, sizes, height=0.62, facecolor="none", edgecolor="0.3", linewidth=0.6)
    for place, size, worth in zip(places, sizes, carried):
        axes.annotate(f"{amount(worth)} of {size:g}", (size, place), xytext=(4, 0), va="center",
                      textcoords="offset points", fontsize=7)
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    axes.set_xlim(0, 1.22 * max(sizes))
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.set_xlabel("bits")
    axes.set_axisbelow(True)
    axes.grid(axis="y", visible=False)


def law_over_values(axes, strip, data):
    """The density, what the cells make of it, and in the strip below the values or their spacing."""
    steps, cells, bands = data["steps"], data["cells"], data["bands"]
    left, right, is_log, has_atoms = (
        data["view"][name][0] for name in ("left", "right", "is_log", "has_atoms"))
    middles = (steps["left"] + steps["right"]) / 2
    weight = middles * np.log(2) if is_log else 1  # a density over octaves
    density = steps["density"] * weight
    if has_atoms:
        ends = np.append(steps["left"], steps["right"][-1])
        axes.stairs(density, ends, fill=True, color=LAW, alpha=0.25, linewidth=0, label="the law, in steps")
        top = min(density.max(), 4 * np.quantile(density[density > 0], 0.8))
    else:
        axes.fill_between(middles, density, color=LAW, alpha=0.12, linewidth=0)
        axes.plot(middles, density, color=LAW, label="density of the law")
        top = density.max()
    edges = np.append(cells["left"], cells["right"][-1:])
    if len(edges) and not ((left < edges) & (edges < right)).any():
        axes.text(0.02, 0.94, f"All of it is stored as {cells['value'][0]:.17g}.", va="top", fontsize=7,
                  transform=axes.transAxes)
    elif len(edges) and np.isfinite(cells["probability"]).all():
        widths = np.log2(cells["right"] / cells["left"]) if is_log else cells["right"] - cells["left"]
        heights = cells["probability"] / widths
        axes.stairs(heights, edges, color="black", linewidth=0.8, label="stored: probability over width")
        top = max(top, min(heights.max(), 2.5 * top))
    axes.set_ylim(0, 1.12 * top if top > 0 else 1)
    axes.set_ylabel("density, an octave" if is_log else "density")
    axes.yaxis.set_major_locator(MaxNLocator(4))
    axes.legend(loc="upper right", bbox_to_anchor=(1, 1.02))
    axes.tick_params(labelbottom=False)
    axes.set_axisbelow(True)
    for one in axes, strip:
        if is_log:
            one.set_xscale("log", base=2 if right / left < 2**40 else 10)
        one.set_xlim(left, right)
    value_strip(strip, cells, bands, left, right, is_log)


def value_strip(axes, cells, bands, left, right, is_log):
    """The values themselves where they can be told apart, otherwise how far they are from each other."""
    axes.set_ylim(0, 1)
    axes.set_yticks([])
    axes.grid(visible=False)
    axes.spines["left"].set_visible(False)
    inside = [v for v in cells["value"] if left <= v <= right] if len(cells["left"]) else []
    if 0 < len(inside) <= 160:
        axes.vlines(inside, 0, 1, color="black", linewidth=0.7 if len(inside) > 60 else 1)
        axes.set_xlabel("the values that the register can hold")
        return
    share = np.log if is_log else (lambda x: x)
    whole = share(right) - share(left)
    used = sorted(set(bands["width"]))
    shade = {width: 0.55 + 0.4 * i / max(1, len(used) - 1) for i, width in enumerate(used)}
    lone = " apart" if len(bands["width"]) == 1 else ""
    for start, end, width in zip(bands["left"], bands["right"], bands["width"]):
        axes.axvspan(start, end, color=str(shade[width]), linewidth=0)
        axes.axvline(end, color="white", linewidth=0.6)
        if (share(end) - share(start)) / whole > 0.075:
            middle = np.sqrt(start * end) if is_log else (start + end) / 2
            axes.text(middle, 0.46, spacing(width) + lone, ha="center", va="center", fontsize=6.5)
    axes.set_xlabel("the values that the register can hold, and their distance")


def spacing(width):
    exponent = np.log2(width)
    if abs(exponent - round(exponent)) < 1e-9 and abs(exponent) > 3:
        return f"$2^{{{round(exponent)}}}$"
    return f"{width:.3g}"
