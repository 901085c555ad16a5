"""What house rules change in the rules of a game, told beside the rules."""

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
    """A short text to be shown behind a place of a file; `origin` is the place in the house rule that it speaks of."""

    span: Span
    text: str
    origin: Span


class Hints:
    """Reads the files of games for their hints, each again only when it has changed."""

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
    """What each variant of a game by itself changes in its rules."""
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
    """What a variant changes: the new value, that it is rewritten or removed, what is added, and what an option is set to."""
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
    """Where the value of an entry stands, of a block its sign; or its key where the value takes several lines."""
    return entry.value.span if isinstance(entry.value, Scalar) else behind_key(entry)


def behind_key(entry: Entry) -> Span:
    """Where the key of an entry stands, with its colon."""
    span, end = entry.key.span, entry.value.span
    is_before = (span.end_line, span.end_column) < (end.line, end.column)
    return Span(span.file, span.line, span.column, span.end_line, span.end_column + is_before)
