"""The reasons for refusing a request: a table of codes and sentences."""

from __future__ import annotations

REASONS = {
    "malformed": "this is no message that the server knows",
    "version": "this page is of another version; load it again",
    "too-fast": "these are too many messages at once; wait a moment",
    "too-many": "there are too many rooms; try again later",
    "full": "too many people look at this room",
    "lines": "too many pages of your address look at rooms; close some of them",
    "game": "this game is not played here",
    "house-rule": "the game has no such house rule, or it does not go with the others",
    "option": "the game has no such option, or not with this value",
    "seats": "the game is for another number of players",
    "bot": "there is no such bot",
    "seed": "a seed is a whole number from 0 on",
    "no-room": "there is no such room",
    "rules-changed": "the rules of this game have changed since the match began",
    "no-seat": "there is no such seat for a person",
    "taken": "somebody else sits there",
    "seated": "you have a seat already",
    "token": "this key opens no seat in this room",
    "name": "a name has 1 to 24 signs, no comma, and nobody else at the table bears it",
    "not-seated": "whoever looks on cannot do that",
    "started": "the match has begun",
    "not-started": "the match has not begun",
    "empty-seats": "not everybody is there yet",
    "over": "the match is over",
    "not-over": "this is shown when the match is over",
    "not-asked": "you are not asked anything now",
    "late": "this question has been answered, or is not asked any more",
    "illegal": "this is not among the options",
    "no-undo": "there is nothing of yours to take back",
    "undo-asked": "somebody asks to take an answer back; say first whether they may",
    "no-undo-asked": "nobody asks you whether to take an answer back",
    "not-stored": "the answer could not be kept, so it does not count; try again",
    "record": "this is not the record of a match that can be looked at here",
    "record-rules": "the rules of this game are other than those of the record",
    "step": "the match has no such step",
}
"""The sentence for each code; pages translate codes."""


class Refused(Exception):
    """A request was refused, and nothing has changed; `code` is a key of REASONS."""

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(REASONS[code])

    def to_json(self) -> dict[str, str]:
        """Plain data."""
        return {"code": self.code, "sentence": str(self)}
