"""Stand-ins, which emit code, for parts of the runtime that are outside the subset: triggers, frames, notes."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from houserule.compiler import chance, questions, runtime
from houserule.compiler.blocks import FORKED
from houserule.compiler.chance import drawn
from houserule.compiler.imagining import work_of_imagining
from houserule.compiler.questions import SITE
from houserule.compiler.runtime import DEEPEST
from houserule.language.types import GREATEST, LEAST, none_of
from houserule.native import state
from houserule.native.blueprint import Imagined, SightRule
from houserule.native.functions import STATE, Scope, call_function, leave
from houserule.native.items import item_of_known, loaded
from houserule.native.memory import TALLIES
from houserule.native.values import (
    BOOL,
    INT,
    TRAP,
    ListOf,
    Op,
    Value,
    as_int,
    condition_code,
    either,
    get_local,
    i32,
    i64,
    number,
    of_known,
    pointer,
    run_time,
    trap_if,
    truth,
    when,
)
from houserule.operations import lists, zones
from houserule.operations.fuel import spend
from houserule.running.state import State

Keywords = dict[str, ast.expr]


# --- triggers ---------------------------------------------------------------------------------------------------------------


def with_next_waiting(scope: Scope, table: Mapping[int, Any], begin: Callable[[Any, list[Value]], object]) -> None:
    """Take the first trigger from the queue, start it, and begin what a table has for it, with its piece or old value and its indices."""
    memory = scope.module.memory
    queue = i32(memory.queue)
    trigger, value, slot = (scope.kept(number(Op("i64.load", f"offset={8 + 8 * part}", queue))) for part in range(3))
    scope.emit(Op("call", "$cut", queue, i32(0), i32(3)))
    scope.emit(Op("i32.store", i32(memory.running), i32(1)))
    scope.emit(Op("i64.store", "offset=8", i32(memory.running), trigger.code[0]))
    cases = []
    for number_of, one in table.items():
        with scope.captured() as body:
            begin(one, event_arguments(scope, number_of, value, slot))
        cases.append((number_of, body))
    code = TRAP
    for number_of, body in reversed(cases):
        code = when(Op("i64.eq", trigger.code[0], i64(number_of)), body, [code])
    scope.emit(code)


def event_arguments(scope: Scope, trigger: int, value: Value, slot: Value) -> list[Value]:
    """The arguments of an event, as `trigger_arguments` returns them."""
    with_subject, indices = scope.module.blueprint.trigger_events[trigger]
    count = max((len(index) for index in indices.values()), default=0)
    slots = range(max(indices, default=0) + 1)
    columns = [[indices[s][part] if s in indices else 0 for s in slots] for part in range(count)]
    found = [item_of_known(scope, column, slot) for column in columns]
    return [value, *found] if with_subject else found


def written_run_next(scope: Scope, _: list[ast.expr], __: Keywords) -> Value:
    """Run the first waiting trigger."""

    def run(function: Any, arguments: list[Value]) -> None:
        call_function(scope, function, [of_known(STATE), of_known(-1), *arguments])

    with_next_waiting(scope, scope.module.blueprint.trigger_functions, run)
    return of_known(None)


def written_enter_next(scope: Scope, _: list[ast.expr], __: Keywords) -> Value:
    """Push a frame for the first waiting trigger."""
    blueprint = scope.module.blueprint
    made = scope.declare(INT)

    def enter(segment: int, arguments: list[Value]) -> None:
        state.push_frame(scope, [of_known(blueprint.drain_segment), of_known(-1), of_known(-1), *arguments])
        scope.set(made, of_known(segment))

    with_next_waiting(scope, blueprint.trigger_segments, enter)
    return made


def trigger_as_segment(scope: Scope, trigger: int) -> None:
    """A trigger that asks nobody as a segment, for triggers of which some ask: see `as_segment`."""
    blueprint = scope.module.blueprint
    with_subject, indices = blueprint.trigger_events[trigger]
    count = max((len(index) for index in indices.values()), default=0) + with_subject
    frame = state.pop_frame(scope)
    back, *arguments = (
        scope.kept(number(Op("i64.load", f"offset={8 * place}", frame.code[0])))
        for place in (0, 1, *range(3, 3 + count))
    )
    call_function(scope, blueprint.trigger_functions[trigger], [of_known(STATE), *arguments])
    leave(scope, back)


# --- frames -----------------------------------------------------------------------------------------------------------------


def entered(scope: Scope, args: list[ast.expr], _: Keywords) -> Value:
    """`enter(s, segment, [frame])`."""
    segment = scope.expression(args[1])
    check_depth(scope)
    state.push_frame(scope, state.frame_items(scope, args[2]))
    return segment


def check_depth(scope: Scope) -> None:
    """Trap if calls are nested too deep."""
    memory = scope.module.memory
    deepest = memory.frames + (DEEPEST - 1) * memory.frame_bytes
    scope.emit(trap_if(Op("i32.gt_u", state.top(scope).code[0], i32(deepest))))


def entered_effect(scope: Scope, args: list[ast.expr], _: Keywords) -> Value:
    """`enter_effect(s, table, of, [frame])`: a member without an effect does nothing."""
    table = scope.expression(args[1]).known
    of = scope.temporary(scope.expression(args[2]))
    items = [scope.temporary(item) if not item.is_known else item for item in state.frame_items(scope, args[3])]
    segment = scope.kept(item_of_known(scope, [entry for entry, _ in table], of), INT)
    made = scope.declare(INT)
    with scope.captured() as nothing:
        state.store(scope, "answer", of_known(-1))
        scope.set(made, number(state.word(scope, items[0])))
    with scope.captured() as begin:
        check_depth(scope)
        state.push_frame(scope, [items[0], items[1], of, *items[3:]])
        scope.set(made, segment)
    test = Op("i64.lt_s", segment.code[0], i64(0))
    scope.emit(when(test, nothing, begin))
    return made


# --- imagined effects -------------------------------------------------------------------------------------------------------


def imagined(scope: Scope, function: Imagined, arguments: list[Value]) -> Value:
    """A function that leaves the state as it was: what it may change is saved, and restored."""
    module, memory = scope.module, scope.module.memory
    inner, sets_variables, zones = function.function, function.sets_variables, function.zones
    work = work_of_imagining(zones, len(module.blueprint.variables) + len(module.blueprint.places))
    call_function(scope, spend, [of_known(STATE), of_known(work)])
    before = scope.kept(pointer(Op("global.get", "$top")))
    stretches = []
    if sets_variables:
        stretches.append((memory.v, memory.w))
        stretches.append((memory.remembered, memory.before))
    for low, high in zones:
        stretches.append((memory.zones[low], memory.zones[high] if high < len(memory.zones) else memory.queue))
    if zones:
        stretches.append((memory.w, memory.zones[0] if memory.zones else memory.queue))
    kept = []
    for start, stop in stretches:
        saved = scope.kept(pointer(Op("call", "$new", i32((stop - start) // 8))))
        scope.emit(Op("memory.copy", Op("i32.add", saved.code[0], i32(8)), i32(start), i32(stop - start)))
        kept.append(saved)
    lists = [scope.kept(pointer(Op("call", "$copied", i32(at)))) for at in (memory.queue, memory.running)]
    numbers = {name: scope.kept(number(memory.load(name))) for name in ("draining", "depth", "ending", "winners")}
    scope.emit(Op("i32.store", i32(memory.queue), i32(0)))
    state.store(scope, "draining", of_known(0))
    value = call_function(scope, inner, arguments)
    if isinstance(value.type, ListOf):
        value = scope.temporary(Value(ListOf(value.type.item), (Op("call", "$copied", value.code[0]),)))
    for (start, stop), saved in zip(stretches, kept, strict=True):
        scope.emit(Op("memory.copy", i32(start), Op("i32.add", saved.code[0], i32(8)), i32(stop - start)))
    for at, saved in zip((memory.queue, memory.running), lists, strict=True):
        scope.emit(Op("call", "$fill", i32(at), saved.code[0]))
    for name, saved in numbers.items():
        scope.emit(memory.store(name, saved.code[0]))
    if value.type in (INT, BOOL):  # nothing that was made meanwhile is needed any more
        value = scope.temporary(value)
        scope.emit(Op("global.set", "$top", before.code[0]))
    return value


# --- checks, and facts about pieces -----------------------------------------------------------------------------------------


def whole(scope: Scope, args: list[ast.expr], _: Keywords) -> Value:
    """`whole(value)`: a number that is too large or too small traps."""
    value = scope.expression(args[0])
    if isinstance(value.type, ListOf) or (value.is_known and value.const is None):
        return value
    made = scope.temporary(run_time(value))
    if made.type is not INT:
        return value
    span = GREATEST - LEAST + 1
    scope.emit(trap_if(Op("i64.gt_u", Op("i64.sub", made.code[0], i64(LEAST - 1)), i64(span))))
    return made


def owner_of(scope: Scope, args: list[ast.expr], _: Keywords) -> Value:
    """`owner(s, piece)`: by its seat, or by its zone."""
    blueprint, memory = scope.module.blueprint, scope.module.memory
    by_zone = -2
    seats = [by_zone if seat is None else seat for seat in blueprint.seats]
    piece_value = scope.temporary(scope.expression(args[1]))
    seat_of = scope.kept(item_of_known(scope, seats, piece_value), INT)
    where = scope.kept(loaded(i32(memory.w), piece_value, INT))
    owner = item_of_known(scope, blueprint.zone_owner, where)
    by = either("i64", Op("i64.ge_s", where.code[0], i64(0)), [as_int(owner)], [i64(-1)])
    test = Op("i64.eq", seat_of.code[0], i64(by_zone))
    return number(either("i64", test, [by], [seat_of.code[0]]))


def sees(scope: Scope, args: list[ast.expr]) -> Value:
    """`program.sees(s, viewer, piece)`."""
    blueprint, memory = scope.module.blueprint, scope.module.memory
    viewer, piece = (scope.temporary(scope.expression(one)) for one in args)
    where = scope.kept(loaded(i32(memory.w), piece, INT))
    sight = scope.declare(INT)
    found = scope.function.local("i32")
    with scope.captured() as lies:
        scope.set(sight, item_of_known(scope, blueprint.zone_sight, where))
        code = Op("i32.or", Op("i64.eq", sight.code[0], i64(-10)), Op("i64.eq", sight.code[0], as_int(viewer)))
        scope.emit(Op("local.set", found, code))
        for slot, rule in enumerate(blueprint.zone_sight):
            if not isinstance(rule, SightRule):
                continue
            with scope.captured() as asked:
                inner = [of_known(STATE), viewer, piece, *map(of_known, rule.index)]
                value = call_function(scope, rule.function, inner)
                scope.emit(Op("local.set", found, condition_code(value)))
            test = Op("i64.eq", where.code[0], i64(slot))
            scope.emit(when(test, asked))
    nowhere = Op("i64.lt_s", where.code[0], i64(0))
    scope.emit(when(nowhere, [Op("local.set", found, i32(1))], lies))
    return truth(get_local(found))


def begun(scope: Scope, args: list[ast.expr]) -> Value:
    """`s.begin(trigger)`."""
    scope.emit(Op("call", "$put", i32(scope.module.memory.running), as_int(scope.expression(args[0]))))
    return of_known(None)


def ended(scope: Scope, _: list[ast.expr]) -> Value:
    """`s.end()`."""
    scope.emit(Op("drop", Op("call", "$pop", i32(scope.module.memory.running))))
    return of_known(None)


def turns_begun(scope: Scope, _: list[ast.expr]) -> Value:
    """`s.begins_turns()`: always; a together that begins without decisions left is played whole, as in Python."""
    memory = scope.module.memory
    scope.emit(when(Op("i64.le_s", memory.load("chances"), i64(0)), [memory.store("whole", i64(1))]))
    return of_known(True)


def round_begun(scope: Scope, _: list[ast.expr], __: Keywords) -> Value:
    """`round_begun(s)`: count a round, and determine who leads."""
    memory = scope.module.memory
    scope.emit(memory.store("rounds", Op("i64.add", memory.load("rounds"), i64(1))), Op("call", "$look"))
    return of_known(None)


def trapped(scope: Scope, args: list[ast.expr], _: Keywords) -> Value:
    """A trap, which leaves to Python: numbers too great for a word."""
    for one in args:
        scope.expression(one)
    scope.emit(TRAP)
    return number(i64(0))


def evaluate_now(function: Callable[..., Any]) -> Callable[[Scope, list[ast.expr], Keywords], Value]:
    """A call with known arguments, evaluated at translation time."""

    def called(scope: Scope, args: list[ast.expr], _: Keywords) -> Value:
        return of_known(function(*(scope.expression(one).known for one in args)))

    return called


def call_of(function: Callable[..., Any]) -> Callable[[Scope, list[ast.expr], Keywords], Value]:
    """A call of a function that is translated instead of another."""

    def called(scope: Scope, args: list[ast.expr], _: Keywords) -> Value:
        return call_function(scope, function, [scope.expression(one) for one in args])

    return called


# --- options that are counted while a match is played; `study.offers` counts those of matches in Python --------------------

TAKEN = 1 << 32
"""A count holds how often something was offered in its lower half, and in its upper one how often it was taken."""


def note(s: Any, site: int, asker: int, options: Sequence[int], taken: int) -> None:
    """Count what a question with one answer has offered, and what was taken."""
    cells = s.watch.cells
    passing = cells.passing[site]
    can_pass = passing >= 0 and (cells.may_pass[site] or len(options) == 0)
    tally(s, asker, len(options) + (1 if can_pass else 0))
    if not cells.counts:
        return
    counts = s.watch.counts
    row = asker * cells.width
    first = row + cells.number[cells.base[site]]
    fold = cells.folds[site]
    if fold == 1:
        counts[first] += len(options)
    else:
        for value in options:
            at = row + cells.number[cells.base[site] + (value % fold if fold else value)]
            counts[at] += 1
    if can_pass:
        counts[row + passing] += 1
    if can_pass and taken == cells.nothing[site]:
        counts[row + passing] += TAKEN
    else:
        counts[row + cells.number[cells.base[site] + (taken % fold if fold else taken)]] += TAKEN


def note_several(s: Any, site: int, asker: int, options: Sequence[int], taken: Sequence[int]) -> None:
    """Count what a question with several answers has offered, and what was taken; in a race, the options are the players who may join."""
    cells = s.watch.cells
    can_pass = cells.passing[site] >= 0 and (cells.may_pass[site] or len(options) == 0)
    if cells.is_race[site]:
        for seat in options:
            tally(s, seat, 2)
    else:
        tally(s, asker, len(options) + (1 if can_pass else 0))
    if not cells.counts:
        return
    row = 0 if cells.is_race[site] else asker * cells.width
    note_all(s, site, row, options, 1)
    note_all(s, site, row, taken, TAKEN)
    if can_pass:
        s.watch.counts[row + cells.passing[site]] += 1 if taken else 1 + TAKEN


def tally(s: Any, asker: int, ways: int) -> None:
    """Note that a question is put, and whether there is anything to decide."""
    tallies = s.watch.tallies
    tallies[0] += 1
    tallies[1] += ways
    if ways > 1:
        tallies[TALLIES + asker] = 1
    else:
        tallies[2] += 1


def note_all(s: Any, site: int, row: int, values: Sequence[int], much: int) -> None:
    cells = s.watch.cells
    counts = s.watch.counts
    for value in values:
        fold = cells.folds[site]
        at = cells.number[cells.base[site] + (value % fold if fold else value)]
        at += value * cells.width if cells.is_race[site] else row
        counts[at] += much


def drawn_noted(s: Any, options: Sequence[int], nothing: int, site: int, asker: int) -> int:
    """One of the options, all equally likely; `nothing` if there are none."""
    taken = drawn(s, options, nothing)
    if options:
        note(s, site, asker, options, taken)
    return taken


def drawn_of_fixed_noted(s: Any, options: Sequence[int], nothing: int, site: int, asker: int) -> int:
    """An option as `drawn_of_fixed` draws it, noted; the number of the site is already shifted."""
    return drawn_noted(s, options, nothing, site >> SITE, asker)


METHODS_OF_STATE: dict[str, Callable[[Scope, list[ast.expr]], Value]] = {
    "begin": begun,
    "end": ended,
    "shallower": lambda scope, _: call_function(scope, State.shallower, [of_known(STATE)]),
    "sees": sees,
    "begins_turns": turns_begun,
    "split": lambda *_: of_known(FORKED),
}
STAND_INS: dict[Any, Any] = {
    runtime.run_next: written_run_next,
    runtime.enter_next: written_enter_next,
    runtime.enter: entered,
    runtime.enter_effect: entered_effect,
    runtime.whole: whole,
    zones.owner: owner_of,
    bisect_left: call_of(lists.place_in),
    runtime.digest: lambda scope, args, _: number(Op("call", "$digest", scope.expression(args[0]).code[0])),
    questions.round_begun: round_begun,
    questions.drawn_of_fixed: call_of(drawn_of_fixed_noted),
    questions.drawn_watched: call_of(drawn_noted),
    questions.note: call_of(note),
    questions.note_several: call_of(note_several),
    chance.below_great: trapped,
    none_of: evaluate_now(none_of),
}
