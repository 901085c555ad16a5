"""Why a request is refused: a code that pages translate, and a sentence."""

from __future__ import annotations

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
