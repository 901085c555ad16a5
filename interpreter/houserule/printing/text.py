"""Texts in boxes: broken into lines, and as large as they can be.

Nothing is known of the fonts of a printer, so every character is taken to be as wide as in the widest of the usual ones.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

from houserule.frozen import frozen

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
    0.32: "il|!'.,:;I jJ ",
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
WORDS = re.compile(r"\s+")


class TooMuch(ValueError):
    """A game has more than can be printed; the message is a sentence."""


@frozen
class Fitted:
    """A text as lines, each with its width in millimetres, and the size of its letters in points."""

    size: float
    lines: tuple[tuple[str, float], ...]

    @property
    def is_readable(self) -> bool:
        return self.size >= READABLE - 0.01

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
    if unicodedata.east_asian_width(letter) in "WF":
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
    for number, word in enumerate(WORDS.split(text.strip())):
        part, has_blank = "", number > 0
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
