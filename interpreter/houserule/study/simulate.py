"""`houserule.simulate`: many matches of a game in one call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from houserule import Game, load
from houserule.bots.seating import seated
from houserule.study.plan import Plan
from houserule.study.result import Study
from houserule.study.run import run


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
    progress: Callable[[int], None] | None = None,
) -> Study:
    """Play many matches of a game, and gather what they come to.

    `game` is loaded, or an id or path that is loaded with `variants` and `options`. `seats` names the bots, the last one
    for all seats that remain (`"mcts:400,random"`); with `rotate`, everybody moves on by one seat from match to match. The
    same arguments give the same matches, wherever they are played: in so many `workers`, or on the Dask cluster at an
    address. `out` is a folder for the tables, from which a study that was stopped goes on; with `csv` they are written as
    CSV as well. `offers` counts what is offered and taken, as a folder does anyway, and `leads` how often the lead
    changes. `progress` is told how many matches there are more.

    Raises UnknownGame and InvalidGame as `load` does, ValueError for what cannot be played (UnknownSeat for a bot that
    there is not, WrongFolder for a folder of another study), MissingExtra, OSError, RuleFault where a rule fails, and
    WorkerLost or Stopped, which have the matches that were played.
    """
    loaded = game if isinstance(game, Game) else load(game, variants, options)
    words = seats_of(loaded, players, seats)
    plan = Plan.of(loaded, words, matches, seed, rotates=rotate, offers=offers or out is not None, leads=leads)
    return study(loaded, plan, workers=workers, cluster=cluster, out=out, csv=csv, progress=progress)


def seats_of(game: Game, players: int | None, seats: str | Sequence[str]) -> tuple[str, ...]:
    """The bot of each seat; there are as many players as seats are named where nobody says how many, and enough.

    Raises UnknownSeat, and ValueError for a number of players that the game is not for.
    """
    text = seats if isinstance(seats, str) else ",".join(seats)
    low, high = min(game.players), max(game.players)
    number = min(max(low, text.count(",") + 1), high) if players is None else players
    if number not in game.players:
        raise ValueError(f"{game.id} is for {low if low == high else f'{low} to {high}'} players, not for {number}")
    return seated(text, number)


def study(
    game: Game,
    plan: Plan,
    *,
    workers: int = 1,
    cluster: str | None = None,
    out: str | Path | None = None,
    csv: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Study:
    """Play the matches of a plan. Raises as `simulate` does."""
    folder = None
    if out is not None:
        from houserule.study.folder import Folder

        plan = replace(plan, offers=True)
        folder = Folder(Path(out), game, plan, csv)
    return Study(game, plan, run(game, plan, workers, cluster, folder, progress))
