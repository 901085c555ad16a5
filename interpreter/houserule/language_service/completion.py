"""Completion and hover texts: names and words inside effects; keys, values, operations and names of the game outside."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, get_args

import yaml

from houserule.bundled import index, plain, sections_of
from houserule.definition.files import STARTS, sort_at
from houserule.definition.model import MemberDefinition
from houserule.definition.sorts import LANGUAGE, Key, Sort
from houserule.frozen import frozen
from houserule.language import nodes
from houserule.language.parse import grammar_for
from houserule.language.types import Bool
from houserule.language.words import LONGEST_TEXT, OF_EVERY_GAME, PARTNERS, RESERVED
from houserule.language_service.names import Declaration, Document, is_in_block, keys, last_word, path_above
from houserule.language_service.places import Hole, Places, kind_in
from houserule.operations import FUNCTIONS, PREPOSITIONS, VERBS
from houserule.source import Fragment, Mapping, Scalar, Source, entries_at, in_language, value_at

MARKS = re.compile(r"[\\`*\[\]<>]")
"""What begins links, pictures, code and HTML in Markdown."""
OF_GAMES = {**OF_EVERY_GAME, "partners": PARTNERS}
"""The names that games have without declaring them."""
MOST_LINES = 8
"""The most lines of a declaration in a hover text."""


@cache
def keywords() -> dict[str, str]:
    """The paragraph of the reference for each word that begins or joins something."""
    found: dict[str, str] = {}
    for node in (*get_args(nodes.Statement), *get_args(nodes.Expression)):
        text = inspect.cleandoc(node.__doc__ or "")
        for word in RESERVED:
            if f"`{word} " in text or f"`{word}`" in text or f" {word} " in text.split("`")[1:2]:
                found.setdefault(word, text)
    return found


def operation(word: str) -> str | None:
    row = VERBS.get(word) or next(iter(FUNCTIONS.get(word, ())), None)
    return f"**{word}**: {row.says}\n\n```\n{row.example}\n```" if row is not None else None


def signature(word: str) -> str | None:
    rows = FUNCTIONS.get(word)
    return f"{word}({', '.join(rows[0].parameters)})" if rows is not None else None


def description(document: Document, path: tuple[str, ...]) -> str | None:
    """The description of a key of a file, with an example."""
    sort = sort_at(document.kind, path[:-1])
    known = sort.keys.get(path[-1]) if sort is not None else None
    return key_described(known) if known is not None else None


def key_described(key: Key) -> str:
    """The sentence of a key, with an example."""
    values = [as_written(key.name, value) for value in key.examples[:1]]
    return key.says + "".join(f"\n\n```yaml\n{value}\n```" for value in values)


def as_written(key: str, value: Any) -> str:
    written = yaml.safe_dump(value, allow_unicode=True, sort_keys=False, default_flow_style=True, width=1000)
    return f"{key}: {written.removesuffix('...' + chr(10)).rstrip()}"


@cache
def manual() -> dict[str, tuple[str, str]]:
    """The manual's topic for each word of its index, with the first paragraph of it."""
    found = {}
    for word, sections in index(sections_of("language")).items():
        paragraphs = [part for part in sections[0].text.split("\n\n")[1:] if part[:1].isalpha()]
        found[word] = (sections[0].topic, " ".join(paragraphs[0].split("\n")) if paragraphs else "")
    return found


def from_manual(word: str) -> str | None:
    """What the manual says of a word: the beginning of its section, and how to read on."""
    topic, paragraph = manual().get(plain(word), ("", ""))
    return f"{paragraph}\n\n`houserule docs {topic}`" if paragraph else None


def of_word(word: str) -> list[str]:
    """The meaning of a word of an effect in every game, with what the manual says of it."""
    says = operation(word) or OF_GAMES.get(word) or keywords().get(word)
    return [part for part in (says, from_manual(word)) if part]


def of_key(document: Document, path: tuple[str, ...], key: Scalar) -> list[str]:
    """The description of a key of a file, with what the manual says of it."""
    says = description(document, path)
    return [part for part in (says, from_manual(key.text)) if part] if says else []


def unmarked(text: str) -> str:
    """A text from a file as Markdown that shows it, without links, pictures, code or HTML."""
    return MARKS.sub(r"\\\g<0>", text)


def fenced(text: str, language: str = "") -> str:
    """A text from a file as a block of code, which nothing in it ends."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}{language}\n{text}\n{fence}"


def declaration(one: Declaration) -> str:
    """A name of the game: its kind, the line that declares it, its title and text."""
    inside = f" of `{one.inside.replace('`', '')}`" if one.inside else ""
    parts = [f"**{unmarked(one.name)}**: {one.what}{inside}"]
    if isinstance(one.value, Scalar) and one.value is not one.key:
        parts.append(fenced(f"{one.key.text}: {one.value.text.strip()}"))
    elif one.key.text != one.name:
        parts.append(fenced(one.key.text))
    if isinstance(one.value, Mapping):
        entries = ((key, entry.value) for key, entry in one.value.entries.items())
        shown = [f"{key}: {value.text}" for key, value in entries if isinstance(value, Scalar) and is_short(key, value)]
        parts.append(fenced("\n".join(shown) or beginning(one), "yaml"))
        for key in ("title", "text"):
            said = in_language(value_at(one.value, key), "en")
            if said is not None and said.text.strip():
                words = unmarked(said.text.strip())
                parts.append(words if key == "text" else f"*{words}*")
    return "\n\n".join(parts)


def beginning(one: Declaration) -> str:
    """The first lines of a declaration, as written."""
    lines = one.key.fragment.source.lines[one.key.span.line - 1 : one.value.span.end_line][:MOST_LINES]
    return inspect.cleandoc("\n".join(["", *lines]))


def is_short(key: str, value: Scalar) -> bool:
    return key not in ("title", "text", "assumed", "reveals", "do") and len(value.text) < 80


# --- completion -------------------------------------------------------------------------------------------------------


FITTING = {
    "pile": ("zone", "function"),
    "pieces": ("zone", "piece", "variable", "function"),
    "piece": ("zone", "piece", "variable", "function"),
    "number": ("variable", "option", "function", "table"),
    "position": ("variable", "option", "function"),
    "players": ("variable", "function"),
    "hands": ("zone",),
    "list": ("enum", "kind", "zone", "table", "function"),
    "place": ("variable",),
    "name": ("name",),
}
"""The kinds of names that fit what a verb takes."""
AFTER = [
    (re.compile(r"\bperform\s+$"), ("action",)),
    (re.compile(r"\b(?:leave|finish)\s+$"), ("step",)),
    (re.compile(r"\b(?:every|is|is not)\s+$"), ("kind", "enum")),
]
"""Words that only names of some kinds follow."""
TYPES = {
    "int": "a whole number",
    "0..10": "a whole number in a range",
    "bool": "true or false",
    "player": "one of the players",
    "piece": "a piece of any kind",
    "none": "beside another type, as in 'player or none'",
}
"""The types of every game."""
GLOBAL = ("option", "enum", "kind", "zone", "variable", "table", "function", "action", "member", "piece")
DOTTED = re.compile(r"(?<=[\w)\]!])\.\w*$", re.ASCII)


@frozen
class Completion:
    """A completion: `insert` may be a snippet with placeholders, in the syntax of editors."""

    label: str
    what: str
    detail: str = ""
    insert: str = ""


@frozen
class Scope:
    """What is known at a place: the names of the game, what the checker knew last, the keys above the place, and the files of the game."""

    known: list[Declaration]
    places: Places | None = None
    path: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()

    def hole(self, starts: tuple[str, ...], before: str) -> Hole | None:
        return self.places.hole(self.path, starts, before) if self.places is not None else None


def in_effect(scope: Scope, starts: tuple[str, ...], before: str) -> Iterator[Completion]:
    """What can follow the beginning of an effect or expression: the best first, then words that the grammar accepts."""
    if dotted := DOTTED.search(before):
        yield from after_dot(scope.hole(starts, before[: dotted.start() + 1]), scope)
        return
    stem = before.removesuffix(last_word(before))
    if starts[0] in ("declaration", "signature"):
        yield from types(scope)
        return
    allowed = terminals(stem, starts)
    words = list(words_of(allowed))
    if allowed & set(VERBS):  # a statement begins here
        yield from words
    if "NAME" in allowed:
        if joined := list(prepositions(stem)):
            yield from joined
            return
        only = next((kinds for pattern, kinds in AFTER if pattern.search(stem)), None)
        if only is not None:
            yield from named(scope, only)
            return
        hole = scope.hole(starts, stem)
        if hole is not None:
            yield from what_fits(hole, scope)
        yield from names(scope, hole, wanted_at(stem))
    yield from words


def words_of(allowed: Iterable[str]) -> Iterator[Completion]:
    """Verbs as snippets, and the words of the language."""
    for word in sorted(allowed):
        if word in VERBS:
            yield Completion(word, "verb", VERBS[word].says, snippet(word))
        elif word.isalpha() and word.islower():
            yield Completion(word, "keyword", keywords().get(word, "").split("\n")[0])


def names(scope: Scope, hole: Hole | None, kinds: tuple[str, ...]) -> Iterator[Completion]:
    """Local names, those that every game has, those of this game of these kinds, and functions."""
    if "name" in kinds:
        return  # the author invents one
    for local in hole.names.values() if hole is not None else ():
        if local.word not in OF_EVERY_GAME:
            yield Completion(local.word, "local name", str(local.type))
    for name, says in OF_EVERY_GAME.items():
        yield Completion(name, "player" if name != "it" else "local name", says)
    if hole is not None and hole.has_teams:
        yield Completion("partners", "player", PARTNERS)
    yield from named(scope, kinds)
    for name, rows in FUNCTIONS.items():
        yield Completion(name, "function", rows[0].says, f"{name}($1)")


def named(scope: Scope, kinds: tuple[str, ...]) -> Iterator[Completion]:
    for kind in kinds:
        yield from (told(one) for one in once(scope.known, (kind,)))


def told(one: Declaration) -> Completion:
    return Completion(one.name, one.what, one.key.text if one.key.text != one.name else one.inside)


def command_at(before: str) -> tuple[str, str, str] | None:
    """In the last line of a text: the verb, the last preposition after it, and the words after each."""
    line = re.split(r"[\n;:]", before)[-1]
    verb = next((found for found in re.finditer(r"[a-z]+", line) if found[0] in VERBS), None)
    if verb is None:
        return None
    joined = [found for found in re.finditer(r"[a-z]+", line) if found.start() > verb.start()]
    joined = [found for found in joined if found[0] in VERBS[verb[0]].prepositions]
    return verb[0], joined[-1][0] if joined else "", line[(joined[-1] if joined else verb).end() :]


def prepositions(before: str) -> Iterator[Completion]:
    """The prepositions that can follow a complete operand."""
    found = command_at(before)
    if found is None or not re.search(r"[\w)\]] +$", found[2]):
        return
    verb, last, _ = found
    words = list(VERBS[verb].prepositions)
    for word in words[words.index(last) + 1 if last else 0 :]:
        yield Completion(word, "keyword", VERBS[verb].prepositions[word].rstrip("?"), f"{word} ")


def wanted_at(before: str) -> tuple[str, ...]:
    """The kinds of names that fit at the end of a text: what the verb of its last line takes, else all."""
    found = command_at(before)
    if found is None:
        return GLOBAL
    row = VERBS[found[0]]
    return FITTING.get(row.prepositions[found[1]].rstrip("?") if found[1] else row.argument, GLOBAL)


def types(scope: Scope) -> Iterator[Completion]:
    """The types of values: those that every game has, and the enums and kinds of this one."""
    for name, says in TYPES.items():
        yield Completion(name, "type", says, "${1:0}..${2:10}" if name == "0..10" else "")
    yield from named(scope, ("enum", "kind"))


def after_dot(hole: Hole | None, scope: Scope) -> Iterator[Completion]:
    """What can follow a dot: what the value before it has; if that is unknown, whatever can follow any dot."""
    found = list(once(scope.known, ("attribute", "zone", "variable", "function", "effect", "member", "piece")))
    if hole is not None and hole.following is not None:
        yield from (told(one) for one in found if one.name in hole.following)
        return
    for one in found:
        is_of_kind = one.what in ("attribute", "effect") or (one.what in ("variable", "function") and one.inside)
        if is_of_kind or "(" in one.key.text:
            yield told(one)


def what_fits(hole: Hole, scope: Scope) -> Iterator[Completion]:
    """The members of the type that is wanted, and what is printed on the members of the list around."""
    wanted = kind_in(hole.wanted)
    yield from (told(one) for one in once(scope.known, ("member",)) if one.inside == wanted)
    if isinstance(hole.wanted, Bool):
        yield from (Completion(word, "keyword") for word in ("true", "false"))
    binder = next((name for name in reversed(list(hole.names.values())) if name.set_by == "binder"), None)
    kind = kind_in(binder.type) if binder is not None else None
    for one in scope.known if binder is not None else ():
        if binder is not None and one.what in ("attribute", "function") and one.inside == kind:
            yield replace(told(one), insert=f"{binder.word}.{one.name}")


def once(known: Iterable[Declaration], kinds: Iterable[str]) -> Iterator[Declaration]:
    wanted, seen = set(kinds), set()
    for one in known:
        if one.what in wanted and one.name not in seen:
            seen.add(one.name)
            yield one


def snippet(verb: str) -> str:
    """A verb with its required prepositions, as a snippet."""
    row = VERBS[verb]
    parts = [verb, "${1:" + row.argument + "}"]
    needed = [word for word, pattern in row.prepositions.items() if not pattern.endswith("?")]
    parts += [f"{word} ${{{number}:{row.prepositions[word]}}}" for number, word in enumerate(needed, 2)]
    return " ".join(parts)


def terminals(before: str, starts: tuple[str, ...]) -> set[str]:
    """The terminals that can follow the beginning of a text, among them NAME and NUMBER."""
    grammar = grammar_for(tuple(PREPOSITIONS.items()))
    terminal = {
        one.name: one.pattern.value if one.pattern.type == "str" else one.name for one in grammar.lark.terminals
    }
    fragment = Fragment(before, Source("", before), "plain", 0, len(before))
    found: set[str] = set()
    for start in starts if len(before) <= LONGEST_TEXT else ():
        state = getattr(grammar.parse(f"{before}\x01", fragment, start).error, "state", None)
        if state is not None:
            found |= {terminal[name] for name in state.parse_conf.states[state.position] if name in terminal}
    return found


TEXTS = ("title", "text", "back_title", "translations")
TOKENS = re.compile(r"\"(?:[^\"\\]|\\.)*\"?|'[^']*'?|[{}\[\],]|[^\s{}\[\],:]+\s*:(?=\s|$)|[^\s{}\[\],]+")


def of_file(document: Document, scope: Scope, above: list[str], beginning: str) -> Iterator[Completion]:
    """The keys that a map can have, or the values of a key, at the end of a line."""
    indent = len(beginning) - len(beginning.lstrip(" -"))
    path = path_above(above, indent)
    around, key, written = opened(beginning)
    sort = sort_at(document.kind, (*path, *around))
    if sort is None:
        return
    scope = replace(scope, path=(*path, *around, *([key] if key is not None else [])))
    if sort.text and is_in_block(above, indent):
        yield from in_effect(scope, STARTS[sort.text][-1:], written)
    elif key is not None:
        inner = sort.inside(key) or sort.item
        yield from values(inner, scope, written) if inner is not None else ()
    elif sort.text_of_keys and "(" in written:
        yield from types(scope)
    else:
        yield from keys_in(document, sort, scope, (*path, *around), is_flow=bool(around))


def opened(beginning: str) -> tuple[tuple[str, ...], str | None, str]:
    """In a line: the keys of the open maps in braces, the key whose value is being written, and what of it is there."""
    around: list[str] = []
    key: str | None = None
    line = re.sub(r"^\s*(?:- +)*", "", beginning)
    start = 0
    for found in TOKENS.finditer(line):
        word = found[0]
        if word == "{" and key is not None:
            around.append(key)
        if word == "}" and around:
            key = around.pop()
        elif word == "{" or (word == "," and around):
            key = None
        elif word.endswith(":"):
            key = word[:-1].strip()
        if word in "{}[]," or word.endswith(":"):
            start = found.end()
    return tuple(around), key, line[start:].lstrip()


def values(sort: Sort, scope: Scope, written: str) -> Iterator[Completion]:
    is_type = sort.text == "declaration"  # whose words are types
    yield from (Completion(str(word), "value") for word in (*sort.words, *(sort.offers if not is_type else ())))
    if sort.types == ("boolean",):
        yield from (Completion(word, "value") for word in ("true", "false"))
    mentions = (*sort.mentions, *(sort.item.mentions if sort.item is not None else ()))
    yield from named(scope, mentions)
    if "kind" in mentions:
        yield Completion("piece", "kind", "pieces of any kind")
    if "variant" in mentions:
        yield from (Completion(one.stem, "variant") for one in scope.files if one.parent.name == "variants")
    if sort.text:
        yield from in_effect(scope, STARTS[sort.text], written)


def keys_in(document: Document, sort: Sort, scope: Scope, path: tuple[str, ...], is_flow: bool) -> Iterator[Completion]:
    """The keys that a map can still have: those of the schema, and names that are keys there."""
    present = {key for found in document.trees for key in entries_at(found, *path)}
    for name, what in own_keys(document, sort, scope, path):
        if name not in present:
            yield Completion(name, what, "", f"{name}: ")
    for name, one in sort.keys.items():
        if name not in present and (document.kind == "variant" or not one.is_of_variants):
            ends = "\n  " if one.sort.types == ("object",) and not is_flow else " "
            yield Completion(name, "key", key_described(one), f"{name}:{ends}")


def own_keys(document: Document, sort: Sort, scope: Scope, path: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Names that are keys at a path: languages of a text, attributes and effects of a piece, options."""
    if sort.named == LANGUAGE:
        yield from ((name, "language") for name in languages(document))
    inside = path[-3] if len(path) > 2 and sort.of is MemberDefinition else None
    for one in scope.known:
        if one.what in sort.mentions_keys and (inside is None or one.inside == inside):
            yield one.name, one.what


def languages(document: Document) -> list[str]:
    """The languages of a file's texts, in order of appearance."""
    found = (where for tree in document.trees for where, _ in keys(tree))
    return list(dict.fromkeys(where[-1] for where in found if len(where) > 1 and where[-2] in TEXTS))
