"""The analysis of a whole game: its flow and routines in, diagnostics for every leak out.

Each routine has a summary in terms of its parameters. Summaries are recomputed until nothing changes, so loops and recursion reach
the least fixed point. A last walk over everything then reports the leaks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import InitVar, dataclass
from functools import cached_property
from typing import Any

from houserule.diagnostics import LINE, RULES, USES, Related, Report, Span
from houserule.language import checked as c
from houserule.language.footprints import callees_first
from houserule.language.scope import Budget, OverBudget
from houserule.language.symbols import SymbolTable, Trigger
from houserule.language.trees import bodies_in, expressions, occasions, statements
from houserule.language.types import List, Maybe, Moves, Piece, Player, Type
from houserule.secrecy.labels import (
    CALL,
    EVERYBODY,
    NOTHING,
    PUBLIC,
    Given,
    Label,
    Reasons,
    Revelation,
    Secret,
    Shown,
    Summary,
    Taint,
    Token,
    part_of,
    secrets,
    without,
)
from houserule.secrecy.points import Point, Search, Walk, show
from houserule.secrecy.statements import block, tell_what_stays
from houserule.secrecy.taints import DEEPEST_LOOK, is_pieces, taint

MOST_SUMMARIES = 8
"""The summaries of one routine before they are widened. Few routines have more than one."""
MOST_FLOWS = 400
"""What a summary may say before it is widened."""
Calls = Mapping[c.Routine, Iterable[c.Routine]]


@dataclass(eq=False, repr=False)
class Secrets:
    """What the rules of a game leak. The analysis runs when somebody first asks.

    `calls` maps each routine to those that it calls. The analysis takes them as they are now, before triggers are wrapped around
    actions. What it takes to check the game is spent from the budget of checking.
    `most` is the greatest number of players of the game, of which this may be a smaller one.
    """

    symbols: SymbolTable
    flow: c.Body
    calls: InitVar[Calls]
    revelations: Sequence[Revelation]
    budget: Budget
    most: int

    def __post_init__(self, calls: Calls) -> None:
        self.bodies = {routine: routine.body or () for routine in callees_first(calls, lambda one: calls.get(one, ()))}

    @cached_property
    def always_put(self) -> frozenset[c.Site]:
        """The questions that are always put, even with nothing to answer, because a silence would reveal a secret.

        Records have an answer to each. So that they replay, this analysis stays as coarse as it was when they were written.
        Where it would take too much work, all questions are always put.
        """
        return frozenset(self.asked if self.coarse is None else self.coarse.always_put)

    @cached_property
    def coarse(self) -> Search | None:
        """The search that decides how a game is played, not what is reported; None if it would take too much work."""
        search = Search(self.symbols, self.bodies, Reasons(self.revelations, ()), Budget())
        with suppress(OverBudget):
            if hides_anything(self.symbols):
                settle(search, self.flow)
            return search
        return None

    @cached_property
    def asked(self) -> frozenset[c.Site]:
        flow = (self.flow, *self.bodies.values())
        return frozenset(site for one in statements(flow) if isinstance(one, c.Ask) for site in one.sites)

    @cached_property
    def told(self) -> frozenset[c.Site]:
        """The questions of which all are told who passes, and of menus which line is taken: no line says what not everybody may read,
        and nothing keeps the answer."""
        if self.coarse is None:
            return frozenset()
        kept = kept_answers(self.symbols, self.flow, self.bodies) if hides_anything(self.symbols) else frozenset()
        guarded = self.coarse.guarded
        if guarded:
            search = self.exact(Budget())
            with suppress(OverBudget):
                settle(search, self.flow)
                guarded = guarded & search.guarded
        return frozenset(site for site in self.asked if site.kind == "menu" or site.may_pass) - guarded - kept

    def exact(self, budget: Budget, known: Mapping[c.Routine, Point] | None = None) -> Search:
        """The search that decides what is reported, and what people are told; `known` is what is known where actions are performed."""
        families = (*self.symbols.zones.values(), *self.symbols.variables.values())
        reasons = Reasons(self.revelations, [one for one in families if one.visible != "all"])
        gathered = gathering(self.flow, self.bodies)
        return Search(
            self.symbols, self.bodies, reasons, budget, gathered, look_into, most=self.most, known=known or {}
        )

    def check(self, report: Report) -> None:
        """Report everything that becomes public and should not. Raises OverBudget."""
        needed: set[Revelation] = set()
        if hides_anything(self.symbols):
            search = self.exact(self.budget)
            of_flow = settle(search, self.flow)
            needed = search.needed
            with suppress(
                OverBudget
            ):  # look again, with what is known where actions are performed, and those that they perform
                for _ in range(DEEPEST_LOOK):
                    if not (any(one.leaks for one in (of_flow, *search.summaries.values())) and search.knows_more()):
                        break
                    again = self.exact(Budget(), search.met)
                    of_flow, search = settle(again, self.flow), again
            summaries = (of_flow, *search.summaries.values(), look_at_sight(search))
            said: set[tuple[Span, str]] = set()
            for secret, shown, called in (leak for summary in summaries for leak in summary.leaks):
                if (shown.span, shown.code) not in said:
                    said.add((shown.span, shown.code))
                    kept = search.held[secret.through.name].get(secret.family) if secret.through else None
                    say(secret, shown, called, kept, report)
        for revelation in self.revelations:
            if revelation not in needed:
                report.warning(
                    "HR583",
                    "nothing hidden comes to light here",
                    revelation.span,
                    "remove `reveals`",
                    follows_from=(USES,),
                )


def hides_anything(symbols: SymbolTable) -> bool:
    """Whether a game has anything that not everybody may see."""
    zones, variables = symbols.zones.values(), symbols.variables.values()
    return any(family.visible != "all" for family in (*zones, *variables)) or any(z.amount != "all" for z in zones)


# --- answers that stay secret ---------------------------------------------------------------------------------------------


class Keeping:
    """What can keep an answer out of sight: a variable that not all see, or a piece that is put where not all see it."""

    def __init__(self, symbols: SymbolTable, bodies: Mapping[c.Routine, c.Body]) -> None:
        self.symbols, self.bodies = symbols, bodies
        self.routines: set[c.Routine] = set()
        before = -1
        while len(self.routines) > before:
            before = len(self.routines)
            self.routines |= {routine for routine, body in bodies.items() if self.in_body(body)}

    def in_body(self, body: object) -> bool:
        """Whether any of these statements keeps something, or performs or sets off what does."""
        return any(map(self.in_statement, statements(body)))

    def keepers(self, body: object, through: frozenset[c.Routine] = frozenset()) -> Iterator[c.Statement]:
        """The statements that keep something, in place of those that perform actions which do."""
        for one in filter(self.in_statement, statements(body)):
            if isinstance(one, c.Perform) and not self.is_waited_for(one):
                for routine in self.routines.intersection(one.callees) - through:
                    yield from self.keepers(self.bodies[routine], through | {routine})
            else:
                yield one

    def is_waited_for(self, one: c.Statement) -> bool:
        """Whether it may set off a trigger that keeps something."""
        waiting = self.symbols.waiting
        return any(trigger.routine in self.routines for what in occasions(one) for trigger in waiting.get(what, ()))

    def in_statement(self, one: c.Statement) -> bool:
        if self.is_waited_for(one):
            return True
        match one:
            case c.SetVariable(target=target):
                return target.variable.visible != "all"
            case c.Perform():
                return not self.routines.isdisjoint(one.callees)
            case c.Act(operator=operator, changes=changes, leaves=leaves, enters=enters):
                if any(variable.visible != "all" for variable in changes):
                    return True
                # Cards that are drawn are nobody's choice.
                is_draw = all(isinstance(e, Moves) and e.number for e in operator.doing.effects)
                zones = [zone for zone in enters if zone.visible != "all"] if not is_draw else []
                return bool(zones) or any(zone.amount != "all" for zone in (*leaves, *enters))
        return False


def kept_answers(symbols: SymbolTable, flow: c.Body, bodies: Mapping[c.Routine, c.Body]) -> frozenset[c.Site]:
    """The menus, and questions that may be passed, whose answer decides, or may decide, what is kept out of sight."""
    keeping = Keeping(symbols, bodies)
    everywhere = keeping.in_body((flow, *bodies.values()))
    found: set[c.Site] = set()
    written = [(flow, False), *((body, routine.is_window) for routine, body in bodies.items())]
    for body, is_window in written if everywhere else ():
        for ask, then, around in questions_in(body, ()):
            if any(isinstance(one, c.Together) for one in around) or depends(
                keeping, body, ask, then, around, is_window
            ):
                found.update(ask.sites)
    return frozenset(found)


def questions_in(
    body: c.Body, around: tuple[c.Statement, ...]
) -> Iterator[tuple[c.Ask, c.Body, tuple[c.Statement, ...]]]:
    """Each menu and each question that may be passed, with the statement that carries out its answer, and those around it."""
    for at, one in enumerate(body):
        if isinstance(one, c.Ask) and (one.site.kind == "menu" or one.site.may_pass):
            yield one, body[at + 1 : at + 2], around
        kind: Any = type(one)
        for name in bodies_in(kind):
            yield from questions_in(getattr(one, name), (*around, one))


def depends(
    keeping: Keeping, whole: c.Body, ask: c.Ask, then: c.Body, around: Sequence[c.Statement], is_window: bool
) -> bool:
    """Whether anything is kept in what an answer carries out, jumps over, or decides by its name or one that it sets.

    Whoever steps in does so in front of all: in a window only what an action itself keeps counts, not that the window closes.
    """
    if keeping.in_body(then) and (is_window or not is_seen_by_its_moves(keeping, then)):
        return True
    if is_window:
        return False
    for one in (ask, *statements(then)):
        match one:
            case c.Jump(label=label):
                if any(
                    keeping.in_statement(outer) or keeping.in_body(outer)
                    for outer in around
                    if getattr(outer, "label", "") == label
                ):
                    return True
            case c.Return(value=value):
                if value is not None or keeping.in_body(whole):
                    return True
            case c.SetLocal() | c.Act() | c.Perform() | c.Ask() | c.Race() if keeping.in_body(whole):
                name = one.name if isinstance(one, c.SetLocal) else one.result
                if name is not None and times_read(whole, name) > times_read(then, name):
                    return True
    return False


def is_seen_by_its_moves(keeping: Keeping, then: c.Body) -> bool:
    """Whether all that the lines of a menu keep is which pieces they move, and where these go tells the line.

    Everybody sees that, since all know how many pieces lie there. So the label gives nothing away.
    """
    seen: dict[c.Zone, int] = {}
    for number, line in enumerate(lines_of(then)):
        for one in keeping.keepers(line):
            match one:
                case c.Act(enters=enters, changes=()) if enters and all(zone.amount == "all" for zone in enters):
                    is_own = all(seen.setdefault(zone, number) == number for zone in enters)
                    if not is_own or not keeping.symbols.waiting.keys().isdisjoint(occasions(one)):
                        return False
                case _:
                    return False
    return True


def lines_of(then: c.Body) -> Iterator[c.Body]:
    """What each line of a menu does, in the branches that carry out its answer."""
    match then:
        case (c.Branch(then=line, otherwise=others),):
            yield line
            yield from lines_of(others)
        case _:
            yield then


def times_read(body: c.Body, name: str) -> int:
    return sum(isinstance(one, c.Local) and one.name == name for one in expressions(body))


def gathering(flow: c.Body, bodies: Mapping[c.Routine, c.Body]) -> frozenset[c.Zone]:
    """The zones without an order to which pieces come more than once: in which order, is known only to those who saw them come."""
    found = Counter(zone for body in (flow, *bodies.values()) for zone in entered(body, False))
    return frozenset(
        z for z, times in found.items() if times > 1 and not z.ordered and z.visible not in ("all", "none")
    )


def entered(body: c.Body, is_again: bool) -> Iterator[c.Zone]:
    """The zones that pieces enter, at each place; twice where somebody is asked, or a turn begins, between one time and the next."""
    for one in body:
        match one:
            case c.Act(enters=zones):
                yield from zones * (2 if is_again else 1)
            case c.Each(body=inner) | c.Loop(body=inner) | c.Times(body=inner):
                yield from entered(inner, any(isinstance(part, c.Ask | c.Race | c.Enter) for part in statements(inner)))
            case c.Labelled(body=inner) | c.Together(body=inner):
                yield from entered(inner, is_again)
            case c.Branch(then=then, otherwise=otherwise):
                yield from entered((*then, *otherwise), is_again)
            case _:
                pass


def settle(search: Search, flow: c.Body) -> Summary:
    """Summarise all routines, and walk over the flow, which stands on their summaries; returns that of the flow."""
    zones = search.symbols.zones.values()
    while True:
        held = sum(map(len, search.held.values()))
        settle_routines(search)
        unseen = len(search.unseen)
        # At the start everybody knows which pieces lie where, but not in which order.
        at = Point(Walk(search), {}, {}, frozenset(zone for zone in zones if search.is_exact or zone.visible == "none"))
        block(at, flow, PUBLIC)
        tell_what_stays(at)
        # Triggers and variables may receive pieces anywhere.
        if len(search.unseen) == unseen and held == sum(map(len, search.held.values())):
            return at.walk.summary


def settle_routines(search: Search) -> None:
    """Summarise each routine, and again whenever a summary it depends on changes: a worklist, callees first."""
    triggers = {trigger.routine: trigger for trigger in search.symbols.triggers}
    waiting = dict.fromkeys(search.bodies)
    while waiting:
        routine = next(iter(waiting))
        del waiting[routine]
        unseen = len(search.unseen)
        search.times[routine] += 1
        summary, before = sum_up(search, routine, triggers.get(routine)), search.summaries[routine]
        if search.times[routine] > MOST_SUMMARIES or len(summary.flows) + len(summary.used) > MOST_FLOWS:
            summary.widen(before)
        search.summaries[routine] = summary
        if not summary.is_like(before):
            waiting |= search.users.get(routine, {})
        if len(search.unseen) > unseen:
            waiting |= dict.fromkeys(one for one in triggers if one.name in search.unseen)


def sum_up(search: Search, routine: c.Routine, trigger: Trigger | None) -> Summary:
    """Summarise a routine, from the summaries of those that it calls."""
    revelation, is_imagined = search.reasons.at(routine.span), bool(routine.imagined_in)
    is_root = trigger is not None and not trigger.is_around_action
    walk = Walk(search, routine, is_root, revelation, is_imagined)
    at = Point(walk, {}, {})
    if routine in search.known:
        at.become(search.known[routine].copy())
    pc = CALL
    if trigger is not None and is_root:
        pc = event(search, trigger, at)
    else:
        at.names = {name: given(name, type) for name, type in named_of(routine)}
    exits = block(at, search.bodies[routine], pc)
    summary, reasons = walk.summary, search.reasons
    summary.ends = exits.get("end", PUBLIC)
    if search.is_exact and "return" not in exits and not is_imagined:
        summary.opened = opened(routine, at.names)
    if is_imagined:
        summary.keep_imagined()
    if routine.is_of_me and routine is not search.symbols.teams:  # everybody sees `eliminated` all the time
        show(walk, secrets(summary.result.told), EVERYBODY, Shown(routine.span, "who is out"))
        summary.reveal(lambda label: label - secrets(label))
    elif revelation is not None:
        if reasons.rest(summary.result.told, revelation) != summary.result.told:
            search.needed.add(revelation)
        summary.reveal(lambda label: reasons.rest(label, revelation))
    return summary


def look_into(at: Point, routine: c.Routine, facts: dict[Token, bool], seen: dict[Token, frozenset[Token]]) -> Taint:
    """The result of a function, in terms of its parameters, where some facts are known and something has been seen."""
    outer = at.walk
    walk = Walk(at.search, outer.routine, False, outer.revealing, outer.is_imagined, depth=outer.depth + 1)
    inner = Point(walk, {name: given(name, type) for name, type in named_of(routine)}, facts, seen=seen)
    block(inner, at.search.bodies.get(routine, ()), CALL)
    return walk.summary.result


def look_at_sight(search: Search) -> Summary:
    """Whoever sees something, or sees that they do not, learns what the rule of sight depends on."""
    walk, symbols = Walk(search), search.symbols
    for family in (*symbols.zones.values(), *symbols.variables.values()):
        for rule in (family.visible, family.amount if isinstance(family, c.Zone) else ""):
            if not isinstance(rule, str):
                label = without(part_of(taint(Point(walk, {}, {}), rule).told, ""), [family])
                show(walk, label, ("local", "_viewer"), Shown(rule.span, "who sees this", "the viewer may not"))
    return walk.summary


def opened(routine: c.Routine, names: Mapping[str, Taint]) -> frozenset[str]:
    """The parameters that still hold the pieces they were given, all of which everybody has seen."""
    found = {name: names.get(name, NOTHING) for name, _ in named_of(routine)}
    return frozenset(n for n, value in found.items() if value.shape == {Given(n, "shape")} and not value.content)


def say(secret: Secret, shown: Shown, called: Span | None, kept: Span | None, report: Report) -> None:
    """Report a leak: the secret, where it becomes public, the act that publishes it, and where a variable has kept it."""
    family = secret.family
    of = f"'{family.name}'"
    what, way = "zone", "show it before it is read"
    if isinstance(family, c.Variable):
        viewers = {"HR580": "the chooser", "not everybody may": "all"}
        who = viewers.get(shown.code) or viewers.get(shown.whom) or shown.whom.removesuffix(" may not")
        what, way = "variable", f"read only what {who} may see"
    related = [Related(f"the {what} is declared here", family.span)]
    if secret.through is not None and kept is not None:
        of += f", through '{secret.through.name}', set at line {kept.line}, which may hold a piece from there"
        related.append(Related(f"'{secret.through.name}' is set here", kept))
    if shown.by is not None:
        related.append(Related("all see it by this", shown.by))
    if called is not None and called != shown.span:
        related.append(Related("it is performed here", called))
    if shown.revealed is not None:
        related.append(Related("this `reveals` names something else", shown.revealed.span))
    if shown.code == "HR580":
        message = f"this reads what the chooser may not see of {of}: the options give it away"
        help = f"{way}, or offer everything"
    elif secret.part == "order":
        message = (
            f"what is moved here can be seen in the order in which it came into '{family.name}', which has no order"
        )
        help = "sort it: `for c in … by c: …`, or say why it comes to light: `reveals: …`"
    else:
        message = f"{shown.what} depends on what {shown.whom} see of {of}"
        help = f"{way}, {shown.otherwise}or say why it comes to light: `reveals: …`"
        if shown.face_down:
            message = f"all learn something of what moves here face down: it is chosen by what {shown.whom} see of {of}"
            help = "let a player choose the piece itself, or say why all may know what it is like: `reveals: …`"
    report.warning(
        shown.code, message, shown.span, help, related, follows_from=(LINE if shown.code == "HR580" else RULES,)
    )


def event(search: Search, trigger: Trigger, at: Point) -> Label:
    """What is known when a trigger is set off: that it is, and the names of its event. Its pieces may be unseen."""
    event, parameters, symbols = trigger.event, list(trigger.routine.parameters), search.symbols
    family = symbols.variables.get(event.place) or symbols.zones.get(event.place)
    if family is None:
        return PUBLIC
    indices = parameters[len(parameters) - len(event.of) :] if event.of else []
    tokens: list[Token] = [("local", p.name) if isinstance(p.type, Player) else None for p in indices]
    name = trigger.routine.name
    received, reached = (frozenset(map(Secret, search.held.get(key, ()))) for key in (name, f"{name}: set off"))
    for parameter, known in zip(indices, tokens, strict=True):
        at.names[parameter.name or ""] = Taint(who=known, content=received if is_pieces(parameter.type) else PUBLIC)
    seen = at.hidden(family, family.visible, tokens)
    if isinstance(family, c.Variable):
        content, pc = Taint(seen, seen, seen), seen | reached
    else:
        is_unseen = name in search.unseen
        content = Taint(content=seen if is_unseen else PUBLIC, home=(family, tuple(tokens)))
        pc = at.hidden(family, family.amount, tokens)
    for parameter in parameters[: len(parameters) - len(indices)]:
        at.names[parameter.name or ""] = content
    return pc


def named_of(routine: c.Routine) -> Iterator[tuple[str, Type]]:
    yield "me", Player()
    if routine.this is not None:
        yield "this", routine.this
    for parameter in routine.parameters:
        if parameter.name:
            yield parameter.name, parameter.type


def given(name: str, type: Type) -> Taint:
    """The label of a parameter: whatever its argument depends on."""
    inner = type.of if isinstance(type, List | Maybe) else type
    inner = inner.of if isinstance(inner, Maybe) else inner
    parts = [frozenset({Given(name, part)}) for part in ("size", "shape", "content", "where", "order")]
    who: Token = ("local", name) if isinstance(type, Player) else None
    if isinstance(inner, Piece):
        return Taint(parts[0], parts[1], parts[2], parts[3], who, order=parts[4])
    if isinstance(type, List):
        return Taint(parts[0], parts[1], parts[2])
    return Taint(parts[1], parts[1], who=who)
