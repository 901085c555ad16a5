"""Makes the reports of studies, comparisons and sweeps: their figures in the order in which people ask for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from houserule.study.compare import Comparison
from houserule.study.figures import Interval, boxes, curves, dots, histogram, of_mean, of_part
from houserule.study.measures import credit_of, measures_of, scores_of
from houserule.study.options import option_sections
from houserule.study.page import Figure, Section, Table, page
from houserule.study.plan import Plan, described
from houserule.study.result import Study
from houserule.study.rows import UNKNOWN
from houserule.study.summary import SPREAD_HEADS
from houserule.study.sweep import Sweep
from houserule.study.verdicts import amount, capital, of_study
from houserule.writing import write_file


def report(result: Study | Comparison | Sweep, path: str | Path) -> None:
    """Write the report of a study, a comparison or a sweep as one self-contained HTML page.

    The report of a study includes options if the study was made with `offers` or `out`. Raises MissingExtra and OSError.
    """
    match result:
        case Study():
            text = report_of_study(result)
        case Comparison():
            text = report_of_comparison(result)
        case Sweep():
            text = report_of_sweep(result)
    write_file(Path(path), text)


PERCENT = "victories in 100 matches"


def made_by(plan: Plan, matches: int) -> str:
    """Which bots played, and how many matches."""
    counted = Counter(plan.seats)
    bots = " and ".join(f"{number} × {bot}" for bot, number in counted.items())
    rotated = ", each taking every seat in turn" if plan.rotations > 1 else ""
    return f"Played by {bots}{rotated}: {matches:,} matches."


def rules_of(study: Study) -> str:
    """Which rules were played."""
    plan = study.plan
    parts = [f"{plan.players} players", f"rules {plan.rules}"]
    if plan.variants:
        parts.append(f"with {', '.join(plan.variants)}")
    if plan.settings:
        parts.append(described(dict(plan.settings)))
    return "; ".join([*parts, f"seed {plan.seed}"]) + "."


def ends(interval: Interval, unit: str = "") -> tuple[str, str, str]:
    return amount(interval.estimate, unit), amount(interval.low, unit), amount(interval.high, unit)


INTERVAL_HEADS = ("estimate", "95 % from", "to")


def interval_table(first: str, labels: Sequence[str], intervals: Sequence[Interval], unit: str) -> Table:
    """A row for each interval."""
    rows = [(label, *ends(interval, unit)) for label, interval in zip(labels, intervals, strict=True)]
    return Table((first, *INTERVAL_HEADS), rows)


def dotted(
    title: str,
    text: str,
    made: str,
    first: str,
    labels: list[str],
    intervals: list[Interval],
    unit: str,
    axis: str,
    line: float | None = None,
) -> Figure:
    """A dot with its interval for each label, and the numbers as a table."""
    table = interval_table(first, labels, intervals, unit)
    return Figure(title, text, made, table, dots(labels, intervals, unit, axis, line))


# --- a study ----------------------------------------------------------------------------------------------------------


def report_of_study(study: Study) -> str:
    """The report of a study as a page."""
    made = made_by(study.plan, len(study))
    sections = [Section("Who wins", win_figures(study, made))]
    if study.summary.titles:
        sections.append(Section("Scores", score_figures(study, made)))
    sections.append(Section("How long it takes", length_figures(study, made)))
    sections += option_sections(study, made)
    return page(f"{study.game.title('en')}: a playtest", of_study(study), f"{made} {rules_of(study)}", sections)


def win_figures(study: Study, made: str) -> list[Figure]:
    """Wins by seat and by bot, and how matches end."""
    credit = credit_of(study)
    players = credit.shape[1]
    seats = [f"seat {seat + 1}" for seat in range(players)]
    intervals = [of_part(credit[:, seat]) for seat in range(players)]
    share = float(credit.mean())
    text = (
        "Each dot shows how many of 100 matches a seat wins; a shared victory counts in parts. The line through it"
        " is the 95 % interval; the dashed line is an equal share for everybody."
    )
    found = [dotted("Victories by seat", text, made, "seat", seats, intervals, "share", PERCENT, share)]
    bots = [one for one in measures_of(study) if one.key.startswith("wins.bot.")]
    if bots:
        names = [one.key.removeprefix("wins.bot.") for one in bots]
        sure = [of_part(one.values) for one in bots]
        text = "Each dot shows how many of 100 matches a seat with that bot wins, with its 95 % interval; the dashed line is an equal share."
        found.append(dotted("Victories by bot", text, made, "bot", names, sure, "share", PERCENT, share))
    words = {
        "win": "one wins",
        "shared": "shared",
        "victory": "all win",
        "draw": "draw",
        "defeat": "all lose",
        "undecided": "nobody wins",
    }
    summary = study.summary
    kinds = [ending for ending in words if summary.endings[ending]]
    if len(kinds) > 1:
        by_key = {one.key: one for one in measures_of(study)}
        others = [of_part(by_key[kind].values) for kind in kinds if kind != "win"]
        labels = [words[kind] for kind in kinds if kind != "win"]
        text = "Each dot shows how many of 100 matches do not end with a single winner, with its 95 % interval."
        found.append(dotted("Other endings", text, made, "ending", labels, others, "share", "of 100 matches"))
    return found


def score_figures(study: Study, made: str) -> list[Figure]:
    """The distribution of scores, and the sources of points."""
    scores = scores_of(study)
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
    if summary.rounds is not None and columns.rounds[0] != UNKNOWN and summary.rounds.highest:
        lengths.append(("rounds", columns.rounds, summary.rounds))
    for unit, column, spread in lengths:
        found.append(
            Figure(
                f"Length in {unit}",
                f"Each bar shows how many matches took that many {unit}.",
                made,
                Table(("", *SPREAD_HEADS), [(unit, *spread.shown(1))]),
                histogram(list(column), f"{unit} in a match"),
            )
        )
    return found


# --- a comparison -----------------------------------------------------------------------------------------------------


GROUPS = (
    ("Who wins", "share", "points in 100 matches"),
    ("Points", "points", "points"),
    ("Length", "decisions", "decisions"),
    ("Rounds", "rounds", "rounds"),
    ("Lead changes", "changes", "changes in a match"),
)


def report_of_comparison(comparison: Comparison) -> str:
    """The report of a comparison as a page."""
    first, second = comparison.names
    made = made_by(comparison.first.plan, len(comparison)).replace(
        "matches.", "matches of each side, with the same seeds."
    )
    found = []
    for title, unit, axis in GROUPS:
        group = [one for one in comparison.differences if one.unit == unit]
        if not group:
            continue
        rows = [
            (
                one.title,
                amount(one.first, unit),
                amount(one.second, unit),
                *ends(one.interval, unit),
                "yes" if one.is_told else "no",
            )
            for one in group
        ]
        found.append(
            Figure(
                title,
                f"Each dot is the value with {first} minus that with {second}, and the line its 95 % interval; a line that"
                " does not reach the dashed zero is a difference, unless it is chance, as one of many.",
                made,
                Table(("measure", first, second, "difference", "95 % from", "to", "told"), rows),
                dots(
                    [one.title.removeprefix("points for ") for one in group],
                    [one.interval for one in group],
                    unit,
                    axis,
                    0.0,
                ),
            )
        )
    subject = f"{made} {first}: {rules_of(comparison.first)} {second}: {rules_of(comparison.second)}"
    return page(f"{first} against {second}", comparison.verdict, subject, [Section("What differs", found)])


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
        unit = points[0].unit
        found.append(
            Figure(
                capital(points[0].title),
                f"The line connects the measurements for each value of {first}; the band around it is the 95 % interval.",
                made,
                interval_table(
                    "setting",
                    [described(point.setting) for point in points],
                    [point.interval for point in points],
                    unit,
                ),
                curves(list(places), series, unit, first)
                if all(len(one) == len(places) for one in series.values())
                else "",
            )
        )
    title = f"{study.game.title('en')}: {' and '.join(names)}"
    return page(title, sweep.verdict, f"{made} {rules_of(study)}", [Section("Measure by measure", found)])
