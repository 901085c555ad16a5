"""The rules of a file without its layout: what a record depends on, since a layout changes no rule."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from houserule.source import Mapping, Scalar, Sequence, content_of

LAYOUT = re.compile(rb"^layout[ \t]*:.*\n?(?:(?:[ \t}\]].*)?\n)*(?:[ \t}\]].*)?", re.MULTILINE)
"""The key `layout` of a file, with the lines below that are indented or empty, or close what it opened."""


def rules_in(files: list[tuple[Path, Mapping]]) -> list[tuple[str, bytes]]:
    """The files of a game with the rules in each; the first includes the others. Files without rules are omitted."""
    root = files[0][0].parent
    layouts = {path.relative_to(root).as_posix() for path, tree in files if is_layout(tree)}
    return [(path.name, without_layout(tree, content_of(tree), layouts)) for path, tree in files if not is_layout(tree)]


def is_layout(tree: Mapping) -> bool:
    return "layout" in tree.entries and len(tree.entries) == 1


def without_layout(tree: Mapping, content: bytes, layouts: Collection[str]) -> bytes:
    """A file without its layout, and without the names of files that hold only layouts."""
    if "layout" in tree.entries:
        content = LAYOUT.sub(b"", content, count=1)
    entry = tree.entries.get("include")
    if entry is None:
        return content
    listed = entry.value.items if isinstance(entry.value, Sequence) else (entry.value,)
    named = [item for item in listed if isinstance(item, Scalar)]
    rest = [item for item in named if item.text not in layouts]
    if not rest:
        return re.sub(rb"^include[ \t]*:.*\n?(?:[ \t-].*\n?)*", b"", content, count=1, flags=re.MULTILINE)
    for item in named:
        if item.text in layouts:
            name = re.escape(item.text.encode())
            content = re.sub(rb"\s*(?:,|^\s*-|\n\s*-)\s*" + name + rb"(?=\s|,|\])", b"", content, count=1)
    return content
