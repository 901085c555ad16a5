"""What docs/bots.md shows works: its bot is brought by an entry point and plays."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks import bots as benchmark
from houserule.bots import playing
from houserule.cli.application import application

TEXT = (Path(__file__).parent.parent / "docs" / "bots.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)
    return str(found)


def test_the_example_is_a_bot_of_another_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert block("python").count("\n") <= 25
    ((group, named),) = tomllib.loads(block("toml"))["project"]["entry-points"].items()
    assert group == playing.GROUP
    ((name, value),) = named.items()
    (tmp_path / "my_bots.py").write_text(block("python"), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(playing, "others", lambda: {name: EntryPoint(name, value, group)})
    playing.maker.cache_clear()
    result = CliRunner().invoke(application, ["play", "ali_baba", "--seats", "collector:1,random", "--seed", "1"])
    assert result.exit_code == 0, result.output
    refused = CliRunner().invoke(application, ["play", "ali_baba", "--seats", "collector:many,random"])
    assert refused.exit_code == 2
    monkeypatch.setattr("my_bots.Collector.choose", lambda *_: 1 // 0)
    failed = CliRunner().invoke(
        application, ["play", "ali_baba", "--seats", "collector", "--save", str(tmp_path / "kept.json")]
    )
    assert failed.exit_code == 2
    assert "has failed: ZeroDivisionError" in failed.output
    assert (tmp_path / "kept.json").exists()
    playing.maker.cache_clear()


def test_the_table_is_what_the_results_come_to(tmp_path: Path) -> None:
    results = tmp_path / "bots.jsonl"
    page = tmp_path / "bots.md"
    page.write_text(TEXT, encoding="utf-8")
    played = list(benchmark.measure(["ali_baba"], [("first", "random")], 2, results))
    assert [one.number for one in played] == [0, 1]
    assert not list(benchmark.measure(["ali_baba"], [("first", "random")], 2, results)), "nothing is played again"
    benchmark.write(benchmark.kept(results), page)
    other = benchmark.Result("ali_baba", "first", "random", 0, 1.0, 2.0, "another bot")
    assert benchmark.current([*played, other], ["ali_baba"], [("first", "random")]) == played
    benchmark.write([benchmark.Result("ali_baba", "mine", "random", 0, 1.0, 2.0, "mine")], page)
    assert "| `first` | `random` | ali_baba | 2 |" in page.read_text(encoding="utf-8")
    assert "| `mine` | `random` | ali_baba | 1 | 100.0% |" in page.read_text(encoding="utf-8"), "other rows stay"
    assert page.read_text(encoding="utf-8").startswith(TEXT.partition(benchmark.BEGINS)[0])
