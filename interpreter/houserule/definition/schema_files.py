"""The schemas in schema/: the validator of each kind of document, its keys and their descriptions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from houserule.bundled import bundled
from houserule.reading import own

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

Document = Literal["game", "part", "variant", "scenario"]

# Keys that position an entry or expect a former value: they mean something in variants only.
ONLY_IN_VARIANTS = frozenset({"after", "before", "was"})


@cache
def _read(name: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(own(bundled("schema") / name))
    return schema


@cache
def schema_of(document: Document | Literal["complete"]) -> dict[str, Any]:
    """The schema of a kind of document, with all references resolved."""
    root, file = _root(document)
    hidden = frozenset[str]() if document == "variant" else ONLY_IN_VARIANTS
    followed: dict[str, Any] = _followed(root, file, hidden, {})
    return followed


@cache
def validator(document: Document | Literal["complete"]) -> Draft202012Validator:
    """The validator of a kind of document. Its library is not imported for valid files."""
    from jsonschema import Draft202012Validator

    return Draft202012Validator(schema_of(document))


def _root(document: Document | Literal["complete"]) -> tuple[dict[str, Any], str]:
    """The root of the description of a kind of document, and its file."""
    if document in ("game", "part", "complete"):
        return {"$ref": f"#/$defs/{'complete' if document == 'complete' else 'game'}"}, "game.schema.json"
    file = f"{document}.schema.json"
    return {key: value for key, value in _read(file).items() if not key.startswith("$")}, file


def _followed(schema: Any, file: str, hidden: frozenset[str], made: dict[str, dict[str, Any]]) -> Any:
    """A schema with references resolved; a recursive reference becomes the same object."""
    if isinstance(schema, list):
        return [_followed(item, file, hidden, made) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        other, _, pointer = schema["$ref"].partition("#/$defs/")
        other = other or file
        key = f"{other} {pointer}"
        if key not in made:
            made[key] = {}
            made[key].update(_followed(_read(other)["$defs"][pointer], other, hidden, made))
        return made[key]
    if "x-type" in schema:  # `anyOf` lists what editors offer; messages use this
        words = [word for one in schema["anyOf"] for word in one.get("enum", ())]
        kept = {key: value for key, value in schema.items() if key not in ("x-type", "anyOf")}
        schema = {**kept, "type": schema["x-type"], "x-words": words}
    followed = {}
    for key, value in schema.items():
        if key == "properties":
            followed[key] = {
                name: _followed(inner, file, hidden, made) for name, inner in value.items() if name not in hidden
            }
        elif key not in ("description", "examples"):
            followed[key] = _followed(value, file, hidden, made)
    return followed


def schema_keys(document: Document, *path: str) -> frozenset[str]:
    """The fixed keys at a place of a document; `*` in the path is a name that the author gives, or an entry.

    `schema_keys("game", "zones", "*")` are the keys of a zone.
    """
    schema: Any = schema_of(document)
    for key in path:
        properties = schema.get("properties", {})
        patterns = schema.get("patternProperties", {})
        schema = (
            properties[key]
            if key in properties
            else next(iter(patterns.values()), schema.get("additionalProperties") or schema.get("items"))
        )
    return frozenset(schema.get("properties", {}))


def walk(document: Document) -> Iterator[tuple[str, str]]:
    """Every fixed key of a document with its description, as `zones.*.holds`, for the reference."""
    for place, told in _walked(*_root(document), "", frozenset()):
        yield place, told.get("description", "")


def examples(document: Document) -> Iterator[tuple[str, list[Any]]]:
    """Every fixed key of a document with example values."""
    for place, told in _walked(*_root(document), "", frozenset()):
        yield place, told.get("examples", [])


def _walked(
    schema: dict[str, Any], file: str, path: str, inside: frozenset[str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    if "$ref" in schema:
        other, _, pointer = schema["$ref"].partition("#/$defs/")
        if pointer in inside:
            return
        schema, file, inside = _read(other or file)["$defs"][pointer], other or file, inside | {pointer}
    for key, inner in schema.get("properties", {}).items():
        place = f"{path}.{key}" if path else key
        target = inner
        while "description" not in target and "$ref" in target:
            other, _, pointer = target["$ref"].partition("#/$defs/")
            target = _read(other or file)["$defs"][pointer]
        yield place, target
        yield from _walked(inner, file, place, inside)
    for inner in (
        *schema.get("patternProperties", {}).values(),
        schema.get("additionalProperties"),
        schema.get("items"),
    ):
        if isinstance(inner, dict):
            yield from _walked(inner, file, f"{path}.*" if path else "*", inside)
