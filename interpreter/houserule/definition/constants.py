"""Values known before a match: options, tables, and the functions that are lent to compute which pieces there are, and how many."""

from __future__ import annotations

from collections.abc import Callable as Function
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from houserule.definition.model import (
    CallableDefinition,
    GameDefinition,
    OptionDefinition,
    TableDefinition,
    TableValues,
    WindowDefinition,
)
from houserule.diagnostics import LINE, Related, Report, Span
from houserule.frozen import by_value
from houserule.language import checked, nodes
from houserule.language import types as ty
from houserule.language.calls import check_routine
from houserule.language.checked import Kind, Parameter, Routine, Table
from houserule.language.fitting import coerce, in_range
from houserule.language.lists import list_expr
from houserule.language.names import MOST_LISTED
from houserule.language.scope import Analysis, Budget, One, bind
from houserule.language.symbols import Option, SymbolTable
from houserule.language.trees import expressions, statements, walk
from houserule.language.typecheck import expr
from houserule.printable import whole_number

PLAIN = checked.Return | checked.Branch | checked.SetLocal
"""The statements of functions that can be evaluated before a match: those without loops."""
Functions = dict[str, CallableDefinition]


def wanted(functions: Functions, node: object) -> Functions:
    """The functions of a game that a text may call, with their callees."""
    found: Functions = {}
    waiting = [node]
    while waiting:
        for inner in walk(waiting.pop()):
            match inner:
                case nodes.Name(id=word) | nodes.Attribute(name=word) if word in functions and word not in found:
                    found[word] = functions[word]
                    waiting.append(functions[word].body)
    return found


def lent(draft: Draft, functions: Functions) -> Draft:
    """A draft in which these functions can be called. What else they note is forgotten with it."""
    symbols = replace(draft.symbols, functions={}, imagined=[])
    own = Report()
    analysis = replace(draft.analysis, symbols=symbols, report=own, is_declared=True, sites=[], inherited_calls=[])
    made = replace(draft, analysis=analysis)
    for name, definition in functions.items():
        symbols.functions[name] = Routine(name, parameters_of(made, definition), definition.span, True, definition.body)
    for routine in symbols.functions.values():
        wrong = len(own.found)
        check_routine(analysis, routine)
        if len(own.found) > wrong:
            routine.body = ()
    analysis.report = draft.report
    return made


def parameters_of(
    draft: Draft, written: nodes.Signature | CallableDefinition | WindowDefinition
) -> tuple[Parameter, ...]:
    return tuple(Parameter(named_type(draft, p.type), p.name, p.span) for p in written.parameters)


def what_changes(value: object, calling: tuple[Routine, ...] = ()) -> str:
    """What in an expression is not known before a match, in words: it changes, or cannot be evaluated then; nothing if all is known."""
    for part in expressions(value):
        match part:
            case checked.ReadVariable(variable=family) | checked.Pile(zone=family) | checked.AllPieces(zone=family):
                return f"'{family.name}' changes during it"
            case checked.Call(function=function):
                body = function.body or ()
                if isinstance(function.result, ty.Unknown) or not body:
                    return f"'{function.name}' cannot be worked out before it"
                if function.needs_me:
                    return f"'{function.name}' needs a me"
                if function in calling:
                    return f"'{function.name}' calls itself"
                if not all(isinstance(one, PLAIN) for one in statements(body)):
                    return f"'{function.name}' has a loop"
                if found := what_changes(body, (*calling, function)):
                    return found
            case _ if isinstance(part.type, ty.Unknown):
                return "this cannot be worked out before it"
            case _:
                pass
    return ""


Value = int | tuple[int, ...]
Evaluator = Function[[checked.Expression, Mapping[str, Value], Budget], Value]


@dataclass(slots=True, eq=False)
class Draft:
    """A symbol table under construction: its definition, and an evaluator of constants over the names declared so far."""

    game: GameDefinition
    analysis: Analysis
    evaluate: Evaluator
    settings: Mapping[str, int | str]
    misspelt: set[tuple[str, str | None]] = field(default_factory=set)
    """Attributes that a piece has under another name: they are not reported as missing."""
    lent: set[str] = field(default_factory=set)
    """Functions that constants may have been computed with."""

    @property
    def symbols(self) -> SymbolTable:
        return self.analysis.symbols

    @property
    def report(self) -> Report:
        return self.analysis.report


@by_value
class Formula:
    """A constant expression over some names, checked once and evaluated for any values of these."""

    expression: checked.Expression
    unique: Mapping[str, str]  # the names in the checked tree
    span: Span
    what: str


def named_type(draft: Draft, node: nodes.TypeName) -> ty.Type:
    """The type that a declaration names; unknown after a diagnostic."""
    found = element_type(draft, node)
    if isinstance(found, ty.Unknown):
        return found
    if node.optional:
        found = ty.Maybe(found)
    return ty.List(found) if node.is_list else found


OTHER_TYPES = {
    **dict.fromkeys(
        ("string", "str", "text"), "text is not a value; words to choose from are an enum: enums: {name: [word, other]}"
    ),
    **dict.fromkeys(("float", "double", "decimal", "number"), "numbers are whole: int, or a range such as 0..20"),
}
"""What is declared instead of types of other languages."""


def element_type(draft: Draft, node: nodes.TypeName) -> ty.Type:
    """The type that a declaration names, without `or none` and `list of`."""
    match node.name:
        case "int":
            return ty.NUMBER
        case "bool":
            return ty.BOOL
        case "player":
            return ty.PLAYER
        case "piece":
            return ty.Piece(None)
        case "range":
            return range_type(draft, node)
        case name if name in draft.symbols.kinds:
            draft.symbols.kinds[name].uses += 1
            draft.analysis.record(node, draft.symbols.kinds[name])
            return draft.symbols.kinds[name].type
        case name:
            message = f"there is no type '{name}'"
            pool = ["int", "bool", "player", "piece", *draft.symbols.kinds]
            otherwise = OTHER_TYPES.get(
                name, "int, a range such as 0..20, bool, player, piece, an enum or a kind of piece"
            )
            draft.report.misnamed("HR501", message, node.span, name, pool, otherwise)
            return ty.UNKNOWN


def range_type(draft: Draft, node: nodes.TypeName) -> ty.Type:
    """The type of the numbers between two bounds."""
    assert node.low is not None and node.high is not None
    low, high = (constant_number(draft, bound, "this bound") for bound in (node.low, node.high))
    if low is None or high is None:
        return ty.NUMBER
    if low > high:
        draft.report.error("HR550", f"this range is empty: {low} is greater than {high}", node.span)
        return ty.NUMBER
    return ty.Int(low, high)


def constant_number(draft: Draft, node: nodes.Expression, what: str) -> int | None:
    """The value of a constant number, or None after a diagnostic."""
    value = constant(draft, node, ty.NUMBER, what)
    return value if isinstance(value, int) else None


def constant(draft: Draft, node: nodes.Expression, wanted: ty.Type, what: str) -> Value | None:
    """The value of an expression over options and player_count, or None after a diagnostic."""
    value = literal(draft, node, wanted)
    if value is not None:
        return value
    found = formula(draft, node, wanted, what, {})
    return None if found is None else formula_value(draft, found, {})


def known(draft: Draft, node: nodes.Expression, wanted: ty.Type, what: str) -> checked.Constant | None:
    """The value of such an expression as a constant of the checked tree, with its own type."""
    found = formula(draft, node, wanted, what, {})
    value = None if found is None else formula_value(draft, found, {})
    return None if found is None or value is None else checked.Constant(node.span, found.expression.type, value)


def literal(draft: Draft, node: nodes.Expression, wanted: ty.Type) -> int | None:
    """The value of a literal number, truth value or member: most of what is printed on pieces."""
    type = wanted.of if isinstance(wanted, ty.Maybe) else wanted
    match node, type:
        case nodes.Number(value=value), ty.Int(low, high) if low <= value <= high:
            return value
        case nodes.Truth(value=is_true), ty.Bool():
            return int(is_true)
        case nodes.Name(id=word), ty.Member(kind) if kind in draft.symbols.kinds:
            number = draft.symbols.kinds[kind].first(word)
            if number is not None:
                draft.analysis.record(node, One(draft.symbols.kinds[kind], number))
            return number
    return None


def formula(
    draft: Draft, node: nodes.Expression, expected: ty.Type, what: str, names: Mapping[str, ty.Type]
) -> Formula | None:
    """A constant expression over some names, checked; None after a diagnostic."""
    functions = wanted(draft.game.functions, node) if draft.game.functions and not draft.analysis.is_declared else {}
    draft.lent.update(functions)
    inner = lent(draft, functions) if functions else draft
    context = inner.analysis.context()
    unique = {word: bind(context, word, type, node.span, "binder").unique for word, type in names.items()}
    found_before = len(draft.report.found)
    check = list_expr if isinstance(expected, ty.List) else expr
    expression = coerce(context, check(context, node, expected), expected, node, what)
    expression = in_range(context, expression, expected, node, what)
    if len(draft.report.found) > found_before:
        return None
    if isinstance(expression.type, ty.Unknown) and not inner.analysis.is_declared:
        return None
    return Formula(expression, unique, node.span, what) if check_constant(draft, expression, what, node.span) else None


def check_constant(draft: Draft, expression: checked.Expression, what: str, span: Span) -> bool:
    """Whether an expression reads nothing that changes during a match; reports it if it does."""
    found = what_changes(expression)
    if found:
        message = f"{what} must be known before the game starts, but {found}"
        help = "use numbers, members, options and player_count"
        draft.report.error("HR515", message, span, help, follows_from=(LINE,))
    return not found


def formula_value(draft: Draft, formula: Formula, values: Mapping[str, Value]) -> Value | None:
    """The value of a formula for these values of its names, or None after a diagnostic."""
    return evaluated(
        draft, formula.expression, {formula.unique[name]: v for name, v in values.items()}, formula.what, formula.span
    )


def evaluated(
    draft: Draft, expression: checked.Expression, values: Mapping[str, Value], what: str, span: Span
) -> Value | None:
    """The value of a checked constant expression, or None after a diagnostic."""
    try:
        return draft.evaluate(expression, values, draft.analysis.budget)
    except ValueError as error:
        draft.report.error("HR554", f"{what} cannot be worked out: {error}", span)
        return None


def table(draft: Draft, definition: TableDefinition) -> Table:
    """A table with its indices and entries; without entries, after a diagnostic."""
    name, span = definition.name, definition.span
    entries, index = level(draft, definition, definition.values)
    rows = [e for e in entries if isinstance(e, tuple | dict)]
    if not rows:
        values, type = cell_values(draft, name, cells(entries))
        return Table(name, span, (index,), (0,), values, type)
    unknown = Table(name, span, (index,), (0,), (), ty.UNKNOWN)
    if len(rows) != len(entries):
        help = "a list, [0, 1, 3], or rows of one length, [[0, 1], [2, 3]]"
        draft.report.error("HR524", f"table '{name}' mixes entries and rows", odd_one(entries, span), help)
        return unknown
    if are_single(definition.values):
        message = f"table '{name}' is a list of maps with one entry each; its entries are keys of one map"
        keys = ", ".join(f"{word}: …" for row in rows if isinstance(row, dict) for word in row)
        draft.report.error("HR524", message, span, f"{name}: {{{keys}}}")
        return unknown
    found = [level(draft, definition, row) for row in rows]
    if any(isinstance(of_row, ty.Unknown) for _, of_row in found) or not are_alike(draft, name, span, found):
        return unknown
    values, type = cell_values(draft, name, [cell for row, _ in found for cell in cells(row)])
    size = len(found[0][0])
    cut = tuple(values[number * size : (number + 1) * size] for number in range(len(rows)))
    return Table(name, span, (index, found[0][1]), (0, 0), cut, type)


def odd_one(entries: list[TableValues], span: Span) -> Span:
    """The place of the first entry among rows, or the first row among entries, whichever are fewer."""
    single = cells(entries)
    in_rows = [cell for row in entries if isinstance(row, tuple) for cell in cells(list(row))]
    return next((cell.span for cell in (single if 2 * len(single) < len(entries) else in_rows)), span)


def are_single(written: TableValues) -> bool:
    """Whether what should be one map is a list of maps with one entry each, all different."""
    if not isinstance(written, tuple) or len(written) < 2:
        return False
    words = [word for row in written if isinstance(row, dict) and len(row) == 1 for word in row]
    return len(set(words)) == len(written)


def cells(entries: list[TableValues]) -> list[nodes.Expression]:
    return [entry for entry in entries if not isinstance(entry, tuple | dict)]


def are_alike(draft: Draft, name: str, span: Span, rows: list[tuple[list[TableValues], ty.Type]]) -> bool:
    """Whether all rows of a table have the same index and length, and no row as an entry; reports it if not."""
    first, index = rows[0]
    for row, other in rows:
        place = next((cell.span for cell in cells(row)), span)
        if len(cells(row)) < len(row):
            message, help = f"the rows of table '{name}' have rows in them", "a table has one index or two"
        elif other != index:
            message = f"the rows of table '{name}' must be alike: the index of one is {index}, of another {other}"
            help = "a table for each"
        elif len(row) != len(first):
            message = f"the rows of table '{name}' must be of one length: {len(first)} and {len(row)} entries"
            help = "as many entries in each row"
        else:
            continue
        draft.report.error("HR524", message, place, help)
        return False
    return True


def level(draft: Draft, definition: TableDefinition, written: TableValues) -> tuple[list[TableValues], ty.Type]:
    """The entries of a table or a row in the order of the index, and the type of the index."""
    name, span = definition.name, definition.span
    if isinstance(written, tuple):
        return list(written), ty.NUMBER
    if not isinstance(written, dict):
        message = f"table '{name}' is a list or a map from every member"
        draft.report.error("HR524", message, span, "[0, 1, 3, 6]")
        return [], ty.UNKNOWN
    enums = [kind for kind in draft.symbols.kinds.values() if not kind.is_piece]
    homes = [enum for enum in enums if all(word in enum.ids for word in written)]
    if not homes:
        report_stranger(draft, definition, written, enums)
        return [], ty.UNKNOWN
    enum = next((enum for enum in homes if len(enum.ids) == len(written)), homes[0])
    enum.uses += 1
    missing = next((id for id in enum.ids if id not in written), None)
    if missing is not None:
        message, related = (
            f"table '{name}' has no entry for '{missing}'",
            [Related(f"members of '{enum.name}'", enum.span)],
        )
        lacking = ", ".join(f"{id}: …" for id in enum.ids if id not in written)
        draft.report.error("HR524", message, span, lacking, related, follows_from=(missing,))
        return [], ty.UNKNOWN
    return [written[id] for id in enum.ids], enum.type


def report_stranger(
    draft: Draft, definition: TableDefinition, written: dict[str, TableValues], enums: list[Kind]
) -> None:
    """Report an entry for a word that is no member of the enum that was probably meant."""
    near = max(enums, key=lambda enum: sum(word in enum.ids for word in written), default=None)
    stranger = next((word for word in written if near is None or word not in near.ids), "")
    of = f"{near.name!r}" if near else "any enum"
    message = f"table '{definition.name}' has an entry for '{stranger}', which is not a member of {of}"
    place = definition.places.get(stranger, definition.span)
    known = [*(near.ids if near else ()), *([] if near and set(near.ids) & set(written) else ["values"])]
    advice: str | None = draft.report.did_you_mean(stranger, known)
    if all(map(str.isdigit, written)):
        advice = "by numbers it is a list, which counts from 0: [0, 1, 3, 6]"
    draft.report.error("HR524", message, place, advice)


def cell_values(draft: Draft, name: str, written: list[nodes.Expression]) -> tuple[tuple[int, ...], ty.Type]:
    """The values of entries and their type; no values, after a diagnostic, if their types differ."""
    type: ty.Type = ty.UNKNOWN
    for cell in written:
        expression = expr(draft.analysis.context(), cell)
        joined = ty.join(type, expression.type)
        if joined is None:
            message = f"the entries of table '{name}' must be alike: {type} and {expression.type}"
            draft.report.error("HR510", message, cell.span)
            return (), ty.UNKNOWN
        type = joined
    found = [constant(draft, cell, type, f"an entry of table '{name}'") for cell in written]
    return tuple(value if isinstance(value, int) else 0 for value in found), type


def declare_options(draft: Draft) -> None:
    """Give each option its type and its value, which is constant from here on."""
    for option in draft.game.options.values():
        type = option_type(draft, option)
        default = constant(draft, option.default, type, f"option '{option.name}'")
        value = default if isinstance(default, int) else ty.none_of(type)
        type = type if isinstance(default, int) else ty.UNKNOWN
        if option.name in draft.settings:
            value = setting(draft, option.name, type, value, option.span)
        draft.symbols.options[option.name] = Option(option.name, option.span, type, int(value))


def option_type(draft: Draft, option: OptionDefinition) -> ty.Type:
    """The type of an option; unknown, after a diagnostic, if options cannot have it."""
    type = named_type(draft, option.type)
    message, help = "", ""
    match ty.plain(type):
        case ty.List():
            message, help = "an option cannot be a list", "one option for each"
        case ty.Player():
            message = "an option cannot be a player: who plays is not known when it is set"
            help = f"write the number of a seat, type: 1..{draft.game.players[1]}; item(players, {option.name}) is who sits there"
        case ty.Piece():
            message, help = "an option cannot be a piece", "write a number, bool or an enum"
        case _:
            return type
    draft.report.error("HR510", message, option.type.span, help)
    return ty.UNKNOWN


def setting(draft: Draft, name: str, type: ty.Type, default: int, span: Span) -> int:
    """The value that an option is set to from outside, as a number or as the word for it; the default, after a diagnostic."""
    given = draft.settings[name]
    text = str(given).strip() if not isinstance(given, bool) else "true" if given else "false"
    match ty.plain(type):
        case ty.Bool() if text in ("true", "false", "0", "1"):
            return int(text in ("true", "1"))
        case ty.Int(low, high) if (number := whole_number(text)) is not None and low <= number <= high:
            return number
        case ty.Member(kind) if (number := draft.symbols.kinds[kind].first(text)) is not None:
            return number
        case _ if isinstance(type, ty.Maybe) and text == "none":
            return ty.none_of(type)
    message, plain = f"option '{name}' is {type}, so it cannot be '{text}'", ty.plain(type)
    known = draft.symbols.kinds[plain.kind].ids if isinstance(plain, ty.Member) else ()
    advice = draft.report.did_you_mean(text, known) or ", ".join(known[:MOST_LISTED]) or None
    draft.report.error("HR603", message, span, advice)
    return default
