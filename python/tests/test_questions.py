"""Bills, sweeps and the other answers."""

import numpy as np
import pytest

import ktln2
from ktln2 import cost, mismatch, scaling, simulate


def test_a_bill_has_units_and_bars():
    bill = cost.regression("p24e8", n=1000, w=2)
    assert bill.bits.value == bill["bits"] and bill.bits.error == bill["error"]
    assert bill.bits.joules(T=300).value == bill.joules.value
    assert "joules" in repr(bill)
    assert "<th style='text-align:left'>to be paid</th><td style='text-align:right'>51,746.6" \
        in bill._repr_html_()
    assert "<table>" in cost.streaming("p3e3", n=3)._repr_html_()
    assert "<table>" in cost.regression("p8e8", n=[1, 2])._repr_html_()
    with pytest.raises(TypeError):
        bill.bits + bill.joules


def test_numbers_of_a_question_broadcast():
    bill = cost.regression("p24e8", n=[[10], [100]], w=np.array([1.0, 2.0, 3.0]))
    assert bill.bits.shape == (2, 3)
    alone = cost.regression("p24e8", n=100, w=3.0)
    assert bill.bits[1, 2].value == alone.bits.value
    assert bill.fields.exponent[1, 2] == alone.fields.exponent
    best = scaling.best_size("p24e8", energy_price=[1e16, 1e17], inference_price=10, w=2,
                             entropy="smooth")
    assert best.n_star[0] > best.n_star[1]


def test_mistakes_are_value_errors():
    with pytest.raises(ValueError, match="n must be a whole number from 1 to 1e15, got 0"):
        cost.regression("p24e8", n=0)
    with pytest.raises(ValueError, match=r"got 0.* \(at \[1\]\)"):
        cost.regression("p24e8", n=[1, 0])
    with pytest.raises(ValueError, match="algorithm must be 'exact' or 'sgd'"):
        scaling.best_size("p24e8", energy_price=1, inference_price=1, algorithm="magic")
    with pytest.raises(ValueError, match="did you mean entropy"):
        ktln2.ask("entropi")
    with pytest.raises(AttributeError, match="the answer has no 'bit'; it has program"):
        cost.regression("p24e8").bit


def test_python_knows_every_kind_and_option_of_the_command_line():
    import inspect
    functions = {("cost", "exact"): cost.regression, ("cost", "sgd"): cost.sgd,
                 ("cost", "average"): cost.average, ("cost", "inference"): cost.inference,
                 ("cost", "streaming"): cost.streaming, ("scaling", "exact"): scaling.best_size,
                 ("scaling", "sgd"): scaling.best_size, ("mismatch", "exact"): mismatch.regression,
                 ("mismatch", "sgd"): mismatch.sgd, ("mismatch", "islands"): mismatch.islands,
                 ("simulate", "slope"): simulate.slope, ("simulate", "sgd"): simulate.sgd,
                 ("simulate", "average"): simulate.average, ("measure", ""): ktln2.measure,
                 ("fit", ""): ktln2.fit}
    table = ktln2._core.commands()
    for (command, kind), function in functions.items():
        known = {name.rstrip("_").replace("_", "-") for name in inspect.signature(function).parameters}
        # Those with --features are for cost.many, scaling.best_rows and ask.
        wanted = {name for name, _, help in table[command][kind]
                  if name not in ("features", "decay") and not help.startswith("With --features")}
        wanted -= {"plot", "units"}
        assert wanted <= known, (command, kind, wanted - known)
    # ridge is one of best_rows' algorithms; ols has many features, and no histogram
    others = {"ctmc", "ridge", "ols"}
    for command in ("cost", "scaling", "mismatch", "simulate"):
        assert set(table[command]) - {kind for name, kind in functions if name == command} <= others


def test_a_sweep_is_the_table_of_the_command_line():
    table = ktln2.sweep("entropy p24e8 normal", sigma=np.array([0.5, 0.1 + 0.2]), p=range(8, 11))
    assert table.shape == (2, 3) and table["p"][0].tolist() == [8, 9, 10]
    for i, sigma in enumerate((0.5, 0.1 + 0.2)):
        for j, p in enumerate((8, 9, 10)):
            h = ktln2.entropy(f"p{p}e8", ktln2.normal(sigma=sigma))
            assert (table["value"][i, j], table["error"][i, j]) == (h.value, h.error)
    wide = ktln2.sweep("entropy p8e8 normal", columns=["fields.exponent"], sigma="0.1:10:5:log")
    assert wide.dtype.names == ("sigma", "fields.exponent") and wide.shape == (5,)
    named = ktln2.sweep("entropy p8e8 normal", format=["bfloat16", "e4m3"])
    assert named["format"].tolist() == ["bfloat16", "e4m3"]
    laws = ktln2.sweep("cost exact p8e8", n=[10, 20], sigma_x=[1.0], threads=2)
    assert laws["bits"][1, 0] == cost.regression("p8e8", n=20).bits.value


def test_a_sweep_says_what_is_wrong():
    for axes, why in (({"sigma": []}, "sigma must have at least one value"), ({}, "needs an axis"),
                      ({"sgima": [1]}, "sigma"), ({"sigma": [1, -1]}, "sigma must be finite")):
        with pytest.raises(ValueError, match=why):
            ktln2.sweep("entropy p8e8 normal", **axes)


def test_arrays_are_measured_as_their_files_would_be(tmp_path, rng):
    x = rng.normal(size=(40, 50)).astype(np.float32)
    np.save(tmp_path / "x.npy", x)
    theirs = ktln2.measure(tmp_path / "x.npy")
    for same in (x, x.astype(">f4"), np.asfortranarray(x)):
        assert ktln2.measure(same)["pooled"] == theirs["pooled"]
    both = ktln2.measure({"a": x, "b": x[:3]}, each=True, as_=["bfloat16"])
    assert {one["name"] for one in both.tensors} == {"a", "b"}
    assert both._repr_html_().count("<tr>") == 3
    with pytest.raises(ValueError, match="nowhere"):
        ktln2.measure("nowhere.npy")
    with pytest.raises(TypeError, match="data must be numbers"):
        ktln2.measure(np.array(["a"]))


def test_a_line_is_fitted(rng):
    x = rng.normal(size=200)
    line = ktln2.fit(x, 3 * x + rng.normal(size=200))
    assert line.estimates.w == pytest.approx(np.sum(x * (line.estimates.w * x)) / np.sum(x * x))
    assert abs(line.estimates.w - 3) < 6 * line.errors.w
    with pytest.raises(ValueError, match="y must have as many numbers as x, 2, got 1"):
        ktln2.fit([1, 2], [1])
    with pytest.raises(ValueError, match=r"y\[1\] must be finite, got inf"):
        ktln2.fit([1, 2], [1, np.inf])
