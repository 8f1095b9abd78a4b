"""Draw data, run the computation many times, measure what comes out: an independent witness.

>>> from ktln2 import simulate
>>> seen = simulate.slope("p6e4", n=10, trials=1000, seed=7)
>>> seen.trials
1000
"""

from __future__ import annotations

import os
from typing import Any, Optional, Union

from ._ask import Answer, asked, swept
from ._errors import thread_count
from ._format import FormatLike, as_format
from ._many import listed

__all__ = ["average", "ols", "sgd", "slope"]


def _asked(kind: str, format: FormatLike, trials: Any, seed: int, threads: Optional[int],
           **options: Any) -> Answer:
    return asked(Answer, f"simulate {kind}", as_format(format).name, trials=swept(trials),
                 seed=swept(seed), threads=thread_count(threads) or None,
                 **{name: swept(value) for name, value in options.items()})


def slope(format: FormatLike, *, n: Any = 10, w: Any = 1.0, sigma_x: Any = 1.0,
          sigma_xi: Any = 1.0, trials: Any = 100000, seed: int = 1, threads: Optional[int] = None,
          arithmetic: str = "ideal", bins: int = 20, low: Optional[float] = None,
          high: Optional[float] = None) -> Answer:
    """Exact regression on n points."""
    return _asked("slope", format, trials, seed, threads, n=n, w=w, sigma_x=sigma_x,
                  sigma_xi=sigma_xi, arithmetic=arithmetic, bins=bins, low=low, high=high)


def ols(format: FormatLike, *, features: int = 1, n: Any = 20, w: Any = 1.0, sigma_x: Any = None,
        mu: Any = 0.0, corr: Any = None, ar: Any = None,
        covariance: Union[str, "os.PathLike[str]", None] = None, intercept: Any = None,
        sigma_xi: Any = 1.0, trials: Any = 100000, seed: int = 1,
        threads: Optional[int] = None) -> Answer:
    """Exact regression with many features on n rows, compared with its law.

    >>> ols("p4e3", features=2, n=10, trials=1000).dof
    9
    """
    return asked(Answer, "simulate ols", as_format(format).name, trials=swept(trials),
                 seed=swept(seed), threads=thread_count(threads) or None, features=features,
                 n=swept(n), w=listed(w), sigma_x=None if sigma_x is None else listed(sigma_x),
                 mu=listed(mu), corr=swept(corr), ar=swept(ar),
                 covariance=None if covariance is None else os.fspath(covariance),
                 intercept=swept(intercept), sigma_xi=swept(sigma_xi))


def sgd(format: FormatLike, *, steps: Any = None, n: Any = None, batch: Any = 10, eta: Any = 0.01,
        w0: Any = 1.0, w0_sigma: Any = 0.0, w: Any = 2.0, sigma_x: Any = 1.0, sigma_xi: Any = 1.0,
        law: str = "moments", trials: Any = 100000, seed: int = 1, threads: Optional[int] = None,
        arithmetic: str = "ideal", bins: int = 20, low: Optional[float] = None,
        high: Optional[float] = None) -> Answer:
    """Stochastic gradient descent, compared with a law of it."""
    return _asked("sgd", format, trials, seed, threads, steps=steps, n=n, batch=batch, eta=eta,
                  w0=w0, w0_sigma=w0_sigma, w=w, sigma_x=sigma_x, sigma_xi=sigma_xi, law=law,
                  arithmetic=arithmetic, bins=bins, low=low, high=high)


def average(format: FormatLike, *, n: Any = 10, mu: Any = 0.0, sigma: Any = 1.0, sum: bool = False,
            trials: Any = 100000, seed: int = 1, threads: Optional[int] = None,
            arithmetic: str = "ideal", bins: int = 20, low: Optional[float] = None,
            high: Optional[float] = None) -> Answer:
    """The mean or the sum of n normal numbers."""
    return _asked("average", format, trials, seed, threads, n=n, mu=mu, sigma=sigma, sum=sum,
                  arithmetic=arithmetic, bins=bins, low=low, high=high)
