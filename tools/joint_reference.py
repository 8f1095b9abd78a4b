#!/usr/bin/env python3
"""Writes tests/reference/joint_more.json: joint entropies of two registers from tests/oracle.

usage: joint_reference.py build/release/tests/ktln2-oracle [jobs]

Entries that the file already has are kept, so that a case can be added without computing all
of them again. A parameter is written as the exact decimal expansion of a double.
"""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from decimal import Decimal

OUTPUT = os.path.join(os.path.dirname(__file__), "..", "tests", "reference", "joint_more.json")

# (p, E) or (px, Ex, py, Ey), then w, sigma_x, sigma_xi. SNR = (w sigma_x / sigma_xi)^2.
CASES = [
    # the smallest formats
    ((1, 0), "1", "1", "0.5"),
    ((1, 0), "1", "1", "0.0009765625"),
    ((1, 1), "1", "1", "1"),
    ((1, 1), "-0.75", "1.5", "0.001"),
    ((2, 1), "1", "1", "0.25"),
    ((1, 3), "1", "1", "1e-6"),
    ((1, 5), "1", "1", "0.5"),
    ((2, 0), "1", "1", "1e-4"),
    ((3, 0), "0.5", "2", "0.125"),
    ((5, 0), "1", "1.5", "0.0625"),
    ((8, 0), "1", "2", "0.02"),
    # SNR from 0 on, in a register of eight bits
    ((4, 4), "0", "1", "1"),
    ((4, 4), "0.001", "1", "1"),
    ((4, 4), "1", "1", "3.1622776601683795"),
    ((4, 4), "1", "1", "0.5"),
    ((4, 4), "1", "1", "0.1"),
    ((4, 4), "1", "1", "0.01"),
    ((4, 4), "1", "1", "0.001"),
    ((4, 4), "1", "1", "1e-4"),
    ((4, 4), "1", "1", "1e-6"),
    ((4, 4), "1", "1", "1e-9"),
    ((4, 4), "1", "1", "1e-12"),
    # other formats
    ((2, 2), "1", "1", "1e-12"),
    ((2, 4), "0", "3", "0.01"),
    ((2, 5), "1", "1", "0.0001"),
    ((3, 1), "1", "1", "0.1"),
    ((3, 2), "1", "1", "0.01"),
    ((3, 3), "1", "1", "1e-3"),
    ((3, 3), "1", "1", "1e-9"),
    ((3, 5), "1", "1", "0.5"),
    ((5, 2), "1", "1", "0.1"),
    ((5, 3), "1", "1", "0.5"),
    ((5, 3), "1", "1", "1e-4"),
    ((5, 5), "1", "1", "1e-6"),
    ((6, 3), "1", "1", "0.01"),
    ((6, 5), "1", "1", "0.001"),
    ((7, 2), "1", "1", "0.1"),
    ((7, 3), "1", "1", "1e-3"),
    ((8, 1), "1", "1", "0.5"),
    ((8, 3), "1", "1", "1e-4"),
    ((8, 4), "1", "1", "1e-3"),
    ((8, 5), "1", "1", "1e-4"),
    ((8, 5), "1", "1", "1e-6"),
    ((8, 4), "1", "1", "1e-12"),
    # w: negative, a power of two, neither, large and small
    ((3, 4), "-1", "1", "0.01"),
    ((4, 4), "-1", "1", "1e-6"),
    ((3, 4), "2", "1", "0.01"),
    ((4, 4), "2", "1", "1e-6"),
    ((4, 4), "0.25", "1", "1e-5"),
    ((4, 4), "1024", "0.001", "1e-5"),
    ((4, 4), "0.3333333333333333", "1", "0.5"),
    ((4, 4), "0.3333333333333333", "1", "1e-4"),
    ((5, 4), "0.3333333333333333", "3", "1e-8"),
    ((5, 4), "3.3", "1", "0.01"),
    ((4, 4), "-3.3", "0.7", "1e-5"),
    ((6, 3), "3.3", "0.5", "1e-3"),
    ((4, 4), "0.01", "1", "1"),
    ((4, 4), "0.01", "1", "1e-4"),
    ((4, 4), "100", "1", "1"),
    ((4, 4), "100", "0.01", "1e-4"),
    ((3, 5), "1e5", "1", "1"),
    ((3, 5), "-1e5", "1e-3", "1e-3"),
    ((4, 5), "1e-7", "1", "1"),
    ((4, 5), "1e-7", "1", "1e-9"),
    ((4, 5), "-1e-7", "1000", "1e-8"),
    ((3, 4), "1.1", "1.9", "5e-13"),
    ((4, 3), "0.7", "1", "1e-10"),
    # two formats
    ((8, 8, 3, 4), "1", "1", "0.01"),
    ((6, 8, 3, 4), "1", "1", "0.5"),
    ((3, 4, 6, 8), "1", "1", "0.5"),
    ((2, 5, 7, 3), "1", "1", "0.1"),
    ((7, 3, 2, 5), "1", "1", "0.1"),
    ((7, 3, 2, 5), "-0.6", "2", "1e-5"),
    ((1, 4, 8, 4), "1", "1", "0.001"),
    ((8, 2, 1, 5), "2", "0.75", "1e-6"),
    ((4, 0, 4, 4), "1", "1.5", "0.01"),
    ((3, 5, 5, 0), "1", "2", "0.25"),
    ((5, 3, 4, 3), "1", "1", "1e-9"),
    # clipping, above and below
    ((3, 1), "1", "10", "1"),
    ((3, 1), "1", "10", "1e-4"),
    ((4, 2), "1", "10", "0.5"),
    ((4, 2), "-1", "10", "1e-3"),
    ((6, 2), "0.1", "10", "1e-3"),
    ((3, 2), "1", "1000", "10"),
    ((4, 3), "1", "1e-3", "1e-4"),
    ((3, 3), "1", "1e-3", "100"),
    ((2, 1), "1", "1e-6", "1e-9"),
    ((4, 4), "1", "1e6", "1e3"),
    # more bits
    ((6, 4), "1", "1", "0.5"),
    ((7, 4), "1", "1", "0.1"),
    ((8, 4), "1", "1", "0.5"),
    ((7, 5), "0", "1", "2"),
    ((9, 4), "1", "1", "0.01"),
    ((9, 4), "1", "1", "1e-4"),
    ((10, 4), "1", "1", "0.01"),
    ((10, 4), "1", "1", "1e-4"),
    ((11, 4), "1", "1", "1e-4"),
    ((12, 4), "1", "1", "1e-4"),
    ((12, 4), "1", "1", "1e-6"),
    ((9, 4), "1", "1", "0.5"),
    ((11, 4), "1", "1", "0.01"),
    ((10, 4), "1", "1", "0.5"),
]

METHOD = (
    "tests/oracle/pair.cpp: __float128 1-D Gauss-Legendre of conditional tail differences, x outer; "
    "cross-check: roles swapped (y outer)"
)


def exact(text):
    """The exact decimal expansion of the double nearest to text."""
    return format(Decimal(float(text)), "f")


def name(case):
    formats, w, sx, sxi = case
    head = f"p{formats[0]}E{formats[1]}"
    if len(formats) == 4:
        head += f".p{formats[2]}E{formats[3]}"
    return f"J.{head}.w{w}.sx{sx}.sxi{sxi}"


def entry(oracle, case):
    formats, *law = case
    pair = formats if len(formats) == 4 else formats * 2
    numbers = [str(n) for n in pair] + [float(text).hex() for text in law]
    done = subprocess.run([oracle, "pair", *numbers], capture_output=True, text=True, check=True)
    value, error, _, _, _, _ = done.stdout.split()
    params = dict(zip(("p", "E") if len(formats) == 2 else ("px", "Ex", "py", "Ey"), formats))
    params.update(zip(("w", "sigx", "sigxi"), map(exact, law)))
    return {
        "id": name(case),
        "quantity": "H(X_fp,Y_fp) exact joint",
        "params": params,
        "value": value,
        "method": METHOD,
        "est_error": error,
    }


def write(entries):
    ordered = [entries[name(case)] for case in CASES if name(case) in entries]
    lines = ",\n".join(" " + json.dumps(e) for e in ordered)
    with open(OUTPUT, "w", encoding="utf-8") as stream:
        stream.write(f"[\n{lines}\n]\n")


def main():
    oracle = sys.argv[1]
    jobs = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    entries = {}
    if os.path.exists(OUTPUT):
        with open(OUTPUT, encoding="utf-8") as stream:
            entries = {e["id"]: e for e in json.load(stream)}
    with ThreadPoolExecutor(jobs) as pool:
        todo = [case for case in CASES if name(case) not in entries]
        for future in as_completed([pool.submit(entry, oracle, case) for case in todo]):
            entries[future.result()["id"]] = future.result()
            write(entries)


main()
