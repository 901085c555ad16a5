"""Simulates many random matches of a game and counts how they end."""

from __future__ import annotations

import hashlib
import multiprocessing
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from houserule import RuleFault

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event

    from houserule import Game, Outcome, Span

BATCH = 50
"""How many matches a worker plays before it reports."""


@dataclass(frozen=True, slots=True)
class Worker:
    """The state of a worker process: its game, and the signal to stop."""

    game: Game
    given_up: Event


worker: Worker
"""In a worker process: what it received at its start."""


class FaultInMatch(RuleFault):
    """A fault of the rules in a match of a simulation; `number` says which match, from 1, and `seed` is its own."""

    def __init__(self, message: str, span: Span, rule: str, number: int, seed: int) -> None:
        super().__init__(message, span, rule)
        self.number = number
        self.seed = seed

    def __reduce__(self) -> tuple[type[FaultInMatch], tuple[object, ...]]:
        """The arguments that rebuild it, so that it survives the way out of a worker process."""
        return FaultInMatch, (self.message, self.span, self.rule, self.number, self.seed)


@dataclass(frozen=True, slots=True)
class Spread:
    """The distribution of numbers: exact for whole numbers, in whatever order they come."""

    mean: float
    deviation: float
    lowest: int
    median: float
    highest: int

    @classmethod
    def of(cls, counted: Counter[int]) -> Spread:
        """The distribution of numbers, given how often each occurred."""
        numbers = sorted(counted.elements())
        deviation = statistics.pstdev(numbers)
        return cls(statistics.fmean(numbers), deviation, numbers[0], statistics.median(numbers), numbers[-1])

    def to_json(self) -> dict[str, float]:
        """The figures by name."""
        return {
            "mean": self.mean,
            "deviation": self.deviation,
            "lowest": self.lowest,
            "median": self.median,
            "highest": self.highest,
        }


@dataclass(slots=True)
class Tally:
    """The counts of matches. The tallies of batches add up to the tally of all."""

    matches: int = 0
    wins: Counter[int] = field(default_factory=Counter)
    shared: int = 0
    undecided: int = 0
    decisions: Counter[int] = field(default_factory=Counter)
    scores: dict[int, Counter[int]] = field(default_factory=dict)
    lines: dict[int, list[int]] = field(default_factory=dict)

    def add(self, outcome: Outcome) -> None:
        """Count one match."""
        self.matches += 1
        self.wins.update(outcome.winners)
        self.shared += len(outcome.winners) > 1
        self.undecided += not outcome.winners
        self.decisions[outcome.decisions] += 1
        for seat, score in enumerate(outcome.scores):
            self.scores.setdefault(seat, Counter())[score] += 1
        for line, points in enumerate(outcome.lines):
            sums = self.lines.setdefault(line, [0] * len(points))
            for seat, number in enumerate(points):
                sums[seat] += number

    def merge(self, other: Tally) -> None:
        """Add the counts of another batch."""
        self.matches += other.matches
        self.wins.update(other.wins)
        self.shared += other.shared
        self.undecided += other.undecided
        self.decisions.update(other.decisions)
        for seat, counted in other.scores.items():
            self.scores.setdefault(seat, Counter()).update(counted)
        for line, sums in other.lines.items():
            kept = self.lines.setdefault(line, [0] * len(sums))
            for seat, number in enumerate(sums):
                kept[seat] += number


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """One seat over all matches: `wins` counts shared victories too; `lines` has the mean of each scoring line."""

    seat: int
    wins: int
    score: Spread
    lines: dict[str, float]


@dataclass(frozen=True, slots=True)
class Summary:
    """The statistics of random matches. `length` is in decisions; `shared` ones had several winners, `undecided` none."""

    game: str
    players: int
    seed: int
    matches: int
    shared: int
    undecided: int
    length: Spread
    seats: tuple[SeatSummary, ...]
    titles: dict[str, str]

    def to_json(self) -> dict[str, Any]:
        """The figures by name; the same for the same game, number of players, number of matches and seed."""
        return {
            "game": self.game,
            "players": self.players,
            "seed": self.seed,
            "matches": self.matches,
            "shared": self.shared,
            "undecided": self.undecided,
            "length": self.length.to_json(),
            "seats": [
                {"seat": seat.seat, "wins": seat.wins, "score": seat.score.to_json(), "lines": seat.lines}
                for seat in self.seats
            ],
        }


def seed_of(seed: int, index: int) -> int:
    """The seed of one match of a simulation: far apart for neighbours, the same on every machine."""
    return int.from_bytes(hashlib.blake2b(f"{seed}:{index}".encode(), digest_size=8).digest())


def simulate(
    game: Game,
    matches: int,
    players: int,
    seed: int = 0,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Summary:
    """Play random matches and gather statistics.

    The figures depend on the game, the number of players and of matches, and the seed; never on the number of workers.
    `progress` is told after each batch how many matches it had. Raises ValueError for fewer than one match, FaultInMatch
    where a rule fails, and `concurrent.futures.BrokenExecutor` where a worker process ends before its matches do.
    """
    if matches < 1:
        raise ValueError("a simulation needs at least one match")
    batches = [(start, min(start + BATCH, matches)) for start in range(0, matches, BATCH)]
    workers = max(1, min(workers, len(batches)))
    whole = Tally()
    source = in_this_process if workers == 1 else in_workers
    for tally in source(game, players, seed, batches, workers):
        whole.merge(tally)
        if progress is not None:
            progress(tally.matches)
    return summary_of(game, players, seed, whole)


def play_batch(game: Game, players: int, seed: int, indices: Iterable[int]) -> Tally:
    """Play the matches of these indices. Raises FaultInMatch."""
    tally = Tally()
    for index in indices:
        own = seed_of(seed, index)
        try:
            tally.add(game.random_match(players, own))
        except RuleFault as fault:
            raise FaultInMatch(fault.message, fault.span, fault.rule, index + 1, own) from fault
    return tally


def in_this_process(
    game: Game,
    players: int,
    seed: int,
    batches: list[tuple[int, int]],
    workers: int,  # noqa: ARG001  called like `in_workers`
) -> Iterator[Tally]:
    """Play batch after batch."""
    for start, end in batches:
        yield play_batch(game, players, seed, range(start, end))


def in_workers(game: Game, players: int, seed: int, batches: list[tuple[int, int]], workers: int) -> Iterator[Tally]:
    """Play the batches in several processes; their tallies come in the order of the batches.

    A compiled game does not travel between processes: each loads the files for itself.
    """
    # An executor, not a `multiprocessing.Pool`: a pool waits forever for a dead process, and can hang while it handles an
    # exception.
    from concurrent.futures import ProcessPoolExecutor

    spawn = multiprocessing.get_context("spawn")
    given_up = spawn.Event()
    wanted = (str(game.loaded.path), game.variants, dict(game.settings), given_up)
    with ProcessPoolExecutor(workers, mp_context=spawn, initializer=load_in_worker, initargs=wanted) as pool:
        try:
            yield from pool.map(play_in_worker, [(players, seed, start, end) for start, end in batches])
        finally:
            given_up.set()


def load_in_worker(path: str, variants: tuple[str, ...], options: dict[str, int | str], given_up: Event) -> None:
    """Prepare a worker process: load its game with the same house rules, and leave Ctrl-C to the main process."""
    global worker
    import signal

    import houserule

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    worker = Worker(houserule.load(path, variants, options), given_up)


def play_in_worker(batch: tuple[int, int, int, int]) -> Tally:
    """In a worker process: play one batch, unless the signal to stop comes."""
    players, seed, start, end = batch
    wanted = takewhile(lambda _: not worker.given_up.is_set(), range(start, end))
    return play_batch(worker.game, players, seed, wanted)


def summary_of(game: Game, players: int, seed: int, tally: Tally) -> Summary:
    """The figures of a whole tally."""
    lines = [(line.key, line.title) for line in game.start(players, seed).sheet]
    seats = tuple(
        SeatSummary(
            seat=seat + 1,
            wins=tally.wins[seat],
            score=Spread.of(tally.scores[seat]),
            lines={key: tally.lines[line][seat] / tally.matches for line, (key, _) in enumerate(lines)},
        )
        for seat in range(players)
    )
    return Summary(
        game=game.id,
        players=players,
        seed=seed,
        matches=tally.matches,
        shared=tally.shared,
        undecided=tally.undecided,
        length=Spread.of(tally.decisions),
        seats=seats,
        titles=dict(lines),
    )
