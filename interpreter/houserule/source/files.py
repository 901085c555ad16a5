"""From a path to the text of a file: follows links, limits sizes, checks characters; mistakes are reported."""

from __future__ import annotations

import os
import re
from pathlib import Path

from houserule.diagnostics import Report, Span, did_you_mean
from houserule.printable import UNSEEN
from houserule.reading import MOST_BYTES, NotOrdinary, TooLarge, as_rules, is_inside, keep_lines, read, unsaved
from houserule.source.nodes import Source

BEGINNING = 8192
FEW = 8
"""So few zero bytes at the beginning of a file are slips in a text; with more it is binary."""
MOST_NEIGHBOURS = 500
# Characters that YAML takes for line breaks besides \n would shift every line number; the others are invisible in an editor,
# or display the text in another order than it is read.
UNSEEN_CHARACTER = re.compile(f"[{UNSEEN}]")

MERGE_MARK = re.compile(r"^(?:<{7}|>{7})(?= |$).*", re.MULTILINE)
"""The conflict markers of version control."""


def open_source(path: Path, root: Path, report: Report, display: str | None, named_at: Span | None) -> Source | None:
    """The text of a file, or None after a diagnostic."""
    shown = display if display is not None else path.as_posix()
    place = named_at or Span(shown)
    try:
        if not is_inside(path, root):
            path.resolve()
            message = f"'{shown}' leads out of the folder '{root.name or root}'"
            report.error("HR109", message, place, "files of a game lie in its folder")
            return None
        if (shown_in_editor := unsaved(path)) is not None:
            return _decoded(shown_in_editor, shown, report)
        content = read(path, "rules")
    except IsADirectoryError:
        report.error("HR102", f"'{shown}' is a folder, not a file", place, _file_within(path, shown))
        return None
    except NotOrdinary:
        report.error("HR102", f"'{shown}' is not a text file", place)
        return None
    except TooLarge:
        _too_large(shown, place, report)
        return None
    except FileNotFoundError:
        report.error("HR101", f"there is no file '{shown}'", place, _neighbour(path))
        return None
    except NotADirectoryError:
        report.error("HR101", f"there is no file '{shown}': a part of its path is not a folder", place)
        return None
    except (OSError, RuntimeError, ValueError) as reason:
        why = "it may not be read" if isinstance(reason, PermissionError) else "its path leads nowhere"
        report.error("HR103", f"'{shown[:200]}' cannot be opened: {why}", place)
        return None
    return _decoded(content, shown, report)


def _too_large(shown: str, place: Span, report: Report) -> None:
    message = f"'{shown}' is larger than 2 MB; no rules are that long"
    report.error("HR107", message, place, "divide it, and name the parts in 'include:'")


def _file_within(folder: Path, shown: str) -> str | None:
    """A file of rules in a folder that was given instead."""
    for name in ("game.yaml", "game.yml"):
        if (folder / name).is_file():
            return f"did you mean '{shown.rstrip('/')}/{name}'?"
    names = sorted(path.name for path in folder.glob("*.yaml"))
    return f"name each file in it: {Path(shown) / names[0]}" if names else None


def _neighbour(path: Path) -> str | None:
    """A file beside the missing one that was probably meant."""
    try:
        with os.scandir(path.parent) as folder:
            names = [entry.name for _, entry in zip(range(MOST_NEIGHBOURS), folder, strict=False)]
    except OSError:
        return f"there is no folder '{path.parent.name}' either"
    return did_you_mean(path.name, names)


def _is_text(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _decoded(content: bytes, shown: str, report: Report) -> Source | None:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        report.error("HR104", "the file is written in UTF-16", Span(shown), "save it as UTF-8")
        return None
    zeros = content[:BEGINNING].count(0)
    if zeros > FEW or (zeros and not _is_text(content)):
        report.error("HR105", "the file is binary, not text", Span(shown))
        return None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as reason:
        before = content[: reason.start].decode("utf-8-sig", "replace")
        line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
        message = f"the file is not UTF-8: the byte 0x{content[reason.start]:02X} is not a character"
        report.error("HR104", message, Span(shown, line, column, line, column + 1), "save it as UTF-8")
        return None
    return checked(text, shown, report, content)


def checked(text: str, shown: str, report: Report, content: bytes | None = None) -> Source | None:
    """The text with `\\n` as its only line break, or None if it has invisible characters or conflict markers."""
    if len(text) > MOST_BYTES["rules"]:
        _too_large(shown, Span(shown), report)
        return None
    source = Source(shown, as_rules(text), content)
    keep_lines(shown, source.lines)
    found = UNSEEN_CHARACTER.search(source.text)
    if found:
        place = source.span(found.start(), found.end())
        report.error("HR105", f"there is an invisible character (U+{ord(found[0]):04X}) here", place, "remove it")
        return None
    mark = MERGE_MARK.search(source.text)
    if mark:
        report.error(
            "HR141",
            f"'{mark[0][:7]}' marks two versions of the same lines: a merge was not finished here",
            source.span(mark.start(), mark.end()),
            "keep what is right from both, and remove the lines with '<<<<<<<', '=======' and '>>>>>>>'",
        )
        return None
    return source
