"""The nets of boxes whose levels turn: a strip for each level, folded into a ring that stands on the one below."""

from __future__ import annotations

from collections.abc import Iterator

from houserule.language.checked import Zone
from houserule.printing.boards import EDGE, MARGIN, Boards, capital
from houserule.printing.drawing import INK, Face, Paint, moved, plane, written
from houserule.printing.text import TooMuch

TAB, HEAD, GAP = 8.0, 7.0, 2.0
"""The tab to be glued, the band with the title of a side, and the room around a piece, in millimetres."""
MOST_SIDES = 24


def boxes(boards: Boards) -> Iterator[tuple[str, str, int, Face]]:
    """The levels of the boxes of a layout: the id of each, its title, the number of copies, and its net."""
    for zone in boards.symbols.zones.values():
        look = boards.looks.layout.zones[zone.name]
        if look.arrange == "solid" and look.printed.is_printed:
            for slot in range(zone.base, zone.base + zone.size):
                sides = len(boards.match.state.z[slot])
                if sides > MOST_SIDES:
                    raise TooMuch(f"a box with {sides} sides is not printed: leave it out with `print: none`")
                if sides > 1:
                    title = ", ".join(boards.looks.labels.index(zone, slot))
                    copies = boards.copies(look.printed, {}) if look.printed.copies is not None else 1
                    yield f"{zone.name}_{slot - zone.base + 1}", title, copies, level(boards, zone, title, sides)


def level(boards: Boards, zone: Zone, title: str, sides: int) -> Face:
    """A strip of sides as large as the pieces that stand before them, with a tab at its end; it lies across the sheet."""
    look = boards.looks.layout.zones[zone.name]
    kinds = [kind for kind in boards.symbols.kinds.values() if kind.name == zone.holds]
    size = boards.designer.design(kinds[0]).size if kinds else (boards.held(zone.name),) * 2
    wide, high = (float(look.printed.size), float(look.printed.size)) if look.printed.size else (max(size), min(size))
    wide, high = wide + 2 * GAP, high + 2 * GAP + HEAD
    ground = boards.inks.paint(look.fill or "none", "plain")
    body = ""
    for at in range(sides):
        left = MARGIN + at * wide
        body += plane((left, MARGIN, wide, high), Paint(ground.ground, ground.ink), 0, EDGE)
        body += plane(
            (left + GAP, MARGIN + HEAD + GAP, wide - 2 * GAP, high - HEAD - 2 * GAP), Paint("#ffffff", INK), 1, EDGE
        )
        words = f"{capital(title)} {at + 1}"
        body += written(words, (left + GAP, MARGIN + 1, wide - 2 * GAP, HEAD - 1), ground.ink, 11, is_bold=True)
    right, low = MARGIN + sides * wide, MARGIN + high
    body += f'<polygon points="{right:g},{MARGIN:g} {right + TAB:g},{MARGIN + TAB:g} {right + TAB:g},{low - TAB:g} {right:g},{low:g}" fill="#f2f2f2"{EDGE}/>'
    long, short = right + TAB + MARGIN, low + MARGIN
    return Face(short, long, Paint("#ffffff", INK), moved(body, short, 0, 90))
