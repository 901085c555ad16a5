"""The lattice of labels: the hidden things that a value depends on, and who knows them all the same."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple, Protocol

from houserule.language.checked import Family, Variable, Zone

Token = Hashable
"""What an expression denotes, so that two equal ones can be recognised; None where that is unknown.

It is a nested tuple, such as `("local", "me")` or `("next", ("local", "me"))`.
"""
SOMEONE: Token = ("someone",)
"""A player of whom nothing is known."""
EVERYBODY: Token = ("everybody",)
"""The audience of what everybody is shown."""
DEEPEST = 8
"""The deepest nesting of tokens: walking over a deep expression once for each of its parts takes quadratic time."""
STATEFUL = frozenset({"variable", "zone", "single", "call", "owner", "place", "top"})
"""The tokens that a change of the state may invalidate."""


class Secret(NamedTuple):
    """What a zone or variable hides, and which players know it; others may not.

    `part` is "" for what lies there or is its value, "amount" for how many there are, "order" for the order in which they came.
    `through` is the variable that has kept what lay there.
    """

    family: Family
    knowers: frozenset[Token] = frozenset()
    part: str = ""
    through: Variable | None = None


class Given(NamedTuple):
    """What a parameter brings into a routine: one part of its argument's label. The parameter "" is the call itself."""

    parameter: str
    part: str


Label = frozenset[Secret | Given]
PUBLIC: Label = frozenset()
CALL: Label = frozenset({Given("", "size")})
"""That a routine is performed at all."""


class Value(NamedTuple):
    """The label of a value, part by part.

    `size` is how many members a list has, or whether a value is there. `shape` is which members they are by position,
    and everything about a value that is no piece. `content` is what the pieces are, or the values in a list. `where` is
    where a piece lies if it was not found by position. A piece is a reference: a player who may not see it can still be
    offered it face down.

    `who` is which player it is, `home` the zone with its indices where pieces were found, `order` the order in which they came there.
    """

    size: Label = PUBLIC
    shape: Label = PUBLIC
    content: Label = PUBLIC
    where: Label = PUBLIC
    who: Token = None
    home: tuple[Zone, tuple[Token, ...]] | None = None
    order: Label = PUBLIC

    @property
    def labels(self) -> tuple[Label, ...]:
        """All its labels."""
        return (*self[:4], self.order)

    @property
    def told(self) -> Label:
        """What the whole value depends on."""
        return self.size | self.shape | self.content

    def under(self, label: Label) -> Value:
        """The value when it is chosen under a condition."""
        return self._replace(size=self.size | label, shape=self.shape | label) if label - self.size else self


NOTHING = Value()


def plain(label: Label) -> Value:
    """A value that is neither a piece nor a list."""
    return Value(label, label)


def join(a: Value, b: Value) -> Value:
    """The label of either of two values, when it is not known which."""
    if a == b:
        return a
    return Value(
        a.size | b.size,
        a.shape | b.shape,
        a.content | b.content,
        a.where | b.where,
        a.who if a.who == b.who else None,
        a.home if a.home == b.home else None,
        a.order | b.order,
    )


def told_by(values: Iterable[Value]) -> Label:
    """The combined label of several values."""
    return PUBLIC.union(*(value.told for value in values))


def families(label: Label) -> frozenset[Family]:
    """The zones and variables that a label depends on."""
    return frozenset(atom.family for atom in label if isinstance(atom, Secret))


def secrets(label: Label) -> Label:
    """The part of a label that depends on zones and variables, without what parameters bring in."""
    return frozenset(atom for atom in label if isinstance(atom, Secret))


def without(label: Label, released: Iterable[Family]) -> Label:
    """A label after the contents of these zones have become public."""
    gone = frozenset(released)
    if not gone:
        return label
    return frozenset(a for a in label if not (isinstance(a, Secret) and a.family in gone and not a.part))


def part_of(label: Label, part: str) -> Label:
    """The secrets of a label as those of another part: of all pieces of a zone, how many they are is seen with what they are."""
    return frozenset(atom._replace(part=part) if isinstance(atom, Secret) else atom for atom in label)


def coarse(label: Label) -> Label:
    """A label that forgets who knows its secrets: each family is in it once at most."""
    return frozenset(atom._replace(knowers=frozenset()) if isinstance(atom, Secret) else atom for atom in label)


# --- tokens -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def mentions(token: Token, part: Token) -> bool:
    """Whether a token is, or contains, another."""
    return token == part or (isinstance(token, tuple) and any(mentions(inner, part) for inner in token))


@lru_cache(maxsize=4096)
def is_stateful(token: Token) -> bool:
    """Whether the meaning of a token depends on the state."""
    return isinstance(token, tuple) and bool(token) and (token[0] in STATEFUL or any(map(is_stateful, token)))


def renamed(token: Token, names: Mapping[str, Token], depth: int = DEEPEST) -> Token:
    """A routine's token in the names of its caller; None if it cannot be expressed there, or is too deep."""
    match token:
        case ("local", str(name)):
            found = names.get(name)
            return found if depth == DEEPEST or depth_of(found) <= depth else None
        case tuple():
            inner = tuple(renamed(part, names, depth - 1) if isinstance(part, tuple) else part for part in token)
            return None if None in inner else shortened(inner)
        case _:
            return token


@lru_cache(maxsize=4096)
def depth_of(token: Token) -> int:
    """How deep tokens are nested in a token."""
    return 1 + max(map(depth_of, token), default=0) if isinstance(token, tuple) else 0


def shortened(token: Token) -> Token:
    """The player who is some seats after or before another, however this is written; None for more seats than are followed."""
    match token:
        case ("next" | "previous" as way, inner, ("constant", int(steps)), low, around):
            steps = steps if way == "next" else -steps
            match inner:
                case ("next", origin, ("constant", int(before)), _, _):
                    inner, steps = origin, before + steps
            if abs(steps) > DEEPEST:
                return None
            return ("next", inner, ("constant", steps), low, around) if steps else inner
        case _:
            return token


class Names(Protocol):
    """What local names denote."""

    def get(self, name: str, otherwise: Token, /) -> Token:
        """What a name denotes, if that is known."""


@lru_cache(maxsize=4096)
def shared(value: Value) -> Value:
    """The one object that stands for all equal values: to compare it with itself takes no time."""
    return value


@lru_cache(maxsize=4096)
def tokens_in(value: Value) -> frozenset[Token]:
    """The tokens in the label of a value."""
    places = value.home[1] if value.home is not None else ()
    return frozenset((value.who, *places)).union(*map(knowers_in, value.labels)) - {None}


def forgotten(value: Value, is_gone: Callable[[Token], bool]) -> Value:
    """A value after some tokens have lost their meaning."""
    if not any(map(is_gone, tokens_in(value))):
        return value
    labels = [forgotten_in(label, is_gone) if label else label for label in value.labels]
    who = None if value.who is not None and is_gone(value.who) else value.who
    home = value.home
    if home is not None and any(token is not None and is_gone(token) for token in home[1]):
        home = None
    return Value(labels[0], labels[1], labels[2], labels[3], who, home, labels[4])


@lru_cache(maxsize=4096)
def knowers_in(label: Label) -> frozenset[Token]:
    """Everybody whom a label names as knowing something."""
    return frozenset[Token]().union(*(atom.knowers for atom in label if isinstance(atom, Secret)))


def forgotten_in(label: Label, is_gone: Callable[[Token], bool]) -> Label:
    """A label after some tokens have lost their meaning: players known only by those tokens know nothing."""
    if not any(map(is_gone, knowers_in(label))):
        return label
    return frozenset(
        atom._replace(knowers=frozenset(token for token in atom.knowers if not is_gone(token)))
        if isinstance(atom, Secret)
        else atom
        for atom in label
    )
