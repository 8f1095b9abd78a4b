"""Laws that are made of other laws, or of numbers."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from . import _core
from ._ask import word
from ._law import Array, Law, column, parameter


class MixtureLaw(Law):
    """Drawn from one of several laws."""

    def __init__(self, laws: Sequence[Law], weights: Sequence[Any]) -> None:
        self._laws = list(laws)
        self._weights = [parameter("weights", one) for one in weights]
        if len(self._laws) != len(self._weights) or not self._laws:
            raise ValueError(f"weights must be as many as the laws, {len(self._laws)}, "
                             f"got {len(self._weights)}")

    @property
    def shape(self) -> tuple[int, ...]:
        return np.broadcast_shapes(*(one.shape for one in self._laws),
                                   *(one.shape for one in self._weights))

    def _rows(self, shape: tuple[int, ...]) -> _core.Laws:
        return _core.Laws.mixture([column(one, shape) for one in self._weights],
                                  [one._rows(shape) for one in self._laws])

    def _text(self, index: tuple[int, ...]) -> str:
        def part(law: Law, weight: Array) -> str:
            share = word(float(np.broadcast_to(weight, self.shape)[index]))
            return f"{share}@{law._text_in(index)}"
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
        self._low = parameter("low", low)
        self._high = parameter("high", high)

    @property
    def shape(self) -> tuple[int, ...]:
        return np.broadcast_shapes(self._of.shape, self._low.shape, self._high.shape)

    def _rows(self, shape: tuple[int, ...]) -> _core.Laws:
        return _core.Laws.truncated(self._of._rows(shape), column(self._low, shape),
                                    column(self._high, shape))

    def _text(self, index: tuple[int, ...]) -> str:
        ends = {"low": float(np.broadcast_to(self._low, self.shape)[index]),
                "high": float(np.broadcast_to(self._high, self.shape)[index])}
        keys = ",".join(f"{k}={word(v)}" for k, v in ends.items() if np.isfinite(v))
        return f"truncated:{keys}@{self._of._text_in(index)}"

    def _arguments(self) -> dict[str, Array]:
        return {"low": self._low, "high": self._high, **self._of._arguments()}

    def __repr__(self) -> str:
        return f"truncated({self._of!r}, low={self._low}, high={self._high})"


class EmpiricalLaw(Law):
    """Each of some numbers with the same probability."""

    def __init__(self, samples: Any) -> None:
        array = parameter("samples", samples).reshape(-1)
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
