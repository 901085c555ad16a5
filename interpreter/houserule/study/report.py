"""Reports of studies, comparisons and sweeps: pages of figures in the order in which people ask for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from houserule.native.memory import STATIONS
from houserule.printable import capital
from houserule.study.compare import Comparison, Sweep
from houserule.study.figures import (
    Interval,
    boxes,
    curves,
    histograms,
    numpy,
    of_mean,
    of_part,
)
from houserule.study.ladder import Ladders
from houserule.study.measures import ENDED, credit_of, measures_of, of_study, sides_of
from houserule.study.pages import (
    INTERVAL_HEADS,
    PERCENT,
    Figure,
    Section,
    Table,
    attribute_figure,
    differing,
    dotted,
    ends,
    interval_table,
    made_by,
    option_sections,
    page,
    rules_of,
)
from houserule.study.plan import described
from houserule.study.simulate import SPREAD_HEADS, Spread, Study
from houserule.study.studio import about_house_rules, course_of, own_sections, own_sections_of, report_of_ladders
from houserule.study.tension import scores_of
from houserule.telling.labels import read_out
from houserule.writing import write_file


def report(result: Study | Comparison | Sweep | Ladders, path: str | Path) -> None:
    """Write the report of a study, a comparison, a sweep or a ladder as one self-contained HTML page.

    The report of a study includes options if the study was made with `offers` or `out`. Raises MissingExtra and OSError.
    """
    match result:
        case Study():
            text = report_of_study(result)
        case Comparison():
            text = report_of_comparison(result)
        case Sweep():
            text = report_of_sweep(result)
        case Ladders():
            text = report_of_ladders(result)
    write_file(Path(path), text)


# --- a study ----------------------------------------------------------------------------------------------------------


def report_of_study(study: Study) -> str:
    made = made_by(study.plan, len(study))
    sections = [*own_sections_of(study), Section("Who wins", win_figures(study, made))]
    if study.summary.titles:
        sections.append(Section("Scores", score_figures(study, made)))
    sections.append(Section("How long it takes", length_figures(study, made)))
    sections += tension_sections(study, made)
    sections += option_sections(study, made)
    about = about_house_rules([study])
    return page(f"{study.title}: a playtest", of_study(study), f"{made} {rules_of(study)}", sections, about)


def seats_of_team(teams: Sequence[int], first: int) -> str:
    seats = [str(seat + 1) for seat, team in enumerate(teams) if team == first]
    return f"seat{'s' if len(seats) > 1 else ''} {read_out('en', seats)}"


def win_figures(study: Study, made: str) -> list[Figure]:
    """Wins by seat and by bot, and how matches end."""
    credit = credit_of(study)
    named = sides_of(study)
    what = "seat" if study.teams is None else "team"
    seats = [f"seat {seat + 1}" if study.teams is None else seats_of_team(study.teams, seat) for _, _, seat in named]
    intervals = [of_part(credit[:, seat]) for _, _, seat in named]
    share = float(credit[:, [seat for _, _, seat in named]].mean())
    text = (
        f"Each dot shows how many of 100 matches a {what} wins; a shared victory counts in parts. The line through it"
        " is the 95 % interval; the dashed line is an equal share for everybody."
    )
    found = [dotted(f"Victories by {what}", text, made, what, seats, intervals, "share", PERCENT, share)]
    measured = measures_of(study)
    bots = [one for one in measured if one.key.startswith("wins.bot.")]
    if bots:
        names = [one.key.removeprefix("wins.bot.") for one in bots]
        sure = [of_part(one.values) for one in bots]
        text = "Each dot shows how many of 100 matches a seat with that bot wins, with its 95 % interval; the dashed line is an equal share."
        found.append(dotted("Victories by bot", text, made, "bot", names, sure, "share", PERCENT, share))
    others = [one for one in measured if one.key in ENDED]
    if others and (study.summary.endings["win"] or len(others) > 1):
        labels, sure = [one.title for one in others], [of_part(one.values) for one in others]
        text = "Each dot shows how many of 100 matches do not end with a single winner, with its 95 % interval."
        found.append(dotted("Other endings", text, made, "ending", labels, sure, "share", "of 100 matches"))
    return found


def score_figures(study: Study, made: str) -> list[Figure]:
    """The distribution of scores, and the sources of points."""
    scores = scores_of(study.columns)
    summary = study.summary
    seats = {f"seat {seat + 1}": scores[:, seat].tolist() for seat in range(scores.shape[1])}
    rows = [(f"seat {seat.seat}", *seat.score.shown(2)) for seat in summary.seats]
    lines = [one for one in measures_of(study) if one.key.startswith("line.")]
    titles = [one.title.removeprefix("points for ") for one in lines]
    intervals = [of_mean(one.values) for one in lines]
    text = "Each dot is a player's average on a line of the score sheet, with its 95 % interval."
    return [
        Figure(
            "Scores by seat",
            "The box has the middle half of all scores, the line the middle nine tenths; the stroke in the box is the median.",
            made,
            Table(("seat", *SPREAD_HEADS), rows),
            boxes(seats, "points"),
        ),
        dotted("Where points come from", text, made, "line", titles, intervals, "points", "points of a player"),
    ]


def length_figures(study: Study, made: str) -> list[Figure]:
    """How many decisions and rounds matches take."""
    columns, summary = study.columns, study.summary
    found = []
    lengths = [("decisions", columns.decisions, summary.length)]
    if summary.rounds.highest:
        lengths.append(("rounds", columns.rounds, summary.rounds))
    for unit, column, spread in lengths:
        found.append(
            Figure(
                f"Length in {unit}",
                f"Each bar shows how many matches took that many {unit}.",
                made,
                Table(("", *SPREAD_HEADS), [(unit, *spread.shown(1))]),
                histograms({"": column}, f"{unit} in a match"),
            )
        )
    return found


def tension_sections(study: Study, made: str) -> list[Section]:
    """How the lead goes over the course of a match, and how much there is to decide."""
    found = []
    for title, keys in (
        (
            "Tension",
            (
                "leader.quarter",
                "leader.half",
                "leader.three_quarters",
                "decided",
                "comebacks",
                "lead_changes",
                "closeness",
                "closeness.relative",
            ),
        ),
        ("Choices", ("options", "forced", "idle")),
    ):
        measured = [one for one in study.measured if one.key in keys]
        if not measured:
            continue
        rows = [(one.title, *ends(study.measures[one.key], one.unit)) for one in measured]
        table = Table(("measure", *INTERVAL_HEADS), rows)
        curve = course_curve(study) if title == "Tension" else ""
        how = COURSE_READ if curve else "Each line is the mean over all matches that have it, with its 95 % interval."
        head = "The course of a match" if curve else "How much there is to decide"
        found.append(Section(title, [Figure(head, how, made, table, curve)]))
    return found


COURSE_READ = (
    "How many of 100 matches the leader of each moment goes on to win, and in how many the later winner has already taken"
    " the lead for good. A game whose leader wins early has little left to play for; one whose leader is as good as"
    " anybody until the end has little to plan."
)


def course_curve(study: Study) -> str:
    """Curves over the course of a match, in twelfths."""
    gone = next((one.values for one in study.measured if one.key == "decided"), None)
    if gone is None:
        return ""
    leading = course_of(study)
    gone, stations = gone[numpy().isfinite(gone)], sorted(leading)
    decided = [of_part((gone <= station / STATIONS).astype(float)) for station in stations]
    places = [f"{100 * station // STATIONS}" for station in stations]
    series = {"the leader wins": [leading[station] for station in stations], "the lead is taken for good": decided}
    return curves(places, series, "share", "course of a match, in per cent of its rounds") if stations else ""


# --- a comparison -----------------------------------------------------------------------------------------------------


GROUPS = (
    ("Who wins", "share", "points in 100"),
    ("Tension and choices", "share", "points in 100"),
    ("Points", "points", "points"),
    ("Length", "decisions", "decisions"),
    ("Rounds", "rounds", "rounds"),
    ("Lead changes", "changes", "changes in a match"),
    ("Options", "options", "options a question"),
)


def report_of_comparison(comparison: Comparison) -> str:
    first, second = comparison.names
    made = made_by(comparison.first.plan, len(comparison)).replace(
        "matches.", "matches of each side, with the same seeds."
    )
    found = []
    courses = {one.key for one in comparison.first.measured if one.unit == "share"}
    for title, unit, axis in GROUPS:
        is_course = title == "Tension and choices"
        group = [one for one in comparison.differences if one.unit == unit and (one.key in courses) == is_course]
        if not group:
            continue
        how = (
            f"Each dot is the value with {first} minus that with {second}, and the line its 95 % interval; a full dot"
            " is a difference, with all measures taken into account; a hollow one may be chance."
        )
        found.append(differing(title, how, made, comparison.names, group, unit, axis))
    sections = [
        *own_sections(comparison.names, comparison.first, comparison.second),
        Section("What differs", found),
        *grouped_sections(comparison, made),
        Section("Distributions", distribution_figures(comparison, made)),
    ]
    subject = f"{made} {first}: {rules_of(comparison.first)} {second}: {rules_of(comparison.second)}"
    about = about_house_rules((comparison.first, comparison.second))
    return page(f"{first} against {second}", comparison.verdict, subject, sections, about)


def grouped_sections(comparison: Comparison, made: str) -> list[Section]:
    """The effect of taking things by what is printed on them, on both sides."""
    if not (comparison.first.plan.offers and comparison.second.plan.offers):
        return []
    sides = zip(comparison.names, (comparison.first, comparison.second), strict=True)
    figures = [
        replace(figure, title=f"{figure.title}: {name}")
        for name, one in sides
        for figure in attribute_figure(one, made)
    ]
    return [Section("By attribute", figures)] if figures else []


def distribution_figures(comparison: Comparison, made: str) -> list[Figure]:
    """Length and scores of both sides, over one another."""
    studies = dict(zip(comparison.names, (comparison.first, comparison.second), strict=True))
    found = []
    drawn: list[tuple[str, str, dict[str, list[int]]]] = [
        (
            "Length in decisions",
            "decisions in a match",
            {name: list(one.columns.decisions) for name, one in studies.items()},
        )
    ]
    if all(one.summary.rounds.highest for one in studies.values()):
        rounds = {name: list(one.columns.rounds) for name, one in studies.items()}
        drawn.append(("Length in rounds", "rounds in a match", rounds))
    if all(one.summary.titles for one in studies.values()):
        drawn.append(
            ("Scores", "points of a player", {name: list(one.columns.scores) for name, one in studies.items()})
        )
    for title, axis, series in drawn:
        rows = [(name, *Spread.of(values).shown(1)) for name, values in series.items()]
        how = "The outlines show how many matches (of scores: seats in matches) have each number, on both sides."
        found.append(Figure(title, how, made, Table(("side", *SPREAD_HEADS), rows), histograms(series, axis)))
    return found


# --- a sweep ----------------------------------------------------------------------------------------------------------


def report_of_sweep(sweep: Sweep) -> str:
    """The report of a sweep as a page: a curve for each measure, and for two options one for each value of the second."""
    study = sweep.studies[0]
    made = made_by(study.plan, len(study)).replace("matches.", "matches of each setting, with the same seeds.")
    names = list(sweep.swept)
    first = names[0]
    found = []
    for key in sweep.keys:
        points = sweep.curve(key)
        series: dict[str, list[Interval]] = {}
        places: dict[str, None] = {}
        for point in points:
            places[str(point.setting[first])] = None
            rest = {name: value for name, value in point.setting.items() if name != first}
            series.setdefault(described(rest) or point.title, []).append(point.interval)
        unit, intervals = points[0].unit, [point.interval for point in points]
        is_whole = all(len(one) == len(places) for one in series.values())
        found.append(
            Figure(
                capital(points[0].title),
                f"The line connects the measurements for each value of {first}; the band around it is the 95 % interval.",
                made,
                interval_table("setting", [described(one.setting) for one in points], intervals, unit),
                curves(list(places), series, unit, first) if is_whole else "",
            )
        )
    swept = " and ".join(f"{name} = {', '.join(map(str, values))}" for name, values in sweep.swept.items())
    return page(
        f"{study.game.title('en')}: {swept}",
        sweep.verdict,
        f"{made} {rules_of(study, without=names)}",
        [Section("Measure by measure", found)],
    )
