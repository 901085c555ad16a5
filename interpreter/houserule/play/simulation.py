"""Simulates many random matches of a game and counts how they end."""

from __future__ import annotations

import hashlib
import multiprocessing
import signal
import statistics
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any

from houserule import InvalidGame, RuleFault, UnknownGame, allow_work, load

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

    from houserule import Game, Outcome, Span

BATCH = 50
"""How many matches a worker plays before it reports."""
PATIENCE = 5
"""Seconds that a worker has to end when it is told to."""


class WorkerLost(BrokenExecutor):
    """A worker process ended before its matches did. `summary` is of those that were counted, None if there are none."""

    summary: Summary | None = None


class Stopped(KeyboardInterrupt):
    """Somebody has stopped a simulation. `summary` is of the matches that were counted, None if there are none."""

    summary: Summary | None = None


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
    where a rule fails, WorkerLost where a worker process ends before its matches do, and Stopped on Ctrl-C.
    """
    if matches < 1:
        raise ValueError("a simulation needs at least one match")
    batches = [(start, min(start + BATCH, matches)) for start in range(0, matches, BATCH)]
    workers = max(1, min(workers, len(batches)))
    whole = Tally()
    source = in_this_process if workers == 1 else in_workers
    try:
        for tally in source(game, players, seed, batches, workers):
            whole.merge(tally)
            if progress is not None:
                progress(tally.matches)
    except BrokenExecutor as reason:
        lost = WorkerLost()
        lost.summary = summary_of(game, players, seed, whole)
        raise lost from reason
    except KeyboardInterrupt:
        stopped = Stopped()
        stopped.summary = summary_of(game, players, seed, whole)
        raise stopped from None
    found = summary_of(game, players, seed, whole)
    assert found is not None
    return found


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

    A compiled game does not travel between processes: each loads the files for itself. Where it ends early, the tallies
    that are there come first. Raises WorkerLost.
    """
    # Each process has a pipe of its own and nothing is shared: one that dies leaves no lock behind that others wait for.
    team: dict[Connection, BaseProcess] = {}
    working: dict[Connection, int] = {}
    done: dict[int, Tally | FaultInMatch] = {}
    coming = iter(range(len(batches)))
    given = 0
    try:
        for _ in range(workers):
            pipe, process = started(game)
            team[pipe] = process
        for pipe in team:
            give(pipe, working, coming, (players, seed), batches)
        while given < len(batches):
            for ready in wait(list(working)):
                pipe = next(one for one in working if one is ready)
                done[working.pop(pipe)] = pipe.recv()
                give(pipe, working, coming, (players, seed), batches)
            while given in done:
                tally = done.pop(given)
                if isinstance(tally, FaultInMatch):
                    raise tally
                given += 1
                yield tally
    except (EOFError, OSError) as lost:
        yield from (tally for tally in done.values() if isinstance(tally, Tally))
        raise WorkerLost from lost
    except KeyboardInterrupt:
        yield from (tally for tally in done.values() if isinstance(tally, Tally))
        raise
    finally:
        for process in team.values():
            process.terminate()
        for pipe, process in team.items():
            process.join(PATIENCE)
            if process.is_alive():
                process.kill()
            pipe.close()


def started(game: Game) -> tuple[Connection, BaseProcess]:
    """A worker process for a game, and the pipe to it. Ctrl-C is for this process, which ends its workers."""
    spawn = multiprocessing.get_context("spawn")
    pipe, other = spawn.Pipe()
    wanted = (other, str(game.loaded.path), game.variants, dict(game.settings), game.rules_hash, allow_work())
    process = spawn.Process(target=work, args=wanted, daemon=True)
    is_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN) if is_main else None
    try:
        process.start()
    finally:
        if is_main:
            signal.signal(signal.SIGINT, before)
    other.close()
    return pipe, process


def give(
    pipe: Connection,
    working: dict[Connection, int],
    coming: Iterator[int],
    match: tuple[int, int],
    batches: list[tuple[int, int]],
) -> None:
    """Give a worker the next batch, if there is one."""
    number = next(coming, None)
    if number is not None:
        working[pipe] = number
        pipe.send((*match, *batches[number]))


def work(
    pipe: Connection, path: str, variants: tuple[str, ...], options: dict[str, int | str], rules: str, allowed: float
) -> None:
    """In a worker process: load the game and play batches as long as somebody asks for them.

    It ends where the files of the game are no longer those rules, or memory runs out; whoever waits sees that.
    """
    with suppress(EOFError, OSError, MemoryError, InvalidGame, UnknownGame):
        allow_work(allowed)
        game = load(path, variants, options)
        while game.rules_hash == rules:
            players, seed, start, end = pipe.recv()
            result: Tally | FaultInMatch
            try:
                result = play_batch(game, players, seed, range(start, end))
            except FaultInMatch as fault:
                result = fault
            pipe.send(result)


def summary_of(game: Game, players: int, seed: int, tally: Tally) -> Summary | None:
    """The figures of a whole tally; None where nothing was counted."""
    if not tally.matches:
        return None
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
