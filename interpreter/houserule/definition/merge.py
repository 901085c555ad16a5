"""Merges the files of a game: maps by depth, every node knowing its file.

A leaf that is given twice is an error that shows both places.
"""

from __future__ import annotations

from pathlib import Path

from houserule.diagnostics import Related, Report, Span
from houserule.source import Entry, Mapping, Scalar, Sequence, Yaml, read_file


def merge(first: Mapping, second: Mapping, report: Report) -> Mapping:
    """Both maps as one; the order is that of the first, then what only the second has."""
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


def includes(
    node: Mapping,
    file: Path,
    root: Path,
    report: Report,
    seen: dict[Path, Span],
    shown: str,
    around: tuple[Path, ...] = (),
) -> list[tuple[Mapping, Path]]:
    """The maps of all parts that a file names, and of those that they name; `around` are the files that led to it."""
    entry = node.entries.get("include")
    listed: tuple[Yaml, ...] = ()
    if entry is not None:
        listed = entry.value.items if isinstance(entry.value, Sequence) else (entry.value,)
    around = (*around, file.resolve())
    found: list[tuple[Mapping, Path]] = []
    for item in listed:
        if not isinstance(item, Scalar) or not item.text:
            continue
        path = file.parent / item.text
        real = resolved(path)
        if real is not None and (not real.is_relative_to(root.resolve()) or Path(item.text).is_absolute()):
            message = f"'{item.text}' lies outside the folder of the game"
            report.error("HR303", message, item.span, "parts of a game lie in its own folder")
        elif real in around:
            is_itself = real == around[-1]
            message = f"'{item.text}' is this file itself" if is_itself else f"'{item.text}' includes this file already"
            related = [Related("it is included here", seen[real])] if real not in (around[0], around[-1]) else []
            report.error("HR304", message, item.span, "leave it out: each file is read once", related)
        elif real in seen:
            related = [Related("the first time is here", seen[real])]
            report.error("HR304", f"'{item.text}' is included twice", item.span, "leave one of the two out", related)
        else:
            if real is not None:
                seen[real] = item.span
            display = str(Path(shown).parent / item.text)
            part = read_file(path, root, report, display, named_at=item.span)
            if part is not None:
                found.append((part, path))
                found += includes(part, path, root, report, seen, display, around)
    return found


def resolved(path: Path) -> Path | None:
    """Where a path leads in the end; None where it cannot lead anywhere."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return None


__all__ = ["includes", "merge"]
