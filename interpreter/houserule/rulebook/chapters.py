"""Writes the rulebook of a game: its chapters in order, from the definition, and those about points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from houserule import Game, Match
from houserule.definition.model import Prose, WinnerDefinition
from houserule.language import nodes
from houserule.language.format import format
from houserule.language.types import Maybe
from houserule.rulebook.book import Book, Chapter, Section
from houserule.rulebook.components import box, glossary, kinds, table, values
from houserule.rulebook.course import callables, end, steps, triggers
from houserule.rulebook.phrasebook import Part, alphabetical, phrasebook
from houserule.rulebook.pictures import Pictures
from houserule.rulebook.sentences import Line, each, in_one
from houserule.rulebook.terms import Terms, said
from houserule.rulebook.wording import condition, value
from houserule.rulebook.writer import Writer
from houserule.running.faults import RuleFault
from houserule.source import Mapping
from houserule.telling.labels import Labels, plain_words
from houserule.telling.phrases import phrase


def score(writer: Writer) -> Iterator[Section]:
    """The score sheet, and who wins."""
    for line in writer.definition.scoring:
        terms, path = writer.terms, ("scoring", line.name)
        parts: dict[str, Part | None] = {}
        if line.for_ is not None:
            parts, terms = each(terms, line.for_.source, line.for_.binder)
        title = writer.entered(line_title(writer, line.title, line.name, terms), ".".join(path))
        told = writer.told(path)
        when = condition(terms, line.when) if line.when is not None else None
        name = "score_for" if line.for_ is not None else "score_line"
        text = writer.words(name, title=title, points=value(terms, line.points), when=when, **parts)
        yield writer.section(path, title, paragraphs=told or (text,))
    winner = writer.definition.winner
    if winner is not None:
        told = writer.told(("winner",))
        yield writer.section(("winner",), writer.words("winner"), paragraphs=told or tuple(winners(writer, winner)))


def winners(writer: Writer, winner: WinnerDefinition) -> Iterator[str]:
    """Who wins, how ties are decided, and the end if nobody wins."""
    terms = writer.terms
    shown = condition(terms, winner.value) if winner.rule in ("when", "all") else str(value(terms, winner.value))
    of_points = isinstance(winner.value, nodes.Name) and winner.value.id == "points"
    yield writer.words(f"{winner.rule}_points" if of_points else winner.rule, value=shown)
    if winner.then:
        yield writer.words("tie", values=terms.book.listed([value(terms, one) for one in winner.then]))
    if winner.rule in ("most", "least"):
        yield writer.words("tie_draw" if winner.tie == "draw" else "tie_shared")
    if winner.nobody:
        yield writer.words(f"nobody_{winner.nobody}")


def line_title(writer: Writer, prose: Prose | None, name: str, terms: Terms) -> str:
    """The title of a line of the score sheet, with what it stands for."""
    if prose is None:
        return plain_words(name)
    text = prose.texts.get(writer.language) or next(iter(prose.texts.values()))
    return "".join(part if isinstance(part, str) else value(terms, part).form("bare") for part in text.parts)


def tables(writer: Writer) -> Iterator[Section]:
    """Tables of numbers."""
    labels = writer.terms.labels
    for written in writer.definition.tables.values():
        path, made = ("tables", written.name), writer.symbols.tables[written.name]
        rows: list[tuple[str, ...]] = []
        names = [
            [labels.value(type, low + at) for at in range(size)]
            for type, low, size in zip(made.indices, made.lows, sizes(made.values), strict=True)
        ]
        if len(names) == 1:
            head = tuple(names[0])
            rows = [tuple(labels.value(made.type, one) for one in made.values)]
        else:
            head = ("", *names[1])
            for name, row in zip(names[0], made.values, strict=True):
                assert isinstance(row, tuple)
                rows.append((name, *(labels.value(made.type, one) for one in row)))
        yield writer.section(path, writer.named(path), paragraphs=writer.told(path), head=head, rows=tuple(rows))


def sizes(values: Sequence[object]) -> tuple[int, ...]:
    """How many entries a table has in each direction."""
    first = values[0] if values else None
    return (len(values), len(first)) if isinstance(first, tuple) else (len(values),)


SEED = 1
"""The seed of the match whose table is drawn: pictures are the same whenever a rulebook is written."""


def rulebook(game: Game, language: str = "en") -> Book:
    """The rulebook of a game with its house rules and settings, in a language with a phrase book.

    Texts that the game lacks in this language appear in its first one.
    """
    players = game.players[-1]
    program = game.program(players, told=True)
    names = [phrase(language, "player", number=seat + 1) for seat in range(players)]
    match: Match | None = None
    with suppress(RuleFault):  # if setting up the table fails, there is nothing to draw
        match = game.start(names, seed=SEED, language=language)
    assert game.loaded.tree is not None
    terms = Terms(
        phrasebook(language),
        program,
        Labels(program, names, language),
        game.loaded.tree,
        game.meanings(players),
        {},
        in_one,
    )
    return book(Writer(game, terms, language, Pictures(match)))


def book(writer: Writer) -> Book:
    """All chapters with content."""
    game = writer.definition
    made = (
        ("about", about(writer)),
        ("house_rules", house_rules(writer)),
        ("box", box(writer)),
        ("setup", steps(writer, setting_up=True)),
        ("table", table(writer)),
        ("play", steps(writer, setting_up=False)),
        ("actions", callables(writer, "actions", game.actions.values())),
        ("members", kinds(writer, pieces=False)),
        ("pieces", kinds(writer, pieces=True)),
        ("special", triggers(writer)),
        ("end", end(writer)),
        ("score", score(writer)),
        ("tables", tables(writer)),
        ("glossary", glossary(writer)),
        ("values", values(writer)),
        ("options", options(writer)),
        ("assumptions", assumptions(writer)),
        ("sources", sources(writer)),
    )
    chapters = []
    for name, sections in made:
        told = tuple(section for section in sections if not section.is_empty)
        if told:
            chapters.append(Chapter(f"chapter.{name}", writer.words(name), told))
    words = {name: writer.words(name) for name in ("contents", "index", "rulebook")}
    index = tuple(sorted(set(writer.index), key=lambda entry: (alphabetical(entry[0]), entry[1])))
    title = writer.game.title(writer.language)
    return Book(title, writer.language, words["rulebook"], tuple(chapters), index, words)


def about(writer: Writer) -> Iterator[Section]:
    """The description of the game and the number of players."""
    low, high = writer.definition.players
    players = writer.words("for_players" if low < high else "for_exactly", low=low, high=high)
    yield Section("text", paragraphs=(*writer.prose(writer.definition.text), players))


def house_rules(writer: Writer) -> Iterator[Section]:
    """The house rules in use, with their descriptions."""
    for variant in writer.game.loaded.variants:
        text = variant.tree.entries.get("text")
        words = said(text.value, writer.language) if text is not None else ""
        title = variant.title(writer.language)
        yield Section(f"variants.{variant.name}", title, paragraphs=(words,) if words else ())


def options(writer: Writer) -> Iterator[Section]:
    """The settings, and their possible values."""
    labels = writer.terms.labels
    for name, option in writer.definition.options.items():
        path = ("options", name)
        title = writer.title(option.title, name, ".".join(path))
        made = writer.symbols.options[name]
        now, usual = labels.value(made.type, made.value), str(value(writer.terms, option.default))
        if isinstance(option.default, nodes.Absent):
            usual = labels.phrase("none")
        if usual in writer.symbols.kinds or usual.lower() == now.lower():
            usual = ""
        if option.type.low is not None and option.type.high is not None:
            possible = str(value(writer.terms, nodes.Range(option.span, option.type.low, option.type.high)))
        else:
            inner = made.type.of if isinstance(made.type, Maybe) else made.type
            of_type = [labels.value(inner, one) for one in writer.symbols.domain(inner) or ()]
            of_type += [labels.phrase("none")] if inner is not made.type else []
            possible = writer.terms.book.listed(of_type, "or")
        text = writer.words(
            "option", title=title, value=now, default=usual or None, type=possible or format(option.type)
        )
        yield writer.section(path, title, paragraphs=(*writer.prose(option.text), text))


def assumptions(writer: Writer) -> Iterator[Section]:
    """Everything that the rulebook does not say, in one place."""
    reasons = dict.fromkeys(" ".join(one.reason_in(writer.language).split()) for one in writer.definition.assumptions)
    yield Section("assumed", lines=tuple(Line(one) for one in reasons))


def sources(writer: Writer) -> Iterator[Section]:
    """The rulebooks."""
    node = writer.terms.at("sources")
    if isinstance(node, Mapping):
        yield Section("sources", lines=tuple(Line(writer.doc(name)) for name in node.entries))
