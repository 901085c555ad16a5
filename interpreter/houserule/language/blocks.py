"""Blocks: statements one after another in, checked ones out, with names of their own and what is known at their end."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any

from houserule.diagnostics import Related, Span
from houserule.frozen import by_value
from houserule.language import nodes
from houserule.language.checked import AllPieces, Body, Expression, Parts, Site, Statement
from houserule.language.expressions import ExpressionChecker
from houserule.language.local_names import Name
from houserule.language.reached import diverges
from houserule.language.sight import Known, Sight, Who
from houserule.language.symbols import Routine
from houserule.language.types import Type


@by_value
class StepLabels:
    """A step around the effect: where `finish STEP` and `leave STEP` go."""

    name: str
    path: str
    one_pass: str
    repetition: str


class Blocks(ExpressionChecker):
    """Checks blocks, and keeps what every statement in them needs."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.loops: list[str] = []
        self.finish: str | None = None  # where `finish` goes in the `do` of a step; None: it returns
        self.steps: list[StepLabels] = []
        self.block_of_step: nodes.Block | None = None
        self.in_function = False
        self.in_together = False
        self.labels = 0
        self.sites: list[Site] = []
        self.verbs: Any = {}
        self.step_path = ""
        self.locals_made: list[Name] = []
        self.origins: dict[str, Expression] = {}  # where the pieces that have local names were found
        self.kept: frozenset[str] = frozenset()  # local names that were made of what not everybody may see
        self.seen_by_nobody: Known = {}
        self.seen_by: dict[Who, Known] = {}
        self.checking: list[Routine] = []
        self.added: tuple[
            tuple[str, frozenset[str]], ...
        ] = ()  # file by file, in order: the variables that a variant brings
        self.rolled: dict[str, Type] = {}  # what can be rolled, by how its target is written

    @abstractmethod
    def statement(self, node: nodes.Statement) -> list[Statement]:
        """One statement as checked statements."""

    def label(self, stem: str) -> str:
        """A new label."""
        self.labels += 1
        return f"{stem}{self.labels}"

    def fresh(self, stem: str) -> str:
        """A unique name that authors cannot see."""
        count = 1
        while f"{stem}_{count}" in self.taken:
            count += 1
        self.taken.add(f"{stem}_{count}")
        return f"{stem}_{count}"

    def forbid_change(self, what: str, span: Span) -> None:
        """A function asks nobody and changes nothing."""
        if self.in_function:
            self.error(
                "HR540",
                f"a function changes nothing and asks nobody, so it cannot {what}",
                span,
                "make it an action: `actions:` instead of `functions:`",
            )

    def forget_state(self) -> None:
        """After a change, what a test has shown of variables and zones may hold no longer."""
        self.narrowed = {k: t for k, t in self.narrowed.items() if k.startswith("=")}

    def text_parts(self, text: nodes.Text) -> Parts:
        """The values in a sentence."""
        parts: list[str | Expression] = []
        for part in text.parts:
            if isinstance(part, str):
                parts.append(part)
            else:
                value = self.expr(part)
                parts.append(replace(value) if not isinstance(value, AllPieces) else value)
        return tuple(parts)

    def block(self, block: nodes.Block, new_scope: bool = True) -> Body:
        """Statements one after another, with names of their own."""
        if new_scope:
            self.scopes.append({})
        found: list[Statement] = []
        ended: nodes.Node | None = None
        is_said = False
        for node in block.statements:
            if ended is not None:
                if not is_said:
                    self.report.warning(
                        "HR560",
                        "this can never be reached",
                        node.span,
                        related=[Related("because of this", ended.span)],
                    )
                is_said = True
            found.extend(self.statement(node))
            if ended is None and diverges(tuple(found[-1:])):
                ended = node
        if new_scope:
            self.scopes.pop()
        return tuple(found)

    def branch(self, block: nodes.Block | None, known: dict[str, Type]) -> tuple[Body, dict[str, Type] | None]:
        """A block under what a test has shown; what is known at its end, or None if its end is not reached."""
        before = self.narrowed
        self.narrow(known)
        body = self.block(block) if block is not None else ()
        after = None if diverges(body) else self.narrowed
        self.narrowed = before
        return body, after

    def meet(self, *ends: dict[str, Type] | None) -> None:
        """After branches only that is known which each of them knows."""
        reached = [e for e in ends if e is not None]
        if not reached:
            return
        first, *rest = reached
        self.narrowed = {k: t for k, t in first.items() if all(r.get(k) == t for r in rest)}

    def as_me(self, me: Expression, body: nodes.Block) -> Body:
        """A block in which someone else is me."""
        keep = self.me, self.me_inherited
        self.me, self.me_inherited = me, False
        found = self.block(body)
        self.me, self.me_inherited = keep
        return found

    def tells(self, value: Expression) -> bool:
        """Whether a value depends on something that not everybody may see, so that a silence would tell it."""
        return any(True for _ in Sight(None, self.kept, self.seen_by_nobody).reads(value))

    def keep(self, local: Name, value: Expression) -> None:
        """A local name that was made of what not everybody may see tells it as well."""
        if self.tells(value):
            self.kept |= {local.unique}
        self.found_in(local, value)

    def found_in(self, local: Name, where: Expression) -> None:
        """A local name was given to a piece that was found there: seen or not, until pieces are moved."""
        self.origins = {**self.origins, local.unique: where}

    def local_words(self) -> list[str]:
        """The local names in sight."""
        return [word for scope in self.scopes for word in scope]
