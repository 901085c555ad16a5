"""Why a parser stops: each reason looks at the place and says what is wrong in an author's words, or nothing; here is their order."""

from __future__ import annotations

from collections.abc import Callable

from houserule.language.stop import Finding, Stop, expectation, shown
from houserule.language.wrong_signs import brackets, characters
from houserule.language.wrong_statements import (
    alternatives,
    blocks,
    blocks_for_values,
    effects_for_values,
    layout,
    simple_only,
    unknown_verbs,
)
from houserule.language.wrong_words import chains, equals, lists, misplaced, misspelt, nameless

NOUNS = {
    "expression": "a value",
    "declaration": "a type",
    "type_name": "a type",
    "binding": "a list",
    "event": "an event",
}


def anything(stop: Stop) -> Finding:
    """What can always be said."""
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


# The surest first; `anything` never passes.
REASONS: tuple[Callable[[Stop], Finding | None], ...] = (
    *(layout, characters, blocks_for_values, brackets, alternatives, simple_only, chains, blocks, equals, lists),
    *(effects_for_values, unknown_verbs, misplaced, nameless, misspelt, anything),
)
