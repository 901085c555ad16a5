"""Hover texts for names of a game, operations, reserved words and keys of files."""

from __future__ import annotations

import inspect
import re
from functools import cache
from typing import Any, get_args

import yaml

from houserule.bundled import index, plain, sections_of
from houserule.definition.files import sort_at
from houserule.definition.sorts import Key
from houserule.language import nodes
from houserule.language.words import OF_EVERY_GAME, PARTNERS, RESERVED
from houserule.language_service.documents import Document
from houserule.language_service.names import Declaration
from houserule.operations import FUNCTIONS, VERBS
from houserule.source import Mapping, Scalar, Yaml

MARKS = re.compile(r"[\\`*\[\]<>]")
"""What begins links, pictures, code and HTML in Markdown."""
OF_GAMES = {**OF_EVERY_GAME, "partners": PARTNERS}
"""The names that games have without declaring them."""
MOST_LINES = 8
"""The most lines of a declaration in a hover text."""


@cache
def keywords() -> dict[str, str]:
    """The paragraph of the reference for each word that begins or joins something."""
    found: dict[str, str] = {}
    for node in (*get_args(nodes.Statement), *get_args(nodes.Expression)):
        text = inspect.cleandoc(node.__doc__ or "")
        for word in RESERVED:
            if f"`{word} " in text or f"`{word}`" in text or f" {word} " in text.split("`")[1:2]:
                found.setdefault(word, text)
    return found


def operation(word: str) -> str | None:
    row = VERBS.get(word) or next(iter(FUNCTIONS.get(word, ())), None)
    return f"**{word}**: {row.says}\n\n```\n{row.example}\n```" if row is not None else None


def signature(word: str) -> tuple[str, tuple[str, ...]] | None:
    rows = FUNCTIONS.get(word)
    if rows is None:
        return None
    return f"{word}({', '.join(rows[0].parameters)})", rows[0].parameters


def description(document: Document, path: tuple[str, ...]) -> str | None:
    """The description of a key of a file, with an example."""
    sort = sort_at(document.kind, path[:-1])
    known = sort.keys.get(path[-1]) if sort is not None else None
    return key_described(known) if known is not None else None


def key_described(key: Key) -> str:
    """The sentence of a key, with an example."""
    values = [as_written(key.name, value) for value in key.examples[:1]]
    return key.says + "".join(f"\n\n```yaml\n{value}\n```" for value in values)


def as_written(key: str, value: Any) -> str:
    written = yaml.safe_dump(value, allow_unicode=True, sort_keys=False, default_flow_style=True, width=1000)
    return f"{key}: {written.removesuffix('...' + chr(10)).rstrip()}"


@cache
def manual() -> dict[str, tuple[str, str]]:
    """The manual's topic for each word of its index, with the first paragraph of it."""
    found = {}
    for word, sections in index(sections_of("language")).items():
        paragraphs = [part for part in sections[0].text.split("\n\n")[1:] if part[:1].isalpha()]
        found[word] = (sections[0].topic, " ".join(paragraphs[0].split("\n")) if paragraphs else "")
    return found


def from_manual(word: str) -> str | None:
    """What the manual says of a word: the beginning of its section, and how to read on."""
    topic, paragraph = manual().get(plain(word), ("", ""))
    return f"{paragraph}\n\n`houserule docs {topic}`" if paragraph else None


def of_word(word: str) -> list[str]:
    """The meaning of a word of an effect in every game, with what the manual says of it."""
    says = operation(word) or OF_GAMES.get(word) or keywords().get(word)
    return [part for part in (says, from_manual(word)) if part]


def of_key(document: Document, path: tuple[str, ...], key: Scalar) -> list[str]:
    """The description of a key of a file, with what the manual says of it."""
    says = description(document, path)
    return [part for part in (says, from_manual(key.text)) if part] if says else []


def unmarked(text: str) -> str:
    """A text from a file as Markdown that shows it, without links, pictures, code or HTML."""
    return MARKS.sub(r"\\\g<0>", text)


def fenced(text: str, language: str = "") -> str:
    """A text from a file as a block of code, which nothing in it ends."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}{language}\n{text}\n{fence}"


def declaration(one: Declaration, language: str = "en") -> str:
    """A name of the game: its kind, the line that declares it, its title and text."""
    inside = f" of `{one.inside.replace('`', '')}`" if one.inside else ""
    parts = [f"**{unmarked(one.name)}**: {one.what}{inside}"]
    if isinstance(one.value, Scalar) and one.value is not one.key:
        parts.append(fenced(f"{one.key.text}: {one.value.text.strip()}"))
    elif one.key.text != one.name:
        parts.append(fenced(one.key.text))
    if isinstance(one.value, Mapping):
        entries = ((key, entry.value) for key, entry in one.value.entries.items())
        shown = [f"{key}: {value.text}" for key, value in entries if isinstance(value, Scalar) and is_short(key, value)]
        parts.append(fenced("\n".join(shown) or beginning(one), "yaml"))
        for key in ("title", "text"):
            entry = one.value.entries.get(key)
            if entry is not None and (said := in_language(entry.value, language)):
                parts.append(unmarked(said) if key == "text" else f"*{unmarked(said)}*")
    return "\n\n".join(parts)


def beginning(one: Declaration) -> str:
    """The first lines of a declaration, as written."""
    lines = one.key.fragment.source.lines[one.key.span.line - 1 : one.value.span.end_line][:MOST_LINES]
    return inspect.cleandoc("\n".join(["", *lines]))


def is_short(key: str, value: Scalar) -> bool:
    return key not in ("title", "text", "assumed", "reveals", "do") and len(value.text) < 80


def in_language(value: Yaml, language: str) -> str:
    """A text for people in a language, or in its first one."""
    if isinstance(value, Scalar):
        return value.text.strip()
    if isinstance(value, Mapping) and value.entries:
        entry = value.entries.get(language) or next(iter(value.entries.values()))
        return entry.value.text.strip() if isinstance(entry.value, Scalar) else ""
    return ""
