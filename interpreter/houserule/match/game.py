"""Games: loaded from files; they start matches, and say what their rules are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from houserule.diagnostics import InvalidGame, Report
from houserule.match.match import Match
from houserule.match.rules import CompiledRules
from houserule.running.playout import Outcome, playout
from houserule.workshop import stages
from houserule.workshop.differences import differences
from houserule.workshop.examine import examine
from houserule.workshop.library import find
from houserule.workshop.merged import merged
from houserule.workshop.origin import origin

STAGES = ("merged", "tree", "check", "segments")


class Game(CompiledRules):
    """The rules, compiled. Start a match with `start`."""

    def start(self, players: int | Sequence[str] | None = None, seed: int | None = None, language: str = "en") -> Match:
        """Start a match.

        `players` is how many or their names in seat order, `seed` decides all chance (one is drawn if it is left out).
        Raises ValueError where the game is not for that many, or two have one name.
        """
        return Match.start(self, players if players is not None else self.players[0], seed, language)

    def random_match(self, players: int, seed: int | str) -> Outcome:
        """Play one match at random, quietly and fast; everything depends on the seed alone. Raises RuleFault."""
        return playout(self.program(players, told=False), seed)

    def differences(self) -> list[str]:
        """What its variants and settings make different, in words: a sentence each, changed lines of effects below it."""
        return differences(self.loaded, self.settings)

    def origin(self, path: str) -> list[str]:
        """Which files and lines made what stands at a path such as `tables.prize.red`. Raises LookupError."""
        return origin(self.loaded, self.settings, path)

    def stage(self, name: str) -> str:
        """What a stage made of the game, as text.

        `merged` is the rules as one file, `tree` the parsed effects, `check` names and types, `segments` the program; the
        last two are for the greatest number of players. Raises ValueError for another name.
        """
        most = self.players[-1]
        match name:
            case "merged":
                return merged(self.loaded, self.settings)
            case "tree":
                lines = stages.tree(self.definition)
            case "check":
                lines = stages.checked(self.checked(most))
            case "segments":
                lines = stages.segments(self.program(most, told=False))
            case _:
                raise ValueError(f"there is no stage '{name}'; there are {', '.join(STAGES)}")
        return "\n".join(lines) + "\n"


def load(game: str | Path, variants: Sequence[str] = (), options: Mapping[str, int | str] | None = None) -> Game:
    """Load a game: a bundled id, or the path of a folder or of a `game.yaml`.

    `variants` are ids of house rules that lie with the game, or paths, in the order in which they are applied;
    `options` settings by name. Raises UnknownGame where there is none, and InvalidGame with all diagnostics where its
    rules cannot be played.
    """
    path = find(game)
    report = Report()
    loaded, checked, settings = examine(path, report, options, variants)
    if report.has_errors or loaded.definition is None:
        raise InvalidGame(report.diagnostics)
    made = Game(loaded, checked, settings, report.diagnostics)
    made.variants = tuple(variants)
    return made
