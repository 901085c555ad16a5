"""A simulation counts what random matches come to; its figures depend on the seed alone."""

from __future__ import annotations

import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

import houserule
from houserule.play.simulation import Spread, Stopped, WorkerLost, play_batch, seed_of, simulate

ORCHARD = Path(__file__).parents[1] / "rehearsing" / "orchard"


@dataclass(frozen=True)
class FakeOutcome:
    scores: list[int]
    lines: list[list[int]]
    decisions: int
    winners: list[int]


@dataclass(frozen=True)
class FakeLine:
    key: str
    title: str


@dataclass(frozen=True)
class FakeMatch:
    sheet: tuple[FakeLine, ...] = (FakeLine("die", "Die"), FakeLine("bonus", "Bonus"))


@dataclass
class FakeGame:
    """Everybody throws a die; the highest throw wins."""

    id: str = "highest"

    def start(self, players: int, seed: int) -> FakeMatch:
        return FakeMatch()

    def random_match(self, players: int, seed: int) -> FakeOutcome:
        chance = random.Random(seed)
        throws = [chance.randint(1, 6) for _ in range(players)]
        scores = [throw + 1 for throw in throws]
        best = [seat for seat in range(players) if scores[seat] == max(scores)]
        return FakeOutcome(scores, [throws, [1] * players], players, best)


def test_the_same_seed_gives_the_same_figures_and_another_seed_others() -> None:
    game = FakeGame()
    assert simulate(game, 200, 3, seed=5) == simulate(game, 200, 3, seed=5)
    assert simulate(game, 200, 3, seed=5) != simulate(game, 200, 3, seed=6)


def test_batches_add_up_to_the_whole() -> None:
    game = FakeGame()
    whole = play_batch(game, 3, 1, range(90))
    sum_of_parts = play_batch(game, 3, 1, range(30))
    sum_of_parts.merge(play_batch(game, 3, 1, range(30, 90)))
    assert sum_of_parts == whole


def test_wins_scores_and_lines_are_counted_by_seat() -> None:
    summary = simulate(FakeGame(), 500, 2, seed=1)
    assert sum(seat.wins for seat in summary.seats) == 500 + summary.shared
    assert summary.shared > 0
    assert summary.undecided == 0
    for seat in summary.seats:
        assert seat.lines["bonus"] == 1
        assert seat.lines["die"] + 1 == pytest.approx(seat.score.mean)
        assert (seat.score.lowest, seat.score.highest) == (2, 7)
    assert summary.length == Spread(mean=2, deviation=0, lowest=2, median=2, highest=2)
    assert list(summary.to_json()) == ["game", "players", "seed", "matches", "shared", "undecided", "length", "seats"]


def test_progress_is_told_until_every_match_is_played() -> None:
    told: list[int] = []
    simulate(FakeGame(), 123, 2, progress=told.append)
    assert sum(told) == 123


def test_no_match_at_all_cannot_be_simulated() -> None:
    with pytest.raises(ValueError, match="at least one"):
        simulate(FakeGame(), 0, 2)


def test_matches_of_a_simulation_have_seeds_of_their_own() -> None:
    assert len({seed_of(seed, index) for seed in range(20) for index in range(200)}) == 4000


def test_a_spread_is_exact() -> None:
    assert Spread.of(Counter({1: 1, 3: 2, 5: 1})) == Spread(3, 2**0.5, 1, 3, 5)


def test_a_worker_that_ends_before_its_matches_do_is_not_waited_for(tmp_path: Path) -> None:
    shutil.copytree(ORCHARD, tmp_path / "orchard")
    game = houserule.load(tmp_path / "orchard")
    shutil.rmtree(tmp_path / "orchard")
    with pytest.raises(BrokenExecutor):
        simulate(game, 120, 2, workers=2)


def test_no_process_is_left_when_a_simulation_is_given_up(tmp_path: Path) -> None:
    before = multiprocessing.active_children()

    def stop(matches: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(houserule.load(ORCHARD), 500, 2, workers=2, progress=stop)
    assert multiprocessing.active_children() == before


def test_a_worker_that_is_killed_ends_a_simulation_with_what_was_counted() -> None:
    before = multiprocessing.active_children()

    def kill(_matches: int) -> None:
        os.kill(multiprocessing.active_children()[0].pid or 0, signal.SIGKILL)

    with pytest.raises(WorkerLost) as lost:
        simulate(houserule.load(ORCHARD), 100_000, 2, workers=2, progress=kill)
    assert lost.value.summary is not None
    assert 50 <= lost.value.summary.matches < 100_000
    assert multiprocessing.active_children() == before


def test_who_stops_a_simulation_gets_what_was_counted() -> None:
    def stop(_matches: int) -> None:
        raise KeyboardInterrupt

    for workers in (1, 2):
        with pytest.raises(Stopped) as stopped:
            simulate(houserule.load(ORCHARD), 500, 2, workers=workers, progress=stop)
        assert stopped.value.summary is not None
        assert stopped.value.summary.matches >= 50


def children_of(process: int) -> list[int]:
    """The processes that a process has begun and that live."""
    return [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="only Linux lists the children of a process there")
@pytest.mark.parametrize(
    ("number", "is_worker", "code"),
    [(signal.SIGKILL, True, 1), (signal.SIGTERM, False, 143), (signal.SIGINT, False, 130)],
)
def test_the_command_ends_with_what_was_counted_and_leaves_no_worker(number: int, is_worker: bool, code: int) -> None:
    words = ["simulate", str(ORCHARD), "-n", "10000000", "--workers", "2"]
    with subprocess.Popen(
        [sys.executable, "-m", "houserule", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        busy: list[int] = []
        while len(busy) < 2:
            time.sleep(0.2)
            busy = [one for one in children_of(process.pid) if times_of(one) > 150]
        time.sleep(1)
        os.kill(busy[0] if is_worker else process.pid, number)
        told, said = process.communicate(timeout=60)
    assert process.returncode == code, said
    assert "random matches for 2" in told
    assert said.startswith("houserule: ") and "of 10,000,000 matches were counted" in said
    assert not any(Path(f"/proc/{one}").exists() for one in busy)


def times_of(process: int) -> int:
    """Hundredths of a second that a process has worked."""
    return sum(int(word) for word in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13])
