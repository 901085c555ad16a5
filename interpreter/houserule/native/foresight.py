"""What tests of the items of a known list read, worked out while they are translated: such tests need no branch."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from houserule.native.functions import Area, Scope
from houserule.native.items import loaded
from houserule.native.values import BITS, INT, Op, Value, as_i32, as_int, folded, i32, i64

MOST = 256
"""Items of longer lists, and numbers from here on, are not foreseen: tables and lists have room for all."""


@dataclass(frozen=True, slots=True)
class Foresight:
    """The items of a list, numbers below `MOST`, and by what name tests know one."""

    scope: Scope
    name: str
    items: tuple[int, ...]

    def numbers(self, node: ast.expr) -> list[int] | None:
        """What a number is for each item, by known tables; None if that is not known or one of the entries is missing."""
        match node:
            case ast.Name(id=self.name):
                return list(self.items)
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=ast.Constant(value=int(by))):
                by = by if isinstance(op, ast.Add) else -by
                found = self.numbers(left)
                return found and [one + by for one in found]
            case ast.Subscript(value=ast.Name(id=table), slice=index):
                known, found = self.scope.look_up(table).known, self.numbers(index)
                if found is None or not isinstance(known, tuple) or not are_indices(found, len(known)):
                    return None
                numbers = [known[one] for one in found]
                return numbers if all(isinstance(one, int) and one.bit_length() < BITS for one in numbers) else None
        return None

    def addresses(self, node: ast.expr) -> list[int] | None:
        """Where the zone is for each item; None if this is no zone, or not known."""
        match node:
            case ast.Subscript(value=ast.Name(id=zones), slice=index):
                known, found = self.scope.look_up(zones).known, self.numbers(index)
                memory = self.scope.module.memory
                if isinstance(known, Area) and known.name == "z" and found and are_indices(found, len(memory.zones)):
                    return [memory.zones[one] + memory.mirrors[known.mirror] for one in found]
        return None

    def is_sound(self, test: ast.expr) -> bool:
        """Whether a test only joins with `and`, `or` and `not` whether zones have pieces and what known tables say, and every
        index in it is there for every item. So each part can be evaluated whatever the others say: it cannot fail, charges no
        work, changes nothing and reads only what exists."""
        match test:
            case ast.BoolOp(values=tests):
                return all(map(self.is_sound, tests))
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return self.is_sound(inner)
        return self.addresses(test) is not None or self.numbers(test) is not None

    def code(self, test: ast.expr) -> Op:
        """A sound test without a branch: 0 if it fails; 1, or of zones and `or` another number, if it holds."""
        match test:
            case ast.BoolOp(op=ast.Or(), values=tests):
                return folded("i32.or", map(self.code, tests))
            case ast.BoolOp(values=tests):
                return folded("i32.and", [Op("i32.ne", self.code(one), i32(0)) for one in tests])
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return Op("i32.eqz", self.code(inner))
        if (addresses := self.addresses(test)) is not None:
            return Op("i32.load", as_i32(self.by_item(addresses)))
        return Op("i64.ne", as_int(self.by_item(self.numbers(test) or [])), i64(0))

    def by_item(self, numbers: list[int]) -> Value:
        """The number of the item at hand, from a table of its own."""
        found = dict(zip(self.items, numbers, strict=True))
        table = [found.get(one, 0) for one in range(max(self.items) + 1)]
        return loaded(i32(self.scope.module.memory.constant(table)), self.scope.look_up(self.name), INT)


def are_indices(numbers: list[int], length: int) -> bool:
    """Whether all are indices of a list of some length; none counts from its end."""
    return all(0 <= one < length for one in numbers)


def foresight(scope: Scope, name: str, source: ast.expr) -> Foresight | None:
    """That of a known list, metered or not; None for any other list."""
    match source:
        case ast.Call(func=ast.Name(id="metered"), args=[_, ast.Name() as inner, *_]):
            return foresight(scope, name, inner)
        case ast.Name():
            known = scope.look_up(source.id).known
            if isinstance(known, tuple) and 0 < len(known) <= MOST and all(isinstance(one, int) for one in known):
                return Foresight(scope, name, known) if are_indices(list(known), MOST) else None
    return None
