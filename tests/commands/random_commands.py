#!/usr/bin/python3
"""Runs random command lines and holds what comes out to the contract: exit status 0, 1 or 2, one
line of error, JSON that is JSON, no NaN, a few seconds of processor time.

Usage: random_commands.py PROGRAM [--count N] [--from I] [--seed S] [--only I] [--quick] [--jobs J]

Case I of seed S is the same command line whatever the count; with --quick, which leaves out what may
take seconds, it is another one. Each case that breaks the contract is
printed with its command line; the exit status is 1 if there is one.
"""

import argparse
import csv
import io
import json
import os
import re
import resource
import shlex
import signal
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import grammar

MOST_SECONDS = 5  # of processor time
MOST_MEMORY = 8 << 30


def refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


class outcome:
    """What a command line did, run in a directory of its own."""

    def __init__(self, program, words):
        with tempfile.TemporaryDirectory(prefix="ktln2-") as folder, \
                tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            Path(folder, "empty.toml").touch()
            self._run(program, words, folder, out, err)
            self.out, self.err = self._text(out), self._text(err)

    @staticmethod
    def _text(file):
        file.seek(0)
        return file.read()

    def _run(self, program, words, folder, out, err):
        child = os.fork()
        if child == 0:
            try:
                os.chdir(folder)
                os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
                os.dup2(out.fileno(), 1)
                os.dup2(err.fileno(), 2)
                resource.setrlimit(resource.RLIMIT_CPU, (2 * MOST_SECONDS, 2 * MOST_SECONDS + 1))
                # The sanitizers' shadow is larger than any memory.
                if "ASAN_OPTIONS" not in os.environ:
                    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
                os.execve(program, [program, *words], {**os.environ, "KTLN2_PYTHON": "/bin/false"})
            finally:
                os._exit(127)
        _, status, used = os.wait4(child, 0)
        self.signal = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        self.status = os.WEXITSTATUS(status) if os.WIFEXITED(status) else -1
        self.seconds = used.ru_utime + used.ru_stime


def json_problem(text):
    try:
        json.loads(text, parse_constant=refuse_constant)
    except ValueError as error:
        return [f"no JSON: {error}"]
    return []


def csv_problem(text):
    rows = [row for row in csv.reader(io.StringIO(text)) if row]
    widths = {len(row) for row in rows}
    return [f"rows of {sorted(widths)} entries"] if len(widths) > 1 else []


def error_problems(done):
    """What is wrong with what was said of a mistake or a failure."""
    lines = [line for line in done.err.decode(errors="replace").splitlines(keepends=True)
             if not line.startswith(("ktln2: warning: ", "ktln2: figures ...", "ktln2: claims ...",
                                     "ktln2: drawing ..."))]
    if done.status == 0:
        return [f"status 0 with {lines[0]!r}"] if lines else []
    if len(lines) != 1 or not lines[0].startswith("ktln2: ") or not lines[0].endswith("\n"):
        return [f"status {done.status} with {len(lines)} lines of error: {lines[:2]!r}"]
    return []


def problems(words, done):
    """All that breaks the contract."""
    if done.signal:
        return [f"ended by {signal.Signals(done.signal).name} after {done.seconds:.1f} s"]
    found = error_problems(done)
    if done.status not in (0, 1, 2):
        found.append(f"status {done.status}")
    if done.seconds > MOST_SECONDS:
        found.append(f"{done.seconds:.1f} s of processor time")
    try:
        out = done.out.decode()
        done.err.decode()
    except UnicodeDecodeError as error:
        return [*found, f"no UTF-8: {error}"]
    # Some formats have NaNs, and their names or the page of help may say so.
    is_help = b"--help" in words or b"-h" in words
    is_about_nan = (is_help or words[:1] in ([b"format"], [b"quantize"])
                    or any(b"nan" in word.lower() for word in words))
    # A trial may end as one, and its warning says so.
    answer = out.replace("ended as NaN", "")
    if not is_about_nan and re.search(r"\bnan\b", answer, re.IGNORECASE):
        found.append("NaN in the answer")
    is_sweep = b"sweep" in words[:1]
    if done.status == 2 and out and not is_sweep:
        found.append("a mistake, and an answer")
    if is_help:
        return found
    has = set(words)
    if b"--json" in has and (done.status == 0 or out):
        found += json_problem(out)
    elif b"--csv" in has and done.status == 0:
        found += csv_problem(out)
    return found


def shown(words):
    parts = []
    for word in words:
        try:
            text = word.decode()
            plain = text.isprintable()
        except UnicodeDecodeError:
            plain = False
        if not plain:
            parts.append("$'" + "".join(f"\\x{byte:02x}" for byte in word) + "'")
        else:
            parts.append(shlex.quote(text if len(text) < 200 else text[:200] + "..."))
    return " ".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=int(os.environ.get("KTLN2_COMMANDS", "150")))
    parser.add_argument("--from", dest="first", type=int, default=0, help="the first case")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--quick", action="store_true", help="nothing that may take seconds")
    parser.add_argument("--only", type=int, help="this case alone")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="so many at once")
    parser.add_argument("--longest", type=int, default=1, help="so many of the longest are shown")
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)

    def look_at(i):
        words = grammar.writer(f"{arguments.seed}/{i}", arguments.quick).line()
        done = outcome(program, words)
        return i, words, done, problems(words, done)

    start = time.monotonic()
    cases = range(arguments.first, arguments.first + arguments.count)
    if arguments.only is not None:
        cases = [arguments.only]
    broken, statuses, longest = 0, {}, []
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for i, words, done, found in pool.map(look_at, cases):
            statuses[done.status] = statuses.get(done.status, 0) + 1
            longest = sorted([*longest, (done.seconds, i, words)])[-arguments.longest:]
            if found:
                broken += 1
                print(f"case {i}: {'; '.join(found)}\n  ktln2 {shown(words)}", flush=True)
    print(f"{len(cases)} command lines in {time.monotonic() - start:.1f} s, statuses "
          f"{dict(sorted(statuses.items()))}; the longest:")
    for seconds, i, words in reversed(longest):
        print(f"  {seconds:.2f} s, case {i}: ktln2 {shown(words)}")
    print(f"{broken} broke the contract")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
