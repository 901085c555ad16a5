"""Translates reading and assigning items, slices included."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from houserule.compiler.runtime import without_effect
from houserule.native import state
from houserule.native.blueprint import Generated, Imagined, Nested, SightRule
from houserule.native.functions import EXPRESSIONS, ROWS, Area, Scope, area_address, coerced, listed
from houserule.native.memory import WORD
from houserule.native.values import (
    FRAME,
    INT,
    INTS,
    NOT_THERE,
    PILE,
    STORED_BITS,
    WORD_TYPE,
    ListOf,
    Op,
    TupleOf,
    Untranslatable,
    Value,
    as_i32,
    as_int,
    bounded,
    i32,
    i64,
    of_known,
    parts,
    pointer,
    trap_if,
    tuple_of,
    wasm_types,
    words,
)

WORDS = {"all": -10, "none": -11, "changes": -13, "leaves": -14, "enters": -15, "before": -16, "after": -17}
"""Words of tables as numbers. The visibility of a zone may also be a player, by number, and -12 stands for a function."""
BY_FUNCTION = -12
LISTS = (tuple, list, range)
FEW = 8
"""Rows of a table with at most so many numbers are gone through without a loop."""


@dataclass(frozen=True, slots=True)
class Zones:
    """A range of zones, by slot."""

    low: Value
    high: Value


@dataclass(frozen=True, slots=True)
class OneOf:
    """A function from a table, before it is called."""

    functions: tuple[Any, ...]
    index: Value


def address(start: Op, index: Value, width: int = 1, part: int = 0) -> tuple[Op, int]:
    """The address of a word of an item, as code and a constant offset."""
    offset = 8 + part * 8
    if index.const is not None:
        offset += index.const * width * 8
        if start.constant is not None:
            return i32(start.constant + offset), 0
        return (start, offset) if offset >= 0 else (Op("i32.add", start, i32(offset)), 0)
    moving = scaled(as_int(index), width)
    return (moving, start.constant + offset) if start.constant is not None else (Op("i32.add", start, moving), offset)


def scaled(code: Op, width: int) -> Op:
    """The size of a number of items."""
    small = Op("i32.wrap_i64", code)
    if width & (width - 1) == 0:
        return Op("i32.shl", small, i32(2 + width.bit_length()))
    return Op("i32.mul", small, i32(width * 8))


def loaded(list_code: Op, index: Value, type: Any, width: int | None = None) -> Value:
    """An item of a list that is known to exist, by its index, or by the word where it begins for a `width` of 1."""
    width = width or words(type)
    codes = []
    for part, wasm in enumerate(wasm_types(type)):
        at, offset = address(list_code, index, width, part)
        codes.append(Op(f"{wasm}.load", f"offset={offset}", at))
    return Value(type, tuple(codes))


def item(scope: Scope, node: ast.Subscript) -> Value:
    """`a[b]`."""
    if isinstance(node.slice, ast.Slice):
        return sliced(scope, node)
    of = scope.expression(node.value)
    index = scope.expression(node.slice)
    if of.is_known:
        return item_of_known(scope, of.known, index)
    match of.type:
        case TupleOf():
            if index.const is None:
                raise Untranslatable("a part of a tuple by a number that is not known")
            return parts(of)[index.const]
        case ListOf(item=type):
            return item_of_list(scope, of, index, type)
    if of.type is FRAME and index.const is not None:
        return Value(WORD_TYPE, (Op("i64.load", f"offset={index.const * 8}", of.code[0]),))
    raise Untranslatable(ast.unparse(node))


def item_of_list(scope: Scope, of: Value, index: Value, type: Any) -> Value:
    """An item of a list; a missing one traps, and Python explains the fault."""
    width = words(type)
    kept = scope.temporary(of)
    length = Op("i32.load", kept.code[0])
    if index.const is not None and index.const < 0:
        scope.emit(trap_if(Op("i32.lt_u", length, i32(-index.const * width))))
        end = Op("i32.add", kept.code[0], Op("i32.shl", length, i32(3)))
        return loaded(Op("i32.sub", end, i32(-index.const * width * 8)), of_known(0), type)
    place = scope.temporary(index)
    small = as_i32(place)
    limit = length if width == 1 else Op("i32.div_u", length, i32(width))
    scope.emit(trap_if(Op("i32.ge_u", small, limit)))
    return loaded(kept.code[0], place, type)


def item_of_known(scope: Scope, of: Any, index: Value) -> Value:
    """An item of the state, or of a known collection."""
    memory = scope.module.memory
    if isinstance(of, Area):
        return item_of_area(scope, of, index)
    if isinstance(of, Mapping):
        of = [of.get(key) for key in range(max(of, default=-1) + 1)]
    if index.const is not None:
        return of_known(of[index.const])
    functions = [without_effect if one is None else one for one in of]
    if any(one is not None for one in of) and all(map(is_function, functions)):
        return of_known(OneOf(tuple(functions), index))
    if any(isinstance(one, LISTS) for one in of):  # what has no list is never asked for one
        lists = [tuple(one) if isinstance(one, LISTS) else () for one in of]
        return loaded_list(i32(memory.constant(lists)), index)
    numbers = [number_for(one) for one in of]
    bits = max((number.bit_length() for number in numbers if number != NOT_THERE), default=1)
    return bounded(replace(loaded(i32(memory.constant(numbers)), index, INT), bits=bits))


def row_of_few(scope: Scope, node: ast.expr, is_filled: bool = False) -> Value | None:
    """A row of a table of few numbers each, as a tuple; None for anything else.

    All rows are equally long, or `is_filled` and a shorter one has its first number again: an end of a loop is often foreseen wrongly.
    """
    if not (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)):
        return None
    table = scope.look_up(node.value.id).known if "rows" not in scope.module.blueprint.without else ()
    rows = [row for row in table if isinstance(row, tuple)] if isinstance(table, tuple) else []
    most = max(map(len, rows), default=0)
    if not 0 < most <= FEW or min(map(len, rows)) < (1 if is_filled else most):
        return None
    if not all(isinstance(one, int) for row in rows for one in row):
        return None
    filled = [row + row[:1] * (most - len(row)) if isinstance(row, tuple) else (0,) * most for row in table]
    start = i32(scope.module.memory.constant([one for row in filled for one in row]))
    return loaded(start, scope.temporary(scope.expression(node.slice)), TupleOf((INT,) * most))


def number_for(known: Any) -> Any:
    """An entry of a table as a number."""
    match known:
        case None:
            return NOT_THERE
        case str():
            return WORDS[known]
        case SightRule():
            return BY_FUNCTION
    return known


def is_function(value: Any) -> bool:
    return isinstance(value, Generated | Nested | Imagined) or callable(value)


def loaded_list(at: Op, index: Value) -> Value:
    """A list in a constant list of lists."""
    code, offset = address(at, index)
    return pointer(Op("i32.load", f"offset={offset}", code))


def item_of_area(scope: Scope, of: Area, index: Value) -> Value:
    """A variable, a zone, the place of a piece, or a frame."""
    memory = scope.module.memory
    moved = memory.mirrors[of.mirror]
    match of.name:
        case "v" | "w" | "queue" | "counts" | "tallies" | "observed":
            item = loaded(i32(area_address(scope, of)), index, ROWS.get(of.name, INT))
            return replace(item, bits=STORED_BITS) if of.name in ("v", "w") else item
        case "z":
            if index.const is not None:
                return pointer(i32(moved + memory.zones[index.const]), PILE)
            found = Op("i32.load", *address_of_address(as_int(index), memory.addresses()))
            return pointer(Op("i32.add", found, i32(moved)) if moved else found, PILE)
        case "kept":
            return loaded_list(i32(memory.remembered - WORD), index)
        case "frames":
            if index.const == -1:
                return state.top(scope)
    raise Untranslatable(f"an item of {of.name}")


def address_of_address(index: Op, start: int) -> tuple[str, Op]:
    """Where the address of a zone by number is, as an offset and code; a number that is subtracted is part of the offset."""
    less = index.parts[1].constant if index.name == "i64.sub" and isinstance(index.parts[1], Op) else None
    slot = index.parts[0] if less is not None else index
    return f"offset={start - 4 * (less or 0)}", Op("i32.shl", Op("i32.wrap_i64", slot), i32(2))


def sliced(scope: Scope, node: ast.Subscript) -> Value:
    """`a[b:c]`: a copy; `a[::-1]`: the other way round."""
    assert isinstance(node.slice, ast.Slice)
    low, high, step = (
        None if part is None else scope.expression(part)
        for part in (node.slice.lower, node.slice.upper, node.slice.step)
    )
    of = listed(scope, scope.expression(node.value))
    return stretch_of_known(of, low, high, step) or stretch_of_list(scope, of, low, high, step, node)


def stretch_of_known(of: Value, low: Value | None, high: Value | None, step: Value | None) -> Value | None:
    """A range of zones, of a tuple or of a known collection; None for other lists."""
    if of.is_known and isinstance(of.known, Area) and of.known.name == "z" and low and high:
        return of_known(Zones(low, high))
    if any(end is not None and end.const is None for end in (low, high)):
        return None
    stretch = slice(low.const if low else None, high.const if high else None, -1 if step else None)
    if isinstance(of.type, TupleOf):
        return tuple_of(parts(of)[stretch])
    return of_known(of.known[stretch]) if of.is_known and not isinstance(of.known, Area) else None


def stretch_of_list(
    scope: Scope, of: Value, low: Value | None, high: Value | None, step: Value | None, node: ast.Subscript
) -> Value:
    """A copy of a part of a list."""
    of = of if isinstance(of.type, ListOf) else coerced(scope, of, INTS)
    assert isinstance(of.type, ListOf)
    if words(of.type.item) != 1:
        raise Untranslatable("a part of a list of tuples")
    if step is not None:
        if low or high or step.const != -1:
            raise Untranslatable(ast.unparse(node))
        return Value(ListOf(of.type.item), (Op("call", "$reversed", of.code[0]),))
    low_code = as_int(low) if low else i64(0)
    high_code = as_int(high) if high else i64(1 << 40)
    return Value(ListOf(of.type.item), (Op("call", "$slice", of.code[0], low_code, high_code),))


# --- assignment ---------------------------------------------------------------------------------------------------------


def set_item(scope: Scope, target: ast.Subscript, given: ast.expr | Value) -> None:
    """`a[b] = c`."""
    of = scope.expression(target.value)
    if of.is_known and of.known == Area("frames"):
        assert isinstance(given, ast.expr)
        state.replace_frame(scope, state.frame_items(scope, given))
        return
    value = scope.expression(given) if isinstance(given, ast.expr) else given
    if isinstance(target.slice, ast.Slice):
        set_slice(scope, of, target.slice, value)
        return
    index = scope.expression(target.slice)
    if of.type is FRAME:
        at, offset = address(of.code[0], index)
        scope.emit(Op("i64.store", f"offset={offset - WORD}", at, state.word(scope, value)))
        return
    if of.is_known and isinstance(of.known, Area) and of.known.name == "z":
        zone = item_of_area(scope, of.known, index)
        scope.emit(Op("call", "$fill", zone.code[0], coerced(scope, value, INTS).code[0]))
        return
    if of.is_known and isinstance(of.known, Area):
        is_kept = of.known.name == "kept"
        start = scope.module.memory.remembered - WORD if is_kept else area_address(scope, of.known)
        word = state.word(scope, value) if is_kept else as_int(value)
        at, offset = address(i32(start), index)
        scope.emit(Op("i64.store", f"offset={offset}", at, word))
        return
    if not isinstance(of.type, ListOf) or of.type.item != INT:
        raise Untranslatable(ast.unparse(target))
    kept, place = scope.temporary(of), scope.temporary(index)
    value = scope.temporary(value)
    scope.emit(trap_if(Op("i32.ge_u", as_i32(place), Op("i32.load", kept.code[0]))))
    at, offset = address(kept.code[0], place)
    scope.emit(Op("i64.store", f"offset={offset}", at, as_int(value)))


def set_slice(scope: Scope, of: Value, part: ast.Slice, value: Value) -> None:
    """`a[:] = b`, and resetting variables."""
    if of.type is FRAME:  # only ever to what it was before
        memory = scope.module.memory
        scope.emit(Op("memory.copy", of.code[0], i32(memory.before), i32(memory.frame_bytes)))
        return
    if of.type == PILE and part.lower is None and part.upper is None:
        scope.emit(Op("call", "$fill", of.code[0], coerced(scope, value, INTS).code[0]))
        return
    if of.is_known and of.known == Area("v") and part.lower is not None and part.upper is not None:
        low, high = (scope.temporary(scope.expression(end)) for end in (part.lower, part.upper))
        memory = scope.module.memory
        size = Op("i32.shl", Op("i32.sub", as_i32(high), as_i32(low)), i32(3))
        to = Op("call", "$words", i32(memory.v), as_i32(low))
        source = Op("call", "$words", coerced(scope, value, INTS).code[0], i32(0))
        scope.emit(Op("memory.copy", to, source, size))
        return
    raise Untranslatable("a part of a list is set")


def got(scope: Scope, of: Mapping[int, Any], index: Value, default: Value) -> Value:
    """`table.get(key, default)`."""
    if not of:
        return default
    missing = NOT_THERE if default.is_known and default.known is None else default.known
    if index.const is not None:
        return of_known(of.get(index.const, default.known))
    size = scope.module.memory
    slots = max([len(size.zones), len(scope.module.blueprint.variables), max(of) + 1])
    return item_of_known(scope, [of.get(key, missing) for key in range(slots)], index)


EXPRESSIONS[ast.Subscript] = item
