"""Runs scenario files: what `houserule test` and tests of rule files call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from houserule import Coverage, ScenarioResult, rehearse


def run_file(
    path: str | Path,
    variants: Sequence[str] = (),
    options: Mapping[str, int | str] | None = None,
    coverage: Coverage | None = None,
) -> list[ScenarioResult]:
    """Run all scenarios of a file, in order, with house rules beside their own; `coverage` collects which rules they run.

    Raises InvalidGame where the file or its game has errors, and UnknownGame where there is no such variant.
    """
    return rehearse(path, variants=variants, options=options, coverage=coverage)


__all__ = ["ScenarioResult", "run_file"]
