#!/usr/bin/python3
"""Fails when something cites a LaTeX label that the paper does not have.

A citation is a label anywhere in a source, a test or a page, such as [thm:steps], or at the start
of the name of a test, where it is spelled TEST(thm_steps, ...). Usage: check_labels.py [ROOT]
"""

import difflib
import re
import sys
from pathlib import Path

KIND = "eq|thm|lem|cor|sec|app|fig|tab"
CITATION = re.compile(rf"(?<![\w:/.-])(?:{KIND}):\w+(?:-\w+)*")
TEST_NAME = re.compile(r"\b(?:TEST(?:_[FP])?|RC_GTEST_(?:FIXTURE_)?PROP)\s*\(\s*(\w+),\s*(\w+)")
CITING_NAME = re.compile(rf"(?:{KIND})_")

FOLDERS = "include src cli paper python web tests bench docs tools".split()
SUFFIXES = {".hpp", ".cpp", ".inc", ".in", ".py", ".md", ".json", ".ts"}
HERE = Path(__file__).parent


def known_labels():
    lines = (HERE / "paper_labels.txt").read_text().splitlines()
    return {line for line in lines if line and not line.startswith("#")}


def as_identifier(label):
    return re.sub(r"\W", "_", label)


def pages(root):
    yield from sorted(root.glob("*.md"))
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in SUFFIXES and file.parent != HERE and "node_modules" not in file.parts:
                yield file


def unknown_citations(text, labels):
    """The (line number, citation) pairs in text that are not labels of the paper."""
    identifiers = [as_identifier(label) for label in labels]
    for citation in CITATION.finditer(text):
        if citation[0] not in labels:
            yield text.count("\n", 0, citation.start()) + 1, citation[0]
    for test in TEST_NAME.finditer(text):
        for name in test.groups():
            if CITING_NAME.match(name) and not any(
                f"{name}_".startswith(f"{identifier}_") for identifier in identifiers
            ):
                yield text.count("\n", 0, test.start()) + 1, name


def complaints(root, labels):
    for file in pages(root):
        for number, citation in unknown_citations(file.read_text(), labels):
            guess = difflib.get_close_matches(citation.replace("_", ":", 1), labels, 1)
            hint = f" Did you mean {guess[0]}?" if guess else ""
            yield f"{file.relative_to(root)}:{number}: the paper has no label {citation}.{hint}"


def main():
    root = (Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[1]).resolve()
    found = list(complaints(root, known_labels()))
    print("\n".join(found) or "Every label cited is a label of the paper.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
