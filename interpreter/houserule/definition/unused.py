"""Warns of declarations that nothing uses, which are most often mistakes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from houserule.definition.clashes import check_letters
from houserule.definition.model import GameDefinition
from houserule.diagnostics import Meant, Related, Report, Span, nearest
from houserule.language.checked import Variable
from houserule.language.format import format
from houserule.language.symbols import SymbolTable

USE_IT = "use it, or remove it"


def check_uses(game: GameDefinition, symbols: SymbolTable, rolled: Mapping[str, Span], report: Report) -> None:
    """Warn of every name in a symbol table that no rule uses; `rolled` are the names declared by rolls, which may be misspelt."""
    check_pieces(game, symbols, report)
    check_letters(names_in_flow(game, symbols), report)
    for action in symbols.actions.values():
        if action.uses == 0:
            advice = f"perform {action.name}, or remove it"
            report.warning("HR570", f"action '{action.name}' is never performed", action.span, advice)
    for function in symbols.functions.values():
        if function.uses == 0:
            report.warning("HR570", f"function '{function.name}' is never used", function.span, USE_IT)
    held = {zone.holds for zone in symbols.zones.values()}
    for kind in symbols.kinds.values():
        for slot in kind.effects.values():
            if slot.bodies and not any(body.uses for body in slot.bodies.values()):
                message = f"effect '{slot.name}' of '{kind.name}' is never performed"
                report.warning("HR570", message, slot.span, f"perform x.{slot.name}")
        if kind.uses == 0 and not kind.lies and kind.name not in held:
            what = "kind of piece" if kind.is_piece else "enum"
            report.warning("HR571", f"{what} '{kind.name}' is never used", kind.span, USE_IT)
    for what, section in (("zone", symbols.zones), ("table", symbols.tables), ("option", symbols.options)):
        for thing in section.values():
            if thing.uses == 0:
                report.warning("HR571", f"{what} '{thing.name}' is never used", thing.span, USE_IT)
    for variable in symbols.variables.values():
        check_variable(variable, rolled, report)


def names_in_flow(game: GameDefinition, symbols: SymbolTable) -> Iterator[tuple[str, Span]]:
    """The names of steps, lines of the score sheet and triggers, with their places."""
    steps = list(game.flow)
    while steps:
        step = steps.pop()
        yield step.name, step.span
        steps += step.steps
    yield from ((line.name, line.span) for line in game.scoring)
    yield from ((trigger.name, trigger.routine.span) for trigger in symbols.triggers)


def check_variable(variable: Variable, rolled: Mapping[str, Span], report: Report) -> None:
    """Warn of a variable that is never read or never set; one of a kind of piece may keep its start."""
    is_read, is_set, name = variable.uses > 0 or variable.for_people, variable.writes > 0, variable.name
    if not is_read and not is_set:
        report.warning("HR571", f"variable '{name}' is never used", variable.span, USE_IT)
    elif not is_set and (meant := nearest(name, rolled)) is not None:
        message = f"variable '{name}' is read, but never set; '{meant}' here is a new name"
        declared = [Related("the variable is declared here", variable.span)]
        report.warning("HR571", message, rolled[meant], Meant(name), declared)
    elif not is_set and variable.of_kind is None:
        advice = "set it, or make it an option or a table: they are constants"
        report.warning("HR571", f"variable '{name}' is read, but never set", variable.span, advice)
    elif not is_read and variable.reset is None:
        advice = "read it, or remove it; a mark that only people read says `for_people: true`"
        report.warning("HR571", f"variable '{name}' is set, but never read", variable.span, advice)


def check_pieces(game: GameDefinition, symbols: SymbolTable, report: Report) -> None:
    """Check that each kind has pieces, and that those that zones hold start somewhere."""
    held = {zone.holds for zone in symbols.zones.values()}
    for kind in game.kinds.values():
        if not kind.is_piece:
            continue
        if not kind.members and not kind.each:
            shown = f"{{count: {format(kind.count)}}}" if kind.count is not None else "{}"
            advice = f"pieces: {{{kind.name}_piece: {shown}}}"
            report.warning("HR527", f"there are no pieces of '{kind.name}'", kind.span, advice)
        if kind.starts_in is None and symbols.kinds[kind.name].ids and kind.name in held:
            message = f"the pieces of '{kind.name}' begin nowhere, though zones hold them"
            report.error("HR525", message, kind.span, "starts_in: …")
