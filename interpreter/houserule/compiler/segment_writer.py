"""Writes blocks as functions: a block at the head of a segment in, the function that runs from there to the next question out.

Blocks that only one leads to are written into the function of that one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from houserule.compiler import questions
from houserule.compiler.blocks import (
    ASK,
    PAUSED,
    Block,
    Call,
    Drain,
    Everyone,
    Finish,
    Fork,
    Goto,
    Question,
    Still,
)
from houserule.compiler.emit import Emitter
from houserule.compiler.frames import sets_of, uses_and_sets
from houserule.compiler.sharing import only_writes_last
from houserule.compiler.writer import plain_function, run_together
from houserule.diagnostics import Span
from houserule.language.checked import Ask, Perform, Race, Site

SHORT_HEAD = 8
"""Statements at the head of a loop up to which it is written behind what leads back to it."""


class SegmentWriter:
    """Writes one function after another: the block at its head and those that only it leads to."""

    def __init__(self, emitter: Emitter, entries: dict[int, int]) -> None:
        self.emitter = emitter
        self.entries = entries  # of a routine, by identity
        self.sites: list[Site] = []
        self.asked_at: dict[int, int] = {}  # by site: the segment that asks
        self.together_at: dict[int, tuple[Span, str]] = {}  # by the segment that follows: its place and rule
        self.copies = False  # whether somewhere everybody acts at once on a copy of the table
        # Of the function that is written now:
        self.slots: dict[str, int] = {}
        self.owner = ""
        self.head = -1
        self.repeated: Block | None = None  # the head of a loop that is being written here

    def function(self, head: Block, slots: dict[str, int], owner: str) -> ast.FunctionDef:
        """The function that begins at a block, with its locals at their places in the frame; `owner` is the rule."""
        self.slots, self.owner = slots, owner
        emitter = self.emitter
        emitter.file = head.span.file
        self.head = head.number
        tree = list(self.tree(head))
        touched: set[str] = set()
        for block in tree:
            uses, sets = uses_and_sets(block)
            touched |= uses | sets
            if block.answer:
                touched.add(block.answer)
        for block in tree:
            for other in block.next():
                if other.heads:
                    touched |= other.alive & head.alive & touched
        body = self.block(head, frozenset())
        emitter.at(head.span)
        loads: list[ast.stmt] = []
        for name in sorted(head.alive & touched, key=lambda n: self.slots[n]):
            loads.append(
                emitter.assign(
                    self.local(name), emitter.subscript(emitter.name("frame"), emitter.number(self.slots[name]))
                )
            )
        used = {n.id for statement in body for n in ast.walk(statement) if isinstance(n, ast.Name)}
        if loads or "frame" in used:
            loads.insert(
                0, emitter.assign("frame", emitter.subscript(emitter.attribute("s", "frames"), emitter.number(-1)))
            )
        return plain_function(emitter, f"s{head.number}", ["s"], [*loads, *body], head.span)

    def local(self, name: str) -> str:
        """A local in the generated function."""
        return f"l_{name}"

    def tree(self, block: Block) -> Iterator[Block]:
        """The blocks that are written into the function of a head."""
        yield block
        for other in block.next() if isinstance(block.end, Goto | Fork) else ():
            if self.stands_here(other):
                before, self.repeated = self.repeated, other if other.heads else self.repeated
                yield from self.tree(other)
                self.repeated = before

    def stands_here(self, block: Block) -> bool:
        """Whether a block is written where it is reached from. Of loops that go round, the head of one, if it is short."""
        if not block.heads or block.only_ends():
            return True
        if not block.repeats or self.repeated is not None or block.number == self.head:
            return False
        self.repeated = block
        length = sum(len(inner.statements) for inner in self.tree(block))
        self.repeated = None
        return length <= SHORT_HEAD

    def block(self, block: Block, dirty: frozenset[str]) -> list[ast.stmt]:
        """A block and what follows it; `dirty` are locals set since the head."""
        emitter = self.emitter
        found: list[ast.stmt] = []
        if block.answer:
            emitter.at(block.span)
            found.append(emitter.assign(self.local(block.answer), emitter.attribute("s", "answer")))
            dirty |= {block.answer}
        for statement in block.statements:
            found += emitter.statement(statement)
            dirty |= sets_of(statement)
        return found + self.ending(block, dirty)

    def save(self, to: Block, dirty: frozenset[str]) -> list[ast.stmt]:
        """What a block needs goes into the frame."""
        emitter = self.emitter
        wanted = sorted((to.alive & dirty), key=lambda n: self.slots[n])
        return [
            ast.Assign(
                [emitter.subscript(emitter.name("frame"), emitter.number(self.slots[name]), True)],
                emitter.name(self.local(name)),
                **emitter.where,
            )
            for name in wanted
        ]

    def leave(self, number: int) -> ast.stmt:
        """`return number`."""
        return self.emitter.returned(self.emitter.number(number))

    def go(self, to: Block, dirty: frozenset[str]) -> list[ast.stmt]:
        """On to a block: by returning its number, or by writing it here."""
        if not self.stands_here(to):
            self.emitter.at(to.span)
            return [*self.save(to, dirty), self.leave(to.number)]
        before, self.repeated = self.repeated, to if to.heads else self.repeated
        found = self.block(to, dirty)
        self.repeated = before
        return found

    def ending(self, block: Block, dirty: frozenset[str]) -> list[ast.stmt]:
        """How a block goes on."""
        emitter = self.emitter
        emitter.at(block.span)
        end = block.end
        match end:
            case Goto(to):
                return self.go(to, dirty)
            case Fork(test, yes, no):
                condition = emitter.expr(test)
                here = dict(emitter.where)
                a, b = self.go(yes, dirty), self.go(no, dirty)
                return [ast.If(condition, a, [], **here), *b]
            case Question(Ask() as ask, then):
                return self.ask(ask, then, dirty)
            case Question(Race() as race, then):
                return self.race(race, then, dirty)
            case Call(invoke, then, last):
                return self.call(invoke, then, dirty, last)
            case Everyone(together, inside, then):
                people = emitter.expr(together.source)
                emitter.at(together.span)
                saved = self.save(inside, dirty) + self.save(then, dirty)
                slot = self.slots.get(together.binder, -1)
                shared = only_writes_last(emitter, end)
                self.copies |= not shared
                self.together_at[then.number] = (together.span, self.owner)
                numbers = map(emitter.number, (inside.number, slot, then.number, int(shared)))
                return [*saved, emitter.returned(emitter.call("fork", emitter.name("s"), people, *numbers))]
            case Drain(then):
                drained = emitter.call("drain_asking", emitter.name("s"), emitter.number(then.number))
                return [*self.save(then, dirty), emitter.returned(drained)]
            case Still(then):
                return [
                    *self.save(then, dirty),
                    emitter.set_attribute("s", "pc", emitter.number(then.number)),
                    self.leave(PAUSED),
                ]
            case Finish(value, outcome):
                if outcome != 0:
                    return [self.leave(outcome)]
                result = emitter.expr(value) if value is not None else emitter.number(-1)
                return [
                    emitter.set_attribute("s", "answer", result),
                    emitter.returned(emitter.line("s.frames.pop()[0]")),
                ]
        raise AssertionError(end)

    def site(self, ask: Ask | Race) -> int:
        """The number of a site."""
        site = ask.site
        sites = self.sites
        if site.number < 0 or site.number >= len(sites) or sites[site.number] is not site:
            site.number = len(sites)
            sites.append(site)
        return site.number

    def ask(self, ask: Ask, then: Block, dirty: frozenset[str]) -> list[ast.stmt]:
        """Work out the options; ask, or go on where there are none."""
        emitter, site = self.emitter, ask.site
        number = self.site(ask)
        self.asked_at[number] = self.head
        found = [emitter.assign("o", questions.options(emitter, ask))]
        chooser = emitter.expr(ask.chooser)
        emitter.at(ask.span)
        put: list[ast.stmt] = [
            *self.save(then, dirty),
            emitter.set_attribute("s", "site", emitter.number(number)),
            emitter.set_attribute("s", "asker", chooser),
            emitter.set_attribute("s", "options", emitter.name("o")),
            emitter.set_attribute("s", "pc", emitter.number(then.number)),
        ]
        nothing: ast.expr = emitter.number(questions.nothing(ask))
        test: ast.expr = emitter.name("o")
        if site.kind == "several":
            found.append(emitter.assign("b", questions.bounds(emitter, ask, emitter.name("o"))))
            put.insert(0, emitter.set_attribute("s", "bounds", emitter.name("b")))
            nothing = ast.List([], ast.Load(), **emitter.where)
            test = emitter.line("b[1] > 0")
        if emitter.told:
            put += self.told_parts(ask)
        put.append(self.leave(ASK))
        if questions.is_always_asked(ask):
            return [*found, *put]
        emitter.at(ask.span)
        skip = [emitter.set_attribute("s", "answer", nothing), *self.save(then, dirty), self.leave(then.number)]
        return [*found, ast.If(test, put, [], **emitter.where), *skip]

    def told_parts(self, ask: Ask) -> list[ast.stmt]:
        """The values in the prompt and in the labels, for those who read them."""
        emitter, site = self.emitter, ask.site
        sentences = [(site.raw, site.parts), *site.labels]
        if not any(not isinstance(p, str) for _, parts in sentences for p in parts):
            return [emitter.set_attribute("s", "said", emitter.tuple_of([]))]
        values = [emitter.text(raw, parts)[1] for raw, parts in sentences]
        emitter.at(ask.span)
        return [emitter.set_attribute("s", "said", emitter.tuple_of(values))]

    def race(self, race: Race, then: Block, dirty: frozenset[str]) -> list[ast.stmt]:
        """Everybody who may slap is asked at once."""
        emitter = self.emitter
        number = self.site(race)
        self.asked_at[number] = self.head
        entrants = emitter.expr(race.entrants)
        must = emitter.expr(race.must)
        emitter.at(race.span)
        return [
            emitter.assign("o", emitter.line("list({0})", entrants)),
            *self.save(then, dirty),
            emitter.set_attribute("s", "site", emitter.number(number)),
            emitter.set_attribute("s", "options", emitter.name("o")),
            emitter.set_attribute("s", "must", must),
            emitter.set_attribute("s", "slapped", ast.List([], ast.Load(), **emitter.where)),
            emitter.set_attribute("s", "declined", ast.List([], ast.Load(), **emitter.where)),
            emitter.set_attribute("s", "said", emitter.tuple_of([])),
            emitter.set_attribute("s", "answer", ast.List([], ast.Load(), **emitter.where)),
            emitter.set_attribute("s", "pc", emitter.number(then.number)),
            emitter.returned(
                ast.IfExp(emitter.name("o"), emitter.number(ASK), emitter.number(then.number), **emitter.where)
            ),
        ]

    def call(self, invoke: Perform, then: Block, dirty: frozenset[str], last: bool) -> list[ast.stmt]:
        """Perform something that asks: a new frame on top, in place of this one where this has nothing left to do."""
        emitter = self.emitter
        arguments = [emitter.expr(a) for a in invoke.arguments]
        me = emitter.expr(invoke.me) if invoke.me is not None else emitter.number(-1)
        emitter.at(invoke.span)
        saved = [] if last else self.save(then, dirty)
        back = emitter.subscript(emitter.name("frame"), emitter.number(0)) if last else emitter.number(then.number)
        frame = [back, me, emitter.number(-1), *arguments]
        if invoke.action is not None:
            entry = self.entries[id(invoke.action)]
            if not invoke.action.recursive:
                room = ast.Starred(emitter.name(f"ROOM_{entry}"), ast.Load(), **emitter.where)
                full = ast.List([*frame, room], ast.Load(), **emitter.where)
                if last:
                    top = emitter.subscript(emitter.attribute("s", "frames"), emitter.number(-1), True)
                    return [ast.Assign([top], full, **emitter.where), self.leave(entry)]
                return [*saved, emitter.do(emitter.line("s.frames.append({0})", full)), self.leave(entry)]
            made = emitter.call(
                "enter", emitter.name("s"), emitter.number(entry), ast.List(frame, ast.Load(), **emitter.where)
            )
        else:
            assert invoke.effect is not None and invoke.of is not None
            of = emitter.expr(invoke.of)
            emitter.at(invoke.span)
            if last:
                saved = [emitter.do(emitter.line("s.frames.pop()"))]
            table = emitter.name(f"S_{run_together(invoke.effect.kind, invoke.effect.name)}")
            made = emitter.call(
                "enter_effect", emitter.name("s"), table, of, ast.List(frame, ast.Load(), **emitter.where)
            )
        return [*saved, emitter.returned(made)]
