#!/usr/bin/env python3
"""Makes paper/report/math_font.txt: the font of the report's formulas, a part of STIX Math, in base64.

Usage: math_font.py STIXMath-Regular.otf       (Debian: fonts-stix)

A browser sets radicals and brackets that grow from the table MATH of a font. A bare system has no
font with one, so the report brings its own: the letters and signs that the typesetter knows, from
its own table of symbols, with all of their sizes. The part has a name of its own, as the license
(SIL OFL 1.1, paper/report/math_font.LICENSE) asks. Needs fontTools and brotli.
"""
import base64
import io
import pathlib
import re
import sys

from fontTools import subset, ttLib

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAME = "ktln2 math"


def letters():
    """ASCII, all that stands in the typesetter's sources, and the alphabets that MathML changes letters to."""
    all_letters = set(map(chr, range(32, 127)))
    for source in "formula_symbols.cpp", "formula_mathml.cpp":
        text = (ROOT / "paper/typeset" / source).read_text(encoding="utf-8")
        all_letters |= {c for part in re.findall(r'"([^"\n]*)"', text) for c in part if ord(c) > 127}
    all_letters |= {chr(0x1D434 + i) for i in range(52)} | {"ℎ"}  # italic
    all_letters |= {chr(0x1D6E2 + i) for i in range(58)}  # italic Greek
    all_letters |= {chr(0x1D49C + i) for i in range(26)} | set("ℬℰℱℋℐℒℳℛ")  # script capitals
    all_letters |= {chr(0x1D538 + i) for i in range(26)} | set("ℂℍℕℙℚℝℤ")  # double-struck capitals
    return all_letters | set("−′˜¯^√⌈⌉⌊⌋‖…⋯") | {"\u2061"}


def main():
    font = ttLib.TTFont(sys.argv[1], recalcTimestamp=False)
    options = subset.Options(layout_features=["ssty"], hinting=False, name_IDs=[1, 2, 4, 6], notdef_outline=True,
                             recalc_timestamp=False)
    chooser = subset.Subsetter(options)
    chooser.populate(text="".join(letters()))
    chooser.subset(font)
    for record in font["name"].names:
        record.string = {2: "Regular", 6: NAME.replace(" ", "")}.get(record.nameID, NAME)
    if "CFF " in font:
        top = font["CFF "].cff
        top.fontNames = [NAME.replace(" ", "")]
        for key in ("FullName", "FamilyName"):
            setattr(top.topDictIndex[0], key, NAME)
    font.flavor = "woff2"
    file = io.BytesIO()
    font.save(file)
    text = base64.b64encode(file.getvalue()).decode("ascii")
    lines = "\n".join(text[i : i + 120] for i in range(0, len(text), 120))
    (ROOT / "paper/report/math_font.txt").write_text(lines + "\n", encoding="ascii")
    missing = sorted(letters() - set(map(chr, font.getBestCmap())))
    print(f"{len(file.getvalue())} bytes; not in the font: {' '.join(missing) or 'nothing'}")


if __name__ == "__main__":
    main()
