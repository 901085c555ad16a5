"""Reads the JSON of a record from anybody, and checks it against `schema/record.schema.json`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any, NoReturn

from houserule.bundled import bundled
from houserule.reading import own

MOST_SHOWN = 60
TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "null": type(None),
}


@cache
def schema() -> dict[str, Any]:
    """The schema of records."""
    found: dict[str, Any] = json.loads(own(bundled("schema") / "record.schema.json"))
    return found


def as_json(text: str) -> Any:
    """The value of a JSON text. Raises ValueError also for duplicate keys, and for extensions that Python accepts."""
    try:
        return json.loads(text, parse_constant=_refused, object_pairs_hook=_once)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _refused(word: str) -> NoReturn:
    raise ValueError(f"'{word}' is not a number in JSON")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A map, if its keys are unique."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is given twice")
    return found


def mistakes(value: Any, described: dict[str, Any], path: str = "") -> Iterator[str]:
    """What is wrong with a value, a sentence for each place: what is wanted there, and what was found."""
    types = described["type"] if isinstance(described["type"], list) else [described["type"]]
    place = f"'{path}'" if path else "the record"
    if (
        isinstance(value, bool)
        or not isinstance(value, tuple(TYPES[name] for name in types))
        or ("enum" in described and value not in described["enum"])
    ) or (isinstance(value, int) and not described.get("minimum", value) <= value <= described.get("maximum", value)):
        yield f"{place} wants {described['title']}, and got {shown(value)}"
    elif isinstance(value, str):
        if any("\ud800" <= sign <= "\udfff" for sign in value):
            yield f"{place} holds half a character"
    elif isinstance(value, list):
        if not described.get("minItems", 0) <= len(value) <= described["maxItems"]:
            yield f"{place} wants {described['title']}, and got {len(value)}"
        else:
            for position, item in enumerate(value, 1):
                yield from mistakes(item, described["items"], f"{path} {position}".strip())
    elif isinstance(value, dict):
        yield from mistakes_of_map(value, described, path)


def mistakes_of_map(value: dict[str, Any], described: dict[str, Any], path: str) -> Iterator[str]:
    """Wrong values and keys of a map, and missing keys."""
    for key in described.get("required", ()):
        if key not in value:
            yield f"'{key}' is missing"
    properties, others = described.get("properties", {}), described.get("additionalProperties")
    for key, inner in value.items():
        wanted = properties.get(key, others)
        if wanted is not None:
            yield from mistakes(inner, wanted, f"{path} {key}".strip())


def shown(value: Any) -> str:
    """A value as a sentence shows it."""
    if isinstance(value, dict | list):
        return "a map" if isinstance(value, dict) else "a list"
    text = (
        json.dumps(value, ensure_ascii=False) if not isinstance(value, int) or abs(value) < 10**18 else "a huge number"
    )
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
