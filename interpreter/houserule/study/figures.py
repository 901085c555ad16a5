"""Figures of a study and their confidence intervals, and the libraries that only studies need."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import StringIO
from itertools import pairwise
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from houserule.extras import library
from houserule.printable import printable

if TYPE_CHECKING:
    from numpy import ndarray

    Numbers = ndarray[Any, Any]
    """An array, for other modules too: NumPy is imported when it is first used."""


@cache
def numpy() -> Any:
    return library("numpy", "study")


def figures() -> Any:
    """The figures of matplotlib. Raises MissingExtra, naming what reports need."""
    numpy()
    library("pyarrow", "study")
    statistics()
    return library("matplotlib.figure", "study")


def statistics() -> Any:
    """SciPy's functions of distributions. Its module of statistics, which computes the same from them, takes longer to import than most studies to play."""
    return library("scipy.special", "study")


LEVEL = 0.95
ALIKE = 1e-12
"""A difference no greater than this is rounding."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its 95 % interval, and `p`, the probability of at least such a value by chance if there is no effect."""

    estimate: float
    low: float
    high: float
    p: float = 1.0

    @property
    def width(self) -> float:
        return self.high - self.low

    @property
    def reach(self) -> float:
        """The distance from 0 of the end that is further from it."""
        return max(abs(self.low), abs(self.high))

    def to_json(self) -> dict[str, float]:
        """The numbers by key; null for what is not finite."""
        ends = {"estimate": self.estimate, "low": self.low, "high": self.high}
        return {name: value if abs(value) < float("inf") else None for name, value in ends.items()}  # type: ignore[misc]  # JSON has no infinity


def of_share(successes: int, trials: int) -> Interval:
    """A share of independent trials (Wilson's interval)."""
    if not trials:
        return Interval(0.0, 0.0, 1.0)
    share, z = successes / trials, float(statistics().ndtri(0.5 + 0.5 * LEVEL))
    whole = 2 * (trials + z**2)
    centre = (2 * trials * share + z**2) / whole
    room = z / whole * math.sqrt(4 * trials * share * (1 - share) + z**2)
    return Interval(share, centre - room if successes else 0.0, centre + room if successes < trials else 1.0)


def of_mean(values: Numbers, bounded: bool = False) -> Interval:
    """The mean of independent measurements (Student's t), tested against 0.

    Measurements that are all equal do not show how others would vary. If they are `bounded`, between -1 and 1, they get
    the interval of an event that has never occurred.
    """
    np = numpy()
    number = len(values)
    mean = float(values.mean()) if number else 0.0
    if number < 2:
        return Interval(mean, float("-inf"), float("inf"))
    if np.ptp(values) <= ALIKE * max(1.0, abs(mean)):
        room = of_share(0, number).high if bounded else 0.0
        return Interval(mean, mean - room, mean + room, 1.0 if abs(mean) <= ALIKE else 0.0)
    return of_student(mean, math.sqrt(variance(values) / number), number - 1)


def variance(values: Numbers) -> float:
    return float(values.var() * (len(values) / (len(values) - 1)))


def of_student(estimate: float, error: float, freedom: float) -> Interval:
    """An estimate with a standard error, by Student's t with so many degrees of freedom."""
    of_t, tail = statistics(), (1 - LEVEL) / 2
    low, high = (float(of_t.stdtrit(freedom, p)) * error + estimate for p in (tail, 1 - tail))
    return Interval(estimate, low, high, 2 * float(of_t.stdtr(freedom, -abs(estimate / error))))


def of_part(values: Numbers) -> Interval:
    """The mean of numbers from 0 to 1: Wilson's interval if each is 0 or 1, else Student's, clipped to 0 and 1."""
    if not ((values > 0) & (values < 1)).any():
        return of_share(int(values.sum()), len(values))
    found = of_mean(values, bounded=True)
    return Interval(found.estimate, max(found.low, 0.0), min(found.high, 1.0), found.p)


def adjusted(probabilities: list[float]) -> list[float]:
    if not probabilities:
        return []
    return [float(p) for p in library("scipy.stats", "study").false_discovery_control(probabilities)]


def of_difference(successes: int, trials: int, other_successes: int, other_trials: int) -> Interval:
    """The difference of two shares from separate trials (Welch's t on the single trials)."""
    if trials < 2 or other_trials < 2:
        return Interval(0.0, float("-inf"), float("inf"))
    share, other = successes / trials, other_successes / other_trials
    return of_welch(share, share * (1 - share), trials, other, other * (1 - other), other_trials)


def of_two_means(ours: Numbers, theirs: Numbers) -> Interval:
    """The difference of the means of two separate samples (Welch's t)."""
    if len(ours) < 2 or len(theirs) < 2:
        return Interval(0.0, float("-inf"), float("inf"))
    spread, other = (float(values.var()) if numpy().ptp(values) else 0.0 for values in (ours, theirs))
    return of_welch(float(ours.mean()), spread, len(ours), float(theirs.mean()), other, len(theirs))


def of_welch(mean: float, spread: float, trials: int, other: float, other_spread: float, other_trials: int) -> Interval:
    """The difference of two means of two trials or more each, given how far the trials are spread about them (the mean square)."""
    estimate = mean - other
    if not spread and not other_spread:
        return Interval(estimate, estimate - of_share(0, trials).high, estimate + of_share(0, other_trials).high)
    a, b = spread / (trials - 1), other_spread / (other_trials - 1)
    return of_student(estimate, math.sqrt(a + b), (a + b) ** 2 / (a**2 / (trials - 1) + b**2 / (other_trials - 1)))


INK, FAINT, GRID, PANEL = "#010203", "#040506", "#070809", "#0a0b00"
SERIES = ("#0a0b01", "#0a0b02", "#0a0b03", "#0a0b04", "#0a0b05", "#0a0b06")
COLOURS = {INK: "var(--ink)", FAINT: "var(--faint)", GRID: "var(--grid)", PANEL: "var(--panel)"} | {
    colour: f"var(--series-{number})" for number, colour in enumerate(SERIES, 1)
}
"""Placeholders for the colours of the page."""
WIDTH = 3.9
"""Inches. A figure is as narrow as a phone, so that its text is legible there."""
LONGEST_LABEL = 22
MOST_BINS = 40


def drawn(height: float, draw: Callable[[Any], None]) -> str:
    """A figure as SVG; `draw` receives the axes."""
    figure_module = figures()
    from matplotlib import rc_context, rcdefaults, rcParams
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    settings: Any = {
        "svg.fonttype": "none",
        "svg.hashsalt": "houserule",
        "text.parse_math": False,
        "font.size": 10,
        "font.family": "sans-serif",
        "figure.facecolor": "none",
        "axes.facecolor": "none",
        "text.color": INK,
        "axes.edgecolor": FAINT,
        "axes.labelcolor": INK,
        "xtick.color": INK,
        "ytick.color": INK,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.color": GRID,
        "grid.linewidth": 0.6,
        "legend.frameon": False,
    }
    text = StringIO()
    with rc_context(), warnings.catch_warnings():
        rcdefaults()  # no file of settings counts
        rcParams.update(settings)
        warnings.simplefilter("ignore")  # the page's font may have glyphs that matplotlib's lacks
        figure = figure_module.Figure(figsize=(WIDTH, height), layout="constrained")
        canvas: Any = FigureCanvasSVG(figure)
        draw(figure.subplots())
        canvas.print_svg(text, metadata={"Date": None, "Creator": None})  # `savefig` draws it once more before
    return for_page(text.getvalue())


def for_page(svg: str) -> str:
    """An SVG file as part of a page: no prologue, as wide as its place, in the page's colours and font."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r"font: ([\d.]+px) [^;\"]*", r"font-size: \1", svg)
    svg = svg.replace("<svg ", '<svg role="img" aria-hidden="true" ', 1)
    for colour, name in COLOURS.items():
        svg = svg.replace(colour, name)
    return svg.strip()


def short(label: str) -> str:
    """A label that leaves room for the figure: two lines at most."""
    lines = wrap(printable(label), LONGEST_LABEL) or [""]
    return "\n".join([*lines[:1], *([lines[1] + ("…" if len(lines) > 2 else "")] if len(lines) > 1 else [])])


def dots(
    labels: Sequence[str],
    intervals: Sequence[Interval],
    unit: str,
    axis: str,
    line: float | None = None,
    told: Sequence[bool] | None = None,
) -> str:
    """A dot with its interval for each label, one below the other; `line` is the reference value. Of those that say which are
    told, the others are hollow."""
    scale = 100 if unit == "share" else 1
    places = list(range(len(labels)))[::-1]

    def draw(axes: Any) -> None:
        for place, one, is_told in zip(places, intervals, told or [True] * len(places), strict=True):
            ends, fill = [one.low * scale, one.high * scale], SERIES[0] if is_told else PANEL
            axes.plot(ends, [place, place], color=SERIES[0], linewidth=2 if is_told else 1)
            axes.plot([one.estimate * scale], [place], "o", color=SERIES[0], markerfacecolor=fill, markersize=6)
        if line is not None:
            axes.axvline(line * scale, color=FAINT, linestyle="--", linewidth=1)
        axes.set_yticks(places, [short(label) for label in labels])
        axes.set_ylim(-0.6, len(labels) - 0.4)
        axes.set_xlabel(axis)
        axes.grid(axis="y", visible=False)

    lines = sum(short(label).count("\n") + 1 for label in labels)
    return drawn(0.8 + 0.1 * len(labels) + 0.2 * lines, draw)


def boxes(columns: Mapping[str, Sequence[float]], axis: str) -> str:
    """Numbers as a box plot for each label: the box is the middle half, the whiskers the middle 90 %."""

    def draw(axes: Any) -> None:
        axes.boxplot(
            list(columns.values())[::-1],
            orientation="horizontal",
            whis=(5, 95),
            showfliers=False,
            widths=0.5,
            boxprops={"color": SERIES[0]},
            whiskerprops={"color": SERIES[0]},
            capprops={"color": SERIES[0]},
            medianprops={"color": SERIES[1], "linewidth": 2},
        )
        axes.set_yticks(range(1, len(columns) + 1), [short(label) for label in columns][::-1])
        axes.set_xlabel(axis)
        axes.grid(axis="y", visible=False)

    return drawn(0.8 + 0.4 * len(columns), draw)


def edges(values: Sequence[float]) -> list[float]:
    """Where bars begin and end: between whole numbers, each bar as wide as the others."""
    low, high = math.floor(min(values)), math.ceil(max(values))
    width = max(1, math.ceil((high - low + 1) / MOST_BINS))
    bars = math.ceil((high - low + 1) / width)
    return [low - 0.5 + width * bar for bar in range(bars + 1)]


def histograms(series: Mapping[str, Sequence[float]], axis: str) -> str:
    """How many matches have each number; several distributions over one another, as outlines."""
    bins = edges([value for values in series.values() for value in values])

    def draw(axes: Any) -> None:
        for number, (name, values) in enumerate(series.items()):
            look = {"histtype": "step", "edgecolor": SERIES[number % len(SERIES)], "fill": False}
            if len(series) == 1:
                look = {"histtype": "stepfilled", "color": SERIES[0]}
            axes.hist(values, bins=bins, label=short(name), **look)
        axes.set_xlabel(axis)
        axes.set_ylabel("matches")
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.grid(axis="x", visible=False)
        beside(axes, len(series))

    return drawn(2.3 + above(len(series)), draw)


def beside(axes: Any, series: int) -> None:
    """A legend above the figure, off its lines, if there are several of them."""
    if series > 1:
        axes.legend(fontsize=8, loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2, ncols=min(2, series))


def above(series: int) -> float:
    return 0.3 * ((series + 1) // 2) if series > 1 else 0.0


def places_of(words: Sequence[str]) -> list[float]:
    """Where words stand on an axis: numbers at their values, if all are numbers that grow, others one after another."""
    try:
        values = [float(word) for word in words]
    except ValueError:
        values = []
    grows = all(before < after for before, after in pairwise(values))
    return values if values and grows else [float(number) for number in range(len(words))]


def curves(places: Sequence[str], series: Mapping[str, Sequence[Interval]], unit: str, axis: str) -> str:
    scale = 100 if unit == "share" else 1

    def draw(axes: Any) -> None:
        across = places_of(places)
        for number, (name, intervals) in enumerate(series.items()):
            colour = SERIES[number % len(SERIES)]
            axes.fill_between(
                across,
                [one.low * scale for one in intervals],
                [one.high * scale for one in intervals],
                color=colour,
                alpha=0.25,
                linewidth=0,
            )
            axes.plot(
                across, [one.estimate * scale for one in intervals], "o-", color=colour, markersize=4, label=short(name)
            )
        axes.set_xticks(across, [short(place) for place in places])
        axes.set_xlabel(axis)
        axes.set_ylabel("in 100 matches" if unit == "share" else unit)
        beside(axes, len(series))

    return drawn(2.5 + above(len(series)), draw)
