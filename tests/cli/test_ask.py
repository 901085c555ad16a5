"""What a person may type to answer a choice."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from houserule.cli.screen import Answered, Command, Misread, is_numbered, understand


@dataclass(frozen=True)
class FakeOption:
    label: str
    key: str
    is_pass: bool = False


@dataclass(frozen=True)
class FakeChoice:
    single: tuple[FakeOption, ...]
    kind: str = "pick"
    at_least: int = 1
    at_most: int = 1
    may_pass: bool = False
    names: tuple[str, ...] = ()


def choice_of(
    *labels: str, kind: str = "pick", at_least: int = 1, at_most: int = 1, may_pass: bool = False
) -> FakeChoice:
    options = tuple(FakeOption(label, f"key_{number}", label == "pass") for number, label in enumerate(labels))
    return FakeChoice(options, kind, at_least, at_most, may_pass)


CARDS = choice_of("Emerald", "Ruby", "Ring of ruby", "Sapphire", "pass")


@pytest.mark.parametrize(
    ("typed", "label"),
    [
        ("1", "Emerald"),
        (" 4 ", "Sapphire"),
        ("emerald", "Emerald"),
        ("SAPP", "Sapphire"),
        ("ruby", "Ruby"),
        ("ring", "Ring of ruby"),
        ("of", "Ring of ruby"),
        ("key_3", "Sapphire"),
        ("p", "pass"),
    ],
)
def test_an_option_is_taken_by_number_name_or_an_unambiguous_part(typed: str, label: str) -> None:
    understood = understand(typed, CARDS)
    assert isinstance(understood, Answered)
    assert understood.answer.label == label


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "type a number"),
        ("0", "there is no option 0"),
        ("6", "the options are 1 to 5"),
        ("r", "'r' could be Ruby or Ring of ruby"),
        ("gold", "no option begins with 'gold'"),
    ],
)
def test_what_fits_no_option_is_answered_with_a_sentence(typed: str, said: str) -> None:
    understood = understand(typed, CARDS)
    assert isinstance(understood, Misread)
    assert said in understood.message


def test_numbers_that_are_the_labels_are_not_taken_for_positions() -> None:
    pips = choice_of("0", "1", "2", "pass")
    assert not is_numbered(pips)
    understood = understand("1", pips)
    assert isinstance(understood, Answered)
    assert understood.answer.label == "1"


def test_two_options_that_look_alike_want_a_number() -> None:
    understood = understand("coin", choice_of("Coin", "Coin"))
    assert isinstance(understood, Misread)
    assert understood.message == "there are 2 options 'Coin': type the number"


def test_nothing_typed_takes_the_only_option() -> None:
    understood = understand("", choice_of("Go on"))
    assert isinstance(understood, Answered)


@pytest.mark.parametrize(("typed", "name"), [("?", "help"), ("t", "table"), ("Q", "quit"), ("quit", "quit")])
def test_commands(typed: str, name: str) -> None:
    assert understand(typed, CARDS) == Command(name)


def test_a_question_mark_asks_about_a_name_or_about_the_option_of_a_number() -> None:
    assert understand("? ring", CARDS) == Command("about", "ring")
    assert understand("? 3", CARDS) == Command("about", "Ring of ruby", 3)
    assert understand("?2", choice_of("a", "b", kind="several")) == Command("about", "b", 2)
    assert understand("? 9", CARDS) == Misread("there is no option 9; the options are 1 to 5")
    assert understand("? 1", choice_of("0", "1", "2")) == Command("about", "1")


def test_an_option_called_like_a_command_can_be_taken() -> None:
    understood = understand("t", choice_of("T", "U"))
    assert isinstance(understood, Answered)


@pytest.mark.parametrize(
    ("typed", "labels"),
    [
        ("1 2", ["Emerald", "Ruby"]),
        ("2, 1", ["Ruby", "Emerald"]),
        ("em, ring of", ["Emerald", "Ring of ruby"]),
        ("", []),
        ("none", []),
    ],
)
def test_several_are_taken_with_commas_between_them(typed: str, labels: list[str]) -> None:
    several = choice_of("Emerald", "Ruby", "Ring of ruby", kind="several", at_least=0, at_most=2)
    understood = understand(typed, several)
    assert isinstance(understood, Answered)
    assert understood.answer == [option.key for label in labels for option in several.single if option.label == label]


@pytest.mark.parametrize(
    ("typed", "said"),
    [("1", "take 2, not 1"), ("1 1", "is named twice"), ("1 2 3", "take 2, not 3"), ("9 1", "no option 9")],
)
def test_the_wrong_number_of_several_is_said(typed: str, said: str) -> None:
    understood = understand(typed, choice_of("a", "b", "c", kind="several", at_least=2, at_most=2))
    assert isinstance(understood, Misread)
    assert said in understood.message


@pytest.mark.parametrize("typed", ["", "pass", "-"])
def test_several_can_be_passed_where_the_rules_say_so(typed: str) -> None:
    assert understand(typed, choice_of("a", "b", kind="several", at_least=2, at_most=2, may_pass=True)) == Answered([])
    assert isinstance(
        understand("a", choice_of("a", "b", kind="several", at_least=2, at_most=2, may_pass=True)), Misread
    )


def test_what_fits_no_option_is_answered_in_the_language_of_the_match() -> None:
    assert understand("x", CARDS, "de") == Misread("keine Möglichkeit beginnt mit „x“")
    assert understand("x", CARDS, "zh-Hant") == Misread("沒有以「x」開頭的選項")
    assert understand("x", CARDS, "tlh") == Misread("no option begins with 'x'")
