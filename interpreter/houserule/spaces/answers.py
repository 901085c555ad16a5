"""The numbering of everything that a game can ever ask for, and the questions of a match in these numbers.

Each question of the rules has a block of numbers, in the order of the rules: one for each value that can be an answer, and one for
passing. What is chosen together has a number for each combination while these are at most `MOST_COMBINED`; otherwise its parts are
answered one after another, and so is a number from a wide range, by its place among the options. Several things are always answered one by one, in any order, until there are enough or `done` is taken.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from random import Random
from typing import Any

from houserule.compiler.program import Program
from houserule.language.checked import Kind, Site
from houserule.language.types import Bool, Int, Maybe, Member, Piece, Player, Tuple, Type, none_of, plain
from houserule.running.state import State

MOST_NUMBERS = 1024
"""A range of numbers that is wider is numbered by the place among the options."""
MOST_LISTED = 100_000
"""The most answers, and the most entries of what a player sees, that a game has as numbers; the largest known game has a tenth."""
Sees = Callable[[int], bool]


def see_amount(number: int, what: str) -> None:
    """Raises ValueError for more numbers than a game may have."""
    if number > MOST_LISTED:
        raise ValueError(f"{what} of this game would be more than {MOST_LISTED:,} numbers")


class Domain(ABC):
    """Numbers from 0 for the values of a type, and what each stands for, as answers are written."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self.size = len(words)

    @abstractmethod
    def slots(self, values: Sequence[int], sees: Sees) -> list[int]:
        """The number of each of these values, which are offered together; all are different."""

    def values(self) -> list[int] | None:
        """All values, where the number of each depends on nothing else; None where it does."""
        return None


class Named(Domain):
    """Values that follow each other."""

    def __init__(self, low: int, words: Sequence[str]) -> None:
        super().__init__(words)
        self.low = low

    def slots(self, values: Sequence[int], sees: Sees) -> list[int]:  # noqa: ARG002  all of them are known
        low = self.low
        return [value - low for value in values]

    def values(self) -> list[int] | None:
        return list(range(self.low, self.low + self.size))


class OrNone(Domain):
    """The values of another domain, and none as the last number."""

    def __init__(self, inner: Domain, none: int) -> None:
        super().__init__([*inner.words, "none"])
        self.inner, self.none = inner, none

    def slots(self, values: Sequence[int], sees: Sees) -> list[int]:
        found = iter(self.inner.slots([value for value in values if value != self.none], sees))
        return [self.inner.size if value == self.none else next(found) for value in values]

    def values(self) -> list[int] | None:
        inner = self.inner.values()
        return None if inner is None else [*inner, self.none]


class ByPlace(Domain):
    """Numbers without narrow bounds: each has that of its place among the options."""

    def __init__(self) -> None:
        super().__init__([f"option {place + 1}" for place in range(MOST_NUMBERS)])

    def slots(self, values: Sequence[int], sees: Sees) -> list[int]:  # noqa: ARG002  all of them are known
        if len(values) > self.size:
            raise ValueError(f"{len(values)} numbers are offered at once, and {self.size} can be told apart")
        return list(range(len(values)))


class Pieces(Domain):
    """Pieces by id. Copies are numbered in the order in which they are offered, and so are hidden pieces, which have numbers of their own."""

    def __init__(self, program: Program, kinds: Sequence[Kind]) -> None:
        words: list[str] = []
        self.first: dict[int, int] = {}  # by piece: the number of the first with its id
        self.is_alone: dict[int, bool] = {}
        for kind in kinds:
            times = Counter(kind.ids)
            starts: dict[str, int] = {}
            for number in kind.numbers:
                id = kind.id_of(number)
                if id not in starts:
                    starts[id] = len(words)
                    words += [id] if times[id] == 1 else [f"{id}#{copy + 1}" for copy in range(times[id])]
                self.first[number], self.is_alone[number] = starts[id], times[id] == 1
        self.seen = len(words)
        names = {kind.name for kind in kinds}
        lying = [number for kind in kinds for number in kind.numbers if program.places[number] >= 0]
        self.may_hide = any(
            program.zone_sight[slot] != "all" and (zone.holds is None or zone.holds in names)
            for slot, zone in enumerate(program.zone_of)
        )
        hidden = len(lying) if self.may_hide else 0
        super().__init__(words + [f"hidden#{copy + 1}" for copy in range(hidden)])
        self.is_plain = not hidden and all(self.is_alone.values())

    def slots(self, values: Sequence[int], sees: Sees) -> list[int]:
        first = self.first
        if self.is_plain:
            return [first[value] for value in values]
        found, times, hidden = [], Counter[int](), self.seen
        for value in values:
            if self.may_hide and not sees(value):
                found.append(hidden)
                hidden += 1
            elif self.is_alone[value]:
                found.append(first[value])
            else:
                found.append(first[value] + times[first[value]])
                times[first[value]] += 1
        return found

    def values(self) -> list[int] | None:
        return list(self.first) if self.is_plain else None


Domains = dict[Type, Domain]
"""The domains of one program by type: that of pieces takes long to make."""


def domain_of(program: Program, type: Type, kept: Domains) -> Domain:
    """The numbers of the values of a type."""
    if type not in kept:
        kept[type] = new_domain(program, type, kept)
    return kept[type]


def new_domain(program: Program, type: Type, kept: Domains) -> Domain:
    symbols = program.symbols
    match type:
        case Maybe(of):
            return OrNone(domain_of(program, of, kept), none_of(type))
        case Int(low, high):
            is_narrow = high - low < MOST_NUMBERS
            return Named(low, [str(value) for value in range(low, high + 1)]) if is_narrow else ByPlace()
        case Bool():
            return Named(0, ("false", "true"))
        case Player():
            return Named(0, [f"player {seat + 1}" for seat in range(symbols.players)])
        case Member(name):
            return Named(symbols.kinds[name].base, symbols.kinds[name].ids)
        case Piece(None):
            return Pieces(program, [kind for kind in symbols.kinds.values() if kind.is_piece])
        case Piece(str(name)):
            return Pieces(program, [symbols.kinds[name]])
    raise AssertionError(type)


MOST_COMBINED = 4096
"""Things chosen together have a number for each combination up to so many."""
DIGIT = 256
"""Numbers in a wide range are answered by their place among the options, in two digits of this base."""
Tree = dict[int, Any]
"""By number: the answer, or the tree of what is answered next."""
Mixed = Callable[[list[int]], list[int]]


@dataclass(frozen=True, slots=True)
class Block:
    """The numbers of one question: `size` of them from `first`. `asks` is the question, and `how` says how it is answered."""

    first: int
    size: int
    asks: str
    step: str
    how: str

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and self.first <= number < self.first + self.size


class Numbered:
    """The numbers of one question, from `first`: its parts, each with a domain, and one for passing at their end."""

    def __init__(self, program: Program, site: Site, first: int, kept: Domains) -> None:
        self.site, self.first = site, first
        self.type: Type = plain(site.type)
        self.types: Sequence[Type] = self.type.of if isinstance(self.type, Tuple) else (self.type,)
        self.lines = list(self.numbered_lines(program, kept)) if site.kind == "menu" else []
        if site.kind == "menu":
            self.domains = [domain for _, domain in self.lines if domain is not None]
        else:
            self.domains = [domain_of(program, of, kept) for of in self.types if site.kind != "race"]
        sizes = [domain.size for domain in self.domains]
        self.is_long = site.kind == "pick" and isinstance(self.domains[0], ByPlace) and len(sizes) == 1
        is_together = isinstance(self.type, Tuple) and site.kind == "pick"
        self.is_combined = is_together and prod(sizes) <= MOST_COMBINED
        self.is_staged = is_together and not self.is_combined
        answers = self.answers(sizes)
        self.passing = first + answers
        self.size = answers + 1
        can_hide = any(sight != "all" for sight in program.zone_sight)
        self.has_hidden = can_hide and any(isinstance(plain(of), Piece) for of in self.types)
        self.is_open = site.kind in ("pick", "menu") and all(domain.values() is not None for domain in self.domains)
        """Whether its answers have the same numbers wherever the same options are offered."""

    def numbered_lines(self, program: Program, kept: Domains) -> Iterator[tuple[int, Domain | None]]:
        """The first number of each line of a menu, and the domain of its values if it has any."""
        at = self.first
        for line in range(len(self.site.labels)):
            has_values = self.site.has_values(line)
            domain = domain_of(program, self.types[self.site.slots[line]], kept) if has_values else None
            yield at, domain
            at += domain.size if domain is not None else 1

    def answers(self, sizes: Sequence[int]) -> int:
        """How many numbers it has without passing."""
        if self.site.kind == "race":
            return 1
        if self.site.kind == "menu":
            return sum(domain.size if domain is not None else 1 for _, domain in self.lines)
        return 2 * DIGIT if self.is_long else prod(sizes) if self.is_combined else sum(sizes)

    # --- what is offered ------------------------------------------------------------------------------------------------

    def tree(self, s: State, sees: Sees, mixed: Mixed) -> Tree:
        """The answers by their numbers; for several things, those that can be chosen."""
        site, first = self.site, self.first
        options: list[int] = list(s.options)
        if site.kind == "menu":
            found = self.menu(options, sees, mixed)
        elif isinstance(self.type, Tuple):
            found = self.combined(options, sees, mixed)
        elif self.is_long:
            found = {}
            for place, value in enumerate(options[: DIGIT * DIGIT]):
                found.setdefault(first + place // DIGIT, {})[first + DIGIT + place % DIGIT] = value
        else:
            options = mixed(options) if self.has_hidden else options
            found = {
                first + slot: value for slot, value in zip(self.domains[0].slots(options, sees), options, strict=True)
            }
        if site.kind != "several" and (site.may_pass or not found):
            found[self.passing] = none_of(site.type) if site.kind == "pick" else -1
        return found

    def menu(self, options: list[int], sees: Sees, mixed: Mixed) -> Tree:
        """The lines of a menu, each with its values."""
        found: Tree = {}
        for line, (start, domain) in enumerate(self.lines):
            answers = [one for one in options if self.site.line(one) == line]
            if domain is None:
                found.update((start, one) for one in answers)
                continue
            assert isinstance(self.type, Tuple)
            by_value = {self.type.parts(one)[self.site.slots[line]]: one for one in answers}
            values = mixed(list(by_value)) if self.has_hidden else list(by_value)
            slots = domain.slots(values, sees)
            found.update((start + slot, by_value[value]) for slot, value in zip(slots, values, strict=True))
        return found

    def combined(self, options: list[int], sees: Sees, mixed: Mixed) -> Tree:
        """Things chosen together: a number for each combination, or one for each part after another."""
        assert isinstance(self.type, Tuple)
        parts = [self.type.parts(one) for one in options]
        slots: list[dict[int, int]] = []
        for of, domain, column in zip(self.type.of, self.domains, zip(*parts, strict=True), strict=False):
            values: list[int] = list(dict.fromkeys(column))
            values = mixed(values) if isinstance(plain(of), Piece) and self.has_hidden else values
            slots.append(dict(zip(values, domain.slots(values, sees), strict=True)))
        found: Tree = {}
        for one, parted in zip(options, parts, strict=True):
            places = [slots[part][value] for part, value in enumerate(parted)]
            if self.is_combined:
                number = 0
                for place, domain in zip(places, self.domains, strict=True):
                    number = number * domain.size + place
                found[self.first + number] = one
                continue
            inner, start = found, self.first
            for place, domain in zip(places[:-1], self.domains, strict=False):
                inner = inner.setdefault(start + place, {})
                start += domain.size
            inner[start + places[-1]] = one
        return found

    # --- what it is called ------------------------------------------------------------------------------------------------

    def words(self) -> Iterator[str]:
        """What each number stands for."""
        site = self.site
        if site.kind == "race":
            yield "slap"
        elif site.kind == "menu":
            for (raw, _), (_, domain) in zip(site.labels, self.lines, strict=True):
                yield from [raw] if domain is None else (f"{raw}: {word}" for word in domain.words)
        elif self.is_long:
            yield from (f"option {DIGIT * at + 1} to {DIGIT * (at + 1)}" for at in range(DIGIT))
            yield from (f"number {at + 1} of these" for at in range(DIGIT))
        elif self.is_combined:
            yield from map(", ".join, product(*(domain.words for domain in self.domains)))
        else:
            names = self.site.names or (self.site.name,)
            for name, domain in zip(names, self.domains, strict=False):
                prefix = f"{name}: " if self.is_staged else ""
                yield from (f"{prefix}{word}" for word in domain.words)
        yield "done" if site.kind == "several" else "pass"

    @property
    def how(self) -> str:
        """How the question is answered."""
        if self.site.kind == "several":
            return "one by one, in any order, then done"
        return "one part after another" if self.is_staged or self.is_long else "at once"


class Actions:
    """The numbering of all answers of a game for a number of players; it follows from the rules alone. Raises ValueError for too many.

    >>> actions = game.actions(2)
    >>> actions.size, actions.name(4), actions.legal(match, "Ann")
    (10, 'Where do you put your mark? square_2_2', [0, 1, 2, 3, 4, 5, 6, 7, 8])
    >>> match.answer("Ann", actions.option(match, "Ann", 4))
    """

    def __init__(self, program: Program, rules: str) -> None:
        self.program = program
        self.rules = rules
        self.questions: list[Numbered] = []
        first = 0
        kept: Domains = {}
        for site in program.sites:
            self.questions.append(Numbered(program, site, first, kept))
            first += self.questions[-1].size
            see_amount(first, "the answers")
        self.size = first
        """How many numbers there are: from 0 to one less."""

    def __repr__(self) -> str:
        return f"<Actions of {self.program.game.definition.name}, {self.program.symbols.players} players: {self.size}>"

    @cached_property
    def blocks(self) -> list[Block]:
        """The numbers question by question."""
        found = []
        for one in self.questions:
            site = one.site
            found.append(Block(one.first, one.size, site.raw or site.name or "answer", site.step, one.how))
        return found

    @cached_property
    def names(self) -> list[str]:
        """The name of each number: its question, and what it stands for."""
        listed = zip(self.blocks, self.questions, strict=True)
        return [f"{block.asks} {word}" for block, one in listed for word in one.words()]

    def name(self, number: int) -> str:
        """The name of a number. Raises IndexError."""
        if not 0 <= number < self.size:
            raise IndexError(number)
        return self.names[number]

    def asked(self, s: State, seat: int, mixed: Mixed | None = None) -> Asked:
        """The pending question of a state in numbers. Hidden pieces in no order are offered as `mixed` says."""
        program = self.program
        one = self.questions[s.site]
        if one.site.kind == "race":
            return Asked({one.first: 1} if seat in s.must else {one.first: 1, one.passing: 0})
        sees: Sees = lambda piece: program.sees(s, seat, piece)  # noqa: E731  a name for a short function
        tree = one.tree(s, sees, mixed or (lambda values: values))
        if one.site.kind == "several":
            low, high = s.bounds
            return Several(tree, one.passing, low, high, one.site.may_pass)
        return Asked(tree)

    def mixing(self, s: State, seat: int, random: Random) -> Mixed:
        """An order in which hidden pieces in no order lie by chance, so that it does not tell which came last."""
        program = self.program

        def mixed(values: list[int]) -> list[int]:
            w, unordered = s.w, program.unordered
            hidden = [
                at
                for at, one in enumerate(values)
                if w[one] >= 0 and unordered[w[one]] and not program.sees(s, seat, one)
            ]
            if len(hidden) > 1:
                values, order = values[:], [values[at] for at in hidden]
                random.shuffle(order)
                for at, value in zip(hidden, order, strict=True):
                    values[at] = value
            return values

        return mixed

    # --- matches that are told ----------------------------------------------------------------------------------------------

    def of(self, match: Any, player: str | int) -> Asked:
        """The question that a player of a match is asked, in numbers. Raises ValueError if they are not asked, or for other rules."""
        choice = self.choice_of(match, player)
        order = {option.number: at for at, option in enumerate(choice.single) if isinstance(option.value, int)}
        state = match.state.at(choice.seat)
        if choice.kind != "several" and isinstance(plain(choice.site.type), Tuple):
            columns = choice.offered_parts if choice.kind == "pick" else []
            order = {part.number: at for column in columns for at, part in enumerate(column)}

        def mixed(values: list[int]) -> list[int]:
            hidden = [at for at, one in enumerate(values) if not self.program.sees(state, choice.seat, one)]
            inner = sorted((values[at] for at in hidden), key=lambda one: order.get(one, 0))
            found = values[:]
            for at, value in zip(hidden, inner, strict=True):
                found[at] = value
            return found

        return self.asked(state, choice.seat, mixed)

    def choice_of(self, match: Any, player: str | int) -> Any:
        """The choice of a player of a match of these rules. Raises ValueError."""
        if match.game.rules_hash != self.rules or len(match.players) != self.program.symbols.players:
            raise ValueError(
                f"these numbers are of other rules: of {self.rules}, for {self.program.symbols.players} players"
            )
        seat = match.seat(player)
        choice = next((one for one in match.pending if one.seat == seat), None)
        if choice is None:
            raise ValueError(f"{match.players[seat]} is not asked anything now")
        return choice

    def legal(self, match: Any, player: str | int, taken: Sequence[int] = ()) -> list[int]:
        """The numbers that a player may answer now, after those that they have already `taken` for this question."""
        return self.after(match, player, taken).legal

    def after(self, match: Any, player: str | int, taken: Sequence[int]) -> Asked:
        """The question of a player after some numbers were taken. Raises ValueError if one is not among the options."""
        asked = self.of(match, player)
        for number in taken:
            if asked.is_done:
                raise ValueError("the question is answered already")
            asked.take(number)
        return asked

    def option(self, match: Any, player: str | int, *taken: int) -> Any:
        """What `match.answer` takes for numbers that answer a player's question. Raises ValueError if they do not."""
        asked = self.after(match, player, taken)
        if not asked.is_done:
            raise ValueError("this does not answer the question yet: another number has to follow")
        choice = self.choice_of(match, player)
        if choice.kind == "several":
            chosen = set(asked.answer)
            return [option.key for option in choice.single if option.value in chosen]
        return next(option for option in choice.single if option.value == asked.answer)


class Asked:
    """A question in numbers: `legal` are those that may be taken next; when it `is_done`, `answer` is the value for the state."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.taken: list[int] = []
        self.is_done = False
        self.answer: Any = None

    @property
    def legal(self) -> list[int]:
        """The numbers that may be taken, in order; none when it is answered."""
        return [] if self.is_done else sorted(self.tree)

    def take(self, number: int) -> bool:
        """Take a number; returns whether that answers the question. Raises ValueError, and changes nothing, for any other."""
        if number not in self.tree:
            raise ValueError(f"{number} is not among the legal numbers: {self.legal}")
        found = self.tree[number]
        self.taken.append(number)
        if isinstance(found, dict):
            self.tree = found
        else:
            self.answer, self.is_done = found, True
        return self.is_done

    def again(self) -> Asked:
        """This question, of which nothing is taken yet."""
        return Asked(self.tree)


class Several(Asked):
    """A question for several things, answered one by one."""

    def __init__(self, tree: Tree, done: int, low: int, high: int, may_pass: bool) -> None:
        super().__init__(dict(tree))
        self.values = tree
        self.done, self.low, self.high, self.may_pass = done, low, high, may_pass
        self.see_end()

    def again(self) -> Asked:
        return Several(self.values, self.done, self.low, self.high, self.may_pass)

    def see_end(self) -> None:
        """Offer to be done, or be done, where enough are chosen."""
        chosen = len(self.taken)
        self.tree.pop(self.done, None)
        if chosen >= self.high and chosen:
            self.finish()
        elif chosen >= self.low or (self.may_pass and not chosen):
            self.tree[self.done] = None
            if chosen and len(self.tree) == 1:
                self.finish()
        if chosen >= self.high:
            self.tree = {self.done: None} if not self.is_done else {}

    def finish(self) -> None:
        """The chosen values in the order in which they are offered."""
        chosen = set(self.taken)
        self.answer, self.is_done = [value for number, value in self.values.items() if number in chosen], True

    def take(self, number: int) -> bool:
        if number not in self.tree:
            raise ValueError(f"{number} is not among the legal numbers: {self.legal}")
        if number == self.done:
            self.finish()
            self.taken.append(number)
            return True
        del self.tree[number]
        self.taken.append(number)
        self.see_end()
        return self.is_done
