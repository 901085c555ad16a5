"""Sheets of paper: pieces side by side, marks for cutting, and backs that lie behind their faces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from houserule.extras import library
from houserule.frozen import frozen
from houserule.icons import CREDIT
from houserule.printing.drawing import Face, moved, number, svg
from houserule.printing.stock import MARGIN, PAPERS, Item, Stock
from houserule.printing.text import FONTS, TooMuch

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
    for (_, _, has_back), group in groupby(
        in_order(stock.items, settings), key=lambda item: kind_of_sheet(item, settings)
    ):
        items = list(group)
        grid = Grid(items[0].front, settings)
        if not grid.fits:
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


def in_order(items: Iterable[Item], settings: Settings) -> list[Item]:
    """Items of one kind of sheet after each other, in the order of the first of each."""
    first: dict[tuple[float, float, bool], int] = {}
    for item in items:
        first.setdefault(kind_of_sheet(item, settings), len(first))
    return sorted(items, key=lambda item: first[kind_of_sheet(item, settings)])


class Grid:
    """Rows and columns of pieces of one size, in the middle of the paper, so that backs lie behind their faces."""

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
        self.face = face

    @property
    def fits(self) -> bool:
        return self.capacity > 0

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
    match rotation:
        case 90:
            return moved(body, x + face.height, y, 90)
        case 180:
            return moved(body, x + face.width, y + face.height, 180)
        case 270:
            return moved(body, x, y + face.width, 270)
    return moved(body, x, y)


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
