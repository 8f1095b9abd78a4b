"""The Landauer cost of a computation, as a bill.

>>> from ktln2 import cost
>>> bill = cost.regression("p24e8", n=1000, w=2)
>>> print(f"{bill.bits:.3f}")
51746.602

Numbers may be arrays: then all of the bill is.
"""

from __future__ import annotations

from typing import Any, Optional

from ._ask import Bill, asked, swept
from ._format import FormatLike, as_format
from ._laws import LawLike, as_law
from ._many import listed

__all__ = ["average", "inference", "many", "regression", "sgd", "streaming"]


def _name(format: Optional[FormatLike]) -> Optional[str]:
    return None if format is None else as_format(format).name


def regression(format: FormatLike, *, n: Any = 10, w: Any = 1.0, sigma_x: Any = 1.0,
               sigma_xi: Any = 1.0, y_format: Optional[FormatLike] = None,
               model_format: Optional[FormatLike] = None, entropy: str = "exact",
               temperature: Any = None, kbt: Any = None, per_op: Optional[str] = None,
               internal: Optional[str] = None, reset: Optional[float] = None) -> Bill:
    """Exact regression on n points [eq:landauer_exact_lr]."""
    return asked(Bill, "cost exact", _name(format), n=swept(n), w=swept(w), sigma_x=swept(sigma_x),
                 sigma_xi=swept(sigma_xi), y_format=_name(y_format),
                 model_format=_name(model_format), entropy=entropy, temperature=swept(temperature),
                 kbt=swept(kbt), per_op=per_op, internal=internal, reset=reset)


def sgd(format: FormatLike, *, steps: Any = None, n: Any = None, epochs: Any = None,
        batch: Any = 10, eta: Any = 0.01, w0: Any = 1.0, w0_sigma: Any = 0.0, w: Any = 2.0,
        sigma_x: Any = 1.0, sigma_xi: Any = 1.0, law: str = "moments",
        y_format: Optional[FormatLike] = None, model_format: Optional[FormatLike] = None,
        entropy: str = "exact", temperature: Any = None, kbt: Any = None,
        per_op: Optional[str] = None, internal: Optional[str] = None,
        reset: Optional[float] = None) -> Bill:
    """Stochastic gradient descent [eq:sgd_landauer_noneq], of 100 steps unless `steps`, or `n`
    points, are given."""
    return asked(Bill, "cost sgd", _name(format), steps=swept(steps), n=swept(n),
                 epochs=swept(epochs), batch=swept(batch), eta=swept(eta), w0=swept(w0),
                 w0_sigma=swept(w0_sigma), w=swept(w), sigma_x=swept(sigma_x),
                 sigma_xi=swept(sigma_xi), law=law, y_format=_name(y_format),
                 model_format=_name(model_format), entropy=entropy, temperature=swept(temperature),
                 kbt=swept(kbt), per_op=per_op, internal=internal, reset=reset)


def average(format: FormatLike, *, n: Any = 10, mu: Any = None, sigma: Any = None,
            sum: bool = False, of: Optional[LawLike] = None,
            model_format: Optional[FormatLike] = None, entropy: str = "exact",
            temperature: Any = None, kbt: Any = None, per_op: Optional[str] = None,
            internal: Optional[str] = None, reset: Optional[float] = None) -> Bill:
    """The mean, or the sum, of n numbers [eq:landauer_avg]: normal ones, or those of a law `of`."""
    return asked(Bill, "cost average", _name(format), n=swept(n), mu=swept(mu), sigma=swept(sigma),
                 sum=sum, of=None if of is None else as_law(of).describe(),
                 model_format=_name(model_format), entropy=entropy, temperature=swept(temperature),
                 kbt=swept(kbt), per_op=per_op, internal=internal, reset=reset)


def inference(format: FormatLike, *, slope: Any = 1.5, sigma_x: Any = 1.0, entropy: str = "exact",
              temperature: Any = None, kbt: Any = None, per_op: Optional[str] = None,
              internal: Optional[str] = None, reset: Optional[float] = None) -> Bill:
    """One prediction, x times a slope that is used as it is."""
    return asked(Bill, "cost inference", _name(format), slope=swept(slope), sigma_x=swept(sigma_x),
                 entropy=entropy, temperature=swept(temperature), kbt=swept(kbt), per_op=per_op,
                 internal=internal, reset=reset)


def streaming(format: FormatLike, *, n: Any = 10, w: Any = 1.0, sigma_x: Any = 1.0,
              sigma_xi: Any = 1.0, temperature: Any = None, kbt: Any = None) -> Bill:
    """Regression with running sums, and what its parts cost by themselves."""
    return asked(Bill, "cost streaming", _name(format), n=swept(n), w=swept(w),
                 sigma_x=swept(sigma_x), sigma_xi=swept(sigma_xi), temperature=swept(temperature),
                 kbt=swept(kbt))


def many(format: FormatLike, *, features: int, algorithm: str = "exact", w: Any = 1.0,
         sigma_x: Any = 1.0, mu: Any = 0.0, **options: Any) -> Bill:
    """A model of many features: "exact" regression, "sgd" or one "inference". w, sigma_x and mu may
    have a number for each feature; options are those of the command line with `--features`.

    >>> bill = many("p24e8", features=2, n=100, w=[1, -2])
    >>> print(f"{bill.bits:.3f} bits, {bill['bits_per_parameter']:.3f} for each coefficient")
    7766.320 bits, 3883.160 for each coefficient
    """
    if algorithm not in ("exact", "sgd", "inference"):
        raise ValueError(f"algorithm must be 'exact', 'sgd' or 'inference', got {algorithm!r}")
    return asked(Bill, f"cost {algorithm}", _name(format), features=features, w=listed(w),
                 sigma_x=listed(sigma_x), mu=listed(mu),
                 **{name: swept(value) for name, value in options.items()})
