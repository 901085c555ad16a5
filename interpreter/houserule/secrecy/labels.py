"""The lattice of labels: what a value depends on that not everybody may know, and who may know it all the same."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple, Protocol

from houserule.language.symbols import Family, Zone

Token = Hashable
"""What an expression stands for, so that two that are the same can be told to be; None where that is not known.

It is a nested tuple, such as `("local", "me")` or `("next", ("local", "me"))`.
"""
SOMEONE: Token = ("someone",)
"""A player of whom nothing is known."""
EVERYBODY: Token = ("everybody",)
"""The audience of what all players are shown."""
STATEFUL = frozenset({"variable", "zone", "single", "call", "owner", "place", "top"})
"""The tokens that may stand for something else after a change of the state."""


class Secret(NamedTuple):
    """What is hidden in a zone or variable, and which players know it; others may not."""

    family: Family
    knowers: frozenset[Token] = frozenset()


class Given(NamedTuple):
    """What a parameter brings into a routine: a part of the label of its argument. The parameter "" is the call itself."""

    parameter: str
    part: str


Label = frozenset[Secret | Given]
PUBLIC: Label = frozenset()
CALL: Label = frozenset({Given("", "size")})
"""That a routine is performed at all."""


class Value(NamedTuple):
    """What a value tells, part by part.

    `size` is how many members a list has, or whether a value is there. `shape` is which members they are by their places,
    and everything of a value that is no piece. `content` is what the pieces are, or the values in a list. `where` is
    where a piece lies, for one that was not found by its place. A piece is a reference: who may not see it can still be
    offered it face down.

    `who` is which player it is, `home` the zone with its indices where pieces were found.
    """

    size: Label = PUBLIC
    shape: Label = PUBLIC
    content: Label = PUBLIC
    where: Label = PUBLIC
    who: Token = None
    home: tuple[Zone, tuple[Token, ...]] | None = None

    @property
    def told(self) -> Label:
        """What the whole value tells."""
        return self.size | self.shape | self.content

    def under(self, label: Label) -> Value:
        """The value where it is chosen under a condition."""
        return self._replace(size=self.size | label, shape=self.shape | label) if label - self.size else self


NOTHING = Value()


def plain(label: Label) -> Value:
    """A value that is neither a piece nor a list."""
    return Value(label, label)


def join(a: Value, b: Value) -> Value:
    """What one of two values tells when it is not known which."""
    if a == b:
        return a
    return Value(
        a.size | b.size,
        a.shape | b.shape,
        a.content | b.content,
        a.where | b.where,
        a.who if a.who == b.who else None,
        a.home if a.home == b.home else None,
    )


def told_by(values: Iterable[Value]) -> Label:
    """What several values tell."""
    return PUBLIC.union(*(value.told for value in values))


def families(label: Label) -> frozenset[Family]:
    """The zones and variables of which a label tells."""
    return frozenset(atom.family for atom in label if isinstance(atom, Secret))


def secrets(label: Label) -> Label:
    """What a label tells of zones and variables, without what parameters bring in."""
    return frozenset(atom for atom in label if isinstance(atom, Secret))


def without(label: Label, released: Iterable[Family]) -> Label:
    """A label where what is in these zones and variables has come to light."""
    gone = frozenset(released)
    if not gone:
        return label
    return frozenset(atom for atom in label if not (isinstance(atom, Secret) and atom.family in gone))


# --- tokens -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def mentions(token: Token, part: Token) -> bool:
    """Whether a token is, or is made of, another."""
    return token == part or (isinstance(token, tuple) and any(mentions(inner, part) for inner in token))


@lru_cache(maxsize=4096)
def is_stateful(token: Token) -> bool:
    """Whether what a token stands for depends on the state."""
    return isinstance(token, tuple) and bool(token) and (token[0] in STATEFUL or any(map(is_stateful, token)))


def renamed(token: Token, names: Mapping[str, Token]) -> Token:
    """A token of a routine as its caller would say it; None where the caller cannot."""
    match token:
        case ("local", str(name)):
            return names.get(name)
        case tuple():
            inner = tuple(renamed(part, names) if isinstance(part, tuple) else part for part in token)
            return None if None in inner else inner
        case _:
            return token


class Names(Protocol):
    """What local names stand for."""

    def get(self, name: str, otherwise: Token, /) -> Token:
        """What a name stands for, if that is known."""


def aliased(token: Token, names: Names) -> Token:
    """A token in which each local name is what it stands for."""
    match token:
        case ("local", str(name)):
            return names.get(name, token)
        case tuple():
            return tuple(aliased(part, names) if isinstance(part, tuple) else part for part in token)
        case _:
            return token


@lru_cache(maxsize=4096)
def may_be_forgotten(value: Value) -> bool:
    """Whether any tokens stand in what a value tells."""
    return value.who is not None or value.home is not None or any(map(knowers_in, value[:4]))


def forgotten(value: Value, is_gone: Callable[[Token], bool]) -> Value:
    """A value after some tokens have lost their meaning."""
    labels = [forgotten_in(label, is_gone) if label else label for label in value[:4]]
    who = None if value.who is not None and is_gone(value.who) else value.who
    home = value.home
    if home is not None and any(token is not None and is_gone(token) for token in home[1]):
        home = None
    found = Value(labels[0], labels[1], labels[2], labels[3], who, home)
    return value if found == value else found


@lru_cache(maxsize=4096)
def knowers_in(label: Label) -> frozenset[Token]:
    """Everybody of whom a label says that they know something."""
    return frozenset[Token]().union(*(atom.knowers for atom in label if isinstance(atom, Secret)))


def forgotten_in(label: Label, is_gone: Callable[[Token], bool]) -> Label:
    """A label after some tokens have lost their meaning: of whom nothing is known, nothing is known to be theirs."""
    if not any(map(is_gone, knowers_in(label))):
        return label
    return frozenset(
        Secret(atom.family, frozenset(token for token in atom.knowers if not is_gone(token)))
        if isinstance(atom, Secret)
        else atom
        for atom in label
    )
