"""Worked examples in a rulebook: the table before, what happens, and the table after, from scenarios that are tested."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import zip_longest

from houserule import Match
from houserule import examples as examples_of
from houserule.rulebook.book import Chapter, Drawing, Worked
from houserule.rulebook.chronicle import chronicle
from houserule.rulebook.page import Writer
from houserule.rulebook.pictures import drawn_area
from houserule.rulebook.terms import said_at
from houserule.table.compose import scene
from houserule.table.scene import Region, Scene, Thing

APART = ("step", "turn", "shuffle")
"""What happens without being told in an example."""
MOST_TOLD = 24


def worked(writer: Writer) -> Iterator[tuple[str, Worked]]:
    """The examples of a game with the anchors of their rules."""
    for example in examples_of(writer.game):
        before, after = example.tables(writer.language)
        happened = [event for event in after.events[len(before.events) :] if event.kind not in APART]
        told = chronicle(after)
        lines = tuple(told.story(happened))[:MOST_TOLD]
        pictures = changed(scene(before), scene(after), after) if lines else []
        pictures = pictures or counted(scene(after), after)
        lines = lines or tuple(sheet(writer, after))
        title = said_at(example.title, writer.language) or example.name
        text = said_at(example.text, writer.language)
        yield (
            anchor_of(example.rule),
            Worked(
                writer.words("example", title=title),
                (writer.terms.book.tidy(text),) if text else (),
                tuple(one for one, _ in pictures),
                lines,
                tuple(two for one, two in pictures if two is not one),
            ),
        )


def anchor_of(rule: str) -> str:
    """The anchor of a rule: that of a step has `steps` between its parts."""
    part, _, path = rule.partition(".")
    return f"flow.{path.replace('.steps.', '.').replace('.', '.steps.')}" if part == "flow" else rule


def changed(before: Scene, after: Scene, match: Match) -> list[tuple[Drawing, Drawing]]:
    """The areas of the table in which something is not as before, drawn at both moments."""
    found = []
    earlier = {region.id: region for region in before.regions}
    for region in after.regions:
        was, now = things_in(before, region), things_in(after, region)
        if region.id not in earlier or [look(one) for one in was] == [look(one) for one in now]:
            continue
        title = region.title if region.seat is None else f"{region.title} ({match.players[region.seat]})"
        found.append((drawn_area(region, was, title), drawn_area(region, now, title)))
    return found


def counted(after: Scene, match: Match) -> list[tuple[Drawing, Drawing]]:
    """What each player has, for an example of a score."""
    regions = [(region, things_in(after, region)) for region in after.regions if region.seat is not None]
    drawings = [
        drawn_area(region, things, f"{region.title} ({match.players[region.seat or 0]})")
        for region, things in regions
        if things
    ]
    return [(one, one) for one in drawings]


def sheet(writer: Writer, match: Match) -> Iterator[str]:
    """The score sheet, a line for each of its lines, and the sum."""
    for line in match.sheet:
        if any(line.points.values()):
            yield writer.words("sheet_line", title=line.title, points=points_of(writer, line.points))
    yield writer.words("sum_line", points=points_of(writer, match.scores))


def points_of(writer: Writer, points: Mapping[str, int]) -> str:
    comma: str = writer.terms.book.tables["list"]["comma"]
    return comma.join(f"{name} {points}" for name, points in points.items())


def things_in(table: Scene, region: Region) -> list[Thing]:
    return [thing for thing in table.things if thing.region == region.id]


def look(thing: Thing) -> tuple[object, ...]:
    return thing.words, thing.x, thing.y, thing.count, thing.is_face_up, thing.fill, thing.icon, tuple(thing.marks)


def with_examples(writer: Writer, chapters: Iterable[Chapter]) -> Iterator[Chapter]:
    """Chapters whose sections have their examples, after what follows without a heading. What has no section of its own comes at the end."""
    waiting: dict[str, list[Worked]] = {}
    for anchor, one in worked(writer):
        waiting.setdefault(anchor, []).append(one)
    for chapter in chapters:
        sections = []
        found: list[Worked] = []
        for section, after in zip_longest(chapter.sections, chapter.sections[1:]):
            found += waiting.pop(section.anchor, [])
            goes_on = after is not None and not after.title
            sections.append(replace(section, examples=tuple(found)) if found and not goes_on else section)
            found = found if goes_on else []
        yield replace(chapter, sections=tuple(sections))
    left = [one for some in waiting.values() for one in some]
    if left:
        yield Chapter("chapter.examples", writer.words("examples"), (writer.apart("examples", tuple(left)),))
