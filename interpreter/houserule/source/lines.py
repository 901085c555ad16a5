"""Explains why YAML fails between lines: a missing colon, a block without its `|` or out of its column."""

from __future__ import annotations

import re
from collections.abc import Iterator

from houserule.source.mended import Frame, MendedText
from houserule.source.outline import Line, line_at, shortened

BARE_KEY = re.compile(r"(?P<key>[A-Za-z_]\w*(?:\([\w, ]*\))?)(?P<rest> +\S.*|\W*)")
PLAIN_KEY = re.compile(r"\"[^\"]*\"|'[^']*'|[\w-]+(?:\(.*\))?")
NO_BLANK = re.compile(r"[A-Za-z_]\w*:(?!//)\S")
BEFORE_BRACES = re.compile(r"[A-Za-z_]\w* +[{\[]")
BLOCK_SIGN = re.compile(r"[|>][-+0-9]*")


def explain_lines(mender: MendedText, places: list[int], frames: list[Frame]) -> bool:
    """Report mistakes of whole lines near some places of the text; returns whether anything was reported."""
    found = {line.start: line for place in places if (line := line_at(mender.text, place)) is not None}
    lines = found.values()
    if any(out_of_block(mender, line) or missing_colon(mender, line, frames) for line in lines):
        return True
    return any(without_sign(mender, line) for line in lines)


def above(text: str, line: Line) -> Iterator[Line]:
    """The lines before one, nearest first, without blank ones."""
    start = line.start
    while start > 0:
        start = text.rfind("\n", 0, start - 1) + 1
        if (found := line_at(text, start)) is not None:
            yield found


def below(text: str, line: Line) -> Iterator[Line]:
    """The lines after one, without blank ones."""
    start = text.find("\n", line.start) + 1
    while start > 0:
        if (found := line_at(text, start)) is not None:
            yield found
        start = text.find("\n", start) + 1


def is_plain(line: Line) -> bool:
    """Whether a line is a list entry, or has a key like those of rule files: a name, perhaps with parameters."""
    return line.dash or (line.key is not None and PLAIN_KEY.fullmatch(line.key) is not None)


def missing_colon(mender: MendedText, line: Line, frames: list[Frame]) -> bool:
    """`type int` and `round` among keys. Reading continues as if the colon were there."""
    line = without_key(mender.text, line)
    if line.key is not None or line.dash or (found := BARE_KEY.fullmatch(line.value)) is None:
        return False
    before, after = next(above(mender.text, line), None), next(below(mender.text, line), None)
    if before is not None and not may_be_key(line, before, frames):
        return False
    return name_missing_colon(mender, line, found, before, after)


def name_missing_colon(
    mender: MendedText, line: Line, found: re.Match[str], before: Line | None, after: Line | None
) -> bool:
    """Report the colon that is missing after a word where a key can be, if what stands around it says so."""
    key, rest = found["key"], found["rest"].strip()
    start, end = line.value_start, line.value_start + len(key)
    opens = after is not None and after.column > line.column
    message = f"a ':' is missing after '{key}'"
    if len(key) > 1 and opens and BLOCK_SIGN.fullmatch(rest):
        mender.say("HR135", message, start, end, f"{key}: {rest}", (end, end, ":"))
        mender.overwrite(end - 1, ":")
        return True
    if not re.search(r"\w", rest):
        if after is None or not opens or not is_plain(after):
            return False
        mender.say("HR135", message, start, end, f"{key}:", (end, line.value_end, ":"))
        mender.overwrite(end - 1 if not rest else end, ":", keeps=not rest)
        if rest:
            mender.hide(end + 1, line.value_end)
        return True
    is_braced = rest[0] in "{[" and rest[-1] in "}]"  # no text and no effect is written like that
    if len(key) < 2 or not (is_braced or (key[0].islower() and stands_among_keys(line, before, after))):
        return False
    # A word with more words after it may as well be a text that lost its key: there is no fix.
    fix = (end, end, ":") if is_braced else None
    mender.say("HR133" if is_braced else "HR135", message, start, end, f"{key}: {shortened(rest)}", fix)
    mender.overwrite(end - 1, ":")
    return True


def stands_among_keys(line: Line, *around: Line | None) -> bool:
    """Whether those of the lines around one that begin in its column have keys, or are entries."""
    beside = [other for other in around if other is not None and other.column == line.column]
    return bool(beside) and all(map(is_plain, beside))


def without_key(text: str, line: Line) -> Line:
    """`broom {count: 2}`: its first colon is inside the braces, so that it has no key of its own."""
    if line.key is None or BEFORE_BRACES.match(line.key) is None or line.dash:
        return line
    start = line.start + line.column
    return Line(line.start, line.column, None, text[start : line.value_end], start, False)


def may_be_key(line: Line, before: Line, frames: list[Frame]) -> bool:
    """Whether a line is where a key can be: in the column of a map, or below a key without a value."""
    columns = [frame.column for frame in frames if not frame.flow and frame.is_map]
    return line.column in columns or (before.key is not None and not before.value and before.column < line.column)


def opener_of(text: str, line: Line) -> Line | None:
    """The key or list entry whose block contains a line; None if an effect's line opens that block."""
    column = line.column
    for other in above(text, line):
        if other.column < column:
            column = other.column
            if is_plain(other) and other.key != "else":
                return other
    return None


def without_sign(mender: MendedText, line: Line) -> bool:
    """Lines of an effect below a key that has no `|`."""
    text = mender.text
    opener = None if is_plain(line) else opener_of(text, line)
    if opener is None or opener.key is None or opener.value or opener.dash:
        return False
    first = next(below(text, opener), line)
    if first.column > line.column or is_plain(first) or NO_BLANK.match(first.value):
        return False
    last = line
    for other in below(text, line):
        if other.column <= opener.column:
            break
        last = other
    start = opener.start + opener.column
    colon = text.find(":", start + len(opener.key)) + 1
    message = f"the lines below '{opener.key}' run together without a '|' after it"
    mender.say("HR425", message, start, last.value_end, f"{opener.key}: |", (colon, colon, " |"))
    mender.hide(first.start + first.column, last.value_end)
    return True


def out_of_block(mender: MendedText, line: Line) -> bool:
    """A line that is indented less than the block of text that it belongs to."""
    text = mender.text
    if is_plain(line):
        return False
    first: Line | None = None
    opener: Line | None = None
    for other in above(text, line):
        if (
            other.key is not None
            and BLOCK_SIGN.fullmatch(other.value)
            and (first is None or other.column < first.column)
        ):
            opener = other
            break
        first = other
    if opener is None or opener.column > line.column:
        return False
    if first is not None and not opener.column < line.column < first.column:
        return False
    start, end = line.start + line.column, line.value_end
    if first is None:
        sign = opener.value[0]
        message = f"this line belongs to the '{sign}' block of '{opener.key}', but is not indented further than it"
        advice = "indent it by two more spaces"
    else:
        message = "this line is indented less than the first line of its block, so the block ends before it"
        advice = f"begin it at column {first.column + 1}, like the block"
    mender.say("HR137", message, start, end, advice)
    mender.blank(start, end)
    for other in below(text, line):
        if other.column != line.column or is_plain(other):
            break
        mender.blank(other.start + other.column, other.value_end)
    return True
