"""The rows of a sweep: lines along one axis, a map over two."""

from matplotlib.colors import LogNorm
from matplotlib.ticker import MaxNLocator

from style import *

# What axes and columns are called; others are called by their keys.
NAMES = {
    "p": "precision $p$", "E": "exponent bits $E$", "mu": r"mean $\mu$",
    "sigma": r"deviation $\sigma$", "scale": "scale", "dof": "degrees of freedom",
    "sigma_x": r"deviation of the inputs $\sigma_x$", "sigma_xi": r"deviation of the noise $\sigma_\xi$",
    "n": "data points $n$", "steps": "steps of SGD", "batch": "batch", "eta": r"learning rate $\eta$",
    "w": "true slope $w$", "w0": "start $w_0$", "slope": "slope", "temperature": "temperature (K)",
    "kbt": "$k_B T$ (J)", "duration": "duration (1/rate)", "rate": "rate",
    "energy_price": r"price of energy $\rho_J$ (1/J)", "inference_price": r"price of a prediction $\rho_I$",
    "trials": "trials", "format": "format", "distribution": "law", "law": "law",
    "value": "entropy (bits)", "bits": "erased (bits)", "joules": "least cost (J)",
    "input_bits": "held by the inputs (bits)", "output_bits": "held by the output (bits)",
    "precision_bits": "due to the precision (bits)", "differential_entropy": "differential entropy (bits)",
    "n_star": "best size $n^*$", "n_relaxed": r"best size $\tilde n$", "profit": "profit",
    "mse": "mean square error", "energy_joules": "energy (J)", "revenue": "revenue",
    "mmc_nats": r"mismatch cost ($k_B$)", "production_nats": "entropy production ($k_B$)",
    "production_star_nats": "least entropy production ($k_B$)", "sigma_x_star": r"best $\sigma_x$",
    "sigma_xi_star": r"best $\sigma_\xi$", "fields.sign": "sign (bits)",
    "fields.exponent": "exponent (bits)", "fields.mantissa": "mantissa (bits)",
    "entropy.grassberger.value": "entropy (bits)", "moments.mean.value": "mean",
    "moments.variance.value": "variance", "conditional": "of y given x (bits)", "mutual_information": "shared by x and y (bits)",
}


WARNED = "with a warning"


UNITS = {"nats": "$k_B$", "bits": "bits", "joules": "J", "seconds": "s"}


def named(key):
    """By the table, or by its own words with the unit that ends them."""
    key = key.replace("-", "_")
    words, _, unit = key.rpartition("_")
    if key in NAMES or not words or unit not in UNITS:
        return NAMES.get(key, key.replace("_", " "))
    return f"{words.replace('_', ' ')} ({UNITS[unit]})"


def sweep(data, title):
    keys, columns = data["axes"]["key"], numeric_columns(data)
    if not columns:
        raise SystemExit("draw.py: none of these columns has a number that could be drawn")
    axes = [swept_axis(data, i) for i in range(len(keys))]
    is_map = len(axes) == 2 and axes[0].is_words == axes[1].is_words
    if len(axes) == 2 and min(axes[0].count(), axes[1].count()) == 1:
        is_map = False
    figure, panels = plt.subplots(len(columns), 1, squeeze=False, sharex=True,
                                  figsize=(5.0, 0.7 + (2.9 if is_map else 2.4) * len(columns)))
    for panel, (column, error) in zip(panels[:, 0], columns):
        if is_map:
            heat_map(panel, data, axes, column)
        else:
            curves(panel, data, axes, column, error)
            if panel is not panels[0, 0] and panel.get_legend():
                panel.get_legend().remove()  # it would say the same
    (panels[-1, 0]).set_xlabel(named(axes[-1 if is_map else drawn_along(axes)].key))
    headline(figure, title)
    return figure


def numeric_columns(data):
    """(name, name of its error or nothing) of all that are numbers somewhere."""
    chosen = []
    for column, error in zip(data["columns"]["column"], as_words(data["columns"]["error"])):
        values = data.main[column]
        if isinstance(values, np.ndarray) and np.isfinite(values).any():
            chosen.append((column, error))
    return chosen


def as_words(entries):
    return ["" if not isinstance(entry, str) else entry for entry in entries]


class swept_axis:
    """A column of the table as an axis: its values, or words that stand at 0, 1, 2 ..."""

    def __init__(self, data, i):
        self.key = data["axes"]["key"][i]
        values = data.main[self.key]
        self.is_words = not isinstance(values, np.ndarray)
        words = list(dict.fromkeys(values)) if self.is_words else []
        self.values = np.array([words.index(v) for v in values]) if self.is_words else values
        self.words = [as_it_is(word) for word in words]
        self.is_log = not self.is_words and self.values.min() > 0 and (
            data["axes"]["is_log"][i] == 1 or self.values.max() / self.values.min() > 300)

    def count(self):
        return len(np.unique(self.values))

    def label(self, value):
        return self.words[int(value)] if self.is_words else f"{value:.4g}"


def drawn_along(axes):
    """Which axis lies along the lines: not one of a single value, one with numbers, the longer."""
    return max(range(len(axes)), key=lambda i: (axes[i].count() > 1, not axes[i].is_words,
                                                axes[i].count(), i))


def curves(panel, data, axes, column, error):
    along = drawn_along(axes)
    x, y = axes[along], np.where(np.isfinite(data.main[column]), data.main[column], np.nan)
    bars = np.nan_to_num(data.main[error]) if error else np.zeros(len(y))
    other = axes[1 - along] if len(axes) == 2 and axes[1 - along].count() > 1 else None
    if x.is_words and not other:
        return bars_of_words(panel, x, y, bars, column)
    groups = np.unique(other.values) if other else [None]
    for value, color, marker in zip(groups, shades(len(groups)) if other else [EXACT], cycle("osD^vPX<>")):
        chosen = other.values == value if other else np.full(len(y), True)
        style = dict(color=color, marker=marker if chosen.sum() <= 60 else "", elinewidth=0.8)
        style["linestyle"] = "none" if x.is_words or chosen.sum() == 1 else "-"
        panel.errorbar(x.values[chosen], y[chosen], yerr=visible(bars[chosen], y), **style,
                       label=other.label(value) if other else None)
    mark_warned(panel, data, x.values, y)
    finish_x(panel, x)
    finish_y(panel, y, bars)
    panel.set_ylabel(named(column))
    handles, labels = panel.get_legend_handles_labels()
    order = sorted(range(len(labels)), key=lambda i: labels[i] == WARNED)  # that last
    if handles:
        panel.legend([handles[i] for i in order], [labels[i] for i in order],
                     title=named(other.key) if other else None, loc="upper left",
                     bbox_to_anchor=(1.0, 1.03), borderaxespad=0.2, title_fontsize=7)


def bars_of_words(panel, x, y, bars, column):
    """A bar for each format or law, with its number."""
    panel.bar(x.values, y, width=0.62, color=SECOND, yerr=visible(bars, y), error_kw={"elinewidth": 0.8})
    for place, value in zip(x.values, y):
        if np.isfinite(value):
            panel.annotate(f"{value:.4g}", (place, max(value, 0)), xytext=(0, 3), ha="center",
                           textcoords="offset points", fontsize=7)
    panel.margins(y=0.12)
    panel.set_axisbelow(True)
    panel.grid(axis="x", visible=False)
    finish_x(panel, x)
    panel.set_ylabel(named(column))


def finish_y(panel, y, bars):
    """Logarithmic where the sizes differ very much; what is equal but for its error bars lies level."""
    known = y[np.isfinite(y)]
    if len(known) > 1 and known.min() > 0 and known.max() > 300 * known.min():
        panel.set_yscale("log")
        return
    panel.ticklabel_format(axis="y", useOffset=False)
    if known.max() - known.min() <= max(4 * bars.max(), 1e-12 * np.abs(known).max()):
        middle = known.mean()
        reach = max(0.05 * abs(middle), 2 * bars.max()) or 1
        panel.set_ylim(middle - reach, middle + reach)


def visible(bars, y):
    """Bars that are narrower than the lines are not drawn."""
    span = np.nanmax(y) - np.nanmin(y) or abs(np.nanmax(y))
    return np.where(bars > 1e-3 * span, bars, 0)


def mark_warned(panel, data, x, y):
    if "warnings" not in data.main or isinstance(data.main["warnings"], np.ndarray):
        return
    warned = np.array([bool(text) for text in data.main["warnings"]])
    if warned.any():
        panel.plot(x[warned], y[warned], "o", markerfacecolor="none", markeredgecolor=SMOOTH,
                   markersize=7, markeredgewidth=0.8, label=WARNED)


def finish_x(panel, x):
    if x.is_words:
        turn = sum(len(word) for word in x.words) > 60
        panel.set_xticks(range(len(x.words)), x.words, rotation=35 if turn else 0,
                         ha="right" if turn else "center", rotation_mode="anchor")
        panel.set_xlim(-0.6, len(x.words) - 0.4)
    elif x.is_log:
        panel.set_xscale("log")
    elif np.all(x.values == np.round(x.values)):
        panel.xaxis.set_major_locator(MaxNLocator(8, integer=True))


def edges_of(axis):
    """Between neighboring values, and as far beyond the outermost."""
    values = np.unique(axis.values).astype(float)
    if axis.is_log:
        values = np.log(values)
    if len(values) == 1:
        inner, reach = np.array([]), (0.5, 0.5)
    else:
        inner = (values[1:] + values[:-1]) / 2
        reach = (values[1] - values[0]) / 2, (values[-1] - values[-2]) / 2
    edges = np.concatenate([[values[0] - reach[0]], inner, [values[-1] + reach[1]]])
    return np.exp(edges) if axis.is_log else edges


def heat_map(panel, data, axes, column):
    down, along = axes
    table = np.full((down.count(), along.count()), np.nan)
    places = [np.searchsorted(np.unique(axis.values), axis.values) for axis in axes]
    table[places[0], places[1]] = np.where(np.isfinite(data.main[column]), data.main[column], np.nan)
    positive = table[table > 0]
    is_log = len(positive) == np.isfinite(table).sum() > 1 and positive.max() > 300 * positive.min()
    drawn = panel.pcolormesh(edges_of(along), edges_of(down), table, cmap="cividis", rasterized=True,
                             norm=LogNorm() if is_log else None)
    panel.figure.colorbar(drawn, ax=panel, label=named(column), pad=0.02)
    panel.grid(False)
    finish_x(panel, along)
    panel.set_xlim(edges_of(along)[[0, -1]])
    if down.is_words:
        panel.set_yticks(range(len(down.words)), down.words)
        panel.invert_yaxis()
    elif down.is_log:
        panel.set_yscale("log")
    elif np.all(down.values == np.round(down.values)):
        panel.yaxis.set_major_locator(MaxNLocator(8, integer=True))
    panel.set_ylabel(named(down.key))
    if table.size <= 64:
        write_values(panel, axes, table, drawn)


def write_values(panel, axes, table, drawn):
    rows, columns = (np.unique(axis.values) for axis in axes)
    for i, y in enumerate(rows):
        for k, x in enumerate(columns):
            if np.isfinite(table[i, k]):
                dark = drawn.norm(table[i, k]) < 0.55
                panel.text(x, y, f"{table[i, k]:.4g}", ha="center", va="center", fontsize=6,
                           color="white" if dark else "black")
