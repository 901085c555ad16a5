"""Builds the definition of a game from its merged tree: every key is read once, every text parsed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from houserule.definition.kinds import kind_definition
from houserule.definition.layout_reading import layout_of
from houserule.definition.model import (
    BoxDefinition,
    GameDefinition,
    KindDefinition,
    OptionDefinition,
    TableDefinition,
    TableValues,
    VariableDefinition,
)
from houserule.definition.players import players_of
from houserule.definition.reader import Keys, Reader
from houserule.definition.revealed import revelations_in
from houserule.definition.signatures import callable_of, trigger, variable, zone
from houserule.definition.steps import score_lines, steps_of, translations_of, winner_of
from houserule.diagnostics import Related, Report, Span
from houserule.language import nodes
from houserule.numerals import whole_number
from houserule.source import Mapping, Scalar, Sequence, Yaml

TABLE_KEYS = ("values", "title", "text", "source", "assumed")
"""The keys of a table whose entries are under `values`."""


class Declared(Protocol):
    """A declaration, under a name."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def span(self) -> Span:
        """Where it is declared."""


T = TypeVar("T", bound=Declared)


def game_of(reader: Reader, node: Mapping, name: str) -> GameDefinition:
    """The definition of a game."""
    keys = Keys(reader, node)
    report = reader.report
    players = players_of(keys.get("players"), report)
    kinds: dict[str, KindDefinition] = {}
    variables: dict[str, VariableDefinition] = {}
    for section, is_piece in (("enums", False), ("components", True)):
        for key, value in keys.entries(section):
            kind = kind_definition(
                reader, key, value, is_piece, lambda made: declare(variables, made, "variable", report)
            )
            declare(kinds, kind, "kind", report)
    zones = declared(keys, "zones", zone)
    declared(keys, "variables", variable, variables)
    functions = declared(keys, "functions", lambda reader, key, value: callable_of(reader, key, value, True))
    actions = declared(keys, "actions", lambda reader, key, value: callable_of(reader, key, value, False))
    triggers = declared(keys, "triggers", trigger)
    title, text = keys.prose("title"), keys.prose("text")
    box = declared(keys, "box", in_box)
    options = declared(keys, "options", option)
    tables = declared(keys, "tables", table)
    return GameDefinition(
        name=name,
        span=node.span,
        title=title,
        text=text,
        players=players,
        box=box,
        options=options,
        kinds=kinds,
        zones=zones,
        variables=variables,
        tables=tables,
        functions=functions,
        actions=actions,
        triggers=triggers,
        flow=steps_of(reader, keys.get("flow")),
        scoring=tuple(score_lines(reader, keys.get("scoring"))),
        winner=winner_of(reader, keys.get("winner")),
        eliminated=keys.expression("eliminated"),
        translations=translations_of(reader, keys.get("translations")),
        layout=layout_of(reader, keys.get("layout")),
        assumptions=tuple(reader.assumptions),
        revelations=tuple(revelations_in(node)),
        languages=tuple(reader.languages),
        counting=tuple(reader.counting),
        proses=tuple(reader.proses),
        sentences=reader.sentences,
    )


def declared(
    keys: Keys, section: str, read: Callable[[Reader, Scalar, Yaml], T | None], names: dict[str, T] | None = None
) -> dict[str, T]:
    """Every readable entry of a section, by name, in addition to the names that exist already."""
    names = {} if names is None else names
    for key, value in keys.entries(section):
        made = read(keys.reader, key, value)
        if made is not None:
            declare(names, made, section.removesuffix("s"), keys.reader.report)
    return names


def declare(names: dict[str, T], made: T, what: str, report: Report) -> None:
    """Keep a declaration, unless its name is taken."""
    other = names.setdefault(made.name, made)
    if other is not made:
        message = f"there are two {what}s named '{made.name}'"
        report.error("HR301", message, made.span, related=[Related("the other is here", other.span)])


def in_box(reader: Reader, key: Scalar, node: Yaml) -> BoxDefinition | None:
    """One entry of `box`."""
    keys = Keys(reader, node) if isinstance(node, Mapping) else Keys(reader, Mapping({}, node.span))
    count = keys.get("count")
    number = whole_number(count.text) if isinstance(count, Scalar) else 1
    return BoxDefinition(key.text, key.span, number or 1, keys.prose("title"))


def option(reader: Reader, key: Scalar, node: Yaml) -> OptionDefinition | None:
    """One entry of `options`."""
    if not isinstance(node, Mapping):
        return None
    keys = Keys(reader, node)
    type = reader.parsed(keys.get("type"), "type_name")
    default = keys.expression("default")
    if not isinstance(type, nodes.TypeName) or default is None:
        return None
    return OptionDefinition(key.text, key.span, type, default, keys.prose("title"), keys.prose("text"))


def table(reader: Reader, key: Scalar, node: Yaml) -> TableDefinition | None:
    """One entry of `tables`."""
    if isinstance(node, Mapping) and "values" in node.entries:
        reader.note(node)
        for name, entry in node.entries.items():
            if name not in TABLE_KEYS:
                message, listed = f"'{key.text}' has no key '{name}'", f"keys here: {', '.join(TABLE_KEYS)}"
                reader.report.misnamed("HR201", message, entry.key.span, name, TABLE_KEYS, listed)
        node = node.entries["values"].value
    values = table_values(reader, node)
    if values is None:
        return None
    places = {name: entry.key.span for name, entry in node.entries.items()} if isinstance(node, Mapping) else {}
    return TableDefinition(key.text, key.span, values, places)


def table_values(reader: Reader, node: Yaml) -> TableValues | None:
    """The entries of a table or of one of its rows."""
    if isinstance(node, Sequence):
        return tuple(found for item in node.items if (found := table_values(reader, item)) is not None)
    if isinstance(node, Mapping):
        entries = reader.entries(node)
        return {key.text: found for key, value in entries if (found := table_values(reader, value)) is not None}
    return reader.expression(node)
