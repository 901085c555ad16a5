"""Modules run by wasmtime."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache, cached_property, partial
from importlib import import_module
from typing import Any

import wasmtime

Module = wasmtime.Module
Trap = wasmtime.Trap
KEEPS = True
"""Whether compiled modules can be kept between runs."""


@cache
def engine() -> wasmtime.Engine:
    """The compiler of modules."""
    config = wasmtime.Config()
    config.cranelift_opt_level = "speed"
    config.memory_init_cow = False  # or a kept module has ten megabytes of zeros
    return wasmtime.Engine(config)


def made(text: str) -> Module:
    """The module of a text."""
    return wasmtime.Module(engine(), bytes(wasmtime.wat2wasm(text)))


def kept(module: Module) -> bytes:
    """A compiled module as bytes that `again` reads."""
    return bytes(module.serialize())


def again(content: bytes) -> Module:
    """A module from the cache. Raises ValueError for a damaged one."""
    try:
        return wasmtime.Module.deserialize(engine(), content)
    except wasmtime.WasmtimeError as wrong:
        raise ValueError(str(wrong)) from wrong


class Sandbox:
    """A module with a memory of its own; it reaches nothing else. `calls` are its functions, which raise Trap."""

    def __init__(self, module: Module) -> None:
        self.store = wasmtime.Store(engine())
        exports = wasmtime.Instance(self.store, module, []).exports(self.store)
        names = [str(one.name) for one in module.exports]
        self.exports: dict[str, Any] = {name: exports[name] for name in names}
        self.calls: dict[str, Callable[..., Any]] = {
            name: partial(one, self.store) for name, one in self.exports.items() if isinstance(one, wasmtime.Func)
        }
        with suppress(NotImplementedError):
            self.calls = {name: self.quick(name) for name in self.calls}

    def quick(self, name: str, prototype: Callable[..., Any] = ctypes.CFUNCTYPE) -> Callable[..., int]:
        """A function of whole numbers whose type is not worked out at each call, which takes twenty times as long; a prototype keeps or releases Python's lock.

        It returns its result, if it has one. Raises NotImplementedError where wasmtime has other insides.
        """
        function = self.exports[name]
        try:
            insides: Any = import_module("wasmtime._bindings")
            store, address = self.store._context(), ctypes.addressof(function._func)  # noqa: SLF001  a reference beside it
            called, delete, kind = (
                insides.dll.wasmtime_func_call_unchecked,
                insides.wasm_trap_delete,
                insides.wasm_trap_t,
            )
        except (ImportError, AttributeError) as other:
            raise NotImplementedError from other
        if sys.maxsize < 1 << 32:
            raise NotImplementedError
        made = prototype(*(ctypes.c_void_p,) * 4, ctypes.c_size_t, ctypes.c_void_p)
        go = made(ctypes.cast(called, ctypes.c_void_p).value or 0)
        type = function.type(self.store)
        count, is_short = len(type.params), [str(one) for one in type.results] == ["i32"]
        words, trap = (ctypes.c_int64 * (2 * max(1, count)))(), ctypes.c_void_p()  # a value has 16 bytes
        result = (ctypes.c_int32 if is_short else ctypes.c_int64).from_buffer(words)
        here = (
            ctypes.cast(store, ctypes.c_void_p).value,
            address,
            ctypes.addressof(words),
            max(1, count),
            ctypes.addressof(trap),
        )

        def call(*numbers: int, _: Any = (self.store, function)) -> int:
            if len(numbers) != count:
                raise TypeError(f"{name} takes {count} numbers")
            for at, number in enumerate(numbers):
                words[2 * at] = number
            error = go(*here)
            if trap.value:
                delete(ctypes.cast(trap, ctypes.POINTER(kind)))
                trap.value = None
                raise Trap(f"{name} has trapped")
            if error:
                raise wasmtime.WasmtimeError(f"{name} cannot be called")
            return result.value

        return call

    @property
    def size(self) -> int:
        """The bytes of its memory."""
        return int(self.exports["memory"].data_len(self.store))

    @cached_property
    def address(self) -> int:
        """The address of the memory in this process: it stays, since wasmtime reserves four gigabytes for a memory, and ours may have 64 megabytes."""
        found: int = ctypes.cast(self.exports["memory"].data_ptr(self.store), ctypes.c_void_p).value or 0
        return found

    def read(self, start: int, stop: int) -> bytes:
        """What is in the memory; the caller knows that it is in there."""
        return ctypes.string_at(self.address + start, stop - start)

    def write(self, at: int, content: bytes) -> None:
        """Write to the memory; the caller knows that it has room."""
        ctypes.memmove(self.address + at, content, len(content))

    def number(self, name: str) -> int:
        """The value of a global."""
        return int(self.exports[name].value(self.store))
