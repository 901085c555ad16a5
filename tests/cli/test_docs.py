"""`houserule docs` prints the manual, topic by topic, and `new game --from` copies a game of the library."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import houserule as rules
from houserule.bundled import bundled
from tests.bundled import LARGE
from tests.taking_long import but_later

from .conftest import Houserule

# --- the manual -------------------------------------------------------------------------------------------------------


def test_without_a_topic_all_are_listed_and_each_of_them_can_be_printed(houserule: Houserule) -> None:
    listed = houserule("docs")
    assert listed.exit_code == 0
    topics = [line.strip() for line in listed.stdout.splitlines() if line.startswith("  ")]
    assert {"triggers", "who wins", "players who are out", "one more lamp card"} <= set(topics)
    assert "messages: " in listed.stdout
    for topic in topics:
        assert houserule("docs", topic).exit_code == 0, topic


@pytest.mark.parametrize(
    ("words", "begins", "has"),
    [
        (["triggers"], "Triggers", "A trigger runs whenever something else happens."),
        (["Moving", "pieces"], "Moving pieces", "rotate FAMILY by N"),
        (["5-who-wins"], "5. Who wins", "Draws, defeats, and victories of all"),
        (["refill"], "Zones", "A refill happens when a draw needs a piece"),
        (["glossary"], "Glossary", "score sheet"),
        (["lamp", "card"], "One more lamp card", "spyglass"),
        (["ladder"], "The ladder", "kingmaking"),
        (["comebacks"], "Tension and choices", "comebacks"),
    ],
)
def test_a_topic_is_a_page_a_heading_a_part_of_one_or_a_word_of_the_index(
    houserule: Houserule, words: list[str], begins: str, has: str
) -> None:
    shown = houserule("docs", *words)
    assert shown.exit_code == 0
    printed = " ".join(shown.stdout.replace("┃", " ").replace("│", " ").split())
    assert begins in printed[:60]
    assert has in printed


@pytest.mark.parametrize(
    ("topic", "said", "help"),
    [
        ("trigers", "the manual has no topic 'trigers'", "did you mean 'triggers'?"),
        ("xyzzy", "the manual has no topic 'xyzzy'", "`houserule docs` lists the topics"),
        ("HR501", "'HR501' is the code of a message", "houserule explain HR501"),
        ("ing", "'ing' could be several topics", "one of: "),
    ],
)
def test_a_topic_that_is_none_leaves_with_two_and_says_what_to_type(
    houserule: Houserule, topic: str, said: str, help: str
) -> None:
    result = houserule("docs", topic)
    assert result.exit_code == 2
    assert said in result.stderr
    assert help in result.stderr


def test_the_place_of_the_manual_can_be_asked_for_and_opened(
    houserule: Houserule, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Path(houserule("docs", "--path").stdout.strip()) == bundled("docs")
    assert Path(houserule("docs", "operations", "--path").stdout.strip()).name == "operations.md"
    opened: list[str] = []
    monkeypatch.setattr("typer.launch", opened.append)
    assert houserule("docs", "--open").exit_code == 0
    assert houserule("docs", "lamp card", "--open").exit_code == 0
    assert [Path(file).name for file in opened] == ["language.md", "cookbook.md"]
    monkeypatch.setattr("typer.launch", lambda _: 1)
    result = houserule("docs", "--open")
    assert result.exit_code == 2 and f"help: it is '{bundled('docs') / 'language.md'}'" in result.stderr


# --- a copy of a game -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "original", but_later(rules.games(), {*rules.games()} - {"ali_baba", "hearts", "nim", "pig", "yahtzee"})
)
def test_each_game_of_the_library_can_be_copied_under_another_name(houserule: Houserule, original: str) -> None:
    made = houserule("new", "game", "mine/attic", "--from", original)
    assert made.exit_code == 0
    assert made.stdout.splitlines()[0] == f"Made mine/attic, a copy of {original}. Try:"
    files = [file.relative_to("mine/attic").as_posix() for file in Path("mine/attic").rglob("*.yaml")]
    source = rules.find(original)
    assert sorted(files) == sorted(file.relative_to(source).as_posix() for file in source.rglob("*.yaml"))
    for file in Path("mine/attic").rglob("*.yaml"):
        text = file.read_text(encoding="utf-8")
        assert not re.search(rf"^(game|of): {original}\b", text, re.MULTILINE)
        assert "$schema=../" not in text
    # The house rules and scenarios of one large game will do: in those of others nothing else is changed.
    less = ["--rules-only"] if original in LARGE and original != "ali_baba" else []
    assert houserule("validate", "mine/attic", "--strict", *less).stderr == ""
    assert rules.load("mine/attic").id == "attic"


def test_a_copy_of_what_is_no_game_is_refused_and_leaves_nothing(houserule: Houserule, storms: str) -> None:
    assert "there is no game and no file 'aladin'" in houserule("new", "game", "mine", "--from", "aladin").stderr
    assert "already exists" in houserule("new", "game", "storms", "--from", storms).stderr
    Path("record.yaml").write_text("players: 2\n", encoding="utf-8")
    result = houserule("new", "game", "mine", "--from", "record.yaml")
    assert result.exit_code == 2
    assert not Path("mine").exists()


def test_a_copy_of_a_game_that_cannot_be_read_is_refused_and_leaves_nothing(houserule: Houserule, storms: str) -> None:
    last = Path(storms) / "scenarios" / "zephyr.yaml"
    last.write_bytes(b"variant: z\xe9phyr\n")
    result = houserule("new", "game", "mine", "--from", storms)
    assert result.exit_code == 2
    assert result.stderr == f"houserule: '{last}' cannot be read: it is not UTF-8\n"
    assert not Path("mine").exists()


def test_the_first_line_of_new_files_leads_to_the_schema_of_this_version_wherever_they_go(
    houserule: Houserule, storms: str
) -> None:
    for file in Path(storms).rglob("*.yaml"):
        first = file.read_text(encoding="utf-8").splitlines()[0]
        kind = "scenario" if file.parent.name == "scenarios" else "game"
        assert re.fullmatch(
            rf"# yaml-language-server: \$schema=https://\S+/(main|v[0-9.]+)/schema/{kind}\.schema\.json", first
        )
