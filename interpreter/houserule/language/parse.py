"""Parses effects, expressions, declarations and sentences: text in, syntax trees out; mistakes go into a report."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from lark import Token

from houserule.diagnostics import Diagnostic, Report
from houserule.language import nodes
from houserule.language.builders import Builder
from houserule.language.grammar import Grammar, cache_path, grammar_text
from houserule.language.trees import parts_of
from houserule.language.words import DEEPEST_TREE, LONGEST_TEXT, RESERVED
from houserule.source import AnyFragment, Excerpt, Fragment

Verbs = Mapping[str, tuple[str, ...]]

MOST_MISTAKES = 20
MOST_GRAMMARS = 8
"""So many grammars are kept in a process."""
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
COMMENT = re.compile(r"(?m)^ *#.*|(?<= )#.*")
FIRST_COMMENT = re.compile(r"\A *#[^\n]*")
BRACE = re.compile(r"\{\{|\}\}|[{}]")
SINGLE_BRACE = re.compile(r"[{}]")
ESCAPE = re.compile(r"\\(.)")
ONE_WORD = re.compile(r"[0-9]{1,9}|[a-z_][A-Za-z0-9_]*")


def parse(fragment: Fragment, start: str, report: Report, verbs: Verbs) -> nodes.Node | None:
    """The tree of a text, or None after errors in the report; that of an effect, without the lines that cannot be parsed. Never raises.

    `start` is the kind of text: `block` (an effect), `expression`, `declaration`, `type_name`, `signature`,
    `binding` or `event`. `verbs` are those of the table of operations, each with its prepositions.
    """
    node, found = read(fragment, start, verbs)
    for diagnostic in run_together(fragment, found) if start == "block" else found:
        report.add(diagnostic)
    return replace(node, is_partial=True) if found and isinstance(node, nodes.Block) else node


def run_together(fragment: Fragment, found: list[Diagnostic]) -> list[Diagnostic]:
    """Report first that a text written in several lines reached the parser as one line."""
    if not found or fragment.folded is None:
        return found
    span, fix = fragment.folded
    message = "the lines of this text run together, so it is unclear where one ends"
    return [Diagnostic("HR425", "error", message, span, "a '|' after the key keeps them apart", fix=fix)]


def parse_text(fragment: Fragment, report: Report, verbs: Verbs) -> nodes.Text | None:
    """A sentence for people, with `{expression}` in it, and `{{` and `}}` for braces. None after errors."""
    raw = fragment.text
    parts, found = sentence(fragment, 0, raw, verbs)
    for diagnostic in found:
        report.add(diagnostic)
    whole = Excerpt(fragment, 0, raw) if "\n" in raw else fragment
    return None if parts is None else nodes.Text(whole.span(1, 1, 1, len(raw) + 1), raw, parts)


def read(fragment: AnyFragment, start: str, verbs: Verbs) -> tuple[nodes.Node | None, list[Diagnostic]]:
    """The tree of a text if it could be parsed, and its mistakes.

    After a mistake in an effect its line is removed and the rest is parsed again: one mistake does not hide the next.
    """
    text = fragment.text
    if start == "expression" and ONE_WORD.fullmatch(text) and text not in RESERVED:
        return one_word(fragment), []
    if refused := refused_at_once(fragment, start):
        return None, refused
    if "#" in text:
        text = FIRST_COMMENT.sub(lambda comment: " " * len(comment[0]), text)
    grammar = grammar_for(tuple((verb, tuple(words)) for verb, words in verbs.items()))
    found: list[Diagnostic] = []
    blamed: set[int] = set()
    while len(blamed) < MOST_MISTAKES:
        parsed = grammar.parse(text, fragment, start)
        if parsed.error is None:
            lines: set[int] = set()
            if not parsed.is_understood and start == "block":
                lines = refused_lines(text, fragment, parsed.found) - blamed
            if lines:
                found += parsed.found
                blamed |= lines
                text = without_lines(text, lines)
                continue
            deep = too_deep(parsed.node) if len(text) > DEEPEST_TREE else []
            node = parsed.node if parsed.is_understood and not deep else None
            return node, [*bad_names_once([*found, *parsed.found]), *deep]
        # Only mistakes need explanations: valid text does not load them.
        from houserule.language.mistakes import explain
        from houserule.language.scan import Scan, mended

        scan = Scan(text)
        diagnostic, line = explain(scan, parsed, start, fragment, verbs)
        if line in blamed:
            break
        blamed.add(line)
        found.append(diagnostic)
        if start != "block":
            break
        text = mended(scan, line)
    return None, found


def bad_names_once(found: list[Diagnostic]) -> list[Diagnostic]:
    """The mistakes of a text, each word of the language that is used as a name once."""
    first: dict[tuple[str, object], Diagnostic] = {}
    for told in found:
        first.setdefault((told.message, None if told.code == "HR410" else told.span), told)
    return list(first.values())


def without_lines(text: str, lines: Iterable[int]) -> str:
    """A text with some lines replaced by something harmless."""
    from houserule.language.scan import Scan, mended

    for line in sorted(lines):
        text = mended(Scan(text), line)
    return text


def one_word(fragment: AnyFragment) -> nodes.Node:
    """The tree of a single word, which two in three expressions are. It needs no grammar."""
    text = fragment.text
    span = fragment.span(1, 1, 1, len(text) + 1)
    return nodes.Number(span, int(text)) if text.isdigit() else nodes.Name(span, text)


def refused_lines(text: str, fragment: AnyFragment, found: Iterable[Diagnostic]) -> set[int]:
    """The lines of an effect that can be parsed but are refused: their numbers in the scan."""
    from houserule.language.scan import Scan

    scan = Scan(text)
    first = fragment.span(1, 1, 1, 1).line
    rows = {diagnostic.span.line - first + 1 for diagnostic in found if diagnostic.severity == "error"}
    return {scan.line_of(number) for number, word in enumerate(scan.words) if word.line in rows}


@lru_cache(maxsize=MOST_GRAMMARS)
def grammar_for(rows: tuple[tuple[str, tuple[str, ...]], ...]) -> Grammar:
    """The grammar of a table of verbs, cached in the process."""
    verbs = dict(rows)

    def quoted(builder: Builder, token: Token) -> nodes.Text:
        """The sentence in a string; its braces are parsed before the statement around it is finished."""
        # By line and column: where a line was removed, these stay the same, but offsets do not.
        fragment, raw = builder.reading.fragment, str(token)[1:-1]
        start = fragment.offset(token.line or 1, token.column or 1) + 1
        parts, found = sentence(fragment, start, raw, verbs, lambda words: ESCAPE.sub(r"\1", words))
        builder.reading.found += found
        builder.reading.is_understood &= parts is not None
        return nodes.Text(builder.place(token), ESCAPE.sub(r"\1", raw), parts or ())

    return Grammar(verbs, quoted, cache=cache_path(grammar_text(verbs)))


# --- sentences -----------------------------------------------------------------------------------------------------


def sentence(
    fragment: AnyFragment, offset: int, raw: str, verbs: Verbs, unescape: Callable[[str], str] = str
) -> tuple[tuple[str | nodes.Expression, ...] | None, list[Diagnostic]]:
    """The parts of a sentence at an offset of a fragment, or None; and its mistakes."""
    if not SINGLE_BRACE.search(raw):
        return ((unescape(raw),) if raw else ()), []
    parts: list[str | nodes.Expression] = []
    found: list[Diagnostic] = []
    is_understood = True
    words = ""
    at = 0

    def refuse(brace: re.Match[str], message: str, help: str) -> None:
        nonlocal is_understood
        is_understood = False
        start = offset + brace.start()
        found.append(Diagnostic("HR421", "error", message, Excerpt(fragment, start, "").span(1, 1, 1, 2), help))

    while brace := BRACE.search(raw, at):
        words += unescape(raw[at : brace.start()])
        at = brace.end()
        if brace[0] in ("{{", "}}"):
            words += brace[0][0]
            continue
        # No expression has a brace in it.
        closing = SINGLE_BRACE.search(raw, at)
        if brace[0] == "}":
            refuse(brace, "there is no '{' for this '}'", "write '}}' for a brace itself")
        elif closing is None or closing[0] == "{":
            refuse(brace, "this '{' is never closed", "close it with '}', or write '{{' for a brace itself")
        else:
            inside = Excerpt(fragment, offset + at, raw[at : closing.start()].replace("\n", " "))
            node, problems = read(inside, "expression", verbs)
            found += problems
            if node is None:
                is_understood = False
            else:
                # What starts as an expression is one.
                parts += [words, node] if words else [node]  # type: ignore[list-item]
            words, at = "", closing.end()
    words += unescape(raw[at:])
    return (tuple([*parts, words] if words else parts) if is_understood else None), found


# --- limits --------------------------------------------------------------------------------------------------------


def refused_at_once(fragment: AnyFragment, start: str) -> list[Diagnostic]:
    """The reason not to parse a text at all."""
    text = fragment.text
    if len(text) > LONGEST_TEXT:
        message = f"this is {len(text)} characters long; at most {LONGEST_TEXT} are allowed"
        return [Diagnostic("HR420", "error", message, fragment.span(1, 1, 1, 2), "divide it into actions")]
    if match := CONTROL.search(text):
        line, column = text.count("\n", 0, match.start()) + 1, match.start() - text.rfind("\n", 0, match.start())
        span = fragment.span(line, column, line, column + 1)
        if match[0] == "\t":
            tabs = re.compile(r"\t+").match(text, match.start())
            assert tabs is not None
            blanks = "  " * len(tabs[0]) if not text[: match.start()].rpartition("\n")[2].strip() else " "
            fix = fragment.fix(line, column, line, column + len(tabs[0]), blanks)
            message = "a tab looks different everywhere, so it is not allowed here"
            return [Diagnostic("HR405", "error", message, span, "use blanks", fix=fix)]
        message = f"there is an invisible character (U+{ord(match[0]):04X}) here"
        fix = fragment.fix(line, column, line, column + 1, "")
        return [Diagnostic("HR405", "error", message, span, "delete it", fix=fix)]
    if not (COMMENT.sub("", text) if "#" in text else text).strip():
        wanted = {"block": "an effect", "expression": "a value"}.get(start, "something")
        return [
            Diagnostic(
                "HR402",
                "error",
                f"this is empty; {wanted} is expected",
                fragment.span(1, 1, 1, 1),
                "nothing" if start == "block" else None,
            )
        ]
    return []


def too_deep(tree: nodes.Node) -> list[Diagnostic]:
    """Report a tree so deep that recursive passes would exhaust the stack."""
    waiting = [(tree, 0)]
    while waiting:
        node, depth = waiting.pop()
        if depth >= DEEPEST_TREE:
            message = f"this is too complex: more than {DEEPEST_TREE} operators in a row or levels of nesting"
            help = "divide it: give a part a name, or make it a function"
            return [Diagnostic("HR420", "error", message, node.span, help)]
        below = depth + 1 + levels_of(node)
        kind: Any = type(node)
        for name in parts_of(kind):  # the last one first
            value = getattr(node, name)
            parts = reversed(value) if isinstance(value, tuple) else (value,)
            waiting += [(part, below) for part in parts if isinstance(part, nodes.Node)]
    return []


def levels_of(node: nodes.Node) -> int:
    """The extra levels of a node when it is checked: lists in a row are nested loops, and a menu an `elif` for each line."""
    match node:
        case nodes.Selection(around=around):
            return len(around)
        case nodes.Menu(items=items):
            return len(items) * 2 // 5
        case _:
            return 0
