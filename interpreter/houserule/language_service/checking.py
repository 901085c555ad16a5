"""What is found out about the games that are edited, and kept until a file changes that it depends on: diagnostics, results of scenarios, and what house rules change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from houserule.definition.load import merged, read_with_parts
from houserule.definition.readings import Readings
from houserule.definition.variant import Variant, read_variant, stem, trees_with
from houserule.diagnostics import Diagnostic, InvalidGame, Report, Span
from houserule.frozen import frozen
from houserule.language_service.names import Document
from houserule.language_service.places import Places
from houserule.reading import change_of, files_below, is_inside, real
from houserule.rehearsing.scenarios import ScenarioFile, ScenarioResult
from houserule.rehearsing.validate import validate, validate_own_scenarios, validate_own_variant
from houserule.source import Entry, Mapping, Scalar, entries_at
from houserule.workshop.library import UnknownGame, display, examine
from houserule.workshop.stages import places_changed, short

GoOn = Callable[[], None]
"""Called between two results; an exception from it ends the work."""


def carry_on() -> None:
    """Never ends the work."""


class Checking:
    """The diagnostics of each game, with the results that they depend on."""

    def __init__(self) -> None:
        self._runs: dict[Path, tuple[Readings, dict[Path, str]]] = {}
        self._places: dict[Path, Places] = {}
        self._hints: dict[Path, tuple[Readings, dict[Path, str], list[Hint]]] = {}

    def whole(self, subject: Path, files: Iterable[Path], go_on: GoOn = carry_on) -> list[Diagnostic]:
        try:
            return validate(subject, readings=self.readings(subject, files, go_on))
        except UnknownGame:
            return []

    def at_hand(
        self, folder: Path, file: Path, files: list[Path], go_on: GoOn = carry_on
    ) -> tuple[list[Diagnostic], list[Path]]:
        """The diagnostics that a file affects at once, and the files they are for: all with rules, or this one alone."""
        readings = self.readings(folder, files, go_on)
        rules, report = Report(), Report()
        readings.tells_secrets = False
        examine(folder, rules, readings=readings)
        section = section_of(folder, file)
        with suppress(UnknownGame):
            self._look_at(folder, file, readings)
        try:
            if section == "variants":
                validate_own_variant(folder, file, not rules.has_errors, report, readings)
            elif section == "scenarios":
                validate_own_scenarios(file, not rules.has_errors, report, readings)
            else:
                return rules.diagnostics, [one for one in files if not section_of(folder, one)]
        except UnknownGame:
            return [], [file]
        return [one for one in report.diagnostics if real(one.span.file) == file], [file]

    def places(self, folder: Path, file: Path, files: Iterable[Path]) -> Places | None:
        """What the checker knows about places of a file as it is now."""
        with suppress(UnknownGame):
            return self._look_at(folder, file, self.readings(folder, files, carry_on))
        return None

    def last_places(self, folder: Path, file: Path) -> Places | None:
        return self._places.get(file if section_of(folder, file) else folder)

    def _look_at(self, folder: Path, file: Path, readings: Readings) -> Places | None:
        """Note what the checker knows about a file; what was examined before, and is valid, is not examined again."""
        section, rules = section_of(folder, file), Report()
        variants = [str(file)] if section == "variants" else []
        checked = examine(folder, rules, None, variants, readings)[1]
        more = []
        if section == "scenarios":
            more = validate_own_scenarios(file, not rules.has_errors, Report(), readings)
        subject = file if section else folder
        known = self._places.get(subject)
        if checked and (known is None or known.game is not checked[max(checked)] or known.more != more):
            self._places[subject] = Places(checked[max(checked)], more)
        return self._places[subject] if checked else None

    def readings(self, subject: Path, files: Iterable[Path], go_on: GoOn) -> Readings:
        """The valid readings of a game or file; empty if files have come or gone."""
        stamps = {file: stamp_of(file) for file in files}
        before, known = self._runs.get(subject, (Readings(with_meanings=True), stamps))
        if known.keys() != stamps.keys():
            before = Readings(with_meanings=True)
        readings = before.after(lambda one: stamps.get(place := real(one)) == known.get(place, ""))
        readings.go_on = go_on
        self._runs[subject] = readings, stamps
        return readings

    def hints(self, folder: Path, files: list[Path]) -> list[Hint]:
        """Everything that the variants of a game change in its rules, worked out again only when a file has changed."""
        stamps = {file: stamp_of(file) for file in files}
        before, known, hints = self._hints.get(folder, (Readings(), {}, []))
        if known != stamps:
            readings = before.after(lambda one: stamps.get(place := real(one)) == known.get(place, ""))
            hints = list(hints_of(folder, readings))
            self._hints[folder] = readings, stamps, hints
        return hints

    @contextmanager
    def trial(self) -> Iterator[None]:
        """A context in which other texts are checked; afterwards the former state is restored."""
        runs, places = dict(self._runs), dict(self._places)
        try:
            yield
        finally:
            self._runs, self._places = runs, places

    def forget(self, subject: Path) -> None:
        self._runs.pop(subject, None)
        self._places = {file: found for file, found in self._places.items() if not is_inside(file, subject)}


def section_of(folder: Path, file: Path) -> str:
    """The folder inside a game in which a file lies: `variants`, `scenarios`, or none."""
    inside = file.relative_to(folder).parts
    return inside[0] if len(inside) > 1 and inside[0] in ("variants", "scenarios") else ""


def stamp_of(file: Path) -> str:
    """A value that changes when the file does."""
    change = change_of(file)
    if change is not None:
        return f"change {change}"
    try:
        found = file.stat()
    except OSError:
        return ""
    return f"{found.st_mtime_ns} {found.st_size}"


@frozen
class Trial:
    """A scenario of a file: its name, its place, and its result, if it was run since the last change of the rules."""

    name: str
    span: Span
    result: ScenarioResult | None = None


class Trials:
    """The results of scenarios, until something in their game changes."""

    def __init__(self) -> None:
        self._results: dict[Path, dict[int, ScenarioResult]] = {}  # by file and by the line of the scenario

    def of_file(self, document: Document) -> list[Trial]:
        results = self._results.get(document.path, {})
        entries = [entry for tree in document.trees if (entry := tree.entries.get("scenario")) is not None]
        return [
            Trial(entry.value.text, entry.key.span.to(entry.value.span), results.get(entry.key.span.line))
            for entry in entries
            if isinstance(entry.value, Scalar)
        ]

    def run(self, path: Path, line: int | None = None) -> list[ScenarioResult]:
        """Run the scenarios of a file, or the one that begins in a line. Mistakes in the rules make them fail."""
        results = self._results.setdefault(path, {})
        made = []
        try:
            file = ScenarioFile(path)
            for position, (name, begins) in enumerate(file.names):
                if line is None or begins == line:
                    try:
                        made.append(file.run(position))
                    except InvalidGame as invalid:
                        made.append(ScenarioResult(name, str(path), begins, False, f"it cannot be run: {invalid}"))
                    results[begins] = made[-1]
        except (InvalidGame, UnknownGame) as reason:
            made.append(ScenarioResult(path.stem, str(path), line or 1, False, f"it cannot be run: {reason}"))
            results[line or 1] = made[-1]
        return made

    def failures(self, path: Path) -> list[Diagnostic]:
        """The failures in a file, at the lines where they occurred."""
        return [
            Diagnostic("", "error", result.message, Span(str(path), result.line, 1, result.line, 10_000))
            for result in self._results.get(path, {}).values()
            if not result.passed
        ]

    def forget(self, folder: Path) -> None:
        """Forget the results in a folder after a change there."""
        self._results = {path: kept for path, kept in self._results.items() if not path.is_relative_to(folder)}


@frozen
class Hint:
    """A short text after a place of a file; `origin` is the place in the house rule."""

    span: Span
    text: str
    origin: Span


def hints_of(folder: Path, readings: Readings) -> Iterator[Hint]:
    """What each single variant of a game changes in its rules."""
    file = folder / "game.yaml"
    tree, parts, *_ = read_with_parts(file, Report(), readings, display(file))
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
    for name, value in variant.options.items():
        option = entries_at(before, "options").get(name)
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
