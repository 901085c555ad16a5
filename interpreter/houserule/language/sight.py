"""Tells what an expression gives away: a checked expression in, the zones and variables out whose hidden content it reads.

How many pieces lie somewhere is no secret where the amount is known; what is on a piece is, unless its back shows it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from houserule.diagnostics import Related, Span
from houserule.language.checked import (
    AllPieces,
    Apply,
    Branch,
    Call,
    Constant,
    Each,
    Expression,
    Local,
    Pile,
    Printed,
    ReadVariable,
    Return,
    Select,
    SetLocal,
    Single,
    parts,
    statements,
)
from houserule.language.primitives import PRESENT
from houserule.language.scope import Context, Name
from houserule.language.symbols import Family, Variable, Zone
from houserule.language.types import Bool, List, Piece, plain

Who = tuple[str, object] | None
"""Somebody or something that can be told from another: a local name or a constant; None where that is not known."""
Known = dict[tuple[object, ...], list[Family | None]]
"""What functions read, by the way in which they are called."""


class Sight:
    """What somebody may not see; for None, what anybody may not.

    `kept` are local names that were made of such things, `origins` says of names for pieces where they were found.
    """

    def __init__(
        self,
        viewer: Expression | None,
        kept: frozenset[str] = frozenset(),
        known: Known | None = None,
        origins: Mapping[str, Expression] | None = None,
    ) -> None:
        self.viewer = self.who(viewer, {}) if viewer is not None else None
        self.anybody = viewer is None
        self.kept = kept
        self.origins = dict(origins or {})
        self.depth = 0  # in how many calls: names that are kept are those around them
        self.lists: dict[tuple[object, ...], Zone | None] = {}
        self.of_functions: Known = known if known is not None else {}

    def who(self, value: Expression | None, known: Mapping[str, Who]) -> Who:
        """Who an expression is."""
        match value:
            case Local(name=name):
                return known.get(name, ("local", name))
            case Constant(value=number):
                return ("constant", number)
            case _:
                return None

    def is_hidden(self, rule: object, family: Family, index: tuple[Expression, ...], known: Mapping[str, Who]) -> bool:
        """Whether a rule of sight keeps one of a family from the viewer; where that cannot be told, it does not."""
        if rule == "all":
            return False
        if self.anybody or rule == "none":
            return True
        if rule != "owner" or not family.owned:
            return False
        owner = self.who(index[0], known) if index else ("local", "")
        return owner is not None and owner != self.viewer

    # --- lists and pieces -------------------------------------------------------------------------------------------------

    def hidden_list(self, value: Expression, known: Mapping[str, Who], pieces: frozenset[str]) -> Zone | None:
        """The zone that the viewer does not see into, where an expression is a list of its pieces."""
        match value:
            case Pile(zone=zone, index=index):
                return zone if self.is_hidden(zone.visible, zone, index, known) else None
            case AllPieces(zone=zone):
                return zone if self.is_hidden(zone.visible, zone, (), known) else None
            case Select(value=None, source=source):
                return self.hidden_list(source, known, pieces)
            case Apply(type=List(of=Piece()), arguments=arguments):
                return next((found for a in arguments if (found := self.hidden_list(a, known, pieces))), None)
            case Call() if isinstance(value.type, List):
                return self.hidden_result(value, known, pieces)
            case _:
                return None

    def hidden_piece(self, value: Expression, known: Mapping[str, Who], pieces: frozenset[str]) -> Zone | bool:
        """Whether an expression is a piece that the viewer does not see; its zone where that is known."""
        match value:
            case Local(name=name):
                return name in pieces or self.found_hidden(name)
            case Single(pile=pile):
                return self.hidden_list(pile, known, pieces) or False
            case Apply(arguments=arguments) if isinstance(plain(value.type), Piece):
                return next((found for a in arguments if (found := self.hidden_list(a, known, pieces))), False)
            case _:
                return False

    def found_hidden(self, name: str) -> Zone | bool:
        """Whether a local name was given to a piece where the viewer does not see it."""
        origin = self.origins.pop(name, None) if not self.depth else None
        if origin is None:
            return False
        is_list = isinstance(origin.type, List)
        nobody: frozenset[str] = frozenset()
        hidden = self.hidden_list(origin, {}, nobody) if is_list else self.hidden_piece(origin, {}, nobody)
        self.origins[name] = origin
        return hidden or False

    def way(self, call: Call, known: Mapping[str, Who], pieces: frozenset[str]) -> tuple[object, ...]:
        """How a function is called: who its arguments are, and which of them are hidden pieces."""
        arguments = tuple(self.who(a, known) for a in (*call.arguments, *((call.me,) if call.me is not None else ())))
        return (call.function, arguments, tuple(bool(self.hidden_piece(a, known, pieces)) for a in call.arguments))

    def results(
        self, call: Call, known: Mapping[str, Who], pieces: frozenset[str]
    ) -> list[tuple[Expression, dict[str, Who], frozenset[str]]]:
        """What a function can finish with and what decides that, with what its parameters are."""
        parameters = [(p.name or "", a) for p, a in zip(call.function.parameters, call.arguments, strict=True)]
        inner = {name: self.who(a, known) for name, a in parameters}
        inner["me"] = self.who(call.me, known)
        of = frozenset(name for name, a in parameters if self.hidden_piece(a, known, pieces))
        found: list[Expression] = []
        for statement in statements(call.function.body or ()):
            match statement:
                case Each(binder=name, source=source) if self.hidden_list(source, inner, of):
                    of |= {name}
                case SetLocal(name=name, value=value):
                    # Whatever a function works out on its way may decide what it finishes with.
                    found.append(value)
                    of = of | {name} if self.hidden_piece(value, inner, of) else of
                case Return(value=value) if value is not None:
                    found.append(value)
                case Branch(test=test):
                    found.append(test)
                case _:
                    pass
        return [(value, inner, of) for value in found]

    def hidden_result(self, call: Call, known: Mapping[str, Who], pieces: frozenset[str]) -> Zone | None:
        """The hidden zone whose pieces a function lists, worked out once for each way in which it is called."""
        way = self.way(call, known, pieces)
        if way not in self.lists:
            self.lists[way] = None
            results = self.results(call, known, pieces)
            zones = (self.hidden_list(result, inner, of) for result, inner, of in results)
            self.lists[way] = next((zone for zone in zones if zone), None)
        return self.lists[way]

    def of_call(self, call: Call, known: Mapping[str, Who], pieces: frozenset[str]) -> list[Family | None]:
        """What the results of a function depend on, worked out once for each way in which it is called."""
        way = self.way(call, known, pieces)
        if way not in self.of_functions:
            self.of_functions[way] = []
            self.depth += 1
            read = [family for result in self.results(call, known, pieces) for family in self.reads(*result)]
            self.depth -= 1
            self.of_functions[way] = list(dict.fromkeys(read))
            if call.function.state != "checked":
                return self.of_functions.pop(way)
        return self.of_functions[way]

    # --- what is read ----------------------------------------------------------------------------------------------------

    def reads(
        self, value: Expression, known: Mapping[str, Who] | None = None, pieces: frozenset[str] = frozenset()
    ) -> Iterator[Family | None]:
        """The zones and variables whose hidden content a value depends on; None for one that is not known by name."""
        known = known if known is not None else {}
        match value:
            case Local(name=name):
                if name in self.kept and not self.depth:
                    yield None
            case ReadVariable(variable=variable, index=index):
                if self.is_hidden(variable.visible, variable, index, known) or (
                    index and self.hidden_piece(index[0], known, pieces)
                ):
                    yield variable
            case Pile(zone=zone, index=index):
                if self.is_hidden(zone.amount, zone, index, known):
                    yield zone
            case Printed(kind=kind, attribute=attribute, of=of):
                piece = self.hidden_piece(of, known, pieces)
                if piece and attribute not in kind.back:
                    yield piece if isinstance(piece, Zone) else None
            case Select(binder=binder, source=source, where=where, by=by, value=mapped):
                yield from self.reads(source, known, pieces)
                hidden = self.hidden_list(source, known, pieces)
                own = pieces | {binder} if hidden else pieces - {binder}
                for part in (where, *by, mapped):
                    for family in self.reads(part, known, own) if part is not None else ():
                        yield family or hidden
                return
            case Call():
                yield from self.of_call(value, known, pieces)
            case Apply(operator=operator, arguments=arguments) if (
                isinstance(value.type, Bool) and operator is not PRESENT
            ):
                for argument in arguments:
                    piece = self.hidden_piece(argument, known, pieces)
                    if piece:
                        yield piece if isinstance(piece, Zone) else None
            case _:
                pass
        for part in parts(value):
            yield from self.reads(part, known, pieces)


# --- what the checker asks ---------------------------------------------------------------------------------------------


def tells(context: Context, value: Expression) -> bool:
    """Whether a value depends on something that not everybody may see, so that a silence would tell it."""
    return any(True for _ in Sight(None, context.locals.kept, context.analysis.seen_by_nobody).reads(value))


def keep_secret(context: Context, local: Name, value: Expression) -> None:
    """A local name that was made of what not everybody may see tells it as well."""
    if tells(context, value):
        context.locals.kept |= {local.unique}
    found_in(context, local, value)


def found_in(context: Context, local: Name, where: Expression) -> None:
    """A local name was given to a piece that was found there: seen or not, until pieces are moved."""
    context.locals.origins = {**context.locals.origins, local.unique: where}


def warn_leak(context: Context, value: Expression, chooser: Expression, span: Span) -> None:
    """A filter that reads what the chooser may not see tells it by what it offers."""
    sight = Sight(chooser, origins=context.locals.origins)
    sight.of_functions = context.analysis.seen_by.setdefault(sight.viewer, sight.of_functions)
    family = next((family for family in sight.reads(value) if family is not None), None)
    if family is not None:
        what = "variable" if isinstance(family, Variable) else "zone"
        message = f"this reads what the chooser may not see of '{family.name}': the options give it away"
        related = [Related(f"the {what} is declared here", family.span)]
        context.report.warning("HR580", message, span, "show it first, or offer everything", related)
