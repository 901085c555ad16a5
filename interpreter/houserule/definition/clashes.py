"""Checks that each name in a symbol table means one thing; a clash is reported with both places.

Values (variables, zones, options, tables, members, pieces, and functions that are read by name), routines, and what may
follow a dot are three namespaces: within each a name means one thing; the same name in two of them is no clash.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import combinations

from houserule.diagnostics import Related, Report, Span
from houserule.language.symbols import SymbolTable
from houserule.language.types import Type, fits
from houserule.language.words import NEVER_BOUND, OF_EVERY_GAME, RESERVED

OF_THE_LANGUAGE = RESERVED | OF_EVERY_GAME.keys() | {"winners", "points"}


def check_names(symbols: SymbolTable, verbs: Collection[str], operations: Collection[str], report: Report) -> None:
    """Check that each name means one thing."""
    seen: dict[str, tuple[str, Span]] = {}
    for what, section in (
        ("variable", symbols.variables),
        ("zone", symbols.zones),
        ("option", symbols.options),
        ("table", symbols.tables),
    ):
        for name, thing in section.items():
            if name in OF_THE_LANGUAGE or name in verbs:
                refuse(name, what, thing.span, report)
            declare(name, what, thing.span, seen, report)
    routines: dict[str, tuple[str, Span]] = {}
    for what, routines_section in (("function", symbols.functions), ("action", symbols.actions)):
        for name, routine in routines_section.items():
            if name in operations or name in RESERVED | NEVER_BOUND:
                refuse(name, what, routine.span, report)
            declare(name, what, routine.span, routines, report)
            if routine.is_function and not routine.parameters:
                declare(name, what, routine.span, seen, report)
    check_letters(every_name(symbols), report)
    # A member and a piece may share a name, and the expected type decides; nothing else may have it.
    for name, span in members(symbols):
        check_free(name, span, seen, report)
    check_after_dot(symbols, report)


def check_letters(names: Iterable[tuple[str, Span]], report: Report) -> None:
    """Warn of names with capital letters: `SETUP` is no `setup`."""
    for name, span in names:
        if name.lower() != name:
            help = f"names are written in small letters: {name.lower()}"
            report.warning("HR587", f"'{name}' has capital letters", span, help)


def refuse(name: str, what: str, span: Span, report: Report) -> None:
    """Report that a name is a reserved word."""
    message = f"'{name}' is a word of the language, so no {what} can be called that"
    report.error("HR504", message, span, "choose another name")


def declare(name: str, what: str, span: Span, seen: dict[str, tuple[str, Span]], report: Report) -> None:
    """Keep a name, unless it is taken."""
    check_free(name, span, seen, report)
    seen.setdefault(name, (what, span))


def check_free(name: str, span: Span, seen: Mapping[str, tuple[str, Span]], report: Report) -> None:
    """Report a name that is taken."""
    if name in seen and seen[name][1] != span:
        other = seen[name]
        article = "an" if other[0][0] in "aeiou" else "a"
        report.error(
            "HR504",
            f"'{name}' is already the name of {article} {other[0]}",
            span,
            "choose another name",
            [Related("declared here", other[1])],
        )


def every_name(symbols: SymbolTable) -> Iterator[tuple[str, Span]]:
    """Every name that authors gave, with its place."""
    for section in (symbols.kinds, symbols.variables, symbols.zones, symbols.options, symbols.tables):
        yield from ((thing.name, thing.span) for thing in section.values())
    yield from ((routine.name, routine.span) for routine in (*symbols.functions.values(), *symbols.actions.values()))
    yield from members(symbols)
    for kind in symbols.kinds.values():
        yield from kind.attribute_spans.items()
        yield from ((effect.name, effect.span) for effect in kind.effects.values())


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
