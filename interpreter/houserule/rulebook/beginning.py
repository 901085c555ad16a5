"""What a reader needs to begin: what it is about, the table at the start, and a turn at a glance."""

from __future__ import annotations

import re
from collections.abc import Iterator

from houserule.definition.flow import before_play
from houserule.definition.model import StepDefinition
from houserule.language import nodes
from houserule.rulebook.book import Section
from houserule.rulebook.clauses import value
from houserule.rulebook.page import Writer
from houserule.rulebook.shapes import mentions
from houserule.rulebook.terms import Line

SENTENCE = re.compile(r".+?(?:[.!?](?=\s|$)|[。！？]|$)", re.DOTALL)
"""The first sentence of a text."""
DEEPEST = 3


def about(writer: Writer) -> Iterator[Section]:
    """The description of the game, who can play it and for how long, who wins, and who made it."""
    game = writer.definition
    aim = writer.told(("winner",))[:1]
    yield Section("text", paragraphs=(*writer.prose(game.text), *facts(writer), *teams(writer), *aim))


def facts(writer: Writer) -> Iterator[str]:
    """The number of players, their age, the time that a match takes, and the authors."""
    game = writer.definition
    low, high = game.players
    said = [writer.words("for_players" if low < high else "for_exactly", low=low, high=high)]
    if game.age is not None:
        said.append(writer.words("age", age=game.age.text))
    if game.minutes is not None:
        short, long = game.minutes
        said.append(writer.words("minutes" if short == long else "minutes_range", low=short, high=long))
    yield (" " if writer.book.tables["capitals"] else "").join(said)
    if game.credits is not None:
        yield writer.prose(game.credits)[0]


def teams(writer: Writer) -> Iterator[str]:
    """Who plays with whom."""
    written, program, labels = writer.definition.teams, writer.terms.program, writer.terms.labels
    if written is None:
        return
    if not isinstance(program.teams, tuple):
        yield writer.words("teams", value=value(writer.terms, written))
        return
    numbers, names = program.teams_now(None) or [], []
    for team in dict.fromkeys(numbers):
        seats = [labels.names[seat] for seat, number in enumerate(numbers) if number == team]
        title, listed = labels.team(team), writer.book.listed(seats)
        names.append(writer.phrase("team", title=title, seats=listed) if title else listed)
    yield writer.words("teams_fixed", teams="; ".join(names))


def table_at_the_start(writer: Writer) -> Iterator[Section]:
    """A picture of the table after the set-up: what lies there for all, and for one player."""
    drawings = tuple(writer.pictures.areas())
    if drawings:
        yield Section("setup.table", writer.words("table_start"), figures=drawings)


def pieces_at_the_start(writer: Writer) -> Iterator[Section]:
    """Where the pieces begin, unless a text tells how the game is set up."""
    flow = writer.definition.flow
    if any(step.text is not None for step in flow[: before_play(flow)]):
        return
    lines = []
    for kind in writer.definition.kinds.values():
        if kind.starts_in is not None and not kind.quiet:
            noun, terms = writer.terms.noun_of_kind(kind.name), writer.terms.inner(None, kind.name)
            phrase = "begin_each" if mentions(kind.starts_in, "it") else "begin_all"
            lines.append(Line(writer.words(phrase, noun=noun, zone=value(terms, kind.starts_in))))
    yield Section("setup.pieces", lines=tuple(lines))


def glance(writer: Writer) -> Iterator[Section]:
    """The steps of the game after the set-up, in a few words each."""
    flow = writer.definition.flow
    first = before_play(flow)
    lines = tuple(line for step in flow[first:] for line in steps(writer, step))
    if any(line.inner for line in lines) or len(lines) > 1:
        yield Section("glance", lines=lines)


def steps(writer: Writer, step: StepDefinition, depth: int = 1) -> Iterator[Line]:
    """A step with its first sentence, and those in it below; without a title, only the latter."""
    inner = tuple(line for one in step.steps for line in steps(writer, one, depth + 1)) if depth < DEEPEST else ()
    if step.title is None:
        yield from inner
        return
    told = writer.told(path_of_step(step))
    found = SENTENCE.match(told[0]) if told else None
    title = writer.terms.step(step.path)
    if isinstance(step.repeat, nodes.Number) and step.repeat.value != 1:
        title = writer.phrase("times", title=title, count=str(step.repeat.value))
    yield Line(writer.phrase("glance_line", title=title, text=found[0] if found else None), inner)


def path_of_step(step: StepDefinition) -> tuple[str, ...]:
    """Where the rules declare a step."""
    return ("flow", *step.path.replace(".", ".steps.").split("."))
