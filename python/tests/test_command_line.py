"""Every answer is that of the command line, to the last digit: 200 random questions over all
commands, asked in Python and, written out by other code, of the program."""

import json
import os
import random
import subprocess
from pathlib import Path

import numpy as np
import pytest

import ktln2
from ktln2 import cost, mismatch, scaling, simulate

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("KTLN2_PROGRAM", str(ROOT / "build/release/ktln2"))
COUNT = 200

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not Path(PROGRAM).exists(), reason="there is no program to compare"),
]


def told(*words, **options):
    """What the program says, with options written out."""
    line = [PROGRAM, *map(str, words), "--json"]
    for name, value in options.items():
        if value is None or value is False:
            continue
        values = value if isinstance(value, list) else [] if value is True else [value]
        line += ["--" + name.replace("_", "-"), *(repr(one) if isinstance(one, float) else str(one)
                                                  for one in values)]
    done = subprocess.run(line, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, (line, done.stderr)
    return json.loads(done.stdout)


class Question:
    """Random parts of questions."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def scale(self):
        return 10 ** self.random.uniform(-1, 1)

    def real(self):
        return self.random.gauss(0, 2)

    def ideal(self):
        return f"p{self.random.randint(2, 24)}e{self.random.randint(3, 8)}"

    def small(self):
        return f"p{self.random.randint(2, 5)}e{self.random.randint(3, 4)}"

    def owned(self):
        return self.random.choice(["binary16", "bfloat16", "binary32", "e4m3", "e5m2", "posit8",
                                   "posit16", "int8", "q3.4", "tf32"])

    def format(self):
        return self.random.choice([self.ideal, self.owned])()

    def model(self):
        return dict(w=self.real(), sigma_x=self.scale(), sigma_xi=self.scale())

    def law(self):
        """A law, and its words."""
        kind, keys = self.random.choice([
            ("normal", dict(mu=self.real(), sigma=self.scale())),
            ("student", dict(dof=2 + self.scale(), loc=self.real(), scale=self.scale())),
            ("laplace", dict(loc=self.real(), scale=self.scale())),
            ("logistic", dict(loc=self.real(), scale=self.scale())),
            ("uniform", dict(low=-self.scale(), high=self.scale())),
            ("lognormal", dict(mu=self.real(), sigma=self.scale() / 5)),
            ("exponential", dict(scale=self.scale())),
            ("gamma", dict(shape=self.scale(), scale=self.scale())),
            ("slope", dict(n=self.random.randint(1, 99), **self.model())),
        ])
        return getattr(ktln2, kind)(**keys), f"{kind}:" + ",".join(f"{k}={v!r}"
                                                                   for k, v in keys.items())


def check_entropy(ask):
    format, (law, words) = ask.format(), ask.law()
    said = told("entropy", format, words, bits=True)
    h, fields = ktln2.entropy(format, law), ktln2.by_field(format, law)
    assert (h.value, h.error, h.proved) == (said["value"], said["error"], said["proved"])
    assert h.joules().value == said["joules"]
    assert {name: getattr(fields, name).value for name in ("sign", "exponent", "mantissa")} == {
        name: said["fields"][name] for name in ("sign", "exponent", "mantissa")}
    assert ktln2.by_bit(format, law).bits.value.tolist() == [one["entropy"] for one in said["bits"]]


def check_approximations(ask):
    format, (law, words) = ask.ideal(), ask.law()
    said = told("entropy", format, words)["approximations"]
    assert [one.answer for one in ktln2.approximations(format, law).values()] == said


def check_joint(ask):
    format, keys = ask.small(), dict(w=ask.real(), sigma_x=ask.scale(), sigma_xi=ask.scale())
    said = told("entropy", format, "pair:" + ",".join(f"{k}={v!r}" for k, v in keys.items()))
    found = ktln2.joint(format, ktln2.pair(**keys))
    assert (found.joint.value, found.joint.error) == (said["value"], said["error"])
    assert found.conditional.value == said["conditional"]


def check_law(ask):
    law, words = ask.law()
    at = [ask.real(), ask.scale()]
    said = told("law", words, at=at)
    assert (law.mean, law.std) == (said["mean"], said["deviation"])
    assert law.differential_entropy == said["differential_entropy"]
    assert (law.pdf(at).tolist(), law.cdf(at).tolist()) == (said["pdf"], said["cdf"])


def check_quantize(ask):
    format, x = ask.format(), [ask.real() * ask.scale() for _ in range(20)]
    said = told("quantize", format, *x)
    assert ktln2.quantize(format, x).tolist() == said["values"]
    assert ktln2.codes(format, x).tolist() == said["codes"]
    assert ktln2.decode(format, said["codes"]).tolist() == said["values"]


def check_format(ask):
    format = ask.format()
    said = told("format", format)
    f = ktln2.Format(format)
    assert f.info == said and f.max == float(said["max"])


def check_compare(ask):
    law, words = ask.law()
    formats = [ask.format(), ask.format()]
    assert ktln2.compare(formats, law)["rows"] == told("compare", words, *formats)["rows"]


def check_regression(ask):
    format, options = ask.small(), dict(n=ask.random.randint(1, 500), **ask.model(),
                                        temperature=ask.scale())
    assert cost.regression(format, **options) == told("cost", "exact", format, **options)


def check_cost_sgd(ask):
    format = ask.small()
    options = dict(steps=ask.random.randint(1, 50), batch=ask.random.randint(1, 9), eta=0.05,
                   w0=ask.real(), **ask.model(), law=ask.random.choice(["ou", "moments"]))
    assert cost.sgd(format, **options) == told("cost", "sgd", format, **options)


def check_average(ask):
    format, options = ask.format(), dict(n=ask.random.randint(1, 500), mu=ask.real(),
                                         sigma=ask.scale(), sum=ask.random.random() < 0.5)
    assert cost.average(format, **options) == told("cost", "average", format, **options)


def check_inference(ask):
    format, options = ask.small(), dict(slope=ask.scale(), sigma_x=ask.scale(), kbt=4e-21)
    assert cost.inference(format, **options) == told("cost", "inference", format, **options)


def check_scaling(ask):
    options = dict(energy_price=10 ** ask.random.uniform(15, 17), inference_price=10.0, w=2.0,
                   kbt=4e-21, entropy="smooth", at=[20.5, 30.0])
    assert scaling.best_size("p24e8", **options) == told("scaling", "exact", "p24e8", **options)


def check_mismatch(ask):
    options = dict(constant=500.0, alpha=ask.scale(), entropy="smooth", n=ask.random.randint(5, 50))
    assert mismatch.regression("p24e8", **options) == told("mismatch", "exact", "p24e8", **options)


def check_islands(ask):
    options = dict(constant=ask.scale(), sigma_x=ask.scale(), sigma_xi=ask.scale())
    assert mismatch.islands("p2e1", **options) == told("mismatch", "islands", "p2e1", **options)


def check_ctmc(ask):
    options = dict(duration=ask.scale(), bias=10 * ask.scale())
    assert mismatch.ctmc("erase", **options) == told("mismatch", "ctmc", "erase", **options)


def check_simulate(ask):
    format, kind = ask.small(), ask.random.choice(["slope", "average"])
    options = dict(n=ask.random.randint(2, 9), trials=500, seed=ask.random.randint(1, 99),
                   arithmetic=ask.random.choice(["ideal", "format"]))
    assert getattr(simulate, kind)(format, **options) == told("simulate", kind, format, **options)


def check_fit(ask, tmp_path):
    numbers = np.random.default_rng(ask.random.randint(0, 99)).normal(size=(2, 30))
    x, y = numbers[0], 2 * numbers[0] + numbers[1]
    table = tmp_path / "table.csv"
    table.write_text("x,y\n" + "".join(f"{float(a)!r},{float(b)!r}\n" for a, b in zip(x, y)))
    said = told("fit", table, x="x", y="y")
    assert ktln2.fit("x", "y", table=table) == said
    assert {**ktln2.fit(x, y), "file": said["file"]} == said


def check_measure(ask, tmp_path):
    x = np.random.default_rng(ask.random.randint(0, 99)).normal(size=500).astype(
        ask.random.choice(["f2", "f4", "f8"]))
    file = tmp_path / "x.npy"
    np.save(file, x)
    said = told("measure", file)
    assert ktln2.measure(file) == said
    assert ktln2.measure(x)["pooled"] == said["pooled"]


CHECKS = [one for name, one in sorted(globals().items()) if name.startswith("check_")]


@pytest.mark.parametrize("check", CHECKS, ids=lambda one: one.__name__[6:])
def test_answers_are_those_of_the_command_line(check, tmp_path):
    for number in range(-(-COUNT // len(CHECKS))):
        ask = Question(f"{check.__name__} {number}")
        check(*((ask, tmp_path) if check in (check_fit, check_measure) else (ask,)))
