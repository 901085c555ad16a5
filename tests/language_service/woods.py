"""A small game with a house rule and scenarios, to be edited."""

from __future__ import annotations

from pathlib import Path

GAME = """\
edition: 2026
game: woods
title: {en: Woods, ja: 𝒜森}
players: 2..3
options:
  rounds: {type: 1..9, default: 2, title: {en: Rounds, ja: 回数}}
enums:
  habitat: [pine, oak]
components:
  mushroom:
    attributes: {value: int, home: habitat}
    effects: [found(player p)]
    starts_in: forest
    pieces:
      morel: {value: 3, home: pine, count: 4}
      truffle: {value: 9, home: oak, count: 4}
zones:
  forest: {holds: mushroom, visible: none}
  basket(player): {holds: mushroom, visible: all}
variables:
  score(player): int
tables:
  price: {pine: 1, oak: 2}
functions:
  worth(mushroom m): m.value + price[m.home]
actions:
  pick(player p): |
    draw 1 from forest to p.basket as found
    if found: p.score += worth(found)
flow:
  setup:
    do: shuffle forest
  walk:
    repeat: rounds
    turns: players
    do: perform pick(me)
scoring: {points: me.score}
winner: {most: points}
"""
VARIANT = """\
variant: rich
of: woods
title: {en: Rich, ja: 豊}
change:
  tables:
    price: {was: {oak: 2}, oak: 5}
  flow:
    walk: {repeat: 4}
"""
SCENARIOS = """\
of: woods
players: [anna, ben]
---
scenario: A truffle is worth its price
given: move truffle#1 to anna.basket
expect: worth(truffle#1) == 11
---
scenario: 𝒜 truffle is worth nothing
given: move truffle#1 to anna.basket
expect:
  - worth(truffle#1) == 0
"""


def write(folder: Path) -> Path:
    """The game in a folder."""
    for name, text in (("game", GAME), ("variants/rich", VARIANT), ("scenarios/worth", SCENARIOS)):
        file = folder / f"{name}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder / "game.yaml"
