"""Renaming: which new names are refused, and the resulting texts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from houserule.diagnostics import Fix
from houserule.language.words import RESERVED
from houserule.language_service.documents import Document, absolute
from houserule.language_service.names import Declaration
from houserule.mending import edited

NAME_AT = re.compile(r"[A-Za-z_]\w*", re.ASCII)


class Refused(ValueError):
    """A change that cannot be made safely; the message gives the reason. Nothing has changed."""


def refuse(old: str, new: str, is_local: bool, declared: Iterable[Declaration], taken: Collection[str]) -> None:
    """Raise Refused for a new name that is invalid or taken, and for an old one that several things have."""
    kinds = sorted({one.what for one in declared})
    if not NAME_AT.fullmatch(new) or new in RESERVED:
        raise Refused(f"'{new}' cannot be a name")
    if not is_local and not kinds:
        raise Refused(f"'{old}' is not declared in these files")
    if len(kinds) > 1:
        raise Refused(f"several things are called '{old}': {', '.join(kinds)}")
    if new in taken:
        raise Refused(f"'{new}' means something already")


def words_in(document: Document) -> set[str]:
    """Every word of a file."""
    return set(NAME_AT.findall(document.source.text)) if document.source is not None else set()


def texts_with(documents: Mapping[Path, Document], changes: Iterable[Fix]) -> dict[Path, str]:
    """The texts of files after some changes."""
    by_file: dict[Path, list[Fix]] = {}
    for fix in changes:
        by_file.setdefault(absolute(fix.span.file), []).append(fix)
    sources = {file: documents[file].source for file in by_file}
    return {file: edited(source.text, by_file[file]) for file, source in sources.items() if source is not None}
