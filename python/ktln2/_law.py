"""What a law is: one, or as many as its parameters broadcast to."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from . import _core
from ._ask import word
from ._core import RowError
from ._errors import explained, thread_count

Array = npt.NDArray[np.float64]


def parameter(name: str, value: Any) -> Array:
    try:
        array = np.asarray(value)
        if array.dtype.kind == "O":  # of numbers that NumPy has no type for
            array = np.array([float(one) for one in array.reshape(-1)]).reshape(array.shape)
        if array.dtype.kind in "biuf":
            return np.ascontiguousarray(array, dtype=np.float64).reshape(array.shape)
    except (TypeError, ValueError):
        pass
    raise TypeError(f"{name} must be a number or an array of numbers, got {value!r}")


def column(values: Array, shape: tuple[int, ...]) -> Array:
    """One value, or one for each row of the shape."""
    if values.ndim == 0:
        return values.reshape(1)
    return np.ascontiguousarray(np.broadcast_to(values, shape)).reshape(-1)


class Law:
    """A law of one real variable, or as many as `shape` has.

    >>> from ktln2 import normal
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

    def _text_in(self, index: tuple[int, ...]) -> str:
        """The same for an index of a shape that this one's broadcasts to."""
        return self._text(tuple(0 if length == 1 else i for i, length in
                                zip(index[len(index) - len(self.shape):], self.shape)))

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
        at = parameter("x", x)
        shape = np.broadcast_shapes(self.shape, at.shape)
        rows = self._rows(shape)
        try:
            values = rows.evaluate(function, column(at, shape), thread_count(threads))
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
        self.parameters = {key: parameter(key, value) for key, value in parameters.items()}
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
            which, [column(values, shape) for values in self.parameters.values()])
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
