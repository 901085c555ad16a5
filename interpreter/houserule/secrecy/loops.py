"""Loops: the state at a loop's head holds for every pass, so the body is walked over until it reaches a fixed point."""

from __future__ import annotations

from collections.abc import Callable

from houserule.language.checked import Body, Constant, Each, Expression, Select
from houserule.language.types import List, Player
from houserule.secrecy.acts import Exits, Walk
from houserule.secrecy.labels import EVERYBODY, PUBLIC, Label, Token, part_of, told_by
from houserule.secrecy.reading import State, element, member
from houserule.secrecy.sight import whole


def is_of_all(source: Expression, players: int) -> bool:
    """Whether a list is that of all players."""
    match whole(source):
        case Constant(type=List(of=Player()), value=tuple(value)):
            return len(set(value)) == players
        case _:
            return False


class Loops:
    """Loops on the walk over a body, each with the last state at its head."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.settled: dict[str, tuple[State, Label]] = {}
        self.ended: dict[Token, frozenset[Token]] = {}  # who has seen what after the last pass

    def each(self, node: Each, condition: Label) -> Exits:
        """A loop over a list. Each pass reveals that its member is in the list, except to those who know it."""
        reader = self.walk.reader
        tested = whole(node.source)
        test = tested if isinstance(tested, Select) and tested.value is None and not tested.by else None
        if test is not None and (not reader.is_exact or reader.is_counted(test.source)):
            test = None
        source = node.source if test is None else test.source
        value = reader.value(source)
        size, shape = value.size, value.shape
        if value.home is not None:  # each pass is about one of all
            size, shape = part_of(size, ""), part_of(shape, "")
        value = value._replace(size=self.walk.come_to_light(size), shape=self.walk.come_to_light(shape))
        one = member(value, reader.is_pieces(source.type)).under(condition)

        def begin() -> Label:
            reader.bind(node.binder, one, element(source.type))
            reader.keep_apart(node.binder, source)
            if test is None or test.where is None:
                return PUBLIC
            reader.bind(test.binder, one._replace(who=("local", node.binder)), element(source.type))
            label = self.walk.come_to_light(reader.value(test.where).told)
            reader.learn(test.where, True)
            reader.state.names.pop(test.binder, None)
            return label

        exits = self.loop(node.label, node.body, condition | value.size, begin)
        reader.state.names.pop(node.binder, None)
        if is_of_all(node.source, reader.symbols.players) and not exits:
            for known, to in self.ended.items():
                match known:
                    case ("zone", name, ("local", node.binder)) if EVERYBODY in to:
                        reader.state.seen["zone", name, EVERYBODY] = frozenset({EVERYBODY})
        return exits

    def loop(self, label: str, body: Body, condition: Label, begin: Callable[[], Label | None]) -> Exits:
        """A loop whose head state holds for every pass, repeated until it reaches a fixed point."""
        reader, walk = self.walk.reader, self.walk
        before = reader.state
        while True:
            summary, jumped = walk.summary.copy(), dict(reader.jumped)
            at_head, again = self.settled.get(label, (before, PUBLIC))
            entry = before.joined(at_head)
            entry.facts = {}
            reader.state = entry.copy()
            inside = condition | again | (begin() or PUBLIC)
            exits = walk.block(body, inside)
            self.ended = reader.state.seen if label not in reader.jumped else {}
            own = exits.pop(label, PUBLIC)
            reader.state = entry.joined(reader.state)
            reader.arrive(label)
            reader.state.names = {name: reader.state.names[name] for name in entry.names}
            self.settled[label] = (reader.state.copy(), again | own)
            if reader.state == entry and own <= inside:
                return exits
            walk.summary, reader.jumped = summary, jumped

    def while_loop(
        self, test: Expression | None, until: Expression | None, body: Body, label: str, condition: Label
    ) -> Exits:
        """A loop while one condition holds, until another does."""
        reader = self.walk.reader

        def begin() -> Label:
            tested = told_by(reader.value(one) for one in (test, until) if one is not None)
            if test is not None:
                reader.learn(test, True)
            return self.walk.come_to_light(tested)

        return self.loop(label, body, condition, begin)
