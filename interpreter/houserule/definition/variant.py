"""Variants as written, which can be played together, and the tree of a game with their changes."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from houserule.definition.files import sort_at
from houserule.definition.model import RIVALS, is_forever
from houserule.definition.reader import bounds
from houserule.definition.readings import Readings
from houserule.definition.schema import nested
from houserule.diagnostics import RULES, Meant, Related, Report, Span, did_you_mean, nearest
from houserule.printable import short_title
from houserule.reading import files_below, is_id, root_of
from houserule.source import Entry, Mapping, Scalar, Sequence, Yaml, listed, plain, text_at, value_at
from houserule.source.read import DEEPEST

MOST_LISTED = 8
"""The most variants that a help lists if none has a similar name."""


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
        return (value_at(self.tree, "variant") or self.tree).span

    @property
    def players(self) -> tuple[int, int] | None:
        """The fewest and the most players that it is for, if it says so."""
        return bounds(value_at(self.tree, "players"))

    def title(self, language: str) -> str:
        """The title in a language, else in the first one given; empty if it has none."""
        return short_title(self.said("title", language))

    def called(self, language: str) -> str:
        """The title, or else the words of its name."""
        return self.title(language) or self.name.replace("_", " ")

    def said(self, key: str, language: str) -> str:
        """A text for people in a language, else in the first one given; empty if there is none."""
        given = value_at(self.tree, key)
        every = (text_at(entry.value) for entry in given.entries.values()) if given is not None else ()
        return text_at(given) or text_at(given, language) or next(filter(None, every), "")


def read_variant(path: Path, report: Report, display: str, readings: Readings | None = None) -> Variant | None:
    """The variant of a file, or None after diagnostics."""
    before = len(report.found)
    tree, good = (readings or Readings()).document(path, root_of(path), "variant", report, display)
    if tree is None or not (good or all(one.code == "HR201" for one in report.found[before:])):
        return None  # a key that there is not does not hide what the others say
    options = value_at(tree, "options")
    settings = options.entries if options is not None else {}
    name = text_at(tree, "variant") or path.stem
    if path.resolve().parent.name == "variants" and name != path.stem:
        own, advice = tree.entries["variant"].value.span, f"variant: {path.stem}"
        report.error("HR712", f"'{name}' is in a file with another name, so it cannot be found", own, advice)
    return Variant(
        name=name,
        game=text_at(tree, "of"),
        file=path,
        tree=tree,
        requires=words(value_at(tree, "requires")),
        conflicts=words(value_at(tree, "conflicts")),
        options={name: entry.value.text for name, entry in settings.items() if isinstance(entry.value, Scalar)},
    )


def words(node: Yaml | None) -> tuple[str, ...]:
    """The words of a list, or a single one."""
    return tuple(text_at(item) for item in listed(node) if isinstance(item, Scalar))


def neighbours(variant: Variant, names: list[str], folder: Path) -> list[str]:
    """The variants that one can name: those that are used with it, those of its game, and those that lie beside it."""
    places = (folder / "variants", folder), (variant.file.parent, root_of(variant.file))
    beside = {path.stem for place, root in places for path in files_below(place, "*.yaml", root)}
    return sorted({*names, *beside} - {variant.name, "game"})


def check_together(variants: list[Variant], game: str, folder: Path, report: Report) -> None:
    """Check that variants belong to the game in that folder and may be played together."""
    names = [variant.name for variant in variants]
    check_each(variants, report)
    for variant in variants:
        of = value_at(variant.tree, "of")
        if isinstance(of, Scalar) and (meant := text_at(of)) != game:
            message, advice = f"'{variant.name}' is a variant of '{meant}', not of '{game}'", f"of: {game}"
            if nearest(meant, [game]) is None:
                advice = f"it is for {meant}; 'of: {game}' would make it one of {game}"
            report.error("HR701", message, of.span, advice)
        known = neighbours(variant, names, folder) if variant.requires or variant.conflicts else []
        for other in variant.requires:
            if other not in names:
                say_required(variant, other, known, report)
        # Two that exclude each other are one mistake, reported for the first of them.
        before = [v.name for v in variants[: variants.index(variant)] if variant.name in v.conflicts]
        for other in variant.conflicts:
            if other not in (*known, variant.name):
                listed = f"there are {', '.join(known)}" if 0 < len(known) <= MOST_LISTED else "leave it out"
                message = f"'{variant.name}' conflicts with '{other}', and there is no such variant"
                place = named_place(variant, "conflicts", other)
                report.warning("HR713", message, place, did_you_mean(other, known) or listed)
            if other in names and other not in before:
                message = f"'{variant.name}' cannot be played with '{other}'"
                report.error("HR703", message, variant.span, "leave out one of the two")
        if names.count(variant.name) > 1:
            report.error("HR704", f"'{variant.name}' is named twice", variant.span, "name each once")


CHANGING = ("players", "options", "requires", "add", "change", "remove")
"""The keys by which a variant makes the rules others than they are."""


def check_each(variants: list[Variant], report: Report) -> None:
    """Warn of variants that change nothing of what they tell, that others cannot name, or that require themselves."""
    needs = {variant.name: variant.requires for variant in variants}
    told: set[str] = set()
    for variant in variants:
        given = [value for key in CHANGING if (value := value_at(variant.tree, key)) is not None and plain(value)]
        if not given and variant.said("text", ""):
            message = f"'{variant.name}' has a text about what is different, and changes nothing"
            report.warning("HR716", message, variant.span, "change: …, add: … or remove: …", follows_from=(RULES,))
        if not is_id(variant.name):
            message = f"'{variant.name}' is no id, so other house rules cannot name it"
            better = re.sub(r"\W+", "_", variant.name.lower(), flags=re.ASCII).strip("_")
            report.warning("HR716", message, variant.span, f"variant: {better or 'my_rule'}; people read the title")
        around = [name for name in needed_by(variant, needs) if variant.name in needs.get(name, ())]
        if around and told.isdisjoint(around):  # a circle is told once
            told.add(variant.name)
            message = f"'{variant.name}' requires '{around[0]}', which requires it"
            message = f"'{variant.name}' requires itself" if variant.name in around else message
            report.warning("HR716", message, variant.tree.entries["requires"].value.span, "leave it out")


def needed_by(variant: Variant, needs: dict[str, tuple[str, ...]]) -> list[str]:
    """What a variant requires, and what that requires in turn."""
    found = dict.fromkeys(variant.requires)
    left = deque(found)
    while left:
        new = dict.fromkeys(name for name in needs.get(left.popleft(), ()) if name not in found)
        found |= new
        left += new
    return [*found]


def say_required(variant: Variant, other: str, known: list[str], report: Report) -> None:
    """Report that a variant requires one that is not there."""
    message, place = f"'{variant.name}' requires '{other}'", named_place(variant, "requires", other)
    if other not in known:
        advice = (
            f"--with PATH/{other}.yaml, if it lies elsewhere"
            if is_id(other)
            else "'requires' takes the ids of variants"
        )
        report.misnamed("HR702", f"{message}, which does not exist", place, other, known, advice)
    elif not report.has_errors:  # else its file cannot be read, and that is the mistake
        message += f", but '{other}.yaml' contains a variant with another name"
        report.error("HR702", message, place, f"variant: {other}")


def named_place(variant: Variant, key: str, name: str) -> Span:
    """The place where a variant names another under a key."""
    value = variant.tree.entries[key].value
    return next((item.span for item in value.items if text_at(item) == name), value.span)


def check_settings(variants: list[Variant], settled: Container[str], report: Report) -> None:
    """Check that no two variants set one option to different values.

    A variant that requires the other may, and an option `settled` from outside may have any.
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
                        f"--set {name}={value} decides; `conflicts:` in a variant says that they do not go together",
                        [Related(f"'{other.name}' does so here", option_span(other, name))],
                    )


def option_span(variant: Variant, name: str) -> Span:
    return variant.tree.entries["options"].value.entries[name].key.span


PLACING = ("after", "before", "was")
PROSE = ("title", "text")
"""Texts for people are changed as a whole, in all languages."""
TEXTS = (*PROSE, "grammar")
GONE = object()
"""What is left at a place that was removed."""

Keys = tuple[str, ...]


@dataclass(slots=True, eq=False)
class Touched:
    """What a variant did to a place."""

    variant: str
    span: Span
    value: object
    added: bool = False


@dataclass(slots=True, eq=False)
class Edit:
    """A variant being applied: the report, and what earlier variants did to which place. `below` are the places inside each place."""

    variant: Variant
    report: Report
    touched: dict[Keys, Touched]
    below: dict[Keys, deque[Keys]] = field(init=False)

    def __post_init__(self) -> None:
        self.below = {}
        for place in self.touched:
            for length in range(1, len(place)):
                self.below.setdefault(place[:length], deque()).append(place)

    def touch(self, path: Keys, span: Span, value: object, added: bool = False) -> bool:
        """Note that a place is touched; False if another variant did something else to it, around it or inside it."""
        mine = (self.variant.name, *self.variant.requires)
        other = next((other for other in self.around(path, mine) if not self.agree(path, value, other)), None)
        other = other or self.inside(path, mine)
        if other is not None:
            self.report_clash(path, span, other)
            return False
        self.touched[path] = Touched(self.variant.name, span, value, added)
        return True

    def agree(self, path: Keys, value: object, other: Touched) -> bool:
        """Whether a change of a place goes with what another variant did to it, or around it."""
        if self.touched.get(path) is other:
            return other.value == value
        return other.added  # It changes a part of what the other added: the rest is still what the other wants.

    def inside(self, path: Keys, mine: Container[str]) -> Touched | None:
        """Something that other variants did inside a place."""
        places = self.below.get(path, deque())
        while places and self.touched[places[0]].variant in mine:
            places.popleft()
        return self.touched[places[0]] if places else None

    def report_clash(self, path: Keys, span: Span, other: Touched) -> None:
        """Report that two variants make different changes to one place."""
        message = f"'{self.variant.name}' and '{other.variant}' both change '{'.'.join(path)}', in different ways"
        advice = "`conflicts:` in a variant says that they do not go together"
        self.report.error("HR705", message, span, advice, [Related(f"'{other.variant}' does so here", other.span)])

    def removed(self, path: Keys) -> Touched | None:
        return next((other for other in self.around(path, (self.variant.name,)) if other.value is GONE), None)

    def brought(self, path: Keys) -> Touched | None:
        """The addition by another variant of a path or something around it."""
        mine = (self.variant.name, *self.variant.requires)
        return next((other for other in self.around(path, mine) if other.added), None)

    def around(self, path: Keys, mine: Container[str]) -> Iterator[Touched]:
        """What other variants than `mine` did to a place and around it, outermost first."""
        for length in range(1, len(path) + 1):
            other = self.touched.get(path[:length])
            if other is not None and other.variant not in mine:
                yield other


def trees_with(tree: Mapping, variants: Iterable[Variant], report: Report) -> Iterator[tuple[Variant, Mapping]]:
    """Each variant, with the tree after applying it and all before it."""
    touched: dict[Keys, Touched] = {}
    for variant in {variant.name: variant for variant in variants}.values():
        tree = tree_with(tree, Edit(variant, report, touched))
        yield variant, tree


def tree_with(tree: Mapping, edit: Edit) -> Mapping:
    """The tree with one more variant applied."""
    removals = value_at(edit.variant.tree, "remove")
    changes, additions = (of_rules(value_at(edit.variant.tree, key), edit.report) for key in ("change", "add"))
    if isinstance(changes, Mapping):
        check_expected(tree, changes, (), edit)
    for item in removals.items if removals is not None else ():
        if isinstance(item, Scalar):
            path = path_in(tree, item.text.strip())
            if edit.removed(path) is None and edit.touch(path, item.span, GONE):
                tree = without(tree, path, 0, item, edit.report)
    if isinstance(changes, Mapping):
        tree = changed(tree, changes, (), edit)
    if isinstance(additions, Mapping):
        tree = with_additions(tree, additions, (), edit)
    return for_its_players(tree, edit)


OF_THE_GAME = ("edition", "game", "include")


def of_rules(given: Yaml | None, report: Report) -> Yaml | None:
    """What a variant changes or adds, without what only the game itself says, which is told."""
    if not isinstance(given, Mapping):
        return given
    for key in OF_THE_GAME:
        if key in given.entries:
            message = f"'{key}' is that of the game, so a house rule cannot change it: this does nothing"
            report.warning("HR716", message, given.entries[key].key.span, "leave it out")
    return Mapping({key: entry for key, entry in given.entries.items() if key not in OF_THE_GAME}, given.span)


def for_its_players(tree: Mapping, edit: Edit) -> Mapping:
    """The tree with the numbers of players of a variant. Two variants agree if one is for fewer than the other."""
    mine, whole = edit.variant.tree.entries.get("players"), tree.entries.get("players")
    if mine is None or whole is None:
        return tree
    few, many = bounds(mine.value), bounds(whole.value)
    is_inside = few is not None and many is not None and many[0] <= few[0] and few[1] <= many[1]
    if not is_inside and not edit.touch(("players",), mine.value.span, plain(mine.value)):
        return tree
    edit.touched.setdefault(("players",), Touched(edit.variant.name, mine.value.span, plain(mine.value)))
    return Mapping({**tree.entries, "players": mine}, tree.span)


# --- finding ----------------------------------------------------------------------------------------------------------


def stem(key: str) -> str:
    return key.split("(")[0].strip()


def stems(node: Mapping) -> list[str]:
    return [stem(key) for key in node.entries]


def key_for(node: Mapping, word: str) -> str | None:
    """The key that a word denotes: itself, or the signature with that name."""
    if word in node.entries:
        return word
    return next((key for key in node.entries if stem(key) == stem(word)), None)


def path_in(tree: Yaml, text: str) -> Keys:
    """The keys that a dotted path names in a tree; a key may contain dots itself, as a sentence does."""
    path: list[str] = []
    rest: str | None = text
    while rest is not None and isinstance(tree, Mapping):
        found = [key for key in tree.entries if rest == key or rest.startswith(f"{key}.")]
        if not found:
            break
        key = max(found, key=len)
        path.append(key.strip())
        tree = tree.entries[key].value
        rest = rest[len(key) + 1 :] if len(key) < len(rest) else None
    words = rest.split(".", DEEPEST) if rest is not None else ()
    return (*path, *(word.strip() for word in words))


# --- remove -----------------------------------------------------------------------------------------------------------


def without(node: Mapping, path: Keys, depth: int, item: Scalar, report: Report) -> Mapping:
    """A map without what is at the rest of a path."""
    key = key_for(node, path[depth])
    if key is None:
        report_not_there(node, path, depth, item, report)
        return node
    entry = node.entries[key]
    if depth == len(path) - 1:
        return Mapping({k: e for k, e in node.entries.items() if k != key}, node.span)
    value: Yaml
    if isinstance(entry.value, Mapping):
        value = without(entry.value, path, depth + 1, item, report)
    else:
        items = entry.value.items if depth == len(path) - 2 else ()
        rest = tuple(one for one in items if not (isinstance(one, Scalar) and one.text == path[-1]))
        if len(rest) == len(items):
            message = f"there is nothing inside '{'.'.join(path[: depth + 1])}' to remove"
            report.error("HR706", message, item.span, related=[Related("it stands here", entry.key.span)])
            return node
        value = Sequence(rest, entry.value.span)
    return Mapping({**node.entries, key: Entry(entry.key, value)}, node.span)


def below(node: Mapping, word: str, path: Keys) -> Meant | None:
    """A suggestion for a path that leaves out keys: the only place below its last one that has the name."""
    found = [(*path, *way) for way in ways_to(word, node, ()) if len(way) > 1]
    return Meant(".".join(found[0])) if len(found) == 1 else None


def ways_to(word: str, node: Mapping, path: Keys) -> Iterator[Keys]:
    for key, entry in node.entries.items():
        here = (*path, stem(key))
        if stem(key) == word:
            yield here
        if isinstance(entry.value, Mapping) and key not in (*PROSE, "translations"):
            yield from ways_to(word, entry.value, here)
        elif any(isinstance(one, Scalar) and one.text == word for one in entry.value.items):
            yield (*here, word)


def report_not_there(node: Mapping, path: Keys, depth: int, item: Scalar, report: Report) -> None:
    """Report that nothing is at a path, with what was probably meant."""
    before, word = path[:depth], path[depth]
    rest = item.text.strip().removeprefix(".".join(before) + ".")
    # A sentence contains dots, and need not be in quotes inside the path.
    bare = rest.strip("\"' ")
    sentence = bare if bare in node.entries else nearest(bare, [key for key in node.entries if "." in key])
    found = sentence or nearest(word, stems(node))
    if not found and (deeper := below(node, stem(word), path[:depth])) is not None:
        found = ".".join(deeper.word.split(".")[depth:])
    meant = ".".join((*before, found or "", *(() if sentence else path[depth + 1 :])))
    message = f"there is no '{'.'.join((*before, rest if sentence else word))}' to remove"
    quoted = f'"{meant}"' if "'" in meant else f"'{meant}'"
    report.error("HR706", message, item.span, f"did you mean {quoted}?" if found else None)


# --- change -----------------------------------------------------------------------------------------------------------


def changed(node: Mapping, change: Mapping, path: Keys, edit: Edit) -> Mapping:
    """A map with a variant's changes to it."""
    entries = dict(node.entries)
    for word, entry in change.entries.items():
        if word in ("after", "before"):
            message = f"'{word}' places an addition; what is changed keeps its place"
            edit.report.error("HR208", message, entry.key.span, "to move an entry, `remove` it and `add` it again")
        if word in PLACING:
            continue
        key = key_for(node, word)
        here = (*path, stem(key or word))
        if key is None:
            if other := edit.removed(here):
                edit.report_clash(here, entry.key.span, other)
            else:
                meant = below(node, stem(word), path) or edit.report.did_you_mean(stem(word), stems(node))
                advice = meant or f"`add:` adds what is new: add: {nested(here)}"
                if meant is None and (rival := rival_of(word, node, change, path)):
                    advice = f"remove: [{'.'.join((*path, rival))}], and add: {nested(here)}"
                if meant is not None:
                    edit.report.retract("HR201", entry.key.span)  # that there is no such key here
                edit.report.error("HR707", f"there is no '{'.'.join(here)}' to change", entry.key.span, advice)
            continue
        old = entries[key]
        if isinstance(old.value, Mapping) and isinstance(entry.value, Mapping) and here[-1] not in PROSE:
            entries[key] = Entry(old.key, changed(old.value, entry.value, here, edit))
            continue
        place, value = long_of(old.value, entry, here)
        if edit.touch(place, entry.key.span, plain(entry.value)):
            # If the variant writes the parameters anew, it changes these as well.
            new, name = (word, entry.key) if "(" in word else (key, old.key)
            made = Entry(name, value)
            entries = {new if k == key else k: made if k == key else e for k, e in entries.items()}
    return Mapping(entries, node.span)


def rival_of(word: str, node: Mapping, given: Mapping, path: Keys) -> str | None:
    """The key of a step or of `winner` that excludes a new one; `repeat: forever` excludes none."""
    sort = sort_at("game", path) if path and path[0] in ("flow", "winner") else None
    is_endless = is_forever(value_at(node, "repeat")) or is_forever(value_at(given, "repeat"))
    rivals = [keys for keys, what in RIVALS if not (is_endless and what == "how often")]
    groups = (sort.one_of, *rivals) if sort is not None and word in sort.keys else ()
    return next((key for keys in groups if word in keys for key in keys if key in node.entries), None)


def long_of(old: Yaml, entry: Entry, path: Keys) -> tuple[Keys, Yaml]:
    """The place that a change sets, and what then stands at its path: in its short form, it keeps the texts for people, as if it changed one key."""
    sort = sort_at("game", path)
    kept = {key: old.entries[key] for key in TEXTS if key in old.entries}
    if not kept or sort is None or not sort.bare or isinstance(entry.value, Mapping):
        return path, entry.value
    whole = {**kept, sort.bare: Entry(replace(entry.key, text=sort.bare), entry.value)}
    return (*path, sort.bare), Mapping(whole, entry.value.span)


def check_expected(node: Mapping, change: Mapping, path: Keys, edit: Edit) -> None:
    """Check `was:`, what a variant expects to find before it removes and changes anything."""
    before = value_at(change, "was")
    for word, entry in before.entries.items() if before is not None else ():
        check_value(node, word, entry, path, edit)
    for word, entry in change.entries.items():
        key = key_for(node, word)
        old = node.entries[key].value if key is not None else None
        if isinstance(old, Mapping) and isinstance(entry.value, Mapping) and word not in ("was", *PROSE):
            check_expected(old, entry.value, (*path, stem(word)), edit)


def check_value(node: Mapping, word: str, entry: Entry, path: Keys, edit: Edit) -> None:
    """Check that a variant finds one of the values that it expects."""
    key, wanted = key_for(node, word), plain(entry.value)
    found = node.entries[key].value if key is not None else None
    if found is not None and plain(found) == wanted:
        return
    other = edit.removed((*path, stem(word)))
    state, related = "is not there", []
    if found is not None:
        state, related = f"is '{plain(found)}'", [Related("it stands here", found.span)]
    elif other is not None:
        state, related = f"'{other.variant}' removes it", [Related("it does so here", other.span)]
    message = f"'{'.'.join((*path, word))}' was expected to be '{wanted}', but {state}"
    edit.report.error("HR708", message, entry.value.span, related=related)


# --- add --------------------------------------------------------------------------------------------------------------


def with_additions(node: Mapping, addition: Mapping, path: Keys, edit: Edit) -> Mapping:
    """A map with a variant's additions to it."""
    entries = dict(node.entries)
    for word, entry in addition.entries.items():
        if word in PLACING:
            continue
        key = key_for(node, word)
        here = (*path, stem(word))
        if key is None and not path and isinstance(entry.value, Mapping):
            # A section that the game does not have yet: another variant may add it as well.
            empty = Mapping({}, entry.value.span)
            entries[word] = Entry(entry.key, with_additions(empty, entry.value, here, edit))
        elif key is None and (rival := rival_of(word, node, addition, path)):
            message = f"'{'.'.join(path)}' has '{rival}', which excludes '{word}'"
            related = [Related("it stands here", node.entries[rival].key.span)]
            edit.report.error("HR709", message, entry.key.span, f"remove: [{'.'.join((*path, rival))}]", related)
        elif key is None:
            if edit.touch(here, entry.key.span, plain(entry.value), added=True):
                entries = with_entry(entries, word, entry, edit.report)
        else:
            entries[key] = joined(entries[key], entry, here, edit)
    return Mapping(entries, node.span)


def long_form(written: Yaml) -> Yaml:
    """An enum that is a list of its members, as a map that has them below `members`."""
    names = [one for one in written.items if isinstance(one, Scalar)]
    if not names or len(names) < len(written.items):
        return written
    members = Mapping({name.text: Entry(name, Mapping({}, name.span)) for name in names}, written.span)
    return Mapping({"members": Entry(replace(names[0], text="members"), members)}, written.span)


def words_of(names: Sequence) -> str:
    return ", ".join(f"{one.text}: {{title: …}}" for one in names.items if isinstance(one, Scalar))


def joined(old: Entry, entry: Entry, path: Keys, edit: Edit) -> Entry:
    """An existing entry with a variant's additions to it, if it can have any."""
    other = edit.brought(path)
    if other is not None and edit.touched.get(path) is other and other.value == plain(entry.value):
        return old
    if isinstance(entry.value, Mapping):
        whole = long_form(old.value) if path[0] == "enums" and len(path) == 2 else old.value
        if isinstance(whole, Mapping):
            return Entry(old.key, with_additions(whole, entry.value, path, edit))
    if other is not None:
        edit.report_clash(path, entry.key.span, other)
    elif isinstance(old.value, Sequence) and isinstance(entry.value, Sequence):
        return Entry(old.key, Sequence((*old.value.items, *entry.value.items), old.value.span))
    else:
        related = [Related("it stands here", old.key.span)]
        message, advice = f"'{'.'.join(path)}' exists already", "`change:` gives it another value"
        if path[0] == "enums" and len(path) == 2 and isinstance(entry.value, Sequence):
            advice = f"new members stand below it: {path[1]}: {{members: {{{words_of(entry.value)}}}}}"
        edit.report.error("HR709", message, entry.key.span, advice, related)
    return old


def with_entry(entries: dict[str, Entry], word: str, entry: Entry, report: Report) -> dict[str, Entry]:
    """Entries with a new one after or before another, else at the end."""
    value = entry.value
    side = "before" if "before" in value.entries else "after"
    anchor = value_at(value, side)
    if isinstance(value, Mapping):
        value = Mapping({key: e for key, e in value.entries.items() if key not in PLACING}, value.span)
    made = {word: Entry(entry.key, value)}
    if not isinstance(anchor, Scalar):
        return {**entries, **made}
    name, keys = text_at(anchor), list(entries)
    names = [stem(key) for key in keys]
    if name not in names:
        message = f"there is no '{name}' here to come {side}"
        deeper = below(Mapping(entries, anchor.span), name, ())
        advice = f"it is in '{deeper.word.rpartition('.')[0]}': this belongs there, too" if deeper else None
        report.misnamed("HR710", message, anchor.span, name, names, advice)
        return {**entries, **made}
    position = names.index(name) + (side == "after")
    before, behind = keys[:position], keys[position:]
    return {key: entries[key] for key in before} | made | {key: entries[key] for key in behind}
