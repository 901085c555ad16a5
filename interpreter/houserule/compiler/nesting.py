"""Splits loops that are nested deeper than Python allows: the innermost become nested functions.

Python allows twenty nested loops. A deeper one becomes a function inside the function, with its variables nonlocal.
"""

from __future__ import annotations

import ast

MOST_NESTED = 15
"""The most nested loops in one function. Python allows twenty blocks, and other blocks can be around these."""
PART = "··"
"""The separator of the name of a function and the number of a part: no author's name contains it."""


def split_loops(function: ast.FunctionDef) -> ast.FunctionDef:
    """Split the loops of a function in place where they are too deep."""
    function.body = Splitter(function.name).body(function.body, 0)
    return function


def whole_name(name: str) -> str:
    """The name of a function, or of the one that a part belongs to."""
    return name.partition(PART)[0]


class Splitter:
    """Walks over the statements of one function."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.parts = 0

    def body(self, body: list[ast.stmt], depth: int) -> list[ast.stmt]:
        """Split statements inside `depth` loops."""
        return [made for statement in body for made in self.statement(statement, depth)]

    def statement(self, node: ast.stmt, depth: int) -> list[ast.stmt]:
        """Split one statement."""
        match node:
            case ast.If():
                node.body, node.orelse = self.body(node.body, depth), self.body(node.orelse, depth)
            case ast.Try():
                node.body = self.body(node.body, depth)
            case ast.For() | ast.While() if depth < MOST_NESTED:
                node.body = self.body(node.body, depth + 1)
            case ast.For() | ast.While():
                return self.part(node)
            case _:
                pass
        return [node]

    def part(self, loop: ast.For | ast.While) -> list[ast.stmt]:
        """A loop as a function, and its call. It returns `...` if its caller continues after the loop."""
        inside = list(ast.walk(loop))
        names = sorted({node.id for node in inside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)})
        returns = any(isinstance(node, ast.Return) for node in inside)
        self.parts += 1
        name = f"{self.name}{PART}{self.parts}"
        loop.body = self.body(loop.body, 1)
        shared: list[ast.stmt] = [ast.Nonlocal(names)] if names else []
        nothing = ast.arguments([], [], None, [], [], None, [])
        part = ast.FunctionDef(name, nothing, [*shared, loop, ast.Return(ast.Constant(...))], [])
        call = ast.Call(ast.Name(name, ast.Load()), [], [])
        made: list[ast.stmt] = [part]
        if names:
            # Never executed: it makes them locals of the outer function, which `nonlocal` requires.
            belong = ast.Assign([ast.Name(each, ast.Store()) for each in names], ast.Constant(0))
            made.insert(0, ast.If(ast.Constant(0), [belong], []))
        if returns:
            kept = ast.NamedExpr(ast.Name("r", ast.Store()), call)
            ends = ast.Compare(kept, [ast.IsNot()], [ast.Constant(...)])
            made.append(ast.If(ends, [ast.Return(ast.Name("r", ast.Load()))], []))
        else:
            made.append(ast.Expr(call))
        return [ast.fix_missing_locations(ast.copy_location(statement, loop)) for statement in made]
