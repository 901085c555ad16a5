"""Loads a game from its files up to its definition, and tells which of its rules a record depends on."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable
from collections.abc import Mapping as MappingOf
from dataclasses import dataclass, replace
from pathlib import Path

from houserule.definition.model import GameDefinition, Widened, game_of
from houserule.definition.prose import check_prose, check_prose_of, check_strays
from houserule.definition.reader import Reader, bounds
from houserule.definition.readings import Readings
from houserule.definition.schema import check_complete
from houserule.definition.variant import Variant, check_settings, check_together, stem, trees_with
from houserule.diagnostics import LINE, Related, Report, Span
from houserule.frozen import frozen
from houserule.reading import is_inside, root_of
from houserule.source import Entry, Mapping, Scalar, content_of, listed, value_at

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
    included = value_at(tree, "include")
    if included is None:
        return content
    named = [item for item in listed(included) if isinstance(item, Scalar)]
    rest = [item for item in named if item.text not in layouts]
    if not rest:
        return re.sub(rb"^include[ \t]*:.*\n?(?:[ \t-].*\n?)*", b"", content, count=1, flags=re.MULTILINE)
    for item in named:
        if item.text in layouts:
            name = re.escape(item.text.encode())
            # It begins only where blanks do, or it would begin again at each of them.
            content = re.sub(
                rb"(?<!\s)(?:\s*,|(?:[^\S\n]*\n|^)\s*-)\s*" + name + rb"(?=\s|,|\])", b"", content, count=1
            )
    return content


def merge(first: Mapping, second: Mapping, report: Report) -> Mapping:
    """Both maps as one, in the order of the first, then what only the second has."""
    entries = dict(first.entries)
    for name, entry in second.entries.items():
        if name not in entries:
            entries[name] = entry
            continue
        mine, other = entries[name].value, entry.value
        if isinstance(mine, Mapping) and isinstance(other, Mapping):
            entries[name] = Entry(entries[name].key, merge(mine, other, report))
        else:
            report.error(
                "HR302",
                f"'{name}' is given twice",
                entry.key.span,
                "keep one of the two",
                [Related("the other is here", entries[name].key.span)],
                follows_from=(LINE,),
            )
    return Mapping(entries, first.span)


@dataclass(slots=True, eq=False)
class Includes:
    """Reads the files that a game includes; each is read once, and only inside the folder of the game."""

    root: Path
    report: Report
    readings: Readings
    seen: dict[Path, Span]  # where each file is included first
    is_cut: bool = False  # a file could not be read

    def of(
        self, node: Mapping, file: Path, shown: str, around: tuple[Path, ...] = ()
    ) -> list[tuple[Mapping, Path, bool]]:
        """The maps of all files that a file includes, directly or not, and whether each has the right shape.

        `around` are the files that include this one.
        """
        around = (*around, file.resolve())
        found: list[tuple[Mapping, Path, bool]] = []
        for item in listed(value_at(node, "include")):
            if not isinstance(item, Scalar) or not item.text:
                continue
            path = file.parent / item.text
            if self.is_refused(item, resolved(path), around):
                continue
            display = str(Path(shown).parent / item.text)
            part, good = self.readings.document(path, self.root, "part", self.report, display, item.span)
            self.is_cut |= part is None
            if part is not None:
                found.append((part, path, good))
                found += self.of(part, path, display, around)
        return found

    def is_refused(self, item: Scalar, real: Path | None, around: tuple[Path, ...]) -> bool:
        """Whether a file may not be included here, which is reported; otherwise notes that it is included."""
        message, help = "", "leave it out: each file is read once"
        related: list[Related] = []
        code = "HR304"
        if real is not None and (not is_inside(real, self.root) or Path(item.text).is_absolute()):
            self.is_cut = True
            code, message = "HR303", f"'{item.text}' lies outside the folder of the game"
            help = "parts of a game lie in its own folder"
        elif real in around:
            is_itself = real == around[-1]
            message = f"'{item.text}' is this file itself" if is_itself else f"'{item.text}' includes this file already"
            related = [Related("it is included here", self.seen[real])] if real not in (around[0], around[-1]) else []
        elif real in self.seen:
            message, help = f"'{item.text}' is included twice", "leave out one of the two"
            related = [Related("the first time is here", self.seen[real])]
        elif real is not None:
            self.seen[real] = item.span
        if message:
            self.report.error(code, message, item.span, help, related)
        return bool(message)


def resolved(path: Path) -> Path | None:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return None


@frozen
class Loaded:
    """A definition and the tree it was built from; None if the files could not be read that far.

    `files` are the names of all files with rules that it was built from, each with the rules it held when it was read.
    """

    path: Path
    tree: Mapping | None
    definition: GameDefinition | None
    files: tuple[tuple[str, bytes], ...]
    variants: tuple[Variant, ...] = ()
    is_cut: bool = False  # a file that it includes could not be read


def load_game(
    path: Path,
    report: Report,
    verbs: MappingOf[str, tuple[str, ...]],
    display: str | None = None,
    variants: Iterable[Variant] = (),
    settled: Container[str] = (),
    readings: Readings | None = None,
) -> Loaded:
    """Read, check, merge and parse a game with variants. Every mistake goes into the report.

    `settled` are the options set from outside, which override variants. With `readings`, what was
    read before is not read again.
    """
    readings = readings if readings is not None else Readings()
    is_file = path.is_file() or (path.suffix in (".yaml", ".yml") and not path.is_dir())
    file = path if is_file else path / "game.yaml"
    shown = display or str(file)
    root = file.parent
    tree, parts, good, is_cut = read_with_parts(file, report, readings, shown)
    if tree is None:
        return Loaded(file, None, None, ())
    files = rules_in([(file, tree), *((path, part) for part, path, _ in parts)])
    whole = merged([tree, *(part for part, *_ in parts)], report)
    if parts and good and not report.has_errors:
        good = check_complete(whole, report)
    id = id_of(whole, root.name, report)
    house_rules = list(variants)
    check_together(house_rules, id, root, report)
    check_settings(house_rules, settled, report)
    added: list[tuple[str, frozenset[str]]] = [
        (node.span.file, frozenset()) for node in (tree, *(part for part, *_ in parts))
    ]
    game = whole
    for variant, with_variant in trees_with(whole, house_rules, report):
        added.append((variant.span.file, variables_of(with_variant) - variables_of(whole)))
        files.append((variant.file.name, content_of(variant.tree)))
        whole = with_variant
    if house_rules and good and not report.has_errors:
        check_complete(whole, report)
    definition = game_of(Reader(report, verbs, readings), whole, id)
    definition = replace(definition, added=tuple(added), widened=widened(game, whole, definition.players[1]))
    if not report.has_errors:
        check_prose(definition, whole, report)
        check_strays([tree, *(part for part, *_ in parts)], report)
        check_prose_of(house_rules, definition, report)
    return Loaded(file, whole, definition, tuple(files), tuple(house_rules), is_cut)


Parts = list[tuple[Mapping, Path, bool]]


def read_with_parts(
    file: Path, report: Report, readings: Readings, shown: str
) -> tuple[Mapping | None, Parts, bool, bool]:
    """The map in a file of a game, those in all files that it includes, whether they have the right shape, and whether one is missing."""
    tree, good = readings.document(file, root_of(file), "game", report, shown)
    if tree is None:
        return None, [], False, True
    includes = Includes(file.parent, report, readings, {file.resolve(): Span(shown)})
    parts = includes.of(tree, file, shown)
    return tree, parts, all([good, *(is_good for *_, is_good in parts)]), includes.is_cut


def merged(trees: list[Mapping], report: Report) -> Mapping:
    """The maps of all files of a game as one."""
    whole = without_includes(trees[0])
    for part in trees[1:]:
        whole = merge(whole, without_includes(part), report)
    return whole


def without_includes(tree: Mapping) -> Mapping:
    return Mapping({key: entry for key, entry in tree.entries.items() if key != "include"}, tree.span)


def id_of(tree: Mapping, otherwise: str, report: Report) -> str:
    """The id of a game; reported if it is not a name."""
    named = value_at(tree, "game")
    if not isinstance(named, Scalar):
        return otherwise
    id = named.text
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", id):
        better = re.sub(r"\W+", "_", id, flags=re.ASCII).strip("_").lower()
        advice = f"game: {better}" if better and not better[0].isdigit() else "game: my_game"
        message = f"'{id}' is not a name: letters, digits and _, not beginning with a digit; people read the title"
        report.error("HR204", message, named.span, advice)
    return id


def widened(before: Mapping, after: Mapping, now: int) -> Widened | None:
    """Where variants let more play than the game, if they do."""
    few, place = bounds(value_at(before, "players")), value_at(after, "players")
    if few is None or place is None or now <= few[1]:
        return None
    old, new = (value.entries if (value := value_at(tree, "box")) is not None else {} for tree in (before, after))
    same = frozenset(name for name, entry in old.items() if new.get(name) is entry)
    return Widened(place.span, few[1], now, same)


def variables_of(tree: Mapping) -> frozenset[str]:
    """The variables of a game, without their indices."""
    variables = value_at(tree, "variables")
    return frozenset(map(stem, variables.entries)) if variables is not None else frozenset()
