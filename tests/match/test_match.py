"""Matches: answers, refusals, faults, copies, the score sheet, and who has won."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import houserule
from houserule import Game, IllegalAnswer, Match, Record, RuleFault
from houserule.table.compose import scene


def everything(match: Match) -> tuple[object, ...]:
    """All that can be seen of a match."""
    choices = [(c.player, c.kind, c.prompt, [o.key for o in c.single]) for c in match.pending]
    return (match.view().to_json(), match.events, match.record, choices, match.scores, match.is_over)


def test_settings_are_what_a_program_calls_them_or_are_refused_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(
        "edition: 2026\ngame: settings\nplayers: 1\nenums: {weather: [sun, rain]}\noptions:\n"
        "  sky: {type: weather or none, default: sun, text: The weather.}\n"
        "  days: {type: 1..6, default: 3, text: How many days.}\n"
        "flow:\n  walk: {repeat: days, do: 'if sky: say \"{sky}\"'}\n",
        encoding="utf-8",
    )
    assert houserule.load(file, options={"sky": None, "days": 2}).settings == {"sky": "none", "days": 2}
    for name, value in (("days", 2.5), ("days", None), ("sky", ["sun"]), ("sky", 3), ("wind", None)):
        with pytest.raises(houserule.InvalidGame, match="HR603"):
            houserule.load(file, options={name: value})  # type: ignore[dict-item]  # what types refuse


# --- answers ----------------------------------------------------------------------------------------------------------


def test_an_answer_is_an_option_a_key_a_label_or_a_value(match: Match) -> None:
    match.answer("Ann", match.pending[0].options[0])
    assert match.pending[0].player == "Bob"
    match.answer("Bob", "Draw")
    match.answer(2, "Draw")  # by the number of the seat
    match.answer("Ann", "Bet")
    match.answer("Ann", 7)
    match.answer("Ann", "Swap")  # the label; the key is `swap`
    match.answer("Ann", True)
    assert match.scores["Ann"] >= 7
    assert match.record.answers == [
        ("Ann", "Draw"),
        ("Bob", "Draw"),
        ("Cid", "Draw"),
        ("Ann", "Bet"),
        ("Ann", "7"),
        ("Ann", "swap"),
        ("Ann", "true"),
    ]


def test_several_are_answered_by_a_list_or_a_line_with_commas(match: Match) -> None:
    match.answer("Ann", "Discard {n} cards")
    first, second, _ = match.pending[0].single
    match.answer("Ann", [first.key, second.key])
    assert match.view().zone("Table").amount == 2
    match.answer("Bob", "Discard 3 cards")
    match.answer("Bob", ", ".join(option.key for option in match.pending[0].single))
    assert match.view().zone("Table").amount == 5


@pytest.mark.parametrize("answer", ["Dance", "draw", "", 3, True, [], ["Draw", "End"]])
def test_what_is_not_among_the_options_is_refused_and_leaves_the_match_as_it_was(match: Match, answer: object) -> None:
    before = everything(match)
    with pytest.raises(IllegalAnswer, match=r"is not among the options of Ann: Draw, Steal, "):
        match.answer("Ann", answer)  # type: ignore[arg-type]
    assert everything(match) == before


def test_a_refusal_says_what_was_probably_meant(match: Match) -> None:
    with pytest.raises(IllegalAnswer, match="did you mean 'Draw'"):
        match.answer("Ann", "Drew")


def test_a_refusal_of_several_says_how_many(match: Match) -> None:
    match.answer("Ann", "Discard {n} cards")
    with pytest.raises(IllegalAnswer, match=r"options of Ann \(1 to 3 of them\): "):
        match.answer("Ann", [])


def test_who_is_not_asked_is_told_who_is(match: Match) -> None:
    with pytest.raises(IllegalAnswer, match=r"^Bob is not asked anything now; to answer: Ann$"):
        match.answer("Bob", "Draw")
    for nobody in ("Dan", 3, -1):
        with pytest.raises(IllegalAnswer, match=f"^nobody is called '{nobody}'; to answer: Ann$"):
            match.answer(nobody, "Draw")


def test_after_the_end_nobody_is_asked(match: Match) -> None:
    match.answer("Ann", "End")
    assert match.is_over
    assert match.pending == ()
    with pytest.raises(IllegalAnswer, match=r"^the match is over$"):
        match.answer("Bob", "Draw")


def test_a_race_waits_for_everybody_and_the_first_to_answer_is_the_fastest(match: Match) -> None:
    match.answer("Ann", "Race")
    assert [(c.player, [o.key for o in c.options]) for c in match.pending] == [
        ("Ann", ["slap"]),
        ("Bob", ["pass", "slap"]),
        ("Cid", ["pass", "slap"]),
    ]
    with pytest.raises(IllegalAnswer, match="'pass' is not among the options of Ann: slap"):
        match.answer("Ann", "pass")
    match.answer("Cid", "slap")
    assert [c.player for c in match.pending] == ["Ann", "Bob"]
    match.answer("Ann", "slap")
    match.answer("Bob", "pass")
    assert match.scores["Cid"] - match.scores["Ann"] >= -9
    assert next(v.value_label for v in match.view().variables if v.name == "lucky") == "Cid"


# --- faults -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "message", "words"),
    [
        ("Divide", "this divides by zero", "9 // count(row)"),
        ("Look up", "the table has no entry 3: it counts from 0 and has the entries 0..2", "bonus[count(me.hand)]"),
        ("Dive", "calls are nested deeper than 100", "dive(int n)"),
    ],
)
def test_a_rule_that_cannot_be_carried_out_says_where_and_leaves_the_match_as_it_was(
    match: Match, answer: str, message: str, words: str
) -> None:
    match.answer("Ann", "Draw")
    match.answer("Bob", "Draw")
    before = everything(match)
    with pytest.raises(RuleFault) as found:
        match.answer("Cid", answer)
    fault = found.value
    assert fault.message == message
    line = Path(fault.span.file).read_text(encoding="utf-8").splitlines()[fault.span.line - 1]
    assert words in line
    assert line[fault.span.column - 1 :].startswith(words)
    assert str(fault) == f"{fault.span}: {message} (in '{fault.rule}')"
    assert everything(match) == before
    match.answer("Cid", "Draw")
    assert match.pending[0].player == "Ann"


def test_a_fault_names_the_rule_it_happened_in(match: Match) -> None:
    with pytest.raises(RuleFault) as found:
        match.answer("Ann", "Dive")
    assert found.value.rule == "dive"
    with pytest.raises(RuleFault) as found:
        match.answer("Ann", "Divide")
    assert found.value.rule == "turn"


def test_a_variable_never_leaves_its_range(match: Match) -> None:
    for _ in range(2):
        for answer in ("Bet", 9, "steal", True):
            try:
                match.answer("Ann", answer)
            except RuleFault as fault:
                assert fault.message == "'purse' would become 18, and its range is 0..9"
                return
        match.answer("Bob", "Draw")
        match.answer("Cid", "Draw")
    raise AssertionError("no fault")


# --- copies -----------------------------------------------------------------------------------------------------------


def test_a_copy_goes_its_own_way(match: Match) -> None:
    match.answer("Ann", "Draw")
    copy = match.copy()
    assert everything(copy) == everything(match)
    before = everything(match)
    copy.answer("Bob", "Draw")
    copy.answer("Cid", "End")
    assert everything(match) == before
    assert copy.is_over
    assert not match.is_over


def test_chance_goes_on_alike_in_a_copy(match: Match) -> None:
    copy = match.copy()
    for either in (match, copy):
        either.answer("Ann", "Race")
        for player in ("Bob", "Ann", "Cid"):
            either.answer(player, "slap")
    assert everything(copy) == everything(match)


# --- names, sheet, winners --------------------------------------------------------------------------------------------


def test_players_have_names_of_their_own_or_are_numbered(parlour: Game) -> None:
    assert parlour.start(2, seed=1).players == ["Player 1", "Player 2"]
    assert parlour.start(2, seed=1, language="de").players == ["Spieler 1", "Spieler 2"]
    assert parlour.start(seed=1).players == ["Player 1", "Player 2"]
    with pytest.raises(ValueError, match="two players have the same name"):
        parlour.start(["Ann", "Ann"])
    with pytest.raises(ValueError, match="parlour is for 2 to 4 players, not for 5"):
        parlour.start(5)


def test_whom_nobody_knows_sees_nothing(match: Match) -> None:
    for nobody in ("Dan", 3, -1):
        with pytest.raises(LookupError, match=f"nobody is called '{nobody}'; at the table: Ann, Bob, Cid"):
            match.view(nobody)
        with pytest.raises(LookupError):
            match.events_for(nobody)


def test_the_sheet_has_a_line_for_each_rule_and_a_column_for_each_player(match: Match) -> None:
    match.answer("Ann", "Bet")
    match.answer("Ann", 4)
    match.answer("Ann", "steal")
    match.answer("Ann", True)
    match.answer("Bob", "Name")
    match.answer("Bob", "Cid")
    assert [(line.key, line.title) for line in match.sheet] == [("purse", "Purse"), ("hand", "hand"), ("luck", "luck")]
    assert match.sheet[0].points == {"Ann": 4, "Bob": 0, "Cid": 0}
    assert match.sheet[2].points == {"Ann": 0, "Bob": 0, "Cid": 2}
    assert match.scores == {name: sum(line.points[name] for line in match.sheet) for name in match.players}


def test_titles_are_in_the_language_of_the_match(parlour: Game) -> None:
    match = parlour.start(["Ann", "Bob"], seed=1, language="de")
    choice = match.pending[0]
    assert choice.prompt == "Was nun, Ann?"
    assert [option.label for option in choice.single[:3]] == ["Ziehen", "Steal", "3 Karten ablegen"]
    assert [option.key for option in choice.single[:3]] == ["Draw", "Steal", "Discard {n} cards"]
    assert match.sheet[0].title == "Beutel"
    assert match.view().zone("Hand von Ann").owner == "Ann"


def test_nobody_has_won_before_the_end_and_ties_are_shared_or_broken(match: Match) -> None:
    assert match.winners == []
    match.answer("Ann", "Discard 3 cards")
    match.answer("Ann", [option.key for option in match.pending[0].single])
    match.answer("Bob", "Line up")
    match.answer("Cid", "Line up")
    assert match.scores == {"Ann": 0, "Bob": 0, "Cid": 0}
    match.copy().answer("Ann", "End")
    over = match.copy()
    over.answer("Ann", "End")
    assert over.winners == ["Ann", "Bob", "Cid"]
    match.answer("Ann", "Bet")
    match.answer("Ann", 9)
    match.answer("Ann", "steal")
    match.answer("Ann", True)
    match.answer("Bob", "End")
    assert match.winners == ["Ann"]


# --- a position to begin with -----------------------------------------------------------------------------------------

ORCHARD = Path(__file__).parent.parent / "rehearsing" / "orchard"
GIVEN = "if sales == 0:\n  coins[ann] = 7\nmove apple#1 to bob.crate\n"


def test_a_match_can_begin_with_a_position_and_its_record_keeps_it() -> None:
    game = houserule.load(ORCHARD)
    match = game.start(["ann", "bob"], seed=3, given=GIVEN)
    assert [(choice.player, choice.name) for choice in match.pending] == [("ann", "offer"), ("bob", "offer")]
    assert match.scores == {"ann": 7, "bob": 2}
    assert match.answers == []
    for choice in match.pending:
        match.answer(choice.player, choice.options[0])
    record = Record.from_json(json.loads(json.dumps(match.record.to_json())))
    assert record.given == GIVEN
    again = houserule.replay(record, game)
    assert (again.scores, again.answers) == (match.scores, match.answers)
    assert again.copy().record == match.record
    assert "given" not in game.start(2, seed=3).record.to_json()


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("coins[ann] = ", "HR402"),
        ("coins[cid] = 3", "HR501"),
        ("me.coins = 3", "HR530"),
        ("ann chooses fruit from ann.sack", "HR605"),
    ],
)
def test_a_position_that_cannot_be_is_told(given: str, code: str) -> None:
    game = houserule.load(ORCHARD)
    with pytest.raises(houserule.InvalidGame) as found:
        game.start(["ann", "bob"], seed=3, given=given)
    assert code in [diagnostic.code for diagnostic in found.value.diagnostics]


def test_a_record_with_a_position_of_other_rules_cannot_be_replayed() -> None:
    game = houserule.load(ORCHARD)
    record = replace(game.start(["ann", "bob"], seed=3).record, given="coins[dan] = 1")
    with pytest.raises(houserule.InvalidRecord, match="nothing called 'dan'"):
        houserule.replay(record, game)


def test_a_single_house_rule_may_stand_for_a_list_of_one() -> None:
    name = houserule.load("aladdin").house_rules[0]
    one, listed = houserule.load("aladdin", variants=name), houserule.load("aladdin", variants=[name])
    assert one.variants == listed.variants == (name,)
    assert one.rules_hash == listed.rules_hash


PLACED = """edition: 2026
game: placed
players: 2
components:
  ship: {attributes: {seat: player, size: 1..3}, each: {seat: player, size: 1..3}, starts_in: "dock[it.seat]"}
zones:
  dock(player): {holds: ship, visible: owner}
  sea(player): {holds: ship, visible: owner}
flow:
  placing:
    together: players
    do: |
      choose a from me.dock "First?":
        move a to me.sea
      choose b from me.dock "Second?":
        move b to me.sea
"""


def test_who_acts_at_the_same_time_as_others_sees_what_they_have_done_themselves(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(PLACED, encoding="utf-8")
    match = houserule.load(tmp_path).start(["Ann", "Bob"], seed=1)
    match.answer("Ann", match.pending[0].single[1])
    for viewer, amount in (("Ann", 1), ("Bob", 0), (houserule.SPECTATOR, 0)):
        assert match.view(viewer).zone("sea of Ann").amount == amount
        (region,) = [one for one in scene(match, match.seat(viewer)).regions if one.title == "sea" and one.seat == 0]
        assert region.amount == amount
