"""Options: which were offered and taken, and what they are called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, product
from math import prod
from struct import pack
from typing import TYPE_CHECKING, Any

from houserule.compiler.program import Program
from houserule.compiler.questions import ASKER, SITE, Question, Watch, about, counted_sites
from houserule.language.checked import Site
from houserule.language.types import Bool, Int, Member, Piece, Player, Tuple, Type, none_of, plain
from houserule.native.blueprint import Cells
from houserule.study.figures import numpy
from houserule.telling.labels import Labels

if TYPE_CHECKING:
    from houserule.study.figures import Numbers

WIDEST = 1000
"""A wider range of numbers is one item, and so are more combinations of things that are chosen together: single ones would say
nothing."""


@dataclass(frozen=True, slots=True, order=True)
class Item:
    """Something that can be offered at a question.

    `kind` is the kind of piece or the enum, or `player`, `number`, `truth`, `option` for a line of a menu, `race`, or `pass`;
    `id` is its stable key, or the text of a line of a menu as written; `title` is for people. A combination has the kinds, ids
    and titles of its members. `about` is the id of the piece or member that the question names, `sort` its kind, and `thing` its title.
    """

    step: str
    question: str
    about: str
    kind: str
    id: str
    title: str
    sort: str = ""
    thing: str = ""


SORTS = ("option", "race", "truth", "player", "number", "pass")
"""Kinds of items that are not things of the game."""
TOGETHER = " and "
"""What joins the kinds of things that are chosen together."""
Words = tuple[str, str, str]
"""The kind, id and title of an item."""


def is_wide(type: Type) -> bool:
    return (isinstance(type, Int) and type.high - type.low >= WIDEST) or (
        isinstance(type, Tuple) and prod(type.sizes) > WIDEST
    )


class Items:
    """The items of a program by number, and the item of each value at each site.

    A value at a site has the number `number[base[site] + value]`. Passing is the answer `nothing[site]` and the item
    `passing[site]`, which is -1 where passing is not allowed. The copies of a piece are one item.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.labels = Labels(program, [str(seat + 1) for seat in range(program.symbols.players)], "en")
        self.all: list[Item] = []
        self.number: list[int] = []
        self.base: list[int] = []
        self.lowest: list[int] = []
        self.passing: list[int] = []
        self.nothing: list[int] = []
        self._numbers: dict[tuple[str, ...], int] = {}
        self.sites, self.first = counted_sites(program.game.sites, program.symbols)
        for number, site in enumerate(self.sites):
            self._add(site, number)

    def _add(self, site: Site, number: int) -> None:
        values, low = self._values(site)
        self.lowest.append(low)
        self.base.append(len(self.number) - low)
        asked = self._asked(site, number)
        self.number += [self._numbered(site, asked, *words) for words in values]
        can_pass = site.may_pass or site in self.program.game.secrets.always_put
        self.passing.append(self._numbered(site, asked, "pass", "pass", "pass") if can_pass else -1)
        self.nothing.append(none_of(site.type) if site.kind == "pick" else -1)

    def _asked(self, site: Site, number: int) -> tuple[str, str, str, str]:
        """A question as written, and the id, the kind and the title of the thing that it is about."""
        question = site.raw or site.name.replace("_", " ")
        known = about(site, self.program.symbols)
        if known is None or number < len(self.program.game.sites):
            return question, "", "", ""
        thing = known.things[number - self.first[site]]
        kind = self.program.symbols.kinds[str(known.type.kind)]
        title = self.labels.pieces[thing] if kind.is_piece else self.labels.member(kind, thing)
        return question, kind.id_of(thing), kind.name, title

    def site_of(self, site: int, values: Sequence[Any]) -> int:
        """The number by which a question is counted, given the values that its prompt names."""
        asked = self.sites[site]
        known = about(asked, self.program.symbols)
        if known is None or values[known.place] not in known.things:
            return site
        return self.first[asked] + known.things.index(values[known.place])

    def _numbered(self, site: Site, asked: tuple[str, str, str, str], kind: str, id: str, title: str) -> int:
        """The number of an item; questions with the same wording about the same thing share their items."""
        question, about, sort, thing = asked
        key = (site.step, question, about, kind, id)
        if key not in self._numbers:
            self._numbers[key] = len(self.all)
            self.all.append(Item(site.step, question, about, kind, id, title, sort, thing))
        return self._numbers[key]

    def _values(self, site: Site) -> tuple[Iterator[Words], int]:
        """The kind, id and title of each value in order, and the lowest value."""
        if site.kind == "race":
            return iter([("race", "join", "join")] * self.program.symbols.players), 0
        if site.kind == "menu":
            return (("option", raw, raw) for raw, _ in site.labels), 0
        return self._values_of(plain(site.type))

    def _values_of(self, type: Type) -> tuple[Iterator[Words], int]:
        match type:
            case Tuple():
                return self._together(type), 0
            case Int() if is_wide(type):
                return iter([("number", "any", "a number")]), 0
            case Int(low, high):
                return (("number", str(value), str(value)) for value in range(low, high + 1)), low
            case Bool():
                return (("truth", word, word) for word in ("false", "true")), 0
            case Player():
                return (("player", str(seat + 1), f"seat {seat + 1}") for seat in range(len(self.labels.names))), 0
            case Member(name):
                kind = self.program.symbols.kinds[name]
                return ((name, kind.id_of(n), self.labels.member(kind, n)) for n in kind.numbers), kind.base
            case Piece():
                return self._pieces(), 0
        raise AssertionError(type)

    def _together(self, type: Tuple) -> Iterator[Words]:
        """Each combination of the things chosen together, or one item if there are many."""
        if is_wide(type):
            yield TOGETHER.join(self._sort_of(plain(part)) for part in type.of), "any", str(type)
            return
        parts = []
        for part, first, size in zip(type.of, type.lows, type.sizes, strict=True):
            values, low = self._values_of(plain(part))
            parts.append(list(islice(values, first - low, first - low + size)))
        for together in product(*parts):
            kinds, ids, titles = zip(*together, strict=True)
            yield TOGETHER.join(kinds), ", ".join(ids), ", ".join(titles)

    def _sort_of(self, type: Type) -> str:
        """The kind of the values of a type: that of the pieces, if it is known, and else that of the first value."""
        kind = self.program.symbols.kind_of(type)
        return kind.name if kind is not None else next(self._values_of(type)[0])[0]

    def _pieces(self) -> Iterator[Words]:
        for number, kind in enumerate(self.program.kind_of):
            yield kind.name, kind.id_of(number), self.labels.pieces[number]

    def printed(self) -> dict[tuple[str, str], dict[str, str]]:
        """What is printed on each piece and member, by kind and id: the value of each attribute that is one word or number."""
        found: dict[tuple[str, str], dict[str, str]] = {}
        for kind in self.program.symbols.kinds.values():
            for number in kind.numbers if kind.attribute_types else ():
                words = {
                    name: self._word(plain(type), kind.attributes[name][number - kind.base])
                    for name, type in kind.attribute_types.items()
                }
                found[kind.name, kind.id_of(number)] = {name: word for name, word in words.items() if word}
        return found

    def _word(self, type: Type, value: Any) -> str:
        """The value of an attribute in words; empty for lists and the like."""
        if not isinstance(value, int):
            return ""
        match type:
            case Int():
                return str(value)
            case Bool():
                return "yes" if value else "no"
            case Member(name) if value >= 0:
                return self.labels.member(self.program.symbols.kinds[name], value)
        return ""

    def cells(self, counts: bool) -> Cells:
        """The cells in which native code notes options; `counts` says whether it counts them."""
        sites = self.sites
        folds = tuple(map(self.fold, range(len(sites))))
        races = tuple(site.kind == "race" for site in sites)
        number, base, passing, nothing = map(tuple, (self.number, self.base, self.passing, self.nothing))
        may_pass = tuple(site.may_pass for site in sites)
        return Cells(number, base, passing, may_pass, nothing, races, folds, len(self.all), counts)

    def fold(self, site: int) -> int:
        """The remainder by which a value counts: 1 if all are one item, the number of lines of a menu with values; else 0."""
        asked = self.sites[site]
        if asked.values and isinstance(asked.type, Tuple):
            return asked.type.sizes[-1]
        return 1 if is_wide(plain(asked.type)) else 0

    def of(self, site: int, value: int) -> int:
        if value == self.nothing[site] and self.passing[site] >= 0:
            return self.passing[site]
        fold = self.fold(site)
        return self.number[self.base[site] + (value % fold if fold else value)]

    def can_pass(self, site: int, options: Sequence[int]) -> bool:
        """Whether passing is one of the answers to a question with these options: a secret question may have no other."""
        return self.passing[site] >= 0 and (self.sites[site].may_pass or not options)

    def ways(self, site: int, options: Sequence[int]) -> int:
        """The number of answers to a question with these options."""
        return len(options) + self.can_pass(site, options)

    def offered(self, site: int, options: Sequence[int]) -> list[int]:
        found = [self.of(site, value) for value in options]
        return [*found, self.passing[site]] if self.can_pass(site, options) else found


MEASURES = ("offered", "taken", "matches_offered", "matches_taken", "wins_taken", "wins_left")
"""How often it was offered and taken; in how many matches at least once; and the victories of those who took it at least once, and of those
to whom it was offered and who never took it. A shared victory counts as a share."""


def may_be_counts(counts: Numbers, matches: int, whole: int) -> bool:
    """Whether counts by measure may come from so many matches, in which all parts of a victory add up to `whole`."""
    offered, taken, matches_offered, matches_taken, wins_taken, wins_left = counts
    most = numpy().minimum(offered, matches)
    are_low = (
        matches_taken <= matches_offered,
        matches_offered <= most,
        matches_taken <= taken,
        taken <= offered,
        wins_taken <= matches_taken * whole,
        wins_left <= (matches_offered - matches_taken) * whole,
    )
    return bool((counts >= 0).all() and all(low.all() for low in are_low))


MOST_AT_ONCE = 1_000_000
"""The number of options that are counted together; a match of thousands of pieces may offer many millions."""


def numbers(items: Iterable[int]) -> Numbers:
    """Numbers as an array; packing them first takes a quarter of the time that NumPy takes for a list."""
    listed = list(items)
    found: Numbers = numpy().frombuffer(bytearray(pack(f"{len(listed)}q", *listed)), dtype="int64")
    return found


def in_parts(lists: list[list[Question]]) -> Iterator[list[list[Question]]]:
    """The questions of some matches, in parts with so few options that counting them takes little memory."""
    if sum([len(question[2]) for questions in lists for question in questions]) <= MOST_AT_ONCE:
        yield lists
        return
    made: list[list[Question]] = [[] for _ in lists]
    options = 0
    for match, questions in enumerate(lists):
        for question in questions:
            made[match].append(question)
            options += len(question[2])
            if options > MOST_AT_ONCE:
                yield made
                made, options = [[] for _ in lists], 0
    yield made


class Offers:
    """Counts options offered and taken in matches of a program, by measure, seat and item.

    A row is a seat of a match, one match after the other; a cell is a row and an item. The cells of a batch are
    counted together, so that counting takes little time beside playing.
    """

    def __init__(self, items: Items) -> None:
        np = numpy()
        self.items = items
        self.players = items.program.symbols.players
        self.width = len(items.all)
        self._number = np.array(items.number or [0], dtype=np.int64)
        self._base = np.array(items.base or [0], dtype=np.int64)
        self._passing = np.array(items.passing or [-1], dtype=np.int64)
        self._may_pass = np.array([site.may_pass for site in items.sites] or [False])
        self._nothing = np.array(items.nothing or [-1], dtype=np.int64)
        sites = items.sites
        self._is_race = np.array([site.kind == "race" for site in sites] or [False])
        self._folds = np.array([items.fold(site) for site in range(len(sites))] or [0], dtype=np.int64)

    def counted(self, watches: Sequence[Watch], credit: Sequence[Sequence[int]]) -> Numbers:
        """The counts of some matches by measure, seat and item, given what each seat has won in each, in integers."""
        np = numpy()
        matches = len(watches)
        taken_cells: list[Numbers] = []
        put = self._fixed([watch.fixed for watch in watches], taken_cells)
        counts: Numbers = np.zeros((len(MEASURES), self.players, self.width), dtype=np.int64)
        counts[1], was_taken = self._in_cells(taken_cells, matches)
        was_offered = np.zeros_like(was_taken)
        for lists, is_several in ((w.questions for w in watches), False), ((w.several for w in watches), True):
            for part in in_parts(list(lists)):
                offered: list[Numbers] = []
                taken: list[Numbers] = []
                self._open(part, is_several, offered, taken)
                for measure, cells, was in (0, offered, was_offered), (1, taken, was_taken):
                    times, ever = self._in_cells(cells, matches)
                    counts[measure] += times
                    was |= ever
        if put is not None:
            for site, options in self.items.program.fixed.items():
                items = self.items.offered(site, options)
                np.add.at(counts[0].T, items, put[:, :, site].sum(axis=0))
                was_offered[:, :, items] |= put[:, :, site : site + 1] > 0
        counts[2], counts[3] = np.count_nonzero(was_offered, axis=0), np.count_nonzero(was_taken, axis=0)
        won = np.array(credit, dtype=np.int64)
        for seat in range(self.players):
            ahead = np.flatnonzero(won[:, seat])  # the matches in which the seat has won at least a share
            parts = won[ahead, seat, np.newaxis]
            had, seen = was_taken[ahead, seat], was_offered[ahead, seat]
            counts[4, seat] = (had * parts).sum(axis=0)
            counts[5, seat] = ((seen & ~had) * parts).sum(axis=0)
        return counts

    def natively(self, counted: bytes) -> Numbers:
        """The counts of options from those of native code, which are six numbers for each seat and item."""
        np = numpy()
        words = np.frombuffer(counted, dtype=np.int64)[: self.players * self.width * len(MEASURES)]
        found: Numbers = words.reshape(self.players, self.width, len(MEASURES)).transpose(2, 0, 1)
        return found

    def _fixed(self, lists: list[list[int]], taken: list[Numbers]) -> Numbers | None:
        """Questions with constant options: how often each was put, by match, seat and site; None if none was."""
        np = numpy()
        if not any(lists):
            return None
        notes = numbers(chain.from_iterable(lists))
        sites, rows = notes >> SITE, self._first_rows(lists) + (notes >> ASKER & (1 << SITE - ASKER) - 1)
        values = self._folded(sites, notes & (1 << ASKER) - 1)
        taken.append(rows * self.width + self._number[self._base[sites] + values])
        kinds = len(self._base)
        put: Numbers = np.bincount(rows * kinds + sites, minlength=len(lists) * self.players * kinds).reshape(
            -1, self.players, kinds
        )
        return put

    def _open(
        self, lists: list[list[Question]], is_several: bool, offered: list[Numbers], taken: list[Numbers]
    ) -> None:
        """Questions with varying options. In a race each option is a seat, asked whether to join."""
        np = numpy()
        if not any(lists):
            return
        sites_, askers, options, answers = zip(*chain.from_iterable(lists), strict=True)
        sites = numbers(sites_)
        first = self._first_rows(lists)
        rows = np.where(self._is_race[sites], first, first + numbers(askers))
        offered.append(self._cells(sites, rows, options))
        can_pass = (self._passing[sites] >= 0) & (self._may_pass[sites] | (numbers(map(len, options)) == 0))
        offered.append(rows[can_pass] * self.width + self._passing[sites[can_pass]])
        if is_several:
            taken.append(self._cells(sites, rows, answers))
            passed = can_pass & (numbers(map(len, answers)) == 0)
        else:
            given = numbers(answers)
            passed = can_pass & (given == self._nothing[sites])
            given = self._folded(sites, given)[~passed]
            taken.append(rows[~passed] * self.width + self._number[self._base[sites[~passed]] + given])
        taken.append(rows[passed] * self.width + self._passing[sites[passed]])

    def _cells(self, sites: Numbers, rows: Numbers, lists: Sequence[Sequence[int]]) -> Numbers:
        np = numpy()
        lengths = numbers(map(len, lists))
        values = numbers(chain.from_iterable(lists))
        of = np.repeat(sites, lengths)
        cells: Numbers = np.repeat(rows, lengths)
        if self._is_race.any():
            cells += np.where(self._is_race[of], values, 0)
        values = self._folded(of, values)
        cells = cells * self.width + self._number[self._base[of] + values]
        return cells

    def _folded(self, sites: Numbers, values: Numbers) -> Numbers:
        if not self._folds.any():
            return values
        folds = self._folds[sites]
        found: Numbers = numpy().where(folds > 0, values % numpy().maximum(folds, 1), values)
        return found

    def _first_rows(self, lists: Sequence[Sequence[object]]) -> Numbers:
        np = numpy()
        rows: Numbers = np.repeat(np.arange(len(lists)) * self.players, [len(notes) for notes in lists])
        return rows

    def _in_cells(self, cells: Sequence[Numbers], matches: int) -> tuple[Numbers, Numbers]:
        """How often each seat had each item, and in which matches at least once."""
        np = numpy()
        found = np.concatenate([np.zeros(0, dtype=np.int64), *cells])
        seats = self.players * self.width
        was: Numbers = np.zeros(matches * seats, dtype=bool)
        was[found] = True
        times = np.bincount(found % max(1, seats), minlength=seats)[:seats]
        return times.reshape(self.players, self.width), was.reshape(matches, self.players, self.width)
