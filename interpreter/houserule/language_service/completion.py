"""What can stand at a place of a rule file: keys and values as the schemas say, words and names in effects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from lark.exceptions import UnexpectedInput

from houserule.definition.schema_files import validator
from houserule.definition.texts import RuleText
from houserule.frozen import frozen
from houserule.language.lexer import SIGNS
from houserule.language.parse import grammar_for
from houserule.language_service.documents import Document
from houserule.language_service.meaning import OF_LANGUAGE, description, keywords
from houserule.language_service.names import Declaration, locals_of
from houserule.operations import FUNCTIONS, PREPOSITIONS, VERBS
from houserule.source import Mapping, Scalar

GLOBAL = ("option", "enum", "kind", "zone", "variable", "table", "function", "action", "member", "piece")
WORD_BEFORE = re.compile(r"[A-Za-z_]\w*$", re.ASCII)
DOTTED = re.compile(r"([A-Za-z_]\w*)((?:\[[^\]]*\])?)\.\w*$", re.ASCII)


@frozen
class Completion:
    """Something that can stand at a place: `insert` may hold the places of a snippet, as editors write them."""

    label: str
    what: str
    detail: str = ""
    insert: str = ""


def in_effect(
    text: RuleText, before: str, declared: Iterable[Declaration], globals: frozenset[str]
) -> Iterator[Completion]:
    """What can stand after the beginning of an effect or expression: words that the grammar takes there, then names."""
    known = list(declared)
    if dotted := DOTTED.search(before):
        yield from after_dot(dotted[1], text, known)
        return
    stem = before[: len(before) - len(found[0])] if (found := WORD_BEFORE.search(before)) else before
    allowed = terminals(stem, text.starts)
    verbs = set(VERBS)
    for word in sorted(allowed):
        if word in verbs:
            yield Completion(word, "verb", VERBS[word].says, snippet(word))
        elif word.isalpha() and word.islower():
            yield Completion(word, "keyword", keywords().get(word, "").split("\n")[0])
    if "NAME" not in allowed:
        return
    if re.search(r"\bperform\s+$", stem):
        yield from (Completion(one.name, one.what, one.key.text) for one in known if one.what == "action")
        return
    if re.search(r"\b(?:leave|finish)\s+$", stem):
        yield from (Completion(one.name, one.what) for one in known if one.what == "step")
        return
    for name in locals_of(text, globals):
        yield Completion(name, "local name")
    for name, says in OF_LANGUAGE.items():
        yield Completion(name, "player" if name != "it" else "local name", says)
    for one in once(known, GLOBAL):
        yield Completion(one.name, one.what, one.key.text if one.key.text != one.name else one.inside)
    for name, rows in FUNCTIONS.items():
        yield Completion(name, "function", rows[0].says, f"{name}($1)")


def after_dot(word: str, text: RuleText, known: list[Declaration]) -> Iterator[Completion]:
    """What can follow a dot: what players have after `me`, attributes and families of the kind where that can be seen."""
    kind = kind_of(word, text, known)
    for one in once(known, ("attribute", "zone", "variable", "function", "effect")):
        first = first_parameter(one.key.text)
        if one.what in ("attribute", "effect") or (one.what == "variable" and one.inside):
            fits = kind is None or one.inside == kind
        else:
            fits = first is not None and (kind is None or first == kind)
        if fits:
            yield Completion(one.name, one.what, one.key.text if one.key.text != one.name else one.inside)


def kind_of(word: str, text: RuleText, known: list[Declaration]) -> str | None:
    """The kind of what a name stands for: `player`, an enum or a kind of piece; None where it cannot be seen."""
    if word in ("me", "viewer"):
        return "player"
    source = text.scalar.text
    declared = re.search(rf"([A-Za-z_]\w*)\s+{word}\s*[,)]", text.key.text if text.key is not None else "")
    if declared:
        return declared[1]
    made = re.search(
        rf"\b(?:for|choose|chooses)\s+(?:or pass\s+)?{word}\s+(?:or pass\s+)?(?:in|from)\s+(?:\w+\s+in\s+)?(.+)", source
    )
    made = (
        made
        or re.search(rf"\b{word}\s+in\s+(.+)", source)
        or re.search(rf"draw\s+1\s+from\s+(.+?)\s+to\s+.*\bas\s+{word}\b", source)
    )
    if made is None:
        return None
    names = re.findall(r"[A-Za-z_]\w*", made[1])
    for name in names[:3]:
        if name in ("players", "opponents"):
            return "player"
        for one in known:
            if one.name == name and one.what == "zone":
                return held_by(one)
            if one.name == name and one.what in ("enum", "kind"):
                return str(name)
    return None


def held_by(zone: Declaration) -> str | None:
    """The kind of the pieces of a zone."""
    holds = zone.value.entries.get("holds") if isinstance(zone.value, Mapping) else None
    return holds.value.text if holds is not None and isinstance(holds.value, Scalar) else None


def first_parameter(key: str) -> str | None:
    """The type of the first parameter of a key that declares."""
    found = re.search(r"\(\s*([A-Za-z_]\w*)", key)
    return found[1] if found else None


def once(known: Iterable[Declaration], kinds: Iterable[str]) -> Iterator[Declaration]:
    """Each name once."""
    wanted, seen = set(kinds), set()
    for one in known:
        if one.what in wanted and one.name not in seen:
            seen.add(one.name)
            yield one


def snippet(verb: str) -> str:
    """A verb with the prepositions that it must have, as a snippet."""
    row = VERBS[verb]
    parts = [verb, "${1:" + row.argument + "}"]
    needed = [word for word, pattern in row.prepositions.items() if not pattern.endswith("?")]
    parts += [f"{word} ${{{number}:{row.prepositions[word]}}}" for number, word in enumerate(needed, 2)]
    return " ".join(parts)


def terminals(before: str, starts: tuple[str, ...]) -> set[str]:
    """The words that can follow the beginning of a text, and NAME, NUMBER … for what authors make up."""
    lark = grammar_for(tuple(PREPOSITIONS.items())).lark
    literal = {terminal.name: terminal.pattern.value for terminal in lark.terminals if terminal.pattern.type == "str"}
    found: set[str] = set()
    for start in starts:
        try:
            lark.parse(f"{before}\x01", start=start)
        except UnexpectedInput as stopped:
            expected = getattr(stopped, "allowed", None) or getattr(stopped, "expected", None) or ()
            found |= {literal.get(name, name) for name in expected}
        except Exception:  # noqa: BLE001  # a beginning may end in the middle of anything; then nothing is offered
            continue
    return found - set(SIGNS)


def of_file(document: Document, path: tuple[str, ...], beginning: str) -> Iterator[Completion]:
    """Keys that a map can have, or values that a key can have, as the schema says."""
    schema: Any = validator(document.kind).schema
    for word in path:
        schema = inside(schema, word)
        if schema is None:
            return
    if ":" in beginning:
        key = beginning.partition(":")[0].strip().lstrip("- ")
        value: Any = inside(schema, key) or {}
        for word in value.get("enum", ()):
            yield Completion(str(word), "value")
        return
    present = {key for found in document.trees for key in keys_at(found, path)}
    for name, row in schema.get("properties", {}).items():
        if name not in present:
            ends = "\n  " if row.get("type") == "object" else " "
            yield Completion(name, "key", description(document, (*path, name)) or "", f"{name}:{ends}")


def keys_at(tree: Any, path: tuple[str, ...]) -> Iterable[str]:
    """The keys that a map has already."""
    for word in path:
        entry = getattr(tree, "entries", {}).get(word)
        if entry is None:
            return ()
        tree = entry.value
    return tuple(getattr(tree, "entries", {}))


def inside(schema: Any, word: str) -> Any:
    """What a schema says of what stands under a key."""
    properties = schema.get("properties", {})
    if word in properties:
        return properties[word]
    for pattern, inner in schema.get("patternProperties", {}).items():
        if re.search(pattern, word):
            return inner
    return schema.get("additionalProperties") or schema.get("items") or None
