"""What can be called, who calls whom, and triggers and windows lowered into actions, in the effect language's own nodes.

Windows are moments at which players may step in; each becomes an action that asks them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache

from houserule.definition.constants import Draft, evaluated, known, lent, parameters_of, wanted, what_changes
from houserule.definition.model import ActionDefinition, CallableDefinition, GameDefinition, WindowDefinition
from houserule.diagnostics import Related, Report, Span
from houserule.language import checked as c
from houserule.language import nodes
from houserule.language import types as ty
from houserule.language.computed import OF_EACH, Computed
from houserule.language.dispatch import expr
from houserule.language.fitting import snapshot
from houserule.language.footprints import Footprints, circles, leading_to, reached
from houserule.language.scope import bind
from houserule.language.symbols import SymbolTable, Trigger
from houserule.language.trees import refilled_by, statements, walk
from houserule.printable import capital

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
    people = nodes.Call(span, nodes.Name(span, "count"), (nodes.Name(span, PEOPLE),))
    test = nodes.Compare(span, nodes.Name(span, PASSED), "<", people)
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
    return nodes.MenuItem(action.span, action.label or label_of(action), values, action.when, action.told, done)


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


def spoken(name: str) -> str:
    words = name.replace("_", " ")
    return capital(words)


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
        if not action.windows and (action.for_ or action.when or action.label or action.told) is not None:
            message = f"'{action.name}' is in no window, so nobody is offered it"
            report.error("HR213", message, action.span, "in: the name of a window")


def actions(all: Iterable[CallableDefinition]) -> Iterator[ActionDefinition]:
    return (one for one in all if isinstance(one, ActionDefinition))


def declare_routines(draft: Draft) -> None:
    """Give each function, action, effect and trigger its parameters and its source."""
    game, symbols = draft.game, draft.symbols
    for section, target in ((game.functions, symbols.functions), (game.actions, symbols.actions)):
        for definition in section.values():
            parameters, is_function = parameters_of(draft, definition), section is game.functions
            made = c.Routine(definition.name, parameters, definition.span, is_function, definition.body)
            target[definition.name] = made
    declare_windows(draft)
    for name in draft.lent & symbols.functions.keys():
        symbols.functions[name].uses += 1
    if game.eliminated is not None:
        check_key(draft, "eliminated", game.eliminated)
        declare_of_me(draft, "eliminated", game.eliminated)
    if game.teams is not None:
        declare_teams(draft, game.teams)
    declare_effects(draft)
    declare_computed(draft)
    for name, trigger in game.triggers.items():
        block = trigger.body
        if trigger.when is not None:
            block = nodes.Block(block.span, (nodes.If(trigger.when.span, trigger.when, block, None),))
        given = event_parameters(draft, trigger.event)
        routine = c.Routine(f"trigger {name}", given, trigger.span, source=block, is_trigger=True)
        symbols.add_trigger(Trigger(name, len(symbols.triggers), trigger.event, routine))
    for window in game.windows.values():
        for event in window.opens:
            open_at(draft, window, event)


def declare_windows(draft: Draft) -> None:
    """Declare each window as an action that asks the players in it."""
    game, symbols = draft.game, draft.symbols
    check_entries(game, draft.report)
    for window in game.windows.values():
        if window.name in symbols.actions:
            related = [Related("the action is here", symbols.actions[window.name].span)]
            message = f"'{window.name}' is already the name of an action"
            draft.report.error("HR504", message, window.span, "choose another name", related)
            continue
        parameters, source = parameters_of(draft, window), asking(game, window, draft.report)
        symbols.actions[window.name] = c.Routine(window.name, parameters, window.span, source=source, is_window=True)


def open_at(draft: Draft, window: WindowDefinition, event: nodes.Event) -> None:
    """Open a window before or after an action."""
    if event.happening not in ("before", "after"):
        message = "a window opens by itself before or after an action"
        draft.report.error("HR563", message, event.span, "a trigger can open it: do: perform …")
        return
    performed = nodes.Perform(event.span, None, nodes.Name(event.span, window.name), ())
    source = nodes.Block(event.span, (performed,))
    name = f"{window.name} {event.happening} {event.place}"
    routine = c.Routine(f"trigger {name}", event_parameters(draft, event), event.span, source=source, is_trigger=True)
    draft.symbols.add_trigger(Trigger(name, len(draft.symbols.triggers), event, routine))


def check_key(draft: Draft, name: str, source: nodes.Expression) -> None:
    """Check that no function has the name of a key that is one."""
    other = draft.symbols.functions.get(name)
    if other is not None:
        related = [Related("the function is here", other.span)]
        draft.report.error("HR504", f"with this key '{name}' is a function already", source.span, None, related)


def declare_of_me(draft: Draft, name: str, source: nodes.Expression) -> c.Routine:
    """Declare a key as a function of a player."""
    parameters = (c.Parameter(ty.PLAYER, "me", source.span),)
    made = c.Routine(name, parameters, source.span, is_function=True, source=source, uses=1, is_of_me=True)
    draft.symbols.functions[name] = made
    return made


def declare_teams(draft: Draft, source: nodes.Expression) -> None:
    """Declare who plays with whom: as a table if it is known before the game, else as a function of a player."""
    symbols, report = draft.symbols, draft.report
    check_key(draft, "teams", source)
    functions = wanted(draft.game.functions, source)
    for name in functions:
        symbols.functions[name].uses += 1
    inner = lent(
        replace(draft, analysis=replace(draft.analysis, report=Report())), functions
    )  # a function reports itself
    context = inner.analysis.context()
    unique = bind(context, "me", ty.PLAYER, source.span, "binder").unique
    found = snapshot(expr(context, source))
    is_fixed = not what_changes(found) and is_team(found.type) and not inner.report.found
    players = range(symbols.players) if is_fixed else ()
    teams = [evaluated(inner, found, {unique: seat}, "the team of a player", source.span) for seat in players]
    values = tuple(team for team in teams if isinstance(team, int))
    if is_fixed and len(values) == symbols.players:
        symbols.teams = c.Table("teams", source.span, (ty.PLAYER,), (0,), values, found.type, uses=1)
        return
    symbols.teams = declare_of_me(draft, "teams", source)
    symbols.teams.result = found.type if not isinstance(found.type, ty.Unknown) else None
    if not is_team(found.type):
        message = f"'teams' says which team a player belongs to, not {found.type}"
        report.error("HR510", message, source.span, "a member, a number or a player, the same for all partners")


def is_team(type: ty.Type) -> bool:
    """Whether the values of a type can stand for teams."""
    return isinstance(ty.plain(type), ty.Member | ty.Int | ty.Player | ty.Unknown)


def declare_effects(draft: Draft) -> None:
    """Give each effect of a member its source; all copies of a piece have the same."""
    for definition in draft.game.kinds.values():
        kind = draft.symbols.kinds[definition.name]
        for signature in definition.effects:
            if signature.otherwise is not None:
                what = f"what '{signature.name}' gives"
                kind.effects[signature.name].otherwise = known(draft, signature.otherwise, ty.UNKNOWN, what)
        numbers = numbers_by_id(kind)
        for member in definition.members:
            for effect, block in member.effects.items():
                slot = kind.effects[effect]
                name, span = f"{kind.name}.{member.name}.{effect}", member.key_spans[effect]
                body = c.Routine(name, slot.parameters, span, source=block, this=kind.type, otherwise=slot.otherwise)
                slot.bodies.update(dict.fromkeys(numbers.get(member.name, ()), body))


def numbers_by_id(kind: c.Kind) -> dict[str, list[int]]:
    """The numbers of the copies of each piece, or of each member, by its name."""
    found: dict[str, list[int]] = {}
    for number, id in enumerate(kind.ids):
        found.setdefault(id, []).append(number)
    return found


def declare_computed(draft: Draft) -> None:
    """Give each kind its functions, those of its members, and what these add to others."""
    for definition in draft.game.kinds.values():
        kind = draft.symbols.kinds[definition.name]
        of_this = (c.Parameter(kind.type, "this", definition.span),)
        numbers = numbers_by_id(kind)
        for name, written in definition.functions.items():
            own: dict[int, c.Routine] = {}
            for member in definition.members:
                if name in member.functions:
                    place, body = f"{kind.name}.{member.name}.{name}", member.functions[name]
                    one = c.Routine(place, of_this, member.key_spans[name], True, body, this=kind.type)
                    own.update(dict.fromkeys(numbers.get(member.name, ()), one))
            path = f"{kind.name}.{name}"
            default = c.Routine(path, of_this, written.span, True, written.body, this=kind.type)
            parts = Computed(kind, name, default, own, written.bonuses)
            made = c.Routine(f"{path}{OF_EACH}", of_this, written.span, True, this=kind.type, composed=parts)
            kind.functions[name] = made
        for member in definition.members:
            for name, added in member.bonus.items():
                given = dict.fromkeys(numbers.get(member.name, ()), (member.name, added))
                kind.bonuses.setdefault(name, {}).update(given)


def event_parameters(draft: Draft, event: nodes.Event) -> tuple[c.Parameter, ...]:
    """The names that an event gives its trigger."""
    symbols, place = draft.symbols, event.place
    if event.happening in ("leaves", "enters"):
        zone = symbols.zones.get(place)
        if zone is None:
            draft.report.misnamed("HR501", f"there is no zone '{place}'", event.place_span, place, symbols.zones)
            return tuple(c.Parameter(ty.UNKNOWN, name, event.span) for name in (event.subject, *event.of) if name)
        zone.uses += 1
        word = event.subject
        subject = () if word is None else (c.Parameter(zone.piece, word, event.span.first(len(word))),)
        return (*subject, *index_names(draft, event, zone))
    if event.happening == "changes":
        variable = symbols.variables.get(place)
        if variable is None:
            draft.report.misnamed(
                "HR501", f"there is no variable '{place}'", event.place_span, place, symbols.variables
            )
            return tuple(c.Parameter(ty.UNKNOWN, name, event.span) for name in ("old", *event.of))
        variable.uses += 1
        if variable.positions:
            message = f"'{place}' has a value per position, so no trigger can wait for it"
            draft.report.error("HR528", message, event.place_span, "do it where the variable is set")
        return (c.Parameter(variable.type, "old", event.span), *index_names(draft, event, variable))
    if place not in symbols.actions:
        draft.report.misnamed("HR503", f"there is no action '{place}'", event.place_span, place, symbols.actions)
    # The type of a result is unknown until the action has been checked.
    return (c.Parameter(ty.UNKNOWN, event.result, event.span),) if event.result is not None else ()


def index_names(draft: Draft, event: nodes.Event, family: c.Family) -> tuple[c.Parameter, ...]:
    """The names that `of p` gives the indices of a family."""
    wanted = len(family.parameters)
    if event.of and len(event.of) != wanted:
        message = f"'{family.name}' has {wanted or 'no'} {'index' if wanted == 1 else 'indices'}, not {len(event.of)}"
        draft.report.error("HR511", message, event.place_span, related=[Related("declared here", family.span)])
        return ()
    return tuple(c.Parameter(p.type, name, event.span) for name, p in zip(event.of, family.parameters, strict=False))


Calls = Iterable[tuple[c.Routine | None, c.Routine, Span, bool]]
"""The calls that pass `me` on: caller, callee, place, and whether there is a `me` there."""


def find_needs(done: Footprints, symbols: SymbolTable, calls: Calls, report: Report) -> None:
    """Note for each routine whether it needs a `me`, asks somebody, or is recursive."""
    find_need_of_me(list(calls), report)
    find_asking(done, symbols)
    check_imagined(done, symbols, report)
    for circle in circles(done, lambda routine: done[routine].called if routine in done else ()):
        for routine in circle:
            routine.recursive = True


def find_need_of_me(calls: list[tuple[c.Routine | None, c.Routine, Span, bool]], report: Report) -> None:
    """Note which routines need a `me` because of what they call; report calls where there is none."""
    onward = [(caller, callee) for caller, callee, _, _ in calls if caller is not None]
    for routine in leading_to((callee for _, callee in onward if callee.needs_me), onward):
        routine.needs_me = True
    for _, callee, span, has_me in calls:
        if callee.needs_me and not has_me:
            message = f"'{callee.name}' needs a 'me', and nobody is 'me' here"
            related = [Related("declared here", callee.span)]
            report.error(
                "HR530", message, span, "`as p: …` makes p me inside", related, follows_from=("turns", "together")
            )


def find_asking(done: Footprints, symbols: SymbolTable) -> None:
    """Note which routines ask somebody: themselves, in what they call, or in a trigger that they set off.

    Triggers wait in one queue, the node None here: if one trigger asks, every statement that may set off a trigger may ask.
    """
    onward: list[tuple[c.Routine | None, c.Routine | None]] = [(None, trigger.routine) for trigger in symbols.triggers]
    for routine, one in done.items():
        onward += [(routine, callee) for callee in one.called]
        waiting = one.triggers(symbols) if routine.sets_off_triggers else ()
        onward += [(routine, trigger.routine if trigger.is_around_action else None) for trigger in waiting]
    asking: list[c.Routine | None] = [routine for routine, one in done.items() if one.asks or routine.asks]
    for asker in leading_to(asking, onward):
        if asker is not None:
            asker.asks = True


def check_imagined(done: Footprints, symbols: SymbolTable, report: Report) -> None:
    """Report effects under `imagine` that ask somebody or use chance, themselves or in what they set off."""
    if not symbols.imagined:
        return
    onward = [(routine, other) for routine, one in done.items() for other in one.onward(symbols)]
    own = {routine: why for routine in done if (why := reason_against(routine)) is not None}
    asking = {
        routine: (routine.span, f"'{routine.name}' may set off a trigger that asks somebody")
        for routine in done
        if routine.asks and not routine.imagined_in
    }
    said: set[c.Routine] = set()
    for reasons in (own, asking):
        way = leading_to(reasons, onward)
        for routine in symbols.imagined:
            if routine not in way or routine in said:
                continue
            said.add(routine)
            at = routine
            while (nearer := way[at]) is not None:
                at = nearer
            span, reason = reasons[at]
            help = "an effect that is imagined asks nobody, and all of it is known"
            related = [Related("that is here", span)]
            report.error("HR544", f"this cannot be imagined: {reason}", routine.span, help, related)


def reason_against(routine: c.Routine) -> tuple[Span, str] | None:
    """The statement that prevents a routine from being imagined, and why; None if there is none."""
    for statement in statements(routine.body or ()):
        match statement:
            case c.Ask() | c.Race():
                return statement.span, "somebody would be asked"
            case c.Together():
                return statement.span, "players would act together"
            case c.Act(operator=operator) if operator.doing.uses_chance:
                return statement.span, f"'{operator.name}' leaves it to chance"
            case c.Act() if (refilled := refilled_by(statement)) is not None:
                return statement.span, f"'{refilled.name}' is shuffled when it is refilled"
            case _:
                pass
    return None


def check_triggers(done: Footprints, symbols: SymbolTable, report: Report) -> None:
    """Warn of triggers that set each other off without an end; one alone never restarts itself."""
    waiting = symbols.waiting

    def onward(at: c.Routine | c.Occasion) -> Iterable[c.Routine | c.Occasion]:
        if not isinstance(at, c.Routine):
            return [trigger.routine for trigger in waiting.get(at, ())]
        return (*done[at].called, *done[at].occasions) if at in done else ()

    @cache
    def sets_off(trigger: Trigger) -> list[Trigger]:
        called = reached([trigger.routine], lambda routine: done[routine].called if routine in done else ())
        found = {other for routine in called if routine in done for other in done[routine].triggers(symbols)}
        return sorted(found - {trigger}, key=lambda other: other.number)

    starts: list[c.Routine | c.Occasion] = [trigger.routine for trigger in symbols.triggers]
    in_circles = {one for circle in circles(starts, onward) for one in circle}
    said: set[Trigger] = set()
    for trigger in symbols.triggers:
        circle = shortest_circle(trigger, sets_off) if trigger.routine in in_circles and trigger not in said else []
        if circle and not said & set(circle):
            said.update(circle)
            names = " and ".join(f"'{t.name}'" for t in circle)
            message = f"triggers {names} set each other off"
            help = "use a `when:` that eventually fails, or one trigger for everything"
            related = [Related(f"'{t.name}' is here", t.routine.span) for t in circle[1:]]
            report.warning("HR581", message, trigger.routine.span, help, related)


def shortest_circle(trigger: Trigger, sets_off: Callable[[Trigger], Iterable[Trigger]]) -> list[Trigger]:
    """The shortest cycle of triggers through one of them; empty if there is none."""
    before: dict[Trigger, Trigger | None] = {trigger: None}
    waiting = [trigger]
    for one in waiting:
        for other in sets_off(one):
            if other is trigger:
                way: list[Trigger] = []
                last: Trigger | None = one
                while last is not None:
                    way.append(last)
                    last = before[last]
                return way[::-1]
            if other not in before:
                before[other] = one
                waiting.append(other)
    return []


RESULT = "0result"
"""The local with the result of an action while triggers run after it."""


def lower_triggers(symbols: SymbolTable) -> dict[c.Routine, c.Routine]:
    """Put triggers around the actions that they wait for; returns, by new routine with an author's body, its action."""
    inner: dict[c.Routine, c.Routine] = {}
    for action in symbols.actions.values():
        before = symbols.waiting.get(("before", action.name), [])
        after = symbols.waiting.get(("after", action.name), [])
        around = sorted([*before, *after], key=lambda trigger: trigger.number)
        if not around or action.body is None:
            continue
        span = action.span
        # The same body under a name that no author can give.
        authored = replace(action, name=f"{action.name} inside", is_window=False, uses=1)
        inner[authored] = action
        result = RESULT if action.result not in (None, ty.NO_VALUE) else None
        me = c.Local(span, ty.UNKNOWN, "me")
        values = tuple(c.Local(span, p.type, p.name or "") for p in action.parameters)
        body: c.Body = (c.Perform(span, authored, None, None, values, me, result),)
        for trigger in around:
            given = (c.Local(span, ty.UNKNOWN, RESULT),) if trigger.event.result is not None else ()
            known = c.known_number(span, trigger.number)
            performed = c.Perform(span, trigger.routine, None, None, given, None, None)
            guarded = c.Branch(
                span,
                c.Apply(span, ty.BOOL, ty.IDLE, (known,)),
                (c.Act(span, ty.BEGIN, (known,)), performed, c.Act(span, ty.END)),
                (),
            )
            body = (guarded, *body) if trigger.event.happening == "before" else (*body, guarded)
            action.asks |= trigger.routine.asks
        action.body = (*body, c.Return(span, c.Local(span, ty.UNKNOWN, RESULT))) if result else body
    return inner
