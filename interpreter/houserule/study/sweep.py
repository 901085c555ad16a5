"""Plays a game under several settings: one or two options and their values in, a study for each setting out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houserule.core import Game, load
from houserule.study.figures import numpy, of_mean, of_part
from houserule.study.measures import Point, Setting, amount, measures_of, of_sweep
from houserule.study.plan import Means, described
from houserule.study.run import run
from houserule.study.simulate import Study, as_frame, as_html, planned, seats_of

if TYPE_CHECKING:
    from pandas import DataFrame

MOST_OPTIONS = 2


@dataclass(frozen=True, eq=False)
class Sweep:
    """Studies of a game under several settings, all with the same seeds and seats."""

    swept: dict[str, list[int | str]]
    settings: list[Setting]
    studies: list[Study]

    def __repr__(self) -> str:
        return f"<Sweep of {self.studies[0].plan.game}: {len(self.studies)} settings, {len(self.studies[0]):,} matches each>"

    def __len__(self) -> int:
        return len(self.settings)

    @cached_property
    def points(self) -> list[Point]:
        """Each measure under each setting, with its 95 % interval."""
        measured = [{one.key: one for one in measures_of(study)} for study in self.studies]
        known = {key: one for measures in measured for key, one in measures.items()}
        nothing = numpy().zeros(len(self.studies[0]))
        return [
            Point(
                setting,
                key,
                one.title,
                one.unit,
                (of_part if one.unit == "share" else of_mean)(measures[key].values if key in measures else nothing),
            )
            for setting, measures in zip(self.settings, measured, strict=True)
            for key, one in known.items()
        ]

    def curve(self, key: str) -> list[Point]:
        """One measure under each setting that has it."""
        return [point for point in self.points if point.key == key]

    @property
    def keys(self) -> list[str]:
        """The keys of the measures."""
        return list(dict.fromkeys(point.key for point in self.points))

    @property
    def verdict(self) -> list[str]:
        """What the sweep shows, in three sentences."""
        return of_sweep({key: self.curve(key) for key in self.keys})

    def to_json(self) -> dict[str, Any]:
        """The figures by key."""
        plan = self.studies[0].plan
        return {
            "game": plan.game,
            "bots": list(plan.seats),
            "matches": len(self.studies[0]),
            "swept": self.swept,
            "verdict": self.verdict,
            "points": [{"setting": point.setting, **point.to_json()} for point in self.points],
        }

    def to_pandas(self) -> DataFrame:
        """A row for each setting and measure. Raises MissingExtra."""
        return as_frame([{**point.setting, **point.to_json()} for point in self.points])

    def _repr_html_(self) -> str:
        """The verdict and the curves as a table, for notebooks."""
        curves = [self.curve(key) for key in self.keys]
        rows = [(curve[0].title, *(amount(at.interval.estimate, at.unit) for at in curve)) for curve in curves]
        return as_html(" ".join(self.verdict), ("measure", *map(described, self.settings)), rows)


def sweep(
    game: str | Path,
    swept: Mapping[str, Sequence[int | str]],
    *,
    variants: Sequence[str] = (),
    options: Mapping[str, int | str] | None = None,
    players: int | None = None,
    seats: str | Sequence[str] = "random",
    matches: int = 1000,
    seed: int = 0,
    workers: int = 1,
    cluster: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Sweep:
    """Play a game under each value of one option, or each pair of values of two.

    Every setting plays `matches` matches, with the same seeds and bots. Raises what `simulate` raises, and ValueError for
    more than two options.
    """
    games = [load(game, variants, {**(options or {}), **setting}) for setting in grid(swept)]
    words = seats_of(games[0], players, seats)
    return swept_over(swept, games, words, matches, seed, Means(workers, cluster, progress))


def grid(swept: Mapping[str, Sequence[int | str]]) -> list[Setting]:
    """Every setting of a sweep. Raises ValueError for more than two options."""
    if not 1 <= len(swept) <= MOST_OPTIONS:
        raise ValueError(f"a sweep varies one or two options, not {len(swept)}")
    values = [list(dict.fromkeys(values)) for values in swept.values()]
    return [dict(zip(swept, chosen, strict=True)) for chosen in product(*values)]


def swept_over(
    swept: Mapping[str, Sequence[int | str]],
    games: Sequence[Game],
    seats: Sequence[str],
    matches: int,
    seed: int,
    means: Means,
) -> Sweep:
    studies = []
    for loaded in games:
        plan = planned(loaded, seats, matches, seed, rotates=True, leads=True)
        studies.append(Study(loaded, plan, run(loaded, plan, means)))
    return Sweep({name: list(values) for name, values in swept.items()}, grid(swept), studies)
