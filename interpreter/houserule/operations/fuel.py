"""How much rules may work: what is done is counted against what a choice allows and against what a match has in reserve.

Rules come from anybody, and may loop for ever or nearly so. A state `s` keeps what is left in `s.fuel` and `s.reserve`; a
pass of a loop, a call and a place in a list cost 1 each.
"""

from __future__ import annotations

from typing import Any

from houserule.operations.table import Fault

State = Any

FUEL = 5_000
"""What each choice allows; far more than the rules of a game take between two choices."""
RESERVE = 1_000_000
"""What a whole match may take beyond that: seconds of work."""


def spend(s: State, work: int) -> None:
    """Count work. Raises Fault where it becomes too much."""
    s.fuel -= work
    if s.fuel < 0:
        refuel(s)


def refuel(s: State) -> None:
    """Take from the reserve what was missing, and as much again as a choice allows. Raises Fault where there is none left."""
    s.reserve += s.fuel - FUEL
    s.fuel = FUEL
    if s.reserve < 0:
        raise Fault("this takes too long: loops and calls went through more than a million passes")
