"""Promised results of chance: rolls, and the pieces on top of piles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from houserule.diagnostics import Span
from houserule.language.types import NUMBER, Int, Type, plain
from houserule.running.log import Arranged, Moved, Swapped, entries, noted
from houserule.running.state import State
from houserule.telling.keys import Keys


class Failed(Exception):
    """A scenario has failed at a place, for a reason."""

    def __init__(self, span: Span, message: str) -> None:
        self.span = span
        self.message = message
        super().__init__(message)


def spoken_names(target: str) -> tuple[str, str, str]:
    """The names that a scenario may use for the target of a roll: as written, its last word, or without its index."""
    return target, target.rsplit(".", 1)[-1], target.split("[")[0]


@dataclass(slots=True, eq=False)
class PromisedTop:
    """Pieces promised on top of a pile, first drawn first; `since` is the length of the log at the promise."""

    slot: int
    name: str
    pieces: Sequence[int]
    span: Span
    since: int
    lies: bool = False

    def drawn(self, s: State) -> set[int]:
        """The pieces that have left the pile since; moving within the pile does not count."""
        found: set[int] = set()
        for entry in entries(s.log or (), self.since):
            match entry:
                case Moved(piece, source, target) if source == self.slot != target:
                    found.add(piece)
                case Swapped():
                    found.update(piece for piece, source, _ in entry.ways if source == self.slot)
        return found.intersection(self.pieces)


@dataclass(slots=True, eq=False)
class Script:
    """The promised results of chance in one scenario; everything else is left to the seed."""

    keys: Keys
    types: dict[str, Type]  # what can be rolled, by how its target is written
    rolls: dict[str, list[tuple[str, Span]]] = field(default_factory=dict)
    tops: list[PromisedTop] = field(default_factory=list)

    def rolled(self, _: State, name: str, values: Sequence[int]) -> int | None:
        """The promised result of a roll; None if there is no promise."""
        for key in spoken_names(name):
            if self.rolls.get(key):
                text, span = self.rolls[key].pop(0)
                type = self.types.get(name, NUMBER)
                wanted = NUMBER if isinstance(plain(type), Int) else type
                value = self.keys.value(wanted, text)
                if value is None:
                    raise Failed(span, f"'{text}' is not {wanted}")
                if value not in values:
                    raise Failed(span, f"'{text}' cannot be rolled for '{name}'")
                return value
        return None

    def shuffled(self, s: State, slot: int) -> None:
        """After a shuffle, put promised pieces that have not been drawn yet on top again."""
        for top in self.tops:
            if top.slot == slot:
                self.arrange(s, top)

    def promise(self, s: State, top: PromisedTop, can_wait: bool) -> None:
        """Add a promise and arrange the pile now; a pile that is too small may wait for its next shuffle."""
        self.tops.append(top)
        if not can_wait or len(s.z[top.slot]) >= len(top.pieces):
            self.arrange(s, top)

    def left(self, s: State, top: PromisedTop) -> list[int]:
        """The pieces of a promise that are not drawn yet."""
        drawn = top.drawn(s)
        return [piece for piece in top.pieces if piece not in drawn]

    def arrange(self, s: State, top: PromisedTop) -> None:
        """Put the promised pieces on top of a pile, and those left from earlier promises below them.

        A piece from elsewhere swaps places with the piece that it displaces.
        """
        pile = s.z[top.slot]
        pieces = self.left(s, top)
        if len(pieces) > len(pile):
            lie = "piece lies" if len(pile) == 1 else "pieces lie"
            raise Failed(top.span, f"{len(pile)} {lie} in {top.name}, so {len(pieces)} cannot lie on top of it")
        for earlier in reversed(self.tops[: self.tops.index(top)]):
            if earlier.slot == top.slot and earlier.lies:
                pieces += (p for p in self.left(s, earlier) if s.w[p] == top.slot and p not in pieces)
        touched = {top.slot}
        for depth, piece in enumerate(pieces[: len(pile)]):
            position = len(pile) - 1 - depth
            other = pile[position]
            if other == piece:
                continue
            source = s.w[piece]
            if source < 0:
                raise Failed(top.span, f"'{self.keys.of_piece(piece)}' lies nowhere, so not in a pile")
            s.z[source][s.z[source].index(piece)] = other
            pile[position] = piece
            s.w[other], s.w[piece] = source, top.slot
            touched.add(source)
        top.lies = True
        if s.log is not None:
            order = sorted(touched)
            s.log.append(noted(Arranged(tuple(order), tuple(tuple(s.z[t]) for t in order))))

    def see_kept(self, s: State) -> None:
        """Check that all promises were used. Raises Failed."""
        for name, left in self.rolls.items():
            if left:
                still = ", ".join(text for text, _ in left)
                raise Failed(left[0][1], f"'{name}' was not rolled after this: {still} is left over")
        for top in self.tops:
            if top.pieces and not top.lies:
                raise Failed(top.span, f"{top.name} was not shuffled after this, and had too few pieces before")
            if top.pieces and not top.drawn(s):
                raise Failed(top.span, f"nothing was drawn from {top.name} after this")
