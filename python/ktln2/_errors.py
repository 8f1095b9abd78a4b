"""Errors that name the argument and the place in it."""

from __future__ import annotations

import re
from typing import Any, Mapping, Optional

import numpy as np
import numpy.typing as npt

from ._core import RowError

# "normal: sigma must be finite and > 0, got -1": who complains, of what, and why.
_COMPLAINT = re.compile(r"(?:(?P<where>[\w .-]+): )?(?P<name>\w+) (?P<what>must .*)", re.DOTALL)


def place(index: int, shape: tuple[int, ...], own: tuple[int, ...]) -> str:
    """Where row `index` of a broadcast shape is in an argument of its own shape: "[3, 17]"."""
    if not own:
        return ""
    at = np.unravel_index(index, shape)[len(shape) - len(own):]
    return "[" + ", ".join(str(0 if length == 1 else int(i)) for i, length in zip(at, own)) + "]"


def explained(error: RowError, shape: tuple[int, ...],
              arguments: Mapping[str, npt.NDArray[Any]]) -> ValueError:
    """The same mistake, said of the argument that has it."""
    index, message = error.args
    found = _COMPLAINT.fullmatch(message)
    if found and found["name"] in arguments:
        own = np.shape(arguments[found["name"]])
        return ValueError(found["name"] + place(index, shape, own) + " " + found["what"])
    where = place(index, shape, shape)
    return ValueError(f"{message} (at {where})" if where else message)


def of_element(error: RowError, name: str, shape: tuple[int, ...]) -> ValueError:
    """A mistake in one element of an array."""
    index, message = error.args
    return ValueError(name + place(index, shape, shape) + message)


def thread_count(threads: Optional[int]) -> int:
    """0, as many as the machine has, for None."""
    if threads is None:
        return 0
    if isinstance(threads, bool) or int(threads) != threads or not 1 <= threads <= 256:
        raise ValueError(f"threads must be None or from 1 to 256, got {threads!r}")
    return int(threads)
