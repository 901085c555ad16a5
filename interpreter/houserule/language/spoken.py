"""Explains words of English sentences and habits of other languages, where this one says the same in its own way."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from houserule.diagnostics import Meant
from houserule.language.scan import Finding, Stop, Word, last_word, shown
from houserule.language.words import ENDINGS, FOREIGN_VERBS, PREPOSITIONS, RESERVED

METHOD = re.compile(r"(?P<of>[^(]+)\.(?P<verb>\w+) *\(")


def added(stop: Stop) -> Finding | None:
    """What is added to a sentence: `say "…" + n`, `"…" % n`."""
    word, before = stop.word, stop.before
    is_said = stop.words[0].text == "say"
    signs = ("+", ",", "%") if is_said else ("+", "%") if before is not None and before.kind == "string" else ()
    if word is None or word.text not in signs:
        return None
    verb = "say " if is_said else ""
    return stop.not_allowed(word, f'values stand in braces in the sentence: {verb}"… {{count(me.hand)}} …"')


def spoken(stop: Stop) -> Finding | None:
    """Words of English sentences: `each p`, `for ever`, `perform f a`."""
    word, before = stop.word, stop.before
    if word is None or before is None:
        return None
    if (stop.start, before.text, word.text) == ("expression", "for", "ever"):
        return stop.about(before, "HR401", "'for ever' is one word here", "forever")
    if word.kind in ("name", "number") and before.text in ("each", "all", "every", "any"):
        if before is stop.words[0] and stop.start == "block":
            return stop.not_allowed(before, "for each of them: for x in S: …")
        is_asked = before.text == "any" and stop.words[0].text != "for"
        return stop.not_allowed(before, "whether there is one: any(S)" if is_asked else "leave it out")
    if before.text == "say" and word.kind == "name" and stop.scan.text[word.end : word.end + 1] == '"':
        found = stop.not_allowed(word, "leave it out: values stand in braces in every sentence")
        return replace(found, mends=(word.start, word.end, ""))
    is_argument = word.kind in ("name", "number") and word.text not in RESERVED
    if is_argument and [one.text for one in stop.statement[:-1]] == ["perform"]:
        return stop.not_allowed(word, f"perform {before.text}({word.text})")
    return None


SIGNS = {"plus": "+", "minus": "-", "unless": "if not …", "at least": ">=", "at most": "<="}
ARTICLES = {"the": "leave it out", "a": "1", "an": "1"}
"""Words of sentences, and what stands for them here."""


def compared(stop: Stop) -> Finding | None:
    """Comparisons and sums in words: `n is 1`, `x is top(deck)`, `x not none`, `at least`, `plus`, `unless`."""
    word, before = stop.word, stop.before
    if word is None or before is None:
        return None
    onward = stop.scan.words[stop.index + 1].text if stop.index + 1 < len(stop.scan.words) else ""
    if sign := SIGNS.get(word.text) or SIGNS.get(f"{word.text} {onward}"):
        return stop.not_allowed(word, sign)
    if before.text == "is" and word.kind == "number":
        return replace(stop.not_allowed(before, "=="), mends=(before.start, before.end, "=="))
    if [one.text for one in stop.statement[-2:-1]] == ["is"] and word.text in ("(", "[", "."):
        return stop.not_allowed(stop.statement[-2], "==")
    if before.text == "not" and word.text == "none":
        return stop.not_allowed(before, "!= none")
    return None


def shortened(stop: Stop) -> Finding | None:
    """Articles, `owner of x`, a list without brackets, and `from p` for players."""
    word, before = stop.word, stop.before
    if word is None or before is None:
        return None
    is_first = [one.text for one in stop.statement[:-1]] in ([verb] for verb in stop.verbs)
    if is_first and before.text in ARTICLES and word.kind == "name":
        return stop.not_allowed(before, ARTICLES[before.text])
    if word.text == "of" and before.kind == "name" and "AND" in stop.expected:
        return stop.not_allowed(word, f"{before.text}(…)")
    if word.text == ",":
        return comma(stop, word)
    if before.text == "from" and stop.index == 1 and stop.start != "block":
        return stop.not_allowed(before, f"players from {word.text}")
    return None


def comma(stop: Stop, word: Word) -> Finding | None:
    """Several names in a loop, several names set at once, and a list without its brackets."""
    if stop.words[0].text == "for" and "IN" in stop.expected:
        return stop.not_allowed(word, "a loop has one name; which place x has in S: position(S, x)")
    if stop.could_set and (names := names_set(stop)):
        return stop.not_allowed(word, f"one after another: {'; '.join(f'{one} = …' for one in names)}")
    if [one.text for one in stop.statement[:1]] == ["choose"] and "FROM" in stop.expected:
        return stop.not_allowed(
            word, "several of one list: choose 2 cards from S; one of each: choose c from S, d from T"
        )
    if stop.start == "binding":
        return stop.not_allowed(word, "several values stand in square brackets: x in [1, 3]")
    return None


def names_set(stop: Stop) -> list[str]:
    """The names in `a, b = 1, 2`; none if it is something else."""
    texts = [one.text for one in stop.words]
    left = texts[: texts.index("=")] if "=" in texts else []
    return left[::2] if set(left[1::2]) == {","} else []


def named_argument(stop: Stop) -> Finding | None:
    """`max(S, key=f)`: an argument with its name."""
    word, opened = stop.word, stop.scan.open[stop.index] if stop.index < len(stop.scan.words) else None
    if word is None or word.text != "=" or opened is None or stop.index < opened + 4:
        return None
    called, comma, name, onward = (
        stop.scan.words[at] for at in (opened - 1, stop.index - 2, stop.index - 1, stop.index + 1)
    )
    if comma.text != "," or not is_free(name):
        return None
    if name.text == "key" and called.text in ("max", "min"):
        items = stop.scan.text[stop.scan.words[opened].end : comma.start]
        sign = "-" if called.text == "max" else ""
        return stop.not_allowed(word, f"the first in an order: first(x in {items} by {sign}x.{onward.text})")
    return stop.not_allowed(word, f"arguments have no names: leave out '{name.text} ='")


def yes_or_no(stop: Stop) -> Finding | None:
    """`choose yes or no`."""
    word, before = stop.word, stop.before
    if word is None or before is None or before.text != "or" or stop.words[0].text != "choose":
        return None
    return stop.not_allowed(word, "what may be declined: or pass; yes or no: choose sure from [true, false]")


def sliced(stop: Stop) -> Finding | None:
    """`S[0:3]` for the first of a list."""
    if stop.word is None or stop.word.text != ":" or "RSQB" not in stop.expected:
        return None
    return stop.not_allowed(stop.word, "the first three of S: first(S, 3); the last three: last(S, 3)")


def counted(stop: Stop) -> Finding | None:
    """`1 to 3`, `x between 1 and 3` and `x from 1 to 3` for a range, and `draw 2 cards from …`."""
    onwards = [one.text for one in stop.scan.words[stop.index : stop.index + 4]]
    if onwards[::2] == ["between", "and"] or (onwards[::2] == ["from", "to"] and "IN" in stop.expected):
        name = stop.scan.words[stop.index - 1].text if onwards[0] == "from" else "x"
        return stop.not_allowed(stop.scan.words[stop.index], f"{name} in {onwards[1]}..{onwards[-1]}")
    around = stop.scan.words[max(0, stop.index - 1) : stop.index + 2]
    if len(around) < 3 or [one.kind for one in around[:2]] != ["number", "name"]:
        return None
    number, word, onward = around
    if word.text == "to" and onward.kind == "name" and "from" in [one.text for one in stop.statement[-2:-1]]:
        return stop.not_allowed(word, f"a range is written with two dots: {number.text}..…")
    if word.text == "to" and onward.kind == "number":
        found = stop.not_allowed(word, f"{number.text}..{onward.text}")
        return replace(found, mends=(number.end, onward.start, ".."))
    verb = next((one.text for one in stop.statement), "")
    if onward.text == "from" and stop.verbs.get(verb) == ("from",):
        return stop.not_allowed(word, f"one after another: repeat {number.text} times: {verb} n from …")
    if onward.text == "from" and "to" in stop.verbs.get(verb, ()):
        return replace(stop.not_allowed(word, "leave it out"), mends=(word.start, onward.start, ""))
    return None


def told_of(stop: Stop) -> str | None:
    """What is written for `next(me) draws 2 from deck` or `p wins`: who does something, and what."""
    words = stop.statement + [word for word in stop.words if word.start >= (stop.word or stop.words[-1]).start]
    for before, word in pairwise(words):
        verb = word.text.removesuffix("s")
        if verb == word.text or word.kind != "name" or before.text in RESERVED:
            continue
        subject = stop.between(words[0], before)
        if (meant := FOREIGN_VERBS.get(verb, "")).endswith(" of me"):
            return meant.removesuffix("me") + subject
        if verb in stop.verbs:
            return f"as {subject}: {verb} …"
    return None


def instead_of_method(stop: Stop, written: str) -> str | None:
    """What is written for `deck.shuffle()` and `hand.append(card)`."""
    called = METHOD.match(written)
    if called is None:
        return None
    if called["verb"] in FOREIGN_VERBS:
        return Meant(FOREIGN_VERBS[called["verb"]])
    if called["verb"] not in stop.verbs:
        return None
    beside = [f"… {one}" for one in stop.verbs[called["verb"]] if one in PREPOSITIONS]
    return f"{called['verb']} {' '.join([*beside, '…']) if beside else called['of']}"


def result(stop: Stop) -> Finding | None:
    """`finish 0`, `finish me.score`: a result without `with`."""
    word, words = stop.word, stop.statement
    if word is None or [one.text for one in words[:1]] != ["finish"] or len(words) > 2:
        return None
    is_value = (
        word.kind in ("number", "bracket") or word.text == "-" if len(words) == 1 else word.kind in ("sign", "bracket")
    )
    if is_value or words[-1].text == "not":
        first = words[-1] if len(words) == 2 else word
        return stop.not_allowed(first, f"finish with {stop.between(first, last_word(stop))}")
    return None


def condition_last(stop: Stop) -> Finding | None:
    """`finish if P`, `x += 1 if P`: a condition behind what depends on it."""
    words = [*stop.statement, stop.word] if stop.word is not None else stop.statement
    at = next((number for number, word in enumerate(words) if number and word.text == "if"), 0)
    if not at or stop.start != "block" or stop.words[0].kind != "name" or words[at] is (last := last_word(stop)):
        return None
    first = f"{stop.between(words[at], last)}: {stop.between(words[0], words[at - 1])}"
    if stop.word is None and "ELSE" in stop.expected:
        return stop.here("HR402", "'else' is missing at the end", f"a if c else b; or the condition first: {first}")
    return stop.not_allowed(words[at], first) if words[at] in (stop.word, stop.before) else None


def ended(stop: Stop) -> Finding | None:
    """`end game as draw`, `end game draw`: how a game ends without `with`."""
    if stop.word is None or [one.text for one in stop.statement] not in (["end", "game"], ["end", "game", "with"]):
        return None
    said = next((one.text for one in stop.words if one.text in ENDINGS), None)
    how = f"end game with {said}" if said else "how it ends: end game with draw, with victory of me, with defeat of me"
    return stop.not_allowed(stop.word, how)


def two_names(stop: Stop, word: Word) -> Finding | None:
    """Two names beside each other: `count deck`, `f(next player)`."""
    before, is_inside = stop.before, stop.scan.open[stop.index] is not None
    if before is None or not is_free(before) or not is_free(word) or stop.start == "signature":
        return None
    if not is_inside and stop.start != "expression":
        return None
    also = "; between two arguments stands a ','" if is_inside else ""
    return stop.not_allowed(word, f"a function takes its arguments in brackets: {before.text}(…){also}")


def is_free(word: Word) -> bool:
    """Whether a word is a name that an author could give."""
    return word.kind == "name" and word.text not in RESERVED


def two_words(stop: Stop, word: Word) -> Finding | None:
    """A second word at the beginning of an expression."""
    pair = stop.scan.words[:2]
    if word.text == "times":
        return replace(stop.not_allowed(word, "leave it out"), mends=(pair[0].end, word.end, ""))
    if pair[0].text == "until":
        return stop.not_allowed(pair[0], "it is a key of its own: until: …")
    if FOREIGN_VERBS.get(pair[0].text, "").startswith("finish with"):
        return stop.not_allowed(pair[0], "leave it out: the value stands by itself")
    if word.text in ("each", "per"):
        return stop.not_allowed(word, f"leave it out; so many for each of a list: {pair[0].text} * count(S)")
    return two_names(stop, word)


def missing_times(stop: Stop, word: Word) -> Finding:
    """A loop that says how often without `times`, or until when."""
    if stop.words[1].text == "until":
        return stop.not_allowed(stop.words[1], "while not (…): …")
    count = " ".join(stop.scan.text[stop.words[1].start : word.start].split())
    return stop.here("HR402", f"'times' is missing before '{shown(word)}'", f"repeat {count} times: …")
