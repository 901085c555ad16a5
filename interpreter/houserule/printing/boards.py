"""Boards, tracks and score sheets as the table has them, the nets of dice and of boxes whose levels turn, and counters."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from houserule import Match
from houserule.definition.looks import MemberLook, PrintedBoard, VariableLook, ZoneLook
from houserule.icons import MOST_PIPS
from houserule.language.checked import Expression, Kind, Variable, Zone
from houserule.language.types import Int, Member, plain
from houserule.printable import capital, whole_number
from houserule.printing.design import Design, Designer, sign_on
from houserule.printing.drawing import (
    INK,
    READABLE,
    Box,
    Face,
    Inks,
    Paint,
    Sign,
    TooMuch,
    disc,
    hexagon,
    inside,
    moved,
    plane,
    rectangle,
    sign,
    written,
)
from houserule.table.areas import names_of
from houserule.table.looks import changes
from houserule.table.scene import Place, Region, Scene

DRAWN = ("grid", "hex", "graph", "layers", "ring", "track")
"""The arrangements that are boards."""
MARGIN, HEAD = 4.0, 9.0
USUAL_PLACE, TRACK_PLACE, DIE, COUNTER = 24, 17, 18, 18
"""The widths of a place of a board and of a track, of a die, and of a counter, in millimetres."""
LEAST_PLACE = 11
"""A place is not made smaller than this so that a board fits on one sheet."""
SHEET_ROW, SHEET_HEAD, SHEET_COLUMN = 8.5, 46, 22
SHORT = 4
"""Titles of places with fewer letters are large."""
TAB = 5
MOST_PLACES = 1200
EDGE = f' stroke="{INK}" stroke-width=".3"'
WHITE = Paint("#ffffff", INK)
NOTHING: Mapping[str, int] = {}
NET = ((1, 0), (0, 1), (1, 1), (2, 1), (3, 1), (1, 2))
"""The places of the sides of a die in its net, as columns and rows; the first lies opposite the last, the second the fourth, the third the fifth."""
SIDE_OF = (0, 1, 2, 4, 3, 5)
"""By place in the net: the number of the side, so that sides that lie opposite add up to seven places."""
Made = tuple[str, str, int, Face]
"""Something to print: its id, its title, the number of copies, and its face."""


class Boards:
    """Draws what lies on the table of a match besides pieces."""

    def __init__(self, match: Match, seen: Scene, designer: Designer, printable: tuple[float, float]) -> None:
        self.match = match
        self.seen = seen
        self.designer = designer
        self.inks: Inks = designer.inks
        self.icons: Mapping[str, str] = designer.icons
        self.looks = designer.looks
        self.printable = printable
        self.symbols = match.program.symbols

    # --- boards and tracks ----------------------------------------------------------------------------------------------

    def boards(self) -> Iterator[Made]:
        for name, regions in groupby(self.seen.regions, lambda region: region.id.partition(":")[0]):
            every = list(regions)
            said = self.said(name)
            if said is None or not said.is_printed:
                continue
            zone = self.symbols.zones.get(name)
            if zone is not None and not zone.owned and len(every) > 1:
                yield from self.apart(name, every, said)
                continue
            for at, region in enumerate(one for one in every if one.seat == every[0].seat):
                id = f"{name.lstrip('#')}{at + 1 if at else ''}"
                copies = self.copies(said, len(self.seen.seats) if region.seat is not None else 1)
                if region.arrangement == "sheet":
                    yield id, region.title, copies, self.sheet(region)
                elif is_board(region):
                    yield id, region.title, copies, self.board(region, said)

    def apart(self, name: str, regions: Sequence[Region], said: PrintedBoard) -> Iterator[Made]:
        """The boards of a family that has several: those that look alike are copies, and others say whose they are."""
        made = [replace(one, places=without_the_same(one.places)) for one in regions if is_board(one)]
        faces = [(one.title, self.board(one, said)) for one in made]
        if len({face.drawn() for _, face in faces}) > len({title for title, _ in faces}):
            comma, names = self.looks.labels.phrase("comma"), self.looks.labels.names
            titles = [one.title if one.seat is None else f"{one.title}{comma}{names[one.seat]}" for one in made]
            faces = [
                (title, self.board(replace(one, title=title), said)) for one, title in zip(made, titles, strict=True)
            ]
        yield from self.wanted(said, alike(name, faces))

    def said(self, name: str) -> PrintedBoard | None:
        """How the layout has a region printed, by its name."""
        layout = self.looks.layout
        look: VariableLook | ZoneLook | None
        look = layout.variables.get(name[1:]) if name.startswith("#") else layout.zones.get(name)
        return look.printed if look is not None else None

    def copies(self, said: PrintedBoard, usual: int, names: Mapping[str, int] = NOTHING) -> int:
        """How many are printed: as many as the layout says, or as usual."""
        return usual if said.copies is None else max(self.designer.eyes.value(said.copies, names) or 0, 0)

    def wanted(self, said: PrintedBoard, made: Iterable[Made]) -> Iterator[Made]:
        """What is made, in as many copies as the layout says."""
        yield from ((id, title, self.copies(said, number), face) for id, title, number, face in made)

    def held(self, name: str) -> float:
        """The greatest side of what can lie in a zone, in millimetres."""
        zone = self.symbols.zones.get(name)
        kinds = [kind for kind in self.symbols.kinds.values() if kind.is_piece and kind.lies and not kind.quiet]
        sizes = [self.designer.design(kind) for kind in kinds if zone is None or zone.holds in (None, kind.name)]
        return max((min(one.size) if one.shape == "pawn" else max(one.size) for one in sizes), default=USUAL_PLACE - 2)

    def place_width(self, region: Region, said: PrintedBoard) -> float:
        """The width of a place: as the layout says, else so that the pieces fit on it, and the board on a sheet if it can."""
        if said.size is not None:
            return float(said.size)
        is_track = region.arrangement == "track"
        held = LEAST_PLACE if is_track else self.held(region.id.partition(":")[0])
        if region.arrangement == "layers":  # what lies on top of others lies exactly there
            return held
        wide, high = max(region.width, 0.1), max(region.height, 0.1)
        (short, long) = self.printable
        fits = max(
            min((w - 2 * MARGIN) / wide, (h - 2 * MARGIN - HEAD) / high) for w, h in ((short, long), (long, short))
        )
        wanted = TRACK_PLACE if is_track else held + 2
        return max(held, min(wanted, fits)) if fits >= held else wanted

    def board(self, region: Region, said: PrintedBoard) -> Face:
        """A board or a track, with its title above."""
        if len(region.places) > MOST_PLACES:
            message = f"the board '{region.title[:60]}' has {len(region.places)} places, and {MOST_PLACES} is the most that is printed"
            raise TooMuch(f"{message}: leave it out with `print: none`")
        cell = self.place_width(region, said)
        wide, high = region.width * cell + 2 * MARGIN, region.height * cell + 2 * MARGIN + HEAD
        paints: list[Paint] = []
        parts = [written(capital(region.title), (MARGIN, MARGIN / 2, wide - 2 * MARGIN, HEAD), INK, 12, is_bold=True)]
        centres = [self.centre(place, cell) for place in region.places]
        for one, two in region.lines:
            (x, y), (u, v) = centres[one], centres[two]
            parts.append(f'<path d="M{x:g} {y:g} L{u:g} {v:g}" stroke="{INK}" stroke-width=".8"/>')
        if region.board == "chequered":
            area = (MARGIN, HEAD + MARGIN, region.width * cell, region.height * cell)
            parts.append(rectangle(area, 0, f'fill="{"#ffffff" if self.inks.is_grey else "#f2e3c6"}"{EDGE}'))
        for place in sorted(region.places, key=lambda one: one.layer):
            box = (MARGIN + place.x * cell, HEAD + MARGIN + place.y * cell, cell, cell)
            parts.append(self.place(region, place, box, paints))
        return Face(wide, high, WHITE, "".join(parts), tuple(paints))

    @staticmethod
    def centre(place: Place, cell: float) -> tuple[float, float]:
        return MARGIN + (place.x + 0.5) * cell, HEAD + MARGIN + (place.y + 0.5) * cell

    def place(self, region: Region, place: Place, box: Box, paints: list[Paint]) -> str:
        """A place of a board, drawn as its kind of board; its title is written where nothing else says which it is."""
        left, top, wide, high = box
        paint = self.inks.paint(region.fill or "none", "plain")
        board = region.board
        if board == "chequered":
            # If not every square is a place, the places are the dark squares.
            is_everywhere = len(region.places) == region.width * region.height
            is_dark = not is_everywhere or (round(place.x) + round(place.y)) % 2 == 1
            return plane(box, paint.flat, 0, EDGE) if is_dark else ""
        if board == "squares":
            return plane(box, paint.flat, 0, EDGE)
        if board == "holes":
            return plane(box, paint.flat) + disc(inside(box, wide * 0.08), WHITE, EDGE)
        if board == "lines":
            return rectangle(box, 0, f'fill="#ffffff"{EDGE}')
        size = min(16.0, wide * 0.8) if len(place.title) < SHORT else max(READABLE, min(9.0, wide * 0.3))
        title = written(place.title, inside(box, wide * 0.1), "#444444", size)
        if region.arrangement == "hex":
            return hexagon((left, top - high * 0.077, wide, high * 1.155), f'fill="#ffffff"{EDGE}') + title
        if region.arrangement == "graph":
            return disc(inside(box, wide * 0.2), WHITE, EDGE) + title
        if region.arrangement == "layers":  # seen from above: only the lowest layer is not covered
            is_low = place.layer == min(one.layer for one in region.places)
            return rectangle(box, 0, f'fill="none" stroke="{"#555555" if is_low else "#bbbbbb"}" stroke-width=".25"')
        member = self.member_at(region, place)
        if member is not None:
            ground = self.inks.paint(member.fill, member.pattern)
            paints.append(ground)
            upper = left, top, wide, high * 0.74
            lower = left + wide * 0.05, top + high * 0.76, wide * 0.9, high * 0.2
            shown = sign_on(upper, Sign(member.symbol or "", member.icon or ""), ground, self.icons, 0.84)
            shown += rectangle(lower, 1, 'fill="#ffffff" opacity=".93"')
            return plane(box, ground, 1, EDGE) + shown + written(place.title, lower, INK, 9, is_bold=True)
        return rectangle(box, 1, f'fill="#ffffff"{EDGE}') + title

    def member_at(self, region: Region, place: Place) -> MemberLook | None:
        """The look of the member for which a place is, if the layout says how it looks."""
        zone = self.symbols.zones.get(region.id.partition(":")[0])
        slot = whole_number(place.id.rpartition("@")[2])
        if zone is None or slot is None or not zone.base <= slot < zone.base + zone.size:
            return None
        type, value = plain(zone.parameters[-1].type), zone.index(slot)[-1]
        if not isinstance(type, Member) or value not in self.looks.layout.members.get(type.kind, {}):
            return None
        return self.looks.of_value(type, value)

    def gauges(self) -> Iterator[Made]:
        """The gauges of which the layout says how large they are printed: strips with numbers."""
        for variable in self.symbols.variables.values():
            look = self.looks.layout.variables[variable.name]
            if look.show != "gauge" or look.printed.size is None or look.high is None:
                continue
            title, low = self.looks.labels.titled(variable), look.low or 0
            numbers = range(low, look.high + 1)
            places = [Place(f"#{n}", str(n), float(at % 10), float(at // 10), 0, None) for at, n in enumerate(numbers)]
            size = float(min(len(places), 10)), float(-(-len(places) // 10))
            region = Region(f"#{variable.name}", title, None, "track", *size, None, True, places=places)
            yield variable.name, title, self.copies(look.printed, 1), self.board(region, look.printed)

    def sheet(self, region: Region) -> Face:
        """A score sheet to be written on: a column for each player, who write their names, or for each variable of nobody."""
        columns = region.columns or []
        across, down = max(len(columns), 1), max(len(region.rows), 1)
        head = SHEET_HEAD
        wide, high = 2 * MARGIN + head + across * SHEET_COLUMN, 2 * MARGIN + HEAD + (down + 1) * SHEET_ROW
        parts = [written(capital(region.title), (MARGIN, MARGIN / 2, wide - 2 * MARGIN, HEAD), INK, 12, is_bold=True)]
        top = MARGIN + HEAD
        for at in range(down + 1):
            y = top + at * SHEET_ROW
            parts.append(rectangle((MARGIN, y, head, SHEET_ROW), 0, f'fill="#ffffff"{EDGE}'))
            if at:
                row = region.rows[at - 1] if region.rows else None
                shown = Sign(icon=row.icon) if row is not None and row.icon else Sign()
                if shown:
                    parts.append(sign(shown, (MARGIN + 1.5, y + 1.5, 5.5, 5.5), INK, self.icons))
                box = (MARGIN + (9 if shown else 2), y, head - (11 if shown else 4), SHEET_ROW)
                parts.append(written(row.title if row is not None else "", box, INK, 9))
            for column in range(across):
                box = (MARGIN + head + column * SHEET_COLUMN, y, SHEET_COLUMN, SHEET_ROW)
                parts.append(rectangle(box, 0, f'fill="{"#ffffff" if at else "#eeeeee"}"{EDGE}'))
                if not at and columns and columns[column].fill is None:
                    parts.append(written(capital(columns[column].title), box, INK, 9))
        return Face(wide, high, WHITE, "".join(parts))

    # --- pawns and counters ---------------------------------------------------------------------------------------------

    def pawns(self) -> Iterator[Made]:
        for thing in self.seen.things:
            if thing.region.startswith("#") and thing.shape == "pawn":
                said = self.said("#" + thing.id.lstrip("=").partition(":")[0])
                if said is None or said.is_printed:
                    ground = self.inks.paint(thing.fill, thing.pattern)
                    face = self.disc_of(ground, Sign(thing.symbol, thing.icon), 16)
                    yield thing.id.lstrip("="), thing.words.rpartition(": ")[0] or thing.words, 1, face

    def disc_of(self, ground: Paint, shown: Sign, size: float) -> Face:
        body = sign_on((0, 0, size, size), shown, ground, self.icons, 0.76)
        return Face(size, size, ground, body, (), size / 2, is_round=True)

    def counters(self) -> Iterator[Made]:
        """Counters for the values of variables of which the layout says how many are printed."""
        for variable in self.symbols.variables.values():
            look = self.looks.layout.variables[variable.name]
            said = look.printed
            if said.copies is None or not said.is_printed or look.show in ("die", "track", "sheet"):
                continue
            found: dict[str, Made] = {}
            for slot in variable.slots:
                names = names_of(variable, slot)
                member = self.looks.of(look.symbol, self.designer.eyes, names) or MemberLook()
                fill = self.looks.of(look.fill, self.designer.eyes, names) or member
                shown = Sign(member.symbol or "", look.icon or member.icon or "")
                ground = self.inks.paint(fill.fill, fill.pattern)
                face = self.disc_of(ground, shown, said.size or COUNTER)
                title = self.counted(variable, look, names)
                found[face.drawn()] = variable.name, title, self.copies(said, 0, names), face
            yield from with_numbers(found.values())

    def counted(self, variable: Variable, look: VariableLook, names: Mapping[str, int]) -> str:
        if isinstance(look.symbol, Expression):
            value = self.designer.eyes.value(look.symbol, names)
            if value is not None:
                return self.looks.labels.value(look.symbol.type, value)
        return self.looks.labels.titled(variable)

    # --- dice -----------------------------------------------------------------------------------------------------------

    def dice(self) -> Iterator[Made]:
        """The nets of dice: of variables that are dice, of dice whose sides are pieces, and of kinds that are rolled."""
        variables = self.symbols.variables.values()
        found = {kind.name: pips_of(self.designer, kind, variables) for kind in self.symbols.kinds.values()}
        pips = {name: type for name, type in found.items() if type is not None}
        for variable in variables:
            look = self.looks.layout.variables[variable.name]
            type = plain(variable.type)
            if (
                variable.of_kind not in pips
                and look.show == "die"
                and look.printed.is_printed
                and isinstance(type, Int)
                and type.high <= MOST_PIPS
            ):
                net = self.net(self.pips(type), look.printed)
                title = self.looks.labels.titled(variable)
                yield variable.name, title, self.copies(look.printed, variable.size), net
        for zone in self.symbols.zones.values():
            zone_look = self.looks.layout.zones[zone.name]
            if zone_look.arrange == "die" and zone_look.printed.is_printed:
                yield from self.dice_of(zone, zone_look.printed)
        for kind in filter(can_roll, self.symbols.kinds.values()):
            design = self.designer.design(kind)
            if design.shape == "die" and design.said.is_printed:
                yield from self.dice_of_kind(kind, design, pips.get(kind.name))

    def dice_of_kind(self, kind: Kind, design: Design, pips: Int | None) -> Iterator[Made]:
        """The nets of pieces that are dice, in their colours; or that of the one whose sides are pieces which lie nowhere."""
        words = self.looks.labels.kind_title(kind)
        if pips is not None:
            looks = (self.looks.piece(piece, self.designer.eyes) for piece in kind.numbers)
            grounds = (self.inks.paint(look.fill, look.pattern) if look.fill else None for look in looks)
            yield from alike(kind.name, [(words, self.net(self.pips(pips, one), PrintedBoard())) for one in grounds])
        elif not kind.lies:
            sides = [self.side(number) for number in kind.numbers]
            yield kind.name, words, 1, self.net(sides, PrintedBoard(round(max(design.size))))

    def rolled(self) -> Iterator[Made]:
        """A die for each range of numbers that rules roll, for a game that has no dice otherwise."""
        types = {plain(type) for type in self.match.program.game.analysis.rolled.values()}
        for type in sorted((one for one in types if isinstance(one, Int)), key=lambda one: (one.low, one.high)):
            if type.low >= 0 and 2 <= type.high <= MOST_PIPS:
                net = self.net(self.pips(type), PrintedBoard())
                yield f"die_{type.low}_{type.high}", f"{type.low} – {type.high}", 1, net

    def pips(self, type: Int, ground: Paint | None = None) -> list[tuple[Sign, Paint]]:
        """The sides of a die with pips, white if no colour is given."""
        paint = ground or self.inks.paint("white", "plain")
        return [(Sign(icon=f"pips/{n}"), paint) for n in range(max(type.low, 1), type.high + 1)]

    def side(self, piece: int) -> tuple[Sign, Paint]:
        look = self.looks.piece(piece, self.designer.eyes)
        shown = Sign(look.symbol, look.icon)
        if not shown:
            shown = Sign(self.designer.named(piece))
        return shown, self.inks.paint(look.fill, look.pattern)

    def dice_of(self, zone: Zone, said: PrintedBoard) -> Iterator[Made]:
        """The dice whose sides lie in zones: empty ones if sides are replaced, which are then printed as stickers."""
        z = self.match.state.z
        lying = {piece for slot in zone.slots for piece in z[slot]}
        kind = self.symbols.kinds.get(zone.holds or "")
        are_replaced = kind is not None and any(piece not in lying for piece in kind.numbers)
        sides = ([] if are_replaced else [self.side(piece) for piece in z[slot]] for slot in zone.slots)
        faces = [(self.looks.labels.titled(zone), self.net(one, said)) for one in sides]
        yield from self.wanted(said, alike(zone.name, faces))

    def net(self, sides: Sequence[tuple[Sign, Paint]], said: PrintedBoard) -> Face:
        """The net of a die with tabs to be glued; with fewer sides than six they are repeated, with more the rest is left out."""
        size = float(said.size or DIE)
        parts = [tabs(size)]
        paints: list[Paint] = []
        for at, (column, row) in enumerate(NET):
            box = (TAB + column * size, TAB + row * size, size, size)
            parts.append(rectangle(box, 0, f'fill="#ffffff"{EDGE}'))
            if sides:
                shown, paint = sides[SIDE_OF[at] % len(sides)]
                paints.append(paint)
                parts.append(plane(box, paint, 0, EDGE))
                share = 0.94 if shown.icon.startswith("pips/") or not paint.pattern else 0.8
                parts.append(sign_on(box, shown, paint, self.icons, share))
        wide, high = 4 * size + 2 * TAB, 3 * size + 2 * TAB
        return Face(wide, high, WHITE, "".join(parts), tuple(paints))


def alike(id: str, faces: Iterable[tuple[str, Face]]) -> Iterator[Made]:
    """Faces with their titles; those that look alike are copies of one."""
    found: dict[str, Made] = {}
    for title, face in faces:
        before = found.get(face.drawn())
        found[face.drawn()] = id, title, before[2] + 1 if before is not None else 1, face
    return with_numbers(found.values())


def with_numbers(made: Collection[Made]) -> Iterator[Made]:
    """What has one id, told apart by numbers if there are several."""
    for at, (id, title, copies, face) in enumerate(made):
        yield f"{id}{at + 1 if len(made) > 1 else ''}", title, copies, face


def is_board(region: Region) -> bool:
    return region.arrangement in DRAWN and len(region.places) > 1


def without_the_same(places: Sequence[Place]) -> list[Place]:
    """Places without the words with which all their titles begin."""
    words = [place.title.split() for place in places]
    same = 0
    while all(len(one) > same + 1 for one in words) and len({one[same] for one in words}) == 1:
        same += 1
    return [replace(place, title=" ".join(one[same:])) for place, one in zip(places, words, strict=True)]


def tabs(size: float) -> str:
    """The tabs of a net, one at every second free edge."""
    found = ""
    slant = TAB * 0.8
    for column, row, sides in ((1, 0, "lr"), (0, 1, "l"), (1, 2, "lr"), (2, 1, ""), (3, 1, "tb")):
        x, y = TAB + column * size, TAB + row * size
        for side in sides:
            if side in "lr":
                at, out = (x, x - TAB) if side == "l" else (x + size, x + size + TAB)
                points = ((at, y), (out, y + slant), (out, y + size - slant), (at, y + size))
            else:
                at, out = (y, y - TAB) if side == "t" else (y + size, y + size + TAB)
                points = ((x, at), (x + slant, out), (x + size - slant, out), (x + size, at))
            listed = " ".join(f"{u:g},{v:g}" for u, v in points)
            found += f'<polygon points="{listed}" fill="#f2f2f2"{EDGE}/>'
    return found


def pips_of(designer: Designer, kind: Kind, variables: Iterable[Variable]) -> Int | None:
    """The numbers on a piece that is a die: the values of a variable of it; None for any other piece."""
    if not can_roll(kind) or designer.design(kind).shape != "die":
        return None
    symbol = designer.looks.layout.pieces[kind.name].symbol
    if isinstance(symbol, str) or (symbol is not None and not changes(symbol)):
        return None
    own = (one for one in variables if len(one.parameters) == 1 and one.parameters[0].type == kind.type)
    types = (plain(one.type) for one in own)
    return next((one for one in types if isinstance(one, Int) and one.low >= 0 and 2 <= one.high <= MOST_PIPS), None)


def can_roll(kind: Kind) -> bool:
    """Whether something of a kind can be rolled: it is no board, and more than bookkeeping."""
    return kind.is_piece and not kind.grid and not kind.quiet


# --- boxes whose levels turn ------------------------------------------------------------------------------------------


LEVEL_TAB, LEVEL_HEAD, GAP = 8.0, 7.0, 2.0
"""The tab to be glued, the band with the title of a side, and the room around a piece, in millimetres."""
MOST_SIDES = 24


def boxes(boards: Boards) -> Iterator[Made]:
    """The levels of the boxes of a layout, as nets."""
    for zone in boards.symbols.zones.values():
        look = boards.looks.layout.zones[zone.name]
        if look.arrange == "solid" and look.printed.is_printed:
            for slot in zone.slots:
                sides = len(boards.match.state.z[slot])
                if sides > MOST_SIDES:
                    raise TooMuch(f"a box with {sides} sides is not printed: leave it out with `print: none`")
                if sides > 1:
                    title = ", ".join(boards.looks.labels.index(zone, slot))
                    net = level(boards, zone, title, sides)
                    yield f"{zone.name}_{slot - zone.base + 1}", title, boards.copies(look.printed, 1), net


def level(boards: Boards, zone: Zone, title: str, sides: int) -> Face:
    """A strip of sides as large as the pieces that stand before them, with a tab at its end; it lies across the sheet."""
    look = boards.looks.layout.zones[zone.name]
    kinds = [kind for kind in boards.symbols.kinds.values() if kind.name == zone.holds]
    size = boards.designer.design(kinds[0]).size if kinds else (boards.held(zone.name),) * 2
    wide, high = (float(look.printed.size), float(look.printed.size)) if look.printed.size else (max(size), min(size))
    wide, high = wide + 2 * GAP, high + 2 * GAP + LEVEL_HEAD
    ground = boards.inks.paint(look.fill or "none", "plain")
    body = ""
    for at in range(sides):
        left = MARGIN + at * wide
        body += plane((left, MARGIN, wide, high), ground.flat, 0, EDGE)
        free = inside((left, MARGIN + LEVEL_HEAD, wide, high - LEVEL_HEAD), GAP)
        body += plane(free, WHITE, 1, EDGE)
        words = f"{capital(title)} {at + 1}"
        body += written(words, (left + GAP, MARGIN + 1, wide - 2 * GAP, LEVEL_HEAD - 1), ground.ink, 11, is_bold=True)
    right, low = MARGIN + sides * wide, MARGIN + high
    body += f'<polygon points="{right:g},{MARGIN:g} {right + LEVEL_TAB:g},{MARGIN + LEVEL_TAB:g} {right + LEVEL_TAB:g},{low - LEVEL_TAB:g} {right:g},{low:g}" fill="#f2f2f2"{EDGE}/>'
    long, short = right + LEVEL_TAB + MARGIN, low + MARGIN
    return Face(short, long, WHITE, moved(body, short, 0, 90))
