"""Partners win together, see what is for their team, and are counted as one side, in Python and natively."""

from __future__ import annotations

from pathlib import Path

import pytest

import houserule
from houserule import Match
from houserule.native.engines import machine_of
from houserule.rulebook import rulebook
from houserule.running.playout import playout
from houserule.table.compose import scene
from tests.native.test_search import compared

LANTERNS = Path(__file__).parent / "lanterns"
NAMES = ["Ann", "Bob", "Cem", "Dot"]

ROPES = """\
edition: 2026
game: ropes
players: 3..5
enums: {rope: [left, right]}
components: {knot: {starts_in: heap, pieces: {bow: {count: 12}}}}
zones:
  heap: {holds: knot, visible: none}
  bag(player): {holds: knot, visible: all}
variables:
  side(player): rope or none
  pull(player): 0..60
teams: me.side
flow:
  pick:
    turns: players
    do: |
      choose e or pass from rope "Which rope?":
        me.side = e
      for p in partners: p.pull += 1
      draw 1 from heap to me.bag
  pull:
    repeat: 3
    turns: players
    do: |
      roll n from 1..3
      me.pull += n
      if count(opponents) > 2 and n == 3: ENDING
scoring: {pulled: me.pull}
winner: WINNER
"""


@pytest.fixture(scope="module")
def lanterns() -> houserule.Game:
    return houserule.load(LANTERNS)


def written(folder: Path, text: str) -> Path:
    path = folder / "game.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def finished(game: houserule.Game, seed: int) -> Match:
    match = game.start(NAMES, seed)
    while not match.is_over:
        choice = match.pending[0]
        match.answer(choice.player, choice.options[seed % len(choice.options)])
    return match


def test_the_example_has_no_mistakes() -> None:
    assert not houserule.validate(LANTERNS)


def test_a_pair_wins_as_one_and_is_named(lanterns: houserule.Game) -> None:
    match = next(match for seed in range(20) if (match := finished(lanterns, seed)).ending == "win")
    assert match.winners in (["Ann", "Cem"], ["Bob", "Dot"])
    assert [(team.title, team.players) for team in match.teams] == [("Suns", ["Ann", "Cem"]), ("Moons", ["Bob", "Dot"])]
    team, names = ("Suns", "Ann and Cem") if match.winners == ["Ann", "Cem"] else ("Moons", "Bob and Dot")
    assert match.told_ending == scene(match, "Ann").ending == f"Victory for {team}: {names}."
    german = {"Suns": "Sonnen", "Moons": "Monde"}[team]
    assert match.told_in("de").told_ending == f"Sieg für {german}: {names}.".replace(" and ", " und ")
    begun = lanterns.start(NAMES, 1)
    assert begun.told_ending == scene(begun, "Ann").ending == ""


@pytest.mark.parametrize(
    ("ending", "told"),
    [
        ("end game with victory of me", "Ann wins."),
        ("end game with victory", "All win together."),
        ("end game with defeat", "All have lost."),
        ("end game with draw", "A draw: nobody wins."),
    ],
)
def test_the_end_is_told_in_a_sentence(ending: str, told: str, tmp_path: Path) -> None:
    text = f"edition: 2026\ngame: short\nplayers: 4\nflow: {{go: {{turns: players, do: {ending}}}}}\nwinner: {{by: end game}}\n"
    match = houserule.load(written(tmp_path, text)).start(NAMES, 1)
    assert match.told_ending == scene(match, "Ann").ending == told


def test_only_the_partner_sees_a_hand(lanterns: houserule.Game) -> None:
    match = lanterns.start(NAMES, 1)
    for viewer, seats in (("Ann", {0, 2}), ("Bob", {1, 3}), (houserule.SPECTATOR, set())):
        seen = scene(match, viewer)
        open_to = {thing.region for thing in seen.things if thing.is_face_up}
        assert open_to == {f"hand:{seat}" for seat in seats}
        assert [team.seats for team in seen.teams] == [[0, 2], [1, 3]]
    assert seen.region("hand:0").arrangement == "hand"


RULES = ("{most: points}", "{least: points, tie: draw}", "{when: me.pull > 5}", "{all: me.pull > 5}")
ENDINGS = ("end game", "end game with victory of me", "end game with defeat of me")


@pytest.mark.parametrize(
    ("winner", "ending"), list(zip((*RULES, RULES[0], RULES[2]), (*ENDINGS, *ENDINGS), strict=True))
)
def test_teams_that_form_in_play_come_to_the_same_natively(
    winner: str, ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = houserule.load(written(tmp_path, ROPES.replace("WINNER", winner).replace("ENDING", ending)))
    for players in (3, 5):
        program = game.program(players, told=False)
        machine = machine_of(program)
        outcomes = [playout(program, seed) for seed in range(30)]
        assert list(machine.outcomes(range(30))) == outcomes
        assert machine.replayed == 0
    assert compared(game, 4, 6, monkeypatch) > 1


def test_fixed_teams_come_to_the_same_natively(lanterns: houserule.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    program = lanterns.program(4, told=False)
    assert list(machine_of(program).outcomes(range(30))) == [playout(program, seed) for seed in range(30)]
    assert compared(lanterns, 4, 10, monkeypatch) > 2


@pytest.mark.parametrize(
    ("sides", "ending", "winners"),
    [
        (["left", "left", "right", "pass"], "end game with victory of first(players)", [0, 1]),
        (["left", "left", "right", "pass"], "end game with defeat of first(players)", [2, 3]),
        (["pass", "pass", "pass", "pass"], "end game with defeat of first(players)", [1, 2, 3]),
        (["pass", "right", "right", "right"], "end game with defeat of last(players)", [0]),
    ],
)
def test_a_team_wins_and_loses_as_a_whole_and_whoever_has_none_is_alone(
    sides: list[str], ending: str, winners: list[int], tmp_path: Path
) -> None:
    text = ROPES.replace("WINNER", "{most: points}").replace("if count(opponents) > 2 and n == 3: ENDING", ending)
    match = houserule.load(written(tmp_path, text)).start(NAMES, 1)
    for name, side in zip(NAMES, sides, strict=True):
        match.answer(name, side)
    assert match.winners == [NAMES[seat] for seat in winners]
    assert match.ending == ("shared" if len(winners) > 1 and winners != [0, 1] else "win")


def test_studies_count_pairs(lanterns: houserule.Game) -> None:
    from houserule.study.measures import measures_of, of_study

    study = houserule.simulate(lanterns, 120, 4)
    found = study.to_json()
    first, second = found["teams"]
    assert (first["seats"], second["seats"]) == ([1, 3], [2, 4])
    assert found["won"] + found["shared"] == 120
    assert [found["seats"][seat]["wins"] for seat in (0, 2)] == [first["wins"], first["wins"]]
    assert first["wins"] + second["wins"] == found["won"] and first["shared"] == found["shared"]
    measures = {one.key: one for one in measures_of(study)}
    assert measures["wins.team_1"].title == "wins of the first pair"
    assert (measures["wins.team_1"].values + measures["wins.team_2"].values == 1).all()
    assert "team" in of_study(study)[0] or "pair" in of_study(study)[0]


SPIES = """\
edition: 2026
game: spies
players: 4
components: {note: {attributes: {number: 1..8}, each: {number: 1..8}, starts_in: box}}
zones:
  box: {holds: note, visible: none}
  hand(player): {holds: note, visible: team, order: none}
  table: {holds: note, visible: all}
variables: {plan(player): {type: 0..3, visible: team}, own(player): {type: 0..3, visible: owner}}
teams: position(players, me) % 2
flow:
  deal:
    do: |
      shuffle box
      for p in players: draw 1 from box to p.hand
  look:
    turns: players
    do: |
      DO
  last: {do: draw 1 from box to first(players).hand}
winner: {most: me.plan}
"""
UNUSED = ("HR570", "HR571", "HR572", "HR573", "HR574")
OPEN = (
    'choose c from first(partners).hand where it.number > 3 "Which?": move c to table',
    "for p in partners: p.plan = me.plan",
    'for p in partners: say to p "{me.plan}"',
    "me.plan = first(partners).plan",
    'choose c from first(partners).hand "Which?": me.plan = c.number % 4',
    'choose c or pass when not any(x in me.hand where x.number > 3) from me.hand "Which?": move c to table',
)
LEAKS = (
    (
        'choose n or pass when any(c in first(opponents).hand where c.number > 3) from 1..2 "Which?": me.own = n',
        "HR582",
    ),
    ('choose c from first(opponents).hand where it.number > 3 "Which?": move c to table', "HR580"),
    ("for p in opponents: p.plan = me.plan", "HR582"),
    ('say "{first(partners).plan}"', "HR582"),
    ("me.plan = me.own", "HR582"),
    ("me.plan = first(opponents).plan", "HR582"),
)


@pytest.mark.parametrize(("effect", "code"), [*((effect, "") for effect in OPEN), *LEAKS])
def test_what_is_for_a_team_is_no_secret_among_partners(effect: str, code: str, tmp_path: Path) -> None:
    found = houserule.validate(written(tmp_path, SPIES.replace("DO", f"me.own = 1\n      {effect}")), rules_only=True)
    assert [one.code for one in found if one.code not in UNUSED] == ([code] if code else [])


KNOTS = """\
edition: 2026
game: knots
players: 3..5
enums: {rope: [left, right]}
components: {knot: {attributes: {n: 1..12}, each: {n: 1..12}, starts_in: heap}}
zones:
  heap: {holds: knot, visible: none}
  bag(player): {holds: knot, visible: team, order: none, sort: -it.n}
  out: {holds: knot, visible: all}
variables:
  side(player): rope or none
  plan(player): {type: 0..12, visible: team, for_people: true}
functions:
  which(player p): p.side
teams: which(me)
flow:
  setup: {do: shuffle heap}
  pick:
    turns: players
    do: |
      choose e or pass from rope "Which rope?":
        me.side = e
      draw 2 from heap to me.bag
  go:
    repeat: 2
    turns: players
    do: |
      choose f from partners "Of whom?":
        choose c from f.bag "Which?":
          me.plan = c.n
          move c to me.bag
      choose c from me.bag "Drop?":
        move c to out
scoring: {pulled: sum(c.n for c in me.bag)}
winner: {most: points}
"""


def test_what_is_for_a_team_that_formed_in_play_is_no_secret_in_it(tmp_path: Path) -> None:
    path = written(tmp_path, KNOTS)
    assert not houserule.validate(path, rules_only=True)
    program = houserule.load(path).program(4, told=False)
    assert list(machine_of(program).outcomes(range(20))) == [playout(program, seed) for seed in range(20)]
    leaking = KNOTS.replace("choose f from partners", "choose f from opponents").replace("me.plan = c.n", "open = c.n")
    leaking = leaking.replace("variables:\n", "variables:\n  open: {type: 0..12, for_people: true}\n")
    assert "HR582" in [one.code for one in houserule.validate(written(tmp_path, leaking), rules_only=True)]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (("teams: position(players, me) % 2\n", ""), "HR501"),
        (("teams: position(players, me) % 2", "teams: true"), "HR510"),
        (("visible: all}", "visible: team}"), "HR523"),
        (("teams:", "functions:\n  teams(player p): 1\nteams:"), "HR504"),
    ],
)
def test_mistakes_are_told(change: tuple[str, str], code: str, tmp_path: Path) -> None:
    text = SPIES.replace("DO", "draw 1 from box to me.hand").replace(*change)
    assert code in [one.code for one in houserule.validate(written(tmp_path, text), rules_only=True)]


def test_files_that_use_the_words_for_their_own_things_mean_the_same(tmp_path: Path) -> None:
    text = SPIES.replace("teams: position(players, me) % 2\n", "").replace("visible: team", "visible: owner")
    text = text.replace("variables: {", "variables: {team: bool, partners: 0..9, ").replace(
        "DO", "partners += 1; team = true"
    )
    game = houserule.load(written(tmp_path, text))
    match = game.start(NAMES, 1)
    assert match.is_over and match.teams == []


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "en",
            ["Partners, who win together: Suns (Player 1 and Player 3)", "only the owner and the owner’s partners see"],
        ),
        ("de", ["Partner, die gemeinsam gewinnen: Sonnen (", "nur der Besitzer und seine Partner sehen"]),
        ("ja", ["ともに勝つ味方：", "見てよいのは持ち主と味方だけ"]),
        ("zh-Hant", ["一起獲勝的搭檔：", "只有擁有者和搭檔能看"]),
    ],
)
def test_the_rulebook_says_who_plays_with_whom(lanterns: houserule.Game, language: str, words: list[str]) -> None:
    chapters = rulebook(lanterns, language).chapters
    told = " ".join(text for chapter in chapters for section in chapter.sections for text in section.paragraphs)
    for word in words:
        assert word.lower() in told.lower()
