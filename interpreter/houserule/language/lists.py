"""Lists: zones, kinds, lists written out, and selections from them in; checked lists out."""

from __future__ import annotations

from dataclasses import replace

from houserule.diagnostics import Span, did_you_mean
from houserule.language import nodes, primitives
from houserule.language.checked import (
    AllPieces,
    Apply,
    Call,
    Constant,
    EitherPile,
    Expression,
    Items,
    Local,
    Pile,
    Return,
    Select,
    Single,
    numbers_of,
)
from houserule.language.entries import Entries
from houserule.language.format import format
from houserule.language.primitives import DISTINCT, PAIR, SPAN
from houserule.language.symbols import Kind
from houserule.language.types import NUMBER, UNKNOWN, Int, List, Maybe, Type, Unknown, join

LONGEST_RANGE = 10_000


class Lists(Entries):
    """Checks lists, and where a zone is wanted."""

    def members(self, kind: Kind, span: Span) -> Expression:
        """All members of a kind as a list."""
        kind.uses += 1
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
        numbers = numbers_of(values)
        if numbers is not None:
            return Constant(span, List(type, len(values)), numbers)
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
        return Apply(span, List(bounds, most if most <= LONGEST_RANGE else None), SPAN, (a, b))

    def items(self, node: nodes.Expression, wanted: Type | None = None) -> Expression:
        """A list: the name of a kind stands for its members here, a zone for its pieces."""
        if (
            isinstance(node, nodes.Name)
            and self.find(node.id) is None
            and node.id in self.symbols.kinds
            and node.id not in self.symbols.zones
        ):
            return self.members(self.symbols.kinds[node.id], node.span)
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
            pair = Apply(node.span, UNKNOWN, PAIR, (key, value or bound))
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

    def family_name(self, node: nodes.Expression, name: str) -> Expression:
        """A family of zones by its bare name: its slots and what its index begins with."""
        zone = self.symbols.zones.get(node.id) if isinstance(node, nodes.Name) else None
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
            index = ", ".join(self.index_for(p.type) for p in value.zone.parameters)
            return self.error(
                code,
                f"{what} is one zone, but '{format(node)}' is a family of them",
                node.span,
                f"{value.zone.name}[{index}]",
                self.declared(value),
            )
        zones = [z.name for z in self.symbols.zones.values()]
        text = format(node)
        help = did_you_mean(text, zones) or (f"one of: {', '.join(zones[:6])}" if zones else None)
        return self.error(
            code, f"{what} is a zone, but '{text}' is {value.type}", node.span, help, self.declared(value)
        )


def once(source: Expression) -> Expression:
    """What is chosen from, each in it once: two options that are the same would be no choice."""
    if isinstance(source, Constant) and isinstance(source.value, tuple):
        return replace(source, value=tuple(dict.fromkeys(source.value)))
    return Apply(source.span, source.type, DISTINCT, (source,)) if may_repeat(source) else source


def may_repeat(source: Expression) -> bool:
    """Whether a list may have something in it twice."""
    match source:
        case Constant(value=tuple(items)):
            return len(set(items)) < len(items)
        case Pile() | AllPieces() | Apply(operator=primitives.SEATING | primitives.OPPONENTS | primitives.SPAN):
            return False
        case Select(value=None, source=inner) | Apply(operator=primitives.SNAPSHOT, arguments=(inner,)):
            return may_repeat(inner)
        case Call(function=function):
            last = function.body[0] if function.body is not None and len(function.body) == 1 else None
            return not isinstance(last, Return) or last.value is None or may_repeat(last.value)
        case _:
            return isinstance(source.type, List)


def never_empty(value: Expression) -> bool:
    """Whether a list provably has something in it."""
    match value:
        case Constant(value=tuple(items)):
            return len(items) > 0
        case Items(items=items):
            return len(items) > 0
        case Select(source=source, where=None):
            return never_empty(source)
        case Apply(operator=primitives.SPAN, arguments=(low, high)):
            return isinstance(low.type, Int) and isinstance(high.type, Int) and low.type.high <= high.type.low
        case Apply(operator=operator, arguments=(source, *_)) if operator.keeps_some:
            return never_empty(source)
        case _:
            return False
