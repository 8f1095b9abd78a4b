"""A question along many values of its parameters."""

from __future__ import annotations

import csv
import io
import shlex
from typing import Any, Iterable, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._ask import word
from ._errors import thread_count

_CHUNK = 256  # rows that a process takes at a time


def _axis(key: str, values: Any) -> str:
    """KEY=A,B,C; a string is a range, or a list, as the command line has them."""
    name = key.rstrip("_").replace("_", "-") if key not in _LAW_KEYS else key
    if isinstance(values, str):
        return f"{name}={values}"
    if np.ndim(values) == 0 and not isinstance(values, (range, Sequence, np.ndarray)):
        values = [values]
    listed = [word(one) for one in (values.reshape(-1) if isinstance(values, np.ndarray)
                                    else values)]
    if not listed:
        raise ValueError(f"{key} must have at least one value")
    return f"{name}={','.join(listed)}"


_LAW_KEYS = {key for _, keys, _ in _core.law_catalogue() for key, _ in keys}


def sweep(question: Union[str, Sequence[str]], *, columns: Optional[Iterable[str]] = None,
          threads: Optional[int] = None, comm: Any = None, **axes: Any) -> npt.NDArray[Any]:
    """The answers to a question while its parameters run through many values.

    >>> table = sweep("entropy p24e8 normal", p=[8, 11], sigma=[0.5, 1.0, 2.0])
    >>> table.shape, table.dtype.names
    ((2, 3), ('p', 'sigma', 'value', 'error', 'warnings'))
    >>> print(f"{table['value'][0, 1]:.6f}")
    10.464425

    `question` is what would be typed behind `ktln2 sweep`; each further argument is an axis, the first
    one outermost: an array or a list of values, or a range in words, "0.1:10:50:log". Returns a
    structured array with an axis for each. `columns` are the numbers wanted, by their names in the
    JSON of an answer. With `comm`, a communicator of mpi4py, the rows are shared among its ranks, and
    every rank has the whole table in the end.
    """
    typed = shlex.split(question) if isinstance(question, str) else list(question)
    if not typed:
        raise ValueError("question must be a command such as 'entropy p24e8 normal', got nothing")
    if not axes:
        raise ValueError("sweep needs an axis, such as sigma=[1, 2, 3]")
    over = [_axis(key, values) for key, values in axes.items()]
    rows = _core.Sweep(typed, over, ",".join(columns or ()))
    text = _rows_of(rows, threads) if comm is None else _shared_rows(rows, threads, comm)
    return _table(text, rows.headings, tuple(rows.shape))


def _rows_of(rows: _core.Sweep, threads: Optional[int]) -> str:
    return rows.rows(0, rows.size, thread_count(threads))


def _shared_rows(rows: _core.Sweep, threads: Optional[int], comm: Any) -> str:
    """Chunks go round: rank r takes chunks r, r + size, …"""
    rank, size = comm.Get_rank(), comm.Get_size()
    workers = thread_count(threads) if threads is not None else 1
    chunk = max(1, min(_CHUNK, -(-rows.size // size)))
    mine, failure = {}, None
    try:
        for i in range(rank, -(-rows.size // chunk), size):
            begin = i * chunk
            mine[i] = rows.rows(begin, min(chunk, rows.size - begin), workers)
    except ValueError as error:  # all ranks must hear of it, or they would wait forever
        failure = str(error)
    parts: dict[int, str] = {}
    failures = []
    for others, problem in comm.allgather((mine, failure)):
        parts.update(others)
        failures += [problem] if problem else []
    if failures:
        raise ValueError(failures[0])
    return "".join(parts[i] for i in sorted(parts))


def _table(text: str, headings: Sequence[str], shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """Columns of numbers where all are numbers, of words where they are not."""
    listed = list(csv.reader(io.StringIO(text)))
    columns = {name: _column([row[i] for row in listed]) for i, name in enumerate(headings)}
    made = np.empty(len(listed), dtype=[(name, one.dtype) for name, one in columns.items()])
    for name, one in columns.items():
        made[name] = one
    return made.reshape(shape)


def _column(words: list[str]) -> npt.NDArray[Any]:
    if any(words):
        try:
            return np.array([float(one) if one else np.nan for one in words])
        except ValueError:
            pass
    return np.array(words, dtype=str)
