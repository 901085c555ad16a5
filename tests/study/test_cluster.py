"""A study on a Dask cluster has the rows of one in this process, and loses nothing with a worker."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

import houserule
from houserule import Game
from houserule.study.run import ClusterLost, WorkerLost
from houserule.study.simulate import simulate

ORCHARD = Path(__file__).parents[1] / "rehearsing" / "orchard"
pytestmark = [
    pytest.mark.cluster,
    # Dask's own threads end after the test that has killed their process.
    pytest.mark.filterwarnings("ignore"),
]


@pytest.fixture
def cluster() -> Iterator[Any]:
    """Two worker processes and their scheduler, on this machine."""
    distributed = pytest.importorskip("distributed", reason="the cluster extra is not installed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    ) as made:
        yield made


@pytest.fixture(scope="module")
def orchard() -> Game:
    return houserule.load(ORCHARD)


def test_rows_are_those_of_one_process_though_a_worker_is_killed_midway(
    cluster: Any, orchard: Game, tmp_path: Path
) -> None:
    simulate(orchard, 2000, 2, out=tmp_path / "here")
    told: list[int] = []

    def kill_one(matches: int) -> None:
        told.append(matches)
        if len(told) == 3:
            os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)

    found = simulate(orchard, 2000, 2, out=tmp_path / "there", cluster=cluster.scheduler_address, progress=kill_one)
    assert sum(told) == len(found) == 2000
    for name in ("matches", "options"):
        here, there = (parquet.read_table(tmp_path / folder / f"{name}.parquet") for folder in ("here", "there"))
        assert here == there


def test_bots_play_on_a_cluster_and_a_fault_is_told_as_anywhere(cluster: Any, orchard: Game, tmp_path: Path) -> None:
    address = cluster.scheduler_address
    here = simulate(orchard, 30, 3, "first,random", rotate=True)
    there = simulate(orchard, 30, 3, "first,random", rotate=True, cluster=address)
    assert here.columns == there.columns
    text = """\
edition: 2026
game: broken
players: 2
flow:
  day:
    repeat: 20
    do: |
      roll n from 0..1
      repeat 1 // n times: nothing
"""
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(houserule.RuleFault, match="divides by zero"):
        simulate(tmp_path, 5, 2, cluster=address)


def test_a_cluster_that_is_not_there_or_dies_is_said_in_a_sentence(
    cluster: Any, orchard: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("houserule.study.run.PATIENCE", 2)
    for address in ("tcp://127.0.0.1:9", "foo://nowhere", "tcp://[::1"):
        with pytest.raises(ClusterLost, match="does not answer"):
            simulate(orchard, 5, cluster=address)

    def kill_all(_: int) -> None:
        cluster.close()

    with pytest.raises(WorkerLost) as lost:
        simulate(orchard, 100_000, cluster=cluster.scheduler_address, progress=kill_all)
    assert len(lost.value.columns) >= 50
    assert isinstance(lost.value.__cause__, ClusterLost)
