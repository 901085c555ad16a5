"""Every house rule of every game, alone and with every other one that it goes with, for every number of players."""

from __future__ import annotations

import os
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
import yaml

import interpreter
from interpreter import Game, Record, replay
from interpreter.engine.playout import finish, play
from interpreter.engine.state import State
from tests.games.every_game import GAMES, an_answer, check_places, match_facts, play_on

FEW = 2
MANY = int(os.environ.get("HOUSERULE_VARIANT_MATCHES", "200"))


def house_rules() -> dict[str, list[tuple[str, ...]]]:
    """By game: each variant alone, and each pair of which neither refuses the other, with what they require."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for folder in sorted(path.parent for path in GAMES.glob("*/game.yaml")):
        files = sorted((folder / "variants").glob("*.yaml"))
        written = {file.stem: yaml.safe_load(file.read_text(encoding="utf-8")) for file in files}
        together = [*((name,) for name in written), *combinations(written, 2)]
        tables = [whole(names, written) for names in together]
        found[folder.name] = list(dict.fromkeys(names for names in tables if agree(names, written)))
    return found


def whole(names: tuple[str, ...], written: dict[str, dict[str, list[str]]]) -> tuple[str, ...]:
    """Variants after those that they require."""
    ordered: list[str] = []
    for name in names:
        ordered += [n for n in (*written[name].get("requires", ()), name) if n not in ordered]
    return tuple(ordered)


def agree(names: tuple[str, ...], written: dict[str, dict[str, list[str]]]) -> bool:
    """Whether none of them refuses another."""
    return not any(other in written[name].get("conflicts", ()) for name in names for other in names)


ALONE_AND_IN_PAIRS = [(game, names) for game, tables in house_rules().items() for names in tables]
every_house_rule = pytest.mark.parametrize(
    ("game", "names"), ALONE_AND_IN_PAIRS, ids=lambda value: value if isinstance(value, str) else "+".join(value)
)
every_file = pytest.mark.parametrize("file", sorted(GAMES.glob("*/variants/*.yaml")), ids=lambda file: file.stem)


@cache
def load(game: str, names: tuple[str, ...]) -> Game:
    """The game with these, loaded once."""
    return interpreter.load(GAMES / game, variants=names)


def check_a_quiet_match(game: Game, players: int, seed: int) -> None:
    """A match without its story ends, with every piece in one place and with somebody who has won."""
    program = game.program(players, told=False)
    generator = Random(seed)
    s = State(program, generator)
    outcome = finish(program, s, play(program, s, generator))
    check_places(s)
    assert outcome.winners
    assert outcome.scores == [sum(line[p] for line in outcome.lines) for p in range(players)]


def check_a_told_match(game: Game, players: int, seed: int) -> None:
    """At each question every piece lies in one place; a copy, the record and the replay agree."""
    random = Random(seed)
    match = game.start(players, seed)
    for _ in range(random.randrange(30)):
        if not match.is_over:
            choice, option = an_answer(match, random)
            match.answer(choice.player, option)
    copy, kept = match.copy(), match_facts(match)
    play_on(match, random, lambda match: check_places(match.state))
    assert match_facts(copy) == kept
    assert match.winners
    again = replay(Record.from_json(match.record.to_json()), game)
    assert match_facts(again) == match_facts(match)
    assert again.events == match.events


@every_house_rule
def test_house_rules_load_without_a_warning(game: str, names: tuple[str, ...]) -> None:
    assert [
        f"{d.span.file}:{d.span.line} {d.message}" for d in interpreter.validate(GAMES / game, variants=names)
    ] == []


@every_house_rule
def test_some_matches_keep_to_what_holds_for_every_game(game: str, names: tuple[str, ...]) -> None:
    with_them = load(game, names)
    place = ALONE_AND_IN_PAIRS.index((game, names))
    counts = with_them.players if len(names) == 1 else [with_them.players[place % len(with_them.players)]]
    for players in counts:
        for seed in range(FEW):
            check_a_quiet_match(with_them, players, seed)
    check_a_told_match(with_them, counts[place % len(counts)], place)


@pytest.mark.slow
@every_house_rule
def test_many_matches_keep_to_what_holds_for_every_game(game: str, names: tuple[str, ...]) -> None:
    with_them = load(game, names)
    for players in with_them.players:
        for seed in range(MANY):
            check_a_quiet_match(with_them, players, seed)
        for seed in range(MANY // 50):
            check_a_told_match(with_them, players, seed)


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
    told = [
        document
        for scenarios in (file.parent.parent / "scenarios").glob("*.yaml")
        for document in with_defaults(list(yaml.safe_load_all(scenarios.read_text(encoding="utf-8"))))
    ]
    assert sum(file.stem in document.get("with", ()) for document in told) >= 2


def with_defaults(documents: list[dict[str, list[str]]]) -> list[dict[str, list[str]]]:
    """The scenarios of a file with what its first document gives them all."""
    defaults = documents[0] if "scenario" not in documents[0] else {}
    return [{**defaults, **document} for document in documents if "scenario" in document]
