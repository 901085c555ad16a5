"""Replays a record with the rules, the seed and the answers that it names."""

from __future__ import annotations

from pathlib import Path

from houserule.match.game import Game, load
from houserule.match.match import IllegalAnswer, Match
from houserule.match.record import UNMIXED, InvalidRecord, Record


def replay(record: Record, game: Game | None = None) -> Match:
    """Play a record back to where it ends.

    The game is loaded by the record's own words if it is not given. Raises InvalidRecord where the rules are other than
    they were, and what `load` raises.
    """
    played = game or load(record.path or record.game, record.variants, record.options)
    if record.rules != played.rules_hash:
        raise InvalidRecord(other_rules(record, played))
    match = Match.start(played, record.players, record.seed, record.language)
    match.mixes = record.format != UNMIXED
    for number, (player, key) in enumerate(record.answers, 1):
        try:
            match.answer(player, key)
        except IllegalAnswer as error:
            raise InvalidRecord(f"answer {number} of the record cannot be given: {error}") from error
    return match


def other_rules(record: Record, game: Game) -> str:
    """Why a record is not of these rules: what differs, said as briefly as it can be."""
    if record.game != game.id:
        return f"this record is of '{record.game}', and the game is '{game.id}'"
    names, own = [Path(name).stem for name in record.variants], [variant.name for variant in game.loaded.variants]
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
        f"the rules of '{record.game}' have changed since this record was made: {files} are others "
        f"(they were {record.rules}, they are {game.rules_hash})"
    )


def listed(variants: list[str]) -> str:
    """Variants in a sentence."""
    return " and ".join(f"'{name}'" for name in variants) or "no variant"
