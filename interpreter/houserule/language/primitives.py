"""The primitive operators of the checked tree: arithmetic, conditions and lists are expressed in them.

An operator is known by its identity. Its text in a target language is in a column of its own, which only the emitter
for that target reads.
"""

from __future__ import annotations

from houserule.frozen import frozen


@frozen
class Operator:
    """The operator of an `Apply`.

    `python` is its text in Python: `{0}`, `{1}` … stand for the arguments, `{*}` for all of them, `{s}` for the state.
    `lazy` says that some arguments are evaluated only when they are needed, `reads_state` that the result depends on the
    state beyond the arguments. `gathers` is how a list is reduced, so that a short one can be unrolled: `or`, `nor`,
    `and`, `count`, `sum`. `keeps_some` says that the result of a nonempty list is not empty either.
    `unwatched` is the text of a verb when no event is recorded, no trigger waits for it and no zone can be full.
    `work` are the numbers of the arguments that it iterates over in full, -1 for its result, which counts as work: `each` is
    that of one element, in sixteenths of a unit.
    """

    name: str
    python: str
    lazy: bool = False
    reads_state: bool = False
    gathers: str = ""
    keeps_some: bool = False
    unwatched: str = ""
    work: tuple[int, ...] = ()
    each: int = 2


NEGATE = Operator("negate", "(-{0})")
ARITHMETIC = {sign: Operator(sign, f"({{0}} {sign} {{1}})") for sign in ("+", "-", "*", "//", "%")}
ADD, SUBTRACT = ARITHMETIC["+"], ARITHMETIC["-"]

NOT = Operator("not", "(not {0})")
AND = Operator("and", "({0} and {1})", lazy=True)
OR = Operator("or", "({0} or {1})", lazy=True)
OR_NOT = Operator("or not", "({0} or not {1})", lazy=True)
CONDITIONAL = Operator("if else", "({0} if {1} else {2})", lazy=True)
COMPARISONS = {
    sign: Operator(sign, f"({{0}} {sign} {{1}})", work=(1,) if sign.endswith("in") else (0, 1), each=8)
    for sign in ("==", "!=", "<", "<=", ">", ">=", "in", "not in")
}
EQUAL, NOT_EQUAL, LESS, GREATER = (COMPARISONS[sign] for sign in ("==", "!=", "<", ">"))
PRESENT = Operator("present", "({0} >= 0)")
"""Whether a member, piece or player is not none."""
PRESENT_NUMBER = Operator("present number", "({0} != {1})")
"""Whether a number differs from the second argument, which represents none."""
SURE = Operator("sure", "sure({0}, {1})")
"""A value that differs from the second argument, which represents none; otherwise a fault."""
WITHIN = Operator("within", "({1} <= {0} < {2})")
"""Whether a number is at least the second argument and less than the third."""
INSIDE = Operator("inside", "inside({0}, {1}, {2}, {3})")
"""The number itself; a fault if it is outside the two bounds and is not the last argument."""

SPAN = Operator("span", "span({0}, {1})")
"""The integers from the first argument to the second."""
JOINED = Operator("joined", "joined({0}, {1})", work=(0, 1))
WITHOUT = Operator("without", "without({0}, {1})", work=(0, 1), each=48)
DISTINCT = Operator("distinct", "distinct({0})", keeps_some=True, work=(0,), each=24)
ITEM = Operator("item", "item({0}, {1}, {2})")
"""The item at a position counted from 1; the last argument if there is none."""
AT = Operator("at", "{0}[{1}]")
"""The item at a position counted from 0, which exists."""
LENGTH = Operator("length", "len({0})")
ANY_LIE = Operator("any lie", "(len({0}) > 0)")
"""Whether a list is not empty."""
SNAPSHOT = Operator("snapshot", "{0}[:]", work=(0,))
"""A copy of a pile as it is now."""
AS_LIST = Operator("as list", "list({0})", work=(0,))
LIVE = Operator("live", "{0}")
"""A value that is not copied: a pile is read in place."""
ALONE = Operator("alone", "[{0}]")
"""A list of one."""
PAIR = Operator("pair", "({0}, {1})")
PACKED = Operator("packed", "({0} * {3} + {1} - {2})")
"""The number of a tuple (`types.Tuple`), from that of its beginning, the next part, its least value, and its number of values."""
UNPACKED = Operator("unpacked", "({0} // {1} % {2} + {3})")
"""A part of such a number: the number, the weight of the part, its number of values, its least value."""
CHAINED = Operator("chained", "chained({0})")
"""Lists joined in order."""
IN_ORDER = Operator("in order", "in_order({0})", work=(0,), each=80)
"""The values of a list of pairs of key and value, sorted by key."""
CELL = Operator("cell", "cell_of({0}, {1}, {2}, {3})")
"""The piece at the indices of a product: flat cells, least indices, sizes, indices."""
TOTAL = Operator("total", "sum({0})", gathers="sum", work=(0,), each=6)

SEATING = Operator("seating", "SEATING[{0}]")
"""All players in seat order, beginning with one."""
OPPONENTS = Operator("opponents", "OPPONENTS[{0}]")
"""All players but one, in the same order."""
WINNERS = Operator("winners", "WINNERS({s})", reads_state=True)
POINTS = Operator("points", "POINTS({s}, {0})", reads_state=True)
IDLE = Operator("idle", "({0} not in {s}.running)", reads_state=True)
"""Whether a trigger, by its number, is not running."""

MARKED = Operator("marked", "(mark({s}, {0}) or {1})", lazy=True, reads_state=True)
"""The second argument, after marking the probe whose number is the first."""
WAY = Operator("way", "way({s}, {0}, {1}, {2})", reads_state=True)
"""A condition that marks one of two probes, by its outcome."""

MARK = Operator("mark", "mark({s}, {0})")
PASS = Operator("pass", "passed({s})")
"""Counts a pass of a loop that may ask."""
DRAIN = Operator("drain", "({s}.queue and drain({s}))")
"""Runs the waiting triggers that ask nobody."""
BEGIN = Operator("begin", "{s}.begin({0})")
END = Operator("end", "{s}.end()")
"""A trigger, by its number, begins or ends."""
