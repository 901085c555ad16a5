"""An agent learns a game through Gymnasium, beats the random bot, and takes a seat at a table."""

from __future__ import annotations

import json
import re
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

pytest.importorskip("gymnasium")

from houserule.bots import playing
from houserule.cli.application import application
from houserule.serve import levels

TEXT = (Path(__file__).parents[2] / "docs" / "bridges.md").read_text(encoding="utf-8")
(SOURCE,) = [block for block in re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL) if "class Learner" in block]


def wins_after(matches: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> float:
    """The share of matches that the agent wins against the random bot, in both seats, after it has learnt from so many."""
    (tmp_path / "learner.py").write_text(SOURCE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(__import__("sys").modules, "learner", raising=False)
    names: dict[str, Any] = vars(__import__("learner"))
    file = tmp_path / "learnt.json"
    file.write_text(json.dumps(names["train"]("tic_tac_toe", matches)), encoding="utf-8")
    monkeypatch.setattr(playing, "others", lambda: {"learner": EntryPoint("learner", "learner:Learner", playing.GROUP)})
    playing.maker.cache_clear()
    call = [
        "simulate",
        "tic_tac_toe",
        "--seats",
        f"learner:{file},random",
        "--rotate",
        "-n",
        "100",
        "--json",
        "--seed",
        "3",
    ]
    result = CliRunner().invoke(application, call)
    assert result.exit_code == 0, result.output
    shown = json.loads(result.output)
    played = CliRunner().invoke(
        application, ["play", "tic_tac_toe", "--seats", f"learner:{file},random", "--seed", "1"]
    )
    assert played.exit_code == 0, played.output
    refused = CliRunner().invoke(application, ["play", "tic_tac_toe", "--seats", "learner:no_such_file,random"])
    assert refused.exit_code == 2 and "learner:learnt.json" in refused.output
    assert "learner" in levels.bots_here(), "rooms in the browser offer it"
    playing.maker.cache_clear()
    (share,) = [one["share"] for name, one in shown["by_bot"].items() if name.startswith("learner")]
    return float(share)


@pytest.mark.long
def test_an_agent_that_has_learnt_a_little_beats_the_random_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "learner" not in playing.bots()
    assert wins_after(1500, tmp_path, monkeypatch) > 0.6


@pytest.mark.bridges
def test_an_agent_learns_to_win_nearly_always(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert wins_after(20_000, tmp_path, monkeypatch) > 0.85
