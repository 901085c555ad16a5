"""Checks the shape of a file by its schema: reports every key and value that is not allowed."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from houserule.bundled import bundled
from houserule.diagnostics import Fix, Meant, Related, Report, Span, certain, is_of
from houserule.frozen import by_value
from houserule.reading import own
from houserule.source import Mapping, Scalar, Sequence, Yaml, plain, source_of

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


OPENING = ("edition", "game", "players")
MOST_KEYS_NAMED = 14
NOTES = (*OPENING, "title", "text", "source", "assumed", "reveals", "sources", "include", "translations")
"""Keys that are not listed if there are many: the others matter more to the rules."""
EXAMPLES = {"edition": "2026", "visible": "all, none or owner"}
EFFECTS_STAND = "put effects into a step of the flow, an action or a trigger"
LOST_COLON = re.compile(r"(?P<key>[a-z]\w*) +(?P<sign>[|>][-+0-9]*(?= ))? *(?P<rest>[^\n]+)")
"""A text that YAML makes of a key and a value without a colon between them."""


def check_shape(node: Mapping, schema: Document, report: Report) -> bool:
    """Whether a document has the shape of its schema; every mistake goes into the report.

    A game that includes files is complete only with them: `check_complete` checks the whole.
    """
    errors = _faults(schema, node)
    found = _said(errors, node, report)
    if schema == "game" and "include" not in node.entries:
        return check_complete(node, report) and not found
    if schema == "game":
        for key in OPENING:
            if key not in node.entries:
                found = True
                _say_missing([key], node, (), report)
    return not found


def check_complete(node: Mapping, report: Report) -> bool:
    return not _said(_faults("complete", node), node, report)


# --- valid documents --------------------------------------------------------------------------------------------------

KNOWN = frozenset(
    "title type enum minimum maximum required anyOf minProperties properties patternProperties additionalProperties"
    " minItems items".split()
)
"""The keywords that `fits` understands, beside our own, which begin with `x-`; the validator knows all."""
KINDS = {Mapping: "object", Sequence: "array", str: "string", int: "integer", bool: "boolean", type(None): "null"}


def fits(node: Yaml, schema: Any) -> bool:
    """Whether a node certainly matches a schema, several times as fast as the validator, which explains why not."""
    value = node.value if isinstance(node, Scalar) else node
    kind, types = KINDS[type(value)], schema.get("type")
    return (
        all(keyword.startswith("x-") for keyword in schema.keys() - KNOWN)
        and (types is None or kind in types or (kind == "integer" and "number" in types))
        and ("enum" not in schema or any(type(value) is type(one) and value == one for one in schema["enum"]))
        and (not isinstance(value, int) or schema.get("minimum", value) <= value <= schema.get("maximum", value))
        and (not isinstance(node, Mapping) or _entries_fit(node, schema))
        and (not isinstance(node, Sequence) or _items_fit(node, schema))
    )


def _items_fit(node: Sequence, schema: Any) -> bool:
    items = schema.get("items", {})
    return len(node.items) >= schema.get("minItems", 0) and all(fits(item, items) for item in node.items)


def _entries_fit(node: Mapping, schema: Any) -> bool:
    entries = node.entries
    if len(entries) < schema.get("minProperties", 0) or not all(key in entries for key in schema.get("required", ())):
        return False
    if "anyOf" in schema and not any(fits(node, option) for option in schema["anyOf"]):
        return False
    properties, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    rest = schema.get("additionalProperties", {})
    for key, entry in entries.items():
        meant = [properties[key]] if key in properties else []
        meant += [inner for pattern, inner in patterns.items() if re.search(pattern, key)]
        if rest is False and not meant:
            return False
        if not all(fits(entry.value, inner) for inner in meant or [rest]):
            return False
    return True


# --- from errors to diagnostics ---------------------------------------------------------------------------------------


@by_value
class _Fault:
    """One error of the validator: the path, the keyword, its value, and the schema around it."""

    path: tuple[str | int, ...]
    rule: str
    asked: Any
    schema: dict[str, Any]


def _faults(document: Document | Literal["complete"], node: Mapping) -> list[_Fault]:
    if fits(node, schema_of(document)):
        return []
    errors = validator(document).iter_errors(plain(node))
    # The library types these as optional, but they are unset only while it builds an error.
    read: Any = list(errors)
    return [_Fault(tuple(e.absolute_path), e.validator, e.validator_value, e.schema) for e in read]


def _said(faults: list[_Fault], node: Mapping, report: Report) -> bool:
    """Report an error, and return whether it is one. What the reader has reported is not reported again."""
    misread = {_start(d.span) for d in report.found if d.code.startswith("HR1")}
    for fault in faults:
        path, place = fault.path, _at(node, fault.path)
        keys = place.entries.values() if isinstance(place, Mapping) else ()
        is_misread = any(_start(entry.key.span) in misread for entry in keys)
        if _start(place.span) in misread or (is_misread and fault.rule in ("required", "anyOf")):
            continue
        match fault.rule:
            case "additionalProperties":
                _say_unknown_keys(fault, place, misread, report)
            case "required":
                assert isinstance(place, Mapping)
                for key in fault.asked:
                    if key not in place.entries:
                        _say_missing([key], node, path, report)
            case "anyOf":
                _say_missing([option["required"][0] for option in fault.asked], node, path, report)
            case "minProperties" | "minItems":
                report.error("HR206", f"{_named(path)} is empty; it expects {_wanted(fault)}", place.span)
            case "enum":
                _say_not_allowed(fault, place, report)
            case _:
                _say_wrong_type(fault, place, _key_span(node, path).line == place.span.line, report)
    return bool(faults)


def _start(span: Span) -> tuple[str, int, int]:
    return span.file, span.line, span.column


def _at(node: Yaml, path: tuple[str | int, ...]) -> Yaml:
    """The node at a path."""
    for step in path:
        if isinstance(node, Mapping):
            node = node.entries[str(step)].value
        elif isinstance(node, Sequence):
            node = node.items[int(step)]
    return node


def _key_span(node: Mapping, path: tuple[str | int, ...]) -> Span:
    """The span of the key that something is under, or of the first key of the file."""
    if path and isinstance(path[-1], str):
        above = _at(node, path[:-1])
        if isinstance(above, Mapping):
            return above.entries[path[-1]].key.span
    found = _at(node, path)
    if isinstance(found, Mapping) and found.entries:
        return next(iter(found.entries.values())).key.span
    return found.span


def _named(path: tuple[str | int, ...]) -> str:
    """The name of a place in a sentence."""
    words = [str(step) for step in path if isinstance(step, str)]
    if not words:
        return "the file"
    return f"'{words[-1]}'" if isinstance(path[-1], str) else f"an entry of '{words[-1]}'"


def _wanted(fault: _Fault) -> str:
    return str(fault.schema.get("title", "something else"))


def _say_missing(keys: list[str], node: Mapping, path: tuple[str | int, ...], report: Report) -> None:
    """Report missing keys, unless one of them is present with a reported misspelling."""
    place = _at(node, path)
    present = list(place.entries) if isinstance(place, Mapping) else []
    if any(report.near(key, present) for key in keys):
        return
    if len(keys) == 1 and (stray := _strayed(keys[0], node, path)) is not None:
        around, key = stray
        message = f"{_named(path)} has no '{keys[0]}': this one stands {around}"
        advice = f"begin it at the column of the keys of {_named(path)}"
        report.error("HR203", message, key.span, advice, [Related("it is missing here", _key_span(node, path))])
    elif len(keys) == 1:
        advice = f"{keys[0]}: {EXAMPLES.get(keys[0], '…')}"
        message = f"{_named(path)} has no '{keys[0]}'"
        report.error("HR203", message, _key_span(node, path), advice, _end_of_file(place))
    else:
        listed = ", ".join(f"'{key}'" for key in keys[:-1]) + f" or '{keys[-1]}'"
        report.error("HR203", f"{_named(path)} expects {listed}", _key_span(node, path), None, _end_of_file(place))


def _end_of_file(place: Yaml) -> list[Related]:
    """The end of a file that ends in the middle of an incomplete map."""
    source = source_of(place) if isinstance(place, Mapping) else None
    if source is None or source.index(place.span.end_line, place.span.end_column) < len(source.text.rstrip()):
        return []
    end = len(source.text.rstrip())
    return [Related("the file ends here", source.span(end, end))] if place.span.column > 1 else []


def _strayed(key: str, node: Mapping, path: tuple[str | int, ...]) -> tuple[str, Scalar] | None:
    """A key that a map lacks but that is in the map below one of its keys or in the map around it; and where, in words."""
    place, above = _at(node, path), _at(node, path[:-1])
    for name, entry in place.entries.items() if isinstance(place, Mapping) else ():
        if isinstance(entry.value, Mapping) and key in entry.value.entries:
            return f"in '{name}'", entry.value.entries[key].key
    if path and isinstance(above, Mapping) and key in above.entries:
        return f"beside {_named(path)}", above.entries[key].key
    return None


def _say_unknown_keys(fault: _Fault, node: Yaml, misread: set[tuple[str, int, int]], report: Report) -> None:
    assert isinstance(node, Mapping)
    allowed = list(fault.schema.get("properties", {}))
    patterns = list(fault.schema.get("patternProperties", {}))
    missing = [key for key in allowed if key not in node.entries]
    for name, entry in node.entries.items():
        is_known = name in allowed or any(re.search(pattern, name) for pattern in patterns)
        if is_known or _start(entry.key.span) in misread:
            continue
        likely = next(iter(report.near(name, missing)), None)
        advice: str | None = Meant(likely) if likely else None
        if name in ONLY_IN_VARIANTS:
            code, message = "HR208", f"'{name}' belongs in the 'add' or 'change' of a variant"
            advice = "it places or compares an entry where a variant adds or changes one"
        elif "x-names" in fault.schema:
            code, message = "HR204", f"'{name}' is not {fault.schema['x-names']}"
            advice = advice or _as_name(name)
            if bare := re.match(r"([\w-]+)\s+[{\[]", name):
                message, advice = f"a ':' is missing after '{bare[1]}'", f"{bare[1]}: {name[bare.end() - 1 :]}: …"
        else:
            code, message = "HR201", f"{_named(fault.path)} has no key '{name}'"
            known = [key for key in allowed if key not in ONLY_IN_VARIANTS]
            if len(known) > MOST_KEYS_NAMED:
                known = [key for key in known if key not in NOTES]
            if not likely and known:
                advice = EFFECTS_STAND if name == "do" else f"keys here: {', '.join(known)}"
        slip = certain(name, missing) if likely and is_of(entry.key.span, name) else None
        report.error(code, message, entry.key.span, advice, fix=Fix(entry.key.span, slip) if slip else None)


def _as_name(written: str) -> str | None:
    """A key with the characters that names cannot have replaced."""
    key = f"{written})" if "(" in written and ")" not in written else written
    head, bracket, rest = key.partition("(")
    joined = re.sub(r"(?<=\w)['\"`.,;!?*]+(?=\w)", "", head.strip())
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", joined.casefold()) if not unicodedata.combining(sign))
    name = re.sub(r"\W+", "_", bare, flags=re.ASCII).strip("_")
    if name and not name[0].isdigit() and name + bracket + rest != written:
        return f"write: {name}{bracket}{rest}"
    return None if written.isascii() else "names use the letters a to z; people read the title"


def _say_empty(fault: _Fault, node: Yaml, report: Report) -> bool:
    """Report a missing value, if that is the mistake."""
    if isinstance(node, Scalar) and node.value is None:
        report.error("HR206", f"{_named(fault.path)} is empty; it expects {_wanted(fault)}", _place_of_nothing(node))
        return True
    return False


def _say_not_allowed(fault: _Fault, node: Yaml, report: Report) -> None:
    if _say_empty(fault, node, report):
        return
    values = [str(value) for value in fault.asked]
    allowed = ", ".join(f"'{value}'" for value in values)
    if fault.path[-1] not in OPENING:
        allowed += " or left out"
    message = f"{_named(fault.path)} is {allowed}, got {_got(node)}"
    if isinstance(node, Scalar) and node.text in values:
        key = fault.path[-1]
        report.error("HR205", f"{_named(fault.path)} is {node.text} without quotes", node.span, f"{key}: {node.text}")
    elif isinstance(node, Scalar):
        report.misnamed("HR205", message, node.span, node.text, values)
    else:
        report.error("HR205", message, node.span)


def _say_wrong_type(fault: _Fault, node: Yaml, is_on_its_line: bool, report: Report) -> None:
    """Report what is wanted; the form of the advice depends on whether the value is on the line of its key."""
    if not _say_empty(fault, node, report):
        message = f"{_named(fault.path)} expects {_wanted(fault)}, got {_got(node)}"
        report.error("HR202", message, node.span, _mended(fault, node, is_on_its_line))


def _place_of_nothing(node: Scalar) -> Span:
    span = node.span
    return (
        span
        if span.end_column > span.column
        else Span(span.file, span.line, max(1, span.column - 1), span.line, span.column)
    )


def _got(node: Yaml) -> str:
    """What was found, in an author's words."""
    if isinstance(node, Mapping):
        return "a map"
    if isinstance(node, Sequence):
        return "a list"
    value = node.value
    if isinstance(value, bool):
        return f"'{node.text}'"
    if isinstance(value, int):
        return f"the number {node.text}"
    first = node.text.strip().split("\n")[0]
    return f"the text '{first if len(first) <= 40 else first[:39] + '…'}'"


def _is_dashed(node: Sequence) -> bool:
    """Whether a list is written with a `-` before each entry."""
    first = node.items[0] if node.items else None
    if isinstance(first, Mapping) and first.entries:
        first = next(iter(first.entries.values())).key
    if not isinstance(first, Scalar):
        return False
    source = first.fragment.source
    return source.text[source.index(node.span.line, node.span.column)] == "-"


def _as_map(key: str, node: Scalar, fault: _Fault, is_on_its_line: bool) -> str | None:
    """What to type if there is a text or a number instead of a map."""
    keys = fault.schema.get("properties", {})
    if key == "do":
        return (
            f"put it into a step: setup: {{do: {node.text}}}"
            if "do" in keys and "\n" not in node.text
            else EFFECTS_STAND
        )
    if node.style in ("literal", "folded") and ":" in node.text:
        sign = "|" if node.style == "literal" else ">"
        return f"leave out the '{sign}', which turns the lines below into a text: {key}:"
    if key in keys and "null" in fault.schema["type"]:
        owner = "piece" if "pieces" in fault.path else "member"
        return f"it belongs in the braces of a {owner}: {{{key}: {node.text}}}"
    lost = LOST_COLON.fullmatch(node.text)
    if lost and lost["key"] in keys:
        mended = f"{lost['key']}: {lost['sign'] or lost['rest']}"
    elif {"do", "steps"} <= set(keys) and re.fullmatch(r"[a-z][^{}\[\],:#\n]*", node.text):
        mended = f"do: {node.text}"
    else:
        return None
    return f"{key}: {{{mended}}}" if is_on_its_line else mended


def _mended(fault: _Fault, node: Yaml, is_on_its_line: bool) -> str | None:
    """What to type, where that is clear."""
    asked = fault.schema.get("type", ())
    types = [asked] if isinstance(asked, str) else list(asked)
    key = next((step for step in reversed(fault.path) if isinstance(step, str)), "")
    is_effect = _wanted(fault).startswith("an effect")
    if isinstance(node, Sequence):
        return _instead_of_list(key, node, types, is_effect)
    if isinstance(node, Scalar):
        if "object" in types:
            return _as_map(key, node, fault, is_on_its_line)
        return _instead_of_scalar(key, node, types, is_effect)
    if "object" in types or "string" not in types:
        return None
    if is_effect:
        return f"write '{key}: |' and the effect on the lines below it"
    return "a text with braces or ': ' in it goes in quotes"


def _instead_of_list(key: str, node: Sequence, types: list[str], is_effect: bool) -> str | None:
    """What to type instead of a list."""
    if is_effect and _is_dashed(node):
        return f"lines of an effect do not begin with '- ': write '{key}: |' and put them below it"
    if "array" in types:
        return None
    first = node.items[0] if node.items else None
    if "object" in types and _is_dashed(node) and isinstance(first, Mapping):
        return f"its entries are keys, without '- ' before them: {next(iter(first.entries))}: …"
    return "a text that begins with a bracket goes in quotes" if "string" in types else None


def _instead_of_scalar(key: str, node: Scalar, types: list[str], is_effect: bool) -> str | None:
    """What to type instead of a word, a text or a number."""
    if types == ["array"] and key == "players" and isinstance(node.value, int):
        return f"{key}: [anna, ben]"
    if types == ["array"]:
        return f"{key}: [{node.text.strip()}]" if "\n" not in node.text.strip() else None
    return f'{key}: "{node.text}"' if types == ["string"] and not is_effect else None
