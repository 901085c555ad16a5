"""Calls a function of a sandbox without the checks of wasmtime's package, which take a hundred times as long as a short function."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

import wasmtime

from houserule.native.machine import Machine


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
