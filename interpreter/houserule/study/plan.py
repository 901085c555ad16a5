"""The plan of a study: its rules, seats and seeds, and what is noted of each match."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from houserule.bots.playing import see_word
from houserule.core import Game, InvalidGame, UnknownGame, allow_work, load
from houserule.running.playout import Seeds

QUICK_BATCH, TOLD_BATCH, THINKING_BATCH = 50, 10, 1
"""Matches per batch: random ones at full speed, those of bots that do not think, all others."""
BATCHES, MOST_IN_BATCH = 400, 1000
"""A long random study has so many batches, but none has more matches than that."""
UNTHINKING = frozenset({"random", "first"})


class OtherRules(Exception):
    """The files of a game no longer contain the rules of a study, or cannot be read."""


@dataclass(frozen=True, slots=True)
class Means:
    """How the matches of a study are played: by how many workers, or on which cluster.

    `progress` is called with the number of matches played since its last call.
    """

    workers: int = 1
    cluster: str | None = None
    progress: Callable[[int], None] | None = None


ALONE = Means()


@dataclass(frozen=True, slots=True)
class Plan:
    """The matches of a study, numbered from 0.

    `path` is the file of the game, `rules` the hash of the effective rules; `seats` are the words of the bots (`mcts:400`).
    With `rotates`, everybody moves on by one seat from match to match. `offers` says whether options are counted.
    `weighs` is the chance of each decision to be weighed (`study.course`), if not all bots are random.
    `engine` plays random matches; it affects only the speed.
    """

    game: str
    path: str
    variants: tuple[str, ...]
    settings: tuple[tuple[str, int | str], ...]
    rules: str
    seats: tuple[str, ...]
    matches: int
    seed: int = 0
    rotates: bool = False
    offers: bool = False
    weighs: float = 0.0
    work: float = 1
    engine: str = "auto"

    @classmethod
    def of(
        cls,
        game: Game,
        seats: Sequence[str],
        matches: int,
        seed: int = 0,
        engine: str = "auto",
        rotates: bool = False,
        offers: bool = False,
        weighs: float = 0.0,
    ) -> Plan:
        """The plan of a study of a loaded game. Raises ValueError for a wrong number of matches or seats, or an unknown bot."""
        if matches < 1:
            raise ValueError("a simulation needs at least one match")
        game.see_players(len(seats))
        for word in dict.fromkeys(seats):
            see_word(word, people=False)
        settings = tuple(sorted(game.settings.items()))
        rules = game.id, str(game.file), game.variants, settings, game.rules_hash
        work = allow_work()
        return cls(*rules, tuple(seats), matches, seed, rotates, offers, weighs, work, engine)

    @property
    def players(self) -> int:
        return len(self.seats)

    @property
    def is_random(self) -> bool:
        """Whether all bots play at random, so that matches are played at full speed."""
        return set(self.seats) == {"random"}

    @property
    def rotations(self) -> int:
        return self.players if self.rotates and len(set(self.seats)) > 1 else 1

    def bots(self, rotation: int) -> tuple[str, ...]:
        """The bot of each seat: in rotation 1 the bot of the last seat has the first."""
        return tuple(self.seats[(seat - rotation) % self.players] for seat in range(self.players))

    def rotation_of(self, match: int) -> int:
        return match % self.rotations

    def seeds(self, start: int, end: int) -> Sequence[int]:
        """The seeds of some matches: far from those of their neighbours, the same on every machine."""
        return Seeds(self.seed, start, end)

    def seed_of(self, match: int) -> int:
        return self.seeds(match, match + 1)[0]

    @property
    def batch(self) -> int:
        if self.is_random:
            return min(MOST_IN_BATCH, max(QUICK_BATCH, self.matches // BATCHES))
        return TOLD_BATCH if set(self.seats) <= UNTHINKING else THINKING_BATCH

    def batches(self, after: int = 0) -> Iterator[tuple[int, int]]:
        for start in range(after, self.matches, self.batch):
            yield start, min(start + self.batch, self.matches)

    def loaded(self) -> Game:
        """The game of the plan, loaded from its files. Raises OtherRules if they have changed."""
        allow_work(self.work)
        try:
            game = load(self.path, self.variants, dict(self.settings))
        except (InvalidGame, UnknownGame) as unusable:
            raise OtherRules(f"the files of '{self.game}' are no longer there or have changed") from unusable
        if game.rules_hash != self.rules:
            raise OtherRules(f"the files of '{self.game}' have changed")
        return game

    def with_matches(self, matches: int) -> Plan:
        return replace(self, matches=matches)

    def to_json(self) -> dict[str, Any]:
        """What determines the rows, for the manifest of a folder; the number of matches does not."""
        return {
            "game": self.game,
            "rules_hash": self.rules,
            "variants": list(self.variants),
            "options": dict(self.settings),
            "seats": list(self.seats),
            "rotate": self.rotates,
            "seed": self.seed,
            **({"weighs": self.weighs} if self.weighs else {}),
        }


def described(settings: Mapping[str, int | str]) -> str:
    return ", ".join(f"{name}={value}" for name, value in settings.items())
