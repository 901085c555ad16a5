"""Control statements: `if`, loops, `leave`, `finish`, `end game`, `as`; and `say`."""

from __future__ import annotations

from dataclasses import replace

from houserule.diagnostics import ABOVE, Span
from houserule.language import checked as c
from houserule.language import nodes
from houserule.language.blocks import branch, forbid_change, forget_assigned, new_label, statements_in, text_parts
from houserule.language.calls import still_in
from houserule.language.dispatch import condition, expr
from houserule.language.fitting import coerce, number_expr, snapshot, typed_expr
from houserule.language.lists import carried_over, element_type, members
from houserule.language.names import all_players, same_team
from houserule.language.scope import Context, StepLabels, bind_new, fresh_name
from houserule.language.trees import leaves
from houserule.language.types import ALONE, ANY_LIE, BOOL, NOT, PLAYER, UNKNOWN, WITHOUT, List, Unknown, join
from houserule.language.words import ENDINGS


def say(context: Context, node: nodes.Say) -> list[c.Statement]:
    """`say "…"`."""
    forbid_change(context, "say anything", node.span)
    listener = typed_expr(context, node.to, PLAYER, "who is told") if node.to is not None else None
    return [c.Tell(node.span, listener, node.text.raw, text_parts(context, node.text))]


def if_statement(context: Context, node: nodes.If) -> list[c.Statement]:
    """`if c: … else: …`; if its condition is constant, only the block that is executed."""
    test, yes, no = condition(context, node.test)
    then, after = branch(context, node.then, yes)
    otherwise, end = branch(context, node.otherwise, no)
    context.scope.meet(after, end)
    if isinstance(test, c.Constant) and not isinstance(test.type, Unknown):
        body, role = (then, "then") if test.value else (otherwise, "else")
        return [c.Labelled(node.span, body, new_label(context, "sure"), role)]
    return [c.Branch(node.span, test, then, otherwise)]


def for_each(context: Context, node: nodes.For) -> list[c.Statement]:
    """`for x in S: …`."""
    listed = node.source
    if isinstance(listed, nodes.Selection) and listed.binder is None and listed.value is None:
        listed = replace(listed, binder=node.binder, binder_span=node.binder_span)
    source, level = members(context.inner(chosen=node.binder), listed)
    context.typed(node.source, source)
    forget_assigned(context, node.body)
    label = new_label(context, "for")
    inside = context.inner(loops=(*context.loops, label))
    made = bind_new(inside, node.binder, element_type(source), node.binder_span, "loop")
    if level is not None:  # printed values stay the same; what a pass changes may differ in the next one
        inside.scope.narrow({key: type for key, type in carried_over(level, made).items() if key.startswith("=")})
    body = statements_in(inside, node.body)
    context.scope.forget_state()
    return [c.Each(node.span, made.unique, snapshot(source), body, label)]


def while_loop(context: Context, node: nodes.While) -> list[c.Statement]:
    """`while c: …`."""
    forget_assigned(context, node.body)
    mistakes = len(context.report.found)
    test, yes, _ = condition(context, node.test)
    is_sound = len(context.report.found) == mistakes
    label = new_label(context, "while")
    body, _ = branch(context, node.body, yes, loops=(*context.loops, label))
    context.scope.forget_state()
    if is_sound and isinstance(test, c.Constant) and test.value and not leaves(body, label):
        message = "this loop never ends: its condition is always true and nothing leaves it"
        context.error("HR561", message, node.test.span, "`leave` ends the innermost loop", follows_from=(ABOVE,))
    return [c.Loop(node.span, test, None, body, label)]


def repeat(context: Context, node: nodes.Repeat) -> list[c.Statement]:
    """`repeat n times: …`."""
    times = number_expr(context, node.count)
    forget_assigned(context, node.body)
    label = new_label(context, "repeat")
    body, _ = branch(context, node.body, {}, loops=(*context.loops, label))
    context.scope.forget_state()
    return [c.Times(node.span, times, body, label)]


def as_player(context: Context, node: nodes.As) -> list[c.Statement]:
    """`as p: …`."""
    if context.in_together:
        message = "`as` is not allowed in a together: everybody acts for themselves there"
        context.error("HR532", message, node.span)
        return list(statements_in(context, node.body))
    someone = typed_expr(context, node.player, PLAYER, "who is me inside")
    unique = fresh_name(context, "me")
    inside = context.inner(me=c.Local(node.span, PLAYER, unique), me_inherited=False)
    inside.scope.forget_state()  # narrowings may hold for another `me` only
    body = statements_in(inside, node.body)
    inside.scope.forget_state()
    context.scope.follow(inside.scope)
    return [c.SetLocal(node.span, unique, someone), *body]


def leave(context: Context, node: nodes.Leave) -> list[c.Statement]:
    """`leave`, `leave STEP`."""
    if node.step is not None:
        labels = step_around(context, node.step, node.span)
        return [c.Jump(node.span, labels.repetition)] if labels else []
    if context.loops:
        return [c.Jump(node.span, context.loops[-1])]
    help = "`leave STEP` ends the repetition of a step, `finish` this action or turn"
    context.error("HR541", "there is no loop around this `leave`", node.span, help, follows_from=(ABOVE,))
    return []


def finish(context: Context, node: nodes.Finish) -> list[c.Statement]:
    """`finish`, `finish STEP`."""
    if node.step is not None:
        if context.routine is not None and is_value(context, node.step):
            context.error("HR541", "a result comes after `finish with`", node.span, f"finish with {node.step}")
            return finish_with(context, nodes.FinishWith(node.span, nodes.Name(node.span, node.step)))
        labels = step_around(context, node.step, node.span)
        return [c.Jump(node.span, labels.one_pass)] if labels else []
    if context.in_function:
        context.error("HR541", "a function finishes with a result", node.span, "finish with …")
    return [c.Jump(node.span, context.finish) if context.finish is not None else c.Return(node.span, None)]


def is_value(context: Context, word: str) -> bool:
    """Whether a word names a local value or a variable."""
    return context.scope.find(word) is not None or word in context.symbols.variables


def step_around(context: Context, step: str, span: Span) -> StepLabels | None:
    """The step of that name that contains this effect."""
    for labels in reversed(context.steps):
        if step in (labels.name, labels.path):
            if context.in_together:
                context.error("HR541", f"`finish {step}` and `leave {step}` are not allowed in a together", span)
                return None
            return labels
    names = [labels.name for labels in context.steps]
    if names:
        message = f"'{step}' is not a step around this"
        context.misnamed("HR541", message, span.last(len(step)), step, names, f"around this: {', '.join(names)}")
    else:
        only = "only the `do` of a step can finish or leave a step, and only one that is around it"
        context.error("HR541", f"{only}; '{step}' is not", span)
    return None


def finish_with(context: Context, node: nodes.FinishWith) -> list[c.Statement]:
    """`finish with e`."""
    value = snapshot(expr(context, node.value))
    routine = context.routine
    if routine is None or context.finish is not None:
        message = "only an action, a function or an effect of a piece has a result"
        context.error("HR541", message, node.span, "`finish` alone ends this turn")
        return []
    joined = value.type if routine.result is None else join(routine.result, value.type)
    if joined is None:
        message = f"'{routine.name}' finishes with {routine.result} elsewhere, here with {value.type}"
        context.error("HR510", message, node.value.span)
        joined = UNKNOWN
    routine.result = joined
    return [c.Return(node.span, value)]


def end_game(context: Context, node: nodes.EndGame) -> list[c.Statement]:
    """`end game`."""
    forbid_change(context, "end the game", node.span)
    if context.in_together:
        help = "set a variable, and end the game after it"
        context.error("HR532", "`end game` is not allowed in a together", node.span, help)
    if node.ending is None:
        return [c.EndGame(node.span)]
    return [c.EndGame(node.span, *ending(context, node, node.ending))]


def ending(context: Context, node: nodes.EndGame, word: str) -> tuple[str, c.Expression | None]:
    """The result and the winners of a game that ends by `end game with …`, whatever the score."""
    if word not in ENDINGS:
        message = f"a game ends with victory, defeat or draw, not with '{word}'"
        span, help = node.ending_span or node.span, f"for a winner: end game with victory of {word}"
        context.misnamed("HR501", message, span, word, ENDINGS, help)
        return "draw", None
    if node.of is None:
        return word, all_players(context, node.span) if word == "victory" else None
    if word == "draw":
        context.error("HR511", "a draw is nobody's: it has no 'of'", node.of.span, "end game with draw")
        return "draw", None
    what = "who wins" if word == "victory" else "who loses"
    given = expr(context, node.of)
    if not isinstance(given.type, List):
        one = coerce(context, given, PLAYER, node.of, what)
        given = c.Apply(one.span, List(PLAYER, 1), ALONE, (one,))
    named = coerce(context, snapshot(given), List(PLAYER), node.of, what)
    if word == "victory":
        return "won", named
    everybody = all_players(context, node.span)
    others: c.Expression = c.Apply(node.span, List(PLAYER), WITHOUT, (everybody, named))
    unique, loser = fresh_name(context, "player"), fresh_name(context, "player")
    local = c.Local(node.span, PLAYER, unique), c.Local(node.span, PLAYER, loser)
    if (test := same_team(context, *local)) is not None:  # the partners of a loser have lost, too
        losers = c.Select(node.span, List(PLAYER), None, loser, named, test, ())
        beaten = c.Apply(node.span, BOOL, ANY_LIE, (losers,))
        spared = c.Apply(node.span, BOOL, NOT, (beaten,))
        others = c.Select(node.span, List(PLAYER), None, unique, others, spared, ())
    return "won", still_in(context, others)
