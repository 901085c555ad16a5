"""Explains why the parser stopped at a character, a number or a bracket; each reason returns a finding, or nothing."""

from __future__ import annotations

import re
from dataclasses import replace

from houserule.language.scan import CLOSERS, OPENERS, Word
from houserule.language.stop import Finding, Stop
from houserule.language.words import CLOSING_QUOTES, FOREIGN_SIGNS, QUOTES, RESERVED

FOREIGN_SIGN = re.compile("|".join(re.escape(sign) for sign in sorted(FOREIGN_SIGNS, key=len, reverse=True)))


def characters(stop: Stop) -> Finding | None:
    """Characters that are no word of the language, or two that make none."""
    word = stop.word
    if word is None:
        return None
    if stop.token == "GLUED":
        return glued(stop, word)
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
        return (
            found
            if '"' in sentence
            else replace(found, mends=(word.start, word.start + len(sentence), f'"{sentence}"'))
        )
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
        return stop.here("HR421", f"'{character}' belongs only in sentences", "lists go in [ ], arguments in ( )")
    if character == "#":
        hint = "put a space before a comment; a copy of a piece is its id, '#' and a number"
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
