"""Slips that once were told in the wrong place, or not at all: each is told once, where it is."""

from __future__ import annotations

from pathlib import Path

import pytest

import houserule
from houserule import Diagnostic

GAME = (Path(__file__).parents[2] / "docs" / "mushrooms" / "game.yaml").read_text(encoding="utf-8")
TABLE = "  variety_bonus: [0, 0, 2, 5]"
CHOOSE = "choose 0..(die[me].pips + 1) // 2 mushrooms"
PROSE = "components: {mushroom: {pieces: {chanterelle: {title: Chanterelle}, parasol: {title: Parasol}}}}\n"


def told(folder: Path, old: str, new: str, **more: str) -> list[Diagnostic]:
    """What is said of the game of the manual with a slip in it, and of other files in its folder."""
    assert old in GAME, old
    (folder / "game.yaml").write_text(GAME.replace(old, new, 1), encoding="utf-8")
    for name, text in more.items():
        file = folder / f"{name.replace('__', '/')}.yaml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return houserule.validate(folder)


@pytest.mark.parametrize(
    ("old", "new", "at", "said", "help"),
    [
        (TABLE, "  variety_bonus: {values: [0, 0, 2, 5], txt: So.}", "txt", "has no key 'txt'", "'text'?"),
        (TABLE, "  variety_bonus: {value: [0, 0, 2, 5]}", "value:", "not a member", "'values'?"),
        (TABLE, f"{TABLE}\n  far: [{{meadow: 1}}, {{wood: 2}}, {{bog: 4}}]", "far:", "one entry each", "far: {meadow: …"),
        ("    starts_in: forest\n", "    starts_in: forest[\n", "[\n", "'[' is never closed", "]"),
        ("    repeat: days\n", "    repeat: days\n    when: false\n", "false", "is never done: its 'when'", "option"),
        ("    repeat: days\n", "    repeat: 0\n", "0\n", "is never done: its 'repeat' is 0", "option"),
        ("roll starter from players", "roll startre from players", "startre", "'startre' here is a new name", "'starter'?"),
        (CHOOSE, "choose 0-die[me].pips mushrooms", "0-die", "a difference", "0..die[me].pips"),
        (CHOOSE, "choose 1-3 mushrooms", "1-3", "nothing is ever chosen", "1..3"),
        ("      truffle:\n", "      Truffle:\n", "Truffle:", "'Truffle' has capital letters", "truffle"),
        ("  forest: {holds", "  Forest: {holds", "Forest:", "is declared here, but", "'forest'?"),
        ("  mushroom:\n    attr", "  mushrom:\n    attr", "mushrom:", "is declared here, but", "'mushroom'?"),
        ("  habitat: [", "  habitta: [", "habitta:", "is declared here, but the rules speak of 'habitat'", "'habitat'?"),
        ("then: [-me.aches]", "then: {me.aches}", "{me.aches}", "every entry is 'key: value'", "[me.aches]"),
        ("zones:\n  forest", "  zones:\n  forest", "zones:", "begins at column 3, but belongs at column 1", "column 1"),
        ("      morning:\n", "    morning:\n", "morning:", "begins at column 5, but belongs at column 7", "column 7"),
        ("starts_in: forest\n", "starts_in:\u00a0forest\n", "\u00a0", "no space for YAML", "type a space"),
        ("title: Mushrooms", "title: Mush\0rooms", "\0", "invisible character (U+0000)", "remove it"),
    ],
)  # fmt: skip
def test_a_slip_is_told_once_where_it_is(tmp_path: Path, old: str, new: str, at: str, said: str, help: str) -> None:
    found = [one for one in told(tmp_path, old, new) if "'days'" not in one.message and "'pips'" not in one.message]
    assert len(found) == 1, found
    text = GAME.replace(old, new, 1)
    place = text.index(new) + new.index(at)
    before = text[:place]
    assert (found[0].span.line, found[0].span.column) == (before.count("\n") + 1, place - before.rfind("\n"))
    assert said in found[0].message
    assert help in (found[0].help or "")


def test_an_empty_list_of_expectations_is_told(tmp_path: Path) -> None:
    scenarios = "of: mushrooms\nplayers: [anna, ben]\n---\nscenario: It rains\nexpect: []\n"
    (found,) = told(tmp_path, "title: Mushrooms", "title: Mushrooms", scenarios__rain=scenarios)
    assert (found.code, found.span.line, found.span.column) == ("HR206", 5, 9)


def test_a_file_beside_the_game_that_declares_what_is_missing_is_named(tmp_path: Path) -> None:
    forest = "  forest: {holds: mushroom, visible: none, refill: compost}\n"
    (found,) = told(tmp_path, forest, "", woods=f"zones:\n{forest}")
    assert (found.code, found.help) == ("HR305", "include: [woods.yaml]")
    assert "'woods.yaml'" in found.message and "'forest'" in found.message


@pytest.mark.parametrize(
    ("at", "meant"),
    [("variant/v.yaml", "variants/v"), ("scenario/s.yaml", "scenarios/s"), ("variants/v.yml", "variants/v")],
)
def test_a_house_rule_or_scenario_that_is_not_read_is_told(tmp_path: Path, at: str, meant: str) -> None:
    (tmp_path / at).parent.mkdir()
    (tmp_path / at).write_text("of: mushrooms\n", encoding="utf-8")
    (found,) = told(tmp_path, "title: Mushrooms", "title: Mushrooms")
    assert (found.code, found.help) == ("HR597", f"call it {meant}.yaml, or remove it")


def test_two_members_of_one_letter_are_told(tmp_path: Path) -> None:
    look = "layout: {enums: {habitat: {meadow: {letter: M}, wood: {letter: M}}}}\n"
    (found,) = [one for one in told(tmp_path, "title: Mushrooms\n", f"title: Mushrooms\n{look}") if one.code == "HR598"]
    assert found.code == "HR598" and "'habitat' have the letter 'M'" in found.message


@pytest.mark.parametrize("slip", ["chanterele", "chanterelles"])
def test_a_piece_that_is_called_otherwise_among_the_texts_is_told_once_with_both_places(
    tmp_path: Path, slip: str
) -> None:
    for prose, old, new in (
        (PROSE, "      chanterelle: {", f"      {slip}: {{"),
        (PROSE.replace("chanterelle:", f"{slip}:"), "title: Mushrooms", "title: Mushrooms"),
    ):
        game = GAME.replace("title: Mushrooms", "title: Mushrooms\ninclude: [prose.yaml]")
        (tmp_path / "game.yaml").write_text(game.replace(old, new, 1), encoding="utf-8")
        (tmp_path / "prose.yaml").write_text(prose, encoding="utf-8")
        (found,) = houserule.validate(tmp_path)
        assert "has only texts for people" in found.message
        files = {Path(span.file).name for span in (found.span, *(related.span for related in found.related))}
        assert files == {"game.yaml", "prose.yaml"}


def test_pieces_for_each_number_of_a_range_that_cannot_be_read_have_an_entry_of_any_type(tmp_path: Path) -> None:
    old, new = "attributes: {seat: player, number: 1..3}", "attributes: {seat: player, number: .1.3}"
    hooks = "free_hooks(player p): (h in hook where h.seat == p and "
    told(tmp_path, f"{hooks}empty(string[h]))", f"{hooks}h == hook[p, 1])")
    game = (tmp_path / "game.yaml").read_text(encoding="utf-8")
    (tmp_path / "game.yaml").write_text(game.replace(old, new, 1), encoding="utf-8")
    place = GAME[: GAME.index(old)].count("\n") + 1
    assert place in {one.span.line for one in houserule.validate(tmp_path)}


ROLES = "enums: {role: {members: {thief: {}, miner: {}}}}\n"


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ("enums: {role: {members: {thieff: {title: Thief}}}}\n", "'thieff'"),
        ("enums: {role: {members: {cook: {title: Cook}, miner: {title: Miner}}}}\n", "'cook'"),
        ("enums: {role: {members: {thief: {title: Thief}, miner: {title: Miner}}}}\n", None),
        ("enums: {weather: {members: {rain: {title: Rain}, sun: {title: Sun}}}}\n", None),
        ("enums: {weather: {members: {fogg: {title: Fog}}}}\n", "'fogg'"),
    ],
)
def test_texts_are_about_what_another_file_declares(tmp_path: Path, texts: str, said: str | None) -> None:
    new = "title: Mushrooms\ninclude: [texts.yaml, roles.yaml]"
    found = told(tmp_path, "title: Mushrooms", new, texts=texts, roles=ROLES)
    strays = [one for one in found if "only texts for people" in one.message]
    assert [one.message.split()[0] for one in strays] == ([said] if said else [])
    assert all(Path(one.span.file).name == "texts.yaml" for one in strays)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("turns: players from starter", "turns: (p in players where false)", "this condition is always false"),
        ("if count(lost) == 1:", "if count(lost) == count(lost):", "'count(lost) == count(lost)' is always true"),
        ("if count(lost) == 1:", "if not 2 > 1 or count(lost) == 1 and false:", "is always false"),
        ("if count(lost) == 1:", "if count(x in 5..3) == 1:", "there is nothing in 5..3: it runs backwards"),
        ("if count(lost) == 1:", "for p in []: p.tired = true\n          if count(lost) == 1:", "nothing in this list"),
        ("if count(lost) == 1:", "while 1 > 2: nothing\n          if count(lost) == 1:", "'1 > 2' is always false"),
        (
            "if count(lost) == 1:",
            "if count(lost) == 1 and deadly and count(lost) == 1:",
            "is asked before this 'and' already",
        ),
        (
            "          day += 1\n",
            "          if day > 1: day += 1\n          else: day += 1\n",
            "whether 'day > 1' holds or not, the same is done",
        ),
        (
            "          day += 1\n",
            "          day += 1 if day > 1 else 1\n",
            "whether 'day > 1' holds or not, the same is done",
        ),
        ("game: mushrooms\n", "game: Mushrooms\n", "'Mushrooms' has capital letters"),
        ("flow:\n", "flow:\n  SETUP: {do: shuffle forest}\n", "'SETUP' has capital letters"),
        ("  fresh: {title", "  Fresh: {title", "'Fresh' has capital letters"),
        ("  fresh: {title", "  fresh: {when: 1 == 1, title", "'1 == 1' is always true"),
    ],
)
def test_what_can_be_played_but_hardly_was_meant_is_told(tmp_path: Path, old: str, new: str, said: str) -> None:
    found = [one for one in told(tmp_path, old, new) if said in one.message]
    assert [one.severity for one in found] == ["warning"]


def test_forms_of_a_word_are_for_languages_of_the_title(tmp_path: Path) -> None:
    forms = "{grammar: {de: {gender: f}, dee: {gender: f}}, members: [glad, sad]}"
    head = f"edition: 2026\ngame: tiny\nplayers: 2\ntitle: {{en: Tiny, de: Winzig}}\nenums: {{mood: {forms}}}\n"
    rules = (
        "variables: {now: mood}\nflow: {round: {do: now = glad}}\nscoring: {glad: {points: 1 if now == sad else 0}}\n"
    )
    (tmp_path / "game.yaml").write_text(head + rules, encoding="utf-8")
    found = [one for one in houserule.validate(tmp_path) if "dee" in one.message]
    assert [(one.code, one.severity, one.help) for one in found] == [("HR590", "warning", "did you mean 'de'?")]


@pytest.mark.parametrize("line", ["repeat 0 times: day += 1", "for p in first(players, 0): day += 1"])
def test_what_is_done_no_times_is_told(tmp_path: Path, line: str) -> None:
    found = told(tmp_path, "          day += 1\n", f"          day += 1\n          {line}\n")
    assert [one.code for one in found] == ["HR596"]


def test_who_owns_is_said_by_the_viewer_in_a_condition_of_sight(tmp_path: Path) -> None:
    found = told(tmp_path, "{holds: mushroom, visible: owner", "{holds: mushroom, visible: day > 1 or owner")
    assert [one.help for one in found if one.code == "HR501"] == ["viewer == player"]


def test_conditions_of_pairs_are_counted_by_a_list_of_pairs(tmp_path: Path) -> None:
    line = "if any(p.score > n for p in players for n in 1..3): day += 1"
    found = next(
        one
        for one in told(tmp_path, "          day += 1\n", f"          day += 1\n          {line}\n")
        if one.code == "HR596"
    )
    assert found.help == "any(1 for p in players for n in 1..3 where p.score > n)"


@pytest.mark.parametrize(
    ("test", "help"),
    [
        ("day == 1 or 2 or 3", "day in [1, 2, 3]"),
        ("day != 1 and 2", "day not in [1, 2]"),
        ("1 == day or 2", "day in [1, 2]"),
        ("m.habitat == meadow or wood", "m.habitat in [meadow, wood]"),
    ],
)
def test_a_comparison_with_several_values_is_told_once(tmp_path: Path, test: str, help: str) -> None:
    line = f"          for m in forest: if {test}: day += 1\n".replace(": if", ":\n            if")
    found = [
        one for one in told(tmp_path, "          day += 1\n", f"          day += 1\n{line}") if one.code == "HR521"
    ]
    assert [one.help for one in found] == [help]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("if count(lost) == 1:", "while true: leave\n          if count(lost) == 1:"),
        ("if count(lost) == 1:", "none_yet = []\n          if count(lost) == 1 and count(none_yet) == 0:"),
        ("if count(lost) == 1:", "if deadly and count(lost) == 1:"),
    ],
)
def test_what_only_looks_so_is_not(tmp_path: Path, old: str, new: str) -> None:
    assert [one for one in told(tmp_path, old, new) if one.code == "HR596"] == []


def test_a_file_beside_the_game_that_it_does_not_include_is_named(tmp_path: Path) -> None:
    parts = {"looks": "layout: {zones: {forest: {arrange: heap}}}\n", "notes": "shopping: [milk]\n"}
    (found,) = told(tmp_path, "title: Mushrooms", "title: Mushrooms", **parts)
    assert (found.code, found.severity, found.help) == ("HR597", "warning", "include: [looks.yaml], or remove it")
    assert told(tmp_path, "title: Mushrooms", "title: Mushrooms\ninclude: [looks.yaml]", **parts) == []
