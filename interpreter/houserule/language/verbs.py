"""Verbs: commands of the table of operations in, checked acts out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from houserule.diagnostics import Related
from houserule.language import nodes
from houserule.language.assignments import Assignments
from houserule.language.checked import (
    Act,
    AllPieces,
    Apply,
    Constant,
    EitherPile,
    Expression,
    Local,
    Pile,
    ReadVariable,
    Single,
    Statement,
    known_number,
)
from houserule.language.format import format
from houserule.language.primitives import ALONE, LIVE
from houserule.language.symbols import Zone
from houserule.language.types import (
    NUMBER,
    PLAYER,
    UNKNOWN,
    Int,
    List,
    NoValue,
    Piece,
    Unknown,
    fits,
    maybe,
    none_of,
    plain,
)


class Verbs(Assignments):
    """Checks commands against the rows of their verbs."""

    def command(self, node: nodes.Command) -> list[Statement]:
        """A verb of the table of operations."""
        verb = self.verbs.get(node.verb)
        if verb is None:
            self.misnamed("HR503", f"there is no verb '{node.verb}'", node.verb_span, node.verb, self.verbs)
            return []
        self.forbid_change(node.verb, node.span)
        given = {p.word: p for p in node.prepositions}
        wanted = {word: pattern.rstrip("?") for word, pattern in verb.prepositions.items()}
        ok = True
        for word, preposition in given.items():
            if word not in wanted:
                ok = False
                self.error(
                    "HR513",
                    f"'{node.verb}' does not know '{word}'",
                    preposition.span,
                    f"for example: {verb.example.splitlines()[0]}",
                )
        for word, pattern in verb.prepositions.items():
            if not pattern.endswith("?") and word not in given:
                ok = False
                self.error(
                    "HR513", f"'{node.verb}' wants '{word}'", node.span, f"for example: {verb.example.splitlines()[0]}"
                )
        if self.in_together and (verb.uses_chance or verb.shared):
            self.error(
                "HR532",
                f"'{node.verb}' cannot stand in a together: it is not one player's own doing",
                node.verb_span,
                "do it after the together",
            )
        if node.verb == "roll":
            return self.roll(node, verb, given) if ok else []
        if verb.argument == "alike" and ok and (exchanged := self.swap_names(node, given["with"].value)) is not None:
            return exchanged
        shape, argument = self.verb_argument(verb, node)
        values: dict[str, Expression] = {"argument": argument}
        if (
            verb.argument == "number"
            and isinstance(node.argument, nodes.Number)
            and node.argument.value == 1
            and "one" in verb.operators
        ):
            shape = "one"
        for word, preposition in given.items():
            if word in wanted and wanted[word] not in ("name",):
                values[word] = self.verb_preposition(wanted[word], preposition, node, argument, shape)
        if not ok or any(isinstance(v.type, Unknown) for v in values.values()):
            self.bind_result_anyway(given)
            return []
        self.check_holds(values)
        result = None
        if "as" in given and wanted.get("as") == "name":
            name_node = given["as"].value
            if isinstance(name_node, nodes.Name):
                source = values.get("from", argument)
                element = source.type.of if isinstance(source.type, List) else UNKNOWN
                result = self.bind_new(
                    name_node.id, maybe(element) if shape == "one" else List(element), name_node.span, "verb"
                )
        leaves, enters = self.moved_between(node.verb, values)
        changes = (
            tuple(v.variable for v in values.values() if isinstance(v, ReadVariable)) if shape == "variable" else ()
        )
        for variable in changes:
            variable.writes += 1
        self.forget_state()
        self.origins = {}
        return [
            Act(
                node.span,
                verb.operators.get(shape) or verb.operators["any"],
                tuple(values.get(word) for word in ("argument", *verb.prepositions)),
                result.unique if result else None,
                leaves=leaves,
                enters=enters,
                changes=changes,
            )
        ]

    def bind_result_anyway(self, given: dict[str, nodes.Preposition]) -> None:
        """After a mistake, the name that the command would have made is known as something unknown."""
        if "as" in given and isinstance(given["as"].value, nodes.Name):
            self.bind(given["as"].value.id, UNKNOWN, given["as"].span, "verb")

    def verb_argument(self, verb: Any, node: nodes.Command) -> tuple[str, Expression]:
        """The argument of a verb and its shape."""
        argument = node.argument
        what = f"what '{verb.name}' takes"
        match verb.argument:
            case "number":
                value = self.expr(argument, NUMBER)
                if not fits(value.type, NUMBER):
                    if isinstance(value, Pile | Single | AllPieces):
                        text = format(argument)
                        self.error(
                            "HR512",
                            f"{verb.name}'s count is a number, but '{text}' is a zone",
                            argument.span,
                            f"for example: {verb.example.splitlines()[0]}",
                            self.declared(value),
                        )
                    else:
                        self.coerce(value, NUMBER, argument, f"{verb.name}'s count", "HR512")
                    return "any", Constant(argument.span, UNKNOWN, 0)
                return "any", self.require_present(value, argument)
            case "pile":
                return "any", self.pile(argument, what, "HR512")
            case "pieces":
                return self.pieces(argument, what)
            case "alike":
                return self.alike(argument, what)
            case "hands":
                return "any", self.hands(argument, what)
        raise AssertionError(verb.argument)

    def pieces(self, node: nodes.Expression, what: str) -> tuple[str, Expression]:
        """A piece, a list of pieces, or a zone."""
        if isinstance(node, nodes.Compare) and node.operator == "in":
            value = self.items(node)
        else:
            value = self.expr(node)
        type = value.type
        if isinstance(value, Pile):
            return "pile", value
        if isinstance(type, List) and isinstance(type.of, Piece | Unknown):
            return "list", value
        if isinstance(plain(type), Piece) or isinstance(type, NoValue):
            return "piece", value
        if isinstance(type, Unknown):
            return "piece", value
        help = None
        if isinstance(type, Int) and what.startswith("what 'move'"):
            help = "to move a number of pieces from a pile: draw 2 from … to …"
        return "piece", self.error(
            "HR512", f"{what} is a piece, a list of pieces or a zone, but '{format(node)}' is {type}", node.span, help
        )

    def swap_names(self, node: nodes.Command, other: nodes.Expression) -> list[Statement] | None:
        """Two values change places, one of which at least has a local name; None where pieces, zones or variables do."""
        sides = (node.argument, other)
        types = [plain(self.expr(side).type) for side in sides if isinstance(side, nodes.Name) and self.find(side.id)]
        if all(isinstance(t, Unknown | List) or (isinstance(t, Piece) and self.lies(t)) for t in types):
            return None
        a, b = (self.expr(side).type for side in sides)
        if not (fits(a, b) and fits(b, a)):
            self.error("HR512", f"'{node.verb}' wants two things of one type: {a} and {b}", other.span)
            return []
        kept = nodes.Name(node.span, "0kept")
        self.scopes[-1].pop(kept.id, None)
        steps = (
            nodes.Assign(node.span, kept, "=", node.argument),
            nodes.Assign(node.span, node.argument, "=", other),
            nodes.Assign(node.span, other, "=", kept),
        )
        return [made for step in steps for made in self.assign(step)]

    def lies(self, piece: Piece) -> bool:
        """Whether a piece of that type can lie anywhere; a space of a board does not."""
        return piece.kind is None or self.symbols.kinds[piece.kind].lies

    def alike(self, node: nodes.Expression, what: str) -> tuple[str, Expression]:
        """What can be exchanged: a piece, a zone or a variable."""
        value = self.expr(node)
        if isinstance(value, Single):
            return "pile", value.pile
        if isinstance(value, Pile):
            return "pile", value
        type = plain(value.type)
        if isinstance(type, Unknown):
            return "piece", value
        if isinstance(type, Piece) and self.lies(type):
            return "piece", value
        if isinstance(value, ReadVariable):
            self.place(node)
            return "variable", value
        return "piece", self.error(
            "HR512", f"{what} is a piece, a zone or a variable, but '{format(node)}' is {value.type}", node.span
        )

    def hands(self, node: nodes.Expression, what: str) -> Expression:
        """A family of zones with one for each player: as the number of its first slot."""
        value = self.expr(node)
        if isinstance(value, AllPieces) and value.zone.owned and len(value.zone.parameters) == 1:
            return Constant(node.span, NUMBER, value.zone.base)
        if isinstance(value.type, Unknown):
            return value
        return self.error(
            "HR512",
            f"{what} is a family of zones, one for each player, but '{format(node)}' is {self.words_for(value)}",
            node.span,
            "rotate hand",
        )

    def verb_preposition(
        self, pattern: str, preposition: nodes.Preposition, node: nodes.Command, argument: Expression, shape: str
    ) -> Expression:
        """What follows a preposition."""
        value_node = preposition.value
        what = f"what follows '{preposition.word}'"
        match pattern:
            case "pile":
                return self.pile(value_node, what, "HR512")
            case "number":
                return self.coerce(self.expr(value_node, NUMBER), NUMBER, value_node, what, "HR512")
            case "position":
                if (
                    isinstance(value_node, nodes.Name)
                    and value_node.id in ("bottom", "top")
                    and self.find(value_node.id) is None
                ):
                    return Constant(value_node.span, NUMBER, 0 if value_node.id == "bottom" else 1_000_000)
                return self.coerce(self.expr(value_node, NUMBER), NUMBER, value_node, what, "HR512")
            case "players":
                value = (
                    self.expr(value_node, PLAYER)
                    if not isinstance(value_node, nodes.Compare)
                    else self.items(value_node)
                )
                if fits(value.type, List(PLAYER)):
                    return value
                one = self.coerce(value, PLAYER, value_node, what, "HR512")
                return Apply(one.span, List(PLAYER), ALONE, (one,))
            case "alike":
                other_shape, other = self.alike(value_node, what)
                if isinstance(other.type, Unknown) or isinstance(argument.type, Unknown):
                    return other
                alike = other.type == argument.type if shape == "variable" else fits(other.type, argument.type)
                if other_shape != shape or not alike:
                    return self.error(
                        "HR512",
                        f"'{node.verb}' wants two things of one type: {self.words_for(argument)} and {self.words_for(other)}",
                        value_node.span,
                    )
                return other
        raise AssertionError(pattern)

    def check_holds(self, values: dict[str, Expression]) -> None:
        """A zone takes only pieces of its kind."""
        target = values.get("to")
        source = values.get("from", values["argument"])
        type = source.type
        element = type.of if isinstance(type, List) else plain(type)
        for pile in either(target) if isinstance(target, Pile | EitherPile) else ():
            if (
                pile.zone.holds is not None
                and isinstance(element, Piece)
                and element.kind not in (None, pile.zone.holds)
            ):
                self.error(
                    "HR514",
                    f"zone '{pile.zone.name}' holds {pile.zone.holds} pieces, not {element.kind}",
                    pile.span,
                    None,
                    [Related("declared here", pile.zone.span)],
                )

    def moved_between(self, verb: str, values: dict[str, Expression]) -> tuple[tuple[Zone, ...], tuple[Zone, ...]]:
        """The zones that pieces may leave, and those that they may enter."""
        touched = tuple(self.touched(values))
        source = values.get("from", values["argument"])
        target = values.get("to")
        if not isinstance(target, Pile | EitherPile):
            return touched, touched
        enters = tuple(pile.zone for pile in either(target))
        if not isinstance(source, Pile | EitherPile):
            return touched, enters
        leaves = tuple(pile.zone for pile in either(source))
        if verb == "draw" and any(zone.refill is not None for zone in leaves):
            return touched, touched
        return leaves, enters

    def touched(self, values: dict[str, Expression]) -> Iterator[Zone]:
        """The zones that pieces may leave or enter."""
        seen: dict[str, Zone] = {}
        for word, value in values.items():
            if isinstance(value, Pile | EitherPile):
                for pile in either(value):
                    seen[pile.zone.name] = pile.zone
                    if word == "from" and pile.zone.refill in self.symbols.zones:
                        seen[pile.zone.refill] = self.symbols.zones[pile.zone.refill]
            elif word == "argument" or word == "with":
                type = value.type.of if isinstance(value.type, List) else plain(value.type)
                if isinstance(type, Piece):
                    for zone in self.symbols.zones.values():
                        if zone.holds is None or type.kind is None or zone.holds == type.kind:
                            seen[zone.name] = zone
                elif isinstance(value, Constant) and isinstance(value.type, Int):
                    for zone in self.symbols.zones.values():
                        if zone.base == value.value:
                            seen[zone.name] = zone
        yield from seen.values()

    def roll(self, node: nodes.Command, verb: Any, given: dict[str, nodes.Preposition]) -> list[Statement]:
        """`roll n from S`: into a new name, a local, or a variable."""
        source = self.items(given["from"].value)
        if isinstance(source, Pile):  # its pieces as they lie: they are looked at now and not kept
            source = Apply(source.span, source.type, LIVE, (source,))
        element = source.type.of if isinstance(source.type, List) else UNKNOWN
        never_empty = isinstance(source, Constant) and isinstance(source.value, tuple) and len(source.value) > 0
        type = element if never_empty else maybe(element)
        target = node.argument
        spoken = format(target)
        self.rolled[spoken] = element
        arguments = (None, source, known_number(node.span, none_of(type)))
        roll = verb.operators["any"]
        if isinstance(target, nodes.Name) and target.id not in self.symbols.variables:
            local = self.find(target.id)
            if local is None:
                local = self.bind_new(target.id, type, target.span, "verb")
            elif not fits(type, local.type):
                self.error(
                    "HR510",
                    f"'{target.id}' is {local.type}, but this rolls {type}",
                    target.span,
                    None,
                    self.declared(source),
                )
            self.now_has(local, type)
            return [Act(node.span, roll, arguments, local.unique, spoken)]
        place = self.place(target)
        if place is None:
            return []
        value = Local(node.span, type, self.fresh("rolled"))
        act = Act(node.span, roll, arguments, value.name, spoken)
        return [act, *self.set_variable(node.span, place, value, given["from"].value)]


def either(value: Pile | EitherPile) -> Iterator[Pile]:
    """The pile that an expression means, or those that it can mean."""
    if isinstance(value, Pile):
        yield value
    else:
        yield from either(value.yes)
        yield from either(value.no)
