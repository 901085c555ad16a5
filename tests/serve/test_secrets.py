"""What goes to a viewer is a function of what they may see: what is hidden from them changes no byte."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

import houserule
from houserule import SPECTATOR, Match
from houserule.serve.catalogue import Shown, table_shown
from houserule.serve.protocol import Refused, written
from houserule.serve.room import Room, RoomSettings, hash_of
from houserule.serve.storage import Entry
from houserule.trial import worlds
from houserule.trial.unseen import shown_to
from tests.bundled import LARGE, load
from tests.serve.conftest import CATALOGUE, House
from tests.taking_long import but_later


def told(house: House, kept: int) -> dict[str, list[str]]:
    """All that is sent to Ann and to somebody who watches, while Ben keeps one card or another in secret."""
    room, (ann, ben) = house.match("Ann", "Ben", options={"rounds": 1})
    watcher = house.page(room)
    watcher.shows(lambda parts: parts["scene"] is not None)
    before = len(ann.texts), len(watcher.texts)
    ben.answer(kept)
    for page in (ann, watcher):  # what is sent next is the answer to this, so nothing was sent before
        assert page.refused("answer", question="9.9", answer="x") in ("late", "not-seated")
    assert (len(ann.texts), len(watcher.texts)) == before, (
        "others are told nothing of a secret answer, not even that it was given"
    )
    ann.answer()
    ann.answer()
    watcher.shows(lambda parts: parts["scene"]["turn"] == [1])
    return {
        name: [text.replace(room, "ROOM") for text in page.texts] for name, page in (("ann", ann), ("watcher", watcher))
    }


def test_two_matches_that_differ_in_a_secret_answer_send_the_same_bytes(house: House) -> None:
    assert told(house, 0) == told(house, 3)


def begun(undone: int = 0) -> Room:
    """A room in which Ann and Ben keep a card each and Ann shows one."""
    game = CATALOGUE.game("parley")
    room = Room("room", RoomSettings("parley", game.rules_hash, (None, None), 7), game)
    entries = [
        ("claim", {"seat": seat, "name": name, "token": hash_of(name)}) for seat, name in enumerate(("Ann", "Ben"))
    ]
    for kind, content in [*entries, ("start", {})]:
        room.apply(Entry(room.number, kind, content))
    for seat in (0, 1, 0):
        assert room.match is not None
        choice = next(one for one in room.match.pending if one.seat == seat)
        room.apply(Entry(room.number, "answer", {"seat": seat, "key": choice.single[0].key}))
    return room


@pytest.mark.parametrize("language", ["en", "de"])
def test_two_worlds_that_differ_in_what_lies_hidden_send_the_same_bytes(language: str) -> None:
    one, two = begun(), begun()
    assert two.match is not None
    state, names = two.match.state, two.match.players
    zones = {view.title: slot for slot, view in enumerate(two.match.view().zones)}
    deck, hand, secret = zones["Deck"], zones["Hand of Ben"], zones["Secret of Ben"]
    hidden = [*state.z[deck], *state.z[hand], *state.z[secret]]
    others = hidden[::-1]  # every hidden piece lies elsewhere, but for those in the middle
    for slot in (deck, hand, secret):
        state.z[slot][:] = [others.pop(0) for _ in state.z[slot]]
        for piece in state.z[slot]:
            state.w[piece] = slot
    for seat in (0, SPECTATOR):
        first, second = (table_shown(room, seat, language) for room in (one, two))
        assert written(first.since(Shown())) == written(second.since(Shown())), names
    assert table_shown(one, 1, language).parts["scene"] != table_shown(two, 1, language).parts["scene"]


@pytest.mark.parametrize("game", but_later([*LARGE, "hearts"], {"ali_baba", "master_thieves"}))
def test_in_every_game_what_is_hidden_from_a_seat_changes_no_byte_that_it_is_sent(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = load(game)
    players = min(rules.players, key=lambda number: abs(number - 3))
    room = Room("room", RoomSettings(game, rules.rules_hash, (None,) * players, 7), rules)

    def sent(match: Match, seat: int) -> object:
        room.match = match
        return shown_to(match, seat), written(table_shown(room, seat, "de").since(Shown()))

    monkeypatch.setattr(worlds, "shown_to", sent)
    monkeypatch.setattr(worlds, "DRAWN_ANYWAY", 1)
    monkeypatch.setattr(worlds, "ENOUGH", 12)
    monkeypatch.setattr(worlds, "MOST_TRIALS", 3)
    match, random = rules.start(players, seed=6), Random(6)
    for _ in range(40):
        choice = match.pending[0]
        match.answer(choice.player, choice.drawn(random))
    history = worlds.History(match, match.program, range(len(match.players)))
    worlds.compare_worlds(history, Random(2))
    assert history.compared > 0 or game == "rattlebones"  # hides nothing


def test_the_seed_and_the_tokens_never_leave_the_server(house: House) -> None:
    _, (ann, ben) = house.match("Ann", "Ben", seed=123456789)
    for page in (ann, ben):
        page.answer()
    text = "".join(ann.texts + ben.texts)
    assert "123456789" not in text
    assert str(ben.token) not in "".join(ann.texts)
    assert hash_of(str(ben.token)) not in text


def test_a_record_names_no_folder_of_the_server_and_is_opened_there_again(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "rule.yaml"
    file.write_text("variant: long\nof: parley\ntitle: {en: Long}\n", encoding="utf-8")
    monkeypatch.setattr(house.hub.catalogue, "loose", {"parley": {"long": file}})
    room, (ann,) = house.match("Ann", house_rules=["long"], options={"rounds": 1})
    for _ in range(3):
        ann.answer()
    ann.shows(lambda parts: parts["scene"]["is_over"])
    record = house.client.get(f"/api/rooms/{room}/record").json()
    assert (record["game"], record["path"], record["variants"]) == ("parley", None, ["long"])
    assert house.client.post("/api/replay", json={"record": record, "step": 3, "language": "en"}).json()["steps"] == 3


def test_the_database_holds_no_token(house: House, tmp_path: Path) -> None:
    _, (ann,) = house.match("Ann")
    house.hub.store.engine.dispose()
    content = b"".join(file.read_bytes() for file in tmp_path.glob("rooms.sqlite*"))
    assert str(ann.token).encode() not in content
    assert hash_of(str(ann.token)).encode() in content


def told_of_changes(house: House, changes: int) -> list[str]:
    """All that is sent to Ben while Ann keeps a card in secret, having changed her mind so often; and the record."""
    room, (ann, ben) = house.match("Ann", "Ben", options={"rounds": 1})
    for at in range(changes):
        ann.answer(at)
        number = ann.shows(lambda parts: parts["chosen"] is not None)["chosen"]["question"]
        assert number == f"{at}.1"
        ann.send("change", question=number)
        ann.shows(lambda parts: parts["chosen"] is None)
        assert ann.refused("change", question=number) == "late"
        if at == 1:
            ann.send("undo")  # nobody has to agree to what nobody knows of
    if changes > 1:  # the undo came after the last change, when nothing was secret
        assert ann.until("refused")["code"] == "no-undo"
    ann.answer(3)
    assert ben.refused("answer", question="9.9", answer="x") == "late"
    ben.answer()
    for page in (ann, ben):
        page.answer()
    ann.answer(1)
    ben.answer(0)  # who is quicker would depend on the clock, and so would the record
    ben.shows(lambda parts: parts["scene"]["is_over"])
    record = house.client.get(f"/api/rooms/{room}/record").text
    texts = [re.sub('"after":[0-9.]+', "", text.replace(room, "ROOM")) for text in ben.texts]
    return [record, *texts]


def test_nobody_learns_that_a_secret_answer_was_changed_and_the_record_has_the_last_one(house: House) -> None:
    assert told_of_changes(house, 0) == told_of_changes(house, 1) == told_of_changes(house, 2)


def test_a_secret_answer_can_be_changed_after_the_server_was_started_again(house: House) -> None:
    room, (ann, ben) = house.match("Ann", "Ben", options={"rounds": 1})
    ann.answer(0)
    number = ann.answer(1) if ann.parts["question"] else ""
    labels = ann.shows(lambda parts: parts["chosen"] is not None)["chosen"]["labels"]
    tokens = ann.token, ben.token
    house.close()
    house.open()
    ann = house.page(room, tokens[0], "de")
    ben = house.page(room, tokens[1])
    chosen = ann.shows(lambda parts: parts.get("chosen") is not None)["chosen"]
    assert len(chosen["labels"]) == len(labels) == 1 + bool(number)
    ann.send("change", question=chosen["question"])
    ann.shows(lambda parts: parts["chosen"] is None)
    assert ann.answer(2) == "1.0"
    assert ben.shows(lambda parts: parts["scene"] is not None)["chosen"] is None
    assert ben.refused("change", question="0.0") == "late", "who has chosen nothing changes nothing"
    ben.answer()
    assert ann.asked()["prompt"] == "Welche zeigst du?"
    assert ann.refused("change", question=ann.parts["question"]) == "late", "what is revealed stays"


def test_a_request_to_take_an_answer_back_does_not_lapse_by_a_secret_answer(house: House) -> None:
    _, (ann, ben) = house.match("Ann", "Ben")
    for page in (ann, ben):
        page.answer()
    for page in (ann, ben):
        page.answer()
    for page in (ann, ben):
        page.answer(1)
    ann.asked()
    ben.send("undo")
    ann.shows(lambda parts: parts["undo"] is not None)
    ben.answer(0)
    assert ann.refused("answer", question="9.9", answer="x") == "late"
    assert ann.parts["undo"] is not None, "it would tell that Ben has answered"
    ann.send("consent", consents=True)
    ann.shows(lambda parts: parts["undo"] is None)
    assert ben.shows(lambda parts: parts["question"] is not None)["question"] == "1.2"


SECRETLY = """edition: 2026
game: secretly
players: 2
flow:
  first:
    do: |
      as first(players):
        choose x from 0..1 "Begin?"
  secretly:
    together: players
    do: |
      choose x from 0..1 "Which?"
"""


def test_a_refused_request_does_not_tell_who_has_answered_in_secret(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(SECRETLY, encoding="utf-8")
    game = houserule.load(path)
    room = Room("secretly", RoomSettings("secretly", game.rules_hash, (None, None), 1), game)

    def do(decided: tuple[str, Mapping[str, object]]) -> None:
        room.apply(Entry(room.number, *decided))

    for seat in range(2):
        do(room.claim(seat, "AB"[seat], f"token {seat}"))
    do(room.decided("start"))
    do(room.answer(0, room.question(0), "1", "en"))
    do(room.ask_undo(0))
    do(room.decided("consent", seat=1, consents=False))
    do(room.answer(1, room.question(1), "1", "en"))
    with pytest.raises(Refused, match="others have not agreed"):
        room.ask_undo(0)
