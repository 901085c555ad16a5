"""How much rules may work: what is done is counted against what a choice allows and against what a match allows.

Rules come from anybody, and may loop for ever or nearly so. One unit is what a simple operation takes, about 20 nanoseconds:
a comparison, a sum, a variable that is read. A state `s` keeps the units that it has drawn in `s.fuel`, those that are left
for the match in `s.reserve`, and in `s.since` those drawn since the last answer. Events are counted whenever units are drawn,
so that noting one takes no longer, and so are the questions that chance answers. Who runs the rules can multiply what is
allowed (`allow_work`); rules cannot.
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
"""What may be done between two answers: about two seconds of work."""
IN_A_MATCH = 600_000_000
"""What may be done in a whole match: about fifteen seconds. Those of the bundled games take three to five million."""
FUEL = 250_000
"""How many units a state draws from its reserve at a time."""


@dataclass(slots=True)
class Allowance:
    """How many times the usual work rules may do in this process."""

    times: float = 1


ALLOWANCE = Allowance()


def allow_work(times: float | None = None) -> float:
    """Let rules work so many times as much as usual, from the next match on, in this process; how many times they may now."""
    if times is not None:
        if not 0 < times < 1_000_000:
            raise ValueError("rules can be allowed up to a million times as much work as usual, and need some")
        ALLOWANCE.times = times
    return ALLOWANCE.times


def reserve() -> int:
    """What a match may take."""
    return int(IN_A_MATCH * ALLOWANCE.times)


At = tuple[CodeType, int, str]
"""An instruction of a rule: its code, its number there, and the function that it is written in."""


class Drawn(NamedTuple):
    """Units that were drawn once: the instruction of a rule that drew them, and for what; and what was drawn before, so many times."""

    at: At | None
    work: int
    events: int
    questions: int
    is_first: bool  # since the last answer
    times: int
    before: Drawn | None


@dataclass(slots=True)
class Laying:
    """Counts the work of laying out pieces, as a state counts that of a match, which has not begun."""

    program: Any  # whose probes are marked meanwhile, which nobody looks at
    fuel: int = FUEL
    reserve: int = field(default_factory=reserve)
    since: int = 0
    depth: int = 0
    chances: int = 0
    unasked: int = 0
    noted: int = 0
    spent: Drawn | None = None
    log: None = None

    def shallower(self) -> None:
        """A recursive call ends."""
        self.depth -= 1

    def rest(self) -> None:
        """Begin to count anew."""
        self.fuel, self.reserve, self.since, self.depth = FUEL, reserve(), 0, 0


def has_worked_enough(s: State) -> bool:
    """Whether a state has drawn all that there is between two answers."""
    return bool(s.since > BETWEEN_ANSWERS * ALLOWANCE.times)


MOST_DRAWN = 10_000
"""So many times units are drawn before it is forgotten for what."""
PASS = 4
"""What going through one element of a list takes, beside what is done with it."""
PIECE = 10
"""What moving one piece takes."""
NAMED = 500
"""What a piece takes that is named in a sentence: it is put into words for each who is told."""
LETTER = 15
"""What a letter of a long sentence takes, which is joined for each who is told, kept, and printed."""
CALL = 5
"""What calling a function takes."""
EVENT = 1_500
"""What an event takes that is noted, printed, and remembered by those who answer."""
TELLING = 500
"""What telling an event to one player takes."""
LISTED = 20
"""What each of the pieces takes that an event names together, for each who is told: whether they see it, and follow it."""
OPTION = 2_500
"""What an option takes that is told: it is put into words, for the match and for those who imagine it, and looked for."""
TRIGGER = 2_000
"""What a trigger takes beside its own loops and calls."""
QUESTION = 10_000
"""What a question takes: the copy of the match, and the rules before it that are too short to be counted."""


def spend(s: State, work: int) -> None:
    """Count work. Raises Fault where it becomes too much."""
    s.fuel -= work
    if s.fuel < 0:
        refuel(s)


def spend_telling(s: State, pieces: int) -> None:
    """Count the work of telling everybody of an event with so many pieces. Raises Fault where it becomes too much."""
    spend(s, LISTED * (1 + s.program.symbols.players) * pieces)


def refuel(s: State) -> None:
    """Draw more units from the reserve. Raises Fault where the rules have had all that they may have."""
    work = FUEL - s.fuel
    events = questions = 0
    s.fuel = FUEL
    if s.chances != s.unasked:
        questions = QUESTION * max(0, s.unasked - s.chances)
        s.unasked = s.chances
        s.since = 0
    if s.log is not None:
        events = (EVENT + TELLING * s.program.symbols.players) * (len(s.log) - s.noted)
        s.noted = len(s.log)
    before = s.spent if s.spent is not None and s.spent.times < MOST_DRAWN else None
    times = 1 if before is None else before.times + 1
    s.spent = Drawn(rule_at_work(s), work, events, questions, s.since == 0, times, before)
    drawn = work + events + questions
    s.reserve -= drawn
    s.since += drawn
    if s.since > BETWEEN_ANSWERS * ALLOWANCE.times:
        raise too_much(s, BETWEEN_ANSWERS, "between two answers")
    if s.reserve < 0:
        raise too_much(s, IN_A_MATCH, "in one match")


def rule_at_work(s: State) -> At | None:
    """The instruction of the innermost rule that is being carried out."""
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
    """The name of a function; none for what Python makes of a list inside it."""
    return "" if code.co_name.startswith("<") else code.co_name


def too_much(s: State, limit: int, when: str) -> Fault:
    """What is said where rules work too much, at the line of the rules that has drawn the most: what was counted there and in all."""
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
    """What was drawn, the last time first: all that is known, or what was since the last answer."""
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
    """So many units, as people say it."""
    if units < 1_000_000:
        return f"{units:,}"
    tenths = units // 100_000
    return f"{tenths // 10} million" if tenths >= 100 or tenths % 10 == 0 else f"{tenths / 10} million"
