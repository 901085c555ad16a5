"""The faces of pieces: what stands where on a card, a tile or a token, as its layout says or as is usual."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import replace

from houserule.definition.looks import MemberLook, PieceLook, PrintedField, PrintedPiece
from houserule.frozen import frozen
from houserule.language.checked import Kind, Printed
from houserule.language.types import Bool, Int, List, Maybe, Member, Piece, Player, none_of, plain
from houserule.printable import capital
from houserule.printing.drawing import (
    INK,
    PAPER,
    POINT,
    READABLE,
    Box,
    Face,
    Fitted,
    Inks,
    Paint,
    Sign,
    TooMuch,
    disc,
    fitted,
    inside,
    lines,
    moved,
    plane,
    rectangle,
    sign,
    square_in,
    written,
)
from houserule.table.looks import Eyes, Look, Looks
from houserule.telling.events import EVERYTHING

USUAL_SIZES = {
    "card": (63, 88), "tile": (40, 40), "die": (15, 15), "pawn": (22, 60), "disc": (20, 20), "coin": (20, 20),
    "stone": (20, 20), "cube": (18, 18), "gem": (18, 18),
}  # fmt: skip
"""The sizes of pieces by shape, in millimetres; a pawn is folded over."""
ROUND = ("disc", "coin", "stone")
FLAT = ("card", "tile")
"""The shapes with room for a title and a text; all others are tokens."""
CARD = {
    "title": PrintedField("top", 12),
    "symbol": PrintedField("middle"),
    "text": PrintedField("bottom", 11),
    "corner": PrintedField("top left", 20),
}
PLAYING_CARD = CARD | {
    "title": PrintedField("none"),
    "symbol": PrintedField("middle", 90),
    "corner": PrintedField("top left", 34),
}
TILE = CARD | {"title": PrintedField("bottom", 8), "text": PrintedField("bottom", 7)}
TOKEN = {name: PrintedField("none") for name in CARD} | {
    "symbol": PrintedField("middle"),
    "corner": PrintedField("none"),
}
VALUES = "printed values"
"""The field with the values that tell pieces apart; no author can call a field so."""
USUAL, TITLED, VALUED = 0, 1, 2
"""How much stands on a piece of which the layout says nothing: what is usual for its shape, its title too, and its printed values as well."""
TOGETHER = "\u00a0"
"""A blank at which no line ends."""
ROOM_FOR_VALUES = (30, 30)
"""The size of a token on which values are written, in millimetres."""
GAP = 1.2
"""Between what stands on a piece, in millimetres."""
MOST_CHARACTERS = 300_000
"""The most that is written on all pieces."""
ROOM_FOR_TITLE = 30
"""The least side of a back with a title, in millimetres."""
USUAL_LETTERS = 9
"""The usual size of letters, in points."""
BADGE = 20
"""The usual size of a symbol in a corner, in points."""


@frozen
class Design:
    """How a kind is printed: sizes in millimetres, and what stands where."""

    size: tuple[float, float]
    shape: str
    border: float
    radius: float
    said: PrintedPiece
    fields: Mapping[str, PrintedField]
    told: int = USUAL
    scale: tuple[float, float] = (1, 1)

    @property
    def is_round(self) -> bool:
        return self.shape in ROUND

    def resized(self, size: tuple[float, float]) -> Design:
        scale = size[0] / self.size[0], size[1] / self.size[1]
        return replace(self, size=size, radius=self.radius * min(scale), border=self.border * min(scale), scale=scale)


def usual_fields(look: PieceLook, told: int) -> Mapping[str, PrintedField]:
    """What usually stands on a piece of this shape, and where."""
    shape = look.shape or "tile"
    usual = {"card": CARD if look.corner is None else PLAYING_CARD, "tile": TILE}.get(shape, TOKEN)
    if told and usual["title"].at == "none":
        usual = usual | {"title": PrintedField("bottom", 8)}
    if told == VALUED:
        usual = usual | {VALUES: PrintedField("bottom", 11 if shape == "card" else 7)}
    return usual


def design_of(look: PieceLook, told: int = USUAL) -> Design:
    """The design of a kind: what its layout says, and what is usual for its shape."""
    said, shape = look.printed, look.shape or "tile"
    size = said.size or (ROOM_FOR_VALUES if shape not in FLAT and told == VALUED else USUAL_SIZES[shape])
    usual = usual_fields(look, told)
    # A field that is written without a place keeps the usual one.
    fields = dict(usual)
    for name, one in said.fields.items():
        before = usual.get(name, PrintedField("top right"))
        at = one.at if one.at is not None else before.at if before.at != "none" else "middle"
        fields[name] = replace(one, at=at, size=one.size if one.size is not None else before.size)
    has_border = shape == "card" and look.corner is None
    border = said.border if said.border is not None else (4 if has_border else 0)
    radius = said.radius if said.radius is not None else 3 if shape == "card" else 1.5
    return Design(size, shape, border, radius, said, fields, told)


@frozen
class Content:
    """What stands in a field of a piece: words or a sign, and its colours."""

    name: str
    field: PrintedField
    words: str = ""
    shown: Sign = Sign()
    paint: Paint | None = None
    ink: str = ""

    @property
    def is_text(self) -> bool:
        return self.name in ("text", VALUES)

    @property
    def is_badge(self) -> bool:
        return isinstance(self.field.at, str) and self.field.at not in ("top", "middle", "bottom")


def in_the_middle(found: list[Content]) -> list[Content]:
    """What stands on a token that has its title and values: the title takes the middle if there is no icon, or no symbol that the values explain."""
    has_values = any(one.name == VALUES for one in found)
    found = [one for one in found if one.name != "symbol" or one.shown.icon or not has_values]
    if any(one.field.at == "middle" for one in found):
        return found
    middle = PrintedField("middle", 12)
    return [replace(one, field=middle) if one.name == "title" else one for one in found]


class Designer:
    """Draws the faces of the pieces of one game."""

    def __init__(self, looks: Looks, eyes: Eyes, icons: Mapping[str, str], inks: Inks, title: str) -> None:
        self.looks = looks
        self.eyes = eyes
        self.icons = icons
        self.inks = inks
        self.title = title
        self.written = 0
        self.small: dict[str, float] = {}
        """The pieces with letters that are hard to read, and the size of these."""

    def with_all(self, name: str, value: int) -> Designer:
        """The designer of a table on which a variable has a value, for all pieces that have it."""
        variable, made, state = self.looks.program.symbols.variables[name], copy(self), self.eyes.state.copy()
        state.v[variable.base : variable.base + variable.size] = [value] * variable.size
        made.eyes = Eyes(self.looks.program, state, EVERYTHING)
        return made

    def see_written(self, words: str) -> None:
        """Count what is written. Raises TooMuch if that is more than anybody would print."""
        self.written += len(words)
        if self.written > MOST_CHARACTERS:
            raise TooMuch(f"more than {MOST_CHARACTERS} characters are written on its pieces")

    def design(self, kind: Kind, told: int = USUAL) -> Design:
        return design_of(self.looks.layout.pieces[kind.name], told)

    def told(self, kind: Kind) -> Iterator[int]:
        """How much may stand on the pieces of a kind, from the least: what its layout says, or more if no layout mentions it."""
        layout, look = self.looks.program.game.layout, self.looks.layout.pieces[kind.name]
        is_laid_out = layout is not None and kind.name in layout.pieces
        is_small = look.shape in ("die", "pawn")
        if is_laid_out:
            yield USUAL
        if is_laid_out and (is_small or self.is_designed(kind)):
            return
        has_values = not is_small and any(self.values(piece) for piece in kind.numbers)
        if is_laid_out or not has_values:
            yield TITLED
        if has_values:
            yield VALUED

    def is_designed(self, kind: Kind) -> bool:
        """Whether the layout says what stands on the pieces of a kind."""
        printed = self.looks.layout.pieces[kind.name].printed
        return bool(printed.fields) or printed.sides is not None

    def named(self, piece: int) -> str:
        """The title of a piece, with a capital letter."""
        title = self.looks.labels.pieces[piece]
        return capital(title)

    def values(self, piece: int) -> str:
        """The printed values of a piece, with what they are: those that are something, and that neither its title nor its colour tells."""
        kind, found = self.looks.program.kind_of[piece], list[str]()
        between = self.looks.labels.phrase("comma")
        for name, type in kind.attribute_types.items():
            value, bare = kind.attributes[name][piece - kind.base], plain(type)
            if isinstance(bare, List) and isinstance(value, tuple | list) and value:
                listed = self.looks.labels.phrase("comma").join(self.looks.labels.runs(bare.of, value))
                found.append(f"{self.attribute(kind, name)}: {listed}".replace(" × ", f"{TOGETHER}×{TOGETHER}"))
                between = "; "
            elif isinstance(value, int) and isinstance(bare, Int | Bool | Member | Player):
                found.append(self.single(piece, name, value))
        return between.join(capital(one) for one in found if one)

    def attribute(self, kind: Kind, name: str) -> str:
        labels = self.looks.labels
        return labels.prose(labels.definition.kinds[kind.name].attributes[name].title, name)

    def single(self, piece: int, name: str, value: int) -> str:
        """A printed value that is no list, with what it is; empty if it is nothing, or if the title or the colour tells it."""
        labels, kind = self.looks.labels, self.looks.program.kind_of[piece]
        fill, title = self.looks.layout.pieces[kind.name].fill, f" {labels.pieces[piece]} ".lower()
        type = kind.attribute_types[name]
        bare = plain(type)
        nothing = none_of(type) if isinstance(type, Maybe) else 0 if isinstance(bare, Int | Bool) else None
        is_colour = isinstance(bare, Player) and isinstance(fill, Printed) and fill.attribute == name
        words, of = labels.value(type, value), self.attribute(kind, name)
        is_in_title = f" {words} ".lower() in title and (isinstance(bare, Member) or name in kind.product_names)
        if value == nothing or is_colour or is_in_title:
            return ""
        is_plain = isinstance(bare, Member) and of.lower() in words.lower()
        return of if isinstance(type, Bool) else words if is_plain else f"{of}{TOGETHER}{words}"

    # --- what stands on it --------------------------------------------------------------------------------------------

    def contents(self, piece: int, look: Look, design: Design) -> list[Content]:
        found = []
        for name, one in design.fields.items():
            if one.at == "none" or (one.when is not None and not self.eyes.value(one.when, {"it": piece})):
                continue
            made = self.content(name, one, piece, look)
            if made.words or made.shown:
                found.append(made)
        return in_the_middle(found) if design.told and design.shape not in FLAT else found

    def content(self, name: str, said: PrintedField, piece: int, look: Look) -> Content:
        names = {"it": piece}
        symbol, fill, ink = (self.looks.of(one, self.eyes, names) for one in (said.symbol, said.fill, said.ink))
        words = self.words(said, piece) if said.words is not None else ""
        symbol = symbol or MemberLook()
        shown = Sign(symbol.symbol or "", said.icon or symbol.icon or "")
        usual = ""
        if not (words or shown or said.symbol):
            words, shown = self.usual(name, piece, look)
            usual = self.inks.ink(look.ink, "") if name in ("symbol", "corner") else ""
        colour = fill if said.fill is not None else symbol
        paint = self.inks.paint(colour.fill, colour.pattern if fill else None) if colour and colour.fill else None
        return Content(name, said, words, shown, paint, self.inks.ink(ink.fill if ink else None, usual))

    def usual(self, name: str, piece: int, look: Look) -> tuple[str, Sign]:
        """What stands in a field of which the layout does not say it."""
        match name:
            case "title":
                return self.named(piece), Sign()
            case "text":
                return look.text, Sign()
            case _ if name == VALUES:
                return self.values(piece), Sign()
            case "corner":
                return look.corner, Sign(icon=look.icon) if look.icon.startswith("suit/") else Sign()
            case "symbol":
                return "", Sign(look.symbol, look.icon)
        return "", Sign()

    def words(self, said: PrintedField, piece: int) -> str:
        """The words of a field, with values of the piece."""
        assert said.words is not None
        parts = []
        for part in said.words.get(self.looks.labels.language) or next(iter(said.words.values())):
            if isinstance(part, str):
                parts.append(part)
                continue
            value = self.eyes.value(part, {"it": piece})
            is_piece = isinstance(part.type, Piece)
            parts.append("" if value is None or (is_piece and value < 0) else self.looks.labels.value(part.type, value))
        return " ".join("".join(parts).split())

    # --- faces --------------------------------------------------------------------------------------------------------

    def front(self, piece: int, design: Design) -> Face:
        look = self.looks.piece(piece, self.eyes)
        fill = self.looks.of(design.said.fill, self.eyes, {"it": piece})
        ground = self.inks.paint(fill.fill, fill.pattern) if fill else self.inks.paint(look.fill, look.pattern)
        if design.shape == "pawn":
            return self.pawn(design, ground, Sign(look.symbol, look.icon))
        contents = self.contents(piece, look, design)
        page = Page(self, self.named(piece), design, ground)
        return page.face(contents)

    def back(self, piece: int, design: Design) -> Face:
        """The back of a piece: its colour and its symbol, with what a number stands for, or else the title of the game."""
        look = self.looks.back(piece)
        ground = self.inks.paint(look.fill, look.pattern)
        wide, high = design.size
        whole, shown, size = (0.0, 0.0, wide, high), Sign(look.symbol, look.icon), min(wide, high)
        body = ""
        if shown:
            half = size * (0.3 if design.is_round else 0.34)
            body = disc(square_in(whole, 2 * half), ground.flat)
            body += sign(shown, square_in(whole, 2 * half * (0.64 if shown.icon else 0.72)), ground.ink, self.icons)
            caption = self.caption(piece) if size >= ROOM_FOR_TITLE and not design.is_round else ""
            if caption:
                below = high / 2 - half
                band = (wide * 0.15, high / 2 + half + below * 0.2, wide * 0.7, min(7, below * 0.6))
                body += named_band(caption, band, ground, 1, 10)
        elif size >= ROOM_FOR_TITLE:
            half = min(8, high * 0.2)
            body = named_band(self.title, (wide * 0.1, high / 2 - half, wide * 0.8, 2 * half), ground, 1.5, 11)
        return Face(wide, high, ground, body, (), design.radius, design.is_round)

    def caption(self, piece: int) -> str:
        """The number on the back of a piece, with the title of its attribute; empty if the back shows something else."""
        kind, labels = self.looks.program.kind_of[piece], self.looks.labels
        name = kind.back[-1] if kind.back else ""
        back = self.looks.layout.pieces[kind.name].back
        if not name or back.symbol or back.icon or not isinstance(plain(kind.attribute_types[name]), Int):
            return ""
        words = labels.value(kind.attribute_types[name], kind.attributes[name][piece - kind.base])
        of = self.attribute(kind, name)
        return f"{capital(of)}{TOGETHER}{words}"

    def pawn(self, design: Design, ground: Paint, shown: Sign) -> Face:
        """A pawn that is folded over: two sides, head to head, and the feet that are bent outwards."""
        wide, high = design.size
        foot, side = high / 6, high / 3
        white = self.inks.paint("white", "plain")
        one = plane((0, 0, wide, side), ground) + sign_on((0, 0, wide, side), shown, ground, self.icons)
        body = moved(one, wide, foot + side, 180) + moved(one, 0, foot + side)
        for y in (foot, side + foot, 2 * side + foot):
            body += f'<path d="M0 {y:g} H{wide:g}" stroke="#777777" stroke-width=".2" stroke-dasharray="1 1"/>'
        return Face(wide, high, white, body, (ground,))


def sign_on(box: Box, shown: Sign, ground: Paint, icons: Mapping[str, str], share: float = 0.8) -> str:
    """A symbol in the middle of a coloured area, on a disc without a pattern."""
    size = min(box[2:]) * share
    around = square_in(box, size)
    under = disc(around, ground.flat) if ground.pattern else ""
    return under + sign(shown, inside(around, size * (0.14 if shown.icon else 0.2)), ground.ink, icons)


def named_band(title: str, box: Box, ground: Paint, radius: float, size: float) -> str:
    """A title on a band in the colour of the ground."""
    left, top, wide, high = box
    inner = left + 0.8, top, max(wide - 1.6, 0.1), high
    return plane(box, ground.flat, radius) + written(title, inner, ground.ink, size, is_bold=True)


class Page:
    """Lays out what stands on one piece."""

    def __init__(self, designer: Designer, name: str, design: Design, ground: Paint) -> None:
        self.designer = designer
        self.name = name
        self.design = design
        self.ground = ground
        self.paints = [ground]
        wide, high = design.size
        inset = design.border + (1.6 if design.border else 1.8)
        if design.is_round:
            inset = 0.15 * min(wide, high)
        inset = min(inset, wide / 4, high / 4)
        self.left, self.top, self.right, self.bottom = inset, inset, wide - inset, high - inset
        self.taken = {
            "top": [0.0, 0.0],
            "bottom": [0.0, 0.0],
        }  # by side: what the badges take at the left and the right

    def face(self, contents: list[Content]) -> Face:
        """The face with these contents: bands above and below, signs at the edges, and the rest in the middle."""
        design = self.design
        wide, high = design.size
        free = self.bottom - self.top
        badges = [self.badge(one) for one in contents if one.is_badge]
        parts = [self.band(one, free) for one in contents if one.field.at in ("top", "bottom")]
        middle = (self.left, self.top, self.right - self.left, max(self.bottom - self.top, 1))
        parts += [self.centre(one, middle) for one in contents if one.field.at == "middle"]
        parts += [self.boxed(one) for one in contents if not isinstance(one.field.at, str)]
        paper = ""
        if design.border:
            box, radius = inside((0, 0, wide, high), design.border), max(design.radius - design.border / 2, 1)
            paper = rectangle(box, radius, f'fill="{self.paper}" stroke="{INK}" stroke-width=".2"')
        body = "".join((paper, *parts, *badges))
        return Face(wide, high, self.ground, body, tuple(self.paints), design.radius, design.is_round)

    @property
    def paper(self) -> str:
        return "#ffffff" if self.designer.inks.is_grey else PAPER

    def fit(self, one: Content, width: float, height: float) -> Fitted:
        """The words of a field in a box; letters that are hard to read are noted."""
        self.designer.see_written(one.words)
        size = (one.field.size or USUAL_LETTERS) * min(self.design.scale)
        made = fitted(one.words, (max(width, 0.5), max(height, 0.5)), size, self.name, is_bold=not one.is_text)
        if made.size < READABLE - 0.01:
            small = self.designer.small
            small[self.name] = min(made.size, small.get(self.name, made.size))
        return made

    def text(self, one: Content, box: Box, ink: str) -> str:
        made = self.fit(one, box[2], box[3])
        is_centred = one.name != "text" or len(made.lines) < 4
        return lines(made, box, one.ink or ink, is_bold=not one.is_text, is_centred=is_centred)

    def panel(self, box: Box) -> str:
        """What a text stands on, where there is no paper under it."""
        clear = 1 if self.designer.inks.is_grey else 0.93
        return "" if self.design.border else rectangle(box, 1, f'fill="{self.paper}" opacity="{clear}"')

    # --- above and below ----------------------------------------------------------------------------------------------

    def band(self, one: Content, free: float) -> str:
        """A band across the piece, at the upper or lower edge of what is still free; `free` is the height that all bands share."""
        side = str(one.field.at)
        left, right = (self.left + self.taken[side][0], self.right - self.taken[side][1])
        pad = 0 if self.design.border else 0.8
        width = max(right - left - 2 * pad, 1)
        if one.words:
            share = 0.42 if self.design.shape == "tile" else 0.48
            most = free * (share if one.is_text else 0.22)
            made = self.fit(one, width, most)
            height = made.height + 2 * pad + (0.6 if one.name == "title" else 0)
        else:
            height = (one.field.size or BADGE) * POINT * min(self.design.scale)
        top = self.top if side == "top" else self.bottom - height
        if side == "top":
            self.top = top + height + GAP
        else:
            self.bottom = top - GAP
        box = (left, top, right - left, height)
        if not one.words:
            return self.shown(one, box)
        return self.panel(box) + self.text(one, (left + pad, top, width, height), INK)

    # --- at the edges -------------------------------------------------------------------------------------------------

    def badge(self, one: Content) -> str:
        """A sign or a few letters in a corner, or in the middle of an edge."""
        side, size = str(one.field.at), (one.field.size or BADGE) * POINT * min(self.design.scale)
        letters = len(one.words or one.shown.symbol)
        is_long = one.words or (one.shown.icon and one.shown.symbol)
        wide = size * max(1, min(3, 0.45 + 0.62 * letters)) if is_long else size
        wide = min(wide, (self.right - self.left) * 0.6)
        x = self.left if "left" in side else self.right - wide
        middle = (self.top + self.bottom - size) / 2
        y = self.top if "top" in side else self.bottom - size if "bottom" in side else middle
        for band in self.taken:
            if band in side:
                at = 0 if "left" in side else 1
                self.taken[band][at] = max(self.taken[band][at], wide + GAP)
        box = (x, y, wide, size)
        drawn = self.index(one, box) if one.name == "corner" else self.shown(one, box)
        if one.name == "corner" and side == "top left":  # as on a playing card
            centre = self.design.size[0] / 2, self.design.size[1] / 2
            drawn += f'<g transform="rotate(180 {centre[0]:g} {centre[1]:g})">{drawn}</g>'
            self.taken["bottom"][1] = max(self.taken["bottom"][1], wide + GAP)
        return drawn

    def index(self, one: Content, box: Box) -> str:
        """What is written in a corner, over its suit if it has one."""
        left, top, wide, high = box
        ink = one.ink or self.ground.ink
        if not one.shown:
            return written(one.words, box, ink, high * 0.8 / POINT, is_bold=True)
        upper, lower = (left, top, wide, high * 0.58), (left, top + high * 0.58, wide, high * 0.42)
        return written(one.words, upper, ink, high * 0.55 / POINT, is_bold=True) + sign(
            one.shown, lower, ink, self.designer.icons
        )

    def shown(self, one: Content, box: Box) -> str:
        """A sign on a disc of its colour, or words on a band of it; an icon with a number has both beside each other."""
        left, top, wide, high = box
        paint = one.paint or Paint(self.paper, INK)
        self.paints.append(paint)
        edge = f' stroke="{INK}" stroke-width=".2"'
        ink, inset = one.ink or paint.ink, high * 0.16
        if one.words:
            inner = (left + inset, top, max(wide - 2 * inset, 1), high)
            made = self.fit(one, inner[2], high)
            return plane(box, paint.flat, high / 4, edge) + lines(made, inner, ink, is_bold=True)
        if one.shown.icon and one.shown.symbol and one.field.icon:
            left, wide = left + max(0.0, wide - 2.4 * high) / 2, min(wide, 2.4 * high)
            box = (left, top, wide, high)
            half = min(wide / 2, high)
            drawn = sign(Sign(icon=one.shown.icon), inside((left, top, high, high), inset), ink, self.designer.icons)
            number = (left + half, top, wide - half - inset / 2, high)
            drawn += written(one.shown.symbol, number, ink, high * 0.7 / POINT, is_bold=True)
            return plane(box, paint.flat, high / 4, edge) + drawn
        box = square_in(box, min(wide, high))
        return disc(box, paint.flat, edge) + sign(one.shown, inside(box, inset), ink, self.designer.icons)

    # --- the middle, and boxes ------------------------------------------------------------------------------------------

    def centre(self, one: Content, box: Box) -> str:
        """Words or a sign in the middle; a sign stands on the colour of the piece."""
        if one.words:
            return self.panel(box) + self.text(one, box, INK)
        paint = one.paint or self.ground
        if not self.design.border and one.paint is None:
            return self.symbol(one, box, paint)
        self.paints.append(paint)
        return plane(box, paint, 1.2) + self.symbol(one, box, paint)

    def symbol(self, one: Content, box: Box, paint: Paint) -> str:
        """A symbol in the middle of a coloured area, on a disc if the area has a pattern."""
        most = (one.field.size or 1000) * POINT * min(self.design.scale)
        share = 1.0 if one.shown.icon.startswith("pips/") else 0.86
        size = min(min(box[2:]) * share, most)
        around, inset = square_in(box, size), 0.06
        under = ""
        if paint.pattern:
            under, inset = disc(around, paint.flat), 0.15 if one.shown.icon else 0.2
        return under + sign(one.shown, inside(around, size * inset), one.ink or paint.ink, self.designer.icons)

    def boxed(self, one: Content) -> str:
        """What stands in a box of its own."""
        at = one.field.at
        assert isinstance(at, tuple)
        across, down = self.design.scale
        box = (at[0] * across, at[1] * down, at[2] * across, at[3] * down)
        if one.words:
            if one.paint is not None:
                self.paints.append(one.paint)
                return plane(box, one.paint.flat, 1) + self.text(one, box, one.paint.ink)
            inner = (box[0] + 1, box[1] + 0.4, max(box[2] - 2, 0.5), max(box[3] - 0.8, 0.5))
            return self.panel(box) + self.text(one, inner, INK)
        if one.name == "symbol":
            return self.centre(one, box)
        return self.shown(one, box)
