#!/usr/bin/python3
"""Runs what README.md and docs/*.md show, and fails when something else happens.

In a fenced block marked `sh`, a line that starts with "$ " is a command; the lines up to the next
one are its output, if there are any. In the output, a line "..." stands for any lines and "..."
within a line for any text. `ktln2` and `./run` are the program under test. The commands of a page
run in one scratch folder. A command must succeed, unless its output is shown: then it may exit
with 1 or 2. A fenced block marked `cpp` that has a main is compiled and must run.

Usage: check_docs.py [--root ROOT] [--page PAGE]... --program PROGRAM -- COMPILER FLAGS...
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TIMEOUT = 300  # seconds, for one command


def fenced_blocks(text):
    """The (language, line number of the first line, lines) of each fenced block."""
    language, start, lines = None, 0, []
    for number, line in enumerate(text.splitlines(), 1):
        if language is None:
            if fence := re.match(r"\s*```+\s*(\w*)", line):
                language, start, lines = fence[1], number + 1, []
        elif re.match(r"\s*```+\s*$", line):
            yield language, start, lines
            language = None
        else:
            lines.append(line)


def commands(start, lines):
    """The (line number, command, expected output or None) of a block of commands."""
    found = []
    continued = False
    for number, line in enumerate(lines, start):
        if continued:
            found[-1][1] += "\n" + line
            continued = line.endswith("\\")
        elif line.startswith("$ "):
            found.append([number, line[2:], []])
            continued = line.endswith("\\")
        elif found:
            found[-1][2].append(line.rstrip())
    for number, command, output in found:
        while output and not output[-1]:
            output.pop()
        yield number, command, output or None


def matches(expected, actual):
    pattern = ""
    for line in expected:
        if line.strip() == "...":
            pattern += r"(?:.*\n)*"
        else:
            pattern += ".*".join(re.escape(part) for part in line.split("...")) + r"\n"
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in actual)) is not None


def run(command, folder, **options):
    """The exit status and the lines, standard output and error together."""
    try:
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT, **options)
    except subprocess.TimeoutExpired:
        return 124, [f"no end after {TIMEOUT} s"]
    lines = [line.rstrip() for line in done.stdout.splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    return done.returncode, lines


def indented(lines):
    return "".join(f"\n    {line}" for line in lines) or "\n    (nothing)"


def check_command(command, expected, folder):
    """None, or what is wrong with the command."""
    path = f"{folder}/bin:{os.environ['PATH']}"
    status, actual = run(["bash", "-c", command], folder, env={**os.environ, "PATH": path})
    if expected is not None and not matches(expected, actual):
        return f"shows{indented(expected)}\n  but prints{indented(actual)}"
    if status not in ([0] if expected is None else [0, 1, 2]):
        return f"exits with {status} and prints{indented(actual)}"
    return None


def check_program(lines, compiler, folder):
    """None, or what is wrong with the C++ program."""
    source, program = folder / "main.cpp", folder / "main"
    source.write_text("\n".join(lines) + "\n")
    # The library comes last: it must follow the object that needs it.
    status, output = run([compiler[0], source, "-o", program, *compiler[1:]], folder)
    if status != 0:
        return f"does not compile:{indented(output)}"
    status, output = run([program], folder)
    return f"exits with {status} and prints{indented(output)}" if status != 0 else None


def check_page(page, root, program, compiler):
    """The (line number, what, outcome) of everything that the page shows; outcome None is good."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "bin").mkdir()
        (folder / "bin/ktln2").symlink_to(program)
        (folder / "tests").symlink_to(root / "tests")  # for files that pages look at
        (folder / "run").write_text('#!/bin/sh\n[ $# -gt 0 ] || set -- paper\nexec ktln2 "$@"\n')
        (folder / "run").chmod(0o755)
        for language, start, lines in fenced_blocks(page.read_text()):
            if language == "sh":
                shown = list(commands(start, lines))
                if not shown:
                    yield start, "the block", 'shows no command, a line that starts with "$ "'
                for number, command, expected in shown:
                    yield number, f"`{command}`", check_command(command, expected, folder)
            elif language == "cpp" and any("int main" in line for line in lines):
                yield start, "the C++ program", check_program(lines, compiler, folder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2])
    parser.add_argument("--page", type=Path, action="append", help="only this one, below the root")
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("compiler", nargs="+", help="the C++ compiler and its flags")
    arguments = parser.parse_args()

    total = failed = 0
    pages = [arguments.root / page for page in arguments.page or ()] or [
        *arguments.root.glob("README.md"), *sorted(arguments.root.glob("docs/*.md"))]
    for page in pages:
        for number, what, wrong in check_page(
            page, arguments.root.resolve(), arguments.program.resolve(), arguments.compiler
        ):
            total += 1
            if wrong:
                failed += 1
                print(f"{page.relative_to(arguments.root)}:{number}: {what} {wrong}")
    print(f"{total} commands and programs shown, {failed} wrong.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
