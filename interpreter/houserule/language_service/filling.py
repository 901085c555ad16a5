"""Completion outside effects: keys and values from the schemas, and names of the game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from houserule.definition.files import STARTS, sort_at
from houserule.definition.model import MemberDefinition
from houserule.definition.sorts import LANGUAGE, Sort
from houserule.language_service.completion import Completion, Scope, in_effect, named, types
from houserule.language_service.documents import Document, is_in_block, keys, path_above
from houserule.language_service.meaning import told

TEXTS = ("title", "text", "back_title", "translations")
TOKENS = re.compile(r"\"(?:[^\"\\]|\\.)*\"?|'[^']*'?|[{}\[\],]|[^\s{}\[\],:]+\s*:(?=\s|$)|[^\s{}\[\],]+")


def of_file(document: Document, scope: Scope, above: list[str], beginning: str) -> Iterator[Completion]:
    """The keys that a map can have, or the values of a key, at the end of a line."""
    indent = len(beginning) - len(beginning.lstrip(" -"))
    path = path_above(above, indent)
    around, key, written = opened(beginning)
    sort = sort_at(document.kind, (*path, *around))
    if sort is None:
        return
    scope = replace(scope, path=(*path, *around, *([key] if key is not None else [])))
    if sort.text and is_in_block(above, indent):
        yield from in_effect(scope, STARTS[sort.text][-1:], written)
    elif key is not None:
        inner = sort.inside(key) or sort.item
        yield from values(inner, scope, written) if inner is not None else ()
    elif sort.text_of_keys and "(" in written:
        yield from types(scope)
    else:
        yield from keys_in(document, sort, scope, (*path, *around), is_flow=bool(around))


def opened(beginning: str) -> tuple[tuple[str, ...], str | None, str]:
    """In a line: the keys of the open maps in braces, the key whose value is being written, and what of it is there."""
    around: list[str] = []
    key: str | None = None
    line = re.sub(r"^\s*(?:- +)*", "", beginning)
    start = 0
    for found in TOKENS.finditer(line):
        word = found[0]
        if word == "{" and key is not None:
            around.append(key)
        if word == "}" and around:
            key = around.pop()
        elif word == "{" or (word == "," and around):
            key = None
        elif word.endswith(":"):
            key = word[:-1].strip()
        if word in "{}[]," or word.endswith(":"):
            start = found.end()
    return tuple(around), key, line[start:].lstrip()


def values(sort: Sort, scope: Scope, written: str) -> Iterator[Completion]:
    """The possible values of a key."""
    is_type = sort.text == "declaration"  # whose words are types
    yield from (Completion(str(word), "value") for word in (*sort.words, *(sort.offers if not is_type else ())))
    if sort.types == ("boolean",):
        yield from (Completion(word, "value") for word in ("true", "false"))
    mentions = (*sort.mentions, *(sort.item.mentions if sort.item is not None else ()))
    yield from named(scope, mentions)
    if "kind" in mentions:
        yield Completion("piece", "kind", "pieces of any kind")
    if "variant" in mentions:
        yield from (Completion(one.stem, "variant") for one in scope.files if one.parent.name == "variants")
    if sort.text:
        yield from in_effect(scope, STARTS[sort.text], written)


def keys_in(document: Document, sort: Sort, scope: Scope, path: tuple[str, ...], is_flow: bool) -> Iterator[Completion]:
    """The keys that a map can still have: those of the schema, and names that are keys there."""
    present = {key for found in document.trees for key in keys_at(found, path)}
    for name, what in own_keys(document, sort, scope, path):
        if name not in present:
            yield Completion(name, what, "", f"{name}: ")
    for name, one in sort.keys.items():
        if name not in present and (document.kind == "variant" or not one.is_of_variants):
            ends = "\n  " if one.sort.types == ("object",) and not is_flow else " "
            yield Completion(name, "key", told(one), f"{name}:{ends}")


def own_keys(document: Document, sort: Sort, scope: Scope, path: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Names that are keys at a path: languages of a text, attributes and effects of a piece, options."""
    if sort.named == LANGUAGE:
        yield from ((name, "language") for name in languages(document))
    inside = path[-3] if len(path) > 2 and sort.of is MemberDefinition else None
    for one in scope.known:
        if one.what in sort.mentions_keys and (inside is None or one.inside == inside):
            yield one.name, one.what


def languages(document: Document) -> list[str]:
    """The languages of a file's texts, in order of appearance."""
    found = (where for tree in document.trees for where, _ in keys(tree, ()))
    return list(dict.fromkeys(where[-1] for where in found if len(where) > 1 and where[-2] in TEXTS))


def keys_at(tree: Any, path: tuple[str, ...]) -> Iterable[str]:
    """The keys that a map has already."""
    for word in path:
        entry = getattr(tree, "entries", {}).get(word)
        if entry is None:
            return ()
        tree = entry.value
    return tuple(getattr(tree, "entries", {}))
