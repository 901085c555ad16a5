"""Explains why a text could not be parsed: the parser's error in, one diagnostic in an author's words out.

Each reason looks at the place where the parser stopped, and explains it or returns nothing; this is their order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lark import Token
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from houserule.diagnostics import Diagnostic, Fix
from houserule.language.builders import Fragment
from houserule.language.grammar import BadLayout, BadWord, Parsed
from houserule.language.scan import Finding, Scan, Stop, expectation, shown
from houserule.language.wrong import (
    alternatives,
    blocks,
    blocks_for_values,
    brackets,
    chains,
    characters,
    effects_for_values,
    equals,
    late_pass,
    layout,
    lists,
    misplaced,
    misspelt,
    nameless,
    simple_only,
    unknown_verbs,
)

NOUNS = {
    "expression": "a value",
    "declaration": "a type",
    "type_name": "a type",
    "binding": "a list",
    "event": "an event",
}


def anything(stop: Stop) -> Finding:
    wanted = expectation(stop.expected)
    if stop.before is not None and stop.before.text == "perform" and (stop.word is None or stop.word.kind == "sign"):
        wanted = "the name of an action"
    if stop.word is None:
        if "ELSE" in stop.expected and "_NEWLINE" not in stop.expected:
            return stop.here("HR402", "'else' is missing at the end", "a if c else b")
        if wanted == "'..'":
            return stop.here("HR402", "a range has two bounds with '..' between them", "1..6")
        one = wanted if wanted and "," not in wanted else "something"
        return stop.here(
            "HR402", f"{one} is missing at the end", None if one == wanted or not wanted else f"wanted: {wanted}"
        )
    if wanted in ("a value", "the name of an action") and stop.word.text in (":", ";", ",", ")", "]"):
        return stop.here("HR402", f"{wanted} is missing before '{stop.word.text}'")
    hint = f"possible here: {wanted}" if wanted else None
    if stop.index == 0 and stop.start in NOUNS:
        return stop.here(
            "HR401", f"{NOUNS[stop.start]} is expected here, but '{shown(stop.word)}' does not begin one", hint
        )
    return stop.here("HR401", f"'{shown(stop.word)}' is not allowed here", hint)


# The most certain first; `anything` always applies.
REASONS: tuple[Callable[[Stop], Finding | None], ...] = (
    *(layout, characters, blocks_for_values, brackets, alternatives, simple_only, chains, blocks, equals, lists),
    *(effects_for_values, unknown_verbs, late_pass, misplaced, nameless, misspelt, anything),
)


def explain(
    scan: Scan, parsed: Parsed, start: str, fragment: Fragment, verbs: Mapping[str, tuple[str, ...]]
) -> tuple[Diagnostic, int]:
    """The diagnostic for a text that could not be parsed, and the number of the line at fault."""
    stop = stop_of(scan, parsed, start, verbs)
    finding = next(found for reason in REASONS if (found := reason(stop)) is not None)
    text = scan.text
    line, column = text.count("\n", 0, finding.start) + 1, finding.start - text.rfind("\n", 0, finding.start)
    length = len(text[finding.start : finding.end].split("\n")[0])  # may be empty
    span = fragment.span(line, column, line, column + length)
    blamed = stop.line if finding.line is None else finding.line
    return Diagnostic(
        finding.code, "error", finding.message, span, finding.help, fix=fix_of(finding, text, fragment)
    ), blamed


def fix_of(finding: Finding, scanned: str, fragment: Fragment) -> Fix | None:
    """The certain fix of a finding, as it is written in the file."""
    if finding.mends is None:
        return None
    start, end, text = finding.mends
    before = scanned[:start]
    line, column = before.count("\n") + 1, start - before.rfind("\n")
    return fragment.fix(line, column, line, column + end - start, text)


def stop_of(scan: Scan, parsed: Parsed, start: str, verbs: Mapping[str, tuple[str, ...]]) -> Stop:
    error = parsed.error
    if isinstance(error, BadLayout):
        index = scan.index((error.token.start_pos or 0) + (0 if error.is_deep and error.token in ("(", "[") else 1))
        return Stop(scan, index, False, "NEST" if error.is_deep else "LAYOUT", frozenset(), "", start, verbs)
    if isinstance(error, BadWord):
        place = error.token.start_pos or 0
        index = scan.index(place)
        if index and scan.words[index - 1].end > place:
            index -= 1  # The scan does not split the word in two.
        return Stop(scan, index, False, "GLUED", frozenset(), "", start, verbs)
    if isinstance(error, UnexpectedCharacters):
        index = scan.index(error.pos_in_stream or 0)
        return Stop(scan, index, False, "CHARACTER", frozenset(error.allowed or ()), "", start, verbs)
    assert isinstance(error, UnexpectedToken)
    return stop_at_token(scan, error, start, verbs)


def stop_at_token(scan: Scan, error: UnexpectedToken, start: str, verbs: Mapping[str, tuple[str, ...]]) -> Stop:
    """Where the parser stopped at an unexpected word."""
    token = error.token
    ends_line = token.type in ("_NEWLINE", "_DEDENT", "$END")
    # The breaks that end the last line and its blocks are artificial: they are empty and placed at the last word.
    # The end of an earlier block is empty as well, and placed where its last line ends.
    is_above = token.type == "_DEDENT" and (token.start_pos or 0) < scan.words[-1].start
    is_last = ends_line and not token and not is_above
    index = len(scan.words) if is_last else scan.index(token.start_pos or 0)
    top = error.interactive_parser.parser_state.value_stack[-1:] if error.interactive_parser else []
    posed = next((str(value) for value in top if isinstance(value, Token) and value.type == "NAME"), "")
    posed = posed or next((getattr(value, "id", "") for value in top), "")
    return Stop(scan, index, ends_line, token.type, frozenset(error.accepts or error.expected), posed, start, verbs)
