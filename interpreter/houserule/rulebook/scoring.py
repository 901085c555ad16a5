"""The chapters about points: the score sheet, who wins, and tables of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from houserule.definition.model import Prose, WinnerDefinition
from houserule.language import nodes
from houserule.rulebook.book import Section
from houserule.rulebook.phrasebook import Part
from houserule.rulebook.sentences import each
from houserule.rulebook.terms import Terms
from houserule.rulebook.wording import condition, value
from houserule.rulebook.writer import Writer
from houserule.telling.labels import plain_words


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
    for table in writer.definition.tables.values():
        path, made = ("tables", table.name), writer.symbols.tables[table.name]
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
