"""The analysis of a whole game: its flow and routines in, what comes to light where it must not as diagnostics out.

Each routine is summed up in terms of its parameters, and summed up again until nothing changes: loops and recursion settle
on the least labels that hold. Then everything is looked at once more, and what comes out is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from houserule.diagnostics import Related, Report, Span
from houserule.language.checked import Act, Body, Call, Site, Statement, occasions
from houserule.language.symbols import Family, Routine, SymbolTable, Trigger, Variable, Zone
from houserule.language.types import List, Maybe, Piece, Player, Type
from houserule.secrecy.acts import Exits
from houserule.secrecy.known import Known
from houserule.secrecy.labels import (
    CALL,
    EVERYBODY,
    NOTHING,
    PUBLIC,
    Given,
    Label,
    Secret,
    Token,
    Value,
    families,
    secrets,
    without,
)
from houserule.secrecy.reading import Reader, State
from houserule.secrecy.sight import hidden
from houserule.secrecy.statements import Statements, call_of
from houserule.secrecy.summaries import CallSite, Flow, Revelation, Shown, Summary, start_of

TRIGGER = "trigger"
Calls = Mapping[Routine, Iterable[Routine]]
MOST_ROUNDS = 40
"""Rounds after which the analysis gives up; labels settle after a few."""


class Secrets:
    """What the rules of a game let out. Nothing is looked for before somebody asks.

    `calls` are all routines with those that they call. They are looked at as they are now, before triggers are put around
    actions.
    """

    def __init__(self, symbols: SymbolTable, flow: Body, calls: Calls, revelations: Sequence[Revelation]) -> None:
        self.symbols = symbols
        self.flow = flow
        self.bodies = {routine: routine.body or () for routine in callees_first(calls)}
        self.revelations = revelations

    @cached_property
    def always_put(self) -> frozenset[Site]:
        """The questions that are put even where there is nothing to answer, since a silence would tell a secret.

        Records have an answer to each. So that they replay, routines begin here without knowing anything.
        """
        analysis = Analysis(self.symbols, self.bodies, self.revelations, Report())
        analysis.settle_routines()
        analysis.settle(self.flow)
        return frozenset(analysis.always_put)

    def check(self, report: Report) -> None:
        """Say what comes to light that should not."""
        known = Known(self.symbols, self.flow, self.bodies)
        analysis = Analysis(self.symbols, self.bodies, self.revelations, report, known)
        analysis.settle_routines()
        analysis.settle(self.flow)
        analysis.speak(self.flow)
        look_at_sight(analysis)
        for revelation in self.revelations:
            if revelation not in analysis.needed:
                report.warning("HR583", "nothing hidden comes to light here", revelation.span, "remove `reveals`")


def callees_first(calls: Calls) -> Iterator[Routine]:
    """Each routine behind those that it calls, as far as they do not call each other."""
    met: set[Routine] = set()
    waiting = [(routine, False) for routine in reversed(list(calls))]
    while waiting:
        routine, is_left = waiting.pop()
        if is_left:
            yield routine
        elif routine not in met:
            met.add(routine)
            waiting.append((routine, True))
            waiting += [(callee, False) for callee in calls.get(routine, ())]


class Analysis(Statements):
    """One analysis of one game."""

    def __init__(
        self,
        symbols: SymbolTable,
        bodies: Mapping[Routine, Body],
        revelations: Sequence[Revelation],
        report: Report,
        known: Known | None = None,
    ) -> None:
        super().__init__(Reader(symbols, self.evaluate, known))
        self.symbols = symbols
        self.bodies = bodies
        self.revelations = {start: revelation for revelation in revelations for start in revelation.of}
        self.needed: set[Revelation] = set()
        self.report = report
        self.summaries: dict[Routine, Summary] = {routine: Summary() for routine in bodies}
        self.users: dict[Routine, dict[Routine, None]] = {}
        self.at_work: Routine | None = None
        self.told: set[tuple[Span, str]] = set()
        self.always_put: set[Site] = set()
        self.triggers = {trigger.routine: trigger for trigger in symbols.triggers}
        self.is_last = False
        self.leaking: set[Routine | None] = set()  # of these and, for None, of the flow something comes out
        self.unseen: set[str] = set()  # the triggers that are given pieces which not all have seen

    def speak(self, flow: Body) -> None:
        """Go once more through everything of which something comes out, to say so."""
        self.is_last = True
        if None in self.leaking:
            self.settle(flow)
        for routine in filter(self.leaking.__contains__, self.bodies):
            self.sum_up(routine)

    def settle(self, flow: Body) -> None:
        """Go through the flow until nothing changes: its loops settle in a round or two."""
        unseen = len(self.unseen)
        for _ in range(MOST_ROUNDS):
            self.changed = False
            self.go_through(flow)
            if not self.changed:
                break
        if len(self.unseen) > unseen:  # what triggers are given may come out of any routine
            self.leaking |= self.bodies.keys()

    def settle_routines(self) -> None:
        """Sum up each routine, and again whatever stands on a summary that changed: a worklist, callees first."""
        waiting = dict.fromkeys(self.bodies)
        for _ in range(MOST_ROUNDS * len(self.bodies)):
            if not waiting:
                return
            routine = next(iter(waiting))
            del waiting[routine]
            self.changed, unseen = False, len(self.unseen)
            if self.sum_up(routine):
                waiting |= self.users.get(routine, {})
            if self.changed:
                waiting[routine] = None
            if len(self.unseen) > unseen:
                waiting |= dict.fromkeys(
                    r for r, trigger in self.triggers.items() if trigger.routine.name in self.unseen
                )

    def summary_of(self, routine: Routine) -> Summary | None:
        """The summary of a routine that is called; the caller is summed up again when it changes."""
        if self.at_work is not None:
            self.users.setdefault(routine, {})[self.at_work] = None
        return self.summaries.get(routine)

    def go_through(self, flow: Body) -> None:
        """The flow, from the beginning, when all know which pieces lie where, if not in which order."""
        self.reader.state = State(counted=frozenset(z for z in self.symbols.zones.values() if z.visible == "none"))
        self.start(Summary(), is_root=True, revealing=None)
        self.at_work = None
        self.leaking.discard(None)
        self.block(flow, PUBLIC)

    # --- routines ----------------------------------------------------------------------------------------------------

    def sum_up(self, routine: Routine) -> bool:
        """Find out what a routine tells and shows; whether that is something else than before."""
        summary, trigger = Summary(), self.triggers.get(routine)
        self.at_work = routine
        self.leaking.discard(routine)
        root = trigger is not None and not trigger.is_around_action
        state = State()
        condition = CALL
        if trigger is not None and root:
            condition = event(self.symbols, trigger, trigger.routine.name in self.unseen, state)
        else:
            for name, type in named_of(routine):
                state.names[name] = given(name, type)
        self.reader.state = state
        revelation = self.revelation_at(routine.span)
        self.start(summary, is_root=root, revealing=revelation)
        self.is_imagined = bool(routine.imagined_in)
        exits = self.block(self.bodies[routine], condition)
        summary.ends = exits.get("end", PUBLIC)
        if self.reader.known is not None and "return" not in exits:
            summary.opened = opened(routine, self.reader.state.names)
        if routine.imagined_in:
            summary.keep_imagined()
            summary.opened = frozenset()
        if routine.is_of_me:  # `eliminated`, which all are shown all the time
            self.show(secrets(summary.result.told), EVERYBODY, Shown(routine.span, "who is out"))
            summary.reveal()
        elif revelation is not None:
            if secrets(summary.result.told):
                self.needed.add(revelation)
            summary.reveal()
        is_new = not summary.is_like(self.summaries[routine])
        self.summaries[routine] = summary
        return is_new

    def inside(self, node: Statement, condition: Label) -> Exits:
        """One statement, with what the changes of the triggers depend on that it can set off."""
        waiting = (self.symbols.waiting.get(one, ()) for one in occasions(node) if self.symbols.imagined)
        for trigger in (trigger for triggers in waiting for trigger in triggers):
            self.summary.used |= secrets((self.summary_of(trigger.routine) or Summary()).used)
        return super().inside(node, condition)

    def revelation_at(self, span: Span) -> Revelation | None:
        """What is revealed by the rules that begin there."""
        return self.revelations.get(start_of(span)) if self.revelations else None

    def come_to_light(self, label: Label) -> Label:
        """What decides what is done: where that is revealed, nothing that is hidden any more."""
        if self.revealing is None or not families(label):
            return label
        self.needed.add(self.revealing)
        self.summary.used |= label
        return frozenset(atom for atom in label if isinstance(atom, Given))

    def evaluate(self, node: Call, arguments: list[Value], me: Value) -> Value:
        """What the result of a function tells."""
        call = call_of(self.reader, node.function, (*node.arguments,), arguments, node.me, me, PUBLIC)
        summary = self.summary_of(node.function)
        return call.value(summary.result) if summary is not None else NOTHING

    def set_off(self, node: Act, content: Label) -> None:
        """Pieces that tell this may set off triggers: those learn a secret if the pieces are one."""
        waiting = self.symbols.waiting
        for occasion in dict.fromkeys(filter(waiting.__contains__, occasions(node))):
            if occasion[0] != "changes":
                for trigger in waiting[occasion]:
                    self.learn(content, trigger.routine.name)

    def learn(self, content: Label, trigger: str) -> None:
        """A trigger is given pieces that tell this."""
        for atom in content:
            if isinstance(atom, Given):
                self.summary.flows.setdefault(Flow(atom, (TRIGGER, trigger)), Shown(Span("<trigger>"), ""))
            elif trigger not in self.unseen:
                self.unseen.add(trigger)
                self.changed = True

    # --- what is shown ------------------------------------------------------------------------------------------------

    def fill_in(self, routine: Routine, call: CallSite, span: Span) -> Summary:
        """What a routine shows when it is called so."""
        summary = self.summary_of(routine) or Summary()
        self.summary.used |= call.label(summary.used)
        for flow, shown in summary.flows.items():
            label, but = call.atom(flow.atom), call.label(flow.but)
            if flow.site is not None:
                self.put_always(label, flow.site)
            elif isinstance(flow.audience, tuple) and flow.audience[0] == TRIGGER:
                self.learn(label, str(flow.audience[1]))
            else:
                self.show(label, call.audience(flow.audience), shown, but, span)
        return summary

    def show(
        self, label: Label, audience: Token, shown: Shown, but: Label = PUBLIC, called: Span | None = None
    ) -> None:
        """Something reaches an audience: what may not is said, put off until a call fills it in, or on purpose."""
        self.summary.used |= label | but
        if self.is_imagined:
            return
        label = without(label, families(but))
        if not label:
            return
        if shown.revealed is None and self.revealing is not None:
            shown = Shown(shown.span, shown.what, shown.whom, shown.code, self.revealing)
        for atom in sorted(label, key=by_name) if len(label) > 1 else label:
            if isinstance(atom, Secret) and (audience in atom.knowers and audience != EVERYBODY):
                continue
            if is_open(atom, audience, but, self.is_root):
                self.summary.flows.setdefault(Flow(atom, audience, but), shown)
            elif isinstance(atom, Secret):
                self.come_out(atom, shown, called)

    def come_out(self, secret: Secret, shown: Shown, called: Span | None) -> None:
        """Say that something comes to light, unless it does on purpose."""
        family = secret.family
        revelation = shown.revealed or self.revelation_at(family.span)
        if revelation is not None:
            self.needed.add(revelation)
            return
        self.leaking.add(self.at_work)
        if not self.is_last or (shown.span, shown.code) in self.told:
            return
        self.told.add((shown.span, shown.code))
        say(secret.family, shown, called, self.report)

    def put_always(self, label: Label, site: Site) -> None:
        """A question is put even if there is nothing to answer where its coming would tell a secret."""
        for atom in label:
            if isinstance(atom, Secret):
                self.always_put.add(site)
            else:
                self.summary.flows.setdefault(Flow(atom, EVERYBODY, PUBLIC, site), Shown(site.span, ""))


def look_at_sight(analysis: Analysis) -> None:
    """Whether somebody sees something tells them on what that depends."""
    symbols, reader = analysis.symbols, analysis.reader
    for family in (*symbols.zones.values(), *symbols.variables.values()):
        for rule in (family.visible, family.amount if isinstance(family, Zone) else ""):
            if not isinstance(rule, str):
                reader.state = State()
                analysis.start(Summary(), is_root=True, revealing=None)
                label = without(reader.value(rule).told, [family])
                analysis.show(label, ("local", "_viewer"), Shown(rule.span, "who sees this", "the viewer may not"))


def opened(routine: Routine, names: Mapping[str, Value]) -> frozenset[str]:
    """The parameters that still are the pieces that they brought, and all have seen those."""
    found = {name: names.get(name, NOTHING) for name, _ in named_of(routine)}
    return frozenset(n for n, value in found.items() if value.shape == {Given(n, "shape")} and not value.content)


def is_open(atom: Secret | Given, audience: Token, but: Label, is_root: bool) -> bool:
    """Whether it takes a call to tell if this may be shown."""
    if isinstance(atom, Given):
        return True
    if is_root:
        return False
    return any(isinstance(other, Given) for other in but) or (audience != EVERYBODY and bool(atom.knowers))


def say(family: Family, shown: Shown, called: Span | None, report: Report) -> None:
    """Say that something comes to light: both ends, and what performs it."""
    what = "variable" if isinstance(family, Variable) else "zone"
    related = [Related(f"the {what} is declared here", family.span)]
    if called is not None and called != shown.span:
        related.append(Related("it is performed here", called))
    if shown.code == "HR580":
        message = f"this reads what the chooser may not see of '{family.name}': the options give it away"
        help = "show it first, or offer everything"
    else:
        message = f"{shown.what} depends on what {shown.whom} see of '{family.name}'"
        help = "show it first, or say why it comes to light: `reveals: …`"
    report.warning(shown.code, message, shown.span, help, related)


def event(symbols: SymbolTable, trigger: Trigger, is_unseen: bool, state: State) -> Label:
    """What is known when a trigger is set off: that it is, and the names of its event: pieces may not have been seen."""
    event, parameters = trigger.event, list(trigger.routine.parameters)
    family = symbols.variables.get(event.place) or symbols.zones.get(event.place)
    if family is None:
        return PUBLIC
    indices = parameters[len(parameters) - len(event.of) :] if event.of else []
    tokens: list[Token] = [("local", p.name) if isinstance(p.type, Player) else None for p in indices]
    players = symbols.players
    for parameter, known in zip(indices, tokens, strict=True):
        state.names[parameter.name or ""] = Value(who=known)
    rest = parameters[: len(parameters) - len(indices)]
    seen = hidden(family, family.visible, tokens, {}, players)
    if isinstance(family, Variable):
        for parameter in rest:
            state.names[parameter.name or ""] = Value(seen, seen, seen)
        return seen
    for parameter in rest:
        content = seen if is_unseen else PUBLIC
        state.names[parameter.name or ""] = Value(content=content, home=(family, tuple(tokens)))
    return hidden(family, family.amount, tokens, {}, players)


def by_name(atom: Secret | Given) -> tuple[int, str, int]:
    """The order in which what comes out is said."""
    if isinstance(atom, Secret):
        return (0, atom.family.name, len(atom.knowers))
    return (1, f"{atom.parameter} {atom.part}", 0)


def named_of(routine: Routine) -> Iterator[tuple[str, Type]]:
    """The names that a routine is given, with their types."""
    yield "me", Player()
    if routine.this is not None:
        yield "this", routine.this
    for parameter in routine.parameters:
        if parameter.name:
            yield parameter.name, parameter.type


def given(name: str, type: Type) -> Value:
    """What a parameter tells: whatever its argument does."""
    inner = type.of if isinstance(type, List | Maybe) else type
    inner = inner.of if isinstance(inner, Maybe) else inner
    parts = [frozenset({Given(name, part)}) for part in ("size", "shape", "content", "where")]
    who: Token = ("local", name) if isinstance(type, Player) else None
    if isinstance(inner, Piece):
        return Value(parts[0], parts[1], parts[2], parts[3], who)
    if isinstance(type, List):
        return Value(parts[0], parts[1], parts[2])
    return Value(parts[1], parts[1], who=who)
