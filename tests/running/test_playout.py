"""Random play at full speed goes on from wherever a match stands, and leaves the match alone."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

import houserule
from houserule import Match, Record, RuleFault, replay
from houserule.compiler.runtime import LONGEST_MATCH
from houserule.running.faults import MOST_TOLD
from houserule.running.playout import finish, play
from houserule.trial.check import retraced
from houserule.trial.unseen import an_answer, check_places, match_facts
from tests.games.every_game import some_tables, start


@pytest.mark.parametrize(("game", "players"), some_tables(), ids=lambda value: str(value))
def test_a_copy_is_played_to_the_end_from_any_question(game: str, players: int) -> None:
    match, random = start(game, players, 1), Random(1)

    def finish_a_copy(match: Match) -> None:
        if random.random() > 0.1:
            return
        before = match_facts(match)
        state = match.state.copy()
        decisions = play(match.program, state, Random(random.random()))
        outcome = finish(match.program, state, decisions)
        check_places(state)
        assert decisions > 0
        assert outcome.winners
        assert match_facts(match) == before

    while not match.is_over:
        finish_a_copy(match)
        choice, option = an_answer(match, random)
        match.answer(choice.player, option)


ENDLESS = Path(__file__).parents[1] / "hostile" / "files" / "questions_without_end.yaml"


def test_a_match_without_end_is_stopped_at_a_question_with_its_place() -> None:
    game = houserule.load(ENDLESS)
    with pytest.raises(RuleFault, match="goes on and on") as straight:
        game.random_match(2, 1)
    match = game.start(2, 1)
    with pytest.raises(RuleFault, match="goes on and on") as told:
        while True:
            match.answer(match.pending[0].player, "left")
    assert len(match.answers) == LONGEST_MATCH
    for fault in (straight.value, told.value):
        assert (fault.span.line, fault.span.column, fault.rule) == (12, 7, "walk")


@pytest.mark.long
def test_the_record_of_a_match_without_end_replays_to_where_it_was_stopped() -> None:
    game = houserule.load(ENDLESS)
    record, fault = retraced(game, 2, 1)
    assert fault is not None
    with pytest.raises(RuleFault, match="goes on and on") as replayed:
        replay(Record.from_json(json.loads(json.dumps(record.to_json()))), game)
    assert 0 < len(replayed.value.before()) <= MOST_TOLD


OVERFULL = """\
edition: 2026
game: overfull
players: 2..3
components: {man: {attributes: {seat: player}, each: {seat: player}, starts_in: bench}}
zones: {bench: {holds: man, visible: all, capacity: 2}}
flow: {go: {turns: players, do: nothing}}
winner: {when: true}
"""


def test_a_match_begins_in_no_zone_with_more_pieces_than_it_holds(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(OVERFULL, encoding="utf-8")
    game = houserule.load(tmp_path)
    assert game.start(2, seed=1).is_over
    with pytest.raises(RuleFault, match="more pieces begin in 'bench' than it holds") as fault:
        game.start(3, seed=1)
    assert fault.value.span.line == 4
