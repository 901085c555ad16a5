"""Records: a match is saved, loaded and played again; what is no record, or not of these rules, says so."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import houserule
from houserule import Game, InvalidRecord, Match, Record, replay


@pytest.fixture
def played(match: Match) -> Match:
    """A match that has gone on for a while and is not over."""
    for answer in ("Draw", "Bet", "4", "swap", "true", "Discard {n} cards"):
        match.answer(match.pending[0].player, answer)
    match.answer(match.pending[0].player, match.pending[0].options[4])
    match.answer(match.pending[0].player, "Race")
    match.answer("Cid", "slap")
    return match


def test_a_record_is_saved_and_loaded_as_it_was(played: Match, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    played.record.save(file)
    assert Record.load(file) == played.record
    assert [path.name for path in tmp_path.iterdir()] == ["match.json"]


def test_a_record_plays_to_where_it_ends(played: Match, parlour: Game) -> None:
    again = replay(Record.from_json(json.loads(json.dumps(played.record.to_json()))), parlour)
    assert again.view().to_json() == played.view().to_json()
    assert again.events == played.events
    assert [choice.player for choice in again.pending] == [choice.player for choice in played.pending]
    assert again.record == played.record


def test_a_record_finds_its_game_by_itself(played: Match) -> None:
    assert replay(played.record).record == played.record


def test_a_record_says_who_played_what_with_which_seed(played: Match, parlour: Game) -> None:
    record = played.record
    assert (record.game, record.players, record.seed, record.language) == ("parlour", ["Ann", "Bob", "Cid"], 1, "en")
    assert record.rules == parlour.rules_hash
    assert record.answers[0] == ("Ann", "Draw")


def test_a_record_is_not_touched_by_what_happens_later(played: Match) -> None:
    record = played.record
    before = list(record.answers)
    played.answer("Ann", "slap")
    assert record.answers == before


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"3", b'"record"', b"\xff\xfe", b"{}", b'{"houserule record": 1}', b"[" * 100_000],
)
def test_what_is_no_record_says_so(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "match.json"
    file.write_bytes(content)
    with pytest.raises(InvalidRecord, match="is not the record of a match"):
        Record.load(file)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("answers", 3),
        ("answers", [["Ann"]]),
        ("players", None),
        ("seed", "seven"),
        ("options", 3),
        ("variants", 3),
    ],
)
def test_a_record_with_a_broken_part_says_so(played: Match, key: str, value: object) -> None:
    with pytest.raises(InvalidRecord, match="this is not the record of a match"):
        Record.from_json({**played.record.to_json(), key: value})


def test_a_record_of_another_format_says_which(played: Match) -> None:
    with pytest.raises(InvalidRecord, match="this record has format 4, and 1 to 3 are understood"):
        Record.from_json({**played.record.to_json(), "houserule record": 4})


def test_a_file_that_is_not_there_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"nothing\.json"):
        Record.load(tmp_path / "nothing.json")


def test_other_rules_are_refused(played: Match, tmp_path: Path, parlour: Game) -> None:
    folder = tmp_path / "parlour"
    shutil.copytree(parlour.path, folder)
    same = houserule.load(folder)
    assert replay(played.record, same).events == played.events
    file = folder / "game.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("points: 3", "points: 4"), encoding="utf-8")
    with pytest.raises(InvalidRecord, match="the rules of 'parlour' have changed since this record was made"):
        replay(played.record, houserule.load(folder))


def test_options_are_part_of_the_rules(parlour: Game) -> None:
    large = houserule.load(parlour.path, options={"hand_size": 4})
    match = large.start(2, seed=3)
    assert match.record.options == {"hand_size": 4}
    assert match.record.rules != parlour.rules_hash
    assert replay(match.record).view().zone("Hand of Player 1").amount == 4
    with pytest.raises(InvalidRecord, match="of other rules: 'hand_size' was 4, and is 3"):
        replay(match.record, parlour)


def test_an_answer_that_cannot_be_given_is_said_with_its_number(played: Match) -> None:
    record = played.record
    record.answers[1] = ("Bob", "Dance")
    with pytest.raises(
        InvalidRecord, match="answer 2 of the record cannot be given: 'Dance' is not among the options of Bob"
    ):
        replay(record)


def test_a_record_saved_by_the_first_version_still_replays(parlour: Game) -> None:
    match = replay(Record.load(Path(__file__).with_name("parlour_2026.json")), parlour)
    assert match.is_over
    assert list(match.scores.values()) == [11, 12, 1]


def test_a_record_that_names_pieces_as_they_lie_replays_as_it_was_played(parlour: Game) -> None:
    match = replay(Record.load(Path(__file__).with_name("parlour_2026.json")), parlour)
    assert not match.mixes
    again = Record.from_json(match.record.to_json())
    assert replay(again, parlour).events == match.events


LAST_LEAVES = Path(__file__).with_name("last_leaves")


def test_a_record_in_which_empty_hands_were_asked_still_replays() -> None:
    record = Record.load(LAST_LEAVES.with_name("last_leaves_2026.json"))
    match = replay(record)
    assert match.is_over
    assert match.answers == record.answers
    assert match.record.format == record.format
    assert replay(match.record).events == match.events


def test_nobody_is_asked_about_a_hand_that_all_can_see_to_be_empty() -> None:
    game = houserule.load(LAST_LEAVES)
    match = game.start(2, 5)
    while not match.is_over:
        choice = match.pending[0]
        hand = next(z for z in match.view("Player 1").zones if z.name == "hand" and z.owner == choice.player)
        assert hand.amount
        match.answer(choice.player, choice.options[0])
    assert replay(match.record).events == match.events
    assert list(game.random_matches(2, range(20), "python")) == list(game.random_matches(2, range(20), "native"))
