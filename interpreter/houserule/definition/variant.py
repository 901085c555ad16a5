"""House rules: a game's tree and variants in, the tree that is played out; every node still knows the file it came from.

A variant adds, changes and removes in the game's own shape. What is not there cannot be changed, what is there cannot be
added, and two variants cannot change one place to different ends: each is a diagnostic that shows both places.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from houserule.definition.readings import Readings
from houserule.diagnostics import Related, Report, Span, did_you_mean, nearest
from houserule.source import Entry, Mapping, Scalar, Sequence, Yaml, plain

PLACING = ("after", "before", "was")
PROSE = ("title", "text")
"""What people read is changed as a whole, in all its languages."""
MOST_LISTED = 8
"""Variants that a help names where none is near."""


@dataclass(slots=True, eq=False)
class Variant:
    """A variant as written."""

    name: str
    file: Path
    tree: Mapping
    game: str = ""
    requires: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    options: dict[str, str] = field(default_factory=dict)

    @property
    def span(self) -> Span:
        """Where it names itself."""
        entry = self.tree.entries.get("variant")
        return entry.value.span if entry is not None else self.tree.span

    def title(self, language: str) -> str:
        """The title in a language, else in the first one given; nothing where it has none."""
        entry = self.tree.entries.get("title")
        if entry is None or not isinstance(entry.value, Mapping):
            return text(self.tree, "title")
        return text(entry.value, language) or next(
            filter(None, (text(entry.value, one) for one in entry.value.entries)), ""
        )


def read_variant(path: Path, report: Report, display: str, readings: Readings | None = None) -> Variant | None:
    """The variant of a file, or None after diagnostics."""
    tree, good = (readings or Readings()).document(path, path.parent, "variant", report, display)
    if tree is None or not good:
        return None
    options = tree.entries.get("options")
    settings = options.value.entries if options is not None and isinstance(options.value, Mapping) else {}
    name = text(tree, "variant") or path.stem
    if path.resolve().parent.name == "variants" and name != path.stem:
        own, advice = tree.entries["variant"].value.span, f"variant: {path.stem}"
        report.error("HR712", f"'{name}' lies in a file of another name, where nobody finds it", own, advice)
    return Variant(
        name=name,
        game=text(tree, "of"),
        file=path,
        tree=tree,
        requires=words(tree, "requires"),
        conflicts=words(tree, "conflicts"),
        options={name: entry.value.text for name, entry in settings.items() if isinstance(entry.value, Scalar)},
    )


def text(node: Mapping, key: str) -> str:
    """A word under a key, or nothing."""
    entry = node.entries.get(key)
    return entry.value.text.strip() if entry is not None and isinstance(entry.value, Scalar) else ""


def words(node: Mapping, key: str) -> tuple[str, ...]:
    """A list of words under a key, or one."""
    entry = node.entries.get(key)
    if entry is None:
        return ()
    if isinstance(entry.value, Sequence):
        return tuple(item.text.strip() for item in entry.value.items if isinstance(item, Scalar))
    return (entry.value.text.strip(),) if isinstance(entry.value, Scalar) else ()


def check_together(variants: list[Variant], game: str, folder: Path, report: Report) -> None:
    """Whether variants are of the game in that folder and may be played together."""
    names = [variant.name for variant in variants]
    for variant in variants:
        of = variant.tree.entries.get("of")
        if of is not None and isinstance(of.value, Scalar) and of.value.text.strip() != game:
            report.error(
                "HR701",
                f"'{variant.name}' is a variant of '{of.value.text.strip()}', not of '{game}'",
                of.value.span,
                f"of: {game}",
            )
        beside = {path.stem for place in (folder / "variants", variant.file.parent) for path in place.glob("*.yaml")}
        known = sorted({*names, *beside} - {variant.name, "game"})
        for other in variant.requires:
            if other in names:
                continue
            message = f"'{variant.name}' is played only with '{other}'"
            if other in known:
                report.error("HR702", message, variant.span, f"--with {other}")
                continue
            place, advice = named_place(variant, "requires", other), f"--with PATH/{other}.yaml, if it lies elsewhere"
            report.misnamed("HR702", f"{message}, which is not there", place, other, known, advice)
        for other in variant.conflicts:
            # Two that refuse each other are one mistake: the first of them says so.
            before = variants[: variants.index(variant)]
            if other not in (*known, variant.name):
                listed = f"there are {', '.join(known)}" if 0 < len(known) <= MOST_LISTED else "leave it out"
                report.warning(
                    "HR713",
                    f"'{variant.name}' is never played with '{other}', and there is no such variant",
                    named_place(variant, "conflicts", other),
                    did_you_mean(other, known) or listed,
                )
            if other in names and not any(v.name == other and variant.name in v.conflicts for v in before):
                report.error(
                    "HR703",
                    f"'{variant.name}' cannot be played with '{other}'",
                    variant.span,
                    "leave one of the two out",
                )
        if names.count(variant.name) > 1:
            report.error("HR704", f"'{variant.name}' is named twice", variant.span, "name each once")


def named_place(variant: Variant, key: str, name: str) -> Span:
    """Where a variant names another under a key."""
    value = variant.tree.entries[key].value
    items = value.items if isinstance(value, Sequence) else ()
    return next((item.span for item in items if isinstance(item, Scalar) and item.text.strip() == name), value.span)


def check_settings(variants: list[Variant], settled: Container[str], report: Report) -> None:
    """Whether no two variants set one option to different values.

    One that requires the other may, and it is no matter where the option is `settled` from outside.
    """
    for number, variant in enumerate(variants):
        for other in variants[:number]:
            if other.name in (variant.name, *variant.requires):
                continue
            for name, value in variant.options.items():
                if name not in settled and other.options.get(name, value) != value:
                    report.error(
                        "HR705",
                        f"'{variant.name}' and '{other.name}' both set '{name}', to different values",
                        option_span(variant, name),
                        f"--set {name}={value} settles it; a variant can say with `conflicts:` that they do not go together",
                        [Related(f"'{other.name}' does so here", option_span(other, name))],
                    )


def option_span(variant: Variant, name: str) -> Span:
    """Where a variant sets an option."""
    options = variant.tree.entries["options"].value
    return options.entries[name].key.span if isinstance(options, Mapping) else variant.span


@dataclass(slots=True, eq=False)
class Touched:
    """What a variant did to a place: to see that another does not do something else to it."""

    variant: str
    span: Span
    value: object
    added: bool = False


GONE = object()
"""What stands at a place that was removed."""


class Applier:
    """Applies variants to a tree, one after another."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.touched: dict[tuple[str, ...], Touched] = {}

    def apply(self, tree: Mapping, variant: Variant) -> Mapping:
        """The tree with one variant more."""
        expected = variant.tree.entries.get("change")
        if expected is not None and isinstance(expected.value, Mapping):
            self.preconditions(tree, expected.value, (), variant)
        for section in ("remove", "change", "add"):
            entry = variant.tree.entries.get(section)
            if entry is None:
                continue
            if section == "remove" and isinstance(entry.value, Sequence):
                for item in entry.value.items:
                    if isinstance(item, Scalar):
                        tree = self.remove(tree, item, variant)
            elif section == "change" and isinstance(entry.value, Mapping):
                tree = self.change(tree, entry.value, (), variant)
            elif section == "add" and isinstance(entry.value, Mapping):
                tree = self.add(tree, entry.value, (), variant)
        return self.narrow(tree, variant)

    def narrow(self, tree: Mapping, variant: Variant) -> Mapping:
        """A variant may be for fewer numbers of players than the game."""
        mine, whole = variant.tree.entries.get("players"), tree.entries.get("players")
        if mine is None or whole is None:
            return tree
        few, many = bounds(mine.value), bounds(whole.value)
        if few is not None and many is not None and not (many[0] <= few[0] and few[1] <= many[1]):
            self.report.error(
                "HR711",
                f"'{variant.name}' is for {few[0]}..{few[1]} players, and the game for {many[0]}..{many[1]}",
                mine.value.span,
                "a variant can only be for fewer",
                [Related("the game says so here", whole.value.span)],
            )
            return tree
        return Mapping({**tree.entries, "players": Entry(mine.key, mine.value)}, tree.span)

    # --- finding --------------------------------------------------------------------------------------------------------------------

    def key(self, node: Mapping, word: str) -> str | None:
        """The key that a word means: itself, or the signature of that name."""
        if word in node.entries:
            return word
        return next((key for key in node.entries if stem(key) == stem(word)), None)

    def touch(self, path: tuple[str, ...], span: Span, value: object, variant: Variant, added: bool = False) -> bool:
        """Keep that a place is touched; False where another variant did something else to it, around it or inside it."""
        for place, other in self.touched.items():
            if other.variant == variant.name or other.variant in variant.requires:
                continue
            shared = min(len(place), len(path))
            if place[:shared] != path[:shared] or (place == path and other.value == value):
                continue
            if len(place) < len(path) and other.added:
                continue  # It changes a part of what the other brought: the rest is still as the other wants it.
            self.clash(path, span, variant, other)
            return False
        self.touched[path] = Touched(variant.name, span, value, added)
        return True

    def clash(self, path: tuple[str, ...], span: Span, variant: Variant, other: Touched) -> None:
        """Say that two variants want different things of one place."""
        self.report.error(
            "HR705",
            f"'{variant.name}' and '{other.variant}' both change '{'.'.join(path)}', to different ends",
            span,
            "a variant can say with `conflicts:` that they do not go together",
            [Related(f"'{other.variant}' does so here", other.span)],
        )

    def removed(self, path: tuple[str, ...], variant: Variant) -> Touched | None:
        """Who else has removed what stood at a path or around it."""
        others = self.around(path, (variant.name,))
        return next((other for other in others if other.value is GONE), None)

    def brought(self, path: tuple[str, ...], variant: Variant) -> Touched | None:
        """Who else has added what stands at a path or around it."""
        others = self.around(path, (variant.name, *variant.requires))
        return next((other for other in others if other.added), None)

    def around(self, path: tuple[str, ...], mine: Container[str]) -> Iterator[Touched]:
        """What variants that are not `mine` did to a place and around it, the outermost first."""
        for length in range(1, len(path) + 1):
            other = self.touched.get(path[:length])
            if other is not None and other.variant not in mine:
                yield other

    # --- the three ------------------------------------------------------------------------------------------------------------------

    def remove(self, tree: Mapping, item: Scalar, variant: Variant) -> Mapping:
        """The tree without what stands at a path."""
        path = path_in(tree, item.text.strip())
        if self.removed(path, variant) is not None or not self.touch(path, item.span, GONE, variant):
            return tree
        return self.without(tree, path, 0, item)

    def without(self, node: Mapping, path: tuple[str, ...], depth: int, item: Scalar) -> Mapping:
        """A map without what stands at the rest of a path."""
        key = self.key(node, path[depth])
        if key is None:
            rest = item.text.strip().removeprefix(".".join(path[:depth]) + ".")
            # A sentence has dots of its own, and need not stand in quotes inside the path.
            words = rest.strip("\"' ")
            sentence = words if words in node.entries else nearest(words, [k for k in node.entries if "." in k])
            found = sentence or nearest(path[depth], [stem(k) for k in node.entries])
            gone = rest if sentence else path[depth]
            meant = (*path[:depth], sentence) if sentence else (*path[:depth], found or "", *path[depth + 1 :])
            self.report.error(
                "HR706",
                f"there is no '{'.'.join((*path[:depth], gone))}' to remove",
                item.span,
                f"did you mean {quoted('.'.join(meant))}?" if found else None,
            )
            return node
        entry = node.entries[key]
        if depth == len(path) - 1:
            return Mapping({k: e for k, e in node.entries.items() if k != key}, node.span)
        value: Yaml
        if isinstance(entry.value, Mapping):
            value = self.without(entry.value, path, depth + 1, item)
        elif (
            isinstance(entry.value, Sequence)
            and depth == len(path) - 2
            and any(isinstance(i, Scalar) and i.text == path[-1] for i in entry.value.items)
        ):
            value = Sequence(
                tuple(i for i in entry.value.items if not (isinstance(i, Scalar) and i.text == path[-1])),
                entry.value.span,
            )
        else:
            self.report.error(
                "HR706",
                f"there is nothing inside '{'.'.join(path[: depth + 1])}' to remove",
                item.span,
                None,
                [Related("it stands here", entry.key.span)],
            )
            return node
        return Mapping({**node.entries, key: Entry(entry.key, value)}, node.span)

    def change(self, node: Mapping, change: Mapping, path: tuple[str, ...], variant: Variant) -> Mapping:
        """A map with what a variant changes in it."""
        entries = dict(node.entries)
        for word, entry in change.entries.items():
            if word in ("after", "before"):
                self.report.error(
                    "HR208",
                    f"'{word}' places what is added; what is changed stays where it is",
                    entry.key.span,
                    "to move an entry, `remove` it and `add` it anew",
                )
                continue
            if word == "was":
                continue
            key = self.key(node, word)
            here = (*path, stem(key or word))
            other = self.removed(here, variant)
            if key is None and other is not None:
                self.clash(here, entry.key.span, variant, other)
                continue
            if key is None:
                found = did_you_mean(stem(word), [stem(k) for k in node.entries])
                self.report.error(
                    "HR707",
                    f"there is no '{'.'.join(here)}' to change",
                    entry.key.span,
                    found or "`add:` puts in what is new",
                )
                continue
            old = entries[key]
            if isinstance(old.value, Mapping) and isinstance(entry.value, Mapping) and here[-1] not in PROSE:
                entries[key] = Entry(old.key, self.change(old.value, entry.value, here, variant))
            elif self.touch(here, entry.key.span, plain(entry.value), variant):
                # Who writes the parameters anew changes these as well.
                new, name = (word, entry.key) if "(" in word else (key, old.key)
                made = Entry(name, entry.value)
                entries = {new if k == key else k: made if k == key else e for k, e in entries.items()}
        return Mapping(entries, node.span)

    def preconditions(self, node: Mapping, change: Mapping, path: tuple[str, ...], variant: Variant) -> None:
        """`was:`: what a variant expects to find before it removes and changes anything."""
        before = change.entries.get("was")
        if before is not None and isinstance(before.value, Mapping):
            self.precondition(node, before.value, path, variant)
        for word, entry in change.entries.items():
            key = self.key(node, word)
            old = node.entries[key].value if key is not None else None
            if isinstance(old, Mapping) and isinstance(entry.value, Mapping) and word not in ("was", *PROSE):
                self.preconditions(old, entry.value, (*path, stem(word)), variant)

    def precondition(self, node: Mapping, before: Mapping, path: tuple[str, ...], variant: Variant) -> None:
        """What a variant expects to find in one map."""
        for word, entry in before.entries.items():
            key = self.key(node, word)
            found = plain(node.entries[key].value) if key is not None else None
            if key is None or found != plain(entry.value):
                other = self.removed((*path, stem(word)), variant)
                said, related = "is not there", []
                if key is not None:
                    said, related = f"is '{found}'", [Related("it stands here", node.entries[key].value.span)]
                elif other is not None:
                    said, related = f"'{other.variant}' removes it", [Related("it does so here", other.span)]
                self.report.error(
                    "HR708",
                    f"'{'.'.join((*path, word))}' was expected to be '{plain(entry.value)}', but {said}",
                    entry.value.span,
                    None,
                    related,
                )

    def add(self, node: Mapping, addition: Mapping, path: tuple[str, ...], variant: Variant) -> Mapping:
        """A map with what a variant adds to it."""
        entries = dict(node.entries)
        for word, entry in addition.entries.items():
            if word in PLACING:
                continue
            key = self.key(node, word)
            here = (*path, stem(word))
            if key is None and not path and isinstance(entry.value, Mapping):
                # A section that the game has none of yet: another variant may bring it as well.
                empty = Mapping({}, entry.value.span)
                entries[word] = Entry(entry.key, self.add(empty, entry.value, here, variant))
                continue
            if key is None:
                if self.touch(here, entry.key.span, plain(entry.value), variant, added=True):
                    entries = self.insert(entries, word, entry)
                continue
            old = entries[key]
            other = self.brought(here, variant)
            if other is not None and self.touched.get(here) is other and other.value == plain(entry.value):
                continue
            if isinstance(old.value, Mapping) and isinstance(entry.value, Mapping):
                entries[key] = Entry(old.key, self.add(old.value, entry.value, here, variant))
            elif other is not None:
                self.clash(here, entry.key.span, variant, other)
            elif isinstance(old.value, Sequence) and isinstance(entry.value, Sequence):
                entries[key] = Entry(old.key, Sequence((*old.value.items, *entry.value.items), old.value.span))
            else:
                self.report.error(
                    "HR709",
                    f"'{'.'.join(here)}' is there already",
                    entry.key.span,
                    "`change:` gives it another value",
                    [Related("it stands here", old.key.span)],
                )
        return Mapping(entries, node.span)

    def insert(self, entries: dict[str, Entry], word: str, entry: Entry) -> dict[str, Entry]:
        """A new entry behind or before another, else at the end."""
        value = entry.value
        place = ""
        anchor: Entry | None = None
        if isinstance(value, Mapping):
            for side in ("after", "before"):
                if side in value.entries:
                    place, anchor = side, value.entries[side]
            value = Mapping({k: e for k, e in value.entries.items() if k not in PLACING}, value.span)
        made = Entry(entry.key, value)
        if anchor is None or not isinstance(anchor.value, Scalar):
            return {**entries, word: made}
        target = next((k for k in entries if stem(k) == anchor.value.text.strip()), None)
        if target is None:
            self.report.misnamed(
                "HR710",
                f"there is no '{anchor.value.text.strip()}' here to stand {'behind' if place == 'after' else 'before'}",
                anchor.value.span,
                anchor.value.text.strip(),
                [stem(k) for k in entries],
            )
            return {**entries, word: made}
        ordered: dict[str, Entry] = {}
        for key, other in entries.items():
            if key == target and place == "before":
                ordered[word] = made
            ordered[key] = other
            if key == target and place == "after":
                ordered[word] = made
        return ordered


def path_in(tree: Yaml, text: str) -> tuple[str, ...]:
    """The keys that a path with dots names in a tree; a key may have dots of its own, as a sentence has."""
    words = text.split(".")
    path: list[str] = []
    while words:
        whole = (".".join(words[:length]) for length in range(len(words), 0, -1))
        key = next((key for key in whole if isinstance(tree, Mapping) and key in tree.entries), words[0])
        path.append(key.strip())
        words = words[key.count(".") + 1 :]
        tree = tree.entries[key].value if isinstance(tree, Mapping) and key in tree.entries else Mapping({}, tree.span)
    return tuple(path)


def quoted(text: str) -> str:
    """A text in quotes as YAML reads them."""
    return f'"{text}"' if "'" in text else f"'{text}'"


def stem(key: str) -> str:
    """The name in a key that may be a signature."""
    return key.split("(")[0].strip()


def bounds(node: Yaml) -> tuple[int, int] | None:
    """The fewest and the most of `3` or `2..5`."""
    low, _, high = node.text.partition("..") if isinstance(node, Scalar) else ("", "", "")
    if not low.strip().isdigit() or (high.strip() and not high.strip().isdigit()):
        return None
    return int(low), int(high or low)
