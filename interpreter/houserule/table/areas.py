"""The regions of a scene, the things that lie in them, and the question whose options are picked there."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from houserule.definition.looks import MemberLook, ZoneLook
from houserule.language.checked import Family, Kind, Variable, Zone
from houserule.language.types import Member, Piece, Player, Tuple, Type, none_of, plain
from houserule.table.looks import Eyes, Look, changes, order_of_table
from houserule.table.parts import parts_of
from houserule.table.places import At, Part, Spot, around, covered, extent, on_board, ring, spots
from houserule.table.scene import OptionShown, Place, Question, Region, Sign, Thing
from houserule.telling.events import Following
from houserule.telling.view import shown_with_pieces

if TYPE_CHECKING:
    from houserule import Choice, Match
    from houserule.language.checked import Expression
    from houserule.table.looks import Looks
    from houserule.table.scene import Value

PLAYER_PLACE = "player"
"""A place for a player, not for a particular one."""
PILED = ("stack", "heap")
ROWS_OF_PILES = ("box", "solid", "die", "piles")
TRACK_COLUMNS = 10
LONGEST_TRACK = 50
NOT_BY_THEMSELVES = ("none", "track", "sheet")
"""The ways to show a variable that are not values beside others."""
MOST_IN_A_LINE = 12
MOST_IN_A_HAND = 20
BOARDS = ("grid", "hex", "graph")
"""Arrangements in which only what is in use of a board that grows is shown."""
MOST_JOINED = 100
"""The most places of a graph between which lines are drawn: each pair is evaluated."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A region as last shown to a viewer, everything it depends on, and the things in it."""

    signs: object
    region: Region
    things: list[Thing]
    by_piece: dict[int, Thing]


_kept: WeakKeyDictionary[Following, dict[int, Kept]] = WeakKeyDictionary()
"""By viewer and the first slot of a region: an unchanged region is reused."""


class Areas:
    """The regions and things of one scene, laid out for one viewer."""

    def __init__(self, looks: Looks, eyes: Eyes, following: Following, begun: int, asked: Asked) -> None:
        self.looks = looks
        self.eyes = eyes
        self.following = following
        self.begun = begun
        self.asked = asked
        self.program = looks.program
        self.labels = looks.labels
        self.state = eyes.state
        self.regions: list[Region] = []
        self.things: list[Thing] = []
        self.by_piece: dict[int, Thing] = {}
        self.kept = _kept.setdefault(following, {})

    # --- regions ------------------------------------------------------------------------------------------------------

    def lay_out(self) -> None:
        """Make all regions; those whose content lies on other pieces come last."""
        zones = [zone for zone in self.program.symbols.zones.values() if zone.size]  # none for a kind without pieces
        for zone in zones:
            look = self.looks.layout.zones[zone.name]
            if look.arrange not in ("none", "upon"):
                for part in self.parts(zone, look):
                    self.zone_region(zone, look, part)
        for zone in zones:
            if self.looks.layout.zones[zone.name].arrange == "upon":
                self.lay_upon(zone)

    def parts(self, zone: Zone, look: ZoneLook) -> list[Part]:
        """The regions of a zone or family; computed once."""
        parts = self.looks.parts
        if zone.name not in parts:
            parts[zone.name] = parts_of(self.looks, zone, look, lambda slots: self.cells(zone, look, slots))
        return parts[zone.name]

    def cells(self, zone: Zone, look: ZoneLook, slots: Sequence[int]) -> list[Hashable]:
        """What tells the places of a board apart: where they lie, or their titles if they lie one after another."""
        said = look.row, look.column, look.layer
        if any(map(changes, said)):
            return list(slots)
        board = self.board_of(zone, look)
        if board is not None:
            return list(on_board(board, zone, slots))
        if any(said):
            return list(spots(look, [self.at(look, names_of(zone, slot)) for slot in slots]))
        return [self.named_place(zone, slot)[0] for slot in slots] if look.arrange == "grid" else list(slots)

    def zone_region(self, zone: Zone, look: ZoneLook, part: Part) -> None:
        """The region of a zone, or of some zones of a family; reused if nothing has changed."""
        slots = part.slots
        signs = self.signs(zone, part)
        kept = self.kept.get(slots[0])
        if signs is None or kept is None or kept.signs != signs:
            others, first = self.by_piece, len(self.things)
            self.by_piece = {}
            self.make_region(zone, look, part)
            kept = Kept(signs, self.regions[-1], self.things[first:], self.by_piece)
            self.by_piece = others
            self.kept[slots[0]] = kept
        else:
            self.regions.append(kept.region)
            self.things += kept.things
        self.by_piece.update(kept.by_piece)

    def signs(self, zone: Zone, part: Part) -> object:
        """Everything a region depends on; None if that is more than the content of zones, and what has just moved.

        Hidden pieces are mixed anew for each question, and options are marked, so regions with options are not reused.
        """
        if not self.looks.is_still(zone):
            return None
        asked, z, slots = self.asked, self.state.z, part.slots
        pieces = [piece for slot in slots for piece in z[slot]]
        if not asked.by_piece.keys().isdisjoint(pieces):
            return None
        if (asked.by_place or asked.by_player) and part.is_family:
            return None
        numbers, moved, begun = self.following.numbers, self.following.moved, self.begun
        return (
            pieces,
            [len(z[slot]) for slot in slots],
            [numbers.get(piece) for piece in pieces],
            [moved.get(piece, -1) > begun for piece in pieces],
            [self.is_touched(slot) for slot in slots],
        )

    def make_region(self, zone: Zone, look: ZoneLook, part: Part) -> None:
        id, seat, slots, is_family, words = part
        title = self.looks.zone_title(zone, look, seat if zone.owned else None, self.eyes)
        title = self.labels.phrase("comma").join([title, *words])
        amount = sum(len(self.lying(slot)) for slot in slots) if all(map(self.eyes.counts, slots)) else None
        changed = any(self.is_touched(slot) for slot in slots)
        is_solid = look.arrange == "solid"  # a box that can also be drawn as it stands
        region = Region(id, title, seat, "box" if is_solid else look.arrange, 0, 0, amount, zone.ordered, changed)
        region.board, region.fill, region.is_solid, region.is_kept = look.board, look.fill, is_solid, look.keep
        if look.lid is not None and (value := self.eyes.value(look.lid, {})) is not None:
            lid = self.looks.of_value(look.lid.type, value)
            region.lid = Sign(self.labels.value(look.lid.type, value), lid.fill, lid.symbol or "", lid.icon or "")
        self.regions.append(region)
        if look.arrange in ROWS_OF_PILES and (is_family or look.arrange != "piles"):
            self.fill_rows(region, zone, look, slots)
        elif is_family:
            self.fill_places(region, zone, look, slots)
        else:
            self.fill_one(region, zone, look, slots[0])

    def fill_places(self, region: Region, zone: Zone, look: ZoneLook, slots: Sequence[int]) -> None:
        """A family: each zone is a place of the region, with its content there."""
        board = self.board_of(zone, look)
        grows = board is not None and board.reach > 0
        if grows:
            slots = self.in_use(zone, slots)
        is_trick = look.arrange == "trick"
        found = (
            around(len(slots), max(self.eyes.viewer, 0)) if is_trick else self.spots_of(region.id, zone, look, slots)
        )
        region.width, region.height = extent(found)
        if look.joined is not None:
            region.lines = self.lines("" if grows else region.id, zone, look.joined, slots)
        before = len(self.things)
        for slot, spot in zip(slots, found, strict=True):
            region.places.append(self.place(region, zone, slot, spot))
            self.put(region, slot, [spot] * len(self.state.z[slot]), region.places[-1].id)
        if look.arrange == "layers":
            new = self.things[before:]
            for thing, is_covered in zip(new, covered([Spot(t.x, t.y, t.layer) for t in new]), strict=True):
                thing.is_covered = is_covered

    def board_of(self, zone: Zone, look: ZoneLook) -> Kind | None:
        """The grid whose places a family is for, if they lie as on a board: not as the layout says for a board that does not grow."""
        places = zone.parameters[zone.owned :]
        name = places[0].type.kind if len(places) == 1 and isinstance(places[0].type, Piece) else None
        kind = self.program.symbols.kinds.get(name or "")
        if kind is None or not kind.grid or look.arrange not in BOARDS:
            return None
        return kind if kind.reach or (look.row is None and look.column is None and look.columns is None) else None

    def in_use(self, zone: Zone, slots: Sequence[int]) -> Sequence[int]:
        """The places of a board that grows that are shown: where something lies, has just changed, or can be picked; else that in the middle."""
        z, picked = self.state.z, {value for _, value in self.asked.by_place}
        found = [slot for slot in slots if z[slot] or self.is_touched(slot) or zone.index(slot)[-1] in picked]
        return found or [slots[len(slots) // 2]]

    def spots_of(self, id: str, zone: Zone, look: ZoneLook, slots: Sequence[int]) -> list[Spot]:
        """The positions of the places of a region; cached if they never change."""
        board = self.board_of(zone, look)
        if board is not None:
            return on_board(board, zone, slots)
        found = self.looks.spots.get(id)
        if found is None:
            found = spots(look, [self.at(look, names_of(zone, slot)) for slot in slots])
            if not any(map(changes, (look.row, look.column, look.layer, look.order))):
                self.looks.spots[id] = found
        return found

    def lines(self, id: str, zone: Zone, joined: Expression, slots: Sequence[int]) -> list[list[int]]:
        """The joined places of a graph, each pair once; cached under the id of the region, if it has one, if they never change."""
        found = self.looks.lines.get(id)
        if found is None:
            values = [zone.index(slot)[0] for slot in slots[:MOST_JOINED]]
            found = [
                [one, two]
                for two, other in enumerate(values)
                for one, it in enumerate(values[:two])
                if self.eyes.value(joined, {"index_0": it, "index_1": other})
                or self.eyes.value(joined, {"index_0": other, "index_1": it})
            ]
            if id and not changes(joined):
                self.looks.lines[id] = found
        return found

    def place(self, region: Region, zone: Zone, slot: int, spot: Spot) -> Place:
        title, kind, value = self.looks.places.get(slot) or self.named_place(zone, slot)
        options: list[int] = []
        if kind == PLAYER_PLACE:
            options = self.asked.by_player.get(value, [])
        elif kind and (not zone.owned or region.seat in (None, self.eyes.viewer)):
            options = self.asked.by_place.get((kind, value), [])
        amount = len(self.lying(slot)) if self.eyes.counts(slot) else None
        changed = self.is_touched(slot)
        return Place(f"{zone.name}@{slot}", title, spot.x, spot.y, spot.layer, amount, changed, tuple(options))

    def named_place(self, zone: Zone, slot: int) -> tuple[str, str, int]:
        """The constant part of a place: its title, and the kind and number of its member, piece or player."""
        owned = zone.owned and self.looks.layout.zones[zone.name].arrange != "trick"
        index = zone.index(slot)[owned:]
        kind, value = "", -1
        if len(index) == 1:
            value = index[0]
            match plain(zone.parameters[-1].type):
                case Member(str(kind)) | Piece(str(kind)):
                    pass
                case Player():
                    kind = PLAYER_PLACE
        title = self.labels.phrase("comma").join(self.labels.index(zone, slot)[owned:])
        found = self.looks.places[slot] = (title, kind, value)
        return found

    def fill_one(self, region: Region, zone: Zone, look: ZoneLook, slot: int) -> None:
        pieces, first = self.in_order(zone, slot), len(self.things)
        is_open = look.arrange == "stack" and any(piece in self.asked.by_piece for piece in pieces)
        if is_open:
            region.arrangement = "row"  # a pile with options is spread out
        found = self.spots_in(look, pieces, is_open)
        if look.arrange in ("heap", "piles") and not is_open:
            self.put_alike(region, slot, pieces)
        elif look.arrange == "stack" and not is_open:
            self.put_stack(region, slot, pieces)
        else:
            self.put(region, slot, found, None, pieces)
        is_ring = look.arrange == "ring"
        ends = ring(max(zone.capacity or 0, len(pieces))) if is_ring else [Spot(t.x, t.y) for t in self.things[first:]]
        region.width, region.height = extent(ends)

    def spots_in(self, look: ZoneLook, pieces: Sequence[int], is_open: bool) -> list[Spot]:
        if look.row is not None or look.column is not None:
            return spots(look, [self.at(look, {"it": piece}) if self.eyes.sees(piece) else At() for piece in pieces])
        if look.arrange == "ring":
            return spots(look, [At(order=self.order(look, piece, at)) for at, piece in enumerate(pieces)])
        if look.arrange in PILED and not is_open:
            return [Spot(0, 0, layer) for layer in range(len(pieces))]
        columns = look.columns or (MOST_IN_A_HAND if look.arrange in ("hand", "fan") else MOST_IN_A_LINE)
        return [Spot(at % columns, at // columns) for at in range(len(pieces))]

    def fill_rows(self, region: Region, zone: Zone, look: ZoneLook, slots: Sequence[int]) -> None:
        """A box, dice or piles: a row for each zone, a column for each position in it, or for each different thing of a pile."""
        up, is_piled = look.up, look.arrange == "piles"
        columns = 0
        for row, slot in enumerate(slots):
            pieces = self.lying(slot)
            first = len(self.things)
            level = self.at(look, names_of(zone, slot))
            spot = Spot(0, level.row if level.row is not None else row)
            if len(zone.parameters) > zone.owned:
                region.places.append(self.place(region, zone, slot, spot))
            turn = 90 if look.arrange in ("box", "solid") else 0
            found = [Spot(column, spot.y, 0, turn * (column % 4)) for column in range(len(pieces))]
            self.put(region, slot, found, region.places[-1].id if region.places else None)
            if is_piled:
                for column, thing in enumerate(self.things[first:]):
                    thing.x, thing.layer = column, 0
            capacity = 0 if is_piled else max(self.program.capacities.get(slot, 0), len(pieces))
            columns = max(columns, capacity, len(self.things) - first)
            on_top = self.eyes.value(up, names_of(zone, slot)) if up is not None else None
            for thing in self.things[first:]:
                thing.is_up = on_top is not None and self.by_piece.get(on_top) is thing
        region.width, region.height = columns, len(slots)

    def lay_upon(self, zone: Zone) -> None:
        """A family indexed by pieces that lie somewhere: its content lies on these pieces, or by itself if they are not shown."""
        for slot in zone.slots:
            pieces = self.in_order(zone, slot)
            if not pieces or not (self.eyes.counts(slot) or any(map(self.eyes.sees, pieces))):
                continue
            index = zone.index(slot)
            at = next((i for i, p in enumerate(zone.parameters) if isinstance(plain(p.type), Piece)), 0)
            host = self.by_piece.get(index[at])
            region = next((r for r in self.regions if host is not None and r.id == host.region), None)
            if host is None or region is None:
                name = self.labels.family(zone, slot)
                region = Region(f"{zone.name}@{slot}", name, None, "row", 0, 0, len(pieces), zone.ordered)
                self.regions.append(region)
                self.put(region, slot, [Spot(x, 0) for x in range(len(pieces))], None, pieces)
                region.width, region.height = len(pieces), 1
                continue
            first = len(self.things)
            spot = Spot(host.x, host.y, host.layer + 1, host.rotation)
            self.put_alike(region, slot, pieces, spot, f"{zone.name}@{slot}")
            for thing in self.things[first:]:
                thing.on = host.id

    # --- things -------------------------------------------------------------------------------------------------------

    def lying(self, slot: int) -> list[int]:
        """The pieces in a zone, without those that are only bookkeeping."""
        pieces, kind_of = self.state.z[slot], self.program.kind_of
        return [piece for piece in pieces if not kind_of[piece].quiet] if self.looks.has_quiet_pieces else pieces

    def in_order(self, zone: Zone, slot: int) -> list[int]:
        """The pieces of a zone in the order of display: without order, the visible ones by what they are, then by backs."""
        pieces = self.lying(slot)
        knows, ranks = self.eyes.counts(slot), zone.ranks
        if knows and (len(pieces) < 2 or (zone.ordered and not ranks)):
            return list(pieces)
        seen = [piece for piece in pieces if self.eyes.sees(piece)]
        unseen = [piece for piece in pieces if not self.eyes.sees(piece)] if knows else []
        if not zone.ordered:
            numbers, mixed, backs = self.following.numbers, self.asked.mixed, self.labels.backs
            rank, kind_of = self.looks.rank, self.program.kind_of
            seen.sort(key=lambda piece: (ranks.get(piece, ()), rank(kind_of[piece], piece), numbers.get(piece, 0)))
            unseen.sort(key=lambda piece: (backs[piece], mixed.get(piece, 0)))
        elif ranks:
            seen.sort(key=ranks.__getitem__)
        return [*seen, *unseen]

    def put(
        self, region: Region, slot: int, found: Sequence[Spot], place: str | None, pieces: Sequence[int] | None = None
    ) -> None:
        """Put each piece at its position. In a place with many, pieces that look alike are one thing."""
        zone = self.program.zone_of[slot]
        listed = self.in_order(zone, slot) if pieces is None else pieces
        if place is not None and len(listed) > 1 and region.arrangement not in ("box", "die"):
            if not zone.ordered:
                self.put_alike(region, slot, listed, found[0], place)
                return
            if self.is_hidden(slot) or not any(map(self.eyes.sees, listed)):
                self.put_stack(region, slot, listed, found[0], place)
                return
            found = [spot._replace(layer=spot.layer + at) for at, spot in enumerate(found)]
        for at, (piece, spot) in enumerate(zip(listed, found, strict=False)):
            self.add(region, slot, piece, spot, place, at)

    def put_alike(
        self, region: Region, slot: int, pieces: Sequence[int], spot: Spot | None = None, place: str | None = None
    ) -> None:
        """Pieces beside each other, or at one position; those that look alike are one thing with a number."""
        groups: dict[object, Thing] = {}
        for at, piece in enumerate(pieces):
            look, marks = self.look(piece), self.marks(piece)
            key = (look.words, look.fill, look.symbol, look.icon, look.corner, marks[0], self.eyes.sees(piece))
            before = groups.get(key)
            if before is not None and self.program.zone_of[slot].ordered is False:
                before.count += 1
                before.options = (*before.options, *self.asked.by_piece.get(piece, ()))
                before.is_changed = before.is_changed or self.is_moved(piece)
                self.by_piece[piece] = before
                continue
            where = spot or Spot(len(groups) % MOST_IN_A_LINE, len(groups) // MOST_IN_A_LINE)
            groups[key] = self.add(region, slot, piece, where, place, at)

    def put_stack(
        self, region: Region, slot: int, pieces: Sequence[int], spot: Spot | None = None, place: str | None = None
    ) -> None:
        """A pile of which only the top is visible."""
        if pieces:
            is_shut = len(pieces) > 1 and self.is_hidden(slot)
            top = self.add(region, slot, pieces[-1], spot or Spot(0, 0), place, len(pieces) - 1, not is_shut)
            top.count = len(pieces)
            top.is_changed = top.is_changed or self.is_touched(slot)

    def is_hidden(self, slot: int) -> bool:
        """Whether no player sees the content of a zone. Such a pile is a pile for a viewer who sees everything, too: its top is not the whole."""
        return bool(self.program.zone_sight[slot] == "none")

    def add(
        self, region: Region, slot: int, piece: int, spot: Spot, place: str | None, at: int, is_open: bool = True
    ) -> Thing:
        """Add one thing. A hidden one is identified by its place only."""
        sees = is_open and self.eyes.sees(piece)
        number = self.following.numbers.get(piece) if sees else None
        look = self.look(piece) if sees else self.looks.back(piece)
        id = f"p{number}" if number is not None else f"{self.program.zone_of[slot].name}@{slot}.{at}"
        x, y, layer, rotation = spot
        made = Thing(id, region.id, place, x, y, layer, rotation, *look, sees)
        made.is_changed = self.is_moved(piece) if sees else self.is_touched(slot)
        if sees:
            made.marks, made.mark_icons = self.marks(piece)
        made.options = tuple(self.asked.by_piece.get(piece, ()))
        self.things.append(made)
        self.by_piece[piece] = made
        return made

    def look(self, piece: int) -> Look:
        return self.looks.piece(piece, self.eyes) if self.eyes.sees(piece) else self.looks.back(piece)

    def marks(self, piece: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Marks for the variables of a piece that differ from their starts, and their icons."""
        found, icons = [], []
        for slot in self.eyes.marked(piece) if self.eyes.sees(piece) else ():
            variable = self.program.variable_of[slot]
            is_shown = self.looks.layout.variables[variable.name].show != "none" and self.eyes.knows(slot)
            if is_shown and shown_with_pieces(self.program, variable):
                title = self.labels.titled(variable)
                words = self.labels.value(variable.type, self.state.v[slot], self.eyes.sees)
                found.append(title if words == self.labels.phrase("true") else f"{title} {words}")
                own = self.looks.layout.variables[variable.name].icon
                icons.append(own or self.looks.of_value(variable.type, self.state.v[slot]).icon or "")
        return tuple(found), tuple(icons) if any(icons) else ()

    def is_moved(self, piece: int) -> bool:
        """Whether the viewer has seen a piece move, or be turned up, since they last looked."""
        return self.following.moved.get(piece, -1) > self.begun

    def is_touched(self, slot: int) -> bool:
        return self.following.touched.get(slot, -1) > self.begun

    # --- places -------------------------------------------------------------------------------------------------------

    def at(self, look: ZoneLook, names: dict[str, int]) -> At:
        """The layout's values for a place."""
        said = (look.row, look.column, look.layer, look.order)
        return At(*(self.eyes.value(one, names) if one is not None else None for one in said))

    def order(self, look: ZoneLook, piece: int, at: int) -> int:
        found = self.eyes.value(look.order, {"it": piece}) if look.order is not None else None
        return at if found is None else found

    # --- arrangement of the table ---------------------------------------------------------------------------------------

    def add_tracks(self, values: Sequence[Value]) -> None:
        """Add a region for each track, with a pawn for each variable on it."""
        tracks: dict[str, Region] = {}
        for value in values:
            if value.show != "track" or value.number is None:
                continue
            name = name_of(value.id)
            said = self.looks.layout.variables[name]
            track = said.on or name
            base = self.looks.layout.variables.get(track, said)
            low, high = base.low or 0, base.high if base.high is not None else LONGEST_TRACK
            id = f"#{track}"
            region = tracks.get(id)
            if region is None:
                region = tracks[id] = self.track(id, track, low, high)
            position = (value.number - low) % (high - low + 1)
            place = region.places[position]
            whose = MemberLook("black") if value.seat is None else self.looks.players[value.seat]
            name = self.labels.names[value.seat] if value.seat is not None else value.title
            symbol = value.symbol or whose.symbol or value.title[:1]
            fill = value.fill or whose.fill
            look = Look("pawn", fill, whose.pattern, symbol, value.icon, None, "", f"{name}: {value.words}", "")
            pawn = Thing(value.id, id, place.id, place.x, place.y, 1, 0, *look, True)
            pawn.is_changed = value.is_changed
            self.things.append(pawn)

    def add_sheets(self, values: Sequence[Value]) -> None:
        """Add a region for each sheet: a line for each index of its variables, and a column for each player, or for each variable of nobody."""
        players = [Sign(name, look.fill) for name, look in zip(self.labels.names, self.looks.players, strict=True)]
        variables, sheets = self.program.symbols.variables, dict[str, Region]()
        looks = self.looks.layout.variables
        owned = {look.on or name for name, look in looks.items() if look.show == "sheet" and variables[name].owned}
        for value in (value for value in values if value.show == "sheet"):
            variable = variables[name_of(value.id)]
            name = looks[variable.name].on or variable.name
            region = sheets.get(name)
            if region is None:
                title = self.labels.titled(variables[name])
                region = sheets[name] = Region(f"#{name}", title, None, "sheet", 0, 0, None, True)
                region.columns = players if name in owned else []
                self.regions.append(region)
            self.add_cell(region, variable, value)
        for name, region in sheets.items():
            kind = plain(variables[name].parameters[-1].type) if variables[name].parameters else None
            if name not in owned and len(region.columns) == 1:
                region.columns = [Sign("")]
            elif name not in owned and isinstance(kind, Member):
                region.title = self.labels.kind_title(self.program.symbols.kinds[kind.kind])
            region.width, region.height = len(region.columns), len(region.rows)

    def add_cell(self, region: Region, variable: Variable, value: Value) -> None:
        """Add a value to a sheet; that of nobody has the column of its variable, or, in a line of its own, one without a title."""
        slot = variable.slot(tuple(map(int, value.id.split(":")[1:])))
        index = variable.index(slot)[variable.owned :]
        head = self.head(variable, slot) if index else Sign(value.title)
        at = next((row for row, one in enumerate(region.rows) if one == head), len(region.rows))
        if at == len(region.rows):
            region.rows.append(head)
        kind = plain(variable.parameters[-1].type) if index else None
        is_own = len(index) == 1 and value.seat in (None, self.eyes.viewer)
        options = self.asked.by_place.get((kind.kind, index[0]), []) if is_own and isinstance(kind, Member) else []
        is_empty = value.is_default and self.eyes.state.v[slot] == none_of(variable.type)
        x = value.seat
        if x is None:
            column = Sign(self.labels.titled(variable) if index else "")
            taken = {place.x for place in region.places if place.y == at}
            x = next(
                (x for x, one in enumerate(region.columns) if one == column and x not in taken), len(region.columns)
            )
            if x == len(region.columns):
                region.columns = [*region.columns, column]
        words = value.words if not is_empty else ""
        region.places.append(Place(value.id, words, x, at, 0, None, value.is_changed, tuple(options)))

    def head(self, variable: Variable, slot: int) -> Sign:
        title = self.labels.phrase("comma").join(self.labels.index(variable, slot)[variable.owned :])
        look = self.looks.of_value(variable.parameters[-1].type, variable.index(slot)[-1])
        return Sign(title, None, "", look.icon or "")

    def track(self, id: str, name: str, low: int, high: int) -> Region:
        title = self.labels.titled(self.program.symbols.variables[name])
        region = Region(id, title, None, "track", 0, 0, None, True)
        for number in range(low, high + 1):
            at = number - low
            region.places.append(Place(f"{id}@{number}", str(number), at % TRACK_COLUMNS, at // TRACK_COLUMNS, 0, None))
        region.width, region.height = extent([Spot(place.x, place.y) for place in region.places])
        self.regions.append(region)
        return region

    def arranged(self, values: Sequence[Value]) -> tuple[list[list[str]], list[list[str]]]:
        """The rows of the table, and what lies before each player: ids of regions and variables, in the order of the layout."""
        shown = [value for value in values if value.show not in NOT_BY_THEMSELVES]
        ids = tuple(one.id for part in (self.regions, shown) for one in part)
        found = self.looks.arranged.get(ids)
        if found is None:
            lying = [(one.id, one.seat) for part in (self.regions, shown) for one in part]
            layout, symbols = self.looks.layout, self.program.symbols
            order = order_of_table(symbols, layout.zones, layout.table)
            rows = rows_of(order, [id for id, seat in lying if seat is None])
            ranks = {name: rank for rank, name in enumerate(layout.player)}
            own = [[id for id, owner in lying if owner == seat] for seat in range(symbols.players)]
            before = [sorted(part, key=lambda id: ranks.get(name_of(id), len(ranks))) for part in own]
            found = self.looks.arranged[ids] = (rows, before)
        return found


def rows_of(order: Sequence[Sequence[str]], lying: Sequence[str]) -> list[list[str]]:
    """The rows of what belongs to nobody; what the order does not mention comes last."""
    ids: dict[str, list[str]] = {}
    for id in lying:
        ids.setdefault(name_of(id), []).append(id)
    rows = [[id for name in row for id in ids.pop(name, [])] for row in order]
    rows.append([id for rest in ids.values() for id in rest])
    return [row for row in rows if row]


def name_of(id: str) -> str:
    return id.lstrip("=#").partition("@")[0].partition(":")[0]


def names_of(family: Family, slot: int) -> dict[str, int]:
    """The values of the names in a layout's expressions at one of a family."""
    return {f"index_{position}": value for position, value in enumerate(family.index(slot))}


class Asked:
    """The question of a viewer, or none; its options by pieces, members and places, and players."""

    def __init__(self, shown: Question | None = None) -> None:
        self.shown = shown
        self.by_piece: dict[int, list[int]] = {}
        self.by_place: dict[tuple[str, int], list[int]] = {}  # by kind and number of a member or board space
        self.by_player: dict[int, list[int]] = {}
        self.mixed: dict[int, int] = {}  # by piece: the option's number among the pieces offered


def asked(match: Match, seat: int, looks: Looks) -> Asked:
    choice = next((choice for choice in match.pending if choice.seat == seat), None)
    if choice is None:
        return Asked()
    type = plain(choice.site.type) if choice.kind in ("pick", "several") else None
    eyes = Eyes(match.program, match.state.at(seat), seat, match.shown_to(seat))
    options = [
        OptionShown(option.key, option.label, text_of(looks, eyes, type, option.value) if type else "", option.is_pass)
        for option in choice.single
    ]
    text, parts = " ".join(texts_in_prompt(choice, looks, eyes)), len(type.of) if isinstance(type, Tuple) else 1
    limits = choice.at_least, choice.at_most, choice.may_pass
    found = Asked(Question(match.answered[seat], choice.kind, choice.prompt, text, *limits, options, parts))
    for number, option in enumerate(choice.single):
        if isinstance(type, Tuple):
            for of, part in zip(type.of, option.parts, strict=False):
                sort(found, looks, eyes, plain(of), part.number, number)
        elif type is not None and isinstance(option.value, int) and not option.is_pass:
            sort(found, looks, eyes, type, option.value, number)
    return found


def sort(found: Asked, looks: Looks, eyes: Eyes, type: Type, value: int, number: int) -> None:
    """Note what an option, or a part of it, refers to."""
    match type:
        case Player():
            found.by_player.setdefault(value, []).append(number)
        case Member(enum):
            found.by_place.setdefault((enum, value), []).append(number)
        case Piece():
            said = looks.layout.pieces[looks.program.kind_of[value].name]
            stands_for = eyes.value(said.stands_for, {"it": value}) if said.stands_for is not None else None
            if stands_for is not None:
                value = stands_for
            if looks.program.places[value] >= 0:
                found.by_piece.setdefault(value, []).append(number)
                found.mixed[value] = number
            else:
                found.by_place.setdefault((looks.program.kind_of[value].name, value), []).append(number)


def text_of(looks: Looks, eyes: Eyes, type: Type, value: int | tuple[int, ...]) -> str:
    """The text of the thing that an option refers to, if the viewer sees it."""
    if not isinstance(value, int) or value < 0:
        return ""
    match type:
        case Member(name):
            return looks.text(looks.program.symbols.kinds[name], value)
        case Piece() if eyes.sees(value):
            return looks.text(looks.program.kind_of[value], value)
    return ""


def texts_in_prompt(choice: Choice, looks: Looks, eyes: Eyes) -> Iterator[str]:
    types = [part.type for part in choice.site.parts if not isinstance(part, str)]
    for type, value in zip(types, choice.said, strict=False):
        text = text_of(looks, eyes, plain(type), value)
        if text:
            yield text
