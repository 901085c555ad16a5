"""Who sits where is read from one text, wherever bots sit; what is wrong with it is said in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint

import pytest

from houserule.bots import playing
from houserule.bots.playing import UnknownSeat, bot_of, bots, seated
from houserule.bots.simple import Seat


class LastBot:
    """Takes the last option."""

    def __init__(self, argument: str, seed: int) -> None:
        if argument == "leave":
            raise SystemExit(0)
        if argument == "fail":
            raise ZeroDivisionError("so it goes")
        if argument and argument != "twice":
            raise ValueError("only 'twice' follows its name")

    def choose(self, seat: Seat) -> object:
        return seat.options[-1]


@pytest.fixture
def other_packages(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Packages that bring bots: `last`, and `lost`, whose module is missing."""
    found = {
        "last": EntryPoint("last", f"{__name__}:LastBot", playing.GROUP),
        "lost": EntryPoint("lost", "no_such_package:Bot", playing.GROUP),
    }
    monkeypatch.setattr(playing, "others", lambda: found)
    monkeypatch.setattr(
        EntryPoint, "load", lambda entry: LastBot if entry.name == "last" else __import__("no_such_package")
    )
    playing.maker.cache_clear()
    yield
    playing.maker.cache_clear()


def test_the_last_word_fills_the_seats_that_remain() -> None:
    assert seated("first, random", 4) == ("first", "random", "random", "random")
    assert seated("human,random", 2, people=True) == ("human", "random")
    assert seated("", 2, people=True) == ("human", "human")


@pytest.mark.parametrize(
    ("text", "sentence", "help"),
    [
        ("ransom", "'ransom' cannot take a seat", "did you mean 'random'?"),
        ("chess", "'chess' cannot take a seat", "use random, first"),
        ("human", "'human' cannot take a seat here", "use random, first"),
        ("", "no bot is named", "use random, first"),
        ("random,random,random", "3 seats are named for 2 players", None),
        ("random:3", "'random:3' cannot take a seat: it takes no argument", None),
    ],
)
def test_a_text_that_seats_nobody_is_said_in_a_sentence(text: str, sentence: str, help: str | None) -> None:
    with pytest.raises(UnknownSeat) as wrong:
        seated(text, 2)
    assert str(wrong.value) == sentence
    assert (wrong.value.help or "").startswith(help or "")


def test_other_packages_bring_bots(other_packages: None) -> None:
    assert bots()[-2:] == ["last", "lost"]
    assert seated("last:twice,random", 2) == ("last:twice", "random")
    assert isinstance(bot_of("last", 1), LastBot)
    with pytest.raises(UnknownSeat, match="'last:once' cannot take a seat: only 'twice' follows its name"):
        seated("last:once", 2)
    with pytest.raises(
        UnknownSeat, match="the bot 'lost' cannot be loaded from 'no_such_package:Bot': No module named"
    ):
        seated("lost", 2)


@pytest.mark.parametrize("word", ["last:leave", "last:fail"])
def test_a_bot_that_cannot_be_made_is_told_in_a_sentence(word: str, other_packages: None) -> None:
    with pytest.raises(UnknownSeat, match="the bot 'last' cannot be made"):
        bot_of(word, 1)
