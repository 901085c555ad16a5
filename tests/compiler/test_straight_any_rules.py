"""Whatever rules are made of, played straight through they come to the same as in segments: outcome, table, events, faults.

A few rules run with the tests, always the same. With `HOUSERULE_FUZZ=5000` so many others do.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random
from textwrap import indent

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import houserule
from houserule import Game, InvalidGame, RuleFault
from houserule.compiler.program import Program
from houserule.running.playout import Outcome, finish, play, played_through, playout
from houserule.running.state import State

EXAMPLES = int(os.environ.get("HOUSERULE_FUZZ", "0"))

GAME = """\
edition: 2026
game: any_rules
players: 2
enums:
  spell:
    effects: [cast]
    members:
      first: {cast: "choose k from 1..2; me.score += k"}
      second: {cast: me.score += 10}
      third:
components:
  card: {attributes: {worth: 0..3}, pieces: {ace: {worth: 3, count: 3}, king: {worth: 2, count: 3}, ten: {worth: 1, count: 2}}, starts_in: deck}
zones:
  deck: {holds: card, visible: all}
  heap: {holds: card, visible: all}
  hand(player): {holds: card, visible: all, order: none}
variables:
  score(player): int
  fuel: {type: int, start: 40}
  n: 0..6
  few: 0..12
  box(0..4): int
"""
TRIGGERS = """\
triggers:
  on_n:
    whenever: n changes
    do: box[1] += 1
  on_hand:
    whenever: card enters hand of p
    do: p.score += 1
"""
SCORING = "scoring: {score: me.score}\n"


class Rules:
    """Writes rules as chance would have it. Names are those of numbers, players and lists that stand in the block and around it."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.made = 0

    def name(self) -> str:
        self.made += 1
        return f"x{self.made}"

    def number(self, names: list[str]) -> str:
        known = [*names, "n", "me.score", "box[2]", "count(me.hand)", "count(deck)"]
        a, b = self.chance.choice(known), self.chance.choice(known)
        return self.chance.choice([str(self.chance.randrange(4)), a, f"({a} + {b}) % 5", f"{a} % 3", "2"])

    def test(self, names: list[str]) -> str:
        return f"{self.number(names)} {self.chance.choice(['<', '==', '>=', '!='])} {self.number(names)}"

    def block(self, names: list[str], place: str, depth: int, loops: int) -> list[str]:
        """A few statements; what is named in them is not known behind them."""
        names, before = [*names], len(names)
        found: list[str] = []
        for _ in range(self.chance.choice([1, 1, 2, 2, 3])):
            found += self.statement(names, place, depth, loops)
        # What is never read would be a mistake.
        return [*found, *(f"me.score += {name} % 2" for name in names[before:])]

    def inside(self, head: str, names: list[str], place: str, depth: int, loops: int, first: str = "") -> list[str]:
        lines = self.block(names, place, depth - 1, loops)
        return [head, *([f"  {first}"] if first else []), *(f"  {line}" for line in lines)]

    def statement(self, names: list[str], place: str, depth: int, loops: int) -> list[str]:
        chance = self.chance
        kinds = ["own", "own", "local", "again", "choose", "choose", "jump"]
        if depth > 0:
            kinds += ["if", "if", "else", "for", "for", "repeat", "menu", "body", "several"]
            if "together" not in place:
                kinds += ["while", "while", "cards", "people", "together"]
        if "together" not in place:
            kinds += ["shared", "risky", "box", "draw", "move", "race", "say", "cast", "end", "asked"]
            kinds += ["perform", "perform"] if place != "act2" else []
        kind = chance.choice(kinds)
        deeper = (names, place, depth, loops + 1)
        match kind:
            case "own":
                return [f"me.score += {self.number(names)}"]
            case "local":
                value, made = self.number(names), self.name()
                names.append(made)
                return [f"{made} = {value} + 0"]
            case "again":
                own = [name for name in names if name.isalnum() and name[-1].isdigit()]
                return [f"{chance.choice(own)} += 1"] if own else ["me.score += 2"]
            case "choose":
                made = self.name()
                source = chance.choice(["1..3", "1..2", "0..4 where it > " + self.number(names)])
                if source[0] in "12" and chance.random() < 0.7:
                    names.append(f"{made} % 4")
                    return [f"choose {made} from {source}"]
                or_pass = chance.choice(["", " or pass"])
                if depth > 0 and chance.random() < 0.5:
                    return self.inside(f"choose {made}{or_pass} from {source}:", [*names, made], place, depth, loops)
                return [f"choose {made}{or_pass} from {source}: me.score += {made}"]
            case "several":
                made = self.name()
                count = chance.choice(["0..2", "1..2", "1", "2"])
                names.append(f"count({made})")
                return [f"choose {count} {made}{chance.choice(['', ' or pass'])} from me.hand"]
            case "body":
                made = self.name()
                yes = self.inside(f"choose {made} from me.hand:", [*names, f"{made}.worth"], place, depth, loops)
                return [*yes, *self.inside("else:", names, place, depth, loops)]
            case "menu":
                lines = [f'choose "Which?"{chance.choice(["", " or pass"])}:']
                for label in ("One", "Two", "Three")[: chance.choice([2, 3])]:
                    when = chance.choice(["", f" when {self.test(names)}"])
                    lines += indented(self.inside(f'"{label}"{when}:', names, place, depth, loops))
                return lines
            case "jump":
                inside = ["leave"] if loops else []
                if "together" in place:
                    ends = "finish"
                elif "act" in place:
                    ends = f"finish with {self.number(names)}"
                else:
                    ends = chance.choice(["finish", "finish turn", "leave turn", "finish many"])
                return [f"if {self.test(names)}: {chance.choice([ends, *inside, *inside])}"]
            case "if":
                return self.inside(f"if {self.test(names)}:", names, place, depth, loops)
            case "else":
                yes = self.inside(f"if {self.test(names)}:", names, place, depth, loops)
                return [*yes, *self.inside("else:", names, place, depth, loops)]
            case "for":
                made = self.name()
                source = chance.choice(["1..2", "1..3", f"0..3 where {made}y != {self.number(names)}"])
                return self.inside(f"for {made}y in {source}:", [*names, f"{made}y"], *deeper[1:])
            case "cards":
                made = self.name()
                head = f"for {made}y in {chance.choice(['me.hand', 'heap'])}:"
                first = f"move {made}y to {chance.choice(['heap', 'me.hand', 'deck'])}"
                return self.inside(head, [*names, f"{made}y.worth"], *deeper[1:], first=first)
            case "people":
                made = self.name()
                return self.inside(f"for {made}y in players:", [*names, f"{made}y.score"], *deeper[1:])
            case "repeat":
                return self.inside(f"repeat {chance.choice(['2', '3', self.number(names)])} times:", *deeper)
            case "while":
                return self.inside("while fuel > 0:", *deeper, first="fuel -= 1")
            case "together":
                return self.inside("together players:", names, f"{place} together", depth, 0)
            case "shared":
                return [f"n = ({self.number(names)} + 7) % 7"]
            case "risky":
                return [f"few = {self.number(names)} + few"]
            case "box":
                return [f"box[{self.number(names)}] += 1"]
            case "draw":
                return [f"draw {chance.randrange(1, 3)} from deck to me.hand"]
            case "move":
                return [chance.choice(["move me.hand to heap", "move heap to deck; shuffle deck", "shuffle heap"])]
            case "race":
                made = self.name()
                names.append(f"count({made})")
                return [f"race p in players must p.score % 3 > {self.number(names[:-1])} as {made}"]
            case "say":
                return [f'say "{{{self.number(names)}}}"']
            case "cast":
                return ["for s in spell: perform s.cast"]
            case "asked":
                return [f"last(players) chooses {self.name()}z from 1..2"]
            case "end":
                return [f"if {self.number(names)} > 3 and fuel < 20: end game"]
            case _:
                action = f"act{chance.randrange(int(place[3]) + 1 if place.startswith('act') else 0, 3)}"
                if chance.random() < 0.5:
                    return [f"perform {action}({self.number(names)})"]
                made = self.name()
                names.append(f"{made} % 6")
                return [f"{made} = perform {action}({self.number(names[:-1])})"]

    def game(self) -> str:
        """A whole game."""
        parts = [GAME, "actions:\n"]
        for number in range(3):
            body = [*self.block(["q"], f"act{number}", 2, 0), f"finish with {self.number(['q'])}"]
            parts += [f"  act{number}(int q): |\n", indent("\n".join(body), "    "), "\n"]
        if self.chance.random() < 0.3:
            parts.append(TRIGGERS)
        step = self.chance.choice(
            ["", "    repeat: 2\n", "    for: e in spell\n", "    while: fuel > 0\n", "    until: fuel < 20\n"]
        )
        fewer = "fuel -= 5\n" if "fuel" in step else ""
        parts += ["flow:\n  many:\n", step, "    steps:\n      turn:\n        turns: players\n        do: |\n"]
        body = [*self.block([], "flow", 4, 0), *self.block([], "flow", 4, 0)]
        parts += [indent(fewer + "\n".join(body), "          "), "\n", SCORING]
        return "".join(parts)


def indented(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def by_segments(program: Program, seed: int) -> tuple[Outcome | str, State]:
    """A match at random that stops at each question, or the fault in which it ends."""
    generator = Random(seed)
    s = State(program, generator)
    try:
        return finish(program, s, play(program, s, generator)), s
    except RuleFault as fault:
        return str(fault), s


def events(s: State) -> Iterator[tuple[object, ...]]:
    """What is told of a match; a sentence by its text."""
    for kind, *values in s.log or ():
        yield (kind, s.program.texts[values[0]][0], *values[1:]) if kind == "say" else (kind, *values)


def check_both_ways(game: Game, seed: int) -> bool:
    """Whether the game is played straight through; if so it comes to the same."""
    for told in (True, False):
        program = game.program(2, told)
        straight = program.straight_through()
        if straight is None:
            return False
        outcome, stopping = by_segments(program, seed)
        s = State(program, Random(seed))
        if isinstance(outcome, str):
            with pytest.raises(RuleFault) as fault:
                playout(program, seed)
            assert str(fault.value) == outcome
            assert not played_through(straight, s)
            continue
        assert played_through(straight, s)
        assert finish(program, s, s.decisions) == outcome == playout(program, seed)
        assert (s.v, s.z, s.w) == (stopping.v, stopping.z, stopping.w)
        assert list(events(s)) == list(events(stopping))
    return True


@settings(
    max_examples=EXAMPLES or 15,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(seed=st.integers(0, 2**32))
def test_any_rules_come_to_the_same_both_ways(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    rules = Rules(Random(seed)).game()
    path = tmp_path_factory.getbasetemp() / "any_rules.yaml"
    path.write_text(rules, encoding="utf-8")
    try:
        game = houserule.load(path)
    except InvalidGame as invalid:
        raise AssertionError(f"{rules}\n{invalid}") from invalid
    for match in range(2):
        check_both_ways(game, match)
