"""`houserule new`, `add` and `publish`: games and house rules that are begun, taken from somebody else, or offered to others."""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import replace
from os.path import relpath
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from houserule.bundled import PACKAGE, bundled, bundled_game
from houserule.cli.report import (
    CLEAN,
    FAILED,
    OfGame,
    With,
    argument,
    complain,
    counted,
    fail,
    find_path,
    flag,
    known_games,
    load_game,
    near_path,
    not_written,
    option,
    target,
    tell,
    typed,
    word_at,
)
from houserule.icons import FILE, LICENSE_FILE
from houserule.printable import printable
from houserule.reading import entered, files_below, is_inside, own, read
from houserule.shelf import (
    LOCK,
    MANIFEST,
    Found,
    Locked,
    NotOffered,
    Offer,
    cloned,
    differences,
    files_at,
    found_in,
    in_index,
    index_of,
    is_address,
    lock_text,
    locked,
    offers_in,
    repository,
)
from houserule.writing import make_folder, write_file

if TYPE_CHECKING:
    from houserule import Game

MOST_SENTENCES = 12


def add(
    source: Annotated[
        str | None,
        argument(
            "NAME|URL|PATH",
            "A folder, an archive, a file, a git repository (with @BRANCH, @TAG or @COMMIT), or a name of a bundled game or of an index.",
            show_default=False,
        ),
    ] = None,
    to: Annotated[Path | None, option("The folder to copy it into; by default one of its name here.", "FOLDER")] = None,
    index: Annotated[str | None, option("A file or address that lists what can be added by name.", "INDEX")] = None,
    force: Annotated[bool, flag("--force", "Replace files that have changed since they were added.")] = False,
) -> None:
    """Copy a game or a house rule from somebody else, check it, and keep its hash in houserule.lock.

    A house rule goes into the folder `variants` of its game, if that is here. Without a name, it says what has changed
    since it was added.

    houserule add ../friends/rules.zip#high_stakes --to mushrooms
    houserule add https://example.org/anna/rules.git@v2#high_stakes
    """
    here = Path.cwd()
    try:
        entries = locked(here)
        if source is None:
            raise typer.Exit(look_again(entries, here))
        place, wanted, offer = where(source, index)
        of_git = repository(place)
        files, commit = cloned(*of_git) if of_git is not None else (files_at(place), "")
        found = found_in(files, wanted)
        if offer is not None and offer.sha256 and offer.sha256 != found.sha256:
            fail(f"'{source}' is not what the index says: its hash is another one")
        target = target_of(found, to)
        before = next((one for one in entries if one.name == found.name and one.kind == found.kind), None)
        see_target(found, target, before, here, force)
        show(found)
        for name, content in found.files.items():
            put(target / name, content)
        entry = Locked(found.name, found.kind, source, found.sha256, commit=commit)
        entry.files = {
            inside(target / name, here): hashlib.sha256(text).hexdigest() for name, text in found.files.items()
        }
        write_file(here / LOCK, lock_text([*(one for one in entries if one is not before), entry]))
    except NotOffered as wrong:
        fail(str(wrong))
    except OSError as wrong:
        fail(f"'{wrong.filename or source}' could not be read or written: {wrong.strerror or wrong}")
    pinned = f", and its commit, {commit[:12]}" if commit else ""
    tell(f"Added {found.name} to {near_path(target)}; {LOCK} has its hash, {found.sha256[:12]}{pinned}.")


def where(source: str, index: str | None) -> tuple[str, str, Offer | None]:
    """The place of what is named, which of several is meant, and what an index says of it. Raises NotOffered."""
    if index is not None:
        at, offer = in_index(index, source)
        return at, "", offer
    place, _, wanted = source.partition("#")
    own = bundled_game(place)
    if own is None and repository(place) is not None:
        return place, wanted, None
    if own is None and (is_address(place) or entered(place).exists()):
        return place if is_address(place) else str(entered(place)), wanted, None
    if own is None:
        fail(
            f"there is no '{place}' here, and no bundled game of that name",
            "name a path or an address, or an index with --index",
        )
    return str(own), wanted, None


def target_of(found: Found, to: Path | None) -> Path:
    """The folder that the files go into: for a house rule that of its game, if it is known."""
    if found.kind == "game":
        return entered(to) if to is not None else Path(found.name)
    folder = entered(to) if to is not None else Path(found.of)
    return folder / "variants" if (folder / "game.yaml").is_file() else (folder if to is not None else Path())


def inside(file: Path, here: Path) -> str:
    try:
        return file.absolute().relative_to(here).as_posix()
    except ValueError:
        return str(file.absolute())


def see_target(found: Found, target: Path, before: Locked | None, here: Path, force: bool) -> None:
    """Check that no file is lost that was not added from there; exits with a sentence."""
    known = before.files if before is not None else {}
    for name, content in found.files.items():
        file = target / name
        if not file.is_file() or force:
            continue
        old = read(file, "rules")
        if old != content and known.get(inside(file, here)) != hashlib.sha256(old).hexdigest():
            fail(
                f"'{near_path(file)}' is yours, or has changed since it was added",
                "--force replaces it, --to names another folder",
            )


def show(found: Found) -> None:
    """Check what is to be added in a folder of its own, and say what it is; exits if it has errors."""
    import houserule

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / (found.of or found.name)
        if found.kind == "variant":
            original = bundled_game(found.of) or (Path(found.of) if (Path(found.of) / "game.yaml").is_file() else None)
            if original is None:
                tell(f"{found.name} is a house rule of '{found.of}', which is not here: it is not checked")
                return
            for name, content in files_at(str(original)).items():
                put(folder / name, content)
        for name, content in found.files.items():
            put(folder / ("variants/" + name if found.kind == "variant" else name), content)
        with chdir(place):  # messages name the file as it would be added
            wrong = [one for one in houserule.validate(Path(folder.name)) if one.severity == "error"]
        if wrong:
            complain(wrong)
            fail(f"{found.name} has errors, and was not added", None, FAILED)
        describe(found, houserule.load(folder), folder)


def put(file: Path, content: str | bytes) -> None:
    """Write a file, and create its folder. Raises OSError."""
    make_folder(file.parent)
    write_file(file, content)


def describe(found: Found, game: Game, folder: Path) -> None:
    """Say what a game is, or what a house rule changes."""
    import houserule
    from houserule.rulebook import changes, rulebook

    offer = found.offer
    if offer is not None:
        told = {"by": offer.author, "licence": offer.licence}
        tell(", ".join([offer.title or found.name, *(f"{key} {value}" for key, value in told.items() if value)]))
    if found.kind == "game":
        tell(
            f"{game.title('en')}: {game.players_in_words} players, {counted(len(game.house_rules), 'house rule')},"
            f" {counted(len(found.files), 'file')}"
        )
        return
    tell(f"{found.name} changes '{game.id}':")
    before, after = (rulebook(one, "en", examples=False) for one in (game, houserule.load(folder, [found.name])))
    listed = list(changes(before, after))
    lines = [
        f"  {sign} {text}" for one in listed for sign, texts in (("-", one.gone), ("+", one.new)) for text in texts
    ]
    for line in lines[:MOST_SENTENCES]:
        tell(line)
    if len(lines) > MOST_SENTENCES:
        tell(f"  … and {len(lines) - MOST_SENTENCES} more sentences")


def look_again(entries: list[Locked], here: Path) -> int:
    """Say what differs from what was added; returns the exit code."""
    if not entries:
        fail(f"nothing was added here: there is no {LOCK}", "houserule add PATH")
    lines = [f"{entry.name}: {line}" for entry in entries for line in differences(entry, here)]
    for line in lines:
        tell(line)
    if not lines:
        tell(f"Nothing has changed since it was added: {', '.join(entry.name for entry in entries)}")
    return FAILED if lines else CLEAN


# --- publish ----------------------------------------------------------------------------------------------------------


def publish(
    folder: Annotated[Path, argument("FOLDER", "A repository with houserule.yaml.")] = Path(),
    check: Annotated[bool, flag("--check", "Say what is missing before others can use it.")] = False,
    index: Annotated[Path | None, target("Write an index of what it offers to this file.", (".json",))] = None,
) -> None:
    """Say what a repository still lacks to be shared, or write the index of what it offers.

    houserule publish --check
    """
    if not check and index is None:
        fail("nothing is sent anywhere", "houserule publish --check, or --index FILE")
    place = entered(folder)
    missing: list[str] = []
    offers: list[Offer] = []
    try:
        if not (place / MANIFEST).is_file():
            fail(
                f"there is no '{MANIFEST}' in '{folder}'",
                "it lists what is offered: `offers: [{path: my_game, licence: MIT, author: …}]`",
            )
        for one in offers_in(read(place / MANIFEST, "offers"), MANIFEST):
            missing += [f"{one.name}: {line}" for line in lacking(one, place)]
            offers.append(hashed(one, place, index))
        if index is not None and not missing:
            write_file(index, index_of(offers))
            tell(f"Wrote {counted(len(offers), 'offer')} to {near_path(index)}")
    except NotOffered as wrong:
        fail(str(wrong))
    except OSError as wrong:
        fail(f"'{wrong.filename or folder}' could not be read or written: {wrong.strerror or wrong}")
    for line in missing:
        tell(line)
    if not missing and check:
        tell(f"Nothing is missing: {', '.join(one.name for one in offers)}")
    raise typer.Exit(FAILED if missing else CLEAN)


def hashed(one: Offer, place: Path, index: Path | None) -> Offer:
    """An offer with its hash, and its place as seen from the index."""
    target = place / one.at
    if not is_inside(target, place) or not target.exists():
        return one
    at = Path(relpath(target, index.parent)).as_posix() if index is not None else one.at
    return replace(one, at=at, sha256=found_in(files_at(str(target))).sha256)


def lacking(one: Offer, place: Path) -> Iterator[str]:
    import houserule
    from houserule.rulebook import LANGUAGES, rulebook

    target = place / one.at
    if not is_inside(target, place):
        yield f"'{one.at}' is not in this folder"
        return
    if not target.exists():
        yield f"there is no '{one.at}'"
        return
    found = found_in(files_at(str(target)))
    if not one.licence:
        yield "it has no licence: `licence: CC-BY-4.0` says what others may do with it"
    if not one.author:
        yield "it has no author"
    if found.kind == "variant":
        if found.of not in one.requires:
            yield f"it is for '{found.of}': `requires: [{found.of}]`"
        if b"\ntitle:" not in b"\n" + next(iter(found.files.values())):
            yield "it has no title"
        return
    if b"\nedition:" not in b"\n" + found.files["game.yaml"]:
        yield "its game.yaml has no edition"
    wrong = [line for line in houserule.validate(target) if line.severity == "error"]
    if wrong:
        yield f"it has {counted(len(wrong), 'error')}: {typed('validate', one.at)}"
        return
    game = houserule.load(target)
    if game.title(game.languages[0]) == game.id or not game.text(game.languages[0]):
        yield "it has no title, or no text that says what it is about"
    if not any(name.startswith("scenarios/") for name in found.files):
        yield "it has no scenarios: houserule new scenario"
    for language in set(game.languages) & set(LANGUAGES):
        if not rulebook(game, language, examples=False).chapters:
            yield f"its rulebook is empty in {language}"


# --- from others, and for others --------------------------------------------------------------------------------------


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
    original: Annotated[
        str | None,
        option("Copy this game instead: a bundled id or a path.", "GAME", "--from", autocompletion=known_games),
    ] = None,
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
        say_made(f"Made {near_path(folder)}, a copy of {original}.", folder)
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
        tell(f"  {typed(command, folder if folder.parent != Path() else f'./{folder}')}")


def copy_game(original: str, folder: Path, name: str) -> None:
    """Copy the rule files of a game under a new id: its rules, house rules and scenarios."""
    found = find_path(original)
    source = found if found.is_dir() else found.parent
    files = [file for file in files_below(source, "**/*.yaml", source) if file.is_file() and is_inside(file, source)]
    old = word_at("game", source / "game.yaml")
    if old is None:
        fail(f"'{original}' has no line `game: …` that says its id", "only a game can be copied")
    texts: dict[Path, str] = {}
    for file in files:
        target = folder / file.relative_to(source)
        try:
            text = read(file, "rules").decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not UTF-8"
            fail(f"'{near_path(file)}' cannot be read: {reason}")
        texts[target] = renamed(text, old, name, schema_for(target.parent))
    for target, text in texts.items():
        write(target, text)
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
    tell(f"Made {near_path(file)}. Try:")
    tell(f"  {typed('test', near_path(file), *(word for one in outside for word in ('--with', one)))}")


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
        fail(str(unknown), getattr(unknown, "suggestion", None) or typed("show", game, "--changeable"))
    settings = ", ".join(f"{option}: {default}" for option, default in loaded.defaults.items())
    changed, added, removed = loaded.example_changes
    text = filled(
        "variant",
        schema=schema_for(file.parent),
        name=name,
        game=loaded.id,
        call=printable(typed("show", game, "--changeable")),
        title=name.replace("_", " ").capitalize(),
        options=f"# options: {{{settings}}}\n" if settings else "",
        change=changes or f"# What becomes different; `was` says what was there before:\n# change:\n#   {changed}",
        add=added,
        remove=removed,
    )
    write(file, text)
    tell(f"Made {near_path(file)}. Try:")
    tell(f"  {typed('validate', near_path(file))}")
    tell(f"  {typed('diff', game, '--with', name if file.parent.name == 'variants' else near_path(file))}")
    if not change:
        tell(f"  {typed('show', game, '--changeable')}")


def place_for(game: Game, name: str, folder: str, file: str) -> Path:
    """Where a new file for a game belongs: in its folder, or here for a bundled one. Exits if it exists."""
    import houserule

    is_bundled = is_inside(game.path, PACKAGE) or (name in houserule.games() and not Path(name).exists())
    made = Path(f"{file}.yaml") if is_bundled else game.path / folder / f"{file}.yaml"
    if made.exists():
        fail(f"{near_path(made)} already exists")
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
        put(file, text)
    except OSError as reason:
        not_written(file, reason)
