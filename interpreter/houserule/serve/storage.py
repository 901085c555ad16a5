"""Stores rooms and their entries in SQLite or PostgreSQL, each entry before anybody is told of it, and listens for other processes' entries."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import math
import queue
import re
import secrets
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.schema import CreateTable

from houserule.serve.room import Entry, Unreadable
from houserule.writing import claim, release

log = logging.getLogger("houserule.serve")
CHANNEL = "houserule_rooms"
MOST_AT_ONCE = 200
"""The most entries in one transaction: while it is being stored, others wait and go together."""
LONGEST_LOG = 16_000
"""Pages of SQLite's log before a checkpoint, 64 MB. Everybody waits for that, and a busy server fills the usual thousand in two seconds."""
STATEMENT_SECONDS = 10.0
"""How long a statement may take, and a database that is not reached."""
TOUCH_SECONDS = 60.0
"""How often the rooms in use are touched."""
MOST_OPEN = 20
"""The most rooms that the first page lists."""
MOST_READ = 1000
"""The most entries that are read at once."""
LARGEST_ROW = 256 * 1024
"""The most characters of a row that are read: no settings and no entry have more."""
LONGEST_ID, LONGEST_KIND = 40, 20

POSTGRESQL = {
    "connect_timeout": f"{STATEMENT_SECONDS:.0f}",
    "options": f"-cstatement_timeout={STATEMENT_SECONDS:.0f}s",
    "tcp_user_timeout": f"{STATEMENT_SECONDS * 1000:.0f}",
}
"""What its library limits, unless the address of the database says otherwise."""
NOTIFY = sql.text(f"SELECT pg_notify('{CHANNEL}', one) FROM unnest(CAST(:news AS text[])) AS one")
TABLES = sql.MetaData()
ROOMS = sql.Table(
    "houserule_rooms",
    TABLES,
    sql.Column("room", sql.String(LONGEST_ID), primary_key=True),
    sql.Column("settings", sql.Text, nullable=False),
    sql.Column("created", sql.Float, nullable=False),
    sql.Column("touched", sql.Float, nullable=False, index=True),
)
ENTRIES = sql.Table(
    "houserule_entries",
    TABLES,
    sql.Column("room", sql.String(LONGEST_ID), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("kind", sql.String(LONGEST_KIND), nullable=False),
    sql.Column("content", sql.Text, nullable=False),
    sql.Column("moment", sql.Float, nullable=False),
)


class NotStored(Exception):
    """The database did not store something; nothing has changed."""


class UnknownDatabase(ValueError):
    """The database cannot be used; the sentence says why."""


Here = frozenset[int]
"""The seats of a room whose players have a page open at another process."""
SEATS = re.compile("[0-9]{1,4}(,[0-9]{1,4})*")
Heard = Callable[[str | None, Here | None], None]


@dataclass(frozen=True, slots=True)
class Waiting:
    """An entry that waits to be stored, and its waiting caller."""

    room: str
    entry: Entry
    loop: asyncio.AbstractEventLoop
    stored: asyncio.Future[bool]


def database_url(url: str) -> sql.URL:
    """The URL of a database, with our driver. Raises UnknownDatabase."""
    try:
        found = sql.make_url(url)
    except SQLAlchemyError as wrong:
        raise UnknownDatabase("an address of a database begins with sqlite:/// or postgresql://") from wrong
    backend = found.get_backend_name()
    if backend == "postgresql" or found.drivername == "postgres":
        # A database without an encoding sends bytes unless it is told otherwise.
        own = {**POSTGRESQL, **found.query, "client_encoding": "utf8"}
        return found.set(drivername="postgresql+psycopg", query=own)
    if backend == "sqlite":
        return found
    raise UnknownDatabase(f"'{backend}' is no database that rooms can be kept in; use sqlite:/// or postgresql://")


class Store:
    """Rooms and entries in a database. Several processes may share it: an entry is stored only under the next number.

    One thread writes. What arrives in the meantime goes into the next transaction together.
    """

    def __init__(self, url: str) -> None:
        self.url = database_url(url)
        self.is_shared = self.url.get_backend_name() == "postgresql"
        self.process = secrets.token_hex(8)
        try:
            self.engine = sql.create_engine(self.url, pool_pre_ping=self.is_shared)
            if not self.is_shared:
                sql.event.listen(self.engine, "connect", set_up_sqlite)
            check_tables(self.engine)
            create_tables(self.engine)
        except ModuleNotFoundError as missing:
            raise UnknownDatabase("PostgreSQL needs psycopg: pip install 'houserule[postgresql]'") from missing
        except SQLAlchemyError as wrong:
            raise UnknownDatabase(f"the database cannot be used: {reason(wrong)}") from wrong
        insert = (postgresql.insert if self.is_shared else sqlite.insert)(ENTRIES)
        self._insert = insert.on_conflict_do_nothing().returning(ENTRIES.c.room, ENTRIES.c.number)
        self._waiting: queue.SimpleQueue[Waiting | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write, name="houserule-writer", daemon=True)
        self._writer.start()
        self._listener: Listener | None = None
        self._claimed: int | None = None

    def claim(self) -> None:
        """Keep a file for this server: a second one would not hear what the first stores. Raises UnknownDatabase."""
        file = self.url.database or ""
        if not self.is_shared and Path(file).is_file():
            try:
                self._claimed = claim(Path(file))
            except BlockingIOError as taken:
                message = (
                    f"another server keeps its rooms in '{file}': give this one its own, --database sqlite:///FILE"
                )
                raise UnknownDatabase(message) from taken

    # --- rooms --------------------------------------------------------------------------------------------------------

    def create(self, room: str, settings: dict[str, Any], most: int, keep: float) -> bool:
        """Store a new room; False if there are too many. Rooms unused for `keep` seconds are deleted first. Raises NotStored."""
        now = time.time()
        with self._transaction() as connection:
            old = sql.select(ROOMS.c.room).where(ROOMS.c.touched < now - keep)
            connection.execute(ENTRIES.delete().where(ENTRIES.c.room.in_(old)))
            connection.execute(ROOMS.delete().where(ROOMS.c.touched < now - keep))
            count = connection.execute(sql.select(sql.func.count()).select_from(ROOMS)).scalar_one()
            if count >= most:
                return False
            row = {"room": room, "settings": json.dumps(settings), "created": now, "touched": now}
            connection.execute(ROOMS.insert().values(row))
        return True

    def drop_empty(self, watched: Collection[str]) -> str | None:
        """Delete the room that was not used for longest of those in which no person ever answered, unless it is watched.

        None if there is none. Raises NotStored.
        """
        with self._transaction() as connection:
            found = self._empty_room(connection, watched)
            if found is not None:
                connection.execute(ENTRIES.delete().where(ENTRIES.c.room == found))
                connection.execute(ROOMS.delete().where(ROOMS.c.room == found))
        return found

    def _empty_room(self, connection: sql.Connection, watched: Collection[str]) -> str | None:
        rooms = sql.select(ROOMS.c.room, sql.func.substr(ROOMS.c.settings, 1, LARGEST_ROW)).order_by(ROOMS.c.touched)
        if self.is_shared:  # it may be watched at another process
            rooms = rooms.where(ROOMS.c.touched < time.time() - 1.5 * TOUCH_SECONDS)
        for room, settings in connection.execute(rooms).all():
            theirs = [ENTRIES.c.content.like(f'{{"seat": {seat},%') for seat in persons_of(settings)]
            answers = sql.select(ENTRIES.c.number).where(
                ENTRIES.c.room == room, ENTRIES.c.kind.in_(("answer", "given", "react"))
            )
            if (
                isinstance(room, str)
                and room not in watched
                and (not theirs or connection.execute(answers.where(sql.or_(*theirs)).limit(1)).first() is None)
            ):
                return room
        return None

    def open_rooms(self) -> list[tuple[str, dict[str, Any]]]:
        """The newest rooms that are open to all, somebody has used lately, and whose match has not begun. Raises NotStored."""
        begun = sql.select(ENTRIES.c.number).where(ENTRIES.c.room == ROOMS.c.room, ENTRIES.c.kind == "start")
        wanted = sql.select(ROOMS.c.room, sql.func.substr(ROOMS.c.settings, 1, LARGEST_ROW)).where(
            ROOMS.c.touched > time.time() - 3 * TOUCH_SECONDS,
            ROOMS.c.settings.like('%"is_open": true%'),
            ~begun.exists(),
        )
        with self._transaction() as connection:
            rows = connection.execute(wanted.order_by(ROOMS.c.created.desc()).limit(MOST_OPEN)).all()
        found = []
        for room, settings in rows:
            with contextlib.suppress(Unreadable):
                found.append((str(room), object_in(settings, "the settings")))
        return found

    def touch(self, rooms: Collection[str]) -> None:
        with self._transaction() as connection:
            connection.execute(ROOMS.update().where(ROOMS.c.room.in_(rooms)).values(touched=time.time()))

    def settings(self, room: str) -> dict[str, Any] | None:
        """The settings of a room as they are stored; None if there is no such room. Raises NotStored, Unreadable."""
        with self._transaction() as connection:
            connection.execute(ROOMS.update().where(ROOMS.c.room == room).values(touched=time.time()))
            wanted = sql.select(sql.func.substr(ROOMS.c.settings, 1, LARGEST_ROW)).where(ROOMS.c.room == room)
            found = connection.execute(wanted).scalar_one_or_none()
        return None if found is None else object_in(found, "the settings")

    # --- entries ------------------------------------------------------------------------------------------------------

    def entries(self, room: str, since: int = 0) -> list[Entry]:
        """The entries of a room from a number on, in order. Raises NotStored, Unreadable."""
        return list(self.each_entry(room, since))

    def each_entry(self, room: str, since: int = 0) -> Iterator[Entry]:
        """Read the entries as they are needed, a number at once. Raises NotStored, Unreadable."""
        content = sql.func.substr(ENTRIES.c.content, 1, LARGEST_ROW)
        kind = sql.func.substr(ENTRIES.c.kind, 1, LONGEST_KIND)
        wanted = sql.select(ENTRIES.c.number, kind, content, ENTRIES.c.moment)
        wanted = wanted.where(ENTRIES.c.room == room).order_by(ENTRIES.c.number).limit(MOST_READ)
        while True:
            with self._transaction() as connection:
                rows = connection.execute(wanted.where(ENTRIES.c.number >= since)).all()
            for number, said, text, moment in rows:
                if number != since:
                    raise Unreadable(f"entry {since} is missing")
                stored = moment if isinstance(moment, float) and math.isfinite(moment) else None
                yield Entry(since, said, object_in(text, f"entry {since}"), stored)
                since += 1
            if len(rows) < MOST_READ:
                return

    async def append(self, room: str, entry: Entry) -> bool:
        """Append an entry to a room; False if another process has stored one with its number. Raises NotStored."""
        loop = asyncio.get_running_loop()
        stored: asyncio.Future[bool] = loop.create_future()
        self._waiting.put(Waiting(room, entry, loop, stored))
        return await stored

    def _write(self) -> None:
        """Store what waits, a batch at a time, until the store is closed."""
        while (first := self._waiting.get()) is not None:
            batch = [first]
            is_last = False
            while len(batch) < MOST_AT_ONCE and not is_last:
                try:
                    following = self._waiting.get_nowait()
                except queue.Empty:
                    break
                is_last = following is None
                if following is not None:
                    batch.append(following)
            self._store(batch)
            if is_last:
                return

    def _store(self, batch: Sequence[Waiting]) -> None:
        """Store entries in one transaction, and notify those who wait for them."""
        wrong: NotStored | None = None
        stored: set[tuple[str, int]] = set()
        try:
            stored = self._insert_rows(batch)
        except NotStored as error:
            wrong = error
        except Exception as error:  # noqa: BLE001  without this thread nothing would be stored any more, and all would wait
            wrong = NotStored(reason(error))
        for one in batch:
            result: bool | NotStored = wrong or (one.room, one.entry.number) in stored
            with contextlib.suppress(RuntimeError):  # nobody waits any more: the server has stopped
                one.loop.call_soon_threadsafe(answer, one.stored, result)

    def _insert_rows(self, batch: Sequence[Waiting]) -> set[tuple[str, int]]:
        """Insert entries in one transaction; returns the rooms and numbers of those that were new. Raises NotStored."""
        now = time.time()
        rows = [
            {
                "room": one.room,
                "number": one.entry.number,
                "kind": one.entry.kind,
                "content": json.dumps(one.entry.content),
                "moment": now,
            }
            for one in sorted(
                batch, key=lambda one: (one.room, one.entry.number)
            )  # in one order, so that no two processes wait for each other
        ]
        with self._transaction() as connection:
            stored = {(room, number) for room, number in connection.execute(self._insert, rows)}
            if self.is_shared and stored:
                news = [f"{self.process} {room}" for room in sorted({room for room, _ in stored})]
                connection.execute(NOTIFY, {"news": news})
        return stored

    def tell_here(self, here: Mapping[str, Collection[int]]) -> None:
        """Tell the other processes who has a page open at this one, by room. Raises NotStored."""
        if self.is_shared and here:
            news = [f"{self.process} {room} {','.join(map(str, seats))}" for room, seats in here.items()]
            with self._transaction() as connection:
                connection.execute(NOTIFY, {"news": news})

    @contextlib.contextmanager
    def _transaction(self) -> Any:
        try:
            with self.engine.begin() as connection:
                yield connection
        except (SQLAlchemyError, MemoryError) as wrong:
            raise NotStored(reason(wrong)) from wrong

    # --- other processes ----------------------------------------------------------------------------------------------

    def listen(self, heard: Heard) -> None:
        """Call `heard`, in its own thread, with each room that another process changes, or with who has a page of it open there.

        It is called with None if any room may have changed. What was stored is read from the database: anybody may notify.
        """
        if self.is_shared:
            words = self.engine.dialect.create_connect_args(self.url)[1]
            self._listener = Listener(words, self.process, heard)
            self._listener.start()

    def close(self) -> None:
        self._waiting.put(None)
        self._writer.join(timeout=STATEMENT_SECONDS)
        if self._listener is not None:
            self._listener.stop()
        self.engine.dispose()
        release(self._claimed)  # after SQLite: whoever closes a file gives up SQLite's locks on it
        self._claimed = None


class Listener(threading.Thread):
    """Listens for PostgreSQL's notifications of other processes, and reconnects when the connection is lost."""

    def __init__(self, words: Mapping[str, Any], process: str, heard: Heard) -> None:
        super().__init__(name="houserule-listener", daemon=True)
        self.words = words
        self.process = process
        self.heard = heard
        self.stopped = threading.Event()

    def run(self) -> None:
        """Listen until stopped."""
        import psycopg

        while not self.stopped.is_set():
            try:
                with psycopg.connect(**self.words, autocommit=True) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    self.heard(None, None)
                    while not self.stopped.is_set():
                        for notice in connection.notifies(timeout=1.0):
                            self._hear(notice.payload)
            except Exception as wrong:  # noqa: BLE001  without this thread nothing of the others would be shown any more
                log.error("the other processes are not heard: %s", reason(wrong))
            self.stopped.wait(1.0)

    def _hear(self, payload: str) -> None:
        """Pass a notification on; if it does not say who is here, the room reads what is stored."""
        process, _, told = payload.partition(" ")
        room, _, text = told.partition(" ")
        if process != self.process:
            self.heard(room, frozenset(map(int, text.split(","))) if SEATS.fullmatch(text) else None)

    def stop(self) -> None:
        self.stopped.set()


def answer(stored: asyncio.Future[bool], result: bool | NotStored) -> None:
    """Tell the caller who waits for an entry what became of it."""
    if stored.cancelled():
        return
    if isinstance(result, NotStored):
        stored.set_exception(result)
    else:
        stored.set_result(result)


def object_in(found: object, what: str) -> dict[str, Any]:
    """The JSON object in a column. Raises Unreadable."""
    try:
        made = json.loads(found if isinstance(found, str) else "")
    except (ValueError, RecursionError):
        made = None
    if not isinstance(made, dict):
        raise Unreadable(f"{what} cannot be read")
    return made


def persons_of(settings: object) -> list[int]:
    try:
        return [seat for seat, bot in enumerate(object_in(settings, "it")["seats"]) if bot is None]
    except (ValueError, TypeError, LookupError):
        return []


MOST_TABLES = 50
"""The most tables and indexes of a database that this server has made."""
PLAIN_INDEX = re.compile(r"CREATE (UNIQUE )?INDEX \w+ ON \w+ ?\(\w+(, ?\w+)*\)", re.IGNORECASE)


def check_tables(engine: sql.Engine) -> None:
    """See that an SQLite file has our tables as we make them, and nothing that runs by itself. Raises UnknownDatabase.

    A trigger, a view, a check or an expression of a stranger need never end, and would keep everybody waiting for the database.
    """
    if engine.dialect.name != "sqlite":
        return
    with engine.begin() as connection:
        rows = sql.text(
            "SELECT type, substr(name, 1, 80), substr(tbl_name, 1, 80), substr(sql, 1, 4000) FROM sqlite_master LIMIT :most"
        )
        found = connection.execute(rows, {"most": MOST_TABLES + 1}).all()
    if len(found) > MOST_TABLES:
        raise UnknownDatabase(
            f"the database cannot be used: it has more than {MOST_TABLES} tables and indexes; name another file"
        )
    for what, name, of, made in found:
        written = " ".join((made or "").split())
        if name.startswith("sqlite_") and (what == "table" or not written):  # of SQLite itself: its statistics
            continue
        if what not in ("table", "index") or of not in TABLES.tables:
            problem = f"it has a {what} {name!r} that this server did not make"
        elif what == "table" and written != " ".join(str(CreateTable(TABLES.tables[of]).compile(engine)).split()):
            problem = f"its table {of!r} is not as this server makes it"
        elif what == "index" and not PLAIN_INDEX.fullmatch(written):
            problem = f"it has an index {name!r} that this server did not make"
        else:
            continue
        raise UnknownDatabase(f"the database cannot be used: {problem}; name another file")


def create_tables(engine: sql.Engine) -> None:
    try:
        TABLES.create_all(engine)
    except DBAPIError:
        TABLES.create_all(engine)


def set_up_sqlite(connection: Any, _: object) -> None:
    """Configure SQLite: a durable write-ahead log, and waiting for locks."""
    connection.text_factory = lambda text: text.decode("utf-8", "replace")  # a forged one may be anything
    cursor = connection.cursor()
    log = f"wal_autocheckpoint={LONGEST_LOG}"
    for setting in ("journal_mode=WAL", "synchronous=FULL", log, f"busy_timeout={int(STATEMENT_SECONDS * 1000)}"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def reason(wrong: Exception) -> str:
    """The first line of an error message, of a database's own where it has one."""
    said = str(getattr(wrong, "orig", None) or wrong).strip()
    return said.splitlines()[0] if said else type(wrong).__name__
