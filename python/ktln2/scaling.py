"""The dataset size worth paying for.

>>> from ktln2 import scaling
>>> scaling.best_size("p24e8", energy_price=5e16, inference_price=10, w=2, kbt=4e-21).n_star
38
"""

from __future__ import annotations

from typing import Any, Optional, Sequence

from ._ask import Optimum, asked, swept
from ._format import FormatLike, as_format

__all__ = ["best_rows", "best_size"]


def best_size(format: FormatLike, *, energy_price: Any, inference_price: Any,
              algorithm: str = "exact", w: Any = None, sigma_x: Any = 1.0, sigma_xi: Any = 1.0,
              batch: Any = None, eta: Any = None, w0: Any = None, w0_sigma: Any = None,
              law: Optional[str] = None, price_rise: Any = 0.0, demand: str = "inverse",
              relaxation: Any = 0.0, memory_price: Any = 0.0, time_price: Any = 0.0,
              optimize: Optional[str] = None, at: Optional[Sequence[float]] = None,
              y_format: Optional[FormatLike] = None, model_format: Optional[FormatLike] = None,
              entropy: str = "exact", temperature: Any = None, kbt: Any = None) -> Optimum:
    """How many points to train on [eq:nstar_ex] [eq:nstar_sgd], by exact regression or by "sgd".

    `at` are sizes, real ones too, at which profit and its derivative are wanted besides. The slope w
    is 1 unless given, for SGD, which starts at 1, it is 2.
    """
    def name(one: Optional[FormatLike]) -> Optional[str]:
        return None if one is None else as_format(one).name

    if algorithm not in ("exact", "sgd"):
        raise ValueError(f"algorithm must be 'exact' or 'sgd', got {algorithm!r}")
    return asked(Optimum, f"scaling {algorithm}", name(format), energy_price=swept(energy_price),
                 inference_price=swept(inference_price), price_rise=swept(price_rise),
                 demand=demand, relaxation=swept(relaxation), memory_price=swept(memory_price),
                 time_price=swept(time_price), w=swept(w), sigma_x=swept(sigma_x),
                 sigma_xi=swept(sigma_xi), batch=swept(batch), eta=swept(eta), w0=swept(w0),
                 w0_sigma=swept(w0_sigma), law=law, optimize=optimize,
                 at=None if at is None else list(at), y_format=name(y_format),
                 model_format=name(model_format), entropy=entropy, temperature=swept(temperature),
                 kbt=swept(kbt))


def best_rows(format: FormatLike, *, features: int, energy_price: Any, inference_price: Any,
              algorithm: str = "exact", **options: Any) -> Optimum:
    """How many rows to train a model of many features on, by "exact" regression, "ridge" or "sgd".

    Options are those of the command line with `--features`: snr, baseline, count_inference,
    optimize …

    >>> best_rows("p24e8", features=100, snr=4, energy_price=1e15, inference_price=10, kbt=4e-21,
    ...           entropy="smooth").n_star
    368
    """
    if algorithm not in ("exact", "ridge", "sgd"):
        raise ValueError(f"algorithm must be 'exact', 'ridge' or 'sgd', got {algorithm!r}")
    return asked(Optimum, f"scaling {algorithm}", as_format(format).name, features=features,
                 energy_price=swept(energy_price), inference_price=swept(inference_price),
                 **{name: swept(value) for name, value in options.items()})
