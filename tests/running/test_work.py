"""Work is counted by what is done: what goes through more pieces, members or events is charged for more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import houserule
from houserule import RuleFault
from houserule.match.match import Match

SIZES = 300, 3000
HEAD = """\
edition: 2026
game: mushrooms
players: 2
variables: {n: int}
zones:
  deck: {holds: card, visible: all}
  rest: {holds: card, visible: all}
  basket(player): {holds: card, visible: all}
"""
PIECES = "components: {{card: {{starts_in: deck, attributes: {{no: 1..{size}}}, each: {{no: 1..{size}}}}}}}\n"
LINES = {
    "move": "move deck to rest",
    "move one": "for c in deck: move c to rest",
    "draw": "draw {size} from deck to rest",
    "draw in place": "draw {size} from deck to deck",
    "shuffle": "shuffle deck",
    "swap": "swap deck with rest",
    "swap pieces": "swap top(deck) with item(deck, 1)",
    "rotate": "rotate basket",
    "show": "show deck to players",
    "roll": "roll m from (c.no for c in deck); n = 1 if m else 2",
    "sum": "x = (c.no for c in deck); n = sum(x)",
    "count": "n = count(c in deck where c.no > 3)",
    "all": "n = 1 if all(c.no > 0 for c in deck) else 2",
    "any": "n = 1 if any(c in deck where c.no < 0) else 2",
    "first": "c = first(c in deck by c.no); n = 1 if c else 2",
    "most": "n = count(most(c in deck by c.no))",
    "least": "n = count(least(c in deck by c.no))",
    "distinct": "n = count(distinct(c.no for c in deck))",
    "reverse": "n = count(reverse(deck))",
    "position": "n = position(deck, top(deck))",
    "max": "m = max(c.no for c in deck); n = 1 if m else 2",
    "joined": "n = count(deck + rest)",
    "without": "n = count(deck - rest)",
    "in": "x = (c.no for c in deck); n = 1 if 0 in x else 2",
    "say": 'say "{{deck}}"',
}


def spent(folder: Path, line: str, size: int) -> int:
    """The units that a game with that line has drawn from its reserve or used up, once it has been played."""
    folder.mkdir()
    deal = "move deck to basket[first(players)]; " if "basket" in line else ""
    effect = (deal + line).format(size=size)
    flow = f"flow:\n  round:\n    do: |\n      {effect}\n"
    (folder / "game.yaml").write_text(HEAD + PIECES.format(size=size) + flow, encoding="utf-8")
    state = houserule.load(folder).start(2, seed=1).state
    return -state.fuel - state.reserve


@pytest.mark.parametrize("what", LINES)
def test_more_pieces_take_more_work(what: str, tmp_path: Path) -> None:
    before = spent(tmp_path / "nothing", "nothing", SIZES[0]), spent(tmp_path / "nothing_more", "nothing", SIZES[1])
    few, many = (spent(tmp_path / str(size), LINES[what], size) - was for size, was in zip(SIZES, before, strict=True))
    assert many - few >= (SIZES[1] - SIZES[0]) // 10


@pytest.fixture
def usual() -> Iterator[None]:
    """What rules may do is as usual again afterwards."""
    yield
    houserule.allow_work(1)


def looping(folder: Path) -> Match:
    """A match whose set-up takes some work."""
    flow = "flow:\n  round:\n    do: |\n      repeat 1000 times: n = count(i in 1..999 where i > n)\n"
    (folder / "game.yaml").write_text(f"{HEAD}{PIECES.format(size=3)}{flow}", encoding="utf-8")
    return houserule.load(folder).start(2, seed=1)


@pytest.mark.usefixtures("usual")
def test_who_runs_rules_says_how_much_they_may_work(tmp_path: Path) -> None:
    assert looping(tmp_path).is_over
    houserule.allow_work(0.01)
    with pytest.raises(RuleFault, match="800,000 units of work between two answers"):
        looping(tmp_path)
    houserule.allow_work(2)
    assert looping(tmp_path).is_over
    with pytest.raises(ValueError, match="need some"):
        houserule.allow_work(0)


SPENDERS = """\
functions:
  many: count(i in 1..2000 where i % 3 == n)
flow:
  round:
    do: |
      repeat 300 times: n = count(i in 1..200 where i > n)
      repeat 300 times:
        n = many
        say "{n}"
"""


@pytest.mark.usefixtures("usual")
def test_a_fault_says_what_was_counted_and_stands_where_the_most_was(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(f"{HEAD}{PIECES.format(size=3)}{SPENDERS}", encoding="utf-8")
    game = houserule.load(tmp_path)
    houserule.allow_work(0.02)
    with pytest.raises(RuleFault) as raised:
        game.start(2, seed=1)
    fault = raised.value
    assert fault.span.line == 11
    assert "rules may do 1.6 million units of work between two answers" in fault.message
    assert "for operations, passes of loops, calls and pieces" in fault.message
    assert "for events" in fault.message
    assert "Most was done here: " in fault.message
