"""Single pictures of what is printed, with a table of them: for other printers, and for tables on a screen."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from houserule.extras import library
from houserule.frozen import frozen
from houserule.printable import no_formula, printable
from houserule.printing.design import Design
from houserule.printing.drawing import Face, TooMuch, moved, svg
from houserule.printing.sheets import Item, Settings, Stock, of_pages

INCH = 25.4
RESOLUTION = 300
"""The dots of a picture in an inch."""
MOST_PICTURES = 600
ACROSS, DOWN = 10, 7
"""The columns and the most rows of a sheet with a deck; its last place is the back of the cards in a hand."""
WIDEST, WIDEST_DECK = 8192, 4096
"""The most dots of a side of a picture: of 69 centimetres, with all dots in an inch; a larger one has fewer."""
BLEED = 0.125 * INCH
"""What The Game Crafter wants around a picture."""
NOT_PLAIN = re.compile(r"[^A-Za-z0-9]+")


@frozen
class Product:
    """A product of The Game Crafter: its name, and its width and height in inches, without the bleed."""

    name: str
    width: float
    height: float

    @property
    def size(self) -> tuple[float, float]:
        return self.width * INCH, self.height * INCH


DECKS = (
    Product("MicroDeck", 1.25, 1.75),
    Product("MiniDeck", 1.75, 2.5),
    Product("BusinessDeck", 2, 3.5),
    Product("BridgeDeck", 2.25, 3.5),
    Product("PokerDeck", 2.5, 3.5),
    Product("TarotDeck", 2.75, 4.75),
    Product("JumboDeck", 3.5, 5.5),
)
SQUARES = (
    Product("SmallSquareChit", 0.5, 0.5),
    Product("MediumSquareChit", 0.75, 0.75),
    Product("LargeSquareChit", 1, 1),
    Product("SquareDeck", 3.5, 3.5),
)
CIRCLES = (
    Product("SmallCircleChit", 0.5, 0.5),
    Product("MediumCircleChit", 0.75, 0.75),
    Product("LargeCircleChit", 1, 1),
)
ENOUGH = 0.92
"""A product may be smaller than the piece by as much."""


def product_of(design: Design) -> Product | None:
    """The product for a design: the smallest in which it fits, or else the largest; None for what is folded."""
    if design.shape == "pawn":
        return None
    wide, high = design.size
    is_square = 0.9 < wide / high < 1.12
    among = CIRCLES if design.is_round else SQUARES if is_square else DECKS
    fitting = (one for one in among if one.size[0] >= ENOUGH * wide and one.size[1] >= ENOUGH * high)
    return next(fitting, among[-1])


def crafted(design: Design) -> tuple[float, float]:
    """The size of a design as a product, which is its own if there is none."""
    product = product_of(design)
    return product.size if product is not None else design.size


def product_named(face: Face) -> str:
    """The product in whose size a face is drawn; empty for none."""
    among = CIRCLES if face.is_round else (*SQUARES, *DECKS)
    return next(
        (one.name for one in among if abs(one.size[0] - face.width) + abs(one.size[1] - face.height) < 0.01), ""
    )


@dataclass(slots=True)
class Picture:
    """A picture to be written: its name without an ending, what is on it, its size in millimetres, and the most dots of a side."""

    name: str
    faces: tuple[Face, ...]
    body: str
    size: tuple[float, float]
    widest: int = WIDEST

    @property
    def svg(self) -> str:
        return svg(self.faces, self.body, self.size)

    @property
    def scale(self) -> float:
        """The dots in a millimetre."""
        return min(self.widest / max(self.size), RESOLUTION / INCH)

    @property
    def dots(self) -> tuple[int, int]:
        return round(self.size[0] * self.scale), round(self.size[1] * self.scale)


def of_face(name: str, face: Face, bleed: float) -> Picture:
    """The picture of a face with its bleed."""
    size = face.width + 2 * bleed, face.height + 2 * bleed
    return Picture(name, (face,), moved(face.drawn(bleed), bleed, bleed), size)


@dataclass(slots=True)
class Album:
    """The pictures of a set, and the rows of the table of them."""

    pictures: list[Picture] = field(default_factory=list)
    rows: list[dict[str, object]] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict)
    known: dict[tuple[str, float], str] = field(default_factory=dict)

    def named(self, *parts: str) -> str:
        """A name for a file, of plain letters, that no other picture has."""
        name = "-".join(NOT_PLAIN.sub("_", part).strip("_")[:40] or "piece" for part in parts)
        self.names[name] = self.names.get(name, 0) + 1
        return name if self.names[name] == 1 else f"{name}-{self.names[name]}"

    def add(self, picture: Picture) -> str:
        self.pictures.append(picture)
        if len(self.pictures) > MOST_PICTURES:
            raise TooMuch(f"there would be more than {MOST_PICTURES} pictures")
        return picture.name

    def face(self, face: Face, bleed: float, *parts: str) -> str:
        """The name of the picture of a face; faces that look alike share one."""
        key = face.drawn(bleed), face.width
        if key not in self.known:
            self.known[key] = self.add(of_face(self.named(*parts), face, bleed))
        return self.known[key]

    def item(self, item: Item, ending: str, bleed: float, kind: str, **more: object) -> None:
        """The pictures of both sides of an item, and its row."""
        front = self.face(item.front, bleed, kind, item.id)
        back = self.face(item.back, bleed, kind, item.id, "back") if item.back is not None else ""
        self.row(item, ending, front, back, **more)

    def row(self, item: Item, ending: str, front: str, back: str, **more: object) -> None:
        size = {"width_mm": round(item.front.width, 1), "height_mm": round(item.front.height, 1)}
        files = {"front": f"{front}.{ending}", "back": f"{back}.{ending}" if back else ""}
        about = {"kind": item.kind, "id": item.id, "title": item.title, "text": item.text, "copies": item.copies}
        self.rows.append(about | files | size | more)

    def table(self) -> str:
        """The table of all pictures as CSV; no text is taken for a formula."""
        out = io.StringIO()
        columns = list(dict.fromkeys(name for row in self.rows for name in row))
        writer = csv.DictWriter(out, columns, lineterminator="\n", restval="")
        writer.writeheader()
        writer.writerows({name: cell(value) for name, value in row.items()} for row in self.rows)
        return out.getvalue()


def cell(value: object) -> object:
    return no_formula(printable(value)) if isinstance(value, str) else value


def single(stock: Stock, settings: Settings, ending: str) -> Album:
    """A picture for each face and each back."""
    album = Album()
    for item in stock.items:
        album.item(item, ending, settings.bleed, item.kind)
    return album


def products(stock: Stock) -> Album:
    """A picture for each face and each back in the sizes of The Game Crafter; `stock` is made with `crafted`."""
    album = Album()
    for item in stock.items:
        name = product_named(item.front)
        album.item(item, "png", BLEED if name else 0.0, name or item.kind, product=name)
    return album


def decks(stock: Stock) -> Album:
    """Sheets with the cards of each kind for Tabletop Simulator, ten in a row; everything else as single pictures."""
    album = Album()
    for kind in dict.fromkeys(item.kind for item in stock.items):
        items = [item for item in stock.items if item.kind == kind]
        every = [item for item in items for _ in range(item.copies)]
        if items[0].piece < 0 or len(every) < 2:
            for item in items:
                album.row(item, "png", album.face(item.front, 0, item.kind, item.id), "")
            continue
        most = ACROSS * DOWN - 1
        for at in range(0, len(every), most):
            deck(album, kind, every[at : at + most])
    return album


def deck(album: Album, kind: str, cards: Sequence[Item]) -> None:
    """A sheet with a deck, and its back, or a second sheet if the backs differ."""
    backs = {item.back.drawn() if item.back is not None else "": item.back for item in cards}
    hidden = cards[0].back or cards[0].front
    rows = max(2, -(-(len(cards) + 1) // ACROSS))
    fronts = album.add(laid(album.named("deck", kind), [item.front for item in cards], rows, hidden))
    if len(backs) > 1:
        back = album.add(
            laid(album.named("deck", kind, "backs"), [item.back or item.front for item in cards], rows, hidden)
        )
    else:
        back = album.face(hidden, 0, "deck", kind, "back")
    for at, item in enumerate(cards):
        place = {"columns": ACROSS, "rows": rows, "cards": len(cards), "number": at}
        album.row(item, "png", fronts, back, **place)
        album.rows[-1]["copies"] = 1


def laid(name: str, faces: Sequence[Face], rows: int, hidden: Face) -> Picture:
    """Faces in rows, with what others see of a hand in the last place."""
    wide, high = faces[0].width, faces[0].height
    placed = [(face, at % ACROSS, at // ACROSS) for at, face in enumerate(faces)] + [(hidden, ACROSS - 1, rows - 1)]
    body = "".join(moved(face.drawn(is_square=True), column * wide, row * high) for face, column, row in placed)
    return Picture(name, (*faces, hidden), body, (ACROSS * wide, rows * high), WIDEST_DECK)


def rasters(pictures: Iterable[Picture]) -> Iterator[tuple[str, bytes]]:
    """Pictures as PNG by name. Raises MissingExtra if WeasyPrint or pypdfium2 is not installed."""
    pdfium = library("pypdfium2", "png")
    for picture in pictures:
        document = pdfium.PdfDocument(of_pages([picture.svg], picture.size, picture.name))
        try:
            page = document[0]
            scale = max(dots / side for dots, side in zip(picture.dots, page.get_size(), strict=True))
            image = page.render(scale=scale).to_pil().crop((0, 0, *picture.dots))
        finally:
            document.close()
        out = io.BytesIO()
        image.save(out, "PNG", optimize=False, dpi=(picture.scale * INCH,) * 2)
        yield picture.name, out.getvalue()
