"""Names, families and entries of tables: their values, or what was probably meant."""

from __future__ import annotations

from math import prod
from typing import Any

from houserule.diagnostics import CALLED, Meant, Related, Span
from houserule.language import checked as c
from houserule.language import nodes
from houserule.language import types as ty
from houserule.language.calls import call_function, result_of_routine, still_in
from houserule.language.dispatch import expr
from houserule.language.fitting import (
    as_narrowed,
    coerce,
    declared_at,
    number_expr,
    require_present,
    typed_expr,
    words_for,
)
from houserule.language.format import format
from houserule.language.lists import family_entry, features, no_such_feature
from houserule.language.operators import present
from houserule.language.scope import (
    AttributeOf,
    Context,
    One,
    Strain,
    fresh_name,
    global_names,
    global_place,
    is_kind,
    use_me,
)
from houserule.language.trees import numbers_of
from houserule.language.words import FOREIGN_FUNCTIONS

NUMERALS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
HABITS = {
    **dict.fromkeys(("yes", "on", "true"), "true"),
    **dict.fromkeys(("no", "off", "false"), "false"),
    **dict.fromkeys(("none", "null", "nil", "nobody"), "none"),
    **dict.fromkeys(("my", "mine", "myself", "self", "i", "you", "current_player", "active_player"), "me"),
    "next_player": "next(me)",
    "previous_player": "previous(me)",
    **{word: str(number) for number, word in enumerate(NUMERALS)},
}
"""Words from other languages, and what they mean here."""

WAYS = {
    "player": "the player whose turn it is: me; all players: players",
    "random": "one of a list by chance, as a statement of its own: roll x from S",
    **dict.fromkeys(("other", "others", "rival"), "the other players: opponents; the next one: next(me)"),
    **dict.fromkeys(("all", "everybody", "everyone"), "all players: players; all pieces or members of a kind: every …"),
}
"""Words that may mean several things here, and how each is written."""

MOST_LISTED = 12
"""The most members listed as a suggestion."""


def name_expr(context: Context, node: nodes.Name, wanted: ty.Type | None) -> c.Expression:
    """The value of a bare name: the innermost thing with that name."""
    if isinstance(wanted, ty.Maybe):
        wanted = wanted.of
    value = (
        local_value(context, node)
        or value_of_language(context, node)
        or declared_value(context, node, wanted)
        or member_value(context, node, wanted)
        or value_of_teams(context, node)
    )
    return as_narrowed(context, value, node) if value is not None else unknown_name(context, node, wanted)


def local_value(context: Context, node: nodes.Name) -> c.Expression | None:
    local = context.scope.find(node.id)
    if local is None:
        return None
    local.reads += 1
    context.record(node, local)
    if local.constant is not None:
        return c.Constant(node.span, local.type, local.constant)
    return c.Local(node.span, local.type, local.unique)


def value_of_language(context: Context, node: nodes.Name) -> c.Expression | None:
    """The value of a name that every game has."""
    span = node.span
    match node.id:
        case "me":
            return use_me(context, span)
        case "this":
            message = "'this' is the piece or member whose effect runs; nothing is 'this' here"
            return context.this or context.error("HR501", message, span)
        case "it":
            message = "'it' is the current element in `S where …`; there is none here"
            word = "this" if context.this is not None else next(reversed([*context.scope.names]), "")
            return context.error("HR501", message, span, Meant(word) if word else None)
        case "players":
            return all_players(context, span)
        case "opponents":
            return still_in(context, opponents(context, span, use_me(context, span)))
        case "player_count":
            return c.known_number(span, context.symbols.players)
        case word if word in context.analysis.extra_names:
            return context.analysis.extra_names[word](span)
    return None


def all_players(context: Context, span: Span) -> c.Constant:
    players = context.symbols.players
    return c.Constant(span, ty.List(ty.PLAYER, players), tuple(range(players)))


def team_of(context: Context, player: c.Expression) -> c.Expression | None:
    """The team of a player; None in a game without teams."""
    teams = context.symbols.teams
    if isinstance(teams, c.Table):
        return c.LookUp(player.span, teams.type, teams, (player,))
    if teams is None or teams is context.routine:
        return None
    return c.Call(player.span, result_of_routine(context.analysis, teams), teams, (player,), context.me)


def same_team(context: Context, one: c.Expression, other: c.Expression) -> c.Expression | None:
    """Whether two different players are partners; None in a game without teams."""
    team, others = team_of(context, one), team_of(context, other)
    if team is None or others is None:
        return None
    same = c.Apply(one.span, ty.BOOL, ty.EQUAL, (team, others))
    return c.Apply(one.span, ty.BOOL, ty.AND, (same, present(team))) if isinstance(team.type, ty.Maybe) else same


def partners(context: Context, span: Span, me: c.Expression) -> c.Expression | None:
    """The partners of a player, beginning with the next; None in a game without teams."""
    return others_where(context, span, me, ty.PARTNERS, is_partner=True)


def opponents(context: Context, span: Span, me: c.Expression) -> c.Expression:
    """The other players, without partners, beginning with the next."""
    found = others_where(context, span, me, ty.RIVALS, is_partner=False)
    return found if found is not None else all_others(context, span, me)


def all_others(context: Context, span: Span, me: c.Expression) -> c.Expression:
    return c.Apply(span, ty.List(ty.PLAYER, context.symbols.players), ty.OPPONENTS, (me,))


def others_where(
    context: Context, span: Span, me: c.Expression, operator: ty.Operator, is_partner: bool
) -> c.Expression | None:
    """All others who are partners, or are not; with the operator that says so if there are certainly some."""
    unique = fresh_name(context, "player")
    test = same_team(context, c.Local(span, ty.PLAYER, unique), me)
    if test is None:
        return None
    test = test if is_partner else c.Apply(span, ty.BOOL, ty.NOT, (test,))
    source = all_others(context, span, me)
    found = c.Select(span, source.type, None, unique, source, test, ())
    teams = context.symbols.teams
    if not isinstance(teams, c.Table):
        return found
    none, values = ty.none_of(teams.type) if isinstance(teams.type, ty.Maybe) else None, list(teams.values)
    partners = [values.count(team) - 1 if team != none else 0 for team in values]
    some = all(partners) if is_partner else all(number < len(values) - 1 for number in partners)
    return c.Apply(span, source.type, operator, (found, me)) if some else found


def value_of_teams(context: Context, node: nodes.Name) -> c.Expression | None:
    """The value of `partners`, in a game with teams that has no other use for the word."""
    if node.id != "partners" or context.symbols.teams is None:
        return None
    found = partners(context, node.span, use_me(context, node.span))
    return still_in(context, found) if found is not None else None


def declared_value(context: Context, node: nodes.Name, wanted: ty.Type | None) -> c.Expression | None:
    """The value of a name that the game declares; a member of the wanted enum comes first."""
    word, span, symbols = node.id, node.span, context.symbols
    if isinstance(wanted, ty.Member) and wanted.kind in symbols.kinds:
        kind = symbols.kinds[wanted.kind]
        number = kind.first(word)
        if number is not None:
            context.use_one(kind, number, node)
            return c.Constant(span, wanted, number)
    family = symbols.variables.get(word) or symbols.zones.get(word)
    if family is not None:
        return family_entry(context, family, node)
    if word in symbols.options:
        option = symbols.options[word]
        context.use(option, node)
        type = ty.Int(option.value, option.value) if isinstance(option.type, ty.Int) else option.type
        return c.Constant(span, type, option.value)
    if word in symbols.tables:
        return context.error("HR511", f"'{word}' is a table: say which entry", span, f"{word}[…]")
    if word in symbols.functions and not symbols.functions[word].parameters:
        return call_function(context, symbols.functions[word], node)
    if word in symbols.seats:
        return c.Constant(span, ty.PLAYER, symbols.seats.index(word))
    return None


def member_value(context: Context, node: nodes.Name, wanted: ty.Type | None) -> c.Expression | None:
    """The value of the name of a member or a piece; an error if several enums have it, or if it names a kind."""
    word, span, symbols = node.id, node.span, context.symbols
    homes = list(symbols.members(word))
    piece = symbols.piece(word)
    if piece is not None and (not homes or (isinstance(wanted, ty.Piece) and wanted.kind in (None, piece[0].name))):
        homes = [piece]
    for kind, number in homes:
        context.use_one(kind, number, node)
    if len(homes) == 1:
        kind, number = homes[0]
        return c.Constant(span, kind.type, number)
    if homes:
        options = " or ".join(f"{kind.name}.{word}" for kind, _ in homes)
        related = [Related(f"'{kind.name}' has one", kind.spans[n]) for kind, n in homes]
        return context.error("HR505", f"several enums have a member '{word}'", span, f"write {options}", related)
    if word in symbols.kinds:
        message = f"'{word}' is the name of a kind, not a value"
        bearer = bearing(context, word)
        help = f"{bearer}.{word}" if bearer else f"all of them as a list: every {word}"
        return context.error("HR506", message, span, help, subject=word)
    return None


def unknown_name(context: Context, node: nodes.Name, wanted: ty.Type | None) -> c.Expression:
    """Report an unknown name, with what was probably meant."""
    word = node.id
    if context.analysis.meanings is not None:
        context.analysis.meanings.unknown[node] = context.scope.names, wanted
    message = f"there is nothing called '{word}' here"
    help = None
    if word in WAYS:
        help = WAYS[word]
    elif word == "owner" and (owners := owners_in_sight(context)):
        help = f"viewer == {owners[0]}"
    elif word in context.symbols.functions or word in context.analysis.operations:
        help = f"'{word}' is a function: {word}(…)"
    elif word in context.symbols.actions:
        help = f"'{word}' is an action: perform {word}"
    elif word == context.chosen:
        help = f"while the list is made each one is 'it': it.…; or it gives a name itself: {word} in …"
    elif held := held_before(context, word):
        return context.error("HR501", message, node.span, KEPT, [Related("its value is set here", held)], subject=word)
    elif bearer := bearing(context, word):
        help = f"{bearer}.{word}"
    elif word.lower() in HABITS and (wanted is None or may_be(context, HABITS[word.lower()], wanted)):
        help = Meant(HABITS[word.lower()], f"write {HABITS[word.lower()]}")
    elif HABITS.get(word.lower()) == "none" and wanted is not None:
        help = f"none, where the type allows it: {ty.spelled(wanted)} or none"
    if help is not None:
        return context.error("HR501", message, node.span, help, subject=word)
    otherwise = possible(context, wanted)
    if word == context.sought:
        otherwise = f"this asks whether '{word}' is in the list; those that are in it: ({word} in … where …), or the list by itself"
    return context.misnamed("HR501", message, node.span, word, meant(context, wanted), otherwise)


KEPT = "a name holds only in the block where it gets its value; to keep one, set a name before that block"


def held_before(context: Context, word: str) -> Span | None:
    """Where a name that does not hold here last got its value, in another block of the same text; this counts as its use.
    None in a long report."""
    if context.report.is_long:
        return None
    held = [one for one in context.locals.made if one.word == word and one.set_by in ("assign", "choose", "loop")]
    for name in held:
        name.reads += 1
    return held[-1].span if held else None


def owners_in_sight(context: Context) -> list[str]:
    """The players that a condition of sight names beside the viewer."""
    names = context.scope.names
    return [word for word, local in names.items() if local.type == ty.PLAYER and "viewer" in names and word != "viewer"]


def bearing(context: Context, attribute: str) -> str | None:
    """The nearest name here of something that has an attribute of this name."""
    known = {name: local.type for name, local in context.scope.names.items()}
    if context.this is not None:
        known = {"this": context.this.type, **known}
    for name in reversed(known):
        kind = context.symbols.kind_of(ty.plain(known[name]))
        if kind is not None and attribute in kind.attribute_types:
            return name
    return None


def possible(context: Context, wanted: ty.Type | None) -> str | None:
    """The possible values of a type, as a suggestion."""
    kinds = context.symbols.kinds
    match wanted:
        case ty.Int(low, high) if low > ty.LEAST and high < ty.GREATEST:
            return f"a number from {low} to {high}"
        case ty.Member(kind) if kind in kinds and len(kinds[kind].ids) <= MOST_LISTED:
            return f"{ty.indefinite(kind)} is {' or '.join(kinds[kind].ids)}"
        case ty.Bool():
            return "true or false"
    return None


def meant(context: Context, wanted: ty.Type | None) -> list[str]:
    """Names to suggest: those of the wanted type, if any; none in a long report."""
    if context.report.is_long:
        return []
    pool = [*global_names(context), "true", "false", "none"]
    if wanted is None:
        return pool
    return [word for word in pool if may_be(context, word, wanted)] or pool


def may_be(context: Context, word: str, wanted: ty.Type) -> bool:
    """Whether a name, or something derived from it, may have a type."""
    if isinstance(wanted, ty.Unknown):
        return True
    if word in ("true", "false"):
        return isinstance(ty.plain(wanted), ty.Bool)
    if word == "none":
        return isinstance(wanted, ty.Maybe)
    symbols = context.symbols
    local, variable, piece = context.scope.find(word), symbols.variables.get(word), symbols.piece(word)
    types = [found.type for found in (local, variable) if found is not None][:1]
    types = types or [kind.type for kind, _ in (*symbols.members(word), *([piece] if piece is not None else ()))]
    return not types or any(isinstance(type, ty.List) or ty.fits(ty.plain(type), ty.plain(wanted)) for type in types)


def copy_expr(context: Context, node: nodes.Copy) -> c.Expression:
    """One copy of a piece: `bolete#2`."""
    span, id, number = node.span, node.id, node.number
    found = context.symbols.piece(id)
    if found is None:
        ids = [i for k in context.symbols.kinds.values() if k.is_piece for i in k.ids]
        return context.misnamed("HR501", f"there is no piece '{id}'", span.first(len(id)), id, ids)
    kind, first = found
    context.use_one(kind, first, node)
    copies = kind.ids.count(id)
    if not 1 <= number <= copies:
        return context.error(
            "HR507",
            f"there {'is one copy' if copies == 1 else f'are {copies} copies'} of '{id}', so no #{number}",
            span,
            f"{id}#{max(1, min(number, copies))}",
            [Related("declared here", kind.spans[first - kind.base])],
        )
    return c.Constant(span, kind.type, first + number - 1)


def attribute(context: Context, node: nodes.Attribute, arguments: tuple[nodes.Expression, ...] = ()) -> c.Expression:
    """`x.f`, `x.f[more]`: an attribute, else a zone or variable `f[x]`, else the function `f(x)`."""
    symbols, name = context.symbols, node.name
    member = member_of_kind(context, node)
    if member is not None:
        return member
    of = expr(context, node.of)
    if isinstance(of.type, ty.Unknown):
        return of
    of = require_present(context, of, node.of)
    type = of.type
    if isinstance(type, ty.List):
        return not_single(context, node, of, type)
    kind = symbols.kind_of(type)
    if kind is not None and name in kind.attribute_types and not arguments:
        context.record(node, AttributeOf(kind, name))
        return printed_value(node, kind, of)
    if kind is not None and name in kind.functions and not arguments:
        return call_function(context, kind.functions[name], node, (), (of,))
    for family in (symbols.zones.get(name), symbols.variables.get(name)):
        if family is not None and family.parameters and ty.fits(type, family.parameters[0].type):
            return family_entry(context, family, node, arguments, (of,))
    function = symbols.functions.get(name)
    if function is not None and function.parameters and ty.fits(type, function.parameters[0].type):
        return call_function(context, function, node, arguments, (of,))
    return no_such_feature(context, node, type)


def not_single(context: Context, node: nodes.Attribute, of: c.Expression, type: ty.List) -> c.Expression:
    """Report that a list has no attributes, and what was probably meant."""
    text, name = format(node.of), node.name
    message = f"'{text}' is {words_for(of)}, but only a single thing has a '.{name}'"
    help = f"for each of them: x.{name} for x in {text}" if not isinstance(of, c.AllPieces) else None
    if help is not None and name in context.symbols.variables and name in features(context, type.of):
        help += f"; to set it: for x in {text}: x.{name} = …"
    whole = f"{name}(S)" if name in context.analysis.operations else FOREIGN_FUNCTIONS.get(name)
    if whole is not None and name not in features(context, type.of):
        help = whole.replace("S", text)
    return context.error("HR508", message, node.name_span, help, declared_at(of))


def member_of_kind(context: Context, node: nodes.Attribute) -> c.Expression | None:
    """`place.wood`: a member by the name of its kind; None if the dot means something else."""
    symbols, name = context.symbols, node.name
    if not isinstance(node.of, nodes.Name) or not is_kind(context, node.of):
        return None
    kind = symbols.kinds[node.of.id]
    number = kind.first(name)
    context.use(kind, node.of)
    if number is not None:
        context.record(node, One(kind, number))
        return c.Constant(node.span, kind.type, number)
    if kind.is_piece or kind.name in symbols.zones or kind.name in symbols.variables:
        return None
    bearer = bearing(context, kind.name) if name in kind.attribute_types else None
    help = f"{bearer}.{kind.name}.{name}" if bearer else None
    return context.misnamed("HR501", f"'{kind.name}' has no member '{name}'", node.name_span, name, kind.ids, help)


def printed_value(node: nodes.Attribute, kind: c.Kind, of: c.Expression) -> c.Expression:
    name = node.name
    if isinstance(of, c.Constant) and isinstance(of.value, int):
        value = kind.attributes[name][of.value - kind.base] if kind.attributes.get(name) else 0
        return c.Constant(node.span, kind.attribute_types[name], value)
    return c.Printed(node.span, kind.attribute_types[name], kind, name, of)


def indexed(context: Context, node: nodes.Index) -> c.Expression:
    """`patch[wood]`, `price[n]`, `hook[me, 2]`, `me.pips[m]`."""
    symbols = context.symbols
    if isinstance(node.of, nodes.Attribute):
        return attribute(context, node.of, node.arguments)
    if isinstance(node.of, nodes.Name) and context.scope.find(node.of.id) is None:
        word = node.of.id
        if (family := symbols.variables.get(word) or symbols.zones.get(word)) is not None:
            return family_entry(context, family, node.of, node.arguments, span=node.span)
        if word in symbols.tables:
            return table_entry(context, word, node)
        if word in symbols.kinds:
            return product_entry(context, symbols.kinds[word], node)
        if word not in ("players", "opponents"):
            products = (kind.name for kind in symbols.kinds.values() if kind.product)
            pool = [*symbols.zones, *symbols.variables, *symbols.tables, *products]
            found = global_place(context, word)
            if word in symbols.functions or word in context.analysis.operations:
                help = f"{word}({', '.join(map(format, node.arguments))})"
                message = f"'{word}' is a function, which takes its arguments in round brackets"
                return context.error("HR501", message, node.of.span, help, subject=word)
            message = (
                f"'{word}' is {found[0]} and has no entries"
                if found
                else f"there is no zone, variable or table '{word}'"
            )
            return context.misnamed("HR501", message, node.of.span, word, pool)
    value = expr(context, node.of)
    if isinstance(value.type, ty.List) and len(node.arguments) == 1:
        position = number_expr(context, node.arguments[0])
        type = ty.maybe(value.type.of)
        return c.Apply(node.span, type, ty.ITEM, (value, position, c.known_number(node.span, ty.none_of(type))))
    if isinstance(value.type, ty.Unknown):
        return value
    return context.error("HR510", f"'{format(node.of)}' is {value.type} and has no entries", node.span)


def table_entry(context: Context, word: str, node: nodes.Index) -> c.Expression:
    table = context.symbols.tables[word]
    context.use(table, node.of)
    if isinstance(table.type, ty.Unknown):
        return c.Constant(node.span, ty.UNKNOWN, 0)
    wanted = len(table.indices)
    if len(node.arguments) != wanted:
        message = f"table '{word}' expects {wanted} {'index' if wanted == 1 else 'indices'}, got {len(node.arguments)}"
        return context.error(
            "HR511", message, node.span, None, [Related("declared here", table.span)], follows_from=(CALLED,)
        )
    index = []
    size = len(table.values)
    for position, (argument, type) in enumerate(zip(node.arguments, table.indices, strict=True)):
        before = len(context.report.found)
        value = typed_expr(context, argument, type, f"the index of table '{word}'")
        if len(context.report.found) > before and isinstance(type, ty.Int):
            say_map(context, word, argument, before)
        if isinstance(value.type, ty.Int) and isinstance(type, ty.Int):
            if position == 1:
                size = len(table.values[0]) if table.values and isinstance(table.values[0], tuple) else 0
            if value.type.high < 0 or value.type.low >= size:
                message = (
                    f"table '{word}' has the entries 0..{size - 1} (it counts from 0), so none for '{format(argument)}'"
                )
                context.error("HR552", message, argument.span, None, [Related("declared here", table.span)])
            elif size <= value.type.high < ty.GREATEST:
                strain = Strain(format(argument), value.type.high, word, size - 1, argument.span)
                context.analysis.strains.append(strain)
        index.append(value)
    numbers = numbers_of(index)
    if numbers is None or any(isinstance(i.type, ty.Unknown) for i in index):
        return c.LookUp(node.span, table.type, table, tuple(index))
    entry: Any = table.values
    for number, low in zip(numbers, table.lows, strict=True):
        if not 0 <= number - low < len(entry):
            return c.Constant(node.span, table.type, 0)
        entry = entry[number - low]
    return c.Constant(node.span, table.type, entry)


def say_map(context: Context, word: str, argument: nodes.Expression, before: int) -> None:
    """Add to a wrong index of a table that is a list which map it should be, if the index is a member of an enum."""
    kind = context.symbols.kind_of(ty.plain(expr(context, argument).type))
    if kind is not None and not kind.is_piece:
        entries = ", ".join(f"{id}: …" for id in kind.ids)
        help = f"a list has numbers as its index; a map: {word}: {{{entries}}}"
        context.report.advise(before, "HR510", help, subject=word)


def product_entry(context: Context, kind: c.Kind, node: nodes.Index) -> c.Expression:
    """The piece of a product, or none if it does not exist."""
    context.use(kind, node.of)
    if not kind.product:
        message = f"'{kind.name}' is not made by `each`, so it has no indices"
        similar = context.report.did_you_mean(kind.name, [*context.symbols.zones, *context.symbols.variables])
        return context.error("HR511", message, node.span, similar)
    if len(node.arguments) != len(kind.product):
        message = f"'{kind.name}' expects {len(kind.product)} indices, got {len(node.arguments)}"
        return context.error("HR511", message, node.span, f"{kind.name}[{', '.join(kind.product_names)}]")
    if any(isinstance(type, ty.Unknown) for type in kind.product):
        return c.Constant(node.span, ty.UNKNOWN, 0)
    what = f"the index of '{kind.name}'"
    index = [
        coerce(context, expr(context, a, t), ty.Int() if isinstance(t, ty.Int) else t, a, what)
        for a, t in zip(node.arguments, kind.product, strict=True)
    ]
    numbers = numbers_of(index)
    if numbers is not None:
        found = kind.cells.get(numbers, ty.NONE)
        return c.Constant(node.span, kind.type if found != ty.NONE else ty.Maybe(kind.type), found)
    inside = all(
        not isinstance(t, ty.Int) or (isinstance(i.type, ty.Int) and t.low <= i.type.low and i.type.high <= t.high)
        for i, t in zip(index, kind.product, strict=True)
    )
    cells, lows, sizes = flat_cells(context, kind)
    type = kind.type if inside and ty.NONE not in cells else ty.Maybe(kind.type)
    listed = ty.List(ty.NUMBER)
    grid = tuple(c.Constant(node.span, listed, numbers) for numbers in (cells, lows, sizes))
    return c.Apply(node.span, type, ty.CELL, (*grid, c.Items(node.span, listed, tuple(index))))


def flat_cells(context: Context, kind: c.Kind) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """The pieces of a product in a flat tuple, with the least value and the number of values of each index."""
    domains = [domain for type in kind.product if (domain := context.symbols.domain(type)) is not None]
    assert len(domains) == len(kind.product)
    lows, sizes = tuple(domain.start for domain in domains), tuple(map(len, domains))
    cells = [ty.NONE] * prod(sizes)
    for values, number in kind.cells.items():
        cells[ty.place_of(values, lows, sizes)] = number
    return tuple(cells), lows, sizes
