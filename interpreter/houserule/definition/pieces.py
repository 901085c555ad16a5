"""Pieces and members: each with its id, its copies and its printed attributes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from houserule.definition.constants import (
    Draft,
    Value,
    constant,
    constant_number,
    formula,
    formula_value,
    named_type,
    parameters_of,
    wanted,
)
from houserule.definition.model import (
    COORDINATES,
    NEIGHBOURS,
    AttributeDefinition,
    GameDefinition,
    KindDefinition,
    MemberDefinition,
)
from houserule.diagnostics import ABOVE, Related, Report, Span, nearest
from houserule.language import nodes
from houserule.language import types as ty
from houserule.language.checked import EffectSlot, Kind
from houserule.language.format import format
from houserule.language.trees import walk
from houserule.language.words import IS_A_WORD, NEVER_BOUND, RESERVED

MOST_PIECES = 10_000
MOST_REACH = 49
USUAL_REACH = 20
"""The greatest reach of a board that grows, and the greatest that it has without saying so."""
STEPS = {
    "square": ((-1, 0), (0, 1), (1, 0), (0, -1)),
    "hexagonal": ((-1, 1), (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0)),
}
"""The rows down and columns to the right from a place to each neighbour, clockwise. Each row of hexagons begins half a place further right."""
MOST_ALIKE = 3
"""If more pieces of a kind have the same mistake, that is told in one message."""


def by_need(game: GameDefinition) -> list[KindDefinition]:
    """The kinds in the order in which they are declared, but each after those whose pieces its own are made from."""
    piece_kinds = {member.name: kind.name for kind in game.kinds.values() if kind.is_piece for member in kind.members}
    found: dict[str, KindDefinition] = {}
    begun: set[str] = set()

    def add(kind: KindDefinition) -> None:
        if kind.name in begun:
            return
        begun.add(kind.name)
        for lying in on_board(game, kind):  # which decide how far it grows
            add(lying)
        written = [*(source for _, source, _ in kind.each), kind.where, kind.count] if kind.each else []
        bodies = [function.body for function in wanted(game.functions, written).values()]
        for node in (node for one in (*written, *bodies) for node in walk(one) if isinstance(node, nodes.Name)):
            needed = game.kinds.get(piece_kinds.get(node.id, node.id))
            if needed is not None and needed.is_piece:
                add(needed)
        found[kind.name] = kind

    for kind in game.kinds.values():
        add(kind)
    return list(found.values())


def on_board(game: GameDefinition, board: KindDefinition) -> list[KindDefinition]:
    """The kinds of pieces that can lie on a board that grows, in the order in which they are declared."""
    if not board.grows:
        return []
    zones = [zone for zone in game.zones.values() if any(p.type.name == board.name for p in zone.parameters)]
    held = {str(zone.holds) for zone in zones}
    lying = [kind for kind in game.kinds.values() if kind.is_piece and kind.starts_in is not None]
    return lying if "piece" in held else [kind for kind in lying if kind.name in held]


def add_pieces(draft: Draft, definition: KindDefinition, kind: Kind) -> None:
    """Give a kind all its members or pieces with their copies."""
    kind.ids, kind.copies, kind.spans = [], [], []
    if definition.each:
        add_combinations(draft, definition, kind)
    for member in definition.members:
        copies = copies_of(draft, definition, member)
        if len(kind.ids) + copies > MOST_PIECES:
            report_too_many(draft, definition, member.span)
            return
        for copy in range(1, copies + 1):
            kind.ids.append(member.name)
            kind.copies.append(copy)
            kind.spans.append(member.span)


def report_too_many(draft: Draft, definition: KindDefinition, span: Span) -> None:
    draft.report.error("HR551", f"there are more than {MOST_PIECES} pieces of '{definition.name}'", span)


def copies_of(draft: Draft, definition: KindDefinition, member: MemberDefinition) -> int:
    """How many copies of a piece there are: `count`, or one for each entry of its lists; one, after a diagnostic."""
    report, name = draft.report, member.name
    lengths = {
        attribute: len(value)
        for attribute, value in member.attributes.items()
        if isinstance(value, tuple) and not is_list(definition, attribute)
    }
    first, length = next(iter(lengths.items()), ("", 1))
    for attribute, other in lengths.items():
        if other != length:
            listed = " and ".join(f"{n} has {k}" for n, k in lengths.items())
            message = f"'{name}' has lists of different lengths: {listed}"
            report.error("HR516", message, member.key_spans[attribute], "a list gives each copy its own value")
            return 1
    if member.count is None:
        return length
    count = constant_number(draft, member.count, f"the count of '{name}'")
    if count is None:
        return 1
    if count < 0 or count > MOST_PIECES:
        message = f"the count of '{name}' is {count}; 0..{MOST_PIECES} is possible"
        report.error("HR551", message, member.count.span)
        return 1
    if lengths and count != length:
        message = f"'{name}' has a count of {count}, but '{first}' has {length} entries"
        help = "leave out 'count': there is one copy for each entry"
        report.error("HR516", message, member.key_spans[first], help)
    return count


def is_list(definition: KindDefinition, attribute: str) -> bool:
    """Whether an attribute is itself a list, so that a list is its value and not one value for each copy."""
    declared = definition.attributes.get(attribute)
    return declared is not None and declared.declaration.type.is_list


def add_combinations(draft: Draft, definition: KindDefinition, kind: Kind) -> None:
    """Give a kind one piece for every combination, or as many copies as `count` says; none where `where` does not hold."""
    names = tuple(name for name, _, _ in definition.each)
    types = [kind.attribute_types[name] for name in names]
    kind.product_names = names
    kind.attributes.update({name: [] for name in names})
    for combination in combinations(draft, definition, kind):
        for name, value in zip(names, combination, strict=True):
            kind.attributes[name].append(value)
        kind.ids.append(combination_id(draft, kind, list(zip(types, combination, strict=True))))
        kind.copies.append(1)
        kind.spans.append(definition.span)
    make_copies(draft, definition, kind)
    for position, copy in enumerate(kind.copies):
        if copy == 1:
            cell = [kind.attributes[name][position] for name in names]
            kind.cells[tuple(value for value in cell if isinstance(value, int))] = kind.base + position
    if definition.grid is not None:
        kind.near = neighbours(definition, kind)
        if has_neighbours(definition):
            kind.attributes[NEIGHBOURS] = list(kind.near)  # the lists of other kinds may go through them
    kind.product = tuple(index_type(type, [cell[n] for cell in kind.cells]) for n, type in enumerate(types))


def has_neighbours(definition: KindDefinition) -> bool:
    """Whether the attribute `neighbours` is that of a grid, and not one that the author declares."""
    return definition.grid is not None and definition.attributes[NEIGHBOURS].span is definition.grid.span


def make_copies(draft: Draft, definition: KindDefinition, kind: Kind) -> None:
    """Give a kind as many copies of each combination as there are."""
    columns: list[list[Any]] = [kind.ids, kind.spans, *(kind.attributes[name] for name in kind.product_names)]
    copies = copies_of_each(draft, definition, kind)
    if sum(copies) > MOST_PIECES:
        report_too_many(draft, definition, definition.span)
        copies = [1] * len(copies)
    for column in columns:
        column[:] = [value for value, count in zip(column, copies, strict=True) for _ in range(count)]
    kind.copies[:] = [copy for count in copies for copy in range(1, count + 1)]


def combinations(draft: Draft, definition: KindDefinition, kind: Kind) -> list[tuple[int, ...]]:
    """All combinations of what `each` iterates over; the values of one part may depend on the parts before it."""
    if definition.grows:
        return board_that_grows(draft, definition, kind)
    found: list[tuple[int, ...]] = [()]
    known: dict[str, ty.Type] = {}
    for name, source, span in definition.each:
        longer: list[tuple[int, ...]] = []
        type, fixed = kind.attribute_types[name], every(draft, source)
        if not are_values(draft, fixed, type):
            message = f"'{name}' is {type}, so 'each' cannot go through every {format(source)} for it"
            draft.report.error("HR521", message, span, f"each: {{{name}: {str(type).split()[-1]}}}")
            return []
        listed = None if fixed else formula(draft, source, ty.List(type), "what `each` goes through", known)
        for combination in found:
            before: Mapping[str, Value] = dict(zip(known, combination, strict=True))
            values = fixed or (formula_value(draft, listed, before) if listed else ())
            if values is None:
                return []
            longer += [(*combination, value) for value in values] if isinstance(values, tuple | range) else ()
            if len(longer) > MOST_PIECES:
                message = f"'{definition.name}' has more than {MOST_PIECES} combinations"
                draft.report.error("HR551", message, span)
                return []
        see_range(draft, definition, kind, name, {one[-1] for one in longer}, span)
        if found and not longer and listed is not None and not is_set_from_outside(draft, source):
            message, leant_on = f"there is nothing for '{name}' to go through", (format(source),)
            draft.report.error("HR550", message, span, follows_from=leant_on)
        found = longer
        known[name] = type
    return found


def every(draft: Draft, source: nodes.Expression) -> range | None:
    """The values of `player` and `bool`, which `each` goes through by these names; None for anything else."""
    if not isinstance(source, nodes.Name) or source.id not in ("player", "bool"):
        return None
    return range(draft.symbols.players if source.id == "player" else 2)


def are_values(draft: Draft, values: range | None, type: ty.Type) -> bool:
    """Whether values may be those of an attribute: an enum or a kind has so many."""
    of = draft.symbols.kind_of(ty.plain(type))
    return values is None or of is None or set(values) <= set(of.numbers)


def see_range(draft: Draft, definition: KindDefinition, kind: Kind, name: str, values: set[int], span: Span) -> None:
    """Report a value that `each` gives an attribute beyond its range."""
    type, found = kind.attribute_types[name], len(draft.report.found)
    if isinstance(type, ty.Int) and (outside := [value for value in values if not type.low <= value <= type.high]):
        message = f"'{name}' of '{definition.name}' is {type}, so it cannot be {min(outside, key=abs)}"
        draft.report.error("HR550", message, span)
        say_range(draft, definition, definition.attributes[name], found)


def board_that_grows(draft: Draft, definition: KindDefinition, kind: Kind) -> list[tuple[int, ...]]:
    """The places of a board that grows: as many rows and columns in each direction as its `reach`."""
    kinds = draft.symbols.kinds
    reach: int | None = max(
        1, sum(len(kinds[one.name].ids) for one in on_board(draft.game, definition) if one.name in kinds)
    )
    reach = min(reach or 1, USUAL_REACH)
    if definition.reach is not None:
        reach = constant_number(draft, definition.reach, f"the reach of '{kind.name}'")
        if reach is not None and not 1 <= reach <= MOST_REACH:
            message = f"the reach of '{kind.name}' is {reach}; 1..{MOST_REACH} is possible"
            draft.report.error("HR551", message, definition.reach.span)
            reach = None
    kind.reach = reach or 1
    along = range(-kind.reach, kind.reach + 1)
    kind.attribute_types.update(dict.fromkeys(COORDINATES, ty.Int(along.start, along.stop - 1)))
    return [(row, column) for row in along for column in along]


def neighbours(definition: KindDefinition, kind: Kind) -> list[tuple[int, ...]]:
    """The neighbours of each place of a grid, clockwise; a board that grows has no border, as its rows and columns go round."""
    if any(not isinstance(kind.attribute_types[name], ty.Int) for name in COORDINATES):
        return [()] * len(kind.ids)
    places: list[Any] = list(zip(*(kind.attributes[name] for name in COORDINATES), strict=True))
    numbers = dict(zip(reversed(places), reversed(kind.numbers), strict=True))
    reach = kind.reach or ty.GREATEST

    def around(value: int) -> int:
        return (value + reach) % (2 * reach + 1) - reach

    steps = STEPS.get(str(definition.grid), STEPS["square"])
    return [
        tuple(
            numbers[there]
            for down, right in steps
            if (there := (around(row + down), around(column + right))) in numbers
        )
        for row, column in places
    ]


def is_set_from_outside(draft: Draft, node: nodes.Node) -> bool:
    """Whether an expression reads options or the number of players."""
    outside = {"player_count", "players", *draft.game.options}
    return any(isinstance(one, nodes.Name) and one.id in outside for one in walk(node))


def copies_of_each(draft: Draft, definition: KindDefinition, kind: Kind) -> list[int]:
    """How many copies of each combination there are: one, what `count` says, or none because of `where`."""
    copies = [1] * len(kind.ids)
    what = f"the count of '{definition.name}'"
    for node, type, saying in ((definition.where, ty.BOOL, "this condition"), (definition.count, ty.NUMBER, what)):
        found = None if node is None else formula(draft, node, type, saying, {"it": kind.type})
        if found is None:
            continue
        for position, count in enumerate(copies):
            value = formula_value(draft, found, {"it": kind.base + position}) if count else 0
            if value is None:
                return copies
            copies[position] = max(0, min(value, MOST_PIECES)) if isinstance(value, int) else count
    return copies


def index_type(declared: ty.Type, values: list[int]) -> ty.Type:
    """The type of one index of combinations: for numbers, the range from the least to the greatest."""
    bare = ty.plain(declared)
    return ty.Int(min(values, default=0), max(values, default=0)) if isinstance(bare, ty.Int) else bare


def combination_id(draft: Draft, kind: Kind, parts: list[tuple[ty.Type, int]]) -> str:
    """The id of the piece of a combination: `card_2_red`, `space_1_1_1`; on a board that grows `spot_0_minus2`."""
    words = []
    for type, value in parts:
        match ty.plain(type):
            case ty.Member(name) | ty.Piece(str(name)):
                words += written_as(draft.symbols.kinds[name], value)
            case ty.Player():
                words.append(str(value + 1))
            case ty.Bool():
                words.append("true" if value else "false")
            case _:
                words.append(str(value).replace("-", "minus"))
    text = "_".join(words)
    return text if text[:1].isalpha() and not kind.reach else f"{kind.name}_{text}"


def written_as(kind: Kind, number: int) -> list[str]:
    """The id of a member or piece, and which copy it is if there are several."""
    copy = kind.copy_of(number)
    return [kind.id_of(number), *([str(copy)] if copy else [])]


def tell_apart(draft: Draft) -> None:
    """Begin the ids of combinations with the names of their kinds where one of them would be taken."""
    kinds = [kind for kind in draft.symbols.kinds.values() if kind.is_piece]
    owners: dict[str, set[str]] = {}
    for kind in kinds:
        for id in kind.ids:
            owners.setdefault(id, set()).add(kind.name)
    for kind in kinds:
        made = kind.spans.count(kind.span)  # the pieces that are written out have places of their own
        ids = kind.ids[:made]
        if any(len(owners[id]) > 1 or id in draft.symbols.kinds for id in ids):
            start = f"{kind.name}_"
            kind.ids[:made] = [id if id.startswith(start) else f"{start}{id}" for id in ids]


def check_ids(draft: Draft) -> None:
    """Check that ids of pieces are unique and no names of kinds, and that members are unique in their enum."""
    report, kinds = draft.report, draft.symbols.kinds
    seen: dict[str, tuple[str, Span]] = {}
    for kind in kinds.values():
        own: dict[str, Span] = {}
        taken: list[tuple[str, str, Span, Span]] = []
        for id, copy, span in zip(kind.ids, kind.copies, kind.spans, strict=True):
            if copy > 1:
                continue
            if id in own:
                related = [Related("the first is here", own[id])]
                report.error("HR301", f"'{kind.name}' has '{id}' twice", span, related=related)
            own[id] = span
            if id in RESERVED or id in NEVER_BOUND:
                report.error("HR504", IS_A_WORD.format(id), span)
            if not kind.is_piece:
                continue
            other, place = seen.get(id, (kind.name, span))
            if other != kind.name:
                taken.append((id, other, span, place))
            seen[id] = (kind.name, span)
            if id in kinds:
                message = f"a piece cannot be called '{id}': that is the name of a kind"
                report.error("HR504", message, span, related=[Related("the kind is declared here", kinds[id].span)])
        report_taken(kind, taken, report)


def report_taken(kind: Kind, taken: Sequence[tuple[str, str, Span, Span]], report: Report) -> None:
    """Report pieces of a kind that have the ids of pieces of others; one message if a kind is likely meant to be another."""
    if len(taken) > MOST_ALIKE and len({other for _, other, _, _ in taken}) == 1:
        id, other, _, place = taken[0]
        message = f"{len(taken)} pieces of '{kind.name}' have names of pieces of '{other}', such as '{id}'"
        help = f"if the two are one kind: {other}"
        report.error("HR504", message, kind.span, help, [Related("that one is declared here", place)])
        return
    for id, other, span, place in taken:
        message = f"'{id}' is already the name of a {other}"
        report.error("HR504", message, span, related=[Related("declared here", place)])


def add_attribute_types(draft: Draft, definition: KindDefinition, kind: Kind) -> None:
    """Give a kind the types of its attributes and the effects that its members may have."""
    for name, attribute in definition.attributes.items():
        kind.attribute_types[name] = named_type(draft, attribute.declaration.type)
        kind.attribute_spans[name] = attribute.span
    if definition.grid is not None:
        check_grid(draft, definition, kind)
    elif definition.reach is not None:
        advice = "grid: square, or grid: hexagonal"
        draft.report.error(
            "HR201", f"only a grid has a reach, and '{kind.name}' is none", definition.reach.span, advice
        )
    for name, _, span in definition.each:
        if name not in kind.attribute_types:
            message = f"'{definition.name}' has no attribute '{name}' to make one of each for"
            otherwise = f"attributes: {{{name}: …}}"
            draft.report.misnamed("HR501", message, span, name, kind.attribute_types, otherwise)
            kind.attribute_types[name] = ty.UNKNOWN
    for back in definition.back:
        if back not in kind.attribute_types:
            message = f"'{definition.name}' has no attribute '{back}' to show on its back"
            draft.report.misnamed("HR501", message, back.span, back, kind.attribute_types)
    kind.back = tuple(back for back in definition.back if back in kind.attribute_types)
    for signature in definition.effects:
        parameters = parameters_of(draft, signature)
        kind.effects[signature.name] = EffectSlot(definition.name, signature.name, parameters, signature.name_span)
    for member in definition.members:
        check_keys(draft, member, kind, definition.functions)


def check_grid(draft: Draft, definition: KindDefinition, kind: Kind) -> None:
    """Check that a grid has numbers of rows and columns, and a reach only if it grows."""
    assert definition.grid is not None
    kind.grid = str(definition.grid)
    for name in COORDINATES:
        type = kind.attribute_types.get(name)
        if not isinstance(type, ty.Int | ty.Unknown):
            message = f"a grid has rows and columns, and '{kind.name}' has no number '{name}'"
            draft.report.error("HR501", message, definition.grid.span, f"attributes: {{{name}: 1..8}}", subject=name)
            kind.attribute_types[name] = ty.UNKNOWN
    if definition.reach is not None and not definition.grows:
        message = f"'each' lists the places of '{kind.name}', so it has no reach"
        draft.report.error("HR201", message, definition.reach.span, "leave out 'reach', or 'each'")


def check_keys(draft: Draft, member: MemberDefinition, kind: Kind, functions: Iterable[str]) -> None:
    """Check that every key of a piece or member is an attribute or an effect of its kind."""
    known = [*kind.attribute_types, *kind.effects, *functions]
    left_out = [name for name in known if name not in member.key_spans]
    fixed = (("count", member.count), ("title", member.title), ("text", member.text))
    could_be = [*left_out, *(name for name, written in fixed if written is None)]
    for key, span in member.key_spans.items():
        if key in known:
            continue
        message = f"{ty.indefinite(kind.name)} has no attribute and no effect '{key}'"
        otherwise = f"attributes: {{{key}: …}}, or effects: [{key}]"
        if key == "starts_in":
            otherwise = (
                "it stands beside 'pieces'; where pieces begin in several zones, it reads an attribute: starts_in: it.…"
            )
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
            if name == NEIGHBOURS and has_neighbours(definition):
                continue
            kind.attributes[name] = [*known, *attribute_values(draft, definition, kind, name, type, len(known))]


def attribute_values(
    draft: Draft, definition: KindDefinition, kind: Kind, name: str, type: ty.Type, start: int
) -> list[Value]:
    """The values of one attribute, from the member or piece at position `start` on."""
    by_name = {member.name: member for member in definition.members}
    default = default_of(definition, name)
    is_of_each = any(isinstance(node, nodes.Name) and node.id == "it" for node in walk(default))
    of_each = None
    if default is not None and is_of_each:
        of_each = formula(draft, default, type, f"the default of '{name}'", {"it": kind.type})
    shared: dict[str, Value | None] = {}  # the common value of all copies of a piece, by its id
    values: list[Value] = []
    missing: list[tuple[str, Span]] = []
    found = len(draft.report.found)
    for id, copy, span in list(zip(kind.ids, kind.copies, kind.spans, strict=True))[start:]:
        member = by_name.get(id)
        written = member.attributes.get(name) if member is not None else None
        what = f"'{name}' of '{id}'"
        value: Value | None = None
        if isinstance(written, tuple) and not isinstance(type, ty.List):
            if written:
                value = constant(draft, written[min(copy, len(written)) - 1], type, what)
        elif id in shared:
            value = shared[id]
        elif written is None and is_of_each:
            it = {"it": kind.base + len(values) + start}
            value = shared[id] = formula_value(draft, of_each, it) if of_each is not None else None
        elif written is None:
            value = shared[id] = value_left_out(draft, definition, name, type, id, span, missing)
        else:
            whole = nodes.ListOf(span, written) if isinstance(written, tuple) else written
            value = shared[id] = constant(draft, whole, type, what)
        values.append(ty.none_of(type) if value is None else value)
    report_missing(draft, definition, name, type, missing)
    if len(draft.report.found) > found and name in definition.attributes:
        say_range(draft, definition, definition.attributes[name], found)
    return values


def say_range(draft: Draft, definition: KindDefinition, attribute: AttributeDefinition, found: int) -> None:
    """Add to what has been found of values beyond the range of an attribute where that range stands."""
    part = "components" if definition.is_piece else "enums"
    path = f"{part}.{definition.name}.attributes.{attribute.name}{'.type' if attribute.title is not None else ''}"
    here = Related("the range stands here", attribute.span)
    draft.report.advise(found, "HR550", f"{path} says which values there may be", [here])


def default_of(definition: KindDefinition, name: str) -> nodes.Expression | None:
    """The default of an attribute; it may be worked out for each piece, which is `it` there."""
    attribute = definition.attributes.get(name)
    return attribute.declaration.start if attribute is not None else None


def needs_pieces(draft: Draft, definition: KindDefinition, name: str, type: ty.Type) -> bool:
    """Whether the values of an attribute may name pieces, so that they are unknown until there are pieces."""
    known = {"player_count", *draft.symbols.options}
    for kind in draft.symbols.kinds.values():
        if not kind.is_piece:
            known.update([kind.name, *kind.ids])
    functions = wanted(draft.game.functions, list(all_written(definition, name)))
    known.update(functions, *({p.name or "" for p in function.parameters} for function in functions.values()))
    written = [*(function.body for function in functions.values()), *all_written(definition, name)]
    return isinstance(ty.plain(ty.element(type)), ty.Piece) or any(
        node.id not in known for value in written for node in walk(value) if isinstance(node, nodes.Name)
    )


def all_written(definition: KindDefinition, name: str) -> Iterator[object]:
    """What is written for an attribute: its default, and the value of each member or piece."""
    yield default_of(definition, name)
    yield from (member.attributes.get(name) for member in definition.members)


def other_name(definition: KindDefinition, id: str) -> MemberDefinition | None:
    """The name under which the rest of a piece probably stands if it has only a title or text: one of the two is misspelt."""
    bare = {member.name: member for member in definition.members if not (member.title or member.text)}
    mine = next((member for member in definition.members if member.name == id), None)
    if mine is None or mine.key_spans or not (mine.title or mine.text):
        return None
    other = nearest(id, [name for name, member in bare.items() if member.key_spans])
    return bare[other] if other is not None else None


def report_missing(
    draft: Draft, definition: KindDefinition, name: str, type: ty.Type, missing: Sequence[tuple[str, Span]]
) -> None:
    """Report pieces or members without the value of an attribute; one message if there are many."""
    if not missing:
        return
    here = definition.attributes[name].span
    if len(missing) > MOST_ALIKE:
        first, place = missing[0]
        message = (
            f"{len(missing)} of '{definition.name}' have no '{name}', such as '{first}', and {type} cannot be left out"
        )
        help = f"{name}: {format(definition.attributes[name].declaration.type)} = …, a default for all, or a value for each"
        draft.report.error(
            "HR517", message, here, help, [Related(f"'{first}' is here", place)], follows_from=(ABOVE, name)
        )
        return
    for id, span in missing:
        message = f"'{id}' has no '{name}', and {type} cannot be left out"
        advice = f"{name}: …, or a default for all where '{name}' is declared, after a '='"
        related = [Related("the attribute is declared here", here)]
        draft.report.error("HR517", message, span, advice, related, follows_from=(ABOVE, name))


def value_left_out(
    draft: Draft,
    definition: KindDefinition,
    name: str,
    type: ty.Type,
    id: str,
    span: Span,
    missing: list[tuple[str, Span]],
) -> Value:
    """The value of an omitted attribute: its default, none, false or an empty list; otherwise any value, and it is `missing`."""
    default = default_of(definition, name)
    if default is not None:
        value = constant(draft, default, type, f"the default of '{name}'")
        return ty.none_of(type) if value is None else value
    if isinstance(type, ty.Maybe):
        return ty.none_of(type)
    if isinstance(type, ty.Bool | ty.Unknown):
        return 0
    if isinstance(type, ty.List):
        return ()
    other = other_name(definition, id)
    if other is not None:
        if (id, None) not in draft.misspelt:
            draft.misspelt.add((id, None))
            message = f"'{id}' has only texts for people, and '{other.name}' has none"
            related = [Related(f"'{other.name}' is here", other.span)]
            draft.report.error(
                "HR517", message, span, f"one name for both: {id}, or {other.name}", related, follows_from=(ABOVE,)
            )
    elif (id, name) not in draft.misspelt:
        missing.append((id, span))
    return type.low if isinstance(type, ty.Int) and type.low > ty.LEAST else 0
