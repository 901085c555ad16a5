"""Compares a document with its schema: the part of JSON Schema that ours use, over nodes that know their place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from houserule.frozen import by_value
from houserule.source import Mapping, Scalar, Sequence, Yaml

Schema = dict[str, Any]
Path = tuple[str | int, ...]


@by_value
class Fault:
    """One thing that a schema does not allow: the rule that is broken, what it asks for, and the schema around it."""

    path: Path
    place: Yaml
    rule: str
    asked: Any
    schema: Schema


def faults(node: Yaml, schema: Schema, path: Path = ()) -> Iterator[Fault]:
    """Everything in a node that its schema does not allow."""
    for rule, asked in schema.items():
        if rule in ("type", "enum") and not RULES[rule](node, asked):
            yield Fault(path, node, rule, asked, schema)
    if isinstance(node, Mapping):
        yield from faults_of_map(node, schema, path)
    elif isinstance(node, Sequence) and "items" in schema:
        for number, item in enumerate(node.items):
            yield from faults(item, schema["items"], (*path, number))


def faults_of_map(node: Mapping, schema: Schema, path: Path) -> Iterator[Fault]:
    """The same for a map: which keys are missing or not known, and what stands under the others."""
    for rule, asked in schema.items():
        if rule in ("required", "anyOf", "minProperties") and not RULES[rule](node, asked):
            yield Fault(path, node, rule, asked, schema)
    properties = schema.get("properties", {})
    patterns = schema.get("patternProperties", {})
    others = schema.get("additionalProperties", True)
    is_unknown = False
    for name, entry in node.entries.items():
        inner = [properties[name]] if name in properties else []
        inner += [described for pattern, described in patterns.items() if matching(pattern, name)]
        if not inner and isinstance(others, dict):
            inner = [others]
        is_unknown = is_unknown or (not inner and others is False)
        for described in inner:
            yield from faults(entry.value, described, (*path, name))
    if is_unknown:
        yield Fault(path, node, "additionalProperties", others, schema)


@lru_cache(10_000)
def matching(pattern: str, name: str) -> bool:
    """Whether a key has the form that a schema describes."""
    return re.search(pattern, name) is not None


def type_of(node: Yaml) -> str:
    """What JSON Schema calls the type of a node."""
    match node:
        case Mapping():
            return "object"
        case Sequence():
            return "array"
        case Scalar(value=None):
            return "null"
        case Scalar(value=bool()):
            return "boolean"
        case Scalar(value=int()):
            return "integer"
        case _:
            return "string"


def is_of_type(node: Yaml, asked: str | list[str]) -> bool:
    """Whether a node has one of the types; a whole number is a number."""
    allowed = (asked,) if isinstance(asked, str) else asked
    type = type_of(node)
    return type in allowed or (type == "integer" and "number" in allowed)


def is_one_of(node: Yaml, asked: list[str | int]) -> bool:
    """Whether a node is one of the values, which are words and numbers."""
    return isinstance(node, Scalar) and not isinstance(node.value, bool) and node.value in asked


def has_keys(node: Mapping, asked: list[str]) -> bool:
    """Whether a map has all keys."""
    return all(key in node.entries for key in asked)


RULES: dict[str, Any] = {
    "type": is_of_type,
    "enum": is_one_of,
    "required": has_keys,
    "anyOf": lambda node, asked: any(has_keys(node, one["required"]) for one in asked),
    "minProperties": lambda node, asked: len(node.entries) >= asked,
}
