"""Names in rule files: their declarations, their uses, those that are local to one text, and what new names are refused."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from houserule.definition.files import RuleText
from houserule.diagnostics import Fix, Span
from houserule.frozen import frozen
from houserule.language import nodes
from houserule.language.nodes import Node
from houserule.language.trees import walk
from houserule.language.words import RESERVED
from houserule.language_service.documents import PROSE, Document, absolute, parsed, prose, sentence, words
from houserule.mending import edited
from houserule.operations import VERBS
from houserule.source import Mapping, Scalar, Sequence, Yaml

DECLARING = {
    "options": "option",
    "enums": "enum",
    "components": "kind",
    "zones": "zone",
    "variables": "variable",
    "tables": "table",
    "functions": "function",
    "actions": "action",
    "triggers": "trigger",
    "flow": "step",
    "steps": "step",
    "scoring": "line of the score sheet",
    "members": "member",
    "pieces": "piece",
    "attributes": "attribute",
    "effects": "effect",
}
"""What the keys under a key declare."""
NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)

PATH = re.compile(r"[a-z]\w*(\.[a-z]\w*)+")
"""A path of steps, or of what a variant removes. A fixed part of the path may have the same spelling as a name, so each
renamed text is checked before it is offered."""


@frozen
class Declaration:
    """A name that a file declares: its kind, its key, and the value under it."""

    name: str
    what: str
    key: Scalar
    value: Yaml
    inside: str = ""

    @property
    def span(self) -> Span:
        return self.key.span.first(len(self.name))


def declarations(document: Document) -> Iterator[Declaration]:
    for part in parts_of(document):
        yield from declared(part, "")


def parts_of(document: Document) -> Iterator[Mapping]:
    """The maps of a file that have the shape of a game; for a variant, what it adds and changes."""
    for tree in document.trees:
        yield tree
        inside = (tree.entries.get(name) for name in ("add", "change"))
        yield from (entry.value for entry in inside if entry is not None and isinstance(entry.value, Mapping))


def declared(tree: Mapping, inside: str) -> Iterator[Declaration]:
    """The declarations in the sections of a map, nested ones included."""
    for section, entry in tree.entries.items():
        what = DECLARING.get(section)
        if section in PROSE or what is None:
            continue
        if isinstance(entry.value, Sequence):
            for item in entry.value.items:
                if isinstance(item, Scalar) and (found := NAME.match(item.text)):
                    yield Declaration(found[0], what, item, item, inside)
        elif isinstance(entry.value, Mapping):
            for name, inner in entry.value.entries.items():
                if found := NAME.match(name):
                    yield Declaration(found[0], what, inner.key, inner.value, inside)
                    if isinstance(inner.value, Mapping):
                        yield from declared(inner.value, found[0])
                    elif isinstance(inner.value, Sequence) and section == "enums":
                        for item in inner.value.items:
                            if isinstance(item, Scalar):
                                yield Declaration(item.text, "member", item, item, found[0])


def occurrences(document: Document, name: str) -> Iterator[Span]:
    """Every occurrence of a name of the game in a file, except local names with the same spelling."""
    places = (
        in_effects(document, name),
        as_words(document, name),
        in_prose(document, name),
        translated(document, name),
    )
    yield from dict.fromkeys(span for several in places for span in several)


def in_effects(document: Document, name: str) -> Iterator[Span]:
    for text in document.texts:
        node = parsed(text.scalar.fragment, text.starts) if name in text.scalar.text else None
        if node is not None and name not in bound(node):
            yield from named(node, name)


def as_words(document: Document, name: str) -> Iterator[Span]:
    """Those that are a whole key or value, or a part of a dotted path."""
    effects = {id(text.scalar) for text in document.texts}
    for tree in document.trees:
        for scalar in words(tree):
            if id(scalar) in effects or name not in scalar.text:
                continue
            if scalar.text.startswith(name) and is_word(scalar, name):
                yield scalar.fragment.span(1, 1, 1, len(name) + 1)
            elif PATH.fullmatch(scalar.text):
                for part in re.finditer(r"\w+", scalar.text):
                    if part[0] == name:
                        yield scalar.fragment.span(1, part.start() + 1, 1, part.end() + 1)


def in_prose(document: Document, name: str) -> Iterator[Span]:
    for tree in document.trees:
        for scalar in prose(tree):
            made = sentence(scalar) if name in scalar.text else None
            yield from named(made, name) if made is not None else ()


def translated(document: Document, name: str, sentences: Collection[str] | None = None) -> Iterator[Span]:
    """The occurrences in braces of translations, of all sentences or of these."""
    for part in parts_of(document):
        entry = part.entries.get("translations")
        for language in entry.value.entries.values() if entry and isinstance(entry.value, Mapping) else ():
            for said, inner in language.value.entries.items() if isinstance(language.value, Mapping) else ():
                if name not in said or (sentences is not None and said not in sentences):
                    continue
                for scalar in (inner.key, inner.value):
                    made = sentence(scalar) if isinstance(scalar, Scalar) else None
                    yield from named(made, name) if made is not None else ()


def said_with(root: Node, name: str) -> set[str]:
    return {node.raw for node in walk(root) if isinstance(node, nodes.Text) and any(named(node, name))}


def is_word(scalar: Scalar, name: str) -> bool:
    """Whether a key or value is a name and nothing else, or a key with parameters."""
    return scalar.text == name or scalar.text[len(name) :].lstrip().startswith("(")


def named(root: Node, name: str) -> Iterator[Span]:
    for node in walk(root):
        found = word_of(node)
        if found is not None and found[0] == name:
            yield found[1]


def word_of(node: Node) -> tuple[str, Span] | None:
    """The word by which a node names something, and its place."""
    match node:
        case nodes.Name(id=word, span=span):
            return word, span
        case nodes.Copy(id=word, span=span):
            return word, span.first(len(word))
        case nodes.Attribute(name=word, name_span=span) | nodes.Signature(name=word, name_span=span):
            return word, span
        case nodes.Event(place=word, place_span=span):
            return word, span
        case nodes.TypeName(name=word, span=span, is_list=is_list):
            return word, Span(span.file, span.line, span.column + len("list of ") * is_list).first(len(word))
        case (
            nodes.Every(kind=word, span=span)
            | nodes.Is(kind=word, span=span)
            | nodes.Leave(step=str(word), span=span)
            | nodes.Finish(step=str(word), span=span)
        ):
            return word, span.last(len(word))
    return None


def bound(root: Node) -> dict[str, Span | None]:
    """The local names that a text declares, each with its first place."""
    found: dict[str, Span | None] = {}
    for node in walk(root):
        match node:
            case (
                nodes.Selection(binder=str(name), binder_span=span)
                | nodes.For(binder=name, binder_span=span)
                | nodes.Together(binder=str(name), binder_span=span)
                | nodes.Race(result=name, result_span=span)
                | nodes.Binding(binder=str(name), binder_span=span)
                | nodes.Choose(name=name, name_span=span)
                | nodes.ChosenPart(name=name, name_span=span)
            ):
                found.setdefault(name, span)
            case nodes.Preposition(word="as", value=nodes.Name(id=name, span=span)):
                found.setdefault(name, span)
            case nodes.Parameter(name=str(name), span=span):
                found.setdefault(name, span.last(len(name)))
            case nodes.Perform(result=nodes.Name(id=name, span=span)):
                found.setdefault(name, span)
            case nodes.Event(subject=str(name), span=span):
                found.setdefault(name, span.first(len(name)))
    return found


def assigned(root: Node, globals: frozenset[str]) -> Iterator[tuple[str, Span]]:
    """The names that a text sets or rolls and that the game does not declare."""
    for node in walk(root):
        match node:
            case nodes.Assign(target=nodes.Name(id=name, span=span)) if name not in globals:
                yield name, span
            case nodes.Command(verb=verb, argument=nodes.Name(id=name, span=span)) if name not in globals:
                if VERBS[verb].argument == "place":
                    yield name, span


def locals_of(text: RuleText, globals: frozenset[str]) -> dict[str, Span | None]:
    """The local names of a text: those that it declares, and the parameters of its key."""
    found: dict[str, Span | None] = {}
    node = parsed(text.scalar.fragment, text.starts)
    if node is not None:
        found |= bound(node)
        for name, span in assigned(node, globals):
            found.setdefault(name, span)
    if text.key is not None and "(" in text.key.text:
        start = text.key.text.index("(")
        for word in re.finditer(r"(\w+)\s*(?=[,)])", text.key.text[start:]):
            at = start + word.start(1) + 1
            found.setdefault(word[1], text.key.fragment.span(1, at, 1, at + len(word[1])))
    return found


NAME_AT = re.compile(r"[A-Za-z_]\w*", re.ASCII)


class Refused(ValueError):
    """A change that cannot be made safely; the message gives the reason. Nothing has changed."""


def refuse(old: str, new: str, is_local: bool, declared: Iterable[Declaration], taken: Collection[str]) -> None:
    """Raise Refused for a new name that is invalid or taken, and for an old one that several things have."""
    kinds = sorted({one.what for one in declared})
    if not NAME_AT.fullmatch(new) or new in RESERVED:
        raise Refused(f"'{new}' cannot be a name")
    if not is_local and not kinds:
        raise Refused(f"'{old}' is not declared in these files")
    if len(kinds) > 1:
        raise Refused(f"several things are called '{old}': {', '.join(kinds)}")
    if new in taken:
        raise Refused(f"'{new}' means something already")


def words_in(document: Document) -> set[str]:
    return set(NAME_AT.findall(document.source.text)) if document.source is not None else set()


def texts_with(documents: dict[Path, Document], changes: Iterable[Fix]) -> dict[Path, str]:
    """The texts of files after some changes."""
    by_file: dict[Path, list[Fix]] = {}
    for fix in changes:
        by_file.setdefault(absolute(fix.span.file), []).append(fix)
    sources = {file: documents[file].source for file in by_file}
    return {file: edited(source.text, by_file[file]) for file, source in sources.items() if source is not None}
