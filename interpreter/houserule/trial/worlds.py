"""Plays two matches side by side that differ only in what one player may not know, and says where that player is shown a difference.

Both follow the rules from the beginning, with the same chance except for what the player does not see: a shuffle
puts other pieces with the same backs in their places, or rolls into hidden variables have other results. The
answers are the same, except for one by somebody else that is not seen when it is given: it goes into a hidden variable, or is a
hidden piece that is put where it stays hidden. If they then look different, the rules leak a secret, unless they show the
piece itself, a rule that reveals something on purpose (`reveals`) has just run, or somebody who knows the secret
was free to act on it. From there, another pair continues that agrees so far and differs in what is still hidden.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from random import Random
from typing import Any

from houserule import Choice, Match, Option, RuleFault
from houserule.compiler.program import Program
from houserule.frozen import frozen
from houserule.language.types import Piece, plain
from houserule.running.log import Noted
from houserule.running.renaming import Renaming
from houserule.running.state import State
from houserule.telling.knowledge import alike_behind
from houserule.telling.view import Eyes, surely_alike
from houserule.trial.unseen import Broken, Watcher, brief, difference, exchange, questions_to, shown_to


def after_answer(number: int, choice: Choice | None, option: Option | None) -> str:
    """Which answer a moment follows, and where the rules ask for it."""
    if choice is None or option is None:
        return "before the first answer"
    place = choice.site.span
    return f"after answer {number} ({choice.player}: {brief(option.key)} at {place.file}:{place.line})"


# --- two worlds -------------------------------------------------------------------------------------------------------


ENOUGH = 100
"""Comparisons for one player after which no more worlds are tried."""
MOST_TRIALS = 12
"""The most worlds that are tried for one player."""
MOST_SHOWN = 500_000
"""The pieces and variables that players are shown in all comparisons of a match: about five seconds."""
FEW = 4
"""Pieces that are swapped if two worlds must already agree for a while: more would hardly do so."""

DRAWN_ANYWAY = 16
"""Of so many comparisons, one draws what the player is shown even if the states say that it is the same: drawing may have mistakes."""


class Chance:
    """Chance of a match that counts shuffles and rolls; one shuffle and any rolls may have other results."""

    def __init__(self, first: Chance | None = None) -> None:
        self.first = first
        """The chance of the world beside which this one is: what is shuffled again lies there as it does here."""
        self.shuffles: list[tuple[int, list[int]]] = []
        self.rolls: list[Sequence[int]] = []
        self.shuffle_at = -1
        self.of: dict[int, int] = {}
        self.outcomes: dict[int, int] = {}  # other results, by number of the roll

    def rolled(self, s: Any, _: str, values: Sequence[int]) -> int | None:
        """Another result of a roll, or None. It consumes as much chance as the roll would."""
        self.rolls.append(values)
        found = self.outcomes.get(len(self.rolls) - 1)
        if found is not None:
            s.random()
        return found

    def shuffled(self, s: Any, zone: int) -> None:
        """After a shuffle, perhaps put other pieces in some places."""
        number = len(self.shuffles)
        if number == self.shuffle_at:
            s.z[zone][:] = [self.of.get(piece, piece) for piece in s.z[zone]]
        elif self.first is not None and self.shuffle_at >= 0 and self.shuffle_at < number < len(self.first.shuffles):
            # Rules may have put these pieces in another order that nobody sees.
            there, pile = self.first.shuffles[number]
            exchanged = [self.of.get(piece, piece) for piece in pile]
            if there == zone and sorted(exchanged) == sorted(s.z[zone]):
                s.z[zone][:] = exchanged
        self.shuffles.append((zone, list(s.z[zone])))


def begin(like: Match, program: Program, chance: Chance) -> Match:
    state = State(program, Random(like.seed))
    state.script = chance
    match = Match(like.game, program, state, like.players, like.seed, like.language)
    match._go(program.entry)  # noqa: SLF001  no other caller provides chance
    return match


@frozen
class Moment:
    """The state of progress at a question: log entries, rolls and shuffles, and the pieces and variables that each watched player had seen."""

    entries: int
    rolls: int
    shuffles: int
    seen: dict[int, dict[int, int]]  # by piece: after how many shuffles of the log it was seen last
    seen_variables: dict[int, frozenset[int]]  # of those whose visibility varies


@frozen
class Kept:
    """An answer that can stay out of sight: who gave it, and the other answers, with the pieces that then change places.

    It went into the variable with this slot; without one, it is a piece that was put where not everybody sees it.
    """

    number: int
    seat: int
    slot: int | None
    others: Sequence[tuple[str | list[str], tuple[int, ...]]]


class History:
    """A finished match, told once to some of its players."""

    def __init__(self, played: Match, program: Program, seats: Iterable[int]) -> None:
        self.played = played
        self.program = program
        self.chance = Chance()
        self.purpose = Purpose(program, played)
        self.compared = 0  # how often what a player is shown was compared with another world
        self.moments: list[Moment] = []  # one before each answer, and the end
        self.kept: list[Kept] = []
        self.alike = alike_behind(program)
        self.in_parts: Counter[Noted] = (
            Counter()
        )  # what has happened in the parts of a together, and not yet on the table
        match = begin(played, program, self.chance)
        self.watchers = [Watcher(program, match.labels, seat) for seat in seats]
        self.note(match)
        for number, (player, key) in enumerate(played.answers):
            choice = next(c for c in match.pending if c.player == player)
            option = choice.find(key)
            told = len(match.state.log or []), self.part_of(match, choice.seat)
            match.answer(player, key)
            if option is not None and not option.is_pass:
                self.kept += self.kept_by(number, choice, option, self.done_since(match, choice.seat, *told))
            self.note(match)
        self.log = list(match.state.log or [])
        ended = [(entry[1], list(entry[2])) for entry in self.log if entry[0] == "shuffle"]
        self.places = [ended.index(one) if one in ended else -1 for one in self.chance.shuffles]
        """Where in the log each shuffle is; -1 for those in a together that has not ended."""

    def part_of(self, match: Match, seat: int) -> list[Noted]:
        """What has happened in a player's part of a together."""
        return [entry for part in match.state.forks or () if part.player == seat for entry in part.log or ()]

    def done_since(self, match: Match, seat: int, told: int, before: list[Noted]) -> list[Noted]:
        """What an answer has led to, in the player's part or on the table; without what others did in parts that end with it."""
        own = self.part_of(match, seat)
        if match.state.forks is not None:
            found = own[len(before) :] if own[: len(before)] == before else own
            self.in_parts.update(entry[:4] for entry in found)
            return found
        found = []
        for entry in (match.state.log or [])[told:]:
            if self.in_parts[entry[:4]]:
                self.in_parts[entry[:4]] -= 1
            else:
                found.append(entry)
        self.in_parts.clear()
        return found

    def kept_by(self, number: int, choice: Choice, option: Option, done: Sequence[Noted]) -> Iterator[Kept]:
        """The ways in which an answer stays out of sight."""
        of_pieces = choice.kind in ("pick", "several") and isinstance(plain(choice.site.type), Piece)
        for entry in done:
            match entry:
                case ("set", int(slot), value) if choice.kind in ("pick", "menu") and value == option.value:
                    yield Kept(number, choice.seat, slot, [(one.key, ()) for one in choice.single if one is not option])
                case ("move", int(piece), _, int(target), _) if of_pieces and self.program.zone_sight[target] != "all":
                    yield Kept(number, choice.seat, None, self.other_pieces(choice, option, piece))

    def other_pieces(self, choice: Choice, option: Option, piece: int) -> list[tuple[str | list[str], tuple[int, ...]]]:
        """The answers with another piece of the same back in place of one that was chosen; none if it was not."""
        single = [one for one in choice.single if not one.is_pass]
        chosen = option.value if isinstance(option.value, tuple) else (option.value,)
        keys = [one.key for one in single if one.number in chosen and one.number != piece]
        fits = {*self.alike[piece]}.difference(chosen) if piece in chosen else set()
        rest = [one for one in single if one.number in fits]
        return [(one.key if choice.kind != "several" else [*keys, one.key], (piece, one.number)) for one in rest]

    def note(self, match: Match) -> None:
        log = match.state.log or []
        for watcher in self.watchers:
            watcher.tell(log)
        before = self.moments[-1].seen if self.moments else {}
        seen = {}
        for watcher in self.watchers:
            known = before.get(watcher.viewer, {})
            seen[watcher.viewer] = known if known == watcher.seen else dict(watcher.seen)
        variables = {watcher.viewer: frozenset(watcher.seen_variables) for watcher in self.watchers}
        self.moments.append(Moment(len(log), len(self.chance.rolls), len(self.chance.shuffles), seen, variables))


class Purpose:
    """Whether what became public recently may have done so on purpose, by the probes of a marking program."""

    def __init__(self, program: Program, played: Match) -> None:
        revelations = played.game.definition.revelations
        self.program = program
        self.is_recent = False
        self.lasts = False  # whether the step of such a rule may still go on
        self.numbers: list[int] = []
        if program.probed is not None:
            variables = program.symbols.variables.values()  # reading one has no probe
            self.is_always = any(r.covers(variable.span) for r in revelations for variable in variables)
            probes = enumerate(program.probed.probes)
            self.numbers = [number for number, probe in probes if any(r.covers(probe.span) for r in revelations)]
        else:
            self.is_always = bool(revelations)

    def begin(self) -> None:
        """Forget what became public."""
        self.program.marks[:] = bytes(len(self.program.marks))
        self.is_recent = self.lasts = False

    def note(self, logs: Sequence[Sequence[Noted]]) -> None:
        """Note the rules that ran since the last time: what a rule reveals may be shown until its step ends.

        A rule that asks goes on after the answer, without a probe; what the step shows before it ends is still excused then.
        """
        ran = any(self.program.marks[number] for number in self.numbers)
        is_over = any(entry[0] in ("step", "turn") for log in logs for entry in log)
        self.is_recent = ran or self.lasts
        self.lasts = ran or (self.lasts and not is_over)
        self.program.marks[:] = bytes(len(self.program.marks))


class SideBySide:
    """Another world beside a finished match, which looks the same to one player for a number of answers."""

    def __init__(self, history: History, seat: int, random: Random, agreed: int, most: int) -> None:
        self.history = history
        self.most = most
        self.played = history.played
        self.program = history.program
        self.purpose = history.purpose
        self.seat = seat
        self.random = random
        self.agreed = agreed
        self.told = [0, 0]
        self.answers: dict[int, str | list[str]] = {}  # other answers, by number
        self.changed: set[int] = set()  # the variables that have other values at first
        self.first = 0  # the number of the first answer after which the worlds differ
        self.last_given: tuple[Choice | None, Option | None] = (None, None)
        self.shuffled_at = -1
        """The place in the log of the shuffle with another result; what was seen before it is hidden again."""
        self.parted = 0
        """The number of answers after which the worlds look different, legitimately; 0 if they do not."""

    def run(self) -> None:
        """Play both worlds as long as they must look the same."""
        answers = self.played.answers
        self.last = self.random.randrange(self.agreed + 1, len(answers) + 1) if len(answers) > self.agreed else 0
        self.purpose.begin()
        other = Chance(self.history.chance)
        while not (self.answer_differs(other) or self.differ(self.history.moments[self.last], other)):
            if self.last <= self.agreed + 1:
                return
            self.last = (self.agreed + self.last) // 2  # all differences might have been seen by then
        one, two = begin(self.played, self.program, Chance()), begin(self.played, self.program, other)
        renaming = Renaming(self.program, other.of)
        watchers = [Watcher(self.program, match.labels, self.seat) for match in (one, two)]
        for number, (player, key) in enumerate(answers[: self.last]):
            if self.history.compared >= self.most:
                return
            if not self.alike(one, two, watchers, other.of, number):
                self.parted = number
                return
            choice = next(c for c in one.pending if c.player == player)
            twin = next((c for c in two.pending if c.player == player), None)
            option = choice.find(key)
            same = self.twin_of(option, choice, twin, renaming, number)
            if option is None or twin is None or same is None:
                self.parted = number
                return
            self.last_given = choice, option
            one.answer(player, option)
            try:
                two.answer(player, same)
            except RuleFault:
                return  # a rule that fails is found where matches are played normally
        self.alike(one, two, watchers, other.of, self.last)

    def differ(self, until: Moment, other: Chance) -> bool:
        """Change something before a moment that the player does not see until then; returns whether there is anything."""
        first, seen = self.history.chance, until.seen[self.seat]
        rolls = self.hidden_rolls(until)
        shuffles = list(range(until.shuffles))
        self.random.shuffle(shuffles)
        wants_all = not self.agreed and self.random.random() < 0.5
        if rolls and (wants_all or not shuffles or self.random.random() < 0.5):
            for number, value, slot in rolls if wants_all else [self.random.choice(rolls)]:
                rest = [one for one in first.rolls[number] if one != value]
                if rest:
                    self.changed.add(slot)
                    other.outcomes[number] = self.random.choice(rest)
            if other.outcomes and not wants_all:
                return True
        for number in shuffles:
            zone, pile = first.shuffles[number]
            place = self.history.places[number]
            if self.program.zone_sight[zone] != "all":
                hidden = [piece for piece in pile if seen.get(piece, -1) <= place]
                if self.agreed:
                    hidden = self.random.sample(hidden, min(FEW, len(hidden)))
                other.of = exchange(self.played, hidden, self.random)
                if other.of:
                    other.shuffle_at = number
                    self.shuffled_at = place
                    return True
        return bool(other.outcomes)

    def hidden_rolls(self, until: Moment) -> list[tuple[int, int, int]]:
        """The rolls, by number, into variables that the player certainly does not see, with their results and these variables."""
        found = []
        number = -1
        log = self.history.log[: until.entries]
        for entry, after in pairwise(log):
            if entry[0] == "roll":
                number += 1
                if after[0] == "set" and self.is_unseen(after[1], until):
                    found.append((number, entry[2], after[1]))
        return found

    def answer_differs(self, other: Chance) -> bool:
        """Perhaps change an answer of somebody else for a variable that the player does not see; returns whether there is one."""
        until = self.history.moments[self.last]
        seen = until.seen[self.seat]
        found = [
            (kept, others)
            for kept in self.history.kept
            if self.agreed <= kept.number < self.last and kept.seat != self.seat
            if kept.slot is None or self.is_unseen(kept.slot, until)
            if (others := [one for one in kept.others if seen.keys().isdisjoint(one[1])])
        ]
        if not found or (self.random.random() > 0.25 and self.history.chance.shuffles):
            return False
        kept, others = self.random.choice(found)
        self.first = kept.number
        self.changed |= set() if kept.slot is None else {kept.slot}
        answer, pieces = self.random.choice(others)
        self.answers = {self.first: answer}
        other.of = dict(zip(pieces, reversed(pieces), strict=True))
        return True

    def is_unseen(self, slot: int, until: Moment) -> bool:
        """Whether the player certainly has not seen a variable before a moment: it was always hidden, or is of a piece never seen before."""
        sight, variable = self.program.variable_sight[slot], self.program.variable_of[slot]
        of_piece = variable.of_kind is not None and self.program.symbols.kinds[variable.of_kind].is_piece
        if of_piece and variable.index(slot)[0] not in until.seen[self.seat]:
            return True
        if callable(sight):
            return slot not in until.seen_variables[self.seat]
        return sight == "none" or (isinstance(sight, int) and sight != self.seat)

    def unseen_rolls(self, log: Sequence[Noted]) -> int:
        """The number of rolls of which the player saw nothing."""
        until = self.history.moments[self.last]
        rolled = (after for entry, after in pairwise(log) if entry[0] == "roll")
        return sum(after[0] == "set" and self.is_unseen(after[1], until) for after in rolled)

    def alike(self, one: Match, two: Match, watchers: list[Watcher], moved: dict[int, int], answers: int) -> bool:
        """Whether the worlds still must look the same after these answers; if so, check that they do.

        Where they are known to agree nothing is compared, except at the last of these answers.
        """
        logs = [match.state.log or [] for match in (one, two)]
        new = [log[told:] for log, told in zip(logs, self.told, strict=True)]
        self.purpose.note(new)
        self.told = [len(log) for log in logs]
        if self.unseen_rolls(new[0]) != self.unseen_rolls(new[1]):
            return False  # from here on their chance differs
        if answers < self.agreed:
            return True
        for log, watcher in zip(logs, watchers, strict=True):
            watcher.tell(log)
        if any(watcher.has_seen(moved, self.shuffled_at) for watcher in watchers):
            return False
        if any(self.shows_itself(slot, watchers) for slot in self.changed & watchers[1].seen_variables):
            return False
        same = self.look_the_same(one, two, watchers)
        is_given = answers - 1 in self.answers and not moved  # a choice may be seen
        if not same and (self.purpose.is_always or self.purpose.is_recent or is_given or answers == self.agreed > 0):
            return False
        self.history.compared += 1
        if not same:
            when = after_answer(answers, *self.last_given)
            what = difference(one, two, [watcher.tables[self.seat] for watcher in watchers], self.seat)
            name = one.players[self.seat]
            raise Broken(f"{name} is shown what they may not see: the rules give it away: {when}, {what}")
        return True

    def shows_itself(self, slot: int, watchers: list[Watcher]) -> bool:
        """Whether the player sees a variable in the other world only because of its value there."""
        values, other = (watcher.shadow.v for watcher in watchers)
        value, other[slot] = other[slot], values[slot]
        is_seen_anyway = watchers[1].sees_variable(self.seat, slot)
        other[slot] = value
        return not is_seen_anyway

    def look_the_same(self, one: Match, two: Match, watchers: list[Watcher]) -> bool:
        """Whether the player is told and shown the same in both worlds, and the same players are asked."""
        return (
            [c.player for c in one.pending] == [c.player for c in two.pending]
            and watchers[0].tables[self.seat] == watchers[1].tables[self.seat]
            and self.shown_alike(one, two)
        )

    def shown_alike(self, one: Match, two: Match) -> bool:
        """Whether the player is shown the same. Drawing a table takes long: where the states say that it looks the same, few are drawn."""
        if self.history.compared % DRAWN_ANYWAY:
            eyes, other = (Eyes(self.program, match.state.at(self.seat), self.seat) for match in (one, two))
            if surely_alike(eyes, other, one.labels):
                return questions_to(one, self.seat) == questions_to(two, self.seat)
        return shown_to(one, self.seat) == shown_to(two, self.seat)

    def twin_of(
        self, option: Option | None, choice: Choice, twin: Choice | None, renaming: Renaming, number: int
    ) -> Option | None:
        """The answer in the other world that means the same; None if its options differ, because the chooser knows other things."""
        if option is None or twin is None or len(choice.single) != len(twin.single):
            return None
        if number in self.answers:
            return twin.find(self.answers[number])
        if number < self.first:
            renaming = Renaming(self.program, {})
        names = [self.renamed(choice, one.value, renaming) for one in choice.single]
        if names != [one.value for one in twin.single] and choice.seat != self.seat:
            return None
        if choice.kind == "several" and not option.is_pass:
            assert isinstance(option.value, tuple)
            places = [place for place, one in enumerate(choice.single) if one.value in option.value]
            return twin.find([twin.single[place].key for place in places])
        place = next((at for at, one in enumerate(choice.single) if one.key == option.key), None)
        return twin.find(option.key) if place is None else twin.single[place]

    def renamed(self, choice: Choice, value: Any, renaming: Renaming) -> Any:
        if choice.kind not in ("pick", "several") or not isinstance(value, int) or value < 0:
            return value
        return renaming.typed(plain(choice.site.type), value)


def compare_worlds(history: History, random: Random) -> None:
    """Compare a finished match with others that the players who were watched could not distinguish from it."""
    state = history.played.state
    most = MOST_SHOWN // (1 + len(state.w) + len(state.v))
    for watcher in history.watchers:
        enough, agreed = min(history.compared + ENOUGH, most), 0
        for _ in range(MOST_TRIALS):
            trial = SideBySide(history, watcher.viewer, random, agreed, most)
            trial.run()
            agreed = trial.parted
            if history.compared >= enough:
                break
