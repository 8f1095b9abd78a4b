"""Amounts with units and error bars."""

import numpy as np
import pytest

from ktln2 import Bits, Joules


def test_error_bars_are_carried():
    a, b = Bits([1.0, 2.0], error=0.1, proved=True), Bits(0.5, error=0.2, proved=[True, False])
    both = a + b
    assert both.value.tolist() == [1.5, 2.5] and both.proved.tolist() == [True, False]
    np.testing.assert_allclose(both.error, 0.3)
    np.testing.assert_allclose((a - b).error, 0.3)
    assert (-2 * a).value.tolist() == [-2, -4] and (-2 * a).error.tolist() == [0.2, 0.2]
    assert (a / 2).error.tolist() == [0.05, 0.05]
    assert np.all(np.array([3.0, 4.0]) * Bits(2.0, 0.5) == Bits([6.0, 8.0]))
    assert sum([Bits(1.0), Bits(2.0)]).value == 3
    assert a.sum().value == 3 and a.sum().error == pytest.approx(0.2)


@pytest.mark.parametrize("mixed", [
    lambda: Bits(1) + Joules(1), lambda: Bits(1) - 1.0, lambda: 1.0 + Bits(1),
    lambda: Bits(1) * Bits(1), lambda: Bits(1) < Joules(1), lambda: Bits(1) / Joules(1),
    lambda: np.ones(3) + Bits(1), lambda: np.log2(Bits(1)),
])
def test_units_do_not_mix(mixed):
    with pytest.raises(TypeError):
        mixed()


def test_a_ratio_is_a_plain_number():
    assert Bits(3) / Bits(2) == 1.5 and isinstance(Bits(3) / Bits(2), float)


def test_bits_are_arrays_and_floats():
    many = Bits(np.arange(6.0).reshape(2, 3), error=1e-3)
    assert many.shape == (2, 3) and len(many) == 2 and [len(row) for row in many] == [3, 3]
    assert np.asarray(many).sum() == 15
    assert float(many[1, 2]) == 5 and isinstance(many[1, 2].value, float)
    with pytest.raises(TypeError, match="only one value can be a float, got 6"):
        float(many)
    with pytest.raises(ValueError):
        many.value[0, 0] = 7
    assert f"{Bits(1.25):.1f}" == "1.2" and "error <= 1.0e-03" in repr(many)


def test_joules_are_those_of_the_command_line():
    import ktln2
    told = ktln2.ask("entropy", "p24e8", "normal", temperature=77.5)
    assert Bits(told["value"]).joules(T=77.5).value == told["joules"]
    told = ktln2.ask("entropy", "p24e8", "normal", kbt=4e-21)
    assert Bits(told["value"]).joules(kbt=4e-21).value == told["joules"]
    with pytest.raises(ValueError, match="T must be finite and > 0, got 0"):
        Bits(1).joules(T=0)


def test_bars_can_be_compared():
    a, b = Bits(1.0, 0.3), Bits(1.5, 0.1)
    assert a.surely_less(b) and not b.surely_less(a) and not a.overlaps(b)
    assert a < b and a <= b and b > a and a != b and a == Bits(1.0)
