"""Pages of figures that need nothing else: a verdict, and sections of figures with their numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

from houserule.printable import printable
from houserule.study.figures import Interval, dots
from houserule.study.measures import amount
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
