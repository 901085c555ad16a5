"""What follows from who calls whom: which routines need a `me`, ask somebody or call themselves, and triggers in a circle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from houserule.diagnostics import Related, Report, Span
from houserule.language import checked
from houserule.language.checked import called_among, everything, statements
from houserule.language.symbols import Routine, Trigger

Calls = Iterable[tuple[Routine | None, Routine, Span, bool]]
"""Calls in which `me` is handed on: who calls, who is called, where, and whether anybody is `me` there."""
ASKING = (checked.Ask, checked.Race, checked.Together)


def find_needs(routines: Iterable[Routine], triggers: list[Trigger], calls: Calls, report: Report) -> None:
    """Note of each routine whether it needs a `me`, whether it asks somebody, and whether it can call itself."""
    find_need_of_me(list(calls), report)
    inside = {routine: list(everything(routine.body or ())) for routine in routines}
    find_asking(inside, triggers)
    find_recursion({routine: list(called_among(found)) for routine, found in inside.items()})


def find_need_of_me(calls: Calls, report: Report) -> None:
    """Note which routines need a `me` because of what they call; a call where nobody is `me` is reported."""
    changed = True
    while changed:
        changed = False
        for caller, callee, _, _ in calls:
            if callee.needs_me and caller is not None and not caller.needs_me:
                caller.needs_me = changed = True
    for _, callee, span, has_me in calls:
        if callee.needs_me and not has_me:
            message = f"'{callee.name}' needs a 'me', and nobody is 'me' here"
            related = [Related("declared here", callee.span)]
            report.error("HR530", message, span, "`as p: …` makes p me inside", related)


def find_asking(inside: Mapping[Routine, list[checked.Checked | checked.Placed]], triggers: list[Trigger]) -> None:
    """Note which routines ask somebody: themselves, in what they call, or in a trigger that they set off."""
    placed = {
        routine: [one for one in found if isinstance(one, checked.Placed)]
        for routine, found in inside.items()
        if not routine.asks
    }
    changed = True
    while changed:
        changed = False
        triggered = any(trigger.routine.asks for trigger in triggers)
        for routine, found in placed.items():
            watched = triggers if triggered and routine.sets_off_triggers else []
            if not routine.asks and any(may_ask(statement, watched) for statement in found):
                routine.asks = changed = True


def may_ask(statement: checked.Placed, triggers: list[Trigger]) -> bool:
    """Whether a statement asks somebody, or one of the triggers that it sets off may."""
    if isinstance(statement, checked.Perform) and statement.asks:
        return True
    return isinstance(statement, ASKING) or any(comes_after(trigger, statement) for trigger in triggers)


def comes_after(trigger: Trigger, statement: checked.Placed) -> bool:
    """Whether a trigger can have its turn right behind a statement."""
    around_action = trigger.event.happening in ("before", "after")
    if causes(statement, trigger) and (not around_action or trigger.routine.asks):
        return True
    return isinstance(statement, checked.Together) and not around_action


def causes(statement: checked.Placed, trigger: Trigger) -> bool:
    """Whether a statement by itself can be what a trigger waits for."""
    event = trigger.event
    match statement:
        case checked.Act(leaves=leaves, enters=enters, changes=changes):
            reached = {"leaves": leaves, "enters": enters, "changes": changes}.get(event.happening, ())
            return any(family.name == event.place for family in reached)
        case checked.SetVariable(target=target):
            return event.happening == "changes" and target.variable.name == event.place
        case checked.Perform(action=Routine(name=name)):
            return event.happening in ("before", "after") and event.place == name
        case _:
            return False


def find_recursion(calls: Mapping[Routine, list[Routine]]) -> None:
    """Note which routines can call themselves, directly or through others."""
    for routine in calls:
        seen: set[Routine] = set()
        waiting = list(calls[routine])
        while waiting and routine not in seen:
            other = waiting.pop()
            if other not in seen:
                seen.add(other)
                waiting += calls.get(other, ())
        routine.recursive = routine in seen


def check_triggers(triggers: list[Trigger], report: Report) -> None:
    """Warn of triggers that set each other off, and go on until something stops them; one alone never restarts itself."""
    done = {trigger: performed(trigger.routine) for trigger in triggers}
    sets_off = {
        t: [other for other in triggers if other is not t and any(causes(s, other) for s in done[t])] for t in triggers
    }
    said: set[Trigger] = set()
    for trigger in triggers:
        circle = shortest_circle(trigger, sets_off)
        if circle and not said & set(circle):
            said.update(circle)
            names = " and ".join(f"'{t.name}'" for t in circle)
            message = f"triggers {names} set each other off"
            help = "use a `when:` that eventually fails, or one trigger for everything"
            related = [Related(f"'{t.name}' is here", t.routine.span) for t in circle[1:]]
            report.warning("HR581", message, trigger.routine.span, help, related)


def performed(routine: Routine) -> list[checked.Placed]:
    """Every statement of a routine and of what it calls."""
    found: list[checked.Placed] = []
    seen = {routine: None}
    waiting = [routine]
    while waiting:
        body = waiting.pop().body or ()
        found += statements(body)
        for other in called_among(everything(body)):
            if other not in seen:
                seen[other] = None
                waiting.append(other)
    return found


def shortest_circle(trigger: Trigger, sets_off: Mapping[Trigger, list[Trigger]]) -> list[Trigger]:
    """The shortest way from a trigger over others back to itself; empty if there is none."""
    ways = [[trigger]]
    seen: set[Trigger] = set()
    for way in ways:
        for other in sets_off[way[-1]]:
            if other is trigger:
                return way
            if other not in seen:
                seen.add(other)
                ways.append([*way, other])
    return []
