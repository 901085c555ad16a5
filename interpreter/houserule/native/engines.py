"""Chooses what plays matches at random: generated Python, or its translation, where that is installed and pays."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from houserule.compiler.program import Program
from houserule.native.values import Untranslatable
from houserule.running.playout import Outcome, playout

if TYPE_CHECKING:
    from houserule.native.machine import Machine

ENGINES = ("auto", "python", "native")
TRIED = 20
"""Matches that are played in Python before it is known whether the translation pays."""
COMPILING = 1.0
"""Seconds that translating and compiling a large game may take, if its module is not kept from before."""


PATIENCE = 300
"""Continuations of a search that are played in Python before its rules are translated."""
UNWANTED = 1 << 60
NEEDED = "native speed needs wasmtime, which is not installed: pip install 'houserule[native]'"


class NotNative(Exception):
    """Why a game cannot be played natively; a sentence."""


def is_installed() -> bool:
    """Whether the extra `native` is there."""
    return find_spec("wasmtime") is not None


def machine_of(program: Program) -> Machine:
    """The translation of a quiet program, made when it is first wanted. Raises NotNative."""
    if not is_installed():
        raise NotNative(NEEDED)
    if program.machine is None:
        from houserule.native.machine import Machine

        try:
            program.machine = Machine(program)
        except Untranslatable as reason:
            raise NotNative(f"{program.game.definition.name} cannot be played natively: {reason}") from reason
    made: Machine = program.machine
    made.allow()
    return made


def machine_for_search(program: Program) -> Machine | None:
    """The translation of a quiet program for those who continue many matches of it; None where there is none, or not yet.

    It is made after `PATIENCE` calls, so that a short search does not wait for it.
    """
    program.continued += 1
    if program.machine is not None or program.continued < PATIENCE:
        found: Machine | None = program.machine
        return found
    if not is_installed():
        return None
    try:
        return machine_of(program)
    except NotNative:
        program.continued = -UNWANTED
        return None


Watched = tuple[Outcome, int, int]
"""How a match has ended, how many rounds it had, and how often the lead changed."""
InPython = Callable[[int | str], Watched]


def unwatched(program: Program, seed: int | str) -> Watched:
    """A match at random in Python of which nothing is noted. Raises RuleFault."""
    return playout(program, seed), 0, 0


class Engine:
    """Plays matches of one quiet program at random; `in_python` plays one in Python. `taken` says which engine does, as soon as that is known.

    With `auto` the first matches are played in Python, and timed. Where those that are still to come would take longer than
    compiling, the rest is played natively. Results are the same.
    """

    def __init__(
        self, program: Program, engine: str = "auto", matches: int = 0, in_python: InPython | None = None
    ) -> None:
        if engine not in ENGINES:
            raise ValueError(f"there is no engine '{engine}'; there are {', '.join(ENGINES)}")
        self.program = program
        self.coming = matches
        self.in_python = in_python or partial(unwatched, program)
        self.played, self.seconds = 0, 0.0
        self.machine: Machine | None = None
        self.is_decided = engine != "auto" or not is_installed()
        if engine == "native":
            self.machine = machine_of(program)

    @property
    def taken(self) -> str:
        """Which engine plays."""
        return "native" if self.machine is not None else "python"

    def outcomes(self, seeds: Sequence[int | str]) -> Iterator[Outcome]:
        """Play matches with these seeds, in their order. Raises RuleFault."""
        return (outcome for outcome, _, _ in self.watched(seeds))

    def watched(self, seeds: Sequence[int | str]) -> Iterator[Watched]:
        """The same with what is noted of them."""
        at = 0
        while at < len(seeds):
            if self.machine is not None:
                yield from self.machine.watched(seeds[at:], self.in_python)
                return
            started = time.perf_counter()
            found = self.in_python(seeds[at])
            self.seconds += time.perf_counter() - started
            self.played += 1
            at += 1
            yield found
            if not self.is_decided and self.played >= TRIED:
                self.decide()

    def decide(self) -> None:
        """Go on natively if that pays."""
        if self.seconds / self.played * (self.coming - self.played) < COMPILING:
            return
        self.is_decided = True
        try:
            self.machine = machine_of(self.program)
        except NotNative:
            self.machine = None


__all__ = ["ENGINES", "Engine", "NotNative", "is_installed", "machine_for_search", "machine_of"]
