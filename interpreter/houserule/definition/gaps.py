"""Gaps: what lacks something that all others like it have, as a new piece does that was forgotten in the layout.

What is like nothing else, or lacks what others lack as well, is on purpose. A game also has too little of something where a house
rule lets more play than it is for, or adds more of a kind.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Protocol

from houserule.definition.model import GameDefinition, KindDefinition, MemberDefinition, Widened
from houserule.definition.prose import NO_NAMES
from houserule.definition.reader import Prose
from houserule.diagnostics import EFFECTS, USES, Related, Report, Span
from houserule.language import nodes
from houserule.language.scope import Strain
from houserule.language.symbols import SymbolTable
from houserule.language.types import plain
from houserule.source import Mapping as Tree
from houserule.source import Scalar, Yaml

FEWEST = 2
"""The fewest others that make a rule of what they have."""
WORD = re.compile(r"\w+")


class Titled(Protocol):
    """What people read the title of."""

    @property
    def name(self) -> str: ...
    @property
    def span(self) -> Span: ...
    @property
    def title(self) -> Prose | None: ...


def check_gaps(game: GameDefinition, tree: Tree, report: Report) -> None:
    """Warn of what has no look, no title, or no way into play, while all others like it do."""
    strays = any(one.code == "HR595" for one in report.found)  # a misspelt name has the title of another
    for thing, section in untitled(game) if not strays else ():
        message = f"'{thing.name}' has no title, and the other {section} do"
        report.warning("HR576", message, thing.span, "title: …", follows_from=("title",))
    for member, kind, place in without_look(game):
        message = f"the layout has no look for '{member}', and one for the other members of '{kind.name}'"
        span = next((one.span for one in kind.members if one.name == member), kind.span)
        places = [Related("they are here", place)]
        report.warning("HR575", message, span, "it is drawn as its letters", places, follows_from=(USES,))
    for message, span, help in without_way(game, tree):
        report.warning("HR577", message, span, help, follows_from=(EFFECTS,))


def exceptions(having: Collection[str], lacking: Collection[str]) -> Collection[str]:
    """Those that lack what the others have, if so many have it that this is the rule."""
    return lacking if len(having) >= FEWEST and len(lacking) < len(having) else ()


# --- titles -----------------------------------------------------------------------------------------------------------


def untitled(game: GameDefinition) -> Iterator[tuple[Titled, str]]:
    """What people read the name of, and has none, with what it is one of."""
    sections: list[tuple[str, Iterable[Titled]]] = [
        ("options", game.options.values()),
        ("zones", [zone for zone in game.zones.values() if not zone.quiet]),
        ("variables", [variable for variable in game.variables.values() if not variable.quiet]),
        ("lines of the score sheet", game.scoring),
    ]
    for kind in game.kinds.values():
        # A title with values says what each piece is, so that none needs its own.
        if not (kind.title is not None and kind.title.shows_values) and not kind.quiet:
            sections.append((f"members of '{kind.name}'", kind.members))
    for section, things in sections:
        by_name = {thing.name: thing for thing in things}
        having = [name for name, thing in by_name.items() if thing.title is not None]
        for name in exceptions(having, [name for name, thing in by_name.items() if thing.title is None]):
            yield by_name[name], section


# --- looks ------------------------------------------------------------------------------------------------------------


def without_look(game: GameDefinition) -> Iterator[tuple[str, KindDefinition, Span]]:
    """The members and pieces that a layout leaves out, with their kind and the place of the others' looks."""
    layout = game.layout
    if layout is None:
        return
    for name, (span, looks) in layout.enums.items():
        kind = game.kinds.get(name)
        for member in left_out(kind, looks) if kind is not None else ():
            yield member.name, kind, span  # type: ignore[misc]
    for name, look in layout.pieces.items():
        kind = game.kinds.get(name)
        for piece in left_out(kind, look.pieces) if kind is not None else ():
            if not has_look(piece, (look.fill, look.symbol)) and look.letter is None and look.icon is None:
                yield piece.name, kind, look.span  # type: ignore[misc]


def left_out(kind: KindDefinition, looks: Mapping[str, object]) -> list[MemberDefinition]:
    """The members that have no look, where the others do."""
    lacking = {member.name: member for member in kind.members if member.name not in looks}
    return [lacking[name] for name in exceptions(looks.keys(), lacking.keys())]


def has_look(piece: MemberDefinition, parts: Iterable[nodes.Expression | None]) -> bool:
    """Whether an expression over `it` gives a piece its colour or symbol: one that reads an attribute that the piece has."""
    for part in parts:
        if isinstance(part, nodes.Attribute) and isinstance(part.of, nodes.Name) and part.of.id == "it":
            if part.name in piece.attributes:
                return True
        elif part is not None and not isinstance(part, nodes.Name):
            return True
    return False


# --- ways into play ---------------------------------------------------------------------------------------------------


def without_way(game: GameDefinition, tree: Tree) -> Iterator[tuple[str, Span, str]]:
    """What no rule can bring into play: a message, the place, and what to do."""
    forgotten: list[tuple[KindDefinition, MemberDefinition]] = []
    on_pieces = printed(game)
    for kind in game.kinds.values():
        for member in kind.members:
            if isinstance(member.count, nodes.Number) and member.count.value == 0:
                yield f"there are no copies of '{member.name}'", member.span, "count: 1, or remove it"
        effect = kind.effects[0].name if len(kind.effects) == 1 else ""
        idle = [member for member in kind.members if effect not in member.effects] if effect else []
        if len(idle) == 1 and len(kind.members) > FEWEST + 1:
            message = f"'{idle[0].name}' has no '{effect}', and all others of '{kind.name}' do"
            yield message, idle[0].span, f"{effect}: …, or {effect}: nothing"
        if not kind.is_piece:
            forgotten += [(kind, member) for member in unprinted(kind, on_pieces)]
    said = set(words_in(tree)) if forgotten else ()
    yield from never_taken(game, tree)
    for kind, member in forgotten:
        if member.name not in said:
            message = f"no piece and no rule has '{member.name}', though others of '{kind.name}' are on pieces"
            yield message, member.span, "give it to a piece, or name it in a rule"


def never_taken(game: GameDefinition, tree: Tree) -> Iterator[tuple[str, Span, str]]:
    """Kinds of pieces that start out of sight where no rule looks, and that no rule names. Those in sight may be scenery."""
    begun = [
        (kind, kind.starts_in.id)
        for kind in game.kinds.values()
        if kind.is_piece and not kind.quiet and isinstance(kind.starts_in, nodes.Name)
    ]
    named = set(words_in(tree, without=("starts_in", "holds"))) if begun else set()
    for kind, zone in begun:
        hidden = zone in game.zones and game.zones[zone].visible != "all"
        if hidden and named.isdisjoint((zone, kind.name, *(member.name for member in kind.members))):
            message = f"no rule names '{zone}', where every '{kind.name}' starts"
            yield message, kind.span, f"draw from {zone}; quiet: true if '{kind.name}' is not meant for play"


def printed(game: GameDefinition) -> set[str]:
    """The names that are printed on listed pieces, those of members among them."""
    return {
        value.id
        for kind in game.kinds.values()
        for piece in kind.members
        for given in piece.attributes.values()
        for value in (given if isinstance(given, tuple) else (given,))
        if isinstance(value, nodes.Name)
    }


def unprinted(enum: KindDefinition, printed: set[str]) -> Iterator[MemberDefinition]:
    """The members on no piece, where all others with the same attributes are on some."""
    alike: dict[frozenset[str], list[MemberDefinition]] = {}
    for member in enum.members:
        alike.setdefault(marks(member), []).append(member)
    for members in alike.values():
        lacking = [member for member in members if member.name not in printed]
        if len(lacking) == 1 and len(members) > FEWEST:
            yield lacking[0]


def marks(member: MemberDefinition) -> frozenset[str]:
    """The attributes that a member has, without those that are false."""
    given = member.attributes.items()
    return frozenset(name for name, value in given if not (isinstance(value, nodes.Truth) and not value.value))


def words_in(node: Yaml, path: tuple[str, ...] = (), without: Collection[str] = ()) -> Iterator[str]:
    """The words in the rules of a game, without texts for people, layouts, certain keys, and names where they are declared."""
    if isinstance(node, Scalar):
        yield from WORD.findall(node.text)
    is_declared = path[:1] == ("enums",) and len(path) <= 3
    for item in node.items if not is_declared else ():
        yield from words_in(item, (*path, ""), without)
    for key, entry in node.entries.items():
        if key not in NO_NAMES and key not in without:
            yield from words_in(entry.value, (*path, key), without)


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
    if not wide.before:  # a game for nobody, which is refused
        return
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
        kind = symbols.kind_of(plain(variable.type))
        if kind is not None and not kind.is_piece and variable.owned and wide.before <= len(kind.ids) < wide.now:
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
