"""Checks the flow and the score sheet: steps in, the same statements as in effects out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from houserule.definition.model import GameDefinition, ScoreLineDefinition, StepDefinition, every_step
from houserule.definition.reader import Word
from houserule.diagnostics import Related, Span
from houserule.frozen import by_value, frozen
from houserule.language import checked as c
from houserule.language import nodes
from houserule.language import types as ty
from houserule.language.blocks import begin, forget_assigned, new_label, report_unread, statements_in
from houserule.language.calls import eliminated
from houserule.language.choices import together
from houserule.language.fitting import coerce, number_expr, snapshot, typed_expr
from houserule.language.format import format
from houserule.language.lists import element_type, list_expr
from houserule.language.scope import (
    STEP,
    Analysis,
    Context,
    Name,
    OverBudget,
    StepLabels,
    bind,
    bind_member,
    fresh_name,
)
from houserule.language.trees import diverges, walk
from houserule.language.typecheck import condition


@by_value
class Entry:
    """Where a scenario begins: the program pauses after the step `setup`; then it enters `step`, if given."""

    step: str | None


@frozen
class ScoreLine:
    """A line of the score sheet, computed for `me`."""

    name: str
    points: c.Expression
    member: tuple[ty.Type, int] | None = None


@frozen
class Winner:
    """Who wins. `key` is computed for `me`, given `points`; the greatest wins. For `when` and `all` it begins with a condition.

    If players can be eliminated, the keys of `most` and `least` begin with whether a player is still in, and the other keys end with that.
    """

    rule: str
    key: tuple[c.Expression, ...]
    tie: str = "shared"
    nobody: str = ""


class FlowChecker:
    """Makes statements from steps."""

    def __init__(self, game: GameDefinition, analysis: Analysis, entry: Entry | None) -> None:
        self.game = game
        self.analysis = analysis
        self.entry = entry
        self.started: str | None = None
        self.once: set[str] = set()  # paths of steps that repeat once
        self.using: list[str] = []
        self.by_path: dict[str, StepDefinition] = {}
        self.by_name: dict[str, list[StepDefinition]] = {}
        for step in every_step(game.flow):
            self.by_path[step.path] = step
            self.by_name.setdefault(step.name, []).append(step)
        self.reset_at: dict[str, list[c.Variable]] = {}
        for variable in analysis.symbols.variables.values():
            if variable.reset is not None:
                self.reset_at.setdefault(variable.reset, []).append(variable)

    @property
    def names(self) -> list[str]:
        return [*self.by_path, *(step.name for step in self.by_path.values())]

    def find(self, name: str) -> StepDefinition | None:
        """A step by its path, or by its name if that is unique."""
        if name in self.by_path:
            return self.by_path[name]
        named = self.by_name.get(name, [])
        return named[0] if len(named) == 1 else None

    def flow(self) -> c.Body:
        context = self.analysis.context("me")
        for step in self.by_path.values():
            if step.do is not None:
                begin(context, step.do)
        body: list[c.Statement] = []
        for position, step in enumerate(self.game.flow):
            if self.entry is None and diverges(tuple(body[-1:])):
                context.report.warning("HR560", f"step '{step.name}' can never be reached", step.span)
            if self.entry is not None and position == (1 if self.game.flow[0].name == "setup" else 0):
                body += self.pause(context, step.span)
            body += self.step(context, step, step.path)
        if self.entry is not None and self.started is None:
            body += self.pause(context, self.game.span)
        report_unread(context)
        return tuple(body)

    def pause(self, context: Context, span: Span) -> list[c.Statement]:
        """Pause; from here on, only what follows the step that a scenario begins with is done."""
        found: list[c.Statement] = [c.Pause(span)]
        self.started = ""
        if self.entry is not None and self.entry.step is not None:
            self.started = fresh_name(context, "started")
            found.append(c.SetLocal(span, self.started, c.Constant(span, ty.BOOL, 0)))
        return found

    # --- steps --------------------------------------------------------------------------------------------------------------

    def entered(self, span: Span) -> c.Expression | None:
        """Whether the step to begin with has been reached; None if there is none."""
        return c.Local(span, ty.BOOL, self.started) if self.started else None

    def unless_entered(self, test: c.Expression, span: Span) -> c.Expression:
        """A condition that is not tested until the step to begin with has been reached."""
        entered = self.entered(span)
        return c.Apply(span, ty.BOOL, ty.OR_NOT, (test, entered)) if entered is not None else test

    def step(self, context: Context, step: StepDefinition, path: str) -> list[c.Statement]:
        """One step as statements: when, repetition, for, turns or together, and its content."""
        span = step.span
        if self.entry is None and not self.using:
            self.see_done(context, step)
        is_target, is_around_target = self.against_target(step, path)
        labels = StepLabels(step.name, path, new_label(context, "pass"), new_label(context, "repetition"))
        here = context.inner(step_path=path, steps=(*context.steps, labels))
        level = when_level(step, self.analysis.symbols.functions)
        test = None
        if step.when is not None and level == "outer":
            test, yes, _ = condition(here, step.when)
            if is_target or is_around_target:
                test = self.unless_entered(test, span)
            here.scope.narrow(yes)
        if repeats(step):
            self.forget(here, step)
        again, yes, _ = condition(here, step.while_) if step.while_ is not None else (None, {}, {})
        here.scope.narrow(yes)
        inside = here.inner()
        one_pass = self.one_pass(inside, step, labels, level, path)
        here.scope.follow(inside.scope)
        made = names_made(here, inside) if is_plain(step) else []
        unsure = unsure_of(step, made)
        for name in unsure:
            if name.type != ty.BOOL and not isinstance(name.type, ty.List):
                name.type = ty.maybe(name.type)
        context.scope.names = {**context.scope.names, **{name.word: name for name in made}}
        body = [*preset(unsure, span), *self.repetition(here, step, labels, again, one_pass)]
        self.forget(context, step)
        if test is not None:
            body = [*preset(unsure, span), c.Branch(span, test, tuple(body), ())]
        if is_target:
            return [c.SetLocal(span, self.started or "", c.Constant(span, ty.BOOL, 1)), *body]
        entered = self.entered(span)
        if entered is not None and not is_around_target:
            return [*preset(made, span), c.Branch(span, entered, tuple(body), ())]
        return body

    def see_done(self, context: Context, step: StepDefinition) -> None:
        """Warn of a step whose own keys prevent it from ever being done, unless a variant switches it off that way."""
        for key, node in (("when", step.when), ("while", step.while_), ("repeat", step.repeat)):
            match node:
                case nodes.Truth(value=False) | nodes.Number(value=0) if node.span.file == step.span.file:
                    message = f"step '{step.name}' is never done: its '{key}' is {format(node)}"
                    context.report.warning("HR560", message, node.span, "remove the step, or let an option decide")
                case _:
                    pass

    def against_target(self, step: StepDefinition, path: str) -> tuple[bool, bool]:
        """Whether a step is the one that a scenario begins with, and whether it contains that one."""
        target = self.entry.step if self.entry is not None else None
        if not self.started or target is None:
            return False, False
        found = self.find(target)
        if target in (path, step.name) and found is step:
            return True, False
        return False, found is not None and found.path.startswith(step.path + ".")

    def forget(self, context: Context, step: StepDefinition) -> None:
        """Forget facts from before a step that the step may change."""
        context.scope.forget_state()
        for inner in self.under(step):
            if inner.do is not None:
                forget_assigned(context, inner.do)

    def under(self, step: StepDefinition) -> Iterator[StepDefinition]:
        seen: set[str] = set()
        waiting = [step]
        while waiting:
            inner = waiting.pop()
            if inner.path not in seen:
                seen.add(inner.path)
                yield inner
                waiting += reversed(inner.steps)
                used = self.find(inner.use) if inner.use is not None else None
                waiting += [used] if used is not None else []

    def resets(self, step: StepDefinition, span: Span) -> list[c.Statement]:
        """The variables that are reset before each pass of this step."""
        found = [v for name in dict.fromkeys((step.name, step.path)) for v in self.reset_at.get(name, ())]
        if not found:
            return []
        reset: c.Statement = c.Reset(span, tuple(sorted(found, key=lambda variable: variable.base)))
        entered = self.entered(span)
        return [c.Branch(span, entered, (reset,), ())] if entered is not None else [reset]

    def one_pass(
        self, context: Context, step: StepDefinition, labels: StepLabels, level: str, path: str
    ) -> list[c.Statement]:
        """One pass of the step: `for`, then `turns` or `together`, then its content."""
        span = step.span
        self.analysis.budget.spend(STEP, span)
        resets = self.resets(step, span)
        begins: list[c.Statement] = [*([] if step.turns else resets), c.Enter(span, path)]
        if step.for_ is None:
            return [c.Labelled(span, (*begins, *self.turns(context, step, level, path, resets)), labels.one_pass)]
        source = list_expr(context, step.for_.source)
        inside = context.inner()
        unique = bind_member(inside, step.for_, element_type(source), span, "loop").unique
        self.forget(inside, step)
        inner = self.tested(inside, step, level == "member", lambda at: self.turns(at, step, level, path, resets))
        context.scope.follow(inside.scope)
        each = c.Each(span, unique, snapshot(source), tuple(inner), new_label(context, "for"))
        return [c.Labelled(span, (*begins, each), labels.one_pass)]

    def tested(
        self, context: Context, step: StepDefinition, here: bool, work: Callable[[Context], list[c.Statement]]
    ) -> list[c.Statement]:
        """The content, under `when` if that is tested here."""
        if step.when is None or not here:
            return work(context)
        test, yes, _ = condition(context, step.when)
        inner = work(context.inner(yes))
        return [c.Branch(step.span, self.unless_entered(test, step.span), tuple(inner), ())]

    def turns(
        self, context: Context, step: StepDefinition, level: str, path: str, resets: list[c.Statement]
    ) -> list[c.Statement]:
        """Each player in turn as `me`, or all players together, or neither."""
        span, binding = step.span, step.together or step.turns
        if binding is None:
            return self.inside(context, step, path)
        if step.together is not None:

            def work(inside: Context) -> c.Body:
                return tuple(self.tested(inside, step, level == "turn", lambda at: self.inside(at, step, path)))

            return together(context, binding, work)
        source = coerce(
            context, list_expr(context, binding.source), ty.List(ty.PLAYER), binding.source, "who takes turns"
        )
        inside = context.inner()
        if binding.binder:
            named = bind_member(inside, binding, ty.PLAYER, span, "loop").unique
        else:
            named = fresh_name(context, "me")
        me = c.Local(span, ty.PLAYER, named)
        acting = inside.inner(me=me, me_inherited=False)
        self.forget(acting, step)
        begins = c.Enter(span, path, me)
        inner = self.tested(acting, step, level == "turn", lambda at: [begins, *self.inside(at, step, path)])
        context.scope.follow(acting.scope)
        turn: list[c.Statement] = [*resets, *inner]
        out = eliminated(acting, me)
        if out is not None:
            test = self.unless_entered(c.Apply(span, ty.BOOL, ty.NOT, (out,)), span)
            turn = [c.Branch(span, test, tuple(turn), ())]
        return [c.Each(span, named, source, tuple(turn), new_label(context, "turns"))]

    def inside(self, context: Context, step: StepDefinition, path: str) -> list[c.Statement]:
        """The content: `do`, `steps` or `use`."""
        if step.do is not None:
            label = new_label(context, "do")
            finish = context.finish if context.in_together else label
            context.locals.is_missing_me_said = False
            inside = context.inner(finish=finish, loops=(), source=step.do)
            body = statements_in(inside, step.do)
            context.scope.follow(inside.scope)
            if is_plain(step):
                context.scope.names = inside.scope.names
            return [c.Labelled(step.span, body, label, "do")]
        if step.use is not None:
            return self.use(context, step.use, path)
        found: list[c.Statement] = []
        inside = context.inner()
        for child in step.steps:
            if found and diverges(tuple(found[-1:])):
                context.report.warning("HR560", f"step '{child.name}' can never be reached", child.span)
            found += self.step(inside, child, f"{path}.{child.name}")
        context.scope.follow(inside.scope)
        return found

    def use(self, context: Context, used: Word, path: str) -> list[c.Statement]:
        """Another step again."""
        other = self.find(used)
        if other is None:
            context.misnamed("HR501", f"there is no step '{used}'", used.span, used, self.names)
            return []
        if other.path in self.using or path.startswith(other.path + ".") or path == other.path:
            related = [Related("the step is here", other.span)]
            context.error("HR562", f"'{used}' would contain itself", used.span, None, related)
            return []
        self.using.append(other.path)
        try:
            return self.step(context, other, f"{path}.{other.name}")
        except OverBudget:
            raise OverBudget(used.span) from None  # reported where it is used, at the end of the outermost
        finally:
            self.using.pop()

    def repetition(
        self,
        context: Context,
        step: StepDefinition,
        labels: StepLabels,
        test: c.Expression | None,
        one_pass: list[c.Statement],
    ) -> list[c.Statement]:
        """`while`, `until` or `repeat` around the passes."""
        span, body = step.span, tuple(one_pass)
        if not repeats(step):
            return [c.Labelled(span, body, labels.repetition)]
        if test is not None:
            test = self.unless_entered(test, span)
        until = condition(context, step.until)[0] if step.until is not None else None
        if step.repeat is None or isinstance(step.repeat, str):
            return [c.Loop(span, test, until, body, labels.repetition)]
        times = number_expr(context, step.repeat)
        if isinstance(times, c.Constant) and times.value == 1:
            self.once.add(step.path)
        return [c.Times(span, times, body, labels.repetition)]


def repeats(step: StepDefinition) -> bool:
    return step.repeat is not None or step.while_ is not None or step.until is not None


def when_level(step: StepDefinition, functions: Mapping[str, c.Routine]) -> str:
    """Where `when` is tested: before everything, for each member, or for each turn."""
    if step.when is None:
        return "outer"
    words = words_of(step.when, functions, set())
    turns = step.turns or step.together
    if turns is not None and (words & OF_ME or (turns.binder and turns.binder in words)):
        return "turn"
    return "member" if step.for_ is not None and step.for_.binder in words else "outer"


def words_of(node: nodes.Expression | nodes.Block, functions: Mapping[str, c.Routine], seen: set[str]) -> set[str]:
    """The names that an expression reads, and `me` if a function that it calls reads it."""
    found = {n.id for n in walk(node) if isinstance(n, nodes.Name)}
    words = found | {n.name for n in walk(node) if isinstance(n, nodes.Attribute)}
    for word in words - seen:
        function = functions.get(word)
        if function is not None and function.source is not None and not function.is_of_me:
            seen.add(word)
            found |= words_of(function.source, functions, seen) & OF_ME
    return found


OF_ME = frozenset({"me", "opponents", "partners"})
"""The words whose meaning depends on whose turn it is."""


def before_play(flow: Sequence[StepDefinition]) -> int:
    """How many steps set up the game: a first step named `setup`."""
    return int(bool(flow) and flow[0].path == "setup")


def rounds_of(game: GameDefinition) -> frozenset[str]:
    """The paths of the steps whose passes are rounds: the outermost that repeat."""
    found: set[str] = set()
    waiting = list(game.flow)
    while waiting:
        step = waiting.pop()
        if repeats(step):
            found.add(step.path)
        else:
            waiting += step.steps
    return frozenset(found)


def is_plain(step: StepDefinition) -> bool:
    """Whether a step is done once, by nobody in particular, so that later steps know its names."""
    return not (repeats(step) or step.for_ or step.turns or step.together)


def names_made(before: Context, after: Context) -> list[Name]:
    return [name for word, name in after.scope.names.items() if before.scope.find(word) is not name]


def unsure_of(step: StepDefinition, made: list[Name]) -> list[Name]:
    """The names that a step declares but may not set, because something ends the step earlier."""
    if not made or step.when is not None:
        return made
    ends = [
        n.span
        for n in walk(step.do)
        if isinstance(n, nodes.Finish | nodes.Leave) and (n.step or isinstance(n, nodes.Finish))
    ]
    return [name for name in made if not all(name.span < end for end in ends)]


def preset(names: Iterable[Name], span: Span) -> list[c.Statement]:
    return [c.SetLocal(span, name.unique, nothing(name, span)) for name in names]


def nothing(name: Name, span: Span) -> c.Expression:
    """The value of a name if its step was skipped."""
    if isinstance(name.type, ty.List):
        return c.Constant(span, name.type, ())
    return c.Constant(span, name.type, 0 if name.type == ty.BOOL else ty.none_of(name.type))


# --- the score sheet --------------------------------------------------------------------------------------------------


def score_context(analysis: Analysis) -> Context:
    return analysis.context("me", "points", me=c.Local(Span("<score>"), ty.PLAYER, "me"), in_function=True)


def score_lines(analysis: Analysis, line: ScoreLineDefinition) -> list[ScoreLine]:
    """One line of the score sheet; with `for` over a constant, one for each member."""
    context = score_context(analysis)
    span, binding = line.span, line.for_
    if binding is None:
        analysis.budget.spend(STEP, span)
        return [ScoreLine(line.name, worth(context, line))]
    source = list_expr(context, binding.source)
    if isinstance(source, c.Constant) and isinstance(source.value, tuple):
        type = element_type(source)
        try:
            return [member_line(analysis, line, binding, type, value) for value in source.value]
        except OverBudget:
            raise OverBudget(span) from None
    unique = bind_member(context, binding, element_type(source), span, "loop").unique
    each = c.Select(span, ty.List(ty.NUMBER), worth(context, line), unique, source, None, ())
    return [ScoreLine(line.name, c.Apply(span, ty.NUMBER, ty.TOTAL, (each,)))]


def member_line(
    analysis: Analysis, line: ScoreLineDefinition, binding: nodes.Binding, type: ty.Type, value: int
) -> ScoreLine:
    analysis.budget.spend(STEP, line.span)
    context = score_context(analysis)
    bind(context, binding.binder or "it", type, binding.binder_span or line.span, "loop").constant = value
    return ScoreLine(line.name, worth(context, line), (type, value))


def worth(context: Context, line: ScoreLineDefinition) -> c.Expression:
    """The points of a line, or 0 if its `when` does not hold."""
    test, yes = (None, {}) if line.when is None else condition(context, line.when)[:2]
    points = typed_expr(context.inner(yes), line.points, ty.NUMBER, f"the points of '{line.name}'")
    if test is None:
        return points
    return c.Apply(line.span, ty.NUMBER, ty.CONDITIONAL, (points, test, c.known_number(line.span, 0)))


def winner_of(analysis: Analysis, game: GameDefinition) -> Winner | None:
    """Who wins; None if the points alone decide."""
    context = score_context(analysis)
    winner, out = game.winner, eliminated(context, c.Local(game.span, ty.PLAYER, "me"))
    still = (c.Apply(out.span, ty.BOOL, ty.NOT, (out,)),) if out is not None else ()
    if winner is None:
        return Winner("most", (*still, c.Local(game.span, ty.NUMBER, "points"))) if still else None
    bind(context, "points", ty.NUMBER, winner.span, "parameter").unique = "points"
    if winner.rule in ("when", "all", "by"):
        key = (condition(context, winner.value)[0], *still)
        return Winner("all" if winner.rule == "all" else "when", key, winner.tie, winner.nobody)
    what = "what decides who wins"
    first, *others = (typed_expr(context, value, ty.NUMBER, what) for value in (winner.value, *winner.then))
    if winner.rule == "least":
        first = c.Apply(first.span, ty.NUMBER, ty.NEGATE, (first,))
    return Winner(winner.rule, (*still, first, *others), winner.tie, winner.nobody)
