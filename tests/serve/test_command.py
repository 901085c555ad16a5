"""`houserule serve` as it is typed: what it refuses in a sentence, and a server that is killed and comes back."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from houserule.cli.application import application
from houserule.cli.serve import addresses_of, loose_rules
from houserule.serve.catalogue import Catalogue
from houserule.serve.protocol import Refused
from tests.serve.conftest import PARLEY
from tests.serve.served import Wire, served


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
    assert f"cannot listen at 127.0.0.1:{port}" in result.output
    assert "--port 0 takes any free port" in result.output
    result = houserule(str(PARLEY), "--host", "nowhere.invalid", "--database", f"sqlite:///{tmp_path / 'r'}")
    assert result.exit_code == 1
    assert "cannot listen at nowhere.invalid:8000" in result.output and "--port" not in result.output


def test_an_address_of_a_proxy_is_one_that_browsers_name() -> None:
    result = houserule(str(PARLEY), "--port", "0", "--origin", "games.example")
    assert result.exit_code == 2
    assert "--origin expects an address with https://, but got 'games.example'" in result.output
    assert addresses_of(["https://games.example/", "http://localhost:8080"]) == [
        "https://games.example",
        "http://localhost:8080",
    ]


def test_a_file_belongs_to_one_server(tmp_path: Path) -> None:
    with served(tmp_path, str(PARLEY)) as house:
        result = houserule(str(PARLEY), "--port", "0", "--database", house.database)
    assert result.exit_code == 2
    assert f"another server keeps its rooms in '{tmp_path / 'rooms.sqlite'}'" in result.output


def test_two_games_of_one_id_are_refused(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text((PARLEY / "game.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    result = houserule(str(PARLEY), str(tmp_path))
    assert result.exit_code == 2
    assert "two games called 'parley'" in result.output


def test_house_rules_outside_of_a_game_can_be_chosen_in_rooms(tmp_path: Path) -> None:
    file = tmp_path / "long.yaml"
    file.write_text("variant: long\nof: parley\ntitle: {en: Long}\nplayers: 2..3\noptions: {rounds: 4}\n")
    assert loose_rules([str(file)], {"parley": PARLEY}) == {"parley": {"long": file}}
    catalogue = Catalogue({"parley": PARLEY}, {"parley": {"long": file}})
    (parley,) = catalogue.offered("en")["games"]
    assert parley["house_rules"] == [{"id": "long", "title": "Long", "players": (2, 3)}]
    game = catalogue.game("parley", ["long"])
    assert game.players == range(2, 4) and game.titles_of_house_rules()["long"] == "Long"
    assert game.settings["rounds"] == 4
    with pytest.raises(Refused):
        catalogue.game("parley", [str(file)])
    for words, said in (
        ((str(PARLEY), "--with", str(PARLEY / "game.yaml")), "is not a house rule"),
        (("nim", "--with", str(file)), "is for 'parley', which is not served"),
    ):
        result = houserule(*words)
        assert result.exit_code == 2 and said in result.output


def test_a_server_that_is_killed_comes_back_with_every_answer_once(tmp_path: Path) -> None:
    """Ann answers, and the server is killed as soon as it has said that it has the answer."""
    with served(tmp_path, str(PARLEY)) as house:
        room = house.create(game="parley", seats=[None, "first"], options={"rounds": 9})
        page = Wire(house, room)
        page.say("claim", seat=0, name="Ann")
        token = str(page.until("seated")["token"])
        page.say("start")
        for answered, kill in enumerate((False, True, True)):
            page.asked()
            assert page.shown["question"] == f"0.{answered}"
            key = page.answer()
            if kill:
                page.opened.close()
                house.kill()
                house.start()
                page = Wire(house, room, token)
                page.say("answer", question=f"0.{answered}", answer=key)
                assert page.until("accepted", "refused")["code"] == "late"
        page.opened.close()


def test_a_bot_that_thinks_does_so_in_another_process(tmp_path: Path) -> None:
    with served(tmp_path, str(PARLEY)) as house:
        room = house.create(game="parley", seats=[None, "greedy"], options={"rounds": 1})
        page = Wire(house, room)
        page.say("claim", seat=0, name="Ann")
        page.until("seated")
        page.say("start")
        page.answer()
        page.answer()
        page.answer(1)
        assert page.scene(lambda scene: scene["is_over"])["winners"] == [0]
        page.opened.close()
