#!/usr/bin/python3
"""Writes paper/claims/numbers.toml: what each label of the paper is called in print.

LaTeX labels cannot be seen in a printed paper, numbers can. They are counted as LaTeX does, for the
class IEEEtran: sections I, II-A, II-A1, in the appendices A, B-A; tables in Roman numerals; panels 3a;
equations, the rows of an align among them, from 1 to the end; theorems by section, lemmas with the
theorems, corollaries by theorem. A label means what was counted last in the group around it.

Usage: paper_numbers.py paper.tex > paper/claims/numbers.toml
"""

import re
import sys
from pathlib import Path

TOKEN = re.compile(
    r"\\(?P<section>section|subsection|subsubsection)(?P<star>\*?)\s*(?:\[[^]]*\])?\{"
    r"|\\(?P<appendices>appendices)\b"
    r"|\\begin\{(?P<begin>[a-z]+\*?)\}"
    r"|\\end\{(?P<end>[a-z]+\*?)\}"
    r"|\\(?P<caption>caption)\b"
    r"|\\(?P<unnumbered>notag|nonumber)\b"
    r"|\\label\{(?P<label>[^}]*)\}"
    r"|(?P<row>\\\\)"
)
THEOREMS = {"theorem": "Theorem", "lemma": "Lemma", "corollary": "Corollary"}
ROWS = {"align", "gather", "eqnarray"}


def roman(number):
    text = ""
    for value, digits in [(50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]:
        text += number // value * digits
        number %= value
    return text


def letter(number):
    return chr(ord("A") + number - 1) if number else ""


def without_comments(tex):
    return re.sub(r"(?<!\\)%.*", "", tex)


class Counter:
    """Walks through the document and remembers what each label means."""

    def __init__(self):
        self.in_appendix = False
        self.section = self.subsection = self.subsubsection = 0
        self.theorem = self.corollary = 0
        self.figure = self.table = self.panel = self.equation = 0
        self.groups = [("document", "")]  # environments, each with what was counted last in it
        self.row = None  # of an align: {"labels": …, "has_number": …}
        self.found = {}

    def section_number(self):
        return letter(self.section) if self.in_appendix else roman(self.section)

    def count(self, name):
        self.groups[-1] = (self.groups[-1][0], name)

    def meant(self):
        return next((name for _, name in reversed(self.groups) if name), "")

    def inside(self, environments):
        return any(environment in environments for environment, _ in self.groups)

    def take_section(self, level, star):
        kind = "Appendix" if self.in_appendix else "Section"
        if star:
            # A heading without a number: its label means what is around it.
            return self.count(f"in {self.meant().removeprefix('in ')}")
        if level == "section":
            self.section += 1
            self.subsection = self.subsubsection = self.theorem = 0
            return self.count(f"{kind} {self.section_number()}")
        if level == "subsection":
            self.subsection += 1
            self.subsubsection = 0
            return self.count(f"{kind} {self.section_number()}-{letter(self.subsection)}")
        self.subsubsection += 1
        number = f"{letter(self.subsection)}{self.subsubsection}"
        return self.count(f"{kind} {self.section_number()}-{number}")

    def take_theorem(self, environment):
        if environment == "corollary":
            self.corollary += 1
            number = f"{self.section_number()}.{self.theorem}.{self.corollary}"
        else:
            self.theorem += 1
            self.corollary = 0
            number = f"{self.section_number()}.{self.theorem}"
        self.count(f"{THEOREMS[environment]} {number}")

    def take_begin(self, environment):
        self.groups.append((environment, ""))
        if environment in THEOREMS:
            self.take_theorem(environment)
        elif environment == "equation":
            self.equation += 1
            self.count(f"Equation {self.equation}")
        elif environment in ROWS:
            self.row = {"labels": [], "has_number": True}
        elif environment == "figure":
            self.panel = 0

    def take_end(self, environment):
        opened, _ = self.groups.pop()
        if opened != environment:
            raise ValueError(f"{opened} ends as {environment}")
        if environment in ROWS:
            self.end_row()
            self.row = None

    def take_caption(self):
        if self.inside({"subfigure"}):
            # The caption of the figure comes behind those of its panels.
            self.panel += 1
            self.count(f"Figure {self.figure + 1}{chr(ord('a') + self.panel - 1)}")
        elif self.inside({"figure"}):
            self.figure += 1
            self.count(f"Figure {self.figure}")
        elif self.inside({"table"}):
            self.table += 1
            self.count(f"Table {roman(self.table)}")

    def end_row(self):
        self.equation += self.row["has_number"]
        around = f"in {self.meant().removeprefix('in ')}"
        for label in self.row["labels"]:
            self.remember(label, f"Equation {self.equation}" if self.row["has_number"] else around)
        self.row = {"labels": [], "has_number": True}

    def remember(self, label, name):
        if label in self.found:
            raise ValueError(f"{label} is there twice")
        self.found[label] = name

    def take(self, token):
        is_row = self.groups[-1][0] in ROWS  # and not inside a matrix in it
        if token["section"]:
            self.take_section(token["section"], token["star"])
        elif token["appendices"]:
            self.in_appendix = True
            self.section = 0
        elif token["begin"]:
            self.take_begin(token["begin"])
        elif token["end"]:
            self.take_end(token["end"])
        elif token["caption"]:
            self.take_caption()
        elif token["unnumbered"] and self.row:
            self.row["has_number"] = False
        elif token["row"] and is_row:
            self.end_row()
        elif token["label"] and self.row:
            self.row["labels"].append(token["label"])
        elif token["label"]:
            self.remember(token["label"], self.meant())


def numbers(tex):
    """Label and printed name, in the order of the text."""
    body = without_comments(tex).split(r"\begin{document}", 1)[-1].split(r"\end{document}")[0]
    counter = Counter()
    for token in TOKEN.finditer(body):
        counter.take(token)
    return counter.found


def main():
    found = numbers(Path(sys.argv[1]).read_text())
    print("# What each label of the paper is called in print, counted from its LaTeX source by")
    print("# tools/paper_numbers.py. What has no number in print is \"in\" that around it.")
    print()
    for label, name in found.items():
        print(f'"{label}" = "{name}"')


if __name__ == "__main__":
    main()
