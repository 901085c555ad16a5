"""Explains why the parser stopped at an operator, a list or a name; each reason returns a finding, or nothing."""

from __future__ import annotations

from dataclasses import replace

from houserule.diagnostics import certain, nearest
from houserule.language.scan import CLOSERS, OPENERS, Word
from houserule.language.stop import Finding, Stop, keywords, shown
from houserule.language.words import RESERVED

COMPARISONS = ("==", "!=", "<", ">", "<=", ">=", "in", "is")
CHAIN_ENDS = ("and", "or", "not", "if", "else", "where", "by", ",", ":", "elif", "while", "when", "must", "with", "=")


def chains(stop: Stop) -> Finding | None:
    """`a < b < c`, `x is not in S`."""
    word = stop.word
    if [w.text for w in stop.statement[-3:]] == ["is", "not", "in"]:
        hint = "'is' asks for a kind: x is not mushroom"
        return stop.about(
            stop.statement[-3], "HR415", "'not in' asks whether something is missing from a list", "x not in S; " + hint
        )
    if word is None or word.text not in (*COMPARISONS, "not"):
        return None
    depth = 0
    for at in range(stop.index - 1, stop.first - 1, -1):
        text = stop.scan.words[at].text
        depth += (text in OPENERS) - (text in CLOSERS)
        if depth < 0 or (depth == 0 and text in CHAIN_ENDS):
            return None
        if depth == 0 and text in COMPARISONS and stop.before is not None and at + 1 < stop.index:
            middle = stop.between(stop.scan.words[at + 1], stop.before)
            hint = f"… {text} {middle} and {middle} {word.text} …"
            found = stop.here("HR415", "comparisons cannot be chained", hint)
            if text in COMPARISONS[:6] and word.text in COMPARISONS[:6]:
                return replace(found, mends=(word.start, word.start, f"and {middle} "))
            return found
    return None


def equals(stop: Stop) -> Finding | None:
    """`=` and `==` confused."""
    word = stop.word
    twice = next((w for w in (stop.before, word) if w is not None and w.text == "=="), None)
    if stop.start == "declaration" and twice is not None:
        return stop.about(twice, "HR413", "'==' compares two values; the start follows '='", "=", "=")
    if word is None:
        return None
    if word.text == "=" and len(stop.statement) == 1 and stop.statement[0].text in RESERVED | set(stop.verbs):
        return taken(stop, stop.statement[0])
    if word.text == "=" and stop.start in ("block", "expression", "binding"):
        return stop.here("HR413", "'=' sets a name; two values are compared with '=='", "==", "==")
    if word.text == "==" and stop.could_set:
        return stop.here("HR413", "'==' compares two values; a name is set with '='", "=", "=")
    return None


def taken(stop: Stop, word: Word) -> Finding:
    """A reserved word used as a name."""
    message = f"'{word.text}' is a word of the language, so nothing can be called that"
    return stop.about(word, "HR410", message, "choose another name")


def lists(stop: Stop) -> Finding | None:
    """Lists without their brackets."""
    word = stop.word
    if word is None or word.text not in ("where", "by", "for") or not stop.index:
        return None
    opened = stop.scan.open[stop.index]
    if opened is None:
        return stop.here(
            "HR417", f"a list with '{word.text}' in it goes in round brackets here", "(x in S where P by K)"
        )
    bracket = stop.scan.words[opened]
    if bracket.text == "[":
        found = stop.about(bracket, "HR417", "a list made from another goes in round brackets", "(x in S where P)")
        closing = next(
            (
                at
                for at, o in enumerate(stop.scan.open)
                if at > opened and o == opened and stop.scan.words[at].text == "]"
            ),
            None,
        )
        if closing is None:
            return found
        end = stop.scan.words[closing].end
        return replace(found, mends=(bracket.start, end, f"({stop.scan.text[bracket.end : end - 1]})"))
    return None


def misplaced(stop: Stop) -> Finding | None:
    """Reserved words in a wrong place."""
    word, before = stop.word, stop.before
    if word is not None and word.text == "to" and stop.words[0].text == "say":
        return stop.here("HR401", "the listener comes before the sentence", 'say to me "…"')
    if word is not None and word.kind == "string":
        return stop.here("HR404", "a sentence is not a value", "sentences follow 'say', or are prompts and labels")
    if (
        stop.start == "binding"
        and before is not None
        and before is stop.words[0]
        and before.text in ("for", "together")
    ):
        return stop.about(before, "HR401", f"the key already says '{before.text}'", "write only what follows it")
    if before is None or before.text not in RESERVED or stop.posed != before.text:
        return None
    if len(stop.statement) == 2 and stop.statement[0].text in stop.verbs:
        return stop.about(
            before, "HR402", f"something is missing between '{stop.statement[0].text}' and '{before.text}'"
        )
    if before.text == "perform":
        message = "'perform' is a whole statement, or the whole right side of '='"
        return stop.about(before, "HR422", message, "ok = perform …, then use ok on the next line")
    if before.text in ("in", "of") and stop.words[0].text == "choose":
        return stop.about(before, "HR401", f"'{before.text}' is not allowed here", "choose x from S")
    return taken(stop, before)


def nameless(stop: Stop) -> Finding | None:
    """A reserved word in place of a name."""
    word = stop.word
    if word is not None and word.text == "." and "FROM" in stop.expected and "from" in [w.text for w in stop.words]:
        first = next(w for w in stop.words if w.text == "from")
        return stop.about(first, "HR402", "a choice needs a name before 'from'", "choose card from …")
    if word is None or word.text not in RESERVED or stop.expected != {"NAME"}:
        return None
    if word.text in ("from", "or"):
        return stop.here("HR402", f"a choice needs a name before '{word.text}'", "choose 2 cards from …")
    return taken(stop, word)


def misspelt(stop: Stop) -> Finding | None:
    """A misspelt or missing reserved word."""
    word, wanted = stop.word, keywords(stop.expected)
    if word is None:
        return None
    found = nearest(word.text, wanted) if word.kind == "name" and word.text not in RESERVED else None
    if found:
        return stop.misspelt(word, "HR401", f"'{word.text}' is not allowed here", wanted, None)
    before = stop.before
    if before is not None and before.kind == "name" and before.text == stop.posed and certain(before.text, wanted):
        return stop.misspelt(before, "HR401", f"'{before.text}' is not allowed here", wanted, None)
    return missing_word(stop, word, wanted)


def missing_word(stop: Stop, word: Word, wanted: list[str]) -> Finding | None:
    """A missing reserved word, or a superfluous one."""
    if stop.before is not None and stop.before.text in ("each", "all", "every", "any") and word.kind == "name":
        return stop.about(stop.before, "HR401", f"'{stop.before.text}' is not allowed here", "leave it out")
    if stop.words[0].text == "for" and wanted == ["in"] and word.text in ("from", "of", "over", "to"):
        return stop.here("HR401", f"'{word.text}' is not allowed here", "for x in S: …, where S can be 1..3")
    if stop.expected == {"NAME"} and word.kind == "sign" and word.text in (":", ",", ")"):
        return stop.here("HR402", f"a name is missing before '{word.text}'")
    pair = stop.scan.words[:2] if stop.start == "expression" and stop.index == 1 else []
    if pair and all(w.kind == "name" and w.text not in RESERVED for w in pair):
        hint = f"a function takes its arguments in brackets: {pair[0].text}(…)"
        return stop.here("HR401", f"'{shown(word)}' is not allowed here", hint)
    if "TIMES" in stop.expected and stop.words[0].text == "repeat":
        return stop.here("HR402", f"'times' is missing before '{shown(word)}'", "repeat 3 times: …")
    return None
