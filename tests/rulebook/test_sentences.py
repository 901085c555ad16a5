"""Every operation, statement and kind of condition in the words of every phrase book."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import get_args

import pytest
import yaml

import houserule
from houserule.definition.check import Rules, check_game
from houserule.diagnostics import Report
from houserule.language import nodes
from houserule.language.blocks import statements_in
from houserule.language.checked import Local, Routine
from houserule.language.format import format
from houserule.language.parse import parse
from houserule.language.trees import walk
from houserule.language.types import PLAYER
from houserule.operations import FUNCTIONS, PREPOSITIONS, VERBS
from houserule.rulebook import LANGUAGES, Line
from houserule.rulebook.phrasebook import FIELD, phrasebook
from houserule.rulebook.terms import Terms, flat
from houserule.rulebook.wording import block, in_one
from houserule.source import Fragment
from houserule.source.nodes import Source
from houserule.telling.labels import Labels
from houserule.workshop.library import OPERATIONS
from tests.golden import assert_golden

HERE = Path(__file__).parent
GOLDEN = HERE / "sentences.md"


def examples() -> list[str]:
    rows = [*VERBS.values(), *(row for rows in FUNCTIONS.values() for row in rows)]
    own: list[str] = yaml.safe_load((HERE / "examples.yaml").read_text(encoding="utf-8"))
    return [*(row.example for row in rows), *own]


def parsed(text: str) -> nodes.Block:
    report = Report()
    source = Source("example", text)
    found = parse(Fragment(text, source, "plain", 0, len(text)), "block", report, PREPOSITIONS)
    assert found is not None, (text, report.diagnostics)
    return found


def terms(language: str, examples: Iterable[nodes.Block] = (), refused: list[nodes.Block] | None = None) -> Terms:
    """The terms of the game in this folder, in which the examples are checked as bodies of actions; what is no rule goes into `refused`."""
    game = houserule.load(HERE)
    program = game.program(2, told=False)
    checked = check_game(Rules(game.definition, OPERATIONS, {}, with_meanings=True), 2, Report())
    assert checked is not None and checked.analysis.meanings is not None and game.loaded.tree is not None
    for example in examples:
        own = Report()
        context = checked.analysis.context("me", source=example, me=Local(example.span, PLAYER, "me"))
        context.routine = Routine("example", (), example.span)
        context.report = own
        statements_in(context, example)
        if refused is not None and own.has_errors:
            refused.append(example)
            continue
        assert not own.has_errors, (format(example), own.diagnostics)
    meanings = checked.analysis.meanings
    labels = Labels(program, ["A", "B"], language)
    return Terms(phrasebook(language), program, labels, game.loaded.tree, meanings, {}, spell=in_one)


def told(lines: tuple[Line, ...]) -> Iterator[str]:
    return (re.sub("^ *", r"\g<0>- ", line) for line in flat(lines))


def test_every_example_is_a_sentence_in_every_language() -> None:
    blocks = {example: parsed(example) for example in examples()}
    spoken = {language: terms(language, blocks.values()) for language in LANGUAGES}
    parts = ["# Every operation and statement in words, as `make accept` writes them", ""]
    for example, found in blocks.items():
        parts += ["```", example.rstrip(), "```", ""]
        for language in LANGUAGES:
            lines = list(told(block(spoken[language], found)))
            assert lines
            parts += [f"*{language}*", "", *lines, ""]
    text = "\n".join(parts).rstrip() + "\n"
    assert_golden(GOLDEN, text)


def test_the_examples_have_every_class_of_the_syntax_tree() -> None:
    kinds = (*get_args(nodes.Expression), *get_args(nodes.Statement))
    seen = {type(node) for example in examples() for node in walk(parsed(example))}
    assert {kind.__name__ for kind in kinds} - {kind.__name__ for kind in seen} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_phrase_book_has_every_phrase_with_its_parts(language: str) -> None:
    english, book = phrasebook("en"), phrasebook(language)
    for section in ("values", "functions", "conditions", "verbs", "statements", "events", "steps", "book"):
        assert {base(name) for name in book.tables[section]} == {base(name) for name in english.tables[section]}
        for name, template in english.tables[section].items():
            if base(name) != name:
                continue
            wanted = set(fields(template)) - {"noun", "source"} - (set() if "clauses" in book.tables else {"verb"})
            assert wanted <= set(fields(book.tables[section][name])), f"{section}.{name}"
    assert {base(name) for name in english.tables["nouns"]} - {"that"} <= set(book.tables["nouns"])


def fields(template: str | Mapping[str, str]) -> Iterator[str]:
    """The parts of a phrase, of one with several cases in the first."""
    return (name for name, *_ in FIELD.findall(template if isinstance(template, str) else template["nom"]))


def base(name: str) -> str:
    """A phrase without what only some languages tell apart: genders, people, vowels, long owners, and clauses inside others."""
    return re.sub(r"_(m|f|n|pl|person|vowel|long|apart|there|there_no)$", "", name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_operation_has_its_phrases(language: str) -> None:
    book = phrasebook(language)
    conditions = {"any", "all", "empty"}
    assert set(VERBS) <= set(book.tables["verbs"])
    assert set(FUNCTIONS) - conditions <= set(book.tables["functions"])
    assert conditions <= set(book.tables["conditions"])
