"""No meaning is lost: random rules, nested three deep, have sentences that name every operand, in every language."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from houserule.language import nodes
from houserule.language.checked import Family
from houserule.language.scope import One
from houserule.language.trees import walk
from houserule.rulebook import LANGUAGES
from houserule.rulebook.terms import Terms
from houserule.rulebook.wording import block
from tests.rulebook.test_sentences import parsed, terms, told

HOW_MANY, DEEPEST = 120, 3


class Rules:
    """Random rules of the game in this folder. Numbers are unique, so that each must be found in the sentence."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.number = 10
        self.local = 0

    def unique(self) -> str:
        self.number += 1
        return str(self.number)

    def name(self) -> str:
        self.local += 1
        return f"{'abdefghjklnoqrsuvwyz'[self.local % 20]}{'' if self.local < 20 else 'x'}"

    def pick(self, depth: int, leaves: list[str], makers: list[str], known: tuple[str, ...]) -> str:
        """A leaf, or one of the shapes filled in: N a number, C a condition, L cards, S a suit, P a player; x a new name."""
        if depth == 0 or self.random.random() < 0.15:
            return self.random.choice(leaves)
        made = self.random.choice(makers)
        names = {letter: self.name() for letter in "xy" if letter in made.split()}
        words = []
        for word in made.split():
            bare, inner = word.strip("(),:."), known
            if bare in names:
                word = word.replace(bare, names[bare])
            if bare[:1] == "~":  # C and N know the names
                inner = (*known, *names.values())
                bare, word = bare[1], word.replace(bare, bare[1])
            if bare in ("N", "C", "L", "S", "P"):
                word = word.replace(bare, getattr(self, bare)(depth - 1, inner), 1)
            words.append(word)
        return " ".join(words)

    def N(self, depth: int, known: tuple[str, ...] = ()) -> str:  # noqa: N802  the letter of the shapes
        leaves = ["me.score", "marker", self.unique(), *(f"{one}.cost" for one in known)]
        makers = ["count( L )", "( marker + N )", "( N - me.score )", "( N if C else N )", "min( N , me.score )", "abs( N )",
                  "sum( ~N for x in L )", "sum( ~N for x in L where ~C )", "clamp( N , N , N )", "worth[ S ]", "( P ).score",
                  "count( ~N for x in L for y in L where ~C )", "position( deck, top(discard) )"]  # fmt: skip
        return self.pick(depth, leaves, makers, known)

    def C(self, depth: int, known: tuple[str, ...] = ()) -> str:  # noqa: N802
        leaves = ["closed", f"marker > {self.unique()}", "empty(deck)", *(f"{one}.bent" for one in known)]
        makers = ["( N < N )", "( N == N )", "( N in N .. N )", "( not C )", "( C and C )", "( C or C )", "( S != S )", "( P == P )",
                  "any( x in L where ~C )", "all( ~C for x in L )", "any( ~C for x in L )", "any( y for x in L for y in L where ~C )",
                  "( not any( x in L where ~C ) )", "( not all( ~C for x in L where ~C ) )", "empty( x in L where ~C )", "rich( P )",
                  "( closed == ( N > me.score ) )", "( C if C else C )", "( C after marker = N )"]  # fmt: skip
        return self.pick(depth, leaves, makers, known)

    def L(self, depth: int, known: tuple[str, ...] = ()) -> str:  # noqa: N802
        makers = [
            "( x in L where ~C )",
            "first( L , N )",
            "( L + me.hand )",
            "reverse( L )",
            "( x in L by ~N )",
            "( x in L where ~C by ~N )",
        ]
        return self.pick(depth, ["me.hand", "discard", "deck"], makers, known)

    def S(self, depth: int, known: tuple[str, ...] = ()) -> str:  # noqa: N802
        return self.random.choice(["cups", "swords", *(f"{one}.suit" for one in known)])

    def P(self, depth: int, known: tuple[str, ...] = ()) -> str:  # noqa: N802
        return self.random.choice(["me", "next(me)", "previous(me, 2)"])

    def statement(self, depth: int, indent: str = "", known: tuple[str, ...] = ()) -> str:
        inner = f"{indent}  "
        one = self.name()
        makers = {
            "if": lambda: (
                f"{indent}if {self.C(depth, known)}:\n{self.statement(depth - 1, inner, known)}\n{indent}else:\n{self.statement(depth - 1, inner, known)}"
            ),
            "for": lambda: (
                f"{indent}for {one} in {self.L(depth, known)}:\n{self.statement(depth - 1, inner, (*known, one))}"
            ),
            "repeat": lambda: (
                f"{indent}repeat {self.N(depth, known)} times:\n{self.statement(depth - 1, inner, known)}"
            ),
            "while": lambda: f"{indent}while {self.C(depth, known)}:\n{self.statement(depth - 1, inner, known)}",
            "choose": lambda: (
                f"{indent}choose {one} from {self.L(depth, known)}:\n{self.statement(depth - 1, inner, (*known, one))}"
            ),
            "set": lambda: f"{indent}marker = {self.N(depth, known)}",
            "add": lambda: f"{indent}me.score += {self.N(depth, known)}",
            "flag": lambda: f"{indent}closed = {self.C(depth, known)}",
        }
        names = ["set", "add", "flag"] if depth == 0 else list(makers)
        return makers[self.random.choice(names)]()


def rules() -> dict[str, nodes.Block]:
    found: dict[str, nodes.Block] = {}
    for seed in range(HOW_MANY):
        text = Rules(seed).statement(DEEPEST)
        found[text] = parsed(text)
    return found


CLOSED = {"en": "the inn is", "de": "das Wirtshaus", "zh-Hant": "客棧打烊", "ja": "宿は閉まった"}
"""What stays of a title that becomes a clause."""


def operands(spoken: Terms, tree: nodes.Block) -> Counter[str]:
    """The words that the sentence of a rule must have, and how often."""
    book, wanted = spoken.book, Counter[str]()
    for node in walk(tree):
        match (
            node,
            spoken.meanings.symbols.get(node) if isinstance(node, nodes.Name | nodes.Attribute | nodes.Index) else None,
        ):
            case nodes.Number(value=number), _ if number > 10:
                wanted[str(number)] += 1
            case nodes.Name() | nodes.Attribute(), Family() as family:
                wanted[CLOSED[book.language] if family.name == "closed" else str(spoken.family(family))] += 1
            case nodes.Name(), One(kind, number):
                wanted[str(spoken.member(kind, number))] += 1
            case nodes.Attribute(name="suit" | "cost" as name), _:
                wanted[str(spoken.attribute(name))] += 1
            case nodes.Call(function=nodes.Name(id="rich")), _:
                wanted[str(spoken.family(spoken.program.symbols.variables["score"]))] += 1
    assert book.language in LANGUAGES
    return wanted


@pytest.fixture(scope="module")
def random_rules() -> dict[str, nodes.Block]:
    return rules()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_operand_is_named(language: str, random_rules: dict[str, nodes.Block]) -> None:
    refused: list[nodes.Block] = []
    spoken = terms(language, random_rules.values(), refused)
    assert len(refused) < HOW_MANY / 3, "most are rules"
    for text, tree in random_rules.items():
        if tree in refused:
            continue
        said = "\n".join(told(block(spoken, tree)))
        heard = said.lower()
        for word, times in operands(spoken, tree).items():
            assert heard.count(word.lower()) >= times, f"'{word}' {times} times in:\n{text}\n{said}"
        code = [
            mark for mark in ("==", "!=", ">=", "_", "[", "any(", "where ", " me.") if mark in said and language != "en"
        ]
        assert not code, f"{code} in:\n{text}\n{said}"
