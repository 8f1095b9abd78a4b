"""What the pictures show."""

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
import numpy as np
import pytest

import ktln2
from ktln2 import cost, plot


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def test_a_register_has_a_bar_for_each_bit():
    worth = ktln2.by_bit("e5m2", ktln2.normal())
    heights = [bar.get_height() for bar in plot.register("e5m2", ktln2.normal()).patches]
    assert heights == worth.bits.value.tolist()


def test_axes_that_are_given_are_drawn_on():
    _, own = plt.subplots()
    assert plot.cells("p4e4", ktln2.normal(), ax=own) is own


def test_cells_hold_the_mass_of_the_law():
    stairs = plot.cells("p4e4", ktln2.normal(), low=-3, high=3).patches[0].get_data()
    mass = stairs.values * np.diff(stairs.edges)
    assert mass.sum() == pytest.approx(np.diff(ktln2.normal().cdf(stairs.edges[[0, -1]]))[0])
    middle = (stairs.edges[:-1] + stairs.edges[1:]) / 2
    assert len(set(ktln2.codes("p4e4", middle))) == len(middle)


def test_cells_that_no_picture_can_show_are_refused():
    with pytest.raises(ValueError, match="low and high must be closer"):
        plot.cells("p24e8", ktln2.normal())
    with pytest.raises(ValueError, match="low must be less than high"):
        plot.cells("p4e4", ktln2.normal(), low=1, high=0)
    with pytest.raises(ValueError, match="format must round to nearest"):
        plot.cells(ktln2.Format("e4m3", rounding="up"), ktln2.normal())


def test_lines_are_entropies():
    sigma = np.geomspace(0.01, 10, 7)
    axes = plot.entropy(["e4m3", "e5m2"], ktln2.normal(sigma=sigma), sigma)
    assert axes.lines[0].get_ydata().tolist() == \
        ktln2.entropy("e4m3", ktln2.normal(sigma=sigma)).value.tolist()
    with pytest.raises(ValueError, match=r"x must be as long as the law, \(7,\), got \(3,\)"):
        plot.entropy("e4m3", ktln2.normal(sigma=sigma), [1, 2, 3])


@pytest.mark.parametrize("of", [
    cost.regression("p4e4"), cost.sgd("p4e4", steps=3), cost.average("p8e8"),
    cost.inference("p4e4")], ids=lambda one: one["kind"])
def test_the_bars_of_a_bill_end_where_it_does(of):
    bars = plot.bill(of).patches
    assert bars[-2].get_x() + bars[-2].get_width() == pytest.approx(of["bits"], rel=1e-9)
    assert bars[-1].get_width() == of["bits"]


def test_bills_without_fields_are_refused():
    streamed = cost.streaming("p3e3", n=5)
    assert streamed.bits.value == streamed["bits"] and streamed.joules.value == streamed["joules"]
    with pytest.raises(ValueError, match="of must be a single bill"):
        plot.bill(streamed)
