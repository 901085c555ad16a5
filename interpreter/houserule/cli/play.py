"""`houserule play` and `replay`: play a match in the terminal, and show a saved one."""

from __future__ import annotations

import secrets
import shlex
import sys
from collections.abc import Callable
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from houserule.cli.report import (
    FAILED,
    STOPPED,
    Set,
    With,
    Work,
    argument,
    complain,
    console,
    fail,
    flag,
    load_game,
    near_path,
    option,
    render_fault,
    seats_of,
    settings,
    target,
    tell,
    typed,
    words_for_record,
)
from houserule.cli.screen import say
from houserule.diagnostics import did_you_mean
from houserule.printable import printable
from houserule.reading import entered, real

if TYPE_CHECKING:
    from houserule import Match, RuleFault
    from houserule.bots.simple import Bot


# --- play -------------------------------------------------------------------------------------------------------------


SEATS = "human or a bot (random, first, greedy, mcts:400, mcts:2s) for each seat; the last word also fills the remaining seats."
SAVE = "Where to write the record; a saved match continues in its file."
MOVED = "For a saved match whose game has moved: where it is now."
ELSEWHERE = "Where a house rule of the match is, if not in the folder of the record; can be repeated."
Elsewhere = Annotated[list[str] | None, option(ELSEWHERE, "VARIANT", "--with")]
RECORD = ".json"
USUAL = ("human", "random")
"""Who plays if nobody says so, as far as there are seats."""


# long: half of it is what can be typed
def play(
    game: Annotated[str, argument("GAME", "A bundled id, a path, or a saved record to continue.")],
    players: Annotated[
        str | None, option("How many, or names separated by commas; by default as many as --seats names.", "N|NAMES")
    ] = None,
    seats: Annotated[str | None, option(SEATS, "WHO,...")] = None,
    seed: Annotated[int | None, option("The seed of all chance; by default a new one.", "NUMBER")] = None,
    lang: Annotated[str | None, option("The language of titles and texts, such as de.", "LANGUAGE")] = None,
    save: Annotated[Path | None, target(SAVE, (RECORD,))] = None,
    auto: Annotated[bool, flag("--auto", "Answer questions with a single option automatically.")] = False,
    variants: With = None,
    options: Set = None,
    moved_to: Annotated[str | None, option(MOVED, "GAME", "--game")] = None,
    work: Work = 1,
) -> None:
    """Play a match in the terminal, against bots or together at one keyboard. With bots alone, watch.

    houserule play ./mushrooms --players Anna,Ben
    houserule play ./mushrooms --seats human,greedy,random
    """
    import houserule
    from houserule.bots.playing import BotFault
    from houserule.cli.screen import print_events
    from houserule.cli.seats import Left, Table

    houserule.allow_work(work)
    wanted = ",".join(USUAL) if seats is None else seats
    match, seed = begin(game, players, wanted, seed, lang, variants or [], settings(options), moved_to)
    if save is None and is_saved(game):
        save = Path(near_path(real(entered(game))))  # it is written where it is read
    who = seats_for(match, ",".join(USUAL[: len(match.players)]) if seats is None else seats, seed)
    file = save or default_file(match, seed)
    is_new = not file.exists()
    plays = any(bot is None for bot in who.values())
    table = Table(match, who, seed, takes_forced=auto, keep=keeper(file) if plays else None)
    left: BaseException | None = None
    try:
        table.play()
    except (Left, KeyboardInterrupt, EOFError) as reason:
        left = reason
    except houserule.RuleFault as fault:
        if not table.humans:
            print_events(table.console, fault.before(table.told[None]), table.match)
        tell(render_fault(fault), sys.stderr)
        keep(table.match, file, seats)
        raise typer.Exit(FAILED) from None
    except BotFault as failed:
        keep(match, save or default_file(match, seed), seats)
        fail(printable(str(failed)))
    if left:
        tell()
        keep(table.match, file, seats)
        if isinstance(left, KeyboardInterrupt):
            raise typer.Exit(STOPPED)
    elif save is not None:
        keep(table.match, save, seats)
    elif plays and is_new:
        file.unlink(missing_ok=True)  # the match is over, and nobody asked for its record


def keeper(file: Path) -> Callable[[Match], None]:
    """Writes the record after each answer, so that a closed terminal loses nothing; reports once if that fails."""
    is_told = False

    def write(match: Match) -> None:
        nonlocal is_told
        try:
            match.record.save(file)
        except OSError as wrong:
            if not is_told:
                tell(f"the record could not be saved in '{file}': {wrong.strerror or wrong}", sys.stderr)
            is_told = True

    return write


def begin(
    game: str,
    players: str | None,
    seats: str,
    seed: int | None,
    language: str | None,
    variants: list[str],
    options: dict[str, str],
    moved_to: str | None = None,
) -> tuple[Match, int]:
    """The match to play and the seed of its bots: a new match, or a saved one where it stopped."""
    import houserule

    if is_saved(game):
        if players is not None or seed is not None:
            fail("a saved match keeps its players and its seed", "leave out --players and --seed")
        if options:
            fail("a saved match keeps its options", "leave out --set")
        if language is not None:
            fail("a saved match keeps its language", "leave out --lang")
        match = replayed(Path(game), moved_to, variants)
        return match, match.seed
    if moved_to is not None:
        fail("a new match has one game", f"leave out --game {moved_to}")
    loaded = load_game(game, variants, options)
    if language is not None and language not in loaded.languages:
        meant = did_you_mean(language, loaded.languages)
        fail(f"{loaded.id} does not speak '{language}'", meant or f"it speaks {', '.join(loaded.languages)}")
    if seed is None:
        seed = secrets.randbelow(1_000_000)
    chosen = language or ("en" if "en" in loaded.languages or not loaded.languages else loaded.languages[0])
    try:
        return loaded.start(players=seats_of(loaded, players, seats), seed=seed, language=chosen), seed
    except houserule.RuleFault as fault:
        tell_fault(fault)


def is_saved(name: str) -> bool:
    """Whether a name is that of a saved match, by its suffix or its content."""
    import houserule

    return Path(name).is_file() and (name.endswith(RECORD) or houserule.Record.is_in(name))


def replayed(path: Path, game: str | None, variants: list[str]) -> Match:
    """The match of a saved record, up to its end; exits with a sentence if the file is no record of the game."""
    import houserule

    shown = near_path(path)
    try:
        record = houserule.Record.load(path)
    except (OSError, houserule.InvalidRecord) as wrong:
        fail(f"{shown} cannot be played: {wrong}", "`houserule play GAME --save FILE` writes records")
    try:
        return houserule.replay(record, game, variants)
    except houserule.InvalidRecord as wrong:
        if isinstance(wrong.__cause__, houserule.InvalidGame):
            complain(wrong.__cause__.diagnostics)
        fail(f"{shown} cannot be played: {wrong}")
    except houserule.RuleFault as fault:
        tell_fault(fault)


def tell_fault(fault: RuleFault) -> NoReturn:
    """Print the events of a match that cannot continue, and the reason; exit."""
    import houserule
    from houserule.cli.screen import opening_of, print_events

    if isinstance(fault.match, houserule.Match):
        screen = console()
        screen.print(opening_of(fault.match, fault.match.players))
        print_events(screen, fault.before(), fault.match)
    tell(render_fault(fault), sys.stderr)
    raise typer.Exit(FAILED) from None


def seats_for(match: Match, seats: str, seed: int) -> dict[str, Bot | None]:
    from houserule.bots.playing import UnknownSeat, bots_at, seated

    try:
        bots = bots_at(match, seated(seats, len(match.players), people=True), seed)
        return {player: bots.get(player) for player in match.players}
    except UnknownSeat as wrong:
        fail(str(wrong), wrong.help)


def default_file(match: Match, seed: int) -> Path:
    """The first file of its name that is free: game-7.record.json, game-7-2.record.json and so on."""
    endings = chain([""], (f"-{number}" for number in count(2)))
    files = (Path(f"{match.game.id}-{seed}{ending}.record.json") for ending in endings)
    return next(file for file in files if not file.exists())


def keep(match: Match, path: Path, seats: str | None) -> None:
    """Write the record, and say where it is and how to continue with the same players in the same seats."""
    try:
        match.record.save(path)
    except OSError as wrong:
        fail(f"the record could not be saved in '{path}': {wrong.strerror or wrong}")
    words = words_for(match, path)
    if not match.is_over and seats is not None:
        words = f"{words} {shlex.join(['--seats', seats])}"
    tell(say(match.language, "kept" if match.is_over else "kept_so_far", file=path, words=words))


def words_for(match: Match, path: Path) -> str:
    """The words with which `replay` shows a match, or `play` continues it."""
    return words_for_record(path, match.game.path, match.game.variants, () if match.is_over else ["--game"])


# --- replay -----------------------------------------------------------------------------------------------------------


def replay(
    file: Annotated[Path, argument("FILE", "A record saved by `houserule play`.")],
    game: Annotated[
        str | None, argument("[GAME]", "Where its game is, if that has moved: a bundled id or a path.")
    ] = None,
    variants: Elsewhere = None,
    work: Work = 1,
) -> None:
    """Replay a saved match.

    houserule replay match.json
    """
    import houserule
    from houserule.cli.picture import picture_of
    from houserule.cli.screen import one_line, opening_of, print_events, sheet_of
    from houserule.table.compose import scene

    houserule.allow_work(work)
    if not file.is_file() or file.name == "game.yaml":
        no_record(file)
    match = replayed(file, game, variants or [])
    language = match.language
    screen = console()
    screen.rule(one_line(match.game.title(language), style="bold"))
    screen.print(opening_of(match, match.players))
    print_events(screen, match.events, match)
    screen.print()
    screen.print(picture_of(scene(match), screen.width))
    if match.is_over:
        try:
            screen.print(sheet_of(match))
        except houserule.RuleFault as fault:
            tell(render_fault(fault), sys.stderr)
            raise typer.Exit(FAILED) from None
    else:
        waiting = say(language, "comma").join(dict.fromkeys(choice.player for choice in match.pending))
        screen.print(one_line(say(language, "ends_here", players=waiting)))
        screen.print(one_line(say(language, "goes_on", file=words_for(match, file)), style="dim"))


def no_record(file: Path) -> NoReturn:
    """Report what the file is instead of a record, and exit."""
    import houserule

    try:
        houserule.find(file)
    except houserule.UnknownGame:
        if file.is_dir():
            fail(
                f"'{file}' is a folder, not the record of a match",
                f"name a file in it: {typed('replay', file / 'FILE')}",
            )
        fail(f"there is no file '{file}'")
    fail(f"'{file}' is a game, not the record of a match", typed("play", file))
