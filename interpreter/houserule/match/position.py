"""A start position: an effect that arranges the table after the set-up, checked and compiled with the game."""

from __future__ import annotations

from collections.abc import Sequence

from houserule.compiler.program import Program, compile_game
from houserule.definition.call_graph import find_needs, footprints
from houserule.definition.check import CheckedGame, too_much
from houserule.definition.flow import Entry
from houserule.diagnostics import InvalidGame, Report, Span
from houserule.language import nodes
from houserule.language.budget import OverBudget
from houserule.language.checked import Routine
from houserule.language.parse import parse
from houserule.language.routines import check_routine
from houserule.match.rules import CompiledRules
from houserule.source import Fragment, Source


def add_effect(checked: CheckedGame, name: str, block: nodes.Block, sets_off_triggers: bool = True) -> Routine:
    """Make an effect an action of a checked game."""
    found = Routine(name, (), block.span, False, block, sets_off_triggers=sets_off_triggers)
    checked.symbols.actions[name] = found
    check_routine(checked.analysis, found)
    return found


def see_arranges(effect: Routine, span: Span, report: Report) -> None:
    """Check that an effect that arranges the table asks nobody and needs no `me`."""
    if effect.asks:
        report.error("HR605", "'given' may not ask anybody", span, "put it into `play` as `do:`")
    if effect.needs_me:
        help = "write who is meant: `anna.hand`, or `as anna: …`"
        report.error("HR530", "nobody is 'me' in 'given'", span, help)


def with_position(rules: CompiledRules, seats: Sequence[str], given: str) -> tuple[Program, Routine]:
    """The program of a game that pauses after its set-up, and the effect that then arranges the table.

    Raises InvalidGame if the effect cannot be understood, asks somebody, or needs a `me`.
    """
    report = Report()
    # Several lines are read like `given: |` in a scenario.
    head = "|\n" if "\n" in given else ""
    source = Source("given", head + given)
    fragment = Fragment(given, source, "literal" if head else "plain", 0, len(source.text))
    checked = rules.check(len(seats), Entry(None), tuple(seats), report)
    block = parse(
        fragment, "block", report, {name: tuple(v.prepositions) for name, v in checked.analysis.verbs.items()}
    )
    if not isinstance(block, nodes.Block) or report.has_errors:
        raise InvalidGame(report.diagnostics)
    try:
        effect = add_effect(checked, "given effect", block, sets_off_triggers=False)
    except OverBudget as over:
        too_much(over.span, report)
        raise InvalidGame(report.diagnostics) from None
    find_needs(footprints(checked.routines), checked.symbols, checked.analysis.inherited_calls, report)
    see_arranges(effect, block.span, report)
    if report.has_errors:
        raise InvalidGame(report.diagnostics)
    return compile_game(checked, told=True), effect
