"""Emits a whole program as a module in WebAssembly's text format."""

from __future__ import annotations

import re
from array import array
from functools import cache
from math import lcm, log
from pathlib import Path
from typing import Any

from houserule.compiler import blocks, runtime
from houserule.language.types import Piece, Tuple, none_of, plain
from houserule.native import calls, observing, stand_ins, statements, tallies
from houserule.native import memory as layout
from houserule.native.blueprint import Blueprint, Question
from houserule.native.functions import (
    BEFORE,
    PART,
    STATE,
    Area,
    Chance,
    Function,
    Module,
    Scope,
    call_function,
    coerced,
    leave,
)
from houserule.native.memory import (
    BUCKETS,
    COURSE,
    GENERATOR,
    HEAD,
    MOST_TEXT,
    PATH,
    PLANTED,
    TALLIES,
    WORD,
    Memory,
    blake_start,
    mersenne_start,
    named,
)
from houserule.native.reductions import flat_tuple, precedes
from houserule.native.state import HOW, field
from houserule.native.values import (
    INT,
    INTS,
    TRAP,
    VOID,
    Inliner,
    Op,
    TupleOf,
    Value,
    as_int,
    folded,
    get_local,
    i64,
    number,
    of_known,
    parts,
    run_time,
    when,
)
from houserule.operations import fuel
from houserule.reading import own
from houserule.running import observing as observed
from houserule.running import playout
from houserule.running.playout import answer_site, begin_anew
from houserule.running.state import take_part

PAGE = 1 << 16
ARENA = 1 << 20
"""The initial size of the arena, in bytes."""
MOST_PAGES = 1024
"""The memory that a match may take: 64 megabytes."""
ANSWERS = 1
"""The generator for answers; the other is that of the match."""
TIDY = 1 << 16
"""Bytes allocated in the arena before it is compacted."""

REGISTERED = (calls, statements)
"""The modules that register translators of expressions and statements when they are imported."""


OF_THE_MATCH = ("fuel", "reserve", "since", "unasked")
"""The work of a match, to which a look at who leads adds nothing."""


class Written:
    """A module as text, and the addresses of its results."""

    def __init__(self, blueprint: Blueprint) -> None:
        self.blueprint = blueprint
        self.module = Module(blueprint)
        self.memory: Memory = self.module.memory
        self.tally = self.emit_tally()
        if blueprint.watched:
            self.emit_look()
        self.segments = [self.segment(number) for number in range(len(blueprint.segments))]
        self.answers = self.answered()
        keyed = {site: self.keys_at(site) for site in blueprint.sites}
        self.keyed = [keyed[site] for site in blueprint.sites]
        self.to_act = self.plain(lambda scope: self.returned(scope, runtime.next_to_act))
        self.take_part = self.emit_merge()
        self.emit_seen()
        self.counts = self.counting()
        self.sites = self.memory.constant([word for site in blueprint.sites for word in words_of_site(site)])
        logarithms = array("d", [log(max(1, number)) for number in range(1024)])
        self.logarithms = self.memory.constant(array("q", logarithms.tobytes()))
        self.row = 0
        self.key_end = 0
        self.askings = (0, 0)
        if blueprint.observed is not None:
            self.askings = observing.emit(self.module, self.plain, blueprint.observed)
        self.finish = self.emit_finish()
        self.text = self.whole()

    # --- functions ----------------------------------------------------------------------------------------------------------

    def plain(self, write: Any) -> Function:
        """A function without parameters."""
        module = self.module
        made = Function(f"$f{len(module.functions)}")
        module.functions["plain", len(module.functions)] = made
        scope = Scope(module, made, {})
        write(scope)
        made.result = made.result or VOID
        made.is_done = True
        return made

    def returned(self, scope: Scope, function: Any, *arguments: Value) -> None:
        leave(scope, call_function(scope, function, [of_known(STATE), *arguments]))

    def segment(self, number_of: int) -> Function:
        blueprint = self.blueprint
        segment = blueprint.segments[number_of]

        def write(scope: Scope) -> None:
            scope.function.result = INT
            if segment is not None:
                scope.world, scope.routine = blueprint.world, segment.name
                scope.lists = frozenset(f"l_{name}" for name in blueprint.lists.get(number_of, ()))
                scope.names["s"] = of_known(STATE)
                scope.statements(blueprint.trees[segment.name].body)
            elif number_of == blueprint.drain_segment:
                self.returned(scope, runtime.drain_next)
            elif trigger := [t for t, segment in blueprint.trigger_segments.items() if segment == number_of]:
                stand_ins.trigger_as_segment(scope, trigger[0])
            else:
                scope.emit(TRAP)  # a match that cannot begin: Python says why

        return self.plain(write)

    def answered(self) -> list[Function]:
        """The functions that answer questions at random. A watched match asks its state as what a question counts."""
        made: dict[tuple[Question, int], Function] = {}
        found = []
        for number_of, site in enumerate(self.blueprint.sites):
            key = site, -1 if self.blueprint.watched else number_of
            if key not in made:
                made[key] = self.answer(*key)
            found.append(made[key])
        return found

    def answer(self, site: Question, number_of: int) -> Function:
        """The function that answers a question of a kind at random."""

        def write(scope: Scope) -> None:
            state, chance = of_known(STATE), of_known(Chance(ANSWERS))
            counted_as = field(scope, "site") if number_of < 0 else of_known(number_of)
            call_function(scope, answer_site, [state, state, of_known(site), counted_as, chance])
            call_function(scope, begin_anew, [state])

        return self.plain(write)

    def emit_merge(self) -> Function:
        """The function that merges what one player has changed; it traps if nobody acts on a copy."""

        def write(scope: Scope) -> None:
            scope.function.parameters = [("$p0", "i64")]
            if self.memory.has_copies:
                player = Value(INT, (get_local("$p0"),))
                call_function(scope, take_part, [*map(of_known, (STATE, BEFORE, PART)), player])
            else:
                scope.emit(TRAP)

        return self.plain(write)

    def emit_seen(self) -> None:
        """The function that tells whether a player sees a piece."""

        def write(scope: Scope) -> None:
            scope.function.parameters = [("$p0", "i64"), ("$p1", "i64")]
            self.returned(scope, observed.seen, *(Value(INT, (get_local(f"$p{at}"),)) for at in range(2)))

        self.plain(write).name = "$seen"

    def emit_look(self) -> Function:
        """The function that determines who leads, as `study.course` does: whoever would win alone if the match ended now.
        Its work has a limit of its own, beside those of the match."""
        rule, load, store = self.blueprint.winner, self.memory.load, self.memory.store

        def left() -> Op:
            return Op("i64.add", load("fuel"), load("reserve"))

        def write(scope: Scope) -> None:
            kept = {name: scope.temporary(number(load(name))) for name in OF_THE_MATCH}
            scope.emit(store("reserve", Op("i64.add", load("looks"), load("between"))))
            scope.emit(store("since", i64(0)))
            scope.emit(store("unasked", load("chances")))
            before = scope.temporary(number(left()))
            scores = self.scores(scope, None)
            keys = self.keys(scope, scores) if rule is None or rule.rule in ("most", "least") else scores
            leaders = scope.temporary(number(self.leaders(scope, keys)))
            mates = self.mates(scope)
            if mates:
                leaders = scope.temporary(number(with_mates(leaders.code[0], mates)))
            alone = Op("i64.eq", Op("i64.popcnt", leaders.code[0]), i64(1))
            if mates:
                alone = folded("i32.or", [Op("i64.eq", leaders.code[0], team) for team in mates])
            other = Op("i64.ne", Op("i64.ctz", leaders.code[0]), load("leader"))
            first = Op("i64.extend_i32_u", Op("i64.ge_s", load("leader"), i64(0)))
            changed = [
                store("lead_changes", Op("i64.add", load("lead_changes"), first)),
                store("leader", Op("i64.ctz", leaders.code[0])),
                store("led_since", load("rounds")),
            ]
            scope.emit(when(Op("i32.and", alone, other), changed))
            scope.emit(store("looks", Op("i64.sub", load("looks"), Op("i64.sub", before.code[0], left()))))
            for name, value in kept.items():
                scope.emit(store(name, value.code[0]))

        made = self.plain(write)
        made.name = "$look_who_leads"
        return made

    def emit_tally(self) -> Function | None:
        """The function that counts what the score sheet counts, if that is done beforehand."""
        loops = list(tallies.of_lines(self.module))

        def write(scope: Scope) -> None:
            scope.world = self.blueprint.world
            scope.names["v"] = of_known(Area("v"))
            for write_loop in loops:
                write_loop(scope)

        return self.plain(write) if loops else None

    def scores(self, scope: Scope, place: int | None) -> list[Value]:
        """The total points of each player; those of each line are written into the row from an address on."""
        blueprint, players = self.blueprint, self.blueprint.players
        scores = [scope.declare(INT) for _ in range(players)]
        for score in scores:
            scope.set(score, of_known(0))
        if self.tally is not None:
            scope.emit(Op("call", self.tally.name))
        for points in blueprint.points:
            found = call_function(scope, points, [of_known(STATE)])
            line = scope.temporary(coerced(scope, found, INTS))
            for seat in range(players):
                value = scope.temporary(scope.part_of_list(line, seat))
                if place is not None:
                    scope.emit(Op("i64.store", f"offset={place}", Op("global.get", "$row"), value.code[0]))
                    place += 8
                scope.set(scores[seat], number(Op("i64.add", scores[seat].code[0], value.code[0])))
        return scores

    def emit_finish(self) -> Function:
        """The function that writes the points and winners of a finished match into its row."""
        blueprint, players = self.blueprint, self.blueprint.players

        def write(scope: Scope) -> None:
            at = Op("global.get", "$row")
            scores = self.scores(scope, HEAD * 8)
            place = (HEAD + players * len(blueprint.points)) * 8
            for score in scores:
                scope.emit(Op("i64.store", f"offset={place}", at, score.code[0]))
                place += 8
            keys = self.keys(scope, scores)
            scope.emit(Op("i64.store", "offset=24", at, self.leaders(scope, keys)))
            if blueprint.winner_key is not None:
                for key in keys:
                    for part in parts(key):
                        scope.emit(Op("i64.store", f"offset={place}", at, as_int(part)))
                        place += 8
            self.key_end = place // 8
            for team in self.mates(scope):
                scope.emit(Op("i64.store", f"offset={place}", at, team))
                place += 8
            self.row = place // 8 + (COURSE if blueprint.watched else 0)

        return self.plain(write)

    def keys(self, scope: Scope, scores: list[Value]) -> list[Value]:
        """The key of each player, of which the greatest wins."""
        key = self.blueprint.winner_key
        if key is None or self.blueprint.winner is None:
            return scores
        made = []
        for seat, score in enumerate(scores):
            found = call_function(scope, key, [of_known(STATE), run_time(of_known(seat)), score])
            made.append(
                scope.temporary(flat_tuple(found) if isinstance(found.type, TupleOf) or found.is_known else found)
            )
        return made

    def mates(self, scope: Scope) -> list[Op]:
        """By seat the players of the same team, as bits; empty in a game without teams."""
        blueprint, seats = self.blueprint, range(self.blueprint.players)
        teams = blueprint.teams
        if teams is None:
            return []
        if isinstance(teams, tuple):
            return [i64(sum(1 << other for other in seats if teams[other] == team)) for team in teams]
        found = [
            scope.temporary(number(as_int(call_function(scope, teams, [of_known(STATE), run_time(of_known(seat))]))))
            for seat in seats
        ]
        bits = []
        for seat, team in enumerate(found):
            same = [Op("i64.eq", team.code[0], other.code[0]) for other in found]
            shared = folded(
                "i64.or", [Op("i64.shl", Op("i64.extend_i32_u", one), i64(other)) for other, one in enumerate(same)]
            )
            if blueprint.no_team is not None:
                has_none = Op("i64.eq", team.code[0], i64(blueprint.no_team))
                shared = Op("select", i64(1 << seat), shared, has_none)
            bits.append(scope.temporary(number(shared)).code[0])
        return bits

    def leaders(self, scope: Scope, keys: list[Value]) -> Op:
        """The players with the greatest key, as bits."""
        best = scope.kept(keys[0])
        for key in keys[1:]:
            with scope.captured() as taking:
                scope.set(best, key)
            scope.emit(when(precedes(key, best, "gt"), taking))
        bits = i64(0)
        for seat, key in enumerate(keys):
            equal = folded("i32.and", [Op("i64.eq", a, b) for a, b in zip(key.code, best.code, strict=True)])
            bits = Op("i64.or", bits, Op("i64.shl", Op("i64.extend_i32_u", equal), i64(seat)))
        return bits

    # --- the module -----------------------------------------------------------------------------------------------------------

    def whole(self) -> str:
        """The text of the module."""
        module, memory = self.module, self.memory
        image = memory.image()
        names = [*(made.name for made in (*self.segments, *self.answers)), *self.keyed, *module.elements]
        self.arena = memory.arena
        end = (self.arena + ARENA + PAGE - 1) // PAGE * PAGE
        types = " ".join(
            f"(type {name} (func {' '.join(f'(param {wasm})' for wasm in key[: key.index('->')])} "
            f"{' '.join(f'(result {wasm})' for wasm in key[key.index('->') + 1 :])}))"
            for key, name in module.signatures.items()
        )
        inliner = runtime_inliner() if "runtime" not in self.blueprint.without else None
        written = "\n".join([*(made.text(inliner) for made in module.functions.values()), *module.extra.values()])
        lists = inliner.text if inliner is not None else runtime_text()
        cells = module.cells
        counted = written_text("noting") if cells is not None and cells.counts else "(func $clear_cells) (func $count)"
        course = written_text("course") if self.blueprint.watched else "(func $clear_course) (func $course)"
        text = "".join(map(written_text, ("seeds", "driver", "worth", "search", "dealing"))) + counted + course
        text += written_text("observing") if self.blueprint.observed is not None else ""
        driver = self.filled(f"{lists}\n{text}", end)
        data = [
            (memory.mersenne, mersenne_start()),
            (memory.text + MOST_TEXT, blake_start()),
            (memory.first, image),
            (memory.constants, bytes(memory.data)),
        ]
        sections = "\n".join(f'(data (i32.const {at}) "{escaped(content)}")' for at, content in data if content)
        return f"""(module
(type $segment (func (result i64)))
(type $answer (func))
(type $keys (func (result i32)))
{types}
(memory (export "memory") {end // PAGE} {MOST_PAGES})
(table {len(names)} funcref)
(elem (i32.const 0) {" ".join(names)})
(global $over (mut i32) (i32.const 0))
(global $row (mut i32) (i32.const 0))
{driver}
{written}
{sections}
)"""

    def filled(self, text: str, end: int) -> str:
        """The text of files with this layout filled in, whose memory has an end."""
        memory = self.memory
        values = {
            **named(blocks, fuel, layout, observed, playout, runtime),
            **named(memory),
            **{name.upper(): at for name, at in memory.fields.items()},
            "SEGMENTS": len(self.segments),
            "ARENA": self.arena,
            "END": end,
            "IN_LANES": int("lanes" not in self.blueprint.without),
            "TIDY": TIDY,
            "CHANCE": memory.generators[0],
            "ANSWERS": memory.generators[ANSWERS],
            "MIXED": memory.text + MOST_TEXT + 8 * WORD,
            "ROW_BYTES": self.row * 8,
            "MIRRORED": memory.mirrored if memory.has_copies else 0,
            "MERGED": memory.slots + memory.slot,
            "BEFORE_TABLE": memory.v + memory.mirrors[1],
            "PART_TABLE": memory.v + memory.mirrors[2],
            "LISTS": memory.addresses(),
            "LISTED": 4 * (len(memory.zones) + 2),
            "EMPTY": memory.nothing,
            **self.course(),
            **self.judging(),
            **self.searching(),
            **self.counts,
            **self.observing(),
        }
        text = re.sub(r"%(\w+)%", lambda place: str(values[place[1]]), text)
        for name in ("to_act", "finish", "take_part"):
            text = text.replace(f"(call ${name}", f"(call {getattr(self, name).name}")
        return text

    def observing(self) -> dict[str, float]:
        """The constants for what players are shown, if anybody is."""
        shown = self.blueprint.observed
        return observing.constants(self.memory, shown, self.row, self.askings) if shown is not None else {}

    def course(self) -> dict[str, int]:
        """The constants for what is counted of the course of a match."""
        memory = self.memory
        return {
            "COURSE": (self.row - COURSE) * WORD,
            "AFTER_COURSE": (self.row - COURSE + 1) * WORD,
            "COURSE_LEADERS": (self.row - 1) * WORD,
            "IDLE": memory.tallies + (TALLIES - 1) * WORD,
            "DECIDED": memory.tallies + TALLIES * WORD,
            "TALLY_BYTES": TALLIES * WORD,
            "DECIDED_BYTES": self.blueprint.players * WORD,
        }

    def keys_at(self, site: Question) -> str:
        """The function that tells apart the options of a question."""
        type = plain(site.type)
        if isinstance(type, Piece):
            return self.module.instance(observed.keys_of_pieces, [of_known(STATE)]).name
        if isinstance(type, Tuple) and any(isinstance(plain(of), Piece) for of in type.of):
            are_pieces = tuple(isinstance(plain(of), Piece) for of in type.of)
            known = [of_known(one) for one in (STATE, tuple(type.lows), tuple(type.sizes), are_pieces)]
            return self.module.instance(observed.keys_of_tuples, known).name
        return "$listed"

    def searching(self) -> dict[str, float]:
        """The constants of a search."""
        memory, blueprint = self.memory, self.blueprint
        return {
            **{name: number for number, name in enumerate(("RANDOM", "TREE", "LEFT", "TRIED", "ROOT", "EACH"))},
            "BUCKET_BYTES": BUCKETS,
            "BUCKET_MASK": BUCKETS - 4,
            "PATH_END": memory.path + PATH,
            "BEFORE_OPTIONS": memory.option_keys - WORD,
            "PLANTED_END": memory.planted + PLANTED,
            "LEFT_PLACES": memory.left,
            "BOTH": 2 * GENERATOR,
            "SITES": self.sites + WORD,
            "NOTHING": self.sites + 2 * WORD,
            "KEY_FUNCTIONS": len(blueprint.segments) + len(blueprint.sites),
            "RACE": RACE,
            "PASS": PASS,
            "LOGARITHMS": self.logarithms + WORD,
            "ALL_TRIED": observed.LISTED,
        }

    def counting(self) -> dict[str, int]:
        """The constants for counting options, if they are counted."""
        cells, memory = self.module.cells, self.memory
        if cells is None or not cells.counts:
            return {}
        return {
            **{f"CELLS_{further}": memory.cells + further * WORD for further in (1, 2, 3)},
            "CELL_BYTES": cells.bytes(self.blueprint.players),
            "WIDTH_BYTES": WORD * cells.width,
            "WHOLE": lcm(*range(1, self.blueprint.players + 1)),
        }

    def judging(self) -> dict[str, float]:
        """The constants that decide how a row is valued."""
        blueprint, players = self.blueprint, self.blueprint.players
        rule = blueprint.winner
        is_all = rule is not None and rule.rule == "all"
        has_scores = blueprint.winner_key is None or rule is None
        by_points = has_scores or (rule is not None and rule.rule in ("most", "least"))
        at = HEAD + players * (len(blueprint.points) + (0 if has_scores else 1))
        words = 1 if has_scores else (self.key_end - at) // players
        nobody = (rule.nobody if rule is not None else "") or ("defeat" if is_all else "undecided")
        return {
            "PLAYERS": players,
            "TEAMS": int(blueprint.teams is not None),
            "CONSTANT_TEAMS": int(isinstance(blueprint.teams, tuple)),
            "TEAMS_AT": self.key_end * 8,
            "LEAST": -(1 << 62) if players > 1 else 0,
            "TOTAL_BYTES": players * 8,
            "KEYS_AT": at * 8,
            "KEY_WORDS": words,
            "KEY_BYTES": words * 8,
            "BY_POINTS": int(by_points),
            "ALL": int(is_all),
            "DRAWS": int(rule is not None and rule.tie == "draw" and not is_all),
            "NOBODY": HOW.index(nobody),
            "EVERYBODY": (1 << players) - 1,
            **{how.upper(): number for number, how in enumerate(HOW)},
        }


def with_mates(bits: Op, mates: list[Op]) -> Op:
    """Some players and their partners, as bits."""
    chosen = [Op("i32.wrap_i64", Op("i64.and", Op("i64.shr_u", bits, i64(seat)), i64(1))) for seat in range(len(mates))]
    return folded("i64.or", [Op("select", team, i64(0), one) for team, one in zip(mates, chosen, strict=True)])


RACE = 4
PASS = -(1 << 62)
"""The key of passing."""


def words_of_site(site: Question) -> tuple[int, int]:
    """The kind of a question, and the answer that passes: see `search.wat`."""
    if site.kind == "race":
        return RACE, -1
    return (2 if site.kind == "several" else 0) + site.may_pass, none_of(site.type) if site.kind == "pick" else -1


@cache
def runtime_inliner() -> Inliner:
    return Inliner(runtime_text())


def runtime_text() -> str:
    return written_text("runtime") + written_text("chance")


def escaped(content: bytes) -> str:
    return "".join(f"\\{byte:02x}" for byte in content)


@cache
def written_text(name: str) -> str:
    return own(Path(__file__).with_name(f"{name}.wat"))
