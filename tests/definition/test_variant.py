"""House rules: what a variant adds, changes and removes, where, and what is said when it does not fit."""

from __future__ import annotations

from pathlib import Path

import pytest

import houserule
from houserule.rulebook import markdown, rulebook

GAME = """\
edition: 2026
game: race
title: Race
players: 2..4
options: {goal: {type: 1..50, default: 10}}
enums: {colour: [red, blue]}
tables: {prize: {red: 1, blue: 2}}
variables: {score(player): int}
actions:
  gain(int n): me.score += n
flow:
  setup: {do: nothing}
  round:
    until: any(p in players where p.score >= goal)
    steps:
      run: {turns: players, do: "perform gain(prize[red] + prize[blue])"}
scoring: {score: me.score}
winner: {most: points, tie: shared}
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    (tmp_path / "variants").mkdir()
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    return tmp_path


def variant(game: Path, name: str, body: str) -> str:
    (game / "variants" / f"{name}.yaml").write_text(f"variant: {name}\nof: race\n{body}", encoding="utf-8")
    return name


def scores(game: Path, *variants: str, **options: int) -> dict[str, int]:
    match = houserule.load(game, variants=variants, options=options).start(["maya", "tom"], seed=1)
    assert match.is_over
    return match.scores


def said(game: Path, *variants: str) -> list[str]:
    with pytest.raises(houserule.InvalidGame) as caught:
        houserule.load(game, variants=variants)
    return [f"{Path(d.span.file).name}:{d.span.line} {d.code} {d.message}" for d in caught.value.diagnostics]


def test_a_changed_number_counts(game: Path) -> None:
    rich = variant(game, "rich", "change: {tables: {prize: {red: 5}}}\n")
    assert scores(game) == {"maya": 12, "tom": 12}
    assert scores(game, rich) == {"maya": 14, "tom": 14}


def test_an_action_is_found_by_its_name_and_keeps_its_signature(game: Path) -> None:
    double = variant(game, "double", "change: {actions: {gain: me.score += 2 * n}}\n")
    assert scores(game, double) == {"maya": 12, "tom": 12}


def test_the_short_form_changes_what_is_done_and_keeps_the_texts(game: Path) -> None:
    text = GAME.replace(
        "gain(int n): me.score += n", 'gain(int n): {title: {en: Gain, de: Gewinn}, do: "me.score += n"}'
    )
    text = text.replace("score: me.score", "score: {title: Glory, for: p in players where p == me, points: p.score}")
    (game / "game.yaml").write_text(text, encoding="utf-8")
    twice = variant(game, "twice", "change: {actions: {gain: me.score += 2 * n}, scoring: {score: me.score * 10}}\n")
    played = houserule.load(game, variants=[twice])
    assert "Gewinn" in markdown(rulebook(played, "de"))
    assert played.line_titles(2) == {"score": "Glory"}
    assert scores(game, twice) == {"maya": 120, "tom": 120}


def test_what_is_done_and_its_title_are_changed_by_two_variants(game: Path) -> None:
    text = GAME.replace("gain(int n): me.score += n", 'gain(int n): {title: Gain, do: "me.score += n"}')
    (game / "game.yaml").write_text(text, encoding="utf-8")
    twice = variant(game, "twice", "change: {actions: {gain: me.score += 2 * n}}\n")
    thrice = variant(game, "thrice", 'change: {actions: {gain: {do: "me.score += 3 * n"}}}\n')
    called = variant(game, "called", "change: {actions: {gain: {title: Win}}}\n")
    for order in ((twice, called), (called, twice)):
        assert "Win" in markdown(rulebook(houserule.load(game, variants=order), "en"))
        assert scores(game, *order) == {"maya": 12, "tom": 12}
    assert "'actions.gain.do', in different ways" in said(game, twice, thrice)[0]


@pytest.mark.parametrize(
    ("path", "old", "there"),
    [
        ("{flow: {round: {repeat: 3}}}", "flow.round.until", "'flow.round' has 'until', which excludes 'repeat'"),
        ("{winner: {least: points}}", "winner.most", "'winner' has 'most', which excludes 'least'"),
    ],
)
def test_what_excludes_a_new_key_is_removed_first(game: Path, path: str, old: str, there: str) -> None:
    for section, wrong in (("add", f"HR709 {there}"), ("change", "HR707 there is no")):
        name = variant(game, "new", f"{section}: {path}\n")
        with pytest.raises(houserule.InvalidGame) as caught:
            houserule.load(game, variants=[name])
        (found,) = caught.value.diagnostics
        assert f"{found.code} {found.message}".startswith(wrong)
        assert (found.help or "").startswith(f"remove: [{old}]")
    houserule.load(game, variants=[variant(game, "new", f"remove: [{old}]\nadd: {path}\n")])
    endless = "add: {flow: {round: {repeat: forever}}}\n" if "flow" in path else ""
    houserule.load(game, variants=[variant(game, "new", endless)])


def test_a_step_is_put_where_the_variant_says(game: Path) -> None:
    late = variant(
        game,
        "late",
        "add: {flow: {round: {steps: {gift: {after: run, do: for p in players: p.score += 1}}}}}\n".replace(
            "do: for", 'do: "for'
        ).replace("+= 1", '+= 1"'),
    )
    assert scores(game, late) == {"maya": 12, "tom": 12}
    loaded = houserule.load(game, variants=[late])
    assert [step.name for step in loaded.definition.flow[1].steps] == ["run", "gift"]


def test_options_of_a_variant_give_way_to_those_that_are_set(game: Path) -> None:
    short = variant(game, "short", "options: {goal: 3}\n")
    assert scores(game, short) == {"maya": 3, "tom": 3}
    assert scores(game, short, goal=4) == {"maya": 6, "tom": 6}


def test_a_house_rule_that_is_named_twice_says_only_that(game: Path) -> None:
    rare = variant(game, "rare", "add: {tables: {loss: {red: 1, blue: 2}}}\n")
    assert said(game, rare, rare) == ["rare.yaml:1 HR704 'rare' is named twice"]


def test_a_document_in_the_place_of_another_is_called_what_it_is(game: Path) -> None:
    (game / "variants" / "begun.yaml").write_text("scenario: begun\nof: race\nplay: []\n", encoding="utf-8")
    assert said(game, "begun") == ["begun.yaml:1 HR203 this is a scenario, not a house rule"]
    (game / "scenarios").mkdir()
    (game / "scenarios" / "rare.yaml").write_text("variant: rare\nof: race\nremove: [tables]\n", encoding="utf-8")
    found = [found.message for found in houserule.validate(game) if found.severity == "error"]
    assert found == ["this is a house rule, not a scenario", "this is a scenario, not a house rule"]


def test_what_is_not_there_cannot_be_changed(game: Path) -> None:
    wrong = variant(game, "wrong", "change: {tables: {prise: {red: 5}}}\n")
    assert said(game, wrong) == ["wrong.yaml:3 HR707 there is no 'tables.prise' to change"]


def test_new_members_of_an_enum_stand_below_members(game: Path) -> None:
    (game / "game.yaml").write_text(GAME.replace("[red, blue]", "{members: {red: {}, blue: {}}}"), encoding="utf-8")
    wrong = variant(game, "wrong", "add: {enums: {colour: [mauve]}}\n")
    with pytest.raises(houserule.InvalidGame) as caught:
        houserule.load(game, variants=[wrong])
    assert [one.help for one in caught.value.diagnostics if one.code == "HR709"] == [
        "new members stand below it: colour: {members: {mauve: {title: …}}}"
    ]


def test_new_members_have_a_place_in_an_enum_that_is_a_list(game: Path) -> None:
    more = variant(
        game, "more", "add: {enums: {colour: {members: {mauve: {before: blue}}}}, tables: {prize: {mauve: 1}}}\n"
    )
    kinds = houserule.load(game, variants=[more]).program(2, told=False).symbols.kinds
    assert kinds["colour"].ids == ["red", "mauve", "blue"]


def test_what_is_there_cannot_be_added(game: Path) -> None:
    wrong = variant(game, "wrong", "add: {actions: {gain(int n): nothing}}\n")
    assert said(game, wrong) == ["wrong.yaml:3 HR709 'actions.gain' exists already"]


def test_what_is_not_there_cannot_be_removed(game: Path) -> None:
    wrong = variant(game, "wrong", "remove: [tables.price]\n")
    assert said(game, wrong) == ["wrong.yaml:3 HR706 there is no 'tables.price' to remove"]


def test_two_variants_that_change_one_place_to_different_values_are_shown_both(game: Path) -> None:
    one = variant(game, "one", "change: {tables: {prize: {red: 5}}}\n")
    two = variant(game, "two", "change: {tables: {prize: {red: 6}}}\n")
    assert said(game, one, two) == [
        "two.yaml:3 HR705 'two' and 'one' both change 'tables.prize.red', in different ways"
    ]


def test_two_variants_may_do_the_same_to_a_place(game: Path) -> None:
    body = "add: {tables: {extra: [0, 1]}, variables: {bonus: int}}\nchange: {tables: {prize: {red: 5}}, actions: {gain: 'me.score += n + bonus + extra[0]'}}\n"
    one, two = variant(game, "one", body), variant(game, "two", body)
    assert scores(game, one, two) == {"maya": 14, "tom": 14}
    for name in ("ending", "farewell"):
        variant(game, name, "remove: [winner.tie]\n")
    assert houserule.load(game, variants=["ending", "farewell"]).definition.winner is not None


def test_two_variants_that_add_one_name_to_different_ends_are_shown_both(game: Path) -> None:
    one = variant(game, "one", "add: {tables: {extra: [0, 1]}}\n")
    two = variant(game, "two", "add: {tables: {extra: [0, 2]}}\n")
    assert said(game, one, two)[-1] == "two.yaml:3 HR705 'two' and 'one' both change 'tables.extra', in different ways"


def test_both_may_add_to_a_section_that_the_game_does_not_have(game: Path) -> None:
    one = variant(
        game, "one", "add: {functions: {twice: 2 * goal}}\nchange: {actions: {gain: me.score += n + twice}}\n"
    )
    two = variant(
        game,
        "two",
        "add: {functions: {thrice: 3 * goal}}\nchange: {flow: {setup: {do: 'for p in players: p.score = thrice'}}}\n",
    )
    assert scores(game, one, two, goal=1) == {"maya": 8, "tom": 8}


@pytest.mark.parametrize("first", [0, 1])
def test_what_one_removes_another_cannot_change(game: Path, first: int) -> None:
    names = [
        variant(game, "gone", "remove: [tables.prize]\n"),
        variant(game, "rich", "change: {tables: {prize: {red: 5}}}\n"),
    ]
    assert "HR705" in [line.split()[1] for line in said(game, names[first], names[1 - first])]


def test_a_variant_may_change_what_the_one_it_requires_does(game: Path) -> None:
    rich = variant(game, "rich", "change: {tables: {prize: {red: 5}}}\n")
    richer = variant(game, "richer", "requires: [rich]\nchange: {tables: {prize: {red: 9}}}\n")
    assert scores(game, rich, richer) == {"maya": 11, "tom": 11}


def test_a_mistake_in_a_variant_is_placed_in_its_file(game: Path) -> None:
    wrong = variant(game, "wrong", "change:\n  actions:\n    gain: me.scroe += n\n")
    assert said(game, wrong)[0].startswith("wrong.yaml:5 HR502")


def test_variants_say_which_others_they_want_and_which_not(game: Path) -> None:
    needs = variant(game, "needs", "requires: [other]\n")
    shy = variant(game, "shy", "conflicts: [needs]\n")
    assert said(game, needs) == ["needs.yaml:3 HR702 'needs' requires 'other', which does not exist"]
    variant(game, "other", "")
    assert houserule.validate(game, [needs]) == []
    assert said(game, needs, "other", shy) == ["shy.yaml:1 HR703 'shy' cannot be played with 'needs'"]


def test_what_a_variant_requires_comes_with_it_from_beside_it(
    game: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    variant(game, "rich", "change: {tables: {prize: {red: 5}}}\n")
    loose = tmp_path_factory.mktemp("loose")
    (loose / "richer.yaml").write_text(
        "variant: richer\nof: race\nrequires: [rich]\nchange: {tables: {prize: {red: 9}}}\n"
    )
    most = loose / "most.yaml"
    most.write_text("variant: most\nof: race\nrequires: [richer]\nchange: {tables: {prize: {red: 11}}}\n")
    assert scores(game, str(most)) == {"maya": 13, "tom": 13}
    names = [one.name for one in houserule.load(game, ["rich", str(most)]).loaded.variants]
    assert names == ["rich", "richer", "most"]
    (loose / "richer.yaml").write_text("variant: ritcher\nof: race\n")
    assert said(game, str(most)) == [
        "most.yaml:3 HR702 'most' requires 'richer', but 'richer.yaml' contains a variant with another name"
    ]
    (loose / "richer.yaml").write_text("variant: richer\nof: race\nchange: 5\n")
    assert all("richer.yaml" in line for line in said(game, str(most)))


def test_a_house_rule_in_one_language_is_told_so_once(game: Path) -> None:
    text = GAME.replace(
        "title: Race", "title: {en: Race, de: Rennen}\ntranslations: {de: {On your marks!: Achtung!}}", 1
    )
    text = text.replace("setup: {do: nothing}", "setup: {do: 'say \"On your marks!\"'}")
    (game / "game.yaml").write_text(text, encoding="utf-8")
    step = 'ready: {after: setup, do: \'say "Ready?"; say "Steady."; say "Go!"; say "On your marks!"\'}'
    (found,) = houserule.validate(game, [variant(game, "calls", f"add: {{flow: {{{step}}}}}\n")])
    assert (found.code, found.message) == ("HR590", "what effects say in this file is not translated into 'de'")
    translated = '  translations: {de: {"Ready?": "Fertig?"}}'
    found = houserule.validate(game, [variant(game, "calls", f"add:\n  flow: {{{step}}}\n{translated}\n")])
    assert [one.message for one in found] == ["this is not translated into 'de'"] * 2


def test_a_step_is_missed_if_nothing_else_sets_what_is_read(game: Path) -> None:
    """What a house rule leaves unused it need not tidy up, but what is read is still meant to change."""
    text = GAME.replace("score(player): int}", "score(player): int, weather: 0..2, spare: int}")
    text = text.replace("+ prize[blue])", "+ weather)").replace(
        "    steps:\n", "    steps:\n      dawn: {do: weather = 2; spare = 1}\n"
    )
    (game / "game.yaml").write_text(text.replace("{score: me.score}", "{score: me.score + spare}"), encoding="utf-8")
    assert houserule.validate(game) == []
    name = variant(game, "night", "remove: [flow.round.steps.dawn]\n")
    found = houserule.validate(game, [name])
    assert {one.message for one in found} == {
        f"variable '{name}' is read, but never set" for name in ("weather", "spare")
    }
    assert {(Path(one.span.file).name, one.span.line, one.severity) for one in found} == {("night.yaml", 3, "warning")}


def test_a_variant_whose_name_others_cannot_write_is_told_a_better_one(game: Path) -> None:
    (game / "my_rule.yaml").write_text("variant: My Rule!\nof: race\noptions: {goal: 3}\n", encoding="utf-8")
    (found,) = houserule.validate(game, [str(game / "my_rule.yaml")])
    assert (found.code, found.severity, found.help) == ("HR716", "warning", "variant: my_rule; people read the title")


def test_a_variant_that_refuses_one_that_is_not_there_is_told_which_was_meant(game: Path) -> None:
    variant(game, "proud", "")
    (found,) = houserule.validate(game, [variant(game, "shy", "conflicts: [pruod]\n")])
    assert (found.code, found.span.line, found.help) == ("HR713", 3, "did you mean 'proud'?")
    assert houserule.validate(game, [variant(game, "shy", "conflicts: [proud]\n")]) == []


def test_two_variants_that_refuse_each_other_are_one_mistake(game: Path) -> None:
    shy = variant(game, "shy", "conflicts: [proud]\n")
    proud = variant(game, "proud", "conflicts: [shy]\n")
    assert said(game, shy, proud) == ["shy.yaml:1 HR703 'shy' cannot be played with 'proud'"]
    assert said(game, proud, shy) == ["proud.yaml:1 HR703 'proud' cannot be played with 'shy'"]


def test_a_precondition_sees_that_the_game_has_changed(game: Path) -> None:
    careful = variant(game, "careful", "change: {tables: {prize: {red: 5, was: {red: 3}}}}\n")
    assert said(game, careful) == ["careful.yaml:3 HR708 'tables.prize.red' was expected to be '3', but is '1'"]


def test_a_precondition_is_of_the_game_before_the_variant_removes_anything(game: Path) -> None:
    change = "change: {tables: {prize: {red: 5, was: {red: 1, blue: 2}}}}\nremove: [tables.prize.blue]\n"
    assert not any("HR708" in one for one in said(game, variant(game, "careful", change)))


def test_a_precondition_is_told_which_other_variant_removes_what_it_expects(game: Path) -> None:
    plain = variant(game, "plain", "remove: [tables.prize.blue]\n")
    careful = variant(game, "careful", "change: {tables: {prize: {was: {blue: 2}}}}\n")
    assert houserule.validate(game, [careful]) == []
    assert said(game, plain, careful)[0] == (
        "careful.yaml:3 HR708 'tables.prize.blue' was expected to be '2', but 'plain' removes it"
    )


def test_what_a_variant_leaves_unused_in_the_game_need_not_be_tidied(game: Path) -> None:
    flow = "change:\n  flow: {round: {steps: {run: {do: me.score += 1}}}}\n"
    assert houserule.validate(game, [variant(game, "brisk", flow)]) == []
    own = "add:\n  tables: {bonus: {red: 1, blue: 2}}\n"
    (found,) = houserule.validate(game, [variant(game, "idle", own)])
    assert (found.code, found.message) == ("HR571", "table 'bonus' is never used")


def test_a_variant_can_be_for_fewer_players(game: Path) -> None:
    duel = variant(game, "duel", "players: 2\n")
    assert houserule.load(game, variants=[duel]).players == range(2, 3)
    pair = variant(game, "pair", "players: 2..3\n")
    assert houserule.load(game, variants=[pair, duel]).players == range(2, 3)
    assert "HR705" in said(game, duel, pair)[0]


BOXED = """\
edition: 2026
game: race
title: Race
players: 2..4
box: {boards: {count: 4, title: Boards}, dice: {count: 8, title: Dice}, coins: {count: 40, title: Coins}}
enums: {colour: [red, blue], coat: [a, b, c, d]}
tables: {share: [9, 8, 7, 6, 5], rest: [1, 2]}
variables: {wears(player): coat or none, hat(player): colour or none}
flow:
  setup:
    do: |
      for p in players:
        p.wears = first(coat)
        p.hat = first(colour)
scoring:
  share: share[count(p in players where p.wears)]
  rest: rest[count(p in opponents where p.hat) // 9]
layout: {players: [red, blue, green, black]}
"""


@pytest.mark.parametrize(
    ("listed", "suffices"),
    [("heap", True), ("every tile", True), ("(x in heap where x.sort != cup)", True), ("heap + heap", False)],
)
def test_a_table_suffices_for_as_many_pieces_as_have_a_value(tmp_path: Path, listed: str, suffices: bool) -> None:
    rules = """\
edition: 2026
game: race
players: 2..4
enums: {hue: [red, blue], sort: [cup, ring]}
components: {tile: {each: {hue: hue, sort: sort}, attributes: {hue: hue, sort: sort}, starts_in: heap}}
zones: {heap: {holds: tile, visible: all}}
tables: {worth: [0, 1, 3]}
functions: {group(hue h): (t in LISTED where any(players) and h == t.hue)}
flow: {turn: {turns: players, do: 'choose t from heap "Which?": nothing'}}
scoring: {groups: "sum(worth[count(group(h))] for h in hue)"}
"""
    (tmp_path / "game.yaml").write_text(rules.replace("LISTED", listed), encoding="utf-8")
    (tmp_path / "variants").mkdir()
    hue, sort = variant(tmp_path, "hue", "add: {enums: {hue: [green]}}\n"), "add: {enums: {sort: [pan]}}\n"
    assert (not houserule.validate(tmp_path, [hue])) == suffices
    found = houserule.validate(tmp_path, [variant(tmp_path, "sort", sort)])
    assert any(f"can be {3 if suffices else 12}, and table 'worth' ends with entry 2" in one.message for one in found)


def test_a_variant_can_be_for_more_players_and_what_does_not_suffice_is_told(game: Path) -> None:
    (game / "game.yaml").write_text(BOXED, encoding="utf-8")
    crowd = variant(game, "crowd", "players: 2..6\n")
    loaded = houserule.load(game, variants=[crowd])
    assert loaded.players == range(2, 7) and loaded.start(5, seed=1).is_over
    found = houserule.validate(game, [crowd])
    assert {(one.code, one.severity, one.span.line) for one in found} == {("HR714", "warning", 3)}
    assert [one.message.removeprefix("with 6 players ") for one in found] == [
        "the box has too few of 'boards': 4, 1 for each of 4",
        "the box has too few of 'dice': 8, 2 for each of 4",
        "not everybody can have another 'coat' for 'wears': there are 4",
        "the layout has colours for 4 of them",
        "'count(p in players where p.wears)' can be 6, and table 'share' ends with entry 4",
    ]
    mended = """\
players: 2..6
add:
  enums: {coat: [e, f]}
  tables: {share: [4, 3]}
  layout: {players: [white, rose]}
change: {box: {boards: {count: 6}, dice: {count: 12}}}
"""
    assert houserule.validate(game, [variant(game, "band", mended)]) == []
    # Where the list of players is changed like any other key, it is the same.
    assert len(houserule.validate(game, [variant(game, "horde", "change: {players: 2..6}\n")])) == 5


def test_a_record_keeps_the_variants_and_replays_with_them(game: Path) -> None:
    rich = variant(game, "rich", "change: {tables: {prize: {red: 5}}}\n")
    match = houserule.load(game, variants=[rich]).start(2, seed=1)
    assert houserule.replay(match.record).scores == match.scores


def test_a_variant_that_is_not_there_has_a_suggestion(game: Path) -> None:
    variant(game, "rich", "")
    with pytest.raises(houserule.UnknownGame, match="did you mean 'rich'"):
        houserule.load(game, variants=["ritch"])


def refused(record: houserule.Record, game: houserule.Game) -> str:
    with pytest.raises(houserule.InvalidRecord) as caught:
        houserule.replay(record, game)
    return str(caught.value)


def test_a_replay_under_other_rules_is_refused_with_what_differs(game: Path) -> None:
    rich = variant(game, "rich", "change: {tables: {prize: {red: 5}}}\n")
    record = houserule.load(game, variants=[rich], options={"goal": 12}).start(2, seed=1).record
    plain = houserule.load(game)
    both = "it was played with 'rich', not with no variant; 'goal' was 12, and is 10"
    assert refused(record, plain) == f"this record is of other rules: {both}"
    assert refused(plain.start(2, seed=1).record, houserule.load(game, options={"goal": 9})) == (
        "this record is of other rules: 'goal' was 10, and is 9"
    )
    variant(game, "rich", "change: {tables: {prize: {red: 6}}}\n")
    changed = refused(record, houserule.load(game, variants=[rich], options={"goal": 12}))
    assert changed.startswith("the rules of 'race' have changed since this record was made")
    assert "or of 'rich'" in changed


def test_two_variants_cannot_set_one_option_to_different_values(game: Path) -> None:
    short = variant(game, "short", "options: {goal: 3}\n")
    long = variant(game, "long", "options: {goal: 30}\n")
    too = variant(game, "too", "options: {goal: 3}\n")
    longest = variant(game, "longest", "requires: [short]\noptions: {goal: 31}\n")
    assert said(game, short, long) == ["long.yaml:3 HR705 'long' and 'short' both set 'goal', to different values"]
    assert scores(game, short, too) == {"maya": 3, "tom": 3}
    assert scores(game, short, longest) == {"maya": 33, "tom": 33}


def test_a_setting_from_outside_settles_what_variants_set_differently(game: Path) -> None:
    short = variant(game, "short", "options: {goal: 3}\n")
    long = variant(game, "long", "options: {goal: 30}\n")
    settled = houserule.load(game, variants=[short, long], options={"goal": 8})
    match = settled.start(2, seed=1)
    assert match.record.options == {"goal": 8}
    assert refused(match.record, houserule.load(game, variants=[short])).startswith("this record is of other rules")
    assert houserule.replay(match.record).scores == match.scores


def test_a_sentence_with_dots_in_it_can_be_removed(game: Path) -> None:
    sentence = '"Run. Then rest."'
    file = game / "game.yaml"
    whole = file.read_text(encoding="utf-8").replace("perform gain(", f"say {sentence}; perform gain(", 1)
    whole = whole.replace('do: "say', "do: 'say").replace('[blue])"', "[blue])'")
    file.write_text(whole + f"translations: {{de: {{{sentence}: Lauf.}}}}\n", encoding="utf-8")
    quiet = variant(game, "quiet", 'remove: ["translations.de.Run. Then rest."]\n')
    in_quotes = variant(game, "in_quotes", "remove: ['translations.de.\"Run. Then rest.\"']\n")
    with pytest.raises(houserule.InvalidGame) as invalid:
        houserule.load(game, variants=[in_quotes])
    found = invalid.value.diagnostics[0]
    assert found.message == "there is no 'translations.de.\"Run. Then rest.\"' to remove"
    assert found.help == "did you mean 'translations.de.Run. Then rest.'?"
    loaded = houserule.load(game, variants=[quiet])
    assert loaded.origin("translations.de.Run. Then rest.")[-1].startswith("quiet removes it")


def test_a_number_of_players_that_is_none_is_told_at_the_variant(game: Path) -> None:
    odd = variant(game, "odd", "players: ²..3\n")
    message = "'players' expects a number or a range such as 2..5, got '²..3'"
    assert said(game, odd) == [f"odd.yaml:3 HR212 {message}"]


def test_what_lacks_a_key_and_stands_in_two_files_is_told(game: Path) -> None:
    (game / "game.yaml").write_text(GAME + "include: [prose.yaml]\n" + "\n" * 40, encoding="utf-8")
    (game / "prose.yaml").write_text("winner: {text: Be quick.}\n", encoding="utf-8")
    found = said(game, variant(game, "nobody", "remove: [winner.most, winner.tie]\n"))
    assert any("'winner' expects 'most', 'least', 'when', 'all' or 'by'" in one for one in found), found


def test_what_each_goes_through_has_the_type_of_its_attribute(game: Path) -> None:
    tiles = "components: {tile: {attributes: {side: int, back: bool}, each: {side: 1..3, back: 1..3}}}\n"
    (game / "game.yaml").write_text(GAME + tiles, encoding="utf-8")
    (found,) = [one for one in houserule.validate(game) if one.severity == "error"]
    assert (found.code, found.message) == (
        "HR510",
        "what `each` goes through is a list of conditions, but '1..3' is a list of numbers",
    )


def test_a_table_that_is_read_further_with_more_players_is_told_also_in_a_range(game: Path) -> None:
    shares = "tables: {share: [9, 8, 7]}\nscoring: {share: 'share[count(p in players where p == me)]'}\n"
    (game / "game.yaml").write_text(f"edition: 2026\ngame: race\nplayers: 2..4\nflow: {{a: {{do: nothing}}}}\n{shares}")
    crowd = variant(game, "crowd", "players: 2..5\n")
    found = houserule.validate(game, [crowd])
    assert [(one.code, one.message) for one in found] == [
        ("HR714", "with 5 players 'count(p in players where p == me)' can be 5, and table 'share' ends with entry 2")
    ]
    for players in ("3", "2..3", "2..4"):
        assert houserule.validate(game, [variant(game, "few", f"players: {players}\n")]) == []
