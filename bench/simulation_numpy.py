#!/usr/bin/python3
"""The same SGD in NumPy, vectorized over trials, against simulation_bench; both on one thread.

The two take turns, so that a busy machine slows both, and the best round of each counts. Times are
processor times for one data point. Needs NumPy (python3-numpy). Usage: simulation_numpy.py
[build/release/bench/simulation_bench]
"""

import json
import os
import subprocess
import sys
import time

os.environ["OMP_NUM_THREADS"] = "1"
import numpy as np

STEPS, BATCH, ETA, W0, W = 100, 10, 0.01, 1.0, 2.0
TRIALS = 1000  # the arrays stay in the caches
ROUNDS = 7


def sgd(generator):
    """The slopes that SGD finds in all trials."""
    slopes = np.full(TRIALS, W0)
    x = np.empty((TRIALS, BATCH))
    y = np.empty((TRIALS, BATCH))
    for _ in range(STEPS):
        generator.standard_normal(out=x)
        generator.standard_normal(out=y)
        y += W * x
        error = slopes[:, None] * x
        error -= y
        slopes -= ETA / BATCH * np.einsum("ij,ij->i", error, x)
    return slopes


def numpy_time():
    generator = np.random.default_rng(1)
    sgd(generator)
    repeats = 10
    start = time.process_time()
    for _ in range(repeats):
        sgd(generator)
    return (time.process_time() - start) / (repeats * TRIALS * STEPS * BATCH) * 1e9


def our_time(program):
    done = subprocess.run(
        [program, "--benchmark_filter=^one_thread/sgd$", "--benchmark_format=json",
         "--benchmark_min_time=0.3"], check=True, capture_output=True, text=True)
    (result,) = json.loads(done.stdout)["benchmarks"]
    return result["per_point"] * 1e9


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "build/release/bench/simulation_bench"
    rounds = [(numpy_time(), our_time(program)) for _ in range(ROUNDS)]
    theirs, ours = (min(times) for times in zip(*rounds))
    print(f"NumPy {np.__version__}: {theirs:.2f} ns per point, ktln2: {ours:.2f}; "
          f"ratio {theirs / ours:.2f}")


if __name__ == "__main__":
    main()
