"""Laws of one real variable, whose parameters may be arrays."""

from __future__ import annotations

from typing import Any, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._ask import word
from ._core import RowError
from ._errors import explained, thread_count

Array = npt.NDArray[np.float64]


def _parameter(name: str, value: Any) -> Array:
    try:
        array = np.asarray(value)
        if array.dtype.kind == "O":  # of numbers that NumPy has no type for
            array = np.array([float(one) for one in array.reshape(-1)]).reshape(array.shape)
        if array.dtype.kind in "biuf":
            return np.ascontiguousarray(array, dtype=np.float64).reshape(array.shape)
    except (TypeError, ValueError):
        pass
    raise TypeError(f"{name} must be a number or an array of numbers, got {value!r}")


def _column(values: Array, shape: tuple[int, ...]) -> Array:
    """One value, or one for each row of the shape."""
    if values.ndim == 0:
        return values.reshape(1)
    return np.ascontiguousarray(np.broadcast_to(values, shape)).reshape(-1)


class Law:
    """A law of one real variable, or as many as `shape` has.

    >>> law = normal(sigma=[1.0, 2.0])
    >>> law.shape
    (2,)
    >>> law.cdf(0.0)
    array([0.5, 0.5])
    """

    @property
    def shape(self) -> tuple[int, ...]:
        """What the parameters broadcast to."""
        return ()

    def _rows(self, shape: tuple[int, ...]) -> _core.Laws:
        """One law, or one for each row of a shape that this one's broadcasts to."""
        raise NotImplementedError

    def _text(self, index: tuple[int, ...]) -> str:
        """The law at an index as the command line has it."""
        raise ValueError(f"{self!r} has no description in words, which this question needs")

    def _arguments(self) -> dict[str, Array]:
        """What an error may be about."""
        return {}

    def _explained(self, error: RowError, shape: tuple[int, ...]) -> ValueError:
        return explained(error, shape, self._arguments())

    def describe(self, index: Any = ()) -> str:
        """As the command line has it: "normal:mu=0,sigma=1"."""
        at = index if isinstance(index, tuple) else (index,)
        if self.shape and not at:
            raise ValueError(f"law must be a single one, got the shape {self.shape}")
        if len(at) != len(self.shape):
            raise IndexError(f"expected an index for the shape {self.shape}, got {index!r}")
        return self._text(at)

    def _checked(self) -> "Law":
        """Finds a bad parameter now rather than later."""
        try:
            self._rows(self.shape).check(0)
        except RowError as error:
            raise self._explained(error, self.shape) from None
        return self

    def _evaluated(self, function: str, x: Any, threads: Optional[int]) -> Any:
        at = _parameter("x", x)
        shape = np.broadcast_shapes(self.shape, at.shape)
        rows = self._rows(shape)
        try:
            values = rows.evaluate(function, _column(at, shape), thread_count(threads))
        except RowError as error:
            raise explained(error, shape, {"x": at, **self._arguments()}) from None
        made = values.reshape(shape)
        return made if shape else float(made)

    def pdf(self, x: Any, *, threads: Optional[int] = None) -> Any:
        """The density."""
        return self._evaluated("pdf", x, threads)

    def log_pdf(self, x: Any, *, threads: Optional[int] = None) -> Any:
        """Its natural logarithm, which reaches farther out."""
        return self._evaluated("log_pdf", x, threads)

    def cdf(self, x: Any, *, threads: Optional[int] = None) -> Any:
        """P(X <= x)"""
        return self._evaluated("cdf", x, threads)

    def ccdf(self, x: Any, *, threads: Optional[int] = None) -> Any:
        """P(X > x), accurate where it is small."""
        return self._evaluated("ccdf", x, threads)

    def quantile(self, q: Any, *, threads: Optional[int] = None) -> Any:
        """Where the distribution function reaches q."""
        return self._evaluated("quantile", q, threads)

    def _moment(self, which: int) -> Any:
        try:
            values = self._rows(self.shape).moments(0)[which]
        except RowError as error:
            raise self._explained(error, self.shape) from None
        made = np.broadcast_to(values, (max(1, int(np.prod(self.shape))),)) if values.size == 1 \
            else values
        return made.reshape(self.shape).copy() if self.shape else float(made[0])

    @property
    def mean(self) -> Any:
        return self._moment(0)

    @property
    def std(self) -> Any:
        """The standard deviation."""
        return self._moment(1)

    @property
    def differential_entropy(self) -> Any:
        """h, in bits; it depends on the unit of x."""
        return self._moment(2)


class ParametricLaw(Law):
    """One of the catalogue, by its parameters."""

    def __init__(self, kind: str, parameters: dict[str, Any], words: dict[str, str] = {}) -> None:
        self._kind = kind
        self._words = dict(words)
        self._only: Optional[_core.Laws] = None  # the law, where it is one
        self.parameters = {key: _parameter(key, value) for key, value in parameters.items()}
        for values in self.parameters.values():
            values.flags.writeable = False
        try:
            self._shape = np.broadcast_shapes(*(v.shape for v in self.parameters.values()))
        except ValueError:
            shapes = ", ".join(f"{k} {v.shape}" for k, v in self.parameters.items() if v.ndim)
            raise ValueError(f"{kind}: shapes do not go together: {shapes}") from None

    @property
    def shape(self) -> tuple[int, ...]:
        return self._shape

    def _rows(self, shape: tuple[int, ...]) -> _core.Laws:
        if self._only is not None:
            return self._only
        which = ":".join([self._kind, *self._words.values()])
        made = _core.Laws.of_parameters(
            which, [_column(values, shape) for values in self.parameters.values()])
        if not self.shape:
            self._only = made
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return ParametricLaw, (self._kind, self.parameters, self._words)

    def _text(self, index: tuple[int, ...]) -> str:
        values = {key: word(float(np.broadcast_to(v, self.shape)[index]))
                  for key, v in self.parameters.items()}
        keys = ",".join(f"{key}={value}" for key, value in {**values, **self._words}.items())
        return f"{self._kind}:{keys}"

    def _arguments(self) -> dict[str, Array]:
        return self.parameters

    def __getitem__(self, index: Any) -> "ParametricLaw":
        picked = {key: np.broadcast_to(v, self.shape)[index] for key, v in self.parameters.items()}
        return ParametricLaw(self._kind, picked, self._words)

    def __repr__(self) -> str:
        shown = [f"{key}={value!r}" for key, value in self._words.items()]
        for key, value in self.parameters.items():
            shown.append(f"{key}={word(value)}" if not value.ndim else f"{key}=array{value.shape}")
        return f"{self._kind}({', '.join(shown)})"


class DescribedLaw(Law):
    """One law in the words of the command line."""

    def __init__(self, text: str) -> None:
        self._described = text
        self._made = _core.Laws.described(text)

    def _rows(self, shape: tuple[int, ...]) -> _core.Laws:
        return self._made

    def _text(self, index: tuple[int, ...]) -> str:
        return self._described

    def __reduce__(self) -> tuple[Any, ...]:
        return DescribedLaw, (self._described,)

    def __repr__(self) -> str:
        return f"law({self._described!r})"


class MixtureLaw(Law):
    """Drawn from one of several laws."""

    def __init__(self, laws: Sequence[Law], weights: Sequence[Any]) -> None:
        self._laws = list(laws)
        self._weights = [_parameter("weights", one) for one in weights]
        if len(self._laws) != len(self._weights) or not self._laws:
            raise ValueError(f"weights must be as many as the laws, {len(self._laws)}, "
                             f"got {len(self._weights)}")

    @property
    def shape(self) -> tuple[int, ...]:
        return np.broadcast_shapes(*(one.shape for one in self._laws),
                                   *(one.shape for one in self._weights))

    def _rows(self, shape: tuple[int, ...]) -> _core.Laws:
        return _core.Laws.mixture([_column(one, shape) for one in self._weights],
                                  [one._rows(shape) for one in self._laws])

    def _text(self, index: tuple[int, ...]) -> str:
        def part(law: Law, weight: Array) -> str:
            own = tuple(0 if n == 1 else i for i, n in
                        zip(index[len(index) - len(law.shape):], law.shape))
            return f"{word(float(np.broadcast_to(weight, self.shape)[index]))}@{law._text(own)}"
        return "mixture:" + "/".join(map(part, self._laws, self._weights))

    def __repr__(self) -> str:
        parts = ", ".join(f"({word(w) if not w.ndim else w.shape}, {law!r})"
                          for w, law in zip(self._weights, self._laws))
        return f"mixture([{parts}])"


class ReluLaw(Law):
    """max(X, 0), with an atom at 0."""

    def __init__(self, of: Law) -> None:
        self._of = of

    @property
    def shape(self) -> tuple[int, ...]:
        return self._of.shape

    def _rows(self, shape: tuple[int, ...]) -> _core.Laws:
        return _core.Laws.relu(self._of._rows(shape))

    def _text(self, index: tuple[int, ...]) -> str:
        return "relu:" + self._of._text(index)

    def _arguments(self) -> dict[str, Array]:
        return self._of._arguments()

    def __repr__(self) -> str:
        return f"relu({self._of!r})"


class TruncatedLaw(Law):
    """A law given that its number is between two ends."""

    def __init__(self, of: Law, low: Any, high: Any) -> None:
        self._of = of
        self._low = _parameter("low", low)
        self._high = _parameter("high", high)

    @property
    def shape(self) -> tuple[int, ...]:
        return np.broadcast_shapes(self._of.shape, self._low.shape, self._high.shape)

    def _rows(self, shape: tuple[int, ...]) -> _core.Laws:
        return _core.Laws.truncated(self._of._rows(shape), _column(self._low, shape),
                                    _column(self._high, shape))

    def _text(self, index: tuple[int, ...]) -> str:
        ends = {"low": float(np.broadcast_to(self._low, self.shape)[index]),
                "high": float(np.broadcast_to(self._high, self.shape)[index])}
        keys = ",".join(f"{k}={word(v)}" for k, v in ends.items() if np.isfinite(v))
        own = tuple(0 if n == 1 else i for i, n in
                    zip(index[len(index) - len(self._of.shape):], self._of.shape))
        return f"truncated:{keys}@{self._of._text(own)}"

    def _arguments(self) -> dict[str, Array]:
        return {"low": self._low, "high": self._high, **self._of._arguments()}

    def __repr__(self) -> str:
        return f"truncated({self._of!r}, low={self._low}, high={self._high})"


class EmpiricalLaw(Law):
    """Each of some numbers with the same probability."""

    def __init__(self, samples: Any) -> None:
        array = _parameter("samples", samples).reshape(-1)
        if not array.size:
            raise ValueError("samples must not be empty")
        bad = np.flatnonzero(~np.isfinite(array))
        if bad.size:
            raise ValueError(f"samples[{bad[0]}] must be finite, got {array[bad[0]]}")
        self._samples = np.ascontiguousarray(array)
        self._made = _core.Laws.empirical(self._samples)

    def _rows(self, shape: tuple[int, ...]) -> _core.Laws:
        return self._made

    def __reduce__(self) -> tuple[Any, ...]:
        return EmpiricalLaw, (self._samples,)

    def __repr__(self) -> str:
        return f"empirical({self._samples.size} samples)"


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
