"""What commands share: options, colours, the games and files that they are given, and how they fail."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TextIO

import typer

from houserule.bundled import bundled, bundled_game
from houserule.diagnostics import excerpt, render
from houserule.printable import CONTROL, printable, whole_number
from houserule.reading import beginning, entered, files_below, is_id, is_inside, line_of, root_of
from houserule.writing import see_place, write_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment

    from houserule import Diagnostic, Game, RuleFault, Span, UnknownGame


def is_coloured(stream: TextIO) -> bool:
    """Whether a stream gets colours: a terminal does, others if FORCE_COLOR is set, and none with NO_COLOR.

    An empty variable counts as unset: https://no-color.org, https://force-color.org.
    """
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (stream.isatty() and os.environ.get("TERM") != "dumb")


def console(*, errors: bool = False) -> Console:
    """Rich's console on standard output or the error stream. Text is printed unchanged, if it is printable."""
    from rich.console import Console
    from rich.segment import Segment

    class PrintableConsole(Console):
        """A console whose texts cannot contain commands to a terminal."""

        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
            for text, style, control in super().render(renderable, options):
                yield Segment(text if control else printable(text, lines=True), style, control)

    # Only the colours that every terminal has are used, and without colours nothing is bold either.
    wanted = is_coloured(sys.stderr if errors else sys.stdout)
    return PrintableConsole(stderr=errors, highlight=False, markup=False, color_system="standard" if wanted else None)


CLEAN, FAILED, WRONG_CALL, STOPPED = 0, 1, 2, 130


def option(help: str, metavar: str = "", *names: str, **more: Any) -> Any:
    """An option of a command, with the sentence of its help."""
    return typer.Option(*names, metavar=metavar or None, help=help, **more)


def target(help: str, endings: tuple[str, ...], *names: str) -> Any:
    """An option that names a file to write. That it can be written is seen before any work, and a file that is there is replaced only if it ends as such files do."""

    def seen(given: Path | list[Path] | None) -> Path | list[Path] | None:
        for file in given if isinstance(given, list) else [given] if given is not None else []:
            if file.is_file() and file.suffix.lower() not in endings:
                fail(
                    f"'{near_path(file)}' is there already, and would be replaced by a file of another kind",
                    f"name a new file, or one that ends in {' or '.join(endings)}",
                )
            try:
                see_place(entered(file))
            except OSError as reason:
                not_written(file, reason)
        return given

    return option(help, "FILE", *names, callback=seen)


def flag(name: str, help: str, **more: Any) -> Any:
    return typer.Option(name, help=help, **more)


def argument(metavar: str, help: str, **more: Any) -> Any:
    return typer.Argument(metavar=metavar, help=help, **more)


WORK = "Multiply the usual limits of the rules' work: about two seconds between answers, fifteen in a match."
ENGINE = (
    "What plays random matches: python, native (needs houserule\\[native]), or auto, which is native if that is faster."
)
NAMES = "Games, files, or folders with everything below them; by default the current folder."
SKIP = "Skip files that contain no rules; for hooks that name every file."


def beginning_in(words: Iterable[str]) -> Callable[[str], list[str]]:
    """What completes a word with those that begin like it."""
    return lambda incomplete: [word for word in words if word.startswith(incomplete)]


def known_games(incomplete: str) -> list[str]:
    """The bundled games that a word may become; a shell completes paths itself."""
    from houserule import games

    return beginning_in(games())(incomplete)


def known_variants(ctx: typer.Context, incomplete: str) -> list[str]:
    """The house rules of the game that is named before, that a word may become."""
    import houserule

    given = ctx.params.get("game") or ctx.params.get("games") or ctx.args  # unfinished calls have no parameters yet
    for name in (given,) if isinstance(given, str) else given:
        try:
            found = houserule.find(name)
        except houserule.UnknownGame:
            continue
        folder = found if found.is_dir() else found.parent
        names = (path.stem for path in files_below(folder / "variants", "*.yaml", folder))
        return beginning_in(names)(incomplete)
    return []


OfGame = Annotated[str, argument("GAME", "A bundled id or a path.", autocompletion=known_games)]
Names = Annotated[list[str] | None, argument("GAME|PATH", NAMES, autocompletion=known_games)]
Bundled = Annotated[bool, flag("--bundled", "All bundled games.")]
SkipOthers = Annotated[bool, flag("--skip-others", SKIP)]
With = Annotated[
    list[str] | None,
    option(
        "A house rule to use: its id or a path; can be repeated.", "VARIANT", "--with", autocompletion=known_variants
    ),
]
Set = Annotated[list[str] | None, option("Set an option of the game; can be repeated.", "OPTION=VALUE", "--set")]
Engine = Annotated[str, option(ENGINE, "auto|python|native")]
Verbose = Annotated[bool, flag("--verbose", "Say on the error stream which engine plays.")]
Work = Annotated[float, option(WORK, "TIMES", min=0.001, max=100_000)]
Seed = Annotated[int, option("The seed of all chance.", "NUMBER")]
Json = Annotated[bool, flag("--json", "Print JSON and nothing else.")]

RED, YELLOW, CYAN, BOLD, DIM, PLAIN = "\033[31;1m", "\033[33;1m", "\033[36m", "\033[1m", "\033[2m", "\033[0m"


def place(span: Span) -> str:
    """The place as `file:line:column`, with a path relative to the current folder if the file lies below it."""
    return f"{near_path(span.file)}:{span.line}:{span.column}"


def typed(*words: str | Path) -> str:
    """A command as it is typed in a shell: names with spaces are quoted."""
    return shlex.join(["houserule", *map(str, words)])


def near_path(file: str | Path) -> str:
    """The path relative to the current folder, if the file lies below it."""
    path = Path(file)
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else file)


def coloured(text: str, severity: str) -> str:
    """A rendered diagnostic in the colours of a terminal; its first words, carets and help stand out."""
    tone = RED if severity == "error" else YELLOW
    text = re.sub(r"\A(.*?:\d+:\d+:) (\w+ \w+:)", rf"{BOLD}\1{PLAIN} {tone}\2{PLAIN}", text)
    text = re.sub(r"^(      \| *)(\^+)$", rf"\1{tone}\2{PLAIN}", text, flags=re.MULTILINE)
    text = re.sub(r"^   help:", f"   {CYAN}help:{PLAIN}", text, flags=re.MULTILINE)
    return re.sub(r"^   see:", f"   {DIM}see:{PLAIN}", text, flags=re.MULTILINE)


def tell(text: str = "", stream: TextIO | None = None) -> None:
    """Print a text that may contain words of strangers, on standard output or on another stream."""
    print(printable(text, lines=True), file=stream or sys.stdout)


def counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def as_json(tree: object) -> str:
    text = json.dumps(tree, ensure_ascii=False, indent=2) + "\n"
    return CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def print_json(tree: object) -> None:
    sys.stdout.write(as_json(tree))


MOST_OF_A_KIND = 40
"""The diagnostics with one code, or the rules that never ran, that are printed; of more it is said how many there are."""


def complain(diagnostics: Iterable[Diagnostic]) -> None:
    """Print diagnostics on the error stream, of each kind not too many, with a count at the end."""
    colours = is_coloured(sys.stderr)
    kinds: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for diagnostic in diagnostics:
        kinds[diagnostic.code] += 1
        counts[diagnostic.severity] += 1
        if kinds[diagnostic.code] <= MOST_OF_A_KIND:
            text = render(diagnostic, line_of)
            print(coloured(text, diagnostic.severity) if colours else text, file=sys.stderr)
    for code, number in kinds.items():
        if number > MOST_OF_A_KIND:
            tell(f"and {number - MOST_OF_A_KIND} more of {code}", sys.stderr)
    if counts:
        listed = sorted(counts.items())  # errors first
        tell(", ".join(counted(number, word) for word, number in listed), sys.stderr)


def render_fault(fault: RuleFault) -> str:
    """A fault of the rules as text: place and sentence, and the source line with carets."""
    return "\n".join([printable(f"{place(fault.span)}: fault: {fault.message}"), *excerpt(fault.span, line_of)])


def fail(message: str, help: str | None = None, code: int = WRONG_CALL) -> NoReturn:
    """Print on the error stream what went wrong, and exit."""
    tell(f"houserule: {printable(message)}", sys.stderr)
    if help:
        tell(f"   help: {printable(help)}", sys.stderr)
    raise typer.Exit(code)


def not_written(file: Path | str, reason: OSError) -> NoReturn:
    fail(f"'{near_path(file)}' cannot be written: {reason.strerror or reason}")


def save(file: Path, content: bytes | str) -> None:
    """Write a file; exits with a sentence if that fails."""
    try:
        write_file(file, content)
    except OSError as reason:
        not_written(file, reason)


def find_path(name: str) -> Path:
    """The folder or file of a game; exits with a suggestion after a wrong name, and after a record of a match."""
    import houserule

    try:
        found = houserule.find(name)
    except houserule.UnknownGame as unknown:
        path = Path(name)
        if path.is_dir():
            fail(f"there is no game in the folder '{name}'", typed("new", "game", path / "my_game"))
        fail(
            f"there is no game and no file '{name}'", unknown.suggestion or "`houserule games` lists the bundled games"
        )
    if houserule.Record.is_in(found):
        fail(f"'{name}' is the record of a match, not a game", f"`{typed('replay', name)}` shows it")
    return found


def load_game(name: str, variants: Sequence[str] = (), options: Mapping[str, str] | None = None) -> Game:
    """The compiled game with house rules; exits with its diagnostics if the rules cannot be played."""
    import houserule

    refuse_other_files(find_path(name), name)
    try:
        return houserule.load(name, variants, dict(options or {}))
    except houserule.UnknownGame as unknown:
        no_variant(unknown, name)
    except houserule.InvalidGame as invalid:
        complain(invalid.diagnostics)
        raise typer.Exit(code_after(invalid.diagnostics, options or {})) from None


def code_after(diagnostics: Iterable[Diagnostic], options: Mapping[str, str]) -> int:
    """The exit code after diagnostics: that of a malformed call if only the values of --set are wrong."""
    errors = [one for one in diagnostics if one.severity == "error"]
    given = [f"option '{name}'" for name in options]
    is_call = all(one.code == "HR603" and any(name in one.message for name in given) for one in errors)
    return WRONG_CALL if errors and is_call else FAILED


def keys_of(file: Path) -> set[str]:
    """The first words of the lines at the beginning of a file, its keys among them."""
    return {line.partition(":")[0] for line in beginning(file).splitlines()}


def word_at(key: str, file: Path) -> str | None:
    """The id after a key at the beginning of a file, such as `game`, `variant` or `of`."""
    found = re.search(rf"(?m)^{key}: *[\"']?([\w-]+)", beginning(file))
    return found[1] if found else None


def refuse_other_files(path: Path, name: str) -> None:
    """Exit with the right command if a house rule or scenarios are named instead of a game."""
    keys = keys_of(path)
    if keys & {"game", "edition"}:
        return
    if "variant" in keys:
        fail(f"'{name}' is a house rule, not a game", f"name the game, then the house rule: --with {name}")
    if "scenario" in keys:
        fail(f"'{name}' contains scenarios, not a game", typed("test", name))


def no_variant(unknown: UnknownGame, game: str) -> NoReturn:
    """Report that there is no such house rule, with the probable one or all of them, and exit."""
    beside = [Path(f"{unknown.name}.yaml"), Path(game, f"{unknown.name}.yaml")]
    meant = next((f"did you mean the file: --with {file}" for file in beside if file.is_file()), None)
    help = meant or unknown.suggestion or (f"there are {', '.join(unknown.known)}" if unknown.known else None)
    fail(
        f"'{game}' has no variant '{unknown.name}', and there is no such file",
        help or typed("new", "variant", game, unknown.name),
    )


def see_players(game: Game, number: int, advice: str | None = None) -> None:
    """Exit with a sentence if a game does not allow that number of players."""
    try:
        game.see_players(number)
    except ValueError as wrong:
        fail(str(wrong), advice)


def seats_of(game: Game, players: str | None, who: str = "") -> int | list[str]:
    """The value of `--players`: a number or names; by default as many as `--seats` names, if the game allows it, or the fewest possible."""
    if players is None:
        from houserule.bots.playing import players_for

        return players_for(game, who)
    names = [name.strip() for name in players.split(",") if name.strip()]
    given = whole_number(players)
    seats: int | list[str] = given if given is not None else names
    number = seats if isinstance(seats, int) else len(seats)
    see_players(
        game, number, "--players expects a number, or names separated by commas" if seats == names[:1] else None
    )
    if isinstance(seats, list) and len(set(seats)) < len(seats):
        fail("two players have the same name", "give each player a name of their own")
    return seats


def words_for_record(record: Path, game: Path, variants: Iterable[str], before_game: Iterable[str] = ()) -> str:
    """The words with which a command finds a record, its game and its house rules: those are named that the record may not name."""
    finds = is_inside(game, root_of(record)) or is_inside(game, bundled("games"))
    words = [near_path(record), *([] if finds else [*before_game, near_path(game)])]
    for name in variants:
        if not is_id(name) and not is_inside(Path(name), root_of(record)):
            words += ["--with", near_path(name)]
    return shlex.join(words)


# --- house rules ------------------------------------------------------------------------------------------------------


def settings(pairs: Sequence[str] | None) -> dict[str, str]:
    """The settings of options, by name; exits with a sentence if one has no value or two."""
    found: dict[str, str] = {}
    for pair in pairs or ():
        name, sign, value = (part.strip() for part in pair.partition("="))
        if not (name and sign and value):
            fail(f"--set expects an option and its value, but got '{pair}'", f"--set {name or 'option'}={value or '…'}")
        if found.get(name, value) != value:
            fail(f"'{name}' is set to both {found[name]} and {value}", "keep one of the two")
        found[name] = value
    return found


# --- subjects ---------------------------------------------------------------------------------------------------------


def named(names: list[str] | None, are_bundled: bool, skip_others: bool = False) -> dict[str, Path]:
    """The files and folders that a call means, each with its name in the call.

    With `skip_others`, files that contain no rules are left out. Exits with a suggestion after a wrong name.
    """
    import houserule

    found: dict[str, Path] = {}
    for name in names or ([] if are_bundled else ["."]):
        path = entered(name)
        if not skip_others or not path.is_file() or houserule.subjects(path):
            found[name] = path if path.is_dir() else find_path(name)
    if are_bundled:
        found |= {name: folder for name in houserule.games() if (folder := bundled_game(name)) is not None}
    return found


def subjects(names: list[str] | None, are_bundled: bool, skip_others: bool = False) -> dict[Path, tuple[str, Path]]:
    """The games, variants and scenario files that a call means, each with its name and the folder that must contain it.

    Several parts of one game are one subject. Exits with a sentence if a name means none.
    """
    import houserule

    found: dict[Path, tuple[str, Path]] = {}
    for name, path in named(names, are_bundled, skip_others).items():
        inside = houserule.subjects(path) or ([] if path.is_dir() else [path])
        if not inside:
            nothing_found("rule files", name)
        for subject in inside:
            is_named = path.is_file() or is_game(path) or subject == path
            found.setdefault(subject, (name if is_named else str(subject), subject if is_named else path))
    return found


def is_game(path: Path) -> bool:
    return (path / "game.yaml").exists()


def nothing_found(what: str, name: str, help: str | None = None) -> NoReturn:
    """Report that nothing was found, and exit."""
    where = "at or below the current folder" if name == "." else f"in {name}"
    fail(f"there are no {what} {where}", help or "name a game, or use --bundled for the bundled games")
