"""docs/reference/ is what the code says."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

import houserule

GENERATE = runpy.run_path(str(Path(__file__).parent.parent / "docs" / "generate.py"))


def test_the_reference_is_current(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["generate.py", "--check"])
    assert GENERATE["main"]() == 0, capsys.readouterr().err


def test_what_is_taken_out_and_put_back_stands_where_it_stood() -> None:
    before = GENERATE["api_page"]()
    with pytest.MonkeyPatch.context() as patch:
        patch.delattr(houserule.Match, "imagination")
    assert list(vars(houserule.Match))[-1] == "imagination" and GENERATE["api_page"]() == before
