"""Merges the files of a game: maps recursively, every node with its file.

A leaf that is given twice is an error that shows both places.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from houserule.definition.readings import Readings
from houserule.diagnostics import Related, Report, Span
from houserule.reading import is_inside
from houserule.source import Entry, Mapping, Scalar, Sequence, Yaml


def merge(first: Mapping, second: Mapping, report: Report) -> Mapping:
    """Both maps as one, in the order of the first, then what only the second has."""
    entries = dict(first.entries)
    for name, entry in second.entries.items():
        if name not in entries:
            entries[name] = entry
            continue
        mine, other = entries[name].value, entry.value
        if isinstance(mine, Mapping) and isinstance(other, Mapping):
            entries[name] = Entry(entries[name].key, merge(mine, other, report))
        else:
            report.error(
                "HR302",
                f"'{name}' is given twice",
                entry.key.span,
                "keep one of the two",
                [Related("the other is here", entries[name].key.span)],
            )
    return Mapping(entries, first.span)


@dataclass(slots=True, eq=False)
class Includes:
    """Reads the files that a game includes; each is read once, and only inside the folder of the game."""

    root: Path
    report: Report
    readings: Readings
    seen: dict[Path, Span]  # where each file is included first

    def of(
        self, node: Mapping, file: Path, shown: str, around: tuple[Path, ...] = ()
    ) -> list[tuple[Mapping, Path, bool]]:
        """The maps of all files that a file includes, directly or not, and whether each has the right shape.

        `around` are the files that include this one.
        """
        entry = node.entries.get("include")
        listed: tuple[Yaml, ...] = ()
        if entry is not None:
            listed = entry.value.items if isinstance(entry.value, Sequence) else (entry.value,)
        around = (*around, file.resolve())
        found: list[tuple[Mapping, Path, bool]] = []
        for item in listed:
            if not isinstance(item, Scalar) or not item.text:
                continue
            path = file.parent / item.text
            if self.is_refused(item, resolved(path), around):
                continue
            display = str(Path(shown).parent / item.text)
            part, good = self.readings.document(path, self.root, "part", self.report, display, item.span)
            if part is not None:
                found.append((part, path, good))
                found += self.of(part, path, display, around)
        return found

    def is_refused(self, item: Scalar, real: Path | None, around: tuple[Path, ...]) -> bool:
        """Whether a file may not be included here, which is reported; otherwise notes that it is included."""
        message, help = "", "leave it out: each file is read once"
        related: list[Related] = []
        code = "HR304"
        if real is not None and (not is_inside(real, self.root) or Path(item.text).is_absolute()):
            code, message = "HR303", f"'{item.text}' lies outside the folder of the game"
            help = "parts of a game lie in its own folder"
        elif real in around:
            is_itself = real == around[-1]
            message = f"'{item.text}' is this file itself" if is_itself else f"'{item.text}' includes this file already"
            related = [Related("it is included here", self.seen[real])] if real not in (around[0], around[-1]) else []
        elif real in self.seen:
            message, help = f"'{item.text}' is included twice", "leave out one of the two"
            related = [Related("the first time is here", self.seen[real])]
        elif real is not None:
            self.seen[real] = item.span
        if message:
            self.report.error(code, message, item.span, help, related)
        return bool(message)


def resolved(path: Path) -> Path | None:
    """The real path of a file; None if it cannot have one."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return None
