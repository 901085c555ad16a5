"""Rule files while they are written, without an editor."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time

import pytest

import houserule
from houserule.language_service import Refused, Workspace
from tests.language_service.woods import GAME, SCENARIOS, VARIANT, write


class Desk:
    """A workspace with the game open."""

    def __init__(self, folder: Path) -> None:
        self.workspace = Workspace()
        self.file = write(folder)
        self.folder = folder
        self.workspace.open(self.file, GAME)

    def offered(self, typed: str, before: str = "flow:\n", below: str = "", game: str = GAME) -> list[str]:
        """What can stand behind a text that is typed into the game."""
        at = game.index(before)
        text = game[:at] + typed
        self.workspace.open(self.file, f"{text}{below}\n{game[at:]}")
        line = text.split("\n")
        found = self.workspace.complete(self.file, len(line), len(line[-1]) + 1)
        return [one.label for one in found]

    def at(self, word: str, inside: int = 1, text: str = GAME) -> tuple[Path, int, int]:
        index = text.index(word) + inside
        return self.file, text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    found = Desk(tmp_path / "woods")
    yield found
    for path in found.workspace.opened():
        found.workspace.close(path)


@pytest.mark.parametrize(
    ("typed", "first", "never"),
    [
        ("  new: |\n    draw 1 from ", ["forest", "basket"], ["rounds", "draw", "morel", "habitat"]),
        ("  new: |\n    draw 1 from forest ", ["to", "as"], ["forest", "if"]),
        ("  new: |\n    draw 1 from forest to me.basket ", ["as"], ["to"]),
        ("  new: |\n    move ", ["forest", "morel", "me"], ["rounds", "habitat"]),
        ("  new: |\n    draw 1 from forest to me.", ["basket", "score"], ["forest", "value"]),
        ("  new: |\n    ", ["choose", "draw", "perform", "if"], []),
        ("  new: |\n    perform ", ["pick"], ["forest", "worth"]),
        ("  new: |\n    x = count(me.basket where ", ["value", "home"], []),
        ("  new: |\n    x = any(m in forest where m.home == ", ["pine", "oak"], []),
        ("  new: |\n    for m in forest: me.score += m.", ["value", "home"], ["basket", "score"]),
        ("  new: |\n    me.score += ", ["rounds", "price", "worth", "count"], ["draw"]),
        ("  new: |\n    me.score += first(me.basket)!.", ["value", "home"], ["basket", "score"]),
        ("  new: |\n    me.score += last(players)!.", ["basket", "score"], ["value", "home"]),
        ("  new(player lender): |\n    move forest to lender.", ["basket", "score"], ["value"]),
        ("  new(player lender): |\n    me.score += ", ["lender", "rounds"], []),
        ("  new: |\n    best = first(forest)\n    if best: me.score += best.", ["value", "home"], ["basket", "score"]),
        ("  new: |\n    for m in forest:\n      if m.home == ", ["pine", "oak"], []),
        ("  new: |\n    me.score += price[", ["pine", "oak"], []),
        ("  new: |\n    if forest: me.score += price[habitat.", ["pine", "oak"], ["value", "score"]),
    ],
)
def test_in_effects_what_fits_is_offered_first(desk: Desk, typed: str, first: list[str], never: list[str]) -> None:
    offered = desk.offered(typed)
    assert set(first) <= set(offered), offered
    assert not set(never) & set(offered)


def test_what_is_printed_is_offered_with_the_name_of_what_it_is_printed_on(desk: Desk) -> None:
    def inserted(typed: str) -> str:
        desk.offered(typed)
        lines = (GAME[: GAME.index("flow:\n")] + typed).split("\n")
        found = desk.workspace.complete(desk.file, len(lines), len(lines[-1]) + 1)
        return next(one.insert for one in found if one.label == "value")

    assert inserted("  new: |\n    x = count(me.basket where ") == "it.value"
    assert inserted("  new: |\n    x = count(m in me.basket where m.home == oak and ") == "m.value"


def test_the_type_of_a_local_name_is_the_one_that_the_checker_finds(desk: Desk) -> None:
    text = GAME.replace(
        "    if found: p.score", "    several = forest\n    p.score += count(several)\n    if found: p.score"
    )
    desk.workspace.open(desk.file, text)
    found = desk.workspace.hover(*desk.at("several)", text=text))
    assert found is not None
    assert found.text == "**several**: a local name for a list of mushrooms"


def test_a_broken_rule_does_not_take_away_what_is_known_of_the_others(desk: Desk) -> None:
    offered = desk.offered("  broken: |\n    if if\n  new: |\n    for m in forest: me.score += m.")
    assert {"value", "home"} <= set(offered)
    assert "basket" not in offered


@pytest.mark.parametrize(
    ("typed", "before", "first"),
    [
        ("  path: {holds: mushroom, visible: ", "variables:\n", ["all", "none", "owner"]),
        ("  path:\n    visible: ", "variables:\n", ["all", "none", "owner"]),
        ("  path: {holds: ", "variables:\n", ["mushroom", "piece"]),
        ("  path: {", "variables:\n", ["holds", "visible", "amount"]),
        ("  lost(player): ", "tables:\n", ["int", "0..10", "bool", "player"]),
        ("  lost(", "tables:\n", ["int", "0..10", "bool", "player"]),
        ("      cep: {value: 1, ", "zones:\n", ["value", "home", "found"]),
        ("  path: {title: {", "variables:\n", ["en", "ja"]),
        ("  rest:\n    use: ", "scoring:", ["setup", "walk"]),
        ("  rest:\n    re", "scoring:", ["title"]),
    ],
)
def test_keys_and_values_are_offered_even_in_half_written_files(
    desk: Desk, typed: str, before: str, first: list[str]
) -> None:
    assert desk.offered(typed, before)[: len(first)] == first


def test_hover_tells_what_a_word_is_with_its_example_and_the_manual(desk: Desk) -> None:
    def hover(word: str, inside: int = 1) -> str:
        found = desk.workspace.hover(*desk.at(word, inside))
        assert found is not None
        return found.text

    assert "zone" in hover("forest to p")
    assert "holds: mushroom" in hover("forest to p")
    assert hover("found: p.score").startswith("**found**: a local name for a mushroom")
    assert "draw 2 from deck to me.hand" in hover("draw 1")
    assert "`houserule docs moving pieces`" in hover("draw 1")
    assert hover("visible: none").startswith("Who sees the pieces")
    assert "visible: all" in hover("visible: none")
    assert "`houserule docs zones`" in hover("visible: none")
    assert "{type: 1..9" in hover("rounds\n") or "type: 1..9" in hover("rounds\n")
    assert desk.workspace.signature(*desk.at("worth(found", len("worth("))) == ("worth(mushroom m)", 0)


def test_what_house_rules_change_stands_beside_the_rules(desk: Desk) -> None:
    hints = {(one.span.line, one.text) for one in desk.workspace.hints(desk.file)}
    price, walk = desk.at("price: {pine")[1], desk.at("repeat: rounds")[1]
    assert hints == {(price, "rich: 5"), (walk, "rich: 4")}
    lines = desk.workspace.lines(desk.file)
    shown = [lines[one.span.line - 1][: one.span.end_column - 1] for one in desk.workspace.hints(desk.file)]
    assert shown == ["  price: {pine: 1, oak: 2", "    repeat: rounds"]
    desk.workspace.open(desk.folder / "variants" / "rich.yaml", VARIANT.replace("oak: 5", "oak: 6"))
    assert (price, "rich: 6") in {(one.span.line, one.text) for one in desk.workspace.hints(desk.file)}


def test_scenarios_run_as_they_are_shown_and_fail_at_their_place(desk: Desk) -> None:
    file = desk.folder / "scenarios" / "worth.yaml"
    trials = desk.workspace.scenarios(file)
    assert [(one.span.line, one.result) for one in trials] == [(4, None), (8, None)]
    desk.workspace.run(file)
    right, wrong = (one.result for one in desk.workspace.scenarios(file))
    assert right is not None
    assert right.passed
    assert wrong is not None
    assert not wrong.passed
    [failure] = desk.workspace.failures(file)
    assert failure.span.line == 11
    desk.workspace.open(desk.file, GAME.replace("m.value + price[m.home]", "0"))
    assert desk.workspace.failures(file) == []
    assert [one.passed for one in desk.workspace.run(file)] == [False, True]


def test_comments_are_no_words(desk: Desk) -> None:
    desk.workspace.open(
        desk.file,
        GAME.replace("    if found:", '    # draw one card\n    # gold#1 is said "twice"\n    if found:  # then some'),
    )
    comments = [(one.span.line, one.span.column) for one in desk.workspace.tokens(desk.file) if one.what == "comment"]
    line = GAME[: GAME.index("    if found:")].count("\n") + 1
    assert comments == [(line, 5), (line + 1, 5), (line + 2, 16)]
    words = [one.what for one in desk.workspace.tokens(desk.file) if line <= one.span.line < line + 2]
    assert words == ["comment", "comment"]


def test_names_lead_to_what_declares_them_and_files_to_their_beginning(desk: Desk) -> None:
    [zone] = desk.workspace.definition(*desk.at("forest to p"))
    assert (Path(zone.file).name, zone.line) == ("game.yaml", 18)
    scenarios = desk.folder / "scenarios" / "worth.yaml"
    desk.workspace.open(scenarios, SCENARIOS.replace("players:", "with: [rich]\nplayers:"))
    [variant] = desk.workspace.definition(scenarios, 2, 9)
    assert (Path(variant.file).name, variant.line) == ("rich.yaml", 1)
    [game] = desk.workspace.definition(scenarios, 1, 6)
    assert Path(game.file).name == "game.yaml"


def test_of_two_local_names_with_one_word_only_one_is_renamed(desk: Desk) -> None:
    text = GAME.replace(
        "    if found: p.score",
        "    p.score = count(m in forest where m.home == oak) + sum(m.value for m in p.basket)\n    if found: p.score",
    )
    desk.workspace.open(desk.file, text)
    changes = desk.workspace.rename(*desk.at("m.value for", text=text), "fungus")
    line = next(at for at, row in enumerate(text.split("\n"), 1) if "sum(m.value" in row)
    column = text.split("\n")[line - 1].index("m.value for") + 1
    assert sorted((one.span.line, one.span.column) for one in changes) == [(line, column), (line, column + 12)]


def test_a_name_that_a_local_name_shares_is_renamed_where_it_is_meant(desk: Desk) -> None:
    text = GAME.replace(
        "    if found: p.score",
        "    n = count(forest) + count(m in p.basket where any(forest in players where forest == p))\n    if found: p.score",
    )
    desk.workspace.open(desk.file, text)
    changes = desk.workspace.rename(*desk.at("forest to p.basket", text=text), "wood")
    rows = {text.split("\n")[one.span.line - 1][: one.span.column - 1].strip() for one in changes}
    assert rows == {"starts_in:", "", "draw 1 from", "n = count(", "do: shuffle"}


def test_a_step_and_a_zone_may_have_one_name_and_only_what_is_meant_is_renamed(desk: Desk) -> None:
    text = GAME.replace("  walk:", "  forest:").replace(
        "score(player): int", "score(player): {type: int, reset: forest}"
    )
    desk.workspace.open(desk.file, text)
    desk.workspace.open(desk.folder / "variants" / "rich.yaml", VARIANT.replace("walk:", "forest:"))
    step = desk.workspace.rename(*desk.at("forest:\n", text=text), "walk")
    assert sorted((Path(one.span.file).stem, one.span.line) for one in step) == [
        ("game", text[: text.index("reset: forest")].count("\n") + 1),
        ("game", text[: text.index("  forest:\n")].count("\n") + 1),
        ("rich", 8),
    ]
    zone = desk.workspace.rename(*desk.at("forest to p.basket", text=text), "wood")
    rows = {text.split("\n")[one.span.line - 1][: one.span.column - 1].strip() for one in zone}
    assert rows == {"starts_in:", "", "draw 1 from", "do: shuffle"}
    assert {Path(one.span.file).stem for one in zone} == {"game"}


def test_the_name_of_a_choice_in_a_scenario_is_no_name_of_the_game(desk: Desk) -> None:
    scenarios = desk.folder / "scenarios" / "worth.yaml"
    desk.workspace.open(scenarios, SCENARIOS + "play:\n  - anna: {morel: truffle}\n")
    changes = desk.workspace.rename(*desk.at("morel: {value", text=GAME), "spore")
    assert {Path(one.span.file).stem for one in changes} == {"game"}


def test_functions_of_pieces_are_offered_told_and_renamed(desk: Desk) -> None:
    text = GAME
    for old, new in (
        ("    starts_in:", "    functions:\n      scent: {do: this.value + 1, bonuses: basket}\n    starts_in:"),
        ("home: pine, count: 4", "home: pine, count: 4, scent: this.value * 2"),
        ("value: 9,", "value: 9, bonus: {scent: so_far},"),
        ("perform pick(me)", "me.score += sum(m.scent for m in me.basket)"),
    ):
        text = text.replace(old, new, 1)
    desk.workspace.open(desk.file, text)
    found = desk.workspace.hover(*desk.at("scent for", text=text))
    assert found is not None
    assert "function of `mushroom`" in found.text
    changes = desk.workspace.rename(*desk.at("scent for", text=text), "smell")
    assert len({one.span.line for one in changes}) == 4
    for before in ("this.value *", "this.value +"):
        place = text.index(before) + len("this.")
        line, column = text.count("\n", 0, place) + 1, place - text.rindex("\n", 0, place)
        desk.workspace.open(desk.file, text[:place] + text[place + 5 :])
        offered = [one.label for one in desk.workspace.complete(desk.file, line, column)]
        assert {"value", "home", "scent"} <= set(offered)
        assert "basket" not in offered


def test_partners_are_offered_and_told_where_there_are_teams(desk: Desk) -> None:
    effect = "  new: |\n    for p in "
    assert "partners" not in desk.offered(effect) and "opponents" in desk.offered(effect)
    teams = GAME.replace("actions:\n", "teams: position(players, me) % 2\nactions:\n")
    text = teams.replace("perform pick(me)", "for p in partners: p.score += 1", 1)
    desk.workspace.open(desk.file, text)
    found = desk.workspace.hover(*desk.at("partners", text=text))
    assert found is not None and "of my team" in found.text
    assert "partners" in desk.offered(effect, game=teams)


def test_a_parameter_is_renamed_in_its_signature(desk: Desk) -> None:
    changes = desk.workspace.rename(*desk.at("p.basket as", text=GAME), "gatherer")
    rows = GAME.split("\n")
    assert [rows[one.span.line - 1][one.span.column - 1 : one.span.end_column - 1] for one in changes] == [
        "p",
        "p",
        "p",
    ]
    assert "pick(player p)" in rows[changes[0].span.line - 1]


def test_the_names_of_an_event_are_renamed_in_it(desk: Desk) -> None:
    trigger = (
        "triggers:\n  rot:\n    whenever: lost leaves basket of owner\n    do: if lost.value > 1: owner.score -= 1\n"
    )
    text = GAME.replace("flow:\n", f"{trigger}flow:\n")
    desk.workspace.open(desk.file, text)
    for word, inside in (("lost.value", "lost"), ("owner.score", "owner")):
        changes = desk.workspace.rename(*desk.at(word, text=text), "other")
        assert [text.split("\n")[one.span.line - 1][one.span.column - 1 :][: len(inside)] for one in changes] == [
            inside
        ] * 2


def test_a_name_with_an_index_is_no_attribute_that_is_called_alike(desk: Desk) -> None:
    text = GAME.replace("value", "price")
    desk.workspace.open(desk.file, text)
    [table] = desk.workspace.definition(*desk.at("price[m.home]", text=text))
    assert text.split("\n")[table.line - 1].startswith("  price: {pine")
    [attribute] = desk.workspace.definition(*desk.at("m.price", 3, text=text))
    assert "attributes: {price" in text.split("\n")[attribute.line - 1]


def test_a_name_is_changed_everywhere_and_only_where_it_means_the_same(desk: Desk) -> None:
    changes = desk.workspace.rename(*desk.at("worth(mushroom"), "gain")
    places = sorted((Path(one.span.file).name, one.span.line) for one in changes)
    assert places == [("game.yaml", 25), ("game.yaml", 29), ("worth.yaml", 6), ("worth.yaml", 11)]
    local = desk.workspace.rename(*desk.at("found: p.score"), "prize")
    assert {one.span.line for one in local} == {28, 29}
    for word, name, why in (("forest to p", "basket", "means something"), ("forest to p", "if", "cannot be a name")):
        with pytest.raises(Refused, match=why):
            desk.workspace.rename(*desk.at(word), name)


def test_a_name_is_changed_in_paths_too(desk: Desk) -> None:
    scenarios, sparse = desk.folder / "scenarios" / "worth.yaml", desk.folder / "variants" / "sparse.yaml"
    sparse.write_text(
        "variant: sparse\nof: woods\ntitle: {en: Sparse, ja: 少}\nremove: [flow.walk.repeat]\n", encoding="utf-8"
    )
    text = SCENARIOS.replace("players:", "from: walk\nplayers:", 1)
    desk.workspace.open(scenarios, text)
    changes = desk.workspace.rename(*desk.at("walk:"), "stroll")
    places = sorted((Path(one.span.file).name, one.span.line, one.span.column) for one in changes)
    assert ("sparse.yaml", 4, 15) in places
    assert ("worth.yaml", 2, 7) in places
    assert {name for name, *_ in places} == {"game.yaml", "rich.yaml", "sparse.yaml", "worth.yaml"}


def test_a_local_name_is_changed_in_the_translations_of_its_sentences_too(desk: Desk) -> None:
    text = GAME.replace("if found: p.score", 'say "{p} has {found}"\n    if found: p.score')
    text += 'translations: {ja: {"{p} has {found}": "{p}が{found}"}}\n'
    desk.workspace.open(desk.file, text)
    assert desk.workspace.diagnostics(desk.file)[desk.file] == []
    changes = desk.workspace.rename(*desk.at("found\n", text=text), "prize")
    lines = text.split("\n")
    assert [lines[one.span.line - 1][one.span.column - 1 :][:5] for one in changes] == ["found"] * 6
    assert sorted(one.span.line for one in changes) == [28, 29, 30, 30, 40, 40]


def test_a_word_that_may_have_been_meant_is_a_fix_to_choose(desk: Desk) -> None:
    desk.workspace.open(desk.file, GAME.replace("perform pick(me)", "perform pik(me)"))
    desk.workspace.diagnostics(desk.file, whole=False)
    [(one, fix)] = desk.workspace.suggested(desk.file)
    assert (one.code, fix.text, desk.workspace.mended(desk.file)) == ("HR503", "pick", [])
    desk.workspace.open(desk.file, GAME.replace("draw 1 from", "draw one from"))
    desk.workspace.diagnostics(desk.file, whole=False)
    assert [fix.text for _, fix in desk.workspace.suggested(desk.file)] == ["1"]


def test_the_file_at_hand_comes_first_and_all_together_is_what_validate_says(desk: Desk) -> None:
    texts = {
        desk.file: GAME.replace("shuffle forest", "shufle forest"),
        desk.folder / "variants" / "rich.yaml": VARIANT.replace("oak: 5", "oak: five"),
        desk.folder / "scenarios" / "worth.yaml": SCENARIOS.replace("== 11", "== eleven"),
    }
    for file, text in texts.items():
        for other, kept in zip(texts, (GAME, VARIANT, SCENARIOS), strict=True):
            desk.workspace.open(other, text if other == file else kept)
        soon = desk.workspace.diagnostics(file, whole=False)
        assert [one.message for one in soon[file]]
        for one, shown in zip(texts, (GAME, VARIANT, SCENARIOS), strict=True):
            one.write_text(text if one == file else shown, encoding="utf-8")
        found = desk.workspace.diagnostics(file)
        assert [one for inside in found.values() for one in inside] == sorted(
            houserule.validate(desk.folder), key=lambda one: (Path(one.span.file), one.span.line)
        ), file


def test_files_come_and_go(desk: Desk) -> None:
    file = desk.folder / "more.yaml"
    desk.workspace.open(desk.file, GAME.replace("players: 2..3\n", "players: 2..3\ninclude: [more.yaml]\n"))
    assert [one.code for one in desk.workspace.diagnostics(desk.file)[desk.file]] == ["HR101"]
    file.write_text("variables: {luck(player): int}\n", encoding="utf-8")
    assert len(desk.workspace.diagnostics(desk.file)[file]) == 1  # nothing uses it
    file.unlink()
    assert [one.code for one in desk.workspace.diagnostics(desk.file)[desk.file]] == ["HR101"]
    desk.folder.rename(desk.folder.parent / "grove")
    assert desk.workspace.diagnostics(desk.file)
    shutil.rmtree(desk.folder.parent / "grove")
    desk.workspace.diagnostics(desk.file)
    assert desk.workspace.complete(*desk.at("forest to p")) is not None


def test_two_games_and_a_game_of_a_hundred_files_stay_apart(desk: Desk, tmp_path: Path) -> None:
    other = write(tmp_path / "grove")
    parts = [f"part_{number}.yaml" for number in range(100)]
    other.write_text(GAME.replace("game: woods", f"game: grove\ninclude: [{', '.join(parts)}]"), encoding="utf-8")
    for number, name in enumerate(parts):
        text = f"functions: {{helps_{number}(mushroom m): m.value + {number}}}\n"
        (other.parent / name).write_text(text, encoding="utf-8")
    shutil.rmtree(other.parent / "variants")
    shutil.rmtree(other.parent / "scenarios")
    desk.workspace.open(
        other, other.read_text(encoding="utf-8").replace("worth(found)", "helps_99(found) + helps_x(found)")
    )
    wrong = [one for inside in desk.workspace.diagnostics(other).values() for one in inside]
    assert [one.message for one in wrong if "helps_x" in one.message]
    assert desk.workspace.diagnostics(desk.file)[desk.file] == []
    assert {one.what for one in desk.workspace.declarations(other) if one.name.startswith("helps_")} == {"function"}
    assert not [one for one in desk.workspace.declarations(desk.file) if one.name.startswith("helps_")]


@pytest.mark.parametrize(
    "long",
    [
        lambda n: f'    say "{"x" * n}"',
        lambda n: f"    perform {'x' * n}!(",
        lambda n: f"    {'9a' * n}-",
        lambda n: "    say " + '"' + '\\"' * n,
        lambda n: f"    choose x from a{' ' * n}x or x",
        lambda n: f"    x = f({'x' * n} x",
        lambda n: f"x{' ' * n}x\n    perform ",
    ],
)
def test_long_words_and_lines_are_answered_at_once(long: Callable[[int], str], desk: Desk) -> None:
    """At this length, what grows with the square takes minutes."""
    line = long(50_000)
    text = GAME.replace("    draw 1 from", f"{line}\n    draw 1 from")
    number = text.count("\n", 0, text.index(line)) + line.count("\n") + 1
    begun = process_time()
    desk.workspace.open(desk.file, text)
    last = line.split("\n")[-1]
    for column in (len(last) // 2, len(last), len(last) + 1):
        desk.workspace.complete(desk.file, number, column)
        desk.workspace.hover(desk.file, number, column)
        desk.workspace.signature(desk.file, number, column)
        desk.workspace.references(desk.file, number, column)
    desk.workspace.tokens(desk.file)
    assert process_time() - begun < 10
