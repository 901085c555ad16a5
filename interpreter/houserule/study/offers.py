"""Counts how often options were offered and taken, and how those who took them fared: the notes of matches in, counts by item and seat out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from struct import pack
from typing import TYPE_CHECKING, Any

from houserule.compiler.questions import ASKER, SITE, Question, Watch
from houserule.study.extras import numpy
from houserule.study.items import Items

if TYPE_CHECKING:
    from numpy import ndarray

    Numbers = ndarray[Any, Any]

MEASURES = ("offered", "taken", "matches_offered", "matches_taken", "wins_taken", "wins_left")
"""How often it was offered and taken; in how many matches at least once; and the victories of those who took it at least once, and of those
to whom it was offered and who never took it. A shared victory counts as a share."""

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
        self._nothing = np.array(items.nothing or [-1], dtype=np.int64)
        sites = items.program.sites
        self._is_race = np.array([site.kind == "race" for site in sites] or [False])
        self._is_wide = np.array([items.is_wide(site) for site in range(len(sites))] or [False])

    def counted(self, watches: Sequence[Watch], credit: Sequence[Sequence[int]]) -> Numbers:
        """The counts of some matches by measure, seat and item, given what each seat has won in each, in integers."""
        np = numpy()
        size = len(watches) * self.players * self.width
        taken_cells: list[Numbers] = []
        put = self._fixed([watch.fixed for watch in watches], taken_cells)
        counts: Numbers = np.zeros((len(MEASURES), self.players, self.width), dtype=np.int64)
        counts[1], was_taken = self._in_cells(taken_cells, size)
        was_offered = np.zeros_like(was_taken)
        for lists, is_several in ((w.questions for w in watches), False), ((w.several for w in watches), True):
            for part in in_parts(list(lists)):
                offered: list[Numbers] = []
                taken: list[Numbers] = []
                self._open(part, is_several, offered, taken)
                for measure, cells, was in (0, offered, was_offered), (1, taken, was_taken):
                    times, ever = self._in_cells(cells, size)
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
        """The same from the counts of native code, which are six numbers for each seat and item."""
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
        values = np.where(self._is_wide[sites], 0, notes & (1 << ASKER) - 1)
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
        can_pass = self._passing[sites] >= 0
        offered.append(rows[can_pass] * self.width + self._passing[sites[can_pass]])
        if is_several:
            taken.append(self._cells(sites, rows, answers))
            passed = can_pass & (numbers(map(len, answers)) == 0)
        else:
            given = numbers(answers)
            passed = can_pass & (given == self._nothing[sites])
            given[self._is_wide[sites]] = 0
            given = given[~passed]
            taken.append(rows[~passed] * self.width + self._number[self._base[sites[~passed]] + given])
        taken.append(rows[passed] * self.width + self._passing[sites[passed]])

    def _cells(self, sites: Numbers, rows: Numbers, lists: Sequence[Sequence[int]]) -> Numbers:
        """The cells of listed values, given the site and row of each list."""
        np = numpy()
        lengths = numbers(map(len, lists))
        values = numbers(chain.from_iterable(lists))
        of = np.repeat(sites, lengths)
        cells: Numbers = np.repeat(rows, lengths)
        if self._is_race.any():
            cells += np.where(self._is_race[of], values, 0)
        if self._is_wide.any():
            values[self._is_wide[of]] = 0
        cells = cells * self.width + self._number[self._base[of] + values]
        return cells

    def _first_rows(self, lists: Sequence[Sequence[object]]) -> Numbers:
        """For each note, the row of the first seat of its match."""
        np = numpy()
        rows: Numbers = np.repeat(np.arange(len(lists)) * self.players, [len(notes) for notes in lists])
        return rows

    def _in_cells(self, cells: Sequence[Numbers], size: int) -> tuple[Numbers, Numbers]:
        """How often each seat had each item, and in which matches at least once."""
        np = numpy()
        found = np.concatenate([np.zeros(0, dtype=np.int64), *cells])
        seats = self.players * self.width
        was: Numbers = np.zeros(size, dtype=bool)
        was[found] = True
        return np.bincount(found % seats, minlength=seats).reshape(self.players, -1), was.reshape(
            -1, self.players, self.width
        )
