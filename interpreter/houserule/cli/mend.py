"""`houserule validate --fix` and `--diff`: apply the fixes of diagnostics to files, or show them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from houserule.cli.report import near_path, not_written, place, tell
from houserule.mending import Mended, mend
from houserule.writing import write_file

if TYPE_CHECKING:
    from houserule import Diagnostic

MOST_ROUNDS = 8


def folders_of(paths: Iterable[Path]) -> list[Path]:
    """The folders whose files may be fixed: those of the games, or of files that belong to none."""
    found = []
    for path in paths:
        folder = path.resolve() if path.is_dir() else path.resolve().parent
        games = [above for above in (folder, folder.parent) if (above / "game.yaml").is_file()]
        found.append(games[0] if games else folder)
    return found


def mend_files(paths: Iterable[Path], validate: Callable[[], list[Diagnostic]]) -> None:
    """Apply the certain fixes, report them on the error stream, and validate again.

    Another round fixes mistakes that were hidden by others. There are a few rounds at most, and none once a file repeats an
    earlier state.
    """
    folders = folders_of(paths)
    seen: set[tuple[str, str]] = set()
    diagnostics = validate()
    for _ in range(MOST_ROUNDS):
        mended = [m for m in mend(diagnostics, folders) if (m.file, m.after) not in seen]
        if not mended:
            break
        for file in mended:
            seen.update({(file.file, file.before), (file.file, file.after)})
            try:
                write_file(Path(file.file).resolve(), file.after)
            except OSError as reason:
                not_written(file.file, reason)
            say(file)
        diagnostics = validate()


def say(file: Mended) -> None:
    """One line for each fix."""
    for diagnostic in file.diagnostics:
        assert diagnostic.fix is not None
        now = diagnostic.fix.text.strip()
        put = f"'{shown(now)}'" if now else "a space" if diagnostic.fix.text else "nothing"
        tell(f"{place(diagnostic.fix.span)}: fixed {diagnostic.code}: now {put}", sys.stderr)


def shown(text: str) -> str:
    """The first line of a text, shortened."""
    first = text.split("\n")[0]
    return first if first == text and len(first) <= 60 else first[:59] + "…"


def differences(paths: Iterable[Path], diagnostics: Iterable[Diagnostic]) -> str:
    """What the first round of `--fix` would change, as a unified diff of all files."""
    return "".join(file.difference(near_path(file.file)) for file in mend(diagnostics, folders_of(paths)))
