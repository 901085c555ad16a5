"""Plays the matches of a study: a game, a plan and a range of matches in, columns out."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from houserule.bots.playing import bots_at, chosen, in_order
from houserule.bots.simple import Bot
from houserule.compiler.questions import Watch
from houserule.core import Game, Match, Outcome, RuleFault, Span
from houserule.native.engines import Engine, machine_of
from houserule.native.memory import Watched
from houserule.running.playout import finish, part_of_win, playout
from houserule.study.course import Course, Weigher
from houserule.study.offers import Items, Offers
from houserule.study.plan import Plan
from houserule.study.rows import Columns, fixed_teams, whole_win

if TYPE_CHECKING:
    from houserule.native.machine import Machine
    from houserule.study.figures import Numbers


class FaultInMatch(RuleFault):
    """A fault of the rules in a match of a study; `number` is the number of the match, from 1, and `seed` its seed."""

    game: Game
    """The game, and the number of its players, which the study adds."""
    players: int

    def __init__(self, message: str, span: Span, rule: str, number: int, seed: int) -> None:
        super().__init__(message, span, rule)
        self.number = number
        self.seed = seed

    def __reduce__(self) -> tuple[type[FaultInMatch], tuple[object, ...]]:
        """The arguments to rebuild it from, so that it can be pickled in a worker process."""
        return FaultInMatch, (self.message, self.span, self.rule, self.number, self.seed)


class Playing:
    """Plays the matches of one plan, and caches what takes time to make."""

    def __init__(self, game: Game, plan: Plan) -> None:
        self.game, self.plan = game, plan
        self.weigher: Weigher | None = None
        self.noted: list[tuple[Watch, list[int]]] = []
        """The notes of random matches that were played in Python, with what each seat has won."""

    @cached_property
    def engine(self) -> Engine:
        """What plays random matches. Raises NotNative."""
        plan, program = self.plan, self.items.program
        cells = self.items.cells(plan.offers)
        if program.cells != cells:  # another study has played with it already
            program.cells, program.machine = cells, None
        return Engine(program, plan.engine, plan.matches, self.watched)

    def beside(self) -> Playing:
        """A second one that plays matches of the same plan natively, for another thread. Raises NotNative."""
        made = Playing(self.game, self.plan)
        made.engine.machine = machine_of(self.engine.program).another()
        return made

    @cached_property
    def teams(self) -> tuple[int, ...] | None:
        return fixed_teams(self.game, self.plan.players)

    @cached_property
    def items(self) -> Items:
        """The things that can be offered."""
        plan = self.plan
        return Items(self.game.program(plan.players, told=not plan.is_random, watched=plan.is_random))

    @cached_property
    def offers(self) -> Offers:
        """What counts the options of the matches. Raises MissingExtra."""
        return Offers(self.items)

    def batch(self, start: int, end: int) -> Columns:
        """Play the matches from `start` to before `end`. Raises FaultInMatch."""
        plan = self.plan
        columns = Columns(plan.players, start)
        if plan.is_random:
            self.quick(columns, start, end)
            return columns
        watched: dict[int, list[tuple[Watch, list[int]]]] = {}
        for number in range(start, end):
            seed = plan.seed_of(number)
            watch = Watch()
            try:
                played = self.with_bots(number, seed, watch)
            except RuleFault as fault:
                raise FaultInMatch(fault.message, fault.span, fault.rule, number + 1, seed) from fault
            columns.add(played)
            columns.weighed.extend(self.weigher.words if self.weigher is not None else ())
            if plan.offers:
                watched.setdefault(plan.rotation_of(number), []).append((watch, self.credit(played[0])))
        for rotation, noted in watched.items():
            counts = self.counted(noted)
            bots = plan.bots(rotation)
            for bot in dict.fromkeys(bots):
                theirs = counts.copy() if len(set(bots)) > 1 else counts
                theirs[:, [seat for seat in range(plan.players) if bots[seat] != bot]] = 0
                columns.offers[bot] = columns.offers[bot] + theirs if bot in columns.offers else theirs
        return columns

    def counted(self, noted: Sequence[tuple[Watch, list[int]]]) -> Numbers:
        return self.offers.counted([watch for watch, _ in noted], [credit for _, credit in noted])

    def credit(self, outcome: Outcome) -> list[int]:
        """What each seat has won, in integers."""
        players = self.plan.players
        part = round(whole_win(players) * part_of_win(outcome.winners, outcome.ending, self.teams))
        return [part if seat in outcome.winners else 0 for seat in range(players)]

    def quick(self, columns: Columns, start: int, end: int) -> None:
        """Play random matches at full speed. Raises FaultInMatch."""
        plan, engine = self.plan, self.engine
        # Notes that were never counted are those of a batch that was stopped or in which a rule failed.
        self.noted.clear()
        if plan.offers and engine.machine is not None:
            engine.machine.counted()
        seeds = plan.seeds(start, end)
        try:
            if engine.machine is not None:
                self.natively(columns, engine.machine, seeds)
            else:
                for played in engine.watched(seeds):
                    columns.add(played)
        except RuleFault as fault:
            number = columns.end
            raise FaultInMatch(fault.message, fault.span, fault.rule, number + 1, plan.seed_of(number)) from fault
        if plan.offers:
            counts = [self.counted(self.noted)] if self.noted else []
            if engine.machine is not None:
                counts.append(self.offers.natively(engine.machine.counted()))
            columns.offers[plan.seats[0]] = sum(counts[1:], counts[0])

    def natively(self, columns: Columns, machine: Machine, seeds: Sequence[int | str]) -> None:
        """Play matches natively, and replay in Python those that trap. Raises RuleFault."""
        for results, trapped in machine.stretches(seeds):
            columns.add_words(results.columns())
            if trapped is not None:
                columns.add(self.watched(trapped))

    def watched(self, seed: int | str) -> Watched:
        """Play one random match in Python, and note its course and its options. Raises RuleFault."""
        watch = Watch()
        program = self.items.program
        course = Course(program, self.items, watch)
        watch.look = course.look
        outcome = playout(program, seed, watch)
        if self.plan.offers:
            self.noted.append((watch, self.credit(outcome)))
        return outcome, watch.rounds, *course.ended(outcome)

    def with_bots(self, number: int, seed: int, watch: Watch) -> Watched:
        plan = self.plan
        match = self.game.start(plan.players, seed)
        program = match.program
        course = Course(program, self.items, watch)
        words = plan.bots(plan.rotation_of(number))
        self.weigher = Weigher(plan.weighs, seed) if plan.weighs else None
        teller = Teller(match, watch, course, self.weigher)
        teller.look()
        chance = random.Random(f"races {seed}")
        bots = bots_at(match, words, seed)
        while not match.is_over:
            teller.answer(bots, chance)
        outcome = finish(program, match.state, len(match.answers))
        return outcome, watch.rounds, *course.ended(outcome)


class Teller:
    """Notes in a watch what a reported match with bots shows, as a watched program would."""

    def __init__(self, match: Match, watch: Watch, course: Course, weigher: Weigher | None = None) -> None:
        self.match, self.watch, self.course, self.weigher = match, watch, course, weigher
        self.sites = {id(site): number for number, site in enumerate(match.program.sites)}
        self.seen = 0

    def answer(self, bots: dict[str, Bot], chance: random.Random) -> None:
        match = self.match
        choice = in_order(match, chance)[0]
        option = chosen(match, choice, bots[choice.player])
        if self.weigher is not None:
            self.weigher.look(match, choice)
        site = self.course.items.site_of(self.sites[id(choice.site)], choice.said)
        if choice.kind == "slap":
            joins = [choice.seat] if option.value else []
            self.watch.note_several((site, -1, [choice.seat], joins))
        else:
            offered = [one.number for one in choice.single if not one.is_pass]
            value = option.value
            if isinstance(value, int) and choice.kind != "several":
                self.watch.note((site, choice.seat, offered, value))
            else:
                taken = [] if option.is_pass or isinstance(value, int) else list(value)
                self.watch.note_several((site, choice.seat, offered, taken))
        match.answer(choice.player, option)
        self.look()

    def look(self) -> None:
        """Note the rounds that have begun since the last answer."""
        log = self.match.state.log or []
        rounds = self.match.program.rounds
        begun = sum(1 for entry in log[self.seen :] if entry[0] == "step" and entry[1] in rounds)
        self.seen = len(log)
        self.watch.rounds += begun
        if begun:
            self.course.look(self.match.state, begun)
