"""A match in a sandbox, in which all players answer in turn: as `Play`, and several times as fast, for games that can be played so."""

from __future__ import annotations

import ctypes
from typing import Any

from houserule import ENGINES, NotNative
from houserule.bridges.playing import Play
from houserule.compiler.runtime import LONGEST_MATCH
from houserule.extras import library
from houserule.running.playout import ENDINGS
from houserule.spaces.sights import Observations, native_layout

np = library("numpy", "pettingzoo")

BEGIN = -2
SEED_LENGTH = 12
"""Where a generator has the length of its seed, which is 0 once it is seeded: see `chance.wat`."""
REASON = "players answer at the same time, a question is answered in parts, or a rule says who knows an amount"
UNDECIDED = [ENDINGS.index(ending) for ending in ("draw", "undecided")]
MOST_SEED = 1 << 63
"""Matches with other seeds are played in Python."""


def translated(spaces: Observations, engine: str) -> Any:
    """The translation of a game, made once, if `engine` allows and the game can be played natively; else None. Raises ValueError and NotNative."""
    if engine not in ENGINES:
        raise ValueError(f"engine is one of {', '.join(ENGINES)}, not '{engine}'")
    if engine == "python":
        return None
    if spaces.translation is None:
        spaces.translation = made(spaces)
    if not isinstance(spaces.translation, str):
        return spaces.translation
    if engine == "native":
        name = spaces.program.game.definition.name
        raise NotNative(f"{name} cannot be played natively here: {spaces.translation}")
    return None


def made(spaces: Observations) -> Any:
    """The translation, or the reason why there is none."""
    layout = native_layout(spaces)
    if layout is None:
        return REASON
    try:
        from houserule.native.records import Observed

        return Observed(spaces.program, layout)
    except Exception as error:  # noqa: BLE001  it is played in Python instead, or the reason is told
        return str(error)


class Sandbox:
    """A sandbox for one match after another, and what it shows of the current one."""

    def __init__(self, spaces: Observations, translation: Any) -> None:
        """Raises NotImplementedError where functions cannot be called quickly."""
        self.spaces, self.machine = spaces, translation.another()
        quick = self.machine.sandbox.quick  # each call is so short that others may as well wait for it
        self.machine.calls |= {name: quick(name, ctypes.PYFUNCTYPE) for name in ("turn", "look")}
        content, record = self.machine.content(), self.machine.record
        self.head = memoryview(content).cast("B")[: record.row].cast("q")
        """Whether the match is over, the number of decisions, and who is asked or -1."""
        self.is_legal = memoryview(content).cast("B")[record.legal : record.legal + spaces.actions.size]
        self.seen = np.ndarray(spaces.size, np.int64, content, record.seen)
        self.mask = np.ndarray(spaces.actions.size, np.int8, content, record.legal)
        self.row = memoryview(content).cast("B")[record.row : record.seen].cast("q")
        chance = self.machine.sandbox.address + self.machine.memory.generators[0] + SEED_LENGTH
        self.unused_seed = ctypes.c_uint32.from_address(chance)

    @property
    def has_drawn(self) -> bool:
        """Whether chance has drawn since the match began; a generator is seeded when it is first asked."""
        return not self.unused_seed.value

    def worth(self, utility: str) -> list[float]:
        """What the finished match is worth to each player."""
        from houserule.native.memory import ENDING, HEAD, WINNERS

        players = range(self.spaces.players)
        if utility == "points":
            total = HEAD + self.spaces.players * len(self.spaces.program.points)
            return [float(self.row[total + seat]) for seat in players]
        if self.row[ENDING] in UNDECIDED:
            return [0.0 for _ in players]
        return [1.0 if self.row[WINNERS] >> seat & 1 else -1.0 for seat in players]


def sandbox_of(spaces: Observations, engine: str) -> Sandbox | None:
    """A sandbox of its own, as `engine` asks for; None for a game that is played in Python. Raises ValueError and NotNative."""
    translation = translated(spaces, engine)
    try:
        return Sandbox(spaces, translation) if translation is not None else None
    except NotImplementedError:
        return None


class Left(Exception):
    """A match has left its sandbox, and goes on in Python."""

    def __init__(self, play: Play) -> None:
        super().__init__()
        self.play = play


class Sandboxed:
    """One match in a sandbox, until the next one begins there. Raises Left, once it is played in Python."""

    def __init__(self, sandbox: Sandbox, seed: int, utility: str) -> None:
        self.sandbox, self.seed, self.utility = sandbox, seed, utility
        self.spaces = sandbox.spaces
        self.numbers: list[int] = []
        sandbox.machine.write(sandbox.machine.memory.keys, seed.to_bytes(8, "little"))
        self.go(BEGIN)

    def go(self, command: int) -> None:
        """Carry out a command. Raises Left, and RuleFault."""
        if not self.sandbox.machine.ran("turn", command):
            play = Play(self.spaces, self.seed, self.utility)
            for number in self.numbers if command == BEGIN else (*self.numbers, command):
                play.take(play.seats[0], number)
            raise Left(play)
        over, self.decisions, asked = self.sandbox.head
        self.is_over = over == 1
        self.is_endless = not over and self.decisions >= LONGEST_MATCH
        self.seats = [] if over else [asked]
        self.shown = 0 if over else asked

    def show(self, seat: int) -> None:
        """Let the sandbox show the match to a seat."""
        if seat != self.shown:
            self.sandbox.machine.ran("look", seat)
            self.shown = seat

    def take(self, seat: int, number: int) -> None:
        """Take a number for a seat. Raises ValueError, and changes nothing, if it is not legal; Left, and RuleFault if a rule fails."""
        if seat != self.shown:
            self.show(seat)
        is_legal = self.sandbox.is_legal
        if number < 0 or number >= len(is_legal) or not is_legal[number]:
            raise ValueError(f"{number} is not among the legal numbers: {self.legal(seat)}")
        self.go(number)
        self.numbers.append(number)

    def legal(self, seat: int) -> list[int]:
        """The numbers that a seat may take; none if it is not asked."""
        self.show(seat)
        found: list[int] = self.sandbox.mask.nonzero()[0].tolist()
        return found

    def arrays(self, seat: int) -> tuple[Any, Any]:
        """What a seat sees, and which numbers are legal."""
        self.show(seat)
        return self.sandbox.seen.copy(), self.sandbox.mask.copy()

    def utilities(self) -> list[float]:
        """What the finished match is worth to each player."""
        return self.sandbox.worth(self.utility)
