#!/usr/bin/python3
"""Runs clang-tidy on the sources in src/, paper/ and cli/ that changed since they were last clean.

A source changes when it, a header of ours that it includes, the way it is compiled, .clang-tidy or
clang-tidy itself does. What was clean is remembered in scripts/tidy.clean, one hash a source, which
belongs to the repository: a fresh checkout has to look at what is new only. Usage: tidy.py BUILD_DIR
"""

import hashlib
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "scripts" / "tidy.clean"


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def dependencies(build):
    """What each source was compiled from, itself first, as far as it is ours."""
    found = {}
    for paragraph in output("ninja", "-C", build, "-t", "deps").split("\n\n"):
        paths = [(build / line.strip()).resolve() for line in paragraph.splitlines()[1:]]
        ours = [path for path in paths if path.is_relative_to(ROOT) and path.suffix != ".gch"]
        if ours:
            found[ours[0]] = ours
    return found


def compile_commands(build):
    """Those of the build, but without GCC's precompiled headers, which clang cannot read."""
    entries = json.loads((build / "compile_commands.json").read_text())
    for entry in entries:
        entry["command"] = re.sub(r"-Winvalid-pch|-include \S*cmake_pch\.hxx", "", entry["command"])
    return entries


def fingerprint(version, command, sources):
    """One hash for all that clang-tidy's verdict depends on, wherever the repository is."""
    digest = hashlib.sha256((version + command.replace(str(ROOT), "")).encode())
    for path in [ROOT / ".clang-tidy", *sorted(sources)]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def main():
    build = Path(sys.argv[1]).resolve()
    version = output("clang-tidy", "--version")
    compiled_from = dependencies(build)
    commands = compile_commands(build)
    database = build / "tidy"
    database.mkdir(exist_ok=True)
    (database / "compile_commands.json").write_text(json.dumps(commands))

    known = set(RECORD.read_text().split()) if RECORD.exists() else set()
    prints = {}
    for entry in commands:
        file = Path(entry["file"]).resolve()
        if any(file.is_relative_to(ROOT / folder) for folder in ("src", "paper", "cli")):
            prints[file] = fingerprint(version, entry["command"], compiled_from[file])

    def check(file):
        return file, subprocess.run(
            ["clang-tidy", "--quiet", "-p", database, file], capture_output=True, text=True)

    to_check = [file for file, print_ in prints.items() if print_ not in known]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(check, to_check))
    bad = {file: done for file, done in results if done.returncode != 0}
    for done in bad.values():
        print(done.stdout or done.stderr)
    print(f"{len(results)} of {len(prints)} files checked, {len(bad)} with findings.")

    clean = sorted((file.relative_to(ROOT), p) for file, p in prints.items() if file not in bad)
    text = "".join(f"{p} {file}\n" for file, p in clean)
    if not RECORD.exists() or RECORD.read_text() != text:
        RECORD.write_text(text)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
