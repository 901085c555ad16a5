"""What the reader makes of files: values, places, and every way in which a file can be bad."""

from __future__ import annotations

import os
import random
import re
import tempfile
import time
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

import houserule.source.read
from houserule.diagnostics import Report, Span
from houserule.reading import MOST_BYTES
from houserule.source import Mapping, Scalar, Sequence, plain, read_file
from tests.reading import read_documents, read_text


def read(text: str) -> tuple[Mapping | None, Report]:
    report = Report()
    return read_text(text, "game.yaml", report), report


def good(text: str) -> Mapping:
    node, report = read(text)
    assert report.diagnostics == []
    assert node is not None
    return node


def said(text: str) -> list[str]:
    """Code and place of everything that is wrong."""
    _, report = read(text)
    return [f"{d.code} {d.span.line}:{d.span.column}" for d in report.diagnostics]


def scalar(node: Mapping, key: str) -> Scalar:
    value = node.entries[key].value
    assert isinstance(value, Scalar)
    return value


def text_at(text: str, span: Span) -> str:
    """What stands in a text at a place."""
    lines = text.split("\n")
    if span.line == span.end_line:
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]
    parts = [lines[span.line - 1][span.column - 1 :], *lines[span.line : span.end_line - 1]]
    return "\n".join([*parts, lines[span.end_line - 1][: span.end_column - 1]])


# --- values -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("12", 12),
        ("-3", -3),
        ("0", 0),
        ("012", "012"),
        ("1:30", "1:30"),
        ("no", "no"),
        ("on", "on"),
        ("yes", "yes"),
        ("0.5", "0.5"),
        ("0x10", "0x10"),
        ("1_000", "1_000"),
        ("2026-01-01", "2026-01-01"),
        ("true", True),
        ("false", False),
        ("~", None),
        ("null", None),
        ("", None),
        ("'12'", "12"),
        ('"true"', "true"),
        ("|\n  12", "12\n"),
        ("9" * 5000, "9" * 5000),
    ],
)
def test_a_value_is_what_it_looks_like(written: str, value: object) -> None:
    assert plain(good(f"key: {written}\n")) == {"key": value}


def test_keys_are_texts_in_the_order_of_the_file() -> None:
    assert list(good("b: 1\n2: x\non: 3\nsearch(metal m, int limit): 4\n").entries) == [
        "b",
        "2",
        "on",
        "search(metal m, int limit)",
    ]


def test_maps_and_lists_become_plain_data() -> None:
    node = good("zones:\n  deck: {holds: card}\nnames: [a, [b], 3]\nlist:\n- x\n- y: z\n")
    assert plain(node) == {"zones": {"deck": {"holds": "card"}}, "names": ["a", ["b"], 3], "list": ["x", {"y": "z"}]}


def test_a_mark_of_utf_8_and_the_line_ends_of_windows_do_no_harm() -> None:
    assert plain(good("\ufeffgame: x\r\ntitle: y\r\n")) == {"game": "x", "title": "y"}


def test_an_author_may_leave_the_last_line_open() -> None:
    assert plain(good("do: |\n  draw 1")) == {"do": "draw 1"}


# --- places -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "column", "word", "place"),
    [
        pytest.param("do: move card to hand\n", 1, 6, "card", "1:10", id="plain"),
        pytest.param("a:\n  do:   move card to hand  # why\n", 1, 6, "card", "2:14", id="plain, indented"),
        pytest.param("do: move\n    card to\n  hand\n", 1, 14, "hand", "3:3", id="plain, over lines"),
        pytest.param("title: 阿拉丁 {me} 神燈\n", 1, 6, "me", "1:13", id="plain, wide characters"),
        pytest.param("do: 'move card to hand'\n", 1, 6, "card", "1:11", id="single"),
        pytest.param("do: 'say ''x'' card'\n", 1, 9, "card", "1:16", id="single, doubled quotes"),
        pytest.param('do: "move card to hand"\n', 1, 6, "card", "1:11", id="double"),
        pytest.param('do: "say \\"x\\" card"\n', 1, 9, "card", "1:16", id="double, escaped quotes"),
        pytest.param('do: "\\u00e9\\x41 card"\n', 1, 4, "card", "1:17", id="double, numbered characters"),
        pytest.param('do: "one\n  two\n\n  card"\n', 2, 1, "card", "4:3", id="double, over lines"),
        pytest.param("do: |\n  draw 1\n  move card to hand\n", 2, 6, "card", "3:8", id="block"),
        pytest.param("a:\n    do: |-\n      if x:\n        card\n", 2, 3, "card", "4:9", id="block, deeper"),
        pytest.param("do: |\n\n  draw 1\n\n  card\n", 4, 1, "card", "5:3", id="block, blank lines"),
        pytest.param("do: |2\n    draw\n    card\n", 2, 3, "card", "3:5", id="block, indentation given"),
        pytest.param("do: >\n  draw 1\n  card\n", 1, 8, "card", "3:3", id="folded"),
        pytest.param("do: |\n\n\n  card\n", 3, 1, "card", "4:3", id="block that begins with blank lines"),
        pytest.param("a: {b: card, c: d}\n", 1, 1, "card", "1:8", id="in braces"),
    ],
)
def test_a_word_of_an_effect_leads_back_to_the_file(text: str, line: int, column: int, word: str, place: str) -> None:
    node: object = good(text)
    while isinstance(node, Mapping):
        node = next(iter(node.entries.values())).value
    assert isinstance(node, Scalar)
    assert node.fragment.text.split("\n")[line - 1][column - 1 :].startswith(word)
    span = node.fragment.span(line, column, line, column + len(word))
    assert str(span) == f"game.yaml:{place}"
    assert text_at(text, span) == word


def test_a_place_behind_the_text_is_its_end() -> None:
    node = good("do: |\n  draw 1\n  card\nb: x\n")
    assert str(scalar(node, "do").fragment.span(3, 1, 3, 1)) == "game.yaml:3:7"
    assert str(scalar(node, "b").fragment.span(1, 2, 1, 2)) == "game.yaml:4:5"


def test_an_escaped_character_is_marked_whole() -> None:
    text = 'do: "a\\u00e9b"\n'
    assert text_at(text, scalar(good(text), "do").fragment.span(1, 2, 1, 3)) == "\\u00e9"


def test_keys_are_fragments_too() -> None:
    entry = good("zones:\n  loot(player): {}\n").entries["zones"].value
    assert isinstance(entry, Mapping)
    key = entry.entries["loot(player)"].key
    assert str(key.fragment.span(1, 6, 1, 12)) == "game.yaml:2:8"


def test_maps_and_lists_know_where_they_begin_and_end() -> None:
    text = "a:\n  b: 1\n  c: [x,\n    y]\nd:\n- 1\n- 2\n"
    node = good(text)
    assert text_at(text, node.entries["a"].value.span) == "b: 1\n  c: [x,\n    y]"
    assert text_at(text, node.entries["d"].value.span) == "- 1\n- 2"


@settings(max_examples=150)
@given(st.text(st.sampled_from("ab'\"\\ :#,[]{}é名\n-"), max_size=40), st.sampled_from(["'", '"', "|", None]))
def test_every_visible_character_of_a_scalar_leads_to_itself(text: str, style: str | None) -> None:
    written = yaml.dump({"key": {"inner": text}}, default_style=style, allow_unicode=True, width=25)
    node, report = read(re.sub(r"!!\S+ ", "", written))
    if report.diagnostics or node is None:
        return
    inner = next(iter(node.entries.values())).value
    assert isinstance(inner, Mapping)
    found = next(iter(inner.entries.values())).value
    assert isinstance(found, Scalar)
    assert found.text == text
    for number, line in enumerate(found.text.split("\n"), 1):
        for column, character in enumerate(line, 1):
            place = text_at(re.sub(r"!!\S+ ", "", written), found.fragment.span(number, column, number, column + 1))
            if not character.isspace():
                assert place in (character, "''" if character == "'" else f"\\{character}") or place.startswith("\\")


# --- traps of YAML ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected", "help"),
    [
        ("a: {when: f(a, b)}\n", "HR120 1:11", 'when: "f(a, b)"'),
        ("a: {when: f(a, b), c: 1}\n", "HR120 1:11", 'when: "f(a, b)"'),
        ("a: {en: Look, then go}\n", "HR120 1:9", 'en: "Look, then go"'),
        ("a: {en: Look, then go, and stop, de: x}\n", "HR120 1:9", 'en: "Look, then go, and stop"'),
        ("a: [f(b, c), d]\n", "HR120 1:5", '"f(b, c)"'),
        ("a: {b}\n", "HR121 1:4", '{b: …}, for a list [b], or for a sentence "{b}"'),
        ("a: {b, c}\n", "HR121 1:4", "for a list: [b, c]"),
        ('a: {en: "x", y}\n', "HR121 1:14", "put the comma and 'y' inside the value of 'en', in quotes"),
        ("a: 1\nkey:value\nb: 2\n", "HR122 2:1", "key: value"),
        ("a: 1\nb:\n  key:value\n", "HR122 3:3", "key: value"),
        ("key:value\n", "HR122 1:1", "key: value"),
        ("a: {b:1, c: 2}\n", "HR122 1:5", "b: 1"),
        ("a: b: c\n", "HR123 1:5", "a: \"b: c\", or an effect below 'a: |'"),
        ("do: if x: leave\n", "HR123 1:9", "do: \"if x: leave\", or an effect below 'do: |'"),
        ("a: {b: c: d}\n", "HR125 1:8", 'b: "c: d"'),
        ("a: {b: x[1], c: y}\n", "HR125 1:8", 'b: "x[1]"'),
        ("a: [x[1], y]\n", "HR125 1:5", '"x[1]"'),
        ("a: {when: most(p in S by n(p, s)) == [me], b: 5}\n", "HR125 1:11", 'when: "most(p in S by n(p, s)) == [me]"'),
        ("a: {b[1]: [c], d: e}\n", "HR125 1:5", '"b[1]": [c]'),
        ("a: {x} + 1\n", "HR124 1:4", 'a: "{x} + 1"'),
        ("a: [x] + y\n", "HR124 1:4", 'a: "[x] + y"'),
        ('a: "x" + y\n', "HR124 1:4", "a: '\"x\" + y'"),
        ("a: 'it's'\n", "HR124 1:4", 'a: "it\'s"'),
        ("a: @x\n", "HR124 1:4", 'a: "@x"'),
        ("a: %x\n", "HR124 1:4", 'a: "%x"'),
        ("a: `x`\n", "HR124 1:4", 'a: "`x`"'),
        ("a: * 2\n", "HR124 1:4", 'a: "* 2"'),
        ("a: *x\n", "HR110 1:4", "write it out; an effect that begins with '*' goes in quotes"),
        ("a: &x 1\n", "HR110 1:4", "remove it; an effect that begins with '&' goes in quotes"),
        ("a: !x 1\n", "HR111 1:4", "remove it; a value that begins with '!' goes in quotes"),
        ("a: - b\n", "HR131 1:4", "leave out the '- ', or write the list in brackets: a: [b]"),
        ("a: |foo\n  x\n", "HR132 1:5", "a: |, and the text on the lines below, indented"),
        ('a: "x\\qy"\n', "HR128 1:6", "write \\\\ for a backslash"),
        ("a: Card #1\n", "HR134 1:9", "put the whole value in quotes"),
    ],
)
def test_a_trap_of_yaml_has_a_sentence_and_a_fix(text: str, expected: str, help: str) -> None:
    _, report = read(text)
    assert [f"{d.code} {d.span.line}:{d.span.column}" for d in report.diagnostics] == [expected]
    assert report.diagnostics[0].help == help


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: {when: f(a, b), c: 1}\n", {"a": {"when": "f(a, b)", "c": 1}}),
        ("a: {b: x[1], c: y}\n", {"a": {"b": "x[1]", "c": "y"}}),
        ("a: {b:1, c: 2}\n", {"a": {"b": 1, "c": 2}}),
        ("a: b: c\n", {"a": "b: c"}),
        ("a: [f(b, c), d]\n", {"a": ["f(b, c)", "d"]}),
        ("a: &x 1\nb: *x\n", {"a": 1, "b": "*x"}),
        ("a: {x, y}\n", {"a": ["x", "y"]}),
    ],
)
def test_what_a_trap_caught_is_read_as_its_author_meant_it(text: str, value: object) -> None:
    node, report = read(text)
    assert report.has_errors
    assert node is not None
    assert plain(node) == value


def test_a_mended_effect_keeps_its_place() -> None:
    text = "a: {b: 1, when: bonus[f(m, n)] > 2, c: 3}\n"
    node, _ = read(text)
    assert node is not None
    inner = node.entries["a"].value
    assert isinstance(inner, Mapping)
    assert text_at(text, scalar(inner, "when").fragment.span(1, 7, 1, 8)) == "f"


def test_one_mistake_does_not_hide_the_next() -> None:
    text = 'a: b: c\nd: {e: f[1]}\ng: "h" i\nj: {k: l(m, n)}\no: 1\no: 2\np:q\nr: [s\nt: u\n'
    assert said(text) == ["HR123 1:5", "HR125 2:8", "HR124 3:4", "HR120 4:8", "HR113 6:1", "HR122 7:1", "HR126 8:4"]


def test_no_sentence_is_taken_from_yaml() -> None:
    words = ("expected", "token", "mapping", "scalar", "block collection", "context", "character that cannot")
    for text in ("a: b: c\n", "a: {b\n", "a: [\n", "a:\n\tb\n", "a: 'x\n", "a: 1\n b: 2\n", "- a\nb: c\n", "a: }\n"):
        _, report = read(text)
        assert report.diagnostics
        for diagnostic in report.diagnostics:
            assert not any(word in diagnostic.message for word in words), diagnostic.message


# --- bad files --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["HR106 1:1"]),
        ("# only a comment\n", ["HR106 1:1"]),
        ("5\n", ["HR116 1:1"]),
        ("- a\n- b\n", ["HR116 1:1"]),
        ("a: b\n---\nc: d\n", ["HR115 3:1"]),
        ("a:\n\tb: c\n", ["HR114 2:1"]),
        ("a:\n  do: |\n    b\n\tc\n    d\n\te: f\n  g: h\n", ["HR114 4:1"]),
        ("a: 1\nb:\n  c: 1\n\n  c: 2\n", ["HR113 5:3"]),
        ("<<: {a: 1}\n", ["HR112 1:1"]),
        ("? [a]\n: b\n", ["HR117 1:3"]),
        ("[1, 2]: 3\n", ["HR117 1:1"]),
        (": x\n", ["HR117 1:1"]),
        ("%YAML 1.1\n---\na: 1\n", ["HR111 1:1"]),
        ("a: {b: 1\nc: 2\n", ["HR126 1:4"]),
        ("a: [1, 2\n", ["HR126 1:4"]),
        ("a: ]\n", ["HR126 1:4"]),
        ('a: "x\nb: "y"\n', ["HR127 1:4"]),
        ("a: 'x\n", ["HR127 1:4"]),
        ("a:\n  b: c\n d: e\n", ["HR129 3:2"]),
        ("a: 1\n  b: 2\nc: 3\n", ["HR130 2:3"]),
        ("- a\nb: c\n", ["HR131 2:1"]),
        ("a:\n  b: 1\n  foo\n  c: 2\n", ["HR133 3:3"]),
        ("a: \x07\n", ["HR105 1:4"]),
        ("a: b\u2028c\n", ["HR105 1:5"]),
        ("a: b\u200bc\n", ["HR105 1:5"]),
        ("a: b\u202ec\n", ["HR105 1:5"]),
        ("a: " + "[" * 60 + "]" * 60, ["HR108 1:53"]),
        ("a: " + "{a: " * 60 + "}" * 60, ["HR108 1:200"]),
    ],
)
def test_bad_yaml_is_a_diagnostic_at_its_place(text: str, expected: list[str]) -> None:
    assert said(text) == expected


def test_a_key_that_stands_twice_shows_both_places() -> None:
    _, report = read("deck: 1\nhand: 2\ndeck: 3\n")
    assert [str(related.span) for related in report.diagnostics[0].related] == ["game.yaml:1:1"]


def test_fifty_levels_are_enough_for_everyone() -> None:
    good("a: " + "[" * 49 + "]" * 49)


def test_a_billion_laughs_end_in_diagnostics() -> None:
    lines = ["a0: &a0 [ha, ha]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    codes = {line.split()[0] for line in said("\n".join(lines))}
    assert codes == {"HR110", "HR140"}


def test_a_missing_file_names_its_neighbour(tmp_path: Path) -> None:
    (tmp_path / "chests.yaml").write_text("a: 1\n")
    report = Report()
    assert read_file(tmp_path / "chest.yaml", tmp_path, report, "chest.yaml") is None
    assert [(d.code, d.help) for d in report.diagnostics] == [("HR101", "did you mean 'chests.yaml'?")]


def test_a_missing_part_is_said_where_it_is_named(tmp_path: Path) -> None:
    report = Report()
    place = Span("game.yaml", 4, 11, 4, 17)
    assert read_file(tmp_path / "x.yaml", tmp_path, report, "x.yaml", named_at=place) is None
    assert report.diagnostics[0].span == place


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text("a: 1\n")
    report = Report()
    assert read_file(tmp_path, tmp_path, report, "mygame") is None
    assert [(d.code, d.help) for d in report.diagnostics] == [("HR102", "did you mean 'mygame/game.yaml'?")]


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    report = Report()
    assert read_file(tmp_path / "pipe.yaml", tmp_path, report) is None
    assert report.diagnostics[0].code == "HR102"


@pytest.mark.parametrize("path", ["../secret.yaml", "inner/../../secret.yaml", "link.yaml", "linked/secret.yaml"])
def test_no_path_leads_out_of_the_folder(tmp_path: Path, path: str) -> None:
    game = tmp_path / "game"
    (game / "inner").mkdir(parents=True)
    (tmp_path / "secret.yaml").write_text("a: 1\n")
    (game / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    (game / "linked").symlink_to(tmp_path)
    report = Report()
    assert read_file(game / path, game, report) is None
    assert [d.code for d in report.diagnostics] == ["HR109"]


def test_links_that_go_round_are_a_diagnostic(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").symlink_to(tmp_path / "b.yaml")
    (tmp_path / "b.yaml").symlink_to(tmp_path / "a.yaml")
    report = Report()
    assert read_file(tmp_path / "a.yaml", tmp_path, report) is None
    assert [d.code for d in report.diagnostics] == ["HR103"]


@pytest.mark.parametrize("path", ["a\0b.yaml", "x" * 5000 + ".yaml", "game.yaml/part.yaml"])
def test_an_impossible_path_is_a_diagnostic(tmp_path: Path, path: str) -> None:
    (tmp_path / "game.yaml").write_text("a: 1\n")
    report = Report()
    assert read_file(tmp_path / path, tmp_path, report) is None
    assert report.diagnostics[0].code in ("HR101", "HR103")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"game: x\ntitle: M\xe4rchen\n", "HR104 2:9"),
        ("game: x\n".encode("utf-16"), "HR104 1:1"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "HR105 1:1"),
        (b"a: 1\n" * 500_000, "HR107 1:1"),
        (b"", "HR106 1:1"),
    ],
)
def test_bytes_that_are_no_rules_are_a_diagnostic(tmp_path: Path, content: bytes, expected: str) -> None:
    (tmp_path / "game.yaml").write_bytes(content)
    report = Report()
    assert read_file(tmp_path / "game.yaml", tmp_path, report, "game.yaml") is None
    assert [f"{d.code} {d.span.line}:{d.span.column}" for d in report.diagnostics] == [expected]


def test_ten_megabytes_are_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    with path.open("wb") as stream:
        stream.truncate(10 * 1024 * 1024)
    report = Report()
    assert read_file(path, tmp_path, report) is None
    assert [d.code for d in report.diagnostics] == ["HR107"]


def test_a_file_of_scenarios_holds_several_documents(tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text("of: x\n---\nscenario: A\n---\nscenario: B\n")
    report = Report()
    assert [plain(d) for d in read_documents(tmp_path / "s.yaml", tmp_path, report)] == [
        {"of": "x"},
        {"scenario": "A"},
        {"scenario": "B"},
    ]
    assert report.diagnostics == []


def test_a_document_that_is_no_map_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text("of: x\n---\n- 1\n---\nscenario: B\n")
    report = Report()
    assert len(read_documents(tmp_path / "s.yaml", tmp_path, report)) == 2
    assert [d.code for d in report.diagnostics] == ["HR116"]


# --- any input at all -------------------------------------------------------------------------------------------------

PIECES = [
    "a",
    "b:",
    " ",
    "\n",
    "\n  ",
    "\n    ",
    "- ",
    "{",
    "}",
    "[",
    "]",
    ",",
    ": ",
    "'",
    '"',
    "|",
    ">",
    "*a",
    "&a ",
    "#",
    " #1",
    "\\",
    "!",
    "%",
    "@",
    "?",
    "---\n",
    "...\n",
    "\t",
    "f(x, y)",
    "x[1]",
    "key: value\n",
    "<<: ",
    "名",
]


@settings(max_examples=400)
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
@example("{*a")
def test_whatever_is_typed_ends_in_nodes_or_diagnostics(text: str) -> None:
    node, report = read(text)
    assert node is not None or report.has_errors
    for diagnostic in report.diagnostics:
        lines = text.split("\n")
        assert 1 <= diagnostic.span.line <= len(lines) + 1
        assert diagnostic.span.column >= 1


@settings(max_examples=60)
@given(st.binary(max_size=200))
def test_whatever_bytes_there_are_end_in_nodes_or_diagnostics(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.yaml"
        path.write_bytes(content)
        report = Report()
        assert read_file(path, path.parent, report) is not None or report.has_errors


@pytest.mark.parametrize(
    "text",
    [
        "a: " + "[" * 300_000,
        "a: " + "{" * 300_000,
        "- " * 300_000,
        "? " * 300_000,
        "a: '" + "x" * 300_000,
        "a: {" + "b: c: d, " * 20_000 + "}",
        "a: b: c\n" * 20_000,
        "\n".join(f"k{n}: {{when: f(a, b)}}" for n in range(20_000)),
        "a: [" + "f(a, " * 50_000,
        "a:\n" + "\tb\n" * 100_000,
        '"' * 300_000,
        "a: {" + ", ".join(f"k{n}: a:b" for n in range(60_000)) + ", c}",
        "a: &a [" + "*a, " * 100_000 + "]",
    ],
    ids=range(13),
)
def test_hostile_files_end_soon(text: str) -> None:
    assert len(text) < MOST_BYTES["rules"]
    before = time.process_time()
    _, report = read(text)
    assert report.has_errors
    assert time.process_time() - before < 20


def test_the_reader_in_pure_python_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [
        "a: b: c\n",
        "a: {b: x[1], c: y}\n",
        "a: {when: f(a, b)}\n",
        "a: {b: 1\nc: 2\n",
        'a: "x\nb: "y"\n',
        "a:\n  b: c\n d: e\n",
        "a: @x\n",
        "a: 1\nkey:value\nb: 2\n",
        "a:\n\tb: c\n",
        "a: &x 1\nb: *x\n",
    ]
    in_c = [said(text) for text in texts]
    monkeypatch.setattr(houserule.source.read, "Loader", yaml.SafeLoader)
    assert [said(text) for text in texts] == in_c


def test_a_long_game_is_read_at_once() -> None:
    random.seed(1)
    text = "components:\n  card:\n    pieces:\n" + "".join(
        f"      card_{n}: {{count: 2, sort: gem, title: {{en: Card {n}, de: Karte {n}}}, power: me.score += {n}}}\n"
        for n in range(400)
    )
    before = time.process_time()
    node = good(text)
    assert isinstance(node.entries["components"].value, Mapping)
    assert not isinstance(node, Sequence)
    assert time.process_time() - before < 20
