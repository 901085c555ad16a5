"""What a game has too little of where a house rule lets more play than the game is for, or adds more of a kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from houserule.definition.model import GameDefinition, Widened
from houserule.diagnostics import Related, Report
from houserule.language.scope import Strain
from houserule.language.symbols import SymbolTable
from houserule.language.types import Maybe, Member

MOST_EACH = 4
"""A player has at most so many things of a sort; what there is more of is for all."""


def check_stretch(
    game: GameDefinition, symbols: SymbolTable, strains: Iterable[Strain], usual: Iterable[Strain], report: Report
) -> None:
    """Warn of what does not suffice for the players that a house rule adds: boards, colours, tables.

    `usual` are the strains that the game has without them.
    """
    wide = game.widened
    assert wide is not None
    for message, help, related in (
        *in_the_box(wide, game),
        *of_their_own(wide, symbols),
        *in_the_layout(wide, game),
        *in_tables(strains, usual),
    ):
        report.warning("HR714", f"with {wide.now} players {message}", wide.span, help, [related])


Lack = tuple[str, str, Related]
"""What there is too little of, what to write, and the place."""


def in_the_box(wide: Widened, game: GameDefinition) -> Iterator[Lack]:
    for name in sorted(wide.box & game.box.keys()):
        thing = game.box[name]
        each, rest = divmod(thing.count, wide.before)
        if rest == 0 and 1 <= each <= MOST_EACH:
            message = f"the box has too few of '{name}': {thing.count}, {each} for each of {wide.before}"
            yield message, f"change: {{box: {{{name}: {{count: {each * wide.now}}}}}}}", Related("here", thing.span)


def of_their_own(wide: Widened, symbols: SymbolTable) -> Iterator[Lack]:
    """Enums of which each player can have a member, with as many members as there were players."""
    for variable in symbols.variables.values():
        type = variable.type.of if isinstance(variable.type, Maybe) else variable.type
        kind = symbols.kinds.get(type.kind) if isinstance(type, Member) else None
        if kind is not None and variable.owned and wide.before <= len(kind.ids) < wide.now:
            message = f"not everybody can have another '{kind.name}' for '{variable.name}': there are {len(kind.ids)}"
            yield message, f"add: {{enums: {{{kind.name}: …}}}}", Related("they are here", kind.span)


def in_the_layout(wide: Widened, game: GameDefinition) -> Iterator[Lack]:
    colours = game.layout.players if game.layout is not None else ()
    if wide.before <= len(colours) < wide.now:
        message = f"the layout has colours for {len(colours)} of them"
        yield message, "add: {layout: {players: […]}}", Related("here", colours[0].span)


def in_tables(strains: Iterable[Strain], usual: Iterable[Strain]) -> Iterator[Lack]:
    """The tables that are read beyond their ends, and further than `usual`, where only the game itself knows that this never happens."""
    known = {strain.span: strain.high for strain in sorted(usual, key=lambda strain: strain.high)}
    for strain in strains:
        if strain.high <= known.get(strain.span, -1):
            continue
        message = f"'{strain.index}' can be {strain.high}, and table '{strain.table}' ends with entry {strain.last}"
        yield message, f"change: {{tables: {{{strain.table}: …}}}}", Related("it is read here", strain.span)


def check_short(strains: Iterable[Strain], usual: Iterable[Strain], report: Report) -> None:
    """Warn of tables that sufficed for the game, and do not for what a house rule adds, such as one colour more."""
    for message, help, related in in_tables(strains, usual):
        report.warning("HR715", message, related.span, help)
