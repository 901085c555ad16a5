"""Two processes on one PostgreSQL serve the same room: what one stores, the other shows, and no answer counts twice."""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from houserule.serve.storage import CHANNEL, POSTGRESQL, Entry, Here, NotStored, Store
from tests.serve.conftest import PARLEY
from tests.serve.served import Served, Wire

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def postgresql() -> Iterator[str]:
    """A PostgreSQL of these tests alone, behind a socket in its folder; its address."""
    found = [shutil.which("initdb"), *sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin/initdb")))]
    programs = next((Path(path).parent for path in found if path), None)
    assert programs, "there is no PostgreSQL here: `apt-get install postgresql`, then run `make test-browser` again"
    as_owner: list[str] = []
    folder = Path(
        subprocess.run(
            ["mktemp", "-d", "/var/tmp/rooms.XXXXXX"], check=True, capture_output=True, text=True
        ).stdout.strip()
    )
    if os.geteuid() == 0:  # which PostgreSQL refuses to run as
        owner = pwd.getpwnam("postgres")
        os.chown(folder, owner.pw_uid, owner.pw_gid)
        as_owner = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
    start = f"-k {folder} -c listen_addresses= -c fsync=off"

    def run(*words: str) -> None:
        subprocess.run(
            [*as_owner, str(programs / words[0]), *words[1:]], check=True, stdout=subprocess.DEVNULL, cwd=folder
        )

    try:
        run("initdb", "-D", str(folder / "data"), "-U", "rooms", "-A", "trust")
        run("pg_ctl", "-D", str(folder / "data"), "-o", start, "-l", str(folder / "log"), "-w", "start")
        try:
            yield f"postgresql://rooms@/postgres?host={folder}"
        finally:
            run("pg_ctl", "-D", str(folder / "data"), "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)


def test_two_processes_serve_one_room(postgresql: str) -> None:
    one, two = Served(postgresql, str(PARLEY)), Served(postgresql, str(PARLEY))
    try:
        room = one.create(game="parley", seats=[None, None, "first"], options={"rounds": 1})
        ann, ben = Wire(one, room), Wire(two, room)
        for seat, (page, name) in enumerate(((ann, "Ann"), (ben, "Ben"))):
            page.say("claim", seat=seat, name=name)
            page.token = str(page.until("seated")["token"])
        while not all(seat["name"] for seat in ann.shown["room"]["seats"]):  # which the other process tells of
            ann.until("room")
        ann.say("start")
        for page in (ann, ben, ann, ben):  # secretly, then in turn
            page.answer()
        ben.answer(1)
        ann.answer(1)
        assert ben.scene(lambda scene: scene["is_over"]) == ann.scene(lambda scene: scene["is_over"]) | {
            "viewer": 1,
            **{part: ben.shown["scene"][part] for part in ("seats", "regions", "things", "changes", "variables")},
        }
        two.kill()
        two.start()
        again = Wire(two, room, ben.token)
        assert again.scene(lambda scene: scene["is_over"])["winners"] == ben.shown["scene"]["winners"]
        for page in (ann, ben, again):
            page.opened.close()
    finally:
        one.kill()
        two.kill()


def test_who_has_a_page_at_another_process_is_not_away_until_it_is_closed(postgresql: str) -> None:
    one, two = (Served(postgresql, str(PARLEY), options=("--away", "3")) for _ in range(2))
    try:
        room = one.create(game="parley", seats=[None, None])
        ann, ben = Wire(one, room), Wire(two, room)
        for seat, (page, name) in enumerate(((ann, "Ann"), (ben, "Ben"))):
            page.say("claim", seat=seat, name=name)
            page.until("seated")

        def here() -> list[bool]:
            return [seat["here"] for seat in ann.shown["room"]["seats"]]

        while not all(seat["name"] for seat in ann.shown["room"]["seats"]) or not all(here()):
            ann.until("room")
        end = time.monotonic() + 8
        while time.monotonic() < end:
            ann.until("room", "ping")
            assert here() == [True, True]
        ben.opened.close()
        while here() != [True, False]:
            ann.until("room")
        ann.opened.close()
    finally:
        one.kill()
        two.kill()


def test_of_two_entries_of_one_number_one_is_stored(postgresql: str) -> None:
    stores = [Store(postgresql), Store(postgresql)]
    heard: list[tuple[str | None, Here | None]] = []
    listens = threading.Event()

    def hear(room: str | None, here: Here | None) -> None:
        heard.append((room, here))
        listens.set()

    stores[1].listen(hear)
    assert listens.wait(30), "it says that it listens"

    async def race() -> int:
        stored = 0
        for number in range(50):
            both = await asyncio.gather(
                *(store.append("room", Entry(number, "x", {"by": at})) for at, store in enumerate(stores))
            )
            stored += sum(both)
        return stored

    assert asyncio.run(race()) == 50
    assert [entry.number for entry in stores[0].entries("room")] == list(range(50))
    assert set(heard) <= {(None, None), ("room", None)}
    rooms = [f"many{number}" for number in range(60)]

    async def race_for_many() -> list[bool]:
        """Both store the first entry of many rooms, one from the first to the last and the other backwards."""
        both = ((stores[0], rooms), (stores[1], rooms[::-1]))
        return await asyncio.gather(*(store.append(room, Entry(0, "x", {})) for store, order in both for room in order))

    for _ in range(3):
        assert sum(asyncio.run(race_for_many())) == len(rooms)
        rooms = [f"{room}x" for room in rooms]
    stores[0].tell_here({"room": {1, 0}, "another": {2}})
    end = time.monotonic() + 30
    while heard[-2:] != [("room", frozenset({0, 1})), ("another", frozenset({2}))]:
        assert time.monotonic() < end, "who is at the other process is heard"
        time.sleep(0.01)
    long = Entry(50, "x", {"long": "é" * 8000})
    assert asyncio.run(stores[0].append("room", long)) and stores[1].entries("room", 50) == [long]
    for store in stores:
        store.close()


def test_what_anybody_can_notify_changes_no_room(postgresql: str) -> None:
    """What is notified to a process is no entry, and a room without a name that the database would take does not exist."""
    house = Served(postgresql, str(PARLEY))
    try:
        room = house.create(game="parley", seats=[None, None])
        ann = Wire(house, room)
        ann.until("room")
        with psycopg.connect(postgresql, autocommit=True) as stranger:
            for told in ('[0, "claim", {}]', '[0, "start", {}]', "[]", "[77]", "9" * 5000, "1,2,", "x" * 7000):
                stranger.execute("SELECT pg_notify(%s, %s)", (CHANNEL, f"stranger {room} {told}"))
            stranger.execute("SELECT pg_notify(%s, '')", (CHANNEL,))
        ann.say("claim", seat=0, name="Ann")
        assert ann.until("seated", "refused")["type"] == "seated"
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"{house.address}/api/rooms/%00/record", timeout=30)
        ann.opened.close()
        assert house.said() == ""
    finally:
        house.kill()


def test_nobody_waits_long_for_a_database_that_is_kept_busy(postgresql: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(POSTGRESQL, "options", "-cstatement_timeout=300ms")
    store = Store(postgresql)
    with psycopg.connect(postgresql) as stranger:
        stranger.execute("LOCK TABLE houserule_entries, houserule_rooms")
        with pytest.raises(NotStored, match="statement timeout"):
            asyncio.run(store.append("kept_busy", Entry(0, "x", {})))
        with pytest.raises(NotStored, match="statement timeout"):
            store.settings("kept_busy")
    assert asyncio.run(store.append("kept_busy", Entry(0, "x", {})))
    store.close()
