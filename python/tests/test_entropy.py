"""Entropies, by field, by bit, of many rows at once."""

import numpy as np
import pytest
import scipy.stats

import ktln2

LAWS = {
    "normal": (ktln2.normal(0.3, 1.2), scipy.stats.norm(0.3, 1.2)),
    "student": (ktln2.student(3, 0.1, 2), scipy.stats.t(3, 0.1, 2)),
    "laplace": (ktln2.laplace(-0.5, 0.7), scipy.stats.laplace(-0.5, 0.7)),
    "lognormal": (ktln2.lognormal(0.2, 0.8), scipy.stats.lognorm(0.8, scale=np.exp(0.2))),
    "gamma": (ktln2.gamma(0.7, 3), scipy.stats.gamma(0.7, scale=3)),
    "triangular": (ktln2.triangular(-1, 0.5, 2), scipy.stats.triang(0.5, -1, 3)),
}


@pytest.mark.parametrize("name", sorted(LAWS))
@pytest.mark.parametrize("format", ["p4e3", "p2e4", "p7e0"])
def test_the_sum_over_all_cells_is_the_same(name, format, by_summation):
    ours, scipys = LAWS[name]
    h = ktln2.entropy(format, ours)
    assert h.error < 1e-11
    assert h.value == pytest.approx(by_summation(format, scipys.cdf), abs=1e-11)


def test_rows_are_what_each_would_be_alone(rng):
    mu, sigma = rng.normal(size=(7, 1)), rng.lognormal(size=5)
    formats = np.array(["p24e8", "bfloat16", "posit16", "e4m3", "p7e0"])
    together = ktln2.entropy(formats, ktln2.normal(mu, sigma), threads=2)
    assert together.shape == (7, 5)
    for i in range(7):
        for j in range(5):
            alone = ktln2.entropy(formats[j], ktln2.normal(mu[i, 0], sigma[j]))
            assert (alone.value, alone.error) == (together[i, j].value, together[i, j].error)


def test_the_number_of_threads_does_not_matter(rng):
    law = ktln2.normal(sigma=rng.lognormal(size=200))
    one, two = (ktln2.entropy("p24e8", law, threads=n) for n in (1, 2))
    assert np.array_equal(one.value, two.value) and np.array_equal(one.error, two.error)
    with pytest.raises(ValueError, match="threads must be None or from 1 to 256, got 0"):
        ktln2.entropy("p24e8", law, threads=0)


@pytest.mark.parametrize("format", ["p11e5", "bfloat16", "posit8", "e5m2"])
def test_fields_and_bits_add_up(format):
    law = ktln2.normal(sigma=[0.02, 1.0])
    total = ktln2.entropy(format, law)
    fields = ktln2.by_field(format, law)
    np.testing.assert_array_equal(fields.total.value, total.value)
    assert np.all((fields.sign + fields.exponent + fields.mantissa).overlaps(total))
    worth = ktln2.by_bit(format, law)
    assert worth.bits.shape == (2, ktln2.Format(format).width) == (2, len(worth.names))
    assert np.all(worth.bits.sum(axis=-1).overlaps(total))
    told = ktln2.ask("entropy", format, "normal:sigma=0.02", bits=True)
    assert worth.bits[0].value.tolist() == [one["entropy"] for one in told["bits"]]
    assert list(worth.names) == [one["name"] for one in told["bits"]]
    assert fields.exponent[0].value == told["fields"]["exponent"]


def test_a_certificate_is_a_proof_that_agrees():
    law = ktln2.normal(mu=[0.0, 0.5])
    proved = ktln2.entropy("p11e5", law, certify=True)
    assert proved.proved.all() and not ktln2.entropy("p11e5", law).proved.any()
    assert np.all(proved.overlaps(ktln2.entropy("p11e5", law)))


def test_blocks_and_roundings_are_those_of_the_command_line():
    assert ktln2.entropy("mxfp4", ktln2.normal()).value == \
        ktln2.ask("entropy", "mxfp4", "normal")["value"]
    for rounding in ("toward-zero", "stochastic", "up"):
        assert ktln2.entropy("e4m3", ktln2.normal(), rounding=rounding).value == \
            ktln2.ask("entropy", "e4m3", "normal", rounding=rounding)["value"]
    assert ktln2.entropy("p8e8", ktln2.normal(), rounding="toward-zero").value == \
        ktln2.ask("entropy", "p8e8", "normal", rounding="toward-zero")["value"]
    with pytest.raises(ValueError, match="rounding of the paper's formats must be"):
        ktln2.entropy("p8e8", ktln2.normal(), rounding="up")


def test_a_pair_is_that_of_the_command_line():
    many = ktln2.pair(sigma_xi=[1.0, 0.5])
    found = ktln2.joint("p6e4", many)
    told = ktln2.ask("entropy", "p6e4", "pair:sigma_xi=0.5")
    assert found.joint[1].value == told["value"] and found.x[1].value == told["x"]
    assert found.mutual_information[1].value == told["mutual_information"]
    assert np.all((found.x + found.y - found.joint).overlaps(found.mutual_information))
    with pytest.raises(ValueError, match=r"sigma_xi\[1\] must be finite and > 0, got 0"):
        ktln2.pair(sigma_xi=[1, 0])


def test_tolerances_are_checked_and_widen_the_bar():
    with pytest.raises(ValueError, match="tolerance must be > 0 and at most 1 bit, got 0"):
        ktln2.entropy("p24e8", ktln2.normal(), tolerance=0)
    rough = ktln2.entropy("p24e8", ktln2.normal(), tolerance=1e-3)
    assert rough.overlaps(ktln2.entropy("p24e8", ktln2.normal())) and rough.error <= 1e-3


def test_approximations_say_whether_they_apply():
    ladder = ktln2.approximations("p24e8", ktln2.normal())
    assert ladder["eq:single_mean_0"].applies
    assert ladder["eq:three_approxes"].value is None and not ladder["eq:three_approxes"].applies
    h = ktln2.entropy("p24e8", ktln2.normal())
    assert abs(ladder["eq:diff_approx"].value - h.value) <= ladder["eq:diff_approx"].answer.at_most


def test_formats_are_compared():
    rows = ktln2.compare(["bfloat16", ktln2.Format("e4m3")], ktln2.normal(sigma=0.02)).rows
    assert rows[0]["entropy"] == ktln2.entropy("bfloat16", ktln2.normal(sigma=0.02)).value
