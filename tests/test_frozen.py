"""Classes whose fields are set once: compared by identity, or by what they hold."""

from __future__ import annotations

from houserule.frozen import by_value, frozen


@frozen
class Node:
    """Compared by identity."""

    name: str


@by_value
class Point:
    """Compared by what it holds."""

    x: int
    y: int = 0


@by_value
class Other:
    """The same fields under another name."""

    x: int
    y: int = 0


@by_value
class Empty:
    """Nothing to compare."""


def test_nodes_are_compared_by_identity() -> None:
    one = Node("a")
    assert one == one and one != Node("a")
    assert len({one, Node("a")}) == 2


def test_values_are_compared_by_what_they_hold() -> None:
    assert Point(1) == Point(1, 0) and Point(1) != Point(1, 2)
    assert Point(1) != Other(1) and Point(1) != (1, 0)
    assert len({Point(1), Point(1, 0), Point(2), Other(1)}) == 3
    assert Empty() == Empty() and len({Empty(), Empty()}) == 1
    assert repr(Point(1)) == "Point(x=1, y=0)"


def test_neither_has_room_for_more() -> None:
    for made in (Node("a"), Point(1)):
        assert not hasattr(made, "__dict__")
