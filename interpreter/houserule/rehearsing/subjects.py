"""Finds what to validate at a path, without importing the modules that validate it."""

from __future__ import annotations

import os
from pathlib import Path

from houserule.match.record import Record
from houserule.reading import entered, game_folder
from houserule.workshop.library import is_by_itself, rule_files


def subjects(path: str | Path) -> list[Path]:
    """What to validate at a path: games by their folders, and the variants and scenarios outside of these.

    A file counts by itself if it contains a variant or scenarios, and stands for the game if it is another part of one. Nothing
    is found for a record, and for a file outside all games whose keys are not those of a game, a variant or scenarios.
    """
    root = entered(path)
    found = dict.fromkeys(subject for file in rule_files(root) if (subject := subject_of(file)) is not None)
    games = {entered(subject.absolute()) for subject in found if subject.is_dir()}
    alone = [one for one in found if one.is_dir() or game_folder(one) not in games]
    # A linked game is not skipped silently: validating the folder reports where the link leads.
    linked = [file.parent for file in root.glob("*/game.yaml") if file.parent.is_symlink()]
    return [*alone, *sorted(linked)]


def subject_of(file: Path) -> Path | None:
    """What to validate for a file; None for one that is not part of the rules."""
    if not file.is_file() or Record.is_in(file):
        return None
    folder = game_folder(file)
    if folder is None:
        return file if is_by_itself(file) else None
    inside = entered(file.absolute()).relative_to(folder)
    if any(part.startswith(".") for part in inside.parts):
        return None
    if inside.parts[0] in ("variants", "scenarios"):
        return file
    is_near = not file.is_absolute() or folder.is_relative_to(Path.cwd())
    return Path(os.path.relpath(folder)) if is_near else folder
