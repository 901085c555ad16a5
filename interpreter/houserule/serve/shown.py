"""What a viewer of a room is sent, determined by the room and by what the viewer may see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from houserule import Event
from houserule.serve.protocol import scene_changes
from houserule.serve.room import Room
from houserule.table.compose import scene
from houserule.table.scene import Scene, as_plain

UNSAID = object()
"""Marks a part that a viewer has not been sent."""


@dataclass(slots=True)
class Shown:
    """What a viewer may see of a room at a moment: parts by name, and the log, with its number of events.

    The log is the narrator's own, which only grows, so that it needs no copy.
    """

    parts: dict[str, Any] = field(default_factory=dict)
    log: list[Event] = field(default_factory=list)
    events: int = 0

    def since(self, before: Shown) -> dict[str, Any]:
        """The changes since the last time; empty if there are none."""
        found: dict[str, Any] = {}
        for name, part in self.parts.items():
            old = before.parts.get(name, UNSAID)
            if old is part or old == part:
                continue
            if isinstance(part, Scene) and isinstance(old, Scene):
                found["changes"] = scene_changes(old, part)
            else:
                found[name] = as_plain(part)
        kept = self.kept(before)
        if kept < max(before.events, self.events):
            found["log"] = {"from": kept, "events": [event.to_json() for event in self.log[kept : self.events]]}
        return found

    def kept(self, before: Shown) -> int:
        """How many events of the former log are still valid: all, or none after an undo."""
        if self.log is before.log:
            return before.events
        begun = self.events >= before.events and before.log[: before.events] == self.log[: before.events]
        return before.events if begun else 0


def table_shown(room: Room, seat: int, language: str) -> Shown:
    """The table of a room as a seat or a spectator sees it, in a language. Raises RuleFault."""
    found = Shown({"undo": None, "fault": room.fault, "scene": None, "question": None})
    if room.undo is not None:
        found.parts["undo"] = {"seat": room.undo.seat, "asks": seat in room.persons and seat not in room.undo.consents}
    if room.match is None:
        return found
    match = room.match.told_in(room.spoken(language))
    made = scene(match, seat)
    if seat in room.reactions:
        made.question = None
    elif made.question is not None:
        found.parts["question"] = room.question(seat)
    found.parts["scene"] = made
    found.log = match.told(seat).tables[seat]
    found.events = len(found.log)
    return found


def room_shown(room: Room, here: Mapping[int, int]) -> dict[str, Any]:
    """The public state of the room: its seats, and who is connected."""
    settings = room.settings
    return {
        "id": room.id,
        "game": settings.game,
        "titles": {language: room.game.title(language) for language in room.game.languages},
        "house_rules": list(settings.house_rules),
        "options": dict(settings.options),
        "languages": room.game.languages,
        "seed_chosen": settings.is_seed_chosen,
        "race_seconds": settings.race_seconds,
        "started": room.match is not None,
        "over": room.match is not None and room.match.is_over,
        "seats": [
            {"name": seat.name, "bot": seat.bot, "taken": seat.is_taken, "here": here.get(number, 0) > 0}
            for number, seat in enumerate(room.seats)
        ],
    }
