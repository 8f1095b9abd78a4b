"""Laws: every one of the catalogue, and arrays of them."""

import pickle

import numpy as np
import pytest
import scipy.stats

import ktln2
from ktln2 import _core

MAKERS = {name: getattr(ktln2, name) for name, keys, _ in _core.law_catalogue()
          if keys and name not in ("pair", "row", "ols")}


def test_the_python_laws_have_the_keys_and_defaults_of_the_catalogue():
    import inspect
    for name, keys, _ in _core.law_catalogue():
        if not keys:
            continue
        parameters = inspect.signature(getattr(ktln2, name)).parameters
        assert list(parameters) == [key for key, _ in keys]
        for key, otherwise in keys:
            default = parameters[key].default
            assert default == (otherwise if isinstance(default, str) else float(otherwise))


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_a_law_by_its_defaults_is_that_of_the_command_line(name):
    law = MAKERS[name]()
    told = ktln2.ask("law", name, at=[0.3, 1.5])
    assert law.mean == told["mean"]
    assert law.std == told["deviation"]
    assert law.differential_entropy == told["differential_entropy"]
    assert list(law.pdf([0.3, 1.5])) == told["pdf"]
    assert list(law.cdf([0.3, 1.5])) == told["cdf"]
    assert ktln2.entropy("p11e5", law).value == ktln2.ask("entropy", "p11e5", name)["value"]


def test_parameters_broadcast():
    law = ktln2.normal(mu=[[0.0], [1.0]], sigma=[1.0, 2.0, 3.0])
    assert law.shape == (2, 3)
    assert law.std.tolist() == [[1, 2, 3], [1, 2, 3]]
    alone = [[ktln2.normal(m, s).cdf(0.25) for s in (1, 2, 3)] for m in (0, 1)]
    assert law.cdf(0.25).tolist() == alone
    assert law.cdf(np.zeros((4, 1, 1))).shape == (4, 2, 3)
    assert law[1, 2].describe() == "normal:mu=1,sigma=3"


def test_a_quantile_is_the_inverse_of_the_distribution_function():
    law = ktln2.student(dof=[3, 30])
    q = np.array([[0.001], [0.5], [0.999]])
    np.testing.assert_allclose(law.cdf(law.quantile(q)), np.broadcast_to(q, (3, 2)), rtol=1e-12)
    np.testing.assert_allclose(law.quantile(q), scipy.stats.t([3, 30]).ppf(q), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_an_error_names_the_argument_and_the_lowest_index(threads):
    sigma = np.ones((20, 30))
    sigma[17, 2] = sigma[3, 17] = -1
    with pytest.raises(ValueError, match=r"^sigma\[3, 17\] must be finite and > 0, got -1$"):
        ktln2.normal(sigma=sigma)
    steps = np.array([[2, -1, 2], [2, -1, -1]])
    late = ktln2.sgd(steps=steps, law="exact")  # which is checked when it is used
    with pytest.raises(ValueError, match=r"^steps\[0, 1\] must "):
        ktln2.entropy("p4e4", late, threads=threads)


def test_an_index_is_that_of_the_argument_itself():
    with pytest.raises(ValueError, match=r"^sigma\[2\] must be finite and > 0, got 0$"):
        ktln2.normal(mu=np.zeros((5, 3)), sigma=[1, 1, 0])
    with pytest.raises(ValueError, match=r"^mu\[4, 0\] must be finite"):
        ktln2.normal(mu=[[0], [0], [0], [0], [np.nan]], sigma=[1, 2, 3])
    with pytest.raises(ValueError, match=r"^sigma must be finite and > 0, got -1$"):
        ktln2.normal(sigma=-1)


def test_what_is_no_number_is_refused():
    with pytest.raises(TypeError, match="sigma must be a number or an array of numbers"):
        ktln2.normal(sigma="wide")
    with pytest.raises(ValueError, match=r"shapes do not go together: mu \(2,\), sigma \(3,\)"):
        ktln2.normal(mu=[1, 2], sigma=[1, 2, 3])
    with pytest.raises(TypeError, match="law must be a law"):
        ktln2.entropy("p4e4", 3)
    with pytest.raises(ValueError, match="did you mean normal"):
        ktln2.entropy("p4e4", "nromal")


def test_mixtures_relus_and_truncated_laws_are_those_of_the_command_line():
    mixed = ktln2.mixture([(0.9, ktln2.normal(sigma=1)), (0.1, ktln2.laplace(scale=5))])
    rectified = ktln2.relu(ktln2.normal(mu=0.5))
    cut = ktln2.truncated(ktln2.normal(), low=-1, high=2)
    for law in (mixed, rectified, cut):
        told = ktln2.ask("entropy", "p11e5", law.describe())
        assert ktln2.entropy("p11e5", law).value == told["value"]
    many = ktln2.mixture(
        [ktln2.normal(sigma=[1, 2]), ktln2.normal(sigma=5)], weights=[0.9, [0.1, 0.2]])
    assert many.shape == (2,)
    assert many.describe(1) == "mixture:0.9@normal:mu=0,sigma=2/0.2@normal:mu=0,sigma=5"
    alone = ktln2.entropy("p8e8", many.describe(1))
    assert ktln2.entropy("p8e8", many)[1].value == alone.value


def test_an_empirical_law_is_its_numbers(rng):
    numbers = rng.normal(size=1000)
    law = ktln2.empirical(numbers)
    assert law.mean == pytest.approx(numbers.mean(), abs=1e-15)
    codes, counts = np.unique(ktln2.codes("e4m3", numbers), return_counts=True)
    share = counts / counts.sum()
    assert float(ktln2.entropy("e4m3", law)) == pytest.approx(-np.sum(share * np.log2(share)),
                                                             abs=1e-12)
    with pytest.raises(ValueError, match=r"samples\[1\] must be finite, got nan"):
        ktln2.empirical([1, np.nan])


def test_laws_travel_between_processes():
    for law in (ktln2.normal(sigma=[1, 2]), ktln2.mixture([(1, ktln2.normal())]),
                ktln2.relu(ktln2.student()), ktln2.empirical([1, 2, 3]),
                ktln2.custom(scipy.stats.norm.pdf, scipy.stats.norm.cdf), ktln2.sgd(law="exact")):
        again = pickle.loads(pickle.dumps(law))
        assert np.all(ktln2.entropy("p6e4", again) == ktln2.entropy("p6e4", law))
