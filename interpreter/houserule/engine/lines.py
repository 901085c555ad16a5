"""The protocol of `houserule engine`: each line of input is a request in JSON, and each line of output is its response.

A request that cannot be met gets an error with a code and a sentence, and changes nothing. `schema/engine.schema.json` describes
requests and responses; a request is checked with it before anything is done.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, BinaryIO

import houserule
from houserule import Game, InvalidGame, Match, RuleFault, UnknownGame
from houserule.bundled import bundled
from houserule.printable import printable
from houserule.reading import own

PROTOCOL = 1
"""The version of the protocol. A new command, and a new key of a response, do not change it."""
LONGEST = 1 << 20
"""The longest line of a request, in bytes."""
MOST_GAMES = 100
MOST_MATCHES = 10_000
Request = Mapping[str, Any]


class Refused(Exception):
    """A request that cannot be met: a code for programs, and a sentence."""

    def __init__(self, code: str, message: str, **more: Any) -> None:
        super().__init__(message)
        self.code = code
        self.more = more


@cache
def schema() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(own(bundled("schema") / "engine.schema.json"))
    return found


@cache
def checker(command: str) -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator({**schema()["$defs"]["requests"]["properties"][command], "$defs": schema()["$defs"]})


def number(text: str) -> int | float:
    """A number with a point or an exponent; a whole one is the same as without, as in JSON Schema."""
    value = float(text)
    return int(value) if value.is_integer() else value


class Engine:
    """The games and matches of one client, by handle."""

    def __init__(self) -> None:
        self.games: dict[str, Game] = {}
        self.matches: dict[str, Match] = {}
        self.made = 0
        self.commands: dict[str, Callable[[Request], dict[str, Any]]] = {
            name: getattr(self, f"do_{name}") for name in schema()["$defs"]["requests"]["properties"]
        }

    # --- lines --------------------------------------------------------------------------------------------------------------

    def line(self, text: bytes | str) -> dict[str, Any]:
        id: Any = None
        try:
            if len(text) > LONGEST:
                raise Refused("bad_request", "a line has at most one megabyte")
            try:
                request = json.loads(text if isinstance(text, str) else text.decode("utf-8-sig"), parse_float=number)
            except UnicodeDecodeError as wrong:
                raise Refused("not_json", "this line is not UTF-8") from wrong
            except json.JSONDecodeError as wrong:
                raise Refused("not_json", f"this line is not JSON: {wrong}") from wrong
            except (ValueError, RecursionError) as wrong:
                raise Refused("not_json", "this line has a number or brackets that go on too long") from wrong
            if not isinstance(request, dict):
                raise Refused("bad_request", "a request is an object")
            id = request.get("id")
            if not isinstance(id, int | str | None):
                id = None
            return {"id": id, "ok": True, "result": self.done(request)}
        except Refused as refused:
            return {"id": id, "ok": False, "error": {"code": refused.code, "message": str(refused), **refused.more}}

    def done(self, request: Request) -> dict[str, Any]:
        """Do what a request says. Raises Refused."""
        command = request.get("do")
        if not isinstance(command, str) or command not in self.commands:
            raise Refused("unknown_command", f"'do' is one of {', '.join(self.commands)}")
        wrong = next(
            iter(sorted(checker(command).iter_errors(request), key=lambda one: list(map(str, one.path)))), None
        )
        if wrong is not None:
            place = "".join(f" {part}" for part in wrong.absolute_path)
            raise Refused("bad_request", f"'{command}'{place}: {shortened(wrong.message)}")
        try:
            return self.commands[command](request)
        except RuleFault as fault:
            raise Refused("rule_fault", str(fault)) from fault
        except houserule.IllegalAnswer as illegal:
            raise Refused("illegal_answer", shortened(str(illegal))) from illegal
        except LookupError as nobody:
            raise Refused("unknown_player", str(nobody.args[0] if nobody.args else nobody)) from nobody
        except ValueError as wrong_value:
            raise Refused("bad_request", shortened(str(wrong_value))) from wrong_value
        except OSError as unreadable:
            raise Refused(
                "bad_request", f"a file cannot be read: {unreadable.strerror or 'it is too large'}"
            ) from unreadable

    def game(self, request: Request) -> Game:
        if request["game"] not in self.games:
            raise Refused("unknown_handle", f"no game is loaded as '{request['game']}'")
        return self.games[request["game"]]

    def match(self, request: Request) -> Match:
        if request["match"] not in self.matches:
            raise Refused("unknown_handle", f"there is no match '{request['match']}'")
        return self.matches[request["match"]]

    def kept(self, match: Match) -> dict[str, Any]:
        """Keep a match, and say how it stands."""
        if len(self.matches) >= MOST_MATCHES:
            raise Refused("too_many", f"{MOST_MATCHES} matches are kept: close some")
        self.made += 1
        name = f"m{self.made}"
        self.matches[name] = match
        return standing(name, match)

    # --- commands -----------------------------------------------------------------------------------------------------------

    def do_hello(self, _: Request) -> dict[str, Any]:
        return {"protocol": PROTOCOL, "version": houserule.__version__, "commands": list(self.commands)}

    def do_games(self, _: Request) -> dict[str, Any]:
        return {"games": houserule.games()}

    def do_load(self, request: Request) -> dict[str, Any]:
        if len(self.games) >= MOST_GAMES:
            raise Refused("too_many", f"{MOST_GAMES} games are loaded: close some")
        try:
            game = houserule.load(request["game"], request.get("variants", ()), request.get("options"))
        except UnknownGame as unknown:
            raise Refused("unknown_game", str(unknown)) from unknown
        except InvalidGame as invalid:
            found = [f"{one.code}: {printable(one.message)}" for one in invalid.diagnostics]
            raise Refused(
                "invalid_game", found[0] if found else "these rules cannot be played", diagnostics=found
            ) from invalid
        self.made += 1
        name = f"g{self.made}"
        self.games[name] = game
        return {
            "game": name,
            "id": game.id,
            "title": game.title(),
            "rules": game.rules_hash,
            "players": [game.players[0], game.players[-1]],
            "languages": game.languages,
            "options": game.defaults,
            "variants": game.house_rules,
        }

    def do_new(self, request: Request) -> dict[str, Any]:
        game = self.game(request)
        language = request.get("language", "en")
        if language not in ("en", *game.languages):
            raise Refused("bad_request", f"'{game.id}' does not speak '{language}'")
        return self.kept(game.start(request.get("players"), request.get("seed"), language))

    def do_status(self, request: Request) -> dict[str, Any]:
        return standing(request["match"], self.match(request))

    def do_view(self, request: Request) -> dict[str, Any]:
        match = self.match(request)
        return match.view(None if request.get("all") else request.get("player", houserule.SPECTATOR)).to_dict()

    def do_events(self, request: Request) -> dict[str, Any]:
        found = self.match(request).events_since(request.get("since", 0), request.get("player", houserule.SPECTATOR))
        return {"events": [event.text for event in found]}

    def do_options(self, request: Request) -> dict[str, Any]:
        match = self.match(request)
        seat = match.seat(request["player"])
        choice = next((one for one in match.pending if one.seat == seat), None)
        if choice is None:
            raise Refused("not_asked", f"{match.players[seat]} is not asked anything now")
        return choice.to_dict(request.get("most", 1000)) | {
            "numbers": numbers(match).legal(match, seat, request.get("taken", []))
        }

    def do_answer(self, request: Request) -> dict[str, Any]:
        match, player = self.match(request), request["player"]
        seat = match.seat(player)
        if seat not in [choice.seat for choice in match.pending]:
            raise Refused(
                "not_asked",
                "the match is over" if match.is_over else f"{match.players[seat]} is not asked anything now",
            )
        if "numbers" in request:
            try:
                answer = numbers(match).option(match, seat, *request["numbers"])
            except ValueError as illegal:
                raise Refused("illegal_answer", shortened(str(illegal))) from illegal
        else:
            answer = request["answer"]
        match.answer(seat, answer)
        return standing(request["match"], match)

    def do_undo(self, request: Request) -> dict[str, Any]:
        match = self.match(request)
        match.undo(request.get("answers", 1))
        return standing(request["match"], match)

    def do_copy(self, request: Request) -> dict[str, Any]:
        return self.kept(self.match(request).copy(request.get("seed")))

    def do_imagine(self, request: Request) -> dict[str, Any]:
        return self.kept(self.match(request).imagine(request["player"], request["seed"]))

    def do_observe(self, request: Request) -> dict[str, Any]:
        match = self.match(request)
        return {"observation": vectors(match).of(match, request["player"], request.get("taken", []))}

    def do_spaces(self, request: Request) -> dict[str, Any]:
        found = self.game(request).observations(request["players"])
        return {
            "rules": found.rules,
            "actions": found.actions.names,
            "observation": [{"name": one.name, "low": one.low, "high": one.high} for one in found.entries],
        }

    def do_record(self, request: Request) -> dict[str, Any]:
        return {"record": self.match(request).record.to_json()}

    def do_close(self, request: Request) -> dict[str, Any]:
        """Forget a match or a game."""
        if "match" in request:
            self.match(request)
            del self.matches[request["match"]]
        else:
            self.game(request)
            del self.games[request["game"]]
        return {}

    def do_quit(self, _: Request) -> dict[str, Any]:
        return {}


def numbers(match: Match) -> houserule.Actions:
    return vectors(match).actions


def vectors(match: Match) -> houserule.Observations:
    """What its players see in numbers."""
    game: Any = match.game
    found: houserule.Observations = game.observations(len(match.players))
    return found


def standing(name: str, match: Match) -> dict[str, Any]:
    """How a match stands: who is asked what, or how it has ended."""
    return {
        "match": name,
        "players": list(match.players),
        "seed": match.seed,
        "answers": len(match.answers),
        "is_over": match.is_over,
        "ending": match.ending,
        "winners": match.winners,
        "scores": match.scores,
        "asked": [{"player": one.player, "prompt": one.prompt, "options": len(one.single)} for one in match.pending],
    }


def shortened(text: str) -> str:
    return text if len(text) <= 400 else f"{text[:400]}…"


def serve(lines: BinaryIO, out: BinaryIO) -> None:
    """Answer line by line, until `quit` or the end of the input."""
    engine = Engine()
    while line := lines.readline(LONGEST + 1):
        if not line.strip():
            continue
        if len(line) > LONGEST:
            rest = line
            while rest and not rest.endswith(b"\n"):
                rest = lines.readline(LONGEST)
        response = engine.line(line)
        out.write(json.dumps(response, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
        out.flush()
        if response["ok"] and json.loads(line).get("do") == "quit":
            return
