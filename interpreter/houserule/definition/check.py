"""Checks a whole game for one number of players: a definition in, a checked game out that compiles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from houserule.definition.constants import Draft, Evaluator
from houserule.definition.counts import alike, likeness
from houserule.definition.flow import Entry, FlowChecker, ScoreLine, SheetChecker, Winner
from houserule.definition.model import GameDefinition
from houserule.definition.symbol_table import fill_symbol_table
from houserule.definition.titles import check_titles
from houserule.diagnostics import Diagnostic, Related, Report
from houserule.frozen import frozen
from houserule.language import checked, nodes
from houserule.language.check import Checker
from houserule.language.checked import Body, Site, everything, statements
from houserule.language.format import format
from houserule.language.ownership import check_ownership
from houserule.language.reached import leaves, walk
from houserule.language.symbols import Routine, SymbolTable, Trigger
from houserule.language.types import NoValue


@frozen
class Operations:
    """What is handed to the checker: the table of operations, and how constant expressions are worked out."""

    functions: Mapping[str, Any]
    verbs: Mapping[str, Any]
    evaluate: Evaluator


@frozen
class Rules:
    """What is checked, whatever the number of players: a definition, and what its options are set to."""

    game: GameDefinition
    operations: Operations
    settings: Mapping[str, int | str] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class CheckedGame:
    """A game for one number of players, ready to be compiled."""

    definition: GameDefinition
    symbols: SymbolTable
    checker: Checker
    flow: Body
    lines: tuple[ScoreLine, ...]
    winner: Winner | None
    starts_in: dict[str, checked.Expression]  # by kind; over `it`
    sites: list[Site]
    started: str = ""  # the local that says whether a scenario has come to the step with which it begins

    @property
    def line_members(self) -> dict[str, tuple[Any, int]]:
        """Of the lines of the score sheet that stand for a member: which."""
        return {self.line_key(line): line.member for line in self.lines if line.member is not None}

    def line_key(self, line: ScoreLine) -> str:
        """`cards`, `sets[gold]`."""
        if line.member is None:
            return line.name
        type, value = line.member
        kind = self.symbols.kinds.get(getattr(type, "kind", None) or "")
        return f"{line.name}[{kind.id_of(value) if kind is not None else value}]"

    @property
    def routines(self) -> Iterator[Routine]:
        """Everything with a body."""
        yield from self.symbols.functions.values()
        yield from self.symbols.actions.values()
        for kind in self.symbols.kinds.values():
            for slot in kind.effects.values():
                yield from dict.fromkeys(slot.bodies.values())
        for trigger in self.symbols.triggers:
            yield trigger.routine


def check_game(
    rules: Rules, players: int, report: Report, entry: Entry | None = None, seats: tuple[str, ...] = ()
) -> CheckedGame | None:
    """Check a game for a number of players; None if its symbol table cannot be made."""
    checker = checker_for(rules, players, report, seats)
    if checker is None:
        return None
    try:
        return checked_by(checker, rules.game, report, entry)
    except RecursionError:
        too_deep(checker.checking, rules.game, report)
        return None


def checked_by(checker: Checker, game: GameDefinition, report: Report, entry: Entry | None) -> CheckedGame | None:
    """A game checked by a checker that knows its names; None where a scenario begins with a step that is not there."""
    symbols = checker.symbols
    checker.demand = checker.routine
    starts = starts_in(game, checker)
    result = CheckedGame(game, symbols, checker, (), (), None, starts, checker.sites)
    for routine in list(result.routines):
        if not routine.is_trigger:
            checker.routine(routine)
    for trigger in symbols.triggers:
        know_result(trigger, symbols, report)
        checker.routine(trigger.routine)
    flow = FlowChecker(game, checker, entry)
    if entry is not None and entry.step is not None and flow.find(entry.step) is None:
        report.misnamed("HR601", f"there is no step '{entry.step}' to begin with", game.span, entry.step, flow.by_path)
        return None
    result.flow = flow.flow()
    result.started = flow.started or ""
    sheet = SheetChecker(checker)
    result.lines = tuple(made for line in game.scoring for made in sheet.line(line))
    result.winner = sheet.winner(game.winner) if game.winner is not None else None
    find_needs(result, report)
    check_ownership(result.flow, result.routines, symbols.triggers, report)
    check_resets(game, flow, report)
    check_triggers(result, report)
    if entry is None:
        check_titles(game, checker)
        check_uses(result, report)
        check_end(result, report)
    return result


def too_deep(chain: Sequence[Routine], game: GameDefinition, report: Report) -> None:
    """Say at its first call that a chain of calls goes deeper than can be checked; at the game where nobody knows the chain."""
    message, span = "actions and functions call one another too deep", game.span
    if len(chain) > 1:
        message += f", from '{chain[0].name}' on"
        named = (node for node in walk(chain[0].source) if isinstance(node, nodes.Name | nodes.Attribute))
        called = chain[1].name.rpartition(".")[2]
        spans = (node.span for node in named if called == (node.id if isinstance(node, nodes.Name) else node.name))
        span = next(spans, chain[0].span)
    report.error("HR420", message, span, "call fewer inside each other")


def checker_for(rules: Rules, players: int, report: Report, seats: tuple[str, ...] = ()) -> Checker | None:
    """A checker that knows every name of a game for a number of players; None if they cannot be made, after a diagnostic."""
    checker = Checker(SymbolTable(players, seats), rules.operations.functions, report)
    checker.verbs = rules.operations.verbs
    checker.added = rules.game.added
    draft = Draft(rules.game, checker, rules.operations.evaluate, rules.settings)
    return checker if fill_symbol_table(draft) else None


def know_result(trigger: Trigger, symbols: SymbolTable, report: Report) -> None:
    """`after ACTION as result`: the name has the type of what the action finishes with."""
    event = trigger.event
    action = symbols.actions.get(event.place)
    if event.result is None or action is None:
        return
    if action.result is None or isinstance(action.result, NoValue):
        report.error(
            "HR510",
            f"'{action.name}' has no result",
            event.place_span,
            "`finish with …` in an action gives one",
            [Related("declared here", action.span)],
        )
    else:
        trigger.routine.parameters[0].type = action.result


def starts_in(game: GameDefinition, checker: Checker) -> dict[str, checked.Expression]:
    """Where the pieces of each kind begin."""
    found: dict[str, checked.Expression] = {}
    for definition in game.kinds.values():
        if definition.starts_in is None:
            continue
        kind = checker.symbols.kinds[definition.name]
        checker.scopes.append({})
        local = checker.bind("it", kind.type, definition.span, "binder")
        local.unique = "it"
        value = checker.pile(definition.starts_in, "where pieces begin")
        checker.scopes.pop()
        for pile in piles(value):
            if pile.zone.holds not in (None, definition.name):
                checker.report.error(
                    "HR514",
                    f"zone '{pile.zone.name}' holds {pile.zone.holds} pieces, not {definition.name}",
                    definition.starts_in.span,
                    None,
                    [Related("declared here", pile.zone.span)],
                )
            found[definition.name] = value
    return found


def piles(value: checked.Expression) -> Iterator[checked.Pile]:
    """The pile that an expression means, or both that it can mean."""
    match value:
        case checked.Pile():
            yield value
        case checked.EitherPile(yes=yes, no=no):
            yield from piles(yes)
            yield from piles(no)
        case _:
            pass


def find_needs(game: CheckedGame, report: Report) -> None:
    """Who needs `me`, and who asks somebody: through calls too."""
    calls = game.checker.inherited_calls
    changed = True
    while changed:
        changed = False
        for caller, callee, _, _ in calls:
            if callee.needs_me and caller is not None and not caller.needs_me:
                caller.needs_me = changed = True
    for _, callee, span, has_me in calls:
        if callee.needs_me and not has_me:
            report.error(
                "HR530",
                f"'{callee.name}' needs a 'me', and nobody is 'me' here",
                span,
                "`as p: …` makes p me inside",
                [Related("declared here", callee.span)],
            )
    inside = {routine: list(everything(routine.body or ())) for routine in game.routines}
    by_routine = {
        routine: [one for one in found if isinstance(one, checked.Placed)] for routine, found in inside.items()
    }
    asking = (checked.Ask, checked.Race, checked.Together)
    changed = True
    while changed:
        changed = False
        triggered = any(t.routine.asks for t in game.symbols.triggers)
        for routine, found in by_routine.items():
            if routine.asks:
                continue
            for statement in found:
                if (
                    isinstance(statement, asking)
                    or (isinstance(statement, checked.Perform) and statement.asks)
                    or (triggered and routine.sets_off_triggers and causes_trigger(statement, game.symbols))
                ):
                    routine.asks = changed = True
                    break
    find_recursion({routine: list(called_among(found)) for routine, found in inside.items()})


def causes_trigger(statement: checked.Placed, symbols: SymbolTable) -> bool:
    """Whether a statement by itself can set off a trigger that has its turn right behind it."""
    for trigger in symbols.triggers:
        around_action = trigger.event.happening in ("before", "after")
        if causes(statement, trigger) and (not around_action or trigger.routine.asks):
            return True
        if isinstance(statement, checked.Together) and not around_action:
            return True
    return False


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


def check_triggers(game: CheckedGame, report: Report) -> None:
    """Triggers that set each other off go on until something stops them; one alone never restarts itself."""
    triggers = game.symbols.triggers
    sets_off = {
        t: [other for other in triggers if other is not t and any(causes(s, other) for s in performed(t.routine))]
        for t in triggers
    }
    said: set[Trigger] = set()
    for trigger in triggers:
        circle = way_round(trigger, sets_off)
        if circle and not said & set(circle):
            said.update(circle)
            names = " and ".join(f"'{t.name}'" for t in circle)
            report.warning(
                "HR581",
                f"triggers {names} set each other off",
                trigger.routine.span,
                "a `when:` that comes to an end, or one trigger that does it all",
                [Related(f"'{t.name}' is here", t.routine.span) for t in circle[1:]],
            )


def performed(routine: Routine) -> list[checked.Placed]:
    """Every statement of a routine and of what it performs."""
    found: list[checked.Placed] = []
    seen = {routine}
    waiting = [routine]
    while waiting:
        one = waiting.pop()
        found += statements(one.body or ())
        for other in called_by(one):
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return found


def way_round(trigger: Trigger, sets_off: Mapping[Trigger, list[Trigger]]) -> list[Trigger]:
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


def find_recursion(calls: Mapping[Routine, list[Routine]]) -> None:
    """Which routines can call themselves, directly or by others."""
    for routine in calls:
        seen: set[Routine] = set()
        waiting = list(calls[routine])
        while waiting and routine not in seen:
            other = waiting.pop()
            if other not in seen:
                seen.add(other)
                waiting += calls.get(other, ())
        routine.recursive = routine in seen


def called_by(routine: Routine) -> Iterator[Routine]:
    """What a routine calls directly."""
    return called_among(everything(routine.body or ()))


def called_among(inside: Iterable[checked.Checked | checked.Placed]) -> Iterator[Routine]:
    """What these statements and expressions call."""
    for one in inside:
        if isinstance(one, checked.Call | checked.Perform):
            yield from one.callees


def check_resets(game: GameDefinition, flow: FlowChecker, report: Report) -> None:
    """`reset:` names a step."""
    for variable in game.variables.values():
        if variable.reset is not None and flow.find(variable.reset) is None:
            report.misnamed(
                "HR501",
                f"there is no step '{variable.reset}' to reset '{variable.name}' before",
                variable.reset_span or variable.span,
                variable.reset,
                [*flow.by_path, *(s.name for s in flow.by_path.values())],
            )


def check_uses(game: CheckedGame, report: Report) -> None:
    """What nothing uses is most often a mistake."""
    symbols = game.symbols
    for kind_definition in game.definition.kinds.values():
        name, count = kind_definition.name, kind_definition.count
        if kind_definition.is_piece and not kind_definition.members and not kind_definition.each:
            shown = f"{{count: {format(count)}}}" if count is not None else "{}"
            advice = f"pieces: {{{name}_piece: {shown}}}"
            report.warning("HR527", f"there are no pieces of '{name}'", kind_definition.span, advice)
    for action in symbols.actions.values():
        if action.uses == 0:
            report.warning(
                "HR570",
                f"action '{action.name}' is never performed",
                action.span,
                f"perform {action.name}, or remove it",
            )
    for function in symbols.functions.values():
        if function.uses == 0:
            report.warning("HR570", f"function '{function.name}' is never used", function.span, "use it, or remove it")
    for kind in symbols.kinds.values():
        for slot in kind.effects.values():
            if slot.bodies and not any(body.uses for body in slot.bodies.values()):
                report.warning(
                    "HR570",
                    f"effect '{slot.name}' of '{kind.name}' is never performed",
                    slot.span,
                    f"perform x.{slot.name}",
                )
    for zone in symbols.zones.values():
        if zone.uses == 0:
            report.warning("HR571", f"zone '{zone.name}' is never used", zone.span, "use it, or remove it")
    for variable in symbols.variables.values():
        if variable.writes == 0 and variable.uses <= 0:
            report.warning("HR571", f"variable '{variable.name}' is never used", variable.span, "use it, or remove it")
        elif variable.writes == 0 and variable.of_kind is None:
            report.warning(
                "HR571",
                f"variable '{variable.name}' is read, but never set",
                variable.span,
                "set it, or make it an option or a table: they are constants",
            )
        elif variable.uses <= 0 and variable.reset is None:
            report.warning(
                "HR571", f"variable '{variable.name}' is set, but never read", variable.span, "read it, or remove it"
            )
    for table in symbols.tables.values():
        if table.uses == 0:
            report.warning("HR571", f"table '{table.name}' is never used", table.span, "use it, or remove it")
    for option in symbols.options.values():
        if option.uses == 0:
            report.warning("HR571", f"option '{option.name}' is never used", option.span, "use it, or remove it")
    for kind in symbols.kinds.values():
        if kind.uses == 0 and not kind.lies and not any(zone.holds == kind.name for zone in symbols.zones.values()):
            what = "kind of piece" if kind.is_piece else "enum"
            report.warning("HR571", f"{what} '{kind.name}' is never used", kind.span, "use it, or remove it")
    for definition in game.definition.kinds.values():
        if (
            definition.is_piece
            and definition.starts_in is None
            and symbols.kinds[definition.name].ids
            and any(z.holds == definition.name for z in symbols.zones.values())
        ):
            report.error(
                "HR525",
                f"the pieces of '{definition.name}' begin nowhere, though zones hold them",
                definition.span,
                "starts_in: …",
            )


def check_end(game: CheckedGame, report: Report) -> None:
    """`repeat: forever` wants an end that can be reached."""
    ends = any(isinstance(s, checked.EndGame) for c in game.routines for s in statements(c.body or ())) or any(
        isinstance(s, checked.EndGame) for s in statements(game.flow)
    )
    for statement in statements(game.flow):
        if (
            isinstance(statement, checked.Loop)
            and statement.test is None
            and statement.until is None
            and not ends
            and not leaves(statement.body, statement.label)
        ):
            report.error(
                "HR561",
                "this step repeats forever and nothing ends the game",
                statement.span,
                "`end game` in an effect, or `until:`",
            )


def check_for_every_count(rules: Rules, report: Report) -> dict[int, CheckedGame]:
    """Check a game for each number of players it allows; what differs is said with the number.

    Numbers that are alike to the checker (see `counts`) are checked once, as long as nothing is found: a game comes out for
    each of those that were checked.
    """
    found: dict[int, CheckedGame] = {}
    reports: dict[int, list[Diagnostic]] = {}

    def check(players: int) -> None:
        own = Report()
        result = check_game(rules, players, own)
        reports[players] = own.found
        if result is not None:
            found[players] = result

    groups = alike(rules.game)
    for group in groups:
        for players in group.to_check:
            check(players)
    for group in groups if not any(reports.values()) else ():
        for players in group.numbers if not group.amounts else ():
            if players not in reports:
                difference = compared(found[group.numbers[0]], rules, players)
                if difference == "other" or (difference == "longer" and players == group.numbers[-1]):
                    check(players)
    if any(reports.values()):
        low, high = rules.game.players
        for players in range(low, high + 1):
            if players not in reports:
                check(players)
    say_once(dict(sorted(reports.items())), report)
    return dict(sorted(found.items()))


def compared(game: CheckedGame, rules: Rules, players: int) -> Literal["same", "longer", "other"]:
    """What is different in the names of a game for more players, as far as the checker is concerned."""
    own = Report()
    checker = checker_for(rules, players, own)
    return "other" if checker is None or own.found else likeness(game.symbols, checker.symbols)


def say_once(reports: Mapping[int, list[Diagnostic]], report: Report) -> None:
    """Say what was found for each number of players: once what holds for all, else with the number."""
    every = [{(d.code, d.span) for d in diagnostics} for diagnostics in reports.values()]
    everywhere = set.intersection(*every) if every else set()
    said: set[tuple[str, Any]] = set()
    for players, diagnostics in reports.items():
        for diagnostic in diagnostics:
            key = (diagnostic.code, diagnostic.span)
            if key in everywhere:
                if key not in said:
                    report.add(diagnostic)
            elif diagnostic.code in ("HR570", "HR571"):
                continue  # what is used with some number of players is used
            elif key not in said:
                report.add(
                    replace(
                        diagnostic, message=f"with {players} player{'s' if players > 1 else ''}: {diagnostic.message}"
                    )
                )
            said.add(key)
