"""Finds the files and lines that made a value such as `tables.worth.morel`."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Settings

from houserule.definition.edits import path_in, stem, trees_with
from houserule.definition.load import Loaded
from houserule.diagnostics import Report, Span, did_you_mean
from houserule.source import Entry, Mapping, Scalar, Sequence, Yaml, plain
from houserule.workshop.differences import at, short, tree_without_variants, where

MOST_NAMED = 20


class UnknownPlace(LookupError):
    """There is nothing at that path in the game or its variants; `suggestion` is the probable path."""

    def __init__(self, path: str, suggestion: str | None) -> None:
        self.suggestion = suggestion
        super().__init__(f"there is nothing at '{path}'")


def origin(loaded: Loaded, settings: Settings[str, int | str], path: str) -> list[str]:
    """The files and lines that made the value at a dotted path: first the game's own, then each variant's.

    Raises UnknownPlace.
    """
    tree = tree_without_variants(loaded)
    assert tree is not None
    assert loaded.definition is not None
    words = path_in(tree, path)
    if at(tree, words) is None and loaded.tree is not None:
        words = path_in(loaded.tree, path)
    entry = at(tree, words)
    found = [] if entry is None else [told(loaded.definition.name, "says", entry)]
    for variant, with_variant in trees_with(tree, loaded.variants, Report()):
        tree, now = with_variant, at(with_variant, words)
        if now is None and entry is not None:
            found.append(f"{variant.name} removes it ({removal(variant.tree, words)})")
        elif now is not None and (entry is None or plain(now.value) != plain(entry.value)):
            found += changes(variant.name, str(variant.tree.span.file), now, is_new=entry is None)
        entry = now
    found += set_by(loaded, settings, words)
    if not found:
        raise UnknownPlace(path, nearby(tree, words))
    return found


def told(who: str, does: str, entry: Entry) -> str:
    """A sentence that says which file sets what, and where; for a long value of a variant, the place is that of the value."""
    value = short(entry.value)
    said = f": {value}" if value is not None else " this"
    key, stands = entry.key.span, entry.value.span
    return f"{who} {does}{said} ({where(key if value is None and key.file == stands.file else stands)})"


def changes(variant: str, file: str, entry: Entry, is_new: bool) -> Iterator[str]:
    """How a variant changes an entry: as a whole, or part by part."""
    if is_new or entry.value.span.file == file or entry.key.span.file == file or isinstance(entry.value, Scalar):
        yield told(variant, "adds" if is_new else "changes it to", entry)
        return
    inside = list(from_file(entry.value, file, ()))
    for path, place in inside:
        yield f"{variant} changes {path} in it ({where(place)})"
    if not inside:
        yield f"{variant} takes something out of it ({file})"


def from_file(node: Yaml, file: str, path: tuple[str, ...]) -> Iterator[tuple[str, Span]]:
    """The outermost parts of a node that come from a file."""
    if isinstance(node, Mapping):
        for key, entry in node.entries.items():
            here = (*path, stem(key))
            if entry.key.span.file == file or entry.value.span.file == file:
                yield ".".join(here), entry.key.span if entry.key.span.file == file else entry.value.span
            else:
                yield from from_file(entry.value, file, here)
    elif isinstance(node, Sequence):
        for item in node.items:
            if item.span.file == file:
                yield short(item) or ".".join(path), item.span
            else:
                yield from from_file(item, file, path)


def removal(variant: Mapping, path: tuple[str, ...]) -> str:
    """The place where a variant removes a path or something around it."""
    listed = variant.entries["remove"].value if "remove" in variant.entries else variant
    wanted = stems(".".join(path))
    for item in listed.items if isinstance(listed, Sequence) else ():
        words = stems(item.text) if isinstance(item, Scalar) else []
        if words and words == wanted[: len(words)]:
            return where(item.span)
    return where(variant.span)


def stems(path: str) -> list[str]:
    """The words of a dotted path, without the parameters of signatures."""
    return [stem(word.strip()) for word in path.split(".")]


def set_by(loaded: Loaded, settings: Settings[str, int | str], path: tuple[str, ...]) -> Iterator[str]:
    """Who sets an option: a variant, with the place, or the caller."""
    if path[0] != "options" or len(path) < 2 or path[1] not in settings:
        return
    value = str(settings[path[1]])
    for variant in reversed(loaded.variants):
        entry = at(variant.tree, ("options", path[1]))
        if entry is not None and isinstance(entry.value, Scalar) and entry.value.text.strip() == value:
            yield f"{variant.name} sets it to {value} ({where(entry.value.span)})"
            return
    yield f"it is set to {value} for these matches"


def inside_of(tree: Mapping, name: str) -> str | None:
    """A suggestion for a name that lacks the key above it, such as `worth` for `tables.worth`."""
    found = [
        f"{above}.{name}"
        for above, entry in tree.entries.items()
        if isinstance(entry.value, Mapping) and any(stem(key) == name for key in entry.value.entries)
    ]
    return f"did you mean '{found[0]}'?" if found else None


def nearby(tree: Mapping, path: tuple[str, ...]) -> str | None:
    """A suggestion for the first word of a path that leads nowhere."""
    for length in range(1, len(path) + 1):
        if at(tree, path[:length]) is None:
            above = at(tree, path[: length - 1])
            node = above.value if above is not None else tree if length == 1 else None
            names = [stem(key) for key in node.entries] if isinstance(node, Mapping) else []
            more = " and more" if len(names) > MOST_NAMED else ""
            listed = f"there are {', '.join(names[:MOST_NAMED])}{more}" if names else None
            below = inside_of(tree, path[0]) if length == 1 else None
            return below or did_you_mean(path[length - 1], names) or listed
    return None
