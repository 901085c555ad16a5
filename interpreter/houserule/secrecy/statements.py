"""What statements show, and to whom."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial

from houserule.diagnostics import Span
from houserule.language.checked import (
    Act,
    Ask,
    Body,
    Branch,
    Constant,
    Each,
    EndGame,
    Enter,
    Expression,
    Jump,
    Labelled,
    Local,
    Loop,
    Pause,
    Perform,
    Race,
    Reset,
    Return,
    Routine,
    Select,
    SetLocal,
    SetVariable,
    Statement,
    Tell,
    Times,
    Together,
    Zone,
)
from houserule.language.trees import occasions
from houserule.language.types import PLAYER, UNKNOWN, List, Player
from houserule.secrecy.acts import Acts, Exits, Walk
from houserule.secrecy.asking import Asking
from houserule.secrecy.labels import (
    EVERYBODY,
    NOTHING,
    PUBLIC,
    CallSite,
    Label,
    Reasons,
    Shown,
    Summary,
    Token,
    Value,
    join,
    part_of,
    told_by,
    without,
)
from houserule.secrecy.reading import Reader, State, element, member
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


class Statements(Walk):
    """Walks over the statements of one body."""

    def __init__(self, reader: Reader, reasons: Reasons) -> None:
        super().__init__(reader)
        self.reasons = reasons
        self.acts, self.asking, self.loops = Acts(self), Asking(self), Loops(self)

    @abstractmethod
    def fill_in(self, routine: Routine, call: CallSite, span: Span) -> Summary:
        """Apply what a routine shows to one call of it."""

    # --- bodies -------------------------------------------------------------------------------------------------------

    def block(self, body: Body, condition: Label) -> Exits:
        """Walk over statements in order."""
        exits: Exits = {}
        before = self.released
        for statement in body:
            for target, label in self.statement(statement, condition).items():
                exits[target] = exits.get(target, PUBLIC) | label
                condition |= label
            condition = without(condition, self.released)
        self.released = before
        return exits

    def statement(self, node: Statement, condition: Label) -> Exits:
        """Walk over one statement. What a step reveals is revealed for everything in it."""
        self.reader.work(self.reader.work_of_state() + len(condition) // 8, node.span)
        revelation = self.reasons.at(node.span)
        if revelation is None:
            return self.inside(node, condition)
        before, self.revealing = self.revealing, revelation
        exits = self.inside(node, condition)
        self.revealing = before
        return {target: self.reasons.rest(label, revelation) | condition for target, label in exits.items()}

    def inside(self, node: Statement, condition: Label) -> Exits:
        """Walk over one statement, by its kind."""
        match node:
            case Branch() | Each() | Loop() | Times() | Labelled() | Together():
                return self.nested(node, condition)
            case Jump(label=label):
                self.reader.leave(label)
                return {label: condition}
            case EndGame(span=span):
                self.show(condition, EVERYBODY, Shown(span, "that the game ends here"))
                return {"end": condition}
            case Return(value=value):
                if value is not None:
                    found = self.reader.value(value).under(condition)
                    self.summary.result = join(self.summary.result, found._replace(who=None, home=None))
                return {"return": condition}
            case Perform():
                return self.invoke(node, condition)
            case _:
                self.simple(node, condition)
                return {}

    def simple(self, node: Statement, condition: Label) -> None:
        """Walk over a statement that contains no other."""
        reader = self.reader
        match node:
            case SetLocal(name=name, value=value):
                found = reader.value(value).under(condition)
                reader.bind(
                    name, found._replace(who=reader.token(value)) if value.type == PLAYER else found, value.type
                )
            case SetVariable(target=target, value=value):
                self.acts.set_variable(node.span, target, reader.value(value), value, condition)
            case Act():
                self.acts.act(node, condition)
            case Tell():
                self.asking.tell(node, condition)
            case Ask():
                self.asking.ask(node, condition)
            case Race(span=span, entrants=entrants, must=must, result=result):
                label = condition | reader.value(entrants).told | reader.value(must).told
                self.show(label, EVERYBODY, Shown(span, "who may or must slap"))
                reader.bind(result, NOTHING.under(condition), entrants.type)
            case Enter(span=span, me=me):
                label = condition | (reader.value(me).told if me is not None else PUBLIC)
                self.show(label, EVERYBODY, Shown(span, "that this step comes, or whose turn it is,"))
            case Reset(variables=variables):
                for variable in variables:
                    if variable.visible == "all":
                        self.show(condition, EVERYBODY, Shown(node.span, f"that '{variable.name}' is reset"))
                reader.forget_state()
            case Pause():
                pass
            case _:
                raise AssertionError(node)

    def nested(self, node: Branch | Each | Loop | Times | Labelled | Together, condition: Label) -> Exits:
        """Walk over a statement that contains others."""
        reader = self.reader
        match node:
            case Branch(test=test, then=then, otherwise=otherwise):
                return self.branch(test, then, otherwise, condition)
            case Labelled(body=body, label=label):
                exits = self.block(body, condition)
                exits.pop(label, None)
                reader.arrive(label)
                return exits
            case Each():
                return self.loops.each(node, condition)
            case Together(source=source, binder=binder, body=body, label=label):
                value = reader.value(source)
                label_ = condition | value.told
                self.show(label_, EVERYBODY, Shown(source.span, "who acts together"))
                return self.loops.loop(
                    label, body, condition, partial(reader.bind, binder, NOTHING, element(source.type))
                )
            case Times(count=count, body=body, label=label):
                return self.loops.loop(
                    label, body, condition | self.come_to_light(reader.value(count).told), lambda: None
                )
            case Loop(test=test, until=until, body=body, label=label):
                return self.loops.while_loop(test, until, body, label, condition)

    def branch(self, test: Expression, then: Body, otherwise: Body, condition: Label) -> Exits:
        """An `if`."""
        reader = self.reader
        inner = condition | self.come_to_light(reader.value(test).told)
        before = reader.state
        reader.state = before.copy()
        reader.learn(test, True)
        exits = self.block(then, inner)
        after = reader.state
        reader.state = before.copy()
        reader.learn(test, False)
        for target, label in self.block(otherwise, inner).items():
            exits[target] = exits.get(target, PUBLIC) | label
        reader.state = after.joined(reader.state)
        return exits

    # --- calls --------------------------------------------------------------------------------------------------------

    def invoke(self, node: Perform, condition: Label) -> Exits:
        """Call an action, or the effect of whichever member it is, with the triggers around it."""
        reader = self.reader
        values = [reader.value(argument) for argument in node.arguments]
        me = reader.value(node.me) if node.me is not None else NOTHING
        of = reader.value(node.of) if node.of is not None else NOTHING
        ends: Label = PUBLIC
        result = NOTHING
        scrambled: frozenset[Zone] = frozenset()
        for callee in dict.fromkeys(node.callees):
            call = call_of(reader, callee, node.arguments, values, node.me, me, condition | of.told)
            call.arguments = {**call.arguments, "this": of}
            if node.of is not None:
                call.tokens = {**call.tokens, "this": reader.token(node.of)}
            summary = self.fill_in(callee, call, node.span)
            result = join(result, call.value(summary.result)) if result is not NOTHING else call.value(summary.result)
            ends |= call.label(summary.ends)
            scrambled |= summary.scrambled
            self.acts.mix(summary.mixed)
        reader.forget_state()
        reader.state.counted -= scrambled
        self.summary.scrambled |= scrambled
        self.after_call(node, result, condition)
        if node.result is not None:
            reader.bind(
                node.result, result.under(condition), (node.callees[0].result if node.callees else None) or UNKNOWN
            )
        return {"end": ends} if ends else {}

    def after_call(self, node: Perform, result: Value, condition: Label) -> None:
        """After a call: run its triggers, with what its result reveals, and note pieces that it has shown to everybody."""
        for occasion in occasions(node):
            for trigger in self.reader.symbols.waiting.get(occasion, ()):
                of_event = {parameter.name or "": result for parameter in trigger.routine.parameters}
                self.fill_in(trigger.routine, CallSite(of_event, {}, condition), node.span)
        if node.effect is not None or len(node.callees) != 1:
            return
        callee, names = node.callees[0], self.reader.state.names
        opened = (self.summary_of(callee) or Summary()).opened
        for parameter, argument in zip(callee.parameters, node.arguments, strict=False):
            if parameter.name in opened and isinstance(argument, Local) and argument.name in names:
                names[argument.name] = names[argument.name]._replace(content=PUBLIC)

    @abstractmethod
    def summary_of(self, routine: Routine) -> Summary | None:
        """The summary of the called routine."""


def call_of(
    reader: Reader,
    callee: Routine,
    nodes: Sequence[Expression],
    values: Sequence[Value],
    me: Expression | None,
    me_value: Value,
    condition: Label,
) -> CallSite:
    """A call site: its arguments by parameter."""
    arguments = {"me": me_value}
    tokens: dict[str, Token] = {"me": reader.token(me) if me is not None else None}
    for parameter, node, value in zip(callee.parameters, nodes, values, strict=False):
        if parameter.name:
            if reader.is_exact:
                value = value._replace(content=reader.content(value, node))
            arguments[parameter.name] = value
            tokens[parameter.name] = reader.token(node)
    return CallSite(arguments, tokens, condition)
