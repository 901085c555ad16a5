"""Emits questions: what they offer, and what watched play notes of them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from houserule.compiler.chance import drawn_anyhow, drawn_or_passed, selected
from houserule.compiler.emitter import Emitter
from houserule.compiler.expressions import as_condition, expression
from houserule.language.checked import Apply, Ask, Constant, Expression, Local, ReadVariable, Site, Zone
from houserule.language.symbols import SymbolTable
from houserule.language.types import ANY_LIE, BOOL, Int, Member, Piece, Tuple, none_of, plain
from houserule.operations.table import by_name


def options(emitter: Emitter, ask: Ask) -> ast.expr:
    """The list of possible answers: members, pieces, or the numbers of a menu's lines."""
    site = ask.site
    if ask.source is None:
        return menu_options(emitter, ask)
    element = plain(site.type)
    if isinstance(element, Tuple):
        return tuples(emitter, ask, ask.source, element)
    # If several are chosen, each copy can be one of them, so all are offered.
    source = expression(emitter, ask.source)
    if site.kind == "pick" and isinstance(element, Piece) and may_be_alike(element, emitter.symbols):
        chooser = expression(emitter, ask.chooser)
        emitter.at(ask.span)
        source = emitter.call("alike_once", emitter.name("s"), chooser, source)
    emitter.at(ask.span)
    return source


def tuples(emitter: Emitter, ask: Ask, source: Expression, type: Tuple) -> ast.expr:
    """The tuples that can be answered; those that differ only in equal copies are one."""
    made = expression(emitter, source)
    alike = tuple(isinstance(p := plain(part), Piece) and may_be_alike(p, emitter.symbols) for part in type.of)
    if not any(alike):
        return made
    chooser = expression(emitter, ask.chooser)
    emitter.at(ask.span)
    known = (emitter.name(emitter.constant(value)) for value in (type, alike))
    return emitter.call("tuples_once", emitter.name("s"), chooser, made, *known)


def menu_options(emitter: Emitter, ask: Ask) -> ast.expr:
    """The numbers of the lines that are offered."""
    if all(when is None for when in ask.whens):
        emitter.at(ask.span)
        return emitter.value(tuple(range(len(ask.whens))))
    parts: list[ast.expr] = []
    for number, when in enumerate(ask.whens):
        if when is None:
            parts.append(emitter.number(number))
        else:
            condition = as_condition(emitter, emitter.fold(when))
            emitter.at(ask.span)
            parts.append(emitter.spread(emitter.either(condition, emitter.value((number,)), emitter.value(()))))
    return emitter.list_of(parts)


def fixed_options(ask: Ask) -> tuple[int, ...]:
    """The constant options of a question, all different; None for any other question."""
    if ask.site.kind == "menu" and ask.source is None:
        return tuple(range(len(ask.whens))) if all(when is None for when in ask.whens) else ()
    constant = ask.source.value if isinstance(ask.source, Constant) else ()
    is_plain = ask.site.kind == "pick" and not isinstance(plain(ask.site.type), Piece)
    return tuple(constant) if is_plain and isinstance(constant, tuple | range) else ()


def bounds(emitter: Emitter, ask: Ask, offered: ast.expr) -> ast.expr:
    """The fewest and the most that may be taken, if several are chosen."""
    assert ask.low is not None and ask.high is not None
    low, high = expression(emitter, ask.low), expression(emitter, ask.high)
    emitter.at(ask.span)
    return emitter.tuple_of([low, high]) if always_so_many(ask) else emitter.call("bounds", low, high, offered)


MOST_ABOUT = 1000
"""Of more things, what a prompt names is not counted by thing."""


@dataclass(frozen=True, slots=True)
class About:
    """The thing that the prompt of a question names: the place of its value among those of the prompt, and the things it can be."""

    place: int
    thing: Local | ReadVariable
    type: Member | Piece
    things: range


def about(site: Site, symbols: SymbolTable) -> About | None:
    """The first piece or member that the prompt names, so that studies can count the answers for each apart."""
    if site.kind not in ("pick", "menu"):
        return None
    for place, part in enumerate(part for part in site.parts if not isinstance(part, str)):
        if isinstance(part, Local | ReadVariable) and isinstance(part.type, Member | Piece) and part.type.kind:
            kind = symbols.kinds[part.type.kind]
            if 1 < len(kind.numbers) <= MOST_ABOUT:
                return About(place, part, part.type, range(kind.numbers[0], kind.numbers[-1] + 1))
    return None


def counted_sites(sites: Sequence[Site], symbols: SymbolTable) -> tuple[list[Site], dict[Site, int]]:
    """The sites as a study counts them: after all of them, those that are about something once more for each thing.

    Also the number by which each of these comes again for the first thing.
    """
    found, first = [*sites], {}
    for site in sites:
        known = about(site, symbols)
        if known is not None:
            first[site] = len(found)
            found += [site] * len(known.things)
    return found, first


def nothing(ask: Ask) -> int:
    return none_of(ask.site.type) if ask.site.kind == "pick" else -1


def no_answer(emitter: Emitter, ask: Ask) -> ast.expr:
    """The answer to a question that is not put: an empty list where several are chosen."""
    if ask.site.kind == "several":
        return emitter.list_of([])
    return emitter.number(nothing(ask))


def is_always_asked(emitter: Emitter, ask: Ask) -> bool:
    """Whether there is always something to choose, or the question is put even if not."""
    return is_never_empty(ask) or (ask.site in emitter.secrets.always_put and not is_counted(emitter, ask.site))


def is_counted(emitter: Emitter, site: Site) -> bool:
    """Whether everybody can see if there is nothing at all to choose: then nobody is asked, although the options are secret."""
    if emitter.asks_anyway and not site.values:
        return False
    always = emitter.secrets.always_put
    return site in always and site.counted is not None and site.counted not in always


def may_be_asked(emitter: Emitter, ask: Ask) -> ast.expr:
    """Whether there is an option in `o`, or, as all can see, something that might be one; of several, whether any may be taken."""
    if not is_counted(emitter, ask.site):
        return emitter.line("b[1] > 0") if ask.site.kind == "several" else emitter.name("o")
    lists = [as_condition(emitter, emitter.fold(Apply(one.span, BOOL, ANY_LIE, (one,)))) for one in ask.site.whole]
    emitter.at(ask.span)
    return emitter.one_of([emitter.line("len(o) > 0"), *lists])


def is_never_empty(ask: Ask) -> bool:
    """Whether there is always something to choose."""
    if ask.site.kind == "menu":
        return any(when is None for when in ask.whens)  # not known of one with values
    return ask.site.kind == "pick" and isinstance(ask.source, Constant) and bool(ask.source.value)


def is_somebody(chooser: Expression) -> bool:
    return isinstance(chooser, Local | Constant) or (isinstance(chooser, ReadVariable) and not chooser.index)


def always_so_many(ask: Ask) -> bool:
    """Whether there are always as many options as may be taken, and never fewer than must be."""
    assert ask.low is not None and ask.high is not None
    low, high, source = ask.low.type, ask.high.type, ask.source
    return (
        isinstance(low, Int)
        and isinstance(high, Int)
        and isinstance(source, Constant)
        and isinstance(source.value, tuple)
        and low.low >= 0
        and low.high <= high.low
        and high.high <= len(source.value)
    )


def may_be_alike(piece: Piece, symbols: SymbolTable) -> bool:
    """Whether pieces of a kind can lie where nothing distinguishes copies."""
    kinds = [piece.kind] if piece.kind else [k.name for k in symbols.kinds.values() if k.is_piece]
    for name in kinds:
        kind = symbols.kinds[name]
        if len(set(kind.ids)) == len(kind.ids):
            continue
        if any(not z.ordered and z.holds in (None, name) for z in symbols.zones.values()):
            return True
    return False


def tells_nothing_apart(zone: Zone, symbols: SymbolTable) -> bool:
    """Whether only printed values distinguish the pieces in a zone, for everybody: neither order nor variables do."""
    changing = {v.of_kind for v in symbols.variables.values() if v.of_kind in symbols.kinds}
    unchanging = zone.holds not in changing if zone.holds is not None else not changing
    return not zone.ordered and zone.visible == "all" and unchanging


State = Any
Question = tuple[int, int, Sequence[int], Any]
"""An answered question: its site, the player, the options, and the answer (a list for several)."""

ASKER, SITE = 12, 20
"""The shifts of player and site in a packed note: integers are quicker to keep and to count than tuples."""


def can_be_packed(options: Sequence[int], players: int) -> bool:
    return players <= 1 << (SITE - ASKER) and all(0 <= option < 1 << ASKER for option in options)


@dataclass(slots=True, eq=False, repr=False)
class Watch:
    """The notes of a match: the questions, and the result of `look` at the beginning of each round."""

    fixed: list[int] = field(default_factory=list)
    """Questions with constant options: site, player and answer as one integer (see `ASKER`)."""
    questions: list[Question] = field(default_factory=list)
    """Other questions with one answer."""
    several: list[Question] = field(default_factory=list)
    """Questions with several answers: selections, and races, whose options are the players who may join."""
    rounds: int = 0
    look: Callable[[State], None] | None = None
    note_fixed: Callable[[int], None] = field(init=False)
    note: Callable[[Question], None] = field(init=False)
    note_several: Callable[[Question], None] = field(init=False)

    def __post_init__(self) -> None:
        self.note_fixed, self.note = self.fixed.append, self.questions.append
        self.note_several = self.several.append


def note(s: State, site: int, asker: int, options: Sequence[int], taken: int) -> None:
    s.watch.note((site, asker, options, taken))


def note_several(s: State, site: int, asker: int, options: Sequence[int], taken: Sequence[int]) -> None:
    s.watch.note_several((site, asker, options, taken))


def round_begun(s: State) -> None:
    watch = s.watch
    watch.rounds += 1
    if watch.look is not None:
        watch.look(s)


def drawn_of_fixed(s: State, options: Sequence[int], nothing: int, site: int, asker: int) -> int:  # noqa: ARG001  called like the others
    """One of the options of a question with constant options, all equally likely; `site` is already shifted."""
    # `drawn`, inlined, here and below: most questions of a match are answered this way.
    s.chances -= 1
    s.passes = 0
    taken = options[int(s.chance() * len(options))]
    s.watch.note_fixed(site + (asker << ASKER) + taken)
    return taken


def drawn_watched(s: State, options: Sequence[int], nothing: int, site: int, asker: int) -> int:
    """One of the options, all equally likely; `nothing` if there are none."""
    if not options:
        return nothing
    s.chances -= 1
    s.passes = 0
    taken = options[int(s.chance() * len(options))]
    s.watch.note((site, asker, options, taken))
    return taken


def drawn_or_passed_watched(s: State, options: Sequence[int], nothing: int, site: int, asker: int) -> int:
    taken = drawn_or_passed(s, options, nothing)
    if options:
        note(s, site, asker, options, taken)
    return taken


def drawn_anyhow_watched(s: State, options: Sequence[int], nothing: int, may_pass: bool, site: int, asker: int) -> int:
    taken = drawn_anyhow(s, options, nothing, may_pass)
    note(s, site, asker, options, taken)
    return taken


def selected_watched(
    s: State, options: Sequence[int], bounds: tuple[int, int], may_pass: bool, site: int, asker: int
) -> list[int]:
    """A selection whose size is within the bounds, all equally likely; an empty one if none is possible."""
    taken = selected(s, options, bounds, may_pass)
    if bounds[1] > 0:
        note_several(s, site, asker, options, taken)
    return taken


WATCHED: dict[str, Any] = {
    **by_name(round_begun, drawn_of_fixed, drawn_watched, drawn_or_passed_watched, drawn_anyhow_watched),
    **by_name(selected_watched),
}
