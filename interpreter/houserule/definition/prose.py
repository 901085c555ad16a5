"""Checks the texts of a game: missing translations, texts about what does not exist, citations of rulebooks that are not listed."""

from __future__ import annotations

from collections.abc import Iterator

from houserule.definition.model import GameDefinition
from houserule.definition.reader import Prose
from houserule.diagnostics import EFFECTS, LINE, Report, did_you_mean, nearest
from houserule.language import nodes
from houserule.language.format import format
from houserule.source import Mapping, Scalar, Sequence, Yaml, walk


def check_prose(game: GameDefinition, tree: Mapping, report: Report) -> None:
    """Report what lacks a language that the title of the game has, and rulebooks that are not listed."""
    languages = [language for language in game.title.texts if language] if game.title is not None else []
    if languages:
        for prose in game.proses:
            check_languages(prose, languages, report)
        for one in game.assumptions:
            missing = [language for language in languages if language not in one.texts]
            if missing and "" not in one.texts:
                report.warning("HR590", f"this is missing in {listed(missing)}", one.span, f"{missing[0]}: …")
        check_sentences(game, languages, report)
    for texts in game.translations.values():
        for raw, text in texts.items():
            check_translation(raw, text, game.sentences, report)
    check_places(tree, languages, report)


def check_places(tree: Mapping, languages: list[str], report: Report) -> None:
    """Check the citations of rulebooks, and the forms of titles."""
    sources = tree.entries.get("sources")
    rulebooks = list(sources.value.entries) if sources is not None and isinstance(sources.value, Mapping) else []
    for key, value in walk(tree):
        if key is not None and key.text == "source":
            check_citation(value, rulebooks, report)
        elif languages and key is not None and key.text == "grammar" and isinstance(value, Mapping):
            check_forms(value, languages, report)


def check_forms(forms: Mapping, languages: list[str], report: Report) -> None:
    """Check that the forms of titles are for languages of the title of the game."""
    for language in [entry.key for name, entry in forms.entries.items() if name not in languages]:
        message = f"the title of the game is not in '{language.text}'"
        report.warning("HR590", message, language.span, meant(language.text, languages))


def check_sentences(game: GameDefinition, languages: list[str], report: Report) -> None:
    """Check that sentences in effects are translated into all languages but the first, in which they are written."""
    assert game.title is not None
    for language, texts in game.translations.items():
        if language not in languages:
            place = next(iter(texts.values())).span
            report.warning("HR590", f"the title of the game is not in '{language}'", place, meant(language, languages))
    spoken = [language for language in languages[1:] if language in game.translations]
    silent = [language for language in languages[1:] if language not in game.translations]
    worded = {
        raw: text
        for raw, text in game.sentences.items()
        if any(c.isalpha() for part in text.parts if isinstance(part, str) for c in part)
    }
    if silent and worded and all(language in languages for language in game.translations):
        advice = f'translations: {{{silent[0]}: {{"{next(iter(worded))}": …}}}}'
        report.warning("HR590", f"what effects say is not translated into {listed(silent)}", game.title.span, advice)
    misspelt = {
        nearest(raw, game.sentences)
        for texts in game.translations.values()
        for raw in texts
        if raw not in game.sentences
    }
    for raw, sentence in worded.items():
        missing = [language for language in spoken if raw not in game.translations[language]]
        if missing and raw not in misspelt:
            advice = f'translations: {{{missing[0]}: {{"{raw}": …}}}}'
            report.warning("HR590", f"this is not translated into {listed(missing)}", sentence.span, advice)


def check_languages(prose: Prose, languages: list[str], report: Report) -> None:
    """Check that a text has all languages of the title; one without a language is for everybody."""
    if "" in prose.texts:
        return
    missing = [language for language in languages if language not in prose.texts]
    extra = [language for language in prose.texts if language not in languages]
    if extra:
        place = prose.texts[extra[0]].span
        report.warning("HR590", f"the title of the game is not in '{extra[0]}'", place, meant(extra[0], languages))
    elif missing:
        report.warning("HR590", f"this is missing in {listed(missing)}", prose.span, f"{missing[0]}: …")


def check_translation(raw: str, text: nodes.Text, sentences: dict[str, nodes.Text], report: Report) -> None:
    """Check that a translation is of an existing sentence, and has only its braces."""
    sentence = sentences.get(raw)
    if sentence is None:
        advice = report.did_you_mean(raw, sentences) or "its key is the sentence, exactly as in the effect"
        report.warning("HR591", f"no effect says '{raw}'", text.span, advice, follows_from=(EFFECTS,))
        return
    known = [format(part) for part in sentence.parts if not isinstance(part, str)]
    for part in text.parts:
        if not isinstance(part, str) and format(part) not in known:
            advice = report.did_you_mean(format(part), known) or (
                f"it has {{{known[0]}}}" if known else "it has no braces"
            )
            report.error("HR592", f"the sentence has no '{{{format(part)}}}'", part.span, advice)


TEXTS = frozenset({"title", "text", "back_title", "grammar", "source", "assumed"})
"""The keys of an entry that are for people and no rules."""
NO_NAMES = TEXTS | {"translations", "sources", "include", "layout"}
"""The keys below which nothing is declared."""


def check_strays(files: list[Mapping], report: Report) -> None:
    """Warn of names that have only texts for people, in a file whose other texts are about what other files declare.

    In a file that gives texts to the members of an enum, a misspelt member would be one more member. Whoever gives texts
    where they declare, does so for all of them.
    """
    for file in files:
        others = [other for other in files if other is not file]
        for key, known in strays(file, others):
            message = f"'{key.text}' has only texts for people, and no other file declares it"
            help = report.did_you_mean(key.text, known) or "write it as it is declared, or remove it"
            report.warning("HR595", message, key.span, help, follows_from=(LINE,))


def strays(mine: Mapping, others: list[Mapping]) -> Iterator[tuple[Scalar, list[str]]]:
    """The keys of a map with texts for what the same map in other files does not have; and what that has."""
    known = [name for other in others for name in other.entries]
    yield from added(mine, known)
    for name, entry in mine.entries.items():
        if name in known and name not in NO_NAMES and isinstance(entry.value, Mapping):
            below = [other.entries[name].value for other in others if name in other.entries]
            yield from strays(entry.value, [other for other in below if isinstance(other, Mapping)])


def added(mine: Mapping, known: list[str]) -> Iterator[tuple[Scalar, list[str]]]:
    """The keys of a map with texts that are not known, if others are or if one is similar; and what may be meant."""
    told = [entry.key for name, entry in mine.entries.items() if name not in NO_NAMES and has_only_texts(entry.value)]
    untold = [name for name in known if name not in mine.entries]
    is_about_others = any(key.text in known for key in told)
    for key in told:
        if key.text not in known and (is_about_others or nearest(key.text, untold) is not None):
            yield key, untold or known


def has_only_texts(node: Yaml) -> bool:
    """Whether an entry is a map with texts for people and nothing else, at any depth."""
    if not isinstance(node, Mapping) or not node.entries:
        return False
    return all(name in TEXTS or has_only_texts(entry.value) for name, entry in node.entries.items())


def check_citation(value: Yaml, rulebooks: list[str], report: Report) -> None:
    """Check that a `source:` cites rulebooks in `sources:`."""
    for place in value.items if isinstance(value, Sequence) else (value,):
        cited = place.entries.get("doc") if isinstance(place, Mapping) else None
        doc = cited.value if cited is not None else None
        if isinstance(doc, Scalar) and doc.text not in rulebooks:
            message = f"there is no rulebook '{doc.text}' under 'sources'"
            report.misnamed("HR501", message, doc.span, doc.text, rulebooks, f"sources: {{{doc.text}: {{title: …}}}}")


def meant(language: str, languages: list[str]) -> str:
    """The language that was probably meant instead of one that the title of the game lacks."""
    return did_you_mean(language, languages) or f"the title of the game is in {listed(languages)}"


def listed(languages: list[str]) -> str:
    """Languages as a person would list them."""
    quoted = [f"'{language}'" for language in languages]
    return " and ".join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)
