"""Makes the vocabulary of a game for one number of players: every piece, zone, variable and table with its place and size."""

from __future__ import annotations

from collections.abc import Callable as Function
from collections.abc import Mapping
from typing import Any

from interpreter.definition.model import (
    GameDefinition,
    KindDefinition,
    MemberDefinition,
    TableValues,
    VariableDefinition,
    ZoneDefinition,
)
from interpreter.definition.names import check_names
from interpreter.diagnostics import Related, Report, Span, did_you_mean, nearest
from interpreter.frozen import by_value
from interpreter.language import checked, nodes
from interpreter.language.check import Checker
from interpreter.language.reached import walk
from interpreter.language.scope import (
    NEVER_BOUND,
    RESERVED,
    Callable,
    EffectSlot,
    Family,
    Kind,
    Option,
    Parameter,
    Table,
    Trigger,
    Variable,
    Vocabulary,
    Zone,
)
from interpreter.language.types import (
    BOOL,
    LEAST,
    NUMBER,
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
    join,
    none_of,
    plain,
    spelled,
)

SIGHTS = {
    **dict.fromkeys(("no", "off", "nobody", "hidden", "secret"), "none"),
    **dict.fromkeys(("private", "me", "mine", "my", "own", "self"), "owner"),
    **dict.fromkeys(("yes", "on", "everybody", "everyone", "public", "open"), "all"),
}
"""What people write who mean that nobody, whoever it belongs to, or everybody sees something, and how it is written."""
FROM_OTHERS = ("hidden", "secret")
"""Those of them that may be meant of the others only, where it belongs to somebody."""

MOST_PIECES = 10_000
MOST_SLOTS = 100_000
Value = int | tuple[int, ...]


@by_value
class Constant:
    """A constant expression over some names, ready to be worked out: what the names are called in it."""

    expression: checked.Expression
    unique: Mapping[str, str]
    span: Span
    what: str


Evaluator = Function[[checked.Expression, Mapping[str, Value]], Value]


class VocabularyBuilder:
    """Fills a vocabulary from a definition; `evaluate` works out constant expressions."""

    def __init__(
        self,
        game: GameDefinition,
        checker: Checker,
        report: Report,
        evaluate: Evaluator,
        settings: Mapping[str, int | str],
    ) -> None:
        self.game = game
        self.checker = checker
        self.words: Vocabulary = checker.words
        self.report = report
        self.evaluate = evaluate
        self.settings = settings
        self.misspelt: set[tuple[str, str | None]] = set()  # attributes of a piece that are there under another name

    def build(self) -> None:
        """Everything, in the order in which one thing needs another."""
        for definition in self.game.kinds.values():
            made = Kind(definition.name, definition.is_piece, definition.span, lies=definition.starts_in is not None)
            if not definition.is_piece:
                made.ids = [member.name for member in definition.members]
                made.spans = [member.span for member in definition.members]
            self.words.kinds[definition.name] = made
        self.options()
        for definition in self.game.kinds.values():
            self.attribute_types(definition)
        base = 0
        for definition in sorted(self.game.kinds.values(), key=lambda d: d.is_piece):
            kind = self.words.kinds[definition.name]
            kind.base = base if definition.is_piece else 0
            self.expand(definition, kind)
            base += len(kind.ids) if definition.is_piece else 0
            if base > MOST_PIECES:
                self.report.error("HR551", f"there are more than {MOST_PIECES} pieces", definition.span)
                kind.ids.clear()
                return
            # How many pieces there are may depend on what is printed on the members of an enum: those come first.
            if not definition.is_piece:
                self.attribute_values(definition, kind, early=True)
        self.check_ids()
        for definition in self.game.kinds.values():
            self.attribute_values(definition, self.words.kinds[definition.name])
        self.families()
        self.tables()
        self.callables()
        self.sights()
        check_names(self.words, self.checker.verbs, self.checker.operations, self.report)

    # --- types and constants ----------------------------------------------------------------------------------------------

    def type(self, node: nodes.TypeName) -> Type:
        """The type that is written there."""
        found: Type
        match node.name:
            case "int":
                found = NUMBER
            case "bool":
                found = BOOL
            case "player":
                found = PLAYER
            case "piece":
                found = Piece(None)
            case "range":
                assert node.low is not None and node.high is not None
                low, high = self.whole(node.low), self.whole(node.high)
                if low is None or high is None:
                    found = NUMBER
                elif low > high:
                    self.report.error("HR550", f"this range is empty: {low} is greater than {high}", node.span)
                    found = NUMBER
                else:
                    found = Int(low, high)
            case name if name in self.words.kinds:
                self.words.kinds[name].uses += 1
                found = self.words.kinds[name].type
            case name:
                pool = ["int", "bool", "player", "piece", *self.words.kinds]
                self.report.misnamed(
                    "HR501",
                    f"there is no type '{name}'",
                    node.span,
                    name,
                    pool,
                    "int, a range such as 0..20, bool, player, piece, an enum or a kind of piece",
                )
                return UNKNOWN
        if node.optional:
            found = Maybe(found)
        return List(found) if node.is_list else found

    def constant(self, node: nodes.Expression, wanted: Type, what: str) -> Value | None:
        """The value of an expression over options and player_count, or None after a diagnostic."""
        value = self.written_out(node, wanted)
        if value is not None:
            return value
        constant = self.prepared(node, wanted, what, {})
        return None if constant is None else self.value(constant, {})

    def written_out(self, node: nodes.Expression, wanted: Type) -> int | None:
        """A number, a truth or a member that stands there as it is: most of what is printed on pieces."""
        type = wanted.of if isinstance(wanted, Maybe) else wanted
        match node, type:
            case nodes.Number(value=value), Int(low, high) if low <= value <= high:
                return value
            case nodes.Truth(value=is_true), Bool():
                return int(is_true)
            case nodes.Name(id=word), Member(kind) if kind in self.words.kinds and self.checker.find(word) is None:
                return self.words.kinds[kind].first(word)
        return None

    def prepared(self, node: nodes.Expression, wanted: Type, what: str, names: Mapping[str, Type]) -> Constant | None:
        """A constant expression over some names, checked once for all their values; None after a diagnostic."""
        checker = self.checker
        checker.scopes.append({})
        unique = {word: checker.bind(word, type, node.span, "binder").unique for word, type in names.items()}
        found_before = len(self.report.found)
        expression = checker.items(node, wanted) if isinstance(wanted, List) else checker.expr(node, wanted)
        checker.scopes.pop()
        expression = checker.within(checker.coerce(expression, wanted, node, what), wanted, node, what)
        if len(self.report.found) > found_before or isinstance(expression.type, Unknown):
            return None
        if reads_state(expression):
            self.report.error(
                "HR515",
                f"{what} must be known before the game starts, but this reads what changes during it",
                node.span,
                "numbers, members, options and player_count can stand here",
            )
            return None
        return Constant(expression, unique, node.span, what)

    def value(self, constant: Constant, values: Mapping[str, Value]) -> Value | None:
        """What a constant expression comes to with these values, or None after a diagnostic."""
        try:
            return self.evaluate(constant.expression, {constant.unique[word]: value for word, value in values.items()})
        except ValueError as error:
            self.report.error("HR554", f"{constant.what} cannot be worked out: {error}", constant.span)
            return None

    def whole(self, node: nodes.Expression, what: str = "this bound") -> int | None:
        """A constant number."""
        value = self.constant(node, NUMBER, what)
        return value if isinstance(value, int) else None

    def options(self) -> None:
        """Settings are constants from here on."""
        for option in self.game.options.values():
            type = self.type(option.type)
            if isinstance(type, List):
                self.report.error("HR510", "an option cannot be a list", option.type.span, "one option for each")
                type = UNKNOWN
            default = self.constant(option.default, type, f"option '{option.name}'")
            value = default if isinstance(default, int) else none_of(type)
            type = type if isinstance(default, int) else UNKNOWN
            if option.name in self.settings:
                value = self.setting(option.name, type, self.settings[option.name], value, option.span)
            self.words.options[option.name] = Option(option.name, option.span, type, int(value))

    def setting(self, name: str, type: Type, given: int | str, default: int, span: Span) -> int:
        """The value that an option is set to from outside: a number, or the word for it."""
        text = str(given).strip() if not isinstance(given, bool) else "true" if given else "false"
        match plain(type):
            case Bool():
                if text in ("true", "false", "0", "1"):
                    return int(text in ("true", "1"))
            case Int(low, high):
                if text.lstrip("-").isdigit() and low <= int(text) <= high:
                    return int(text)
            case Member(kind):
                number = self.words.kinds[kind].first(text)
                if number is not None:
                    return number
            case _:
                pass
        if isinstance(type, Maybe) and text == "none":
            return none_of(type)
        self.report.error(
            "HR603",
            f"option '{name}' is {type}, so it cannot be '{text}'",
            span,
        )
        return default

    # --- kinds --------------------------------------------------------------------------------------------------------------

    def attribute_types(self, definition: KindDefinition) -> None:
        """The printed attributes of a kind and the effects its members may have."""
        kind = self.words.kinds[definition.name]
        for name, (type, span) in definition.attributes.items():
            kind.attribute_types[name] = self.type(type)
            kind.attribute_spans[name] = span
        for name, _, span in definition.each:
            if name not in kind.attribute_types:
                self.report.misnamed(
                    "HR501",
                    f"'{definition.name}' has no attribute '{name}' to make one of each for",
                    span,
                    name,
                    kind.attribute_types,
                    f"attributes: {{{name}: …}}",
                )
                kind.attribute_types[name] = UNKNOWN
        for back, span in definition.back:
            if back not in kind.attribute_types:
                self.report.misnamed(
                    "HR501",
                    f"'{definition.name}' has no attribute '{back}' to show on its back",
                    span,
                    back,
                    kind.attribute_types,
                )
        kind.back = tuple(b for b, _ in definition.back if b in kind.attribute_types)
        for signature in definition.effects:
            parameters = tuple(Parameter(self.type(p.type), p.name, p.span) for p in signature.parameters)
            kind.effects[signature.name] = EffectSlot(definition.name, signature.name, parameters, signature.name_span)
        self.check_keys(definition, kind)

    def check_keys(self, definition: KindDefinition, kind: Kind) -> None:
        """Everything that is written of a piece or member is an attribute or an effect of its kind."""
        known = [*kind.attribute_types, *kind.effects]
        for member in definition.members:
            for key, span in member.key_spans.items():
                if key not in known:
                    left_out = [name for name in known if name not in member.key_spans]
                    likely = nearest(key, left_out)
                    self.report.misnamed(
                        "HR502",
                        f"a {kind.name} has no attribute and no effect '{key}'",
                        span,
                        key,
                        left_out,
                        f"attributes: {{{key}: …}}, or effects: [{key}]",
                        [Related("the kind is declared here", kind.span)],
                    )
                    if likely in kind.attribute_types:
                        self.misspelt.add((member.name, likely))

    def expand(self, definition: KindDefinition, kind: Kind) -> None:
        """All members and pieces of a kind with their copies."""
        kind.ids, kind.copies, kind.spans = [], [], []
        if definition.each:
            self.expand_product(definition, kind)
        for member in definition.members:
            copies = self.copies(definition, member)
            if len(kind.ids) + copies > MOST_PIECES:
                self.report.error(
                    "HR551", f"there are more than {MOST_PIECES} pieces of '{definition.name}'", member.span
                )
                return
            for copy in range(1, copies + 1):
                kind.ids.append(member.name)
                kind.copies.append(copy)
                kind.spans.append(member.span)

    def copies(self, definition: KindDefinition, member: MemberDefinition) -> int:
        """How many copies there are of a piece."""
        lengths = {
            name: len(v)
            for name, v in member.attributes.items()
            if isinstance(v, tuple) and not isinstance(plain_list(definition, name), bool)
        }
        for name, length in lengths.items():
            if length != next(iter(lengths.values())):
                self.report.error(
                    "HR516",
                    f"'{member.name}' has lists of different lengths: {' and '.join(f'{n} has {k}' for n, k in lengths.items())}",
                    member.key_spans[name],
                    "a list gives each copy its own value",
                )
                return 1
        if member.count is not None:
            count = self.whole(member.count, what=f"the count of '{member.name}'")
            if count is None:
                return 1
            if count < 0 or count > MOST_PIECES:
                self.report.error(
                    "HR551", f"the count of '{member.name}' is {count}; 0..{MOST_PIECES} is possible", member.count.span
                )
                return 1
            if lengths and count != next(iter(lengths.values())):
                name = next(iter(lengths))
                self.report.error(
                    "HR516",
                    f"'{member.name}' has a count of {count}, but '{name}' has {lengths[name]} entries",
                    member.key_spans[name],
                    "leave 'count' out: there is one copy for each entry",
                )
            return count
        return next(iter(lengths.values()), 1)

    def expand_product(self, definition: KindDefinition, kind: Kind) -> None:
        """One piece for every combination, or as many copies as `count` says; none where `where` does not hold."""
        names = tuple(name for name, _, _ in definition.each)
        types = [kind.attribute_types[name] for name in names]
        kind.product_names = names
        kind.attributes.update({name: [] for name in names})
        for combination in self.combinations(definition, kind):
            for name, value in zip(names, combination, strict=True):
                kind.attributes[name].append(value)
            kind.ids.append(self.product_id(definition.name, list(zip(types, combination, strict=True))))
            kind.copies.append(1)
            kind.spans.append(definition.span)
        columns: list[list[Any]] = [kind.ids, kind.spans, *(kind.attributes[name] for name in names)]
        copies = self.copies_of_each(definition, kind)
        if sum(copies) > MOST_PIECES:
            self.report.error(
                "HR551", f"there are more than {MOST_PIECES} pieces of '{definition.name}'", definition.span
            )
            copies = [1] * len(copies)
        for column in columns:
            column[:] = [value for value, count in zip(column, copies, strict=True) for _ in range(count)]
        kind.copies[:] = [copy for count in copies for copy in range(1, count + 1)]
        for position, copy in enumerate(kind.copies):
            if copy == 1:
                cell = [kind.attributes[name][position] for name in names]
                kind.cells[tuple(value for value in cell if isinstance(value, int))] = kind.base + position
        kind.product = tuple(
            self.bounds(type, [cell[position] for cell in kind.cells]) for position, type in enumerate(types)
        )

    def combinations(self, definition: KindDefinition, kind: Kind) -> list[tuple[int, ...]]:
        """All combinations of what `each` goes through; the values of one part may depend on those before it."""
        found: list[tuple[int, ...]] = [()]
        known: dict[str, Type] = {}
        for name, source, span in definition.each:
            values_after = self.each_source(source, known)
            longer: list[tuple[int, ...]] = []
            for combination in found:
                longer += [(*combination, value) for value in values_after(dict(zip(known, combination, strict=True)))]
                if len(longer) > MOST_PIECES:
                    self.report.error("HR551", f"'{definition.name}' has more than {MOST_PIECES} combinations", span)
                    return []
            found = longer
            known[name] = kind.attribute_types[name]
        return found

    def each_source(
        self, source: nodes.Expression, known: Mapping[str, Type]
    ) -> Function[[Mapping[str, Value]], list[int]]:
        """The values that one part of a product goes through, for values of the parts before it."""
        if isinstance(source, nodes.Name) and source.id in ("player", "bool"):
            always = list(range(self.words.players if source.id == "player" else 2))
            return lambda _: always
        constant = self.prepared(source, List(UNKNOWN), "what `each` goes through", known)

        def values(before: Mapping[str, Value]) -> list[int]:
            found = self.value(constant, before) if constant is not None else None
            return list(found) if isinstance(found, tuple | list) else []

        return values

    def copies_of_each(self, definition: KindDefinition, kind: Kind) -> list[int]:
        """How many copies there are of each combination: one, what `count` says, or none because of `where`."""
        copies = [1] * len(kind.ids)
        what = f"the count of '{definition.name}'"
        for node, wanted, saying in ((definition.where, BOOL, "this condition"), (definition.count, NUMBER, what)):
            constant = None if node is None else self.prepared(node, wanted, saying, {"it": kind.type})
            for position, count in enumerate(copies if constant is not None else ()):
                found = self.value(constant, {"it": kind.base + position}) if count and constant is not None else 0
                if found is None:
                    return copies
                copies[position] = max(0, min(int(found), MOST_PIECES)) if isinstance(found, int) else count
        return copies

    def bounds(self, declared: Type, values: list[int]) -> Type:
        """The type of an index of a product: for numbers, from the least to the greatest that there is."""
        return (
            Int(min(values, default=0), max(values, default=0)) if isinstance(plain(declared), Int) else plain(declared)
        )

    def product_id(self, kind: str, parts: list[tuple[Type, Value]]) -> str:
        """`carpet_pink`, `space_1_1_1`, `die_1_white`."""
        words = []
        for type, value in parts:
            assert isinstance(value, int)
            match plain(type):
                case Member(name) | Piece(str(name)):
                    other = self.words.kinds[name]
                    words.append(other.ids[value - other.base])
                case Player():
                    words.append(str(value + 1))
                case Bool():
                    words.append("true" if value else "false")
                case _:
                    words.append(str(value).replace("-", "minus"))
        text = "_".join(words)
        return text if text[:1].isalpha() else f"{kind}_{text}"

    def needs_pieces(self, definition: KindDefinition, name: str) -> bool:
        """Whether an attribute may speak of pieces, so that it is not known before they are there."""
        known = {"player_count", *self.words.options}
        for kind in self.words.kinds.values():
            if not kind.is_piece:
                known.update([kind.name, *kind.ids])
        type = self.words.kinds[definition.name].attribute_types[name]
        written = [member.attributes.get(name) for member in definition.members]
        return isinstance(plain(type.of if isinstance(type, List) else type), Piece) or any(
            node.id not in known for value in written for node in walk(value) if isinstance(node, nodes.Name)
        )

    def attribute_values(self, definition: KindDefinition, kind: Kind, early: bool = False) -> None:
        """What is printed on each; `early` what is known before there are pieces."""
        by_name = {member.name: member for member in definition.members}
        for name, type in kind.attribute_types.items():
            if name in kind.attributes or (early and self.needs_pieces(definition, name)):
                continue
            values: list[Value] = []
            cache: dict[str, Value | None] = {}
            for position, (id, copy) in enumerate(zip(kind.ids, kind.copies, strict=True)):
                member = by_name.get(id)
                if member is None:
                    values.append(self.missing(definition, name, type, id, kind.spans[position]))
                    continue
                written = member.attributes.get(name)
                value: Value | None
                if written is None:
                    if copy == 1:
                        cache[id] = self.missing(definition, name, type, id, member.span)
                    value = cache.get(id)
                elif isinstance(written, tuple) and not isinstance(type, List):
                    value = (
                        self.constant(written[min(copy, len(written)) - 1], type, f"'{name}' of '{id}'")
                        if written
                        else None
                    )
                else:
                    if copy == 1 or id not in cache:
                        whole = nodes.ListOf(member.span, written) if isinstance(written, tuple) else written
                        cache[id] = self.constant(whole, type, f"'{name}' of '{id}'")
                    value = cache[id]
                values.append(none_of(type) if value is None else value)
            kind.attributes[name] = values

    def missing(self, definition: KindDefinition, name: str, type: Type, id: str, span: Span) -> Value:
        """An attribute that is left out: none or false, else an error."""
        if isinstance(type, Maybe):
            return none_of(type)
        if isinstance(type, Bool | Unknown):
            return 0
        if isinstance(type, List):
            return ()
        if (id, name) not in self.misspelt:
            self.report.error(
                "HR517",
                f"'{id}' has no '{name}', and {type} cannot be left out",
                span,
                f"{name}: …",
                [Related("the attribute is declared here", definition.attributes[name][1])],
            )
        return type.low if isinstance(type, Int) and type.low > LEAST else 0

    def check_ids(self) -> None:
        """Ids of pieces are unique, and no piece is called like a kind; members are unique in their enum."""
        seen: dict[str, tuple[str, Span]] = {}
        for kind in self.words.kinds.values():
            own: dict[str, Span] = {}
            for id, copy, span in zip(kind.ids, kind.copies, kind.spans, strict=True):
                if copy > 1:
                    continue
                if id in own:
                    self.report.error(
                        "HR301", f"'{kind.name}' has '{id}' twice", span, None, [Related("the first is here", own[id])]
                    )
                own[id] = span
                if id in RESERVED or id in NEVER_BOUND:
                    self.report.error("HR504", f"'{id}' is a word of the language, so nothing can be called that", span)
                if kind.is_piece:
                    if id in seen and seen[id][0] != kind.name:
                        self.report.error(
                            "HR504",
                            f"'{id}' is the name of a {seen[id][0]} already",
                            span,
                            None,
                            [Related("declared here", seen[id][1])],
                        )
                    seen[id] = (kind.name, span)
                    if id in self.words.kinds:
                        self.report.error(
                            "HR504",
                            f"a piece cannot be called '{id}': that is the name of a kind",
                            span,
                            None,
                            [Related("the kind is declared here", self.words.kinds[id].span)],
                        )

    # --- zones and variables ----------------------------------------------------------------------------------------------------

    def parameters(
        self, given: tuple[nodes.Parameter, ...], what: str
    ) -> tuple[tuple[Parameter, ...], tuple[int, ...], tuple[int, ...]]:
        """The indices of a family: finite types, their first values and sizes."""
        found, lows, sizes = [], [], []
        for parameter in given:
            type = self.type(parameter.type)
            domain = self.words.domain(type)
            if domain is None:
                if not isinstance(type, Unknown):
                    self.report.error(
                        "HR518",
                        f"the index of {what} must be of a finite type, and {type} is not",
                        parameter.span,
                        "an enum, a kind of piece, player, bool, or a range such as 1..6",
                    )
                domain = range(1)
            found.append(Parameter(type, parameter.name, parameter.span))
            lows.append(domain.start if len(domain) else 0)
            sizes.append(len(domain))
        return tuple(found), tuple(lows), tuple(sizes)

    def families(self) -> None:
        """Slots for all zones and variables."""
        slots = 0
        for definition in self.game.zones.values():
            zone = self.zone(definition, slots)
            self.words.zones[zone.name] = zone
            slots += zone.size
            if self.too_many(slots, definition.span):
                return
        slots = 0
        for variable_definition in self.game.variables.values():
            variable = self.variable(variable_definition, slots)
            self.words.variables[variable.name] = variable
            slots += variable.size
            if self.too_many(slots, variable_definition.span):
                return
        for definition in self.game.zones.values():
            if definition.refill is not None and definition.refill not in self.words.zones:
                self.report.misnamed(
                    "HR501",
                    f"there is no zone '{definition.refill}' to refill from",
                    definition.refill_span or definition.span,
                    definition.refill,
                    self.words.zones,
                )
            elif definition.refill is not None and self.words.zones[definition.refill].sizes not in (
                (),
                self.words.zones[definition.name].sizes,
            ):
                self.report.error(
                    "HR511",
                    f"'{definition.refill}' has other indices than '{definition.name}'",
                    definition.refill_span or definition.span,
                )

    def too_many(self, slots: int, span: Span) -> bool:
        """Whether there are more places than can be kept."""
        if slots > MOST_SLOTS:
            self.report.error("HR551", f"that makes {slots} places to keep; {MOST_SLOTS} is the most", span)
        return slots > MOST_SLOTS

    def zone(self, definition: ZoneDefinition, base: int) -> Zone:
        """One family of zones."""
        parameters, lows, sizes = self.parameters(definition.parameters, f"zone '{definition.name}'")
        holds: str | None = definition.holds
        if holds == "piece":
            holds = None
        elif holds not in self.words.kinds or not self.words.kinds[holds].is_piece:
            pool = ["piece", *(k.name for k in self.words.kinds.values() if k.is_piece)]
            self.report.misnamed(
                "HR501",
                f"there is no kind of piece '{holds}' for a zone to hold",
                definition.holds_span,
                definition.holds,
                pool,
            )
            holds = nearest(definition.holds, [name for name in pool if name != "piece"])
        capacity = self.whole(definition.capacity, what="a capacity") if definition.capacity is not None else None
        zone = Zone(
            definition.name,
            parameters,
            definition.span,
            base,
            lows,
            sizes,
            holds=holds,
            ordered=definition.ordered,
            capacity=capacity,
            refill=definition.refill,
        )
        return zone

    def variable(self, definition: VariableDefinition, base: int) -> Variable:
        """One family of variables."""
        parameters, lows, sizes = self.parameters(definition.parameters, f"variable '{definition.name}'")
        type = self.type(definition.type)
        if isinstance(type, List):
            self.report.error(
                "HR510",
                "a variable cannot be a list",
                definition.type.span,
                "a zone for pieces, or a flag for each: `chosen(colour): bool`",
            )
            type = UNKNOWN
        return Variable(
            definition.name,
            parameters,
            definition.span,
            base,
            lows,
            sizes,
            type=type,
            reset=definition.reset,
            of_kind=definition.of_kind,
        )

    def sights(self) -> None:
        """Who sees what, what variables start with, and where pieces begin."""
        for definition in self.game.zones.values():
            zone = self.words.zones.get(definition.name)
            if zone is not None:
                zone.visible = self.sight(definition.visible, zone, zone.piece)
                zone.amount = self.sight(definition.amount, zone, None)
        for variable_definition in self.game.variables.values():
            variable = self.words.variables.get(variable_definition.name)
            if variable is None:
                continue
            variable.visible = self.sight(variable_definition.visible, variable, None)
            if variable_definition.start is not None:
                variable.start = self.start(variable_definition.start, variable)
            elif isinstance(variable.type, Int) and not variable.type.low <= 0 <= variable.type.high:
                self.report.error(
                    "HR519",
                    f"'{variable.name}' must say what it starts with: 0 is not in {variable.type.low}..{variable.type.high}",
                    variable.span,
                    f"{variable_definition.name}: {variable.type.low}..{variable.type.high} = {variable.type.low}",
                )
            elif isinstance(variable.type, Member | Piece | Player):
                self.report.error(
                    "HR519",
                    f"'{variable.name}' must say what it starts with, or may be none",
                    variable.span,
                    f"{variable.name}: {spelled(variable.type)} or none",
                )

    def start(self, node: nodes.Expression, variable: Variable) -> checked.Expression | None:
        """What a variable starts with, seen to be possible for each index."""
        what = f"the start of '{variable.name}'"
        expression = self.over_index(node, variable, variable.type, what)
        if isinstance(expression, checked.Constant):
            return expression
        if reads_state(expression):
            self.report.error(
                "HR515",
                f"{what} must be known before the game starts, but this reads what changes during it",
                node.span,
                "numbers, members, options and player_count can stand here",
            )
            return None
        expression = self.checker.within(expression, variable.type, node, what)
        if variable.size > MOST_SLOTS:
            return expression
        for slot in range(variable.base, variable.base + variable.size):
            try:
                self.evaluate(expression, {f"index_{i}": value for i, value in enumerate(variable.index(slot))})
            except ValueError as error:
                self.report.error("HR554", f"{what} cannot be worked out: {error}", node.span)
                return None
        return expression

    def sight(self, visible: str | nodes.Expression, family: Family, it: Type | None) -> str | checked.Expression:
        """Who sees one of a family."""
        if isinstance(visible, str):
            if visible == "owner" and not self.has_owner(family):
                self.report.error(
                    "HR523",
                    f"'{family.name}' has no owner: none of its indices is a player",
                    family.span,
                    f"{family.name}(player)",
                )
            return visible
        if isinstance(visible, nodes.Name) and visible.id.lower() in SIGHTS and not self.is_known(visible.id, family):
            nobody_is_me = visible.id == "me"
            message = "nobody is 'me' here" if nobody_is_me else f"there is nothing called '{visible.id}' here"
            help = self.sight_meant(visible.id.lower(), family)
            self.report.error("HR530" if nobody_is_me else "HR501", message, visible.span, help)
            return "all"
        if isinstance(visible, nodes.Name) and visible.id != "viewer" and nearest(visible.id, ("all", "none", "owner")):
            self.report.misnamed(
                "HR501",
                f"there is nothing called '{visible.id}' here",
                visible.span,
                visible.id,
                ("all", "none", "owner"),
            )
            return "all"
        names: dict[str, Type] = {"viewer": PLAYER}
        if it is not None:
            names["it"] = it
        return self.over_index(visible, family, BOOL, f"who sees '{family.name}'", names)

    def has_owner(self, family: Family) -> bool:
        """Whether each of a family belongs to a player."""
        return any(
            p.type == PLAYER or (isinstance(p.type, Piece) and p.type.kind and self.words.owned_by_player(p.type.kind))
            for p in family.parameters
        )

    def is_known(self, word: str, family: Family) -> bool:
        """Whether a word alone means something where it is said who sees one of a family."""
        words = self.words
        indices = [parameter.name for parameter in family.parameters]
        return (
            word in words.variables
            or word in words.options
            or word in indices
            or any(word in kind.ids for kind in words.kinds.values())
        )

    def sight_meant(self, word: str, family: Family) -> str:
        """What to write instead of a word that does not say who sees one of a family."""
        meant = SIGHTS[word]
        if meant == "owner" and not self.has_owner(family):
            return "write none: it belongs to nobody"
        if word in FROM_OTHERS and self.has_owner(family):
            return "write owner, or none where not even the owner sees it"
        return f"write {meant}"

    def over_index(
        self, node: nodes.Expression, family: Family, wanted: Type, what: str, more: Mapping[str, Type] | None = None
    ) -> checked.Expression:
        """An expression in which the indices of a family have names: their own, or that of their type."""
        checker = self.checker
        checker.scopes.append({})
        checker.taken = set()
        for position, parameter in enumerate(family.parameters):
            name = parameter.name or (
                parameter.type.kind
                if isinstance(parameter.type, Member | Piece)
                else "player"
                if isinstance(parameter.type, Player)
                else None
            )
            local = checker.bind(name or f"index{position}", parameter.type, family.span, "parameter")
            if local.unique != f"index_{position}":
                del checker.scopes[-1][local.word]
                local.unique = f"index_{position}"
                checker.scopes[-1][local.word] = local
        for word, type in (more or {}).items():
            checker.scopes[-1].pop(word, None)
            local = checker.bind(word, type, family.span, "parameter")
            local.unique = f"_{word}"
        if family.parameters and (more is None or "it" not in more):
            local = checker.bind("it", family.parameters[0].type, family.span, "parameter")
            local.unique = "index_0"
        keep = checker.me
        checker.me = None
        checker.missing_me_said = False
        nobody = checker.nobody
        checker.nobody = (
            "the player who looks is called viewer" if "viewer" in (more or {}) else "name the index, and use that"
        )
        expression = (
            checker.condition(node)[0]
            if wanted == BOOL and more
            else checker.coerce(checker.expr(node, wanted), wanted, node, what)
        )
        if not more:
            checker.within(expression, wanted, node, what)
        checker.me, checker.nobody = keep, nobody
        checker.scopes.pop()
        return expression

    # --- tables and callables ---------------------------------------------------------------------------------------------------

    def tables(self) -> None:
        """Constant look-ups."""
        for definition in self.game.tables.values():
            self.words.tables[definition.name] = self.table(
                definition.name, definition.span, definition.values, definition.places
            )

    def table(self, name: str, span: Span, written: TableValues, places: Mapping[str, Span]) -> Table:
        """One table: its indices, and its entries as tuples."""
        entries, index = self.entries(name, span, written, places)
        nested = [e for e in entries if isinstance(e, tuple | dict)]
        if nested and len(nested) != len(entries):
            self.report.error("HR524", f"table '{name}' mixes entries and rows", span)
            return Table(name, span, (index,), (0,), (), UNKNOWN)
        if nested:
            rows: list[tuple[int, ...]] = []
            row_index: Type = UNKNOWN
            kinds: Type = UNKNOWN
            for row in nested:
                cells, row_index = self.entries(name, span, row)
                values, kinds = self.row(name, cells)
                rows.append(values)
            return Table(name, span, (index, row_index), (0, 0), tuple(rows), kinds)
        values, type = self.row(name, entries)
        return Table(name, span, (index,), (0,), values, type)

    def entries(
        self, name: str, span: Span, written: TableValues, places: Mapping[str, Span] | None = None
    ) -> tuple[list[TableValues], Type]:
        """The entries of one level, in the order of the index, and the type of the index."""
        if isinstance(written, tuple):
            return list(written), NUMBER
        if isinstance(written, dict):
            homes = [k for k in self.words.kinds.values() if not k.is_piece and all(word in k.ids for word in written)]
            homes = [k for k in homes if len(k.ids) == len(written)] or homes
            if not homes:
                near = max(
                    (k for k in self.words.kinds.values() if not k.is_piece),
                    key=lambda k: sum(w in k.ids for w in written),
                    default=None,
                )
                stranger = next((w for w in written if near is None or w not in near.ids), "")
                self.report.error(
                    "HR524",
                    f"table '{name}' has an entry for '{stranger}', which is no member of {f'{near.name!r}' if near else 'any enum'}",
                    (places or {}).get(stranger, span),
                    did_you_mean(stranger, near.ids) if near else None,
                )
                return [], UNKNOWN
            enum = homes[0]
            enum.uses += 1
            missing = [id for id in enum.ids if id not in written]
            if missing:
                self.report.error(
                    "HR524",
                    f"table '{name}' has no entry for '{missing[0]}'",
                    span,
                    f"{missing[0]}: …",
                    [Related(f"members of '{enum.name}'", enum.span)],
                )
                return [], UNKNOWN
            return [written[id] for id in enum.ids], enum.type
        self.report.error("HR524", f"table '{name}' is a list or a map from every member", span, "[0, 1, 3, 6]")
        return [], UNKNOWN

    def row(self, name: str, cells: list[TableValues]) -> tuple[tuple[int, ...], Type]:
        """The values of one row and their type."""
        values: list[int] = []
        type: Type = UNKNOWN
        for cell in cells:
            if isinstance(cell, tuple | dict):
                continue
            self.checker.scopes.append({})
            expression = self.checker.expr(cell)
            self.checker.scopes.pop()
            joined = join(type, expression.type)
            if joined is None:
                self.report.error(
                    "HR510", f"the entries of table '{name}' must be alike: {type} and {expression.type}", cell.span
                )
                continue
            type = joined
        for cell in cells:
            if not isinstance(cell, tuple | dict):
                value = self.constant(cell, type, f"an entry of table '{name}'")
                values.append(value if isinstance(value, int) else 0)
        return tuple(values), type

    def callables(self) -> None:
        """Functions, actions, effects and triggers, unchecked."""
        for section, target in ((self.game.functions, self.words.functions), (self.game.actions, self.words.actions)):
            for definition in section.values():
                parameters = tuple(Parameter(self.type(p.type), p.name, p.span) for p in definition.parameters)
                target[definition.name] = Callable(
                    definition.name, parameters, definition.span, section is self.game.functions, definition.body
                )
        for kind_definition in self.game.kinds.values():
            kind = self.words.kinds[kind_definition.name]
            for member in kind_definition.members:
                for effect, block in member.effects.items():
                    slot = kind.effects[effect]
                    body = Callable(
                        f"{kind.name}.{member.name}.{effect}",
                        slot.parameters,
                        member.key_spans[effect],
                        False,
                        block,
                        this=kind.type,
                    )
                    for number, id in enumerate(kind.ids):
                        if id == member.name:
                            slot.texts[number] = block
                            slot.bodies[number] = body
        for name, trigger in self.game.triggers.items():
            parameters = self.event_parameters(trigger.event)
            block = trigger.body
            if trigger.when is not None:
                block = nodes.Block(block.span, (nodes.If(trigger.when.span, trigger.when, block, None),))
            callable = Callable(f"trigger {name}", parameters, trigger.span, False, block, is_trigger=True)
            self.words.triggers.append(Trigger(name, trigger.event, callable))

    def event_parameters(self, event: nodes.Event) -> tuple[Parameter, ...]:
        """The names that an event gives its trigger."""
        found: list[Parameter] = []
        if event.happening in ("leaves", "enters"):
            zone = self.words.zones.get(event.place)
            if zone is None:
                self.report.misnamed(
                    "HR501", f"there is no zone '{event.place}'", event.place_span, event.place, self.words.zones
                )
                return tuple(Parameter(UNKNOWN, name, event.span) for name in (event.subject, *event.of) if name)
            if event.subject is not None:
                found.append(Parameter(zone.piece, event.subject, event.span))
            return (*found, *self.index_names(event, zone))
        if event.happening == "changes":
            variable = self.words.variables.get(event.place)
            if variable is None:
                self.report.misnamed(
                    "HR501",
                    f"there is no variable '{event.place}'",
                    event.place_span,
                    event.place,
                    self.words.variables,
                )
                return tuple(Parameter(UNKNOWN, name, event.span) for name in ("old", *event.of))
            return (Parameter(variable.type, "old", event.span), *self.index_names(event, variable))
        action = self.words.actions.get(event.place)
        if action is None:
            self.report.misnamed(
                "HR503", f"there is no action '{event.place}'", event.place_span, event.place, self.words.actions
            )
        # The type of a result is known when the action has been checked.
        return (Parameter(UNKNOWN, event.result, event.span),) if event.result is not None else ()

    def index_names(self, event: nodes.Event, family: Family) -> tuple[Parameter, ...]:
        """`of p`: names for the indices."""
        if event.of and len(event.of) != len(family.parameters):
            self.report.error(
                "HR511",
                f"'{family.name}' has {len(family.parameters) or 'no'} {'index' if len(family.parameters) == 1 else 'indices'}, not {len(event.of)}",
                event.place_span,
                None,
                [Related("declared here", family.span)],
            )
            return ()
        return tuple(Parameter(p.type, name, event.span) for name, p in zip(event.of, family.parameters, strict=False))


def plain_list(definition: KindDefinition, attribute: str) -> bool | None:
    """True where the attribute itself is a list, so that a list is its value and not one for each copy."""
    declared = definition.attributes.get(attribute)
    return True if declared is not None and declared[0].is_list else None


def reads_state(expression: checked.Expression) -> bool:
    """Whether an expression reads what changes during a match."""
    changing = checked.ReadVariable | checked.Pile | checked.AllPieces | checked.Single | checked.Evaluate
    return any(isinstance(part, changing) for part in checked.expressions(expression))
