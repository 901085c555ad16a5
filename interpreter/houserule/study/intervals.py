"""Confidence intervals: counts and measurements in, 95 % intervals from SciPy out."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from houserule.study.extras import numpy, statistics

if TYPE_CHECKING:
    from numpy import ndarray

    Numbers = ndarray[Any, Any]

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
        """The distance between its ends."""
        return self.high - self.low

    def to_json(self) -> dict[str, float]:
        """The numbers by key; null for what is not finite."""
        ends = {"estimate": self.estimate, "low": self.low, "high": self.high}
        return {name: value if abs(value) < float("inf") else None for name, value in ends.items()}  # type: ignore[misc]  # JSON has no infinity


def of_share(successes: int, trials: int) -> Interval:
    """The share of successes (Wilson's interval)."""
    if not trials:
        return Interval(0.0, 0.0, 1.0)
    found = statistics().binomtest(successes, trials).proportion_ci(LEVEL, "wilson")
    return Interval(successes / trials, float(found.low), float(found.high))


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
    found = statistics().ttest_1samp(values, 0.0)
    interval = found.confidence_interval(LEVEL)
    return Interval(mean, float(interval.low), float(interval.high), float(found.pvalue))


def of_part(values: Numbers) -> Interval:
    """The mean of numbers from 0 to 1: Wilson's interval if each is 0 or 1, else Student's, clipped to 0 and 1."""
    if not ((values > 0) & (values < 1)).any():
        return of_share(int(values.sum()), len(values))
    found = of_mean(values, bounded=True)
    return Interval(found.estimate, max(found.low, 0.0), min(found.high, 1.0), found.p)


def adjusted(probabilities: list[float]) -> list[float]:
    """P-values adjusted for the number of measures (Benjamini and Hochberg)."""
    return [float(p) for p in statistics().false_discovery_control(probabilities)] if probabilities else []


def of_difference(successes: int, trials: int, other_successes: int, other_trials: int) -> Interval:
    """The difference of two shares from separate trials (Welch's t on the single trials)."""
    np = numpy()
    if trials < 2 or other_trials < 2:
        return Interval(0.0, float("-inf"), float("inf"))
    ours = np.repeat([1.0, 0.0], [successes, trials - successes])
    theirs = np.repeat([1.0, 0.0], [other_successes, other_trials - other_successes])
    estimate = float(ours.mean() - theirs.mean())
    if np.ptp(ours) == 0 and np.ptp(theirs) == 0:
        return Interval(estimate, estimate - of_share(0, trials).high, estimate + of_share(0, other_trials).high)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # one side may have won every match
        found = statistics().ttest_ind(ours, theirs, equal_var=False)
        interval = found.confidence_interval(LEVEL)
    return Interval(estimate, float(interval.low), float(interval.high), float(found.pvalue))
