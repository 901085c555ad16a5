"""Lists of what is printed, which functions give, are chosen from, joined and compared like any others."""

from __future__ import annotations

from pathlib import Path

import houserule

GAME = """\
edition: 2026
game: hooks
players: 2..3
enums: {half: [upper, lower]}
components:
  hook:
    attributes: {seat: player, number: 1..4}
    each: {seat: player, number: 1..4}
variables:
  score(player): 0..99
  used(hook): bool
  wealth: 0..9 = 1
functions:
  hooks(player p): (h in hook where h.seat == p)
  low(player p, int most): (h in hooks(p) where h.number <= most)
flow:
  one:
    turns: players
    do: |
      own = hooks(me)
      own = own + hooks(next(me))
      if count(own) == 8 and own == hooks(me) + hooks(next(me)): me.score += 1
      for h in hooks(me) where h.number > 2: h.used = true
      if hook[me, 4] in hooks(me) and hooks(me) != hooks(next(me)): me.score += 2
      choose picked from hooks(me) "Which?"
      if picked: me.score += 10 * picked.number
      choose 1..min(2, 1 + wealth) several from hooks(me)
      me.score += count(several)
      choose rest from hooks(me) - several
      if rest and not rest.used: me.score += 40
      wealth = 0
scoring: {score: "me.score + count(low(me, 3))"}
"""


def test_lists_of_what_is_printed_are_chosen_from_joined_and_compared(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(GAME, encoding="utf-8")
    game = houserule.load(path)
    match = game.start(["Ann", "Bob"], seed=1)
    for player, at_most in (("Ann", 2), ("Bob", 1)):
        seat = match.players.index(player) + 1
        assert [option.key for option in match.pending[0].single] == [f"hook_{seat}_{n}" for n in (1, 2, 3, 4)]
        match.answer(player, f"hook_{seat}_3")
        choice = match.pending[0]
        assert (choice.at_least, choice.at_most) == (1, at_most)
        match.answer(player, [f"hook_{seat}_{n}" for n in (4, 3)[:at_most]])
        assert [option.key for option in match.pending[0].single][:2] == [f"hook_{seat}_1", f"hook_{seat}_2"]
        match.answer(player, f"hook_{seat}_2")
    assert match.scores == {"Ann": 3 + 30 + 2 + 40 + 3, "Bob": 3 + 30 + 1 + 40 + 3}
