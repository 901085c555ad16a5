"""Bare names: their value, or what was probably meant."""

from __future__ import annotations

from houserule.diagnostics import Meant, Related
from houserule.language import nodes
from houserule.language.calls import call_function, still_in
from houserule.language.checked import Apply, Constant, Expression, Local
from houserule.language.families import family_entry
from houserule.language.fitting import as_narrowed
from houserule.language.local_names import global_names, use_me
from houserule.language.primitives import OPPONENTS
from houserule.language.scope import Context
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
    Type,
    Unknown,
    fits,
    plain,
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
"""Words from other languages, and what they mean here."""

MOST_LISTED = 12
"""The most members listed as a suggestion."""


def name_expr(context: Context, node: nodes.Name, wanted: Type | None) -> Expression:
    """The value of a bare name: the innermost thing with that name."""
    if isinstance(wanted, Maybe):
        wanted = wanted.of
    value = (
        local_value(context, node)
        or value_of_language(context, node)
        or declared_value(context, node, wanted)
        or member_value(context, node, wanted)
    )
    return as_narrowed(context, value, node) if value is not None else unknown_name(context, node, wanted)


def local_value(context: Context, node: nodes.Name) -> Expression | None:
    """The value of a local name."""
    local = context.scope.find(node.id)
    if local is None:
        return None
    local.reads += 1
    context.record(node, local)
    if local.constant is not None:
        return Constant(node.span, local.type, local.constant)
    return Local(node.span, local.type, local.unique)


def value_of_language(context: Context, node: nodes.Name) -> Expression | None:
    """The value of a name that every game has."""
    span, players = node.span, context.symbols.players
    match node.id:
        case "me":
            return use_me(context, span)
        case "this":
            message = "'this' is the piece or member whose effect runs; nothing is 'this' here"
            return context.this or context.error("HR501", message, span)
        case "it":
            return context.error("HR501", "'it' is the current element in `S where …`; there is none here", span)
        case "players":
            return Constant(span, List(PLAYER, players), tuple(range(players)))
        case "opponents":
            return still_in(context, Apply(span, List(PLAYER, players), OPPONENTS, (use_me(context, span),)))
        case "player_count":
            return Constant(span, Int(players, players), players)
        case word if word in context.analysis.extra_names:
            return context.analysis.extra_names[word](span)
    return None


def declared_value(context: Context, node: nodes.Name, wanted: Type | None) -> Expression | None:
    """The value of a name that the game declares; a member of the wanted enum comes first."""
    word, span, symbols = node.id, node.span, context.symbols
    if isinstance(wanted, Member) and wanted.kind in symbols.kinds:
        kind = symbols.kinds[wanted.kind]
        number = kind.first(word)
        if number is not None:
            context.use_one(kind, number, node)
            return Constant(span, wanted, number)
    family = symbols.variables.get(word) or symbols.zones.get(word)
    if family is not None:
        return family_entry(context, family, node)
    if word in symbols.options:
        option = symbols.options[word]
        context.use(option, node)
        type = Int(option.value, option.value) if isinstance(option.type, Int) else option.type
        return Constant(span, type, option.value)
    if word in symbols.tables:
        return context.error("HR511", f"'{word}' is a table: say which entry", span, f"{word}[…]")
    if word in symbols.functions and not symbols.functions[word].parameters:
        return call_function(context, symbols.functions[word], node)
    if word in symbols.seats:
        return Constant(span, PLAYER, symbols.seats.index(word))
    return None


def member_value(context: Context, node: nodes.Name, wanted: Type | None) -> Expression | None:
    """The value of the name of a member or a piece; an error if several enums have it, or if it names a kind."""
    word, span, symbols = node.id, node.span, context.symbols
    homes = list(symbols.members(word))
    piece = symbols.piece(word)
    if piece is not None and (not homes or (isinstance(wanted, Piece) and wanted.kind in (None, piece[0].name))):
        homes = [piece]
    for kind, number in homes:
        context.use_one(kind, number, node)
    if len(homes) == 1:
        kind, number = homes[0]
        return Constant(span, kind.type, number)
    if homes:
        options = " or ".join(f"{kind.name}.{word}" for kind, _ in homes)
        related = [Related(f"'{kind.name}' has one", kind.spans[n]) for kind, n in homes]
        return context.error("HR505", f"several enums have a member '{word}'", span, f"write {options}", related)
    if word in symbols.kinds:
        message = f"'{word}' is the name of a kind, not a value"
        return context.error("HR506", message, span, f"all of them as a list: every {word}")
    return None


def unknown_name(context: Context, node: nodes.Name, wanted: Type | None) -> Expression:
    """Report an unknown name, with what was probably meant."""
    word = node.id
    if context.analysis.meanings is not None:
        context.analysis.meanings.unknown[node] = context.scope.names, wanted
    message = f"there is nothing called '{word}' here"
    help = None
    if word in context.symbols.functions or word in context.analysis.operations:
        help = f"'{word}' is a function: {word}(…)"
    elif word in context.symbols.actions:
        help = f"'{word}' is an action: perform {word}"
    elif word == context.chosen:
        help = f"before the choice each one is 'it': where it.…; or choose {word} from {word} in … where {word}.…"
    elif word.lower() in HABITS:
        help = Meant(HABITS[word.lower()], f"write {HABITS[word.lower()]}")
    if help is not None:
        return context.error("HR501", message, node.span, help)
    otherwise = possible(context, wanted)
    if word == context.sought:
        otherwise = f"this asks whether '{word}' is in the list; those that are in it: ({word} in … where …), or the list by itself"
    return context.misnamed("HR501", message, node.span, word, meant(context, wanted), otherwise)


def possible(context: Context, wanted: Type | None) -> str | None:
    """The possible values of a type, as a suggestion."""
    kinds = context.symbols.kinds
    match wanted:
        case Int(low, high) if low > LEAST and high < GREATEST:
            return f"a number from {low} to {high}"
        case Member(kind) if kind in kinds and len(kinds[kind].ids) <= MOST_LISTED:
            return f"a {kind} is {' or '.join(kinds[kind].ids)}"
        case Bool():
            return "true or false"
    return None


def meant(context: Context, wanted: Type | None) -> list[str]:
    """Names to suggest: those of the wanted type, if any; none in a long report."""
    if context.report.is_long:
        return []
    pool = [*global_names(context), "true", "false", "none"]
    if wanted is None or isinstance(wanted, Unknown):
        return pool
    return [word for word in pool if may_be(context, word, wanted)] or pool


def may_be(context: Context, word: str, wanted: Type) -> bool:
    """Whether a name, or something derived from it, may have a type."""
    if word in ("true", "false", "none"):
        return isinstance(wanted, Bool) and word != "none"
    local = context.scope.find(word)
    variable = context.symbols.variables.get(word)
    type = local.type if local is not None else variable.type if variable is not None else UNKNOWN
    return isinstance(type, List) or fits(plain(type), plain(wanted))


def copy_expr(context: Context, node: nodes.Copy) -> Expression:
    """One copy of a piece: `bolete#2`."""
    span, id, number = node.span, node.id, node.number
    found = context.symbols.piece(id)
    if found is None:
        ids = [i for k in context.symbols.kinds.values() if k.is_piece for i in k.ids]
        return context.misnamed("HR501", f"there is no piece '{id}'", span.first(len(id)), id, ids)
    kind, first = found
    context.use_one(kind, first, node)
    copies = kind.ids.count(id)
    if not 1 <= number <= copies:
        return context.error(
            "HR507",
            f"there {'is one copy' if copies == 1 else f'are {copies} copies'} of '{id}', so no #{number}",
            span,
            f"{id}#{max(1, min(number, copies))}",
            [Related("declared here", kind.spans[first - kind.base])],
        )
    return Constant(span, kind.type, first + number - 1)
