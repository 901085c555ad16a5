"""Counts the calls that one line of a rule takes, from its file to a told event (`python -m benchmarks.calls`).

A tiny game is loaded and played to its end with the line and without it. The difference is what the line costs: calls of
functions of the package by stage, and the modules in which they are.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

LINE = "draw 1 from deck to me.hand"
GAME = """\
edition: 2026
game: mushrooms
players: 2
components:
  card: {{pieces: {{morel: {{count: 9}}}}, starts_in: deck}}
zones:
  deck: {{holds: card, visible: none}}
  hand(player): {{holds: card, visible: owner}}
flow:
  deal:
    turns: players
    do: |
      draw 2 from deck to me.hand
      {line}
scoring: {{cards: count(me.hand)}}
"""


def counted(package: ModuleType, work: Callable[[], Any]) -> tuple[Counter[str], Any]:
    """How often functions of a package are called by some work, by module; and what comes of it."""
    assert package.__file__ is not None
    folder = str(Path(package.__file__).parent)
    found: Counter[str] = Counter()

    def note(frame: FrameType, event: str, _: object) -> None:
        file = frame.f_code.co_filename
        if event == "call" and (file.startswith(folder) or file.endswith("game.yaml")):
            found["game.yaml" if file.endswith("game.yaml") else file.removeprefix(folder).strip("/")] += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        made = work()
    finally:
        sys.setprofile(before)
    return found, made


def stages(package: ModuleType, line: str) -> dict[str, Counter[str]]:
    """The calls of each stage for a game with that line in it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.yaml"
        path.write_text(GAME.format(line=line).replace("mushrooms", "herbs"), encoding="utf-8")
        package.load(path).start(2, seed=1).events  # noqa: B018  tables and caches that every game shares
        path.write_text(GAME.format(line=line), encoding="utf-8")
        loading, game = counted(package, lambda: package.load(path))
        starting, match = counted(package, lambda: game.start(2, seed=1))
        telling, _ = counted(package, lambda: match.events)
    return {"load": loading, "compile and play": starting, "tell": telling}


def cost(package: ModuleType) -> dict[str, Counter[str]]:
    """The calls of each stage that the line takes."""
    with_it, without = stages(package, LINE), stages(package, "")
    found = {}
    for stage, calls in with_it.items():
        calls.subtract(without[stage])
        found[stage] = Counter({module: count for module, count in calls.items() if count > 0})
    return found


def main() -> None:
    """Print what the line costs."""
    import houserule

    found = cost(houserule)
    total: Counter[str] = sum(found.values(), Counter())
    print(f"{LINE}: {total.total()} calls in {len(total)} modules")
    for stage, calls in found.items():
        most = ", ".join(f"{module} {count}" for module, count in calls.most_common(8))
        print(f"  {stage}: {calls.total()} ({most})")


if __name__ == "__main__":
    main()
