"""The numbering of a game as plain tables, for native play: see `running.observing`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from types import SimpleNamespace
from typing import Any

from houserule.language.types import Maybe, Piece, Tuple, Type, none_of, plain
from houserule.running.observing import ALL, NOBODY, NUMBER, OPTIONAL, PIECE, Asking, Layout
from houserule.spaces.answers import Numbered
from houserule.spaces.domains import Pieces
from houserule.spaces.sights import Observations

MOST_VALUES = 1 << 16
"""A question whose options have a wider range is left to Python."""


def layout_of(observations: Observations) -> Layout | None:
    """The tables of a game; None where players act at the same time or a question is answered in parts, or where a rule says who knows an amount or a variable."""
    program = observations.program
    questions = [asking_of(one) for one in observations.actions.questions]
    rules = [*program.zone_amount, *program.variable_sight]
    if program.together_at or None in questions or any(callable(rule) for rule in rules):
        return None
    kinds = [*program.symbols.kinds]
    return Layout(
        size=observations.size,
        actions=observations.actions.size,
        players=observations.players,
        asks=observations.asks,
        amounts=tuple(amount for amount, _, _ in observations.zones),
        amount_known_by=tuple(map(known_by, program.zone_amount)),
        tops=tuple(top for _, top, _ in observations.zones),
        firsts=tuple(first for _, _, first in observations.zones),
        kinds=len(kinds),
        starts=tuple(starts.get(kind, 0) for starts in observations.start_of_kind for kind in kinds),
        kind_of=tuple(kinds.index(kind.name) for kind in program.kind_of),
        group=tuple(observations.group),
        **variables_of(observations),
        questions=tuple(one for one in questions if one is not None),
    )


def variables_of(observations: Observations) -> dict[str, tuple[int, ...]]:
    """The tables of variables: those of pieces come last."""
    program = observations.program
    rows = [
        (slot, entry, none, type, observations.entries[entry].low, -1)
        for slot, entry, none, type in observations.variables
    ]
    for slot, entry, piece in observations.of_pieces:
        type = program.variable_of[slot].type
        rows.append((slot, entry, none_of(type), type, 0, piece))
    return {
        "slots": tuple(slot for slot, *_ in rows),
        "entries": tuple(entry for _, entry, *_ in rows),
        "known_by": tuple(known_by(program.variable_sight[slot]) for slot, *_ in rows),
        "holds": tuple(held_by(type) for _, _, _, type, *_ in rows),
        "nones": tuple(none for _, _, none, *_ in rows),
        "pieces": tuple(piece for *_, piece in rows),
        "unseen": tuple(unseen for *_, unseen, _ in rows),
    }


def held_by(type: Type) -> int:
    """What a variable holds."""
    return PIECE if isinstance(plain(type), Piece) else OPTIONAL if isinstance(type, Maybe) else NUMBER


def known_by(rule: Any) -> int:
    """Who sees a variable or an amount."""
    return {"all": ALL, "none": NOBODY}[rule] if isinstance(rule, str) else int(rule)


def asking_of(one: Numbered) -> Asking | None:
    """The numbers of a question that one option answers; None for others."""
    if one.is_long or one.is_staged or one.site.kind in ("race", "several") or (one.lines and one.domains):
        return None
    columns = [domain.values() for domain in one.domains]
    if None not in columns:
        numbers = numbers_of(one, columns)
        low, high = min(numbers, default=0), max(numbers, default=-1)
        if high - low >= MOST_VALUES:
            return None
        listed = tuple(numbers.get(value, one.first) for value in range(low, high + 1))
        return Asking(0, low, listed, (), 0, one.passing)
    domain = one.domains[0]
    if len(one.domains) > 1 or not isinstance(domain, Pieces):
        return None
    low, high = min(domain.first), max(domain.first)
    values = range(low, high + 1)
    listed = tuple(one.first + domain.first.get(value, 0) for value in values)
    is_alone = tuple(int(domain.is_alone.get(value, True)) for value in values)
    return Asking(1, low, listed, is_alone, one.first + domain.seen, one.passing)


def numbers_of(one: Numbered, columns: Sequence[Any]) -> dict[int, int]:
    """The number of each option that there can be."""
    if one.lines:
        options = list(range(len(one.site.labels)))
    elif isinstance(one.type, Tuple):
        options = [one.type.whole(parts) for parts in product(*columns)]
    else:
        options = columns[0]
    state: Any = SimpleNamespace(options=options)
    tree = one.tree(state, lambda _: True, lambda values: values)
    return {value: number for number, value in tree.items() if number != one.passing}
