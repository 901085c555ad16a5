"""What the worker of a page does: it answers questions in JSON about games, rooms on this device, and the files being edited.

Nothing here belongs to a browser: the page's worker calls `Desk.ask`, and so do the tests.
"""

from __future__ import annotations

import io
import json
import re
import secrets
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import houserule
from houserule import Game, InvalidGame, RuleFault, UnknownGame
from houserule.rulebook import LANGUAGES, html, rulebook
from houserule.serve.catalogue import Catalogue, Replays, house_rules_in, icons_shown, rules_shown
from houserule.serve.protocol import Refused, is_number, written
from houserule.serve.room import RoomSettings, Unreadable
from houserule.serve.wishes import settings_of
from houserule.site.playing import Message, Sitting
from houserule.site.project import Project, Unwelcome, files_in, see_files

Asked = Mapping[str, Any]
MOST_MATCHES = 100_000
LONGEST_CODE = 2300
"""The most characters of a link that a QR code can hold and a telephone can read."""
RECORD = re.compile(r"/api/rooms/([^/]+)/record")
REPLAY = re.compile(r"/api/rooms/([^/]+)/replay/([0-9]{1,9})")
OF_GAME = re.compile(r"/api/games/([^/]+)/(icons|rules)")


OF_PROJECT = {
    "edit": ("put", "name", "text"),
    "drop": ("drop", "name"),
    "diagnostics": ("diagnostics", "name", "whole"),
    "complete": ("completions", "name", "line", "column"),
    "hover": ("hover", "name", "line", "column"),
    "tokens": ("tokens", "name"),
    "definition": ("definition", "name", "line", "column"),
    "format": ("formatted", "name"),
}
"""The questions that the edited game answers: its method, and what that is given."""


class Desk:
    """The games of a site in a folder, the rooms of one page, and the game that is edited in it."""

    def __init__(self, games: str | Path, work: str | Path) -> None:
        self.work = Path(work)
        self.catalogue = Catalogue({file.parent.name: file.parent for file in sorted(Path(games).glob("*/game.yaml"))})
        self.games = self.catalogue
        self.project: Project | None = None
        self.rooms: dict[str, Sitting] = {}
        self.replays = Replays()

    def ask(self, text: str) -> str:
        """The answer to a question, both in JSON: `ok` and what was found, or a code and a sentence."""
        asked = json.loads(text)
        try:
            return json.dumps({"ok": True, "found": self.answer(asked)}, ensure_ascii=False)
        except Refused as refused:
            return json.dumps({"ok": False, "found": refused.to_json()}, ensure_ascii=False)
        except InvalidGame as wrong:
            said = "\n".join(str(one.message) for one in wrong.diagnostics[:3])
            return json.dumps({"ok": False, "found": {"code": "invalid", "sentence": said}}, ensure_ascii=False)
        except (Unwelcome, Unreadable, UnknownGame, RuleFault, ValueError) as wrong:
            return json.dumps({"ok": False, "found": {"code": "wrong", "sentence": str(wrong)}}, ensure_ascii=False)

    def answer(self, asked: Asked) -> Any:
        """What is found. Raises Unwelcome if there is no such question, and what the answer raises."""
        name = asked["do"]
        if name in OF_PROJECT:
            method, *given = OF_PROJECT[name]
            return getattr(self.opened, method)(*(asked[one] for one in given))
        answer = getattr(self, f"do_{name}", None)
        if answer is None:
            raise Unwelcome(f"there is no question '{name}'")
        return answer(asked)

    # --- what the pages of rooms ask for ------------------------------------------------------------------------------

    def do_request(self, asked: Asked) -> Any:
        """What a server would answer to a request of these pages, as it would write it."""
        return json.loads(written(self.requested(asked)))

    def requested(self, asked: Asked) -> Any:
        address = urlsplit(str(asked["path"]))
        query = {name: values[-1] for name, values in parse_qs(address.query).items()}
        language = query.get("language", "en")
        body: Any = asked.get("body")
        if address.path == "/api/games":
            return self.catalogue.offered(language)
        if address.path == "/api/rooms":
            return {"rooms": []} if body is None else {"room": self.create(body)}
        if address.path == "/api/replay":
            step, spoken = int(body["step"]), str(body["language"])
            return self.replays.step_of_record(self.catalogue, body["record"], step, spoken)
        if found := OF_GAME.fullmatch(address.path):
            return self.about(unquote(found[1]), found[2], query)
        if found := RECORD.fullmatch(address.path):
            return self.room(unquote(found[1])).room.finished().record.to_json()
        if found := REPLAY.fullmatch(address.path):
            return self.replays.step(self.room(unquote(found[1])).room.finished(), int(found[2]), language)
        raise Refused("malformed")

    def about(self, id: str, what: str, query: Mapping[str, str]) -> dict[str, Any]:
        """The icons or the rules of a game."""
        if what == "icons":
            return icons_shown(self.catalogue.game(id))
        return rules_shown(self.catalogue.game(id, house_rules_in(query)), query.get("language", "en"))

    def create(self, wanted: Any) -> str:
        """A new room in which everybody sits, and its match has begun; returns its id. Raises Refused."""
        if not isinstance(wanted, dict):
            raise Refused("malformed")
        names = [str(name) for name in wanted.get("names", ())]
        settings = settings_of(self.catalogue, {key: value for key, value in wanted.items() if key != "names"}, None)
        return self.begin(settings, names)

    def begin(self, settings: RoomSettings, names: list[str]) -> str:
        id = secrets.token_urlsafe(9)
        self.rooms[id] = Sitting.begun(id, settings, self.game_of(settings), names)
        return id

    def game_of(self, settings: RoomSettings) -> Game:
        return self.catalogue.game(settings.game, settings.house_rules, settings.options)

    def room(self, id: str) -> Sitting:
        if id not in self.rooms:
            raise Refused("no-room")
        return self.rooms[id]

    # --- rooms --------------------------------------------------------------------------------------------------------

    def do_hear(self, asked: Asked) -> Any:
        """The message of a room's page."""
        room = self.room(asked["room"])
        if json.loads(asked["message"]).get("type") == "rematch":
            self.rematch(room)
            return self.told(room, room.news(asked["now"]))
        return self.told(room, room.hear(asked["message"], asked["now"]))

    def do_step(self, asked: Asked) -> Any:
        """The next thing that happens in a room by itself."""
        room = self.room(asked["room"])
        return self.told(room, room.step(asked["now"]))

    def told(self, room: Sitting, messages: list[Message]) -> dict[str, Any]:
        asked = bool(room.asked()) or (room.room.match is not None and room.room.match.is_over)
        return {"messages": list(map(written, messages)), "wait": room.wait(), "kept": room.to_json(), "asked": asked}

    def rematch(self, old: Sitting) -> None:
        """Begin a match with the people of the last one, each one seat further."""
        old.room.see("rematch", {})
        new, seats = old.room.another(secrets.randbelow(2**53), is_seed_chosen=False)
        old.do(old.room.decided("rematch", room=self.begin(new, [seat.name for seat in seats])))

    def do_kept(self, asked: Asked) -> Any:
        """All that has to be kept of a room."""
        return self.room(asked["room"]).to_json()

    def do_restore(self, asked: Asked) -> Any:
        """A room from what the page has kept: how many of its entries the rules still allow."""
        kept = asked["kept"]
        settings = RoomSettings.from_json(kept.get("settings") if isinstance(kept, dict) else None)
        room, count = Sitting.kept(asked["room"], settings, kept.get("entries"), self.game_of(settings))
        self.rooms[asked["room"]] = room
        own = asked.get("own")
        room.own = own if is_number(own) and own in room.room.persons else None
        room.room.tells_why = room.own is None
        return {"entries": count, "of": len(kept["entries"])}

    # --- the game that is edited --------------------------------------------------------------------------------------

    def do_files(self, asked: Asked) -> Any:
        """The files of a game of the site."""
        folder = self.games.folders.get(str(asked["game"]))
        if folder is None:
            raise Refused("game")
        return files_in(folder)

    def do_open(self, asked: Asked) -> Any:
        """Edit these files. Raises Unwelcome."""
        see_files(asked["files"])
        shutil.rmtree(self.work, ignore_errors=True)
        named = re.search(r"(?m)^game: *[\"']?([\w-]{1,60})", asked["files"]["game.yaml"])
        self.project = Project(self.work / (named[1] if named else "game"), asked["files"])
        self.rooms.clear()
        return sorted(self.project.files())

    @property
    def opened(self) -> Project:
        if self.project is None:
            raise Unwelcome("no game is open")
        return self.project

    def do_scenarios(self, asked: Asked) -> Any:
        """The results of all scenarios, or of one file; without a name, the names of the files."""
        return self.opened.scenarios([asked["name"]]) if "name" in asked else self.opened.scenario_files()

    def do_packed(self, asked: Asked) -> Any:
        return self.opened.packed(str(asked.get("title", "game")))

    def do_use(self, _: Asked) -> Any:
        """Play by the rules as they are now. Matches go on as far as these allow. Raises InvalidGame."""
        game = self.opened.game()
        self.catalogue = Catalogue({game.id: self.opened.folder})
        kept = {}
        for id, room in list(self.rooms.items()):
            before = room.room.settings
            house_rules = tuple(name for name in before.house_rules if name in game.house_rules)
            options = {name: value for name, value in before.options.items() if name in game.defaults}
            settings = replace(before, game=game.id, house_rules=house_rules, options=options)
            self.rooms[id], count = Sitting.kept(id, settings, room.entries, self.game_of(settings))
            self.rooms[id].language, self.rooms[id].viewer = room.language, room.viewer
            kept[id] = {"answers": answers_in(room.entries[:count]), "of": answers_in(room.entries)}
        return {
            "game": game.id,
            "title": game.title("en"),
            "players": [game.players[0], game.players[-1]],
            "house_rules": game.titles_of_house_rules("en"),
            "rooms": kept,
        }

    def do_rulebook(self, asked: Asked) -> Any:
        """The rulebook as a page, in a language with a phrase book."""
        language = asked["language"] if asked["language"] in LANGUAGES else "en"
        return html(rulebook(self.opened.game(asked.get("with", ())), language))

    def do_study(self, asked: Asked) -> Any:
        """The figures of many matches between bots, and with `csv` the matches themselves, a line for each."""
        game = self.opened.game(asked.get("with", ()))
        matches = min(int(asked["matches"]), MOST_MATCHES)
        players, seats = asked.get("players"), str(asked.get("seats", "random"))
        made = houserule.simulate(game, matches, players, seats, int(asked.get("seed", 0)), engine=asked["engine"])
        return made.summary.to_json() | ({"csv": as_csv(made)} if asked.get("csv") else {})

    def do_code(self, asked: Asked) -> Any:
        """A link as a QR code; None if it is too long for one."""
        import segno

        link = str(asked["link"])
        if len(link) > LONGEST_CODE:
            return None
        drawn = io.BytesIO()
        code = segno.make(link, error="l", micro=False)
        code.save(drawn, kind="svg", border=3, light="#fff", xmldecl=False)
        return drawn.getvalue().decode("utf-8")


def as_csv(made: houserule.Study) -> str:
    """A line for each match: its seed, its answers, its rounds, and what each seat has won and scored."""
    columns, players = made.columns, made.plan.players
    seats = range(1, players + 1)
    lines = [["seed", "answers", "rounds", *(f"won_{seat}" for seat in seats), *(f"score_{seat}" for seat in seats)]]
    decisions, rounds, winners, scores = columns.decisions, columns.rounds, columns.winners, columns.scores
    for match in range(len(columns)):
        part = slice(match * players, (match + 1) * players)
        head = (made.plan.seed_of(match), decisions[match], rounds[match])
        won = (winners[match] >> seat & 1 for seat in range(players))
        lines.append([str(one) for one in (*head, *won, *scores[part])])
    return "".join(f"{','.join(line)}\n" for line in lines)


def answers_in(entries: list[Any]) -> int:
    """How many answers there are among entries."""
    return sum(1 for kind, _ in entries if kind in ("answer", "given", "react"))


Asking = Callable[[str], str]


def opened(games: str, work: str) -> Asking:
    """The function that a worker calls with each question."""
    return Desk(games, work).ask
