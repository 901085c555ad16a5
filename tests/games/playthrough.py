"""Tells a match of a table in full: choices, options, answers, events, and the score sheet.

`python -m tests.games.playthrough aladdin_3` prints the playthrough of a table that the tests keep.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import yaml

from houserule import Choice, Match, Option
from houserule.trial.unseen import an_answer
from tests.bundled import load
from tests.games.every_game import GAMES, tables

GOLDEN = Path(__file__).parent / "golden"
DIGESTS = GOLDEN / "digests.txt"
"""A row for each table whose playthrough is not kept in full."""
LONGEST = 120_000
"""Bytes of a playthrough; a table with a longer one gets another seed."""
SHORT = 260
"""Answers in a match that is told of a new table, where there is one so short."""
LONG = 5_000
"""Answers in a match that is never told."""
MOST_OPTIONS = 12


@dataclass(frozen=True)
class Table:
    """Where a match is played: a game, the house rules with it, for how many; None is as few as they allow."""

    game: str
    house_rules: tuple[str, ...] = ()
    players: int | None = None

    def __str__(self) -> str:
        return "_".join((self.game, *self.house_rules[-1:], *([str(self.players)] if self.players else [])))


def with_house_rules() -> list[Table]:
    """A table for each variant, which is played after those that it requires."""
    found = []
    for file in sorted(GAMES.glob("*/variants/*.yaml")):
        written = yaml.safe_load(file.read_text(encoding="utf-8"))
        found.append(Table(file.parent.parent.name, (*written.get("requires", ()), file.stem)))
    return found


def fewest(folder: Path) -> list[tuple[str, int]]:
    """Each game of a group with as few players as it allows."""
    return list({game: (game, players) for game, players in reversed(tables(folder))}.values())[::-1]


TABLES = [
    *(Table(game, (), players) for game, players in (*tables(GAMES), *fewest(GAMES / "classics"))),
    *with_house_rules(),
]


def start(table: Table, seed: int) -> Match:
    """A match at a table."""
    game = load(table.game, table.house_rules)
    return Match.start(game, table.players or game.players[0], seed, "en")


def short(table: Table) -> int:
    """The first seed whose match is short; in a game of long matches, the seed of the shortest of a hundred."""
    lengths: dict[int, int] = {}
    for seed in range(1, 101):
        match, random = start(table, seed), Random(seed)
        most = min(lengths.values(), default=LONG)
        while not match.is_over and len(match.answers) < most:
            choice, option = an_answer(match, random)
            match.answer(choice.player, option)
        if match.is_over:
            lengths[seed] = len(match.answers)
            if lengths[seed] <= SHORT:
                break
    return min(lengths, key=lambda seed: lengths[seed])


def tell(table: Table, seed: int) -> str:
    """The text of a match."""
    return "\n".join(lines(table, seed)) + "\n"


def lines(table: Table, seed: int) -> Iterator[str]:
    """Its lines: `#` a step, `>` a choice with the answer in square brackets, `-` an event."""
    match, random = start(table, seed), Random(seed)
    house_rules = "".join(f" with {name}" for name in table.house_rules)
    yield f"{match.game.title()}{house_rules}, {len(match.players)} players, seed {seed}"
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


def seed_of(told: str) -> int | None:
    """The seed in the first line of a playthrough; None where there is none."""
    found = re.match(r".*seed (\d+)\n", told)
    return int(found[1]) if found else None


def digests() -> dict[str, tuple[int, list[str]]]:
    """By table: its seed, and after the number of lines the digest of each stretch."""
    rows = DIGESTS.read_text(encoding="utf-8").splitlines() if DIGESTS.exists() else []
    kept = (re.fullmatch(r"(\w+): seed (\d+), (.*)", row) for row in rows)
    return {row[1]: (int(row[2]), row[3].split()) for row in kept if row}


def main(name: str) -> None:
    """Prints the playthrough of a table with the seed that is kept."""
    (table,) = (table for table in TABLES if str(table) == name)
    file = GOLDEN / f"{table}.txt"
    seed = seed_of(file.read_text(encoding="utf-8")) if file.exists() else digests()[name][0]
    print(tell(table, seed or 1), end="")


if __name__ == "__main__":
    main(sys.argv[1])
