"""Every item of a scenario holds and fails as it says, in a small game of our own: tests/rehearsing/orchard."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from houserule import InvalidGame, ScenarioResult, rehearse, validate

ORCHARD = Path(__file__).parent / "orchard" / "game.yaml"
Run = Callable[[str], list[ScenarioResult]]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of scenarios in the folder of the game."""
    folder = tmp_path / "orchard"
    (folder / "scenarios").mkdir(parents=True)
    shutil.copy(ORCHARD, folder)
    return folder / "scenarios" / "some.yaml"


@pytest.fixture
def run(file: Path) -> Run:
    """Runs scenarios as they are written."""

    def run(text: str) -> list[ScenarioResult]:
        file.write_text(dedent(text), encoding="utf-8")
        return rehearse(file)

    return run


@pytest.fixture
def message(run: Run) -> Callable[[str], str]:
    """Runs what a scenario of three players plays and expects; its message, empty if it holds."""

    def message(text: str) -> str:
        (result,) = run(
            "of: orchard\nplayers: [ann, bob, cid]\nscenario: some sentence\n"
            "setup: [roll: {starter: ann}, ann: {bet: 3}, bob: {bet: 5}, cid: {bet: 7}]\n" + dedent(text)
        )
        assert result.passed == (result.message == "")
        return result.message

    return message


@pytest.fixture
def mistakes(run: Run) -> Callable[[str], list[str]]:
    """Runs a scenario that is written wrong; what is said about it."""

    def mistakes(text: str) -> list[str]:
        with pytest.raises(InvalidGame) as found:
            run("of: orchard\nplayers: [ann, bob, cid]\nscenario: some sentence\n" + dedent(text))
        return [f"{diagnostic.code} {diagnostic.message}" for diagnostic in found.value.diagnostics]

    return mistakes


Message = Callable[[str], str]
Mistakes = Callable[[str], list[str]]

PICK = "from: round.pick\n"


# --- answers ----------------------------------------------------------------------------------------------------------


def test_answers_are_given_by_the_names_they_bind_successive_ones_in_one_line(message: Message) -> None:
    assert not message(
        "from: round.bid\nplay: [ann: {offer: 2}, cid: {offer: 7}, bob: {offer: 1}]\nexpect: secret[cid] == 7"
    )


def test_an_answer_that_is_not_among_the_options_fails_and_shows_them(message: Message) -> None:
    assert message("from: round.bid\nplay: [ann: {offer: 4}]") == (
        "'4' is not among the options of ann\n"
        "ann is asked for 'offer' \"How much is offered?\": 0, 1, 2, 3\n"
        "bob is asked for 'offer' \"How much is offered?\": 0, 1, 2, 3, 4, 5\n"
        "cid is asked for 'offer' \"How much is offered?\": 0, 1, 2, 3, 4, 5, 6, 7"
    )


def test_an_answer_that_nobody_asked_for_fails(message: Message) -> None:
    assert message(PICK + "play: [bob: Rest]") == (
        'bob is not asked anything\nann is asked "Pick another fruit?": Pick, Shake, Rest'
    )
    assert message(PICK + "play: [ann: {fruit: plum}]").startswith("ann is not asked for 'fruit'\n")


def test_a_menu_is_answered_by_a_label_also_with_its_prompt_as_name(message: Message) -> None:
    assert not message(PICK + 'play: [ann: Pick, ann: {"Pick another fruit?": Rest}]\nexpect: count(ann.crate) == 1')
    assert message(PICK + "play: [ann: Dance]").startswith("'Dance' is not among the options of ann\n")


def test_pass_is_an_answer(message: Message) -> None:
    given = "given: move apple#1 to ann.crate\nfrom: round.market\n"
    assert not message(given + "play: [ann: pass]\nexpect: apple#1 in ann.crate and coins[ann] == 0")
    assert not message(given + "play: [ann: {ware: pass}]\nexpect: apple#1 in ann.crate")
    assert not message(given + "play: [ann: {ware: apple}]\nexpect: apple#1 in compost and coins[ann] == 2")


def test_a_list_answers_a_choice_of_several(message: Message) -> None:
    given = "given: move [apple#1, apple#2, apple#3] to ann.crate\nfrom: round.market\n"
    assert not message(
        given + "play: [ann: {ware: pass, keepers: [apple#1, apple#3]}]\nexpect: apple#3.ripe and not apple#2.ripe"
    )
    assert not message(
        given + "play: [ann: {ware: pass, keepers: [apple, apple]}]\nexpect: count(f in ann.crate where f.ripe) == 2"
    )
    assert not message(given + "play: [ann: {ware: pass, keepers: apple#2}]\nexpect: apple#2.ripe")
    assert not message(given + "play: [ann: {ware: pass, keepers: []}]\nexpect: not apple#1.ripe")
    assert not message(given + "play: [ann: {ware: pass, keepers: pass}]\nexpect: not apple#1.ripe")
    assert message(given + "play: [ann: {ware: pass, keepers: [apple, apple, apple]}]") == (
        "'apple, apple, apple' is not among the options of ann\n"
        "ann is asked for 'keepers' (0 to 2 of them) \"Which fruit stays fresh?\": apple#1, apple#2, apple#3"
    )


BARTER = """\
given: |
  move [apple#1, apple#2, pear#1] to ann.crate
  move [pear#2, fig#1, apple#3] to compost
play:
  - do:
      as: ann
      effect: |
        choose ware or pass from me.crate, wanted from f in compost where f.worth <= ware.worth "Give which, and for which?":
          swap ware with wanted
"""


def test_what_is_chosen_together_is_one_answer_by_its_names_or_in_a_list(message: Message) -> None:
    given = BARTER
    for answer in ("{ware: apple, wanted: apple}", "{wanted: apple#3, ware: apple#1}", "[apple#2, apple#3]"):
        assert not message(given + f"  - ann: {answer}\nexpect: apple#3 in ann.crate and count(ann.crate) == 3")
    assert not message(given + "  - ann: pass\nexpect: apple#3 in compost")
    assert not message(given + "  - options: {ann: [[apple, apple], pass]}\n")
    assert not message(given + "  - refuse: {ann: [[pear, apple], [apple, fig]]}\n")
    assert not message(given + "  - refuse: {ann: {ware: pear, wanted: apple}}\n")
    assert message(given + "  - ann: {ware: pear}").startswith(
        "ann is asked for 'ware' and 'wanted' in one question: answer that together\n"
        "ann is asked for 'ware' and 'wanted' \"Give which, and for which?\": [apple#2, apple#3], pass"
    )
    assert message(given + "  - ann: [pear, fig]").startswith("'pear, fig' is not among the options of ann\n")
    assert message(given + "  - refuse: {ann: [[pear, melon]]}").startswith("'pear, melon' does not exist")
    assert message(given + "  - refuse: {ann: [pear, fig]}").startswith(
        "ann is asked for 'ware' and 'wanted' in one question: refuse that together\n"
    )


def test_a_copy_stands_for_those_that_nothing_tells_apart(message: Message) -> None:
    given = "given: |\n  move [apple#1, apple#2, apple#3] to ann.crate\n  apple#2.ripe = true\nfrom: round.market\n"
    assert not message(given + "play: [options: {ann: {ware: [apple#1, apple#2]}}]")
    assert not message(given + "play: [options: {ann: {ware: [apple#3, apple#2]}}]")
    assert message(given + "play: [ann: {ware: apple#4}]").startswith("'apple#4' is not among the options of ann\n")


def test_with_one_option_an_answer_may_be_left_out(message: Message) -> None:
    assert not message(PICK + "play: [ann: Rest, bob: Rest, cid: Rest, pending: [ann, bob, cid]]\nexpect: sales == 0")


def test_answers_while_everybody_acts_at_once_come_in_any_order(message: Message) -> None:
    assert not message("from: round.bid\nplay: [cid: {offer: 1}, ann: {offer: 1}, expect: 'secret[ann] == 3']")


# --- chance -----------------------------------------------------------------------------------------------------------


def test_rolls_come_up_as_promised_one_after_another(message: Message) -> None:
    rain = "options: {rain: true}\nfrom: round.weather\n"
    assert not message(
        rain + "given: favourite = green\nplay: [roll: {wind: 2, gust: red}, pending: ann]\nexpect: wind == 2"
    )
    assert not message(
        rain + "given: favourite = green\nplay: [roll: {wind: 2, gust: green}, pending: ann]\nexpect: wind == 6"
    )
    assert not message(
        """
        play:
          - roll: {n: [3, 1]}
          - do: |
              repeat 2 times:
                roll n from 1..6
                coins[ann] += n
        expect: coins[ann] == 4
        """
    )


def test_a_roll_of_what_cannot_be_rolled_fails(message: Message) -> None:
    rain = "options: {rain: true}\nfrom: round.weather\n"
    assert message(rain + "play: [roll: {wind: 7}, pending: ann]") == "'7' cannot be rolled for 'wind'"
    assert message(rain + "play: [roll: {gust: blue}, pending: ann]") == "'blue' is not a colour"


def test_a_promised_roll_that_never_comes_fails(message: Message) -> None:
    assert message("play: [roll: {wind: [4, 5]}]").startswith("'wind' was not rolled after this: 4, 5 is left over\n")


def test_a_roll_that_no_rule_makes_is_a_mistake(mistakes: Mistakes) -> None:
    assert mistakes("play: [roll: {wnid: 4}]") == ["HR609 nothing called 'wnid' is ever rolled"]


def test_a_deck_puts_pieces_on_top_the_first_drawn_first(message: Message) -> None:
    assert not message(
        PICK + "play: [deck: {tree: [plum, fig#2]}, ann: Shake]\nexpect: [plum in ann.crate, fig#2 in ann.crate]"
    )
    assert not message(
        PICK + "play: [deck: {tree: [plum, fig#2]}, ann: Pick]\nexpect: plum in ann.crate and fig#2 in tree"
    )


def test_a_piece_fetched_from_elsewhere_changes_places_with_the_one_it_displaces(message: Message) -> None:
    assert not message(
        """
        given: |
          move plum to bob.crate
          move [fig#1, apple#1] to tree
        play:
          - deck: {tree: [plum]}
          - expect: [apple#1 in bob.crate, "top(tree) == plum", count(bob.crate) == 1]
          - ann: Pick
        from: round.pick
        expect: plum in ann.crate
        """
    )


def test_a_deck_in_the_set_up_lies_on_top_after_the_shuffle(run: Run) -> None:
    (result,) = run(
        """
        of: orchard
        scenario: The prize and the sacks are as promised
        players: [ann, bob]
        setup:
          - deck: {tree: [plum, pear#2, pear#1]}
        expect: [plum in prize, pear#2 in ann.sack, pear#1 in bob.sack]
        """
    )
    assert result.passed, result.message


def test_a_deck_waits_for_the_shuffle_that_fills_its_pile(message: Message) -> None:
    empty = "given: |\n  move (f in tree) to compost\n  move plum to compost\n"
    do = "{as: ann, effect: 'draw 1 from tree to me.crate'}"
    assert not message(empty + f"play: [deck: {{tree: [plum]}}, do: {do}]\nexpect: plum in ann.crate")
    assert message(empty + "play: [deck: {tree: [plum]}]").startswith(
        "tree was not shuffled after this, and had too few pieces before\n"
    )


def test_a_deck_that_nothing_is_drawn_from_fails(message: Message) -> None:
    assert message("play: [deck: {tree: [plum]}]").startswith("nothing was drawn from tree after this\n")


def test_a_deck_whose_pile_is_gathered_lies_on_top_after_the_shuffle(message: Message) -> None:
    gather = "move every fruit to tree\n      shuffle tree\n      draw 2 from tree to me.crate"
    assert not message(
        f"play:\n- deck: {{tree: [plum, fig#2]}}\n- do:\n    as: ann\n    effect: |\n      {gather}\n"
        "expect: [plum in ann.crate, fig#2 in ann.crate]"
    )


def test_a_piece_of_a_deck_that_was_drawn_and_comes_back_is_not_put_on_top_again(message: Message) -> None:
    again = (
        "draw 1 from tree to me.crate\n      move plum to tree\n      shuffle tree\n      draw 1 from tree to me.crate"
    )
    assert not message(
        f"play:\n- deck: {{tree: [plum, fig#2]}}\n- do:\n    as: ann\n    effect: |\n      {again}\n"
        "expect: [plum in tree, fig#2 in ann.crate]"
    )


def test_of_two_decks_for_one_pile_the_later_lies_on_top_of_the_earlier(message: Message) -> None:
    for then in ("nothing", "shuffle tree"):
        assert not message(
            f"""
            play:
              - deck: {{tree: [plum, fig#2]}}
              - deck: {{tree: [apple#1, fig#1]}}
              - do: {then}
              - do: {{as: ann, effect: draw 2 from tree to me.crate}}
              - do: {{as: bob, effect: draw 2 from tree to me.crate}}
            expect: [apple#1 in ann.crate, fig#1 in ann.crate, plum in bob.crate, fig#2 in bob.crate]
            """
        )


def test_a_deck_larger_than_its_pile_fails(message: Message) -> None:
    assert message("given: move apple#1 to ann.sack\nplay: [deck: {prize: [plum, fig#1]}]").startswith(
        "1 piece lies in prize, so 2 cannot lie on top of it\n"
    )


def test_a_deck_names_a_pile_and_pieces(mistakes: Mistakes) -> None:
    assert mistakes("play: [deck: {tree: [red]}]") == ["HR510 what lies in a deck is a piece, but 'red' is a colour"]
    assert len(mistakes("play: [deck: {trees: [plum]}]")) == 1


# --- races ------------------------------------------------------------------------------------------------------------


def test_a_race_says_who_slapped_fastest_first(message: Message) -> None:
    given = "given: |\n  starter = none\n  move prize to ann.sack\n  move plum to prize\nfrom: round.grab\n"
    assert not message(given + "play: [race: [cid, ann], pending: ann]\nexpect: plum in cid.crate")
    assert not message(given + "play: [race: [], pending: ann]\nexpect: plum in prize")


def test_who_must_slap_and_is_not_named_was_slowest(message: Message) -> None:
    given = "given: |\n  move prize to ann.sack\n  move plum to prize\nfrom: round.grab\n"
    assert not message(given + "play: [race: [bob], pending: ann]\nexpect: plum in bob.crate")
    assert not message(given + "play: [race: [], pending: ann]\nexpect: plum in ann.crate")


def test_a_race_where_there_is_none_fails(message: Message) -> None:
    assert message(PICK + "play: [race: [ann]]").startswith('there is no race now\nann is asked "Pick another fruit?"')


# --- what is offered --------------------------------------------------------------------------------------------------


def test_refuse_holds_for_what_is_not_offered_and_fails_for_what_is(message: Message) -> None:
    bid = "from: round.bid\n"
    assert not message(bid + "play: [refuse: {ann: {offer: 4}}, refuse: {bob: [6, 7]}]")
    assert message(bid + "play: [refuse: {ann: {offer: 3}}]").startswith(
        "'3' is among the options of ann\nann is asked for 'offer' \"How much is offered?\": 0, 1, 2, 3\n"
    )


def test_refuse_of_what_does_not_exist_fails(message: Message) -> None:
    market = "given: move apple#1 to ann.crate\nfrom: round.market\n"
    assert not message(market + "play: [refuse: {ann: {ware: plum}}]")
    for word in ("melon", "apple#5", "ann"):
        assert message(market + f"play: [refuse: {{ann: {{ware: {word}}}}}]").startswith(
            f"'{word}' does not exist, so it cannot be refused\n"
        )
    assert message("from: round.bid\nplay: [refuse: {ann: {offer: 99}}]").startswith("'99' does not exist")
    assert message(PICK + "play: [refuse: {ann: Shout}]").startswith("'Shout' does not exist")


def test_refuse_of_a_menu_line_that_is_hidden_now(message: Message) -> None:
    assert not message(
        PICK
        + "given: move [plum, fig#1, fig#2, pear#1, pear#2, apple#1, apple#2] to compost\nplay: [refuse: {ann: Pick}]"
    )


def test_options_are_exactly_these(message: Message) -> None:
    bid = "from: round.bid\n"
    assert not message(bid + "play: [options: {ann: [0, 1, 2, 3]}]")
    assert not message(PICK + "play: [options: {ann: [Rest, Pick, Shake]}]")
    assert message(bid + "play: [options: {ann: [0, 1, 2, 4]}]").startswith("not offered: 4; offered as well: 3\n")
    assert message(bid + "play: [options: {ann: {offer: [0, 1]}}]").startswith("offered as well: 2, 3\n")
    assert message(PICK + "play: [options: {ann: {offer: [1]}}]").startswith("ann is not asked for 'offer'\n")


def test_pass_need_not_be_said_among_the_options(message: Message) -> None:
    market = "given: move apple#1 to ann.crate\nfrom: round.market\n"
    assert not message(market + "play: [options: {ann: apple}]")
    assert not message(market + "play: [options: {ann: [apple, pass]}]")
    assert message(PICK + "play: [options: {ann: [Pick, Shake, Rest, pass]}]").startswith("not offered: pass\n")


# --- effects under test, expectations ---------------------------------------------------------------------------------


def test_an_effect_runs_while_the_machine_stands_still(message: Message) -> None:
    assert not message("play: [do: move plum to ann.crate, expect: plum in ann.crate, expect: 'secret[ann] == 3']")
    assert not message("play: [do: {as: bob, effect: me.coins += 4}]\nexpect: coins[bob] == 4")


def test_an_effect_that_asks_runs_while_the_machine_stands_still(message: Message) -> None:
    assert not message(
        """
        play:
          - do: {as: ann, effect: perform gift(plum)}
          - options: {ann: {friend: [bob, cid]}}
          - ann: {friend: cid}
          - expect: plum in cid.crate
          - ann: {offer: 2}
        """
    )


def test_an_effect_runs_on_top_of_a_choice_which_is_then_worked_out_anew(message: Message) -> None:
    assert not message(
        PICK
        + """
play:
  - options: {ann: [Pick, Shake, Rest]}
  - do: "move [plum, fig#1, fig#2, pear#1, pear#2, apple#1, apple#2] to compost"
  - options: {ann: [Shake, Rest]}
  - do: {as: ann, effect: perform gift(plum)}
  - pending: ann
  - ann: {friend: bob}
  - options: {ann: [Shake, Rest]}
  - ann: Rest
  - pending: bob
expect: plum in bob.crate
"""
    )


def test_an_effect_of_nobody_cannot_need_a_me(mistakes: Mistakes) -> None:
    assert mistakes("play: [do: me.coins += 4]") == ["HR530 this effect needs a 'me', and nobody is 'me' here"]
    assert mistakes("given: perform gift(plum)") == [
        "HR530 nobody is 'me' in 'given'",
        "HR605 'given' may not ask anybody",
    ]


def test_no_effect_can_run_while_everybody_acts_at_once_or_when_the_game_is_over(message: Message) -> None:
    assert message("from: round.bid\nplay: [ann: {offer: 1}, do: sales = 3]").startswith(
        "no effect can run while everybody acts at once\nbob is asked for 'offer'"
    )
    assert message("play: [do: end game, do: sales = 3]") == (
        "the game is over, so no effect can be run any more\nthe game is over"
    )


def test_given_sets_off_no_triggers_and_effects_under_test_do(message: Message) -> None:
    assert not message("given: move plum to compost\nexpect: sales == 0")
    assert not message("play: [do: move plum to compost]\nexpect: sales == 1")


def test_an_expectation_that_does_not_hold_says_what_its_sides_are(message: Message) -> None:
    still = "nobody is asked anything yet"
    assert message("expect: secret[bob] == 4") == f"this does not hold: secret[bob] == 4\nsecret[bob] is 5\n{still}"
    assert message("expect: starter == bob") == f"this does not hold: starter == bob\nstarter is ann\n{still}"
    assert message("expect: favourite == green") == f"this does not hold: favourite == green\nfavourite is red\n{still}"
    assert message("given: move [plum, apple#2] to compost\nexpect: count(compost) > sales + 2") == (
        f"this does not hold: count(compost) > sales + 2\ncount(compost) is 2\nsales + 2 is 2\n{still}"
    )
    assert message("given: move [plum, apple#2] to compost\nexpect: fig#1 in compost") == (
        f"this does not hold: fig#1 in compost\ncompost is [plum, apple#2]\n{still}"
    )
    lying = "tree is [pear#1, apple#4, plum, apple#2, apple#1]"
    assert message("expect: empty(tree)") == f"this does not hold: empty(tree)\n{lying}\n{still}"
    assert message("expect: not any(tree)") == f"this does not hold: not any(tree)\n{lying}\n{still}"
    assert message("expect: any(compost)") == f"this does not hold: any(compost)\ncompost is []\n{still}"


def test_of_conditions_joined_by_and_the_one_that_fails_is_named(message: Message) -> None:
    assert message("expect: secret[ann] == 3 and secret[bob] == 4 and starter").startswith(
        "this does not hold: secret[bob] == 4\nsecret[bob] is 5\n"
    )
    assert message("expect: starter and starter.coins == 1").startswith(
        "this does not hold: starter.coins == 1\nstarter.coins is 0\n"
    )


def test_points_and_winners_can_be_expected(message: Message) -> None:
    given = "given: |\n  coins[ann] = 4\n  move plum to bob.crate\n"
    assert not message(given + "expect: [points(ann) == 4, points(bob) == 5, 'winners == [bob]']")
    assert message(given + "expect: winners == [ann, bob]").startswith(
        "this does not hold: winners == [ann, bob]\nwinners is [bob]\n"
    )
    assert message(given + "expect: points(ann) == 5").startswith(
        "this does not hold: points(ann) == 5\npoints(ann) is 4\n"
    )


def test_a_rule_that_cannot_be_carried_out_fails_with_its_place(run: Run) -> None:
    (result,) = run(
        """
        of: orchard
        scenario: Too many coins
        players: [ann, bob]
        play:
          - expect: sales == 0
          - do: |
              for f in fruit: coins[ann] += 20
        """
    )
    assert not result.passed
    assert result.line == 7
    assert ":8:23: 'coins' would become 100, and its range is 0..99" in result.message


# --- what is seen -----------------------------------------------------------------------------------------------------


def test_unseen_holds_for_what_a_player_may_not_see(message: Message) -> None:
    assert not message("play: [unseen: {bob: [secret of ann, ann.sack, tree, top(tree)]}]")
    assert not message("given: move plum to ann.sack\nplay: [unseen: {bob: plum}]")


def test_unseen_fails_for_what_a_player_sees(message: Message) -> None:
    assert message("play: [unseen: {ann: secret of ann}]").startswith("ann sees secret of ann\n")
    assert message("play: [unseen: {ann: ann.sack}]").startswith("ann sees ann.sack\n")
    assert message("given: move plum to compost\nplay: [unseen: {bob: plum}]").startswith("bob sees plum\n")
    assert message("given: move plum to compost\nplay: [unseen: {bob: [secret of ann, compost]}]").startswith(
        "bob sees compost\n"
    )


def test_nobody_sees_what_others_answer_while_everybody_acts_at_once(message: Message) -> None:
    assert not message("from: round.bid\nplay: [ann: {offer: 2}, unseen: {bob: secret of ann}]")


THROW = """\
given: move plum to ann.sack; move apple#1 to bob.sack; move fig#1 to bob.sack
play:
  - do: |
      together [ann, bob]:
        choose gift from me.sack: move gift to compost
  - ann: {gift: plum}
"""


def test_what_others_put_before_everybody_is_unseen_until_all_have_answered(message: Message) -> None:
    assert not message(THROW + "  - unseen: {bob: plum}")
    assert message(THROW + "  - unseen: {ann: plum}").startswith("ann sees plum\n")
    assert message(THROW + "  - bob: {gift: fig}\n  - unseen: {bob: plum}").startswith("bob sees plum\n")


def test_unseen_of_something_that_cannot_be_seen_at_all_is_a_mistake(mistakes: Mistakes) -> None:
    assert mistakes("play: [unseen: {ann: count(tree)}]") == ["HR608 'count(tree)' is not a variable, zone or piece"]


# --- where it begins and ends -----------------------------------------------------------------------------------------


def test_pending_says_who_is_to_choose(message: Message) -> None:
    assert not message(PICK + "pending: ann")
    assert not message("from: round.bid\npending: [bob, ann]")
    assert message(PICK + "pending: [ann, bob]") == (
        'ann and bob should be asked\nann is asked "Pick another fruit?": Pick, Shake, Rest'
    )


def test_asked_says_who_is_to_choose_and_nobody_else(message: Message) -> None:
    assert not message(PICK + "asked: ann")
    assert not message("from: round.bid\nplay: [asked: [cid, ann, bob], ann: 3]\nasked: [bob, cid]")
    said = message("from: round.bid\nasked: [bob, ann]").splitlines()
    assert said[0] == "only bob and ann should be asked"
    assert message("from: round.bid\nplay: [asked: ann]").startswith("only ann should be asked")


def test_asked_of_nobody_holds_where_the_game_comes_to_its_end_without_a_question(message: Message) -> None:
    assert not message("given: sales = 4\nfrom: round.market\nasked: []")
    assert message(PICK + "asked: []").startswith("nobody should be asked")


def test_end_at_once_wants_no_question_step_or_turn_after_the_last_answer_or_effect(message: Message) -> None:
    last = "given: |\n  sales = 4\n  move tree to compost\n  move apple#1 to cid.crate\n"
    kept = last + "from: round.market.trade\nplay:\n  - cid: {ware: apple}\n"
    assert not message(kept + "until: end")
    assert message(kept + "until: end at once") == (
        "the game is over, but not at once: ann's turn began before\nthe game is over"
    )
    ended = f"{PICK}play: [do: move tree to compost, do: {{as: ann, effect: 'end game'}}]\n"
    assert not message(ended + "until: end at once")
    assert message(PICK + "until: end at once").startswith("the game is not over at once")


def test_an_item_is_repeated_times(message: Message) -> None:
    assert not message(
        PICK + "options: {room: 4}\nplay: [{ann: Shake, times: 2}, pending: bob]\nexpect: count(ann.crate) == 4"
    )
    assert not message("from: round.weather\noptions: {rain: true}\nplay: [{roll: {wind: 4}, times: 1}, pending: ann]")
    assert message(PICK + "options: {room: 4}\nplay: [{ann: Shake, times: 3}]").startswith("ann is not asked anything")


@pytest.mark.parametrize("times", ["0", "1001", "often"])
def test_times_is_a_number_from_1_to_1000(mistakes: Mistakes, times: str) -> None:
    (said,) = mistakes(PICK + f"play: [{{ann: Pick, times: {times}}}]")
    assert "a whole number from 1 to 1000" in said


def test_a_menu_is_answered_in_one_item_with_what_comes_after_it(message: Message) -> None:
    market = "given: |\n  move apple#1 to bob.crate\n  sales = 4\nfrom: round.pick\n"
    menus = "play: [{ann: {menu: Rest}}, {bob: {menu: Rest}}, {cid: {menu: Rest}}, {bob: {ware: apple}}]\n"
    assert not message(market + menus + "expect: coins[bob] == 2")
    assert message(PICK + "play: [{ann: {menu: Sing}}]").startswith("'Sing' is not among the options of ann")


def test_until_end_wants_the_game_over(message: Message) -> None:
    assert not message("given: sales = 4\nfrom: round.market\nuntil: end")
    assert message(PICK + "until: end") == 'the game is not over\nann is asked "Pick another fruit?": Pick, Shake, Rest'


def test_a_scenario_ends_where_play_ends(message: Message) -> None:
    assert not message(PICK + "play: [ann: Pick]\nexpect: count(ann.crate) == 1")


def test_from_enters_the_steps_around_it_at_their_first_pass_member_and_player(message: Message) -> None:
    crates = "given: |\n  move [apple#1, fig#1] to ann.crate\n  move [apple#2, fig#2] to bob.crate\n"
    trade = crates + "from: round.market.trade\n"
    assert not message(trade + "play: [ann: {ware: pass}, options: {ann: {keepers: [apple]}}]")
    assert not message(
        trade + "play: [ann: {ware: pass, keepers: pass}, bob: {ware: pass}, options: {bob: {keepers: [apple]}}]"
    )


def test_from_enters_the_steps_around_it_without_their_when_and_reset(message: Message) -> None:
    stay = "given: visits[ann] = 4\nplay: [do: nothing, pending: ann]\n"
    assert not message(stay + "from: round.market.trade\nexpect: empty(ann.crate)")
    kept = "given: |\n  visits[ann] = 4\n  move apple#1 to ann.crate\nplay: [pending: ann]\n"
    assert not message(kept + "from: round.market.trade\nexpect: visits[ann] == 4")
    assert not message(kept + "from: round.market.arrive\nexpect: visits[ann] == 5")


def test_the_step_to_begin_with_is_entered_as_always_with_its_when_and_reset(message: Message) -> None:
    assert not message("from: round.weather\nplay: [pending: ann]\nexpect: wind == 1")
    kept = "given: |\n  visits[ann] = 4\n  move apple#1 to ann.crate\nplay: [pending: ann]\n"
    assert not message(kept + "from: round.market\nexpect: visits[ann] == 1")


@pytest.mark.parametrize(
    ("begin", "is_lost"),
    [
        ("round.market\nplay: [roll: {wind: 3}, pending: ann]", True),
        ("round.market\nuntil: end", True),
        ("round.market\nexpect: visits[ann] == 4", False),
        ("round.market\nplay:\n  - expect: visits[ann] == 4\n  - pending: ann", False),
        ("round.market.trade\npending: ann", False),
        ("round.pick\npending: ann", False),
    ],
)
def test_a_given_that_the_step_to_begin_with_resets_is_warned_of(file: Path, begin: str, is_lost: bool) -> None:
    file.write_text(
        "of: orchard\nplayers: [ann, bob]\nscenario: Ann was there\n"
        f"given: |\n  coins[ann] = 1\n  visits[ann] = 4\nfrom: {begin}\n",
        encoding="utf-8",
    )
    said = [(d.code, d.message, d.span.line) for d in validate(file)]
    message = "'visits' goes back to its start before 'round.market', so what 'given' sets is lost"
    assert said == ([("HR612", message, 6)] if is_lost else [])


def test_left_out_from_begins_behind_the_set_up(message: Message) -> None:
    assert not message("play: [pending: [ann, bob, cid], ann: {offer: 3}]")


def test_from_a_step_that_is_not_there_is_a_mistake(mistakes: Mistakes) -> None:
    assert mistakes("from: round.pikc") == ["HR601 there is no step 'round.pikc' to begin with"]


# --- the set-up -------------------------------------------------------------------------------------------------------


def test_what_the_set_up_leaves_out_is_the_first_option(run: Run) -> None:
    (result,) = run(
        """
        of: orchard
        scenario: Only the second bet is said
        players: [ann, bob]
        setup: [bob: {bet: 8}]
        expect: ["secret[ann] == 0", "secret[bob] == 8", favourite == red]
        """
    )
    assert result.passed, result.message


def test_the_set_up_answers_refuses_and_expects(run: Run) -> None:
    (result,) = run(
        """
        of: orchard
        scenario: All of it
        players: [ann, bob]
        setup:
          - roll: {starter: bob}
          - ann: {bet: 2}
          - options: {bob: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]}
          - bob: {bet: 1}
          - bob: {tint: green}
        expect: ["secret[ann] == 2", "secret[bob] == 1", favourite == green, starter == bob]
        """
    )
    assert result.passed, result.message


def test_an_answer_that_the_set_up_never_asks_for_fails(run: Run) -> None:
    (result,) = run("of: orchard\nscenario: One\nplayers: [ann, bob]\nsetup: [ann: {wager: 2}]\n")
    assert result.message == "the set-up was over before this\nnobody is asked anything yet"


def test_the_seed_decides_what_nothing_was_promised_about(run: Run) -> None:
    results = run(
        """
        of: orchard
        players: [ann, bob]
        expect: favourite == red
        ---
        scenario: One seed
        seed: 1
        ---
        scenario: Another seed
        seed: 2
        """
    )
    assert [result.passed for result in results] == [True, True]


# --- files ------------------------------------------------------------------------------------------------------------


def test_a_first_document_gives_the_others_their_defaults(run: Run) -> None:
    results = run(
        """
        of: orchard
        players: [ann, bob]
        options: {room: 1}
        from: round.pick
        ---
        scenario: A crate has room for one
        given: move apple#1 to ann.crate
        pending: bob
        ---
        scenario: A crate has room for two
        options: {room: 2}
        given: move apple#1 to ann.crate
        pending: ann
        ---
        scenario: Three play
        players: [ann, bob, cid]
        given: move [apple#1, apple#2] to [ann, bob].crate
        pending: cid
        """.replace(
            "move [apple#1, apple#2] to [ann, bob].crate", "move apple#1 to ann.crate; move apple#2 to bob.crate"
        )
    )
    assert [(result.name, result.passed, result.message) for result in results] == [
        ("A crate has room for one", True, ""),
        ("A crate has room for two", True, ""),
        ("Three play", True, ""),
    ]


def test_a_scenario_goes_on_from_one_above_with_its_given_play_and_settings(run: Run) -> None:
    results = run(
        """
        of: orchard
        players: [ann, bob]
        options: {room: 2}
        ---
        scenario: Ann picks one
        given: coins[ann] = 3
        from: round.pick
        play: [ann: Pick]
        expect: coins[bob] == 0
        asked: ann
        ---
        scenario: Ann picks another
        continues: Ann picks one
        given: coins[bob] += 4
        play: [ann: Pick]
        expect: count(ann.crate) == 2 and coins[ann] == 3 and coins[bob] == 4
        asked: bob
        ---
        scenario: Bob shakes the tree
        continues: Ann picks another
        set: {rain: true}
        play: [bob: Shake]
        expect: count(bob.crate) == 2 and coins[bob] == 4 and room == 2 and rain
        """
    )
    assert [(result.passed, result.message) for result in results] == [(True, "")] * 3


def test_a_scenario_goes_on_from_none_that_stands_below_or_nowhere(mistakes: Mistakes) -> None:
    assert mistakes("continues: some sentense") == ["HR611 no scenario above is called 'some sentense'"]
    assert mistakes("continues: some sentence") == ["HR611 no scenario above is called 'some sentence'"]


def test_options_replace_what_is_shared_and_set_adds_to_it(run: Run) -> None:
    results = run(
        """
        of: orchard
        players: [ann, bob]
        options: {room: 2}
        ---
        scenario: Options of its own
        options: {rain: true}
        expect: room == 3 and rain
        ---
        scenario: Set on top
        set: {rain: true}
        expect: room == 2 and rain
        """
    )
    assert [(result.passed, result.message) for result in results] == [(True, "")] * 2


def test_functions_that_only_scenarios_use(run: Run, file: Path) -> None:
    results = run(
        """
        of: orchard
        players: [ann, bob]
        functions:
          held(player p): count(p.crate) + count(p.sack)
          rich: any(p in players where riches(p) > 3)
          riches(player p): |
            n = held(p) + coins[p]
            finish with n
        ---
        scenario: They can be expected and changed by
        given: |
          coins[ann] = held(ann)
        expect: held(ann) == 1 and coins[ann] == 1 and not rich and ann.riches == 2
        """
    )
    assert [(result.passed, result.message) for result in results] == [(True, "")]
    assert not validate(file)


def test_what_would_be_can_be_expected_and_triggers_have_their_turn_in_it(run: Run) -> None:
    results = run(
        """
        of: orchard
        players: [ann, bob]
        ---
        scenario: Nothing of what is imagined stays
        given: |
          move plum to ann.crate
          if (empty(ann.crate) after move plum to compost): coins[bob] = 4
        expect:
          - coins[bob] == 4 and count(ann.crate) == 1
          - (sales == 1 and empty(ann.crate) after move plum to compost)
          - (coins[ann] == 2 after coins[ann] += 1; coins[ann] *= 2)
          - sales == 0 and coins[ann] == 0
        ---
        scenario: It may not hold
        expect: [(sales == 2 after move plum to compost)]
        """
    )
    assert [result.passed for result in results] == [True, False]
    assert "sales" in results[1].message


@pytest.mark.parametrize(
    ("functions", "said"),
    [
        ("full(player p): true", "HR504 'full' is already the name of a function"),
        ("sales: 3", "HR504 'sales' is already the name of a variable"),
        ("held(gamer p): 3", "HR501 there is no type 'gamer'"),
        ("held(player p): count(p.crat)", "HR502 a player has no 'crat'"),
    ],
)
def test_functions_of_scenarios_are_checked(mistakes: Mistakes, functions: str, said: str) -> None:
    assert said in mistakes(f"functions: {{'{functions.split(': ')[0]}': {functions.split(': ')[1]}}}")


def test_a_result_says_where_it_failed(run: Run, file: Path) -> None:
    (result,) = run(
        "of: orchard\nplayers: [ann, bob]\nscenario: One\nplay:\n  - expect: sales == 0\n  - expect: sales == 1\n"
    )
    assert (result.name, Path(result.path).name, result.line) == ("One", file.name, 6)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("options: {rooom: 2}", "HR603 'orchard' has no option 'rooom'"),
        ("with: [late_frost]", "HR607 there is no variant 'late_frost'"),
        ("play: [dan: Pick]", "HR610 nobody is called 'dan'"),
        ("play: [race: [ann, dan]]", "HR610 nobody is called 'dan'"),
        ("play: [refuse: {dan: Pick}]", "HR610 nobody is called 'dan'"),
        ("play: [unseen: {dan: tree}]", "HR610 nobody is called 'dan'"),
        ("play: [do: {as: dan, effect: me.coins = 1}]", "HR610 nobody is called 'dan'"),
        ("pending: dan", "HR610 nobody is called 'dan'"),
        ("play: [exepct: sales == 0]", "HR610 nobody is called 'exepct'"),
        ("expect: sales + 1", "HR521 a condition is expected, but 'sales + 1' is a number 1..100"),
        ("expect: points == 2", "HR501 there is nothing called 'points' here"),
        ("expect: points(ann, bob) == 2", "HR511 'points' expects a player, got 2 arguments"),
    ],
)
def test_what_does_not_fit_the_game_is_a_mistake(mistakes: Mistakes, text: str, said: str) -> None:
    assert mistakes(text) == [said]


def test_a_variant_that_is_not_there_is_told_where_the_scenario_names_it(run: Run) -> None:
    with pytest.raises(InvalidGame) as found:
        run("of: orchard\nplayers: [ann, bob]\nwith: [late_frost]\n---\nscenario: Frost\n")
    (said,) = found.value.diagnostics
    assert (said.code, said.span.line, said.span.column) == ("HR607", 3, 8)


def test_a_number_of_players_is_told_that_they_have_names(run: Run) -> None:
    with pytest.raises(InvalidGame) as found:
        run("of: orchard\nplayers: 3\nscenario: Three\n")
    (said,) = found.value.diagnostics
    assert (said.code, said.help) == ("HR202", "players: [anna, ben]")


def test_an_option_is_told_where_the_scenario_sets_it(run: Run) -> None:
    with pytest.raises(InvalidGame) as found:
        run(
            """
            of: orchard
            players: [ann, bob]
            options: {rian: true}
            ---
            scenario: Another option
            ---
            scenario: The same option
            ---
            scenario: Another value
            options:
              room: 11
            ---
            scenario: The same value
            options: {room: 11}
            ---
            scenario: No value
            options: {rain: 2}
            """
        )
    said = found.value.diagnostics
    assert [(one.code, one.span.line, one.span.column, one.message) for one in said] == [
        ("HR603", 4, 11, "'orchard' has no option 'rian'"),
        ("HR603", 12, 9, "option 'room' is a number 1..9, so it cannot be '11'"),
        ("HR603", 15, 17, "option 'room' is a number 1..9, so it cannot be '11'"),
        ("HR603", 18, 17, "option 'rain' is true or false, so it cannot be '2'"),
    ]
    assert said[0].help == "did you mean 'rain'?" and said[0].fix is not None
    assert {Path(one.span.file).name for one in said} == {"some.yaml"}
    (declared,) = said[1].related
    assert (declared.message, Path(declared.span.file).name, declared.span.line) == ("declared here", "game.yaml", 7)


def test_what_some_of_those_that_share_it_cannot_have_names_these(run: Run, file: Path) -> None:
    (file.parent.parent / "variants").mkdir()
    fair = "variant: fair\nof: orchard\nchange:\n  options: {room: {type: 1..20, default: 3}}\n"
    (file.parent.parent / "variants" / "fair.yaml").write_text(fair, encoding="utf-8")
    head = "of: orchard\nplayers: [ann, bob]\noptions: {room: 11}\n"
    small, large = "---\nscenario: Small\n", "---\nscenario: Large\nwith: [fair]\n"
    with pytest.raises(InvalidGame) as found:
        run(head + small + large)
    (said,) = found.value.diagnostics
    assert (said.code, Path(said.span.file).name, said.span.line) == ("HR603", "some.yaml", 3)
    assert [(one.message, one.span.line) for one in said.related] == [("in this scenario", 5), ("declared here", 7)]
    with pytest.raises(InvalidGame) as found:
        run(head + small + small.replace("Small", "As small"))
    (said,) = found.value.diagnostics
    assert [one.message for one in said.related] == ["declared here"]


def test_players_fit_the_game(run: Run) -> None:
    for players in ("[ann]", "[ann, ann]", "[ann, bob, cid, dan]"):
        with pytest.raises(InvalidGame) as found:
            run(f"of: orchard\nscenario: One\nplayers: {players}\n")
        assert found.value.diagnostics[0].message.startswith("'orchard' is for 2 to 3 players with names of their own")


def test_a_scenario_of_another_game_is_a_mistake(run: Run) -> None:
    with pytest.raises(InvalidGame, match=r"this scenario is of 'vineyard', but lies in the folder of 'orchard'"):
        run("of: vineyard\nscenario: One\nplayers: [ann, bob]\n")


def test_a_file_of_no_game_says_so(tmp_path: Path) -> None:
    file = tmp_path / "one.yaml"
    file.write_text("of: vineyard\nscenario: One\nplayers: [ann, bob]\n", encoding="utf-8")
    with pytest.raises(InvalidGame, match="HR607: there is no game 'vineyard'"):
        rehearse(file)


def test_validate_says_what_is_wrong_with_a_file_without_running_it(file: Path) -> None:
    file.write_text("of: orchard\nplayers: [ann, bob]\nscenario: One\nexpect: sales == 1\n", encoding="utf-8")
    assert validate(file) == []
    file.write_text("of: orchard\nplayers: [ann, bob]\nscenario: One\nexpect: sale == 1\n", encoding="utf-8")
    assert [diagnostic.code for diagnostic in validate(file)] == ["HR501"]
