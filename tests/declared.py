"""The keys of rule files, as they are declared."""

from __future__ import annotations

from collections.abc import Iterator

from houserule.definition.files import ROOTS
from houserule.definition.sorts import Document, Key, Sort


def declared_keys(document: Document) -> Iterator[tuple[tuple[str, ...], Key]]:
    """Every key of a kind of file, with the keys above it; `*` is a name that the author gives, or an entry."""
    yield from inside(ROOTS[document], (), ())


def inside(sort: Sort, path: tuple[str, ...], around: tuple[Sort, ...]) -> Iterator[tuple[tuple[str, ...], Key]]:
    for key in sort.keys.values() if sort not in around else ():
        yield path, key
        yield from inside(key.sort, (*path, key.name), (*around, sort))
    for inner in (sort.under, sort.item) if sort not in around else ():
        if inner is not None:
            yield from inside(inner, (*path, "*"), (*around, sort))
