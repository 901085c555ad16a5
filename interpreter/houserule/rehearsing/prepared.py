"""Scenarios that are compiled together with their game, their promised chance, and their matches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from houserule.compiler.program import Program, compile_game
from houserule.compiler.runtime import enter
from houserule.definition.check import CheckedGame
from houserule.definition.flow import Entry, FlowChecker
from houserule.definition.model import CallableDefinition
from houserule.definition.routines import find_needs
from houserule.definition.scenario import Deck, Do, Expect, Roll, Scenario, Unseen
from houserule.diagnostics import InvalidGame, Related, Report, Span
from houserule.language import checked as c
from houserule.language import nodes
from houserule.language.fitting import coerce, snapshot, typed_expr, words_for
from houserule.language.format import format
from houserule.language.lists import list_expr, one_of, pile_expr
from houserule.language.scope import Budget, Context
from houserule.language.trees import everything, statements
from houserule.language.typecheck import condition, expr
from houserule.language.types import NUMBER, PLAYER, POINTS, WINNERS, Int, List, Piece, Type, plain
from houserule.match.game import Game
from houserule.match.match import Match
from houserule.match.rules import add_effect, see_arranges
from houserule.running.log import Arranged, Moved, Swapped, entries, noted
from houserule.running.playout import ended, score_sheet
from houserule.running.state import State
from houserule.telling.labels import Keys


class Failed(Exception):
    """A scenario has failed at a place, for a reason."""

    def __init__(self, span: Span, message: str) -> None:
        self.span = span
        self.message = message
        super().__init__(message)


def spoken_names(target: str) -> tuple[str, str, str]:
    """The names that a scenario may use for the target of a roll: as written, its last word, or without its index."""
    return target, target.rsplit(".", 1)[-1], target.split("[")[0]


@dataclass(slots=True, eq=False)
class PromisedTop:
    """Pieces promised on top of a pile, first drawn first; `since` is the length of the log at the promise."""

    slot: int
    name: str
    pieces: Sequence[int]
    span: Span
    since: int
    lies: bool = False

    def drawn(self, s: State) -> set[int]:
        """The pieces that have left the pile since; moving within the pile does not count."""
        found: set[int] = set()
        for entry in entries(s.log or (), self.since):
            match entry:
                case Moved(piece, source, target) if source == self.slot != target:
                    found.add(piece)
                case Swapped():
                    found.update(piece for piece, source, _ in entry.ways if source == self.slot)
        return found.intersection(self.pieces)


@dataclass(slots=True, eq=False)
class Script:
    """The promised results of chance in one scenario; everything else is left to the seed."""

    keys: Keys
    types: dict[str, Type]  # what can be rolled, by how its target is written
    rolls: dict[str, list[tuple[str, Span]]] = field(default_factory=dict)
    tops: list[PromisedTop] = field(default_factory=list)

    def rolled(self, _: State, name: str, values: Sequence[int]) -> int | None:
        """The promised result of a roll; None if there is no promise."""
        for key in spoken_names(name):
            if self.rolls.get(key):
                text, span = self.rolls[key].pop(0)
                type = self.types.get(name, NUMBER)
                wanted = NUMBER if isinstance(plain(type), Int) else type
                value = self.keys.value(wanted, self.keys.with_ids(text))
                if value is None:
                    raise Failed(span, f"'{text}' is not {wanted}")
                if value not in values:
                    raise Failed(span, f"'{text}' cannot be rolled for '{name}'")
                return value
        return None

    def shuffled(self, s: State, slot: int) -> None:
        """After a shuffle, put promised pieces that have not been drawn yet on top again."""
        for top in self.tops:
            if top.slot == slot:
                self.arrange(s, top)

    def promise(self, s: State, top: PromisedTop, can_wait: bool) -> None:
        """Add a promise and arrange the pile now; a pile that is too small may wait for its next shuffle."""
        self.tops.append(top)
        if not can_wait or len(s.z[top.slot]) >= len(top.pieces):
            self.arrange(s, top)

    def left(self, s: State, top: PromisedTop) -> list[int]:
        """The pieces of a promise that are not drawn yet."""
        drawn = top.drawn(s)
        return [piece for piece in top.pieces if piece not in drawn]

    def arrange(self, s: State, top: PromisedTop) -> None:
        """Put the promised pieces on top of a pile, and those left from earlier promises below them.

        A piece from elsewhere swaps places with the piece that it displaces.
        """
        pile = s.z[top.slot]
        pieces = self.left(s, top)
        if len(pieces) > len(pile):
            lie = "piece lies" if len(pile) == 1 else "pieces lie"
            raise Failed(top.span, f"{len(pile)} {lie} in {top.name}, so {len(pieces)} cannot lie on top of it")
        for earlier in reversed(self.tops[: self.tops.index(top)]):
            if earlier.slot == top.slot and earlier.lies:
                pieces += (p for p in self.left(s, earlier) if s.w[p] == top.slot and p not in pieces)
        touched = {top.slot}
        for depth, piece in enumerate(pieces[: len(pile)]):
            position = len(pile) - 1 - depth
            other = pile[position]
            if other == piece:
                continue
            source = s.w[piece]
            if source < 0:
                raise Failed(top.span, f"'{self.keys.of_piece(piece)}' lies nowhere, so not in a pile")
            s.z[source][s.z[source].index(piece)] = other
            pile[position] = piece
            s.w[other], s.w[piece] = source, top.slot
            touched.add(source)
        top.lies = True
        if s.log is not None:
            order = sorted(touched)
            s.log.append(noted(Arranged(tuple(order), tuple(tuple(s.z[t]) for t in order))))

    def see_kept(self, s: State) -> None:
        """Check that all promises were used. Raises Failed."""
        for name, left in self.rolls.items():
            if left:
                still = ", ".join(text for text, _ in left)
                raise Failed(left[0][1], f"'{name}' was not rolled after this: {still} is left over")
        for top in self.tops:
            if top.pieces and not top.lies:
                raise Failed(top.span, f"{top.name} was not shuffled after this, and had too few pieces before")
            if top.pieces and not top.drawn(s):
                raise Failed(top.span, f"nothing was drawn from {top.name} after this")


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison, shown if the comparison does not hold."""

    text: str
    type: Type
    value: c.Routine


@dataclass(frozen=True, slots=True)
class Check:
    """One condition of an expectation; conditions joined by `and` are separate."""

    text: str
    condition: c.Routine
    sides: tuple[Side, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A zone or variable that a scenario names; its index is worked out when needed."""

    family: c.Family
    index: c.Routine


class Prepared:
    """Scenarios with the same players, options and start, which are checked and compiled together."""

    def __init__(
        self,
        game: Game,
        seats: tuple[str, ...],
        settings: dict[str, int | str],
        entry: Entry,
        report: Report,
        functions: Mapping[str, CallableDefinition],
        budget: Budget,
    ) -> None:
        self.game = Game(game.loaded, {}, settings, [])
        own = self.game.definition.functions
        for name, function in functions.items():
            if name in own:
                message, declared = (
                    f"'{name}' is already the name of a function",
                    Related("declared here", own[name].span),
                )
                report.error("HR504", message, function.span, "choose another name", [declared])
        self.game.definition = replace(self.game.definition, functions={**functions, **own})
        self.game.variants, self.game.with_meanings = game.variants, game.with_meanings
        self.checked: CheckedGame = self.game.check(len(seats), entry, seats, report, budget)
        self.report_to(report)
        self.count = 0
        self.known: set[int] = set()  # the items that have been checked
        self.effects: dict[int, c.Routine] = {}  # by identity of what a scenario says, like the following
        self.expectations: dict[int, tuple[Check, ...]] = {}
        self.decks: dict[int, tuple[tuple[Place, c.Routine], ...]] = {}
        self.secrets: dict[int, Place | c.Routine] = {}
        self.rolls: list[Roll] = []
        analysis = self.checked.analysis
        analysis.extra["points"] = points_of
        analysis.extra_names["winners"] = lambda span: c.Apply(span, List(PLAYER), WINNERS, ())

    def report_to(self, report: Report) -> None:
        self.report = self.checked.analysis.report = report

    # --- content of scenarios -------------------------------------------------------------------------------------------

    def add(self, scenario: Scenario) -> None:
        """Check everything that a scenario does and expects."""
        for block in scenario.given:
            if id(block) not in self.effects:
                self.effect(block, block, sets_off_triggers=False)
        for item in (*scenario.setup, *scenario.play, *scenario.expects):
            if id(item) in self.known:
                continue  # it is repeated, or shared with the scenario before
            self.known.add(id(item))
            match item:
                case Do():
                    self.effect(item, item.effect)
                case Expect():
                    self.expectations[id(item)] = tuple(self.checks(item))
                case Deck():
                    self.decks[id(item)] = tuple(self.deck(item))
                case Unseen():
                    self.secret(item)
                case Roll():
                    self.rolls.append(item)
                case _:
                    pass

    def name(self) -> str:
        self.count += 1
        return f"scenario {self.count}"

    def context(self) -> Context:
        """An expression of a scenario stands by itself: no names, nobody is `me`."""
        return self.checked.analysis.context()

    def effect(self, owner: object, block: nodes.Block, sets_off_triggers: bool = True) -> None:
        self.effects[id(owner)] = add_effect(self.checked, self.name(), block, sets_off_triggers)

    def function(self, expression: c.Expression) -> c.Routine:
        span = expression.span
        body = (c.Return(span, expression),)
        found = c.Routine(self.name(), (), span, True, None, body, expression.type, state="checked")
        self.checked.symbols.functions[found.name] = found
        return found

    def checks(self, item: Expect) -> Iterator[Check]:
        """The conditions of an expectation; each narrows names for the later ones."""
        context = self.context()
        for node in conjuncts(item.condition):
            test, yes, _ = condition(context, node)
            sides = tuple(self.sides(node, test))
            text = item.text if node is item.condition else format(node)
            yield Check(text, self.function(test), sides)
            context.scope.narrow(yes)

    def sides(self, node: nodes.Expression, condition: c.Expression) -> Iterator[Side]:
        """The sides of a comparison, or the list in `empty` or `any`, whose values are not obvious."""
        while isinstance(node, nodes.Not):
            node = node.operand
        match node:
            case nodes.Call(function=nodes.Name(id="empty" | "any" as name), arguments=(listed,)):
                if name not in self.checked.symbols.functions:
                    value = snapshot(list_expr(self.context(), listed))
                    if not isinstance(value, c.Constant):
                        yield Side(format(listed), value.type, self.function(value))
        if isinstance(node, nodes.Compare) and isinstance(condition, c.Apply) and len(condition.arguments) == 2:
            for side, value in zip((node.left, node.right), condition.arguments, strict=True):
                if not isinstance(value, c.Constant) and not isinstance(side, nodes.ListOf):
                    yield Side(format(side), value.type, self.function(value))

    def place(self, found: c.Pile | c.ReadVariable) -> Place:
        family = found.zone if isinstance(found, c.Pile) else found.variable
        return Place(family, self.function(c.Items(found.span, List(NUMBER), found.index)))

    def deck(self, item: Deck) -> Iterator[tuple[Place, c.Routine]]:
        """The piles of a `deck`, each with the pieces on top of it."""
        for pile_node, nodes_of_pieces in item.piles:
            context = self.context()
            pile = pile_expr(context, pile_node, "a deck")
            pieces = tuple(
                coerce(context, expr(context, node), Piece(None), node, "what lies in a deck")
                for node in nodes_of_pieces
            )
            if isinstance(pile, c.Pile):
                yield self.place(pile), self.function(c.Items(pile_node.span, List(Piece(None)), pieces))
            elif not isinstance(pile, c.Constant):
                self.report.error("HR608", f"'{format(pile_node)}' is not one pile", pile_node.span)

    def secret(self, item: Unseen) -> None:
        """Check what a player must not see: a variable, a zone or a piece."""
        errors = len(self.report.found)
        context = self.context()
        found = expr(context, item.what)
        found = found.pile if isinstance(found, c.Single) else found
        if isinstance(found, c.Pile | c.ReadVariable):
            self.secrets[id(item)] = self.place(found)
        elif isinstance(plain(found.type), Piece):
            self.secrets[id(item)] = self.function(found)
        elif len(self.report.found) == errors:
            message = f"what is unseen is one variable, zone or piece, but '{item.text}' is {words_for(found)}"
            help = one_of(context, found.zone) if isinstance(found, c.AllPieces) else None
            self.report.error("HR608", message, item.what.span, help)

    # --- the whole ----------------------------------------------------------------------------------------------------

    def finish(self) -> None:
        """Report what is only known after all scenarios have been added."""
        checked, rolled = self.checked, self.checked.analysis.rolled
        find_needs(checked.footprints, checked.symbols, checked.analysis.inherited_calls, self.report)
        names = {name for target in rolled for name in spoken_names(target)}
        for roll in self.rolls:
            for name, _ in roll.results:
                if name not in names:
                    advice = self.report.did_you_mean(name, sorted(names))
                    self.report.error("HR609", f"nothing called '{name}' is ever rolled", roll.span, advice)

    def see_given(self, scenario: Scenario) -> None:
        """Check that `given` asks nobody and needs no `me`."""
        for block in scenario.given:
            effect = self.effects[id(block)]
            see_arranges(effect, block.span, self.report)
            first = next((item for item in scenario.play if not isinstance(item, Roll | Deck)), None)
            if not isinstance(first, Do | Expect) and (first or scenario.until or scenario.ending or scenario.pending):
                checks = (check for item in scenario.expects for check in self.expectations.get(id(item), ()))
                expected = {
                    node.variable.name
                    for check in checks
                    for node in everything(check.condition.body or ())
                    if isinstance(node, c.ReadVariable)
                }
                self.see_reset(effect, scenario.begin, expected)

    def see_reset(self, given: c.Routine, begin: str | None, expected: set[str]) -> None:
        """Warn of variables that `given` sets and that the step to begin with, or the first in it, resets.

        An expectation about such a variable may be that it was reset.
        """
        definition = self.game.definition
        at_hand = FlowChecker(definition, self.checked.analysis, None).find(begin) if begin is not None else None
        if begin is None:
            at_hand = next((step for step in definition.flow if step.name != "setup"), None)
        resets: dict[str, str] = {}
        while at_hand is not None:
            names = (at_hand.name, at_hand.path)
            resets |= {v.name: at_hand.path for v in definition.variables.values() if v.reset in names}
            at_hand = at_hand.steps[0] if at_hand.steps else None
        for statement in statements(given.body or ()):
            name = statement.target.variable.name if isinstance(statement, c.SetVariable) else ""
            if name in resets and name not in expected:
                message = f"'{name}' goes back to its start before '{resets[name]}', so what 'given' sets is lost"
                help = f"set it in `play` with `do:`, or begin inside '{resets[name]}'"
                self.report.warning("HR612", message, statement.span, help)

    def see_me(self, item: Do) -> None:
        if item.player is None and self.effects[id(item)].needs_me:
            help = "do: {as: anna, effect: …}"
            self.report.error("HR530", "this effect needs a 'me', and nobody is 'me' here", item.effect.span, help)

    @property
    def may_ask_anyway(self) -> bool:
        """Whether all programs once asked more questions than now: those of whom all can see that they have nothing to choose."""
        always = self.checked.secrets.always_put
        return any(site in always and site.counted not in always for site in self.checked.sites if site.counted)

    def compile(self, marking: bool = False, asks_anyway: bool = False) -> Program:
        """The program of the game with everything that its scenarios do and expect; `marking` for coverage."""
        if self.report.has_errors:
            raise InvalidGame(self.report.diagnostics)
        program = compile_game(self.checked, told=True, restartable=True, marking=marking, asks_anyway=asks_anyway)

        def points(s: State, player: int) -> int:
            return score_sheet(program, s)[1][player]

        def leaders(s: State) -> list[int]:
            return ended(program, s, score_sheet(program, s)[1])[1]

        program.namespace["POINTS"] = points
        program.namespace["WINNERS"] = leaders
        return program


def points_of(context: Context, call: nodes.Call) -> c.Expression:
    """`points(anna)`: the current points of a player."""
    if len(call.arguments) != 1:
        message = f"'points' expects a player, got {len(call.arguments)} arguments"
        return context.error("HR511", message, call.span, "points(anna)")
    who = typed_expr(context, call.arguments[0], PLAYER, "whose points")
    return c.Apply(call.span, NUMBER, POINTS, (who,))


def conjuncts(node: nodes.Expression) -> Iterator[nodes.Expression]:
    """The conditions that are joined by `and`, from the left."""
    if isinstance(node, nodes.Logic) and node.operator == "and":
        yield from conjuncts(node.left)
        yield from conjuncts(node.right)
    else:
        yield node


RETURNED = -6
"""The code with which an effect that was run from outside ends."""


class ArrangedMatch(Match):
    """A match under the control of a scenario."""

    def __init__(self, prepared: Prepared, program: Program, state: State, scenario: Scenario) -> None:
        super().__init__(prepared.game, program, state, scenario.players, scenario.seed, "en")
        self.mixes = False
        self.waiting: list[int] = []  # below effects under test: the sites of the pending choices, -1 for a pause
        self.pause_at = -1
        self.is_at_rest = True

    def _go(self, pc: int) -> None:
        """Run to the next question, the end, or a pause; broken promises about chance may stop it in between."""
        self.is_at_rest = False
        super()._go(pc)
        self.is_at_rest = True

    def begin(self) -> None:
        self._go(self.program.entry)

    def put_again(self) -> None:
        self._pending = None
        if self.state.waits and self.state.forks is None and not self.is_paused and not self.is_over:
            self._go(self.program.asked_at[self.state.site])

    def perform(self, routine: c.Routine, me: int) -> None:
        """Run an effect that may ask, while another question is pending."""
        s = self.state
        if self.is_paused:
            self.waiting.append(-1)
            self.pause_at = s.pc
            self.is_paused = False
        else:
            self.waiting.append(s.site)
        self._go(enter(s, self.program.entries[routine.name], [RETURNED, me, -1]))

    def _returned(self, code: int) -> None:
        """Handle the end of an effect under test: put the earlier question again."""
        assert code == RETURNED
        site = self.waiting.pop()
        if site >= 0:
            self._go(self.program.asked_at[site])
        else:
            self.is_paused = True
            self.state.pc = self.pause_at
