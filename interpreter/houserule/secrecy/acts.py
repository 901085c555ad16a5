"""What verbs and assignments reveal: who sees pieces move, who sees a variable change, and what this makes public.

A piece that moves in the open, or is shown to everybody, becomes public. With it, whatever its choice revealed of the zone
it lay in is declassified. Nothing else is.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator

from houserule.diagnostics import Span
from houserule.language import types
from houserule.language.checked import (
    Act,
    Apply,
    Body,
    Constant,
    EitherPile,
    Expression,
    Family,
    Local,
    Pile,
    ReadVariable,
    SetVariable,
    Site,
    Zone,
)
from houserule.language.trees import argument, expressions, occasions, piles_of, refilled_by
from houserule.language.types import Bool, Exchanges, List, Mixes, Moves, Passes, Picks, Piece, Shows
from houserule.secrecy.labels import (
    EVERYBODY,
    NOTHING,
    PUBLIC,
    Given,
    Label,
    Revelation,
    Secret,
    Shown,
    Summary,
    Token,
    Value,
    families,
    is_stateful,
    part_of,
    secrets,
    without,
)
from houserule.secrecy.reading import Reader, known_to, told_apart
from houserule.secrecy.sight import hidden, turns, whole

Exits = dict[str, Label]
"""Under which conditions control leaves a body, by the label of the statement that is left."""


class Walk:
    """The walk over the statements of one body: what is known at this point, and what has been found out so far."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.start(Summary(), is_root=True, revealing=None)

    def start(self, summary: Summary, is_root: bool, revealing: Revelation | None) -> None:
        """Begin another body. Nobody calls a root, so everything that it shows is known."""
        self.summary = summary
        self.is_root = is_root
        self.revealing = revealing
        self.is_imagined = False
        self.released: frozenset[Family] = frozenset()

    @abstractmethod
    def show(
        self, label: Label, audience: Token, shown: Shown, but: Label = PUBLIC, called: Span | None = None
    ) -> None:
        """Report that something reaches an audience."""

    @abstractmethod
    def receive(self, content: Label, receiver: tuple[str, str], span: Span) -> None:
        """Let a trigger or a variable receive pieces with this label."""

    @abstractmethod
    def put_always(self, label: Label, site: Site) -> None:
        """Mark a question as always put, even with nothing to answer, if its mere appearance would reveal a secret."""

    @abstractmethod
    def come_to_light(self, label: Label) -> Label:
        """The conditions for doing something, without what is hidden when a revelation covers it."""

    @abstractmethod
    def block(self, body: Body, condition: Label) -> Exits:
        """Walk over statements in order."""

    @abstractmethod
    def set_off(self, node: Act, content: Label) -> None:
        """Activate the triggers that pieces with this label may set off."""


class Acts:
    """The acts that change the state, on the walk over a body."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk

    # --- variables ----------------------------------------------------------------------------------------------------

    def set_variable(
        self, span: Span, target: ReadVariable, value: Value, of: Expression | None, condition: Label
    ) -> None:
        """Give a variable a value. Everybody who sees the variable sees the value."""
        reader, variable = self.walk.reader, target.variable
        is_piece = reader.is_pieces(variable.type)
        label = condition | (value.shape if is_piece else value.told)
        shown = Shown(span, f"what is set here, '{variable.name}',")
        for audience, but in self.who_sees(target):
            index = PUBLIC.union(*(part.shape | part.content for part in map(reader.value, target.index)))
            self.walk.show(label | without(index, families(but)), audience, shown, but)
        if is_piece and reader.is_exact and variable.visible == "all":
            content = reader.content(value, of) if of is not None else value.content
            self.walk.receive(content, ("variable", variable.name), span)
        before = reader.state.facts
        reader.forget_state(None if reader.symbols.waiting else [variable])
        if isinstance(of, Constant) and variable.type == Bool():
            holds = bool(of.value)
            for known, so in before.items():  # what has been set to the same value is no longer different
                match known:
                    case ("variable", variable.name, *parts) if so == holds and not any(map(is_stateful, parts)):
                        reader.state.facts[known] = holds
            reader.state.facts[reader.token(target)] = holds

    def who_sees(self, target: ReadVariable) -> Iterator[tuple[Token, Label]]:
        """Who sees a variable, and which secret of its piece becomes public with it."""
        reader, variable = self.walk.reader, target.variable
        tokens = tuple(reader.token(part) for part in target.index)
        sight = hidden(variable, variable.visible, tokens, reader.state.facts, reader.symbols.players)
        if sight:
            for token in knowers(sight):
                yield token, PUBLIC
            return
        if variable.of_kind is None or not reader.is_pieces(target.index[0].type):
            yield EVERYBODY, PUBLIC
            return
        piece = reader.value(target.index[0])
        content = reader.content(piece, target.index[0])
        turned = piece.home is not None and turns(piece.home[0], variable)
        if turned or not content or any(isinstance(atom, Given) for atom in content):
            yield EVERYBODY, content
        else:
            for token in knowers(content):
                yield token, content

    # --- verbs --------------------------------------------------------------------------------------------------------

    def act(self, node: Act, condition: Label) -> None:
        """Walk over a verb, by the effects that its row names."""
        reader = self.walk.reader
        for effect in node.operator.doing.effects:
            match effect:
                case Moves(what=what, to=to, at=at, number=number):
                    source, target = argument(node, what), argument(node, to)
                    assert isinstance(target, Pile | EitherPile)
                    if number:
                        self.draw(node, argument(node, number), source, target, condition)
                    else:
                        self.move(node, source, reader.value(source), target, condition, self.told(node, at))
                case Exchanges(one=one, other=other):
                    self.swap(node, argument(node, one), argument(node, other), condition)
                case Passes(by=by):
                    self.walk.show(condition | self.told(node, by), EVERYBODY, self.seen(node))
                    self.exchange(node)
                case Mixes(what=what):
                    pile = argument(node, what)
                    self.mix(one.zone for one in piles_of(pile))
                    self.walk.show(condition | reader.value(pile).shape, EVERYBODY, self.seen(node))
                case Picks(source=source_):
                    self.roll(node, argument(node, source_), condition)
                    continue
                case Shows(what=what, to=to):
                    self.show_pieces(node, argument(node, what), argument(node, to) if to else None, condition)
                    continue
            self.change(node)
            if isinstance(effect, Mixes) and reader.is_exact and isinstance(pile, Pile):
                reader.state.seen["shuffled", reader.token(pile)] = frozenset()

    def told(self, node: Act, word: str) -> Label:
        """What the number that may stand for a word tells."""
        found = node.arguments[node.operator.doing.words.index(word)] if word else None
        return self.walk.reader.value(found).told if found is not None else PUBLIC

    def seen(self, node: Act) -> Shown:
        """The place of a verb, and what everybody sees of it."""
        return Shown(node.span, node.operator.doing.seen)

    def change(self, node: Act) -> None:
        """What is known of the zones and variables that a verb changes is out of date."""
        zones = (one.zone for one in expressions(node.arguments) if isinstance(one, Pile))
        waits = self.triggers_wait(node)
        self.walk.reader.forget_state(None if waits else [*node.leaves, *node.enters, *zones, *node.changes])

    def draw(
        self, node: Act, number: Expression, source: Expression, target: Pile | EitherPile, condition: Label
    ) -> None:
        """Pieces move from the top of a zone, which may be refilled."""
        reader = self.walk.reader
        size, pile = reader.value(number).told, reader.value(source)
        drawn = pile._replace(size=pile.size | size, shape=pile.shape | size)
        if refilled_by(node) is not None:
            shown = Shown(node.span, "whether this brings cards back from another zone")
            self.walk.show(condition | drawn.size, EVERYBODY, shown)
        self.move(node, None, drawn, target, condition, PUBLIC)

    def triggers_wait(self, node: Act | SetVariable) -> bool:
        return any(occasion in self.walk.reader.symbols.waiting for occasion in occasions(node))

    def scramble(self, *zones: Zone) -> None:
        """Forget which pieces lie in these zones."""
        self.walk.reader.state.counted -= set(zones)
        self.walk.summary.scrambled |= frozenset(zones)

    def mix(self, zones: Iterable[Zone]) -> None:
        """Forget where the pieces of these zones lie."""
        mixed = frozenset(zones)
        self.walk.reader.lose(mixed)
        self.walk.summary.mixed |= mixed

    def exchange(self, node: Act) -> None:
        """Zones exchange their pieces, possibly unseen."""
        self.scramble(*node.leaves, *node.enters)
        hidden = frozenset(Secret(zone) for zone in (*node.leaves, *node.enters) if zone.visible != "all")
        self.walk.summary.used |= hidden
        self.walk.set_off(node, frozenset(secret for secret in hidden if secret.family in node.enters))

    def move(
        self,
        node: Act,
        what: Expression | None,
        pieces: Value,
        target: Pile | EitherPile,
        condition: Label,
        at: Label,
    ) -> None:
        """Pieces move to a zone."""
        reader = self.walk.reader
        goal = reader.pile(target)
        places = at | goal.shape - self.sight_of(target)
        content = reader.content(pieces, what) if what is not None else pieces.content
        if what is not None and reader.is_exact and reader.lies_open(what):
            pieces = pieces._replace(where=PUBLIC)
        self.walk.summary.used |= content
        pieces = pieces._replace(content=content)
        if not goal.content:
            self.come_out(node, what, pieces, target, condition | places)
        else:
            self.stay_hidden(node, pieces, goal, target, condition, places)
        found = self.after(content, goal, places)
        self.walk.set_off(node, found.content)
        if isinstance(what, Local):
            known = reader.state.names.get(what.name)
            if known is not None:
                reader.state.names[what.name] = known._replace(
                    content=found.content, where=found.where, home=found.home
                )
        if node.result is not None:
            drawn = Value(pieces.size, pieces.size, found.content, found.where, None, found.home)
            reader.bind(node.result, drawn.under(condition), List(Piece(None)))

    def come_out(
        self, node: Act, what: Expression | None, pieces: Value, target: Pile | EitherPile, condition: Label
    ) -> None:
        """Pieces move where all see them: with them, everybody sees what else their choice has told."""
        shown = self.seen(node)
        label = pieces.shape | pieces.size
        if what is None:
            amount = frozenset(atom for atom in label if isinstance(atom, Secret) and atom.part == "amount")
            self.walk.show(amount, EVERYBODY, Shown(node.span, "whether anything is drawn here"))
        if what is None or isinstance(what.type, List):
            label = part_of(label, "")
        self.walk.show(condition | label, EVERYBODY, shown, pieces.content)
        if any(pile.zone.ordered for pile in piles_of(target)):
            self.walk.show(pieces.order, EVERYBODY, shown)
        self.walk.released |= families(pieces.content)

    def stay_hidden(
        self, node: Act, pieces: Value, goal: Value, target: Pile | EitherPile, condition: Label, places: Label
    ) -> None:
        """Pieces move where not everybody sees them: who sees both amounts change learns how they were chosen."""
        shown = self.seen(node)
        label = condition | told_apart(pieces) | self.uncounted(pieces.where)
        for audience in self.counters(goal, target):
            but = pieces.content if audience in knowers(goal.content) else PUBLIC
            self.walk.show(label | places, audience, shown, but)
        for audience in self.counters(pieces, None):
            self.walk.show(label, audience, shown)
        if pieces.content and not self.stays(pieces, goal):
            self.scramble(*node.leaves, *node.enters)
            self.mix(zone for zone in node.leaves if not zone.ordered)

    def uncounted(self, where: Label) -> Label:
        """What it reveals that a piece leaves its zone, unless everybody knows which pieces lie there."""
        return without(where, self.walk.reader.state.counted)

    def stays(self, pieces: Value, goal: Value) -> bool:
        return pieces.home is not None and pieces.home == goal.home

    def sight_of(self, target: Pile | EitherPile) -> Label:
        """What the amounts of a zone hide, and a piece that moves there does not reveal."""
        if isinstance(target, EitherPile):
            return self.sight_of(target.yes) | self.sight_of(target.no)
        tokens = tuple(self.walk.reader.token(part) for part in target.index)
        return self.walk.reader.amount(target.zone, tokens)

    def counters(self, pieces: Value, target: Pile | EitherPile | None) -> Iterator[Token]:
        """Who sees that pieces leave or enter a zone."""
        reader = self.walk.reader
        if target is not None:
            amounts = self.sight_of(target)
        elif pieces.home is not None:
            amounts = reader.amount(pieces.home[0], pieces.home[1])
        else:
            amounts = PUBLIC
        if not amounts or not pieces.content:
            yield EVERYBODY
            return
        yield from sorted(knowers(amounts) | knowers(pieces.content), key=repr)

    def after(self, content: Label, goal: Value, places: Label) -> Value:
        """What pieces reveal after a move to a zone: only players who knew them, or see them there, know them."""
        if not goal.content or not content:
            return Value(where=places if goal.content else PUBLIC, home=goal.home)
        if any(isinstance(atom, Given) for atom in content):
            return Value(content=content, where=places, home=goal.home)
        known = knowers(content)
        label = known_to(secrets(goal.content), known)
        return Value(content=label, where=places, home=goal.home)

    def roll(self, node: Act, source: Expression, condition: Label) -> None:
        """Pick from a list at random. Everybody sees the result, unless it goes into a variable, which reports it itself."""
        reader = self.walk.reader
        value = reader.value(source)
        pieces = reader.is_pieces(source.type)
        into_variable = node.name.split("[")[0].rsplit(".", 1)[-1] in reader.symbols.variables
        told = value.size if pieces else value.told
        if not into_variable:
            self.walk.show(condition | told, EVERYBODY, self.seen(node))
            told = PUBLIC
        if node.result is not None:
            found = Value(told, told, value.content if pieces else PUBLIC, value.where, None, value.home)
            kind = source.type.of if isinstance(source.type, List) else source.type
            reader.bind(node.result, found.under(condition), kind)

    def show_pieces(self, node: Act, what: Expression, to: Expression | None, condition: Label) -> None:
        """Show pieces to players, or to everybody. Everybody sees that they are shown."""
        reader = self.walk.reader
        pieces, viewers = reader.value(what), reader.value(to) if to is not None else NOTHING
        content = reader.content(pieces, what)
        self.walk.summary.used |= content
        to_all = to is None or self.are_all(to, content)
        label = condition | viewers.told | (pieces.shape if to_all else pieces.size)
        self.walk.show(label, EVERYBODY, self.seen(node), content if to_all else PUBLIC)
        if to_all:
            self.walk.released |= families(content)
        viewer = reader.token(to.arguments[0]) if isinstance(to, Apply) and to.operator is types.ALONE else None
        more = frozenset({EVERYBODY if to_all else viewer} - {None})
        if isinstance(what, Local) and what.name in reader.state.names:
            label = PUBLIC if to_all else known_to(content, more)
            reader.state.names[what.name] = reader.state.names[what.name]._replace(content=label)
        elif reader.is_exact and (found := reader.token(whole(what))) is not None:
            reader.state.seen[found] = reader.state.seen.get(found, frozenset()) | more

    def are_all(self, to: Expression, content: Label) -> bool:
        """Whether these players and those who know the label already are all players."""
        if isinstance(to, Constant) and isinstance(to.value, tuple):
            return len(set(to.value)) >= self.walk.reader.symbols.players
        if isinstance(to, Apply) and to.operator is types.OPPONENTS:
            me = self.walk.reader.token(to.arguments[0])
            return all(isinstance(atom, Secret) and me in atom.knowers for atom in content)
        return False

    def swap(self, node: Act, a: Expression, b: Expression, condition: Label) -> None:
        """Two variables, pieces or zones swap places."""
        reader = self.walk.reader
        if node.changes and isinstance(a, ReadVariable) and isinstance(b, ReadVariable):
            one, other = reader.value(a), reader.value(b)
            self.set_variable(node.span, a, other, None, condition)
            self.set_variable(node.span, b, one, None, condition)
            return
        shown = self.seen(node)
        values = [reader.value(a), reader.value(b)]
        if isinstance(a, Pile | EitherPile):
            self.walk.show(condition.union(*(part_of(v.shape, "") - v.content for v in values)), EVERYBODY, shown)
            self.exchange(node)
            return
        contents = [reader.content(value, one) for value, one in zip(values, (a, b), strict=True)]
        self.walk.summary.used |= contents[0] | contents[1]
        comes_out = not all(contents)  # one of the two lies in the open, so the other ends there
        but = contents[0] | contents[1] if comes_out else PUBLIC
        label = condition
        for value, content in zip(values, contents, strict=True):
            label |= value.shape if comes_out else told_apart(value._replace(content=content))
        self.walk.show(label, EVERYBODY, shown, but)
        if not comes_out:
            self.exchange(node)
        for piece in (a, b):
            known = reader.state.names.get(piece.name) if isinstance(piece, Local) else None
            if known is not None and isinstance(piece, Local):
                reader.state.names[piece.name] = known._replace(
                    content=PUBLIC if comes_out else known.content, home=None
                )


def knowers(label: Label) -> frozenset[Token]:
    """The players who know everything that a label depends on."""
    each = [atom.knowers for atom in label if isinstance(atom, Secret)]
    return frozenset.intersection(*each) if each else frozenset()
