"""A viewer's question in a scene, with the pieces, places and players where its options are picked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from houserule.language.types import Member, Piece, Player, Tuple, Type, plain
from houserule.table.eyes import Eyes
from houserule.table.scene import OptionShown, Question

if TYPE_CHECKING:
    from houserule import Choice, Match
    from houserule.table.looks import Looks


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
    eyes = Eyes(match.program, match.state, seat)
    options = [
        OptionShown(option.key, option.label, text_of(looks, eyes, type, option.value) if type else "", option.is_pass)
        for option in choice.single
    ]
    found = Asked(
        Question(
            match.answered[seat],
            choice.kind,
            choice.prompt,
            " ".join(texts_in_prompt(choice, looks, eyes)),
            choice.at_least,
            choice.at_most,
            choice.may_pass,
            options,
            len(type.of) if isinstance(type, Tuple) else 1,
        )
    )
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
