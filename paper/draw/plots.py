"""Pictures of single answers, from their rows: those of formats and files here, others elsewhere."""

import bills
import boxes
import lines
from boxes import FIELDS
from style import *


def drawing(kind):
    """The function that draws such an answer."""
    known = {"compare": compare, "measure": measure, "entropy": boxes.entropy, "sweep": lines.sweep,
             "cost": bills.cost, "islands": bills.islands, "scaling": bills.scaling,
             "mismatch": bills.mismatch}
    return known[kind]


def compare(data, title):
    """A bar for each format, as long as its register: what the fields carry, and what is wasted.

    What an element of a block carries has no fields.
    """
    rows = data.main
    count = len(rows["format"])
    figure, axes = plt.subplots(figsize=(5.2, 0.9 + 0.24 * count))
    places = range(count)
    left = 0 * rows["bits"]
    for field, color in FIELDS.items():
        carried = np.nan_to_num(rows[field])
        axes.barh(places, carried, left=left, color=color, height=0.7, label=field)
        left = left + carried
    if (whole := np.where(np.isnan(rows["mantissa"]), rows["entropy"], 0)).any():
        axes.barh(places, whole, left=left, color="#c9a227", height=0.7, label="element and scale")
        left = left + whole
    axes.barh(places, rows["bits"] - left, left=left, height=0.7, facecolor="white", edgecolor="0.7",
              linewidth=0.6, label="wasted")
    for place, bits, carried in zip(places, rows["bits"], rows["entropy"]):
        axes.annotate(f"{carried:.2f} of {bits:g}", (bits, place), xytext=(3, 0), va="center",
                      textcoords="offset points", fontsize=7)
    axes.set_axisbelow(True)
    axes.set_yticks(places, rows["format"])
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.set_xlim(0, 1.16 * max(rows["bits"]))
    axes.set_xlabel("bits of a register")
    axes.set_title(title)
    axes.legend(loc="lower right", fontsize=7)
    return figure


def measure(data, title):
    """Exponents against a normal law, the entropy of each tensor, and bits as filled boxes."""
    panels = list(data.main.groups("panel"))
    figure, all_axes = plt.subplots(len(panels), 1, figsize=(5.6, 2.2 * len(panels)), squeeze=False)
    draw = {"exponent": exponents, "tensor": tensors, "bit": bits}
    for axes, (name, part) in zip(all_axes[:, 0], panels):
        axes.set_axisbelow(True)
        draw[name](axes, part)
    all_axes[0, 0].set_title(title)
    figure.tight_layout()
    return figure


def exponents(axes, rows):
    x, measured, normal = rows["x"], rows["measured"], rows["normal"]
    axes.bar(x, measured, width=0.8, color=FIELDS["exponent"], label="measured")
    axes.plot(x, normal, "o", color="black", markersize=2.5, label="a normal law of that deviation")
    axes.set_yscale("log")
    axes.set_ylim(bottom=max(1e-8, np.min(measured[measured > 0]) / 3))
    axes.set_xlabel("exponent")
    axes.set_ylabel("share")
    axes.legend(fontsize=7)


def tensors(axes, rows):
    names, width, measured, normal = rows["name"], rows["x"], rows["measured"], rows["normal"]
    places = np.arange(len(names))
    axes.bar(places, width, width=0.8, facecolor="white", edgecolor="0.8", linewidth=0.5)
    axes.bar(places, measured, width=0.8, color=FIELDS["mantissa"], label="carried")
    axes.plot(places, normal, "_", color="black", markersize=4, label="normal law")
    axes.set_ylabel("bits a number")
    axes.set_ylim(0, 1.35 * max(width))
    if len(names) <= 24:
        axes.set_xticks(places, [as_it_is(name) for name in names], rotation=60, ha="right", fontsize=6)
    else:
        axes.set_xlabel("tensor, in the order of the file")
    axes.grid(axis="x", visible=False)
    axes.legend(loc="upper right", ncol=2, fontsize=7)


def bits(axes, rows):
    boxes.bit_boxes(axes, rows["name"], rows["measured"])
