"""What is wrong with the texts of a rulebook: no translation, no grammar of titles, numbers that house rules and settings have changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from houserule import Game, load
from houserule.definition.reader import Assumption, Prose
from houserule.diagnostics import Span
from houserule.frozen import frozen
from houserule.language import nodes
from houserule.language.types import Int
from houserule.rulebook.page import uses
from houserule.rulebook.phrasebook import Phrasebook, phrasebook
from houserule.rulebook.terms import Terms
from houserule.source import Scalar, Yaml, entries_at, in_language
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
    """A number that a house rule or setting has changed: that of a kind, or an option."""

    name: str
    old: int
    new: int
    is_option: bool


def stale(game: Game, language: str) -> list[Gap]:
    """The texts with a number that the house rules and settings of a game have changed."""
    if not (game.variants or game.settings):
        return []
    terms, own = terms_of(game, language), files_of_house_rules(game)
    found = []
    for change in changed(terms_of(load(game.path), language), terms):
        for scalar, around in texts(terms.tree, language):
            if str(scalar.span.file) in own or (change.is_option and not uses(around, change.name)):
                continue
            if change.is_option and re.search(rf"\{{[^{{}}]*\b{change.name}\b", scalar.text):
                continue  # it shows the number that the rules have
            said = pattern(terms, change).search(re.sub(r"\{[^{}]*\}", "{}", scalar.text))
            if said is not None:
                found.append(Gap("number", scalar.span, f"{said[0]}: {change.new}"))
    return in_order(found)


def outdated(game: Game, language: str) -> list[Gap]:
    """The texts of rules whose effects a house rule has changed, but not their texts: they may tell what no longer holds."""
    own = files_of_house_rules(game)
    if not own:
        return []
    return [
        Gap("text", scalar.span, scalar.text)
        for scalar, rule in texts(game.tree, language, only=("text",))
        if str(scalar.span.file) not in own and any(str(effect.span.file) in own for effect in effects(rule))
    ]


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
    for name, kind in before.program.symbols.kinds.items():
        now = after.kind(name)
        if now is not None and len(now.numbers) != len(kind.numbers):
            yield Changed(name, len(kind.numbers), len(now.numbers), is_option=False)
    for name, option in before.program.symbols.options.items():
        chosen = after.program.symbols.options.get(name)
        if chosen is not None and isinstance(option.type, Int) and chosen.value != option.value > 1:
            yield Changed(name, option.value, chosen.value, is_option=True)


def texts(tree: Yaml, language: str, only: tuple[str, ...] = TEXTS) -> Iterator[tuple[Scalar, Yaml]]:
    """The titles and texts of a tree in a language, each with the part of the rules that has it."""
    for entry in entries_at(tree).values():
        if entry.key.text in only:
            scalar = in_language(entry.value, language)
            if scalar is not None:
                yield scalar, tree
        else:
            yield from texts(entry.value, language, only)


def pattern(terms: Terms, change: Changed) -> re.Pattern[str]:
    """How a text says the old number: in figures or as a word, followed by what it counts."""
    said = number_said(terms.book, change.old)
    if change.is_option:
        return re.compile(said, re.IGNORECASE)
    noun = terms.noun_of_kind(change.name)
    words = {re.escape(noun.form(form)) for form in ("nom", "pl", "pl.dat")}
    return re.compile(f"{said}{BETWEEN}(?:{'|'.join(sorted(words, key=len, reverse=True))})", re.IGNORECASE)


def number_said(book: Phrasebook, number: int) -> str:
    word = book.tables["numbers"].get(number)
    figures = rf"(?<!\d){number}(?!\d)"
    if word is None:
        return figures
    if book.tables["capitals"]:
        return rf"(?:{figures}|\b{word}\b)"
    return f"(?:{figures}|(?<![{DIGITS}]){word}(?![{DIGITS}]))"
