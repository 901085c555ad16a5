"""How much rules may work: what is done is counted against what a choice allows and against what a match allows.

Rules come from anybody, and may loop for ever or nearly so. One unit is what a simple operation takes, about 20 nanoseconds:
a comparison, a sum, a variable that is read. A state `s` keeps the units that it has drawn in `s.fuel`, those that are left
for the match in `s.reserve`, and in `s.since` those drawn since the last answer. Events are counted whenever units are drawn,
so that noting one takes no longer, and so are the questions that chance answers. Who runs the rules can multiply what is
allowed (`allow_work`); rules cannot.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from houserule.operations.table import Fault

State = Any

BETWEEN_ANSWERS = 80_000_000
"""What may be done between two answers: about two seconds of work."""
IN_A_MATCH = 600_000_000
"""What may be done in a whole match: about fifteen seconds. Those of the bundled games take three to five million."""
FUEL = 250_000
"""How many units a state draws from its reserve at a time."""


@dataclass(slots=True)
class Allowance:
    """How many times the usual work rules may do in this process."""

    times: float = 1


ALLOWANCE = Allowance()


def allow_work(times: float | None = None) -> float:
    """Let rules work so many times as much as usual, from the next match on, in this process; how many times they may now."""
    if times is not None:
        if not 0 < times < 1_000_000:
            raise ValueError("rules can be allowed up to a million times as much work as usual, and need some")
        ALLOWANCE.times = times
    return ALLOWANCE.times


def reserve() -> int:
    """What a match may take."""
    return int(IN_A_MATCH * ALLOWANCE.times)


@dataclass(slots=True)
class Laying:
    """Counts the work of laying out pieces, as a state counts that of a match, which has not begun."""

    program: Any  # whose probes are marked meanwhile, which nobody looks at
    fuel: int = FUEL
    reserve: int = field(default_factory=reserve)
    since: int = 0
    depth: int = 0
    chances: int = 0
    unasked: int = 0
    noted: int = 0
    log: None = None

    def shallower(self) -> None:
        """A recursive call ends."""
        self.depth -= 1


PASS = 4
"""What going through one element of a list takes, beside what is done with it."""
PIECE = 10
"""What moving one piece takes."""
NAMED = 200
"""What a piece takes that is named in a sentence: it is put into words for each who is told."""
CALL = 5
"""What calling a function takes."""
EVENT = 2_000
"""What an event takes that is noted and told: less in time than in memory, of which it needs about a kilobyte for each viewer."""
TRIGGER = 2_000
"""What a trigger takes beside its own loops and calls."""
QUESTION = 10_000
"""What a question takes: the copy of the match, and the rules before it that are too short to be counted."""


def spend(s: State, work: int) -> None:
    """Count work. Raises Fault where it becomes too much."""
    s.fuel -= work
    if s.fuel < 0:
        refuel(s)


def refuel(s: State) -> None:
    """Draw more units from the reserve. Raises Fault where the rules have had all that they may have."""
    drawn = FUEL - s.fuel
    s.fuel = FUEL
    if s.chances != s.unasked:
        drawn += QUESTION * max(0, s.unasked - s.chances)
        s.unasked = s.chances
        s.since = 0
    if s.log is not None:
        drawn += EVENT * (len(s.log) - s.noted)
        s.noted = len(s.log)
    s.reserve -= drawn
    s.since += drawn
    if s.since > BETWEEN_ANSWERS * ALLOWANCE.times:
        raise too_much(BETWEEN_ANSWERS, "between two answers")
    if s.reserve < 0:
        raise too_much(IN_A_MATCH, "in one match")


def too_much(limit: int, when: str) -> Fault:
    """What is said where rules work too much."""
    millions = int(limit * ALLOWANCE.times) // 1_000_000
    return Fault(
        f"this takes too long: rules may do {millions} million units of work {when}, counted by operations, passes of loops, "
        "calls, pieces moved and events noted; --work raises that limit"
    )
