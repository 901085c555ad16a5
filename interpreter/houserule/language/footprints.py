"""What routines do: a footprint of each, from one walk over its body, and what follows through calls."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from houserule.frozen import frozen
from houserule.language import checked as c
from houserule.language.symbols import SymbolTable, Trigger
from houserule.language.trees import everything, expressions, occasions

T = TypeVar("T")


@frozen
class Footprint:
    """What a routine does itself: whom it calls, which occasions of triggers it is, whether it asks somebody, and what it changes.

    `zones` are those that pieces leave or enter, and `changes` all zones and variables whose content may be another afterwards.
    """

    called: tuple[c.Routine, ...]
    occasions: tuple[c.Occasion, ...]
    asks: bool
    zones: tuple[c.Zone, ...]
    changes: tuple[c.Family, ...]

    @property
    def sets_variables(self) -> bool:
        return any(isinstance(family, c.Variable) for family in self.changes)

    def triggers(self, symbols: SymbolTable) -> Iterator[Trigger]:
        """The triggers that it may set off."""
        for occasion in self.occasions:
            yield from symbols.waiting.get(occasion, ())

    def onward(self, symbols: SymbolTable) -> list[c.Routine]:
        """The routines that may run because of it."""
        return [*self.called, *(trigger.routine for trigger in self.triggers(symbols))]


Footprints = Mapping[c.Routine, Footprint]
Known = dict[int, tuple[c.Body | None, Footprint]]
"""The footprints that are known, by the identities of the bodies."""


def footprints(routines: Iterable[c.Routine], known: Known) -> Footprints:
    """The footprints of some routines; those of other bodies than are `known` are found and added."""
    found = {}
    for routine in routines:
        body = routine.body
        if id(body) not in known:
            known[id(body)] = (body, footprint(body))
        found[routine] = known[id(body)][1]
    return found


def footprint(body: c.Body | None) -> Footprint:
    called: dict[c.Routine, None] = {}
    found: dict[c.Occasion, None] = {}
    zones: dict[c.Zone, None] = {}
    changes: dict[c.Family, None] = {}
    asks = False
    for one in everything(body or ()):
        for occasion in occasions(one):
            found[occasion] = None
        match one:
            case c.Call() | c.Perform():
                called |= dict.fromkeys(one.callees)
            case c.Ask() | c.Race() | c.Together():
                asks = True
            case c.SetVariable(target=target):
                changes[target.variable] = None
            case c.Reset(variables=variables):
                changes |= dict.fromkeys(variables)
            case c.Act(leaves=leaves, enters=enters, changes=variables):
                zones |= dict.fromkeys((*leaves, *enters))
                piles = (inner.zone for inner in expressions(one.arguments) if isinstance(inner, c.Pile))
                changes |= dict.fromkeys((*leaves, *enters, *piles, *variables))
            case _:
                pass
    return Footprint(tuple(called), tuple(found), asks, tuple(zones), tuple(changes))


def reached(starts: Iterable[T], onward: Callable[[T], Iterable[T]]) -> dict[T, T | None]:
    """The transitive closure of some nodes, themselves included, nearest first; each with its predecessor on the path."""
    before: dict[T, T | None] = dict.fromkeys(starts)
    waiting = list(before)
    for one in waiting:
        for other in onward(one):
            if other not in before:
                before[other] = one
                waiting.append(other)
    return before


def leading_to(goals: Iterable[T], calls: Iterable[tuple[T, T]]) -> dict[T, T | None]:
    """The nodes from which calls lead to these, themselves included, nearest first; each with the next one on the way."""
    callers: defaultdict[T, list[T]] = defaultdict(list)
    for caller, callee in calls:
        callers[callee].append(caller)
    return reached(goals, lambda one: callers.get(one, ()))


def callees_first(starts: Iterable[T], onward: Callable[[T], Iterable[T]]) -> Iterator[T]:
    """Callees before callers, as far as they are not mutually recursive."""
    met: set[T] = set()
    waiting = [(one, False) for one in reversed(list(starts))]
    while waiting:
        one, is_left = waiting.pop()
        if is_left:
            yield one
        elif one not in met:
            met.add(one)
            waiting.append((one, True))
            waiting += [(callee, False) for callee in onward(one)]


def circles(nodes: Iterable[T], onward: Callable[[T], Iterable[T]]) -> Iterator[list[T]]:
    """The strongly connected components that contain a cycle (Kosaraju 1978)."""
    order = list(callees_first(nodes, onward))
    callers: defaultdict[T, list[T]] = defaultdict(list)
    for one in order:
        for callee in onward(one):
            callers[callee].append(one)
    met: set[T] = set()
    for root in reversed(order):
        if root not in met:
            found = list(reached([root], lambda one: [caller for caller in callers[one] if caller not in met]))
            met.update(found)
            if len(found) > 1 or root in onward(root):
                yield found
