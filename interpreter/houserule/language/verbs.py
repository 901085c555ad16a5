"""Verbs and assignments: commands, checked against the rows of the table of operations, and what is known after one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

from houserule.diagnostics import ABOVE, Related, Report, Span
from houserule.language import checked as c
from houserule.language import nodes
from houserule.language import types as ty
from houserule.language.blocks import forbid_change
from houserule.language.dispatch import expr
from houserule.language.fitting import (
    coerce,
    declared_at,
    in_range,
    is_inside,
    require_present,
    snapshot,
    typed_expr,
    words_for,
)
from houserule.language.format import format
from houserule.language.lists import element_type, list_expr, never_empty, pile_expr
from houserule.language.scope import ENDS, Context, Name, bind, bind_new, declared_place, fresh_name, key_of
from houserule.language.trees import piles_of, walk, zones_of
from houserule.language.words import NEVER_BOUND


def assign(context: Context, node: nodes.Assign) -> list[c.Statement]:
    """`x = e`, `x += e`."""
    value_node: nodes.Expression = node.value
    if node.operator != "=":
        value_node = nodes.Binary(node.span, node.target, node.operator[:-1], node.value)
    target = node.target
    if isinstance(target, nodes.Name) and target.id not in context.symbols.variables:
        return assign_local(context, node, target, value_node)
    if isinstance(target, nodes.Name) and is_brought_later(context, target):
        context.error(
            "HR526",
            f"'{target.id}' is a local name, and a house rule makes a variable of that name",
            target.span,
            "give one of the two another name",
            [Related("the variable is declared here", context.symbols.variables[target.id].span)],
        )
        return []
    before = len(context.report.found)
    place = settable(context, target)
    if place is None:
        if isinstance(target, nodes.Name) and node.operator == "=":
            context.report.advise(before, "HR511", "for a new name, choose another one", adds=True)
        expr(context, node.value)
        return []
    value = value_for(context, value_node, place.type)
    return [set_variable(context, node.span, place, value, value_node)]


def is_brought_later(context: Context, target: nodes.Name) -> bool:
    """Whether a variant that this effect does not know of declares such a variable: the name must not silently become local."""
    added = context.analysis.added
    files = [file for file, _ in added]
    if target.span.file not in files:
        return False  # A scenario names its variants, and knows their variables.
    return any(target.id in names for _, names in added[files.index(target.span.file) + 1 :])


def value_for(context: Context, node: nodes.Expression, wanted: ty.Type) -> c.Expression:
    check = list_expr if isinstance(wanted, ty.List) else expr
    return snapshot(check(context, node, wanted))


def settable(context: Context, node: nodes.Expression) -> c.ReadVariable | None:
    """A variable that can be set; None after a diagnostic."""
    if isinstance(node, nodes.Name) and node.id in NEVER_BOUND:
        context.error("HR542", f"'{node.id}' cannot be set", node.span)
        return None
    key = key_of(context, node)
    inside = context.inner()
    inside.scope.narrowed = {k: t for k, t in inside.scope.narrowed.items() if k != key}
    value = expr(inside, node)
    match value:
        case c.ReadVariable():
            value.variable.writes += 1
            value.variable.uses -= 1
            return value
        case _ if isinstance(value.type, ty.Unknown):
            return None
        case c.Pile() | c.Single() | c.AllPieces():
            text = format(node)
            message = f"'{text}' is a zone: pieces are moved, not set"
            context.error("HR542", message, node.span, f"move … to {text}", declared_at(value))
        case _:
            message = f"'{format(node)}' is not a variable, so it cannot be set"
            context.error("HR542", message, node.span, "declare what changes under `variables:`")
    return None


def set_variable(
    context: Context, span: Span, place: c.ReadVariable, value: c.Expression, node: nodes.Expression
) -> c.Statement:
    """Set a variable, within its range."""
    forbid_change(context, "set a variable", span)
    what = f"variable '{place.variable.name}'"
    value = coerce(context, value, place.type, node, what)
    checked = in_range(context, value, place.type, node, what)
    bounds = ty.plain(place.type)
    needs_check = checked is not value or (isinstance(bounds, ty.Int) and not is_inside(value, bounds))
    forget_with(context, place.variable)
    return c.SetVariable(span, place, value, needs_check)


def forget_with(context: Context, variable: c.Variable) -> None:
    """Forget what may be another after a variable is set: all that is not written with names of other things alone."""
    symbols = context.symbols
    if ("changes", variable.name) in symbols.waiting or not context.scope.narrowed:
        context.scope.forget_state()
        return
    steady = {"me", *ENDS, *context.scope.names, *symbols.zones, *symbols.variables, *symbols.options, *symbols.seats}
    for kind in symbols.kinds.values():
        steady.update(kind.attribute_types, kind.ids)
    following = (name for name, other in symbols.variables.items() if other is variable or other.positions)
    computed = (name for kind in symbols.kinds.values() for name in kind.functions)
    context.scope.forget_all_but(steady.difference(following, computed, symbols.functions))


def assign_local(
    context: Context, node: nodes.Assign, target: nodes.Name, value_node: nodes.Expression
) -> list[c.Statement]:
    word = target.id
    if word in NEVER_BOUND:
        context.error("HR542", f"'{word}' cannot be set", target.span)
        return []
    local = context.scope.find(word)
    if local is None:
        return make_local(context, node, target)
    context.record(target, local)
    was_read = local.reads > 0
    value = value_for(context, value_node, local.type)
    if node.operator != "=":
        local.reads -= 1
    type = local.type
    is_empty_list = isinstance(type, ty.List) and isinstance(type.of, ty.Unknown)
    if not ty.fits(value.type, type):
        joined = ty.join(type, value.type) if is_empty_list or isinstance(value.type, ty.Unknown) else None
        if joined is None:
            value = coerce(context, value, type, value_node, f"'{word}'")
        else:
            local.type = joined
    elif is_empty_list and isinstance(value.type, ty.List):
        local.type = value.type
    if is_empty_list and was_read and element_type_is_known(local.type):
        context.analysis.begun.setdefault(local.span, local.type)
    if not isinstance(value.type, ty.Unknown):
        value = coerce(context, value, local.type, value_node, f"'{word}'")
    now_has(context, local, value.type)
    return [c.SetLocal(node.span, local.unique, value, not is_inside(value, ty.NUMBER))]


def make_local(context: Context, node: nodes.Assign, target: nodes.Name) -> list[c.Statement]:
    """Declare a local name by giving it a value."""
    word = target.id
    if node.operator != "=":
        expr(context, node.value)
        pool = [*context.symbols.variables, *context.scope.names]
        message = f"there is nothing called '{word}' here to add to"
        context.misnamed("HR501", message, target.span, word, pool)
        return []
    other = declared_place(context, word)
    if other is not None:
        expr(context, node.value)
        related = [Related("declared here", other[1])]
        context.error("HR542", f"'{word}' is {other[0]}, so it cannot be set", target.span, None, related)
        return []
    value = value_for(context, node.value, ty.UNKNOWN)
    type = later_type(context, word) if isinstance(value.type, ty.NoValue) else value.type
    if isinstance(type, ty.List) and not element_type_is_known(type):
        type = context.analysis.begun.get(target.span, type)
    is_shown = isinstance(node.value, nodes.Call) and key_of(context, node.value) in context.scope.narrowed
    made = bind(context, word, ty.maybe(type) if is_shown else type, target.span, "assign")
    if is_shown:  # testing the name again is no mistake
        context.scope.narrow({f"={made.unique}": type})
    context.record(target, made)
    fitted = coerce(context, value, made.type, node.value, f"'{word}'")
    return [c.SetLocal(node.span, made.unique, fitted, not is_inside(value, ty.NUMBER))]


def element_type_is_known(type: ty.Type) -> bool:
    """Whether the type of a list's members is known; not for an empty list before something is added to it."""
    return isinstance(type, ty.List) and not isinstance(type.of, ty.Unknown)


def now_has(context: Context, local: Name, type: ty.Type) -> None:
    """A local name gets a value of that type: one that cannot be none needs no test."""
    context.scope.forget_local(local)
    if isinstance(local.type, ty.Maybe) and not isinstance(type, ty.Maybe | ty.Unknown | ty.NoValue):
        context.scope.narrow({f"={local.unique}": local.type.of})


def later_type(context: Context, word: str) -> ty.Type:
    """The type of a local that starts as none: that of the value it gets later in the text."""
    for node in walk(context.source):
        match node:
            case nodes.Assign(target=nodes.Name(id=target), value=value) if target == word and not isinstance(
                value, nodes.Absent
            ):
                return ty.maybe(guessed_type(context, value))
    return ty.Maybe(ty.UNKNOWN)


def guessed_type(context: Context, node: nodes.Expression) -> ty.Type:
    """The type that an expression further down will have, as far as that can be inferred here; reports nothing."""
    silent = context.inner(report=Report())
    found = expr(silent, node).type
    if isinstance(found, ty.Unknown) and isinstance(node, nodes.Name):
        for other in walk(context.source):
            match other:
                case nodes.For(binder=name, source=source) | nodes.Choose(name=name, source=source) if name == node.id:
                    return element_type(list_expr(context.inner(report=Report()), source))
    return found


# --- verbs ------------------------------------------------------------------------------------------------------------


TYPE_OF = attrgetter("type")
TOP = 1_000_000
"""The position at the top of any pile; zero is at its bottom."""
ZONES_A_UNIT = 10
"""The zones that pieces may leave or enter for a unit of the budget: checking goes through all of them."""

Given = dict[str, nodes.Preposition]
Zones = tuple[c.Zone, ...]
"""What follows each preposition of a command."""


def command(context: Context, node: nodes.Command) -> list[c.Statement]:
    """A verb of the table of operations."""
    verbs = context.analysis.verbs
    verb = verbs.get(node.verb)
    if verb is None:
        context.misnamed("HR503", f"there is no verb '{node.verb}'", node.verb_span, node.verb, verbs)
        return []
    forbid_change(context, node.verb, node.span)
    given = {p.word: p for p in node.prepositions}
    is_complete = has_its_prepositions(context, verb, node, given)
    if not is_complete and isinstance(node.argument, nodes.Logic):
        return []  # What is missing stands there as `and`.
    if context.in_together and not verb.doing.is_own:
        message = f"'{node.verb}' is not allowed in a together: it is not one player's own action"
        context.error("HR532", message, node.verb_span, "do it after the together")
    if verb.argument == "place" and is_complete:
        return roll(context, node, verb, given)
    if verb.argument == "place":
        bind_unknown(context, given["as"].value if "as" in given else node.argument)
        return []
    if verb.argument == "alike" and is_complete:
        exchanged = swap_names(context, node, given["with"].value)
        if exchanged is not None:
            return exchanged
    shape, argument = verb_argument(context, verb, node)
    values = {"argument": argument}
    for word, preposition in given.items():
        pattern = verb.prepositions.get(word, "name").rstrip("?")
        if pattern != "name":
            values[word] = after_preposition(context, pattern, preposition, node, argument, shape)
    if not is_complete or ty.Unknown in map(type, map(TYPE_OF, values.values())):
        bind_unknown(context, given["as"].value if "as" in given else None)
        return []
    mixed = check_holds(context, values)
    return [act(context, node, verb, shape, given, values, mixed)]


def bind_unknown(context: Context, name: nodes.Expression | None) -> None:
    """After a mistake, declare the name of a result with an unknown type."""
    if isinstance(name, nodes.Name) and name.id not in context.symbols.variables and not context.scope.find(name.id):
        bind(context, name.id, ty.UNKNOWN, name.span, "verb")


def act(
    context: Context,
    node: nodes.Command,
    verb: Any,
    shape: str,
    given: Given,
    values: dict[str, c.Expression],
    mixed: Zones,
) -> c.Statement:
    """A verb, with the name of its result."""
    result = None
    name = given["as"].value if "as" in given and verb.prepositions["as"].rstrip("?") == "name" else None
    if isinstance(name, nodes.Name):
        element = element_type(values.get("from", values["argument"]))
        type = ty.maybe(element) if shape == "one" else ty.List(element)
        result = bind_new(context, name.id, type, name.span, "verb")
        context.record(name, result)
    leaves, enters = moved_between(context, verb.doing.effects, values)
    context.analysis.budget.spend((len(leaves) + len(enters)) // ZONES_A_UNIT, node.span)
    changes = tuple(v.variable for v in values.values() if isinstance(v, c.ReadVariable)) if shape == "variable" else ()
    for family in (*changes, *enters):
        family.writes += 1
    context.scope.forget_state()
    return c.Act(
        node.span,
        verb.operators.get(shape) or verb.operators["any"],
        tuple(map(values.get, ("argument", *verb.prepositions))),
        result.unique if result else None,
        leaves=leaves,
        enters=enters,
        mixed=mixed,
        changes=changes,
    )


def has_its_prepositions(context: Context, verb: Any, node: nodes.Command, given: Given) -> bool:
    """Whether a command has the prepositions that its verb requires, and no other."""
    example = f"for example: {verb.example.splitlines()[0]}"
    for word, preposition in given.items():
        if word not in verb.prepositions:
            context.error("HR513", f"'{node.verb}' does not take '{word}'", preposition.span, example)
    missing = [word for word, pattern in verb.prepositions.items() if not pattern.endswith("?") and word not in given]
    for word in missing if given.keys() <= verb.prepositions.keys() else ():
        if isinstance(node.argument, nodes.Logic) and len(missing) == 1:
            example = f"{verb.name} {format(node.argument.left)} {word} {format(node.argument.right)}"
        context.error("HR513", f"'{node.verb}' expects '{word}'", node.span, example)
    return not missing and given.keys() <= verb.prepositions.keys()


def verb_argument(context: Context, verb: Any, node: nodes.Command) -> tuple[str, c.Expression]:
    argument = node.argument
    what = f"what '{verb.name}' takes"
    match verb.argument:
        case "number":
            is_one = isinstance(argument, nodes.Number) and argument.value == 1 and "one" in verb.operators
            return "one" if is_one else "any", count_of(context, verb, argument)
        case "pile":
            return "any", pile_expr(context, argument, what, "HR512")
        case "pieces":
            moves = any(isinstance(effect, ty.Moves) for effect in verb.doing.effects)
            return pieces_of(context, argument, what, moves)
        case "alike":
            return exchanged_of(context, argument, what)
        case "hands":
            return "any", hands_of(context, argument, what)
    raise AssertionError(verb.argument)


def count_of(context: Context, verb: Any, node: nodes.Expression) -> c.Expression:
    """How many pieces a verb moves."""
    value = expr(context, node, ty.NUMBER)
    if ty.fits(value.type, ty.NUMBER):
        return require_present(context, value, node)
    if isinstance(value, c.Pile | c.Single | c.AllPieces):
        message = f"{verb.name}'s count is a number, but '{format(node)}' is a zone"
        example = f"for example: {verb.example.splitlines()[0]}"
        return context.error("HR512", message, node.span, example, declared_at(value))
    coerce(context, value, ty.NUMBER, node, f"{verb.name}'s count", "HR512")
    return c.Constant(node.span, ty.UNKNOWN, 0)


def pieces_of(context: Context, node: nodes.Expression, what: str, moves: bool) -> tuple[str, c.Expression]:
    is_selection = isinstance(node, nodes.Compare) and node.operator == "in"
    value = list_expr(context, node) if is_selection else expr(context, node)
    type = value.type
    if isinstance(value, c.Pile):
        return "pile", value
    if isinstance(type, ty.List) and isinstance(type.of, ty.Piece | ty.Unknown):
        return "list", value
    if isinstance(ty.plain(type), ty.Piece | ty.NoValue | ty.Unknown):
        return "piece", value
    help = None
    if (
        isinstance(type, ty.List)
        and isinstance(type.of, ty.Maybe)
        and isinstance(ty.plain(type.of), ty.Piece | ty.Unknown)
    ):
        help = "name what may be none by itself, without brackets: a verb does nothing with none"
    if isinstance(type, ty.Int) and moves:
        help = "to move a number of pieces from a pile: draw 2 from … to …"
    help = help or piece_with(context, node, type)
    message = f"{what} is a piece, a list of pieces or a zone, but '{format(node)}' is {type}"
    return "piece", context.error("HR512", message, node.span, help)


def piece_with(context: Context, node: nodes.Expression, type: ty.Type) -> str | None:
    """The piece that a member stands for, if `each` makes pieces of these members alone: `card[king]`."""
    for kind in context.symbols.kinds.values():
        if (
            kind.is_piece
            and len(kind.product) == 1
            and isinstance(type, ty.Member)
            and ty.plain(kind.product[0]) == type
        ):
            return f"the {kind.name} of {format(node)}: {kind.name}[{format(node)}]"
    return None


def swap_names(context: Context, node: nodes.Command, other: nodes.Expression) -> list[c.Statement] | None:
    """Two values of which one at least has a local name swap; None if they are pieces, zones or variables."""
    sides = (node.argument, other)
    local = [side for side in sides if isinstance(side, nodes.Name) and context.scope.find(side.id)]
    types = [ty.plain(expr(context, side).type) for side in local]
    if all(isinstance(t, ty.Unknown | ty.List) or (isinstance(t, ty.Piece) and can_lie(context, t)) for t in types):
        return None
    a, b = (expr(context, side).type for side in sides)
    if not (ty.fits(a, b) and ty.fits(b, a)):
        context.error("HR512", f"'{node.verb}' expects two things of one type: {a} and {b}", other.span)
        return []
    kept = nodes.Name(node.span, "0kept")
    context.scope.names = {word: name for word, name in context.scope.names.items() if word != kept.id}
    steps = (
        nodes.Assign(node.span, kept, "=", node.argument),
        nodes.Assign(node.span, node.argument, "=", other),
        nodes.Assign(node.span, other, "=", kept),
    )
    return [made for step in steps for made in assign(context, step)]


def can_lie(context: Context, piece: ty.Piece) -> bool:
    """Whether a piece of that type can lie anywhere; a space of a board cannot."""
    return piece.kind is None or context.symbols.kinds[piece.kind].lies


def exchanged_of(context: Context, node: nodes.Expression, what: str) -> tuple[str, c.Expression]:
    """What can be exchanged: a piece, a zone or a variable."""
    value = expr(context, node)
    type = ty.plain(value.type)
    if isinstance(value, c.Pile | c.Single):
        return "pile", value if isinstance(value, c.Pile) else value.pile
    if isinstance(type, ty.Unknown) or (isinstance(type, ty.Piece) and can_lie(context, type)):
        return "piece", value
    if isinstance(value, c.ReadVariable):
        settable(context, node)
        if value.variable.positions:
            message = f"'{format(node)}' has a value per position, so it changes places with nothing"
            context.error("HR528", message, node.span, "set it with '='")
        return "variable", value
    message = f"{what} is a piece, a zone or a variable, but '{format(node)}' is {value.type}"
    return "piece", context.error("HR512", message, node.span)


def hands_of(context: Context, node: nodes.Expression, what: str) -> c.Expression:
    """A family of zones with one for each player, as the number of its first slot."""
    value = expr(context, node)
    if isinstance(value, c.AllPieces) and value.zone.owned and len(value.zone.parameters) == 1:
        return c.Constant(node.span, ty.NUMBER, value.zone.base)
    if isinstance(value.type, ty.Unknown):
        return value
    message = f"{what} is a family of zones, one for each player, but '{format(node)}' is {words_for(value)}"
    return context.error("HR512", message, node.span, "rotate hand")


def after_preposition(
    context: Context,
    pattern: str,
    preposition: nodes.Preposition,
    node: nodes.Command,
    argument: c.Expression,
    shape: str,
) -> c.Expression:
    follows = preposition.value
    what = f"what follows '{preposition.word}'"
    match pattern:
        case "pile":
            return pile_expr(context, follows, what, "HR512")
        case "number":
            return typed_expr(context, follows, ty.NUMBER, what, "HR512")
        case "position":
            word = follows.id if isinstance(follows, nodes.Name) else ""
            if word in ("bottom", "top") and context.scope.find(word) is None:
                return c.Constant(follows.span, ty.NUMBER, 0 if word == "bottom" else TOP)
            return typed_expr(context, follows, ty.NUMBER, what, "HR512")
        case "players":
            is_selection = isinstance(follows, nodes.Compare)
            value = list_expr(context, follows) if is_selection else expr(context, follows, ty.PLAYER)
            if ty.fits(value.type, ty.List(ty.PLAYER)):
                return value
            one = coerce(context, value, ty.PLAYER, follows, what, "HR512")
            return c.Apply(one.span, ty.List(ty.PLAYER), ty.ALONE, (one,))
        case "alike":
            other_shape, other = exchanged_of(context, follows, what)
            if isinstance(other.type, ty.Unknown) or isinstance(argument.type, ty.Unknown):
                return other
            is_alike = ty.fits(ty.plain(other.type), ty.plain(argument.type))  # with none, nothing happens
            is_alike = other.type == argument.type if shape == "variable" else is_alike
            if other_shape == shape and is_alike:
                return other
            message = (
                f"'{node.verb}' expects two things of one type: {words_for_swap(argument)} and {words_for_swap(other)}"
            )
            return context.error(
                "HR512", message, follows.span, advice_for_swap((node.argument, shape), (follows, other_shape))
            )
    raise AssertionError(pattern)


def words_for_swap(value: c.Expression) -> str:
    """What changes places, with the kind of pieces that a zone holds."""
    if not isinstance(value, c.Pile):
        return words_for(value)
    return f"a zone of {value.zone.holds} pieces" if value.zone.holds is not None else "a zone of pieces of any kind"


def advice_for_swap(*sides: tuple[nodes.Expression, str]) -> str | None:
    """What to type if a piece should change places with the one in a zone."""
    zones = [format(side) for side, shape in sides if shape == "pile"]
    return f"the piece in it: top({zones[0]})" if {shape for _, shape in sides} == {"pile", "piece"} else None


def check_holds(context: Context, values: dict[str, c.Expression]) -> Zones:
    """Check that a zone takes pieces of that kind; returns the zones where only the match shows it, since they may be of any kind."""
    element = ty.plain(ty.element(values.get("from", values["argument"]).type))
    piles = piles_of(values.get("to")) if isinstance(element, ty.Piece) else ()
    if isinstance(element, ty.Piece) and element.kind is not None:
        for pile in piles:
            check_kind(context, pile.zone, element.kind, pile.span)
        return ()
    is_told_apart = sum(kind.is_piece for kind in context.symbols.kinds.values()) > 1
    return tuple(dict.fromkeys(pile.zone for pile in piles if is_told_apart and pile.zone.holds is not None))


def check_kind(context: Context, zone: c.Zone, kind: str, span: Span) -> None:
    if zone.holds not in (None, kind):
        message = f"zone '{zone.name}' holds {zone.holds} pieces, not {kind}"
        context.error("HR514", message, span, None, [Related("declared here", zone.span)])


def moved_between(
    context: Context, effects: Sequence[ty.Effect], values: dict[str, c.Expression]
) -> tuple[Zones, Zones]:
    """The zones that pieces may leave, and those that they may enter."""
    zones = context.symbols.zones
    leaves: Zones = ()
    enters: Zones = ()
    for effect in effects:
        match effect:
            case ty.Moves(what=what, to=to, number=number):
                left, entered = touched_by(context, values[what]), zones_of(values[to])
                refills = [zones[zone.refill] for zone in left if number and zone.refill in zones]
                if refills:
                    left = entered = (*left, *refills, *entered)
            case ty.Exchanges(one=one, other=other):
                left = entered = (*touched_by(context, values[one]), *touched_by(context, values[other]))
            case ty.Passes(what=what) | ty.Mixes(what=what):
                left = entered = touched_by(context, values[what])
            case ty.Picks() | ty.Shows():
                continue
        leaves, enters = (*leaves, *left), (*enters, *entered)
    return tuple(dict.fromkeys(leaves)), tuple(dict.fromkeys(enters))


def touched_by(context: Context, value: c.Expression) -> Zones:
    """The zones that an expression denotes, or those in which its pieces may lie; a family is given by its first slot."""
    if piles := zones_of(value):
        return piles
    type = value.type.of if isinstance(value.type, ty.List) else ty.plain(value.type)
    zones = context.symbols.zones.values()
    if isinstance(type, ty.Piece):
        return tuple(zone for zone in zones if type.kind is None or zone.holds in (None, type.kind))
    return tuple(zone for zone in zones if isinstance(value, c.Constant) and zone.base == value.value)


def roll(context: Context, node: nodes.Command, verb: Any, given: Given) -> list[c.Statement]:
    """`roll n from S`: into a new name, a local, or a variable."""
    source = list_expr(context, given["from"].value)
    if isinstance(source, c.Pile):  # its pieces in place: they are read now and not kept
        source = c.Apply(source.span, source.type, ty.LIVE, (source,))
    element = element_type(source)
    is_never_empty = isinstance(source, c.Constant) and isinstance(source.value, tuple) and len(source.value) > 0
    type = element if is_never_empty else ty.maybe(element)
    target = node.argument
    spoken = format(target)
    context.analysis.rolled[spoken] = element
    arguments = (None, source, c.known_number(node.span, ty.none_of(type)))
    operator = verb.operators["any"]
    if isinstance(target, nodes.Name) and target.id not in context.symbols.variables:
        local = context.scope.find(target.id)
        if local is None:
            local = bind_new(context, target.id, type, target.span, "verb")
            context.analysis.named_by_roll.setdefault(target.id, target.span)
        elif not ty.fits(type, local.type):
            message = f"'{target.id}' is {local.type}, but this rolls {type}"
            context.error("HR510", message, target.span, None, declared_at(source))
        context.record(target, local)
        now_has(context, local, type)
        if isinstance(type, ty.Maybe) and never_empty(source, context.symbols.players):
            context.scope.narrow({f"={local.unique}": type.of})
        return [c.Act(node.span, operator, arguments, local.unique, spoken)]
    place = settable(context, target)
    if place is None:
        return []
    value = c.Local(node.span, type, fresh_name(context, "rolled"))
    rolled = c.Act(node.span, operator, arguments, value.name, spoken)
    listed = given["from"].value
    if isinstance(type, ty.Maybe) and not isinstance(place.type, ty.Maybe) and ty.fits(element, place.type):
        if not never_empty(source, context.symbols.players):
            named = format(replace(node, argument=nodes.Name(target.span, "r")))
            help = f"roll a name first: `{named}`, then `if r: {spoken} = r`"
            message = f"'{format(listed)}' may be empty, and then none is rolled"
            context.error("HR520", message, listed.span, help, follows_from=(ABOVE,))
        value = replace(value, type=element)
    return [rolled, set_variable(context, node.span, place, value, listed)]
