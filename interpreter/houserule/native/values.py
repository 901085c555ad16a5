"""The typed intermediate form between Python and WebAssembly: values with their types, and code for them.

Rules and their runtime are written in a small subset of Python; these are its types. A value known at
translation time is folded in, and so is what depends on it. Anything else is refused, with its place.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from houserule.native.wasm import Op, i32, i64


class Failed(Exception):
    """Only Python can go on."""


class Outside(Failed, ValueError):
    """Something is to be read or written outside of a machine's memory."""


class Untranslatable(Exception):
    """Something is outside the subset: the program is played in Python."""

    place: tuple[str, int] | None = None
    """The generated function, and the line of its file that it comes from."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """A type of one machine word."""

    name: str
    wasm: str


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list. A `zone` has a fixed place in memory; others are in the arena, or constant."""

    item: Type
    zone: bool = False


@dataclass(frozen=True, slots=True)
class TupleOf:
    """A tuple of known length: its parts side by side."""

    items: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class DictOf:
    """A dictionary, as rows of keys and values in insertion order."""

    key: Type
    value: Type


Type = Scalar | ListOf | TupleOf | DictOf

INT = Scalar("int", "i64")
BOOL = Scalar("bool", "i32")
FLOAT = Scalar("float", "f64")
FRAME = Scalar("frame", "i32")
KNOWN = Scalar("known", "")
VOID = Scalar("nothing", "")
WORD_TYPE = Scalar("word", "i64")
"""The types of words in a frame or an answer: a number or a list, by the planner's type of the local."""
INTS = ListOf(INT)
PILE = ListOf(INT, zone=True)

LIST = 1 << 48
"""The tag bit of a word that is the address of a list; integers of rules are smaller."""
NOT_THERE = -(1 << 40)
"""The word for None, if a number may be missing."""


STORED_BITS = 32
"""Of a variable, with a bit for none."""
FIELD_BITS = 38
"""Of a number of the state itself, such as the work that is left: the rules cannot make it overflow."""
BITS = 40
"""No number of the rules that is named, listed, passed or returned has more bits: one that would traps, and the match is
played in Python. So none is mistaken for a list or for `NOT_THERE`."""


@dataclass(slots=True)
class Value:
    """A value: code for each of its machine words, or the value itself, if it is known."""

    type: Type
    code: tuple[Op, ...] = ()
    known: Any = None
    locals: tuple[str, ...] = field(default=())
    bits: int = BITS
    """Of an `int`: it is less than 2 to this, whatever its sign."""

    @property
    def is_known(self) -> bool:
        return self.type is KNOWN

    @property
    def const(self) -> int | None:
        return int(self.known) if self.type is KNOWN and isinstance(self.known, int) else None


def wasm_types(type: Type) -> tuple[str, ...]:
    """The machine types of a value."""
    match type:
        case TupleOf(items):
            return tuple(wasm for item in items for wasm in wasm_types(item))
        case ListOf() | DictOf():
            return ("i32",)
        case Scalar(wasm=wasm):
            return (wasm,) if wasm else ()


def words(type: Type) -> int:
    return len(wasm_types(type))


def of_known(value: Any) -> Value:
    return Value(KNOWN, (), value)


def number(code: Op, bits: int = BITS) -> Value:
    return Value(INT, (code,), bits=32 if code.name == "i64.extend_i32_u" else bits)


def bits_of(value: Value) -> int:
    return value.bits if value.const is None else value.const.bit_length()


def truth(code: Op) -> Value:
    return Value(BOOL, (code,))


def pointer(code: Op, type: Type = INTS) -> Value:
    return Value(type, (code,))


def parts(value: Value) -> list[Value]:
    """The items of a tuple."""
    if value.is_known:
        return [of_known(item) for item in value.known]
    if not isinstance(value.type, TupleOf):
        raise Untranslatable(f"a tuple is expected, not {value.type}")
    found, at = [], 0
    for item in value.type.items:
        size = words(item)
        found.append(Value(item, value.code[at : at + size]))
        at += size
    return found


def tuple_of(items: list[Value]) -> Value:
    """A tuple of unknown values, or a known one."""
    if all(item.is_known for item in items):
        return of_known(tuple(item.known for item in items))
    made = [run_time(item) for item in items]
    if any(item.is_known for item in made):
        raise Untranslatable("a tuple of what is known and what is not")
    return Value(TupleOf(tuple(item.type for item in made)), tuple(code for item in made for code in item.code))


def run_time(value: Value) -> Value:
    """A number or condition as code; conditions become numbers."""
    if value.const is not None:
        return bounded(number(constant(value.const), value.const.bit_length()))
    if value.is_known and value.known is None:
        return number(i64(NOT_THERE))
    if value.type is BOOL:
        return number(Op("i64.extend_i32_u", value.code[0]))
    return value


def constant(value: int) -> Op:
    if value.bit_length() > 63:
        raise Untranslatable("a number that is too large")
    return i64(value)


def bounded(value: Value) -> Value:
    """A number that traps if it has more than `BITS`."""
    return number(Op("call", "$bounded", value.code[0])) if value.type is INT and value.bits > BITS else value


def as_int(value: Value) -> Op:
    """The code of a number; a constant may have any number of bits."""
    if value.const is not None:
        return constant(value.const)
    made = run_time(value)
    if made.type is not INT:
        raise Untranslatable(f"a number is expected, not {made.known if made.is_known else made.type}")
    return made.code[0]


def as_i32(value: Value) -> Op:
    """The code of a small number."""
    if value.const is not None:
        return i32(value.const)
    code = as_int(value)
    return Op("i32.wrap_i64", code)


def as_condition(value: Value) -> Op | bool:
    """The code of a condition, or its truth if it is known."""
    if value.is_known:
        return bool(value.known)
    match value.type:
        case Scalar(name="bool"):
            return value.code[0]
        case Scalar(name="int"):
            return Op("i64.ne", value.code[0], i64(0))
        case ListOf() | DictOf():
            return Op("i32.ne", Op("i32.load", value.code[0]), i32(0))
    raise Untranslatable(f"no condition: {value.type}")


def condition_code(value: Value) -> Op:
    """The code of a condition."""
    found = as_condition(value)
    return i32(int(found)) if isinstance(found, bool) else found
