"""Aladdin & the Magic Lamp written by hand: a number of players and a seed in, points, decisions and rounds out.

The same rules as `games/aladdin`, as a Python programmer would write them for this one game: objects for cards, dice
and players, a method for each rule, and a callback that makes the decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from random import Random
from typing import Any, TypeVar

SORCERER_DEPTH = 5
WISHES_PER_CALL = 3
MAJORITY_BONUS = 5
WARDED_SCORPIONS = 2

Choose = Callable[[str, Sequence[Any]], Any]
T = TypeVar("T")


class Metal(Enum):
    BRONZE = "bronze"
    SILVER = "silver"
    GOLD = "gold"


class Stone(Enum):
    EMERALD = "emerald"
    RUBY = "ruby"
    SAPPHIRE = "sapphire"
    DIAMOND = "diamond"


class Ornament(Enum):
    BRACELET = "bracelet"
    RING = "ring"
    NECKLACE = "necklace"


class Sort(Enum):
    GEM = "gem"
    ORNAMENT = "ornament"
    TALISMAN = "talisman"
    SORCERER = "sorcerer"


class Wish(Enum):
    """What a lamp card does; the value is how many such cards there are."""

    DRAW_BRONZE = ("draw bronze", 2)
    DRAW_SILVER = ("draw silver", 2)
    DRAW_GOLD = ("draw gold", 2)
    STEAL_GEM = ("steal gem", 3)
    STEAL_ORNAMENT = ("steal ornament", 2)
    SWAP_GEM = ("swap gem", 2)
    SWAP_ORNAMENT = ("swap ornament", 2)
    SALVAGE = ("salvage", 2)
    DIE_UP = ("die up", 1)
    DIE_DOWN = ("die down", 1)
    DIE_MOVE = ("die move", 1)
    WARD = ("ward", 2)
    PEEK = ("peek", 1)
    GIFT = ("gift", 1)
    TOLL = ("toll", 1)


SET_BONUS = {Metal.BRONZE: 6, Metal.SILVER: 8, Metal.GOLD: 10}
GEM_SCORPIONS = {Metal.BRONZE: (0, 0, 0, 1), Metal.SILVER: (0, 0, 1, 1), Metal.GOLD: (0, 0, 1, 2)}
ORNAMENT_SCORPIONS = (0, 2)
TALISMAN_SCORPIONS = (2, 2, 2)


@dataclass(eq=False, slots=True)
class Card:
    """A chest card or a starting card; `placed_on` and `lone` matter to talismans only."""

    name: str
    sort: Sort
    stone: Stone | None = None
    ornament: Ornament | None = None
    metal: Metal | None = None
    scorpions: int = 0
    placed_on: Stone | None = None
    lone: bool = False


@dataclass(eq=False, slots=True)
class Die:
    pips: int
    slot: Metal


@dataclass(eq=False, slots=True)
class Player:
    """Someone at the table, with what lies before them; `choose` picks one of the options put to them."""

    seat: int
    choose: Choose
    loot: list[Card] = field(default_factory=list)
    dice: list[Die] = field(default_factory=list)
    has_summoned: bool = False
    ward: int = 0

    def shows(self, value: int) -> bool:
        return any(die.pips == value for die in self.dice)

    def die_on(self, metal: Metal) -> Die | None:
        return next((die for die in self.dice if die.slot is metal), None)

    def gems(self) -> list[Card]:
        return [card for card in self.loot if card.sort is Sort.GEM]

    def loose_ornaments(self) -> list[Card]:
        """The ornaments outside complete sets: as many complete sets as possible are protected."""
        sets = {metal: self.sets(metal) for metal in Metal}
        return [
            card
            for card in self.loot
            if card.ornament and card.metal and self.ornaments(card.metal, card.ornament) > sets[card.metal]
        ]

    def takeable(self, sort: Sort) -> list[Card]:
        return self.gems() if sort is Sort.GEM else self.loose_ornaments()

    def ornaments(self, metal: Metal, ornament: Ornament) -> int:
        return sum(card.ornament is ornament and card.metal is metal for card in self.loot)

    def sets(self, metal: Metal) -> int:
        return min(self.ornaments(metal, ornament) for ornament in Ornament)

    def stones(self, stone: Stone) -> int:
        return sum(card.stone is stone or card.placed_on is stone for card in self.loot)


class CaveClosed(Exception):
    """A Sorcerer came out of a chest because of a lamp card: the game ends at once."""


class Aladdin:
    """One playing of the game, from set-up to the last card."""

    def __init__(self, players: int, seed: int, choose: Choose | None = None) -> None:
        self.random = Random(seed)
        self.players = [Player(seat, choose or self.choose_anything) for seat in range(players)]
        self.lamp_deck = [wish for wish in Wish for _ in range(wish.value[1])]
        self.chests = {metal: chest_cards(metal) for metal in Metal}
        self.discard: list[Card] = []
        self.cave_closed = False
        self.decisions = 0
        self.rounds = 0
        self.set_up()

    def choose_anything(self, _question: str, options: Sequence[Any]) -> Any:
        return self.random.choice(options)

    def set_up(self) -> None:
        self.random.shuffle(self.lamp_deck)
        for metal, chest in self.chests.items():
            self.random.shuffle(chest)
            chest.insert(SORCERER_DEPTH, Card(f"{metal.value} sorcerer", Sort.SORCERER))
        start = [Card(f"start {stone.value}", Sort.GEM, stone=stone) for stone in Stone for _ in range(2)]
        self.random.shuffle(start)
        for player in self.players:
            for _ in range(2 if len(self.players) == 2 else 1):
                player.loot.append(start.pop())
        self.discard = start

    def play(self) -> None:
        try:
            while not self.cave_closed:
                self.play_round()
        except CaveClosed:
            self.cave_closed = True

    def play_round(self) -> None:
        self.rounds += 1
        for player in self.players:
            player.has_summoned = False
            player.ward = 0
            player.dice = self.pledge(player)
        for summoner in self.race_for_the_lamp():
            self.call_genie(summoner)
        self.explore()

    def ask(self, player: Player, question: str, options: Sequence[T]) -> T:
        self.decisions += 1
        answer: T = player.choose(question, options)
        return answer

    def ask_if_any(self, player: Player, question: str, options: Sequence[T]) -> T | None:
        return self.ask(player, question, options) if options else None

    def opponents(self, me: Player) -> list[Player]:
        return self.players[me.seat + 1 :] + self.players[: me.seat]

    # Choose a chest

    def pledge(self, me: Player) -> list[Die]:
        """Everybody chooses unseen: nobody's dice are on the table before the last player has chosen."""
        dice: list[Die] = []
        free = list(Metal)
        for _ in range(2 if len(self.players) == 2 else 1):
            slot = self.ask(me, "slot", free)
            dice.append(Die(self.ask(me, "pips", range(1, 7)), slot))
            free.remove(slot)
        return dice

    # Call the Genie

    def race_for_the_lamp(self) -> list[Player]:
        """The players who may make wishes, lowest matched value first; nobody twice in a round.

        Each touch of the lamp counts as a decision.
        """
        showing = {value: [player for player in self.players if player.shows(value)] for value in range(1, 7)}
        self.decisions += len({player.seat for players in showing.values() if len(players) > 1 for player in players})
        summoners = []
        for players in showing.values():
            if len(players) < 2:
                continue
            winner = self.random.choice([player for player in players if not player.has_summoned])
            winner.has_summoned = True
            summoners.append(winner)
        return summoners

    def call_genie(self, me: Player) -> None:
        for wish_number in range(1, WISHES_PER_CALL + 1):
            wish = self.lamp_deck.pop()
            self.lamp_deck.insert(0, wish)
            must_accept = wish_number == WISHES_PER_CALL
            if must_accept or self.ask(me, f"accept {wish.value[0]}?", (True, False)):
                self.grant(wish, me)
                return

    def grant(self, wish: Wish, me: Player) -> None:
        match wish:
            case Wish.DRAW_BRONZE:
                self.take_top(me, Metal.BRONZE)
            case Wish.DRAW_SILVER:
                self.take_top(me, Metal.SILVER)
            case Wish.DRAW_GOLD:
                self.take_top(me, Metal.GOLD)
            case Wish.STEAL_GEM:
                self.steal(me, Sort.GEM)
            case Wish.STEAL_ORNAMENT:
                self.steal(me, Sort.ORNAMENT)
            case Wish.SWAP_GEM:
                self.swap(me, Sort.GEM)
            case Wish.SWAP_ORNAMENT:
                self.swap(me, Sort.ORNAMENT)
            case Wish.SALVAGE:
                self.salvage(me)
            case Wish.DIE_UP:
                self.turn_die(me, 1)
            case Wish.DIE_DOWN:
                self.turn_die(me, -1)
            case Wish.DIE_MOVE:
                self.move_die(me)
            case Wish.WARD:
                me.ward = WARDED_SCORPIONS
            case Wish.PEEK:
                self.peek(me)
            case Wish.GIFT:
                self.give(me)
            case Wish.TOLL:
                self.pay_toll(me)

    def take_top(self, me: Player, metal: Metal) -> None:
        chest = self.chests[metal]
        if not chest:
            return
        card = chest.pop()
        me.loot.append(card)
        if card.sort is Sort.SORCERER:
            raise CaveClosed
        self.place_talismans(me)

    def steal(self, me: Player, sort: Sort) -> None:
        victims = [player for player in self.opponents(me) if player.takeable(sort)]
        victim = self.ask_if_any(me, "victim", victims)
        if victim:
            card = self.ask(me, "prize", distinct(victim.takeable(sort)))
            self.take_from(victim, card)
            me.loot.append(card)

    def swap(self, me: Player, sort: Sort) -> None:
        mine = me.takeable(sort)
        if not mine:
            return
        rival = self.ask_if_any(me, "rival", [player for player in self.opponents(me) if player.takeable(sort)])
        if rival:
            wanted = self.ask(me, "wanted", distinct(rival.takeable(sort)))
            offered = self.ask(me, "offered", distinct(mine))
            me.loot[me.loot.index(offered)] = wanted
            rival.loot[rival.loot.index(wanted)] = offered
            self.leave_talismans_alone(me, offered.stone)
            self.leave_talismans_alone(rival, wanted.stone)

    def salvage(self, me: Player) -> None:
        treasures = [card for card in self.discard if card.sort in (Sort.GEM, Sort.ORNAMENT)]
        card = self.ask_if_any(me, "find", distinct(treasures))
        if card:
            self.discard.remove(card)
            me.loot.append(card)

    def turn_die(self, me: Player, step: int) -> None:
        die = self.ask_if_any(me, "die", [die for die in me.dice if 1 <= die.pips + step <= 6])
        if die:
            die.pips += step

    def move_die(self, me: Player) -> None:
        die = self.ask(me, "die", me.dice)
        die.slot = self.ask(me, "goal", [metal for metal in Metal if not me.die_on(metal)])

    def peek(self, me: Player) -> None:
        chest = self.chests[self.ask(me, "chest", list(Metal))]
        cards = chest[-3:]
        del chest[-3:]
        while len(cards) > 1:
            card = self.ask(me, "deeper", distinct(cards))
            cards.remove(card)
            chest.append(card)
        chest.extend(cards)

    def give(self, me: Player) -> None:
        card = self.ask_if_any(me, "gift", distinct(me.gems() + me.loose_ornaments()))
        if card:
            receiver = self.ask(me, "receiver", self.opponents(me))
            self.take_from(me, card)
            receiver.loot.append(card)

    def pay_toll(self, me: Player) -> None:
        card = self.ask_if_any(me, "toll", distinct(me.gems() + me.loose_ornaments()))
        if card:
            self.take_from(me, card)
            self.discard.append(card)

    def take_from(self, player: Player, card: Card) -> None:
        player.loot.remove(card)
        self.leave_talismans_alone(player, card.stone)

    def leave_talismans_alone(self, player: Player, stone: Stone | None) -> None:
        """When the last real gem of a kind has gone, the talismans on it are worth their point and nothing else."""
        if stone is None or any(card.stone is stone for card in player.loot):
            return
        for card in player.loot:
            if card.placed_on is stone:
                card.placed_on = None
                card.lone = True

    # Search the chests

    def explore(self) -> None:
        searchers = {metal: self.searcher(metal) for metal in Metal}
        for metal, me in searchers.items():
            if me is None:
                continue
            self.search(me, metal)
            later = list(Metal)[list(Metal).index(metal) + 1 :]
            if not any(searchers[other] is me for other in later):
                self.place_talismans(me)

    def searcher(self, metal: Metal) -> Player | None:
        """The lowest value that only one player has put on the chest searches it."""
        pledged = [(die.pips, player) for player in self.players if (die := player.die_on(metal))]
        values = [pips for pips, _ in pledged]
        alone = [(pips, player) for pips, player in pledged if values.count(pips) == 1]
        return min(alone, key=lambda pledge: pledge[0])[1] if alone else None

    def search(self, me: Player, metal: Metal) -> None:
        chest = self.chests[metal]
        die = me.die_on(metal)
        assert die is not None
        haul: list[Card] = []
        scorpions = -me.ward
        while len(haul) < die.pips and chest and self.ask(me, "draw?", (True, False)):
            card = chest.pop()
            haul.append(card)
            scorpions += card.scorpions
            if card.sort is Sort.SORCERER:
                self.cave_closed = True
            if scorpions >= die.pips:
                self.discard.extend(haul)
                return
        me.loot.extend(haul)

    def place_talismans(self, me: Player) -> None:
        for card in me.loot:
            if card.sort is not Sort.TALISMAN or card.placed_on or card.lone:
                continue
            card.placed_on = self.ask_if_any(
                me, "stone", [stone for stone in Stone if any(gem.stone is stone for gem in me.loot)]
            )
            card.lone = card.placed_on is None

    # The score sheet

    def points(self) -> list[int]:
        leaders = {stone: self.leader(stone) for stone in Stone}
        return [
            sum(card.sort is not Sort.SORCERER for card in player.loot)
            + sum(SET_BONUS[metal] * player.sets(metal) for metal in Metal)
            + sum(MAJORITY_BONUS for stone in Stone if leaders[stone] is player)
            for player in self.players
        ]

    def leader(self, stone: Stone) -> Player | None:
        counts = [player.stones(stone) for player in self.players]
        most = max(counts)
        return self.players[counts.index(most)] if counts.count(most) == 1 else None


def chest_cards(metal: Metal) -> list[Card]:
    """The 25 treasures of a chest, the Sorcerer not among them."""
    gems = [
        Card(f"{metal.value} {stone.value}", Sort.GEM, stone=stone, scorpions=scorpions)
        for stone in Stone
        for scorpions in GEM_SCORPIONS[metal]
    ]
    ornaments = [
        Card(f"{metal.value} {ornament.value}", Sort.ORNAMENT, ornament=ornament, metal=metal, scorpions=scorpions)
        for ornament in Ornament
        for scorpions in ORNAMENT_SCORPIONS
    ]
    talismans = [
        Card(f"{metal.value} talisman", Sort.TALISMAN, scorpions=scorpions) for scorpions in TALISMAN_SCORPIONS
    ]
    return gems + ornaments + talismans


def distinct(cards: Iterable[Card]) -> list[Card]:
    """One card for each name: copies that nothing tells apart are one option."""
    return list({card.name: card for card in cards}.values())


def play(players: int, seed: int) -> dict[str, Any]:
    """Plays one game with players who choose at random; the points stand in the order of the seats."""
    game = Aladdin(players, seed)
    game.play()
    return {"points": game.points(), "decisions": game.decisions, "rounds": game.rounds}
