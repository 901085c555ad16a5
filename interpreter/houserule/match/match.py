"""Matches: one playing of a game, from its first question to its score sheet."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from html import escape
from pickle import PicklingError
from random import Random
from typing import Any

from houserule.compiler.blocks import ASK, FORKED, GAME_OVER, PAUSED
from houserule.compiler.emitter import python_name
from houserule.compiler.program import SPECTATOR, Program
from houserule.compiler.runtime import LONGEST_MATCH, GameEnd
from houserule.definition.model import ScoreLineDefinition
from houserule.diagnostics import InvalidGame, did_you_mean
from houserule.extras import shown_by
from houserule.language.checked import Routine
from houserule.match.imagining import Beginning, Imagination
from houserule.match.record import ASKED_ANYWAY, FORMAT, UNMIXED, InvalidRecord, Record
from houserule.match.rules import CompiledRules, with_position
from houserule.printable import printable
from houserule.running.faults import FAULTS, RuleFault, endless, rule_fault
from houserule.running.log import Answered, noted
from houserule.running.playout import ended
from houserule.running.state import State, run
from houserule.telling.choices import Choice, Option
from houserule.telling.events import EVERYTHING, Event, Narrator, Shadow, begun_with
from houserule.telling.knowledge import Knowledge
from houserule.telling.labels import Labels, phrase, read_out
from houserule.telling.view import Eyes, View, make_view


class IllegalAnswer(ValueError):
    """This answer was not asked for, or is not among the options. The match is unchanged."""


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """A line of the score sheet: points by player."""

    key: str
    title: str
    points: dict[str, int]


class Sheet(list[ScoreLine]):
    """A score sheet: a list of its lines, which notebooks show as a table."""

    def _repr_html_(self) -> str:
        """The lines and their sum as a table."""
        players = list(self[0].points) if self else []
        heads = "".join(f"<th>{escape(printable(name))}</th>" for name in players)
        total = ScoreLine("", "=", {name: sum(line.points[name] for line in self) for name in players})
        rows = "".join(
            f"<tr><th>{escape(printable(line.title))}</th>"
            + "".join(f"<td>{line.points[name]}</td>" for name in players)
            + "</tr>"
            for line in ([*self, total] if len(self) > 1 else self)
        )
        return f"<table><thead><tr><th></th>{heads}</tr></thead><tbody>{rows}</tbody></table>"


class Match:
    """One playing of a game.

    `pending` holds a choice for each player who may answer now; `answer` answers one. Start a match with `Game.start`.
    A match is pickled as its game and its record, and replayed when it is unpickled.

    >>> while not match.is_over:
    ...     choice = match.pending[0]
    ...     match.answer(choice.player, choice.options[0])
    >>> match.ending, match.winners
    ('win', ['Ann'])
    """

    def __init__(
        self, game: CompiledRules, program: Program, state: State, names: Sequence[str], seed: int, language: str
    ) -> None:
        self.game = game
        self.program = program
        self.state = state
        self.players = list(names)
        self.seed = seed
        self.language = language
        self.labels = Labels(program, self.players, language)
        self.answers: list[tuple[str, str]] = []
        self.answered = [0] * len(self.players)  # how many answers each player has given
        self.mixes = True
        """Whether face-down pieces without order are offered mixed; records of format 1 and scenarios name them by position."""
        self.given: str | None = None  # the effect that arranged the table
        self.is_over = False
        self.is_paused = False
        self.begun: Beginning | None = None
        """The start of an imagined match; None for one that began with its rules."""
        self.has_record = True
        """Whether its seed and answers lead to it: not after its future was replaced or imagined."""
        self._narrators: dict[tuple[int, ...], Narrator] = {}
        self._knowledge: dict[int, Knowledge] = {}
        self._known_answers: dict[int, list[tuple[str, str]]] = {}  # by seat; those of others are empty
        self._labels_in_mind: dict[
            int, Labels
        ] = {}  # by seat: shared by all imagined matches, so that titles are computed once
        self._spoken: dict[str, Match] = {}
        self._pending: tuple[Choice, ...] | None = None

    def __repr__(self) -> str:
        players = f"{len(self.players)} player{'s' if len(self.players) > 1 else ''}"
        return f"<Match of {self.game.id}, {players}, {self._standing()}>"

    def _standing(self) -> str:
        """What it waits for, or how it has ended, in a few words."""
        if self.is_over:
            won = read_out("en", self.winners)
            return f"over: {self.ending}" + (f" of {won}" if won else "")
        if self.is_paused:
            return "paused"
        names, prompts = [c.player for c in self.pending], {c.prompt or c.name for c in self.pending}
        return f"{read_out('en', names)} to answer" + (f': "{prompts.pop()}"' if len(prompts) == 1 else "")

    def _repr_html_(self) -> str | None:
        """The table as spectators see it, drawn, for notebooks."""
        shown = shown_by("match")
        return shown(self) if shown is not None else None

    @staticmethod
    def start(
        game: CompiledRules,
        players: int | Sequence[str],
        seed: int | None,
        language: str,
        program: Program | None = None,
        given: str | None = None,
    ) -> Match:
        """Start a match and run it to its first question, or to that of a position."""
        made = program or game.program(players if isinstance(players, int) else len(players), told=True)
        if isinstance(players, int):
            names = [phrase(language, "player", number=seat + 1) for seat in range(players)]
        else:
            names = [str(name) for name in players]
        if len(set(names)) != len(names):
            raise ValueError("two players have the same name")
        if seed is None:
            seed = secrets.randbelow(2**31)
        effect = None
        if given is not None:
            made, effect = with_position(game, names, given)
        match = Match(game, made, State(made, Random(seed)), names, seed, language)
        try:
            match._go(made.entry)
            if effect is not None:
                match._begin_with(effect)
        except RuleFault as fault:
            fault.match = match
            raise
        match.given = given
        return match

    def _begin_with(self, effect: Routine) -> None:
        """Play the set-up, always with the first option, arrange the table, and run to the first question."""
        while not self.is_paused and not self.is_over:
            choice = self.pending[0]
            self.answer(choice.player, choice.options[0])
        self.answers, self.answered, self._known_answers = [], [0] * len(self.players), {}
        if not self.is_over:
            self.arrange([effect])
            self.run_on()

    def run_on(self) -> None:
        """Run on from a pause to the next question."""
        if self.is_paused:
            self.is_paused = False
            self._go(self.state.pc)

    def arrange(self, effects: Sequence[Routine]) -> None:
        """Run effects that ask nobody, without triggers."""
        s = self.state
        running, leaves = s.running, s.leaves
        s.running, s.leaves = tuple(range(len(self.program.symbols.triggers))), None
        try:
            for effect in effects:
                self.call(effect, -1)
        finally:
            s.running, s.leaves = running, leaves
            s.queue.clear()

    def call(self, routine: Routine, *arguments: int) -> Any:
        """Run an effect or evaluate an expression that was compiled with the game; neither asks anybody."""
        s = self.state
        s.since, s.passes, s.depth = 0, 0, 0
        try:
            return self.program.namespace[python_name(routine)](s, *arguments)
        except GameEnd:
            self.is_over = True
            self._pending = None
            s.queue.clear()
        except FAULTS as error:
            raise rule_fault(self.program, error) from error
        return None

    # --- running ------------------------------------------------------------------------------------------------------

    def _go(self, pc: int) -> None:
        """Run to the next question, the end, or a pause."""
        self._pending = None
        try:
            code = run(self.state, pc)
        except GameEnd:
            code = GAME_OVER
        except FAULTS as error:
            raise rule_fault(self.program, error) from error
        if code == GAME_OVER:
            self.is_over = True
            self.state.queue.clear()
        elif code == PAUSED:
            self.is_paused = True
        elif code in (ASK, FORKED):
            self.state.waits = code == ASK
        else:
            self._returned(code)

    def _returned(self, code: int) -> None:
        """Handle the end of an effect run from outside; an ordinary match has none."""
        raise AssertionError(code)

    @property
    def pending(self) -> tuple[Choice, ...]:
        """A choice for each player who may answer now; empty when the match is over."""
        if self._pending is None:
            seats = [] if self.is_over or self.is_paused else self.state.seats_asked
            self._pending = tuple(map(self._choice, seats))
        return self._pending

    def _choice(self, seat: int) -> Choice:
        """A question to a player. It stays the same while others answer, and the next one is mixed anew."""
        mixing = f"{self.seed} {seat} {self.answered[seat]}" if self.mixes else ""
        return Choice(self.program, self.labels, self.state.at(seat), seat, mixing, lambda: self.shown_to(seat))

    def shown_to(self, viewer: int) -> Collection[int]:
        """The pieces that somebody does not see where they lie, and knows, since they were shown to them a moment ago."""
        if self.state.log is None or self.state.forks is not None:  # what happens meanwhile is told later
            return ()
        return {piece for piece, to in self.told(viewer).laid_open.to.items() if viewer in to}

    def answer(self, player: str | int, answer: Option | str | int | bool | Sequence[Any]) -> None:
        """Answer a player's choice with an option, its key or label, or a value; with a list for several.

        Raises IllegalAnswer if the answer was not asked for or is not among the options, and RuleFault if a rule
        fails; either leaves the match unchanged.

        >>> match.answer("Ann", "square_2_2")
        >>> match.answer("Ben", "square_2_2")
        Traceback (most recent call last):
        houserule.match.match.IllegalAnswer: 'square_2_2' is not among the options of Ben: ...
        """
        name = (
            self.players[player]
            if isinstance(player, int) and not isinstance(player, bool) and 0 <= player < len(self.players)
            else str(player)
        )
        choice = next((c for c in self.pending if c.player == name), None)
        if choice is None:
            raise IllegalAnswer(self._not_asked(name))
        option = choice.find(answer)
        if option is None:
            raise IllegalAnswer(self._not_offered(choice, answer))
        if len(self.answers) >= LONGEST_MATCH:
            fault = rule_fault(self.program, endless(choice.site))
            fault.match = self.copy()
            raise fault
        before = self.state.copy()
        entry = (name, option.key)
        if self.state.log is not None:
            self.state.log.append(noted(answering(choice, option, self.state.forks is not None)))
        try:
            self._give(choice, option)
        except RuleFault as fault:
            fault.match = self.copy()
            self.state = before
            self._pending = None
            raise
        self.answers.append(entry)
        self.answered[choice.seat] += 1

    def _not_asked(self, name: str) -> str:
        if self.is_over:
            return "the match is over"
        waiting = ", ".join(c.player for c in self.pending)
        if name not in self.players:
            return f"nobody is called '{name}'; to answer: {waiting}"
        return f"{name} is not asked anything now; to answer: {waiting}"

    def _not_offered(self, choice: Choice, answer: object) -> str:
        said = answer.key if isinstance(answer, Option) else answer
        keys = [o.key for o in choice.single]
        shown = ", ".join(keys[:20]) + (" …" if len(keys) > 20 else "")
        bounds = f" ({choice.at_least} to {choice.at_most} of them)" if choice.kind == "several" else ""
        hint = did_you_mean(str(said), keys)
        return f"'{said}' is not among the options of {choice.player}{bounds}: {shown}" + (f"; {hint}" if hint else "")

    def _give(self, choice: Choice, option: Option) -> None:
        self._pending = None
        try:
            pc = self.state.give(choice.seat, option.value if isinstance(option.value, int) else list(option.value))
        except FAULTS as error:
            raise rule_fault(self.program, error) from error
        if pc is not None:
            self._go(pc)

    # --- looking ------------------------------------------------------------------------------------------------------

    def seat(self, player: str | int) -> int:
        """The seat of a player, by name or number; `SPECTATOR` is one as well. Raises LookupError."""
        if isinstance(player, int) and (0 <= player < len(self.players) or player == SPECTATOR):
            return player
        if player in self.players:
            return self.players.index(str(player))
        raise LookupError(f"nobody is called '{player}'; at the table: {', '.join(self.players)}")

    def told(self, viewer: int) -> Narrator:
        """The narrator of the match so far for a viewer: a seat, `SPECTATOR`, or `EVERYTHING`."""
        return self._narrator(tuple(range(len(self.players))) if viewer >= 0 else (viewer,))

    def _narrator(self, viewers: tuple[int, ...]) -> Narrator:
        found = self._narrators.get(viewers)
        if found is None:
            found = (
                Narrator(self.program, self.labels, viewers)
                if self.begun is None
                else self.begun.narrator(self.labels, viewers)
            )
            self._narrators[viewers] = found
        assert self.state.log is not None
        found.tell(self.state.log)
        return found

    def told_in(self, language: str) -> Match:
        """A read-only copy of this match, told in another language; answers go to this one."""
        if language == self.language:
            return self
        told = self._spoken.get(language)
        if told is None:
            told = self._spoken[language] = Match(
                self.game, self.program, self.state, self.players, self.seed, language
            )
        told.state, told.answers, told.answered = self.state, self.answers, self.answered
        told.given, told.mixes = self.given, self.mixes
        told.is_over, told.is_paused = self.is_over, self.is_paused
        told._pending = None
        return told

    @property
    def events(self) -> list[Event]:
        """Everything that happened, without a viewer."""
        return list(self.told(EVERYTHING).tables[EVERYTHING])

    def events_for(self, player: str | int) -> list[Event]:
        """What happened, as far as a player or `SPECTATOR` may know."""
        seat = self.seat(player)
        return list(self.told(seat).tables[seat])

    def events_since(self, number: int, player: str | int | None = None) -> list[Event]:
        """What happened behind so many events, as far as a player or `SPECTATOR` may know; everything for None."""
        seat = EVERYTHING if player is None else self.seat(player)
        return self.told(seat).tables[seat][number:]

    def view(self, player: str | int | None = None) -> View:
        """The table as a player or `SPECTATOR` may see it; everything for None.

        A player who is asked finds their question there, and with each piece and zone the key of the option that it is:

        >>> view = match.view("Ann")
        >>> view.question.options[0].key, view.zone("board").option
        ('square_1_1', 'square_1_1')
        >>> view.to_dict()["zones"][0]["amount"]
        5
        """
        seat = EVERYTHING if player is None else self.seat(player)
        choice = next((one for one in self.pending if one.seat == seat), None)
        return make_view(Eyes(self.program, self.state.at(seat), seat), self.labels, choice)

    @property
    def sheet(self) -> Sheet:
        """The current score sheet, line by line. Raises RuleFault."""
        found = Sheet()
        titles = self.line_titles
        for key, function in self.program.points:
            try:
                points = zip(self.players, map(int, function(self.state)), strict=True)
            except FAULTS as error:
                raise rule_fault(self.program, error) from error
            found.append(ScoreLine(key, titles[key], dict(points)))
        return found

    @property
    def line_titles(self) -> dict[str, str]:
        """The titles of the lines of the score sheet by key, whatever the score is."""
        members = self.program.game.line_members
        lines = {line.name: line for line in self.program.game.definition.scoring}
        return {
            key: self._line_title(key, lines[key.partition("[")[0]], members.get(key)) for key, _ in self.program.points
        }

    def _line_title(self, key: str, line: ScoreLineDefinition, value: tuple[Any, int] | None) -> str:
        name, _, member = key.partition("[")
        if line.title is None:
            return name.replace("_", " ") + (f" ({member.rstrip(']')})" if member else "")
        text = line.title.texts.get(self.language) or next(iter(line.title.texts.values()))
        words = self.labels.value(*value) if value is not None else ""
        return "".join(part if isinstance(part, str) else words for part in text.parts)

    @property
    def scores(self) -> dict[str, int]:
        """The current score of each player. Raises RuleFault."""
        total = dict.fromkeys(self.players, 0)
        for line in self.sheet:
            for name, points in line.points.items():
                total[name] += points
        return total

    @property
    def winners(self) -> list[str]:
        """The winners; empty until the match is over. Raises RuleFault."""
        return self._ended()[1] if self.is_over else []

    @property
    def teams(self) -> list[Team]:
        """Who plays with whom at the moment, in the order of the seats; empty in a game without teams. Raises RuleFault."""
        try:
            numbers = self.program.teams_now(self.state) or []
        except FAULTS as error:
            raise rule_fault(self.program, error) from error
        found = []
        for team in dict.fromkeys(numbers):
            players = [name for name, number in zip(self.players, numbers, strict=True) if number == team]
            found.append(Team(self.labels.team(team), players))
        return found

    @property
    def ending(self) -> str | None:
        """How the match has ended; None until it is over. Raises RuleFault.

        `win` (one player or one team has won), `shared` (several), `victory` (all together), `draw` (nobody), `defeat` (all have lost), or
        `undecided` (nobody has won, and no rule decides).
        """
        return self._ended()[0] if self.is_over else None

    @property
    def told_ending(self) -> str:
        """How the match has ended as a sentence in its language: who has won; empty until it is over. Raises RuleFault."""
        if not self.is_over:
            return ""
        ending, winners = self._ended()
        key, team = ending, ""
        if ending == "win" and len(winners) > 1:
            team = next((team.title for team in self.teams if winners[0] in team.players), "")
            key = "team" if team else "together"
        return phrase(self.language, f"end_{key}", players=read_out(self.language, winners), team=team)

    def _ended(self) -> tuple[str, list[str]]:
        """How it has ended, and who has won."""
        scores = list(self.scores.values())
        try:
            ending, winners = ended(self.program, self.state, scores)
            return ending, [self.players[seat] for seat in winners]
        except FAULTS as error:
            raise rule_fault(self.program, error) from error

    # --- keeping ------------------------------------------------------------------------------------------------------

    def copy(self, seed: int | None = None) -> Match:
        """An independent copy: with the same future, or with another that a seed decides. The latter has no record.

        >>> other = match.copy()
        >>> other.answer("Ann", "square_1_1")
        >>> len(match.answers), len(other.answers)
        (0, 1)
        """
        made = Match(self.game, self.program, self.state.copy(), self.players, self.seed, self.language)
        made.labels, made.given, made.begun = self.labels, self.given, self.begun
        made.answers = self.answers[:]
        made.answered, made.mixes = self.answered[:], self.mixes
        made.is_over, made.is_paused = self.is_over, self.is_paused
        made.has_record = self.has_record
        if self.begun is not None:  # what was known before it began is in no log
            made._knowledge = {seat: known.copy() for seat, known in self._knowledge.items()}
        if seed is not None:
            made.has_record = False
            made.state.generator = Random(seed)
            made.state.random = made.state.generator.random
        return made

    def undo(self, answers: int = 1) -> None:
        """Take back the latest answers, by replaying all before them; chance will then fall as it did.

        Raises ValueError, and changes nothing, if fewer were given, or if the match has no record.

        >>> match.answer("Ann", "square_2_2")
        >>> match.undo()
        >>> match.pending[0]
        <Choice of Ann: Where do you put your mark?>
        """
        kept = len(self.answers) - answers
        if answers < 0 or kept < 0:
            raise ValueError(f"{len(self.answers)} answers were given, so {answers} cannot be taken back")
        if not self.has_record:
            raise ValueError("a match without a record cannot be taken back: its seed and answers do not lead to it")
        made = Match.played(self.game, replace(self.record, answers=self.answers[:kept]))
        vars(self).update(vars(made))

    def __reduce__(self) -> tuple[Any, ...]:
        if not self.has_record:
            raise PicklingError("a match without a record cannot be pickled: its seed and answers do not lead to it")
        return Match.played, (self.game, self.record)

    @staticmethod
    def played(game: CompiledRules, record: Record | dict[str, Any]) -> Match:
        """The match of a record of these rules, which may be plain data. Raises InvalidRecord and RuleFault."""
        said = record if isinstance(record, Record) else Record.from_json(record)
        try:
            match = Match.start(game, said.players, said.seed, said.language, given=said.given)
        except (ValueError, InvalidGame) as error:
            raise InvalidRecord(f"this is not the record of a match: {error}") from error
        match.mixes = said.format != UNMIXED
        for number, (player, key) in enumerate(said.answers, 1):
            try:
                match.answer(player, key)
            except IllegalAnswer as error:
                raise InvalidRecord(f"answer {number} of the record cannot be given: {error}") from error
        return match

    def __copy__(self) -> Match:
        return self.copy()

    def __deepcopy__(self, _: object) -> Match:
        return self.copy()

    def imagination(self, player: str | int) -> Imagination:
        """What a player can imagine at this moment; it deals many worlds at little cost."""
        seat = self.seat(player)
        if seat not in self._knowledge:
            begun = self.begun.program if self.begun is not None else self.program
            found = self._knowledge[seat] = Knowledge(begun, seat)
            if self.begun is not None:
                found.mix(piece for piece in range(len(self.state.w)) if not found.sees(piece))
        assert self.state.log is not None
        self._knowledge[seat].follow(self.state.log)
        answered = self.begun.answered if self.begun is not None else ()
        return Imagination(self.state, self._knowledge[seat], answered)

    def imagine(self, player: str | int, seed: int) -> Match:
        """A copy of the match as this player may imagine it (a determinization); the seed decides which.

        Everything that they cannot know is dealt anew, all possibilities that agree with what they have been shown equally likely: hidden
        pieces, hidden variables, simultaneous answers. The future is a new one. The player's view, events and
        question do not change, and nothing in the copy reveals what is hidden. `match.imagining` says where dealing is approximate.
        A copy has no record. Raises LookupError if no player has that name.

        >>> match.imagine("Ann", seed=1).view("Ann").to_dict() == match.view("Ann").to_dict()
        True
        """
        seat = self.seat(player)
        imagination = self.imagination(seat)
        state, renaming = imagination.world(Random(f"imagined {seed}"), self.program)
        made = Match(self.game, self.program, state, self.players, seed, self.language)
        made.labels = self._labels_in_mind.setdefault(seat, made.labels)
        narrator = self._narrator((seat,))
        made.begun = Beginning(
            begun_with(self.program, state.v, state.z, state.w),
            tuple(narrator.tables[seat]),
            narrator.step,
            dict(narrator.passes),
            {renaming.piece(piece): to for piece, to in narrator.laid_open.to.items() if seat in to},
            tuple(one for one in map(renaming.entry, imagination.answered) if isinstance(one, Answered)),
        )
        known = self._known_answers.setdefault(seat, [])
        for name, key in self.answers[len(known) :]:
            known.append((name, key if name == self.players[seat] else ""))
        made.answers = known[:]
        made.answered, made.mixes, made.has_record = self.answered[:], self.mixes, False
        made.is_over, made.is_paused = self.is_over, self.is_paused
        made._knowledge = {seat: imagination.knowledge.renamed(renaming.of, Shadow(made.begun.program))}
        if state.forks is not None and not any(part.waits for part in state.forks):
            made._go(state.merge())
        return made

    @property
    def record(self) -> Record:
        """A record to replay this match from. Raises ValueError if its future was replaced or imagined."""
        if not self.has_record:
            raise ValueError("a copy with another future has no record: its seed and answers do not lead to it")
        game = self.game
        return Record(
            game.id,
            game.rules_hash,
            list(self.players),
            self.seed,
            list(self.answers),
            list(game.variants),
            dict(game.settings),
            self.language,
            game.shown_path,
            UNMIXED if not self.mixes else ASKED_ANYWAY if game.asks_anyway else FORMAT,
            given=self.given,
        )


@dataclass(frozen=True, slots=True)
class Team:
    """Players who win together. Its title is that of a member or a player who stands for the team, else empty."""

    title: str
    players: list[str]


def answering(choice: Choice, option: Option, at_once: bool) -> Answered:
    """An answer in the form of the log; `at_once` where others answer at the same time."""
    if choice.kind == "slap":
        return Answered()
    options = tuple(one.number for one in choice.single if not one.is_pass)
    is_told = (choice.kind == "menu" or option.is_pass) and not at_once
    return Answered(choice.number, option.value, options, choice.seat, choice.said_in(option) if is_told else None)
