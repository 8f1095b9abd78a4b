#!/usr/bin/python3
"""Draws the figures from their data, as SVG and PDF. It computes nothing.

Usage: draw.py [--jobs N] DIRECTORY [NAME|NAME=SOURCE,SOURCE...]...
       draw.py --plot KIND [--title TEXT] ROWS.csv FILE.svg|FILE.pdf|FILE.png

DIRECTORY has data/NAME.csv; figures/NAME.svg and figures/NAME.pdf come out. NAME is a label of the
paper without its "fig:"; without any, all that data/ledger.json lists are drawn. A drawing that is
up to date with its data and with this program is kept. Prints a line for each: "drawn NAME" or
"kept NAME". NAME=SOURCE,... is a drawing over the data of several figures. With --plot, the rows of one answer are drawn as plots.KIND has it; further tables of it
are ROWS.NAME.csv beside them.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# Whatever else lies beside this program, say a matplotlib.py, is not to be run. Before other imports.
sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder) != HERE]

import argparse
import hashlib
import importlib.abc
import importlib.util
import json
import multiprocessing
import signal
from pathlib import Path

HERE = Path(HERE)
OWN = ("bills", "boxes", "costs", "draw", "drawings", "fits", "lines", "many", "markets", "overviews",
       "plots", "registers", "style", "tables", "vector")


class own_modules(importlib.abc.MetaPathFinder):
    """Finds the other files of this program, and those alone, where this one is."""

    def find_spec(self, name, path=None, target=None):
        return importlib.util.spec_from_file_location(name, HERE / f"{name}.py") if name in OWN else None


sys.meta_path.insert(0, own_modules())


def code_digest():
    code = b"".join((HERE / f"{name}.py").read_bytes() for name in OWN)
    return hashlib.sha256(code).hexdigest()[:16]


def data_files(directory):
    """By NAME the files that a run made, whatever else lies beside them."""
    ledger = json.loads((directory / "data" / "ledger.json").read_text(encoding="utf-8"))
    return {name: [directory / file for file in entry["files"]] for name, entry in ledger.items()}


def stamp(files, code):
    """What a drawing depends on: the data, and the code that draws."""
    data = hashlib.sha256(b"".join(file.read_bytes() for file in files))
    return f"ktln2 {data.hexdigest()[:16]} {code}"


def is_up_to_date(directory, name, mark):
    figures = directory / "figures"
    pdf, svg = figures / f"{name}.pdf", figures / f"{name}.svg"
    if not (pdf.is_file() and svg.is_file()):
        return False
    with svg.open(encoding="utf-8") as lines:
        return mark in lines.read(4096)


def save(figure, directory, name, mark):
    """The SVG is written last: its mark vouches for both files."""
    import matplotlib.pyplot as plt
    import vector

    metadata = {"svg": {"Description": mark, "Date": None}, "pdf": {"Keywords": mark, "CreationDate": None}}
    for kind in "pdf", "svg":
        aside = directory / "figures" / f".ktln2-{os.getpid()}-{name}.{kind}"
        try:
            figure.savefig(aside, format=kind, metadata=metadata[kind], transparent=True)
            figure.set_layout_engine("none")  # the second file keeps the layout of the first
            if kind == "svg":
                aside.write_text(vector.finished(aside.read_text(encoding="utf-8")), encoding="utf-8")
            with aside.open("rb") as written:
                os.fsync(written.fileno())  # a file in its place is whole, whatever happens
            aside.replace(directory / "figures" / f"{name}.{kind}")
        finally:
            aside.unlink(missing_ok=True)
    plt.close(figure)


def draw(task):
    directory, name, sources, code = task
    mark = stamp([file for files in sources.values() for file in files], code)
    if is_up_to_date(directory, name, mark):
        return f"kept {name}"
    # Only now, so that a run that has nothing to draw does not wait for matplotlib.
    import style
    import drawings

    data = {source: style.read(files) for source, files in sources.items()}
    is_overview = list(data) != [name]
    save(drawings.drawing(name)(data if is_overview else data[name]), directory, name, mark)
    return f"drawn {name}"


def task_of(word, directory, files, code):
    name, _, sources = word.partition("=")
    return directory, name, {source: files[source] for source in (sources or name).split(",")}, code


def plot(kind, title, rows, target):
    import plots
    import style
    import vector

    files = [rows, *sorted(rows.parent.glob(f"{rows.stem}.*.csv"))]
    form = target.suffix[1:]
    dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}  # the same rows, the same file
    figure = plots.drawing(kind)(style.read(files), style.as_it_is(title))
    figure.savefig(target, format=form, dpi=200, metadata=dates.get(form))
    if form == "svg":  # on white, wherever it goes
        target.write_text(vector.finished(target.read_text(encoding="utf-8"), False), encoding="utf-8")


def ignore_interrupts():
    """Ctrl-C goes to every process of the terminal; the parent alone ends the work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--plot", metavar="KIND")
    parser.add_argument("--title", default="")
    arguments = parser.parse_args()

    directory = arguments.directory
    if arguments.plot:
        return plot(arguments.plot, arguments.title, directory, Path(arguments.names[0]))
    (directory / "figures").mkdir(exist_ok=True)
    files = data_files(directory)
    code = code_digest()
    tasks = [task_of(word, directory, files, code) for word in arguments.names or sorted(files)]
    jobs = max(1, min(arguments.jobs, len(tasks)))
    with multiprocessing.Pool(jobs, ignore_interrupts) as pool:
        for line in pool.imap_unordered(draw, tasks):
            print(line, flush=True)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:  # such as a full disk: not a matter of this program
        sys.exit(f"draw.py: {error}")
