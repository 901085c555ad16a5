"""What pages show: the list of games with their covers, the rules, replays, and changes of a match."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import houserule
from houserule import Event, Game, InvalidRecord, Match, Record, RuleFault, replay
from houserule.icons import CREDIT, drawings
from houserule.rulebook import LANGUAGES, Chronicle, chronicle, rulebook
from houserule.serve.levels import LEVELS, bots_here, level_of
from houserule.serve.protocol import Refused, scene_changes
from houserule.serve.room import MOST_LISTED, Room, hash_of
from houserule.table.compose import last_changes, looks_of_pieces, scene
from houserule.table.looks import Look
from houserule.table.scene import AsDict, Scene

MOST_VARIED = 24
"""Games with house rules or settings that stay loaded; a large one takes twenty megabytes."""
MOST_BOOKS = 64
"""Rulebooks that are kept."""


class Catalogue:
    """Games by id, each loaded once for each choice of house rules and settings. It is thread-safe."""

    def __init__(self, folders: Mapping[str, Path], loose: Mapping[str, Mapping[str, Path]] | None = None) -> None:
        self.folders = dict(folders)
        self.loose = loose or {}
        """For some games, house rules outside of their folders, by id."""
        self._loaded: OrderedDict[tuple[Any, ...], Game] = OrderedDict()
        self._lists: dict[str, dict[str, Any]] = {}  # by language
        self._lock = threading.Lock()

    def game(self, id: str, house_rules: Sequence[str] = (), options: Mapping[str, int | str] | None = None) -> Game:
        """A game with house rules and settings. Raises Refused."""
        if id not in self.folders:
            raise Refused("game")
        chosen = dict(options or {})
        key = (id, tuple(house_rules), tuple(sorted(chosen.items())))
        with self._lock:
            found = self._loaded.get(key)
            if found is None:
                found = self._loaded[key] = self._load(id, house_rules, chosen)
            self._loaded.move_to_end(key)
            if len(self._loaded) > len(self.folders) + MOST_VARIED:
                self._loaded.popitem(last=False)
        return found

    def has(self, id: str, house_rules: Sequence[str] = ()) -> bool:
        return (id, tuple(house_rules), ()) in self._loaded

    def _load(self, id: str, house_rules: Sequence[str], options: Mapping[str, int | str]) -> Game:
        folder, loose = self.folders[id], self.loose.get(id, {})
        try:
            plain = houserule.load(folder)
        except (houserule.InvalidGame, houserule.UnknownGame) as wrong:  # it was changed after the server had begun
            raise Refused("game") from wrong
        if not house_rules and not options:
            return plain
        if not set(house_rules) <= {*plain.house_rules, *loose} or len(set(house_rules)) < len(house_rules):
            raise Refused("house-rule")
        try:
            return houserule.load(folder, [str(loose.get(name, name)) for name in house_rules], options)
        except houserule.InvalidGame as wrong:
            raise Refused("option" if options and not house_rules else "house-rule") from wrong

    def offered(self, language: str) -> dict[str, Any]:
        """The first page, in a language that one of the games has; kept, since everybody asks for it."""
        if language not in self._lists:
            varied = {id: [self.game(id, [name]) for name in self.loose.get(id, {})] for id in self.folders}
            games = {id: self.game(id) for id in varied}
            if not any(language in game.languages for game in games.values()) and language != "en":
                return self.offered("en")
            self._lists[language] = offered([described(games[id], language, loose) for id, loose in varied.items()])
        return self._lists[language]


def offered(games: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What a page needs to make a room: games as they are described, and bots."""
    return {"games": games, "bots": bots_here(), "levels": LEVELS}


def house_rules_in(query: Mapping[str, str]) -> list[str]:
    return [name for name in query.get("with", "").split(",") if name][:MOST_LISTED]


def icons_shown(game: Game) -> dict[str, Any]:
    """The drawings of a game's icons, and whom to credit for them."""
    found = drawings(game.path)
    return {"credit": CREDIT if found else "", "icons": found}


def described(game: Game, language: str, varied: Sequence[Game] = ()) -> dict[str, Any]:
    """A game with its house rules, and those that it is varied by elsewhere; each says for how many it is, if it changes that."""
    spoken = language if language in game.languages else game.languages[0]
    titles = {id: title for one in (game, *varied) for id, title in one.titles_of_house_rules(spoken).items()}
    players = {id: both for one in (game, *varied) for id, both in one.players_of_house_rules().items()}
    return {
        "id": game.id,
        "title": game.title(spoken),
        "text": game.text(spoken),
        "players": [game.players[0], game.players[-1]],
        "languages": game.languages,
        "house_rules": [{"id": id, "title": title, "players": players.get(id)} for id, title in titles.items()],
        "options": game.described_options(spoken),
    }


def rules_shown(game: Game, language: str) -> dict[str, Any]:
    """A game for its page: its rulebook in a language with a phrase book, else in English."""
    return shown(game, language if language in (*LANGUAGES, *game.languages) else "en")


@lru_cache(MOST_BOOKS)
def shown(game: Game, language: str) -> dict[str, Any]:
    """The page of a game in a language; kept, since a rulebook takes long."""
    spoken = language if language in LANGUAGES else "en"
    book = rulebook(game, spoken)
    return {
        **described(game, language),
        "language": book.language,
        "heading": book.heading,
        "chapters": plain(book.chapters),
    }


def plain(part: Any) -> Any:
    """A part of a rulebook as plain data; the picture of a piece is told with the place where it lies."""
    if isinstance(part, tuple):
        return [plain(one) for one in part]
    if not is_dataclass(part):
        return part
    found = {one.name: plain(getattr(part, one.name)) for one in fields(part)}
    picture = found.pop("picture", {})
    return {**found, **picture}


MOST_KEPT = 16


class Replays:
    """Matches being replayed; each is kept at its last step, so that the next one is quick."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, str], tuple[Match, Match]] = OrderedDict()
        """The former match, and its current step."""
        self._records: OrderedDict[str, Match] = OrderedDict()
        self._lock = threading.Lock()

    def step_of_record(self, catalogue: Catalogue, record: Any, step: int, language: str) -> dict[str, Any]:
        """The table after `step` answers of a record of a game on this server, and the events of the last one. Raises Refused."""
        key = key_of(record)
        played = self._records.get(key) or match_of(catalogue, record)
        self._records[key] = played
        self._records.move_to_end(key)
        if len(self._records) > MOST_KEPT:
            self._records.popitem(last=False)
        return self.step(played, step, language)

    def has(self, record: Any) -> bool:
        return key_of(record) in self._records

    def step(self, played: Match, step: int, language: str) -> dict[str, Any]:
        """The table after `step` answers, and the events of the last one. Raises Refused."""
        steps = len(played.answers)
        if step > steps:
            raise Refused("step")
        spoken = language if language in played.game.languages else played.language
        with self._lock:
            key = (id(played), spoken)
            of, match = self._kept.pop(key, (None, played))
            if of is not played or len(match.answers) > step:
                match = Match.start(played.game, list(played.players), played.seed, played.language)
                match.mixes = played.mixes
            while len(match.answers) < step - 1:
                match.answer(*played.answers[len(match.answers)])
            told = len(match.told_in(spoken).events)
            if len(match.answers) < step:
                match.answer(*played.answers[len(match.answers)])
            else:
                told = 0 if step == 0 else told
            self._kept[key] = played, match
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
            shown = match.told_in(spoken)
            return {
                "step": step,
                "steps": steps,
                "by": played.answers[step - 1][0] if step else None,
                "scene": {**scene(shown, None).as_dict(), "question": None},
                "log": [chronicle(shown).to_json(event) for event in shown.events[told:]],
            }


def key_of(record: Any) -> str:
    try:
        return hash_of(json.dumps(record, sort_keys=True))
    except RecursionError as wrong:
        raise Refused("record") from wrong


def match_of(catalogue: Catalogue, found: Any) -> Match:
    """The match of a record. Only games and house rules on this server are played, never rules in the record. Raises Refused."""
    try:
        record = Record.from_json(found)
    except InvalidRecord as wrong:
        raise Refused("record") from wrong
    if record.given is not None:
        raise Refused("record")
    house_rules = [Path(name).stem for name in record.variants]
    game = catalogue.game(record.game, house_rules, record.options)
    if game.rules_hash != record.rules:
        raise Refused("record-rules")
    try:
        return replay(record, game)
    except (InvalidRecord, RuleFault) as wrong:
        raise Refused("record") from wrong


@dataclass(slots=True)
class Clock(AsDict):
    """The seconds that are left to answer a question. As they run, they are told once."""

    question: str
    left: float = field(compare=False)


UNSAID = object()
"""Marks a part that a viewer has not been sent."""


@dataclass(slots=True)
class Shown:
    """What a viewer may see of a room at a moment: parts by name, and the log, with its number of events.

    The log is the narrator's own, which only grows, so that it needs no copy.
    """

    parts: dict[str, Any] = field(default_factory=dict)
    log: list[Event] = field(default_factory=list)
    events: int = 0
    told: Chronicle | None = None

    def since(self, before: Shown) -> dict[str, Any]:
        """The changes since the last time; empty if there are none."""
        found: dict[str, Any] = {}
        for name, part in self.parts.items():
            old = before.parts.get(name, UNSAID)
            if old is part or old == part:
                continue
            if isinstance(part, Scene) and isinstance(old, Scene):
                found["changes"] = scene_changes(old, part)
            else:
                found[name] = part
        kept = self.kept(before)
        if kept < max(before.events, self.events):
            new = self.log[kept : self.events]
            found["log"] = {"from": kept, "events": [*map(self.told.to_json, new)] if self.told is not None else []}
        return found

    def beside(self, **parts: Any) -> Shown:
        """What is shown, with further parts."""
        return replace(self, parts={**self.parts, **parts})

    def kept(self, before: Shown) -> int:
        """How many events of the former log are still valid: all, or none after an undo."""
        if self.log is before.log:
            return before.events
        begun = self.events >= before.events and before.log[: before.events] == self.log[: before.events]
        return before.events if begun else 0


def table_shown(room: Room, seat: int, language: str) -> Shown:
    """The table of a room as a seat or a spectator sees it, in a language."""
    found = Shown({"undo": None, "fault": room.fault, "scene": None, "question": None, "chosen": None})
    if room.undo is not None:
        found.parts["undo"] = {"seat": room.undo.seat, "asks": seat in room.persons and seat not in room.undo.consents}
    if room.match is None:
        return found
    found.parts["raced"] = room.raced
    match = room.match.told_in(room.spoken(language))
    try:
        made = scene(match, seat)
    except RuleFault as fault:
        return Shown({"fault": room.told_of(fault)})
    if seat in room.reactions:
        made.question = None
    elif made.question is not None:
        found.parts["question"] = room.question(seat)
    if room.secrets.get(seat):
        labels = [secret.labels[room.spoken(language)] for secret in room.secrets[seat]]
        found.parts["chosen"] = {"labels": labels, "question": room.question(seat)}
    if made.question is None and seat in made.turn:  # whoever has answered does not wait for themselves
        made.turn = [one for one in made.turn if one != seat]
        made.seats[seat].is_next = False
    found.parts["scene"] = made
    found.log = match.told(seat).tables[seat]
    found.told = chronicle(match)
    made.changes = [found.told.text(event) for event in last_changes(found.log)]
    found.events = len(found.log)
    return found


def room_shown(room: Room, absent: Collection[int]) -> dict[str, Any]:
    """The public state of the room: its seats, and who is away."""
    settings = room.settings
    return {
        "id": room.id,
        "game": settings.game,
        "titles": {language: room.game.title(language) for language in room.game.languages},
        "house_rules": list(settings.house_rules),
        "house_rule_titles": {
            language: [room.game.titles_of_house_rules(language).get(id) or id for id in settings.house_rules]
            for language in room.game.languages
        },
        "clock": settings.clock,
        "rematch": room.rematch,
        "options": dict(settings.options),
        "languages": room.game.languages,
        "seed_chosen": settings.is_seed_chosen,
        "race_seconds": settings.race_seconds,
        "started": room.match is not None,
        "over": room.match is not None and room.match.is_over,
        "seats": [
            {
                "name": seat.name,
                "bot": seat.bot,
                "level": level_of(seat.bot),
                "taken": seat.is_taken,
                "here": number not in absent,
                "relieved": number in room.relieved,
                "votes": sorted(room.votes.get(number, ())),
            }
            for number, seat in enumerate(room.seats)
        ],
    }


MOST_SHOWN = 5
MOST_READ = 400
"""Pieces of which the looks are compared."""
SEED = 1


@lru_cache(256)
def cover(game: Game) -> dict[str, Any]:
    """The cover, kept since a match has to begin for it; without pieces where the rules fail at once."""
    players = [f"{number}" for number in range(1, max(2, game.players[0]) + 1)][: game.players[-1]]
    try:
        match = Match.start(game, players, SEED, game.languages[0])
    except RuleFault:
        return {"credit": "", "icons": {}, "things": []}
    shown = unlike(looks_of_pieces(match, MOST_READ))
    drawn = drawings(game.path)
    icons = {one.icon: drawn[one.icon] for one in shown if one.icon in drawn}
    return {"credit": CREDIT if icons else "", "icons": icons, "things": [thing(one) for one in shown]}


def thing(look: Look) -> dict[str, Any]:
    """What a page needs to draw a look."""
    found = {name: value for name, value in look._asdict().items() if name not in ("words", "text")}
    return {**found, "is_face_up": True, "count": 1}


def unlike(looks: Iterable[Look]) -> list[Look]:
    """A few looks: first those whose sign and colour are both new, then those of which one is."""
    plain = {(one.shape, one.fill, one.icon or one.symbol): one for one in looks if one.fill or one.icon or one.symbol}
    found: list[Look] = []
    for is_new in (all, any):
        for one in plain.values():
            signs, fills = {other.icon or other.symbol for other in found}, {other.fill for other in found}
            if len(found) < MOST_SHOWN and is_new(((one.icon or one.symbol) not in signs, one.fill not in fills)):
                found.append(one)
    return found
