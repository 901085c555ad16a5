"""The messages between pages and the server: JSON, versioned, and strictly validated; and why a request is refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from houserule.printable import visible
from houserule.table.scene import AsDict
from houserule.writing import is_well_formed

REASONS = {
    "malformed": "the server does not know this message",
    "version": "this page has another version; load it again",
    "too-fast": "too many messages at once; wait a moment",
    "too-many": "there are too many rooms; try again later",
    "full": "too many people are watching this room",
    "pages": "you have this room open on too many other pages",
    "lines": "too many pages from your address are watching rooms; close some of them",
    "game": "this server does not have that game",
    "house-rule": "the game has no such house rule, or it does not go with the others",
    "option": "the game has no such option, or it cannot have this value",
    "seats": "the game does not allow that number of players",
    "bot": "there is no such bot",
    "seed": "a seed is a whole number, 0 or more",
    "no-room": "there is no such room",
    "rules-changed": "the rules of this game have changed since the match began",
    "damaged": "this room is damaged, and cannot be opened",
    "no-seat": "there is no such seat for a person",
    "worn-out": "there has been too much coming, going and taking back in this room; make a new one",
    "taken": "somebody else sits there",
    "seated": "you have a seat already",
    "token": "this key opens no seat in this room",
    "name": "a name has 1 to 24 characters, no comma, and is nobody else's",
    "not-seated": "spectators cannot do that",
    "started": "the match has begun",
    "not-started": "the match has not begun",
    "empty-seats": "not everybody is there yet",
    "over": "the match is over",
    "not-over": "this is shown when the match is over",
    "not-asked": "you are not asked anything now",
    "late": "this question has been answered, or is not asked any more",
    "illegal": "this is not among the options",
    "no-undo": "there is nothing of yours to take back",
    "not-away": "this player is not away",
    "undo-asked": "somebody wants to take an answer back; decide on that first",
    "undo-denied": "the others have not agreed; ask again after the next answer",
    "no-undo-asked": "there is no request to take an answer back",
    "not-stored": "the answer could not be stored, so it does not count; try again",
    "record": "this is not the record of a match that can be looked at here",
    "record-rules": "the rules of this game differ from those of the record",
    "step": "the match has no such step",
}
"""The sentence for each code; pages translate codes."""


class Refused(Exception):
    """A request was refused, and nothing has changed; `code` is a key of REASONS."""

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(REASONS[code])

    def to_json(self) -> dict[str, str]:
        return {"code": self.code, "sentence": str(self)}


VERSION = 1
"""The version of the protocol; a page with another version is told to reload."""
MOST_PICKED = 400
LONGEST_TEXT = 200


def is_text(value: Any) -> bool:
    """Whether a value is a short text that can be sent back: without surrogates."""
    return isinstance(value, str) and len(value) <= LONGEST_TEXT and is_well_formed(value)


def is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31


def is_answer(value: Any) -> bool:
    """Whether a value can be an answer: the key of an option, or a list of keys."""
    if isinstance(value, str):
        return len(value) <= LONGEST_TEXT * 10
    return isinstance(value, list) and len(value) <= MOST_PICKED and all(is_text(one) for one in value)


def is_truth(value: Any) -> bool:
    return isinstance(value, bool)


def is_token(value: Any) -> bool:
    return value is None or is_text(value)


Shape = Mapping[str, Callable[[Any], bool]]
SHAPES: Mapping[str, Shape] = {
    "hello": {"version": is_number, "token": is_token, "language": is_text},
    "claim": {"seat": is_number, "name": is_text},
    "leave": {},
    "start": {},
    "answer": {"question": is_text, "answer": is_answer},
    "change": {"question": is_text},
    "relieve": {"seat": is_number},
    "rematch": {},
    "undo": {},
    "consent": {"consents": is_truth},
    "language": {"language": is_text},
    "pong": {"ping": is_number},
}
"""The messages of pages: the type, and its other keys. No message names its seat: a token does."""


def read_message(text: str) -> dict[str, Any]:
    """The message in a text, if its shape is known. Raises Refused."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as wrong:
        raise Refused("malformed") from wrong
    shape = SHAPES.get(found["type"]) if isinstance(found, dict) and isinstance(found.get("type"), str) else None
    if shape is None or not has_shape({key: value for key, value in found.items() if key != "type"}, shape):
        raise Refused("malformed")
    return dict(found)


def has_shape(found: Any, shape: Shape) -> bool:
    """Whether something is an object with the keys of a shape, and values that fit."""
    return isinstance(found, dict) and set(found) == set(shape) and all(fits(found[key]) for key, fits in shape.items())


LISTED = {"seats": "seat", "regions": "id", "things": "id", "variables": "id", "places": "id"}
"""The parts of a scene that are lists of things with ids, and the name of that id: only changes in them are sent."""


def scene_changes(before: AsDict, after: AsDict) -> dict[str, Any]:
    """The changes from one scene to another: the changed fields, and for a LISTED one its changes. Also used for the parts."""
    return {
        name: list_changes(LISTED[name], old, part) if name in LISTED else part
        for name, old, part in after.differences(before)
    }


def list_changes(id: str, before: Sequence[AsDict], after: Sequence[AsDict]) -> dict[str, Any]:
    """The changes from one list to another: changed fields of existing things, new things whole, and all ids if they differ."""
    known = {getattr(one, id): one for one in before}
    ids = [getattr(one, id) for one in after]
    new: list[Any] = []
    for key, one in zip(ids, after, strict=True):
        old = known.get(key)
        if old is None:
            new.append(one)
        elif old is not one and old != one:
            new.append({id: key, **scene_changes(old, one)})
    return {"ids": ids, "new": new} if ids != list(known) else {"new": new}


WRITER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=lambda part: dict(part.items()))


def written(message: object) -> str:
    """A message, or what a page is told otherwise, as JSON; parts of a scene in it become objects with their fields. No text in it has marks that turn what stands around it."""
    return visible(WRITER.encode(message))
