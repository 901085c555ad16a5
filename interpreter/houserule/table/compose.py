"""Composes scenes: a match, its layout and a viewer in, the scene out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from houserule.compiler.program import SPECTATOR
from houserule.running.faults import RuleFault
from houserule.table.areas import Areas
from houserule.table.asked import asked
from houserule.table.eyes import Eyes
from houserule.table.looks import Looks, whole_layout
from houserule.table.scene import FORMAT, Place, Question, Region, Scene, Seat, SheetLine, Thing
from houserule.table.variables import show_variables
from houserule.telling.events import EVERYTHING

if TYPE_CHECKING:
    from houserule import Match
    from houserule.telling.events import Narrator
    from houserule.telling.labels import Labels

LAST_CHANGES = 3
TELLING = ("move", "set", "roll", "say", "show", "light", "exchange")
"""The kinds of events that report changes."""

_looks: WeakKeyDictionary[Labels, Looks] = WeakKeyDictionary()


def looks_of(match: Match) -> Looks:
    found = _looks.get(match.labels)
    if found is None:
        layout = whole_layout(match.program.symbols, match.program.game.layout)
        found = _looks[match.labels] = Looks(match.program, match.labels, layout)
    return found


def scene(match: Match, viewer: str | int | None = None, *, since: int | None = None) -> Scene:
    """The table as a player sees it, by name or seat; as a `SPECTATOR`, who sees what all players see; everything for None.

    Changes since the entry `since` of the match's log are marked: by default since the viewer's last
    answer, or for somebody without a seat since anybody's last answer. Raises LookupError if nobody has that name or seat.
    """
    seat = EVERYTHING if viewer is None else match.seat(viewer)
    narrator = match.told(seat)
    following = narrator.following[seat]
    looks = looks_of(match)
    eyes = Eyes(match.program, match.state, seat)
    begun = since if since is not None else last_answer(match, narrator, seat)
    question = asked(match, seat, looks)
    areas = Areas(looks, eyes, following, begun, question)
    areas.lay_out()
    values = show_variables(looks, eyes, following, begun)
    areas.add_tracks(values)
    rows, lying = areas.arranged(values)
    turn = to_act(match)
    seats = [
        Seat(
            number,
            name,
            looks.players[number].fill,
            looks.players[number].pattern,
            looks.players[number].symbol or "",
            number == seat,
            number in turn,
            lying[number],
            question.by_player.get(number, []),
        )
        for number, name in enumerate(match.players)
    ]
    see_where(question.shown, areas, seats)
    return Scene(
        FORMAT,
        match.game.id,
        match.game.title(match.language),
        match.language,
        seat if 0 <= seat < len(match.players) else None,
        seat == SPECTATOR,
        step_of(narrator, seat),
        turn,
        seats,
        rows,
        areas.regions,
        areas.things,
        [value for value in values if value.show not in ("none", "track")],
        question.shown,
        last_changes(narrator, seat),
        match.is_over,
        *result(match),
    )


def see_where(question: Question | None, areas: Areas, seats: Sequence[Seat]) -> None:
    """Note for each option where it is picked: on the table, or else as a button."""
    if question is None:
        return
    found: list[tuple[str, Seat | Region | Place | Thing]] = [("player", seat) for seat in seats]
    found += [("region", region) for region in areas.regions]
    found += [("place", place) for region in areas.regions for place in region.places]
    found += [("thing", thing) for thing in areas.things]
    for where, what in found:
        for number in what.options:
            question.options[number].at = where


def to_act(match: Match) -> list[int]:
    """The seats of those who are asked, in seat order: of simultaneous choosers all, including those who have chosen."""
    state = match.state
    if match.is_over or match.is_paused:
        return []
    if state.forks is not None:
        return sorted(part.player for part in state.forks)
    if match.program.sites[state.site].kind == "race":
        return sorted(state.options)
    return [state.asker]


def last_answer(match: Match, narrator: Narrator, seat: int) -> int:
    """The log entry with a player's last answer, or anybody's; its end if there is none yet."""
    answers = zip(reversed(match.answers), reversed(narrator.answers), strict=False)
    players: Sequence[str] = match.players
    whose = players[seat] if 0 <= seat < len(players) else None
    return next((at for (player, _), at in answers if whose in (None, player)), narrator.told)


def last_changes(narrator: Narrator, seat: int) -> list[str]:
    found = (event.text for event in reversed(narrator.tables[seat]) if event.kind in TELLING)
    return list(islice(found, LAST_CHANGES))[::-1]


def step_of(narrator: Narrator, seat: int) -> str:
    """The title of the current step, or of the innermost one around it that has one."""
    events = narrator.tables[seat]
    return next((event.text for event in reversed(events) if event.kind == "step"), "")


def result(match: Match) -> tuple[list[int], list[SheetLine]]:
    """Winners and score sheet of a finished match; earlier, they would reveal hidden things. Empty if no rule can compute them."""
    if not match.is_over:
        return [], []
    try:
        lines = [SheetLine(line.title, [line.points[name] for name in match.players]) for line in match.sheet]
        return [match.players.index(name) for name in match.winners], lines
    except RuleFault:
        return [], []
