"""What a rulebook lacks in a language: texts without a translation, and titles without their grammar."""

from __future__ import annotations

from collections.abc import Iterator

from houserule import Game
from houserule.definition.reader import Prose
from houserule.diagnostics import Span
from houserule.frozen import frozen
from houserule.language import nodes
from houserule.rulebook.phrasebook import phrasebook
from houserule.source import Mapping, Scalar


@frozen
class Gap:
    """Something that a rulebook lacks: a `text`, a `sentence` or `grammar`; where, and what stands there now."""

    kind: str
    span: Span
    shown: str


def gaps(game: Game, language: str) -> list[Gap]:
    """What is missing in a language, in the order of the files."""
    found = [*texts(game, language), *sentences(game, language), *reasons(game, language)]
    return sorted(dict.fromkeys(found), key=lambda one: (one.span.file, one.span.line, one.shown))


def texts(game: Game, language: str) -> Iterator[Gap]:
    """The titles and texts without this language. A text in no language, such as a number, is one in all of them."""
    for prose in game.definition.proses:
        if lacks(prose, language):
            yield Gap("text", prose.span, next(iter(prose.texts.values())).raw)


def lacks(prose: Prose, language: str) -> bool:
    return language not in prose.texts and "" not in prose.texts


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


def reasons(game: Game, language: str) -> Iterator[Gap]:
    for one in game.definition.assumptions:
        if language not in one.texts and "" not in one.texts:
            yield Gap("text", one.span, one.reason_in("en"))


def ungendered(game: Game, language: str) -> Iterator[Gap]:
    """The titles of zones, variables and kinds whose gender a language needs to know."""
    if "endings" not in phrasebook(language).tables:
        return
    for part in ("enums", "components", "zones", "variables"):
        entry = game.tree.entries.get(part)
        for name, one in entry.value.entries.items() if entry is not None and isinstance(entry.value, Mapping) else ():
            node = one.value
            if (
                not isinstance(node, Mapping)
                or not ({"title", "back_title"} & set(node.entries))
                or "quiet" in node.entries
            ):
                continue
            grammar = node.entries.get("grammar")
            forms = (
                grammar.value.entries.get(language)
                if grammar is not None and isinstance(grammar.value, Mapping)
                else None
            )
            known = forms.value.entries if forms is not None and isinstance(forms.value, Mapping) else {}
            gender = known.get("gender")
            if "into" not in known and (gender is None or not isinstance(gender.value, Scalar)):
                yield Gap("grammar", one.key.span, name)
