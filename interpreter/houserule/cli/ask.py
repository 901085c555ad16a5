"""What the terminal says in each language, and what the lines mean that players type."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from houserule.printable import whole_number
from houserule.telling.labels import phrases

if TYPE_CHECKING:
    from rich.console import Console

    from houserule import Choice, Option

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
