"""The laws that there are."""

from __future__ import annotations

from typing import Any, Optional, Sequence, Union

import numpy as np

from ._compound import EmpiricalLaw, MixtureLaw, ReluLaw, TruncatedLaw
from ._law import DescribedLaw, Law, ParametricLaw


def normal(mu: Any = 0.0, sigma: Any = 1.0) -> Law:
    """The normal law with mean mu and deviation sigma.

    >>> normal(sigma=[[1, 2, -1]])
    Traceback (most recent call last):
      ...
    ValueError: sigma[0, 2] must be finite and > 0, got -1
    """
    return ParametricLaw("normal", {"mu": mu, "sigma": sigma})._checked()


def student(dof: Any = 5.0, loc: Any = 0.0, scale: Any = 1.0) -> Law:
    """Student's t, with any number of degrees of freedom > 0."""
    return ParametricLaw("student", {"dof": dof, "loc": loc, "scale": scale})._checked()


def uniform(low: Any = 0.0, high: Any = 1.0) -> Law:
    """Evenly between low and high."""
    return ParametricLaw("uniform", {"low": low, "high": high})._checked()


def laplace(loc: Any = 0.0, scale: Any = 1.0) -> Law:
    """Exponential to both sides."""
    return ParametricLaw("laplace", {"loc": loc, "scale": scale})._checked()


def logistic(loc: Any = 0.0, scale: Any = 1.0) -> Law:
    """The logistic law."""
    return ParametricLaw("logistic", {"loc": loc, "scale": scale})._checked()


def slope(n: Any = 10, w: Any = 1.0, sigma_x: Any = 1.0, sigma_xi: Any = 1.0) -> Law:
    """The slope that exact regression finds from n points [lem:compute_f_z]."""
    return ParametricLaw("slope", {"n": n, "w": w, "sigma_x": sigma_x,
                                   "sigma_xi": sigma_xi})._checked()


def sgd(steps: Any = 100, batch: Any = 10, eta: Any = 0.01, w0: Any = 1.0, w0_sigma: Any = 0.0,
        w: Any = 2.0, sigma_x: Any = 1.0, sigma_xi: Any = 1.0, law: str = "moments") -> Law:
    """The slope after some steps of stochastic gradient descent.

    `law` is "ou" [sec:nonstationarysgd], "stationary" [eq:SGD_final_dist], "moments" (normal, with
    the exact mean and variance) or "exact", which takes a while to be made and is not before it is
    needed.
    """
    if law not in ("ou", "stationary", "moments", "exact"):
        raise ValueError(f"law must be 'ou', 'stationary', 'moments' or 'exact', got {law!r}")
    made = ParametricLaw("sgd", {"steps": steps, "batch": batch, "eta": eta, "w0": w0,
                                 "w0_sigma": w0_sigma, "w": w, "sigma_x": sigma_x,
                                 "sigma_xi": sigma_xi}, {"law": law})
    return made if law == "exact" else made._checked()


def lognormal(mu: Any = 0.0, sigma: Any = 1.0) -> Law:
    """e^Y for a normal Y."""
    return ParametricLaw("lognormal", {"mu": mu, "sigma": sigma})._checked()


def exponential(scale: Any = 1.0) -> Law:
    """With mean `scale`, on x > 0."""
    return ParametricLaw("exponential", {"scale": scale})._checked()


def gamma(shape: Any = 2.0, scale: Any = 1.0) -> Law:
    """y^(shape-1) e^-y, y = x/scale, on x > 0."""
    return ParametricLaw("gamma", {"shape": shape, "scale": scale})._checked()


def chi2(dof: Any = 3.0) -> Law:
    """The sum of dof squares of standard normal numbers."""
    return ParametricLaw("chi2", {"dof": dof})._checked()


def halfnormal(sigma: Any = 1.0) -> Law:
    """|Y| for a normal Y with mean 0."""
    return ParametricLaw("halfnormal", {"sigma": sigma})._checked()


def triangular(low: Any = 0.0, mode: Any = 0.5, high: Any = 1.0) -> Law:
    """Up in a straight line from low to mode, and down to high."""
    return ParametricLaw("triangular", {"low": low, "mode": mode, "high": high})._checked()


def mixture(parts: Sequence[Any], weights: Optional[Sequence[Any]] = None) -> Law:
    """One of several laws, with probabilities in proportion to the weights.

    >>> mixture([(0.9, normal(sigma=1)), (0.1, normal(sigma=5))]).std
    1.8439088914585775

    `parts` are pairs (weight, law), or laws with the `weights` beside them.
    """
    if weights is None:
        try:
            pairs = [(weight, law) for weight, law in parts]
        except (TypeError, ValueError):
            raise TypeError("parts must be pairs (weight, law), or laws with weights=") from None
        weights, parts = [w for w, _ in pairs], [law for _, law in pairs]
    return MixtureLaw([as_law(one) for one in parts], weights)._checked()


def relu(law: Any) -> Law:
    """The larger one of 0 and a number with this law."""
    return ReluLaw(as_law(law))._checked()


def truncated(law: Any, low: Any = -np.inf, high: Any = np.inf) -> Law:
    """A law given that its number is from low to high."""
    return TruncatedLaw(as_law(law), low, high)._checked()


def empirical(samples: Any) -> Law:
    """Each of these numbers with the same probability.

    >>> empirical([1.0, 1.0, 4.0]).mean
    2.0
    """
    return EmpiricalLaw(samples)._checked()


LawLike = Union[Law, str, Any]


def as_law(given: LawLike) -> Law:
    """A law as it is; "normal:sigma=2" in words; SciPy's frozen laws; what has a pdf and a cdf."""
    if isinstance(given, Law):
        return given
    if isinstance(given, str):
        return DescribedLaw(given)
    from ._foreign import law_of  # which needs the laws above
    return law_of(given)
