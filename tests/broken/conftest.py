"""The summary of a test run says how many broken inputs are told."""

from __future__ import annotations

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, value in getattr(report, "user_properties", ()):
                if name == "broken inputs" and getattr(report, "when", "") == "call":
                    terminalreporter.write_line(f"{name}: {value}")
