"""The rules of a game for its matches, and start positions."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from houserule.compiler.program import Program, compile_game
from houserule.definition.check import CheckedGame, Rules, check_game, too_much
from houserule.definition.flow import Entry
from houserule.definition.load import Loaded
from houserule.definition.model import GameDefinition
from houserule.definition.routines import find_needs
from houserule.definition.variant import Variant, read_variant
from houserule.diagnostics import Diagnostic, InvalidGame, Report, Span
from houserule.language import nodes
from houserule.language.calls import check_routine
from houserule.language.checked import Routine
from houserule.language.format import format
from houserule.language.parse import parse
from houserule.language.scope import Budget, Meanings, OverBudget
from houserule.printable import short_title
from houserule.source import Fragment, Mapping, Source
from houserule.workshop.library import OPERATIONS, display, find_variant, is_bundled, variants_of


class CompiledRules:
    """The rules of a game with its variants and settings, and the compiled programs."""

    def __init__(
        self,
        loaded: Loaded,
        checked: dict[int, CheckedGame],
        settings: dict[str, int | str],
        diagnostics: list[Diagnostic],
    ) -> None:
        assert loaded.definition is not None
        self.loaded = loaded
        self.definition: GameDefinition = loaded.definition
        self._checked = checked
        self.settings = settings
        self.diagnostics = diagnostics
        self.variants: tuple[str, ...] = ()
        self.with_meanings = False  # whether a check records what each node means
        self.asks_anyway = False  # whether those are asked of whom all can see that they have nothing to choose from

    @property
    def id(self) -> str:
        return self.definition.name

    @property
    def path(self) -> Path:
        return self.file.parent

    @property
    def file(self) -> Path:
        """The file of its rules, which need not be called game.yaml."""
        return self.loaded.path

    @property
    def players(self) -> range:
        """The possible numbers of players."""
        low, high = self.definition.players
        return range(low, high + 1)

    @property
    def players_in_words(self) -> str:
        """The possible numbers of players: `2`, or `2 to 4`."""
        low, high = self.definition.players
        return f"{low}" if low == high else f"{low} to {high}"

    def see_players(self, number: int) -> None:
        """Raise ValueError if that is no possible number of players."""
        if number not in self.players:
            raise ValueError(f"{self.id} is for {self.players_in_words} players, not for {number}")

    @property
    def languages(self) -> list[str]:
        """The languages of its titles and texts; the first is used where another is missing."""
        return list(self.definition.languages) or ["en"]

    @property
    def defaults(self) -> dict[str, str]:
        return {name: format(option.default) for name, option in self.definition.options.items()}

    @property
    def house_rules(self) -> list[str]:
        return variants_of(self.path)

    @property
    def house_rules_in_use(self) -> tuple[Variant, ...]:
        """The house rules that it is played with, in the order in which they apply."""
        return tuple(self.loaded.variants)

    @property
    def tree(self) -> Mapping:
        """Its rules with the house rules in use, as a tree whose nodes know their places in the files."""
        assert self.loaded.tree is not None  # what is played has been read
        return self.loaded.tree

    def titles_of_house_rules(self, language: str = "en") -> dict[str, str]:
        """The title of each of the game's variants by id, and of those it is played with; empty if a file cannot be read."""
        found = self._variants_at_hand()
        return {name: variant.title(language) if variant else "" for name, variant in found.items()}

    def players_of_house_rules(self) -> dict[str, tuple[int, int]]:
        """The fewest and the most players of the variants that say for how many they are, by id."""
        found = {name: variant.players if variant else None for name, variant in self._variants_at_hand().items()}
        return {name: players for name, players in found.items() if players is not None}

    def _variants_at_hand(self) -> dict[str, Variant | None]:
        found: dict[str, Variant | None] = {variant.name: variant for variant in self.loaded.variants}
        for name in self.house_rules:
            if name not in found:
                file = find_variant(self.path, name)
                found[name] = read_variant(file, Report(), display(file))
        return found

    @property
    def assumptions(self) -> list[tuple[Span, str]]:
        """What the rulebook leaves open: the place of each decision, and its reason."""
        return [(a.span, a.reason) for a in self.definition.assumptions]

    @property
    def revelations(self) -> list[tuple[Span, str]]:
        return [(r.span, r.reason) for r in self.definition.revelations]

    def title(self, language: str = "en") -> str:
        """The title in a language, else in the first one given, cut where nobody reads on; the id if it has none."""
        return short_title(self.definition.title.raw(language)) if self.definition.title else self.id

    def text(self, language: str = "en") -> str:
        return self.definition.text.raw(language) if self.definition.text else ""

    @property
    def rules_hash(self) -> str:
        """A hash of the effective rules as loaded: of all files, variants and options."""
        digest = hashlib.sha256()
        for name, content in self.loaded.files:
            digest.update(name.encode("utf-8", "surrogateescape"))
            digest.update(content)
        digest.update(repr(sorted(self.settings.items())).encode())
        return digest.hexdigest()[:16]

    @property
    def shown_path(self) -> str | None:
        return None if is_bundled(self.path) else str(self.path)

    def program(self, players: int, told: bool, watched: bool = False) -> Program:
        """The compiled rules for a number of players, told or quiet; a watched program is quiet and notes the answers of chance."""
        self.see_players(players)
        checked = self.checked(players)
        flavour = told, watched, self.asks_anyway
        if flavour not in checked.programs:
            checked.programs[flavour] = compile_game(checked, told, watched=watched, asks_anyway=self.asks_anyway)
        made: Program = checked.programs[flavour]
        return made

    def any_program(self, players: int) -> Program:
        """A program for a number of players whose flavour does not matter: one that is compiled already, or else the quiet one."""
        made = next(iter(self.checked(players).programs.values()), None) if players in self.players else None
        return made or self.program(players, told=False)

    def meanings(self, players: int) -> Meanings:
        """The type and the symbol of each node of the rules for a number of players; they are recorded anew for each call."""
        rules = Rules(self.definition, OPERATIONS, self.settings, with_meanings=True)
        made = check_game(rules, players, Report())
        assert made is not None and made.analysis.meanings is not None
        return made.analysis.meanings

    def checked(self, players: int) -> CheckedGame:
        """The game checked for a number of players, shared by all programs for that number."""
        if players not in self._checked:
            self._checked[players] = self.check(players)
        return self._checked[players]

    def forget(self, players: int) -> None:
        """Let go of the game checked for a number of players, and of its programs: each takes much memory."""
        self._checked.pop(players, None)

    def check(
        self,
        players: int,
        entry: Entry | None = None,
        seats: tuple[str, ...] = (),
        report: Report | None = None,
        budget: Budget | None = None,
    ) -> CheckedGame:
        """The game checked for a number of players, or for scenarios with the same start and their additions."""
        own = report if report is not None else Report()
        rules = Rules(self.definition, OPERATIONS, self.settings, budget or Budget(), self.with_meanings)
        made = check_game(rules, players, own, entry, seats)
        if made is None or (own.has_errors and report is None):
            raise InvalidGame(own.diagnostics)
        return made


def add_effect(checked: CheckedGame, name: str, block: nodes.Block, sets_off_triggers: bool = True) -> Routine:
    """Make an effect an action of a checked game."""
    found = Routine(name, (), block.span, False, block, sets_off_triggers=sets_off_triggers)
    checked.symbols.actions[name] = found
    check_routine(checked.analysis, found)
    return found


def see_arranges(effect: Routine, span: Span, report: Report) -> None:
    """Check that an effect that arranges the table asks nobody and needs no `me`."""
    if effect.asks:
        report.error("HR605", "'given' may not ask anybody", span, "put it into `play` as `do:`")
    if effect.needs_me:
        help = "write who is meant: `anna.hand`, or `as anna: …`"
        report.error("HR530", "nobody is 'me' in 'given'", span, help)


def with_position(rules: CompiledRules, seats: Sequence[str], given: str) -> tuple[Program, Routine]:
    """The program of a game that pauses after its set-up, and the effect that then arranges the table.

    Raises InvalidGame if the effect cannot be understood, asks somebody, or needs a `me`.
    """
    report = Report()
    # Several lines are read like `given: |` in a scenario.
    head = "|\n" if "\n" in given else ""
    source = Source("given", head + given)
    fragment = Fragment(given, source, "literal" if head else "plain", 0, len(source.text))
    checked = rules.check(len(seats), Entry(None), tuple(seats), report)
    block = parse(
        fragment, "block", report, {name: tuple(v.prepositions) for name, v in checked.analysis.verbs.items()}
    )
    if not isinstance(block, nodes.Block) or report.has_errors:
        raise InvalidGame(report.diagnostics)
    try:
        effect = add_effect(checked, "given effect", block, sets_off_triggers=False)
    except OverBudget as over:
        too_much(over.span, report)
        raise InvalidGame(report.diagnostics) from None
    find_needs(checked.footprints, checked.symbols, checked.analysis.inherited_calls, report)
    see_arranges(effect, block.span, report)
    if report.has_errors:
        raise InvalidGame(report.diagnostics)
    return compile_game(checked, told=True, asks_anyway=rules.asks_anyway), effect
