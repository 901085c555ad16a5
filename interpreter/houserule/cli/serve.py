"""The servers: `houserule serve` and `site` for browsers, `lsp` for editors, and `engine`, `mcp` and `actions` for programs."""

from __future__ import annotations

import errno
import sys
import webbrowser
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from houserule.bundled import bundled
from houserule.cli.report import (
    FAILED,
    Json,
    OfGame,
    Set,
    With,
    Work,
    argument,
    complain,
    fail,
    find_path,
    flag,
    load_game,
    named,
    near_path,
    option,
    print_json,
    settings,
    tell,
    word_at,
)
from houserule.cli.streams import end_in_good_order, leaving_when_told
from houserule.extras import LIBRARIES, library
from houserule.printable import printable
from houserule.reading import entered
from houserule.writing import make_folder, write_file

if TYPE_CHECKING:
    from houserule.serve.app import Serving


CONNECTIONS = "How many connections one address may have open; by default 100 more than --lines; with --origin, as many as there are."


def serve(  # long: its parameters are the options of the command
    games: Annotated[
        list[str] | None, argument("GAME...", "Bundled ids, or folders of games; by default the bundled games.")
    ] = None,
    variants: Annotated[
        list[str] | None,
        option("A house rule outside of its game that rooms can choose; can be repeated.", "FILE", "--with"),
    ] = None,
    host: Annotated[str, option("Where to listen; 0.0.0.0 lets other machines in.", "HOST")] = "localhost",
    port: Annotated[int, option("0 takes any free port.", "PORT", min=0, max=65535)] = 8000,
    seed: Annotated[
        int | None, option("The seed of all new rooms, to try something out.", "NUMBER", min=0, max=2**31 - 1)
    ] = None,
    opens: Annotated[bool, flag("--open", "Open the first page in the browser.")] = False,
    database: Annotated[
        str | None,
        option("Where rooms are kept: sqlite:///FILE or postgresql://…; by default a file of this user.", "URL"),
    ] = None,
    origins: Annotated[
        list[str] | None, option("An address under which a proxy serves this; can be repeated.", "URL", "--origin")
    ] = None,
    pause: Annotated[float, option("How long bots wait, so that people can follow.", "SECONDS", min=0, max=60)] = 0.7,
    rooms: Annotated[int, option("How many rooms are kept at once.", "NUMBER", min=1)] = 1000,
    new_rooms: Annotated[int, option("How many rooms one address may create per minute.", "NUMBER", min=1)] = 20,
    viewers: Annotated[int, option("How many spectators a room may have at once.", "NUMBER", min=1)] = 40,
    lines: Annotated[int, option("How many pages from one address may watch rooms.", "NUMBER", min=1)] = 200,
    rate: Annotated[int, option("How many messages a page may send per second.", "NUMBER", min=1)] = 20,
    keep_days: Annotated[int, option("How long a room that nobody opens is kept.", "DAYS", min=1)] = 30,
    connections: Annotated[int | None, option(CONNECTIONS, "NUMBER", min=1)] = None,
    patience: Annotated[float, option("How long a request may take to arrive.", "SECONDS", min=1)] = 10,
    away: Annotated[
        float, option("After how long without an open page a player counts as away.", "SECONDS", min=1, max=3600)
    ] = 20,
    work: Work = 1,
) -> None:
    """Serve rooms in the browser: choose a game, send the others a link, play. Ctrl-C stops; nothing is lost.

    houserule serve
    houserule serve ./mushrooms --port 8001
    """
    import houserule

    houserule.allow_work(work)
    for needed_later in ("websockets", "segno"):  # the server would start without them
        library(needed_later, "serve")
    from houserule.serve.app import Address, Serving
    from houserule.serve.limits import Limits

    folders = folders_of(games or [])
    serving = Serving(
        folders,
        database or kept_here(),
        Address(host, port, addresses_of(origins or [])),
        Limits(rooms, new_rooms, viewers, lines, rate, keep_days, connections, patience, away),
        seed,
        pause,
        loose_rules(variants or [], folders),
    )
    run(serving, opens)


def addresses_of(origins: list[str]) -> list[str]:
    """The addresses of a proxy, as browsers name them; exits with a sentence for one that no browser would name."""
    for origin in origins:
        if not origin.startswith(("https://", "http://")):
            fail(f"--origin expects an address with https://, but got '{origin}'", f"--origin https://{origin}")
    return [origin.rstrip("/") for origin in origins]


def run(serving: Serving, opens: bool) -> None:
    """Serve until stopped; exits with a sentence if that is not possible."""
    from houserule.serve.app import serve as serve_rooms
    from houserule.serve.storage import UnknownDatabase

    def opened(address: str) -> None:
        tell(f"Rooms are at {address} (Ctrl-C stops; the rooms stay)")
        if opens:
            webbrowser.open(address)

    try:
        end_in_good_order()
        serve_rooms(serving, opened)
    except UnknownDatabase as wrong:
        fail(str(wrong))
    except OSError as wrong:
        fail(
            f"cannot listen at {serving.address.host}:{serving.address.port}: {wrong.strerror or wrong}",
            "--port 0 takes any free port" if wrong.errno == errno.EADDRINUSE else None,
            FAILED,
        )


def folders_of(names: list[str]) -> dict[str, Path]:
    """The folders of the games, by id; exits with a sentence if one is no game, or if two have the same id."""
    if not names:
        return named(None, are_bundled=True)
    found: dict[str, Path] = {}
    for game in map(load_game, names):
        if found.setdefault(game.id, game.path) != game.path:
            fail(f"there are two games called '{game.id}', in {found[game.id]} and in {game.path}", "serve one of them")
    return found


def loose_rules(names: list[str], games: dict[str, Path]) -> dict[str, dict[str, Path]]:
    """House rules outside of their games, by game and id; exits with a sentence if one cannot be played here."""
    found: dict[str, dict[str, Path]] = {}
    for name in names:
        file = find_path(name)
        id, game = word_at("variant", file), word_at("of", file)
        if id is None or game is None:
            fail(f"'{name}' is not a house rule", "--with names its file")
        if game not in games:
            fail(f"the house rule '{name}' is for '{game}', which is not served", f"serve {' or '.join(games)}")
        loaded = load_game(str(games[game]), [name])
        if id in loaded.house_rules or found.get(game, {}).get(id, file) != file:
            fail(f"'{game}' has two house rules called '{id}'", "give one of them another name")
        found.setdefault(game, {})[id] = file
    return found


def kept_here() -> str:
    """The database of this user; exits with a sentence if no file can be kept."""
    from houserule.serve.app import default_database

    try:
        return default_database()
    except OSError as wrong:
        fail(f"there is no place to keep rooms: {wrong.strerror or wrong}", "--database sqlite:///FILE")


def lsp(stdio: Annotated[bool, flag("--stdio", "Speak over standard input and output, as is usual.")] = True) -> None:
    """Serve an editor over standard input and output: diagnostics, completion, hover, renaming and more.

    It is started by the editor.

    pip install 'houserule[lsp]'
    """
    from houserule.lsp.answers import make

    assert stdio
    # The output is buffered in any case: two threads write, and a message is written whole.
    with leaving_when_told(), open(1, "wb", closefd=False) as out:
        make().start_io(stdout=out)


# --- a web site -------------------------------------------------------------------------------------------------------


def site(
    folder: Annotated[
        Path | None,
        argument("DIR", "A folder of games, or of one game; by default the bundled games.", show_default=False),
    ] = None,
    out: Annotated[Path, option("The folder that the site is written to.", "SITE", "--out", "-o")] = Path("site"),
    title: Annotated[str, option("What the site is called.", "TITLE")] = "Houserule",
    parts: Annotated[
        Path | None, option("Take the packages of npm from this folder, as `npm pack` makes them.", "FOLDER")
    ] = None,
    is_json: Json = False,
) -> None:
    """Write a web site that needs no server: rulebooks, tables with bots, and a playground to change the rules in.

    It works from any path of any host of files, and without a network after the first visit. Pyodide and the editor are
    fetched with npm once, and checked by their hashes.

    pip install 'houserule[site]'
    houserule site games --out public
    """
    from houserule import InvalidGame
    from houserule.shelf import NotOffered
    from houserule.site.build import LARGEST_SITE, NoSite, largest, site_of, write
    from houserule.site.parts import NoPart

    place = entered(folder) if folder is not None else bundled("games")
    if not place.is_dir():
        fail(f"there is no folder '{folder}'", "name a folder with games in it")
    if out.exists() and not (out / MARK).is_file() and not (out.is_dir() and not any(out.iterdir())):
        what = "is not empty" if out.is_dir() else "is a file"
        fail(f"'{out}' {what}, and is no site of this command", "name a new folder")
    for needed in LIBRARIES["site"]:
        library(needed, "site")
    try:
        made = site_of(place, title, parts, lambda said: None if is_json else tell(f"  {said}"))
        removed = clear(out, set(made.files))
        for _ in write(made, out):
            pass
    except InvalidGame as wrong:
        complain(wrong.diagnostics)
        raise SystemExit(1) from None
    except (NoSite, NoPart, NotOffered) as wrong:
        fail(str(wrong))
    except OSError as wrong:
        fail(f"'{wrong.filename or out}' could not be read or written: {wrong.strerror or wrong}")
    if is_json:
        print_json({"out": str(out), "files": len(made.files), "bytes": made.size, "parts": dict(largest(made))})
        return
    tell(
        f"Wrote {len(made.files)} files to {near_path(out)}, {made.size / 1e6:.1f} MB"
        + (f"; {removed} old ones are gone" if removed else "")
    )
    for name, size in largest(made)[:6]:
        tell(f"  {size / 1e6:6.2f} MB  {name}")
    if made.size > LARGEST_SITE:
        tell(f"It is larger than {LARGEST_SITE / 1e6:.0f} MB: browsers may not keep it for when there is no network.")


MARK = ".houserule-site"


def clear(out: Path, wanted: set[str]) -> int:
    """Remove the files of an older site from a folder, which only this command has written to."""
    removed = 0
    for file in sorted(out.rglob("*"), reverse=True) if (out / MARK).is_file() else ():
        if file.is_dir() and not file.is_symlink():
            if not any(file.iterdir()):
                file.rmdir()
        elif file.name != MARK and file.relative_to(out).as_posix() not in wanted:
            file.unlink()
            removed += 1
    make_folder(out)
    write_file(out / MARK, "Written by `houserule site`; what else is put here is removed when it runs again.\n")
    return removed


# --- for programs -----------------------------------------------------------------------------------------------------


def actions(
    game: OfGame,
    players: Annotated[int | None, option("The number of players; by default the smallest possible.", "NUMBER")] = None,
    is_json: Json = False,
    variants: With = None,
    options: Set = None,
) -> None:
    """List the number of every answer that a game can ask for, and every entry of the vector of what a player sees.

    Both follow from the rules alone, and stay the same as long as the hash of the rules does.

    houserule actions ./mushrooms --players 3
    """
    loaded = load_game(game, variants or (), settings(options))
    number = players if players is not None else loaded.players[0]
    try:
        observations = loaded.observations(number)
    except ValueError as wrong:
        fail(str(wrong), None if number in loaded.players else f"--players {loaded.players[0]}")
    numbers = observations.actions
    words = [list(one.words()) for one in numbers.questions]
    if is_json:
        blocks = [asdict(block) | {"names": names} for block, names in zip(numbers.blocks, words, strict=True)]
        entries = [asdict(entry) for entry in observations.entries]
        about = {"game": loaded.id, "rules": loaded.rules_hash, "players": observations.players}
        print_json(about | {"actions": blocks, "observation": entries})
        return
    tell(f"{loaded.id}, {observations.players} players, rules {loaded.rules_hash}")
    tell("")
    tell(f"{numbers.size} answers:")
    for block, names in zip(numbers.blocks, words, strict=True):
        how = "" if block.how == "at once" else f" ({block.how})"
        tell(f"  {printable(block.asks)}{how}")
        for number, name in enumerate(names, block.first):
            tell(f"    {number:>5}  {printable(name)}")
    tell("")
    tell(f"{observations.size} entries of what a player sees:")
    for number, entry in enumerate(observations.entries):
        tell(f"    {number:>5}  {printable(entry.name)} ({entry.low} to {entry.high})")


def engine(work: Work = 1) -> None:
    """Play matches for a program: each line of input is a request in JSON, each line of output its response.

    docs/engine.md lists the requests; {"do": "hello"} says which version of the protocol this is, and {"do": "quit"} ends it.

    houserule engine
    """
    import houserule
    from houserule.engine.lines import serve

    houserule.allow_work(work)
    with leaving_when_told():
        serve(sys.stdin.buffer, sys.stdout.buffer)


def mcp(
    folder: Annotated[Path, argument("FOLDER", "The folder with the rules; nothing outside of it is read.")] = Path(),
    write: Annotated[
        bool, flag("--write", "Let the assistant write rule files in the folder, when it is asked to.")
    ] = False,
    work: Work = 1,
) -> None:
    """Offer an assistant tools to write rules with you, over the Model Context Protocol on standard input and output.

    It is started by the assistant's program.

    pip install 'houserule[mcp]'
    houserule mcp my_games --write
    """
    import houserule
    from houserule.engine.tools import Workshop, server

    if not folder.is_dir():
        fail(f"'{folder}' is not a folder", "houserule mcp FOLDER")
    houserule.allow_work(work)
    made = server(Workshop(folder, write))
    with leaving_when_told():
        made.run("stdio")
