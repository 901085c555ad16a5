"""Imagines: a function that changes the table in, one that leaves the table as it was out.

The state is given copies of those lists that the effect may change, and gets its own back. So nothing has to be undone, and
whoever is going through a list of the real table goes on undisturbed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from houserule.compiler.work import inner_first
from houserule.language.checked import Act, Reset, SetVariable, called_among, everything, occasions
from houserule.language.symbols import Routine, SymbolTable, Zone
from houserule.operations.fuel import CALL, spend

State = Any
Ranges = tuple[tuple[int, int], ...]
"""Zones by their slots: where each stretch begins and ends."""


class Unheard(list[Any]):
    """The log of what is only imagined: nothing stays in it."""

    def append(self, _: Any) -> None:
        """Forget what is told."""


def changes(routines: Iterable[Routine], symbols: SymbolTable) -> dict[Routine, tuple[bool, Ranges]]:
    """Of each effect that is imagined: whether it may change variables, and the zones whose pieces it may move."""
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
    """What statements change by themselves: a bit for each zone, and the lowest for variables."""
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
    """Add to what each routine changes what those change that it calls or sets off, until nothing is new."""
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
    """Families of zones as stretches of slots, those beside each other as one."""
    found: list[tuple[int, int]] = []
    for zone in sorted(zones, key=lambda zone: zone.base):
        low = found.pop()[0] if found and found[-1][1] == zone.base else zone.base
        found.append((low, zone.base + zone.size))
    return tuple(found)


def imagined(function: Callable[..., Any], sets_variables: bool, zones: Ranges) -> Callable[..., Any]:
    """The same function on a table of its own. Copying a zone takes two units of work, copying sixteen numbers one."""
    piles = 2 * sum(high - low for low, high in zones)

    def what_if(s: State, *arguments: Any) -> Any:
        before = s.v, s.z, s.w, s.kept, s.log, s.noted, s.queue, s.running, s.draining, s.depth
        spend(s, 4 * CALL + piles + (len(s.v) + len(s.w)) // 16)
        if sets_variables:
            s.v = s.v[:]
            s.kept = [known[:] for known in s.kept]
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


__all__ = ["changes", "imagined"]
