"""Kinds of pieces and enums as written go in; every piece and member with its id and its copies comes out."""

from __future__ import annotations

from collections.abc import Callable as Function
from collections.abc import Mapping
from typing import Any

from houserule.definition.constants import Constants, Value
from houserule.definition.model import KindDefinition, MemberDefinition
from houserule.diagnostics import Related, Span
from houserule.language import nodes
from houserule.language.scope import NEVER_BOUND, RESERVED, Kind
from houserule.language.types import BOOL, NUMBER, UNKNOWN, Bool, Int, List, Member, Piece, Player, Type, plain

MOST_PIECES = 10_000


class Pieces(Constants):
    """Makes the pieces: as they are written, with copies, and one for every combination of an `each`."""

    def expand(self, definition: KindDefinition, kind: Kind) -> None:
        """All members and pieces of a kind with their copies."""
        kind.ids, kind.copies, kind.spans = [], [], []
        if definition.each:
            self.expand_product(definition, kind)
        for member in definition.members:
            copies = self.copies(definition, member)
            if len(kind.ids) + copies > MOST_PIECES:
                self.report.error(
                    "HR551", f"there are more than {MOST_PIECES} pieces of '{definition.name}'", member.span
                )
                return
            for copy in range(1, copies + 1):
                kind.ids.append(member.name)
                kind.copies.append(copy)
                kind.spans.append(member.span)

    def copies(self, definition: KindDefinition, member: MemberDefinition) -> int:
        """How many copies there are of a piece."""
        lengths = {
            name: len(v)
            for name, v in member.attributes.items()
            if isinstance(v, tuple) and not is_list(definition, name)
        }
        for name, length in lengths.items():
            if length != next(iter(lengths.values())):
                self.report.error(
                    "HR516",
                    f"'{member.name}' has lists of different lengths: {' and '.join(f'{n} has {k}' for n, k in lengths.items())}",
                    member.key_spans[name],
                    "a list gives each copy its own value",
                )
                return 1
        if member.count is not None:
            count = self.whole(member.count, what=f"the count of '{member.name}'")
            if count is None:
                return 1
            if count < 0 or count > MOST_PIECES:
                self.report.error(
                    "HR551", f"the count of '{member.name}' is {count}; 0..{MOST_PIECES} is possible", member.count.span
                )
                return 1
            if lengths and count != next(iter(lengths.values())):
                name = next(iter(lengths))
                self.report.error(
                    "HR516",
                    f"'{member.name}' has a count of {count}, but '{name}' has {lengths[name]} entries",
                    member.key_spans[name],
                    "leave 'count' out: there is one copy for each entry",
                )
            return count
        return next(iter(lengths.values()), 1)

    def expand_product(self, definition: KindDefinition, kind: Kind) -> None:
        """One piece for every combination, or as many copies as `count` says; none where `where` does not hold."""
        names = tuple(name for name, _, _ in definition.each)
        types = [kind.attribute_types[name] for name in names]
        kind.product_names = names
        kind.attributes.update({name: [] for name in names})
        for combination in self.combinations(definition, kind):
            for name, value in zip(names, combination, strict=True):
                kind.attributes[name].append(value)
            kind.ids.append(self.product_id(definition.name, list(zip(types, combination, strict=True))))
            kind.copies.append(1)
            kind.spans.append(definition.span)
        columns: list[list[Any]] = [kind.ids, kind.spans, *(kind.attributes[name] for name in names)]
        copies = self.copies_of_each(definition, kind)
        if sum(copies) > MOST_PIECES:
            self.report.error(
                "HR551", f"there are more than {MOST_PIECES} pieces of '{definition.name}'", definition.span
            )
            copies = [1] * len(copies)
        for column in columns:
            column[:] = [value for value, count in zip(column, copies, strict=True) for _ in range(count)]
        kind.copies[:] = [copy for count in copies for copy in range(1, count + 1)]
        for position, copy in enumerate(kind.copies):
            if copy == 1:
                cell = [kind.attributes[name][position] for name in names]
                kind.cells[tuple(value for value in cell if isinstance(value, int))] = kind.base + position
        kind.product = tuple(
            self.bounds(type, [cell[position] for cell in kind.cells]) for position, type in enumerate(types)
        )

    def combinations(self, definition: KindDefinition, kind: Kind) -> list[tuple[int, ...]]:
        """All combinations of what `each` goes through; the values of one part may depend on those before it."""
        found: list[tuple[int, ...]] = [()]
        known: dict[str, Type] = {}
        for name, source, span in definition.each:
            values_after = self.each_source(source, known)
            longer: list[tuple[int, ...]] = []
            for combination in found:
                longer += [(*combination, value) for value in values_after(dict(zip(known, combination, strict=True)))]
                if len(longer) > MOST_PIECES:
                    self.report.error("HR551", f"'{definition.name}' has more than {MOST_PIECES} combinations", span)
                    return []
            found = longer
            known[name] = kind.attribute_types[name]
        return found

    def each_source(
        self, source: nodes.Expression, known: Mapping[str, Type]
    ) -> Function[[Mapping[str, Value]], list[int]]:
        """The values that one part of a product goes through, for values of the parts before it."""
        if isinstance(source, nodes.Name) and source.id in ("player", "bool"):
            always = list(range(self.words.players if source.id == "player" else 2))
            return lambda _: always
        constant = self.prepared(source, List(UNKNOWN), "what `each` goes through", known)

        def values(before: Mapping[str, Value]) -> list[int]:
            found = self.value(constant, before) if constant is not None else None
            return list(found) if isinstance(found, tuple | list) else []

        return values

    def copies_of_each(self, definition: KindDefinition, kind: Kind) -> list[int]:
        """How many copies there are of each combination: one, what `count` says, or none because of `where`."""
        copies = [1] * len(kind.ids)
        what = f"the count of '{definition.name}'"
        for node, wanted, saying in ((definition.where, BOOL, "this condition"), (definition.count, NUMBER, what)):
            constant = None if node is None else self.prepared(node, wanted, saying, {"it": kind.type})
            if constant is None:
                continue
            for position, count in enumerate(copies):
                found = self.value(constant, {"it": kind.base + position}) if count else 0
                if found is None:
                    return copies
                copies[position] = max(0, min(found, MOST_PIECES)) if isinstance(found, int) else count
        return copies

    def bounds(self, declared: Type, values: list[int]) -> Type:
        """The type of an index of a product: for numbers, from the least to the greatest that there is."""
        return (
            Int(min(values, default=0), max(values, default=0)) if isinstance(plain(declared), Int) else plain(declared)
        )

    def product_id(self, kind: str, parts: list[tuple[Type, Value]]) -> str:
        """`carpet_pink`, `space_1_1_1`, `die_1_white`."""
        words = []
        for type, value in parts:
            assert isinstance(value, int)
            match plain(type):
                case Member(name) | Piece(str(name)):
                    words.append(self.words.kinds[name].id_of(value))
                case Player():
                    words.append(str(value + 1))
                case Bool():
                    words.append("true" if value else "false")
                case _:
                    words.append(str(value).replace("-", "minus"))
        text = "_".join(words)
        return text if text[:1].isalpha() else f"{kind}_{text}"

    def check_ids(self) -> None:
        """Ids of pieces are unique, and no piece is called like a kind; members are unique in their enum."""
        seen: dict[str, tuple[str, Span]] = {}
        for kind in self.words.kinds.values():
            own: dict[str, Span] = {}
            for id, copy, span in zip(kind.ids, kind.copies, kind.spans, strict=True):
                if copy > 1:
                    continue
                if id in own:
                    self.report.error(
                        "HR301", f"'{kind.name}' has '{id}' twice", span, None, [Related("the first is here", own[id])]
                    )
                own[id] = span
                if id in RESERVED or id in NEVER_BOUND:
                    self.report.error("HR504", f"'{id}' is a word of the language, so nothing can be called that", span)
                if kind.is_piece:
                    if id in seen and seen[id][0] != kind.name:
                        self.report.error(
                            "HR504",
                            f"'{id}' is the name of a {seen[id][0]} already",
                            span,
                            None,
                            [Related("declared here", seen[id][1])],
                        )
                    seen[id] = (kind.name, span)
                    if id in self.words.kinds:
                        self.report.error(
                            "HR504",
                            f"a piece cannot be called '{id}': that is the name of a kind",
                            span,
                            None,
                            [Related("the kind is declared here", self.words.kinds[id].span)],
                        )


def is_list(definition: KindDefinition, attribute: str) -> bool:
    """Whether an attribute is a list itself, so that a list is its value and not one for each copy."""
    declared = definition.attributes.get(attribute)
    return declared is not None and declared[0].is_list
