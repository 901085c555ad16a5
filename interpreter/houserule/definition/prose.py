"""Checks texts for people: missing translations, texts about what does not exist, rulebooks that are not listed, and the braces in titles."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from itertools import islice

from houserule.definition.model import GameDefinition, KindDefinition, ScoreLineDefinition, every_step
from houserule.definition.reader import Prose
from houserule.definition.variant import Variant
from houserule.diagnostics import EFFECTS, LINE, Report, Span, did_you_mean, nearest
from houserule.frozen import frozen
from houserule.language import checked, nodes
from houserule.language.checked import Kind
from houserule.language.format import format
from houserule.language.parse import parse_text
from houserule.language.scope import Analysis, Context, bind, global_place
from houserule.language.trees import expressions, walk
from houserule.language.typecheck import expr
from houserule.source import Mapping, Scalar, Yaml, listed, value_at
from houserule.source import walk as yaml_nodes


def check_prose(game: GameDefinition, tree: Mapping, report: Report) -> None:
    """Report what lacks a language that the title of the game has, and rulebooks that are not listed."""
    languages = [language for language in game.title.texts if language] if game.title is not None else []
    if languages:
        for prose in game.proses:
            check_languages(prose, languages, report)
        for one in game.assumptions:
            if "" not in one.texts:
                check_has(languages, one.texts, "this", one.span, report)
        check_sentences(game, languages, report)
    for texts in game.translations.values():
        for raw, text in texts.items():
            check_translation(raw, text, game.sentences, report)
    check_places(tree, languages, report)


def check_prose_of(variants: Iterable[Variant], game: GameDefinition, report: Report) -> None:
    """Report a title or a text of a house rule that lacks a language that the title of the game has, or shows values."""
    languages = [language for language in game.title.texts if language] if game.title is not None else []
    for variant in variants:
        for name in ("title", "text"):
            entry = variant.tree.entries.get(name)
            if entry is not None and entry.value.entries:
                check_has(languages, entry.value.entries, f"the {name} of the house rule", entry.key.span, report)
            for part in islice(values_in(entry.value), 1) if entry is not None else ():
                message, advice = (
                    f"no value is shown in the {name} of a house rule",
                    "a text of an option or a rule can show options",
                )
                report.warning("HR585", message, part.span, advice)


def values_in(words: Yaml) -> Iterator[nodes.Expression]:
    """The values in braces of a title or a text, in all its languages."""
    for _, node in yaml_nodes(words):
        text = parse_text(node.fragment, Report(), {}) if isinstance(node, Scalar) else None
        yield from (part for part in text.parts if not isinstance(part, str)) if text is not None else ()


def check_has(languages: list[str], given: Container[str], what: str, span: Span, report: Report) -> None:
    """Check that a text is given in all languages."""
    missing = [language for language in languages if language not in given]
    if missing:
        report.warning("HR590", f"{what} is missing in {in_words(missing)}", span, f"{missing[0]}: …")


def check_places(tree: Mapping, languages: list[str], report: Report) -> None:
    """Check the citations of rulebooks, and the forms of titles."""
    sources = value_at(tree, "sources")
    rulebooks = list(sources.entries) if sources is not None else []
    for key, value in yaml_nodes(tree):
        if key is not None and key.text == "source":
            check_citation(value, rulebooks, report)
        elif languages and key is not None and key.text == "grammar" and isinstance(value, Mapping):
            check_forms(value, languages, report)


def check_forms(forms: Mapping, languages: list[str], report: Report) -> None:
    """Check that the forms of titles are for languages of the title of the game."""
    for language in [entry.key for name, entry in forms.entries.items() if name not in languages]:
        say_strange(language.text, language.span, languages, report)


def check_sentences(game: GameDefinition, languages: list[str], report: Report) -> None:
    """Check that sentences in effects are translated into all languages but the first, in which they are written."""
    assert game.title is not None
    for language, texts in game.translations.items():
        if language not in languages:
            say_strange(language, next(iter(texts.values())).span, languages, report)
    silent = [language for language in languages[1:] if language not in game.translations]
    worded = {
        raw: text
        for raw, text in game.sentences.items()
        if any(c.isalpha() for part in text.parts if isinstance(part, str) for c in part)
    }
    if silent and worded and all(language in languages for language in game.translations):
        advice = f'translations: {{{silent[0]}: {{"{next(iter(worded))}": …}}}}'
        report.warning("HR590", f"what effects say is not translated into {in_words(silent)}", game.title.span, advice)
    check_gaps([language for language in languages[1:] if language in game.translations], worded, game, report)


def check_gaps(languages: list[str], worded: dict[str, nodes.Text], game: GameDefinition, report: Report) -> None:
    """Check that each of these sentences is in languages that have others, unless its translation has a misspelt key."""
    misspelt = {
        nearest(raw, game.sentences)
        for texts in game.translations.values()
        for raw in texts
        if raw not in game.sentences
    }
    files: dict[str, list[tuple[str, nodes.Text, list[str]]]] = {}
    for raw, sentence in worded.items():
        missing = [language for language in languages if raw not in game.translations[language]]
        files.setdefault(sentence.span.file, []).append((raw, sentence, missing if raw not in misspelt else []))
    translated = {text.span.file for texts in game.translations.values() for text in texts.values()}
    for file, said in files.items():
        lacking = [one for one in said if one[2]]
        is_alone = file not in translated and all(missing == languages for *_, missing in lacking)
        is_foreign = len(lacking) > 1 and is_alone  # a house rule in one language
        for raw, sentence, missing in lacking[:1] if is_foreign else lacking:
            advice = f'translations: {{{missing[0]}: {{"{raw}": …}}}}'
            message = "what effects say in this file is not" if is_foreign else "this is not"
            message += f" translated into {in_words(missing)}"
            report.warning("HR590", message, sentence.span, advice)


def check_languages(prose: Prose, languages: list[str], report: Report) -> None:
    """Check that a text has all languages of the title; one without a language is for everybody."""
    if "" in prose.texts:
        return
    extra = [language for language in prose.texts if language not in languages]
    if extra:
        say_strange(extra[0], prose.texts[extra[0]].span, languages, report)
    else:
        check_has(languages, prose.texts, "this", prose.span, report)


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
    for key, known in strays(files, report):
        message = f"'{key.text}' has only texts for people, and no other file declares it"
        help = report.did_you_mean(key.text, known) or "write it as it is declared, or remove it"
        report.warning("HR595", message, key.span, help, follows_from=(LINE,))


def strays(maps: list[Mapping], report: Report) -> Iterator[tuple[Scalar, list[str]]]:
    """The keys with texts, in one of several maps with the same path, for what none of the others has; and what they have."""
    homes: dict[str, list[Mapping]] = {}
    for one in maps:
        for name in one.entries:
            homes.setdefault(name, []).append(one)
    for mine in maps:
        yield from added(mine, homes, report)
    for name, having in homes.items():
        below = [value for one in having if isinstance(value := one.entries[name].value, Mapping)]
        if name not in NO_NAMES and len(below) > 1:
            yield from strays(below, report)


def added(mine: Mapping, homes: dict[str, list[Mapping]], report: Report) -> Iterator[tuple[Scalar, list[str]]]:
    """The keys of a map with texts that no other has, if others of its keys are elsewhere or if one is similar; and what may be meant."""
    told = [entry.key for name, entry in mine.entries.items() if name not in NO_NAMES and has_only_texts(entry.value)]
    alone = [key for key in told if len(homes[key.text]) == 1]
    if not alone or report.is_long:
        return
    untold = [name for name in homes if name not in mine.entries]
    for key in alone:
        if len(alone) < len(told) or report.near(key.text, untold):
            yield key, untold or list(homes)


def has_only_texts(node: Yaml) -> bool:
    """Whether an entry is a map with texts for people and nothing else, at any depth."""
    inside = node.entries.items()
    return bool(inside) and all(name in TEXTS or has_only_texts(entry.value) for name, entry in inside)


def check_citation(value: Yaml, rulebooks: list[str], report: Report) -> None:
    """Check that a `source:` cites rulebooks in `sources:`."""
    for place in listed(value):
        doc = value_at(place, "doc")
        if isinstance(doc, Scalar) and doc.text not in rulebooks:
            message = f"there is no rulebook '{doc.text}' under 'sources'"
            report.misnamed("HR501", message, doc.span, doc.text, rulebooks, f"sources: {{{doc.text}: {{title: …}}}}")


def say_strange(language: str, place: Span, languages: list[str], report: Report) -> None:
    """Report a language that the title of the game lacks, with the one that was probably meant."""
    advice = did_you_mean(language, languages) or f"the title of the game is in {in_words(languages)}"
    report.warning("HR590", f"the title of the game is not in '{language}'", place, advice)


def in_words(languages: list[str]) -> str:
    """Languages as a person would list them."""
    quoted = [f"'{language}'" for language in languages]
    return " and ".join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)


MOST_SAID = 20  # per title; more than that is not a title


@frozen
class ShownValue:
    """A checked expression in braces; `names` are its local names with the attributes they stand for, or `it`."""

    expression: checked.Expression
    names: dict[str, str]


def check_titles(game: GameDefinition, analysis: Analysis) -> dict[nodes.Expression, ShownValue]:
    """Check braces: titles of pieces and members show values of `it`, those of the score sheet their name, texts about rules settings, others nothing."""
    found = {}
    for definition in game.kinds.values():
        kind = analysis.symbols.kinds[definition.name]
        for prose in (definition.title, *(member.title for member in definition.members)):
            for part in islice(shown(prose), MOST_SAID):
                value = found[part] = value_of_kind(part, kind, title_context(analysis, analysis.report))
                read = next(
                    (one for one in expressions(value.expression) if isinstance(one, checked.ReadVariable)), None
                )
                if read is not None:
                    message = f"a title shows what is printed, and '{read.variable.name}' is a variable"
                    advice = "leave it out: the table and the log show its value beside the title"
                    analysis.report.warning("HR585", message, part.span, advice)
    for line in game.scoring:
        check_title_of_line(line, analysis.report)
    for definition in game.kinds.values():
        for part in islice(shown(definition.back_title), 1):
            analysis.report.warning("HR585", "a back_title shows no values", part.span, beside_back(definition))
    for prose, is_indexed in read_as_they_stand(game):
        advice = "write '{{' and '}}' for braces themselves"
        if is_indexed:
            advice = "leave it out: each is called by the title and its index"
        for part in islice(shown(prose), 1):
            analysis.report.warning("HR585", "no value is shown in this text", part.span, advice)
    for prose in read_in_the_rulebook(game):
        for part in islice((one for one in shown(prose) if not is_setting(one, game)), 1):
            advice = (
                "a text about the rules can show options and count(KIND); write '{{' and '}}' for braces themselves"
            )
            analysis.report.warning("HR585", "no value is shown in this text", part.span, advice)
    return found


def beside_back(definition: KindDefinition) -> str:
    """What people read behind the title of a back."""
    if definition.back:
        return f"leave it out: what 'back' names ({', '.join(map(str, definition.back))}) is shown behind it"
    return "what 'back' names is shown behind it"


def is_setting(part: nodes.Expression, game: GameDefinition) -> bool:
    """Whether a value depends on options and `count(KIND)` only."""
    match part:
        case nodes.Call(function=nodes.Name(id="count"), arguments=(nodes.Name(id=kind),)):
            return kind in game.kinds
        case nodes.Binary(left=left, right=right):
            return is_setting(left, game) and is_setting(right, game)
    return all(node.id in game.options for node in walk(part) if isinstance(node, nodes.Name))


def shown(prose: Prose | None) -> Iterator[nodes.Expression]:
    for text in prose.texts.values() if prose is not None else ():
        yield from (part for part in text.parts if not isinstance(part, str))


def add_values(game: GameDefinition, analysis: Analysis, found: dict[nodes.Expression, ShownValue]) -> None:
    """Add the values in braces of pieces' and members' titles and texts, without reporting."""
    for definition in game.kinds.values():
        kind = analysis.symbols.kinds[definition.name]
        of_members = (prose for member in definition.members for prose in (member.title, member.text))
        for prose in (definition.title, definition.text, *of_members):
            for part in (part for part in shown(prose) if part not in found):
                found[part] = value_of_kind(part, kind, title_context(analysis, Report()))


def title_context(analysis: Analysis, report: Report) -> Context:
    return analysis.context("me", nobody="a title can use only 'it'").inner(report=report)


def value_of_kind(part: nodes.Expression, kind: Kind, context: Context) -> ShownValue:
    """A value of `it`, or an attribute by its bare name."""
    names = {bind(context, "it", kind.type, part.span, "binder").unique: "it"}
    for attribute, type in kind.attribute_types.items():
        if global_place(context, attribute) is None:
            names[bind(context, attribute, type, part.span, "binder").unique] = attribute
    return ShownValue(expr(context, part), names)


def check_title_of_line(line: ScoreLineDefinition, report: Report) -> None:
    """Check that a title shows only the name after `for`."""
    binder = (line.for_.binder or "it") if line.for_ is not None else None
    for part in islice(shown(line.title), MOST_SAID):
        if binder is None:
            report.warning(
                "HR585", "no value is shown in this title", part.span, "with a `for` there is a line for each member"
            )
        elif not isinstance(part, nodes.Name) or part.id != binder:
            written = part.id if isinstance(part, nodes.Name) else ""
            message = f"the title of '{line.name}' shows '{binder}' and nothing else"
            report.misnamed("HR501", message, part.span, written, [binder], f"{{{binder}}}")


def read_as_they_stand(game: GameDefinition) -> Iterator[tuple[Prose | None, bool]]:
    """All titles and texts whose braces are plain text, and whether each is for several things with an index."""
    yield from ((one, False) for one in (game.title, game.text))
    yield from ((option.title, False) for option in game.options.values())
    yield from ((zone.title, bool(zone.parameters)) for zone in game.zones.values())
    yield from ((variable.title, bool(variable.parameters)) for variable in game.variables.values())
    yield from ((step.title, False) for step in every_step(game.flow))


def read_in_the_rulebook(game: GameDefinition) -> Iterator[Prose | None]:
    """Texts that may show settings."""
    for option in game.options.values():
        yield option.text
    for step in every_step(game.flow):
        yield step.text
    for one in (*game.actions.values(), *game.functions.values()):
        yield one.text
