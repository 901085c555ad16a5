"""Validates a page's request for a new room, and makes its settings."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Any

from houserule.serve.catalogue import Catalogue
from houserule.serve.levels import see_bot
from houserule.serve.protocol import Refused, is_number, is_text, is_truth
from houserule.serve.room import (
    LONGEST_RACE,
    MOST_LISTED,
    SHORTEST_RACE,
    USUAL_RACE,
    RoomSettings,
    is_clock,
    is_list_of,
)


def is_options(value: Any) -> bool:
    """Whether a value can be options by name; the game says which there are."""
    is_small = isinstance(value, dict) and len(value) <= MOST_LISTED
    return is_small and all(isinstance(one, str | int) for one in value.values())


WISHES: Mapping[str, tuple[Any, Callable[[Any], bool], str]] = {
    "game": ("", is_text, "malformed"),
    "house_rules": ([], is_list_of(is_text), "malformed"),
    "options": ({}, is_options, "option"),
    "seats": ([], is_list_of(lambda bot: bot is None or is_text(bot)), "seats"),
    "seed": (None, is_number, "seed"),
    "race_seconds": (USUAL_RACE, lambda race: is_number(race) and SHORTEST_RACE <= race <= LONGEST_RACE, "malformed"),
    "clock": (None, is_clock, "malformed"),
    "is_open": (False, is_truth, "malformed"),
}
"""What a page may wish: what it is otherwise, what it can be, and the code with which anything else is refused."""


def settings_of(catalogue: Catalogue, wanted: Mapping[str, Any], seed: int | None) -> RoomSettings:
    """The settings of a requested room; `seed` is that of the server, if it was given one. Raises Refused."""
    if not set(wanted) <= set(WISHES):
        raise Refused("malformed")
    for name, value in wanted.items():
        _, fits, code = WISHES[name]
        if value is not None and not fits(value):
            raise Refused(code)
    id, house_rules, options, seats, chosen, race, clock, is_open = (
        usual if wanted.get(name) is None else wanted[name] for name, (usual, *_) in WISHES.items()
    )
    game = catalogue.game(id, house_rules, options)
    for bot in seats:
        if bot is not None:
            see_bot(bot)
    if None not in seats or len(seats) not in game.players:
        raise Refused("seats")
    game.program(len(seats), told=True)
    drawn = seed if seed is not None else secrets.randbelow(2**53)  # unguessable, and exact in JavaScript
    return RoomSettings(
        game.id,
        game.rules_hash,
        tuple(seats),
        drawn if chosen is None else chosen,
        tuple(house_rules),
        game.settings,
        chosen is not None or seed is not None,
        float(race),
        clock,
        is_open,
    )
