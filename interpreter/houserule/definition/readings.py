"""What is read in one run, each file and each text once, however many combinations of variants are looked at."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any, TypeVar

from houserule.definition.schema import check_shape
from houserule.definition.schema_files import Document
from houserule.diagnostics import Diagnostic, Report, Span
from houserule.source import Fragment, Mapping, read_file, source_of

T = TypeVar("T")


class Readings:
    """Remembers what was made of files and texts, and what was found wrong in them.

    `tells_secrets` says of the run whether what comes to light is looked for: to validate rules, not to play them.
    """

    def __init__(self, tells_secrets: bool = False) -> None:
        self.tells_secrets = tells_secrets
        self._made: dict[Hashable, tuple[Any, list[Diagnostic]]] = {}

    def once(self, key: Hashable, report: Report, make: Callable[[Report], T]) -> T:
        """What `make` makes; asked again, what it made before. What it reports is reported each time."""
        if key not in self._made:
            own = Report()
            self._made[key] = make(own), own.found
        made, found = self._made[key]
        for diagnostic in found:
            report.add(diagnostic)
        result: T = made
        return result

    def after(self, is_current: Callable[[Path], bool]) -> Readings:
        """What can be used again after files have changed: what was made of those that are as they were."""
        later = Readings(self.tells_secrets)
        current = set()
        for key, made in self._made.items():
            if isinstance(key, tuple) and isinstance(key[0], Path) and is_current(key[0]):
                later._made[key] = made
                current.add(source_of(made[0][0]) if made[0][0] is not None else None)
        for key, made in self._made.items():
            if isinstance(key, tuple) and isinstance(key[0], Fragment) and key[0].source in current:
                later._made[key] = made
        return later

    def document(
        self, path: Path, root: Path, kind: Document, report: Report, shown: str, named_at: Span | None = None
    ) -> tuple[Mapping | None, bool]:
        """The map in a file, or None, and whether it has the shape of a document of this kind."""

        def read(own: Report) -> tuple[Mapping | None, bool]:
            tree = read_file(path, root, own, shown, named_at=named_at)
            return tree, tree is not None and check_shape(tree, kind, own)

        return self.once((path, root, kind, shown, named_at), report, read)
