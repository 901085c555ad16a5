"""What does not suffice for the players that a house rule adds, as only a set-up shows."""

from __future__ import annotations

from collections.abc import Mapping

from houserule.diagnostics import Report
from houserule.match.game import Game, load
from houserule.running.faults import RuleFault

MOST_TRIED = 4
"""The most numbers of players that are tried: each may take as long as a set-up may."""


def look_for_shortage(game: Game, report: Report) -> None:
    """Warn of pieces that the set-up hands out evenly to as many players as the game is for, and no longer to more."""
    wide = game.definition.widened
    if wide is None:
        return
    usual = shares(game if wide.before in game.players else load(game.path), wide.before)
    told: set[str] = set()
    for players in [more for more in game.players if more > wide.before][:MOST_TRIED]:
        for zone, found in shares(game, players).items():
            if zone in told or len(set(usual.get(zone, ()))) != 1 or len(set(found)) == 1:
                continue
            told.add(zone)
            message = (
                f"with {players} players the set-up does not give everybody as many pieces of '{zone}':"
                f" {max(found)} and {min(found)}"
            )
            report.warning("HR714", message, wide.span, "add as many pieces as they need")


def shares(game: Game, players: int) -> Mapping[str, tuple[int, ...]]:
    """How many pieces each player has after the set-up, by the families of zones that belong to players; empty if it fails."""
    try:
        match = game.start(players, seed=0)
    except RuleFault:
        return {}
    program = game.program(players, told=True)
    found: dict[str, list[int]] = {}
    for slot, owner in enumerate(program.zone_owner):
        if owner >= 0:
            counts = found.setdefault(program.zone_of[slot].name, [0] * players)
            counts[owner] += len(match.state.z[slot])
    return {name: tuple(counts) for name, counts in found.items() if any(counts)}
