"""Renders views, choices, events and score sheets for a terminal with Rich."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from houserule.cli.ask import amount, is_numbered
from houserule.cli.phrases import say
from houserule.printable import printable
from houserule.telling.phrases import read_out

if TYPE_CHECKING:
    from houserule import Choice, Event, Match, PieceView, VariableView, View, ZoneView

MOST_OPTIONS = 60
MOST_DEFAULTS = 2
MOST_CLOSED = 2
"""Up to this many unknown places of one name, each has a row of its own."""
MOST_BACKS = 4
"""Up to this many places of one name with one equal back each, each has a row of its own."""
MOST_IN_ORDER = 16
"""A pile with up to this many runs of equal pieces is listed in its order."""
WIDE = 120
BELOW = (0, 0, 0, 2)  # below a title: two columns to the right, also where a line is broken


def one_line(text: str, style: str = "") -> Text:
    """A text on one line, whatever stands in it."""
    return Text(printable(text), style=style)


def piece_text(piece: PieceView, language: str) -> Text:
    """A piece as it lies there: its name and its variables; dim if only its back is seen."""
    text = one_line(piece.label or "?", style="" if piece.face_up else "dim italic")
    values = [f"{title} {value}" for title, value in piece.variables.items()]
    if values:
        text.append(one_line(f" ({say(language, 'comma').join(values)})", "dim"))
    return text


def zone_text(zone: ZoneView, language: str) -> Text:
    """The contents of a zone: equal pieces as one name with their number, or the amount if no more is known.

    A short pile whose order matters is listed from the bottom to the top.
    """
    pieces = [(piece_text(piece, language), piece.face_up) for piece in zone.pieces]
    runs = [list(run) for _, run in groupby(pieces, lambda piece: (piece[0].plain, piece[1]))]
    if not zone.is_ordered or len(runs) > MOST_IN_ORDER:
        together: dict[tuple[str, bool], list[tuple[Text, bool]]] = {}
        for piece in pieces:
            together.setdefault((piece[0].plain, piece[1]), []).append(piece)
        runs = list(together.values())
    parts = [Text.assemble(run[0][0], f" ×{len(run)}" if len(run) > 1 else "") for run in runs]
    if parts:
        return one_line(say(language, "comma")).join(parts)
    if zone.amount is None:
        return one_line("?", style="dim")
    return one_line(say(language, "unseen", number=zone.amount) if zone.amount else "—", style="dim")


def is_empty(zone: ZoneView) -> bool:
    """Whether the zone is known to be empty."""
    return not zone.pieces and zone.amount == 0


def is_closed(zone: ZoneView) -> bool:
    """Whether nothing is known about the contents."""
    return not zone.pieces and zone.amount is None


def is_back(zone: ZoneView) -> bool:
    """Whether one piece lies there with only its back visible."""
    return len(zone.pieces) == 1 and not zone.pieces[0].face_up


def area(zones: Sequence[ZoneView], variables: Sequence[VariableView], language: str) -> Table:
    """Zones and variables of one owner, a row each; empty places are left out, and so are many that say nothing."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="cyan", no_wrap=True, max_width=32)
    grid.add_column(overflow="fold")
    for row in (*variable_rows(variables), *zone_rows(zones, language)):
        grid.add_row(*row)
    if not grid.row_count and (zones or variables):
        grid.add_row(one_line("—", style="dim"))
    return grid


def variable_rows(variables: Sequence[VariableView]) -> Iterator[tuple[Text, Text]]:
    """Variables with their values; start values of one name are left out if there are many."""
    defaults = sum(variable.is_default for variable in variables)
    of_name = Counter(variable.name for variable in variables)
    for variable in variables:
        stands_alone = of_name[variable.name] == 1 and variable.value >= 0  # 0 points, and not "none"
        if not variable.is_default or stands_alone or defaults <= MOST_DEFAULTS:
            yield one_line(variable.own_title), one_line(variable.value_label or "—")


def zone_rows(zones: Sequence[ZoneView], language: str) -> Iterator[tuple[Text, Text]]:
    """Zones with what lies in them; many places of one name that show the same back share one row."""
    closed = Counter(zone.name for zone in zones if is_closed(zone))
    backs = Counter((zone.name, zone.pieces[0].label) for zone in zones if is_back(zone))
    for zone in zones:
        if is_empty(zone) or (is_closed(zone) and closed[zone.name] > MOST_CLOSED):
            continue
        alike = backs[zone.name, zone.pieces[0].label] if is_back(zone) else 1
        if 0 < alike <= MOST_BACKS:
            yield one_line(zone.own_title), zone_text(zone, language)
        elif alike:
            yield one_line(zone.family), Text.assemble(zone_text(zone, language), f" ×{alike}")
            backs[zone.name, zone.pieces[0].label] = 0


def table_of(view: View, players: Sequence[str], viewer: str | None, width: int, language: str) -> RenderableType:
    """The table as a seat sees it: first what is shared, then what belongs to each player, the viewer first."""
    shared = area(
        [zone for zone in view.zones if zone.owner is None],
        [variable for variable in view.variables if variable.owner is None],
        language,
    )
    own = players_of(view, players, viewer, width, language)
    if not shared.row_count:
        return own
    return Group(Panel(shared, title=one_line(say(language, "table")), title_align="left", border_style="blue"), own)


def players_of(view: View, players: Sequence[str], viewer: str | None, width: int, language: str) -> RenderableType:
    """What belongs to each player, in panels; side by side on a wide terminal."""
    panels = []
    for player in sorted(players, key=lambda player: player != viewer):
        own = area(
            [zone for zone in view.zones if zone.owner == player],
            [variable for variable in view.variables if variable.owner == player],
            language,
        )
        if own.row_count:
            is_viewer = player == viewer
            named = say(language, "out", player=player) if player in view.out else player
            title = one_line(say(language, "you", player=named) if is_viewer else named)
            panels.append(Panel(own, title=title, title_align="left", border_style="green" if is_viewer else "dim"))
    in_a_row = 2 if width >= WIDE else 1
    beside = Table.grid(expand=True)
    for _ in range(in_a_row):
        beside.add_column(ratio=1)
    for start in range(0, len(panels), in_a_row):
        beside.add_row(*panels[start : start + in_a_row])
    return beside


def prompt_of(choice: Choice, language: str) -> str:
    """The question; a default one if the rules give none."""
    if choice.prompt:
        return choice.prompt
    return say(language, "first") if choice.kind == "slap" else choice.name.replace("_", " ") or say(language, "choose")


def choice_of(choice: Choice, language: str) -> RenderableType:
    """The prompt and the options, numbered if they are answered by number."""
    heading = Text.assemble(one_line(choice.player, "bold green"), ": ", one_line(prompt_of(choice, language), "bold"))
    if choice.kind == "several":
        heading.append(f"  ({say(language, 'take', amount=amount(choice, language))})", style="dim")
    options = choice.single
    shown = options[:MOST_OPTIONS]
    if not is_numbered(choice):
        labels: list[Text] = [Text(option.label) for option in shown]
    else:
        width = len(str(len(shown)))
        labels = [
            Text.assemble((f"{number:>{width}}", "cyan"), "  ", one_line(option.label, "dim" if option.is_pass else ""))
            for number, option in enumerate(shown, 1)
        ]
    parts: list[RenderableType] = [heading, Columns(labels, padding=(0, 4), column_first=True)]
    if len(options) > len(shown):
        parts.append(one_line(say(language, "more", number=len(options) - len(shown)), style="dim"))
    return Group(*parts)


def print_events(console: Console, events: Iterable[Event]) -> None:
    """Print the events, a line each, under the steps in which they happened."""
    for event in events:
        match event.kind:
            case "step":
                console.print(Text(f"\n{printable(event.text)}", style="cyan"))
            case "turn":
                console.print(one_line(event.text, style="dim cyan"))
            case "say":
                console.print(Padding(one_line(event.text, style="italic"), BELOW, expand=False))
            case _:
                console.print(Padding(one_line(event.text, style="dim"), BELOW, expand=False))


def sheet_of(match: Match) -> RenderableType:
    """The score sheet, a column for each player, where there is one; and who won."""
    language = match.language
    winners = match.winners
    sentence = one_line(end_sentence(match.ending, winners, language), style="bold green")
    if not match.sheet:
        return sentence
    table = Table("", title=one_line(say(language, "sheet"), style="italic"), title_justify="left")
    for player in match.players:
        table.add_column(one_line(player, style="bold green" if player in winners else "bold"), justify="right")
    for row in match.sheet:
        table.add_row(one_line(row.title), *(str(row.points.get(player, 0)) for player in match.players))
    table.add_section()
    scores = match.scores
    total = one_line(say(language, "total"), style="bold")
    table.add_row(total, *(one_line(str(scores[player]), style="bold") for player in match.players))
    return Group(table, sentence)


def end_sentence(ending: str | None, winners: Sequence[str], language: str) -> str:
    """How it ended, as a sentence: who won, or what it is that nobody did."""
    match ending:
        case "win":
            return say(language, "wins", player=winners[0])
        case "shared":
            return say(language, "share", players=read_out(language, winners))
        case "victory":
            return say(language, "all_win")
        case "defeat":
            return say(language, "all_lose")
        case "draw":
            return say(language, "draw")
        case _:
            return say(language, "nobody_wins")
