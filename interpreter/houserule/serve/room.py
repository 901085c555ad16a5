"""A room: its seats and its match, determined by its settings and entries, so that every process computes the same."""

from __future__ import annotations

import hmac
import logging
import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houserule.printable import printable
from houserule.serve.levels import LEVELS, is_bot_word
from houserule.serve.protocol import Refused, Shape, has_shape, is_number, is_text, is_truth


class Unreadable(ValueError):
    """What is stored of a room cannot be read: it was not stored by us. The sentence says what is wrong."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An event in a room. Entries of a room are numbered from 0, without gaps, and never change.

    Whether its kind and content are what they should be is seen when it is applied.
    """

    number: int
    kind: str
    content: dict[str, Any]
    moment: float | None = field(default=None, compare=False)
    """When it was stored, by the clock of the process that did so; None if it is new."""


if TYPE_CHECKING:
    from houserule import Choice, Game, Match, Option, RuleFault

log = logging.getLogger("houserule.serve")
LONGEST_NAME = 24
FILLERS = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Letters, marks and patterns that are invisible."""
Decided = tuple[str, dict[str, Any]]
"""An entry to store: its kind, and its content."""


MOST_LISTED = 40
SHORTEST_TIME, LONGEST_TIME = 10, 7 * 86_400
"""The time to think in seconds, for a turn or for a match."""
STAND_IN = LEVELS["medium"]
"""The bot that plays for somebody who is away, or whose time is over."""
SHORTEST_RACE, USUAL_RACE, LONGEST_RACE = 3, 10.0, 60
"""The length of a race in seconds."""


def is_count(value: Any) -> bool:
    """Whether a value is a whole number from 0 up, which JavaScript can represent."""
    return type(value) is int and 0 <= value < 2**53


LATEST = 999_999_999.0
"""The milliseconds after which all reactions to a race are equally late: more than eleven days."""


def is_time(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= LATEST


def is_hash(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None


def is_clock(value: Any) -> bool:
    """Whether a value is the time that players have: `per` turn or match, and how many `seconds`; or none."""
    if value is None:
        return True
    return (
        has_shape(value, {"per": lambda per: per in ("turn", "match"), "seconds": is_number})
        and SHORTEST_TIME <= value["seconds"] <= LONGEST_TIME
    )


def is_list_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list | tuple) and len(value) <= MOST_LISTED and all(map(fits, value))


SETTINGS: Shape = {
    "game": is_text,
    "rules": is_text,
    "seats": is_list_of(lambda bot: bot is None or (is_text(bot) and is_bot_word(bot))),
    "seed": is_count,
    "house_rules": is_list_of(is_text),
    "options": lambda value: (
        isinstance(value, dict) and all(is_text(one) or type(one) is int for one in value.values())
    ),
    "is_seed_chosen": is_truth,
    "race_seconds": lambda value: is_time(value) and SHORTEST_RACE <= value <= LONGEST_RACE,
    "clock": is_clock,
    "is_open": is_truth,
    "asks_anyway": is_truth,
}
"""What is stored of the settings of a room."""
MOST_BEFORE = 400
"""How often people come and go before a match begins, since all of it is read whenever the room is opened."""
MOST_TAKEN_BACK = 1000
"""How often answers are taken back in a match, and as often secret ones by each person: all of it is stored and read."""
PLAYED_AGAIN, MOST_EARLIER = 32, 8
"""Where answers are taken back, about so many are played again, from the latest of so many copies of the match."""


def is_reaction(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and is_number(value[0]) and value[1] in ("slap", "pass")


ENTRIES: Mapping[str, Shape] = {
    "claim": {"seat": is_number, "name": is_text, "token": is_hash},
    "leave": {"seat": is_number},
    "start": {},
    "answer": {"seat": is_number, "key": lambda value: isinstance(value, str)},
    "given": {"seat": is_number, "key": lambda value: isinstance(value, str), "took": is_time},
    "change": {"seat": is_number},
    "react": {"seat": is_number, "slap": is_truth, "after": is_time},
    "race": {"order": is_list_of(is_reaction)},
    "undo": {"seat": is_number, "to": is_number},
    "consent": {"seat": is_number, "consents": is_truth},
    "relieve": {"seat": is_number, "away": is_number, "is_decided": is_truth},
    "back": {"seat": is_number},
    "rematch": {"room": is_text},
}
"""The kinds of entries, and what they contain. `answer` is a bot's, and in older rooms a person's, where `given` is now."""


@dataclass(frozen=True, slots=True)
class RoomSettings:
    """The settings of a room. `seats` has a bot's name for each seat, or None for a person."""

    game: str
    rules: str
    seats: tuple[str | None, ...]
    seed: int
    house_rules: tuple[str, ...] = ()
    options: Mapping[str, int | str] = field(default_factory=dict)
    is_seed_chosen: bool = False
    race_seconds: float = USUAL_RACE
    clock: Mapping[str, Any] | None = None
    is_open: bool = False
    """Whether the first page lists it while seats are free."""
    asks_anyway: bool = False
    """Whether those are asked of whom all can see that they have nothing to choose from, as in rooms of older versions."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_json(found: Any) -> RoomSettings:
        """The settings from plain data of `to_json`. Raises Unreadable."""
        must = ("game", "rules", "seats", "seed")
        if not isinstance(found, dict) or not has_shape(
            found, {name: fits for name, fits in SETTINGS.items() if name in must or name in found}
        ):
            raise Unreadable("the settings are not those of a room")
        lists = {name: tuple(found.get(name, ())) for name in ("seats", "house_rules")}
        return RoomSettings(**{"asks_anyway": True, **found, **lists})


@dataclass(slots=True)
class Seat:
    """A seat: who sits there, and the hash of their token."""

    name: str = ""
    bot: str | None = None
    token: str = ""

    @property
    def is_taken(self) -> bool:
        return self.bot is not None or bool(self.token)


@dataclass(slots=True)
class Undo:
    """A request to take back an answer and what followed: how many answers stay, and who has agreed."""

    seat: int
    to: int
    consents: set[int]


@dataclass(frozen=True, slots=True)
class Secret:
    """An answer that only who gave it knows: what it is called, by language, and the seconds that it took."""

    labels: Mapping[str, str]
    took: float


class Room:
    """The state of a room. Methods that decide change nothing and return an entry, or raise Refused;
    `apply` applies it once it is stored."""

    def __init__(self, id: str, settings: RoomSettings, game: Game) -> None:
        self.id = id
        self.settings = settings
        self.game = game
        self.number = 0  # of the next entry
        self.seats = [Seat(f"Bot {n}" if bot else "", bot) for n, bot in enumerate(settings.seats, 1)]
        self.tells_why = False
        """Whether people read why a rule has failed, which may name what not all of them may know."""
        self.match: Match | None = None
        self.earlier: list[Match] = []
        """Copies of the match as it was, the latest last, from which it is played again when answers are taken back."""
        self.undone = 0
        self.undo: Undo | None = None
        self.denied: set[int] = set()
        """Who may not ask again before the next answer, as the others have not agreed: nobody's clock runs while they decide."""
        self.secrets: dict[int, list[Secret]] = {}
        """The answers that each person has given in secret, until they are revealed."""
        self.changed = [0] * len(self.seats)  # how often each person has taken such an answer back
        self.used = [0.0] * len(self.seats)  # seconds to think, where a clock is set
        self.relieved: set[int] = set()
        """The people for whom a bot plays until they are back."""
        self.votes: dict[int, set[int]] = {}  # by person who is away: who wants a bot to play for them
        self.rematch: str | None = None
        self.reactions: dict[
            int, tuple[float, bool]
        ] = {}  # in a race: by seat the milliseconds after its start, and whether it slaps
        self.race: tuple[int, int] | None = None  # after how many undone and given answers it began
        self.race_moment: float | None = None
        """When the race began, by the clock of the process that stored it; None if it is new."""
        self.raced: list[dict[str, Any]] | None = None
        """Who was how fast in the last race, in milliseconds, the fastest first."""
        self.fault = ""

    # --- queries ------------------------------------------------------------------------------------------------------

    @property
    def persons(self) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if seat.bot is None]

    @property
    def has_free_seat(self) -> bool:
        return self.match is None and not all(seat.is_taken for seat in self.seats)

    def seat_of(self, token: str) -> int:
        """The seat of a token. Raises Refused."""
        hashed = hash_of(token)
        for number, seat in enumerate(self.seats):
            if seat.token and hmac.compare_digest(seat.token, hashed):
                return number
        raise Refused("token")

    def spoken(self, language: str) -> str:
        languages = self.game.languages
        return next((one for one in (language, "en") if one in languages), languages[0])

    def invitation(self, language: str) -> dict[str, Any]:
        """What the first page says of an open room, in a language of its game."""
        spoken = self.spoken(language)
        titles = self.game.titles_of_house_rules(spoken)
        names = [seat.name for seat in self.seats if seat.is_taken]
        return {
            "room": self.id,
            "title": self.game.title(spoken),
            "names": names,
            "free": len(self.seats) - len(names),
            "house_rules": [titles.get(one) or one for one in self.settings.house_rules],
        }

    def playing(self) -> Match:
        """The current match. Raises Refused."""
        if self.match is None:
            raise Refused("not-started")
        if self.match.is_over:
            raise Refused("over")
        return self.match

    def finished(self) -> Match:
        """The match, once it is over: earlier, its seed would reveal everything. Raises Refused."""
        if self.match is None or not self.match.is_over:
            raise Refused("not-over")
        return self.match

    def choices(self) -> list[Choice]:
        """The pending questions; in a race, of those who have not reacted."""
        if self.match is None or self.match.is_over:
            return []
        return [choice for choice in self.match.pending if choice.seat not in self.reactions]

    def question(self, seat: int) -> str:
        """The number of a seat's next question. It reveals nothing of others' answers."""
        assert self.match is not None
        return f"{self.undone + self.changed[seat]}.{self.match.answered[seat]}"

    def choice(self, seat: int, question: str) -> Choice:
        """The question with that number to a seat. Raises Refused if it is not pending."""
        self._see_question(seat, question)
        found = next((choice for choice in self.choices() if choice.seat == seat), None)
        if found is None:
            raise Refused("late" if seat in self.reactions else "not-asked")
        return found

    def _see_question(self, seat: int, question: str) -> None:
        self.playing()
        if question != self.question(seat):
            raise Refused("late")

    def bot_of(self, seat: int) -> str | None:
        """The word of the bot that plays at a seat, for good or for somebody who is away."""
        return STAND_IN if seat in self.relieved else self.seats[seat].bot

    def bots(self) -> list[tuple[int, str, str]]:
        """The bots that are asked: the seat of each, its word, and the number of its question."""
        asked = [(choice.seat, self.bot_of(choice.seat)) for choice in self.choices()]
        return [(seat, word, self.question(seat)) for seat, word in asked if word is not None]

    @property
    def is_secret(self) -> bool:
        """Whether players answer at the same time, and nobody is told of it before all have."""
        return self.match is not None and self.match.state.forks is not None

    @property
    def is_race(self) -> bool:
        return self.match is not None and any(choice.kind == "slap" for choice in self.match.pending)

    # --- deciding -----------------------------------------------------------------------------------------------------

    def see(self, kind: str, content: Mapping[str, Any]) -> None:
        """Check that something can happen now: before it is stored, and when it is read again. Raises Refused."""
        if kind in ("claim", "leave", "start"):
            self._see_before(kind, content)
        elif kind == "rematch":
            self.finished()
            if self.rematch is not None:
                raise Refused("late")
        else:
            self._see_playing(kind, content)

    def _see_before(self, kind: str, content: Mapping[str, Any]) -> None:
        seat, name = content.get("seat", 0), content.get("name", "")
        match kind:
            case _ if self.match is not None:
                raise Refused("started")
            case "claim" | "leave" if seat not in self.persons:
                raise Refused("no-seat")
            case "claim" if self.seats[seat].is_taken:
                raise Refused("taken")
            case "claim" if not is_name(name) or seen(name) in {seen(other.name) for other in self.seats}:
                raise Refused("name")
            case "start" if self.has_free_seat:
                raise Refused("empty-seats")

    def _see_playing(self, kind: str, content: Mapping[str, Any]) -> None:
        playing, seat = self.playing(), content.get("seat", 0)
        match kind:
            case "undo" if self.undo is not None:
                raise Refused("undo-asked")
            case "undo" if self.is_race or seat not in self.persons or content["to"] >= len(playing.answers):
                raise Refused("no-undo")
            case "consent" if self.undo is None or seat in self.undo.consents or seat not in self.persons:
                raise Refused("no-undo-asked")
            case "answer" | "given" | "react" if seat not in [choice.seat for choice in self.choices()]:
                raise Refused("not-asked")
            case "given" | "change" if seat not in self.persons:
                raise Refused("not-asked")
            case "change" if not self.secrets.get(seat):
                raise Refused("late")
            case "relieve" if content["away"] in (seat, *self.relieved) or {seat, content["away"]} - {*self.persons}:
                raise Refused("not-away")
            case "back" if seat not in self.relieved and seat not in self.votes:
                raise Refused("late")
            case "react" | "race" if not self.is_race:
                raise Refused("late")
            case "race" if content["order"] != self._race_order(playing):
                raise Refused("late")

    def decided(self, kind: str, **content: Any) -> Decided:
        """An entry of something that can happen, which can be read again. Raises Refused."""
        if not has_shape(content, ENTRIES[kind]):
            raise Refused("malformed")
        self.see(kind, content)
        return kind, content

    def claim(self, seat: int, name: str, token: str) -> Decided:
        if self.number >= MOST_BEFORE:
            raise Refused("worn-out")
        return self.decided("claim", seat=seat, name=" ".join(name.split()), token=hash_of(token))

    def answer(
        self, seat: int, question: str, answer: str | Sequence[str], language: str, took: float = 0.0
    ) -> Decided:
        choice = self.choice(seat, question)
        return "given", {"seat": seat, "key": self.meant(choice, answer, language).key, "took": round(took, 3)}

    def out_of_time(self, seat: int, question: str, key: str, took: float) -> Decided:
        """A bot has answered for somebody whose time is over."""
        _, content = self.bot_answer(seat, question, key)
        return "given", {**content, "took": round(took, 3)}

    def change(self, seat: int, question: str) -> Decided:
        """A person takes back an answer that is still secret. Nobody else learns of it, so nobody has to agree."""
        self._see_question(seat, question)
        if self.changed[seat] >= MOST_TAKEN_BACK:
            raise Refused("worn-out")
        return self.decided("change", seat=seat)

    def relieve(self, seat: int, away: int, absent: Collection[int]) -> Decided:
        """Somebody wants a bot to play for a person who is away; it does once all who are here want it."""
        if away not in absent:
            raise Refused("not-away")
        wanted, votes = set(self.persons) - self.relieved - set(absent), self.votes.get(away, set())
        if seat in votes and not wanted <= votes:
            raise Refused("late")
        return self.decided("relieve", seat=seat, away=away, is_decided=wanted <= votes | {seat})

    def bot_answer(self, seat: int, question: str, key: str) -> Decided:
        """A bot answers a question; the first option replaces an answer that is no option."""
        choice = self.choice(seat, question)
        return "answer", {"seat": seat, "key": (choice.find(key) or choice.options[0]).key}

    def reaction(self, seat: int, question: str, answer: str | Sequence[str], after: float) -> Decided:
        """A seat reacts in a race, `after` milliseconds after it was shown to them."""
        option = self.choice(seat, question).find(answer)
        if option is None:
            raise Refused("illegal")
        return "react", {"seat": seat, "slap": not option.is_pass, "after": min(round(after, 3), LATEST)}

    def meant(self, choice: Choice, answer: str | Sequence[str], language: str) -> Option:
        """The option for an answer in a viewer's language. Raises Refused.

        Face-down pieces are numbered by the words on their backs, and may have other numbers in another language.
        """
        assert self.match is not None
        spoken = self.match.told_in(language)
        theirs = next(one for one in spoken.pending if one.seat == choice.seat)
        option = theirs.find(list(answer) if not isinstance(answer, str) else answer)
        if option is not None and spoken is not self.match:
            option = same_option(option, choice)
        if option is None:
            raise Refused("illegal")
        return option

    def race_result(self, race: int) -> Decided:
        """The race after `race` answers is over: who slapped, fastest first, and then who did not."""
        match = self.playing()
        if self.race is None or self.race[1] != race:
            raise Refused("late")
        return "race", {"order": self._race_order(match)}

    def _race_order(self, match: Match) -> list[list[Any]]:
        """The seats of a race with what each did, as their reactions decide it."""
        found = []
        for choice in match.pending:
            after, slapped = self.reactions.get(choice.seat, (float("inf"), not choice.may_pass))
            found.append((not slapped, after, choice.seat))
        return [[seat, "pass" if passes else "slap"] for passes, _, seat in sorted(found)]

    def another(self, seed: int, is_seed_chosen: bool) -> tuple[RoomSettings, list[Seat]]:
        """The settings of a room for the same people, each one seat further, and who sits there."""
        seats = [*self.seats[1:], self.seats[0]]
        words = tuple(seat.bot for seat in seats)
        return replace(self.settings, seats=words, seed=seed, is_seed_chosen=is_seed_chosen, is_open=False), seats

    def ask_undo(self, seat: int) -> Decided:
        """A person asks to take back their last answer, and everything that was answered after it.

        They need not ask for one that is still secret.
        """
        match = self.playing()
        if self.secrets.get(seat):
            return self.change(seat, self.question(seat))
        if seat in self.denied:
            raise Refused("undo-denied")
        if self.undone >= MOST_TAKEN_BACK:
            raise Refused("worn-out")
        name = match.players[seat]
        last = next((at for at in range(len(match.answers) - 1, -1, -1) if match.answers[at][0] == name), None)
        return self.decided("undo", seat=seat, to=len(match.answers) if last is None else last)

    # --- changing -----------------------------------------------------------------------------------------------------

    def apply(self, entry: Entry) -> None:
        """Apply an entry. If a rule fails, even so that the match cannot begin, this is kept in `fault`.

        Raises Unreadable if it does not fit: it was not decided by us, and the room cannot be used any more.
        """
        from houserule import RuleFault

        try:
            shape = ENTRIES.get(entry.kind)
            if entry.number != self.number or shape is None or not has_shape(entry.content, shape):
                raise Refused("malformed")
            self.see(entry.kind, entry.content)
            self.number += 1
            self._apply(entry)
        except RuleFault as fault:
            self.fault = self.told_of(fault)
            return
        except Exception as wrong:  # whatever a stranger's entry leads to
            raise Unreadable(f"entry {entry.number} does not fit: {wrong or type(wrong).__name__}") from wrong
        race = (self.undone, len(self.match.answers)) if self.match is not None and self.is_race else None
        if race != self.race:
            self.race, self.race_moment = race, entry.moment

    def _apply(self, entry: Entry) -> None:
        content = entry.content
        self.fault = ""
        match entry.kind:
            case "claim":
                self.seats[content["seat"]] = Seat(content["name"], None, content["token"])
            case "leave":
                self.seats[content["seat"]] = Seat()
            case "start":
                self.match = self.fresh()
            case "answer":
                if content["seat"] in self.persons:
                    self.undo = None
                self._give(content["seat"], content["key"])
            case "given":
                if not self._give(content["seat"], content["key"], content["took"]):
                    self.undo = None  # a secret answer would tell of itself
            case "change":
                self._change(content["seat"])
            case "relieve":
                self._relieve(**content)
            case "back":
                self.relieved.discard(content["seat"])
                self.votes.pop(content["seat"], None)
            case "rematch":
                self.rematch = content["room"]
            case "react":
                self.reactions[content["seat"]] = (content["after"], content["slap"])
            case "race":
                self._end_race(content["order"])
            case "undo":
                self.undo = Undo(content["seat"], content["to"], {content["seat"]})
                self._take_back()
            case "consent":
                self._consent(**content)

    def told_of(self, fault: RuleFault) -> str:
        """What people read of a rule that has failed: where that was, and why if all of it is theirs; the log always has both."""
        log.warning("a rule has failed: %s", printable(str(fault)))
        place = f"{fault.rule} ({Path(fault.span.file).name}:{fault.span.line})"
        return printable(fault.message if self.tells_why else place)

    def fresh(self) -> Match:
        game = self.game.asking_anyway() if self.settings.asks_anyway else self.game
        return game.start([seat.name for seat in self.seats], self.settings.seed, self.spoken("en"))

    def _keep(self) -> None:
        """Keep a copy of the match where the latest one is too far away, and nobody answers in secret."""
        assert self.match is not None
        last = len(self.earlier[-1].answers) if self.earlier else 0
        if self.match.state.forks is None and len(self.match.answers) >= last + PLAYED_AGAIN:
            self.earlier = [*self.earlier[1 - MOST_EARLIER :], self.match.copy()]

    def _before(self, answers: Sequence[tuple[str, str]]) -> Match:
        """The match at the latest copy that these answers go on from, or at its beginning; later copies are forgotten."""
        self.earlier = [one for one in self.earlier if one.answers == answers[: len(one.answers)]]
        return self.earlier[-1].copy() if self.earlier else self.fresh()

    def _end_race(self, order: Sequence[tuple[int, str]]) -> None:
        slapped = sorted((after, seat) for seat, (after, slaps) in self.reactions.items() if slaps)
        self.raced = [{"seat": seat, "after": after} for after, seat in slapped]
        self.reactions = {}
        for seat, key in order:
            self._give(seat, key)

    def _consent(self, seat: int, consents: bool) -> None:
        if self.undo is not None:
            self.undo.consents.add(seat)
            if not consents:
                self.denied.add(self.undo.seat)
        if not consents:
            self.undo = None
        self._take_back()

    def _relieve(self, seat: int, away: int, is_decided: bool) -> None:
        self.votes.setdefault(away, set()).add(seat)
        if is_decided:
            self.relieved.add(away)
            del self.votes[away]
            self._take_back()

    def _give(self, seat: int, key: str, took: float = 0.0) -> bool:
        """Answer a question; whether the answer stays secret. A rule that fails leaves the match unchanged, and its fault is kept."""
        from houserule import RuleFault

        assert self.match is not None
        forks = self.match.state.forks
        labels = self._labels(seat, key) if forks is not None and seat in self.persons else {}
        self.used[seat] += took
        try:
            self.match.answer(seat, key)
        except RuleFault as fault:
            self.fault = self.told_of(fault)
            return False
        self._keep()
        is_secret = forks is not None and self.match.state.forks is forks
        if not is_secret:
            self.secrets.clear()
            self.denied.clear()  # after a secret answer, a request that is possible again would tell of it
        elif seat in self.persons:
            self.secrets.setdefault(seat, []).append(Secret(labels, took))
        return is_secret

    def _labels(self, seat: int, key: str) -> dict[str, str]:
        """What an option is called, by language, as long as it is offered."""
        assert self.match is not None
        found = {}
        option = next(one for one in self.match.pending if one.seat == seat).find(key)
        for language in self.game.languages:
            choice = next(one for one in self.match.told_in(language).pending if one.seat == seat)
            theirs = same_option(option, choice) if option is not None else None
            found[language] = theirs.label if theirs is not None else ""
        return found

    def _change(self, seat: int) -> None:
        """Play the match again without a person's last answer. Those of the others, given at the same time, stay as they are."""
        assert self.match is not None
        answers, secrets = list(self.match.answers), self.secrets
        name = self.match.players[seat]
        del answers[max(at for at, (player, _) in enumerate(answers) if player == name)]
        self.match = self._before(answers)
        for player, key in answers[len(self.match.answers) :]:
            self.match.answer(player, key)
        self.used[seat] -= secrets[seat].pop().took
        self.changed[seat] += 1

    def _take_back(self) -> None:
        if self.undo is None or self.match is None or not set(self.persons) - self.relieved <= self.undo.consents:
            return
        kept = self.match.answers[: self.undo.to]
        self.match = self._before(kept)
        begun = len(self.match.answers)  # how many answers came before those that are secret now
        for at, (player, key) in enumerate(kept[begun:], begun + 1):
            forks = self.match.state.forks
            self.match.answer(player, key)
            self._keep()
            begun = at if self.match.state.forks is not forks else begun
        self.secrets.clear()
        if self.is_secret:
            self.match = self._before(kept[:begun])
            for at, (player, key) in enumerate(kept[len(self.match.answers) :], len(self.match.answers)):
                if at < begun:
                    self.match.answer(player, key)
                else:
                    self._give(self.match.players.index(player), key)
        self.undone += 1
        self.undo = None
        self.reactions = {}


def same_option(option: Option, choice: Choice) -> Option | None:
    """The option that an option is in the same choice in another language."""
    if choice.kind == "several" and not option.is_pass:
        values = option.value if isinstance(option.value, tuple) else (option.value,)
        return choice.find([one.key for one in choice.single if one.value in values])
    same = (one for one in choice.single if one.value == option.value and one.is_pass == option.is_pass)
    return next(same, None) or choice.find("pass")


def hash_of(token: str) -> str:
    """The stored hash of a token, so that nobody who reads the database can take a seat."""
    return sha256(token.encode("utf-8", "replace")).hexdigest()


def seen(name: str) -> str:
    """The visible form of a name: normalised, in one case, without invisible characters and those that look like blanks."""
    same = FILLERS.sub("", unicodedata.normalize("NFKC", name).casefold())
    found = "".join(sign for sign in same if unicodedata.category(sign)[0] not in "CZ")
    return found if any(unicodedata.category(sign)[0] != "M" for sign in found) else ""


def is_name(name: str) -> bool:
    """Whether this can be the name of a player: short, one line, printable, and without a comma."""
    is_short = len(name) <= LONGEST_NAME and seen(name) != ""
    return is_short and printable(name) == name and re.search(r"[,、，]", name) is None
