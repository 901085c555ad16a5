"""Chooses the engine for random matches: generated Python, or its translation, where that is installed and pays."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from houserule.compiler.program import Program
from houserule.native.memory import Watched
from houserule.native.values import Untranslatable
from houserule.reading import line_of
from houserule.running.playout import Outcome, playout

if TYPE_CHECKING:
    from houserule.native.machine import Machine

ENGINES = ("auto", "python", "native")
TRIED = 20
"""Matches played in Python before deciding whether the translation pays."""
COMPILING = 1.0
"""Seconds that translating and compiling a large game may take, if its module is not cached."""


PATIENCE = 300
"""Continuations of a search in Python before its rules are translated."""
UNWANTED = 1 << 60
NEEDED = "native speed needs wasmtime, which is not installed: pip install 'houserule[native]'"


class NotNative(Exception):
    """Why a game cannot be played natively, as a sentence."""


def is_installed() -> bool:
    """Whether something runs modules here: a browser does for the interpreter in it."""
    return find_spec("houserule_host" if sys.platform == "emscripten" else "wasmtime") is not None


def machine_of(program: Program) -> Machine:
    """The translation of a quiet program, made at first use. Raises NotNative."""
    if not is_installed():
        raise NotNative(NEEDED)
    if program.machine is None:
        try:
            from houserule.native.machine import Machine

            program.machine = Machine(program)
        except Exception as error:
            raise NotNative(refusal(program, error)) from error
    made: Machine = program.machine
    made.allow()
    return made


MOST_QUOTED = 80
"""The most letters of a line that a refusal quotes."""


def refusal(program: Program, error: Exception) -> str:
    """Why a program cannot be played natively: the rule that has no translation, or what went wrong."""
    name, place = program.game.definition.name, getattr(error, "place", None)
    if place is None:
        if isinstance(error, RecursionError):
            reason = "its rules call one another too deeply"
        else:
            known = isinstance(error, Untranslatable)
            reason = str(error) if known else f"its translation failed with {type(error).__name__}"
        return f"{name} cannot be played natively: {reason}"
    function, line = place
    generated = program.namespace[function]
    file = getattr(generated, "function", generated).__code__.co_filename
    rule = program.owners.get(function, "who sees what, and the score sheet")
    text = (line_of(file, line) or "").strip()[:MOST_QUOTED]
    return f"{name} cannot be played natively: {file}:{line}, in '{rule}', has no translation{text and ': '}{text}"


def machine_for_search(program: Program) -> Machine | None:
    """The translation of a quiet program for searches that continue many matches; None if there is none, or not yet.

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


InPython = Callable[[int | str], Watched]


def unwatched(program: Program, seed: int | str) -> Watched:
    return playout(program, seed), 0, 0, ()


class Engine:
    """Plays random matches of one quiet program; `in_python` plays one in Python. `taken` is called with the engine's name, once that is decided.

    With `auto` the first matches are played in Python and timed. If the remaining ones would take longer than
    compiling, they are played natively. Results are the same.
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
        self.refusal = ""  # why `auto` cannot take native play
        self.is_decided = engine != "auto" or not is_installed()
        if engine == "native":
            self.machine = machine_of(program)

    @property
    def taken(self) -> str:
        return "native" if self.machine is not None else "python"

    def outcomes(self, seeds: Sequence[int | str]) -> Iterator[Outcome]:
        return (found[0] for found in self.watched(seeds))

    def watched(self, seeds: Sequence[int | str]) -> Iterator[Watched]:
        """Play a match for each seed, and note its rounds and how often the lead changes."""
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
        """Continue natively if that pays."""
        if self.seconds / self.played * (self.coming - self.played) < COMPILING:
            return
        self.is_decided = True
        try:
            self.machine = machine_of(self.program)
        except NotNative as reason:
            self.refusal = str(reason)


__all__ = ["ENGINES", "Engine", "NotNative", "is_installed", "machine_for_search", "machine_of"]
