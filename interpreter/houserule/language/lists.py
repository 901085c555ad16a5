"""Lists and piles: zones and kinds, families by their indices, list literals, and selections from them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from houserule.diagnostics import CALLED, Related, Span
from houserule.language import checked as c
from houserule.language import nodes
from houserule.language import types as ty
from houserule.language.dispatch import condition, expr
from houserule.language.fitting import coerce, declared_at, in_range, number_expr, typed_expr, words_for
from houserule.language.format import format
from houserule.language.scope import Context, Name, bind_member, global_names, index_for, is_ambiguous, is_kind
from houserule.language.trees import everything, numbers_of, walk

LONGEST_RANGE = 10_000
NUMBERS_A_UNIT = 40
"""The numbers of a range that cost one unit of the budget of checking: they take memory, not time."""
MOST_SHARED = 32


@lru_cache(MOST_SHARED)
def whole(numbers: range) -> tuple[int, ...]:
    """All of these numbers, shared between mentions: each would take a third of a megabyte."""
    return tuple(numbers)


def every_expr(context: Context, node: nodes.Every) -> c.Expression:
    """All members of a kind: `every card`."""
    kind = context.symbols.kinds.get(node.kind)
    if kind is None:
        message, span = f"there is no kind of piece or enum '{node.kind}'", node.span.last(len(node.kind))
        return context.misnamed("HR501", message, span, node.kind, context.symbols.kinds)
    context.use(kind, node)
    return c.Constant(node.span, ty.List(kind.type, len(kind.ids)), whole(kind.numbers))


def list_literal(context: Context, node: nodes.ListOf, wanted: ty.Type | None) -> c.Expression:
    inner = wanted.of if isinstance(wanted, ty.List) else None
    if inner is None and any(is_ambiguous(context, item) for item in node.items):
        inner = next((expr(context, item).type for item in node.items if not is_ambiguous(context, item)), None)
    values = [expr(context, item, inner) for item in node.items]
    type: ty.Type = ty.UNKNOWN
    for item, value in zip(node.items, values, strict=True):
        if isinstance(value.type, ty.List):
            return context.error("HR510", "a list cannot hold lists", item.span, "join lists with `+`")
        joined = ty.join(type, value.type)
        if joined is None:
            return context.error("HR510", f"the items of a list must be alike: {type} and {value.type}", item.span)
        type = joined
    values = [coerce(context, v, type, item, "this item") for v, item in zip(values, node.items, strict=True)]
    numbers = numbers_of(values)
    if numbers is not None:
        return c.Constant(node.span, ty.List(type, len(values)), numbers)
    return c.Items(node.span, ty.List(type, len(values)), tuple(values))


def range_expr(context: Context, node: nodes.Range) -> c.Expression:
    """`a..b`."""
    a, b = number_expr(context, node.low), number_expr(context, node.high)
    match a, b:
        case c.Constant(value=int(first)), c.Constant(value=int(last)):
            count = max(0, last - first + 1)
            if count > LONGEST_RANGE:
                message = f"this range has {count} numbers; the limit is {LONGEST_RANGE}"
                return context.error("HR551", message, node.span)
            context.analysis.budget.spend(count // NUMBERS_A_UNIT, node.span)
            return c.Constant(node.span, ty.List(ty.Int(first, max(first, last)), count), whole(range(first, last + 1)))
    bounds = ty.NUMBER
    if isinstance(a.type, ty.Int) and isinstance(b.type, ty.Int):
        bounds = ty.Int(a.type.low, max(a.type.low, b.type.high))
    most = bounds.high - bounds.low + 1
    return c.Apply(node.span, ty.List(bounds, most if most <= LONGEST_RANGE else None), ty.SPAN, (a, b))


def players_from(context: Context, node: nodes.PlayersFrom) -> c.Expression:
    """`players from p`: all players in seat order."""
    start = typed_expr(context, node.first, ty.PLAYER, "what `players from` begins with")
    return c.Apply(node.span, ty.List(ty.PLAYER, context.symbols.players), ty.SEATING, (start,))


def list_expr(context: Context, node: nodes.Expression, wanted: ty.Type | None = None) -> c.Expression:
    """A list: here the name of a kind denotes its members, that of a zone its pieces."""
    value = bare_list(context, node) or expr(context, node, wanted)
    if isinstance(value, c.Single):
        return value.pile
    if not isinstance(value.type, ty.List | ty.Unknown):
        text = format(node)
        message, help = f"a list or a zone is expected, but '{text}' is {value.type}", f"a list of it alone: [{text}]"
        return context.error("HR510", message, node.span, help, declared_at(value))
    return value


def bare_list(context: Context, node: nodes.Expression) -> c.Expression | None:
    """The name of a kind, or `x in S`, as a list; None for other expressions."""
    match node:
        case nodes.Name(span, word) if is_kind(context, node) and word not in context.symbols.zones:
            context.record(node, context.symbols.kinds[word])
            read: nodes.Expression = nodes.Every(span, word)
        case nodes.Compare(span, nodes.Name(id=word) as name, "in", source) if context.scope.find(word) is None:
            read = nodes.Selection(span, None, word, name.span, source, None, None)
        case _:
            return None
    return context.typed(node, expr(context, read))


def element_type(source: c.Expression) -> ty.Type:
    return source.type.of if isinstance(source.type, ty.List) else ty.UNKNOWN


@dataclass(slots=True, eq=False)
class Level:
    """One list of a selection: the name of its member, its condition, and the narrowings that this shows."""

    span: Span
    source: c.Expression
    local: Name
    where: c.Expression | None
    shown: Mapping[str, ty.Type] = field(default_factory=dict)

    def select(self, value: c.Expression | None, type: ty.Type, by: tuple[c.Expression, ...] = ()) -> c.Select:
        """Select from this list, perhaps mapping each member."""
        most = self.source.type.most if isinstance(self.source.type, ty.List) else None
        if most and (alike := [*most_alike(self.where, self.local.unique)]) and not may_repeat(self.source):
            most = min(most, *alike)
        return c.Select(self.span, ty.List(type, most), value, self.local.unique, self.source, self.where, by)


def most_alike(where: c.Expression | None, binder: str) -> Iterator[int]:
    """How many pieces or members at most satisfy a condition that says which value a printed attribute of theirs has."""
    match where:
        case c.Apply(operator=ty.AND, arguments=arguments):
            for argument in arguments:
                yield from most_alike(argument, binder)
        case c.Apply(operator=ty.EQUAL, arguments=(one, other)):
            for side, value in ((one, other), (other, one)):
                match side:
                    case c.Printed(kind=kind, attribute=attribute, of=c.Local(name=name)) if name == binder:
                        numbers = kind.attributes.get(attribute)
                        if numbers and binder not in (
                            part.name for part in everything(value) if isinstance(part, c.Local)
                        ):
                            yield max(Counter(numbers).values())


def selection(
    context: Context, node: nodes.Selection, as_conditions: bool = False, keyed: bool = False
) -> c.Expression:
    """`E for x in S where P by K`. `keyed`: pairs of key and value, unsorted, for `most` and `least`."""
    return selected(context, node, as_conditions, keyed)[0]


def members(context: Context, node: nodes.Expression) -> tuple[c.Expression, Level | None]:
    """A list, and if it is a selection, its level with its narrowings."""
    match node:
        case nodes.Compare(span, nodes.Name(id=word) as name, "in", source) if context.scope.find(word) is None:
            node = nodes.Selection(span, None, word, name.span, source, None, None)
    if isinstance(node, nodes.Selection) and node.value is None:
        return selected(context, node)
    return list_expr(context, node), None


def carried_over(level: Level, name: Name) -> dict[str, ty.Type]:
    """Narrowings of the members of a list, for a member under another name."""
    own, found = f"={level.local.unique}", {}
    word = re.compile(rf"(?<!\.)\b{re.escape(level.local.word)}\b")
    taken = re.compile(rf"(?<!\.)\b{re.escape(name.word)}\b")
    for key, type in level.shown.items():
        if key == own or key.startswith(f"{own}."):
            found[f"={name.unique}{key.removeprefix(own)}"] = type
        elif key.startswith("=") or level.local.word == name.word:
            found[key] = type
        elif not taken.search(key):
            found[word.sub(name.word, key)] = type
    return found


def selected(
    context: Context, node: nodes.Selection, as_conditions: bool = False, keyed: bool = False
) -> tuple[c.Expression, Level]:
    if not as_conditions:
        node = with_for(context, node)
    inside, levels = context, []
    for each in (*node.around, node):
        inside, level = gone_through(inside, each)
        levels.append(level)
    level = levels[-1]
    keys = node.by.items if isinstance(node.by, nodes.ListOf) else (node.by,) if node.by is not None else ()
    by = tuple(sort_key(inside, key) for key in keys)
    value = None
    element = element_type(level.source)
    type = inside.scope.narrowed.get(f"={level.local.unique}", element)
    if node.value is not None:
        value = condition(inside, node.value)[0] if as_conditions else expr(inside, node.value)
        if isinstance(value.type, ty.List) and not as_conditions:
            return context.error("HR510", "a list cannot hold lists", node.value.span), level
        type = value.type
    is_sorted = bool(by and node.around and not keyed)
    if keyed or is_sorted:
        bound = c.Local(node.span, element, level.local.unique)
        key = by[0] if len(by) == 1 else c.Items(node.span, ty.UNKNOWN, by)
        value, by = c.Apply(node.span, ty.UNKNOWN, ty.PAIR, (key, value or bound)), ()
    made = combined(levels, value, type, by)
    result = c.Apply(node.span, made.type, ty.IN_ORDER, (made,)) if is_sorted else made
    return context.typed(node, result), level


def with_for(context: Context, node: nodes.Selection) -> nodes.Selection:
    """`x in S for y in T where P` as `x for x in S for y in T where P`, which is told, if P speaks of x and nothing else is called so."""
    match node.value:
        case nodes.Compare(span, nodes.Name(id=word) as name, "in", source) if not is_known(context, word):
            own, outer = (
                replace(node, value=None, around=()),
                nodes.Selection(span, None, word, name.span, source, None, None),
            )
            if word not in names_in(own):
                return node
            meant = replace(node, value=name, around=(outer, *node.around))
            if names_in(source).intersection(each.binder for each in (*node.around, node)):
                around = (*node.around, replace(own, where=None, by=None))
                meant = replace(outer, span=node.span, value=name, where=node.where, by=node.by, around=around)
            message = f"there is nothing called '{word}' here"
            context.error("HR501", message, name.span, f"({format(meant)})", subject=word)
            return meant
    return node


def is_known(context: Context, word: str) -> bool:
    return context.scope.find(word) is not None or word in global_names(context)


def names_in(node: nodes.Node) -> set[str]:
    return {name.id for name in walk(node) if isinstance(name, nodes.Name)}


def gone_through(context: Context, node: nodes.Selection) -> tuple[Context, Level]:
    """A list of a selection, and the context in which its member has a name and its condition holds."""
    source = list_expr(context, node.source)
    element = element_type(source)
    inside = context.inner()
    local = bind_member(inside, node, element, node.span, "binder")
    where = None
    if node.where is not None:
        where, yes, _ = condition(inside, node.where)
        inside.scope.narrow(yes)
        return inside, Level(node.span, source, local, where, yes)
    return inside, Level(node.span, source, local, where)


def combined(
    levels: Sequence[Level], value: c.Expression | None, type: ty.Type, by: tuple[c.Expression, ...] = ()
) -> c.Expression:
    """A value for each combination of members of nested lists."""
    *around, level = levels
    made: c.Expression = level.select(value, type, by)
    most = made.type.most if isinstance(made.type, ty.List) else None
    for level in reversed(around):
        each = level.select(made, made.type)
        outer = each.type.most if isinstance(each.type, ty.List) else None
        most = most * outer if most is not None and outer is not None and most * outer <= LONGEST_RANGE else None
        made = c.Apply(level.span, ty.List(type, most), ty.CHAINED, (each,))
    return made


def sort_key(context: Context, node: nodes.Expression) -> c.Expression:
    """The key after `by`: anything with an order."""
    value = expr(context, node)
    if isinstance(value.type, ty.List | ty.Maybe):
        text = format(node)
        message = f"'by' sorts by a number or by members of a kind, but '{text}' is {words_for(value)}"
        help = f"leave out what has none: where {text}; or say what counts for it: {text} if {text} else …"
        return context.error("HR510", message, node.span, help if isinstance(value.type, ty.Maybe) else None)
    return value


def family_name(context: Context, node: nodes.Expression, name: str) -> c.Expression:
    """A family of zones by its bare name: its slots and the first value of its index."""
    zone = context.symbols.zones.get(node.id) if isinstance(node, nodes.Name) else None
    if zone is None or len(zone.parameters) != 1:
        message = f"'{name}' expects the name of a family of zones with one index"
        return context.error("HR510", message, node.span, f"{name}(x, hand)")
    context.use(zone, node)
    return c.Constant(node.span, zone.parameters[0].type, (zone.base, zone.base + zone.size, zone.lows[0]))


def pile_expr(context: Context, node: nodes.Expression, what: str, code: str = "HR510") -> c.Expression:
    """A zone as a pile."""
    if isinstance(node, nodes.Conditional):
        test, yes, no = condition(context, node.test)
        a = pile_expr(context.inner(yes), node.then, what, code)
        b = pile_expr(context.inner(no), node.otherwise, what, code)
        if isinstance(a, c.Pile | c.EitherPile) and isinstance(b, c.Pile | c.EitherPile):
            return c.EitherPile(node.span, ty.join(a.type, b.type) or a.type, test, a, b)
        return a if isinstance(a.type, ty.Unknown) else b
    value = expr(context, node)
    if isinstance(value, c.Single):
        return value.pile
    if isinstance(value, c.Pile) or isinstance(value.type, ty.Unknown):
        return value
    text = format(node)
    if isinstance(value, c.AllPieces):
        message = f"{what} is one zone, but '{text}' is a family of them"
        return context.error(code, message, node.span, one_of(context, value.zone), declared_at(value))
    zones = list(context.symbols.zones)
    similar = context.report.did_you_mean(text, zones) or (f"one of: {', '.join(zones[:6])}" if zones else None)
    message = f"{what} is a zone, but '{text}' is {value.type}"
    return context.error(code, message, node.span, similar, declared_at(value))


def one_of(context: Context, zone: c.Zone) -> str:
    """How one zone of a family is written."""
    return f"{zone.name}[{', '.join(index_for(context, parameter.type) for parameter in zone.parameters)}]"


def once(source: c.Expression) -> c.Expression:
    """The list without duplicates: two equal options would be no choice."""
    if isinstance(source, c.Constant) and isinstance(source.value, tuple):
        return replace(source, value=tuple(dict.fromkeys(source.value)))
    return c.Apply(source.span, source.type, ty.DISTINCT, (source,)) if may_repeat(source) else source


def may_repeat(source: c.Expression) -> bool:
    """Whether a list may have equal items."""
    return may_one_repeat([source], {})


def result_may_repeat(routine: c.Routine) -> bool:
    """Whether a list that a function returns may have equal items."""
    locals: dict[str, list[c.Expression]] = {}
    results = []
    for one in everything(routine.body):
        if isinstance(one, c.SetLocal):
            locals.setdefault(one.name, []).append(one.value)
        elif isinstance(one, c.Return) and one.value is not None:
            results.append(one.value)
    for parameter in routine.parameters:
        locals.pop(parameter.name or "", None)
    return may_one_repeat(results, locals)


def may_one_repeat(waiting: list[c.Expression], locals: dict[str, list[c.Expression]]) -> bool:
    """Whether a list that one of several gives may have equal items; `locals` are all values of the names in them, from which those that were looked at are taken."""
    while waiting:
        match source := waiting.pop():
            case c.Constant(value=tuple(items)):
                if len(set(items)) < len(items):
                    return True
            case c.Pile() | c.AllPieces() | c.Apply(operator=ty.SEATING | ty.OPPONENTS | ty.SPAN):
                pass
            case (
                c.Select(value=None, source=inner)
                | c.Apply(operator=ty.SNAPSHOT, arguments=(inner,))
                | c.Apply(operator=ty.PARTNERS | ty.RIVALS, arguments=(inner, _))
            ):
                waiting.append(inner)
            case c.Local(name=name) if name in locals:
                waiting += locals[name]
                locals[name] = []
            case c.Call(function=function):
                if function.may_repeat:
                    return True
            case _:
                if isinstance(source.type, ty.List):
                    return True
    return False


def never_empty(value: c.Expression, players: int = 0) -> bool:
    """Whether a list is provably not empty; there are opponents if there are enough players."""
    match value:
        case c.Apply(operator=ty.OPPONENTS):
            return players > 1
        case c.Apply(operator=ty.PARTNERS | ty.RIVALS | ty.SEATING):
            return True
        case c.Constant(value=tuple(items)) | c.Items(items=items):
            return len(items) > 0
        case c.Apply(operator=ty.JOINED, arguments=(one, other)):
            return never_empty(one, players) or never_empty(other, players)
        case c.Apply(operator=ty.CHAINED, arguments=(c.Select(value=one, source=source, where=None),)):
            return never_empty(source, players) and one is not None and never_empty(one, players)
        case c.Select(source=source, where=None):
            return never_empty(source, players)
        case c.Apply(operator=ty.SPAN, arguments=(low, high)):
            return isinstance(low.type, ty.Int) and isinstance(high.type, ty.Int) and low.type.high <= high.type.low
        case c.Apply(operator=operator, arguments=(source, *_)) if operator.keeps_some:
            return never_empty(source, players)
        case _:
            return False


# --- families ---------------------------------------------------------------------------------------------------------


MOST_LISTED = 8
"""What can follow a dot is listed if there are no more than these."""


def family_entry(
    context: Context,
    family: c.Family,
    node: nodes.Expression,
    arguments: tuple[nodes.Expression, ...] = (),
    leading: tuple[c.Expression, ...] = (),
    span: Span | None = None,
) -> c.Expression:
    """A zone or variable with its indices; `node` is what precedes the square brackets, and `span` the place of the whole."""
    span = span if span is not None else node.span
    context.use(family, node)
    given = len(arguments) + len(leading)
    wanted = len(family.parameters)
    if given == 0 and wanted and isinstance(family, c.Zone):
        return c.AllPieces(span, ty.List(family.piece), family)
    if given != wanted:
        listed = ", ".join(index_for(context, p.type) for p in family.parameters)
        shape = f"{family.name}[{listed}]" if wanted else family.name
        if isinstance(family, c.Zone) and given == wanted + 1:
            shape = item_at(context, format(node), arguments) or shape
        message = f"'{family.name}' expects {wanted} {'index' if wanted == 1 else 'indices'}, got {given}"
        return context.error(
            "HR511", message, span, shape, [Related("declared here", family.span)], follows_from=(CALLED,)
        )
    index = leading + tuple(
        family_index(context, argument, parameter.type, family)
        for argument, parameter in zip(arguments, family.parameters[len(leading) :], strict=True)
    )
    if isinstance(family, c.Zone):
        return c.Pile(span, ty.List(family.piece, holds_at_most(context, family)), family, index)
    assert isinstance(family, c.Variable)
    return c.ReadVariable(span, family.type, family, index)


def item_at(context: Context, pile: str, arguments: tuple[nodes.Expression, ...]) -> str | None:
    """How to write the piece at a position of a pile, if the last index is a position: `item(me.hand, 2)`."""
    *indices, at = arguments
    if not isinstance(expr(context, at).type, ty.Int):
        return None
    pile += f"[{', '.join(map(format, indices))}]" if indices else ""
    position = "1" if isinstance(at, nodes.Number) and at.value == 0 else format(at)
    return f"item({pile}, {position}): it counts from 1"


def family_index(context: Context, node: nodes.Expression, wanted: ty.Type, family: c.Family) -> c.Expression:
    """One index; it is checked at run time, unless it is certainly out of range."""
    what = f"the index of '{family.name}'"
    value = typed_expr(context, node, wanted, what)
    in_range(context, value, wanted, node, what)
    return value


def holds_at_most(context: Context, zone: c.Zone) -> int:
    if zone.capacity is not None:
        return zone.capacity
    kinds = context.symbols.kinds
    return len(kinds[zone.holds].ids) if zone.holds in kinds else context.symbols.pieces


def features(context: Context, type: ty.Type) -> list[str]:
    """Everything that can follow a dot after a value of a type."""
    symbols = context.symbols
    found: list[str] = []
    if (kind := symbols.kind_of(type)) is not None:
        found += [*kind.attribute_types, *kind.functions, *kind.effects]
    others: list[c.Family | c.Routine] = [
        *symbols.zones.values(),
        *symbols.variables.values(),
        *symbols.functions.values(),
    ]
    return found + [other.name for other in others if other.parameters and ty.fits(type, other.parameters[0].type)]


def no_such_feature(context: Context, node: nodes.Attribute, type: ty.Type) -> c.Expression:
    """Report that x has no f, and what was probably meant."""
    name, kinds, kind = node.name, context.symbols.kinds, context.symbols.kind_of(type)
    if isinstance(type, ty.Unknown):
        return c.Constant(node.span, ty.UNKNOWN, 0)
    if kind is not None and name in kind.effects:
        message = f"'{name}' is an effect, not a value"
        return context.error("HR509", message, node.name_span, f"perform {format(node)}")
    if isinstance(type, ty.Piece) and type.kind is None:
        homes = [k.name for k in kinds.values() if k.is_piece and (name in k.attribute_types or name in k.functions)]
        if homes:
            message = f"a piece of any kind has no '{name}'; {ty.indefinite(homes[0])} has"
            help = f"ask first: if {format(node.of)} is {homes[0]}: …"
            return context.error("HR502", message, node.name_span, help, subject=name)
    otherwise = None
    if isinstance(type, ty.Member | ty.Piece | ty.Player):
        otherwise = f"declare what changes: `variables: {{{name}({ty.spelled(type)}): int}}`"
    message, known = f"{type} has no '{name}'", features(context, type)
    if kind is not None and name in ("name", "id", "type", "kind"):
        otherwise = f"whether it is a certain one: {format(node.of)} is {kind.ids[0]}"
    elif otherwise is not None and 0 < len(known) <= MOST_LISTED:
        otherwise = f"known here: {', '.join(known)}; or {otherwise}"
    return context.misnamed("HR502", message, node.name_span, name, known, otherwise)
