"""Compares sides of a game, and sweeps over settings: the same seeds and seats for all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houserule.core import Game, load
from houserule.printable import capital, printable
from houserule.study.figures import Interval, adjusted, numpy, of_mean, of_two_means
from houserule.study.measures import (
    ENDED,
    Difference,
    Point,
    Setting,
    amount,
    caveat,
    measures_of,
    never,
    of_comparison,
    of_sweep,
    signed,
)
from houserule.study.plan import Means, Plan, described
from houserule.study.rows import Columns
from houserule.study.run import Unfinished, run
from houserule.study.simulate import Study, as_frame, as_html, planned, seats_of
from houserule.study.tension import Measure, interval_of

if TYPE_CHECKING:
    from pandas import DataFrame

FIRST_MATCHES = 200
FEWEST_MATCHES = 2
"""The fewest matches of each side that are compared."""
PRECISION = 0.05


@dataclass(frozen=True, eq=False)
class Comparison:
    """The comparison of two sides, called `names`."""

    names: tuple[str, str]
    first: Study
    second: Study
    precision: float

    def __repr__(self) -> str:
        return f"<Comparison of {self.names[0]} with {self.names[1]}: {len(self.first):,} matches each>"

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def differences(self) -> list[Difference]:
        """All measures of both sides. Matches with the same number have the same seed and seats, so they are pairs."""
        return differences_of(measures_of(self.first), measures_of(self.second))

    @property
    def wins(self) -> list[Difference]:
        """The differences in wins, by seat and bot."""
        return [one for one in self.differences if one.key.startswith("wins.")]

    @property
    def is_precise(self) -> bool:
        """Whether the intervals of the differences in wins are as narrow as requested."""
        return all(one.interval.width <= self.precision for one in self.wins)

    @property
    def verdict(self) -> list[str]:
        """What the comparison shows, in three sentences, and what one side never offers."""
        said = of_comparison(self.names, self.differences, len(self), self.is_precise)
        for name, one, other in ((self.names[0], self.first, self.second), (self.names[1], self.second, self.first)):
            if absent := never(one, other):
                said.append(f"{capital(name)}: {absent[0].lower()}{absent[1:]}")
        return [*said, *filter(None, [caveat(self.first)])]

    def to_json(self) -> dict[str, Any]:
        """The figures by key."""
        return {
            "game": self.first.plan.game,
            "sides": [
                side_to_json(name, study) for name, study in zip(self.names, (self.first, self.second), strict=True)
            ],
            "bots": list(self.first.plan.seats),
            "matches": len(self),
            "precision": self.precision,
            "is_precise": self.is_precise,
            "is_different": any(one.is_told for one in self.differences),
            "verdict": self.verdict,
            "differences": [one.to_json() for one in self.differences],
        }

    def flat(self) -> list[dict[str, Any]]:
        """A row for each measure, as plain values."""
        ends = [(one, one.interval) for one in self.differences]
        return [one.to_json() | {"difference": at.estimate, "low": at.low, "high": at.high} for one, at in ends]

    def to_pandas(self) -> DataFrame:
        """A row for each measure. Raises MissingExtra."""
        return as_frame(self.flat())

    def _repr_html_(self) -> str:
        """The verdict and the differences, for notebooks."""
        rows = [(one.title, *one.sides, signed(one.interval, one.unit)) for one in self.differences]
        return as_html(" ".join(self.verdict), ("measure", *self.names, "difference (95 %)"), rows)


def side_to_json(name: str, study: Study) -> dict[str, Any]:
    plan = study.plan
    return {"name": name, "rules_hash": plan.rules, "variants": list(plan.variants), "options": dict(plan.settings)}


def differences_of(ours: Sequence[Measure], theirs: Sequence[Measure]) -> list[Difference]:
    """Each measure of both sides; an ending and a line of the score sheet that one side does not have are 0 there.

    If some matches do not have a measure, those that have it are compared as separate samples, not as pairs.
    """
    np = numpy()
    first, second = {one.key: one for one in ours}, {one.key: one for one in theirs}
    found: list[tuple[Measure, Any, Any, Interval]] = []
    for key in dict.fromkeys([*first, *second]):
        one = first.get(key) or second[key]
        if not (key in first and key in second) and key not in ENDED and not key.startswith("line."):
            continue
        nothing = np.zeros(len(one.values))
        a, b = (side[key].values if key in side else nothing for side in (first, second))
        has_a, has_b = np.isfinite(a), np.isfinite(b)
        if has_a.all() and has_b.all():
            interval = of_mean(a - b, bounded=one.unit == "share")
        else:
            interval = of_two_means(a[has_a], b[has_b])
        found.append((one, a[has_a], b[has_b], interval))
    probabilities = adjusted([interval.p for *_, interval in found])
    return [
        Difference(one.key, one.title, one.unit, float(a.mean()), float(b.mean()), interval, p)
        for (one, a, b, interval), p in zip(found, probabilities, strict=True)
    ]


def compare(
    game: Game | str | Path,
    against: Game | None = None,
    *,
    variants: str | Path | Sequence[str | Path] = (),
    options: Mapping[str, int | str] | None = None,
    against_variants: str | Path | Sequence[str | Path] = (),
    against_options: Mapping[str, int | str] | None = None,
    players: int | None = None,
    seats: str | Sequence[str] = "random",
    matches: int = 20_000,
    precision: float = PRECISION,
    seed: int = 0,
    workers: int = 1,
    cluster: str | None = None,
    engine: str = "auto",
    progress: Callable[[int], None] | None = None,
) -> Comparison:
    """Compare two rules of a game: one side has `variants` and `options`, the other `against_variants` and `against_options`.

    Either side may be the game itself, and both may be loaded games. They play the same seeds with the same bots, and bots
    move on by one seat from match to match. The comparison ends when the 95 % intervals of all differences in wins are at
    most `precision` wide (0.05: five victories in 100), or after `matches` matches of each side. `progress` is called with the number
    of matches played since its last call.

    Raises what `simulate` raises. Stopped and WorkerLost have the matches that both sides have played.
    """
    one = game if isinstance(game, Game) else load(game, variants, options)
    other = against or load(one.file, against_variants, against_options)
    words = seats_of(one, players, seats)
    plans = [planned(side, words, matches, seed, engine, rotates=True, offers=True) for side in (one, other)]
    return compared((one, other), plans, precision, Means(workers, cluster, progress))


def compared(
    games: tuple[Game, Game],
    plans: Sequence[Plan],
    precision: float,
    means: Means,
    kept: Callable[[Comparison], None] = lambda _: None,
) -> Comparison:
    """Play both plans in stages that grow, until the differences in wins are precise enough.

    If that ends early, `kept` is given the comparison of what both sides have played, if that is enough for one.
    """
    names = names_of(games)
    played = [Columns(plan.players) for plan in plans]
    most = plans[0].matches
    number = min(FIRST_MATCHES, most)

    def comparison() -> Comparison:
        first, second = (
            Study(game, plan.with_matches(number), columns)
            for game, plan, columns in zip(games, plans, played, strict=True)
        )
        return Comparison(names, first, second, precision)

    while True:
        for side, plan in enumerate(plans):
            stage = plan.with_matches(number)
            try:
                played[side] = run(games[side], stage, means, None, played[side])
            except Unfinished as ended:
                played[side] = ended.columns
                number = min(map(len, played))
                played = [columns.first(number) for columns in played]
                ended.columns = played[0]
                if number >= FEWEST_MATCHES:
                    kept(comparison())
                raise
        found = comparison()
        if number >= most or found.is_precise:
            return found
        widest = max(one.interval.width for one in found.wins)
        needed = number * (widest / precision) ** 2 * 1.05 if precision > 0 else most
        number = min(most, max(ceil(min(needed, most)), number + FIRST_MATCHES))


def names_of(games: tuple[Game, Game]) -> tuple[str, str]:
    """The names of the sides: their house rules and the settings in which they differ, or the game itself."""
    found = []
    for game, other in (games, games[::-1]):
        loaded = game.house_rules_in_use
        own = {name: str(value) for variant in loaded for name, value in variant.options.items()}
        told = {
            name: value
            for name, value in game.settings.items()
            if other.settings.get(name) != value and own.get(name) != str(value)
        }
        variants = [variant.called("en") for variant in loaded]
        parts = [printable(part) for part in (*variants, *([described(told)] if told else []))]
        found.append(" and ".join(parts) if parts else printable(game.title()))
    if found[0] == found[1] and games[0].rules_hash != games[1].rules_hash:
        found = [f"{name} ({game.rules_hash[:6]})" for name, game in zip(found, games, strict=True)]
    return found[0], found[1]


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
            Point(setting, key, one.title, one.unit, interval_of(measures.get(key) or replace(one, values=nothing)))
            for setting, measures in zip(self.settings, measured, strict=True)
            for key, one in known.items()
            if key in measures or numpy().isfinite(one.values).all()
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
        """What the sweep shows, in three sentences, and what random play cannot say."""
        return [*of_sweep({key: self.curve(key) for key in self.keys}), *filter(None, [caveat(self.studies[0])])]

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

    def flat(self) -> list[dict[str, Any]]:
        """A row for each setting and measure, as plain values."""
        return [{**point.setting, **point.to_json()} for point in self.points]

    def to_pandas(self) -> DataFrame:
        """A row for each setting and measure. Raises MissingExtra."""
        return as_frame(self.flat())

    def _repr_html_(self) -> str:
        """The verdict and the curves as a table, for notebooks."""
        curves = [self.curve(key) for key in self.keys]
        rows = [(curve[0].title, *(amount(at.interval.estimate, at.unit) for at in curve)) for curve in curves]
        return as_html(" ".join(self.verdict), ("measure", *map(described, self.settings)), rows)


def sweep(
    game: str | Path,
    swept: Mapping[str, Sequence[int | str]],
    *,
    variants: str | Path | Sequence[str | Path] = (),
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
        plan = planned(loaded, seats, matches, seed, rotates=True)
        studies.append(Study(loaded, plan, run(loaded, plan, means)))
    return Sweep({name: list(values) for name, values in swept.items()}, grid(swept), studies)
