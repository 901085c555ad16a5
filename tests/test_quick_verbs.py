"""What quiet play does with less work leaves the table as the whole work leaves it."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houserule.operations import zones


def table(piles: list[list[int]]) -> Any:
    """A state of some piles of which nobody waits for anything."""
    where = {piece: slot for slot, pile in enumerate(piles) for piece in pile}
    return SimpleNamespace(
        z=[list(pile) for pile in piles],
        w=[where[piece] for piece in sorted(where)],
        fuel=10**6,
        capacities={},
        refills={0: 1},
        leaves=None,
        enters=None,
        log=None,
        script=None,
        random=lambda: 0.5,
    )


def places(s: Any, slot: int) -> list[int]:
    """The pieces at two places of a pile, -1 where there is none."""
    return [s.z[slot][place] if place < len(s.z[slot]) else -1 for place in (0, 2)]


@pytest.mark.parametrize(
    ("whole", "quick"),
    [
        (zones.draw, zones.quick_draw),
        (lambda s, _, a, b: zones.draw_one(s, a, b), lambda s, _, a, b: zones.quick_draw_one(s, a, b)),
        (lambda s, _, a, b: zones.move_pile(s, a, b), lambda s, _, a, b: zones.quick_move_pile(s, a, b)),
        (lambda s, n, _, b: zones.move(s, n, b), lambda s, n, _, b: zones.quick_move(s, n, b)),
        (lambda s, n, _, b: zones.move(s, n, b, 0), lambda s, n, _, b: zones.quick_move(s, n, b, 0)),
        (lambda s, _, a, b: zones.move_pile(s, a, b, 0), lambda s, _, a, b: zones.quick_move_pile(s, a, b, 0)),
        (lambda s, _, a, b: zones.swap_piles(s, a, b), lambda s, _, a, b: zones.quick_swap_piles(s, a, b)),
        (
            lambda s, _, a, __: zones.swap_pieces(s, *places(s, a)),
            lambda s, _, a, __: zones.quick_swap_places(s.z[a], 1, 3),
        ),
        (lambda s, n, a, _: zones.swap_pieces(s, n, a), lambda s, n, a, _: zones.quick_swap_pieces(s, n, a)),
    ],
)
@given(
    st.permutations(range(6)),
    st.tuples(st.integers(0, 6), st.integers(0, 6)),
    st.integers(-1, 5),
    st.integers(0, 2),
    st.integers(0, 2),
)
def test_the_table_is_the_same(
    whole: Callable[..., object],
    quick: Callable[..., object],
    pieces: list[int],
    cuts: tuple[int, int],
    number: int,
    source: int,
    target: int,
) -> None:
    first, second = sorted(cuts)
    piles = [pieces[:first], pieces[first:second], pieces[second:]]
    one, other = table(piles), table(piles)
    assert whole(one, number, source, target) == quick(other, number, source, target)
    assert (one.z, one.w) == (other.z, other.w)
