"""Master Thieves written by hand: a number of players and a seed in, points, decisions and rounds out.

The same rules as `games/master_thieves`, as a Python programmer would write them for this one game: objects for the
box, its drawers and the players, a method for each role, and a callback that makes the decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from math import comb
from random import Random
from typing import Any, TypeVar

LEVELS = 3
HIDDEN_DIAMONDS = 12
FAKE_DIAMONDS = 8
FAKE_SAPPHIRES = 2

Choose = Callable[[str, Sequence[Any]], Any]
T = TypeVar("T")


class Stone(Enum):
    """The value is what it is worth."""

    RUBY = 4
    SAPPHIRE = 2
    DIAMOND = 1


class Role(Enum):
    """In the order in which they act."""

    SMUGGLER = "smuggler"
    JEWELER = "jeweler"
    GEMOLOGIST = "gemologist"
    THIEF = "thief"
    MASTER_THIEF = "master thief"
    DETECTIVE = "detective"


@dataclass(eq=False, slots=True)
class Card:
    role: Role
    number: int


@dataclass(eq=False, slots=True)
class Half:
    """The upper or the lower half of a drawer."""

    front: list[Stone] = field(default_factory=list)
    rear: list[Stone] = field(default_factory=list)
    alarm: Player | None = None


@dataclass(eq=False, slots=True)
class Drawer:
    is_long: bool
    halves: tuple[Half, Half] = field(default_factory=lambda: (Half(), Half()))


@dataclass(eq=False, slots=True)
class Player:
    """Someone at the table, with what lies before them; `choose` picks one of the options put to them."""

    seat: int
    choose: Choose
    white: list[Stone] = field(
        default_factory=lambda: [Stone.DIAMOND] * FAKE_DIAMONDS + [Stone.SAPPHIRE] * FAKE_SAPPHIRES
    )
    black: list[Stone] = field(default_factory=list)
    hand: list[Card] = field(default_factory=list)
    played: list[Card] = field(default_factory=list)
    card: Card | None = None
    has_alarm: bool = True
    has_failed: bool = False

    def points(self) -> int:
        return sum(stone.value for stone in self.black) - sum(stone.value for stone in self.white)


class Box:
    """Levels from top to bottom, each with its drawers from the north face clockwise, and which halves face up."""

    def __init__(self) -> None:
        self.levels = [[Drawer(is_long) for is_long in (True, False, True, False)] for _ in range(LEVELS)]
        self.up = 0
        for face in (0, 2):
            for level in self.levels:
                level[face].halves[self.up].rear.append(Stone.RUBY)
            if face == 0:
                self.turn_over()

    def upper(self, drawer: Drawer) -> Half:
        return drawer.halves[self.up]

    def lower(self, drawer: Drawer) -> Half:
        return drawer.halves[1 - self.up]

    def turn(self, levels: int, clockwise: bool) -> None:
        """Turn the upper levels by a quarter."""
        for level in self.levels[:levels]:
            if clockwise:
                level.insert(0, level.pop())
            else:
                level.append(level.pop(0))

    def turn_over(self) -> None:
        """About the line from north to south."""
        self.up = 1 - self.up
        self.levels.reverse()
        for level in self.levels:
            level[1], level[3] = level[3], level[1]


class LastFake(Exception):
    """Somebody has put away the last false stone: the game ends at once."""


class MasterThieves:
    """One playing of the game, from set-up to the last false stone."""

    def __init__(self, players: int, seed: int, choose: Choose | None = None) -> None:
        self.random = Random(seed)
        self.players = [Player(seat, choose or self.choose_anything) for seat in range(players)]
        self.box = Box()
        self.red: list[Stone] = []
        self.decisions = 0
        self.rounds = 0
        for role in Role:
            cards = [Card(role, number) for number in range(1, players + 1)]
            self.random.shuffle(cards)
            for player, card in zip(self.players, cards, strict=True):
                player.hand.append(card)

    def choose_anything(self, _question: str, options: Sequence[Any]) -> Any:
        return self.random.choice(options)

    def play(self) -> None:
        self.hide_diamonds()
        try:
            while True:
                self.play_round()
        except LastFake:
            pass

    def ask(self, player: Player, question: str, options: Sequence[T]) -> T:
        self.decisions += 1
        answer: T = player.choose(question, options)
        return answer

    def any_of(self, options: Sequence[T], most: int) -> list[T]:
        """Several are chosen, every selection equally likely."""
        self.decisions += 1
        sizes = range(min(most, len(options)) + 1)
        size = self.random.choices(sizes, [comb(len(options), size) for size in sizes])[0]
        return self.random.sample(options, size)

    def hide_diamonds(self) -> None:
        starter = self.random.randrange(len(self.players))
        order = self.players[starter:] + self.players[:starter]
        for place, player in enumerate(order):
            opened: set[Drawer] = set()
            for _ in range(len(range(place, HIDDEN_DIAMONDS, len(order)))):
                drawer = self.choose_drawer(player)
                if drawer not in opened:
                    opened.add(drawer)
                    self.red += self.box.lower(drawer).front
                    self.box.lower(drawer).front.clear()
                self.box.upper(drawer).front.append(Stone.DIAMOND)
            self.turn_box(player)

    def choose_drawer(self, me: Player) -> Drawer:
        level, face = self.ask(me, "drawer", [(level, face) for level in range(LEVELS) for face in range(4)])
        return self.box.levels[level][face]

    def turn_box(self, me: Player) -> None:
        levels = self.ask(me, "levels", range(LEVELS))
        if levels:
            self.box.turn(levels, clockwise=self.ask(me, "clockwise", (True, False)))
        if self.ask(me, "turn over", (True, False)):
            self.box.turn_over()

    # A round

    def play_round(self) -> None:
        self.rounds += 1
        for player in self.players:
            player.has_failed = False
            player.card = self.ask(player, "card", player.hand)
        for player in self.acting(Role.SMUGGLER):
            self.act(player, Role.SMUGGLER)
        if len(self.acting(Role.SMUGGLER)) >= len(self.acting(Role.DETECTIVE)):
            self.share_out(Role.SMUGGLER)
        for role in list(Role)[1:]:
            for player in self.acting(role):
                if role is Role.DETECTIVE:
                    self.share_out(role)
                else:
                    self.act(player, role)
        for player in self.players:
            if player.card:
                player.hand.remove(player.card)
                player.played.append(player.card)
                player.card = None
        if not any(player.hand for player in self.players):
            for player in self.players:
                self.players[(player.seat + 1) % len(self.players)].hand = player.played
                player.played = []

    def acting(self, role: Role) -> list[Player]:
        """The players with a role, in the order of their numbers."""
        playing = [(player.card.number, player) for player in self.players if player.card and player.card.role is role]
        return [player for _, player in sorted(playing, key=lambda pair: pair[0])]

    def share_out(self, role: Role) -> None:
        """One stone each and round again, until the red cushion is empty."""
        sharers = [player for player in self.acting(role) if not player.has_failed]
        while self.red and sharers:
            for player in sharers:
                if self.red:
                    stone = self.ask(player, "share", distinct(self.red))
                    self.red.remove(stone)
                    player.black.append(stone)

    def act(self, me: Player, role: Role) -> None:
        drawer = self.choose_drawer(me)
        me.has_failed = self.open(me, drawer)
        if not me.has_failed or role is Role.GEMOLOGIST:
            match role:
                case Role.SMUGGLER:
                    self.smuggle(me, drawer)
                case Role.JEWELER:
                    self.set_alarm(me, drawer)
                case Role.GEMOLOGIST:
                    self.appraise(me, drawer)
                case Role.THIEF:
                    self.take_front(me, drawer)
                case Role.MASTER_THIEF:
                    self.steal_all(me, drawer)
                case _:
                    raise AssertionError(role)
        self.turn_box(me)

    def open(self, me: Player, drawer: Drawer) -> bool:
        """What lies below falls out; whether a stone did."""
        lower = self.box.lower(drawer)
        fallen = lower.front
        lower.front = []
        owner, lower.alarm = lower.alarm, None
        if owner:
            owner.has_alarm = True
        if owner and owner is not me:
            owner.black += fallen
        else:
            self.red += fallen
        return bool(fallen)

    def put_in(self, me: Player, drawer: Drawer, stone: Stone) -> None:
        me.white.remove(stone)
        self.box.upper(drawer).front.append(stone)
        if not me.white:
            raise LastFake

    def smuggle(self, me: Player, drawer: Drawer) -> None:
        upper = self.box.upper(drawer)
        self.red += upper.front
        upper.front.clear()
        stone = self.ask(me, "put in", [*distinct(me.white), None])
        if stone:
            self.put_in(me, drawer, stone)

    def set_alarm(self, me: Player, drawer: Drawer) -> None:
        self.put_in(me, drawer, self.ask(me, "put in", distinct(me.white)))
        upper = self.box.upper(drawer)
        if me.has_alarm and upper.alarm is None and self.ask(me, "alarm", (True, False)):
            upper.alarm = me
            me.has_alarm = False

    def appraise(self, me: Player, drawer: Drawer) -> None:
        self.put_in(me, drawer, self.ask(me, "put in", distinct(me.white)))
        detectives = len(self.acting(Role.DETECTIVE))
        if detectives:
            for stone in self.any_of(me.white, detectives):
                self.put_in(me, drawer, stone)

    def take_front(self, me: Player, drawer: Drawer) -> None:
        upper = self.box.upper(drawer)
        me.black += upper.front
        upper.front.clear()

    def steal_all(self, me: Player, drawer: Drawer) -> None:
        if drawer.is_long and self.ask(me, "pull out", (True, False)):
            upper, lower = self.box.upper(drawer), self.box.lower(drawer)
            if lower.rear:
                upper.rear += lower.rear
                lower.rear.clear()
                me.has_failed = True
                return
            me.black += upper.rear
            upper.rear.clear()
        self.take_front(me, drawer)


def distinct(stones: Sequence[Stone]) -> list[Stone]:
    """Stones that look alike are one option."""
    return list(dict.fromkeys(stones))


def play(players: int, seed: int) -> dict[str, Any]:
    """Play one match at random."""
    game = MasterThieves(players, seed)
    game.play()
    return {
        "points": [player.points() for player in game.players],
        "decisions": game.decisions,
        "rounds": game.rounds,
    }
