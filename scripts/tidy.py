#!/usr/bin/python3
"""Runs clang-tidy on the sources in src/, paper/ and cli/ that changed since they were last clean.

A source changes when it, a header of ours that it includes, the way it is compiled or .clang-tidy
does. Clean ones are remembered in BUILD_DIR/tidy. Usage: tidy.py BUILD_DIR
"""

import hashlib
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def dependencies(build):
    """What each source was compiled from, itself first, as far as it is ours."""
    found = {}
    for paragraph in output("ninja", "-C", build, "-t", "deps").split("\n\n"):
        paths = [(build / line.strip()).resolve() for line in paragraph.splitlines()[1:]]
        ours = [path for path in paths if path.is_relative_to(ROOT)]
        if ours:
            found[ours[0]] = ours
    return found


def fingerprint(version, command, sources):
    """One hash for all that clang-tidy's verdict depends on."""
    digest = hashlib.sha256((version + command).encode())
    for path in [ROOT / ".clang-tidy", *sources]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def main():
    build = Path(sys.argv[1]).resolve()
    clean = build / "tidy"
    clean.mkdir(exist_ok=True)
    version = output("clang-tidy", "--version")
    compiled_from = dependencies(build)

    to_check = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = Path(entry["file"]).resolve()
        if any(file.is_relative_to(ROOT / folder) for folder in ("src", "paper", "cli")):
            mark = clean / fingerprint(version, entry["command"], compiled_from[file])
            if not mark.exists():
                to_check[file] = mark

    def check(file):
        done = subprocess.run(
            ["clang-tidy", "--quiet", "-p", build, file], capture_output=True, text=True)
        if done.returncode == 0:
            to_check[file].touch()
        return done

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(check, to_check))
    bad = [done for done in results if done.returncode != 0]
    for done in bad:
        print(done.stdout or done.stderr)
    print(f"{len(results)} files checked, {len(bad)} with findings.")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
