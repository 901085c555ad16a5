"""The analysis of a whole game: its flow and routines in, diagnostics for every leak out.

Each routine has a summary in terms of its parameters. Summaries are recomputed until nothing changes, so loops and recursion reach
the least fixed point. A last walk over everything then reports the leaks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from houserule.diagnostics import Related, Report, Span
from houserule.language.checked import (
    Act,
    Ask,
    Body,
    Branch,
    Call,
    Each,
    Enter,
    Labelled,
    Loop,
    Race,
    Routine,
    Site,
    Statement,
    Times,
    Together,
    Variable,
    Zone,
)
from houserule.language.scope import Budget, OverBudget
from houserule.language.symbols import SymbolTable, Trigger
from houserule.language.trees import occasions, statements
from houserule.language.types import List, Maybe, Piece, Player, Type
from houserule.secrecy.acts import Exits
from houserule.secrecy.labels import (
    CALL,
    EVERYBODY,
    NOTHING,
    PUBLIC,
    CallSite,
    Flow,
    Given,
    Label,
    Reasons,
    Revelation,
    Secret,
    Shown,
    Summary,
    Token,
    Value,
    families,
    part_of,
    receiver_of,
    secrets,
    without,
)
from houserule.secrecy.reading import Reader, State
from houserule.secrecy.sight import hidden
from houserule.secrecy.statements import Statements, call_of

MOST_SUMMARIES = 8
"""The summaries of one routine before they are widened. Few routines have more than one."""
MOST_FLOWS = 400
"""What a summary may say before it is widened."""
Calls = Mapping[Routine, Iterable[Routine]]


class Secrets:
    """What the rules of a game leak. The analysis runs when somebody first asks.

    `calls` maps each routine to those that it calls. The analysis takes them as they are now, before triggers are wrapped around
    actions. What it takes to check the game is spent from the budget of checking.
    """

    def __init__(
        self, symbols: SymbolTable, flow: Body, calls: Calls, revelations: Sequence[Revelation], budget: Budget
    ) -> None:
        self.symbols = symbols
        self.flow = flow
        self.bodies = {routine: routine.body or () for routine in callees_first(calls)}
        self.revelations = revelations
        self.budget = budget

    @cached_property
    def always_put(self) -> frozenset[Site]:
        """The questions that are always put, even with nothing to answer, because a silence would reveal a secret.

        Records have an answer to each. So that they replay, this analysis stays as coarse as it was when they were written.
        Where it would take too much work, all questions are always put.
        """
        if not hides_anything(self.symbols):
            return frozenset()
        analysis = Analysis(self.symbols, self.bodies, self.revelations, Report(), Budget())
        try:
            analysis.settle(self.flow)
        except OverBudget:
            return frozenset(one.site for one in statements((self.flow, *self.bodies.values())) if isinstance(one, Ask))
        return frozenset(analysis.always_put)

    def check(self, report: Report) -> None:
        """Report everything that becomes public and should not. Raises OverBudget."""
        needed: set[Revelation] = set()
        if hides_anything(self.symbols):
            analysis = Analysis(
                self.symbols, self.bodies, self.revelations, report, self.budget, gathering(self.flow, self.bodies)
            )
            analysis.settle(self.flow)
            look_at_sight(analysis)
            analysis.speak()
            needed = analysis.needed
        for revelation in self.revelations:
            if revelation not in needed:
                report.warning("HR583", "nothing hidden comes to light here", revelation.span, "remove `reveals`")


def hides_anything(symbols: SymbolTable) -> bool:
    """Whether a game has anything that not everybody may see."""
    zones, variables = symbols.zones.values(), symbols.variables.values()
    return any(family.visible != "all" for family in (*zones, *variables)) or any(z.amount != "all" for z in zones)


def callees_first(calls: Calls) -> Iterator[Routine]:
    """Callees before callers, as far as they are not mutually recursive."""
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


def gathering(flow: Body, bodies: Mapping[Routine, Body]) -> frozenset[Zone]:
    """The zones without an order to which pieces come more than once: in which order, is known only to those who saw them come."""
    found = Counter(zone for body in (flow, *bodies.values()) for zone in entered(body, False))
    return frozenset(
        z for z, times in found.items() if times > 1 and not z.ordered and z.visible not in ("all", "none")
    )


def entered(body: Body, is_again: bool) -> Iterator[Zone]:
    """The zones that pieces enter, at each place; twice where somebody is asked, or a turn begins, between one time and the next."""
    for one in body:
        match one:
            case Act(enters=zones):
                yield from zones * (2 if is_again else 1)
            case Each(body=inner) | Loop(body=inner) | Times(body=inner):
                yield from entered(inner, any(isinstance(part, Ask | Race | Enter) for part in statements(inner)))
            case Labelled(body=inner) | Together(body=inner):
                yield from entered(inner, is_again)
            case Branch(then=then, otherwise=otherwise):
                yield from entered((*then, *otherwise), is_again)
            case _:
                pass


class Analysis(Statements):
    """One analysis of one game. It is exact if it is told which zones are `gathered`, see `gathering`."""

    def __init__(
        self,
        symbols: SymbolTable,
        bodies: Mapping[Routine, Body],
        revelations: Sequence[Revelation],
        report: Report,
        budget: Budget,
        gathered: Collection[Zone] | None = None,
    ) -> None:
        reader = Reader(symbols, self.evaluate, budget, gathered)
        families = (*symbols.zones.values(), *symbols.variables.values()) if reader.is_exact else ()
        super().__init__(reader, Reasons(revelations, (one for one in families if one.visible != "all")))
        self.symbols = symbols
        self.bodies = bodies
        self.needed: set[Revelation] = set()
        self.report = report
        self.summaries: dict[Routine, Summary] = {routine: Summary() for routine in bodies}
        self.times: Counter[Routine] = Counter()
        self.users: dict[Routine, dict[Routine, None]] = {}
        self.at_work: Routine | None = None
        self.always_put: set[Site] = set()
        self.triggers = {trigger.routine: trigger for trigger in symbols.triggers}
        self.unseen: set[str] = set()  # the triggers that receive pieces not everybody has seen

    def speak(self) -> None:
        """Report what was shown, once for each place."""
        said: set[tuple[Span, str]] = set()
        for summary in (self.of_flow, *self.summaries.values(), self.summary):
            for secret, shown, called in summary.leaks:
                if (shown.span, shown.code) not in said:
                    said.add((shown.span, shown.code))
                    span = self.reader.held[secret.through.name].get(secret.family) if secret.through else None
                    say(secret, shown, called, span, self.report)

    def settle(self, flow: Body) -> None:
        """Summarise all routines, and walk over the flow, which stands on their summaries."""
        while True:
            held = self.held
            self.settle_routines()
            unseen = len(self.unseen)
            self.go_through(flow)
            if len(self.unseen) == unseen and self.held == held:  # triggers and variables may receive pieces anywhere
                return

    @property
    def held(self) -> int:
        return sum(map(len, self.reader.held.values()))

    def settle_routines(self) -> None:
        """Summarise each routine, and again whenever a summary it depends on changes: a worklist, callees first."""
        waiting = dict.fromkeys(self.bodies)
        while waiting:
            routine = next(iter(waiting))
            del waiting[routine]
            unseen = len(self.unseen)
            if self.sum_up(routine):
                waiting |= self.users.get(routine, {})
            if len(self.unseen) > unseen:
                waiting |= dict.fromkeys(
                    r for r, trigger in self.triggers.items() if trigger.routine.name in self.unseen
                )

    def summary_of(self, routine: Routine) -> Summary | None:
        """The summary of a called routine; the caller is summarised again when it changes."""
        if self.at_work is not None:
            self.users.setdefault(routine, {})[self.at_work] = None
        return self.summaries.get(routine)

    def go_through(self, flow: Body) -> None:
        """Walk over the flow. At the start everybody knows which pieces lie where, but not in which order."""
        self.reader.state = State(counted=frozenset(z for z in self.symbols.zones.values() if z.visible == "none"))
        self.start(Summary(), is_root=True, revealing=None)
        self.at_work = None
        self.block(flow, PUBLIC)
        self.of_flow = self.summary

    # --- routines ----------------------------------------------------------------------------------------------------

    def sum_up(self, routine: Routine) -> bool:
        """Summarise a routine; return whether the summary has changed."""
        trigger = self.triggers.get(routine)
        self.at_work = routine
        root = trigger is not None and not trigger.is_around_action
        state = State()
        condition = CALL
        if trigger is not None and root:
            condition = event(self.symbols, trigger, trigger.routine.name in self.unseen, state)
        else:
            for name, type in named_of(routine):
                state.names[name] = given(name, type)
        self.reader.state = state
        revelation = self.reasons.at(routine.span)
        self.start(Summary(), is_root=root, revealing=revelation)
        self.is_imagined = bool(routine.imagined_in)
        exits = self.block(self.bodies[routine], condition)
        summary = self.summary
        summary.ends = exits.get("end", PUBLIC)
        if self.reader.is_exact and "return" not in exits:
            summary.opened = opened(routine, self.reader.state.names)
        if routine.imagined_in:
            summary.keep_imagined()
            summary.opened = frozenset()
        if routine.is_of_me:  # everybody sees `eliminated` all the time
            self.show(secrets(summary.result.told), EVERYBODY, Shown(routine.span, "who is out"))
            summary.reveal(lambda label: label - secrets(label))
        elif revelation is not None:
            if self.reasons.rest(summary.result.told, revelation) != summary.result.told:
                self.needed.add(revelation)
            summary.reveal(lambda label: self.reasons.rest(label, revelation))
        self.times[routine] += 1
        if self.times[routine] > MOST_SUMMARIES or len(summary.flows) + len(summary.used) > MOST_FLOWS:
            summary.widen(self.summaries[routine])
        is_new = not summary.is_like(self.summaries[routine])
        self.summaries[routine] = summary
        return is_new

    def inside(self, node: Statement, condition: Label) -> Exits:
        """Walk over one statement. Triggers that it can set off inherit what their changes depend on."""
        for occasion in occasions(node) if self.symbols.imagined else ():
            for trigger in self.symbols.waiting.get(occasion, ()):
                self.summary.used |= secrets((self.summary_of(trigger.routine) or Summary()).used)
        return super().inside(node, condition)

    def come_to_light(self, label: Label) -> Label:
        """The conditions for doing something, without what is hidden when a revelation covers it."""
        if self.revealing is None or not families(label):
            return label
        left = self.reasons.rest(label, self.revealing)
        if left != label:
            self.needed.add(self.revealing)
            self.summary.used |= label
        return left

    def evaluate(self, node: Call, arguments: list[Value], me: Value) -> Value:
        """What the result of a function reveals."""
        call = call_of(self.reader, node.function, (*node.arguments,), arguments, node.me, me, PUBLIC)
        summary = self.summary_of(node.function)
        found = call.value(summary.result) if summary is not None else NOTHING
        return self.reader.after_sight(found)

    def set_off(self, node: Act, content: Label) -> None:
        """Activate the triggers that pieces with this label may set off: they depend on a secret if the pieces do."""
        waiting = self.symbols.waiting
        for occasion in dict.fromkeys(filter(waiting.__contains__, occasions(node))):
            if occasion[0] != "changes":
                for trigger in waiting[occasion]:
                    self.receive(content, ("trigger", trigger.routine.name), node.span)

    def receive(self, content: Label, receiver: tuple[str, str], span: Span) -> None:
        """Let a trigger or a variable receive pieces with this label."""
        kind, name = receiver
        for atom in content:
            if isinstance(atom, Given):
                self.summary.flows.setdefault(Flow(atom, receiver), Shown(span, ""))
            elif kind == "trigger":
                self.unseen.add(name)
            else:
                self.reader.held.setdefault(name, {}).setdefault(atom.family, span)

    # --- what is shown ------------------------------------------------------------------------------------------------

    def fill_in(self, routine: Routine, call: CallSite, span: Span) -> Summary:
        """Apply what a routine shows to one call of it."""
        summary = self.summary_of(routine) or Summary()
        self.reader.work(2 * len(summary.flows) + len(summary.used) // 2, span)
        self.summary.used |= call.label(summary.used)
        for flow, shown in summary.flows.items():
            label = call.atom(flow.atom)
            if not label:
                continue
            if flow.site is not None:
                self.put_always(label, flow.site)
            elif (receiver := receiver_of(flow.audience)) is not None:
                self.receive(label, receiver, shown.span)
            else:
                self.show(label, call.audience(flow.audience), shown, call.label(flow.but), span)
        return summary

    def show(
        self, label: Label, audience: Token, shown: Shown, but: Label = PUBLIC, called: Span | None = None
    ) -> None:
        """Something reaches an audience: report a leak, defer it until a call fills it in, or accept it as revealed on purpose."""
        if label or but:
            self.summary.used |= label | but
            label = without(label, families(but)) if but else label
        if self.is_imagined or not label:
            return
        self.reader.work(len(label) // 2, shown.span)
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
        """Report a leak, unless it is revealed on purpose."""
        family = secret.family
        kept = secret.through.span if secret.through is not None else family.span
        revelation = self.reasons.about(shown.revealed, family) or self.reasons.at(family.span) or self.reasons.at(kept)
        if revelation is not None:
            self.needed.add(revelation)
            return
        self.summary.leaks.append((secret, shown, called))

    def put_always(self, label: Label, site: Site) -> None:
        """Mark a question as always put, even with nothing to answer, if its mere appearance would reveal a secret."""
        for atom in label:
            if isinstance(atom, Secret):
                self.always_put.add(site)
            else:
                self.summary.flows.setdefault(Flow(atom, EVERYBODY, PUBLIC, site), Shown(site.span, ""))


def look_at_sight(analysis: Analysis) -> None:
    """Whoever sees something, or sees that they do not, learns what the rule of sight depends on."""
    symbols, reader = analysis.symbols, analysis.reader
    analysis.start(Summary(), is_root=True, revealing=None)
    for family in (*symbols.zones.values(), *symbols.variables.values()):
        for rule in (family.visible, family.amount if isinstance(family, Zone) else ""):
            if not isinstance(rule, str):
                reader.state = State()
                label = without(part_of(reader.value(rule).told, ""), [family])
                analysis.show(label, ("local", "_viewer"), Shown(rule.span, "who sees this", "the viewer may not"))


def opened(routine: Routine, names: Mapping[str, Value]) -> frozenset[str]:
    """The parameters that still hold the pieces they were given, all of which everybody has seen."""
    found = {name: names.get(name, NOTHING) for name, _ in named_of(routine)}
    return frozenset(n for n, value in found.items() if value.shape == {Given(n, "shape")} and not value.content)


def is_open(atom: Secret | Given, audience: Token, but: Label, is_root: bool) -> bool:
    """Whether only a call can decide if this may be shown."""
    if isinstance(atom, Given):
        return True
    if is_root:
        return False
    return any(isinstance(other, Given) for other in but) or (audience != EVERYBODY and bool(atom.knowers))


def say(secret: Secret, shown: Shown, called: Span | None, kept: Span | None, report: Report) -> None:
    """Report a leak: the secret, where it becomes public, the act that publishes it, and where a variable has kept it."""
    family = secret.family
    of = f"'{family.name}'"
    what = "variable" if isinstance(family, Variable) else "zone"
    related = [Related(f"the {what} is declared here", family.span)]
    if secret.through is not None and kept is not None:
        of += f", through '{secret.through.name}', set at line {kept.line}, which may hold a piece from there"
        related.append(Related(f"'{secret.through.name}' is set here", kept))
    if called is not None and called != shown.span:
        related.append(Related("it is performed here", called))
    if shown.revealed is not None:
        related.append(Related("this `reveals` names something else", shown.revealed.span))
    if shown.code == "HR580":
        message = f"this reads what the chooser may not see of {of}: the options give it away"
        help = "show it first, or offer everything"
    elif secret.part == "order":
        message = (
            f"what is moved here can be seen in the order in which it came into '{family.name}', which has no order"
        )
        help = "sort it: `for c in … by c: …`, or say why it comes to light: `reveals: …`"
    else:
        message = f"{shown.what} depends on what {shown.whom} see of {of}"
        help = "show it first, or say why it comes to light: `reveals: …`"
    report.warning(shown.code, message, shown.span, help, related)


def event(symbols: SymbolTable, trigger: Trigger, is_unseen: bool, state: State) -> Label:
    """What is known when a trigger is set off: that it is, and the names of its event. Its pieces may be unseen."""
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
    """The order in which leaks are reported."""
    if isinstance(atom, Secret):
        return (0, atom.family.name + atom.part, len(atom.knowers))
    return (1, f"{atom.parameter} {atom.part}", 0)


def named_of(routine: Routine) -> Iterator[tuple[str, Type]]:
    """The named parameters of a routine, with their types."""
    yield "me", Player()
    if routine.this is not None:
        yield "this", routine.this
    for parameter in routine.parameters:
        if parameter.name:
            yield parameter.name, parameter.type


def given(name: str, type: Type) -> Value:
    """The label of a parameter: whatever its argument depends on."""
    inner = type.of if isinstance(type, List | Maybe) else type
    inner = inner.of if isinstance(inner, Maybe) else inner
    parts = [frozenset({Given(name, part)}) for part in ("size", "shape", "content", "where", "order")]
    who: Token = ("local", name) if isinstance(type, Player) else None
    if isinstance(inner, Piece):
        return Value(parts[0], parts[1], parts[2], parts[3], who, order=parts[4])
    if isinstance(type, List):
        return Value(parts[0], parts[1], parts[2])
    return Value(parts[1], parts[1], who=who)
