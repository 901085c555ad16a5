"""Explains why a text could not be parsed: the parser's error in, one diagnostic in an author's words out.

Each reason looks at the place where the parser stopped, and explains it or returns nothing; this is their order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise

from lark import Token
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from houserule.diagnostics import Diagnostic, Fix, Meant, certain, nearest
from houserule.language.grammar import Parsed, Refused
from houserule.language.scan import CLOSERS, OPENERS, Finding, Scan, Stop, Word, expectation, keywords, last_word, shown
from houserule.language.spoken import (
    added,
    compared,
    condition_last,
    counted,
    ended,
    instead_of_method,
    missing_times,
    named_argument,
    result,
    shortened,
    sliced,
    spoken,
    told_of,
    two_names,
    two_words,
    yes_or_no,
)
from houserule.language.words import (
    CLOSING_QUOTES,
    COMPOUND,
    DEEPEST_NEST,
    ENDS_OF_BLOCKS,
    FOREIGN_SIGNS,
    FOREIGN_VERBS,
    IS_A_WORD,
    NEVER_BOUND,
    QUOTES,
    RESERVED,
    SIMPLE,
)
from houserule.source import AnyFragment

FOREIGN_SIGN = re.compile("|".join(re.escape(sign) for sign in sorted(FOREIGN_SIGNS, key=len, reverse=True)))


def characters(stop: Stop) -> Finding | None:
    """Characters that are no word of the language, or two that make none."""
    word = stop.word
    if word is None:
        return None
    if stop.token == "GLUED":
        return glued(stop, word)
    if word.text == "//" and word is stop.words[0]:
        return replace(stop.here("HR414", "a comment begins with '#'", "# …"), mends=(word.start, word.end, "#"))
    found = wrong_sentence(stop, word) or wrong_number(stop, word)
    return found or foreign_sign(stop, word) or strange_character(stop, word)


def wrong_sentence(stop: Stop, word: Word) -> Finding | None:
    """A sentence in other quotes, in braces, or without the closing quote."""
    character, before = word.text[0], stop.before
    if character == '"' and word.kind != "string":
        end = stop.scan.end_of_line(word.start)
        return Finding(
            "HR404", "this sentence has no closing quote", word.start, end, 'close it with " on its line', stop.line
        )
    if character in QUOTES:
        message = f"sentences go in straight double quotes, not in {character}"
        closing = stop.scan.text.find(CLOSING_QUOTES[character], word.start + 1, stop.scan.end_of_line(word.start))
        inside = stop.scan.text[word.start + 1 : closing] if closing > 0 else '"'
        found = stop.here("HR404", message, '"…"')
        return found if '"' in inside else replace(found, mends=(word.start, closing + 1, f'"{inside}"'))
    if character == "{" and before is not None and before.text == "say":
        sentence = stop.scan.text[word.start : stop.scan.end_of_line(word.start)].strip()
        found = stop.here("HR404", "a sentence goes in double quotes", f'say "{sentence}"')
        mends = (word.start, word.start + len(sentence), f'"{sentence}"')
        return found if '"' in sentence else replace(found, mends=mends)
    return None


def wrong_number(stop: Stop, word: Word) -> Finding | None:
    """A number with a decimal point, or with commas in it."""
    before = stop.before
    if word.kind == "number" and before is not None and before.text == "." and before.end == word.start:
        help = "a range has two dots: 1..6"
        return stop.about(before, "HR419", "numbers are whole: there is no decimal point", help)
    if word.text[0] == "," and (number := with_commas(stop)):
        plain = "".join(w.text for w in number[::2])
        found = stop.about(number[0], "HR419", "numbers are written without commas", plain)
        return replace(found, mends=(number[0].start, number[2].end, plain))
    return None


def foreign_sign(stop: Stop, word: Word) -> Finding | None:
    """A sign of another language, or one in a wrong place."""
    character, before = word.text[0], stop.before
    if character in "{}":
        help = "lists go in [ ], arguments in ( ), and what never changes into a table"
        return stop.here("HR421", f"'{character}' belongs only in sentences", help)
    if character == "#":
        hint = "put a space before a comment; a copy of a piece is its id, '#' and a number"
        if before is not None and (before.text == "]" or before.kind == "number"):
            hint = "a copy of a piece has its id before the '#', as in card_2#1"
        return stop.here("HR405", "a '#' without a space before it does not begin a comment", hint)
    joined = before is not None and before.end == word.start and before.kind == "sign"
    for start in (before.start, word.start) if joined and before is not None else (word.start,):
        sign = FOREIGN_SIGN.match(stop.scan.text, start)
        if sign and sign.end() > word.start:
            hint = f"did you mean '{FOREIGN_SIGNS[sign[0]]}'?"
            found = Finding("HR414", f"'{sign[0]}' means nothing here", start, sign.end(), hint, stop.line)
            meant = FOREIGN_SIGNS[sign[0]]
            if " " in meant or sign[0] in "?^|&" or sign[0] == "->":
                return found
            left = " " if meant.isalpha() and stop.scan.text[start - 1 : start].strip() else ""
            right = " " if meant.isalpha() and stop.scan.text[sign.end() : sign.end() + 1].strip() else ""
            return replace(found, mends=(start, sign.end(), left + meant + right))
    return None


def strange_character(stop: Stop, word: Word) -> Finding | None:
    """A character that no text of the language has."""
    character = word.text[0]
    if stop.token == "CHARACTER" and character.isalpha():
        message = f"names are written with the letters a to z, digits and '_', so '{character}' is not allowed here"
        return stop.here("HR405", message, "put what players read into a title")
    if stop.token == "CHARACTER" and character.isspace():
        message = f"this looks like a space but is not one (U+{ord(character):04X})"
        found = stop.here("HR405", message, "type the space again; it comes from copied text")
        return replace(found, mends=(word.start, word.start + 1, " "))
    return stop.here("HR405", f"'{character}' means nothing here") if stop.token == "CHARACTER" else None


def glued(stop: Stop, word: Word) -> Finding:
    """A number followed by letters, or a reserved word with another one attached."""
    before = stop.before
    if before is not None and before.kind == "number" and before.end == word.start:
        written = before.text + word.text
        hint = "names begin with a letter, and numbers have none"
        if re.fullmatch(r"d\d+", word.text):
            hint = f"one after another: repeat {before.text} times: roll n from 1..{word.text[1:]}"
        return Finding("HR419", f"'{written}' is neither a number nor a name", before.start, word.end, hint, stop.line)
    known = {*RESERVED, *stop.verbs, "of"}
    cut = next((n for n in range(len(word.text) - 1, 0, -1) if word.text[:n] in known), 0)
    hint = f"{word.text[:cut]} {word.text[cut:]}" if cut else "put a space between the two words"
    return stop.misspelt(word, "HR401", f"'{word.text}' is not allowed here", known if cut > 2 else (), hint)


def with_commas(stop: Stop) -> list[Word]:
    """The words of a number such as 1,000 around the comma where the parser stopped; none if it is something else."""
    words = stop.scan.words[max(0, stop.index - 1) : stop.index + 2]
    is_number = [word.kind for word in words] == ["number", "sign", "number"] and len(words[2].text) == 3
    return words if is_number and words[0].end == words[1].start and words[1].end == words[2].start else []


def brackets(stop: Stop) -> Finding | None:
    """Unmatched brackets."""
    word = stop.word
    if word is not None and word.text in OPENERS:
        opened = stop.scan.open[stop.index]
        if opened is None:
            return stop.here("HR403", f"there is no '{OPENERS[word.text]}' for this '{word.text}'", "leave it out")
        opening = stop.scan.words[opened].text
        if opening != OPENERS[word.text]:
            message = f"'{opening}' is closed with '{CLOSERS[opening]}', not with '{word.text}'"
            return stop.here("HR403", message, CLOSERS[opening])
    if unclosed := stop.unclosed:
        last = unclosed[-1]
        return stop.about(last, "HR403", f"this '{last.text}' is never closed", f"close it with '{CLOSERS[last.text]}'")
    return None


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
        asks = next((w for w in stop.statement if w.text in ("choose", "chooses")), None)
        if asks is not None and asks is not stop.words[0]:
            hint = "put it on the next line, indented"
            return stop.about(asks, "HR423", f"'{asks.text}' with a block begins a line of its own", hint)
        return stop.here("HR423", "this statement opens no block, so no ':' can follow it", "leave out the ':'")
    return None


def dashes(stop: Stop) -> Finding | None:
    """The lines of a block as a list of YAML."""
    word, before = stop.word, stop.before
    if word is None or word.text != "-" or before is None or before.text != ":" or stop.start != "block":
        return None
    end = stop.scan.words[stop.index + 1].start if stop.index + 1 < len(stop.scan.words) else word.end
    found = stop.here("HR401", "lines of effects do not begin with '-'", "leave out the '-'")
    return replace(found, mends=(word.start, end, ""))


def unquoted(stop: Stop) -> Finding | None:
    """A line of a menu without quotes."""
    word, before = stop.word, stop.before
    if word is None or before is None or stop.start != "block" or word.line == before.line or word.text in RESERVED:
        return None
    around = stop.scan.words[max(0, stop.index - 2) : stop.index + 2]
    is_first = [w.kind for w in around[:3]] == ["string", "sign", "name"] and around[-1].text in (":", "when")
    if is_first or ("STRING" in stop.expected and "NAME" not in stop.expected and word is stop.words[0]):
        return stop.here("HR404", "the answers of a menu go in double quotes", f'"{word.text}": …')
    return None


def blocks(stop: Stop) -> Finding | None:
    """A missing `:`, or nothing after one."""
    word, before = stop.word, stop.before
    if before is None or stop.start != "block":
        return None
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


PERFORM_ALONE = (
    "'perform' is a whole statement, or the whole right side of '='",
    "ok = perform …, then use ok on the next line",
)
"""What is said of `perform` inside another statement, and what helps."""


def missing_colon(stop: Stop, word: Word | None, before: Word) -> Finding | None:
    if before.text == "perform":
        return stop.about(before, "HR422", *PERFORM_ALONE)
    mended = stop.scan.text[stop.words[0].start : before.end] + ":"
    line = mended if "\n" not in mended and len(mended) < 80 else None
    if word is None:
        found = stop.here("HR407", "a ':' is missing at the end of this line", line)
        return replace(found, mends=(before.end, before.end, ":"))
    if word.text in ("if", "where") and before is stop.words[0] and before.kind == "string":
        return replace(stop.not_allowed(word, "when"), mends=(word.start, word.end, "when"))
    if word.text == "for" and stop.words[0].kind == "string" and any(one.text == "for" for one in stop.words):
        help = "ask for both in one question: `choose x from …, y from …`; or go on to a second question in this line"
        return stop.here("HR407", "a line of a menu goes through one list", help)
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
    known, message = [*stop.verbs, *SIMPLE, *COMPOUND], f"'{first.text}' is not a verb"
    if first is last and first.text in FOREIGN_VERBS:
        return foreign_verb(stop, first, message)
    if first is last and first.text in ENDS_OF_BLOCKS:
        return stop.about(first, "HR412", message, "leave it out: a block ends where its indentation ends")
    is_value = word is not None and word.kind in ("name", "number", "string") and word.text not in RESERVED | {"is"}
    if first is last and is_value:
        found = nearest(first.text, known) if first.kind == "name" else None
        hint = f"verbs are {', '.join(sorted(stop.verbs))}"
        hint += "" if first.text in NEVER_BOUND else f"; an action is performed: perform {first.text}"
        return stop.misspelt(first, "HR412", message, known if found else (), told_of(stop) or hint)
    if word is not None and word.text == ",":
        return None
    return alone(stop, known)


def foreign_verb(stop: Stop, first: Word, message: str) -> Finding:
    """A verb of another language; one that does something to the table, by itself, may be an action."""
    meant = "finish" if (first.text, stop.word) == ("return", None) else FOREIGN_VERBS[first.text]
    is_whole = stop.word is None and meant.split()[0] in (*stop.verbs, "end")
    help = f"did you mean '{meant}'? An action is performed: perform {first.text}" if is_whole else ""
    return stop.about(first, "HR412", message, Meant(meant, help), meant if meant.isalpha() else None)


def instead_of_value(stop: Stop, written: str, found: str | None) -> str:
    """What helps where a value stands in place of a statement; `found` is the word of the language that is nearest."""
    words, word = [one.text for one in stop.words], stop.word
    if of_subject := told_of(stop):
        return of_subject
    if words.count("is") == 1 and " is not " not in written:
        return written.replace(" is ", " = ")
    if as_verb := instead_of_method(stop, written):
        return as_verb
    if word is not None and word.text == ":" and word is not stop.words[-1]:
        return Meant(found) if found else f"{written} = …"
    if (word is None or word.text in (";", ":")) and (found or stop.statement[0].kind == "name"):
        return Meant(found) if found else f"if it is an action: perform {written}"
    return "set it to something, or leave it out"


def alone(stop: Stop, known: list[str]) -> Finding:
    """A value in place of a statement."""
    first, last = stop.statement[0], stop.statement[-1]
    is_word = first.kind == "name" and first is last
    found = nearest(first.text, known) if is_word else None
    last = last_word(stop)
    written = stop.between(first, last)
    hint = instead_of_value(stop, written, found)
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
    return stop.about(word, "HR410", IS_A_WORD.format(word.text), "choose another name")


def without_brackets(stop: Stop, word: Word) -> Finding:
    """A list without its brackets; where it sets a name, with them."""
    help, read = "(x in S where P by K)", stop.statement
    if len(read) > 2 and read[1].text == "=" and "\n" not in (written := stop.between(read[2], last_word(stop))):
        help = f"{read[0].text} = ({written})"
    return stop.here("HR417", f"a list with '{word.text}' in it goes in round brackets here", help)


def lists(stop: Stop) -> Finding | None:
    """Lists without their brackets, or filtered with `if`."""
    word = stop.word
    if word is not None and word.text == ")" and "ELSE" in stop.expected:
        inside = stop.scan.words[(stop.scan.open[stop.index] or 0) : stop.index]
        texts = [one.text for one in inside]
        if {"for", "in", "if"}.issubset(texts) and texts.index("in") < texts.index("if"):
            return stop.not_allowed(inside[texts.index("if")], "a list is filtered with 'where': x in S where P")
    if word is None or word.text not in ("where", "by", "for") or not stop.index:
        return None
    opened = stop.scan.open[stop.index]
    if opened is None:
        return without_brackets(stop, word)
    bracket = stop.scan.words[opened]
    if bracket.text == "[":
        found = stop.about(bracket, "HR417", "a list made from another goes in round brackets", "(x in S where P)")
        pairs = zip(stop.scan.words, stop.scan.open, strict=True)
        end = next((closing.end for closing, at in pairs if at == opened and closing.text == "]"), None)
        if end is None:
            return found
        return replace(found, mends=(bracket.start, end, f"({stop.scan.text[bracket.end : end - 1]})"))
    return None


def late_pass(stop: Stop) -> Finding | None:
    """`choose c from S or pass when …`."""
    word, before = stop.word, stop.before
    if word is None or word.text != "when" or before is None or before.text != "pass":
        return None
    return stop.about(before, "HR418", "'pass' is not allowed here", "choose … or pass when … from …")


def misplaced(stop: Stop) -> Finding | None:
    """Reserved words in a wrong place."""
    word, before = stop.word, stop.before
    if word is not None and word.text == "to" and stop.words[0].text == "say":
        return stop.here("HR401", "the listener comes before the sentence", 'say to me "…"')
    if word is not None and word.kind == "string":
        return stop.here("HR404", "a sentence is not a value", instead_of_sentence(stop, word))
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
        return stop.about(before, "HR422", *PERFORM_ALONE)
    if before.text in ("in", "of") and stop.words[0].text == "choose":
        return stop.not_allowed(before, "choose x from S")
    return taken(stop, before)


def instead_of_sentence(stop: Stop, word: Word) -> str:
    """What helps if a sentence is no value where it stands."""
    name, before = word.text.strip('"'), stop.before
    if name.isidentifier() and before is not None and before.text in ("=", "==", "!=", "in"):
        return f"leave out the quotes: {name}"
    if before is not None and before.text == ":" and any(one.text in ("choose", "chooses") for one in stop.words):
        return f"the question stands before the ':': … {word.text}:"
    called = stop.scan.words[max(0, stop.index - 2)].text
    if called == "choose" and before is not None:
        return f"a choice is made from something: choose {before.text} from … {word.text}"
    if before is not None and before.text == "(" and called in FOREIGN_VERBS:
        meant = FOREIGN_VERBS[called]
        return meant.replace("…", word.text, 1) if "…" in meant else f"{meant} {word.text}"
    return "sentences follow 'say', or are prompts and labels"


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


def other_forms(stop: Stop) -> Finding | None:
    """The end of a turn, and a verb in place of a value: verbs that make something say what it is called."""
    before, word, name = stop.before, stop.word, stop.words[0]
    if before is None or word is None:
        return None
    if before.text == "end" and word.text in ("turn", "round", "step", "phase"):
        found = stop.not_allowed(word, "a turn or a step ends with: finish")
        return replace(found, mends=(before.start, word.end, "finish")) if word.text == "turn" else found
    if before.text in stop.verbs and before is not name and name.kind == "name":
        rest = stop.scan.text[word.start : stop.scan.end_of_line(word.start)].strip()
        is_named = "as" in stop.verbs[before.text]
        hint = f"{before.text} … as {name.text}" if is_named else f"{before.text} {name.text} from {rest}"
        return stop.not_allowed(before, hint)
    return None


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
    if stop.before is not None and stop.before.text == "choose" and word.text == ":":
        return stop.not_allowed(word, 'choose "What do you do?": …')
    if stop.words[0].text == "for" and wanted == ["in"] and word.text in ("from", "of", "over", "to"):
        return stop.not_allowed(word, "for x in S: …, where S can be 1..3")
    if stop.expected == {"NAME"} and word.kind == "sign" and word.text in (":", ",", ")"):
        return stop.here("HR402", f"a name is missing before '{word.text}'")
    if stop.start == "expression" and stop.index == 1:
        return two_words(stop, word)
    if stop.start == "expression" and word.text == "from":
        return stop.not_allowed(word, "p in players from next(me) where …")
    if "TIMES" in stop.expected and stop.words[0].text == "repeat":
        return missing_times(stop, word)
    return two_names(stop, word)


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
    return stop.not_allowed(stop.word, hint)


# The most certain first; `anything` always applies.
REASONS: tuple[Callable[[Stop], Finding | None], ...] = (
    *(layout, characters, blocks_for_values, brackets, alternatives, simple_only, chains, dashes, added, spoken),
    *(compared, shortened, yes_or_no, sliced, counted, condition_last, result, ended, unquoted, blocks, named_argument),
    *(equals, lists, effects_for_values, unknown_verbs, late_pass, misplaced),
    *(nameless, other_forms, misspelt, anything),
)


def explain(
    scan: Scan, parsed: Parsed, start: str, fragment: AnyFragment, verbs: Mapping[str, tuple[str, ...]]
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


def fix_of(finding: Finding, scanned: str, fragment: AnyFragment) -> Fix | None:
    """The certain fix of a finding, as it is written in the file."""
    if finding.mends is None:
        return None
    start, end, text = finding.mends
    before = scanned[:start]
    line, column = before.count("\n") + 1, start - before.rfind("\n")
    return fragment.fix(line, column, line, column + end - start, text)


def stop_of(scan: Scan, parsed: Parsed, start: str, verbs: Mapping[str, tuple[str, ...]]) -> Stop:
    error = parsed.error
    if isinstance(error, Refused):
        place = error.token.start_pos or 0
        index = scan.index(place if error.kind == "GLUED" or error.token in ("(", "[") else place + 1)
        if error.kind == "GLUED" and index and scan.words[index - 1].end > place:
            index -= 1  # The scan does not split the word in two.
        return Stop(scan, index, False, error.kind, frozenset(), "", start, verbs)
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
