"""Composes the scene of a match for one viewer."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from houserule import RuleFault
from houserule.compiler.program import SPECTATOR
from houserule.definition.looks import MemberLook
from houserule.language.checked import Variable
from houserule.language.types import Bool, Int, Piece, none_of, plain
from houserule.table.areas import NOT_BY_THEMSELVES, Areas, asked, names_of
from houserule.table.looks import DIGITS, Eyes, Look, Looks, changes, whole_layout
from houserule.table.scene import FORMAT, Place, Question, Region, Scene, Seat, SheetLine, Sign, TeamShown, Thing, Value
from houserule.telling.events import EVERYTHING
from houserule.telling.view import shown_with_pieces

if TYPE_CHECKING:
    from houserule import Match
    from houserule.telling.events import Event, Following, Narrator


def show_variables(looks: Looks, eyes: Eyes, following: Following, begun: int) -> list[Value]:
    """All variables that the viewer sees, except those of pieces, which are shown with them."""
    found = []
    for variable in looks.program.symbols.variables.values():
        if looks.layout.variables[variable.name].show == "none" or shown_with_pieces(looks.program, variable):
            continue
        for slot in variable.slots:
            if eyes.reads(slot):
                found.append(shown(looks, eyes, variable, slot, following.set.get(slot, -1) > begun))
    return found


def show_rolls(looks: Looks, following: Following, begun: int) -> list[Value]:
    """The dice last rolled that are no piece and no variable: a picture each, like that of a variable with `show: die`."""
    title = looks.labels.phrase("rolled")
    return [
        Value(
            f"=~{number}",
            title,
            None,
            "die",
            words,
            None,
            None,
            None,
            None,
            words,
            pips("die", words),
            False,
            at > begun,
        )
        for number, (at, _, words) in enumerate(following.rolls)
    ]


def shown(looks: Looks, eyes: Eyes, variable: Variable, slot: int, is_changed: bool) -> Value:
    """One variable, reused if its look depends only on its value."""
    said = looks.layout.variables[variable.name]
    if isinstance(plain(variable.type), Piece) or changes(said.fill) or changes(said.symbol):
        return show(looks, eyes, variable, slot, is_changed)
    key = slot, eyes.state.v[slot], is_changed
    found = looks.values.get(key)
    if found is None:
        found = looks.values[key] = show(looks, eyes, variable, slot, is_changed)
    return found


def show(looks: Looks, eyes: Eyes, variable: Variable, slot: int, is_changed: bool) -> Value:
    labels, value = looks.labels, eyes.state.v[slot]
    said = looks.layout.variables[variable.name]
    index = variable.index(slot)
    seat = index[0] if variable.owned else None
    is_plain = isinstance(plain(variable.type), Int | Bool)
    look = MemberLook() if is_plain else looks.of_value(variable.type, value)
    names = names_of(variable, slot)
    fill = looks.of(said.fill, eyes, names)
    symbol = looks.of(said.symbol, eyes, names)
    has_number = is_plain and value != none_of(variable.type)
    id, words = ":".join([f"={variable.name}", *map(str, index)]), labels.value(variable.type, value, eyes.sees)
    shown = labels.family(variable, slot, owned=False), seat, said.show, words, value if has_number else None
    marks = (
        (fill or look).fill,
        (symbol or look).symbol or look.symbol or "",
        said.icon or (symbol or look).icon or pips(said.show, words),
    )
    is_default = value == looks.program.variables[slot]
    sectors = sectors_of(looks, variable) if said.show == "spinner" else ()
    return Value(id, *shown, said.low, said.high, *marks, is_default, is_changed, sectors)


MOST_SECTORS = 24


def sectors_of(looks: Looks, variable: Variable) -> list[Sign]:
    """The sectors of a spinner: a value of the variable each."""
    type = plain(variable.type)
    listed = list(looks.program.symbols.domain(type) or ())[:MOST_SECTORS] if not isinstance(type, Bool) else []
    found = ((looks.of_value(type, value), looks.labels.value(type, value)) for value in listed)
    return [Sign(words, look.fill, look.symbol or "", look.icon or "") for look, words in found]


def pips(show: str, words: str) -> str:
    return f"pips/{words}" if show == "die" and words in DIGITS else ""


LAST_CHANGES = 3
TELLING = ("answer", "move", "set", "roll", "say", "show", "light", "exchange")
"""The kinds of events that report changes."""


def looks_of(match: Match) -> Looks:
    found: Looks | None = match.labels.kept.get(Looks)
    if found is None:
        layout = whole_layout(match.program.symbols, match.program.game.layout)
        found = match.labels.kept[Looks] = Looks(match.program, match.labels, layout)
    return found


def looks_of_pieces(match: Match, most: int) -> list[Look]:
    """What pieces look like face up, whether they lie on the table or not: of all of them, or of so many throughout."""
    looks, eyes = looks_of(match), Eyes(match.program, match.state, EVERYTHING)
    numbers = [number for kind in match.program.symbols.kinds.values() if kind.lies for number in kind.numbers]
    return [looks.piece(number, eyes) for number in numbers[:: -(-len(numbers) // most) or 1]]


def scene(match: Match, viewer: str | int | None = None, *, since: int | None = None) -> Scene:
    """The table as a player sees it, by name or seat; as a `SPECTATOR`, who sees what all players see; everything for None.

    Changes since the entry `since` of the match's log are marked: by default since the viewer's last
    answer, or for somebody without a seat since anybody's last answer. Raises LookupError if nobody has that name or seat.
    """
    seat = EVERYTHING if viewer is None else match.seat(viewer)
    narrator = match.told(seat)
    following = narrator.following[seat]
    looks = looks_of(match)
    eyes = Eyes(match.program, match.state.at(seat), seat, match.shown_to(seat))
    begun = since if since is not None else last_answer(match, narrator, seat)
    question = asked(match, seat, looks)
    areas = Areas(looks, eyes, following, begun, question)
    areas.lay_out()
    values = show_variables(looks, eyes, following, begun)
    values += show_rolls(looks, following, begun)
    areas.add_tracks(values)
    areas.add_sheets(values)
    rows, lying = areas.arranged(values)
    turn = match.state.seats_acting if not (match.is_over or match.is_paused) else []
    seats = []
    for number, (name, look) in enumerate(zip(match.players, looks.players, strict=True)):
        options = tuple(question.by_player.get(number, ()))
        marks = look.fill, look.pattern, look.symbol or ""
        seats.append(Seat(number, name, *marks, number == seat, number in turn, lying[number], options))
    see_where(question.shown, areas, seats)
    game, language, viewer = match.game, match.language, seat if 0 <= seat < len(match.players) else None
    shown = [value for value in values if value.show not in NOT_BY_THEMSELVES]
    step, changes = step_of(narrator, seat), [event.text for event in last_changes(narrator.tables[seat])]
    head = FORMAT, game.id, game.title(language), language, viewer, seat == SPECTATOR, step, turn
    lies = seats, rows, areas.regions, areas.things, shown
    return Scene(*head, *lies, question.shown, changes, match.is_over, *result(match))


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


def last_answer(match: Match, narrator: Narrator, seat: int) -> int:
    """The log entry with a player's last answer, or anybody's; its end if there is none yet."""
    answers = zip(reversed(match.answers), reversed(narrator.answers), strict=False)
    players: Sequence[str] = match.players
    whose = players[seat] if 0 <= seat < len(players) else None
    return next((at for (player, _), at in answers if whose in (None, player)), narrator.told)


def last_changes(events: Sequence[Event]) -> list[Event]:
    """The last events that report changes."""
    found = (event for event in reversed(events) if event.kind in TELLING)
    return list(islice(found, LAST_CHANGES))[::-1]


def step_of(narrator: Narrator, seat: int) -> str:
    """The title of the current step, or of the innermost one around it that has one."""
    events = narrator.tables[seat]
    return next((event.text for event in reversed(events) if event.kind == "step"), "")


def teams_of(match: Match) -> list[TeamShown]:
    """The teams, if everybody knows them: those that never change, and all at the end."""
    if not isinstance(match.program.teams, tuple) and not match.is_over:
        return []
    try:
        return [TeamShown(team.title, [match.players.index(name) for name in team.players]) for team in match.teams]
    except RuleFault:
        return []


def result(match: Match) -> tuple[list[int], list[SheetLine], list[TeamShown], str]:
    """Winners, score sheet, teams and how it has ended; but for teams that never change, these would reveal hidden things before. Empty if no rule can compute them."""
    if not match.is_over:
        return [], [], teams_of(match), ""
    try:
        lines = [SheetLine(line.title, [line.points[name] for name in match.players]) for line in match.sheet]
        return [match.players.index(name) for name in match.winners], lines, teams_of(match), match.told_ending
    except RuleFault:
        return [], [], [], ""
