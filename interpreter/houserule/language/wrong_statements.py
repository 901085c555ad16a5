"""Explains why the parser stopped in a statement, at a line, a block or a verb; each reason returns a finding, or nothing."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from houserule.diagnostics import Meant, certain, nearest
from houserule.language.scan import Word
from houserule.language.stop import Finding, Stop, keywords, shown
from houserule.language.words import COMPOUND, DEEPEST_NEST, FOREIGN_VERBS, RESERVED, SIMPLE


def layout(stop: Stop) -> Finding | None:
    """Indentation."""
    match stop.token:
        case "NEST":
            message = f"more than {DEEPEST_NEST} brackets or blocks are nested"
            return stop.here("HR420", message, "divide it into actions or functions")
        case "LAYOUT":
            message = "this line is indented further than the block around it, but less than the line before"
            return stop.here("HR406", message, "align it with the lines it belongs to")
        case "_INDENT" if stop.line:
            previous = stop.scan.words_of(stop.line - 1)
            if previous[0].text in ("choose", *COMPOUND) or any(word.text == "chooses" for word in previous):
                hint = "the indented lines below belong to it"
                end = previous[-1].end
                mends = (end, end, ":")
                message = "a ':' is missing at the end of this line"
                return Finding("HR407", message, end, end + 1, hint, stop.line - 1, mends)
            found = stop.here(
                "HR406", "this line is indented further, but the line before opens no block", "align it with that line"
            )
            if stop.words[0].text in RESERVED - {*SIMPLE, *COMPOUND}:
                return replace(found, help="a statement stands on one line; it may continue below only inside brackets")
            return replace(found, line=stop.line - 1)
        case _:
            return None


def alternatives(stop: Stop) -> Finding | None:
    """`else` and `elif` without an `if` or `choose`."""
    first = stop.words[0]
    if stop.word is not None and stop.word.text == "if" and stop.before is first and first.text == "else":
        found = stop.here("HR409", "'else' and 'if' are one word here", "elif")
        return replace(found, mends=(first.start, stop.word.end, "elif"))
    for word in (stop.word, stop.before):
        if word is None or word.text not in ("else", "elif") or word.line != first.line:
            continue
        if word is not first and any(w.text == ":" for w in stop.words[: stop.words.index(word)]):
            return stop.about(
                word, "HR409", f"'{word.text}' begins a line of its own", f"begin a new line before '{word.text}'"
            )
        if word is first and (word is stop.word or stop.posed == word.text or "COLON" not in stop.expected):
            hint = "it has the indentation of its 'if' and directly follows its block"
            return stop.about(word, "HR409", f"there is no 'if' for this '{word.text}'", hint)
    return None


def simple_only(stop: Stop) -> Finding | None:
    """A statement with a block where only a simple one is allowed; a `:` where no block follows."""
    for word in (stop.word, stop.before):
        if word is not None and word.text in COMPOUND and word.text not in ("else", "elif") and word in stop.words:
            at = stop.words.index(word)
            if at and stop.words[at - 1].text in (":", ";"):
                hint = (
                    "put it on the next line, indented" if stop.words[at - 1].text == ":" else "put it on the next line"
                )
                return stop.about(word, "HR423", f"'{word.text}' opens a block, so it begins a line of its own", hint)
    if stop.word is not None and stop.word.text == ":" and "_NEWLINE" in stop.expected and stop.start == "block":
        return stop.here("HR423", "this statement opens no block, so no ':' can follow it", "leave out the ':'")
    return None


def blocks(stop: Stop) -> Finding | None:
    """A missing `:`, or nothing after one."""
    word, before = stop.word, stop.before
    if before is None or stop.start != "block":
        return None
    around = stop.scan.words[max(0, stop.index - 2) : stop.index + 2]
    is_label = [w.kind for w in around] == ["string", "sign", "name", "sign"] and around[3].text == ":"
    if is_label and word is not None and word.text not in RESERVED and word.line != before.line:
        return stop.here("HR404", "the answers of a menu go in double quotes", f'"{word.text}": …')
    if before.text == ":" and (word is None or word.line != before.line):
        hint = "put its statements on the lines below, indented; 'nothing' does nothing"
        if stop.words[0].text == "choose" or any(w.text == "chooses" for w in stop.words):
            hint = 'put the answers on the lines below, indented: "Yes": …' if stop.expected == {"STRING"} else hint
        return stop.about(before, "HR408", "after this ':' a block is missing", hint)
    if "COLON" not in stop.expected or stop.could_set:
        return None
    if "_NEWLINE" in stop.expected and stop.words[0].text not in COMPOUND:
        return None
    return missing_colon(stop, word, before)


def missing_colon(stop: Stop, word: Word | None, before: Word) -> Finding | None:
    """A missing `:` after a word."""
    mended = stop.scan.text[stop.words[0].start : before.end] + ":"
    line = mended if "\n" not in mended and len(mended) < 80 else None
    if word is None:
        found = stop.here("HR407", "a ':' is missing at the end of this line", line)
        return replace(found, mends=(before.end, before.end, ":"))
    begins = word.text in (*stop.verbs, *SIMPLE, *COMPOUND) or word.kind == "string" or word.text == "then"
    if begins or (
        word.kind == "name" and word.text not in RESERVED and not nearest(word.text, keywords(stop.expected))
    ):
        found = stop.here("HR407", f"a ':' is missing before '{shown(word)}'", line)
        if word.text == "then":
            return replace(found, mends=(before.end, word.end, ":"))
        return replace(found, mends=(before.end, before.end, ":")) if begins else found
    return None


def unknown_verbs(stop: Stop) -> Finding | None:
    """A statement that begins with no verb, or is only a value."""
    if stop.start != "block" or not stop.could_set or not stop.statement:
        return None
    first, last, word = stop.statement[0], stop.statement[-1], stop.word
    known = [*stop.verbs, *SIMPLE, *COMPOUND]
    if first is last and first.text in FOREIGN_VERBS:
        meant = FOREIGN_VERBS[first.text]
        instead = meant if meant.isalpha() else None
        return stop.about(first, "HR412", f"'{first.text}' is not a verb", Meant(meant), instead)
    is_word = first.kind == "name" and first is last
    found = nearest(first.text, known) if is_word else None
    if (
        first is last
        and word is not None
        and word.kind in ("name", "number", "string")
        and word.text not in RESERVED | {"is"}
    ):
        hint = f"verbs are {', '.join(sorted(stop.verbs))}; an action is performed: perform {first.text}"
        return stop.misspelt(first, "HR412", f"'{first.text}' is not a verb", known if found else (), hint)
    if word is not None and word.text == ",":
        return None
    return alone(stop, known)


def alone(stop: Stop, known: list[str]) -> Finding:
    """A value in place of a statement."""
    first, last, word = stop.statement[0], stop.statement[-1], stop.word
    is_word = first.kind == "name" and first is last
    found = nearest(first.text, known) if is_word else None
    rest = [w for w in stop.words if w.start > last.start]
    ends = next((at for at, w in enumerate(rest) if w.text in (";", ":")), len(rest))
    last = [last, *rest[:ends]][-1]
    written = stop.between(first, last)
    hint = "set it to something, or leave it out"
    if word is None or word.text in (";", ":"):
        hint = Meant(found) if found else f"perform {written}" if first.kind == "name" else hint
    slip = certain(first.text, known) if is_word and written == first.text else None
    mends = (first.start, first.end, slip) if slip else None
    return Finding("HR412", f"'{written}' alone does nothing", first.start, last.end, hint, stop.line, mends)


def blocks_for_values(stop: Stop) -> Finding | None:
    """Several statements, or one that ends with `finish with`, in place of a value."""
    if stop.start != "expression":
        return None
    words = stop.scan.words
    finish = next((w for w, after in pairwise(words) if (w.text, after.text) == ("finish", "with")), None)
    if finish is None:
        return None
    hint = "make them a function, and write its name here: functions: {name: |  …}"
    return stop.about(words[0], "HR424", "a value is expected here, not statements", hint)


def effects_for_values(stop: Stop) -> Finding | None:
    """An effect in place of a value."""
    first, word = stop.scan.words[0], stop.word
    if stop.start != "expression":
        return None
    sets = word is not None and word.text in ("+=", "-=", "*=", "//=", "%=")
    if sets or (first.text in (*stop.verbs, *SIMPLE, *COMPOUND) and stop.index < 2):
        return stop.about(first, "HR424", "a value is expected here, not an effect")
    return None
