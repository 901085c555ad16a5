"""Functions of pieces: each piece may have its own, and pieces in play may add to it.

What `x.power` calls is composed of the functions of all pieces, chosen by a number that is printed on each of them, and of
what the pieces in a list add, one after another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from houserule.diagnostics import ABOVE, Related, Report, Span
from houserule.language import nodes
from houserule.language.blocks import begin, new_label
from houserule.language.calls import await_result, check_routine, note_call, routine_context
from houserule.language.checked import (
    Apply,
    Call,
    Each,
    Expression,
    Kind,
    Local,
    Parameter,
    Printed,
    Return,
    Routine,
    SetLocal,
    known_number,
)
from houserule.language.footprints import Footprints, circles
from houserule.language.lists import element_type, list_expr
from houserule.language.scope import Analysis, Context, fresh_name
from houserule.language.symbols import SymbolTable
from houserule.language.types import (
    ADD,
    BOOL,
    CONDITIONAL,
    LESS,
    NUMBER,
    UNKNOWN,
    WITHIN,
    Int,
    Piece,
    Type,
    Unknown,
    fits,
    indefinite,
    join,
)

OF_EACH = " of each"
"""What follows a function in the name of the routine that chooses among those of all pieces."""
SO_FAR = "so_far"
"""In a bonus, the value with what earlier pieces have added."""


@dataclass(slots=True, eq=False, repr=False)
class Computed:
    """A function of the pieces of a kind: those that pieces have of their own, by position, and the list of those that may add to it."""

    kind: Kind
    name: str
    default: Routine
    own: dict[int, Routine]
    bonuses: nodes.Expression | None
    adding: dict[tuple[str, Span], Routine] = field(default_factory=dict)  # by kind and place, once they are known

    @property
    def parts(self) -> tuple[Routine, ...]:
        return (*dict.fromkeys((self.default, *self.own.values())), *self.adding.values())

    def compose(self, analysis: Analysis, routine: Routine) -> None:
        """Give the routine that `x.f` calls its body."""
        routine.state = "checking"
        context = routine_context(analysis, routine)
        this = Local(routine.span, self.kind.type, "this")
        functions = list(dict.fromkeys((self.default, *self.own.values())))
        routine.result = common_type(context, functions)
        numbers = {function: number for number, function in enumerate(functions)}
        values = [called(context, function, (this,), routine.result) for function in functions]
        printed = [numbers[self.own.get(position, self.default)] for position in range(len(self.kind.ids))]
        value = chosen(marked(self.kind, f"0{self.name}", printed, this), values)
        if self.bonuses is None:
            routine.body = (Return(routine.span, value),)
        else:
            self.add(context, routine, value, self.bonuses)
        routine.state = "checked"

    def add(self, context: Context, routine: Routine, value: Expression, listed: nodes.Expression) -> None:
        """Add what the pieces of a list have as their bonus, one after another."""
        begin(context, listed)
        source, span = list_expr(context, listed), listed.span
        element = element_type(source)
        if not isinstance(element, Piece | Unknown):
            context.error("HR510", f"pieces add to '{self.name}', but these are {source.type}", span)
            element = UNKNOWN
        if isinstance(routine.result, Int | Unknown):
            routine.result = NUMBER
        else:
            message = f"only a number can be added to, and '{self.name}' is {routine.result}"
            context.error("HR510", message, routine.span, follows_from=(ABOVE,))
        total, one = fresh_name(context, SO_FAR), fresh_name(context, "adding")
        so_far, adding = Local(span, NUMBER, total), Local(span, element, one)
        given = (adding, Local(span, self.kind.type, "this"), so_far)
        bonus: Expression = known_number(span, 0)
        for kind in context.symbols.kinds.values():
            own = kind.bonuses.get(self.name, {})
            if kind.is_piece and own and (fits(kind.type, element) or fits(element, kind.type)):
                inner = self.bonus_of(context, kind, own, given)
                first = known_number(span, kind.base), known_number(span, kind.base + len(kind.ids))
                is_one = Apply(span, BOOL, WITHIN, (adding, *first))
                bonus = inner if element == kind.type else Apply(span, NUMBER, CONDITIONAL, (inner, is_one, bonus))
        more = Apply(span, NUMBER, ADD, (so_far, bonus))
        routine.body = (
            SetLocal(span, total, value),
            Each(span, one, source, (SetLocal(span, total, more, True),), new_label(context, "for")),
            Return(span, so_far),
        )

    def bonus_of(
        self,
        context: Context,
        kind: Kind,
        own: Mapping[int, tuple[str, nodes.Expression]],
        given: tuple[Expression, ...],
    ) -> Expression:
        """What a piece of one kind adds."""
        functions: dict[Routine, int] = {}
        printed = [0] * len(kind.ids)
        for position, (member, written) in own.items():
            key = (kind.name, written.span)
            if key not in self.adding:
                name = f"{kind.name}.{member}.bonus.{self.name}"
                types = (("this", kind.type), ("it", self.kind.type), (SO_FAR, NUMBER))
                parameters = tuple(Parameter(type, word, written.span) for word, type in types)
                name += f" of {self.kind.name}" if self.kind is not kind else ""
                made = Routine(name, parameters, written.span, True, written, this=kind.type, uses=1)
                self.adding[key] = made
            function = self.adding[key]
            printed[position] = functions.setdefault(function, len(functions) + 1)
        values = [called(context, function, given, NUMBER) for function in functions]
        for function in functions:
            if not isinstance(function.result, Int | Unknown):
                message = f"a bonus is a number, and this is {function.result}"
                context.error("HR510", message, function.span, follows_from=(ABOVE,))
        kind.used_bonuses.add(self.name)
        nothing: Expression = known_number(context_span(given), 0)
        return chosen(marked(kind, f"0{self.name} of {self.kind.name}", printed, given[0]), [nothing, *values])


def context_span(given: Sequence[Expression]) -> Span:
    return given[0].span


def common_type(context: Context, functions: Iterable[Routine]) -> Type:
    """The type of what all of some functions give."""
    joined: Type | None = None
    first: Routine | None = None
    for function in functions:
        check_routine(context.analysis, function)
        await_result(context.analysis, function)
        result = function.result or UNKNOWN
        both = result if joined is None else join(joined, result)
        if both is None and first is not None:
            message = f"this is {result}, but '{function.name.rpartition('.')[2]}' is {joined} elsewhere"
            context.error("HR510", message, function.span, None, [Related("here", first.span)])
        joined, first = both or joined, first or function
    return joined or UNKNOWN


def called(context: Context, function: Routine, given: tuple[Expression, ...], type: Type) -> Expression:
    """A call of one of the functions."""
    check_routine(context.analysis, function)
    await_result(context.analysis, function)
    function.uses += 1
    note_call(context, function, function.span)
    return Call(function.span, type, function, given, context.me)


def marked(kind: Kind, name: str, numbers: Sequence[int], of: Expression) -> Expression:
    """A number that is printed on each piece, under a name that no author can give."""
    kind.attributes[name] = list(numbers)
    return Printed(of.span, Int(0, max(numbers, default=0)), kind, name, of)


def chosen(number: Expression, values: Sequence[Expression], low: int = 0) -> Expression:
    """The value at a number from `low` on."""
    if len(values) == 1:
        return values[0]
    half = len(values) // 2
    test = Apply(number.span, BOOL, LESS, (number, known_number(number.span, low + half)))
    sides = chosen(number, values[:half], low), chosen(number, values[half:], low + half)
    return Apply(number.span, sides[0].type, CONDITIONAL, (sides[0], test, sides[1]))


def check_computed(done: Footprints, symbols: SymbolTable, report: Report) -> None:
    """Report functions of pieces that need themselves, and bonuses to which nothing listens."""
    called_by = {function: kind for kind in symbols.kinds.values() for function in kind.functions.values()}
    for circle in circles(done, lambda routine: done[routine].called if routine in done else ()):
        found = [routine for routine in circle if routine in called_by]
        if found:
            first = min(found, key=lambda routine: (routine.span.file, routine.span.line))
            others = [routine for routine in circle if routine.source is not None and routine.span != first.span]
            related = [Related("by way of this", routine.span) for routine in others]
            message = f"'{first.name.removesuffix(OF_EACH)}' needs itself to be worked out"
            help = "read what is printed, or another function, which does not ask for this one"
            report.error("HR545", message, first.span, help, related)
    for kind in symbols.kinds.values():
        for name in kind.bonuses.keys() - kind.used_bonuses:
            span = next(iter(kind.bonuses[name].values()))[1].span
            message = f"nothing has a function '{name}' that {indefinite(kind.name)} adds to"
            pool = {name for one in symbols.kinds.values() for name in one.functions}
            help = f"functions: {{{name}: {{do: …, bonuses: …}}}}, with a list of pieces in which {indefinite(kind.name)} can be"
            report.misnamed("HR502", message, span, name, pool - {name}, help)
