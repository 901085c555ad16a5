"""Replays a record with its rules, seed and answers."""

from __future__ import annotations

from pathlib import Path

from houserule.diagnostics import InvalidGame
from houserule.match.game import Game, load
from houserule.match.match import IllegalAnswer, Match
from houserule.match.record import FORMAT, MOST_SHOWN, UNMIXED, InvalidRecord, Record
from houserule.reading import named
from houserule.workshop.library import UnknownGame, find, game_named, variant_named


def replay(record: Record, game: Game | str | Path | None = None) -> Match:
    """Replay a record to its end.

    The game is the one that the record names, in the folder of the record or bundled, or else `game`: a
    loaded one, or its id or path if it has moved. Raises InvalidRecord if there is no such game, if its rules have
    changed, or if the record is not possible with them; RuleFault if a rule fails.

    >>> match.answer("Ann", "square_2_2")
    >>> houserule.replay(match.record).answers == match.answers
    True
    """
    played = game if isinstance(game, Game) else load_recorded(record, game)
    if record.rules != played.rules_hash:
        raise InvalidRecord(other_rules(record, played))
    if record.language not in ("en", *played.languages):
        raise InvalidRecord(f"'{played.id}' does not speak the language of the record, '{record.language}'")
    if record.format < FORMAT:
        played = played.asking_anyway()
    try:
        match = Match.start(played, record.players, record.seed, record.language, given=record.given)
    except (ValueError, InvalidGame) as error:
        raise InvalidRecord(f"this is not the record of a match: {error}") from error
    match.mixes = record.format != UNMIXED
    for number, (player, key) in enumerate(record.answers, 1):
        try:
            match.answer(player, key)
        except IllegalAnswer as error:
            raise InvalidRecord(f"answer {number} of the record cannot be given: {error}") from error
    return match


def load_recorded(record: Record, moved_to: str | Path | None) -> Game:
    """The game of a record, with its variants and options. Raises InvalidRecord."""
    try:
        if record.folder is None:
            return load(moved_to or record.path or record.game, record.variants, record.options)
        file = record.folder / "record"
        found = find(moved_to) if moved_to is not None else recorded_game(record, file)
        folder = found if found.is_dir() else found.parent
        variants = [variant_named(name, folder, file) for name in record.variants]
        return load(found, variants, record.options)
    except UnknownGame as unknown:
        raise InvalidRecord(str(unknown)) from unknown
    except InvalidGame as invalid:
        raise InvalidRecord(f"its rules cannot be played: {invalid}") from invalid


def recorded_game(record: Record, file: Path) -> Path:
    """Where the game of a record is: in the folder of the record, or among the bundled ones. Raises UnknownGame."""
    if record.path is None:
        return game_named(record.game, file)
    path = named(record.path, file)
    if path is not None and ((path / "game.yaml").is_file() or (path.suffix == ".yaml" and path.is_file())):
        return path
    raise UnknownGame(
        record.path[:MOST_SHOWN], "say where it is: houserule replay FILE GAME", "game in the folder of the record at"
    )


def other_rules(record: Record, game: Game) -> str:
    """Why a record does not fit these rules, in one sentence."""
    if record.game != game.id:
        return f"this record is of '{record.game}', and the game is '{game.id}'"
    names, own = [Path(name).stem for name in record.variants], [variant.name for variant in game.house_rules_in_use]
    found = []
    if names != own:
        found.append(f"it was played with {listed(names)}, not with {listed(own)}")
    for option in dict.fromkeys((*record.options, *game.settings)):
        was, now = record.options.get(option), game.settings.get(option)
        if was != now:
            default = game.defaults.get(option, "not there")
            found.append(f"'{option}' was {default if was is None else was}, and is {default if now is None else now}")
    if found:
        return f"this record is of other rules: {'; '.join(found)}"
    files = "its files" if not names else f"the files of the game, or of {listed(names)},"
    return (
        f"the rules of '{record.game}' have changed since this record was made: {files} are different "
        f"(the hash was {record.rules}, and is {game.rules_hash})"
    )


def listed(variants: list[str]) -> str:
    return " and ".join(f"'{name}'" for name in variants) or "no variant"
