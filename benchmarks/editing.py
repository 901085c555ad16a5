"""Measures what somebody waits for who types rules: keystrokes through the protocol in, percentiles of milliseconds out.

`python -m benchmarks.editing` types words into effects of a bundled game, letter by letter, and takes them away again, with a
pause now and then, so that looks at the whole game are interrupted. After each keystroke a completion is asked for, as
editors do. Counted is the time until the answer, and until what is wrong in this very text has been told. `--edits`
goes on with that many edits at random, and prints the memory of the server on the way.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import quantiles
from time import perf_counter

from lsprotocol import types

from houserule.bundled import bundled
from tests.lsp.editor import Editor, edit, place

GAME = "aladdin"
WANTED = {"diagnostics": 150, "completion": 50}
"""What the project promises of the 95th percentile, in milliseconds."""
PAUSE_EVERY, PAUSE = 25, 0.8


def percentiles(seconds: Sequence[float]) -> dict[str, int]:
    """Some percentiles in milliseconds."""
    hundredths = quantiles(seconds, n=100, method="inclusive")
    return {f"p{at}": round(hundredths[at - 1] * 1000) for at in (50, 90, 95, 99)} | {"max": round(max(seconds) * 1000)}


def resident(process: int) -> int:
    """The memory of a process, in megabytes."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) // 1024 for line in status.splitlines() if line.startswith("VmRSS"))


def places_to_type(text: str) -> list[int]:
    """The ends of lines inside effects, behind the first word of which something may be typed."""
    lines, at, found = text.split("\n"), 0, []
    for line in lines:
        at += len(line) + 1
        if line.startswith("      ") and not line.lstrip().startswith(("#", "-")) and line[-1:] not in "|>{[":
            found.append(at - 1)
    return found


async def keystroke(editor: Editor, start: int, end: int, new: str) -> tuple[float, float]:
    """Type a letter and ask what can follow; how long the diagnostics took, and the completion."""
    begun = perf_counter()
    editor.edit(start, end, new)
    where = place(editor.texts["game.yaml"], start + len(new))
    await editor.client.text_document_completion_async(types.CompletionParams(editor.document(), where))
    completed = perf_counter() - begun
    await editor.told_of_version()
    return perf_counter() - begun, completed


async def typed(editor: Editor, keystrokes: int, chance: random.Random) -> tuple[list[float], list[float]]:
    """Words of the game typed somewhere else, letter by letter, and taken away again."""
    text = editor.texts["game.yaml"]
    words = [word for line in text.split("\n") if line.startswith("      ") for word in line.split()]
    told: list[float] = []
    completed: list[float] = []
    while len(told) < keystrokes:
        at, word = chance.choice(places_to_type(text)), f" {chance.choice(words)}"
        letters = [(at + number, at + number, sign) for number, sign in enumerate(word)]
        letters += [(at + number, at + number + 1, "") for number in reversed(range(len(word)))]
        for letter in letters:
            waited, answered = await keystroke(editor, *letter)
            told.append(waited)
            completed.append(answered)
            if len(told) % PAUSE_EVERY == 0:
                await asyncio.sleep(PAUSE)
    return told, completed


async def edited(editor: Editor, edits: int, chance: random.Random, process: int) -> list[tuple[int, int]]:
    """The memory of the server after so many edits, ten times on the way."""
    whole, found = editor.texts["game.yaml"], [(0, resident(process))]
    for number in range(1, edits + 1):
        text = editor.texts["game.yaml"]
        at = chance.randrange(len(text))
        editor.edit(at, min(len(text), at + chance.randrange(2)), chance.choice(("x", " ", "\n", ":", "me.", "1", "")))
        await editor.told_of_version()
        if number % 10 == 0:
            editor.write(whole)
        if number % (edits // 10) == 0:
            found.append((number, resident(process)))
    return found


def main() -> None:
    """Type, and print what it took."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.editing", description=__doc__)
    parser.add_argument("--keystrokes", type=int, default=400)
    parser.add_argument(
        "--edits", type=int, default=0, help="then so many edits at random, with the memory of the server"
    )
    parser.add_argument("--game", default=GAME)
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    found: dict[str, object] = {"game": given.game, "keystrokes": given.keystrokes, "load": os.getloadavg()[0]}

    async def work(editor: Editor) -> None:
        editor.open()
        await editor.told_of_version()
        chance = random.Random(7)
        told, completed = await typed(editor, given.keystrokes, chance)
        found.update(diagnostics=percentiles(told), completion=percentiles(completed))
        if given.edits:
            process = editor.process
            found["memory"] = await edited(editor, given.edits, chance, process)

    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(bundled("games") / given.game, Path(folder) / given.game)
        edit(Path(folder) / given.game, work, 60 + given.keystrokes * 2 + given.edits)
    if given.json:
        print(json.dumps(found))
        return
    for name, wanted in WANTED.items():
        print(f"{name}: {found[name]} ms, wanted p95 <= {wanted}")
    print(f"{given.keystrokes} keystrokes in {given.game}, load {found['load']:.2f}")
    for number, megabytes in found.get("memory", ()):  # type: ignore[attr-defined]  # pairs
        print(f"after {number} edits: {megabytes} MB")


if __name__ == "__main__":
    main()
