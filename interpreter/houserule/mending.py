"""Applies the fixes of diagnostics to the texts of files, and shows the difference."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from houserule.diagnostics import Diagnostic, Fix
from houserule.reading import LINE_BREAK, MARK, as_rules, lines_of_file, read


@dataclass(frozen=True, slots=True)
class Mended:
    """A file with its fixes: its text, the text after the fixes, and the diagnostics that they fix."""

    file: str
    before: str
    after: str
    diagnostics: tuple[Diagnostic, ...]

    def difference(self, shown: str | None = None) -> str:
        """The changes as a unified diff that `git apply` and `patch` read."""
        name = (shown or self.file).lstrip("/")
        return patch(self.before, self.after, f"a/{name}", f"b/{name}")


def patch(before: str, after: str, old: str, new: str) -> str:
    """The changes in a text as a unified diff; `old` and `new` are its names before and after."""
    lines = difflib.unified_diff(split(before), split(after), old, new)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def split(text: str) -> list[str]:
    """The lines of a text with their line breaks; only a line feed ends one."""
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def mend(diagnostics: Iterable[Diagnostic], roots: Iterable[Path]) -> list[Mended]:
    """Each file with fixes, with those of its fixes that do not overlap; nothing is written.

    Only files in one of the folders, links followed, are fixed: a file elsewhere is somebody else's. A file that has changed since
    its diagnostics were found is left alone.
    """
    folders = [root.resolve() for root in roots]
    by_file: dict[str, list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        if diagnostic.fix is not None:
            by_file.setdefault(diagnostic.fix.span.file, []).append(diagnostic)
    found = []
    for file, wrong in sorted(by_file.items()):
        try:
            path = Path(file).resolve()
            if not path.is_file() or not any(path.is_relative_to(folder) for folder in folders):
                continue
            before = read(path, "rules").decode("utf-8")
        except (OSError, ValueError, RuntimeError):
            continue
        after, done = with_fixes(before, wrong)
        if after != before and [*lines_of_file(file)] == as_rules(before).split("\n"):
            found.append(Mended(file, before, after, tuple(done)))
    return found


def with_fixes(text: str, diagnostics: Iterable[Diagnostic]) -> tuple[str, list[Diagnostic]]:
    """The text after the fixes of diagnostics, and those diagnostics; of two fixes that overlap only the first is applied."""
    made: list[tuple[int, int, str]] = []
    done: list[Diagnostic] = []
    starts = line_starts(text)
    with_places = [(place(text, starts, d.fix), d) for d in diagnostics if d.fix is not None]
    # The first place goes first, and the shorter of two fixes there.
    for where, diagnostic in sorted(with_places, key=lambda pair: pair[0] or (-1, -1)):
        assert diagnostic.fix is not None
        if where is None:
            continue
        edit = (*where, diagnostic.fix.text)
        if edit in made:
            done.append(diagnostic)
        elif not made or (edit[0] >= made[-1][1] and edit[:2] != made[-1][:2]):
            made.append(edit)
            done.append(diagnostic)
    return replaced(text, made), done


def edited(text: str, fixes: Iterable[Fix]) -> str:
    """The text with fixes that do not overlap."""
    starts = line_starts(text)
    places = [(where, fix.text) for fix in fixes if (where := place(text, starts, fix)) is not None]
    return replaced(text, sorted((*where, new) for where, new in places))


def replaced(text: str, edits: list[tuple[int, int, str]]) -> str:
    """The text with ranges replaced, which are in order and do not overlap."""
    for start, end, replacement in reversed(edits):
        text = text[:start] + replacement + text[end:]
    return text


def line_starts(text: str) -> list[int]:
    """Where each line begins, with any line ends; a byte order mark is not part of the text."""
    return [len(MARK) if text.startswith(MARK) else 0, *(found.end() for found in LINE_BREAK.finditer(text))]


def place(text: str, starts: list[int], fix: Fix) -> tuple[int, int] | None:
    """The range of a text that a fix replaces; None if it no longer exists."""
    span = fix.span
    if not (1 <= span.line <= len(starts) and 1 <= span.end_line <= len(starts)):
        return None
    start, end = starts[span.line - 1] + span.column - 1, starts[span.end_line - 1] + span.end_column - 1
    return (start, end) if 0 <= start <= end <= len(text) else None
