"""Runs translated programs: batches of matches at random, by their seeds."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import Any

import wasmtime

from houserule.compiler.program import Program
from houserule.compiler.runtime import LONGEST_MATCH
from houserule.native.memory import KEYS, ROWS, WORD, seed_key
from houserule.native.module import HEAD, Written
from houserule.native.state import HOW
from houserule.operations.fuel import ALLOWANCE, BETWEEN_ANSWERS, reserve
from houserule.running.playout import Outcome, judged_by, playout, won_by


def engine() -> wasmtime.Engine:
    """The compiler of modules: nothing but what they need."""
    config = wasmtime.Config()
    config.cranelift_opt_level = "speed"
    return wasmtime.Engine(config)


class Machine:
    """One program in a sandbox of its own."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.written = Written(program)
        self.memory = self.written.memory
        self.engine = engine()
        self.module = wasmtime.Module(self.engine, wasmtime.wat2wasm(self.written.text))
        self.store = wasmtime.Store(self.engine)
        instance = wasmtime.Instance(self.store, self.module, [])
        exports = instance.exports(self.store)
        self.exports: dict[str, Any] = {
            name: exports[name] for name in ("memory", "batch", "done", "play", "result", "pack", "unpack")
        }
        self.allow()

    def allow(self) -> None:
        """Let rules work as much as they may in this process."""
        first = self.memory.first - self.memory.state  # numbers come first in what is kept
        for name, value in (("reserve", reserve()), ("between", int(BETWEEN_ANSWERS * ALLOWANCE.times))):
            self.exports["memory"].write(self.store, value.to_bytes(WORD, "little"), self.memory.fields[name] + first)

    def outcomes(self, seeds: Sequence[int | str]) -> Iterator[Outcome]:
        """The results of matches at random, as `playout` has them. Raises RuleFault."""
        waiting = list(seeds)
        while waiting:
            keys = bytearray()
            most = ROWS // (self.written.row * WORD)
            taken = 0
            for seed in waiting[:most]:
                pair = b"".join(
                    (len(key) // 4).to_bytes(4, "little") + key for key in (seed_key(seed), seed_key(f"answers {seed}"))
                )
                if len(keys) + len(pair) > KEYS:
                    break
                keys += pair
                taken += 1
            done = self.played(bytes(keys), taken)
            yield from self.rows(done)
            if done < taken:
                yield playout(self.program, waiting[done])
                done += 1
            del waiting[:done]

    def played(self, keys: bytes, matches: int) -> int:
        """Play a batch; how many matches ended, up to one that trapped."""
        memory = self.exports["memory"]
        memory.write(self.store, keys, self.memory.keys)
        try:
            self.exports["batch"](self.store, matches, LONGEST_MATCH, self.memory.rows)
        except wasmtime.Trap:
            pass
        return int(self.exports["done"].value(self.store))

    def rows(self, matches: int) -> Iterator[Outcome]:
        """The results that lie in memory."""
        size = self.written.row
        content = self.exports["memory"].read(self.store, self.memory.rows, self.memory.rows + matches * size * WORD)
        words = array("q", bytes(content)).tolist()
        for start in range(0, len(words), size):
            yield self.outcome(words[start : start + size])

    def outcome(self, row: list[int]) -> Outcome:
        """What a row says."""
        players = self.program.symbols.players
        chances, how, by_rule, leaders = row[:HEAD]
        ends = range(HEAD + players, HEAD + players * (len(self.program.points) + 2), players)
        *lines, scores = [row[end - players : end] for end in ends]
        if how < 0 and self.written.has_keys:
            found = row[ends[-1] :]
            width = len(found) // players
            keys = [tuple(found[width * p : width * (p + 1)]) for p in range(players)]
            ending, winners = judged_by(self.program, scores, keys)
        elif how < 0:
            winners = [p for p in range(players) if leaders >> p & 1]
            rule = self.program.game.winner
            if rule is not None and rule.tie == "draw" and len(winners) > 1:
                ending, winners = "draw", []
            else:
                ending = won_by(len(winners))
        else:
            winners = [p for p in range(players) if by_rule >> p & 1]
            ending = HOW[how] if HOW[how] != "won" else won_by(len(winners))
        return Outcome(scores, lines, LONGEST_MATCH - chances, winners, ending)
