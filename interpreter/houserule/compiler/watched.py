"""Answers questions at random as `chance` does, and records each with its options, for studies that count options.

The watched program calls these in place of questions; `s.watch` keeps the records.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from houserule.compiler.chance import drawn_anyhow, drawn_or_passed, selected

State = Any
Question = tuple[int, int, Sequence[int], Any]
"""An answered question: its site, the player, the options, and the answer (a list for several)."""

ASKER, SITE = 12, 20
"""The shifts of player and site in a packed note: integers are quicker to keep and to count than tuples."""


def can_be_packed(options: Sequence[int], players: int) -> bool:
    """Whether options and players fit in a packed note."""
    return players <= 1 << (SITE - ASKER) and all(0 <= option < 1 << ASKER for option in options)


@dataclass(slots=True, eq=False, repr=False)
class Watch:
    """The notes of a match: the questions, and the result of `look` at the beginning of each round."""

    fixed: list[int] = field(default_factory=list)
    """Questions with constant options: site, player and answer as one integer (see `ASKER`)."""
    questions: list[Question] = field(default_factory=list)
    """Other questions with one answer."""
    several: list[Question] = field(default_factory=list)
    """Questions with several answers: selections, and races, whose options are the players who may join."""
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
    """Note that a round begins."""
    watch = s.watch
    watch.rounds += 1
    if watch.look is not None:
        watch.look(s)


def drawn_of_fixed(s: State, options: Sequence[int], nothing: int, site: int, asker: int) -> int:  # noqa: ARG001  called like the others
    """One of the options of a question with constant options, all equally likely; `site` is already shifted."""
    # `drawn`, inlined, here and below: most questions of a match are answered this way.
    s.chances -= 1
    s.passes = 0
    taken = options[int(s.chance() * len(options))]
    s.watch.note_fixed(site + (asker << ASKER) + taken)
    return taken


def drawn_watched(s: State, options: Sequence[int], nothing: int, site: int, asker: int) -> int:
    """One of the options, all equally likely; `nothing` if there are none."""
    if not options:
        return nothing
    s.chances -= 1
    s.passes = 0
    taken = options[int(s.chance() * len(options))]
    s.watch.note((site, asker, options, taken))
    return taken


def drawn_or_passed_watched(s: State, options: Sequence[int], nothing: int, site: int, asker: int) -> int:
    """The same, with passing as likely as each option."""
    taken = drawn_or_passed(s, options, nothing)
    if options:
        note(s, site, asker, options, taken)
    return taken


def drawn_anyhow_watched(s: State, options: Sequence[int], nothing: int, may_pass: bool, site: int, asker: int) -> int:
    """The same for a question that is put even without options."""
    taken = drawn_anyhow(s, options, nothing, may_pass)
    note(s, site, asker, options, taken)
    return taken


def selected_watched(
    s: State, options: Sequence[int], bounds: tuple[int, int], may_pass: bool, site: int, asker: int
) -> list[int]:
    """A selection whose size is within the bounds, all equally likely; an empty one if none is possible."""
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
