"""Printed attributes of pieces and members: their types, and the value of each."""

from __future__ import annotations

from collections.abc import Iterator

from houserule.definition.constants import Draft, Value, constant, named_type
from houserule.definition.lending import wanted
from houserule.definition.model import KindDefinition, MemberDefinition
from houserule.diagnostics import Related, Span, nearest
from houserule.language import nodes
from houserule.language.checked import EffectSlot, Kind, Parameter
from houserule.language.reached import walk
from houserule.language.types import LEAST, UNKNOWN, Bool, Int, List, Maybe, Piece, Type, Unknown, none_of, plain


def add_attribute_types(draft: Draft, definition: KindDefinition, kind: Kind) -> None:
    """Give a kind the types of its attributes and the effects that its members may have."""
    for name, (type, span) in definition.attributes.items():
        kind.attribute_types[name] = named_type(draft, type)
        kind.attribute_spans[name] = span
    for name, _, span in definition.each:
        if name not in kind.attribute_types:
            message = f"'{definition.name}' has no attribute '{name}' to make one of each for"
            otherwise = f"attributes: {{{name}: …}}"
            draft.report.misnamed("HR501", message, span, name, kind.attribute_types, otherwise)
            kind.attribute_types[name] = UNKNOWN
    for back, span in definition.back:
        if back not in kind.attribute_types:
            message = f"'{definition.name}' has no attribute '{back}' to show on its back"
            draft.report.misnamed("HR501", message, span, back, kind.attribute_types)
    kind.back = tuple(b for b, _ in definition.back if b in kind.attribute_types)
    for signature in definition.effects:
        parameters = tuple(Parameter(named_type(draft, p.type), p.name, p.span) for p in signature.parameters)
        kind.effects[signature.name] = EffectSlot(definition.name, signature.name, parameters, signature.name_span)
    for member in definition.members:
        check_keys(draft, member, kind)


def check_keys(draft: Draft, member: MemberDefinition, kind: Kind) -> None:
    """Check that every key of a piece or member is an attribute or an effect of its kind."""
    known = [*kind.attribute_types, *kind.effects]
    left_out = [name for name in known if name not in member.key_spans]
    fixed = (("count", member.count), ("title", member.title), ("text", member.text))
    could_be = [*left_out, *(name for name, written in fixed if written is None)]
    for key, span in member.key_spans.items():
        if key in known:
            continue
        message = f"a {kind.name} has no attribute and no effect '{key}'"
        otherwise = f"attributes: {{{key}: …}}, or effects: [{key}]"
        related = [Related("the kind is declared here", kind.span)]
        draft.report.misnamed("HR502", message, span, key, could_be, otherwise, related)
        likely = nearest(key, left_out)
        if likely in kind.attribute_types:
            draft.misspelt.add((member.name, likely))


def add_attribute_values(draft: Draft, definition: KindDefinition, kind: Kind, before_pieces: bool = False) -> None:
    """Give each member or piece of a kind the values of its attributes; with `before_pieces`, only those that need no pieces."""
    for name, type in kind.attribute_types.items():
        if not (before_pieces and needs_pieces(draft, definition, name, type)):
            # Combinations have the values of what they combine already; pieces that are written out follow them.
            known = kind.attributes.get(name, [])
            kind.attributes[name] = [*known, *attribute_values(draft, definition, kind, name, type, len(known))]


def attribute_values(
    draft: Draft, definition: KindDefinition, kind: Kind, name: str, type: Type, start: int
) -> list[Value]:
    """The values of one attribute, from the member or piece at position `start` on."""
    by_name = {member.name: member for member in definition.members}
    shared: dict[str, Value | None] = {}  # the common value of all copies of a piece, by its id
    values: list[Value] = []
    for id, copy, span in list(zip(kind.ids, kind.copies, kind.spans, strict=True))[start:]:
        member = by_name.get(id)
        written = member.attributes.get(name) if member is not None else None
        what = f"'{name}' of '{id}'"
        value: Value | None = None
        if isinstance(written, tuple) and not isinstance(type, List):
            if written:
                value = constant(draft, written[min(copy, len(written)) - 1], type, what)
        elif id in shared:
            value = shared[id]
        elif written is None:
            value = shared[id] = value_left_out(draft, definition, name, type, id, span)
        else:
            whole = nodes.ListOf(span, written) if isinstance(written, tuple) else written
            value = shared[id] = constant(draft, whole, type, what)
        values.append(none_of(type) if value is None else value)
    return values


def needs_pieces(draft: Draft, definition: KindDefinition, name: str, type: Type) -> bool:
    """Whether the values of an attribute may name pieces, so that they are unknown until there are pieces."""
    known = {"player_count", *draft.symbols.options}
    for kind in draft.symbols.kinds.values():
        if not kind.is_piece:
            known.update([kind.name, *kind.ids])
    functions = wanted(draft.game.functions, list(all_written(definition, name)))
    known.update(functions, *({p.name or "" for p in function.parameters} for function in functions.values()))
    written = [*(function.body for function in functions.values()), *all_written(definition, name)]
    return isinstance(plain(type.of if isinstance(type, List) else type), Piece) or any(
        node.id not in known for value in written for node in walk(value) if isinstance(node, nodes.Name)
    )


def all_written(definition: KindDefinition, name: str) -> Iterator[object]:
    """What is written for an attribute: its default, and the value of each member or piece."""
    yield definition.defaults.get(name)
    yield from (member.attributes.get(name) for member in definition.members)


def other_name(definition: KindDefinition, id: str) -> MemberDefinition | None:
    """The name under which the rest of a piece probably stands if it has only a title or text: one of the two is misspelt."""
    bare = {member.name: member for member in definition.members if not (member.title or member.text)}
    mine = next((member for member in definition.members if member.name == id), None)
    if mine is None or mine.key_spans or not (mine.title or mine.text):
        return None
    other = nearest(id, [name for name, member in bare.items() if member.key_spans])
    return bare[other] if other is not None else None


def value_left_out(draft: Draft, definition: KindDefinition, name: str, type: Type, id: str, span: Span) -> Value:
    """The value of an omitted attribute: its default, none, false or an empty list; otherwise any value, after a diagnostic."""
    default = definition.defaults.get(name)
    if default is not None:
        value = constant(draft, default, type, f"the default of '{name}'")
        return none_of(type) if value is None else value
    if isinstance(type, Maybe):
        return none_of(type)
    if isinstance(type, Bool | Unknown):
        return 0
    if isinstance(type, List):
        return ()
    other = other_name(definition, id)
    if other is not None:
        if (id, None) not in draft.misspelt:
            draft.misspelt.add((id, None))
            message = f"'{id}' has only texts for people, and '{other.name}' has none"
            related = [Related(f"'{other.name}' is here", other.span)]
            draft.report.error("HR517", message, span, f"one name for both: {id}, or {other.name}", related)
    elif (id, name) not in draft.misspelt:
        message = f"'{id}' has no '{name}', and {type} cannot be left out"
        related = [Related("the attribute is declared here", definition.attributes[name][1])]
        draft.report.error("HR517", message, span, f"{name}: …", related)
    return type.low if isinstance(type, Int) and type.low > LEAST else 0
