"""The symbol table of a game for one number of players; names that clash, and names that nothing uses."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import combinations

from houserule.definition.constants import Draft, declare_options, table
from houserule.definition.families import add_visibility_and_starts, declare_zones_and_variables
from houserule.definition.model import GameDefinition, KindDefinition, every_step
from houserule.definition.pieces import (
    MOST_PIECES,
    add_attribute_types,
    add_attribute_values,
    add_pieces,
    by_need,
    check_ids,
    tell_apart,
)
from houserule.definition.routines import declare_routines
from houserule.diagnostics import ABOVE, RULES, USES, Meant, Related, Report, Span, nearest
from houserule.language.checked import Constant, Kind, Variable
from houserule.language.format import format
from houserule.language.symbols import SymbolTable
from houserule.language.types import Type, fits, indefinite
from houserule.language.words import NEVER_BOUND, OF_EVERY_GAME, RESERVED

OF_THE_LANGUAGE = RESERVED | OF_EVERY_GAME.keys() | {"winners", "points"}


def check_names(symbols: SymbolTable, verbs: Collection[str], operations: Collection[str], report: Report) -> None:
    seen: dict[str, tuple[str, Span]] = {}
    for what, section in symbols.sections.items():
        for name, thing in section.items():
            # What is declared with a signature was refused where that was read.
            if name in OF_THE_LANGUAGE - (RESERVED if what in ("variable", "zone") else set()) or name in verbs:
                refuse(name, what, thing.span, report)
            declare(name, what, thing.span, seen, report)
    routines: dict[str, tuple[str, Span]] = {}
    for what, routines_section in (("function", symbols.functions), ("action", symbols.actions)):
        for name, routine in routines_section.items():
            if name in operations or name in NEVER_BOUND:
                refuse(name, what, routine.span, report)
            declare(name, what, routine.span, routines, report)
            if routine.is_function and not routine.parameters:
                declare(name, what, routine.span, seen, report)
    check_letters(every_name(symbols), report)
    check_attributes(symbols, report)
    # A member and a piece may share a name, and the expected type decides; nothing else may have it.
    for name, span in members(symbols):
        check_free(name, span, seen, report)
    check_after_dot(symbols, report)


def check_letters(names: Iterable[tuple[str, Span]], report: Report) -> None:
    for name, span in names:
        if name.lower() != name:
            help = f"names are written in small letters: {name.lower()}"
            report.warning("HR587", f"'{name}' has capital letters", span, help)


def check_attributes(symbols: SymbolTable, report: Report) -> None:
    """Warn of attributes that are words of the language: they can be printed, but no expression can name them."""
    for kind in symbols.kinds.values():
        for name, span in kind.attribute_spans.items():
            if name in RESERVED:
                message = f"'{name}' is a word of the language, so no rule can name this attribute"
                report.warning("HR586", message, span, "choose another name")


def refuse(name: str, what: str, span: Span, report: Report) -> None:
    """Report that a name is a reserved word."""
    message = f"'{name}' is a word of the language, so no {what} can be called that"
    report.error("HR504", message, span, "choose another name")


def declare(name: str, what: str, span: Span, seen: dict[str, tuple[str, Span]], report: Report) -> None:
    """Keep a name, unless it is taken."""
    check_free(name, span, seen, report)
    seen.setdefault(name, (what, span))


def check_free(name: str, span: Span, seen: Mapping[str, tuple[str, Span]], report: Report) -> None:
    if name in seen and seen[name][1] != span:
        what, place = seen[name]
        message = f"'{name}' is already the name of {indefinite(what)}"
        report.error("HR504", message, span, "choose another name", [Related("declared here", place)])


def every_name(symbols: SymbolTable) -> Iterator[tuple[str, Span]]:
    """Every name that authors gave, with its place."""
    for section in (symbols.kinds, *symbols.sections.values()):
        yield from ((thing.name, thing.span) for thing in section.values())
    yield from ((routine.name, routine.span) for routine in (*symbols.functions.values(), *symbols.actions.values()))
    yield from members(symbols)
    for kind in symbols.kinds.values():
        yield from kind.attribute_spans.items()
        yield from ((effect.name, effect.span) for effect in kind.effects.values())
        yield from ((name, function.span) for name, function in kind.functions.items())


def members(symbols: SymbolTable) -> Iterator[tuple[str, Span]]:
    """Every member and piece once: its name, and where it is declared."""
    for kind in symbols.kinds.values():
        if kind.product:
            continue  # nobody wrote these names
        for id, copy, span in zip(kind.ids, kind.copies, kind.spans, strict=True):
            if copy == 1:
                yield id, span


def check_after_dot(symbols: SymbolTable, report: Report) -> None:
    """Check that `x.f` means one thing for each type of x."""
    found: dict[str, list[tuple[Type, str, Span]]] = {}
    for kind in symbols.kinds.values():
        for attribute, span in kind.attribute_spans.items():
            found.setdefault(attribute, []).append((kind.type, "attribute", span))
        for effect in kind.effects.values():
            found.setdefault(effect.name, []).append((kind.type, "effect", effect.span))
        for name, function in kind.functions.items():
            found.setdefault(name, []).append((kind.type, "function", function.span))
    for what, families in (("zone", symbols.zones), ("variable", symbols.variables)):
        for family in families.values():
            if family.parameters:
                found.setdefault(family.name, []).append((family.parameters[0].type, what, family.span))
    for function in symbols.functions.values():
        if function.parameters:
            found.setdefault(function.name, []).append((function.parameters[0].type, "function", function.span))
    for name, things in found.items():
        for (one, what, span), (other, again, place) in combinations(things, 2):
            if fits(one, other) or fits(other, one):
                type = one if fits(one, other) else other
                message = f"'.{name}' of {type} would mean two things: its {what} and this {again}"
                report.error(
                    "HR504", message, place, "choose another name", [Related(f"the {what} is declared here", span)]
                )


def fill_symbol_table(draft: Draft) -> bool:
    """Declare everything in order of dependence; False if there are too many pieces."""
    kinds = [(definition, declared_kind(definition)) for definition in by_need(draft.game)]
    draft.symbols.kinds.update((kind.name, kind) for _, kind in kinds)
    declare_options(draft)
    for definition, kind in kinds:
        add_attribute_types(draft, definition, kind)
    base = 0
    for definition, kind in sorted(kinds, key=lambda one: one[0].is_piece):
        if kind.is_piece and base == 0:
            declare_early_tables(draft)
        kind.base = base if kind.is_piece else 0
        add_pieces(draft, definition, kind)
        base += len(kind.ids) if kind.is_piece else 0
        if base > MOST_PIECES:
            draft.report.error("HR551", f"there are more than {MOST_PIECES} pieces", definition.span)
            kind.ids.clear()
            return False
        # How many pieces of the next kinds there are may depend on what is printed on these.
        add_attribute_values(draft, definition, kind, before_pieces=True)
    tell_apart(draft)
    check_ids(draft)
    for definition, kind in kinds:
        add_attribute_values(draft, definition, kind)
    declare_zones_and_variables(draft)
    early = dict(draft.symbols.tables)
    for written in draft.game.tables.values():
        made = draft.symbols.tables[written.name] = table(draft, written)
        made.uses += early[written.name].uses if written.name in early else 0
    declare_routines(draft)
    add_visibility_and_starts(draft)
    own = [name for name, rows in draft.analysis.operations.items() if not any(row.gives_way for row in rows)]
    check_names(draft.symbols, draft.analysis.verbs, own, draft.report)
    return True


def declare_early_tables(draft: Draft) -> None:
    """Declare the tables that need no pieces, so that those may be counted by them; mistakes are reported when all are declared."""
    report, draft.analysis.report = draft.report, Report()
    kinds = dict(draft.symbols.kinds)
    draft.symbols.kinds = {name: kind for name, kind in kinds.items() if not kind.is_piece}
    for written in draft.game.tables.values():
        mistakes = len(draft.report.found)
        made = table(draft, written)
        if len(draft.report.found) == mistakes:
            draft.symbols.tables[written.name] = made
    draft.analysis.report, draft.symbols.kinds = report, kinds


def declared_kind(definition: KindDefinition) -> Kind:
    """An enum with its members, or a kind of piece without pieces yet."""
    kind = Kind(
        definition.name,
        definition.is_piece,
        definition.span,
        lies=definition.starts_in is not None,
        quiet=definition.quiet,
    )
    if not definition.is_piece:
        kind.ids = [member.name for member in definition.members]
        kind.spans = [member.span for member in definition.members]
    return kind


USE_IT = "use it, or remove it"


def check_uses(game: GameDefinition, symbols: SymbolTable, rolled: Mapping[str, Span], report: Report) -> None:
    """Warn of every name in a symbol table that no rule uses; `rolled` are the names declared by rolls, which may be misspelt."""
    check_pieces(game, symbols, report)
    check_letters(names_of_rules(game, symbols), report)
    for action in symbols.actions.values():
        if action.uses == 0:
            advice, what = f"perform {action.name}, or remove it", f"action '{action.name}' is never performed"
            if action.name in game.windows:
                opening = "" if action.parameters else ", or say before or after which action it opens (opens: …)"
                advice, what = f"perform {action.name}{opening}", f"nothing opens window '{action.name}'"
            unused(report, "HR570", action.name, what, action.span, advice)
    for function in symbols.functions.values():
        if function.uses == 0:
            unused(report, "HR570", function.name, f"function '{function.name}' is never used", function.span)
    held = {zone.holds for zone in symbols.zones.values()}
    for kind in symbols.kinds.values():
        check_routines_of(kind, report)
        if kind.uses == 0 and not kind.lies and kind.name not in held:
            what = "kind of piece" if kind.is_piece else "enum"
            unused(report, "HR571", kind.name, f"{what} '{kind.name}' is never used", kind.span)
    for what, section in (("zone", symbols.zones), ("table", symbols.tables), ("option", symbols.options)):
        for thing in section.values():
            if thing.uses == 0:
                unused(report, "HR571", thing.name, f"{what} '{thing.name}' is never used", thing.span)
    for zone in symbols.zones.values():
        if zone.uses and not zone.writes:
            advice = "move pieces there, let some begin there, or remove it"
            unused(report, "HR571", zone.name, f"nothing ever enters zone '{zone.name}'", zone.span, advice)
    for variable in symbols.variables.values():
        check_variable(variable, rolled, report)


def check_routines_of(kind: Kind, report: Report) -> None:
    """Warn of the effects and functions of a kind that no rule uses."""
    for slot in kind.effects.values():
        if slot.bodies and not any(body.uses for body in slot.bodies.values()):
            message = f"effect '{slot.name}' of '{kind.name}' is never performed"
            unused(report, "HR570", slot.name, message, slot.span, f"perform x.{slot.name}")
    for name, function in kind.functions.items():
        if function.uses == 0:
            unused(report, "HR570", name, f"function '{name}' of '{kind.name}' is never used", function.span)


def unused(
    report: Report, code: str, name: str, message: str, span: Span, help: str = USE_IT, related: Iterable[Related] = ()
) -> None:
    """Warn of a name that no rule uses, reads or sets: certain once all rules can be read."""
    report.warning(code, message, span, help, related, follows_from=(USES, name))


def names_of_rules(game: GameDefinition, symbols: SymbolTable) -> Iterator[tuple[str, Span]]:
    """The names of the game, its steps, lines of the score sheet and triggers, with their places."""
    if game.id is not None:
        yield game.id, game.id.span
    yield from ((step.name, step.span) for step in every_step(game.flow))
    yield from ((line.name, line.span) for line in game.scoring)
    yield from ((trigger.name, trigger.routine.span) for trigger in symbols.triggers)


def check_variable(variable: Variable, rolled: Mapping[str, Span], report: Report) -> None:
    """Warn of a variable that is never read or never set; one that starts differently for each piece may keep its start."""
    is_read, is_set, name = variable.uses > 0 or variable.for_people, variable.writes > 0, variable.name
    if not is_read and not is_set:
        unused(report, "HR571", name, f"variable '{name}' is never used", variable.span)
    elif not is_set and (meant := nearest(name, rolled)) is not None:
        message = f"variable '{name}' is read, but never set; '{meant}' here is a new name"
        declared = [Related("the variable is declared here", variable.span)]
        unused(report, "HR571", name, message, rolled[meant], Meant(name), declared)
    elif not is_set and isinstance(variable.start, Constant | None):
        constants = "an option or a table: they are" if variable.of_kind is None else "an attribute: these are"
        advice = f"set it, or make it {constants} constants"
        message = f"variable '{name}' is {'read, but ' if variable.uses else ''}never set"
        report.warning("HR571", message, variable.span, advice, follows_from=(USES, RULES, name))
    elif not is_read and variable.reset is None:
        advice = "read it, or remove it; a mark that only people read says `for_people: true`"
        unused(report, "HR571", name, f"variable '{name}' is set, but never read", variable.span, advice)


def check_pieces(game: GameDefinition, symbols: SymbolTable, report: Report) -> None:
    """Check that each kind has pieces, and that those that zones hold start somewhere."""
    held = {zone.holds for zone in symbols.zones.values()}
    for kind in game.kinds.values():
        if not kind.is_piece:
            continue
        if not kind.members and not kind.each:
            shown = f"{{count: {format(kind.count)}}}" if kind.count is not None else "{}"
            advice = f"pieces: {{{kind.name}_piece: {shown}}}"
            report.warning("HR527", f"there are no pieces of '{kind.name}'", kind.span, advice, follows_from=(ABOVE,))
        if kind.starts_in is None and symbols.kinds[kind.name].ids and kind.name in held:
            message = f"the pieces of '{kind.name}' begin nowhere, though zones hold them"
            report.error("HR525", message, kind.span, "starts_in: …", follows_from=("starts_in",))
