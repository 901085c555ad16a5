"""What is read once in a run, however often it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import houserule
from houserule.definition.readings import Readings
from houserule.diagnostics import Report, Span
from houserule.reading import read
from houserule.source import files

GAME = """\
game: mushrooms
edition: 2026
players: 2
assumed: the wood is large enough
variables: {score(player): 0..60}
flow: {turn: {repeat: 3, turns: players, do: me.score += 1}}
scoring: {score: me.score}
"""


def test_what_is_made_once_is_reported_each_time() -> None:
    readings, made = Readings(), []

    def make(report: Report) -> str:
        made.append("made")
        report.error("HR101", "there is no file", Span("game.yaml"))
        return "a tree"

    for _ in range(2):
        report = Report()
        assert readings.once("key", report, make) == "a tree"
        assert [d.message for d in report.found] == ["there is no file"]
    assert made == ["made"]


def test_a_game_and_its_variants_are_validated_with_one_reading_of_each_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "variants").mkdir()
    for name, change in (("long", "repeat: 5"), ("short", "repeat: 1"), ("slow", "repeat: x")):
        text = f"variant: {name}\nof: mushrooms\nchange: {{flow: {{turn: {{{change}}}}}}}\n"
        (tmp_path / "variants" / f"{name}.yaml").write_text(text, encoding="utf-8")
    opened: list[str] = []

    def noting(path: Path, purpose: str) -> bytes:
        opened.append(path.name)
        return read(path, purpose)

    monkeypatch.setattr(files, "read", noting)
    found = houserule.validate(tmp_path / "game.yaml")
    assert [(Path(d.span.file).name, d.message) for d in found] == [("slow.yaml", "there is nothing called 'x' here")]
    assert sorted(opened) == ["game.yaml", "long.yaml", "short.yaml", "slow.yaml"]


def test_what_a_whole_game_assumes_is_listed(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    assert [reason for _, reason in houserule.load(tmp_path).assumptions] == ["the wood is large enough"]


def test_after_a_change_only_what_was_made_of_it_is_made_again(tmp_path: Path) -> None:
    readings, made = Readings(), []
    one, other = tmp_path / "one.yaml", tmp_path / "other.yaml"

    def make_of(*files: Path) -> Callable[[Report], str]:
        def make(report: Report) -> str:
            for file in files:
                readings.reads(file)
            made.append(" ".join(file.stem for file in files))
            return made[-1]

        return make

    def ask() -> None:
        made.clear()
        readings.once("one", Report(), make_of(one))
        readings.once("both", Report(), lambda own: readings.once("other", own, make_of(other)) and make_of(one)(own))

    ask()
    assert made == ["one", "other", "one"]
    readings = readings.after(lambda file: file != other)
    ask()
    assert made == ["other", "one"]
    readings = readings.after(lambda _: True)
    ask()
    assert made == []


def test_work_ends_where_what_is_called_between_its_steps_raises() -> None:
    def end() -> None:
        raise KeyboardInterrupt

    readings = Readings(go_on=end)
    with pytest.raises(KeyboardInterrupt):
        readings.once("key", Report(), lambda _: "made")
    readings.go_on = lambda: None
    assert readings.once("key", Report(), lambda _: "made") == "made"


def test_a_game_is_read_and_checked_again_only_when_a_file_of_it_has_changed(tmp_path: Path) -> None:
    file, part = tmp_path / "game.yaml", tmp_path / "part.yaml"
    file.write_text(f"include: [part.yaml]\n{GAME}", encoding="utf-8")
    part.write_text("title: Mushrooms\n", encoding="utf-8")
    (tmp_path / "variants").mkdir()
    variant = tmp_path / "variants" / "long.yaml"
    variant.write_text("variant: long\nof: mushrooms\nchange: {flow: {turn: {repeat: 4}}}\n", encoding="utf-8")

    def load() -> houserule.Game:
        return houserule.load(tmp_path, variants=["long"])

    first = load()
    assert load().program(2, told=True) is first.program(2, told=True)
    assert houserule.load(tmp_path).rules_hash != first.rules_hash
    part.write_text("title: Herbs\n", encoding="utf-8")
    assert load().title() == "Herbs"
    variant.write_text(variant.read_text(encoding="utf-8").replace("4", "9"), encoding="utf-8")
    assert load().random_match(2, 1).scores == [9, 9]
    part.write_text("title: [Herbs]\n", encoding="utf-8")
    with pytest.raises(houserule.InvalidGame):
        load()
    part.unlink()
    with pytest.raises(houserule.InvalidGame, match="there is no file"):
        load()
    part.write_text("title: Mushrooms\n", encoding="utf-8")
    assert load().title() == "Mushrooms"


def test_what_is_wrong_is_said_whenever_a_game_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(GAME.replace("me.score += 1", "me.scroe += 1"), encoding="utf-8")
    for _ in range(2):
        with pytest.raises(houserule.InvalidGame, match="scroe"):
            houserule.load(tmp_path)
