"""Inlay hints: what house rules change in the rules of a game, shown beside the rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from houserule.definition.edits import stem, trees_with
from houserule.definition.load import merged, read_with_parts
from houserule.definition.readings import Readings
from houserule.definition.variant import Variant, read_variant
from houserule.diagnostics import Report, Span
from houserule.frozen import frozen
from houserule.language_service.checking import stamp_of
from houserule.language_service.documents import absolute
from houserule.reading import files_below
from houserule.source import Entry, Mapping, Scalar
from houserule.workshop.differences import places_changed, short
from houserule.workshop.library import display


@frozen
class Hint:
    """A short text after a place of a file; `origin` is the place in the house rule."""

    span: Span
    text: str
    origin: Span


class Hints:
    """Computes the hints of games, again only when a file has changed."""

    def __init__(self) -> None:
        self._kept: dict[Path, tuple[Readings, dict[Path, str], list[Hint]]] = {}

    def of_game(self, folder: Path, files: list[Path]) -> list[Hint]:
        """Everything that the variants of a game change in its rules."""
        stamps = {file: stamp_of(file) for file in files}
        before, known, hints = self._kept.get(folder, (Readings(), {}, []))
        if known != stamps:
            readings = before.after(lambda one: stamps.get(place := absolute(one)) == known.get(place, ""))
            hints = list(hints_of(folder, readings))
            self._kept[folder] = readings, stamps, hints
        return hints


def hints_of(folder: Path, readings: Readings) -> Iterator[Hint]:
    """What each single variant of a game changes in its rules."""
    file = folder / "game.yaml"
    tree, parts, _ = read_with_parts(file, Report(), readings, display(file))
    if tree is None:
        return
    whole = merged([tree, *(part for part, *_ in parts)], Report())
    for path in files_below(folder / "variants", "*.yaml", folder):
        variant = read_variant(path, Report(), display(path), readings)
        for _, changed in trees_with(whole, [variant], Report()) if variant is not None else ():
            assert variant is not None
            yield from hints_between(variant, whole, changed)


def hints_between(variant: Variant, before: Mapping, after: Mapping) -> Iterator[Hint]:
    """What a variant changes: the new value, rewritten or removed entries, additions, and settings of options."""
    for was, now, is_new in places_changed(before, after):
        if is_new:
            assert now is not None
            yield Hint(behind_key(was), f"{variant.name}: + {stem(now.key.text)}", now.key.span)
        elif now is None:
            yield Hint(behind_key(was), f"{variant.name}: removed", variant.span)
        else:
            yield Hint(end_of(was), f"{variant.name}: {short(now.value) or 'rewritten'}", now.value.span)
    options = before.entries.get("options")
    for name, value in variant.options.items() if options is not None and isinstance(options.value, Mapping) else ():
        assert options is not None
        assert isinstance(options.value, Mapping)
        option = options.value.entries.get(name)
        if option is not None:
            yield Hint(behind_key(option), f"{variant.name}: {value}", variant.span)


def end_of(entry: Entry) -> Span:
    """The end of an entry's value, of the `|` of a block, or of the key if the value takes several lines."""
    return entry.value.span if isinstance(entry.value, Scalar) else behind_key(entry)


def behind_key(entry: Entry) -> Span:
    """The end of an entry's key, with its colon."""
    span, end = entry.key.span, entry.value.span
    is_before = (span.end_line, span.end_column) < (end.line, end.column)
    return Span(span.file, span.line, span.column, span.end_line, span.end_column + is_before)
