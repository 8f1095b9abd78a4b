"""Laws that come from elsewhere: SciPy's frozen ones, and whatever has a pdf and a cdf."""

from __future__ import annotations

from typing import Any, Callable, Optional

import numpy as np

from . import _laws
from ._custom import custom
from ._law import Law


def _location_scale(make: Callable[..., Law]) -> Callable[..., Law]:
    return lambda loc=0.0, scale=1.0: make(loc, scale)


def _lognormal(s: Any, loc: Any = 0.0, scale: Any = 1.0) -> Optional[Law]:
    return None if np.any(np.asarray(loc) != 0) else _laws.lognormal(np.log(scale), s)


def _exponential(loc: Any = 0.0, scale: Any = 1.0) -> Optional[Law]:
    return None if np.any(np.asarray(loc) != 0) else _laws.exponential(scale)


def _gamma(a: Any, loc: Any = 0.0, scale: Any = 1.0) -> Optional[Law]:
    return None if np.any(np.asarray(loc) != 0) else _laws.gamma(a, scale)


def _chi2(df: Any, loc: Any = 0.0, scale: Any = 1.0) -> Optional[Law]:
    return None if np.any(np.asarray(loc) != 0) \
        else _laws.gamma(np.asarray(df) / 2, 2 * np.asarray(scale, dtype=float))


def _halfnormal(loc: Any = 0.0, scale: Any = 1.0) -> Optional[Law]:
    return None if np.any(np.asarray(loc) != 0) else _laws.halfnormal(scale)


#: How SciPy's laws are called here. A law that is moved away from 0 may have no name.
_FROZEN: dict[str, Callable[..., Optional[Law]]] = {
    "norm": _location_scale(_laws.normal),
    "t": lambda df, loc=0.0, scale=1.0: _laws.student(df, loc, scale),
    "uniform": lambda loc=0.0, scale=1.0: _laws.uniform(
        loc, np.asarray(loc, dtype=float) + np.asarray(scale, dtype=float)),
    "laplace": _location_scale(_laws.laplace),
    "logistic": _location_scale(_laws.logistic),
    "lognorm": _lognormal,
    "expon": _exponential,
    "gamma": _gamma,
    "chi2": _chi2,
    "halfnorm": _halfnormal,
}


def law_of(given: Any) -> Law:
    """A law of this library's, or a custom one."""
    named = _of_scipy(given)
    if named is not None:
        return named
    if callable(getattr(given, "pdf", None)) and callable(getattr(given, "cdf", None)):
        return _custom_of(given)
    if callable(getattr(given, "pmf", None)):
        raise TypeError(f"law must have a density; {_name_of(given)} is discrete: "
                        "empirical() takes numbers with probabilities of their own")
    raise TypeError("law must be a law, a description such as 'normal:sigma=2', or an object with "
                    f"pdf and cdf, got {type(given).__name__}")


def _name_of(given: Any) -> str:
    return str(getattr(getattr(given, "dist", None), "name", None) or type(given).__name__)


def _of_scipy(given: Any) -> Optional[Law]:
    dist = getattr(given, "dist", None)
    if dist is None or not type(dist).__module__.startswith("scipy.stats"):
        return None
    make = _FROZEN.get(dist.name)
    return make(*given.args, **given.kwds) if make else None


def _custom_of(given: Any) -> Law:
    ends = (-np.inf, np.inf)
    if callable(getattr(given, "support", None)):
        low, high = given.support()
        if np.ndim(low) or np.ndim(high):
            raise ValueError(f"{_name_of(given)}: parameters must be single numbers: only laws that "
                             "the library has take arrays")
        ends = (float(low), float(high))
    return custom(given.pdf, given.cdf, log_pdf=getattr(given, "logpdf", None), support=ends,
                  name=_name_of(given))
