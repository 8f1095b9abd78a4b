"""Draws the pictures of docs/python.md: ./run python python/tools/docs_pictures.py"""

from pathlib import Path

import matplotlib

matplotlib.use("agg")
import numpy as np

import ktln2
from ktln2 import plot

DOCS = Path(__file__).resolve().parents[2] / "docs"


def pictures():
    """The name of each picture, and its axes."""
    law = ktln2.normal(sigma=0.02)
    yield "register", plot.register("bfloat16", law)
    yield "cells", plot.cells("e4m3", law, low=-0.05, high=0.05)
    sigma = np.geomspace(1e-6, 1e4, 200)
    yield "entropy", plot.entropy(["binary16", "bfloat16", "e4m3", "e5m2", "posit8"],
                                  ktln2.normal(sigma=sigma), sigma, xlabel="deviation")
    yield "bill", plot.bill(ktln2.cost.regression("p24e8", n=1000, w=2))
    yield "profit", plot.profit("p24e8", energy_price=5e16, inference_price=10, w=2, kbt=4e-21)
    yield "landscape", plot.landscape("p24e8", constant=500, entropy="smooth")


if __name__ == "__main__":
    for name, axes in pictures():
        axes.figure.savefig(DOCS / f"python-{name}.png", dpi=110)
