"""The lattice of labels, and what routines do with them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple, Protocol

from houserule.diagnostics import Span
from houserule.frozen import frozen
from houserule.language.checked import Family, Site, Variable, Zone

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


class Taint(NamedTuple):
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
        return (*self[:4], self.order)

    @property
    def told(self) -> Label:
        return self.size | self.shape | self.content

    def changed(
        self, change: Callable[[Label], Label], who: Token = None, home: tuple[Zone, tuple[Token, ...]] | None = None
    ) -> Taint:
        """This one with each of its labels changed, and of another player and place."""
        size, shape, content, where, order = map(change, self.labels)
        return Taint(size, shape, content, where, who, home, order)

    def under(self, label: Label) -> Taint:
        return self._replace(size=self.size | label, shape=self.shape | label) if label - self.size else self


NOTHING = Taint()


def plain(label: Label) -> Taint:
    return Taint(label, label)


def join(a: Taint, b: Taint) -> Taint:
    """The label of either of two values, when it is not known which."""
    if a == b:
        return a
    return Taint(
        a.size | b.size,
        a.shape | b.shape,
        a.content | b.content,
        a.where | b.where,
        a.who if a.who == b.who else None,
        a.home if a.home == b.home else None,
        a.order | b.order,
    )


def told_by(values: Iterable[Taint]) -> Label:
    return PUBLIC.union(*(value.told for value in values))


def families(label: Label) -> frozenset[Family]:
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


def each_secret(label: Label, change: Callable[[Secret], Secret]) -> Label:
    return frozenset(change(atom) if isinstance(atom, Secret) else atom for atom in label)


def part_of(label: Label, part: str) -> Label:
    """The secrets of a label as those of another part: of all pieces of a zone, how many they are is seen with what they are."""
    return each_secret(label, lambda one: one._replace(part=part))


def coarse(label: Label) -> Label:
    """A label that forgets who knows its secrets: each family is in it once at most."""
    return each_secret(label, lambda one: one._replace(knowers=frozenset()))


# --- tokens -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def mentions(token: Token, part: Token) -> bool:
    return token == part or (isinstance(token, tuple) and any(mentions(inner, part) for inner in token))


@lru_cache(maxsize=4096)
def is_stateful(token: Token) -> bool:
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


def in_place_of(token: Token, old: Token, new: Token) -> Token:
    """A token of a caller with the name of a parameter for its argument; None if it speaks of another local name."""
    match token:
        case _ if token == old:
            return new
        case ("local" | "past", _):
            return None
        case tuple():
            inner = tuple(in_place_of(part, old, new) if isinstance(part, tuple) else part for part in token)
            return None if any(a is None and b is not None for a, b in zip(inner, token, strict=True)) else inner
        case _:
            return token


@lru_cache(maxsize=4096)
def depth_of(token: Token) -> int:
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
def tokens_in(value: Taint) -> frozenset[Token]:
    places = value.home[1] if value.home is not None else ()
    return frozenset((value.who, *places)).union(*map(knowers_in, value.labels)) - {None}


def forgotten(value: Taint, is_gone: Callable[[Token], bool]) -> Taint:
    """A value after some tokens have lost their meaning."""
    if not any(map(is_gone, tokens_in(value))):
        return value
    who = None if value.who is not None and is_gone(value.who) else value.who
    home = value.home
    if home is not None and any(token is not None and is_gone(token) for token in home[1]):
        home = None
    return value.changed(lambda label: forgotten_in(label, is_gone) if label else label, who, home)


def known_to(label: Label, players: Iterable[Token]) -> Label:
    """What a label hides, known to some more players."""
    more = frozenset(players)
    return each_secret(label, lambda one: one._replace(knowers=one.knowers | more))


def is_known_to(atom: Secret, audience: Token) -> bool:
    """Whether an audience knows a secret: of those who meet some conditions, all who know it may have to meet fewer."""
    match audience:
        case ("whoever", *conditions):
            known = (set(one[1:]) for one in atom.knowers if isinstance(one, tuple) and one[0] == "whoever")
            return any(one.issubset(conditions) for one in known)
        case _:
            return audience in atom.knowers


@lru_cache(maxsize=4096)
def knowers_in(label: Label) -> frozenset[Token]:
    return frozenset[Token]().union(*(atom.knowers for atom in label if isinstance(atom, Secret)))


def forgotten_in(label: Label, is_gone: Callable[[Token], bool]) -> Label:
    """A label after some tokens have lost their meaning: players known only by those tokens know nothing."""
    if not any(map(is_gone, knowers_in(label))):
        return label
    return each_secret(label, lambda one: one._replace(knowers=frozenset(t for t in one.knowers if not is_gone(t))))


Start = tuple[str, int, int]
"""The start of something: file, line and column."""


@frozen
class Revelation:
    """A declaration that something becomes public on purpose: its place, its reason, and the rules it covers, by start and by line."""

    span: Span
    reason: str
    of: frozenset[Start]
    lines: range

    def is_about(self, family: Family) -> bool:
        return (
            re.search(rf"\b{re.escape(family.name.replace('_', ' '))}\b", self.reason.replace("_", " ").lower())
            is not None
        )

    def covers(self, span: Span) -> bool:
        return span.file == self.span.file and span.line in self.lines


class Reasons:
    """What the rules of a game reveal on purpose: where, and of which zones and variables."""

    def __init__(self, revelations: Iterable[Revelation], hidden: Collection[Family]) -> None:
        self.by_start = {start: one for one in revelations for start in one.of}
        found = set(self.by_start.values())
        self.named = {one: frozenset(family for family in hidden if one.is_about(family)) for one in found}

    def at(self, span: Span) -> Revelation | None:
        return self.by_start.get(start_of(span)) if self.by_start else None

    def about(self, revelation: Revelation | None, family: Family) -> Revelation | None:
        """A revelation, if it covers a zone or variable. If its reason names any hidden ones, it covers only those."""
        named = self.named[revelation] if revelation is not None else ()
        return revelation if not named or family in named else None

    def rest(self, label: Label, revelation: Revelation) -> Label:
        return frozenset(a for a in label if not (isinstance(a, Secret) and self.about(revelation, a.family)))


def start_of(span: Span) -> Start:
    return (span.file, span.line, span.column)


@frozen
class Shown:
    """A place in the rules that shows something: what, as the subject of a sentence, and to whom."""

    span: Span
    what: str
    whom: str = "not everybody may"
    code: str = "HR582"
    revealed: Revelation | None = None
    face_down: bool = False  # pieces move unseen, and all learn how they were chosen
    otherwise: str = ""  # another way not to show it, with a comma
    by: Span | None = None  # the statement that all see, if the place is that of a condition

    def is_like(self, other: Shown) -> bool:
        return self is other or (self.revealed is other.revealed and self.span == other.span)


def receiver_of(audience: Token) -> tuple[str, str] | None:
    """The trigger or variable that receives pieces; None for an audience of players."""
    match audience:
        case ("trigger" | "variable" as kind, str(name)):
            return kind, name
        case _:
            return None


class Flow(NamedTuple):
    """A label that reaches an audience, unless what `but` covers becomes public with it.

    With `site` there is no audience of players: the question there is always put, even with nothing to answer, so that a silence
    reveals nothing; or nobody is told what is chosen there.
    """

    atom: Secret | Given
    audience: Token
    but: Label = PUBLIC
    site: Site | None = None


@dataclass(slots=True, eq=False)
class Summary:
    """The result of a routine, what it shows of its arguments, whether it may end the game, and which zones it mixes.

    After it, not everybody knows which pieces lie in `scrambled` zones, nor where each lies in `mixed` ones. Everybody has seen
    the pieces that the `opened` parameters bring.

    `used` is everything that its changes depend on, even if everybody sees the change: nobody sees a change that is only
    imagined. `leaks` are the secrets that it shows whoever calls it, each with the span of the call that does, if any.
    """

    result: Taint = NOTHING
    used: Label = PUBLIC
    flows: dict[Flow, Shown] = field(default_factory=dict)
    ends: Label = PUBLIC
    scrambled: frozenset[Zone] = frozenset()
    mixed: frozenset[Zone] = frozenset()
    opened: frozenset[str] = frozenset()
    leaks: list[tuple[Secret, Shown, Span | None]] = field(default_factory=list)

    def copy(self) -> Summary:
        return replace(self, flows=dict(self.flows), leaks=list(self.leaks))

    def keep_imagined(self) -> None:
        """What is only imagined shows nothing to anybody, but its value depends on everything that it read."""
        used = self.used | self.ends
        value = self.result.under(used)
        self.result = value._replace(content=value.content | used)
        self.flows, self.ends, self.scrambled, self.mixed, self.used = {}, PUBLIC, frozenset(), frozenset(), PUBLIC

    def reveal(self, rest: Callable[[Label], Label]) -> None:
        """Reveal the result on purpose, and also that the routine ends the game; `rest` is what is not revealed of a label."""
        self.used |= self.result.told
        self.result, self.ends = self.result.changed(rest), PUBLIC

    def widen(self, before: Summary) -> None:
        """Take in an earlier summary, and forget who knows what. It then speaks only of families, parameters, questions and
        triggers, so that it can grow only so often (widening).
        """
        self.result = join(self.result, before.result).changed(coarse)
        self.used, self.ends = coarse(self.used | before.used), coarse(self.ends | before.ends)
        self.scrambled, self.mixed = self.scrambled | before.scrambled, self.mixed | before.mixed
        self.opened &= before.opened
        flows: dict[Flow, Shown] = {}
        for flow, shown in (*before.flows.items(), *self.flows.items()):
            (atom,) = coarse(frozenset({flow.atom}))
            is_kept = flow.audience == EVERYBODY or flow.site is not None or receiver_of(flow.audience)
            audience = flow.audience if is_kept else SOMEONE
            flows.setdefault(Flow(atom, audience, PUBLIC, flow.site), shown)
        self.flows = flows

    def is_like(self, other: Summary) -> bool:
        """Whether two summaries are equal."""
        return (
            SUMMED(self) == SUMMED(other)
            and self.flows.keys() == other.flows.keys()
            and all(shown.is_like(other.flows[flow]) for flow, shown in self.flows.items())
        )


SUMMED = attrgetter("result", "used", "ends", "scrambled", "mixed", "opened")


@dataclass(slots=True, eq=False)
class CallSite:
    """One call: the arguments, and the condition under which it is made."""

    arguments: dict[str, Taint]
    tokens: dict[str, Token]
    condition: Label
    renamed: dict[Token, Token] = field(default_factory=dict)

    def token(self, token: Token) -> Token:
        if token not in self.renamed:
            self.renamed[token] = renamed(token, self.tokens)
        return self.renamed[token]

    def audience(self, token: Token) -> Token:
        """An audience in the names of the caller: somebody unknown if it cannot be expressed there."""
        found = self.token(token)
        return SOMEONE if found is None else found

    def atom(self, atom: Secret | Given) -> Label:
        if isinstance(atom, Secret):
            knowers = {self.token(token) for token in atom.knowers} - {None}
            return frozenset({atom._replace(knowers=frozenset(knowers))})
        if not atom.parameter:
            return self.condition
        label: Label = getattr(self.arguments.get(atom.parameter, NOTHING), atom.part)
        return label

    def label(self, label: Label) -> Label:
        return PUBLIC.union(*map(self.atom, label))

    def taint(self, value: Taint) -> Taint:
        """A result in the names of the caller."""
        return value.changed(self.label)
