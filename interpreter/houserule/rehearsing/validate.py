"""Validates whatever a path names: a game, a variant, a scenario file or a folder of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from houserule.definition.consequences import gathered
from houserule.definition.readings import Readings
from houserule.definition.variant import read_variant
from houserule.diagnostics import Diagnostic, Report, Span
from houserule.language import scope
from houserule.language.scope import Meanings
from houserule.match.record import Record
from houserule.operations import PREPOSITIONS
from houserule.reading import entered, files_below, game_folder, is_file, is_inside, real
from houserule.source import read_file
from houserule.workshop.library import (
    UnknownGame,
    display,
    examine,
    find,
    game_named,
    is_by_itself,
    is_variant,
    opens_as,
    part_of,
    rule_files,
)


def subjects(path: str | Path, look: Callable[[], object] | None = None) -> list[Path]:
    """What to validate at a path: games by their folders, and the variants and scenarios outside of these; `look` is as for `rule_files`.

    A file counts by itself if it contains a variant or scenarios, and stands for the game if it is another part of one. Nothing
    is found for a record, and for a file outside all games whose keys are not those of a game, a variant or scenarios.
    """
    root = entered(path)
    named = subject_of(root) if root.name != "game.yaml" and part_of(root) is None else None
    if named is not None and named.is_dir():  # a game beside another one
        return [Path(path)]
    found = dict.fromkeys(subject for file in rule_files(root, look) if (subject := subject_of(file)) is not None)
    games = {entered(subject.absolute()) for subject in found if subject.is_dir()}
    alone = [one for one in found if one.is_dir() or game_folder(one) not in games]
    # A linked game is not skipped silently: validating the folder reports where the link leads.
    linked = [file.parent for file in root.glob("*/game.yaml") if file.parent.is_symlink()]
    return [*alone, *sorted(linked)]


def subject_of(file: Path) -> Path | None:
    """What to validate for a file; None for one that is not part of the rules."""
    if not file.is_file() or Record.is_in(file):
        return None
    folder = game_folder(file)
    if folder is None:
        return file if is_by_itself(file) else None
    inside = entered(file.absolute()).relative_to(folder)
    if any(part.startswith(".") for part in inside.parts):
        return None
    if inside.parts[0] in ("variants", "scenarios"):
        return file
    is_near = not file.is_absolute() or folder.is_relative_to(Path.cwd())
    return Path(os.path.relpath(folder)) if is_near else folder


Settings = Mapping[str, int | str] | None


def validate(
    game: str | Path,
    variants: Sequence[str] = (),
    options: Settings = None,
    rules_only: bool = False,
    root: Path | None = None,
    readings: Readings | None = None,
) -> list[Diagnostic]:
    """The diagnostics of a game (by bundled id or path), a variant, a scenario file, or everything at and below a folder.

    A file that a game includes stands for the game. A game is validated with each of its variants by itself and with its
    scenarios, unless `rules_only`; with `variants` or `options`, only the rules are validated, with these.
    A variant is validated with its game and the variants that it requires. Files outside `root` are not read. Raises
    UnknownGame if there is no such game or variant; other bad input becomes diagnostics. With `readings`, valid
    results of earlier runs are reused.

    >>> houserule.validate(game.path, rules_only=True)
    []
    """
    path = Path(game)
    report = Report()
    readings = readings if readings is not None else Readings()
    readings.tells_secrets = True
    is_in_variants = real(path).parent.name == "variants"  # the folder identifies it if the key was forgotten
    if root is not None and not is_inside(path, root):
        read_file(path / "game.yaml", root, report, display(path))
    elif path.is_dir() and not (path / "game.yaml").exists():
        inside = [subject for subject in subjects(path) if subject.is_dir() or not rules_only]
        if not inside:
            raise UnknownGame(str(game), None)
        for subject in inside:
            report.take(validate(subject, variants, options, rules_only, path, readings))
    elif not is_in_variants and opens_as(path, "scenarios", ("scenario:", "of:"), ("game:", "variant:")):
        # Validating rules does not import the modules that play matches.
        from houserule.rehearsing.scenarios import With, check_file

        check_file(path, report, With(readings, tuple(variants), options))
    elif is_variant(path):
        validate_variant(path, variants, options, report, readings)
    else:
        found = find(game)
        validate_game(part_of(found) or found, variants, options, rules_only, report, readings)
    return report.diagnostics


def validate_game(
    path: Path, variants: Sequence[str], options: Settings, rules_only: bool, report: Report, readings: Readings
) -> None:
    """Validate a game, and also the other files in its folder unless it is requested with variants or options."""
    own, before = Report(), readings.spent
    examine_with_set_up(path, own, options, variants, readings)
    if not (rules_only or variants or options):
        folder = path if path.is_dir() else path.parent
        # A wrong name in the game is not reported again for each file that uses it.
        is_sound = not own.has_errors and not any(one.code == "HR587" for one in own.found)
        house_rules = files_below(folder / "variants", "*.yaml", folder)
        scenarios = files_below(folder / "scenarios", "**/*.yaml", folder)
        for at, file in enumerate((*house_rules, *scenarios)):
            if not is_left(file, own, readings.spent - before):
                break
            if at < len(house_rules):
                validate_own_variant(folder, file, is_sound, own, readings)
            else:
                validate_own_scenarios(file, is_sound, own, readings)
    report.take(own.found)


def is_left(file: Path, report: Report, spent: int) -> bool:
    """Whether the files of a game before this one have left work for it; otherwise a warning says that they have not."""
    if spent <= scope.MOST_TOGETHER:
        return True
    message = "checking the files before this one has taken long, so this one and those after it are not checked"
    report.warning("HR588", message, Span(display(file)), f"houserule validate {display(file)}")
    return False


def validate_own_variant(folder: Path, file: Path, is_sound: bool, report: Report, readings: Readings) -> None:
    """Validate a variant of a game by itself; only its shape if the game has errors."""
    if not is_inside(file, folder) or not is_file(file):
        read_file(file, folder, report, display(file))
    elif is_sound:
        with_variant(folder, file, (), None, report, readings)
    else:
        read_variant(file, report, display(file), readings)


def validate_own_scenarios(file: Path, is_sound: bool, report: Report, readings: Readings) -> list[Meanings]:
    """Validate a file of scenarios of a game; only their shape if the game has errors. What they mean, if `readings` ask for it."""
    # The game and each variant have been checked; for those that a scenario combines it is enough that they fit.
    readings.tells_secrets = False
    if not is_sound:
        from houserule.definition.scenario import ScenarioReader  # the rules alone do not need it

        reader = ScenarioReader(report, PREPOSITIONS)
        reader.file(file, display(file))
        readings.spent += reader.budget.spent
        return []
    from houserule.rehearsing.scenarios import With, check_file

    def check(own: Report) -> list[Meanings]:
        ready = check_file(file, own, With(readings))
        own.found = gathered(own.found)
        every = (one.checked.analysis.meanings for one in dict.fromkeys(one for _, one in ready))
        return [meanings.of_file(display(file)) for meanings in every if meanings is not None]

    return readings.once(("scenarios", file), report, check)


def validate_variant(path: Path, others: Sequence[str], options: Settings, report: Report, readings: Readings) -> None:
    """Validate a variant with the game whose folder contains it, or with the game that it names."""
    folder = game_folder(path)
    if folder is not None:
        with_variant(folder, path, others, options, report, readings)
        return
    variant = read_variant(path, report, display(path), readings)
    if variant is None:
        return
    try:
        with_variant(game_named(variant.game, path), path, others, options, report, readings)
    except UnknownGame as unknown:
        of = variant.tree.entries["of"].value.span
        report.error("HR701", f"there is no game '{variant.game}'", of, unknown.suggestion)


def with_variant(
    folder: Path, path: Path, others: Sequence[str], options: Settings, report: Report, readings: Readings
) -> None:
    """Validate a game with a variant, the variants that it requires, and others; nothing is reported twice."""
    own = Report()
    examine_with_set_up(folder, own, options, [*others, str(path)], readings)
    report.take(own.found)


def examine_with_set_up(
    path: Path, report: Report, options: Settings, variants: Sequence[str], readings: Readings
) -> None:
    """Examine a game, and set it up if a variant is for more players."""
    loaded, *_ = examine(path, report, options, variants, readings)
    if loaded.definition is not None and loaded.definition.widened is not None and not report.has_errors:
        from houserule.match.game import load  # the rules alone do not need what plays matches
        from houserule.rehearsing.shortage import look_for_shortage

        look_for_shortage(load(path, variants, options, readings), report)
