"""What is written of pieces and members goes in; the types of their attributes, and the value of each, come out."""

from __future__ import annotations

from typing import Any

from houserule.definition.constants import Value
from houserule.definition.model import KindDefinition
from houserule.definition.pieces import Pieces
from houserule.diagnostics import Related, Span, nearest
from houserule.language import nodes
from houserule.language.reached import walk
from houserule.language.scope import EffectSlot, Kind, Parameter
from houserule.language.types import LEAST, UNKNOWN, Bool, Int, List, Maybe, Piece, Type, Unknown, none_of, plain


class Attributes(Pieces):
    """Reads what is printed on pieces and members."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.misspelt: set[tuple[str, str | None]] = set()  # attributes of a piece that are there under another name

    def attribute_types(self, definition: KindDefinition) -> None:
        """The printed attributes of a kind and the effects its members may have."""
        kind = self.words.kinds[definition.name]
        for name, (type, span) in definition.attributes.items():
            kind.attribute_types[name] = self.type(type)
            kind.attribute_spans[name] = span
        for name, _, span in definition.each:
            if name not in kind.attribute_types:
                self.report.misnamed(
                    "HR501",
                    f"'{definition.name}' has no attribute '{name}' to make one of each for",
                    span,
                    name,
                    kind.attribute_types,
                    f"attributes: {{{name}: …}}",
                )
                kind.attribute_types[name] = UNKNOWN
        for back, span in definition.back:
            if back not in kind.attribute_types:
                self.report.misnamed(
                    "HR501",
                    f"'{definition.name}' has no attribute '{back}' to show on its back",
                    span,
                    back,
                    kind.attribute_types,
                )
        kind.back = tuple(b for b, _ in definition.back if b in kind.attribute_types)
        for signature in definition.effects:
            parameters = tuple(Parameter(self.type(p.type), p.name, p.span) for p in signature.parameters)
            kind.effects[signature.name] = EffectSlot(definition.name, signature.name, parameters, signature.name_span)
        self.check_keys(definition, kind)

    def check_keys(self, definition: KindDefinition, kind: Kind) -> None:
        """Everything that is written of a piece or member is an attribute or an effect of its kind."""
        known = [*kind.attribute_types, *kind.effects]
        for member in definition.members:
            for key, span in member.key_spans.items():
                if key not in known:
                    left_out = [name for name in known if name not in member.key_spans]
                    likely = nearest(key, left_out)
                    self.report.misnamed(
                        "HR502",
                        f"a {kind.name} has no attribute and no effect '{key}'",
                        span,
                        key,
                        left_out,
                        f"attributes: {{{key}: …}}, or effects: [{key}]",
                        [Related("the kind is declared here", kind.span)],
                    )
                    if likely in kind.attribute_types:
                        self.misspelt.add((member.name, likely))

    def needs_pieces(self, definition: KindDefinition, name: str) -> bool:
        """Whether an attribute may speak of pieces, so that it is not known before they are there."""
        known = {"player_count", *self.words.options}
        for kind in self.words.kinds.values():
            if not kind.is_piece:
                known.update([kind.name, *kind.ids])
        type = self.words.kinds[definition.name].attribute_types[name]
        written = [member.attributes.get(name) for member in definition.members]
        return isinstance(plain(type.of if isinstance(type, List) else type), Piece) or any(
            node.id not in known for value in written for node in walk(value) if isinstance(node, nodes.Name)
        )

    def attribute_values(self, definition: KindDefinition, kind: Kind, early: bool = False) -> None:
        """What is printed on each; `early` what is known before there are pieces."""
        by_name = {member.name: member for member in definition.members}
        for name, type in kind.attribute_types.items():
            if name in kind.attributes or (early and self.needs_pieces(definition, name)):
                continue
            values: list[Value] = []
            cache: dict[str, Value | None] = {}
            for position, (id, copy) in enumerate(zip(kind.ids, kind.copies, strict=True)):
                member = by_name.get(id)
                if member is None:
                    values.append(self.missing(definition, name, type, id, kind.spans[position]))
                    continue
                written = member.attributes.get(name)
                value: Value | None
                if written is None:
                    if copy == 1:
                        cache[id] = self.missing(definition, name, type, id, member.span)
                    value = cache.get(id)
                elif isinstance(written, tuple) and not isinstance(type, List):
                    value = (
                        self.constant(written[min(copy, len(written)) - 1], type, f"'{name}' of '{id}'")
                        if written
                        else None
                    )
                else:
                    if copy == 1 or id not in cache:
                        whole = nodes.ListOf(member.span, written) if isinstance(written, tuple) else written
                        cache[id] = self.constant(whole, type, f"'{name}' of '{id}'")
                    value = cache[id]
                values.append(none_of(type) if value is None else value)
            kind.attributes[name] = values

    def missing(self, definition: KindDefinition, name: str, type: Type, id: str, span: Span) -> Value:
        """An attribute that is left out: none or false, else an error."""
        if isinstance(type, Maybe):
            return none_of(type)
        if isinstance(type, Bool | Unknown):
            return 0
        if isinstance(type, List):
            return ()
        if (id, name) not in self.misspelt:
            self.report.error(
                "HR517",
                f"'{id}' has no '{name}', and {type} cannot be left out",
                span,
                f"{name}: …",
                [Related("the attribute is declared here", definition.attributes[name][1])],
            )
        return type.low if isinstance(type, Int) and type.low > LEAST else 0
