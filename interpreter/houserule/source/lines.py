"""The lines of a text as its author reads them, and why YAML fails between them: a missing colon, a block without its `|`.

Mistakes that were found are hidden from YAML, so that reading can continue after them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from houserule.diagnostics import Diagnostic, Fix, Related
from houserule.frozen import by_value
from houserule.source.nodes import Source

CLOSING = {"(": ")", "[": "]", "{": "}"}
KEY = re.compile(
    r"""(?P<key>"[^"\n]*"|'[^'\n]*'|(?:[^\s:\-?"'\[\]{},#&*!|>%@`]|[-?][^\s:])(?:[^:\n#"]*[^\s:#"])?)\s*:(?=\s|$)"""
)
INDEXED_KEY = re.compile(r"(?P<key>\w+(?:\[[^\]\n]*\])+)\s*:(?=\s|$)")
SHORT = 60


@by_value
class Part:
    """A key and its value in braces, or a list entry in brackets: a range of the text."""

    key: str
    start: int
    end: int
    key_start: int = 0


@by_value
class Line:
    """A line outside of braces, split: indexes of the text."""

    start: int
    column: int
    key: str | None
    value: str
    value_start: int
    dash: bool

    @property
    def value_end(self) -> int:
        return self.value_start + len(self.value)


def shortened(text: str) -> str:
    """The beginning of a text, for a sentence."""
    first = text.strip().split("\n")[0]
    return first if len(first) <= SHORT else first[: SHORT - 1] + "…"


def quoted(text: str) -> str:
    return (
        f"'{text}'" if '"' in text and "'" not in text else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    )


def opened(text: str) -> int:
    return text.count("(") - text.count(")")


def after_closing(value: str) -> str:
    """What follows the bracket or quote that matches the first character of a value."""
    if value[0] in "\"'":
        closing = value.find(value[0], 1)
        return value[closing + 1 :].strip() if closing > 0 else ""
    end = balanced_end(value, 1, CLOSING[value[0]], ())
    return value[end + 1 :].strip() if end < len(value) else ""


def needs_quotes(value: str) -> str:
    """The character that makes a value in braces unreadable for YAML, or ""."""
    if not value:
        return ""
    if value[0] in "\"'{[":
        return value[0] if after_closing(value) else ""
    if value[0] in "%@`" or (value[0] in "*&!|>" and not value[1:2].isalnum()):
        return value[0]
    found = re.search(r"[\[\]{}]|: |:$", value)
    return found[0].strip() if found else ""


def balanced_end(text: str, index: int, closing: str, stops: tuple[str, ...]) -> int:
    """The end of a value: a stop or `closing` outside of all brackets and double quotes, else the end of the text."""
    awaited: list[str] = []
    while index < len(text):
        sign = text[index]
        if sign == '"':
            other = text.find('"', index + 1)
            line_end = text.find("\n", index)
            if other > 0 and (line_end < 0 or other < line_end):
                index = other
        elif sign in CLOSING:
            awaited.append(CLOSING[sign])
        elif awaited and sign == awaited[-1]:
            awaited.pop()
        elif (sign == closing and (not awaited or (closing in "]}" and set(awaited) == {")"}))) or (
            not awaited and sign in stops
        ):
            return index
        elif sign == "#" and text[index - 1 : index] in (" ", "\n"):
            line_end = text.find("\n", index)
            index = (line_end if line_end >= 0 else len(text)) - 1
        index += 1
    return index


def flow_parts(text: str, opening: int) -> tuple[list[Part], bool]:
    """The entries of a map in braces or a list in brackets, with effects left whole; whether it is closed."""
    is_map, closing = text[opening] == "{", CLOSING.get(text[opening], "}")
    stop = _where_the_next_key_begins(text, opening)
    inside = text[:stop]
    parts: list[Part] = []
    index = opening + 1
    while True:
        while index < stop and text[index].isspace():
            index += 1
        end = balanced_end(inside, index, closing, (",",))
        part = text[index:end].rstrip()
        key = (KEY.match(part) or INDEXED_KEY.match(part)) if is_map else None
        if is_map and key is None and parts:
            if part:
                parts[-1] = Part(parts[-1].key, parts[-1].start, index + len(part))
        elif part:
            value = part[key.end() :].lstrip() if key else part
            parts.append(Part(key["key"] if key else "", index + len(part) - len(value), index + len(part), index))
        if end >= stop:
            return parts, False
        if inside[end] == closing:
            return parts, True
        index = end + 1


def _where_the_next_key_begins(text: str, opening: int) -> int:
    """Braces that were never closed end, for their author, before the next line that is not indented further."""
    line_start = text.rfind("\n", 0, opening) + 1
    column = len(text[line_start:opening]) - len(text[line_start:opening].lstrip(" "))
    for found in re.compile(r"^( *)([^\s#\]})].*)$", re.M).finditer(text, max(text.find("\n", opening), opening)):
        if found.start() > opening and len(found[1]) <= column:
            return found.start()
    return len(text)


def line_at(text: str, index: int) -> Line | None:
    """The line that contains an index, split; None for a blank one."""
    start = text.rfind("\n", 0, max(index, 0)) + 1
    end = text.find("\n", start)
    line = text[start : end if end >= 0 else len(text)]
    body = line.lstrip(" ")
    if not body.strip() or body.startswith("#"):
        return None
    column = len(line) - len(body)
    at, dash = column, False
    while line.startswith("- ", at):
        dash = True
        at += 2 + len(line[at + 2 :]) - len(line[at + 2 :].lstrip(" "))
    found = KEY.match(line, at)
    value_at = found.end() if found else at
    value = line[value_at:]
    value_at += len(value) - len(value.lstrip())
    value = _without_comment(value.strip())
    return Line(start, column, found["key"] if found else None, value, start + value_at, dash)


def _without_comment(value: str) -> str:
    for found in re.finditer(r"\s#", value):
        if value.count('"', 0, found.start()) % 2 == 0:
            return value[: found.start()].rstrip()
    return value


SIGNS = ",[]{}:#&*!|>'\"%@`\\?-"
# Private-use characters: they replace characters one for one while YAML reads.
HIDING_PLACES = (0xE000, 0xF0000, 0x100000)


@by_value
class Frame:
    """A map or list being read: in braces or not, its start, its column."""

    flow: bool
    start: int
    column: int
    is_map: bool


class MendedText:
    """A text in which every mistake found so far is hidden from YAML, character by character."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.found: list[Diagnostic] = []
        self.letters: dict[int, str] = {}  # what a colon replaces so that reading can continue
        self.is_whole = True  # False once a mistake cannot be read as its author meant it
        free = next(
            (base for base in HIDING_PLACES if not re.search(f"[{chr(base)}-{chr(base + 127)}]", source.text)), None
        )
        self._hide = {ord(sign): chr(free + ord(sign)) for sign in SIGNS} if free else None
        self._show = {ord(hidden): chr(sign) for sign, hidden in (self._hide or {}).items()}

    def restored(self, text: str) -> str:
        return text.translate(self._show) if self.found and self._show else text

    def say(
        self,
        code: str,
        message: str,
        start: int,
        end: int,
        help: str | None = None,
        mends: tuple[int, int, str] | None = None,
        related: Sequence[Related] = (),
    ) -> None:
        """Add an error about a range of the text; `mends` is a range and its certain replacement."""
        start = min(start, len(self.text))
        span = self.source.span(start, max(start, min(end, len(self.text))))
        fix = Fix(self.source.span(*mends[:2]), self.restored(mends[2])) if mends else None
        self.found.append(Diagnostic(code, "error", message, span, help, tuple(related), fix=fix))

    def hide(self, start: int, end: int) -> None:
        if self._hide:
            self.text = self.text[:start] + self.text[start:end].translate(self._hide) + self.text[end:]

    def overwrite(self, index: int, sign: str, *, keeps: bool = True) -> None:
        """Overwrite a character; one that is kept reappears at the end of the key before it."""
        if keeps:
            self.letters[index] = self.text[index]
        self.text = self.text[:index] + sign + self.text[index + 1 :]

    def blank(self, start: int, end: int) -> None:
        """Blank out a range; what depends on it is lost."""
        self.is_whole = False
        self.text = self.text[:start] + re.sub(r"[^\n]", " ", self.text[start:end]) + self.text[end:]


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
    if is_effect(mender.text, line, key, rest):
        mender.say(
            "HR133",
            "this is no key; what a step does stands in 'do'",
            start,
            line.value_end,
            f"do: {shortened(f'{key} {rest}')}",
        )
        mender.overwrite(end - 1, ":")
        return True
    # A word with more words after it may as well be a text that lost its key: there is no fix.
    fix = (end, end, ":") if is_braced else None
    mender.say("HR133" if is_braced else "HR135", message, start, end, f"{key}: {shortened(rest)}", fix)
    mender.overwrite(end - 1, ":")
    return True


def is_effect(text: str, line: Line, key: str, rest: str) -> bool:
    """Whether a line in a step is likely to be what the step does: words in small letters after one that is no key elsewhere."""
    step = opener_of(text, line)
    has_words = len(rest.split()) > 1 and rest == rest.lower() and " in " not in rest
    is_in_step = step is not None and is_step(text, step)
    return is_in_step and has_words and re.search(rf"\b{re.escape(key)} *:", text) is None


def is_step(text: str, opener: Line) -> bool:
    """Whether a key opens a step."""
    around = opener_of(text, opener)
    return around is not None and around.key in ("flow", "steps")


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
    if is_step(text, opener):
        message = f"the lines below '{opener.key}' are no keys; what a step does stands below 'do: |'"
        mender.say("HR133", message, first.start + first.column, first.value_end, "do: |")
    else:
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
