"""Rows of many features, what regression finds on them, and what both cost."""

import numpy as np
import pytest

import ktln2


def test_rows_and_estimates_are_those_of_the_command_line():
    for law, text in ((ktln2.row(d=2, w=[1, -2], corr=0.5), "row:d=2,w=1/-2,corr=0.5"),
                      (ktln2.ols(n=12, d=2, w=[1, 0.25]), "ols:n=12,d=2,w=1/0.25")):
        told = ktln2.ask("entropy", "p8e8", text)
        made = ktln2.entropy("p8e8", law)
        assert (made.value, made.error) == (told["value"], told["error"])
        assert ktln2.ask("entropy", "p8e8", law)["value"] == told["value"]


def test_pairs_have_means():
    made = ktln2.joint("p6e4", ktln2.pair(w=1, mu_x=[0, 3], b=-1)).joint
    assert made.shape == (2,)
    assert made.value[1] == ktln2.ask("entropy", "p6e4", "pair:w=1,mu_x=3,b=-1")["value"]


def test_costs_and_sizes_are_those_of_the_command_line():
    bill = ktln2.cost.many("p11e5", features=3, algorithm="sgd", steps=20, w=[1, 2, 3])
    assert bill["bits"] == ktln2.ask("cost sgd", "p11e5", features=3, steps=20, w="1/2/3")["bits"]
    assert bill["output_share"] > 0
    best = ktln2.scaling.best_rows("p24e8", features=10, snr=4, energy_price=1e15, inference_price=10,
                                   entropy="smooth", algorithm="ridge")
    assert best["phase"] == "over" and best["n_star"] > 10


def test_simulated_regressions_follow_their_law():
    seen = ktln2.simulate.ols("p4e3", features=2, n=10, w=[1, -2], corr=0.5, trials=5000)
    told = ktln2.ask("simulate ols", "p4e3", features=2, n=10, w="1/-2", corr=0.5, trials=5000)
    assert seen["most_off"] == told["most_off"] < 4
    assert seen["dof"] == 9


def test_a_plane_is_fitted(tmp_path):
    rng = np.random.default_rng(5)
    x = rng.normal(size=(300, 3))
    y = x @ [1.5, -2, 0.5] + 0.3 * rng.normal(size=300)
    made = ktln2.fit(x, y)
    expected = np.linalg.lstsq(x, y, rcond=None)[0]
    assert made.estimates.w == pytest.approx(expected, rel=1e-12)
    table = tmp_path / "table.csv"
    np.savetxt(table, np.column_stack([x, y]), delimiter=",", header="a,b,c,y", comments="",
               fmt="%.17g")
    assert ktln2.fit(["a", "b", "c"], "y", table=table).bits == made.bits
    with pytest.raises(ValueError, match=r"x\[1, 2\] must be finite, got nan"):
        x[1, 2] = np.nan
        ktln2.fit(x, y)
    with pytest.raises(ValueError, match="column 'x2' is a combination of 'x1'"):
        ktln2.fit(np.column_stack([y, 2 * y]), rng.normal(size=300))


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="d"):
        ktln2.entropy("p8e8", ktln2.row(d=2, w=[1, 2, 3]))
    with pytest.raises(ValueError, match="algorithm must be"):
        ktln2.cost.many("p8e8", features=2, algorithm="magic")
    with pytest.raises(TypeError, match="one format"):
        ktln2.entropy(["p8e8", "p4e4"], ktln2.row())
