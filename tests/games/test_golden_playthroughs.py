"""A match of every game for every number of players, told in full: choices, options, answers, events, score sheet.

`make accept` writes the files anew; read the diff. A file keeps the seed in its first line; a new one gets a short
match.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from interpreter import Choice, Match, Option
from interpreter.invariants.facts import an_answer
from tests.games.every_game import GAMES, load, start, tables

GOLDEN = Path(__file__).parent / "golden"
LONGEST = 120_000
SHORT = 260
"""Answers in a match that a new file tells, where there is one so short."""
LONG = 5_000
"""Answers in a match that no file tells."""
MOST_OPTIONS = 12


@pytest.mark.parametrize(("game", "players"), tables(GAMES), ids=lambda value: str(value))
def test_a_match_is_told_as_before(game: str, players: int) -> None:
    file = GOLDEN / f"{game}_{players}.txt"
    kept = file.read_text(encoding="utf-8") if file.exists() else ""
    seed = re.match(r".*seed (\d+)\n", kept)
    if os.environ.get("HOUSERULE_ACCEPT"):
        GOLDEN.mkdir(exist_ok=True)
        told = tell(game, players, int(seed[1])) if seed else ""
        file.write_text(
            told if 0 < len(told.encode()) < LONGEST else tell(game, players, short(game, players)), "utf-8"
        )
        return
    assert seed, f"{file} is not there: make accept"
    told = tell(game, players, int(seed[1]))
    assert told.splitlines() == kept.splitlines(), "it is told otherwise than before: make accept, and review the diff"
    assert len(told.encode()) < LONGEST


def test_no_golden_file_is_left_over() -> None:
    assert {file.stem for file in GOLDEN.glob("*.txt")} == {f"{game}_{players}" for game, players in tables(GAMES)}


def short(game: str, players: int) -> int:
    """The first seed whose match is short; in a game of long matches, the seed of the shortest of a hundred."""
    lengths: dict[int, int] = {}
    for seed in range(1, 101):
        match, random = start(game, players, seed), Random(seed)
        most = min(lengths.values(), default=LONG)
        while not match.is_over and len(match.answers) < most:
            choice, option = an_answer(match, random)
            match.answer(choice.player, option)
        if match.is_over:
            lengths[seed] = len(match.answers)
            if lengths[seed] <= SHORT:
                break
    return min(lengths, key=lambda seed: lengths[seed])


def tell(game: str, players: int, seed: int) -> str:
    """The text of a match."""
    return "\n".join(lines(game, players, seed)) + "\n"


def lines(game: str, players: int, seed: int) -> Iterator[str]:
    """Its lines: `#` a step, `>` a choice with the answer in square brackets, `-` an event."""
    match, random = start(game, players, seed), Random(seed)
    yield f"{load(game).title()}, {players} players, seed {seed}"
    told = 0
    while True:
        events = match.events
        for event in events[told:]:
            yield f"\n# {event.text}" if event.kind == "step" else f"- {event.kind}: {event.text}"
        told = len(events)
        if match.is_over:
            break
        choice, option = an_answer(match, random)
        yield f"> {choice.player}, {asked(choice)} {answers(choice, option)}"
        match.answer(choice.player, option)
    yield from sheet(match)


def asked(choice: Choice) -> str:
    """The question, and the name that the answer gets."""
    bounds = f" ({choice.at_least} to {choice.at_most})" if choice.kind == "several" else ""
    name = choice.name or choice.kind
    return f"{name}{bounds}: {choice.prompt}" if choice.prompt else f"{name}{bounds}:"


def answers(choice: Choice, option: Option) -> str:
    """The options by their keys, with their labels where those say something else; the answer in brackets."""
    chosen = option.key.split(", ") if choice.kind == "several" else [option.key]
    words = []
    for one in choice.single:
        plain = one.key.split("#")[0].replace("_", " ").casefold()
        word = one.key if one.label.casefold() in (plain, one.key.casefold()) else f"{one.key} “{one.label}”"
        if one.key in chosen:
            words.append(f"[{word}]")
        elif len(words) < MOST_OPTIONS:
            words.append(word)
    left = len(choice.single) - len(words)
    return " | ".join(words) + (f" | {left} more" if left else "")


def sheet(match: Match) -> Iterator[str]:
    """The score sheet and who has won."""
    yield "\n# Score sheet"
    yield f"- {', '.join(match.players)}"
    for line in match.sheet:
        yield f"- {line.title}: {', '.join(str(line.points[p]) for p in match.players)}"
    yield f"- in all: {', '.join(str(match.scores[p]) for p in match.players)}"
    yield f"- won by {' and '.join(match.winners)}"
