"""Who sees each zone or variable of a family, and what it starts with, by index."""

from __future__ import annotations

from collections.abc import Mapping

from houserule.definition.constants import Draft, check_constant, evaluated
from houserule.definition.zones_and_variables import MOST_SLOTS
from houserule.diagnostics import ABOVE, nearest
from houserule.language import checked, nodes
from houserule.language.checked import Family, Variable
from houserule.language.fitting import in_range, typed_expr
from houserule.language.scope import bind
from houserule.language.typecheck import condition
from houserule.language.types import BOOL, EQUAL, PLAYER, Int, Member, Piece, Player, Type, spelled

WORDS = ("all", "none", "owner")
MEANT = {
    **dict.fromkeys(("no", "off", "nobody", "hidden", "secret"), "none"),
    **dict.fromkeys(("private", "me", "mine", "my", "own", "self"), "owner"),
    **dict.fromkeys(("yes", "on", "everybody", "everyone", "public", "open"), "all"),
}
"""Words that people write for `none`, `owner` and `all`."""
FROM_OTHERS = ("hidden", "secret")
"""Those that may mean hidden from the others only, if there is an owner."""


def add_visibility_and_starts(draft: Draft) -> None:
    """Give each family of zones and variables its visibility, and each variable its start."""
    for zone_definition in draft.game.zones.values():
        zone = draft.symbols.zones.get(zone_definition.name)
        if zone is not None:
            zone.visible = visibility(draft, zone_definition.visible, zone, zone.piece)
            zone.amount = visibility(draft, zone_definition.amount, zone, None)
    for definition in draft.game.variables.values():
        variable = draft.symbols.variables.get(definition.name)
        if variable is None:
            continue
        variable.visible = visibility(draft, definition.visible, variable, None)
        if definition.start is not None:
            variable.start = start(draft, definition.start, variable)
        else:
            check_starts_without_saying(draft, variable)


def check_starts_without_saying(draft: Draft, variable: Variable) -> None:
    """Check that a variable without a start may have 0, false or none, which is its default."""
    message = f"'{variable.name}' needs a start"
    match variable.type:
        case Int(low, high) if not low <= 0 <= high:
            advice = f"{variable.name}: {low}..{high} = {low}"
            draft.report.error(
                "HR519", f"{message}: 0 is not in {low}..{high}", variable.span, advice, follows_from=(ABOVE,)
            )
        case Member() | Piece() | Player():
            advice = f"{variable.name}: {spelled(variable.type)} or none"
            draft.report.error("HR519", f"{message}, or may be none", variable.span, advice, follows_from=(ABOVE,))
        case _:
            pass


def start(draft: Draft, node: nodes.Expression, variable: Variable) -> checked.Expression | None:
    """The start of a variable, checked for each index."""
    what = f"the start of '{variable.name}'"
    expression = over_indices(draft, node, variable, variable.type, what)
    if isinstance(expression, checked.Constant):
        return expression
    if not check_constant(draft, expression, what, node.span):
        return None
    expression = in_range(draft.analysis.context(), expression, variable.type, node, what)
    for slot in range(variable.base, variable.base + variable.size) if variable.size <= MOST_SLOTS else ():
        values = {f"index_{i}": value for i, value in enumerate(variable.index(slot))}
        if evaluated(draft, expression, values, what, node.span) is None:
            return None
    return expression


def visibility(
    draft: Draft, written: str | nodes.Expression, family: Family, it: Type | None
) -> str | checked.Expression:
    """Who sees a zone or variable of a family; `it` is the type of its content."""
    if isinstance(written, str):
        if written == "owner" and not has_owner(draft, family):
            message = f"'{family.name}' has no owner: none of its indices is a player"
            draft.report.error("HR523", message, family.span, f"{family.name}(player)")
        return written
    if isinstance(written, nodes.Name):
        word = written.id
        message = f"there is nothing called '{word}' here"
        if word.lower() in MEANT and not is_known(draft, word, family):
            code, message = ("HR530", "nobody is 'me' here") if word == "me" else ("HR501", message)
            draft.report.error(code, message, written.span, word_meant(draft, word.lower(), family), subject=word)
            return "all"
        if word != "viewer" and nearest(word, WORDS):
            draft.report.misnamed("HR501", message, written.span, word, WORDS)
            return "all"
    names = {"viewer": PLAYER} if it is None else {"viewer": PLAYER, "it": it}
    return as_word(over_indices(draft, written, family, BOOL, f"who sees '{family.name}'", names), family)


def has_owner(draft: Draft, family: Family) -> bool:
    return any(
        p.type == PLAYER or (isinstance(p.type, Piece) and p.type.kind and draft.symbols.owned_by_player(p.type.kind))
        for p in family.parameters
    )


def is_known(draft: Draft, word: str, family: Family) -> bool:
    """Whether a word has a meaning as a visibility."""
    symbols = draft.symbols
    return (
        word in symbols.variables
        or word in symbols.options
        or any(word == parameter.name for parameter in family.parameters)
        or any(word in kind.ids for kind in symbols.kinds.values())
    )


def word_meant(draft: Draft, word: str, family: Family) -> str:
    """Advice what to write instead of an unknown word for a visibility."""
    meant = MEANT[word]
    if meant == "owner" and not has_owner(draft, family):
        return "write none: it belongs to nobody"
    if word in FROM_OTHERS and has_owner(draft, family):
        return "write owner, or none if not even the owner sees it"
    return f"write {meant}"


def over_indices(
    draft: Draft,
    node: nodes.Expression,
    family: Family,
    wanted: Type,
    what: str,
    more: Mapping[str, Type] | None = None,
) -> checked.Expression:
    """An expression in which the indices of a family have names (their own, or that of their type), and so do `more`."""
    nobody = "the player who looks is called viewer" if more else "name the index, and use that"
    context = draft.analysis.context(nobody=nobody)
    for position, parameter in enumerate(family.parameters):
        word = parameter.name or index_name(parameter.type) or f"index{position}"
        bind(context, word, parameter.type, family.span, "parameter").unique = f"index_{position}"
    for word, type in (more or {}).items():
        bind(context, word, type, family.span, "parameter").unique = f"_{word}"
    if family.parameters and (more is None or "it" not in more):
        bind(context, "it", family.parameters[0].type, family.span, "parameter").unique = "index_0"
    if more:
        return condition(context, node)[0]
    expression = typed_expr(context, node, wanted, what)
    in_range(context, expression, wanted, node, what)
    return expression


def index_name(type: Type) -> str | None:
    """The name of an index that has none of its own: that of its type."""
    match type:
        case Member(kind) | Piece(kind):
            return kind
        case Player():
            return "player"
        case _:
            return None


def as_word(condition: checked.Expression, family: Family) -> str | checked.Expression:
    """A visibility as a word, if a condition says no more than the word."""
    match condition:
        case checked.Constant(value=value):
            return "all" if value else "none"
        case checked.Apply(operator=operator, arguments=(checked.Local() as a, checked.Local() as b)) if (
            operator is EQUAL and family.owned
        ):
            return "owner" if {a.name, b.name} == {"_viewer", "index_0"} else condition
        case _:
            return condition
