"""Says in which words two matches differ for a player who must be shown the same in both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from houserule import Choice, Match, Option
from houserule.telling.events import Event
from houserule.telling.view import View

LONGEST = 120
"""The characters of a text that are shown."""


def after_answer(number: int, choice: Choice | None, option: Option | None) -> str:
    """Which answer a moment follows, and where the rules ask for it."""
    if choice is None or option is None:
        return "before the first answer"
    place = choice.site.span
    return f"after answer {number} ({choice.player}: {brief(option.key)} at {place.file}:{place.line})"


def difference(one: Match, two: Match, events: Sequence[Sequence[Event]], seat: int) -> str:
    """What a player is shown in one match, and what in another: an event, a question, or something on the table."""
    for first, second in zip_longest(*events):
        if first != second:
            return opposed("are told", *(event.text if event is not None else None for event in (first, second)))
    return questions_differ(one, two, seat) or tables_differ(one, two, seat) or "their questions have other limits"


def questions_differ(one: Match, two: Match, seat: int) -> str | None:
    """How it differs who is asked, and what a player is."""
    asked = [" and ".join(c.player for c in match.pending) or "nobody" for match in (one, two)]
    if asked[0] != asked[1]:
        return f"{asked[0]} is asked, and {asked[1]} where other things are hidden"
    for mine in zip(*([c for c in match.pending if c.seat == seat] for match in (one, two)), strict=False):
        if mine[0].prompt != mine[1].prompt:
            return opposed("are asked", *(choice.prompt for choice in mine))
        labels = [", ".join(option.label for option in choice.single) for choice in mine]
        if labels[0] != labels[1]:
            return opposed("may choose", *labels)
    return None


def tables_differ(one: Match, two: Match, seat: int) -> str | None:
    """The first zone or variable in which a player sees something else."""
    parts = [dict(seen(match.view(seat))) for match in (one, two)]
    for name in parts[0] | parts[1]:
        if parts[0].get(name) != parts[1].get(name):
            return opposed(f"see {name}", parts[0].get(name), parts[1].get(name))
    return None


def opposed(how: str, one: str | None, two: str | None) -> str:
    return f"they {how} {brief(one)}, and {brief(two)} where other things are hidden"


def brief(text: str | None) -> str:
    if text is None:
        return "nothing"
    return f"'{text}'" if len(text) <= LONGEST else f"'{text[:LONGEST]}…'"


def seen(view: View) -> Iterator[tuple[str, str]]:
    """The zones and variables of a view by title and id, with what is seen of them."""
    for zone in view.zones:
        pieces = [", ".join((piece.label, *map(" ".join, piece.variables.items()))) for piece in zone.pieces]
        amount = "?" if zone.amount is None else zone.amount
        yield f"in {zone.title} ({zone.id})", f"{amount}: {'; '.join(pieces)}"
    for variable in view.variables:
        yield f"{variable.title} ({variable.id})", variable.value_label
    yield "among those who are out", ", ".join(view.out)
