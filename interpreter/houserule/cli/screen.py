"""The terminal in words: what it shows, what it asks, and what the lines mean that players type."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from houserule.cli.report import near_path
from houserule.printable import printable, whole_number
from houserule.telling.labels import phrases

if TYPE_CHECKING:
    from houserule import Choice, Event, Match, Option

FOLDER = Path(__file__).parent / "languages"


def say(language: str, key: str, /, **values: object) -> str:
    """A phrase of the terminal or the interpreter with its values; in English if neither has the language."""
    return (phrases(language, FOLDER).get(key) or phrases(language)[key]).format(**values)


COMMANDS = {
    "?": "help", "help": "help", "t": "table", "table": "table", "q": "quit", "quit": "quit", "undo": "undo",
    "rules": "rules", "why": "why",
}  # fmt: skip
NOTHING = ("pass", "none", "-")
MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class Answered:
    """The line answers the choice with one option, or with the keys of several."""

    answer: Option | list[str]


@dataclass(frozen=True, slots=True)
class Command:
    """The line asks for something else: "help", "table", "quit", "undo", "rules", "about" for the text of something with that name,
    or "why" for the rule that asks, or that made the value at a path.

    `number` is that of the option whose label the name is; 0 if a name was typed.
    """

    name: str
    about: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class Misread:
    """The line matches no option; `message` says why."""

    message: str


def forced(choice: Choice) -> Option | None:
    """The only answer; None if there are several."""
    if choice.kind == "several":
        return choice.options[0] if len(choice.single) == choice.at_least and not choice.may_pass else None
    return choice.single[0] if len(choice.single) == 1 else None


@contextmanager
def edited_line(words: Sequence[str], console: Console) -> Iterator[None]:
    """On a terminal, read a line that can be edited, with Tab completing these words."""
    if not (sys.stdin.isatty() and console.file.isatty()):
        yield
        return
    try:
        import readline
    except ImportError:  # not on every system
        yield
        return

    def complete(text: str, state: int) -> str | None:
        found = [word for word in words if word.casefold().startswith(text.casefold())]
        return found[state] if state < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims("\n")
    readline.parse_and_bind("tab: complete")
    try:
        yield
    finally:
        readline.set_completer(None)


def is_numbered(choice: Choice) -> bool:
    """Whether options are numbered; not if their labels are numbers themselves."""
    return not all(re.fullmatch(r"-?[0-9]+", option.label) for option in choice.single if not option.is_pass)


def understand(line: str, choice: Choice, language: str = "en") -> Answered | Command | Misread:
    """The meaning of a line: a number, a label or its unambiguous beginning, or a command.

    A `Misread` explains itself in the language.
    """
    text = line.strip()
    command = COMMANDS.get(text.lower())
    if command is not None and not any(option.label.lower() == text.lower() for option in choice.single):
        return Command(command)
    if text.lower().startswith("why ") and not any(o.label.lower().startswith(text.lower()) for o in choice.single):
        return Command("why", text[4:].strip())
    if text.startswith("?") and not any(option.label.lower().startswith(text.lower()) for option in choice.single):
        return asked_about(text[1:].strip(), choice, language)
    if choice.kind == "several":
        return several(text, choice, language)
    if not text:
        if len(choice.single) == 1:
            return Answered(choice.single[0])
        return Misread(say(language, "empty"))
    found = single(text, choice, language)
    return found if isinstance(found, Misread) else Answered(found)


def asked_about(text: str, choice: Choice, language: str) -> Command | Misread:
    """What follows a question mark: the number of an option, or a name."""
    number = whole_number(text)
    if number is None or not is_numbered(choice):
        return Command("about", text)
    found = single(text, choice, language)
    return found if isinstance(found, Misread) else Command("about", found.label, number)


def several(text: str, choice: Choice, language: str) -> Answered | Misread:
    """A list of options: numbers or labels separated by commas; numbers also by spaces."""
    if not text or text.lower() in NOTHING:
        parts: Sequence[str] = ()
    elif re.fullmatch(r"-?[0-9]+([\s,]+-?[0-9]+)*", text):
        parts = re.split(r"[\s,]+", text)
    else:
        parts = [part.strip() for part in text.split(",") if part.strip()]
    taken: list[Option] = []
    for part in parts:
        found = single(part, choice, language)
        if isinstance(found, Misread):
            return found
        if found in taken:
            return Misread(say(language, "twice", label=found.label))
        taken.append(found)
    if not choice.at_least <= len(taken) <= choice.at_most and (taken or not choice.may_pass):
        return Misread(say(language, "amount", amount=amount(choice, language), number=len(taken)))
    return Answered([option.key for option in taken])


def amount(choice: Choice, language: str) -> str:
    """How many options may be taken, in words: "2", "1 to 3", "up to 4"."""
    if choice.at_least == choice.at_most:
        return str(choice.at_least)
    if choice.at_least == 0:
        return say(language, "up_to", high=choice.at_most)
    return say(language, "from_to", low=choice.at_least, high=choice.at_most)


def single(text: str, choice: Choice, language: str) -> Option | Misread:
    options = choice.single
    numbered = is_numbered(choice)
    number = whole_number(text)
    if numbered and number is not None:
        if 1 <= number <= len(options):
            return options[number - 1]
        return Misread(say(language, "no_number", number=text, last=len(options)))
    wanted = text.casefold()
    exact = [option for option in options if wanted in (option.label.casefold(), option.key.casefold())]
    found = exact or [option for option in options if option.label.casefold().startswith(wanted)]
    if not found:
        found = [option for option in options if wanted in option.label.casefold()]
    if len(found) == 1:
        return found[0]
    if not found and choice.names and (option := choice.find(text)) is not None:
        return option
    if found:
        labels = list(dict.fromkeys(option.label for option in found))
        if len(labels) == 1:
            return Misread(say(language, "alike", number=len(found), label=labels[0]))
        named = labels if len(labels) <= MOST_NAMED else [*labels[:MOST_NAMED], say(language, "another")]
        return Misread(say(language, "unclear", text=text, labels=say(language, "or").join(named)))
    return Misread(say(language, "no_such", text=text))


# --- screen -----------------------------------------------------------------------------------------------------------


MOST_OPTIONS = 60
STYLES = {"step": "cyan", "turn": "dim cyan", "say": "italic"}
BELOW = (0, 0, 0, 2)  # below a title: two columns to the right, even where a line wraps


def one_line(text: str, style: str = "") -> Text:
    return Text(printable(text), style=style)


def opening_of(match: Match, names: Iterable[str]) -> Text:
    """Who plays a match, and its seed."""
    players = say(match.language, "comma").join(names)
    return one_line(say(match.language, "seed", players=players, seed=match.seed), "dim")


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
        wanted = "take_or_pass" if choice.may_pass and choice.at_least else "take"
        heading.append(f"  ({say(language, wanted, amount=amount(choice, language))})", style="dim")
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


def print_events(console: Console, events: Iterable[Event], match: Match) -> None:
    """Print the events of a match as sentences, a line each, under the steps in which they happened."""
    from houserule.rulebook import chronicle

    room, told = console.width - 2, chronicle(match)
    sentences = ((event, printable(told.text(event))) for event in events)
    for fits, some in groupby(sentences, key=lambda pair: cell_len(pair[1]) <= room):
        if fits:  # Rich takes long for each thing that it prints, and to break lines
            lines = Text()
            for event, sentence in some:
                lines.append(f"{before(event)}{sentence}\n", style_of(event))
            console.print(lines, end="", no_wrap=True, overflow="ignore", crop=False)
            continue
        for event, sentence in some:
            line = Text(sentence, style=style_of(event))
            is_heading = event.kind in ("step", "turn")
            console.print(Text.assemble(before(event), line) if is_heading else Padding(line, BELOW, expand=False))


def before(event: Event) -> str:
    """What stands before an event: an empty line before a step, and what happens in it a bit to the right."""
    return "\n" if event.kind == "step" else "" if event.kind == "turn" else "  "


def style_of(event: Event) -> str:
    return STYLES.get(event.kind, "dim")


def sheet_of(match: Match) -> RenderableType:
    """The score sheet, if any, with a column for each player; and who won."""
    language = match.language
    winners = match.winners
    teams = match.teams
    sentence = one_line(match.told_ending, style="bold green")
    if not match.sheet:
        return sentence
    table = Table("", title=one_line(say(language, "sheet"), style="italic"), title_justify="left")
    for player in match.players:
        table.add_column(one_line(player, style="bold green" if player in winners else "bold"), justify="right")
    if any(team.title for team in teams):
        titles = {player: team.title for team in teams for player in team.players}
        table.add_row("", *(one_line(titles[player], style="italic") for player in match.players))
    for row in match.sheet:
        table.add_row(one_line(row.title), *(str(row.points.get(player, 0)) for player in match.players))
    table.add_section()
    scores = match.scores
    total = one_line(say(language, "total"), style="bold")
    table.add_row(total, *(one_line(str(scores[player]), style="bold") for player in match.players))
    return Group(table, sentence)


# --- inside -----------------------------------------------------------------------------------------------------------


MOST_TEXTS = 6


def show_rules(console: Console, match: Match) -> None:
    from rich.markdown import Markdown

    from houserule import Game
    from houserule.rulebook import LANGUAGES, markdown, rulebook

    assert isinstance(match.game, Game)
    book = rulebook(match.game, match.language if match.language in LANGUAGES else "en")
    text = Markdown(printable(markdown(book), lines=True))
    if console.file.isatty():
        os.environ.setdefault("LESS", "-R")  # colours, in the usual pager
        with console.pager(styles=True):
            console.print(text)
    else:
        console.print(text)


def why(match: Match, choice: Choice, path: str) -> str:
    """The place of the rule that asks; or the files and lines that made the value at a path."""
    if path:
        from houserule import Game

        assert isinstance(match.game, Game)
        try:
            return "\n".join(match.game.origin(path))
        except LookupError as unknown:
            return str(unknown)
    span = choice.site.span
    return say(match.language, "asked_at", file=near_path(span.file), line=span.line)


def about(match: Match, wanted: str, number: int = 0) -> str:
    """The texts of everything whose name is, begins with, contains or has as a word the typed name.

    The last is for pieces named after members, which have the text. If the number of an option was typed, the name is its
    whole label, and partial matches do not count. Without a text, the result is a sentence that says so.

    Texts belong to the game, so they reveal nothing about the match.
    """
    sought = wanted.casefold()
    found = dict.fromkeys(texts(match))
    parts = () if number else (str.startswith, str.__contains__)
    for fits in (str.__eq__, *parts, lambda title, words: f" {title} " in f" {words} "):
        lines = [f"{title}: {text}" for title, text in found if fits(title.casefold(), sought)]
        if lines:
            return "\n".join(
                [*lines[:MOST_TEXTS], *([say(match.language, "another")] if len(lines) > MOST_TEXTS else [])]
            )
    if number:
        return say(match.language, "nothing_on", number=number, label=wanted)
    return say(match.language, "nothing_about", text=wanted)


def texts(match: Match) -> Iterator[tuple[str, str]]:
    """Title and text of every member and piece with a text, its own or its kind's."""
    labels = match.labels
    for kind in labels.symbols.kinds.values():
        for number in kind.numbers:
            text = labels.text(kind, number)
            if text is not None:
                yield labels.member(kind, number), text
