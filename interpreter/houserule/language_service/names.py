"""Names in rule files: their declarations, their uses, those that are local to one text, and what new names are refused."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

from houserule.definition.files import ROOTS, RuleText
from houserule.definition.sorts import PROSE, SPOKEN, TRANSLATED, WAS, Sort
from houserule.diagnostics import Fix, Span
from houserule.frozen import frozen
from houserule.language import nodes
from houserule.language.nodes import Node
from houserule.language.trees import walk
from houserule.language.words import RESERVED
from houserule.language_service.documents import Document, absolute, parsed, sentence
from houserule.mending import edited
from houserule.operations import VERBS
from houserule.source import Mapping, Scalar, Sequence, Yaml

NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)

Means = Callable[[Span, bool], bool]
"""Whether the name at a place is meant; if the checker does not know, what is said."""


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
    for tree in document.trees:
        yield from declared(tree, ROOTS[document.kind], "")


def parts_of(document: Document) -> Iterator[Mapping]:
    """The maps of a file that have the shape of a game; for a variant, what it adds and changes."""
    for tree in document.trees:
        yield tree
        inside = (tree.entries.get(name) for name in ("add", "change"))
        yield from (entry.value for entry in inside if entry is not None and isinstance(entry.value, Mapping))


def declared(node: Yaml, sort: Sort, inside: str) -> Iterator[Declaration]:
    """The declarations in a part of a file, nested ones included."""
    if isinstance(node, Sequence) and sort.declares:
        for item in node.items:
            if isinstance(item, Scalar) and (found := NAME.match(item.text)):
                yield Declaration(found[0], sort.declares, item, item, inside)
    for name, entry in node.entries.items() if isinstance(node, Mapping) else ():
        inner, around = sort.inside(name), inside
        if inner is None or inner is WAS.sort:
            continue
        if sort.declares and name not in sort.keys and (found := NAME.match(name)):
            around = found[0]
            yield Declaration(around, sort.declares, entry.key, entry.value, inside)
        yield from declared(entry.value, inner, around)


def occurrences(document: Document, name: str, kinds: set[str], means: Means, is_one: bool) -> Iterator[Span]:
    """Every occurrence in a file of a name of the game, which things of these kinds have.

    Where the name may mean something else, `means` decides: where a local name has it, and everywhere unless it `is_one`.
    """
    places = (
        in_effects(document, name, means, is_one),
        in_values(document, name, kinds),
        in_prose(document, name),
        translated(document, name),
    )
    yield from dict.fromkeys(span for several in places for span in several)


def in_effects(document: Document, name: str, means: Means, is_one: bool) -> Iterator[Span]:
    for text in document.texts:
        node = parsed(text.scalar.fragment, text.starts) if name in text.scalar.text else None
        if node is not None:
            is_local = name in bound(node)
            is_clear = is_one and not is_local
            declares = node.name_span if isinstance(node, nodes.Signature) else None  # which is a value as well
            found = (span for span in named(node, name) if span != declares)
            yield from (span for span in found if is_clear or means(span, not is_local))


def in_values(document: Document, name: str, kinds: set[str]) -> Iterator[Span]:
    """Those that a key of the file asks for, as a whole, before brackets, a number or `of`, or in a path of names."""
    word = re.compile(rf"(?<![\w]){name}(?!\w)", re.ASCII)
    for one in document.values:
        mentions = one.mentions if name in one.scalar.text and one.text in ("", "signature") else ()
        if "path" in mentions or "step" in kinds.intersection(mentions):
            found = list(word.finditer(one.scalar.text))
        elif "word" in mentions or "entry" in mentions or not kinds.isdisjoint(mentions):
            first = word.match(one.scalar.text)
            found = [first] if first is not None and is_whole(one.scalar.text[first.end() :]) else []
        else:
            continue
        yield from (one.scalar.fragment.span(1, at.start() + 1, 1, at.end() + 1) for at in found)


def is_whole(rest: str) -> bool:
    """Whether a value is a name with what follows it."""
    return not rest or rest.lstrip().startswith(("(", "#", "of "))


def in_prose(document: Document, name: str) -> Iterator[Span]:
    for one in document.values:
        made = sentence(one.scalar) if one.sort in (PROSE, SPOKEN, TRANSLATED) and name in one.scalar.text else None
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


class Refused(ValueError):
    """A change that cannot be made safely; the message gives the reason. Nothing has changed."""


def refuse(old: str, new: str, is_local: bool, declared: Iterable[Declaration], taken: Collection[str]) -> None:
    """Raise Refused for a new name that is invalid or taken, and for an old one that several things have."""
    kinds = sorted({one.what for one in declared})
    if not NAME.fullmatch(new) or new in RESERVED:
        raise Refused(f"'{new}' cannot be a name")
    if not is_local and not kinds:
        raise Refused(f"'{old}' is not declared in these files")
    if len(kinds) > 1:
        raise Refused(f"several things are called '{old}': {', '.join(kinds)}")
    if new in taken:
        raise Refused(f"'{new}' means something already")


def words_in(document: Document) -> set[str]:
    return set(NAME.findall(document.source.text)) if document.source is not None else set()


def texts_with(documents: dict[Path, Document], changes: Iterable[Fix]) -> dict[Path, str]:
    """The texts of files after some changes."""
    by_file: dict[Path, list[Fix]] = {}
    for fix in changes:
        by_file.setdefault(absolute(fix.span.file), []).append(fix)
    sources = {file: documents[file].source for file in by_file}
    return {file: edited(source.text, by_file[file]) for file, source in sources.items() if source is not None}
