"""Many matches of a game side by side, in each of which bots that answer at random have all seats but one: native where that can be."""

from __future__ import annotations

from typing import Any

from houserule.bridges.playing import Play
from houserule.bridges.sandboxed import BEGIN, UNDECIDED, translated
from houserule.compiler.runtime import LONGEST_MATCH
from houserule.extras import library
from houserule.spaces.sights import Observations

np = library("numpy", "pettingzoo")

LEAVE = -1
"""The command that leaves a match alone; BEGIN begins another with its seed, and any other number is the answer of the seat."""
ROOM = 64
"""Answers of a match that there is room for at first; if one has more, the room is doubled."""


class Matches:
    """So many matches, and by match what the seat sees and may answer, whether it is over or endless, and what it was worth."""

    def __init__(self, spaces: Observations, count: int, seat: int, utility: str, engine: str = "auto") -> None:
        """Raises ValueError, and NotNative if `engine` is `native` and the game cannot be played so."""
        self.spaces, self.count, self.seat, self.utility = spaces, count, seat, utility
        self.seen = np.zeros((count, spaces.size), np.int64)
        self.legal = np.zeros((count, spaces.actions.size), np.int8)
        self.over, self.endless = np.zeros(count, bool), np.zeros(count, bool)
        self.worth = np.zeros(count)
        self.seeds = np.zeros(count, np.uint64)
        self.plays: dict[int, Play] = {}
        """By match: those that are played in Python."""
        self.answers, self.given = np.zeros((count, ROOM), np.int32), np.zeros(count, int)
        """By match: what the seat has answered in a sandbox, and how often."""
        self.sandboxes = self.native(engine)

    def native(self, engine: str) -> list[Any]:
        """The sandboxes, as many as the matches need; none if the game is played in Python. Raises ValueError and NotNative."""
        first = translated(self.spaces, engine)
        return [] if first is None else [first.another() for _ in range(0, self.count, first.record.count)]

    def go(self, commands: Any, seeds: Any) -> None:
        """Carry out a command for each match; those that begin have their seed there. Raises RuleFault."""
        begins = commands == BEGIN
        self.seeds[begins] = seeds[begins]
        self.given[begins] = 0
        if self.sandboxes:
            self.note(commands)
        here = [match for match in self.plays if commands[match] >= 0]
        for match in [match for match in self.plays if begins[match]]:
            del self.plays[match]
        natively = commands.copy()
        natively[here] = LEAVE
        start = 0
        for sandbox in self.sandboxes:
            stop = min(start + sandbox.record.count, self.count)
            self.go_natively(sandbox, start, stop, natively)
            start = stop
        if not self.sandboxes:
            here = np.flatnonzero(commands != LEAVE).tolist()
        for match in here:
            self.go_in_python(match, int(commands[match]))

    def note(self, commands: Any) -> None:
        """Note the answers among some commands, in case that a match has to be played again in Python."""
        matches = np.flatnonzero(commands >= 0)
        if self.given.max() == self.answers.shape[1]:
            self.answers = np.concatenate([self.answers, np.zeros_like(self.answers)], axis=1)
        self.answers[matches, self.given[matches]] = commands[matches]
        self.given[matches] += 1

    def go_natively(self, sandbox: Any, start: int, stop: int, commands: Any) -> None:
        """The same for the matches of a sandbox; one that traps is replayed in Python, and goes on there."""
        packed, seeds = commands[start:stop].astype(np.int64).tobytes(), self.seeds[start:stop].tobytes()
        trapped, at = [], 0
        while (at := sandbox.observe(packed, seeds, self.seat, at)) < stop - start:
            trapped.append(start + at)
            at += 1
        buffer, record = sandbox.content(), sandbox.record

        def column(offset: int, width: int, kind: Any) -> Any:
            size = np.dtype(kind).itemsize
            return np.ndarray((stop - start, width), kind, buffer, offset, (record.size, size))

        here = slice(start, stop)
        self.seen[here] = column(record.seen, self.spaces.size, np.int64)
        self.legal[here] = column(record.legal, self.spaces.actions.size, np.int8)
        head = column(0, 3, np.int64)
        self.over[here] = head[:, 0] != 0
        self.endless[here] = ~self.over[here] & (head[:, 1] >= LONGEST_MATCH)
        self.worth[here] = worth_of_rows(
            self.spaces, column(record.row, sandbox.row, np.int64), self.seat, self.utility
        )
        for match in trapped:
            self.replay(match)
        for match, play in self.plays.items():
            if here.start <= match < here.stop:
                self.show(match, play)

    def replay(self, match: int) -> None:
        """Play a match again in Python, by its seed and the answers so far."""
        play = self.plays[match] = self.begin(match)
        for number in self.answers[match, : self.given[match]].tolist():
            play.take(self.seat, number)
            play.wait_for(self.seat)

    def begin(self, match: int) -> Play:
        """A match with its seed, up to the first question of the seat."""
        play = Play(self.spaces, int(self.seeds[match]), self.utility)
        play.wait_for(self.seat)
        return play

    def go_in_python(self, match: int, command: int) -> None:
        if command == BEGIN:
            self.plays[match] = self.begin(match)
        else:
            self.plays[match].take(self.seat, command)
            self.plays[match].wait_for(self.seat)
        self.show(match, self.plays[match])

    def show(self, match: int, play: Play) -> None:
        """Put what there is to see of a match that is played in Python into its rows."""
        self.seen[match] = play.vector(self.seat)
        self.legal[match] = 0
        self.legal[match, play.legal(self.seat)] = 1
        self.over[match], self.endless[match] = play.is_over, play.is_endless
        if play.is_over:
            self.worth[match] = play.utilities()[self.seat]


def worth_of_rows(spaces: Observations, rows: Any, seat: int, utility: str) -> Any:
    """What matches were worth to a seat, by the rows of their results; those of matches that go on mean nothing."""
    from houserule.native.memory import ENDING, HEAD, WINNERS

    program = spaces.program
    if utility == "points":
        return rows[:, HEAD + program.symbols.players * len(program.points) + seat].astype(float)
    has_won = rows[:, WINNERS] >> seat & 1
    return np.where(np.isin(rows[:, ENDING], UNDECIDED), 0.0, 2.0 * has_won - 1.0)
