"""Writes the chapters of a rulebook from the definition of a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from houserule import Game
from houserule.definition.flow import repeats
from houserule.definition.model import (
    CallableDefinition,
    KindDefinition,
    MemberDefinition,
    Prose,
    StepDefinition,
    WinnerDefinition,
)
from houserule.language import nodes
from houserule.language.format import format
from houserule.language.symbols import Kind
from houserule.rulebook.book import Book, Chapter, Section
from houserule.rulebook.phrasebook import Part, Words, phrasebook
from houserule.rulebook.sentences import Line, block, each, in_one
from houserule.rulebook.terms import Terms, of_type
from houserule.rulebook.wording import condition, value
from houserule.source import Mapping, Scalar, Yaml
from houserule.source import Sequence as YamlSequence
from houserule.telling.labels import Labels, plain_words
from houserule.telling.phrases import phrase

OWN_PARTS = ("pieces", "members", "steps")
"""What has sections of its own, so that a change in it marks those."""


def rulebook(game: Game, language: str = "en") -> Book:
    """The rulebook of a game with its house rules and settings, in a language that a phrase book is there for.

    Texts that the game does not have in this language come in its first one.
    """
    players = game.players[-1]
    program = game.program(players, told=False)
    names = [phrase(language, "player", number=seat + 1) for seat in range(players)]
    assert game.loaded.tree is not None
    terms = Terms(phrasebook(language), program, Labels(program, names, language), game.loaded.tree, {}, {}, in_one)
    return Writer(game, terms, language).book()


class Writer:
    """Writes one rulebook: a method for each chapter."""

    def __init__(self, game: Game, terms: Terms, language: str) -> None:
        self.game = game
        self.terms = terms
        self.language = language
        self.definition = game.definition
        self.symbols = terms.program.symbols
        self.titles = {str(v.tree.span.file): v.title(language) for v in game.loaded.variants}
        self.index: list[tuple[str, str]] = []

    def book(self) -> Book:
        """All chapters that say something."""
        made = (
            ("about", self.about()),
            ("house_rules", self.house_rules()),
            ("box", self.box()),
            ("table", self.table()),
            ("setup", self.steps(setting_up=True)),
            ("play", self.steps(setting_up=False)),
            ("actions", self.callables("actions", self.definition.actions.values())),
            ("members", self.kinds(pieces=False)),
            ("pieces", self.kinds(pieces=True)),
            ("special", self.triggers()),
            ("end", self.end()),
            ("score", self.score()),
            ("tables", self.tables()),
            ("functions", self.callables("functions", self.definition.functions.values())),
            ("values", self.values()),
            ("options", self.options()),
            ("assumptions", self.assumptions()),
            ("sources", self.sources()),
            ("glossary", self.glossary()),
        )
        chapters = []
        for name, sections in made:
            told = tuple(section for section in sections if not section.is_empty)
            if told:
                chapters.append(Chapter(f"chapter.{name}", self.words(name), told))
        words = {name: self.words(name) for name in ("contents", "index", "rulebook")}
        index = tuple(sorted(set(self.index), key=lambda entry: entry[0].lower()))
        return Book(self.game.title(self.language), self.language, words["rulebook"], tuple(chapters), index, words)

    # --- what all chapters use ----------------------------------------------------------------------------------------

    def words(self, name: str, /, **parts: Part | None) -> str:
        """A phrase of the book."""
        return self.terms.book.sentence("book", name, **parts)

    def sentence(self, clauses: Iterable[str]) -> str:
        """Clauses as one sentence."""
        signs = self.terms.book.tables["list"]
        return self.terms.book.capital(str(signs["clause"]).join(clauses)) + str(signs["stop"])

    def prose(self, prose: Prose | None) -> tuple[str, ...]:
        """A text as a paragraph, with the settings that it shows in braces."""
        if prose is None:
            return ()
        text = prose.texts.get(self.language) or next(iter(prose.texts.values()))
        return ("".join(part if isinstance(part, str) else str(value(self.terms, part)) for part in text.parts),)

    def title(self, prose: Prose | None, name: str, anchor: str) -> str:
        """A title, or the name in plain words; it goes into the index."""
        found = self.prose(prose)[0] if prose is not None else plain_words(name)
        found = self.terms.book.capital(found)
        self.index.append((found, anchor))
        return found

    def named(self, path: tuple[str, str]) -> str:
        """The title that stands at a path, or its name in plain words; it goes into the index."""
        found = said_at(self.terms.at(*path, "title"), self.language) or plain_words(path[-1])
        found = self.terms.book.capital(found)
        self.index.append((found, ".".join(path)))
        return found

    def section(self, path: tuple[str, ...], title: str, level: int = 3, **parts: object) -> Section:
        """A section with its mark, its assumption and its source."""
        return Section(".".join(path), title, level, mark=self.mark(path), notes=self.notes(path), **parts)  # type: ignore[arg-type]  # the fields of a section, by name

    def notes(self, path: tuple[str, ...]) -> tuple[str, ...]:
        """What is assumed at a path, and where the rulebook says so."""
        found = []
        assumed = self.terms.at(*path, "assumed")
        if isinstance(assumed, Scalar):
            found.append(self.words("assumed", reason=assumed.text.strip()))
        source = self.terms.at(*path, "source")
        for one in source.items if isinstance(source, YamlSequence) else [source]:
            if isinstance(one, Mapping) and "doc" in one.entries:
                found.append(self.words("source", title=self.doc(text_of(one, "doc")), at=text_of(one, "at") or None))
        return tuple(found)

    def doc(self, name: str) -> str:
        """The title of a rulebook."""
        node = self.terms.at("sources", name)
        return text_of(node, "title") or name

    def mark(self, path: tuple[str, ...]) -> str:
        """The house rules that something comes from, or is changed by."""
        node = self.terms.at(*path)
        files = set(self.files(node)) if node is not None else set()
        titles = [title for file, title in self.titles.items() if file in files]
        return self.words("house_rule", title=self.terms.book.listed(titles)) if titles else ""

    def files(self, node: Yaml) -> Iterator[str]:
        """The files that a part of the rules comes from, without what has a section of its own."""
        yield str(node.span.file)
        if isinstance(node, Mapping):
            for key, entry in node.entries.items():
                if key not in OWN_PARTS:
                    yield str(entry.key.span.file)
                    yield from self.files(entry.value)
        elif isinstance(node, YamlSequence):
            for item in node.items:
                yield from self.files(item)

    # --- chapters -----------------------------------------------------------------------------------------------------

    def about(self) -> Iterator[Section]:
        """What the game is about and how many can play."""
        low, high = self.definition.players
        players = self.words("for_players" if low < high else "for_exactly", low=low, high=high)
        yield Section("text", paragraphs=(*self.prose(self.definition.text), players))

    def house_rules(self) -> Iterator[Section]:
        """The house rules in use, and what each says of itself."""
        for variant in self.game.loaded.variants:
            text = variant.tree.entries.get("text")
            words = said(text.value, self.language) if text is not None else ""
            yield Section(
                f"variants.{variant.name}", variant.title(self.language), paragraphs=(words,) if words else ()
            )

    def box(self) -> Iterator[Section]:
        """The pieces, counted."""
        rows = []
        for definition in self.definition.kinds.values():
            kind = self.symbols.kinds[definition.name]
            if kind.lies:
                backs = [plain_words(name) for name in kind.back]
                back = str(self.terms.book.phrase("book", "back", names=self.terms.book.listed(backs))) if backs else ""
                rows.append((str(len(kind.ids)), self.kind_title(definition, len(kind.ids)), back))
        yield Section("components", rows=tuple(rows))

    def kind_title(self, definition: KindDefinition, number: int = 1) -> str:
        """What pieces of a kind, or members of an enum, are called."""
        noun = self.terms.noun_of_kind(definition.name)
        return self.terms.book.capital(noun.form("pl" if number > 1 else "nom"))

    def table(self) -> Iterator[Section]:
        """Where pieces lie."""
        book = self.terms.book
        for zone in self.definition.zones.values():
            anchor = ("zones", zone.name)
            facts = [self.kinds_in(zone.holds)]
            for parameter in zone.parameters:
                owned = parameter.type.name == "player"
                index = self.terms.noun_of_kind(parameter.type.name)
                facts.append(str(book.phrase("book", "each_player" if owned else "each", index=index)))
            facts.append(self.seen(zone.visible, [(p.name or p.type.name, p.type.name) for p in zone.parameters]))
            if not zone.ordered:
                facts.append(str(book.phrase("book", "unordered")))
            if zone.capacity is not None:
                facts.append(str(book.phrase("book", "capacity", count=value(self.terms, zone.capacity))))
            if zone.refill is not None:
                refill = self.terms.family(self.symbols.zones[zone.refill])
                facts.append(str(book.phrase("book", "refill", zone=refill)))
            text = self.sentence(fact for fact in facts if fact)
            yield self.section(anchor, self.title(zone.title, zone.name, ".".join(anchor)), paragraphs=(text,))

    def kinds_in(self, holds: str) -> str:
        """What lies in a zone."""
        return self.terms.noun_of_kind(holds).form("pl") if holds in self.symbols.kinds else ""

    def seen(self, visible: str | nodes.Expression, indices: Sequence[tuple[str, str]]) -> str:
        """Who sees what lies in a zone."""
        if isinstance(visible, str):
            return str(self.terms.book.phrase("book", f"seen_by_{visible}"))
        terms = self.terms.inner(None, "piece")
        for name, kind in indices:
            terms = terms.inner(name, kind)
        return str(self.terms.book.phrase("book", "seen_if", test=condition(terms, visible)))

    def steps(self, setting_up: bool) -> Iterator[Section]:
        """The steps before the first one that repeats, or the others, each with what is inside it below it."""
        flow = self.definition.flow
        first = next((at for at, step in enumerate(flow) if repeats(step)), len(flow))
        for step in flow[:first] if setting_up else flow[first:]:
            yield from self.step(step, self.terms, 3)

    def step(self, step: StepDefinition, terms: Terms, level: int) -> Iterator[Section]:
        """A step and those inside it."""
        path = ("flow", *step.path.replace(".", ".steps.").split("."))
        lines = []
        for name in ("for_", "turns", "together"):
            binding: nodes.Binding | None = getattr(step, name)
            if binding is not None:
                parts, terms = each(terms, binding.source, binding.binder)
                lines.append(Line(terms.book.sentence("steps", name.rstrip("_"), **parts)))
        for name in ("when", "while_", "until"):
            test: nodes.Expression | None = getattr(step, name)
            if test is not None:
                lines.append(Line(terms.book.sentence("steps", name.rstrip("_"), test=condition(terms, test))))
        if step.repeat == "forever":
            lines.append(Line(terms.book.sentence("steps", "forever")))
        elif step.repeat is not None and not isinstance(step.repeat, str):
            lines.append(Line(terms.book.sentence("steps", "repeat", count=value(terms, step.repeat))))
        if step.use is not None:
            lines.append(Line(terms.book.sentence("steps", "use", step=plain_words(step.use))))
        told = self.prose(step.text)
        lines = [] if told else [*lines, *block(terms, step.do)]
        title = self.title(step.title, step.name, ".".join(path))
        yield self.section(path, title, level, paragraphs=told, lines=tuple(lines))
        for inner in step.steps:
            yield from self.step(inner, terms, min(level + 1, 6))

    def callables(self, part: str, all: Iterable[CallableDefinition]) -> Iterator[Section]:
        """Actions or functions: the text of each, or what it does."""
        for one in all:
            terms, named = self.terms, []
            for parameter in one.parameters:
                terms = terms.given(parameter)
                named.append(str(terms.locals[parameter.name or "it"]))
            title = self.named((part, one.name))
            if named:
                title = str(
                    self.terms.book.phrase("values", "call", name=title, arguments=self.terms.book.listed(named))
                )
            told = self.prose(one.text)
            lines: tuple[Line, ...] = ()
            if not told and isinstance(one.body, nodes.Block):
                lines = block(terms, one.body)
            elif not told and not isinstance(one.body, nodes.Block):
                shown = self.symbols.functions[one.name]
                is_condition = shown.result is not None and of_type(shown.result) == "condition"
                text = condition(terms, one.body) if is_condition else str(value(terms, one.body))
                told = (self.sentence([text]),)
            yield self.section((part, one.name), title, paragraphs=told, lines=lines)

    def kinds(self, pieces: bool) -> Iterator[Section]:
        """Enums with what their members do, or the kinds of pieces with each piece."""
        for definition in self.definition.kinds.values():
            if definition.is_piece is pieces:
                yield from self.kind(definition, self.symbols.kinds[definition.name])

    def kind(self, definition: KindDefinition, kind: Kind) -> Iterator[Section]:
        """A kind, its pieces or members with their attributes in a table, and what each does."""
        path = ("components" if definition.is_piece else "enums", definition.name)
        told = self.prose(definition.text) if not definition.each else ()
        if definition.each:
            names = [str(self.terms.noun_of_kind(name)) for name, _, _ in definition.each]
            told = (*told, self.sentence([self.words("each_combination", names=self.terms.book.listed(names))]))
        if not kind.attribute_types and not kind.is_piece:
            told = (*told, self.sentence([self.terms.book.listed([self.terms.member(kind, n) for n in kind.numbers])]))
        title = self.title(
            definition.title if not of_pieces(definition) else None, self.kind_title(definition), ".".join(path)
        )
        yield self.section(path, title, paragraphs=told, head=self.head(kind), rows=tuple(self.rows(definition, kind)))
        for member in definition.members:
            yield from self.member(definition, kind, member, path)

    def head(self, kind: Kind) -> tuple[str, ...]:
        """The headings of the table of a kind: nothing above the titles and numbers, then the attributes."""
        return ("", "", *(self.terms.book.capital(plain_words(name)) for name in kind.attribute_types))

    def rows(self, definition: KindDefinition, kind: Kind) -> Iterator[tuple[str, ...]]:
        """Each piece or member with its number and its attributes; not for a product, which says itself what there is."""
        if definition.each or not (kind.attribute_types or kind.is_piece):
            return
        for id in dict.fromkeys(kind.ids):
            number = kind.first(id)
            assert number is not None
            count = f"{kind.ids.count(id)} ×" if definition.is_piece else ""
            values = [
                self.terms.labels.value(type, kind.attributes[name][number - kind.base])
                for name, type in kind.attribute_types.items()
            ]
            yield (count, self.terms.book.capital(self.terms.labels.member(kind, number)), *values)

    def member(
        self, definition: KindDefinition, kind: Kind, member: MemberDefinition, path: tuple[str, str]
    ) -> Iterator[Section]:
        """What a piece or member does: its text, or its effects in words."""
        number = kind.first(member.name)
        if number is None:
            return
        here = (*path, "pieces" if definition.is_piece else "members", member.name)
        text = self.terms.labels.text(kind, number) if member.text is None else None
        told = self.prose(member.text) if member.text is not None else (text,) if text else ()
        lines: list[Line] = []
        for name, effect in member.effects.items() if not told else ():
            slot = next(one for one in definition.effects if one.name == name)
            terms = self.terms.inner("this", definition.name, self.terms.member(kind, number))
            for parameter in slot.parameters:
                terms = terms.given(parameter)
            lines += block(terms, effect)
        if told or lines or self.mark(here) or self.notes(here):
            title = self.terms.book.capital(self.terms.labels.member(kind, number))
            self.index.append((title, ".".join(here)))
            yield self.section(here, title, 4, paragraphs=told, lines=tuple(lines))

    def triggers(self) -> Iterator[Section]:
        """Special cases: what happens whenever something else does."""
        for one in self.definition.triggers.values():
            event, terms = one.event, self.terms
            family = self.symbols.zones.get(event.place) or self.symbols.variables.get(event.place)
            if event.subject is not None and family is not None:
                terms = terms.inner(event.subject, getattr(family, "holds", None) or "piece")
            place: Words | str = plain_words(event.place)
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
            told = said_at(self.terms.at("triggers", one.name, "text"), self.language)
            lines = () if told else (Line(head, block(terms, one.body)),)
            title = self.named(("triggers", one.name))
            yield self.section(("triggers", one.name), title, paragraphs=(told,) if told else (), lines=lines)

    def end(self) -> Iterator[Section]:
        """When the game is over."""
        lines = []
        flow = self.definition.flow
        for step in flow:
            if step.until is not None:
                title = self.terms.book.capital(self.prose(step.title)[0] if step.title else plain_words(step.name))
                lines.append(Line(self.words("ends_when", title=title, test=condition(self.terms, step.until))))
        if flow and flow[-1].repeat != "forever":
            last = flow[-1]
            title = self.terms.book.capital(self.prose(last.title)[0] if last.title else plain_words(last.name))
            lines.append(Line(self.words("ends_after", title=title)))
        ends = [
            title for title, node in self.bodies() if any(isinstance(one, nodes.EndGame) for one in statements(node))
        ]
        if ends:
            lines.append(Line(self.words("ends_at_once", where=self.terms.book.listed(ends))))
        if self.definition.eliminated is not None:
            lines.append(Line(self.words("eliminated", test=condition(self.terms, self.definition.eliminated))))
        yield Section("flow", lines=tuple(lines))

    def bodies(self) -> Iterator[tuple[str, nodes.Block]]:
        """All that is carried out, with what it is called."""
        for action in self.definition.actions.values():
            if isinstance(action.body, nodes.Block):
                yield self.quoted(self.terms.routine("actions", action.name)), action.body
        for trigger in self.definition.triggers.values():
            yield self.quoted(self.terms.routine("triggers", trigger.name)), trigger.body
        waiting = list(self.definition.flow)
        while waiting:
            step = waiting.pop(0)
            waiting += step.steps
            if step.do is not None:
                yield self.quoted(self.terms.labels.step(step.path, 0) or plain_words(step.name)), step.do

    def quoted(self, text: str) -> str:
        """A text in the quotation marks of the language."""
        return str(self.terms.book.phrase("nouns", "quoted", noun=text))

    def score(self) -> Iterator[Section]:
        """The score sheet, and who wins."""
        for line in self.definition.scoring:
            terms = self.terms
            parts: dict[str, Part | None] = {}
            if line.for_ is not None:
                parts, terms = each(terms, line.for_.source, line.for_.binder)
            title = self.title(None, self.line_title(line.title, line.name, terms), f"scoring.{line.name}")
            when = condition(terms, line.when) if line.when is not None else None
            name = "score_for" if line.for_ is not None else "score_line"
            points = value(terms, line.points)
            text = self.words(name, title=title, points=points, when=when, **parts)
            yield self.section(("scoring", line.name), title, paragraphs=(text,))
        winner = self.definition.winner
        if winner is not None:
            text = said_at(self.terms.at("winner", "text"), self.language)
            told = (text,) if text else tuple(self.winners(winner))
            yield self.section(("winner",), self.words("winner"), paragraphs=told)

    def winners(self, winner: WinnerDefinition) -> Iterator[str]:
        """Who wins, what decides if several are even, and what it is if nobody wins."""
        is_condition = winner.rule in ("when", "all")
        shown = condition(self.terms, winner.value) if is_condition else str(value(self.terms, winner.value))
        yield self.words(winner.rule, value=shown)
        if winner.then:
            yield self.words("tie", values=self.terms.book.listed([value(self.terms, one) for one in winner.then]))
        if winner.tie == "draw":
            yield self.words("tie_draw")
        if winner.nobody:
            yield self.words(f"nobody_{winner.nobody}")

    def line_title(self, prose: Prose | None, name: str, terms: Terms) -> str:
        """The title of a line of the score sheet, with what it is for."""
        if prose is None:
            return plain_words(name)
        text = prose.texts.get(self.language) or next(iter(prose.texts.values()))
        return "".join(part if isinstance(part, str) else value(terms, part).form("bare") for part in text.parts)

    def tables(self) -> Iterator[Section]:
        """Tables of numbers."""
        for table in self.definition.tables.values():
            made = self.symbols.tables[table.name]
            told = said_at(self.terms.at("tables", table.name, "text"), self.language)
            rows: list[tuple[str, ...]] = []
            indices = [
                [self.terms.labels.value(type, low + at) for at in range(size)]
                for type, low, size in zip(made.indices, made.lows, sizes(made.values), strict=True)
            ]
            if len(indices) == 1:
                head = tuple(indices[0])
                rows = [tuple(self.terms.labels.value(made.type, one) for one in made.values)]
            else:
                head = ("", *indices[1])
                for name, row in zip(indices[0], made.values, strict=True):
                    assert isinstance(row, tuple)
                    rows.append((name, *(self.terms.labels.value(made.type, one) for one in row)))
            title = self.named(("tables", table.name))
            yield self.section(
                ("tables", table.name), title, paragraphs=(told,) if told else (), head=head, rows=tuple(rows)
            )

    def values(self) -> Iterator[Section]:
        """The variables, with what they begin as."""
        for one in self.definition.variables.values():
            if one.title is None and one.of_kind is None:
                continue
            facts = []
            if one.start is not None:
                facts.append(self.words("starts_at", value=value(self.terms, one.start)))
            if one.reset is not None:
                facts.append(self.words("reset", step=self.terms.labels.step(one.reset, 0) or plain_words(one.reset)))
            title = self.title(one.title, one.name, f"variables.{one.name}")
            text = (self.sentence(facts),) if facts else ()
            yield self.section(("variables", one.name), title, paragraphs=text)

    def options(self) -> Iterator[Section]:
        """The settings, and what they can be."""
        for name, option in self.definition.options.items():
            anchor = f"options.{name}"
            title = self.title(option.title, name, anchor)
            made = self.symbols.options[name]
            now = self.terms.labels.value(made.type, made.value)
            usual = str(value(self.terms, option.default))
            if usual in self.symbols.kinds or usual == now:
                usual = ""
            values = self.symbols.domain(made.type)
            if option.type.low is not None and option.type.high is not None:
                possible = str(value(self.terms, nodes.Range(option.span, option.type.low, option.type.high)))
            else:
                possible = self.terms.book.listed(
                    [self.terms.labels.value(made.type, one) for one in values or ()], "or"
                )
            text = self.words(
                "option", title=title, value=now, default=usual or None, type=possible or format(option.type)
            )
            yield self.section(("options", name), title, paragraphs=(text, *self.prose(option.text)))

    def assumptions(self) -> Iterator[Section]:
        """All that the rulebook does not say, in one place."""
        reasons = tuple(Line(" ".join(one.reason.split())) for one in self.definition.assumptions)
        yield Section("assumed", lines=reasons)

    def sources(self) -> Iterator[Section]:
        """The rulebooks."""
        node = self.terms.at("sources")
        if isinstance(node, Mapping):
            yield Section("sources", lines=tuple(Line(self.doc(name)) for name in node.entries))

    def glossary(self) -> Iterator[Section]:
        """The words of the game: kinds and their members, with what they are."""
        rows = []
        for definition in self.definition.kinds.values():
            kind = self.symbols.kinds[definition.name]
            members = [self.terms.labels.member(kind, number) for number in kind.numbers]
            if not definition.is_piece:
                rows.append((self.kind_title(definition), self.terms.book.listed(members)))
        for zone in self.definition.zones.values():
            rows.append(
                (self.terms.book.capital(self.terms.labels.prose(zone.title, zone.name)), self.kinds_in(zone.holds))
            )
        yield Section("glossary", rows=tuple(rows))


def of_pieces(definition: KindDefinition) -> bool:
    """Whether the title of a kind is that of each of its pieces, with values in it."""
    return definition.title is not None and definition.title.shows_values


def sizes(values: Sequence[object]) -> tuple[int, ...]:
    """How many entries a table has in each direction."""
    first = values[0] if values else None
    return (len(values), len(first)) if isinstance(first, tuple) else (len(values),)


def statements(node: nodes.Block) -> Iterator[nodes.Node]:
    """All statements of a block, and those inside them."""
    for one in node.statements:
        yield one
        for name in ("then", "otherwise", "body"):
            inner = getattr(one, name, None)
            if isinstance(inner, nodes.Block):
                yield from statements(inner)
        for item in getattr(one, "items", ()):
            yield from statements(item.body)


def text_of(node: Yaml | None, key: str) -> str:
    """A text in a map; empty if there is none."""
    entry = node.entries.get(key) if isinstance(node, Mapping) else None
    return entry.value.text if entry is not None and isinstance(entry.value, Scalar) else ""


def said(node: Yaml, language: str) -> str:
    """A text for people as it stands in a file, in a language or in the first one."""
    if isinstance(node, Scalar):
        return node.text.strip()
    assert isinstance(node, Mapping)
    return (text_of(node, language) or text_of(node, next(iter(node.entries)))).strip()


def said_at(node: Yaml | None, language: str) -> str:
    """A text that may be missing."""
    return said(node, language) if node is not None else ""
