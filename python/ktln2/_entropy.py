"""What registers hold."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._ask import Answer, answered, word, words
from ._bits import Bits
from ._core import RowError
from ._errors import explained, thread_count
from ._format import Format, FormatLike, as_format
from ._law import parameter
from ._laws import LawLike, as_law
from ._many import Vector

_FIRST = np.zeros(1, dtype=np.intc)
Formats = Union[FormatLike, Sequence[Any], npt.NDArray[Any]]


class FieldBits(NamedTuple):
    """What the parts of a register are worth: they add up to the total."""

    total: Bits
    sign: Bits
    exponent: Bits  #: given the sign
    mantissa: Bits  #: given both


class BitWorth(NamedTuple):
    """What every single bit is worth, given those above it."""

    names: tuple[str, ...]
    bits: Bits  #: one for each name, along the last axis


class _Rows:
    """One or many formats with one or many laws, as rows of one shape."""

    formats: list[Format]
    shape: tuple[int, ...]
    which: npt.NDArray[Any]  #: place of each row's format; one for all

    def __init__(self, format: Formats, law: LawLike, rounding: Optional[str],
                 overflow: Optional[str]) -> None:
        self.law = as_law(law)
        if isinstance(format, (str, Format)):
            self.formats = [as_format(format, rounding, overflow)]
            self.shape, self.which = self.law.shape, _FIRST
            return
        given = np.asarray(format, dtype=object) \
            if isinstance(format, (list, tuple, np.ndarray)) else np.array(format, dtype=object)
        self.formats = []
        places: dict[Format, int] = {}
        which = np.empty(given.shape, dtype=np.intc)
        for index in np.ndindex(given.shape):
            one = as_format(given[index], rounding, overflow)
            if one not in places:
                places[one] = len(self.formats)
                self.formats.append(one)
            which[index] = places[one]
        self.shape = np.broadcast_shapes(which.shape, self.law.shape)
        self.which = which.reshape(1) if which.ndim == 0 \
            else np.ascontiguousarray(np.broadcast_to(which, self.shape)).reshape(-1)

    def format_at(self, row: int) -> Format:
        return self.formats[int(self.which[0 if self.which.size == 1 else row])]

    @property
    def are_registers(self) -> bool:
        return all(one.is_register for one in self.formats)

    def solved(self, solve: Any, tolerance: float, threads: Optional[int], parts: int) -> Bits:
        try:
            made = solve([one._of_register() for one in self.formats], self.which,
                         self.law._rows(self.shape), float(tolerance), thread_count(threads))
        except RowError as error:
            raise explained(error, self.shape, self.law._arguments()) from None
        shape = self.shape if parts == 1 else (*self.shape, parts)
        return Bits._of(made[0].reshape(shape), made[1].reshape(shape),
                        made[2].view(bool).reshape(shape))

    def questions(self, **options: Any) -> list[list[str]]:
        """One for each row, in words."""
        made = []
        for row, index in enumerate(np.ndindex(self.shape)):
            one = self.format_at(row)
            made.append(words("entropy", one.name, self.law._text_in(index), rounding=one._rounding,
                              overflow=one._overflow, **options))
        return made

    def asked(self, names: tuple[str, str], threads: Optional[int], **options: Any) -> Bits:
        """A number of each answer and its error, by their names there."""
        return _asked_bits(self.questions(**options), [names], self.shape, self.law._arguments(),
                           threads)[0]


def _asked_bits(questions: list[list[str]], names: Sequence[tuple[str, str]],
                shape: tuple[int, ...], arguments: dict[str, npt.NDArray[Any]],
                threads: Optional[int]) -> list[Bits]:
    """Numbers of many answers, each with its error; no more than these is computed."""
    paths = [path for pair in names for path in pair] + ["proved"]
    try:
        columns = _core.ask_columns(questions, paths, thread_count(threads))
    except RowError as error:
        raise explained(error, shape, arguments) from None
    found = [column.reshape(shape) for column in columns]
    return [Bits(found[2 * i], found[2 * i + 1], found[-1] != 0) for i in range(len(names))]


def _required_tolerance(tolerance: float) -> float:
    if not 0 < float(tolerance) <= 1:
        raise ValueError(f"tolerance must be > 0 and at most 1 bit, got {tolerance!r}")
    return float(tolerance)


def entropy(format: Formats, law: Union[LawLike, Vector], *, tolerance: float = 1e-12, certify: bool = False,
            rounding: Optional[str] = None, overflow: Optional[str] = None,
            threads: Optional[int] = None) -> Bits:
    """H of the stored variable, exactly, at any precision.

    >>> from ktln2 import normal
    >>> entropy("p24e8", normal(mu=0, sigma=1))
    Bits(26.4637339907... ± ...e-13)
    >>> entropy(["bfloat16", "e4m3"], normal(sigma=[[0.02], [1.0]])).shape
    (2, 2)

    `format` is a format or an array of them, `law` a law, whose parameters may be arrays, one of
    SciPy's frozen ones, or any object with `pdf` and `cdf`; all broadcast, and the rows are shared
    among `threads`, all that the machine has for None. With `certify` the error bars are proofs. Of
    a block format the result is per element. Of a `row`, or of what `ols` finds on it, it is that of
    all registers together.
    """
    tolerance = _required_tolerance(tolerance)
    if isinstance(law, Vector):
        return _vector_entropy(format, law, tolerance, certify, rounding, overflow)
    rows = _Rows(format, law, rounding, overflow)
    if certify or not rows.are_registers:
        asked = {"certify": True} if certify else {}
        if tolerance != 1e-12:
            asked["tolerance"] = tolerance  # type: ignore[assignment]
        return rows.asked(("value", "error"), threads, **asked)
    return rows.solved(_core.entropy, tolerance, threads, 1)


def _vector_entropy(format: Formats, law: Vector, tolerance: float, certify: bool,
                    rounding: Optional[str], overflow: Optional[str]) -> Bits:
    if not isinstance(format, (str, Format)):
        raise TypeError(f"format must be one format for {law.kind}(…), got {type(format).__name__}")
    one = as_format(format, rounding, overflow)
    question = words("entropy", one.name, str(law), rounding=one._rounding, overflow=one._overflow,
                     tolerance=None if tolerance == 1e-12 else tolerance, certify=certify)
    return _asked_bits([question], [("value", "error")], (), {}, None)[0]


def by_field(format: Formats, law: LawLike, *, tolerance: float = 1e-12,
             rounding: Optional[str] = None, overflow: Optional[str] = None,
             threads: Optional[int] = None) -> FieldBits:
    """H(sign), H(exponent given the sign), H(mantissa given both), and their sum.

    >>> from ktln2 import normal
    >>> print(f"{by_field('p11e5', normal()).mantissa:.6f}")
    9.918712
    """
    made = _Rows(format, law, rounding, overflow).solved(
        _core.by_field, _required_tolerance(tolerance), threads, 4)
    return FieldBits(*(made[..., i] for i in range(4)))


def by_bit(format: FormatLike, law: LawLike, *, tolerance: float = 1e-12,
           rounding: Optional[str] = None, overflow: Optional[str] = None,
           threads: Optional[int] = None) -> BitWorth:
    """What every single bit is worth, from the top, given those above it; they add up to H.

    >>> from ktln2 import normal
    >>> worth = by_bit("p3e2", normal())
    >>> worth.names
    ('sign', 'exponent 1', 'exponent 0', 'mantissa 1', 'mantissa 0')
    """
    kept = as_format(format, rounding, overflow)
    rows = _Rows(kept, law, None, None)

    def solve(registers: Any, which: Any, laws: Any, wanted: float, workers: int) -> Any:
        return _core.by_bit(registers[0], laws, wanted, workers)

    made = rows.solved(solve, _required_tolerance(tolerance), threads, kept.width)
    return BitWorth(kept.bit_names, made.reshape((*rows.shape, kept.width)))


class Approximation(NamedTuple):
    """One of the paper's approximations, and whether it may be trusted here."""

    label: str
    value: Optional[float]  #: in bits; nothing where it does not exist
    applies: bool
    answer: Answer  #: all that is known of it


def approximations(format: FormatLike, law: LawLike) -> dict[str, Approximation]:
    """The paper's approximations to H, by their labels.

    >>> from ktln2 import normal
    >>> approximations("p24e8", normal())["eq:single_mean_0"].applies
    True
    """
    rows = _Rows(as_format(format), law, None, None)
    if rows.shape:
        raise ValueError(f"law must be a single one, got the shape {rows.shape}")
    listed = answered(Answer, rows.questions()[0])["approximations"]
    return {one["label"]: Approximation(one["label"], one["value"], one["applies"], Answer(one))
            for one in listed}


class Pair:
    """Two variables, Y = b + wX + noise [eq:initial_dist]; the parameters may be arrays."""

    def __init__(self, w: Any = 1.0, sigma_x: Any = 1.0, sigma_xi: Any = 0.5, mu_x: Any = 0.0,
                 b: Any = 0.0) -> None:
        self.parameters = {name: parameter(name, value) for name, value in
                           (("w", w), ("sigma_x", sigma_x), ("sigma_xi", sigma_xi), ("mu_x", mu_x),
                            ("b", b))}
        self.shape = np.broadcast_shapes(*(v.shape for v in self.parameters.values()))
        for name, values in self.parameters.items():
            is_free = not name.startswith("sigma")
            bad = ~np.isfinite(values) if is_free else ~(np.isfinite(values) & (values > 0))
            if np.any(bad):
                at = int(np.flatnonzero(bad.reshape(-1))[0])
                what = "finite" if is_free else "finite and > 0"
                place = "[" + ", ".join(map(str, np.unravel_index(at, values.shape))) + "]"
                raise ValueError(f"{name}{place if values.ndim else ''} must be {what}, "
                                 f"got {word(float(values.reshape(-1)[at]))}")

    def describe(self, index: tuple[int, ...] = ()) -> str:
        keys = ",".join(f"{name}={word(float(np.broadcast_to(values, self.shape)[index]))}"
                        for name, values in self.parameters.items())
        return f"pair:{keys}"

    @property
    def snr(self) -> Any:
        """The signal-to-noise ratio."""
        made = (self.parameters["w"] * self.parameters["sigma_x"]
                / self.parameters["sigma_xi"]) ** 2
        return made if self.shape else float(made)

    def __repr__(self) -> str:
        shown = ", ".join(f"{k}={word(v) if not v.ndim else f'array{v.shape}'}"
                          for k, v in self.parameters.items())
        return f"pair({shown})"


def pair(w: Any = 1.0, sigma_x: Any = 1.0, sigma_xi: Any = 0.5, mu_x: Any = 0.0,
         b: Any = 0.0) -> Pair:
    """Two variables, Y = b + wX + noise [eq:initial_dist]; mu_x is the mean of X."""
    return Pair(w, sigma_x, sigma_xi, mu_x, b)


class JointBits(NamedTuple):
    """The entropies of two registers."""

    joint: Bits
    x: Bits
    y: Bits
    conditional: Bits  #: H(Y given X)
    mutual_information: Bits


def joint(format: FormatLike, of: Pair, *, y_format: Optional[FormatLike] = None,
          tolerance: float = 1e-11, threads: Optional[int] = None) -> JointBits:
    """H(X, Y) of a pair on two registers [cor:joint_ent].

    >>> print(f"{joint('p6e4', pair(w=1, sigma_x=1, sigma_xi=0.01)).joint:.6f}")
    10.529346
    """
    x, y = as_format(format), None if y_format is None else as_format(y_format).name
    if not isinstance(of, Pair):
        raise TypeError(f"of must be a pair, got {type(of).__name__}")
    wanted = _required_tolerance(tolerance)
    questions = [words("entropy", x.name, of.describe(index), y_format=y,
                       rounding=x._rounding, overflow=x._overflow,
                       tolerance=None if wanted == 1e-11 else wanted)
                 for index in np.ndindex(of.shape)]
    names = [(name, name + "_error") for name in
             ("x", "y", "conditional", "mutual_information")]
    return JointBits(*_asked_bits(questions, [("value", "error"), *names], of.shape, of.parameters,
                                  threads))


def compare(formats: Sequence[FormatLike], law: LawLike) -> Answer:
    """One variable in several formats, a row each: what each holds, what it wastes.

    >>> from ktln2 import normal
    >>> [row["format"] for row in compare(["e4m3", "bfloat16"], normal(sigma=0.02)).rows]
    ['bfloat16', 'e4m3']
    """
    names = [as_format(one).name for one in formats]
    return answered(Answer, words("compare", as_law(law).describe(), *names))
