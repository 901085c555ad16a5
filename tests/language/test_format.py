"""The formatter: what it writes is read as the same tree, and formatting twice changes nothing."""

from __future__ import annotations

import os
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from houserule.diagnostics import NOWHERE, Report
from houserule.language import nodes
from houserule.language.format import format
from houserule.language.parse import parse
from houserule.source import Fragment, Source

EXAMPLES = int(os.environ.get("HOUSERULE_FUZZ", "0"))
VERBS = {
    "move": ("to", "at"),
    "draw": ("from", "to", "as"),
    "shuffle": (),
    "roll": ("from",),
    "swap": ("with",),
    "rotate": ("by",),
    "show": ("to",),
}
SOUND = Path(__file__).with_name("sound.effects").read_text(encoding="utf-8")
CHUNK = re.compile(r"(?m)^--- (\w+): (.*)\n((?:(?!^---).*\n)*)")


def tree(text: str, start: str) -> Any:
    report = Report()
    node = parse(Fragment(text, Source("effect", text), "plain", 0, len(text)), start, report, VERBS)
    assert not report.found, f"{text!r}: {report.found[0].message}"
    return node


def shape(node: object) -> object:
    """A tree without places."""
    if isinstance(node, nodes.Node):
        return type(node).__name__, *[shape(getattr(node, f.name)) for f in fields(node) if not f.name.endswith("span")]
    return tuple(map(shape, node)) if isinstance(node, tuple) else node


@pytest.mark.parametrize(
    ("start", "text"),
    [pytest.param(start, text, id=f"{start}: {title}") for start, title, text in CHUNK.findall(SOUND)],
)
def test_what_is_written_is_read_as_the_same_tree(start: str, text: str) -> None:
    node = tree(text, start)
    written = format(node)
    assert shape(tree(written, start)) == shape(node)
    assert format(tree(written, start)) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("((a)+(b*c))", "a + b * c"),
        ("(a+b)*c", "(a + b) * c"),
        ("a-(b-c)", "a - (b - c)"),
        ("not (a and b)", "not (a and b)"),
        ("(a if b else c) if d else e", "(a if b else c) if d else e"),
        ("a if b else (c if d else e)", "a if b else c if d else e"),
        ("- ( - a )", "--a"),
        ("(players from a).b", "(players from a).b"),
        ("count((c in S where P))", "count(c in S where P)"),
        ("(c in S where P)", "c in S where P"),
        ("[ a,b ]", "[a, b]"),
        ("1 .. 6", "1..6"),
        ("( c in S where P ) where Q", "(c in S where P) where Q"),
        ("((a) and b after (x)=(1) ;nothing)", "a and b after x = 1; nothing"),
        ("(a after move b to c)+1", "(a after move b to c) + 1"),
        ("(c in S where (P after perform a)) after perform b", "(c in S where (P after perform a)) after perform b"),
        ("c in (a if b else d) where P", "c in (a if b else d) where P"),
    ],
)
def test_only_the_brackets_that_are_needed(text: str, written: str) -> None:
    assert format(tree(text, "expression")) == written


def test_one_layout_for_blocks() -> None:
    text = 'if a: move b to c; nothing\nelif d:\n      leave\nelse:\n choose "Go?" or pass:\n   "Yes"  when e: nothing'
    assert format(tree(text, "block")) == (
        "if a:\n"
        "  move b to c\n"
        "  nothing\n"
        "elif d:\n"
        "  leave\n"
        "else:\n"
        '  choose "Go?" or pass:\n'
        '    "Yes" when e:\n'
        "      nothing"
    )


@pytest.mark.parametrize(
    "text",
    ["a chooses 1..2 x or pass when b and c from d", 'choose "Go?" or pass when a:\n  "Yes":\n    nothing'],
)
def test_when_a_question_may_be_passed_stays_where_it_is(text: str) -> None:
    assert format(tree(text, "block")) == text


def test_sentences_stay_as_they_were_written() -> None:
    text = r'say "{ me }: {{x}} \"y\" \\"'
    assert format(tree(text, "block")) == text


# --- any tree ---------------------------------------------------------------------------------------------------------

WORDS = st.sampled_from(["a", "b", "c", "moved", "me", "it"])
NEW_WORDS = st.sampled_from(["a", "b", "x", "order"])
LEAVES: st.SearchStrategy[Any] = st.one_of(
    st.builds(nodes.Number, st.just(NOWHERE), st.integers(0, 99)),
    st.builds(nodes.Truth, st.just(NOWHERE), st.booleans()),
    st.builds(nodes.Absent, st.just(NOWHERE)),
    st.builds(nodes.Name, st.just(NOWHERE), WORDS),
    st.builds(nodes.Copy, st.just(NOWHERE), st.just("card"), st.integers(1, 9)),
    st.builds(nodes.Every, st.just(NOWHERE), WORDS),
)


def selection(inside: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Selections as the grammar has them: mapped ones have a name, others a condition or an order."""
    maybe = st.none() | inside
    around = st.builds(
        nodes.Selection, st.just(NOWHERE), st.none(), NEW_WORDS, st.just(NOWHERE), inside, maybe, st.none()
    )
    lists = st.lists(around, max_size=2).map(tuple)
    mapped = st.builds(
        nodes.Selection, st.just(NOWHERE), inside, NEW_WORDS, st.just(NOWHERE), inside, maybe, maybe, lists
    )
    named = st.builds(nodes.Selection, st.just(NOWHERE), st.none(), NEW_WORDS, st.just(NOWHERE), inside, inside, maybe)
    return (
        mapped
        | named
        | st.builds(nodes.Selection, st.just(NOWHERE), st.none(), st.none(), st.none(), LEAVES, maybe, inside)
    )


def larger(inside: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    at = st.just(NOWHERE)
    several = st.lists(inside, min_size=1, max_size=3).map(tuple)
    return st.one_of(
        st.builds(nodes.ListOf, at, st.lists(inside, max_size=3).map(tuple)),
        st.builds(nodes.Range, at, inside, inside),
        st.builds(nodes.Negative, at, inside),
        st.builds(nodes.Not, at, inside),
        st.builds(nodes.Sure, at, inside),
        st.builds(nodes.Binary, at, inside, st.sampled_from(["+", "-", "*", "//", "%"]), inside),
        st.builds(
            nodes.Compare, at, inside, st.sampled_from(["==", "!=", "<", "<=", ">", ">=", "in", "not in"]), inside
        ),
        st.builds(nodes.Is, at, inside, st.sampled_from(["gem", "none"]), st.booleans()),
        st.builds(nodes.Logic, at, inside, st.sampled_from(["and", "or"]), inside),
        st.builds(nodes.Conditional, at, inside, inside, inside),
        st.builds(nodes.Attribute, at, inside, WORDS, at),
        st.builds(nodes.Index, at, inside, several),
        st.builds(nodes.Call, at, inside, several),
        st.builds(nodes.PlayersFrom, at, inside),
        selection(inside),
        st.builds(nodes.WhatIf, at, inside, st.lists(effect(inside), min_size=1, max_size=2).map(tuple)),
    )


def effect(inside: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Statements that can be imagined."""
    at = st.just(NOWHERE)
    target = st.builds(nodes.Name, at, WORDS)
    where_to = st.builds(nodes.Preposition, at, st.just("to"), inside)
    return st.one_of(
        st.builds(nodes.Assign, at, target, st.sampled_from(["=", "+="]), inside),
        st.builds(nodes.Command, at, st.just("move"), at, inside, where_to.map(lambda one: (one,))),
        st.builds(nodes.Perform, at, st.none() | target, target, st.lists(inside, max_size=2).map(tuple)),
    )


EXPRESSIONS = st.recursive(LEAVES, larger, max_leaves=12)


@settings(max_examples=EXAMPLES or 200, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(EXPRESSIONS)
def test_any_expression_is_read_as_what_was_written(node: Any) -> None:
    written = format(node)
    assert shape(tree(written, "expression")) == shape(node)


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(EXPRESSIONS, EXPRESSIONS)
def test_any_expression_can_stand_in_a_statement(first: Any, second: Any) -> None:
    for text in (
        "move {} to {}",
        "x = {} if {} else 1",
        "for x in {} where {}: nothing",
        "choose x from {} where {}",
        'say to {} "{{{}}}"',
    ):
        node = tree(text.format(f"({format(first)})", f"({format(second)})"), "block")
        assert shape(tree(format(node), "block")) == shape(node)
