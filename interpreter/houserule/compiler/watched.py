"""Answers questions at random as `chance` does, and notes each with its options: for studies, which count what is offered and taken.

The watched program calls these where a question stands; `s.watch` keeps what they note.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from houserule.compiler.chance import drawn_anyhow, drawn_or_passed, selected

State = Any
Question = tuple[int, int, Sequence[int], Any]
"""A question that was answered: its site, who was asked, what was offered, and the answer (a list for several)."""

ASKER, SITE = 12, 20
"""Where in a packed note who was asked and the site begin: numbers are quicker to keep and to count than tuples."""


def can_be_packed(options: Sequence[int], players: int) -> bool:
    """Whether there is room for these options and players in a packed note."""
    return players <= 1 << (SITE - ASKER) and all(0 <= option < 1 << ASKER for option in options)


@dataclass(slots=True, eq=False, repr=False)
class Watch:
    """What is noted of a match: the questions, and at the beginning of each round what `look` makes of the state."""

    fixed: list[int] = field(default_factory=list)
    """Site, who was asked, and the answer, of questions that always offer the same, as one number: see `ASKER`."""
    questions: list[Question] = field(default_factory=list)
    """The others that have one answer."""
    several: list[Question] = field(default_factory=list)
    """Questions with several answers: selections, and races, of which the options are those who may join."""
    rounds: int = 0
    look: Callable[[State], None] | None = None
    note_fixed: Callable[[int], None] = field(init=False)
    note: Callable[[Question], None] = field(init=False)
    note_several: Callable[[Question], None] = field(init=False)

    def __post_init__(self) -> None:
        self.note_fixed, self.note = self.fixed.append, self.questions.append
        self.note_several = self.several.append


def note(s: State, site: int, asker: int, options: Sequence[int], taken: int) -> None:
    """Note a question with one answer."""
    s.watch.note((site, asker, options, taken))


def note_several(s: State, site: int, asker: int, options: Sequence[int], taken: Sequence[int]) -> None:
    """Note a question with several answers, or a race."""
    s.watch.note_several((site, asker, options, taken))


def round_begun(s: State) -> None:
    """A round of the match begins."""
    watch = s.watch
    watch.rounds += 1
    if watch.look is not None:
        watch.look(s)


def drawn_of_fixed(s: State, options: Sequence[int], nothing: int, site: int, asker: int) -> int:  # noqa: ARG001  called like the others
    """One of the options of a question that always offers the same, each as likely; `site` is shifted already."""
    # What `drawn` does, written out, here and below: most questions of a match are answered so.
    s.chances -= 1
    s.passes = 0
    taken = options[int(s.chance() * len(options))]
    s.watch.note_fixed(site + (asker << ASKER) + taken)
    return taken


def drawn_watched(s: State, options: Sequence[int], nothing: int, site: int, asker: int) -> int:
    """One of the options, each as likely; `nothing` where there are none."""
    if not options:
        return nothing
    s.chances -= 1
    s.passes = 0
    taken = options[int(s.chance() * len(options))]
    s.watch.note((site, asker, options, taken))
    return taken


def drawn_or_passed_watched(s: State, options: Sequence[int], nothing: int, site: int, asker: int) -> int:
    """The same where passing is as likely as each of them."""
    taken = drawn_or_passed(s, options, nothing)
    if options:
        note(s, site, asker, options, taken)
    return taken


def drawn_anyhow_watched(s: State, options: Sequence[int], nothing: int, may_pass: bool, site: int, asker: int) -> int:
    """The same where somebody is asked even if there are no options."""
    taken = drawn_anyhow(s, options, nothing, may_pass)
    note(s, site, asker, options, taken)
    return taken


def selected_watched(
    s: State, options: Sequence[int], bounds: tuple[int, int], may_pass: bool, site: int, asker: int
) -> list[int]:
    """A selection of as many as the bounds say, each as likely; an empty one where none can be taken."""
    taken = selected(s, options, bounds, may_pass)
    if bounds[1] > 0:
        note_several(s, site, asker, options, taken)
    return taken


WATCHED: dict[str, Any] = {
    "round_begun": round_begun,
    "drawn_of_fixed": drawn_of_fixed,
    "drawn_watched": drawn_watched,
    "drawn_or_passed_watched": drawn_or_passed_watched,
    "drawn_anyhow_watched": drawn_anyhow_watched,
    "selected_watched": selected_watched,
}
