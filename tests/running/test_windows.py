"""Windows: players step in with responses that resolve last in, first out, and with cards at any time."""

from __future__ import annotations

from pathlib import Path

import pytest

import houserule
from houserule import Game, InvalidGame, simulate
from houserule.trial.check import Wanted, check

HERE = Path(__file__).parent / "windows"
EXAMPLES = ("duel_of_herbs", "fire_watch")


@pytest.mark.parametrize("name", EXAMPLES)
def test_whole_matches_go_alike_in_python_and_natively(name: str) -> None:
    game = houserule.load(HERE / name)
    for players in (2, 3):
        slow, fast = (
            simulate(game, 60, players, seed=4, engine=engine, offers=True) for engine in ("python", "native")
        )
        assert list(fast.options()) == list(slow.options())
        assert fast.summary.to_json() == slow.summary.to_json()
    found = check(HERE / name, Wanted(matches=10, close=1))
    assert not found.diagnostics and not found.violations


def test_bots_that_imagine_tell_lines_by_their_pieces() -> None:
    assert len(simulate(houserule.load(HERE / "duel_of_herbs"), 2, 2, seats="mcts:3,greedy", seed=1)) == 2


def test_the_manual_has_the_same_duel() -> None:
    manual = (Path(__file__).parents[2] / "docs" / "language.md").read_text(encoding="utf-8")
    _, _, rules = (HERE / "duel_of_herbs" / "game.yaml").read_text(encoding="utf-8").partition("\n")
    assert f"```yaml whole\n{rules}```" in manual


BASE = """\
edition: 2026
game: cellar
players: 3
components:
  jar:
    attributes: {sweet: bool}
    starts_in: shelf
    pieces: {plum: {sweet: true, count: 3}, onion: {count: 3}}
zones:
  shelf: {holds: jar, visible: all}
  hand(player): {holds: jar, visible: owner}
variables: {eaten: 0..99, last: player or none}
windows:
  snack: {turns: p in players where p != last, ask: Eat something?}
actions:
  eat(jar j):
    in: snack
    for: j in me.hand where j.sweet
    do: |
      move j to shelf
      eaten += 1
      last = me
  knock: nothing
flow:
  evening:
    turns: players
    do: |
      perform knock
      perform snack
scoring: {eaten: eaten}
"""


def game_of(folder: Path, *changes: tuple[str, str]) -> Game:
    rules = BASE
    for old, new in changes:
        assert old in rules
        rules = rules.replace(old, new)
    (folder / "game.yaml").write_text(rules, encoding="utf-8")
    return houserule.load(folder)


def asked(game: Game) -> list[str]:
    """Who is asked, and whether more than passing is offered; all pass."""
    match = game.start(["Ann", "Bob", "Cid"], seed=1)
    found = []
    while not match.is_over:
        choice = match.pending[0]
        found.append(f"{choice.player} {len(choice.options)}")
        match.answer(choice.player, "pass")
    return found


@pytest.mark.parametrize(
    ("deal", "amount", "expected"),
    [
        ("nothing", "all", []),  # all see that nobody has anything
        ("nothing", "owner", ["Ann 1", "Bob 1", "Cid 1"] * 3),  # nobody can see it
        ("move onion#2 to first(players).hand", "all", ["Ann 1"] * 3),  # Ann might have something
        ("move plum#2 to first(players).hand", "all", ["Ann 2"] * 3),
    ],
)
def test_who_is_asked_does_not_depend_on_what_is_hidden(
    tmp_path: Path, deal: str, amount: str, expected: list[str]
) -> None:
    setup = ("  evening:", f"  setup: {{do: {deal}}}\n  evening:")
    hand = ("visible: owner}", f"visible: owner, amount: {amount}}}")
    game = game_of(tmp_path, setup, hand, (" where p != last", ""))
    assert asked(game) == expected


def test_a_window_without_secrets_asks_only_those_who_can_do_something(tmp_path: Path) -> None:
    setup = ("  evening:", "  setup: {do: move onion#1 to first(players).hand}\n  evening:")
    assert asked(game_of(tmp_path, setup, ("visible: owner}", "visible: all}"))) == []


def test_a_window_does_not_ask_who_is_out(tmp_path: Path) -> None:
    setup = ("  evening:", '  setup: {do: "for p in players: draw 1 from shelf to p.hand"}\n  evening:')
    out = ("flow:", "eliminated: me == first(players)\nflow:")
    everybody, but_ann = asked(game_of(tmp_path, setup)), asked(game_of(tmp_path, setup, out))
    assert {one[:3] for one in everybody} == {"Ann", "Bob", "Cid"}
    assert {one[:3] for one in but_ann} == {"Bob", "Cid"}


def test_only_what_finishes_with_true_closes_a_window_and_a_variable_says_what_was_decided(tmp_path: Path) -> None:
    eat = """  eat:
    in: snack
    when: eaten < 2
    do: |
      eaten += 1
      finish with false
  refuse:
    in: snack
    do: |
      last = me
      finish with true
"""
    begin, end = BASE.index("  eat(jar j):"), BASE.index("  knock:")
    rules = BASE[:begin] + eat + BASE[end:]
    rules = rules.replace(" where p != last", "").replace(
        "    turns: players\n    do: |\n      perform knock\n", "    do: |\n"
    )
    rules = rules.replace(
        "perform snack\n", 'closed = perform snack\n      if closed and last: say "{last} refuses."\n'
    )
    (tmp_path / "game.yaml").write_text(rules, encoding="utf-8")
    match = houserule.load(tmp_path).start(["Ann", "Bob", "Cid"], seed=1)
    for player, answer in (("Ann", "Eat"), ("Bob", "Eat"), ("Cid", "Refuse")):
        assert [choice.player for choice in match.pending] == [player]
        match.answer(player, next(option for option in match.pending[0].options if option.label == answer))
    assert match.is_over
    assert "Cid refuses." in [event.text for event in match.events]


def test_a_window_opens_by_itself_around_an_action(tmp_path: Path) -> None:
    setup = ("  evening:", "  setup: {do: move plum#1 to first(players).hand}\n  evening:")
    opens = ("ask: Eat something?", "ask: Eat something?, opens: [before knock, after knock]")
    once = asked(game_of(tmp_path, setup))
    assert asked(game_of(tmp_path, setup, opens, ("      perform snack\n", ""))) == [*once, *once]


def test_an_action_may_be_in_several_windows(tmp_path: Path) -> None:
    setup = ("  evening:", "  setup: {do: move plum#1 to first(players).hand}\n  evening:")
    supper = ("actions:", "  supper: {turns: players, ask: Hungry?}\nactions:")
    both = ("    in: snack\n", "    in: [snack, supper]\n")
    twice = ("      perform snack\n", "      perform snack\n      perform supper\n")
    game = game_of(tmp_path, setup, supper, both, twice)
    assert asked(game) == ["Ann 2", "Ann 2"] * 3
    match = game.start(["Ann", "Bob", "Cid"], seed=1)
    match.answer("Ann", "pass")
    assert match.pending[0].prompt == "Hungry?"
    match.answer("Ann", "Eat: plum")
    assert match.events[-1].text == "Ann: Eat: plum" or any("plum" in one.text for one in match.events)
    outcomes = [simulate(game, 20, 3, seed=4, engine=engine).summary.to_json() for engine in ("python", "native")]
    assert outcomes[0] == outcomes[1]


SHOUT = ("  knock: nothing", "  shout: {in: snack, do: finish with true}\n  knock: nothing")
HIDES = ("      perform snack\n", "      closed = perform snack\n      if closed: move top(shelf) to me.hand\n")


def told(game: Game, answer: str) -> list[str]:
    """What Bob is told of Ann's first answer."""
    match = game.start(["Ann", "Bob", "Cid"], seed=1)
    match.answer("Ann", answer)
    return [one.text for one in match.events_for("Bob") if one.kind in ("answer", "say")]


@pytest.mark.parametrize(
    ("tell", "said"), [("", ["Ann: Shout"]), ('tell: "{me} shouts.", ', ["Ann shouts."]), ('tell: "", ', [])]
)
def test_all_are_told_who_steps_in_although_hidden_things_hang_on_it(
    tmp_path: Path, tell: str, said: list[str]
) -> None:
    shout = (SHOUT[0], SHOUT[1].replace("in: snack, ", f"in: snack, {tell}"))
    game = game_of(tmp_path, shout, HIDES, ("    for: j in me.hand where j.sweet\n", "    for: j in shelf\n"))
    assert told(game, "Shout") == said
    assert told(game, "pass") == ["Ann: pass"]


def test_of_what_is_in_a_hand_all_are_told_only_what_the_author_says(tmp_path: Path) -> None:
    setup = ("  evening:", "  setup: {do: move plum#1 to first(players).hand}\n  evening:")
    tell = ("    in: snack\n", '    in: snack\n    tell: "{me} eats something sweet."\n')
    assert told(game_of(tmp_path, setup), "Eat: plum") == []
    assert told(game_of(tmp_path, setup, tell), "Eat: plum") == ["Ann eats something sweet."]


@pytest.mark.parametrize("steals", ["move top(shelf) to me.hand", "plan[me] = 3"])
def test_what_an_action_in_a_window_keeps_is_told_only_as_its_author_says(tmp_path: Path, steals: str) -> None:
    plan = ("variables: {", "variables: {plan(player): {type: 0..9, visible: owner, for_people: true}, ")
    steal = ("  knock: nothing", f"  steal: {{in: snack, do: '{steals}'}}\n  knock: nothing")
    assert told(game_of(tmp_path, plan, steal, ("in me.hand where j.sweet", "in shelf")), "Steal") == []


@pytest.mark.parametrize("listed", ["(x in me.hand where x.sweet)", "(me.hand where it.sweet)"])
def test_the_list_in_a_window_may_have_names_of_its_own(tmp_path: Path, listed: str) -> None:
    setup = ("  evening:", "  setup: {do: 'move [plum#1, onion#1] to first(players).hand'}\n  evening:")
    named = ("for: j in me.hand where j.sweet", f"for: j in {listed}")
    assert asked(game_of(tmp_path, setup, named)) == asked(game_of(tmp_path, setup))


def test_the_coverage_of_a_window_that_opens_by_itself_is_that_of_its_actions(tmp_path: Path) -> None:
    opens = ("ask: Eat something?", "ask: Eat something?, opens: [before knock]")
    game_of(tmp_path, opens, ("      perform snack\n", ""))
    scenarios = tmp_path / "scenarios"
    scenarios.mkdir()
    (scenarios / "eating.yaml").write_text(
        "of: cellar\nplayers: [ann, bob, cid]\n---\nscenario: Ann eats\ngiven: move plum#1 to ann.hand\n"
        "play:\n  - do: {as: ann, effect: perform knock}\n  - ann: {menu: 'Eat: plum'}\nexpect: eaten == 1\n",
        encoding="utf-8",
    )
    found = check(tmp_path, Wanted(matches=2, close=0))
    assert {one.code for one in found.diagnostics} == {"HR571"} and not found.violations  # only the scenario deals


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("in: snack", "in: snak", "there is no window 'snak'"),
        ("in: snack", "in: [snack, snak]", "there is no window 'snak'"),
        ("    in: snack\n", "", "'eat' is in no window, so nobody is offered it"),
        ("knock: nothing", "knock: {tell: Knock., do: nothing}", "'knock' is in no window, so nobody is offered it"),
        ("    in: snack\n", "    in: snack\n    tell: '{food}'\n", "there is nothing called 'food'"),
        ("eat(jar j)", "eat(jar j, int n)", "nothing in 'snack' says which 'n' this is"),
        ("  snack:", "  knock:", "'knock' is already the name of an action"),
        (
            "ask: Eat something?",
            "ask: Eat something?, opens: [eaten changes]",
            "a window opens by itself before or after",
        ),
        ("ask: Eat something?", "ask: 'Eat {food}?'", "there is nothing called 'food'"),
        ("for: j in me.hand", "for: j in me.eaten", "eaten"),
    ],
)
def test_mistakes_in_windows_have_their_places(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(InvalidGame) as raised:
        game_of(tmp_path, (old, new))
    assert message in str(raised.value)
