"""A rule file in an editor: its tree, its effects and their coloured words, and its names: their declarations, their uses, and what new names are refused."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from string import ascii_letters, digits

from houserule.definition.files import ROOTS, Value, kind_of, texts, values
from houserule.definition.sorts import PROSE, SPOKEN, TRANSLATED, WAS, Sort
from houserule.definition.sorts import Document as Kind
from houserule.diagnostics import Fix, Report, Span
from houserule.frozen import frozen
from houserule.language import nodes
from houserule.language.nodes import Node
from houserule.language.parse import parse, parse_text
from houserule.language.scan import WORD
from houserule.language.trees import walk
from houserule.language.words import RESERVED
from houserule.mending import edited
from houserule.operations import FUNCTIONS, PREPOSITIONS, VERBS
from houserule.reading import real, root_of
from houserule.source import (
    Fragment,
    Mapping,
    Scalar,
    Sequence,
    Source,
    Yaml,
    documents_of,
    entries_at,
    open_source,
    value_at,
)

KEY = re.compile(
    r" *(?P<dashes>(?:- +)*)(?P<key>\"[^\"]*\"|'[^']*'|[^\s#\"'{\[|>:-][^:#]*(?=:))?(?(key) *:(?:\s|$)|(?=-|\S))"
)
"""A line with a key, or a list entry."""


@frozen
class Document:
    """A file with the maps that could be read."""

    path: Path
    source: Source | None
    trees: tuple[Mapping, ...]
    kind: Kind
    values: tuple[Value, ...]  # and the keys that its author names
    texts: tuple[Value, ...]  # of the effect language
    is_whole: bool = True  # its YAML has no mistakes

    def text_at(self, line: int, column: int) -> Value | None:
        """The text of the effect language at a place."""
        above = [text for text in self.texts if text.scalar.span.line <= line]
        here = [text for text in above if is_at(whole(text.scalar), line, column)]
        return here[-1] if here else None


def read(path: Path) -> Document:
    """A file with whatever can be read of it."""
    report = Report()
    source = open_source(path, root_of(path), report, str(path), None)
    trees = tuple(documents_of(source, report)) if source is not None else ()
    below = "scenarios" in path.resolve().parts
    kind: Kind = kind_of(trees[0], below) if trees else "game"
    found = tuple(one for tree in trees for one in values(tree, ROOTS[kind]))
    return Document(path, source, trees, kind, found, tuple(texts(found)), not report.has_errors)


def path_above(above: list[str], indent: int) -> tuple[str, ...]:
    """The keys around a line with that indentation, from the lines above it, since a file may be incomplete."""
    path: list[str] = []
    for row in reversed(above):
        if row.startswith("---") or indent <= 0:
            break
        found = KEY.match(row)
        if found is None:
            continue
        dash, column = found.start("dashes"), found.start("key")
        if found["key"] is not None and column < indent:
            path.append(found["key"].strip("\"'"))
            indent = column
        if found["dashes"] and dash < indent:
            path.append("0")
            indent = dash + 1
    return tuple(reversed(path))


def is_in_block(above: list[str], indent: int) -> bool:
    """Whether a line with that indentation belongs to a block after `|`."""
    rows = (row for row in reversed(above) if row.strip() and len(row) - len(row.lstrip(" ")) < indent)
    return bool(re.search(r":\s+[|>][+-]?\s*$", next(rows, "")))


def is_at(span: Span, line: int, column: int) -> bool:
    return (span.line, span.column) <= (line, column) <= (span.end_line, span.end_column)


def whole(scalar: Scalar) -> Span:
    """The place of a value with all its lines; the span of a block is only its `|`."""
    span = scalar.span
    if scalar.style not in ("literal", "folded"):
        return span
    lines = scalar.fragment.text.rstrip("\n").count("\n") + 1
    return Span(span.file, span.line, span.column, span.line + lines, 10_000)


def placed(tree: Yaml, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Scalar | None, Yaml]]:
    """Every value in a tree with the path to it, and its key unless it stands in a list, in the order of the file."""
    for name, entry in tree.entries.items() if isinstance(tree, Mapping) else ():
        yield (*path, name), entry.key, entry.value
        yield from placed(entry.value, (*path, name))
    for number, item in enumerate(tree.items) if isinstance(tree, Sequence) else ():
        yield (*path, str(number)), None, item
        yield from placed(item, (*path, str(number)))


def keys(tree: Yaml) -> Iterator[tuple[tuple[str, ...], Scalar]]:
    """Every key with the path to it."""
    return ((path, key) for path, key, _ in placed(tree) if key is not None)


def parsed(fragment: Fragment, starts: tuple[str, ...]) -> nodes.Node | None:
    """The syntax tree of a text, by the first start symbol that fits."""
    for start in starts:
        report = Report()
        node = parse(fragment, start, report, PREPOSITIONS)
        if node is not None and not report.has_errors:
            return node
    return None


def sentence(scalar: Scalar) -> nodes.Text | None:
    return parse_text(scalar.fragment, Report(), PREPOSITIONS) if "{" in scalar.text else None


def until(text: str, span: Span, lines: list[str], line: int, column: int) -> str | None:
    """The beginning of an effect up to a place of its file; None if the place is outside."""
    if line < span.line or (line == span.line and column < span.column):
        return None
    if line == span.line and not lines[line - 1][span.column - 1 :].startswith(("|", ">")):
        quoted = lines[line - 1][span.column - 1 : span.column] in ("'", '"')
        return lines[line - 1][span.column - 1 + quoted : column - 1]
    first = span.line
    if line == first:
        return None
    rows = lines[first : line - 1]
    filled = [row for row in [*rows, lines[line - 1]] if row.strip()]
    indent = min((len(row) - len(row.lstrip(" ")) for row in filled), default=0)
    own = text.split("\n")
    if own and lines[first : first + 1]:
        indent = len(lines[first]) - len(lines[first].lstrip(" ")) - (len(own[0]) - len(own[0].lstrip(" ")))
    return "\n".join([*(row[indent:] for row in rows), lines[line - 1][indent : column - 1]])


def end_of(value: Yaml) -> Span:
    return whole(value) if isinstance(value, Scalar) else value.span


def foldable(tree: Mapping) -> Iterator[tuple[int, int]]:
    """The maps and texts inside a map, by first and last line."""
    for entry in tree.entries.values():
        last = end_of(entry.value)
        yield entry.key.span.line, last.end_line - (last.end_column == 1)
        if isinstance(entry.value, Mapping):
            yield from foldable(entry.value)


@frozen
class Token:
    """A word of an effect and its kind: `keyword`, `verb`, `function`, `variable`, `member`, `number`, `string` …."""

    span: Span
    what: str


def words_of(text: str, span_of: Callable[[int, int, int, int], Span], kinds: dict[str, str]) -> Iterator[Token]:
    """The words of an effect with their kinds."""
    line, start = 1, 0
    for found in WORD.finditer(text):
        sort, word = found.lastgroup, found[0]
        if sort in ("comment", "number", "string", "name"):
            column = found.start() - start + 1
            what = kind_of_word(word, kinds) if sort == "name" else sort
            yield Token(span_of(line, column, line, column + len(word)), what)
        if sort == "break":
            line, start = line + 1, found.end()


def kind_of_word(word: str, kinds: dict[str, str]) -> str:
    if "#" in word:
        return "piece"
    if word in VERBS or word in RESERVED:
        return "verb" if word in VERBS else "keyword"
    return kinds.get(word) or ("function" if word in FUNCTIONS else "local name")


# --- names ------------------------------------------------------------------------------------------------------------


NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
OF_NAMES = f"{ascii_letters}{digits}_"

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


def last_word(text: str) -> str:
    """The name, whole or begun, at the end of a text, or ""; a pattern would begin again at each of its letters."""
    return text[len(text.rstrip(OF_NAMES)) :].lstrip(digits)


def declarations(document: Document) -> Iterator[Declaration]:
    for tree in document.trees:
        yield from declared(tree, ROOTS[document.kind], "")


def parts_of(document: Document) -> Iterator[Mapping]:
    """The maps of a file that have the shape of a game; for a variant, what it adds and changes."""
    for tree in document.trees:
        inside = (tree, value_at(tree, "add"), value_at(tree, "change"))
        yield from (part for part in inside if isinstance(part, Mapping))


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
        for language in entries_at(part, "translations").values():
            for said, inner in entries_at(language.value).items():
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


def locals_of(text: Value, globals: frozenset[str]) -> dict[str, Span | None]:
    """The local names of a text: those that it declares, and the parameters of its key."""
    found: dict[str, Span | None] = {}
    node = parsed(text.scalar.fragment, text.starts)
    if node is not None:
        found |= bound(node)
        for name, span in assigned(node, globals):
            found.setdefault(name, span)
    if text.key is not None and "(" in text.key.text:
        start = text.key.text.index("(")
        for word in re.finditer(r"\b(\w+)\s*(?=[,)])", text.key.text[start:]):
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
        by_file.setdefault(real(fix.span.file), []).append(fix)
    sources = {file: documents[file].source for file in by_file}
    return {file: edited(source.text, by_file[file]) for file, source in sources.items() if source is not None}
