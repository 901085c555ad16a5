"""Lets pytest collect scenarios: each scenario in a file in the `scenarios` folder of a game is a test.

pytest loads it wherever Houserule is installed, so it imports nothing of Houserule before there is such a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from houserule import InvalidGame, ScenarioFile, ScenarioResult

BUDGET = pytest.StashKey[Any]()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A file of scenarios; all other files are left alone."""
    if file_path.suffix == ".yaml" and is_of_scenarios(file_path):
        return ScenarioCollector.from_parent(parent, path=file_path)
    return None


def is_of_scenarios(path: Path) -> bool:
    """Whether a file is in the folder `scenarios` of a game, at any depth."""
    return any(folder.name == "scenarios" and (folder.parent / "game.yaml").is_file() for folder in path.parents)


class ScenarioCollector(pytest.File):
    """A file of scenarios."""

    def collect(self) -> Iterable[pytest.Item]:
        """Its scenarios; those with the same name are numbered."""
        from houserule import InvalidGame, ScenarioBudget, ScenarioFile
        from houserule.printable import printable

        budget = self.session.stash.setdefault(BUDGET, ScenarioBudget())
        try:
            file = ScenarioFile(self.path, budget=budget)
        except InvalidGame as invalid:
            raise self.CollectError(said_of(invalid)) from None
        seen: dict[str, int] = {}
        for position, (written, line) in enumerate(file.names):
            name = printable(written)
            seen[name] = seen.get(name, 0) + 1
            id = name if seen[name] == 1 else f"{name} [{seen[name]}]"
            yield ScenarioItem.from_parent(self, name=id, file=file, position=position, line=line)


class ScenarioItem(pytest.Item):
    """A scenario as a test."""

    def __init__(self, *, file: ScenarioFile, position: int, line: int, **rest: Any) -> None:
        super().__init__(**rest)
        self.file = file
        self.position = position
        self.line = line

    def runtest(self) -> None:
        """Run it; it fails with the expectation that does not hold."""
        if not self.session.stash[BUDGET].is_left(self.path):
            pytest.skip("the scenarios before this one have taken long, so this one is not run")
        result = self.file.run(self.position)
        if not result.passed:
            raise ScenarioFailure(result)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Its place, lines counted from 0."""
        return self.path, self.line - 1, self.name

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The failure: the failing line, then the pending question with its options."""
        from houserule import InvalidGame, UnknownGame

        match excinfo.value:
            case ScenarioFailure(result):
                return "\n".join(told(result))
            case InvalidGame() as invalid:
                return said_of(invalid)
            case UnknownGame() as unknown:
                return str(unknown)
        return super().repr_failure(excinfo, style)


class ScenarioFailure(AssertionError):
    """A scenario does not hold."""

    __match_args__ = ("result",)

    def __init__(self, result: ScenarioResult) -> None:
        super().__init__(result.message)
        self.result = result


def told(result: ScenarioResult) -> Iterator[str]:
    """The failing line and the reason."""
    from houserule.printable import printable
    from houserule.reading import line_of

    line = line_of(result.path, result.line)
    yield printable(f"{result.path}:{result.line}: {result.name}")
    if line is not None:
        yield printable(f"{result.line:>5} | {line.rstrip()}")
    yield from (f"E     {printable(line)}" for line in result.message.splitlines())


def said_of(invalid: InvalidGame) -> str:
    from houserule.diagnostics import render
    from houserule.reading import line_of

    return "\n".join(render(diagnostic, line_of) for diagnostic in invalid.diagnostics)
