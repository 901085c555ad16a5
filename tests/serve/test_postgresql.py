"""Two processes on one PostgreSQL serve the same room: what one stores, the other shows, and no answer counts twice."""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from houserule.serve.storage import Entry, Here, Store
from tests.serve.conftest import PARLEY
from tests.serve.served import Served, Wire

pytestmark = pytest.mark.browser


@pytest.fixture
def postgresql() -> Iterator[str]:
    """A PostgreSQL of this test alone, behind a socket in its folder; its address."""
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
    heard: list[tuple[str | None, Entry | Here | None]] = []
    listens = threading.Event()

    def hear(room: str | None, entry: Entry | Here | None) -> None:
        heard.append((room, entry))
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
    assert {room for room, _ in heard} <= {None, "room"}
    rooms = [f"many{number}" for number in range(60)]

    async def race_for_many() -> list[bool]:
        """Both store the first entry of many rooms, one from the first to the last and the other backwards."""
        both = ((stores[0], rooms), (stores[1], rooms[::-1]))
        return await asyncio.gather(*(store.append(room, Entry(0, "x", {})) for store, order in both for room in order))

    for _ in range(3):
        assert sum(asyncio.run(race_for_many())) == len(rooms)
        rooms = [f"{room}x" for room in rooms]
    theirs = {entry.number for entry in stores[0].entries("room") if entry.content["by"] == 0}
    end = time.monotonic() + 30
    while {entry.number for room, entry in heard if isinstance(entry, Entry) and room == "room"} != theirs:
        assert time.monotonic() < end, "the entries of the other come along"
        time.sleep(0.01)
    long = Entry(50, "x", {"long": "é" * 8000})
    assert asyncio.run(stores[0].append("room", long)) and stores[1].entries("room", 50) == [long]
    for store in stores:
        store.close()
