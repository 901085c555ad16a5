"""Checks a whole game for each number of players that can make a difference: the result compiles."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Literal

from houserule.definition.constants import Draft, Evaluator
from houserule.definition.families import check_backs
from houserule.definition.flow import Entry, FlowChecker, ScoreLine, Winner, score_lines, winner_of
from houserule.definition.gaps import check_stretch
from houserule.definition.layout_check import LayoutChecker
from houserule.definition.looks import TableLayout
from houserule.definition.model import GameDefinition
from houserule.definition.prose import ShownValue, add_values, check_titles
from houserule.definition.resets import check_resets
from houserule.definition.routines import check_triggers, find_needs, lower_triggers
from houserule.definition.symbol_table import check_uses, fill_symbol_table
from houserule.diagnostics import ABOVE, COUNTS, USES, Diagnostic, Related, Report, Span
from houserule.frozen import frozen
from houserule.language import checked, nodes
from houserule.language.calls import check_routine, settle_effects
from houserule.language.checked import Body, Routine, Site
from houserule.language.computed import check_computed
from houserule.language.dispatch import expr
from houserule.language.footprints import Footprints, Known, footprints
from houserule.language.lists import pile_expr
from houserule.language.ownership import check_ownership
from houserule.language.scope import Analysis, Budget, Meanings, OverBudget, bind
from houserule.language.symbols import SymbolTable, Trigger
from houserule.language.trees import leaves, parts_of, piles_of, statements, walk
from houserule.language.types import NoValue, Player, Type
from houserule.language.verbs import check_kind
from houserule.secrecy.analysis import Secrets


@frozen
class Operations:
    """What the checker is given: the table of operations, and an evaluator of constant expressions."""

    functions: Mapping[str, Any]
    verbs: Mapping[str, Any]
    evaluate: Evaluator


@frozen
class Rules:
    """What is checked for any number of players: a definition and the settings of its options."""

    game: GameDefinition
    operations: Operations
    settings: Mapping[str, int | str] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)  # shared by all numbers of players
    with_meanings: bool = False  # whether what each node means is recorded, for those who write about the rules


@frozen
class CheckedGame:
    """A game for one number of players, ready to be compiled; every program of it reads the same one."""

    definition: GameDefinition
    symbols: SymbolTable
    analysis: Analysis
    flow: Body
    lines: tuple[ScoreLine, ...]
    winner: Winner | None
    starts_in: Mapping[str, checked.Expression]  # by kind; over `it`
    sites: list[Site]  # a scenario adds its own triggers
    secrets: Secrets
    inner: Mapping[Routine, Routine]  # by its inner routine: the action
    shown: Mapping[nodes.Expression, ShownValue]  # in braces, in titles and texts
    once: frozenset[str]  # the paths of steps with `repeat` that have a single pass
    layout: TableLayout | None  # of the table; None if none is written
    started: str  # the local that says whether a scenario has reached the step that it begins with
    known: Known  # the footprints of its routines, by their bodies
    programs: dict[Hashable, Any] = field(default_factory=dict)  # compiled from it

    @property
    def line_members(self) -> dict[str, tuple[Any, int]]:
        """The lines of the score sheet that stand for a member, with that member."""
        return {self.line_key(line): line.member for line in self.lines if line.member is not None}

    def line_key(self, line: ScoreLine) -> str:
        """`cards`, `sets[gold]`."""
        if line.member is None:
            return line.name
        type, value = line.member
        kind = self.symbols.kind_of(type)
        return f"{line.name}[{kind.id_of(value) if kind is not None else value}]"

    @property
    def routines(self) -> Iterator[Routine]:
        return routines_of(self.symbols)

    @property
    def footprints(self) -> Footprints:
        """What its routines do, those included that scenarios have added."""
        return footprints(self.routines, self.known)


def routines_of(symbols: SymbolTable) -> Iterator[Routine]:
    yield from symbols.functions.values()
    yield from symbols.functions_of_kinds
    yield from symbols.actions.values()
    for kind in symbols.kinds.values():
        for slot in kind.effects.values():
            yield from dict.fromkeys(slot.bodies.values())
    for trigger in symbols.triggers:
        yield trigger.routine
    yield from symbols.imagined


def check_game(
    rules: Rules, players: int, report: Report, entry: Entry | None = None, seats: tuple[str, ...] = ()
) -> CheckedGame | None:
    """Check a game for a number of players; None if its symbol table cannot be built.

    If a rule reads a list that starts empty above the line that first adds to it, everything is checked again,
    with the type of its elements known.
    """
    begun: dict[Span, Type] = {}
    while True:
        known, own = len(begun), Report()
        found = checked_knowing(begun, rules, players, own, entry, seats)
        if len(begun) == known:
            break
    for diagnostic in own.found:
        report.add(diagnostic)
    if found is not None:
        found.analysis.report = report
    return found


def checked_knowing(
    begun: dict[Span, Type], rules: Rules, players: int, report: Report, entry: Entry | None, seats: tuple[str, ...]
) -> CheckedGame | None:
    """Check a game, given the types of elements of some lists that start empty; types it learns of others are added."""
    budget, checking = rules.budget, []
    if budget.spent_at is None:
        try:
            analysis = analysis_for(rules, players, report, seats, begun)
            if analysis is None:
                return None
            checking = analysis.checking
            return checked_by(analysis, rules.game, report, entry)
        except RecursionError:
            too_deep(checking, rules.game, report)
            return None
        except OverBudget as over:
            budget.spent_at = over.span
    too_much(budget.spent_at, report)
    return None


def checked_by(analysis: Analysis, game: GameDefinition, report: Report, entry: Entry | None) -> CheckedGame | None:
    """Check a game whose names are declared; None if a scenario begins with a step that does not exist."""
    symbols = analysis.symbols
    analysis.is_declared = True
    starts = starts_in(game, analysis)
    for routine in list(routines_of(symbols)):
        if not routine.is_trigger:
            check_routine(analysis, routine)
    for trigger in symbols.triggers:
        know_result(trigger, symbols, report)
        check_routine(analysis, trigger.routine)
    flow = FlowChecker(game, analysis, entry)
    if entry is not None and entry.step is not None and flow.find(entry.step) is None:
        report.misnamed("HR601", f"there is no step '{entry.step}' to begin with", game.span, entry.step, flow.by_path)
        return None
    body = flow.flow()
    lines = tuple(made for line in game.scoring for made in score_lines(analysis, line))
    winner = winner_of(analysis, game)
    settle_effects(symbols)
    routines = list(dict.fromkeys(routines_of(symbols)))
    known: Known = {}
    done = footprints(routines, known)
    find_needs(done, symbols, analysis.inherited_calls, report)
    check_ownership(body, routines, symbols.waiting, report)
    check_resets(game, flow, body if entry is None else (), done, symbols, report)
    check_triggers(done, symbols, report)
    check_computed(done, symbols, report)
    called = {routine: one.called for routine, one in done.items()}
    secrets = Secrets(symbols, body, called, game.revelations, analysis.budget, game.players[1])
    declared = {name: [member.name for member in kind.members] for name, kind in game.kinds.items()}
    layout = LayoutChecker(analysis, declared).layout(game.layout) if game.layout is not None else None
    shown: dict[nodes.Expression, ShownValue] = {}
    if entry is None:
        shown = check_titles(game, analysis)
        check_uses(game, symbols, analysis.named_by_roll, report)
        check_backs(game, symbols, (body, *(one.body or () for one in routines)), starts.items(), report)
        check_end(body, routines, report)
        check_winner(game, flow, routines, report)
    add_values(game, analysis, shown)
    return CheckedGame(
        game,
        symbols,
        analysis,
        body,
        lines,
        winner,
        starts,
        analysis.sites,
        secrets,
        lower_triggers(symbols),
        shown,
        frozenset(flow.once),
        layout,
        flow.started or "",
        known,
    )


def too_deep(chain: Sequence[Routine], game: GameDefinition, report: Report) -> None:
    """Report a chain of calls too deep to check, at its first call; at the game if the chain is unknown."""
    message, span = "actions and functions call one another too deeply", game.span
    if len(chain) > 1:
        message += f", starting with '{chain[0].name}'"
        named = (node for node in walk(chain[0].source) if isinstance(node, nodes.Name | nodes.Attribute))
        called = chain[1].name.rpartition(".")[2]
        spans = (node.span for node in named if called == (node.id if isinstance(node, nodes.Name) else node.name))
        span = next(spans, chain[0].span)
    report.error("HR420", message, span, "nest fewer calls")


def too_much(span: Span, report: Report) -> None:
    """Report the rule with which checking exceeds its limit of work."""
    advice = "write less: what is used again counts again, with all that it uses, but an action is checked only once"
    report.error("HR564", "with this rule the game is too large to check", span, advice)


def analysis_for(
    rules: Rules, players: int, report: Report, seats: tuple[str, ...] = (), begun: dict[Span, Type] | None = None
) -> Analysis | None:
    """The analysis of a game for a number of players, with every name declared; None, after a diagnostic, if that fails."""
    operations = rules.operations
    symbols = SymbolTable(players, seats)
    analysis = Analysis(symbols, operations.functions, operations.verbs, report, rules.game.added, budget=rules.budget)
    analysis.begun = begun if begun is not None else {}
    analysis.meanings = Meanings() if rules.with_meanings else None
    draft = Draft(rules.game, analysis, operations.evaluate, rules.settings)
    return analysis if fill_symbol_table(draft) else None


def know_result(trigger: Trigger, symbols: SymbolTable, report: Report) -> None:
    """`after ACTION as result`: the name has the type of the action's result."""
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


def starts_in(game: GameDefinition, analysis: Analysis) -> dict[str, checked.Expression]:
    found: dict[str, checked.Expression] = {}
    for definition in game.kinds.values():
        if definition.starts_in is None:
            continue
        kind = analysis.symbols.kinds[definition.name]
        context = analysis.context()
        bind(context, "it", kind.type, definition.span, "binder")
        value = pile_expr(context, definition.starts_in, "where pieces begin")
        for pile in piles_of(value):
            check_kind(context, pile.zone, definition.name, definition.starts_in.span)
            pile.zone.writes += 1
            found[definition.name] = value
    return found


def check_end(flow: Body, routines: Sequence[Routine], report: Report) -> None:
    """Warn of `repeat: forever` without an end that can be reached."""
    bodies = [flow, *(routine.body for routine in routines)]
    ends = any(isinstance(statement, checked.EndGame) for statement in statements(bodies))
    for statement in statements(flow):
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
                follows_from=(ABOVE,),
            )


def check_winner(game: GameDefinition, flow: FlowChecker, routines: Sequence[Routine], report: Report) -> None:
    """Report that only `end game with …` says who wins, and no rule does, whatever the options."""
    by = game.winner.by if game.winner is not None else None
    written = [*(routine.source for routine in routines), *(step.do for step in flow.by_path.values())]
    if by is not None and not any(isinstance(one, nodes.EndGame) and one.ending for one in walk(written)):
        message = "no rule ends the game with a victory, a defeat or a draw"
        report.error("HR561", message, by.span, "end game with victory of me", follows_from=(ABOVE,))


COUNT = "player_count"
ARITHMETIC = (
    nodes.Number, nodes.Truth, nodes.Name, nodes.Negative, nodes.Not,
    nodes.Binary, nodes.Compare, nodes.Logic, nodes.Conditional,
)  # fmt: skip
"""The nodes that can be evaluated if they contain nothing else."""


@frozen
class Alike:
    """Numbers of players that are alike to the checker, in order; `amounts` says whether amounts grow linearly over them."""

    numbers: tuple[int, ...]
    amounts: bool

    @property
    def to_check(self) -> tuple[int, ...]:
        return (self.numbers[0], self.numbers[-1]) if self.amounts and len(self.numbers) > 1 else self.numbers[:1]


def alike(game: GameDefinition, operations: Operations) -> list[Alike]:
    """The numbers of players of a game, in groups that are alike to the checker."""
    low, high = game.players
    parts = [part for text in game.counting for part in counting_parts(text, operations)]
    amounts = any(is_amount for _, is_amount in parts)
    groups: dict[tuple[int | None, ...], list[int]] = {}
    for number in range(low, high + 1):
        outcome = tuple(worked_out(part, number, operations) for part, is_amount in parts if not is_amount)
        groups.setdefault(outcome, []).append(number)
    return [Alike(tuple(numbers), amounts) for numbers in groups.values()]


def counting_parts(text: nodes.Node, operations: Operations) -> Iterator[tuple[nodes.Node, bool]]:
    """Each maximal part of a text that can be evaluated and mentions the count, with whether it is an amount.

    An amount that is no end of a range, nor added or multiplied, nor the whole text, counts as a decision.
    """
    waiting: list[tuple[object, bool]] = [(text, True)]
    while waiting:
        node, goes_on = waiting.pop()
        if isinstance(node, tuple):
            waiting.extend((inner, goes_on) for inner in node)
        elif isinstance(node, nodes.Node):
            if worked_out(node, 2, operations) is not None:
                if speaks_of_count(node):
                    yield node, goes_on and is_line(node)
                continue
            inside = isinstance(node, nodes.Range | nodes.TypeName | nodes.Declaration) or (
                isinstance(node, nodes.Binary) and node.operator in ("+", "-", "*")
            )
            kind: Any = type(node)
            waiting.extend((getattr(node, name), inside) for name in parts_of(kind))


def speaks_of_count(node: nodes.Node) -> bool:
    return any(isinstance(inner, nodes.Name) and inner.id == COUNT for inner in walk(node))


def is_line(node: nodes.Node) -> bool:
    """Whether the value grows or falls linearly with the number of players."""
    match node:
        case nodes.Number() | nodes.Name():
            return True
        case nodes.Negative(operand=operand):
            return is_line(operand)
        case nodes.Binary(left=left, operator="+" | "-", right=right):
            return is_line(left) and is_line(right)
        case nodes.Binary(left=left, operator="*", right=right):
            return is_line(left) and is_line(right) and not (speaks_of_count(left) and speaks_of_count(right))
        case _:
            return False


def worked_out(node: nodes.Node, count: int, operations: Operations) -> int | None:
    """The value of an expression of numbers, operators and the number of players; None for any other."""
    inside = walk(node)
    if not isinstance(node, ARITHMETIC) or not all(isinstance(one, ARITHMETIC) for one in inside):
        return None
    if any(isinstance(one, nodes.Name) and one.id != COUNT for one in inside):
        return None
    analysis = Analysis(SymbolTable(count), operations.functions, operations.verbs, Report())
    try:
        found = operations.evaluate(expr(analysis.context(), node), {}, analysis.budget)
    except ValueError:  # it divides by zero
        return None
    return int(found) if isinstance(found, int) and not analysis.report.has_errors else None


def check_for_every_count(rules: Rules, report: Report, tells_secrets: bool = False) -> dict[int, CheckedGame]:
    """Check a game for each number of players it allows; a diagnostic for some of them names the number.

    Numbers that are alike to the checker (`alike`) are checked once, as long as all representatives have the same
    diagnostics: a game results for each of these. Amounts reveal no secrets, so leaks are looked for once in each group.
    """
    found: dict[int, CheckedGame] = {}
    reports: dict[int, list[Diagnostic]] = {}

    def check(players: int) -> None:
        own = Report()
        result = check_game(rules, players, own)
        reports[players] = own.found
        if result is not None:
            found[players] = result

    groups = alike(rules.game, rules.operations)
    for group in groups:
        for players in group.to_check:
            check(players)
    for group in groups if are_same(reports.values()) else ():
        for players in group.numbers if not group.amounts else ():
            if players not in reports:
                game = found.get(group.numbers[0])
                difference = compared(game, rules, players) if game is not None else "other"
                if difference == "other" or (difference == "longer" and players == group.numbers[-1]):
                    check(players)
    if not are_same(reports.values()):
        low, high = rules.game.players
        for players in range(low, high + 1):
            if players not in reports:
                check(players)
    for players in counts_of(rules.game) - reports.keys():
        check(players)
    for group in groups if tells_secrets else ():
        secrets = secrets_of(found.get(group.numbers[0]), rules)
        for players in reports.keys() & set(group.numbers):
            reports[players] += secrets
    say_once(dict(sorted(reports.items())), report)
    look_wider(rules.game, found, report)
    return dict(sorted(found.items()))


def counts_of(game: GameDefinition) -> set[int]:
    """The numbers of players to check in any case: the most that the game is for, and the most with a house rule."""
    wide = game.widened
    return {wide.before, wide.now} & {*range(game.players[0], wide.now + 1)} if wide is not None else set()


def look_wider(game: GameDefinition, found: Mapping[int, CheckedGame], report: Report) -> None:
    """Report what does not suffice for the players that a house rule adds."""
    wide = game.widened
    if wide is not None and wide.now in found:
        few, many = found.get(wide.before), found[wide.now]
        usual = few.analysis.strains if few is not None else ()
        check_stretch(game, many.symbols, many.analysis.strains, usual, report)


def secrets_of(game: CheckedGame | None, rules: Rules) -> list[Diagnostic]:
    own = Report()
    try:
        if game is not None:
            game.secrets.check(own)
    except RecursionError:
        too_deep([], rules.game, own)
    except OverBudget as over:
        too_much(over.span, own)
    return own.found


def are_same(reports: Iterable[list[Diagnostic]]) -> bool:
    return len({frozenset((one.code, one.span) for one in found) for found in reports}) == 1


def compared(game: CheckedGame, rules: Rules, players: int) -> Literal["same", "longer", "other"]:
    """The difference in the names of a game for more players, as far as the checker is concerned."""
    own = Report()
    try:
        analysis = analysis_for(rules, players, own)
    except OverBudget:
        return "other"  # checking it says so
    return "other" if analysis is None or own.found else likeness(game.symbols, analysis.symbols)


def say_once(reports: Mapping[int, list[Diagnostic]], report: Report) -> None:
    """Report the diagnostics for all numbers of players: once if they hold for all, otherwise with the number."""
    every = [{(d.code, d.span) for d in diagnostics} for diagnostics in reports.values()]
    everywhere = set.intersection(*every) if every else set()
    said: set[tuple[str, Any]] = set()
    for players, diagnostics in reports.items():
        for diagnostic in diagnostics:
            key = (diagnostic.code, diagnostic.span)
            if key in everywhere:
                if key not in said:
                    report.add(diagnostic)
            elif not {COUNTS, USES}.isdisjoint(diagnostic.follows_from):
                continue  # it is used, or tested, with some number of players
            elif key not in said:
                report.add(
                    replace(
                        diagnostic, message=f"with {players} player{'s' if players > 1 else ''}: {diagnostic.message}"
                    )
                )
            said.add(key)


def likeness(few: SymbolTable, many: SymbolTable) -> Literal["same", "longer", "other"]:
    """The difference between the symbol table for fewer players and that for more.

    "same": printed values, members and options are equal. "longer": kinds with a piece for each player have more of them.
    """
    if not (
        all(a.values == b.values for a, b in zip(few.tables.values(), many.tables.values(), strict=True))
        and all(a.value == b.value for a, b in zip(few.options.values(), many.options.values(), strict=True))
        and all(a.capacity == b.capacity for a, b in zip(few.zones.values(), many.zones.values(), strict=True))
    ):
        return "other"
    changed = [
        a
        for a, b in zip(few.kinds.values(), many.kinds.values(), strict=True)
        if (a.ids, a.attributes) != (b.ids, b.attributes)
    ]
    if not changed:
        return "same"
    return "longer" if all(Player() in kind.product for kind in changed) else "other"
