"""Bots play every bundled game to its end, and the same seed makes them play the same."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import houserule
from houserule.bots.playing import BotFault, bots_at, in_order, play
from houserule.bots.simple import Bot, FirstBot, RandomBot, Seat
from tests.bundled import LARGE, load

GAMES = LARGE


def played(game: houserule.Game, players: int, bot: str, seed: int) -> houserule.Match:
    match = game.start(players=players, seed=seed)
    play(match, bots_at(match, [bot] * players, seed), seed)
    return match


@pytest.mark.parametrize("bot", ["random", "first"])
@pytest.mark.parametrize("name", GAMES)
def test_bots_play_every_game_to_its_end_and_a_record_leads_there_too(name: str, bot: str) -> None:
    game = load(name)
    match = played(game, game.players[-1] if bot == "random" else game.players[0], bot, seed=3)
    assert match.is_over
    assert match.winners
    again = houserule.replay(match.record, game)
    assert (again.scores, again.winners, again.events) == (match.scores, match.winners, match.events)


@pytest.mark.parametrize("name", ["ali_baba", "rattlebones"])
def test_the_same_seed_makes_a_random_bot_play_the_same(name: str) -> None:
    game = load(name)
    players = min(game.players)
    record = played(game, players, "random", 5).record
    assert played(game, players, "random", 5).record == record
    assert played(game, players, "random", 6).record.answers != record.answers


@pytest.mark.parametrize("bot", ["random", "first"])
def test_nobody_imagines_a_match_for_a_bot_that_only_looks_at_its_options(
    bot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(houserule.Match, "imagination")
    assert played(load("rattlebones"), 2, bot, seed=3).is_over


class FakeOption:
    def __init__(self, key: str) -> None:
        self.key = key
        self.is_pass = key == "pass"


class FakeChoice:
    def __init__(self, player: str, kind: str, keys: str) -> None:
        self.player = player
        self.kind = kind
        self.options = self.single = [FakeOption(key) for key in keys.split()]

    def drawn(self, random: random.Random) -> FakeOption:
        return random.choice(self.options)


class FakeMatch:
    def __init__(self, *pending: FakeChoice) -> None:
        self.pending = pending


class FakeSeat:
    def __init__(self, kind: str, keys: str) -> None:
        self.choice = FakeChoice("a", kind, keys)


def test_a_random_bot_takes_each_option_with_the_same_chance() -> None:
    bot = RandomBot("", 1)
    taken = Counter(bot.choose(FakeSeat("pick", "x y z")).key for _ in range(3000))
    assert set(taken) == {"x", "y", "z"}
    assert all(900 < times < 1100 for times in taken.values())


@pytest.mark.parametrize("bot", [RandomBot(), FirstBot()])
def test_a_bot_touches_when_it_has_to_and_only_then(bot: Bot) -> None:
    assert bot.choose(FakeSeat("slap", "pass slap")).key == "pass"
    assert bot.choose(FakeSeat("slap", "slap")).key == "slap"


def test_everybody_is_as_fast_as_everybody_else_in_a_race() -> None:
    chance = random.Random(2)
    match = FakeMatch(*(FakeChoice(player, "slap", "slap") for player in "abc"))
    first = Counter(in_order(match, chance)[0].player for _ in range(3000))
    assert all(900 < times < 1100 for times in first.values())


def test_all_other_choices_are_answered_by_seat() -> None:
    match = FakeMatch(*(FakeChoice(player, "pick", "x") for player in "abc"))
    assert [choice.player for choice in in_order(match, random.Random(2))] == ["a", "b", "c"]


class Contrary:
    """An answer that fails when it is looked at."""

    def __eq__(self, other: object) -> bool:
        raise ZeroDivisionError("compared")

    __hash__ = None  # type: ignore[assignment]  # so that nothing can keep it in a set


class Foreign:
    """A bot of somebody else, which does what it is told."""

    def __init__(self, act: Callable[[], Any]) -> None:
        self.act = act

    def choose(self, seat: Seat) -> Any:
        return self.act()


class Wordless(Exception):
    """A reason that cannot be said."""

    def __str__(self) -> str:
        raise ZeroDivisionError("said")


def raised(wrong: BaseException) -> Callable[[], Any]:
    """What raises an exception."""

    def act() -> Any:
        raise wrong

    return act


@pytest.mark.parametrize(
    "act",
    [
        raised(Wordless()),
        raised(GeneratorExit()),
        lambda: sys.exit(0),
        lambda: None,
        Contrary,
        lambda: "x" * 10_000,
        lambda: [[]],
        lambda: 1 // 0,
        object,
        dict,
    ],
    ids=["wordless", "closed", "leaves", "nothing", "contrary", "long", "lists", "divides", "object", "dict"],
)
def test_a_bot_that_fails_ends_no_process_and_changes_nothing(act: Callable[[], Any]) -> None:
    match = load("nim").start(2, seed=1)
    before = match.record
    with pytest.raises(BotFault, match="the bot at the seat of") as fault:
        play(match, dict.fromkeys(match.players, Foreign(act)), 1)
    assert len(str(fault.value)) < 300
    assert match.record == before


class Chatty:
    """A bot that says what it thinks of, and takes the last option."""

    def choose(self, seat: Seat) -> Any:
        print(seat.options[-1].label)
        return seat.options[-1]


def test_what_a_bot_prints_is_not_among_what_a_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    match = load("nim").start(2, seed=1)
    play(match, dict.fromkeys(match.players, Chatty()), 1)
    assert match.is_over
    printed = capsys.readouterr()
    assert (printed.out, printed.err == "") == ("", False)
