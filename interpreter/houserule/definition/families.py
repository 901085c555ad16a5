"""Zones and variables as written go in; each family of them with its indices and its slots comes out."""

from __future__ import annotations

from houserule.definition.attributes import Attributes
from houserule.definition.model import VariableDefinition, ZoneDefinition
from houserule.diagnostics import Span, nearest
from houserule.language import nodes
from houserule.language.scope import Parameter, Variable, Zone
from houserule.language.types import UNKNOWN, List, Unknown

MOST_SLOTS = 100_000


class Families(Attributes):
    """Gives zones and variables their places."""

    def families(self) -> None:
        """Slots for all zones and variables."""
        slots = 0
        for definition in self.game.zones.values():
            zone = self.zone(definition, slots)
            self.words.zones[zone.name] = zone
            slots += zone.size
            if self.too_many(slots, definition.span):
                return
        slots = 0
        for variable_definition in self.game.variables.values():
            variable = self.variable(variable_definition, slots)
            self.words.variables[variable.name] = variable
            slots += variable.size
            if self.too_many(slots, variable_definition.span):
                return
        for definition in self.game.zones.values():
            if definition.refill is None:
                continue
            span = definition.refill_span or definition.span
            source = self.words.zones.get(definition.refill)
            if source is None:
                message = f"there is no zone '{definition.refill}' to refill from"
                self.report.misnamed("HR501", message, span, definition.refill, self.words.zones)
                continue
            source.uses += 1
            if source.sizes not in ((), self.words.zones[definition.name].sizes):
                self.report.error("HR511", f"'{definition.refill}' has other indices than '{definition.name}'", span)

    def parameters(
        self, given: tuple[nodes.Parameter, ...], what: str
    ) -> tuple[tuple[Parameter, ...], tuple[int, ...], tuple[int, ...]]:
        """The indices of a family: finite types, their first values and sizes."""
        found, lows, sizes = [], [], []
        for parameter in given:
            type = self.type(parameter.type)
            domain = self.words.domain(type)
            if domain is None:
                if not isinstance(type, Unknown):
                    self.report.error(
                        "HR518",
                        f"the index of {what} must be of a finite type, and {type} is not",
                        parameter.span,
                        "an enum, a kind of piece, player, bool, or a range such as 1..6",
                    )
                domain = range(1)
            found.append(Parameter(type, parameter.name, parameter.span))
            lows.append(domain.start if len(domain) else 0)
            sizes.append(len(domain))
        return tuple(found), tuple(lows), tuple(sizes)

    def too_many(self, slots: int, span: Span) -> bool:
        """Whether there are more places than can be kept."""
        if slots > MOST_SLOTS:
            self.report.error("HR551", f"that makes {slots} places to keep; {MOST_SLOTS} is the most", span)
        return slots > MOST_SLOTS

    def zone(self, definition: ZoneDefinition, base: int) -> Zone:
        """One family of zones."""
        parameters, lows, sizes = self.parameters(definition.parameters, f"zone '{definition.name}'")
        holds: str | None = definition.holds
        if holds == "piece":
            holds = None
        elif holds not in self.words.kinds or not self.words.kinds[holds].is_piece:
            pool = ["piece", *(k.name for k in self.words.kinds.values() if k.is_piece)]
            self.report.misnamed(
                "HR501",
                f"there is no kind of piece '{holds}' for a zone to hold",
                definition.holds_span,
                definition.holds,
                pool,
            )
            holds = nearest(definition.holds, [name for name in pool if name != "piece"])
        capacity = self.whole(definition.capacity, what="a capacity") if definition.capacity is not None else None
        zone = Zone(
            definition.name,
            parameters,
            definition.span,
            base,
            lows,
            sizes,
            holds=holds,
            ordered=definition.ordered,
            capacity=capacity,
            refill=definition.refill,
        )
        return zone

    def variable(self, definition: VariableDefinition, base: int) -> Variable:
        """One family of variables."""
        parameters, lows, sizes = self.parameters(definition.parameters, f"variable '{definition.name}'")
        type = self.type(definition.type)
        if isinstance(type, List):
            self.report.error(
                "HR510",
                "a variable cannot be a list",
                definition.type.span,
                "a zone for pieces, or a flag for each: `chosen(colour): bool`",
            )
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
        )
