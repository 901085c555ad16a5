"""Printed faces as SVG: colours, patterns and symbols in millimetres, and texts that fill their boxes.

Nothing is known of the fonts of a printer, so every character is taken to be as wide as in the widest of the usual ones.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from html import escape
from math import cos, pi, sin

from houserule.definition.looks import FILLS as NAMES
from houserule.frozen import frozen
from houserule.printable import visible
from houserule.rulebook.pictures import FILLS, PATTERNS, colours, icon_drawn, number, pattern

POINT = 25.4 / 72
"""A point in millimetres."""
READABLE = 5
"""The least size of letters that people read without effort, in points."""
SMALLEST = 1
"""No text is printed smaller than this, in points: what still does not fit is refused."""
LINE = 1.26
"""The height of a line, in sizes of its letters."""
LONGEST_TEXT = 4000
LONGEST_NAME = 60
FONTS = "'Noto Sans', 'DejaVu Sans', 'Liberation Sans', Arial, Helvetica, sans-serif"
BOLD = 1.1
"""How much wider bold letters are."""
WIDTHS = {
    0.32: "il|!'.,:;I jJ \u00a0",
    0.42: 'frt()[]-/\\"°',
    0.54: "szck*?_",
    0.64: "abdeghnopquvxyFELS$0123456789TJZYPK{}",
    0.85: "=+<>#^~",
    0.70: "ABCDRUVXHNOQG&",
    0.98: "mwMW%@—…→←",
}
"""The widths of characters, in sizes of letters."""
WIDTH_OF = {letter: width for width, letters in WIDTHS.items() for letter in letters}
NOT_FIRST = frozenset("、。，．・：；？！）］｝〉》」』】〕ーっゃゅょッャュョ々…")
"""What cannot begin a line of Chinese or Japanese."""
NOT_LAST = frozenset("（［｛〈《「『【〔")
WORDS = re.compile(r"[^\S\u00a0]+")


class TooMuch(ValueError):
    """A game has more than can be printed; the message is a sentence."""


@frozen
class Fitted:
    """A text as lines, each with its width in millimetres, and the size of its letters in points."""

    size: float
    lines: tuple[tuple[str, float], ...]

    @property
    def height(self) -> float:
        return len(self.lines) * self.size * POINT * LINE


@lru_cache(4096)
def width_of(letter: str) -> float:
    """The width of a character, in sizes of letters."""
    if letter in WIDTH_OF:
        return WIDTH_OF[letter]
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Cf", "Mn", "Me"):
        return 0.0
    if is_wide(letter):
        return 1.03
    plain = unicodedata.normalize("NFD", letter)[0]
    return WIDTH_OF.get(plain, 0.85 if letter.isupper() else 0.72)


def width(text: str, is_bold: bool = False) -> float:
    """The width of a text, in sizes of its letters."""
    return sum(map(width_of, text)) * (BOLD if is_bold else 1)


def is_wide(letter: str) -> bool:
    return unicodedata.east_asian_width(letter) in "WF"


def parts(text: str) -> Iterator[tuple[str, bool]]:
    """The parts of a text that stay on one line, each with whether a blank comes before it."""
    for at, word in enumerate(WORDS.split(text.strip())):
        part, has_blank = "", at > 0
        for letter in word:
            breaks = part and (is_wide(letter) or is_wide(part[-1]))
            if breaks and letter not in NOT_FIRST and part[-1] not in NOT_LAST:
                yield part, has_blank
                part, has_blank = "", False
            part += letter
        if part:
            yield part, has_blank


def broken(text: str, most: float, is_bold: bool) -> list[tuple[str, float]] | None:
    """The lines of a text that are at most so wide, in sizes of letters; None if a word is wider."""
    blank = width(" ", is_bold)
    lines: list[tuple[str, float]] = []
    line, used = "", 0.0
    for part, has_blank in parts(text):
        wide = width(part, is_bold)
        if wide > most:
            return None
        gap = blank if has_blank and line else 0.0
        if line and used + gap + wide > most:
            lines.append((line, used))
            line, used, gap = "", 0.0, 0.0
        line += (" " if gap else "") + part
        used += gap + wide
    return [*lines, (line, used)] if line else lines


def cut(text: str, most: float) -> str:
    """A text whose words have a blank in them where they are wider than a line."""
    found: list[str] = []
    for word in WORDS.split(text.strip()):
        piece, used = "", 0.0
        for letter in word:
            wide = width_of(letter) * BOLD
            if used + wide > most and piece:
                found.append(piece)
                piece, used = "", 0.0
            piece += letter
            used += wide
        found.append(piece)
    return " ".join(found)


def sizes(most: float) -> list[float]:
    """The sizes that are tried, from the largest, with that which is still readable among them."""
    found = [most]
    while found[-1] > SMALLEST:
        smaller = found[-1] * 0.95
        found.append(READABLE if smaller < READABLE < found[-1] else max(smaller, SMALLEST))
    return found


def fitted(text: str, box: tuple[float, float], size: float, name: str, *, is_bold: bool = False) -> Fitted:
    """A text in a box of so many millimetres, in letters of this size or smaller ones. Raises TooMuch if it fits in none."""
    called = name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"
    if len(text) > LONGEST_TEXT:
        raise TooMuch(
            f"the text of '{called}' has {len(text)} characters, and {LONGEST_TEXT} is the most that is printed"
        )
    tried = sizes(max(size, SMALLEST))
    at = bisect_left(tried, True, key=lambda one: in_size(text, box, one, is_bold) is not None)
    found = in_size(text, box, tried[at], is_bold) if at < len(tried) else None
    if found is None:
        raise TooMuch(f"the text of '{called}' does not fit on it in any size")
    return found


def in_size(text: str, box: tuple[float, float], size: float, is_bold: bool) -> Fitted | None:
    """A text in a box in letters of one size; None if it does not fit."""
    across = box[0] / (size * POINT)
    if size < READABLE:  # a word that is too long even so is divided
        text = cut(text, across)
    lines = broken(text, across, is_bold)
    if lines is None:
        return None
    found = Fitted(size, tuple((line, wide * size * POINT) for line, wide in lines))
    return found if found.height <= box[1] + 0.01 else None


# --- faces ------------------------------------------------------------------------------------------------------------


INK, PAPER = "#14191a", "#fffdf7"
GREY_PATTERNS = ("stripes", "dots", "cross", "checks", "waves", "rings", "bricks", "steps", "stars")
"""The patterns that stand for colours in black and white, in the order of the names of the colours."""
TONES = ("#ffffff", "#d4d4d4", "#a6a6a6")
PLAIN_TONES = {"white": "#ffffff", "silver": "#e4e4e4", "grey": "#9a9a9a", "black": "#2b2b2b"}
"""The colours that are none in black and white either."""
Box = tuple[float, float, float, float]
"""Left, top, width and height."""


@frozen
class Paint:
    """How a coloured area is printed: the colour of the ground, that of what stands on it, and a pattern."""

    ground: str
    ink: str
    pattern: str | None = None
    strength: float = 0.28

    @property
    def pattern_id(self) -> str:
        return f"{self.pattern}-{self.ink.lstrip('#')}"

    @property
    def flat(self) -> Paint:
        """This paint without a pattern."""
        return Paint(self.ground, self.ink)


class Inks:
    """The paints of a set: in colour, or in black and white, where a pattern and a tone stand for each colour."""

    def __init__(self, is_grey: bool = False) -> None:
        self.is_grey = is_grey

    def paint(self, fill: str | None, pattern: str | None = None) -> Paint:
        """The paint of a colour by its name, and of the pattern that stands for it."""
        known = pattern if pattern in PATTERNS else None
        if not self.is_grey:
            return Paint(*colours(fill), known)
        if pattern is None and fill in NAMES and fill not in PLAIN_TONES:
            at = [name for name in NAMES if name not in PLAIN_TONES].index(fill)
            known, tone = GREY_PATTERNS[at % len(GREY_PATTERNS)], TONES[at // len(GREY_PATTERNS)]
        else:
            tone = PLAIN_TONES.get(fill or "", TONES[0])
        return Paint(tone, "#ffffff" if tone == PLAIN_TONES["black"] else "#000000", known, 0.6)

    def ink(self, name: str | None, otherwise: str) -> str:
        """The colour of what is written or drawn."""
        if self.is_grey or name not in FILLS:
            return otherwise
        return FILLS[name][0]


@frozen
class Face:
    """A side of something printed. The ground reaches beyond its edge as far as the bleed; the body does not."""

    width: float
    height: float
    ground: Paint
    body: str
    paints: tuple[Paint, ...] = ()
    radius: float = 0
    is_round: bool = False

    def drawn(self, bleed: float = 0, *, is_square: bool = False) -> str:
        """The face with its upper left corner at 0, 0."""
        area = (-bleed, -bleed, self.width + 2 * bleed, self.height + 2 * bleed)
        if self.is_round:
            cut = ellipse((0, 0, self.width, self.height), 'fill="none" stroke="#888888" stroke-width=".12"')
            return disc(area, self.ground) + self.body + cut
        # What is cut around its corners has them printed square, so that the knife may slip.
        return plane(area, self.ground, 0 if bleed or is_square else self.radius) + self.body


def svg(faces: Iterable[Face], body: str, size: tuple[float, float], icons: str = "") -> str:
    """A drawing of a whole picture or sheet, with the patterns of the faces on it; `size` is in millimetres."""
    wide, high = map(number, size)
    return visible(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}mm" height="{high}mm" viewBox="0 0 {wide} {high}">'
        f"<defs>{''.join(definitions(faces))}{icons}</defs>{body}</svg>"
    )


def definitions(faces: Iterable[Face]) -> Iterator[str]:
    paints = (paint for face in faces for paint in (face.ground, *face.paints) if paint.pattern)
    for id, paint in {paint.pattern_id: paint for paint in paints}.items():
        yield pattern(id, paint.pattern or "", paint.ink, ".4")


def moved(body: str, x: float, y: float, rotation: int = 0) -> str:
    """A drawing at another place, rotated around its upper left corner."""
    turn = f" rotate({rotation} 0 0)" if rotation else ""
    return f'<g transform="translate({number(x)} {number(y)}){turn}">{body}</g>'


# --- areas --------------------------------------------------------------------------------------------------------------


def inside(box: Box, gap: float) -> Box:
    """What is left of a box with a gap on all sides."""
    left, top, wide, high = box
    return left + gap, top + gap, wide - 2 * gap, high - 2 * gap


def square_in(box: Box, size: float) -> Box:
    """A square in the middle of a box."""
    left, top, wide, high = box
    return left + (wide - size) / 2, top + (high - size) / 2, size, size


def rectangle(box: Box, radius: float, look: str) -> str:
    left, top, wide, high = map(number, box)
    rounded = f' rx="{number(radius)}"' if radius else ""
    return f'<rect x="{left}" y="{top}" width="{wide}" height="{high}"{rounded} {look}/>'


def plane(box: Box, paint: Paint, radius: float = 0, edge: str = "") -> str:
    """A coloured rectangle with its pattern."""
    ground = rectangle(box, radius, f'fill="{paint.ground}"{edge}')
    return ground + over(paint, lambda look: rectangle(box, radius, look))


def disc(box: Box, paint: Paint, edge: str = "") -> str:
    """A coloured circle, or an ellipse, in a box, with its pattern."""
    return ellipse(box, f'fill="{paint.ground}"{edge}') + over(paint, lambda look: ellipse(box, look))


def ellipse(box: Box, look: str) -> str:
    left, top, wide, high = box
    cx, cy, rx, ry = map(number, (left + wide / 2, top + high / 2, wide / 2, high / 2))
    return f'<ellipse cx="{cx}" cy="{cy}" rx="{rx}" ry="{ry}" {look}/>'


def over(paint: Paint, shape: object) -> str:
    """The pattern of a paint in a shape, which is a function of its look."""
    assert callable(shape)
    if not paint.pattern:
        return ""
    return str(shape(f'fill="url(#{escape(paint.pattern_id)})" opacity="{paint.strength:g}"'))


def hexagon(box: Box, look: str) -> str:
    """A hexagon with a corner above, in a box."""
    left, top, wide, high = box
    corners = ((left + wide / 2 * (1 + sin(pi * n / 3)), top + high / 2 * (1 - cos(pi * n / 3))) for n in range(6))
    points = " ".join(f"{number(x)},{number(y)}" for x, y in corners)
    return f'<polygon points="{points}" {look}/>'


# --- symbols and texts --------------------------------------------------------------------------------------------------


@frozen
class Sign:
    """A symbol: the name of an icon, or else a letter or two."""

    symbol: str = ""
    icon: str = ""

    def __bool__(self) -> bool:
        return bool(self.symbol or self.icon)


def sign(shown: Sign, box: Box, ink: str, icons: Mapping[str, str]) -> str:
    """A symbol, as large as it can be in the middle of a box."""
    left, top, size, _ = square_in(box, min(box[2:]))
    if (found := icon_drawn(shown.icon, icons)) is not None:
        drawn, of = found
        at = f"translate({number(left)} {number(top)}) scale({size / of:.5g})"
        return drawn.format(f'transform="{at}" fill="{ink}"')
    if not shown.symbol:
        return ""
    letters = min(0.86, 0.92 / max(width(shown.symbol, True), 0.1)) * size
    return line(shown.symbol, (left + size / 2, top + size / 2 + letters * 0.36), letters, ink, is_bold=True)


def line(
    text: str, at: tuple[float, float], size: float, ink: str, *, is_bold: bool = False, anchor: str = "middle"
) -> str:
    """A line of text, by its middle or its start on the base line; `size` is in millimetres."""
    weight = ' font-weight="bold"' if is_bold else ""
    return (
        f'<text x="{number(at[0])}" y="{number(at[1])}" font-size="{number(size)}"{weight} text-anchor="{anchor}" '
        f'fill="{ink}" font-family="{FONTS}">{escape(text)}</text>'
    )


def lines(found: Fitted, box: Box, ink: str, *, is_bold: bool = False, is_centred: bool = True) -> str:
    """A text that fits in a box, in the middle of its height."""
    left, top, wide, high = box
    size = found.size * POINT
    first = top + (high - found.height) / 2 + size * (LINE / 2 + 0.36)
    x, anchor = (left + wide / 2, "middle") if is_centred else (left, "start")
    return "".join(
        line(text, (x, first + at * size * LINE), size, ink, is_bold=is_bold, anchor=anchor)
        for at, (text, _) in enumerate(found.lines)
    )


def written(text: str, box: Box, ink: str, size: float = 7, *, is_bold: bool = False) -> str:
    """A short text in a box, in letters of so many points or smaller ones."""
    if not text or min(box[2:]) <= 0:
        return ""
    return lines(fitted(text, box[2:], size, text, is_bold=is_bold), box, ink, is_bold=is_bold)
