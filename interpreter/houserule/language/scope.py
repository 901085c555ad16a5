"""Scopes and contexts: what the checker knows at one place of the rules, handed on as values.

What is known inside something is an inner context, made of the one around it. Nothing is saved and put back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from houserule.diagnostics import Fix, Related, Report, Span
from houserule.frozen import by_value
from houserule.language import nodes
from houserule.language.budget import Budget
from houserule.language.checked import Constant, Expression, Site
from houserule.language.symbols import Routine, SymbolTable
from houserule.language.types import UNKNOWN, Type

Narrowings = dict[str, Type]
"""What tests have shown: the type of a place, by its key. The keys of local names begin with `=`."""

NO_NARROWINGS: Mapping[str, Type] = {}


@dataclass(slots=True, eq=False)
class Name:
    """A local name: what it is called in the checked tree, its type, and whether anything reads it."""

    word: str
    unique: str
    type: Type
    span: Span
    set_by: str  # assign, choose, loop, parameter, binder, step
    reads: int = 0
    constant: int | None = None


@by_value
class StepLabels:
    """A step around the effect: where `finish STEP` and `leave STEP` go."""

    name: str
    path: str
    one_pass: str
    repetition: str


@dataclass(slots=True, eq=False)
class Scope:
    """The local names in sight, and what tests have shown. What is made or shown in an inner scope stays there."""

    names: Mapping[str, Name]
    narrowed: Mapping[str, Type]

    def inner(self, shown: Mapping[str, Type] = NO_NARROWINGS) -> Scope:
        """A scope inside this one, where this has been shown as well."""
        return Scope(self.names, {**self.narrowed, **shown} if shown else self.narrowed)

    def find(self, word: str) -> Name | None:
        """The local name of that word."""
        return self.names.get(word)

    def add(self, name: Name) -> None:
        """From here on the word means this."""
        self.names = {**self.names, name.word: name}
        self.forget_word(name.word)

    def narrow(self, shown: Mapping[str, Type]) -> None:
        """From here on this has been shown."""
        self.narrowed = {**self.narrowed, **shown}

    def follow(self, inner: Scope) -> None:
        """Go on behind an inner scope that was carried out: what it changed is forgotten here as well."""
        self.narrowed = inner.seen_from(self)

    def seen_from(self, outer: Scope) -> Mapping[str, Type]:
        """What has been shown here, as it may be said in the scope outside: a name of here means something else there."""
        own = [word for word, name in self.names.items() if outer.names.get(word) is not name]
        if not own or not self.narrowed:
            return self.narrowed
        spoken = re.compile(rf"\b(?:{'|'.join(map(re.escape, own))})\b")
        return {key: type for key, type in self.narrowed.items() if key.startswith("=") or not spoken.search(key)}

    def forget_state(self) -> None:
        """Forget what has been shown of variables and zones: after a change it may hold no longer."""
        if self.narrowed:
            self.narrowed = {k: t for k, t in self.narrowed.items() if k.startswith("=")}

    def forget_word(self, word: str) -> None:
        """Forget what has been shown of places in which a name occurs."""
        if self.narrowed:
            word = rf"\b{re.escape(word)}\b"
            self.narrowed = {k: t for k, t in self.narrowed.items() if k.startswith("=") or not re.search(word, k)}

    def forget_local(self, local: Name) -> None:
        """Forget what has been shown of a local name, and of what is printed on it: it gets another value."""
        own = f"={local.unique}"
        self.forget_word(local.word)
        self.narrowed = {k: t for k, t in self.narrowed.items() if k != own and not k.startswith(f"{own}.")}

    def meet(self, *ends: Mapping[str, Type] | None) -> None:
        """After branches, only that is known which each of them shows at its end; None where the end is not reached."""
        reached = [end for end in ends if end is not None]
        if reached:
            first, *rest = reached
            self.narrowed = {k: t for k, t in first.items() if all(r.get(k) == t for r in rest)}


@dataclass(slots=True, eq=False)
class Locals:
    """What is noted of the local names of one body: a routine, the flow, or an expression by itself."""

    taken: set[str]
    assigned: dict[str, int] = field(default_factory=dict)  # how often each word is set
    made: list[Name] = field(default_factory=list)
    is_missing_me_said: bool = False


@dataclass(slots=True, eq=False)
class Analysis:
    """A game for one number of players as it is checked: its symbols, its report, and what is noted besides the tree."""

    symbols: SymbolTable
    operations: Mapping[str, Any]
    verbs: Mapping[str, Any]
    report: Report
    added: tuple[tuple[str, frozenset[str]], ...] = ()  # file by file, in order: the variables that a variant brings
    is_declared: bool = False  # whether all names are, so that the bodies of routines can be checked
    budget: Budget = field(default_factory=Budget)
    labels: int = 0
    sites: list[Site] = field(default_factory=list)
    rolled: dict[str, Type] = field(default_factory=dict)  # what can be rolled, by how its target is written
    named_by_roll: dict[str, Span] = field(default_factory=dict)  # the names that a roll makes
    inherited_calls: list[tuple[Routine | None, Routine, Span, bool]] = field(default_factory=list)
    checking: list[Routine] = field(default_factory=list)  # from the outermost
    awaited: set[Routine] = field(default_factory=set)  # whose result was wanted before its type was known
    doubtful: set[Routine] = field(default_factory=set)  # checked without knowing the result of what they call
    begun: dict[Span, Type] = field(default_factory=dict)  # lists that begin empty and are read before they are filled
    extra: dict[str, Callable[[Context, nodes.Call], Expression]] = field(default_factory=dict)
    extra_names: dict[str, Callable[[Span], Expression]] = field(default_factory=dict)

    def context(self, *taken: str, **more: Any) -> Context:
        """The context of a new body, in which these names are taken and nothing is known."""
        return Context(self, self.symbols, self.report, Scope({}, {}), Locals(set(taken)), **more)


@dataclass(slots=True, eq=False)
class Context:
    """Where a node stands: what its names mean, who is `me`, and what may stand there."""

    analysis: Analysis
    symbols: SymbolTable  # what the names of the game mean
    report: Report
    scope: Scope
    locals: Locals
    routine: Routine | None = None
    source: nodes.Node | None = None  # the whole text that is being checked, of a routine or of a step
    me: Expression | None = None
    me_inherited: bool = False
    this: Expression | None = None
    nobody: str = "`turns: players` gives each player a turn as me; `as p: …` makes p me inside"  # where none is `me`
    loops: tuple[str, ...] = ()
    finish: str | None = None  # where `finish` goes in the `do` of a step; None: it returns
    steps: tuple[StepLabels, ...] = ()
    step_path: str = ""
    in_function: bool = False
    in_together: bool = False
    chosen: str = ""  # what the `choose` is to name whose list is being checked
    sought: str = ""  # the name of which a comparison asks whether it is in a list

    def inner(self, shown: Mapping[str, Type] = NO_NARROWINGS, **changes: Any) -> Context:
        """The context inside something, where tests have shown this and these fields are different."""
        made = Context(*FIELDS(self))  # a fifth of the time of `dataclasses.replace`
        made.scope = self.scope.inner(shown)
        for name, value in changes.items():
            setattr(made, name, value)
        return made

    def error(
        self,
        code: str,
        message: str,
        span: Span,
        help: str | None = None,
        related: Iterable[Related] = (),
        fix: Fix | None = None,
    ) -> Constant:
        """Report and give back something that agrees with everything."""
        self.report.error(code, message, span, help, related, fix)
        return Constant(span, UNKNOWN, 0)

    def misnamed(
        self, code: str, message: str, span: Span, word: str, candidates: Iterable[str], otherwise: str | None = None
    ) -> Constant:
        """Report a word that means nothing where it stands, with what was meant if something is near."""
        self.report.misnamed(code, message, span, word, candidates, otherwise)
        return Constant(span, UNKNOWN, 0)


FIELDS = attrgetter(*Context.__match_args__)
