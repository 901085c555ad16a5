"""What a routine tells and shows, in terms of its parameters: summaries that each call fills in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from houserule.diagnostics import Span
from houserule.frozen import frozen
from houserule.language.checked import Site
from houserule.language.symbols import Zone
from houserule.secrecy.labels import NOTHING, PUBLIC, SOMEONE, Given, Label, Secret, Token, Value, renamed

Start = tuple[str, int, int]
"""Where something begins: file, line and column."""


@frozen
class Revelation:
    """What is said to come to light on purpose: where that is said, why, and of which rules: where they begin, and all lines."""

    span: Span
    reason: str
    of: frozenset[Start]
    lines: range

    def covers(self, span: Span) -> bool:
        """Whether a rule is among those of which it is said."""
        return span.file == self.span.file and span.line in self.lines


def start_of(span: Span) -> Start:
    """Where a span begins."""
    return (span.file, span.line, span.column)


@frozen
class Shown:
    """A place in the rules where something comes out: what does, said as the subject of a sentence, and to whom."""

    span: Span
    what: str
    whom: str = "not everybody may"
    code: str = "HR582"
    revealed: Revelation | None = None

    def is_like(self, other: Shown) -> bool:
        """Whether the same comes out in the same place."""
        return self is other or (self.revealed is other.revealed and self.span == other.span)


class Flow(NamedTuple):
    """Something that reaches an audience, unless what is in `but` comes to light with it.

    With `site`, no audience: the question there is put even if there is nothing to answer, so that a silence tells nothing.
    """

    atom: Secret | Given
    audience: Token
    but: Label = PUBLIC
    site: Site | None = None


@dataclass(slots=True, eq=False)
class Summary:
    """What a routine gives back, what it shows of what it is given, whether it may end the game, and what it mixes up.

    In `scrambled` zones not all know any more which pieces lie there, in `mixed` ones where each of them is. All have seen
    the pieces that the `opened` parameters bring.

    `used` is everything that its changes depend on, also where all may see it once it is done: where it is only imagined,
    nobody sees that.
    """

    result: Value = NOTHING
    used: Label = PUBLIC
    flows: dict[Flow, Shown] = field(default_factory=dict)
    ends: Label = PUBLIC
    scrambled: frozenset[Zone] = frozenset()
    mixed: frozenset[Zone] = frozenset()
    opened: frozenset[str] = frozenset()

    def keep_imagined(self) -> None:
        """What is only imagined shows nothing to anybody, but the value tells everything that it depends on."""
        used = self.used | self.ends
        value = self.result.under(used)
        self.result = value._replace(content=value.content | used)
        self.flows, self.ends, self.scrambled, self.mixed, self.used = {}, PUBLIC, frozenset(), frozenset(), PUBLIC

    def reveal(self) -> None:
        """The result comes to light on purpose, and so does that the routine ends the game."""
        result = self.result
        self.used |= result.told
        parts = [
            frozenset(atom for atom in part if isinstance(atom, Given))
            for part in (result.size, result.shape, result.content, result.where)
        ]
        self.result, self.ends = Value(parts[0], parts[1], parts[2], parts[3]), PUBLIC

    def is_like(self, other: Summary) -> bool:
        """Whether another says the same of the routine."""
        return (self.result, self.used, self.ends, self.scrambled, self.mixed, self.opened, self.flows.keys()) == (
            other.result,
            other.used,
            other.ends,
            other.scrambled,
            other.mixed,
            other.opened,
            other.flows.keys(),
        ) and all(shown.is_like(other.flows[flow]) for flow, shown in self.flows.items())


class CallSite:
    """One call: what its parameters stand for, and under which condition it is made."""

    def __init__(self, arguments: Mapping[str, Value], tokens: Mapping[str, Token], condition: Label) -> None:
        self.arguments = arguments
        self.tokens = tokens
        self.condition = condition

    def token(self, token: Token) -> Token:
        """A token as the caller would say it."""
        return renamed(token, self.tokens)

    def audience(self, token: Token) -> Token:
        """An audience as the caller would say it: somebody, if it cannot."""
        found = self.token(token)
        return SOMEONE if found is None else found

    def atom(self, atom: Secret | Given) -> Label:
        """What a part of a label comes to."""
        if isinstance(atom, Secret):
            knowers = {self.token(token) for token in atom.knowers} - {None}
            return frozenset({Secret(atom.family, frozenset(knowers))})
        if not atom.parameter:
            return self.condition
        label: Label = getattr(self.arguments.get(atom.parameter, NOTHING), atom.part)
        return label

    def label(self, label: Label) -> Label:
        """A label as the caller would say it."""
        return PUBLIC.union(*map(self.atom, label))

    def value(self, value: Value) -> Value:
        """A result as the caller would say it."""
        return Value(
            self.label(value.size), self.label(value.shape), self.label(value.content), self.label(value.where)
        )
