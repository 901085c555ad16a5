"""What runs modules: wasmtime, or the browser around the interpreter. Both have the same names, but only wasmtime keeps modules."""

from __future__ import annotations

import sys

if sys.platform == "emscripten":
    from houserule.native.in_browser import KEEPS, Module, Sandbox, Trap, made
else:
    from houserule.native.in_wasmtime import KEEPS, Module, Sandbox, Trap, again, kept, made

__all__ = ["KEEPS", "Module", "Sandbox", "Trap", "again", "kept", "made"]
