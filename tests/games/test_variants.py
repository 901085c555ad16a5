"""Every house rule of every game, alone and with every other one that it goes with, for every number of players."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import yaml

import houserule
from houserule.trial.check import Table, Walk, check_quiet_match
from houserule.workshop.library import combinations_of
from tests.bundled import load
from tests.games.every_game import FEW, GAMES, MATCHES

QUIET = MATCHES + 1
"""Matches at full speed; one is looked at closely for each variant alone."""

ALONE_AND_IN_PAIRS = [
    (file.parent.name, names)
    for file in sorted(GAMES.glob("*/game.yaml"))
    for names in combinations_of(file.parent, 2)[1:]
]


def named(value: str | tuple[str, ...]) -> str:
    return value if isinstance(value, str) else "+".join(value)


played_house_rules = pytest.mark.parametrize(
    ("game", "names"),
    [
        one if len(one[1]) == 1 else pytest.param(*one, marks=pytest.mark.long, id=f"{one[0]}-{named(one[1])}")
        for one in ALONE_AND_IN_PAIRS
    ],
    ids=named,
)
every_file = pytest.mark.parametrize("file", sorted(GAMES.rglob("variants/*.yaml")), ids=lambda file: file.stem)


@pytest.mark.parametrize(("game", "names"), [one for one in ALONE_AND_IN_PAIRS if len(one[1]) > 1], ids=named)
def test_house_rules_go_together_without_a_warning(game: str, names: tuple[str, ...]) -> None:
    """By itself each is validated with its game, where all that is bundled is (`tests/cli/test_commands.py`)."""
    assert [f"{d.span.file}:{d.span.line} {d.message}" for d in houserule.validate(GAMES / game, variants=names)] == []


@pytest.mark.long
@played_house_rules
def test_some_matches_keep_to_what_holds_for_every_game(game: str, names: tuple[str, ...]) -> None:
    with_them = load(game, names)
    place = ALONE_AND_IN_PAIRS.index((game, names))
    every = with_them.players
    # One number of players after the other, from one variant to the next; `make invariants` plays them all.
    for players in every if MATCHES > FEW and len(names) == 1 else [every[place % len(every)]]:
        for seed in range(QUIET):
            check_quiet_match(with_them.program(players, told=False), seed)


@pytest.mark.long
@pytest.mark.parametrize(("game", "names"), [one for one in ALONE_AND_IN_PAIRS if len(one[1]) == 1], ids=named)
def test_a_match_with_a_house_rule_is_looked_at_closely(game: str, names: tuple[str, ...]) -> None:
    place = ALONE_AND_IN_PAIRS.index((game, names))
    every = load(game, names).players
    Walk(Table(load(game, names), every[(place + 1) % len(every)]), place, watched=MATCHES // FEW).run()


@every_file
def test_a_house_rule_speaks_the_languages_of_its_game(file: Path) -> None:
    written = yaml.safe_load(file.read_text(encoding="utf-8"))
    languages = set(load(file.parent.parent.name, ()).languages)
    assert set(written["title"]) == set(written["text"]) == languages


@every_file
def test_a_house_rule_is_called_as_its_file(file: Path) -> None:
    written = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert (written["variant"], written["of"]) == (file.stem, file.parent.parent.name)


@every_file
def test_a_house_rule_has_scenarios(file: Path) -> None:
    told = told_scenarios(file.parent.parent)
    assert sum(file.stem in document.get("with", ()) for document in told) >= 2


@cache
def told_scenarios(game: Path) -> list[dict[str, list[str]]]:
    """All scenarios of a game."""
    return [
        document
        for scenarios in (game / "scenarios").glob("*.yaml")
        for document in with_defaults(list(yaml.safe_load_all(scenarios.read_text(encoding="utf-8"))))
    ]


def with_defaults(documents: list[dict[str, list[str]]]) -> list[dict[str, list[str]]]:
    """The scenarios of a file with what its first document gives them all."""
    defaults = documents[0] if "scenario" not in documents[0] else {}
    return [{**defaults, **document} for document in documents if "scenario" in document]
