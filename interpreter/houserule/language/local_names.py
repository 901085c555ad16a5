"""Local names and what is known of them: a name and its place in, what it stands for out, or what is wrong with it."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from houserule.diagnostics import Fix, Related, Report, Span
from houserule.language import nodes
from houserule.language.checked import Constant, Expression
from houserule.language.format import format
from houserule.language.symbols import Routine, SymbolTable
from houserule.language.types import NUMBER, UNKNOWN, Int, List, Maybe, Member, Piece, Player, Type, plain, spelled

T = TypeVar("T")
Narrowings = dict[str, Type]


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


class LocalNames(ABC):
    """What a check keeps in mind: local names, who is me, and what tests have shown. Mistakes go into the report."""

    def __init__(self, symbols: SymbolTable, operations: Mapping[str, Any], report: Report) -> None:
        self.symbols = symbols
        self.operations = operations
        self.report = report
        self.scopes: list[dict[str, Name]] = [{}]
        self.narrowed: Narrowings = {}
        self.me: Expression | None = None
        self.me_inherited = False
        self.this: Expression | None = None
        self.current: Routine | None = None
        self.taken: set[str] = set()
        self.assigned: dict[str, int] = {}  # how often each name is set in the routine at hand
        self.extra: dict[str, Callable[[nodes.Call], Expression]] = {}
        self.extra_names: dict[str, Callable[[Span], Expression]] = {}
        self.chosen = ""  # what the `choose` is to name whose list is being checked
        self.sought = ""  # the name of which a comparison asks whether it is in a list
        self.inherited_calls: list[tuple[Routine | None, Routine, Span, bool]] = []
        self.demand: Callable[[Routine], None] = lambda _: None
        self.awaited: set[Routine] = set()  # whose result was wanted before its type was known
        self.doubtful: set[Routine] = set()  # checked without knowing the result of what they call
        self.missing_me_said = False
        self.nobody = "`turns: players` gives each player a turn as me; `as p: …` makes p me inside"

    # --- what the parts above this one know ---------------------------------------------------------------------------

    @abstractmethod
    def expr(self, node: nodes.Expression, wanted: Type | None = None) -> Expression:
        """A value. `wanted` helps to find a member that several enums have; it is not checked."""

    @abstractmethod
    def condition(self, node: nodes.Expression) -> tuple[Expression, Narrowings, Narrowings]:
        """A condition, with what is known where it holds and where it does not."""

    @abstractmethod
    def items(self, node: nodes.Expression, wanted: Type | None = None) -> Expression:
        """A list: the name of a kind stands for its members here, a zone for its pieces."""

    @abstractmethod
    def evaluate(
        self, function: Routine, arguments: tuple[nodes.Expression, ...], leading: tuple[Expression, ...], span: Span
    ) -> Expression:
        """A call of a function of the game."""

    @abstractmethod
    def await_result(self, routine: Routine) -> None:
        """The result of a routine that is being checked is wanted: what lies between has to be checked again."""

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

    def bind(self, word: str, type: Type, span: Span, set_by: str) -> Name:
        """Make a local name in the innermost scope."""
        unique = word
        count = 1
        while unique in self.taken:
            count += 1
            unique = f"{word}_{count}"
        self.taken.add(unique)
        if self.assigned.get(word, 0) > (1 if set_by == "assign" else 0):
            type = widest(type)
        made = Name(word, unique, type, span, set_by)
        self.scopes[-1][word] = made
        self.forget_word(word)
        return made

    def forget_word(self, word: str) -> None:
        """What a test has shown of places in which that name occurs may hold no longer."""
        self.narrowed = {
            k: t for k, t in self.narrowed.items() if k.startswith("=") or not re.search(rf"\b{re.escape(word)}\b", k)
        }

    def forget_local(self, local: Name) -> None:
        """A local name gets another value: nothing is known of it, and of what is printed on it."""
        own = f"={local.unique}"
        self.forget_word(local.word)
        self.narrowed = {k: t for k, t in self.narrowed.items() if k != own and not k.startswith(f"{own}.")}

    def bind_new(self, word: str, type: Type, span: Span, set_by: str) -> Name:
        """Make a local name that may not hide a variable, zone, option, table or member."""
        other = self.global_place(word)
        if other is not None:
            self.error(
                "HR504",
                f"'{word}' is the name of {other[0]} already, so nothing else can be called that",
                span,
                "choose another name",
                [Related("declared here", other[1])],
            )
        return self.bind(word, type, span, set_by)

    def find(self, word: str) -> Name | None:
        """The local of that name, innermost first."""
        for scope in reversed(self.scopes):
            if word in scope:
                return scope[word]
        return None

    def global_place(self, word: str) -> tuple[str, Span] | None:
        """What else has that name: a sentence part and its place."""
        symbols = self.symbols
        if word in symbols.variables:
            return "a variable", symbols.variables[word].span
        if word in symbols.zones:
            return "a zone", symbols.zones[word].span
        if word in symbols.options:
            return "an option", symbols.options[word].span
        if word in symbols.tables:
            return "a table", symbols.tables[word].span
        for kind, number in symbols.members(word):
            return f"a member of '{kind.name}'", kind.spans[number - kind.base]
        return None

    def global_names(self) -> list[str]:
        """Everything a bare name can mean, for did-you-mean."""
        symbols = self.symbols
        found = ["me", "it", "this", "players", "opponents", "player_count"]
        for scope in self.scopes:
            found += scope
        found += [*symbols.variables, *symbols.zones, *symbols.options, *symbols.tables, *symbols.kinds, *symbols.seats]
        for kind in symbols.kinds.values():
            found += kind.ids
        return list(dict.fromkeys(found))

    def key(self, node: nodes.Expression) -> str | None:
        """How a narrowing of that expression is kept; None for what cannot be narrowed.

        What only a new value of a local name can change starts with `=`: the name, and what is printed on it.
        """
        match node:
            case nodes.Name(id=word):
                local = self.find(word)
                return f"={local.unique}" if local else word
            case nodes.Attribute(of=of, name=name) if self.printed_type(node) is not None:
                return f"{self.key(of)}.{name}"
            case nodes.Attribute() | nodes.Index():
                return format(node)
            case _:
                return None

    def printed_type(self, node: nodes.Expression) -> Type | None:
        """The type of a local name, or of what is printed on it; None for everything else."""
        match node:
            case nodes.Name(id=word):
                local = self.find(word)
                return None if local is None else self.narrowed.get(f"={local.unique}", local.type)
            case nodes.Attribute(of=of, name=name):
                match plain(self.printed_type(of) or UNKNOWN):
                    case Member(str(kind)) | Piece(str(kind)):
                        return self.symbols.kinds[kind].attribute_types.get(name)
        return None

    def narrow(self, more: Narrowings) -> None:
        """From here on these are known."""
        self.narrowed = {**self.narrowed, **more}

    def under(self, more: Narrowings, work: Callable[[], T]) -> T:
        """Do something while these are known."""
        before = self.narrowed
        self.narrow(more)
        try:
            return work()
        finally:
            self.narrowed = before

    def index_for(self, kind: Type) -> str:
        """What may be typed as an index of a type: `me` for a player where somebody is, else the type."""
        return "me" if self.me is not None and isinstance(kind, Player) else spelled(kind)

    def use_me(self, span: Span) -> Expression:
        """`me`, or an error where nobody is."""
        if self.me is None:
            if not self.missing_me_said:
                self.missing_me_said = True
                self.error("HR530", "nobody is 'me' here", span, self.nobody)
            return Constant(span, UNKNOWN, 0)
        if self.me_inherited and self.current is not None:
            self.current.needs_me = True
        return self.me


def widest(type: Type | None) -> Type:
    """The type without its bounds: that of what is set more than once, or is not known yet."""
    match type:
        case Maybe(of=Int()):
            return Maybe(NUMBER)
        case Int():
            return NUMBER
        case List(of=element):
            return List(NUMBER if isinstance(element, Int) else element)
        case None:
            return UNKNOWN
        case _:
            return type
