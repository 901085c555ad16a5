"""Rattlebones written by hand: a number of players and a seed in, points, decisions and turns out.

The same rules as `games/rattlebones`, as a Python programmer would write them for this one game: objects for sides, dice
and players, a method for each rule, and a callback that makes the decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import combinations
from random import Random
from typing import Any, TypeVar

RINGMASTER_STARTS = {2: 55, 3: 60, 4: 65}
GOODS = {"gold": 20, "star": 20, "ticket": 5}
STAR_PRICES = (0, 3, 7, 11, 15)
RAILWAY = (0, 1, 2, 3, 4, 5)
GAMBLE_FACES = (2, 3, 4, 5, None, None)
ACTION_SIDES = 15
TILES_IN_PLAY = 7

Choose = Callable[[str, Sequence[Any]], Any]
T = TypeVar("T")


class Symbol(Enum):
    RATTLEBONES = "Rattlebones"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    PLUS_1 = "+1"
    PLUS_2 = "+2"
    PLUS_3 = "+3"
    PLUS_4 = "+4"
    PLUS_5 = "+5"
    GOLD = "gold"
    STAR = "star"
    THIEF = "thief"
    ARROW = "arrow"
    RANKING = "1234"
    DOUBLE = "2x"
    GAMBLE = "gamble"
    NINE_PIP = "9 pips"
    AGAIN = "roll again"
    STOCK = "stock"
    TRAIN = "train"


STEPS = {Symbol.TWO: 2, Symbol.THREE: 3, Symbol.FOUR: 4, Symbol.FIVE: 5, Symbol.SIX: 6}
POINTS = {Symbol.PLUS_1: 1, Symbol.PLUS_2: 2, Symbol.PLUS_3: 3, Symbol.PLUS_4: 4, Symbol.PLUS_5: 5}
RAISED = {
    Symbol.PLUS_1: Symbol.PLUS_2,
    Symbol.PLUS_2: Symbol.PLUS_3,
    Symbol.PLUS_3: Symbol.PLUS_4,
    Symbol.PLUS_4: Symbol.PLUS_5,
}
ACTIONS = (
    Symbol.GOLD,
    Symbol.STAR,
    Symbol.THIEF,
    Symbol.ARROW,
    Symbol.RANKING,
    Symbol.DOUBLE,
    Symbol.GAMBLE,
    Symbol.NINE_PIP,
    Symbol.AGAIN,
    Symbol.STOCK,
    Symbol.TRAIN,
)
DOUBLED = {*POINTS, Symbol.GOLD, Symbol.STAR, Symbol.RANKING, Symbol.TRAIN}
PRINTED = (None, Symbol.GOLD, Symbol.PLUS_1, Symbol.STAR, Symbol.PLUS_1, Symbol.TRAIN, Symbol.PLUS_1)
"""What the printed spaces give; None is START."""


@dataclass(eq=False, slots=True)
class Side:
    """A side of a die; `aim` is the place at which an arrow points."""

    symbol: Symbol
    aim: int | None = None


@dataclass(eq=False, slots=True)
class Die:
    """Six sides; the first and the last lie opposite each other, and so on. `up` is the side that was rolled."""

    sides: list[Side]
    up: Side | None = None
    is_resolved: bool = False
    factor: int = 1

    def shows(self) -> Symbol | None:
        """What it counts as: arrows are followed, and a ring of them counts as an arrow."""
        side = self.up
        if side is None:
            return None
        for _ in range(len(self.sides) - 1):
            if side.aim is None:
                break
            side = self.sides[side.aim]
        return side.symbol

    def waits(self) -> bool:
        return self.up is not None and not self.is_resolved


@dataclass(eq=False, slots=True)
class Player:
    """Someone at the table, with what lies before them; `choose` picks one of the options put to them."""

    seat: int
    choose: Choose
    dice: list[Die]
    points: int = 0
    goods: dict[str, int] = field(default_factory=lambda: dict.fromkeys(GOODS, 0))
    monkeys: list[int] = field(default_factory=lambda: [0, 0, 0])


class ShowIsOver(Exception):
    """Somebody's points have reached Rattlebones."""


class Rattlebones:
    """One playing of the game, from set-up to the end of the show."""

    def __init__(self, players: int, seed: int, choose: Choose | None = None) -> None:
        self.random = Random(seed)
        self.players = [
            Player(seat, choose or self.choose_anything, [starting_die() for _ in range(3)]) for seat in range(players)
        ]
        self.supply = dict.fromkeys(ACTIONS, ACTION_SIDES)
        self.supply.update({symbol: 6 - points for symbol, points in POINTS.items()})
        self.ringmaster = RINGMASTER_STARTS[players]
        self.train = 0
        self.decisions = 0
        self.turns = 0
        tiles = [*ACTIONS, Symbol.PLUS_1]
        self.random.shuffle(tiles)
        self.track = [symbol for pair in zip(PRINTED, tiles[:TILES_IN_PLAY], strict=True) for symbol in pair]
        self.starter = self.random.randrange(players)

    def choose_anything(self, _question: str, options: Sequence[Any]) -> Any:
        return self.random.choice(options)

    def play(self) -> None:
        try:
            while True:
                for me in self.players[self.starter :] + self.players[: self.starter]:
                    self.take_turn(me)
        except ShowIsOver:
            pass

    def ask(self, player: Player, question: str, options: Sequence[T]) -> T:
        self.decisions += 1
        answer: T = player.choose(question, options)
        return answer

    def opponents(self, me: Player) -> list[Player]:
        return self.players[me.seat + 1 :] + self.players[: me.seat]

    # A turn

    def take_turn(self, me: Player) -> None:
        self.turns += 1
        for die in me.dice:
            die.up = None
            die.is_resolved = False
            die.factor = 1
        most = min(3, 1 + me.goods["gold"])
        picked = self.ask(me, "dice", [some for size in range(1, most + 1) for some in combinations(me.dice, size)])
        me.goods["gold"] -= len(picked) - 1
        self.roll(picked)
        self.roll_again(me)
        self.resolve_all(me)

    def roll(self, dice: Sequence[Die]) -> None:
        for die in dice:
            die.up = self.random.choice(die.sides)

    def roll_again(self, me: Player) -> None:
        chain = [die for die in me.dice if die.shows() is Symbol.AGAIN]
        spare = [die for die in me.dice if die.up is None]
        while chain and spare:
            extra = self.ask(me, "extra", spare)
            spare.remove(extra)
            chain.append(extra)
            self.roll(chain)
            if not any(die.shows() is Symbol.AGAIN for die in chain):
                return

    def resolve_all(self, me: Player) -> None:
        waiting = [die for die in me.dice if die.up is not None]
        while len(waiting) > 1:
            die = self.ask(me, "die", waiting)
            waiting.remove(die)
            die.is_resolved = True
            self.resolve(me, die)
        for die in waiting:
            self.resolve(me, die)

    def resolve(self, me: Player, die: Die) -> None:
        symbol = die.shows()
        assert symbol is not None
        if symbol in STEPS:
            self.walk(me, die, STEPS[symbol])
        elif symbol in POINTS:
            self.score(me, POINTS[symbol] * die.factor)
        elif symbol is Symbol.RATTLEBONES:
            self.lower_ringmaster()
            self.walk(me, die, 1)
        elif symbol is Symbol.GOLD:
            self.take(me, "gold", die.factor)
        elif symbol is Symbol.STAR:
            self.take(me, "star", die.factor)
        elif symbol is Symbol.THIEF:
            self.steal(me)
        elif symbol is Symbol.RANKING:
            rank = 1 + sum(player.points > me.points for player in self.players)
            self.score(me, rank * die.factor)
        elif symbol is Symbol.DOUBLE:
            targets = [other for other in me.dice if other.waits() and other.shows() in DOUBLED]
            if targets:
                self.ask(me, "target", targets).factor *= 2
        elif symbol is Symbol.GAMBLE:
            self.gamble(me)
        elif symbol is Symbol.NINE_PIP:
            self.walk(me, die, self.ask(me, "steps", range(1, 10)))
        elif symbol is Symbol.STOCK:
            self.take(me, "ticket", 1)
            if self.left("ticket") == 0:
                self.pay_tickets()
        elif symbol is Symbol.TRAIN:
            fare = RAILWAY[self.train]
            self.train = (self.train + 1) % len(RAILWAY)
            self.score(me, fare * die.factor)

    # Monkeys and sides

    def walk(self, me: Player, die: Die, steps: int) -> None:
        start = self.ask(me, "runner", list(dict.fromkeys(me.monkeys)))
        goal = (start + steps) % len(self.track)
        me.monkeys[me.monkeys.index(start)] = goal
        self.arrive(me, die, goal)

    def arrive(self, me: Player, die: Die, space: int) -> None:
        wanted = self.track[space]
        if wanted is None:
            self.sell_stars(me)
            return
        if wanted is Symbol.PLUS_1:
            can_be_raised = [side for side in die.sides if side.symbol in RAISED and self.supply[RAISED[side.symbol]]]
            if can_be_raised:
                raised = self.ask(me, "raised", [*can_be_raised, None])
                if raised is not None:
                    self.replace(me, die, raised, RAISED[raised.symbol])
                    return
        if self.supply[wanted]:
            replaceable = [side for side in die.sides if side.symbol is not Symbol.RATTLEBONES]
            old = self.ask(me, "old", [*replaceable, None])
            if old is not None:
                self.replace(me, die, old, wanted)

    def sell_stars(self, me: Player) -> None:
        most = min(4, me.goods["star"])
        if most:
            amount = self.ask(me, "amount", [*range(1, most + 1), None])
            if amount is not None:
                me.goods["star"] -= amount
                self.score(me, STAR_PRICES[amount])

    def replace(self, me: Player, die: Die, old: Side, symbol: Symbol) -> None:
        place = die.sides.index(old)
        if old.symbol in self.supply:
            self.supply[old.symbol] += 1
        self.supply[symbol] -= 1
        new = Side(symbol)
        die.sides[place] = new
        if symbol is Symbol.ARROW:
            beside = [other for other in range(6) if other not in (place, 5 - place)]
            new.aim = self.ask(me, "target", beside)

    # What rolled sides do

    def score(self, me: Player, points: int) -> None:
        me.points += points
        self.check_end()

    def lower_ringmaster(self) -> None:
        self.ringmaster -= 1
        self.check_end()

    def check_end(self) -> None:
        if any(player.points >= self.ringmaster for player in self.players):
            raise ShowIsOver

    def left(self, good: str) -> int:
        return GOODS[good] - sum(player.goods[good] for player in self.players)

    def take(self, me: Player, good: str, amount: int) -> None:
        me.goods[good] += min(amount, self.left(good))

    def steal(self, me: Player) -> None:
        for victim in self.opponents(me):
            held = [good for good, amount in victim.goods.items() if amount]
            if held:
                prey = self.ask(me, "prey", held)
                victim.goods[prey] -= 1
                me.goods[prey] += 1

    def gamble(self, me: Player) -> None:
        face = self.random.choice(GAMBLE_FACES)
        if face is None:
            self.lower_ringmaster()
        else:
            self.score(me, face)

    def pay_tickets(self) -> None:
        tickets = {player.seat: player.goods["ticket"] for player in self.players if player.goods["ticket"]}
        most = max(tickets.values())
        leaders = [seat for seat, number in tickets.items() if number == most]
        next_most = max((number for number in tickets.values() if number < most), default=0)
        seconds = [seat for seat, number in tickets.items() if number == next_most]
        if not seconds:
            self.players[leaders[0]].points += 15
        elif len(leaders) == 1:
            self.players[leaders[0]].points += 10
            for seat in seconds:
                self.players[seat].points += 5 // len(seconds)
        else:
            for seat in leaders:
                self.players[seat].points += 7
            self.players[seconds[0]].points += 2
        for player in self.players:
            player.goods["ticket"] = 0
        self.check_end()

    def winners(self) -> list[int]:
        keys = [(player.points, sum(player.goods.values())) for player in self.players]
        return [seat for seat, key in enumerate(keys) if key == max(keys)]


def starting_die() -> Die:
    """Rattlebones, and the numbers from 2 to 6."""
    return Die([Side(symbol) for symbol in (Symbol.RATTLEBONES, *STEPS)])


def play(players: int, seed: int) -> dict[str, Any]:
    """Plays one game with players who choose at random; the points stand in the order of the seats."""
    game = Rattlebones(players, seed)
    game.play()
    return {
        "points": [player.points for player in game.players],
        "decisions": game.decisions,
        "turns": game.turns,
        "winners": game.winners(),
    }
