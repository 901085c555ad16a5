"""The cover of a game for the list of games: a few of its pieces, as unlike each other as there are, and the drawings of their icons."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from houserule import Game, Match, RuleFault
from houserule.icons import CREDIT, drawings
from houserule.table.compose import looks_of_pieces
from houserule.table.looks import Look

MOST_SHOWN = 5
MOST_READ = 400
"""Pieces of which the looks are compared."""
SEED = 1


@lru_cache(256)
def cover(game: Game) -> dict[str, Any]:
    """The cover, kept since a match has to begin for it; without pieces where the rules fail at once."""
    players = [f"{number}" for number in range(1, max(2, game.players[0]) + 1)][: game.players[-1]]
    try:
        match = Match.start(game, players, SEED, game.languages[0])
    except RuleFault:
        return {"credit": "", "icons": {}, "things": []}
    shown = unlike(looks_of_pieces(match, MOST_READ))
    drawn = drawings(game.path)
    icons = {one.icon: drawn[one.icon] for one in shown if one.icon in drawn}
    return {"credit": CREDIT if icons else "", "icons": icons, "things": [thing(one) for one in shown]}


def thing(look: Look) -> dict[str, Any]:
    """What a page needs to draw a look."""
    found = {name: value for name, value in look._asdict().items() if name not in ("words", "text")}
    return {**found, "is_face_up": True, "count": 1}


def unlike(looks: Iterable[Look]) -> list[Look]:
    """A few looks: first those whose sign and colour are both new, then those of which one is."""
    plain = {(one.shape, one.fill, one.icon or one.symbol): one for one in looks if one.fill or one.icon or one.symbol}
    found: list[Look] = []
    for is_new in (all, any):
        for one in plain.values():
            signs, fills = {other.icon or other.symbol for other in found}, {other.fill for other in found}
            if len(found) < MOST_SHOWN and is_new(((one.icon or one.symbol) not in signs, one.fill not in fills)):
                found.append(one)
    return found
