"""What the worker of a page answers: matches on one device to their end, and the game that is edited."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

import houserule
from houserule.serve.room import RoomSettings, Unreadable
from houserule.site.playing import Sitting
from houserule.site.project import Unwelcome, see_files
from tests.serve.served import with_changes
from tests.site.conftest import Ask

HELLO = {"type": "hello", "version": 1, "token": None, "language": "en"}


class Page:
    """A page of a room on one device, in front of which everybody answers at random."""

    def __init__(self, ask: Ask, room: str) -> None:
        self.ask, self.room = ask, room
        self.now = 0.0
        self.shown: dict[str, Any] = {}
        self.seat: int | None = None
        self.curtains = 0
        self.kept: Any = None
        self.hear(HELLO)

    def hear(self, message: dict[str, Any]) -> None:
        self.take(self.ask("hear", room=self.room, message=json.dumps(message), now=self.now))

    def take(self, told: Any) -> None:
        self.wait, self.kept = told["wait"], told["kept"]
        behind = False
        for text in told["messages"]:
            message = json.loads(text)
            assert not behind, "nothing is shown behind the curtain"
            match message["type"]:
                case "welcome":
                    self.seat, self.shown = message["seat"], {}
                case "curtain":
                    behind = True
                    self.curtains += 1
                    self.next = message["seat"]
                case "room":
                    changes = message.pop("changes", None)
                    self.shown |= message
                    if changes:
                        self.shown["scene"] = with_changes(self.shown["scene"], changes)
                case kind:
                    assert kind == "accepted", message
        if behind:
            self.hear({**HELLO, "token": str(self.next)})
            assert self.seat == self.next

    def play(self, most: int = 3000) -> None:
        """Answer until the match is over, or often enough."""
        for turn in range(most):
            self.now += 1000
            scene = self.shown["scene"]
            if scene["is_over"]:
                return
            if self.shown.get("question") and scene["question"]:
                options = scene["question"]["options"]
                key = options[(turn * 7) % len(options)]["key"]
                if scene["question"]["kind"] == "several":
                    key = [one["key"] for one in options[: scene["question"]["low"]]]
                self.hear({"type": "answer", "question": self.shown["question"], "answer": key})
            else:
                assert self.wait is not None, "nobody is asked, and nothing happens by itself"
                self.now += self.wait
                self.take(self.ask("step", room=self.room, now=self.now))


def create(ask: Ask, game: str, *seats: str | None) -> str:
    wanted = {"game": game, "seats": seats, "names": ["Anna", "Ben", "Cleo", "Dora"][: len(seats)]}
    return str(ask("request", path="/api/rooms", body=wanted)["room"])


def test_two_people_and_a_bot_play_at_one_device_with_a_curtain_between_them(ask: Ask) -> None:
    page = Page(ask, create(ask, "parley", None, "random", None))
    page.play()
    assert page.shown["scene"]["is_over"]
    assert page.curtains > 2
    record = ask("request", path=f"/api/rooms/{page.room}/record")
    assert record["game"] == "parley"
    last = ask("request", path=f"/api/rooms/{page.room}/replay/{len(record['answers'])}?language=en")
    assert last["scene"]["is_over"]
    assert ask("request", path="/api/replay", body={"record": record, "step": 0, "language": "en"})["step"] == 0
    page.hear({"type": "rematch"})
    again = Page(ask, page.shown["room"]["rematch"])
    assert [seat["name"] for seat in again.shown["room"]["seats"]] != [
        seat["name"] for seat in page.shown["room"]["seats"]
    ]


def test_a_match_against_a_bot_goes_on_where_it_was_kept(ask: Ask) -> None:
    page = Page(ask, create(ask, "pig", None, "random"))
    page.play(9)
    assert page.curtains == 0
    assert ask("restore", room="other", kept=page.kept) == {
        "entries": len(page.kept["entries"]),
        "of": len(page.kept["entries"]),
    }
    other = Page(ask, "other")
    assert other.shown["scene"] == {**page.shown["scene"], "changes": other.shown["scene"]["changes"]}
    assert ask("kept", room="other") == page.kept
    before = len(page.kept["entries"])
    other.hear({"type": "undo"})
    assert len(other.kept["entries"]) == before + 1
    other.play()
    assert other.shown["scene"]["is_over"]


def test_in_a_match_by_letters_one_seat_is_played_here_and_takes_nothing_back(ask: Ask) -> None:
    page = Page(ask, create(ask, "pig", None, None))
    for nobody in (True, "1", [1], 2, 1.0):
        ask("restore", room="letter", kept=page.kept, own=nobody)
        assert Page(ask, "letter").seat == 0, "this is no seat: both are played here"
    assert ask("restore", room="letter", kept=page.kept, own=1)["of"] == 3
    mine = Page(ask, "letter")
    assert mine.seat == 1 and mine.wait is None and mine.curtains == 0
    assert mine.shown["scene"]["question"] is None, "the other one is asked, elsewhere"
    message = json.dumps({"type": "undo"})
    (refused,) = ask("hear", room="letter", message=message, now=0)["messages"]
    assert json.loads(refused)["code"] == "no-undo"


RACE = """\
edition: 2026
game: catch
players: 2
variables: {caught(player): int}
flow:
  throw:
    repeat: 2
    do: |
      race p in players as order
      if any(order): first(order).caught += 1
scoring: {caught: me.caught}
"""


def sitting(folder: Path) -> Sitting:
    """Two people in front of their first race."""
    (folder / "game.yaml").write_text(RACE, encoding="utf-8")
    game = houserule.load(folder)
    return Sitting.begun("r", RoomSettings("catch", game.rules_hash, (None, None), 1), game, ("Anna", "Ben"))


def test_the_order_of_a_race_follows_from_the_reactions(tmp_path: Path) -> None:
    begun = sitting(tmp_path)
    begun.do(("react", {"seat": 1, "slap": True, "after": 300}))
    begun.do(("react", {"seat": 0, "slap": True, "after": 5000}))
    entries, room = [list(one) for one in begun.entries], begun.room
    for order in (
        [[0, "slap"], [1, "slap"]],
        [[0, "slap"], [1, "pass"]],
        [[1, "slap"], [0, "pass"]],
        [[1, "slap"]],
        [[True, "slap"], [0, "slap"]],
        [[1, "slap"], [False, "slap"]],
    ):
        read, count = Sitting.kept("r", room.settings, [*entries, ["race", {"order": order}]], room.game)
        assert count == len(entries) and read.room.match is not None and not read.room.match.answers
    read, count = Sitting.kept(
        "r", room.settings, [*entries, ["race", {"order": [[1, "slap"], [0, "slap"]]}]], room.game
    )
    assert count == len(entries) + 1 and read.room.match is not None
    assert read.room.match.answers == [("Ben", "slap"), ("Anna", "slap")]


def test_in_a_race_by_letters_who_is_late_lets_only_themselves_pass(tmp_path: Path) -> None:
    begun = sitting(tmp_path)
    for seat in (0, 1):
        here, _ = Sitting.kept("r", begun.room.settings, [list(one) for one in begun.entries], begun.room.game)
        here.own = seat
        here.hear(json.dumps(HELLO), 0)
        begun = here
        here.step(1000 * here.room.settings.race_seconds)
    assert [one[0] for one in begun.entries[3:]] == ["react", "react", "race"]
    with pytest.raises(Unreadable):
        begun.do(("race", {"order": [[0, "slap"], [True, "pass"]]}))


@pytest.mark.parametrize(
    "kept", [[], "x", None, {}, {"settings": 1, "entries": []}, {"settings": {"game": "pig"}, "entries": 3}]
)
def test_what_is_no_room_is_refused(ask: Ask, kept: Any) -> None:
    assert ask("restore", room="x", kept=kept) == "wrong"
    assert ask("hear", room="x", message=json.dumps(HELLO), now=0) == "no-room"
    assert ask("request", path="/api/nothing") == "malformed"
    assert ask("everything") == "wrong"


def test_no_text_of_a_game_turns_what_stands_around_it(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "games" / "pig" / "game.yaml"
    text, found = re.subn(r"^title: .*", r'title: "Pi\\u202Eg"', file.read_text("utf-8"), flags=re.MULTILINE)
    assert found
    file.write_text(text, "utf-8")
    told = ask("request", path="/api/games?language=en"), ask("request", path="/api/games/pig/rules?language=en&with=")
    assert "Pi\ufffdg" in str(told) and "\u202e" not in str(told)


def test_the_pages_of_rooms_are_told_of_games_icons_and_rules(ask: Ask) -> None:
    assert [one["id"] for one in ask("request", path="/api/games?language=de")["games"]] == ["parley", "pig"]
    assert ask("request", path="/api/games/pig/icons")["icons"] == {}
    assert ask("request", path="/api/games/pig/rules?language=de&with=")["language"] == "de"


def test_a_mistake_is_told_with_its_fix_and_a_match_goes_on_by_changed_rules(ask: Ask) -> None:
    files = ask("files", game="pig")
    assert ask("open", files=files) == sorted(files)
    assert ask("use")["game"] == "pig"
    page = Page(ask, create(ask, "pig", None, "random"))
    page.play(6)
    wrong = files["game.yaml"].replace("\nflow:", "\nflwo:")
    ask("edit", name="game.yaml", text=wrong)
    (told, *_) = ask("diagnostics", name="game.yaml", whole=False)["game.yaml"]
    assert told["severity"] == "error" and "flwo" in told["message"] and told["fix"]["text"] == "flow"
    assert ask("use") == "invalid"
    title = files["game.yaml"].split("title:")[1].splitlines()[0]
    ask("edit", name="game.yaml", text=files["game.yaml"].replace(title, " {en: Hog}", 1))
    used = ask("use")
    assert used["title"] == "Hog"
    (kept,) = used["rooms"].values()
    assert kept["answers"] == kept["of"] > 0
    page.hear(HELLO)
    assert page.shown["scene"]["title"] == "Hog"
    studies = [ask("study", matches=20, players=2, engine=engine, csv=True) for engine in ("python", "native")]
    assert studies[0] == studies[1] and studies[0]["matches"] == 20
    head, *lines = csv.reader(studies[0]["csv"].splitlines())
    assert head == ["seed", "answers", "rounds", "won_1", "won_2", "score_1", "score_2"]
    assert len(lines) == 20 and {(int(line[3]), int(line[4])) for line in lines} <= {(1, 0), (0, 1), (1, 1)}
    assert "Hog" in ask("rulebook", language="de")
    assert all(one["passed"] for name in ask("scenarios") for one in ask("scenarios", name=name))
    assert ask("complete", name="game.yaml", line=1, column=1)
    assert ask("tokens", name="game.yaml") and ask("packed")
    assert ask("format", name="game.yaml") is None


def test_answers_that_the_new_rules_do_not_allow_are_left_out(ask: Ask) -> None:
    files = ask("files", game="pig")
    ask("open", files=files)
    ask("use")
    page = Page(ask, create(ask, "pig", None, "random"))
    page.play(12)
    room = page.room
    ask("edit", name="game.yaml", text=files["game.yaml"].replace("1..6", "1..2"))
    kept = ask("use")["rooms"][room]
    assert 0 <= kept["answers"] <= kept["of"]
    Page(ask, room).play()


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"game.yaml": "game: x", "../out.yaml": ""},
        {"game.yaml": "game: x", "/etc/x.yaml": ""},
        {"game.yaml": "game: x", ".hidden/x.yaml": ""},
        {"game.yaml": "game: x", "run.py": ""},
        {"game.yaml": "x" * 2_000_001},
        {"game.yaml": 3},
        [],
        "game.yaml",
        {"game.yaml": "game: x", "a.yaml": "", "a.yaml/b.yaml": ""},
        {"game.yaml": "game: x", **{f"{number}.yaml": "" for number in range(300)}},
    ],
)
def test_files_of_strangers_keep_to_their_folder(ask: Ask, files: Any) -> None:
    with pytest.raises(Unwelcome):
        see_files(files)
    assert ask("open", files=files) == "wrong"
    assert ask("diagnostics", name="game.yaml", whole=True) == "wrong"


def test_a_link_becomes_a_code_as_long_as_it_is_short_enough(ask: Ask) -> None:
    assert ask("code", link="https://example.org/#pig").startswith("<svg")
    assert ask("code", link="x" * 5000) is None
