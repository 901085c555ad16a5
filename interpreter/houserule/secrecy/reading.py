"""The labels of expressions: a checked expression and the state of the analysis in, the label of its value out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from houserule.diagnostics import Span
from houserule.language import types
from houserule.language.checked import (
    AllPieces,
    Apply,
    Call,
    Constant,
    EitherPile,
    Expression,
    Family,
    Items,
    Local,
    LookUp,
    Pile,
    Printed,
    ReadVariable,
    Select,
    Single,
    Zone,
)
from houserule.language.scope import Budget
from houserule.language.symbols import SymbolTable
from houserule.language.types import List, Piece, Player, Tuple, Type
from houserule.language.types import plain as bare
from houserule.secrecy.labels import (
    EVERYBODY,
    NOTHING,
    PUBLIC,
    Label,
    Secret,
    Token,
    Value,
    forgotten,
    is_stateful,
    join,
    mentions,
    part_of,
    plain,
    shared,
    told_by,
    without,
)
from houserule.secrecy.sight import AS_IT_IS, heads_of_sight, hidden, learned, token, turned_by, whole

HOW_MANY = frozenset({"length", "count", "any", "any lie", "empty", "present"})
"""Operators that depend only on how many there are, or whether there are any."""
ONE_OF = frozenset({"first", "last", "item", "at", "top"})
"""Operators that pick one member of a list."""
WORK_A_UNIT = 4
"""The expressions looked at for a unit of the budget of checking."""
COMPARED = frozenset({"==", "!=", "in", "not in"})


@dataclass(slots=True)
class State:
    """What is known at one point of the rules.

    `names` are the local names, `facts` the conditions that are known to hold or not. `counted` are the zones whose pieces
    everybody knows, though not their order, because every move in and out was public. `seen` maps the tokens of zones and pieces
    that were shown in place to those who have seen them.
    """

    names: dict[str, Value] = field(default_factory=dict)
    facts: dict[Token, bool] = field(default_factory=dict)
    counted: frozenset[Zone] = frozenset()
    seen: dict[Token, frozenset[Token]] = field(default_factory=dict)

    def copy(self) -> State:
        return State(dict(self.names), dict(self.facts), self.counted, dict(self.seen))

    def joined(self, other: State) -> State:
        """The state where two paths meet."""
        names = dict(self.names)
        for name, value in other.names.items():
            known = names.get(name, value)
            names[name] = value if known == value else join(known, value)
        facts = {key: holds for key, holds in self.facts.items() if other.facts.get(key) == holds}
        seen = {key: to & other.seen[key] for key, to in self.seen.items() if key in other.seen}
        return State(names, facts, self.counted & other.counted, seen)


class Reader:
    """Labels expressions in a state. `call` gives the label of a function's result.

    Unless it `is_exact`, it forgets facts at every change of the state, and what was shown in place.
    """

    def __init__(
        self,
        symbols: SymbolTable,
        call: Callable[[Call, list[Value], Value], Value],
        budget: Budget,
        gathered: Collection[Zone] | None = None,
    ) -> None:
        self.symbols = symbols
        self.budget = budget
        self.worked = 0
        self.is_exact = gathered is not None
        self.gathered = gathered or ()
        heads = heads_of_sight(symbols)
        self.heads = heads | {("==",)} if heads else heads  # viewers are compared with others
        if self.is_exact:
            self.heads |= {("in",)}
        self.held: dict[
            str, dict[Family, Span]
        ] = {}  # by variable: where hidden pieces that it may hold lay, and who sets it
        self.jumped: dict[str, State] = {}
        self.call = call
        self.state = State()
        self.by_themselves: dict[str, Callable[..., Value]] = {
            "if else": self.conditional,
            "packed": self.packed,
            "unpacked": self.unpacked,
        }
        self.hiding = {
            kind.name: frozenset(
                Secret(zone)
                for zone in symbols.zones.values()
                if zone.visible != "all" and zone.holds in (None, kind.name)
            )
            for kind in symbols.kinds.values()
            if kind.is_piece and kind.lies
        }

    def work(self, amount: int, span: Span) -> None:
        """Spend work from the budget: one for looking at an expression, about ten microseconds. Raises OverBudget."""
        self.worked += amount
        if self.worked >= WORK_A_UNIT:
            self.budget.spend(self.worked // WORK_A_UNIT, span)
            self.worked %= WORK_A_UNIT

    def work_of_state(self) -> int:
        """The work of going through everything that is known at this point."""
        state = self.state
        return 1 + len(state.names) + len(state.facts) + len(state.seen)

    # --- names --------------------------------------------------------------------------------------------------------

    def get(self, name: str, otherwise: Token, /) -> Token:
        """The token of a local name, if that is known."""
        value = self.state.names.get(name)
        return value.who if value is not None and value.who is not None else otherwise

    def token(self, node: Expression) -> Token:
        return token(node, self)

    def bind(self, name: str, value: Value, type: Type) -> None:
        """Assign a local name: tokens that mention its old value lose their meaning."""
        own: Token = ("local", name)
        self.forget(lambda known: mentions(known, own))
        if value.who is None and isinstance(type, Player):
            value = value._replace(who=own)
        elif value.who is not None and mentions(value.who, own):
            value = value._replace(who=None)
        value = forgotten(value, lambda known: mentions(known, own) and known != own)
        self.state.names[name] = shared(value)

    def forget(self, is_gone: Callable[[Token], bool]) -> None:
        """Some tokens lose their meaning."""
        names = self.state.names
        for name, value in names.items():
            names[name] = forgotten(value, is_gone)
        self.state.facts = {key: holds for key, holds in self.state.facts.items() if not is_gone(key)}
        self.state.seen = {
            key: frozenset(one for one in to if not is_gone(one))
            for key, to in self.state.seen.items()
            if not is_gone(key)
        }

    def forget_state(self, families: Iterable[Family] | None = None) -> None:
        """The state changes, so what was read from it may be out of date; with `families`, only these change."""
        if families is not None and self.is_exact:
            changed = {family.name for family in families}
            self.forget(lambda known: may_change(known, changed))
            return
        self.forget(is_stateful)
        self.state.seen = {}
        if not self.is_exact:
            self.state.facts = {}

    def learn(self, test: Expression, holds: bool) -> None:
        """A condition holds from here on, or does not. A piece that is `none` has no secret."""
        self.state.facts.update(learned(test, holds, self, self.heads))
        while isinstance(test, Apply) and test.operator is types.NOT:
            test, holds = test.arguments[0], not holds
        match test:
            case Apply(operator=types.PRESENT, arguments=(Local(name=name),)) if self.is_exact and not holds:
                if name in self.state.names:
                    self.state.names[name] = self.state.names[name]._replace(content=PUBLIC, where=PUBLIC)

    def keep_apart(self, name: str, source: Expression) -> None:
        """An opponent of a player is not that player."""
        inner = whole(source)
        while isinstance(inner, Select) and inner.value is None:
            inner = whole(inner.source)
        if isinstance(inner, Apply) and inner.operator is types.OPPONENTS and self.is_exact:
            self.state.facts["==", ("local", name), self.token(inner.arguments[0])] = False

    def lose(self, zones: frozenset[Zone]) -> None:
        """Only those who see into these zones still know where the named pieces lie that lay in them."""
        for name, value in self.state.names.items():
            zone = value.home[0] if value.home is not None else None
            if zone in zones and zone is not None and zone.visible != "all":
                self.state.names[name] = value._replace(where=value.where | {Secret(zone)})

    @contextmanager
    def knowing(self, test: Expression | None, holds: bool = True) -> Iterator[None]:
        """The label of an expression where a condition holds, or does not."""
        before = self.state.facts
        if test is not None:
            self.state.facts = {**before, **dict(learned(test, holds, self, self.heads))}
        yield
        self.state.facts = before

    # --- paths --------------------------------------------------------------------------------------------------------

    def leave(self, label: str) -> None:
        if self.is_exact:
            before = self.jumped.get(label)
            self.jumped[label] = self.state.copy() if before is None else before.joined(self.state)

    def arrive(self, label: str) -> None:
        """After a label, only what holds on every path to it is known."""
        before = self.jumped.pop(label, None)
        if before is not None:
            self.state = self.state.joined(before)

    # --- zones and pieces ---------------------------------------------------------------------------------------------

    def hidden(self, zone: Zone, rule: str | Expression, index: Sequence[Token], it: Token = None) -> Label:
        return hidden(zone, rule, index, self.state.facts, self.symbols.players, it)

    def amount(self, zone: Zone, index: Sequence[Token]) -> Label:
        """What is hidden of how many pieces lie in a zone."""
        found = self.hidden(zone, zone.amount, index)
        return part_of(found, "amount") if self.is_exact else found

    def places(self, type: Type) -> Label:
        """What decides where a piece of a type lies."""
        inner = type.of if isinstance(type, List) else type
        piece = bare(inner)
        if not isinstance(piece, Piece):
            return PUBLIC
        if piece.kind is None:
            return PUBLIC.union(*self.hiding.values())
        return self.hiding.get(piece.kind, PUBLIC)

    def pile(self, node: Pile | EitherPile) -> Value:
        """The pieces of a zone, or of one of two."""
        if isinstance(node, EitherPile):
            test = self.value(node.test).told
            with self.knowing(node.test):
                yes = self.pile(node.yes)
            with self.knowing(node.test, False):
                no = self.pile(node.no)
            return join(yes, no).under(test)
        zone = node.zone
        index = self.index(node.index)
        tokens = tuple(self.token(part) for part in node.index)
        amount = index | self.amount(zone, tokens)
        content = self.as_seen(self.hidden(zone, zone.visible, tokens), node)
        order = part_of(content, "order") if zone in self.gathered and not self.is_shuffled(node) else PUBLIC
        return Value(amount, amount, content, home=(zone, tokens), order=order)

    def is_shuffled(self, pile: Expression) -> bool:
        return ("shuffled", self.token(pile)) in self.state.seen

    def as_seen(self, content: Label, of: Expression) -> Label:
        """The label of a zone or piece that may have been shown in place."""
        to = self.seen_by(self.token(of)) if self.state.seen else None
        return content if to is None else PUBLIC if EVERYBODY in to else known_to(content, to)

    def seen_by(self, known: Token) -> frozenset[Token] | None:
        """Who has seen what lies there: in the zone of one player, or in those of all."""
        match known:
            case ("zone", name, _) if ("zone", name, EVERYBODY) in self.state.seen:
                return self.state.seen["zone", name, EVERYBODY]
            case _:
                return self.state.seen.get(known)

    def after_sight(self, value: Value) -> Value:
        """The label of a function's result: what everybody has seen in the zones of all players is no secret."""
        names = {known[1] for known in self.state.seen if isinstance(known, tuple) and known[2:] == (EVERYBODY,)}
        gone = [zone for name, zone in self.symbols.zones.items() if name in names]
        size, shape, content, where, order = (without(label, gone) for label in value.labels)
        return Value(size, shape, content, where, value.who, value.home, order) if gone else value

    def index(self, nodes: Sequence[Expression]) -> Label:
        return told_by(self.value(node) for node in nodes)

    def content(self, value: Value, of: Expression) -> Label:
        """The content of a piece whose place is known: a condition on the piece itself may say that everybody sees it."""
        if value.content and self.is_exact and self.lies_open(of):
            return PUBLIC
        if value.content and value.home is not None:
            zone, tokens = value.home
            if not isinstance(zone.visible, str) and not self.hidden(zone, zone.visible, tokens, self.token(of)):
                return frozenset(a for a in value.content if not (isinstance(a, Secret) and a.family is zone))
        return self.as_seen(value.content, of)

    def lies_open(self, piece: Expression) -> bool:
        """Whether a condition has found that a piece lies where all see it."""
        own = self.token(piece)
        for known, holds in self.state.facts.items():
            match known:
                case ("in", one, ("zone", str(name), *_)) if holds and one == own:
                    return self.symbols.zones[name].visible == "all"
        return False

    # --- expressions --------------------------------------------------------------------------------------------------

    def value(self, node: Expression) -> Value:
        """The label of an expression."""
        self.work(1, node.span)
        match node:
            case Constant():
                return Value(where=self.places(node.type)) if self.is_pieces(node.type) else NOTHING
            case Local(name=name):
                return self.state.names.get(name, NOTHING)
            case ReadVariable():
                return self.variable(node)
            case Pile() | EitherPile() | Single():
                return self.pile(node.pile if isinstance(node, Single) else node)
            case AllPieces(zone=zone):
                amount = self.amount(zone, ())
                return Value(amount, amount, self.hidden(zone, zone.visible, ()))
            case Printed():
                return self.printed(node)
            case LookUp(index=index):
                return plain(self.index(index))
            case Call(arguments=arguments, me=me):
                given = [self.value(argument) for argument in arguments]
                return self.call(node, given, self.value(me) if me is not None else NOTHING)
            case Select():
                return self.selection(node)
            case Items():
                return self.items(node)
            case Apply():
                return self.applied(node)

    def items(self, node: Items) -> Value:
        """A list literal."""
        values = [self.value(item) for item in node.items]
        label = PUBLIC.union(*(v.shape for v in values)) if self.is_pieces(node.type) else told_by(values)
        return Value(
            PUBLIC, label, PUBLIC.union(*(v.content for v in values)), PUBLIC.union(*(v.where for v in values))
        )

    def printed(self, node: Printed) -> Value:
        """A printed value. Everybody knows those on the back; the others, only those who know the piece."""
        piece = self.value(node.of)
        is_on_back = node.attribute in node.kind.back
        return plain(piece.shape if is_on_back else piece.shape | self.content(piece, node.of))

    def is_pieces(self, type: Type) -> bool:
        return isinstance(bare(type.of if isinstance(type, List) else type), Piece)

    def variable(self, node: ReadVariable) -> Value:
        """A variable. A variable of a piece is seen where the piece is."""
        variable, index = node.variable, node.index
        tokens = tuple(self.token(part) for part in index)
        label = hidden(variable, variable.visible, tokens, self.state.facts, self.symbols.players)
        for family in variable.positions:  # nobody may see now what lay there when it was set
            if family.visible != "all" or (isinstance(family, Zone) and family.amount != "all"):
                label |= {Secret(family)}
        for part in index:
            value = self.value(part)
            turned = value.home is not None and variable in turned_by(value.home[0])
            label |= value.shape if turned else value.shape | self.content(value, part)
        if self.is_pieces(node.type):
            where = content = self.places(node.type)
            if self.is_exact:
                content = frozenset(Secret(one, through=variable) for one in self.held.get(variable.name, ()))
            return Value(label, label, label | (content if variable.visible == "all" else PUBLIC), where)
        return Value(label, label)

    def selection(self, node: Select) -> Value:
        """A selection from a list, perhaps sorted or mapped."""
        self.work(self.work_of_state(), node.span)
        source = self.value(node.source)
        before = self.state
        self.state = before.copy()
        self.bind(node.binder, member(source, self.is_pieces(node.source.type)), element(node.source.type))
        self.keep_apart(node.binder, node.source)
        where = self.value(node.where).told if node.where is not None else PUBLIC
        with self.knowing(node.where):
            order = told_by(self.value(key) for key in node.by)
            mapped = self.value(node.value) if node.value is not None else None
        if mapped is not None and node.value is not None and isinstance(node.value.type, List | Tuple):
            where |= mapped.size
            order |= mapped.shape
            mapped = mapped._replace(shape=PUBLIC)
        counted = self.is_counted(node.source)
        found = Value(
            source.size | (where - source.content if counted else where),
            source.shape | where | order,
            source.content if mapped is None else mapped.shape | mapped.content,
            source.where if mapped is None else mapped.where,
            None,
            source.home if mapped is None else None,
            source.order if not node.by else PUBLIC,
        )
        self.state = before
        own: Token = ("local", node.binder)
        return forgotten(found, lambda known: mentions(known, own))

    def is_counted(self, source: Expression) -> bool:
        """Whether everybody knows which pieces lie there."""
        pile = whole(source)
        return isinstance(pile, Pile) and pile.zone in self.state.counted

    def applied(self, node: Apply) -> Value:
        """The result of an operator."""
        name, arguments = node.operator.name, node.arguments
        if name in ("and", "or") and len(arguments) == 2:
            left = self.value(arguments[0])
            with self.knowing(arguments[0], name == "and"):
                return plain(left.told | self.value(arguments[1]).told)
        if name in self.by_themselves:
            return self.by_themselves[name](*arguments)
        values = [self.value(argument) for argument in arguments]
        pieces = self.is_pieces(node.type)
        if name == "sure":
            return values[0]
        if name in AS_IT_IS:
            same = values[0]
            if name == "distinct" and not pieces:
                return same._replace(size=same.size | same.content)
            return same if name != "alone" else same._replace(size=PUBLIC)
        if name in HOW_MANY:
            return plain(values[0].size if isinstance(bare(arguments[0].type), Piece | List) else values[0].told)
        if name in ONE_OF and not isinstance(node.type, List):
            one = self.one_of(values, pieces)
            return one._replace(content=self.as_seen(one.content, node))
        if name in COMPARED:
            return plain(self.compared(arguments, values))
        if name in ("owner", "place"):
            found = values[0].size if values[0].home is not None else values[0].shape
            return plain(found | self.lies(values[0].where, arguments[1:]))
        if name in ("joined", "without", "most", "least") and isinstance(node.type, List):
            return self.list_of(name, arguments, values)
        label = told_by(values)
        return Value(label, label, label if pieces else PUBLIC, self.places(node.type))

    def lies(self, where: Label, family: Sequence[Expression]) -> Label:
        """What it reveals that a piece lies in a zone of this family, or in whose: nothing about other zones."""
        if not self.is_exact:
            return where
        bases = [one.value[0] for one in family if isinstance(one, Constant) and isinstance(one.value, tuple)]
        zones = {
            zone
            for zone in self.symbols.zones.values()
            if (zone.base in bases if bases else zone.owned or any(isinstance(p.type, Piece) for p in zone.parameters))
        }
        return frozenset(
            atom
            for atom in where
            if not (isinstance(atom, Secret) and isinstance(atom.family, Zone)) or atom.family in zones
        )

    def unpacked(self, *arguments: Expression) -> Value:
        return self.state.names.get(part_name(arguments), NOTHING)

    def packed(self, begun: Expression, added: Expression, *_: Expression) -> Value:
        """A tuple with one more part."""
        before, part = self.value(begun), self.value(added)
        if not self.is_pieces(added.type):
            part = plain(part.told)
        return Value(
            PUBLIC, before.shape | part.shape | part.size, before.content | part.content, before.where | part.where
        )

    def conditional(self, then: Expression, test: Expression, otherwise: Expression) -> Value:
        """One of two values."""
        label = self.value(test).told
        with self.knowing(test):
            yes = self.value(then)
        with self.knowing(test, False):
            no = self.value(otherwise)
        return join(yes, no).under(label)

    def one_of(self, values: Sequence[Value], pieces: bool) -> Value:
        """One member of a list."""
        source, *rest = values
        at = told_by(rest)
        if not pieces:
            return plain(source.told | at)
        return Value(source.size | at, source.shape | at, source.content, source.where, None, source.home, source.order)

    def compared(self, arguments: Sequence[Expression], values: Sequence[Value]) -> Label:
        """An equality or membership test. Pieces that were found by position are compared by position."""
        a, b = values
        if not all(self.is_pieces(argument.type) for argument in arguments):
            return a.told | b.told
        # All see what lies in an open zone, and what does not.
        is_open = self.is_exact and isinstance(whole(arguments[1]), Pile) and not b.content
        if is_open or (not a.where and not b.where):
            return a.shape | b.shape
        return a.told | b.told

    def list_of(self, name: str, arguments: Sequence[Expression], values: Sequence[Value]) -> Value:
        """Two lists joined, one without another, or the members of a list with the greatest or least key."""
        if name == "joined":
            return join(values[0], values[1])
        if name == "without":
            label = values[0].shape | self.compared(arguments, values)
            return Value(label, label, values[0].content, values[0].where, None, values[0].home)
        match arguments[0]:
            case Select(value=Apply(operator=types.PAIR, arguments=(key, mapped))) as select:
                source = self.selection(replaced(select, mapped))
                label = source.shape | self.selection(replaced(select, key)).told
                return Value(label, label, source.content, source.where, None, source.home)
        label = values[0].told
        return Value(label, label, values[0].content, values[0].where)


def may_change(known: Token, families: Collection[str]) -> bool:
    """Whether a change in these zones and variables may invalidate a token."""
    match known:
        case ("zone" | "variable", str(name), *_) if name in families:
            return True
        case ("call" | "owner" | "place", *_):
            return True
        case tuple():
            return any(may_change(part, families) for part in known)
    return False


def known_to(label: Label, players: Iterable[Token]) -> Label:
    """What a label hides, known to some more players."""
    more = frozenset(players)
    return frozenset(a._replace(knowers=a.knowers | more) if isinstance(a, Secret) else a for a in label)


def told_apart(piece: Value) -> Label:
    """What a comparison of pieces reveals: of face-down pieces of one zone, only whether there are any."""
    return piece.size if piece.content and piece.home is not None else piece.shape | piece.size


def part_name(arguments: Sequence[Expression]) -> str:
    """The token of one part of a chosen tuple: the tuple's local name and the position."""
    whole, *place = arguments
    assert isinstance(whole, Local)
    return " ".join([whole.name, *(str(at.value) for at in place if isinstance(at, Constant))])


def replaced(node: Select, value: Expression) -> Select:
    """A selection that maps each member."""
    of_itself = isinstance(value, Local) and value.name == node.binder
    return Select(node.span, node.type, None if of_itself else value, node.binder, node.source, node.where, node.by)


def element(type: Type) -> Type:
    return type.of if isinstance(type, List) else type


def member(source: Value, pieces: bool) -> Value:
    """The label of a member of a list."""
    if pieces:
        return source._replace(size=PUBLIC, who=None)
    return plain(source.shape | source.content)
