"""Windows: moments at which players may step in. Each becomes an action that asks them, written in the effect language's own nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from houserule.definition.model import ActionDefinition, CallableDefinition, GameDefinition, WindowDefinition
from houserule.diagnostics import Report, Span
from houserule.language import nodes
from houserule.language.trees import walk

PEOPLE, PASSED, WHO, GIVEN = "0people", "0passed", "0who", "0given"
"""Local names that no author can give: who may step in, how many have passed in a row, who is asked, what came of it."""


def entries(game: GameDefinition, window: WindowDefinition) -> Iterator[ActionDefinition]:
    """The actions that say `in` this window, in the order of the file."""
    for action in game.actions.values():
        if isinstance(action, ActionDefinition) and window.name in action.windows:
            yield action


def asking(game: GameDefinition, window: WindowDefinition, report: Report) -> nodes.Block:
    """What a window does: it asks each player in turn, again and again, until all have passed one after another.

    A player who could do nothing is not asked, and counts as having passed.
    """
    span = window.span
    source = window.people.source if window.people is not None else nodes.Name(span, "players")
    if window.people is not None and window.people.binder is not None and not isinstance(source, nodes.Selection):
        source = nodes.Selection(span, None, window.people.binder, window.people.binder_span, source, None, None)
    items = tuple(line_of(one, carried_out(window, one, report)) for one in entries(game, window))
    passed = one_statement(nodes.Assign(span, nodes.Name(span, PASSED), "+=", nodes.Number(span, 1)))
    if not items:
        report.warning(
            "HR570", f"nobody can step in: no action says `in: {window.name}`", span, "actions: {…: {in: …}}"
        )
        return one_statement(nodes.Nothing(span))
    asked = nodes.Menu(span, None, question(window), True, items, passed)
    one_asked: nodes.Statement = nodes.As(span, nodes.Name(span, WHO), one_statement(asked))
    test = fewer_passed(span)
    if game.eliminated is not None:
        is_out = nodes.Attribute(span, nodes.Name(span, WHO), "eliminated", span)
        one_asked = nodes.If(span, is_out, passed, one_statement(one_asked))
    once = nodes.For(
        span, WHO, span, nodes.Name(span, PEOPLE), one_statement(nodes.If(span, test, one_statement(one_asked), None))
    )
    found: list[nodes.Statement] = [
        nodes.Assign(span, nodes.Name(span, PEOPLE), "=", source),
        nodes.Assign(span, nodes.Name(span, PASSED), "=", nodes.Number(span, 0)),
        nodes.While(span, test, one_statement(once)),
    ]
    if any(map(gives_a_value, entries(game, window))):
        found.append(nodes.FinishWith(span, nodes.Truth(span, value=False)))
    return nodes.Block(span, tuple(found))


def question(window: WindowDefinition) -> nodes.Text:
    return window.ask or text_of(window.span, f"{spoken(window.name)}?")


def as_menu(game: GameDefinition, window: WindowDefinition) -> nodes.Menu:
    """What is offered in a window, for the rulebook: the actions, without what they are given."""
    items = []
    for action in entries(game, window):
        performed = nodes.Perform(action.span, None, nodes.Name(action.span, action.name), ())
        items.append(line_of(action, one_statement(performed)))
    return nodes.Menu(window.span, None, question(window), True, tuple(items), None)


def line_of(action: ActionDefinition, done: nodes.Block) -> nodes.MenuItem:
    """The line of a window's menu that stands for an action, with each value of its `for`."""
    values = None
    if action.for_ is not None:
        source, binder = action.for_.source, action.for_.binder or "it"
        at = action.for_.binder_span or action.for_.span
        if not isinstance(source, nodes.Selection) or source.value or source.binder != action.for_.binder:
            values = nodes.Selection(action.for_.span, None, binder, at, source, None, None)
        else:
            values = nodes.Selection(source.span, None, binder, at, source.source, source.where, source.by)
    return nodes.MenuItem(action.span, action.label or label_of(action), values, action.when, None, done)


def carried_out(window: WindowDefinition, action: ActionDefinition, report: Report) -> nodes.Block:
    """What is done when an action is taken: nobody has passed then, and if it finishes with true, the window closes with true."""
    span, given = action.span, nodes.Name(action.span, GIVEN) if gives_a_value(action) else None
    again = nodes.Assign(span, nodes.Name(span, PASSED), "=", nodes.Number(span, 0))
    own = tuple(arguments(window, action, report))
    if len(own) < len(action.parameters):
        return one_statement(again)
    perform = nodes.Perform(span, given, nodes.Name(span, action.name), own)
    if given is None:
        return one_statement(again, perform)
    closes = one_statement(nodes.FinishWith(span, nodes.Truth(span, value=True)))
    return one_statement(again, perform, nodes.If(span, given, closes, None))


def arguments(window: WindowDefinition, action: ActionDefinition, report: Report) -> Iterator[nodes.Expression]:
    """What an action is given: by a parameter of the window's, what that was opened with; else the value of its `for`."""
    own = [parameter.name for parameter in window.parameters]
    binder = action.for_.binder or "it" if action.for_ is not None else None
    for parameter in action.parameters:
        if parameter.name in own or parameter.name == binder:
            yield nodes.Name(parameter.span, parameter.name or "")
        else:
            known = [name for name in (*own, binder) if name]
            message = f"nothing in '{window.name}' says which '{parameter.name}' this is"
            help = f"for: {parameter.name} in …" if binder is None else f"one of: {', '.join(known)}"
            report.error("HR511", message, parameter.span, help)


def gives_a_value(action: CallableDefinition) -> bool:
    return any(isinstance(node, nodes.FinishWith) for node in walk(action.body))


def label_of(action: ActionDefinition) -> nodes.Text:
    """The label of an action that gives none: its name, and the value of its `for`."""
    text = text_of(action.span, spoken(action.name))
    if action.for_ is None:
        return text
    binder = action.for_.binder or "it"
    parts = (f"{text.raw}: ", nodes.Name(action.span, binder))
    return nodes.Text(action.span, f"{text.raw}: {{{binder}}}", parts)


def fewer_passed(span: Span) -> nodes.Expression:
    people = nodes.Call(span, nodes.Name(span, "count"), (nodes.Name(span, PEOPLE),))
    return nodes.Compare(span, nodes.Name(span, PASSED), "<", people)


def spoken(name: str) -> str:
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]


def text_of(span: Span, words: str) -> nodes.Text:
    return nodes.Text(span, words, (words,))


def one_statement(*statements: nodes.Statement) -> nodes.Block:
    return nodes.Block(statements[0].span, statements)


def check_entries(game: GameDefinition, report: Report) -> None:
    """Report actions in windows that do not exist, and keys that say nothing outside of a window."""
    for action in actions(game.actions.values()):
        for name in action.windows:
            if name not in game.windows:
                report.misnamed("HR503", f"there is no window '{name}'", name.span, name, game.windows)
        if not action.windows and (action.for_ or action.when or action.label) is not None:
            message = f"'{action.name}' is in no window, so nobody is offered it"
            report.error("HR213", message, action.span, "in: the name of a window")


def actions(all: Iterable[CallableDefinition]) -> Iterator[ActionDefinition]:
    return (one for one in all if isinstance(one, ActionDefinition))
