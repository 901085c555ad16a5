"""The phrase book: the words for each operation, statement and condition, a file for each language."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any
from unicodedata import combining, normalize

from houserule.frozen import frozen
from houserule.telling.labels import LANGUAGES, phrases

FIELD = re.compile(r"\{(\w+|\*)(?:~([^}]*)|:([\w.*]+)(?:\?([^}]*))?)?\}")
"""`{part}`, `{part:form}`, `{part:form?words before it if it lacks the form}`, where `@dat` names the form that it has then, and
`{part~is~are~are}`, a word that agrees with the part: for one, for several, for `you`."""
OPTIONAL = re.compile(r"\[([^\[\]]*)\]")
LONG = 3
"""An owner of more words follows what it owns."""
SHORT = 2
"""An amount up to this length is a number or the letter for one."""
MOST_NOUNS = 4_000
"""The nouns whose forms are kept: each is mentioned again and again."""
BLANK = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef]) (?=[\u3000-\u9fff\uff00-\uffef])")
IDEOGRAPH, LATIN = "[\u3400-\u9fff]", "[A-Za-z0-9]"
APART = re.compile(f"(?<={IDEOGRAPH})(?={LATIN})|(?<={LATIN})(?={IDEOGRAPH})")
CLOSES = "⸴"
"""Where something ends that a comma has begun, such as a German relative clause: a comma if words follow, else nothing."""
CLOSED = re.compile(f"{CLOSES}+(?= [\\w„“‚‘])")
DONE = re.compile(f"{CLOSES}+(?!$)")
SENTENCES = ("verbs", "statements", "events", "steps", "log", "book")
"""The phrases that no other stands around."""
LAST = re.compile(r"[^\w{]*")
"""What follows the last word of a sentence."""
QUOTING = frozenset(("definite", "mine", "of", "at", "mine_at", "of_at", "at_any"))
"""Determiners that a title of unknown gender cannot have: it stands in quotation marks instead."""
WAYS = ("out", "into", "inside")
"""Forms of a place with its preposition: the ways out of it and into it, and where that is."""
KEPT = ("number", "counter", *WAYS)
"""Forms that a noun keeps with an article: its number, the word with which it is counted, its ways."""
VOWEL = re.compile(r"(?!(?:uni(?!m|n)|use|usu|ute|eu|one\b|once))[aeiou]|(?:hour|honest|honou?r|heir)", re.IGNORECASE)
"""How an English word begins that has `an` before it."""
OF_MANY = {"nom": "e", "acc": "e", "weak": "en", "dat": "en", "gen": "er"}
"""The endings of an adjective in the plural, by form."""
BEFORE = {"def": "definite", "indef": "indefinite", "each": "each", "every": "every", "no": "no"}
"""Forms of a noun, with the phrase for the word before it."""


QUALIFIED = re.compile(
    r"(?<=\w) (?:of|with|without|in|on|for|from|to|at|by|up|left|bought|taken|drawn|shown|won|lost|\w+ed) "
)
"""What follows the noun of an English title: `cards passed on`, `actions left`."""
JOINED = re.compile(
    r"(?<=\w) (?:(?:of|with|without|in|on|for|from|at|by) |(?:left|bought|taken|drawn|shown|won|lost|\w*[aeiou]\w*(?<!e)ed)$)"
)
"""What follows a noun in such a way that only the noun is made plural: `token of affection`, `number shown`, `card played`."""


@frozen
class Words:
    """A phrase in all its forms: the cases of its language; the plural as `pl` or `pl.CASE`; with a determiner, as
    `indef`, `each`, `every` and `no`, or `indef_CASE` and so on; and `bare` without a determiner."""

    forms: Mapping[str, str]

    def __str__(self) -> str:
        return self.form("nom")

    def form(self, name: str) -> str:
        forms = self.forms
        if name in forms:
            return forms[name]
        kind = re.split(r"[._]", name)[0]
        return forms.get(kind, forms["nom"])

    def has(self, name: str) -> bool:
        return name in self.forms

    def having(self, **forms: str) -> Words:
        """These words with further forms."""
        return Words({**self.forms, **forms})

    def plural(self) -> Words:
        return self if self.has("number") else self.having(number="pl")

    def agreeing(self, words: Sequence[str]) -> str:
        """Of a word for one, for several and for `you`, the one that agrees."""
        number = self.forms.get("number", "")
        return words[0] if not number else words[-1] if number == "you" else words[1]


def plain(text: str) -> Words:
    return Words({"nom": text})


Part = Words | str | int
Parts = Mapping[str, Part | None]


class Phrasebook:
    """The phrases of one language."""

    def __init__(self, language: str, tables: Mapping[str, Any]) -> None:
        self.language = language
        self.tables = tables
        self.cases: Sequence[str] = tables["cases"]
        self.forms = [*self.cases, *(f"pl.{case}" for case in self.cases)]
        drawn = tables.get("contractions", {})
        self._nouns = lru_cache(MOST_NOUNS)(self._noun)
        self.determined = lru_cache(MOST_NOUNS)(self._determined)
        """A noun with a determiner: `definite`, `mine`, `of` …, by its gender if the language has one."""
        self.contractions = [(re.compile(rf"\b{apart}\b"), together) for apart, together in drawn.items()]

    def has(self, section: str, name: str) -> bool:
        return name in self.tables[section]

    def phrase(self, section: str, name: str, /, **parts: Part | None) -> Words:
        """A phrase with its parts, in every form in which a part is requested."""
        template = self.tables[section][name]
        ends = section in SENTENCES or name == "conditional"
        if not isinstance(template, str):
            return Words({case: self.filled(text, parts, case, ends) for case, text in template.items()})
        if "*}" not in template.replace("{*}", ""):
            return plain(self.filled(template, parts, "nom", ends))
        return Words({form: self.filled(template, parts, form, ends) for form in self.forms})

    def filled(self, template: str, parts: Parts, form: str, ends: bool = False) -> str:
        """A template with its parts in their forms, and with the contractions of the language; `ends` if nothing follows it."""
        text = filled(template, parts, form, self.tables, ends)
        for apart, together in self.contractions:
            text = apart.sub(together, text)
        return closed(text)

    def sentence(self, section: str, name: str, /, **parts: Part | None) -> str:
        """A phrase as a sentence: with a capital letter if the language has them."""
        return self.tidy(self.capital(str(self.phrase(section, name, **parts))))

    def capital(self, text: str) -> str:
        """The text with an initial capital letter if the language has them."""
        if not self.tables["capitals"]:
            return text
        at = 1 if text[:1] and not text[0].isalnum() else 0
        return text[:at] + text[at : at + 1].upper() + text[at + 1 :]

    def inserted(self, words: Words, before: str, after: object) -> str:
        """A value in a text: without an article where the text has its own, or a number, before it, or an ending after it."""
        text, front = str(words), before.split(" ")[:-1] if before.endswith(" ") else []
        if before[-1:] in self.tables["inner_quotes"]:
            text = self.unquoted(text)
        own = (*self.tables.get("determiners", ()), *self.numbers)
        if front and front[-1] not in own and re.fullmatch(self.tables.get("adjectives_between", "$^"), front[-1]):
            front = front[:-1]  # your reserved card
        last = front[-1].lower() if front else ""
        has_own = last.isdecimal() or last in own
        if has_own or (isinstance(after, str) and after[:1].isalpha() and self.tables["capitals"]):
            return self.without_determiner(words)
        return text

    def without_determiner(self, words: Words) -> str:
        """The noun alone: `gem` of `the gem`; words that are no noun stay."""
        alone = words.form("bare")
        first, _, rest = alone.partition(" ")
        return rest if rest and first.lower() in self.tables.get("determiners", ()) else alone

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers as words."""
        return frozenset(str(word) for word in self.tables["numbers"].values())

    def unquoted(self, text: str) -> str:
        """A text without the quotation marks around the whole of it."""
        left, right = self.tables["inner_quotes"]
        is_whole = text[:1] == left and text[-1:] == right and len(text) > 1 and right not in text[1:-1]
        return text[1:-1] if is_whole else text

    @cached_property
    def blank(self) -> str:
        """What stands between words, and between sentences."""
        return " " if self.tables["capitals"] else ""

    def tidy(self, text: str) -> str:
        """A text without blanks between characters of a language that has none between words."""
        text = closed(text).removesuffix(CLOSES)
        if self.tables["capitals"]:
            return text
        text = BLANK.sub("", text)
        return APART.sub(" ", text) if self.tables.get("spaced") else text

    def listed(self, words: Sequence[Part], joint: str = "and") -> str:
        """Phrases as a list: `a, b and c`; those that are lists themselves apart: `a, b; and c`."""
        texts = [str(word) for word in words]
        signs: Mapping[str, str] = self.tables["list"]
        if len(texts) < 2:
            return "".join(texts)
        last = signs.get(f"{joint}_many", signs[joint]) if len(texts) > 2 else signs[joint]
        comma = signs["comma"]
        if joint == "and" and any(sign in text for text in texts for sign in (comma, last) if " " in sign):
            comma, last = signs["clause"], f"{signs['clause'].rstrip()}{last}"
        return comma.join(texts[:-1]) + last + texts[-1]

    def noun(self, title: str, grammar: Mapping[str, str] | None = None) -> Words:
        """A title as a noun with the forms of its grammar key; the plural is formed by rule if the language allows it."""
        return self._nouns(title, tuple((grammar or {}).items()))

    def _noun(self, title: str, grammar: tuple[tuple[str, str], ...]) -> Words:
        known = dict(grammar)
        own = {form: known[form] for form in KEPT if form in known}
        if re.match(self.tables.get("bare", "$^"), title, re.IGNORECASE):
            return Words({"nom": str(self.phrase("nouns", "quoted", noun=title)), "quoted": "yes", **own})
        if self.tables.get("lower") and not known.get("proper") and not known.get("capital"):
            title = lower(title)
        forms = {case: known.get(case, title) for case in self.cases}
        plural = known.get("plural") or self.plural(title)
        forms |= {f"pl.{case}": known.get(f"plural_{case}", plural) for case in self.cases}
        if "adjectives" in self.tables:
            forms |= self.inflected(forms, known)
        forms |= {form: text for form, text in self.endings(forms, known).items() if text}
        forms["pl"] = plural
        forms["gender"] = known.get("gender", "")
        forms |= own | ({"number": "pl"} if forms["gender"] == "pl" else {})
        forms |= {"quoted": "no"} if known.get("proper") else {}
        forms |= {"counted": "yes"} if "plural" in known or "endings" not in self.tables else {}
        alone = Words(dict(forms))
        for form, kind in BEFORE.items():
            made = self.determined(kind, alone)
            forms |= {f"{form}_{case}": made.form(case) for case in self.cases} | {form: str(made)}
        return Words(forms)

    def endings(self, forms: Mapping[str, str], known: Mapping[str, str]) -> dict[str, str]:
        """The forms that the language makes with an ending if the grammar key lacks them: genitive, dative plural."""
        made = {}
        rules = self.tables.get("endings", {})
        if "gen" in rules and "gen" not in known and forms["gen"] == forms["nom"] and known.get("gender") in ("m", "n"):
            made["gen"] = forms["nom"] + ("e" if forms["nom"][-1:] in "sßxz" else "") + rules["gen"]
        if "plural_dat" in rules and "plural" in known and "plural_dat" not in known:
            made["pl.dat"] = forms["pl.dat"] + ("" if forms["pl.dat"][-1:] in "ns" else rules["plural_dat"])
        return made

    def inflected(self, forms: Mapping[str, str], known: Mapping[str, str]) -> dict[str, str]:
        """The forms of a title that begins with an adjective, such as `rotes Kissen`: `weak` ones stand after an article."""
        gender, weak = known.get("gender", ""), {"weak": forms["nom"], "weak_acc": forms["acc"]}
        ending = self.tables["adjectives"].get(gender)
        found = re.match(rf"(\w\w+){ending} ([A-ZÄÖÜ].*)", forms["nom"])
        if not ending or found is None:
            return weak
        stem, noun = found.groups()
        stem = stem[:1].lower() + stem[1:]
        made = {
            "nom": f"{stem}{ending} {noun}",
            "weak": f"{stem}{'en' if gender == 'pl' else 'e'} {noun}",
            "dat": f"{stem}en {noun}",
        }
        made["gen"] = f"{stem}en {noun}{'s' if gender in ('m', 'n') else ''}" if gender != "pl" else f"{stem}er {noun}"
        made["acc"] = f"{stem}en {noun}" if gender == "m" else made["nom"]
        made["weak_acc"] = made["acc"] if gender == "m" else made["weak"]
        made = {form: known.get(form, text) for form, text in made.items()}
        head, _, rest = forms["pl.nom"].partition(" ")
        if head.lower() != f"{stem}e".lower() or not rest:
            return made
        many = {f"pl.{form}": f"{stem}{ending} {rest}" for form, ending in OF_MANY.items()}
        return made | {form: known.get(form.replace("pl.", "plural_"), text) for form, text in many.items()}

    def local(self, words: str, noun: Words, is_many: bool) -> Words:
        """A local name that is an English word, as a noun: `the victim`, `the stolen card`, but “so far” where it is none."""
        if re.search(self.tables["no_nouns"], words):
            return self.phrase("nouns", "quoted", noun=words).having(quoted="yes")
        if re.fullmatch(self.tables["adjectives_between"], words):
            many = f"{words} {noun.form('pl')}"
            return self.determined("definite", self.noun(many if is_many else f"{words} {noun}", {"plural": many}))
        return self.determined("definite", self.noun(words))

    def as_many(self, section: str, name: str, amount: str) -> str:
        """The phrase for its amount: for one, for several, which may be a letter, or for as many as something says."""
        ending = "one" if amount == "1" else "value" if not amount.isdecimal() and len(amount) > SHORT else ""
        return f"{name}_{ending}" if ending and self.has(section, f"{name}_{ending}") else name

    def of_person(self, name: str, kind: str) -> str:
        """A condition, in the form for people if the language has one: プレーヤーがいる, but カードがある."""
        return f"{name}_person" if kind == "player" and self.has("conditions", f"{name}_person") else name

    def said_to_be(self, subject: Words, complement: Words) -> Words:
        """Whoever is said to be `you`, in a language in which the verb agrees with that: der Besitzer bist du."""
        is_you = "you_is_subject" in self.tables and complement.forms.get("number") == "you"
        return subject.having(number="you") if is_you else subject

    @staticmethod
    def range_between(low: Words, high: Words) -> str:
        """The phrase for a range of numbers, or for one with an end in words."""
        return "range" if str(low).isdecimal() and str(high).isdecimal() else "range_open"

    def numbered(self, noun: Words, name: str) -> Words:
        """A noun followed by a name, in all its forms: `number n`."""
        apart = ("gender", "quoted", "number", "counted")
        return Words(
            {form: text if form in apart else f"{text}{self.blank}{name}" for form, text in noun.forms.items()}
        )

    def word(self, name: str) -> Words:
        found = self.tables["nouns"][name]
        return plain(found) if isinstance(found, str) else Words(found)

    def form_for(self, name: str, *endings: str) -> Words:
        """A word of the language for a gender or for people, if there is one."""
        found = next((f"{name}_{end}" for end in reversed(endings) if end and self.has("nouns", f"{name}_{end}")), name)
        return self.word(found) if self.has("nouns", found) else plain("")

    def without_article(self, words: Words) -> Words:
        """Words that begin with an article, with the forms that have another one: `a top card of the deck`."""
        article = self.tables.get("article", "")
        if not article or not str(words).startswith(article):
            return words
        rest = plain(str(words).removeprefix(article))
        forms = {form: str(self.determined(kind, rest)) for form, kind in BEFORE.items() if form in ("indef", "no")}
        return words.having(**forms, bare=str(rest))

    def clause(self, title: str, owner: Words | None, negated: bool, opposite: str = "") -> Words | None:
        """A title that is a clause, such as `The cave is closed`, or one about its owner, such as `has failed`; None for any other.
        Of a clause that a grammar key gives, `opposite` is the negation, which not every language can make."""
        grammar = self.tables.get("clauses")
        if negated and opposite:
            title, negated = opposite, False
        if grammar is None:
            is_told = opposite and not negated
            who = owner if owner is not None and str(owner) else None
            return self.phrase("conditions", "clause", subject=who, rest=title) if is_told else None
        if re.match(self.tables.get("bare_clause", "$^"), title, re.IGNORECASE):
            return None
        verbs = "|".join(grammar["verbs"])
        found = re.match(rf"(?:(.+?) )?({verbs}) (.+)$", title, re.IGNORECASE)
        if found is None or (found[1] is None) is not (owner is not None):
            return None
        subject = str(owner) if owner is not None else self.lowered(found[1])
        verb, rest = found[2].lower(), found[3]
        if owner is not None:
            verb = owner.agreeing([verb, *grammar["verbs"][verb].split()])
        opposites = grammar.get("opposites", {})
        other = opposites.get(f"{verb} {rest.split()[0].lower()}", opposites.get(verb))
        if negated and other is not None:
            verb, negated = other, False  # whoever need not stop may still stop; who has not a shield does not have one
        parts: Parts = {"subject": subject, "verb": verb, "rest": rest}
        return self.phrase("conditions", "not_clause" if negated else "clause", **parts)

    def lowered(self, text: str) -> str:
        """A text in the middle of a sentence: without its capital letter if that is due to the beginning."""
        small = self.tables.get("small")
        if small is None:
            return lower(text) if self.tables.get("lower") else text
        return text[:1].lower() + text[1:] if text.split(" ")[0].lower() in small else text

    def plural(self, title: str) -> str:
        """The regular plural of a title; the title itself if there is none."""
        if self.tables.get("plural") != "s" or not title:
            return title
        if (aside := re.fullmatch(r"(.+?)( \(.+\)|, .+)", title)) is not None:
            return self.plural(aside[1]) + aside[2]
        if self.is_plural(title):
            return title
        if (joined := JOINED.search(title)) is not None:
            return self.plural(title[: joined.start()]) + title[joined.start() :]
        if not title[-1].isalpha():
            return title
        front, space, last = title.rpartition(" ")
        if front and re.fullmatch(self.tables["participles"], last):
            return f"{self.plural(front)} {last}"  # cards laid
        if last in self.tables["plurals"]:
            return f"{front}{space}{self.tables['plurals'][last]}"
        if re.search(r"[^aeiou]y$", title):
            return f"{title[:-1]}ies"
        if re.search(r"\w(?<!hu)(?<!ger)(?<!ro)(?<!sha)(?<!lis)(?<!otto)man$", title):
            return f"{title[:-2]}en"  # footman
        return f"{title}es" if re.search(r"(s|x|z|ch|sh)$", title) else f"{title}s"

    def is_plural(self, title: str) -> bool:
        """Whether a title is in the plural by its ending, in a language that tells: `coins`, `tokens of affection`."""
        many = self.tables.get("many")
        return many is not None and re.search(many, QUALIFIED.split(f"{title} ")[0].strip()) is not None

    def behind(self, kind: str, noun: str, owner: str) -> str:
        """A determiner, in the form that follows its noun where the owner is long or the noun has something behind it already."""
        if self.has("nouns", f"{kind}_long") and is_long(owner):
            return f"{kind}_long"
        is_joined = self.tables.get("plural") == "s" and JOINED.search(noun) is not None
        return "at_any" if kind == "at" and is_joined else kind  # not: the START cards on a space

    def _determined(self, kind: str, noun: Words, **parts: Part | None) -> Words:
        gender = noun.forms.get("gender", "")
        is_quoted = kind in QUOTING and "endings" in self.tables and noun.forms.get("gender") == ""
        is_quoted = is_quoted and not noun.has("quoted")
        if is_quoted:
            forms = {form: str(self.phrase("nouns", "quoted", noun=noun.form(form))) for form in self.forms}
            noun = Words({**noun.forms, **forms})
        kind = self.behind(kind, str(noun), str(parts.get("owner", "")))
        vowel = "vowel" if VOWEL.match(str(noun)) else ""
        gender = "pl" if kind == "indefinite" and self.is_plural(str(noun)) else gender
        name = next((found for end in (gender, vowel) if end and self.has("nouns", found := f"{kind}_{end}")), kind)
        template = self.tables["nouns"][name]
        bare = kept(noun, KEPT if kind == "definite" else KEPT[: -len(WAYS)])
        if noun.has("quoted") and kind == "definite":
            return noun  # in quotation marks, or a name
        if isinstance(template, str):
            forms = {**self.phrase("nouns", name, noun=noun, **parts).forms, **bare}
            if is_quoted:
                forms.pop("gen", None)  # what has no gender has no genitive: `von „Bead“`
            return Words(forms)
        given = {**parts, "noun": noun}
        return Words({**{case: self.filled(text, given, case) for case, text in template.items()}, **bare})


def is_long(owner: str) -> bool:
    """Whether an English owner follows what it owns: `the role of whoever looks`, `the worth of the ace of spades`."""
    return len(owner.split()) > LONG or (" " in owner and owner[-1:] == "s") or JOINED.search(owner) is not None


def closed(text: str) -> str:
    """A text with commas where something ends within it that a comma has begun."""
    return DONE.sub("", CLOSED.sub(",", text)) if CLOSES in text else text


def kept(noun: Words, apart: Sequence[str]) -> dict[str, str]:
    """The forms of a noun that it keeps with an article: those with another article, without any, and those in `apart`."""
    forms = {form: text for form, text in noun.forms.items() if form in apart or form.split("_")[0] in BEFORE}
    return {"bare": noun.form("bare")} | forms


def lower(title: str) -> str:
    """A title with a small first letter, unless its first or second word has another capital, as names do."""
    start = " ".join(title.split(" ")[:2])
    return title[:1].lower() + title[1:] if len(title) > 1 and start[1:] == start[1:].lower() else title


def filled(template: str, parts: Parts, form: str, tables: Mapping[str, Any], ends: bool) -> str:
    """A template with its parts in their forms, without the optional pieces whose parts are missing.
    What depends on a condition stands in brackets, since nobody could see its end, unless it is the last word and the template `ends`.
    What stands in quotation marks has the inner ones of the language within it."""

    def optional(match: re.Match[str]) -> str:
        names = [name for name, *_ in FIELD.findall(match[1])]
        return match[1] if all(parts.get(name) is not None for name in names) else ""

    def part(match: re.Match[str]) -> str:
        text = plain_part(match)
        if whole[: match.start()][-1:] in inner_quotes:
            text = "".join(inner_quotes.get(sign, sign) for sign in text)
        return text

    def plain_part(match: re.Match[str]) -> str:
        value = parts.get(match[1])
        if match[2] is not None:
            return (value if isinstance(value, Words) else plain("")).agreeing(match[2].split("~"))
        wanted = (match[3] or "nom").replace("*", form)
        lacks = not (isinstance(value, Words) and value.has(wanted))
        if wanted == "counter" and lacks:
            return str(tables.get("counter", ""))
        before, _, other = (match[4] or "").partition("@") if lacks else ("", "", "")
        wanted = wanted if match[4] is None or not lacks else other or "nom"
        if not isinstance(value, Words):
            return f"{before}{'' if value is None else value}"
        is_apart = value.forms.get("loose") == "if" and not (ends and LAST.fullmatch(whole, match.end()))
        brackets = "{}" if not is_apart else "({})" if tables["capitals"] else "（{}）"
        return before + brackets.format(value.form(wanted))

    inner_quotes: Mapping[str, str] = tables["inner_quotes"]
    whole = OPTIONAL.sub(optional, template)
    return FIELD.sub(part, whole)


@cache
def phrasebook(language: str) -> Phrasebook:
    """The phrase book of a language; that of English if there is none."""
    found = language if language in LANGUAGES else "en"
    return Phrasebook(found, phrases(found, Path(__file__).parent / "languages"))


def alphabetical(text: str) -> str:
    return "".join(letter for letter in normalize("NFD", text) if not combining(letter)).lower()
