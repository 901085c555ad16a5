"""Checks the shape of a file by the declared keys and by its JSON Schema, which is made of them: reports what is not allowed."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Literal

from houserule.bundled import bundled
from houserule.definition.files import ROOTS, sort_at
from houserule.definition.reader import instead_of_numbers
from houserule.definition.sorts import ENTRY, LANGUAGE, Document, Sort
from houserule.diagnostics import Fix, Meant, Related, Report, Span, certain, is_of, nearest
from houserule.frozen import frozen
from houserule.reading import own
from houserule.source import Mapping, Scalar, Sequence, Yaml, listed, plain, source_of
from houserule.source.lines import quoted, shortened

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

ONLY_IN_VARIANTS = frozenset(one.name for one in ENTRY if one.is_of_variants)
OPENING = ("edition", "game", "players")
MOST_KEYS_NAMED = 14
NOTES = (*OPENING, "title", "text", "source", "assumed", "reveals", "sources", "include", "translations")
"""Keys that are not listed if there are many: the others matter more to the rules."""
EXAMPLES = {
    "edition": "2026",
    "visible": "all, none or owner",
    "whenever": "the event, such as `card enters hand of p`; `when` is a condition beside it",
}
ITS_GAMES = "leave it out: it is that of the game, which 'of' names"
EFFECTS_STAND = "put effects into a step of the flow, an action or a trigger"
LOST_COLON = re.compile(r"(?P<key>[a-z]\w*) +(?P<sign>[|>][-+0-9]*(?= ))? *(?P<rest>[^\n]+)")
"""A text that YAML makes of a key and a value without a colon between them."""


FOUND = {
    "game": ("a game", "it is named by itself, and house rules by --with"),
    "variant": ("a house rule", "house rules are in the folder 'variants', or are named by --with"),
    "scenario": ("a scenario", "scenarios are in the folder 'scenarios'"),
}
"""What the key that a document begins with says that it is, and where such documents belong."""


def check_shape(node: Mapping, document: Document, report: Report) -> bool:
    """Whether a document has the shape of its kind; every mistake goes into the report.

    A game that includes files is complete only with them: `check_complete` checks the whole.
    """
    other = next((kind for kind in FOUND if kind in node.entries), document)
    if document in ("variant", "scenario") and document not in node.entries and other not in ROOTS[document].keys:
        (what, advice), (wanted, _) = FOUND[other], FOUND[document]
        report.error("HR203", f"this is {what}, not {wanted}", node.entries[other].key.span, advice)
        return False
    found = _Shape(document == "variant")
    found.check(node, ROOTS[document], ())
    _say(found.faults, node, report)
    if found.faults:
        _say_what_else(found.faults, node, document, report)
    is_good = not found.faults
    if document == "game" and "include" not in node.entries:
        return check_complete(node, report) and is_good
    if document == "game":
        for key in OPENING:
            if key not in node.entries:
                is_good = False
                _say_missing([key], node, (), report)
    return is_good


def check_complete(node: Mapping, report: Report) -> bool:
    """Whether a game has all the keys that it needs, once its files are merged."""
    found = _Shape(is_variant=False)
    found.complete(node, ROOTS["game"], ())
    _say(found.faults, node, report)
    return not found.faults


MOST_ERRORS = 100
"""Of the validator, which writes whatever it refuses into its sentence."""


@cache
def validator(document: Document) -> Draft202012Validator:
    """The validator of the published schema of a kind of document.

    Only a document with a fault meets it: its library takes a third of the time of loading a game. Tests hold
    both to the same verdict on every document.
    """
    from jsonschema import Draft202012Validator
    from referencing import Registry, Resource

    files = ("game.schema.json", "layout.schema.json", "variant.schema.json", "scenario.schema.json")
    read = [(name, Resource.from_contents(json.loads(own(bundled("schema") / name)))) for name in files]
    root = "game.schema.json#/$defs/game" if document in ("game", "part") else f"{document}.schema.json"
    return Draft202012Validator({"$ref": root}, registry=Registry().with_resources(read))


def _say_what_else(faults: list[_Fault], node: Mapping, document: Document, report: Report) -> None:
    """Report what the schema refuses where no fault has been found; nothing without its library, which browsers do not load."""
    if find_spec("jsonschema") is None:
        return
    for error in islice(validator(document).iter_errors(plain(node)), MOST_ERRORS):
        path = tuple(error.absolute_path)
        if not any(one.path[: len(path)] == path for one in faults):
            message = f"{_named(path)} does not fit its schema, which says '{error.validator}': {error.validator_value}"
            report.error("HR202", message, _at(node, path).span)


# --- faults -------------------------------------------------------------------------------------------------------------

Path = tuple[str | int, ...]
KINDS = {Mapping: "object", Sequence: "array", str: "string", int: "integer", bool: "boolean", type(None): "null"}


@frozen
class _Fault:
    """What is wrong at a path; `keys` are those of which one is missing, or all that are allowed."""

    rule: Literal["words", "type", "unknown", "missing", "empty"]
    path: Path
    node: Yaml
    sort: Sort
    keys: tuple[str, ...] = ()


class _Shape:
    """Compares a tree with the sorts of its values, and collects faults."""

    def __init__(self, is_variant: bool) -> None:
        self.is_variant = is_variant
        self.faults: list[_Fault] = []

    def check(self, node: Yaml, sort: Sort, path: Path) -> None:
        """Find the values that are not of their sort, and unknown keys."""
        value = node.value if isinstance(node, Scalar) else node
        kind = KINDS[type(value)]
        if sort.words:
            if not any(type(value) is type(one) and value == one for one in sort.words):
                self.faults.append(_Fault("words", path, node, sort))
        elif not sort.types:
            return
        elif kind not in sort.types and not (kind == "integer" and "number" in sort.types):
            self.faults.append(_Fault("type", path, node, sort))
        elif isinstance(node, Mapping):
            self.check_keys(node, sort, path)
        elif isinstance(node, Sequence):
            if len(node.items) < sort.least:
                self.faults.append(_Fault("empty", path, node, sort))
            for number, item in enumerate(node.items if sort.item is not None else ()):
                assert sort.item is not None
                self.check(item, sort.item, (*path, number))
        elif isinstance(value, int) and (
            (sort.low is not None and value < sort.low) or (sort.high is not None and value > sort.high)
        ):
            self.faults.append(_Fault("type", path, node, sort))

    def check_keys(self, node: Mapping, sort: Sort, path: Path) -> None:
        if len(node.entries) < sort.least:
            self.faults.append(_Fault("empty", path, node, sort))
        for one in sort.keys.values():
            if one.is_required and one.name not in node.entries:
                self.faults.append(_Fault("missing", path, node, sort, (one.name,)))
        is_known = True
        for name, entry in node.entries.items():
            inside = sort.inside(name)
            if inside is None or (name in ONLY_IN_VARIANTS and name in sort.keys and not self.is_variant):
                is_known = False
            else:
                self.check(entry.value, inside, (*path, name))
        if not is_known:
            allowed = tuple(key for key in sort.keys if self.is_variant or key not in ONLY_IN_VARIANTS)
            self.faults.append(_Fault("unknown", path, node, sort, allowed))

    def complete(self, node: Yaml, sort: Sort, path: Path) -> None:
        """Find the maps that lack what they need in a whole game."""
        if not isinstance(node, Mapping):
            return
        missing: list[tuple[str, ...]] = [
            (one.name,) for one in sort.keys.values() if one.is_needed and one.name not in node.entries
        ]
        if sort.one_of and not any(key in node.entries for key in sort.one_of):
            missing.append(sort.one_of)
        self.faults += [_Fault("missing", path, node, sort, keys) for keys in missing]
        for name, entry in node.entries.items():
            inside = sort.inside(name)
            if inside is not None:
                self.complete(entry.value, inside, (*path, name))


# --- from faults to diagnostics -----------------------------------------------------------------------------------------


def _say(faults: list[_Fault], node: Mapping, report: Report) -> None:
    """Report faults, except those of what the reader of YAML has reported."""
    misread = {_start(d.span) for d in report.found if d.code.startswith("HR1")}
    for fault in faults:
        path, place = fault.path, fault.node
        is_misread = any(_start(entry.key.span) in misread for entry in place.entries.values())
        # What is missing is among the keys that are listed for those that may not stand here.
        is_listed = bool(path and place.entries) and _has_no_key(fault)
        if _start(place.span) in misread or (fault.rule == "missing" and (is_misread or is_listed)):
            continue
        match fault.rule:
            case "unknown":
                _say_unknown_keys(fault, place, misread, report)
            case "missing":
                _say_missing(list(fault.keys), node, path, report)
            case "empty":
                report.error("HR206", f"{_named(path)} is empty; it expects {fault.sort.title}", place.span)
            case "words":
                _say_not_allowed(fault, place, report)
            case "type":
                _say_wrong_type(fault, place, _key_span(node, path).line == place.span.line, report)


def _start(span: Span) -> tuple[str, int, int]:
    return span.file, span.line, span.column


def _at(node: Yaml, path: tuple[str | int, ...]) -> Yaml:
    for step in path:
        node = node.items[step] if isinstance(step, int) else node.entries[step].value
    return node


def _key_span(node: Mapping, path: tuple[str | int, ...]) -> Span:
    """The span of the key that something is under, or of the first key of the file."""
    if path and isinstance(path[-1], str):
        return _at(node, path[:-1]).entries[path[-1]].key.span
    found = _at(node, path)
    return next((entry.key.span for entry in found.entries.values()), found.span)


def _named(path: tuple[str | int, ...]) -> str:
    """The name of a place in a sentence."""
    words = [str(step) for step in path if isinstance(step, str)]
    if not words:
        return "the file"
    return f"'{words[-1]}'" if isinstance(path[-1], str) else f"an entry of '{words[-1]}'"


def _say_missing(keys: list[str], node: Mapping, path: tuple[str | int, ...], report: Report) -> None:
    """Report missing keys, unless one of them is present with a reported misspelling."""
    place = _at(node, path)
    if any(report.near(key, place.entries) for key in keys) or any(report.near(key, keys) for key in place.entries):
        return
    if len(keys) == 1 and (stray := _strayed(keys[0], node, path)) is not None:
        around, key = stray
        message = f"{_named(path)} has no '{keys[0]}': this one stands {around}"
        advice = f"begin it at the column of the keys of {_named(path)}"
        report.error("HR203", message, key.span, advice, [Related("it is missing here", _key_span(node, path))])
    elif len(keys) == 1:
        advice = f"{keys[0]}: {EXAMPLES.get(keys[0], '…')}"
        message = f"{_named(path)} has no '{keys[0]}'"
        report.error("HR203", message, _key_span(node, path), advice, _end_of_file(place), follows_from=(keys[0],))
    else:
        listed = ", ".join(f"'{key}'" for key in keys[:-1]) + f" or '{keys[-1]}'"
        report.error("HR203", f"{_named(path)} expects {listed}", _key_span(node, path), None, _end_of_file(place))


def _end_of_file(place: Yaml) -> list[Related]:
    """The end of a file that ends in the middle of an incomplete map."""
    source = source_of(place) if isinstance(place, Mapping) else None
    if source is None or source.path != place.span.file:  # parts of it stand in other files
        return []
    if source.index(place.span.end_line, place.span.end_column) < len(source.text.rstrip()):
        return []
    end = len(source.text.rstrip())
    return [Related("the file ends here", source.span(end, end))] if place.span.column > 1 else []


def _strayed(key: str, node: Mapping, path: tuple[str | int, ...]) -> tuple[str, Scalar] | None:
    """A key that a map lacks but that is in the map below one of its keys or in the map around it; and where, in words."""
    place, above = _at(node, path), _at(node, path[:-1])
    for name, entry in place.entries.items():
        if key in entry.value.entries:
            return f"in '{name}'", entry.value.entries[key].key
    if path and path[-1] != key and key in above.entries:
        return f"beside {_named(path)}", above.entries[key].key
    return None


def _say_unknown_keys(fault: _Fault, node: Yaml, misread: set[tuple[str, int, int]], report: Report) -> None:
    missing = [key for key in fault.keys if key not in node.entries]
    are_names = not any(report.near(name, missing) for name in node.entries) and _names_instead(fault) is not None
    for name, entry in islice(node.entries.items(), 1 if are_names else None):
        is_known = name in fault.keys or (name not in fault.sort.keys and fault.sort.inside(name) is not None)
        if is_known or _start(entry.key.span) in misread:
            continue
        likely = next(iter(report.near(name, missing)), None)
        code, message, advice = _what_is_unknown(fault, name, likely)
        slip = certain(name, missing) if likely and is_of(entry.key.span, name) else None
        report.error(
            code, message, entry.key.span, advice, fix=Fix(entry.key.span, slip) if slip else None, subject=name
        )


def _what_is_unknown(fault: _Fault, name: str, likely: str | None) -> tuple[str, str, str | None]:
    """The code, the message and the advice for a key that is not known, and is likely meant to be another."""
    meant = Meant(likely) if likely else None
    if name in ONLY_IN_VARIANTS and (place := _around_which(fault.path)) is not None:
        depth, above = place
        inside = str(fault.path[-1])
        for word in reversed(fault.path[depth : len(fault.path) - 1]):
            inside = f"{word}: {{{inside}}}" if inside.endswith("}") else f"{word}: {{{inside}: …}}"
        stands = f"'{name}' stands beside the keys of '{above}', and not as deep as here"
        return "HR208", stands, f"beside '{fault.path[depth]}': {name}: {{{inside}}}" if name == "was" else None
    if name in ONLY_IN_VARIANTS:
        advice = "it places or compares an entry where a variant adds or changes one"
        return "HR208", f"'{name}' belongs in the 'add' or 'change' of a variant", advice
    if fault.sort.called:
        if bare := re.match(r"([\w-]+)\s+[{\[]", name):
            return "HR204", f"a ':' is missing after '{bare[1]}'", f"{bare[1]}: {name[bare.end() - 1 :]}: …"
        if fault.path[-1:] == ("functions",) and (head := re.match(r"(\w+)\((.+)\)$", name)):
            advice = (
                f"only a function of the game has parameters: functions: {{{head[1]}({fault.path[1]} x, {head[2]}): …}}"
            )
            return "HR204", f"'{name}' is not {fault.sort.called}", advice
        return "HR204", f"'{name}' is not {fault.sort.called}", meant or _as_name(name)
    return (
        "HR201",
        f"{_named(fault.path)} has no key '{name}'",
        meant or _names_instead(fault) or _keys_instead(fault, name),
    )


def _names_instead(fault: _Fault) -> str | None:
    """Where the names of members or pieces stand that are written as the keys of their kind; None if they are not."""
    if not _has_no_key(fault) or "members" not in fault.keys:
        return None
    name, entries = fault.path[-1], fault.node.entries
    names = [one.text for entry in entries.values() for one in entry.value.items if isinstance(one, Scalar)]
    if "enums" not in fault.path:
        return f"{name}: {{pieces: {{{', '.join(f'{one}: …' for one in entries)}}}}}"
    if len(entries) == 1 and names:
        return f"{name}: [{', '.join(names)}]"
    if all(isinstance(entry.value, Scalar) for entry in entries.values()):
        return f"{name}: [{', '.join(entries)}]"
    return f"{name}: {{members: {{{', '.join(f'{one}: …' for one in entries)}}}}}"


def _has_no_key(fault: _Fault) -> bool:
    """Whether none of the keys of a map is one that may stand there."""
    return all(fault.sort.inside(name) is None for name in fault.node.entries)


def _keys_instead(fault: _Fault, name: str) -> str | None:
    """What stands where a key is unknown: the keys there, or a path with dots as maps in one another."""
    known = [key for key in fault.keys if key not in ONLY_IN_VARIANTS]
    first, *rest = name.split(".")
    if "change" in known and name in OPENING:
        return ITS_GAMES
    if "change" in known and name in ROOTS["game"].keys:
        return f"below `change`, or below `add` if it is new: change: {{{name}: …}}"
    if rest and first in known:
        return f"{first}: {nested(rest)}"
    head, _, value = name.strip().partition(" ")
    if value and head in known:
        return f"{head}: {value}"
    if value and "do" in known:
        return "effects stand below: do: |"
    if (declared := _declared_instead(fault, name, known)) is not None:
        return declared
    if len(known) > MOST_KEYS_NAMED:
        known = [key for key in known if key not in NOTES]
    return (EFFECTS_STAND if name == "do" else f"keys here: {', '.join(known)}") if known else None


def _declared_instead(fault: _Fault, name: str, known: list[str]) -> str | None:
    """How parameters, indices and starts are declared, where they are written as keys; None if it is something else."""
    if name in ("params", "parameters", "args", "arguments") and "do" in known:
        return f"parameters stand behind the name, each with its type: {fault.path[-1]}(int n): …"
    if name == "player" and "type" in known and isinstance(of := fault.node.entries[name].value, Scalar):
        return f"one for each player: {fault.path[-1]}(player): {of.text}"
    if name in ("default", "start") and "type" in known:
        return "it stands behind the type, after a '='; for example type: 0..9 = 3"
    return None


def nested(words: Iterable[str]) -> str:
    """A path as maps in one another, which end in something to write."""
    first, *rest = words
    return f"{{{first}: {nested(rest) if rest else '…'}}}"


def _around_which(path: Path) -> tuple[int, str] | None:
    """In the changes of a variant: how many words of a path lead to the innermost entry that keys of variants may stand in, and its name."""
    if not path or path[0] not in ("add", "change"):
        return None
    for depth in range(len(path) - 1, 1, -1):
        sort = sort_at("game", tuple(map(str, path[1:depth])))
        if sort is not None and not ONLY_IN_VARIANTS.isdisjoint(sort.keys):
            return depth, str(path[depth - 1])
    return None


def _as_name(written: str) -> str | None:
    """A key with the characters that names cannot have replaced."""
    key = f"{written})" if "(" in written and ")" not in written else re.sub(r"\) *->.*", ")", written)
    if re.fullmatch(r"\w+\[[\w, ]+\]", key):
        return f"write: {key.replace('[', '(').replace(']', ')')}"
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
        report.error("HR206", f"{_named(fault.path)} is empty; it expects {fault.sort.title}", _place_of_nothing(node))
        return True
    return False


def _say_not_allowed(fault: _Fault, node: Yaml, report: Report) -> None:
    if _say_empty(fault, node, report):
        return
    values = [str(value) for value in fault.sort.words]
    allowed = ", ".join(f"'{value}'" for value in values)
    if fault.path[-1] not in OPENING:
        allowed += " or left out"
    message = f"{_named(fault.path)} is {allowed}, got {_got(node)}"
    if isinstance(node, Scalar) and node.text in values:
        key = fault.path[-1]
        report.error("HR205", f"{_named(fault.path)} is {node.text} without quotes", node.span, f"{key}: {node.text}")
    elif fault.path == ("edition",):
        is_later = isinstance(node, Scalar) and isinstance(node.value, int) and node.value > int(values[-1])
        advice = (
            "a file of a later edition needs a later version of Houserule" if is_later else f"edition: {values[-1]}"
        )
        report.error("HR205", message, node.span, advice, hides_all=is_later)
    elif fault.path[-1] == "tie" and not (isinstance(node, Scalar) and report.near(node.text, values)):
        breakers = ", ".join(one.text for one in listed(node) if isinstance(one, Scalar))
        report.error("HR205", message, node.span, f"what breaks a tie stands beside it: then: [{breakers}]")
    elif fault.path[-1] == "edition":
        report.error("HR205", message, node.span, ITS_GAMES)
    elif isinstance(node, Scalar):
        report.misnamed("HR205", message, node.span, node.text, values)
    else:
        report.error("HR205", message, node.span)


def _say_wrong_type(fault: _Fault, node: Yaml, is_on_its_line: bool, report: Report) -> None:
    """Report what is wanted; the form of the advice depends on whether the value is on the line of its key."""
    if not _say_empty(fault, node, report):
        message = f"{_named(fault.path)} expects {fault.sort.title}, got {_got(node)}"
        is_path = fault.path == ("remove",) and isinstance(node, Mapping)
        advice = f"remove: [{'.'.join(_first_way(node))}]" if is_path else _mended(fault, node, is_on_its_line)
        report.error("HR202", message, node.span, advice)


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
    if first is not None:
        first = next((entry.key for entry in first.entries.values()), first)
    if not isinstance(first, Scalar):
        return False
    source = first.fragment.source
    return source.text[source.index(node.span.line, node.span.column)] == "-"


def _as_map_of_lines(key: str, node: Scalar, keys: set[str]) -> str | None:
    """What to type if the lines of a map, or effects, stand as a text below a `|`."""
    if {"do", "steps"} <= keys and node.text.lstrip().partition(":")[0] not in keys:
        return f"write 'do: |' on a line below '{key}:', and these effects below that, further to the right"
    sign = "|" if node.style == "literal" else ">"
    return f"leave out the '{sign}', which turns the lines below into a text: {key}:" if ":" in node.text else None


def _as_map(key: str, node: Scalar, fault: _Fault, is_on_its_line: bool) -> str | None:
    """What to type if there is a text or a number instead of a map."""
    keys = fault.sort.keys
    if fault.path[:1] in (("add",), ("change",)) and len(fault.path) == 3 and fault.path[1] == "options":
        return f"options: {{{key}: {node.text}}}, not below '{fault.path[0]}', sets the option"
    if key == "do":
        return (
            f"put it into a step: setup: {{do: {node.text}}}"
            if "do" in keys and "\n" not in node.text
            else EFFECTS_STAND
        )
    if node.style in ("literal", "folded") and (advice := _as_map_of_lines(key, node, set(keys))) is not None:
        return advice
    if key in keys and "null" in fault.sort.types:
        owner = "piece" if "pieces" in fault.path else "member"
        return f"it belongs in the braces of a {owner}: {{{key}: {node.text}}}"
    mended = _as_entry(node, fault)
    if mended is None:
        return f"{key}: [{node.text}]" if "array" in fault.sort.types and "," in node.text else None
    return f"{key}: {{{mended}}}" if is_on_its_line else mended


def _as_entry(node: Scalar, fault: _Fault) -> str | None:
    """The key and value that were meant by a text or a number alone."""
    keys = fault.sort.keys
    lost = LOST_COLON.fullmatch(node.text)
    if lost and (meant := lost["key"] if lost["key"] in keys else nearest(lost["key"], keys)):
        return f"{meant}: {lost['sign'] or lost['rest']}"
    if "count" in keys and "pieces" in fault.path and isinstance(node.value, int):
        return f"count: {node.text}"
    if {"do", "steps"} <= set(keys) and re.fullmatch(r"[a-z][^{}\[\],:#\n]*", node.text):
        return f"do: {node.text}"
    return None


def _mended(fault: _Fault, node: Yaml, is_on_its_line: bool) -> str | None:
    types = list(fault.sort.types)
    key = next((step for step in reversed(fault.path) if isinstance(step, str)), "")
    is_effect = fault.sort.title.startswith("an effect")
    if fault.path == ("players",) and "array" not in types and not isinstance(node, Scalar):
        return _numbers_of_players(node)
    if isinstance(node, Sequence):
        return _instead_of_list(key, node, types, is_effect)
    if isinstance(node, Scalar):
        if "object" in types:
            return _as_map(key, node, fault, is_on_its_line)
        if types == ["array"] and fault.path and not isinstance(fault.path[-1], str):
            return f"each is a list of its own: {key}: [[{node.text.strip()}]]"
        return _instead_of_scalar(key, node, types, is_effect)
    if "object" in types or "string" not in types:
        return None
    if is_effect:
        return f"write '{key}: |' and the effect on the lines below it"
    return _in_one_language(key, node) or "a text with braces or ': ' in it goes in quotes"


def _numbers_of_players(node: Yaml) -> str:
    """What to write instead of a list, or of a map with a least and a greatest number."""
    parts = node.items or [entry.value for entry in node.entries.values()]
    numbers = [item.value for item in parts if isinstance(item, Scalar) and type(item.value) is int]
    if not numbers or len(numbers) < len(parts):
        return "players: 2..5"
    return instead_of_numbers(numbers) if node.items else f"players: {min(numbers)}..{max(numbers)}"


def _first_way(node: Yaml) -> Iterator[str]:
    """The keys that lead to the first value in maps in one another, and a word there."""
    for key, entry in islice(node.entries.items(), 1):
        yield key
        yield from _first_way(entry.value)
    yield from (one.text for one in islice(listed(node), 1) if isinstance(one, Scalar) and one.text)


def _in_one_language(key: str, node: Yaml) -> str | None:
    """A sentence in the first language of those that were given, and where the others stand; None for anything else."""
    if not node.entries or not all(re.fullmatch(LANGUAGE, word) for word in node.entries):
        return None
    first, *others = node.entries.values()
    asked = f"{key}: {quoted(shortened(first.value.text))}" if isinstance(first.value, Scalar) else f"{key}: …"
    return f"{asked}; other languages stand under 'translations: {{{others[0].key.text}: …}}'" if others else asked


def _instead_of_list(key: str, node: Sequence, types: list[str], is_effect: bool) -> str | None:
    if is_effect and _is_dashed(node):
        return f"lines of an effect do not begin with '- ': write '{key}: |' and put them below it"
    if "array" in types:
        return None
    first = node.items[0] if node.items else None
    if "object" in types and _is_dashed(node) and isinstance(first, Mapping):
        return f"its entries are keys, without '- ' before them: {next(iter(first.entries))}: …"
    if "string" not in types:
        return None
    if len(node.items) == 1 and isinstance(first, Scalar):
        return f"{key}: {first.text}"
    return "a text that begins with a bracket goes in quotes"


def _instead_of_scalar(key: str, node: Scalar, types: list[str], is_effect: bool) -> str | None:
    """What to type instead of a word, a text or a number."""
    if types == ["array"] and key == "players" and isinstance(node.value, int):
        return f"{key}: [anna, ben]"
    if types == ["array"]:
        return f"{key}: [{node.text.strip()}]" if "\n" not in node.text.strip() else None
    return f'{key}: "{node.text}"' if types == ["string"] and not is_effect else None
