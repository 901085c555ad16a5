"""Validates whatever a path names: a game, a variant, a scenario file or a folder of games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from houserule.definition.readings import Readings
from houserule.definition.variant import read_variant
from houserule.diagnostics import Diagnostic, Report
from houserule.match.record import Record
from houserule.reading import files_below, game_folder, is_id, is_inside
from houserule.source import read_file
from houserule.workshop.examine import examine
from houserule.workshop.library import (
    UnknownGame,
    display,
    find,
    game_named,
    opens_as,
    opens_with,
    part_of,
)

Settings = Mapping[str, int | str] | None


def validate(
    game: str | Path, variants: Sequence[str] = (), options: Settings = None, each_variant: bool = False
) -> list[Diagnostic]:
    """The diagnostics of a game (by bundled id or path), a variant, a scenario file, or all games in a folder.

    A file that a game includes stands for the game. A game is validated with `variants` and `options`; with `each_variant`,
    also with each of its own variants alone. A variant is validated with its game and the variants that it requires. Raises
    UnknownGame if there is no such game or variant; bad input of any other kind becomes diagnostics.
    """
    path = Path(game)
    report = Report()
    is_variant = path.resolve().parent.name == "variants"  # its folder says so where the key was forgotten
    if path.is_dir() and not (path / "game.yaml").exists():
        inside = sorted(p.parent for p in path.glob("*/game.yaml"))
        if not inside:
            raise UnknownGame(str(game), None)
        for folder in inside:
            if is_inside(folder, path):
                validate_game(folder, variants, options, each_variant, report)
            else:
                read_file(folder / "game.yaml", path, report, display(folder))
    elif not is_variant and opens_as(path, "scenarios", ("scenario:", "of:"), ("game:", "variant:")):
        # Validating rules does not wait for the modules that play matches.
        from houserule.rehearsing.scenarios import check_file

        check_file(path, report, tuple(variants), options)
    elif opens_as(path, "variants", ("variant:",), ("game:",)):
        validate_variant(path, variants, options, report)
    else:
        found = find(game)
        validate_game(part_of(found) or found, variants, options, each_variant, report)
    return report.diagnostics


def validate_game(path: Path, variants: Sequence[str], options: Settings, each_variant: bool, report: Report) -> None:
    """Validate a game, and if it has no errors and `each_variant` is set, each of its variants."""
    own, readings = Report(), Readings()
    examine(path, own, options, variants, readings)
    folder = path if path.is_dir() else path.parent
    if each_variant and not own.has_errors:
        for file in files_below(folder / "variants", "*.yaml", folder):
            if is_inside(file, folder):
                with_variant(folder, file, (), None, own, readings)
            else:
                read_file(file, folder, own, display(file))
    for diagnostic in own.found:
        report.add(diagnostic)


def validate_variant(path: Path, others: Sequence[str], options: Settings, report: Report) -> None:
    """Validate a variant with the game in whose folder it lies, or with the game that it names."""
    folder = game_folder(path)
    if folder is not None:
        with_variant(folder, path, others, options, report, Readings())
        return
    variant = read_variant(path, report, display(path))
    if variant is None:
        return
    try:
        with_variant(game_named(variant.game, path), path, others, options, report, Readings())
    except UnknownGame as unknown:
        of = variant.tree.entries["of"].value.span
        report.error("HR701", f"there is no game '{variant.game}'", of, unknown.suggestion)


def with_variant(
    folder: Path, path: Path, others: Sequence[str], options: Settings, report: Report, readings: Readings
) -> None:
    """Validate a game with a variant, the variants that it requires, and others; nothing is reported twice."""
    own = Report()
    required = [name for name in required_by(folder, path, set(), readings) if name not in others]
    examine(folder, own, options, [*required, *others, str(path)], readings)
    for diagnostic in own.found:
        report.add(diagnostic)


def required_by(folder: Path, path: Path, seen: set[Path], readings: Readings) -> Iterator[str]:
    """The game's variants that a variant requires, each after those that it requires itself."""
    seen.add(path.resolve())
    variant = read_variant(path, Report(), display(path), readings)
    for name in variant.requires if variant is not None else ():
        file = folder / "variants" / f"{name}.yaml"
        if is_id(name) and file.is_file() and file.resolve() not in seen:
            yield from required_by(folder, file, seen, readings)
            yield name


def subject_of(path: str | Path) -> Path | None:
    """What to validate for a file: a scenario or variant itself, or the folder of the game that it is part of.

    None for a record, and for a file outside all games whose keys are not those of a game, a variant or a scenario.
    """
    file = Path(path)
    if not file.is_file() or Record.is_in(file):
        return None
    folder = game_folder(file)
    if folder is None:
        rules = (("edition:", "game:"), ("variant:", "of:"), ("scenario:", "of:"))
        return file if any(all(opens_with(file, (key,)) for key in keys) for keys in rules) else None
    inside = file.absolute().relative_to(folder)
    if any(part.startswith(".") for part in inside.parts):
        return None
    if inside.parts[0] in ("variants", "scenarios"):
        return file
    return folder.relative_to(Path.cwd()) if folder.is_relative_to(Path.cwd()) else folder
