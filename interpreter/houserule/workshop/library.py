"""Which file a name refers to, and games examined."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, islice
from pathlib import Path

from houserule.bundled import bundled_game, groups
from houserule.compiler.folding import evaluate
from houserule.definition.check import CheckedGame, Operations, Rules, check_for_every_count, check_game, too_much
from houserule.definition.consequences import (
    never_included,
    told_of_variants,
    warned_of_variants,
    without_consequences,
)
from houserule.definition.gaps import check_gaps, check_short
from houserule.definition.load import Loaded, load_game
from houserule.definition.model import GameDefinition, OptionDefinition
from houserule.definition.readings import Asked, Readings, made_of
from houserule.definition.variant import Variant, read_variant
from houserule.diagnostics import Diagnostic, Related, Report, Span, did_you_mean
from houserule.frozen import without_collecting
from houserule.language.checked import Pile
from houserule.language.scope import Budget, OverBudget
from houserule.operations import FUNCTIONS, PREPOSITIONS, VERBS
from houserule.printable import whole_number
from houserule.reading import (
    beginning,
    entered,
    files_below,
    game_folder,
    is_file,
    is_id,
    is_inside,
    named,
    real,
    root_of,
    yaml_below,
)
from houserule.source import Entry, entries_at
from houserule.source import Mapping as Tree
from houserule.source.read import read_once

MOST_PLACED = 2_000
"""The pieces of a kind whose first places are counted."""


class UnknownGame(LookupError):
    """There is no game or variant of that name or path; `suggestion` is the probable one, `known` are the existing ones."""

    def __init__(self, name: str, suggestion: str | None, what: str = "game", known: Iterable[str] = ()) -> None:
        self.name = name
        self.suggestion = suggestion
        self.known = tuple(known)
        super().__init__(f"there is no {what} '{name}'" + (f"; {suggestion}" if suggestion else ""))


def games() -> list[str]:
    """List the bundled games, group by group."""
    return [name for names in groups().values() for name in names]


def is_bundled(folder: Path) -> bool:
    found = bundled_game(folder.name)
    return found is not None and found.resolve() == folder.resolve()


def find(name: str | Path) -> Path:
    """The folder or file of a game: a bundled id or a path. Raises UnknownGame.

    >>> houserule.find(game.id) == game.path
    True
    """
    path = entered(name)
    if path.is_file() or (path / "game.yaml").exists():
        return path
    found = bundled_game(str(name))
    if found is not None:
        return found
    raise UnknownGame(str(name), did_you_mean(str(name), games()))


def display(path: Path) -> str:
    try:
        return str(real(path).relative_to(real(Path.cwd())))
    except ValueError:
        return str(path)


def variants_of(folder: Path) -> list[str]:
    inside = files_below(folder / "variants", "*.yaml", folder)
    return [path.stem for path in inside if path.suffix == ".yaml" and is_inside(path, folder) and is_file(path)]


def is_yaml(path: Path) -> bool:
    return path.suffix in (".yaml", ".yml") and path.is_file()


def find_variant(folder: Path, name: str) -> Path:
    """The file of a variant, by the id of one of the game's own or by its path. Raises UnknownGame."""
    path = entered(name)
    if is_yaml(path):
        return path
    inside = folder / "variants" / f"{name}.yaml"
    if path.name == name and inside.is_file():
        return inside
    known = variants_of(folder)
    raise UnknownGame(name, did_you_mean(name, known), "variant", known)


# --- what a file names ----------------------------------------------------------------------------------------------------


def game_named(name: str, file: Path) -> Path:
    """The game that a file belongs to: a bundled id, or the id of a game beside the file. Raises UnknownGame."""
    if is_id(name):
        beside = named(name, file)
        if beside is not None and (beside / "game.yaml").is_file():
            return beside
        bundled = bundled_game(name)
        if bundled is not None:
            return bundled
    raise UnknownGame(name, did_you_mean(name, games()))


def variant_named(name: str, folder: Path, file: Path) -> str:
    """The variant of a game that a file names: an id of one of the game's own or of one beside the file, or a path. Raises UnknownGame."""
    found = required(folder, file, name) if is_id(name) else named(name, file)
    is_one = found is not None and (is_variant(found) if is_id(name) else is_yaml(found))
    if found is None or not is_one:
        known = variants_of(folder)
        raise UnknownGame(name, did_you_mean(name, known), "variant", known)
    return name if is_id(name) and found.parent == folder / "variants" else str(found)


# --- which game a file belongs to -------------------------------------------------------------------------------------


def part_of(path: Path) -> Path | None:
    """The folder of the game that a file is part of: the file is beside or below a `game.yaml` and is no game itself."""
    is_whole = path.name == "game.yaml" or not path.is_file() or opens_with(path, ("game:", "edition:"))
    return None if is_whole else game_folder(path)


def is_variant(path: Path) -> bool:
    """Whether a file is a variant: by its folder or its keys."""
    return opens_as(path, "variants", ("variant:",), ("game:",))


def game_varied_by(file: Path) -> Path:
    """The folder of the game that a variant belongs to: the one around it, or the one that it names. Raises UnknownGame."""
    folder = game_folder(file)
    if folder is not None:
        return folder
    variant = read_variant(file, Report(), display(file))
    return game_named(variant.game if variant is not None else "", file)


def opens_as(path: Path, folder: str, keys: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether a file is in a folder with that name, or begins with one of `keys` and none of `others`."""
    if not path.is_file() or path.name == "game.yaml":
        return False
    if path.resolve().parent.name == folder:
        return True
    return opens_with(path, keys) and not opens_with(path, others)


def opens_with(path: Path, keys: tuple[str, ...]) -> bool:
    """Whether one of these keys is at the top level in the first lines of a file."""
    return any(line.startswith(keys) for line in beginning(path, 4000).splitlines())


# --- which files are rules ----------------------------------------------------------------------------------------------

RULES = (("edition:", "game:"), ("variant:", "of:"), ("scenario:", "of:"))
"""The keys that identify a file outside all games: one kind of rule file a row."""


def rule_files(path: str | Path, look: Callable[[], object] | None = None) -> list[Path]:
    """The rule files at a path: the file itself, or all at and below a folder; `look` is called often, and may raise to end it.

    In the folder of a game every YAML file is one; elsewhere its keys decide. Hidden folders, links to folders,
    Python's environments and `node_modules` are skipped.
    """
    root = entered(path)
    if root.is_file():
        return [root]
    return sorted(file for file in yaml_below(root, look) if game_folder(file) is not None or is_by_itself(file))


def is_by_itself(file: Path) -> bool:
    """Whether the keys of a file say that it is a game, a variant or scenarios."""
    return any(all(opens_with(file, (key,)) for key in keys) for keys in RULES)


OPERATIONS = Operations(FUNCTIONS, VERBS, evaluate)
Examined = tuple[Loaded, dict[int, CheckedGame], dict[str, int | str]]

MOST_KEPT = 16
"""The most games that are kept after a run, none of which had mistakes."""
_sound: dict[Hashable, tuple[Examined, list[tuple[Asked, Tree | None]]]] = {}


def as_written(value: object) -> int | str:
    """A setting in its normal form: an integer, or else the word for the value. Python's None is `none`."""
    if value is None or isinstance(value, bool):
        return str(value).lower()
    number = value if isinstance(value, int) else whole_number(str(value))
    return number if number is not None else str(value).strip()


def places_of_settings(variants: Iterable[Variant], settings: Mapping[str, int | str]) -> dict[str, Entry]:
    """The entries in which variants set options, unless `settings` set them; the last variant counts."""
    places: dict[str, Entry] = {}
    for variant in variants:
        places |= {name: entry for name, entry in entries_at(variant.tree, "options").items() if name not in settings}
    return places


def at_their_settings(
    found: Iterable[Diagnostic], options: Mapping[str, OptionDefinition], places: Mapping[str, Span]
) -> list[Diagnostic]:
    """Diagnostics, with those about a setting placed where it is set instead of where its option is declared."""
    declared = {option.span: places[name] for name, option in options.items() if name in places}
    return [
        replace(one, span=declared[one.span], related=(Related("declared here", one.span),))
        if one.code == "HR603" and one.span in declared
        else one
        for one in found
    ]


def examine(
    path: Path,
    report: Report,
    settings: Mapping[str, int | str | None] | None = None,
    variants: Iterable[str] = (),
    readings: Readings | None = None,
) -> Examined:
    """Read and check a game with its variants and settings; diagnostics go into the report.

    The third result is all settings; those given override those of variants. `readings` memoises what was read and found, and
    says whether to look for leaks.
    """
    readings = readings if readings is not None else Readings()
    file = path / "game.yaml" if path.is_dir() else path
    chosen = {str(name): as_written(value) for name, value in (settings or {}).items()}
    named = list(variants)
    what = ("examined", file, repr(chosen), tuple(named), readings.with_meanings)
    with_secrets, without = ((*what, tells) for tells in (True, False))
    # The result with leaks contains everything of the one without them.
    key = with_secrets if readings.tells_secrets or readings.has(with_secrets) else without
    return readings.once(key, report, lambda own: as_before(key, file, own, chosen, named, readings))


def as_before(
    asked: Hashable, file: Path, report: Report, settings: Mapping[str, int | str], named: list[str], readings: Readings
) -> Examined:
    """The result of an earlier run, if it had no mistakes and every file is unchanged; otherwise the game is examined."""
    key = (asked, display(file))
    before = _sound.get(key)
    if before is not None and readings.is_as_before(before[1]):
        return before[0]
    first = len(readings.asked)
    with without_collecting():
        made = examined(file, report, settings, named, readings)
    _sound.pop(key, None)
    # Whether what a variant conflicts with exists does not depend on the files that were read.
    if not report.found and not any(variant.conflicts for variant in made[0].variants):
        _sound[key] = made, readings.asked[first:]
        while len(_sound) > MOST_KEPT:
            _sound.pop(next(iter(_sound)), None)
    return made


def forget() -> None:
    """Forget the games loaded so far, to measure how long loading takes."""
    _sound.clear()
    made_of.cache_clear()
    read_once.cache_clear()


def unknown_option(
    name: str, definition: GameDefinition, place: Span | None, report: Report, tree: Tree | None = None
) -> None:
    """Report a setting of an unknown option, at the place that sets it or else where options are declared."""
    known = definition.options
    listed = f"its options: {', '.join(known)}" if known else None
    message = f"'{definition.name}' has no option '{name}'"
    if place is not None:
        report.misnamed("HR603", message, place, name, known, listed)
        return
    # No file is wrong: the place that lists the options helps.
    there = tree.entries.get("options") if tree is not None else None
    advice = " ".join(part for part in (did_you_mean(name, known), listed) if part) or None
    report.error("HR603", message, there.key.span if there is not None else definition.span, advice)


def examined(
    file: Path, report: Report, settings: Mapping[str, int | str], named: list[str], readings: Readings
) -> Examined:
    """Load a game that was not examined before, and what is wrong with it."""
    before, readings.budget = readings.budget, Budget()
    try:
        return examined_within(readings.budget, file, report, settings, named, readings)
    except OverBudget as over:
        too_much(over.span, report)
        return Loaded(file, None, None, ()), {}, {}
    finally:
        readings.spent += readings.budget.spent
        readings.budget = before


def examined_within(
    budget: Budget, file: Path, report: Report, settings: Mapping[str, int | str], named: list[str], readings: Readings
) -> Examined:
    """Load a game, and what is wrong with it, within a budget. Raises OverBudget."""
    house_rules, named = with_required(file.parent, named, report, readings)
    given = {name: as_written(value) for variant in house_rules for name, value in variant.options.items()}
    given |= settings
    loaded = load_game(file, report, PREPOSITIONS, display(file), house_rules, settings, readings)
    checked: dict[int, CheckedGame] = {}
    if loaded.definition is not None:
        definition = loaded.definition
        places = places_of_settings(house_rules, settings)
        set_at = {name: entry.key.span for name, entry in places.items()}
        for name in given:
            if name not in definition.options:
                unknown_option(name, definition, set_at.get(name), report, loaded.tree)
        rules = Rules(definition, OPERATIONS, given, budget, readings.with_meanings)
        checked = check_for_every_count(rules, report, readings.tells_secrets)
        if readings.tells_secrets and not report.has_errors and loaded.tree is not None:
            check_gaps(definition, loaded.tree, report)
            look_for_crowds(checked, report)
            if house_rules:
                look_for_short(definition, checked, lambda: examine(file, Report(), settings, (), readings), report)
        values = {name: entry.value.span for name, entry in places.items()}
        report.found = at_their_settings(report.found, definition.options, values)
    # A file that is itself a game may be beside other games.
    beside = list(files_below(file.parent, "*.yaml", file.parent)) if file.name == "game.yaml" else []
    report.found = without_consequences(report.found, loaded.tree, loaded.is_cut, beside, house_rules)
    if readings.tells_secrets and not house_rules and loaded.definition is not None and not report.has_errors:
        for path in beside:
            readings.reads(path)
        known = {Path(part).name for part, _ in loaded.definition.added}
        report.found += never_included(display(file), known, beside)
    if house_rules:
        report.found = told_of_variants(report.found, house_rules)

        def without(number: int) -> list[Diagnostic]:
            fewer = Report()
            examine(file, fewer, settings, named[:number], readings)
            return fewer.found

        report.found = warned_of_variants(report.found, house_rules, without)
    return loaded, checked, given


def look_for_crowds(found: Mapping[int, CheckedGame], report: Report) -> None:
    """Warn of zones in which more pieces begin than they may hold, with the fewest players for whom that is so."""
    told: set[str] = set()
    for players, game in sorted(found.items()):
        lying: Counter[tuple[str, tuple[int, ...]]] = Counter()
        for name, start in game.starts_in.items():
            if not isinstance(start, Pile) or start.zone.capacity is None:
                continue
            for piece in islice(game.symbols.kinds[name].numbers, MOST_PLACED):
                with suppress(ValueError):  # a place that is not known before a match
                    at = tuple(int(evaluate(part, {"it": piece}, players=players)) for part in start.index)
                    lying[start.zone.name, at] += 1
            zone, number = start.zone, max((n for (of, _), n in lying.items() if of == start.zone.name), default=0)
            if number > start.zone.capacity and zone.name not in told:
                told.add(zone.name)
                place = f"one place of '{zone.name}'" if zone.parameters else f"'{zone.name}'"
                message = f"{number} pieces begin in {place}, which holds {zone.capacity}"
                message = message if players == min(found) else f"with {players} players {message}"
                advice = f"starts_in: …, or capacity: {number}"
                report.warning("HR529", message, start.span, advice, [Related("declared here", zone.span)])


def look_for_short(
    definition: GameDefinition,
    checked: Mapping[int, CheckedGame],
    usual: Callable[[], Examined],
    report: Report,
) -> None:
    """Warn of tables that are too short for what house rules add; `usual` checks the game without them, which takes its time."""
    strained = next((one for one in checked.values() if one.analysis.strains), None)
    if strained is not None and definition.widened is None:
        loaded, found, given = usual()
        players = strained.symbols.players
        before = found.get(players)
        if before is None and loaded.definition is not None:
            before = check_game(Rules(loaded.definition, OPERATIONS, given, Budget()), players, Report())
        check_short(strained.analysis.strains, before.analysis.strains if before is not None else (), report)


def with_required(
    folder: Path, named: Iterable[str], report: Report, readings: Readings
) -> tuple[list[Variant], list[str]]:
    """The variants of a game that a call names, with the names by which they are found; those that they require come before them.

    What a variant requires is one of the game's own, or beside it. What is missing is reported elsewhere. Raises UnknownGame.
    """
    found = [(str(name), find_variant(folder, name)) for name in named]
    read = [(name, read_variant(file, report, display(file), readings)) for name, file in found]
    names = {variant.name for _, variant in read if variant is not None}
    made: list[tuple[Variant, str]] = []

    def put(variant: Variant, name: str) -> None:
        for needed in variant.requires:
            file = required(folder, variant.file, needed) if needed not in names else None
            if file is None:
                continue
            names.add(needed)
            other = read_variant(file, report, display(file), readings)
            if other is not None:
                put(other, needed if file.parent == folder / "variants" else str(file))
        made.append((variant, name))

    for name, variant in read:
        if variant is not None:
            put(variant, name)
    return [variant for variant, _ in made], [name for _, name in made]


def required(folder: Path, by: Path, name: str) -> Path | None:
    """The file of a variant that another, or a scenario, names by its id: one of the game's own, or a file beside it."""
    if not is_id(name):
        return None
    beside = by.parent / f"{name}.yaml"
    if is_file(folder / "variants" / f"{name}.yaml"):
        return folder / "variants" / f"{name}.yaml"
    return beside if is_file(beside) and is_inside(beside, root_of(by)) else None


def combinations_of(folder: Path, most: int = 1) -> list[tuple[str, ...]]:
    """The combinations of up to `most` of a game's variants, each after those that it requires; first the empty one.

    Each combination occurs once; variants that exclude each other are not combined.
    """
    report = Report()
    written: dict[str, Variant] = {}
    for name in variants_of(folder):
        path = folder / "variants" / f"{name}.yaml"
        variant = read_variant(path, report, display(path))
        if variant is not None:
            written[name] = variant
    found = [whole(names, written) for count in range(most + 1) for names in combinations(written, count)]
    return [names for names in dict.fromkeys(found) if agree(names, written)]


def whole(names: tuple[str, ...], written: dict[str, Variant]) -> tuple[str, ...]:
    """Variants, each after those that it requires; a missing one is left out, and reported elsewhere."""
    ordered: list[str] = []
    begun: set[str] = set()

    def put(name: str) -> None:
        if name in written and name not in begun:
            begun.add(name)
            for needed in written[name].requires:
                put(needed)
            ordered.append(name)

    for name in names:
        put(name)
    return tuple(ordered)


def agree(names: tuple[str, ...], written: dict[str, Variant]) -> bool:
    return not any(other in written[name].conflicts for name in names for other in names)
