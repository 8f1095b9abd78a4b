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
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.transformPen import TransformPen

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


def transform(font, name, width, matrix):
    """Another shape and width for a glyph."""
    shapes, all_glyphs = font["CFF "].cff.topDictIndex[0].CharStrings, font.getGlyphSet()
    pen = T2CharStringPen(width, all_glyphs)
    all_glyphs[name].draw(TransformPen(pen, matrix))
    shapes[name] = pen.getCharString(shapes[name].private, shapes[name].globalSubrs)
    font["hmtx"][name] = (width, font["hmtx"][name][1])


def radicals(font):
    """All glyphs that a radical is made of."""
    variants, name = font["MATH"].table.MathVariants, font.getBestCmap()[ord("√")]
    sizes = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(name)]
    return {record.VariantGlyph for record in sizes.MathGlyphVariantRecord} | {
        part.glyph for part in sizes.GlyphAssembly.PartRecords}


def suit_browsers(font):
    """A prime that is raised already is raised again; beside a root there is room for the broadest radical."""
    constants = font["MATH"].table.MathConstants
    prime = font.getBestCmap()[ord("′")]
    larger = 100 / constants.ScriptPercentScaleDown
    transform(font, prime, round(larger * font["hmtx"][prime][0]),
              (larger, 0, 0, larger, 0, -larger * constants.SuperscriptShiftUp.Value))
    width = font["hmtx"][font.getBestCmap()[ord("√")]][0]
    for name in sorted(radicals(font)):
        transform(font, name, width, (width / font["hmtx"][name][0], 0, 0, 1, 0, 0))


def main():
    font = ttLib.TTFont(sys.argv[1], recalcTimestamp=False)
    options = subset.Options(layout_features=[], hinting=False, name_IDs=[1, 2, 4, 6], notdef_outline=True,
                             recalc_timestamp=False)
    chooser = subset.Subsetter(options)
    chooser.populate(text="".join(letters()))
    chooser.subset(font)
    suit_browsers(font)
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
