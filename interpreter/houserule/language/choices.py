"""Questions: choices of one thing, of several things, and of selections."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from houserule.diagnostics import ABOVE, Fix, Span
from houserule.language import checked as c
from houserule.language import nodes
from houserule.language import types as ty
from houserule.language.blocks import branch, forbid_change, new_label, statements_in, text_parts
from houserule.language.calls import still_in
from houserule.language.dispatch import condition
from houserule.language.fitting import coerce, number_expr, snapshot, typed_expr
from houserule.language.format import format
from houserule.language.lists import Level, carried_over, combined, element_type, list_expr, members, never_empty, once
from houserule.language.operators import present
from houserule.language.scope import (
    LINE,
    QUESTION,
    TOGETHER,
    Context,
    Name,
    Narrowings,
    bind_member,
    bind_new,
    fresh_name,
    global_place,
    use_me,
)
from houserule.language.trees import expressions


def offered(context: Context, name: str, node: nodes.Expression) -> tuple[c.Expression, ty.Type, Level | None]:
    """What one thing is chosen from, its type, and the narrowings of it."""
    source, level = members(context.inner(chosen=name), node)
    if isinstance(source.type, ty.Unknown):
        source = c.Constant(source.span, ty.List(ty.UNKNOWN), ())
    element = element_type(source)
    if isinstance(element, ty.Maybe):
        context.error(
            "HR520", "some of the options may be none", node.span, "leave those out: `… where …`", follows_from=(ABOVE,)
        )
        element = element.of
    return source, element, level


def offered_together(context: Context, node: nodes.Choose) -> tuple[c.Expression, ty.Tuple, list[Level]]:
    """What several things are chosen from: each of the first list combined with each of the next, which may depend on it.

    The narrowings of each part are returned under the name that it has in the lists.
    """
    levels: list[Level] = []
    types: list[ty.Type] = []
    inside = context
    for part in parts_of(node):
        source, element, shown = offered(inside, part.name, part.source)
        inside = inside.inner()
        local = bind_new(inside, part.name, element, part.name_span, "binder")
        known = carried_over(shown, local) if shown is not None else {}
        inside.scope.narrow(known)
        types.append(element)
        levels.append(Level(part.source.span, once(snapshot(source)), local, None, known))
    type = tuple_of(context, types)
    parts = [c.Local(level.span, element, level.local.unique) for level, element in zip(levels, types, strict=True)]
    return combined(levels, packed(node.span, parts, type), type), type, levels


def parts_of(node: nodes.Choose) -> tuple[nodes.ChosenPart, ...]:
    return (nodes.ChosenPart(node.source.span, node.name, node.name_span, node.source), *node.also)


def tuple_of(context: Context, types: Sequence[ty.Type]) -> ty.Tuple:
    """The type of tuples of values of these types; numbers without bounds have those of `int`."""
    domains = [context.symbols.domain(type) or range(ty.LEAST, ty.GREATEST + 1) for type in types]
    return ty.Tuple(tuple(types), tuple(d.start for d in domains), tuple(len(d) for d in domains))


def packed(span: Span, parts: Iterable[c.Expression], type: ty.Tuple) -> c.Expression:
    """The number of a tuple of these parts."""
    made: c.Expression = c.known_number(span, 0)
    for part, low, size in zip(parts, type.lows, type.sizes, strict=True):
        limits = c.known_number(part.span, low), c.known_number(part.span, size)
        made = c.Apply(part.span, type, ty.PACKED, (made, part, *limits))
    return made


def unpacked(span: Span, whole: c.Expression, type: ty.Tuple, place: int, element: ty.Type) -> c.Expression:
    """A part of such a number."""
    known = prod(type.sizes[place:][1:]), type.sizes[place], type.lows[place]
    return c.Apply(span, element, ty.UNPACKED, (whole, *(c.known_number(span, number) for number in known)))


def taken_apart(span: Span, answer: str, type: ty.Tuple, names: Sequence[Name], is_sure: bool) -> c.Body:
    """The statements that give each name its part of an answer, or none if there may be no answer."""
    found: list[c.SetLocal] = []
    whole = c.Local(span, type if is_sure else ty.maybe(type), answer)
    for place, (name, element) in enumerate(zip(names, type.of, strict=True)):
        part = unpacked(span, whole, type, place, element)
        if not is_sure:
            nothing = c.Constant(span, ty.NO_VALUE, ty.none_of(element))
            part = c.Apply(span, ty.maybe(element), ty.CONDITIONAL, (part, present(whole), nothing))
        found.append(c.SetLocal(span, name.unique, part))
    return tuple(found)


def who_may_pass(context: Context, node: nodes.Choose | nodes.Menu) -> tuple[c.Expression, c.Expression | None]:
    """Who chooses, and the condition for passing, if there is one."""
    chooser = who_chooses(context, node.chooser, node.span)
    return chooser, condition(context, node.pass_when)[0] if node.pass_when is not None else None


def only_when(context: Context, ask: c.Ask, passes: c.Expression | None) -> c.Ask:
    """A question that may be passed only if that holds."""
    if passes is None:
        return ask
    strict = replace(ask.site, may_pass=False)
    context.analysis.sites.append(strict)
    return replace(ask, passes=passes, strict=strict)


ARTICLES = frozenset({"a", "an", "the", "one"})


def who_chooses(context: Context, node: nodes.Expression | None, span: Span) -> c.Expression:
    """Who chooses: me, or someone named."""
    forbid_change(context, "ask anybody", span)
    if node is None:
        return use_me(context, span)
    if context.in_together:
        context.error("HR532", "in a together everybody chooses for themselves", node.span, "choose … from …")
    return typed_expr(context, node, ty.PLAYER, "who chooses")


def new_site(
    context: Context,
    kind: str,
    name: str,
    type: ty.Type,
    node: nodes.Choose | nodes.Menu | nodes.Race,
    labels: tuple[tuple[str, c.Parts], ...] = (),
) -> c.Site:
    """A new place that asks a player."""
    may_pass, prompt = (False, None) if isinstance(node, nodes.Race) else (node.may_pass, node.prompt)
    raw, parts = (prompt.raw, text_parts(context, prompt)) if prompt else ("", ())
    spans = tuple(item.label.span for item in node.items) if isinstance(node, nodes.Menu) else ()
    names = tuple(part.name for part in parts_of(node)) if isinstance(node, nodes.Choose) and node.also else ()
    made = c.Site(kind, name, type, node.span, may_pass, raw, parts, labels, spans, names, step=context.step_path)
    if not isinstance(node, nodes.Race) and begins_with_say(node.otherwise):
        made.spoken_for = frozenset((-1,))
    context.analysis.sites.append(made)
    context.analysis.budget.spend(QUESTION + LINE * len(labels), node.span)
    return made


def choose(context: Context, node: nodes.Choose) -> list[c.Statement]:
    """`choose card from S …`."""
    node = without_article(context, node)
    span, name = node.span, node.name
    chooser, passes = who_may_pass(context, node)
    element: ty.Type
    shown: list[Level]
    if node.also:
        source, element, shown = offered_together(context, node)
        name = ", ".join(part.name for part in parts_of(node))
    else:
        source, element, level = offered(context, node.name, node.source)
        shown = [level] if level is not None else []
    low, high = how_many(context, node.count) if node.count is not None else (None, None)
    always_some = never_empty(source, context.symbols.players) and not node.may_pass
    if not node.also:
        source = once(snapshot(source))
    site = new_site(context, "pick" if node.count is None else "several", name, element, node)
    if not node.also and not isinstance(whole := whole_list(source), c.Constant):
        site.whole = (whole,)
        site.counted = replace(site)
    is_sure = node.count is not None or (always_some and never_empty(source))
    if node.body is None:
        answer, parts, _ = named(context, node, source, element, is_sure)
        if always_some and not is_sure and not node.also:  # testing the name all the same is no mistake
            context.scope.narrow({f"={answer}": element})
        context.scope.forget_state()
        return [only_when(context, c.Ask(span, site, chooser, source, (), low, high, answer), passes), *parts]
    context.scope.forget_state()
    inside = context.inner()
    answer, parts, names = named(inside, node, source, element, is_sure=True)
    for level, made in zip(shown, names, strict=False) if node.count is None else ():
        inside.scope.narrow(carried_over(level, made))
    body, after = branch(inside, node.body, {})
    otherwise, end = branch(context, node.otherwise, {})
    context.scope.meet(after, end)
    ask = only_when(context, c.Ask(span, site, chooser, source, (), low, high, answer), passes)
    value = c.Local(span, ty.maybe(element), answer)
    if node.count is not None:
        return [ask, c.Branch(span, c.Apply(span, ty.BOOL, ty.ANY_LIE, (value,)), body, otherwise)]
    return [ask, *parts, *body] if always_some else [ask, c.Branch(span, present(value), (*parts, *body), otherwise)]


def named(
    context: Context, node: nodes.Choose, source: c.Expression, element: ty.Type, is_sure: bool
) -> tuple[str, c.Body, list[Name]]:
    """The local for the answer, the statements that split it among several names, and the names."""
    if isinstance(element, ty.Tuple):
        answer = fresh_name(context, "answer")
        names = [
            bind_new(context, part.name, of if is_sure else ty.maybe(of), part.name_span, "choose")
            for part, of in zip(parts_of(node), element.of, strict=True)
        ]
        return answer, taken_apart(node.span, answer, element, names, is_sure), names
    most = source.type.most if isinstance(source.type, ty.List) else None
    type = element if node.count is None else ty.List(element, most)
    made = bind_new(context, node.name, type if is_sure else ty.maybe(type), node.name_span, "choose")
    return made.unique, (), [made]


def how_many(context: Context, node: nodes.Expression) -> tuple[c.Expression, c.Expression]:
    """The fewest and the most that may be chosen."""
    if not isinstance(node, nodes.Range):
        count = number_expr(context, node)
        see_range(context, node, count)
        return count, count
    low, high = number_expr(context, node.low), number_expr(context, node.high)
    match low.type, high.type:
        case ty.Int(low=fewest), ty.Int(high=most) if fewest > most:
            message = f"this range is empty: {fewest} is greater than {most}"
            context.error("HR550", message, node.span, "the smaller number comes first")
    return low, high


def see_range(context: Context, node: nodes.Expression, count: c.Expression) -> None:
    """Report `0-3` before a name, which is always negative or 0: a range was meant."""
    match node, count.type:
        case nodes.Binary(operator="-", left=nodes.Number(value=least), right=right), ty.Int(high=most):
            if most <= 0 or least == 0:
                message = f"'{format(node)}' is a difference, so nothing is ever chosen"
                context.error("HR550", message, node.span, f"a range has two dots: {least}..{format(right)}")


def without_article(context: Context, node: nodes.Choose) -> nodes.Choose:
    """`choose a card from S`: a name where a number can stand was meant as an article."""
    count = node.count
    if not isinstance(count, nodes.Name) or count.id.lower() not in ARTICLES:
        return node
    if context.scope.find(count.id) is not None or global_place(context, count.id) is not None:
        return node
    article = replace(count.span, end_line=node.name_span.line, end_column=node.name_span.column)
    context.report.error(
        "HR501",
        f"'{count.id}' would be a number here; what is chosen has a name without an article",
        count.span,
        f"choose {node.name} from …",
        fix=Fix(article, "") if article.line == article.end_line else None,
    )
    return replace(node, count=None)


@dataclass(slots=True, eq=False)
class Line:
    """A line of a menu: the parts of its label, its condition, what that shows, and the list of its values, if it has one."""

    node: nodes.MenuItem
    parts: c.Parts
    when: c.Expression | None
    shown: Narrowings
    level: Level | None = None
    by: tuple[c.Expression, ...] = ()
    slot: int = -1


def menu(context: Context, node: nodes.Menu) -> list[c.Statement]:
    """A menu: the answer is the number of a line, or, where lines have values, the values and the line packed into one number."""
    span = node.span
    chooser, passes = who_may_pass(context, node)
    lines = [menu_line(context, item) for item in node.items]
    check_labels(context, node)
    has_values = any(line.level for line in lines)
    type = type_of_values(context, lines) if has_values else ty.Int(0, max(0, len(lines) - 1))
    site = new_site(context, "menu", "", type, node, tuple((line.node.label.raw, line.parts) for line in lines))
    site.spoken_for |= frozenset(number for number, item in enumerate(node.items) if is_spoken_for(item))
    unique = fresh_name(context, "line")
    context.scope.forget_state()
    branches = [line_body(context, line, unique, type) for line in lines]
    otherwise, end = branch(context, node.otherwise, {})
    context.scope.meet(*(after for _, after in branches), end)
    bodies = [body for body, _ in branches]
    if not isinstance(type, ty.Tuple):
        whens = tuple(line.when for line in lines)
        is_sure = not node.may_pass and not otherwise and not any(whens)
        chain = carried_out(span, c.Local(span, ty.Int(ty.NONE, len(lines)), unique), bodies, otherwise, is_sure)
        return [only_when(context, c.Ask(span, site, chooser, None, whens, None, None, unique), passes), *chain]
    site.values = tuple(map(said_of, lines))
    site.whole = tuple(whole_list(line.level.source) for line in lines if line.level is not None)
    site.counted = replace(site)
    site.slots = {number: line.slot for number, line in enumerate(lines) if line.level is not None}
    taken = unpacked(span, c.Local(span, type, unique), type, -1, ty.Int(0, len(lines)))
    chain = carried_out(span, taken, bodies, otherwise, is_sure=False)
    ask = c.Ask(span, site, chooser, options_of(span, lines, type), (), None, None, unique)
    return [only_when(context, ask, passes), *chain]


def check_labels(context: Context, node: nodes.Menu) -> None:
    """Report a label that stands twice in a menu, unless both lines stand for values, which may differ."""
    said: dict[str, nodes.MenuItem] = {}
    for item in node.items:
        other = said.setdefault(item.label.raw, item)
        if other is not item and (item.values is None or other.values is None):
            context.error("HR543", f"this menu has '{item.label.raw}' twice", item.label.span)


def menu_line(context: Context, item: nodes.MenuItem) -> Line:
    test: c.Expression | None = None
    shown: Narrowings = {}
    if item.values is None:
        if item.when is not None:
            test, shown, _ = condition(context, item.when)
        return Line(item, text_parts(context, item.label), test, shown)
    source, _, level = offered(context, item.values.binder or "it", item.values)
    assert level is not None
    level.source = once(snapshot(level.source))
    inside = context.inner()
    inside.scope.add(level.local)
    inside.scope.narrow(level.shown)
    if item.when is not None:
        test, shown, _ = condition(inside, item.when)
        inside.scope.narrow(shown)
        level.shown = {**level.shown, **shown}
        if all(not isinstance(one, c.Local) or one.name != level.local.unique for one in expressions(test)):
            level.source = only_if(test, level.source)
        elif level.where is None:
            level.where = test
        else:
            level.where = c.Apply(item.when.span, ty.BOOL, ty.AND, (level.where, test))
    parts = text_parts(inside, item.label)
    for part in parts:
        if not isinstance(part, str) and isinstance(part.type, ty.List):
            context.error("HR510", "a line for each value of a list cannot read out another list", part.span)
    by = source.by if isinstance(source, c.Select) else ()
    return Line(item, parts, None, {}, level, by)


def type_of_values(context: Context, lines: Sequence[Line]) -> ty.Tuple:
    """The type of the answers: values of each type that the lines have, and the line. All numbers share one place."""
    types: list[ty.Type] = []
    for line in lines:
        if line.level is None:
            continue
        element = element_type(line.level.source)
        element = element.of if isinstance(element, ty.Maybe) else element
        if isinstance(element, ty.Unknown):
            element = ty.Int(0, 0)
        line.slot = next((at for at, type in enumerate(types) if shares(type, element)), len(types))
        if line.slot == len(types):
            types.append(element)
        elif isinstance(element, ty.Int) and isinstance(type := types[line.slot], ty.Int):
            types[line.slot] = ty.Int(min(type.low, element.low), max(type.high, element.high))
    plain = tuple_of(context, [*types, ty.Int(0, len(lines))])
    # Where a line has no piece, the place for one is empty: the first piece of its kind would be exchanged with others.
    of = tuple(ty.maybe(type) if isinstance(type, ty.Piece) else type for type in plain.of)
    ends = [low + size for low, size in zip(plain.lows, plain.sizes, strict=True)]
    lows = tuple(ty.NONE if isinstance(type, ty.Maybe) else low for type, low in zip(of, plain.lows, strict=True))
    return ty.Tuple(of, lows, tuple(end - low for end, low in zip(ends, lows, strict=True)))


def shares(type: ty.Type, other: ty.Type) -> bool:
    return type == other or (isinstance(type, ty.Int) and isinstance(other, ty.Int))


def options_of(span: Span, lines: Sequence[Line], type: ty.Tuple) -> c.Expression:
    """The list of the answers that are offered."""
    made: c.Expression | None = None
    for number, line in enumerate(lines):
        if line.level is None:
            last = type.whole([*type.lows[:-1], number])
            one: c.Expression = c.Constant(line.node.span, ty.List(type, 1), (last,))
            one = only_if(line.when, one) if line.when is not None else one
        else:
            one = line.level.select(answer_of(line, number, type), type, line.by)
        made = one if made is None else c.Apply(span, ty.List(type), ty.JOINED, (made, one))
    assert made is not None
    return made


def only_if(test: c.Expression, listed: c.Expression) -> c.Expression:
    """A list if a condition holds, else an empty one; the list is worked out only then."""
    empty = c.Constant(test.span, replace(listed.type, most=0) if isinstance(listed.type, ty.List) else listed.type, ())
    return c.Apply(test.span, listed.type, ty.CONDITIONAL, (listed, test, empty))


def answer_of(line: Line, number: int, type: ty.Tuple) -> c.Expression:
    """The answer that takes a line with its value."""
    assert line.level is not None
    span = line.level.span
    parts: list[c.Expression] = [c.known_number(span, low) for low in (*type.lows[:-1], number)]
    parts[line.slot] = c.Local(span, element_type(line.level.source), line.level.local.unique)
    return packed(span, (replace(part, type=of) for part, of in zip(parts, type.of, strict=True)), type)


def said_of(line: Line) -> tuple[c.Expression, ...]:
    """The values of a line, as a list, and lists of those that its label says of each; without values, those of the label."""
    level = line.level
    parts = [part for part in line.parts if not isinstance(part, str)]
    if level is None:
        return tuple(parts)
    own = c.Local(level.span, element_type(level.source), level.local.unique)
    return tuple(level.select(part, part.type, line.by) for part in (own, *parts))


def whole_list(source: c.Expression) -> c.Expression:
    """A list before anything is left out of it, sorted or counted once: empty only if there is nothing at all."""
    while True:
        match source:
            case c.Select(value=None, source=inner):
                source = inner
            case c.Apply(operator=ty.SNAPSHOT | ty.DISTINCT, arguments=(inner,)):
                source = inner
            case c.Apply(operator=ty.CONDITIONAL, arguments=(inner, _, c.Constant(value=()))):
                source = inner
            case _:
                return source


def line_body(context: Context, line: Line, unique: str, type: ty.Type) -> tuple[c.Body, Mapping[str, ty.Type] | None]:
    """What is done when a line is chosen; its value has its name there."""
    level = line.level
    if level is None or not isinstance(type, ty.Tuple):
        return branch(context, telling(line.node), {k: t for k, t in line.shown.items() if k.startswith("=")})
    inside, span = context.inner(), level.span
    element = element_type(level.source)
    name = bind_new(inside, level.local.word, element, level.local.span, "choose")
    inside.scope.narrow({k: t for k, t in carried_over(level, name).items() if k.startswith("=")})
    body, after = branch(inside, telling(line.node), {})
    value = unpacked(span, c.Local(span, type, unique), type, line.slot, element)
    return (c.SetLocal(span, name.unique, value), *body), after


def is_spoken_for(item: nodes.MenuItem) -> bool:
    """Whether a line of a menu says itself what is told of it: with `tell`, or because its effect begins with `say`."""
    return item.told is not None or begins_with_say(item.body)


def begins_with_say(body: nodes.Block | None) -> bool:
    """Whether the first that an effect does is to say something to all."""
    first = body.statements[0] if body is not None else None
    return isinstance(first, nodes.Say) and first.to is None


def telling(item: nodes.MenuItem) -> nodes.Block:
    """The effect of a line, which begins with the sentence that is told of it."""
    if item.told is None or not item.told.raw:
        return item.body
    said = nodes.Say(item.told.span, None, item.told)
    return replace(item.body, statements=(said, *item.body.statements))


def carried_out(span: Span, taken: c.Expression, bodies: list[c.Body], otherwise: c.Body, is_sure: bool) -> c.Body:
    """The statements for each line of a menu; the last one needs no test if some line is always chosen."""
    chain = otherwise
    for number, body in reversed(list(enumerate(bodies))):
        if is_sure and number == len(bodies) - 1:
            chain = body
        else:
            test = c.Apply(span, ty.BOOL, ty.EQUAL, (taken, c.known_number(span, number)))
            chain = (c.Branch(span, test, body, chain),)
    return chain


def together_statement(context: Context, node: nodes.Together) -> list[c.Statement]:
    return together(context, node, lambda inside: statements_in(inside, node.body))


def together(
    context: Context, node: nodes.Together | nodes.Binding, work: Callable[[Context], c.Body]
) -> list[c.Statement]:
    """Each player separately, unseen; `work` makes the body."""
    span = node.span
    context.analysis.budget.spend(TOGETHER, span)
    forbid_change(context, "ask anybody", span)
    if context.in_together:
        context.error("HR532", "a together is not allowed in a together", span)
    listed = coerce(context, list_expr(context, node.source), ty.List(ty.PLAYER), node.source, "who acts together")
    source = still_in(context, listed)
    inside = context.inner()
    inside.scope.forget_state()  # narrowings may hold for another `me` only
    if node.binder is not None:
        unique = bind_new(inside, node.binder, ty.PLAYER, node.binder_span or span, "loop").unique
    else:
        unique = fresh_name(inside, "me")
    label = new_label(context, "together")
    me = c.Local(span, ty.PLAYER, unique)
    body = work(inside.inner(me=me, me_inherited=False, in_together=True, finish=label, loops=()))
    context.scope.forget_state()
    return [c.Together(span, unique, source, body, label)]


def race(context: Context, node: nodes.Race) -> list[c.Statement]:
    """Who slaps, fastest first."""
    forbid_change(context, "start a race", node.span)
    if context.in_together:
        context.error("HR532", "a race is not allowed in a together", node.span)
    listed = coerce(context, list_expr(context, node.source), ty.List(ty.PLAYER), node.source, "who may slap")
    entrants = still_in(context, listed)
    must: c.Expression = c.Constant(node.span, ty.List(ty.PLAYER), ())
    if node.must is not None:
        inside = context.inner()
        local = bind_member(inside, node, ty.PLAYER, node.span, "binder")
        test = condition(inside, node.must)[0]
        must = c.Select(node.span, ty.List(ty.PLAYER), None, local.unique, entrants, test, ())
    site = new_site(context, "race", node.result, ty.PLAYER, node)
    context.scope.forget_state()
    made = bind_new(context, node.result, ty.List(ty.PLAYER, context.symbols.players), node.result_span, "choose")
    return [c.Race(node.span, site, entrants, must, made.unique)]
