"""Enums and kinds of pieces as written: definitions built from the tree of a game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from houserule.definition.model import KindDefinition, MemberDefinition, VariableDefinition
from houserule.definition.reader import Keys, Reader
from houserule.definition.signatures import check_parameters, variable
from houserule.diagnostics import Span
from houserule.language import nodes
from houserule.source import Mapping, Scalar, Sequence, Yaml

MEMBER_KEYS = frozenset("title text count source assumed reveals".split())


def kind_definition(
    reader: Reader, key: Scalar, node: Yaml, is_piece: bool, declare: Callable[[VariableDefinition], None]
) -> KindDefinition:
    """An enum or a kind of piece; its variables are declared as families over it."""
    if isinstance(node, Mapping):
        return described_kind(Keys(reader, node), key, is_piece, declare)
    names = node.items if isinstance(node, Sequence) else ()
    members = tuple(member(reader, name, None, (), ()) for name in names if isinstance(name, Scalar))
    return KindDefinition(key.text, key.span, is_piece, None, None, {}, (), (), None, members, (), None, None)


def described_kind(
    keys: Keys, key: Scalar, is_piece: bool, declare: Callable[[VariableDefinition], None]
) -> KindDefinition:
    """An enum or a kind of piece with more than the names of its members."""
    reader = keys.reader
    attributes: dict[str, tuple[nodes.TypeName, Span]] = {}
    defaults: dict[str, nodes.Expression] = {}
    for name, value in keys.entries("attributes"):
        form = Keys(reader, value) if isinstance(value, Mapping) else None
        if form is not None:
            form.prose("title")
        if (declared := reader.parsed(form.get("type") if form is not None else value, "declaration")) is not None:
            attributes[name.text] = (declared.type, name.span)
            if declared.start is not None:
                defaults[name.text] = declared.start
    effects = tuple(found for item in keys.scalars("effects") if (found := reader.signature(item)))
    for effect in effects:
        check_parameters(effect, reader.report)
    for name, value in keys.entries("variables"):
        parameter = nodes.Parameter(key.span, nodes.TypeName(key.span, key.text, None, None, False, False), None)
        if (made := variable(reader, name, value, (parameter,), key.text)) is not None:
            declare(made)
    effect_names = {effect.name for effect in effects}
    members = tuple(
        member(reader, name, value, attributes, effect_names)
        for section in ("pieces", "members")
        for name, value in members_in(keys, section)
    )
    return KindDefinition(
        name=key.text,
        span=key.span,
        is_piece=is_piece,
        title=keys.prose("title"),
        text=keys.prose("text"),
        attributes=attributes,
        effects=effects,
        back=tuple((item.text, item.span) for item in keys.scalars("back")),
        starts_in=keys.expression("starts_in"),
        members=members,
        each=tuple(
            (name.text, source, name.span)
            for name, value in keys.entries("each")
            if (source := reader.expression(value)) is not None
        ),
        where=keys.condition("where"),
        count=keys.expression("count"),
        back_title=keys.prose("back_title"),
        defaults=defaults,
    )


def members_in(keys: Keys, section: str) -> Iterator[tuple[Scalar, Yaml | None]]:
    """Members as a map, or as a list of names."""
    yield from ((name, None) for name in keys.scalars(section))
    yield from keys.entries(section)


def member(
    reader: Reader, key: Scalar, node: Yaml | None, attributes: Collection[str], effects: Collection[str]
) -> MemberDefinition:
    """One member or piece."""
    if not isinstance(node, Mapping):
        return MemberDefinition(key.text, key.span, None, None, None, {}, {}, {})
    keys = Keys(reader, node)
    title, text, count = keys.prose("title"), keys.prose("text"), keys.expression("count")
    values: dict[str, tuple[nodes.Expression, ...] | nodes.Expression] = {}
    bodies: dict[str, nodes.Block] = {}
    written = {name: entry for name, entry in node.entries.items() if name not in MEMBER_KEYS}
    for name, entry in written.items():
        if name in attributes and isinstance(entry.value, Sequence):
            values[name] = reader.expressions(entry.value.items)
        elif name in attributes:
            if (value := reader.expression(entry.value)) is not None:
                values[name] = value
        elif name in effects and (body := reader.block(entry.value)) is not None:
            bodies[name] = body
    spans = {name: entry.key.span for name, entry in written.items()}
    return MemberDefinition(key.text, key.span, title, text, count, values, bodies, spans)
