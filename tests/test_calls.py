"""One line of a rule takes few calls on its way from the file to a told event."""

import houserule
from benchmarks.calls import cost

MOST = 305
"""Half of what it took before the checker was written as functions of a context."""


def test_a_line_is_told_after_few_calls() -> None:
    found = cost(houserule)
    assert list(found) == ["load", "compile and play", "tell"]
    assert 0 < sum(calls.total() for calls in found.values()) <= MOST
