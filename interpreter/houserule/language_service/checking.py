"""What is wrong in rule files, found again after a change without working out what still holds.

Three stages are kept apart, so that a keystroke waits only for what it can have changed:

- *texts*: each file is read once, each effect in it parsed once, and again only where its words or its place have changed;
- *the file at hand*: a file of rules is checked with the rules of its game, a variant with the game, scenarios with theirs;
- *the whole game*: what comes to light, and all other variants and scenarios; what is made of files that are as they were
  stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from houserule.definition.load import Loaded
from houserule.definition.readings import Readings
from houserule.diagnostics import Diagnostic, Report
from houserule.language_service.documents import absolute
from houserule.reading import change_of
from houserule.rehearsing.validate import validate, validate_own_scenarios, validate_own_variant
from houserule.workshop.examine import examine
from houserule.workshop.library import UnknownGame

GoOn = Callable[[], None]
"""Called between one result and the next; what it raises ends the work."""


def carry_on() -> None:
    """Ends no work."""


class Checking:
    """What was found wrong in the files of each game, with the results it was made of."""

    def __init__(self) -> None:
        self._runs: dict[Path, tuple[Readings, dict[Path, str]]] = {}
        self._rules: dict[Path, Loaded] = {}

    def whole(self, subject: Path, files: Iterable[Path], go_on: GoOn = carry_on) -> list[Diagnostic]:
        """What `houserule validate` says of a game or a file."""
        try:
            return validate(subject, readings=self.readings(subject, files, go_on))
        except UnknownGame:
            return []

    def at_hand(
        self, folder: Path, file: Path, files: list[Path], go_on: GoOn = carry_on
    ) -> tuple[list[Diagnostic], list[Path]]:
        """The same of what a file changes at once, and of which files that is: all with rules, or this one alone."""
        readings = self.readings(folder, files, go_on)
        rules, report = Report(), Report()
        readings.tells_secrets = False
        self._rules[folder] = examine(folder, rules, readings=readings)[0]
        section = section_of(folder, file)
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

    def rules(self, folder: Path) -> Loaded | None:
        """The rules of a game as they were last read, whatever is wrong in them."""
        return self._rules.get(folder)

    def readings(self, subject: Path, files: Iterable[Path], go_on: GoOn) -> Readings:
        """What is known of a game or file and still holds; nothing where files have come or gone."""
        stamps = {file: stamp_of(file) for file in files}
        before, known = self._runs.get(subject, (Readings(), stamps))
        if known.keys() != stamps.keys():
            before = Readings()
        readings = before.after(lambda one: stamps.get(place := absolute(one)) == known.get(place, ""))
        readings.go_on = go_on
        self._runs[subject] = readings, stamps
        return readings

    @contextmanager
    def trial(self) -> Iterator[None]:
        """A time in which other texts are checked; after it all is known as it was before."""
        runs, rules = dict(self._runs), dict(self._rules)
        try:
            yield
        finally:
            self._runs, self._rules = runs, rules

    def forget(self, subject: Path) -> None:
        """Keep nothing of a game any more."""
        self._runs.pop(subject, None)
        self._rules.pop(subject, None)


def section_of(folder: Path, file: Path) -> str:
    """The folder inside a game in which a file lies: `variants`, `scenarios`, or none."""
    inside = file.relative_to(folder).parts
    return inside[0] if len(inside) > 1 and inside[0] in ("variants", "scenarios") else ""


def stamp_of(file: Path) -> str:
    """Says whether a file is as it was."""
    change = change_of(file)
    if change is not None:
        return f"change {change}"
    try:
        found = file.stat()
    except OSError:
        return ""
    return f"{found.st_mtime_ns} {found.st_size}"
