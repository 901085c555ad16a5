"""The chapters of a rulebook, from what the game is about to the sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain

from houserule import Game, Match, RuleFault
from houserule.definition.flow import OF_ME, before_play, when_level
from houserule.definition.model import (
    CallableDefinition,
    StepDefinition,
    WinnerDefinition,
    every_step,
)
from houserule.definition.reader import Prose
from houserule.definition.routines import as_menu, entries, gives_a_value
from houserule.icons import drawings
from houserule.language import nodes
from houserule.language.checked import Kind, Routine, Variable, Zone
from houserule.language.format import format
from houserule.language.trees import walk
from houserule.language.types import Bool, Int, Maybe, plain
from houserule.rulebook.book import Book, Chapter, Drawing, Section, without_empty_columns
from houserule.rulebook.chronicle import with_examples
from houserule.rulebook.clauses import condition, is_paraphrase, value
from houserule.rulebook.completeness import gaps
from houserule.rulebook.families import table, values
from houserule.rulebook.kinds import in_words, kinds, most_at_once, printed
from houserule.rulebook.page import Writer
from houserule.rulebook.phrasebook import Part, Words, alphabetical, phrasebook
from houserule.rulebook.pictures import Pictures
from houserule.rulebook.shapes import counted, decided, mentions, owned_by
from houserule.rulebook.terms import Line, Terms, holding, of_type, said_at, together
from houserule.rulebook.wording import block, each, in_one, is_never, menu, unless_always, who
from houserule.source import entries_at, value_at
from houserule.telling.labels import Labels, phrase, plain_words

BETWEEN_SENTENCES = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
DEEPEST = 3


def about(writer: Writer) -> Iterator[Section]:
    """The description of the game, who can play it and for how long, who wins, and who made it."""
    game = writer.definition
    aim = writer.told(("winner",))[:1]
    yield Section("text", paragraphs=(*writer.prose(game.text), *facts(writer), *teams(writer), *aim))


def facts(writer: Writer) -> Iterator[str]:
    """The number of players, their age, the time that a match takes, and the authors."""
    game = writer.definition
    low, high = game.players
    said = [writer.words("for_players" if low < high else "for_exactly", low=low, high=high)]
    if game.age is not None:
        said.append(writer.words("age", age=game.age.text))
    if game.minutes is not None:
        short, long = game.minutes
        said.append(writer.words("minutes" if short == long else "minutes_range", low=short, high=long))
    yield writer.book.blank.join(said)
    if game.credits is not None:
        yield writer.prose(game.credits)[0]


def teams(writer: Writer) -> Iterator[str]:
    """Who plays with whom."""
    written, program, labels = writer.definition.teams, writer.terms.program, writer.terms.labels
    if written is None:
        return
    if not isinstance(program.teams, tuple):
        yield writer.words("teams", value=value(writer.terms, written))
        return
    numbers, names = program.teams_now(None) or [], []
    for team in dict.fromkeys(numbers):
        seats = [labels.names[seat] for seat, number in enumerate(numbers) if number == team]
        title, listed = labels.team(team), writer.book.listed(seats)
        names.append(writer.phrase("team", title=title, seats=listed) if title else listed)
    yield writer.words("teams_fixed", teams="; ".join(names))


def table_at_the_start(writer: Writer) -> Iterator[Section]:
    """A picture of the table after the set-up: what lies there for all, and for one player."""
    drawings = tuple(writer.pictures.areas())
    if drawings:
        yield Section("setup.table", writer.words("table_start"), figures=drawings)


def where_it_begins(writer: Writer, kind: str, place: nodes.Expression) -> Line:
    """Where the pieces of a kind begin: all in one place, each in its own, or in several places by what is printed on them."""
    noun, terms = writer.terms.noun_of_kind(kind), writer.terms.inner(None, kind)
    printed = terms.program.symbols.kinds[kind].attribute_types
    match place:
        case nodes.Index(of=nodes.Name() as named, arguments=[nodes.Attribute(of=nodes.Name(id="it"), name=by)]) if (
            by in printed and isinstance(family := terms.symbol(named), Zone)
        ):
            if family.owned:
                own = owned_by(terms, terms.family(family), terms.book.word("its_owner"))
                return Line(writer.words("begin_each", noun=noun, zone=own))
            zones = terms.all_of(terms.family(family))
            return Line(writer.words("begin_by", noun=noun, zone=zones, by=terms.attribute(by).form("bare")))
    phrase = "begin_each" if mentions(place, "it") else "begin_all"
    return Line(writer.words(phrase, noun=noun, zone=value(terms, place)))


def pieces_at_the_start(writer: Writer) -> Iterator[Section]:
    """Where the pieces begin, and with what each player does, unless a text tells how the game is set up."""
    flow = writer.definition.flow
    if any(step.text is not None for step in flow[: before_play(flow)]):
        return
    lines = []
    for kind in writer.definition.kinds.values():
        if kind.starts_in is not None and not kind.quiet:
            lines.append(where_it_begins(writer, kind.name, kind.starts_in))
    for one in writer.definition.variables.values():
        start, is_each = one.start, [parameter.type.name for parameter in one.parameters] == ["player"]
        is_told = is_each and not one.quiet and one.reset is None and one.type.name != "bool" and one.of_kind is None
        if start is None or not is_told or (isinstance(start, nodes.Number) and not start.value):
            continue
        title = writer.prose(one.title)[0] if one.title is not None else plain_words(one.name)
        words = value(writer.terms.given(one.parameters[0]), start)
        lines.append(Line(writer.words("begin_with", title=writer.book.capital(title), value=words)))
    yield Section("setup.pieces", lines=tuple(lines))


def glance(writer: Writer) -> Iterator[Section]:
    """The steps of the game after the set-up, in a few words each."""
    flow = writer.definition.flow
    first = before_play(flow)
    lines = tuple(line for step in flow[first:] for line in at_a_glance(writer, step))
    if any(line.inner for line in lines) or len(lines) > 1:
        yield Section("glance", lines=lines)


def at_a_glance(writer: Writer, step: StepDefinition, depth: int = 1) -> Iterator[Line]:
    """A step with its first sentence, and those in it below; without a title, only the latter."""
    if is_never(writer.terms, step.when):
        return
    inner = tuple(line for one in step.steps for line in at_a_glance(writer, one, depth + 1)) if depth < DEEPEST else ()
    if step.title is None:
        yield from inner
        return
    told = writer.told(path_of_step(step))
    title = writer.terms.step(step.path)
    if isinstance(step.repeat, nodes.Number) and step.repeat.value != 1:
        title = writer.phrase("times", title=title, count=str(step.repeat.value))
    text = first_sentence(told[0]) if told else None
    yield Line(writer.phrase("glance_line", title=title, text=text), inner)


def first_sentence(text: str) -> str:
    return BETWEEN_SENTENCES.split(text.strip(), maxsplit=1)[0]


def path_of_step(step: StepDefinition) -> tuple[str, ...]:
    """Where the rules declare a step."""
    return ("flow", *step.path.replace(".", ".steps.").split("."))


def steps(writer: Writer, setting_up: bool) -> Iterator[Section]:
    """The steps that set up the game, or the others, each followed by its inner steps."""
    flow = writer.definition.flow
    first = before_play(flow)
    chapter = writer.heading = writer.words("setup" if setting_up else "play")
    for step in flow[:first] if setting_up else flow[first:]:
        yield from step_sections(writer, step, writer.terms, 3, chapter)


def step_sections(
    writer: Writer, step: StepDefinition, terms: Terms, level: int, chapter: str = ""
) -> Iterator[Section]:
    """A step and its inner steps, unless these rules never do it. It has no heading if it has no title but a text, or the title of
    the chapter."""
    if is_never(terms, step.when):
        return
    path = path_of_step(step)
    told = writer.told(path)
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
    is_first = when_level(step, writer.symbols.functions) == "outer"
    if is_first:
        lines += when_lines(step, terms)
    for name in ("for_", "turns", "together"):
        binding: nodes.Binding | None = getattr(step, name)
        if binding is not None:
            phrase, parts, inside = who(terms, "steps", name.rstrip("_"), binding.source, binding.binder)
            terms = inside if binding.binder is not None else terms
            if name != "for_" and parts["source"] is None:
                phrase = f"{name}_all"
            lines.append(Line(terms.book.sentence("steps", phrase, **parts)))
    if not is_first:
        lines += when_lines(step, terms)
    for name in ("while_", "until"):
        test: nodes.Expression | None = getattr(step, name)
        if test is None:
            continue
        is_endless = decided(terms, test) is (name == "while_")
        phrase = "forever" if is_endless else name.rstrip("_")
        lines.append(Line(terms.book.sentence("steps", phrase, test=condition(terms, test))))
    if step.repeat == "forever":
        lines.append(Line(terms.book.sentence("steps", "forever_left" if is_left(writer, step) else "forever")))
    elif step.repeat is not None and not isinstance(step.repeat, str):
        count = value(terms, step.repeat)
        if str(count) != "1":
            phrase = terms.book.as_many("steps", "repeat", str(count))
            lines.append(Line(terms.book.sentence("steps", phrase, count=count)))
    if step.use is not None:
        lines.append(Line(terms.book.sentence("steps", "use", step=writer.terms.step(step.use))))
    return lines, terms


def when_lines(step: StepDefinition, terms: Terms) -> list[Line]:
    """The condition of a step, unless it always holds."""
    if step.when is None or decided(terms, step.when):
        return []
    return [Line(terms.book.sentence("steps", "when", test=condition(terms, step.when)))]


def is_left(writer: Writer, step: StepDefinition) -> bool:
    """Whether some effect ends the repetition of a step."""
    leaves = (one for _, body in bodies(writer) for one in walk(body) if isinstance(one, nodes.Leave))
    return any(one.step in (step.path, step.path.rpartition(".")[2]) for one in leaves)


def callables(writer: Writer, part: str, all: Iterable[CallableDefinition]) -> Iterator[Section]:
    """Actions or functions: the text of each, or its statements in words; without the functions that are paraphrased wherever they
    are used."""
    for one in all:
        if part == "functions" and is_paraphrase(writer.terms, one.name):
            continue
        terms, named = writer.terms, []
        for parameter in one.parameters:
            terms = terms.given(parameter)
            named.append(terms.locals[parameter.name or "it"])
        path, given = (part, one.name), together(terms, named) if named else None
        title = writer.named(path)
        told = writer.told(path)
        lines: tuple[Line, ...] = ()
        if not told and isinstance(one.body, nodes.Block):
            lines = block(terms, one.body)
            is_early = any(isinstance(node, nodes.FinishWith) for do in one.body.statements[:-1] for node in walk(do))
            if given is not None or is_early:
                head = writer.words("first_result" if is_early else "given", arguments=given)
                lines = (Line(head, lines),)
        elif not told and not isinstance(one.body, nodes.Block):
            told = (meaning(writer, terms, one.body, writer.symbols.functions[one.name], given),)
        yield writer.section(path, title, paragraphs=told, lines=lines)


def meaning(writer: Writer, terms: Terms, body: nodes.Expression, routine: Routine, given: Words | None) -> str:
    """What a function is, or when it holds, for what it is asked for."""
    said, is_condition = in_words(terms, body, routine)
    holds = decided(terms, body) if is_condition else None
    phrase = "is" if given is None else "is_for"
    if is_condition:
        phrase = "holds_if" if holds is None else "holds_always" if holds else "holds_never"
    return writer.words(phrase, of=given, value=said)


def windows(writer: Writer) -> Iterator[Section]:
    """Windows: who may step in, and with what."""
    for one in writer.definition.windows.values():
        terms, path = writer.terms, ("windows", one.name)
        for parameter in one.parameters:
            terms = terms.given(parameter)
        source = one.people.source if one.people is not None else nodes.Name(one.span, "players")
        name, parts, _ = who(terms, "steps", "window", source, one.people.binder if one.people is not None else None)
        if isinstance(source, nodes.ListOf) and len(source.items) == 1:
            name, parts["source"] = "window_one", value(terms, source)
        elif parts["source"] is None:  # all players: their words say also which of them
            parts |= {"source": value(terms, source), "where": None, "by": None}
        lines = [Line(terms.book.sentence("steps", name, **parts))]
        if any(gives_a_value(action) for action in entries(writer.definition, one)):
            lines.append(Line(terms.book.sentence("steps", "window_closes")))
        lines.append(menu(terms, as_menu(writer.definition, one)))
        for event in one.opens:
            opened = nodes.Perform(event.span, None, nodes.Name(event.span, one.name), ())
            head = terms.book.sentence("events", event.happening, subject=None, place=happening_at(writer, event.place))
            lines.append(Line(head, block(terms, nodes.Block(event.span, (opened,)))))
        told = writer.told(path)
        yield writer.section(path, writer.named(path), paragraphs=told, lines=() if told else tuple(lines))


def triggers(writer: Writer) -> Iterator[Section]:
    """Special cases: what happens whenever something else does."""
    for one in writer.definition.triggers.values():
        event, terms = one.event, writer.terms
        if is_never(terms, one.when):
            continue
        family = writer.symbols.zones.get(event.place) or writer.symbols.variables.get(event.place)
        if event.happening == "changes":
            terms = terms.inner("old", "thing", terms.book.phrase("values", "before"))
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
        name, when = event.happening, unless_always(terms, one.when)
        if isinstance(family, Variable) and isinstance(family.type, Bool) and len(event.of) == len(family.parameters):
            of = together(terms, [terms.locals[one] for one in event.of]) if event.of else None
            name, place = f"{name}_whether", holding(terms, terms.flag(family.name), of, False, len(event.of) < 2)
        found = terms.locals.get(event.subject or "")
        subject = found.form("indef") if found is not None else None
        head = terms.book.sentence("events", name, subject=subject, place=place, when=when)
        path = ("triggers", one.name)
        told = writer.told(path)
        lines = () if told else (Line(head, block(terms, one.body)),)
        yield writer.section(path, writer.named(path), paragraphs=told, lines=lines)


def happening_at(writer: Writer, place: str) -> str:
    """The action or step before or after which a trigger runs."""
    if place in writer.definition.actions:
        return writer.book.capital(writer.terms.routine("actions", place))
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
        repeat = flow[-1].repeat
        times = "1"
        if repeat is not None and not isinstance(repeat, str):
            times = str(value(writer.terms, counted(writer.terms, repeat)))
        phrase = "ends_after" if times == "1" else "ends_after_times" if times.isdigit() else "ends_after_value"
        lines.append(Line(writer.words(phrase, title=writer.terms.step(flow[-1].path), count=times)))
    ends = [title for title, node in bodies(writer) if any(isinstance(one, nodes.EndGame) for one in walk(node))]
    if ends:
        lines.append(Line(writer.words("ends_at_once" if lines else "ends_only", where=writer.book.listed(ends))))
    if writer.definition.eliminated is not None:
        lines.append(Line(writer.words("eliminated", test=condition(writer.terms, writer.definition.eliminated))))
    yield Section("flow", lines=tuple(lines))


def bodies(writer: Writer) -> Iterator[tuple[str, nodes.Block]]:
    """All effects, with their names."""
    for part in ("actions", "triggers"):
        for one in getattr(writer.definition, part).values():
            if isinstance(one.body, nodes.Block):
                yield writer.quoted(writer.book.capital(writer.terms.routine(part, one.name))), one.body
    for step in every_step(writer.definition.flow):
        if step.do is not None:
            yield writer.quoted(writer.terms.step(step.path)), step.do


def box(writer: Writer) -> Iterator[Section]:
    """The things that no rule moves, and the pieces, counted; separately for different backs."""
    rows: list[tuple[str, str, str]] = []
    beside: list[Drawing | None] = []
    dice = set(rolled_kinds(writer))
    for one in writer.definition.box.values():
        title = writer.prose(one.title)[0] if one.title is not None else plain_words(one.name)
        rows.append((str(one.count), writer.book.capital(title), ""))
        beside.append(None)
    for definition in writer.definition.kinds.values():
        kind = writer.symbols.kinds[definition.name]
        if not (kind.lies or (kind.is_piece and kind.name in dice)) or kind.quiet:
            continue
        by_back = backs(writer, kind)
        for back, numbers in by_back.items():
            shown = writer.phrase("back", names=back) if back else ""
            count = len(numbers) if len(by_back) > 1 else most_at_once(writer, kind)
            rows.append((str(count), writer.kind_title(definition, count), shown))
            beside.append(writer.pictures.outside(kind, numbers[0]))
    writer.note(("box",), writer.words("box"))
    yield Section("components", rows=tuple(rows), beside=tuple(beside))


def rolled_kinds(writer: Writer) -> Iterator[str | None]:
    """The kinds for whose pieces the rules roll numbers, as for dice."""
    for _, body in bodies(writer):
        for node in walk(body):
            match node:
                case nodes.Command(argument=target, prepositions=[*_, nodes.Preposition(value=nodes.Range())]):
                    symbol = writer.terms.symbol(target)
                    yield writer.definition.variables[symbol.name].of_kind if isinstance(symbol, Variable) else None


def backs(writer: Writer, kind: Kind) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number in kind.numbers:
        shown = [on_back(writer, kind, name, number) for name in kind.back]
        found.setdefault(writer.book.listed([one for one in shown if one]), []).append(number)
    return found


def on_back(writer: Writer, kind: Kind, name: str, number: int) -> str:
    """What a back shows of an attribute: a number with what it stands for, and a flag by its name."""
    found, type = printed(writer, kind, name, number), plain(kind.attribute_types[name])
    if not found or not isinstance(type, Bool | Int):
        return found
    title = str(writer.terms.attribute(name).form("bare"))
    return title if isinstance(type, Bool) else f"{title} {found}"


def glossary(writer: Writer) -> Iterator[Section]:
    """The words of the game in alphabetical order: its functions with titles or texts, and those that a sentence of the other
    chapters, or of this one, mentions."""
    every, told = writer.definition.functions, dict[str, Section]()
    titled = {name for name in every if writer.terms.at("functions", name, "title") is not None}
    while wanted := [
        one
        for name, one in every.items()
        if (one.text is not None or name in titled or name in writer.terms.mentioned)
        and not (f"functions.{name}" in told or is_paraphrase(writer.terms, name))
    ]:
        told |= {section.anchor: section for section in callables(writer, "functions", wanted)}
    yield from sorted(told.values(), key=lambda section: alphabetical(section.title))


def score(writer: Writer) -> Iterator[Section]:
    for line in writer.definition.scoring:
        if is_never(writer.terms, line.when):
            continue
        terms, path = writer.terms, ("scoring", line.name)
        parts: dict[str, Part | None] = {}
        if line.for_ is not None:
            parts, terms = each(terms, line.for_.source, line.for_.binder)
        title = writer.entered(line_title(writer, line.title, line.name, terms), ".".join(path))
        told = writer.told(path)
        when = unless_always(terms, line.when)
        name = "score_for" if line.for_ is not None else "score_line"
        if line.for_ is None:
            name = {nodes.Number: "score_number", nodes.Attribute: "score_kept"}.get(type(line.points), name)
        points = value(terms, line.points)
        if isinstance(line.points, nodes.Number) and line.points.value != 1:
            points = Words({**points.forms, "number": "pl"})
        text = writer.words(name, title=title, points=points, when=when, **parts)
        yield writer.section(path, title, paragraphs=told or (text,))
    winner = writer.definition.winner
    if winner is not None:
        told = writer.told(("winner",))
        yield writer.section(("winner",), writer.words("winner"), paragraphs=told or tuple(winners(writer, winner)))


def winners(writer: Writer, winner: WinnerDefinition) -> Iterator[str]:
    """Who wins, how ties are decided, and the end if nobody wins."""
    terms = writer.terms
    if winner.by is not None:
        yield writer.words("by_end")
        if winner.nobody:
            yield writer.words(f"nobody_{winner.nobody}")
        return
    if winner.rule == "all":
        of_each = any(mentions(winner.value, name) for name in OF_ME)
        otherwise = writer.phrase(f"otherwise_{winner.nobody or 'defeat'}")
        yield writer.words("all_each" if of_each else "all", value=condition(terms, winner.value), otherwise=otherwise)
        return
    shown = condition(terms, winner.value) if winner.rule == "when" else value(terms, winner.value)
    of_points = isinstance(winner.value, nodes.Name) and winner.value.id == "points"
    yield writer.words(f"{winner.rule}_points" if of_points else winner.rule, value=shown)
    if winner.then and winner.rule in ("most", "least"):
        phrase = "tie_one" if len(winner.then) == 1 else "tie"
        yield writer.words(phrase, values=terms.book.listed([tie_breaker(writer, one) for one in winner.then]))
    if winner.rule in ("most", "least"):
        still, end = "still_" if winner.then else "", "draw" if winner.tie == "draw" else "shared"
        yield writer.words(f"tie_{still}{end}")
    if winner.nobody and not (winner.nobody == winner.tie == "draw" and winner.rule in ("most", "least")):
        yield writer.words(f"nobody_{winner.nobody}")


def tie_breaker(writer: Writer, node: nodes.Expression) -> str:
    """What breaks a tie, and whether more or less of it is better."""
    if isinstance(node, nodes.Negative):
        return writer.phrase("tie_less", value=value(writer.terms, node.operand))
    return writer.phrase("tie_more", value=value(writer.terms, node))


def line_title(writer: Writer, prose: Prose | None, name: str, terms: Terms) -> str:
    if prose is None:
        return plain_words(name)
    parts = prose.text(writer.language).parts
    return "".join(part if isinstance(part, str) else value(terms, part).form("bare") for part in parts)


def tables(writer: Writer) -> Iterator[Section]:
    labels = writer.terms.labels
    for written in writer.definition.tables.values():
        path, made = ("tables", written.name), writer.symbols.tables[written.name]
        rows = [row if isinstance(row, tuple) else (row,) for row in made.values]
        if len(made.indices) == 1:  # its entries are a single row
            rows = [tuple(one for row in rows for one in row)]
        *down, across = made.indices
        head = [labels.value(across, made.lows[-1] + at) for at in range(len(rows[0]) if rows else 0)]
        shown = []
        for at, row in enumerate(rows):
            name = [labels.value(type, made.lows[0] + at) for type in down]
            shown.append((*name, *(labels.value(made.type, one) for one in row)))
        corner = [""] * len(down)
        told = writer.told(path)
        yield writer.section(path, writer.named(path), paragraphs=told, head=(*corner, *head), rows=tuple(shown))


SEED = 1
"""The seed of the match whose table is drawn: pictures are the same whenever a rulebook is written."""


def rulebook(game: Game, language: str = "en", examples: bool = True) -> Book:
    """The rulebook of a game with its house rules and settings, in a language with a phrase book.

    Texts that the game lacks in this language appear in its first one. Without its examples, which are played, it is
    written much sooner, and has all its sentences.
    """
    players = game.players[-1]
    program = game.program(players, told=True)
    names = [phrase(language, "player", number=seat + 1) for seat in range(players)]
    match: Match | None = None
    with suppress(RuleFault):  # if setting up the table fails, there is nothing to draw
        match = game.start(names, seed=SEED, language=language)
    labels, meanings = Labels(program, names, language), game.meanings(players)
    terms = Terms(phrasebook(language), program, labels, game.tree, meanings, {}, spell=in_one)
    for name in labels.definition.functions:  # those that others call come first, so that no chain of calls is followed
        is_paraphrase(terms, name)
    return book(Writer(game, terms, language, Pictures(match)), examples)


def book(writer: Writer, examples: bool) -> Book:
    """All chapters with content."""
    game, kept = writer.definition, tuple(values(writer))
    made = (
        ("about", about(writer)),
        ("house_rules", house_rules(writer)),
        ("box", box(writer)),
        ("setup", chain(pieces_at_the_start(writer), steps(writer, setting_up=True), table_at_the_start(writer))),
        ("glance", glance(writer)),
        ("play", steps(writer, setting_up=False)),
        ("actions", chain(windows(writer), callables(writer, "actions", game.actions.values()))),
        ("special", triggers(writer)),
        ("end", end(writer)),
        ("score", score(writer)),
        ("members", kinds(writer, pieces=False)),
        ("pieces", kinds(writer, pieces=True)),
        ("table", table(writer)),
        ("tables", tables(writer)),
        ("glossary", glossary(writer)),
        ("values", kept),
        ("options", options(writer)),
        ("assumptions", assumptions(writer)),
        ("sources", sources(writer)),
    )
    chapters = []
    for name, sections in made:
        told = tuple(without_empty_columns(section) for section in sections if not section.is_empty)
        if told:
            told = tuple(with_entries(told)) if name in REFERENCE else told
            chapters.append(Chapter(f"chapter.{name}", writer.words(name), told))
    chapters = list(with_examples(writer, chapters)) if examples else chapters
    words = {name: writer.words(name) for name in ("contents", "index", "rulebook", "gone", "unchanged")}
    index = tuple(sorted(set(writer.index), key=lambda entry: (alphabetical(entry[0]), entry[1])))
    title = writer.game.title(writer.language)
    named = (name for name in game.functions if name in writer.terms.mentioned)
    untitled = tuple(name for name in named if writer.terms.at("functions", name, "title") is None)
    missing = len(gaps(writer.game, writer.language))
    notice = writer.words("incomplete" if missing > 1 else "incomplete_one", count=missing) if missing else ""
    icons = drawings(writer.game.path)
    return Book(title, writer.language, words["rulebook"], tuple(chapters), index, words, notice, untitled, icons)


REFERENCE = ("members", "table", "glossary", "values", "options")
"""Chapters to look things up in."""
ENTRIES = 3
"""The level of sections that can be entries."""


def with_entries(sections: Sequence[Section]) -> Iterator[Section]:
    """Sections of which those that have nothing but a text, and none below them, are entries."""
    for section, after in zip(sections, (*sections[1:], None), strict=True):
        has_only_text = section.paragraphs and replace(section, paragraphs=(), title="", mark="").is_empty
        is_parted = after is not None and after.level > section.level
        is_entry = bool(has_only_text and section.title) and section.level == ENTRIES and not is_parted
        yield replace(section, is_entry=is_entry)


def house_rules(writer: Writer) -> Iterator[Section]:
    for variant in writer.game.house_rules_in_use:
        words = said_at(value_at(variant.tree, "text"), writer.language)
        title = variant.title(writer.language)
        yield Section(f"variants.{variant.name}", title, paragraphs=(words,) if words else ())


def options(writer: Writer) -> Iterator[Section]:
    """The settings, and their possible values."""
    labels = writer.terms.labels
    for name, option in writer.definition.options.items():
        path = ("options", name)
        title = writer.named(path)
        made = writer.symbols.options[name]
        now, usual = labels.value(made.type, made.value), str(value(writer.terms, option.default))
        if isinstance(option.default, nodes.Absent):
            usual = labels.phrase("none")
        if usual in writer.symbols.kinds or usual.lower() == now.lower():
            usual = ""
        if option.type.low is not None and option.type.high is not None:
            possible = str(value(writer.terms, nodes.Range(option.span, option.type.low, option.type.high)))
            if isinstance(made.type, Maybe):
                possible = writer.book.listed([possible, labels.phrase("none")], "or")
        else:
            inner = plain(made.type)
            of_type = [labels.value(inner, one) for one in writer.symbols.domain(inner) or ()]
            of_type = of_type[::-1] if isinstance(inner, Bool) else of_type  # yes or no
            of_type += [labels.phrase("none")] if inner is not made.type else []
            possible = writer.book.listed(of_type, "or")
        text = writer.words(
            "option", title=title, value=now, default=usual or None, type=possible or format(option.type)
        )
        yield writer.section(path, title, paragraphs=(*writer.prose(option.text), text))


def assumptions(writer: Writer) -> Iterator[Section]:
    """What the rulebook does not say, with the rules that are meant."""
    found = {reason: list(dict.fromkeys(filter(None, titles))) for reason, titles in writer.assumed.items()}
    for one in writer.definition.assumptions:
        found.setdefault(writer.book.tidy(" ".join(one.reason_in(writer.language).split())), [])
    lines = (
        writer.words("assumed", title=writer.book.listed(titles) or None, reason=reason)
        for reason, titles in found.items()
    )
    yield Section("assumed", lines=tuple(Line(one) for one in lines))


def sources(writer: Writer) -> Iterator[Section]:
    """The rulebooks, and where they give which rule."""
    comma = str(writer.book.tables["list"]["comma"])
    lines = []
    for name in entries_at(writer.terms.at("sources")):
        inner = [
            Line(writer.words("source", at=place, titles=comma.join(dict.fromkeys(titles))))
            for place, found in writer.cited.get(name, {}).items()
            if place and (titles := list(filter(None, found)))
        ]
        lines.append(Line(writer.doc(name), tuple(inner)))
    yield Section("sources", lines=tuple(lines))
