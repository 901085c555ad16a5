"""Local names: how they are declared, what else a word may mean, and keys for narrowings."""

from __future__ import annotations

from houserule.diagnostics import Related, Span
from houserule.language import nodes
from houserule.language.checked import Constant, Expression
from houserule.language.format import format
from houserule.language.scope import Context, Name
from houserule.language.types import NUMBER, UNKNOWN, Int, List, Maybe, Member, Piece, Player, Type, plain, spelled
from houserule.language.words import OF_EVERY_GAME


def bind(context: Context, word: str, type: Type, span: Span, set_by: str) -> Name:
    """Declare a local name in the innermost scope."""
    unique = word
    count = 1
    while unique in context.locals.taken:
        count += 1
        unique = f"{word}_{count}"
    context.locals.taken.add(unique)
    if context.locals.assigned.get(word, 0) > (1 if set_by == "assign" else 0):
        type = widest(type)
    made = Name(word, unique, type, span, set_by)
    context.scope.add(made)
    if context.analysis.meanings is not None:
        context.analysis.meanings.names.append(made)
    return made


def bind_new(context: Context, word: str, type: Type, span: Span, set_by: str) -> Name:
    """Declare a local name that may not hide a variable, zone, option or table; it may hide a member."""
    other = declared_place(context, word)
    if other is not None:
        context.error(
            "HR504",
            f"'{word}' is the name of {other[0]} already, so nothing else can be called that",
            span,
            "choose another name",
            [Related("declared here", other[1])],
        )
    return bind(context, word, type, span, set_by)


def global_place(context: Context, word: str) -> tuple[str, Span] | None:
    """What else has that name: words for a sentence, and its place."""
    members = ((f"a member of '{kind.name}'", kind.spans[n - kind.base]) for kind, n in context.symbols.members(word))
    return declared_place(context, word) or next(members, None)


def declared_place(context: Context, word: str) -> tuple[str, Span] | None:
    """The same, except members."""
    symbols = context.symbols
    if word in symbols.variables:
        return "a variable", symbols.variables[word].span
    if word in symbols.zones:
        return "a zone", symbols.zones[word].span
    if word in symbols.options:
        return "an option", symbols.options[word].span
    if word in symbols.tables:
        return "a table", symbols.tables[word].span
    return None


def global_names(context: Context) -> list[str]:
    """Everything a bare name can mean, for suggestions."""
    symbols = context.symbols
    found = [*OF_EVERY_GAME, *context.scope.names]
    found += [*symbols.variables, *symbols.zones, *symbols.options, *symbols.tables, *symbols.kinds, *symbols.seats]
    for kind in symbols.kinds.values():
        found += kind.ids
    return list(dict.fromkeys(found))


def key_of(context: Context, node: nodes.Expression) -> str | None:
    """The key of narrowings of an expression; None for what cannot be narrowed.

    It starts with `=` if only an assignment to a local can change it: the name, and its printed values.
    """
    match node:
        case nodes.Name(id=word):
            local = context.scope.find(word)
            return f"={local.unique}" if local else word
        case nodes.Attribute(of=of, name=name) if printed_type(context, node) is not None:
            return f"{key_of(context, of)}.{name}"
        case nodes.Attribute() | nodes.Index() | nodes.Call():
            return format(node)
        case _:
            return None


def printed_type(context: Context, node: nodes.Expression) -> Type | None:
    """The type of a local name, or of its printed value; None for everything else."""
    match node:
        case nodes.Name(id=word):
            local = context.scope.find(word)
            return None if local is None else context.scope.narrowed.get(f"={local.unique}", local.type)
        case nodes.Attribute(of=of, name=name):
            match plain(printed_type(context, of) or UNKNOWN):
                case Member(str(kind)) | Piece(str(kind)):
                    return context.symbols.kinds[kind].attribute_types.get(name)
    return None


def index_for(context: Context, kind: Type) -> str:
    """What to type as an index of a type: `me` for a player if there is one, else the type."""
    return "me" if context.me is not None and isinstance(kind, Player) else spelled(kind)


def use_me(context: Context, span: Span) -> Expression:
    """`me`, or an error if there is none."""
    if context.me is None:
        if not context.locals.is_missing_me_said:
            context.locals.is_missing_me_said = True
            context.error("HR530", "nobody is 'me' here", span, context.nobody)
        return Constant(span, UNKNOWN, 0)
    if context.me_inherited and context.routine is not None:
        context.routine.needs_me = True
    return context.me


def widest(type: Type | None) -> Type:
    """The type without bounds: for names that are set more than once, or not known yet."""
    match type:
        case Maybe(of=Int()):
            return Maybe(NUMBER)
        case Int():
            return NUMBER
        case List(of=element):
            return List(NUMBER if isinstance(element, Int) else element)
        case None:
            return UNKNOWN
        case _:
            return type


def fresh_name(context: Context, stem: str) -> str:
    """A unique name that authors cannot see."""
    count = 1
    while f"{stem}_{count}" in context.locals.taken:
        count += 1
    context.locals.taken.add(f"{stem}_{count}")
    return f"{stem}_{count}"


def is_ambiguous(context: Context, node: nodes.Expression) -> bool:
    """Whether a bare name is a member of several enums, so that the wanted type decides."""
    if not isinstance(node, nodes.Name) or context.scope.find(node.id) is not None:
        return False
    homes = list(context.symbols.members(node.id))
    return len(homes) > 1 or (len(homes) == 1 and context.symbols.piece(node.id) is not None)


def is_kind(context: Context, node: nodes.Expression) -> bool:
    """Whether an expression is the bare name of a kind."""
    return isinstance(node, nodes.Name) and node.id in context.symbols.kinds and context.scope.find(node.id) is None
