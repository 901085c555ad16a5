"""Assignments: a place and a value in, checked statements that set it out."""

from __future__ import annotations

from houserule.diagnostics import Related, Span
from houserule.language import nodes
from houserule.language.blocks import Blocks
from houserule.language.checked import (
    AllPieces,
    Constant,
    Expression,
    Pile,
    ReadVariable,
    SetLocal,
    SetVariable,
    Single,
    Statement,
)
from houserule.language.fitting import snapshot
from houserule.language.format import format
from houserule.language.local_names import Name
from houserule.language.reached import setting, walk
from houserule.language.types import (
    NUMBER,
    UNKNOWN,
    Int,
    List,
    Maybe,
    NoValue,
    Type,
    Unknown,
    fits,
    join,
    maybe,
    plain,
)


class Assignments(Blocks):
    """Checks what sets variables and local names."""

    def prepare(self, block: nodes.Node) -> None:
        """Count how often each name is assigned in a routine: one that is assigned once keeps its exact range."""
        for node in setting(block):
            match node:
                case nodes.Assign(target=nodes.Name(id=word), operator=operator):
                    self.assigned[word] = self.assigned.get(word, 0) + (1 if operator == "=" else 2)
                case (
                    nodes.Perform(result=nodes.Name(id=word)) | nodes.Command(verb="roll", argument=nodes.Name(id=word))
                ):
                    self.assigned[word] = self.assigned.get(word, 0) + 1
                case nodes.Command(argument=one, prepositions=(nodes.Preposition(word="with", value=other),)):
                    for word in (side.id for side in (one, other) if isinstance(side, nodes.Name)):
                        self.assigned[word] = self.assigned.get(word, 0) + 2
                case _:
                    pass

    def report_unread(self, names: list[Name]) -> None:
        """A local that is set and never read is a mistake: most often a misspelt variable."""
        for name in names:
            if name.reads == 0 and name.set_by == "assign":
                pool = [*self.symbols.variables, *(n.word for n in names if n is not name)]
                message = f"'{name.word}' is set here and never read"
                self.misnamed("HR572", message, name.span, name.word, pool, "remove it, or use it")

    def forget_assigned(self, body: nodes.Node) -> None:
        """Before a loop: what its passes may change is not known."""
        self.forget_state()
        for node in setting(body):
            match node:
                case (
                    nodes.Assign(target=nodes.Name(id=word))
                    | nodes.Perform(result=nodes.Name(id=word))
                    | nodes.Command(argument=nodes.Name(id=word))
                ):
                    local = self.find(word)
                    if local is not None:
                        self.forget_local(local)
                case _:
                    pass

    def assign(self, node: nodes.Assign) -> list[Statement]:
        """`x = e`, `x += e`."""
        value_node: nodes.Expression = node.value
        if node.operator != "=":
            value_node = nodes.Binary(node.span, node.target, node.operator[:-1], node.value)
        target = node.target
        if isinstance(target, nodes.Name) and target.id not in self.symbols.variables:
            return self.assign_local(node, target, value_node)
        if isinstance(target, nodes.Name) and self.brought_later(target):
            variable = self.symbols.variables[target.id]
            self.error(
                "HR526",
                f"'{target.id}' is a local name here, and a house rule makes a variable of that name",
                target.span,
                "give one of the two another name",
                [Related("the variable is declared here", variable.span)],
            )
            return []
        place = self.place(target)
        if place is None:
            self.expr(node.value)
            return []
        value = self.value_for(value_node, place.type)
        return [*self.set_variable(node.span, place, value, value_node)]

    def brought_later(self, target: nodes.Name) -> bool:
        """Whether a variable is brought by a variant that this effect knows nothing of: a local name must not become one in silence."""
        files = [file for file, _ in self.added]
        if target.span.file not in files:
            return False  # A scenario names the variants that it is played with, and knows what they bring.
        return any(target.id in names for _, names in self.added[files.index(target.span.file) + 1 :])

    def value_for(self, node: nodes.Expression, wanted: Type) -> Expression:
        """A value for a place of that type."""
        value = self.items(node, wanted) if isinstance(wanted, List) else self.expr(node, wanted)
        return snapshot(value)

    def place(self, node: nodes.Expression) -> ReadVariable | None:
        """A variable that can be set."""
        if isinstance(node, nodes.Name) and node.id in ("me", "it", "this", "players", "opponents"):
            self.error("HR542", f"'{node.id}' cannot be set", node.span)
            return None
        keep = self.narrowed
        self.narrowed = {k: t for k, t in keep.items() if k != self.key(node)}
        value = self.expr(node)
        self.narrowed = keep
        if isinstance(value.type, Unknown) and not isinstance(value, ReadVariable):
            return None
        match value:
            case ReadVariable():
                value.variable.writes += 1
                value.variable.uses -= 1
                return value
            case Pile() | Single() | AllPieces():
                self.error(
                    "HR542",
                    f"'{format(node)}' is a zone: pieces are moved, not set",
                    node.span,
                    f"move … to {format(node)}",
                    self.declared(value),
                )
            case Constant(type=Unknown()):
                pass
            case _:
                self.error(
                    "HR542",
                    f"'{format(node)}' is not a variable, so it cannot be set",
                    node.span,
                    "what changes is declared under `variables:`",
                )
        return None

    def set_variable(
        self, span: Span, place: ReadVariable, value: Expression, node: nodes.Expression
    ) -> list[Statement]:
        """Set a variable, in its range."""
        self.forbid_change("set a variable", span)
        name = place.variable.name
        value = self.coerce(value, place.type, node, f"variable '{name}'")
        checked = self.within(value, place.type, node, f"variable '{name}'")
        bounds = plain(place.type)
        needs_check = checked is not value or (isinstance(bounds, Int) and not inside(value, bounds))
        self.forget_state()
        return [SetVariable(span, place, value, needs_check)]

    def assign_local(self, node: nodes.Assign, target: nodes.Name, value_node: nodes.Expression) -> list[Statement]:
        """Set a local name, or make one."""
        word = target.id
        if word in ("me", "it", "this", "players", "opponents"):
            self.error("HR542", f"'{word}' cannot be set", target.span)
            return []
        local = self.find(word)
        if local is None:
            if node.operator != "=":
                self.expr(node.value)
                pool = [*self.symbols.variables, *self.local_words()]
                self.misnamed("HR501", f"there is nothing called '{word}' here to add to", target.span, word, pool)
                return []
            other = self.global_place(word)
            if other is not None:
                self.expr(node.value)
                self.error(
                    "HR542",
                    f"'{word}' is {other[0]}, so it cannot be set",
                    target.span,
                    None,
                    [Related("declared here", other[1])],
                )
                return []
            value = self.value_for(value_node, UNKNOWN)
            type = value.type
            if isinstance(type, NoValue):
                type = self.later_type(word)
            made = self.bind(word, type, target.span, "assign")
            self.locals_made.append(made)
            self.keep(made, value)
            return [
                SetLocal(
                    node.span,
                    made.unique,
                    self.coerce(value, made.type, value_node, f"'{word}'"),
                    not inside(value, NUMBER),
                )
            ]
        value = self.value_for(value_node, local.type)
        if node.operator != "=":
            local.reads -= 1
        type = local.type
        if not fits(value.type, type):
            joined = (
                join(type, value.type)
                if (isinstance(type, List) and type.of == UNKNOWN) or isinstance(value.type, Unknown)
                else None
            )
            if joined is None:
                value = self.coerce(value, type, value_node, f"'{word}'")
            else:
                local.type = joined
        elif isinstance(type, List) and isinstance(type.of, Unknown) and isinstance(value.type, List):
            local.type = value.type
        value = (
            self.coerce(value, local.type, value_node, f"'{word}'") if not isinstance(value.type, Unknown) else value
        )
        self.now_has(local, value.type)
        self.keep(local, value)
        return [SetLocal(node.span, local.unique, value, not inside(value, NUMBER))]

    def now_has(self, local: Name, type: Type) -> None:
        """A local name got a value of that type: one that is surely there needs no test."""
        self.forget_local(local)
        if isinstance(local.type, Maybe) and not isinstance(type, Maybe | Unknown | NoValue):
            self.narrow({f"={local.unique}": local.type.of})

    def around(self) -> object:
        """The whole text that is being checked: that of a routine, or of the step at hand."""
        return self.current.source if self.current is not None else self.block_of_step

    def later_type(self, word: str) -> Type:
        """The type of a local that begins as none: that of what it is set to later in the routine."""
        for node in walk(self.around()):
            if (
                isinstance(node, nodes.Assign)
                and isinstance(node.target, nodes.Name)
                and node.target.id == word
                and not isinstance(node.value, nodes.Absent)
            ):
                return maybe(self.guess(node.value))
        return Maybe(UNKNOWN)

    def guess(self, node: nodes.Expression) -> Type:
        """The type that an expression further down will have, as far as it can be told from here; says nothing."""
        keep = self.report
        self.report = type(keep)()
        try:
            found = self.expr(node).type
        finally:
            self.report = keep
        if not isinstance(found, Unknown):
            return found
        name = node.id if isinstance(node, nodes.Name) else None
        for other in walk(self.around()):
            if (
                name
                and isinstance(other, nodes.For | nodes.Choose)
                and (other.binder if isinstance(other, nodes.For) else other.name) == name
            ):
                self.report = type(keep)()
                try:
                    listed = self.items(other.source).type
                finally:
                    self.report = keep
                return listed.of if isinstance(listed, List) else UNKNOWN
        return UNKNOWN


def inside(value: Expression, bounds: Int) -> bool:
    """Whether a value is provably in a range (or is no number)."""
    type = plain(value.type)
    return not isinstance(type, Int) or (bounds.low <= type.low and type.high <= bounds.high)
