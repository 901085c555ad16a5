"""Runs scenarios from an editor with the texts shown there, and reports failures at their places."""

from __future__ import annotations

from pathlib import Path

from houserule.diagnostics import Diagnostic, InvalidGame, Span
from houserule.frozen import frozen
from houserule.language_service.documents import Document
from houserule.rehearsing.scenarios import ScenarioFile, ScenarioResult
from houserule.source import Scalar
from houserule.workshop.library import UnknownGame


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
        """The scenarios of a file, in order."""
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
                        result = file.run(position)
                    except InvalidGame as invalid:
                        result = ScenarioResult(name, str(path), begins, False, f"it cannot be run: {invalid}")
                    results[begins] = result
                    made.append(result)
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

    def forget(self, folder: Path) -> bool:
        """Forget the results in a folder after a change there; returns whether there were any."""
        gone = [path for path in self._results if path.is_relative_to(folder)]
        for path in gone:
            del self._results[path]
        return bool(gone)
