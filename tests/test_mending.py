"""What a fix says is put into its file: exactly there, whole or not at all, and in no other folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import houserule
from houserule.cli.application import application
from houserule.diagnostics import Diagnostic, Fix, Span, certain, is_one_slip, near
from houserule.mending import mend, with_fixes
from houserule.reading import keep_lines

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
winner: {most: me.score * total}
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
    for name in names:
        keep_lines(str(tmp_path / name), ["one", ""])
    found = mend([wrong(1, 1, 4, "1", str(tmp_path / name)) for name in names], [tmp_path / "inside"])
    assert [Path(m.file).name for m in found] == ["a.yaml"]


def test_a_file_that_has_changed_since_it_was_checked_is_left_alone(game: Path) -> None:
    file = game / "game.yaml"
    found = houserule.validate(game)
    text = file.read_text(encoding="utf-8")
    for same in (text, text.replace("\n", "\r\n"), f"\ufeff{text}"):
        file.write_bytes(same.encode())
        assert [m.file for m in mend(found, [game])] == [str(file)]
    file.write_text(f"# a line more\n{text}", encoding="utf-8")
    assert mend(found, [game]) == []


# --- the command --------------------------------------------------------------------------------------------------------


def test_fix_mends_says_what_and_checks_again(game: Path) -> None:
    code, _, said = run(str(game), "--fix")
    assert "me.score = total" in (game / "game.yaml").read_text(encoding="utf-8")
    assert "game.yaml:9:10: fixed HR502: now 'score'" in said
    assert "game.yaml:9:18: fixed HR501: now 'total'" in said
    # What is left is what nobody can mend for certain: a variable that never changes.
    assert [d.code for d in houserule.validate(game)] == ["HR571"]
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


def test_a_file_of_another_edition_stays_of_it(game: Path) -> None:
    file = game / "game.yaml"
    later = GAME.replace("me.scroe = totl", "me.score += total").replace("edition: 2026", "edition: 2027")
    file.write_text(later, encoding="utf-8")
    code, _, said = run(str(game), "--fix")
    assert file.read_text(encoding="utf-8") == later
    assert code == 1 and "help: a file of a later edition needs a later version of Houserule\n" in said


# --- what certainly can be mended ---------------------------------------------------------------------------------------

TINY = """\
edition: 2026
game: tiny
players: 2
components: {card: {attributes: {rank: 1..9}, starts_in: deck, pieces: {low: {rank: 1}, high: {rank: 9}}}}
zones: {deck: {holds: card, visible: none}, hand(player): {holds: card, visible: owner}}
variables: {score(player): int, total: int = 3}
functions: {seven: 3 + 4}
flow:
  round:
    turns: players
    do: |
      draw 1 from deck to me.hand
      total += 1
      total += seven
"""
EFFECTS = [
    ("me.scroe += 1", "me.score += 1"),
    ("me.score = totl", "me.score = total"),
    ("darw 1 from deck to me.hand", "draw 1 from deck to me.hand"),
    ("if me.score == 1 && total == 2: me.score = 0", "if me.score == 1 and total == 2: me.score = 0"),
    ("if me.score == 1&&total == 2: me.score = 0", "if me.score == 1 and total == 2: me.score = 0"),
    ("if !empty(deck): me.score = 0", "if not empty(deck): me.score = 0"),
    ("if me.score <> 2: me.score = 0", "if me.score != 2: me.score = 0"),
    ("if me.score ≤ 2: me.score = 0", "if me.score <= 2: me.score = 0"),
    ("me.score := 3", "me.score = 3"),
    ("me.score = 012", "me.score = 12"),
    ("me.score = 1,000", "me.score = 1000"),
    ("me.score = seven()", "me.score = seven"),
    ("say 'Well done!'", 'say "Well done!"'),
    ("say “Well done!”", 'say "Well done!"'),
    ("say „Gut gemacht!“", 'say "Gut gemacht!"'),
    ("if me.score = 3: me.score = 0", "if me.score == 3: me.score = 0"),
    ("me.score == 3", "me.score = 3"),
    ("if me.score > 3 then me.score = 0", "if me.score > 3: me.score = 0"),
    ("if me.score > 3\n  me.score = 0", "if me.score > 3:\n  me.score = 0"),
    ("if 1 <= me.score <= 3: me.score = 0", "if 1 <= me.score and me.score <= 3: me.score = 0"),
    (
        "if me.score > 3: me.score = 0\nelse if total > 3: nothing",
        "if me.score > 3: me.score = 0\nelif total > 3: nothing",
    ),
    ("l = [c in deck where c.rank > 3]\nmove l to me.hand", "l = (c in deck where c.rank > 3)\nmove l to me.hand"),
    (
        "choose card from me.hand or pass\nif card: move card to deck",
        "choose card or pass from me.hand\nif card: move card to deck",
    ),
    ("choose a card from me.hand\nif card: move card to deck", "choose card from me.hand\nif card: move card to deck"),
    ("for p in players wehre p.score > 1: p.score = 0", "for p in players where p.score > 1: p.score = 0"),
    ("for p ni players: p.score = 0", "for p in players: p.score = 0"),
    ("while total < 9:\n  total += 1\n  break", "while total < 9:\n  total += 1\n  leave"),
    ("me.score = +3", "me.score = 3"),
    ("me.score += total!", "me.score += total"),
    ("me.score = \t3", "me.score =  3"),
]
FILES = [
    ("{holds: card, visible: none}", "{hold: card, visible: none}", "{holds: card, visible: none}"),
    ("    turns: players", "    title: Round: one\n    turns: players", '    title: "Round: one"\n    turns: players'),
    ("    turns: players", "    title: @ home\n    turns: players", '    title: "@ home"\n    turns: players'),
    ("    turns: players", "    title: {me} goes\n    turns: players", '    title: "{me} goes"\n    turns: players'),
    (
        "    turns: players",
        "    title: {en: One, two}\n    turns: players",
        '    title: {en: "One, two"}\n    turns: players',
    ),
    ("    turns: players", '    title: "a\\game"\n    turns: players', '    title: "a\\\\game"\n    turns: players'),
    ("    turns: players", "    turns:players", "    turns: players"),
    ("flow:", "flow", "flow:"),
    ("do: |", "do: >", "do: |"),
    ("do: |", "do:|", "do: |"),
    ("do: |", "do |", "do: |"),
    ("do: |", "do:", "do: |"),
    ("{seven: 3 + 4}", "{seven:3 + 4}", "{seven: 3 + 4}"),
    ("{seven: 3 + 4}", "{seven: sum([3, 4])}", '{seven: "sum([3, 4])"}'),
    ("{seven: 3 + 4}", "{seven: max(3, 4)}", '{seven: "max(3, 4)"}'),
]


def mended(text: str, folder: Path) -> tuple[str, list[Diagnostic]]:
    """A game after `--fix`, and what is wrong with it then."""
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    run(str(folder), "--fix")
    return (folder / "game.yaml").read_text(encoding="utf-8"), houserule.validate(folder)


@pytest.mark.parametrize(("wrong", "right"), EFFECTS)
def test_what_was_meant_in_an_effect_is_put_there(wrong: str, right: str, tmp_path: Path) -> None:
    def text(effect: str) -> str:
        return TINY + "".join(f"      {line}\n" for line in effect.split("\n")) + "winner: {most: me.score}\n"

    found, left = mended(text(wrong), tmp_path)
    assert found == text(right)
    assert not [d for d in left if d.severity == "error"]


@pytest.mark.parametrize(("sound", "wrong", "right"), FILES)
def test_what_was_meant_in_a_file_is_put_there(sound: str, wrong: str, right: str, tmp_path: Path) -> None:
    whole = TINY + "      if total > 99: me.score += 1\nwinner: {most: me.score}\n"
    found, left = mended(whole.replace(sound, wrong, 1), tmp_path)
    assert found == whole.replace(sound, right, 1)
    assert not [d for d in left if d.severity == "error"]


def test_a_file_indented_with_tabs_is_indented_with_blanks(tmp_path: Path) -> None:
    text = "edition: 2026\ngame: tiny\nplayers: 2\nflow:\n\tround:\n\t\tdo: nothing\n"
    assert mended(text, tmp_path) == (text.replace("\t", "  "), [])


@pytest.mark.parametrize(
    "effect",
    [
        "me.score = 3 ** 2",  # means several things
        'say "Well done!',  # where it was to end is not known
        "me.score = 1.5",
    ],
)
def test_what_is_not_certain_is_left_to_its_author(effect: str, tmp_path: Path) -> None:
    text = TINY + f"      {effect}\nwinner: {{most: me.score}}\n"
    assert mended(text.replace("total += 1", "nothing"), tmp_path)[0] == text.replace("total += 1", "nothing")


def test_scenarios_that_nothing_divides_are_divided(game: Path) -> None:
    (game / "game.yaml").write_text(GAME.replace("scroe", "score").replace("totl", "total"), encoding="utf-8")
    (game / "scenarios").mkdir()
    file = game / "scenarios" / "two.yaml"
    text = "of: tiny\nplayers: [anna, ben]\n---\nscenario: one\nexpect: [total == 3]\n\n{}scenario: two\nexpect: [total == 3]\n"
    file.write_text(text.format(""), encoding="utf-8")
    assert "another scenario begins here" in run(str(file))[2]
    run(str(file), "--fix")
    assert file.read_text(encoding="utf-8") == text.format("---\n")
    assert not [d for d in houserule.validate(file) if d.severity == "error"]


def test_a_name_that_is_misspelt_where_it_is_declared_is_not_put_wherever_it_is_used(tmp_path: Path) -> None:
    text = TINY.replace("total: int", "totl: int") + "winner: {most: me.score}\n"
    assert mended(text, tmp_path)[0] == text
