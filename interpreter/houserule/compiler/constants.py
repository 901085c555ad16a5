"""Works out constant expressions: a checked expression and known names in, its value out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import CodeType
from typing import Any

from houserule.language import checked, symbols
from houserule.operations import Fault


@dataclass(slots=True, eq=False, repr=False)
class Compiled:
    """A constant expression as Python, and what is left of the work that it may take, however often it is done."""

    expression: checked.Expression
    code: CodeType
    space: dict[str, Any]
    fuel: int = 1_000_000
    reserve: int = 0


last: list[Compiled] = []
"""The expression that was worked out last: one that is asked for each piece of a kind is compiled once."""


def evaluate(expression: checked.Expression, values: Mapping[str, Any]) -> Any:
    """The value of a constant expression: it is compiled and run like every other; there is no second evaluator.

    Raises ValueError with a sentence where it has none: it divides by zero, looks up what is not there, or takes too long.
    """
    if isinstance(expression, checked.Constant):
        return expression.value
    if not last or last[0].expression is not expression:
        last[:] = [compiled(expression)]
    constant = last[0]
    try:
        found = eval(constant.code, {**constant.space, **{f"l_{k}": v for k, v in values.items()}, "s": constant})
    except ZeroDivisionError as error:
        raise ValueError("this divides by zero") from error
    except (Fault, ArithmeticError, LookupError) as error:
        raise ValueError(str(error) if isinstance(error, Fault) else "there is no such entry") from error
    if isinstance(found, list | range):
        return tuple(found)
    return found if isinstance(found, tuple) else int(found)


def compiled(expression: checked.Expression) -> Compiled:
    """A constant expression as Python."""
    # Most rules have no constant that must be worked out: what compiles is not waited for where it is not needed.
    import ast

    from houserule.compiler.emit import Emitter
    from houserule.compiler.runtime import world

    emitter = Emitter(symbols.SymbolTable(1), told=False)
    emitter.metered = True
    tree = ast.Expression(emitter.expr(expression))
    code = compile(ast.fix_missing_locations(tree), expression.span.file, "eval")
    return Compiled(expression, code, {**world(1), **emitter.constants})
