"""Translates iteration: comprehensions and reductions, without intermediate lists where possible."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import isgeneratorfunction
from typing import Any

from houserule.native.expressions import condition, in_block, is_light, jump
from houserule.native.foresight import foresight
from houserule.native.functions import EXPRESSIONS, Area, Scope, call_function, coerced, inline, listed, set_name
from houserule.native.items import Zones, item_of_area, loaded, row_of_few
from houserule.native.values import (
    BOOL,
    FLOAT,
    INT,
    INTS,
    VOID,
    DictOf,
    ListOf,
    Op,
    TupleOf,
    Type,
    Untranslatable,
    Value,
    as_i32,
    condition_code,
    get_local,
    i32,
    i64,
    number,
    of_known,
    parts,
    pointer,
    run_time,
    side_by_side,
    trap_if,
    tuple_of,
    when,
    words,
)

Visit = Callable[[Value], None]
Taking = Callable[..., None]
"""A visit with a test, as an i32, that says whether the item is taken; all are without one."""
MOST_WRITTEN = 8
"""The most items of a list display that are visited one by one."""


# complex: one case for each form of a list
def each(scope: Scope, source: ast.expr | Value, visit: Visit) -> None:
    """Visit the items of a list, as they come."""
    if isinstance(source, Value):
        each_value(scope, source, visit)
        return
    match source:
        case ast.ListComp(elt=made, generators=generators) | ast.GeneratorExp(elt=made, generators=generators):
            each_of_comprehension(scope, made, generators, visit)
        case ast.List(elts=elts) | ast.Tuple(elts=elts) if has_lists(elts) and len(elts) <= MOST_WRITTEN:
            each_written(scope, elts, visit)
        case ast.IfExp(test=test, body=yes, orelse=no) if isinstance(yes, ast.Tuple) and isinstance(no, ast.Tuple):
            either_list(scope, test, yes, no, visit)
        case ast.Call(func=ast.Name(id=name), args=args) if name in SOURCES and (
            name != "list" or (args and not isinstance(args[0], ast.Call))
        ):
            SOURCES[name](scope, args, visit)
        case ast.Call(func=ast.Name(id=name), args=args) if isgeneratorfunction(made := scope.look_up(name).known):
            inline(scope, made, scope.module.source(made), [scope.expression(one) for one in args], visit)
        case ast.Subscript() if (row := row_of_few(scope, source)) is not None:
            each_value(scope, scope.temporary(row), visit)
        case _:
            each_value(scope, scope.expression(source), visit)


def has_lists(elts: list[ast.expr]) -> bool:
    """Whether there are lists among the items of a list display, whose items are items of it."""
    return any(isinstance(one, ast.Starred) for one in elts)


def each_written(scope: Scope, elts: list[ast.expr], visit: Visit) -> None:
    """Visit the items of a list display."""
    for one in elts:
        if isinstance(one, ast.Starred):
            each(scope, one.value, visit)
        else:
            visit(scope.expression(one))


def either_list(scope: Scope, test: ast.expr, yes: ast.expr, no: ast.expr, visit: Visit) -> None:
    """One of two lists."""
    found = condition(scope, test)
    if isinstance(found, bool):
        each(scope, yes if found else no, visit)
        return
    with scope.captured() as first:
        each(scope, yes, visit)
    with scope.captured() as second:
        each(scope, no, visit)
    scope.emit(when(found, first, second))


def each_value(scope: Scope, value: Value, visit: Visit) -> None:
    """Visit the items of a value as its list is at that moment."""
    value = listed(scope, value)
    if value.is_known:
        each_known(scope, value.known, visit)
        return
    match value.type:
        case TupleOf():
            for part in parts(value):
                visit(part)
        case ListOf(item=item) if item is not VOID:
            each_of_list(scope, value, item, visit)
        case ListOf():
            pass  # a list that cannot grow
        case DictOf():
            each_pair(scope, value, lambda pair: visit(pair[0]))
        case _:
            raise Untranslatable(f"nothing to go through: {value.type}")


def each_pair(scope: Scope, value: Value, visit: Callable[[list[Value]], None]) -> None:
    """Visit the keys of a dictionary, each with its value."""
    assert isinstance(value.type, DictOf)
    row = TupleOf((value.type.key, value.type.value))
    each_of_list(scope, value, row, lambda pair: visit(parts(pair)))


def each_known(scope: Scope, known: Any, visit: Visit) -> None:
    """Visit a known collection: numbers in a loop, anything else one by one."""
    if isinstance(known, Zones):
        counted(scope, known.low, known.high, 1, lambda slot: visit(item_of_area(scope, Area("z"), slot)))
        return
    if isinstance(known, range) and known.step == 1:
        counted(scope, of_known(known.start), of_known(known.stop), 1, visit)
        return
    items = list(known)
    if all(isinstance(one, int) for one in items) and len(items) > 1:
        if items == list(range(items[0], items[0] + len(items))):
            counted(scope, of_known(items[0]), of_known(items[-1] + 1), 1, visit)
            return
        each_of_list(scope, pointer(i32(scope.module.memory.constant(items))), INT, visit, len(items))
        return
    for one in items:
        visit(of_known(one))


def each_of_list(scope: Scope, value: Value, item: Type, visit: Visit, length: int | None = None) -> None:
    """Visit the items of a list in memory; its length is read before each, unless it is known."""
    kept = scope.temporary(value)
    at = scope.function.local("i32")
    done, again = scope.function.label("done"), scope.function.label("again")
    scope.emit(Op("local.set", at, i32(0)))
    with scope.captured() as body:
        limit = Op("i32.load", kept.code[0]) if length is None else i32(length)
        scope.emit(Op("br_if", done, Op("i32.ge_u", get_local(at), limit)))
        place = number(Op("i64.extend_i32_u", get_local(at)))
        found = scope.temporary(loaded(kept.code[0], place, item, 1))
        scope.emit(Op("local.set", at, Op("i32.add", get_local(at), i32(words(item)))))
        visit(found)
        scope.emit(Op("br", again))
    scope.emit(Op("block", done, Op("loop", again, *body)))


def counted(scope: Scope, low: Value, high: Value, step: int, visit: Visit) -> None:
    """Visit the numbers of a range, upwards or downwards."""
    stop = scope.temporary(run_time(high))
    at = scope.kept(low, INT)
    done, again = scope.function.label("done"), scope.function.label("again")
    with scope.captured() as body:
        scope.emit(Op("br_if", done, Op(f"i64.{('ge' if step > 0 else 'le')}_s", at.code[0], stop.code[0])))
        item = scope.kept(at, INT)
        scope.set(at, number(Op("i64.add", at.code[0], i64(step))))
        visit(item)
        scope.emit(Op("br", again))
    scope.emit(Op("block", done, Op("loop", again, *body)))


@contextmanager
def binding(scope: Scope, target: ast.expr) -> Iterator[Callable[[Value], None]]:
    """Bind the names of a comprehension, which are local to it."""
    names = [one.id for one in ast.walk(target) if isinstance(one, ast.Name)]
    before = {name: scope.names.pop(name) for name in names if name in scope.names}

    def bind(item: Value) -> None:
        if isinstance(target, ast.Name):
            bind_one(target.id, item)
            return
        assert isinstance(target, ast.Tuple)
        for one, part in zip(target.elts, parts(item), strict=True):
            if not isinstance(one, ast.Name):
                raise Untranslatable("tuples in tuples")
            bind_one(one.id, part)

    def bind_one(name: str, item: Value) -> None:
        if item.type in (BOOL,) or not item.code:
            set_name(scope, name, item)
        else:
            scope.names[name] = scope.temporary(item)

    yield bind
    for name in names:
        scope.names.pop(name, None)
    scope.names.update(before)


def each_of_comprehension(scope: Scope, made: ast.expr, generators: list[ast.comprehension], visit: Visit) -> None:
    """Visit the values of a comprehension."""
    first, *rest = generators

    with binding(scope, first.target) as bind:

        def inside(item: Value) -> None:
            bind(item)
            following = scope.function.label("next")
            with scope.captured() as body:
                for test in first.ifs:
                    jump(scope, test, following, False)
                if rest:
                    each_of_comprehension(scope, made, rest, visit)
                else:
                    visit(scope.expression(made))
            is_left = any(one.jumps_to(following) for one in body)
            scope.emit(*([Op("block", following, *body)] if is_left else body))

        each(scope, first.iter, inside)


# --- iterables ------------------------------------------------------------------------------------------------------------


def joined_lists(scope: Scope, args: list[ast.expr], visit: Visit) -> None:
    """Several lists, or a copy of one."""
    for one in args:
        each(scope, one, visit)


def metered_list(scope: Scope, args: list[ast.expr], visit: Visit) -> None:
    """`metered(s, a, work)`."""
    source = scope.expression(args[1])
    value = scope.temporary(
        source if source.type in (INTS,) or isinstance(source.type, ListOf) else coerced(scope, source, INTS)
    )
    work = [scope.expression(one) for one in args[2:]]
    call_function(scope, scope.look_up("metered").known, [scope.expression(args[0]), value, *work])
    is_numbers = isinstance(source.known, tuple | range) and all(isinstance(one, int) for one in source.known)
    each_value(scope, source if is_numbers else value, visit)


def numbers(scope: Scope, args: list[ast.expr], visit: Visit) -> None:
    """`range(a, b, step)`."""
    values = [scope.expression(one) for one in args]
    low, high = (of_known(0), values[0]) if len(values) == 1 else values[:2]
    step = values[2].const if len(values) == 3 else 1
    if not step:
        raise Untranslatable("a range by steps that are not known")
    counted(scope, low, high, step, visit)


def zipped(scope: Scope, args: list[ast.expr], visit: Visit) -> None:
    """`zip(a, b)` of lists of the same length."""
    values = [listed(scope, scope.expression(one)) for one in args]
    if all(value.is_known or isinstance(value.type, TupleOf) for value in values):
        for row in zip(*(parts(value) for value in values), strict=True):
            visit(tuple_of(list(row)))
        return
    kept = [
        scope.temporary(value if isinstance(value.type, ListOf) else coerced(scope, value, INTS)) for value in values
    ]
    for other in kept[1:]:
        scope.emit(trap_if(Op("i32.ne", Op("i32.load", kept[0].code[0]), Op("i32.load", other.code[0]))))
    length = number(Op("i64.extend_i32_u", Op("i32.load", kept[0].code[0])))
    counted(
        scope,
        of_known(0),
        length,
        1,
        lambda at: visit(tuple_of([loaded(one.code[0], at, item_type(one), 1) for one in kept])),
    )


def item_type(value: Value) -> Type:
    """The type of the items of a list."""
    assert isinstance(value.type, ListOf)
    return value.type.item


def numbered(scope: Scope, args: list[ast.expr], visit: Visit) -> None:
    """`enumerate(a)`."""
    place = scope.kept(number(i64(-1)))

    def inside(item: Value) -> None:
        scope.set(place, number(Op("i64.add", place.code[0], i64(1))))
        visit(tuple_of([place, item]))

    each(scope, args[0], inside)


def mapped(scope: Scope, args: list[ast.expr], visit: Visit) -> None:
    """`map(function, a)`."""
    function = ast.Call(args[0], [ast.Name("item of map", ast.Load())], [])
    each_of_comprehension(
        scope, function, [ast.comprehension(ast.Name("item of map", ast.Store()), args[1], [], 0)], visit
    )


SOURCES: dict[str, Callable[[Scope, list[ast.expr], Visit], None]] = {
    "joined": joined_lists,
    "list": joined_lists,
    "tuple": joined_lists,
    "metered": metered_list,
    "range": numbers,
    "zip": zipped,
    "enumerate": numbered,
    "map": mapped,
}


# --- lists ----------------------------------------------------------------------------------------------------------------


def gather(scope: Scope, node: ast.expr | Value) -> Value:
    """A new list of the visited values; a dictionary for a comprehension of keys and values."""
    if isinstance(node, ast.List) and not any(isinstance(one, ast.Starred) for one in node.elts):
        items = [scope.expression(one) for one in node.elts]
        if all(item.const is not None for item in items) and items:
            return pointer(Op("call", "$copied", i32(scope.module.memory.constant([item.const for item in items]))))
        if not items:
            made = scope.declare(INTS)
            new_list(scope, made, i32(6))
            return made
        return collect(scope, lambda visit: list(map(visit, items)), i32(len(items)))
    if isinstance(node, ast.List):
        return collect(scope, lambda visit: each_written(scope, node.elts, visit), i32(6))
    if isinstance(node, ast.DictComp):
        pair = ast.Tuple([node.key, node.value], ast.Load())
        source = ast.ListComp(pair, node.generators)
        return dictionary(scope, lambda visit: each(scope, source, visit))
    if isinstance(node, ast.ListComp) and (firsts := firsts_of_zones(scope, node)) is not None:
        return firsts
    if isinstance(node, ast.ListComp) and (split := last_test(scope, node)) is not None:
        generators, test = split
        pairs = ast.ListComp(ast.Tuple([node.elt, test], ast.Load()), generators)

        def visiting(visit: Taking) -> None:
            each(scope, pairs, lambda pair: visit(parts(pair)[0], condition_code(parts(pair)[1])))

        return collect(scope, visiting, i32(14))
    return collect(scope, lambda visit: each(scope, node, visit), i32(14))


def last_test(scope: Scope, node: ast.ListComp) -> tuple[list[ast.comprehension], ast.expr] | None:
    """The generators of a filter without its last test, and that test, if it is a comparison, joins light ones or chooses between
    such.

    A branch on it would often be foreseen wrongly, which takes longer than to use its result as a number.
    """
    *others, last = node.generators
    if not ("filters" not in scope.module.blueprint.without and isinstance(node.elt, ast.Name) and last.ifs):
        return None
    *tests, test = last.ifs
    if not isinstance(test, ast.Compare | ast.IfExp) and not is_light(test):
        return None
    truth = ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), test))
    return [*others, ast.comprehension(last.target, last.iter, tests, 0)], truth


def firsts_of_zones(scope: Scope, node: ast.ListComp) -> Value | None:
    """The list of the first pieces of zones that hold some and pass tests, if which zones is foreseen and all tests are sound; None
    for other lists.

    Nothing is a branch, since many would be foreseen wrongly: an empty zone gives any number, which the next overwrites. A match
    of the game that gains most takes 0.87 times as long; without the tables of addresses, 0.96 times.
    """
    match node:
        case ast.ListComp(
            elt=ast.Subscript(value=ast.BoolOp(op=ast.Or(), values=[zone, ast.Name()]), slice=ast.Constant(value=0)),
            generators=[ast.comprehension(ast.Name(id=name) as target, source, [ast.BoolOp(ast.And(), tests) as test])],
        ) if "filters" not in scope.module.blueprint.without and ast.dump(zone) in map(ast.dump, tests):
            seen = foresight(scope, name, source)
        case _:
            return None
    addresses = None if seen is None else seen.addresses(zone)
    if seen is None or addresses is None or not seen.is_sound(test):
        return None

    def visiting(visit: Taking) -> None:
        with binding(scope, target) as bind:

            def inside(item: Value) -> None:
                bind(item)
                first = loaded(as_i32(seen.by_item(addresses)), of_known(0), INT)
                visit(first, seen.code(test))

            each(scope, source, inside)

    return collect(scope, visiting, i32(len(seen.items)), is_enough=True)


def new_list(scope: Scope, made: Value, room: Op) -> None:
    """An empty list in the arena; one with a known capacity is made inline, as `$new` makes it."""
    size = room.constant
    if size is None:
        scope.set(made, pointer(Op("call", "$new", room)))
        return
    scope.set(made, pointer(Op("global.get", "$top")))
    scope.emit(Op("global.set", "$top", Op("i32.add", Op("global.get", "$top"), i32(8 + 8 * size))))
    scope.emit(when(Op("i32.gt_u", Op("global.get", "$top"), Op("global.get", "$end")), [Op("call", "$grow")]))
    scope.emit(Op("i64.store", made.code[0], i64(size << 32)))


def collect(scope: Scope, visiting: Callable[[Taking], Any], room: Op, is_enough: bool = False) -> Value:
    """A new list of the visited values, with room for some, or for all; one that comes with a test is overwritten by the next if it
    fails."""
    made = scope.declare(INTS)
    new_list(scope, made, room)
    types: list[Type] = []
    to, limit = scope.function.local("i32"), scope.function.local("i32")
    ends = Op(
        "local.set", limit, Op("i32.add", made.code[0], Op("i32.shl", Op("i32.load", "offset=4", made.code[0]), i32(3)))
    )
    scope.emit(Op("local.set", to, made.code[0]))
    scope.emit(ends)

    def visit(item: Value, holds: Op | None = None) -> None:
        value = in_list(scope, item, types)
        size = len(value.code) * 8
        used = Op("local.set", to, Op("i32.sub", get_local(to), made.code[0]))
        larger = Op(
            "local.set", made.locals[0], Op("call", "$more", made.code[0], Op("i32.add", get_local(to), made.code[0]))
        )
        moved = Op("local.set", to, Op("i32.add", get_local(to), made.code[0]))
        full = Op("i32.gt_u", Op("i32.add", get_local(to), i32(size)), get_local(limit))
        if not is_enough:
            scope.emit(when(full, [used, larger, moved, ends]))
        for place, code in enumerate(value.code):
            scope.emit(Op("i64.store", f"offset={8 + 8 * place}", get_local(to), code))
        step = i32(size) if holds is None else Op("i32.mul", holds, i32(size))
        scope.emit(Op("local.set", to, Op("i32.add", get_local(to), step)))

    visiting(visit)
    filled = Op("i32.shr_u", Op("i32.sub", get_local(to), made.code[0]), i32(3))
    scope.emit(Op("i32.store", made.code[0], filled))
    return Value(ListOf(types[0] if types else VOID), made.code)


def in_list(scope: Scope, item: Value, types: list[Type]) -> Value:
    """An item as 64-bit words; the first one decides the type of all."""
    is_tuple = isinstance(item.type, TupleOf) or (item.is_known and bool(types) and isinstance(types[0], TupleOf))
    value = as_words(scope, item, is_tuple)
    if not types:
        types.append(value.type)
    elif types[0] != value.type:
        raise Untranslatable(f"a list of {types[0]} and of {value.type}")
    return value


def as_words(scope: Scope, item: Value, is_tuple: bool) -> Value:
    """A number, a list or a tuple, nested ones too, with 64 bits for each number and list."""
    if is_tuple:
        return side_by_side([as_words(scope, part, isinstance(part.type, TupleOf)) for part in parts(item)])
    if item.is_known and isinstance(item.known, tuple | list):
        item = coerced(scope, item, INTS)
    made = run_time(item)
    if made.type is FLOAT or made.type is VOID:
        raise Untranslatable(f"a list of {made.type}")
    return Value(INTS, (Op("i64.extend_i32_u", made.code[0]),)) if isinstance(made.type, ListOf) else made


def flattened(item: Value) -> list[Value]:
    return [inner for part in parts(item) for inner in (flattened(part) if isinstance(part.type, TupleOf) else [part])]


def dictionary(scope: Scope, visiting: Callable[[Visit], Any]) -> Value:
    """A dictionary of the visited pairs: of equal keys the last counts."""
    made = scope.kept(pointer(Op("call", "$new", i32(12))))
    found: list[tuple[Type, Type]] = []

    def visit(pair: Value) -> None:
        key, value = parts(pair)
        keys: list[Type] = []
        rows = (in_list(scope, key, keys), in_list(scope, value, []))
        for row in rows:
            for code in row.code:
                scope.set(made, pointer(Op("call", "$push", made.code[0], code)))
        found.append((keys[0], rows[1].type))
        width, size = words(keys[0]) + words(rows[1].type), words(keys[0])
        is_listed = int(isinstance(keys[0], ListOf))
        if (width, size, is_listed) == (2, 1, 0):
            scope.emit(Op("call", "$settle_pair", made.code[0]))
        else:
            scope.emit(Op("call", "$settle", made.code[0], i32(width), i32(size), i32(is_listed)))

    visiting(visit)
    key, value = found[0] if found else (INT, INT)
    return Value(DictOf(key, value), made.code)


def listing(scope: Scope, node: ast.expr) -> Value:
    return in_block(scope, lambda: gather(scope, node))


EXPRESSIONS |= {ast.List: listing, ast.ListComp: listing, ast.GeneratorExp: listing, ast.DictComp: listing}
