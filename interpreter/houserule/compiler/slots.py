"""Zones, variables and local names go in; what they are written as comes out: slots, with all that is known folded in."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from functools import partial

from houserule.compiler.folding import Folding
from houserule.compiler.writer import Writer
from houserule.language.checked import Constant, EitherPile, Expression, Local, Pile
from houserule.language.symbols import Family, SymbolTable
from houserule.language.types import Int, Maybe, plain

Bound = int | str | partial[ast.expr]
"""What a local is written as: a number, another name, or what makes a tree."""


class Slots(Writer, ABC):
    """Writes where things are kept."""

    def __init__(self, symbols: SymbolTable, told: bool) -> None:
        super().__init__(symbols, told)
        self.folding = Folding(symbols.players, body_of=self.body_of)
        self.bound: dict[str, Bound] = {}  # locals that are written as a number, under another name or as an entry

    def expr(self, node: Expression) -> ast.expr:
        """An expression, folded."""
        return self.emit(self.fold(node))

    def fold(self, node: Expression) -> Expression:
        """An expression, with what is bound now folded in."""
        return self.folding.fold(node, self.bound)

    @abstractmethod
    def emit(self, node: Expression) -> ast.expr:
        """An expression that is folded."""

    def slot(self, family: Family, index: tuple[Expression, ...]) -> ast.expr:
        """The slot of one of a family, with what is known folded in."""
        if (shifted := self.shifted(family, index)) is not None:
            return shifted
        known = family.base
        moving: list[ast.expr] = []
        stride = family.size
        for value, low, size in zip(index, family.lows, family.sizes, strict=True):
            stride = stride // size if size else 0
            constant = self.known(value)
            if constant is not None:
                known += (constant - low) * stride
                continue
            part = self.emit(value)
            type = plain(value.type)
            if isinstance(value.type, Maybe) or (
                isinstance(type, Int) and not (low <= type.low and type.high < low + size)
            ):
                part = self.call("at", part, self.number(low), self.number(size))
            known -= low * stride
            moving.append(part if stride == 1 else ast.BinOp(part, ast.Mult(), self.number(stride), **self.where))
        if not moving:
            return self.number(known)
        total = moving[0]
        for part in moving[1:]:
            total = ast.BinOp(total, ast.Add(), part, **self.where)
        if known > 0:
            return ast.BinOp(self.number(known), ast.Add(), total, **self.where)
        if known < 0:
            return ast.BinOp(total, ast.Sub(), self.number(-known), **self.where)
        return total

    def shifted(self, family: Family, index: tuple[Expression, ...]) -> ast.expr | None:
        """The slot where the only index is an entry of a column: the column holds the slots themselves."""
        if len(index) != 1 or not isinstance(index[0], Local) or isinstance(index[0].type, Maybe | Int):
            return None
        entry = self.bound.get(index[0].name)
        if not isinstance(entry, partial):
            return None
        column, *rest = entry.args
        slots = tuple(family.base + member - family.lows[0] for member in column)
        found: ast.expr = entry.func(slots, *rest)
        return found

    def known(self, value: Expression) -> int | None:
        """The number that an expression is, if it is known now."""
        if isinstance(value, Constant) and isinstance(value.value, int):
            return value.value
        if isinstance(value, Local):
            found = self.bound.get(value.name)
            return found if isinstance(found, int) else None
        return None

    def pile_slot(self, node: Pile | EitherPile) -> ast.expr:
        """The slot of a pile, or of one of two."""
        if isinstance(node, Pile):
            return self.slot(node.zone, node.index)
        test, yes, no = self.emit(node.test), self.pile_slot(node.yes), self.pile_slot(node.no)
        self.at(node.span)
        return ast.IfExp(test, yes, no, **self.where)

    def local(self, name: str) -> ast.expr:
        """A local: a number or another name where it is bound to one."""
        found = self.bound.get(name, f"l_{name}")
        if isinstance(found, int):
            return self.number(found)
        return self.name(found) if isinstance(found, str) else found()
