"""One's own numbers: what they carry, and a line or a plane through them."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterator, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from ._ask import Fit, Report, asked, word
from ._errors import thread_count
from ._format import FormatLike, _as_array, as_format
from ._law import parameter

#: What other libraries call element types that NumPy does not have, and what they are here.
_RAW_TYPES = {"bfloat16": "BF16", "float8_e4m3fn": "F8_E4M3", "float8_e5m2": "F8_E5M2"}


def measure(data: Any, *, each: bool = False, bits: bool = False,
            as_: Optional[Sequence[FormatLike]] = None, estimator: str = "chao",
            dtype: Optional[str] = None, kind: Optional[str] = None,
            delimiter: Optional[str] = None, decimal_comma: bool = False, temperature: Any = None,
            kbt: Any = None, threads: Optional[int] = None) -> Report:
    """What numbers carry, and what they could be compressed to at best: those of an array, of
    several by their names, or of files.

    >>> import numpy as np
    >>> report = measure(np.array([1.0, 2.0, 2.0, 3.0], dtype=np.float16))
    >>> report.tensors[0]["count"]
    4

    `data` is an array, a dict of arrays, a path or a list of paths: .safetensors, .npy, .npz, .csv,
    .tsv, or raw numbers of a `dtype`. `as_` are formats to store the numbers in, instead.
    """
    options = dict(each=each, bits=bits, estimator=estimator, kind=kind, delimiter=delimiter,
                   decimal_comma=decimal_comma, temperature=temperature, kbt=kbt,
                   as_=None if as_ is None else [as_format(one).name for one in as_],
                   threads=thread_count(threads) or None)
    if isinstance(data, (str, os.PathLike)):
        data = [data]
    if isinstance(data, (list, tuple)) and data \
            and all(isinstance(one, (str, os.PathLike)) for one in data):
        return asked(Report, "measure", *map(os.fspath, data), dtype=dtype, **options)
    with _as_file(data) as (path, raw):
        report = asked(Report, "measure", path, dtype=raw or dtype, **options)
    for tensor in report["tensors"]:
        tensor["file"] = "array"
    for group in report["groups"] if not isinstance(data, dict) else []:
        group["name"] = "array"
    return report


@contextmanager
def _as_file(data: Any) -> Iterator[tuple[str, Optional[str]]]:
    """Arrays as a file, and what its numbers are if the file does not say it."""
    with tempfile.TemporaryDirectory(prefix="ktln2-") as folder:
        if isinstance(data, dict):
            path = Path(folder) / "arrays.npz"
            np.savez(path, **{name: _plain(one) for name, one in data.items()})
            yield str(path), None
            return
        array = _as_array(data)
        raw = _RAW_TYPES.get(array.dtype.name)
        if raw is None:
            path = Path(folder) / "array.npy"
            np.save(path, _plain(array))
        else:
            path = Path(folder) / "array.bin"
            np.ascontiguousarray(array).tofile(path)
        yield str(path), raw


def _plain(data: Any) -> npt.NDArray[Any]:
    array = _as_array(data)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"data must be numbers, got {array.dtype}")
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))


def fit(x: Any, y: Any, *, table: Union[str, "os.PathLike[str]", None] = None,
        intercept: bool = False, format: FormatLike = "p24e8",
        y_format: Optional[FormatLike] = None, model_format: Optional[FormatLike] = None,
        batch: Any = 10, epochs: Any = 1, eta: Any = None, w0: Any = 0.0, law: str = "moments",
        entropy: str = "exact", temperature: Any = None, kbt: Any = None,
        energy_price: Any = None, inference_price: Any = None, demand: str = "inverse",
        delimiter: Optional[str] = None, decimal_comma: bool = False) -> Fit:
    """A line or a plane through x and y, and what training on them must cost.

    >>> fit([1.0, 2.0, 3.0, 4.0], [2.1, 3.9, 6.2, 7.8]).rows
    4

    x and y are arrays, x perhaps with a column for each feature, or columns of a `table`, .csv or
    .tsv, by name or number, of x also a list of them. With both prices the answer says how many rows
    are worth it.
    """
    def name(one: Optional[FormatLike]) -> Optional[str]:
        return None if one is None else as_format(one).name

    options = dict(intercept=intercept, format=name(format), y_format=name(y_format),
                   model_format=name(model_format), batch=batch, epochs=epochs, eta=eta, w0=w0,
                   law=law, entropy=entropy, temperature=temperature, kbt=kbt,
                   energy_price=energy_price, inference_price=inference_price,
                   demand=demand if energy_price is not None else None, delimiter=delimiter,
                   decimal_comma=decimal_comma)
    if table is not None:
        columns = x if isinstance(x, str) or not isinstance(x, (list, tuple)) \
            else ",".join(map(str, x))
        return asked(Fit, "fit", os.fspath(table), x=columns, y=y, **options)
    features, target = parameter("x", x), parameter("y", y).reshape(-1)
    features = features.reshape(-1, 1) if features.ndim < 2 else features
    if features.ndim > 2:
        raise ValueError(f"x must have one dimension or two, got {features.ndim}")
    if len(features) != target.size:
        raise ValueError(f"y must have as many numbers as x, {len(features)}, got {target.size}")
    for what, values in (("x", features), ("y", target)):
        bad = np.argwhere(~np.isfinite(values))
        if bad.size:
            place = ", ".join(map(str, bad[0] if what == "y" or values.shape[1] > 1 else bad[0][:1]))
            raise ValueError(f"{what}[{place}] must be finite, got {values[tuple(bad[0])]}")
    names = ["x"] if features.shape[1] == 1 \
        else [f"x{j + 1}" for j in range(features.shape[1])]
    with tempfile.TemporaryDirectory(prefix="ktln2-") as folder:
        path = Path(folder) / "table.csv"
        lines = [",".join([*names, "y"]),
                 *(",".join(map(word, [*row, b])) for row, b in zip(features, target))]
        path.write_text("\n".join(lines) + "\n")
        made = asked(Fit, "fit", str(path), x=",".join(names), y="y", **options)
    made["file"] = "arrays"
    return made
