"""Types and constant expressions as written go in; types, values and the settings of options come out."""

from __future__ import annotations

from collections.abc import Callable as Function
from collections.abc import Mapping

from houserule.definition.model import GameDefinition
from houserule.diagnostics import Span
from houserule.frozen import by_value
from houserule.language import checked, nodes
from houserule.language.check import Checker
from houserule.language.scope import Option, Vocabulary
from houserule.language.types import (
    BOOL,
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
    none_of,
    plain,
)

Value = int | tuple[int, ...]


@by_value
class Constant:
    """A constant expression over some names, ready to be worked out: what the names are called in it."""

    expression: checked.Expression
    unique: Mapping[str, str]
    span: Span
    what: str


Evaluator = Function[[checked.Expression, Mapping[str, Value]], Value]


class Constants:
    """Works out what is known before the game starts; `evaluate` works out constant expressions."""

    def __init__(
        self,
        game: GameDefinition,
        checker: Checker,
        evaluate: Evaluator,
        settings: Mapping[str, int | str],
    ) -> None:
        self.game = game
        self.checker = checker
        self.words: Vocabulary = checker.words
        self.report = checker.report
        self.evaluate = evaluate
        self.settings = settings

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
        return Constant(expression, unique, node.span, what) if self.known_before(expression, what, node.span) else None

    def known_before(self, expression: checked.Expression, what: str, span: Span) -> bool:
        """Whether an expression reads nothing that changes during a match; a diagnostic where it does."""
        changing = checked.ReadVariable | checked.Pile | checked.AllPieces | checked.Single | checked.Evaluate
        if not any(isinstance(part, changing) for part in checked.expressions(expression)):
            return True
        self.report.error(
            "HR515",
            f"{what} must be known before the game starts, but this reads what changes during it",
            span,
            "numbers, members, options and player_count can stand here",
        )
        return False

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
            match plain(type):
                case List():
                    self.report.error("HR510", "an option cannot be a list", option.type.span, "one option for each")
                    type = UNKNOWN
                case Player():
                    message = "an option cannot be a player: who plays is not known when it is set"
                    help = f"write the number of a seat, type: 1..{self.game.players[1]}; item(players, {option.name}) is who sits there"
                    self.report.error("HR510", message, option.type.span, help)
                    type = UNKNOWN
                case Piece():
                    message = "an option cannot be a piece"
                    self.report.error("HR510", message, option.type.span, "write a number, bool or an enum")
                    type = UNKNOWN
                case _:
                    pass
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
