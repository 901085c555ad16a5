"""Tries out a whole game: validates its rules, runs its scenarios, and plays random matches of every variant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from houserule import (
    ENDINGS,
    Coverage,
    Diagnostic,
    Game,
    InvalidGame,
    Record,
    Rule,
    RuleFault,
    ScenarioResult,
    load,
    rehearse,
    validate,
)
from houserule.invariants.matches import (
    Table,
    Walk,
    check_marked_match,
    check_native_match,
    marking_program,
    record_of,
    retraced,
)
from houserule.invariants.unseen import Broken
from houserule.native.engines import machine_of
from houserule.reading import files_below
from houserule.workshop.library import combinations_of

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Violation:
    """A failed match: its players, variants, seed and message, and the record that leads there."""

    players: int
    variants: tuple[str, ...]
    seed: int
    message: str
    record: Record

    @property
    def table(self) -> str:
        return f"for {self.players} players" + (f" with {' and '.join(self.variants)}" if self.variants else "")


@dataclass(slots=True)
class Checked:
    """The result of a check. `unreached` are the steps and effects that no match reached; random matches reach most."""

    game: str
    diagnostics: list[Diagnostic] = field(default_factory=list)
    scenarios: list[ScenarioResult] = field(default_factory=list)
    violations: list[Violation] = field(default_factory=list)
    unreached: list[Rule] = field(default_factory=list)
    tables: int = 0
    matches: int = 0
    endings: Counter[str] = field(default_factory=Counter)  # of matches that ended
    comparisons: int = 0  # of a player's view with another world that the player may not distinguish
    is_stopped: bool = False

    @property
    def failed(self) -> bool:
        """Whether anything is wrong; unreached rules are only reported."""
        return (
            bool(self.violations)
            or any(d.severity == "error" for d in self.diagnostics)
            or not all(result.passed for result in self.scenarios)
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "failed": self.failed,
            "stopped": self.is_stopped,
            "tables": self.tables,
            "matches": self.matches,
            "endings": {ending: self.endings[ending] for ending in ENDINGS},
            "comparisons": self.comparisons,
            "diagnostics": [
                {
                    "code": d.code,
                    "severity": d.severity,
                    "message": d.message,
                    "file": d.span.file,
                    "line": d.span.line,
                    "column": d.span.column,
                }
                for d in self.diagnostics
            ],
            "scenarios": {
                "passed": sum(result.passed for result in self.scenarios),
                "failed": [
                    {"name": r.name, "file": r.path, "line": r.line, "message": r.message}
                    for r in self.scenarios
                    if not r.passed
                ],
            },
            "violations": [
                {
                    "players": v.players,
                    "variants": list(v.variants),
                    "seed": v.seed,
                    "message": v.message,
                    "record": v.record.to_json(),
                }
                for v in self.violations
            ],
            "unreached": [
                {
                    "kind": rule.kind,
                    "name": rule.name,
                    "file": rule.span.file,
                    "line": rule.span.line,
                    "column": rule.span.column,
                }
                for rule in self.unreached
            ],
        }


@dataclass(frozen=True, slots=True)
class Wanted:
    """How much to try at each table. The base game and single variants are examined closely, pairs only played.

    With the engine `native`, full-speed matches are also played natively, and must end the same way.
    """

    matches: int = 20
    close: int = 2
    seed: int = 0
    pairs: bool = False
    engine: str = "auto"


def check(path: Path, wanted: Wanted, progress: Progress | None = None) -> Checked:
    """Validate a game with each of its variants, run its scenarios, and play matches for every number of players.

    All chance comes from `wanted.seed`. On Ctrl-C it ends with what was found so far. `progress` gets the current task, how much of it is done, and the total.
    Raises UnknownGame.
    """
    folder = path if path.is_dir() else path.parent
    found = Checked(folder.resolve().name)
    tell = progress or (lambda *_: None)
    tell("rules", 0, 1)
    found.diagnostics = validate(path)
    coverage = Coverage()
    coverage.expect(path)
    try:
        groups = combinations_of(folder, 2 if wanted.pairs else 1)
        for number, variants in enumerate(groups):
            try:
                game = load(path, variants)
            except InvalidGame as invalid:
                found.diagnostics += [d for d in invalid.diagnostics if d not in found.diagnostics]
                if not variants:
                    return found
                continue
            if not variants:
                run_scenarios(folder, found, tell)
            for players in game.players:
                tell(described(variants, players), number, len(groups))
                found.tables += 1
                for violation in play_at(game, players, variants, wanted, coverage, found):
                    found.violations.append(violation)
    except KeyboardInterrupt:
        found.is_stopped = True
        return found
    found.unreached = [rule for rule in coverage.rules if not rule.ran and rule.kind in ("step", "effect")]
    return found


def described(variants: tuple[str, ...], players: int) -> str:
    return f"{players} players" + (f", {' + '.join(variants)}" if variants else "")


def run_scenarios(folder: Path, found: Checked, tell: Progress) -> None:
    """Run all scenarios of a game; a file with errors adds its diagnostics."""
    files = files_below(folder / "scenarios", "**/*.yaml", folder)
    for number, file in enumerate(files):
        tell("scenarios", number, len(files))
        try:
            found.scenarios += rehearse(file)
        except InvalidGame as invalid:
            found.diagnostics += [d for d in invalid.diagnostics if d not in found.diagnostics]


def play_at(
    game: Game, players: int, variants: tuple[str, ...], wanted: Wanted, coverage: Coverage, found: Checked
) -> Iterator[Violation]:
    """Play at one table, at full speed and closely; yields the first violation of each, because others are probably the same."""
    program = marking_program(game, players)
    natively = machine_of(game.program(players, told=False)) if wanted.engine == "native" else None
    for seed in range(wanted.seed, wanted.seed + wanted.matches):
        found.matches += 1
        try:
            outcome = check_marked_match(game, program, seed)
            found.endings[outcome.ending] += 1
            if natively is not None:
                check_native_match(natively, seed, outcome)
        except Exception as error:  # noqa: BLE001  whatever it is, it must be reported with its seed
            yield violation_at(game, players, seed, error)
            break
    coverage.note(program)
    if len(variants) > 1:
        return
    table = Table(game, players)
    for seed in range(wanted.seed, wanted.seed + wanted.close):
        found.matches += 1
        walk: Walk | None = None
        try:
            walk = Walk(table, seed)
            walk.run()
            found.endings[walk.match.ending or "undecided"] += 1
        except Exception as error:  # noqa: BLE001  as above
            record = walk.record if walk is not None else record_of(game, players, seed)
            yield Violation(players, variants, seed, message_of(error), record)
            break
        finally:
            found.comparisons += walk.compared if walk is not None else 0


def violation_at(game: Game, players: int, seed: int, error: Exception) -> Violation:
    """The violation of a match at full speed, with the record that leads there."""
    record, fault = retraced(game, players, seed)
    return Violation(players, game.variants, seed, message_of(fault or error), record)


def message_of(error: Exception) -> str:
    """What went wrong, in a sentence. Any unexpected exception is a mistake of the interpreter."""
    if isinstance(error, Broken | RuleFault):
        return str(error)
    return f"{type(error).__name__}: {error} (this is a mistake in Houserule itself)"
