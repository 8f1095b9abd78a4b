"""Laws from elsewhere: SciPy's, and one's own functions."""

import numpy as np
import pytest
import scipy.stats as st

import ktln2


@pytest.mark.parametrize("frozen, ours", [
    (st.norm(1, 2), ktln2.normal(1, 2)),
    (st.norm(loc=[0, 1], scale=3), ktln2.normal([0, 1], 3)),
    (st.t(5, 1, 2), ktln2.student(5, 1, 2)),
    (st.uniform(-1, 3), ktln2.uniform(-1, 2)),
    (st.laplace(scale=2), ktln2.laplace(0, 2)),
    (st.logistic(), ktln2.logistic()),
    (st.lognorm(0.5, scale=2), ktln2.lognormal(np.log(2), 0.5)),
    (st.expon(scale=3), ktln2.exponential(3)),
    (st.gamma(2.5, scale=3), ktln2.gamma(2.5, 3)),
    (st.chi2(4), ktln2.chi2(4)),
    (st.halfnorm(scale=2), ktln2.halfnormal(2)),
], ids=lambda one: getattr(getattr(one, "dist", None), "name", ""))
def test_scipys_frozen_laws_are_built_in_ones(frozen, ours):
    theirs, known = ktln2.entropy("p11e5", frozen), ktln2.entropy("p11e5", ours)
    assert np.array_equal(theirs.value, known.value)


@pytest.mark.parametrize("frozen", [
    st.gumbel_r(0.5, 2), st.cauchy(0.2, 3), st.expon(loc=1, scale=2), st.norm(0, 1e-3), st.beta(2, 3),
    st.skewnorm(4), st.norm(1000, 0.01),
], ids=lambda one: one.dist.name + str(one.args))
@pytest.mark.parametrize("format", ["p4e4", "p3e3"])
def test_other_laws_are_sampled_and_agree_with_the_sum_over_cells(frozen, format, by_summation):
    class Foreign:  # not known by its name
        pdf, cdf, support = frozen.pdf, frozen.cdf, frozen.support

    law = ktln2._foreign.law_of(Foreign())
    h = ktln2.entropy(format, law)
    assert h.value == pytest.approx(by_summation(format, frozen.cdf), abs=2 * h.error + 1e-9)
    assert h.error < 1e-8
    assert law.mean == pytest.approx(frozen.mean(), rel=1e-9) or not np.isfinite(frozen.mean())


def test_a_custom_law_that_is_normal_is_as_good_as_the_built_in_one():
    n = st.norm(0.5, 1.5)
    law = ktln2.custom(n.pdf, n.cdf, log_pdf=n.logpdf, name="mine")
    for format in ("p24e8", "bfloat16", "p53e11"):
        ours, known = ktln2.entropy(format, law), ktln2.entropy(format, ktln2.normal(0.5, 1.5))
        assert ours.overlaps(known) and ours.error < 1e-9
    assert repr(law) == "custom('mine')"


def test_functions_are_called_with_arrays_and_not_for_every_entropy():
    calls = []

    def pdf(x):
        calls.append(np.size(x))
        return np.exp(-x * x / 2) / np.sqrt(2 * np.pi)

    law = ktln2.custom(pdf, st.norm.cdf)
    made = len(calls)
    assert made < 100
    ktln2.entropy("p24e8", law)
    ktln2.by_field("p24e8", law)
    assert len(calls) == made


@pytest.mark.parametrize("pdf, cdf, why", [
    (lambda x: 2 * st.norm.pdf(x), st.norm.cdf, "must integrate to 1, got 2"),
    (lambda x: -st.norm.pdf(x), st.norm.cdf, "the density must be finite and >= 0"),
    (st.norm.pdf, st.logistic.cdf, "cdf must be the integral of the density"),
    (st.norm.pdf, lambda x: 2 + x * 0, "cdf must be from 0 to 1, got 2.0"),
    (st.norm.pdf, lambda x: 0.5 + x * 0, "cdf must rise from 0 to 1"),
    (lambda x: 1.0, st.norm.cdf, "pdf must take an array and give one of the same shape"),
    (lambda x: np.where(np.abs(x) < 0.9, 0.5 / 0.9, 0), lambda x: np.clip((x / 0.9 + 1) / 2, 0, 1),
     "is not smooth near"),
])
def test_what_is_no_law_is_refused_with_the_reason(pdf, cdf, why):
    with pytest.raises(ValueError, match="mine: .*" + why):
        ktln2.custom(pdf, cdf, name="mine")


def test_breaks_and_ends_make_a_jumping_density_a_law():
    flat = ktln2.custom(lambda x: np.where(np.abs(x) <= 1, 0.5, 0.0),
                        lambda x: np.clip((x + 1) / 2, 0, 1), support=(-1, 1), name="flat")
    assert ktln2.entropy("p8e8", flat).overlaps(ktln2.entropy("p8e8", ktln2.uniform(-1, 1)))
    spike = ktln2.custom(lambda x: np.exp(-np.abs(x)) / 2,
                         lambda x: np.where(x < 0, np.exp(np.minimum(x, 0)) / 2,
                                            1 - np.exp(-np.maximum(x, 0)) / 2), breaks=[0])
    assert ktln2.entropy("p8e8", spike).overlaps(ktln2.entropy("p8e8", ktln2.laplace()))


def test_a_spike_between_the_samples_is_not_lost_in_silence():
    wide, spike = st.norm(0, 1), st.norm(4.7, 1e-7)
    halves = [lambda x, f=f: (getattr(wide, f)(x) + getattr(spike, f)(x)) / 2 for f in ("pdf", "cdf")]
    with pytest.raises(ValueError, match="must integrate to 1, got 0.5"):
        ktln2.custom(*halves)


def test_discrete_laws_are_refused():
    with pytest.raises(TypeError, match="poisson is discrete"):
        ktln2.entropy("p8e8", st.poisson(3))
