"""The taints of expressions: a checked expression and a point of the rules in, the labels of its value out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from houserule.diagnostics import Span
from houserule.language import checked as c
from houserule.language import types
from houserule.language.types import List, Piece, Tuple, Type, element
from houserule.language.types import plain as bare
from houserule.secrecy.labels import (
    EVERYBODY,
    NOTHING,
    PUBLIC,
    CallSite,
    Label,
    Secret,
    Taint,
    Token,
    forgotten,
    in_place_of,
    join,
    knowers_in,
    known_to,
    mentions,
    part_of,
    plain,
    secrets,
    told_by,
    without,
)
from houserule.secrecy.points import Point
from houserule.secrecy.sight import AS_IT_IS, general, turned_by, whole

HOW_MANY = frozenset({"length", "count", "any", "any lie", "empty", "present"})
"""Operators that depend only on how many there are, or whether there are any."""
ONE_OF = frozenset({"first", "last", "item", "at", "top"})
"""Operators that pick one member of a list."""
DEEPEST_LOOK = 3
"""How many functions or actions are looked into, one from the other, with what is known where the first is called."""
COMPARED = frozenset({"==", "!=", "in", "not in"})


# complex: one case for each form
def taint(at: Point, node: c.Expression) -> Taint:
    """The taint of an expression."""
    at.search.work(1, node.span)
    match node:
        case c.Constant():
            return Taint(where=at.search.places(node.type)) if is_pieces(node.type) else NOTHING
        case c.Local(name=name):
            return at.names.get(name, NOTHING)
        case c.ReadVariable():
            return variable(at, node)
        case c.Pile() | c.EitherPile():
            return pile(at, node)
        case c.Single(pile=one):
            return pile(at, one)
        case c.AllPieces(zone=zone):
            amount = at.amount(zone, ())
            return Taint(amount, amount, as_seen(at, at.hidden(zone, zone.visible, ()), node))
        case c.Printed(of=of):  # everybody knows what is printed on the back; the rest, those who know the piece
            piece = taint(at, of)
            is_on_back = node.attribute in node.kind.back
            return plain(piece.shape if is_on_back else piece.shape | content_of(at, piece, of))
        case c.LookUp(index=index):
            return plain(told(at, index))
        case c.Call(function=function):
            given = [taint(at, argument) for argument in node.arguments]
            me = taint(at, node.me) if node.me is not None else NOTHING
            call = call_site(at, function, node, given, me, PUBLIC)
            return after_sight(at, result_of(at, function, call))
        case c.Select():
            return selection(at, node)
        case c.Items(items=items):
            values = [taint(at, item) for item in items]
            label = PUBLIC.union(*(v.shape for v in values)) if is_pieces(node.type) else told_by(values)
            contents = PUBLIC.union(*(v.content for v in values))
            return Taint(PUBLIC, label, contents, PUBLIC.union(*(v.where for v in values)))
        case c.Apply():
            return applied(at, node)


def told(at: Point, nodes: Iterable[c.Expression]) -> Label:
    """All that some expressions tell."""
    return told_by(taint(at, node) for node in nodes)


def is_pieces(type: Type) -> bool:
    return isinstance(bare(element(type)), Piece)


def member(source: Taint, pieces: bool) -> Taint:
    """The taint of a member of a list."""
    return source._replace(size=PUBLIC, who=None) if pieces else plain(source.shape | source.content)


def call_site(
    at: Point, callee: c.Routine, node: c.Call | c.Perform, values: Sequence[Taint], me: Taint, pc: Label
) -> CallSite:
    """A call of a routine: its arguments by parameter."""
    arguments = {"me": me}
    tokens: dict[str, Token] = {"me": at.token(node.me) if node.me is not None else None}
    for parameter, given, value in zip(callee.parameters, node.arguments, values, strict=False):
        if parameter.name:
            exact = at.search.is_exact
            arguments[parameter.name] = value._replace(content=content_of(at, value, given)) if exact else value
            tokens[parameter.name] = at.token(given)
    return CallSite(arguments, tokens, pc)


def result_of(at: Point, function: c.Routine, call: CallSite) -> Taint:
    """What a function gives. Where it reads something hidden, it is looked at again with what is known here."""
    summary, look_into = at.walk.summary_of(function), at.search.look_into
    if summary is None:
        return NOTHING
    is_general = function.imagined_in or at.search.reasons.at(function.span) or at.walk.depth >= DEEPEST_LOOK
    if look_into is None or is_general or not any(map(secrets, summary.result.labels)):
        return call.taint(summary.result)
    facts, seen = known_inside(at, call)
    return call.taint(look_into(at, function, facts, seen) if facts or seen else summary.result)


def known_inside(at: Point, call: CallSite) -> tuple[dict[Token, bool], dict[Token, frozenset[Token]]]:
    """What is known at a call, and what has been seen there, in the names of the function's parameters."""
    facts: dict[Token, bool] = {}
    seen: dict[Token, frozenset[Token]] = {}
    for name, argument in {"": ("nothing",), **call.tokens}.items():  # with no argument, what names no local
        own: Token = ("local", name)
        if argument is None:
            continue
        for fact, holds in at.facts.items():
            if (inside := in_place_of(fact, argument, own)) is not None:
                facts[inside] = holds
        for known, to in at.seen.items():
            if (inside := in_place_of(known, argument, own)) is not None:
                seen[inside] = frozenset(one for one in (in_place_of(one, argument, own) for one in to) if one)
        for known, to in at.seen.items():
            match known:
                case ("zone", family, ("members", listed)) if at.facts.get(("in", argument, listed)):
                    seen["zone", family, own] = to
        for known, holds in at.facts.items():
            match known:
                case ("variable", variable, ("members", listed)) if at.facts.get(("in", argument, listed)):
                    facts["variable", variable, own] = holds
    return facts, seen


# --- zones and pieces -----------------------------------------------------------------------------------------------------


def pile(at: Point, node: c.Pile | c.EitherPile) -> Taint:
    """The pieces of a zone, or of one of two."""
    if isinstance(node, c.EitherPile):
        test = taint(at, node.test).told
        yes, no = pile(at.knowing(node.test), node.yes), pile(at.knowing(node.test, False), node.no)
        return join(yes, no).under(test)
    zone, tokens = node.zone, at.tokens(node.index)
    amount = told(at, node.index) | at.amount(zone, tokens)
    content = as_seen(at, at.hidden(zone, zone.visible, tokens), node)
    is_gathered = zone in (at.search.gathered or ()) and ("shuffled", at.token(node)) not in at.seen
    return Taint(
        amount,
        amount,
        content,
        home=(zone, tokens),
        order=part_of(content, "order") if is_gathered else PUBLIC,
    )


def as_seen(at: Point, content: Label, of: c.Expression) -> Label:
    """The label of a zone or piece that may have been shown in place."""
    if not at.seen or not content:
        return content
    to = frozenset[Token]().union(*(at.seen.get(known, ()) for known in general(at.token(of), at.facts)))
    return PUBLIC if EVERYBODY in to else known_to(content, to)


def after_sight(at: Point, value: Taint) -> Taint:
    """The taint of a function's result: what everybody has seen in the zones of all players is no secret."""
    names = {known[1] for known in at.seen if isinstance(known, tuple) and known[2:] == (EVERYBODY,)}
    gone = [zone for name, zone in at.search.symbols.zones.items() if name in names]
    return value.changed(lambda label: without(label, gone), value.who, value.home) if gone else value


def content_of(at: Point, value: Taint, of: c.Expression) -> Label:
    """The content of a piece whose place is known."""
    return as_seen(at, by_condition(at, value, at.token(of)), of)


def by_condition(at: Point, value: Taint, piece: Token) -> Label:
    """The content of a piece whose place is known: a condition on the piece itself may say who sees it."""
    if not value.content or (at.search.is_exact and lies_open(at, piece)):
        return PUBLIC
    content = value.content
    for zone, tokens in (value.home, *places_of(at, piece)) if value.home is not None else places_of(at, piece):
        hidden = at.hidden(zone, zone.visible, tokens, piece)
        own = frozenset(atom for atom in content if isinstance(atom, Secret) and atom.family is zone)
        if not hidden:
            content -= own
        elif at.search.is_exact:
            content = content - own | known_to(own, knowers_in(hidden))
    return content


def places_of(at: Point, piece: Token) -> Iterator[tuple[c.Zone, tuple[Token, ...]]]:
    """The zones in which a piece is known to lie, each with its indices, if they are known."""
    for known, holds in at.facts.items():
        match known:
            case ("in", one, ("zone", str(name), *index)) if holds and one == piece:
                zone = at.search.symbols.zones[name]
                yield zone, tuple(index) or (None,) * len(zone.parameters)


def lies_open(at: Point, piece: Token) -> bool:
    """Whether a condition has found that a piece lies where all see it."""
    return any(zone.visible == "all" for zone, _ in places_of(at, piece))


def told_apart(piece: Taint) -> Label:
    """What a comparison of pieces reveals: of face-down pieces of one zone, only whether there are any."""
    return piece.size if piece.content and piece.home is not None else piece.shape | piece.size


def told_face_down(at: Point, piece: Taint) -> Label:
    """What pieces reveal that are named or move face down: all of their choice, where their backs or their kinds differ."""
    if at.search.is_exact and piece.home is not None:
        holds, kinds = piece.home[0].holds, at.search.symbols.kinds
        looks = [kinds[holds]] if holds else [kind for kind in kinds.values() if kind.lies]
        if len(looks) > 1 or any(kind.back for kind in looks):
            return told_apart(piece) | piece.shape
    return told_apart(piece)


def in_line(part: str, span: Span) -> str:
    """What the part of an answer is called in the line of a menu whose values stand at a place."""
    return f"{part} {span}"


def variable(at: Point, node: c.ReadVariable) -> Taint:
    """A variable. A variable of a piece is seen where the piece is."""
    variable, index, search = node.variable, node.index, at.search
    label = at.hidden(variable, variable.visible, at.tokens(index))
    for family in variable.positions:  # nobody may see now what lay there when it was set
        if family.visible != "all" or (isinstance(family, c.Zone) and family.amount != "all"):
            label |= {Secret(family)}
    for part in index:
        value = taint(at, part)
        turned = value.home is not None and variable in turned_by(value.home[0])
        label |= value.shape if turned else value.shape | content_of(at, value, part)
    if not is_pieces(node.type):
        return plain(label)
    where = content = search.places(node.type)
    if search.is_exact:
        content = frozenset(Secret(one, through=variable) for one in search.held.get(variable.name, ()))
    return Taint(label, label, label | (content if variable.visible == "all" else PUBLIC), where)


# --- lists ----------------------------------------------------------------------------------------------------------------


def selection(at: Point, node: c.Select) -> Taint:
    """A selection from a list, perhaps sorted or mapped."""
    at.work(0, node.span)
    source = taint(at, node.source)
    inner = at.copy()
    inner.bind(node.binder, member(source, is_pieces(node.source.type)), element(node.source.type))
    inner.learn_member(node.binder, node.source)
    where = taint(inner, node.where).told if node.where is not None else PUBLIC
    inner = inner.knowing(node.where)
    if node.where is not None:
        inner.learn_member(node.binder, replaced(node, None))
    own: Token = ("local", node.binder)
    content = by_condition(inner, source, own) if at.search.is_exact and node.where is not None else source.content
    order = told(inner, node.by)
    mapped = taint(inner, node.value) if node.value is not None else None
    if mapped is not None and node.value is not None and isinstance(node.value.type, List | Tuple):
        where |= mapped.size
        order |= mapped.shape
        mapped = mapped._replace(shape=PUBLIC)
    found = Taint(
        source.size | (where - source.content if is_counted(at, node.source) else where),
        source.shape | where | order,
        content if mapped is None else mapped.shape | mapped.content,
        source.where if mapped is None else mapped.where,
        None,
        source.home if mapped is None else None,
        source.order if not node.by else PUBLIC,
    )
    return forgotten(found, lambda known: mentions(known, own))


def is_counted(at: Point, source: c.Expression) -> bool:
    """Whether everybody knows which pieces lie there."""
    lying = whole(source)
    return isinstance(lying, c.Pile) and lying.zone in at.counted


def list_of(at: Point, name: str, arguments: Sequence[c.Expression], values: Sequence[Taint]) -> Taint:
    """Two lists joined, one without another, or the members of a list with the greatest or least key."""
    source = values[0]
    if name == "joined":
        return join(source, values[1])
    if name == "without":
        label = source.shape | compared(at, arguments, values)
        return Taint(label, label, source.content, source.where, None, source.home)
    match arguments[0]:
        case c.Select(value=c.Apply(operator=types.PAIR, arguments=(key, mapped))) as select:
            source = selection(at, replaced(select, mapped))
            label = source.shape | selection(at, replaced(select, key)).told
            return Taint(label, label, source.content, source.where, None, source.home)
    return Taint(source.told, source.told, source.content, source.where)


def replaced(node: c.Select, value: c.Expression | None) -> c.Select:
    """A selection that maps each member, or none."""
    of_itself = isinstance(value, c.Local) and value.name == node.binder
    return c.Select(node.span, node.type, None if of_itself else value, node.binder, node.source, node.where, node.by)


# --- operators ------------------------------------------------------------------------------------------------------------


# complex: one case for each operator that has a meaning of its own
def applied(at: Point, node: c.Apply) -> Taint:
    name, arguments = node.operator.name, node.arguments
    match name:
        case "and" | "or" if len(arguments) == 2:
            left = taint(at, arguments[0])
            return plain(left.told | taint(at.knowing(arguments[0], name == "and"), arguments[1]).told)
        case "if else":
            then, test, otherwise = arguments
            label = taint(at, test).told
            if at.search.is_exact and isinstance(otherwise, c.Constant) and otherwise.value == ():
                return taint(at.knowing(test), then).under(label)
            return join(taint(at.knowing(test), then), taint(at.knowing(test, False), otherwise)).under(label)
        case "packed":  # a tuple with one more part
            before, part = taint(at, arguments[0]), taint(at, arguments[1])
            if not is_pieces(arguments[1].type):
                part = plain(part.told)
            shape = before.shape | part.shape | part.size
            return Taint(PUBLIC, shape, before.content | part.content, before.where | part.where)
        case "unpacked":  # the local name of the tuple and the position of the part
            whole_name, *place = arguments
            assert isinstance(whole_name, c.Local)
            words = (str(one.value) for one in place if isinstance(one, c.Constant))
            digit = " ".join([whole_name.name, *words])
            return at.names.get(in_line(digit, node.span), at.names.get(digit, NOTHING))
    values = [taint(at, argument) for argument in arguments]
    pieces = is_pieces(node.type)
    if name == "sure":
        return values[0]
    if name in AS_IT_IS:
        if name == "distinct" and not pieces:
            return values[0]._replace(size=values[0].size | values[0].content)
        return values[0] if name != "alone" else values[0]._replace(size=PUBLIC)
    if name in HOW_MANY:
        return plain(values[0].size if isinstance(bare(arguments[0].type), Piece | List) else values[0].told)
    if name in ONE_OF and not isinstance(node.type, List):
        source, index = values[0], told_by(values[1:])
        if not pieces:
            return plain(source.told | index)
        content = as_seen(at, source.content, node)
        return source._replace(size=source.size | index, shape=source.shape | index, content=content, who=None)
    if name in ("first", "last") and pieces and at.search.is_exact:  # several, by position
        source, index = values[0], told_by(values[1:])
        return source._replace(size=source.size | index, shape=source.shape | index, who=None)
    if name in COMPARED:
        return plain(compared(at, arguments, values))
    if name in ("owner", "place"):
        found = values[0].size if values[0].home is not None else values[0].shape
        return plain(found | lies(at, values[0].where, arguments[1:]))
    if name in ("joined", "without", "most", "least") and isinstance(node.type, List):
        return list_of(at, name, arguments, values)
    label = told_by(values)
    return Taint(label, label, label if pieces else PUBLIC, at.search.places(node.type))


def compared(at: Point, arguments: Sequence[c.Expression], values: Sequence[Taint]) -> Label:
    """An equality or membership test. Pieces that were found by position are compared by position."""
    a, b = values
    if not all(is_pieces(argument.type) for argument in arguments):
        return a.told | b.told
    # All see what lies in an open zone, and what does not.
    is_open = at.search.is_exact and isinstance(whole(arguments[1]), c.Pile) and not b.content
    if is_open or (not a.where and not b.where):
        return a.shape | b.shape
    return a.told | b.told


def lies(at: Point, where: Label, family: Sequence[c.Expression]) -> Label:
    """What it reveals that a piece lies in a zone of this family, or in whose: nothing about other zones."""
    if not at.search.is_exact:
        return where
    bases = [one.value[0] for one in family if isinstance(one, c.Constant) and isinstance(one.value, tuple)]
    zones = {
        zone
        for zone in at.search.symbols.zones.values()
        if (zone.base in bases if bases else zone.owned or any(isinstance(p.type, Piece) for p in zone.parameters))
    }
    return frozenset(
        atom
        for atom in where
        if not (isinstance(atom, Secret) and isinstance(atom.family, c.Zone)) or atom.family in zones
    )
