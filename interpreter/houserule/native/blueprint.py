"""Everything that the translator reads of a program, as one value, and the digest of that value.

The translator gets a `Blueprint` and never the program, so that no module kept for one game can serve another.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from inspect import getsource
from pathlib import Path
from sys import modules
from textwrap import dedent
from types import BuiltinFunctionType, FunctionType
from typing import Any

from houserule.compiler.emitter import python_name
from houserule.compiler.program import Program, Sight
from houserule.language.checked import Routine
from houserule.language.types import List, NoValue, Type, plain
from houserule.native.values import Untranslatable
from houserule.reading import read
from houserule.running.observing import Layout

TRANSLATED = ("native", "compiler", "operations", "language", "running")
"""The packages whose sources affect the translation."""


@dataclass(frozen=True, slots=True)
class Generated:
    """A function that the compiler wrote, by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class Nested:
    """A function of the runtime with the values of the function that it was made in."""

    tree: ast.FunctionDef
    module: str
    inside: tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Imagined:
    """A function whose changes are taken back: whether it sets variables, and the zones that it changes."""

    function: Generated
    sets_variables: bool
    zones: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class SightRule:
    """Who sees a zone, by a function with further arguments."""

    function: Generated
    index: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A place in the rules that asks."""

    kind: str
    type: Type
    may_pass: bool


@dataclass(frozen=True, slots=True)
class Judging:
    """The rule for winning."""

    rule: str
    tie: str
    nobody: str


@dataclass(frozen=True, slots=True)
class Blueprint:
    """A program as the translator sees it. Names that `Program` has too mean the same."""

    players: int
    watched: bool
    without: frozenset[str]
    """The optimisations that are left out."""
    entry: int
    flow_frame: int
    frame_sizes: Mapping[int, int]
    drain_segment: int
    segments: tuple[Generated | None, ...]
    """None for those without a tree: between triggers, of triggers that ask nobody, and of a match that cannot begin."""
    trees: Mapping[str, ast.FunctionDef]
    world: Mapping[str, Any]
    """The names that generated functions know."""
    lists: Mapping[int, frozenset[str]]
    results: Mapping[str, str]
    """By routine: whether it returns `nothing`, a `number` or a `list`."""
    sites: tuple[Question, ...]

    variables: tuple[int, ...]
    zones: tuple[tuple[int, ...], ...]
    places: tuple[int, ...]
    rooms: tuple[int, ...]
    """By zone: its capacity, plus one if a full zone is only noticed after a piece came."""
    memories: Mapping[int, int]
    positions: Mapping[int, Any]

    changes: Mapping[int, tuple[int, ...]]
    leaves: Mapping[int, tuple[int, ...]] | None
    enters: Mapping[int, tuple[int, ...]] | None
    trigger_functions: Mapping[int, Any]
    trigger_segments: Mapping[int, int]
    trigger_events: tuple[tuple[bool, Mapping[int, tuple[int, ...]]], ...]
    """By trigger: whether it gets the piece or the old value, and by slot its indices."""
    happenings: tuple[str, ...]
    """By trigger: what it waits for."""

    capacities: Mapping[int, int]
    refills: Mapping[int, int]
    unordered: tuple[bool, ...]
    alike: tuple[bool, ...]
    zone_owner: tuple[int, ...]
    zone_holder: tuple[int, ...]
    zone_sight: tuple[str | int | SightRule, ...]
    variable_owner: tuple[int, ...]
    variable_piece: tuple[int, ...]
    """By slot: the piece or member whose variable it is, or -1."""
    identity: tuple[int, ...]
    piece_slots: tuple[tuple[int, ...], ...]
    hides: tuple[bool, ...]
    seats: tuple[int | None, ...]
    """By piece: its owner, if its kind says so."""

    points: tuple[Any, ...]
    winner_key: Any
    winner: Judging | None
    teams: Any
    """By seat, if they never change; or the function that says it; None without teams."""
    no_team: int | None
    cells: Cells | None
    observed: Layout | None
    """Which numbers a player is shown of a match, if any: see `observing.wat`."""

    @classmethod
    def of(cls, program: Program, observed: Layout | None = None) -> Blueprint:
        """What there is to translate of a quiet program. Raises Untranslatable."""
        space, symbols = program.namespace, program.symbols
        read = Reading(space)
        rule = program.game.winner
        routines: dict[Routine, None] = {**dict.fromkeys(program.game.routines), **dict.fromkeys(program.game.inner)}
        own: dict[str, Any] = {
            "players": symbols.players,
            "trees": {tree.name: tree for tree in program.functions},
            "world": {name: read(value) for name, value in space.items() if name != "__builtins__"},
            "segments": tuple(read.segment(segment) for segment in program.segments),
            "results": {python_name(routine): result_of(routine) for routine in routines},
            "sites": tuple(Question(site.kind, site.type, site.may_pass) for site in program.sites),
            "rooms": tuple(rooms(program)),
            "trigger_events": tuple((subject, read(indices)) for subject, _, indices in program.trigger_events),
            "seats": tuple(kind.seat_of(piece) for piece, kind in enumerate(program.kind_of)),
            "points": tuple(read(points) for _, points in program.points),
            "winner": Judging(rule.rule, rule.tie, rule.nobody) if rule is not None else None,
            "teams": tuple(program.teams_now(None) or ()) if isinstance(program.teams, tuple) else read(program.teams),
            "cells": program.cells,
            "observed": observed,
        }
        others = (one.name for one in fields(cls) if one.name not in own)
        return cls(**own, **{name: read(getattr(program, name)) for name in others})

    def digest(self) -> str:
        return digest_of(self)


# --- from a program -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reading:
    """Takes values out of a program whose functions have these names."""

    space: Mapping[str, Any]

    def __call__(self, value: Any) -> Any:
        """A value without anything of the program around it. Raises Untranslatable."""
        match value:
            case None | bool() | int() | str() | type() | BuiltinFunctionType():
                return value
            case tuple() | list():
                return tuple(self(one) for one in value)
            case set() | frozenset() | range():
                return value
            case dict():
                return {key: self(one) for key, one in value.items()}
            case Sight(function, index):
                return SightRule(self(function), index)
            case FunctionType():
                return self.function(value)
        if is_dataclass(value) and type(value).__module__ == "houserule.language.types":
            return value
        raise Untranslatable(f"a value of the kind {type(value).__name__}")

    def function(self, function: FunctionType) -> Any:
        """A function: one of the runtime stays as it is."""
        if function.__globals__ is self.space:
            return Generated(function.__name__)
        if hasattr(function, "sets_variables"):
            return Imagined(self(function.function), function.sets_variables, function.zones)  # type: ignore[attr-defined]  # see `imagined`
        if function.__closure__:
            values = [self(cell.cell_contents) for cell in function.__closure__]
            inside = zip(function.__code__.co_freevars, values, strict=True)
            return Nested(source_of(function), function.__module__, tuple(inside))
        return function

    def segment(self, segment: Callable[[Any], int]) -> Generated | None:
        """A segment that the compiler wrote; None for any other."""
        is_generated = getattr(segment, "__globals__", None) is self.space
        return Generated(segment.__name__) if is_generated else None


def result_of(routine: Routine) -> str:
    """What a routine returns."""
    if routine.result is None or isinstance(routine.result, NoValue):
        return "nothing"
    return "list" if isinstance(plain(routine.result), List) else "number"


def rooms(program: Program) -> Iterator[int]:
    """By zone: how many pieces it can have for a moment."""
    for slot, zone in enumerate(program.zone_of):
        kinds = [kind for kind in program.symbols.kinds.values() if kind.is_piece and kind.name == zone.holds]
        most = sum(len(kind.ids) for kind in kinds) if kinds else len(program.places)
        full = program.capacities.get(slot)
        yield most if full is None else min(most, max(full, len(program.zones[slot])) + 1)


SOURCES: dict[Callable[..., Any], ast.FunctionDef] = {}
"""The functions of the runtime that have been read."""


def source_of(function: Callable[..., Any]) -> ast.FunctionDef:
    """The tree of a function of the runtime. Raises Untranslatable."""
    if function not in SOURCES:
        try:
            tree = ast.parse(dedent(getsource(function))).body[0]
        except (OSError, TypeError) as error:
            raise Untranslatable(f"{function!r} has no source") from error
        if not isinstance(tree, ast.FunctionDef):
            raise Untranslatable(f"{function!r} is no function with a name")
        SOURCES[function] = tree
    return SOURCES[function]


def world_of(function: Nested) -> dict[str, Any]:
    return {**vars(modules[function.module]), **dict(function.inside)}


# --- digests ------------------------------------------------------------------------------------------------------------------


def digest_of(value: Any) -> str:
    """A digest of a value and of the translator. Raises Untranslatable for what cannot be told apart by its content."""
    digest = hashlib.sha256(translator_digest())
    digest.update("\0".join(words_of(value)).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:32]


def words_of(value: Any) -> Iterator[str]:
    """A value as words: different values have different ones."""
    match value:
        case None | bool() | int() | str():
            yield repr(value)
        case ast.AST():
            yield from tree_words(value)
        case tuple() | range():
            yield f"{type(value).__name__} {len(value)}"
            for one in value:
                yield from words_of(one)
        case frozenset() | set():
            yield f"set {sorted(map(repr, value))}"
        case dict():
            yield f"dict {len(value)}"
            for key, one in value.items():
                yield from words_of((key, one))
        case FunctionType() | BuiltinFunctionType() | type():
            yield f"{value.__module__}.{value.__qualname__}"
        case _ if is_dataclass(value):
            yield type(value).__name__
            for field in fields(value):
                yield from words_of(getattr(value, field.name))
        case _:
            raise Untranslatable(f"a value of the kind {type(value).__name__}")


def tree_words(node: ast.AST) -> Iterable[str]:
    """A syntax tree as words, without its places."""
    found: list[str] = []

    def walk(one: Any) -> None:
        if isinstance(one, ast.AST):
            found.append(type(one).__name__)
            for name in one._fields:
                walk(getattr(one, name, None))
        elif isinstance(one, list):
            found.append(f"list {len(one)}")
            for item in one:
                walk(item)
        else:
            found.append(repr(one))

    walk(node)
    return found


@cache
def translator_digest() -> bytes:
    """A digest of the sources that are translated or translate, and of the module compiler."""
    from importlib.metadata import version

    digest = hashlib.sha256(version("wasmtime").encode())
    for package in TRANSLATED:
        folder = Path(__file__).parents[1] / package
        for file in sorted(folder.iterdir(), key=lambda one: one.name):
            if file.name.endswith((".py", ".wat")):
                digest.update(read(file, "own"))
    return digest.digest()


# --- the items that are counted --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cells:
    """The item of each value at each site, as `study.offers` numbers them, and how many items there are."""

    number: tuple[int, ...]
    base: tuple[int, ...]
    """By site: where its values begin in `number`,"""
    passing: tuple[int, ...]
    """the item of passing or -1,"""
    may_pass: tuple[bool, ...]
    """whether passing is offered beside other options, and not only where there is none,"""
    nothing: tuple[int, ...]
    """the answer that passes,"""
    is_race: tuple[bool, ...]
    folds: tuple[int, ...]
    """and the remainder by which a value counts, or 0: of wide questions all values are one item."""
    width: int
    counts: bool
    """Whether items are counted; how many questions are put, and which are none, is noted anyway."""

    def bytes(self, players: int) -> int:
        return 8 * players * max(1, self.width) if self.counts else 0
