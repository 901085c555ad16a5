"""What is translated is one value: whatever is changed in it, no module of another game is taken for it."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import pytest

import houserule
from houserule.compiler.program import Program
from houserule.definition.check import CheckedGame
from houserule.language.symbols import SymbolTable
from houserule.native import blueprint as blueprints
from houserule.native.blueprint import Blueprint, digest_of
from houserule.native.machine import Machine
from houserule.native.module import Written
from houserule.native.values import Untranslatable
from houserule.running.playout import playout
from tests.native.test_agreement import BY_POSITION
from tests.native.test_subset import EXAMPLES, rules


def program_of(name: str, folder: Path) -> Program:
    """A small game with values by position, or with an example of the subset."""
    if name in EXAMPLES:
        return houserule.load(rules(name, folder)).program(2, told=False)
    (folder / "by_position.yaml").write_text(BY_POSITION, encoding="utf-8")
    return houserule.load(folder / "by_position.yaml").program(2, told=False)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Blueprint:
    """A blueprint."""
    return Blueprint.of(program_of("by position", tmp_path_factory.mktemp("whole")))


NAMES = ("by position", "a trigger that asks", "what if", "a tuple")


@pytest.mark.parametrize("field", [field.name for field in fields(Blueprint)])
def test_each_field_tells_blueprints_apart(field: str, whole: Blueprint) -> None:
    assert replace(whole, **{field: ("another", getattr(whole, field))}).digest() != whole.digest()


def test_the_same_rules_have_the_same_digest(whole: Blueprint, tmp_path: Path) -> None:
    assert Blueprint.of(program_of("by position", tmp_path)).digest() == whole.digest()


@pytest.mark.parametrize("name", NAMES)
def test_each_part_tells_blueprints_apart(name: str, tmp_path: Path) -> None:
    parts = {type(part): part for part in parts_of(Blueprint.of(program_of(name, tmp_path)))}
    assert len(parts) > 3
    for part in parts.values():
        for field in fields(part):
            assert digest_of(replaced(part, field.name)) != digest_of(part), f"{type(part).__name__}.{field.name}"


def parts_of(value: Any) -> Iterator[Any]:
    """A value and the data classes in it."""
    if is_dataclass(value):
        yield value
        for field in fields(value):
            yield from parts_of(getattr(value, field.name))
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from parts_of(one)
    elif isinstance(value, tuple):
        for one in value:
            yield from parts_of(one)


def replaced(part: Any, name: str) -> Any:
    """A copy of a data class with another value in a field."""
    made = object.__new__(type(part))
    for field in fields(part):
        before = getattr(part, field.name)
        object.__setattr__(made, field.name, ("another", before) if field.name == name else before)
    return made


VALUES = (None, False, True, 0, 1, "0", "", (), (0,), (0, 0), ((0,), 0), (0, (0,)), {}, {0: 0}, {0: 1}, {1: 0},
          frozenset(), frozenset({0}), range(3), range(1, 3), (1, 2), len, sum, int, playout, ast.parse("a = 1"), ast.parse("a = 2"),
          ast.parse("a == 1"))  # fmt: skip


def test_different_values_have_different_digests() -> None:
    assert len({digest_of(value) for value in VALUES}) == len(VALUES)


def test_the_places_of_rules_do_not_tell_blueprints_apart() -> None:
    assert digest_of(ast.parse("a = 1")) == digest_of(ast.parse("\n\na  =  1"))


def test_what_has_no_content_to_be_told_by_is_refused(tmp_path: Path) -> None:
    for value in (object(), program_of("by position", tmp_path), 1.5, [1]):
        with pytest.raises(Untranslatable, match="a value of the kind"):
            digest_of(value)


def test_the_sources_of_the_translator_tell_blueprints_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    before = digest_of(1)
    for package in blueprints.TRANSLATED:
        with monkeypatch.context() as without:
            without.setattr(blueprints, "TRANSLATED", [one for one in blueprints.TRANSLATED if one != package])
            without.setattr(blueprints, "translator_digest", cache(blueprints.translator_digest.__wrapped__))
            assert digest_of(1) != before, package


@pytest.mark.parametrize("name", NAMES)
def test_the_translator_cannot_reach_the_program(name: str, tmp_path: Path) -> None:
    written = Written(Blueprint.of(program_of(name, tmp_path)))
    waiting, seen = [written], {id(written)}
    while waiting:
        one = waiting.pop()
        assert not isinstance(one, Program | CheckedGame | SymbolTable)
        if isinstance(
            one, ModuleType | type | FunctionType | BuiltinFunctionType
        ) or "__builtins__" in gc.get_referents(one):
            continue
        fresh = [other for other in gc.get_referents(one) if id(other) not in seen]
        seen.update(map(id, fresh))
        waiting += fresh


LEFT_OR_RIGHT = """\
edition: 2026
game: two_sides
players: 2
variables:
  left: 0..3
  right: 0..3
  seen: {type: 0..99, per_position: [SIDE]}
  score(player): int
flow:
  turn:
    repeat: 12
    turns: players
    do: |
      choose n from 1..3
      if n == 1: left = (left + 1) % 4
      if n == 2: right = (right + 1) % 4
      seen = min(99, seen + 1)
      me.score += seen
scoring: {score: me.score}
"""


def test_two_games_that_differ_in_what_makes_a_position_share_no_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = []
    for side in ("left", "right"):
        path = tmp_path / "game.yaml"
        path.write_text(LEFT_OR_RIGHT.replace("SIDE", side), encoding="utf-8")
        program = houserule.load(path).program(2, told=False)
        machine = Machine(program)
        assert machine.is_from_cache is False
        found.append(list(machine.outcomes(range(12))))
        assert found[-1] == [playout(program, seed) for seed in range(12)]
        assert machine.replayed == 0
        assert Machine(program).is_from_cache is True
    assert found[0] != found[1]


NOWHERE = """\
edition: 2026
game: nowhere
players: 2
components:
  card: {attributes: {worth: 0..3}, pieces: {one: {worth: 0, count: 2}}, starts_in: "box[1 + 6 % it.worth]"}
zones:
  box(1..6): {holds: card, visible: all}
variables: {score(player): int}
flow:
  turn:
    repeat: 2
    turns: players
    do: |
      choose n from 1..3
      me.score += n
scoring: {score: me.score}
"""


def test_a_match_that_cannot_begin_does_not_begin_natively(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(NOWHERE, encoding="utf-8")
    program = houserule.load(path).program(2, told=False)
    with pytest.raises(houserule.RuleFault) as in_python:
        playout(program, 1)
    with pytest.raises(houserule.RuleFault) as natively:
        list(Machine(program).outcomes([1]))
    assert str(natively.value) == str(in_python.value)
