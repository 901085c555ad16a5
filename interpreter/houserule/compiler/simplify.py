"""Simplifies generated Python: the tree of a function in, the same function without what is decided already out.

Options, the number of players and arguments of functions that are written out become constants in the middle of
expressions: `0 == 0 or …`, `2 if 0 else 1`. Here they are decided. Only what cannot be told apart by its result is
changed, and what is left keeps its place in the rule file.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeGuard

if TYPE_CHECKING:

    class Number(ast.Constant):
        """A constant that is a number or a truth."""

        value: int


COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def simplified(function: ast.FunctionDef) -> ast.FunctionDef:
    """The function, simplified in place."""
    Simplifier().visit(function)
    return function


class Simplifier(ast.NodeTransformer):
    """Goes through a tree from the leaves up."""

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """Two numbers are compared now."""
        self.generic_visit(node)
        compare = COMPARISONS.get(type(node.ops[0]))
        if len(node.ops) == 1 and compare is not None and is_number(node.left) and is_number(node.comparators[0]):
            return constant(compare(node.left.value, node.comparators[0].value), node)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """What a constant decides is cut off, and a constant that decides nothing is left out."""
        self.generic_visit(node)
        ends = isinstance(node.op, ast.Or)
        values: list[ast.expr] = []
        for position, value in enumerate(node.values):
            if isinstance(value, ast.Constant) or is_known_row(value):
                if is_true(value) == ends:
                    values.append(value)
                    break
                if position < len(node.values) - 1:
                    continue
            values.append(value)
        if len(values) == 1:
            return values[0]
        node.values = values
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        """`not` of a constant, and of a list that is only asked whether it has anything; a number with its sign."""
        self.generic_visit(node)
        if isinstance(node.op, ast.USub) and is_number(node.operand):
            return constant(-node.operand.value, node)
        if not isinstance(node.op, ast.Not):
            return node
        if isinstance(node.operand, ast.Constant):
            return constant(not node.operand.value, node)
        node.operand = condition(node.operand)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        """A known condition leaves one of the two."""
        self.generic_visit(node)
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        node.test = condition(node.test)
        return node

    def visit_If(self, node: ast.If) -> ast.stmt | Sequence[ast.stmt]:
        """The same for statements."""
        self.generic_visit(node)
        if isinstance(node.test, ast.Constant):
            return (node.body if node.test.value else node.orelse) or ast.copy_location(ast.Pass(), node)
        node.test = condition(node.test)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        """Conditions that always hold are left out."""
        self.generic_visit(node)
        kept = [test for test in node.ifs if not (isinstance(test, ast.Constant) and test.value)]
        node.ifs = [condition(test) for test in kept]
        return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        """A list that was just made, each of it as it is, is that list."""
        self.generic_visit(node)
        match node:
            case ast.ListComp(ast.Name(each), [ast.comprehension(ast.Name(name), source, [])]) if each == name:
                fresh = isinstance(source, ast.List | ast.ListComp) or is_call(source, "sorted")
                return source if fresh else node
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """The first of a sorted list is the smallest; a list that was just made needs no copy."""
        swap_in_place(node)
        self.generic_visit(node)
        if is_call(node, "list") and isinstance(node.args[0], ast.List | ast.ListComp):
            return node.args[0]
        if is_call(node, "item") and is_call(node.args[0], "sorted") and is_one(node.args[1]):
            ordered = node.args[0]
            smallest = ast.copy_location(ast.Name("min", ast.Load()), node)
            default = ast.copy_location(ast.keyword("default", node.args[2]), node)
            return ast.copy_location(ast.Call(smallest, ordered.args, [*ordered.keywords, default]), node)
        if is_call(node, "len") and is_call(node.args[0], "sorted"):
            node.args = node.args[0].args[:1]
        if is_call(node, "item") and is_cheap(node.args[0]) and is_number(node.args[1]):
            return known_item(node, node.args[1].value)
        if is_call(node, "step"):
            value, *others = node.args
            numbers = [other.value for other in others if is_number(other)]
            if len(numbers) == len(others):
                return known_step(node, value, *numbers)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """What is looked up in a row that is known is known."""
        self.generic_visit(node)
        if not is_known_row(node.value) or not isinstance(node.ctx, ast.Load):
            return node
        row = node.value.elts
        match node.slice:
            case ast.Constant(int(index)) if -len(row) <= index < len(row):
                return row[index]
            case ast.Slice(ast.Constant(int(first)), None, None):
                return ast.copy_location(ast.Tuple(row[first:], ast.Load()), node)
        return node

    def visit_List(self, node: ast.List) -> ast.expr:
        """What is spread out in a list and is known stands in it."""
        self.generic_visit(node)
        node.elts = [
            inner
            for item in node.elts
            for inner in (item.value.elts if isinstance(item, ast.Starred) and is_known_row(item.value) else (item,))
        ]
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        """Nothing is called to move a pile in which nothing lies."""
        self.generic_visit(node)
        match node.value:
            case ast.Call(ast.Name("quick_move_pile"), [state, source, _]) if is_cheap(source):
                lies = ast.Subscript(ast.Attribute(state, "z", ast.Load()), source, ast.Load())
                whole = ast.If(lies, [node], [])
                return ast.fix_missing_locations(ast.copy_location(whole, node))
        return node


def swap_in_place(node: ast.Call) -> None:
    """Two pieces that are named by their known places in one pile change them there; nobody looks for them."""
    match node:
        case ast.Call(
            ast.Name("quick_swap_pieces"),
            [
                _,
                ast.Call(ast.Name("item"), [pile, ast.Constant(int(first)) as a, _]),
                ast.Call(ast.Name("item"), [other, ast.Constant(int(second)) as b, _]),
            ],
        ) if first > 0 < second and ast.dump(pile) == ast.dump(other):
            node.func = ast.copy_location(ast.Name("quick_swap_places", ast.Load()), node.func)
            node.args = [pile, a, b]


def known_item(node: ast.Call, number: int) -> ast.expr:
    """The item at a position that is known, looked up in place: it is there or not, and nothing is called."""
    pile, _, none = node.args
    if number < 1:
        return none
    there: ast.expr = pile
    if number > 1:
        counted = ast.Call(ast.Name("len", ast.Load()), [pile], [])
        there = ast.Compare(counted, [ast.GtE()], [ast.Constant(number)])
    found = ast.Subscript(pile, ast.Constant(number - 1), ast.Load())
    return ast.fix_missing_locations(ast.copy_location(ast.IfExp(there, found, none), node))


def known_step(node: ast.Call, value: ast.expr, by: int, low: int, size: int) -> ast.expr:
    """`step` round a ring whose size is known, worked out in place."""
    if is_number(value):
        return constant(low + (value.value - low + by) % size, node)
    forward = ast.BinOp(value, ast.Add(), ast.Constant((by - low) % size))
    inside: ast.expr = ast.BinOp(forward, ast.Mod(), ast.Constant(size))
    whole = ast.BinOp(inside, ast.Add(), ast.Constant(low)) if low else inside
    return ast.fix_missing_locations(ast.copy_location(whole, node))


def is_cheap(node: ast.expr) -> bool:
    """Whether it can be written twice: names, numbers, sums and what is looked up with them."""
    match node:
        case ast.Name() | ast.Constant():
            return True
        case ast.Subscript(value, index):
            return is_cheap(value) and is_cheap(index)
        case ast.BinOp(left, ast.Add() | ast.Sub() | ast.Mult(), right):
            return is_cheap(left) and is_cheap(right)
        case _:
            return False


def is_true(node: ast.Constant | ast.Tuple | ast.List) -> bool:
    """What a constant or a row that is known counts for where true or false is asked for."""
    return bool(node.value if isinstance(node, ast.Constant) else node.elts)


def is_known_row(node: ast.expr) -> TypeGuard[ast.Tuple | ast.List]:
    """Whether it is a tuple or list of numbers that are known."""
    return isinstance(node, ast.Tuple | ast.List) and all(map(is_number, node.elts))


def condition(test: ast.expr) -> ast.expr:
    """The same where only true or false is asked for."""
    match test:
        case ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), inner)):
            return condition(inner)
        case ast.Compare(ast.Call(ast.Name("len"), [counted]), [ast.Gt()], [ast.Constant(0)]):
            return counted
        case ast.BoolOp(op, values):
            kept = [condition(value) for value in values if not is_idle(value, op)]
            if len(kept) < 2:
                return kept[0] if kept else values[-1]
            test.values = kept
    return test


def is_idle(value: ast.expr, op: ast.boolop) -> bool:
    """Whether a constant decides nothing in an `and` or `or`."""
    return isinstance(value, ast.Constant) and bool(value.value) != isinstance(op, ast.Or)


def constant(value: int, node: ast.expr) -> ast.expr:
    """A number or a truth where a node stood."""
    return ast.copy_location(ast.Constant(value), node)


def is_number(node: ast.expr) -> TypeGuard[Number]:
    """Whether it is a number that is known."""
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def is_one(node: ast.expr) -> bool:
    """Whether it is the number 1."""
    return isinstance(node, ast.Constant) and node.value == 1


def is_call(node: ast.expr, name: str) -> TypeGuard[ast.Call]:
    """Whether it calls that function with at least one argument."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name and bool(node.args)
