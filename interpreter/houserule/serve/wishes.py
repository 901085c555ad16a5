"""Validates a page's request for a new room, and makes its settings."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from houserule.serve.catalogue import Catalogue
from houserule.serve.levels import see_bot
from houserule.serve.protocol import Refused
from houserule.serve.room import LONGEST_RACE, MOST_LISTED, SHORTEST_RACE, USUAL_RACE, RoomSettings, is_clock

KEYS = {"game", "house_rules", "options", "seats", "seed", "race_seconds", "clock", "is_open"}


def settings_of(catalogue: Catalogue, wanted: Mapping[str, Any], seed: int | None) -> RoomSettings:
    """The settings of a requested room; `seed` is that of the server, if it was given one. Raises Refused."""
    if not set(wanted) <= KEYS or not isinstance(wanted.get("game"), str):
        raise Refused("malformed")
    house_rules = texts(wanted.get("house_rules", []))
    options = options_of(wanted.get("options", {}))
    game = catalogue.game(wanted["game"], house_rules, options)
    seats = seats_of(wanted.get("seats", []))
    if len(seats) not in game.players:
        raise Refused("seats")
    game.program(len(seats), told=True)
    chosen = whole(wanted.get("seed"), 0, 2**31 - 1, "seed")
    drawn = seed if seed is not None else secrets.randbelow(2**53)  # unguessable, and exact in JavaScript
    race = whole(wanted.get("race_seconds"), SHORTEST_RACE, LONGEST_RACE, "malformed")
    clock, is_open = wanted.get("clock"), wanted.get("is_open", False)
    if not is_clock(clock) or not isinstance(is_open, bool):
        raise Refused("malformed")
    return RoomSettings(
        game.id,
        game.rules_hash,
        seats,
        drawn if chosen is None else chosen,
        tuple(house_rules),
        game.settings,
        chosen is not None or seed is not None,
        float(USUAL_RACE if race is None else race),
        clock,
        is_open,
    )


def options_of(found: Any) -> dict[str, int | str]:
    """The requested options by name. Raises Refused."""
    if not isinstance(found, dict) or len(found) > MOST_LISTED:
        raise Refused("malformed")
    if not all(isinstance(value, str | int) for value in found.values()):
        raise Refused("option")
    return found


def seats_of(found: Any) -> tuple[str | None, ...]:
    """The seats: bots by their words, people as None, and at least one of them. Raises Refused."""
    if not isinstance(found, list) or len(found) > MOST_LISTED:
        raise Refused("seats")
    for bot in (one for one in found if one is not None):
        if not isinstance(bot, str):
            raise Refused("bot")
        see_bot(bot)
    if None not in found:
        raise Refused("seats")
    return tuple(found)


def whole(found: Any, low: int, high: int, code: str) -> int | None:
    """An integer within bounds, or None if none was requested. Raises Refused with that code."""
    if found is None:
        return None
    if isinstance(found, bool) or not isinstance(found, int) or not low <= found <= high:
        raise Refused(code)
    return found


def texts(found: Any) -> list[str]:
    """A list of short texts. Raises Refused."""
    if not isinstance(found, list) or len(found) > MOST_LISTED or not all(isinstance(one, str) for one in found):
        raise Refused("malformed")
    return found
