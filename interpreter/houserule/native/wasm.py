"""WebAssembly as a tree: instructions that translators build and look at, and the text that is written of them."""

from __future__ import annotations

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

    @property
    def may_act(self) -> bool:
        return any(one.name in ("call", "block", "loop", "if") for one in self.walk())

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
