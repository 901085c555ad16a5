"""What a fix says is put into its file: exactly there, whole or not at all, and in no other folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import interpreter
from interpreter.cli.application import application
from interpreter.diagnostics import Diagnostic, Fix, Span, certain, is_one_slip, near
from interpreter.mending import mend, with_fixes, write

GAME = """\
edition: 2026
game: tiny
players: 2
variables: {score(player): int, total: int = 3}
flow:
  round:
    turns: players
    do: |
      me.scroe = totl
winner: {most: me.score}
"""


def wrong(line: int, column: int, end: int, text: str, file: str = "game.yaml") -> Diagnostic:
    """A diagnostic whose fix puts a text in the place of some columns of a line."""
    span = Span(file, line, column, line, end)
    return Diagnostic("HR501", "error", "wrong", span, fix=Fix(span, text))


@pytest.fixture
def game(tmp_path: Path) -> Path:
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny" / "game.yaml").write_text(GAME, encoding="utf-8")
    return tmp_path / "tiny"


def run(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(application, ["validate", *words])
    return done.exit_code, done.stdout, done.stderr


# --- which word was meant -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("a", "b"), [("deck", "dekc"), ("deck", "dec"), ("dec", "deck"), ("deck", "desk")])
def test_one_letter_makes_a_slip(a: str, b: str) -> None:
    assert is_one_slip(a, b)


@pytest.mark.parametrize(("a", "b"), [("deck", "hand"), ("deck", "dock_"), ("me", "he"), ("for", "foo")])
def test_two_letters_are_no_slip_nor_is_a_wrong_one_among_three(a: str, b: str) -> None:
    assert not is_one_slip(a, b)


def test_a_word_is_certain_only_where_no_other_is_near() -> None:
    assert certain("scroe", ["score", "total"]) == "score"
    assert certain("Score", ["score", "total"]) == "score"
    assert certain("card", ["cards", "cart"]) is None
    assert near("card", ["cards", "cart"]) == ["cards", "cart"]
    assert certain("scoring", ["score"]) is None


# --- texts --------------------------------------------------------------------------------------------------------------


def test_fixes_are_put_in_from_the_first_to_the_last_and_overlapping_ones_wait() -> None:
    text, done = with_fixes("one two three\nfour\n", [wrong(2, 1, 5, "4"), wrong(1, 5, 8, "2"), wrong(1, 7, 12, "x")])
    assert text == "one 2 three\n4\n"
    assert [d.span.line for d in done] == [1, 2]


def test_two_diagnostics_may_want_the_same_fix() -> None:
    text, done = with_fixes("one two", [wrong(1, 1, 4, "1"), wrong(1, 1, 4, "1")])
    assert (text, len(done)) == ("1 two", 2)


def test_line_breaks_and_a_mark_before_the_text_stay_as_they_are() -> None:
    text, _ = with_fixes("\ufeffone\r\ntwo\rthree\n", [wrong(1, 1, 2, "O"), wrong(2, 1, 2, "T"), wrong(3, 1, 2, "TH")])
    assert text == "\ufeffOne\r\nTwo\rTHhree\n"


def test_a_place_that_is_not_there_is_left_alone() -> None:
    assert with_fixes("one\n", [wrong(9, 1, 2, "x"), wrong(1, 30, 40, "x")]) == ("one\n", [])


# --- files --------------------------------------------------------------------------------------------------------------


def test_only_files_in_the_folders_are_mended(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    for name in ("inside/a.yaml", "outside.yaml"):
        (tmp_path / name).write_text("one\n", encoding="utf-8")
    (tmp_path / "inside" / "link.yaml").symlink_to(tmp_path / "outside.yaml")
    names = ("inside/a.yaml", "outside.yaml", "inside/link.yaml", "inside/missing.yaml")
    found = mend([wrong(1, 1, 4, "1", str(tmp_path / name)) for name in names], [tmp_path / "inside"])
    assert [Path(m.file).name for m in found] == ["a.yaml"]


def test_a_file_is_written_whole_and_keeps_its_rights(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("one\n", encoding="utf-8")
    path.chmod(0o640)
    write(path, "zwei\r\n")
    assert path.read_bytes() == b"zwei\r\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_is_followed_not_replaced(tmp_path: Path) -> None:
    path, link = tmp_path / "a.yaml", tmp_path / "b.yaml"
    path.write_text("one\n", encoding="utf-8")
    link.symlink_to(path)
    write(link, "two\n")
    assert link.is_symlink()
    assert path.read_text(encoding="utf-8") == "two\n"


# --- the command --------------------------------------------------------------------------------------------------------


def test_fix_mends_says_what_and_checks_again(game: Path) -> None:
    code, _, said = run(str(game), "--fix")
    assert "me.score = total" in (game / "game.yaml").read_text(encoding="utf-8")
    assert "game.yaml:9:10: mended HR502: here stands 'score' now" in said
    assert "game.yaml:9:18: mended HR501: here stands 'total' now" in said
    # What is left is what nobody can mend for certain: a variable that never changes.
    assert [d.code for d in interpreter.validate(game)] == ["HR571"]
    assert code == 0
    assert run(str(game), "--fix")[2] == run(str(game))[2]


def test_diff_shows_the_same_and_writes_nothing(game: Path) -> None:
    code, shown, _ = run(str(game), "--diff")
    assert code == 1
    assert "-      me.scroe = totl\n+      me.score = total\n" in shown
    assert (game / "game.yaml").read_text(encoding="utf-8") == GAME


def test_a_sound_game_is_left_alone(game: Path) -> None:
    (game / "game.yaml").write_text(GAME.replace("me.scroe = totl", "me.score += 1\n      total = 2"), encoding="utf-8")
    before = (game / "game.yaml").stat().st_mtime_ns
    run(str(game), "--fix")
    assert (game / "game.yaml").stat().st_mtime_ns == before
