"""Many matches side by side in a sandbox: what one player sees of each and may answer, while the others answer by chance."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

import wasmtime

from houserule.compiler.program import Program
from houserule.extras import signals_held_back
from houserule.native import host
from houserule.native.machine import Machine
from houserule.native.memory import WORD
from houserule.native.observing import Record
from houserule.running.observing import Layout

LEAVE, BEGIN = -1, -2
"""Commands: leave a match alone, or begin another. Any other number is an answer."""


class Observed(Machine):
    """A program with many matches in it. Raises Untranslatable."""

    def __init__(self, program: Program, layout: Layout) -> None:
        self.layout = layout
        super().__init__(program, layout)
        self.record = Record(self.memory, layout, self.row)

    def observe(self, commands: bytes, seeds: bytes, seat: int, first: int = 0) -> int:
        """Carry out a command for each match from the first on, with a seed for those that begin: words of 64 bits.

        Returns the number of the match that trapped, or how many there are.
        """
        with signals_held_back():
            self.write(self.memory.rows, commands)
            self.write(self.memory.keys, seeds)
            with suppress(host.Trap):
                self.calls["observe"](first, len(commands) // WORD, seat)
            return self.sandbox.number("done")

    def content(self) -> ctypes.Array[ctypes.c_ubyte]:
        """All records, as they lie in memory until the next call."""
        return (ctypes.c_ubyte * (self.record.count * self.record.size)).from_address(
            self.sandbox.address + self.memory.records
        )


def quick_call(machine: Machine, name: str) -> Callable[[int], bool]:
    """A function that takes a number and returns nothing, as one that returns whether it went well, and not into a trap.

    Raises NotImplementedError where wasmtime has other insides, or its memories may move.
    """
    try:
        insides: Any = import_module("wasmtime._bindings")

        store, function = machine.sandbox.store._context(), machine.sandbox.exports[name]._func  # noqa: SLF001  a reference beside it
        called, delete = insides.dll.wasmtime_func_call_unchecked, insides.wasm_trap_delete
        kind = insides.wasm_trap_t
    except (ImportError, AttributeError) as other:
        raise NotImplementedError from other
    if sys.maxsize < 1 << 32:
        raise NotImplementedError
    prototype = ctypes.PYFUNCTYPE(*(ctypes.c_void_p,) * 4, ctypes.c_size_t, ctypes.c_void_p)
    quick = prototype(ctypes.cast(called, ctypes.c_void_p).value or 0)
    value, trap = (ctypes.c_int64 * 2)(), ctypes.c_void_p()  # a value has 16 bytes
    kept = (
        ctypes.cast(store, ctypes.c_void_p).value,
        ctypes.addressof(function),
        ctypes.addressof(value),
        1,
        ctypes.addressof(trap),
    )

    def call(number: int, _: Any = (machine, function, value)) -> bool:
        value[0] = number
        error = quick(*kept)
        if error or trap.value:
            return failed(error)
        return True

    def failed(error: int | None) -> bool:
        if trap.value:
            delete(ctypes.cast(trap, ctypes.POINTER(kind)))
            trap.value = None
        if error:
            raise wasmtime.WasmtimeError(f"{name} cannot be called")
        return False

    return call
