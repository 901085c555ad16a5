"""Warns of conditions that are always true or always false, and of lists that are always empty, as far as the words alone tell."""

from __future__ import annotations

from houserule.diagnostics import Report
from houserule.language import nodes
from houserule.language.format import format
from houserule.language.trees import walk
from houserule.language.words import ORDER

TESTS: dict[type[nodes.Node], str] = {
    nodes.If: "test",
    nodes.Conditional: "test",
    nodes.Selection: "where",
    nodes.MenuItem: "when",
    nodes.Race: "must",
}
"""The conditions that decide something."""
PLAIN = frozenset({nodes.Name, nodes.Attribute, nodes.Number})
"""Most nodes, in which nothing can be vain."""


def warn_of_vain(tree: nodes.Node, report: Report) -> None:
    """Warn of each condition and list in a text that could as well be left out."""
    counts: set[int] = set()
    joined: set[int] = set()
    for node in walk(tree):  # a `choose` comes before its count
        if type(node) in PLAIN:
            continue
        if type(node) in TESTS:
            warn_of_condition(getattr(node, TESTS[type(node)]), report, is_wanted=isinstance(node, nodes.Race))
        match node:
            case nodes.Choose(count=count):
                counts.add(id(count))
            case nodes.While(test=test) if truth(test) is False:
                warn_of_condition(test, report)
            case nodes.Range(low=low, high=high) if is_empty(node) and id(node) not in counts:
                turned = f"{format(high)}..{format(low)}"
                report.warning("HR596", f"there is nothing in {format(node)}: it runs backwards", node.span, turned)
            case nodes.Repeat(count=nodes.Number(value=0) as never):
                report.warning("HR596", "this is never done: it is repeated 0 times", never.span, "repeat 1 times: …")
            case nodes.Call(function=nodes.Name(id="first" | "last"), arguments=(_, nodes.Number(value=0))):
                report.warning("HR596", f"there is nothing in {format(node)}", node.span, "write how many are meant")
            case nodes.Binary(operator="-", left=left, right=right) if takes_all(left, right):
                message = f"'{format(node)}' takes away all that there is"
                report.warning("HR596", message, node.span, "write what is meant to be left")
            case nodes.Assign() | nodes.Command() if changes_nothing(node):
                report.warning(
                    "HR596", f"'{format(node)}' changes nothing", node.span, "write what changes, or leave it out"
                )
            case nodes.If(test=test, otherwise=nodes.Block(statements=(nodes.If() as other,))) if is_again(test, other):
                message = f"'{format(test)}' is tested before, so this is never done"
                report.warning("HR596", message, other.test.span, "write the other condition, or leave this out")
            case nodes.If(then=one, otherwise=nodes.Block() as two) if format(one) == format(two):
                warn_of_equal(node.test, report)
            case nodes.Conditional(then=one, otherwise=two) if is_lasting(one) and format(one) == format(two):
                warn_of_equal(node.test, report)
            case nodes.Logic() if id(node) not in joined:
                warn_of_repeated(node, joined, report)
        source = getattr(node, "source", None)
        if isinstance(source, nodes.ListOf) and is_empty(source):
            report.warning("HR596", "there is nothing in this list to go through", source.span, "[…]")


def warn_of_condition(test: nodes.Expression | None, report: Report, is_wanted: bool = False) -> None:
    """Warn of a condition whose result its words alone tell; one `is_wanted` may hold always, so that everybody has to take part."""
    known = truth(test) if test is not None else None
    if known is not None and test is not None and not (known and is_wanted):
        shown = "this condition" if isinstance(test, nodes.Truth) else f"'{format(test)}'"
        help = "write what it depends on, or leave it out"
        report.warning("HR596", f"{shown} is always {str(known).lower()}", test.span, help)


def warn_of_repeated(node: nodes.Logic, joined: set[int], report: Report) -> None:
    """Warn of conditions that are asked before, all joined by the same word; the parts that are joined so are noted."""
    asked: set[str] = set()
    parts: list[nodes.Expression] = [node]
    while parts:
        part = parts.pop()
        if isinstance(part, nodes.Logic) and part.operator == node.operator:
            joined.add(id(part))
            parts += [part.right, part.left]
        elif is_lasting_test(part):
            shown = format(part)
            if shown in asked:
                message = f"'{shown}' is asked before this '{node.operator}' already"
                report.warning("HR596", message, part.span, "write the other condition, or leave this out")
            asked.add(shown)


def warn_of_equal(test: nodes.Expression, report: Report) -> None:
    message = f"whether '{format(test)}' holds or not, the same is done"
    report.warning("HR596", message, test.span, "write what differs, or leave the condition out")


def truth(node: nodes.Expression) -> bool | None:
    """The result of a condition if it is always the same; None if it can change."""
    match node:
        case nodes.Truth(value=value):
            return value
        case nodes.Not(operand=operand):
            known = truth(operand)
            return None if known is None else not known
        case nodes.Logic(left=left, operator=sign, right=right):
            both = (truth(left), truth(right))
            decides = sign == "or"
            if decides in both or exclude(left, right, decides):
                return decides
            return None if None in both else not decides
        case nodes.Compare(operator="in", right=nodes.ListOf(items=())):
            return False
        case nodes.Compare(
            left=nodes.Name(id="me"), operator="in" | "not in" as sign, right=nodes.Name(id="opponents")
        ):
            return sign == "not in"
        case nodes.Compare(left=left, operator=sign, right=right) if sign in ORDER:
            one, other = number(left), number(right)
            if one is not None and other is not None:
                return ORDER[sign](one, other)
            return ORDER[sign](0, 0) if is_lasting(left) and format(left) == format(right) else None
    return None


def exclude(one: nodes.Expression, other: nodes.Expression, decides: bool) -> bool:
    """Whether two comparisons of the same with numbers can never both hold; with `decides`, never both fail."""
    match one, other:
        case (
            nodes.Compare(left=left, operator=sign, right=nodes.Number(value=number)),
            nodes.Compare(left=left_again, operator=sign_again, right=nodes.Number(value=number_again)),
        ) if sign in ORDER and sign_again in ORDER and is_lasting(left) and format(left) == format(left_again):
            # Whether they hold changes at these numbers only.
            tried = {edge + step for edge in (number, number_again) for step in (-1, 0, 1)}
            return all(
                (ORDER[sign](at, number) is decides) or (ORDER[sign_again](at, number_again) is decides) for at in tried
            )
    return False


def takes_all(left: nodes.Expression, right: nodes.Expression) -> bool:
    """Whether a list, or a number, is taken from itself, or all players from some."""
    some = isinstance(left, nodes.Name) and left.id in ("opponents", "partners")
    is_all = some and isinstance(right, nodes.Name) and right.id == "players"
    is_written = isinstance(left, nodes.Number)
    return is_all or (not is_written and is_lasting(left) and format(left) == format(right))


def changes_nothing(node: nodes.Assign | nodes.Command) -> bool:
    """Whether something is set to what it is, or put where it is."""
    match node:
        case nodes.Assign(target=target, operator="=", value=value):
            return not isinstance(target, nodes.Number) and is_lasting(value) and format(target) == format(value)
        case nodes.Command(argument=argument, prepositions=(nodes.Preposition(word="to", value=value),)):
            return is_lasting(argument) and format(argument) == format(value)
    return False


def is_again(test: nodes.Expression, other: nodes.If) -> bool:
    return is_lasting_test(test) and format(test) == format(other.test)


def is_lasting_test(node: nodes.Expression) -> bool:
    """Whether a condition has the same result when it is asked once more."""
    match node:
        case nodes.Compare(left=left, right=right) | nodes.Logic(left=left, right=right):
            return is_lasting_test(left) and is_lasting_test(right)
        case nodes.Not(operand=operand):
            return is_lasting_test(operand)
    return is_lasting(node)


def is_empty(node: nodes.Expression) -> bool:
    """Whether a list or range never has anything in it."""
    match node:
        case nodes.ListOf(items=()):
            return True
        case nodes.Range(low=low, high=high):
            first, last = number(low), number(high)
            return first is not None and last is not None and first > last
    return False


def number(node: nodes.Expression) -> int | None:
    match node:
        case nodes.Number(value=value):
            return value
        case nodes.Negative(operand=nodes.Number(value=value)):
            return -value
    return None


def is_lasting(node: nodes.Expression) -> bool:
    """Whether an expression means the same when it is read once more: names, what follows their dots and indices, and calls."""
    return all(
        isinstance(one, nodes.Name | nodes.Attribute | nodes.Index | nodes.Number | nodes.Call) for one in walk(node)
    )
