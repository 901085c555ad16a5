"""Modules run by the browser in which this interpreter runs. `houserule_host`, which the page's worker offers, writes and opens them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

Module = Any
KEEPS = False
"""A module is gone when the page is closed."""


class Trap(Exception):
    """A function of a module has trapped."""


def host() -> Any:
    return import_module("houserule_host")


def made(text: str) -> Module:
    """The module of a text."""
    return host().module(text)


class Sandbox:
    """A module with a memory of its own, as in `in_wasmtime`."""

    def __init__(self, module: Module) -> None:
        self.opened = host().sandbox(module)
        self.calls: dict[str, Callable[..., Any]] = {
            name: partial(self.call, name) for name in str(self.opened.names).split()
        }

    def call(self, name: str, *given: int) -> Any:
        found = self.opened.call(name, *given)
        if self.opened.trapped:
            raise Trap(str(self.opened.trapped))
        return found

    @property
    def size(self) -> int:
        return int(self.opened.size)

    def read(self, start: int, stop: int) -> bytes:
        content: bytes = self.opened.view(start, stop).to_bytes()
        return content

    def write(self, at: int, content: bytes) -> None:
        self.opened.view(at, at + len(content)).assign(content)

    def number(self, name: str) -> int:
        return int(self.opened.number(name))
