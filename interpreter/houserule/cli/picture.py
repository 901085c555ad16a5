"""Draws the table as text, on a canvas of cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from houserule.cli.screen import one_line, say
from houserule.printable import printable
from houserule.table.looks import abbreviations
from houserule.table.places import HEX_ROW

if TYPE_CHECKING:
    from houserule.table.scene import Place, Region, Scene, Seat, Thing, Value


# --- canvas -----------------------------------------------------------------------------------------------------------


JOINS = {
    frozenset("ew"): "─", frozenset("ns"): "│", frozenset("es"): "┌", frozenset("sw"): "┐", frozenset("en"): "└",
    frozenset("nw"): "┘", frozenset("ens"): "├", frozenset("nsw"): "┤", frozenset("esw"): "┬", frozenset("enw"): "┴",
    frozenset("ensw"): "┼",
}  # fmt: skip
"""The box-drawing character that joins east, north, south and west."""
NO_LINE: tuple[int, frozenset[str]] = (0, frozenset())


class Canvas:
    """Characters in rows and columns, each with its style; a wide one takes two columns."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.cells: list[list[tuple[str, str]]] = [[(" ", "")] * width for _ in range(height)]
        self.lines: list[list[tuple[int, frozenset[str]]]] = [[NO_LINE] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: str = "", width: int = 0) -> None:
        """Words on one line, cut or filled to a width if there is one."""
        words = printable(text)
        if width:
            words = set_cell_size(words, width)
        for character in words:
            size = cell_len(character)
            if size == 0 or not (0 <= y < self.height and x >= 0 and x + size <= self.width):
                x += size
                continue
            self.set(x, y, character, style)
            if size == 2:
                self.set(x + 1, y, "", style)
            x += size

    def set(self, x: int, y: int, character: str, style: str) -> None:
        """Set one character; half of a wide one that is overwritten becomes a blank."""
        row = self.cells[y]
        if row[x][0] == "" and x and character != "":
            row[x - 1] = (" ", row[x - 1][1])
        if x + 1 < self.width and row[x + 1][0] == "" and cell_len(character) == 1:
            row[x + 1] = (" ", row[x + 1][1])
        row[x] = (character, style)
        self.lines[y][x] = NO_LINE

    def box(self, x: int, y: int, width: int, height: int, style: str = "", layer: int = 0) -> None:
        """An empty box with a border, which joins the borders that it meets in its layer and hides those below."""
        for row in range(y + 1, y + height - 1):
            self.put(x + 1, row, " " * (width - 2))
        right, bottom = x + width - 1, y + height - 1
        for column in range(x + 1, right):
            self.draw(column, y, "ew", style, layer)
            self.draw(column, bottom, "ew", style, layer)
        for row in range(y + 1, bottom):
            self.draw(x, row, "ns", style, layer)
            self.draw(right, row, "ns", style, layer)
        for column, row, ways in ((x, y, "es"), (right, y, "sw"), (x, bottom, "en"), (right, bottom, "nw")):
            self.draw(column, row, ways, style, layer)

    def draw(self, x: int, y: int, ways: str, style: str, layer: int) -> None:
        if 0 <= x < self.width and 0 <= y < self.height:
            below, there = self.lines[y][x]
            joined = frozenset(ways) | (there if below == layer else frozenset())
            self.set(x, y, JOINS[joined], style)
            self.lines[y][x] = (layer, joined)

    def line(self, x: int, y: int, end: int, bottom: int, style: str = "") -> None:
        """A line from one place to another; later content hides its part."""
        across, down = end - x, bottom - y
        sign = "─" if down == 0 else "│" if across == 0 else "╲" if (across > 0) == (down > 0) else "╱"
        steps = max(abs(across), abs(down), 1)
        for step in range(steps + 1):
            self.put(x + round(across * step / steps), y + round(down * step / steps), sign, style)

    def text(self) -> Text:
        """All lines, without trailing blanks."""
        lines = []
        for row in self.cells:
            line = Text()
            for character, style in row:
                line.append(character, style or None)
            line.rstrip()
            lines.append(line)
        return Text("\n").join(lines)


# --- picture ----------------------------------------------------------------------------------------------------------


STYLES: Mapping[str, str] = {
    "red": "red", "sky": "bright_cyan", "green": "green", "gold": "yellow", "violet": "magenta", "orange": "bright_red",
    "teal": "cyan", "rose": "bright_magenta", "lime": "bright_green", "brown": "yellow", "blue": "bright_blue",
    "yellow": "bright_yellow", "grey": "bright_black", "black": "bold", "white": "bright_white", "silver": "white",
    "bronze": "yellow", "pink": "bright_magenta", "purple": "magenta", "cyan": "bright_cyan",
}  # fmt: skip
"""The terminal colour for each colour, among the sixteen that every terminal has."""
SIGNS: Mapping[str, str] = {
    "plain": "", "dots": ":", "waves": "~", "stripes": "/", "checks": "%", "cross": "+", "bricks": "#", "rings": "o",
    "steps": "=", "stars": "*",
}  # fmt: skip
"""The character for each pattern."""
PLACED = ("grid", "hex", "graph", "layers", "ring", "box")
"""Arrangements that are drawn as pictures; the others are lines of things."""
CROPPED = ("grid", "hex", "graph")
"""Those that may be drawn in part: where something lies, has just changed, or can be picked, and the places around it."""
TALLEST = 60
"""The lines of a picture beyond which only the part in use is drawn."""
NARROWEST, WIDEST = 6, 18
SQUARE = 8
"""The width of a square of a board."""
APART = (4, 2)
"""The distance between places of a graph, across and down, so that the lines between them are visible."""
ROUNDED = 0.01
"""Positions have three decimals."""
BACK = "░"
CHANGED = "*"
LONGEST_GAUGE = 20
WIDE = 110
"""From this width on, players are side by side."""


@dataclass(frozen=True, slots=True)
class Fit:
    """The sizes of things: the width of the titles at the left, the width and lines of a thing, and the distances."""

    label: int
    size: int
    lines: int
    right: int
    down: float

    def canvas(self, region: Region) -> tuple[int, int]:
        """The width and height of the picture of a region."""
        return self.label + int(region.width * self.right) + 1, int(region.height * self.down) + 1

    def spot(self, what: Thing | Place) -> tuple[int, int]:
        return self.label + int(what.x * self.right), int(what.y * self.down + ROUNDED)


class Painter:
    """Renders one scene for a width."""

    def __init__(self, scene: Scene, width: int) -> None:
        self.scene = scene
        self.width = width
        self.language = scene.language
        self.things: dict[str, list[Thing]] = {}
        self.upon: dict[str, list[Thing]] = {}
        for thing in scene.things:
            if thing.on is not None:
                self.upon.setdefault(thing.on, []).append(thing)
            else:
                self.things.setdefault(thing.region, []).append(thing)
        self.regions = {region.id: region for region in scene.regions}
        self.values = {value.id: value for value in scene.variables}

    # --- the table ----------------------------------------------------------------------------------------------------

    def table(self) -> RenderableType:
        """What belongs to nobody, then what lies before each player, the viewer first."""
        parts: list[RenderableType] = []
        shared = self.rows(self.scene.table, self.width - 4)
        if shared:
            title = one_line(self.scene.step or say(self.language, "table"))
            parts.append(Panel(Group(*shared), title=title, title_align="left", border_style="blue"))
        parts.append(self.seats())
        return Group(*parts)

    def rows(self, rows: Sequence[Sequence[str]], width: int) -> list[RenderableType]:
        """Rows of regions and variables: pictures one below the other, single lines side by side."""
        found: list[RenderableType] = []
        for row in rows:
            lines: list[Text] = []
            for id in row:
                region = self.regions.get(id)
                if region is not None and (part := self.in_use(region, width)) is not None:
                    found.append(self.placed(*part, width))
                elif region is not None and region.arrangement in ("track", "sheet"):
                    found.append((self.track if region.arrangement == "track" else self.sheet)(region, width))
                else:
                    lines += self.lines(id)
            if lines:
                found.append(beside(lines, width))
        return found

    def seats(self) -> RenderableType:
        """What lies before each player, in panels."""
        in_a_row = 2 if self.width >= WIDE and len(self.scene.seats) > 1 else 1
        width = self.width // in_a_row
        first = self.scene.viewer if self.scene.viewer is not None else 0
        ordered = [*self.scene.seats[first:], *self.scene.seats[:first]]
        own = [self.rows([seat.lies_here], width - 4) for seat in ordered]
        if not any(own):  # nothing lies before anybody
            return beside([self.seat_title(seat) for seat in ordered], self.width)
        panels = [self.seat(seat, rows) for seat, rows in zip(ordered, own, strict=True)]
        grid = Table.grid(expand=True)
        for _ in range(in_a_row):
            grid.add_column(ratio=1)
        for start in range(0, len(panels), in_a_row):
            grid.add_row(*panels[start : start + in_a_row])
        return grid

    def seat_title(self, seat: Seat) -> Text:
        """The name of a player, with their sign, and whether they are asked."""
        name = say(self.language, "you", player=seat.name) if seat.is_viewer else seat.name
        title = Text.assemble(numbers(seat.options), one_line(name, STYLES.get(seat.fill or "", "")))
        if len(self.scene.seats) > 1:
            sign = SIGNS.get(seat.pattern or "plain", "")
            title.append(f" [{sign}{seat.symbol}]", style="dim")
        if seat.is_next:
            title.append(" ◀", style="bold")
        return title

    def seat(self, seat: Seat, rows: Sequence[RenderableType]) -> RenderableType:
        """What lies before one player."""
        own = rows or [one_line("—", "dim")]
        style = "green" if seat.is_viewer else "dim"
        return Panel(Group(*own), title=self.seat_title(seat), title_align="left", border_style=style)

    # --- pictures -----------------------------------------------------------------------------------------------------

    def in_use(self, region: Region, width: int) -> tuple[Region, list[Thing]] | None:
        """What is drawn of a region with positions, and the things in it: all if there is room, else the part that is in use; None if it has to be lines."""
        things = sorted(self.things.get(region.id, []), key=lambda thing: (thing.layer, thing.y, thing.x))
        if region.arrangement not in PLACED or not (things or region.places):
            return None
        across, down = self.fit(region, things, width).canvas(region)
        if across <= width and (down <= TALLEST or region.arrangement not in CROPPED):
            return region, things
        used: list[Thing | Place] = [
            *things,
            *(place for place in region.places if place.options or place.is_changed or place.amount),
        ]
        if not used or region.arrangement not in CROPPED:
            return (region, things) if across <= width else None
        part, moved = around(used, region, things)
        return (part, moved) if self.fit(part, moved, width).canvas(part)[0] <= width else None

    def placed(self, region: Region, things: Sequence[Thing], width: int) -> RenderableType:
        """A picture with positions: a box for each thing, with its option in the upper border."""
        fit = self.fit(region, things, width)
        size, lines = fit.size, fit.lines
        titles, legend = place_titles(region, things, size - 1)
        canvas = Canvas(*fit.canvas(region))
        for joined in region.lines:
            (x, y), (end, bottom) = (fit.spot(region.places[at]) for at in joined)
            aside, below = size // 2, (lines + 1) // 2
            canvas.line(x + aside, y + below, end + aside, bottom + below, "dim")
        for place in region.places:
            x, y = fit.spot(place)
            if region.arrangement == "box":
                canvas.put(0, y + 1, place.title, "cyan", fit.label)
            elif region.arrangement != "layers":
                canvas.box(x, y, size + 1, lines + 2, "dim")
                canvas.put(x + 1, y + lines, titles[place.id] if region.board is None else "", "dim", size - 1)
        self.lay(canvas, region, things, fit, titles)
        for place in region.places:
            x, y = fit.spot(place)
            canvas.put(0 if region.arrangement == "box" else x + 1, y, number_words(place.options), "bold cyan")
        if region.arrangement == "layers":
            return canvas.text()
        title = self.title(region)
        places = len(self.regions[region.id].places)
        if len(region.places) < places:
            title.append(f" · {say(self.language, 'in_use', shown=len(region.places), places=places)}", style="dim")
        return Group(title, canvas.text(), *([beside(legend, width)] if legend else []))

    def lay(self, canvas: Canvas, region: Region, things: Sequence[Thing], fit: Fit, titles: Mapping[str, str]) -> None:
        """Draw the things of a region where they lie. Where a line is left below them, it names their place."""
        for pile in piles(things):
            thing = pile[-1]
            x, y = fit.spot(thing)
            if len(pile) > 1:
                self.draw_pile(canvas, pile, x, y, fit)
                is_named = len(pile) < fit.lines
            else:
                self.draw(canvas, thing, x, y, fit.size, fit.lines, is_square=region.board is not None)
                says_so = thing.is_face_up and titles.get(thing.place or "") == thing.words
                is_named = fit.lines > 1 and not says_so and not (thing.is_face_up and thing.id in self.upon)
            if is_named and thing.place is not None and region.arrangement != "box":
                canvas.put(x + 1, y + fit.lines, titles[thing.place], "dim" if thing.is_face_up else "", fit.size - 1)

    def fit(self, region: Region, things: Sequence[Thing], width: int) -> Fit:
        label = 0
        if region.arrangement == "box":
            label = max((len(place.title) for place in region.places), default=0) + 1
        apart, below = APART if region.arrangement == "graph" else (0, 0)
        across = max(int((width - 1 - label) / max(region.width, 1)) - apart, 2) // 2 * 2
        if region.board is not None:  # squares, with what stands on them and no coordinates
            return Fit(0, max(NARROWEST, min(SQUARE, across)), 1, max(NARROWEST, min(SQUARE, across)), 2)
        size = max(NARROWEST, min(WIDEST, across))
        has_room = size >= WIDEST - 4 and region.arrangement != "layers"
        is_tall = has_room or region.arrangement == "ring" or any(thing.id in self.upon for thing in things)
        is_tall = is_tall or any(len(pile) > 1 for pile in piles(things))
        is_tall = is_tall or region.arrangement == "graph"  # what lies in a place does not hide which one it is
        lines = 3 if is_tall else 1
        down = (lines + 1) / HEX_ROW if region.arrangement == "hex" else lines + 1 + below
        return Fit(label, size, lines, size + apart, down)

    def draw(
        self, canvas: Canvas, thing: Thing, x: int, y: int, size: int, lines: int, is_square: bool = False
    ) -> None:
        """Draw one thing in its box, with what lies on it on the last line."""
        style = STYLES.get(thing.fill or "", "")
        dim = f"dim {style}".strip() if thing.is_covered else style
        border = "bold" if thing.options else "dim" if thing.is_covered else ""
        canvas.box(x, y, size + 1, lines + 2, border, thing.layer)
        head = number_words(thing.options)
        canvas.put(x + 1, y, head, "bold cyan")
        if thing.is_changed:
            canvas.put(x + size - 1, y, CHANGED, "bold yellow")
        if not thing.is_face_up:
            for line in range(lines):
                canvas.put(x + 1, y + 1 + line, BACK * (size - 1), dim or "dim")
            words = f"{thing.symbol}" + (f"×{thing.count}" if thing.count > 1 else "")
            canvas.put(x + 1 + max(0, (size - 1 - len(words)) // 2), y + 1, words, dim)
            return
        words = short(thing, size - 1, is_alone=lines == 1)
        if is_square:
            canvas.put(x + 1 + max(0, size - 1 - cell_len(words)) // 2, y + 1, words, f"bold {dim}".strip())
            return
        if lines == 1 and size > NARROWEST + 2 and thing.words not in words:
            words = f"{words} {thing.words}"
        canvas.put(x + 1, y + 1, words, dim, size - 1)
        if lines > 1:
            canvas.put(x + 1, y + 2, thing.words, dim, size - 1)
            at, upon = x + 1, self.upon.get(thing.id, [])
            for left, other in zip(range(len(upon), 0, -1), upon, strict=True):
                on_it = Text.assemble(numbers(other.options), chip(other, brief=True)).plain
                if at + cell_len(on_it) + (len(f" +{left - 1}") if left > 1 else 0) > x + size:
                    canvas.put(at, y + 3, f"+{left}", "dim")
                    break
                canvas.put(at, y + 3, on_it, f"bold {STYLES.get(other.fill or '', '')}".strip())
                at += cell_len(on_it) + 1

    def draw_pile(self, canvas: Canvas, pile: Sequence[Thing], x: int, y: int, fit: Fit) -> None:
        """Draw different things in one box, each on a line, the topmost first; those for which there is no room are counted."""
        border = "bold" if any(thing.options for thing in pile) else ""
        canvas.box(x, y, fit.size + 1, fit.lines + 2, border, min(thing.layer for thing in pile))
        pile = pile if len(pile) <= fit.lines else counted(pile)
        shown = pile[::-1] if len(pile) <= fit.lines else pile[: -fit.lines : -1]
        for line, thing in enumerate(shown, 1):
            head = f"{number_words(thing.options)}:" if thing.options else ""
            words = (short(thing, fit.size - 1 - len(head)) if thing.is_face_up else f"{BACK}{thing.symbol}") + (
                CHANGED if thing.is_changed else ""
            )
            canvas.put(x + 1, y + line, head, "bold cyan")
            canvas.put(
                x + 1 + len(head), y + line, words, STYLES.get(thing.fill or "", ""), max(1, fit.size - 1 - len(head))
            )
        if len(shown) < len(pile):
            rest = sum(thing.count for thing in pile) - sum(thing.count for thing in shown)
            canvas.put(x + 1, y + fit.lines, f"+{rest}", "dim")

    def track(self, region: Region, width: int) -> RenderableType:
        pawns = self.things.get(region.id, [])
        name = max((len(pawn.words) for pawn in pawns), default=0) + 2
        last = max(len(region.places) - 1, 1)
        length = max(10, min(last + 1, width - name - 8))
        first, end = (region.places[0].title, region.places[-1].title) if region.places else ("", "")
        lines = [self.title(region)]
        for pawn in pawns:
            position = next((at for at, place in enumerate(region.places) if place.id == pawn.place), 0)
            at = position * (length - 1) // last
            style = STYLES.get(pawn.fill or "", "")
            line = Text.assemble((f"{pawn.words:<{name}}", style), (f"{first} {'─' * at}", "dim"))
            line.append(pawn.symbol[:1] or "●", style=f"bold {style}".strip())
            line.append(f"{'─' * (length - 1 - at)} {end}", style="dim")
            lines.append(line.append(*mark(pawn, " ")))
        return Group(*lines)

    def sheet(self, region: Region, width: int) -> RenderableType:
        """A line for each title, a column for each player; an option of the viewer before what it would fill."""
        cells = {(place.x, place.y): place for place in region.places}
        names = [printable(one.title) for one in region.columns]
        least = max((cell_len(place.title) for place in region.places), default=0) + 4
        widths = [min(max(least, cell_len(name) + 2), max(least, width // (len(names) + 1))) for name in names]
        first = max(0, width - sum(widths))
        first = min(first, max((cell_len(one.title) for one in region.rows), default=0) + 2)
        lines = [self.title(region), Text(" " * first)]
        for name, column, wide in zip(names, region.columns, widths, strict=True):
            lines[1].append(set_cell_size(name, wide - 1).rjust(wide), style=STYLES.get(column.fill or "", "dim"))
        for at, head in enumerate(region.rows):
            line = Text(set_cell_size(printable(head.title), first))
            for x, wide in enumerate(widths):
                place = cells.get((x, at))
                if place is None:
                    line.append(" " * wide)
                    continue
                words = numbers(place.options).append(printable(place.title) or ("—" if not place.options else ""))
                words.append(*mark(place, " "))
                line.append(" " * max(0, wide - words.cell_len)).append_text(words)
            lines.append(line)
        return Group(*lines)

    # --- lines --------------------------------------------------------------------------------------------------------

    def lines(self, id: str) -> list[Text]:
        """A region or variable in a line; dice in one each. Empty if there is nothing to show."""
        if id in self.values:
            return [line for line in [self.value(self.values[id])] if line is not None]
        region = self.regions[id]
        if region.arrangement == "die":
            return list(self.dice(region))
        things = self.things.get(id, [])
        is_asked = bool(region.options) or any(place.options for place in region.places)
        if not things and region.amount == 0 and not (region.is_changed or is_asked or region.is_kept):
            return []
        line = self.title(region)
        if region.places:
            return self.in_places(region, line)
        if region.arrangement == "stack" and len(things) == 1 and things[0].count > 1:
            line.append(f" · {things[0].count}", style="dim")
            things = [replace(things[0], count=1)]  # those below the topmost differ from it
        line.append("  ")
        if things:
            line.append_text(Text("  ").join(self.chips(things)))
        else:
            line.append("?" if region.amount is None else "—", style="dim")
        return [line]

    def in_places(self, region: Region, line: Text) -> list[Text]:
        """A family in a line, or in one for each of its piles: its places with what lies there, unless nothing does and they are no options."""
        by_place = {
            id: list(things) for id, things in groupby(self.things.get(region.id, []), lambda thing: thing.place)
        }
        parts = [line]
        for place in region.places:
            things = by_place.get(place.id, [])
            if things or place.options or region.arrangement == "piles":
                part = Text.assemble(numbers(place.options), (f"{place.title} ", "dim"))
                parts.append(
                    part.append_text(Text("  ").join(self.chips(things)) if things else Text("—", style="dim"))
                )
        return parts if region.arrangement == "piles" else [Text("  ").join(parts)]

    def dice(self, region: Region) -> Iterator[Text]:
        """A line for each die: its faces, the upper one between marks."""
        wide = max((len(place.title) for place in region.places), default=0)
        parts: list[tuple[str | None, str, Sequence[int]]] = [(one.id, one.title, one.options) for one in region.places]
        for id, title, options in parts or [(None, region.title, region.options)]:
            line = Text.assemble(numbers(options), (f"{title:<{wide}} ", "cyan"))
            for thing in (t for t in self.things.get(region.id, []) if t.place == id):
                line.append(" ")
                line.append_text(numbers(thing.options))
                face = signed(thing) or thing.words
                style = STYLES.get(thing.fill or "", "")
                line.append(
                    f"»{face}«" if thing.is_up else f"[{face}]", style=f"bold {style}".strip() if thing.is_up else style
                )
                if thing.marks:
                    line.append(f"({', '.join(thing.marks)})", style="dim")
                line.append(*mark(thing))
            yield line

    def chips(self, things: Sequence[Thing]) -> Iterator[Text]:
        """Things in a line; equal neighbours that are no options are combined with a number."""
        for _, alike in groupby([(self.whole_chip(thing), thing) for thing in things], lambda pair: pair[0].plain):
            run = list(alike)
            if len(run) > 1 and not run[0][1].options and run[0][1].count == 1:
                yield Text.assemble(run[0][0], f" ×{len(run)}")
            else:
                yield from (chip for chip, _ in run)

    def whole_chip(self, thing: Thing) -> Text:
        """A thing in a line, with its option, marks, and what lies on it."""
        found = Text.assemble(numbers(thing.options), chip(thing))
        if thing.marks:
            found.append(f" ({', '.join(thing.marks)})", style="dim")
        for other in self.upon.get(thing.id, []):
            found.append(" ").append_text(numbers(other.options)).append_text(chip(other, brief=True))
        return found.append(*mark(thing))

    def value(self, value: Value) -> Text | None:
        """A variable; None for a flag that is not set, and for none if that was its start."""
        if value.show == "flag":
            return Text.assemble(one_line(value.title, "bold"), mark(value)) if value.number else None
        says_nothing = not (value.symbol if value.show == "mark" else value.number)
        if value.show in ("number", "mark", "die") and value.is_default and says_nothing and not value.is_changed:
            return None
        line = Text.assemble(one_line(value.title, "cyan"), " ")
        style = STYLES.get(value.fill or "", "")
        if value.show == "gauge" and value.number is not None and value.high is not None:
            low = value.low or 0
            length = min(value.high - low, LONGEST_GAUGE)
            full = max(0, min(length, (value.number - low) * length // max(value.high - low, 1)))
            line.append("▰" * full + "▱" * (length - full), style=style)
            line.append(" ")
        words = value.words
        if value.show == "die":
            words = f"{FACES[int(words) - 1]} {words}" if words in PIPS else f"[{words}]"
        return Text.assemble(line, one_line(words, f"bold {style}".strip()), mark(value))

    def title(self, region: Region) -> Text:
        """The title of a region, with its option, and its number of pieces."""
        return Text.assemble(numbers(region.options), one_line(region.title, "cyan"), mark(region))


def around(used: Sequence[Thing | Place], region: Region, things: Sequence[Thing]) -> tuple[Region, list[Thing]]:
    """The part of a region in which these lie, with the places next to them, and its things, moved to its upper left corner."""
    left, right = min(one.x for one in used) - 1, max(one.x for one in used) + 1
    top, bottom = min(one.y for one in used) - 1, max(one.y for one in used) + 1
    kept = [at for at, one in enumerate(region.places) if left <= one.x <= right and top <= one.y <= bottom]
    lying: list[Thing | Place] = [*things, *(region.places[at] for at in kept)]
    left, top = min(one.x for one in lying), min(one.y for one in lying)
    now_at = {old: new for new, old in enumerate(kept)}
    part = replace(
        region,
        width=max(one.x for one in lying) - left + 1,
        height=max(one.y for one in lying) - top + 1,
        places=[replace(one, x=one.x - left, y=one.y - top) for one in (region.places[at] for at in kept)],
        lines=[[now_at[one], now_at[two]] for one, two in region.lines if one in now_at and two in now_at],
    )
    return part, [replace(thing, x=thing.x - left, y=thing.y - top) for thing in things]


def place_titles(region: Region, things: Sequence[Thing], room: int) -> tuple[Mapping[str, str], list[Text]]:
    """The title of each place in its picture, and what the abbreviated ones stand for: without words that all begin with, else in a letter or two."""
    words = [place.title.split() for place in region.places]
    if region.arrangement in ("layers", "box") or all(cell_len(place.title) <= room for place in region.places):
        return {place.id: place.title for place in region.places}, []
    while all(len(parts) > 1 and parts[0] == words[0][0] for parts in words):
        words = [parts[1:] for parts in words]
    titles = [" ".join(parts) for parts in words]
    brief = abbreviations(titles)
    hidden = {thing.place for thing in things if thing.is_face_up}
    shown = {
        place.id: title if cell_len(title) <= room else short
        for place, title, short in zip(region.places, titles, brief, strict=True)
    }
    legend = [
        Text.assemble(one_line(short, "cyan"), " ", one_line(title, "dim"))
        for place, title, short in zip(region.places, titles, brief, strict=True)
        if cell_len(title) > room and place.id not in hidden
    ]
    return shown, legend


def piles(things: Sequence[Thing]) -> list[list[Thing]]:
    """The things that would hide each other: those in one place, and those at one position in one layer."""
    found: dict[object, list[Thing]] = {}
    for thing in things:
        key = (thing.place, thing.x, thing.y, thing.layer if thing.place is None else None)
        found.setdefault(key, []).append(thing)
    return list(found.values())


def mark(shown: Value | Region | Thing | Place, otherwise: str = "") -> tuple[str, str]:
    return (CHANGED if shown.is_changed else otherwise, "bold yellow")


def number_words(options: Sequence[int]) -> str:
    shown = [str(number + 1) for number in options[:2]]
    return ",".join(shown) + ("…" if len(options) > 2 else "")


def numbers(options: Sequence[int]) -> Text:
    return Text(f"{number_words(options)}:", style="bold cyan") if options else Text()


FACES, PIPS = "⚀⚁⚂⚃⚄⚅", frozenset("123456")
ROUND = {"disc": "●", "gem": "◆", "coin": "◉"}
"""What stands for shapes that say nothing else."""


def signed(thing: Thing) -> str:
    """The symbol of a thing, with the face of a die; or a sign for its shape."""
    kind, _, name = thing.icon.rpartition("/")
    if kind == "pips" and name in PIPS:
        return f"{FACES[int(name) - 1]} {thing.symbol}".rstrip()
    return thing.symbol or ("○" if thing.shape == "disc" and thing.fill == "white" else ROUND.get(thing.shape, ""))


def counted(pile: Sequence[Thing]) -> list[Thing]:
    """The things of a pile, with those that lie together and look alike as one."""

    def look(thing: Thing) -> Thing:
        return replace(thing, id=thing.id if thing.options or thing.marks else "", x=0.0, y=0.0, layer=0, count=1)

    found = [list(alike) for _, alike in groupby(pile, look)]
    return [replace(alike[-1], count=sum(thing.count for thing in alike)) for alike in found]


def short(thing: Thing, width: int, is_alone: bool = True) -> str:
    """A thing in a few characters: the character of its pattern and its symbol; if it stands alone and neither these nor a
    colour tell it from others, its words."""
    sign = SIGNS.get(thing.pattern or "plain", "")
    head = f"{sign}{signed(thing)}" or thing.words
    if is_alone and thing.words and not (thing.symbol or thing.fill or sign or thing.icon):
        head = thing.words[: max(1, width)]
    count = f"×{thing.count}" if thing.count > 1 else ""
    if thing.marks:
        count += " " + " ".join(thing.marks)
    room = width - len(count)
    return f"{head[:room]}{count}" if room >= min(len(head), 2) else head


def chip(thing: Thing, brief: bool = False) -> Text:
    """A thing in a line: pattern and symbol in brackets, its words unless it must be brief, and its number."""
    style = STYLES.get(thing.ink or thing.fill or "", "")
    sign = SIGNS.get(thing.pattern or "plain", "")
    count = f"×{thing.count}" if thing.count > 1 else ""
    if not thing.is_face_up:
        return Text.assemble((BACK, style), one_line("" if brief else f" {thing.words}", "dim"), count)
    if brief:
        return Text.assemble(one_line(f"{sign}{signed(thing)}" or thing.words, style), count)
    is_said = thing.icon.startswith("suit/") and thing.symbol in thing.words
    shown = signed(thing)
    if thing.icon.startswith("pips/") or (thing.words == thing.symbol and shown):
        return Text.assemble(one_line(f"[{sign}{shown}]", style), f" {count}" if count else "")
    symbol = f"[{sign}{shown}] " if (sign or shown) and not is_said else ""
    return Text.assemble(one_line(f"{symbol}{thing.words}", style), f" {count}" if count else "")


def beside(lines: Sequence[Text], width: int) -> RenderableType:
    """Lines side by side as long as they fit."""
    rows: list[Text] = []
    for line in lines:
        if rows and rows[-1].cell_len + line.cell_len + 4 <= width:
            rows[-1] = Text.assemble(rows[-1], "    ", line)
        else:
            rows.append(line)
    return Group(*rows)


def picture_of(scene: Scene, width: int) -> RenderableType:
    return Painter(scene, width).table()
