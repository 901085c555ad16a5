"""Places a mistake in the variant that caused it, rather than in the game.

If a rule of the game names what a variant removes, or lacks what a variant adds, that is not the game's mistake: the
diagnostic shows the place in the variant first, and the place in the game below it. One that shows both already stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from houserule.definition.edits import stem
from houserule.definition.variant import Variant
from houserule.diagnostics import EFFECTS, USES, Diagnostic, Related, Span
from houserule.reading import line_of
from houserule.source import Mapping, Scalar, Sequence, Yaml


def told_of_variants(found: list[Diagnostic], variants: Iterable[Variant]) -> list[Diagnostic]:
    """The diagnostics, with errors in the game's files placed where a variant removes, adds or changes what they mention."""
    files = set()
    touched: dict[str, Span] = {}
    for variant in variants:
        files.add(variant.tree.span.file)
        for name, span in touched_by(variant):
            touched.setdefault(name, span)
    moved: dict[tuple[str, Span], Diagnostic] = {}
    for diagnostic in found:
        key = (diagnostic.message, diagnostic.span)
        shown = {diagnostic.span.file, *(other.span.file for other in diagnostic.related)}
        if diagnostic.severity == "error" and not shown & files:
            line = line_of(diagnostic.span.file, diagnostic.span.line) or ""
            names = (diagnostic.subject, *diagnostic.follows_from, *re.findall(r"\w+", line))
            place = next((touched[name] for name in names if name in touched), None)
            if place is not None:
                key = (diagnostic.message, place)
                before = moved[key].related if key in moved else ()
                here = Related("it shows here", diagnostic.span)
                related = (*before, here, *(other for other in diagnostic.related if other not in before))
                diagnostic = replace(diagnostic, span=place, related=related)
        moved[key] = diagnostic
    return list(moved.values())


def warned_of_variants(
    found: list[Diagnostic], variants: list[Variant], without: Callable[[int], list[Diagnostic]]
) -> list[Diagnostic]:
    """The diagnostics, with warnings about the game's own files placed at the variant that causes them.

    `without(n)` gives the diagnostics with the first n variants only; a warning without any variant is the game's own.
    If there is an error, these warnings are omitted: what a mistaken rule would have used is unknown. So are those about what
    nothing uses any more: a house rule need not tidy the game that it changes.
    """
    files = {variant.tree.span.file for variant in variants}
    strange = [other for other in found if other.severity == "warning" and other.span.file not in files]
    blamed: dict[tuple[str, Span], Variant] = {}
    for number in range(len(variants)) if strange else ():
        known = {(other.message, other.span) for other in without(number)}
        blamed |= {key: variants[number] for other in strange if (key := (other.message, other.span)) not in known}
    is_mistaken = any(other.severity == "error" for other in found)
    found = [
        other
        for other in found
        if (other.message, other.span) not in blamed
        or not (is_mistaken or not {EFFECTS, USES}.isdisjoint(other.follows_from))
    ]
    return [
        replace(other, span=by.span, related=(Related("it shows here", other.span), *other.related))
        if (by := blamed.get((other.message, other.span)))
        else other
        for other in found
    ]


def touched_by(variant: Variant) -> Iterator[tuple[str, Span]]:
    """The names that a variant removes, adds or changes, with their places."""
    removed = variant.tree.entries.get("remove")
    if removed is not None and isinstance(removed.value, Sequence):
        for item in removed.value.items:
            if isinstance(item, Scalar):
                yield item.text.strip().split(".")[-1], item.span
    for section in ("add", "change"):
        entry = variant.tree.entries.get(section)
        if entry is not None:
            yield from names_in(entry.value)


def names_in(node: Yaml) -> Iterator[tuple[str, Span]]:
    """The keys and listed words of a tree, innermost first, since these are the most specific."""
    if isinstance(node, Mapping):
        for key, entry in node.entries.items():
            yield from names_in(entry.value)
            yield stem(key), entry.key.span
    elif isinstance(node, Sequence):
        for item in node.items:
            if isinstance(item, Scalar):
                yield item.text.strip(), item.span
