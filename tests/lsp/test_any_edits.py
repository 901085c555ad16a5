"""Edits at random through the protocol end with the diagnostics that `validate` has for the same texts.

A few run with the tests in a small game, always the same. With `HOUSERULE_FUZZ=10000` so many run in the bundled ones.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import shutil
from pathlib import Path

import pytest
from lsprotocol import types

import houserule
from houserule.bundled import bundled
from tests.bundled import LARGE
from tests.language_service.woods import write
from tests.lsp.editor import Editor, edit, units

EDITS = int(os.environ.get("HOUSERULE_FUZZ", "0"))
TYPED = (
    "x",
    ":",
    " ",
    "\n",
    "(",
    "me.",
    "草",
    "𝒜",
    "\t",
    "\r\n",
    "- ",
    '"',
    "{",
    "  ",
    "#",
    "1",
    "'",
    "|",
    "\n\n",
    "é",
    "*",
)
Seen = list[tuple[str, int, int, int, int, object, str, object]]


def changed(text: str, chance: random.Random) -> tuple[int, int, str]:
    """A slip of the hand, where an editor can make one: none stands between the two signs of one line break."""
    start, end, new = slip(text, chance)
    between = [number for number in (start, end) if text[number - 1 : number + 1] == "\r\n"]
    return start + (start in between), end + (end in between), new


def slip(text: str, chance: random.Random) -> tuple[int, int, str]:
    """Something typed, cut, or copied to another place."""
    start = chance.randrange(len(text) + 1)
    match chance.randrange(5):
        case 0:
            return start, min(len(text), start + chance.randrange(1, 4)), ""
        case 1:
            other = chance.randrange(len(text) + 1)
            return start, start, text[other : other + chance.randrange(1, 40)]
        case 2:
            line = text.rfind("\n", 0, start) + 1
            after = text.find("\n", start) + 1 or len(text)
            return line, after, "" if chance.randrange(2) else text[line:after] * 2
        case _:
            return start, min(len(text), start + chance.randrange(2)), chance.choice(TYPED)


def told(editor: Editor) -> Seen:
    """What the editor shows as wrong, in all files."""
    found = []
    for uri, wrong in editor.wrong.items():
        for one in wrong:
            start, end = one.range.start, one.range.end
            where = (start.line, start.character, end.line, end.character)
            found.append((uri, *where, one.code, one.message, one.severity))
    return sorted(found, key=repr)


def validated(folder: Path) -> Seen:
    """The same of what `validate` says."""
    found = []
    for one in houserule.validate(folder):
        path = Path(one.span.file).resolve()
        text = path.read_bytes().decode("utf-8").removeprefix("\ufeff") if path.is_file() else ""
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")

        def place(line: int, column: int, lines: list[str] = lines) -> tuple[int, int]:
            row = lines[line - 1] if line <= len(lines) else lines[-1]
            return min(line, len(lines)) - 1, units(row[: column - 1] if line <= len(lines) else row)

        span, said = one.span, one.message if one.help is None else f"{one.message}\n{one.help}"
        grave = types.DiagnosticSeverity.Error if one.severity == "error" else types.DiagnosticSeverity.Warning
        start, end = place(span.line, span.column), place(span.end_line, span.end_column)
        found.append((path.as_uri(), *start, *end, one.code, said, grave))
    return sorted(found, key=repr)


@pytest.mark.parametrize("game", LARGE if EDITS else ["woods"])
def test_edits_at_random_end_with_the_diagnostics_of_validate(game: str, tmp_path: Path) -> None:
    folder = tmp_path / game
    if EDITS:
        shutil.copytree(bundled("games") / game, folder)
    else:
        write(folder)
    names = [
        "game.yaml",
        *(str(next(iter(sorted((folder / part).glob("*.yaml"))))) for part in ("variants", "scenarios")),
    ]
    names = [str((folder / name).relative_to(folder)) for name in names]
    seed = random.randrange(10**6) if EDITS else 7
    chance = random.Random(seed)
    edits, together = (EDITS // len(LARGE), 50) if EDITS else (20, 10)

    async def work(editor: Editor) -> None:
        for name in names:
            editor.open(name)
        whole = dict(editor.texts)
        for done in range(1, edits + 1):
            name = chance.choice(names)
            editor.edit(*changed(editor.texts[name], chance), name)
            if done % 5 == 0:
                await asyncio.sleep(chance.choice((0, 0.02, 0.1, 0.7)) if EDITS else 0)
            if done % together == 0:
                for one, text in editor.texts.items():
                    (folder / one).write_bytes(text.encode("utf-8"))
                wanted = validated(folder)
                with contextlib.suppress(AssertionError):
                    await editor.told(lambda wanted=wanted: told(editor) == wanted, 30)  # type: ignore[misc]  # of this turn
                shown = told(editor)
                missing = [one for one in wanted if one not in shown]
                assert ([one for one in shown if one not in wanted], missing) == ([], []), (
                    f"after {done} edits with seed {seed}"
                )
                for one, text in whole.items():
                    if chance.randrange(3):
                        editor.write(text, one)
            elif done % 3 == 0:
                editor.write(whole[name], name)

    edit(folder, work, 60 + edits)
