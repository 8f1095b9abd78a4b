"""How all drawings look, and how they read their data."""

import csv
import logging
import textwrap
from itertools import cycle

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

# It remarks on the dates of the font that goes into every PDF.
logging.getLogger("fontTools").setLevel(logging.ERROR)

plt.rcParams.update(
    {
        "figure.constrained_layout.use": True,
        "figure.dpi": 100,
        "font.family": "DejaVu Sans",
        "font.size": 8,
        "axes.titlesize": 8,
        "axes.labelsize": 8,
        "axes.linewidth": 0.6,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "grid.linewidth": 0.3,
        "grid.color": "0.88",
        "lines.linewidth": 1.1,
        "lines.markersize": 3.5,
        "legend.fontsize": 7,
        "legend.frameon": False,
        "xtick.labelsize": 7,
        "ytick.labelsize": 7,
        "mathtext.fontset": "dejavusans",
        "svg.fonttype": "none",
        "svg.hashsalt": "ktln2",
        "pdf.fonttype": 42,
    }
)

SMOOTH = "#c8102e"  # the approximations' red, dashed everywhere
EXACT = "black"
SECOND = "#1f5fbf"  # the second of two approximations, dotted
# On a map, whose colors do not change on a dark page; see vector.py.
LIGHT, DARK = "#fefefe", "#010101"
STAR = dict(marker="*", markersize=10, markerfacecolor="gold", markeredgecolor="black",
            markeredgewidth=0.6, linestyle="none", zorder=5)


class Table:
    """Columns by name: numbers as arrays (nothing becomes NaN), words as lists."""

    def __init__(self, names, rows):
        self.columns = {name: column([row[i] for row in rows]) for i, name in enumerate(names)}

    def __getitem__(self, name):
        return self.columns[name]

    def __contains__(self, name):
        return name in self.columns

    def groups(self, name):
        """(value, table of the rows that have it), in the order of the file."""
        values = self[name]
        for value in dict.fromkeys(values):
            chosen = [i for i, v in enumerate(values) if v == value]
            part = Table([], [])
            part.columns = {
                key: entries[chosen] if isinstance(entries, np.ndarray) else [entries[i] for i in chosen]
                for key, entries in self.columns.items()
            }
            yield value, part


class Data:
    """The tables of a figure, the main one as `main`, the others by name, and its parameters."""

    def __init__(self):
        self.main = None
        self.tables = {}
        self.parameters = {}

    def __getitem__(self, name):
        return self.tables[name]

    def number(self, name):
        return self.parameters[name][0]


def column(entries):
    try:
        return np.array([float(entry) if entry else np.nan for entry in entries])
    except ValueError:
        return entries


def read(files):
    data = Data()
    for file in files:
        with file.open(newline="", encoding="utf-8") as lines:
            rows = []
            for line in lines:
                if not line.startswith("#"):
                    rows.append(line)
                elif line.startswith("# parameter "):
                    name, _, rest = line[len("# parameter ") :].partition(" = ")
                    values = rest.partition(" (")[0]
                    data.parameters[name] = [float(value) for value in values.split(", ")]
        header, *body = csv.reader(rows)
        table = Table(header, body)
        name = file.name.removesuffix(".csv").partition(".")[2]
        if name:
            data.tables[name] = table
        else:
            data.main = table
    return data


def as_it_is(text):
    """A user's words, which are no formula even if they have a dollar sign."""
    return "".join(c if c.isprintable() else "?" for c in text).replace("$", r"\$")


def headline(figure, title):
    """Above all panels, broken where it is wider than the figure."""
    letters = int(13.5 * figure.get_size_inches()[0])
    figure.suptitle("\n".join(textwrap.wrap(title, letters)), fontsize=8)


def shades(count):
    """Colors that stay in order in grey and for the color-blind, dark to light."""
    return [matplotlib.colormaps["viridis"](x) for x in np.linspace(0, 0.85, count)]


def curves_by(table, name):
    """(value, its rows, color, marker), one for each curve; markers tell them apart without color."""
    groups = list(table.groups(name))
    for (value, rows), color, marker in zip(groups, shades(len(groups)), cycle("osD^vPX<>")):
        yield value, rows, color, marker


def zero_line(axes):
    axes.axhline(0, color="0.5", linewidth=0.6)


def with_error_panel(width=3.4, height=3.2, ratio=2.6):
    """A figure with a large panel and a small one below that shares its x axis."""
    return plt.subplots(
        2, 1, sharex=True, figsize=(width, height), gridspec_kw={"height_ratios": [ratio, 1]}
    )


def one_panel(width=3.4, height=2.6):
    return plt.subplots(figsize=(width, height))
