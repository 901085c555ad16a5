"""Codes 593 and 594: mistakes in the layout of a table."""

from __future__ import annotations

from houserule.codes.row import Code

GAME = """\
edition: 2026
game: tiny
players: 2
components: {card: {attributes: {rank: 1..9}, variables: {bent: bool}, starts_in: deck, pieces: {low: {rank: 1}, high: {rank: 9}}}}
zones: {deck: {holds: card, visible: none}, hand(player): {holds: card, visible: owner}}
variables: {luck(player): {type: 0..9, visible: owner}, score(player): int}
flow:
  round:
    turns: players
    do: |
      draw 1 from deck to me.hand
      me.luck = (me.luck + 1) % 10
      me.score += 1
      for c in me.hand where not c.bent: c.bent = true
winner: {most: me.score}
"""

LAYOUTS = (
    Code(
        "HR593",
        "error",
        "A layout that reads what is hidden",
        "A layout says how the table looks to everybody. If it read what some players may not see, the look would give it away. How "
        "many pieces a zone has may be read where all know it.",
        GAME + "layout: {pieces: {card: {fill: 'luck[first(players)]'}}}\n",
        GAME + "layout: {pieces: {card: {fill: count(deck)}}}\n",
    ),
    Code(
        "HR594",
        "error",
        "A place on the table where something cannot lie",
        "What belongs to players lies before each of them, under `player`; what belongs to nobody lies under `table`. A track or gauge says "
        "where it ends.",
        GAME + "layout: {table: [[deck, hand]]}\n",
        GAME + "layout: {table: [[deck]], player: [hand]}\n",
    ),
)
