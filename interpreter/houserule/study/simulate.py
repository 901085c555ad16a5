"""`houserule.simulate`: many matches of a game in one call, and their result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houserule.bots.playing import seated
from houserule.core import Game, RuleFault, load
from houserule.extras import library
from houserule.native.engines import ENGINES, NEEDED, TRIED, NotNative, is_installed
from houserule.printable import printable
from houserule.study.matches import Playing
from houserule.study.plan import ALONE, Means, Plan, see_players
from houserule.study.rows import Columns, Rows
from houserule.study.run import run, said_of
from houserule.study.summary import Summary, summary_of

if TYPE_CHECKING:
    from pandas import DataFrame


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

    @cached_property
    def summary(self) -> Summary:
        """Wins by seat and bot, scores, and lengths, with 95 % intervals."""
        found = summary_of(self.game, self.plan, self.columns)
        assert found is not None, "a study has at least one match"
        return found

    @cached_property
    def rows(self) -> Rows:
        """The writer of its tables. Raises MissingExtra."""
        return Rows(self.game, self.plan)

    def options(self) -> Iterator[dict[str, Any]]:
        """How often each item was offered and taken, by seat and bot; empty where that was not counted."""
        return self.rows.options(self.columns) if self.plan.offers else iter(())

    def to_json(self) -> dict[str, Any]:
        """The summary as plain data."""
        return self.summary.to_json()

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
    variants: Sequence[str] = (),
    options: Mapping[str, int | str] | None = None,
    workers: int = 1,
    cluster: str | None = None,
    out: str | Path | None = None,
    csv: bool = False,
    offers: bool = False,
    leads: bool = False,
    engine: str = "auto",
    progress: Callable[[int], None] | None = None,
) -> Study:
    """Play many matches of a game, and summarise them.

    `game` is loaded, or an id or path that is loaded with `variants` and `options`. `seats` names the bots, the last one
    for all remaining seats (`"mcts:400,random"`); with `rotate`, everybody moves on by one seat from match to match. The
    same arguments give the same matches, wherever they are played: by `workers` processes (threads
    if play is native), or on the Dask cluster at an address. `out` is a folder for the tables, in which a stopped study resumes; with `csv` they are written as
    CSV as well. `offers` counts options offered and taken, as a folder does anyway, and `leads` how often the lead
    changes. `engine` plays random matches: `python`, `native` (which needs the extra of that name), or `auto`, which uses
    native where it pays; the matches are the same. `progress` is called with the number of matches played since its last call.

    Raises UnknownGame and InvalidGame as `load` does, ValueError for arguments that cannot be played (UnknownSeat for an unknown
    bot, WrongFolder for the folder of another study, or one that cannot be used), MissingExtra, NotNative, RuleFault if a rule
    fails, and WorkerLost, Stopped or Unwritten, which have the matches played so far.
    """
    loaded = game if isinstance(game, Game) else load(game, variants, options)
    words, offers = seats_of(loaded, players, seats), offers or out is not None
    plan = planned(loaded, words, matches, seed, engine, rotates=rotate, offers=offers, leads=leads)
    return study(loaded, plan, Means(workers, cluster, progress), out, csv)


def planned(
    game: Game,
    seats: Sequence[str],
    matches: int,
    seed: int = 0,
    engine: str = "auto",
    say: Callable[[str], None] | None = None,
    **noted: bool,
) -> Plan:
    """The plan of a study, with `auto` replaced by `python` or `native`.

    A few matches are played and timed in Python. Only random play can be native. `say` is called with a sentence if a
    game cannot be played natively where that would pay. Raises ValueError as `Plan.of` does, and for an unknown engine; and NotNative.
    """
    plan = Plan.of(game, seats, matches, seed, engine, **noted)
    see_engine(engine)
    if not plan.is_random:
        if engine == "native":
            raise NotNative("only random matches are played natively")
        return replace(plan, engine="python")
    tried = Playing(game, plan).engine()
    if engine == "auto" and matches > TRIED and is_installed():
        with suppress(RuleFault):  # it happens again, and is reported, when the study is played
            for _ in tried.watched([plan.seed_of(number) for number in range(TRIED)]):
                pass
    if say is not None and tried.refusal:
        say(tried.refusal)
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
        players = min(max(min(game.players), text.count(",") + 1), max(game.players))
    see_players(game, players)
    return seated(text, players)


def study(game: Game, plan: Plan, means: Means = ALONE, out: str | Path | None = None, csv: bool = False) -> Study:
    """Play the matches of a plan. Raises as `simulate` does."""
    if out is None:
        return Study(game, plan, run(game, plan, means))
    from houserule.study.folder import Folder, WrongFolder

    plan = replace(plan, offers=True)
    try:
        folder = Folder(Path(out), game, plan, csv)
    except OSError as reason:
        raise WrongFolder(f"a study cannot be written there: {said_of(reason)}") from reason
    try:
        return Study(game, plan, run(game, plan, means, folder))
    finally:
        folder.close()
