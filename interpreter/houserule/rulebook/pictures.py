"""Pictures of pieces and of parts of the table, from the layout of a game, or from names and shapes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from houserule import SPECTATOR, Match
from houserule.language.checked import Kind
from houserule.rulebook.book import Drawing, Picture, Placed
from houserule.table.compose import looks_of, scene
from houserule.table.eyes import Eyes
from houserule.table.looks import Look
from houserule.table.scene import Region, Thing
from houserule.telling.events import EVERYTHING

DRAWN = ("grid", "hex", "layers", "ring", "track", "box", "die")
"""Arrangements with meaningful positions."""
MOST_ACROSS = 10
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
        zones = self.looks.program.symbols.zones.values()
        if all(zone.visible == "all" for zone in zones if zone.holds in (None, kind.name)):
            return self.piece(kind, number)
        look = self.looks.back(number)
        return single(picture(look, False), look.words)

    def member(self, kind: Kind, number: int) -> Drawing | None:
        """The mark of an enum's member on pieces, if the layout has one."""
        if self.is_blind or number not in self.looks.layout.members.get(kind.name, {}):
            return None
        look = self.looks.member(kind, number)
        words = self.looks.labels.member(kind, number)
        return single(Picture("tile", look.fill, look.pattern, look.symbol or ""), words)

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

    def zone(self, name: str) -> Drawing | None:
        """The pieces in a family of zones at the start; only the first player's if each has one."""
        if self.is_blind:
            return None
        region = next((one for one in self.scene.regions if one.id.partition(":")[0] == name), None)
        if region is None or region.arrangement not in DRAWN:
            return None
        things = [thing for thing in self.scene.things if thing.region == region.id]
        return drawn_region(region, things) if len(things) > 1 else None


def drawn_region(region: Region, things: Sequence[Thing]) -> Drawing:
    """A region of a scene with its content; a thing on another is small, so that both are visible."""
    placed: list[Placed] = []
    upon: Counter[str] = Counter()
    for one in things:
        shown = Picture(one.shape, one.fill, one.pattern, one.symbol, one.is_face_up)
        x, y, size = one.x, one.y, 1.0
        if one.on is not None:
            corner = upon[one.on] % 4
            upon[one.on] += 1
            x, y, size = round(one.x) + corner % 2 / 2, round(one.y) + corner // 2 / 2, 0.5
        placed.append(Placed(shown, x, y, one.rotation if size == 1 else 0, one.count, size))
    left, top = min(one.x for one in placed), min(one.y for one in placed)
    right, low = max(one.x + one.size for one in placed), max(one.y + one.size for one in placed)
    moved = tuple(replace(one, x=one.x - left, y=one.y - top) for one in placed)
    return Drawing(right - left, low - top, moved, region.title)


def key_of(look: Look) -> tuple[str | None, ...]:
    """What pieces with the same look share."""
    return look.shape, look.fill, look.pattern, look.symbol


def picture(look: Look, is_face_up: bool) -> Picture:
    """A look as a picture."""
    return Picture(look.shape, look.fill, look.pattern, look.symbol, is_face_up)


def single(shown: Picture, words: str) -> Drawing:
    """A single piece."""
    return Drawing(1, 1, (Placed(shown),), words)
