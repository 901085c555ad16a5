"""What verbs and assignments reveal: who sees pieces move, who sees a variable change, and what this makes public.

A piece that moves in the open, or is shown to everybody, becomes public. With it, whatever its choice revealed of the zone
it lay in is declassified. Nothing else is. `pc` is the label of the conditions under which a statement is reached.
"""

from __future__ import annotations

from collections.abc import Iterator

from houserule.diagnostics import Span
from houserule.language import checked as c
from houserule.language import types
from houserule.language.trees import argument, expressions, occasions, piles_of, refilled_by
from houserule.language.types import Bool, Exchanges, List, Mixes, Moves, Passes, Picks, Piece, Shows
from houserule.secrecy.labels import (
    EVERYBODY,
    NOTHING,
    PUBLIC,
    SOMEONE,
    Given,
    Label,
    Secret,
    Shown,
    Taint,
    Token,
    families,
    is_stateful,
    known_to,
    part_of,
    secrets,
    without,
)
from houserule.secrecy.points import Point, receive, show
from houserule.secrecy.sight import others, turns, whole
from houserule.secrecy.taints import (
    content_of,
    is_pieces,
    lies_open,
    pile,
    taint,
    told,
    told_apart,
    told_face_down,
)

Target = c.Pile | c.EitherPile


def knowers(label: Label) -> frozenset[Token]:
    """The players who know everything that a label depends on."""
    each = [atom.knowers for atom in label if isinstance(atom, Secret)]
    return frozenset.intersection(*each) if each else frozenset()


# --- variables ------------------------------------------------------------------------------------------------------------


def set_variable(
    at: Point, span: Span, target: c.ReadVariable, value: Taint, of: c.Expression | None, pc: Label
) -> None:
    """Give a variable a value. Everybody who sees the variable sees the value."""
    search, variable = at.search, target.variable
    is_piece = is_pieces(variable.type)
    label = pc | (value.shape if is_piece else value.told)
    shown = Shown(span, f"what is set here, '{variable.name}',")
    for audience, but in list(who_sees(at, target)):
        index = PUBLIC.union(*(part.shape | part.content for part in (taint(at, one) for one in target.index)))
        show(at.walk, label | without(index, families(but)), audience, shown, but)
    if search.is_exact and is_of_piece(target):
        turn(at, target, of, label, shown)
    if is_piece and search.is_exact and variable.visible == "all":
        content = content_of(at, value, of) if of is not None else value.content
        receive(at.walk, content, ("variable", variable.name), span)
    reach_triggers(at, span, target, pc)
    before = at.facts
    at.forget_state(None if search.symbols.waiting else [variable])
    if isinstance(of, c.Constant) and variable.type == Bool():
        holds = bool(of.value)
        for known, so in before.items():  # what has been set to the same value is no longer different
            match known:
                case ("variable", variable.name, *parts) if so == holds and not any(map(is_stateful, parts)):
                    at.facts[known] = holds
        at.facts[at.token(target)] = holds


def turn(at: Point, target: c.ReadVariable, of: c.Expression | None, label: Label, shown: Shown) -> None:
    """Set a variable that decides who sees its piece: here the piece may come out, and elsewhere its side tells how it was set."""
    piece = taint(at, target.index[0])
    if not turns_here(piece, target.variable):
        zones = at.search.symbols.zones.values() if piece.home is not None else ()
        if any(turns(zone, target.variable) for zone in zones):  # to which it may move from where it lies
            show(at.walk, label, EVERYBODY, shown)
    elif not isinstance(of, c.Constant) or of.value:
        at.walk.come_out(families(content_of(at, piece, target.index[0])), shown.span)


def is_of_piece(target: c.ReadVariable) -> bool:
    return target.variable.of_kind is not None and is_pieces(target.index[0].type)


def turns_here(piece: Taint, variable: c.Variable) -> bool:
    """Whether a variable of a piece decides who sees it where it lies."""
    return piece.home is not None and turns(piece.home[0], variable)


def reach_triggers(at: Point, span: Span, target: c.ReadVariable, pc: Label) -> None:
    """Let triggers on a variable of a piece receive the piece; who does not see it does not see the change itself either."""
    waiting = at.search.symbols.waiting.get(("changes", target.variable.name), ())
    if not (at.search.is_exact and waiting and is_of_piece(target)):
        return
    content = content_of(at, taint(at, target.index[0]), target.index[0])
    for trigger in waiting:
        receive(at.walk, content, ("variable", trigger.routine.name), span)
        if content:
            receive(at.walk, pc, ("variable", f"{trigger.routine.name}: set off"), span)


def who_sees(at: Point, target: c.ReadVariable) -> Iterator[tuple[Token, Label]]:
    """Who sees a variable, and which secret of its piece becomes public with it."""
    variable = target.variable
    sight = at.hidden(variable, variable.visible, at.tokens(target.index))
    if sight:
        for token in knowers(sight):
            yield token, PUBLIC
        return
    if not is_of_piece(target):
        yield EVERYBODY, PUBLIC
        return
    piece = taint(at, target.index[0])
    content = content_of(at, piece, target.index[0])
    if turns_here(piece, variable) or not content or any(isinstance(atom, Given) for atom in content):
        yield EVERYBODY, content
    else:
        for token in knowers(content):
            yield token, content


# --- verbs ----------------------------------------------------------------------------------------------------------------


def act(at: Point, node: c.Act, pc: Label) -> None:
    """Walk over a verb, by the effects that its row names."""
    for effect in node.operator.doing.effects:
        entered = at.token(argument(node, effect.to)) if isinstance(effect, Moves) and node.result is not None else None
        before = at.seen.get(entered)
        match effect:
            case Moves():
                move(at, node, effect, pc)
            case Exchanges(one=one, other=other):
                swap(at, node, argument(node, one), argument(node, other), pc)
            case Passes(by=by):
                show(at.walk, pc | told_for(at, node, by), EVERYBODY, seen(node))
                exchange(at, node)
            case Mixes(what=what):
                mixed = argument(node, what)
                at.mix(frozenset(one.zone for one in piles_of(mixed)))
                show(at.walk, pc | taint(at, mixed).shape, EVERYBODY, seen(node))
            case Picks(source=source):
                roll(at, node, argument(node, source), pc)
                continue
            case Shows(what=what, to=to):
                show_pieces(at, node, argument(node, what), argument(node, to) if to else None, pc)
                continue
        # What is known of the zones and variables that the verb changes is out of date.
        zones = (one.zone for one in expressions(node.arguments) if isinstance(one, c.Pile))
        waits = any(occasion in at.search.symbols.waiting for occasion in occasions(node))
        at.forget_state(None if waits else [*node.leaves, *node.enters, *zones, *node.changes])
        if before is not None:
            at.seen["but", ("local", node.result), entered] = before
        if isinstance(effect, Mixes) and at.search.is_exact and isinstance(mixed, c.Pile):
            at.seen["shuffled", at.token(mixed)] = frozenset()


def told_for(at: Point, node: c.Act, word: str) -> Label:
    """What the number tells that may stand for a word."""
    found = node.arguments[node.operator.doing.words.index(word)] if word else None
    return taint(at, found).told if found is not None else PUBLIC


def seen(node: c.Act) -> Shown:
    return Shown(node.span, node.operator.doing.seen)


def set_off(at: Point, node: c.Act, content: Label) -> None:
    """Activate the triggers that pieces with this label may set off: they depend on a secret if the pieces do."""
    waiting = at.search.symbols.waiting
    for occasion in dict.fromkeys(filter(waiting.__contains__, occasions(node))):
        if occasion[0] != "changes":
            for trigger in waiting[occasion]:
                receive(at.walk, content, ("trigger", trigger.routine.name), node.span)


def exchange(at: Point, node: c.Act) -> None:
    """Zones exchange their pieces, possibly unseen."""
    at.scramble(frozenset((*node.leaves, *node.enters)))
    hidden = frozenset(Secret(zone) for zone in (*node.leaves, *node.enters) if zone.visible != "all")
    at.walk.summary.used |= hidden
    set_off(at, node, frozenset(secret for secret in hidden if secret.family in node.enters))


def move(at: Point, node: c.Act, effect: Moves, pc: Label) -> None:
    source, target = argument(node, effect.what), argument(node, effect.to)
    assert isinstance(target, c.Pile | c.EitherPile)
    pieces = taint(at, source)
    what = None if effect.number else source
    if what is None:  # a number of pieces from the top, perhaps of a zone that is refilled
        size = told(at, [argument(node, effect.number)])
        pieces = pieces._replace(size=pieces.size | size, shape=pieces.shape | size)
        if refilled_by(node) is not None:
            shown = Shown(node.span, "whether this brings cards back from another zone")
            show(at.walk, pc | pieces.size, EVERYBODY, shown)
    goal = pile(at, target)
    places = told_for(at, node, effect.at) | goal.shape - sight_of(at, target)
    content = content_of(at, pieces, what) if what is not None else pieces.content
    if what is not None and at.search.is_exact and lies_open(at, at.token(what)):
        pieces = pieces._replace(where=PUBLIC)
    at.walk.summary.used |= content
    pieces = pieces._replace(content=content)
    if not goal.content:
        come_out(at, node, what, pieces, target, pc | places)
    else:
        stay_hidden(at, node, pieces, goal, target, pc, places)
    found = after(content, goal, places)
    set_off(at, node, found.content)
    size = PUBLIC if are_counted_by_all(goal, pieces, what) else pieces.size
    shape = pieces.shape if goal.content else without(pieces.shape, families(content))  # all see which they are
    at.rename(what, content=found.content, where=found.where, home=found.home, size=size, shape=shape)
    if node.result is not None:
        drawn = Taint(pieces.size, pieces.size, found.content, found.where, None, found.home)
        at.bind(node.result, drawn.under(pc), List(Piece(None)))


def are_counted_by_all(goal: Taint, pieces: Taint, what: c.Expression | None) -> bool:
    """Whether all see how many pieces of a list have moved: they come from one zone, and lie in another that hides nothing."""
    is_list = what is not None and isinstance(what.type, List)
    if not is_list or pieces.home is None or goal.home is None:
        return False
    return not goal.content and not goal.size and pieces.home[0] is not goal.home[0]


def come_out(at: Point, node: c.Act, what: c.Expression | None, pieces: Taint, target: Target, pc: Label) -> None:
    """Pieces move where all see them: with them, everybody sees what else their choice has told."""
    label = pieces.shape | pieces.size
    if what is None:
        amount = frozenset(atom for atom in label if isinstance(atom, Secret) and atom.part == "amount")
        show(at.walk, amount, EVERYBODY, Shown(node.span, "whether anything is drawn here"))
    if what is None or isinstance(what.type, List):
        label = part_of(label, "")
    show(at.walk, pc | label, EVERYBODY, seen(node), pieces.content)
    if any(one.zone.ordered for one in piles_of(target)):
        show(at.walk, pieces.order, EVERYBODY, seen(node))
    at.walk.come_out(families(pieces.content), node.span)


def stay_hidden(at: Point, node: c.Act, pieces: Taint, goal: Taint, target: Target, pc: Label, places: Label) -> None:
    """Pieces move where not everybody sees them: who sees both amounts change learns how they were chosen."""
    # That a piece leaves its zone reveals where it lay, unless everybody knows which pieces lie there.
    apart = told_apart(pieces) if stay_in_line(at, pieces, goal) else told_face_down(at, pieces)
    label = pc | apart | without(pieces.where, at.counted)
    is_chosen = any(isinstance(one, Moves) and not one.number for one in node.operator.doing.effects)
    shown = Shown(node.span, node.operator.doing.seen, face_down=is_chosen and bool(apart))
    for audience in counters(sight_of(at, target), pieces):
        but = pieces.content if audience in knowers(goal.content) else PUBLIC
        show(at.walk, label | places, audience, shown, but)
    for audience in counters(at.amount(*pieces.home) if pieces.home is not None else PUBLIC, pieces):
        show(at.walk, label, audience, shown)
    if pieces.content and (pieces.home is None or pieces.home != goal.home):
        at.scramble(frozenset((*node.leaves, *node.enters)))
        at.mix(frozenset(zone for zone in node.leaves if not zone.ordered))


def stay_in_line(at: Point, pieces: Taint, goal: Taint) -> bool:
    """Whether pieces move within a zone whose index says all that is printed on backs, as in `chest(metal)`: they look alike."""
    if pieces.home is None or pieces.home != goal.home or pieces.home[0].holds is None:
        return False
    zone, kind = pieces.home[0], at.search.symbols.kinds[pieces.home[0].holds]
    return {types.plain(kind.attribute_types[name]) for name in kind.back} <= {one.type for one in zone.parameters}


def counters(amount: Label, pieces: Taint) -> list[Token]:
    """Who sees that pieces leave or enter a zone whose amount is hidden so."""
    if not amount or not pieces.content:
        return [EVERYBODY]
    return sorted(knowers(amount) | knowers(pieces.content), key=repr)


def sight_of(at: Point, target: Target) -> Label:
    """What the amounts of a zone hide, and a piece that moves there does not reveal."""
    return PUBLIC.union(*(at.amount(one.zone, at.tokens(one.index)) for one in piles_of(target)))


def after(content: Label, goal: Taint, places: Label) -> Taint:
    """What pieces reveal after a move to a zone: only players who knew them, or see them there, know them."""
    if not goal.content or not content:
        return Taint(where=places if goal.content else PUBLIC, home=goal.home)
    if any(isinstance(atom, Given) for atom in content):
        return Taint(content=content, where=places, home=goal.home)
    return Taint(content=known_to(secrets(goal.content), knowers(content)), where=places, home=goal.home)


def roll(at: Point, node: c.Act, source: c.Expression, pc: Label) -> None:
    """Pick from a list at random. Everybody sees the result, unless it goes into a variable, which reports it itself."""
    value = taint(at, source)
    pieces = is_pieces(source.type)
    label = value.size if pieces else value.told
    shape = value.shape if pieces else label
    if node.name.split("[")[0].rsplit(".", 1)[-1] not in at.search.symbols.variables:
        told_now = label | told_face_down(at, value) if pieces else label
        show(at.walk, pc | told_now, EVERYBODY, seen(node))
        label, shape = PUBLIC, shape - told_now
    if node.result is not None:
        found = Taint(label, shape, value.content if pieces else PUBLIC, value.where, None, value.home)
        at.bind(node.result, found.under(pc), types.element(source.type))


def show_pieces(at: Point, node: c.Act, what: c.Expression, to: c.Expression | None, pc: Label) -> None:
    """Show pieces to players, or to everybody. Everybody sees that they are shown."""
    pieces, viewers = taint(at, what), taint(at, to) if to is not None else NOTHING
    content = content_of(at, pieces, what)
    at.walk.summary.used |= content
    to_all = to is None or are_all(at, to, content)
    apart = pieces.shape if to_all else told_face_down(at, pieces._replace(content=content))
    label = pc | viewers.told | apart
    show(at.walk, label, EVERYBODY, seen(node), content if to_all else PUBLIC)
    viewer = at.token(to.arguments[0]) if isinstance(to, c.Apply) and to.operator is types.ALONE else None
    if to_all:
        at.walk.come_out(families(content), node.span)
    elif at.search.is_exact:  # the viewers see with them what else their choice has told
        show(at.walk, pieces.shape, SOMEONE if viewer is None else viewer, seen(node), content)
    more = frozenset({EVERYBODY if to_all else viewer} - {None})
    for one in what.items if isinstance(what, c.Items) and at.search.is_exact else (what,):
        if isinstance(one, c.Local) and one.name in at.names:
            at.rename(one, content=PUBLIC if to_all else known_to(content, more))
            continue
        lies_in = one.pile if isinstance(one, c.Single) else whole(one)
        if at.search.is_exact and (found := at.token(lies_in)) is not None:
            at.seen[found] = at.seen.get(found, frozenset()) | more


def are_all(at: Point, to: c.Expression, content: Label) -> bool:
    """Whether these players and those who know the label already are all players."""
    if isinstance(to, c.Constant) and isinstance(to.value, tuple):
        return len(set(to.value)) >= at.search.symbols.players
    if isinstance(to, c.Apply) and to.operator is types.OPPONENTS:  # in a game with teams, it is not all others
        me = at.token(to.arguments[0])
        return all(isinstance(atom, Secret) and me in atom.knowers for atom in content)
    if isinstance(to, c.Apply) and to.operator is types.ALONE and at.search.most == 2:
        beside = set(others(at.token(to.arguments[0]), at.facts, 2))
        return all(isinstance(atom, Secret) and atom.knowers & beside for atom in content)
    return False


def swap(at: Point, node: c.Act, a: c.Expression, b: c.Expression, pc: Label) -> None:
    """Two variables, pieces or zones swap places."""
    values = [taint(at, a), taint(at, b)]
    if node.changes and isinstance(a, c.ReadVariable) and isinstance(b, c.ReadVariable):
        set_variable(at, node.span, a, values[1], None, pc)
        set_variable(at, node.span, b, values[0], None, pc)
        return
    if isinstance(a, c.Pile | c.EitherPile):
        show(at.walk, pc.union(*(part_of(v.shape, "") - v.content for v in values)), EVERYBODY, seen(node))
        exchange(at, node)
        return
    contents = [content_of(at, value, one) for value, one in zip(values, (a, b), strict=True)]
    at.walk.summary.used |= contents[0] | contents[1]
    comes_out = not all(contents)  # one of the two lies in the open, so the other ends there
    but = contents[0] | contents[1] if comes_out else PUBLIC
    label = pc
    for value, content in zip(values, contents, strict=True):
        label |= value.shape if comes_out else told_face_down(at, value._replace(content=content))
    show(at.walk, label, EVERYBODY, seen(node), but)
    if not comes_out:
        exchange(at, node)
    for piece in (a, b):
        at.rename(piece, home=None, **({"content": PUBLIC} if comes_out else {}))
