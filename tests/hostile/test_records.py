"""Forged records end in a sentence, whatever is written in them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

import houserule
from houserule import InvalidRecord, Record, RuleFault
from houserule.cli.application import application
from houserule.match.record import mistakes, schema

GAME = """\
edition: 2026
game: mushrooms
title: {en: Mushrooms, de: Pilze}
players: 2..3
options: {most: {type: 1..9, default: 3}}
variables: {found(player): 0..99, n: int}
flow:
  round:
    repeat: most
    turns: players
    do: |
      choose "How many?":
        "one": me.found += 1
        "two": me.found += 2
scoring: {found: {points: me.found}}
winner: {most: points, tie: shared}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a game in it."""
    made = tmp_path_factory.mktemp("records")
    (made / "mushrooms").mkdir()
    (made / "mushrooms" / "game.yaml").write_text(GAME, encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def sound(folder: Path) -> dict[str, Any]:
    """A record as `play` writes it."""
    match = houserule.load(folder / "mushrooms").start(["ann", "bob"], seed=1)
    for _ in range(3):
        match.answer(match.pending[0].player, "one")
    match.record.save(folder / "sound.json")
    found: dict[str, Any] = json.loads((folder / "sound.json").read_text(encoding="utf-8"))
    return found


def command(*words: str) -> subprocess.CompletedProcess[str]:
    """What the command does in a process of its own."""
    run = [sys.executable, "-m", "houserule", *words]
    return subprocess.run(run, capture_output=True, check=False, text=True, encoding="utf-8")


def refused(text: str, folder: Path) -> str:
    """What is said of a forged record; nothing where it is as good as a true one."""
    file = folder / "forged.json"
    file.write_text(text, encoding="utf-8", errors="surrogatepass")
    try:
        houserule.replay(Record.load(file))
    except (InvalidRecord, RuleFault) as wrong:
        return str(wrong)
    return ""


HUGE = int("9" * 4000)
FORGED: dict[str, Any] = {
    "a seed of words": {"seed": "seven"},
    "a seed with a comma": {"seed": 1.5},
    "a seed that is true": {"seed": True},
    "players of numbers": {"players": [1, 2]},
    "players as a word": {"players": "ab"},
    "nobody": {"players": []},
    "one player": {"players": ["ann"]},
    "thousands of players": {"players": [f"p{number}" for number in range(5000)]},
    "twins": {"players": ["ann", "ann"]},
    "other players": {"players": ["ann", "carl"]},
    "half a character": {"players": ["ann", "\ud800"]},
    "an unknown language": {"language": "tlh"},
    "a language of numbers": {"language": 3},
    "another game": {"game": "chess", "path": None},
    "a game in a list": {"game": ["mushrooms"]},
    "other rules": {"rules": "0" * 16},
    "rules of numbers": {"rules": 7},
    "a path of numbers": {"path": 7},
    "a path that is none": {"path": "\0"},
    "a path that is far too long": {"path": "a/" * 5000},
    "an unknown option": {"options": {"least": 1}},
    "an option that it cannot have": {"options": {"most": 10}},
    "an option of many digits": {"options": {"most": HUGE}},
    "an option with other digits": {"options": {"most": "²"}},
    "an option in a map": {"options": {"most": {"most": 3}}},
    "options in a list": {"options": [1]},
    "an unknown variant": {"variants": ["none"]},
    "variants of numbers": {"variants": [1]},
    "variants in a map": {"variants": {"a": 1}},
    "an answer too many": {"answers": [["ann", "one"]] * 4},
    "answers without end": {"answers": [["ann", "one"]] * 100_000},
    "an answer of nobody": {"answers": [["carl", "one"]]},
    "an answer out of range": {"answers": [["ann", "three"]]},
    "an answer of numbers": {"answers": [["ann", 1]]},
    "an answer in three parts": {"answers": [["ann", "one", "two"]]},
    "an answer in a map": {"answers": [{"ann": "one"}]},
    "answers of nothing": {"answers": None},
    "another format": {"houserule record": 4},
    "a format in a list": {"houserule record": [1]},
    "a format of a word": {"houserule record": "1"},
}


@pytest.mark.parametrize("what", FORGED)
def test_a_forged_record_is_refused_in_a_sentence(what: str, folder: Path, sound: dict[str, Any]) -> None:
    said = refused(json.dumps(sound | FORGED[what]), folder)
    assert said
    assert "\n" not in said
    assert len(said) < 600


WRITTEN = {
    "what is no number": lambda text: text.replace('"seed": 1', '"seed": NaN'),
    "what is without an end": lambda text: text.replace('"seed": 1', '"seed": Infinity'),
    "a number beyond all": lambda text: text.replace('"seed": 1', '"seed": 1e999'),
    "five thousand digits": lambda text: text.replace('"seed": 1', f'"seed": {"9" * 5000}'),
    "a key twice": lambda text: text.replace('"seed": 1', '"seed": 1, "seed": 1'),
    "lists in lists": lambda text: text.replace('"answers":', f'"more": {"[" * 100_000}{"]" * 100_000}, "answers":'),
    "maps in maps": lambda text: text.replace('"seed": 1', '"seed": ' + '{"a":' * 50_000 + "1" + "}" * 50_000),
    "nothing": lambda _: "",
    "a list": lambda text: f"[{text}]",
    "half of it": lambda text: text[: len(text) // 2],
    "far too much": lambda text: text + " " * 9_000_000,
    "a sign of another order": lambda text: "\ufeff" + text,
}


@pytest.mark.parametrize("what", WRITTEN)
def test_what_is_no_record_is_refused_in_a_sentence(what: str, folder: Path, sound: dict[str, Any]) -> None:
    assert "this is not the record of a match: " in refused(WRITTEN[what](json.dumps(sound)), folder)


def test_the_command_says_so_and_leaves_as_after_a_wrong_call(folder: Path, sound: dict[str, Any]) -> None:
    (folder / "forged.json").write_text(json.dumps(sound | {"players": ["\x1b[31m", "x"] * 4}), encoding="utf-8")
    for words in (["replay"], ["play", "--seats", "random"]):
        found = command(*words, str(folder / "forged.json"))
        assert (found.returncode, found.stdout) == (2, "")
        assert found.stderr.startswith("houserule: ")
        assert "\x1b" not in found.stderr


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | st.just(HUGE),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=8,
)
KEYS = [*schema()["properties"], "unknown"]


@settings(max_examples=60)
@given(forged=st.dictionaries(st.sampled_from(KEYS), JUNK, max_size=3))
def test_whatever_is_forged_ends_in_a_sentence_or_in_a_match(
    forged: dict[str, Any], folder: Path, sound: dict[str, Any]
) -> None:
    refused(json.dumps(sound | forged), folder)
    try:
        houserule.replay(Record.from_json(sound | forged, folder))
    except (InvalidRecord, RuleFault) as wrong:
        assert str(wrong)


@settings(max_examples=60)
@given(
    answers=st.lists(st.tuples(st.sampled_from(["ann", "bob", "x", ""]), st.text(max_size=6) | st.just("one"))),
    players=st.lists(st.text(max_size=5), max_size=4),
)
def test_whatever_was_answered_ends_in_a_sentence_or_in_a_match(
    answers: list[tuple[str, str]], players: list[str], folder: Path, sound: dict[str, Any]
) -> None:
    for forged in ({"answers": answers}, {"players": players}):
        refused(json.dumps(sound | {key: list(value) for key, value in forged.items()}), folder)


@settings(max_examples=200)
@given(forged=st.dictionaries(st.sampled_from(KEYS), JUNK, max_size=3))
def test_the_shape_of_a_record_is_that_of_its_schema(forged: dict[str, Any], sound: dict[str, Any]) -> None:
    value = json.loads(json.dumps(sound | forged)) if "NaN" not in repr(forged) else sound
    text = json.dumps(value, ensure_ascii=False)
    if any("\ud800" <= sign <= "\udfff" for sign in text) or any(isinstance(one, float) for one in forged.values()):
        return
    assert (next(mistakes(value, schema()), None) is None) == Draft202012Validator(schema()).is_valid(value)


# --- what a record is of ------------------------------------------------------------------------------------------------


def test_rules_that_are_edited_during_a_match_do_not_lend_it_their_hash(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(GAME, encoding="utf-8")
    game = houserule.load(tmp_path)
    match = game.start(2, seed=1)
    before = match.record.rules
    file.write_text(GAME.replace("+= 2", "+= 3"), encoding="utf-8")
    match.answer(match.pending[0].player, "two")
    assert match.record.rules == before == game.rules_hash
    match.record.save(tmp_path / "match.json")
    with pytest.raises(InvalidRecord, match="the rules of 'mushrooms' have changed"):
        houserule.replay(Record.load(tmp_path / "match.json"))


def test_a_game_that_has_moved_is_named(folder: Path, sound: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "here" / "match.json"
    file.parent.mkdir()
    file.write_text(json.dumps(sound), encoding="utf-8")
    with pytest.raises(InvalidRecord, match="houserule replay FILE GAME"):
        houserule.replay(Record.load(file))
    again = houserule.replay(Record.load(file), folder / "mushrooms")
    assert len(again.answers) == 3
    for words, code, told in (
        (("replay", str(file)), 2, "houserule replay FILE GAME"),
        (("replay", str(file), str(folder / "mushrooms")), 0, "Mushrooms"),
        (("play", str(file), "--game", str(folder / "mushrooms"), "--seats", "random"), 0, "Score sheet"),
    ):
        done = CliRunner().invoke(application, words)
        assert (done.exit_code, told in done.output) == (code, True), done.output


def test_a_record_moves_with_its_game(folder: Path, sound: dict[str, Any], tmp_path: Path) -> None:
    assert sound["path"] == "mushrooms"
    (tmp_path / "mushrooms").mkdir()
    (tmp_path / "mushrooms" / "game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "sound.json").write_text(json.dumps(sound), encoding="utf-8")
    assert houserule.replay(Record.load(tmp_path / "sound.json")).game.path == tmp_path / "mushrooms"
    assert folder != tmp_path


def test_a_record_in_another_folder_finds_its_game_and_its_house_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both lie in the folder of the record, and are named from where somebody stood."""
    (tmp_path / "all" / "mushrooms").mkdir(parents=True)
    (tmp_path / "all" / "mushrooms" / "game.yaml").write_text(GAME, encoding="utf-8")
    rule = "variant: four\nof: mushrooms\ntitle: Four\nchange: {players: 2..4}\n"
    (tmp_path / "all" / "four.yaml").write_text(rule, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    match = houserule.load("all/mushrooms", variants=["all/four.yaml"]).start(4, seed=1)
    match.answer(match.pending[0].player, "one")
    match.record.save("all/match.json")
    written = json.loads((tmp_path / "all" / "match.json").read_text(encoding="utf-8"))
    assert (written["path"], written["variants"]) == ("mushrooms", ["four.yaml"])
    monkeypatch.chdir(tmp_path / "all" / "mushrooms")
    again = houserule.replay(Record.load("../match.json"))
    again.answer(again.pending[0].player, "two")
    again.record.save("../match.json")
    assert json.loads((tmp_path / "all" / "match.json").read_text(encoding="utf-8"))["variants"] == ["four.yaml"]
    assert len(houserule.replay(Record.load(tmp_path / "all" / "match.json")).answers) == 2
