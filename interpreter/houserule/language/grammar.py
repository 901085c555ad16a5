"""Builds the parser of the effect language from `effects.lark` and the verbs of the table of operations."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from threading import RLock
from types import SimpleNamespace
from typing import Any

import lark
from lark import Lark, Token
from lark.common import LexerConf
from lark.exceptions import LarkError, UnexpectedInput
from lark.lark import PostLex
from lark.lexer import AbstractBasicLexer, BasicLexer, ContextualLexer, Scanner

from houserule.diagnostics import Diagnostic
from houserule.language import nodes
from houserule.language.builders import Builder, Reading
from houserule.language.words import DEEPEST_NEST, GRAMMAR, PREPOSITIONS
from houserule.reading import own
from houserule.source import AnyFragment
from houserule.writing import keep_private, kept_file

STARTS = ("block", "expression", "declaration", "type_name", "signature", "binding", "event")
ALIAS = re.compile(r"-> *(\w+)")
COMMENT = re.compile(r"(?m)//[^\n\"]*$")


class Refused(LarkError):
    """What Lark lets pass and the language does not, at a token: `kind` is NEST (more nesting than is allowed), LAYOUT (an indentation of no enclosing block) or
    GLUED (two words without a blank between them, which the lexer has split: `ofp`, `4th`; `token` is the second).
    """

    def __init__(self, token: Token, kind: str) -> None:
        super().__init__()
        self.token = token
        self.kind = kind


class Layout(PostLex):
    """Turns indentation into tokens, as in Python. Line breaks inside brackets are ignored."""

    always_accept = ("_NEWLINE",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Add `_INDENT` and `_DEDENT`, and end the last line. The first line is at the left edge, wherever that is."""
        brackets = 0
        edges: list[int] = []
        last: Token | None = None
        for token in stream:
            kind = token.type
            if kind == "_NEWLINE":
                indentation = token.rpartition("\n")[2]
                # A line break token with a comment in its last line is followed only by the end of the text.
                if edges and not brackets and "#" not in indentation:
                    # The lexer needs these to know the next terminals, so they must not be delayed.
                    yield token
                    yield from self.step(edges, len(indentation), token)
                continue
            if not edges:
                # The type says that tokens may have no place; those of a text have one.
                edges.append(token.column - 1)  # type: ignore[operator]
            if kind in ("LPAR", "LSQB"):
                brackets += 1
                if brackets + len(edges) > DEEPEST_NEST:
                    raise Refused(token, "NEST")
            elif kind in ("RPAR", "RSQB") and brackets:
                brackets -= 1
            if last is not None and last.end_pos == token.start_pos and is_one_word(last[-1:], token[:1]):
                raise Refused(token, "GLUED")
            last = token
            yield token
        if last is not None:
            yield Token.new_borrow_pos("_NEWLINE", "", last)
            for _ in edges[1:]:
                yield Token.new_borrow_pos("_DEDENT", "", last)

    def step(self, edges: list[int], edge: int, line_break: Token) -> Iterator[Token]:
        """The token before a line: the start of a block, the ends of some, or none."""
        if edge > edges[-1]:
            edges.append(edge)
            if len(edges) > DEEPEST_NEST:
                raise Refused(line_break, "NEST")
            yield Token.new_borrow_pos("_INDENT", "", line_break)
            return
        while edge < edges[-1]:
            edges.pop()
            if not edges or edge > edges[-1]:
                raise Refused(line_break, "LAYOUT")
            yield Token.new_borrow_pos("_DEDENT", "", line_break)


class SharedLexer(ContextualLexer):
    """Lark's lexer with one pattern for all states of the parser.

    Lark compiles one for each of fifty sets of terminals, which takes longer than to parse all texts of a game.
    """

    def __init__(
        self, conf: LexerConf, states: dict[int, Collection[str]], always_accept: Collection[str] = ()
    ) -> None:
        self.conf = conf
        self.root_lexer = self.root = root = BasicLexer(conf)
        self.always = {*conf.ignore, *always_accept}
        self.literals = {t.pattern.value: t.name for t in root.terminals if t.pattern.type == "str"}
        patterns = [terminal for terminal in root.terminals if not terminal.pattern.value.isidentifier()]
        self.whole = Scanner(patterns, conf.g_regex_flags, conf.re_module, conf.use_bytes)  # type: ignore[no-untyped-call]  # Lark's
        self.lexers = States(self, states)


class States(dict[int, AbstractBasicLexer]):
    """The lexers by state, each made when the parser first gets there."""

    def __init__(self, shared: SharedLexer, accepted: Mapping[int, Collection[str]]) -> None:
        super().__init__()
        self.shared, self.accepted = shared, accepted

    def __missing__(self, state: int) -> AbstractBasicLexer:
        made = self[state] = StateLexer(self.shared, {*self.accepted[state], *self.shared.always})
        return made


class StateLexer(BasicLexer):
    """Finds the terminals that the parser accepts in one state: with the shared pattern, else with Lark's own."""

    callback: dict[str, Any] = {}  # noqa: RUF012  Lark's name and type

    def __init__(self, shared: SharedLexer, accepted: set[str]) -> None:
        root = shared.root
        self.ignore_types, self.newline_types = root.ignore_types, root.newline_types
        self.terminals_by_name = root.terminals_by_name
        self.shared, self.accepted = shared, accepted

    @cached_property
    def scanner(self) -> Scanner:
        """Lark's pattern for this state."""
        conf, terminals = copy(self.shared.conf), self.terminals_by_name
        conf.terminals = [terminals[name] for name in self.accepted if name in terminals]
        conf.skip_validation = True
        return BasicLexer(conf).scanner

    def match(self, text: Any, pos: int) -> tuple[str, str] | None:
        """The next word and its terminal: `top` is a verb where one is accepted, else a name."""
        found = self.shared.whole.match(text, pos)
        if found is None or (found[1] not in self.accepted and self.shared.literals.get(found[0]) not in self.accepted):
            found = self.scanner.match(text, pos)
        if found is None:
            return None
        literal = self.shared.literals.get(found[0])
        return (found[0], literal) if literal in self.accepted else found


def is_one_word(end: str, start: str) -> bool:
    return (end.isalnum() or end == "_") and (start.isalnum() or start == "_")


@dataclass(slots=True, eq=False, repr=False)
class Parsed:
    """The result of parsing: a tree, or what stopped the parser; and what the builder has reported."""

    node: Any
    error: UnexpectedInput | Refused | None
    found: list[Diagnostic]
    is_understood: bool


class Grammar:
    """The parser for one table of verbs. `sentence` makes a `Text` from a string, and may parse the expressions in its braces."""

    def __init__(
        self,
        verbs: Mapping[str, tuple[str, ...]],
        sentence: Callable[[Builder, Token], nodes.Text],
        *,
        strict: bool = False,
        cache: str | None = None,
    ) -> None:
        self.verbs = verbs
        self.builder = Builder(verbs, sentence)
        self._lock = RLock()
        text = grammar_text(verbs)
        aliases = ALIAS.findall(COMMENT.sub("", text))
        self.lark = Lark(
            text,
            parser="lalr",
            start=list(STARTS),
            postlex=Layout(),
            transformer=SimpleNamespace(**{alias: callback(self.builder, alias) for alias in aliases}),
            maybe_placeholders=False,
            strict=strict,
            cache=cache or False,
            _plugins={} if strict else {"ContextualLexer": SharedLexer},
        )
        if cache is not None:
            keep_private(cache)

    def parse(self, text: str, fragment: AnyFragment, start: str) -> Parsed:
        """The tree of a text, with places in the fragment. Sentences in it are parsed on the way."""
        builder = self.builder
        with self._lock:
            outer = getattr(builder, "reading", None)
            reading = builder.reading = Reading(fragment)
            try:
                node, error = self.lark.parse(text.rstrip(), start=start), None
            except (UnexpectedInput, Refused) as unexpected:
                node, error = None, unexpected
            finally:
                if outer is not None:
                    builder.reading = outer
            return Parsed(node, error, reading.found, reading.is_understood)


def grammar_text(verbs: Mapping[str, tuple[str, ...]]) -> str:
    """The grammar with the words of the table of operations in it."""
    words = dict.fromkeys((*PREPOSITIONS, *(word for row in verbs.values() for word in row)))
    words.pop("as", None)
    return own(GRAMMAR) + f"\n!_verb: {alternatives(verbs)}\n!_preposition_word: {alternatives(words)}\n"


def alternatives(words: Mapping[str, object]) -> str:
    """Words as alternatives of a rule, each a terminal of its own: a regular expression would split `moved` in two."""
    return " | ".join(f'"{word}"' for word in words)


def callback(builder: Builder, alias: str) -> Callable[[list[Any]], Any]:
    """How the builder makes the node of an alias: its own method, or by its class, mostly with the child nodes in order."""
    special: Callable[[list[Any]], Any] | None = getattr(builder, f"make_{alias}", None)
    if special is not None:
        return special
    node_class = getattr(nodes, "".join(word.capitalize() for word in alias.split("_")), None)
    if node_class is None:
        raise ValueError(f"effects.lark speaks of '{alias}', but nodes.py has no class of that name")
    if node_class in (nodes.Binary, nodes.Logic, nodes.Compare):
        return builder.infix(node_class)
    return builder.plain(node_class)


def cache_path(text: str) -> str | None:
    """Where the tables of a grammar are cached between runs; None if nothing can be cached.

    Each Lark and Python has its own: those that share a file would keep rebuilding the tables.
    """
    made_of = f"{lark.__version__} {sys.version_info[:2]} {text}"
    kept = kept_file(f"grammar-{hashlib.sha256(made_of.encode()).hexdigest()[:16]}.lark")
    return None if kept is None else str(kept)
