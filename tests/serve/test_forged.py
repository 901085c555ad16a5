"""Rows that were forged or damaged: their room says so in a sentence, the log has one line, and all other rooms go on."""

from __future__ import annotations

import contextlib
import json
import logging
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from houserule.serve import hub
from tests.serve.conftest import House

Row = dict[str, Any]


class Forger:
    """Writes into the database of a server what it never would itself, on the pattern of a match that has begun."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.room, (self.ann, self.ben) = house.match("Ann", "Ben")
        for page in (self.ann, self.ben, self.ann):
            page.answer()
        self.made = 0
        with self.opened() as database:
            self.settings = json.loads(database.execute("SELECT settings FROM houserule_rooms").fetchone()[0])
            self.entries = database.execute(
                "SELECT number, kind, content, moment FROM houserule_entries ORDER BY number"
            ).fetchall()

    @contextlib.contextmanager
    def opened(self) -> Iterator[sqlite3.Connection]:
        """The database; what is changed is kept."""
        with contextlib.closing(sqlite3.connect(self.house.file)) as database:
            yield database
            database.commit()

    def write(self, settings: object, *entries: tuple[object, ...], room: str | None = None) -> str:
        """Write a room; its id."""
        self.made += 1
        id = room or f"forged{self.made}"
        with self.opened() as database:
            if room is None:
                database.execute("INSERT INTO houserule_rooms VALUES (?, ?, 0, 9e9)", (id, settings))
            database.executemany(
                "INSERT INTO houserule_entries VALUES (?, ?, ?, ?, ?)", [(id, *entry) for entry in entries]
            )
        return id

    def with_settings(self, **changes: object) -> str:
        """A room with other settings."""
        return self.write(json.dumps({**self.settings, **changes}), *self.entries)

    def with_last(self, kind: object, content: object, moment: object = 1.0) -> str:
        """A room whose last entry is another one."""
        text = content if isinstance(content, str | bytes | int | None) else json.dumps(content)
        return self.write(json.dumps(self.settings), *self.entries[:-1], (len(self.entries) - 1, kind, text, moment))

    def is_refused(self, room: str, code: str = "damaged", status: int = 400) -> None:
        """Whether a room is refused with a code, in a request and in a line, at first and again."""
        for _ in range(2):
            for path in ("record", "replay/0"):
                answer = self.house.client.get(f"/api/rooms/{room}/{path}")
                assert (answer.status_code, answer.json().get("code")) == (status, code)
            with self.house.client.websocket_connect(f"/api/rooms/{room}/line") as socket:
                assert socket.receive_json()["code"] == code


@pytest.fixture
def forger(house: House, caplog: pytest.LogCaptureFixture) -> Iterator[Forger]:
    """A forger; at the end the honest room goes on, and the log has sentences alone."""
    made = Forger(house)
    yield made
    made.ben.answer()
    made.ann.answer(1)
    assert [record.getMessage() for record in caplog.records if record.exc_info] == []


def deep(opening: str) -> str:
    return opening * 100_000


SETTINGS: list[Callable[[Row], object]] = [
    lambda _: "",
    lambda _: "nothing",
    lambda _: "[]",
    lambda _: "null",
    lambda _: "1",
    lambda _: '{"game": "parley"',
    lambda _: deep("["),
    lambda _: deep('{"game":'),
    lambda _: b"\xff\xfe",
    lambda _: 17,
    lambda row: json.dumps(row).encode("utf-16"),
    lambda row: json.dumps({**row, "more": "x" * 3_000_000}),
    lambda row: json.dumps({**row, "more": 1}),
    *(
        lambda row, key=key: json.dumps({name: value for name, value in row.items() if name != key})  # type: ignore[misc]
        for key in ("game", "rules", "seats", "seed")
    ),
    *(
        lambda row, key=key, value=value: json.dumps({**row, key: value})  # type: ignore[misc]
        for key, values in {
            "game": (None, 1, [], {}, ["parley"]),
            "rules": (None, 1, []),
            "seats": (
                None,
                "ab",
                {},
                5,
                [],
                [1, 2],
                [None] * 9,
                [None] * 100_000,
                [[]],
                ["\ud800"],
                ["mcts:999999999"],
            ),
            "seed": (None, "1", 1.5, -1, True, 10**400, float("nan")),
            "house_rules": (None, "ab", 5, [1], [None], {"a": 1}),
            "options": (None, [], "rounds", {"rounds": []}, {"rounds": None}, {"rounds": 1.5}, {"rounds": "\ud800"}),
            "is_seed_chosen": (None, "yes", 2),
            "race_seconds": (None, "10", 0, -1, 1e300, float("nan"), float("inf"), []),
        }.items()
        for value in values
    ),
]


def test_settings_that_cannot_be_read_close_their_room_alone(forger: Forger, caplog: pytest.LogCaptureFixture) -> None:
    for make in SETTINGS:
        caplog.clear()
        room = forger.write(make(forger.settings), *forger.entries)
        forger.is_refused(room)
        (record,) = caplog.records
        assert record.levelno == logging.ERROR
        assert room in record.getMessage()
        assert len(record.getMessage()) < 400
        assert record.getMessage().isprintable()


def test_settings_of_something_else_are_refused_as_ever(forger: Forger) -> None:
    for changes, code in (
        ({"rules": "0" * 64}, "rules-changed"),
        ({"house_rules": ["../../etc/passwd"]}, "house-rule"),
        ({"options": {"rounds": 99}}, "option"),
        ({"options": {"squares": 1}}, "option"),
    ):
        forger.is_refused(forger.with_settings(**changes), code)
    forger.is_refused(forger.with_settings(game="../parley"), "game", 404)


ENTRIES: list[tuple[object, object]] = [
    ("dance", {}),
    ("", {}),
    (None, {}),
    (5, {}),
    (b"answer", {"seat": 1, "key": "pass"}),
    ("x" * 1_000_000, {}),
    ("start\x1b[2J\nERROR: the disk is full", {}),
    *(
        (kind, content)
        for kind in (
            "claim",
            "leave",
            "start",
            "answer",
            "given",
            "change",
            "react",
            "race",
            "undo",
            "consent",
            "relieve",
            "back",
            "rematch",
        )
        for content in (
            "",
            "{",
            "[]",
            "null",
            "17",
            '"seat"',
            deep("["),
            b"\xff",
            17,
            {"seat": []},
            {"key": {}},
            {"more": 1},
        )
    ),
    ("start", {}),
    ("claim", {"seat": 0, "name": "Cid", "token": "0" * 64}),
    ("leave", {"seat": 0}),
    ("answer", {"seat": 1, "key": "no such card"}),
    ("answer", {"seat": 1, "key": "boletus"}),
    *(
        ("answer", {"seat": seat, "key": "boletus"})
        for seat in (-1, 9, 10**30, 1.5, "1", None, True, [1], float("nan"))
    ),
    *(("answer", {"seat": 1, "key": key}) for key in (None, 5, [], ["boletus"], {}, "\ud800", "x" * 1_000_000)),
    ("react", {"seat": 1, "slap": True, "after": 5.0}),
    ("race", {"order": [[0, "slap"], [1, "pass"]]}),
    *(
        ("race", {"order": order})
        for order in (None, [], [[]], [0], [[0]], [[0, "slap", 1]], [["0", "slap"]], {"0": "slap"})
    ),
    ("undo", {"seat": 0, "to": -1}),
    ("undo", {"seat": 0, "to": 10**20}),
    ("undo", {"seat": 7, "to": 0}),
    ("consent", {"seat": 0, "consents": True}),
    ("consent", {"seat": 0, "consents": "yes"}),
]


def test_entries_that_do_not_fit_close_their_room_alone(forger: Forger, caplog: pytest.LogCaptureFixture) -> None:
    for kind, content in ENTRIES:
        caplog.clear()
        try:
            room = forger.with_last(kind, content)
        except sqlite3.IntegrityError:  # the database takes no NULL
            continue
        forger.is_refused(room)
        (record,) = caplog.records
        assert room in record.getMessage()
        assert len(record.getMessage()) < 400
        assert record.getMessage().isprintable()


def test_reactions_and_seats_that_do_not_fit_close_their_room_alone(forger: Forger) -> None:
    race = [
        *forger.entries,
        (6, "answer", json.dumps({"seat": 1, "key": forger.ben.asked()["options"][0]["key"]}), 1.0),
    ]
    settings = json.dumps(forger.settings)
    assert forger.house.is_there(forger.write(settings, *race))
    for content in (
        *(
            {"seat": 0, "slap": True, "after": after}
            for after in (None, "5", float("nan"), float("inf"), -1, 1e300, [])
        ),
        *({"seat": 0, "slap": slap, "after": 5} for slap in (None, "yes", 1)),
        {"seat": 3, "slap": True, "after": 5},
    ):
        forger.is_refused(forger.write(settings, *race, (7, "react", json.dumps(content), 1.0)))
    for order in (
        [[0, "slap"]],
        [[0, "slap"], [0, "slap"]],
        [[0, "slap"], [1, "dance"]],
        [[0, "slap"], [1, "slap"], [2, "pass"]],
    ):
        forger.is_refused(forger.write(settings, *race, (7, "race", json.dumps({"order": order}), 1.0)))
    claim = {"seat": 0, "name": "Ann", "token": "0" * 64}
    for changes in (
        {"seat": 2},
        {"seat": "0"},
        {"name": 5},
        {"name": "x" * 9999},
        {"name": "\ud800"},
        {"name": " "},
        {"name": "a\u202eb"},
        {"token": "é"},
        {"token": None},
    ):
        forger.is_refused(forger.write(settings, (0, "claim", json.dumps({**claim, **changes}), 1.0)))
    both = [(n, "claim", json.dumps({**claim, "seat": n}), 1.0) for n in range(2)]
    forger.is_refused(forger.write(settings, *both))


def test_numbers_and_moments_are_forged_in_vain(forger: Forger) -> None:
    settings = json.dumps(forger.settings)
    *others, last = forger.entries
    for number in (7, 2**62, 4.5, "last", b"5", "0x5"):
        forger.is_refused(forger.write(settings, *others, (number, *last[1:])))
    for moment in ("yesterday", b"\xff", float("inf"), -1e300, 1e300):
        room = forger.write(settings, *((*entry[:3], moment) for entry in forger.entries))
        page = forger.house.page(room)
        assert page.shows(lambda parts: parts["scene"] is not None)["room"]["started"]
    # 100,000 entries of a room are not read beyond the first that does not fit
    many = forger.write(settings, *forger.entries, *((n, "consent", "{}", 1.0) for n in range(6, 100_000)))
    forger.is_refused(many)
    forger.is_refused(forger.write(None, *forger.entries, room="nowhere"), "no-room", 404)


def test_a_row_that_is_forged_while_people_play_closes_their_room_alone(
    forger: Forger, caplog: pytest.LogCaptureFixture
) -> None:
    room, (cid, dan) = forger.house.match("Cid", "Dan")
    watcher = forger.house.page(room)
    forger.write(None, (forger.house.hub.rooms[room].room.number, "answer", '{"seat": [', 1.0), room=room)
    assert cid.refused("answer", question="0.0", answer=cid.asked()["options"][0]["key"]) == "damaged"
    for page in (dan, watcher):
        assert page.until("refused")["code"] == "damaged"
    forger.is_refused(room)
    (record,) = caplog.records
    assert room in record.getMessage()


def test_a_server_starts_and_makes_rooms_beside_forged_ones(forger: Forger) -> None:
    with forger.opened() as database:
        for id, touched in ((b"\xff", 0.5), (7, "now"), ("../../x", -1e300), ("x\ny", 9e300)):
            database.execute("INSERT INTO houserule_rooms VALUES (?, ?, 0, ?)", (id, "{}", touched))
    house = forger.house
    forger.is_refused(forger.write("{}"))
    tokens = forger.ann.token, forger.ben.token
    house.close()
    house.open()
    forger.ann, forger.ben = (house.page(forger.room, token) for token in tokens)
    house.hub.limits = type(house.limits)(rooms=3, new_rooms=1000, rate=1000)
    assert house.client.post("/api/rooms", json={"game": "parley", "seats": [None]}).status_code in (200, 503)


def test_a_room_whose_rows_were_mended_is_read_again(forger: Forger, monkeypatch: pytest.MonkeyPatch) -> None:
    room = forger.with_last("answer", "{")
    forger.is_refused(room)
    with forger.opened() as database:
        database.execute("DELETE FROM houserule_entries WHERE room = ? AND number = 5", (room,))
    forger.is_refused(room)
    monkeypatch.setattr(hub, "IDLE_SECONDS", -1.0)
    assert forger.house.client.portal is not None
    forger.house.client.portal.call(forger.house.hub.forget)
    assert forger.house.is_there(room)
    assert forger.house.page(room).shows(lambda parts: parts["scene"] is not None)
