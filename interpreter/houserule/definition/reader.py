"""Reads the values in the tree of a game: texts become syntax trees, and facts about the whole game are collected."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Mapping as MappingOf
from typing import Any, TypeVar

from houserule.definition.model import Assumption, Prose
from houserule.definition.readings import Readings
from houserule.diagnostics import Diagnostic, Report, Span
from houserule.language import nodes
from houserule.language.parse import parse, parse_effect, parse_text
from houserule.language.reached import walk
from houserule.language.vain import warn_of_condition, warn_of_vain
from houserule.source import Fragment, Mapping, Scalar, Sequence, Yaml

NOTES = ("source", "assumed")
"""Keys that describe the entry around them and are no entries themselves."""

K = TypeVar("K", bound=nodes.Node | None)
T = TypeVar("T")


class Reader:
    """Reads values. A mistake goes into the report, and the value is omitted. All readers of a text have the same methods."""

    def __init__(self, report: Report, verbs: MappingOf[str, tuple[str, ...]], readings: Readings) -> None:
        self.report = report
        self.verbs = verbs
        self.readings = readings
        self.assumptions: list[Assumption] = []
        self.languages: dict[str, None] = {}
        self.counting: list[nodes.Node] = []  # the texts that mention the number of players
        self.proses: list[Prose] = []
        self.sentences: dict[str, nodes.Text] = {}  # the sentences in effects, as written, each at its first place
        # Misspelt keys, by place.
        self.meant = {d.span: d.meant for d in report.found if d.code == "HR201" and d.meant is not None}

    def parsed(self, node: Yaml | None, start: str) -> Any:
        """The syntax tree of a scalar, of the class for this start symbol; None after a diagnostic."""
        if not isinstance(node, Scalar) or (node.value is None and not node.text):
            return None  # missing, or its shape has been reported
        fragment = node.fragment

        def read(own: Report) -> nodes.Node | None:
            effect = start == "block"
            made = parse_effect(fragment, own, self.verbs) if effect else parse(fragment, start, own, self.verbs)
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

    def block(self, node: Yaml | None) -> nodes.Block | None:
        """An effect."""
        found: nodes.Block | None = self.parsed(node, "block")
        if found is not None and isinstance(node, Scalar) and '"' in node.text:
            for text in walk(found):
                if isinstance(text, nodes.Text):
                    self.sentences.setdefault(text.raw, text)
        return found

    def signature(self, key: Scalar) -> nodes.Signature | None:
        """A key that declares."""
        found: nodes.Signature | None = self.parsed(key, "signature")
        return found

    def text(self, scalar: Scalar) -> nodes.Text | None:
        return self.kept(
            scalar, self.once(scalar.fragment, "text", lambda own: parse_text(scalar.fragment, own, self.verbs))
        )

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

    def note(self, node: Mapping) -> None:
        """Note what is assumed here."""
        entry = node.entries.get("assumed")
        if entry is None:
            return
        spoken = entry.value.entries if isinstance(entry.value, Mapping) else {"": entry}
        texts = {key: one.value.text.strip() for key, one in spoken.items() if isinstance(one.value, Scalar)}
        if texts:
            self.assumptions.append(Assumption(entry.key.span, texts))


class Keys:
    """The keys of one map, each value read by its key; None if it is missing."""

    def __init__(self, reader: Reader, node: Mapping) -> None:
        self.reader = reader
        self.node = node
        reader.note(node)

    def get(self, key: str) -> Yaml | None:
        """The value under a key, or under a misspelling of it that has been reported."""
        entry = self.node.entries.get(key)
        if entry is None and self.reader.meant:
            meant = self.reader.meant
            entry = next((e for e in self.node.entries.values() if meant.get(e.key.span) == key), None)
        return entry.value if entry else None

    def entries(self, key: str) -> Iterator[tuple[Scalar, Yaml]]:
        return self.reader.entries(self.get(key))

    def scalars(self, key: str) -> tuple[Scalar, ...]:
        """The words of the list under a key."""
        node = self.get(key)
        return tuple(item for item in node.items if isinstance(item, Scalar)) if isinstance(node, Sequence) else ()

    def expression(self, key: str) -> nodes.Expression | None:
        return self.reader.expression(self.get(key))

    def condition(self, key: str) -> nodes.Expression | None:
        """A condition, which can change."""
        found = self.expression(key)
        warn_of_condition(found, self.reader.report)
        return found

    def block(self, key: str) -> nodes.Block | None:
        return self.reader.block(self.get(key))

    def binding(self, key: str) -> nodes.Binding | None:
        """A list with a name for each of its elements: `h in habitat`, `players`."""
        found: nodes.Binding | None = self.reader.parsed(self.get(key), "binding")
        return found

    def prose(self, key: str) -> Prose | None:
        return self.reader.prose(self.get(key))

    def word(self, key: str) -> tuple[str | None, Span | None]:
        """A plain word and its place."""
        node = self.get(key)
        return (node.text.strip(), node.span) if isinstance(node, Scalar) else (None, None)
