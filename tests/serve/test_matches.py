"""Matches in rooms, over the line as pages have it: from the seats to the score sheet, with all that may go wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import houserule
from houserule import Option
from houserule.bots.simple import Seat
from houserule.rulebook import rulebook
from houserule.serve import app, hub, levels, thinking
from houserule.serve import room as rooms
from houserule.serve.protocol import VERSION
from tests.serve.conftest import CATALOGUE, PARLEY, House, Page


def play_round(pages: list[Page]) -> None:
    """Everybody answers with the first option, until the round's race is over."""
    for page in pages:
        page.answer()
    for page in pages:
        page.answer()
    for page in pages:
        page.answer(1)


def test_people_and_a_bot_sit_down_and_play_to_the_end(house: House) -> None:
    room, (ann, ben) = house.match("Ann", "Ben", bots=("random",))
    watcher = house.page(room)
    assert ann.shows(lambda parts: parts["room"]["started"])["room"]["seats"][2]["bot"] == "random"
    for _ in range(2):
        for page in (ann, ben):
            page.answer()  # secretly, all at once
        ann.answer()
        ben.answer()
        ann.answer(1)  # they slap; the bot does not have to
        ben.answer(1)
    for page in (ann, ben, watcher):
        parts = page.shows(lambda parts: parts["scene"]["is_over"])
        assert parts["scene"]["winners"] == [0]
        assert parts["scene"]["sheet"] == [{"title": "Score", "points": [2, 0, 0]}]
        assert parts["question"] is None
    record = house.client.get(f"/api/rooms/{room}/record").json()
    match = houserule.replay(houserule.Record.from_json(record), PARLEY)
    assert (match.is_over, match.scores) == (True, {"Ann": 2, "Ben": 0, "Bot 3": 0})
    assert ann.refused("answer", question="0.6", answer="pass") == "over"


def test_each_viewer_is_told_in_their_own_language(house: House) -> None:
    room, (ann,) = house.match("Ann", bots=("first",))
    german = house.page(room, ann.token, language="de")
    assert ann.asked()["prompt"] == "Keep which?"
    assert german.asked()["prompt"] == "Welche behältst du?"
    german.send("language", language="en")
    german.shows(lambda parts: parts["scene"]["language"] == "en")
    german.send("language", language="de")
    german.shows(lambda parts: parts["scene"]["language"] == "de")
    german.answer()
    ann.shows(lambda parts: parts["question"] != "0.0")


def test_what_is_late_double_illegal_or_forged_is_refused_and_changes_nothing(house: House) -> None:
    room, (ann, ben) = house.match("Ann", "Ben")
    watcher = house.page(room)
    question = ann.asked()
    keys = [option["key"] for option in question["options"]]
    before = house.hub.rooms[room].room.number
    assert ann.refused("answer", question="0.0", answer="morel") == "illegal"
    assert ann.refused("answer", question="0.0", answer=keys) == "illegal"
    assert ann.refused("answer", question="0.1", answer=keys[0]) == "late"
    assert ann.refused("answer", question="1.0", answer=keys[0]) == "late"
    assert ann.refused("answer", question="0.0", answer=keys[0], seat=1) == "malformed"
    assert watcher.refused("answer", question="0.0", answer=keys[0]) == "not-seated"
    assert watcher.refused("undo") == "not-seated"
    assert watcher.refused("claim", seat=0, name="Cid") == "started"
    assert watcher.refused("hello", version=VERSION, token="forged", language="en") == "token"
    assert watcher.refused("hello", version=VERSION + 1, token=None, language="en") == "version"
    assert ann.refused("start") == "started"
    assert ann.refused("consent", consents=True) == "no-undo-asked"
    assert house.hub.rooms[room].room.number == before
    ann.answer()
    assert ann.refused("answer", question="0.0", answer=keys[0]) == "late"
    assert ann.refused("answer", question="0.1", answer=keys[1]) == "not-asked"
    assert house.hub.rooms[room].room.number == before + 1
    for text in ("no json", "[]", "{}", '{"type": []}', '{"type": "dance"}', '{"type": "undo", "now": 1}', "[" * 9000):
        ann.socket.send_text(text)
        assert ann.until("refused")["code"] == "malformed"
    assert ben.asked()["prompt"] == "Keep which?"


def test_seats_are_for_one_each(house: House) -> None:
    room = house.create(None, None, "first")
    ann, ben = house.seated(room, "Ann"), house.page(room)
    assert ben.refused("claim", seat=0, name="Ben") == "taken"
    assert ben.refused("claim", seat=2, name="Ben") == "no-seat"
    assert ben.refused("claim", seat=9, name="Ben") == "no-seat"
    for name in ("", "  ", "ann", "A,B", "x" * 25, "Bot 3", "a\u202eb"):
        assert ben.refused("claim", seat=1, name=name) == "name"
    assert ann[0].refused("claim", seat=1, name="Anna") == "seated"
    assert ann[0].refused("start") == "empty-seats"
    ann[0].send("leave")
    ben.shows(lambda parts: not parts["room"]["seats"][0]["taken"])
    assert ben.refused("hello", version=VERSION, token=ann[0].token, language="en") == "token"
    ben.send("claim", seat=0, name="  Ben\n the <b>bold</b> ")
    assert ben.until("seated")["seat"] == 0
    assert (
        ben.shows(lambda parts: parts["room"]["seats"][0]["taken"])["room"]["seats"][0]["name"] == "Ben the <b>bold</b>"
    )


def test_an_answer_is_taken_back_when_all_people_consent(house: House) -> None:
    _, (ann, ben) = house.match("Ann", "Ben")
    assert ann.refused("undo") == "no-undo"
    kept = ann.asked()["options"][1]["label"]
    ann.answer(1)
    ben.answer()
    assert ann.asked()["prompt"] == "Show which?"
    ann.send("undo")
    assert ben.shows(lambda parts: parts["undo"])["undo"] == {"seat": 0, "asks": True}
    assert ben.refused("undo") == "undo-asked"
    ben.send("consent", consents=False)
    ben.shows(lambda parts: parts["undo"] is None)
    assert ann.parts["question"] == "0.1"
    assert ann.refused("undo") == "undo-denied"
    ben.send("undo")
    ann.shows(lambda parts: parts["undo"])
    ann.send("consent", consents=True)
    ben.shows(lambda parts: parts["question"] == "1.0")
    ben.answer()
    ann.asked()
    ann.send("undo")
    ben.shows(lambda parts: parts["undo"])
    ben.send("consent", consents=True)
    ann.shows(lambda parts: parts["question"] == "2.0")
    assert kept in [option["label"] for option in ann.asked()["options"]]
    ben.shows(lambda parts: parts["question"] == "2.0")  # what Ben answered after it is asked again
    assert not any("Secret" in event["text"] for event in ann.log)
    ann.answer()
    ben.answer()


def test_against_bots_alone_nobody_else_has_to_consent(house: House) -> None:
    _, (ann,) = house.match("Ann", bots=("first",))
    ann.answer()
    ann.shows(lambda parts: parts["question"] == "0.1")
    ann.send("undo")
    ann.shows(lambda parts: parts["question"] == "1.0")


def test_the_fastest_wins_a_race_and_slow_lines_are_given_their_way(house: House) -> None:
    room, (ann, ben) = house.match("Ann", "Ben", options={"rounds": 1})
    for page in (ann, ben, ann, ben):
        page.answer()
    for page in (ann, ben):
        assert page.asked()["kind"] == "slap"
    live = house.hub.rooms[room]
    far = next(line for line in live.lines if line.seat == 1)
    far.trips.append(350.0)
    ann.answer(1)
    assert ben.parts["question"] is not None  # whoever has not reacted is not told who has
    ben.answer(1)
    assert ben.shows(lambda parts: parts["scene"]["is_over"])["scene"]["winners"] == [1]


def test_a_race_ends_when_the_clock_has_run_out(house: House) -> None:
    room, (ann, ben) = house.match("Ann", "Ben", options={"rounds": 1})
    for page in (ann, ben, ann, ben):
        page.answer()
    live = house.hub.rooms[room]
    ben.asked()
    assert house.client.portal is not None
    ann.answer(1)
    house.client.portal.call(live._close_race)
    assert ben.shows(lambda parts: parts["scene"]["is_over"])["scene"]["winners"] == [0]


def test_a_match_that_is_over_can_be_looked_at_step_by_step(house: House) -> None:
    room, (ann,) = house.match("Ann", options={"rounds": 1})
    path = f"/api/rooms/{room}/replay"
    assert house.client.get(f"{path}/0").json()["code"] == "not-over"
    assert house.client.get(f"/api/rooms/{room}/record").status_code == 403
    kept = ann.asked()["options"][0]["label"]
    for _ in range(3):
        ann.answer()
    ann.shows(lambda parts: parts["scene"]["is_over"])
    first = house.client.get(f"{path}/0?language=de").json()
    assert (first["step"], first["steps"], first["by"]) == (0, 3, None)
    assert first["scene"]["language"] == "de"
    step = house.client.get(f"{path}/1").json()
    assert step["by"] == "Ann"
    assert any(kept.split(" (")[0].lower() in event["text"] for event in step["log"])
    assert house.client.get(f"{path}/0").json()["scene"]["question"] is None
    assert house.client.get(f"{path}/4").status_code == 404


def test_a_record_is_looked_at_step_by_step_and_nothing_that_it_brings_is_played(house: House) -> None:
    match = CATALOGUE.game("parley").start(["Ann", "Ben"], seed=3)
    match.answer("Ann", match.pending[0].single[1])
    record = match.record.to_json()

    def asked(step: object = 1, **changes: object) -> dict[str, object]:
        wanted = {"record": {**record, **changes}, "step": step, "language": "de"}
        found: dict[str, object] = house.client.post("/api/replay", json=wanted).json()
        return found

    seen = asked()
    assert (seen["step"], seen["steps"], seen["by"]) == (1, 1, "Ann")
    assert seen["scene"]["language"] == "de"  # type: ignore[index]  # a scene is a dictionary
    assert asked(0)["by"] is None
    refused = {
        "step": {"step": 2},
        "malformed": {"step": -1},
        "game": {"game": "../parley", "path": str(PARLEY)},
        "house-rule": {"variants": ["../../etc/passwd"]},
        "record-rules": {"rules": "0" * 64},
        "option": {"options": {"rounds": 99}},
        "record": {"answers": [["Ann", "no such card"]]},
    }
    assert {code: asked(**changes)["code"] for code, changes in refused.items()} == {code: code for code in refused}
    assert asked(given="do: end game")["code"] == "record"
    assert asked(answers=[["Ann"]])["code"] == "record"
    deep = '{"record": ' + "[" * 990 + "]" * 990 + ', "step": 0, "language": "en"}'
    headers = {"content-type": "application/json"}
    assert house.client.post("/api/replay", content=deep, headers=headers).json()["code"] in ("record", "malformed")
    large = house.client.post("/api/replay", json={"record": "x" * 1_100_000, "step": 0, "language": "en"})
    assert large.json()["code"] == "malformed"
    assert (
        house.client.post("/api/replay", json={"record": {}}, headers={"origin": "http://evil.example"}).status_code
        == 403
    )


def test_a_title_is_only_ever_text(house: House) -> None:
    """Whatever a game or a person calls itself goes out as JSON, and no page reads HTML."""
    answer = house.client.get("/api/games")
    assert answer.headers["content-type"] == "application/json"
    pages = PARLEY.parent.parent.parent / "interpreter" / "houserule" / "serve" / "pages"
    for script in pages.glob("*.js"):
        text = script.read_text(encoding="utf-8")
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "DOMParser"):
            assert word not in text, f"{script.name} reads HTML or code: {word}"


def test_rooms_are_made_of_what_is_there_and_nothing_else(house: House) -> None:
    def code(**wanted: object) -> str:
        answer = house.client.post("/api/rooms", json={"game": "parley", "seats": [None], **wanted})
        return "made" if answer.status_code == 200 else str(answer.json()["code"])

    assert code() == "made"
    assert code(game="../parley") == "game"
    assert code(game=str(PARLEY)) == "game"
    assert code(house_rules=["../../other/variants/x"]) == "house-rule"
    assert code(house_rules=[str(PARLEY / "game.yaml")]) == "house-rule"
    assert code(options={"rounds": 99}) == "option"
    assert code(options={"square": 1}) == "option"
    assert code(seats=[None] * 9) == "seats"
    assert code(seats=["random"]) == "seats"
    assert code(seats=[None, "oracle"]) == "bot"
    assert code(seats=[None, "mcts:99999"]) == "bot"
    assert code(seed=-1) == "seed"
    assert code(colour="red") == "malformed"
    plain = house.client.post(
        "/api/rooms", content=json.dumps({"game": "parley"}), headers={"content-type": "text/plain"}
    )
    assert plain.json()["code"] == "malformed"
    large = house.client.post("/api/rooms", json={"game": "parley", "seats": [None], "options": {"x": "y" * 20000}})
    assert large.json()["code"] == "malformed"
    assert house.client.get("/api/games/other/rules").status_code == 404
    book = house.client.get("/api/games/parley/rules?language=de").json()
    assert book["title"] == "Unterhandlung"
    assert "Steinpilz" in str(book["chapters"])
    written = rulebook(houserule.load(PARLEY), "de")
    assert [one["title"] for one in book["chapters"]] == [chapter.title for chapter in written.chapters]
    shown = {section["anchor"]: section for one in book["chapters"] for section in one["sections"]}
    for section in (section for chapter in written.chapters for section in chapter.sections):
        assert shown[section.anchor]["paragraphs"] == list(section.paragraphs)
        assert (shown[section.anchor]["drawing"] is None) is (section.drawing is None)
    assert house.client.get("/api/games/parley/rules?with=../x").json()["code"] == "house-rule"


def test_a_bot_that_fails_or_answers_nonsense_holds_nobody_up(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def choose(self, seat: Seat) -> Option:
            raise ZeroDivisionError

    class Strange:
        def choose(self, seat: Seat) -> Option:
            return Option("the moon", "moon")

    ours = levels.bot_of
    broken = {"greedy": Broken(), "first": Strange()}
    monkeypatch.setattr(levels, "bot_of", lambda word, seed: broken.get(word) or ours(word, seed))
    monkeypatch.setattr(thinking, "ProcessPoolExecutor", lambda *_, **__: ThreadPoolExecutor(1))
    _, (ann,) = house.match("Ann", bots=("greedy", "first"))
    ann.answer()
    ann.answer()
    assert ann.asked()["kind"] == "slap"


def test_the_process_of_a_bot_that_never_answers_ends() -> None:
    """Another takes its place: all rooms wait for it."""
    script = """
import time
import houserule
from houserule.serve import app, hub, levels, thinking
from houserule.serve import room as rooms

class Slow:
    def choose(self, seat):
        while True:
            time.sleep(1)

thinking.LONGEST_THOUGHT = 0.1
levels.bot_of = lambda word, seed: Slow()
nim = houserule.load("nim")
thinking.think("room", nim, nim.start(["ann", "bob"], seed=1).record, 0, "slow")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False, timeout=100)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"")


def test_a_bot_plays_for_who_is_away_once_all_others_want_it_and_until_they_are_back(tmp_path: Path) -> None:
    house = House(tmp_path, away=0)
    room, (ann, ben, cleo) = house.match("Ann", "Ben", "Cleo", options={"rounds": 3})
    assert ann.refused("relieve", seat=2) == "not-away"
    assert house.page(room).refused("relieve", seat=2) == "not-seated"
    house.leave(cleo)
    ann.shows(lambda parts: not parts["room"]["seats"][2]["here"])
    assert ann.refused("relieve", seat=0) == "not-away"
    ann.send("relieve", seat=2)
    assert ben.shows(lambda parts: parts["room"]["seats"][2]["votes"])["room"]["seats"][2]["votes"] == [0]
    for page in (ann, ben):
        page.answer()
    ann.shows(lambda parts: parts["room"]["seats"][2]["votes"] == [0])
    assert ann.refused("relieve", seat=2) == "late"
    ben.send("relieve", seat=2)
    assert ann.shows(lambda parts: parts["question"] == "0.1")["room"]["seats"][2]["relieved"]
    tokens = ann.token, ben.token
    house.close()
    house.open()
    ann, ben = (house.page(room, token) for token in tokens)
    ann.send("undo")
    assert ben.shows(lambda parts: parts.get("undo"))["undo"]["asks"]
    ben.send("consent", consents=True)
    ann.shows(lambda parts: parts.get("undo", 0) is None and parts["question"] == "1.0")  # without Cleo's consent
    for page in (ann, ben):
        page.answer()
    for page in (ann, ben):
        page.answer()  # and a bot has shown one of Cleo's cards meanwhile
    cleo = house.page(room, cleo.token)
    cleo.shows(lambda parts: not parts["room"]["seats"][2]["relieved"])
    for page in (ann, ben):
        page.answer(1)
    cleo.asked()  # in this race, or in the next round if the bot has reacted before
    house.close()


def test_who_has_used_up_the_time_for_the_match_has_a_bot_answer(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "SHORTEST_TIME", 1)
    monkeypatch.setattr(hub, "SHORTEST_WAIT", 0.01)
    for clock in ({"per": "turn"}, {"per": "match", "seconds": 0}, {"per": "day", "seconds": 60}, 60):
        wanted = {"game": "parley", "seats": [None], "clock": clock}
        assert house.client.post("/api/rooms", json=wanted).json()["code"] == "malformed"
    room, (ann, ben) = house.match("Ann", "Ben", clock={"per": "match", "seconds": 1})
    assert 0 < ann.shows(lambda parts: parts.get("clock"))["clock"]["left"] <= 1
    ben.answer()
    assert ben.shows(lambda parts: parts["question"] is None)["clock"] is None
    assert ben.shows(lambda parts: parts["question"] == "0.1"), "Ann has not answered, and a bot has twice"
    assert house.hub.rooms[room].room.used[0] >= 1 > house.hub.rooms[room].room.used[1]
    entries = house.hub.store.entries(room)
    assert [entry.content["seat"] for entry in entries if entry.kind == "given"] == [1, 0, 0]


def test_the_same_people_play_again_with_their_keys_each_one_seat_further(house: House) -> None:
    _, (ann, ben) = house.match("Ann", "Ben", bots=("first",), options={"rounds": 1})
    assert ann.refused("rematch") == "not-over"
    play_round([ann, ben])
    ann.shows(lambda parts: parts["scene"]["is_over"])
    ann.send("rematch")
    ben.send("rematch")
    again = ben.shows(lambda parts: parts["room"]["rematch"])["room"]["rematch"]
    assert ann.shows(lambda parts: parts["room"]["rematch"])["room"]["rematch"] == again
    ben = house.page(again, ben.token)
    seats = ben.shows(lambda parts: parts.get("room"))["room"]["seats"]
    assert [seat["name"] for seat in seats] == ["Ben", "Bot 2", "Ann"]
    assert [seat["bot"] for seat in seats] == [None, "first", None]
    ben.send("start")
    ben.asked()
    assert house.page(again, ann.token).asked()


def test_only_rooms_that_are_open_to_all_with_a_free_seat_are_listed(house: House) -> None:
    def listed() -> list[str]:
        return [one.id for one in house.hub.open_rooms()]

    house.create(None, None)
    room = house.create(None, None, is_open=True)
    assert listed() == [room]
    (ann,) = house.seated(room, "Ann")
    assert house.client.get("/api/rooms").json()["rooms"][0]["names"] == ["Ann"]
    ben = house.page(room)
    ben.send("claim", seat=1, name="Ben")
    ben.until("seated")
    assert listed() == []
    ann.shows(lambda parts: all(seat["taken"] for seat in parts["room"]["seats"]))
    ann.send("leave")
    ann.shows(lambda parts: not parts["room"]["seats"][0]["taken"])
    assert listed() == [room]
    assert house.client.get(f"/room/{room}/code.svg").headers["content-type"] == "image/svg+xml"


def test_people_come_and_go_before_a_match_only_so_often(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "MOST_BEFORE", 6)
    page = house.page(house.create(None, "first"))
    for _ in range(3):
        page.send("claim", seat=0, name="Ann")
        page.until("seated")
        page.shows(lambda parts: parts["room"]["seats"][0]["taken"])
        page.send("leave")
        page.shows(lambda parts: not parts["room"]["seats"][0]["taken"])
    assert page.refused("claim", seat=0, name="Ann") == "worn-out"


def test_answers_are_taken_back_in_a_match_only_so_often(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "MOST_TAKEN_BACK", 2)
    _, (ann,) = house.match("Ann")
    for undone in (1, 2):
        ann.answer()
        ann.send("undo")
        ann.shows(lambda parts, undone=undone: parts["question"] == f"{undone}.0")
    ann.answer()
    assert ann.refused("undo") == "worn-out"
    ann.answer()
    _, (ann, _) = house.match("Ann", "Ben")
    for changed in (1, 2):
        ann.answer()
        ann.send("change", question=ann.parts["chosen"]["question"])
        ann.shows(lambda parts, changed=changed: parts["question"] == f"{changed}.0")
    ann.answer()
    assert ann.refused("change", question=ann.parts["chosen"]["question"]) == "worn-out"


def test_a_rematch_is_a_new_room_of_its_address(tmp_path: Path) -> None:
    house = House(tmp_path, new_rooms=1)
    try:
        _, (ann,) = house.match("Ann", bots=("first",), options={"rounds": 1})
        play_round([ann])
        ann.shows(lambda parts: parts["scene"]["is_over"])
        assert ann.refused("rematch") == "too-fast"
    finally:
        house.close()


def test_an_address_waits_for_few_replays_at_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "STEPS_AT_ONCE", 0)
    record = houserule.load(PARLEY).start(2, seed=1).record.to_json()
    answer = house.client.post("/api/replay", json={"record": record, "step": 0, "language": "en"})
    assert answer.json()["code"] == "too-fast"


def test_a_race_that_nobody_ended_for_weeks_goes_on(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    room, (ann, ben) = house.match("Ann", "Ben", options={"rounds": 1})
    for page in (ann, ben, ann, ben):
        page.answer()
    ann.asked()
    monkeypatch.setattr(hub.LiveRoom, "reaction_time", lambda *_: 2e9)
    ann.answer(0)
    assert house.hub.rooms[room].room.reactions[0][0] < 1e9
    house.close()
    house.open()
    assert house.is_there(room)
    assert house.page(room, ann.token).shows(lambda parts: parts["scene"] is not None)


KILLED = """
import asyncio, os, signal
import houserule
from houserule.serve.thinking import Thinkers
if __name__ == "__main__":
    thinkers = Thinkers()
    print(asyncio.run(thinkers.answer("room", houserule.load("nim").start(2, seed=1), 0, "greedy")), flush=True)
    print(*thinkers.pool._processes, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_the_process_of_the_bots_ends_with_a_server_that_is_killed(tmp_path: Path) -> None:
    (tmp_path / "killed.py").write_text(KILLED, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "killed.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    child = int(done.stdout.split()[-1])
    for _ in range(100):
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("the process of the bots is still there")
