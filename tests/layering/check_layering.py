#!/usr/bin/python3
"""Fails unless a module can include the headers of the modules it may see, and of no other.

Gives the compiler, with the folders that the module is compiled with, one #include of every module:
a public header, and a private one, which belongs to its module alone (but for core's, which all
may use). Usage: check_layering.py --module NAME --sees MODULE... -- COMPILER FLAGS...
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Whose private headers a module may use besides its own and core's.
SHARED = {
    "cost": {"entropy"},
    "scaling": {"distribution", "entropy"},
    "mismatch": {"entropy"},
}


def compiles(compiler, header):
    """Whether a source that includes the header compiles; it may fail for no other reason."""
    done = subprocess.run([*compiler, "-E", "-x", "c++", "-o", "/dev/null", "-"],
                          input=f'#include "{header}"\n', capture_output=True, text=True)
    if done.returncode == 0:
        return True
    if not re.search(rf"{re.escape(header)}.*(No such file|file not found)", done.stderr):
        sys.exit(f"{header} fails for another reason than expected:\n{done.stderr}")
    return False


def a_header_of_each_module():
    """(module, whether it is public, the header as it is included)"""
    for folder, public in ((ROOT / "include" / "ktln2", True), (ROOT / "src", False)):
        for module in sorted(path for path in folder.iterdir() if path.is_dir()):
            if headers := sorted(module.rglob("*.hpp")):
                header = headers[0].relative_to(folder).as_posix()
                yield module.name, public, f"ktln2/{header}" if public else header


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--module", required=True)
    parser.add_argument("--sees", nargs="*", default=[])
    parser.add_argument("compiler", nargs="+")
    arguments = parser.parse_args()
    public = {arguments.module, *arguments.sees}
    private = {arguments.module, "core"} | SHARED.get(arguments.module, set())

    bad = []
    for module, is_public, header in a_header_of_each_module():
        expected = module in (public if is_public else private)
        if compiles(arguments.compiler, header) != expected:
            bad.append(f"{arguments.module} must {'' if expected else 'not '}see {header}.")
    print("\n".join(bad) or f"{arguments.module} sees what it may and nothing else.")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
