"""Completion outside effects: keys and values from the schemas, and names of the game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from houserule.definition.schema import schema_of
from houserule.definition.texts import STARTS
from houserule.language_service.completion import Completion, Scope, in_effect, named, types
from houserule.language_service.documents import Document, is_in_block, keys, path_above
from houserule.language_service.meaning import description

NAMES = {
    "holds": ("kind",),
    "refill": ("zone",),
    "reset": ("step",),
    "use": ("step",),
    "from": ("step",),
    "after": ("step",),
    "before": ("step",),
    "back": ("attribute",),
    "per_position": ("zone", "variable"),
    "on": ("variable",),
}
"""The kinds of names that are values of keys."""
FILES = ("requires", "conflicts", "with")
"""Keys whose values are names of variants' files."""
TEXTS = ("title", "text", "back_title", "translations")
TOKENS = re.compile(r"\"(?:[^\"\\]|\\.)*\"?|'[^']*'?|[{}\[\],]|[^\s{}\[\],:]+\s*:(?=\s|$)|[^\s{}\[\],]+")


def of_file(document: Document, scope: Scope, above: list[str], beginning: str) -> Iterator[Completion]:
    """The keys that a map can have, or the values of a key, at the end of a line."""
    indent = len(beginning) - len(beginning.lstrip(" -"))
    path = path_above(above, indent)
    around, key, written = opened(beginning)
    schema: Any = schema_of(document.kind)
    for word in (*path, *around):
        schema = inside(schema, word)
        if schema is None:
            return
    scope = replace(scope, path=(*path, *around, *([key] if key is not None else [])))
    if "x-text" in schema and is_in_block(above, indent):
        yield from in_effect(scope, STARTS[schema["x-text"]][-1:], written)
    elif key is not None:
        yield from values(key, inside(schema, key) or {}, scope, written)
    elif "x-keys" in schema and "(" in written:
        yield from types(scope)
    else:
        yield from keys_in(document, schema, scope, (*path, *around), is_flow=bool(around))


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


def values(key: str, schema: Any, scope: Scope, written: str) -> Iterator[Completion]:
    """The possible values of a key."""
    is_type = schema.get("x-text") == "declaration"  # whose words are types
    words = [*schema.get("enum", ()), *(schema.get("x-words", ()) if not is_type else ())]
    yield from (Completion(str(word), "value") for word in words)
    if schema.get("type") == "boolean":
        yield from (Completion(word, "value") for word in ("true", "false"))
    if key in NAMES:
        yield from named(scope, NAMES[key])
        if key == "holds":
            yield Completion("piece", "kind", "pieces of any kind")
    elif key in FILES:
        yield from (Completion(one.stem, "variant") for one in scope.files if one.parent.name == "variants")
    elif "x-text" in schema:
        yield from in_effect(scope, STARTS[schema["x-text"]], written)


def keys_in(
    document: Document, schema: Any, scope: Scope, path: tuple[str, ...], is_flow: bool
) -> Iterator[Completion]:
    """The keys that a map can still have: those of the schema, and names that are keys there."""
    present = {key for found in document.trees for key in keys_at(found, path)}
    for name, what in own_keys(document, scope, path):
        if name not in present:
            yield Completion(name, what, "", f"{name}: ")
    for name, row in schema.get("properties", {}).items():
        if name not in present:
            ends = "\n  " if row.get("type") == "object" and not is_flow else " "
            yield Completion(name, "key", description(document, (*path, name)) or "", f"{name}:{ends}")


def own_keys(document: Document, scope: Scope, path: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Names that are keys at a path: languages of a text, attributes and effects of a piece, options."""
    last, above = path[-1] if path else "", path[-2] if len(path) > 1 else ""
    if last in TEXTS:
        yield from ((name, "language") for name in languages(document))
    elif above in ("pieces", "members") and len(path) > 2:
        printed = (one for one in scope.known if one.inside == path[-3] and one.what in ("attribute", "effect"))
        yield from ((one.name, one.what) for one in printed)
    elif last in ("options", "set") and document.kind != "game":
        yield from ((one.name, one.what) for one in scope.known if one.what == "option")


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


def inside(schema: Any, word: str) -> Any:
    """What a schema says of the content of a key."""
    properties = schema.get("properties", {})
    if word in properties:
        return properties[word]
    for pattern, inner in schema.get("patternProperties", {}).items():
        if re.search(pattern, word):
            return inner
    return schema.get("additionalProperties") or schema.get("items") or None
