"""Zones and variables: the indices of each family, and its slots."""

from __future__ import annotations

from houserule.definition.constants import Draft, constant_number, named_type
from houserule.definition.model import VariableDefinition, ZoneDefinition
from houserule.definition.reader import Word
from houserule.diagnostics import Span, nearest
from houserule.language import nodes
from houserule.language.checked import Family, Parameter, Variable, Zone
from houserule.language.types import UNKNOWN, List, Unknown

MOST_SLOTS = 100_000


def declare_zones_and_variables(draft: Draft) -> None:
    """Give each family of zones and of variables its indices and its slots."""
    symbols = draft.symbols
    slots = 0
    for zone_definition in draft.game.zones.values():
        zone = zone_family(draft, zone_definition, slots)
        symbols.zones[zone.name] = zone
        slots += zone.size
        if is_too_many(draft, slots, zone_definition.span):
            return
    slots = 0
    for variable_definition in draft.game.variables.values():
        variable = variable_family(draft, variable_definition, slots)
        symbols.variables[variable.name] = variable
        slots += variable.size
        if is_too_many(draft, slots, variable_definition.span):
            return
    for variable_definition in draft.game.variables.values():
        if variable_definition.per_position:
            symbols.variables[variable_definition.name].positions = positions(draft, variable_definition)
    for zone_definition in draft.game.zones.values():
        if zone_definition.refill is not None:
            check_refill(draft, zone_definition, zone_definition.refill)


def positions(draft: Draft, definition: VariableDefinition) -> tuple[Family, ...]:
    """The zones and variables whose position selects the value of a variable."""
    symbols, found = draft.symbols, list[Family]()
    if definition.of_kind is not None:
        message = f"'{definition.name}' belongs to a {definition.of_kind}, so it cannot have a value per position"
        draft.report.error("HR528", message, definition.span, "declare it under `variables:` of the game")
    for name in definition.per_position:
        family: Family | None = symbols.zones.get(name) or symbols.variables.get(name)
        if family is None:
            pool = [*symbols.zones, *symbols.variables]
            draft.report.misnamed("HR501", f"there is no zone or variable '{name}'", name.span, name, pool)
        elif name in draft.game.variables and draft.game.variables[name].per_position:
            message = f"'{name}' has a value per position itself, so it cannot be part of one"
            draft.report.error("HR528", message, name.span, "name the zones and variables that it depends on")
        else:
            family.uses += 1
            found.append(family)
    return tuple(found)


def is_too_many(draft: Draft, slots: int, span: Span) -> bool:
    """Whether there are more slots than a match can hold; reports it."""
    if slots > MOST_SLOTS:
        draft.report.error("HR551", f"that makes {slots} places to keep; the limit is {MOST_SLOTS}", span)
    return slots > MOST_SLOTS


def check_refill(draft: Draft, definition: ZoneDefinition, name: Word) -> None:
    """Check that the zone to refill from exists and has no other indices."""
    zones = draft.symbols.zones
    source = zones.get(name)
    if source is None:
        draft.report.misnamed("HR501", f"there is no zone '{name}' to refill from", name.span, name, zones)
        return
    source.uses += 1
    if source.sizes not in ((), zones[definition.name].sizes):
        draft.report.error("HR511", f"'{name}' has other indices than '{definition.name}'", name.span)


def indices(
    draft: Draft, given: tuple[nodes.Parameter, ...], what: str
) -> tuple[tuple[Parameter, ...], tuple[int, ...], tuple[int, ...]]:
    """The indices of a family, whose types are finite, with their first values and their sizes."""
    found, lows, sizes = [], [], []
    for parameter in given:
        type = named_type(draft, parameter.type)
        domain = draft.symbols.domain(type)
        if domain is None:
            if not isinstance(type, Unknown):
                message = f"the index of {what} must be of a finite type, and {type} is not"
                help = "an enum, a kind of piece, player, bool, or a range such as 1..6"
                draft.report.error("HR518", message, parameter.span, help)
            domain = range(1)
        found.append(Parameter(type, parameter.name, parameter.span))
        lows.append(domain.start if len(domain) else 0)
        sizes.append(len(domain))
    return tuple(found), tuple(lows), tuple(sizes)


def zone_family(draft: Draft, definition: ZoneDefinition, base: int) -> Zone:
    """A family of zones whose slots begin at `base`."""
    parameters, lows, sizes = indices(draft, definition.parameters, f"zone '{definition.name}'")
    capacity = definition.capacity
    return Zone(
        definition.name,
        parameters,
        definition.span,
        base,
        lows,
        sizes,
        holds=held_kind(draft, definition),
        ordered=definition.order != "none",
        capacity=constant_number(draft, capacity, "a capacity") if capacity is not None else None,
        refill=definition.refill,
    )


def held_kind(draft: Draft, definition: ZoneDefinition) -> str | None:
    """The kind of piece that a zone holds; None for pieces of any kind."""
    kinds = [kind.name for kind in draft.symbols.kinds.values() if kind.is_piece]
    name = definition.holds
    if name is None or name == "piece":
        return None
    if name in kinds:
        return name
    message = f"there is no kind of piece '{name}' for a zone to hold"
    draft.report.misnamed("HR501", message, name.span, name, ["piece", *kinds])
    return nearest(name, kinds)


def variable_family(draft: Draft, definition: VariableDefinition, base: int) -> Variable:
    """A family of variables whose slots begin at `base`."""
    parameters, lows, sizes = indices(draft, definition.parameters, f"variable '{definition.name}'")
    type = named_type(draft, definition.type)
    if isinstance(type, List):
        help = "a zone for pieces, or a flag for each: `chosen(colour): bool`"
        draft.report.error("HR510", "a variable cannot be a list", definition.type.span, help)
        type = UNKNOWN
    return Variable(
        definition.name,
        parameters,
        definition.span,
        base,
        lows,
        sizes,
        type=type,
        reset=definition.reset,
        of_kind=definition.of_kind,
        for_people=definition.for_people,
    )
