"""Zones and variables: the indices and slots of each family, who sees each of it, and what it starts with.

Also backs: face-down piles in which the backs of pieces tell which kind each is of.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from houserule.definition.constants import (
    Draft,
    check_constant,
    constant_number,
    evaluated,
    formula,
    formula_value,
    lent,
    named_type,
    wanted,
)
from houserule.definition.model import GameDefinition, KindDefinition, VariableDefinition, ZoneDefinition
from houserule.definition.reader import Word
from houserule.diagnostics import ABOVE, EFFECTS, Related, Report, Span, nearest
from houserule.language import checked as c
from houserule.language import nodes
from houserule.language import types as ty
from houserule.language.fitting import in_range, typed_expr
from houserule.language.names import same_team
from houserule.language.scope import bind
from houserule.language.symbols import SymbolTable
from houserule.language.trees import everything, statements
from houserule.language.typecheck import condition
from houserule.language.types import Piece, element, plain

MOST_SLOTS = 100_000


def declare_zones_and_variables(draft: Draft) -> None:
    """Give each family of zones and of variables its indices and its slots."""
    symbols = draft.symbols
    slots = 0
    for zone_definition in draft.game.zones.values():
        zone = zone_family(draft, zone_definition, slots)
        symbols.zones[zone.name] = zone
        slots += zone.size
        if is_too_many(draft, slots, zone_definition.span):
            return
    slots = 0
    for variable_definition in draft.game.variables.values():
        variable = variable_family(draft, variable_definition, slots)
        symbols.variables[variable.name] = variable
        slots += variable.size
        if is_too_many(draft, slots, variable_definition.span):
            return
    for variable_definition in draft.game.variables.values():
        if variable_definition.per_position:
            symbols.variables[variable_definition.name].positions = positions(draft, variable_definition)
    for zone_definition in draft.game.zones.values():
        if zone_definition.refill is not None:
            check_refill(draft, zone_definition, zone_definition.refill)


def positions(draft: Draft, definition: VariableDefinition) -> tuple[c.Family, ...]:
    """The zones and variables whose position selects the value of a variable."""
    symbols, found = draft.symbols, list[c.Family]()
    if definition.of_kind is not None:
        message = f"'{definition.name}' belongs to {ty.indefinite(definition.of_kind)}, so it cannot have a value per position"
        draft.report.error("HR528", message, definition.span, "declare it under `variables:` of the game")
    for name in definition.per_position:
        family: c.Family | None = symbols.zones.get(name) or symbols.variables.get(name)
        if family is None:
            pool = [*symbols.zones, *symbols.variables]
            draft.report.misnamed("HR501", f"there is no zone or variable '{name}'", name.span, name, pool)
        elif name in draft.game.variables and draft.game.variables[name].per_position:
            message = f"'{name}' has a value per position itself, so it cannot be part of one"
            draft.report.error("HR528", message, name.span, "name the zones and variables that it depends on")
        else:
            family.uses += 1
            found.append(family)
    return tuple(found)


def is_too_many(draft: Draft, slots: int, span: Span) -> bool:
    """Whether there are more slots than a match can hold; reports it."""
    if slots > MOST_SLOTS:
        draft.report.error("HR551", f"that makes {slots} places to keep; the limit is {MOST_SLOTS}", span)
    return slots > MOST_SLOTS


def check_refill(draft: Draft, definition: ZoneDefinition, name: Word) -> None:
    """Check that the zone to refill from exists and has no other indices."""
    zones = draft.symbols.zones
    source = zones.get(name)
    if source is None:
        draft.report.misnamed("HR501", f"there is no zone '{name}' to refill from", name.span, name, zones)
        return
    source.uses += 1
    if source.sizes not in ((), zones[definition.name].sizes):
        draft.report.error("HR511", f"'{name}' has other indices than '{definition.name}'", name.span)


def indices(
    draft: Draft, given: tuple[nodes.Parameter, ...], what: str
) -> tuple[tuple[c.Parameter, ...], tuple[int, ...], tuple[int, ...]]:
    """The indices of a family, whose types are finite, with their first values and their sizes."""
    found, lows, sizes = [], [], []
    for parameter in given:
        type = named_type(draft, parameter.type)
        domain = draft.symbols.domain(type)
        if domain is None:
            if not isinstance(type, ty.Unknown):
                message = f"the index of {what} must be of a finite type, and {type} is not"
                help = "an enum, a kind of piece, player, bool, or a range such as 1..6"
                draft.report.error("HR518", message, parameter.span, help)
            domain = range(1)
        found.append(c.Parameter(type, parameter.name, parameter.span))
        lows.append(domain.start if len(domain) else 0)
        sizes.append(len(domain))
    return tuple(found), tuple(lows), tuple(sizes)


def zone_family(draft: Draft, definition: ZoneDefinition, base: int) -> c.Zone:
    """A family of zones whose slots begin at `base`."""
    parameters, lows, sizes = indices(draft, definition.parameters, f"zone '{definition.name}'")
    capacity = definition.capacity
    return c.Zone(
        definition.name,
        parameters,
        definition.span,
        base,
        lows,
        sizes,
        holds=held_kind(draft, definition),
        ordered=definition.order != "none",
        capacity=constant_number(draft, capacity, "a capacity") if capacity is not None else None,
        refill=definition.refill,
        quiet=definition.quiet,
    )


def held_kind(draft: Draft, definition: ZoneDefinition) -> str | None:
    """The kind of piece that a zone holds; None for pieces of any kind."""
    kinds = [kind.name for kind in draft.symbols.kinds.values() if kind.is_piece]
    name = definition.holds
    if name is None or name == "piece":
        return None
    if name in kinds:
        return name
    message = f"there is no kind of piece '{name}' for a zone to hold"
    draft.report.misnamed("HR501", message, name.span, name, ["piece", *kinds])
    return nearest(name, kinds)


def variable_family(draft: Draft, definition: VariableDefinition, base: int) -> c.Variable:
    """A family of variables whose slots begin at `base`."""
    parameters, lows, sizes = indices(draft, definition.parameters, f"variable '{definition.name}'")
    type = named_type(draft, definition.type)
    if isinstance(type, ty.List):
        help = "a zone for pieces, or a flag for each: `chosen(colour): bool`"
        draft.report.error("HR510", "a variable cannot be a list", definition.type.span, help)
        type = ty.UNKNOWN
    return c.Variable(
        definition.name,
        parameters,
        definition.span,
        base,
        lows,
        sizes,
        type=type,
        reset=definition.reset,
        of_kind=definition.of_kind,
        for_people=definition.for_people,
        quiet=definition.quiet or (definition.of_kind is not None and draft.game.kinds[definition.of_kind].quiet),
    )


WORDS = ("all", "none", "owner")
MEANT = {
    **dict.fromkeys(("no", "off", "nobody", "hidden", "secret"), "none"),
    **dict.fromkeys(("private", "me", "mine", "my", "own", "self"), "owner"),
    **dict.fromkeys(("yes", "on", "everybody", "everyone", "public", "open"), "all"),
}
"""Words that people write for `none`, `owner` and `all`."""
FROM_OTHERS = ("hidden", "secret")
"""Those that may mean hidden from the others only, if there is an owner."""


def add_visibility_and_starts(draft: Draft) -> None:
    """Give each family of zones and variables its visibility, and each variable its start."""
    for zone_definition in draft.game.zones.values():
        zone = draft.symbols.zones.get(zone_definition.name)
        if zone is not None:
            zone.visible = visibility(draft, zone_definition.visible, zone, zone.piece)
            zone.amount = visibility(draft, zone_definition.amount, zone, None)
            zone.ranks = ranks(draft, zone_definition, zone)
    for definition in draft.game.variables.values():
        variable = draft.symbols.variables.get(definition.name)
        if variable is None:
            continue
        variable.visible = visibility(draft, definition.visible, variable, None)
        if definition.start is not None:
            variable.start = start(draft, definition.start, variable)
        else:
            check_starts_without_saying(draft, variable)


def ranks(draft: Draft, definition: ZoneDefinition, zone: c.Zone) -> Mapping[int, tuple[int, ...]]:
    """By piece that may lie in a zone the values by which its pieces are sorted for people; empty if they are not."""
    found: dict[int, list[int]] = {}
    kinds = draft.symbols.kinds.values()
    pieces = [piece for kind in kinds if kind.is_piece and zone.holds in (None, kind.name) for piece in kind.numbers]
    for node in definition.sort:
        what = f"what sorts '{zone.name}'"
        made = formula(draft, node, ty.UNKNOWN, what, {"it": zone.piece})
        if made is None:
            return {}
        if not isinstance(ty.plain(made.expression.type), ty.Int | ty.Bool | ty.Member | ty.Player | ty.Unknown):
            message = f"{what} is a number, a member or a truth value, not {made.expression.type}"
            draft.report.error("HR510", message, node.span, "say by what: it.…")
            return {}
        for piece in pieces:
            value = formula_value(draft, made, {"it": piece})
            if not isinstance(value, int):
                return {}
            found.setdefault(piece, []).append(value)
    return {piece: tuple(values) for piece, values in found.items()}


def check_starts_without_saying(draft: Draft, variable: c.Variable) -> None:
    """Check that a variable without a start may have 0, false or none, which is its default."""
    message = f"'{variable.name}' needs a start"
    indices = ", ".join(ty.spelled(index.type) for index in variable.parameters[variable.of_kind is not None :])
    key = f"{variable.name}({indices})" if indices else variable.name
    match variable.type:
        case ty.Int(low, high) if not low <= 0 <= high:
            advice = f"{key}: {low}..{high} = {low}"
            draft.report.error(
                "HR519", f"{message}: 0 is not in {low}..{high}", variable.span, advice, follows_from=(ABOVE,)
            )
        case ty.Member() | ty.Piece() | ty.Player():
            advice = f"{key}: {ty.spelled(variable.type)} or none"
            draft.report.error("HR519", f"{message}, or may be none", variable.span, advice, follows_from=(ABOVE,))
            variable.type = ty.UNKNOWN  # whether it may be none: no rule that asks is wrong until that is said
        case _:
            pass


def start(draft: Draft, node: nodes.Expression, variable: c.Variable) -> c.Expression | None:
    what = f"the start of '{variable.name}'"
    functions = wanted(draft.game.functions, node)
    for name in functions.keys() & draft.symbols.functions.keys():
        draft.symbols.functions[name].uses += 1
    inner = lent(draft, functions) if functions else draft
    expression = over_indices(inner, node, variable, variable.type, what)
    if isinstance(expression, c.Constant):
        return expression
    if functions and any(one.body == () for one in inner.symbols.functions.values()):
        return None  # it has a mistake, which is reported where it is
    if not check_constant(draft, expression, what, node.span):
        return None
    expression = in_range(inner.analysis.context(), expression, variable.type, node, what)
    for slot in variable.slots if variable.size <= MOST_SLOTS else ():
        values = {f"index_{i}": value for i, value in enumerate(variable.index(slot))}
        if evaluated(draft, expression, values, what, node.span) is None:
            return None
    return expression


def visibility(
    draft: Draft, written: str | nodes.Expression, family: c.Family, it: ty.Type | None
) -> str | c.Expression:
    """Who sees a zone or variable of a family; `it` is the type of its content."""
    if isinstance(written, str):
        if written == "owner" and not has_owner(draft, family):
            message = f"'{family.name}' has no owner: none of its indices is a player"
            draft.report.error("HR523", message, family.span, f"{family.name}(player)")
        return written
    if isinstance(written, nodes.Name):
        word = written.id
        if word == "team" and not is_known(draft, word, family):
            return team_sees(draft, written.span, family)
        message = f"there is nothing called '{word}' here"
        if word.lower() in MEANT and not is_known(draft, word, family):
            code, message = ("HR530", "nobody is 'me' here") if word == "me" else ("HR501", message)
            draft.report.error(code, message, written.span, word_meant(draft, word.lower(), family), subject=word)
            return "all"
        if word in ("players", "opponents"):
            message = f"who sees '{family.name}' is a word or a condition, not a list of players"
            others = f"viewer != {family.parameters[0].name or 'player'}" if has_owner(draft, family) else "all"
            draft.report.error("HR521", message, written.span, "all" if word == "players" else others)
            return "all"
        if word != "viewer" and nearest(word, WORDS):
            draft.report.misnamed("HR501", message, written.span, word, WORDS)
            return "all"
    names = {"viewer": ty.PLAYER} if it is None else {"viewer": ty.PLAYER, "it": it}
    return as_word(over_indices(draft, written, family, ty.BOOL, f"who sees '{family.name}'", names), family)


def team_sees(draft: Draft, span: Span, family: c.Family) -> str | c.Expression:
    """The rule by which the owner and the owner's partners see a zone or a variable."""
    if draft.symbols.teams is None:
        draft.report.error("HR501", "there are no teams in this game", span, "say who plays with whom: `teams: …`")
        return "owner" if has_owner(draft, family) else "all"
    if not has_owner(draft, family):
        message = f"'{family.name}' has no owner: none of its indices is a player"
        draft.report.error("HR523", message, family.span, f"{family.name}(player)")
        return "all"
    place = next(place for place, one in enumerate(family.parameters) if is_owner(draft, one))
    owner: c.Expression = c.Local(span, family.parameters[place].type, f"index_{place}")
    if isinstance(owner.type, ty.Piece) and owner.type.kind is not None:
        owner = c.Printed(span, ty.PLAYER, draft.symbols.kinds[owner.type.kind], "seat", owner)
    viewer = c.Local(span, ty.PLAYER, "_viewer")
    own = c.Apply(span, ty.BOOL, ty.EQUAL, (viewer, owner))
    test = same_team(draft.analysis.context(), viewer, owner)
    assert test is not None
    family.of_team = True
    return c.Apply(span, ty.BOOL, ty.OR, (own, test))


def is_owner(draft: Draft, parameter: c.Parameter) -> bool:
    """Whether an index is a player, or says whose it is."""
    kind = draft.symbols.kind_of(parameter.type) if isinstance(parameter.type, ty.Piece) else None
    return parameter.type == ty.PLAYER or (kind is not None and kind.attribute_types.get("seat") == ty.PLAYER)


def has_owner(draft: Draft, family: c.Family) -> bool:
    return any(is_owner(draft, parameter) for parameter in family.parameters)


def is_known(draft: Draft, word: str, family: c.Family) -> bool:
    """Whether a word has a meaning as a visibility."""
    symbols = draft.symbols
    return (
        word in symbols.variables
        or word in symbols.options
        or any(word == parameter.name for parameter in family.parameters)
        or any(word in kind.ids for kind in symbols.kinds.values())
    )


def word_meant(draft: Draft, word: str, family: c.Family) -> str:
    """Advice what to write instead of an unknown word for a visibility."""
    meant = MEANT[word]
    if meant == "owner" and not has_owner(draft, family):
        return "write none: it belongs to nobody"
    if word in FROM_OTHERS and has_owner(draft, family):
        return "write owner, or none if not even the owner sees it"
    return f"write {meant}"


def over_indices(
    draft: Draft,
    node: nodes.Expression,
    family: c.Family,
    wanted: ty.Type,
    what: str,
    more: Mapping[str, ty.Type] | None = None,
) -> c.Expression:
    """An expression in which the indices of a family have names (their own, or that of their type), and so do `more`."""
    nobody = "the player who looks is called viewer" if more else "name the index, and use that"
    context = draft.analysis.context(nobody=nobody)
    for position, (word, type) in enumerate(names_of(family)):
        bind(context, word, type, family.span, "parameter").unique = f"index_{position}"
    for word, type in (more or {}).items():
        bind(context, word, type, family.span, "parameter").unique = f"_{word}"
    if family.parameters and (more is None or "it" not in more):
        bind(context, "it", family.parameters[0].type, family.span, "parameter").unique = "index_0"
    if more:
        return condition(context, node)[0]
    expression = typed_expr(context, node, wanted, what)
    in_range(context, expression, wanted, node, what)
    return expression


def names_of(family: c.Family) -> list[tuple[str, ty.Type]]:
    """The names of the indices of a family with their types: their own, or those of their types."""
    return [
        (p.name or index_name(p.type) or f"index{position}", p.type) for position, p in enumerate(family.parameters)
    ]


def index_name(type: ty.Type) -> str | None:
    """The name of an index that has none of its own: that of its type."""
    match type:
        case ty.Member(kind) | ty.Piece(kind):
            return kind
        case ty.Player():
            return "player"
        case _:
            return None


def as_word(condition: c.Expression, family: c.Family) -> str | c.Expression:
    """A visibility as a word, if a condition says no more than the word."""
    match condition:
        case c.Constant(value=value):
            return "all" if value else "none"
        case c.Apply(operator=operator, arguments=(c.Local() as a, c.Local() as b)) if (
            operator is ty.EQUAL and family.owned
        ):
            return "owner" if {a.name, b.name} == {"_viewer", "index_0"} else condition
        case _:
            return condition


def check_backs(
    game: GameDefinition,
    symbols: SymbolTable,
    bodies: Iterable[c.Body],
    starts: Iterable[tuple[str, c.Expression]],
    report: Report,
) -> None:
    """Warn of a pile that hides pieces of several kinds and does not hide their kinds; if each kind says what its back is called, that is on purpose."""
    hiding = [
        zone
        for zone in symbols.zones.values()
        if zone.holds is None and zone.visible != "all" and zone.amount not in ("none", zone.visible)
    ]
    if not hiding:
        return
    lying = kinds_by_zone(symbols, bodies, starts)
    told: list[set[str]] = []
    for zone in hiding:
        kinds = [kind for name, kind in game.kinds.items() if name in lying[zone] and not kind.quiet]
        names = {kind.name for kind in kinds}
        if any(names <= others for others in told):
            continue
        if len({back_of(kind) for kind in kinds}) > 1 and any(kind.back_title is None for kind in kinds):
            *others, last = (f"'{kind.name}'" for kind in kinds)
            message = f"'{zone.name}' is face down, but the backs of {', '.join(others)} and {last} tell them apart"
            told.append(names)
            help = "give all of them the same back_title, or each of them its own if that is meant"
            related = [Related(f"'{kind.name}' is here", kind.span) for kind in kinds]
            report.warning("HR584", message, zone.span, help, related, follows_from=(EFFECTS,))


def back_of(kind: KindDefinition) -> tuple[object, ...]:
    """What the back of a piece of a kind is called."""
    title = kind.title if kind.title is not None and not kind.title.shows_values else None
    prose = kind.back_title or title
    return (kind.name,) if prose is None else tuple(text.raw for text in prose.texts.values())


def kinds_by_zone(
    symbols: SymbolTable, bodies: Iterable[c.Body], starts: Iterable[tuple[str, c.Expression]]
) -> dict[c.Zone, set[str]]:
    """The kinds of pieces that may lie in each zone: those that begin there, and what is moved there, wherever it comes from."""
    found: dict[c.Zone, set[str]] = {zone: {zone.holds} if zone.holds else set() for zone in symbols.zones.values()}
    for kind, start in starts:
        for pile in everything(start):
            if isinstance(pile, c.Pile):
                found[pile.zone].add(kind)
    moves = [move for body in bodies for one in statements(body) if (move := moved(one))]
    moves += [(set(), (symbols.zones[z.refill],), (z,)) for z in symbols.zones.values() if z.refill in symbols.zones]
    is_settled = False
    while not is_settled:
        is_settled = True
        for named, leaves, enters in moves:
            kinds_moved = named.union(*(found[zone] for zone in leaves))
            for zone in enters:
                if zone.holds is None and not kinds_moved <= found[zone]:
                    found[zone] |= kinds_moved
                    is_settled = False
    return found


def moved(one: c.Statement) -> tuple[set[str], tuple[c.Zone, ...], tuple[c.Zone, ...]] | None:
    """The kinds that a statement moves, as far as they are known; the zones that other pieces leave; and those that all enter."""
    if not isinstance(one, c.Act) or not one.enters:
        return None
    types = [a.type for a in one.arguments if a is not None and not isinstance(a, c.Pile | c.EitherPile)]
    pieces = [plain(element(type)) for type in types]
    kinds = [piece.kind for piece in pieces if isinstance(piece, Piece)]
    named = {kind for kind in kinds if kind is not None}
    return named, () if kinds and None not in kinds else one.leaves, one.enters
