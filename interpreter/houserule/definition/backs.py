"""Backs: face-down piles in which the backs of pieces tell which kind each is of."""

from __future__ import annotations

from collections.abc import Iterable

from houserule.definition.model import GameDefinition, KindDefinition
from houserule.diagnostics import EFFECTS, Related, Report
from houserule.language.checked import Act, Body, EitherPile, Expression, Pile, Statement, Zone
from houserule.language.symbols import SymbolTable
from houserule.language.trees import everything, statements
from houserule.language.types import List, Piece, plain


def check_backs(
    game: GameDefinition,
    symbols: SymbolTable,
    bodies: Iterable[Body],
    starts: Iterable[tuple[str, Expression]],
    report: Report,
) -> None:
    """Warn of a pile that hides pieces of several kinds and does not hide their kinds; if each kind says what its back is called, that is on purpose."""
    hiding = [
        zone
        for zone in symbols.zones.values()
        if zone.holds is None and zone.visible != "all" and zone.amount not in ("none", zone.visible)
    ]
    if not hiding:
        return
    lying = kinds_by_zone(symbols, bodies, starts)
    told: list[set[str]] = []
    for zone in hiding:
        kinds = [kind for name, kind in game.kinds.items() if name in lying[zone] and not kind.quiet]
        names = {kind.name for kind in kinds}
        if any(names <= others for others in told):
            continue
        if len({back_of(kind) for kind in kinds}) > 1 and any(kind.back_title is None for kind in kinds):
            *others, last = (f"'{kind.name}'" for kind in kinds)
            message = f"'{zone.name}' is face down, but the backs of {', '.join(others)} and {last} tell them apart"
            told.append(names)
            help = "give all of them the same back_title, or each of them its own if that is meant"
            related = [Related(f"'{kind.name}' is here", kind.span) for kind in kinds]
            report.warning("HR584", message, zone.span, help, related, follows_from=(EFFECTS,))


def back_of(kind: KindDefinition) -> tuple[object, ...]:
    """What the back of a piece of a kind is called."""
    title = kind.title if kind.title is not None and not kind.title.shows_values else None
    prose = kind.back_title or title
    return (kind.name,) if prose is None else tuple(text.raw for text in prose.texts.values())


def kinds_by_zone(
    symbols: SymbolTable, bodies: Iterable[Body], starts: Iterable[tuple[str, Expression]]
) -> dict[Zone, set[str]]:
    """The kinds of pieces that may lie in each zone: those that begin there, and what is moved there, wherever it comes from."""
    found: dict[Zone, set[str]] = {zone: {zone.holds} if zone.holds else set() for zone in symbols.zones.values()}
    for kind, start in starts:
        for pile in everything(start):
            if isinstance(pile, Pile):
                found[pile.zone].add(kind)
    moves = [move for body in bodies for one in statements(body) if (move := moved(one))]
    moves += [(set(), (symbols.zones[z.refill],), (z,)) for z in symbols.zones.values() if z.refill in symbols.zones]
    is_settled = False
    while not is_settled:
        is_settled = True
        for named, leaves, enters in moves:
            kinds_moved = named.union(*(found[zone] for zone in leaves))
            for zone in enters:
                if zone.holds is None and not kinds_moved <= found[zone]:
                    found[zone] |= kinds_moved
                    is_settled = False
    return found


def moved(one: Statement) -> tuple[set[str], tuple[Zone, ...], tuple[Zone, ...]] | None:
    """The kinds that a statement moves, as far as they are known; the zones that other pieces leave; and those that all enter."""
    if not isinstance(one, Act) or not one.enters:
        return None
    types = [a.type for a in one.arguments if a is not None and not isinstance(a, Pile | EitherPile)]
    pieces = [plain(type.of if isinstance(type, List) else type) for type in types]
    kinds = [piece.kind for piece in pieces if isinstance(piece, Piece)]
    named = {kind for kind in kinds if kind is not None}
    return named, () if kinds and None not in kinds else one.leaves, one.enters
