"""Says which tests players and options decide: a condition in, true or false or nothing known out."""

from __future__ import annotations

import ast
from typing import Any

from houserule.compiler.emit import Emitter
from houserule.compiler.runtime import world
from houserule.compiler.simplify import Simplifier
from houserule.compiler.tables import is_printed, tabulate
from houserule.language.checked import Expression
from houserule.language.symbols import SymbolTable
from houserule.operations import Fault


class Decider:
    """Decides for one symbol table, as the compiler does: by what becomes of a test when it is emitted and simplified."""

    def __init__(self, symbols: SymbolTable) -> None:
        self.emitter = Emitter(symbols, told=False)
        self.emitter.tables = tabulate(symbols, self.emitter)
        self.players = symbols.players

    def decided(self, test: Expression) -> bool | None:
        """What a test comes to in every match with these players and options; None if that is open."""
        emitter = self.emitter
        emitter.file = test.span.file
        tree: ast.expr = Simplifier().visit(ast.Expression(emitter.expr(test))).body
        if isinstance(tree, ast.Constant):
            return bool(tree.value)
        if not is_printed(test, frozenset(), emitter.tables):
            return None
        space: dict[str, Any] = {**world(self.players), **emitter.constants, "s": None}
        code = compile(ast.fix_missing_locations(ast.Expression(tree)), test.span.file, "eval")
        try:
            return bool(eval(code, space))
        except (Fault, ArithmeticError, LookupError):
            return None
