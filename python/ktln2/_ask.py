"""Questions in words, as the command line has them, and their answers."""

from __future__ import annotations

import html
import json
import re
from typing import Any, Iterable, Optional, Sequence, TypeVar

import numpy as np

from . import _core
from ._bits import Bits, Joules
from ._errors import thread_count


class Answer(dict[str, Any]):
    """What `ktln2 … --json` would print, to the last digit; its parts are attributes too.

    Numbers that JSON cannot have, such as infinities, are strings there, and so they are here;
    `number(…)` makes a float of them.
    """

    def __getattr__(self, name: str) -> Any:
        try:
            part = self[name]
        except KeyError:
            raise AttributeError(f"the answer has no {name!r}; it has "
                                 + ", ".join(self)) from None
        return Answer(part) if type(part) is dict else part

    def number(self, name: str) -> float:
        """One number of the answer, infinite or undefined ones too."""
        part = self[name]
        return float("nan") if part is None else float(part)

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self]

    def __repr__(self) -> str:
        shown = ", ".join(f"{key}={value!r}" for key, value in self._headline().items())
        return f"{type(self).__name__}({shown})"

    def _headline(self) -> dict[str, Any]:
        """What a line has room for."""
        return {key: value for key, value in self.items()
                if isinstance(value, (str, int, float, bool)) and key not in ("command", "version")}

    def _repr_html_(self) -> str:
        return table_of(self._headline().items())


class Bill(Answer):
    """What a computation must cost at the least."""

    @property
    def bits(self) -> Bits:
        """What it erases."""
        return Bits(self["bits"], self["error"])

    @property
    def joules(self) -> Joules:
        """The least energy of that, at the temperature of the question."""
        bar = self["joules_error"] if "joules_error" in self \
            else self.bits.joules(T=self["temperature"]).error
        return Joules(self["joules"], bar)

    def _headline(self) -> dict[str, Any]:
        return {**super()._headline(), "bits": self.bits, "joules": self.joules}

    def _repr_html_(self) -> str:
        """As the command line's text has it: where the joules go."""
        fields = self.get("fields")
        if not isinstance(fields, dict) or self.bits.ndim:
            return super()._repr_html_()
        price = self["joules"] / self["bits"] if self["bits"] else 0.0
        parts = [(f"{name} of the inputs", fields[name]) for name in ("sign", "exponent", "mantissa")]
        parts += [("less what x and y share", -fields["shared"])] if fields.get("shared") else []
        parts += [("less the output", -self["output_bits"]), ("to be paid", self["bits"])]
        rows = [(name, f"{bits:,.6f}", f"{price * bits:.3e}") for name, bits in parts]
        return grid_of((f"{self['kind']} in {self['format']}", "bits", "joules"), rows)


class Optimum(Answer):
    """The dataset size worth paying for."""


class Report(Answer):
    """What was counted in numbers."""

    def _repr_html_(self) -> str:
        names = ("name", "dtype", "count", "bits", "total", "sign", "exponent", "mantissa")

        def shown(value: Any) -> str:
            return f"{value:.4f}" if isinstance(value, float) else str(value)

        rows = [[shown(one.get(name, "")) for name in names] for one in self["tensors"]]
        return grid_of(names, rows)


class Fit(Answer):
    """A line through a table, and its bill."""


A = TypeVar("A", bound=Answer)


def table_of(rows: Iterable[tuple[str, Any]]) -> str:
    body = "".join(f"<tr><th style='text-align:left'>{html.escape(str(key))}</th>"
                   f"<td>{html.escape(str(value))}</td></tr>" for key, value in rows)
    return f"<table>{body}</table>"


def grid_of(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Numbers under headings; the first column says what they are."""
    def line(tag: str, cells: Sequence[str]) -> str:
        first, *others = (html.escape(str(one)) for one in cells)
        return (f"<tr><th style='text-align:left'>{first}</th>"
                + "".join(f"<{tag} style='text-align:right'>{one}</{tag}>" for one in others) + "</tr>")

    return "<table>" + line("th", headings) + "".join(line("td", row) for row in rows) + "</table>"


def word(value: Any) -> str:
    """A value as it would be typed: a whole number without a point, all others to the last digit."""
    if isinstance(value, (bool, np.bool_)):
        raise TypeError("expected a number or a word, got a truth value")
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        number = float(value)
        return str(int(number)) if abs(number) < 1e15 and number == int(number) else repr(number)
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return word(value[()])
    return str(value)


def words(command: str, /, *arguments: Any, **options: Any) -> list[str]:
    """What would be typed behind the program's name.

    >>> words("cost exact", "p24e8", n=1000, sigma_x=0.5)
    ['cost', 'exact', 'p24e8', '--n', '1000', '--sigma-x', '0.5']
    """
    typed = command.split() + [word(one) for one in arguments]
    for name, value in options.items():
        if value is None or value is False:
            continue
        typed.append("--" + name.rstrip("_").replace("_", "-"))
        if value is True:
            continue
        many = isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim)
        typed += [word(one) for one in value] if many else [word(value)]
    return typed


def ask(command: str, /, *arguments: Any, **options: Any) -> Answer:
    """The answer to any question that the command line takes, options by their names.

    >>> ask("entropy", "p11e5", "normal:mu=0,sigma=1")["fields"]["sign"]
    1
    """
    return answered(Answer, words(command, *arguments, **options))


def asked(kind: type[A], command: str, /, *arguments: Any, **options: Any) -> A:
    """The same as an answer of some kind. Options that are arrays broadcast: the answer then has
    arrays in the place of numbers."""
    arrays = {name: np.asarray(value) for name, value in options.items()
              if isinstance(value, np.ndarray) and value.ndim}
    if not arrays:
        return answered(kind, words(command, *arguments, **options))
    shape = np.broadcast_shapes(*(one.shape for one in arrays.values()))
    spread = {name: np.broadcast_to(one, shape) for name, one in arrays.items()}
    questions = [words(command, *arguments,
                       **{**options, **{name: one[i] for name, one in spread.items()}})
                 for i in np.ndindex(shape)]
    try:
        return merged(answered_all(kind, questions, None), shape)
    except _core.RowError as error:
        row, message = error.args
        at = tuple(int(i) for i in np.unravel_index(row, shape))
        raise ValueError(f"{message} (at {list(at)})") from None


def swept(value: Any) -> Any:
    """A parameter as it is; what is a list of numbers, as an array of them."""
    return np.asarray(value) if isinstance(value, (list, tuple)) else value


def merged(answers: list[A], shape: tuple[int, ...]) -> A:
    """Answers alike as one, whose numbers are arrays."""
    return type(answers[0])({key: _merged_part([one.get(key) for one in answers], shape)
                             for key in answers[0]})


def _merged_part(parts: list[Any], shape: tuple[int, ...]) -> Any:
    if all(isinstance(one, dict) for one in parts):
        return merged([Answer(one) for one in parts], shape)
    if all(type(one) in (int, float) or one is None or _is_number(one) for one in parts):
        return np.array([np.nan if one is None else float(one) for one in parts]).reshape(shape)
    if all(type(one) is type(parts[0]) and one == parts[0] for one in parts):
        return parts[0]
    made = np.empty(len(parts), dtype=object)
    made[:] = parts
    return made.reshape(shape)


def _is_number(text: Any) -> bool:
    """Those that JSON cannot have are words there."""
    return isinstance(text, str) and bool(
        re.fullmatch(r"-?(inf|\d+(\.\d+)?(e[+-]?\d+)?)", text))


def answered(kind: type[A], typed: list[str]) -> A:
    return kind(json.loads(_core.ask(typed)))


def answered_all(kind: type[A], questions: list[list[str]], threads: Optional[int]) -> list[A]:
    """Many answers, computed in parallel."""
    return [kind(json.loads(text)) for text in _core.ask_all(questions, thread_count(threads))]
