"""How quick the package is, as ratios that hold on any machine:

    cmake --build --preset release --target ktln2-python ktln2-python-loop
    ./run python python/bench/bars.py

Processor time, where others work on the machine too, and the best of several rounds that take turns.
"""

import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import ktln2

LOOP = Path(ktln2.__file__).parents[1] / "ktln2-python-loop"


def best(rounds, *tasks):
    """The least time of each task, of rounds in which they take turns."""
    least = [float("inf")] * len(tasks)
    for _ in range(rounds):
        for i, task in enumerate(tasks):
            least[i] = min(least[i], task())
    return least


def timed(clock, work):
    def task():
        begin = clock()
        work()
        return clock() - begin
    return task


def entropies(count=100_000):
    sigma = np.linspace(0.5, 2.0, count)

    def native():
        out = subprocess.run([LOOP, str(count), "0.5", "2.0"], stdout=subprocess.PIPE, check=True)
        return float(out.stdout.split()[0])

    def ours(threads):
        return lambda: ktln2.entropy("p24e8", ktln2.normal(sigma=sigma), threads=threads)

    loop, call = best(3, native, timed(time.process_time, ours(1)))
    one, two = best(3, timed(time.perf_counter, ours(1)), timed(time.perf_counter, ours(2)))
    yield f"{count} entropies of p24e8 in one call, processor time over a C++ loop", call / loop, "<= 1.1"
    yield f"   {1e6 * loop / count:.1f} and {1e6 * call / count:.1f} µs each; two threads over one", \
        one / two, ">= 1.8 on idle cores"


def foreign(count=20_000):
    from scipy import stats
    sigma = np.linspace(0.5, 2.0, count)
    ours, theirs = best(3, timed(time.process_time, lambda: ktln2.entropy(
        "p24e8", ktln2.normal(sigma=sigma), threads=1)), timed(time.process_time, lambda: ktln2.entropy(
            "p24e8", stats.norm(0, sigma), threads=1)))
    yield "SciPy's frozen norm over normal", theirs / ours, "<= 1.2"


def arrays(size=10**7):
    x = np.random.default_rng(1).normal(size=size)
    out, half = np.empty_like(x), np.empty_like(x)
    copy, quantize, cast = best(
        7, timed(time.perf_counter, lambda: np.copyto(out, x)),
        timed(time.perf_counter, lambda: ktln2.quantize("binary16", x, out=out)),
        timed(time.perf_counter, lambda: np.copyto(half, x.astype("f2").astype("f8"))))
    ktln2.quantize("binary16", x, out=out)
    with np.errstate(over="ignore"):
        same = np.array_equal(out.view("u8"), x.astype("f2").astype("f8").view("u8"))
    alone, = best(5, timed(time.perf_counter,
                           lambda: ktln2.quantize("binary16", x, out=out, threads=1)))
    yield f"{size} doubles into binary16, speed over np.copyto", copy / quantize, ">= 0.7"
    yield "   on one thread", copy / alone, ""
    yield "   over astype(f2).astype(f8)", cast / quantize, ">= 3.5"
    yield "   with the same bits", float(same), "1"


if __name__ == "__main__":
    for section in (entropies, foreign, arrays):
        for what, ratio, bar in section():
            print(f"{what:75} {ratio:6.3f}  {bar}")
            sys.stdout.flush()
