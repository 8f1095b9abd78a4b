"""Amounts with a unit and an error bar: `Bits` and `Joules`."""

from __future__ import annotations

import math
from typing import Any, Iterator, Optional, TypeVar, Union

import numpy as np
import numpy.typing as npt

#: k_B in joules per kelvin, exact by the definition of the kelvin.
BOLTZMANN = 1.380649e-23

_Q = TypeVar("_Q", bound="Quantity")
Number = Union[float, int, npt.NDArray[Any]]


class Quantity:
    """Values of one unit, each with an error bar: the truth is within `error` of `value`.

    Behaves as an array of any shape, none included. Sums and differences add the error bars,
    products with plain numbers scale them; units do not mix. `proved` says where the bar is a proof
    rather than an estimate. As in the library, the rounding of the arithmetic itself is not in the
    bars.
    """

    unit = ""
    __slots__ = ("_value", "_error", "_proved")
    # NumPy's operators would drop the error bar.
    __array_ufunc__ = None

    def __init__(self, value: npt.ArrayLike, error: npt.ArrayLike = 0.0,
                 proved: npt.ArrayLike = False) -> None:
        values, errors, proofs = np.broadcast_arrays(
            np.asarray(value, dtype=float), np.asarray(error, dtype=float),
            np.asarray(proved, dtype=bool))
        self._value = values.copy()
        self._error = errors.copy()
        self._proved = proofs.copy()
        if np.any(self._error < 0):
            raise ValueError("error must be >= 0")
        for array in (self._value, self._error, self._proved):
            array.flags.writeable = False

    @classmethod
    def _of(cls: type[_Q], value: npt.NDArray[Any], error: npt.NDArray[Any],
            proved: npt.NDArray[Any]) -> _Q:
        """Of arrays of one shape that nobody else has."""
        made = cls.__new__(cls)
        made._value, made._error, made._proved = value, error, proved
        for array in (value, error, proved):
            array.flags.writeable = False
        return made

    @property
    def value(self) -> Any:
        """The values: an array, or a float where there is one."""
        return self._value if self.ndim else float(self._value)

    @property
    def error(self) -> Any:
        """The error bars."""
        return self._error if self.ndim else float(self._error)

    @property
    def proved(self) -> Any:
        """Whether each error bar is a proof."""
        return self._proved if self.ndim else bool(self._proved)

    @property
    def shape(self) -> tuple[int, ...]:
        return self._value.shape

    @property
    def ndim(self) -> int:
        return self._value.ndim

    @property
    def size(self) -> int:
        return self._value.size

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError(f"{type(self).__name__} of one value has no length")
        return len(self._value)

    def __getitem__(self: _Q, index: Any) -> _Q:
        return type(self)(self._value[index], self._error[index], self._proved[index])

    def __iter__(self: _Q) -> Iterator[_Q]:
        return (self[i] for i in range(len(self)))

    def __float__(self) -> float:
        if self.size != 1:
            raise TypeError(f"only one value can be a float, got {self.size}")
        return float(self._value.reshape(()))

    def __array__(self, dtype: Optional[npt.DTypeLike] = None) -> npt.NDArray[Any]:
        return np.array(self._value, dtype=dtype)

    def _of_same_unit(self: _Q, other: object) -> _Q:
        if isinstance(other, type(self)):
            return other
        what = getattr(other, "unit", None) or type(other).__name__
        raise TypeError(f"{self.unit} and {what} do not mix")

    def __add__(self: _Q, other: _Q) -> _Q:
        if isinstance(other, int) and other == 0:  # where sum() begins
            return self
        with_ = self._of_same_unit(other)
        return type(self)(self._value + with_._value, self._error + with_._error,
                          self._proved & with_._proved)

    __radd__ = __add__

    def __sub__(self: _Q, other: _Q) -> _Q:
        with_ = self._of_same_unit(other)
        return type(self)(self._value - with_._value, self._error + with_._error,
                          self._proved & with_._proved)

    def __neg__(self: _Q) -> _Q:
        return type(self)(-self._value, self._error, self._proved)

    def __mul__(self: _Q, factor: Number) -> _Q:
        k = self._plain(factor)
        return type(self)(self._value * k, self._error * np.abs(k), self._proved)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        """By a number, or by an amount of the same unit: then a plain number."""
        if isinstance(other, Quantity):
            ratio = self._value / self._of_same_unit(other)._value
            return ratio if ratio.ndim else float(ratio)
        k = self._plain(other)
        return type(self)(self._value / k, self._error / np.abs(k), self._proved)

    def _plain(self, factor: Any) -> npt.NDArray[Any]:
        if isinstance(factor, Quantity):
            raise TypeError(f"{self.unit} times {factor.unit} is no amount here")
        return np.asarray(factor, dtype=float)

    def _compared(self, other: Any, how: np.ufunc) -> Any:
        result = how(self._value, self._of_same_unit(other)._value)
        return result if np.ndim(result) else bool(result)

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, np.less)

    def __le__(self, other: Any) -> Any:
        return self._compared(other, np.less_equal)

    def __gt__(self, other: Any) -> Any:
        return self._compared(other, np.greater)

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, np.greater_equal)

    def __eq__(self, other: object) -> Any:
        """Whether the values are equal. Amounts of different units never are."""
        if not isinstance(other, type(self)):
            return NotImplemented
        return self._compared(other, np.equal)

    __hash__ = None  # type: ignore[assignment]

    def surely_less(self: _Q, other: _Q) -> Any:
        """Whether it is less whatever the truth is within the error bars."""
        with_ = self._of_same_unit(other)
        result = self._value + self._error < with_._value - with_._error
        return result if result.ndim else bool(result)

    def overlaps(self: _Q, other: _Q) -> Any:
        """Whether the two error bars have a point in common."""
        with_ = self._of_same_unit(other)
        result = np.abs(self._value - with_._value) <= self._error + with_._error
        return result if result.ndim else bool(result)

    def sum(self: _Q, axis: Any = None) -> _Q:
        """The sum, with the sum of the error bars."""
        return type(self)(self._value.sum(axis=axis), self._error.sum(axis=axis),
                          self._proved.all(axis=axis))

    def reshape(self: _Q, *shape: Any) -> _Q:
        return type(self)(self._value.reshape(*shape), self._error.reshape(*shape),
                          self._proved.reshape(*shape))

    def __repr__(self) -> str:
        name = type(self).__name__
        if not self.ndim:
            return f"{name}({with_error(float(self._value), float(self._error))})"
        values = np.array2string(self._value, separator=", ", prefix=name + "(")
        worst = float(self._error.max()) if self.size else 0.0
        return f"{name}({values}, error <= {worst:.1e})"

    def __str__(self) -> str:
        if not self.ndim:
            return f"{with_error(float(self._value), float(self._error))} {self.unit}"
        return repr(self)

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else str(self)


class Joules(Quantity):
    """Energy, in joules."""

    unit = "J"
    __slots__ = ()


class Bits(Quantity):
    """Entropy, in bits.

    >>> h = Bits(26.0, error=1e-12) + Bits(0.5, error=1e-12)
    >>> h
    Bits(26.5000000000000 ± 2.0e-12)
    >>> h.joules(T=300)
    Joules(7.60809404545862e-20 ± 5.7e-33)
    >>> h + 1.0
    Traceback (most recent call last):
      ...
    TypeError: bit and float do not mix
    """

    unit = "bit"
    __slots__ = ()

    def joules(self, T: float = 300.0, *, kbt: Optional[float] = None) -> Joules:
        """What erasing so much costs at least, k_B T ln 2 a bit [eq:Landauer].

        At temperature `T` in kelvin, or with k_B T = `kbt` in joules.
        """
        temperature = T if kbt is None else kbt / BOLTZMANN
        if not (math.isfinite(temperature) and temperature > 0):
            name, given = ("T", T) if kbt is None else ("kbt", kbt)
            raise ValueError(f"{name} must be finite and > 0, got {given!r}")
        price = BOLTZMANN * temperature * math.log(2)
        return Joules(price * self._value, price * self._error, self._proved)


def with_error(value: float, error: float) -> str:
    """A value to the digit that its error bar reaches, and the bar."""
    if not math.isfinite(value) or not math.isfinite(error):
        return f"{value!r} ± {error!r}" if error else repr(value)
    if error == 0:
        return repr(value)
    digits = 1 - math.floor(math.log10(error))
    scientific = value != 0 and not 1e-5 < abs(value) < 1e16
    if scientific:
        digits += math.floor(math.log10(abs(value)))
    digits = max(0, min(digits, 16))
    return f"{value:.{digits}{'e' if scientific else 'f'}} ± {error:.1e}"
