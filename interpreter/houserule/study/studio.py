"""The report of a ladder, and what a house rule brings, side by side with what it replaces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest

from houserule.native.memory import STATIONS
from houserule.study.figures import Interval, curves, dots, numpy, of_part
from houserule.study.findings import Use
from houserule.study.ladder import Ladder, Ladders
from houserule.study.measures import Difference, amount
from houserule.study.option_figures import Taken, option_sections, read_aloud, taken_of
from houserule.study.pages import Figure, Section, Table, dotted, ends, made_by, page, rules_of
from houserule.study.simulate import Study
from houserule.study.tension import FEWEST, leader_wins, leaders_of, winner_of
from houserule.study.things import first_alike, titles_of

MOST_CHANGES = 40
"""The most lines of what a house rule changes that a report shows."""


# --- a house rule's own things ----------------------------------------------------------------------------------------


def own_sections(names: Sequence[str], first: Study, second: Study) -> list[Section]:
    """What one side has and the other has not, or has otherwise: at the top of a report, with its choices."""
    lines: list[str] = []
    for name, study in zip(names, (first, second), strict=True):
        said = [line for one in study.game.differences() for line in one.split("\n")]
        if said:
            more = [f"… and {len(said) - MOST_CHANGES} more lines"] if len(said) > MOST_CHANGES else []
            lines += [f"{name}:", *(f"  {line}" for line in (*said[:MOST_CHANGES], *more))]
    figures = own_figures(names, first, second)
    return [Section("What the house rule changes", figures, lines=lines)] if lines or figures else []


def about_house_rules(studies: Iterable[Study]) -> list[str]:
    """What house rules say of themselves: title and text."""
    told = []
    for variant in dict.fromkeys(variant for study in studies for variant in study.game.house_rules_in_use):
        title, text = variant.called("en"), variant.said("text", "en")
        told.append(f"{title}: {text}" if text else title)
    return told


def own_figures(names: Sequence[str], first: Study, second: Study) -> list[Figure]:
    if not (first.plan.offers and second.plan.offers):
        return []
    listed = [new_of(first, second), new_of(second, first)]
    if not any(listed):
        return []
    sides = [(name, one) for name, one in zip(names, listed, strict=True) if one]
    rows = [[cell for one in line for cell in own_cells(one)] for line in zip_longest(*(one for _, one in sides))]
    heads = [
        f"{name}: {head}" if head else name
        for name, _ in sides
        for head in ("", "offered", "of offers", "wins if taken", "wins if left")
    ]
    return [
        Figure(
            "Its own things and choices",
            "What one side has and the other has not, or has with other values, and the choices that only one side asks for: how often each"
            " was offered and taken, and how many matches were won by those who took it at least once, and by those who could have"
            " and never did. What stands in one line does not belong together.",
            made_by(first.plan, len(first)),
            Table(heads, rows),
        )
    ]


def own_cells(one: Taken | str | None) -> tuple[str, ...]:
    if one is None:
        return ("", "", "", "", "")
    if isinstance(one, str):
        return (one, "never", "", "", "")
    share = f"{one.taken / one.offered * 100:.0f} %" if one.offered else ""
    wins = (
        f"{won * 100:.0f} %" if number else ""
        for won, number in ((one.wins_taken, one.had), (one.wins_left, one.without))
    )
    title = f"{one.title}: {read_aloud(one.question)}" if one.question else one.title
    return (title, f"{one.offered:,}", share, *wins)


def new_of(study: Study, other: Study) -> list[Taken | str]:
    """The things and choices of a study that the other has not, or has with other printed values.

    What a house rule brings and is never offered is there as its title; of the game itself, this says nothing of the rule.
    """
    mine, theirs = titles_of(study), titles_of(other)
    printed, others = study.rows.printed, other.rows.printed
    changed = {key for key in mine if key not in theirs or printed.get(key) != others.get(key)}
    asked = {(item.step, item.question) for item in other.rows.items}
    new = {item.question for item in study.rows.items if (item.step, item.question) not in asked}
    taken = taken_of(study)
    first = first_alike(study)
    known = {(item.sort, item.about) for item in other.rows.items}

    def is_own(one: Taken) -> bool:
        is_changed = first[one.kind, one.item] in changed or first.get(one.about, one.about) in changed
        return is_changed or one.about not in known or one.question in new

    found: list[Taken | str] = [one for one in taken if is_own(one)]
    offered = {first[one.kind, one.item] for one in taken} | {first.get(one.about, one.about) for one in taken}
    if study.game.variants:
        found += [mine[key] for key in sorted(changed) if key not in offered]
    return found


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
        curves(places, series, "share", "the stronger bot of the rung") if len(places) > 1 else of_one_rung(series),
    )


def of_one_rung(series: Mapping[str, Sequence[Interval]]) -> str:
    """The seats of the only rung: a curve would have one place."""
    return dots([*series], [intervals[0] for intervals in series.values()], "share", "points in 100", 0.0)


def measure_figure(found: Ladders, made: str) -> Figure:
    """The measures of the highest rung, side by side."""
    rows = []
    for one in found.sides[0].top.measured:
        cells = []
        for side in found.sides:
            at = side.top.measures.get(one.key)
            cells.append(
                f"{amount(at.estimate, one.unit)} ({amount(at.low, one.unit)} to {amount(at.high, one.unit)})"
                if at
                else ""
            )
        rows.append((one.title, *cells))
    how = "The mean of each measure over the matches that have it, with its 95 % interval. docs/studies.md says what each one is."
    return Figure("Measures", how, made, Table(("measure", *found.names), rows))


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
    np, leaders, winner = numpy(), leaders_of(study.columns), winner_of(study.columns)
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
    rows = []
    for one in found.differences:
        sides = (amount(side, one.unit) for side in (one.first, one.second))
        rows.append((one.title, *sides, *ends(one.interval, one.unit), "yes" if one.is_told else "no"))
    shares: list[Difference] = [one for one in found.differences if one.unit == "share"]
    first, second = found.names
    return Figure(
        "Measures with and without it",
        f"Each dot is the value with {first} minus that with {second}, and the line its 95 % interval; told are the differences that remain"
        " when all measures are taken into account: their dots are full, and the others hollow.",
        made,
        Table(("measure", first, second, "difference", "95 % from", "to", "told"), rows),
        dots(
            [one.title for one in shares],
            [one.interval for one in shares],
            "share",
            "points in 100",
            0.0,
            [one.is_told for one in shares],
        ),
    )
