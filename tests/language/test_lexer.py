"""How texts are cut into words: as Lark's own lexer does it, word for word and mistake for mistake."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from lark import Token

import houserule
from houserule.definition.scenario import ScenarioReader
from houserule.diagnostics import Report
from houserule.language.grammar import Grammar, Layout, Parsed
from houserule.language.lexer import Words
from houserule.language.nodes import Text
from houserule.operations import PREPOSITIONS

HERE = Path(__file__).parent
GAMES = HERE.parents[1] / "games"
WRONG = """\
x = = 1|x = 4th|x = ofp|draw 1 from|x ? y|x = "open|x = 3 %|a b|take|if x: say "a|x = 1 ..|x = (1 + 2|x == 1 = 2|for in x: nothing|x -= = 1
players from|x = players  frommage|x = gold#|x = #2|1 = x|x = !y|x <> y|x := 1|é = 1|x = true_|truex = 1|as as: nothing|choose x from from|say|x = y z"""
"""Texts with something wrong, told apart by |."""
RIGHT = "x = a-1|x=a--1|x //= 2|x = a//b|x = 1..3|x = gold#2|x = players  from me|x = not true|x = players|x = falsely|take_all = 1|x = [1,2][0]"


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """The words that come out of the lexer, in order."""
    found: list[tuple[object, ...]] = []
    process = Layout.process

    def seen(stream: Iterator[Token]) -> Iterator[Token]:
        for t in stream:
            found.append((t.type, str(t), t.line, t.column, t.end_line, t.end_column, t.start_pos, t.end_pos))
            yield t

    monkeypatch.setattr(Layout, "process", lambda self, stream: process(self, seen(stream)))
    return found


class Line:
    """A text that is its own file."""

    def __init__(self, text: str) -> None:
        self.text = text

    def span(self, line: int, column: int, end_line: int, end_column: int) -> houserule.Span:
        return houserule.Span("text", line, column, end_line, end_column)

    def fix(self, *_: object) -> None:
        return None


def both() -> tuple[Grammar, Grammar]:
    """With our lexer, and with Lark's own."""

    def sentence(builder: object, token: Token) -> Text:
        return Text(houserule.Span("text"), str(token), ())

    return Grammar(PREPOSITIONS, sentence), Grammar(PREPOSITIONS, sentence, strict=True)


def same(quick: Parsed, careful: Parsed) -> bool:
    """Whether two readings went alike."""
    one, other = quick.error, careful.error
    if one is None or other is None:
        return one is other
    facts = [
        (
            type(e),
            getattr(e, "pos_in_stream", None),
            getattr(e, "line", 0),
            getattr(e, "column", 0),
            str(getattr(e, "token", "")),
            sorted(getattr(e, "accepts", None) or getattr(e, "allowed", None) or ()),
        )
        for e in (one, other)
    ]
    return facts[0] == facts[1]


def texts_of_games(monkeypatch: pytest.MonkeyPatch) -> dict[tuple[str, str], None]:
    """Every text of the bundled games that the grammar reads, with what it is to be."""
    found: dict[tuple[str, str], None] = {}
    parse = Grammar.parse

    def kept(self: Grammar, text: str, fragment: object, start: str) -> Parsed:
        found.setdefault((text, start))
        return parse(self, text, fragment, start)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(Grammar, "parse", kept)
        for folder in (file.parent for file in GAMES.glob("*/game.yaml")):
            houserule.load(folder)
            for file in folder.glob("variants/*.yaml"):
                houserule.load(folder, [str(file)])
            for file in folder.glob("scenarios/**/*.yaml"):
                ScenarioReader(Report(), PREPOSITIONS).file(file, str(file))
    return found


def test_words_are_those_of_larks_own_lexer(cut: list[tuple[object, ...]], monkeypatch: pytest.MonkeyPatch) -> None:
    quick, careful = both()
    assert isinstance(quick.lark.parser.lexer.lexer, Words)  # type: ignore[attr-defined]
    sound = [(text, start) for text, start in texts_of_games(monkeypatch)]
    chunks = re.split(r"(?m)^--- (\w+).*\n", (HERE / "sound.effects").read_text(encoding="utf-8"))[1:]
    samples = [(text, start) for start, text in zip(chunks[::2], chunks[1::2], strict=True)]
    lines = [(text, "block") for row in (WRONG, RIGHT) for line in row.splitlines() for text in line.split("|")]
    assert len(sound) > 250 and len(lines) > 35
    for text, start in (*sound, *samples, *lines):
        cut.clear()
        one = quick.parse(text, Line(text), start)
        words = cut[:]
        cut.clear()
        other = careful.parse(text, Line(text), start)
        assert words == cut, text
        assert same(one, other), (text, one.error, other.error)
        assert (one.found, one.is_understood) == (other.found, other.is_understood), text
