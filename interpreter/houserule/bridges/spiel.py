"""Games of OpenSpiel: with information states, chance nodes and simultaneous nodes.

>>> from houserule.bridges import spiel
>>> game = spiel.game("my_game", players=2)
>>> state = game.new_initial_state()

Each draw of chance is a node of its own, with its outcomes. The order of a shuffled zone that nobody sees is drawn when it matters: card by
card, as it is dealt. An information state is what its player has seen at each question and what they were shown, with their own answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import product
from random import Random
from threading import Lock
from typing import Any
from zlib import crc32

from houserule import Game
from houserule.bridges.draws import Chance, Loose, Wanted, as_they_lie, copied
from houserule.bridges.playing import UTILITIES, checked_players, go, rules_of, utilities
from houserule.bridges.sandboxed import BEGIN, Sandbox, sandbox_of
from houserule.compiler.program import Program, compile_game
from houserule.extras import library
from houserule.language.types import Int
from houserule.operations.zones import shuffle
from houserule.running.faults import FAULTS, rule_fault
from houserule.running.state import State
from houserule.spaces.answers import Actions, Asked, Several
from houserule.spaces.sights import Observations

np = library("numpy", "openspiel")
pyspiel = library("pyspiel", "openspiel")
SpielState: Any = pyspiel.State
SpielGame: Any = pyspiel.Game

MOST_POINTS = 1_000_000.0
MOST_DRAWS = 1 << 16
"""A draw of chance has at most so many outcomes."""
LONGEST = 100_000
ALMOST = 1e-6
"""Chances that differ less are the same."""
ROOM = 1 << 20
"""Room for stops that are kept without `keeps`, in numbers of their states: some megabytes."""
PATIENCE = 1000
"""So many steps are made in Python before a game is compiled natively, which takes longer than they do."""
CHANCE, TERMINAL, SIMULTANEOUS = (
    int(one) for one in (pyspiel.PlayerId.CHANCE, pyspiel.PlayerId.TERMINAL, pyspiel.PlayerId.SIMULTANEOUS)
)
NOTHING: dict[int, tuple[int, ...]] = {}


class Tree:
    """The rules of a game as a tree: a program of its own, in which every draw of chance can be chosen."""

    def __init__(self, game: Game, players: int, utility: str, keeps: bool) -> None:
        self.game, self.players, self.utility = game, players, utility
        self.keeps = keeps
        self.root: Stop | None = None
        self.questions: dict[tuple[int, ...], Asked] = {}
        self.walk: Walk | None = None
        self.patience = PATIENCE
        self.program: Program = compile_game(game.checked(players), told=False)
        self.program.namespace["shuffle"] = self.shuffled
        self.program.namespace["show"] = self.show
        self.spaces = Observations(Actions(self.program, game.rules_hash))
        self.actions = self.spaces.actions
        self.waiting = self.actions.size
        self.room = ROOM // (len(self.program.places) + len(self.program.variables) + len(self.program.zones) + 100)
        """How many more stops and questions are kept without `keeps`: the first ones, to which all matches come back."""
        self.chance = Chance(())
        self.is_simultaneous = bool(self.program.together_at) or any(s.kind == "race" for s in self.program.sites)

    def __deepcopy__(self, _: object) -> Tree:  # OpenSpiel copies states deeply
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return tree_of, (self.game, self.players, self.utility, self.keeps)

    def shuffled(self, s: State, zone: int) -> None:
        """Shuffle a pile: at once if somebody may see it, else when its order matters."""
        chance, pile = self.chance, s.z[zone]
        if self.program.zone_sight[zone] != "none":
            shuffle(s, zone)
        elif isinstance(pile, Loose):
            pile.loose = len(pile)
        else:
            s.z[zone] = Loose(pile, chance, len(pile))

    def show(self, _: State, pieces: Sequence[int], to: Sequence[int]) -> None:
        self.chance.shown.append((tuple(piece for piece in pieces if piece >= 0), tuple(to)))

    def first(self) -> Stop:
        """Where a match first stops."""
        self.root = self.root or Stop(self, None)
        return self.root

    def walking(self) -> Walk | None:
        """The sandbox in which a game without chance goes on, once it is worth its compilation; None where Python does."""
        self.patience -= 1
        if not self.patience and not any(one.has_hidden for one in self.actions.questions):
            sandbox = sandbox_of(self.game.observations(self.players), "auto")
            self.walk = Walk(self, sandbox) if sandbox is not None else None
        return self.walk

    def question(self, s: State, seat: int, number: int) -> Asked:
        """The question that a state asks a seat; hidden pieces are offered in an order that follows from the state and from `number`."""
        one = self.actions.questions[s.site]
        key = (s.site, *s.options)
        if one.is_open and key in self.questions:  # made once: else some games take 1.2 to 1.4 times as long
            return self.questions[key]
        mixed = None
        if one.has_hidden:
            order = repr([number, *(list.__repr__(pile) for pile in s.z)])
            mixed = self.actions.mixing(s, seat, Random(crc32(order.encode())))
        found = self.actions.asked(s, seat, mixed)
        if one.is_open:
            self.keep(self.questions, key, found)
        return found

    def keep(self, kept: dict[Any, Any], key: Any, found: Any) -> None:
        """Keep what may be asked for again, while there is room."""
        if self.keeps or self.room > 0:
            self.room -= 1
            kept[key] = found

    def go(
        self, before: Moment | None, answers: Sequence[tuple[int, tuple[int, ...]]], outcomes: Sequence[int]
    ) -> Moment:
        """What follows after some answers, with these outcomes of chance. Raises Wanted, and RuleFault."""
        self.chance = chance = Chance(outcomes)
        try:
            if before is None:
                s = State(self.program, None)
                s.random = chance.random
                is_over = go(s, self.program.entry)
            else:
                s, is_over = copied(before.state, chance), False
                for seat, taken in answers:
                    pc = s.give(seat, before.answer(seat, taken))
                    is_over = is_over or (pc is not None and go(s, pc))
        except FAULTS as error:
            raise rule_fault(self.program, error) from error
        if is_over:
            s.z = as_they_lie(s.z)
        return Moment(self, s, is_over, chance, before, answers)


@lru_cache(maxsize=64)
def tree_of(game: Game, players: int, utility: str, keeps: bool) -> Tree:
    """The tree of a game, made once."""
    return Tree(game, players, utility, keeps)


class Moment:
    """A state that waits for answers, or is over; what each player sees then is worked out when it is asked for."""

    __slots__ = (
        "_asked", "_vectors", "before", "is_over", "number", "outcomes", "seats", "shown", "state", "texts", "took", "tree", "worth",
    )  # fmt: skip

    def __init__(
        self,
        tree: Tree,
        state: State,
        is_over: bool,
        chance: Chance,
        before: Moment | None,
        took: Sequence[tuple[int, tuple[int, ...]]],
    ) -> None:
        self.tree, self.state, self.is_over, self.before, self.took = tree, state, is_over, before, took
        self.shown, self.outcomes = chance.shown, chance.outcomes
        self.seats = [] if is_over else state.seats_asked
        self.number: int = before.number + 1 if before is not None else 0
        self._asked: dict[int, Asked] = {}
        self._vectors: dict[tuple[int, tuple[int, ...]], list[int]] = {}
        self.texts: dict[int, tuple[str, list[int], tuple[str, ...]]] = {}
        self.worth: list[float] | None = None

    def __deepcopy__(self, _: object) -> Moment:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        way: list[Any] = []
        at: Moment | None = self
        while at is not None:
            way.append((at.took, at.outcomes))
            at = at.before
        return moment_after, (self.tree, way[::-1])

    def asked(self, seat: int, taken: Sequence[int]) -> Asked:
        """The question of a seat after some numbers."""
        known = self._asked.get(seat)
        if known is None:
            known = self._asked[seat] = self.tree.question(self.state.at(seat), seat, self.number)
        if not taken:
            return known
        found = known.again()
        for number in taken:
            found.take(number)
        return found

    def legal(self, seat: int, taken: tuple[int, ...]) -> list[int]:
        """The numbers that a seat may take after some; none when it has answered."""
        return self.asked(seat, taken).legal

    def is_answered(self, seat: int, taken: tuple[int, ...]) -> bool:
        """Whether these numbers answer the question of a seat."""
        if len(taken) == 1 and not isinstance(known := self.asked(seat, ()), Several):
            return not isinstance(known.tree.get(taken[0], NOTHING), dict)
        return self.asked(seat, taken).is_done

    def answer(self, seat: int, taken: tuple[int, ...]) -> Any:
        """The answer that some numbers stand for."""
        if len(taken) == 1 and not isinstance(known := self.asked(seat, ()), Several):
            return known.tree[taken[0]]
        return self.asked(seat, taken).answer

    def vector(self, seat: int, taken: tuple[int, ...] = ()) -> list[int]:
        key = seat, taken
        if key not in self._vectors:
            s = self.state.at(seat)
            own = s.site if seat in self.seats else -1
            piles = s.z
            s.z = as_they_lie(piles)
            try:
                self._vectors[key] = self.tree.spaces.vector(
                    s, seat, self.state.seats_acting if self.seats else (), own, taken
                )
            finally:
                s.z = piles
        return self._vectors[key]

    def told(self, seat: int) -> str:
        """What a seat has seen so far, moment by moment, and what it has answered."""
        waiting: list[Moment] = []
        at: Moment | None = self
        while at is not None and seat not in at.texts:
            waiting.append(at)
            at = at.before
        for moment in reversed(waiting):
            moment.texts[seat] = moment.told_after(seat)
        return self.texts[seat][0]

    def told_after(self, seat: int) -> tuple[str, list[int], tuple[str, ...]]:
        """What a seat has seen and answered, where the moment before is known; what it saw last, and what it was shown since.

        While others act at the same time, nothing is told between their answers: how often they are asked would tell what they chose.
        """
        text, was, later = self.before.texts[seat] if self.before is not None else ("", [0] * self.tree.spaces.size, ())
        text += "".join(f";took {' '.join(map(str, taken))}" for player, taken in self.took if player == seat)
        kinds = self.tree.program.kind_of
        shown = *later, *(f"shown {kinds[one].id_of(one)}" for pieces, to in self.shown if seat in to for one in pieces)
        if self.state.forks is not None and seat not in self.seats:
            return text, was, shown
        seen = self.vector(seat)
        parts = [f"{at}:{now}" for at, (now, old) in enumerate(zip(seen, was, strict=True)) if now != old] + [*shown]
        return f"{text};{' '.join(parts)}" if parts else text, seen, ()

    def returns(self) -> list[float]:
        """What each player has in the end."""
        if self.worth is None:
            tree = self.tree
            self.worth = utilities(tree.program, self.state, tree.utility) if self.is_over else [0.0] * tree.players
        return self.worth[:]


def moment_after(tree: Tree, way: Sequence[tuple[Any, Any]]) -> Moment:
    """The moment at the end of a way of answers and outcomes."""
    at: Moment | None = None
    for answers, outcomes in way:
        at = tree.go(at, answers, outcomes)
    assert at is not None
    return at


class Stop:
    """Where a match stops: for chance, for answers, or at its end. `taken` are the numbers that seats have given so far, by seat."""

    __slots__ = ("answers", "children", "legal_of", "moment", "outcomes", "player", "taken", "tree", "wanted")

    def __init__(
        self,
        tree: Tree,
        moment: Moment | None,
        answers: Sequence[tuple[int, tuple[int, ...]]] = (),
        outcomes: tuple[int, ...] = (),
        taken: dict[int, tuple[int, ...]] = NOTHING,
        goes_on: bool = True,
    ) -> None:
        self.tree, self.moment, self.answers, self.outcomes, self.taken = tree, moment, answers, outcomes, taken
        self.wanted = 0
        self.children: dict[Any, Stop] = {}
        self.legal_of: dict[int, list[int]] = {}
        if goes_on:
            self.go_on()
        self.player = self.next_player()

    def __deepcopy__(self, _: object) -> Stop:  # OpenSpiel copies states deeply
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Stop, (self.tree, self.moment, self.answers, self.outcomes, self.taken, bool(self.wanted))

    def go_on(self) -> None:
        """Go on after answers or an outcome of chance."""
        try:
            self.moment = self.tree.go(self.moment, self.answers, self.outcomes)
            self.outcomes, self.answers = (), ()
        except Wanted as wanted:
            if wanted.outcomes > MOST_DRAWS:
                raise ValueError(f"a draw of chance has {wanted.outcomes} outcomes") from None
            self.wanted = wanted.outcomes
            self.tree.patience = 0  # a game with chance goes on in Python

    def next_player(self) -> int:
        """Who acts: a seat, chance, all at once, or nobody any more."""
        if self.wanted or self.moment is None:
            return CHANCE
        if self.moment.is_over:
            return TERMINAL
        seats = self.moment.seats
        return SIMULTANEOUS if len(seats) > 1 and self.tree.is_simultaneous else seats[0]

    def legal(self, player: int) -> list[int]:
        """The numbers that a player may take."""
        found = self.legal_of.get(player)
        if found is None:
            found = self.legal_of[player] = self.legal_now(player)
        return found

    def legal_now(self, player: int) -> list[int]:
        if self.player in (CHANCE, TERMINAL) or player != self.player != SIMULTANEOUS:
            return []
        assert self.moment is not None
        if player not in self.moment.seats or self.is_done(player):
            return [self.tree.waiting]
        return self.moment.legal(player, self.taken.get(player, ()))

    def is_done(self, player: int) -> bool:
        """Whether a player has answered, while others have not."""
        assert self.moment is not None
        return player in self.taken and not self.moment.legal(player, self.taken[player])

    def returns(self) -> list[float]:
        """What each player has in the end; 0 before."""
        return self.moment.returns() if self.moment is not None else [0.0] * self.tree.players

    def seen(self, player: int) -> list[int]:
        if self.moment is None:
            return [0] * self.tree.spaces.size
        return self.moment.vector(player, self.taken.get(player, ()))

    def after(self, action: Any) -> Stop:
        """Where the match stops after an action of whoever acts, or after those of all as pairs. Raises ValueError, and RuleFault."""
        found = self.children.get(action)
        if found is None:
            found = self.after_outcome(action) if self.player == CHANCE else self.after_answers(action)
            self.tree.keep(self.children, action, found)
        return found

    def after_outcome(self, outcome: int) -> Stop:
        if not 0 <= outcome < self.wanted:
            raise ValueError(f"{outcome} is not among the {self.wanted} outcomes")
        return Stop(self.tree, self.moment, self.answers, (*self.outcomes, outcome))

    def after_answers(self, action: Any) -> Stop:
        is_first = self.player >= 0 and not self.taken
        if is_first and (walk := self.tree.walking()) is not None and (found := walk.after(self, action)) is not None:
            return found
        assert self.moment is not None
        if is_first and self.moment.is_answered(self.player, (action,)):  # else a game of dice takes 1.2 times as long
            return Stop(self.tree, self.moment, ((self.player, (action,)),))
        taken = dict(self.taken)
        for player, number in action if isinstance(action, tuple) else ((self.player, action),):
            if player in self.moment.seats and not self.is_done(player):
                given = (*taken.get(player, ()), number)
                if number not in self.legal(player):
                    raise ValueError(f"{number} is not among the legal numbers: {self.legal(player)}")
                taken[player] = given
        if all(player in taken and self.moment.is_answered(player, taken[player]) for player in self.moment.seats):
            return Stop(self.tree, self.moment, tuple(sorted(taken.items())))
        return Stop(self.tree, self.moment, (), (), taken, False)


class Walked(Stop):
    """A stop that a sandbox came to by one number; its moment is worked out in Python when somebody asks for it."""

    __slots__ = ("before", "found", "number", "worth")

    def __init__(self, before: Stop, number: int, player: int, legal: list[int], worth: list[float]) -> None:
        self.tree, self.before, self.number, self.player, self.worth = before.tree, before, number, player, worth
        self.wanted, self.answers, self.outcomes, self.taken = 0, (), (), NOTHING
        self.children, self.legal_of = {}, {player: legal}
        self.found: Moment | None = None

    @property
    def moment(self) -> Moment:  # type: ignore[override]  # worked out when it is asked for, where others keep it
        """What the match has come to, worked out from the last moment before that is known."""
        waiting: list[Walked] = []
        at: Stop = self
        while isinstance(at, Walked) and at.found is None:
            waiting.append(at)
            at = at.before
        moment = at.found if isinstance(at, Walked) else at.moment
        for stop in reversed(waiting):
            moment = stop.found = self.tree.go(moment, ((stop.before.player, (stop.number,)),), ())
        assert moment is not None
        return moment

    def returns(self) -> list[float]:
        return self.worth[:]

    def seen(self, player: int) -> list[int]:
        walk = self.tree.walk
        found = walk.seen(self, player) if walk is not None else None
        return super().seen(player) if found is None else found


class Walk:
    """A match in a sandbox, in which chance draws nothing: at the last stop that was walked to, and elsewhere by walking again from the beginning."""

    def __init__(self, tree: Tree, sandbox: Sandbox) -> None:
        self.tree, self.sandbox = tree, sandbox
        self.at: Stop | None = None
        self.nothing = [0.0] * tree.players
        self.lock = Lock()
        """All states of a game have this sandbox, and threads may have states of their own."""

    def after(self, before: Stop, number: int) -> Walked | None:
        """Where the match stops after a number; None where Python has to find that out."""
        if number not in before.legal(before.player):
            return None
        with self.lock:
            if not (self.carry_out(number) if self.at is before else self.carry_out(BEGIN, *way_to(before), number)):
                return None
            over, _, asked = self.sandbox.head
            if over:
                found = Walked(before, number, TERMINAL, [], self.sandbox.worth(self.tree.utility))
            else:
                found = Walked(before, number, asked, listed(bytes(self.sandbox.is_legal)), self.nothing)
            self.at = found
        return found

    def seen(self, stop: Stop, player: int) -> list[int] | None:
        """What a player sees; None where the match is elsewhere."""
        with self.lock:
            if self.at is not stop or not self.sandbox.machine.ran("look", player):
                return None
            found: list[int] = self.sandbox.seen.tolist()
        return found

    def carry_out(self, *commands: int) -> bool:
        """Carry out commands; returns whether that was done, or the sandbox is given up for good, since only Python can go on."""
        self.at = None
        for command in commands:
            if not self.sandbox.machine.ran("turn", command) or self.sandbox.has_drawn:
                self.tree.walk = None
                return False
        return True


def way_to(stop: Stop) -> list[int]:
    """The numbers that lead to a stop."""
    way: list[int] = []
    while isinstance(stop, Walked):
        way.append(stop.number)
        stop = stop.before
    moment = stop.moment
    while moment is not None and moment.before is not None:
        way += [number for _, taken in moment.took for number in taken]
        moment = moment.before
    return way[::-1]


@lru_cache(maxsize=4096)
def listed(mask: bytes) -> list[int]:
    """The numbers that are legal in a mask, a list that nobody changes."""
    found: list[int] = np.frombuffer(mask, np.int8).nonzero()[0].tolist()
    return found


class Position(SpielState):  # type: ignore[misc]  # a class of a library without types
    """A state of OpenSpiel: it waits for answers or for chance, or is over."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.stop: Stop = game.tree.first()

    @property
    def tree(self) -> Tree:
        return self.stop.tree

    @property
    def moment(self) -> Moment | None:
        """What the match has come to at the last question."""
        return self.stop.moment

    # --- as OpenSpiel has it; what it derives from these is here where it is much asked for ----------------------------------

    def current_player(self) -> int:
        """Who acts: a seat, chance, all at once, or nobody any more."""
        return self.stop.player

    def is_terminal(self) -> bool:
        return self.stop.player == TERMINAL

    def is_chance_node(self) -> bool:
        return self.stop.player == CHANCE

    def is_simultaneous_node(self) -> bool:
        return self.stop.player == SIMULTANEOUS

    def _legal_actions(self, player: int) -> list[int]:
        return self.stop.legal(player)

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The numbers that whoever acts may take, or the outcomes of chance; or those of a player."""
        stop = self.stop
        if stop.player == CHANCE and player in (None, CHANCE):
            return [*range(stop.wanted)]
        return stop.legal(stop.player if player is None else player)[:]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of a draw, all equally likely."""
        return outcomes_of(self.stop.wanted)[:]

    def _apply_action(self, action: int) -> None:
        self.stop = self.stop.after(action)

    def _apply_actions(self, actions: Any) -> None:
        listed = actions.items() if isinstance(actions, dict) else enumerate(actions)
        self.stop = self.stop.after(tuple((int(player), int(action)) for player, action in listed))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE:
            return f"outcome {action + 1}"
        if action == self.tree.waiting:
            return "wait"
        return self.tree.actions.names[action] if 0 <= action < self.tree.actions.size else f"no answer {action}"

    def returns(self) -> list[float]:
        """What each player has in the end; 0 before."""
        return self.stop.returns()

    def told(self, player: int) -> str:
        """The information state of a player."""
        now = self.moment.told(player) if self.moment is not None else ""
        taken = self.stop.taken.get(player)
        return f"{now};taken {taken}" if taken else now

    def seen(self, player: int) -> list[int]:
        return self.stop.seen(player)

    def __str__(self) -> str:
        number = self.moment.number if self.moment is not None else -1
        return f"moment {number}, {len(self.stop.outcomes)} draws, taken {self.stop.taken}" + (
            ", over" if self.is_terminal() else ""
        )


@cache
def outcomes_of(count: int) -> list[tuple[int, float]]:
    """So many outcomes, all equally likely."""
    return [(outcome, 1 / count) for outcome in range(count)]


class Observer:
    """What OpenSpiel asks about a state: the vector of a player, and the information state as a text."""

    def __init__(self, tree: Tree, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"there are no parameters of an observation, and got {params}")
        self.tree = tree
        self.has_recall = kind.perfect_recall
        self.tensor = np.zeros(tree.spaces.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: Position, player: int) -> None:
        """Fill the tensor with what a player sees."""
        self.tensor[:] = state.seen(player)

    def string_from(self, state: Position, player: int) -> str:
        """The information state, or only what a player sees now."""
        return state.told(player) if self.has_recall else " ".join(map(str, state.seen(player)))


def game_type(tree: Tree, name: str, zero_sum: bool) -> Any:
    """What OpenSpiel knows of a kind of game."""
    kinds = pyspiel.GameType
    hides = any(sight != "all" for sight in (*tree.program.zone_sight, *tree.program.variable_sight))
    return kinds(
        short_name=name,
        long_name=tree.game.title(),
        dynamics=kinds.Dynamics.SIMULTANEOUS if tree.is_simultaneous else kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION if hides else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=tree.players,
        min_num_players=tree.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
    )


def register(
    game: Game | str,
    players: int | None = None,
    *,
    utility: str = "wins",
    zero_sum: bool = False,
    rules: str | None = None,
    name: str | None = None,
    keeps: bool = False,
) -> str:
    """Register a game with OpenSpiel; returns the name for `pyspiel.load_game`, by default `houserule_ID_PLAYERS`.

    `utility` is `wins` or `points`; `zero_sum` promises that it adds up to 0; with `keeps`, states are
    kept for algorithms that walk the whole tree of a small game again and again. Raises what `load` raises, and OtherRules.
    """
    if utility not in UTILITIES:
        raise ValueError(f"utility is one of {', '.join(UTILITIES)}, not '{utility}'")
    found = rules_of(game, rules)
    tree = tree_of(found, checked_players(found, players), utility, keeps)
    short = name or f"houserule_{found.id}_{tree.players}"
    kind = game_type(tree, short, zero_sum)
    most = 1.0 if utility == "wins" else MOST_POINTS
    about: dict[str, Any] = {"utility_sum": 0.0} if zero_sum else {}
    info = pyspiel.GameInfo(
        num_distinct_actions=tree.actions.size + tree.is_simultaneous,
        max_chance_outcomes=most_outcomes(tree.program),
        num_players=tree.players,
        min_utility=-most,
        max_utility=most,
        max_game_length=LONGEST,
        **about,
    )

    class Ours(SpielGame):  # type: ignore[misc]  # a class of a library without types
        """A game of Houserule."""

        def __init__(self, params: Any = None) -> None:
            super().__init__(kind, info, params or {})
            self.tree = tree

        def new_initial_state(self) -> Position:
            return Position(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
            return Observer(tree, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)

    pyspiel.register_game(kind, Ours)
    return short


def game(game: Game | str, players: int | None = None, **more: Any) -> Any:
    """A game of OpenSpiel; takes what `register` takes."""
    return pyspiel.load_game(register(game, players, **more))


def by_observation(game: Any, policy: Any) -> dict[str, dict[str, float]]:
    """A policy as a table: the chance of each number by the observation in which it is given, for bots at a table; it walks the whole game.

    Raises ValueError if the policy needs to remember more than a player sees: it answers otherwise where the observation is the same.
    """
    table: dict[str, dict[str, float]] = {}
    waiting = [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        seats = [seat for seat in range(game.num_players()) if state.current_player() in (seat, SIMULTANEOUS)]
        for seat in seats:
            chances = {str(number): chance for number, chance in policy.action_probabilities(state, seat).items()}
            known = table.setdefault(state.observation_string(seat), chances)
            if known.keys() != chances.keys() or any(abs(known[number] - chances[number]) > ALMOST for number in known):
                raise ValueError(f"player {seat + 1} sees the same where this policy answers otherwise")
        for actions in product(*(state.legal_actions(seat) for seat in seats or [state.current_player()])):
            waiting.append(state.clone())
            waiting[-1].apply_actions(actions) if state.is_simultaneous_node() else waiting[-1].apply_action(*actions)
    return table


def most_outcomes(program: Program) -> int:
    """How many outcomes a draw can have: as many as there are pieces, or as the widest range that is rolled has numbers."""
    rolled = [type.high - type.low + 1 for type in program.game.analysis.rolled.values() if isinstance(type, Int)]
    narrow = [size for size in rolled if size <= MOST_DRAWS]
    return max([len(program.places), 100, *narrow])
