"""Limits the work of rules: work is counted against one limit between answers and one for the whole match.

Rules come from anybody, and may loop for ever or nearly so. One unit is worth about 20 nanoseconds in Python: a pass of a
loop with little in it, or a few comparisons and sums. `tests/running/test_prices.py` compares units with time. A state `s` keeps the units that it has drawn in `s.fuel`, those left
for the match in `s.reserve`, and in `s.since` those drawn since the last answer. Events are counted whenever units are drawn,
so that noting one takes no longer, and so are the questions that chance answers. The program that runs the rules can raise
the limits (`allow_work`); rules cannot.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any, NamedTuple

from houserule.operations.table import Fault

State = Any

BETWEEN_ANSWERS = 80_000_000
"""The limit between two answers: about two seconds of work."""
IN_A_MATCH = 600_000_000
"""The limit for a whole match: about fifteen seconds, with what is not rules."""
FOR_LOOKS = 150_000_000
"""The limit for looking who leads at the beginning of each round, which studies do beside the match."""
GRAINS = 16
"""The grains of a unit: the compiler estimates in grains, as some operations take less than a unit."""
FUEL = 250_000
"""The units that a state draws from its reserve at a time."""


@dataclass(slots=True)
class Allowance:
    """The factor of the usual limits in this process."""

    times: float = 1


ALLOWANCE = Allowance()


def allow_work(times: float | None = None) -> float:
    """Let rules work `times` as much as usual in this process, from the next match on; returns the factor."""
    if times is not None:
        if not 0 < times < 1_000_000:
            raise ValueError("rules can be allowed up to a million times as much work as usual, and need some")
        ALLOWANCE.times = times
    return ALLOWANCE.times


def reserve() -> int:
    return int(IN_A_MATCH * ALLOWANCE.times)


def for_looks() -> int:
    return int(FOR_LOOKS * ALLOWANCE.times)


def between_answers() -> int:
    return int(BETWEEN_ANSWERS * ALLOWANCE.times)


At = tuple[CodeType, int, str]
"""An instruction of a rule: its code, its offset there, and its function."""


class Drawn(NamedTuple):
    """One draw of units: the instruction that drew them, its purpose; and the draws before it, with their number."""

    at: At | None
    work: int
    events: int
    questions: int
    is_first: bool  # since the last answer
    times: int
    before: Drawn | None


@dataclass(slots=True)
class Laying:
    """Counts the work of laying out pieces before a match, as a state counts that of the match."""

    program: Any  # for probes that are marked meanwhile, which nobody reads
    fuel: int = FUEL
    reserve: int = field(default_factory=reserve)
    between: int = field(default_factory=between_answers)
    since: int = 0
    depth: int = 0
    chances: int = 0
    unasked: int = 0
    noted: int = 0
    spent: Drawn | None = None
    log: None = None

    def shallower(self) -> None:
        self.depth -= 1

    def rest(self) -> None:
        self.fuel, self.since, self.depth = FUEL, 0, 0


def has_worked_enough(s: State) -> bool:
    """Whether a state has used up the limit between two answers, or that of a match."""
    return bool(s.since > s.between or s.reserve < 0)


MOST_DRAWN = 10_000
"""Draws that are kept, with their purposes."""
LOOP = 7
"""The work of beginning a loop whose passes are counted."""
PIECE = 10
"""The work of moving one piece."""
CARRIED = 2
"""The work of moving one piece among many, without events and triggers."""
EXCHANGED = 50
"""The work of exchanging one whole pile, besides its pieces."""
NAMED = 500
"""The work of naming a piece in a sentence, for each recipient."""
LETTER = 15
"""The work of a letter of a long sentence: it is joined for each recipient, kept, and printed."""
NOTED = 50
"""The work of noting an event, of which there can therefore not be very many before units are drawn."""
EVENT = 600
"""The work of an event that is printed, and remembered by those who answer."""
TELLING = 500
"""The work of telling an event to one player."""
LISTED = 20
"""The work of each of the pieces that an event names, for each recipient: whether they see it, and tracking it."""
SEEN = 30
"""The work of asking a rule whether a player sees a piece or variable, which happens at each event."""
OPTION = 550
"""The work of an option that is told: its words, for the match and for those who imagine it, and looking it up."""
TRIGGER = 50
"""The work of a trigger besides that of its rules."""
QUESTION = 1_400
"""The work of a question that is told: the copy of the match, and of a part of a together that of all parts."""
ANSWERED = 25
"""The work of a question that chance answers, where nothing is told."""
ALONE = 500
"""The work of beginning and going on with a part of a together on a copy of the table, where nothing is told."""
PART = 3
"""The work of each variable, piece and zone for each player of a together: a copy, which is compared with the others."""
DRAWN = 8
"""The work of each option when chance takes several."""


def spend(s: State, work: int) -> None:
    """Count work. Raises Fault at the limit."""
    s.fuel -= work
    if s.fuel < 0:
        refuel(s)


def spend_telling(s: State, pieces: int) -> None:
    """Count the work of telling everybody an event with this number of pieces. Raises Fault at the limit."""
    spend(s, LISTED * (1 + s.program.symbols.players) * pieces)


def refuel(s: State) -> None:
    """Draw more units from the reserve. Raises Fault at the limit."""
    work = FUEL - s.fuel
    events = 0
    questions = 0
    s.fuel = FUEL
    if s.chances != s.unasked:
        questions = ANSWERED * max(0, s.unasked - s.chances)
        s.unasked = s.chances
        s.since = 0
    if s.log is not None:
        events = work_of_events(s)
    s.spent = last_draw(s, work, events, questions)
    s.reserve -= work + events + questions
    s.since += work + events + questions
    if s.since > s.between:
        raise too_much(s, BETWEEN_ANSWERS, "between two answers")
    if s.reserve < 0:
        raise too_much(s, IN_A_MATCH, "in one match")


def work_of_events(s: State) -> int:
    """The work of the events that were noted since the last count."""
    in_doubt = sum([len(s.z[slot]) * viewers for slot, viewers in s.program.in_doubt])
    event = EVENT + TELLING * s.program.symbols.players + SEEN * (in_doubt + s.program.variables_in_doubt)
    events = len(s.log) - s.noted
    s.noted = len(s.log)
    return int(event * events)


def last_draw(s: State, work: int, events: int, questions: int) -> Drawn:
    before = s.spent if s.spent is not None and s.spent.times < MOST_DRAWN else None
    times = 1 if before is None else before.times + 1
    return Drawn(rule_at_work(s), work, events, questions, s.since == 0, times, before)


def rule_at_work(s: State) -> At | None:
    """The current instruction of the innermost running rule."""
    namespace = getattr(s.program, "namespace", None)
    around: FrameType | None = sys._getframe(1)  # noqa: SLF001  the only way to ask
    at: FrameType | None = None
    while around is not None:
        if around.f_globals is namespace:
            at = at or around
            if name := named(around.f_code):
                return at.f_code, at.f_lasti, name
        around = around.f_back
    return None


def named(code: CodeType) -> str:
    return "" if code.co_name.startswith("<") else code.co_name


def too_much(s: State, limit: int, when: str) -> Fault:
    """The message at the limit, at the line of the rules that has drawn the most, with its amount and the total."""
    all_drawn = list(since_answer(s.spent, when == "between two answers"))
    lines: Counter[tuple[str, int]] = Counter()
    for drawn in all_drawn:
        lines[line_of(drawn)] += drawn.work + drawn.events + drawn.questions
    line, most = lines.most_common(1)[0]
    work = sum(drawn.work for drawn in all_drawn)
    events = sum(drawn.events for drawn in all_drawn)
    questions = sum(drawn.questions for drawn in all_drawn)
    if limit == IN_A_MATCH:  # options that were told were not drawn, but taken from the reserve at once
        questions = max(questions, reserve() - s.reserve - work - events)
    counted = {
        "for operations, passes of loops, calls and pieces": work,
        "for events": events,
        "for questions": questions,
    }
    said = " and ".join(f"{amount(units)} {what}" for what, units in counted.items() if units)
    fault = Fault(
        f"this takes too long: rules may do {amount(int(limit * ALLOWANCE.times))} units of work {when}, and these did {said}. "
        f"Most was done here: {amount(most)}; --work raises that limit"
    )
    fault.at = next(drawn.at for drawn in all_drawn if line_of(drawn) == line)
    return fault


def since_answer(drawn: Drawn | None, is_short: bool) -> Iterator[Drawn]:
    """The draws since the last answer, or all that are kept, the latest first."""
    while drawn is not None:
        yield drawn
        drawn = None if is_short and drawn.is_first else drawn.before


def line_of(drawn: Drawn) -> tuple[str, int]:
    """The file and line of the rule that drew units."""
    if drawn.at is None:
        return "", 0
    code, instruction, _ = drawn.at
    return code.co_filename, list(code.co_positions())[instruction // 2][0] or 0


def amount(units: int) -> str:
    """An amount of units, for people."""
    if units < 1_000_000:
        return f"{units:,}"
    tenths = units // 100_000
    return f"{tenths // 10} million" if tenths >= 100 or tenths % 10 == 0 else f"{tenths / 10} million"
