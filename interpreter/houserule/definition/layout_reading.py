"""The layout of a table as written: its part of the merged tree in, its definition out."""

from __future__ import annotations

from houserule.definition.model import LayoutDefinition, LookDefinition, Looks
from houserule.definition.reader import Keys, Reader
from houserule.source import Mapping, Scalar, Sequence, Yaml

WORDS = ("shape", "arrange", "show", "pattern", "on", "letter", "parts", "columns", "from", "to")
"""Keys whose value is a name or a number."""
WRITTEN = ("fill", "pattern", "letter")
"""Keys of a look without expressions."""
EXPRESSIONS = ("fill", "symbol", "row", "column", "layer", "order", "up", "joined", "stands_for")
"""Keys whose value is an expression."""


def layout_of(reader: Reader, node: Yaml | None) -> LayoutDefinition | None:
    """The layout of a game, or None if it has none."""
    if not isinstance(node, Mapping):
        return None
    keys = Keys(reader, node)
    rows = keys.get("table")
    return LayoutDefinition(
        node.span,
        {key.text: (key.span, written_looks(reader, value)) for key, value in keys.entries("enums")},
        looks(reader, keys.get("pieces")),
        looks(reader, keys.get("zones")),
        looks(reader, keys.get("variables")),
        tuple(
            tuple(item for item in row.items if isinstance(item, Scalar))
            for row in (rows.items if isinstance(rows, Sequence) else ())
            if isinstance(row, Sequence)
        ),
        keys.scalars("player"),
    )


def looks(reader: Reader, node: Yaml | None) -> Looks:
    return {key.text: look(reader, key, value) for key, value in reader.entries(node)}


def written_looks(reader: Reader, node: Yaml | None) -> Looks:
    return {key.text: written_look(reader, key, value) for key, value in reader.entries(node)}


def look(reader: Reader, key: Scalar, node: Yaml | None) -> LookDefinition:
    """The look of one kind, zone or variable."""
    if not isinstance(node, Mapping):
        return LookDefinition(key.text, key.span, {}, {})
    keys = Keys(reader, node)
    back = keys.get("back")
    expressions = {name: reader.expression(value) for name in EXPRESSIONS if (value := keys.get(name)) is not None}
    return LookDefinition(
        key.text,
        key.span,
        words(keys, WORDS),
        {name: made for name, made in expressions.items() if made is not None},
        keys.prose("words"),
        written_look(reader, key, back) if back is not None else None,
        written_looks(reader, keys.get("pieces")),
    )


def written_look(reader: Reader, key: Scalar, node: Yaml | None) -> LookDefinition:
    """The look of one member or piece, or of a back."""
    found = words(Keys(reader, node), WRITTEN) if isinstance(node, Mapping) else {}
    return LookDefinition(key.text, key.span, found, {})


def words(keys: Keys, names: tuple[str, ...]) -> dict[str, Scalar]:
    return {name: value for name in names if isinstance(value := keys.get(name), Scalar)}
