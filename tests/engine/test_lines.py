"""The engine plays matches over lines of JSON, and refuses what it cannot do without changing anything."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from houserule.engine import lines
from houserule.engine.lines import Engine

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "schema" / "engine.schema.json").read_text(encoding="utf-8"))
RESPONSES = jsonschema.Draft202012Validator(SCHEMA)
VIEWS = jsonschema.Draft202012Validator(json.loads((ROOT / "schema" / "view.schema.json").read_text(encoding="utf-8")))


class Client:
    def __init__(self) -> None:
        self.engine = Engine()

    def response(self, line: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(json.dumps(self.engine.line(line)))
        RESPONSES.validate(found)
        return found

    def ask(self, command: str, **keys: Any) -> Any:
        found = self.response(json.dumps({"id": 7, "do": command, **keys}))
        assert found["id"] == 7 and found["ok"], found
        return found["result"]

    def refused(self, command: str, **keys: Any) -> str:
        found = self.response(json.dumps({"do": command, **keys}))
        assert not found["ok"] and found["error"]["message"], found
        return str(found["error"]["code"])


@pytest.fixture
def client() -> Client:
    return Client()


def begun(client: Client, game: str = "tic_tac_toe", **keys: Any) -> str:
    return str(client.ask("new", game=client.ask("load", game=game)["game"], seed=1, **keys)["match"])


def test_a_match_is_played_looked_at_copied_and_taken_back(client: Client) -> None:
    match = begun(client, players=["Ann", "Ben"])
    asked = client.ask("options", match=match, player="Ann")
    assert asked["numbers"] == list(range(9)) and asked["options"][4]["key"] == "square_2_2"
    standing = client.ask("answer", match=match, player="Ann", answer="square_2_2")
    assert standing["answers"] == 1 and standing["asked"][0]["player"] == "Ben"
    other = client.ask("copy", match=match)["match"]
    assert client.ask("answer", match=other, player=1, numbers=[0])["answers"] == 2
    view = client.ask("view", match=match, player="Ben")
    VIEWS.validate(view)
    assert view["question"]["player"] == "Ben" and client.ask("view", match=match)["question"] is None
    assert client.ask("undo", match=match)["answers"] == 0
    assert client.ask("record", match=other)["record"]["answers"] == [["Ann", "square_2_2"], ["Ben", "square_1_1"]]
    assert client.ask("events", match=other, player="Ann", since=0)["events"]
    client.ask("close", match=other)
    assert client.refused("status", match=other) == "unknown_handle"


def test_a_player_imagines_a_match_and_sees_no_more(client: Client) -> None:
    match = begun(client, "kuhn_poker", players=2)
    imagined = client.ask("imagine", match=match, player=0, seed=3)["match"]
    assert client.ask("view", match=imagined, player=0) == client.ask("view", match=match, player=0)
    assert client.refused("undo", match=imagined) == client.refused("record", match=imagined) == "bad_request"
    observed = client.ask("observe", match=match, player=0)["observation"]
    spaces = client.ask("spaces", game="g1", players=2)
    assert len(observed) == len(spaces["observation"]) and spaces["actions"][0] == "What do you do? Check"
    hidden = [zone for zone in client.ask("view", match=match)["zones"] if zone["name"] == "hand"]
    assert all(piece["id"] is None for zone in hidden for piece in zone["pieces"])
    seen = client.ask("view", match=match, all=True)["zones"]
    assert all(piece["id"] for zone in seen for piece in zone["pieces"])


def test_a_whole_number_may_be_written_with_a_point(client: Client) -> None:
    """JSON has one sort of number, and so has its schema."""
    match = begun(client)
    made = client.response('{"do": "new", "game": "g1", "players": 2.0, "seed": 5e0}')["result"]["match"]
    assert client.ask("record", match=made)["record"]["seed"] == 5
    for command, keys in (
        ("options", {"player": 0.0, "most": 3.0}),
        ("events", {"since": 1.0}),
        ("undo", {"answers": -0.0}),
    ):
        assert client.response(json.dumps({"do": command, "match": match, **keys}))["id"] is None
    assert client.response('{"do": "new", "game": "g1", "players": 1e400}')["error"]["code"] == "bad_request"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"do": "load", "game": "\xfc"}', "is not UTF-8"),
        ('{"do": "hello"}'.encode("utf-16"), "is not UTF-8"),
        (b"{", "is not JSON: Expecting property name"),
        (b"[" * 100_000, "brackets that go on too long"),
        (b'{"id": ' + b"1" * 10_000 + b"}", "a number or brackets that go on too long"),
    ],
)
def test_a_line_that_cannot_be_read_is_told_in_words_of_its_own(client: Client, line: bytes, said: str) -> None:
    refused = client.engine.line(line)["error"]
    assert refused["code"] == "not_json" and said in refused["message"]


def test_bad_input_gets_an_error_and_changes_nothing(client: Client) -> None:
    match = begun(client)
    before = client.ask("view", match=match, all=True)
    lines_ = ["", "{", "[]", "null", '{"do": 3}', '{"do": "dance"}', "[" * 100_000, '{"do": "new", "game": {}}']
    assert [client.response(line)["error"]["code"] for line in lines_] == [
        "not_json", "not_json", "bad_request", "bad_request", "unknown_command", "unknown_command", "not_json", "bad_request",
    ]  # fmt: skip
    for command, code, keys in [
        ("answer", "illegal_answer", {"match": match, "player": 0, "answer": "square_9_9"}),
        ("answer", "illegal_answer", {"match": match, "player": 0, "numbers": [99]}),
        ("answer", "illegal_answer", {"match": match, "player": 0, "numbers": [1, 1]}),
        ("answer", "bad_request", {"match": match, "player": 0}),
        ("answer", "bad_request", {"match": match, "player": 0, "answer": "x", "numbers": [1]}),
        ("answer", "not_asked", {"match": match, "player": 1, "answer": "square_1_1"}),
        ("answer", "unknown_player", {"match": match, "player": "Zoe", "answer": "square_1_1"}),
        ("view", "unknown_player", {"match": match, "player": 99}),
        ("view", "bad_request", {"match": match, "colour": "red"}),
        ("undo", "bad_request", {"match": match, "answers": 5}),
        ("options", "not_asked", {"match": match, "player": 1}),
        ("new", "unknown_handle", {"game": "g99"}),
        ("new", "bad_request", {"game": "g1", "players": 9}),
        ("new", "bad_request", {"game": "g1", "language": "xx"}),
        ("new", "bad_request", {"game": "g1", "players": ["A", "A"]}),
        ("load", "unknown_game", {"game": "no_such_game"}),
        ("load", "bad_request", {"game": "x" * 5_000}),
        ("load", "invalid_game", {"game": "pig", "options": {"no_such": 1}}),
    ]:
        assert client.refused(command, **keys) == code, (command, keys)
    assert client.ask("view", match=match, all=True) == before


def test_lines_go_in_and_out_and_long_ones_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LONGEST", 200)
    out = io.BytesIO()
    lines.serve(io.BytesIO(b'{"do": "hello"}\n\n' + b"x" * 999 + b'\n{"do": "quit"}\n{"do": "hello"}\n'), out)
    found = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [one["ok"] for one in found] == [True, False, True] and found[0]["result"]["protocol"] == 1
    assert found[1]["error"] == {"code": "bad_request", "message": "a line has at most one megabyte"}


def test_handles_are_limited(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MOST_MATCHES", 2)
    match = begun(client, "pig")
    client.ask("copy", match=match)
    assert client.refused("copy", match=match) == client.refused("imagine", match=match, player=0, seed=1) == "too_many"


def test_the_page_has_all_commands_and_codes() -> None:
    page = (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
    codes = SCHEMA["properties"]["error"]["properties"]["code"]["enum"]
    assert listed[1:] == [*SCHEMA["$defs"]["requests"]["properties"], *codes]


def test_a_client_in_javascript_plays_a_match() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    client = ROOT / "docs" / "engine.mjs"
    assert len(client.read_text(encoding="utf-8").splitlines()) <= 50
    command = [node, str(client), "nim", sys.executable, "-m", "houserule"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    refused, ended = done.stdout.splitlines()
    assert refused == "illegal_answer" and json.loads(ended)["ending"] == "win"
