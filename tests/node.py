"""Modules of pages under Node, without a browser."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.modules import PACKAGE


def said(script: str, folder: Path, *modules: str, others: Mapping[str, str]) -> list[str]:
    """The lines that a script prints beside modules of pages, such as `serve/line.js`; `others` are the texts of those that only a browser can run."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    for name in modules:
        wing, _, file = name.partition("/")
        shutil.copy(PACKAGE / wing / "pages" / file, folder)
    for name, text in {"package.json": '{"type": "module"}', "script.mjs": script, **others}.items():
        (folder / name).write_text(text, encoding="utf-8")
    done = subprocess.run([node, "script.mjs"], cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
