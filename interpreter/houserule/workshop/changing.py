"""What a house rule may change: every path of a game with its present value, and the beginning of a new house rule."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from houserule.definition.files import sort_at
from houserule.definition.variant import path_in, stem
from houserule.diagnostics import Span
from houserule.frozen import frozen
from houserule.source import Entry, Mapping, Scalar, Sequence, Yaml, entries_at, plain, value_at, walk
from houserule.workshop.stages import NOTES, PROSE, UnknownPlace, as_lines, at, in_line, nearby

KEPT = ("edition", "game", "sources", "include")
"""What a house rule does not change."""
FOR_PEOPLE = {*PROSE, "grammar"}
EXAMPLES = ("tables", "components", "options", "variables", "scoring", "flow")
"""The sections that have the example of a new house rule, the best first."""
NUMBER = re.compile(r"[0-9]+")
LONGEST_EXAMPLE = 90


@frozen
class Changeable:
    """A path that a house rule may change, its present value, and where that is written."""

    path: str
    value: Any
    span: Span
    shown: str


def changeable(tree: Mapping) -> Iterator[Changeable]:
    """Everything in a game that a house rule may change, in the order of its files.

    A text for people, a list and an effect are changed as a whole.
    """
    for words, entry in leaves(tree, ()):
        given = parameters(tree, words) if words[2:] in ((), ("do",)) else ""
        yield Changeable(".".join(words), plain(entry.value), entry.value.span, f"{given}{shown(entry.value)}")


def parameters(tree: Mapping, path: tuple[str, ...]) -> str:
    """What an action or function is given, as its key says; empty for anything else."""
    keys = entries_at(tree, path[0]) if path[0] in ("actions", "functions") else ()
    return next((f"{key[key.index('(') :]} " for key in keys if "(" in key and stem(key) == path[1]), "")


def leaves(node: Mapping, above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Entry]]:
    for key, entry in node.entries.items():
        path = (*above, stem(key))
        if (not above and key in KEPT) or key in NOTES:
            continue
        if isinstance(entry.value, Mapping) and entry.value.entries and key not in PROSE:
            yield from leaves(entry.value, path)
        else:
            yield path, entry


def below(tree: Mapping, path: str) -> list[Changeable]:
    """What may be changed at and below a path. For a word that is no path: first below keys of that name, then below those that contain it."""
    found = list(changeable(tree))
    words = path_in(tree, path)
    if at(tree, words) is not None:
        start = ".".join(map(stem, words))
        return [one for one in found if one.path == start or one.path.startswith(f"{start}.")]
    alike = [one for one in found if f".{path}." in f".{one.path}."]
    words_in = [one for one in found if path and path in one.path and one not in alike]
    return alike + words_in


def shown(value: Yaml) -> str:
    """A value on one line; of a text in several languages the English one, of an effect the first line."""
    if isinstance(value, Mapping):
        english = value.entries.get("en") or next(iter(value.entries.values()), None)
        return shown(english.value) if english is not None else "{}"
    if isinstance(value, Sequence):
        return in_line(value) or f"[{', '.join(map(shown, value.items))}]"
    first, *more = value.text.strip().split("\n")
    return f"{first.rstrip()} …" if more else first


# --- a new house rule -------------------------------------------------------------------------------------------------


def change_of(tree: Mapping, paths: Iterable[str]) -> list[str]:
    """The section `change` of a house rule with these paths at their present values, which `was` notes. Raises UnknownPlace."""
    chosen = [found for path in paths for found in with_words(tree, path)]
    return ["change:", *nested(dict(chosen), (), "  ")] if chosen else []


def with_words(tree: Mapping, path: str) -> list[tuple[tuple[str, ...], Entry]]:
    words = path_in(tree, path)
    inside = at(tree, words)
    if inside is None:
        raise UnknownPlace(path, further_down(tree, path) or nearby(tree, words))
    start = tuple(map(stem, words))
    found = [(path, entry) for path, entry in leaves(tree, ()) if path[: len(start)] == start]
    # Who names something as a whole means its rules; a text is named by itself.
    return [one for one in found if not {*one[0][len(start) :]} & FOR_PEOPLE] or found


def further_down(tree: Mapping, path: str) -> str | None:
    """The one path in which something stands between the words of this one, as in `tables.price.values.gold`; what is set with `=`."""
    name, is_set, value = path.partition("=")
    if is_set:
        option = name.removeprefix("options.")
        if option in entries_at(tree, "options"):
            return f"to set an option, write in the house rule: options: {{{option}: {value}}}"
        return f"--change {name}, and then write the new value in the file"
    pattern = re.compile(r"(\.\w+)*\.".join(map(re.escape, path.split("."))))
    found = [one for words, _ in leaves(tree, ()) if pattern.fullmatch(one := ".".join(words))]
    return f"did you mean '{found[0]}'?" if len(found) == 1 else None


def nested(chosen: dict[tuple[str, ...], Entry], above: tuple[str, ...], indent: str) -> Iterator[str]:
    """The lines of the entries at these paths below another."""
    here = {path: entry for path, entry in chosen.items() if path[: len(above)] == above}
    ends = {path[-1]: entry for path, entry in here.items() if len(path) == len(above) + 1}
    was = {name: in_line(entry.value) for name, entry in ends.items() if not isinstance(entry.value, Mapping)}
    known = ", ".join(f"{name}: {value}" for name, value in was.items() if value is not None)
    sort = sort_at("game", above)
    if known and len(known) <= LONGEST_EXAMPLE and sort is not None and "was" in sort.keys:
        yield f"{indent}was: {{{known}}}"
    for name in dict.fromkeys(path[len(above)] for path in here):
        if name in ends:
            yield from as_lines(replace(ends[name].key, text=name), ends[name].value, indent)
        else:
            yield f"{indent}{written(name)}:"
            yield from nested(here, (*above, name), f"{indent}  ")


def written(key: str) -> str:
    return key if re.fullmatch(r"\w+", key) else repr(key)


def examples(tree: Mapping) -> tuple[str, str, str]:
    """One line each for `change`, `add` and `remove` of a house rule of this game, with names that it has."""
    numbers = [
        (path, entry.value.text)
        for path, entry in leaves(tree, ())
        if len(path) > 1 and isinstance(entry.value, Scalar) and NUMBER.fullmatch(entry.value.text)
    ]
    numbers = [one for one in numbers if (sort := sort_at("game", one[0][:-1])) is not None and "was" in sort.keys]
    numbers.sort(key=lambda one: EXAMPLES.index(one[0][0]) if one[0][0] in EXAMPLES else len(EXAMPLES))
    change = "title: Another title"
    if numbers:
        (*above, last), value = numbers[0]
        change = around(tuple(above), f"{last}: {value}, was: {{{last}: {value}}}")
    layout = value_at(tree, "layout")
    drawn = set(words(layout)) if layout is not None else set()
    pieces = sorted(listed_pieces(tree), key=lambda one: one[0][1] in drawn)  # a new one of those needs a look
    gone = f"[{removable(tree, ['.'.join((*kind, name)) for kind, name, _ in pieces])}]"
    if not pieces:
        last = next(reversed(entries_at(tree, "flow")), "")
        return change, around(("flow",), f"one_step_more: {{do: nothing, before: {last}}}"), gone
    kind, _, inside = pieces[0]
    more = ", ".join(("title: One more", *([inside] if inside else [])))
    return change, around((*kind, "one_more"), more), gone


def removable(tree: Mapping, pieces: list[str]) -> str:
    """A path that a house rule may remove without anything else: a piece that nothing mentions, or a text."""
    said = " ".join(words(tree))
    unsaid = (one for one in pieces if len(re.findall(rf"\b{re.escape(one.split('.')[-1])}\b", said)) == 1)
    texts = (".".join(path) for path, _ in leaves(tree, ()) if path[-1] == "text" and len(path) > 1)
    return next(unsaid, None) or next(texts, None) or "title"


def words(node: Yaml) -> Iterator[str]:
    """All keys and texts."""
    return (one.text for pair in walk(node) for one in pair if isinstance(one, Scalar))


def around(path: tuple[str, ...], inner: str) -> str:
    *above, last = path
    text = f"{last}: {{{inner}}}"
    for word in reversed(above):
        text = f"{word}: {{{text}}}"
    return text


def listed_pieces(tree: Mapping) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """For each kind whose pieces are listed: the path of the list, and the last piece whose line is short, with its attributes."""
    for kind, entry in entries_at(tree, "components").items():
        for name, piece in reversed(entries_at(entry.value, "pieces").items()):
            inside = piece.value.entries if isinstance(piece.value, Mapping) else {}
            rest = Mapping({key: one for key, one in inside.items() if key not in PROSE}, piece.value.span)
            line = (in_line(rest) or "").strip("{}") if rest.entries else ""
            if len(line) <= LONGEST_EXAMPLE and (line or not rest.entries):
                yield ("components", stem(kind), "pieces"), name, line
                break
