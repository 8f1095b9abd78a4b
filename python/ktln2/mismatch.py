"""Entropy production beyond Landauer's bound.

>>> from ktln2 import mismatch
>>> answer = mismatch.regression("p24e8", constant=500)
>>> answer.mmc_nats >= 0
True
"""

from __future__ import annotations

from typing import Any, Optional

from ._ask import Answer, asked, swept
from ._format import FormatLike, as_format

__all__ = ["ctmc", "islands", "regression", "sgd"]


def _name(format: Optional[FormatLike]) -> Optional[str]:
    return None if format is None else as_format(format).name


def regression(format: FormatLike, *, n: Any = 10, w: Any = 1.0, sigma_x: Any = 1.0,
               sigma_xi: Any = 1.0, alpha: Any = 1.0, constant: Any = 0.0,
               environment: Optional[str] = None, bounds: Optional[str] = None,
               landscape: Optional[int] = None, y_format: Optional[FormatLike] = None,
               model_format: Optional[FormatLike] = None, entropy: str = "exact",
               temperature: Any = None, kbt: Any = None) -> Answer:
    """The variational mismatch cost of exact regression [eq:mmc_var_opt]."""
    return asked(Answer, "mismatch exact", _name(format), n=swept(n), w=swept(w),
                 sigma_x=swept(sigma_x), sigma_xi=swept(sigma_xi), alpha=swept(alpha),
                 constant=swept(constant), environment=environment, bounds=bounds,
                 landscape=landscape, y_format=_name(y_format), model_format=_name(model_format),
                 entropy=entropy, temperature=swept(temperature), kbt=swept(kbt))


def sgd(format: FormatLike, *, steps: Any = None, n: Any = None, batch: Any = 10, eta: Any = 0.01,
        w0: Any = 1.0, w0_sigma: Any = 0.0, w: Any = 2.0, sigma_x: Any = 1.0, sigma_xi: Any = 1.0,
        law: str = "moments", alpha: Any = 1.0, constant: Any = 0.0,
        environment: Optional[str] = None, bounds: Optional[str] = None,
        landscape: Optional[int] = None, y_format: Optional[FormatLike] = None,
        model_format: Optional[FormatLike] = None, entropy: str = "exact", temperature: Any = None,
        kbt: Any = None) -> Answer:
    """That of stochastic gradient descent."""
    return asked(Answer, "mismatch sgd", _name(format), steps=swept(steps), n=swept(n),
                 batch=swept(batch), eta=swept(eta), w0=swept(w0), w0_sigma=swept(w0_sigma),
                 w=swept(w), sigma_x=swept(sigma_x), sigma_xi=swept(sigma_xi), law=law,
                 alpha=swept(alpha), constant=swept(constant), environment=environment,
                 bounds=bounds, landscape=landscape, y_format=_name(y_format),
                 model_format=_name(model_format), entropy=entropy, temperature=swept(temperature),
                 kbt=swept(kbt))


def islands(format: FormatLike, *, algorithm: str = "exact", n: Any = None, steps: Any = None,
            batch: Any = None, eta: Any = None, w0: Any = None, per_step: bool = False,
            w: Any = 1.0, sigma_x: Any = 1.0, sigma_xi: Any = 1.0, alpha: Any = 1.0,
            constant: Any = 0.0, bounds: Optional[str] = None,
            y_format: Optional[FormatLike] = None,
            model_format: Optional[FormatLike] = None) -> Answer:
    """The true mismatch cost on a small format, island by island."""
    return asked(Answer, "mismatch islands", _name(format), algorithm=algorithm, n=swept(n),
                 steps=swept(steps), batch=swept(batch), eta=swept(eta), w0=swept(w0),
                 per_step=per_step, w=swept(w), sigma_x=swept(sigma_x), sigma_xi=swept(sigma_xi),
                 alpha=swept(alpha), constant=swept(constant), bounds=bounds,
                 y_format=_name(y_format), model_format=_name(model_format))


def ctmc(protocol: str, **options: Any) -> Answer:
    """A Markov chain in time: "erase", "reset" or "cmos", or a file of rates. Options are those of
    `ktln2 mismatch ctmc`: duration, bias, rate, register, sigma, loaded, vdd …"""
    return asked(Answer, "mismatch ctmc", protocol,
                 **{name: swept(value) for name, value in options.items()})
