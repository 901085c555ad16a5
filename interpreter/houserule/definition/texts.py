"""Finds every text of the effect language in a file, by the schemas, with its kind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from houserule.definition.schema import Document, schema_of
from houserule.frozen import frozen
from houserule.source import Mapping, Scalar, Sequence, Yaml

# What a schema says of a text under `x-text` and `x-keys`, and the start symbols to parse it with, in order.
STARTS: dict[str, tuple[str, ...]] = {
    "effect": ("block",),
    "expression": ("expression",),
    "value": ("expression", "block"),
    "declaration": ("declaration",),
    "signature": ("signature",),
    "binding": ("binding",),
    "event": ("event",),
}


@frozen
class RuleText:
    """A text of the effect language: a value, or a key that declares. `key` is the key whose value it is."""

    scalar: Scalar
    starts: tuple[str, ...]
    key: Scalar | None


def kind_of(document: Mapping, is_below_scenarios: bool = False) -> Document:
    """The kind of document, from its keys, and for the defaults of scenarios from the folder."""
    if "variant" in document.entries:
        return "variant"
    if "scenario" in document.entries or (is_below_scenarios and "game" not in document.entries):
        return "scenario"
    return "game"


def texts(document: Mapping, kind: Document) -> Iterator[RuleText]:
    """Every text of the effect language in a document, in order; the schema says where they are."""
    yield from _texts(document, schema_of(kind), None)


def _texts(node: Yaml, schema: Any, key: Scalar | None) -> Iterator[RuleText]:
    """Those at a place of a document that this part of the schema describes."""
    if isinstance(node, Scalar):
        if "x-text" in schema and node.text.strip():
            yield RuleText(node, STARTS[schema["x-text"]], key)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _texts(item, schema.get("items", {}), None)
    else:
        for name, entry in node.entries.items():
            known = schema.get("properties", {}).get(name)
            inner = known if known is not None else _described(name, schema)
            if inner is None:
                continue
            if known is None and "x-keys" in schema:
                yield RuleText(entry.key, STARTS[schema["x-keys"]], None)
            yield from _texts(entry.value, inner, entry.key)


def _described(name: str, schema: Any) -> Any:
    """What a schema says of a key that it does not name, or None."""
    for pattern, inner in schema.get("patternProperties", {}).items():
        if re.search(pattern, name):
            return inner
    return schema.get("additionalProperties") or None
