"""Sheets of paper: what there is to print of a game, as many as the rules count, side by side with marks for cutting, and backs behind the faces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from houserule import SPECTATOR, Game, RuleFault
from houserule.extras import library
from houserule.frozen import frozen
from houserule.icons import CREDIT, drawings
from houserule.language.checked import Kind
from houserule.printable import capital
from houserule.printing.boards import Boards, Made, boxes, pips_of
from houserule.printing.design import Design, Designer
from houserule.printing.drawing import FONTS, READABLE, Face, Inks, TooMuch, moved, svg
from houserule.rulebook.pictures import number
from houserule.table.compose import looks_of, scene
from houserule.table.looks import Eyes, can_be_hidden
from houserule.telling.events import EVERYTHING
from houserule.telling.labels import plain_words

MOST_PIECES = 3000
"""The most pieces of one set."""
MOST_COPIES = 500
"""The most copies of a board, of dice or of counters."""
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""The width and the height of paper, in millimetres."""
TURNED = ("card", "tile", "disc", "coin")
"""The shapes that can lie face down."""
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
    kinds = [kind for kind in match.program.symbols.kinds.values() if is_printed(kind, designer)]
    total = sum(len(kind.ids) for kind in kinds)
    if total > MOST_PIECES:
        raise TooMuch(f"'{game.id}' has {total} pieces, and {MOST_PIECES} is the most that is printed")
    found = [item for kind in kinds for item in pieces(designer, kind, resized)]
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


def items_of(what: str, made: Iterable[Made]) -> Iterator[Item]:
    """What lies under and beside pieces."""
    for id, title, copies, face in made:
        if copies > MOST_COPIES:
            raise TooMuch(f"there would be {copies} of '{title}', and {MOST_COPIES} is the most that is printed")
        if copies:
            yield Item(id, what, what, capital(title), "", copies, face)


def is_printed(kind: Kind, designer: Designer) -> bool:
    """Whether the pieces of a kind are on the table at all, and are not left out by the layout."""
    if not kind.is_piece or kind.quiet or not kind.lies:
        return False
    if pips_of(designer, kind, designer.looks.program.symbols.variables.values()) is not None:
        return False  # it is printed as a net
    return designer.looks.layout.pieces[kind.name].printed.is_printed


def pieces(
    designer: Designer, kind: Kind, resized: Callable[[Design], tuple[float, float]] | None = None
) -> Iterator[Item]:
    """The pieces of a kind: those that are the same in all that is printed are copies of one.

    Where different pieces would look alike, their titles and printed values stand on them, unless the layout says what does.
    """
    before, found = (designer.written, dict(designer.small)), []
    for told in designer.told(kind):
        designer.written, designer.small = before[0], dict(before[1])
        design = designer.design(kind, told)
        design = design.resized(resized(design)) if resized is not None else design
        found = drawn_pieces(designer, kind, design)
        different = {(item.key, item.title, designer.values(item.piece)) for item in found}
        if len({item.key for item in found}) == len(different):
            break
    is_designed = designer.is_designed(kind)
    alike: dict[tuple[object, ...], list[Item]] = {}
    for item in found:
        alike.setdefault((item.key,) if is_designed else (item.key, item.title, item.text), []).append(item)
    yield from (replace(same[0], copies=len(same)) for same in alike.values())


def drawn_pieces(designer: Designer, kind: Kind, design: Design) -> list[Item]:
    """All pieces of a kind with their faces, one by one."""
    of_front, of_back = designer, designer.back if has_back(designer, kind, design) else None
    if design.said.sides is not None:
        name, *values = design.said.sides
        of_front, other = (designer.with_all(name, value) for value in values)
        of_back = other.front
    found = []
    for piece in kind.numbers:
        title, text = designer.named(piece), designer.looks.piece(piece, designer.eyes).text
        back = of_back(piece, design) if of_back is not None else None
        front = of_front.front(piece, design)
        found.append(Item(kind.id_of(piece), kind.name, design.shape, title, text, 1, front, back, piece))
    return found


def has_back(designer: Designer, kind: Kind, design: Design) -> bool:
    """Whether the backs of a kind are printed: as the layout says, else of what is flat and can lie face down, or shows something then."""
    if design.said.has_back is not None:
        return design.said.has_back
    is_flat = design.shape in TURNED and can_be_hidden(designer.looks.program.symbols, kind)
    return is_flat or (bool(kind.back) and design.shape not in ("pawn", "die"))


def only_new(base: Stock, changed: Stock) -> Stock:
    """What house rules add to a game, or change: of each item the copies that the game itself does not have."""
    have: Counter[tuple[str, str, str]] = Counter()
    for item in base.items:
        have[item.key] += item.copies
    left = []
    for item in changed.items:
        old = min(item.copies, have[item.key])
        have[item.key] -= old
        if item.copies > old:
            left.append(replace(item, copies=item.copies - old))
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


# --- sheets -----------------------------------------------------------------------------------------------------------


MOST_SHEETS = 400
MARK, AWAY = 3.5, 0.8
"""The length of a mark, and its distance from what is cut, in millimetres."""
LINES = 'stroke="#000000" stroke-width=".12"'
FLIPS = ("long", "short", "none")
"""The edge of the paper about which it is turned; none if there are no backs."""


@frozen
class Settings:
    """How sheets are made; lengths are in millimetres."""

    paper: str = "a4"
    bleed: float = 1.5
    flip: str = "long"
    most: int = 0
    """The most pieces on a sheet; 0 for as many as fit."""
    has_marks: bool = True
    is_grey: bool = False

    @property
    def size(self) -> tuple[float, float]:
        return PAPERS[self.paper]


@frozen
class Placed:
    """A face on a sheet: its upper left corner, and by how much it is rotated."""

    face: Face
    x: float
    y: float
    rotation: int = 0
    item: Item | None = None


@frozen
class Sheet:
    """A side of a sheet of paper."""

    title: str
    placed: tuple[Placed, ...]
    cuts: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
    """Where it is cut, from the left and from the top."""
    is_back: bool = False
    window: tuple[float, float, float, float] | None = None
    """What is printed of a face that is larger than the sheet."""


def sheets(stock: Stock, settings: Settings) -> list[Sheet]:
    """The sides of all sheets, each followed by its back if there is one. Raises TooMuch if there are too many."""
    found: list[Sheet] = []
    by_sheet: dict[tuple[float, float, bool], list[Item]] = {}
    for item in stock.items:
        by_sheet.setdefault(kind_of_sheet(item, settings), []).append(item)
    for (_, _, has_back), items in by_sheet.items():
        grid = Grid(items[0].front, settings)
        if not grid.capacity:
            for item in items:
                for _ in range(item.copies):
                    found += posters(item, settings)
                    see(found)
            continue
        every = [item for item in items for _ in range(item.copies)]
        for at in range(0, len(every), grid.number):
            found.append(grid.sheet(every[at : at + grid.number], is_back=False))
            if has_back:
                found.append(grid.sheet(every[at : at + grid.number], is_back=True))
            see(found)
    return found


def see(found: Sequence[Sheet]) -> None:
    if len(found) > MOST_SHEETS:
        raise TooMuch(f"there would be more than {MOST_SHEETS} sheets of paper")


def kind_of_sheet(item: Item, settings: Settings) -> tuple[float, float, bool]:
    """What pieces on one sheet have in common: their size, and whether they have backs."""
    return item.front.width, item.front.height, item.back is not None and settings.flip != "none"


class Grid:
    """Rows and columns of pieces of one size, in the middle of the paper, so that backs lie behind their faces.

    The capacity is 0 for a face that is larger than the paper.
    """

    def __init__(self, face: Face, settings: Settings) -> None:
        self.settings = settings
        self.wide, self.high = settings.size
        self.bleed = settings.bleed
        inner = self.wide - 2 * MARGIN, self.high - 2 * MARGIN
        ways = []
        for rotation, (w, h) in ((0, (face.width, face.height)), (90, (face.height, face.width))):
            step = w + 2 * self.bleed, h + 2 * self.bleed
            columns, rows = (int((space + 0.01) / one) for space, one in zip(inner, step, strict=True))
            ways.append((columns * rows, -rotation, columns, rows, step, rotation))
        self.capacity, _, self.columns, self.rows, self.step, self.rotation = max(ways)

    @property
    def number(self) -> int:
        """How many are on a sheet."""
        return min(self.capacity, self.settings.most or self.capacity)

    def sheet(self, items: Sequence[Item], is_back: bool) -> Sheet:
        """A sheet with these pieces; a back has its columns, or its rows, in the opposite order."""
        # A sheet that is not full has its grid where a full one has it, so that all are cut alike.
        columns, rows = self.columns, self.rows
        if self.number < self.capacity:
            columns = min(columns, self.number)
            rows = -(-self.number // columns)
        across, down = columns * self.step[0], rows * self.step[1]
        left, top = (self.wide - across) / 2, (self.high - down) / 2
        placed = []
        used: tuple[set[int], set[int]] = set(), set()
        for at, item in enumerate(items):
            row, column = divmod(at, columns)
            if is_back and self.settings.flip == "long":
                column = columns - 1 - column
            elif is_back:
                row = rows - 1 - row
            used[0].add(column)
            used[1].add(row)
            face = item.back if is_back and item.back is not None else item.front
            # Turned about the long edge, a rotated back would stand on its head.
            rotation = self.rotation if not is_back else -self.rotation
            if is_back and self.settings.flip == "short":
                rotation += 180
            x, y = left + column * self.step[0] + self.bleed, top + row * self.step[1] + self.bleed
            placed.append(Placed(face, x, y, rotation % 360, item))
        cuts = tuple(
            tuple(
                sorted({round(start + at * step + far, 3) for at in taken for far in (self.bleed, step - self.bleed)})
            )
            for start, step, taken in zip((left, top), self.step, used, strict=True)
        )
        title = items[0].kind
        return Sheet(title, tuple(placed), (cuts[0], cuts[1]), is_back)


def posters(item: Item, settings: Settings) -> Iterator[Sheet]:
    """A face that is larger than the paper, in parts that are glued together."""
    wide, high = settings.size[0] - 2 * MARGIN, settings.size[1] - 2 * MARGIN
    face = item.front
    turned = parts_of(face.height, face.width, wide, high) < parts_of(face.width, face.height, wide, high)
    across, down = (face.height, face.width) if turned else (face.width, face.height)
    columns, rows = -(-across // wide), -(-down // high)
    for row in range(int(rows)):
        for column in range(int(columns)):
            part = min(wide, across - column * wide), min(high, down - row * high)
            window = (MARGIN, MARGIN, *part)
            placed = Placed(face, MARGIN - column * wide, MARGIN - row * high, 90 if turned else 0, item)
            cuts = ((MARGIN, MARGIN + part[0]), (MARGIN, MARGIN + part[1]))
            yield Sheet(item.kind, (placed,), cuts, window=window)


def parts_of(across: float, down: float, wide: float, high: float) -> float:
    return -(-across // wide) * -(-down // high)


# --- as SVG and PDF -----------------------------------------------------------------------------------------------------


def drawn(sheet: Sheet, settings: Settings, credit: str = "") -> str:
    """A side of a sheet as SVG."""
    wide, high = settings.size
    parts = []
    for one in sheet.placed:
        bleed = settings.bleed if sheet.window is None else 0
        parts.append(turned(one.face, one.face.drawn(bleed), one.x, one.y, one.rotation))
    body = "".join(parts)
    clip = ""
    if sheet.window is not None:
        left, top, w, h = map(number, sheet.window)
        clip = f'<clipPath id="window"><rect x="{left}" y="{top}" width="{w}" height="{h}"/></clipPath>'
        body = f'<g clip-path="url(#window)">{body}</g>'
    if settings.has_marks:
        body += marks(sheet)
    if credit and not sheet.is_back:
        body += f'<text x="{number(wide / 2)}" y="{number(high - 3)}" font-size="1.9" text-anchor="middle" fill="#555555" font-family="{FONTS}">{credit}</text>'
    return svg((one.face for one in sheet.placed), body, settings.size, clip)


def turned(face: Face, body: str, x: float, y: float, rotation: int) -> str:
    """A face at its place, rotated within the area that it takes."""
    right = {90: face.height, 180: face.width}.get(rotation, 0)
    down = {180: face.height, 270: face.width}.get(rotation, 0)
    return moved(body, x + right, y + down, rotation)


def marks(sheet: Sheet) -> str:
    """The marks for cutting, outside of what is printed."""
    across, down = sheet.cuts
    if not across or not down:
        return ""
    edges = bounds(sheet)
    found = []
    for x in across:
        for y in (edges[1] - AWAY - MARK, edges[3] + AWAY):
            found.append(f"M{number(x)} {number(y)} v{number(MARK)}")
    for y in down:
        for x in (edges[0] - AWAY - MARK, edges[2] + AWAY):
            found.append(f"M{number(x)} {number(y)} h{number(MARK)}")
    return f'<path d="{" ".join(found)}" fill="none" {LINES}/>'


def bounds(sheet: Sheet) -> tuple[float, float, float, float]:
    """What is printed on, with a bleed: left, top, right and bottom."""
    across, down = sheet.cuts
    gap = across[2] - across[1] if len(across) > 2 else 2 * AWAY
    far = max(0.0, gap / 2)
    return across[0] - far, down[0] - far, across[-1] + far, down[-1] + far


def pdf(stock: Stock, settings: Settings) -> bytes:
    """The sheets as a PDF. Raises TooMuch, and MissingExtra if WeasyPrint is not installed."""
    credit = CREDIT if stock.has_icons else ""
    pages = [drawn(sheet, settings, credit) for sheet in sheets(stock, settings)]
    return of_pages(pages, settings.size, stock.title)


def of_pages(pages: Sequence[str], size: tuple[float, float], title: str) -> bytes:
    """Drawings as the pages of a PDF. Raises MissingExtra if WeasyPrint is not installed."""
    from html import escape

    wide, high = map(number, size)
    style = f"@page {{ size: {wide}mm {high}mm; margin: 0 }} body {{ margin: 0 }} svg {{ display: block; break-after: page }}"
    page = f"<!DOCTYPE html><title>{escape(title)}</title><style>{style}</style>{''.join(pages)}"
    made: bytes = library("weasyprint", "rulebook").HTML(string=page).write_pdf()
    return made
