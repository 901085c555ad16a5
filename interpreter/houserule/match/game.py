"""Games: loaded from files, they start matches, describe their rules, and replay records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import lru_cache
from pathlib import Path
from typing import Any

from houserule.definition.readings import Readings
from houserule.diagnostics import InvalidGame, Report
from houserule.language.types import Int, none_of, plain
from houserule.match.match import Match
from houserule.match.record import FORMAT, MOST_SHOWN, InvalidRecord, Record
from houserule.match.rules import CompiledRules
from houserule.native.engines import Engine
from houserule.reading import is_id, named
from houserule.running.playout import Outcome, playout
from houserule.running.state import State
from houserule.spaces.answers import Actions
from houserule.spaces.sights import Observations
from houserule.telling.labels import Labels
from houserule.workshop import changing, stages
from houserule.workshop.changing import Changeable
from houserule.workshop.library import UnknownGame, examine, find, game_named, variant_named
from houserule.workshop.stages import differences, merged, origin

STAGES = ("merged", "tree", "check", "segments")


class OtherRules(ValueError):
    """The files of a game that was pickled hold other rules now, or are not there."""


class Game(CompiledRules):
    """The rules, compiled. Start a match with `start`.

    A game is pickled as its path, variants, options and the hash of its rules, and loaded once in each process that unpickles it.

    >>> game.players, game.languages[:2]
    (range(2, 3), ['en', 'de'])
    >>> import pickle
    >>> pickle.loads(pickle.dumps(game)).rules_hash == game.rules_hash
    True
    """

    def __repr__(self) -> str:
        with_ = "".join(f", with {Path(name).stem}" for name in self.variants)
        set_ = "".join(f", {name}={value}" for name, value in self.settings.items())
        return f"<Game {self.id}{with_}{set_}, {self.players_in_words} player{'s' if self.players[-1] > 1 else ''}>"

    def __reduce__(self) -> tuple[Any, ...]:
        variants = tuple(name if is_id(name) else str(Path(name).resolve()) for name in self.variants)
        where = self.id if self.shown_path is None else str(self.file.resolve())
        known = where, variants, tuple(sorted(self.settings.items())), self.rules_hash
        return unpickled, (*known, self.asks_anyway)

    def __copy__(self) -> Game:
        made = Game.__new__(Game)
        vars(made).update(vars(self))
        return made

    def __deepcopy__(self, _: object) -> Game:
        return self

    def start(
        self,
        players: int | Sequence[str] | None = None,
        seed: int | None = None,
        language: str = "en",
        given: str | None = None,
    ) -> Match:
        """Start a match.

        `given` is an effect that arranges the table after the set-up, as in a scenario: it asks nobody and sets off no
        triggers, and the set-up's questions get their first option. Raises InvalidGame if it cannot be understood.

        `players` is their number, or their names in seat order; `seed` decides all chance, and is random if omitted. Raises
        ValueError if the game does not allow that number of players, or if two have the same name.
        """
        return Match.start(self, players if players is not None else self.players[0], seed, language, given=given)

    def asking_anyway(self) -> Game:
        """This game, which also asks those of whom all can see that they have nothing to choose from: as in older records."""
        if self.asks_anyway:
            return self
        made = copy(self)
        made.asks_anyway = True
        return made

    def random_match(self, players: int, seed: int | str) -> Outcome:
        """Play one match at random and at full speed; the seed alone decides its course. Raises RuleFault."""
        return playout(self.program(players, told=False), seed)

    def random_matches(self, players: int, seeds: Iterable[int], engine: str = "auto") -> Iterator[Outcome]:
        """Play matches at random, each decided by its seed. Returns their outcomes in order, which are the same with each `engine`.

        `native` needs the extra `houserule[native]`; `auto` uses it if it is installed and pays, else `python`. Raises
        RuleFault, NotNative if a game cannot be played natively, and ValueError for an unknown engine.

        >>> [outcome.ending for outcome in game.random_matches(2, seeds=range(3), engine="python")]
        ['...', '...', '...']
        """
        listed = list(seeds)
        return Engine(self.program(players, told=False), engine, len(listed)).outcomes(listed)

    def actions(self, players: int) -> Actions:
        """The number of every answer that can be asked for, for programs that learn; it follows from the rules alone."""
        return Actions(self.program(players, told=False), self.rules_hash)

    def observations(self, players: int) -> Observations:
        """What a player sees as a vector of numbers, with a name for each. It is worked out once."""
        kept: dict[int, Observations] = vars(self).setdefault("in_numbers", {})
        if players not in kept:
            kept[players] = Observations(self.actions(players))
        return kept[players]

    def line_titles(self, players: int, language: str = "en") -> dict[str, str]:
        """The titles of the lines of the score sheet by key; nothing is played for them."""
        program = self.any_program(players)
        names = [str(seat) for seat in range(players)]
        return Match(self, program, State(program, None), names, 0, language).line_titles

    def described_options(self, language: str = "en") -> list[dict[str, Any]]:
        """The options for people, each with its default, and the least and the greatest number or choices with their titles."""
        program = self.any_program(self.players[0])
        labels = Labels(program, [str(self.players[0])] * self.players[0], language)
        found = []
        for option in self.definition.options.values():
            title = option.title.raw(language) if option.title else option.name.replace("_", " ")
            text = option.text.raw(language) if option.text else ""
            about: dict[str, Any] = {
                "name": option.name,
                "title": title,
                "text": text,
                "default": self.defaults[option.name],
            }
            type = program.symbols.options[option.name].type
            inner = plain(type)
            if isinstance(inner, Int):
                found.append(about | {"low": inner.low, "high": inner.high})
                continue
            values = [*(program.symbols.domain(inner) or ()), *([none_of(type)] if inner is not type else [])]
            choices = [{"key": labels.keys.word(type, one), "title": labels.value(type, one)} for one in values]
            found.append(about | {"choices": choices})
        return found

    def differences(self) -> list[str]:
        """What its variants and settings change: a sentence for each change, followed by changed lines of effects."""
        return differences(self.loaded, self.settings)

    def origin(self, path: str) -> list[str]:
        """The files and lines that made the value at a path such as `tables.worth.morel`. Raises LookupError."""
        return origin(self.loaded, self.settings, path)

    def changeable(self, path: str | None = None) -> list[Changeable]:
        """The paths that a house rule may change, with their present values: all, or those at and below a path.

        A word that is no path means all keys with that name, and then those that contain it.
        """
        return list(changing.changeable(self.tree)) if path is None else changing.below(self.tree, path)

    def change_of(self, paths: Iterable[str]) -> str:
        """The section `change` of a house rule for these paths, with their present values. Raises LookupError."""
        return "\n".join(changing.change_of(self.tree, paths))

    @property
    def example_changes(self) -> tuple[str, str, str]:
        """A line each that a house rule of this game could have in `change`, `add` and `remove`."""
        return changing.examples(self.tree)

    def stage(self, name: str) -> str:
        """The result of a stage of compilation, as text.

        `merged` is the rules as one file, `tree` the parsed effects, `check` names and types, `segments` the program; the
        last two are for the greatest number of players. Raises ValueError for another name.
        """
        most = self.players[-1]
        match name:
            case "merged":
                return merged(self.loaded, self.settings)
            case "tree":
                lines = stages.tree(self.definition)
            case "check":
                lines = stages.checked(self.checked(most))
            case "segments":
                lines = stages.segments(self.program(most, told=False))
            case _:
                raise ValueError(f"there is no stage '{name}'; there are {', '.join(STAGES)}")
        return "\n".join(lines) + "\n"


@lru_cache(maxsize=32)
def unpickled(
    where: str,
    variants: tuple[str, ...],
    settings: tuple[tuple[str, int | str], ...],
    rules: str,
    asks_anyway: bool = False,
) -> Game:
    """A game that was pickled, loaded from its files. Raises OtherRules."""
    try:
        game = load(where, variants, dict(settings))
    except (InvalidGame, UnknownGame) as unusable:
        raise OtherRules(f"the rules of '{where}' are no longer there or have changed") from unusable
    if game.rules_hash != rules:
        raise OtherRules(f"the rules of '{where}' have changed: their hash was {rules}, and is {game.rules_hash}")
    return game.asking_anyway() if asks_anyway else game


def load(
    game: str | Path,
    variants: str | Path | Sequence[str | Path] = (),
    options: Mapping[str, int | str | None] | None = None,
    readings: Readings | None = None,
) -> Game:
    """Load a game by its bundled id, or by the path of its folder or `game.yaml`.

    `variants` are ids of the game's house rules, or paths, in the order in which they apply, or a single one; `options` are
    settings by name. Raises UnknownGame if there is no such game or variant, and InvalidGame with all diagnostics if it has errors.
    With `readings`, valid results of earlier runs are reused.

    >>> houserule.load(houserule.games()[0]).id == houserule.games()[0]
    True
    """
    named = tuple(map(str, (variants,) if isinstance(variants, (str, Path)) else variants))
    path = find(game)
    report = Report()
    loaded, checked, settings = examine(path, report, options, named, readings)
    if report.has_errors or loaded.definition is None:
        raise InvalidGame(report.diagnostics)
    made = Game(loaded, checked, settings, report.diagnostics)
    made.variants = named
    return made


# --- replay -----------------------------------------------------------------------------------------------------------


def replay(
    record: Record, game: Game | str | Path | None = None, variants: str | Path | Sequence[str | Path] = ()
) -> Match:
    """Replay a record to its end.

    The game is the one that the record names, in the folder of the record or bundled, or else `game`: a
    loaded one, or its id or path if it has moved. So it is with its house rules: `variants` says where those are that lie
    elsewhere. Raises InvalidRecord if there are no such rules, if they have changed, or if the record is not possible with
    them; RuleFault if a rule fails.

    >>> match.answer("Ann", "square_2_2")
    >>> houserule.replay(match.record).answers == match.answers
    True
    """
    named = (variants,) if isinstance(variants, (str, Path)) else variants
    played = game if isinstance(game, Game) else load_recorded(record, game, tuple(map(str, named)))
    if record.rules != played.rules_hash:
        raise InvalidRecord(other_rules(record, played))
    if record.language not in ("en", *played.languages):
        raise InvalidRecord(f"'{played.id}' does not speak the language of the record, '{record.language}'")
    if record.format < FORMAT:
        played = played.asking_anyway()
    return Match.played(played, record)


def load_recorded(record: Record, moved_to: str | Path | None, elsewhere: Sequence[str] = ()) -> Game:
    """The game of a record, with its variants and options. Raises InvalidRecord."""
    places = {Path(name).stem: name for name in elsewhere}
    other = places.keys() - {Path(name).stem for name in record.variants}
    if other:
        raise InvalidRecord(f"it was played with {listed(record.variants)}, not with {listed(sorted(other))}")
    try:
        if record.folder is None:
            names = [places.get(Path(name).stem, name) for name in record.variants]
            return load(moved_to or record.path or record.game, names, record.options)
        file = record.folder / "record"
        found = find(moved_to) if moved_to is not None else recorded_game(record, file)
        folder = found if found.is_dir() else found.parent
        variants = [places.get(Path(name).stem) or recorded_variant(name, folder, file) for name in record.variants]
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


def recorded_variant(name: str, folder: Path, file: Path) -> str:
    """A variant of a record: one of the game's own, or in the folder of the record. Raises UnknownGame."""
    try:
        return variant_named(name, folder, file)
    except UnknownGame:
        if is_id(name):
            raise
        what, help = (
            "house rule in the folder of the record at",
            "say where it is: houserule replay FILE --with VARIANT",
        )
        raise UnknownGame(name[:MOST_SHOWN], help, what) from None


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


def listed(variants: Iterable[str]) -> str:
    return " and ".join(f"'{name}'" for name in variants) or "no variant"
