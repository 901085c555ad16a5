"""An assistant's way from a paragraph of a rulebook to a valid, tested house rule, and what its tools refuse."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import houserule
from houserule.engine.tools import TOOLS, Refused, Workshop, server

CONVERSATION = json.loads((Path(__file__).parent / "conversation.json").read_text(encoding="utf-8"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An author's folder with a game, beside a file that is none of the assistant's business."""
    made = tmp_path / "rules"
    shutil.copytree(houserule.find("pig"), made / "pig")
    (tmp_path / "secret.yaml").write_text("secret: 1\n", encoding="utf-8")
    (made / ".env").write_text("secret: 1\n", encoding="utf-8")
    (made / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    return made


Call = tuple[str, dict[str, Any]]


def called(workshop: Workshop, calls: list[Call]) -> list[tuple[bool, str]]:
    """What the tools answer to calls of the protocol's own client: whether it was refused, and the text."""
    mcp = pytest.importorskip("mcp")  # takes half a second

    async def talk() -> list[tuple[bool, str]]:
        found = []
        async with mcp.Client(server(workshop)) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == list(TOOLS)
            for name, words in calls:
                result = await client.call_tool(name, words)
                found.append((bool(result.is_error), "\n".join(getattr(one, "text", "") for one in result.content)))
        return found

    return asyncio.run(talk())


@pytest.mark.filterwarnings("ignore")
def test_a_recorded_conversation_leads_from_a_paragraph_to_a_tested_house_rule(folder: Path) -> None:
    answers = called(Workshop(folder, may_write=True), [(one["tool"], one["with"]) for one in CONVERSATION])
    for step, (is_refused, text) in zip(CONVERSATION, answers, strict=True):
        assert not is_refused and all(words in text for words in step["gets"]), (step["tool"], text)
    assert houserule.load(folder / "pig", variants=["hard"]).house_rules == ["hard"]
    assert all(result.passed for result in houserule.rehearse(folder / "pig" / "scenarios" / "hard.yaml"))


@pytest.mark.filterwarnings("ignore")
def test_nothing_outside_the_folder_is_read_or_written_and_nothing_without_being_asked(folder: Path) -> None:
    before = {file: file.read_bytes() for file in folder.parent.rglob("*") if file.is_file()}
    evil = (folder / "pig" / "game.yaml").read_text("utf-8") + "include: [../../secret.yaml]\n"
    (folder / "evil").mkdir()
    (folder / "evil" / "game.yaml").write_text(evil, encoding="utf-8")
    before[folder / "evil" / "game.yaml"] = evil.encode()
    refused: list[Call] = [
        ("read_file", {"path": "../secret.yaml"}),
        ("read_file", {"path": str(folder.parent / "secret.yaml")}),
        ("read_file", {"path": "link.yaml"}),
        ("read_file", {"path": "bundled/pig/../../../../pyproject.toml"}),
        ("read_file", {"path": "pig\0"}),
        ("read_file", {"path": ".env"}),
        ("write_file", {"path": "pig/new.yaml", "text": "x: 1\n"}),
        ("validate", {"path": ".."}),
        ("validate", {"text": "x: 1", "name": "../up.yaml"}),
        ("test", {"path": "../"}),
        ("show", {"game": "evil"}),
        ("show", {"game": ".."}),
        ("show", {"game": ""}),
        ("show", {"game": "x" * 5000}),
        ("simulate", {"game": "pig", "matches": 10**9}),
        ("simulate", {"game": "pig", "matches": 5, "seats": "mcts:99999999"}),
        ("simulate", {"game": "pig", "variants": ["../secret.yaml"], "matches": 5}),
        ("explain", {"code": "HR999"}),
        ("manual", {"topic": "no such topic at all"}),
        ("format", {"text": "a: [1"}),
        ("show", {"game": "pig", "players": 77}),
    ]
    for call, (is_refused, text) in zip(refused, called(Workshop(folder), refused), strict=True):
        assert is_refused and "secret: 1" not in text and "Traceback" not in text and "Errno" not in text, (call, text)
        assert call[0] == "read_file" or str(folder) not in text, (call, text)
    open_ = Workshop(folder, may_write=True)
    for path in ("../up.yaml", "run.py", ".hidden/x.yaml", "link.yaml"):
        with pytest.raises(ValueError, match=r"not inside|are written|is hidden"):
            open_.write_file(path, "x: 1\n")
    assert {file: file.read_bytes() for file in folder.parent.rglob("*") if file.is_file()} == before


@pytest.mark.filterwarnings("ignore")
def test_whatever_is_called_for_is_answered(folder: Path) -> None:
    """Also files whose names are no text, files of another kind, and paths that never end."""
    (folder / "\udcff.yaml").write_text("x: 1\n", encoding="utf-8")
    calls: list[Call] = [
        ("list_files", {}),
        ("test", {"path": "pig/game.yaml"}),
        ("write_file", {"path": "a/" * 2000 + "x.yaml", "text": "x: 1\n"}),
        ("validate", {"text": "x: 1\n", "name": "a/" * 2000 + "x.yaml"}),
        ("validate", {"text": "x: 1\n", "name": "n" * 500 + ".yaml"}),
    ]
    (_, listed), *refused = called(Workshop(folder, may_write=True), calls)
    assert "\ufffd.yaml" in listed
    assert [is_refused for is_refused, _ in refused] == [True] * 4
    for (_, text), said in zip(
        refused, ("pig/game.yaml:3:1: error HR203", "1000 characters", "name", "name"), strict=True
    ):
        assert said in text and str(folder) not in text


def test_files_are_named_as_the_tools_take_them_wherever_the_server_was_started(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "wrong").mkdir()
    (folder / "wrong" / "game.yaml").write_text("game: [", encoding="utf-8")
    tools = Workshop(folder)
    for place in (folder, folder.parent, folder / "pig"):
        monkeypatch.chdir(place)
        assert tools.validate("wrong").startswith("wrong/game.yaml:1")


def test_a_bundled_game_is_that_of_the_package_wherever_the_server_was_started(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "nim").mkdir()
    (tmp_path / "nim" / "game.yaml").write_text("secret: 1\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    opened = Workshop(folder)
    assert "secret" not in opened.read_file("bundled/nim/game.yaml")
    assert opened.game("nim").id == "nim"


def test_a_game_is_formatted_without_being_written(folder: Path) -> None:
    text = "edition: 2026\ngame: little\nplayers: 2\nvariables: {n: 0..9}\nflow: {play: {do: n+=1}}\n"
    assert "n += 1" in Workshop(folder).format(text)
    assert Workshop(folder).validate(text="game: [") != "valid: nothing to say"
    assert "game.yaml" in Workshop(folder).list_files()


def test_matches_that_take_too_long_are_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houserule.engine.tools.LONGEST", 0.0)
    tools = Workshop(tmp_path)
    for play in (lambda: tools.simulate("nim", 200), lambda: tools.compare("reversi", ["small"], 200)):
        with pytest.raises(Refused, match="ask for fewer"):
            play()


def scenarios_of_nim(folder: Path, files: int) -> Workshop:
    """A folder with a copy of a game, and so many files of scenarios."""
    shutil.copytree(houserule.find("nim"), folder / "nim")
    first = folder / "nim" / "scenarios" / "rules.yaml"
    for number in range(1, files):
        shutil.copy(first, first.with_name(f"copy{number}.yaml"))
    return Workshop(folder)


def test_scenarios_that_take_too_long_are_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = scenarios_of_nim(tmp_path, 1)
    assert tools.test("nim").endswith(" 0 failed") and tools.test("nim/scenarios") == tools.test("nim")
    monkeypatch.setattr("houserule.engine.tools.LONGEST", 0.0)
    with pytest.raises(Refused, match="these scenarios take longer"):
        tools.test("nim/scenarios/rules.yaml")


def test_games_that_take_too_long_are_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = scenarios_of_nim(tmp_path, 1)
    shutil.copytree(tmp_path / "nim", tmp_path / "other")
    (tmp_path / "other" / "game.yaml").write_text("game: [", encoding="utf-8")
    assert "other/game.yaml:1" in tools.validate() and "nim/" not in tools.validate()
    monkeypatch.setattr("houserule.engine.tools.LONGEST", 0.0)
    with pytest.raises(Refused, match="these files take longer"):
        tools.validate()
    with pytest.raises(Refused, match="the names of these files take longer"):
        tools.list_files()


def test_a_folder_in_which_games_are_looked_for_too_long_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one with many files of which none has rules, so that no game is reached between which to look at the time."""
    for number in range(3):
        (tmp_path / f"{number}.yaml").write_text("x: 1\n", encoding="utf-8")
    tools = Workshop(tmp_path)
    with pytest.raises(Refused, match=r"^there is no game '\.'"):
        tools.validate()
    monkeypatch.setattr("houserule.engine.tools.LONGEST", 0.0)
    with pytest.raises(Refused, match="these files take longer"):
        tools.validate()


def test_names_that_no_file_can_have_are_refused_in_a_sentence(folder: Path) -> None:
    tools, name = Workshop(folder, may_write=True), "n" * 300 + ".yaml"
    for call in (
        tools.read_file,
        tools.validate,
        tools.test,
        tools.show,
        lambda name: tools.write_file(name, "x: 1\n"),
    ):
        with pytest.raises(Refused, match=r"^'n+\.yaml' names no file: File name too long$"):
            call(name)
    with pytest.raises(Refused, match="names no file"):
        tools.game("pig", [name])


def test_scenarios_that_were_not_run_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = scenarios_of_nim(tmp_path, 3)
    monkeypatch.setattr("houserule.rehearsing.scenarios.MOST_PLAYED", 0)
    said = tools.test("nim")
    assert "HR588" in said and said.endswith("; not run to the end: 3 of 3 files")
