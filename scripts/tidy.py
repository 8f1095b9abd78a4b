#!/usr/bin/python3
"""Runs clang-tidy on the sources in src/, ask/, cli/, mpi/, paper/ and python/src/ that changed since
they were clean.

A source changes when it, a header of ours that it includes, the way it is compiled, .clang-tidy or
clang-tidy itself does. What was clean is remembered in the build, one hash a source.

Nearly all of clang-tidy's time goes into the headers of others, which it checks in every source
anew. So the sources of a folder are looked at together, in one source that includes them: from
nothing that takes a small part of the time. Usage: tidy.py BUILD_DIR
"""

import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("src", "ask", "cli", "mpi", "paper", "python/src")
BATCH = 100  # sources at most: enough to share the headers, and small enough for all cores to have work


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def sources_of(file):
    """The sources that a file compiles: itself, or those of a group that CMake made."""
    if file.parent.name != "Unity":
        return [file]
    return [Path(name) for name in re.findall(r'^#include "(.+)"', file.read_text(), re.MULTILINE)]


def dependencies(build):
    """What each source was compiled from, as far as it is ours; a group, what all of it was."""
    found = {}
    for paragraph in output("ninja", "-C", build, "-t", "deps").split("\n\n"):
        paths = [(build / line.strip()).resolve() for line in paragraph.splitlines()[1:]]
        ours = [path for path in paths if path.is_relative_to(ROOT) and path.suffix != ".gch"]
        for source in sources_of(paths[0]) if ours else ():
            found[source] = [path for path in ours if path.suffix != ".cpp"] + [source]
    return found


def folder_of(file):
    """The module or room that a source of ours belongs to; None if it is not looked at."""
    path = file.relative_to(ROOT) if file.is_relative_to(ROOT) else file
    if path.parts[0] == "src":
        return "/".join(path.parts[:2])
    return next((folder for folder in FOLDERS if path.is_relative_to(folder)), None)


def compile_flags(build):
    """How each source of ours is compiled, but for warnings and optimization, which are the compilers'
    business, and for GCC's precompiled headers, which clang cannot read."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        command = re.sub(r"-include \S*cmake_pch\.hxx|-o \S+|-c \S+", "", entry["command"])
        command = command.replace("-isystem ", "-isystem")  # a flag is a word
        flags = tuple(word for word in shlex.split(command)[1:] if not re.match("-[WO]", word))
        for file in sources_of(Path(entry["file"]).resolve()):
            if folder_of(file):
                found[file] = flags
    return found


def flags_of_families(flags):
    """The sources that are looked at together: of each folder those of one standard, with all that any of
    them is compiled with. A definition or an instruction set that some lack is nothing to the others."""
    families = defaultdict(list)
    for file in sorted(flags):
        standard = [word for word in flags[file] if word.startswith("-std=")][-1]
        families[folder_of(file), standard].append(file)
    return {
        file: (*dict.fromkeys(word for member in members for word in flags[member]), "-w")
        for members in families.values() for file in members
    }


def fingerprint(version, flags, sources):
    """One hash for all that clang-tidy's verdict depends on."""
    digest = hashlib.sha256(repr((version, flags)).encode())
    for path in [ROOT / ".clang-tidy", *sorted(sources)]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def batches(files, flags):
    """The files in groups that are looked at with the same flags, the largest first."""
    alike = defaultdict(list)
    for file in sorted(files):
        alike[flags[file]].append(file)
    groups = []
    for group in alike.values():
        count = -(-len(group) // BATCH)
        groups += [group[first::count] for first in range(count)]
    return sorted(groups, key=len, reverse=True)


class checker:
    """Looks at batches of sources; each is written to `folder` as one source."""

    def __init__(self, folder, flags):
        self.folder = folder
        self.flags = flags

    def one_source(self, files):
        if len(files) == 1:
            return files[0]
        name = hashlib.sha256(repr(files).encode()).hexdigest()[:16]
        source = self.folder / f"{name}.cpp"
        source.write_text("".join(
            f'#include "{file}"  // NOLINT(bugprone-suspicious-include)\n' for file in files))
        return source

    def that_clash(self, files):
        """Those that do not compile after the others, for they use a name once more."""
        command = ["clang++", *self.flags[files[0]], "-fsyntax-only", "-ferror-limit=0"]
        done = subprocess.run([*command, self.one_source(files)], capture_output=True, text=True)
        errors = re.findall(r"^(.+?):\d+:\d+: (?:fatal )?error:", done.stderr, re.MULTILINE)
        return [file for file in files if str(file) in errors]

    def findings(self, files):
        done = subprocess.run(
            ["clang-tidy", "--quiet", f"--config-file={ROOT / '.clang-tidy'}",
             self.one_source(files), "--", *self.flags[files[0]]],
            capture_output=True, text=True)
        return (done.stdout or done.stderr) if done.returncode != 0 else ""

    def check(self, files):
        """The findings in these files, as text; empty if there are none."""
        found = self.findings(files)
        if len(files) == 1 or "[clang-diagnostic-error" not in found:
            return found
        clash = self.that_clash(files)
        others = [file for file in files if file not in clash]
        groups = [others, clash] if clash and others else [[file] for file in files]
        return "".join(map(self.check, groups))


def main():
    build = Path(sys.argv[1]).resolve()
    folder = build / "tidy"
    folder.mkdir(exist_ok=True)
    record = folder / "clean"
    # Without the line about the processor: the verdict does not depend on it.
    version = re.sub(r"\n *Host CPU:.*", "", output("clang-tidy", "--version"))
    compiled_from = dependencies(build)
    flags = compile_flags(build)
    if missing := sorted(file for file in flags if file not in compiled_from):
        sys.exit(f"{build} has not compiled {missing[0].relative_to(ROOT)} and {len(missing) - 1} more")
    prints = {file: fingerprint(version, how, compiled_from[file]) for file, how in flags.items()}

    known = set(record.read_text().split()) if record.exists() else set()
    together = flags_of_families(flags)
    groups = batches([file for file in prints if prints[file] not in known], together)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        findings = list(pool.map(checker(folder, together).check, groups))
    clean = known & set(prints.values())
    for group, found in zip(groups, findings):
        print(found, end="")
        if not found:
            clean.update(prints[file] for file in group)
    record.write_text("".join(f"{print_}\n" for print_ in sorted(clean)))
    print(f"{sum(map(len, groups))} of {len(prints)} files checked, in {len(groups)} groups; "
          f"{sum(map(bool, findings))} groups with findings.")
    return 1 if any(findings) else 0


if __name__ == "__main__":
    sys.exit(main())
