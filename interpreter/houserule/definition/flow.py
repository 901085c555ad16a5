"""Checks the flow and the score sheet: steps in, the same statements out that effects are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from houserule.definition.model import GameDefinition, ScoreLineDefinition, StepDefinition, WinnerDefinition
from houserule.diagnostics import Related, Span
from houserule.frozen import by_value, frozen
from houserule.language import nodes
from houserule.language.blocks import StepLabels
from houserule.language.check import Checker
from houserule.language.checked import (
    Apply,
    Body,
    Branch,
    Constant,
    Each,
    Enter,
    Expression,
    Labelled,
    Local,
    Loop,
    Pause,
    Reset,
    Select,
    SetLocal,
    Statement,
    Times,
    known_number,
)
from houserule.language.fitting import snapshot
from houserule.language.local_names import Name
from houserule.language.primitives import CONDITIONAL, NEGATE, OR_NOT, TOTAL
from houserule.language.reached import diverges, walk
from houserule.language.types import BOOL, NUMBER, PLAYER, UNKNOWN, List, Type, maybe, none_of


@by_value
class Entry:
    """Where a scenario begins: after the step `setup` the machine stands still; then `step` is entered, if given."""

    step: str | None


@frozen
class ScoreLine:
    """A line of the score sheet, worked out for `me`."""

    name: str
    points: Expression
    member: tuple[Type, int] | None = None


@frozen
class Winner:
    """Who wins. `key` is worked out for `me`, knowing `points`; the greatest wins. For `when` it is a condition."""

    rule: str
    key: tuple[Expression, ...]


class FlowChecker:
    """Makes statements of steps."""

    def __init__(self, game: GameDefinition, checker: Checker, entry: Entry | None) -> None:
        self.game = game
        self.checker = checker
        self.entry = entry
        self.started: str | None = None
        self.once: set[str] = set()  # paths of steps that repeat once
        self.using: list[str] = []
        self.by_path: dict[str, StepDefinition] = {}
        self.collect(game.flow)

    def collect(self, steps: tuple[StepDefinition, ...]) -> None:
        """All steps by path."""
        for step in steps:
            self.by_path[step.path] = step
            self.collect(step.steps)

    def find(self, name: str) -> StepDefinition | None:
        """A step by its path, or by its name if only one has it."""
        if name in self.by_path:
            return self.by_path[name]
        named = [step for step in self.by_path.values() if step.name == name]
        return named[0] if len(named) == 1 else None

    def flow(self) -> Body:
        """The whole flow."""
        checker = self.checker
        checker.scopes, checker.narrowed, checker.taken = [{}], {}, {"me"}
        checker.me, checker.me_inherited, checker.current, checker.this = None, False, None, None
        checker.finish, checker.loops, checker.steps, checker.locals_made = None, [], [], []
        for step in self.by_path.values():
            if step.do is not None:
                checker.prepare(step.do)
        body: list[Statement] = []
        for position, step in enumerate(self.game.flow):
            if self.entry is None and diverges(tuple(body[-1:])):
                checker.report.warning("HR560", f"step '{step.name}' can never be reached", step.span)
            if self.entry is not None and position == (1 if self.game.flow[0].name == "setup" else 0):
                body += self.pause(step.span)
            body += self.step(step)
        if self.entry is not None and self.started is None:
            body += self.pause(self.game.span)
        checker.report_unread(checker.locals_made)
        return tuple(body)

    def pause(self, span: Span) -> list[Statement]:
        """Stand still; and from here on only what follows the step that a scenario begins with is done."""
        found: list[Statement] = [Pause(span)]
        if self.entry is not None and self.entry.step is not None:
            self.started = self.checker.fresh("started")
            found.append(SetLocal(span, self.started, Constant(span, BOOL, 0)))
        else:
            self.started = ""
        return found

    # --- steps --------------------------------------------------------------------------------------------------------------

    def entered(self, span: Span) -> Expression | None:
        """Whether the step to begin with has been reached; None where that is no question."""
        return Local(span, BOOL, self.started) if self.started else None

    def step(self, step: StepDefinition, path: str | None = None) -> list[Statement]:
        """One step as statements: when, repetition, for, turns or together, and what is inside."""
        checker = self.checker
        path = path or step.path
        span = step.span
        target = self.entry.step if self.entry is not None else None
        is_target = bool(self.started) and target in (path, step.name) and self.find(target or "") is step
        around_target = (
            bool(self.started)
            and target is not None
            and not is_target
            and any(s.path.startswith(step.path + ".") for s in [self.find(target)] if s)
        )
        labels = StepLabels(step.name, path, checker.label("pass"), checker.label("repetition"))
        keep_path = checker.step_path
        checker.step_path = path
        checker.steps.append(labels)
        before = checker.narrowed
        level = self.when_level(step)
        condition = None
        if step.when is not None and level == "outer":
            condition, yes, _ = checker.condition(step.when)
            if (is_target or around_target) and self.started:
                condition = Apply(span, BOOL, OR_NOT, (condition, Local(span, BOOL, self.started)))
            checker.narrow(yes)
        if repeats(step):
            self.forget(step)
        test, yes, _ = checker.condition(step.while_) if step.while_ is not None else (None, {}, {})
        checker.narrow(yes)
        outer_scope = checker.scopes[-1]
        checker.scopes.append({})
        one_pass = self.one_pass(step, labels, level, path)
        made = checker.scopes.pop() if is_plain(step) else self.drop_scope()
        unsure = {word: name for word, name in made.items() if step.when is not None or not surely_made(step, name)}
        for name in made.values():
            if name.word in unsure and name.type != BOOL and not isinstance(name.type, List):
                name.type = maybe(name.type)
            outer_scope[name.word] = name
        checker.steps.pop()
        body = [*self.preset(unsure, span), *self.repetition(step, labels, test, one_pass)]
        checker.narrowed = before
        self.forget(step)
        if condition is not None:
            body = [*self.preset(unsure, span), Branch(span, condition, tuple(body), ())]
        checker.step_path = keep_path
        if is_target:
            body = [SetLocal(span, self.started or "", Constant(span, BOOL, 1)), *body]
        elif self.started and not around_target:
            entered = self.entered(span)
            assert entered is not None
            body = [*self.preset(made, span), Branch(span, entered, tuple(body), ())]
        return body

    def drop_scope(self) -> dict[str, Name]:
        """The names of a step that runs several times stay inside."""
        self.checker.scopes.pop()
        return {}

    def forget(self, step: StepDefinition) -> None:
        """What was known before a step, and the step may change, is not known."""
        self.checker.forget_state()
        for inner in self.under(step):
            if inner.do is not None:
                self.checker.forget_assigned(inner.do)

    def under(self, step: StepDefinition, seen: frozenset[str] = frozenset()) -> Iterator[StepDefinition]:
        """A step and all that are done in it."""
        yield step
        for inner in step.steps:
            yield from self.under(inner, seen)
        used = self.find(step.use) if step.use is not None else None
        if used is not None and used.path not in seen:
            yield from self.under(used, seen | {used.path})

    def preset(self, made: dict[str, Name], span: Span) -> list[Statement]:
        """Names of a step that may not run begin as none."""
        return [SetLocal(span, n.unique, self.nothing(n, span)) for n in made.values()]

    def nothing(self, name: Name, span: Span) -> Expression:
        """What a name is when its step did not run."""
        if isinstance(name.type, List):
            return Constant(span, name.type, ())
        if name.type == BOOL:
            return Constant(span, BOOL, 0)
        return Constant(span, name.type, none_of(name.type))

    def when_level(self, step: StepDefinition) -> str:
        """Where `when` is tested: before everything, for each member, or for each turn."""
        if step.when is None:
            return "outer"
        words = self.words_of(step.when, set())
        turns = step.turns or step.together
        if turns is not None and (words & {"me", "opponents"} or (turns.binder and turns.binder in words)):
            return "turn"
        if step.for_ is not None and step.for_.binder in words:
            return "member"
        return "outer"

    def words_of(self, node: nodes.Expression | nodes.Block, seen: set[str]) -> set[str]:
        """The names that an expression reads, and `me` where a function that it calls reads it."""
        words = {n.id for n in walk(node) if isinstance(n, nodes.Name)} | {
            n.name for n in walk(node) if isinstance(n, nodes.Attribute)
        }
        found = {n.id for n in walk(node) if isinstance(n, nodes.Name)}
        for word in words - seen:
            function = self.checker.symbols.functions.get(word)
            if function is not None and function.source is not None:
                seen.add(word)
                found |= self.words_of(function.source, seen) & {"me", "opponents"}
        return found

    def resets(self, step: StepDefinition, span: Span) -> list[Statement]:
        """The variables that go back to their starts before each pass of this step."""
        found = tuple(v for v in self.checker.symbols.variables.values() if v.reset in (step.name, step.path))
        if not found:
            return []
        reset: Statement = Reset(span, found)
        entered = self.entered(span)
        return [Branch(span, entered, (reset,), ())] if entered is not None else [reset]

    def one_pass(self, step: StepDefinition, labels: StepLabels, level: str, path: str) -> list[Statement]:
        """One pass of the step: `for`, then `turns` or `together`, then what is inside."""
        checker, span = self.checker, step.span
        resets = self.resets(step, span)
        before: list[Statement] = [] if step.turns else list(resets)
        if step.for_ is None:
            return [
                Labelled(span, (*before, Enter(span, path), *self.turns(step, level, path, resets)), labels.one_pass)
            ]
        source = checker.items(step.for_.source)
        element = source.type.of if isinstance(source.type, List) else UNKNOWN
        source = snapshot(source)
        checker.scopes.append({})
        word = step.for_.binder or "it"
        unique = (
            checker.bind_new(word, element, step.for_.binder_span or span, "loop")
            if step.for_.binder
            else checker.bind(word, element, span, "loop")
        ).unique
        self.forget(step)
        inner = self.tested(step, level == "member", lambda: self.turns(step, level, path, resets))
        checker.scopes.pop()
        label = checker.label("for")
        return [
            Labelled(
                span, (*before, Enter(span, path), Each(span, unique, source, tuple(inner), label)), labels.one_pass
            )
        ]

    def tested(self, step: StepDefinition, here: bool, work: Callable[[], list[Statement]]) -> list[Statement]:
        """What is inside, under `when` where that is tested here."""
        if step.when is None or not here:
            return work()
        condition, yes, _ = self.checker.condition(step.when)
        entered = self.entered(step.span)
        if entered is not None:
            condition = Apply(step.span, BOOL, OR_NOT, (condition, entered))
        inner = self.checker.under(yes, work)
        return [Branch(step.span, condition, tuple(inner), ())]

    def turns(self, step: StepDefinition, level: str, path: str, resets: list[Statement]) -> list[Statement]:
        """Each in turn as me, or everyone at once, or neither."""
        checker, span = self.checker, step.span
        if step.together is not None:

            def work() -> Body:
                return tuple(self.tested(step, level == "turn", lambda: self.inside(step, path)))

            return checker.together(
                step.together.span, step.together.binder, step.together.binder_span, step.together.source, work
            )
        if step.turns is None:
            return self.inside(step, path)
        source = checker.coerce(checker.items(step.turns.source), List(PLAYER), step.turns.source, "who takes turns")
        checker.scopes.append({})
        unique = (
            checker.bind_new(step.turns.binder, PLAYER, step.turns.binder_span or span, "loop").unique
            if step.turns.binder
            else checker.fresh("me")
        )
        keep = checker.me, checker.me_inherited
        checker.me, checker.me_inherited = Local(span, PLAYER, unique), False
        self.forget(step)
        begins = Enter(span, path, checker.me)
        inner = self.tested(step, level == "turn", lambda: [begins, *self.inside(step, path)])
        checker.me, checker.me_inherited = keep
        checker.scopes.pop()
        return [Each(span, unique, source, (*resets, *inner), checker.label("turns"))]

    def inside(self, step: StepDefinition, path: str) -> list[Statement]:
        """`do`, `steps` or `use`."""
        checker, span = self.checker, step.span
        if step.do is not None:
            label = checker.label("do")
            keep = checker.finish, checker.loops
            checker.finish, checker.loops = label if not checker.in_together else checker.finish, []
            checker.block_of_step = step.do
            checker.missing_me_said = False
            body = checker.block(step.do, new_scope=not is_plain(step))
            checker.finish, checker.loops = keep
            return [Labelled(span, body, label, "do")]
        if step.use is not None:
            return self.use(step, path)
        found: list[Statement] = []
        checker.scopes.append({})
        for child in step.steps:
            if found and diverges(tuple(found[-1:])):
                checker.report.warning("HR560", f"step '{child.name}' can never be reached", child.span)
            found += self.step(child, f"{path}.{child.name}")
        checker.scopes.pop()
        return found

    def use(self, step: StepDefinition, path: str) -> list[Statement]:
        """That step again."""
        assert step.use is not None
        checker = self.checker
        span = step.use_span or step.span
        other = self.find(step.use)
        if other is None:
            names = [*self.by_path, *(s.name for s in self.by_path.values())]
            checker.misnamed("HR501", f"there is no step '{step.use}'", span, step.use, names)
            return []
        if other.path in self.using or path.startswith(other.path + ".") or path == other.path:
            checker.error(
                "HR562", f"'{step.use}' would contain itself", span, None, [Related("the step is here", other.span)]
            )
            return []
        self.using.append(other.path)
        keep = self.entry
        found = self.step(other, f"{path}.{other.name}")
        self.entry = keep
        self.using.pop()
        return found

    def repetition(
        self, step: StepDefinition, labels: StepLabels, test: Expression | None, one_pass: list[Statement]
    ) -> list[Statement]:
        """`while`, `until`, `repeat` around the passes."""
        checker, span = self.checker, step.span
        if not repeats(step):
            return [Labelled(span, tuple(one_pass), labels.repetition)]
        entered = self.entered(span)
        if test is not None and entered is not None:
            test = Apply(span, BOOL, OR_NOT, (test, entered))
        until = None
        if step.until is not None:
            until = checker.condition(step.until)[0]
        if step.repeat is not None and step.repeat != "forever":
            assert not isinstance(step.repeat, str)
            times = checker.number(step.repeat)
            if isinstance(times, Constant) and times.value == 1:
                self.once.add(step.path)
            return [Times(span, times, tuple(one_pass), labels.repetition)]
        return [Loop(span, test, until, tuple(one_pass), labels.repetition)]


def repeats(step: StepDefinition) -> bool:
    """Whether a step has several passes."""
    return step.repeat is not None or step.while_ is not None or step.until is not None


def is_plain(step: StepDefinition) -> bool:
    """Whether a step is done once, by nobody in particular, so that its names are known to the steps after it."""
    return not (repeats(step) or step.for_ or step.turns or step.together)


def surely_made(step: StepDefinition, name: Name) -> bool:
    """Whether a name is set before anything in the step can end it early."""
    ends = [
        n.span
        for n in walk(step.do)
        if isinstance(n, nodes.Finish | nodes.Leave) and (n.step or isinstance(n, nodes.Finish))
    ]
    return all(name.span < end for end in ends)


class SheetChecker:
    """Makes expressions of the score sheet and of who wins."""

    def __init__(self, checker: Checker) -> None:
        self.checker = checker

    def fresh(self) -> None:
        """A context in which `me` is whoever is scored."""
        checker = self.checker
        checker.scopes, checker.narrowed, checker.taken = [{}], {}, {"me", "points"}
        checker.me, checker.me_inherited, checker.current, checker.this = (
            Local(Span("<score>"), PLAYER, "me"),
            False,
            None,
            None,
        )
        checker.in_function = True

    def line(self, line: ScoreLineDefinition) -> list[ScoreLine]:
        """One line of the score sheet; with `for` over what is known, one for each member."""
        self.fresh()
        checker, span, binding = self.checker, line.span, line.for_
        if binding is None:
            return [ScoreLine(line.name, self.worth(line))]
        source = checker.items(binding.source)
        if isinstance(source, Constant) and isinstance(source.value, tuple) and isinstance(source.type, List):
            return [self.member_line(line, source.type.of, value) for value in source.value]
        element = source.type.of if isinstance(source.type, List) else UNKNOWN
        unique = (
            checker.bind_new(binding.binder, element, binding.binder_span or span, "loop")
            if binding.binder
            else checker.bind("it", element, span, "loop")
        ).unique
        each = Select(span, List(NUMBER), self.worth(line), unique, source, None, ())
        return [ScoreLine(line.name, Apply(span, NUMBER, TOTAL, (each,)))]

    def member_line(self, line: ScoreLineDefinition, type: Type, value: int) -> ScoreLine:
        """The line for one member."""
        self.fresh()
        checker, span, binding = self.checker, line.span, line.for_
        assert binding is not None
        word = binding.binder or "it"
        local = checker.bind(word, type, binding.binder_span or span, "loop")
        local.constant = value
        return ScoreLine(line.name, self.worth(line), (type, value))

    def worth(self, line: ScoreLineDefinition) -> Expression:
        """The points of a line, none where its `when` does not hold."""
        checker = self.checker
        condition, yes = (None, {}) if line.when is None else checker.condition(line.when)[:2]
        what = f"the points of '{line.name}'"
        points = checker.under(
            yes, lambda: checker.coerce(checker.expr(line.points, NUMBER), NUMBER, line.points, what)
        )
        checker.in_function = False
        if condition is None:
            return points
        return Apply(line.span, NUMBER, CONDITIONAL, (points, condition, known_number(line.span, 0)))

    def winner(self, winner: WinnerDefinition) -> Winner:
        """Who wins."""
        self.fresh()
        checker = self.checker
        points = checker.bind("points", NUMBER, winner.span, "parameter")
        points.unique = "points"
        if winner.rule == "when":
            condition = checker.condition(winner.value)[0]
            checker.in_function = False
            return Winner("when", (condition,))
        key = [
            checker.coerce(checker.expr(v, NUMBER), NUMBER, v, "what decides who wins")
            for v in (winner.value, *winner.then)
        ]
        if winner.rule == "least":
            key[0] = Apply(key[0].span, NUMBER, NEGATE, (key[0],))
        checker.in_function = False
        return Winner(winner.rule, tuple(key))
