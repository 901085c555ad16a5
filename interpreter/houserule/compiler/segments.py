"""Compiles rules that ask into segments: numbered functions that run from one question to the next.

Statements become a graph of blocks (`cutting`), and their locals get places in a frame (`frames`). Each block that is
resumed, looped to or joined heads a function; the others are emitted into their predecessor's function (`segment_writer`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from houserule.compiler.blocks import (
    GAME_OVER,
    Block,
    Call,
    Cutter,
    Everyone,
    Finish,
    Fork,
    Goto,
    Terminator,
    blocks_from,
    find_live,
    frame_slots,
    pieces_and_lists,
)
from houserule.compiler.emitter import Emitter
from houserule.compiler.segment_writer import SegmentWriter
from houserule.compiler.sharing import final_segments
from houserule.diagnostics import Span
from houserule.language.checked import Body, Perform, Routine, Site
from houserule.language.symbols import SymbolTable
from houserule.language.types import NoValue

MANY = 100
"""Blocks of one routine, beyond which their lengths are found before any of them is written."""


@dataclass(slots=True, eq=False)
class Segment:
    """One function of the program, and what is known of it; `emit` makes it."""

    number: int
    span: Span
    emit: Callable[[], ast.FunctionDef] | None
    owner: str

    @property
    def name(self) -> str:
        return f"s{self.number}"


class Segmenter:
    """Makes the segments of all routines that ask, and of the flow. One numbering covers the whole program."""

    def __init__(self, emitter: Emitter, symbols: SymbolTable, sites: Sequence[Site], restartable: bool) -> None:
        self.emitter = emitter
        self.cutter = Cutter(emitter, symbols, restartable)
        self.segments: list[Segment] = []
        self.written: list[Segment] = []  # those that are no longer only reserved, in the order of the rules
        self.entries: dict[Routine, int] = {}
        self.writer = SegmentWriter(emitter, self.entries, sites)
        self.frames: dict[Routine | None, int] = {}  # their sizes; of the flow under None
        self.held: dict[int, tuple[int, ...]] = {}  # by segment: the live places in the frame that hold pieces
        self.lists: dict[int, frozenset[str]] = {}  # by segment: the locals that are lists
        self.final: set[int] = set()  # segments of a together that only write, and run at the merge
        self.gives_result = False  # whether the current routine has a result

    def routine(self, routine: Routine, owner: str) -> None:
        """Make the segments of one routine that asks; `owner` is its rule."""
        head = Block(routine.span, heads=True)
        last = self.cutter.build(self.emitter.body_of(routine), head, {}, 0)
        if last is not None:
            last.end = Finish(None, 0)
        names = ["0return", "me", "this", *(p.name or f"0parameter{i}" for i, p in enumerate(routine.parameters))]
        self.gives_result = not isinstance(routine.result, NoValue)
        self.write(head, names, owner, self.entries[routine], routine)

    def flow(self, body: Body, span: Span) -> int:
        """Make the segments of the flow; returns the number of the first."""
        head = Block(span, heads=True)
        last = self.cutter.build(body, head, {}, GAME_OVER)
        if last is not None:
            last.end = Finish(None, GAME_OVER)
        entry = self.reserve()
        self.write(head, ["0return", "me", "this"], "flow", entry, None)
        return entry

    def reserve(self) -> int:
        """A number for a segment that is emitted later."""
        self.segments.append(Segment(len(self.segments), Span(""), None, ""))
        return len(self.segments) - 1

    def plan(self, routines: Iterable[Routine]) -> None:
        """Number the entries of all routines that ask, so that they can call each other."""
        for routine in routines:
            self.entries[routine] = self.reserve()

    def write(self, head: Block, names: list[str], owner: str, entry: int, key: Routine | None) -> None:
        """Plan the functions of the graph from a head."""
        self.shorten(head)
        head = head.destination()
        head.heads = head.begins = True
        blocks = blocks_from(head)
        for block in blocks:
            for other in block.next():
                other.comes_from += 1
                if other.span.file != block.span.file:
                    other.heads = True
        find_live(blocks)
        for block in blocks:
            if block.comes_from > 1 and not block.only_ends():
                block.heads = True
        slots = frame_slots(names, blocks)
        self.frames[key] = len(slots)
        head.number = entry
        for block in blocks:
            if block.heads and block.number < 0:
                block.number = self.reserve()
        if len(blocks) > MANY:
            self.writer.measure(head)
        pieces, lists = pieces_and_lists(blocks)
        for block in blocks:
            if block.heads:
                self.held[block.number] = tuple(sorted(slots[name] for name in block.live & pieces))
                self.lists[block.number] = lists
                segment = self.segments[block.number]
                segment.span, segment.owner = block.span, owner
                segment.emit = partial(self.writer.function, block, slots, owner)
                self.written.append(segment)
        self.final |= final_segments(self.emitter, blocks)

    def shorten(self, head: Block) -> None:
        """Jump threading: replace jumps to a block that only forwards by jumps to its target."""
        for block in blocks_from(head):
            match block.end:
                case Goto(to):
                    block.end = Goto(to.destination())
                case Fork(test, yes, no):
                    block.end = Fork(test, yes.destination(), no.destination())
                case Call(invoke, then):
                    onward = then.destination()
                    if onward.only_ends() and self.may_be_last(invoke, onward.end):
                        block.end = Call(invoke, onward, last=True)
                    else:
                        block.end = Call(invoke, resumed(onward))
                case Everyone(together, inside, then):
                    block.end = Everyone(together, inside, resumed(then.destination()))
                case _:
                    pass

    def may_be_last(self, invoke: Perform, end: Terminator | None) -> bool:
        """Whether a callee can return to the caller's caller: nobody needs its result, and calls stay counted."""
        if "last_calls" in self.emitter.without or not isinstance(end, Finish) or end.outcome != 0 or self.gives_result:
            return False
        return not any(callee.recursive for callee in invoke.callees)


def resumed(block: Block) -> Block:
    """A block where execution resumes: it heads a function."""
    block.heads = True
    return block
