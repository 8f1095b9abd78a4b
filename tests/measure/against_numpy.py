#!/usr/bin/python3
"""What `ktln2 measure` says of files that NumPy wrote, against counts that NumPy makes.

Arrays of every kind as .npy and .npz, and a block of a trained model, kept as BF16, converted to
F16, F32, F8_E4M3 and F8_E5M2: total, sign, exponent given the sign, mantissa given both, the fields by
themselves, and facts such as mean and zeros, by the plug-in. Usage: against_numpy.py PROGRAM
"""

import json
import math
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

KEPT = Path(__file__).parents[1] / "reference/data/gpt-block-bf16.safetensors"
# name: (sign bits, exponent bits, mantissa bits)
LAYOUTS = {"F16": (1, 5, 10), "BF16": (1, 8, 7), "F32": (1, 8, 23), "F64": (1, 11, 52),
           "F8_E4M3": (1, 4, 3), "F8_E5M2": (1, 5, 2)}

mistakes = []


def expect_near(where, found, expected, tolerance=1e-9):
    if found is None or not math.isclose(found, expected, rel_tol=tolerance, abs_tol=tolerance):
        mistakes.append(f"{where}: {found}, NumPy says {expected}")


def entropy(codes):
    """Of integers, by the plug-in, in bits."""
    if codes.size == 0:
        return 0.0
    _, counts = np.unique(codes, return_counts=True)
    shares = counts / codes.size
    return float(-(shares * np.log2(shares)).sum())


def measured(program, file, *options):
    done = subprocess.run([program, "measure", str(file), "--estimator", "plugin", "--json", *options],
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"measure {file}: {done.stderr}")
    return {one["name"]: one for one in json.loads(done.stdout)["tensors"]}


def compare(name, found, codes, values, layout):
    """Of codes as unsigned integers, and the numbers that they stand for."""
    signs, exponents, mantissas = layout
    width = signs + exponents + mantissas
    low = max(0, width - 16)  # bits that are counted byte by byte
    top = codes >> low
    total = entropy(top)
    total += sum(entropy(codes >> at & 0xff) for at in range(0, low, 8))
    head = codes >> mantissas
    expected = {
        "count": codes.size,
        "total": total,
        "sign": entropy(codes >> (width - 1)),
        "exponent": entropy(head) - entropy(codes >> (width - 1)),
        "mantissa": total - entropy(head),
        "zeros": int((values == 0).sum()),
        "mean": float(values.mean()) if codes.size else 0.0,
        "deviation": float(values.std()) if codes.size else 0.0,
    }
    for key, value in expected.items():
        expect_near(f"{name}, {key}", found[key], value)
    exponent = head & ((1 << exponents) - 1)
    expect_near(f"{name}, marginal exponent", found["marginals"]["exponent"], entropy(exponent))
    if low == 0:
        mantissa = codes & ((1 << mantissas) - 1)
        expect_near(f"{name}, marginal mantissa", found["marginals"]["mantissa"], entropy(mantissa))


def arrays_of_all_kinds():
    rng = np.random.default_rng(7)
    normal = rng.normal(size=(60, 50))
    yield from ((kind, normal.astype(kind)) for kind in ("<f2", "<f4", "<f8", ">f2", ">f4", ">f8"))
    yield "fortran", np.asfortranarray(normal.astype("f4"))
    yield "strided", normal[::2, ::3].astype("f4")
    yield "point", np.array(3.5)
    yield "nothing", np.empty((0, 4), "f4")
    yield "special", np.array([0.0, -0.0, 5e-324, 1e100, -1, -1, 2, 2], "f8")
    for kind in ("i1", "u1", "<i2", ">u2", "<i4", "<u4", "<i8", "<u8"):
        yield kind, rng.integers(0, 100, 1000).astype(kind)
    yield "bool", rng.random(500) < 0.25


def codes_of(array):
    little = array.astype(array.dtype.newbyteorder("<")).ravel(order="K")
    return little.view(f"<u{array.dtype.itemsize}").astype(np.uint64)


def check_arrays(program, folder):
    arrays = dict(arrays_of_all_kinds())
    np.savez(folder / "plain.npz", **arrays)
    np.savez_compressed(folder / "small.npz", **arrays)
    packed = [measured(program, folder / name) for name in ("plain.npz", "small.npz")]
    for name, array in arrays.items():
        file = folder / "one.npy"
        np.save(file, array)
        alone = next(iter(measured(program, file).values()))
        for found in (alone, *(one[name] for one in packed)):
            codes = codes_of(array)
            if array.dtype.kind == "f":
                layout = LAYOUTS[f"F{8 * array.dtype.itemsize}"]
                compare(name, found, codes, array.astype("f8").ravel(), layout)
            else:
                expect_near(f"{name}, count", found["count"], array.size)
                if array.dtype.itemsize <= 2:
                    expect_near(f"{name}, total", found["total"], entropy(codes))
                expect_near(f"{name}, mean", found["mean"], float(array.mean()))
    complex_numbers = np.array([1 + 2j, 3 - 1j, 1 + 2j], "c8")
    np.save(folder / "complex.npy", complex_numbers)
    found = next(iter(measured(program, folder / "complex.npy").values()))
    expect_near("complex, count", found["count"], 6)


def read_safetensors(file):
    data = file.read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + length])
    for name, one in header.items():
        if name != "__metadata__":
            begin, end = one["data_offsets"]
            yield name, np.frombuffer(data[8 + length + begin:8 + length + end], "<u2")


def write_safetensors(file, dtype, tensors):
    header, body = {}, b""
    for name, codes in tensors.items():
        header[name] = {"dtype": dtype, "shape": [codes.size],
                        "data_offsets": [len(body), len(body) + codes.nbytes]}
        body += codes.tobytes()
    text = json.dumps(header).encode()
    file.write_bytes(struct.pack("<Q", len(text)) + text + body)


def eight_bit_values(exponents, mantissas, bias, finite):
    """The magnitudes of an 8-bit format, in the order of their codes."""
    code = np.arange(finite)
    exponent, mantissa = code >> mantissas, code & ((1 << mantissas) - 1)
    fraction = mantissa / (1 << mantissas)
    return np.where(exponent == 0, fraction * 2.0 ** (1 - bias), (1 + fraction) * 2.0 ** (exponent - bias))


def nearest_codes(values, magnitudes):
    """Without ties: a tie may go to either."""
    at = np.searchsorted((magnitudes[1:] + magnitudes[:-1]) / 2, np.abs(values))
    return (at + (np.signbit(values) << 7)).astype(np.uint8)


def check_model(program, folder):
    kept = {name: codes.astype(np.uint32) << 16 for name, codes in read_safetensors(KEPT)}
    e4m3 = eight_bit_values(4, 3, 7, 127)
    e5m2 = eight_bit_values(5, 2, 15, 124)
    for dtype in ("BF16", "F16", "F32", "F8_E4M3", "F8_E5M2"):
        tensors, values = {}, {}
        for name, codes in kept.items():
            x = codes.view("<f4")
            if dtype == "BF16":
                stored, back = (codes >> 16).astype("<u2"), x
            elif dtype == "F32":
                stored, back = codes, x
            elif dtype == "F16":
                back = x.astype("<f2")
                stored = back.view("<u2")
            else:
                magnitudes = e4m3 if dtype == "F8_E4M3" else e5m2
                stored = nearest_codes(x, magnitudes)
                back = magnitudes[stored & 0x7f] * np.where(stored >> 7, -1, 1)
            tensors[name], values[name] = stored, back.astype("f8")
        file = folder / f"{dtype}.safetensors"
        write_safetensors(file, dtype, tensors)
        found = measured(program, file)
        for name, codes in tensors.items():
            compare(f"{dtype} {name}", found[name], codes.astype(np.uint64), values[name], LAYOUTS[dtype])


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_arrays(sys.argv[1], Path(folder))
        check_model(sys.argv[1], Path(folder))
    print("\n".join(mistakes) or "As NumPy has it.")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
