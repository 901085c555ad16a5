"""Pictures for a rulebook: pieces, and the table after the set-up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape

from houserule import SPECTATOR, Match
from houserule.icons import SIZE
from houserule.language.checked import Kind
from houserule.printable import capital
from houserule.rulebook.book import Drawing, Picture, Placed
from houserule.table.compose import looks_of, scene
from houserule.table.looks import Eyes, Look, can_be_hidden
from houserule.table.scene import Region, Thing
from houserule.telling.events import EVERYTHING

FILLS = {
    "red": ("#c93a32", "#ffffff"), "sky": ("#7cc4ec", "#14191a"), "green": ("#257a41", "#ffffff"),
    "gold": ("#e3b23c", "#14191a"), "violet": ("#7a4fb5", "#ffffff"), "orange": ("#ea8a2e", "#14191a"),
    "teal": ("#15746f", "#ffffff"), "rose": ("#ee9bb0", "#14191a"), "lime": ("#a9cf46", "#14191a"),
    "brown": ("#8a5a36", "#ffffff"), "blue": ("#2f62c4", "#ffffff"), "yellow": ("#f3d94e", "#14191a"),
    "grey": ("#8d9490", "#14191a"), "black": ("#2b2f2e", "#ffffff"), "white": ("#fbfaf5", "#14191a"),
    "silver": ("#c7ccd1", "#14191a"), "bronze": ("#b07a45", "#14191a"), "pink": ("#e66fae", "#14191a"),
    "purple": ("#94308c", "#ffffff"), "cyan": ("#5fd0d6", "#14191a"), "none": ("#efe9da", "#14191a"),
}  # fmt: skip
"""Each colour, and that of the text on it: those of the browser's tables, which a test compares."""
OUTLINES = {
    "card": '<rect x="14" y="3" width="72" height="94" rx="9"',
    "tile": '<rect x="4" y="4" width="92" height="92" rx="10"',
    "cube": '<path d="M12 26 L50 8 L88 26 L88 74 L50 92 L12 74 Z"',
    "pawn": '<path d="M50 6 a19 19 0 0 1 11 34 c13 8 18 24 20 52 h-62 c2 -28 7 -44 20 -52 a19 19 0 0 1 11 -34 z"',
    "die": '<rect x="9" y="9" width="82" height="82" rx="18"',
    "stone": '<circle cx="50" cy="50" r="43"',
    "disc": '<circle cx="50" cy="50" r="44"',
    "gem": '<path d="M30 10 L70 10 L94 38 L50 92 L6 38 Z"',
    "coin": '<circle cx="50" cy="50" r="42"',
}
PATTERNS = {
    "dots": '<circle cx="5" cy="5" r="1.9" fill="{ink}"/>',
    "waves": '<path d="M0 5 q2.5 -4 5 0 t5 0" {stroke}/>',
    "stripes": '<path d="M-2 2 l4 -4 M0 10 l10 -10 M8 12 l4 -4" {stroke}/>',
    "checks": '<path d="M0 0 h5 v5 h-5 z M5 5 h5 v5 h-5 z" fill="{ink}"/>',
    "cross": '<path d="M5 1.5 v7 M1.5 5 h7" {stroke}/>',
    "bricks": '<path d="M0 0 h10 M0 5 h10 M3 0 v5 M8 5 v5" {stroke}/>',
    "rings": '<circle cx="5" cy="5" r="3" {stroke}/>',
    "steps": '<path d="M0 8 h3 v-3 h3 v-3 h4" {stroke}/>',
    "stars": '<path d="M5 1 l1.2 2.8 3 .2 -2.3 2 .8 3 -2.7 -1.7 -2.7 1.7 .8 -3 -2.3 -2 3 -.2 z" fill="{ink}"/>',
}
CREASES = {
    "cube": "M12 26 L50 44 L88 26 M50 44 L50 92",
    "disc": "M50 14 a36 36 0 1 1 -0.1 0 M50 24 a26 26 0 1 1 -0.1 0",
    "gem": "M6 38 L94 38 M30 10 L34 38 L50 92 L66 38 L70 10 M34 38 L50 10 L66 38",
    "coin": "M50 15 a35 35 0 1 1 -0.1 0",
}
"""Lines on a shape."""
SUITS = {
    "club": "M50 6 a19 19 0 0 1 16 30 a19 19 0 1 1 -10 34 C57 82 60 88 68 94 H32 C40 88 43 82 44 70 a19 19 0 1 1 -10 -34 a19 19 0 0 1 16 -30 Z",
    "diamond": "M50 6 L84 50 L50 94 L16 50 Z",
    "heart": "M50 90 C20 62 8 46 8 30 a20 20 0 0 1 42 -6 a20 20 0 0 1 42 6 C92 46 80 62 50 90 Z",
    "spade": "M50 6 C64 30 92 42 92 62 a19 19 0 0 1 -36 8 C57 80 60 88 68 94 H32 C40 88 43 80 44 70 a19 19 0 0 1 -36 -8 C8 42 36 30 50 6 Z",
}
PIPS = ("", "4", "26", "246", "0268", "02468", "023568", "0234568", "01235678", "012345678")
"""The dots of each number, among nine places in three rows."""
BACK = "M32 34 l36 32 M68 34 l-36 32 M50 24 l22 26 l-22 26 l-22 -26 z"
INK = "#14191a"
PLACE = 'width="100" height="100" fill="#b08d5e" fill-opacity=".22" stroke="#8a6a3a" stroke-opacity=".35"'
NOTHING: Mapping[str, str] = {}
LABEL = 'font-size="24" fill="#6a645a" font-family="sans-serif"'
LONGEST_LABEL = 5
"""The most letters of a place's title that stands in a drawing."""
CELL = 100
ALONE, TOGETHER, WIDEST = 2.4, 3.2, 42
"""The widths of a piece alone and beside others, and the greatest width of a drawing, in em."""


def svg(drawing: Drawing, key: str, icons: Mapping[str, str] = NOTHING) -> str:
    """A drawing as SVG; the key makes the ids of its patterns unique, and `icons` are the drawings of icons."""
    grounds = (f'<rect x="{number(x * CELL)}" y="{number(y * CELL)}" {PLACE}/>' for x, y in drawing.places)
    labels = (
        f'<text x="{number(x * CELL + 6)}" y="{number(y * CELL + 26)}" {LABEL}>{escape(text)}</text>'
        for x, y, text in drawing.labels
    )
    body = "".join((*patterns(drawing, key), *grounds, *labels, *(placed(one, key, icons) for one in drawing.things)))
    size = ALONE if drawing.width * drawing.height == 1 else min(WIDEST, TOGETHER * drawing.width)
    view = f"0 0 {number(drawing.width * CELL)} {number(drawing.height * CELL)}"
    height = size * drawing.height / drawing.width
    return (
        f'<svg class="drawing" role="img" aria-label="{escape(drawing.words)}" viewBox="{view}" '
        f'style="width:{number(size)}em;aspect-ratio:{number(size)}/{number(height)}">{body}</svg>'
    )


def patterns(drawing: Drawing, key: str) -> Iterator[str]:
    """The definitions of a drawing's patterns, in the colour of the text."""
    needed = dict.fromkeys((one.picture.pattern, colours(one.picture.fill)[1]) for one in drawing.things)
    return (pattern(pattern_id(key, name, ink), name, ink, "1.6") for name, ink in needed if name in PATTERNS)


def pattern(id: str, name: str, ink: str, scale: str) -> str:
    """The definition of a pattern in a colour."""
    lines = PATTERNS[name].format(ink=ink, stroke=f'fill="none" stroke="{ink}" stroke-width="1.2"')
    return (
        f'<pattern id="{escape(id)}" width="10" height="10" patternUnits="userSpaceOnUse" '
        f'patternTransform="scale({scale})">{lines}</pattern>'
    )


def pattern_id(key: str, name: str | None, ink: str) -> str:
    return f"{key}-{name}-{ink.lstrip('#')}"


def colours(fill: str | None) -> tuple[str, str]:
    """A colour by its name, and that of what stands on it."""
    return FILLS.get(fill or "none", FILLS["none"])


def icon_drawn(icon: str, icons: Mapping[str, str]) -> tuple[str, float] | None:
    """The drawing of an icon with `{}` for its transformation, and the width of its square; None for an unknown one."""
    kind, _, name = icon.rpartition("/")
    if kind == "pips" and name.isdigit() and int(name) < len(PIPS):
        dots = (divmod(int(place), 3) for place in PIPS[int(name)])
        dotted = "".join(f'<circle cx="{20 + 30 * across}" cy="{20 + 30 * down}" r="10"/>' for down, across in dots)
        return f"<g {{}}>{dotted}</g>", 100
    if kind == "suit":
        return f'<path d="{SUITS[name]}" {{}}/>', 100
    return (f'<path d="{escape(icons[icon])}" {{}}/>', SIZE) if icon in icons else None


def written(shown: Picture, icons: Mapping[str, str]) -> Iterator[str]:
    """What is drawn or written on a piece, upright so that it can be read."""
    fill, ink = colours(shown.fill)
    ink = FILLS[shown.ink][0] if shown.ink in FILLS else ink
    size = 78 if shown.icon.startswith("pips/") else 46 if shown.corner else 58
    under = f'<circle cx="50" cy="50" r="30" fill="{fill}" opacity=".85"/>'
    if (found := icon_drawn(shown.icon, icons)) is not None:
        drawn, width = found
        at = f'transform="translate({50 - size / 2:g} {50 - size / 2:g}) scale({size / width:g})" fill="{ink}"'
        yield (under if shown.icon in icons else "") + drawn.format(at)
    elif shown.symbol:
        size = 46 if len(shown.symbol) < 2 else 40
        yield f"{under}{lettered(shown.symbol, 50, 50 + size * 0.36, size, ink)}"
    if shown.corner:
        yield lettered(shown.corner, 27, 26, 22, ink)
        yield f'<g transform="rotate(180 50 50)">{lettered(shown.corner, 27, 26, 22, ink)}</g>'


def lettered(text: str, x: float, y: float, size: float, ink: str) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" font-weight="bold" text-anchor="middle" fill="{ink}" '
        f'font-family="sans-serif">{escape(text)}</text>'
    )


def placed(one: Placed, key: str, icons: Mapping[str, str]) -> str:
    """A picture at its position."""
    shown, (fill, ink) = one.picture, colours(one.picture.fill)
    outline = OUTLINES.get(shown.shape, OUTLINES["tile"])
    parts = [f'{outline} fill="{fill}" stroke="{INK}" stroke-width="2.5"/>']
    if shown.pattern in PATTERNS:
        parts.append(f'{outline} fill="url(#{escape(pattern_id(key, shown.pattern, ink))})" opacity=".28"/>')
    if shown.shape in CREASES:
        parts.append(f'<path d="{CREASES[shown.shape]}" fill="none" stroke="{ink}" stroke-width="3" opacity=".45"/>')
    if not shown.is_face_up and shown.icon not in icons:
        parts.append(f'<path d="{BACK}" fill="none" stroke="{ink}" stroke-width="3" opacity=".6"/>')
    signs: list[str] = []  # which are not rotated, so that they can be read
    if shown.is_face_up or shown.icon in icons:
        signs += written(shown, icons)
    if one.count > 1:
        signs.append(
            f'<circle cx="82" cy="80" r="19" fill="#fff" stroke="{INK}" stroke-width="2"/>'
            f'<text x="82" y="89" font-size="25" text-anchor="middle" fill="{INK}" font-family="sans-serif">{one.count}</text>'
        )
    where = f"translate({number(one.x * CELL)} {number(one.y * CELL)})"
    scaled = f" scale({number(one.size)})" if one.size != 1 else ""
    body = "".join(parts)
    if one.rotation:
        body = f'<g transform="rotate({one.rotation} 50 50)">{body}</g>'
    return f'<g transform="{where}{scaled}">{body}{"".join(signs)}</g>'


def number(value: float) -> str:
    return f"{round(value, 3):g}"


DRAWN = ("grid", "hex", "layers", "ring", "track", "box", "die")
"""Arrangements with meaningful positions."""
MOST_ACROSS = 13
SQUARES = ("grid", "ring", "track")
"""Arrangements whose places are drawn."""
MOST_IN_A_ROW = 14
MOST_SHOWN = 60
"""The most pieces in one drawing of a whole kind."""


class Pictures:
    """The pictures of one game, taken from a match at its first question; none without a match."""

    def __init__(self, match: Match | None) -> None:
        if match is not None:
            self.looks = looks_of(match)
            self.eyes = Eyes(match.program, match.state, EVERYTHING)
            self.scene = scene(match, SPECTATOR)
        self.is_blind = match is None

    def of_one(self, kind: Kind, number: int) -> Drawing | None:
        """The face of a piece, or the mark of a member."""
        return self.piece(kind, number) if kind.is_piece else self.member(kind, number)

    def piece(self, kind: Kind, number: int) -> Drawing | None:
        """The face of a piece; None for what never lies anywhere."""
        if self.is_blind or not kind.lies:
            return None
        look = self.looks.piece(number, self.eyes)
        return single(picture(look, True), look.words)

    def outside(self, kind: Kind, number: int) -> Drawing | None:
        """The look of a piece in the box: its back if it can lie hidden, else its face."""
        if self.is_blind or not kind.lies:
            return None
        if not can_be_hidden(self.looks.program.symbols, kind):
            return self.piece(kind, number)
        look = self.looks.back(number)
        return single(picture(look, False), look.words)

    def member(self, kind: Kind, number: int) -> Drawing | None:
        """The mark of an enum's member on pieces, if the layout has one."""
        if self.is_blind or number not in self.looks.layout.members.get(kind.name, {}):
            return None
        look = self.looks.member(kind, number)
        words = self.looks.labels.member(kind, number)
        return single(Picture("tile", look.fill, look.pattern, look.symbol or "", True, look.icon or ""), words)

    def all_of(self, kind: Kind, words: str, across: int) -> Drawing | None:
        """All pieces of a kind with different looks, in rows of `across` if that divides evenly."""
        if self.is_blind or not kind.lies:
            return None
        looks = list({key_of(one): one for one in (self.looks.piece(n, self.eyes) for n in kind.numbers)}.values())
        if not 1 < len(looks) <= MOST_SHOWN:
            return None
        if not 1 < across <= MOST_ACROSS or len(looks) % across:
            across = next((n for n in range(MOST_ACROSS, 4, -1) if len(looks) % n == 0), MOST_ACROSS)
        placed = (Placed(picture(one, True), at % across, at // across) for at, one in enumerate(looks))
        return Drawing(min(across, len(looks)), -(-len(looks) // across), tuple(placed), words)

    def areas(self) -> Iterator[Drawing]:
        """What lies on the table at the start, with titles: of what every player has, that of the first."""
        if self.is_blind:
            return
        for region in self.scene.regions:
            things = [thing for thing in self.scene.things if thing.region == region.id]
            if things and not region.seat:
                yield drawn_area(region, things, region.title)

    def zone(self, name: str) -> Drawing | None:
        """The pieces in a family of zones at the start; only the first player's if each has one."""
        if self.is_blind:
            return None
        region = next((one for one in self.scene.regions if one.id.partition(":")[0] == name), None)
        if region is None or region.arrangement not in DRAWN:
            return None
        things = [thing for thing in self.scene.things if thing.region == region.id]
        return drawn_region(region, things) if len(things) > 1 else None


def drawn_area(region: Region, things: Sequence[Thing], title: str) -> Drawing:
    """The things of an area: where they lie if that means something, else in a row."""
    title = capital(title)
    if not things and region.arrangement not in SQUARES:
        return Drawing(1, 1, (), title, ((0, 0),))
    if region.arrangement in DRAWN:
        places = tuple((place.x, place.y) for place in region.places) if region.arrangement in SQUARES else ()
        drawn = drawn_region(region, things, frame=True)
        return replace(drawn, words=title, places=places, labels=tuple(labels(region)))
    shown = things[-MOST_IN_A_ROW:]
    placed = tuple(Placed(picture(one, one.is_face_up), at, 0, 0, one.count) for at, one in enumerate(shown))
    return Drawing(len(shown), 1, placed, title)


def labels(region: Region) -> Iterator[tuple[float, float, str]]:
    """The titles of the places at the left and at the lower edge of a grid, if they are as short as coordinates."""
    if (
        region.arrangement == "grid"
        and region.places
        and all(len(place.title) <= LONGEST_LABEL for place in region.places)
    ):
        left, low = min(place.x for place in region.places), max(place.y for place in region.places)
        yield from ((one.x, one.y, one.title) for one in region.places if one.x == left or one.y == low)


def drawn_region(region: Region, things: Sequence[Thing], frame: bool = False) -> Drawing:
    """A region of a scene with its content; a thing on another is small, so that both are visible. With a frame, the whole region."""
    placed: list[Placed] = []
    upon: Counter[str] = Counter()
    for one in things:
        shown = picture(one, one.is_face_up)
        x, y, size = one.x, one.y, 1.0
        if one.on is not None:
            corner = upon[one.on] % 4
            upon[one.on] += 1
            x, y, size = round(one.x) + corner % 2 / 2, round(one.y) + corner // 2 / 2, 0.5
        placed.append(Placed(shown, x, y, one.rotation if size == 1 else 0, one.count, size))
        for at, icon in enumerate(filter(None, one.mark_icons)):  # such as the crown of a king
            mark = Picture("disc", "white", None, "", icon=icon)
            placed.append(Placed(mark, x + size * (0.56 - at * 0.3), y + size * 0.02, size=size * 0.42))
    if frame:
        return Drawing(region.width, region.height, tuple(placed), region.title)
    left, top = min(one.x for one in placed), min(one.y for one in placed)
    right, low = max(one.x + one.size for one in placed), max(one.y + one.size for one in placed)
    moved = tuple(replace(one, x=one.x - left, y=one.y - top) for one in placed)
    return Drawing(right - left, low - top, moved, region.title)


def key_of(look: Look) -> tuple[str | None, ...]:
    return look.shape, look.fill, look.pattern, look.symbol, look.icon, look.corner


def picture(look: Look | Thing, is_face_up: bool) -> Picture:
    return Picture(look.shape, look.fill, look.pattern, look.symbol, is_face_up, look.icon, look.ink, look.corner)


def single(shown: Picture, words: str) -> Drawing:
    return Drawing(1, 1, (Placed(shown),), words)
