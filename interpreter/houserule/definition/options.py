"""Options of a game: their types, defaults and settings."""

from __future__ import annotations

from houserule.definition.constants import Draft, constant, named_type
from houserule.definition.model import OptionDefinition
from houserule.diagnostics import Span
from houserule.language.symbols import Option
from houserule.language.types import UNKNOWN, Bool, Int, List, Maybe, Member, Piece, Player, Type, none_of, plain
from houserule.numerals import whole_number


def declare_options(draft: Draft) -> None:
    """Give each option its type and its value, which is constant from here on."""
    for option in draft.game.options.values():
        type = option_type(draft, option)
        default = constant(draft, option.default, type, f"option '{option.name}'")
        value = default if isinstance(default, int) else none_of(type)
        type = type if isinstance(default, int) else UNKNOWN
        if option.name in draft.settings:
            value = setting(draft, option.name, type, value, option.span)
        draft.symbols.options[option.name] = Option(option.name, option.span, type, int(value))


def option_type(draft: Draft, option: OptionDefinition) -> Type:
    """The type of an option; unknown, after a diagnostic, if options cannot have it."""
    type = named_type(draft, option.type)
    message, help = "", ""
    match plain(type):
        case List():
            message, help = "an option cannot be a list", "one option for each"
        case Player():
            message = "an option cannot be a player: who plays is not known when it is set"
            help = f"write the number of a seat, type: 1..{draft.game.players[1]}; item(players, {option.name}) is who sits there"
        case Piece():
            message, help = "an option cannot be a piece", "write a number, bool or an enum"
        case _:
            return type
    draft.report.error("HR510", message, option.type.span, help)
    return UNKNOWN


def setting(draft: Draft, name: str, type: Type, default: int, span: Span) -> int:
    """The value that an option is set to from outside, as a number or as the word for it; the default, after a diagnostic."""
    given = draft.settings[name]
    text = str(given).strip() if not isinstance(given, bool) else "true" if given else "false"
    match plain(type):
        case Bool() if text in ("true", "false", "0", "1"):
            return int(text in ("true", "1"))
        case Int(low, high) if (number := whole_number(text)) is not None and low <= number <= high:
            return number
        case Member(kind) if (number := draft.symbols.kinds[kind].first(text)) is not None:
            return number
        case _ if isinstance(type, Maybe) and text == "none":
            return none_of(type)
    draft.report.error("HR603", f"option '{name}' is {type}, so it cannot be '{text}'", span)
    return default
