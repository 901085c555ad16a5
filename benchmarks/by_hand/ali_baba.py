"""Ali Baba written by hand: a number of players and a seed in, points, decisions and rounds out.

The same rules as `games/ali_baba`, as a Python programmer would write them for this one game: objects for tiles and
players, a dictionary from places to tiles for the pyramid, a method for each power, and a callback that makes the
decisions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import product
from random import Random
from typing import Any

GROUP_POINTS = (0, 1, 3, 6, 10, 15, 21)
PINK_POINTS = 5
BLUE_POINTS = 2
BROWN_POINTS = 2

Choose = Callable[[str, Sequence[Any]], Any]
Place = tuple[int, int, int]
"""Layer, x and y; the layers count from the bottom."""


class Treasure(Enum):
    CARPET = "carpet"
    CHEST = "chest"
    CROWN = "crown"
    RUBY = "ruby"
    STATUE = "statue"
    SWORD = "sword"
    RING = "ring"
    DIAMOND = "diamond"
    LAMP = "lamp"
    NECKLACE = "necklace"


class Colour(Enum):
    PINK = "pink"
    BLUE = "blue"
    BROWN = "brown"
    GREEN = "green"
    YELLOW = "yellow"
    WHITE = "white"


SQUARES = {1: 5, 2: 4, 3: 3, 4: 2}
PLACES: list[Place] = [
    (layer, x, y) for layer, size in SQUARES.items() for x, y in product(range(1, size + 1), repeat=2)
]
BELOW: dict[Place, list[Place]] = {
    (layer, x, y): [(layer - 1, x + dx, y + dy) for dx, dy in product((0, 1), repeat=2)] if layer > 1 else []
    for layer, x, y in PLACES
}
ABOVE: dict[Place, list[Place]] = {place: [above for above in PLACES if place in BELOW[above]] for place in PLACES}
BESIDE: dict[Place, list[Place]] = {
    (layer, x, y): [
        place
        for place in ((layer, x - 1, y), (layer, x, y - 1), (layer, x, y + 1), (layer, x + 1, y))
        if place in BELOW
    ]
    for layer, x, y in PLACES
}


@dataclass(eq=False, slots=True)
class Tile:
    treasure: Treasure
    colour: Colour
    face_up: bool = False


@dataclass(eq=False, slots=True)
class Player:
    """Someone at the table, with the tiles behind their screen and what their white tile forbids."""

    seat: int
    choose: Choose
    score: int = 0
    stash: list[Tile] = field(default_factory=list)
    banned_treasure: Treasure | None = None
    banned_colour: Colour | None = None

    def group(self, treasure: Treasure) -> list[Tile]:
        return [tile for tile in self.stash if tile.treasure is treasure]

    def bans(self, tile: Tile) -> bool:
        return tile.treasure is self.banned_treasure or tile.colour is self.banned_colour


class AliBaba:
    """One playing of the game, from set-up to the last tile."""

    def __init__(self, players: int, seed: int, choose: Choose | None = None) -> None:
        self.random = Random(seed)
        self.players = [Player(seat, choose or self.choose_anything) for seat in range(players)]
        self.cave: dict[Place, Tile] = {}
        self.decisions = 0
        self.rounds = 0
        self.set_up()

    def choose_anything(self, _question: str, options: Sequence[Any]) -> Any:
        return self.random.choice(options)

    def ask(self, player: Player, question: str, options: Sequence[Any]) -> Any:
        self.decisions += 1
        return player.choose(question, options)

    def set_up(self) -> None:
        self.box = [Tile(treasure, colour) for treasure in Treasure for colour in Colour]
        self.random.shuffle(self.box)
        for place in PLACES:
            self.cave[place] = self.box.pop()
        self.uncover(PLACES)
        starter = self.random.randrange(len(self.players))
        self.order = self.players[starter:] + self.players[:starter]

    def play(self) -> None:
        while not all(tile.face_up for tile in self.cave.values()):
            self.play_round()
        if self.cave:
            self.play_round()

    def play_round(self) -> None:
        self.rounds += 1
        for me in self.order:
            self.take_turn(me)
            if not self.cave:
                return

    def take_turn(self, me: Player) -> None:
        me.banned_treasure = me.banned_colour = None
        place = self.ask(me, "taken", self.takeable())
        tile = self.cave.pop(place)
        me.stash.append(tile)
        turned = self.uncover(BELOW[place])
        self.use_power(me, tile, place, turned)

    def takeable(self) -> list[Place]:
        """The places of the tiles that may be taken; bans that leave nothing to take are ignored."""
        lying_open = [place for place, tile in self.cave.items() if tile.face_up]
        return [place for place in lying_open if not self.is_banned(self.cave[place])] or lying_open

    def is_banned(self, tile: Tile) -> bool:
        return any(player.bans(tile) for player in self.players)

    def uncover(self, places: Sequence[Place]) -> int:
        """Turn the tiles face up on which nothing lies any more; how many these are."""
        turned = 0
        for place in places:
            if not any(above in self.cave for above in ABOVE[place]):
                self.cave[place].face_up = True
                turned += 1
        return turned

    # Powers

    def use_power(self, me: Player, tile: Tile, place: Place, turned: int) -> None:
        match tile.colour:
            case Colour.PINK:
                self.may_score(me, PINK_POINTS)
            case Colour.BLUE:
                self.may_score(me, BLUE_POINTS * (1 if place[0] == 1 else turned))
            case Colour.BROWN:
                self.may_score(me, BROWN_POINTS * len(me.group(tile.treasure)))
            case Colour.GREEN:
                self.take_neighbour(me, place)
            case Colour.YELLOW:
                self.take_from_opponents(me)
            case Colour.WHITE:
                self.ban(me)

    def may_score(self, me: Player, points: int) -> None:
        if points and self.ask(me, "score?", (True, False)):
            me.score += points

    def take_neighbour(self, me: Player, place: Place) -> None:
        neighbours = [
            beside
            for beside in BESIDE[place]
            if beside in self.cave and self.cave[beside].face_up and not self.is_banned(self.cave[beside])
        ]
        if not neighbours:
            return
        extra = self.ask(me, "extra", [*neighbours, None])
        if extra:
            me.stash.append(self.cave.pop(extra))
            self.uncover(BELOW[extra])

    def take_from_opponents(self, me: Player) -> None:
        opponents = [player for player in self.players if player is not me and player.stash]
        if not opponents or not self.ask(me, "show?", (True, False)):
            return
        shown = {self.ask(player, "token", player.stash): player for player in opponents}
        prize = self.ask(me, "prize", list(shown))
        shown[prize].stash.remove(prize)
        me.stash.append(prize)

    def ban(self, me: Player) -> None:
        match self.ask(me, "ban?", ("treasure", "colour", None)):
            case "treasure":
                me.banned_treasure = self.ask(me, "treasure", list(Treasure))
            case "colour":
                me.banned_colour = self.ask(me, "colour", list(Colour))

    # The score sheet

    def points(self) -> list[int]:
        return [
            player.score + sum(GROUP_POINTS[size] for size in Counter(tile.treasure for tile in player.stash).values())
            for player in self.players
        ]


def play(players: int, seed: int) -> dict[str, Any]:
    """Plays one game with players who choose at random; the points stand in the order of the seats."""
    game = AliBaba(players, seed)
    game.play()
    return {"points": game.points(), "decisions": game.decisions, "rounds": game.rounds}
