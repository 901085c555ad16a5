"""Whatever single slip is made in the files of a game, it is told as diagnostics, each at a place that is in its file."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import houserule

GAMES = Path(__file__).parents[2] / "games"
FILES = sorted(path for path in GAMES.glob("*/*.yaml"))
TEXTS = {path: path.read_text(encoding="utf-8") for path in FILES}
EXAMPLES = int(os.environ.get("HOUSERULE_FUZZ", "0"))
SIGNS = st.sampled_from([*" \n:,;.|-#'\"{}[]()<>=+*/&!%@`?0a_\t\\", "", "é", "燈", "\N{ZERO WIDTH SPACE}", "\0"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of the games that slips can be made in."""
    made = tmp_path_factory.mktemp("slips")
    shutil.copytree(GAMES, made / "games", ignore=shutil.ignore_patterns("scenarios", "variants"))
    yield made / "games"


def is_in(span: houserule.Span, path: Path) -> bool:
    """Whether a span lies in the text of a file, the place behind its last line included."""
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    starts_in = 1 <= span.line <= len(lines) and 1 <= span.column <= len(lines[span.line - 1]) + 1
    ends_in = 1 <= span.end_line <= len(lines) and 1 <= span.end_column <= len(lines[span.end_line - 1]) + 1
    return starts_in and ends_in and (span.line, span.column) <= (span.end_line, span.end_column)


@settings(
    max_examples=EXAMPLES or 8,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(file=st.sampled_from(FILES), at=st.floats(0, 1), length=st.sampled_from([0, 1, 1, 10**6]), sign=SIGNS)
def test_any_slip_is_told_and_none_is_a_traceback(folder: Path, file: Path, at: float, length: int, sign: str) -> None:
    text = TEXTS[file]
    start = int(at * (len(text) - 1))
    slipped = folder / file.relative_to(GAMES)
    slipped.write_text(text[:start] + sign + text[start + length :], encoding="utf-8")
    try:
        for diagnostic in houserule.validate(slipped.parent, rules_only=True):
            assert diagnostic.message
            for span in (diagnostic.span, *(related.span for related in diagnostic.related)):
                assert is_in(span, Path(span.file)), diagnostic
    finally:
        slipped.write_text(text, encoding="utf-8")
