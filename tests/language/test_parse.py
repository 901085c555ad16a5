"""The parser: what it understands, what it says of the rest, where, and that nothing makes it fail."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import fields
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from houserule.codes import ROWS, Code
from houserule.diagnostics import Diagnostic, Fix, Report, Span
from houserule.language import nodes
from houserule.language.grammar import STARTS, Grammar, cache_path, grammar_text
from houserule.language.parse import parse, parse_text
from houserule.language.words import GREATEST_NUMBER, LONGEST_TEXT, RESERVED
from houserule.source import Fragment, Mapping, Scalar, Source
from tests.reading import read_text

EXAMPLES = int(os.environ.get("HOUSERULE_FUZZ", "0"))
HERE = Path(__file__).parent
VERBS = {
    "move": ("to", "at"),
    "draw": ("from", "to", "as"),
    "shuffle": (),
    "roll": ("from",),
    "swap": ("with",),
    "rotate": ("by",),
    "show": ("to",),
}
CHUNK = re.compile(r"(?m)^--- (\w+): (.*)\n((?:(?!^---).*\n)*)")
EXPECTED = re.compile(r" *### (HR\d+) (.*?)(?: \| (.*))?$")


class Text(Fragment):
    """A text whose places are those in the text itself."""

    def __init__(self, text: str) -> None:
        super().__init__(text, Source("effect", text), "literal", 0, len(text))

    def span(self, line: int, column: int, end_line: int, end_column: int) -> Span:
        return Span("effect", line, column, end_line, end_column)

    def fix(self, line: int, column: int, end_line: int, end_column: int, text: str) -> Fix | None:
        return Fix(self.span(line, column, end_line, end_column), text)


def read(text: str, start: str = "block") -> tuple[Any, list[Diagnostic]]:
    report = Report()
    return parse(Text(text), start, report, VERBS), report.diagnostics


def tree(text: str, start: str = "expression") -> Any:
    node, found = read(text, start)
    assert found == []
    return node


def statement(text: str) -> Any:
    block = tree(text, "block")
    assert len(block.statements) == 1
    return block.statements[0]


def shape(node: object) -> object:
    """A tree as a string, without places."""
    if isinstance(node, nodes.Node):
        told = [f.name for f in fields(node) if not f.name.endswith("span") and f.name != "is_partial"]
        inside = ", ".join(str(shape(getattr(node, name))) for name in told)
        return f"{type(node).__name__}({inside})"
    if isinstance(node, tuple):
        return f"[{', '.join(str(shape(item)) for item in node)}]"
    return node


def chunks(name: str) -> list[Any]:
    found = CHUNK.findall((HERE / name).read_text(encoding="utf-8"))
    return [pytest.param(start, text, id=f"{start}: {title}") for start, title, text in found]


def place(span: Span) -> tuple[int, int, int, int]:
    return span.line, span.column, span.end_line, span.end_column


# --- what is understood -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("start", "text"), chunks("sound.effects"))
def test_what_the_manual_shows_is_understood(start: str, text: str) -> None:
    node, found = read(text, start)
    assert found == []
    assert node is not None


def test_the_grammar_has_no_conflict() -> None:
    Grammar(VERBS, lambda builder, token: nodes.Text(builder.place(token), str(token), ()), strict=True)


def test_a_name_before_in_is_the_name_of_the_members() -> None:
    selection = tree("c in me.loot where c.lone")
    assert (selection.binder, selection.value, selection.by) == ("c", None, None)
    assert place(selection.binder_span) == (1, 1, 1, 2)
    assert shape(selection.source) == "Attribute(Name(me), loot)"


def test_without_a_condition_it_stays_a_comparison() -> None:
    assert shape(tree("count(c in me.loot)")) == "Call(Name(count), [Compare(Name(c), in, Attribute(Name(me), loot))])"


def test_the_condition_of_a_loop_speaks_of_its_name() -> None:
    loop = statement("for c in hand where c.lone by c.pips: nothing")
    assert loop.binder == "c"
    assert (
        shape(loop.source) == "Selection(None, c, Name(hand), Attribute(Name(c), lone), Attribute(Name(c), pips), [])"
    )
    assert shape(statement("for c in hand: nothing").source) == "Name(hand)"


def test_steps_and_races_bind_like_loops() -> None:
    assert shape(tree("p in players", "binding")) == "Binding(p, Name(players))"
    assert shape(tree("players where it.out", "binding")) == (
        "Binding(None, Selection(None, None, Name(players), Attribute(Name(it), out), None, []))"
    )
    race = statement("race p in players must entitled(p) as order")
    assert (race.binder, shape(race.source), race.result) == ("p", "Name(players)", "order")


@pytest.mark.parametrize(
    ("text", "count", "name", "may_pass"),
    [
        ("choose card from hand", "None", "card", False),
        ("choose card or pass from hand", "None", "card", True),
        ("choose 2 cards from hand", "Number(2)", "cards", False),
        ("choose n cards or pass from hand", "Name(n)", "cards", True),
        ("choose 0..n cards from hand", "Range(Number(0), Name(n))", "cards", False),
    ],
)
def test_choices(text: str, count: str, name: str, may_pass: bool) -> None:
    choice = statement(text)
    assert (str(shape(choice.count)), choice.name, choice.may_pass) == (count, name, may_pass)


def test_elif_is_an_if_alone_in_otherwise() -> None:
    first = statement("if a: nothing\nelif b: nothing\nelse: leave")
    (second,) = first.otherwise.statements
    assert shape(second) == "If(Name(b), Block([Nothing()]), Block([Leave(None)]))"


def test_a_menu_is_no_choice() -> None:
    menu = statement('choose "Go on?" or pass:\n  "Yes" when n < 3: nothing\n  "No": leave\nelse: finish')
    assert [item.label.raw for item in menu.items] == ["Yes", "No"]
    assert menu.may_pass
    assert shape(menu.otherwise) == "Block([Finish(None)])"


def test_performing_hands_over_arguments() -> None:
    assert shape(statement("perform tile.colour.power(tile, s)")) == (
        "Perform(None, Attribute(Attribute(Name(tile), colour), power), [Name(tile), Name(s)])"
    )
    assert shape(statement("ok = perform open(d)")) == "Perform(Name(ok), Name(open), [Name(d)])"


def test_in_a_command_by_is_a_preposition() -> None:
    assert (
        shape(statement("rotate hand by -1")) == "Command(rotate, Name(hand), [Preposition(by, Negative(Number(1)))])"
    )


def test_verbs_of_the_table_are_the_only_ones() -> None:
    report = Report()
    table = {"hide": ("under",)}
    assert shape(parse(Text("hide card under cup"), "block", report, table)) == (
        "Block([Command(hide, Name(card), [Preposition(under, Name(cup))])])"
    )
    assert not report.found
    parse(Text("move card to cup"), "block", report, table)
    assert [d.code for d in report.found] == ["HR412"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a + b * c", "Binary(Name(a), +, Binary(Name(b), *, Name(c)))"),
        ("a - b - c", "Binary(Binary(Name(a), -, Name(b)), -, Name(c))"),
        ("not a == b", "Not(Compare(Name(a), ==, Name(b)))"),
        ("a or b and c", "Logic(Name(a), or, Logic(Name(b), and, Name(c)))"),
        ("1 + 2..3 in s", "Compare(Range(Binary(Number(1), +, Number(2)), Number(3)), in, Name(s))"),
        ("-a.b", "Negative(Attribute(Name(a), b))"),
        ("players from a.b", "PlayersFrom(Attribute(Name(a), b))"),
        ("x is none", "Is(Name(x), none, False)"),
        ("x is not gem", "Is(Name(x), gem, True)"),
        ("x not in s", "Compare(Name(x), not in, Name(s))"),
        ("a if b else c if d else e", "Conditional(Name(a), Name(b), Conditional(Name(c), Name(d), Name(e)))"),
    ],
)
def test_precedence(text: str, expected: str) -> None:
    assert shape(tree(text)) == expected


def test_events() -> None:
    assert shape(tree("c leaves loot of p", "event")) == "Event(leaves, c, loot, [p], None)"
    assert shape(tree("pips of p, m changes", "event")) == "Event(changes, None, pips, [p, m], None)"
    assert shape(tree("after search as ok", "event")) == "Event(after, None, search, [], ok)"


def test_types() -> None:
    assert shape(tree("0..depth or none = 3", "declaration")) == (
        "Declaration(TypeName(range, Number(0), Name(depth), True, False), Number(3))"
    )
    assert shape(tree("list of card", "type_name")) == "TypeName(card, None, None, False, True)"
    assert shape(tree("loot(player)", "signature")) == (
        "Signature(loot, [Parameter(TypeName(player, None, None, False, False), None)], None)"
    )


# --- places -----------------------------------------------------------------------------------------------------------


def test_every_node_knows_its_place() -> None:
    block = tree("if (a + b) > 1:\n  move card to\\\n".replace("\\\n", " discard\n"), "block")
    condition = block.statements[0]
    assert place(condition.span) == (1, 1, 2, 23)
    assert place(condition.test.left.span) == (1, 4, 1, 11)
    command = condition.then.statements[0]
    assert place(command.verb_span) == (2, 3, 2, 7)
    assert place(command.prepositions[0].span) == (2, 13, 2, 23)


def test_places_lead_back_into_the_file() -> None:
    report = Report()
    text = "wish: |\n  nothing\n  say \"It is {me.score}!\"\nother: 'a + + b'\n"
    mapping = read_text(text, "game.yaml", report)
    assert isinstance(mapping, Mapping)
    wish, other = (entry.value for entry in mapping.entries.values())
    assert isinstance(wish, Scalar)
    assert isinstance(other, Scalar)
    block: Any = parse(wish.fragment, "block", report, VERBS)
    assert place(block.statements[1].text.parts[1].span) == (3, 15, 3, 23)
    assert not report.found
    parse(other.fragment, "expression", report, VERBS)
    assert [place(d.span) for d in report.found] == [(4, 13, 4, 14)]


# --- sentences --------------------------------------------------------------------------------------------------------


def sentence(text: str) -> tuple[Any, list[Diagnostic]]:
    report = Report()
    return parse_text(Text(text), report, VERBS), report.diagnostics


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", "[]"),
        ("plain", "[plain]"),
        ("{me}", "[Name(me)]"),
        ("a {b} c {d + 1}.", "[a , Name(b),  c , Binary(Name(d), +, Number(1)), .]"),
        ("{{{a}}}", "[{, Name(a), }]"),
        ("100 % }}{{", "[100 % }{]"),
        ("two\nlines {a\n+ b}", "[two\nlines , Binary(Name(a), +, Name(b))]"),
    ],
)
def test_sentences(text: str, parts: str) -> None:
    found, problems = sentence(text)
    assert problems == []
    assert (found.raw, shape(found.parts)) == (text, parts)


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [
        ("a {b", "HR421", 3),
        ("{a}} b", "HR421", 4),
        ("a } b", "HR421", 3),
        ("a {b c} d", "HR401", 6),
        ("a {} b", "HR402", 4),
        ("{a {b}", "HR421", 1),
    ],
)
def test_braces_that_do_not_fit(text: str, code: str, column: int) -> None:
    found, problems = sentence(text)
    assert found is None
    assert [(p.code, p.span.column) for p in problems] == [(code, column)]


def test_quotes_inside_a_sentence_are_escaped() -> None:
    said = statement(r'say "a \"b\" \\ {c}"').text
    assert said.raw == r'a "b" \ {c}'
    assert shape(said.parts) == r'[a "b" \ , Name(c)]'


# --- mistakes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("start", "text"), chunks("broken.effects"))
def test_each_mistake_gets_its_own_sentence(start: str, text: str) -> None:
    lines = text.split("\n")[:-1]
    wanted = [(number, *match.groups()) for number, line in enumerate(lines, 1) if (match := EXPECTED.search(line))]
    effect = "\n".join(EXPECTED.sub("", line) for line in lines)
    found = [(d.span.line, d.code, d.message, d.help) for d in read(effect, start)[1]]
    assert found == [(line, code, message, hint or None) for line, code, message, hint in wanted]


def test_one_mistake_does_not_hide_the_next() -> None:
    text = "if a =\n  move to b\nelse:\n  mvoe c to d\nx = = 1\nmove a to b\ny = 3 +\n"
    assert [(d.span.line, d.code) for d in read(text)[1]] == [
        (1, "HR413"),
        (2, "HR402"),
        (4, "HR412"),
        (5, "HR413"),
        (7, "HR402"),
    ]


def test_the_least_number_is_one_below_minus_the_greatest() -> None:
    for text in (f"-{GREATEST_NUMBER + 1}", f"- {GREATEST_NUMBER + 1}"):
        least = tree(text)
        assert isinstance(least, nodes.Negative)
        assert isinstance(least.operand, nodes.Number)
        assert least.operand.value == GREATEST_NUMBER + 1


def test_what_is_understood_all_the_same_has_a_tree() -> None:
    for text in ("x = f()", "x = 012", f"x = {GREATEST_NUMBER + 1}", "x = +1", "to = 1\nx = to + to"):
        node, found = read(text)
        assert len(found) == 1
        assert node is not None


@pytest.mark.parametrize("word", sorted(RESERVED - {"true", "false", "none", "not", "every", "perform"}))
def test_no_word_of_the_language_can_be_a_name(word: str) -> None:
    for text in (f"{word} = 1", f"x = {word}", f"for {word} in s: nothing", f"x.{word} = 1", f"choose {word} from s"):
        assert read(text)[1]


# --- limits -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("x = " + "a + " * 4000 + "a", "HR420"),
        ("x = a" + ".b" * 4000, "HR420"),
        ("x = " + "not " * 4000 + "a", "HR420"),
        ("x = " + "-" * 15000 + "a", "HR420"),
        ("x = " + "(" * 5000 + "a" + ")" * 5000, "HR420"),
        ("x = " + "[" * 61, "HR420"),
        ("\n".join(" " * depth + "if a:" for depth in range(100)), "HR420"),
        ("if a: nothing\n" + "elif a: nothing\n" * 1000, "HR420"),
        ("x = " + "a if b else " * 1000 + "c", "HR420"),
        ("x = " + "9" * 5000, "HR419"),
        ("x = a#" + "9" * 5000, "HR419"),
        ("nothing\n" * LONGEST_TEXT, "HR420"),
        ("x = \x00", "HR405"),
        ("x =\t1", "HR405"),
        ("x = \u2028", "HR405"),
        ("", "HR402"),
        ("\n  # nothing but this\n", "HR402"),
    ],
)
def test_nothing_is_too_long_or_too_deep(text: str, code: str) -> None:
    assert [d.code for d in read(text)[1]] == [code]


def test_reasonable_depth_is_fine() -> None:
    assert read("x = " + "a + " * 60 + "a")[1] == []
    assert read("x = " + "(" * 50 + "a" + ")" * 50)[1] == []
    assert read("\n".join("  " * depth + "if a:" for depth in range(30)) + " nothing")[1] == []


WORDS = [
    *sorted(RESERVED),
    *VERBS,
    "me",
    "players",
    "players from",
    "x",
    "card#2",
    "game",
    "list",
    "of",
    "changes",
    "leaves",
]
SIGNS = [
    "(",
    ")",
    "[",
    "]",
    ":",
    ";",
    ",",
    ".",
    "..",
    "=",
    "==",
    "+=",
    "<",
    "+",
    "-",
    "//",
    "%",
    "#",
    " # c",
    '"',
    '"a"',
    '"{x}"',
    '"{"',
]
PIECES = st.sampled_from(
    [*WORDS, *SIGNS, "0", "17", "\n", "\n  ", "\n    ", "\n\n", " ", "é", "'", "!", "{", "}", "\t", "\\", "&&", "😀"]
)
EFFECTS = (
    st.lists(PIECES, max_size=40).map(" ".join) | st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=60)
)


@settings(max_examples=EXAMPLES or 200, suppress_health_check=[HealthCheck.too_slow])
@given(EFFECTS, st.sampled_from(STARTS))
def test_no_text_makes_the_parser_fail(text: str, start: str) -> None:
    node, found = read(text, start)
    assert node is not None or found
    assert all(d.message and d.span.line >= 1 and d.span.column >= 1 for d in found)


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(alphabet="ab{} +\n\"'1", max_size=40))
def test_no_sentence_makes_the_parser_fail(text: str) -> None:
    found, problems = sentence(text)
    assert found is not None or problems


SOUND = [text for _, _, text in CHUNK.findall((HERE / "sound.effects").read_text(encoding="utf-8"))]


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(SOUND), st.integers(0, 400), st.integers(0, 12), PIECES)
def test_no_slip_of_the_hand_makes_the_parser_fail(text: str, at: int, length: int, instead: str) -> None:
    node, found = read(text[:at] + instead + text[at + length :])
    assert node is not None or found


# --- the tables kept between runs -------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="speaks of owners and modes")
def test_the_tables_are_kept_where_nobody_else_can_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    text = grammar_text(VERBS)
    path = cache_path(text)
    assert path is not None
    folder = Path(path).parent
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert cache_path(text + "\n") != path
    folder.chmod(0o777)
    assert cache_path(text) is None


def test_without_a_place_to_keep_them_the_tables_are_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    assert cache_path(grammar_text(VERBS)) is None


def test_a_broken_file_in_the_cache_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    path = cache_path(grammar_text(VERBS))
    assert path is not None
    Path(path).write_bytes(b"not a table")
    grammar = Grammar(VERBS, lambda builder, token: nodes.Text(builder.place(token), str(token), ()), cache=path)
    assert grammar.parse("nothing", Text("nothing"), "block").error is None


# --- the table of codes -----------------------------------------------------------------------------------------------


def problems_of(file: str) -> list[str]:
    """The codes that the effects and functions of a small game bring."""
    report = Report()
    mapping = read_text(file, "game.yaml", report)
    assert isinstance(mapping, Mapping)
    for entry in mapping.entries.values():
        if entry.key.text == "functions" and isinstance(entry.value, Mapping):
            for function in entry.value.entries.values():
                assert isinstance(function.value, Scalar)
                parse(function.value.fragment, "expression", report, VERBS)
        if entry.key.text == "flow" and isinstance(entry.value, Mapping):
            step = entry.value.entries["round"].value
            assert isinstance(step, Mapping)
            effect = step.entries["do"].value
            assert isinstance(effect, Scalar)
            parse(effect.fragment, "block", report, VERBS)
    return [d.code for d in report.diagnostics]


@pytest.mark.parametrize("row", [pytest.param(row, id=row.code) for row in ROWS if row.code.startswith("HR4")])
def test_the_examples_of_the_table_of_codes(row: Code) -> None:
    assert problems_of(row.broken) == [row.code]
    assert problems_of(row.mended) == []


def test_every_code_that_is_said_has_a_row_and_every_row_is_said() -> None:
    language = Path(str(resources.files("houserule") / "language"))
    said: set[str] = set()
    for module in language.glob("*.py"):
        said.update(re.findall(r'"(HR4\d\d)"', module.read_text(encoding="utf-8")))
    assert said == {row.code for row in ROWS if row.code.startswith("HR4")}
