"""Blocks: statements in order, with a scope of their own, and what is known at their end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from houserule.diagnostics import ABOVE, LINE, Related, Span
from houserule.language import nodes
from houserule.language.checked import Body, Loop, Parts, Statement
from houserule.language.dispatch import expr, statement
from houserule.language.scope import Context, Name
from houserule.language.trees import diverges, setting
from houserule.language.types import Type


def block(context: Context, node: nodes.Block) -> Body:
    """A block that is always executed: the facts that it changes are forgotten after it as well."""
    inside = context.inner()
    body = statements_in(inside, node)
    context.scope.follow(inside.scope)
    return body


def branch(
    context: Context, node: nodes.Block | None, shown: Mapping[str, Type], **changes: Any
) -> tuple[Body, Mapping[str, Type] | None]:
    """A block under the narrowings of a test; the scope at its end, or None if its end is unreachable."""
    inside = context.inner(shown, **changes)
    body = statements_in(inside, node) if node is not None else ()
    return body, None if diverges(body) else inside.scope.seen_from(context.scope)


def statements_in(context: Context, node: nodes.Block) -> Body:
    """The statements of a block, in this scope."""
    found: list[Statement] = []
    ended: nodes.Node | None = None
    is_said = False
    for inner in node.statements:
        if ended is not None and not is_said:
            is_said = True
            related = [Related("because of this", ended.span)]
            context.report.warning("HR560", "this can never be reached", inner.span, related=related)
        found.extend(statement(context, inner))
        if ended is None and diverges(tuple(found[-1:])):
            ended = inner
            is_said = isinstance(found[-1], Loop)  # that it never ends
    return tuple(found)


def text_parts(context: Context, text: nodes.Text) -> Parts:
    return tuple(part if isinstance(part, str) else expr(context, part) for part in text.parts)


def new_label(context: Context, stem: str) -> str:
    context.analysis.labels += 1
    return f"{stem}{context.analysis.labels}"


def forbid_change(context: Context, what: str, span: Span) -> None:
    if context.in_function:
        message = f"a function changes nothing and asks nobody, so it cannot {what}"
        context.error("HR540", message, span, "make it an action: `actions:` instead of `functions:`")


# --- local names in blocks --------------------------------------------------------------------------------------------


def begin(context: Context, source: nodes.Node) -> None:
    """Before a whole text: count how often each name is set in it, since one set only once keeps its exact range."""
    if context.analysis.meanings is not None:
        context.analysis.meanings.starts[source] = context.inner()
    assigned = context.locals.assigned
    for word, times in settings(context, source):
        assigned[word] = assigned.get(word, 0) + times


def settings(context: Context, source: nodes.Node) -> Iterator[tuple[str, int]]:
    """The names that a text sets; those that it updates count twice."""
    placing = [name for name, verb in context.analysis.verbs.items() if verb.argument == "place"]
    for node in setting(source):
        match node:
            case nodes.Assign(target=nodes.Name(id=word), operator=operator):
                yield word, 1 if operator == "=" else 2
            case nodes.Perform(result=nodes.Name(id=word)):
                yield word, 1
            case nodes.Command(verb=verb, argument=nodes.Name(id=word)) if verb in placing:
                yield word, 1
            case nodes.Command(argument=one, prepositions=(nodes.Preposition(word="with", value=other),)):
                yield from ((side.id, 2) for side in (one, other) if isinstance(side, nodes.Name))
            case _:
                pass


def forget_assigned(context: Context, body: nodes.Node) -> None:
    """Before a loop: forget what its passes may change."""
    context.scope.forget_state()
    for node in setting(body):
        match node:
            case (
                nodes.Assign(target=nodes.Name(id=word))
                | nodes.Perform(result=nodes.Name(id=word))
                | nodes.Command(argument=nodes.Name(id=word))
            ):
                local = context.scope.find(word)
                if local is not None:
                    context.scope.forget_local(local)
            case _:
                pass


def report_unread(context: Context) -> None:
    """Report locals that are set and never read: most often a misspelt variable."""
    names: list[Name] = [name for name in context.locals.made if name.set_by == "assign"]
    for name in names:
        if name.reads == 0:
            pool = [*context.symbols.variables, *(n.word for n in names if n is not name)]
            message = f"'{name.word}' is set here and never read"
            context.misnamed(
                "HR572", message, name.span, name.word, pool, "remove it, or use it", follows_from=(ABOVE, LINE)
            )
