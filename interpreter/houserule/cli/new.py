"""`houserule new`: start a small working game, scenario or house rule."""

from __future__ import annotations

import re
from os.path import relpath
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from houserule.bundled import PACKAGE, bundled
from houserule.cli.report import (
    OfGame,
    With,
    argument,
    fail,
    find_path,
    load_game,
    near_path,
    not_written,
    option,
    tell,
    word_at,
)
from houserule.icons import FILE, LICENSE_FILE
from houserule.reading import entered, files_below, is_inside, own, read
from houserule.writing import make_folder, write_file

if TYPE_CHECKING:
    from houserule import Game

new = typer.Typer(
    name="new", help="Start a small working game, scenario or house rule.", no_args_is_help=True, add_completion=False
)

PUBLISHED = "https://raw.githubusercontent.com/houserule/houserule"
"""Where the files of each version are published."""
SCHEMA_LINE = re.compile(r"(# yaml-language-server: \$schema=)(?:\S*/)?([\w.-]+)")
TEMPLATES = Path(__file__).parent / "templates"
NAME = re.compile(r"[a-z][a-z0-9_]*")


@new.command("game")
def game(
    name: Annotated[str, argument("NAME", "The id of the new game, and the name of its folder.")],
    original: Annotated[str | None, option("Copy this game instead: a bundled id or a path.", "GAME", "--from")] = None,
) -> None:
    """Start a game: one playable file and two scenarios, or a copy of another game.

    houserule new game mushrooms
    houserule new game my_mushrooms --from ./mushrooms
    """
    folder = entered(name)
    identifier = checked_name(folder.name)
    if folder.exists():
        fail(f"'{name}' already exists")
    if original is not None:
        copy_game(original, folder, identifier)
        say_made(f"Made {near_path(str(folder))}, a copy of {original}.", folder)
        return
    scenarios = folder / "scenarios"
    title = identifier.replace("_", " ").capitalize()
    write(folder / "game.yaml", filled("game", schema=schema_for(folder), name=identifier, title=title))
    write(scenarios / "first.yaml", filled("first_scenario", schema=schema_for(scenarios), name=identifier))
    say_made(f"Made {folder / 'game.yaml'} and {scenarios / 'first.yaml'}.", folder)


def say_made(sentence: str, folder: Path) -> None:
    """Report what was created, and which commands to try."""
    tell(f"{sentence} Try:")
    for command in ("validate", "test", "play"):
        tell(f"  houserule {command} {folder if folder.parent != Path() else f'./{folder}'}")


def copy_game(original: str, folder: Path, name: str) -> None:
    """Copy the rule files of a game under a new id: its rules, house rules and scenarios."""
    found = find_path(original)
    source = found if found.is_dir() else found.parent
    files = [file for file in files_below(source, "**/*.yaml", source) if file.is_file() and is_inside(file, source)]
    old = word_at("game", source / "game.yaml")
    if old is None:
        fail(f"'{original}' has no line `game: …` that says its id", "only a game can be copied")
    for file in files:
        target = folder / file.relative_to(source)
        try:
            text = read(file, "rules").decode("utf-8")
        except (OSError, UnicodeDecodeError) as reason:
            fail(f"'{near_path(str(file))}' cannot be read: {reason}")
        write(target, renamed(text, old, name, schema_for(target.parent)))
    for beside in (FILE, LICENSE_FILE):  # the drawings of its icons
        if (source / beside).is_file() and is_inside(source / beside, source):
            write(folder / beside, read(source / beside, "icons").decode("utf-8"))


def renamed(text: str, old: str, new: str, schemas: str) -> str:
    """A rule file with the new id in its keys `game` and `of`, and the new place of its schema in its first line."""
    text = re.sub(rf"(?m)^((?:game|of): *)([\"']?){re.escape(old)}\2(?=\s|$)", rf"\g<1>{new}", text)
    return SCHEMA_LINE.sub(lambda line: f"{line[1]}{schemas}/{line[2]}", text, count=1)


@new.command("scenario")
def scenario(
    game: OfGame, name: Annotated[str, argument("NAME", "The name of the new file.")], variants: With = None
) -> None:
    """Start a scenario: an example of the rules with its expected outcome. For a bundled game, it is written here.

    houserule new scenario ./mushrooms first_walk
    """
    name = checked_name(name.removesuffix(".yaml"))
    loaded = load_game(game, variants or ())
    file = place_for(loaded, game, "scenarios", name)
    outside = [one for one in variants or () if seen_from(file.parent, one).startswith("../")]
    inside = [one for one in variants or () if one not in outside]  # a scenario names no file above its folder
    names = ("anna", "ben", "carla", "dora", "emil", "frida", "gustav", "hanna", "ida", "jon")
    text = filled(
        "scenario",
        schema=schema_for(file.parent),
        name=loaded.id,
        players=", ".join(names[: min(loaded.players)]),
        variants=f"with: [{', '.join(seen_from(file.parent, one) for one in inside)}]\n" if inside else "",
        title=name.replace("_", " ").capitalize(),
        expectation=f"player_count == {min(loaded.players)}",
    )
    write(file, text)
    tell(f"Made {near_path(str(file))}. Try:")
    tell(f"  houserule test {near_path(str(file))}{''.join(f' --with {one}' for one in outside)}")


def seen_from(folder: Path, variant: str) -> str:
    """A variant as a file in a folder names it: its id, or the path of its file."""
    file = Path(variant)
    return Path(relpath(file, folder)).as_posix() if file.is_file() else variant


CHANGE = "A path to change, with its present value: one that `houserule show GAME --changeable` lists; can be repeated."


@new.command("variant")
def variant(
    game: OfGame,
    name: Annotated[str, argument("NAME", "The id of the house rule, and the name of its file.")],
    change: Annotated[list[str] | None, option(CHANGE, "PATH", "--change")] = None,
) -> None:
    """Start a house rule: in the folder of your own game, or here for a bundled one.

    houserule new variant ./mushrooms my_walk --change tables.variety_bonus
    """
    name = checked_name(name.removesuffix(".yaml"))
    loaded = load_game(game)
    file = place_for(loaded, game, "variants", name)
    try:
        changes = loaded.change_of(change or ())
    except LookupError as unknown:
        fail(str(unknown), getattr(unknown, "suggestion", None) or f"houserule show {game} --changeable")
    settings = ", ".join(f"{option}: {default}" for option, default in loaded.defaults.items())
    changed, added, removed = loaded.example_changes
    text = filled(
        "variant",
        schema=schema_for(file.parent),
        name=name,
        game=loaded.id,
        call=game,
        title=name.replace("_", " ").capitalize(),
        options=f"# options: {{{settings}}}\n" if settings else "",
        change=changes or f"# What becomes different; `was` says what was there before:\n# change:\n#   {changed}",
        add=added,
        remove=removed,
    )
    write(file, text)
    tell(f"Made {near_path(str(file))}. Try:")
    tell(f"  houserule validate {near_path(str(file))}")
    tell(f"  houserule diff {game} --with {name if file.parent.name == 'variants' else near_path(str(file))}")
    if not change:
        tell(f"  houserule show {game} --changeable")


def place_for(game: Game, name: str, folder: str, file: str) -> Path:
    """Where a new file for a game belongs: in its folder, or here for a bundled one. Exits if it exists."""
    import houserule

    is_bundled = is_inside(game.path, PACKAGE) or (name in houserule.games() and not Path(name).exists())
    made = Path(f"{file}.yaml") if is_bundled else game.path / folder / f"{file}.yaml"
    if made.exists():
        fail(f"{near_path(str(made))} already exists")
    return made


def filled(template: str, **values: str) -> str:
    """A new file from a template, with values in the place of words such as `<name>`."""
    text = own(TEMPLATES / f"{template}.yaml")
    return re.sub(r"<(\w+)>", lambda word: values[word[1]], text)


def checked_name(name: str) -> str:
    """The name, if it can be an id; otherwise exits with a suggestion."""
    if NAME.fullmatch(name):
        return name
    better = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    fail(
        f"'{name}' cannot be an id: use small letters, digits and _, and begin with a letter",
        f"try '{better}'" if NAME.fullmatch(better) else None,
    )


def schema_for(folder: Path) -> str:
    """The place of the schemas for a folder: a relative path within a checkout, else the published ones of this version."""
    schemas = bundled("schema")
    target = folder.resolve()
    if schemas.parent in target.parents:
        return Path(relpath(schemas, target)).as_posix()
    from houserule.cli.reports import version_in_use

    version = version_in_use().get("semanticVersion")
    return f"{PUBLISHED}/{f'v{version}' if version else 'main'}/schema"


def write(file: Path, text: str) -> None:
    """Write a new file, and create its folder; exits with a sentence if that fails."""
    try:
        make_folder(file.parent)
        write_file(file, text)
    except OSError as reason:
        not_written(file, reason)
