"""A room on one device: the same pages and messages as on a server, without one.

All who play sit at this device. Where two of them have secrets, a curtain falls between their turns.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from houserule import Game, Match
from houserule.serve.catalogue import Shown, room_shown, table_shown
from houserule.serve.levels import chosen
from houserule.serve.protocol import VERSION, Refused, read_message
from houserule.serve.room import Decided, Entry, Room, RoomSettings, Unreadable

Message = dict[str, Any]
PAUSE = 500
"""Milliseconds between the answers of bots, so that people can follow."""
BOT_REACTION = (700.0, 2500.0)
"""The milliseconds after which bots react in a race."""
NOBODY = -1


@dataclass(slots=True)
class Sitting:
    """A room, the entries that made it, and the person in front of the page."""

    room: Room
    entries: list[Decided] = field(default_factory=list)
    viewer: int = NOBODY
    """The seat of the person who is looking; nobody's until a page says hello."""
    language: str = "en"
    sent: Shown = field(default_factory=Shown)
    shown_at: float = 0.0
    """When the present question was shown, in milliseconds."""
    own: int | None = None
    """The only seat that is played here, in a match by letters."""

    def __post_init__(self) -> None:
        self.room.tells_why = True  # all people are here, unless a seat is played elsewhere

    @classmethod
    def begun(cls, id: str, settings: RoomSettings, game: Game, names: Sequence[str]) -> Sitting:
        """A new room, in which everybody has sat down and the match has begun. Raises Refused."""
        made = cls(Room(id, settings, game))
        for seat in made.room.persons:
            name = names[seat] if seat < len(names) else f"{seat + 1}"
            made.do(made.room.claim(seat, name, secrets.token_hex(8)))
        made.do(made.room.decided("start"))
        return made

    @classmethod
    def kept(cls, id: str, settings: RoomSettings, entries: Any, game: Game) -> tuple[Sitting, int]:
        """A room from what was kept of it, and how many entries the rules still allow. Raises Unreadable."""
        if not isinstance(entries, list):
            raise Unreadable("a room has a list of entries")
        settings = replace(settings, rules=game.rules_hash)
        made = cls(Room(id, settings, game))
        count = made.again(entries)
        if count < len(entries):  # what does not fit may have left its traces
            made = cls(Room(id, settings, game))
            made.again(entries[:count])
        return made, count

    def again(self, entries: Sequence[Any]) -> int:
        """Apply kept entries, as far as they fit; how many do."""
        for at, one in enumerate(entries):
            if not (isinstance(one, list | tuple) and len(one) == 2 and isinstance(one[1], dict)):
                return at
            try:
                self.do((str(one[0]), dict(one[1])))
            except (Unreadable, Refused):
                return at
            if self.room.fault:
                return at
        return len(entries)

    def to_json(self) -> dict[str, Any]:
        """All that has to be kept of it."""
        return {"settings": self.room.settings.to_json(), "entries": [list(one) for one in self.entries]}

    def do(self, decided: Decided) -> None:
        kind, content = decided
        self.room.apply(Entry(self.room.number, kind, content))
        self.entries.append(decided)

    # --- whose turn it is ---------------------------------------------------------------------------------------------

    @property
    def persons(self) -> list[int]:
        return self.room.persons if self.own is None else [self.own]

    def asked(self) -> list[int]:
        """The people here who are asked something."""
        return [choice.seat for choice in self.room.choices() if choice.seat in self.persons]

    def next_viewer(self) -> int:
        """Who should be in front of the page: whoever is, as long as nobody else here has to answer first."""
        asked = self.asked()
        if self.viewer in asked or not asked:
            return self.viewer if self.viewer != NOBODY else (self.persons or [NOBODY])[0]
        return asked[0]

    # --- messages -----------------------------------------------------------------------------------------------------

    def hear(self, text: str, now: float) -> list[Message]:
        """What a page is told after its message; `now` is its clock in milliseconds."""
        question = None
        try:
            message = read_message(text)
            question = message.get("question")
            return [*self._heard(message, now), *self.news(now)]
        except Refused as refused:
            return [{"type": "refused", "question": question, **refused.to_json()}]

    def _heard(self, message: Message, now: float) -> Iterator[Message]:
        room = self.room
        match message["type"]:
            case "hello":
                if message["version"] != VERSION:
                    raise Refused("version")
                self.language = room.spoken(message["language"])
                wanted = message["token"] or ""
                named = int(wanted) if wanted.isdecimal() and int(wanted) in self.persons else NOBODY
                self.viewer = named if named != NOBODY else self.next_viewer()
                self.sent, self.shown_at = Shown(), now
                yield {"type": "welcome", "version": VERSION, "seat": self.viewer if self.viewer != NOBODY else None}
            case "language":
                self.language = room.spoken(message["language"])
                self.sent = Shown({"room": self.sent.parts.get("room")})
            case "answer":
                yield from self._answer(message["question"], message["answer"], now)
            case "change":
                self.do(room.change(self.viewer, message["question"]))
            case "undo":
                self._undo()
            case "pong" | "consent":
                pass
            case _:
                raise Refused("malformed")

    def _answer(self, question: str, answer: Any, now: float) -> Iterator[Message]:
        room, took = self.room, max(0.0, now - self.shown_at)
        if room.is_race:
            self.do(room.reaction(self.viewer, question, answer, took))
        else:
            self.do(room.answer(self.viewer, question, answer, self.language, took / 1000))
        yield {"type": "accepted", "question": question}

    def _undo(self) -> None:
        """Take back an answer: whoever sits at the same device has been asked already."""
        if self.own is not None:
            raise Refused("no-undo")
        self.do(self.room.ask_undo(self.viewer))
        for seat in self.room.persons:
            if self.room.undo is not None and seat not in self.room.undo.consents:
                self.do(self.room.decided("consent", seat=seat, consents=True))

    def news(self, now: float) -> list[Message]:
        """What the page has to show anew; a curtain, if somebody else has to answer now."""
        if (seat := self.next_viewer()) != self.viewer and self.viewer != NOBODY and len(self.persons) > 1:
            return [{"type": "curtain", "seat": seat, "name": self.room.seats[seat].name}]
        shown = table_shown(self.room, self.viewer, self.language).beside(room=room_shown(self.room, ()), clock=None)
        if shown.parts.get("question") != self.sent.parts.get("question"):
            self.shown_at = now
        changes = shown.since(self.sent)
        self.sent = shown
        return [{"type": "room", **changes}] if changes else []

    # --- bots ---------------------------------------------------------------------------------------------------------

    def wait(self) -> int | None:
        """Milliseconds until a bot answers, or a race ends; None if nothing happens by itself."""
        if self.room.match is None or self.room.match.is_over or self.room.fault:
            return None
        if self.room.is_race:
            return self._wait_in_race()
        if not self.room.bots():
            return None
        return PAUSE if self.room.match.state.forks is None else 0

    def _wait_in_race(self) -> int | None:
        choices = self.room.choices()
        if not choices or self.room.bots():
            return 0
        if self.viewer not in [choice.seat for choice in choices]:
            return None  # the curtain is down
        return int(self.room.settings.race_seconds * 1000)

    def step(self, now: float) -> list[Message]:
        """Let a bot answer, or end a race whose time is over."""
        with suppress(Refused):
            match = self.room.playing()
            if self.room.is_race:
                self._race(match, now)
            else:
                for seat, word, question in self.room.bots()[:1]:
                    self.do(self.room.bot_answer(seat, question, chosen(match, seat, word)))
        return self.news(now)

    def _race(self, match: Match, now: float) -> None:
        chance = Random(f"{match.seed} {len(match.answers)}")
        for seat, word, question in self.room.bots():
            self.do(self.room.reaction(seat, question, chosen(match, seat, word), chance.uniform(*BOT_REACTION)))
        after = now - self.shown_at
        for choice in self.room.choices() if after >= self.room.settings.race_seconds * 1000 else ():
            if choice.seat == self.viewer:  # of those who have not been asked yet, nothing is decided
                late = choice.find("pass") or choice.options[0]
                self.do(self.room.reaction(choice.seat, self.room.question(choice.seat), late.key, after))
        if not self.room.choices():
            self.do(self.room.race_result(len(match.answers)))
