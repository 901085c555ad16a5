"""Choices and their options, as people and bots meet them."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any, overload

from houserule.compiler.chance import any_selection, selection_at, selections
from houserule.compiler.program import Program
from houserule.language.checked import Expression, Local, Select, Site, Variable
from houserule.language.types import Piece, Tuple, Type, none_of, plain
from houserule.running.state import State
from houserule.telling.events import sees_variable
from houserule.telling.labels import Labels, braces


@dataclass(frozen=True, slots=True)
class Option:
    """One possible answer. `key` is stable and unique within its choice; `label` is for people.

    `value` is its value in the state. Only programs that may know everything should read it: it identifies face-down pieces.
    If several things are chosen together, `parts` has an option for each of them. `line` is what a line of a menu with values says,
    without the number of a copy.
    """

    label: str
    key: str
    is_pass: bool = False
    value: int | tuple[int, ...] = -1
    parts: tuple[Option, ...] = ()
    line: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain data: its key, label, and the keys of its parts."""
        return {
            "key": self.key,
            "label": self.label,
            "is_pass": self.is_pass,
            "parts": [part.key for part in self.parts],
        }

    @property
    def number(self) -> int:
        """Its value in the state, if that is a single one."""
        assert isinstance(self.value, int)
        return self.value


class Choice:
    """One question to one player.

    `kind` is `pick` (one), `several` (at least `at_least`, at most `at_most`), `menu`, or `slap` (a race). Every option
    is an answer; those of `several` are made on demand, because there may be many.

    Face-down pieces without order are offered in an order of `mixing`, so that their positions do not
    reveal which of them came last; without it, by position.

    >>> choice = match.pending[0]
    >>> choice.prompt, choice.options[4].key, choice.options[4].label
    ('Where do you put your mark?', 'square_2_2', '2-2')
    """

    def __init__(
        self,
        program: Program,
        labels: Labels,
        s: State,
        player: int,
        mixing: str = "",
        shown: Callable[[], Collection[int]] = tuple,
    ) -> None:
        self._program = program
        self._labels = labels
        self._state = s
        self.number = s.site
        self.site: Site = program.sites[s.site]  # the place in the rules
        self.seat = player
        self.player = labels.names[player]
        self._mixing = mixing
        self._shown = shown  # the hidden pieces that the player knows where they lie

    def __repr__(self) -> str:
        return f"<Choice of {self.player}: {self.prompt or self.name}>"

    def mixed_by(self, mixing: str) -> Choice:
        """This choice with face-down pieces in another order; itself if it has none."""
        if all(map(self._sees, self._pieces())):
            return self
        return Choice(self._program, self._labels, self._state, self.seat, mixing, self._shown)

    @property
    def kind(self) -> str:
        """`pick`, `several`, `menu` or `slap`."""
        return "slap" if self.site.kind == "race" else self.site.kind

    @property
    def name(self) -> str:
        """The local name of the answer in the rules, several separated by commas; empty for a menu."""
        return self.site.name

    @property
    def names(self) -> tuple[str, ...]:
        """The local names of what is chosen together; empty for a single thing."""
        return self.site.names

    @property
    def step(self) -> str:
        """The step that asks."""
        return self.site.step

    @cached_property
    def prompt(self) -> str:
        """The question in the language of the match; empty if the rules have none."""
        if not self.site.raw:
            return ""
        return self._labels.sentence(self.site.raw, self.site.parts, self._said(0), self._knows)

    @property
    def said(self) -> Sequence[Any]:
        """The values in its prompt, with the types of the parts of `site`."""
        return self._said(0)

    def said_in(self, option: Option) -> Sequence[Any]:
        """The values in the label of a line of a menu."""
        return self._said_of(option.number) if not option.is_pass else ()

    def _said_of(self, answer: int) -> tuple[Any, ...]:
        line = self.site.line(answer)
        said = self._said(line + 1)
        if not self.site.has_values(line) or not said:
            return tuple(said)
        own, *others = said
        place = own.index(self._value_of(answer))
        return tuple(values[place] for values in others)

    def _value_of(self, answer: int) -> int:
        """The value of a line that stands for several."""
        assert isinstance(self.site.type, Tuple)
        return self.site.type.parts(answer)[self.site.slots[self.site.line(answer)]]

    def _said(self, position: int) -> Sequence[Any]:
        said = self._state.said
        return said[position] if position < len(said) else ()

    @property
    def at_least(self) -> int:
        """How many must be chosen."""
        if self.site.kind == "several":
            return self._state.bounds[0]
        return 0 if self.may_pass else 1

    @property
    def may_pass(self) -> bool:
        """Whether the rules let the player pass."""
        return self.seat not in self._state.must if self.site.kind == "race" else self.site.may_pass

    @property
    def at_most(self) -> int:
        """How many may be chosen."""
        return self._state.bounds[1] if self.site.kind == "several" else 1

    @cached_property
    def single(self) -> list[Option]:
        """The single options to choose from, with distinct labels."""
        return self._numbered(self._offered())

    def _numbered(self, options: list[Option]) -> list[Option]:
        """The options, with duplicate labels numbered in order."""
        times = Counter([option.label for option in options])
        if len(times) == len(options):
            return options
        taken = set(times)
        numbers: Counter[str] = Counter()
        found = []
        for option in options:
            label = option.label
            while times[option.label] > 1 and label in taken:
                numbers[option.label] += 1
                label = f"{option.label} ({self._labels.phrase('nth', number=numbers[option.label])})"
            taken.add(label)
            found.append(option if label == option.label else replace(option, label=label))
        return found

    def _offered(self) -> list[Option]:
        site, s = self.site, self._state
        if site.kind == "race":
            slap = Option(self._labels.phrase("slap"), "slap", False, 1)
            return [slap] if self.seat in s.must else [self._passing(0), slap]
        if site.kind == "menu":
            found = [self._line(answer) for answer in self._in_open_order(s.options)]
            times = Counter(option.key for option in found)
            places: Counter[str] = Counter()
            for at, option in enumerate(found):
                places[option.key] += 1
                if times[option.key] > 1:
                    found[at] = replace(option, key=f"{option.key}#{places[option.key]}")
        else:
            found = self._of_values(plain(site.type), s.options)
        if site.kind != "several" and (site.may_pass or not found):
            found.append(self._passing(none_of(site.type) if site.kind == "pick" else -1))
        return found

    def _passing(self, value: int | tuple[int, ...]) -> Option:
        return Option(self._labels.phrase("pass"), "pass", True, value)

    def _line(self, answer: int) -> Option:
        """A line of a menu. The key of one with a value is its text as written, with that value in it."""
        site = self.site
        line = site.line(answer)
        raw, parts = site.labels[line]
        label, key = self._labels.sentence(raw, parts, self._said_of(answer), self._knows), raw
        if site.has_values(line):
            assert isinstance(site.type, Tuple)
            own, word = site.values[line][0], self._word(site.type.of[site.slots[line]], self._value_of(answer))
            texts = iter(braces(raw))
            written = [(part if isinstance(part, str) else next(texts), part) for part in parts]
            key = "".join(
                text if isinstance(part, str) else word if is_binder(part, own) else f"{{{text}}}"
                for text, part in written
            )
            key = key if any(is_binder(part, own) for part in parts) else f"{key}: {word}"
        return Option(label, key, False, answer, (), label if site.values else "")

    def _word(self, type: Type, value: int) -> str:
        if isinstance(plain(type), Piece):
            return self._program.kind_of[value].id_of(value) if self._sees(value) else "hidden"
        return self._labels.keys.word(type, value)

    def _in_open_order(self, answers: Sequence[int]) -> Sequence[int]:
        """The lines of a menu. Pieces among their values stand in the order in which they would be chosen by themselves."""
        type = self.site.type
        if not isinstance(type, Tuple):
            return answers
        found = list(answers)
        for line, slot in self.site.slots.items():
            places = [at for at, answer in enumerate(found) if self.site.line(answer) == line]
            if isinstance(plain(type.of[slot]), Piece):
                of = {self._value_of(found[at]): found[at] for at in places}
                order = self._mixed(list(of)) if self._mixing else of
                sorted_ = self._sorted([Option("", "", False, value) for value in order])
                for at, one in zip(places, sorted_, strict=True):
                    found[at] = of[one.number]
        return found

    def _of_values(self, type: Type, values: Sequence[int]) -> list[Option]:
        if isinstance(type, Tuple):
            return self._of_tuples(type, values)
        if not isinstance(type, Piece):
            labels = self._labels
            return [Option(labels.value(type, v), labels.keys.word(type, v), False, v) for v in values]
        values = self._mixed(values) if self._mixing else values
        found: list[Option] = []
        times: dict[str, int] = {}
        ids = [self._program.kind_of[v].id_of(v) if self._sees(v) else "hidden" for v in values]
        twins = Counter(ids)
        for value, id in zip(values, ids, strict=True):
            times[id] = times.get(id, 0) + 1
            key = f"{id}#{times[id]}" if twins[id] > 1 else id
            label = self._labels.pieces[value] if self._knows(value) else self._labels.backs[value]
            if self._knows(value):
                label += self._details(value)
            elif twins[id] > 1:
                label += f" {times[id]}"
            found.append(Option(label, key, False, value))
        return self._told_apart(self._sorted(found))

    def _sorted(self, options: list[Option]) -> list[Option]:
        """The options with what the chooser sees in a zone as it is sorted for people; each zone keeps its positions."""
        w, zone_of = self._state.w, self._program.zone_of
        lying: dict[int, list[Option]] = {}
        for option in options:
            slot = w[option.number]
            if slot >= 0 and zone_of[slot].ranks and self._sees(option.number):
                lying.setdefault(slot, []).append(option)
        if not lying:
            return options
        sorted_ = {
            slot: iter(sorted(own, key=lambda one, ranks=zone_of[slot].ranks: ranks[one.number]))  # type: ignore[misc]  # a default binds it
            for slot, own in lying.items()
        }
        taken = {option.number for own in lying.values() for option in own}
        return [next(sorted_[w[option.number]]) if option.number in taken else option for option in options]

    def _of_tuples(self, type: Tuple, values: Sequence[int]) -> list[Option]:
        """Combined options. If the order of their parts would reveal something, they are reordered."""
        pairs = list(zip(values, type.parts_of(values), strict=True))
        columns = [list(dict.fromkeys(column)) for column in zip(*(parts for _, parts in pairs), strict=True)]
        offered = [self._of_values(plain(of), column) for of, column in zip(type.of, columns, strict=False)]
        if any([one.number for one in part] != column for part, column in zip(offered, columns, strict=True)):
            places = [{one.number: place for place, one in enumerate(part)} for part in offered]
            pairs.sort(key=lambda pair: [at[v] for at, v in zip(places, pair[1], strict=True)])
        options, arrow = [{one.number: one for one in part} for part in offered], self._labels.phrase("arrow")
        found = []
        for value, numbers in pairs:
            parts = tuple([part[v] for part, v in zip(options, numbers, strict=True)])
            label, key = arrow.join([part.label for part in parts]), ", ".join([part.key for part in parts])
            found.append(Option(label, key, False, value, parts))
        return found

    @cached_property
    def offered_parts(self) -> list[list[Option]]:
        """The options of each part of a combined choice, each once."""
        columns = zip(*(option.parts for option in self.single if option.parts), strict=True)
        return [list({one.key: one for one in column}.values()) for column in columns]

    def _mixed(self, values: Sequence[int]) -> Sequence[int]:
        """The pieces of zones without order: those the chooser sees first, then the face-down ones, by backs and mixed."""
        w, zone_of = self._state.w, self._program.zone_of
        lying: dict[int, list[int]] = {}
        for value in values:
            if w[value] >= 0 and not zone_of[w[value]].ordered:
                lying.setdefault(w[value], []).append(value)
        lying = {zone: pieces for zone, pieces in lying.items() if not all(map(self._sees, pieces))}
        if not lying:
            return values
        random = Random(self._mixing)
        for zone, pieces in lying.items():
            covered = [piece for piece in pieces if not self._sees(piece)]
            random.shuffle(covered)
            covered.sort(key=self._labels.backs.__getitem__, reverse=True)
            lying[zone] = [*covered, *(piece for piece in reversed(pieces) if self._sees(piece))]
        # Each zone keeps the positions of its pieces among the options, from last to first.
        return [lying[w[value]].pop() if w[value] in lying else value for value in values]

    def _told_apart(self, options: list[Option]) -> list[Option]:
        """Options whose pieces share a label, with their zone or their position in the row added."""
        s = self._state
        alike: dict[str, list[int]] = {}
        for option in options:
            alike.setdefault(option.label, []).append(option.number)
        lying = {label: Counter(s.w[twin] for twin in twins) for label, twins in alike.items()}
        found = []
        for option in options:
            zones = lying[option.label]
            where = s.w[option.number]
            words = []
            if len(alike[option.label]) > 1 and where >= 0 and self._knows(option.number):
                if len(zones) > 1:
                    words.append(self._labels.whereabouts(where, list(zones)))
                if self._program.zone_of[where].ordered and zones[where] > 1:
                    words.append(self._labels.phrase("nth", number=s.z[where].index(option.number) + 1))
            found.append(replace(option, label=f"{option.label} ({', '.join(words)})") if words else option)
        return found

    def _details(self, piece: int) -> str:
        """The attributes and variables that distinguish pieces with one name, as far as the chooser sees them."""
        kind = self._program.kind_of[piece]
        attributes, variables = self._differing[kind.name, kind.id_of(piece)]
        words = []
        for attribute in attributes:
            value = self._labels.value(kind.attribute_types[attribute], kind.attributes[attribute][piece - kind.base])
            words.append(f"{attribute.replace('_', ' ')} {value}")
        for variable in variables:
            seen = self._seen(variable, piece)
            if seen is not None:
                words.append(f"{self._labels.titled(variable)} {self._labels.value(variable.type, seen, self._knows)}")
        return f" ({', '.join(words)})" if words else ""

    @cached_property
    def _differing(self) -> dict[tuple[str, str], tuple[list[str], list[Variable]]]:
        """By kind and name of pieces among the options: the attributes and variables in which the visible ones differ."""
        program = self._program
        groups: dict[tuple[str, str], list[int]] = {}
        for piece in filter(self._knows, self._pieces()):
            kind = program.kind_of[piece]
            groups.setdefault((kind.name, kind.id_of(piece)), []).append(piece)
        found: dict[tuple[str, str], tuple[list[str], list[Variable]]] = {}
        for (name, id), pieces in groups.items():
            kind = program.symbols.kinds[name]
            columns = kind.attributes
            found[name, id] = (
                [a for a in kind.attribute_types if len({columns[a][piece - kind.base] for piece in pieces}) > 1],
                [
                    variable
                    for variable in program.symbols.variables.values()
                    if variable.of_kind == name
                    and not variable.quiet
                    and len(variable.parameters) == 1
                    and len({self._seen(variable, piece) for piece in pieces}) > 1
                ],
            )
        return found

    def _pieces(self) -> Iterable[int]:
        """The pieces among the options, or in them."""
        type, options = plain(self.site.type), self._state.options
        if not isinstance(type, Tuple):
            return options if isinstance(type, Piece) else ()
        if not any(isinstance(plain(of), Piece) for of in type.of):
            return ()
        parts = (zip(type.of, type.parts(option), strict=True) for option in options)
        return dict.fromkeys(v for part in parts for of, v in part if isinstance(plain(of), Piece) and v >= 0)

    def _seen(self, variable: Variable, piece: int) -> int | None:
        """The value of a variable of a piece; None if the chooser does not see it."""
        slot = variable.base + piece - self._program.kind_of[piece].base
        return self._state.v[slot] if sees_variable(self._program, self._state, self.seat, slot) else None

    def _sees(self, piece: int) -> bool:
        """Whether the chooser sees a piece: what is hidden has a key that does not say what it is, and a place that is mixed."""
        return self._program.sees(self._state, self.seat, piece)

    def _knows(self, piece: int) -> bool:
        """Whether the chooser knows what a piece is, and reads so."""
        return self._sees(piece) or piece in self._shown_now

    @cached_property
    def _shown_now(self) -> Collection[int]:
        return self._shown()

    @cached_property
    def options(self) -> Sequence[Option]:
        """All possible answers."""
        if self.site.kind == "several":
            return Selections(self.single, self.at_least, self.at_most, self._labels.phrase("nothing"), self._pass)
        return self.single

    def drawn(self, random: Random) -> Option:
        """A random option, all equally likely. There may be too many to list."""
        options = self.options
        return options.drawn(random) if isinstance(options, Selections) else random.choice(options)

    @property
    def _pass(self) -> Option | None:
        """The option to pass although some must be taken; None if there is no such option."""
        if not self.site.may_pass or self.at_least == 0:
            return None
        return self._passing(())

    def to_dict(self, most: int = 1000) -> dict[str, Any]:
        """Plain data: what is asked, and the single options by key; of several together, the bounds of their number."""
        single = self.single[:most]
        return {
            "player": self.player,
            "kind": self.kind,
            "name": self.name,
            "prompt": self.prompt,
            "at_least": self.at_least,
            "at_most": self.at_most,
            "options": [option.to_dict() for option in single],
            "more": len(self.single) - len(single),
        }

    # --- answers ------------------------------------------------------------------------------------------------------

    def find(self, answer: Any) -> Option | None:
        """The option for an answer: an option, a key, a label, a value, or a list of those; None if there is none."""
        if self.site.kind == "several":
            return self._several(self._listed(answer))
        if isinstance(answer, Option):
            return next((option for option in self.single if option.key == answer.key), None)
        if isinstance(answer, list | tuple) and len(answer) == 1:
            answer = answer[0]
        if self.names and not isinstance(answer, str):
            return self._of_parts(answer)
        for exact in (True, False):
            for option in self.single:
                if self._means(option, answer, exact):
                    return option
        return self._of_parts(answer.split(", ")) if self.names else None

    def _of_parts(self, answers: Any) -> Option | None:
        """The option that combines these answers; None if there is none."""
        type = plain(self.site.type)
        if not isinstance(type, Tuple) or not isinstance(answers, list | tuple) or len(answers) != len(type.of):
            return None
        for exact in (True, False):
            for option in self.single:
                parts = zip(option.parts, answers, type.of, strict=False)
                if option.parts and all(self._means(part, one, exact, of) for part, one, of in parts):
                    return option
        return None

    def _listed(self, answer: Any) -> Sequence[Any]:
        """The parts of an answer to a choice of several."""
        if isinstance(answer, Option):
            return answer.key.split(", ") if answer.key and not answer.is_pass else []
        if isinstance(answer, list | tuple):
            return answer
        if answer in ("", "pass", "nothing", None):
            return []
        if isinstance(answer, str) and "," in answer and not any(self._means(option, answer) for option in self.single):
            return [part.strip() for part in answer.split(",")]
        return [answer]

    def _several(self, listed: Sequence[Any]) -> Option | None:
        numbers: dict[str | None, int] = {option.key: number for number, option in enumerate(self.single)}
        found: set[int] = set()
        for item in listed:
            number = numbers.get(as_key(item), -1)
            if number < 0 or number in found:
                return None
            found.add(number)
        chosen = [self.single[number] for number in sorted(found)]
        if not chosen and self._pass is not None:
            return self._pass
        if not self.at_least <= len(chosen) <= self.at_most:
            return None
        return joined(chosen, self._labels.phrase("nothing"))

    def _means(self, option: Option, answer: Any, exact: bool = True, type: Type | None = None) -> bool:
        if not isinstance(answer, str):
            return option.key == as_key(answer)
        if option.key == answer or (not exact and option.label == answer):
            return True
        is_piece = isinstance(plain(type or self.site.type), Piece) and self.site.kind != "menu"
        if not exact and not option.is_pass and is_piece:
            return bool(option.key.split("#")[0] == answer)
        return not exact and bool(option.line) and answer == option.line


def as_key(answer: Any) -> str | None:
    """The key that an answer gives as a word, a number or a truth value; None for anything else."""
    if isinstance(answer, bool):
        return "true" if answer else "false"
    return str(answer) if isinstance(answer, str | int) else None


def is_binder(part: str | Expression, values: Expression) -> bool:
    """Whether a value in a label is that of its line, given the list of those."""
    own = values.value if isinstance(values, Select) else None
    return isinstance(part, Local) and isinstance(own, Local) and part.name == own.name


def joined(chosen: Sequence[Option], nothing: str) -> Option:
    return Option(
        ", ".join(o.label for o in chosen) or nothing,
        ", ".join(o.key for o in chosen),
        False,
        tuple(o.number for o in chosen),
    )


class Selections(Sequence[Option]):
    """All selections of `low` to `high` options, made on demand; a pass comes last."""

    def __init__(self, single: Sequence[Option], low: int, high: int, nothing: str, passing: Option | None) -> None:
        self.single = single
        self.low, self.high = low, high
        self.nothing = nothing
        self.passing = passing

    @cached_property
    def ways(self) -> int:
        return selections(len(self.single), self.low, self.high) + (self.passing is not None)

    def __len__(self) -> int:
        return self.ways

    def drawn(self, random: Random) -> Option:
        """A random selection, all equally likely, without listing them."""
        if self.ways <= sys.maxsize:
            return random.choice(self)
        chosen = any_selection(self.single, self.low, self.high, self.passing is not None, random.random)
        return joined(chosen, self.nothing) if chosen or self.passing is None else self.passing

    @overload
    def __getitem__(self, at: int) -> Option: ...
    @overload
    def __getitem__(self, at: slice) -> list[Option]: ...
    def __getitem__(self, at: int | slice) -> Option | list[Option]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(self.ways))]
        if at < 0:
            at += self.ways
        if not 0 <= at < self.ways:
            raise IndexError(at)
        if self.passing is not None and at == self.ways - 1:
            return self.passing
        return joined(selection_at(self.single, self.low, at), self.nothing)

    def __iter__(self) -> Iterator[Option]:
        return map(self.__getitem__, range(self.ways))
