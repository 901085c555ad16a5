"""Calls: functions of the game and of the table of operations with their arguments in, checked expressions out."""

from __future__ import annotations

from typing import Any

from houserule.diagnostics import Related, Span
from houserule.language import nodes
from houserule.language.checked import Apply, Call, Constant, Expression, known_number
from houserule.language.format import format
from houserule.language.lists import never_empty
from houserule.language.operators import Operators
from houserule.language.symbols import Routine, Zone
from houserule.language.types import (
    BOOL,
    NUMBER,
    UNKNOWN,
    List,
    Maybe,
    Member,
    NoValue,
    Piece,
    Player,
    Unknown,
    comparable,
    fits,
    none_of,
    plain,
    spelled,
)


class Calls(Operators):
    """Checks calls against signatures."""

    def call(self, node: nodes.Call) -> Expression:
        """A function of the game or an operation."""
        function = node.function
        if isinstance(function, nodes.Attribute):
            found = self.symbols.functions.get(function.name)
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
        if name in self.symbols.functions:
            return self.evaluate(self.symbols.functions[name], node.arguments, (), node.span)
        if name in self.operations:
            return self.operate(name, node)
        if name in self.symbols.actions:
            return self.error(
                "HR503", f"'{name}' is an action, not a function", function.span, f"perform {format(node)}"
            )
        family = self.symbols.zones.get(name) or self.symbols.variables.get(name)
        if family is not None or name in self.symbols.tables:
            what = "table" if family is None else "zone" if isinstance(family, Zone) else "variable"
            indices = ", ".join(format(argument) for argument in node.arguments)
            entry = name if family is not None and not family.parameters else f"{name}[{indices}]"
            return self.error("HR503", f"'{name}' is a {what}, not a function", function.span, entry)
        pool = [*self.symbols.functions, *self.operations, *self.extra]
        otherwise = "only `winner` and scenarios know the points" if name == "points" else None
        return self.misnamed("HR503", f"there is no function '{name}'", function.span, name, pool, otherwise)

    def evaluate(
        self, function: Routine, arguments: tuple[nodes.Expression, ...], leading: tuple[Expression, ...], span: Span
    ) -> Expression:
        """A call of a function of the game."""
        function.uses += function is not self.current
        given = self.arguments(function, arguments, leading, span)
        self.demand(function)
        self.await_result(function)
        me = self.call_me(function, span)
        if given is None:
            return Constant(span, function.result or UNKNOWN, 0)
        return Call(span, function.result or UNKNOWN, function, given, me)

    def call_me(self, callee: Routine, span: Span) -> Expression | None:
        """Who is `me` inside what is called; checked when it is known who needs it."""
        self.inherited_calls.append((self.current if self.me_inherited else None, callee, span, self.me is not None))
        return self.me

    def arguments(
        self, callee: Routine, arguments: tuple[nodes.Expression, ...], leading: tuple[Expression, ...], span: Span
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
        values: list[Expression] = []
        for pattern, argument in zip(patterns, node.arguments, strict=False):
            value = self.member(argument, values[-1]) if pattern == "member" else self.pattern(pattern, argument, name)
            values.append(value)
        if any(isinstance(v.type, Unknown) for v in values):
            return Constant(node.span, UNKNOWN, 0)
        type = row.result([v.type for v in values])
        if row.may_be_none and isinstance(type, Maybe) and len(values) == 1 and never_empty(values[0]):
            type = type.of
        values += [known_number(node.span, 1) for p in row.parameters[len(values) :] if p.endswith("?")]
        known = {"none": none_of(type)}
        if "low" in row.constants:
            domain = self.symbols.domain(values[0].type)
            assert domain is not None
            known |= {"low": domain.start, "size": len(domain)}
        values += [known_number(node.span, known[name]) for name in row.constants]
        return Apply(node.span, type, row.operator, tuple(values))

    def member(self, node: nodes.Expression, among: Expression) -> Expression:
        """What may be a member of a list."""
        element = among.type.of if isinstance(among.type, List) else UNKNOWN
        value = self.expr(node, element)
        if not comparable(value.type, element) or isinstance(value.type, NoValue):
            return self.error(
                "HR510", f"'{format(node)}' is {value.type}, which can never be in {among.type}", node.span
            )
        return value

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
                value = self.require_present(self.expr(node), node)
                if not isinstance(value.type, Member | Piece | Player | Unknown):
                    return self.error(
                        "HR510", f"'{name}' wants a member, a player or a piece, got {value.type}", node.span
                    )
                return value
            case "piece":
                value = self.require_present(self.expr(node), node)
                if not isinstance(value.type, Piece | Unknown):
                    return self.error("HR510", f"'{name}' wants a piece, got {self.words_for(value)}", node.span)
                return value
            case "pile":
                return self.pile(node, f"'{name}'")
            case "family":
                return self.family_name(node, name)
        raise AssertionError(pattern)
