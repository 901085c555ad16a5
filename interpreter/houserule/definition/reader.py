"""Reads the values in the tree of a game: texts become syntax trees, and facts about the whole game are collected."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator
from collections.abc import Mapping as MappingOf
from functools import partialmethod
from typing import Any, Protocol, TypeVar

from houserule.diagnostics import Diagnostic, Report, Span
from houserule.frozen import frozen
from houserule.language import nodes
from houserule.language.format import format
from houserule.language.parse import parse, parse_text
from houserule.language.scope import Budget
from houserule.language.trees import walk
from houserule.language.vain import warn_of_condition, warn_of_vain
from houserule.source import Fragment, Mapping, Scalar, Sequence, Yaml, listed, text_at

NOTES = ("source", "assumed")
"""Keys that describe the entry around them and are no entries themselves."""
STATEMENTS = re.compile(r"\bfinish\b|^\w+ *[-+*/%]*= .*\n", re.MULTILINE)
"""What distinguishes a block from an expression: its end, or a first line that sets a name."""
RANGE = re.compile(r"\s*([0-9]{1,3})(?:\s*\.\.\s*([0-9]{1,3}))?\s*")
ALMOST_RANGE = re.compile(r"\s*(\d{1,2})\s*(?:-|–|—|to|\.|\.{3,}|…|,)\s*(\d{1,2})\s*")
"""A range in another common notation."""
LISTED = re.compile(r"\s*\d{1,2}(?:\s*(?:,|/|or|and)\s*\d{1,2})+\s*")
"""Several numbers, as a list without its brackets."""
MOST_PLAYERS = 20
MOST_MINUTES = 6_000

K = TypeVar("K", bound=nodes.Node | None)
T = TypeVar("T")


def bounds(node: Yaml | None) -> tuple[int, int] | None:
    """The fewest and the most players; None if that cannot be read."""
    match = RANGE.fullmatch(node.text) if isinstance(node, Scalar) else None
    return (int(match[1]), int(match[2] or match[1])) if match else None


def instead_of_numbers(numbers: list[int]) -> str:
    """What to write instead of a list of numbers of players: a range has no gaps."""
    low, high = min(numbers), max(numbers)
    gaps = [str(number) for number in range(low, high) if number not in numbers]
    if not gaps:
        return f"players: {low}..{high}" if low < high else f"players: {low}"
    if high > MOST_PLAYERS:
        return "players: 2..5"
    return f"players: {low}..{high} also allows {', '.join(gaps)}; to leave that out, write {low} here, and a variant for more"


@frozen
class Prose:
    """A text for people, by language; a text without a language is under ""."""

    span: Span
    texts: dict[str, nodes.Text]

    def raw(self, language: str = "en") -> str:
        """The text as written in that language, else in the first one given."""
        return self.text(language).raw

    def text(self, language: str = "en") -> nodes.Text:
        return self.texts.get(language) or next(iter(self.texts.values()))

    @property
    def values(self) -> tuple[nodes.Expression, ...]:
        """What stands in its braces, in all languages."""
        return tuple(part for text in self.texts.values() for part in text.parts if not isinstance(part, str))

    @property
    def shows_values(self) -> bool:
        return bool(self.values)


@frozen
class Assumption:
    """Something the rulebook does not say: where, and the reason by language; "" is for everybody."""

    span: Span
    texts: MappingOf[str, str]

    @property
    def reason(self) -> str:
        return next(iter(self.texts.values()))

    def reason_in(self, language: str) -> str:
        return self.texts.get(language, self.reason)


class Word(str):
    """A word, and where it is written."""

    __slots__ = ("span",)
    span: Span


class Memory(Protocol):
    """Keeps what is read of texts, and limits it."""

    budget: Budget

    def once(self, key: Hashable, report: Report, make: Callable[[Report], T]) -> T:
        """The kept result of `make`."""


class Reader:
    """Reads values. A mistake goes into the report, and the value is omitted."""

    def __init__(self, report: Report, verbs: MappingOf[str, tuple[str, ...]], readings: Memory) -> None:
        self.report = report
        self.verbs = verbs
        self.readings = readings
        self.assumptions: list[Assumption] = []
        self.languages: dict[str, None] = {}
        self.counting: list[nodes.Node] = []  # the texts that mention the number of players
        self.proses: list[Prose] = []
        self.sentences: dict[str, nodes.Text] = {}  # the sentences in effects, as written, each at its first place
        # Misspelt keys, by place.
        self.meant = {d.span: d.meant for d in report.found if d.stage == 2 and d.meant is not None}

    def parsed(self, node: Yaml | None, start: str) -> Any:
        """The syntax tree of a scalar, of the class for this start symbol; None after a diagnostic."""
        if not isinstance(node, Scalar) or (node.value is None and not node.text):
            return None  # missing, or its shape has been reported
        fragment = node.fragment

        def read(own: Report) -> nodes.Node | None:
            made = parse(fragment, start, own, self.verbs)
            if made is not None and not own.has_errors:
                warn_of_vain(made, own)
            return made

        return self.kept(node, self.once(fragment, start, read))

    def once(self, fragment: Fragment, start: str, read: Callable[[Report], T]) -> T:
        """A text read once; the same text at the same place is not read again. Its mistakes are reported each time."""
        text = fragment.text
        # A word, and a sentence without values in it, is read faster than it is looked up.
        is_plain = text.isidentifier() or text.isdigit() or (start == "text" and "{" not in text)
        if not is_plain or start not in ("expression", "text"):
            self.readings.budget.spend_on_text(text, fragment.span(1, 1, 1, 2))
        if start not in fragment.parsed:
            own = Report()
            made = read(own) if is_plain else self.readings.once((fragment.identity, start), own, read)
            fragment.parsed[start] = made, own.found
        kept: tuple[T, list[Diagnostic]] = fragment.parsed[start]
        for diagnostic in kept[1]:
            self.report.add(diagnostic)
        self.readings.budget.spend_on_mistakes(text, kept[1])
        return kept[0]

    def kept(self, scalar: Scalar, node: K) -> K:
        """The tree of a text, also collected if it mentions the number of players."""
        if isinstance(node, nodes.Node) and "player_count" in scalar.text:
            self.counting.append(node)
        return node

    def expression(self, node: Yaml | None) -> nodes.Expression | None:
        """An expression; a YAML list is a list literal."""
        if isinstance(node, Sequence):
            return nodes.ListOf(node.span, self.expressions(node.items))
        found: nodes.Expression | None = self.parsed(node, "expression")
        return found

    def expressions(self, items: tuple[Yaml, ...]) -> tuple[nodes.Expression, ...]:
        return tuple(found for item in items if (found := self.expression(item)) is not None)

    def condition(self, node: Yaml) -> nodes.Expression | None:
        """A condition, which can change."""
        found = self.expression(node)
        warn_of_condition(found, self.report)
        return found

    def one_or_more(self, node: Yaml) -> tuple[nodes.Expression, ...]:
        """Several expressions, or one; a list in quotes is several."""
        found = self.expressions(listed(node))
        match found:
            case (nodes.ListOf(items=items),) if isinstance(node, Scalar):
                return items
        return found

    def result(self, node: Yaml) -> nodes.Block | nodes.Expression | None:
        return self.block(node) if isinstance(node, Scalar) and STATEMENTS.search(node.text) else self.expression(node)

    def sight(self, node: Yaml) -> str | nodes.Expression | None:
        """Who sees something: `all`, `none`, `owner` or an expression."""
        word = text_at(node)
        return word if word in ("all", "none", "owner") else self.expression(node)

    declaration = partialmethod(parsed, start="declaration")
    type_name = partialmethod(parsed, start="type_name")
    binding = partialmethod(parsed, start="binding")
    event = partialmethod(parsed, start="event")

    def events(self, node: Yaml) -> tuple[nodes.Event, ...]:
        return tuple(found for item in node.items if (found := self.event(item)) is not None)

    def word(self, node: Yaml) -> Word | None:
        if len(node.items) == 1:
            (node,) = node.items  # told before: what else is said of the rest reads it as the one that is meant
        if not isinstance(node, Scalar):
            return None
        found = Word(node.text.strip())
        found.span = node.span
        return found

    def words(self, node: Yaml) -> tuple[Word, ...]:
        """The words of a list, or a single one."""
        return tuple(word for item in listed(node) if (word := self.word(item)) is not None)

    def minutes(self, node: Yaml) -> tuple[int, int] | None:
        """The shortest and the longest time."""
        found = bounds(node)
        if found is not None and 1 <= found[0] <= found[1] <= MOST_MINUTES:
            return found
        self.report.error("HR212", "this is not a number of minutes, nor a range of them", node.span, "minutes: 30..45")
        return None

    def players(self, node: Yaml) -> tuple[int, int] | None:
        """The fewest and the most players."""
        found = bounds(node)
        if found is not None and 1 <= found[0] <= found[1] <= MOST_PLAYERS:
            return found
        if isinstance(node, Scalar):
            meant = ALMOST_RANGE.fullmatch(node.text)
            message = f"'players' expects a number or a range such as 2..5, got '{node.text}'"
            advice = f"players: {meant[1]}..{meant[2]}" if meant else "players: 2..5"
            if LISTED.fullmatch(node.text):
                advice = instead_of_numbers([int(number) for number in re.findall(r"\d+", node.text)])
            if found is not None and 1 <= found[0] <= found[1]:
                message = f"at most {MOST_PLAYERS} can play, but 'players' is {node.text}"
                advice = f"players: {min(found[0], MOST_PLAYERS)}..{MOST_PLAYERS}"
            self.report.error("HR212", message, node.span, advice)
        return None

    def flag(self, node: Yaml) -> bool:
        return isinstance(node, Scalar) and node.value is True

    def number(self, node: Yaml) -> Scalar | None:
        """A whole number as written."""
        return node if isinstance(node, Scalar) and isinstance(node.value, int) else None

    def block(self, node: Yaml | None) -> nodes.Block | None:
        found: nodes.Block | None = self.parsed(node, "block")
        if found is not None and isinstance(node, Scalar) and '"' in node.text:
            for text in walk(found):
                if isinstance(text, nodes.Text):
                    self.sentences.setdefault(text.raw, text)
        return found

    def signature(self, key: Scalar, may_give: bool = False) -> nodes.Signature | None:
        """A key that declares; with `may_give`, an effect that may say what it gives where it gives nothing else."""
        found: nodes.Signature | None = self.parsed(key, "signature")
        if found is not None and found.otherwise is not None and not may_give:
            message = f"'{found.name}' is a key, and its value stands after ':', not after '='"
            self.report.error("HR401", message, found.otherwise.span, "only effects have a default here")
        return found

    def text(self, scalar: Scalar) -> nodes.Text | None:
        return self.kept(
            scalar, self.once(scalar.fragment, "text", lambda own: parse_text(scalar.fragment, own, self.verbs))
        )

    def sentence(self, node: Yaml) -> nodes.Text | None:
        """A sentence as in an effect."""
        found = self.text(node) if isinstance(node, Scalar) else None
        if found is not None:
            self.sentences.setdefault(found.raw, found)
        return found

    def prose(self, node: Yaml | None) -> Prose | None:
        """A title or text in one language or several."""
        texts: dict[str, nodes.Text] = {}
        if isinstance(node, Scalar):
            if text := self.text(node):
                texts[""] = text
        elif isinstance(node, Mapping):
            for language, entry in node.entries.items():
                self.languages.setdefault(language)
                if isinstance(entry.value, Scalar) and (text := self.text(entry.value)):
                    texts[language] = text
        if node is None or not texts:
            return None
        self.proses.append(Prose(node.span, texts))
        return self.proses[-1]

    def entries(self, node: Yaml | None) -> Iterator[tuple[Scalar, Yaml]]:
        if isinstance(node, Mapping):
            yield from ((entry.key, entry.value) for name, entry in node.entries.items() if name not in NOTES)
            self.note(node)

    def key(self, name: str, key: Scalar, node: Mapping) -> str:
        """The key that is meant where one is misspelt, which has been reported."""
        meant = self.meant.get(key.span) if self.meant else None
        return meant if meant is not None and meant not in node.entries else name

    def note(self, node: Mapping) -> None:
        """Note what is assumed here."""
        entry = node.entries.get("assumed")
        if entry is None:
            return
        spoken = entry.value.entries if isinstance(entry.value, Mapping) else {"": entry}
        texts = {key: one.value.text.strip() for key, one in spoken.items() if isinstance(one.value, Scalar)}
        if texts:
            self.assumptions.append(Assumption(entry.key.span, texts))


def check_parameters(signature: nodes.Signature, report: Report) -> None:
    """Check that parameters have different names."""
    names: set[str] = set()
    for parameter in signature.parameters:
        if parameter.name is None:
            message = f"this parameter of '{signature.name}' needs a type and a name"
            word = format(parameter.type)
            help = f"int {word}, or another type before the name" if len(word) == 1 else f"{word} x"
            report.error("HR402", message, parameter.span, help)
        elif parameter.name in names:
            message = f"'{signature.name}' has the parameter '{parameter.name}' twice"
            report.error("HR301", message, parameter.span, "use another name for one")
        else:
            names.add(parameter.name)
