"""Makes effects hypothetical: a function that changes the state in, one that leaves the state as it was out.

The state gets copies of the lists that the effect may change, and its own lists back afterwards. So nothing has to be undone,
and a loop over a list of the real state is not disturbed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from houserule.compiler.work import inner_first
from houserule.language.checked import Act, Reset, Routine, SetVariable, Zone
from houserule.language.symbols import SymbolTable
from houserule.language.trees import called_among, everything, occasions
from houserule.operations.fuel import spend

State = Any
Ranges = tuple[tuple[int, int], ...]
"""Zones by slot: the start and end of each range."""


IMAGINED = 50
"""The work of imagining an effect, besides copies."""


class Unheard(list[Any]):
    """The log during an imagined effect: it keeps nothing."""

    def append(self, _: Any) -> None:
        """Discard an event."""


def changes(routines: Iterable[Routine], symbols: SymbolTable) -> dict[Routine, tuple[bool, Ranges]]:
    """For each imagined effect: whether it may change variables, and the zones whose pieces it may move."""
    zones = list(symbols.zones.values())
    bits = {zone.name: 2 << number for number, zone in enumerate(zones)}
    found: dict[Routine, int] = {}
    onward: dict[Routine, list[Routine]] = {}
    for routine in inner_first(routines) if symbols.imagined else ():
        inside = list(everything(routine.body or ()))
        set_off = [t.routine for one in inside for o in occasions(one) for t in symbols.waiting.get(o, ())]
        onward[routine] = list(dict.fromkeys((*called_among(inside), *set_off)))
        found[routine] = changed_in(inside, bits)
    settle(found, onward)
    return {
        routine: (bool(found[routine] & 1), stretches(zone for zone in zones if found[routine] & bits[zone.name]))
        for routine in symbols.imagined
    }


def changed_in(inside: Iterable[object], bits: Mapping[str, int]) -> int:
    """What statements themselves change: a bit for each zone, and the lowest for variables."""
    found = 0
    for one in inside:
        match one:
            case SetVariable() | Reset():
                found |= 1
            case Act(leaves=leaves, enters=enters, changes=variables):
                found |= bool(variables)
                for zone in (*leaves, *enters):
                    found |= bits[zone.name]
            case _:
                pass
    return found


def settle(found: dict[Routine, int], onward: Mapping[Routine, Iterable[Routine]]) -> None:
    """Add the changes of callees and triggers to those of each routine, up to the fixed point."""
    is_settled = False
    while not is_settled:
        is_settled = True
        for routine, others in onward.items():
            more = found[routine]
            for other in others:
                more |= found.get(other, 0)
            is_settled = is_settled and more == found[routine]
            found[routine] = more


def stretches(zones: Iterable[Zone]) -> Ranges:
    """Families of zones as ranges of slots, adjacent ones merged."""
    found: list[tuple[int, int]] = []
    for zone in sorted(zones, key=lambda zone: zone.base):
        low = found.pop()[0] if found and found[-1][1] == zone.base else zone.base
        found.append((low, zone.base + zone.size))
    return tuple(found)


def work_of_imagining(zones: Ranges, numbers: int) -> int:
    """The work of the copies for an imagined effect: copying a zone takes two units, copying sixteen numbers one."""
    return IMAGINED + 2 * sum(high - low for low, high in zones) + numbers // 16


def imagined(function: Callable[..., Any], sets_variables: bool, zones: Ranges) -> Callable[..., Any]:
    """The same function on its own copy of the state."""

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
