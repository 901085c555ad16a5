"""Answers and what players see, in numbers: they follow from the rules, cover every answer, and tell no secret."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

import houserule
from houserule import Match
from houserule.cli.application import application
from tests.bundled import load

PLAYED = ["aladdin", "ali_baba", "master_thieves", "rattlebones", "checkers", "hearts", "liars_dice", "yahtzee", "pig"]


def play(match: Match, random: Random, answers: int) -> None:
    """Play on in numbers alone."""
    actions = match.game.actions(len(match.players))
    for _ in range(answers):
        if match.is_over:
            return
        choice = random.choice(match.pending)
        asked = actions.of(match, choice.seat)
        while not asked.is_done:
            asked.take(random.choice(asked.legal))
        match.answer(choice.seat, actions.option(match, choice.seat, *asked.taken))


@pytest.mark.parametrize("game", PLAYED)
def test_a_game_is_played_in_numbers_and_they_tell_no_secret(game: str) -> None:
    rules, random = load(game), Random(4)
    players = min(rules.players[-1], 3) if 3 in rules.players else rules.players[0]
    match = rules.start(players, seed=2)
    actions, observations = rules.actions(players), rules.observations(players)
    assert len(actions.names) == actions.size == sum(block.size for block in actions.blocks)
    assert len({entry.name for entry in observations.entries}) == observations.size
    for _ in range(5):
        play(match, random, 4)
        for seat in range(players):
            vector = observations.of(match, seat)
            assert all(
                entry.low <= value <= entry.high for entry, value in zip(observations.entries, vector, strict=True)
            )
            imagined = match.imagine(seat, seed=random.getrandbits(20))
            assert observations.of(imagined, seat) == vector
            if seat in [choice.seat for choice in match.pending]:
                assert actions.legal(imagined, seat) == actions.legal(match, seat)


def test_numbers_are_the_same_whenever_the_rules_are() -> None:
    rules = load("hearts")
    again = houserule.load("hearts")
    assert again.actions(4).names == rules.actions(4).names
    assert again.observations(4).entries == rules.observations(4).entries


def test_every_single_answer_has_a_number_of_its_own() -> None:
    match, random = load("aladdin").start(2, seed=1), Random(1)
    actions = match.game.actions(2)
    for _ in range(40):
        choice = match.pending[0]
        found = [actions.option(match, choice.seat, number) for number in actions.legal(match, choice.seat)]
        assert sorted(option.key for option in found) == sorted(option.key for option in choice.single)
        match.answer(choice.seat, random.choice(found))


def test_several_things_are_answered_one_by_one() -> None:
    match = load("hearts").start(4, seed=1)
    actions = match.game.actions(4)
    first, *_ = actions.legal(match, 0)
    assert first not in actions.legal(match, 0, [first])
    with pytest.raises(ValueError, match="another number has to follow"):
        actions.option(match, 0, first)
    with pytest.raises(ValueError, match="not among the legal numbers"):
        actions.option(match, 0, first, first)
    taken = actions.legal(match, 0)[:3]
    assert actions.option(match, 0, *taken) == actions.option(match, 0, *reversed(taken))
    vector = match.game.observations(4).named(match.game.observations(4).of(match, 0, taken[:1]))
    assert [name for name, value in vector.items() if name.startswith("taken: ") and value] == [
        f"taken: {actions.name(taken[0])}"
    ]
    match.answer(0, actions.option(match, 0, *taken))


def test_large_pairs_are_answered_part_by_part_and_wide_numbers_by_place(tmp_path: object) -> None:
    file = tmp_path / "wide.yaml"  # type: ignore[operator]
    file.write_text(
        """edition: 2026
game: wide
players: 2
components:
  spot: {attributes: {row: 1..65}, each: {row: 1..65}}
variables: {score(player): int}
flow:
  play:
    turns: players
    do: |
      choose a from spot, b from spot: me.score += a.row - b.row
      choose n from 1..2000 + me.score % 7: me.score += n
      choose "How?":
        "By {k}" for k in 1..3: me.score += k
        "Not at all": me.score -= 1
scoring: {points: me.score}
""",
        encoding="utf-8",
    )
    game = houserule.load(file)
    actions = game.actions(2)
    assert [block.how for block in actions.blocks] == ["one part after another", "one part after another", "at once"]
    assert [block.size for block in actions.blocks] == [131, 513, 5]
    match, random = game.start(2, seed=1), Random(1)
    match.answer(0, actions.option(match, 0, 3, 65 + 5))
    assert match.answers == [("Player 1", "spot_4, spot_6")]
    play(match, random, 100)
    assert match.is_over


MANY = """edition: 2026
game: many
players: 2
components:
  card: {{starts_in: deck, attributes: {{no: 1..{pieces}}}, each: {{no: 1..{pieces}}}}}
zones:
  deck: {{holds: card, visible: all}}
{zones}
flow:
  play:
    turns: players
    do: |
{lines}
winner: {{most: count(deck)}}
"""


@pytest.mark.parametrize(
    ("what", "pieces", "zones", "questions"),
    [("the answers", 60, 1, 40), ("what a player sees", 5_000, 30, 1)],
)
def test_a_game_with_too_many_numbers_is_refused_with_a_sentence(
    what: str, pieces: int, zones: int, questions: int, tmp_path: Path
) -> None:
    text = MANY.format(
        pieces=pieces,
        zones="".join(f"  pile{i}: {{holds: card, visible: all}}\n" for i in range(zones)),
        lines="      choose a from deck, b from deck: move a to pile0\n" * questions,
    )
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    said = CliRunner().invoke(application, ["actions", str(tmp_path)])
    assert said.exit_code == 2 and f"{what} of this game would be more than 100,000 numbers" in said.output
    assert "--players" not in said.output


def test_numbers_of_other_rules_are_refused() -> None:
    match = load("nim").start(2, seed=1)
    for numbers in (load("pig").actions(2), load("goofspiel").actions(3)):
        with pytest.raises(ValueError, match="other rules"):
            numbers.legal(match, 0)
    with pytest.raises(ValueError, match="other rules"):
        load("pig").observations(2).of(match, 0)
    with pytest.raises(ValueError, match="not asked anything"):
        load("nim").actions(2).legal(match, 1)


SECRETLY = """edition: 2026
game: secretly
players: 2
variables:
  plan(player): {type: 0..3, visible: owner}
flow:
  secretly:
    together: players
    do: |
      choose x from 0..1 "Which?"
      me.plan = x
      if x > 0:
        choose n from 2..3 "How many?"
        me.plan = n
  then:
    turns: players
    do: |
      choose "Go on":
        "Yes": nothing
scoring: {plans: me.plan}
"""


def test_nobody_sees_who_has_answered_of_those_who_choose_at_the_same_time(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(SECRETLY, encoding="utf-8")
    game = houserule.load(path)
    numbers = game.observations(2)
    seen = []
    for plan in (0, 1):
        match = game.start(2, seed=1)
        seen.append(numbers.of(match, 1))
        match.answer(0, str(plan))
        seen.append(numbers.of(match, 1))
    assert seen == [seen[0]] * 4
    assert numbers.named(seen[0])["player 1 is asked"] == 1


def test_the_command_lists_both() -> None:
    shown = CliRunner().invoke(application, ["actions", "kuhn_poker"])
    assert shown.exit_code == 0 and "Fold" in shown.output and "hand[0]: jack" in shown.output
    found = json.loads(CliRunner().invoke(application, ["actions", "pig", "--players", "3", "--json"]).output)
    assert found["actions"][0]["names"] == ["Roll", "Hold", "pass"]
    assert found["rules"] == load("pig").rules_hash and found["players"] == 3
    refused = CliRunner().invoke(application, ["actions", "pig", "--players", "99"])
    assert refused.exit_code == 2
