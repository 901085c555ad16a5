"""The points of a walk over the rules: what is known at each, and what comes to light there."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from houserule.diagnostics import Span
from houserule.language import checked as c
from houserule.language import types
from houserule.language.footprints import footprints
from houserule.language.scope import Budget
from houserule.language.symbols import SymbolTable
from houserule.language.trees import occasions
from houserule.language.types import Piece, Player, Type
from houserule.language.types import plain as bare
from houserule.secrecy import sight
from houserule.secrecy.labels import (
    DEEPEST,
    EVERYBODY,
    PUBLIC,
    CallSite,
    Flow,
    Given,
    Label,
    Names,
    Reasons,
    Revelation,
    Secret,
    Shown,
    Summary,
    Taint,
    Token,
    families,
    forgotten,
    is_known_to,
    is_stateful,
    join,
    knowers_in,
    known_to,
    mentions,
    part_of,
    receiver_of,
    without,
)
from houserule.secrecy.sight import (
    Inside,
    heads_of_sight,
    is_team,
    learned,
    members,
    rewritten,
    rules_of_sight,
    whole,
    written_out,
)

WORK_A_UNIT = 4
"""The expressions looked at for a unit of the budget of checking."""
MOST_CHANGED = 60
"""Of a routine that may change more zones and variables than this, it is assumed that it changes all."""


READERS: Token = ("readers",)
"""The audience of a menu whose lines not everybody may read."""
LookInto = Callable[["Point", c.Routine, dict[Token, bool], dict[Token, frozenset[Token]]], Taint]


@dataclass(slots=True, eq=False)
class Search:
    """The search of one game for leaks: its rules, which stay, and what has been found so far, which grows.

    `look_into` looks at a function again where more is known than in general. It is exact if it is told which zones are `gathered`: otherwise it forgets facts at every change of the state, and what was
    shown in place. `held` says by variable, and by trigger on one, where hidden pieces that it may hold lay, and who sets it; `guarded` are the
    menus with lines that not everybody may read, `needed` the revelations that cover something, `unseen` the triggers that receive pieces not everybody has seen, `times` how often each
    routine was summarised, `most` the greatest number of players of the game, `users` its callers, `settled` the last point at the head of each loop,
    `met` what is known wherever an action is performed, and `known` what an earlier search has met.
    """

    symbols: SymbolTable
    bodies: Mapping[c.Routine, c.Body]
    reasons: Reasons
    budget: Budget
    gathered: Collection[c.Zone] | None = None
    look_into: LookInto | None = None
    most: int = 0
    worked: int = 0
    held: dict[str, dict[c.Family, Span]] = field(default_factory=dict)
    needed: set[Revelation] = field(default_factory=set)
    summaries: dict[c.Routine, Summary] = field(init=False)
    times: Counter[c.Routine] = field(default_factory=Counter)
    users: dict[c.Routine, dict[c.Routine, None]] = field(default_factory=dict)
    always_put: set[c.Site] = field(default_factory=set)
    guarded: set[c.Site] = field(default_factory=set)
    unseen: set[str] = field(default_factory=set)
    settled: dict[str, tuple[Point, Label]] = field(default_factory=dict)
    met: dict[c.Routine, Point] = field(default_factory=dict)
    known: Mapping[c.Routine, Point] = field(default_factory=dict)
    changed: dict[c.Routine, set[c.Family] | None] = field(default_factory=dict)
    is_exact: bool = field(init=False)
    heads: frozenset[Token] = field(init=False)
    inlined: dict[c.Expression, c.Expression] = field(default_factory=dict)
    hiding: dict[str, Label] = field(init=False)

    def __post_init__(self) -> None:
        self.summaries = {routine: Summary() for routine in self.bodies}
        self.is_exact = self.gathered is not None
        rules = rules_of_sight(self.symbols)
        if self.is_exact:
            found = {rule: rewritten(rule, written_out) for rule in rules}
            self.inlined = {rule: other for rule, other in found.items() if other is not rule}
        self.heads = heads_of_sight((*rules, *self.inlined.values()))
        if self.heads:
            self.heads |= {("==",)}  # viewers are compared with others
        if self.is_exact:
            self.heads |= {("in",)} | (sight.COMPARED if self.heads & sight.COMPARED else frozenset())
        hidden = [zone for zone in self.symbols.zones.values() if zone.visible != "all"]
        self.hiding = {
            kind.name: frozenset(Secret(zone) for zone in hidden if zone.holds in (None, kind.name))
            for kind in self.symbols.kinds.values()
            if kind.is_piece and kind.lies
        }

    def work(self, amount: int, span: Span) -> None:
        """Spend work from the budget: one for looking at an expression, about ten microseconds. Raises OverBudget."""
        self.worked += amount
        if self.worked >= WORK_A_UNIT:
            self.budget.spend(self.worked // WORK_A_UNIT, span)
            self.worked %= WORK_A_UNIT

    def changed_by(self, node: c.Perform) -> set[c.Family] | None:
        """The zones and variables that a call may change, with its triggers; None if it may ask somebody, or if they are many."""
        if not self.changed:
            self.changed = self.find_changed()
        triggers = (one for occasion in occasions(node) for one in self.symbols.waiting.get(occasion, ()))
        found: set[c.Family] = set()
        for routine in dict.fromkeys((*node.callees, *(trigger.routine for trigger in triggers))):
            families = self.changed.get(routine)
            if families is None:
                return None
            found |= families
        return found

    def knows_more(self) -> bool:
        """Whether more is known in actions wherever they are performed than was supposed."""
        nothing = Point(Walk(self), {}, {})
        return any(not one.is_like(self.known.get(action, nothing)) for action, one in self.met.items())

    def find_changed(self) -> dict[c.Routine, set[c.Family] | None]:
        """What each routine may change: what it changes itself, handed on to its callers until that adds nothing."""
        found: dict[c.Routine, set[c.Family] | None] = {}
        callers: defaultdict[c.Routine, list[c.Routine]] = defaultdict(list)
        for routine, own in footprints(self.bodies, {}).items():
            found[routine] = None if own.asks else set(own.changes)
            for one in own.onward(self.symbols):
                callers[one].append(routine)
        waiting = list(found)
        while waiting:
            one = waiting.pop()
            mine = found.get(one)
            for caller in callers[one]:
                theirs = found[caller]
                if theirs is None or (mine is not None and mine <= theirs):
                    continue
                whole = theirs | mine if mine is not None else None
                found[caller] = whole if whole is not None and len(whole) <= MOST_CHANGED else None
                waiting.append(caller)
        return found

    def places(self, type: Type) -> Label:
        """What decides where a piece of a type lies."""
        piece = bare(types.element(type))
        if not isinstance(piece, Piece):
            return PUBLIC
        return PUBLIC.union(*self.hiding.values()) if piece.kind is None else self.hiding.get(piece.kind, PUBLIC)


@dataclass(slots=True, eq=False)
class Walk:
    """The walk over one body. Nobody calls a root, so everything that it shows is known.

    `jumped` are the points from which control jumps to a label, `released` the families that have become public in a block,
    `out` where each has come out (None if it only may have), `waiting` what a branch would tell by what does not come out, if it never does,
    `decided` what is told of the conditions of the loops around, and of the branches that have been left, by their places, and what that reads, `sorted_out` the families that a loop goes through piece by piece, `depth` how many functions are being looked into,
    `parted` how many names stand for one of two players on the path, `whens` the conditions of lines of menus, by the name of the answer and the number of the line.
    """

    search: Search
    routine: c.Routine | None = None
    is_root: bool = True
    revealing: Revelation | None = None
    is_imagined: bool = False
    summary: Summary = field(default_factory=Summary)
    jumped: dict[str, Point] = field(default_factory=dict)
    released: frozenset[c.Family] = frozenset()
    out: dict[c.Family, Span | None] = field(default_factory=dict)
    waiting: dict[Span, Label] = field(default_factory=dict)
    decided: dict[Span, tuple[str, Label]] = field(default_factory=dict)
    sorted_out: frozenset[c.Family] = frozenset()
    depth: int = 0
    parted: int = 0
    whens: dict[tuple[str, int], c.Expression | None] = field(default_factory=dict)

    def come_out(self, gone: Iterable[c.Family], span: Span) -> None:
        """All see pieces of these families."""
        found = frozenset(gone)
        self.released |= found
        self.may_come_out(found)
        self.out |= dict.fromkeys(found, span)

    def may_come_out(self, gone: Iterable[c.Family]) -> None:
        """Perhaps all see pieces of these families: nothing is told by what does not come out."""
        self.out |= {one: None for one in gone if one not in self.out}
        self.waiting = {place: left for place, label in self.waiting.items() if (left := without(label, self.out))}

    def by_cause(self, atom: Secret | Given, shown: Shown, called: Span | None) -> tuple[Shown, Span | None]:
        """What a loop shows of its own condition is shown by its going on; what a branch that is left does, and what comes after it, by its condition."""
        if not isinstance(atom, Secret) or atom.family not in self.released:
            for span, (what, label) in self.decided.items():
                if atom in label:
                    return Shown(span, what, revealed=shown.revealed, by=shown.span), None
        return shown, called

    def summary_of(self, routine: c.Routine) -> Summary | None:
        """The summary of a called routine; the caller is summarised again when it changes."""
        if self.routine is not None:
            self.search.users.setdefault(routine, {})[self.routine] = None
        return self.search.summaries.get(routine)


class Point:
    """What is known at one point of the rules.

    `names` are the local names, `facts` the conditions that are known to hold or not. `counted` are the zones whose pieces
    everybody knows, though not their order, because every move in and out was public. `seen` maps the tokens of zones and pieces
    that were shown in place to those who have seen them; `("zone", name, ("members", L))` are the zones of all who are in a list,
    `("but", name, zone)` a zone but for the pieces that have come there under a name; `("read", piece, name)` says that a name
    took what is printed on a piece.
    """

    __slots__ = ("counted", "facts", "names", "search", "seen", "walk")

    def __init__(
        self,
        walk: Walk,
        names: dict[str, Taint],
        facts: dict[Token, bool],
        counted: frozenset[c.Zone] = frozenset(),
        seen: dict[Token, frozenset[Token]] | None = None,
    ) -> None:
        self.walk, self.search = walk, walk.search
        self.names, self.facts, self.counted, self.seen = names, facts, counted, {} if seen is None else seen

    def copy(self) -> Point:
        return Point(self.walk, dict(self.names), dict(self.facts), self.counted, dict(self.seen))

    def joined(self, other: Point) -> Point:
        """The point where two paths meet (lattice join)."""
        names = dict(self.names)
        for name, value in other.names.items():
            known = names.get(name, value)
            names[name] = value if known == value else join(known, value)
        facts = {key: holds for key, holds in self.facts.items() if other.facts.get(key) == holds}
        seen = {key: to & other.seen[key] for key, to in self.seen.items() if key in other.seen}
        return Point(self.walk, names, facts, self.counted & other.counted, seen)

    def become(self, other: Point) -> None:
        self.names, self.facts, self.counted, self.seen = KNOWN(other)

    def is_like(self, other: Point) -> bool:
        return bool(KNOWN(self) == KNOWN(other))

    def work(self, amount: int, span: Span) -> None:
        """Spend work, and that of going through everything that is known here."""
        self.search.work(amount + 1 + len(self.names) + len(self.facts) + len(self.seen), span)

    def leave(self, label: str) -> None:
        if self.search.is_exact:
            before = self.walk.jumped.get(label)
            self.walk.jumped[label] = self.copy() if before is None else before.joined(self)

    def arrive(self, label: str) -> None:
        """After a label, only what holds on every path to it is known."""
        before = self.walk.jumped.pop(label, None)
        if before is not None:
            self.become(self.joined(before))

    # --- names and facts ------------------------------------------------------------------------------------------------

    def get(self, name: str, otherwise: Token, /) -> Token:
        """The token of a local name, if that is known."""
        value = self.names.get(name)
        return value.who if value is not None and value.who is not None else otherwise

    def token(self, node: c.Expression) -> Token:
        return sight.token(node, self)

    def tokens(self, nodes: Sequence[c.Expression]) -> tuple[Token, ...]:
        return tuple(sight.token(node, self) for node in nodes)

    def hidden(self, family: c.Family, rule: str | c.Expression, index: Sequence[Token], it: Token = None) -> Label:
        """What a rule of sight hides from some players, as it stands or with the functions that it calls written out."""
        players = self.search.symbols.players
        found = sight.hidden(family, rule, index, self.facts, players, it)
        if not found or isinstance(rule, str) or not self.search.is_exact:
            return found
        other = self.search.inlined.get(rule, rule)
        names = sight.names_of_sight(index, it)
        more = found if other is rule else sight.hidden(family, other, index, self.facts, players, it)
        return (
            known_to(found, {*knowers_in(more), *sight.unnamed(other, names, self.facts, players)}) if more else PUBLIC
        )

    def amount(self, zone: c.Zone, index: Sequence[Token]) -> Label:
        """What is hidden of how many pieces lie in a zone."""
        found = self.hidden(zone, zone.amount, index)
        return part_of(found, "amount") if self.search.is_exact else found

    def bind(self, name: str, value: Taint, type: Type) -> None:
        """Assign a local name: tokens that mention its old value lose their meaning."""
        own: Token = ("local", name)
        self.forget(lambda known: mentions(known, own))
        if value.who is None and isinstance(type, Player):
            value = value._replace(who=own)
        elif value.who is not None and mentions(value.who, own):
            value = value._replace(who=None)
        value = forgotten(value, lambda known: mentions(known, own) and known != own)
        self.names[name] = value

    def rename(self, what: c.Expression | None, **parts: object) -> None:
        """Some parts of what a local name holds are something else now, or of what each does in a list of some."""
        for one in what.items if isinstance(what, c.Items) and self.search.is_exact else ():
            self.rename(one, **parts)
        if isinstance(what, c.Local) and what.name in self.names:
            before = self.names[what.name]
            now = self.names[what.name] = before._replace(**parts)  # type: ignore[arg-type]  # parts of a taint
            for known, to in list(self.seen.items()) if parts.get("content") == PUBLIC else ():
                match known:
                    case ("but", ("local", what.name), zone):
                        self.seen[zone] = to
                    case ("read", ("local", what.name), ("local", str(name))) if name in self.names:
                        opened = self.names[name].changed(lambda label: label - before.content, self.names[name].who)
                        self.names[name] = opened.under(now.told)

    def forget(self, is_gone: Callable[[Token], bool]) -> None:
        """Some tokens lose their meaning."""
        names = self.names
        for name, value in names.items():
            names[name] = forgotten(value, is_gone)
        self.facts = {key: holds for key, holds in self.facts.items() if not is_gone(key)}
        self.seen = {
            key: frozenset(one for one in to if not is_gone(one)) for key, to in self.seen.items() if not is_gone(key)
        }

    def forget_state(self, families: Iterable[c.Family] | None = None) -> None:
        """The state changes, so what was read from it may be out of date; with `families`, only these change."""
        if families is not None and self.search.is_exact:
            changed = {family.name for family in families}
            self.forget(lambda known: may_change(known, changed))
            return
        self.forget(is_stateful)
        self.seen = {}
        if not self.search.is_exact:
            self.facts = {}

    def knowing(self, test: c.Expression | None, holds: bool = True) -> Point:
        """This point where a condition holds, or does not."""
        if test is None:
            return self
        facts = self.with_facts(learned(test, holds, self, self.search.heads))
        return Point(self.walk, self.names, facts, self.counted, self.seen)

    def with_facts(self, more: Iterable[tuple[Token, bool]]) -> dict[Token, bool]:
        """What is known here, with some more facts."""
        found = self.facts | dict(more)
        return sight.closed(found) if self.search.is_exact else found

    def learn(self, test: c.Expression, holds: bool) -> None:
        """A condition holds from here on, or does not. A piece that is `none` has no secret."""
        self.facts = self.with_facts(learned(test, holds, self, self.search.heads))
        while isinstance(test, c.Apply) and test.operator is types.NOT:
            test, holds = test.arguments[0], not holds
        match test:
            case c.Apply(operator=types.PRESENT, arguments=(c.Local() as piece,)) if self.search.is_exact and not holds:
                self.rename(piece, content=PUBLIC, where=PUBLIC)

    def learn_member(self, name: str, source: c.Expression, again: bool = False, is_one: bool = True) -> None:
        """What is known of a member of a list: that it is in it, and what its conditions say of it.

        An opponent of a player is not that player; partners are of one team, opponents of two. `again` says that
        the state may have changed since the list was made, in an earlier pass of a loop. Unless it `is_one`, it may be
        none, which is equal to nothing that its conditions name.
        """
        if not self.search.is_exact:
            return
        own: Token = ("local", name)
        for listed in self.lists_around(source):
            if not again or ("unchanged", listed) in self.seen:
                self.facts["in", own, listed] = True
        for inner, names in self.sources(source):
            match inner:
                case c.Select(value=None, where=where) if where is not None:
                    self.learn_condition(where, Inside(names, inner.binder, own), again, is_one)
                case c.Apply(operator=types.OPPONENTS, arguments=(me,)):
                    self.facts["==", own, sight.token(me, names)] = False
        self.facts = self.with_facts(())

    def sources(self, source: c.Expression) -> Iterator[tuple[c.Expression, Names]]:
        """A list and those that it is taken from, also by a function, each with what its local names denote."""
        names: Names = self
        for _ in range(DEEPEST):
            source = whole(source)
            yield source, names
            match source:
                case c.Apply(operator=types.PARTNERS | types.RIVALS, arguments=(inner, *_)):
                    source = inner
                case c.Select(value=None, source=inner):
                    source = inner
                case c.Call(function=function, arguments=arguments, me=me):
                    match function.body:
                        case (c.Return(value=value),) if value is not None:
                            pairs = zip(function.parameters, arguments, strict=False)
                            given = {one.name or "": sight.token(part, names) for one, part in pairs}
                            source, names = value, given if me is None else {**given, "me": sight.token(me, names)}
                        case _:
                            return
                case _:
                    return

    def lists_around(self, source: c.Expression) -> Iterator[Token]:
        """The lists that all members of a list are in, itself first."""
        for inner, names in self.sources(source) if self.search.is_exact else ():
            if (listed := members(sight.token(inner, names))) is not None:
                yield listed
                for known in self.seen:
                    match known:
                        case ("within", own, more) if own == listed:
                            yield more

    def learn_condition(self, where: c.Expression, names: Names, again: bool, is_one: bool) -> None:
        """What the condition of a list tells of a member of it."""
        there = types.PRESENT.name
        facts = dict(learned(where, True, names, self.search.heads | {(there,)}))
        for fact, holds in facts.items():
            if again and is_stateful(fact):
                continue
            match fact:
                case ("==", one, _) if holds and not is_one and not is_team(one):
                    continue
            self.facts[fact] = holds
            match fact:
                case ("==", one, other) if holds and is_team(one):
                    if facts.get((there, one)) or facts.get((there, other)):  # both have a team
                        self.facts |= {(there, one): True, (there, other): True}

    def scramble(self, zones: frozenset[c.Zone]) -> None:
        """Forget which pieces lie in these zones."""
        self.counted -= zones
        self.walk.summary.scrambled |= zones

    def mix(self, zones: frozenset[c.Zone]) -> None:
        """Forget where the pieces of these zones lie: only those who see into them still know."""
        self.walk.summary.mixed |= zones
        for name, value in self.names.items():
            zone = value.home[0] if value.home is not None else None
            if zone in zones and zone is not None and zone.visible != "all":
                self.names[name] = value._replace(where=value.where | {Secret(zone)})


KNOWN = attrgetter("names", "facts", "counted", "seen")


def may_change(known: Token, families: Collection[str]) -> bool:
    """Whether a change in these zones and variables may invalidate a token."""
    match known:
        case ("zone" | "variable", str(name), *_) if name in families:
            return True
        case ("call" | "owner" | "place", *_):
            return True
        case tuple():
            return any(may_change(part, families) for part in known)
    return False


# --- what comes to light ------------------------------------------------------------------------------------------------


def show(
    walk: Walk, label: Label, audience: Token, shown: Shown, but: Label = PUBLIC, called: Span | None = None
) -> None:
    """Something reaches an audience: note a leak, defer it until a call instantiates it, or accept it as revealed on purpose."""
    summary = walk.summary
    if label or but:
        summary.used |= label | but
        label = without(label, families(but)) if but else label
    if walk.is_imagined or not label:
        return
    walk.search.work(len(label) // 2, shown.span)
    if shown.revealed is None and walk.revealing is not None:
        shown = Shown(shown.span, shown.what, shown.whom, shown.code, walk.revealing)
    for atom in sorted(label, key=by_name) if len(label) > 1 else label:
        if isinstance(atom, Secret) and audience != EVERYBODY and is_known_to(atom, audience):
            continue
        here, by = walk.by_cause(atom, shown, called) if audience == EVERYBODY else (shown, called)
        if is_open(atom, audience, but, walk.is_root):
            summary.flows.setdefault(Flow(atom, audience, but), here)
        elif isinstance(atom, Secret):
            leak(walk, atom, here, by)


def leak(walk: Walk, atom: Secret, shown: Shown, called: Span | None) -> None:
    """Note a leak, or that it is revealed on purpose."""
    kept = atom.through.span if atom.through is not None else atom.family.span
    reasons = walk.search.reasons
    on_purpose = reasons.about(shown.revealed, atom.family) or reasons.at(atom.family.span) or reasons.at(kept)
    if on_purpose is not None:
        walk.search.needed.add(on_purpose)
    else:
        walk.summary.leaks.append((atom, shown, called))


def is_open(atom: Secret | Given, audience: Token, but: Label, is_root: bool) -> bool:
    """Whether only a call can decide if this may be shown."""
    if isinstance(atom, Given):
        return True
    if is_root:
        return False
    return any(isinstance(other, Given) for other in but) or (audience != EVERYBODY and bool(atom.knowers))


def by_name(atom: Secret | Given) -> tuple[int, str, int]:
    """The order in which leaks are reported."""
    if isinstance(atom, Secret):
        return (0, atom.family.name + atom.part, len(atom.knowers))
    return (1, f"{atom.parameter} {atom.part}", 0)


def receive(walk: Walk, content: Label, receiver: tuple[str, str], span: Span) -> None:
    """Let a trigger or a variable receive pieces with this label."""
    kind, name = receiver
    for atom in content:
        if isinstance(atom, Given):
            walk.summary.flows.setdefault(Flow(atom, receiver), Shown(span, ""))
        elif kind == "trigger":
            walk.search.unseen.add(name)
        else:
            walk.search.held.setdefault(name, {}).setdefault(atom.family, span)


def put_always(walk: Walk, label: Label, site: c.Site) -> None:
    """Mark a question as always put, even with nothing to answer, if its mere appearance would reveal a secret."""
    for atom in label:
        if isinstance(atom, Secret):
            walk.search.always_put.add(site)
        else:
            walk.summary.flows.setdefault(Flow(atom, EVERYBODY, PUBLIC, site), Shown(site.span, ""))


def guard(walk: Walk, label: Label, sites: Iterable[c.Site]) -> None:
    """Mark menus of which not everybody may read a line, or know that it is there; of what a call gives, the call decides."""
    for site in sites if label else ():
        for atom in label:
            if isinstance(atom, Secret) or not walk.search.is_exact:
                walk.search.guarded.add(site)
            else:
                walk.summary.flows.setdefault(Flow(atom, READERS, PUBLIC, site), Shown(site.span, ""))


def come_to_light(walk: Walk, label: Label) -> Label:
    """The conditions for doing something, without what is hidden when a revelation covers it."""
    if walk.revealing is None or not families(label):
        return label
    left = walk.search.reasons.rest(label, walk.revealing)
    if left != label:
        walk.search.needed.add(walk.revealing)
        walk.summary.used |= label
    return left


def instantiate(walk: Walk, routine: c.Routine, call: CallSite, span: Span) -> Summary:
    """Apply the summary of a routine to one call of it."""
    summary = walk.summary_of(routine) or Summary()
    walk.search.work(2 * len(summary.flows) + len(summary.used) // 2, span)
    walk.summary.used |= call.label(summary.used)
    for flow, shown in summary.flows.items():
        label = call.atom(flow.atom)
        if not label:
            continue
        if flow.site is not None:
            if flow.audience == READERS:
                guard(walk, label, (flow.site,))
            else:
                put_always(walk, label, flow.site)
        elif (receiver := receiver_of(flow.audience)) is not None:
            receive(walk, label, receiver, shown.span)
        else:
            show(walk, label, call.audience(flow.audience), shown, call.label(flow.but), span)
    return summary
