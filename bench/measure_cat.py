#!/usr/bin/python3
"""`ktln2 measure` on a GiB of normal numbers in the page cache, against `cat FILE > /dev/null`: how many
times longer, and how much memory. And on a file of 20 GB, most of it holes, how much memory.

Usage: measure_cat.py PROGRAM [FOLDER]
"""

import json
import os
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 7


def write(path, dtype):
    """In a process of its own: a child's memory counts what its parent had when it was started."""
    import numpy
    numbers = numpy.random.default_rng(1).standard_normal(1 << 28, dtype=numpy.float32)
    if dtype == "BF16":
        half = (numbers.view(numpy.uint32) >> 16).astype(numpy.uint16)
        numbers = numpy.concatenate([half, half[::-1]])
    header = json.dumps({"w": {"dtype": dtype, "shape": [numbers.size],
                               "data_offsets": [0, numbers.nbytes]}}).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(header)) + header)
        numbers.tofile(file)


def seconds(*command):
    """The quickest of several rounds, and kilobytes of memory."""
    best, most = float("inf"), 0
    for _ in range(ROUNDS):
        begin = time.monotonic()
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(child.pid, 0)
        if status:
            sys.exit(f"{' '.join(command)}: failed")
        best, most = min(best, time.monotonic() - begin), max(most, used.ru_maxrss)
    return best, most


def main():
    if sys.argv[1] == "--write":
        return write(*sys.argv[2:])
    program = sys.argv[1]
    with tempfile.TemporaryDirectory(dir=sys.argv[2] if len(sys.argv) > 2 else None) as folder:
        path = str(Path(folder) / "numbers.safetensors")
        for dtype in "F32", "BF16":
            subprocess.run([sys.executable, __file__, "--write", path, dtype], check=True)
            reading, _ = seconds("cat", path)
            measuring, memory = seconds(program, "measure", path)
            print(f"{dtype}: cat {1e3 * reading:.0f} ms, measure {1e3 * measuring:.0f} ms: "
                  f"{reading / measuring:.2f} of its rate, {memory / 1024:.0f} MiB")
        os.truncate(path, 20_000_000_000)
        _, memory = seconds(program, "measure", "--kind", "raw", "--dtype", "BF16", path)
        print(f"20 GB: {memory / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
