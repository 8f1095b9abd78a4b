#!/usr/bin/python3
"""Draws the figures from their data, as SVG and PDF. It computes nothing.

Usage: draw.py [--jobs N] DIRECTORY [NAME...]

DIRECTORY has data/NAME.csv; figures/NAME.svg and figures/NAME.pdf come out. NAME is a label of the
paper without its "fig:"; without any, all that have data are drawn. A drawing that is up to date
with its data and with this program is kept. Prints a line for each: "drawn NAME" or "kept NAME".
"""

import argparse
import hashlib
import multiprocessing
import os
import signal
import sys
from pathlib import Path

HERE = Path(__file__).parent


def code_digest():
    code = b"".join(file.read_bytes() for file in sorted(HERE.glob("*.py")))
    return hashlib.sha256(code).hexdigest()[:16]


def data_files(directory, name):
    main = directory / "data" / f"{name}.csv"
    return [main, *sorted((directory / "data").glob(f"{name}.*.csv"))]


def stamp(directory, name, code):
    """What a drawing depends on: the data, and the code that draws."""
    data = hashlib.sha256(b"".join(file.read_bytes() for file in data_files(directory, name)))
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

    metadata = {"svg": {"Description": mark, "Date": None}, "pdf": {"Keywords": mark, "CreationDate": None}}
    for kind in "pdf", "svg":
        aside = directory / "figures" / f".ktln2-{os.getpid()}-{name}.{kind}"
        try:
            figure.savefig(aside, format=kind, metadata=metadata[kind])
            figure.set_layout_engine("none")  # the second file keeps the layout of the first
            aside.replace(directory / "figures" / f"{name}.{kind}")
        finally:
            aside.unlink(missing_ok=True)
    plt.close(figure)


def draw(task):
    directory, name, code = task
    mark = stamp(directory, name, code)
    if is_up_to_date(directory, name, mark):
        return f"kept {name}"
    # Only now, so that a run that has nothing to draw does not wait for matplotlib.
    import style
    import drawings

    save(drawings.drawing(name)(style.read(data_files(directory, name))), directory, name, mark)
    return f"drawn {name}"


def ignore_interrupts():
    """Ctrl-C goes to every process of the terminal; the parent alone ends the work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()

    directory = arguments.directory
    (directory / "figures").mkdir(exist_ok=True)
    names = arguments.names or sorted(
        file.stem for file in (directory / "data").glob("*.csv") if "." not in file.stem
    )
    code = code_digest()
    tasks = [(directory, name, code) for name in names]
    with multiprocessing.Pool(max(1, arguments.jobs), ignore_interrupts) as pool:
        for line in pool.imap_unordered(draw, tasks):
            print(line, flush=True)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:  # such as a full disk: not a matter of this program
        sys.exit(f"draw.py: {error}")
