"""What a routine reveals, in terms of its parameters: a summary that each call instantiates."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from houserule.diagnostics import Span
from houserule.frozen import frozen
from houserule.language.checked import Family, Site, Zone
from houserule.secrecy.labels import (
    EVERYBODY,
    NOTHING,
    PUBLIC,
    SOMEONE,
    Given,
    Label,
    Secret,
    Token,
    Value,
    coarse,
    join,
    renamed,
)

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
        """Whether its reason speaks of a zone or variable, by its name."""
        return (
            re.search(rf"\b{re.escape(family.name.replace('_', ' '))}\b", self.reason.replace("_", " ").lower())
            is not None
        )

    def covers(self, span: Span) -> bool:
        """Whether it covers a rule."""
        return span.file == self.span.file and span.line in self.lines


class Reasons:
    """What the rules of a game reveal on purpose: where, and of which zones and variables."""

    def __init__(self, revelations: Iterable[Revelation], hidden: Iterable[Family]) -> None:
        self.by_start = {start: one for one in revelations for start in one.of}
        found = set(self.by_start.values())
        self.named = {one: frozenset(family for family in hidden if one.is_about(family)) for one in found}

    def at(self, span: Span) -> Revelation | None:
        """What the rules that begin there reveal."""
        return self.by_start.get(start_of(span)) if self.by_start else None

    def about(self, revelation: Revelation | None, family: Family) -> Revelation | None:
        """A revelation, if it covers a zone or variable. If its reason names any hidden ones, it covers only those."""
        named = self.named[revelation] if revelation is not None else ()
        return revelation if not named or family in named else None

    def rest(self, label: Label, revelation: Revelation) -> Label:
        """What a revelation does not cover of a label."""
        return frozenset(a for a in label if not (isinstance(a, Secret) and self.about(revelation, a.family)))


def start_of(span: Span) -> Start:
    """The start of a span."""
    return (span.file, span.line, span.column)


@frozen
class Shown:
    """A place in the rules that shows something: what, as the subject of a sentence, and to whom."""

    span: Span
    what: str
    whom: str = "not everybody may"
    code: str = "HR582"
    revealed: Revelation | None = None

    def is_like(self, other: Shown) -> bool:
        """Whether both show the same in the same place."""
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

    With `site` there is no audience: the question there is always put, even with nothing to answer, so that a silence reveals nothing.
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

    result: Value = NOTHING
    used: Label = PUBLIC
    flows: dict[Flow, Shown] = field(default_factory=dict)
    ends: Label = PUBLIC
    scrambled: frozenset[Zone] = frozenset()
    mixed: frozenset[Zone] = frozenset()
    opened: frozenset[str] = frozenset()
    leaks: list[tuple[Secret, Shown, Span | None]] = field(default_factory=list)

    def copy(self) -> Summary:
        """A summary that can be added to by itself."""
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
        size, shape, content, where, order = map(rest, self.result.labels)
        self.result, self.ends = Value(size, shape, content, where, order=order), PUBLIC

    def widen(self, before: Summary) -> None:
        """Take in an earlier summary, and forget who knows what. It then speaks only of families, parameters, questions and
        triggers, so that it can grow only so often (widening).
        """
        size, shape, content, where, order = map(coarse, join(self.result, before.result).labels)
        self.result = Value(size, shape, content, where, order=order)
        self.used, self.ends = coarse(self.used | before.used), coarse(self.ends | before.ends)
        self.scrambled, self.mixed = self.scrambled | before.scrambled, self.mixed | before.mixed
        self.opened &= before.opened
        flows: dict[Flow, Shown] = {}
        for flow, shown in (*before.flows.items(), *self.flows.items()):
            (atom,) = coarse(frozenset({flow.atom}))
            audience = flow.audience if flow.audience == EVERYBODY or receiver_of(flow.audience) else SOMEONE
            flows.setdefault(Flow(atom, audience, PUBLIC, flow.site), shown)
        self.flows = flows

    def is_like(self, other: Summary) -> bool:
        """Whether two summaries are equal."""
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
    """One call: the arguments, and the condition under which it is made."""

    def __init__(self, arguments: Mapping[str, Value], tokens: Mapping[str, Token], condition: Label) -> None:
        self.arguments = arguments
        self.tokens = tokens
        self.condition = condition
        self.renamed: dict[Token, Token] = {}

    def token(self, token: Token) -> Token:
        """A token in the names of the caller."""
        if token not in self.renamed:
            self.renamed[token] = renamed(token, self.tokens)
        return self.renamed[token]

    def audience(self, token: Token) -> Token:
        """An audience in the names of the caller: somebody unknown if it cannot be expressed there."""
        found = self.token(token)
        return SOMEONE if found is None else found

    def atom(self, atom: Secret | Given) -> Label:
        """One part of a label, instantiated."""
        if isinstance(atom, Secret):
            knowers = {self.token(token) for token in atom.knowers} - {None}
            return frozenset({atom._replace(knowers=frozenset(knowers))})
        if not atom.parameter:
            return self.condition
        label: Label = getattr(self.arguments.get(atom.parameter, NOTHING), atom.part)
        return label

    def label(self, label: Label) -> Label:
        """A label in the names of the caller."""
        return PUBLIC.union(*map(self.atom, label))

    def value(self, value: Value) -> Value:
        """A result in the names of the caller."""
        size, shape, content, where, order = map(self.label, value.labels)
        return Value(size, shape, content, where, order=order)
