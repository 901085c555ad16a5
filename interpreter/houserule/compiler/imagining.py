"""Makes effects hypothetical: a function that changes the state in, one that leaves the state as it was out.

The state gets copies of the lists that the effect may change, and its own lists back afterwards. So nothing has to be undone,
and a loop over a list of the real state is not disturbed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from houserule.language.checked import Family, Routine
from houserule.language.footprints import Known, footprints, reached
from houserule.language.symbols import SymbolTable
from houserule.operations.fuel import spend

State = Any
Ranges = tuple[tuple[int, int], ...]
"""Zones or variables by slot: the start and end of each range."""


IMAGINED = 50
"""The work of imagining an effect, besides copies."""


class Unheard(list[Any]):
    """The log during an imagined effect: it keeps nothing."""

    def append(self, _: Any) -> None:
        """Discard an event."""


def changes(routines: Iterable[Routine], symbols: SymbolTable, known: Known) -> dict[Routine, tuple[bool, Ranges]]:
    """For each imagined effect: whether it may change variables, and the zones whose pieces it may move."""
    done = footprints(routines, known) if symbols.imagined else {}
    found = {}
    for routine in symbols.imagined:
        ways = reached([routine], lambda one: done[one].onward(symbols) if one in done else ())
        prints = [done[one] for one in ways if one in done]
        zones = dict.fromkeys(zone for one in prints for zone in one.zones)
        found[routine] = any(one.sets_variables for one in prints), stretches(zones)
    return found


def stretches(families: Iterable[Family]) -> Ranges:
    """Families of zones, or of variables, as ranges of slots, adjacent ones merged."""
    found: list[tuple[int, int]] = []
    for family in sorted(families, key=lambda family: family.base):
        low = found.pop()[0] if found and found[-1][1] == family.base else family.base
        found.append((low, family.base + family.size))
    return tuple(found)


def work_of_imagining(zones: Ranges, numbers: int) -> int:
    """The work of the copies for an imagined effect: copying a zone takes two units, copying sixteen numbers one."""
    return IMAGINED + 2 * sum(high - low for low, high in zones) + numbers // 16


def imagined(function: Callable[..., Any], sets_variables: bool, zones: Ranges) -> Callable[..., Any]:
    """A function that works on its own copy of the state."""

    def what_if(s: State, *arguments: Any) -> Any:
        before = s.v, s.z, s.w, s.kept, s.log, s.noted, s.queue, s.running, s.draining, s.depth
        spend(s, work_of_imagining(zones, len(s.v) + len(s.w)))
        if sets_variables:
            s.v = s.v[:]
            s.kept = s.kept[:]
        if zones:
            s.z = z = s.z[:]
            for low, high in zones:
                z[low:high] = [pile[:] for pile in z[low:high]]
            s.w = s.w[:]
        if s.log is not None:
            s.log, s.noted = Unheard(), 0
        s.queue, s.draining = [], False
        try:
            return function(s, *arguments)
        finally:
            s.v, s.z, s.w, s.kept, s.log, s.noted, s.queue, s.running, s.draining, s.depth = before

    what_if.function, what_if.sets_variables, what_if.zones = function, sets_variables, zones  # type: ignore[attr-defined]  # for other targets
    return what_if


__all__ = ["changes", "imagined", "work_of_imagining"]
