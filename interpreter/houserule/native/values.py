"""The typed intermediate form between Python and WebAssembly: instructions as a tree, the text that is written of them, and values with types.

Rules and their runtime are written in a small subset of Python; these are its types. A value known at
translation time is folded in, and so is what depends on it. Anything else is refused, with its place.

Small functions of the runtime are inlined into those that call them, which the compiler of modules does not do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any


@dataclass(frozen=True, slots=True, init=False)
class Op:
    """An instruction with its operands, or a part of one such as `result` and `then`; words are names, offsets and numbers."""

    name: str
    parts: tuple[Op | str, ...]

    def __init__(self, name: str, *parts: Op | str) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "parts", parts)

    @property
    def constant(self) -> int | None:
        return int(str(self.parts[0])) if self.name in ("i32.const", "i64.const") else None

    @property
    def is_plain(self) -> bool:
        return self.name in ("local.get", "i32.const", "i64.const")

    def jumps_to(self, label: str) -> bool:
        return any(one.name in ("br", "br_if") and one.parts[0] == label for one in self.walk())

    def walk(self) -> Iterator[Op]:
        """It, and all that is in it."""
        waiting: list[Op] = [self]
        while waiting:
            one = waiting.pop()
            yield one
            waiting += [part for part in one.parts if isinstance(part, Op)]


TRAP = Op("unreachable")
LEAVE = Op("leave")
"""Leaves a function whose result type is not known yet; the result counts for nothing."""


def text_of(op: Op, leave: Op = TRAP) -> str:
    """An instruction in the text format; `leave` is what `LEAVE` means in this function."""
    op = leave if op is LEAVE else op
    return f"({' '.join([op.name, *(part if isinstance(part, str) else text_of(part, leave) for part in op.parts)])})"


def i32(value: int) -> Op:
    return Op("i32.const", str(value))


def i64(value: int) -> Op:
    return Op("i64.const", str(value))


def get_local(name: str) -> Op:
    return Op("local.get", name)


def when(test: Op, then: Iterable[Op], otherwise: Iterable[Op] = ()) -> Op:
    """Instructions that are run if a condition holds, and others if it does not."""
    other = list(otherwise)
    return Op("if", test, Op("then", *then), *([Op("else", *other)] if other else []))


def either(type: str, test: Op, yes: Sequence[Op], no: Sequence[Op]) -> Op:
    return Op("if", Op("result", type), test, Op("then", *yes), Op("else", *no))


def trap_if(test: Op) -> Op:
    return when(test, [TRAP])


def folded(name: str, codes: Iterable[Op]) -> Op:
    return reduce(lambda made, code: Op(name, made, code), codes)


INLINED = frozenset(
    "$after $append $bounded $copied $cut $distinct $divide $fill $index $insert $inside $modulo $new $pop $product $push $put "
    "$random $remove $room_for $seed_mixed $seed_stirred $slice $words".split()
)
"""The functions that gain by it; the others are long and seldom called, or gain nothing."""
HEAD = ("export", "param", "result", "local")
TOKEN = re.compile(r";;[^\n]*|[()]|[^\s()]+")


class Inliner:
    """The runtime as trees, and as `text`, in which its functions are inlined too."""

    def __init__(self, text: str) -> None:
        trees = parsed(text)
        self.functions = {str(tree.parts[0]): tree for tree in trees if tree.parts[0] in INLINED}
        self.done: dict[str, Op] = {}
        self.text = "\n".join(text_of(self.inlined(tree)) for tree in trees)

    def callee(self, name: str) -> Op | None:
        """A function that is inlined, after what it calls was inlined in it; None for others."""
        if name not in self.done and name in self.functions:
            self.done[name] = self.inlined(self.functions[name])
        return self.done.get(name)

    def inlined(self, function: Op) -> Op:
        """A function with a block in place of each call of a small one."""
        made: list[Op] = []
        sites = 0

        def visited(op: Op) -> Op:
            nonlocal sites
            if not op.parts:
                return op
            parts = [part if isinstance(part, str) else visited(part) for part in op.parts]
            callee = self.callee(str(parts[0])) if op.name == "call" else None
            if callee is None:
                return Op(op.name, *parts)
            sites += 1
            block, locals = in_place(callee, parts[1:], f"'{sites}")
            made.extend(locals)
            return block

        head, body = split(function)
        body = [visited(op) for op in body]
        return Op(function.name, *head, *made, *body)


def split(function: Op) -> tuple[list[Op | str], list[Op]]:
    """The head of a function, and its body."""
    head = [part for part in function.parts if isinstance(part, str) or part.name in HEAD]
    return head, [part for part in function.parts if isinstance(part, Op) and part.name not in HEAD]


def in_place(callee: Op, arguments: Sequence[Op | str], mark: str) -> tuple[Op, list[Op]]:
    """The block for a call, and its locals, whose names end with a mark; a return leaves the block."""
    head, body = split(callee)
    out = f"$out{mark}"
    given = iter(arguments)
    result: list[Op] = []
    locals: list[Op] = []
    begun: list[Op] = []
    for part in head[1:]:
        assert isinstance(part, Op)
        if part.name == "result":
            result = [part]
            continue
        name, wasm = f"{part.parts[0]}{mark}", str(part.parts[1])
        locals.append(Op("local", name, wasm))
        begun.append(Op("local.set", name, next(given) if part.name == "param" else Op(f"{wasm}.const", "0")))

    def renamed(op: Op) -> Op:
        if op.name.startswith("local."):
            local, *values = op.parts
            return Op(op.name, f"{local}{mark}", *(one if isinstance(one, str) else renamed(one) for one in values))
        parts = [one if isinstance(one, str) else renamed(one) for one in op.parts]
        return Op("br", out, *parts) if op.name == "return" else Op(op.name, *parts)

    return Op("block", out, *result, *begun, *map(renamed, body)), locals


def parsed(text: str) -> list[Op]:
    """The trees of a text without strings."""
    stack: list[list[Op | str]] = [[]]
    for token in TOKEN.findall(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            name, *parts = stack.pop()
            stack[-1].append(Op(str(name), *parts))
        elif not token.startswith(";;"):
            stack[-1].append(token)
    return [one for one in stack[0] if isinstance(one, Op)]


# --- values with their types ------------------------------------------------------------------------------------------


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
    return side_by_side(made)


def side_by_side(items: Sequence[Value]) -> Value:
    return Value(TupleOf(tuple(item.type for item in items)), tuple(code for item in items for code in item.code))


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
    return Op("i32.wrap_i64", as_int(value))


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
