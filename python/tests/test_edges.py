"""Empty arrays, wrong types, and other things that happen."""

import fractions

import numpy as np
import pytest

import ktln2


def test_nothing_in_is_nothing_out():
    none = ktln2.normal(sigma=[])
    assert ktln2.entropy("p4e4", none).shape == none.pdf(0.0).shape == none.mean.shape == (0,)
    assert ktln2.entropy([], ktln2.normal()).shape == (0,)
    assert ktln2.by_bit("p4e4", none).bits.shape == (0, 8)
    assert ktln2.quantize("e4m3", []).shape == ktln2.codes("e4m3", []).shape == (0,)
    assert ktln2.measure(np.array([], dtype=np.float32)).bytes == 0


@pytest.mark.parametrize("wrong, error, why", [
    (lambda: ktln2.normal(None), TypeError, "mu must be a number or an array of numbers, got None"),
    (lambda: ktln2.normal(1j), TypeError, "mu must be a number or an array of numbers"),
    (lambda: ktln2.quantize("e4m3", [1j]), TypeError, "x must be an array of real numbers"),
    (lambda: ktln2.quantize("e4m3", np.longdouble(1)), TypeError, "at most double precision"),
    (lambda: ktln2.codes("p64e15", [1.0]), ValueError, "need 79 bits, more than 64"),
    (lambda: ktln2.decode("p24e8", [1.5]), TypeError, "codes must be whole numbers, got float64"),
    (lambda: ktln2.Format(3), TypeError, "format must be a name such as 'p24e8' or a Format"),
    (lambda: ktln2.Format("mxfp4").width, ValueError, "numbers are stored one by one"),
    (lambda: ktln2.Format("codebook:/nowhere"), ValueError, "/nowhere: cannot be read"),
    (lambda: ktln2.entropy("p4e4", ktln2.pair()), TypeError, "law must be a law"),
    (lambda: ktln2.entropy("p4e4", "pair"), ValueError, "expected a law of one variable"),
    (lambda: ktln2.entropy("p4e4", ktln2.empirical([1, 2]), certify=True), ValueError,
     "has no description in words"),
    (lambda: ktln2.compare(["e4m3"], ktln2.normal(sigma=[1, 2])), ValueError,
     r"law must be a single one, got the shape \(2,\)"),
    (lambda: ktln2.truncated(ktln2.normal(), low=[0, 3], high=[1, 2]), ValueError,
     r"high\[1\] must be greater than low = 3, got 2"),
    (lambda: ktln2.mixture([]), ValueError, "weights must be as many as the laws, 0, got 0"),
    (lambda: ktln2.mixture([(0, ktln2.normal())]), ValueError, "the sum of the weights must be > 0"),
    (lambda: ktln2.Bits(1, error=-1), ValueError, "error must be >= 0"),
    (lambda: ktln2.ask("paper"), ValueError, "no answer that a program could use"),
    (lambda: ktln2.quantize(ktln2.Format("p8e8", rounding="toward-zero"), [1.0]), ValueError,
     "rounding must be 'nearest' to store numbers"),
])
def test_mistakes_say_what_was_expected(wrong, error, why):
    with pytest.raises(error, match=why):
        wrong()


def test_numbers_of_other_kinds_are_numbers():
    assert ktln2.normal(sigma=fractions.Fraction(1, 2)).std == 0.5
    assert ktln2.normal(sigma=np.float32(0.5)).std == 0.5
    assert ktln2.cost.regression(ktln2.Format("p8e8"), n=np.int64(3)).n == 3


def test_a_codebook_is_a_format(tmp_path):
    (tmp_path / "codes.txt").write_text("-1\n0\n2\n")
    name = f"codebook:{tmp_path / 'codes.txt'}"
    assert ktln2.entropy(name, ktln2.normal()).value == ktln2.ask("entropy", name, "normal")["value"]
