"""Records options natively, as a watch does in Python: questions in, calls of `noting.wat` out."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from houserule.compiler.chance import any_answer, drawn
from houserule.compiler.watched import SITE, note, note_several
from houserule.native.calling import call_function
from houserule.native.functions import Scope, coerced
from houserule.native.translated import Direct
from houserule.native.values import INTS, Value, as_int, of_known
from houserule.native.wasm import Op
from houserule.running.playout import begin_anew

State = Any
note_fixed = Direct("Note a question that always offers the same.")


def drawn_noted(s: State, options: Sequence[int], nothing: int, site: int, asker: int) -> int:
    """One of the options, all equally likely; `nothing` if there are none."""
    taken = drawn(s, options, nothing)
    if options:
        note(s, site, asker, options, taken)
    return taken


def drawn_of_fixed_noted(s: State, options: Sequence[int], nothing: int, site: int, asker: int) -> int:
    """The same with the number of the site already shifted."""
    taken = drawn(s, options, nothing)
    note_fixed(s, site >> SITE, asker, taken)
    return taken


def answer_noted(s: State, site: Any, number: int, random: Any) -> None:
    """Answer the pending question, as `answer_at_random` does."""
    given: Any = any_answer(s, site, random)
    if site.kind == "race":
        s.chances -= len(given)
        note_several(s, number, s.asker, s.options, given)
    elif site.kind == "several":
        s.chances -= 1
        note_several(s, number, s.asker, s.options, given)
    else:
        s.chances -= 1
        note(s, number, s.asker, s.options, given)
    s.answer = given
    begin_anew(s)


def noting(name: str) -> Callable[[Scope, list[ast.expr], Any], Value]:
    """Code that records a question: its site, the player, the options if they vary, and the answer."""

    def called(scope: Scope, args: list[ast.expr], _: Any) -> Value:
        site, asker, *options, taken = (scope.temporary(scope.expression(one)) for one in args[1:])
        answer = coerced(scope, taken, INTS).code[0] if name == "$note_several" else as_int(taken)
        offered = [coerced(scope, one, INTS).code[0] for one in options]
        scope.emit(Op("call", name, as_int(site), as_int(asker), *offered, answer))
        return of_known(None)

    return called


def noted(
    noting: Callable[..., Any], function: Callable[..., Any], given: int
) -> Callable[[Scope, list[ast.expr], Any], Value]:
    """A call of a watched program's answer function; without counting, only the first arguments matter, and nothing is recorded."""

    def called(scope: Scope, args: list[ast.expr], _: Any) -> Value:
        values = [scope.expression(one) for one in args]
        if scope.module.cells is not None:
            return call_function(scope, noting, values)
        for code in (code for one in values[given:] for code in one.code if code.may_act):
            scope.emit(Op("drop", code))
        return call_function(scope, function, values[:given])

    return called
