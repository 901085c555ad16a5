"""`houserule serve` and `houserule lsp`: the servers for browsers and for editors."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from houserule.cli.report import FAILED, Work, argument, fail, find_path, flag, load_game, option, tell, word_at
from houserule.cli.streams import end_in_good_order, leave, stop_by
from houserule.extras import library

if TYPE_CHECKING:
    from houserule.serve.app import Serving


CONNECTIONS = "How many connections one address may have open; by default 100 more than --lines, or with --origin all."


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
        Address(host, port, [origin.rstrip("/") for origin in origins or []]),
        Limits(rooms, new_rooms, viewers, lines, rate, keep_days, connections, patience, away),
        seed,
        pause,
        loose_rules(variants or [], folders),
    )
    run(serving, opens)


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
            "--port 0 takes any free port",
            FAILED,
        )


def folders_of(names: list[str]) -> dict[str, Path]:
    """The folders of the games, by id; exits with a sentence if one is no game, or if two have the same id."""
    import houserule

    found: dict[str, Path] = {}
    for name in names or houserule.games():
        game = load_game(name) if names else None
        id, folder = (game.id, game.path) if game is not None else (name, Path(houserule.find(name)))
        if found.setdefault(id, folder) != folder:
            fail(f"there are two games called '{id}', in {found[id]} and in {folder}", "serve one of them")
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
    stop_by(leave)
    with open(1, "wb", closefd=False) as out:  # buffered in any case: two threads write, and a message is written whole
        make().start_io(stdout=out)
