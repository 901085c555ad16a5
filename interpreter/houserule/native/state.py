"""The fields of a state and its frames, for reading and assigning in translated code."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from houserule.native.blueprint import Cells
from houserule.native.functions import STATE, Area, Chance, Method, Scope, coerced
from houserule.native.memory import LISTS, NUMBERS
from houserule.native.values import (
    BOOL,
    FIELD_BITS,
    FRAME,
    INT,
    INTS,
    LIST,
    WORD_TYPE,
    ListOf,
    Op,
    Untranslatable,
    Value,
    i32,
    i64,
    number,
    of_known,
    parts,
    pointer,
    run_time,
    trap_if,
    tuple_of,
)
from houserule.running.playout import ENDINGS

AREAS = ("v", "w", "z", "queue", "running", "frames", "before")
ABSENT = ("log", "script")
UNUSED = ("said", "spent")
"""Fields that only Python reads."""
TABLES = ("leaves", "enters", "capacities", "refills")
FEW = 24
"""So few words are stored one by one, which is quicker than a bulk copy."""
HOW = (*ENDINGS, "won")
"""How rules end a match, by number; for `won` it depends on the number of winners."""


@dataclass(frozen=True, slots=True)
class Watching:
    """The notes of a match."""

    cells: Cells | None
    counts: Area
    tallies: Area


def field(scope: Scope, name: str, mirror: int = 0) -> Value:
    """A field of the state, or of a copy."""
    memory = scope.module.memory
    if name in AREAS:
        return of_known(Area(name, mirror))
    if name in ABSENT:
        return of_known(None)
    if name == "kept":
        return of_known(Area(name) if scope.module.blueprint.memories else ())
    if name == "watch":
        return of_known(
            Watching(scope.module.cells, Area("counts"), Area("tallies")) if scope.module.blueprint.watched else None
        )
    if name in TABLES:
        return of_known(getattr(scope.module.blueprint, name))
    if name == "program":
        return of_known(scope.module.blueprint)
    if name in ("random", "chance"):
        return of_known(Chance(int(name == "chance")))
    if name == "answer":
        return Value(WORD_TYPE, (memory.load(name),))
    if name == "bounds":
        return tuple_of([field(scope, "low"), field(scope, "high")])
    if name in NUMBERS:
        return number(memory.load(name), FIELD_BITS)
    if name in LISTS:
        return pointer(Op("i32.load", i32(memory.fields[name])))
    return of_known(Method(of_known(STATE), name))


def set_field(scope: Scope, target: ast.Attribute, given: ast.expr | Value) -> bool:
    """Assign a field of the state; returns whether the target is one."""
    of = scope.expression(target.value)
    if not of.is_known or of.known != STATE:
        return False
    memory, name = scope.module.memory, target.attr
    if name in UNUSED:
        return True
    if name == "before":
        scope.emit(Op("memory.copy", i32(memory.before), top(scope).code[0], i32(memory.frame_bytes)))
        return True
    if name == "ending":
        if not isinstance(given, ast.Tuple):
            raise Untranslatable("an ending that is not written out")
        how, winners = (scope.expression(one) for one in given.elts)
        store(scope, "ending", number(i64(HOW.index(how.known))))
        store(scope, "winners", coerced(scope, winners, INTS))
        return True
    value = scope.expression(given) if isinstance(given, ast.expr) else given
    if name == "bounds":
        is_list = isinstance(value.type, ListOf)  # known bounds are a constant list
        low, high = (scope.part_of_list(value, place) for place in (0, 1)) if is_list else parts(value)
        store(scope, "low", low)
        store(scope, "high", high)
    elif name == "running":
        listed = coerced(scope, value, INTS)
        scope.emit(Op("call", "$fill", i32(memory.running), listed.code[0]))
    elif name in memory.fields:
        if name == "to_act":  # a together begins or is over: see `begins_turns`
            store(scope, "whole", of_known(0))
        store(scope, name, coerced(scope, value, INTS) if name in LISTS else value)
    else:
        raise Untranslatable(f"the field {name} of a state")
    return True


def store(scope: Scope, name: str, value: Value) -> None:
    scope.emit(scope.module.memory.store(name, word(scope, value)))


def word(scope: Scope, value: Value) -> Op:
    """A number, or a list with its tag bit, as one word."""
    if value.type == WORD_TYPE:
        return value.code[0]
    if value.is_known and value.const is None and value.known is not None:
        value = coerced(scope, value, INTS)
    if isinstance(value.type, ListOf):
        return Op("i64.or", Op("i64.extend_i32_u", value.code[0]), i64(LIST))
    made = run_time(value)
    if made.type not in (INT, BOOL):
        raise Untranslatable(f"{made.type} in a frame")
    return made.code[0]


# --- frames -------------------------------------------------------------------------------------------------------------


def top(scope: Scope) -> Value:
    return Value(FRAME, (Op("i32.load", i32(scope.module.memory.fields["top"])),))


def pop_frame(scope: Scope) -> Value:
    """Pop the innermost frame; it can be read until the next push."""
    memory = scope.module.memory
    frame = scope.kept(top(scope))
    below = Op("i32.sub", frame.code[0], i32(memory.frame_bytes))
    scope.emit(Op("i32.store", i32(memory.fields["top"]), below))
    return frame


def push_frame(scope: Scope, items: list[Value]) -> None:
    memory = scope.module.memory
    words = [word(scope, item) for item in items]
    kept = [scope.temporary(Value(INT, (code,))).code[0] for code in words]
    frame = scope.kept(Value(FRAME, (Op("i32.add", top(scope).code[0], i32(memory.frame_bytes)),)))
    scope.emit(trap_if(Op("i32.ge_u", frame.code[0], i32(memory.state_end))))
    scope.emit(Op("i32.store", i32(memory.fields["top"]), frame.code[0]))
    fill_frame(scope, frame, kept)


def replace_frame(scope: Scope, items: list[Value]) -> None:
    kept = [scope.temporary(Value(INT, (word(scope, item),))).code[0] for item in items]
    frame = scope.kept(top(scope))
    fill_frame(scope, frame, kept)


def fill_frame(scope: Scope, frame: Value, codes: list[Op]) -> None:
    """Store words in a frame, and zero in the rest of it."""
    words = scope.module.memory.frame_words
    if len(codes) > words:
        raise Untranslatable("a frame with too many words")
    for place, code in enumerate(codes):
        scope.emit(Op("i64.store", f"offset={place * 8}", frame.code[0], code))
    rest = words - len(codes)
    if rest <= FEW:
        for place in range(len(codes), words):
            scope.emit(Op("i64.store", f"offset={place * 8}", frame.code[0], i64(0)))
    else:
        start = Op("i32.add", frame.code[0], i32(len(codes) * 8))
        scope.emit(Op("memory.fill", start, i32(0), i32(rest * 8)))


def frame_items(scope: Scope, node: Any) -> list[Value]:
    """The items of a frame written as a list display, followed by constant ones."""
    if not isinstance(node, ast.List):
        raise Untranslatable(f"a frame: {ast.unparse(node)}")
    found: list[Value] = []
    for item in node.elts:
        value = scope.expression(item.value if isinstance(item, ast.Starred) else item)
        if isinstance(item, ast.Starred):
            if not value.is_known or any(value.known):
                raise Untranslatable("a frame with a list in it that is not empty room")
        else:
            found.append(value)
    return found
