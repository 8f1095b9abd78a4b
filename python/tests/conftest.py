"""What several tests share."""

import numpy as np
import pytest

import ktln2


def cell_edges(name):
    """Where the cells of a small format with one code a value end: midway between its values."""
    values = ktln2.Format(name).values()
    return np.concatenate([[-np.inf], (values[:-1] + values[1:]) / 2, [np.inf]])


def summed_entropy(name, cdf):
    """H by adding up the probabilities of all cells: the obvious road."""
    p = np.diff(np.array([float(cdf(x)) for x in cell_edges(name)]))
    p = p[p > 0]
    return float(-np.sum(p * np.log2(p)))


@pytest.fixture
def by_summation():
    return summed_entropy


@pytest.fixture
def rng(request):
    """The same numbers for the same test."""
    return np.random.default_rng(sum(map(ord, request.node.name)))


def pytest_terminal_summary(terminalreporter):
    """How many failed, of how many: what ./check counts."""
    count = {kind: len(terminalreporter.stats.get(kind, [])) for kind in ("passed", "failed", "error")}
    bad = count["failed"] + count["error"]
    terminalreporter.write_line(f"tally: {bad} {count['passed'] + bad}")
