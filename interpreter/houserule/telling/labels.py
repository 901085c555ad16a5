"""Titles and sentences for people, in each language, and stable keys for answers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import groupby, islice
from pathlib import Path
from typing import Any

import yaml

from houserule.compiler.folding import evaluate
from houserule.compiler.program import ALONE, Program
from houserule.definition.flow import repeats
from houserule.definition.model import StepDefinition, every_step
from houserule.definition.reader import Prose
from houserule.language import nodes
from houserule.language.checked import Family, Kind, Parts, Table, Zone
from houserule.language.format import format
from houserule.language.scope import Budget, OverBudget
from houserule.language.types import Bool, Int, List, Maybe, Member, Piece, Player, Tuple, Type, element, none_of, plain
from houserule.printable import short_title, whole_number
from houserule.reading import own

LANGUAGES = ("en", "de", "zh-Hant", "ja")
"""The languages in which matches and rulebooks are told: a file of phrases each in the folders `languages`."""
FOLDER = Path(__file__).parent / "languages"
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def phrases(language: str, folder: Path = FOLDER) -> dict[str, str]:
    """The phrases of a language by key; those of English for an unknown language."""
    found: dict[str, str] = yaml.load(own(folder / f"{language if language in LANGUAGES else 'en'}.yaml"), LOADER)
    return found


def phrase(language: str, key: str, /, **values: object) -> str:
    return phrases(language)[key].format(**values)


def read_out(language: str, words: Sequence[str]) -> str:
    """Words as a list in a sentence: `Parasol, Truffle and Boletus`."""
    if len(words) < 2:
        return "".join(words)
    return phrase(language, "comma").join(words[:-1]) + phrase(language, "and") + words[-1]


BRACES = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
INDEXED = re.compile(r"\b(\w+)\[([^\]\[]*)\]")
DEEPEST = 4
"""How deep names of pieces may stand in one another."""


class Keys:
    """The keys that answers, records and scenarios of one match use, in both directions."""

    def __init__(self, program: Program, players: Sequence[str]) -> None:
        self.program = program
        self.symbols = program.symbols
        self.players = players

    def word(self, type: Type, value: int | Sequence[int]) -> str:
        """The key of a value; lists in brackets."""
        if isinstance(type, List) or not isinstance(value, int):
            inner = element(type)
            listed = value if isinstance(value, Sequence) else (value,)
            return f"[{', '.join(self.word(inner, one) for one in listed)}]"
        if isinstance(type, Maybe) and value == none_of(type):
            return "none"
        match plain(type):
            case Tuple(of) as whole:
                return ", ".join(self.word(part, v) for part, v in zip(of, whole.parts(value), strict=True))
            case Bool():
                return "true" if value else "false"
            case Player():
                return self.players[value]
            case Member(kind):
                return self.symbols.kinds[kind].id_of(value)
            case Piece():
                return self.of_piece(value)
        return str(value)

    def of_piece(self, piece: int) -> str:
        """The id of a piece, with `#n` if it has copies."""
        kind = self.program.kind_of[piece]
        id, copy = kind.id_of(piece), kind.copy_of(piece)
        return f"{id}#{copy}" if copy else id

    def value(self, type: Type, word: str) -> int | None:
        """The value of a type with that key; None if there is none."""
        if word == "none" and isinstance(type, Maybe):
            return none_of(type)
        match plain(type):
            case Tuple(of) as whole:
                words = word.split(", ")
                values = [self.value(part, one) for part, one in zip(of, words, strict=False)]
                known = [value for value in values if value is not None]
                return whole.whole(known) if len(known) == len(words) == len(of) else None
            case Bool():
                return {"true": 1, "false": 0}.get(word)
            case Player():
                return self.players.index(word) if word in self.players else None
            case Member(kind):
                return self.symbols.kinds[kind].first(word)
            case Piece():
                return self.piece(word)
            case Int(low, high):
                found = whole_number(word)
                return found if found is not None and low <= found <= high else None
        return None

    def with_ids(self, words: str) -> str:
        """Words in which pieces that are named as in rules, such as `spot[0, -1]` or `man[white, spot[0, -1]]`, have their ids."""
        for _ in range(DEEPEST):
            words = INDEXED.sub(lambda found: self.at_index(found[1], found[2]) or found[0], words)
        return words

    def at_index(self, name: str, index: str) -> str | None:
        """The id of the piece of a kind with these values in `each`."""
        kind = self.symbols.kinds.get(name)
        if kind is None or not kind.product:
            return None
        words = [word.strip() for word in index.split(",")]
        types = [kind.attribute_types[name] for name in kind.product_names]
        cells = kind.cells.items() if len(words) == len(types) else ()
        return next(
            (kind.id_of(n) for cell, n in cells if words == [self.word(*one) for one in zip(types, cell, strict=True)]),
            None,
        )

    def piece(self, word: str) -> int | None:
        """The piece with that id, with `#n` for a copy; None if there is none."""
        id, sign, copy = word.partition("#")
        found = self.symbols.piece(id)
        number = whole_number(copy) if sign else 1
        if found is None or number is None:
            return None
        kind, first = found
        return first + number - 1 if 1 <= number <= kind.ids.count(id) else None


MOST_LISTED = 6
MANY = 3
"""So many equal members of a list in a row are written as a number."""
MOST_READ_OUT = 100
"""The longest list that a sentence spells out; for a longer one it gives the number."""
MOST_SHOWN = 30_000
"""The most work of the values in all titles, in expressions."""
DEEPEST_TITLE = 3
"""The greatest depth of titles that show others."""
Sees = Callable[[int], bool] | None
"""Whether somebody sees a piece; None for somebody who sees everything."""


def plain_words(id: str) -> str:
    return id.replace("_", " ").strip()


def words_of_id(kind: Kind, number: int) -> str:
    """The words for a piece or member without a title: `parasol`, `cell 0 -1`; an id has no minus sign, but a number for people has."""
    words = plain_words(kind.id_of(number))
    values = (kind.attributes[name][number - kind.base] for name in kind.product_names)
    if not any(isinstance(value, int) and value < 0 for value in values):
        return words
    words = re.sub(r"\bminus(?=\d)", "-", words)
    return words if words[:1].isalpha() else f"{plain_words(kind.name)} {words}"


class Kept(dict[int, str]):
    """Words by number, computed on demand."""

    def __init__(self, words: Callable[[int], str]) -> None:
        super().__init__()
        self.words = words

    def __missing__(self, number: int) -> str:
        found = self[number] = self.words(number)
        return found


class Labels:
    """The titles and sentences of one match, in its language and with the names of its players."""

    def __init__(self, program: Program, names: Sequence[str], language: str) -> None:
        self.program = program
        self.symbols = program.symbols
        self.definition = program.game.definition
        self.names = names
        self.language = language
        self.keys = Keys(program, names)
        self.budget = Budget(MOST_SHOWN)
        self._members: dict[tuple[Kind, int, int], str] = {}
        self._written = cache(lambda kind: {one.name: one for one in self.definition.kinds[kind].members})
        self._depth = 0  # how many titles are nested around the current one
        self._phrases = phrases(language)
        self.pieces = Kept(lambda number: self.member(program.kind_of[number], number))
        """The title of each piece."""
        self.backs = Kept(self._back)
        """The name of each piece face down."""
        self.zones = Kept(self._zone)
        """The name of each zone by its slot; empty for slot -1."""
        self.titled, self.family, self.index = cache(self._titled), cache(self._family), cache(self._index)
        self._steps: dict[str, StepDefinition] = {}  # by path, and by name
        self.kept: dict[type, Any] = {}
        """What others have worked out for these labels, by its class, to be freed with them."""

    def phrase(self, key: str, **values: object) -> str:
        return self._phrases[key].format(**values)

    # --- titles -------------------------------------------------------------------------------------------------------

    def prose(self, prose: Prose | None, fallback: str) -> str:
        return prose.raw(self.language) if prose is not None else plain_words(fallback)

    def _titled(self, family: Family) -> str:
        """The title of a zone or variable, whatever its index."""
        declared = self.definition.zones if isinstance(family, Zone) else self.definition.variables
        return self.prose(declared[family.name].title, family.name)

    def kind_title(self, kind: Kind) -> str:
        """The title of an enum or a kind of piece, whichever of its members is meant."""
        title = self.definition.kinds[kind.name].title
        return self.prose(None if title is not None and title.shows_values else title, kind.name)

    def title(self, text: nodes.Text, kind: Kind, number: int) -> str:
        parts = []
        for part in text.parts:
            if isinstance(part, str):
                parts.append(part)
            elif isinstance(part, nodes.Name) and part.id == "it":
                parts.append(words_of_id(kind, number))
            elif self.budget.left < 0:
                parts.append("?")
                break
            else:
                parts.append(self.shown(part, kind, number))
        return "".join(parts)

    def shown(self, node: nodes.Expression, kind: Kind, number: int) -> str:
        """The value of an expression over `it` in a title, in words; a question mark if it has none or takes too long."""
        shown = self.program.game.shown[node]
        self.budget.left -= 1
        printed = {name: column[number - kind.base] for name, column in kind.attributes.items()} | {"it": number}
        try:
            names = {local: printed[name] for local, name in shown.names.items()}
            found = evaluate(shown.expression, names, self.budget)
        except (ValueError, NameError, OverBudget):  # it divides by zero, or reads the state, which titles do not have
            return "?"
        return self.value(shown.expression.type, found)

    def member(self, kind: Kind, number: int) -> str:
        """The title of a member or piece. Titles that show others without an end become a question mark."""
        at = kind, number, self._depth
        found = self._members.get(at)
        if found is None:
            if self._depth > DEEPEST_TITLE:
                return "?"
            self._depth += 1
            try:
                found = self._members[at] = short_title(self._title_of(kind, number))
            finally:
                self._depth -= 1
        return found

    def _title_of(self, kind: Kind, number: int) -> str:
        definition = self.definition.kinds[kind.name]
        member = self._written(kind.name).get(kind.id_of(number))
        of_all = definition.title
        prose = member.title if member is not None else of_all
        if prose is None and of_all is not None and (definition.each or of_all.shows_values):
            prose = of_all
        if kind.reach and (prose is None or not prose.shows_values):
            at = number - kind.base
            return f"{kind.attributes['row'][at]}, {kind.attributes['column'][at]}"
        if prose is None:
            return words_of_id(kind, number)
        return self.title(prose.text(self.language), kind, number)

    def text(self, kind: Kind, number: int) -> str | None:
        """The text of a member or piece, or of its kind; None if there is none."""
        definition = self.definition.kinds.get(kind.name)
        if definition is None:
            return None
        member = self._written(kind.name).get(kind.id_of(number))
        prose = member.text if member is not None else None
        if prose is None and definition.each:
            prose = definition.text
        return self.title(prose.text(self.language), kind, number) if prose is not None else None

    def _back(self, number: int) -> str:
        kind = self.program.kind_of[number]
        shown = [self.value(kind.attribute_types[a], kind.attributes[a][number - kind.base]) for a in kind.back]
        if shown:
            nothing = self.phrase("none")
            shown = [word for word in shown if word != nothing]
        definition = self.definition.kinds[kind.name]
        # A title with values belongs to a piece, and somebody who sees the back does not know the piece.
        of_all = None if definition.title is not None and definition.title.shows_values else definition.title
        name = self.prose(definition.back_title or of_all, kind.name)
        if not shown:
            return self.phrase("hidden", kind=name)
        return self.phrase("back", kind=name, shown=self.phrase("comma").join(shown))

    def value(self, type: Type, value: Any, sees: Sees = None) -> str:
        """A value in words; a piece that is not seen, by its back."""
        if isinstance(type, List) or isinstance(value, tuple | list):
            inner = element(type)
            words = [self.value(inner, v, sees) for v in value[:MOST_READ_OUT]]
            if len(value) > MOST_READ_OUT:
                words.append(self.phrase("more", number=len(value) - MOST_READ_OUT))
            return self.read_out(words) or self.phrase("nothing")
        if isinstance(type, Maybe) and value == none_of(type):
            return self.phrase("nobody") if isinstance(type.of, Player) else self.phrase("none")
        return self.single_value(plain(type), value, sees)

    def runs(self, type: Type, values: Sequence[Any]) -> list[str]:
        """The members of a list in their order; what stands in it many times in a row is counted: `3 × stone`."""
        found = []
        for value, same in groupby(values):
            words, times = self.value(type, value), len(list(same))
            found += [words] * times if times < MANY else [f"{times} × {words}"]
        return found

    def single_value(self, type: Type, value: Any, sees: Sees) -> str:
        """A value that is no list and not none, in words."""
        match type:
            case Tuple(of) as whole:
                parts = zip(of, whole.parts(value), strict=True)
                return self.phrase("arrow").join(self.value(part, v, sees) for part, v in parts)
            case Bool():
                return self.phrase("true" if value else "false")
            case Player():
                return self.names[value] if 0 <= value < len(self.names) else self.phrase("nobody")
            case Member(kind):
                return self.member(self.symbols.kinds[kind], value) if value >= 0 else self.phrase("none")
            case Piece():
                if value < 0:
                    return self.phrase("none")
                return self.pieces[value] if sees is None or sees(value) else self.backs[value]
            case _:
                return str(value)

    def _family(self, family: Family, slot: int, owned: bool = True) -> str:
        """The name of one of a family: `Basket of Anna`, `Patch (Wood)`; without the owner if `owned` says so."""
        name = self.titled(family)
        rest = list(self.index(family, slot))
        whose = next((at for at, p in enumerate(family.parameters) if isinstance(p.type, Player)), None)
        owner = rest.pop(whose) if whose is not None else None
        if rest:
            name = self.phrase("at", zone=name, index=self.phrase("comma").join(rest))
        return self.phrase("of", zone=name, owner=owner) if owned and owner is not None else name

    def _index(self, family: Family, slot: int) -> tuple[str, ...]:
        """The indices of one zone or variable of a family, in words."""
        index = zip(family.parameters, family.index(slot), strict=True)
        return tuple(self.value(p.type, value) for p, value in index)

    def _zone(self, slot: int) -> str:
        return self.family(self.program.zone_of[slot], slot) if slot >= 0 else ""

    def whereabouts(self, slot: int, others: Sequence[int]) -> str:
        """What distinguishes a zone from others: its index within one family, otherwise its name; with a number if that is not
        unique among these others."""
        zone_of = self.program.zone_of
        is_one_family = all(zone_of[other] is zone_of[slot] for other in others)

        def words(place: int) -> str:
            return self.phrase("comma").join(self.index(zone_of[place], place)) if is_one_family else self.zones[place]

        found = words(slot)
        if all(other == slot or words(other) != found for other in others):
            return found
        alike = [place for place in range(len(zone_of)) if zone_of[place] is zone_of[slot] and words(place) == found]
        number = self.phrase("nth", number=alike.index(slot) + 1)
        return self.phrase("comma").join((found, number))

    def step(self, path: str, number: int) -> str:
        """The title of a step, with the number of the pass if it repeats; empty if it has no title."""
        found = self.step_at(path)
        if found is None or found.title is None:
            return ""
        title = found.title.raw(self.language)
        is_again = repeats(found) and found.path not in self.program.game.once
        return self.phrase("again", title=title, number=number) if is_again else title

    def step_at(self, path: str) -> StepDefinition | None:
        """The step at a path, or with its last name: a step may use another one."""
        if not self._steps:
            for step in every_step(self.definition.flow):
                self._steps[step.path] = step
                self._steps.setdefault(step.name, step)
        return self._steps.get(path) or self._steps.get(path.rpartition(".")[2])

    def change(self, slot: int, value: int, sees: Sees = None) -> str:
        """The new value of a variable, which is called after its owner or piece: `Anna: Score`, `Parasol: Wormy`."""
        variable = self.program.variable_of[slot]
        name, index = self.titled(variable), list(self.index(variable, slot))
        whose = index.pop(0) if index and (variable.owned or variable.of_kind is not None) else None
        if index:
            name = self.phrase("at", zone=name, index=self.phrase("comma").join(index))
        if whose is not None:
            name = self.phrase("belongs", owner=whose, name=name)
        if isinstance(variable.type, Bool) and value:
            return name
        return self.phrase("set", name=name, value=self.value(variable.type, value, sees))

    def read_out(self, words: Sequence[str]) -> str:
        return read_out(self.language, words)

    def listed(self, counts: Counter[str], total: int) -> str:
        """So many names in order of first appearance, repeated ones with a number: `2 × Parasol, Truffle`."""
        shown = list(islice(counts.items(), MOST_LISTED if len(counts) <= MOST_LISTED else MOST_LISTED - 1))
        parts = [self.phrase("several", number=n, what=name) if n > 1 else name for name, n in shown]
        if len(counts) > MOST_LISTED:
            parts.append(self.phrase("more", number=total - sum(n for _, n in shown)))
        return self.phrase("comma").join(parts)

    # --- sentences ----------------------------------------------------------------------------------------------------

    def team(self, number: int) -> str:
        """The title of a team; empty for a mere number, and for a player without a team."""
        teams = self.program.symbols.teams
        type = (teams.type if isinstance(teams, Table) else teams.result) if teams is not None else None
        if type is None or number >= ALONE or not isinstance(plain(type), Member):
            return ""
        return self.value(type, number)

    def sentence(self, raw: str, parts: Parts, values: Sequence[Any], sees: Sees = None) -> str:
        """A sentence of the rules in the language of the match, with the values that a viewer may see."""
        types = [p.type for p in parts if not isinstance(p, str)]
        words = [self.value(t, v, sees) for t, v in zip(types, values, strict=False)]
        translated = self.definition.translations.get(self.language, {}).get(raw)
        if translated is None:
            remaining = iter(words)
            return "".join(p if isinstance(p, str) else next(remaining, "") for p in parts)
        # The values of a translation are matched by the text in their braces.
        by_name = {name.replace(" ", ""): word for name, word in zip(braces(raw), words, strict=False)}
        told = translated.parts
        return "".join(p if isinstance(p, str) else by_name.get(format(p).replace(" ", ""), "") for p in told)


def braces(raw: str) -> list[str]:
    """What stands in the braces of a sentence; no expression has a brace in it, and a double one is text."""
    return [found[1].strip() for found in BRACES.finditer(raw) if found[1] is not None]
