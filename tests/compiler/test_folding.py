"""Folding changes nothing about what an expression comes to, and leaves nothing that is known unfolded."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houserule.compiler.folding import Folding, evaluate
from houserule.diagnostics import NOWHERE
from houserule.language.checked import Apply, Constant, Expression, Items, Local, Select
from houserule.language.types import (
    ADD,
    AND,
    ARITHMETIC,
    BOOL,
    CONDITIONAL,
    EQUAL,
    LENGTH,
    LESS,
    NOT,
    NUMBER,
    OR,
    SPAN,
    TOTAL,
    List,
    Operator,
)
from houserule.operations import FUNCTIONS

NUMBERS = List(NUMBER)
FIRST = FUNCTIONS["first"][0].operator
KNOWN = {"x": 2, "y": 0}


def number(value: int) -> Expression:
    return Constant(NOWHERE, NUMBER, value)


def apply(operator: Operator, *arguments: Expression) -> Expression:
    return Apply(NOWHERE, NUMBER, operator, arguments)


def local(name: str) -> Expression:
    return Local(NOWHERE, NUMBER, name)


atoms = st.one_of(st.integers(-2, 3).map(number), st.sampled_from(["x", "y"]).map(local))
expressions = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.builds(apply, st.sampled_from([ADD, ARITHMETIC["*"], AND, OR, EQUAL, LESS]), inner, inner),
        st.builds(lambda value: apply(NOT, value), inner),
        st.builds(lambda a, b, c: apply(CONDITIONAL, a, b, c), inner, inner, inner),
        st.builds(
            lambda a, b, c: apply(
                TOTAL, Select(NOWHERE, NUMBERS, local("z"), "z", Items(NOWHERE, NUMBERS, (a, b, local("x"))), c, ())
            ),
            inner,
            inner,
            inner,
        ),
    ),
    max_leaves=12,
)


@given(expressions)
def test_what_is_folded_first_comes_to_the_same(expression: Expression) -> None:
    halfway = Folding(2).fold(expression, {"x": KNOWN["x"]})
    assert evaluate(halfway, KNOWN) == evaluate(expression, KNOWN)


@given(expressions)
def test_where_all_is_known_a_value_is_left(expression: Expression) -> None:
    found = Folding(2).fold(expression, KNOWN)
    assert isinstance(found, Constant) and found.value == evaluate(expression, KNOWN)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        (apply(SPAN, number(1), number(4)), (1, 2, 3, 4)),
        (apply(FIRST, apply(SPAN, number(3), number(5)), number(-1)), 3),
        (
            Select(
                NOWHERE,
                NUMBERS,
                None,
                "c",
                apply(SPAN, number(1), number(3)),
                None,
                (apply(NOT, local("c")), number(1)),
            ),
            (1, 2, 3),
        ),
    ],
)
def test_lists_have_values(expression: Expression, value: Any) -> None:
    assert evaluate(expression, {}) == value


def test_the_order_of_what_is_only_counted_does_not_matter() -> None:
    unknown = apply(SPAN, number(1), local("n"))
    ordered = Select(NOWHERE, NUMBERS, None, "c", unknown, None, (local("c"),))
    found = Folding(2).fold(Apply(NOWHERE, BOOL, FUNCTIONS["count"][0].operator, (ordered,)), {})
    assert isinstance(found, Apply) and isinstance(found.arguments[0], Select) and not found.arguments[0].by


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (apply(ARITHMETIC["//"], number(1), number(0)), "this divides by zero"),
        (apply(SPAN, number(0), number(10**6)), "a range of 1000001 numbers is too long"),
    ],
)
def test_what_has_no_value_stays_as_it_is_and_says_why(expression: Expression, message: str) -> None:
    assert not isinstance(Folding(2).fold(expression, {}), Constant)
    with pytest.raises(ValueError, match=message):
        evaluate(expression, {})


def test_what_takes_too_long_stays_as_it_is() -> None:
    listed: Expression = apply(LENGTH, apply(SPAN, number(1), number(1)))
    for name in "abc":
        source = apply(SPAN, number(1), number(300))
        listed = apply(TOTAL, Select(NOWHERE, NUMBERS, listed, name, source, None, ()))
    assert not isinstance(Folding(2).fold(listed, {}), Constant)
    with pytest.raises(ValueError, match="too long"):
        evaluate(listed, {})


def test_what_takes_long_is_folded_once() -> None:
    rest, folding = Items(NOWHERE, NUMBERS, tuple(map(number, range(1000)))), Folding(2)
    long = Select(NOWHERE, NUMBERS, apply(ADD, local("z"), number(1)), "z", rest, None, ())
    first, work = folding.fold(long, {}), folding.all_work
    assert isinstance(first, Constant) and first.value == tuple(range(1, 1001))
    assert folding.fold(long, KNOWN) is first and folding.all_work == work
    with_x = Select(NOWHERE, NUMBERS, apply(ADD, local("z"), local("x")), "z", rest, None, ())
    one, other = (folding.fold(with_x, {"x": value}) for value in (1, 2))
    assert isinstance(one, Constant) and isinstance(other, Constant) and one.value != other.value
