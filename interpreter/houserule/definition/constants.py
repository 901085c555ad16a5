"""Constant expressions: the values of types, options, counts and printed attributes before a match starts."""

from __future__ import annotations

from collections.abc import Callable as Function
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field

from houserule.definition.lending import lent, reads_what_changes, wanted
from houserule.definition.model import GameDefinition
from houserule.diagnostics import Report, Span
from houserule.frozen import by_value
from houserule.language import checked, nodes
from houserule.language.budget import Budget
from houserule.language.fitting import coerce, in_range
from houserule.language.lists import list_expr
from houserule.language.local_names import bind
from houserule.language.scope import Analysis, One
from houserule.language.symbols import SymbolTable
from houserule.language.typecheck import expr
from houserule.language.types import (
    BOOL,
    NUMBER,
    PLAYER,
    UNKNOWN,
    Bool,
    Int,
    List,
    Maybe,
    Member,
    Piece,
    Type,
    Unknown,
)

Value = int | tuple[int, ...]
Evaluator = Function[[checked.Expression, Mapping[str, Value], Budget], Value]


@dataclass(slots=True, eq=False)
class Draft:
    """A symbol table under construction: its definition, and an evaluator of constants over the names declared so far."""

    game: GameDefinition
    analysis: Analysis
    evaluate: Evaluator
    settings: Mapping[str, int | str]
    misspelt: set[tuple[str, str | None]] = field(default_factory=set)
    """Attributes that a piece has under another name: they are not reported as missing."""
    lent: set[str] = field(default_factory=set)
    """Functions that constants may have been computed with."""

    @property
    def symbols(self) -> SymbolTable:
        """The symbol table."""
        return self.analysis.symbols

    @property
    def report(self) -> Report:
        """The report for diagnostics."""
        return self.analysis.report


@by_value
class Formula:
    """A constant expression over some names, checked once and evaluated for any values of these."""

    expression: checked.Expression
    unique: Mapping[str, str]  # the names in the checked tree
    span: Span
    what: str


def named_type(draft: Draft, node: nodes.TypeName) -> Type:
    """The type that a declaration names; unknown after a diagnostic."""
    found = element_type(draft, node)
    if isinstance(found, Unknown):
        return found
    if node.optional:
        found = Maybe(found)
    return List(found) if node.is_list else found


def element_type(draft: Draft, node: nodes.TypeName) -> Type:
    """The type that a declaration names, without `or none` and `list of`."""
    match node.name:
        case "int":
            return NUMBER
        case "bool":
            return BOOL
        case "player":
            return PLAYER
        case "piece":
            return Piece(None)
        case "range":
            return range_type(draft, node)
        case name if name in draft.symbols.kinds:
            draft.symbols.kinds[name].uses += 1
            draft.analysis.record(node, draft.symbols.kinds[name])
            return draft.symbols.kinds[name].type
        case name:
            message = f"there is no type '{name}'"
            pool = ["int", "bool", "player", "piece", *draft.symbols.kinds]
            otherwise = "int, a range such as 0..20, bool, player, piece, an enum or a kind of piece"
            draft.report.misnamed("HR501", message, node.span, name, pool, otherwise)
            return UNKNOWN


def range_type(draft: Draft, node: nodes.TypeName) -> Type:
    """The type of the numbers between two bounds."""
    assert node.low is not None and node.high is not None
    low, high = (constant_number(draft, bound, "this bound") for bound in (node.low, node.high))
    if low is None or high is None:
        return NUMBER
    if low > high:
        draft.report.error("HR550", f"this range is empty: {low} is greater than {high}", node.span)
        return NUMBER
    return Int(low, high)


def constant_number(draft: Draft, node: nodes.Expression, what: str) -> int | None:
    """The value of a constant number, or None after a diagnostic."""
    value = constant(draft, node, NUMBER, what)
    return value if isinstance(value, int) else None


def constant(draft: Draft, node: nodes.Expression, wanted: Type, what: str) -> Value | None:
    """The value of an expression over options and player_count, or None after a diagnostic."""
    value = literal(draft, node, wanted)
    if value is not None:
        return value
    found = formula(draft, node, wanted, what, {})
    return None if found is None else formula_value(draft, found, {})


def literal(draft: Draft, node: nodes.Expression, wanted: Type) -> int | None:
    """The value of a literal number, truth value or member: most of what is printed on pieces."""
    type = wanted.of if isinstance(wanted, Maybe) else wanted
    match node, type:
        case nodes.Number(value=value), Int(low, high) if low <= value <= high:
            return value
        case nodes.Truth(value=is_true), Bool():
            return int(is_true)
        case nodes.Name(id=word), Member(kind) if kind in draft.symbols.kinds:
            number = draft.symbols.kinds[kind].first(word)
            if number is not None:
                draft.analysis.record(node, One(draft.symbols.kinds[kind], number))
            return number
    return None


def formula(
    draft: Draft, node: nodes.Expression, expected: Type, what: str, names: Mapping[str, Type]
) -> Formula | None:
    """A constant expression over some names, checked; None after a diagnostic."""
    functions = wanted(draft.game.functions, node) if draft.game.functions and not draft.analysis.is_declared else {}
    draft.lent.update(functions)
    with lent(draft.analysis, functions, lambda type: named_type(draft, type)) if functions else nullcontext():
        context = draft.analysis.context()
        unique = {word: bind(context, word, type, node.span, "binder").unique for word, type in names.items()}
        found_before = len(draft.report.found)
        check = list_expr if isinstance(expected, List) else expr
        expression = coerce(context, check(context, node, expected), expected, node, what)
        expression = in_range(context, expression, expected, node, what)
        if len(draft.report.found) > found_before:
            return None
        if isinstance(expression.type, Unknown) and not draft.analysis.is_declared:
            return None
        is_constant = check_constant(draft, expression, what, node.span)
        return Formula(expression, unique, node.span, what) if is_constant else None


def check_constant(draft: Draft, expression: checked.Expression, what: str, span: Span) -> bool:
    """Whether an expression reads nothing that changes during a match; reports it if it does."""
    if not reads_what_changes(expression):
        return True
    message = f"{what} must be known before the game starts, but this reads what changes during it"
    draft.report.error("HR515", message, span, "use numbers, members, options and player_count")
    return False


def formula_value(draft: Draft, formula: Formula, values: Mapping[str, Value]) -> Value | None:
    """The value of a formula for these values of its names, or None after a diagnostic."""
    return evaluated(
        draft, formula.expression, {formula.unique[name]: v for name, v in values.items()}, formula.what, formula.span
    )


def evaluated(
    draft: Draft, expression: checked.Expression, values: Mapping[str, Value], what: str, span: Span
) -> Value | None:
    """The value of a checked constant expression, or None after a diagnostic."""
    try:
        return draft.evaluate(expression, values, draft.analysis.budget)
    except ValueError as error:
        draft.report.error("HR554", f"{what} cannot be worked out: {error}", span)
        return None
