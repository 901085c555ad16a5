"""What notebooks show of a match: the table as spectators see it, drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape

from houserule import SPECTATOR, Match
from houserule.printable import printable
from houserule.rulebook.book import Drawing, Picture, Placed
from houserule.rulebook.pictures import CELL, number, svg
from houserule.table.compose import scene
from houserule.table.scene import Region, Scene, Thing

STYLE = "font:0.9rem/1.4 system-ui,sans-serif"


def match_as_html(match: Match) -> str:
    """A match as HTML: what lies in the middle and before each player, and who is to answer, or who has won."""
    shown = scene(match, SPECTATOR)
    waiting = [shown.seats[seat].name for seat in shown.turn]
    now = ", ".join((match.winners or ["–"]) if match.is_over else waiting) + (" ★" if match.is_over else " …")
    blocks = [block(shown, None, ""), *(block(shown, seat.seat, seat.name) for seat in shown.seats)]
    return f'<figure style="{STYLE};margin:0"><figcaption>{told(f"{shown.title}: {now}")}</figcaption>{"".join(blocks)}</figure>'


def block(shown: Scene, seat: int | None, name: str) -> str:
    """The regions and variables of a player, under the name; or those of nobody."""
    parts = [drawn(shown, region, place) for place, region in enumerate(shown.regions) if region.seat == seat]
    values = [f"<li>{told(value.title)}: {told(value.words)}</li>" for value in shown.variables if value.seat == seat]
    if not parts and not values:
        return ""
    head = f"<strong>{told(name)}</strong>" if name else ""
    listed = f'<ul style="margin:0.3rem 0">{"".join(values)}</ul>' if values else ""
    return f'<div style="margin:0.5rem 0">{head}<div style="display:flex;flex-wrap:wrap;gap:1rem">{"".join(parts)}</div>{listed}</div>'


def told(text: str) -> str:
    return escape(printable(text))


def drawn(shown: Scene, region: Region, at: int) -> str:
    """A region with its title; empty places are outlined."""
    if region.arrangement == "sheet":
        return sheet(region)
    things = [thing for thing in shown.things if thing.region == region.id]
    if not things and not region.places:
        return f"<div>{told(region.title)}: –</div>"
    lies = [(one.x, one.y) for one in things] + [(one.x, one.y) for one in region.places]
    width, height = max([region.width, *(x + 1 for x, _ in lies)]), max([region.height, *(y + 1 for _, y in lies)])
    made = svg(Drawing(width, height, tuple(pictures(things)), region.title), f"match-{at}")
    outlines = "".join(
        f'<rect x="{number(place.x * CELL + 2)}" y="{number(place.y * CELL + 2)}" width="{CELL - 4}" height="{CELL - 4}" '
        'fill="none" stroke="#8d9490" stroke-dasharray="6"/>'
        for place in region.places
    )
    return f"<div>{told(region.title)}<br>{made.replace('>', f'>{outlines}', 1)}</div>"


def sheet(region: Region) -> str:
    """A region of values as a table."""
    cells = {(place.x, place.y): told(place.title) for place in region.places}
    heads = "".join(f"<th>{told(column.title)}</th>" for column in region.columns)
    rows = []
    for y, row in enumerate(region.rows):
        words = [f"<td>{cells.get((x, y), '')}</td>" for x in range(max(1, len(region.columns)))]
        rows.append(f"<tr><th>{told(row.title)}</th>{''.join(words)}</tr>")
    return f"<div>{told(region.title)}<table><tr><th></th>{heads}</tr>{''.join(rows)}</table></div>"


def pictures(things: Sequence[Thing]) -> list[Placed]:
    """The pieces of a region in their places; one on another is small, so that both can be seen."""
    found, upon = [], Counter[str]()
    for one in things:
        shown = Picture(one.shape, one.fill, one.pattern, one.symbol, one.is_face_up, one.icon, one.ink, one.corner)
        if one.on is None:
            found.append(Placed(shown, one.x, one.y, one.rotation, one.count, 1.0))
        else:
            corner = upon[one.on] % 4
            upon[one.on] += 1
            found.append(
                Placed(shown, round(one.x) + corner % 2 / 2, round(one.y) + corner // 2 / 2, 0, one.count, 0.5)
            )
    return found
