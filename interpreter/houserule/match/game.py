"""Games: loaded from files, checked for each number of players, compiled when they are first played."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from houserule.compiler.program import Program, compile_game
from houserule.definition.check import CheckedGame, Rules, check_game
from houserule.definition.flow import Entry
from houserule.definition.load import Loaded
from houserule.definition.model import GameDefinition
from houserule.definition.variant import read_variant
from houserule.diagnostics import Diagnostic, InvalidGame, Report, Span
from houserule.language.format import format
from houserule.running.playout import Outcome, playout
from houserule.workshop.examine import OPERATIONS, examine
from houserule.workshop.library import display, find, find_variant, library, variants_of

if TYPE_CHECKING:
    from houserule.match.match import Match


class Game:
    """The rules, compiled. Start a match with `start`."""

    def __init__(
        self,
        loaded: Loaded,
        checked: dict[int, CheckedGame],
        settings: dict[str, int | str],
        diagnostics: list[Diagnostic],
    ) -> None:
        assert loaded.definition is not None
        self.loaded = loaded
        self.definition: GameDefinition = loaded.definition
        self._checked = checked
        self.settings = settings
        self.diagnostics = diagnostics
        self.variants: tuple[str, ...] = ()
        self._programs: dict[tuple[object, ...], Program] = {}

    @property
    def id(self) -> str:
        """The id of the game."""
        return self.definition.name

    @property
    def path(self) -> Path:
        """The folder of its rule files."""
        return self.loaded.path.parent

    @property
    def players(self) -> range:
        """How many can play."""
        low, high = self.definition.players
        return range(low, high + 1)

    @property
    def languages(self) -> list[str]:
        """The languages that its titles and texts are given in, the first being the one to fall back on."""
        return list(self.definition.languages) or ["en"]

    @property
    def defaults(self) -> dict[str, str]:
        """What each option is unless somebody sets it, as the rules write it."""
        return {name: format(option.default) for name, option in self.definition.options.items()}

    @property
    def house_rules(self) -> list[str]:
        """The ids of the variants that lie with the game, in order."""
        return variants_of(self.path)

    def titles_of_house_rules(self, language: str = "en") -> dict[str, str]:
        """The title of each variant that lies with the game, by its id; nothing where its file cannot be read."""
        titles: dict[str, str] = {}
        for name in self.house_rules:
            file = find_variant(self.path, name)
            variant = read_variant(file, Report(), display(file))
            titles[name] = variant.title(language) if variant is not None else ""
        return titles

    @property
    def assumptions(self) -> list[tuple[Span, str]]:
        """What the rulebook does not say: where, and why it is so here."""
        return [(a.span, a.reason) for a in self.definition.assumptions]

    def title(self, language: str = "en") -> str:
        """The title in a language, else in the first one given."""
        return self.definition.title.raw(language) if self.definition.title else self.id

    def text(self, language: str = "en") -> str:
        """What the game is about."""
        return self.definition.text.raw(language) if self.definition.text else ""

    @property
    def rules_hash(self) -> str:
        """A hash of the effective rules: of all files, variants and options."""
        digest = hashlib.sha256()
        for file in self.loaded.files:
            digest.update(file.name.encode())
            digest.update(file.read_bytes())
        digest.update(repr(sorted(self.settings.items())).encode())
        return digest.hexdigest()[:16]

    @property
    def shown_path(self) -> str | None:
        """Where its rules lie, for a record; None for a bundled game."""
        return None if self.path.parent.resolve() == library().resolve() else str(self.path)

    def program(self, players: int, told: bool) -> Program:
        """The compiled rules for a number of players, told or quiet."""
        if players not in self.players:
            low, high = self.definition.players
            raise ValueError(
                f"{self.title()} is for {low} to {high} players, not {players}"
                if low < high
                else f"{self.title()} is for {low} players, not {players}"
            )
        key = (players, told)
        if key not in self._programs:
            self._programs[key] = compile_game(self.fresh(players), told)
        return self._programs[key]

    def checked(self, players: int) -> CheckedGame:
        """The game checked for a number of players, to be looked at: what compiles is `fresh`."""
        if players not in self._checked:
            self._checked[players] = self.fresh(players)
        return self._checked[players]

    def fresh(
        self, players: int, entry: Entry | None = None, seats: tuple[str, ...] = (), report: Report | None = None
    ) -> CheckedGame:
        """The game checked anew for one program: compiling wraps actions, so each program has its own."""
        own = report if report is not None else Report()
        made = check_game(Rules(self.definition, OPERATIONS, self.settings), players, own, entry, seats)
        if made is None or (own.has_errors and report is None):
            raise InvalidGame(own.diagnostics)
        return made

    def start(self, players: int | Sequence[str] | None = None, seed: int | None = None, language: str = "en") -> Match:
        """Start a match.

        `players` is how many or their names in seat order, `seed` decides all chance (one is drawn if it is left out).
        Raises ValueError where the game is not for that many, or two have one name.
        """
        from houserule.match.match import Match

        return Match.start(self, players if players is not None else self.players[0], seed, language)

    def random_match(self, players: int, seed: int | str) -> Outcome:
        """Play one match at random, quietly and fast; everything depends on the seed alone. Raises RuleFault."""
        return playout(self.program(players, told=False), seed)

    def differences(self) -> list[str]:
        """What its variants and settings make different, in words: a sentence each, changed lines of effects below it."""
        from houserule.workshop.differences import differences

        return differences(self)

    def origin(self, path: str) -> list[str]:
        """Which files and lines made what stands at a path such as `tables.prize.red`. Raises LookupError."""
        from houserule.workshop.origin import origin

        return origin(self, path)

    def stage(self, name: str) -> str:
        """What a stage made of the game, as text: `merged`, `tree`, `check` or `segments`."""
        from houserule.workshop.stages import show_stage

        return show_stage(self, name)


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
