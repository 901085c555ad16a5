"""What programs play with: `houserule actions`, the numbers of answers, `houserule engine`, matches over lines of JSON, and `houserule mcp`."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from houserule.cli.report import Json, OfGame, Set, With, Work, argument, fail, flag, load_game, option, settings, tell
from houserule.printable import printable


def actions(
    game: OfGame,
    players: Annotated[int | None, option("The number of players; by default the smallest possible.", "NUMBER")] = None,
    json_: Json = False,
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
    if json_:
        blocks = [asdict(block) | {"names": names} for block, names in zip(numbers.blocks, words, strict=True)]
        entries = [asdict(entry) for entry in observations.entries]
        tell(
            json.dumps(
                {
                    "game": loaded.id,
                    "rules": loaded.rules_hash,
                    "players": observations.players,
                    "actions": blocks,
                    "observation": entries,
                },
                ensure_ascii=False,
                indent=1,
            )
        )
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
    from houserule.cli.streams import leave, stop_by
    from houserule.engine.lines import serve

    houserule.allow_work(work)
    stop_by(leave)
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
    from houserule.cli.streams import leave, stop_by
    from houserule.engine.tools import Workshop, server

    if not folder.is_dir():
        fail(f"'{folder}' is not a folder", "houserule mcp FOLDER")
    houserule.allow_work(work)
    made = server(Workshop(folder, write))
    stop_by(leave)
    made.run("stdio")
