"""Many variables at once: rows of features with their target, and what regression finds on them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._ask import word


def listed(value: Any) -> str:
    """A number, or one for each feature, as it would be typed.

    >>> listed(2.0), listed([1, -2, 0.5])
    ('2', '1/-2/0.5')
    """
    if isinstance(value, str):
        return value
    numbers = np.asarray(value, dtype=float)
    if numbers.ndim > 1:
        raise ValueError(f"expected a number or a list of them, got an array of shape {numbers.shape}")
    return "/".join(word(float(one)) for one in np.atleast_1d(numbers))


class Vector:
    """Several variables, in words; `entropy` and `ask` take it."""

    shape: tuple[int, ...] = ()

    def __init__(self, kind: str, parameters: dict[str, Any]) -> None:
        self.kind = kind
        self.parameters = {name: listed(value) for name, value in parameters.items()}

    def __str__(self) -> str:
        return self.kind + ":" + ",".join(f"{name}={text}" for name, text in self.parameters.items())

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={text}" for name, text in self.parameters.items())
        return f"{self.kind}({shown})"


def row(d: int = 3, w: Any = 1.0, sigma_x: Any = 1.0, corr: Any = 0.0, ar: Any = 0.0, mu: Any = 0.0,
        b: float = 0.0, sigma_xi: float = 1.0) -> Vector:
    """d features and y = b + w·x + noise; w, sigma_x and mu may have a number for each feature.

    >>> from ktln2 import ask, entropy
    >>> print(f"{entropy('p24e8', row(d=2, w=[1, -2], corr=0.5)):.6f}")
    78.183683
    >>> ask("entropy", "p24e8", row(d=2))["method"]
    'chain'
    """
    return Vector("row", {"d": d, "w": w, "sigma_x": sigma_x, "corr": corr, "ar": ar, "mu": mu,
                          "b": b, "sigma_xi": sigma_xi})


def ols(n: int = 20, d: int = 3, w: Any = 1.0, sigma_x: Any = 1.0, corr: Any = 0.0, ar: Any = 0.0,
        mu: Any = 0.0, b: float = 0.0, sigma_xi: float = 1.0, intercept: int = 0,
        ridge: float = 0.0) -> Vector:
    """The coefficients that regression finds on n such rows."""
    return Vector("ols", {"n": n, "d": d, "w": w, "sigma_x": sigma_x, "corr": corr, "ar": ar,
                          "mu": mu, "b": b, "sigma_xi": sigma_xi, "intercept": intercept,
                          "ridge": ridge})
