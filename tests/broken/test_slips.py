"""Single slips of the keyboard in the bundled games, and all other broken inputs: each is told where it is.

The summary of the test run has the counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from houserule.codes import ROWS
from tests.broken.slips import Slip, copied, is_told, said_about, slips
from tests.broken.structure import structural_slips

SEED, COUNT = 2026, 50
TESTS = Path(__file__).parents[1]
LEAST_TOLD = 95  # in a hundred


def hand_written() -> int:
    """How many broken inputs other tests hold to what is said of them, word for word or code for code."""
    files = list((TESTS / "broken" / "files").rglob("*.txt"))
    house_rules = list((TESTS / "broken" / "house_rules" / "variants").glob("*.txt"))
    chunks = [
        chunk
        for path in (TESTS / "language").rglob("*.effects")
        for chunk in path.read_text(encoding="utf-8").split("\n--- ")
        if re.search(r"### HR\d", chunk)
    ]
    return len(files) + len(house_rules) + len(chunks) + sum(1 for row in ROWS if row.broken)


@pytest.mark.long
def test_slips_of_the_keyboard_are_told_at_their_line_or_at_the_one_that_follows(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    games = copied(tmp_path)
    made = slips(SEED, COUNT)
    untold: list[Slip] = [slip for slip in made if not is_told(slip, said_about(slip, games))]
    told = len(made) - len(untold)
    others = hand_written()
    record_property(
        "broken inputs",
        f"{told} of {len(made)} slips of the keyboard are told in place; {others} more are written by hand",
    )
    assert len(made) >= 50
    assert len(made) + others >= 200
    assert 100 * told >= LEAST_TOLD * len(made), "\n".join(map(str, untold))


@pytest.mark.long
def test_slips_in_the_structure_are_never_silent_and_nearly_all_are_told_in_place(tmp_path: Path) -> None:
    games = copied(tmp_path)
    found = {slip: said_about(slip, games) for slip in structural_slips(SEED, 20)}
    assert [str(slip) for slip in found if not found[slip]] == []
    untold = [str(slip) for slip in found if not is_told(slip, found[slip])]
    assert len(untold) <= 2, "\n".join(untold)


def test_the_same_seed_makes_the_same_slips_and_another_others() -> None:
    one, again, other = ([slip.text for slip in slips(seed, 5)] for seed in (1, 1, 2))
    assert one == again != other
