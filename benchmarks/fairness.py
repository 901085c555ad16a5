"""Sees how often comparisons are right: an unfair house rule and a harmless one against the game, over and over (`python -m benchmarks.fairness`).

Each repetition has seeds of its own. The unfair rule gives the first seat three more gems; the harmless one renames cards and lists
them in another order, so that chance deals others. Wanted are at least 19 right of 20 of each.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path

import houserule
from houserule import Game
from houserule.bundled import bundled
from houserule.study.compare import compare

GAME = "aladdin"
PLAYERS = 3
UNFAIR = """\
variant: three_gems
of: aladdin
change:
  flow:
    setup:
      do: |
        shuffle lamp_deck
        for m in metal:
          shuffle chest[m]
          for c in chest[m] where c.sort == sorcerer: move c to chest[m] at depth
        shuffle start_deck
        for p in players: draw starting_cards from start_deck to p.loot
        draw 3 from start_deck to first(players).loot
        move start_deck to discard
"""


def harmless(folder: Path) -> Game:
    """A copy of the game whose cards have other names and another order."""
    shutil.copytree(bundled("games") / GAME, folder)
    shutil.rmtree(folder / "scenarios")
    shutil.rmtree(folder / "variants")
    file = folder / "chests.yaml"
    lines = file.read_text(encoding="utf-8").split("\n")
    cards = [number for number, line in enumerate(lines) if line.startswith("      bronze_")]
    for number, line in zip(cards, [lines[number] for number in reversed(cards)], strict=True):
        lines[number] = line
    file.write_text("\n".join(lines), encoding="utf-8")
    for part in folder.glob("*.yaml"):
        part.write_text(part.read_text(encoding="utf-8").replace("bronze_", "copper_"), encoding="utf-8")
    return houserule.load(folder)


def unfair(folder: Path) -> Game:
    """The game with a house rule that gives the first seat three more gems."""
    folder.mkdir()
    (folder / "three_gems.yaml").write_text(UNFAIR, encoding="utf-8")
    return houserule.load(GAME, [str(folder / "three_gems.yaml")])


def main() -> None:
    """Print for each side how often the comparison was right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=20)
    parser.add_argument("--matches", type=int, default=1500)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        game = houserule.load(GAME)
        sides = {"unfair": unfair(Path(folder, "unfair")), "harmless": harmless(Path(folder, "harmless"))}
        for name, side in sides.items():
            right = 0
            for seed in range(wanted.repetitions):
                found = compare(side, game, players=PLAYERS, matches=wanted.matches, precision=0.001, seed=seed)
                told = {one.key for one in found.differences if one.is_told}
                is_right = "wins.seat_1" in told if name == "unfair" else not told
                right += is_right
                print(f"{name} {seed + 1}: {' '.join(found.verdict)}", flush=True)
            print(
                f"{name}: right in {right} of {wanted.repetitions} repetitions of {wanted.matches:,} matches each side",
                flush=True,
            )


if __name__ == "__main__":
    main()
