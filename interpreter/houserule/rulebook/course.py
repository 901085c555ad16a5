"""The chapters about playing a game: steps, actions and functions, special cases, and the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from houserule.definition.flow import repeats
from houserule.definition.model import CallableDefinition, StepDefinition, every_step
from houserule.language import nodes
from houserule.rulebook.book import Section
from houserule.rulebook.page import Writer
from houserule.rulebook.phrasebook import Words
from houserule.rulebook.sentences import Line, block, each
from houserule.rulebook.terms import Terms, of_type
from houserule.rulebook.wording import condition, value
from houserule.telling.labels import plain_words


def steps(writer: Writer, setting_up: bool) -> Iterator[Section]:
    """The steps before the first one that repeats, or the others, each followed by its inner steps."""
    flow = writer.definition.flow
    first = next((at for at, step in enumerate(flow) if repeats(step)), len(flow))
    chapter = writer.words("setup" if setting_up else "play")
    for step in flow[:first] if setting_up else flow[first:]:
        yield from step_sections(writer, step, writer.terms, 3, chapter)


def step_sections(
    writer: Writer, step: StepDefinition, terms: Terms, level: int, chapter: str = ""
) -> Iterator[Section]:
    """A step and its inner steps. It has no heading if it has no title but a text, or the title of the chapter."""
    path = ("flow", *step.path.replace(".", ".steps.").split("."))
    told = () if writer.is_outdated(path) else writer.prose(step.text)
    lines, terms = conditions_of(writer, step, terms)
    lines = [] if told else [*lines, *block(terms, step.do)]
    title = writer.terms.step(step.path) if step.title is not None or not told else ""
    title = writer.entered(title, ".".join(path)) if title and title != chapter else ""
    yield writer.section(path, title, level, paragraphs=told, lines=tuple(lines))
    for inner in step.steps:
        yield from step_sections(writer, inner, terms, min(level + 1, 6) if title else level)


def conditions_of(writer: Writer, step: StepDefinition, terms: Terms) -> tuple[list[Line], Terms]:
    """For whom, when and how often a step is done; and the terms inside it."""
    lines = []
    for name in ("for_", "turns", "together"):
        binding: nodes.Binding | None = getattr(step, name)
        if binding is not None:
            parts, terms = each(terms, binding.source, binding.binder)
            phrase = name.rstrip("_")
            if name == "turns" and parts["source"] is None:
                phrase = "turns_all"
            lines.append(Line(terms.book.sentence("steps", phrase, **parts)))
    for name in ("when", "while_", "until"):
        test: nodes.Expression | None = getattr(step, name)
        if test is not None:
            lines.append(Line(terms.book.sentence("steps", name.rstrip("_"), test=condition(terms, test))))
    if step.repeat == "forever":
        lines.append(Line(terms.book.sentence("steps", "forever")))
    elif step.repeat is not None and not isinstance(step.repeat, str):
        lines.append(Line(terms.book.sentence("steps", "repeat", count=value(terms, step.repeat))))
    if step.use is not None:
        lines.append(Line(terms.book.sentence("steps", "use", step=writer.terms.step(step.use))))
    return lines, terms


def callables(writer: Writer, part: str, all: Iterable[CallableDefinition]) -> Iterator[Section]:
    """Actions or functions: the text of each, or its statements in words."""
    for one in all:
        terms, named = writer.terms, []
        for parameter in one.parameters:
            terms = terms.given(parameter)
            named.append(str(terms.locals[parameter.name or "it"]))
        path = (part, one.name)
        title = writer.named(path)
        told = () if writer.is_outdated(path) else writer.prose(one.text)
        lines: tuple[Line, ...] = ()
        if named and not told:
            title = str(
                writer.terms.book.phrase("values", "call", name=title, arguments=writer.terms.book.listed(named))
            )
        if not told and isinstance(one.body, nodes.Block):
            lines = block(terms, one.body)
        elif not told and not isinstance(one.body, nodes.Block):
            shown = writer.symbols.functions[one.name]
            is_condition = shown.result is not None and of_type(shown.result) == "condition"
            text = condition(terms, one.body) if is_condition else str(value(terms, one.body))
            told = (writer.sentence([text]),)
        yield writer.section(path, title, paragraphs=told, lines=lines)


def triggers(writer: Writer) -> Iterator[Section]:
    """Special cases: what happens whenever something else does."""
    for one in writer.definition.triggers.values():
        event, terms = one.event, writer.terms
        family = writer.symbols.zones.get(event.place) or writer.symbols.variables.get(event.place)
        if event.subject is not None and family is not None:
            terms = terms.inner(event.subject, getattr(family, "holds", None) or "piece")
        place: Words | str = happening_at(writer, event.place)
        if family is not None:
            place = terms.book.determined("definite", terms.family(family))
            for name, parameter in zip(event.of, family.parameters, strict=False):
                terms = terms.inner(name, of_type(parameter.type))
            if event.of:
                owner = terms.locals[event.of[0]]
                kind = "of" if family.owned else "at"
                place = terms.book.determined(kind, terms.family(family), owner=owner, index=owner)
        found = terms.locals.get(event.subject or "")
        subject = found.form("indef") if found is not None else None
        when = condition(terms, one.when) if one.when is not None else None
        head = terms.book.sentence("events", event.happening, subject=subject, place=place, when=when)
        path = ("triggers", one.name)
        told = writer.told(path)
        lines = () if told else (Line(head, block(terms, one.body)),)
        yield writer.section(path, writer.named(path), paragraphs=told, lines=lines)


def happening_at(writer: Writer, place: str) -> str:
    """The action or step before or after which a trigger runs."""
    if place in writer.definition.actions:
        return writer.terms.routine("actions", place)
    if writer.terms.labels.step_at(place) is not None:
        return writer.terms.step(place)
    return plain_words(place)


def end(writer: Writer) -> Iterator[Section]:
    """When the game is over."""
    lines = []
    flow = writer.definition.flow
    for at, step in enumerate(flow):
        if step.until is not None:
            phrase = "ends_then" if at == len(flow) - 1 else "ends_when"
            test = condition(writer.terms, step.until)
            lines.append(Line(writer.words(phrase, title=writer.terms.step(step.path), test=test)))
    if flow and flow[-1].repeat != "forever" and flow[-1].until is None:
        lines.append(Line(writer.words("ends_after", title=writer.terms.step(flow[-1].path))))
    ends = [title for title, node in bodies(writer) if any(isinstance(one, nodes.EndGame) for one in statements(node))]
    if ends:
        lines.append(Line(writer.words("ends_at_once", where=writer.terms.book.listed(ends))))
    if writer.definition.eliminated is not None:
        lines.append(Line(writer.words("eliminated", test=condition(writer.terms, writer.definition.eliminated))))
    yield Section("flow", lines=tuple(lines))


def bodies(writer: Writer) -> Iterator[tuple[str, nodes.Block]]:
    """All effects, with their names."""
    for part in ("actions", "triggers"):
        for one in getattr(writer.definition, part).values():
            if isinstance(one.body, nodes.Block):
                yield writer.quoted(writer.terms.book.capital(writer.terms.routine(part, one.name))), one.body
    for step in every_step(writer.definition.flow):
        if step.do is not None:
            yield writer.quoted(writer.terms.step(step.path)), step.do


def statements(node: nodes.Block) -> Iterator[nodes.Node]:
    for one in node.statements:
        yield one
        for name in ("then", "otherwise", "body"):
            inner = getattr(one, name, None)
            if isinstance(inner, nodes.Block):
                yield from statements(inner)
        for item in getattr(one, "items", ()):
            yield from statements(item.body)
