"""Every value lies in the type that the checker says it has, whatever the rules are made of.

A few rule files run with the tests, always the same. With `HOUSERULE_FUZZ=500` so many others do.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import houserule
from houserule import Game, InvalidGame, RuleFault
from houserule.language.symbols import SymbolTable
from houserule.language.types import Int, List, Maybe, NoValue, Type, none_of, plain, spelled
from houserule.running.playout import play
from houserule.running.state import State
from tests.any_rules import value_rules

EXAMPLES = int(os.environ.get("HOUSERULE_FUZZ", "0"))
GROUPS = 40
"""So many groups of lines tell values, in one file."""


def lies_in(value: object, kind: Type, symbols: SymbolTable) -> bool:
    """Whether a value is one of a type."""
    match kind:
        case List(of, most):
            return (
                isinstance(value, Sequence)
                and (most is None or len(value) <= most)
                and all(lies_in(item, of, symbols) for item in value)
            )
        case Maybe(of):
            return value == none_of(kind) or lies_in(value, of, symbols)
        case Int(low, high):
            return isinstance(value, int) and low <= value <= high
        case NoValue():
            return value == none_of(kind)
        case _:
            domain = symbols.domain(kind)
            return domain is not None and isinstance(value, int) and int(value) in domain


def loaded(rules: str, path: Path) -> Game:
    """The game: the checker has nothing against any of these rules."""
    path.write_text(rules, encoding="utf-8")
    try:
        return houserule.load(path)
    except InvalidGame as invalid:
        raise AssertionError(f"{rules}\n{invalid}") from invalid


def told(game: Game, players: int, seed: int) -> Iterator[tuple[str, Type, object, SymbolTable]]:
    """What a match at random tells: expressions as written, their types, and their values; those of variables at its end."""
    program = game.program(players, told=True)
    generator = Random(seed)
    s = State(program, generator)
    with suppress(RuleFault):  # What was told before has its types all the same.
        play(program, s, generator)
    for kind, *rest in s.log or ():
        if kind == "say":
            raw, parts = program.texts[rest[0]]
            typed = [part.type for part in parts if not isinstance(part, str)]
            for type, value in zip(typed, rest[1], strict=True):
                yield raw, type, value, program.symbols
    for variable, value in zip(program.variable_of, s.v, strict=False):
        yield variable.name, variable.type, value, program.symbols
    for zone, pile in zip(program.zone_of, s.z, strict=True):
        for piece in pile:
            yield zone.name, zone.piece, piece, program.symbols


@settings(max_examples=EXAMPLES or 6, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
def test_every_value_lies_in_its_type(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    rules = value_rules(Random(seed), GROUPS)
    game = loaded(rules, tmp_path_factory.getbasetemp() / "any_values.yaml")
    for raw, kind, value, words in told(game, 2 + seed % 2, seed):
        assert lies_in(value, kind, words), f"{raw}: {value} is not {spelled(kind)}\n{rules}"


def test_values_of_every_type_are_told(tmp_path: Path) -> None:
    """The rules are worth their while."""
    seen = []
    for seed in range(3):
        game = loaded(value_rules(Random(seed), GROUPS), tmp_path / f"any_values_{seed}.yaml")
        seen += [type for _, type, _, _ in told(game, 3, seed)]
    assert {spelled(plain(type)) for type in seen} >= {"bool", "player", "suit", "card", "coin", "field", "piece"}
    assert {spelled(type.of) for type in seen if isinstance(type, List)} >= {"bool", "player", "card", "piece"}
    assert any(isinstance(type, List) and type.most for type in seen)
    assert any(isinstance(type, Maybe) and isinstance(type.of, Int) for type in seen)
    assert len({type for type in seen if isinstance(type, Int)}) > 20
