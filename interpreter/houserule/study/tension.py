"""Measures of tension and of choices, from the course of each match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from houserule.core import ENDINGS
from houserule.native.memory import STATIONS
from houserule.study.course import (
    FORCED,
    GAP,
    HOPELESS,
    IDLE,
    MATCHES,
    QUESTIONS,
    SINCE,
    STAKE,
    SWAY,
    WAYS,
    WEIGHED,
    WHOLE,
)
from houserule.study.figures import Interval, numpy, of_mean, of_part
from houserule.study.rows import Columns

if TYPE_CHECKING:
    from houserule.study.figures import Numbers


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """A measure of each match: `values` are shares (from 0 to 1) or amounts of `unit`, and NaN where a match has none."""

    key: str
    title: str
    unit: str
    values: Numbers


FEWEST = 20
"""A measure that fewer matches have is not shown: they could not carry it."""
LEAST_ROUNDS = 4.0
"""Matches of fewer rounds on average have no course that could be told in quarters."""
QUARTERS = {"quarter": "a quarter", "half": "half", "three_quarters": "three quarters"}


def winner_of(columns: Columns) -> Numbers:
    """The seat that has won each match alone, or the first one of a team; -1 in others."""
    np = numpy()
    has_one = np.asarray(columns.endings) == ENDINGS.index("win")
    found: Numbers = np.where(has_one, columns.won.argmax(axis=1), -1).astype(np.int8)
    return found


def leader_wins(leaders: Numbers, winner: Numbers) -> Numbers:
    """By match: 1 if who leads at a station wins, 0 if somebody else does, NaN if nobody leads or nobody wins alone."""
    np = numpy()
    found: Numbers = np.where((leaders < 0) | (winner < 0), np.nan, leaders == winner)
    return found


def of_course(columns: Columns, sides: int) -> list[Measure]:
    """Measures of tension: who leads when, and when it is decided; none where the matches have no course or no rivals."""
    np = numpy()
    if sides < 2 or sum(columns.rounds) < LEAST_ROUNDS * len(columns):
        return []
    found = [Measure("lead_changes", "lead changes", "changes", np.array(columns.leads, dtype=float))]
    leaders, winner = columns.leaders, winner_of(columns)
    for number, (key, words) in enumerate(QUARTERS.items(), 1):
        at = number * STATIONS // (len(QUARTERS) + 1) - 1
        wins = leader_wins(leaders[:, at], winner)
        found.append(Measure(f"leader.{key}", f"wins of the leader after {words}", "share", wins))
    since, rounds = np.array(columns.of_course(SINCE), dtype=float), np.array(columns.rounds, dtype=float)
    gone = np.where(since < 0, np.nan, (since - 1) / np.maximum(rounds, 1))
    found.append(Measure("decided", "how far a match is when the lead is taken for good", "share", gone))
    behind = ((leaders >= 0) & (leaders != winner[:, np.newaxis])).sum(axis=1) > STATIONS // 2
    behind = np.where(winner < 0, np.nan, behind)
    found.append(Measure("comebacks", "comebacks", "share", behind))
    return carried(found)


def carried(found: Sequence[Measure]) -> list[Measure]:
    """The measures that enough matches have."""
    return [one for one in found if numpy().isfinite(one.values).sum() >= FEWEST]


def scores_of(columns: Columns) -> Numbers:
    """The score of each seat in each match."""
    found: Numbers = numpy().array(columns.scores, dtype=float).reshape(len(columns), -1)
    return found


def of_closeness(columns: Columns, is_low: bool, teams: Sequence[int] | None) -> list[Measure]:
    """By how much the best score is ahead of the next, of players or of teams; as a share of it too, where more points are better."""
    np, scores = numpy(), scores_of(columns)
    if teams is not None:
        best_of = np.min if is_low else np.max
        scores = np.stack([best_of(scores[:, np.equal(teams, team)], axis=1) for team in dict.fromkeys(teams)], axis=1)
    if scores.shape[1] < 2 or len(scores) < FEWEST:
        return []
    ordered = np.sort(scores, axis=1)
    margin = ordered[:, 1] - ordered[:, 0] if is_low else ordered[:, -1] - ordered[:, -2]
    found = [Measure("closeness", "distance between the best two", "points", margin)]
    if not is_low and (ordered[:, -1] > 0).any():
        best = np.where(ordered[:, -1] > 0, ordered[:, -1], np.nan)
        title = "distance between the best two, as a share of the best"
        found.append(Measure("closeness.relative", title, "share", margin / best))
    return found


def of_choices(columns: Columns) -> list[Measure]:
    """Measures of what players have to decide."""
    np = numpy()
    asked, offered, forced, idle = (
        np.array(columns.of_course(word), dtype=float) for word in (QUESTIONS, WAYS, FORCED, IDLE)
    )
    rounds = np.array(columns.rounds, dtype=float) * columns.players
    with np.errstate(invalid="ignore", divide="ignore"):
        found = [
            Measure("options", "options a question", "options", offered / asked),
            Measure("forced", "questions with one answer", "share", forced / asked),
            Measure("idle", "rounds in which a player decides nothing", "share", idle / rounds),
        ]
    return carried(found)


def of_weighed(columns: Columns) -> list[Measure]:
    """Measures of decisions that were weighed, if any were."""
    np = numpy()
    if not len(columns.weighed):
        return []
    words = np.array(columns.weighed, dtype=float).reshape(len(columns), WEIGHED)
    with np.errstate(invalid="ignore", divide="ignore"):
        parts = words / words[:, [MATCHES]]
    found = [
        Measure("gap", "what the best answer wins more than the second best", "share", parts[:, GAP] / WHOLE),
        Measure("stake", "what the best answer wins more than a random one", "share", parts[:, STAKE] / WHOLE),
        Measure("hopeless", "decisions of players who can no longer win", "share", parts[:, HOPELESS]),
    ]
    if columns.players > 2:  # between two, whoever cannot win has nobody to choose from
        title = "what a decision of such a player gives or takes from somebody else"
        found.append(Measure("kingmaking", title, "share", parts[:, SWAY] / WHOLE))
    return carried(found)


def interval_of(measure: Measure) -> Interval:
    """The mean of a measure over the matches that have it."""
    values = measure.values[numpy().isfinite(measure.values)]
    is_part = measure.unit == "share" and values.min() >= 0 and values.max() <= 1
    return (of_part if is_part else of_mean)(values)
