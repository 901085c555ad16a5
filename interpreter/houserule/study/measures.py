"""Measures of matches: the columns of a study in, a number for each match and measure out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from houserule.core import ENDINGS
from houserule.study.extras import numpy
from houserule.study.figures import Interval
from houserule.study.result import Study
from houserule.study.rows import UNKNOWN, part_of_win

if TYPE_CHECKING:
    from numpy import ndarray

    Numbers = ndarray[Any, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """A measure of each match: `values` are shares (from 0 to 1) or amounts of `unit`."""

    key: str
    title: str
    unit: str
    values: Numbers


ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()


def seat_name(seat: int) -> str:
    return f"the {ORDINALS[seat]} seat" if seat < len(ORDINALS) else f"seat {seat + 1}"


def credit_of(study: Study) -> Numbers:
    """What each seat has won in each match: 1, a share of a shared victory, or 0."""
    np, columns = numpy(), study.columns
    won = np.array(columns.won, dtype=float).reshape(len(columns), -1)
    parts = [
        part_of_win(int(number), ENDINGS[ending])
        for number, ending in zip(won.sum(axis=1), columns.endings, strict=True)
    ]
    credit: Numbers = won * np.array(parts)[:, np.newaxis]
    return credit


def scores_of(study: Study) -> Numbers:
    """The scores by match and seat."""
    scores: Numbers = numpy().array(study.columns.scores, dtype=float).reshape(len(study), -1)
    return scores


def measures_of(study: Study) -> list[Measure]:
    """All measures of the matches of a study."""
    np, columns, plan = numpy(), study.columns, study.plan
    credit = credit_of(study)
    found = [
        Measure(f"wins.seat_{seat + 1}", f"wins of {seat_name(seat)}", "share", credit[:, seat])
        for seat in range(plan.players)
    ]
    if len(set(plan.seats)) > 1:
        rotations = np.arange(len(columns)) % plan.rotations
        bots = np.array([plan.bots(rotation) for rotation in range(plan.rotations)])[rotations]
        for bot in dict.fromkeys(plan.seats):
            theirs = bots == bot
            values = (credit * theirs).sum(axis=1) / theirs.sum(axis=1)
            found.append(Measure(f"wins.bot.{bot}", f"wins of a seat with {bot}", "share", values))
    endings = np.array(columns.endings)
    for ending, title in (
        ("shared", "shared victories"),
        ("victory", "joint victories"),
        ("draw", "draws"),
        ("defeat", "joint defeats"),
        ("undecided", "matches that nobody won"),
    ):
        ended = endings == ENDINGS.index(ending)
        if ended.any():
            found.append(Measure(ending, title, "share", ended.astype(float)))
    found.append(Measure("decisions", "length", "decisions", np.array(columns.decisions, dtype=float)))
    if columns.rounds[0] != UNKNOWN:
        found.append(Measure("rounds", "length in rounds", "rounds", np.array(columns.rounds, dtype=float)))
    titles = study.summary.titles
    if titles:
        found += of_scores(study, titles)
    if columns.leads[0] != UNKNOWN:
        found.append(Measure("lead_changes", "lead changes", "changes", np.array(columns.leads, dtype=float)))
    return found


def of_scores(study: Study, titles: dict[str, str]) -> list[Measure]:
    """Measures of the score sheet, each the mean over all seats, and the margin of the best score over the next."""
    np = numpy()
    scores = scores_of(study)
    found = [Measure("score", "score", "points", scores.mean(axis=1))]
    lines = np.array(study.columns.lines, dtype=float).reshape(len(study), len(titles), -1)
    for number, (key, title) in enumerate(titles.items()):
        found.append(Measure(f"line.{key}", f"points for {title}", "points", lines[:, number].mean(axis=1)))
    if scores.shape[1] > 1:
        ordered = np.sort(scores, axis=1)
        rule = study.game.definition.winner
        low = rule is not None and rule.rule == "least"
        margin = ordered[:, 1] - ordered[:, 0] if low else ordered[:, -1] - ordered[:, -2]
        found.append(Measure("closeness", "distance between the best two", "points", margin))
    return found


# --- significance -----------------------------------------------------------------------------------------------------


Setting = dict[str, int | str]
SURE = 0.01
"""A difference is reported if its adjusted p-value is below this."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A measure on both sides, and the first minus the second: an amount of `unit`, or a share of 1."""

    key: str
    title: str
    unit: str
    first: float
    second: float
    interval: Interval
    p: float

    @property
    def is_told(self) -> bool:
        """Whether the difference is significant, adjusted for the number of measures."""
        return self.p < SURE

    def to_json(self) -> dict[str, Any]:
        """The figures by key."""
        return {
            "measure": self.key,
            "title": self.title,
            "unit": self.unit,
            "first": self.first,
            "second": self.second,
            "difference": self.interval.to_json(),
            "is_told": self.is_told,
        }


@dataclass(frozen=True, slots=True)
class Point:
    """A measure under one setting."""

    setting: Setting
    key: str
    title: str
    unit: str
    interval: Interval

    def to_json(self) -> dict[str, Any]:
        return {"measure": self.key, "title": self.title, "unit": self.unit, **self.interval.to_json()}
