"""What statements show, and to whom.

Each walk takes a point and the label of the program counter, `pc`: all conditions under which the statement is reached. It moves
the point on, and returns under which labels control leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeGuard

from houserule.diagnostics import Span
from houserule.language import checked as c
from houserule.language import types
from houserule.language.trees import diverges, everything, expressions, occasions, statements
from houserule.language.types import CHAINED, PLAYER, List, Player, Shows, Tuple, element
from houserule.secrecy.acts import act, set_variable
from houserule.secrecy.labels import (
    EVERYBODY,
    NOTHING,
    PUBLIC,
    SOMEONE,
    CallSite,
    Label,
    Secret,
    Shown,
    Summary,
    Taint,
    Token,
    families,
    forgotten,
    join,
    mentions,
    part_of,
    secrets,
    without,
)
from houserule.secrecy.points import Point, Walk, come_to_light, guard, instantiate, put_always, show
from houserule.secrecy.sight import whole
from houserule.secrecy.taints import (
    call_site,
    in_line,
    is_counted,
    is_pieces,
    known_inside,
    member,
    taint,
    told,
    told_face_down,
)

Exits = dict[str, Label]
"""Under which conditions control leaves a body, by the label of the statement that is left."""
MOST_PARTED = 3
"""As many names in a block that stand for one of two players are followed to both."""


def block(at: Point, body: c.Body, pc: Label) -> Exits:
    """Walk over statements in order."""
    exits: Exits = {}
    walk = at.walk
    before = walk.released
    for place, one in enumerate(body):
        if is_either := at.search.is_exact and walk.parted < MOST_PARTED and is_either_player(one):
            found = either_way(at, one, body[place + 1 :], pc)
        else:
            found = statement(at, one, pc)
        for target, label in found.items():
            exits[target] = exits.get(target, PUBLIC) | label
            pc |= label
        if is_either:
            break
        pc = without(pc, walk.released)
    walk.released = before
    return exits


def worked_out_from(at: Point, value: c.Expression) -> str | None:
    """The local name of the piece from which alone a value takes what it hides, by what is printed."""
    names = {one.name for one in expressions(value) if isinstance(one, c.Local)}
    hiding = [name for name in names if any(at.names.get(name, NOTHING).labels)]
    return hiding[0] if len(hiding) == 1 and not isinstance(value, c.Local) and is_steady(value, set()) else None


def is_steady(node: object, called: set[c.Routine]) -> bool:
    """Whether a value, or the body of a function, reads nothing that changes during a match."""
    for one in everything(node):
        match one:
            case c.ReadVariable() | c.Pile() | c.EitherPile() | c.Single() | c.AllPieces():
                return False
            case c.Apply(operator=operator) if operator.reads_state:
                return False
            case c.Call(function=function) if function not in called:
                called.add(function)
                if not is_steady(function.body or (), called):
                    return False
    return True


def is_either_player(node: c.Statement) -> TypeGuard[c.SetLocal]:
    """Whether a statement names one of two players, by a condition."""
    return (
        isinstance(node, c.SetLocal)
        and node.value.type == PLAYER
        and getattr(node.value, "operator", None) is types.CONDITIONAL
    )


def either_way(at: Point, node: c.SetLocal, rest: c.Body, pc: Label) -> Exits:
    """Walk over a name for one of two players and what follows it in the block, once for each of them."""
    assert isinstance(node.value, c.Apply)
    own, test, otherwise = node.value.arguments
    found = taint(at, node.value).under(pc)
    other = at.copy()
    exits: Exits = {}
    at.walk.parted += 1
    for point, holds, who in ((at, True, own), (other, False, otherwise)):
        point.learn(test, holds)
        point.bind(node.name, found._replace(who=point.token(who)), PLAYER)
        for target, label in block(point, rest, pc).items():
            exits[target] = exits.get(target, PUBLIC) | label
    at.walk.parted -= 1
    at.become(at.joined(other))
    return exits


def statement(at: Point, node: c.Statement, pc: Label) -> Exits:
    """Walk over one statement. What a step reveals is revealed for everything in it."""
    walk, search = at.walk, at.search
    at.work(len(pc) // 8, node.span)
    triggers = [one for occasion in occasions(node) for one in search.symbols.waiting.get(occasion, ())]
    if triggers:
        walk.may_come_out(search.symbols.zones.values())
    for trigger in triggers if search.symbols.imagined or search.is_exact else ():
        summary = walk.summary_of(trigger.routine) or Summary()
        if search.symbols.imagined:  # triggers inherit what its changes depend on
            walk.summary.used |= secrets(summary.used)
        if search.is_exact:
            at.scramble(summary.scrambled)
    revelation = search.reasons.at(node.span)
    if revelation is None:
        return inside(at, node, pc)
    before, walk.revealing = walk.revealing, revelation
    exits = inside(at, node, pc)
    walk.revealing = before
    return {target: search.reasons.rest(label, revelation) | pc for target, label in exits.items()}


# complex: one case for each form
def inside(at: Point, node: c.Statement, pc: Label) -> Exits:
    """Walk over one statement, by its kind."""
    walk = at.walk
    match node:
        case c.Branch():
            return branch(at, node, pc)
        case c.Each():
            return each(at, node, pc)
        case c.Labelled(body=body, label=label):
            before = walk.decided
            exits = block(at, body, pc)
            exits.pop(label, None)
            at.arrive(label)
            walk.decided = walk.decided if exits else before
            return exits
        case c.Together(source=source, binder=binder, body=body, label=label):
            show(walk, pc | taint(at, source).told, EVERYBODY, Shown(source.span, "who acts together"))
            return loop(at, label, body, pc, lambda: at.bind(binder, NOTHING, element(source.type)), others_go_on=True)[
                0
            ]
        case c.Times(count=count, body=body, label=label):
            return loop(at, label, body, pc | come_to_light(walk, taint(at, count).told), lambda: None)[0]
        case c.Loop():
            return while_loop(at, node, pc)
        case c.Jump(label=label):
            at.leave(label)
            return {label: pc}
        case c.EndGame(span=span):
            show(walk, pc, EVERYBODY, Shown(span, "that the game ends here"))
            return {"end": pc}
        case c.Return(value=value):
            if value is not None:
                found = taint(at, value).under(pc)
                walk.summary.result = join(walk.summary.result, found._replace(who=None, home=None))
            return {"return": pc}
        case c.Perform():
            return invoke(at, node, pc)
        case _:
            simple(at, node, pc)
            return {}


# complex: one case for each form
def simple(at: Point, node: c.Statement, pc: Label) -> None:
    """Walk over a statement that contains no other and from which control goes on."""
    walk = at.walk
    if isinstance(node, c.Ask | c.Race) and at.search.is_exact:
        tell_what_stays(at)
    match node:
        case c.SetLocal(name=name, value=value):
            found = taint(at, value).under(pc)
            if value.type == PLAYER:
                found = found._replace(who=at.token(value))
            around = list(at.lists_around(value)) if isinstance(value.type, List) else []
            at.bind(name, found, value.type)
            own: Token = ("local", name)
            at.seen |= {("within", own, one): frozenset() for one in around if not mentions(one, own)}
            piece = worked_out_from(at, value) if at.search.is_exact else None
            if piece is not None and piece != name and not pc & at.names.get(piece, NOTHING).content:
                at.seen["read", ("local", piece), own] = frozenset()
        case c.SetVariable(target=target, value=value):
            set_variable(at, node.span, target, taint(at, value), value, pc)
        case c.Act():
            act(at, node, pc)
        case c.Tell(parts=parts, to=to):
            label = pc | spoken(at, parts)
            whom, audience = "not everybody may", EVERYBODY
            if to is not None:
                label |= taint(at, to).told
                whom, audience = "the listener may not", player(at, to)
            show(walk, label, audience, Shown(node.span, "what this says", whom))
        case c.Ask():
            ask(at, node, pc)
        case c.Race(entrants=entrants, must=must, result=result):
            show(walk, pc | told(at, (entrants, must)), EVERYBODY, Shown(node.span, "who may or must slap"))
            at.bind(result, NOTHING.under(pc), entrants.type)
        case c.Enter(me=me):
            label = pc | (taint(at, me).told if me is not None else PUBLIC)
            show(walk, label, EVERYBODY, Shown(node.span, "that this step comes, or whose turn it is,"))
        case c.Reset(variables=variables):
            for variable in variables:
                if variable.visible == "all":
                    show(walk, pc, EVERYBODY, Shown(node.span, f"that '{variable.name}' is reset"))
            at.forget_state()
        case c.Pause():
            pass
        case _:
            raise AssertionError(node)


# --- branches and loops ---------------------------------------------------------------------------------------------------


def branch(at: Point, node: c.Branch, pc: Label) -> Exits:
    """An `if`."""
    inner = pc | come_to_light(at.walk, taint(at, node.test).told)
    other = at.copy()
    if inner - pc and (diverges(node.then) or diverges(node.otherwise)):
        at.walk.decided = {**at.walk.decided, node.test.span: ("whether this happens", inner - pc)}
    at.learn(node.test, True)
    if at.search.is_exact and (when := line_taken(at.walk, node.test)) is not None:
        at.learn(when, True)
    before, at.walk.out = at.walk.out, {}
    exits = block(at, node.then, inner)
    first, at.walk.out = at.walk.out, {}
    other.learn(node.test, False)
    for target, label in block(other, node.otherwise, inner).items():
        exits[target] = exits.get(target, PUBLIC) | label
    second, at.walk.out = at.walk.out, before | first | at.walk.out
    if not exits:
        alone = {one: (first | second)[one] for one in first.keys() ^ second.keys()}
        wait(at.walk, inner - pc, {one: span for one, span in alone.items() if span is not None})
    if at.search.is_exact and diverges(node.then):
        at.become(other)
    elif not at.search.is_exact or not diverges(node.otherwise):
        at.become(at.joined(other))
    return exits


def line_taken(walk: Walk, test: c.Expression) -> c.Expression | None:
    """The condition of the line of a menu that was taken if a test holds."""
    match test:
        case c.Apply(
            operator=types.EQUAL,
            arguments=(
                c.Local(name=name) | c.Apply(operator=types.UNPACKED, arguments=(c.Local(name=name), *_)),
                c.Constant(value=int(number)),
            ),
        ):
            return walk.whens.get((name, number))
    return None


def wait(walk: Walk, label: Label, out: dict[c.Family, Span]) -> None:
    """Pieces come out in one branch: where they stay hidden, this tells what the condition read of them.

    Of a zone that is gone through piece by piece, all know which pieces come out.
    """
    for family, span in out.items():
        if family in walk.sorted_out:
            continue
        told = frozenset(atom for atom in label if isinstance(atom, Secret) and atom.family == family)
        if told:
            walk.waiting[span] = walk.waiting.get(span, PUBLIC) | told


def tell_what_stays(at: Point) -> None:
    """At the end of a match, and where somebody is asked: show what is told by what has not come out yet."""
    for span, label in at.walk.waiting.items():
        show(at.walk, label, EVERYBODY, Shown(span, "whether this happens"))
    at.walk.waiting = {}


def each(at: Point, node: c.Each, pc: Label) -> Exits:
    """A loop over a list. Each pass reveals that its member is in the list, except to those who know it."""
    walk, search = at.walk, at.search
    tested = whole(node.source)
    test = tested if isinstance(tested, c.Select) and tested.value is None and not tested.by else None
    if test is not None and (not search.is_exact or is_counted(at, test.source)):
        test = None
    source = node.source if test is None else test.source
    value = taint(at, source)
    size, shape = value.size, value.shape
    if value.home is not None:  # each pass is about one of all
        size, shape = part_of(size, ""), part_of(shape, "")
    value = value._replace(size=come_to_light(walk, size), shape=come_to_light(walk, shape))
    one = member(value, is_pieces(source.type)).under(pc)

    def begin() -> Label | None:
        at.bind(node.binder, one, element(source.type))
        at.learn_member(node.binder, source, again=True)
        if search.is_exact:
            begin_all(at, node)
        if test is None or test.where is None:
            return None
        at.bind(test.binder, one._replace(who=("local", node.binder)), element(source.type))
        label = come_to_light(walk, taint(at, test.where).told)
        at.learn(test.where, True)
        at.names.pop(test.binder, None)
        at.learn_member(node.binder, node.source, again=True)
        return label

    around = list(at.lists_around(node.source))
    kept = [("unchanged", listed) for listed in around if ("unchanged", listed) not in at.seen]
    at.seen |= dict.fromkeys(kept, frozenset[Token]())  # as long as the lists are what they were
    before, walk.sorted_out = walk.sorted_out, walk.sorted_out | families(value.content)
    exits, last = loop(at, node.label, node.body, pc | value.size, begin)
    walk.sorted_out = before
    at.names.pop(node.binder, None)
    if not exits and last is not None:
        for_all(at, node, last, around[:1])
    for known in kept:
        at.seen.pop(known, None)
    return exits


def for_all(at: Point, node: c.Each, last: Point, listed: list[Token]) -> None:
    """What is known of its member after a pass of a loop, and of all those before it, is known of all in the list."""
    binder: Token = ("local", node.binder)
    past: Token = ("past", node.binder)
    whose: list[Token] = [("members", one) for one in listed if ("unchanged", one) in at.seen]
    if is_of_all(node.source, at.search.symbols.players):
        whose.append(EVERYBODY)
    if ("member", binder) not in last.seen:  # the name of the member has got another value
        return
    listing = whole(node.source)
    is_kept = isinstance(listing, c.Local) and ("unchanged", at.token(listing)) in at.seen
    if isinstance(listing, c.Local) and is_kept and not last.names.get(node.binder, NOTHING).content:
        value = at.names[listing.name]
        label = families(value.content)  # all have seen each of these pieces, and so which and how many they are
        size, shape = without(value.size, label), without(value.shape, label)
        at.names[listing.name] = value._replace(size=size, shape=shape, content=PUBLIC)
    for known, to in last.seen.items():
        match known:
            case ("zone", name, of_what) if of_what == binder and EVERYBODY in to and ("zone", name, past) in last.seen:
                at.seen |= {("zone", name, of): frozenset({EVERYBODY}) for of in whose}
    for known, holds in last.facts.items():
        match known:
            case ("variable", name, of_what) if of_what == binder and last.facts.get(("variable", name, past)) == holds:
                at.facts |= {("variable", name, of): holds for of in whose}


def begin_all(at: Point, node: c.Each) -> None:
    """Before a pass of a loop, what it says of its member is known of all those before it."""
    past = ("past", node.binder)
    at.seen["member", ("local", node.binder)] = frozenset()
    for one in statements(node.body):
        match one:
            case c.SetVariable(target=target, value=c.Constant(value=value)):
                at.facts["variable", target.variable.name, past] = bool(value)
            case c.Act(arguments=arguments) if any(isinstance(e, Shows) for e in one.operator.doing.effects):
                at.seen |= {
                    ("zone", pile.zone.name, past): frozenset()
                    for pile in expressions(arguments)
                    if isinstance(pile, c.Pile)
                }


def is_of_all(source: c.Expression, players: int) -> bool:
    match whole(source):
        case c.Constant(type=List(of=Player()), value=tuple(value)):
            return len(set(value)) == players
        case _:
            return False


def while_loop(at: Point, node: c.Loop, pc: Label) -> Exits:
    """A loop while one condition holds, until another does. What its passes tell of the conditions is told there, once."""
    walk, before = at.walk, at.walk.decided
    conditions = [one for one in (node.test, node.until) if one is not None]

    def begin() -> Label:
        tested = come_to_light(walk, told(at, conditions))
        if node.test is not None:
            at.learn(node.test, True)
        walk.decided = {**before, **{one.span: ("whether this goes on", tested) for one in conditions[:1]}}
        return tested

    exits, _ = loop(at, node.label, node.body, pc, begin)
    walk.decided = before
    return exits


def loop(
    at: Point, label: str, body: c.Body, pc: Label, begin: Callable[[], Label | None], others_go_on: bool = False
) -> tuple[Exits, Point | None]:
    """Walk over a body until what is known at its head holds for every pass: the least fixed point.

    A jump to its label ends it, unless `others_go_on`; the coarse search, which says what is always put, does not know. Also returns what is known after the last pass.
    """
    walk, settled, decided = at.walk, at.search.settled, at.walk.decided
    before = at.copy()
    while True:
        summary, jumped = walk.summary.copy(), dict(walk.jumped)
        at_head, again = settled.get(label, (before, PUBLIC))
        entry = before.joined(at_head)
        if not at.search.is_exact:
            entry.facts = {}
        at.become(entry.copy())
        inner = pc | again
        inner |= begin() or PUBLIC
        exits = block(at, body, inner)
        last = at.copy() if label not in walk.jumped else None
        own = exits.pop(label, PUBLIC)
        at.become(entry.joined(at))
        if others_go_on or not at.search.is_exact:
            at.arrive(label)
        at.names = {name: at.names[name] for name in entry.names}
        settled[label] = (at.copy(), again | own)
        if at.is_like(entry) and own <= inner:
            at.arrive(label)
            walk.decided = walk.decided if exits else decided
            at.names = {name: at.names[name] for name in entry.names}
            return exits, last
        walk.summary, walk.jumped = summary, jumped


# --- calls ----------------------------------------------------------------------------------------------------------------


def invoke(at: Point, node: c.Perform, pc: Label) -> Exits:
    """Call an action, or the effect of whichever member it is, with the triggers around it."""
    at.walk.may_come_out(at.search.symbols.zones.values())
    values = [taint(at, argument) for argument in node.arguments]
    me = taint(at, node.me) if node.me is not None else NOTHING
    of = taint(at, node.of) if node.of is not None else NOTHING
    ends, result, scrambled = PUBLIC, NOTHING, frozenset[c.Zone]()
    for callee in dict.fromkeys(node.callees):
        call = call_site(at, callee, node, values, me, pc | of.told)
        call.arguments["this"] = of
        if node.of is not None:
            call.tokens["this"] = at.token(node.of)
        if at.search.is_exact:
            meet(at, node, callee, call)
        summary = instantiate(at.walk, callee, call, node.span)
        found = call.taint(summary.result)
        result = join(result, found) if result is not NOTHING else found
        ends |= call.label(summary.ends)
        scrambled |= summary.scrambled
        at.mix(summary.mixed)
    at.forget_state(at.search.changed_by(node))
    at.scramble(scrambled)
    for occasion in occasions(node):  # its triggers, with what its result reveals
        for trigger in at.search.symbols.waiting.get(occasion, ()):
            of_event = {parameter.name or "": result for parameter in trigger.routine.parameters}
            instantiate(at.walk, trigger.routine, CallSite(of_event, {}, pc), node.span)
    if node.effect is None and len(node.callees) == 1:
        (callee,) = node.callees
        opened = (at.walk.summary_of(callee) or Summary()).opened
        for parameter, argument in zip(callee.parameters, node.arguments, strict=False):
            if parameter.name in opened:
                at.rename(argument, content=PUBLIC)
    if node.result is not None:
        at.bind(node.result, result.under(pc | of.told), node.gives)
    return {"end": ends} if ends else {}


def meet(at: Point, node: c.Perform, callee: c.Routine, call: CallSite) -> None:
    """Note what is known in an action that is performed here, unless a trigger comes before it: what is known at every call of it."""
    waits = any(one in at.search.symbols.waiting for one in occasions(node) if one[0] == "before")
    facts, seen = known_inside(at, call) if not waits else ({}, {})
    known, found = at.search.met.get(callee), Point(at.walk, {}, facts, seen=seen)
    at.search.met[callee] = found if known is None else known.joined(found)


# --- sentences and questions ----------------------------------------------------------------------------------------------


def spoken(at: Point, parts: c.Parts) -> Label:
    """What the values in a sentence reveal: only those who see a piece read its name."""
    label: Label = PUBLIC
    for part in parts:
        if not isinstance(part, str):
            value = taint(at, part)
            label |= told_face_down(at, value) if is_pieces(part.type) else value.told
    return label


def player(at: Point, node: c.Expression) -> Token:
    found = at.token(node)
    return SOMEONE if found is None else found


def ask(at: Point, node: c.Ask, pc: Label) -> None:
    """Walk over a question: that it appears, to whom, what it offers and how it is worded."""
    walk, site = at.walk, node.site
    chooser, who = taint(at, node.chooser), player(at, node.chooser)

    def tell(label: Label, span: Span, what: str = "", code: str = "HR582") -> None:
        show(walk, label, who, Shown(span, what, "the chooser may not" if what else "", code))

    otherwise = "" if chooser.told else "ask in any case, "
    show(walk, pc | chooser.told, EVERYBODY, Shown(node.span, "whether this is asked, and whom,", otherwise=otherwise))
    answer = NOTHING
    if node.source is not None:
        source = taint(at, node.source)
        pieces = is_pieces(node.source.type)
        for offered, span in offers(at, site, node.source, source):
            tell(offered, span, code="HR580")
        put_either_always(at, source.size | source.shape, node)
        if pieces and (at.search.places(node.source.type) or not at.search.is_exact):
            answer = Taint(content=source.content, where=source.where, home=source.home)
        if site.counted is not None:
            count_lines(at, node.source, source, node, site.counted)
    for when in node.whens:
        if when is not None:
            label = taint(at, when).told
            tell(label, when.span, code="HR580")
            put_either_always(at, label, node)
            guard(walk, label, node.sites)
    tell(passing(at, node), (node.passes or node).span, "whether passing is allowed")
    for bound in (node.low, node.high):
        if bound is not None:
            tell(taint(at, bound).told, bound.span, "how many may be chosen")
    tell(spoken(at, site.parts), site.span, "how this is asked")
    labels: tuple[c.Parts, ...] = site.values or tuple(parts for _, parts in site.labels)
    whens = node.whens or conditions_of(node.source, of_lists=True)
    for number, (parts, when, span) in enumerate(zip(labels, whens, site.label_spans, strict=False)):
        walk.whens[node.result, number] = when
        label = spoken(at.knowing(when), parts)
        guard(walk, label, node.sites)
        tell(label, span, "what this line says")
    at.bind(node.result, answer.under(pc), site.type)
    if node.source is not None:
        at.learn_member(node.result, node.source, is_one=False)
        if isinstance(site.type, Tuple):
            bind_parts(at, node, node.source, part_names(node.result, site.type), pc)


def bind_parts(at: Point, node: c.Ask, source: c.Expression, names: list[str], pc: Label) -> None:
    """Assign the parts of an answer. What a line of a menu is chosen from tells nothing of what another is."""
    for line, slot in node.site.slots.items():
        listed = node.site.values[line][0]
        (value,) = parts_of(at, listed)
        at.names[in_line(names[slot], listed.span)] = value.under(pc)
    if not node.site.slots:
        for name, value in zip(names, parts_of(at, source), strict=False):
            at.names[name] = value.under(pc)


def passing(at: Point, node: c.Ask) -> Label:
    """What it reveals that a question may be passed, or may not."""
    label = taint(at, node.passes).told if node.passes is not None else PUBLIC
    guard(at.walk, label, node.sites)
    return label


def put_either_always(at: Point, label: Label, node: c.Ask) -> None:
    for site in node.sites:
        put_always(at.walk, label, site)


def offers(at: Point, site: c.Site, source: c.Expression, value: Taint) -> Iterator[tuple[Label, Span]]:
    """What the options reveal, and by which part of the source: those of a menu with values, by the line."""
    match source:
        case c.Apply(operator=types.JOINED, arguments=both) if site.values:
            for one in both:
                yield from offers(at, site, one, taint(at, one))
        case c.Apply(operator=types.CONDITIONAL, arguments=(_, test, _)) if site.values:
            yield taint(at, test).told, test.span
        case _:
            is_face_down = is_pieces(source.type) or isinstance(site.type, Tuple)
            yield value.shape if is_face_down else value.told, place_of(source)


def count_lines(at: Point, source: c.Expression, value: Taint, node: c.Ask, counted: c.Site) -> None:
    """Note whether not everybody may know if there is anything at all to choose, and, of a menu with values, the answer."""
    if node.site.values:
        guard(at.walk, value.size | value.shape, node.sites)
    for listed in node.site.whole:
        put_always(at.walk, taint(at, listed).size, counted)
    for when in conditions_of(source):
        if when is not None:
            put_always(at.walk, taint(at, when).told, counted)


def conditions_of(source: c.Expression | None, of_lists: bool = False) -> Iterator[c.Expression | None]:
    """The conditions of the lines of a menu with values; none of a line that always stands there, or for a list, unless `of_lists`."""
    match source:
        case c.Apply(operator=types.JOINED, arguments=both):
            for one in both:
                yield from conditions_of(one, of_lists)
        case c.Apply(operator=types.CONDITIONAL, arguments=(_, test, _)):
            yield test
        case c.Select(source=c.Apply(operator=types.CONDITIONAL, arguments=(_, test, c.Constant(value=())))) if (
            of_lists
        ):
            yield test
        case _:
            yield None


def parts_of(at: Point, source: c.Expression) -> list[Taint]:
    """What each part of a chosen tuple reveals: which pieces, if they were hidden."""
    inner = at.copy()
    found: list[Taint] = []
    binders: list[Token] = []
    for level in levels(source):
        value = taint(inner, level.source)
        pieces = is_pieces(level.source.type)
        inner.bind(level.binder, member(value, pieces), element(level.source.type))
        inner.learn_member(level.binder, level.source)
        may_hide = pieces and (at.search.places(level.source.type) or not at.search.is_exact)
        found.append(Taint(content=value.content, where=value.where, home=value.home) if may_hide else NOTHING)
        binders.append(("local", level.binder))
    return [forgotten(value, lambda known: any(mentions(known, own) for own in binders)) for value in found]


def levels(source: c.Expression) -> Iterator[c.Select]:
    """The lists that the parts of tuples come from, each nested in the one before."""
    while isinstance(source, c.Apply) and source.operator is CHAINED:
        source = source.arguments[0]
        if isinstance(source, c.Select) and source.value is not None:
            yield source
            source = source.value
    if isinstance(source, c.Select):
        yield source


def part_names(whole: str, type: Tuple) -> list[str]:
    below, found = 1, []
    for low, size in reversed(list(zip(type.lows, type.sizes, strict=True))):
        found.append(f"{whole} {below} {size} {low}")
        below *= size
    return found[::-1]


def place_of(source: c.Expression) -> Span:
    """The place in an offer that says what is left out, or how it is sorted."""
    inner = whole(source)
    if isinstance(inner, c.Select) and inner.value is not None and isinstance(inner.value.type, List | Tuple):
        tested = [at for level in levels(source) if isinstance(at := whole(level.source), c.Select)]
        inner = next((at for at in reversed(tested) if at.where is not None), tested[-1] if tested else inner)
    if isinstance(inner, c.Select):
        if inner.where is not None:
            return inner.where.span
        if inner.by:
            return inner.by[0].span
    return inner.span
