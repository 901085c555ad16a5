"""Generated Python gives the same when it has been simplified."""

from __future__ import annotations

import ast
from itertools import product
from textwrap import indent
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houserule.compiler.simplify import simplified
from houserule.operations.lists import item
from houserule.operations.players import step


def rewritten(body: str) -> str:
    """A function body, simplified and written out again."""
    tree = ast.parse("def f(x, y, z):\n" + "\n".join(f"    {line}" for line in body.split("\n")))
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    return "\n".join(ast.unparse(statement) for statement in simplified(function).body)


BODIES = [
    "return 2 if 0 else 1",
    "return 1 == 1",
    "return x or 3 < 2",
    "return 0 == 0 or x",
    "return 0 == 1 or x",
    "return 1 and x and 0 and y",
    "return not 0",
    "return not not z",
    "return 1 if not not z else 2",
    "return [a for a in z if a == 1 and (0 or 1)]",
    "return [a for a in z if 1]",
    "return len(z) > 0",
    "if len(z) > 0:\n    return 1",
    "if 1 == 2:\n    return 1\nelse:\n    return x",
    "if 1 == 2:\n    return 1\nreturn x",
    "return list([x])",
    "return [a for a in [x, y]]",
    "return [a for a in sorted(z)]",
    "return [a for a in z]",
    "return [a for a in [x, y] if a]",
    "return list(z)",
    "return item(sorted(z, key=abs), 1, -1)",
    "return item(sorted(z, key=abs), 2, -1)",
    "return item(z[x + 1], 1, -1)",
    "return item(z, 3, -1)",
    "return item(z, 0, -1)",
    "return ((4, 5)[-1:] or [-1])[0]",
    "return (()[-1:] or [-1])[0]",
    "return (z[-1:] or [-1])[0]",
    "return [*((1,) if 1 != 2 else ()), *((2,) if 2 != 2 else ())]",
    "return len(sorted(z, key=abs))",
    "return item(f(z), 1, -1)",
    "return item(z, x, -1)",
    "return step(x, 1, 0, 2)",
    "return step(x, -1, 4, 3)",
    "return step(5, -1, 4, 3)",
    "return step(x, y, 4, 3)",
    "return [*(1, 2), *(), x, *z]",
]
ROWS = [[], [1], [0, 2], [2, 0, 1, 1], [[], [3], [4, 5]], [[7, 8], [], [9]]]
"""Lists, flat and of lists; where a body makes nothing of one, it is left out."""


def result(body: str, x: int, y: int, z: object) -> object:
    """What a function with that body gives, and the type of it; the error where it fails."""
    space: dict[str, Any] = {"step": step, "item": item, "f": reversed_list}
    exec("def made(x, y, z):\n" + indent(body, "    "), space)
    try:
        found = space["made"](x, y, z)
    except (TypeError, IndexError) as error:
        return type(error)
    return type(found), found


def reversed_list(items: list[int]) -> list[int]:
    return items[::-1]


@pytest.mark.parametrize("body", BODIES)
def test_what_is_simplified_gives_the_same(body: str) -> None:
    after = rewritten(body)
    compared = 0
    for x, y, z in product(range(-1, 3), range(3), ROWS):
        before = result(body, x, y, z)
        if not isinstance(before, type):
            assert result(after, x, y, z) == before
            compared += 1
    assert compared


atoms = st.sampled_from(["0", "1", "2", "x", "y", "(x == 1)", "(1 == 1)", "(0 > 1)", "(len(z) > 0)"])
values = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.builds("({} or {})".format, inner, inner),
        st.builds("({} and {} and {})".format, inner, inner, inner),
        st.builds("(not {})".format, inner),
        st.builds("({} if {} else {})".format, inner, inner, inner),
        st.builds("len([a for a in z if {}])".format, inner),
    ),
    max_leaves=12,
)


@given(values, st.integers(0, 2), st.integers(-1, 1), st.lists(st.integers(0, 2), max_size=2))
def test_the_result_stays_the_same(value: str, x: int, y: int, z: list[int]) -> None:
    known: dict[str, Any] = {"x": x, "y": y, "z": z}
    after = rewritten(f"return {value}").removeprefix("return ")
    assert eval(after, known.copy()) == eval(value, known.copy())


@given(st.integers(4, 6), st.integers(-9, 9), st.lists(st.integers(0, 9), max_size=4), st.integers(-1, 5))
def test_what_is_looked_up_in_place_is_what_a_call_finds(value: int, by: int, items: list[int], position: int) -> None:
    tables: dict[str, Any] = {"step": step, "item": item, "x": value, "z": items}
    for python in (f"step(x, {by}, 4, 3)", f"item(z, {position}, -1)"):
        simple = rewritten(f"return {python}").removeprefix("return ")
        assert eval(simple, dict(tables)) == eval(python, dict(tables))


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9)), max_size=6))
def test_the_smallest_is_the_first_of_the_sorted(pairs: list[tuple[int, int]]) -> None:
    ordered = sorted(pairs, key=lambda pair: pair[0])
    assert min(pairs, key=lambda pair: pair[0], default=None) == (ordered[0] if ordered else None)
