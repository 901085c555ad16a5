"""Compiles rules that ask into segments: numbered functions that run from the block at their head to the next question.

A block with one predecessor is emitted into that one's function. In the quiet program, so are the blocks after a
question that chance may answer (tail duplication), and short blocks after each predecessor.

Statements become a graph of blocks, and their locals get places in a frame (`blocks`). Each block that is resumed, looped
to or joined heads a function; the others are emitted into their predecessor's function.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from houserule.compiler import questions
from houserule.compiler.blocks import (
    ASK,
    DONE,
    GAME_OVER,
    PAUSED,
    Block,
    Call,
    Cutter,
    Drain,
    Everyone,
    Finish,
    Fork,
    Goto,
    Question,
    Still,
    Terminator,
    blocks_from,
    find_live,
    frame_slots,
    pieces_and_lists,
    sets_of,
    uses_and_sets,
)
from houserule.compiler.emitter import Emitter, names_in, plain_function, run_together
from houserule.compiler.expressions import as_condition, expression
from houserule.compiler.questions import SITE, can_be_packed, counted_sites
from houserule.compiler.sharing import final_segments, only_writes_last
from houserule.compiler.statements import one_statement, sentence
from houserule.compiler.work import SOME
from houserule.diagnostics import Span
from houserule.language.checked import Ask, Body, Constant, Perform, Race, Routine, Site
from houserule.language.symbols import SymbolTable
from houserule.language.types import NoValue
from houserule.operations.fuel import ANSWERED, GRAINS

MOST_IN_PLACE = 3
"""The most questions in a row that chance answers in one function."""
MANY_SITES = 400
"""The questions beyond which none is answered in place by chance, nor followed by a copy of what comes next: each would be written four times."""
ARRIVED = 100
"""The grains of coming to a segment."""
SHORT = 20
"""The most blocks and statements of code that is duplicated."""
LINES_IN_ONE = 4
"""The lines of a menu that count as one statement with their question."""


class SegmentWriter:
    """Emits one function after another: the block at its head and those that it dominates."""

    def __init__(self, emitter: Emitter, entries: dict[Routine, int], sites: Sequence[Site]) -> None:
        self.emitter = emitter
        self.entries = entries
        self.numbers = {site: number for number, site in enumerate(sites)}
        self.about = counted_sites(sites, emitter.symbols)[1] if emitter.watched else {}
        self.asked_at: dict[int, int] = {}  # by site: the segment that asks
        self.together_at: dict[int, tuple[Span, str]] = {}  # by the following segment: its place and rule
        # State of the current function:
        self.by_chance = True  # whether chance answers its questions
        self.slots: dict[str, int] = {}
        self.owner = ""
        self.head = -1
        self.loop: Block | None = None  # the head of the innermost enclosing loop
        self.around: list[Block] = []  # the blocks that head enclosing code
        self.fixed: dict[int, tuple[int, ...]] = {}  # by site, in a watched program: its constant options
        self.in_place = 0  # how many enclosing questions chance has answered
        self.in_part = False  # whether the part of a `together` is emitted as the pass of a loop
        self.lengths: dict[Block, int] = {}  # of blocks at a head

    def function(self, head: Block, slots: dict[str, int], owner: str, by_chance: bool = True) -> ast.FunctionDef:
        """The function that begins at a block, with its locals loaded from the frame; `owner` is the rule.

        Where people answer, it ends at its first question: what follows is emitted once, and only if it is run.
        """
        self.slots, self.owner, self.by_chance = slots, owner, by_chance
        emitter = self.emitter
        emitter.file = head.span.file
        self.head = head.number
        self.around, self.in_place = [head], 0
        touched: set[str] = set()
        blocks = list(self.tree(head))
        for block in blocks:
            uses, sets = uses_and_sets(block)
            touched |= uses | sets
        body = self.headed(head, frozenset())
        emitter.at(head.span)
        loads: list[ast.stmt] = []
        for name in sorted(head.live & touched, key=lambda n: self.slots[n]):
            held = emitter.subscript(emitter.name("frame"), emitter.number(self.slots[name]))
            loads.append(emitter.assign(self.local(name), held))
        used = names_in(body)
        if loads or "frame" in used:
            loads = emitter.lines("frame = s.frames[-1]") + loads
        return plain_function(emitter, f"s{head.number}", ["s"], [*loads, *body], head.span, used)

    def local(self, name: str) -> str:
        return f"l_{name}"

    def work(self, block: Block) -> int:
        """The work of a block that is not counted otherwise, and of coming there."""
        work = self.emitter.work
        ends = [getattr(block.end, name, None) for name in ("test", "ask", "invoke", "value")]
        own = work.of(ends) + (ARRIVED if block.heads else 0)
        return own + work.of_several(block.statements, own + (ANSWERED * GRAINS if block.answer else 0))

    def longest(self, block: Block) -> int:
        """The most work of the blocks on a way from here through the function, without what is counted by itself."""
        own = self.work(block)
        ways = [self.longest(other) for other in self.emitted_after(block) if not self.loops_to(other)]
        return (own if own <= SOME else 0) + max(ways, default=0)

    def tree(self, block: Block) -> Iterator[Block]:
        """The blocks emitted after a block, itself first; duplicates included."""
        yield block
        for other in self.emitted_after(block):
            yield from self.tree(other)

    def emitted_after(self, block: Block) -> Iterator[Block]:
        """The blocks emitted after a block; while one of them is in hand, what may follow it is known."""
        asks = isinstance(block.end, Question)
        for other in self.next_here(block):
            if self.stands_here(other, block):
                self.around.append(other)
                self.in_place += asks
                yield other
                self.in_place -= asks
                self.around.pop()

    def next_here(self, block: Block) -> list[Block]:
        """The blocks where a function can continue after a block without returning."""
        match block.end:
            case Goto() | Fork():
                return block.next()
            case Question(Ask() as ask, then) if self.is_answered_in_place(ask):
                return [then]
            case Everyone() as end if self.parts_stand_here(end):
                return [end.inside, end.then]
        return []

    def parts_stand_here(self, everyone: Everyone) -> bool:
        """Whether the parts of a `together` are a Python loop when chance answers.

        The parts share the state, are emitted whole, and leave nothing in locals that the next part or later code reads.
        """
        is_off = not self.by_chance or not self.emitter.without.isdisjoint({"parts", "answering"})
        if is_off or self.in_part or not only_writes_last(self.emitter, everyone):
            return False
        outside = self.around, self.in_place, self.in_part
        self.around, self.in_place, self.in_part = [everyone.inside], 0, True
        parts = list(self.tree(everyone.inside))
        whole = all(self.is_written_whole(block) for block in parts)
        self.around, self.in_place, self.in_part = outside
        left = sets_of([statement for block in parts for statement in block.statements])
        left |= {block.answer for block in parts if block.answer}
        return whole and not left & (everyone.inside.live | everyone.then.live)

    def is_written_whole(self, block: Block) -> bool:
        """Whether all successors of a block of a part are emitted after it, up to the end of the part."""
        match block.end:
            case Goto() | Fork():
                return all(self.stands_here(other, block) and not is_loop(other) for other in block.next())
            case Question(Ask() as ask, _):
                return self.can_be_drawn(ask.site)
            case Finish():
                return True
        return False

    def can_be_drawn(self, site: Site) -> bool:
        return site.kind != "several" or site not in self.emitter.secrets.always_put

    def is_answered_in_place(self, ask: Ask) -> bool:
        is_off = not self.by_chance or len(self.numbers) > MANY_SITES or "answering" in self.emitter.without
        return not is_off and self.can_be_drawn(ask.site) and (self.in_part or self.in_place < MOST_IN_PLACE)

    def stands_here(self, block: Block, before: Block) -> bool:
        """Whether a block is emitted after its predecessor."""
        if not block.heads or block.only_ends() or isinstance(before.end, Question):
            return True
        if isinstance(before.end, Everyone) and block is before.end.inside:
            return True
        is_off = not self.by_chance or len(self.numbers) > MANY_SITES or "tails" in self.emitter.without
        if is_off or block in self.around or block.span.file != before.span.file:
            return False
        return self.length(block) <= SHORT

    def length(self, head: Block) -> int:
        """How many blocks, statements and lines of long menus a head emits."""
        if head not in self.lengths:
            self.lengths[head] = SHORT  # while it is being counted, so that a cycle ends
            outside = self.around, self.in_place
            self.around, self.in_place = [*self.around, head], 0
            self.lengths[head] = sum(1 + len(block.statements) + lines_of(block) for block in self.tree(head))
            self.around, self.in_place = outside
        return self.lengths[head]

    def measure(self, head: Block) -> None:
        """Find the lengths of all heads from one on, those that follow first: each would call itself for the next."""
        begun: set[Block] = set()
        waiting = [(head, False)]
        while waiting:
            block, is_left = waiting.pop()
            if is_left:
                self.lengths.pop(block)
                self.length(block)
            elif block not in begun:
                begun.add(block)
                if block.heads:
                    self.lengths[block] = SHORT + 1  # until then: what jumps back to it does not continue with it
                    waiting.append((block, True))
                waiting += [(other, False) for other in block.next()]

    def loops_to(self, head: Block) -> bool:
        """Whether a block is emitted as a loop, as what follows it here jumps back to it."""
        # All of it first: what follows a block is known only in its turn.
        tree = list(self.tree(head)) if head.heads else []
        return any(head in self.next_here(block) for block in tree if not isinstance(block.end, Question))

    def headed(self, head: Block, dirty: frozenset[str], answer: ast.expr | None = None) -> list[ast.stmt]:
        """A block and what follows it; a Python loop if that jumps back to it."""
        is_loop = self.loops_to(head)
        charge: list[ast.stmt] = []
        if is_loop or head.number == self.head:
            self.emitter.at(head.span)
            charge = self.emitter.charge(self.longest(head), is_again=is_loop or head.begins)
        if not is_loop:
            return [*charge, *self.block(head, dirty, answer)]
        # Any pass may have assigned what the next one saves.
        dirty = dirty.union(*(uses_and_sets(block)[1] | sets_of(block.statements) for block in self.tree(head)))
        outside, self.loop = self.loop, head
        body = [*charge, *self.block(head, dirty, answer)]
        self.loop = outside
        self.emitter.at(head.span)
        return [ast.While(self.emitter.number(1), body, [], **self.emitter.where)]

    def block(self, block: Block, dirty: frozenset[str], answer: ast.expr | None = None) -> list[ast.stmt]:
        """A block and what follows it; `dirty` are locals assigned since the head, `answer` is the incoming answer."""
        emitter = self.emitter
        found: list[ast.stmt] = []
        if block.answer:
            emitter.at(block.span)
            value = answer or emitter.attribute("answer")
            if not (isinstance(value, ast.Name) and value.id == self.local(block.answer)):
                found.append(emitter.assign(self.local(block.answer), value))
            dirty |= {block.answer}
        work = self.work(block)
        if work > SOME:
            emitter.at(block.span)
            found += emitter.charge(work, is_again=False)
        for statement in block.statements:
            found += one_statement(emitter, statement)
            dirty |= sets_of(statement)
        return found + self.ending(block, dirty)

    def save(self, to: Block, dirty: frozenset[str]) -> list[ast.stmt]:
        emitter = self.emitter
        wanted = sorted((to.live & dirty), key=lambda n: self.slots[n])
        places = (emitter.subscript(emitter.name("frame"), emitter.number(self.slots[n]), True) for n in wanted)
        return [emitter.assign(place, emitter.name(self.local(n))) for place, n in zip(places, wanted, strict=True)]

    def leave(self, number: int) -> ast.stmt:
        return self.emitter.returned(self.emitter.number(number))

    def go(self, to: Block, before: Block, dirty: frozenset[str]) -> list[ast.stmt]:
        """Continue at a block: emit it here, continue the loop, or return its number."""
        if self.stands_here(to, before):
            self.around.append(to)
            found = self.headed(to, dirty) if to.heads else self.block(to, dirty)
            self.around.pop()
            return found
        self.emitter.at(to.span)
        if to is self.loop:
            return [ast.Continue(**self.emitter.where)]
        return [*self.save(to, dirty), self.leave(to.number)]

    def ending(self, block: Block, dirty: frozenset[str]) -> list[ast.stmt]:
        emitter = self.emitter
        emitter.at(block.span)
        end = block.end
        match end:
            case Goto(to):
                return self.go(to, block, dirty)
            case Fork(test, yes, no):
                test = emitter.fold(test)
                if isinstance(test, Constant):
                    return self.go(yes if test.value else no, block, dirty)
                condition = as_condition(emitter, test)
                here = dict(emitter.where)
                a, b = self.go(yes, block, dirty), self.go(no, block, dirty)
                return [ast.If(condition, a, [], **here), *b]
            case Question(Ask() as ask, then):
                return self.ask(ask, then, dirty)
            case Question(Race() as race, then):
                return self.race(race, then, dirty)
            case Call(invoke, then, last):
                return self.call(invoke, then, dirty, last)
            case Everyone(together, inside, then):
                people = expression(emitter, together.source)
                emitter.at(together.span)
                saved = self.save(inside, dirty) + self.save(then, dirty)
                slot = self.slots.get(together.binder, -1)
                shared = only_writes_last(emitter, end)
                self.together_at[then.number] = (together.span, self.owner)
                numbers = map(emitter.number, (inside.number, slot, then.number, int(shared)))
                forked = emitter.returned(emitter.call("fork", emitter.name("s"), people, *numbers))
                return [*self.parts_in_turn(end, block, dirty), *saved, forked]
            case Drain(then):
                return [*self.save(then, dirty), *emitter.lines(f"return drain_asking(s, {then.number})")]
            case Still(then):
                return [*self.save(then, dirty), *emitter.lines(f"s.pc = {then.number}"), self.leave(PAUSED)]
            case Finish(value, outcome):
                if outcome == DONE and self.in_part:
                    return [ast.Continue(**emitter.where)]
                if outcome != 0:
                    return [self.leave(outcome)]
                result = expression(emitter, value) if value is not None else emitter.number(-1)
                return emitter.lines("s.answer = {0}\nreturn s.frames.pop()[0]", result)
        raise AssertionError(end)

    def ask(self, ask: Ask, then: Block, dirty: frozenset[str]) -> list[ast.stmt]:
        """Compute the options; ask, or continue if there are none."""
        emitter, site = self.emitter, ask.site
        number = self.numbers[site]
        self.asked_at[number] = self.head
        offered: list[ast.stmt] = [emitter.assign("o", questions.options(emitter, ask))]
        found = [*offered]
        if site.kind == "several":
            found.append(emitter.assign("b", questions.bounds(emitter, ask, emitter.name("o"))))
        if self.is_answered_in_place(ask):
            answered = self.answered_in_place(ask, then, dirty)
            before, after = ([], offered) if self.is_drawn(ask) and questions.fixed_options(ask) else (found, [])
            if self.in_part:
                return [*before, *answered]
            emitter.at(ask.span)
            found = [*before, emitter.branch(emitter.line("s.chances > 0"), answered), *after]
        chooser = expression(emitter, ask.chooser)
        emitter.at(ask.span)
        put: list[ast.stmt] = [
            *self.save(then, dirty),
            *emitter.lines(
                f"s.site = {{0}}\ns.asker = {{1}}\ns.options = o\ns.pc = {then.number}", self.counted_as(ask), chooser
            ),
        ]
        nothing, test = questions.no_answer(emitter, ask), questions.may_be_asked(emitter, ask)
        if site.kind == "several":
            put.insert(0, emitter.set_attribute("bounds", emitter.name("b")))
        if emitter.told:
            put += self.told_parts(ask)
        put.append(self.leave(ASK))
        if questions.is_always_asked(emitter, ask):
            return [*found, *put]
        emitter.at(ask.span)
        skip = [emitter.set_attribute("answer", nothing), *self.save(then, dirty), self.leave(then.number)]
        return [*found, emitter.branch(test, put), *skip]

    def is_drawn(self, ask: Ask) -> bool:
        """Whether one of the options is drawn here, without a call."""
        is_off = self.emitter.watched or "drawing" in self.emitter.without
        may_draw_nothing = ask.site.may_pass or ask.site in self.emitter.secrets.always_put
        return ask.site.kind != "several" and not may_draw_nothing and not is_off

    def answered_in_place(self, ask: Ask, then: Block, dirty: frozenset[str]) -> list[ast.stmt]:
        """In random play, chance answers and the function continues."""
        emitter = self.emitter
        emitter.at(ask.span)
        s, options, nothing = emitter.name("s"), emitter.name("o"), emitter.number(questions.nothing(ask))
        if ask.site.kind == "several":
            name, given = "selected", [s, options, emitter.name("b"), emitter.number(int(ask.site.may_pass))]
        elif ask.site in emitter.secrets.always_put:
            name, given = "drawn_anyhow", [s, options, nothing, emitter.number(int(ask.site.may_pass))]
        else:
            name, given = "drawn_or_passed" if ask.site.may_pass else "drawn", [s, options, nothing]
        if emitter.watched:
            fixed, number = questions.fixed_options(ask), self.numbers[ask.site]
            is_about = ask.site in self.about
            if fixed and name == "drawn" and not is_about and can_be_packed(fixed, emitter.symbols.players):
                self.fixed[number] = fixed
                name, counted_as = "drawn_of_fixed", emitter.number(number << SITE)
            else:
                name, counted_as = f"{name}_watched", self.counted_as(ask)
            given += [counted_as, expression(emitter, ask.chooser)]
            emitter.at(ask.span)
        counted: list[ast.stmt] = []
        if self.is_drawn(ask):  # most questions of a match are answered this way
            counted = emitter.lines("s.chances -= 1\ns.passes = 0")
            made = self.any_option(ask)
            if not questions.is_never_empty(ask):
                target = self.local(then.answer or "0answer")
                some = [*counted, emitter.assign(target, made)]
                counted = [emitter.branch(options, some, [emitter.assign(target, nothing)])]
                made = emitter.name(target)
        else:
            made = emitter.call(name, *given)
            if questions.is_counted(emitter, ask.site):
                test = questions.may_be_asked(emitter, ask)
                made = emitter.either(test, made, questions.no_answer(emitter, ask))
        somebody = emitter.watched or questions.is_somebody(ask.chooser)
        asked = [] if somebody else [emitter.do(expression(emitter, ask.chooser))]
        self.in_place += 1
        self.around.append(then)
        onward = self.headed(then, dirty, made)
        self.around.pop()
        self.in_place -= 1
        return [*asked, *counted, *onward]

    def counted_as(self, ask: Ask) -> ast.expr:
        """The number of a question; in a watched program, it says what the question is about as well."""
        emitter, known = self.emitter, questions.about(ask.site, self.emitter.symbols)
        if ask.site not in self.about or known is None:
            return emitter.number(self.numbers[ask.site])
        first = emitter.number(self.about[ask.site] - known.things.start)
        thing = expression(emitter, known.thing)
        emitter.at(ask.span)
        return emitter.line("{0} + {1}", first, thing)

    def any_option(self, ask: Ask) -> ast.expr:
        """One of the options in `o`, all equally likely; constant ones are counted here."""
        fixed = questions.fixed_options(ask)
        if not fixed:
            return self.emitter.line("o[floor(s.chance() * len(o))]")
        place = self.emitter.line(f"floor(s.chance() * {len(fixed)})")
        return place if fixed == (*range(len(fixed)),) else self.emitter.subscript(self.emitter.value(fixed), place)

    def parts_in_turn(self, everyone: Everyone, block: Block, dirty: frozenset[str]) -> list[ast.stmt]:
        """In random play, run the parts of a `together` that share the state in order, where possible."""
        if not self.parts_stand_here(everyone):
            return []
        emitter = self.emitter
        people = expression(emitter, everyone.together.source)
        emitter.at(everyone.together.span)
        here = dict(emitter.where)
        players = emitter.call("each_once", people)
        self.in_part = True
        self.around.append(everyone.inside)
        part = self.block(everyone.inside, dirty)
        self.around.pop()
        self.in_part = False
        loop = ast.For(ast.Name(self.local(everyone.together.binder), ast.Store(), **here), players, part, [], **here)
        return [ast.If(emitter.line("s.chances > 0"), [loop, *self.go(everyone.then, block, dirty)], [], **here)]

    def told_parts(self, ask: Ask) -> list[ast.stmt]:
        """The values in the prompt and in the labels, for front ends."""
        emitter, site = self.emitter, ask.site
        sentences = [(site.raw, site.parts), *site.labels]
        if not site.values and not any(not isinstance(p, str) for _, parts in sentences for p in parts):
            return [emitter.set_attribute("said", emitter.tuple_of([]))]
        values = [
            emitter.tuple_of([expression(emitter, listed) for listed in site.values[number - 1]])
            if number and number <= len(site.values) and site.has_values(number - 1)
            else sentence(emitter, raw, parts)[1]
            for number, (raw, parts) in enumerate(sentences)
        ]
        emitter.at(ask.span)
        return [emitter.set_attribute("said", emitter.tuple_of(values))]

    def race(self, race: Race, then: Block, dirty: frozenset[str]) -> list[ast.stmt]:
        """Ask everybody who may slap at once."""
        emitter = self.emitter
        number = self.numbers[race.site]
        self.asked_at[number] = self.head
        entrants = expression(emitter, race.entrants)
        must = expression(emitter, race.must)
        emitter.at(race.span)
        return [
            *emitter.lines("o = list({0})", entrants),
            *self.save(then, dirty),
            *emitter.lines(f"s.site = {number}\ns.options = o\ns.must = {{0}}", must),
            *emitter.lines("s.slapped = []\ns.declined = []\ns.said = ()\ns.answer = []"),
            *emitter.lines(f"s.pc = {then.number}\nreturn {{0}} if o else {then.number}", emitter.number(ASK)),
        ]

    def call(self, invoke: Perform, then: Block, dirty: frozenset[str], last: bool) -> list[ast.stmt]:
        """Call something that asks: push a frame, or replace this one in a tail call."""
        emitter = self.emitter
        arguments = [expression(emitter, a) for a in invoke.arguments]
        me = expression(emitter, invoke.me) if invoke.me is not None else emitter.number(-1)
        emitter.at(invoke.span)
        saved = [] if last else self.save(then, dirty)
        back = emitter.line("frame[0]") if last else emitter.number(then.number)
        frame = [back, me, emitter.number(-1), *arguments]
        if invoke.action is not None:
            entry = self.entries[invoke.action]
            if not invoke.action.recursive:
                full = emitter.list_of([*frame, emitter.spread(emitter.name(f"ROOM_{entry}"))])
                if last:
                    return [*emitter.lines("s.frames[-1] = {0}", full), self.leave(entry)]
                return [*saved, emitter.do(emitter.line("s.frames.append({0})", full)), self.leave(entry)]
            made = emitter.call("enter", emitter.name("s"), emitter.number(entry), emitter.list_of(frame))
        else:
            assert invoke.effect is not None and invoke.of is not None
            of = expression(emitter, invoke.of)
            emitter.at(invoke.span)
            if last:
                saved = emitter.lines("s.frames.pop()")
            table = emitter.name(f"S_{run_together(invoke.effect.kind, invoke.effect.name)}")
            made = emitter.call("enter_effect", emitter.name("s"), table, of, emitter.list_of(frame))
        return [*saved, emitter.returned(made)]


def is_loop(head: Block) -> bool:
    return any(head in block.next() for block in blocks_from(head))


def lines_of(block: Block) -> int:
    """How many lines a menu at the end of a block has more than count as one statement."""
    return max(0, len(block.end.ask.site.labels) - LINES_IN_ONE) if isinstance(block.end, Question) else 0


# --- all segments of a program ----------------------------------------------------------------------------------------


MANY = 100
"""Blocks of one routine, beyond which their lengths are found before any of them is written."""


@dataclass(slots=True, eq=False)
class Segment:
    """One function of the program, and what is known of it; `emit` makes it."""

    number: int
    span: Span
    emit: Callable[..., ast.FunctionDef] | None
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
