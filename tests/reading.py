"""Rules that are in no game, read as if they were: texts, and files of several documents."""

from __future__ import annotations

from pathlib import Path

from houserule.diagnostics import Report
from houserule.source import Mapping, document_of, documents_of, open_source
from houserule.source.files import checked


def read_text(text: str, name: str, report: Report) -> Mapping | None:
    """The map in a text, or None after a diagnostic; `name` is used as its path."""
    source = checked(text, name, report)
    return document_of(source, report) if source else None


def read_documents(path: Path, root: Path, report: Report, display: str | None = None) -> list[Mapping]:
    """The maps of a file with several documents."""
    source = open_source(path, root, report, display, None)
    return documents_of(source, report) if source else []
