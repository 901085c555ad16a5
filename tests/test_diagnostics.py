"""How a diagnostic reads as text."""

from __future__ import annotations

import pickle

from houserule.diagnostics import Diagnostic, Related, Report, Span, did_you_mean, nearest, render


def rendered(text: str, column: int, end_column: int, line: int = 1, end_line: int | None = None) -> str:
    lines = text.split("\n")
    span = Span("game.yaml", line, column, end_line or line, end_column)
    found = Diagnostic("HR999", "error", "a sentence", span)
    return render(found, lambda _, number: lines[number - 1] if number <= len(lines) else None)


def test_a_diagnostic_shows_place_sentence_line_carets_and_help() -> None:
    line = "      wish: draw hand from chest[gold]"
    span = Span("games/x/variants/mine.yaml", 14, 18, 14, 22)
    found = Diagnostic(
        "HR512", "error", "draw's count is a number, but 'hand' is a zone", span, "draw 2 from chest[gold]"
    )
    assert render(found, lambda _, number: line if number == 14 else None) == (
        "games/x/variants/mine.yaml:14:18: error HR512: draw's count is a number, but 'hand' is a zone\n"
        "   14 |       wish: draw hand from chest[gold]\n"
        "      |                  ^^^^\n"
        "   help: draw 2 from chest[gold]\n"
        "   see:  houserule explain HR512"
    )


def test_another_place_is_shown_with_its_own_line() -> None:
    lines = ["deck: 1", "deck: 2"]
    span, first = Span("game.yaml", 2, 1, 2, 5), Span("game.yaml", 1, 1, 1, 5)
    found = Diagnostic("HR113", "error", "'deck' stands twice", span, None, (Related("the first is here", first),))
    assert render(found, lambda _, number: lines[number - 1]) == (
        "game.yaml:2:1: error HR113: 'deck' stands twice\n"
        "    2 | deck: 2\n"
        "      | ^^^^\n"
        "   note: the first is here: game.yaml:1:1\n"
        "    1 | deck: 1\n"
        "      | ^^^^\n"
        "   see:  houserule explain HR113"
    )


def test_carets_stand_under_the_words_also_behind_wide_characters() -> None:
    assert rendered("阿拉丁: hand", 6, 10).split("\n")[2] == "      |         ^^^^"
    assert rendered("hand: 阿拉丁", 7, 10).split("\n")[2] == "      |       ^^^^^^"


def test_an_accent_that_is_a_character_of_its_own_takes_no_column() -> None:
    assert rendered("cafe\u0301: hand", 8, 12).split("\n")[2] == "      |       ^^^^"


def test_a_long_line_is_cut_around_the_place() -> None:
    text = "a" * 300 + "HERE" + "b" * 300
    _, shown, carets, _ = rendered(text, 301, 305).split("\n")
    assert len(shown) < 120
    assert shown.startswith("    1 | …")
    assert shown.endswith("…")
    assert shown[carets.index("^") : carets.rindex("^") + 1] == "HERE"


def test_a_place_over_several_lines_is_marked_to_the_end_of_the_first() -> None:
    assert rendered("do: one\n  two", 5, 6, 1, 2).split("\n")[2] == "      |     ^^^"


def test_an_empty_place_has_one_caret() -> None:
    assert rendered("title:", 7, 7).split("\n")[2] == "      |       ^"


def test_a_tab_takes_one_column() -> None:
    assert rendered("\tdo: x", 2, 4).split("\n")[1:3] == ["    1 |  do: x", "      |  ^^"]


def test_without_the_file_the_sentence_stands_alone() -> None:
    found = Diagnostic("HR101", "error", "there is no file 'x'", Span("x"), "did you mean 'y'?")
    assert render(found, lambda _file, _line: None) == (
        "x:1:1: error HR101: there is no file 'x'\n   help: did you mean 'y'?\n   see:  houserule explain HR101"
    )


def test_a_report_says_nothing_twice_and_keeps_the_order_of_the_file() -> None:
    report = Report()
    report.error("HR201", "second", Span("game.yaml", 2))
    report.warning("HR134", "first", Span("game.yaml", 1))
    report.error("HR201", "second", Span("game.yaml", 2))
    assert [d.message for d in report.diagnostics] == ["first", "second"]
    assert report.has_errors


def test_the_nearest_word_is_meant() -> None:
    assert nearest("hodls", ["holds", "visible"]) == "holds"
    assert nearest("Deck", ["deck"]) == "deck"
    assert nearest("card_duke", ["captain", "duke"]) == nearest("duke_of_york", ["captain", "duke"]) == "duke"
    assert nearest("card_duke", ["duke", "card"]) is None, "two could be meant"
    assert did_you_mean("xyz", ["holds", "visible"]) is None


def test_names_are_compared_only_so_often() -> None:
    report = Report()
    names = [f"name_{number:04}x" for number in range(1000)]
    for line in range(50):
        report.misnamed("HR501", f"line {line}", Span("game.yaml", line), f"name_{line:04}y", names)
    assert report.found[0].help == "did you mean 'name_0000x'?"
    assert report.found[-1].help is None


def test_a_suggested_word_is_data_and_survives_being_kept() -> None:
    report = Report()
    report.misnamed("HR501", "there is no 'forrest'", Span("game.yaml", 1, 1, 1, 8), "forrest", ["forest", "meadow"])
    (found,) = report.found
    assert (found.meant, found.help) == ("forest", "did you mean 'forest'?")
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    assert (again.meant, again.help) == (found.meant, found.help)
    report.error("HR502", "there is no 'x'", Span("game.yaml", 2, 1, 2, 2), "one of: forest")
    assert report.found[1].meant is None


def test_what_a_sentence_quotes_of_a_huge_file_is_cut() -> None:
    report = Report()
    report.error("HR999", "got '" + "9" * 200_000 + "'", Span("game.yaml"), "'" * 200_000)
    (found,) = report.found
    assert len(found.message) <= 1_000 and found.help is not None and len(found.help) <= 1_000
