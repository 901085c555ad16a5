"""Modules run by wasmtime."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache, cached_property, partial
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

    def set_number(self, name: str, value: int) -> None:
        self.exports[name].set_value(self.store, value)
