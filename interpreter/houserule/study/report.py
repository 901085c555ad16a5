"""Reports of studies, comparisons and sweeps: pages of figures in the order in which people ask for them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from houserule.native.memory import STATIONS
from houserule.printable import printable
from houserule.study.compare import Comparison, Sweep
from houserule.study.figures import (
    Interval,
    adjusted,
    boxes,
    curves,
    dots,
    histogram,
    numpy,
    of_difference,
    of_mean,
    of_part,
)
from houserule.study.measures import amount, capital, credit_of, measures_of, of_study, scores_of, sides_of
from houserule.study.offers import MEASURES
from houserule.study.plan import Plan, described
from houserule.study.simulate import SPREAD_HEADS, Study
from houserule.study.tension import leader_wins
from houserule.writing import write_file

STYLE = """
:root{color-scheme:light dark;--paper:#fff;--ink:#1c1c1e;--faint:#6b6b70;--grid:#e3e3e6;--panel:#f5f5f7;
--series-1:#1f5fa8;--series-2:#b3541e;--series-3:#2f7d4f;--series-4:#7b3f98;--series-5:#a8862a;--series-6:#a83253}
@media(prefers-color-scheme:dark){:root{--paper:#141416;--ink:#ececee;--faint:#a0a0a6;--grid:#333338;--panel:#1f1f23;
--series-1:#7fb2f0;--series-2:#f0a070;--series-3:#7fd0a0;--series-4:#cf9fe8;--series-5:#e0c060;--series-6:#f08fae}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem;max-width:72rem;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
h1{font-size:1.6rem;line-height:1.25;margin:.5rem 0}h2{font-size:1.25rem;margin:2.5rem 0 .5rem}h3{font-size:1.05rem;margin:0 0 .25rem}
.verdict{font-size:1.15rem;max-width:42rem}.faint{color:var(--faint)}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:1.5rem 2rem;align-items:start}
figure.broad{grid-column:1/-1}figure{margin:0;padding:1rem;background:var(--panel);border-radius:.5rem;min-width:0}
figure svg{display:block;width:100%;max-width:30rem;height:auto;margin:.5rem 0}svg text{font-family:system-ui,sans-serif}
figcaption{font-size:.9rem}figcaption p{margin:.25rem 0}
summary{cursor:pointer;padding:.4rem 0;font-weight:600}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.85rem}
th,td{text-align:right;padding:.2rem .6rem;border-bottom:1px solid var(--grid)}th{vertical-align:bottom}
th:first-child,td:first-child{text-align:left;padding-left:0}tbody td:first-child{min-width:8rem;overflow-wrap:anywhere}
@media print{details{display:block}}
"""


@dataclass(frozen=True, slots=True)
class Table:
    """Numbers as text: `heads` and rows. The first column names the row."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as SVG, or none: how to read it, what was played for it, and its numbers."""

    title: str
    how: str
    made: str
    table: Table
    svg: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """Some figures under a heading."""

    title: str
    figures: Sequence[Figure] = field(default_factory=tuple)
    text: str = ""


def told(text: str) -> str:
    return escape(printable(text))


def table_of(table: Table) -> str:
    heads = "".join(f'<th scope="col">{told(head)}</th>' for head in table.heads)
    rows = "".join("<tr>" + "".join(f"<td>{told(cell)}</td>" for cell in row) + "</tr>" for row in table.rows)
    return f'<div class="wide"><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'


def figure_of(figure: Figure) -> str:
    """A figure with its explanation above and its numbers below; a figure of numbers alone takes the whole width."""
    opening = "" if figure.svg else ' class="broad"'
    return (
        f"<figure{opening}><h3>{told(figure.title)}</h3>{figure.svg}"
        f'<figcaption><p>{told(figure.how)}</p><p class="faint">{told(figure.made)}</p></figcaption>'
        f"<details{'' if figure.svg else ' open'}><summary>The numbers</summary>{table_of(figure.table)}</details></figure>"
    )


def page(title: str, verdict: Sequence[str], subject: str, sections: Sequence[Section]) -> str:
    parts = []
    for section in sections:
        text = f"<p>{told(section.text)}</p>" if section.text else ""
        shown = "".join(figure_of(figure) for figure in section.figures)
        parts.append(f'<section><h2>{told(section.title)}</h2>{text}<div class="figures">{shown}</div></section>')
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{told(title)}</title><style>{STYLE}</style></head><body><main><h1>{told(title)}</h1>"
        f'<p class="verdict">{" ".join(told(sentence) for sentence in verdict)}</p>'
        f'<p class="faint">{told(subject)}</p>{"".join(parts)}</main></body></html>\n'
    )


FEWEST = 20
"""The fewest matches, with it and without it, from which its effect is estimated."""
MOST_SHOWN = 15
LAST = ("option", "race", "truth", "player", "number", "pass")
"""Kinds that are not things of the game come last."""


@dataclass(frozen=True, slots=True)
class Taken:
    """An item at a question, over all seats and bots. `effect` is how much more often those who took it at least once win than
    those who were offered it and never took it; None if there were too few."""

    kind: str
    title: str
    question: str
    offered: int
    taken: int
    wins_taken: float
    wins_left: float
    effect: Interval | None


def taken_of(study: Study) -> list[Taken]:
    """All options, the most often offered first."""
    sums: dict[tuple[str, str, str], list[float]] = {}
    for row in study.options():
        key = (row["kind"], row["title"], row["question"])
        counts = sums.setdefault(key, [0.0] * len(MEASURES))
        for number, name in enumerate(MEASURES):
            counts[number] += row[name]
    found = []
    for (kind, title, question), (offered, taken, seen, had, won, left) in sums.items():
        without = seen - had
        shares = won / had if had else 0.0, left / without if without else 0.0
        effect = None
        if had >= FEWEST and without >= FEWEST:
            effect = of_difference(round(won), round(had), round(left), round(without))
        found.append(Taken(kind, title, question, round(offered), round(taken), *shares, effect))
    return sorted(found, key=lambda one: (-one.offered, one.question, one.title))


def option_sections(study: Study, made: str) -> list[Section]:
    """A section for each kind of option; none where options were not counted."""
    listed = taken_of(study)
    kinds = sorted(
        {one.kind for one in listed}, key=lambda kind: (kind in LAST, LAST.index(kind) if kind in LAST else 0, kind)
    )
    return [section_of(kind, [one for one in listed if one.kind == kind], made) for kind in kinds if kind != "race"]


HEADINGS = {
    "option": "Lines of menus",
    "truth": "Yes and no",
    "player": "Players",
    "number": "Numbers",
    "pass": "Passing",
}


def section_of(kind: str, listed: Sequence[Taken], made: str) -> Section:
    """The section of one kind: the effect of taking an item, and the numbers for each question."""
    heading = HEADINGS.get(kind, f"Choices of {kind.replace('_', ' ')}")
    return Section(heading, [*effect_figure(listed, made), *use_figures(listed, made)])


def read_aloud(question: str) -> str:
    """The text of a question with `…` for the names in braces: `Which side of … becomes …?`."""
    return re.sub(r"\{[^{}]*\}", "…", question)


def effect_figure(listed: Iterable[Taken], made: str) -> list[Figure]:
    """The items whose effect on winning is significant."""
    known = [(one, one.effect) for one in listed if one.effect is not None]
    sure = adjusted([effect.p for _, effect in known])
    told = [pair for pair, p in zip(known, sure, strict=True) if p < 0.05]
    if not told:
        return []
    shown = sorted(told, key=lambda pair: -abs(pair[1].estimate))[:MOST_SHOWN]
    shown.sort(key=lambda pair: -pair[1].estimate)
    labels = [one.title for one, _ in shown]
    rows = [
        (one.title, read_aloud(one.question), *(f"{end * 100:+.1f}" for end in (at.estimate, at.low, at.high)))
        for one, at in shown
    ]
    return [
        Figure(
            "What taking it is associated with",
            "Each dot shows how many more of 100 matches are won by those who took it at least once than by those who could have and did not,"
            " with its 95 % interval. Only significant differences are shown. Those who take it may win for another reason.",
            made,
            Table(("taken", "at the question", "more wins in 100", "95 % from", "to"), rows),
            dots(labels, [effect for _, effect in shown], "share", "more victories in 100 matches", 0.0),
        )
    ]


def use_figures(listed: Sequence[Taken], made: str) -> list[Figure]:
    """How often each item was offered and taken: a table for each question."""
    by_question: dict[str, list[Taken]] = {}
    for one in listed:
        by_question.setdefault(one.question, []).append(one)
    found = []
    for question, items in by_question.items():
        rows = []
        for one in items:
            effect = one.effect
            of_offers = f"{one.taken / one.offered * 100:.0f} %" if one.offered else ""
            wins = f"{one.wins_taken * 100:.0f} %", f"{one.wins_left * 100:.0f} %"
            differs = "too few"
            if effect is not None:
                differs = f"{effect.estimate * 100:+.1f} ({effect.low * 100:+.1f} to {effect.high * 100:+.1f})"
            rows.append((one.title, f"{one.offered:,}", f"{one.taken:,}", of_offers, *wins, differs))
        heads = ("", "offered", "taken", "of offers", "wins if taken", "wins if left", "difference in 100 (95 %)")
        found.append(
            Figure(
                read_aloud(question) or "A choice without a question",
                "How often each was offered and taken, and how many matches were won by those who took it at least once, and by those who could have and never did.",
                made,
                Table(heads, rows),
            )
        )
    return found


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
    made = made_by(study.plan, len(study))
    sections = [Section("Who wins", win_figures(study, made))]
    if study.summary.titles:
        sections.append(Section("Scores", score_figures(study, made)))
    sections.append(Section("How long it takes", length_figures(study, made)))
    sections += tension_sections(study, made)
    sections += option_sections(study, made)
    return page(f"{study.game.title('en')}: a playtest", of_study(study), f"{made} {rules_of(study)}", sections)


OTHER_ENDINGS = {
    "shared": "shared",
    "victory": "all win",
    "draw": "draw",
    "defeat": "all lose",
    "undecided": "nobody wins",
}


def seats_of_team(teams: Sequence[int], first: int) -> str:
    """The seats of a team, in words."""
    seats = [str(seat + 1) for seat, team in enumerate(teams) if team == first]
    return f"seat {seats[0]}" if len(seats) == 1 else f"seats {', '.join(seats[:-1])} and {seats[-1]}"


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
    bots = [one for one in measures_of(study) if one.key.startswith("wins.bot.")]
    if bots:
        names = [one.key.removeprefix("wins.bot.") for one in bots]
        sure = [of_part(one.values) for one in bots]
        text = "Each dot shows how many of 100 matches a seat with that bot wins, with its 95 % interval; the dashed line is an equal share."
        found.append(dotted("Victories by bot", text, made, "bot", names, sure, "share", PERCENT, share))
    endings = study.summary.endings
    kinds = [ending for ending in OTHER_ENDINGS if endings[ending]]
    if kinds and (endings["win"] or len(kinds) > 1):
        by_key = {one.key: one for one in measures_of(study)}
        others = [of_part(by_key[kind].values) for kind in kinds]
        labels = [OTHER_ENDINGS[kind] for kind in kinds]
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
    if summary.rounds.highest:
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


def tension_sections(study: Study, made: str) -> list[Section]:
    """How the lead goes over the course of a match, and how much there is to decide."""
    found = []
    for title, keys in (
        ("Tension", ("leader.quarter", "leader.half", "leader.three_quarters", "decided", "comebacks", "lead_changes")),
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
    wins = leader_wins(study.columns)
    leading, decided = [], []
    gone = next((one.values for one in study.measured if one.key == "decided"), None)
    if gone is None:
        return ""
    stations = [station for station in range(1, STATIONS) if numpy().isfinite(wins[:, station - 1]).sum() >= FEWEST]
    for station in stations:
        column = wins[:, station - 1]
        leading.append(of_part(column[numpy().isfinite(column)]))
        decided.append(of_part((gone[numpy().isfinite(gone)] <= station / STATIONS).astype(float)))
    places = [f"{100 * station // STATIONS}" for station in stations]
    series = {"the leader wins": leading, "the lead is taken for good": decided}
    return curves(places, series, "share", "course of a match, in per cent of its rounds") if stations else ""


# --- a comparison -----------------------------------------------------------------------------------------------------


GROUPS = (
    ("Who wins", "share", "points in 100"),
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
    for title, unit, axis in GROUPS:
        group = [one for one in comparison.differences if one.unit == unit]
        if not group:
            continue
        cells = [(one, [amount(side, unit) for side in (one.first, one.second)]) for one in group]
        rows = [(one.title, *sides, *ends(one.interval, unit), "yes" if one.is_told else "no") for one, sides in cells]
        labels = [one.title.removeprefix("points for ") for one in group]
        found.append(
            Figure(
                title,
                f"Each dot is the value with {first} minus that with {second}, and the line its 95 % interval; a line that"
                " does not reach the dashed zero is a difference, unless it is chance, as one of many.",
                made,
                Table(("measure", first, second, "difference", "95 % from", "to", "told"), rows),
                dots(labels, [one.interval for one in group], unit, axis, 0.0),
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
    title = f"{study.game.title('en')}: {' and '.join(names)}"
    return page(title, sweep.verdict, f"{made} {rules_of(study)}", [Section("Measure by measure", found)])
