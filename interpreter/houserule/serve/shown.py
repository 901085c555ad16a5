"""What a viewer of a room is sent: a function of the room and of what the viewer may see, and of nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from houserule import Event
from houserule.serve.protocol import scene_changes
from houserule.serve.room import Room
from houserule.table.compose import scene


@dataclass(slots=True)
class Shown:
    """What a viewer may see of a room at a moment: parts by name, and the log so far."""

    parts: dict[str, Any] = field(default_factory=dict)
    log: list[Event] = field(default_factory=list)

    def since(self, before: Shown) -> dict[str, Any]:
        """What has changed since the viewer was shown the room before; empty if nothing has."""
        found = {
            name: part for name, part in self.parts.items() if name not in before.parts or before.parts[name] != part
        }
        if found.get("scene") and before.parts.get("scene"):
            found["changes"] = scene_changes(before.parts["scene"], found.pop("scene"))
        begun = before.log == self.log[: len(before.log)]
        if not begun or len(self.log) > len(before.log):
            kept = len(before.log) if begun else 0
            found["log"] = {"from": kept, "events": [event.to_json() for event in self.log[kept:]]}
        return found


def table_shown(room: Room, seat: int, language: str) -> Shown:
    """The table of a room as a seat or a spectator sees it, in a language. Raises RuleFault."""
    found = Shown({"undo": None, "fault": room.fault, "scene": None, "question": None})
    if room.undo is not None:
        found.parts["undo"] = {"seat": room.undo.seat, "asks": seat in room.persons and seat not in room.undo.consents}
    if room.match is None:
        return found
    match = room.match.told_in(language if language in room.game.languages else room.match.language)
    made = scene(match, seat).as_dict()
    if seat in room.reactions:
        made["question"] = None
    elif made["question"] is not None:
        found.parts["question"] = room.question(seat)
    found.parts["scene"] = made
    found.log = match.events_for(seat)
    return found


def room_shown(room: Room, here: Mapping[int, int]) -> dict[str, Any]:
    """The room itself, the same for all: its seats, and who of them is connected."""
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
