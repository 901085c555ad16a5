"""Which zones of a family make one region: places that would lie over one another are on boards of their own."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from houserule.definition.looks import ZoneLook
from houserule.language.checked import Zone
from houserule.language.types import Bool, Int, Member, Piece, Player, Type
from houserule.table.places import Part

if TYPE_CHECKING:
    from houserule.table.looks import Looks

SPLIT = ("grid", "hex", "graph", "layers")
"""Arrangements whose places lie where their attributes say."""


class Attribute(NamedTuple):
    """An attribute of the places of a family, with its values by slot."""

    type: Type
    values: dict[int, int]


def parts_of(looks: Looks, zone: Zone, look: ZoneLook, cell: Callable[[Sequence[int]], list[Hashable]]) -> list[Part]:
    """The regions of a family. `cell` says where places lie, or else what tells them apart."""
    is_owned = zone.owned and look.arrange != "trick"
    found: list[Part] = []
    for seat in range(zone.sizes[0]) if is_owned else (None,):
        id = zone.name if seat is None else f"{zone.name}:{seat}"
        whole = Part(id, seat, looks.slots(zone, seat), len(zone.parameters) > is_owned)
        found += split(looks, zone, whole, cell) if whole.is_family and look.arrange in SPLIT else [whole]
    return found


def split(looks: Looks, zone: Zone, whole: Part, cell: Callable[[Sequence[int]], list[Hashable]]) -> Iterator[Part]:
    """A part for each combination of the attributes that tell places in one cell apart; those of players come first."""
    layout = looks.layout
    is_players = whole.seat is None and zone.name in layout.player
    cells = dict(zip(whole.slots, cell(whole.slots), strict=True))
    chosen: list[Attribute] = []
    for one in attributes(looks, zone, whole.slots):
        keys = {slot: (at, *(other.values[slot] for other in chosen)) for slot, at in cells.items()}
        distinct = len(set(keys.values()))
        with_it = len({(key, one.values[slot]) for slot, key in keys.items()})
        if (distinct < len(keys) and with_it > distinct) or (is_players and isinstance(one.type, Player)):
            chosen.append(one)
    groups: dict[tuple[int, ...], list[int]] = {}
    for slot in whole.slots:
        groups.setdefault(tuple(one.values[slot] for one in chosen), []).append(slot)
    if len(groups) < 2:
        yield whole
        return
    is_on_table = zone.name in chain(*layout.table)
    for values, slots in sorted(groups.items()):
        seat, words = whole.seat, []
        for one, value in zip(chosen, values, strict=True):
            if seat is None and isinstance(one.type, Player) and not is_on_table:
                seat = value
            else:
                words.append(looks.labels.value(one.type, value))
        yield Part(":".join([whole.id, *map(str, values)]), seat, slots, True, tuple(words))


def attributes(looks: Looks, zone: Zone, slots: Sequence[int]) -> list[Attribute]:
    """The attributes of the places of a family: those of players, then those with few values."""
    found: list[Attribute] = []
    for position, parameter in enumerate(zone.parameters):
        type = parameter.type
        if not isinstance(type, Member | Piece) or type.kind is None:
            continue
        kind = looks.program.symbols.kinds[type.kind]
        numbers = {slot: zone.index(slot)[position] - kind.base for slot in slots}
        for name in kind.product_names or kind.attribute_types:
            of, values = kind.attribute_types[name], kind.attributes[name]
            if isinstance(of, Player | Member | Int | Bool):
                found.append(
                    Attribute(of, {slot: value for slot, at in numbers.items() if isinstance(value := values[at], int)})
                )
    return sorted(found, key=lambda one: (not isinstance(one.type, Player), len(set(one.values.values()))))
