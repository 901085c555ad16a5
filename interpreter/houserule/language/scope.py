"""Scopes and contexts: what the checker knows at one place of the rules, passed as values; local names."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Unpack

from houserule.diagnostics import Diagnostic, More, Related, Report, Span
from houserule.frozen import by_value, frozen
from houserule.language import nodes
from houserule.language.checked import Constant, EffectSlot, Expression, Family, Kind, Routine, Site, Table
from houserule.language.format import format
from houserule.language.symbols import Option, SymbolTable
from houserule.language.types import (
    NUMBER,
    UNKNOWN,
    Int,
    List,
    Maybe,
    Player,
    Type,
    indefinite,
    plain,
)
from houserule.language.words import OF_EVERY_GAME

MOST_UNITS = 130_000
"""For all files of a game and all numbers of players together; the largest known game takes a tenth of it."""
MOST_OF_SCENARIOS = 240_000
"""For one file of scenarios, with which a game is checked again and again; the largest known file takes a tenth of it."""
MOST_TOGETHER = 600_000
"""For a game with each of its variants and all of its scenarios, about six seconds; the largest known takes half of it."""
STATEMENT = 7
QUESTION, LINE, TOGETHER = 46, 10, 100
"""The units for a question, a line of a menu, and a `together`: what is written for them is long."""
ROUTINE = 4
STEP = 10
"""The units for a step or a line of the score sheet itself, besides its content."""
WORDS_A_UNIT = 2
"""The words and signs of a text that are parsed for a unit."""
MISTAKE = 20
"""The units for a mistake in a text, besides parsing it again."""
VISITS_A_UNIT = 10
"""The expressions visited for a unit, where one is worked out before the game starts."""


WORD = re.compile(r"\w+|[^\w\s]")


class OverBudget(Exception):
    """The budget is spent; `span` is the rule that exceeded it."""

    def __init__(self, span: Span) -> None:
        super().__init__(span)
        self.span = span


@dataclass(slots=True, eq=False)
class Budget:
    """The units that are left."""

    left: int = field(default_factory=lambda: MOST_UNITS)
    spent_at: Span | None = None  # the rule that exceeded the budget
    spent: int = 0

    def spend(self, units: int, span: Span) -> None:
        """Spend units on a rule. Raises OverBudget below zero."""
        self.left -= units
        self.spent += units
        if self.left < 0:
            raise OverBudget(span)

    def spend_on_text(self, text: str, span: Span) -> None:
        self.spend(2 + len(WORD.findall(text)) // WORDS_A_UNIT, span)

    def spend_on_mistakes(self, text: str, found: Sequence[Diagnostic]) -> None:
        """Spend what it takes to explain the mistakes in a text, after each of which it is parsed again. Raises OverBudget."""
        for one in found:
            self.spend_on_text(text, one.span)
            self.spend(MISTAKE, one.span)


Narrowings = dict[str, Type]
"""Narrowed types of places, by key. The keys of local names begin with `=`."""

ENDS = ("first", "last", "top", "min", "max")
"""The functions that have a value if their list has any."""
NO_NARROWINGS: Mapping[str, Type] = {}


@dataclass(slots=True, eq=False)
class Name:
    """A local name: its unique name in the checked tree, its type, and whether anything reads it."""

    word: str
    unique: str
    type: Type
    span: Span
    set_by: str  # assign, choose, loop, parameter, binder, step
    reads: int = 0
    constant: int | None = None


@by_value
class StepLabels:
    """A step around the effect: the targets of `finish STEP` and `leave STEP`."""

    name: str
    path: str
    one_pass: str
    repetition: str


@dataclass(slots=True, eq=False)
class Scope:
    """The visible local names, and the narrowings. An inner scope's names and narrowings stay in it."""

    names: Mapping[str, Name]
    narrowed: Mapping[str, Type]

    def inner(self, shown: Mapping[str, Type] = NO_NARROWINGS) -> Scope:
        return Scope(self.names, {**self.narrowed, **shown} if shown else self.narrowed)

    def find(self, word: str) -> Name | None:
        return self.names.get(word)

    def add(self, name: Name) -> None:
        self.names = {**self.names, name.word: name}
        self.forget_word(name.word)

    def narrow(self, shown: Mapping[str, Type]) -> None:
        self.narrowed = {**self.narrowed, **shown}

    def follow(self, inner: Scope) -> None:
        """Continue after an inner scope that was always executed: forget here what it changed."""
        self.narrowed = inner.seen_from(self)

    def seen_from(self, outer: Scope) -> Mapping[str, Type]:
        """The narrowings here that mean the same in an outer scope: its names may differ."""
        own = [word for word, name in self.names.items() if outer.names.get(word) is not name]
        if not own or not self.narrowed:
            return self.narrowed
        spoken = re.compile(rf"\b(?:{'|'.join(map(re.escape, own))})\b")
        return {key: type for key, type in self.narrowed.items() if key.startswith("=") or not spoken.search(key)}

    def forget_state(self) -> None:
        """Forget narrowings of variables and zones: a change may invalidate them."""
        if self.narrowed:
            self.narrowed = {k: t for k, t in self.narrowed.items() if k.startswith("=")}

    def forget_all_but(self, steady: Container[str]) -> None:
        """Forget narrowings of what is written with other words than these: something else may have changed."""
        if self.narrowed:
            self.narrowed = {
                key: type
                for key, type in self.narrowed.items()
                if key.startswith("=") or all(word in steady for word in WORDS(key))
            }

    def forget_word(self, word: str) -> None:
        if self.narrowed:
            word = rf"\b{re.escape(word)}\b"
            self.narrowed = {k: t for k, t in self.narrowed.items() if k.startswith("=") or not re.search(word, k)}

    def forget_local(self, local: Name) -> None:
        """Forget narrowings of a local name and its printed values: it gets another value."""
        own = f"={local.unique}"
        self.forget_word(local.word)
        self.narrowed = {k: t for k, t in self.narrowed.items() if k != own and not k.startswith(f"{own}.")}

    def meet(self, *ends: Mapping[str, Type] | None) -> None:
        """Keep the narrowings common to the ends of all branches; None stands for an unreachable end."""
        reached = [end for end in ends if end is not None]
        if reached:
            first, *rest = reached
            self.narrowed = {k: t for k, t in first.items() if all(r.get(k) == t for r in rest)}


WORDS = re.compile(r"[^\W\d]\w*").findall


@dataclass(slots=True, eq=False)
class Locals:
    """Facts about the local names of one body: a routine, the flow, or a separate expression."""

    taken: set[str]
    numbers: dict[str, int] = field(default_factory=dict)  # by word: the greatest number added to it so far
    assigned: dict[str, int] = field(default_factory=dict)  # how often each word is set
    made: list[Name] = field(default_factory=list)
    is_missing_me_said: bool = False


@by_value
class AttributeOf:
    """A printed attribute of a kind, as a name can stand for it."""

    kind: Kind
    name: str


@by_value
class One:
    """A member or a piece, as a name can stand for it."""

    kind: Kind
    number: int


Symbol = Name | Kind | One | AttributeOf | Family | Table | Option | Routine | EffectSlot
"""What a name can stand for."""


@dataclass(slots=True, eq=False)
class Meanings:
    """What the nodes of the syntax tree mean: the types of expressions, and the symbols that their names stand for.

    The symbol of `x.f` and of `f(…)` is that of `f`; a call and an entry have that of the name before the bracket. `starts` are the contexts in
    which whole texts are checked, with the names that they know at their beginning. `unknown` are the names that mean nothing, with the local names
    around them and the type that is wanted there.
    """

    types: dict[nodes.Node, Type] = field(default_factory=dict)
    symbols: dict[nodes.Node, Symbol] = field(default_factory=dict)
    starts: dict[nodes.Node, Context] = field(default_factory=dict)
    unknown: dict[nodes.Node, tuple[Mapping[str, Name], Type | None]] = field(default_factory=dict)
    names: list[Name] = field(default_factory=list)  # the local ones

    def of_file(self, file: str) -> Meanings:
        return Meanings(
            {node: type for node, type in self.types.items() if node.span.file == file},
            {node: symbol for node, symbol in self.symbols.items() if node.span.file == file},
            names=[name for name in self.names if name.span.file == file],
        )


@frozen
class Strain:
    """A table that is read at an index that can be greater than that of its last entry."""

    index: str
    high: int
    table: str
    last: int
    span: Span


@dataclass(slots=True, eq=False)
class Analysis:
    """The checking of a game for one number of players: its symbols, its report, and facts besides the tree."""

    symbols: SymbolTable
    operations: Mapping[str, Any]
    verbs: Mapping[str, Any]
    report: Report
    added: tuple[tuple[str, frozenset[str]], ...] = ()  # by file, in order: the variables that a variant adds
    is_declared: bool = False  # whether all names are declared, so that bodies can be checked
    budget: Budget = field(default_factory=Budget)
    labels: int = 0
    sites: list[Site] = field(default_factory=list)
    rolled: dict[str, Type] = field(default_factory=dict)  # what is rolled, by the text of its target
    named_by_roll: dict[str, Span] = field(default_factory=dict)  # the names declared by rolls
    inherited_calls: list[tuple[Routine | None, Routine, Span, bool]] = field(default_factory=list)
    checking: list[Routine] = field(default_factory=list)  # outermost first
    is_deep: bool = False  # whether these are the end of a long chain of calls, which is checked from its end
    awaited: set[Routine] = field(default_factory=set)  # whose result was needed before its type was known
    doubtful: set[Routine] = field(default_factory=set)  # checked without the result type of what they call
    begun: dict[Span, Type] = field(default_factory=dict)  # lists that start empty and are read before they are filled
    extra: dict[str, Callable[[Context, nodes.Call], Expression]] = field(default_factory=dict)
    extra_names: dict[str, Callable[[Span], Expression]] = field(default_factory=dict)
    strains: list[Strain] = field(default_factory=list)
    meanings: Meanings | None = None  # recorded for those who write about the rules, not to play them

    def record(self, node: nodes.Node, symbol: Symbol) -> None:
        if self.meanings is not None:
            self.meanings.symbols[node] = symbol

    def context(self, *taken: str, **more: Any) -> Context:
        return Context(self, self.symbols, self.report, Scope({}, {}), Locals(set(taken)), **more)


@dataclass(slots=True, eq=False)
class Context:
    """The context of a node: what its names mean, who is `me`, and what is allowed."""

    analysis: Analysis
    symbols: SymbolTable  # the names of the game
    report: Report
    scope: Scope
    locals: Locals
    routine: Routine | None = None
    source: nodes.Node | None = None  # the whole text being checked, of a routine or a step
    me: Expression | None = None
    me_inherited: bool = False
    this: Expression | None = None
    nobody: str = "`turns: players` gives each player a turn as me; `as p: …` makes p me inside"  # the help where there is no `me`
    loops: tuple[str, ...] = ()
    finish: str | None = None  # the target of `finish` in the `do` of a step; None: it returns
    steps: tuple[StepLabels, ...] = ()
    step_path: str = ""
    in_function: bool = False
    in_together: bool = False
    chosen: str = ""  # the name of the `choose` whose list is being checked
    sought: str = ""  # the name that a comparison looks for in a list

    def inner(self, shown: Mapping[str, Type] = NO_NARROWINGS, **changes: Any) -> Context:
        """A nested context with more narrowings and some fields replaced."""
        made = Context(*FIELDS(self))  # a fifth of the time of `dataclasses.replace`
        made.scope = self.scope.inner(shown)
        for name, value in changes.items():
            setattr(made, name, value)
        return made

    def use(self, symbol: Kind | Family | Table | Option, node: nodes.Node) -> None:
        """Count a use of what the game declares, by the node that names it."""
        symbol.uses += 1
        self.record(node, symbol)

    def use_one(self, kind: Kind, number: int, node: nodes.Node) -> None:
        """Count a use of a kind by the name of a member or a piece."""
        kind.uses += 1
        self.record(node, One(kind, number))

    def record(self, node: nodes.Node, symbol: Symbol) -> None:
        self.analysis.record(node, symbol)

    def typed(self, node: nodes.Expression, value: Expression) -> Expression:
        """The value of a node, whose type is recorded if that is asked for."""
        if self.analysis.meanings is not None:
            self.analysis.meanings.types[node] = value.type
        return value

    def error(self, code: str, message: str, span: Span, *details: Any, **more: Unpack[More]) -> Constant:
        """Report an error and return a value that fits everything."""
        self.report.error(code, message, span, *details, **more)
        return Constant(span, UNKNOWN, 0)

    def misnamed(self, code: str, message: str, span: Span, word: str, *details: Any, **more: Unpack[More]) -> Constant:
        """Report an unknown word, with a suggestion if one of the candidates that follow is similar."""
        self.report.misnamed(code, message, span, word, *details, **more)
        return Constant(span, UNKNOWN, 0)


FIELDS = attrgetter(*Context.__match_args__)


def bind(context: Context, word: str, type: Type, span: Span, set_by: str) -> Name:
    """Declare a local name in the innermost scope."""
    unique = word if word not in context.locals.taken else numbered(context, word, 2)
    context.locals.taken.add(unique)
    if context.locals.assigned.get(word, 0) > (1 if set_by == "assign" else 0):
        type = widest(type)
    made = Name(word, unique, type, span, set_by)
    context.scope.add(made)
    context.locals.made.append(made)
    if context.analysis.meanings is not None:
        context.analysis.meanings.names.append(made)
    return made


def bind_new(context: Context, word: str, type: Type, span: Span, set_by: str) -> Name:
    """Declare a local name that may not hide a variable, zone, option or table; it may hide a member."""
    other = declared_place(context, word)
    if other is not None:
        context.error(
            "HR504",
            f"'{word}' is the name of {other[0]} already, so nothing else can be called that",
            span,
            "choose another name",
            [Related("declared here", other[1])],
        )
    return bind(context, word, type, span, set_by)


def bind_member(
    context: Context, node: nodes.Selection | nodes.Race | nodes.Binding, type: Type, span: Span, set_by: str
) -> Name:
    """Declare the name of each member of a list: the given one, or `it`."""
    if node.binder:
        return bind_new(context, node.binder, type, node.binder_span or span, set_by)
    return bind(context, "it", type, span, set_by)


def global_place(context: Context, word: str) -> tuple[str, Span] | None:
    """What else has that name: words for a sentence, and its place."""
    members = ((f"a member of '{kind.name}'", kind.spans[n - kind.base]) for kind, n in context.symbols.members(word))
    return declared_place(context, word) or next(members, None)


def declared_place(context: Context, word: str) -> tuple[str, Span] | None:
    """What else has that name, except members: words for a sentence, and its place."""
    sections = context.symbols.sections.items()
    return next(((indefinite(what), section[word].span) for what, section in sections if word in section), None)


def global_names(context: Context) -> list[str]:
    """Everything a bare name can mean, for suggestions."""
    symbols = context.symbols
    found = [*OF_EVERY_GAME, *context.scope.names]
    for section in (*symbols.sections.values(), symbols.kinds, symbols.seats):
        found += section
    for kind in symbols.kinds.values():
        found += kind.ids
    return list(dict.fromkeys(found))


def key_of(context: Context, node: nodes.Expression) -> str | None:
    """The key of narrowings of an expression; None for what cannot be narrowed.

    It starts with `=` if only an assignment to a local can change it: the name, and its printed values.
    """
    match node:
        case nodes.Name(id=word):
            local = context.scope.find(word)
            return f"={local.unique}" if local else word
        case nodes.Attribute(of=of, name=name) if printed_type(context, node) is not None:
            return f"{key_of(context, of)}.{name}"
        case nodes.Attribute() | nodes.Index() | nodes.Call():
            return format(node)
        case _:
            return None


def printed_type(context: Context, node: nodes.Expression) -> Type | None:
    """The type of a local name, or of its printed value; None for everything else."""
    match node:
        case nodes.Name(id=word):
            local = context.scope.find(word)
            return None if local is None else context.scope.narrowed.get(f"={local.unique}", local.type)
        case nodes.Attribute(of=of, name=name):
            kind = context.symbols.kind_of(plain(printed_type(context, of) or UNKNOWN))
            return kind.attribute_types.get(name) if kind is not None else None
    return None


def index_for(context: Context, kind: Type) -> str:
    """What to type as an index of a type: `me`, a name here or what is printed on one, else the type in words."""
    if isinstance(kind, Player) and (context.me is not None or context.symbols.seats):
        return "me" if context.me is not None else context.symbols.seats[0]
    names = context.scope.names
    for word in reversed(list(names)):
        found = plain(names[word].type)
        if found == kind:
            return word
        of = context.symbols.kind_of(found)
        attribute = next((name for name, type in of.attribute_types.items() if type == kind), None) if of else None
        if attribute is not None:
            return f"{word}.{attribute}"
    return str(kind)


def use_me(context: Context, span: Span) -> Expression:
    """`me`, or an error if there is none."""
    if context.me is None:
        if not context.locals.is_missing_me_said:
            context.locals.is_missing_me_said = True
            context.error("HR530", "nobody is 'me' here", span, context.nobody, follows_from=("turns", "together"))
        return Constant(span, UNKNOWN, 0)
    if context.me_inherited and context.routine is not None:
        context.routine.needs_me = True
    return context.me


def widest(type: Type | None) -> Type:
    """The type without bounds: for names that are set more than once, or not known yet."""
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


def fresh_name(context: Context, stem: str) -> str:
    """A unique name that authors cannot see."""
    made = numbered(context, stem, 1)
    context.locals.taken.add(made)
    return made


def numbered(context: Context, word: str, first: int) -> str:
    """A word with the least number, from the first one, with which it is not taken."""
    taken, numbers = context.locals.taken, context.locals.numbers
    number = numbers.get(word, first)
    while f"{word}_{number}" in taken:
        number += 1
    numbers[word] = number
    return f"{word}_{number}"


def is_ambiguous(context: Context, node: nodes.Expression) -> bool:
    """Whether a bare name is a member of several enums, so that the wanted type decides."""
    if not isinstance(node, nodes.Name) or context.scope.find(node.id) is not None:
        return False
    homes = list(context.symbols.members(node.id))
    return len(homes) > 1 or (len(homes) == 1 and context.symbols.piece(node.id) is not None)


def is_kind(context: Context, node: nodes.Expression) -> bool:
    return isinstance(node, nodes.Name) and node.id in context.symbols.kinds and context.scope.find(node.id) is None
