"""Pictures of single answers, from their rows."""

import matplotlib.pyplot as plt
import numpy as np

FIELDS = {"sign": "#7a7a7a", "exponent": "#1f5fbf", "mantissa": "#7fb069"}


def compare(rows, title):
    """A bar for each format, as long as its register: what the fields carry, and what is wasted.

    What an element of a block carries has no fields.
    """
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
