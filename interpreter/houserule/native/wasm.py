"""WebAssembly as a tree: instructions that translators build and look at, and the text that is written of them.

Small functions of the runtime are inlined into those that call them, which the compiler of modules does not do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce


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
