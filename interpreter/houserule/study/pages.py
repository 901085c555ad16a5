"""Pages of figures that need nothing else: a verdict, and sections of figures with their numbers, among them those of options.

Of each option: how often it was offered and taken, and what taking it is associated with.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape

from houserule.printable import printable
from houserule.study.figures import Interval, adjusted, dots, of_difference
from houserule.study.measures import Difference, amount
from houserule.study.offers import MEASURES, SORTS
from houserule.study.plan import Plan, described
from houserule.study.simulate import Study

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
pre{padding:.75rem 1rem;background:var(--panel);border-radius:.5rem;overflow-x:auto;font-size:.85rem}code{font-size:.9em}
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
    lines: Sequence[str] = ()  # one below the other, as they are written


MOST_ROWS = 20
"""The rows of a long table that are shown at first."""


def told(text: str) -> str:
    """A text in a page; what stands in backticks is typed."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(printable(text)))


def table_of(table: Table) -> str:
    """A table; of a long one the first rows, and the whole of it to be unfolded."""
    first = wide(table.heads, table.rows[:MOST_ROWS])
    if len(table.rows) <= MOST_ROWS:
        return first
    rest = wide(table.heads, table.rows[MOST_ROWS:])
    return f"{first}<details><summary>{len(table.rows) - MOST_ROWS} more</summary>{rest}</details>"


def wide(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    named = "".join(f'<th scope="col">{told(head)}</th>' for head in heads)
    body = "".join("<tr>" + "".join(f"<td>{told(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{named}</tr></thead><tbody>{body}</tbody></table></div>'


def figure_of(figure: Figure) -> str:
    """A figure with its explanation above and its numbers below; a figure of numbers alone takes the whole width."""
    opening = "" if figure.svg else ' class="broad"'
    numbers = (
        f"<details{'' if figure.svg else ' open'}><summary>The numbers</summary>{table_of(figure.table)}</details>"
    )
    if not figure.table.rows:
        numbers = "<p>There is nothing to show here: nothing of this kind happened.</p>"
    return (
        f"<figure{opening}><h3>{told(figure.title)}</h3>{figure.svg}"
        f'<figcaption><p>{told(figure.how)}</p><p class="faint">{told(figure.made)}</p></figcaption>'
        f"{numbers}</figure>"
    )


def page(
    title: str, verdict: Sequence[str], subject: str, sections: Sequence[Section], about: Sequence[str] = ()
) -> str:
    """A page; `about` says in a paragraph each what it is about, below the title."""
    parts = []
    for section in sections:
        text = f"<p>{told(section.text)}</p>" if section.text else ""
        text += f"<pre>{escape(chr(10).join(map(printable, section.lines)))}</pre>" if section.lines else ""
        shown = "".join(figure_of(figure) for figure in section.figures)
        parts.append(f'<section><h2>{told(section.title)}</h2>{text}<div class="figures">{shown}</div></section>')
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{escape(printable(title))}</title><style>{STYLE}</style></head><body><main><h1>{told(title)}</h1>"
        f"{''.join(f'<p>{told(one)}</p>' for one in about)}"
        f'<p class="verdict">{" ".join(told(sentence) for sentence in verdict)}</p>'
        f'<p class="faint">{told(subject)}</p>{"".join(parts)}</main></body></html>\n'
    )


PERCENT = "victories in 100 matches"


def made_by(plan: Plan, matches: int) -> str:
    """Which bots played, and how many matches."""
    counted = Counter(plan.seats)
    bots = " and ".join(f"{number} × {bot}" for bot, number in counted.items())
    rotated = ", each taking every seat in turn" if plan.rotations > 1 else ""
    return f"Played by {bots}{rotated}: {matches:,} matches."


def rules_of(study: Study, without: Sequence[str] = ()) -> str:
    """The rules of a study in words; options that are swept are told elsewhere."""
    plan = study.plan
    parts = [f"{plan.players} players", *([] if without else [f"rules {plan.rules}"])]
    if plan.variants:
        parts.append(f"with {', '.join(plan.variants)}")
    settings = {name: value for name, value in plan.settings if name not in without}
    if settings:
        parts.append(described(settings))
    return "; ".join([*parts, f"seed {plan.seed}"]) + "."


def ends(interval: Interval, unit: str = "") -> tuple[str, str, str]:
    return amount(interval.estimate, unit), amount(interval.low, unit), amount(interval.high, unit)


INTERVAL_HEADS = ("estimate", "95 % from", "to")


def interval_table(first: str, labels: Sequence[str], intervals: Sequence[Interval], unit: str) -> Table:
    rows = [(label, *ends(interval, unit)) for label, interval in zip(labels, intervals, strict=True)]
    return Table((first, *INTERVAL_HEADS), rows)


def differing(
    title: str, how: str, made: str, names: Sequence[str], differences: Sequence[Difference], unit: str, axis: str
) -> Figure:
    """Measures on two sides, and the differences of those with a unit as dots: full ones, if they are told."""
    rows = [
        (one.title, *one.sides, *ends(one.interval, one.unit), "yes" if one.is_told else "no") for one in differences
    ]
    drawn = [one for one in differences if one.unit == unit]
    labels, intervals = [one.title.removeprefix("points for ") for one in drawn], [one.interval for one in drawn]
    table = Table(("measure", *names, "difference", "95 % from", "to", "told"), rows)
    return Figure(title, how, made, table, dots(labels, intervals, unit, axis, 0.0, [one.is_told for one in drawn]))


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


FEWEST = 20
"""The fewest matches, with it and without it, from which its effect is estimated."""
MOST_SHOWN = 15


@dataclass(frozen=True, slots=True)
class Taken:
    """An item at a question, over all seats and bots, apart for each thing that the question names. `effect` is how much more
    often those who took it at least once win than those who were offered it and never took it; None if there were too few."""

    kind: str
    item: str
    title: str
    question: str
    about: tuple[str, str]
    offered: int
    taken: int
    had: float
    without: float
    wins_taken: float
    wins_left: float
    effect: Interval | None

    @property
    def wins(self) -> tuple[str, str]:
        """The share of matches that those win who took it, and those who left it; empty for none of them."""
        sides = ((self.wins_taken, self.had), (self.wins_left, self.without))
        taken, left = (f"{won * 100:.0f} %" if number else "" for won, number in sides)
        return taken, left

    @property
    def share(self) -> str:
        """How much of what was offered was taken."""
        return f"{self.taken / self.offered * 100:.0f} %" if self.offered else ""


def taken_of(study: Study, bot: str | None = None) -> list[Taken]:
    """All options, or those of one bot, the most often offered first."""
    sums: dict[tuple[str, str, str, str, tuple[str, str]], list[float]] = {}
    things = {(item.question, item.about): item for item in study.rows.items}
    for row in study.options():
        if bot is not None and row["bot"] != bot:
            continue
        named = things[row["question"], row["about"]]
        title = f"{named.thing}: {row['title']}" if named.thing else row["title"]
        key = (row["kind"], row["item"], title, row["question"], (named.sort, named.about))
        counts = sums.setdefault(key, [0.0] * len(MEASURES))
        for number, name in enumerate(MEASURES):
            counts[number] += row[name]
    found = []
    for (kind, item, title, question, about), (offered, taken, seen, had, won, left) in sums.items():
        without = seen - had
        shares = won / had if had else 0.0, left / without if without else 0.0
        effect = None
        if had >= FEWEST and without >= FEWEST:
            effect = of_difference(round(won), round(had), round(left), round(without))
        found.append(
            Taken(kind, item, title, question, about, round(offered), round(taken), had, without, *shares, effect)
        )
    return sorted(found, key=lambda one: (-one.offered, one.question, one.title))


def option_sections(study: Study, made: str, bot: str | None = None) -> list[Section]:
    """A section for each kind of option; none where options were not counted. With a bot, they tell of its play alone."""
    listed = taken_of(study, bot)
    kinds = sorted(
        {one.kind for one in listed}, key=lambda kind: (kind in SORTS, SORTS.index(kind) if kind in SORTS else 0, kind)
    )
    sections = [section_of(kind, [one for one in listed if one.kind == kind], made) for kind in kinds if kind != "race"]
    grouped = attribute_figure(study, made, bot) if listed else []
    return [*([Section("By attribute", grouped)] if grouped else []), *sections]


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


def distinct(named: Sequence[tuple[str, str]]) -> list[str]:
    """Labels of things at questions: with the question where two are alike."""
    titles = [title for title, _ in named]
    return [f"{title}: {question}" if titles.count(title) > 1 and question else title for title, question in named]


Group = tuple[str, str, str]
"""A kind, an attribute and its value."""


@dataclass(frozen=True, slots=True)
class Grouped:
    """The things of a kind with the same printed value: how many, and what taking one is associated with."""

    group: Group
    things: int
    wins_taken: float
    wins_left: float
    effect: Interval

    @property
    def label(self) -> str:
        kind, attribute, value = self.group
        return f"{kind} {attribute}: {value}".replace("_", " ")


def grouped_of(study: Study, bot: str | None = None) -> list[Grouped]:
    """The groups that enough matches show, of attributes with several values.

    What a player takes of a group in one match is not independent: all of it counts as one observation at most.
    """
    printed = study.rows.printed
    sums: dict[Group, list[float]] = {}
    sizes: dict[Group, set[str]] = {}
    for one in taken_of(study, bot):
        for attribute, value in printed.get((one.kind, one.item), {}).items():
            key = one.kind, attribute, value
            counts = sums.setdefault(key, [0.0] * 4)
            for number, more in enumerate(
                (one.had, one.wins_taken * one.had, one.without, one.wins_left * one.without)
            ):
                counts[number] += more
            sizes.setdefault(key, set()).add(one.item)
    values = Counter(key[:2] for key in sums)
    most = len(study) * study.plan.players
    found = []
    for key, (had, won, without, left) in sums.items():
        part = min(1.0, most / max(1.0, had + without))
        if values[key[:2]] > 1 and len(sizes[key]) > 1 and min(had, without) * part >= FEWEST:
            effect = of_difference(round(won * part), round(had * part), round(left * part), round(without * part))
            found.append(Grouped(key, len(sizes[key]), won / had, left / without, effect))
    return sorted(found, key=lambda one: -one.effect.estimate)


def attribute_figure(study: Study, made: str, bot: str | None = None) -> list[Figure]:
    """The effect of taking things by what is printed on them: all gold tiles together."""
    known = grouped_of(study, bot)
    if not known:
        return []
    sure = adjusted([one.effect.p for one in known])
    rows = []
    for one, p in zip(known, sure, strict=True):
        at = one.effect
        wins = (f"{share * 100:.0f} %" for share in (one.wins_taken, one.wins_left))
        cells = (f"{end * 100:+.1f}" for end in (at.estimate, at.low, at.high))
        rows.append((one.label, str(one.things), *wins, *cells, "yes" if p < 0.05 else "no"))
    shown = [one for one, p in zip(known, sure, strict=True) if p < 0.05][:MOST_SHOWN]
    labels, effects = [one.label for one in shown], [one.effect for one in shown]
    axis = "more victories in 100 matches"
    return [
        Figure(
            "By what is printed on it",
            "Things with the same printed value together: how many of 100 matches are won by those who took one and by those who"
            " could have and did not. Differences are adjusted for the number of groups; what one player takes in a match counts once.",
            made,
            Table(
                ("printed", "things", "wins if taken", "wins if left", "difference", "95 % from", "to", "told"), rows
            ),
            dots(labels, effects, "share", axis, 0.0) if shown else "",
        )
    ]


def effect_figure(listed: Iterable[Taken], made: str) -> list[Figure]:
    """The items whose effect on winning is significant."""
    known = [(one, one.effect) for one in listed if one.effect is not None]
    sure = adjusted([effect.p for _, effect in known])
    told = [pair for pair, p in zip(known, sure, strict=True) if p < 0.05]
    if not told:
        return []
    shown = sorted(told, key=lambda pair: -abs(pair[1].estimate))[:MOST_SHOWN]
    shown.sort(key=lambda pair: -pair[1].estimate)
    labels = distinct([(one.title, read_aloud(one.question)) for one, _ in shown])
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
            differs = "too few"
            if effect is not None:
                differs = f"{effect.estimate * 100:+.1f} ({effect.low * 100:+.1f} to {effect.high * 100:+.1f})"
            rows.append((one.title, f"{one.offered:,}", f"{one.taken:,}", one.share, *one.wins, differs))
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
