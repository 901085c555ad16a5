"""What is acknowledged is stored, in order, once; whoever comes too late carries out the others' entries first."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
import sqlite3
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from sqlalchemy.exc import OperationalError

import houserule
from houserule.serve.catalogue import Catalogue
from houserule.serve.hub import IDLE_SECONDS
from houserule.serve.protocol import Refused, written
from houserule.serve.room import Room, RoomSettings
from houserule.serve.storage import POSTGRESQL, Entry, Listener, NotStored, Store, UnknownDatabase, database_url
from houserule.serve.wishes import settings_of
from tests.serve.conftest import PARLEY, House


def test_an_entry_is_stored_under_the_next_number_once(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'rooms.sqlite'}"
    one, two = Store(url), Store(url)
    assert one.create("room", {"game": "x"}, most=5, keep=100)

    async def both() -> list[bool]:
        appended = [
            store.append("room", Entry(0, "answer", {"by": name})) for store, name in ((one, "one"), (two, "two"))
        ]
        return list(await asyncio.gather(*appended))

    assert sorted(asyncio.run(both())) == [False, True]
    (entry,) = two.entries("room")
    assert (entry.number, entry.kind) == (0, "answer")
    assert asyncio.run(one.append("room", Entry(1, "answer", {"key": "…"})))
    assert two.entries("room", 1) == [Entry(1, "answer", {"key": "…"})]
    for store in (one, two):
        store.close()


def test_many_at_once_go_into_few_transactions_and_all_are_stored(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'rooms.sqlite'}")

    async def all_of_them() -> list[bool]:
        return list(await asyncio.gather(*(store.append(f"room{n}", Entry(0, "x", {})) for n in range(300))))

    assert all(asyncio.run(all_of_them()))
    assert all(len(store.entries(f"room{n}")) == 1 for n in range(300))
    store.close()


def test_rooms_have_a_limit_and_old_ones_make_room(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'rooms.sqlite'}")
    assert store.create("one", {}, most=1, keep=100)
    assert not store.create("two", {}, most=1, keep=100)
    assert store.settings("two") is None
    assert store.create("two", {}, most=1, keep=-1)  # everything is too old
    assert (store.settings("one"), store.settings("two")) == (None, {})
    store.close()


def test_rooms_in_which_nobody_answered_go_first(house: House) -> None:
    """Only what a person answered counts: whoever fills the server with rooms has bots for that."""
    kept, (ann,) = house.match("Ann", bots=("first",))
    ann.answer()
    house.leave(ann)
    watched, (ben,) = house.match("Ben", bots=("first",))
    bots, (cid,) = house.match("Cid", bots=("first",))
    entries = house.hub.rooms[bots].room
    cid.shows(lambda _: entries.match is not None and ("Bot 2" in [player for player, _ in entries.match.answers]))
    house.leave(cid)
    house.limits = replace(house.limits, rooms=4)
    house.hub.limits = house.limits
    empty = house.create(None)
    first = house.create(None)
    assert (house.is_there(bots), house.is_there(empty)) == (False, True)  # not used for longer
    house.is_there(first)
    more = [house.create(None) for _ in range(5)]
    assert [house.is_there(room) for room in (kept, watched, empty, first, more[-1])] == [
        True,
        True,
        False,
        False,
        True,
    ]
    ben.answer()
    house.leave(ben)
    others = [house.match("Dan") for _ in range(2)]
    for _, (dan,) in others:
        dan.answer()
    answer = house.client.post("/api/rooms", json={"game": "parley", "seats": [None]})
    assert (answer.status_code, answer.json()["code"]) == (503, "too-many")
    ann = house.page(kept, ann.token)
    ann.answer()


@pytest.mark.parametrize(
    "wrong",
    [OperationalError("INSERT", {}, Exception("the disk is full")), MemoryError(), RuntimeError("of the driver")],
    ids=["full", "memory", "driver"],
)
def test_what_cannot_be_stored_is_not_acknowledged(
    house: House, monkeypatch: pytest.MonkeyPatch, wrong: Exception
) -> None:
    room, (ann,) = house.match("Ann")
    keys = [option["key"] for option in ann.asked()["options"]]

    def fail(*_: object) -> None:
        raise wrong

    with monkeypatch.context() as patch:
        patch.setattr(house.hub.store.engine, "begin", fail)
        assert ann.refused("answer", question="0.0", answer=keys[0]) == "not-stored"
    assert house.hub.rooms[room].room.match is not None
    assert house.hub.rooms[room].room.match.answers == []
    ann.answer()


def test_whoever_opens_a_room_at_the_same_time_gets_the_same_one(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also after the database has failed, and shortly before nobody's room would be dropped from memory."""
    room, settings, hub, reads = house.create(None), house.hub.store.settings, house.hub, iter(range(9))

    def slow(id: str) -> dict[str, object] | None:
        number = next(reads)
        time.sleep(0.2)
        if number == 0:
            raise NotStored("the database is busy")
        return settings(id)

    async def opened() -> None:
        first, second = (asyncio.create_task(hub.room(room)) for _ in range(2))
        with pytest.raises(NotStored):
            await first
        assert await hub.room(room) is await second is hub.rooms[room]
        hub.rooms[room].used -= 2 * IDLE_SECONDS
        found = await hub.room(room)
        hub.forget()
        assert hub.rooms[room] is found

    monkeypatch.setattr(hub.store, "settings", slow)
    asyncio.run(opened())


def test_after_a_restart_everybody_goes_on_where_they_were(house: House) -> None:
    room, (ann, ben) = house.match("Ann", "Ben")
    ann.answer()
    ben.answer(2)
    question = str(ann.asked() and ann.parts["question"])
    key = ann.asked()["options"][0]["key"]
    ann.send("answer", question=question, answer=key)
    ann.until("accepted")
    before = house.hub.rooms[room].room.match
    house.close()
    house.open()
    again = house.page(room, ann.token)
    assert again.refused("answer", question=question, answer=key) == "late"  # sent again, and counted once
    after = house.hub.rooms[room].room.match
    assert before is not None
    assert after is not None
    assert (after.answers, after.view()) == (before.answers, before.view())
    other = house.page(room, ben.token)
    other.answer()
    again.answer(1)
    other.answer(1)
    again.shows(lambda parts: 1 in [score["number"] for score in parts["scene"]["variables"]])  # the clock says whose


def test_another_process_may_answer_in_between(house: House, tmp_path: Path) -> None:
    room, (ann, ben) = house.match("Ann", "Ben")
    elsewhere = House(tmp_path)
    far = elsewhere.page(room, ben.token)
    far.shows(lambda parts: parts["scene"] is not None)
    ann.answer()  # the other process has not heard of it
    far.answer(1)
    ann.send("answer", question="0.1", answer="x")
    assert ann.until("refused")["code"] == "not-asked"  # nor this one of that
    portal = house.client.portal
    assert portal is not None
    portal.call(house.hub.rooms[room].refresh)
    ann.answer()
    for hub in (house.hub, elsewhere.hub):
        room_there = hub.rooms[room]
        portal = (house if hub is house.hub else elsewhere).client.portal
        assert portal is not None
        portal.call(room_there.refresh)
        assert room_there.room.match is not None
        assert len(room_there.room.match.answers) == 3
    elsewhere.close()
    assert ben.token


def test_who_is_refused_since_another_process_was_first_is_shown_what_it_stored(house: House, tmp_path: Path) -> None:
    room, (ann, ben) = house.match("Ann", "Ben")
    ann.answer()
    elsewhere = House(tmp_path)
    elsewhere.page(room, ben.token).answer()
    assert ben.refused("answer", question=ben.parts["question"], answer=ben.asked()["options"][0]["key"]) == "late"
    for page in (ann, ben):
        for _ in range(2):  # what is shown comes before
            assert page.refused("answer", question="9.9", answer="x") == "late"
    assert (ann.parts["question"], ben.parts["question"]) == ("0.1", None)
    elsewhere.close()


def test_rules_that_have_changed_are_not_played_on(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    room = house.create(None)
    game = house.hub.catalogue.game("parley")
    monkeypatch.setattr(type(game), "rules_hash", "other")
    page = house.client.websocket_connect(f"/api/rooms/{room}/line")
    with page as socket:
        assert socket.receive_json()["code"] == "rules-changed"


@pytest.mark.parametrize("url", ["nonsense", "mysql://localhost/rooms", "sqlite:////no/such/folder/rooms.sqlite"])
def test_a_database_that_cannot_be_used_is_said_in_a_sentence(url: str) -> None:
    with pytest.raises(UnknownDatabase):
        Store(url)


CHECKED = """
CREATE TABLE houserule_rooms (room VARCHAR(40) NOT NULL, settings TEXT NOT NULL, created FLOAT NOT NULL, touched FLOAT NOT NULL, PRIMARY KEY (room),
CHECK (length(hex(zeroblob(9))) > 1))"""


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (["CREATE TRIGGER t AFTER UPDATE ON houserule_rooms BEGIN SELECT 1; END"], "a trigger 't'"),
        (["DROP TABLE houserule_entries", "CREATE VIEW houserule_entries AS SELECT 1 AS room"], "a view"),
        (["CREATE TABLE notes (a)"], "a table 'notes'"),
        (["ALTER TABLE houserule_rooms ADD COLUMN more AS (1)"], "'houserule_rooms' is not as this server makes it"),
        (["CREATE INDEX i ON houserule_rooms (touched) WHERE hex(zeroblob(9)) > 1"], "an index 'i'"),
        ([f"CREATE INDEX i{number} ON houserule_rooms (touched)" for number in range(60)], "more than 50"),
        (["DROP TABLE houserule_rooms", CHECKED], "'houserule_rooms' is not as this server makes it"),
    ],
)
def test_a_file_with_more_than_the_tables_of_rooms_is_refused(changes: list[str], said: str, tmp_path: Path) -> None:
    """What runs by itself in the file of a stranger need never end."""
    url = f"sqlite:///{tmp_path / 'rooms.sqlite'}"
    for _ in range(2):  # its own file is opened again, with SQLite's own statistics
        Store(url).close()
        with contextlib.closing(sqlite3.connect(tmp_path / "rooms.sqlite")) as database:
            database.execute("ANALYZE")
            database.execute("CREATE INDEX IF NOT EXISTS own ON houserule_rooms(created)")
            database.commit()
    with contextlib.closing(sqlite3.connect(tmp_path / "rooms.sqlite")) as database:
        for change in changes:
            database.execute(change)
        database.commit()
    with pytest.raises(UnknownDatabase, match=said):
        Store(url)


def test_what_postgresql_needs_is_said_with_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(UnknownDatabase, match=r"pip install 'houserule\[postgresql\]'"):
        Store("postgresql://localhost/rooms")


def test_whatever_goes_wrong_with_the_news_of_others_they_are_listened_to_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    notices = iter([b"\xff", b"other room"])
    heard: list[str | None] = []
    hears = threading.Event()

    def notifies(timeout: float) -> Iterator[SimpleNamespace]:
        for payload in notices:
            yield SimpleNamespace(payload=payload.decode())
        time.sleep(timeout)

    def hear(room: str | None, _: object) -> None:
        heard.append(room)
        if room is not None:
            hears.set()

    connection = SimpleNamespace(execute=str, notifies=notifies)
    connect = lambda *_, **__: contextlib.nullcontext(connection)  # noqa: E731  # as psycopg's
    monkeypatch.setitem(sys.modules, "psycopg", SimpleNamespace(connect=connect))
    listener = Listener({"host": "localhost"}, "me", hear)
    listener.start()
    assert hears.wait(10) and heard == [None, None, "room"]
    listener.stop()
    listener.join(10)
    assert "the other processes are not heard: 'utf-8' codec" in caplog.text


def test_postgresql_is_meant_by_its_usual_names() -> None:
    found = database_url("postgresql://localhost/rooms?sslmode=require")
    assert found.drivername == "postgresql+psycopg"
    assert found.query == {**POSTGRESQL, "sslmode": "require", "client_encoding": "utf8"}, (
        "some databases have no encoding"
    )
    own = database_url("postgresql://localhost/rooms?connect_timeout=3")
    assert own.query == {**POSTGRESQL, "connect_timeout": "3", "client_encoding": "utf8"}
    assert not issubclass(NotStored, ValueError)


@pytest.mark.parametrize(("given", "kept"), [(True, "true"), (False, "false"), ("true", "true"), (1, 1)])
def test_settings_are_stored_as_the_game_reads_them(given: object, kept: object, tmp_path: Path) -> None:
    rules = "edition: 2026\ngame: quick\nplayers: 2\noptions: {fast: {type: bool, default: false}}\n"
    rules += "flow: {a: {turns: players, do: nothing}}\nscoring: {n: 1 if fast else 0}\n"
    (tmp_path / "game.yaml").write_text(rules, encoding="utf-8")
    wanted = {"game": "quick", "seats": [None, "random"], "options": {"fast": given}}
    made = settings_of(Catalogue({"quick": tmp_path}), wanted, 1)
    assert made.options == {"fast": kept}
    assert RoomSettings.from_json(json.loads(json.dumps(made.to_json()))) == made


def test_taking_back_plays_a_long_match_again_from_near_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """As entries are taken in: the match is that of the answers that stay, and few answers are given again for it."""
    game = houserule.load("pig", options={"goal": 1000})
    settings = RoomSettings(game.id, game.rules_hash, (None, "first"), 1)
    room = Room("room", settings, game)
    entries = [("claim", {"seat": 0, "name": "Ann", "token": "0" * 64}), ("start", {})]
    for number, (kind, content) in enumerate(entries):
        room.apply(Entry(number, kind, content))
    played = 0
    answer = houserule.Match.answer

    def counted(self: houserule.Match, player: str, key: str) -> None:
        nonlocal played
        played += 1
        answer(self, player, key)

    monkeypatch.setattr(houserule.Match, "answer", counted)
    random, again = Random(1), []
    for at in range(240):
        match = room.playing()
        (choice,) = match.pending
        room.apply(Entry(room.number, "answer", {"seat": choice.seat, "key": random.choice(choice.options).key}))
        if at % 60 > 40:
            own = max(at for at, (player, _) in enumerate(match.answers) if player == "Ann")
            before, played = match.answers[: max(own - at % 3, 0)], 0
            room.apply(Entry(room.number, "undo", {"seat": 0, "to": len(before)}))
            again.append(played)
            assert room.playing().answers == before
    assert len(again) > 50 and max(again[1:]) < 70
    whole = houserule.replay(room.playing().record)
    for seat in (0, 1):
        assert room.playing().view(seat) == whole.view(seat)
        assert room.playing().events_for(seat) == whole.events_for(seat)


@pytest.mark.parametrize("text", [None, "game: [", "edition: 2026\ngame: other\n"])
def test_a_game_that_is_broken_while_the_server_runs_is_refused(text: str | None, tmp_path: Path) -> None:
    shutil.copytree(PARLEY, tmp_path / "parley")
    catalogue, file = Catalogue({"parley": tmp_path / "parley"}), tmp_path / "parley" / "game.yaml"
    file.unlink()
    if text is not None:
        file.write_text(text, encoding="utf-8")
    for wanted in ([], ["long"]):
        with pytest.raises(Refused, match=r"does not have that game|no such house rule"):
            catalogue.game("parley", wanted)


def test_titles_do_not_turn_what_stands_around_them() -> None:
    assert written({"title": "a\u202eb\u2066c\n"}) == '{"title":"a\ufffdb\ufffdc\\n"}'
