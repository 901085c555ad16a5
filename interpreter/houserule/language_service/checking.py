"""Incremental diagnostics of rule files: after a change, only what it can affect is checked again.

Three stages are separate, so that a keystroke waits only for what it can have changed:

- *texts*: each file is read once, each effect in it parsed once, and again only if its words or its place have changed;
- *the current file*: a file of rules is checked with the rules of its game, a variant with the game, scenarios with theirs;
- *the whole game*: leaks, and all other variants and scenarios; results that depend on unchanged files
  are reused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from houserule.definition.readings import Readings
from houserule.diagnostics import Diagnostic, Report
from houserule.language_service.documents import absolute
from houserule.language_service.places import Places
from houserule.reading import change_of, is_inside
from houserule.rehearsing.validate import required_by, validate, validate_own_scenarios, validate_own_variant
from houserule.workshop.examine import examine
from houserule.workshop.library import UnknownGame

GoOn = Callable[[], None]
"""Called between two results; an exception from it ends the work."""


def carry_on() -> None:
    """Never ends the work."""


class Checking:
    """The diagnostics of each game, with the results that they depend on."""

    def __init__(self) -> None:
        self._runs: dict[Path, tuple[Readings, dict[Path, str]]] = {}
        self._places: dict[Path, Places] = {}

    def whole(self, subject: Path, files: Iterable[Path], go_on: GoOn = carry_on) -> list[Diagnostic]:
        """The diagnostics of `houserule validate` for a game or a file."""
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
        return [one for one in report.diagnostics if absolute(one.span.file) == file], [file]

    def places(self, folder: Path, file: Path, files: Iterable[Path]) -> Places | None:
        """What the checker knows about places of a file as it is now."""
        with suppress(UnknownGame):
            self._look_at(folder, file, self.readings(folder, files, carry_on))
        return self.last_places(folder, file)

    def last_places(self, folder: Path, file: Path) -> Places | None:
        """What the checker knew last about places of a file."""
        return self._places.get(file if section_of(folder, file) else folder)

    def _look_at(self, folder: Path, file: Path, readings: Readings) -> None:
        """Note what the checker knows about a file; what was examined before, and is valid, is not examined again."""
        section, rules = section_of(folder, file), Report()
        variants = [*required_by(folder, file, set(), readings), str(file)] if section == "variants" else []
        checked = examine(folder, rules, None, variants, readings)[1]
        more = []
        if section == "scenarios":
            more = validate_own_scenarios(file, not rules.has_errors, Report(), readings)
        subject = file if section else folder
        known = self._places.get(subject)
        if checked and (known is None or known.game is not checked[max(checked)] or known.more != more):
            self._places[subject] = Places(checked[max(checked)], more)

    def readings(self, subject: Path, files: Iterable[Path], go_on: GoOn) -> Readings:
        """The valid readings of a game or file; empty if files have come or gone."""
        stamps = {file: stamp_of(file) for file in files}
        before, known = self._runs.get(subject, (Readings(with_meanings=True), stamps))
        if known.keys() != stamps.keys():
            before = Readings(with_meanings=True)
        readings = before.after(lambda one: stamps.get(place := absolute(one)) == known.get(place, ""))
        readings.go_on = go_on
        self._runs[subject] = readings, stamps
        return readings

    @contextmanager
    def trial(self) -> Iterator[None]:
        """A context in which other texts are checked; afterwards the former state is restored."""
        runs, places = dict(self._runs), dict(self._places)
        try:
            yield
        finally:
            self._runs, self._places = runs, places

    def forget(self, subject: Path) -> None:
        """Forget a game."""
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
