"""Functions of pieces: each piece may have its own, and pieces in play may add to it.

What `x.power` calls is composed of the functions of all pieces, chosen by a number that is printed on each of them, and of
what the pieces in a list add, one after another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from houserule.diagnostics import ABOVE, Related, Report, Span
from houserule.language import checked as c
from houserule.language import nodes
from houserule.language import types as ty
from houserule.language.blocks import begin, new_label
from houserule.language.calls import note_call, result_of_routine, routine_context
from houserule.language.footprints import Footprints, circles
from houserule.language.lists import element_type, list_expr
from houserule.language.scope import Analysis, Context, fresh_name
from houserule.language.symbols import SymbolTable

OF_EACH = " of each"
"""What follows a function in the name of the routine that chooses among those of all pieces."""
SO_FAR = "so_far"
"""In a bonus, the value with what earlier pieces have added."""


@dataclass(slots=True, eq=False, repr=False)
class Computed:
    """A function of the pieces of a kind: those that pieces have of their own, by position, and the list of those that may add to it."""

    kind: c.Kind
    name: str
    default: c.Routine
    own: dict[int, c.Routine]
    bonuses: nodes.Expression | None
    adding: dict[tuple[str, Span], c.Routine] = field(default_factory=dict)  # by kind and place, once they are known

    @property
    def parts(self) -> tuple[c.Routine, ...]:
        return (*dict.fromkeys((self.default, *self.own.values())), *self.adding.values())

    def compose(self, analysis: Analysis, routine: c.Routine) -> None:
        """Give the routine that `x.f` calls its body."""
        routine.state = "checking"
        context = routine_context(analysis, routine)
        this = c.Local(routine.span, self.kind.type, "this")
        functions = list(dict.fromkeys((self.default, *self.own.values())))
        routine.result = common_type(context, functions)
        numbers = {function: number for number, function in enumerate(functions)}
        values = [called(context, function, (this,), routine.result) for function in functions]
        printed = [numbers[self.own.get(position, self.default)] for position in range(len(self.kind.ids))]
        value = chosen(marked(self.kind, f"0{self.name}", printed, this), values)
        if self.bonuses is None:
            routine.body = (c.Return(routine.span, value),)
        else:
            self.add(context, routine, value, self.bonuses)
        routine.state = "checked"

    def add(self, context: Context, routine: c.Routine, value: c.Expression, listed: nodes.Expression) -> None:
        """Add what the pieces of a list have as their bonus, one after another."""
        begin(context, listed)
        source, span = list_expr(context, listed), listed.span
        element = element_type(source)
        if not isinstance(element, ty.Piece | ty.Unknown):
            context.error("HR510", f"pieces add to '{self.name}', but these are {source.type}", span)
            element = ty.UNKNOWN
        if isinstance(routine.result, ty.Int | ty.Unknown):
            routine.result = ty.NUMBER
        else:
            message = f"only a number can be added to, and '{self.name}' is {routine.result}"
            context.error("HR510", message, routine.span, follows_from=(ABOVE,))
        total, one = fresh_name(context, SO_FAR), fresh_name(context, "adding")
        so_far, adding = c.Local(span, ty.NUMBER, total), c.Local(span, element, one)
        given = (adding, c.Local(span, self.kind.type, "this"), so_far)
        bonus: c.Expression = c.known_number(span, 0)
        for kind in context.symbols.kinds.values():
            own = kind.bonuses.get(self.name, {})
            if kind.is_piece and own and (ty.fits(kind.type, element) or ty.fits(element, kind.type)):
                inner = self.bonus_of(context, kind, own, given)
                first = c.known_number(span, kind.base), c.known_number(span, kind.base + len(kind.ids))
                is_one = c.Apply(span, ty.BOOL, ty.WITHIN, (adding, *first))
                bonus = (
                    inner if element == kind.type else c.Apply(span, ty.NUMBER, ty.CONDITIONAL, (inner, is_one, bonus))
                )
        more = c.Apply(span, ty.NUMBER, ty.ADD, (so_far, bonus))
        routine.body = (
            c.SetLocal(span, total, value),
            c.Each(span, one, source, (c.SetLocal(span, total, more, True),), new_label(context, "for")),
            c.Return(span, so_far),
        )

    def bonus_of(
        self,
        context: Context,
        kind: c.Kind,
        own: Mapping[int, tuple[str, nodes.Expression]],
        given: tuple[c.Expression, ...],
    ) -> c.Expression:
        functions: dict[c.Routine, int] = {}
        printed = [0] * len(kind.ids)
        for position, (member, written) in own.items():
            key = (kind.name, written.span)
            if key not in self.adding:
                name = f"{kind.name}.{member}.bonus.{self.name}"
                types = (("this", kind.type), ("it", self.kind.type), (SO_FAR, ty.NUMBER))
                parameters = tuple(c.Parameter(type, word, written.span) for word, type in types)
                name += f" of {self.kind.name}" if self.kind is not kind else ""
                made = c.Routine(name, parameters, written.span, True, written, this=kind.type, uses=1)
                self.adding[key] = made
            function = self.adding[key]
            printed[position] = functions.setdefault(function, len(functions) + 1)
        values = [called(context, function, given, ty.NUMBER) for function in functions]
        for function in functions:
            if not isinstance(function.result, ty.Int | ty.Unknown):
                message = f"a bonus is a number, and this is {function.result}"
                context.error("HR510", message, function.span, follows_from=(ABOVE,))
        kind.used_bonuses.add(self.name)
        nothing: c.Expression = c.known_number(given[0].span, 0)
        return chosen(marked(kind, f"0{self.name} of {self.kind.name}", printed, given[0]), [nothing, *values])


def common_type(context: Context, functions: Iterable[c.Routine]) -> ty.Type:
    joined: ty.Type | None = None
    first: c.Routine | None = None
    for function in functions:
        result = result_of_routine(context.analysis, function)
        both = result if joined is None else ty.join(joined, result)
        if both is None and first is not None:
            message = f"this is {result}, but '{function.name.rpartition('.')[2]}' is {joined} elsewhere"
            context.error("HR510", message, function.span, None, [Related("here", first.span)])
        joined, first = both or joined, first or function
    return joined or ty.UNKNOWN


def called(context: Context, function: c.Routine, given: tuple[c.Expression, ...], type: ty.Type) -> c.Expression:
    result_of_routine(context.analysis, function)
    function.uses += 1
    note_call(context, function, function.span)
    return c.Call(function.span, type, function, given, context.me)


def marked(kind: c.Kind, name: str, numbers: Sequence[int], of: c.Expression) -> c.Expression:
    """A number that is printed on each piece, under a name that no author can give."""
    kind.attributes[name] = list(numbers)
    return c.Printed(of.span, ty.Int(0, max(numbers, default=0)), kind, name, of)


def chosen(number: c.Expression, values: Sequence[c.Expression], low: int = 0) -> c.Expression:
    """The value at a number from `low` on."""
    if len(values) == 1:
        return values[0]
    half = len(values) // 2
    test = c.Apply(number.span, ty.BOOL, ty.LESS, (number, c.known_number(number.span, low + half)))
    sides = chosen(number, values[:half], low), chosen(number, values[half:], low + half)
    return c.Apply(number.span, sides[0].type, ty.CONDITIONAL, (sides[0], test, sides[1]))


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
            message = f"nothing has a function '{name}' that {ty.indefinite(kind.name)} adds to"
            pool = {name for one in symbols.kinds.values() for name in one.functions}
            help = f"functions: {{{name}: {{do: …, bonuses: …}}}}, with a list of pieces in which {ty.indefinite(kind.name)} can be"
            report.misnamed("HR502", message, span, name, pool - {name}, help)
