"""The report of a ladder, and what a house rule brings, side by side with what it replaces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from houserule.core import load
from houserule.native.memory import STATIONS
from houserule.study.figures import Interval, curves, dots, numpy, of_part
from houserule.study.findings import Use
from houserule.study.ladder import Ladder, Ladders
from houserule.study.measures import Key, amount, brief, first_alike, titles_of
from houserule.study.pages import (
    Figure,
    Section,
    Table,
    Taken,
    differing,
    dotted,
    ends,
    made_by,
    option_sections,
    page,
    read_aloud,
    rules_of,
    taken_of,
)
from houserule.study.simulate import Study, planned
from houserule.study.simulate import study as played
from houserule.study.tension import FEWEST, leader_wins, winner_of

MOST_CHANGES = 40
"""The most lines of what a house rule changes that a report shows."""


# --- a house rule's own things ----------------------------------------------------------------------------------------


def own_sections(names: Sequence[str], first: Study, second: Study) -> list[Section]:
    """What one side has and the other has not, or has otherwise: at the top of a report, with its choices."""
    lines: list[str] = []
    for name, study in zip(names, (first, second), strict=True):
        said = told_changes(study)
        lines += [f"{name}:", *said] if said else []
    figures = own_figures(names, first, second)
    return [Section("What the house rule changes", figures, lines=lines)] if lines or figures else []


def told_changes(study: Study) -> list[str]:
    """What house rules and settings change in the rules, in indented lines."""
    said = [line for one in study.game.differences() for line in one.split("\n")]
    more = [f"… and {len(said) - MOST_CHANGES} more lines"] if len(said) > MOST_CHANGES else []
    return [f"  {line}" for line in (*said[:MOST_CHANGES], *more)]


def own_sections_of(study: Study) -> list[Section]:
    """What the house rules of a study bring or change, with its choices; none without house rules."""
    if not study.game.variants:
        return []
    game = load(study.game.file)
    figures = []
    if study.plan.offers and study.plan.players in game.players:
        # One match of the game itself says which things and questions it has.
        other = played(game, planned(game, ["random"] * study.plan.players, 1, study.plan.seed, offers=True))
        figures = own_figures((study.title, game.title()), study, other, is_alone=True)
    return [Section("What the house rule changes", figures, lines=told_changes(study))]


def about_house_rules(studies: Iterable[Study]) -> list[str]:
    """What house rules say of themselves: title and text."""
    told = []
    for variant in dict.fromkeys(variant for study in studies for variant in study.game.house_rules_in_use):
        title, text = variant.called("en"), variant.said("text", "en")
        told.append(f"{title}: {text}" if text else title)
    return told


Asked = tuple[Key, str, Key]
"""A thing, the question at which it is offered, and what that is about."""


def own_figures(names: Sequence[str], first: Study, second: Study, is_alone: bool = False) -> list[Figure]:
    """The things and choices that differ, side by side: what both sides have, and what one has in place of what it removes.

    If the first is `alone`, it says nothing of the other.
    """
    if not (first.plan.offers and second.plan.offers):
        return []
    mine, theirs = own_of(first, second), {} if is_alone else own_of(second, first)
    if not (mine or theirs):
        return []
    lines = side_by_side(mine, theirs, {key: key if key in theirs else partner(key, first, second) for key in mine})
    shown = [number for number in (0, 1) if any(line[number] for line in lines)]
    rows = [
        [
            " / ".join(dict.fromkeys(title_of(one) for one in line if one)),
            *(c for at in shown for c in own_cells(line[at])),
        ]
        for line in lines
    ]
    heads = [
        f"{names[at]}: {head}" for at in shown for head in ("offered", "of offers", "wins if taken", "wins if left")
    ]
    return [
        Figure(
            "Its own things and choices",
            "What one side has and the other has not, or has otherwise, and the choices that only one side asks for: how often each"
            " was offered and taken, and how many matches were won by those who took it at least once, and by those who could have"
            " and never did. What differs in one printed value alone stands in the line of what it replaces.",
            made_by(first.plan, len(first)),
            Table(["", *heads], rows),
        )
    ]


Line = tuple[Taken | str | None, Taken | str | None]


def side_by_side(
    mine: Mapping[Asked, Taken | str], theirs: Mapping[Asked, Taken | str], partners: Mapping[Asked, Asked | None]
) -> list[Line]:
    """The things of both sides in lines: what belongs together, then what the other side has alone."""
    lines: list[Line] = [
        (mine[key], theirs.get(other) if other is not None else None) for key, other in partners.items()
    ]
    return lines + [(None, one) for key, one in theirs.items() if key not in partners.values()]


def title_of(one: Taken | str) -> str:
    if isinstance(one, str):
        return one
    return f"{one.title}: {read_aloud(one.question)}" if one.question else one.title


def own_cells(one: Taken | str | None) -> tuple[str, ...]:
    if one is None:
        return ("", "", "", "")
    if isinstance(one, str):
        return ("never", "", "", "")
    return (f"{one.offered:,}", one.share, *one.wins)


def own_of(study: Study, other: Study) -> dict[Asked, Taken | str]:
    """The things and choices of a study that the other has not, or has with other rules or printed values.

    What a house rule brings and is never offered is there as its title; of the game itself, this says nothing of the rule.
    """
    mine, theirs = titles_of(study), titles_of(other)
    first = first_alike(study)
    printed, others = study.rows.printed, other.rows.printed
    brought = {key for key in mine if key not in theirs or printed.get(key) != others.get(key)}
    changed = brought | {first.get(key, key) for key in changed_things(study, other)}
    asked = {(item.step, item.question) for item in other.rows.items}
    new = {item.question for item in study.rows.items if (item.step, item.question) not in asked}
    taken = taken_of(study)
    known = {(item.sort, item.about) for item in other.rows.items}

    def is_own(one: Taken) -> bool:
        is_changed = first[one.kind, one.item] in changed or first.get(one.about, one.about) in changed
        return is_changed or one.about not in known or one.question in new

    found: dict[Asked, Taken | str] = {
        ((one.kind, one.item), one.question, one.about): one for one in taken if is_own(one)
    }
    offered = {first[one.kind, one.item] for one in taken} | {first.get(one.about, one.about) for one in taken}
    if study.game.variants:
        found |= {(key, "", ("", "")): mine[key] for key in sorted(brought) if key not in offered}
    return found


def changed_things(study: Study, other: Study) -> set[Key]:
    """The pieces and members whose rules differ: their own, those of the members that are printed on them, or an option that they read."""
    mine, theirs = ({one.path: one.shown for one in side.game.changeable()} for side in (study, other))
    values = [
        {name: value for rule in side.game.house_rules_in_use for name, value in rule.options.items()}
        | {name: str(value) for name, value in side.game.settings.items()}
        for side in (study, other)
    ]
    options = [name for name in values[0] | values[1] if values[0].get(name) != values[1].get(name)]
    reads = re.compile(rf"\b(?:{'|'.join(map(re.escape, options))})\b") if options else None
    found = {
        (place["kind"], place["id"])
        for path, shown in mine.items()
        if (place := PLACE.match(path)) and (shown != theirs.get(path) or (reads is not None and reads.search(shown)))
    }
    titles = {mine.get(f"enums.{kind}.members.{id}.title", id.replace("_", " ")) for kind, id in found}
    return found | {key for key, values in study.rows.printed.items() if titles & set(values.values())}


PLACE = re.compile(r"(?:components|enums)\.(?P<kind>\w+)\.(?:pieces|members)\.(?P<id>\w+)\.")
"""Where the rules of a piece or a member stand."""


def partner(asked: Asked, study: Study, other: Study) -> Asked | None:
    """What stands on the other side in place of something that is offered, or that a question is about; None if nothing does."""
    key, question, about = asked
    if (other_key := replaced(key, study, other)) is not None:
        return other_key, question, about
    other_about = replaced(about, study, other)
    return (key, question, other_about) if other_about is not None else None


def replaced(key: Key, study: Study, other: Study) -> Key | None:
    """The only thing of a kind that the other side alone has and that differs in one printed value from one that this side alone has."""
    values = study.rows.printed.get(key)
    if key in other.rows.printed or not values:
        return None
    gone = {one: its for one, its in other.rows.printed.items() if one[0] == key[0] and one not in study.rows.printed}
    alike = [one for one, its in gone.items() if sum(its.get(name) != value for name, value in values.items()) == 1]
    return alike[0] if len(alike) == 1 else None


# --- a ladder ---------------------------------------------------------------------------------------------------------


def report_of_ladders(found: Ladders) -> str:
    """The report of a ladder as a page: what is probably wrong, skill, tension, choices, and every option of the strongest."""
    top = found.sides[0].top
    made = (
        f"{found.sides[0].rungs[-1].stronger} against {found.sides[0].rungs[-1].weaker}. {made_by(top.plan, len(top))}"
    )
    sections = []
    if len(found.sides) == 2:
        sections += own_sections(found.names, top, found.sides[1].top)
    sections.append(
        Section(
            "Skill",
            [
                duel_figure(found),
                *(seat_figure(name, side) for name, side in zip(found.names, found.sides, strict=True)),
            ],
        )
    )
    sections.append(
        Section("Tension and choices of the strongest", [measure_figure(found, made), *course_figures(found, made)])
    )
    if any(side.uses for side in found.sides):
        figures = [use_figure(name, side, made) for name, side in zip(found.names, found.sides, strict=True)]
        sections.append(Section("What the strongest take", figures))
    if found.differences:
        sections.append(Section("What differs", [difference_figure(found, made)]))
    strongest = found.sides[0].rungs[-1].stronger
    sections += option_sections(top, f"The play of {strongest} alone. {made}", strongest)
    title = " against ".join(found.names)
    subject = " ".join(
        [made, *(f"{name}: {rules_of(side.top)}" for name, side in zip(found.names, found.sides, strict=True))]
    )
    about = about_house_rules(side.top for side in found.sides)
    return page(f"{title}: a ladder of bots", found.verdict, subject, sections, about)


def duel_figure(found: Ladders) -> Figure:
    """How often the stronger wins on each rung, side by side."""
    labels: list[str] = []
    intervals: list[Interval] = []
    for number, rung in enumerate(found.sides[0].rungs):
        for name, side in zip(found.names, found.sides, strict=True):
            labels.append(f"{rung.stronger} / {rung.weaker}" + (f", {name}" if len(found.sides) > 1 else ""))
            intervals.append(side.rungs[number].duels)
    how = (
        "Each dot shows how many of 100 duels the stronger of two bots wins, as if it had as many seats as the weaker one, with its 95 %"
        " interval; at the dashed line strength is worth nothing. A game of luck alone stays at the line on every rung."
    )
    made = f"{len(found.sides[0].top):,} matches on each rung, with the same seeds; bots sit in turn, and move on by one seat."
    return dotted("How often the stronger wins", how, made, "rung", labels, intervals, "share", "of 100 duels", 0.5)


def seat_figure(name: str, side: Ladder) -> Figure:
    """What each seat wins more than its share on each rung."""
    places = [rung.stronger for rung in side.rungs]
    series = {f"seat {seat + 1}": [rung.seats[seat] for rung in side.rungs] for seat in range(side.top.plan.players)}
    rows = [
        (place, label, *ends(intervals[number], "share"))
        for number, place in enumerate(places)
        for label, intervals in series.items()
    ]
    return Figure(
        f"Seats by strength: {name}",
        "How many victories in 100 matches each seat has more than its share, on each rung, with its 95 % interval. Whoever plays better may use"
        " a seat that is nothing to a beginner.",
        f"{len(side.top):,} matches on each rung.",
        Table(("rung", "seat", "more than its share", "95 % from", "to"), rows),
        curves(places, series, "share", "the stronger bot of the rung")
        if len(places) > 1  # a curve would have one place
        else dots([*series], [intervals[0] for intervals in series.values()], "share", "points in 100", 0.0),
    )


def measure_figure(found: Ladders, made: str) -> Figure:
    """The measures of the highest rung, side by side."""
    rows = [*measure_rows(found)]
    how = "The mean of each measure over the matches that have it, with its 95 % interval. docs/studies.md says what each one is."
    return Figure("Measures", how, made, Table(("measure", *found.names), rows))


def measure_rows(found: Ladders, is_brief: bool = False) -> Iterator[tuple[str, ...]]:
    """The measures of the highest rung with their intervals, a cell for each side; briefly for a terminal."""
    for one in found.sides[0].top.measured:
        cells = []
        for at in (side.top.measures.get(one.key) for side in found.sides):
            if at is None:
                cells.append("")
                continue
            whole = f"{amount(at.estimate, one.unit)} ({amount(at.low, one.unit)} to {amount(at.high, one.unit)})"
            cells.append(brief(at, one.unit) if is_brief else whole)
        yield (one.title, *cells)


def course_figures(found: Ladders, made: str) -> list[Figure]:
    """How often the leader of each moment wins, both sides over one another."""
    lines = {name: course_of(side.top) for name, side in zip(found.names, found.sides, strict=True)}
    stations = set.intersection(*(set(line) for line in lines.values()))
    if not stations:
        return []
    order = sorted(stations)
    places = [f"{100 * station // STATIONS}" for station in order]
    series = {name: [line[station] for station in order] for name, line in lines.items()}
    rows = [(place, name, *ends(line[at], "share")) for at, place in enumerate(places) for name, line in series.items()]
    return [
        Figure(
            "The leader of each moment wins",
            "How many of 100 matches are won by whoever leads at that moment, with the 95 % interval. Where it is high early, a leader runs away,"
            " or one of the two bots simply plays better: the other side says what the house rule adds.",
            made,
            Table(("per cent of the rounds", "side", "wins", "95 % from", "to"), rows),
            curves(places, series, "share", "course of a match, in per cent of its rounds"),
        )
    ]


def course_of(study: Study) -> dict[int, Interval]:
    """By station how often its leader wins; none of the stations that too few matches have."""
    np, leaders, winner = numpy(), study.columns.leaders, winner_of(study.columns)
    found = {}
    for station in range(1, STATIONS):
        column = leader_wins(leaders[:, station - 1], winner)
        column = column[np.isfinite(column)]
        if len(column) >= FEWEST:
            found[station] = of_part(column)
    return found


def use_figure(name: str, side: Ladder, made: str) -> Figure:
    """What the strongest bot takes of what it is offered, the conspicuous first."""
    how = (
        "In how many matches, seat by seat, a thing was offered to the strongest bot and taken at least once, and how often the weakest took it;"
        " what is offered at several questions counts for no more than the seats of that bot."
        " dead: (almost) never taken; must: always; never: it was never offered to anybody."
    )
    rows = [use_cells(use) for use in side.uses]
    return Figure(
        f"Things taken: {name}",
        how,
        made,
        Table(("thing", "offered", "taken", "95 % from", "to", "by the weakest", ""), rows),
    )


def use_cells(use: Use) -> tuple[str, ...]:
    shares = ends(use.share, "share") if use.offered else ("", "", "")
    return use.title, f"{use.offered:,}", *shares, f"{use.by_chance * 100:.0f} %", use.verdict


def difference_figure(found: Ladders, made: str) -> Figure:
    """All measures with and without the house rule, and the differences of shares as dots."""
    first, second = found.names
    return differing(
        "Measures with and without it",
        f"Each dot is the value with {first} minus that with {second}, and the line its 95 % interval; told are the differences that remain"
        " when all measures are taken into account: their dots are full, and the others hollow.",
        made,
        found.names,
        found.differences,
        "share",
        "points in 100",
    )
