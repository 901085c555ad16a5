"""What names mean: a bare name, or one after a dot, in; the value that it stands for out."""

from __future__ import annotations

from houserule.diagnostics import Related, Span
from houserule.language import nodes
from houserule.language.checked import AllPieces, Apply, Constant, Expression, Local, Pile, Printed, ReadVariable
from houserule.language.fitting import Fitting
from houserule.language.format import format
from houserule.language.primitives import OPPONENTS
from houserule.language.symbols import Family, Variable, Zone
from houserule.language.types import (
    GREATEST,
    LEAST,
    PLAYER,
    UNKNOWN,
    Bool,
    Int,
    List,
    Maybe,
    Member,
    Piece,
    Player,
    Type,
    Unknown,
    fits,
    plain,
    spelled,
)

HABITS = {
    "yes": "true",
    "on": "true",
    "true": "true",
    "no": "false",
    "off": "false",
    "false": "false",
    "none": "none",
    "null": "none",
    "nil": "none",
    "nobody": "none",
    "my": "me",
    "mine": "me",
    "myself": "me",
    "self": "me",
    "i": "me",
    "you": "me",
    **{
        word: str(number) for number, word in enumerate("zero one two three four five six seven eight nine ten".split())
    },
}
"""What people write who are used to another language, and what they mean."""


MOST_LISTED = 12
"""How many members are listed for somebody who named none of them."""


class Names(Fitting):
    """Checks names, and what is asked of a thing by name."""

    def name(self, node: nodes.Name, wanted: Type | None) -> Expression:
        """What a bare name means, as a value."""
        word, span, symbols = node.id, node.span, self.symbols
        local = self.find(word)
        if local is not None:
            local.reads += 1
            if local.constant is not None:
                return Constant(span, local.type, local.constant)
            return Local(span, local.type, local.unique)
        match word:
            case "me":
                return self.use_me(span)
            case "this":
                if self.this is None:
                    return self.error(
                        "HR501", "'this' is the piece or member whose effect runs; nothing is 'this' here", span
                    )
                return self.this
            case "it":
                return self.error("HR501", "'it' is the member at hand in `S where …`; there is none here", span)
            case "players":
                return Constant(span, List(PLAYER, symbols.players), tuple(range(symbols.players)))
            case "opponents":
                return Apply(span, List(PLAYER, symbols.players), OPPONENTS, (self.use_me(span),))
            case "player_count":
                return Constant(span, Int(symbols.players, symbols.players), symbols.players)
        if word in self.extra_names:
            return self.extra_names[word](span)
        if isinstance(wanted, Maybe):
            wanted = wanted.of
        if isinstance(wanted, Member) and wanted.kind in symbols.kinds and word in symbols.kinds[wanted.kind].ids:
            number = symbols.kinds[wanted.kind].first(word)
            assert number is not None
            symbols.kinds[wanted.kind].uses += 1
            return Constant(span, wanted, number)
        if word in symbols.variables:
            return self.family(symbols.variables[word], (), (), span)
        if word in symbols.zones:
            return self.family(symbols.zones[word], (), (), span)
        if word in symbols.options:
            option = symbols.options[word]
            option.uses += 1
            return Constant(
                span, option.type if not isinstance(option.type, Int) else Int(option.value, option.value), option.value
            )
        if word in symbols.tables:
            return self.error("HR511", f"'{word}' is a table: say which entry", span, f"{word}[…]")
        if word in symbols.functions and not symbols.functions[word].parameters:
            return self.evaluate(symbols.functions[word], (), (), span)
        if word in symbols.seats:
            return Constant(span, PLAYER, symbols.seats.index(word))
        homes = list(symbols.members(word))
        piece = symbols.piece(word)
        if piece is not None and (not homes or (isinstance(wanted, Piece) and wanted.kind in (None, piece[0].name))):
            piece[0].uses += 1
            return Constant(span, piece[0].type, piece[1])
        if len(homes) == 1:
            homes[0][0].uses += 1
            return Constant(span, homes[0][0].type, homes[0][1])
        if homes:
            options = " or ".join(f"{kind.name}.{word}" for kind, _ in homes)
            for kind, _ in homes:
                kind.uses += 1
            return self.error(
                "HR505",
                f"several enums have a member '{word}'",
                span,
                f"write {options}",
                [Related(f"'{kind.name}' has one", kind.spans[n]) for kind, n in homes],
            )
        if word in symbols.kinds:
            return self.error(
                "HR506", f"'{word}' is the name of a kind, not a value", span, f"all of them as a list: every {word}"
            )
        help = None
        if word in symbols.functions or word in self.operations:
            help = f"'{word}' is a function: {word}(…)"
        elif word in symbols.actions:
            help = f"'{word}' is an action: perform {word}"
        elif word == self.chosen:
            help = f"until it is chosen each is 'it': where it.…; or choose {word} from {word} in … where {word}.…"
        elif word.lower() in HABITS:
            help = f"write {HABITS[word.lower()]}"
        message = f"there is nothing called '{word}' here"
        if help is not None:
            return self.error("HR501", message, span, help)
        otherwise = self.possible(wanted)
        if word == self.sought:
            otherwise = f"this asks whether '{word}' is in the list; those that are in it: ({word} in … where …), or the list by itself"
        return self.misnamed("HR501", message, span, word, self.meant(wanted), otherwise)

    def possible(self, wanted: Type | None) -> str | None:
        """What a value of a type can be, for somebody who wrote something else."""
        type = wanted.of if isinstance(wanted, Maybe) else wanted
        otherwise = " or none" if isinstance(wanted, Maybe) else ""
        match type:
            case Int(low, high) if low > LEAST and high < GREATEST:
                return f"a number from {low} to {high}{otherwise}"
            case Member(kind) if kind in self.symbols.kinds and len(self.symbols.kinds[kind].ids) <= MOST_LISTED:
                return f"a {kind} is {' or '.join(self.symbols.kinds[kind].ids)}{otherwise}"
            case Bool():
                return "true or false"
        return None

    def meant(self, wanted: Type | None) -> list[str]:
        """What a bare name can mean: all that is of the type that is wanted, if any is; nothing in a long report."""
        if self.report.is_long:
            return []
        pool = [*self.global_names(), "true", "false", "none"]
        if wanted is None or isinstance(wanted, Unknown):
            return pool
        return [word for word in pool if self.may_be(word, wanted)] or pool

    def may_be(self, word: str, wanted: Type) -> bool:
        """Whether what a name stands for, or what is made of it, may be of a type."""
        if word in ("true", "false", "none"):
            return isinstance(wanted, Maybe if word == "none" else Bool)
        local = self.find(word)
        variable = self.symbols.variables.get(word)
        type = local.type if local is not None else variable.type if variable is not None else UNKNOWN
        return isinstance(type, List) or fits(plain(type), plain(wanted))

    def is_ambiguous(self, node: nodes.Expression) -> bool:
        """Whether a bare name is a member of several enums, so that only what is expected tells which."""
        if not isinstance(node, nodes.Name) or self.find(node.id) is not None:
            return False
        homes = list(self.symbols.members(node.id))
        return len(homes) > 1 or (len(homes) == 1 and self.symbols.piece(node.id) is not None)

    def copy(self, span: Span, id: str, number: int) -> Expression:
        """One copy of a piece."""
        found = self.symbols.piece(id)
        if found is None:
            ids = [i for k in self.symbols.kinds.values() if k.is_piece for i in k.ids]
            return self.misnamed("HR501", f"there is no piece '{id}'", span.first(len(id)), id, ids)
        kind, first = found
        kind.uses += 1
        copies = kind.ids.count(id)
        if not 1 <= number <= copies:
            return self.error(
                "HR507",
                f"there {'is one copy' if copies == 1 else f'are {copies} copies'} of '{id}', so no #{number}",
                span,
                f"{id}#{max(1, min(number, copies))}",
                [Related("declared here", kind.spans[first - kind.base])],
            )
        return Constant(span, kind.type, first + number - 1)

    def family(
        self,
        family: Family,
        arguments: tuple[nodes.Expression, ...],
        leading: tuple[Expression, ...],
        span: Span,
        node: nodes.Expression | None = None,
    ) -> Expression:
        """A zone or variable with its indices; `node` is what stands before the square brackets."""
        family.uses += 1
        given = len(arguments) + len(leading)
        wanted = len(family.parameters)
        if given == 0 and wanted and isinstance(family, Zone):
            return AllPieces(span, List(family.piece), family)
        if given != wanted:
            listed = ", ".join(self.index_for(p.type) for p in family.parameters)
            shape = f"{family.name}[{listed}]" if wanted else family.name
            if isinstance(family, Zone) and given == wanted + 1 and node is not None:
                shape = self.one_of(format(node), arguments) or shape
            return self.error(
                "HR511",
                f"'{family.name}' wants {wanted} {'index' if wanted == 1 else 'indices'}, got {given}",
                span,
                shape,
                [Related("declared here", family.span)],
            )
        index = leading + tuple(
            self.family_index(a, p.type, family)
            for a, p in zip(arguments, family.parameters[len(leading) :], strict=True)
        )
        if isinstance(family, Zone):
            return Pile(span, List(family.piece, self.holds_at_most(family)), family, index)
        assert isinstance(family, Variable)
        return ReadVariable(span, family.type, family, index)

    def one_of(self, pile: str, arguments: tuple[nodes.Expression, ...]) -> str | None:
        """How the piece at a position of a pile is written, where the last index is a position: `item(me.hand, 2)`."""
        *indices, at = arguments
        if not isinstance(self.expr(at).type, Int):
            return None
        pile += f"[{', '.join(map(format, indices))}]" if indices else ""
        position = "1" if isinstance(at, nodes.Number) and at.value == 0 else format(at)
        return f"item({pile}, {position}): it counts from 1"

    def family_index(self, node: nodes.Expression, wanted: Type, family: Family) -> Expression:
        """One index; that it is inside is seen to when it runs, unless it certainly is not."""
        what = f"the index of '{family.name}'"
        value = self.coerce(self.expr(node, wanted), wanted, node, what)
        self.within(value, wanted, node, what)
        return value

    def holds_at_most(self, zone: Zone) -> int:
        """How many pieces can lie in a zone."""
        if zone.capacity is not None:
            return zone.capacity
        return len(self.symbols.kinds[zone.holds].ids) if zone.holds in self.symbols.kinds else self.symbols.pieces

    def attribute(self, node: nodes.Attribute, arguments: tuple[nodes.Expression, ...]) -> Expression:
        """`x.f`, `x.f[more]`: an attribute, else a zone or variable `f[x]`, else the function `f(x)`."""
        symbols, name = self.symbols, node.name
        if isinstance(node.of, nodes.Name) and self.find(node.of.id) is None and node.of.id in symbols.kinds:
            kind = symbols.kinds[node.of.id]
            number = kind.first(name)
            kind.uses += 1
            if number is not None:
                return Constant(node.span, kind.type, number)
            if not kind.is_piece and node.of.id not in symbols.zones and node.of.id not in symbols.variables:
                return self.misnamed("HR501", f"'{kind.name}' has no member '{name}'", node.name_span, name, kind.ids)
        of = self.expr(node.of)
        if isinstance(of.type, Unknown):
            return of
        of = self.require_present(of, node.of)
        type = of.type
        if isinstance(type, List):
            return self.error(
                "HR508",
                f"'{format(node.of)}' is {self.words_for(of)}, and only one thing has a '.{name}'",
                node.name_span,
                f"for each of them: x.{name} for x in {format(node.of)}" if not isinstance(of, AllPieces) else None,
                self.declared(of),
            )
        if (
            isinstance(type, Member | Piece)
            and type.kind
            and name in symbols.kinds[type.kind].attribute_types
            and not arguments
        ):
            kind = symbols.kinds[type.kind]
            attribute_type = kind.attribute_types[name]
            if isinstance(of, Constant) and isinstance(of.value, int):
                value = kind.attributes[name][of.value - kind.base] if kind.attributes.get(name) else 0
                return Constant(node.span, attribute_type, value)
            return Printed(node.span, attribute_type, kind, name, of)
        families: list[Family] = [f for f in (symbols.zones.get(name), symbols.variables.get(name)) if f]
        for found in families:
            if found.parameters and fits(type, found.parameters[0].type):
                return self.family(found, arguments, (of,), node.span, node)
        function = symbols.functions.get(name)
        if function is not None and function.parameters and fits(type, function.parameters[0].type):
            return self.evaluate(function, arguments, (of,), node.span)
        return self.no_such_feature(node, type)

    def features(self, type: Type) -> list[str]:
        """Everything that can follow a dot after a value of that type."""
        symbols = self.symbols
        found = (
            list(symbols.kinds[type.kind].attribute_types) + list(symbols.kinds[type.kind].effects)
            if isinstance(type, Member | Piece) and type.kind
            else []
        )
        for family in [*symbols.zones.values(), *symbols.variables.values()]:
            if family.parameters and fits(type, family.parameters[0].type):
                found.append(family.name)
        found += [f.name for f in symbols.functions.values() if f.parameters and fits(type, f.parameters[0].type)]
        return found

    def no_such_feature(self, node: nodes.Attribute, type: Type) -> Expression:
        """Say that x has no f, and what was probably meant."""
        name = node.name
        if isinstance(type, Member | Piece) and type.kind and name in self.symbols.kinds[type.kind].effects:
            return self.error("HR509", f"'{name}' is an effect, not a value", node.name_span, f"perform {format(node)}")
        if isinstance(type, Piece) and type.kind is None:
            homes = [k.name for k in self.symbols.kinds.values() if k.is_piece and name in k.attribute_types]
            if homes:
                return self.error(
                    "HR502",
                    f"a piece of any kind has no '{name}'; a {homes[0]} has",
                    node.name_span,
                    f"ask first: if {format(node.of)} is {homes[0]}: …",
                )
        otherwise = None
        if isinstance(type, Member | Piece | Player):
            otherwise = f"what changes is declared: `variables: {{{name}({spelled(type)}): int}}`"
        return self.misnamed("HR502", f"{type} has no '{name}'", node.name_span, name, self.features(type), otherwise)
