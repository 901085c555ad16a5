"""The benchmark measures, and writes what it has measured; the numbers are for people to read."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from benchmarks import handling, workers
from benchmarks.__main__ import main, measure
from benchmarks.c import compiler
from benchmarks.contenders import IN_C, NATIVE, PYTHON, TIGHT, native_is_installed
from benchmarks.measuring import Spread, spread
from benchmarks.page import page
from benchmarks.targets import LIMITS, Target, targets
from benchmarks.twice import played_twice, settings

QUICK = ["--quick", "--rounds", "2", "--seconds", "0.002"]


@pytest.fixture(autouse=True)
def no_other_libraries(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOUSERULE_BENCH", str(tmp_path / "nothing"))


def test_a_run_writes_a_page_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
    main([*QUICK, "--only", "ali_baba", "nim", "--out", str(tmp_path)])
    assert "OpenSpiel, which `make bench-others` installs" in " ".join(capsys.readouterr().out.split())
    if cores is not None:
        assert os.sched_getaffinity(0) == cores

    results = json.loads((tmp_path / "performance.json").read_text(encoding="utf-8"))
    ways = {rate["way"]: rate for rate in results["four"][0]["rates"]}
    assert {PYTHON, TIGHT} <= set(ways)
    assert (NATIVE in ways) == native_is_installed()
    assert (IN_C in ways) == (compiler() is not None)
    for rate in ways.values():
        assert rate["games"]["low"] <= rate["games"]["median"] <= rate["games"]["high"]
        assert 90 < rate["decisions_in_a_match"] < 140
    assert ways[PYTHON]["by_python"] == {"median": 1.0, "low": 1.0, "high": 1.0}

    written = (tmp_path / "performance.md").read_text(encoding="utf-8")
    for heading in ("# Performance", "## The four games", "### ali_baba, 4 players", "### nim, 2 players"):
        assert f"\n{heading}\n" in f"\n{written}"
    rows = [line.count("|") for line in written.splitlines() if line.startswith(f"| {PYTHON} ")]
    assert rows == [7, 7]


def test_the_page_says_what_limits_a_target_that_is_missed() -> None:
    results = measure(1, 0.001, True, ["kuhn_poker"], lambda _: lambda: None)
    results.copying = {f"{NATIVE}: copy": Spread(5e-6, 4e-6, 6e-6)}
    missed = [target for target in targets(results) if not target.is_met]
    assert [(target.what, target.measured.median) for target in missed] == [("aladdin: copying a native match", 5.0)]
    assert LIMITS[missed[0].kind] in page(results)
    assert Target(missed[0].kind, "", "×", 2.0, Spread(3, 2, 4)).is_met


def test_medians_come_with_quartiles() -> None:
    assert spread([3.0]) == Spread(3, 3, 3)
    assert spread([5, 1, 2, 4, 3]) == Spread(3, 2, 4)


def test_copies_take_time_and_memory() -> None:
    assert all(0 < times.median < 1 for times in handling.copying("ali_baba", 1).values())
    assert handling.held("ali_baba", PYTHON, 300) >= 0


@pytest.mark.skipif(not native_is_installed(), reason="wasmtime is not installed")
def test_a_native_match_is_taken_apart() -> None:
    (found,) = handling.shares(1, 20, {"nim": 2})
    assert found.game == "nim"
    assert 0 < found.sandbox.median < 1
    assert 0 < found.results.median < 1


@pytest.mark.parametrize("words", [["--rounds", "0"], ["--only", "mushrooms"], ["--quick", "--seconds", "-1"]])
def test_wrong_words_are_told(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert "error:" in capsys.readouterr().err


def test_native_play_is_compared_match_by_match() -> None:
    assert ("aladdin", ["bazaar"], 4) in list(settings(is_quick=False))
    if native_is_installed():
        twice = played_twice("nim", [], 2, 20)
        assert (twice.different, twice.replayed) == ([], 0)


def test_other_libraries_that_do_not_start_are_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if shutil.which("false") is None:
        return
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(str(shutil.which("false")))
    monkeypatch.setenv("HOUSERULE_BENCH", str(tmp_path))
    results = measure(1, 0.001, True, ["nim"], lambda _: lambda: None)
    assert any(line.startswith("PettingZoo") for line in results.missing)


@pytest.mark.long
@pytest.mark.skipif(not native_is_installed(), reason="wasmtime is not installed")
def test_workers_are_timed_beside_studies_at_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["workers", "kuhn_poker", "--matches", "2000", "--rounds", "1"])
    workers.main()
    head, found = capsys.readouterr().out.splitlines()
    assert "2,000 matches" in head
    assert found.startswith("kuhn_poker: two workers ") and "two studies at once " in found


def test_a_study_that_fails_is_not_timed() -> None:
    with pytest.raises(RuntimeError, match="nosuchgame"):
        workers.seconds([workers.study("nosuchgame", 10, 1, 0)])
