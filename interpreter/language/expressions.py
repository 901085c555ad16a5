"""Checks expressions: syntax tree in, checked tree out, with names resolved, types known and optionals tested."""

from __future__ import annotations

import re
from collections.abc import Callable as Function
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from operator import ge, gt, le, lt
from typing import Any, TypeVar, assert_never

from interpreter.diagnostics import Related, Report, Span, did_you_mean
from interpreter.language import nodes
from interpreter.language.checked import (
    AllPieces,
    Apply,
    Constant,
    EitherPile,
    Evaluate,
    Expression,
    Items,
    Local,
    LookUp,
    Pile,
    Printed,
    ReadVariable,
    Select,
    Single,
)
from interpreter.language.format import format
from interpreter.language.scope import Callable, Family, Kind, Variable, Vocabulary, Zone
from interpreter.language.types import (
    BOOL,
    NO_VALUE,
    NONE,
    NUMBER,
    PLAYER,
    UNKNOWN,
    Bool,
    Int,
    List,
    Maybe,
    Member,
    NoValue,
    Piece,
    Player,
    Type,
    Unknown,
    comparable,
    fits,
    join,
    maybe,
    none_of,
    plain,
    spelled,
)

T = TypeVar("T")
LONGEST_RANGE = 10_000
HABITS = {
    "yes": "true",
    "on": "true",
    "true": "true",
    "no": "false",
    "off": "false",
    "false": "false",
    "none": "none",
    "null": "none",
    "nil": "none",
    "nobody": "none",
    "self": "me",
    "i": "me",
    "you": "me",
}
"""What people write who are used to another language, and what they mean."""
Narrowings = dict[str, Type]
ORDER: dict[str, Function[[Any, Any], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}


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


class ExpressionChecker:
    """Checks expressions against a vocabulary. Mistakes go into the report and become `Unknown`."""

    def __init__(self, words: Vocabulary, operations: Mapping[str, Any], report: Report) -> None:
        self.words = words
        self.operations = operations
        self.report = report
        self.scopes: list[dict[str, Name]] = [{}]
        self.narrowed: Narrowings = {}
        self.me: Expression | None = None
        self.me_inherited = False
        self.this: Expression | None = None
        self.current: Callable | None = None
        self.taken: set[str] = set()
        self.assigned: dict[str, int] = {}  # how often each name is set in the callable at hand
        self.extra: dict[str, Function[[nodes.Call], Expression]] = {}
        self.extra_names: dict[str, Function[[Span], Expression]] = {}
        self.chosen = ""  # what the `choose` is to name whose list is being checked
        self.inherited_calls: list[tuple[Callable | None, Callable, Span, bool]] = []
        self.demand: Function[[Callable], None] = lambda _: None
        self.awaited: set[Callable] = set()  # whose result was wanted before its type was known
        self.doubtful: set[Callable] = set()  # checked without knowing the result of what they call
        self.missing_me_said = False
        self.nobody = "`turns: players` gives each player a turn as me; `as p: …` makes p me inside"

    def await_result(self, callable: Callable) -> None:
        """The result of a callable is wanted; nothing where all is known."""

    # --- saying what is wrong -----------------------------------------------------------------------------------------

    def error(
        self, code: str, message: str, span: Span, help: str | None = None, related: Iterable[Related] = ()
    ) -> Constant:
        """Report and give back something that agrees with everything."""
        self.report.error(code, message, span, help, related)
        return Constant(span, UNKNOWN, 0)

    def solid(self, value: Expression, node: nodes.Node) -> Expression:
        """The value where none will not do; an untested optional is an error."""
        if isinstance(value.type, Maybe):
            text = format(node)
            help = f"test it first: `if {text}: …`"
            if isinstance(node, nodes.Expression) and self.key(node) is None:
                help = f"give it a name and test that: x = {text}, then `if x: …`"
            elif isinstance(value, ReadVariable | Single):
                help = f"test it directly before, with nothing changed in between: `if {text}: …`"
            self.report.error("HR520", f"'{text}' may be none here: it is {value.type}", node.span, help)
            return replace(value, type=value.type.of)
        if isinstance(value.type, NoValue):
            return self.error("HR520", "'none' cannot stand here", node.span)
        return value

    def coerce(self, value: Expression, wanted: Type, node: nodes.Node, what: str, code: str = "HR510") -> Expression:
        """The value as that type; says what was wanted and what was got."""
        if isinstance(value.type, NoValue) and isinstance(wanted, Maybe):
            return Constant(value.span, wanted, none_of(wanted))
        if isinstance(value.type, Maybe) and not isinstance(wanted, Maybe) and fits(value.type.of, wanted):
            return self.solid(value, node)
        if isinstance(value.type, NoValue) and not isinstance(wanted, Unknown):
            return self.error(
                code,
                f"{what} is {wanted}, so it cannot be none",
                node.span,
                f"what may be none is declared so: {spelled(wanted)} or none",
            )
        if not fits(value.type, wanted):
            related = self.declared(value)
            return self.error(
                code,
                f"{what} is {wanted}, but '{format(node)}' is {self.words_for(value)}",
                node.span,
                self.advice(value, wanted, node),
                related,
            )
        if isinstance(value, Items) and isinstance(wanted, List):
            return replace(value, type=wanted)
        return value

    def words_for(self, value: Expression) -> str:
        """What a value is, in an author's words."""
        match value:
            case Pile():
                return "a zone"
            case AllPieces():
                return "a family of zones"
            case _:
                return str(value.type)

    def advice(self, value: Expression, wanted: Type, node: nodes.Node) -> str | None:
        """What to type instead, where that is likely."""
        text = format(node)
        if isinstance(wanted, Int) and isinstance(value.type, List):
            return f"how many there are: count({text})"
        if isinstance(wanted, Bool) and isinstance(value.type, List):
            return f"whether there is one: any({text})"
        if isinstance(wanted, Bool) and isinstance(value, Constant):
            return "true or false"
        if isinstance(wanted, Bool) and isinstance(value.type, Int):
            return f"a condition, such as {text} > 0"
        return None

    def declared(self, value: Expression) -> list[Related]:
        """Where the thing that a value is was declared."""
        match value:
            case Pile() | AllPieces():
                return [Related(f"zone '{value.zone.name}' is declared here", value.zone.span)]
            case ReadVariable():
                return [Related(f"variable '{value.variable.name}' is declared here", value.variable.span)]
            case _:
                return []

    # --- local names ----------------------------------------------------------------------------------------------------

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
        words = self.words
        if word in words.variables:
            return "a variable", words.variables[word].span
        if word in words.zones:
            return "a zone", words.zones[word].span
        if word in words.options:
            return "an option", words.options[word].span
        if word in words.tables:
            return "a table", words.tables[word].span
        for kind, number in words.members(word):
            return f"a member of '{kind.name}'", kind.spans[number - kind.base]
        return None

    def global_names(self) -> list[str]:
        """Everything a bare name can mean, for did-you-mean."""
        words = self.words
        found = ["me", "it", "this", "players", "opponents", "player_count"]
        for scope in self.scopes:
            found += scope
        found += [*words.variables, *words.zones, *words.options, *words.tables, *words.kinds, *words.seats]
        for kind in words.kinds.values():
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
                        return self.words.kinds[kind].attribute_types.get(name)
        return None

    def narrow(self, more: Narrowings) -> None:
        """From here on these are known."""
        self.narrowed = {**self.narrowed, **more}

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

    # --- expressions ------------------------------------------------------------------------------------------------------

    def expr(self, node: nodes.Expression, wanted: Type | None = None) -> Expression:
        """A value. `wanted` helps to find a member that several enums have; it is not checked."""
        match node:
            case nodes.Number(span, value):
                return Constant(span, Int(value, value), value)
            case nodes.Truth(span, value):
                return Constant(span, BOOL, int(value))
            case nodes.Absent(span):
                return Constant(span, NO_VALUE, NONE)
            case nodes.Name():
                return self.known(self.name(node, wanted), node)
            case nodes.Copy(span, id, number):
                return self.copy(span, id, number)
            case nodes.Every(span, word):
                kind = self.words.kinds.get(word)
                if kind is None:
                    return self.error(
                        "HR501",
                        f"there is no kind of piece or enum '{word}'",
                        span,
                        did_you_mean(word, self.words.kinds),
                    )
                return self.members(kind, span)
            case nodes.ListOf(span, items):
                return self.list_of(span, items, wanted)
            case nodes.Range(span, low, high):
                return self.range(span, low, high)
            case nodes.Negative(span, operand):
                inner = self.number(operand)
                if isinstance(inner, Constant) and isinstance(inner.value, int):
                    return Constant(span, Int(-inner.value, -inner.value), -inner.value)
                bounds = inner.type if isinstance(inner.type, Int) else NUMBER
                return Apply(span, Int(-bounds.high, -bounds.low), "(-{0})", (inner,))
            case nodes.Not() | nodes.Logic() | nodes.Is():
                return self.condition(node)[0]
            case nodes.Compare():
                return self.condition(node)[0]
            case nodes.Binary():
                return self.binary(node)
            case nodes.Conditional(span, then, test, otherwise):
                condition, yes, no = self.condition(test)
                a = self.under(yes, lambda: self.expr(then, wanted))
                b = self.under(no, lambda: self.expr(otherwise, wanted))
                type = join(a.type, b.type)
                if type is None:
                    return self.error("HR510", f"the two sides of `if … else` differ: {a.type} and {b.type}", span)
                a, b = self.coerce(a, type, then, "this side"), self.coerce(b, type, otherwise, "this side")
                a, b = snapshot(a), snapshot(b)
                return Apply(span, type, "({0} if {1} else {2})", (a, condition, b))
            case nodes.Attribute():
                return self.known(self.attribute(node, ()), node)
            case nodes.Index():
                return self.known(self.index(node), node)
            case nodes.Call():
                return self.call(node)
            case nodes.PlayersFrom(span, first):
                start = self.coerce(self.expr(first, PLAYER), PLAYER, first, "what `players from` begins with")
                return Apply(span, List(PLAYER, self.words.players), "SEATING[{0}]", (start,))
            case nodes.Selection():
                return self.selection(node)
            case _:
                assert_never(node)

    def known(self, value: Expression, node: nodes.Expression) -> Expression:
        """The value with what a test has shown of it; a pile of one is its piece or none."""
        if isinstance(value, Pile) and value.zone.capacity == 1:
            value = Single(value.span, Maybe(value.zone.piece), value)
        key = self.key(node)
        type = self.narrowed.get(key) if key else None
        return replace(value, type=type) if type is not None and not isinstance(value.type, Unknown) else value

    def under(self, more: Narrowings, work: Function[[], T]) -> T:
        """Do something while these are known."""
        before = self.narrowed
        self.narrow(more)
        try:
            return work()
        finally:
            self.narrowed = before

    def number(self, node: nodes.Expression) -> Expression:
        """A number."""
        return self.coerce(self.expr(node, NUMBER), NUMBER, node, "what is wanted here")

    def members(self, kind: Kind, span: Span) -> Expression:
        """All members of a kind as a list."""
        return Constant(span, List(kind.type, len(kind.ids)), tuple(kind.numbers))

    def list_of(self, span: Span, items: tuple[nodes.Expression, ...], wanted: Type | None) -> Expression:
        """A list written out."""
        inner = wanted.of if isinstance(wanted, List) else None
        if inner is None and any(self.is_ambiguous(item) for item in items):
            inner = next((self.expr(item).type for item in items if not self.is_ambiguous(item)), None)
        values = [self.expr(item, inner) for item in items]
        type: Type = UNKNOWN
        for item, value in zip(items, values, strict=True):
            if isinstance(value.type, List):
                return self.error("HR510", "a list cannot hold lists", item.span, "join lists with `+`")
            joined = join(type, value.type)
            if joined is None:
                return self.error("HR510", f"the items of a list must be alike: {type} and {value.type}", item.span)
            type = joined
        values = [self.coerce(v, type, item, "this item") for v, item in zip(values, items, strict=True)]
        if all(isinstance(v, Constant) for v in values):
            return Constant(span, List(type, len(values)), tuple(v.value for v in values))  # type: ignore[union-attr, misc]
        return Items(span, List(type, len(values)), tuple(values))

    def range(self, span: Span, low: nodes.Expression, high: nodes.Expression) -> Expression:
        """`a..b`."""
        a, b = self.number(low), self.number(high)
        match a, b:
            case Constant(value=int(first)), Constant(value=int(last)):
                if last - first >= LONGEST_RANGE:
                    return self.error(
                        "HR551", f"this range has {last - first + 1} numbers; {LONGEST_RANGE} is the most", span
                    )
                return Constant(
                    span, List(Int(first, max(first, last)), max(0, last - first + 1)), tuple(range(first, last + 1))
                )
        bounds = (
            Int(a.type.low, max(a.type.low, b.type.high))
            if isinstance(a.type, Int) and isinstance(b.type, Int)
            else NUMBER
        )
        most = bounds.high - bounds.low + 1
        return Apply(span, List(bounds, most if most <= LONGEST_RANGE else None), "span({0}, {1})", (a, b))

    def binary(self, node: nodes.Binary) -> Expression:
        """Arithmetic, and lists with `+` and `-`."""
        operator = node.operator
        left = self.expr(node.left)
        if isinstance(left.type, List) and operator in "+-":
            right = self.items(node.right, left.type)
            type = join(left.type, right.type)
            if not isinstance(type, List):
                return self.error(
                    "HR510", f"'{operator}' joins lists of one type: {left.type} and {right.type}", node.span
                )
            most = (
                (left.type.most or 0) + (right.type.most or 0)
                if isinstance(right.type, List) and left.type.most and right.type.most
                else None
            )
            if operator == "-":
                return Apply(node.span, List(type.of, left.type.most), "without({0}, {1})", (left, right))
            return Apply(node.span, List(type.of, most), "joined({0}, {1})", (left, right))
        left = self.coerce(left, NUMBER, node.left, f"the left side of '{operator}'")
        right = self.coerce(self.expr(node.right, NUMBER), NUMBER, node.right, f"the right side of '{operator}'")
        if isinstance(left.type, Unknown) or isinstance(right.type, Unknown):
            return Constant(node.span, UNKNOWN, 0)
        assert isinstance(left.type, Int) and isinstance(right.type, Int)
        bounds = reach(operator, left.type, right.type)
        if bounds is None:
            return self.error("HR553", f"this divides by zero: '{format(node.right)}' is 0", node.right.span)
        if isinstance(left, Constant) and isinstance(right, Constant) and bounds.low == bounds.high:
            return Constant(node.span, bounds, bounds.low)
        return Apply(node.span, bounds, f"({{0}} {operator} {{1}})", (left, right))

    # --- conditions -------------------------------------------------------------------------------------------------------

    def condition(self, node: nodes.Expression) -> tuple[Expression, Narrowings, Narrowings]:
        """A condition, with what is known where it holds and where it does not."""
        match node:
            case nodes.Not(span, operand):
                inner, yes, no = self.condition(operand)
                if isinstance(inner, Constant):
                    return Constant(span, BOOL, int(not inner.value)), no, yes
                return Apply(span, BOOL, "(not {0})", (inner,)), no, yes
            case nodes.Logic(span, left, "and", right):
                a, yes, _ = self.condition(left)
                b, also, _ = self.under(yes, lambda: self.condition(right))
                return Apply(span, BOOL, "({0} and {1})", (a, b)), {**yes, **also}, {}
            case nodes.Logic(span, left, _, right):
                a, _, no = self.condition(left)
                b, _, neither = self.under(no, lambda: self.condition(right))
                return Apply(span, BOOL, "({0} or {1})", (a, b)), {}, {**no, **neither}
            case nodes.Is():
                return self.is_a(node)
            case nodes.Compare():
                return self.compare(node)
            case _:
                value = self.expr(node, BOOL)
                if isinstance(value.type, Maybe):
                    key = self.key(node)
                    return self.present(value), {key: value.type.of} if key else {}, {}
                if not fits(value.type, BOOL):
                    text = format(node)
                    key = self.key(node)
                    if isinstance(value.type, Player | Piece | Member) and key and key in self.narrowed:
                        return Constant(node.span, BOOL, 1), {}, {}
                    if isinstance(value.type, Player | Piece | Member) and not isinstance(value, Constant):
                        self.report.warning("HR522", f"'{text}' is never none, so this always holds", node.span)
                        return Constant(node.span, BOOL, 1), {}, {}
                    self.error(
                        "HR521",
                        f"a condition is wanted, but '{text}' is {self.words_for(value)}",
                        node.span,
                        self.advice(value, BOOL, node),
                    )
                    return Constant(node.span, BOOL, 1), {}, {}
                return value, {}, {}

    def present(self, value: Expression) -> Expression:
        """Whether an optional value is there."""
        if isinstance(value, Single):
            return Apply(value.span, BOOL, "(len({0}) > 0)", (value.pile,))
        if isinstance(plain(value.type), Int):
            return Apply(value.span, BOOL, f"({{0}} != {none_of(value.type)})", (value,))
        return Apply(value.span, BOOL, "({0} >= 0)", (value,))

    def compare(self, node: nodes.Compare) -> tuple[Expression, Narrowings, Narrowings]:
        """A comparison."""
        span, operator = node.span, node.operator
        if operator in ("in", "not in"):
            if isinstance(node.right, nodes.ListOf) and not self.is_ambiguous(node.left):
                left = self.expr(node.left)
                right = self.items(node.right, List(plain(left.type)))
                element = right.type.of if isinstance(right.type, List) else UNKNOWN
            else:
                right = self.items(node.right, None)
                element = right.type.of if isinstance(right.type, List) else UNKNOWN
                left = self.expr(node.left, element)
            if not comparable(left.type, element) or (
                isinstance(left.type, NoValue) and not isinstance(element, Maybe | Unknown)
            ):
                self.error(
                    "HR510", f"'{format(node.left)}' is {left.type}, which can never be in {right.type}", node.left.span
                )
            key = self.key(node.left)
            there: Narrowings = (
                {key: left.type.of} if key and isinstance(left.type, Maybe) and not isinstance(element, Maybe) else {}
            )
            test = Apply(span, BOOL, f"({{0}} {operator} {{1}})", (left, right))
            return (test, there, {}) if operator == "in" else (test, {}, there)
        if self.is_ambiguous(node.left):
            right = self.expr(node.right)
            left = self.expr(node.left, plain(right.type))
        else:
            left = self.expr(node.left)
            right = self.expr(node.right, plain(left.type))
        left, right = self.as_list(left, right), self.as_list(right, left)
        if isinstance(left.type, NoValue) or isinstance(right.type, NoValue):
            value, other = (right, node.right) if isinstance(left.type, NoValue) else (left, node.left)
            if operator not in ("==", "!="):
                self.error("HR510", f"'none' has no order, so '{operator}' cannot stand here", span)
            if not isinstance(value.type, Maybe):
                if not isinstance(value.type, Unknown):
                    self.report.warning("HR522", f"'{format(other)}' is never none", other.span)
                return Constant(span, BOOL, int(operator == "!=")), {}, {}
            key = self.key(other)
            there = {key: value.type.of} if key else {}
            present = self.present(value)
            return (Apply(span, BOOL, "(not {0})", (present,)), {}, there) if operator == "==" else (present, there, {})
        if operator in ("==", "!="):
            if not comparable(left.type, right.type):
                self.error("HR510", f"{left.type} and {right.type} can never be equal", span)
            same: Narrowings = {}
            for one, value, other_value in ((node.left, left, right), (node.right, right, left)):
                key = self.key(one)
                if key and isinstance(value.type, Maybe) and not isinstance(other_value.type, Maybe):
                    same[key] = value.type.of
            if isinstance(left, Constant) and isinstance(right, Constant):
                return Constant(span, BOOL, int((left.value == right.value) == (operator == "=="))), {}, {}
            if isinstance(left.type, List):
                left, right = (
                    Apply(left.span, left.type, "list({0})", (left,)),
                    Apply(right.span, right.type, "list({0})", (right,)),
                )
            return (
                Apply(span, BOOL, f"({{0}} {operator} {{1}})", (left, right)),
                same if operator == "==" else {},
                {} if operator == "==" else same,
            )
        left, right = self.solid(left, node.left), self.solid(right, node.right)
        ordered = (Int, Member, Piece, Player, Unknown)
        if (
            not isinstance(left.type, ordered)
            or not isinstance(right.type, ordered)
            or not comparable(left.type, right.type)
        ):
            self.error(
                "HR510", f"'{operator}' compares two numbers or two of a kind, got {left.type} and {right.type}", span
            )
        if isinstance(left, Constant) and isinstance(right, Constant):
            return Constant(span, BOOL, int(ORDER[operator](left.value, right.value))), {}, {}
        return Apply(span, BOOL, f"({{0}} {operator} {{1}})", (left, right)), {}, {}

    def is_ambiguous(self, node: nodes.Expression) -> bool:
        """Whether a bare name is a member of several enums, so that only what is expected tells which."""
        if not isinstance(node, nodes.Name) or self.find(node.id) is not None:
            return False
        homes = list(self.words.members(node.id))
        return len(homes) > 1 or (len(homes) == 1 and self.words.piece(node.id) is not None)

    def as_list(self, value: Expression, other: Expression) -> Expression:
        """The pile of a single piece, where it is compared with a list."""
        return value.pile if isinstance(value, Single) and isinstance(other.type, List) else value

    def is_a(self, node: nodes.Is) -> tuple[Expression, Narrowings, Narrowings]:
        """`x is gem`, `x is not none`."""
        if node.kind == "none":
            return self.compare(
                nodes.Compare(node.span, node.operand, "!=" if node.negated else "==", nodes.Absent(node.span))
            )
        value = self.expr(node.operand)
        key = self.key(node.operand)
        optional = isinstance(value.type, Maybe)
        bare = plain(value.type)
        test: Expression
        kind = self.words.kinds.get(node.kind)
        found: Narrowings = {}
        if isinstance(bare, Unknown):
            return Constant(node.span, BOOL, 1), {}, {}
        if kind is not None and kind.is_piece and isinstance(bare, Piece):
            if bare.kind not in (None, kind.name):
                self.error("HR510", f"'{format(node.operand)}' is {bare}, so it is never a {kind.name}", node.span)
            test = Apply(node.span, BOOL, f"({kind.base} <= {{0}} < {kind.base + len(kind.ids)})", (value,))
            found = {key: kind.type} if key else {}
        elif isinstance(bare, Member):
            enum = self.words.kinds[bare.kind]
            number = enum.first(node.kind)
            if number is None:
                self.error(
                    "HR501", f"'{bare.kind}' has no member '{node.kind}'", node.span, did_you_mean(node.kind, enum.ids)
                )
                number = 0
            test = Apply(node.span, BOOL, f"({{0}} == {number})", (value,))
            found = {key: bare} if key and optional else {}
        elif isinstance(bare, Piece):
            kinds = [self.words.kinds[bare.kind]] if bare.kind else [k for k in self.words.kinds.values() if k.is_piece]
            homes = [k for k in kinds if node.kind in k.ids]
            if not homes:
                names = [k.name for k in kinds] + [i for k in kinds for i in k.ids]
                self.error(
                    "HR501",
                    f"there is no kind of piece and no piece '{node.kind}' here",
                    node.span,
                    did_you_mean(node.kind, names),
                )
                return Constant(node.span, BOOL, 1), {}, {}
            first = homes[0].first(node.kind)
            assert first is not None
            test = Apply(node.span, BOOL, f"({first} <= {{0}} < {first + homes[0].ids.count(node.kind)})", (value,))
            found = {key: homes[0].type} if key else {}
        else:
            self.error(
                "HR510",
                f"'is' asks a piece or a member, but '{format(node.operand)}' is {value.type}",
                node.operand.span,
            )
            return Constant(node.span, BOOL, 1), {}, {}
        if node.negated:
            return Apply(node.span, BOOL, "(not {0})", (test,)), {}, found
        return test, found, {}

    # --- names ------------------------------------------------------------------------------------------------------------

    def name(self, node: nodes.Name, wanted: Type | None) -> Expression:
        """What a bare name means, as a value."""
        word, span, words = node.id, node.span, self.words
        local = self.find(word)
        if local is not None:
            local.reads += 1
            if local.constant is not None:
                return Constant(span, local.type, local.constant)
            return Local(span, local.type, local.unique)
        match word:
            case "me":
                return self.use_me(span)
            case "this":
                if self.this is None:
                    return self.error(
                        "HR501", "'this' is the piece or member whose effect runs; nothing is 'this' here", span
                    )
                return self.this
            case "it":
                return self.error("HR501", "'it' is the member at hand in `S where …`; there is none here", span)
            case "players":
                return Constant(span, List(PLAYER, words.players), tuple(range(words.players)))
            case "opponents":
                return Apply(span, List(PLAYER, words.players), "OPPONENTS[{0}]", (self.use_me(span),))
            case "player_count":
                return Constant(span, Int(words.players, words.players), words.players)
        if word in self.extra_names:
            return self.extra_names[word](span)
        if isinstance(wanted, Maybe):
            wanted = wanted.of
        if isinstance(wanted, Member) and wanted.kind in words.kinds and word in words.kinds[wanted.kind].ids:
            number = words.kinds[wanted.kind].first(word)
            assert number is not None
            return Constant(span, wanted, number)
        if word in words.variables:
            return self.family(words.variables[word], (), (), span)
        if word in words.zones:
            return self.family(words.zones[word], (), (), span)
        if word in words.options:
            option = words.options[word]
            option.uses += 1
            return Constant(
                span, option.type if not isinstance(option.type, Int) else Int(option.value, option.value), option.value
            )
        if word in words.tables:
            return self.error("HR511", f"'{word}' is a table: say which entry", span, f"{word}[…]")
        if word in words.functions and not words.functions[word].parameters:
            return self.evaluate(words.functions[word], (), (), span)
        if word in words.seats:
            return Constant(span, PLAYER, words.seats.index(word))
        homes = list(words.members(word))
        piece = words.piece(word)
        if piece is not None and (not homes or (isinstance(wanted, Piece) and wanted.kind in (None, piece[0].name))):
            return Constant(span, piece[0].type, piece[1])
        if len(homes) == 1:
            return Constant(span, homes[0][0].type, homes[0][1])
        if homes:
            options = " or ".join(f"{kind.name}.{word}" for kind, _ in homes)
            return self.error(
                "HR505",
                f"several enums have a member '{word}'",
                span,
                f"write {options}",
                [Related(f"'{kind.name}' has one", kind.spans[n]) for kind, n in homes],
            )
        if word in words.kinds:
            return self.error(
                "HR506", f"'{word}' is the name of a kind, not a value", span, f"all of them as a list: every {word}"
            )
        help = did_you_mean(word, self.global_names())
        if word in words.functions or word in self.operations:
            help = f"'{word}' is a function: {word}(…)"
        elif word in words.actions:
            help = f"'{word}' is an action: perform {word}"
        elif word == self.chosen:
            help = f"until it is chosen each is 'it': where it.…; or choose {word} from {word} in … where {word}.…"
        elif word.lower() in HABITS:
            help = f"write {HABITS[word.lower()]}"
        return self.error("HR501", f"there is nothing called '{word}' here", span, help)

    def copy(self, span: Span, id: str, number: int) -> Expression:
        """One copy of a piece."""
        found = self.words.piece(id)
        if found is None:
            ids = [i for k in self.words.kinds.values() if k.is_piece for i in k.ids]
            return self.error("HR501", f"there is no piece '{id}'", span, did_you_mean(id, ids))
        kind, first = found
        copies = kind.ids.count(id)
        if not 1 <= number <= copies:
            return self.error(
                "HR507",
                f"there {'is one copy' if copies == 1 else f'are {copies} copies'} of '{id}', so no #{number}",
                span,
                f"{id}#{max(1, min(number, copies))}",
                [Related("declared here", kind.spans[first - kind.base])],
            )
        return Constant(span, kind.type, first + number - 1)

    def family(
        self, family: Family, arguments: tuple[nodes.Expression, ...], leading: tuple[Expression, ...], span: Span
    ) -> Expression:
        """A zone or variable with its indices."""
        family.uses += 1
        given = len(arguments) + len(leading)
        wanted = len(family.parameters)
        if given == 0 and wanted and isinstance(family, Zone):
            return AllPieces(span, List(family.piece), family)
        if given != wanted:
            listed = ", ".join(spelled(p.type) for p in family.parameters)
            shape = f"{family.name}[{listed}]" if wanted else family.name
            return self.error(
                "HR511",
                f"'{family.name}' wants {wanted} {'index' if wanted == 1 else 'indices'}, got {given}",
                span,
                shape,
                [Related("declared here", family.span)],
            )
        index = leading + tuple(
            self.family_index(a, p.type, family)
            for a, p in zip(arguments, family.parameters[len(leading) :], strict=True)
        )
        if isinstance(family, Zone):
            return Pile(span, List(family.piece, self.holds_at_most(family)), family, index)
        assert isinstance(family, Variable)
        return ReadVariable(span, family.type, family, index)

    def family_index(self, node: nodes.Expression, wanted: Type, family: Family) -> Expression:
        """One index; that it is inside is seen to when it runs, unless it certainly is not."""
        what = f"the index of '{family.name}'"
        value = self.coerce(self.expr(node, wanted), wanted, node, what)
        self.within(value, wanted, node, what)
        return value

    def holds_at_most(self, zone: Zone) -> int:
        """How many pieces can lie in a zone."""
        if zone.capacity is not None:
            return zone.capacity
        return len(self.words.kinds[zone.holds].ids) if zone.holds in self.words.kinds else self.words.pieces

    def attribute(self, node: nodes.Attribute, arguments: tuple[nodes.Expression, ...]) -> Expression:
        """`x.f`, `x.f[more]`: an attribute, else a zone or variable `f[x]`, else the function `f(x)`."""
        words, name = self.words, node.name
        if isinstance(node.of, nodes.Name) and self.find(node.of.id) is None and node.of.id in words.kinds:
            kind = words.kinds[node.of.id]
            number = kind.first(name)
            if number is not None:
                return Constant(node.span, kind.type, number)
            if not kind.is_piece and node.of.id not in words.zones and node.of.id not in words.variables:
                return self.error(
                    "HR501", f"'{kind.name}' has no member '{name}'", node.name_span, did_you_mean(name, kind.ids)
                )
        of = self.expr(node.of)
        if isinstance(of.type, Unknown):
            return of
        of = self.solid(of, node.of)
        type = of.type
        if isinstance(type, List):
            return self.error(
                "HR508",
                f"'{format(node.of)}' is {self.words_for(of)}, and only one thing has a '.{name}'",
                node.name_span,
                f"for each of them: x.{name} for x in {format(node.of)}" if not isinstance(of, AllPieces) else None,
                self.declared(of),
            )
        if (
            isinstance(type, Member | Piece)
            and type.kind
            and name in words.kinds[type.kind].attribute_types
            and not arguments
        ):
            kind = words.kinds[type.kind]
            attribute_type = kind.attribute_types[name]
            if isinstance(of, Constant) and isinstance(of.value, int):
                value = kind.attributes[name][of.value - kind.base] if kind.attributes.get(name) else 0
                return Constant(node.span, attribute_type, value)
            return Printed(node.span, attribute_type, kind, name, of)
        families: list[Family] = [f for f in (words.zones.get(name), words.variables.get(name)) if f]
        for found in families:
            if found.parameters and fits(type, found.parameters[0].type):
                return self.family(found, arguments, (of,), node.span)
        function = words.functions.get(name)
        if function is not None and function.parameters and fits(type, function.parameters[0].type):
            return self.evaluate(function, arguments, (of,), node.span)
        return self.no_such_feature(node, type)

    def features(self, type: Type) -> list[str]:
        """Everything that can follow a dot after a value of that type."""
        words = self.words
        found = (
            list(words.kinds[type.kind].attribute_types) + list(words.kinds[type.kind].effects)
            if isinstance(type, Member | Piece) and type.kind
            else []
        )
        for family in [*words.zones.values(), *words.variables.values()]:
            if family.parameters and fits(type, family.parameters[0].type):
                found.append(family.name)
        found += [f.name for f in words.functions.values() if f.parameters and fits(type, f.parameters[0].type)]
        return found

    def no_such_feature(self, node: nodes.Attribute, type: Type) -> Expression:
        """Say that x has no f, and what was probably meant."""
        name = node.name
        if isinstance(type, Member | Piece) and type.kind and name in self.words.kinds[type.kind].effects:
            return self.error("HR509", f"'{name}' is an effect, not a value", node.name_span, f"perform {format(node)}")
        if isinstance(type, Piece) and type.kind is None:
            homes = [k.name for k in self.words.kinds.values() if k.is_piece and name in k.attribute_types]
            if homes:
                return self.error(
                    "HR502",
                    f"a piece of any kind has no '{name}'; a {homes[0]} has",
                    node.name_span,
                    f"ask first: if {format(node.of)} is {homes[0]}: …",
                )
        help = did_you_mean(name, self.features(type))
        if help is None and isinstance(type, Member | Piece | Player):
            help = f"what changes is declared: `variables: {{{name}({spelled(type)}): int}}`"
        return self.error("HR502", f"{type} has no '{name}'", node.name_span, help)

    def index(self, node: nodes.Index) -> Expression:
        """`chest[gold]`, `price[n]`, `tile[carpet, pink]`, `me.pips[m]`."""
        words = self.words
        if isinstance(node.of, nodes.Attribute):
            return self.attribute(node.of, node.arguments)
        if isinstance(node.of, nodes.Name) and self.find(node.of.id) is None:
            word = node.of.id
            if word in words.variables:
                return self.family(words.variables[word], node.arguments, (), node.span)
            if word in words.zones:
                return self.family(words.zones[word], node.arguments, (), node.span)
            if word in words.tables:
                return self.look_up(word, node)
            if word in words.kinds:
                return self.cell(words.kinds[word], node)
            if word not in ("players", "opponents"):
                pool = [
                    *words.zones,
                    *words.variables,
                    *words.tables,
                    *(k.name for k in words.kinds.values() if k.product),
                ]
                found = self.global_place(word)
                message = (
                    f"'{word}' is {found[0]} and has no entries"
                    if found
                    else f"there is no zone, variable or table '{word}'"
                )
                return self.error("HR501", message, node.of.span, did_you_mean(word, pool))
        value = self.expr(node.of)
        if isinstance(value.type, List) and len(node.arguments) == 1:
            position = self.number(node.arguments[0])
            type = maybe(value.type.of)
            return Apply(node.span, type, f"item({{0}}, {{1}}, {none_of(type)})", (value, position))
        if isinstance(value.type, Unknown):
            return value
        return self.error("HR510", f"'{format(node.of)}' is {value.type} and has no entries", node.span)

    def look_up(self, word: str, node: nodes.Index) -> Expression:
        """An entry of a table."""
        table = self.words.tables[word]
        table.uses += 1
        if isinstance(table.type, Unknown):
            return Constant(node.span, UNKNOWN, 0)
        if len(node.arguments) != len(table.indices):
            return self.error(
                "HR511",
                f"table '{word}' wants {len(table.indices)} {'index' if len(table.indices) == 1 else 'indices'}, got {len(node.arguments)}",
                node.span,
                None,
                [Related("declared here", table.span)],
            )
        index = []
        size = len(table.values)
        for position, (argument, type) in enumerate(zip(node.arguments, table.indices, strict=True)):
            value = self.coerce(self.expr(argument, type), type, argument, f"the index of table '{word}'")
            if isinstance(value.type, Int) and isinstance(type, Int):
                if position == 1:
                    size = len(table.values[0]) if table.values and isinstance(table.values[0], tuple) else 0
                if value.type.high < 0 or value.type.low >= size:
                    self.error(
                        "HR552",
                        f"table '{word}' has the entries 0..{size - 1} (it counts from 0), so none for '{format(argument)}'",
                        argument.span,
                        None,
                        [Related("declared here", table.span)],
                    )
            index.append(value)
        if all(isinstance(i, Constant) for i in index) and not any(isinstance(i.type, Unknown) for i in index):
            entry: Any = table.values
            for i, low in zip(index, table.lows, strict=True):
                position = i.value - low  # type: ignore[union-attr, operator]
                if not 0 <= position < len(entry):
                    return Constant(node.span, table.type, 0)
                entry = entry[position]
            return Constant(node.span, table.type, entry)
        return LookUp(node.span, table.type, table, tuple(index))

    def cell(self, kind: Kind, node: nodes.Index) -> Expression:
        """The piece of a product, or none where there is none."""
        if not kind.product:
            return self.error(
                "HR511",
                f"'{kind.name}' is not made by `each`, so it has no indices",
                node.span,
                did_you_mean(kind.name, [*self.words.zones, *self.words.variables]),
            )
        if len(node.arguments) != len(kind.product):
            return self.error(
                "HR511",
                f"'{kind.name}' wants {len(kind.product)} indices, got {len(node.arguments)}",
                node.span,
                f"{kind.name}[{', '.join(kind.product_names)}]",
            )
        index = [
            self.coerce(self.expr(a, t), Int() if isinstance(t, Int) else t, a, f"the index of '{kind.name}'")
            for a, t in zip(node.arguments, kind.product, strict=True)
        ]
        lows, sizes = [], []
        for type in kind.product:
            domain = self.words.domain(type)
            assert domain is not None
            lows.append(domain.start)
            sizes.append(len(domain))
        inside = all(
            not isinstance(t, Int) or (isinstance(i.type, Int) and t.low <= i.type.low and i.type.high <= t.high)
            for i, t in zip(index, kind.product, strict=True)
        )
        total = 1
        for size in sizes:
            total *= size
        flat = [NONE] * total
        for place, number in kind.cells.items():
            position = 0
            for value, low, size in zip(place, lows, sizes, strict=True):
                position = position * size + value - low
            flat[position] = number
        if all(isinstance(i, Constant) for i in index):
            found = kind.cells.get(tuple(i.value for i in index), NONE)  # type: ignore[union-attr, misc]
            return Constant(node.span, kind.type if found != NONE else Maybe(kind.type), found)
        type_ = kind.type if inside and NONE not in flat else Maybe(kind.type)
        return Apply(
            node.span,
            type_,
            "cell_of({0}, {1}, {2}, {3})",
            (
                Constant(node.span, UNKNOWN, tuple(flat)),
                Constant(node.span, UNKNOWN, tuple(lows)),
                Constant(node.span, UNKNOWN, tuple(sizes)),
                Items(node.span, UNKNOWN, tuple(index)),
            ),
        )

    # --- lists ------------------------------------------------------------------------------------------------------------

    def items(self, node: nodes.Expression, wanted: Type | None = None) -> Expression:
        """A list: the name of a kind stands for its members here, a zone for its pieces."""
        if (
            isinstance(node, nodes.Name)
            and self.find(node.id) is None
            and node.id in self.words.kinds
            and node.id not in self.words.zones
        ):
            return self.members(self.words.kinds[node.id], node.span)
        if (
            isinstance(node, nodes.Compare)
            and node.operator == "in"
            and isinstance(node.left, nodes.Name)
            and self.find(node.left.id) is None
        ):
            return self.selection(
                nodes.Selection(node.span, None, node.left.id, node.left.span, node.right, None, None)
            )
        value = self.expr(node, wanted)
        if isinstance(value, Single):
            return value.pile
        if not isinstance(value.type, List | Unknown):
            help = f"a list of it alone: [{format(node)}]"
            return self.error(
                "HR510",
                f"a list or a zone is wanted, but '{format(node)}' is {value.type}",
                node.span,
                help,
                self.declared(value),
            )
        return value

    def selection(self, node: nodes.Selection, as_conditions: bool = False, keyed: bool = False) -> Expression:
        """`E for x in S where P by K`. `keyed`: pairs of key and value, unsorted, for `most` and `least`."""
        source = self.items(node.source)
        element = source.type.of if isinstance(source.type, List) else UNKNOWN
        self.scopes.append({})
        before = self.narrowed
        try:
            if node.binder is not None:
                local = self.bind_new(node.binder, element, node.binder_span or node.span, "binder")
            else:
                local = self.bind("it", element, node.span, "binder")
            where = None
            if node.where is not None:
                where, yes, _ = self.condition(node.where)
                self.narrow(yes)
            keys = node.by.items if isinstance(node.by, nodes.ListOf) else (node.by,) if node.by is not None else ()
            by = tuple(self.sort_key(k) for k in keys)
            value = None
            type = self.narrowed.get(f"={local.unique}", element)
            if node.value is not None:
                if as_conditions:
                    value = self.condition(node.value)[0]
                else:
                    value = self.expr(node.value)
                    if isinstance(value.type, List):
                        return self.error("HR510", "a list cannot hold lists", node.value.span)
                    if isinstance(value, Pile):
                        value = replace(value)
                type = value.type
        finally:
            self.scopes.pop()
            self.narrowed = before
        most = source.type.most if isinstance(source.type, List) else None
        if keyed:
            bound = Local(node.span, element, local.unique)
            key = by[0] if len(by) == 1 else Items(node.span, UNKNOWN, by)
            pair = Apply(node.span, UNKNOWN, "({0}, {1})", (key, value or bound))
            return Select(node.span, List(type, most), pair, local.unique, source, where, ())
        return Select(node.span, List(type, most), value, local.unique, source, where, by)

    def sort_key(self, node: nodes.Expression) -> Expression:
        """What `by` sorts by: anything with an order."""
        value = self.expr(node)
        if isinstance(value.type, List | Maybe):
            return self.error(
                "HR510",
                f"'by' sorts by a number or by members of a kind, but '{format(node)}' is {self.words_for(value)}",
                node.span,
            )
        return value

    # --- calls ------------------------------------------------------------------------------------------------------------

    def call(self, node: nodes.Call) -> Expression:
        """A function of the game or an operation."""
        function = node.function
        if isinstance(function, nodes.Attribute):
            found = self.words.functions.get(function.name)
            if found is None:
                value = self.expr(function.of)
                if isinstance(value.type, Unknown):
                    return value
                return self.no_such_feature(function, plain(value.type))
            first = self.coerce(
                self.expr(function.of),
                found.parameters[0].type if found.parameters else UNKNOWN,
                function.of,
                f"the first argument of '{found.name}'",
            )
            return self.evaluate(found, node.arguments, (first,), node.span)
        if not isinstance(function, nodes.Name):
            return self.error("HR503", "only the name of a function can stand before '('", function.span)
        name = function.id
        if name in self.extra:
            return self.extra[name](node)
        if name in self.words.functions:
            return self.evaluate(self.words.functions[name], node.arguments, (), node.span)
        if name in self.operations:
            return self.operate(name, node)
        if name in self.words.actions:
            return self.error(
                "HR503", f"'{name}' is an action, not a function", function.span, f"perform {format(node)}"
            )
        pool = [*self.words.functions, *self.operations]
        return self.error("HR503", f"there is no function '{name}'", function.span, did_you_mean(name, pool))

    def evaluate(
        self, function: Callable, arguments: tuple[nodes.Expression, ...], leading: tuple[Expression, ...], span: Span
    ) -> Expression:
        """A call of a function of the game."""
        function.uses += 1
        given = self.arguments(function, arguments, leading, span)
        self.demand(function)
        self.await_result(function)
        me = self.call_me(function, span)
        if given is None:
            return Constant(span, function.result or UNKNOWN, 0)
        return Evaluate(span, function.result or UNKNOWN, function, given, me)

    def call_me(self, callee: Callable, span: Span) -> Expression | None:
        """Who is `me` inside what is called; checked when it is known who needs it."""
        self.inherited_calls.append((self.current if self.me_inherited else None, callee, span, self.me is not None))
        return self.me

    def arguments(
        self, callee: Callable, arguments: tuple[nodes.Expression, ...], leading: tuple[Expression, ...], span: Span
    ) -> tuple[Expression, ...] | None:
        """The arguments of a call, checked against the signature."""
        parameters = callee.parameters
        if len(arguments) + len(leading) != len(parameters):
            shape = ", ".join(f"{spelled(p.type)} {p.name}" if p.name else spelled(p.type) for p in parameters)
            wanted = (
                f"{len(parameters)} {'argument' if len(parameters) == 1 else 'arguments'}"
                if parameters
                else "no arguments"
            )
            self.error(
                "HR511",
                f"'{callee.name}' wants {wanted}, got {len(arguments) + len(leading)}",
                span,
                f"{callee.name}({shape})" if parameters else f"'{callee.name}' alone, without brackets",
                [Related("declared here", callee.span)],
            )
            return None
        found = list(leading)
        for argument, parameter in zip(arguments, parameters[len(leading) :], strict=True):
            value = (
                self.items(argument, parameter.type)
                if isinstance(parameter.type, List)
                else self.expr(argument, parameter.type)
            )
            value = self.coerce(value, parameter.type, argument, f"'{parameter.name}' of '{callee.name}'")
            found.append(self.within(value, parameter.type, argument, f"'{parameter.name}' of '{callee.name}'"))
        return tuple(found)

    def within(self, value: Expression, wanted: Type, node: nodes.Node, what: str) -> Expression:
        """The value, seen to be inside a range: at once where it can be proved, else when it runs."""
        bounds = plain(wanted)
        given = plain(value.type)
        if not isinstance(bounds, Int) or not isinstance(given, Int) or isinstance(value.type, NoValue):
            return value
        if given.high < bounds.low or given.low > bounds.high:
            if isinstance(value, Constant) and value.value == none_of(value.type):
                return value
            self.error("HR550", f"{what} is {bounds.low}..{bounds.high}, {beyond(format(node), given)}", node.span)
            return value
        if bounds.low <= given.low and given.high <= bounds.high:
            return value
        none = str(none_of(wanted)) if isinstance(wanted, Maybe) and isinstance(value.type, Maybe) else "None"
        return Apply(value.span, wanted, f"inside({{0}}, {bounds.low}, {bounds.high}, {none})", (value,))

    def operate(self, name: str, node: nodes.Call) -> Expression:
        """An operation of the table."""
        rows = self.operations[name]
        count = len(node.arguments)

        def takes(row: Any) -> bool:
            least = sum(1 for p in row.parameters if p[-1] not in "?*")
            most = 99 if any(p.endswith("*") for p in row.parameters) else len(row.parameters)
            return least <= count <= most

        fitting = [row for row in rows if takes(row)]
        if name in ("min", "max"):
            fitting = [row for row in rows if (count > 1) == (len(row.parameters) > 1)]
        if not fitting:
            shape = ", ".join(p.rstrip("?*") for p in rows[0].parameters)
            return self.error(
                "HR511",
                f"'{name}' wants {name}({shape}), got {count} {'argument' if count == 1 else 'arguments'}",
                node.span,
                f"for example: {rows[0].example.splitlines()[0]}",
            )
        row = fitting[0]
        patterns = [p.rstrip("?*") for p in row.parameters]
        if row.parameters and row.parameters[-1].endswith("*"):
            patterns += [patterns[-1]] * (count - len(patterns))
        values = [self.pattern(p, a, name) for p, a in zip(patterns, node.arguments, strict=False)]
        if any(isinstance(v.type, Unknown) for v in values):
            return Constant(node.span, UNKNOWN, 0)
        type = row.result([v.type for v in values])
        if row.may_be_none and isinstance(type, Maybe) and len(values) == 1 and never_empty(values[0]):
            type = type.of
        python = row.python.replace("{n}", str(none_of(type))).replace(
            "{*}", ", ".join(f"{{{i}}}" for i in range(count))
        )
        if "{low}" in python:
            domain = self.words.domain(values[0].type)
            assert domain is not None
            python = python.replace("{low}", str(domain.start)).replace("{size}", str(len(domain)))
        python = re.sub(r"\{(\d):(\d+)\}", lambda m: f"{{{m[1]}}}" if int(m[1]) < count else m[2], python)
        return Apply(node.span, type, python, tuple(values), row.fold)

    def pattern(self, pattern: str, node: nodes.Expression, name: str) -> Expression:
        """One argument of an operation."""
        match pattern:
            case "list":
                return self.items(node)
            case "number list":
                value = self.items(node)
                if isinstance(value.type, List) and not fits(value.type.of, NUMBER):
                    if isinstance(value.type.of, Maybe):
                        return self.error(
                            "HR520",
                            f"some of '{format(node)}' may be none",
                            node.span,
                            "leave those out: `… where x.f`",
                        )
                    help = (
                        f"say what to add up: {name}(x.… for x in {format(node)})"
                        if not isinstance(node, nodes.Selection)
                        else None
                    )
                    return self.error("HR510", f"'{name}' wants a list of numbers, got {value.type}", node.span, help)
                return value
            case "condition list":
                if isinstance(node, nodes.Selection):
                    return self.selection(node, as_conditions=True)
                value = self.items(node)
                if isinstance(value.type, List) and not fits(value.type.of, BOOL):
                    return self.error(
                        "HR510",
                        f"'{name}' wants conditions, got {value.type}",
                        node.span,
                        f"{name}(P for x in {format(node)})",
                    )
                return value
            case "keyed":
                if not isinstance(node, nodes.Selection) or node.by is None:
                    return self.error(
                        "HR510", f"'{name}' wants to know by what", node.span, f"{name}(p in players by …)"
                    )
                return self.selection(node, keyed=True)
            case "number":
                return self.number(node)
            case "thing":
                value = self.solid(self.expr(node), node)
                if not isinstance(value.type, Member | Piece | Player | Unknown):
                    return self.error(
                        "HR510", f"'{name}' wants a member, a player or a piece, got {value.type}", node.span
                    )
                return value
            case "piece":
                value = self.solid(self.expr(node), node)
                if not isinstance(value.type, Piece | Unknown):
                    return self.error("HR510", f"'{name}' wants a piece, got {self.words_for(value)}", node.span)
                return value
            case "pile":
                return self.pile(node, f"'{name}'")
            case "family":
                return self.family_name(node, name)
        raise AssertionError(pattern)

    def family_name(self, node: nodes.Expression, name: str) -> Expression:
        """A family of zones by its bare name: its slots and what its index begins with."""
        zone = self.words.zones.get(node.id) if isinstance(node, nodes.Name) else None
        if zone is None or len(zone.parameters) != 1:
            return self.error(
                "HR510", f"'{name}' wants the name of a family of zones with one index", node.span, f"{name}(x, hand)"
            )
        zone.uses += 1
        return Constant(node.span, zone.parameters[0].type, (zone.base, zone.base + zone.size, zone.lows[0]))

    def pile(self, node: nodes.Expression, what: str, code: str = "HR510") -> Expression:
        """A zone as a pile."""
        if isinstance(node, nodes.Conditional):
            test, yes, no = self.condition(node.test)
            a = self.under(yes, lambda: self.pile(node.then, what, code))
            b = self.under(no, lambda: self.pile(node.otherwise, what, code))
            if isinstance(a, Pile | EitherPile) and isinstance(b, Pile | EitherPile):
                return EitherPile(node.span, join(a.type, b.type) or a.type, test, a, b)
            return a if isinstance(a.type, Unknown) else b
        value = self.expr(node)
        if isinstance(value, Single):
            return value.pile
        if isinstance(value, Pile):
            return value
        if isinstance(value.type, Unknown):
            return value
        if isinstance(value, AllPieces):
            index = ", ".join(spelled(p.type) for p in value.zone.parameters)
            return self.error(
                code,
                f"{what} is one zone, but '{format(node)}' is a family of them",
                node.span,
                f"{value.zone.name}[{index}]",
                self.declared(value),
            )
        zones = [z.name for z in self.words.zones.values()]
        text = format(node)
        help = did_you_mean(text, zones) or (f"one of: {', '.join(zones[:6])}" if zones else None)
        return self.error(
            code, f"{what} is a zone, but '{text}' is {value.type}", node.span, help, self.declared(value)
        )


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


def snapshot(value: Expression) -> Expression:
    """The value where it is kept: a pile as the list of its pieces now, for the pile itself goes on changing."""
    return Apply(value.span, value.type, "{0}[:]", (value,)) if isinstance(value, Pile) else value


def once(source: Expression) -> Expression:
    """What is chosen from, each in it once: two options that are the same would be no choice."""
    if isinstance(source, Constant) and isinstance(source.value, tuple):
        return replace(source, value=tuple(dict.fromkeys(source.value)))
    return Apply(source.span, source.type, "distinct({0})", (source,)) if may_repeat(source) else source


def may_repeat(source: Expression) -> bool:
    """Whether a list may have something in it twice."""
    match source:
        case Constant(value=tuple(items)):
            return len(set(items)) < len(items)
        case Pile() | AllPieces() | Apply(python="SEATING[{0}]" | "OPPONENTS[{0}]"):
            return False
        case Select(value=None, source=inner) | Apply(python="{0}[:]", arguments=(inner,)):
            return may_repeat(inner)
        case _:
            return isinstance(source.type, List)


def beyond(text: str, given: Int) -> str:
    """How a value that is out of its range is said, without saying it twice."""
    value = str(given.low) if given.low == given.high else f"{given.low}..{given.high}"
    return f"so it cannot be {value}" if text == value else f"but '{text}' is {value}"


def never_empty(value: Expression) -> bool:
    """Whether a list provably has something in it."""
    match value:
        case Constant(value=tuple(items)):
            return len(items) > 0
        case Items(items=items):
            return len(items) > 0
        case Select(source=source, where=None):
            return never_empty(source)
        case _:
            return False


def reach(operator: str, a: Int, b: Int) -> Int | None:
    """Between which bounds the result lies; None where it certainly divides by zero."""
    match operator:
        case "+":
            return Int(a.low + b.low, a.high + b.high)
        case "-":
            return Int(a.low - b.high, a.high - b.low)
        case "*":
            corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            return Int(min(corners), max(corners))
        case "//":
            if b.low == b.high == 0:
                return None
            divisors = [d for d in (b.low, b.high, -1, 1) if d != 0 and b.low <= d <= b.high]
            corners = [x // d for x in (a.low, a.high) for d in divisors]
            return Int(min(corners), max(corners))
        case "%":
            if b.low == b.high == 0:
                return None
            if a.low == a.high and b.low == b.high:
                return Int(a.low % b.low, a.low % b.low)
            return Int(min(0, b.low + 1), max(0, b.high - 1))
    raise AssertionError(operator)
