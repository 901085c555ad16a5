"""`houserule.simulate`: many matches of a game in one call, their summary and their tables."""

from __future__ import annotations

import statistics
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import cache, cached_property, partial
from html import escape
from importlib.util import find_spec
from itertools import accumulate
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houserule.bots.playing import players_for, seated
from houserule.core import ENDINGS, Game, RuleFault, load
from houserule.extras import library
from houserule.native.engines import ENGINES, NEEDED, TRIED, NotNative, is_installed
from houserule.printable import printable
from houserule.running.playout import part_of_win
from houserule.study.figures import Interval, numpy, of_mean, of_part, of_share
from houserule.study.matches import Playing
from houserule.study.plan import ALONE, Means, Plan
from houserule.study.rows import Columns, Rows, fixed_teams, is_low
from houserule.study.run import run, said_of
from houserule.study.tension import Measure, interval_of, of_choices, of_closeness, of_course, of_weighed

if TYPE_CHECKING:
    from pandas import DataFrame

SPREAD_HEADS = ("mean", "deviation", "lowest", "median", "highest")


@dataclass(frozen=True, slots=True)
class Spread:
    """The distribution of numbers, exact for integers in any order. `interval` is that of the mean."""

    mean: float
    deviation: float
    lowest: int
    median: float
    highest: int
    interval: Interval | None = None

    @classmethod
    def of(cls, values: Sequence[int], with_interval: bool = False) -> Spread:
        """The distribution of numbers."""
        counted = times_of(values, with_interval)
        numbers, ends = list(counted), list(accumulate(counted.values()))
        count, total = ends[-1], sum(number * times for number, times in counted.items())
        squares = sum(number * number * times for number, times in counted.items())
        middle = [numbers[bisect_right(ends, place)] for place in sorted({(count - 1) // 2, count // 2})]
        return cls(
            total / count,
            sqrt((count * squares - total * total) / (count * count)),
            numbers[0],
            statistics.median(middle),
            numbers[-1],
            of_mean(numpy().array(values, dtype=float)) if with_interval else None,
        )

    def shown(self, digits: int) -> tuple[str, str, str, str, str]:
        """The figures under `SPREAD_HEADS`, as text."""
        mean, deviation = f"{self.mean:.{digits}f}", f"{self.deviation:.{digits}f}"
        return mean, deviation, str(self.lowest), f"{self.median:g}", str(self.highest)

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"interval": self.interval.to_json() if self.interval is not None else None}


def times_of(values: Sequence[int], quickly: bool = False) -> dict[int, int]:
    """How often each number occurs, in order of the numbers; `quickly` with NumPy, in a tenth of the time."""
    if quickly and len(values):
        words = numpy().asarray(values)
        low = int(words.min())
        if int(words.max()) - low < len(words):  # counting takes a fifth of the time of sorting
            times = numpy().bincount(words - low)
            numbers = times.nonzero()[0]
            return dict(zip((numbers + low).tolist(), times[numbers].tolist(), strict=True))
        numbers, times = numpy().unique(words, return_counts=True)
        return dict(zip(numbers.tolist(), times.tolist(), strict=True))
    return dict(sorted(Counter(values).items()))


def mean_of(values: Sequence[int], quickly: bool = False) -> float:
    """The mean of integers, from their exact sum."""
    if quickly:
        words = numpy().asarray(values)
        if max(abs(int(words.min())), abs(int(words.max()))) * len(words) < 1 << 63:
            return int(words.sum()) / len(words)
    return sum(values) / len(values)


@dataclass(frozen=True, slots=True)
class Wins:
    """Wins: alone, shared, and both as a share of the matches, where a shared victory counts in parts.

    All members of a winning team have a whole victory each.

    `interval` is that of the wins alone, as a share of the matches; `share_interval` that of the share.
    """

    matches: int
    alone: int
    shared: int
    share: float
    interval: Interval | None = None
    share_interval: Interval | None = None

    def to_json(self) -> dict[str, Any]:
        """The figures by key."""
        return {
            "matches": self.matches,
            "wins": self.alone,
            "shared": self.shared,
            "share": self.share,
            "interval": self.interval.to_json() if self.interval is not None else None,
            "share_interval": self.share_interval.to_json() if self.share_interval is not None else None,
        }


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """One seat over all matches; `lines` has the mean of each line of the score sheet."""

    seat: int
    wins: Wins
    score: Spread
    lines: dict[str, float]


@dataclass(frozen=True, slots=True)
class TeamSummary:
    """The wins of a team, whose players sit at `seats`."""

    seats: tuple[int, ...]
    wins: Wins


@dataclass(frozen=True, slots=True)
class Summary:
    """The statistics of a study. `length` is in decisions; `endings` counts matches by how they ended. `teams` are those that are fixed."""

    game: str
    seats_taken: tuple[str, ...]
    seed: int
    matches: int
    endings: dict[str, int]
    length: Spread
    rounds: Spread
    seats: tuple[SeatSummary, ...]
    bots: dict[str, Wins]
    titles: dict[str, str]
    teams: tuple[TeamSummary, ...] = ()

    @property
    def players(self) -> int:
        return len(self.seats_taken)

    def to_json(self) -> dict[str, Any]:
        """The figures by key; equal for the same game, seats, number of matches and seed."""
        return {
            "game": self.game,
            "players": self.players,
            "bots": list(self.seats_taken),
            "seed": self.seed,
            "matches": self.matches,
            "won": self.endings["win"],
            "shared": self.endings["shared"],
            "victories": self.endings["victory"],
            "draws": self.endings["draw"],
            "defeats": self.endings["defeat"],
            "undecided": self.endings["undecided"],
            "length": self.length.to_json(),
            "rounds": self.rounds.to_json(),
            "seats": [
                {"seat": seat.seat, **seat.wins.to_json(), "score": seat.score.to_json(), "lines": seat.lines}
                for seat in self.seats
            ],
            "by_bot": {bot: wins.to_json() for bot, wins in self.bots.items()},
            **(
                {"teams": [{"seats": list(one.seats), **one.wins.to_json()} for one in self.teams]}
                if self.teams
                else {}
            ),
        }


def summary_of(game: Game, plan: Plan, columns: Columns) -> Summary:
    """The figures of a study of at least one match. Without SciPy they have no intervals."""
    sure = has_scipy()
    lines = game.line_titles(plan.players)
    teams = fixed_teams(game, plan.players)
    results = cache(partial(results_of, columns, sure))
    seats = []
    for seat in range(plan.players):
        seats.append(
            SeatSummary(
                seat + 1,
                wins_of([(results(0, 1), seat)], sure, teams),
                Spread.of(columns.score(seat), sure),
                {key: mean_of(columns.line(line, seat), sure) for line, key in enumerate(lines)},
            )
        )
    return Summary(
        plan.game,
        plan.seats,
        plan.seed,
        len(columns),
        {
            ending: sum(times for (number, *_), times in results(0, 1).items() if ENDINGS[number] == ending)
            for ending in ENDINGS
        },
        Spread.of(columns.decisions, sure),
        Spread.of(columns.rounds, sure),
        tuple(seats),
        by_bot(plan, results, sure, teams),
        lines,
        tuple(
            TeamSummary(tuple(seat.seat for seat, of in zip(seats, teams, strict=True) if of == team), seats[team].wins)
            for team in dict.fromkeys(teams or ())
            if teams is not None
        ),
    )


def has_scipy() -> bool:
    return all(find_spec(module) is not None for module in ("numpy", "scipy"))


ENDING_BITS = len(ENDINGS).bit_length()
Result = tuple[int, ...]
"""How a match has ended, as the number of its ending, with whether each seat has won: `(ending, 1, 0)`."""
Results = Counter[Result]


def results_of(columns: Columns, sure: bool, first: int, step: int) -> Results:
    """How often every n-th match from some match on has had each result."""
    words = packed(columns.endings[first::step], columns.winners[first::step], sure)
    return Counter({result_of(word, columns.players): times for word, times in times_of(words, sure).items()})


def packed(endings: array[int], winners: array[int], quickly: bool = True) -> Any:
    """The result of each match in one word; `quickly` with NumPy."""
    if quickly:
        return numpy().left_shift(winners, ENDING_BITS) | endings
    return [won << ENDING_BITS | ended for ended, won in zip(endings, winners, strict=True)]


def result_of(word: int, players: int) -> Result:
    return word % (1 << ENDING_BITS), *(word >> ENDING_BITS + seat & 1 for seat in range(players))


def by_bot(
    plan: Plan, results: Callable[[int, int], Results], sure: bool, teams: Sequence[int] | None
) -> dict[str, Wins]:
    """The wins of each bot over all its seats; empty if all bots are the same."""
    places: dict[str, list[tuple[Results, int]]] = {}
    for rotation in range(plan.rotations):
        for seat, bot in enumerate(plan.bots(rotation)):
            places.setdefault(bot, []).append((results(rotation, plan.rotations), seat))
    return {bot: wins_of(where, sure, teams) for bot, where in places.items()} if len(places) > 1 else {}


def wins_of(places: Sequence[tuple[Results, int]], sure: bool, teams: Sequence[int] | None) -> Wins:
    """The wins at some seats, each in some matches."""
    parts: Counter[float] = Counter()
    alone = shared = 0
    for results, seat in places:
        for (number, *has_won), times in results.items():
            ending, winners = ENDINGS[number], [at for at, has in enumerate(has_won) if has]
            parts[part_of_win(winners, ending, teams) if seat in winners else 0.0] += times
            if seat in winners:
                alone += times * (ending == "win" or len(winners) == 1)
                shared += times * (ending != "win" and len(winners) > 1)
    trials = parts.total()
    return Wins(
        trials,
        alone,
        shared,
        float(sum(Fraction(part) * times for part, times in parts.items())) / max(trials, 1),
        of_share(alone, trials) if sure else None,
        of_part(numpy().repeat(list(parts), list(parts.values()))) if sure else None,
    )


def as_frame(rows: Sequence[Mapping[str, Any]]) -> DataFrame:
    """A data frame of pandas. Raises MissingExtra."""
    frame: DataFrame = library("pandas", "study").DataFrame(rows)
    return frame


def as_html(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table for notebooks."""
    lines = [("th", heads), *(("td", row) for row in rows)]
    written = ("".join(f"<{tag}>{escape(printable(cell))}</{tag}>" for cell in cells) for tag, cells in lines)
    return f"<table><caption>{escape(printable(caption))}</caption>{''.join(f'<tr>{line}</tr>' for line in written)}</table>"


@dataclass(frozen=True, eq=False)
class Study:
    """The matches of a study. `summary` has the figures; tables are data frames of pandas."""

    game: Game
    plan: Plan
    columns: Columns

    def __repr__(self) -> str:
        return f"<Study of {self.plan.game}: {len(self.columns):,} matches>"

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def title(self) -> str:
        """The title of the game, with those of the house rules in use."""
        rules = [rule.called("en") for rule in self.game.house_rules_in_use]
        return self.game.title("en") + (f" with {' and '.join(rules)}" if rules else "")

    @cached_property
    def summary(self) -> Summary:
        """Wins by seat and bot, scores, and lengths, with 95 % intervals."""
        return summary_of(self.game, self.plan, self.columns)

    @cached_property
    def measures(self) -> dict[str, Interval]:
        """Each measure of tension and of choices by its key, with its 95 % interval. Raises MissingExtra."""
        return {one.key: interval_of(one) for one in self.measured}

    @cached_property
    def measured(self) -> list[Measure]:
        """The measures of tension, of choices and of decisions that were weighed, match by match. Raises MissingExtra."""
        sides = len(set(self.teams)) if self.teams is not None else self.plan.players
        return [
            *of_course(self.columns, sides),
            *(of_closeness(self.columns, is_low(self.game), self.teams) if self.summary.titles else ()),
            *of_choices(self.columns),
            *of_weighed(self.columns),
        ]

    @cached_property
    def teams(self) -> tuple[int, ...] | None:
        """By seat the first seat of its team, from 0; None without teams, or if they form during a match."""
        return fixed_teams(self.game, self.plan.players)

    @cached_property
    def rows(self) -> Rows:
        """The writer of its tables. Raises MissingExtra."""
        return Rows(self.game, self.plan)

    def options(self) -> Iterator[dict[str, Any]]:
        """How often each item was offered and taken, by seat and bot; empty where that was not counted."""
        return self.rows.options(self.columns) if self.plan.offers else iter(())

    def to_json(self) -> dict[str, Any]:
        """The summary and, with SciPy, the measures of tension and of choices as plain data."""
        measures = {key: interval.to_json() for key, interval in self.measures.items()} if has_scipy() else {}
        return self.summary.to_json() | ({"measures": measures} if measures else {})

    def to_pandas(self) -> DataFrame:
        """A row for each match. Raises MissingExtra."""
        library("pandas", "study")
        frame: DataFrame = self.rows.matches(self.columns).to_pandas()
        return frame

    def options_to_pandas(self) -> DataFrame:
        """A row for each item, seat and bot: how often it was offered and taken. Raises MissingExtra."""
        library("pandas", "study")
        frame: DataFrame = self.rows.tables(self.columns)[1].to_pandas()
        return frame

    def _repr_html_(self) -> str:
        """The figures as tables, for notebooks."""
        summary = self.summary
        caption = f"{self.game.title('en')}: {summary.matches:,} matches of {', '.join(self.plan.seats)}"
        shares = [
            (seat, [won / summary.matches for won in (seat.wins.alone, seat.wins.shared)]) for seat in summary.seats
        ]
        rows = [(str(seat.seat), *(f"{won:.1%}" for won in both), f"{seat.score.mean:.2f}") for seat, both in shares]
        return as_html(caption, ("seat", "wins", "shared wins", "mean score"), rows)


def simulate(
    game: Game | str | Path,
    matches: int = 1000,
    players: int | None = None,
    seats: str | Sequence[str] = "random",
    seed: int = 0,
    *,
    rotate: bool = False,
    variants: str | Path | Sequence[str | Path] = (),
    options: Mapping[str, int | str] | None = None,
    workers: int = 1,
    cluster: str | None = None,
    out: str | Path | None = None,
    csv: bool = False,
    offers: bool = False,
    engine: str = "auto",
    progress: Callable[[int], None] | None = None,
) -> Study:
    """Play many matches of a game, and summarise them.

    `game` is loaded, or an id or path that is loaded with `variants` and `options`. `seats` names the bots, the last one
    for all remaining seats (`"mcts:400,random"`); with `rotate`, everybody moves on by one seat from match to match. The
    same arguments give the same matches, wherever they are played: by `workers` processes (threads
    if play is native), or on the Dask cluster at an address. `out` is a folder for the tables, in which a stopped study resumes; with `csv` they are written as
    CSV as well. `offers` counts options offered and taken, as a folder does anyway. `engine` plays random matches: `python`, `native` (which needs the extra of that name), or `auto`, which uses
    native where it pays; the matches are the same. `progress` is called with the number of matches played since its last call.

    Raises UnknownGame and InvalidGame as `load` does, ValueError for arguments that cannot be played (UnknownSeat for an unknown
    bot, WrongFolder for the folder of another study, or one that cannot be used), MissingExtra, NotNative, RuleFault if a rule
    fails, and WorkerLost, Stopped or Unwritten, which have the matches played so far.

    >>> study = houserule.simulate(game, matches=50, seed=1)
    >>> study.summary.matches, len(study)
    (50, 50)
    """
    loaded = game if isinstance(game, Game) else load(game, variants, options)
    words, offers = seats_of(loaded, players, seats), offers or out is not None
    plan = planned(loaded, words, matches, seed, engine, rotates=rotate, offers=offers)
    return study(loaded, plan, Means(workers, cluster, progress), out, csv)


def planned(
    game: Game,
    seats: Sequence[str],
    matches: int,
    seed: int = 0,
    engine: str = "auto",
    say: Callable[[str], None] | None = None,
    **noted: Any,
) -> Plan:
    """The plan of a study, with `auto` replaced by `python` or `native`.

    A few matches are played and timed in Python. Only random play can be native. `say` is called with the reason if `auto`
    plays in Python. Raises ValueError as `Plan.of` does, and for an unknown engine; and NotNative.
    """
    plan = Plan.of(game, seats, matches, seed, engine, **noted)
    see_engine(engine)
    if not plan.is_random:
        if engine == "native":
            raise NotNative("only random matches are played natively")
        if say is not None and engine == "auto":
            say("only random matches are played natively")
        return replace(plan, engine="python")
    tried = Playing(game, plan).engine
    if engine == "auto" and matches > TRIED and is_installed():
        with suppress(RuleFault):  # it happens again, and is reported, when the study is played
            for _ in tried.watched(plan.seeds(0, TRIED)):
                pass
    if say is not None and engine == "auto" and tried.taken == "python":
        say(tried.refusal or ("so few matches take less time than compiling" if is_installed() else NEEDED))
    return replace(plan, engine=tried.taken)


def see_engine(engine: str) -> None:
    """Raise ValueError if there is no engine with that name, and NotNative if it is not installed."""
    if engine not in ENGINES:
        raise ValueError(f"there is no engine '{engine}'; there are {', '.join(ENGINES)}")
    if engine == "native" and not is_installed():
        raise NotNative(NEEDED)


def seats_of(game: Game, players: int | None, seats: str | Sequence[str]) -> tuple[str, ...]:
    """The bot of each seat. Without a number of players, there are as many as named seats, and at least the game's minimum.

    Raises UnknownSeat, and ValueError for a number of players that the game does not allow.
    """
    text = seats if isinstance(seats, str) else ",".join(seats)
    if players is None:
        players = players_for(game, text)
    game.see_players(players)
    return seated(text, players)


def study(game: Game, plan: Plan, means: Means = ALONE, out: str | Path | None = None, csv: bool = False) -> Study:
    """Play the matches of a plan. Raises as `simulate` does."""
    if out is None:
        return Study(game, plan, run(game, plan, means))
    from houserule.study.rows import Folder, WrongFolder

    plan = replace(plan, offers=True)
    try:
        folder = Folder(Path(out), game, plan, csv)
    except OSError as reason:
        raise WrongFolder(f"a study cannot be written there: {said_of(reason)}") from reason
    try:
        return Study(game, plan, run(game, plan, means, folder))
    finally:
        folder.close()
