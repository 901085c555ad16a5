"""Text of effects, expressions, declarations and sentences in, syntax trees out; what is wrong goes into a report."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from functools import lru_cache
from itertools import accumulate

from lark import Token

from houserule.diagnostics import Diagnostic, Fix, Report, Span
from houserule.frozen import by_value
from houserule.language import nodes
from houserule.language.grammar import Grammar, cache_path, grammar_text
from houserule.language.statements import Builder
from houserule.language.tree import Fragment
from houserule.language.words import DEEPEST_TREE, LONGEST_TEXT, RESERVED

Verbs = Mapping[str, tuple[str, ...]]

MOST_MISTAKES = 20
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
FIRST_COMMENT = re.compile(r"\A *#[^\n]*")
BRACE = re.compile(r"\{\{|\}\}|[{}]")
SINGLE_BRACE = re.compile(r"[{}]")
ESCAPE = re.compile(r"\\(.)")
ONE_WORD = re.compile(r"[0-9]{1,9}|[a-z_][A-Za-z0-9_]*")


def parse(fragment: Fragment, start: str, report: Report, verbs: Verbs) -> nodes.Node | None:
    """The tree of a text, or None after errors in the report. Never raises.

    `start` says what the text is to be: `block` (an effect), `expression`, `declaration`, `type_name`, `signature`,
    `binding` or `event`. `verbs` are those of the table of operations, each with its prepositions.
    """
    node, found = read(fragment, start, verbs)
    for diagnostic in run_together(fragment, found) if start == "block" else found:
        report.add(diagnostic)
    return node


def run_together(fragment: Fragment, found: list[Diagnostic]) -> list[Diagnostic]:
    """What is said of a text that was written in several lines and reached the parser as one: that first of all."""
    folded = getattr(fragment, "folded", None)
    if not found or folded is None:
        return found
    span, fix = folded
    message = "the lines of this text run together, so it is unclear where one ends"
    return [Diagnostic("HR425", "error", message, span, "a '|' after the key keeps them apart", fix=fix)]


def parse_effect(fragment: Fragment, report: Report, verbs: Verbs) -> nodes.Block | None:
    """The tree of an effect; of one with lines that cannot be understood, the tree of all the others. Never raises."""
    node, found = read(fragment, "block", verbs, keeps_rest=True)
    for diagnostic in run_together(fragment, found):
        report.add(diagnostic)
    return node if isinstance(node, nodes.Block) else None


def parse_text(fragment: Fragment, report: Report, verbs: Verbs) -> nodes.Text | None:
    """A sentence for people, with `{expression}` in it, and `{{` and `}}` for braces. None after errors."""
    raw = fragment.text
    parts, found = sentence(fragment, 0, raw, verbs)
    for diagnostic in found:
        report.add(diagnostic)
    return None if parts is None else nodes.Text(Excerpt(fragment, 0, raw).span(1, 1, 1, len(raw) + 1), raw, parts)


def read(
    fragment: Fragment, start: str, verbs: Verbs, keeps_rest: bool = False
) -> tuple[nodes.Node | None, list[Diagnostic]]:
    """The tree of a text if it could be understood, and what is wrong with it.

    After a mistake in an effect its line is left out and the rest is read again: one mistake does not hide the next.
    With `keeps_rest` there is a tree of that rest.
    """
    text = fragment.text
    if start == "expression" and ONE_WORD.fullmatch(text) and text not in RESERVED:
        return one_word(fragment), []
    if refused := refused_at_once(fragment, start):
        return None, refused
    text = FIRST_COMMENT.sub(lambda comment: " " * len(comment[0]), text)
    grammar = grammar_for(tuple((verb, tuple(words)) for verb, words in verbs.items()))
    found: list[Diagnostic] = []
    blamed: set[int] = set()
    while len(blamed) < MOST_MISTAKES:
        parsed = grammar.parse(text, fragment, start)
        if parsed.error is None:
            lines: set[int] = set()
            if not parsed.is_understood and keeps_rest and start == "block":
                lines = refused_lines(text, fragment, parsed.found) - blamed
            if lines:
                found += parsed.found
                blamed |= lines
                text = without_lines(text, lines)
                continue
            deep = too_deep(parsed.node) if len(text) > DEEPEST_TREE else []
            is_understood = parsed.is_understood and (keeps_rest or not found) and not deep
            return (parsed.node if is_understood else None), [*found, *parsed.found, *deep]
        # Only what is wrong needs explaining: text that is sound does not wait for it.
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


def without_lines(text: str, lines: Iterable[int]) -> str:
    """A text with something harmless in place of some lines."""
    from houserule.language.scan import Scan, mended

    for line in sorted(lines):
        text = mended(Scan(text), line)
    return text


def one_word(fragment: Fragment) -> nodes.Node:
    """The tree of a word: two in three of all expressions, on pieces and in tables. It needs no grammar."""
    text = fragment.text
    span = fragment.span(1, 1, 1, len(text) + 1)
    return nodes.Number(span, int(text)) if text.isdigit() else nodes.Name(span, text)


def refused_lines(text: str, fragment: Fragment, found: Iterable[Diagnostic]) -> set[int]:
    """The lines of an effect that can be parsed, but mean nothing: their numbers as a scan counts them."""
    from houserule.language.scan import Scan

    scan = Scan(text)
    first = fragment.span(1, 1, 1, 1).line
    rows = {diagnostic.span.line - first + 1 for diagnostic in found if diagnostic.severity == "error"}
    return {scan.line_of(number) for number, word in enumerate(scan.words) if word.line in rows}


@lru_cache(maxsize=8)
def line_starts(text: str) -> list[int]:
    """Where in a text each line begins."""
    return list(accumulate((len(line) + 1 for line in text.split("\n")), initial=0))


@lru_cache(maxsize=8)
def grammar_for(rows: tuple[tuple[str, tuple[str, ...]], ...]) -> Grammar:
    """The grammar of a table of verbs, made once in a process."""
    verbs = dict(rows)

    def quoted(builder: Builder, token: Token) -> nodes.Text:
        """The sentence in a string; what is in its braces is parsed before the statement around it is finished."""
        # By line and column: where a line was left out, all else keeps those, but not its distance from the start.
        start = line_starts(builder.reading.fragment.text)[(token.line or 1) - 1] + (token.column or 1) - 1
        raw = str(token)[1:-1]
        parts, found = sentence(builder.reading.fragment, start + 1, raw, verbs, lambda words: ESCAPE.sub(r"\1", words))
        builder.reading.found += found
        builder.reading.is_understood &= parts is not None
        return nodes.Text(builder.place(token), ESCAPE.sub(r"\1", raw), parts or ())

    return Grammar(verbs, quoted, cache=cache_path(grammar_text(verbs)))


# --- sentences -----------------------------------------------------------------------------------------------------


@by_value
class Excerpt:
    """What stands in braces: a text of one line that lies at an offset in a fragment."""

    fragment: Fragment
    offset: int
    text: str

    def span(self, line: int, column: int, end_line: int, end_column: int) -> Span:
        """The place in the file of a range of columns; all lie in the first line."""
        assert line == end_line == 1
        return self.fragment.span(*self.position(column), *self.position(end_column))

    def fix(self, line: int, column: int, end_line: int, end_column: int, text: str) -> Fix | None:
        """A text in the place of a range of columns; all lie in the first line."""
        assert line == end_line == 1
        return self.fragment.fix(*self.position(column), *self.position(end_column), text)

    def position(self, column: int) -> tuple[int, int]:
        """Line and column in the fragment."""
        starts, at = line_starts(self.fragment.text), self.offset + column - 1
        line = bisect_right(starts, at)
        return line, at - starts[line - 1] + 1


def sentence(
    fragment: Fragment, offset: int, raw: str, verbs: Verbs, unescape: Callable[[str], str] = str
) -> tuple[tuple[str | nodes.Expression, ...] | None, list[Diagnostic]]:
    """The parts of a sentence that lies at an offset of a fragment, or None; and what is wrong with it."""
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
        # Nothing that can be written in braces has a brace itself.
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


def refused_at_once(fragment: Fragment, start: str) -> list[Diagnostic]:
    """What makes it pointless to read on."""
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
    if not re.sub(r"(?m)^ *#.*|(?<= )#.*", "", text).strip():
        wanted = {"block": "an effect is", "expression": "a value is"}.get(start, "something is")
        return [
            Diagnostic(
                "HR402",
                "error",
                f"{wanted} missing here",
                fragment.span(1, 1, 1, 1),
                "nothing" if start == "block" else None,
            )
        ]
    return []


def too_deep(tree: nodes.Node) -> list[Diagnostic]:
    """Complains of a tree so deep that the passes over it would run out of stack."""
    waiting = [(tree, 0)]
    while waiting:
        node, depth = waiting.pop()
        if depth >= DEEPEST_TREE:
            message = f"this is too complex: more than {DEEPEST_TREE} operators in a row or levels of nesting"
            help = "divide it: give a part a name, or make it a function"
            return [Diagnostic("HR420", "error", message, node.span, help)]
        below = depth + 1 + levels_of(node)
        waiting += [(child, below) for child in reversed(children(node))]
    return []


def levels_of(node: nodes.Node) -> int:
    """How many levels more than one a node becomes when it is checked: lists in a row are loops in loops, and a menu an `elif` for each line."""
    match node:
        case nodes.Selection(around=around):
            return len(around)
        case nodes.Menu(items=items):
            return len(items) * 2 // 5
        case _:
            return 0


def children(node: nodes.Node) -> list[nodes.Node]:
    """The nodes directly in a node."""
    found: list[nodes.Node] = []
    for field in fields(node):
        value = getattr(node, field.name)
        if isinstance(value, nodes.Node):
            found.append(value)
        elif isinstance(value, tuple):
            found += [item for item in value if isinstance(item, nodes.Node)]
    return found
