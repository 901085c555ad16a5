"""Plays a match with people and bots at one keyboard, races them, and takes answers back."""

from __future__ import annotations

import random
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from rich.text import Text

from houserule.bots.playing import answer, in_order
from houserule.bots.simple import FirstBot, RandomBot
from houserule.cli import report
from houserule.cli.picture import picture_of
from houserule.cli.screen import (
    Answered,
    Command,
    Misread,
    about,
    choice_of,
    edited_line,
    forced,
    one_line,
    opening_of,
    print_events,
    prompt_of,
    say,
    sheet_of,
    show_rules,
    understand,
    why,
)
from houserule.printable import printable
from houserule.table.compose import scene

if TYPE_CHECKING:
    from rich.console import Console

    from houserule import Choice, Event, Match, Option
    from houserule.bots.simple import Bot


# --- race -------------------------------------------------------------------------------------------------------------


COUNTED = 3
BEAT = 0.7
"""Seconds between the numbers of the countdown."""
LONGEST = 2.0
"""Seconds after which a touch no longer counts."""
FASTEST, SLOWEST = 0.35, 1.1
"""The reaction times of bots, in seconds."""


def can_be_timed(console: Console) -> bool:
    """Whether touches can be timed: somebody is at a terminal that supports it."""
    try:
        import select  # noqa: F401  not for terminals everywhere
        import termios  # noqa: F401  nor on Windows
    except ImportError:
        return False
    return console.file.isatty() and sys.stdin.isatty()


def timed_touch(console: Console, language: str) -> float | None:
    """Count down; the seconds until Enter is pressed, or None if it is not."""
    import select
    import termios

    for number in range(COUNTED, 0, -1):
        console.print(one_line(f"  {number} …", style="bold yellow"))
        time.sleep(BEAT)
    termios.tcflush(sys.stdin, termios.TCIFLUSH)  # earlier keys do not count
    console.print(one_line(say(language, "race_now"), style="bold green"))
    begun = time.monotonic()
    ready, _, _ = select.select([sys.stdin], [], [], LONGEST)
    if not ready:
        return None
    taken = time.monotonic() - begun
    sys.stdin.readline()
    console.print(one_line(say(language, "race_took", seconds=f"{taken:.2f}"), style="dim"))
    return taken


def arrivals(human: str, touch: float | None, bots: Sequence[str], chance: Random) -> list[str]:
    """The order of reactions: bots after their times, a person after theirs, or last."""
    times = {name: chance.uniform(FASTEST, SLOWEST) for name in bots}
    times[human] = touch if touch is not None else LONGEST
    return sorted(times, key=times.__getitem__)


def read_order(line: str, names: Sequence[str], bound: set[str], tell: Callable[..., str]) -> tuple[list[str], str]:
    """Who touched, fastest first, from a line of numbers or beginnings of names; and what is wrong with it, if anything is."""
    order: list[str] = []
    for word in re.split(r"[\s,]+", line) if line else ():
        found = [
            name
            for number, name in enumerate(names, 1)
            if word == str(number) or name.casefold().startswith(word.casefold())
        ]
        if len(found) != 1 or found[0] in order:
            return order, tell("who" if found else "nobody_so", text=word)
        order.append(found[0])
    missing = bound - set(order)
    if len(missing) == 1:
        order += missing  # the last one left of those who must touch was the slowest
    elif missing:
        return order, tell("must_touch", players=tell("comma").join(sorted(missing)))
    return order, ""


# --- undo -------------------------------------------------------------------------------------------------------------


MOST_KEPT = 50
TELLING = ("roll", "show", "light", "shuffle")
"""Events that reveal something."""


@dataclass(frozen=True, slots=True)
class Before:
    """A match before an answer, and what those at the keyboard had been told by then."""

    match: Match
    told: dict[str | None, int]
    known: tuple[Any, ...]


class Past:
    """The answers that people have given, the last one last."""

    def __init__(self, humans: Sequence[str]) -> None:
        self.humans = humans
        self.kept: list[Before] = []

    def keep(self, match: Match, told: dict[str | None, int]) -> None:
        self.kept.append(Before(match.copy(), dict(told), known(match, self.humans)))
        del self.kept[:-MOST_KEPT]

    def take_back(self, match: Match) -> Before | None:
        """The match before the last answer; None if something has been revealed since, or a bot has answered."""
        if not self.kept:
            return None
        before = self.kept[-1]
        answered = match.answers[len(before.match.answers) :]
        if any(player not in self.humans for player, _ in answered) or known(match, self.humans) != before.known:
            return None
        return self.kept.pop()


def known(match: Match, humans: Sequence[str]) -> tuple[Any, ...]:
    """A value that changes when something is revealed: the chance used, the pieces each has seen, and what was told of it."""
    generator = match.state.generator
    found: list[Any] = [generator.getstate() if generator is not None else None]
    for name in humans:
        seat = match.seat(name)
        narrator = match.told(seat)
        found.append(narrator.following[seat].last)
        found.append(sum(event.kind in TELLING for event in narrator.tables[seat]))
    return tuple(found)


# --- seats ------------------------------------------------------------------------------------------------------------


PATIENCE = 10.0
"""Seconds after which a bot that has not answered is said to be thinking."""
AT_ONCE = (RandomBot, FirstBot)
"""Bots for which nobody waits: to start and stop a clock takes twice as long as their answer and what follows it."""
ERASE_WITH_HISTORY = "\033[2J\033[3J\033[H"


class Left(Exception):
    """Somebody left before the match was over."""


class Table:
    """A match in the terminal. A single person sees what their seat may see; several pass the keyboard on.

    `takes_forced` answers questions with a single answer; `keep` is called with the match after each answer.
    """

    def __init__(
        self,
        match: Match,
        seats: Mapping[str, Bot | None],
        seed: int,
        console: Console | None = None,
        *,
        takes_forced: bool = False,
        keep: Callable[[Match], None] | None = None,
    ) -> None:
        self.match = match
        self.seats = seats
        self.humans = [player for player, bot in seats.items() if bot is None]
        self.chance = random.Random(seed)
        self.console = console or report.console()
        self.told = dict.fromkeys([None, *match.players], 0)  # how many events each has been shown
        self.owed: dict[str, list[Event]] = {}  # what one may know but was not shown when all were shown together
        self.in_front: str | None = self.humans[0] if len(self.humans) == 1 else None
        self.past = Past(self.humans)
        self.forks: object = None  # what they choose at the same time
        self.secrets: dict[str, list[str]] = {}  # by player: what they have chosen while others choose at the same time
        self.takes_forced = takes_forced
        self.keep = keep

    def play(self) -> None:
        """Play to the end and show the score sheet. Raises Left, KeyboardInterrupt or EOFError if somebody leaves."""
        match = self.match
        names = [player if bot is None else self.say("bot", player=player) for player, bot in self.seats.items()]
        self.console.rule(one_line(match.game.title(match.language), style="bold"))
        self.console.print(opening_of(match, names))
        if self.humans:
            self.console.print(Text(self.say("keys"), style="dim"))
        while not self.match.is_over:
            self.go_on()
            if self.keep is not None:
                self.keep(self.match)
            if not self.humans:
                self.tell()
        self.tell()
        self.console.print()
        if len(self.humans) != 1:
            self.show_table(None)
        self.console.print(sheet_of(self.match))

    def go_on(self) -> None:
        """Let the next player answer, or all who race."""
        pending = in_order(self.match, self.chance)
        race = [choice for choice in pending if choice.kind == "slap" and self.seats[choice.player] is None]
        if len(race) > 1:
            self.hold_race(pending, race)
        elif race and len(pending) > 1 and can_be_timed(self.console):
            self.race_bots(pending, race[0])
        else:
            self.answer(pending[0])

    def answer(self, choice: Choice) -> None:
        bot = self.seats[choice.player]
        if bot is not None:
            with nullcontext() if type(bot) in AT_ONCE else self.patience(choice.player):
                answer(self.match, choice, bot)
            return
        self.hand_over(choice.player)
        if self.takes_forced and (only := forced(choice)) is not None:
            self.match.answer(choice.player, only)
            return
        self.tell()
        self.show_table(choice.player)
        self.console.print()
        forks = self.match.state.forks
        if forks is not self.forks:
            self.secrets.clear()
        self.forks = forks
        self.tell_secret(choice.player)
        self.ask(choice)
        given = self.read(choice)
        if given is None:
            return
        self.past.keep(self.match, self.told)
        self.match.answer(choice.player, given)
        if (
            forks is not None and self.match.state.forks is forks
        ):  # others still choose at the same time, and are told nothing
            keys = given if isinstance(given, list) else [given.key]
            labels = [option.label for option in choice.single if option.key in keys] or [self.say("pass")]
            self.secrets.setdefault(choice.player, []).extend(labels)
            self.tell_secret(choice.player)

    def tell_secret(self, player: str) -> None:
        """Remind somebody of what they have chosen, and nobody else knows yet."""
        if chosen := self.secrets.get(player):
            what = self.say("comma").join(chosen)
            self.console.print(one_line(self.say("you_chose", what=what), style="green"))

    @contextmanager
    def patience(self, player: str) -> Iterator[None]:
        """Say what is being waited for if a bot takes long to answer."""
        sentence = one_line(self.say("thinks", player=player), style="dim")
        timer = threading.Timer(PATIENCE, self.console.print, [sentence])
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def read(self, choice: Choice) -> Option | list[str] | None:
        """The answer that the person types, after as many lines as necessary; None after an undo."""
        while True:
            with edited_line([option.label for option in choice.single], self.console):
                line = self.console.input("> ")
            understood = understand(line, choice, self.match.language)
            match understood:
                case Answered():
                    return understood.answer
                case Misread():
                    self.console.print(one_line(understood.message, style="yellow"))
                case Command(name="quit"):
                    raise Left
                case Command(name="table"):
                    self.show_table(choice.player)
                    self.ask(choice)
                case Command(name="undo"):
                    if self.undo():
                        return None
                case Command(name="rules"):
                    show_rules(self.console, self.match)
                case Command(name="why", about=path):
                    self.console.print(Text(printable(why(self.match, choice, path), lines=True), style="dim"))
                case Command(name="about", about=wanted, number=number):
                    self.console.print(Text(about(self.match, wanted, number), style="dim"))
                case Command():
                    self.console.print(Text(self.say("help"), style="dim"))

    def undo(self) -> bool:
        """Take the last answer back, unless something hidden has been revealed since; returns whether it was."""
        before = self.past.take_back(self.match)
        if before is None:
            self.console.print(one_line(self.say("not_undone" if self.past.kept else "nothing_undone"), style="yellow"))
            return False
        self.match, self.told = before.match, before.told
        self.secrets.clear()
        self.console.print(one_line(self.say("undone"), style="dim"))
        return True

    def race_bots(self, pending: Sequence[Choice], mine: Choice) -> None:
        self.tell()
        self.show_table(mine.player)
        self.console.print()
        self.ask(mine)
        self.console.input(self.say("race_ready"))
        touch = timed_touch(self.console, self.match.language)
        bots = [choice.player for choice in pending if choice is not mine]
        arrived = arrivals(mine.player, touch, bots, self.chance)
        self.answer_race(pending, arrived, [mine.player] if touch is None else [])

    def answer_race(self, pending: Sequence[Choice], arrived: Sequence[str], passing: Sequence[str]) -> None:
        """Answer for all who race, in the order of their arrival; these people pass, if they may."""
        by_player = {choice.player: choice for choice in pending}
        for name in arrived:
            choice, bot = by_player[name], self.seats[name]
            if bot is not None:
                answer(self.match, choice, bot)
            else:
                likely = sorted(choice.single, key=lambda option: option.is_pass != (name in passing))
                self.match.answer(name, likely[0])

    def hold_race(self, pending: Sequence[Choice], race: Sequence[Choice]) -> None:
        """A race at one keyboard: people touch the table, and one of them types the order, fastest first."""
        bound = {choice.player for choice in race if not any(option.is_pass for option in choice.single)}
        names = [player for player in self.humans if any(choice.player == player for choice in race)]
        self.tell_all()
        self.console.print()
        self.console.print(one_line(prompt_of(race[0], self.match.language), style="bold"))
        for number, name in enumerate(names, 1):
            self.console.print(one_line(f"{number}  {self.say('has_to', player=name) if name in bound else name}"))
        order = self.read_order(names, bound)
        passing = [name for name in names if name not in order]
        bots = [choice.player for choice in pending if self.seats[choice.player] is not None]
        arrived = [*order, *passing]
        for name in bots:
            arrived.insert(self.chance.randint(0, len(arrived)), name)
        self.answer_race(pending, arrived, passing)

    def read_order(self, names: Sequence[str], bound: set[str]) -> list[str]:
        """Who touched, fastest first: numbers or beginnings of names in one line."""
        while True:
            line = self.console.input(self.say("fastest")).strip()
            if line.lower() == "q":
                raise Left
            order, wrong = read_order(line, names, bound, self.say)
            if not wrong:
                return order
            self.console.print(one_line(wrong, style="yellow"))

    def hand_over(self, player: str) -> None:
        """Clear the screen of what the last player saw before another one takes the keyboard."""
        if len(self.humans) < 2 or self.in_front == player:
            return
        if self.in_front is not None:
            self.console.input("\n" + self.say("give", player=printable(player)))
        self.clear()
        self.console.input(self.say("given", player=printable(player)))
        self.clear()
        self.in_front = player

    def clear(self) -> None:
        if self.console.file.isatty():  # Rich says so of a file too, where FORCE_COLOR asks for colours
            self.console.file.write(ERASE_WITH_HISTORY)
            self.console.file.flush()

    def tell(self) -> None:
        """Show the player at the keyboard what has happened since last time; with bots alone, show everything."""
        print_events(self.console, self.news(self.in_front), self.match)

    def tell_all(self) -> None:
        """Show everybody at the keyboard the new events that all of them may know."""
        news = {player: self.news(player) for player in self.humans}
        known = [set(self.match.events_for(player)) for player in self.humans]
        shared = [[event for event in new if all(event in each for each in known)] for new in news.values()]
        together = max(shared, key=len)
        print_events(self.console, together, self.match)
        told = set(together)
        self.owed = {player: [event for event in new if event not in told] for player, new in news.items()}

    def news(self, viewer: str | None) -> list[Event]:
        """The events since last time that a player may know; all events if there is no viewer."""
        new = self.match.events_since(self.told[viewer], viewer)
        self.told[viewer] += len(new)
        return [*(self.owed.pop(viewer, []) if viewer is not None else []), *new]

    def show_table(self, player: str | None) -> None:
        """Show the table as the player may see it, with changes since their last answer marked; without a player, all of it."""
        width = self.console.width
        self.console.print(picture_of(scene(self.match, player), width))

    def ask(self, choice: Choice) -> None:
        """Show the question, with the text of each option."""
        asked = scene(self.match, choice.player).question
        texts = [option.text for option in asked.options] if asked is not None else []
        self.console.print(choice_of(choice, self.match.language, texts, asked.text if asked is not None else ""))

    def say(self, key: str, **values: object) -> str:
        return say(self.match.language, key, **values)
