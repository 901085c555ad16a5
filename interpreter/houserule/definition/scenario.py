"""Scenarios as written: the arrangement, answers and expectations of each document of a file."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as MappingOf
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from houserule.definition.check import too_much
from houserule.definition.model import CallableDefinition, FunctionDefinition, routine
from houserule.definition.reader import Reader
from houserule.definition.readings import Readings, as_meant
from houserule.definition.schema import check_shape
from houserule.definition.sorts import declare
from houserule.diagnostics import Report, Span
from houserule.frozen import frozen
from houserule.language import nodes
from houserule.language.parse import parse
from houserule.language.scope import MOST_OF_SCENARIOS, Budget, OverBudget
from houserule.printable import whole_number
from houserule.reading import root_of
from houserule.source import (
    Fragment,
    Mapping,
    Scalar,
    Sequence,
    Source,
    Yaml,
    documents_of,
    listed,
    open_source,
    text_at,
    value_at,
)

Given = tuple[tuple[str | None, str | tuple[str, ...]], ...]
"""Answers, each with the name it binds, if any; a tuple lists several."""
ITEM_KEYS = ("roll", "deck", "race", "refuse", "options", "do", "expect", "unseen", "pending", "asked", "times")
NOT_HANDED_ON = (
    "scenario",
    "continues",
    "text",
    "example",
    "title",
    "source",
    "assumed",
    "given",
    "play",
    "expect",
    "until",
    "ending",
    "pending",
    "asked",
)
"""Keys that a scenario does not inherit from the one it goes on from, or that are combined in another way."""


@frozen
class Answer:
    """Answers of one player: successive ones by the names they bind, or one without a name."""

    span: Span
    player: str
    answers: Given


@frozen
class Roll:
    """Prepared results of chance, by name."""

    span: Span
    results: tuple[tuple[str, tuple[str, ...]], ...]


@frozen
class Deck:
    """The top of piles, first drawn first."""

    span: Span
    piles: tuple[tuple[nodes.Expression, tuple[nodes.Expression, ...]], ...]


@frozen
class Race:
    """Who slapped, in order."""

    span: Span
    order: tuple[str, ...]


@frozen
class Refuse:
    """Answers that must not be among a player's options."""

    span: Span
    player: str
    answers: Given


@frozen
class Options:
    """The exact options of a player."""

    span: Span
    player: str
    name: str | None
    keys: tuple[str, ...]


@frozen
class Do:
    """An effect under test, by a player or by nobody."""

    span: Span
    player: str | None
    effect: nodes.Block


@frozen
class Expect:
    """A condition that must hold here."""

    span: Span
    text: str
    condition: nodes.Expression


@frozen
class Unseen:
    """What a player must not see: `secret of anna`, a zone, a piece."""

    span: Span
    player: str
    text: str
    what: nodes.Expression


@frozen
class Pending:
    """Whose choice is pending; with `is_exact`, nobody else's."""

    span: Span
    players: tuple[str, ...]
    is_exact: bool = False


@frozen
class Setting:
    """An option of the game and its setting."""

    name: str
    value: str
    span: Span
    value_span: Span


Item = Answer | Roll | Deck | Race | Refuse | Options | Do | Expect | Unseen | Pending


@frozen
class Scenario:
    """One executable example."""

    name: str
    span: Span
    game: str
    game_span: Span  # where that is written
    players: tuple[str, ...]
    variants: tuple[str, ...]
    variant_spans: tuple[Span, ...]  # where each of them is named
    seed: int
    setup: tuple[Item, ...]
    given: tuple[nodes.Block, ...]
    begin: str | None
    begin_span: Span
    play: tuple[Item, ...]
    expects: tuple[Expect, ...]
    until: str  # `end`, `end at once` or None
    ending: str  # how the game must end, or None
    ending_span: Span
    pending: tuple[Pending, ...]
    settings: tuple[Setting, ...] = ()
    shared: tuple[Span, ...] = ()  # inherited from the first document
    functions: MappingOf[str, CallableDefinition] = field(default_factory=dict)  # of its file, which no rule can use
    example: str = ""  # `true` or the path of a rule: the rulebook shows it
    title: Yaml | None = None
    text: Yaml | None = None


@frozen
class Told:
    """A scenario, and the documents that make it up: those of the scenarios it goes on from, then its own."""

    scenario: Scenario
    documents: tuple[Mapping, ...]


def documents_with_shape(source: Source, report: Report) -> tuple[list[Mapping], list[Mapping]]:
    """The documents of a file of scenarios, and those of them that have the right shape."""
    documents = documents_of(source, report)
    return documents, [document for document in documents if check_shape(document, "scenario", report)]


class ScenarioReader:
    """Reads the documents of one file."""

    def __init__(self, report: Report, verbs: MappingOf[str, tuple[str, ...]]) -> None:
        self.report = report
        readings = Readings()
        readings.budget = self.budget = Budget(MOST_OF_SCENARIOS)  # for the file and for checking its scenarios
        self.reader = Reader(report, verbs, readings)

    def file(self, path: Path, display: str) -> list[Scenario]:
        """All scenarios of a file; defaults of a first document without `scenario` apply to the others."""
        source = open_source(path, root_of(path), self.report, display, None)
        documents, good = as_meant(source, self.report, documents_with_shape) if source else ([], [])
        try:
            return self.scenarios(documents, good)
        except OverBudget as over:
            too_much(over.span, self.report)
            return []

    def scenarios(self, documents: list[Mapping], good: list[Mapping]) -> list[Scenario]:
        """The scenarios in the documents of a file, given those that have the right shape, too. Raises OverBudget."""
        functions = self.functions(good)
        defaults = Mapping({}, documents[0].span) if documents else None
        told: dict[str, Told] = {}
        found: list[Scenario] = []
        for number, document in enumerate(good):
            if "scenario" not in document.entries:
                if number == 0 and document is documents[0]:
                    defaults = document
                else:
                    self.report.error(
                        "HR604",
                        "a document without 'scenario:' can only be the first: it gives the others their defaults",
                        document.span,
                        "scenario: what it shows",
                    )
                continue
            assert defaults is not None
            made = self.told(document, defaults, told, functions)
            told.setdefault(made.scenario.name, made)
            found.append(made.scenario)
        return found

    def functions(self, documents: list[Mapping]) -> dict[str, CallableDefinition]:
        """The functions that the documents of the file declare."""
        found: dict[str, CallableDefinition] = {}
        for document in documents:
            for key, value in self.reader.entries(value_at(document, "functions")):
                if (made := routine(self.reader, key, value, FunctionDefinition)) is not None:
                    declare(found, made, "function", self.report)
        return found

    def told(
        self,
        document: Mapping,
        defaults: Mapping,
        told: MappingOf[str, Told],
        functions: MappingOf[str, CallableDefinition],
    ) -> Told:
        """One document, with what it inherits from the first one and from the scenario that it goes on from."""
        continued = value_at(document, "continues")
        name = text_at(continued)
        before = told.get(name)
        if continued is not None and before is None:
            message = f"no scenario above is called '{name}'"
            self.report.misnamed("HR611", message, continued.span, name, told, "the sentence of a scenario above")
        earlier = before.documents if before is not None else ()
        entries = dict(defaults.entries)
        if before is not None:
            entries = {key: entry for key, entry in entries.items() if key not in ("given", "play")}
            for one in earlier:
                entries |= {key: entry for key, entry in one.entries.items() if key not in NOT_HANDED_ON}
        entries |= document.entries
        shared = [e for key, e in defaults.entries.items() if entries.get(key) is e]
        documents = (*earlier, document)
        whole = Mapping(entries, document.span)
        set_to = [value_at(whole, "options"), *(value_at(one, "set") for one in (defaults, *documents))]
        settings = {setting.name: setting for node in set_to for setting in self.settings(node)}
        scenario = self.scenario(whole, document)
        given, play = (before.scenario.given, before.scenario.play) if before is not None else ((), ())
        scenario = replace(
            scenario,
            settings=tuple(settings.values()),
            given=(*given, *scenario.given),
            play=(*play, *scenario.play),
            shared=tuple(e.key.span.to(e.value.span) for e in shared),
            functions=functions,
        )
        return Told(scenario, documents)

    def scenario(self, node: Mapping, own: Mapping) -> Scenario:
        """One document and what it shares; `told` adds what is combined from several documents."""
        name = own.entries["scenario"]
        begin, seed = value_at(node, "from"), value_at(node, "seed")
        of, named = value_at(node, "of"), value_at(node, "with")
        given, ending = self.block(value_at(node, "given")), value_at(node, "ending")
        return Scenario(
            name=text_at(name.value),
            span=name.key.span,
            game=text_at(of),
            game_span=of.span if of is not None else name.key.span,
            players=self.names(value_at(node, "players")),
            variants=self.names(named),
            variant_spans=tuple(item.span for item in named.items) if isinstance(named, Sequence) else (),
            seed=(whole_number(text_at(seed)) or 0) if seed is not None else 0,
            setup=tuple(self.items(value_at(node, "setup"))),
            given=(given,) if given is not None else (),
            begin=text_at(begin) or None,
            begin_span=begin.span if begin is not None else name.key.span,
            play=tuple(self.items(value_at(node, "play"))),
            expects=tuple(self.expects(value_at(node, "expect"))),
            until=text_at(node, "until"),
            ending=text_at(ending),
            ending_span=ending.span if ending is not None else name.key.span,
            pending=tuple(self.pending(node)),
            example=example if (example := text_at(node, "example")) != "false" else "",
            title=value_at(node, "title"),
            text=value_at(node, "text"),
        )

    # --- small things -------------------------------------------------------------------------------------------------

    def names(self, node: Yaml | None) -> tuple[str, ...]:
        """A list of words, or one; the words of an option of several parts are a list of their own."""
        if isinstance(node, Sequence):
            return tuple(", ".join(self.names(item)) for item in node.items)
        return (text_at(node),) if isinstance(node, Scalar) else ()

    def settings(self, node: Yaml | None) -> Iterator[Setting]:
        for name, entry in node.entries.items() if node is not None else ():
            yield Setting(name, text_at(entry.value), entry.key.span, entry.value.span)

    def block(self, node: Yaml | None) -> nodes.Block | None:
        """An effect, if it can be understood."""
        found = self.parsed(node.fragment, "block") if isinstance(node, Scalar) else None
        return found if isinstance(found, nodes.Block) else None

    def expression(self, node: Yaml) -> nodes.Expression | None:
        return self.parsed(node.fragment, "expression") if isinstance(node, Scalar) else None

    def parsed(self, fragment: Fragment, start: str) -> Any:
        """The syntax tree of a text, of the class for this start symbol; None after a diagnostic."""
        return self.reader.once(fragment, start, lambda own: parse(fragment, start, own, self.reader.verbs))

    # --- items --------------------------------------------------------------------------------------------------------

    def items(self, node: Yaml | None) -> Iterator[Item]:
        """The items of `setup` or `play`."""
        for item in node.items if node is not None else ():
            if isinstance(item, Mapping):
                said = [(key, entry) for key, entry in item.entries.items() if key != "times"]
                found = [made for key, entry in said for made in self.item(key, entry.key.span, entry.value)]
                yield from found * (whole_number(text_at(item, "times")) or 1)

    def item(self, key: str, span: Span, value: Yaml) -> Iterator[Item]:
        match key:
            case "roll":
                if isinstance(value, Mapping):
                    yield Roll(span, tuple((name, self.names(entry.value)) for name, entry in value.entries.items()))
            case "deck":
                if isinstance(value, Mapping):
                    yield from self.deck(span, value)
            case "race":
                yield Race(span, self.names(value))
            case "refuse" | "options":
                for player, entry in value.entries.items():
                    yield from self.offers(key, entry.key.span, player, entry.value)
            case "do":
                yield from self.do(span, value)
            case "expect":
                yield from self.expects(value)
            case "unseen":
                for player, entry in value.entries.items():
                    for item in listed(entry.value):
                        yield from self.unseen(item.span, player, item)
            case "pending" | "asked":
                yield Pending(span, self.names(value), key == "asked")
            case player:
                yield Answer(span, player, self.answers(value))

    def pending(self, node: Mapping) -> Iterator[Pending]:
        for key in ("pending", "asked"):
            value = value_at(node, key)
            if value is not None:
                yield Pending(value.span, self.names(value), key == "asked")

    def answers(self, value: Yaml) -> Given:
        """`Draw`, `[a, b]`, `{where_to: wood, pips: 4}`."""
        if isinstance(value, Mapping):
            return tuple((name, self.one(entry.value)) for name, entry in value.entries.items())
        return ((None, self.one(value)),)

    def one(self, value: Yaml) -> str | tuple[str, ...]:
        return self.names(value) if isinstance(value, Sequence) else text_at(value)

    def offers(self, key: str, span: Span, player: str, value: Yaml) -> Iterator[Item]:
        """What follows `refuse` or `options`."""
        if key == "refuse":
            if isinstance(value, Sequence):
                yield Refuse(span, player, tuple((None, text) for text in self.names(value)))
            else:
                yield Refuse(span, player, self.answers(value))
        elif isinstance(value, Mapping):
            for name, entry in value.entries.items():
                yield Options(span, player, name, self.names(entry.value))
        else:
            yield Options(span, player, None, self.names(value))

    def deck(self, span: Span, value: Mapping) -> Iterator[Item]:
        """Piles and what lies on top of them."""
        piles = []
        for entry in value.entries.values():
            pile = self.parsed(entry.key.fragment, "expression")
            pieces = tuple(e for item in listed(entry.value) if (e := self.expression(item)) is not None)
            if pile is not None:
                piles.append((pile, pieces))
        yield Deck(span, tuple(piles))

    def do(self, span: Span, value: Yaml) -> Iterator[Item]:
        """An effect, alone or `{as: anna, effect: …}`."""
        player = None
        node: Yaml | None = value
        if isinstance(value, Mapping):
            player = text_at(value, "as") or None
            node = value_at(value, "effect")
        block = self.block(node)
        if block is not None:
            yield Do(span, player, block)

    def expects(self, value: Yaml | None) -> Iterator[Expect]:
        for item in listed(value):
            condition = self.expression(item)
            if condition is not None:
                yield Expect(item.span, text_at(item), condition)

    def unseen(self, span: Span, player: str, value: Yaml) -> Iterator[Item]:
        """`secret of anna`, or an expression."""
        text = text_at(value)
        name, of, owner = text.partition(" of ")
        if of and name.strip().isidentifier() and owner.strip().isidentifier():
            what: nodes.Expression | None = nodes.Index(
                span, nodes.Name(span, name.strip()), (nodes.Name(span, owner.strip()),)
            )
        else:
            what = self.expression(value)
        if what is not None:
            yield Unseen(span, player, text, what)
