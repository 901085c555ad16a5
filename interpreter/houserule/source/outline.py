"""Splits a text as its author reads it, even where YAML cannot: its lines, its entries in braces, the ends of values."""

from __future__ import annotations

import re

from houserule.frozen import by_value

CLOSING = {"(": ")", "[": "]", "{": "}"}
KEY = re.compile(
    r"""(?P<key>"[^"\n]*"|'[^'\n]*'|[^\s:\-?"'\[\]{},#&*!|>%@`][^:\n#"]*?|[-?][^\s:][^:\n#"]*?)\s*:(?=\s|$)"""
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
