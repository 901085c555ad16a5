"""Compiles a checked game: its segments as functions, and the layout of the state that they run on."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from houserule.compiler.blocks import FIXED
from houserule.compiler.emitter import Emitter, callable_parameters, names_in, plain_function, python_name, run_together
from houserule.compiler.expressions import expression, pile_slot
from houserule.compiler.folding import FAULTS, evaluate
from houserule.compiler.imagining import changes, imagined
from houserule.compiler.invariants import Invariants
from houserule.compiler.optimisations import checked_names
from houserule.compiler.questions import WATCHED, counted_sites, tells_nothing_apart
from houserule.compiler.runtime import LINKED, Position, drain_next, memories, without_effect, world
from houserule.compiler.segment_writer import Segment, Segmenter
from houserule.compiler.statements import all_statements, line_function, split_loops, winner_function
from houserule.compiler.tables import tabulate
from houserule.compiler.work import CALLED, units
from houserule.definition.check import CheckedGame
from houserule.definition.flow import rounds_of
from houserule.diagnostics import Diagnostic, InvalidGame, Span
from houserule.frozen import without_collecting
from houserule.language import checked
from houserule.language.checked import Family, Kind, Parts, Routine, Site, Table, Variable, Zone
from houserule.language.symbols import SymbolTable
from houserule.language.trees import everything
from houserule.language.types import Int, Maybe, Piece, Player, Type, none_of
from houserule.operations import Fault
from houserule.operations.fuel import Laying, has_worked_enough

if TYPE_CHECKING:
    from houserule.compiler.probes import Probed

SPECTATOR = -2
"""The viewer without a seat, who sees what every player sees."""


@dataclass(slots=True, eq=False)
class Program:
    """A game for one number of players in one flavour, ready to run.

    `variables`, `zones`, `places` are the state before the first step, with slots from the symbol table.
    """

    symbols: SymbolTable
    game: CheckedGame
    told: bool
    rounds: frozenset[str] = frozenset()
    """The paths of the steps whose passes are rounds."""
    watched: bool = False
    variables: list[int] = field(default_factory=list)
    zones: list[list[int]] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    segments: list[Callable[[Any], int]] = field(default_factory=list)
    entry: int = 0
    flow_frame: int = 0
    frame_sizes: dict[int, int] = field(default_factory=dict)
    held: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """By segment: the places in its frame that hold pieces, or lists of them, at its start."""
    lists: dict[int, frozenset[str]] = field(default_factory=dict)
    """By segment: the locals that are lists. All others are integers."""
    sites: list[Site] = field(default_factory=list)
    texts: list[tuple[str, Parts]] = field(default_factory=list)
    final: frozenset[int] = frozenset()
    fixed: dict[int, tuple[int, ...]] = field(default_factory=dict)  # by site, if watched: its constant options
    asked_at: dict[int, int] = field(default_factory=dict)  # by site: the segment that asks
    entries: dict[str, int] = field(default_factory=dict)  # by routine that asks: its first segment
    together_at: dict[int, tuple[Span, str]] = field(default_factory=dict)
    """By the segment that follows a together: its place and rule."""
    changes: dict[int, list[int]] = field(default_factory=dict)  # by slot of a variable: the triggers that wait for it
    drain_segment: int = -1
    trigger_functions: dict[int, Callable[..., None]] = field(default_factory=dict)
    trigger_segments: dict[int, int] = field(default_factory=dict)
    trigger_events: list[tuple[bool, Any, dict[int, tuple[int, ...]]]] = field(default_factory=list)
    """By trigger: whether it gets the piece or the old value, the family it waits for, and by slot its indices."""
    leaves: dict[int, list[int]] | None = None
    enters: dict[int, list[int]] | None = None
    capacities: dict[int, int] = field(default_factory=dict)
    refills: dict[int, int] = field(default_factory=dict)
    unordered: list[bool] = field(default_factory=list)
    zone_of: list[Zone] = field(default_factory=list)  # by slot
    variable_of: list[Variable] = field(default_factory=list)  # by slot
    variable_owner: list[int] = field(default_factory=list)
    """By slot: whose variable it is, by its first index or by the seat of its piece; or -1."""
    variable_piece: list[int] = field(default_factory=list)  # by slot: the piece whose variable it is, or -1
    happenings: list[str] = field(default_factory=list)  # by trigger: what it waits for
    kind_of: list[Kind] = field(default_factory=list)  # by piece
    zone_owner: list[int] = field(default_factory=list)  # by slot: whose zone it is, or -1
    zone_holder: list[int] = field(default_factory=list)  # by slot: who may touch it in a `together`, or -1
    alike: list[bool] = field(default_factory=list)
    """By zone: whether only printed values distinguish its pieces, for everybody."""
    identity: list[int] = field(default_factory=list)
    piece_slots: list[tuple[int, ...]] = field(default_factory=list)
    hides: list[bool] = field(default_factory=list)
    """By piece: whether it has variables that not everybody sees. They must not merge its copies, which a number of options would tell."""
    personal: set[int] = field(default_factory=set)
    """The zones whose visibility depends on the viewer."""
    zone_sight: list[Any] = field(default_factory=list)
    """By slot: "all", "none", a player, or a function (s, viewer, it)."""
    zone_amount: list[Any] = field(default_factory=list)
    variable_sight: list[Any] = field(default_factory=list)
    in_doubt: list[tuple[int, int]] = field(default_factory=list)
    """The zones of which a rule says who sees what lies in them, by slot, and of how many viewers it says so."""
    variables_in_doubt: int = 0
    """Of how many variables a rule says that, times the viewers."""
    memories: dict[int, int] = field(default_factory=dict)
    """By slot of a variable that has a value per position: the number of the first of its two lists."""
    positions: dict[int, Position] = field(default_factory=dict)
    """By slot of such a variable: what identifies the position."""
    points: list[tuple[str, Callable[[Any], list[int]]]] = field(default_factory=list)  # by line: points by seat
    winner_key: Callable[[Any, int, int], tuple[int, ...]] | None = None
    eliminated: Callable[[Any, int], int] | None = None  # None if nobody can be eliminated
    teams: tuple[int, ...] | Callable[[Any, int], int] | None = None
    """By seat, if they never change; None without teams."""
    no_team: int | None = None  # the value of a player without a team, if there can be one
    functions: list[ast.FunctionDef] = field(default_factory=list)  # without the segments that are emitted late
    owners: dict[str, str] = field(default_factory=dict)  # the rule of a generated function
    namespace: dict[str, Any] = field(default_factory=dict)
    continued: int = 0  # how often a search has continued at random
    without: frozenset[str] = frozenset()  # the optimisations that are left out
    machine: Any = None  # the native translation, once it is made
    cells: Any = None  # the items that it counts, if it does
    probed: Probed | None = None  # the probes of a marking program
    marks: bytearray = field(default_factory=bytearray)  # by number of a probe: whether it has been reached

    def is_out(self, s: Any, player: int) -> bool:
        return self.eliminated is not None and bool(self.eliminated(s, player))

    def teams_now(self, s: Any) -> list[int] | None:
        """A number for the team of each player; None in a game without teams. Whoever has no team is alone in one."""
        teams = self.teams
        if teams is None:
            return None
        players = range(self.symbols.players)
        now = list(teams) if isinstance(teams, tuple) else [teams(s, player) for player in players]
        return [ALONE + player if now[player] == self.no_team else now[player] for player in players]

    def sees(self, s: Any, viewer: int, piece: int) -> bool:
        """Whether a player sees a piece where it lies; everybody sees a piece that lies nowhere (a board space)."""
        where = s.w[piece]
        return where < 0 or allows(self.zone_sight[where], s, viewer, piece)


def allows(rule: Any, s: Any, viewer: int, piece: int = -1) -> bool:
    """Whether a rule of sight, which is `all`, `none`, a player or a function, lets a player see something."""
    if isinstance(rule, str):
        return rule == "all"
    if isinstance(rule, int):
        return viewer == rule
    return bool(rule(s, viewer, piece))


ALONE = 1 << 32
"""The number of a team of one, for a player without a team: no number of the rules is as great."""


class Compiler:
    """Compiles one checked game."""

    def __init__(
        self,
        game: CheckedGame,
        told: bool,
        restartable: bool = False,
        marking: bool = False,
        watched: bool = False,
        without: frozenset[str] = frozenset(),
        asks_anyway: bool = False,
    ) -> None:
        self.game = game
        self.symbols = game.symbols
        self.emitter = Emitter(game.symbols, game.secrets, told, checked_names(without))
        self.program = Program(game.symbols, game, told, rounds_of(game.definition), watched)
        self.program.without = self.emitter.without
        self.emitter.watched, self.emitter.rounds = watched, self.program.rounds
        self.emitter.asks_anyway = asks_anyway
        self.restartable = restartable
        self.emits_late = told or marking  # each segment where it is first run; native play needs all of the others
        self.emitting = Lock()  # matches of one game may be played in several threads
        self.flow, self.lines, self.winner = game.flow, game.lines, game.winner
        if marking:
            # Those who only play never import this.
            from houserule.compiler.probes import probe

            probed = self.program.probed = probe(game)
            self.program.marks = bytearray(len(probed.probes))
            self.flow, self.lines, self.winner, self.emitter.bodies = (
                probed.flow,
                probed.lines,
                probed.winner,
                probed.bodies,
            )
        self.files: dict[str, str] = {}

    def compile(self) -> Program:
        program, symbols, emitter = self.program, self.symbols, self.emitter
        emitter.drains = bool(symbols.triggers) and not any(t.routine.asks for t in symbols.triggers)
        self.prepare()
        segmenter = Segmenter(emitter, symbols, self.game.sites, self.restartable)
        asking = self.asking()
        segmenter.plan(asking)
        functions: list[ast.FunctionDef] = []
        for routine in self.routines():
            if routine not in asking or routine.is_function:
                functions.append(self.function(routine))
        for routine in asking:
            segmenter.routine(routine, self.rule(routine))
        program.entry = segmenter.flow(self.flow, self.game.definition.span)
        program.flow_frame = segmenter.frames[None]
        for segment in segmenter.written:
            program.owners[segment.name] = segment.owner
            self.files[segment.name] = segment.span.file
        if not self.emits_late:
            functions += [segment.emit() for segment in segmenter.written if segment.emit is not None]
        for routine in asking:
            entry, size = segmenter.entries[routine], segmenter.frames[routine]
            program.frame_sizes[entry] = size
            emitter.constants[f"ROOM_{entry}"] = (0,) * (size - FIXED - len(routine.parameters))
        self.note(segmenter, asking)
        functions += self.sights()
        functions += self.sheet()
        program.functions = functions
        namespace = program.namespace = {**world(symbols.players), **LINKED, **(WATCHED if program.watched else {})}
        self.link(functions, namespace)
        namespace.update(emitter.constants)
        self.link_imagined()
        program.texts = emitter.texts
        program.segments = [namespace.get(one.name) or partial(self.run_first, one) for one in segmenter.segments]
        program.drain_segment = len(program.segments)
        program.segments.append(drain_next)
        self.link_effects(segmenter)
        self.triggers(segmenter)
        self.link_sights()
        self.layout()
        return program

    def note(self, segmenter: Segmenter, asking: Iterable[Routine]) -> None:
        """Keep what is known of the segments beside their functions."""
        program, writer = self.program, segmenter.writer
        program.sites = counted_sites(self.game.sites, self.game.symbols)[0] if program.watched else self.game.sites
        program.final = frozenset(segmenter.final)
        program.held, program.lists = segmenter.held, segmenter.lists
        program.asked_at, program.fixed, program.together_at = writer.asked_at, writer.fixed, writer.together_at
        program.entries = {routine.name: segmenter.entries[routine] for routine in asking}

    def prepare(self) -> None:
        """Tabulate functions, move what is the same in each pass of a loop before it, and estimate the work of all routines."""
        emitter = self.emitter
        if "tables" not in emitter.without:
            tabulate(emitter)
        if self.program.probed is None and "invariants" not in emitter.without:
            self.move_invariants()
        emitter.work.learn(self.routines())

    def move_invariants(self) -> None:
        """Have what is the same in each pass of a loop worked out before it, in all routines and in the flow."""
        emitter = self.emitter
        invariants = Invariants(self.symbols, emitter.folding.tables, asks=not self.restartable)
        self.flow = invariants.routine(self.flow)
        emitter.bodies = {
            routine: made
            for routine in self.routines()
            if routine not in emitter.folding.tables
            and not routine.imagined_in
            and (made := invariants.routine(routine.body or ())) is not routine.body
        }

    def routines(self) -> list[Routine]:
        return list(dict.fromkeys([*self.game.routines, *self.game.inner]))

    def rule(self, routine: Routine) -> str:
        return routine.imagined_in or self.game.inner.get(routine, routine).name

    def asking(self) -> dict[Routine, None]:
        """The routines that are segments: they ask, or another member's effect of the same name does."""
        slots = [slot for kind in self.symbols.kinds.values() for slot in kind.effects.values()]
        shared = {body for slot in slots if slot.asks for body in slot.bodies.values()}
        return dict.fromkeys(one for one in self.routines() if one.asks or one in shared)

    # --- triggers -----------------------------------------------------------------------------------------------------------

    def triggers(self, segmenter: Segmenter) -> None:
        program, symbols = self.program, self.symbols
        leaves: dict[int, list[int]] = {}
        enters: dict[int, list[int]] = {}
        for number, trigger in enumerate(symbols.triggers):
            event = trigger.event
            if trigger.is_around_action:
                program.trigger_events.append((False, None, {}))
                continue
            is_change = event.happening == "changes"
            family: Family = symbols.variables[event.place] if is_change else symbols.zones[event.place]
            indices = {slot: family.index(slot)[: len(event.of)] for slot in family.slots}
            program.trigger_events.append((is_change or event.subject is not None, family, indices))
            if trigger.routine.asks:
                program.trigger_segments[number] = segmenter.entries[trigger.routine]
            else:
                function = program.trigger_functions[number] = program.namespace[python_name(trigger.routine)]
                if segmenter.cutter.asking_triggers:
                    program.trigger_segments[number] = len(program.segments)
                    program.frame_sizes[len(program.segments)] = 0
                    program.segments.append(as_segment(function))
            table = {"leaves": leaves, "enters": enters, "changes": program.changes}[event.happening]
            for slot in family.slots:
                table.setdefault(slot, []).append(number)
        if any(t.event.happening in ("leaves", "enters") for t in symbols.triggers):
            program.leaves, program.enters = leaves, enters

    # --- functions ------------------------------------------------------------------------------------------------------------

    def function(self, routine: Routine) -> ast.FunctionDef:
        """A routine that asks nobody, as a plain function."""
        emitter = self.emitter
        emitter.file = routine.span.file
        body = self.imagined(routine) if routine.imagined_in else all_statements(emitter, emitter.body_of(routine))
        emitter.at(routine.span)
        work = CALLED + emitter.work.of_routine(routine)
        if routine.recursive:
            body = [
                emitter.do(emitter.call("deeper", emitter.name("s"), emitter.number(units(work)))),
                ast.Try(body, [], [], [emitter.do(emitter.line("s.shallower()"))], **emitter.where),
            ]
        elif emitter.work.counts_calls(routine):
            calls = any(isinstance(one, checked.Call | checked.Perform) for one in everything(emitter.body_of(routine)))
            body = [*emitter.charge(work, is_again=calls), *body]
        name = python_name(routine)
        self.program.owners[name] = self.rule(routine)
        self.files[name] = routine.span.file
        return plain_function(emitter, name, callable_parameters(routine), body, routine.span)

    def imagined(self, routine: Routine) -> list[ast.stmt]:
        """An imagined effect with its triggers and the expression after it, even if it ends the game."""
        emitter = self.emitter
        *effect, value = emitter.body_of(routine)
        before, emitter.drains = emitter.drains, bool(self.symbols.triggers)
        done = all_statements(emitter, tuple(effect))
        emitter.drains = before
        emitter.at(routine.span)
        if not routine.needs_me:
            done.insert(0, emitter.assign("l_me", emitter.number(-1)))  # actions receive a `me` that they do not need
        ended = ast.ExceptHandler(emitter.name("OVER"), None, [ast.Pass(**emitter.where)], **emitter.where)
        return [ast.Try(done, [ended], [], [], **emitter.where), *all_statements(emitter, (value,))]

    def link_imagined(self) -> None:
        """Wrap imagined effects so that they leave no trace."""
        namespace = self.program.namespace
        for routine, (sets_variables, zones) in changes(self.routines(), self.symbols, self.game.known).items():
            name = python_name(routine)
            namespace[name] = imagined(namespace[name], sets_variables, zones)

    def link(self, functions: Sequence[ast.FunctionDef], namespace: dict[str, Any]) -> None:
        """Compile the functions of one file together, so that tracebacks name the files of the rules."""
        by_file: dict[str, list[ast.stmt]] = {}
        for function in functions:
            by_file.setdefault(self.files.get(function.name, self.game.definition.span.file), []).append(
                split_loops(function)
            )
        for file, group in by_file.items():
            exec(compile(ast.Module(group, []), file, "exec"), namespace)

    def run_first(self, segment: Segment, s: Any) -> Any:
        """Emit a segment where it is run for the first time, and run it; in a told match, for people or chance as it is then."""
        program, namespace = self.program, self.program.namespace
        with self.emitting:
            if segment.emit is not None:
                self.link([segment.emit(by_chance=s.chances > 0 or not program.told)], namespace)
                namespace.update(self.emitter.constants)
                program.segments[segment.number] = namespace[segment.name]
                segment.emit = None
        return namespace[segment.name](s)

    def link_effects(self, segmenter: Segmenter) -> None:
        """By number of a member: the function of its effect; for effects that ask, the first segment and the size of its frame."""
        namespace = self.program.namespace
        for kind in self.symbols.kinds.values():
            for slot in kind.effects.values():
                asks = slot.asks
                entries: list[Any] = [(-1, ()) if asks else without_effect] * (kind.base + len(kind.ids))
                for position, body in slot.bodies.items():
                    if asks:
                        entry = segmenter.entries[body]
                        entries[kind.base + position] = (entry, self.emitter.constants[f"ROOM_{entry}"])
                    else:
                        entries[kind.base + position] = namespace[python_name(body)]
                namespace[f"{'S' if asks else 'E'}_{run_together(slot.kind, slot.name)}"] = tuple(entries)

    def sights(self) -> list[ast.FunctionDef]:
        """Functions for visibilities that are expressions."""
        found = []
        for what, family, rule, _ in self.sight_rules():
            if isinstance(rule, str):
                continue
            self.emitter.file = self.files[f"{what}_{family.name}"] = rule.span.file
            tree = expression(self.emitter, rule)
            if what == "sight" and isinstance(family, Zone) and "l__viewer" in names_in(tree):
                self.program.personal.update(family.slots)
            self.emitter.at(rule.span)
            parameters = ["s", "l__viewer", "l__it", *(f"l_index_{i}" for i in range(len(family.parameters)))]
            body = [self.emitter.returned(tree)]
            found.append(plain_function(self.emitter, f"{what}_{family.name}", parameters, body, rule.span))
        return found

    def sight_rules(self) -> list[tuple[str, Family, str | checked.Expression, list[Any]]]:
        """The visibilities of zones and variables, and of the number of pieces in a zone; with the lists to fill, by slot."""
        program = self.program
        zones, variables = self.symbols.zones.values(), self.symbols.variables.values()
        return [
            *(("sight", zone, zone.visible, program.zone_sight) for zone in zones),
            *(("sight", variable, variable.visible, program.variable_sight) for variable in variables),
            *(("amount", zone, zone.amount, program.zone_amount) for zone in zones),
        ]

    def link_sights(self) -> None:
        """Link the visibility of each zone and variable, by slot."""
        for what, family, rule, target in self.sight_rules():
            for slot in family.slots:
                index = family.index(slot)
                if rule == "owner":
                    target.append(self.owner(family, index))
                elif isinstance(rule, str):
                    target.append(rule)
                else:
                    function = self.program.namespace[f"{what}_{family.name}"]
                    target.append(Sight(function, index, self.symbols.players))
        program, players = self.program, self.symbols.players
        zones = [slot for slot, sight in enumerate(program.zone_sight) if callable(sight)]
        program.in_doubt = [(slot, players if slot in program.personal else 1) for slot in zones]
        program.variables_in_doubt = players * sum(map(callable, program.variable_sight))

    def owner(self, family: Family, index: tuple[int, ...]) -> int:
        for parameter, value in zip(family.parameters, index, strict=True):
            if isinstance(parameter.type, Player):
                return value
            if (seat := self.seat(parameter.type, value)) is not None:
                return seat
        return -1

    def seat(self, type: Type, value: int) -> int | None:
        """The owner of a member or a piece; None if its kind names none."""
        kind = self.symbols.kind_of(type)
        return kind.seat_of(value) if kind is not None else None

    def sheet(self) -> list[ast.FunctionDef]:
        """Functions for the lines of the score sheet and for the winners."""
        found = []
        for number, line in enumerate(self.lines):
            name = f"points_{number}"
            self.files[name] = line.points.span.file
            found.append(line_function(self.emitter, name, line.points, self.symbols.players))
        if self.winner is not None:
            self.files["winner_key"] = self.winner.key[0].span.file
            found.append(winner_function(self.emitter, self.winner))
        return found

    # --- the state before the first step ------------------------------------------------------------------------------------------

    def layout(self) -> None:
        """Lay out variables at their starts, and pieces in theirs."""
        program, symbols = self.program, self.symbols
        space = program.namespace
        program.points = [
            (self.game.line_key(line), space[f"points_{number}"]) for number, line in enumerate(self.game.lines)
        ]
        program.winner_key = space.get("winner_key")
        eliminated = symbols.functions.get("eliminated")
        if eliminated is not None and eliminated.is_of_me:
            program.eliminated = space[python_name(eliminated)]
        teams = symbols.teams
        if isinstance(teams, Table):
            program.teams = tuple(value for value in teams.values if isinstance(value, int))
        elif teams is not None:
            program.teams = space[python_name(teams)]
        type = (teams.type if isinstance(teams, Table) else teams.result) if teams is not None else None
        program.no_team = none_of(type) if isinstance(type, Maybe) else None
        for variable in symbols.variables.values():
            for slot in variable.slots:
                program.variables.append(self.start(variable, variable.index(slot)))
                program.variable_of.append(variable)
                program.variable_owner.append(self.holder(variable, slot))
                is_of_piece = variable.parameters and isinstance(variable.parameters[0].type, Piece)
                program.variable_piece.append(variable.index(slot)[0] if is_of_piece else -1)
        program.happenings = [trigger.event.happening for trigger in symbols.triggers]
        self.lay_out_zones()
        self.lay_out_pieces()
        program.memories, program.positions = memories(symbols, program.identity)

    def lay_out_zones(self) -> None:
        """Set the constant facts of each zone, by slot."""
        program, symbols = self.program, self.symbols
        program.zones = [[] for _ in range(sum(z.size for z in symbols.zones.values()))]
        for zone in symbols.zones.values():
            alike = tells_nothing_apart(zone, symbols)
            for slot in zone.slots:
                program.unordered.append(not zone.ordered)
                program.alike.append(alike)
                program.zone_of.append(zone)
                program.zone_owner.append(self.owner(zone, zone.index(slot)))
                program.zone_holder.append(self.holder(zone, slot))
                if zone.capacity is not None:
                    program.capacities[slot] = zone.capacity
                if zone.refill is not None:
                    other = symbols.zones[zone.refill]
                    program.refills[slot] = other.base + (slot - zone.base if other.size == zone.size else 0)

    def lay_out_pieces(self) -> None:
        """Set the constant facts of each piece, and the zone where it starts."""
        program, symbols = self.program, self.symbols
        program.places = [-1] * symbols.pieces
        program.identity = [0] * symbols.pieces
        program.piece_slots = [()] * symbols.pieces
        program.hides = [False] * symbols.pieces
        for kind in symbols.kinds.values():
            if not kind.is_piece:
                continue
            program.kind_of += [kind] * len(kind.ids)
            firsts: dict[tuple[Any, ...], int] = {}
            variables = [v for v in symbols.variables.values() if v.of_kind == kind.name and len(v.parameters) == 1]
            for position, id in enumerate(kind.ids):
                number = kind.base + position
                printed = (id, *(column[position] for column in kind.attributes.values() if column))
                program.identity[number] = firsts.setdefault(printed, number)
                program.piece_slots[number] = tuple(v.base + position for v in variables)
                program.hides[number] = any(v.visible != "all" for v in variables)
            start = self.game.starts_in.get(kind.name)
            if start is not None:
                begins = self.begins(start)
                laying = Laying(SimpleNamespace(marks=bytearray(len(program.marks))))
                try:
                    for number in kind.numbers:
                        slot = begins(laying, number)
                        if len(program.zones[slot]) == program.capacities.get(slot):
                            raise Fault(f"more pieces begin in '{program.zone_of[slot].name}' than it holds")
                        program.zones[slot].append(number)
                        program.places[number] = slot
                except (*FAULTS, AttributeError) as error:  # nothing can be read from a state that does not exist yet
                    message = str(error) if isinstance(error, Fault) else "it cannot be worked out where pieces begin"
                    program.segments[program.entry] = refusal(message, start.span, f"components.{kind.name}")

    def holder(self, family: Family, slot: int) -> int:
        """The owner of a zone or a variable in a `together`: its first index, or the `seat` of that; -1 if nobody owns it."""
        if not family.parameters:
            return -1
        first = family.index(slot)[0]
        seat = first if family.owned else self.seat(family.parameters[0].type, first)
        return -1 if seat is None else seat

    def begins(self, pile: checked.Expression) -> Callable[[Any, int], int]:
        """The slot where a piece starts, as a function of the piece."""
        assert isinstance(pile, checked.Pile | checked.EitherPile)
        emitter = self.emitter
        emitter.file = pile.span.file
        tree = pile_slot(emitter, pile)
        emitter.at(pile.span)
        function = plain_function(emitter, "begins", ["s", "l_it"], [emitter.returned(tree)], pile.span)
        space = {**self.program.namespace, **emitter.constants}
        exec(compile(ast.Module([function], []), pile.span.file, "exec"), space)
        found: Callable[[Any, int], int] = space["begins"]
        return found

    def start(self, variable: Variable, index: tuple[int, ...]) -> int:
        if variable.start is not None:
            return int(evaluate(variable.start, {f"index_{i}": value for i, value in enumerate(index)}))
        if isinstance(variable.type, Maybe):
            return none_of(variable.type)
        if isinstance(variable.type, Int):
            return 0 if variable.type.low <= 0 <= variable.type.high else variable.type.low
        return 0


def refusal(message: str, span: Span, rule: str) -> Callable[[Any], int]:
    """The first segment of a match that cannot begin: a fault at its place."""

    def segment(_: Any) -> int:
        fault = Fault(message)
        fault.place = span, rule
        raise fault

    return segment


def as_segment(function: Callable[..., None]) -> Callable[[Any], int]:
    """A trigger that asks nobody as a segment, for triggers of which some ask."""

    def segment(s: Any) -> int:
        frame = s.frames.pop()
        function(s, *frame[1:2], *frame[3:])
        return int(frame[0])

    return segment


@dataclass(frozen=True, slots=True)
class Sight:
    """Who sees one of a family, as a function of the state, the viewer and the piece.

    If evaluation fails, nobody sees it: a stranger's rule may divide by zero, recurse or run too long.
    """

    function: Callable[..., Any]
    index: tuple[int, ...]
    players: int

    def __call__(self, s: Any, viewer: int, it: int) -> bool:
        """Whether a viewer sees the piece; a spectator sees what every player sees."""
        if has_worked_enough(s):
            return False
        try:
            if viewer == SPECTATOR:
                return all(self.function(s, seat, it, *self.index) for seat in range(self.players))
            return bool(self.function(s, viewer, it, *self.index))
        except (*FAULTS, RecursionError):
            return False


def compile_game(
    game: CheckedGame,
    told: bool,
    restartable: bool = False,
    marking: bool = False,
    watched: bool = False,
    without: frozenset[str] = frozenset(),
    asks_anyway: bool = False,
) -> Program:
    """The program of a checked game, told or quiet; `restartable` for scenarios, where a question can be put again.

    A `marking` program marks the rules that run: `marks` has them by number of the probe. A `watched` one
    is quiet, and notes rounds and the answers of chance in the `watch` of its state, which must have one. Optimisations
    that are named in `without` are left out. One that `asks_anyway` also asks those of whom all can see that they have nothing
    to choose from, as all programs once did: for records and scenarios from then.
    Raises InvalidGame if the rules are too deep for Python.
    """
    try:
        with without_collecting():
            return Compiler(game, told, restartable, marking, watched, without, asks_anyway).compile()
    except RecursionError:
        message = "the rules are nested too deeply to be compiled"
        raise InvalidGame([Diagnostic("HR420", "error", message, game.definition.span, "nest less")]) from None
