"""Runs one scenario: arranges, plays, and checks its expectations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from random import Random

from houserule.compiler.program import Program
from houserule.definition.scenario import (
    Answer,
    Deck,
    Do,
    Expect,
    Given,
    Item,
    Options,
    Pending,
    Race,
    Refuse,
    Roll,
    Scenario,
    Unseen,
)
from houserule.diagnostics import Span, nearest
from houserule.language.checked import Parts, Routine, Variable
from houserule.language.types import Piece, Tuple, Type, plain
from houserule.match.match import IllegalAnswer, Match
from houserule.rehearsing.prepared import ArrangedMatch, Check, Failed, Place, Prepared, PromisedTop, Script
from houserule.running.log import StepBegun, TurnBegun, entries
from houserule.running.state import State
from houserule.telling.choices import Choice, Option, joined
from houserule.telling.events import sees_variable
from houserule.telling.labels import Keys

MANY = 30
Value = str | tuple[str, ...]
"""An answer as a scenario writes it: a word, or several."""


class Rehearsal:
    """One scenario while it runs."""

    def __init__(self, scenario: Scenario, prepared: Prepared, program: Program) -> None:
        self.scenario = scenario
        self.prepared = prepared
        self.program = program
        self.keys = Keys(program, scenario.players)
        self.script = Script(self.keys, program.game.analysis.rolled)
        state = State(program, Random(scenario.seed))
        state.script = self.script
        self.match = ArrangedMatch(prepared, program, state, scenario)
        self.is_set_up = False
        self.at = scenario.span  # the current action, for faults
        self.begun = 0  # how many steps and turns had begun at the last answer or effect
        self.watch: Callable[[Match], None] | None = None  # is shown the table before what is played, and after it

    # --- the whole ----------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Run the scenario. Raises Failed if something does not hold, and RuleFault."""
        scenario = self.scenario
        self.set_up()
        self.match.arrange([self.prepared.effects[id(block)] for block in scenario.given])
        self.show()
        for item in scenario.play:
            self.item(item)
        if scenario.until == "end at once":
            self.see_over_at_once()
        elif scenario.until or scenario.ending:
            self.at = scenario.span
            self.run_on()
            while not self.match.is_over and self.answer_alone():
                pass
            if not self.match.is_over:
                raise Failed(scenario.span, "the game is not over")
        if scenario.ending and self.match.ending != scenario.ending:
            ended = f"the game ends with '{self.match.ending}', not with '{scenario.ending}'"
            raise Failed(scenario.ending_span, ended)
        expected: tuple[Item, ...] = (*scenario.pending, *scenario.expects)
        for item in expected:
            self.item(item)
        self.script.see_kept(self.match.state)
        self.show()

    def show(self) -> None:
        if self.watch is not None:
            self.watch(self.match)

    def set_up(self) -> None:
        """Play the set-up with the scenario's answers and promises; otherwise take the first option."""
        match = self.match
        promises = [item for item in self.scenario.setup if isinstance(item, Roll | Deck)]
        for promise in promises:
            self.item(promise)
        match.begin()
        for item in self.scenario.setup:
            if item not in promises:
                self.item(item)
        while not match.is_paused and not match.is_over:
            self.answer_alone()
        self.is_set_up = True

    def see_over_at_once(self) -> None:
        """Check that the last answer or effect has ended the game, before anybody is asked and any step or turn begins."""
        if not self.match.is_over:
            raise Failed(self.scenario.span, "the game is not over at once")
        begun = self.steps_and_turns()[self.begun :]
        if begun:
            first, players = begun[0], self.match.players
            what = f"the step '{first.path}'" if isinstance(first, StepBegun) else f"{players[first.player]}'s turn"
            raise Failed(self.scenario.span, f"the game is over, but not at once: {what} began before")

    def note_begun(self) -> None:
        """Note before an answer or effect how many steps and turns have begun, if the scenario checks that."""
        if self.scenario.until == "end at once":
            self.begun = len(self.steps_and_turns())

    def steps_and_turns(self) -> list[StepBegun | TurnBegun]:
        """All steps and turns that have begun, including those in the parts of a together."""
        s = self.match.state
        logs = [state.log or () for state in (s, *(s.forks or ()))]
        return [entry for log in logs for entry in entries(log) if isinstance(entry, StepBegun | TurnBegun)]

    # --- items --------------------------------------------------------------------------------------------------------

    def item(self, item: Item) -> None:
        """Run one item of `play`, `setup` or `expect`."""
        self.at = item.span
        match item:
            case Answer(span, player, answers):
                for choice, value in self.questions(player, answers, span):
                    self.answer(choice, self.option(choice, value, span), span)
            case Roll(span, results):
                for name, values in results:
                    self.script.rolls.setdefault(name, []).extend((value, span) for value in values)
            case Deck():
                self.deck(item)
            case Race(span, order):
                self.race(span, order)
            case Refuse(span, player, answers):
                for choice, value in self.questions(player, self.together(player, answers, span), span):
                    self.refuse(choice, value, span)
            case Options():
                self.options(item)
            case Do():
                self.do(item)
            case Expect():
                self.expect(item)
            case Unseen():
                self.unseen(item)
            case Pending():
                self.pending(item)

    def run_on(self) -> None:
        if self.is_set_up:
            self.match.run_on()

    def answer_alone(self) -> bool:
        """Give an answer that a scenario may leave out: the only option, or in the set-up the first."""
        for choice in self.match.pending:
            if choice.kind == "several":
                if not self.is_set_up or choice.at_least == len(choice.single):
                    self.answer(choice, choice.options[0], self.at)
                    return True
            elif not self.is_set_up or len(choice.single) == 1:
                self.answer(choice, choice.single[0], self.at)
                return True
        return False

    def choice(self, player: str, name: str | None, span: Span) -> Choice:
        """The pending choice of a player, after answers that may be left out."""
        self.run_on()
        while True:
            found = next((c for c in self.match.pending if c.player == player), None)
            if found is not None and (name is None or name in names_of(found)):
                return found
            if not self.answer_alone():
                if self.match.is_paused:
                    raise Failed(span, "the set-up was over before this")
                asked = f"for '{name}'" if found is not None and name else "anything"
                raise Failed(span, f"{player} is not asked {asked}")

    def questions(self, player: str, answers: Given, span: Span) -> Iterator[tuple[Choice, Value]]:
        """The pending choice for each answer; the parts of a combined choice, by their names, are one answer."""
        left = list(answers)
        while left:
            name, value = left.pop(0)
            choice = self.choice(player, name, span)
            if name in choice.names:
                said = dict([(name, value), *left[: len(choice.names) - 1]])
                if set(said) != set(choice.names):
                    raise Failed(span, f"{player} is asked for {named(choice)} in one question: answer that together")
                left = left[len(said) - 1 :]
                value = tuple(str(said[one]) for one in choice.names)
            with_ids = self.keys.with_ids
            yield choice, with_ids(value) if isinstance(value, str) else tuple(map(with_ids, value))

    def answer(self, choice: Choice, option: Option, span: Span) -> None:
        self.note_begun()
        try:
            self.match.answer(choice.player, option)
        except IllegalAnswer as error:
            raise Failed(span, str(error)) from error

    def option(self, choice: Choice, value: Value, span: Span) -> Option:
        """The option for an answer. Raises Failed."""
        found = self.find_option(choice, value)
        if found is None:
            words = value if isinstance(value, tuple) else (value,)
            message = f"'{', '.join(words)}' is not among the options of {choice.player}"
            raise Failed(span, "; ".join((message, *filter(None, (self.misspelt(choice, words),)))))
        return found

    def misspelt(self, choice: Choice, words: Sequence[str]) -> str | None:
        """A suggestion for the first of these words that means nothing."""
        wrong = next((text for text in words if not self.exists(choice, text)), None)
        words_of = {word: self.word(choice, o) for o in choice.single for word in (o.label, self.word(choice, o))}
        meant = (wrong if wrong in words_of else nearest(wrong, words_of)) if wrong is not None else None
        return f"did you mean '{words_of[meant]}'?" if meant is not None else None

    def find_option(self, choice: Choice, value: Value) -> Option | None:
        words = value if isinstance(value, tuple) else (value,)
        if choice.kind != "several":
            if choice.names and len(words) == len(choice.names):
                words = (", ".join(words),)
            return self.one_of(choice, choice.single, words[0]) if len(words) == 1 else None
        if value in ("pass", "nothing", "", ()):
            return choice.find("pass")
        chosen: list[Option] = []
        for text in words:
            one = self.one_of(choice, [o for o in choice.single if o not in chosen], text)
            if one is None:
                return None
            chosen.append(one)
        if not choice.at_least <= len(chosen) <= choice.at_most:
            return None
        return joined(sorted(chosen, key=choice.single.index), "")

    def one_of(self, choice: Choice, options: Sequence[Option], text: str) -> Option | None:
        return next((o for o in options if self.means(choice, o, text)), None)

    def means(self, choice: Choice, option: Option, text: str) -> bool:
        """Whether a word of a scenario means an option; a numbered copy also means its indistinguishable twins."""
        if option.is_pass or text == "pass":
            return option.is_pass and text == "pass"
        if choice.kind == "menu":
            return text in (option.key, option.label, option.line or option.key)
        if choice.kind == "slap":
            return text == option.key
        type = plain(choice.site.type)
        if not isinstance(type, Tuple):
            return self.is_meant(type, option, text, choice.single)
        words = text.split(", ")
        return len(words) == len(type.of) and all(
            map(self.is_meant, type.of, option.parts, words, choice.offered_parts)
        )

    def is_meant(self, type: Type, option: Option, text: str, offered: Sequence[Option]) -> bool:
        """Whether a text is meant for an option with one part, among those of that part."""
        if not isinstance(type, Piece):
            return text == option.key
        piece = option.number
        if "#" not in text:
            return self.program.kind_of[piece].id_of(piece) == text
        number = self.keys.piece(text)
        if number is None:
            return False
        s, program = self.match.state, self.program
        return piece == number or (
            all(o.value != number for o in offered)
            and s.w[number] == s.w[piece]
            and s.w[number] >= 0
            and program.unordered[s.w[number]]
            and program.identity[number] == program.identity[piece]
            and all(
                s.v[a] == s.v[b] for a, b in zip(program.piece_slots[number], program.piece_slots[piece], strict=True)
            )
        )

    def deck(self, item: Deck) -> None:
        """Put pieces on top of piles, now and after every shuffle until they are drawn."""
        s = self.match.state
        for place, pieces in self.prepared.decks[id(item)]:
            slot = self.slot(place)
            top = PromisedTop(slot, self.match.labels.zones[slot], self.match.call(pieces), item.span, len(s.log or ()))
            self.script.promise(s, top, not self.is_set_up or slot in s.refills)
        self.match.put_again()

    def race(self, span: Span, order: tuple[str, ...]) -> None:
        """Let players slap in this order; the others pass, unless they must slap."""
        self.run_on()
        while not any(c.kind == "slap" for c in self.match.pending):
            if not self.answer_alone():
                raise Failed(span, "there is no race now")
        entrants = {c.player: c for c in self.match.pending}
        for name in order:
            if name not in entrants:
                raise Failed(span, f"{name} may not slap; who may: {', '.join(entrants)}")
        late = [name for name, choice in entrants.items() if name not in order and choice.at_least]
        for name in [*order, *late]:
            self.answer(entrants[name], next(o for o in entrants[name].single if not o.is_pass), span)
        for name, choice in entrants.items():
            if name not in order and name not in late:
                self.answer(choice, next(o for o in choice.single if o.is_pass), span)

    def together(self, player: str, answers: Given, span: Span) -> Given:
        """Words in a row are refused one by one, but as one answer where the question asks for so many things at once."""
        given = [self.keys.with_ids(value) for name, value in answers if name is None and isinstance(value, str)]
        words = [value for value in given if ", " not in value]
        if len(words) == len(answers) > 1 and len(words) == len(self.choice(player, None, span).names):
            return ((None, tuple(words)),)
        return answers

    def refuse(self, choice: Choice, value: Value, span: Span) -> None:
        """Check that an answer exists but is not among the options."""
        player = choice.player
        if choice.names and isinstance(value, tuple):
            value = ", ".join(value)
        if choice.kind == "several" and isinstance(value, str) and ", " in value:
            value = tuple(value.split(", "))
        for text in value if isinstance(value, tuple) else (value,):
            if choice.names and text != "pass" and text.count(", ") != len(choice.names) - 1:
                raise Failed(span, f"{player} is asked for {named(choice)} in one question: refuse that together")
            if not self.exists(choice, text):
                raise Failed(span, f"'{text}' does not exist, so it cannot be refused")
        if choice.kind == "several" and isinstance(value, str) and value != "pass":
            is_offered = self.one_of(choice, choice.single, value) is not None
        else:
            is_offered = self.find_option(choice, value) is not None
        if is_offered:
            said = ", ".join(value) if isinstance(value, tuple) else value
            raise Failed(span, f"'{said}' is among the options of {player}")

    def exists(self, choice: Choice, text: str) -> bool:
        """Whether a word means anything that this choice could offer."""
        if text == "pass" or choice.kind == "slap":
            return text in ("pass", "slap")
        if choice.kind == "menu":
            return any(is_label(text, parts) or text == raw for raw, parts in choice.site.labels)
        return self.keys.value(plain(choice.site.type), text) is not None

    def options(self, item: Options) -> None:
        """Check that exactly these are the options; `pass` may be left out."""
        choice = self.choice(item.player, item.name, item.span)
        left = list(choice.single)
        missing = []
        for text in map(self.keys.with_ids, item.keys):
            found = self.one_of(choice, left, text)
            if found is None:
                missing.append(text)
            else:
                left.remove(found)
        left = [o for o in left if not o.is_pass]
        if missing or left:
            said = []
            if missing:
                said.append(f"not offered: {', '.join(missing)}")
            if left:
                said.append(f"offered as well: {', '.join(self.word(choice, o) for o in left)}")
            raise Failed(item.span, "; ".join(said))

    def do(self, item: Do) -> None:
        """Run an effect under test."""
        effect = self.prepared.effects[id(item)]
        me = self.match.players.index(item.player) if item.player is not None else -1
        if self.match.is_over:
            raise Failed(item.span, "the game is over, so no effect can be run any more")
        if self.match.state.forks is not None:
            raise Failed(item.span, "no effect can run while everybody acts at once")
        self.note_begun()
        if effect.asks:
            self.match.perform(effect, me)
        else:
            self.match.call(effect, me)
            self.match.put_again()

    def expect(self, item: Expect) -> None:
        for check in self.prepared.expectations[id(item)]:
            if not self.match.call(check.condition):
                raise Failed(item.span, f"this does not hold: {check.text}{self.sides(check)}")

    def sides(self, check: Check) -> str:
        return "".join(
            f"\n{side.text} is {self.keys.word(side.type, self.match.call(side.value))}" for side in check.sides
        )

    def unseen(self, item: Unseen) -> None:
        """Check what a player must not see; in a together, neither on the table nor in the player's own part."""
        viewer = self.match.players.index(item.player)
        self.run_on()
        s = self.match.state
        sees = self.sight_of(self.prepared.secrets[id(item)], viewer)
        own = (part for part in s.forks or () if part.player == viewer)
        if any(sees(state) for state in (s, *own)):
            raise Failed(item.span, f"{item.player} sees {item.text}")

    def sight_of(self, secret: Place | Routine, viewer: int) -> Callable[[State], bool]:
        """Whether a player sees a variable, any piece of a zone, or the piece that a function of the scenario finds."""
        program = self.program
        if not isinstance(secret, Place):
            piece = self.match.call(secret)
            return lambda state: piece >= 0 and program.sees(state, viewer, piece)
        slot = self.slot(secret)
        if isinstance(secret.family, Variable):
            return lambda state: sees_variable(program, state, viewer, slot)
        return lambda state: any(program.sees(state, viewer, piece) for piece in state.z[slot])

    def slot(self, place: Place) -> int:
        return place.family.slot(tuple(self.match.call(place.index)))

    def pending(self, item: Pending) -> None:
        """Check who is asked now."""
        self.run_on()
        while not self.are_asked(item):
            if not self.answer_alone():
                who = " and ".join(item.players) or "nobody"
                raise Failed(item.span, f"{'only ' * (item.is_exact and bool(item.players))}{who} should be asked")

    def are_asked(self, item: Pending) -> bool:
        asked = {choice.player for choice in self.match.pending}
        return asked == set(item.players) if item.is_exact else asked.issuperset(item.players)

    # --- for messages -------------------------------------------------------------------------------------------------

    def word(self, choice: Choice, option: Option) -> str:
        if option.is_pass or choice.kind not in ("pick", "several"):
            return option.label if choice.kind == "menu" and not option.is_pass else option.key
        word = self.keys.word(plain(choice.site.type), option.number)
        return f"[{word}]" if choice.names else word

    def standing(self) -> str:
        """The current questions with their options."""
        match = self.match
        if not match.is_at_rest:
            return ""
        if match.is_over:
            return "the game is over"
        if match.is_paused:
            return "nobody is asked anything yet"
        return "\n".join(self.question(choice) for choice in match.pending)

    def question(self, choice: Choice) -> str:
        words = [self.word(choice, option) for option in choice.single]
        shown = ", ".join(words[:MANY]) + (" …" if len(words) > MANY else "")
        asked = f"{choice.player} is asked"
        if choice.name and choice.kind != "slap":
            asked += f" for {named(choice)}"
        if choice.kind == "several":
            asked += f" ({choice.at_least} to {choice.at_most} of them)"
        if choice.prompt:
            asked += f' "{choice.prompt}"'
        return f"{asked}: {shown}"


def is_label(text: str, parts: Parts) -> bool:
    """Whether a line of a menu can say that, with some values in it."""
    return re.fullmatch("".join(re.escape(part) if isinstance(part, str) else ".+" for part in parts), text) is not None


def named(choice: Choice) -> str:
    return " and ".join(f"'{name}'" for name in choice.names or (choice.name,))


def names_of(choice: Choice) -> tuple[str | None, ...]:
    """What a scenario may call a choice: the names of its answer, its sentence, and `menu` for a menu."""
    return (choice.name, *choice.names, choice.prompt, *(("menu",) if choice.kind == "menu" else ()))
