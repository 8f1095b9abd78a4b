#!/usr/bin/python3
"""Fails when a module includes one that it must not.

The folder list is the derivation: a module includes only what stands above it. Usage:
check_layering.py [ROOT]
"""

import re
import sys
from pathlib import Path

# module: the modules it may include, besides itself
MAY_INCLUDE = {
    "core": set(),
    "format": {"core"},
    "distribution": {"core"},
    "entropy": {"core", "format", "distribution"},
    "cost": {"core", "format", "distribution", "entropy"},
    "scaling": {"core", "format", "distribution", "entropy", "cost"},
    "mismatch": {"core", "format", "distribution", "entropy", "cost"},
    # Independent witnesses of the formulas, so they see none of them.
    "simulation": {"core", "format", "distribution"},
    "certificate": {"core", "format", "distribution"},
}
LIBRARY = set(MAY_INCLUDE)
LEAVES = {"cli", "paper", "python", "web"}
MAY_INCLUDE.update({leaf: LIBRARY for leaf in LEAVES})
# The command line is the paper's front: `ktln2 paper`, `ktln2 explain`.
MAY_INCLUDE["cli"] = LIBRARY | {"paper"}

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<(ktln2/[^>]+)>)')
SOURCES = {".hpp", ".cpp", ".inc"}


def module_of(path):
    """The module of a path relative to the root; None for a file that belongs to none."""
    match path.parts:
        case ["include", "ktln2", module, _, *_]:
            return module
        case ["src", module, _, *_]:
            return module
        case [leaf, _, *_] if leaf in LEAVES:
            return leaf
    return None


def included_path(root, file, name):
    """Where #include "name" in file leads, relative to the root; None if outside of it."""
    for folder in (file.parent, root / "include", root / "src", root):
        target = (folder / name).resolve()
        if target.is_file() and target.is_relative_to(root):
            return target.relative_to(root)
    # A header that the build generates is not in the tree, but its module is in its name.
    return Path("include", name) if name.startswith("ktln2/") else None


def complaint(module, target):
    if module not in MAY_INCLUDE:
        return f"'{module}' is no module; the modules are {', '.join(MAY_INCLUDE)}."
    other = module_of(target)
    if other is None and target.parts[:2] == ("include", "ktln2"):
        return f"{module} includes {target}, which is in no module."
    if other is None or other == module or other in MAY_INCLUDE[module]:
        return None
    if other not in MAY_INCLUDE:
        return f"{module} includes '{other}', which is no module."
    if module in LEAVES:
        return (f"{module} must not include {other}: leaves use the library, never each other, "
                "but for cli, which may include paper.")
    allowed = ", ".join(m for m in MAY_INCLUDE if m in MAY_INCLUDE[module]) or "no other module"
    return f"{module} must not include {other}; it may include {allowed}."


def violations(root):
    root = root.resolve()
    for top in ("include/ktln2", "src", *sorted(LEAVES)):
        for file in sorted((root / top).rglob("*")):
            module = module_of(file.relative_to(root))
            if file.suffix not in SOURCES or module is None:
                continue
            for number, line in enumerate(file.read_text().splitlines(), 1):
                if include := INCLUDE.match(line):
                    target = included_path(root, file, include[1] or include[2])
                    if target and (sentence := complaint(module, target)):
                        yield f"{file.relative_to(root)}:{number}: {sentence}"


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2]
    found = list(violations(root))
    print("\n".join(found) or "Every module includes only what stands above it.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
