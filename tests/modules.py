"""The modules of the package as the tests read them: each is parsed once."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "interpreter" / "houserule"
MODULES = sorted(PACKAGE.rglob("*.py"))


@cache
def tree(module: Path) -> ast.Module:
    """The syntax tree of a module."""
    return ast.parse(module.read_text(encoding="utf-8"))
