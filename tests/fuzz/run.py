#!/usr/bin/python3
"""Runs the fuzz targets of a build, as many at once as there are cores. What they find worth keeping
goes on from run to run, in BUILD/fuzz/found; an input that breaks one is kept in BUILD/fuzz/broken.

Usage: run.py BUILD [--seconds N] [NAME...]
"""

import argparse
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent


def run(name, build, seconds):
    """The line that says how it went, and whether it went well."""
    found, broken = build / "fuzz/found" / name, build / "fuzz/broken"
    found.mkdir(parents=True, exist_ok=True)
    broken.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [build / f"tests/fuzz/{name}_fuzz", found, HERE / "corpus" / name,
         f"-max_total_time={seconds}", "-timeout=5", "-rss_limit_mb=2048", "-max_len=20000",
         "-print_final_stats=1", f"-artifact_prefix={broken}/{name}-"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        errors="replace", env={**os.environ, "ASAN_OPTIONS": "detect_leaks=1"})
    executed = re.search(r"number_of_executed_units: (\d+)", done.stderr)
    line = f"{name:<16} {int(executed[1]) if executed else 0:>9} inputs in {seconds} s"
    if done.returncode == 0:
        return line, True
    return f"{line}: BROKEN, see {broken}\n{done.stderr[-6000:]}", False


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--seconds", type=int, default=20, help="for each target")
    arguments = parser.parse_intermixed_args()
    names = arguments.names or sorted(
        source.name.removesuffix("_fuzz.cpp") for source in HERE.glob("*_fuzz.cpp"))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(
            lambda name: run(name, arguments.build.resolve(), arguments.seconds), names))
    for line, _ in results:
        print(line)
    bad = sum(not is_good for _, is_good in results)
    print(f"tally: {bad} {len(results)}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
