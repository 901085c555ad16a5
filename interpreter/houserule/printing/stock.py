"""What there is to print of a game: its pieces, as many as the rules count, and what lies under them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from houserule import SPECTATOR, Game, RuleFault
from houserule.frozen import frozen
from houserule.icons import drawings
from houserule.language.checked import Kind
from houserule.printing.boards import Boards, pips_of
from houserule.printing.design import Design, Designer
from houserule.printing.drawing import Face, Inks
from houserule.printing.solids import boxes
from houserule.printing.text import READABLE, TooMuch
from houserule.table.compose import looks_of, scene
from houserule.table.looks import Eyes
from houserule.telling.events import EVERYTHING
from houserule.telling.labels import plain_words

MOST_PIECES = 3000
"""The most pieces of one set."""
MOST_COPIES = 500
"""The most copies of a board, of dice or of counters."""
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""The width and the height of paper, in millimetres."""
MARGIN = 5.5
"""What is not printed at the edges of paper, except for the marks."""


@frozen
class Item:
    """Something to print: its faces, and how many there are. `kind` is that of a piece, or `board`, `pawn`, `counter` or `die`."""

    id: str
    kind: str
    shape: str
    title: str
    text: str
    copies: int
    front: Face
    back: Face | None = None
    piece: int = -1

    @property
    def key(self) -> tuple[str, str, str]:
        """What can be seen of it."""
        return self.kind, self.front.drawn(), self.back.drawn() if self.back is not None else ""


@frozen
class Stock:
    """All there is to print, and the pieces with letters smaller than people read without effort."""

    game: str
    title: str
    language: str
    items: tuple[Item, ...]
    small: tuple[str, ...] = ()
    has_icons: bool = False

    @property
    def pieces(self) -> int:
        return sum(item.copies for item in self.items)


def stock(
    game: Game,
    language: str = "en",
    players: int | None = None,
    *,
    is_grey: bool = False,
    paper: str = "a4",
    resized: Callable[[Design], tuple[float, float]] | None = None,
) -> Stock:
    """All that a game needs on paper for a number of players, by default the greatest. Raises TooMuch, and ValueError for another number.

    `resized` gives the size in which a design is printed, in place of its own.
    """
    number = players if players is not None else max(game.players)
    try:
        match = game.start(number, 0, language)
    except RuleFault as fault:
        raise TooMuch(f"the set-up does not end well: {fault.message}") from fault
    looks, seen = looks_of(match), scene(match, SPECTATOR)
    icons = drawings(game.path)
    designer = Designer(looks, Eyes(match.program, match.state, EVERYTHING), icons, Inks(is_grey), game.title(language))
    wide, high = PAPERS[paper]
    printable = (wide - 2 * MARGIN, high - 2 * MARGIN)
    total = sum(len(kind.ids) for kind in match.program.symbols.kinds.values() if is_printed(kind, designer))
    if total > MOST_PIECES:
        raise TooMuch(f"'{game.id}' has {total} pieces, and {MOST_PIECES} is the most that is printed")
    found: list[Item] = []
    for kind in printed_kinds(designer):
        design = designer.design(kind)
        found += pieces(designer, kind, design.resized(resized(design)) if resized is not None else design)
    boards = Boards(match, seen, designer, printable)
    listed = (
        ("board", boards.boards()),
        ("board", boards.gauges()),
        ("box", boxes(boards)),
        ("pawn", boards.pawns()),
        ("counter", boards.counters()),
        ("die", boards.dice()),
    )
    for what, made in listed:
        found += items_of(what, made)
    if not any(item.kind == "die" or item.shape == "die" for item in found):
        found += items_of("die", boards.rolled())
    small = tuple(f"{name} ({size:.1f} points)" for name, size in designer.small.items() if size < READABLE)
    return Stock(game.id, game.title(language), language, tuple(found), small, bool(icons))


def items_of(what: str, made: Iterable[tuple[str, str, int, Face]]) -> Iterator[Item]:
    """What lies under and beside pieces."""
    for id, title, copies, face in made:
        if copies > MOST_COPIES:
            raise TooMuch(f"there would be {copies} of '{title}', and {MOST_COPIES} is the most that is printed")
        if copies:
            yield Item(id, what, what, title[:1].upper() + title[1:], "", copies, face)


def printed_kinds(designer: Designer) -> Iterator[Kind]:
    yield from (kind for kind in designer.looks.program.symbols.kinds.values() if is_printed(kind, designer))


def is_printed(kind: Kind, designer: Designer) -> bool:
    """Whether the pieces of a kind are on the table at all, and are not left out by the layout."""
    if not kind.is_piece or kind.quiet or not kind.lies:
        return False
    if pips_of(designer, kind, designer.looks.program.symbols.variables.values()) is not None:
        return False  # it is printed as a net
    return designer.looks.layout.pieces[kind.name].printed.is_printed


def pieces(designer: Designer, kind: Kind, design: Design) -> Iterator[Item]:
    """The pieces of a kind: those that look alike on both sides are copies of one."""
    has_back = design.said.has_back
    if has_back is None:
        has_back = design.shape in ("card", "tile") and can_be_hidden(designer, kind)
    found: dict[tuple[str, str, str], Item] = {}
    copies: Counter[tuple[str, str, str]] = Counter()
    other: Designer | None = None
    if design.said.sides is not None:
        name, *values = design.said.sides
        designer, other = (designer.with_all(name, value) for value in values)
    for number in kind.numbers:
        look = designer.looks.piece(number, designer.eyes)
        back = designer.back(number, design) if has_back else None
        back = other.front(number, design) if other is not None else back
        title = designer.named(number)
        item = Item(
            kind.id_of(number),
            kind.name,
            design.shape,
            title,
            look.text,
            1,
            designer.front(number, design),
            back,
            number,
        )
        copies[item.key] += 1
        found.setdefault(item.key, item)
    yield from (replace(item, copies=copies[key]) for key, item in found.items())


def can_be_hidden(designer: Designer, kind: Kind) -> bool:
    """Whether a piece can lie where not everybody sees it."""
    zones = designer.looks.program.symbols.zones.values()
    return any(zone.visible != "all" for zone in zones if zone.holds in (None, kind.name))


def only_new(base: Stock, changed: Stock) -> Stock:
    """What house rules add to a game, or change: of each item the copies that the game itself does not have."""
    have: Counter[tuple[str, str, str]] = Counter()
    for item in base.items:
        have[item.key] += item.copies
    left = []
    for item in changed.items:
        new = item.copies - have[item.key]
        if new > 0:
            left.append(replace(item, copies=new))
    names = {item.title for item in left}
    return replace(
        changed, items=tuple(left), small=tuple(one for one in changed.small if one.rpartition(" (")[0] in names)
    )


def kinds_of(items: Sequence[Item]) -> dict[str, int]:
    """How many there are of each kind, by its name in words."""
    found: Counter[str] = Counter()
    for item in items:
        found[plain_words(item.kind)] += item.copies
    return dict(found)
