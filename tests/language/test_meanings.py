"""The checker records what each node of the rules means, if that is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import pytest

import houserule
from houserule import Game
from houserule.definition.model import StepDefinition
from houserule.language import nodes
from houserule.language.checked import Routine, Variable, Zone
from houserule.language.scope import AttributeOf, Name, One
from houserule.language.symbols import Option
from houserule.language.trees import walk
from houserule.language.types import List, Piece, Player, Unknown
from houserule.operations import FUNCTIONS

CONDITIONS = (nodes.Compare, nodes.Logic, nodes.Is, nodes.Not)
"""Their type is known without being recorded."""
OF_EVERY_GAME = {"me", "it", "this", "players", "opponents", "player_count", "top", "bottom"}
GAMES = ("aladdin", "connect_four", "hearts", "yahtzee")


def texts(game: Game) -> Iterator[nodes.Node]:
    """The bodies of routines and steps."""
    rules = game.definition
    for routine in (*rules.functions.values(), *rules.actions.values(), *rules.triggers.values()):
        yield routine.body
    yield from (
        effect for kind in rules.kinds.values() for member in kind.members for effect in member.effects.values()
    )
    waiting: list[StepDefinition] = list(rules.flow)
    while waiting:
        step = waiting.pop()
        waiting += step.steps
        yield from (part for part in (step.do, step.when, step.until, step.turns) if isinstance(part, nodes.Node))


def unread(node: nodes.Node) -> set[nodes.Node]:
    """The nodes below one that name something and are no values: what is called, set, or has an index."""
    match node:
        case nodes.Call(function=function):
            return {function}
        case nodes.Perform(callee=callee, result=result):
            return {callee} | ({result} if result is not None else set())
        case nodes.Index(of=of):
            return {of}
        case nodes.Attribute(of=nodes.Name() as of):  # the kind of a member
            return {of}
        case nodes.Assign(target=nodes.Name() as target) | nodes.Command(verb="roll", argument=nodes.Name() as target):
            return {target}
        case nodes.Choose(count=nodes.Range() as count):
            return {count}
        case nodes.Preposition(word="as" | "at", value=value):
            return {value}
    return set()


@pytest.mark.parametrize("name", GAMES)
def test_every_expression_has_its_type_and_every_name_its_symbol(name: str) -> None:
    game = houserule.load(name)
    found = game.meanings(game.players[-1])
    for text in texts(game):
        inside = walk(text)
        aside = {other for node in inside for other in unread(node)}
        for node in inside:
            if isinstance(node, get_args(nodes.Expression)) and not isinstance(node, CONDITIONS) and node not in aside:
                assert not isinstance(found.types[node], Unknown), node.span
            if isinstance(node, nodes.Name) and node.id not in OF_EVERY_GAME and node.id not in FUNCTIONS:
                assert node in found.symbols, (node.id, node.span)


def meanings(game: Game, action: str, word: str) -> list[object]:
    """The symbols of the nodes with a word in an action, each once."""
    found = game.meanings(2)
    inside = walk(game.definition.actions[action].body)
    named = (node for node in inside if word in (getattr(node, "id", ""), getattr(node, "name", "")))
    return list(dict.fromkeys(found.symbols.get(node) for node in named))


RULES = """\
edition: 2026
game: picking
players: 2
options: {limit: {type: 1..9, default: 3}}
enums: {place: [wood, meadow]}
components:
  mushroom:
    attributes: {grows: place, worth: 0..9}
    starts_in: forest
    pieces: {morel: {grows: wood, worth: 5}}
zones:
  forest: {holds: mushroom, visible: all}
  basket(player): {holds: mushroom, visible: all}
variables: {score(player): int}
functions: {fine(mushroom m): m.worth > limit}
actions:
  pick: |
    for m in me.basket where m.grows == wood and fine(m): me.score += m.worth
    best = first(m in me.basket by m.worth)
    if best: me.score += best.worth
  again: perform pick
flow:
  turn: {turns: players, do: perform again}
winner: {most: me.score}
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder = tmp_path_factory.mktemp("picking")
    (folder / "game.yaml").write_text(RULES, encoding="utf-8")
    return houserule.load(folder)


@pytest.mark.parametrize(
    ("word", "kind"),
    [("score", Variable), ("basket", Zone), ("wood", One), ("grows", AttributeOf), ("fine", Routine), ("best", Name)],
)
def test_a_name_stands_for_what_the_game_or_the_text_declares(game: Game, word: str, kind: type) -> None:
    (symbol,) = meanings(game, "pick", word)
    assert isinstance(symbol, kind)


def test_two_names_with_one_word_are_declared_in_two_places(game: Game) -> None:
    names = [symbol for symbol in meanings(game, "pick", "m") if isinstance(symbol, Name)]
    assert len({name.span for name in names}) == 2


def test_what_a_function_reads_and_what_is_performed_has_a_symbol(game: Game) -> None:
    found = game.meanings(2)
    symbols = [found.symbols.get(node) for node in walk(game.definition.functions["fine"].body)]
    assert any(isinstance(one, Option) and one.name == "limit" for one in symbols)
    assert [getattr(one, "name", "") for one in meanings(game, "again", "pick")] == ["pick"]


def test_a_zone_is_a_list_of_its_pieces_and_a_player_a_player(game: Game) -> None:
    found = game.meanings(2)
    inside = walk(game.definition.actions["pick"].body)
    types = {
        type(node).__name__ + getattr(node, "name", getattr(node, "id", "")): found.types.get(node) for node in inside
    }
    assert isinstance(types["Attributebasket"], List) and types["Attributebasket"].of == Piece("mushroom")
    assert types["Nameme"] == Player()


def test_nothing_is_recorded_to_play(game: Game) -> None:
    assert game.checked(2).analysis.meanings is None
