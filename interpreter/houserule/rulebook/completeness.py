"""What is wrong with the texts of a rulebook: no translation, no grammar of titles, what house rules and settings have made wrong or idle."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from houserule import Game, load
from houserule.definition.reader import Assumption, Prose
from houserule.diagnostics import Span
from houserule.frozen import frozen
from houserule.language import nodes
from houserule.language.types import Int, spelled
from houserule.rulebook.page import uses
from houserule.rulebook.phrasebook import Phrasebook, Words, phrasebook
from houserule.rulebook.terms import Terms
from houserule.source import Scalar, Yaml, entries_at, in_language, value_at
from houserule.telling.labels import Labels


@frozen
class Gap:
    """Something that a rulebook lacks: a `text`, a `sentence` or `grammar`; where, and what stands there now."""

    kind: str
    span: Span
    shown: str


def gaps(game: Game, language: str) -> list[Gap]:
    """What is missing in a language, in the order of the files."""
    return in_order((*untranslated(game, language), *sentences(game, language)))


def in_order(found: Iterable[Gap]) -> list[Gap]:
    return sorted(dict.fromkeys(found), key=lambda one: (one.span.file, one.span.line, one.shown))


def untranslated(game: Game, language: str) -> Iterator[Gap]:
    """The titles, texts and reasons without this language. A text in no language, such as a number, is one in all of them."""
    for prose in game.definition.proses:
        if lacks(prose, language):
            yield Gap("text", prose.span, next(iter(prose.texts.values())).raw)
    for reason in game.definition.assumptions:
        if lacks(reason, language):
            yield Gap("text", reason.span, reason.reason_in("en"))


def lacks(one: Prose | Assumption, language: str) -> bool:
    return language not in one.texts and "" not in one.texts


def written(text: nodes.Text) -> Iterator[str]:
    return (part for part in text.parts if isinstance(part, str))


def is_word(text: str) -> bool:
    """Whether a part of a text is in a language: signs, numbers and single letters are in none."""
    return sum(letter.isalpha() for letter in text) > 1


def sentences(game: Game, language: str) -> Iterator[Gap]:
    """The sentences in effects without a translation."""
    title = game.definition.title
    first = next(iter(title.texts), language) if title is not None else language
    translated = game.definition.translations.get(language, {})
    for raw, text in game.definition.sentences.items():
        if first not in ("", language) and raw not in translated and any(map(is_word, written(text))):
            yield Gap("sentence", text.span, raw)


def ungendered(game: Game, language: str) -> Iterator[Gap]:
    """The titles of zones, variables and kinds whose gender a language needs to know."""
    if "endings" not in phrasebook(language).tables:
        return
    for part in ("enums", "components", "zones", "variables"):
        for one in entries_at(game.tree, part).values():
            if not has_words(one.value, "title", "back_title") or has_words(one.value, "quiet"):
                continue
            known = entries_at(one.value, "grammar", language)
            if "into" not in known and not ("gender" in known and isinstance(known["gender"].value, Scalar)):
                yield Gap("grammar", one.key.span, one.key.text)


TITLED = ("enums", "components", "zones", "variables", "actions", "windows", "triggers", "options")
"""The parts of a game whose entries a rulebook calls by their titles."""


def untitled(game: Game, language: str) -> Iterator[Gap]:
    """What has no title, so that its name stands in the rulebook: a word of English, as names are."""
    if language == "en":
        return
    for part in TITLED:
        for entry in entries_at(game.tree, part).values():
            node = entry.value
            if not has_words(node):
                yield Gap("title", entry.key.span, entry.key.text)
            for inner in (*entries_at(node, "members").values(), *entries_at(node, "pieces").values()):
                if not has_words(inner.value) and not has_words(node, "quiet", "back_title"):
                    yield Gap("title", inner.key.span, inner.key.text)
    yield from untitled_steps(game.tree, "flow")


def untitled_steps(tree: Yaml, part: str) -> Iterator[Gap]:
    for entry in entries_at(tree, part).values():
        if not has_words(entry.value):
            yield Gap("title", entry.key.span, entry.key.text)
        yield from untitled_steps(entry.value, "steps")


def has_words(node: Yaml, *keys: str) -> bool:
    """Whether an entry has words of its own, or is bookkeeping."""
    return any(key in entries_at(node) for key in keys or ("title", "text", "back_title", "quiet"))


TEXTS = ("title", "text")
BETWEEN = r"[^.。:：;；,、，\d]{0,16}?"
"""What may stand between a number and what it counts."""
DIGITS = "〇一二三四五六七八九十百"


@frozen
class Changed:
    """A number that a house rule or setting has changed: that of a kind, the most players or the greatest of an attribute, which
    `nouns` name, or an option."""

    name: str
    old: int
    new: int
    nouns: tuple[Words, ...] = ()


def stale(game: Game, language: str) -> list[Gap]:
    """The texts with a number that the house rules and settings of a game have changed."""
    if not (game.variants or game.settings):
        return []
    terms, own = terms_of(game, language), files_of_house_rules(game)
    before = terms_of(load(game.path), language)
    found = list(miscounted(before.tree, terms, own))
    for change in changed(before, terms):
        for scalar, around in texts(terms.tree, language):
            if str(scalar.span.file) in own or not (change.nouns or uses(around, change.name)):
                continue
            if not change.nouns and re.search(rf"\{{[^{{}}]*\b{change.name}\b", scalar.text):
                continue  # it shows the number that the rules have
            plain = without_braces(scalar.text)
            said = pattern(terms.book, change).search(plain)
            if said is None and uses(around, f"count({change.name}"):  # so many rounds, say, though no noun follows
                said = re.search(number_said(terms.book, change.old), plain, re.IGNORECASE)
            if said is not None:
                found.append(Gap("number", scalar.span, f"{said[0]}: {change.new}"))
    return in_order(found)


def miscounted(before: Yaml, terms: Terms, own: set[str]) -> Iterator[Gap]:
    """The texts around a step that house rules do more or less often, where these say how often; not if another step in there is
    done as often as the text says."""
    earlier = dict(repeats(before))
    for path, repeat in repeats(terms.tree):
        old = earlier.get(path)
        if old is None or old.text == repeat.text or not (old.text.isdigit() and repeat.text.isdigit()):
            continue
        said = times_said(terms.book, int(old.text))
        for scalar, around in texts(terms.tree, terms.book.language, only=("text",)):
            inside = [one for _, one in (*repeats(around), *repeats(around, "steps"))] + own_repeat(around)
            if str(scalar.span.file) in own or not any(one is repeat for one in inside):
                continue
            match = said.search(without_braces(scalar.text))
            if match is not None and all(one.text != old.text for one in inside):
                yield Gap("number", scalar.span, f"{match[0]}: {repeat.text}")


def repeats(tree: Yaml, part: str = "flow", path: str = "") -> Iterator[tuple[str, Scalar]]:
    """How often the steps of a part of the rules are done, by their paths."""
    for name, entry in entries_at(tree, part).items():
        yield from ((f"{path}.{name}", one) for one in own_repeat(entry.value))
        yield from repeats(entry.value, "steps", f"{path}.{name}")


def own_repeat(step: Yaml) -> list[Scalar]:
    entry = entries_at(step).get("repeat")
    return [entry.value] if entry is not None and isinstance(entry.value, Scalar) else []


def without_braces(text: str) -> str:
    """A text without the values that it shows."""
    return re.sub(r"\{[^{}]*\}", "{}", text)


def disused(game: Game, language: str) -> list[Gap]:
    """What house rules leave without use and a rulebook tells all the same: its titles."""
    if not files_of_house_rules(game):
        return []
    before, terms = terms_of(load(game.path), language).program.symbols, terms_of(game, language)
    now = terms.program.symbols
    found = []
    for part, old, new in (
        ("options", before.options, now.options),
        ("zones", before.zones, now.zones),
        ("variables", before.variables, now.variables),
        ("actions", before.actions, now.actions),
    ):
        for name, entry in entries_at(terms.tree, part).items():
            stem, title = name.partition("(")[0], in_language(value_at(entry.value, "title"), language)
            if title is None or has_words(entry.value, "quiet"):
                continue
            if stem in new and not new[stem].uses and stem in old and old[stem].uses:
                found.append(Gap("unused", entry.key.span, title.text))
    return in_order(found)


def outdated(game: Game, language: str) -> list[Gap]:
    """The texts of rules whose effects, or functions that these call, a house rule has changed, but not their texts: they may tell what
    no longer holds."""
    own = files_of_house_rules(game)
    if not own:
        return []
    declared = entries_at(game.tree, "functions").items()
    functions = {name.partition("(")[0]: list(scalars(entry.value)) for name, entry in declared}
    found = []
    for scalar, rule in texts(game.tree, language, only=("text",)):
        if str(scalar.span.file) not in own:
            used = list(effects(rule))
            called = reached(used, functions)
            if any(str(one.span.file) in own for one in (*used, *called)):
                found.append(Gap("text", scalar.span, scalar.text))
    return found


def reached(used: Iterable[Scalar], functions: dict[str, list[Scalar]]) -> list[Scalar]:
    """The effects of the functions that effects call, and of those that these call."""
    found: dict[str, list[Scalar]] = {}
    waiting = list(used)
    while waiting:
        for name in re.findall(r"\w+", waiting.pop().text):
            if name in functions and name not in found:
                found[name] = functions[name]
                waiting += functions[name]
    return [one for body in found.values() for one in body]


def scalars(function: Yaml) -> Iterator[Scalar]:
    """The effect of a function, in its short form too."""
    yield from [function] if isinstance(function, Scalar) else effects(function)


def renamed(game: Game, language: str) -> list[Gap]:
    """The texts with words that were a title before house rules changed it, or took away what it is the title of."""
    own = files_of_house_rules(game)
    if not own:
        return []
    book = phrasebook(language)
    edge = r"\b" if book.tables["capitals"] else ""
    told = [(scalar, scalar.text) for scalar, _ in texts(game.tree, language) if str(scalar.span.file) not in own]
    return [
        Gap("title", scalar.span, f"{said[0]} -> {new}" if new else said[0])
        for old, new in dict.fromkeys(retitled(load(game.path).tree, game.tree, language))
        for scalar, text in told
        if (said := re.search(edge + named((book.noun(old),)) + edge, text, re.IGNORECASE)) is not None
    ]


def retitled(before: Yaml, after: Yaml | None, language: str) -> Iterator[tuple[str, str]]:
    """The titles without braces in a language that are others now, with the new ones; empty if nothing has it any more."""
    now = entries_at(after)
    for name, entry in entries_at(before).items():
        one = now[name].value if name in now else None
        if name != "title":
            yield from retitled(entry.value, one, language)
            continue
        old, new = in_language(entry.value, language), in_language(one, language)
        if old is not None and "{" not in old.text and is_word(old.text) and (new is None or new.text != old.text):
            yield old.text, new.text if new is not None else ""


def files_of_house_rules(game: Game) -> set[str]:
    return {str(one.tree.span.file) for one in game.house_rules_in_use}


def effects(rule: Yaml) -> Iterator[Scalar]:
    """The effects and expressions of a rule: attributes that are mere numbers or words are none."""
    for name, entry in entries_at(rule).items():
        value = entry.value
        is_rule = isinstance(value, Scalar) and (name == "do" or not re.fullmatch(r"[\w-]+", value.text))
        if isinstance(value, Scalar) and is_rule and name not in TEXTS:
            yield value


def terms_of(game: Game, language: str) -> Terms:
    players = game.players[-1]
    program = game.program(players, told=True)
    labels = Labels(program, [str(seat) for seat in range(players)], language)
    return Terms(phrasebook(language), program, labels, game.tree, game.meanings(players), {})


def changed(before: Terms, after: Terms) -> Iterator[Changed]:
    most, now_most = before.program.symbols.players, after.program.symbols.players
    if most != now_most:
        yield Changed("players", most, now_most, (after.noun_of_kind("player"),))
    for name, kind in before.program.symbols.kinds.items():
        now = after.kind(name)
        if now is not None and len(now.numbers) != len(kind.numbers):
            zones = after.program.symbols.zones.values()
            each = (zone for zone in zones if [spelled(index.type) for index in zone.parameters] == [name])
            nouns = after.noun_of_kind(name), *map(after.family, each)
            yield Changed(name, len(kind.numbers), len(now.numbers), nouns)
        for attribute, type in kind.attribute_types.items() if now is not None else ():
            other = now.attribute_types.get(attribute) if now is not None else None
            if isinstance(type, Int) and isinstance(other, Int) and other.high != type.high > 1:
                yield Changed(attribute, type.high, other.high, (after.attribute(attribute),))
    for name, option in before.program.symbols.options.items():
        chosen = after.program.symbols.options.get(name)
        if chosen is not None and isinstance(option.type, Int) and chosen.value != option.value > 1:
            yield Changed(name, option.value, chosen.value)


def texts(tree: Yaml, language: str, only: tuple[str, ...] = TEXTS) -> Iterator[tuple[Scalar, Yaml]]:
    """The titles and texts of a tree in a language, each with the part of the rules that has it."""
    for entry in entries_at(tree).values():
        if entry.key.text in only:
            scalar = in_language(entry.value, language)
            if scalar is not None:
                yield scalar, tree
        else:
            yield from texts(entry.value, language, only)


def pattern(book: Phrasebook, change: Changed) -> re.Pattern[str]:
    """How a text says the old number: in figures or as a word, followed by what it counts."""
    said = number_said(book, change.old)
    forms = PLURAL if change.old > 1 else FORMS
    return re.compile(said + (BETWEEN + named(change.nouns, forms) if change.nouns else ""), re.IGNORECASE)


PLURAL = ("pl", "pl.dat")
FORMS = ("nom", *PLURAL)


def named(nouns: Iterable[Words], forms: Iterable[str] = FORMS) -> str:
    """How a text calls something, in one form or another."""
    words = {re.escape(noun.form(form)) for noun in nouns for form in forms}
    return f"(?:{'|'.join(sorted(words, key=len, reverse=True))})"


def times_said(book: Phrasebook, number: int) -> re.Pattern[str]:
    """How a text says that something is done so often."""
    times = re.search(r"\{count\}[\s-]*(\w+)", book.tables["book"]["times"])
    word = book.tables["numbers"].get(number, number)
    start = r"\b" if book.tables["capitals"] else f"(?<![{DIGITS}])"
    return re.compile(rf"(?:(?<!\d){number}|{start}{word})[\s-]*{times[1] if times else ''}", re.IGNORECASE)


def number_said(book: Phrasebook, number: int) -> str:
    word = book.tables["numbers"].get(number)
    figures = rf"(?<!\d){number}(?!\d)"
    if word is None:
        return figures
    if book.tables["capitals"]:
        return rf"(?:{figures}|\b{word}\b)"
    return f"(?:{figures}|(?<![{DIGITS}]){word}(?![{DIGITS}]))"
