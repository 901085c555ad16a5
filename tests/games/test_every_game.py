"""What holds for every game and every number of players, in matches at random."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from interpreter import Choice, IllegalAnswer, Match, Record, replay
from interpreter.compiler.program import compile_game
from interpreter.engine.playout import finish, play, playout
from interpreter.engine.state import State
from tests.games.every_game import (
    LOOKED_AT,
    MATCHES,
    an_answer,
    check_places,
    load,
    match_facts,
    play_on,
    start,
    tables,
)

QUIET_MATCHES = max(500, MATCHES)
LONGEST_MATCH = 50_000
"""Answers; far more than a match takes."""

every_table = pytest.mark.parametrize(("game", "players"), tables(), ids=lambda value: str(value))


@every_table
def test_a_match_ends_with_every_piece_in_one_place(game: str, players: int) -> None:
    program = load(game).program(players, told=False)
    for seed in range(QUIET_MATCHES):
        generator = Random(seed)
        s = State(program, generator)
        outcome = finish(program, s, play(program, s, generator))
        check_places(s)
        assert len(outcome.scores) == players
        assert outcome.winners, f"nobody has won the match of seed {seed}"
        assert outcome.scores == [sum(line[p] for line in outcome.lines) for p in range(players)]


@every_table
def test_every_piece_is_always_in_one_place(game: str, players: int) -> None:
    for seed in range(MATCHES):
        match = start(game, players, seed)
        random = Random(seed)
        play_on(match, random, lambda match: check_places(match.state))
        check_places(match.state)
        assert len(match.answers) < LONGEST_MATCH
        assert match.pending == ()
        assert match.winners


@every_table
def test_every_option_is_accepted(game: str, players: int) -> None:
    for seed in range(MATCHES):
        match = start(game, players, seed)
        random = Random(seed)

        def try_all(match: Match, random: Random = random) -> None:
            if random.random() > LOOKED_AT:
                return
            for choice in match.pending:
                assert len({option.key for option in choice.options[:500]}) == min(500, len(choice.options))
                for option in some(choice.options, random):
                    tried = match.copy()
                    tried.answer(choice.player, option)
                    by_key = match.copy()
                    by_key.answer(choice.player, option.key)
                    assert match_facts(tried) == match_facts(by_key)

        play_on(match, random, try_all)


@every_table
def test_an_illegal_answer_changes_nothing(game: str, players: int) -> None:
    for seed in range(MATCHES):
        match = start(game, players, seed)
        random = Random(seed)

        def try_illegal(match: Match, random: Random = random) -> None:
            if random.random() > LOOKED_AT:
                return
            before = match_facts(match)
            for player, answer in illegal(match):
                with pytest.raises(IllegalAnswer):
                    match.answer(player, answer)
                assert match_facts(match) == before, f"the refused answer {answer!r} of {player} left a trace"

        play_on(match, random, try_illegal)
        choice_less = match_facts(match)
        with pytest.raises(IllegalAnswer):
            match.answer(match.players[0], "pass")
        assert match_facts(match) == choice_less


@every_table
def test_a_copy_plays_on_as_the_original_does(game: str, players: int) -> None:
    for seed in range(MATCHES):
        match = start(game, players, seed)
        random = Random(seed)
        while not match.is_over and random.random() > 0.01:
            choice, option = an_answer(match, random)
            match.answer(choice.player, option)
        copy = match.copy()
        untouched, kept = match.copy(), match_facts(match)
        assert match_facts(copy) == kept
        while not match.is_over:
            choice, option = an_answer(match, random)
            if random.random() < LOOKED_AT:
                assert shown(copy) == shown(match)
            match.answer(choice.player, option)
            copy.answer(choice.player, option)
        assert copy.is_over
        assert match_facts(copy) == match_facts(match)
        assert copy.events == match.events
        assert [copy.view(p).to_json() for p in copy.players] == [match.view(p).to_json() for p in match.players]
        assert (copy.scores, copy.winners) == (match.scores, match.winners)
        assert match_facts(untouched) == kept, "what happened to the original touched its copy"


@every_table
def test_a_record_replays_to_the_same_events(game: str, players: int) -> None:
    for seed in range(MATCHES):
        match = start(game, players, seed)
        random = Random(seed)
        stop_at = random.choice([10**9, random.randrange(200)])
        while not match.is_over and len(match.answers) < stop_at:
            choice, option = an_answer(match, random)
            match.answer(choice.player, option)
        read = Record.from_json(json.loads(json.dumps(match.record.to_json())))
        again = replay(read, load(game))
        assert match_facts(again) == match_facts(match)
        assert again.events == match.events
        assert [again.events_for(p) for p in again.players] == [match.events_for(p) for p in match.players]
        assert again.record == match.record


@every_table
def test_told_and_quiet_are_one_game(game: str, players: int) -> None:
    told, quiet = (load(game).program(players, told=flavour) for flavour in (True, False))
    for seed in range(MATCHES):
        assert playout(told, seed) == playout(quiet, seed)
        loud, still = start(game, players, seed, told), start(game, players, seed, quiet)
        random = Random(seed)
        while not loud.is_over:
            assert [asked(c) for c in loud.pending] == [asked(c) for c in still.pending]
            choice, option = an_answer(loud, random)
            loud.answer(choice.player, option)
            still.answer(choice.player, option.key)
            assert (loud.state.v, loud.state.z, loud.state.w) == (still.state.v, still.state.z, still.state.w)
        assert still.is_over
        assert (loud.sheet, loud.winners) == (still.sheet, still.winners)


@every_table
def test_a_program_that_marks_what_is_carried_out_is_the_same_game(game: str, players: int) -> None:
    plain = load(game).program(players, told=False)
    for told in (True, False):
        marking = compile_game(load(game).fresh(players), told=told, marking=True)
        for seed in range(MATCHES):
            assert playout(marking, seed) == playout(plain, seed)
        assert any(marking.marks)


def some(options: Any, random: Random) -> list[Any]:
    """All options, or a sample of them where there are many."""
    return list(options) if len(options) <= 12 else [options[random.randrange(len(options))] for _ in range(12)]


def asked(choice: Choice) -> tuple[Any, ...]:
    """A question without the words for people."""
    return (choice.player, choice.kind, choice.name, choice.at_least, choice.at_most, [o.key for o in choice.single])


def shown(match: Match) -> list[Any]:
    """Everything that is shown at a question."""
    return [(asked(c), c.prompt, [o.label for o in c.single]) for c in match.pending] + [
        match.view(player).to_json() for player in match.players
    ]


def illegal(match: Match) -> Iterator[tuple[Any, Any]]:
    """Answers that nobody may give now, with who gives them."""
    asked_now = {choice.player: choice for choice in match.pending}
    for choice in match.pending:
        key = choice.single[0].key
        yield "nobody by that name", key
        yield len(match.players), key
        yield -1, key
        for other in match.players:
            if other not in asked_now:
                yield other, choice.options[0]
                yield other, key
        yield choice.player, "no option is called this"
        yield choice.player, 10**9
        yield choice.player, 1.5
        yield choice.player, [key, "no option is called this"]
        if choice.kind == "several":
            if choice.at_most < len(choice.single):
                yield choice.player, [o.key for o in choice.single[: choice.at_most + 1]]
            if choice.at_least > 0:
                yield choice.player, [o.key for o in choice.single[: choice.at_least - 1]]
            yield choice.player, [key, key]
        else:
            yield choice.player, []
            yield choice.player, None
            if len(choice.single) > 1:
                yield choice.player, [o.key for o in choice.single[:2]]
        mine = {word for o in choice.single for word in (o.key, o.label, o.key.split("#")[0])}
        for other in match.pending:
            yield from ((choice.player, o) for o in other.single if other is not choice and o.key not in mine)
