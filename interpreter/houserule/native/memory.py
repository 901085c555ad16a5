"""The memory layout of a translated program: the state, constants, the arena after them, and the rows of results."""

from __future__ import annotations

import ast
from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from math import isqrt
from typing import Any

from houserule.compiler.program import Program
from houserule.compiler.runtime import DEEPEST
from houserule.native.blueprint import Blueprint
from houserule.native.values import LIST, Op, Untranslatable, i32
from houserule.operations.fuel import FUEL
from houserule.running.playout import ENDINGS, MOST_SEED, Outcome

START = 1024
"""The lowest address in use."""
WORD = 8
TWISTED = 624 * 4
"""The bytes of the words of a twister;"""
LANE = TWISTED + 16
"""of these and the first ones again;"""
GENERATOR = 112 + LANE
"""and of a whole generator: see `chance.wat`."""
SEEDED = 16
"""The matches whose generators are seeded together."""
MOST_WAITING = 256
"""The most waiting triggers; a match with more is played in Python."""
ORDERED = 8
"""The numbers that say what to search: see `search.wat`."""
MOST_TEXT = 128
"""The bytes of a text of which a digest is made (see `seeds.wat`);"""
MOST_BEGUN = MOST_TEXT - 20
"""without those of the greatest number of 64 bits."""
KEYS = 1 << 16
"""Room for the seeds of the matches of a batch, in bytes."""
MARKS = 1 << 11
"""Room after them for the marks of a search, and for its results."""
ROWS = 1 << 18
"""Room for the rows of their results."""
BUCKETS = 1 << 16
"""Room for the tables of a search by their hashes,"""
PATH = 1 << 12
"""for the answers of a pass,"""
MOST_GIVEN = 30
"""for answers that were given before,"""
MOST_OPTIONS = 2000
"""for the keys of so many answers to a question,"""
PLANTED = 1 << 23
"""for the tree,"""
WORLDS = 1 << 19
"""for imagined matches,"""
DEALS = 1 << 17
"""and for what is dealt in them (see `dealing.wat`)."""

RECORDS = 40 << 20
"""Room for matches that a player is shown."""

MOST_AT_WORK = 128
"""The most nested running triggers."""
SLOTS = 4
"""Stored states: two of a `together`, a saved one, and one from Python."""
MOST_CELLS = 1 << 20
"""Room for the notes of a match, in bytes."""
MEASURES = 6
"""Counts for each item and seat."""
MOST_ROUNDS = 4096
"""In a match of more rounds, the course is noted in Python."""
MOST_LISTS = 1 << 17
"""Room for the lists of a stored state, in bytes."""

NUMBERS = (
    "fuel", "reserve", "since", "chances", "unasked", "passes", "depth", "site", "asker", "answer", "pc", "draining", "waits",
    "ending", "low", "high", "inside", "binder", "then", "place", "before_passes", "before_chances", "between",
    "rounds", "leader", "lead_changes", "led_since", "looks", "whole",
)  # fmt: skip
LISTS = ("options", "must", "slapped", "declined", "winners", "to_act")
"""Lists of the state that are in the arena."""


class Memory:
    """The layout, and the constants that translation adds."""

    def __init__(self, blueprint: Blueprint) -> None:
        self.blueprint = blueprint
        self.frame_words = max([blueprint.flow_frame, *blueprint.frame_sizes.values(), 3]) + 1
        self.frame_bytes = self.frame_words * WORD
        self.mersenne = START
        self.generators = [self.mersenne + TWISTED, self.mersenne + TWISTED + GENERATOR]
        self.side = self.generators[-1] + GENERATOR
        self.work = self.side + 3 * SEEDED * 4
        self.lanes = self.work + 2 * SEEDED * TWISTED
        self.text = self.lanes + 2 * SEEDED * LANE
        self.order = self.text + MOST_TEXT + len(blake_start())
        self.keys = self.order + ORDERED * WORD  # what is searched, and its seeds, are written at once
        self.marks = self.keys + KEYS
        self.totals = self.marks + MARKS // 2
        self.rows = self.marks + MARKS
        at = self.state = self.place_search(self.rows + ROWS)
        names = (*NUMBERS, *LISTS, "top")
        self.fields = {name: at + WORD * number for number, name in enumerate(names)}
        at += WORD * len(names)
        self.remembered, at = at, at + 2 * len(blueprint.memories) * WORD
        self.before, at = at, at + self.frame_bytes
        self.v, at = at, at + list_bytes(len(blueprint.variables))
        self.w, at = at, at + list_bytes(len(blueprint.places))
        self.zones: list[int] = []
        for room in blueprint.rooms:
            self.zones.append(at)
            at += list_bytes(room)
        self.queue, at = at, at + list_bytes(3 * MOST_WAITING)
        self.running, at = at, at + list_bytes(MOST_AT_WORK)
        self.frames, at = at, at + (DEEPEST + 2) * self.frame_bytes
        self.state_end = at
        self.fixed = (self.zones or [self.queue])[0] - self.state
        lists = sum(list_bytes(0) for _ in range(len(self.zones) + 2)) + WORD * len(blueprint.places)
        self.slot = (
            self.fixed + lists + (3 * MOST_WAITING + MOST_AT_WORK) * WORD + (self.state_end - self.frames) + MOST_LISTS
        )
        self.mirrored = self.running - self.v  # variables, places, zones and the queue
        self.has_copies = has_copies(blueprint)
        self.mirrors = [0, 0, 0]
        for number in (1, 2) if self.has_copies else ():
            self.mirrors[number] = at - self.v
            at += self.mirrored
        self.first, at = at, at + self.fixed + lists + self.frame_bytes + 4 * WORD
        self.slots, at = at, at + SLOTS * self.slot
        self.kept, self.loaded = self.slots + 2 * self.slot, self.slots + 3 * self.slot
        cells = blueprint.cells.bytes(blueprint.players) if blueprint.cells is not None else 0
        if cells > MOST_CELLS:
            raise Untranslatable("too many things that can be offered")
        self.leaders, at = at, at + (MOST_ROUNDS if blueprint.watched else 0)
        self.tallies, at = at, at + (TALLIES + blueprint.players) * WORD
        self.cells, at = at, at + cells
        self.counts, at = at, at + MEASURES * cells
        layout = blueprint.observed
        self.observed, at = at, at + (layout.size * WORD if layout is not None else 0)
        self.records, at = at, at + (RECORDS if layout is not None else 0)
        self.constants = at
        self.data = bytearray()
        self.known: dict[tuple[Any, ...], int] = {}
        self.nothing = LIST + self.constant(())  # always at the same address
        self.addresses()  # every module needs them, whatever its code needs

    def place_search(self, at: int) -> int:
        """Give the areas of a search their addresses (see `search.wat`); returns the next one."""
        self.found = at
        self.given = self.found + 2 * WORD
        self.buckets = self.given + (MOST_GIVEN + 1) * WORD
        self.own = self.buckets + BUCKETS
        self.path = self.own + WORD * self.blueprint.players
        self.option_keys = self.path + PATH + WORD
        self.chosen = self.option_keys + WORD * (MOST_OPTIONS + 1)
        self.planted = (self.chosen + MOST_OPTIONS + WORD) & -WORD
        self.worlds = self.planted + PLANTED
        self.deals = self.worlds + WORLDS
        self.left = self.deals + DEALS
        self.filled = self.left + 4 * len(self.blueprint.places)
        self.now = self.filled + 4 * len(self.blueprint.places)
        return (self.now + 4 * len(self.blueprint.places) + WORD) & -WORD

    def word_of(self, at: int) -> int:
        """Which word of a stored state is at an address of the state before the second zone."""
        return (at - self.state) // WORD

    def load(self, name: str) -> Op:
        """What reads a field of the state,"""
        return Op("i64.load", i32(self.fields[name]))

    def store(self, name: str, value: Op) -> Op:
        """and what assigns it."""
        return Op("i64.store", i32(self.fields[name]), value)

    @property
    def arena(self) -> int:
        return (self.constants + len(self.data) + 15) & ~15

    def constant(self, items: Sequence[Any]) -> int:
        """The address of a constant list of numbers, or of such lists."""
        key = frozen_list(items)
        found = self.known.get(key)
        if found is None:
            words = [self.constant(item) if isinstance(item, tuple) else item for item in key]
            found = self.known[key] = self.constants + len(self.data)
            self.data += list_image(words, len(words))
        return found

    def room(self, size: int) -> int:
        """The address of so many bytes of which nothing else knows."""
        at = self.constants + len(self.data)
        self.data += bytes(size + -size % WORD)
        return at

    def addresses(self) -> int:
        """The address of the addresses of the zones, 32 bits each."""
        if ("zones",) not in self.known:
            self.known["zones",] = self.constants + len(self.data)
            lists = [*self.zones, self.queue, self.running]
            self.data += b"".join(at.to_bytes(4, "little") for at in lists)
            self.data += bytes(-len(self.data) % WORD)
        return self.known["zones",]

    def image(self) -> bytes:
        """The state before the first step, as stored."""
        blueprint = self.blueprint
        numbers = {**dict.fromkeys(NUMBERS, 0), "fuel": FUEL, "pc": blueprint.entry, "low": 1, "high": 1}
        numbers |= dict.fromkeys(("site", "asker", "answer", "ending", "leader"), -1)
        lists = dict.fromkeys(LISTS, LIST + self.constant(()))
        frame = [-1] * blueprint.flow_frame
        return self.packed(numbers, lists, blueprint.variables, blueprint.places, blueprint.zones, [], [], [frame], b"")

    @cached_property
    def heads(self) -> list[int]:
        """The heads of the lists of a stored state, without their lengths."""
        made = self.blueprint
        rooms = (len(made.variables), len(made.places), *made.rooms, 3 * MOST_WAITING, MOST_AT_WORK)
        return [room << 32 for room in rooms]

    def packed(
        self,
        numbers: Mapping[str, int],
        lists: Mapping[str, int],
        variables: Sequence[int],
        places: Sequence[int],
        zones: Sequence[Sequence[int]],
        queue: Sequence[int],
        running: Sequence[int],
        frames: Sequence[Sequence[int]],
        arena: bytes,
        before: Sequence[int] = (),
    ) -> bytes:
        """A stored state: its integers and variables, its lists with their lengths, its frames, and the arena."""
        top = self.frames + (len(frames) - 1) * self.frame_bytes
        words = [numbers[name] for name in NUMBERS]
        words += (lists[name] for name in LISTS)
        words.append(top)
        words += (LIST + self.constant(()),) * (2 * len(self.blueprint.memories))
        words += before
        words += (0,) * (self.frame_words - len(before))
        for listed, head in zip((variables, places, *zones, queue, running), self.heads, strict=True):
            words.append(len(listed) + head)
            words += listed
        words.append(len(arena))
        for frame in frames:
            words += frame
            words += (0,) * (self.frame_words - len(frame))
        return word_bytes(words) + arena


def named(*owners: object) -> dict[str, float]:
    """The numbers of modules or objects, by their names in capitals: in `*.wat`, `%NAME%` stands for one."""
    return {
        name.upper(): value for one in owners for name, value in vars(one).items() if isinstance(value, int | float)
    }


def word_bytes(words: Sequence[int]) -> bytes:
    return array("q", words).tobytes()


def list_bytes(room: int) -> int:
    return WORD + room * WORD


def list_image(words: Sequence[int], room: int) -> bytes:
    head = len(words).to_bytes(4, "little") + room.to_bytes(4, "little")
    return head + word_bytes(words) + bytes((room - len(words)) * WORD)


def frozen_list(items: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(frozen_list(item) if isinstance(item, list | tuple | range) else number_of(item) for item in items)


def number_of(item: Any) -> int:
    """A number of a constant."""
    if isinstance(item, int):
        return int(item)
    raise Untranslatable(f"a constant list with {type(item).__name__} in it")


def has_copies(blueprint: Blueprint) -> bool:
    """Whether players act at the same time on copies of the state."""
    forks = (
        call
        for tree in blueprint.trees.values()
        for call in returned(tree.body)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "fork"
    )
    return any(isinstance(call.args[-1], ast.Constant) and not call.args[-1].value for call in forks)


def returned(statements: Sequence[ast.stmt]) -> Iterator[ast.expr | None]:
    """What statements return, without looking into expressions."""
    for statement in statements:
        if isinstance(statement, ast.Return):
            yield statement.value
        for name in ("body", "orelse"):
            yield from returned(getattr(statement, name, ()))


def mersenne_start() -> bytes:
    """The 624 words with which seeding begins: `init_genrand(19650218)` of Matsumoto and Nishimura."""
    words = [19650218]
    for i in range(1, 624):
        words.append((1812433253 * (words[-1] ^ (words[-1] >> 30)) + i) & 0xFFFFFFFF)
    return b"".join(word.to_bytes(4, "little") for word in words)


SIGMA = (
    "0123456789abcdef", "ea489fd61c02b753", "b8c052fdae367194", "7931dcbe265a40f8", "905724afe1bc683d",
    "2c6a0b834d75fe19", "c51fed4a0763928b", "db7ec13950f4862a", "6fe9b308c2d714a5", "a2847615fb9e3cd0",
)  # fmt: skip
"""The order in which each round of BLAKE2b takes the words of its text (RFC 7693, section 2.7)."""


@cache
def blake_start() -> bytes:
    """The state from which BLAKE2b begins, and the offsets of the words that it mixes in twelve rounds, as `seeds.wat` takes them."""
    primes = (2, 3, 5, 7, 11, 13, 17, 19)
    state = b"".join((isqrt(prime << 128) & MOST_SEED - 1).to_bytes(8, "little") for prime in primes)
    rounds = [[WORD * int(word, 16) for word in SIGMA[number % len(SIGMA)]] for number in range(12)]
    halves = [half for words in rounds for half in (words[:8], words[8:])]
    return state + bytes(word for half in halves for word in (*half[::2], *half[1::2]))


def seed_key(seed: int | str) -> bytes:
    """The words with which Python seeds a generator: those of an integer, or of a text and its digest."""
    if isinstance(seed, str):
        from hashlib import sha512

        text = seed.encode()
        made = text + sha512(text).digest()
        made = made[::-1].rstrip(b"\0")
    else:
        made = abs(seed).to_bytes((abs(seed).bit_length() + 7) // 8, "little")
    return made + bytes(-len(made) % 4 or (0 if made else 4))


def key_of(seed: int | str) -> bytes:
    """A seed as a batch takes it: the number of words, and the words."""
    key = seed_key(seed)
    return (len(key) // 4).to_bytes(4, "little") + key


# --- results ---------------------------------------------------------------------------------------------------------------

TALLIES = 4
"""Questions, their options, those with one answer, and rounds in which a player decides nothing; then who has decided in this round."""
STATIONS = 12
"""The course of a match has so many parts; between two of them it is noted who leads."""
LEADER_BITS = 5
"""Who leads at the stations stands in one word, the first station in the lowest bits: 0 for nobody, else one more than the seat."""
COURSE = 1 + TALLIES + 1
"""The last words of a watched row: since when the winner has led, the tallies, and who leads between the parts."""
DECISIONS, ENDING, WINNERS, ROUNDS, LEAD_CHANGES, HEAD = 0, 1, 2, 4, 6, 7
"""The words of a row: see `driver.wat`. After the head come the points by line and seat, and then the totals."""


Watched = tuple[Outcome, int, int, Sequence[int]]
"""How a match has ended, its number of rounds, how often the lead changed, and the words of its course."""


class Results:
    """The rows of some matches, in order."""

    def __init__(self, program: Program, words: array[int], size: int) -> None:
        """Rows of `size` words each."""
        self.players = program.symbols.players
        self.words, self.size = words, size
        self.scored = HEAD + self.players * len(program.points)
        """The index of the first total."""
        self.tail = COURSE if program.watched else 0
        """The words of the course, at the end of a row."""

    def __len__(self) -> int:
        return len(self.words) // self.size

    def columns(self) -> list[array[int]]:
        """An array for each word of the matches, without what has decided who wins: the head, points, totals and course."""
        kept = [*range(self.scored + self.players), *range(self.size - self.tail, self.size)]
        return [self.words[place :: self.size] for place in kept]

    def outcomes(self) -> Iterator[Watched]:
        """Each match as `playout` returns it, with its number of rounds, how often the lead has changed, and the words of its course."""
        words, players = self.words, self.players
        for start in range(0, len(words), self.size):
            ends = range(start + HEAD + players, start + self.scored + 2 * players, players)
            *lines, scores = [words[end - players : end].tolist() for end in ends]
            winners = [seat for seat in range(players) if words[start + WINNERS] >> seat & 1]
            ending = ENDINGS[words[start + ENDING]]
            outcome = Outcome(scores, lines, words[start + DECISIONS], winners, ending)
            course = words[start + self.size - COURSE : start + self.size]
            yield outcome, words[start + ROUNDS], words[start + LEAD_CHANGES], course
