"""The symbol table of a game: the checker looks names up in it, and the compiler assigns slots from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from houserule.diagnostics import Span
from houserule.language import nodes
from houserule.language.checked import Family, Kind, Occasion, Routine, Table, Variable, Zone
from houserule.language.types import Bool, Int, Member, Piece, Player, Type

MOST_LISTED_PILES = 16
"""More zones than these are not gone through one by one if there are few pieces."""


@dataclass(slots=True, eq=False, repr=False)
class Option:
    """A setting of the game: a constant once a match starts."""

    name: str
    span: Span
    type: Type
    value: int
    uses: int = 0


@dataclass(slots=True, eq=False, repr=False)
class Trigger:
    """A trigger: what happens whenever something else does. Triggers are numbered in the order of the rules."""

    name: str
    number: int
    event: nodes.Event
    routine: Routine

    @property
    def is_around_action(self) -> bool:
        return self.event.happening in ("before", "after")


@dataclass(slots=True, eq=False, repr=False)
class SymbolTable:
    """All names of a game for one number of players."""

    players: int
    seats: tuple[str, ...] = ()  # names of players, if a scenario gives them
    kinds: dict[str, Kind] = field(default_factory=dict)
    zones: dict[str, Zone] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    options: dict[str, Option] = field(default_factory=dict)
    functions: dict[str, Routine] = field(default_factory=dict)
    actions: dict[str, Routine] = field(default_factory=dict)
    triggers: list[Trigger] = field(default_factory=list)
    imagined: list[Routine] = field(default_factory=list)
    waiting: dict[Occasion, list[Trigger]] = field(default_factory=dict)
    teams: Table | Routine | None = None  # the team of each player: a table if it never changes

    def add_trigger(self, trigger: Trigger) -> None:
        """Declare a trigger, which then waits for its event."""
        self.triggers.append(trigger)
        self.waiting.setdefault((trigger.event.happening, trigger.event.place), []).append(trigger)

    @property
    def sections(self) -> dict[str, Mapping[str, Family | Table | Option]]:
        """What is declared under a name that nothing else may hide, by what it is."""
        return {"variable": self.variables, "zone": self.zones, "option": self.options, "table": self.tables}

    def kind_of(self, type: Type) -> Kind | None:
        """The kind of a member or a piece; None for other types, and for a piece of any kind."""
        return self.kinds.get(type.kind or "") if isinstance(type, Member | Piece) else None

    def members(self, id: str) -> Iterator[tuple[Kind, int]]:
        for kind in self.kinds.values():
            if not kind.is_piece and id in kind.ids:
                yield kind, kind.base + kind.ids.index(id)

    def piece(self, id: str) -> tuple[Kind, int] | None:
        for kind in self.kinds.values():
            if kind.is_piece:
                number = kind.first(id)
                if number is not None:
                    return kind, number
        return None

    @property
    def functions_of_kinds(self) -> list[Routine]:
        """The functions of all pieces and members, and all that they are composed of."""
        functions = [made for kind in self.kinds.values() for made in kind.functions.values()]
        return [one for made in functions for one in (made, *made.composed.parts)]

    @property
    def pieces(self) -> int:
        return sum(len(kind.ids) for kind in self.kinds.values() if kind.is_piece)

    @property
    def has_quiet(self) -> bool:
        """Whether a kind or a zone is bookkeeping, so that moves may be silent."""
        return any(kind.quiet for kind in self.kinds.values()) or any(zone.quiet for zone in self.zones.values())

    def few_in(self, zone: Zone) -> range | None:
        """The numbers of the pieces that a family of zones may hold, if there are far fewer of them than zones; None otherwise."""
        kind = self.kinds.get(zone.holds or "")
        return (
            kind.numbers
            if kind is not None and zone.size > MOST_LISTED_PILES and zone.size > 2 * len(kind.ids)
            else None
        )

    def domain(self, type: Type) -> range | None:
        match type:
            case Bool():
                return range(2)
            case Player():
                return range(self.players)
            case Member(kind):
                return self.kinds[kind].numbers
            case Piece(None):
                return range(self.pieces)
            case Piece(str(kind)):
                return self.kinds[kind].numbers
            case Int(low, high) if high - low < 10_000:
                return range(low, high + 1)
            case _:
                return None
