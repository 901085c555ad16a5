"""The benchmarks run and print ratios; what they measure is for people to read."""

from __future__ import annotations

import json
import sys

import pytest

from benchmarks.__main__ import main


def test_benchmarks_print_ratios_as_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["benchmarks", "--json", "--matches", "2", "--rounds", "1"])
    main()
    rows = json.loads(capsys.readouterr().out)
    assert len({row["what"] for row in rows}) == len(rows) > 10
    assert all(row["ratio"] > 0 and row["first"] > 0 and row["second"] > 0 for row in rows)
