"""Renders views, choices, events and score sheets for a terminal with Rich."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from houserule.cli.ask import amount, is_numbered
from houserule.cli.phrases import say
from houserule.printable import printable
from houserule.telling.phrases import read_out

if TYPE_CHECKING:
    from houserule import Choice, Event, Match

MOST_OPTIONS = 60
STYLES = {"step": "cyan", "turn": "dim cyan", "say": "italic"}
BELOW = (0, 0, 0, 2)  # below a title: two columns to the right, even where a line wraps


def one_line(text: str, style: str = "") -> Text:
    """A text on one line, whatever it contains."""
    return Text(printable(text), style=style)


def prompt_of(choice: Choice, language: str) -> str:
    """The question; a default one if the rules give none."""
    if choice.prompt:
        return choice.prompt
    return say(language, "first") if choice.kind == "slap" else choice.name.replace("_", " ") or say(language, "choose")


def choice_of(choice: Choice, language: str, texts: Sequence[str] = (), text: str = "") -> RenderableType:
    """The prompt and the options, numbered if they are answered by number; beside each option its text.

    `text` is the text of the things that the prompt names.
    """
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
    parts: list[RenderableType] = [heading]
    if text:
        parts.append(Padding(one_line(text, "dim"), BELOW))
    if any(texts):
        beside = Table.grid(padding=(0, 2, 0, 0))
        beside.add_column(no_wrap=True)
        beside.add_column(overflow="fold")
        for label, does in zip(labels, texts, strict=False):
            beside.add_row(label, one_line(does, "dim"))
        parts.append(beside)
    else:
        parts.append(Columns(labels, padding=(0, 4), column_first=True))
    if len(options) > len(shown):
        parts.append(one_line(say(language, "more", number=len(options) - len(shown)), style="dim"))
    return Group(*parts)


def print_events(console: Console, events: Iterable[Event]) -> None:
    """Print the events, a line each, under the steps in which they happened."""
    room = console.width - 2
    for fits, some in groupby(events, key=lambda event: cell_len(printable(event.text)) <= room):
        if fits:  # Rich takes long for each thing that it prints, and to break lines
            lines = Text()
            for event in some:
                lines.append(f"{before(event)}{printable(event.text)}\n", style_of(event))
            console.print(lines, end="", no_wrap=True, overflow="ignore", crop=False)
            continue
        for event in some:
            line = Text(printable(event.text), style=style_of(event))
            is_heading = event.kind in ("step", "turn")
            console.print(Text.assemble(before(event), line) if is_heading else Padding(line, BELOW, expand=False))


def before(event: Event) -> str:
    """What stands before an event: an empty line before a step, and what happens in it a bit to the right."""
    return "\n" if event.kind == "step" else "" if event.kind == "turn" else "  "


def style_of(event: Event) -> str:
    """The style of the line of an event."""
    return STYLES.get(event.kind, "dim")


def sheet_of(match: Match) -> RenderableType:
    """The score sheet, if any, with a column for each player; and who won."""
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
    """A sentence on how it ended: who won, or why nobody did."""
    if ending == "win":
        return say(language, "wins", player=winners[0])
    if ending == "shared":
        return say(language, "share", players=read_out(language, winners))
    return say(language, {"victory": "all_win", "defeat": "all_lose", "draw": "draw"}.get(ending or "", "nobody_wins"))
