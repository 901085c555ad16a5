"""A match of every game for every number of players, and one with each of its house rules, is told as it was before.

Of each game, the match at its smallest table is kept in full. Of the others `digests.txt` keeps a row: the table, its
seed, the number of lines, and a digest of each stretch of twenty lines.

`make accept` writes the files anew; read the diff. A table keeps its seed; a new one gets a short match.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from tests.games.playthrough import DIGESTS, GOLDEN, LONGEST, TABLES, Table, digests, seed_of, short, tell
from tests.golden import ACCEPTING

STRETCH = 20

IN_FULL = list({table.game: table for table in reversed(TABLES) if not table.house_rules}.values())
DIGESTED = [table for table in TABLES if table not in IN_FULL]


def digest(told: str) -> list[str]:
    """The number of lines, and a digest of each stretch."""
    lines = told.splitlines()
    stretches = ["\n".join(lines[at : at + STRETCH]) for at in range(0, len(lines), STRETCH)]
    return [str(len(lines)), *(sha256(stretch.encode()).hexdigest()[:6] for stretch in stretches)]


def told_anew(table: Table, seed: int | None) -> str:
    """What is accepted: the match with the seed that was kept, unless it has become too long."""
    told = tell(table, seed) if seed is not None else ""
    return told if 0 < len(told.encode()) < LONGEST else tell(table, short(table))


@pytest.mark.parametrize("table", IN_FULL, ids=str)
def test_a_match_is_told_as_before(table: Table) -> None:
    file = GOLDEN / f"{table}.txt"
    kept = file.read_text(encoding="utf-8") if file.exists() else ""
    seed = seed_of(kept)
    if ACCEPTING:
        file.write_text(told_anew(table, seed), "utf-8")
        return
    assert seed is not None, f"{file} is not there: make accept"
    told = tell(table, seed)
    assert told.splitlines() == kept.splitlines(), "it is told otherwise than before: make accept, and review the diff"
    assert len(told.encode()) < LONGEST


@pytest.mark.parametrize("table", DIGESTED, ids=str)
def test_the_digest_of_a_match_is_as_before(table: Table, tmp_path: Path) -> None:
    rows = digests()
    seed, kept = rows.get(str(table), (None, []))
    if ACCEPTING:
        told = told_anew(table, seed)
        rows[str(table)] = (seed_of(told) or 0, digest(told))
        texts = {name: f"{name}: seed {number}, {' '.join(words)}\n" for name, (number, words) in rows.items()}
        DIGESTS.write_text("".join(texts[str(one)] for one in DIGESTED if str(one) in texts), "utf-8")
        return
    assert seed is not None, f"{table} has no row in {DIGESTS}: make accept"
    told = tell(table, seed)
    if digest(told) != kept:
        raise AssertionError(difference(table, told, kept, tmp_path))
    assert len(told.encode()) < LONGEST


def difference(table: Table, told: str, kept: list[str], folder: Path) -> str:
    """Where a playthrough is told otherwise, and how its reader comes to see it."""
    file = folder / f"{table}.txt"
    file.write_text(told, "utf-8")
    lines, now = told.splitlines(), digest(told)
    same = next((at for at, (a, b) in enumerate(zip(now[1:], kept[1:], strict=False)) if a != b), None)
    first = STRETCH * (min(len(now), len(kept)) - 1 if same is None else same)
    step = next((line for line in reversed(lines[: first + 1]) if line.startswith("# ")), lines[0])
    return f"""\
{table} is told otherwise than before, in lines {first + 1} to {first + STRETCH}, which begin in the step “{step.removeprefix("# ")}”.
It has {now[0]} lines; it had {kept[0]}. What is told now: {file}
To see the difference, tell it with the code of the last commit:
    git stash && python -m tests.games.playthrough {table} > before.txt; git stash pop; diff before.txt {file}
If it is as it should be: make accept."""


def test_a_difference_is_placed_and_can_be_looked_at(tmp_path: Path) -> None:
    table = DIGESTED[0]
    told = "".join(f"# Step {line // 15}\n" if line % 15 == 0 else f"- line {line}\n" for line in range(100))
    kept = digest(told.replace("line 66\n", "line sixty-six\n"))
    words = difference(table, told, kept, tmp_path)
    assert "in lines 61 to 80, which begin in the step “Step 4”" in words
    assert (tmp_path / f"{table}.txt").read_text("utf-8") == told
    longer = difference(table, told + "- one more\n", digest(told), tmp_path)
    assert "in lines 101 to 120" in longer and "It has 101 lines; it had 100." in longer


def test_nothing_golden_is_left_over() -> None:
    assert {file.name for file in GOLDEN.iterdir()} == {DIGESTS.name, *(f"{table}.txt" for table in IN_FULL)}
    assert list(digests()) == [str(table) for table in DIGESTED]
