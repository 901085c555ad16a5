"""What the rules reveal on purpose: the `reveals` of a game's tree, each with the rules that it covers."""

from __future__ import annotations

from collections.abc import Iterator

from houserule.secrecy.labels import Revelation, start_of
from houserule.source import Mapping, Scalar


def revelations_in(tree: Mapping) -> Iterator[Revelation]:
    """Those of routines, variables, members and steps."""
    for section in ("functions", "actions", "triggers", "variables"):
        yield from revealed(under(tree, section))
    for section in ("enums", "components"):
        for kind in maps_in(under(tree, section)):
            for key in ("variables", "members", "pieces"):
                yield from revealed(under(kind, key))
    yield from of_steps(under(tree, "flow"))


def of_steps(steps: Mapping | None) -> Iterator[Revelation]:
    """Those of steps, and of the steps in them."""
    yield from revealed(steps)
    for step in maps_in(steps):
        yield from of_steps(under(step, "steps"))


def revealed(entries: Mapping | None) -> Iterator[Revelation]:
    """Those of the entries of a map; one of a member covers its effects."""
    for entry in entries.entries.values() if entries is not None else ():
        if isinstance(entry.value, Mapping):
            found = entry.value.entries.get("reveals")
            if found is not None and isinstance(found.value, Scalar):
                keys = (entry.key, *(inner.key for inner in entry.value.entries.values()))
                of = frozenset(start_of(key.span) for key in keys)
                lines = range(entry.key.span.line, entry.value.span.end_line + 1)
                yield Revelation(found.key.span, found.value.text.strip(), of, lines)


def under(tree: Mapping, key: str) -> Mapping | None:
    """The map under a key."""
    entry = tree.entries.get(key)
    return entry.value if entry is not None and isinstance(entry.value, Mapping) else None


def maps_in(entries: Mapping | None) -> Iterator[Mapping]:
    for entry in entries.entries.values() if entries is not None else ():
        if isinstance(entry.value, Mapping):
            yield entry.value
