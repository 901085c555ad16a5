"""What runs modules: wasmtime, or the browser around the interpreter. Both hosts have the same names."""

from __future__ import annotations

import sys

if sys.platform == "emscripten":
    from houserule.native.in_browser import KEEPS, Module, Sandbox, Trap, again, kept, made
else:
    from houserule.native.in_wasmtime import KEEPS, Module, Sandbox, Trap, again, kept, made

__all__ = ["KEEPS", "Module", "Sandbox", "Trap", "again", "kept", "made"]
