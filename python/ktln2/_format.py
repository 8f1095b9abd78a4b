"""Number formats, and arrays of numbers stored in them."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._ask import Answer, ask
from ._core import RowError
from ._errors import of_element, thread_count


class Format:
    """A number format by name: "p24e8", the paper's idealized one with p = 24 significant and E = 8
    exponent bits [sec:fpn_structure], or one that people own, "bfloat16", "e4m3", "posit16", "mxfp4".

    >>> f = Format("p24e8")
    >>> f.p, f.exponent_bits, f.width
    (24, 8, 32)
    >>> Format("bf16")
    Format('bfloat16')

    `rounding` and `overflow` are those that the command line has; without, the usual ones of the
    format. A format is a value: it can be compared, and be a key.
    """

    __slots__ = ("_name", "_rounding", "_overflow", "_register", "__dict__")

    def __init__(self, name: Union[str, "Format"], *, rounding: Optional[str] = None,
                 overflow: Optional[str] = None) -> None:
        if isinstance(name, Format):
            known = name._key()
            name = known[0]
            rounding = known[1] if rounding is None else rounding
            overflow = known[2] if overflow is None else overflow
        if not isinstance(name, str):
            raise TypeError(f"format must be a name such as 'p24e8' or a Format, "
                            f"got {type(name).__name__}")
        self._name: str
        self._rounding: Optional[str] = rounding
        self._overflow: Optional[str] = overflow
        self._register: Optional[_core.Register] = None
        try:
            self._register = _core.Register(name, rounding or "", overflow or "")
            self._name = self._register.name
        except ValueError:
            # Blocks and codebooks are no single register, but the questions know them.
            if rounding is not None or overflow is not None:
                raise
            self._name = str(ask("format", name)["format"])

    @property
    def name(self) -> str:
        return self._name

    @property
    def rounding(self) -> Optional[str]:
        """How numbers are rounded; None where numbers share a scale."""
        return self._register.rounding if self._register else None

    @property
    def is_register(self) -> bool:
        """Whether a number is stored by itself: not so in blocks such as mxfp4, nor in codebooks."""
        return self._register is not None

    def _of_register(self) -> _core.Register:
        if self._register is None:
            raise ValueError(f"{self.name}: expected a format whose numbers are stored one by one")
        return self._register

    @property
    def p(self) -> int:
        """Significant bits, the hidden one included."""
        return self._of_register().p

    @property
    def exponent_bits(self) -> int:
        return self._of_register().exponent_bits

    @property
    def width(self) -> int:
        """Bits of a register."""
        return self._of_register().width

    @property
    def size(self) -> int:
        """How many codes there are, 2^width."""
        return 1 << self.width

    @property
    def max(self) -> float:
        """The largest number; infinite where that is beyond the range of a double."""
        return self._of_register().max

    @property
    def min_positive(self) -> float:
        return self._of_register().min_positive

    @cached_property
    def info(self) -> Answer:
        """All that `ktln2 format NAME --json` says."""
        return ask("format", self.name)

    def values(self) -> npt.NDArray[np.float64]:
        """All finite numbers that it has, ascending.

        >>> Format("p2e1").values()
        array([-3. , -2. , -1.5, -1. ,  1. ,  1.5,  2. ,  3. ])
        """
        return np.array([float(x) for x in ask("format", self.name, values=True)["values"]])

    def runs(self) -> npt.NDArray[Any]:
        """The magnitudes as runs of equally spaced numbers: fields start, spacing, count."""
        start, spacing, count = self._of_register().runs()
        made = np.empty(len(start), dtype=[("start", float), ("spacing", float), ("count", float)])
        made["start"], made["spacing"], made["count"] = start, spacing, count
        return made

    @property
    def bit_names(self) -> tuple[str, ...]:
        """The bits of a code, from the top."""
        return tuple(self._of_register().bit_names())

    def _key(self) -> tuple[str, Optional[str], Optional[str]]:
        return self._name, self._rounding, self._overflow

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Format) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        return _format_of, self._key()

    def __str__(self) -> str:
        return self._name

    def __repr__(self) -> str:
        more = "".join(f", {key}={value!r}" for key, value in
                       (("rounding", self._rounding), ("overflow", self._overflow)) if value)
        return f"Format({self._name!r}{more})"

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th style='text-align:left'>{key}</th><td>{value}</td></tr>"
                       for key, value in self.info.items()
                       if isinstance(value, (str, int, float, bool))
                       and key not in ("command", "version"))
        return f"<table>{rows}</table>"


def _format_of(name: str, rounding: Optional[str], overflow: Optional[str]) -> Format:
    return Format(name, rounding=rounding, overflow=overflow)


FormatLike = Union[Format, str]


def as_format(given: FormatLike, rounding: Optional[str] = None,
              overflow: Optional[str] = None) -> Format:
    if isinstance(given, Format) and rounding is None and overflow is None:
        return given
    if isinstance(given, str) and ":" not in given:  # behind which a file may change
        return _named(given, rounding, overflow)
    return Format(given, rounding=rounding, overflow=overflow)


@lru_cache(maxsize=1024)
def _named(name: str, rounding: Optional[str], overflow: Optional[str]) -> Format:
    return Format(name, rounding=rounding, overflow=overflow)


def _as_floats(x: Any, name: str = "x") -> npt.NDArray[Any]:
    """Doubles, or floats where it is made of them, in one piece."""
    array = _as_array(x)
    if array.dtype.kind == "c":
        raise TypeError(f"{name} must be an array of real numbers, got {array.dtype}")
    if array.dtype.kind not in "fiub":
        try:
            array = array.astype(np.float64)  # such as bfloat16 of ml_dtypes
        except (TypeError, ValueError):
            raise TypeError(f"{name} must be an array of real numbers, "
                            f"got {array.dtype}") from None
    if array.dtype.kind == "f" and array.dtype.itemsize > 8:
        raise TypeError(f"{name} must be of at most double precision, got {array.dtype}")
    kept = np.float32 if array.dtype in (np.dtype("=f4"), np.dtype(">f4"), np.dtype("<f4")) \
        else np.float64
    return np.ascontiguousarray(array, dtype=kept).reshape(array.shape)


def _as_array(x: Any) -> npt.NDArray[Any]:
    """By the buffer, by __array__ or by DLPack, whichever there is."""
    if not isinstance(x, np.ndarray) and not hasattr(x, "__array__") and hasattr(x, "__dlpack__"):
        return np.from_dlpack(x)
    return np.asarray(x)


def quantize(format: FormatLike, x: Any, *, rounding: Optional[str] = None,
             overflow: Optional[str] = None, out: Optional[npt.NDArray[Any]] = None,
             threads: Optional[int] = None) -> Any:
    """What a register holds for each number of `x`.

    >>> quantize("bfloat16", [0.1, 1/3, 1e39])
    array([0.10009766, 0.33398438,        inf])

    Doubles come out, and floats where floats came in and can hold every number of the format. With
    `out`, which may be `x` itself, nothing is allocated.
    """
    kept = as_format(format, rounding, overflow)._of_register()
    given = _as_floats(x)
    if given.dtype == np.float32 and (not _core.holds_floats(kept)
                                      or (out is not None and out.dtype != np.float32)):
        given = given.astype(np.float64)
    if out is None:
        stored = np.empty(given.shape, dtype=given.dtype)
    else:
        stored = _plain_out(out, given, np.shape(_as_array(x)))
    try:
        _core.quantize(kept, given.reshape(-1), stored.reshape(-1), thread_count(threads))
    except RowError as error:
        raise of_element(error, "x", given.shape) from None
    if out is not None:
        if stored is not out:
            out[...] = stored
        return out
    return stored if stored.ndim else stored[()]


def _plain_out(out: Any, given: npt.NDArray[Any], shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """`out` itself where results can be written there at once."""
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out must be an array, got {type(out).__name__}")
    if out.shape != shape:
        raise ValueError(f"out must have the shape of x, {shape}, got {out.shape}")
    if not out.flags.writeable:
        raise ValueError("out must be writable")
    is_plain = out.flags.c_contiguous and out.dtype == given.dtype and out.dtype.isnative
    same = np.shares_memory(out, given, max_work=1) if is_plain else False
    if is_plain and (not same or out.ctypes.data == given.ctypes.data):
        return out
    return np.empty(given.shape, dtype=given.dtype)


def _code_type(width: int) -> Any:
    if width <= 8:
        return np.uint8
    return np.uint16 if width <= 16 else np.uint32 if width <= 32 else np.uint64


def codes(format: FormatLike, x: Any, *, rounding: Optional[str] = None,
          overflow: Optional[str] = None, threads: Optional[int] = None) -> Any:
    """The code of each number: sign, exponent and mantissa from the top bit down.

    >>> [hex(code) for code in codes("bfloat16", [1.0, -2.0])]
    ['0x3f80', '0xc000']

    In the smallest unsigned integers that hold a code, of at most 64 bits.
    """
    kept = as_format(format, rounding, overflow)._of_register()
    wanted = _code_type(kept.width)
    given = _as_floats(x)
    computed: Any = wanted
    if kept.is_ideal:
        given, computed = given.astype(np.float64, copy=False), np.uint64
    elif wanted is np.uint32:
        computed = np.uint64
    made = np.empty(given.shape, dtype=computed)
    try:
        _core.codes(kept, given.reshape(-1), made.reshape(-1), thread_count(threads))
    except RowError as error:
        raise of_element(error, "x", given.shape) from None
    made = made.astype(wanted, copy=False)
    return made if made.ndim else made[()]


def decode(format: FormatLike, codes: Any, *, threads: Optional[int] = None) -> Any:
    """The number that each code stands for.

    >>> decode("bfloat16", [0x3f80, 0xc000, 0x7fc0])
    array([ 1., -2., nan])
    """
    kept = as_format(format)._of_register()
    given = np.asarray(codes)
    if given.dtype.kind not in "iu":
        raise TypeError(f"codes must be whole numbers, got {given.dtype}")
    if given.dtype.kind == "i" and given.size and given.min() < 0:
        lowest = int(np.flatnonzero(given.reshape(-1) < 0)[0])
        error = RowError(lowest, f" must be >= 0, got {given.reshape(-1)[lowest]}")
        raise of_element(error, "codes", given.shape)
    if given.dtype not in (np.uint8, np.uint16):
        given = given.astype(np.uint64)
    flat = np.ascontiguousarray(given.astype(given.dtype.newbyteorder("="), copy=False)).reshape(-1)
    made = np.empty(flat.shape, dtype=np.float64)
    try:
        _core.decode(kept, flat, made, thread_count(threads))
    except RowError as error:
        raise of_element(error, "codes", given.shape) from None
    made = made.reshape(given.shape)
    return made if made.ndim else made[()]


def common_formats() -> Sequence[Format]:
    """The catalogue: the formats that have a name of their own."""
    return [Format(str(one["name"])) for one in ask("format")["formats"]]
