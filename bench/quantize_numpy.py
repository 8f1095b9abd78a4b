#!/usr/bin/python3
"""NumPy's astype(float16) of 256 MiB of doubles against quantize_bench; both on one thread.

The two take turns, so that a busy machine slows both, and the best round of each counts. Times are
processor times. The bar is 3. Needs NumPy (python3-numpy). Usage: quantize_numpy.py
[build/release/bench/quantize_bench]
"""

import json
import os
import subprocess
import sys
import time

os.environ["OMP_NUM_THREADS"] = "1"
try:
    import numpy as np
except ImportError:
    sys.exit("quantize_numpy.py: NumPy is missing: expected python3-numpy")

SIZE = (256 << 20) // 8
ROUNDS = 5


def numpy_time(numbers, halves):
    start = time.process_time()
    np.copyto(halves, numbers, casting="same_kind")  # astype into memory that is there already
    return (time.process_time() - start) * 1e3


def our_time(program):
    done = subprocess.run(
        [program, "--benchmark_filter=^codes16/binary16/", "--benchmark_format=json",
         "--benchmark_report_aggregates_only=true", "--benchmark_min_time=0.2"],
        check=True, capture_output=True, text=True)
    results = json.loads(done.stdout)["benchmarks"]
    return min(one["real_time"] for one in results if one["aggregate_name"] == "median")


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "build/release/bench/quantize_bench"
    numbers = np.random.default_rng(1).standard_normal(SIZE)
    halves = numbers.astype(np.float16)
    rounds = [(numpy_time(numbers, halves), our_time(program)) for _ in range(ROUNDS)]
    theirs, ours = (min(times) for times in zip(*rounds))
    print(f"NumPy {np.__version__}: {theirs:.0f} ms, ktln2: {ours:.0f} ms; "
          f"ratio {theirs / ours:.1f}")


if __name__ == "__main__":
    main()
