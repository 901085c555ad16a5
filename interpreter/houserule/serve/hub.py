"""Live rooms: requests are decided, stored, applied and shown, one after another in each room."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import re
import secrets
import time
from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Protocol

from houserule import SPECTATOR, RuleFault
from houserule.printable import printable
from houserule.serve.catalogue import Catalogue, Clock, Shown, room_shown, table_shown
from houserule.serve.limits import PAGES_OF_SEAT, Addresses, Limits
from houserule.serve.protocol import Refused
from houserule.serve.room import STAND_IN, Decided, Entry, Room, RoomSettings, Unreadable
from houserule.serve.storage import LONGEST_ID, TOUCH_SECONDS, Here, NotStored, Store
from houserule.serve.thinking import Thinkers
from houserule.serve.wishes import settings_of

log = logging.getLogger("houserule.serve")
IDLE_SECONDS = 600.0
"""Seconds after which a room that nobody watches is dropped from memory; the database keeps it."""
SHORTEST_WAIT, LONGEST_WAIT = 1.0, 3600.0
"""Seconds until the clocks are looked at again."""
AGAIN_SECONDS = 2.0
"""Another process may let a bot think first; after this many seconds this one does."""
TOLD_WHILE_AWAY = 3
"""How often other processes are told who is here, in the time until somebody counts as away."""
MOST_QUOTED = 200
"""The most characters of a stranger's text in the log."""
PUBLIC = ("claim", "leave", "start", "relieve", "back", "rematch")
"""The kinds of entries that change the seats, or start the match."""
MOST_ALLOWED = 400.0
"""The most milliseconds of latency that a reaction in a race is credited: delaying one's connection on purpose gains no more."""
ID = re.compile(f"[A-Za-z0-9_-]{{1,{LONGEST_ID}}}")
"""What the ids of rooms are made of."""
REACTION = (0.7, 2.5)
"""The reaction time of bots in a race, in seconds."""


class Onlooker(Protocol):
    """Somebody who watches a room: their seat and address, and ways to notify them and to show them out."""

    address: str

    @property
    def seat(self) -> int:
        """The seat."""

    def wake(self) -> None:
        """Notify them of news."""

    def dismiss(self, code: str) -> None:
        """Show them out, for a reason."""


class LiveRoom:
    """A room with the connections of its viewers."""

    def __init__(self, hub: Hub, room: Room) -> None:
        self.hub = hub
        self.room = room
        self.lock = asyncio.Lock()
        self.lines: dict[Onlooker, None] = {}  # in the order in which they came
        self.used = time.monotonic()
        self._race: tuple[int, int] | None = None  # the one that has been begun
        self._race_here = self._race_began = 0.0
        self._race_seats: set[int] = set()  # with a page when it began
        self._race_shown: dict[int, float] = {}  # by seat: when it was first shown
        self._shown: dict[tuple[int, str], Shown] = {}
        self._room: dict[str, Any] | None = None  # the public state of the room
        self._driver: asyncio.Task[None] | None = None
        self._left = dict.fromkeys(room.persons, self.used)  # by seat without a page: since when
        self._asked: dict[tuple[int, int, int], float] = {}
        """When each question was put: by undone answers, seat, and answers of that seat."""
        self._alarm: asyncio.TimerHandle | None = None
        self._marking: asyncio.TimerHandle | None = None  # until somebody counts as away
        self._time_race()

    # --- doing --------------------------------------------------------------------------------------------------------

    async def do(self, decide: Callable[[], Decided]) -> None:
        """Decide, store and apply. If another process was first, its entry is applied, and the request is decided again.

        Raises Refused, NotStored.
        """
        before = self.room.number
        try:
            async with self.lock:
                while True:
                    kind, content = decide()
                    entry = Entry(self.room.number, kind, content)
                    if await self.hub.store.append(self.room.id, entry):
                        self._carry_out(entry)
                        break
                    await self._catch_up()
        except Unreadable as wrong:
            raise self.hub.close_damaged(self.room.id, wrong) from wrong
        finally:  # if refused, it may still have learnt another process's entries
            if self.room.number != before:
                self.changed()

    def _carry_out(self, entry: Entry) -> None:
        race = self.room.race
        self.room.apply(entry)
        if self.room.race != race:
            self._time_race()
        self._shown.clear()
        match = self.room.match
        if entry.kind in PUBLIC or (match is not None and match.is_over):
            self._room = None

    async def _catch_up(self) -> None:
        for entry in await asyncio.to_thread(self.hub.store.entries, self.room.id, self.room.number):
            self._carry_out(entry)

    async def refresh(self) -> None:
        """Apply what other processes have stored."""
        async with self.lock:
            before = self.room.number
            try:
                await self._catch_up()
            except Unreadable as wrong:
                self.hub.close_damaged(self.room.id, wrong)
        if self.room.number != before:
            self.changed(delay=AGAIN_SECONDS)

    def changed(self, delay: float = 0.0) -> None:
        """Show the room to everybody again, and let bots answer."""
        self.used = time.monotonic()
        for line in self.lines:
            line.wake()
        self.drive(delay)
        self._set_alarm()
        if self.room.relieved or self.room.votes:
            for seat in {line.seat for line in self.lines} & {*self.room.relieved, *self.room.votes}:
                self.hub.begin(self._welcome_back(seat))

    # --- showing ------------------------------------------------------------------------------------------------------

    def shown(self, seat: int, language: str) -> Shown:
        found = self._shown.get((seat, language))
        if found is None:
            try:
                found = table_shown(self.room, seat, language)
            except Exception:  # our mistake, and no reason for this page to freeze
                log.exception("the table of %s cannot be shown", self.room.id)
                found = Shown({"fault": "this table cannot be shown"})
            self._shown[seat, language] = found
        if self._room is None:
            self._room = room_shown(self.room, self.absent)
        clock = None
        if self.room.settings.clock and (question := found.parts.get("question")) and not self.room.is_race:
            clock = Clock(question, round(max(0.0, self.time_left(seat)), 1))
        return found.beside(room=self._room, clock=clock)

    # --- who is here --------------------------------------------------------------------------------------------------

    @property
    def absent(self) -> set[int]:
        """The people who have had no page open for a while."""
        since = time.monotonic() - self.hub.limits.away
        return {seat for seat, left in self._left.items() if left <= since}

    async def _welcome_back(self, seat: int) -> None:
        """Somebody is back, and plays for themselves again."""
        with contextlib.suppress(Refused):
            await self.do(lambda: self.room.decided("back", seat=seat))

    # --- the clock ----------------------------------------------------------------------------------------------------

    def took(self, seat: int) -> float:
        """The seconds since a seat was asked its question, if a clock is set."""
        match = self.room.match
        if self.room.settings.clock is None or match is None:
            return 0.0
        now = time.monotonic()
        return now - self._asked.setdefault((self.room.undone, seat, match.answered[seat]), now)

    def time_left(self, seat: int) -> float:
        """The seconds that a seat has left for its question."""
        clock = self.room.settings.clock
        assert clock is not None
        used = self.room.used[seat] if clock["per"] == "match" else 0.0
        return float(clock["seconds"]) - used - self.took(seat)

    def _set_alarm(self) -> None:
        """Wait for the next moment at which somebody's time is over. While nobody is here, no clock runs."""
        if self.room.settings.clock is None:
            return
        wait = None
        if not self.lines:
            self._asked.clear()
        elif not self.room.is_race and (asked := self._on_the_clock()):
            wait = min(max(SHORTEST_WAIT, min(self.time_left(seat) for seat in asked)), LONGEST_WAIT)
        self._alarm = set_anew(self._alarm, wait, lambda: self.hub.begin(self._answer_for_slow()))

    def _on_the_clock(self) -> list[int]:
        return [choice.seat for choice in self.room.choices() if self.room.bot_of(choice.seat) is None]

    async def _answer_for_slow(self) -> None:
        """A bot answers for everybody whose time is over."""
        for seat in self._on_the_clock() if self.room.undo is None and not self.room.fault else ():
            if self.time_left(seat) > 0 or self.room.is_race:
                continue
            question, match, took = self.room.question(seat), self.room.match, self.took(seat)
            assert match is not None
            with contextlib.suppress(Refused):
                key = await self.hub.thinkers.answer(self.room.id, match, seat, STAND_IN)
                await self.do(lambda: self.room.out_of_time(seat, question, key, took))  # noqa: B023  applied before the next
        self._set_alarm()

    # --- bots ---------------------------------------------------------------------------------------------------------

    def make_place(self, line: Onlooker, seat: int) -> None:
        """Make place for a page of a seat or a spectator. Raises Refused if there is none.

        A seat has places of its own. If spectators have taken all of theirs, one of the address that has most makes place: for
        an address that has fewer, and for anybody as long as seats are free.
        """
        others = [one for one in self.lines if one is not line and one.seat == seat]
        if len(others) < (self.hub.limits.viewers if seat == SPECTATOR else PAGES_OF_SEAT):
            return
        if seat != SPECTATOR:
            others[0].dismiss("pages")
            return
        crowds = Counter(one.address for one in others)
        most = max(crowds.values())
        if not self.room.has_free_seat and crowds[line.address] + 1 >= most:
            raise Refused("full")
        next(one for one in others if crowds[one.address] == most).dismiss("full")

    def seat_anew(self) -> None:
        """Somebody has come, gone or sat down: show everybody who is here."""
        here = {line.seat for line in self.lines}
        for seat in self.room.persons:
            if seat in here:
                self._left.pop(seat, None)
            elif seat not in self._left:
                self._left[seat] = time.monotonic()
        self._wait_for_absent()
        self._room = None
        self.changed()

    def _wait_for_absent(self) -> None:
        """Wait for the next moment at which somebody counts as away, with one timer; while nobody is here, none is needed."""
        since = time.monotonic() - self.hub.limits.away
        waited = [left - since for left in self._left.values() if left > since]
        wait = min(waited) + 0.1 if waited and self.lines else None
        self._marking = set_anew(self._marking, wait, self._show_absent)

    def seen_elsewhere(self, seats: Here) -> None:
        """These have a page open at another process, which says so again before they would count as away."""
        before = self.absent
        self._left.update(dict.fromkeys(seats & self._left.keys(), time.monotonic()))
        if self.absent != before:
            self._show_absent()
        else:
            self._wait_for_absent()

    def _show_absent(self) -> None:
        self._room = None
        for line in self.lines:
            line.wake()
        self._wait_for_absent()

    def drive(self, delay: float = 0.0) -> None:
        if delay:
            asyncio.get_running_loop().call_later(delay, self.drive)
        elif self.lines and (self._driver is None or self._driver.done()):
            self._driver = self.hub.begin(self._drive())

    async def _drive(self) -> None:
        while self.lines and self.room.undo is None and not self.room.fault:
            if self.room.is_race:
                self._begin_race()
                return
            bots = self.room.bots()
            if not bots:
                return
            seat, word, question = bots[0]
            assert self.room.match is not None
            if self.room.match.state.forks is None:
                await asyncio.sleep(self.hub.pause)
            with contextlib.suppress(Refused):
                key = await self.hub.thinkers.answer(self.room.id, self.room.match, seat, word)
                await self.do(lambda: self.room.bot_answer(seat, question, key))  # noqa: B023  applied before the next

    # --- races --------------------------------------------------------------------------------------------------------

    def _time_race(self) -> None:
        """Note when the race began: here, and in the process that stored the answer before it."""
        self._race_here = time.monotonic()
        moment = self.room.race_moment
        self._race_began = self._race_here - (max(0.0, time.time() - moment) if moment is not None else 0.0)
        self._race_seats = {line.seat for line in self.lines}
        self._race_shown = {}

    def note_shown(self, seat: int) -> None:
        self._race_shown.setdefault(seat, time.monotonic())

    def reaction_time(self, seat: int, arrived: float, trip: float) -> float:
        """The milliseconds that a seat took to react to the race, without the `trip` of the messages.

        The clock of a seat without a page runs from the beginning of the race: somebody may have watched it elsewhere.
        """
        if seat not in self._race_seats:
            return max(0.0, (arrived - self._race_began) * 1000 - min(trip, MOST_ALLOWED))
        late = self._race_shown.get(seat, self._race_here) - self._race_here
        return max(0.0, (arrived - self._race_here) * 1000 - min(late * 1000 + trip, MOST_ALLOWED))

    def _begin_race(self) -> None:
        """Start a race once: let bots react in their time, and end it when the time is up."""
        match, this = self.room.match, self.room.race
        if match is None or this is None or self._race == this:
            return
        self._race = this
        chance = Random(f"{match.seed} {this}")
        for bot in self.room.bots():
            self.hub.begin(self._bot_reacts(*bot, chance.uniform(*REACTION)))
        self.hub.begin(self._end_race(this))

    async def _bot_reacts(self, seat: int, bot: str, question: str, after: float) -> None:
        match = self.room.match
        assert match is not None
        with contextlib.suppress(Refused):
            key = await self.hub.thinkers.answer(self.room.id, match, seat, bot)
            if key != "pass":
                await asyncio.sleep(after * min(1.0, self.hub.pause))
            await self.react(seat, question, key, after * 1000)

    async def react(self, seat: int, question: str, answer: Any, after: float) -> None:
        """A seat reacts, `after` milliseconds after it was shown the race. Raises Refused, NotStored."""
        await self.do(lambda: self.room.reaction(seat, question, answer, after))
        if not self.room.choices():
            await self._close_race()

    async def _end_race(self, race: tuple[int, int]) -> None:
        await asyncio.sleep(self.room.settings.race_seconds)
        if race == self.room.race:
            await self._close_race()

    async def _close_race(self) -> None:
        assert self.room.match is not None
        race = len(self.room.match.answers)
        with contextlib.suppress(Refused):
            await self.do(lambda: self.room.race_result(race))


class Hub:
    """All rooms that somebody watches, and the creation of new ones."""

    def __init__(
        self, catalogue: Catalogue, store: Store, limits: Limits, pause: float, seed: int | None = None
    ) -> None:
        self.catalogue = catalogue
        self.store = store
        self.limits = limits
        self.pause = pause
        self.seed = seed
        self.thinkers = Thinkers()
        self.makers = Addresses(limits.new_rooms)
        """Who asks for much: new rooms, long matches, other house rules."""
        self.rooms: dict[str, LiveRoom] = {}
        self.damaged: dict[str, float] = {}  # rooms that cannot be read, and when this was seen
        self._loading: dict[str, asyncio.Lock] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.has_let_go = False
        """Whether a connection has closed or a room was dropped: only these leave cycles for the garbage collector."""

    def open(self) -> None:
        """Start: listen for other processes' entries, and drop rooms that nobody watches."""
        loop = asyncio.get_running_loop()

        def heard(room: str | None, here: Here | None) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._heard, room, here)

        self.store.listen(heard)
        self.begin(self._forget())
        if self.store.is_shared:
            self.begin(self._tell_here())

    def close(self) -> None:
        """Stop the background tasks, and store pending entries."""
        for task in list(self._tasks):
            task.cancel()
        self.thinkers.close()
        self.store.close()

    def begin(self, work: Any) -> asyncio.Task[None]:
        """Start a background task; an exception in it is logged, and ends nothing else."""
        task: asyncio.Task[None] = asyncio.ensure_future(noting(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _heard(self, room: str | None, here: Here | None) -> None:
        for id in [room] if room is not None else list(self.rooms):
            if id not in self.rooms:
                continue
            if here is not None:
                self.rooms[id].seen_elsewhere(here)
            else:
                self.begin(self.rooms[id].refresh())

    async def _tell_here(self) -> None:
        """Tell the other processes who is here, often enough that nobody counts as away there."""
        while True:
            await asyncio.sleep(self.limits.away / TOLD_WHILE_AWAY)
            here = {id: {line.seat for line in room.lines} - {SPECTATOR} for id, room in self.rooms.items()}
            with contextlib.suppress(NotStored):
                await asyncio.to_thread(self.store.tell_here, {id: seats for id, seats in here.items() if seats})

    async def _forget(self) -> None:
        while True:
            await asyncio.sleep(TOUCH_SECONDS)
            with contextlib.suppress(NotStored):
                await asyncio.to_thread(self.store.touch, self.watched())
            self.forget()
            if self.has_let_go:
                self.has_let_go = False
                gc.collect()

    def forget(self) -> None:
        """Drop rooms from memory that nobody has watched for a while, and marks of damaged ones: they may have been mended."""
        now = time.monotonic()
        for id, room in list(self.rooms.items()):
            if not room.lines and now - room.used > IDLE_SECONDS and not room.lock.locked():
                del self.rooms[id]
                self.has_let_go = True
        self.damaged = {id: since for id, since in self.damaged.items() if now - since < IDLE_SECONDS}

    # --- rooms --------------------------------------------------------------------------------------------------------

    async def room(self, id: str) -> LiveRoom:
        """A room, read from the database when somebody first watches it. Raises Refused, NotStored."""
        found = self.rooms.get(id)
        if found is not None:
            found.used = time.monotonic()  # it is not dropped before its page has said hello
            return found
        if not ID.fullmatch(id):  # PostgreSQL would not take every text
            raise Refused("no-room")
        if id in self.damaged:
            raise Refused("damaged")
        lock = self._loading.setdefault(id, asyncio.Lock())
        try:
            async with lock:
                if id not in self.rooms:
                    found = LiveRoom(self, await asyncio.to_thread(self._read, id))
                    self.rooms.setdefault(id, found)  # after a failure two may read it at once
                    if self.store.is_shared:  # another process may have stored something after it was read
                        self.begin(self.rooms[id].refresh())
        except Unreadable as wrong:
            raise self.close_damaged(id, wrong) from wrong
        finally:
            self._loading.pop(id, None)
        return self.rooms[id]

    def close_damaged(self, id: str, wrong: Unreadable) -> Refused:
        """Close a room that cannot be read, and mark it; returns how it is refused."""
        if id not in self.damaged:
            log.error("%s", printable(f"the room {id} is damaged: {str(wrong)[:MOST_QUOTED]}"))
        self.damaged[id] = time.monotonic()
        self.drop(id, "damaged")
        return Refused("damaged")

    def _read(self, id: str) -> Room:
        found = self.store.settings(id)
        if found is None:
            raise Refused("no-room")
        return self._made(id, found)

    def _made(self, id: str, found: dict[str, Any]) -> Room:
        settings = RoomSettings.from_json(found)
        game = self.catalogue.game(settings.game, settings.house_rules, settings.options)
        if game.rules_hash != settings.rules:
            raise Refused("rules-changed")
        if len(settings.seats) not in game.players:
            raise Unreadable("the settings have another number of players than the game")
        room = Room(id, settings, game)
        for entry in self.store.each_entry(id):
            room.apply(entry)
        return room

    async def create(self, wanted: Mapping[str, Any]) -> str:
        """Create a room from a page's request; returns its id. Raises Refused, NotStored."""
        return await self.place(await asyncio.to_thread(settings_of, self.catalogue, wanted, self.seed))

    async def rematch(self, old: LiveRoom, address: str) -> None:
        """Create a room for the same people, who keep their keys and each sit one seat further. Raises Refused, NotStored."""
        if old.room.rematch is not None:
            return
        old.room.see("rematch", {})
        if not self.makers.take(address):
            raise Refused("too-fast")
        seed = secrets.randbelow(2**53) if self.seed is None else self.seed
        new, seats = old.room.another(seed, self.seed is not None)
        id = await self.place(new)
        number = 0
        for at, seat in enumerate(seats):
            if seat.bot is None:
                content = {"seat": at, "name": seat.name, "token": seat.token}
                await self.store.append(id, Entry(number, "claim", content))
                number += 1
        with contextlib.suppress(Refused):  # somebody else was first; the empty room is deleted in time
            await old.do(lambda: old.room.decided("rematch", room=id))

    async def place(self, settings: RoomSettings) -> str:
        """Store a new room; returns its id. Raises Refused, NotStored."""
        id, keep = secrets.token_urlsafe(9), self.limits.keep_days * 86_400.0
        new = (id, settings.to_json(), self.limits.rooms, keep)
        if not await asyncio.to_thread(self.store.create, *new):
            empty = await asyncio.to_thread(self.store.drop_empty, self.watched())
            if empty is not None:
                self.drop(empty, "no-room")
            if empty is None or not await asyncio.to_thread(self.store.create, *new):
                raise Refused("too-many")
        return id

    def open_rooms(self) -> list[Room]:
        """The rooms that the first page lists: those that are open to all, have a free seat, and in which somebody waits."""
        found = []
        for id, settings in self.store.open_rooms():
            with contextlib.suppress(Refused, Unreadable, RuleFault):
                room = self._made(id, settings)
                if room.has_free_seat and room.settings.is_open:
                    found.append(room)
        return found

    def watched(self) -> list[str]:
        return [id for id, room in self.rooms.items() if room.lines]

    def drop(self, id: str, code: str) -> None:
        """Drop a room from memory, and show out those who have come meanwhile."""
        room = self.rooms.pop(id, None)
        for line in list(room.lines) if room is not None else ():
            line.dismiss(code)

    def viewer(self, room: LiveRoom, token: str | None) -> int:
        return SPECTATOR if token is None else room.room.seat_of(token)


def set_anew(
    timer: asyncio.TimerHandle | None, seconds: float | None, call: Callable[[], object]
) -> asyncio.TimerHandle | None:
    """A timer in place of another one; none without a time to wait."""
    if timer is not None:
        timer.cancel()
    return None if seconds is None else asyncio.get_running_loop().call_later(seconds, call)


async def noting(work: Any) -> None:
    """Do something, and log an exception."""
    try:
        await work
    except asyncio.CancelledError:
        raise
    except NotStored as wrong:
        log.error("the database did not answer: %s", wrong)
    except Exception:  # one failing room is no reason to stop the others
        log.exception("something went wrong in a room")
