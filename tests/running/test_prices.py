"""A unit of work is worth about 20 nanoseconds in Python, whatever rules do: neither much less, as sound rules would be stopped
too early, nor much more, as rules that mean harm would run too long.

Each form runs for some milliseconds, by turns with a loop of plain Python that says how fast this machine is at the moment.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

import houserule
from houserule import Match
from houserule.bots.playing import bots_at, play
from houserule.compiler.program import compile_game
from houserule.operations import FUNCTIONS, VERBS, fuel
from houserule.running import playout
from houserule.running.state import State

FACTOR = 3
"""How far a price may be from the time that it stands for."""
PLAIN = 50
"""The nanoseconds of a pass of the plain loop on a machine of the speed that prices are made for."""
TRIES, ROUNDS = 6, 3
"""How often a price is measured until it fits, since others use the machine as well, and in how many rounds."""

GAME = """\
edition: 2026
game: mushrooms
players: 2
enums:
  suit:
    effects: [grow]
    members: {morel: {grow: n += 1}, truffle: {grow: n = 0}, parasol: }
components:
  card: {starts_in: deck, attributes: {no: 1..40}, each: {no: 1..40}, variables: {mark: int}}
  field: {attributes: {x: 1..9, y: 1..9}, each: {x: 1..9, y: 1..9}}
  path: {grid: hexagonal, attributes: {row: 1..9, column: 1..9}, each: {row: 1..9, column: 1..9}}
zones:
  deck: {holds: card, visible: all}
  rest: {holds: card, visible: all}
  on(field): {holds: card, visible: all}
  watched: {holds: card, visible: all}
  basket(player): {holds: card, visible: all}
variables:
  n: int
  m: int
  heard: int
  score(player): int
  flags(0..99): int
  stood: {type: 0..99, per_position: [deck, rest]}
  seen: {type: 0..99, per_position: [flags]}
functions:
  near(field a, field b): abs(a.x - b.x) + abs(a.y - b.y) == 1
  thrice(int a): a * 3 + 1
  long_sum(int a): (a * 7 + a // 2 - a % 5 + abs(a - 9)) * 3 % (2 + a * a) + clamp(a, 0, 9) + max(a, 3) + min(a * 5, 3) + clamp(a * 2, 1, 7)
  found(int a):
    do: |
      for c in deck:
        if c.no > a: finish with c.no
      finish with 0
  fibonacci(int a): |
    if a < 2: finish with 1
    finish with fibonacci(a - 1) + fibonacci(a - 2)
actions:
  both(int a): |
    n = a
    m = a + 1
triggers:
  on_heard:
    whenever: heard changes
    do: n += 1
  on_watched:
    whenever: c enters watched
    do: n = c.no
flow:
  setup:
    do: |
      draw 5 from deck to watched
  round:
    repeat: {rounds}
    turns: players
    do: |
      {effect}
scoring: {points: me.score}
"""

OPERATIONS = {
    "move": "move top(deck) to rest\nmove top(rest) to deck",
    "move to a position": "move top(deck) to deck at 5",
    "move from below": "move first(deck)! to deck",
    "move a pile": "move deck to rest\nmove rest to deck",
    "move a list": "move first(deck, 20) to rest\nmove rest to deck",
    "draw": "draw 3 from deck to rest\nmove rest to deck",
    "draw many": "draw 30 from deck to rest\nmove rest to deck",
    "draw 1": "draw 1 from deck to rest\nmove rest to deck",
    "shuffle": "shuffle deck",
    "swap pieces": "swap top(deck)! with first(deck)!",
    "swap piles": "swap deck with rest",
    "swap variables": "swap n with m",
    "rotate": "rotate basket",
    "rotate full": "draw 20 from deck to me.basket\nrotate basket\nmove basket[me] to deck\nmove basket[next(me)] to deck",
    "show": "show deck to players",
    "show one": "show top(deck) to players",
    "roll": "roll k from 1..6\nn = k",
    "count": "n = count(c in deck where c.no > m)",
    "sum": "n = sum(c.no + m for c in deck)",
    "any": "n = 1 if any(c in deck where c.no < m) else 2",
    "all": "n = 1 if all(c.no > m for c in deck) else 2",
    "empty": "n = 1 if empty(c in deck where c.no < m) else 2",
    "first by": "n = first(c in deck by -c.no)!.no",
    "last by": "n = last(c in deck by c.no)!.no",
    "first many": "n = count(first(deck, 30))",
    "last few": "n = count(last(deck, 3))",
    "item": "n = item(deck, 1 + m)!.no",
    "position": "n = position(deck, top(deck)!)",
    "distinct": "n = count(distinct(c.no % 7 for c in deck))",
    "reverse": "n = count(reverse(c.no for c in deck))",
    "most": "n = count(most(c in deck by c.no))",
    "least": "n = count(least(c in deck by [c.no % 3, c.no]))",
    "max of a list": "k = max(c.no for c in deck)\nn = 1 if k else 2",
    "min": "n = min(m, n, 3) + max(n, m)",
    "abs": "n = abs(m - n)",
    "clamp": "n = clamp(m + n, 0, 20)",
    "top": "n = top(deck)!.no",
    "owner": "n = 1 if owner(top(deck)!) else 2",
    "place": "n = 1 if place(top(deck)!, basket) else 2",
    "next": "next(me).score = n\nprevious(me).score = m",
    "distance": "for s in path: n = distance(s, path[5, 5])",
    "group": "n = count(group((q in path where q.row > m), path[5, 5]))",
    "group of one among many": "n = count(group((q in path where q.row != 5 or q.column == 5 + m), path[5, 5]))",
    "group of few": "n = count(group((q in path where q.row == 5 + m), path[5, 5]))",
    "joined": "n = count(deck + rest)",
    "without": "n = count(deck - rest)",
    "in": "x = (c.no for c in deck)\nn = 1 if 0 in x else 2",
    "sorted": "x = (c in deck by [c.no % 7, c.no])\nn = count(x)",
}
STATEMENTS = {
    "set": "n = m",
    "add": "n += 1",
    "arithmetic": "n = (m * 3 + n) % 7 - (n // 2) + abs(m - n)",
    "branch": "if n > 3 and m < 2 or n == 3: m = 1\nelse: m = 2",
    "side never taken": "if n == -7: move top(deck) to rest\nelif n == -8: draw 3 from deck to rest\nelse: m = 1",
    "loop never begun": "if n == -7:\n  for c in deck: c.mark = 5",
    "list never made": "m = 1 if n == -7 and any(c in deck where c.no == n) else 2",
    "call never made": "m = 1 if n == -7 and long_sum(n) > 3 else 2",
    "for members": "for k in suit: n = 1",
    "for players": "for p in players: p.score = n",
    "for pieces": "for c in deck: c.mark = n",
    "for nothing": "for c in rest: c.mark = 2",
    "for left early": "for c in deck:\n  if c.no > m: leave",
    "for in for": "for c in deck:\n  for k in 1..3:\n    if c.no > k: m = k",
    "repeat": "repeat 30 times: n = m",
    "repeat left early": "repeat 30 times:\n  if n >= 0: leave",
    "while": "k = 0\nwhile k < 20: k += 1",
    "call": "n = thrice(m)",
    "long call": "n = long_sum(m)",
    "call left early": "n = found(3)",
    "recursive call": "n = fibonacci(7)",
    "action": "perform both(n)",
    "effects": "for x in suit: perform x.grow",
    "trigger of a variable": "heard = (heard + 1) % 9",
    "trigger of a zone": "move top(watched) to watched\nmove top(watched) to rest\nmove top(rest) to watched",
    "value for a position": "n = stood",
    "value for a position of variables": "n = seen",
    "set for a position": "seen = n % 5",
    "what if": "n = (n after n = 3)",
    "what if pieces moved": "n = (count(rest) after move top(deck) to rest)",
}
OPTIMISED = {
    "table": "for s in field:\n  if near(s, field[5, 5]): n = 2",
    "relation": "for s in field: n = count(q in field where near(s, q))",
    "relation with more": "for s in field: n = count(q in field where near(s, q) and empty(on[q]))",
    "relation across": "for s in field: m = 1 if any(q in field where near(s, q) and any(on[q])) else 2",
    "relation as a loop": "for s in field:\n  for q in field where near(s, q): n = q.x",
    "unrolled any": "m = 1 if any(p in players where p.score > n) else 0",
    "unrolled count": "m = count(p in players where p.score > n)",
    "unrolled all": "m = 1 if all(p.score >= 0 for p in players) else 0",
    "members picked": "for p in players where p.score > n: m = 2",
    "any in a family": "n = 1 if any(on) else 2",
    "all of a family": "n = count(on)",
}
QUESTIONS = {
    "choice": "choose k from 1..3\nn = k",
    "menu": 'choose "Which?":\n  "One": n = 1\n  "Two": n = 2',
    "several": "choose 3 cs from deck\nn = count(cs)",
    "together": "together players:\n  choose k from 1..3\n  me.score = k",
    "together on copies": "together players:\n  choose k from 1..3\n  me.score = k + count(p in players where p.score > k)",
    "loop that asks": "for k in 1..5:\n  choose j from 1..k\n  n = j",
    "much work and a question": "for c in deck: c.mark = n\nchoose k from 1..3\nm = k",
}
FLAVOURS = {
    "quiet": [*OPERATIONS, *STATEMENTS, *OPTIMISED, *QUESTIONS],
    "watched": [*QUESTIONS, "relation", "move", "what if"],
    "told": ["while", "choice", "several", "together on copies", "move"],
}
FORMS = {**OPERATIONS, **STATEMENTS, **OPTIMISED, **QUESTIONS}
"""Each form, as an effect."""


def plain_pass() -> float:
    """The time of a pass of the plain loop."""
    passes, values, found = 2_000, [1, 2, 3], 0
    before = time.process_time()
    for number in range(passes):
        found = found + values[0] if values[1] > 5 else values[2] - number
    return (time.process_time() - before) / passes


def game_of(folder: Path, effect: str, times: int, rounds: int) -> houserule.Game:
    """The game in which an effect takes place so many times."""
    repeated = f"repeat {times} times:\n" + "\n".join(f"  {line}" for line in effect.split("\n"))
    text = GAME.replace("{effect}", (repeated if times > 1 else effect).replace("\n", "\n      "))
    text = text.replace("{rounds}", str(rounds))
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    return houserule.load(folder)


def units(s: State) -> int:
    """What a state has drawn or used up."""
    fuel.refuel(s)
    return fuel.reserve() + fuel.FUEL - s.reserve - s.fuel


def at_random(game: houserule.Game, flavour: str) -> Callable[[], tuple[float, int]]:
    """A function that plays a match at random and returns its time and units."""
    watched = flavour == "watched"
    program = compile_game(game.checked(2), told=False, watched=watched)

    def match() -> tuple[float, int]:
        s = State(program, Random(1))
        s.watch = playout.Watch() if watched else None
        before = time.process_time()
        playout.play(program, s, Random(1))
        return time.process_time() - before, units(s)

    return match


def told(game: houserule.Game) -> Callable[[], tuple[float, int]]:
    """The same for a match of bots that is told to both players. To print it as well would take several times as long."""

    def match() -> tuple[float, int]:
        before = time.process_time()
        playing: Match = game.start(2, seed=1)
        play(playing, bots_at(playing, ["random", "random"], 1), 1)
        for player in playing.players:
            assert playing.events_for(player) is not None
        return time.process_time() - before, units(playing.state)

    return match


def nanoseconds(run: Callable[[], tuple[float, int]]) -> float:
    """What a unit takes, on a machine of the speed that prices are made for: the best of several rounds, of both."""
    plain = best = float("inf")
    for _ in range(ROUNDS):
        took, counted = run()
        best = min(best, took / counted)
        plain = min(plain, plain_pass())
    return PLAIN * best / plain


@pytest.mark.long
@pytest.mark.parametrize(
    ("flavour", "what"), [(flavour, what) for flavour, forms in FLAVOURS.items() for what in forms]
)
def test_a_unit_is_worth_about_twenty_nanoseconds(flavour: str, what: str, tmp_path: Path) -> None:
    asks = what in QUESTIONS
    game = game_of(tmp_path, FORMS[what], 1 if asks else 20, 20)
    run = told(game) if flavour == "told" else at_random(game, flavour)
    assert any(20 / FACTOR < nanoseconds(run) < 20 * FACTOR for _ in range(TRIES))


def test_every_operation_is_among_them() -> None:
    tried = "\n".join(FORMS.values())
    for name in (*VERBS, *FUNCTIONS):
        assert re.search(rf"\b{name}\b", tried), name
