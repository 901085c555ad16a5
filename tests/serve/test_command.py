"""`houserule serve` as it is typed: what it refuses in a sentence, and a server that is killed and comes back."""

from __future__ import annotations

import contextlib
import json
import socket
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result
from websockets.sync.client import connect
from websockets.typing import Origin

from houserule.cli.application import application
from houserule.serve.protocol import VERSION
from tests.serve.conftest import PARLEY
from tests.serve.served import Served, served


def houserule(*words: str) -> Result:
    return CliRunner().invoke(application, ["serve", *words])


def test_what_is_missing_is_said_with_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith(("houserule.serve", "uvicorn"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    result = houserule()
    assert result.exit_code == 2
    assert "uvicorn" in result.output
    assert "pip install 'houserule[serve]'" in result.output


def test_a_database_that_cannot_be_used_is_said_in_a_sentence(tmp_path: Path) -> None:
    result = houserule(str(PARLEY), "--port", "0", "--database", f"sqlite:///{tmp_path / 'no' / 'rooms'}")
    assert result.exit_code == 2
    assert "the database cannot be used" in result.output


def test_an_address_that_is_taken_is_said_in_a_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = houserule(
            str(PARLEY), "--host", "127.0.0.1", "--port", port, "--database", f"sqlite:///{tmp_path / 'r'}"
        )
    assert result.exit_code == 1
    assert f"nobody can be served at 127.0.0.1:{port}" in result.output


def test_two_games_of_one_id_are_refused(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text((PARLEY / "game.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    result = houserule(str(PARLEY), str(tmp_path))
    assert result.exit_code == 2
    assert "two games called 'parley'" in result.output


class Wire:
    """A page at a server in another process."""

    def __init__(self, house: Served, room: str, token: str | None = None) -> None:
        address = f"{house.address}/api/rooms/{room}/line".replace("http", "ws", 1)
        self.opened = contextlib.ExitStack()
        self.connection = self.opened.enter_context(connect(address, origin=Origin(house.address)))
        self.say("hello", version=VERSION, token=token, language="en")

    def say(self, type: str, **rest: object) -> None:
        self.connection.send(json.dumps({"type": type, **rest}))

    def until(self, *types: str) -> dict[str, object]:
        while True:
            message: dict[str, object] = json.loads(self.connection.recv(timeout=30))
            if message["type"] in types:
                return message


def test_a_server_that_is_killed_comes_back_with_every_answer_once(tmp_path: Path) -> None:
    """Ann answers, and the server is killed as soon as it has said that it has the answer."""
    with served(tmp_path, str(PARLEY)) as house:
        room = house.create(game="parley", seats=[None, "first"], options={"rounds": 9})
        page = Wire(house, room)
        page.say("claim", seat=0, name="Ann")
        token = str(page.until("seated")["token"])
        page.say("start")
        for answered, kill in enumerate((False, True, True)):
            message: dict[str, object] = {}
            while not isinstance(message.get("scene"), dict) or not message.get("question"):
                message = page.until("room")
            scene = message["scene"]
            assert isinstance(scene, dict)
            assert message["question"] == f"0.{answered}"
            key = scene["question"]["options"][0]["key"]
            page.say("answer", question=message["question"], answer=key)
            assert page.until("accepted", "refused")["type"] == "accepted"
            if kill:
                page.opened.close()
                house.kill()
                house.start()
                page = Wire(house, room, token)
                page.say("answer", question=message["question"], answer=key)
                assert page.until("accepted", "refused")["code"] == "late"
        page.opened.close()
