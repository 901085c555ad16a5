"""Classes whose fields are set once: compared by identity, or by what they hold."""

from __future__ import annotations

from dataclasses import field, replace

import pytest

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


@frozen
class Base:
    """A field that other classes begin with."""

    place: int


@frozen
class Basket(Base):
    """A default that is made anew for each, and one that is shared."""

    eggs: list[int] = field(default_factory=list)
    owner: str | None = None
    handle: str = field(kw_only=True, default="wood")
    label: str = field(kw_only=True)


def test_fields_have_the_defaults_of_data_classes() -> None:
    one, other = Basket(1, label="a"), Basket(place=2, owner="Ann", handle="wire", label="b")
    one.eggs.append(7)
    assert (one.place, one.eggs, one.owner, one.handle, one.label) == (1, [7], None, "wood", "a")
    assert (other.place, other.eggs, other.owner, other.handle, other.label) == (2, [], "Ann", "wire", "b")
    assert replace(other, eggs=[3]).eggs == [3] and replace(other, eggs=[3]).owner == "Ann"
    with pytest.raises(TypeError):
        Basket(1)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Basket(1, [], "Ann", "wire", "b")  # type: ignore[misc]


@by_value
class Sum:
    """A field that is worked out from others."""

    left: int
    right: int
    total: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", self.left + self.right)


def test_a_field_can_be_worked_out() -> None:
    assert Sum(1, 2).total == 3 and Sum(1, 2) == Sum(1, 2)
