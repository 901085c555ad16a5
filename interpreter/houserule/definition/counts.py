"""Checks a game for every number of players that can make a difference to the checker.

The number of players enters rules in two ways. It makes families longer or shorter (a hand for each player), which can
break no rule: what certainly does not fit the fewest hands is reported for the fewest players. And rules mention `player_count`.
Each maximal part of a rule that contains only it, numbers and operators is evaluated for each number of players:

- if it *decides* (`player_count == 2`, `2 if player_count < 4 else 1`), only numbers with the same result can
  be alike to the checker;
- if it is an *amount* (`3 * player_count`, `1..player_count`) that grows linearly, what fits the fewest and
  the most players fits those in between;
- of anything else nothing is assumed: each number is checked for itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal

from houserule.definition.check import CheckedGame, Operations, Rules, analysis_for, check_game, too_deep, too_much
from houserule.definition.model import GameDefinition
from houserule.diagnostics import Diagnostic, Report
from houserule.frozen import frozen
from houserule.language import nodes
from houserule.language.budget import OverBudget
from houserule.language.dispatch import expr
from houserule.language.reached import parts_of, walk
from houserule.language.scope import Analysis
from houserule.language.symbols import SymbolTable
from houserule.language.types import Player

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
        """The representatives that are checked."""
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
    """Whether it mentions the number of players."""
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

    Numbers that are alike to the checker (see `counts`) are checked once, as long as all representatives have the same
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
    for group in groups if tells_secrets else ():
        secrets = secrets_of(found.get(group.numbers[0]), rules)
        for players in reports.keys() & set(group.numbers):
            reports[players] += secrets
    say_once(dict(sorted(reports.items())), report)
    return dict(sorted(found.items()))


def secrets_of(game: CheckedGame | None, rules: Rules) -> list[Diagnostic]:
    """The leaks in a game."""
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
    """Whether the diagnostics are the same for each number of players."""
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
            elif diagnostic.code in ("HR522", "HR570", "HR571", "HR583"):
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
