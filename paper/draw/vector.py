"""What an SVG of matplotlib's lacks: the letters of its fonts, and colors for a dark page.

The text is text, so that it can be found, copied and read aloud; with the fonts inside, it looks the
same where they are not installed.
"""

import base64
import functools
import html
import io
import re

from matplotlib import font_manager

# The report's own, see report.css.
DARK_PAPER, DARK_INK = "#191816", "#dedbd4"


def finished(svg, has_dark=True):
    rules = ["tspan { white-space: pre; }", *font_faces(svg)]
    if has_dark:
        rules.append("@media screen and (prefers-color-scheme: dark) {\n" + "\n".join(dark_rules(svg)) + "\n}")
    return svg.replace("<defs>", "<defs>\n<style>\n" + "\n".join(rules) + "\n</style>", 1)


# --- letters ---


# As matplotlib writes it: "oblique 700 8px 'DejaVu Sans'", newer ones with further families.
FONT = re.compile(r"(oblique |italic )?(\d+ )?[\d.]+px '([^']+)'")


def font_faces(svg):
    """A rule for each font, with the glyphs that are used. What is written otherwise stays as it is."""
    used = {}
    for font, text in re.findall(r"<(?:text|tspan)[^>]*font: ([^;\"]*)[^>]*>([^<]*)<", svg):
        if parts := FONT.match(font):
            slant, weight, family = parts.groups("")
            kind = family, slant.strip() or "normal", weight.strip() or "400"
            used.setdefault(kind, set()).update(html.unescape(text))
    for (family, slant, weight), letters in sorted(used.items()):
        subset = font_subset(family, slant, int(weight), "".join(sorted(letters)))
        yield (f"@font-face {{ font-family: '{family}'; font-style: {slant}; font-weight: {weight}; "
               f"src: url(data:font/woff;base64,{subset}) }}")


@functools.lru_cache(maxsize=None)
def font_subset(family, slant, weight, letters):
    from fontTools import subset, ttLib  # matplotlib needs it too

    wanted = font_manager.FontProperties(family=family, style=slant, weight=weight)
    font = ttLib.TTFont(font_manager.findfont(wanted), recalcTimestamp=False)
    for table in "GDEF", "GPOS", "GSUB", "kern":  # matplotlib sets every letter by itself
        if table in font:
            del font[table]
    options = subset.Options(hinting=False, name_IDs=[], notdef_outline=True, recalc_timestamp=False)
    chooser = subset.Subsetter(options)
    chooser.populate(text=letters)
    chooser.subset(font)
    font.flavor = "woff"
    file = io.BytesIO()
    font.save(file)
    return base64.b64encode(file.getvalue()).decode("ascii")


# --- colors ---


def dark_rules(svg):
    """Every color that is drawn with, for a dark page: light becomes dark, and hues stay."""
    yield f"svg {{ background: {DARK_PAPER}; }}"
    yield f"text, rect:not([style]):not([fill]) {{ fill: {DARK_INK}; }}"
    for paint, color in sorted(set(re.findall(r"\b(fill|stroke): (#[0-9a-f]{6})", svg))):
        if (other := in_the_dark(color)) != color:
            yield f'[style*="{paint}: {color}"] {{ {paint}: {other} !important; }}'


def in_the_dark(color):
    """Grays are turned around; colors become as much lighter as they are dark. Those on a map stay."""
    if color in ("#fefefe", "#010101"):
        return color
    red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    if max(red, green, blue) - min(red, green, blue) < 0.04:
        paper, ink = (int(end[1:3], 16) / 255 for end in (DARK_PAPER, DARK_INK))
        red = green = blue = ink + (paper - ink) * (red + green + blue) / 3
        if color == "#ffffff":
            return DARK_PAPER
        if color == "#000000":
            return DARK_INK
    else:
        seen = 0.3 * red + 0.59 * green + 0.11 * blue  # blue looks darker than it is
        share = max(0.0, (0.42 - 0.5 * seen) / (1 - seen))  # of the way to white
        red, green, blue = (part + share * (1 - part) for part in (red, green, blue))
    return "#" + "".join(f"{round(255 * part):02x}" for part in (red, green, blue))
