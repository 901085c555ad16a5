"""Numbers the options of a program: each option of each question gets an item, with a question, a kind and an id."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import prod

from houserule.compiler.program import Program
from houserule.language.checked import Site
from houserule.language.types import Bool, Int, Member, Piece, Player, Tuple, Type, none_of, plain
from houserule.native.blueprint import Cells
from houserule.telling.labels import Labels

WIDEST = 1000
"""A wider range of numbers is one item, and so are more combinations of things that are chosen together: single ones would say
nothing."""


@dataclass(frozen=True, slots=True, order=True)
class Item:
    """Something that can be offered at a question.

    `kind` is the kind of piece or the enum, or `player`, `number`, `truth`, `option` for a line of a menu, `race`, or `pass`;
    `id` is its stable key, or the text of a line of a menu as written; `title` is for people. A combination has the kinds, ids
    and titles of its members.
    """

    step: str
    question: str
    kind: str
    id: str
    title: str


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
        for site in program.sites:
            self._add(site)

    def _add(self, site: Site) -> None:
        """Number the options of a site."""
        values, low = self._values(site)
        self.lowest.append(low)
        self.base.append(len(self.number) - low)
        self.number += [self._numbered(site, *words) for words in values]
        can_pass = site.may_pass or site in self.program.game.secrets.always_put
        self.passing.append(self._numbered(site, "pass", "pass", "pass") if can_pass else -1)
        self.nothing.append(none_of(site.type) if site.kind == "pick" else -1)

    def _numbered(self, site: Site, kind: str, id: str, title: str) -> int:
        """The number of an item; questions with the same wording share their items."""
        question = site.raw or site.name.replace("_", " ")
        key = (site.step, question, kind, id)
        if key not in self._numbers:
            self._numbers[key] = len(self.all)
            self.all.append(Item(site.step, question, kind, id, title))
        return self._numbers[key]

    def _values(self, site: Site) -> tuple[Iterator[Words], int]:
        """The kind, id and title of each value in order, and the lowest value."""
        if site.kind == "race":
            return iter([("race", "join", "join")] * self.program.symbols.players), 0
        if site.kind == "menu":
            return (("option", raw, raw) for raw, _ in site.labels), 0
        return self._values_of(plain(site.type))

    def _values_of(self, type: Type) -> tuple[Iterator[Words], int]:
        """The same for one type."""
        if isinstance(type, Tuple):
            return self._together(type), 0
        match type:
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
            yield " and ".join(next(self._values_of(plain(part))[0])[0] for part in type.of), "any", str(type)
            return
        parts = []
        for part, first, size in zip(type.of, type.lows, type.sizes, strict=True):
            values, low = self._values_of(plain(part))
            parts.append(list(islice(values, first - low, first - low + size)))
        for together in product(*parts):
            kinds, ids, titles = zip(*together, strict=True)
            yield " and ".join(kinds), ", ".join(ids), ", ".join(titles)

    def _pieces(self) -> Iterator[Words]:
        for number, kind in enumerate(self.program.kind_of):
            yield kind.name, kind.id_of(number), self.labels.pieces[number]

    def cells(self, leads: bool) -> Cells:
        """The same for native code that counts them; `leads` says whether it also tracks the lead."""
        sites = enumerate(self.program.sites)
        return Cells(
            tuple(self.number),
            tuple(
                (self.base[n], self.passing[n], self.nothing[n], int(site.kind == "race"), int(self.is_wide(n)))
                for n, site in sites
            ),
            len(self.all),
            tuple(
                (site, tuple(Counter(self.offered(site, options)).items()))
                for site, options in sorted(self.program.fixed.items())
            ),
            leads,
        )

    def is_wide(self, site: int) -> bool:
        return is_wide(plain(self.program.sites[site].type))

    def of(self, site: int, value: int) -> int:
        """The item number of a value at a site."""
        if value == self.nothing[site] and self.passing[site] >= 0:
            return self.passing[site]
        return self.number[self.base[site] + (0 if self.is_wide(site) else value)]

    def offered(self, site: int, options: Sequence[int]) -> list[int]:
        """The item numbers of the options offered."""
        found = [self.of(site, value) for value in options]
        return found if self.passing[site] < 0 else [*found, self.passing[site]]
