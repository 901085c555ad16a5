"""A canvas of characters with boxes and words; later ones cover earlier ones."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from houserule.printable import printable

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
        """A piece of a line."""
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
