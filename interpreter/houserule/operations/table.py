"""The open table of the language: what a row says about a function or a verb, so that nothing else has to know it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any

from houserule.frozen import by_value
from houserule.language.types import Type


class Fault(Exception):
    """A rule asked for something that cannot be: a value out of its range, a full zone, a table index that is not there.

    `place` is the span of the rule and its name, where no line of a rule is at work: at the merge of a together.
    """

    place: tuple[Any, str] | None = None


@by_value
class Function:
    """A function of the language: `count(S)`.

    `parameters` are patterns: `list`, `number`, `condition list`, `number list`, `member` (what may be in the list before
    it), `thing` (a member, player or piece, which have an order), `piece`, `pile`, `family`, `keyed` (a selection whose `by` is the key: it comes as pairs of key and item). A pattern
    with `?` may be missing; one with `*` may be repeated. `result` makes the type from those of the arguments. `python` is
    the line it becomes, with `{0}` for the first argument; `{n}` stands for how `none` is kept in the result. `fold` says how
    it gathers a list (`or`, `nor`, `and`, `count`, `sum`), so that a short one can be written out member by member.
    `keeps_some` says that what comes of a list with something in it has something in it.
    """

    name: str
    parameters: tuple[str, ...]
    result: Callable[[list[Type]], Type]
    python: str
    says: str
    may_be_none: bool = False
    example: str = ""
    runtime: dict[str, Callable[..., Any]] = field(default_factory=dict)
    fold: str = ""
    keeps_some: bool = False


@by_value
class Verb:
    """A verb of the language: `move card to discard`.

    `argument` and `prepositions` are patterns: `pieces` (a piece, a list or a zone), `pile`, `number`, `list`, `place` (a
    variable or a new name that gets the result), `piece`, `players` (one or a list), `hands` (a family of zones, one for
    each player), `position` (a number, `top` or `bottom`), `name` (a new name for the result), `alike` (what can be
    exchanged with what `argument` is). A preposition with `?` may be missing. `python` gives the line for each shape the
    argument can have: `piece`, `list`, `pile`, `variable`, or `any`. Piles and variables come as slots, `{s}` is the state.
    `result`: None, `elements` (one of the list after `from`), or `drawn` (a piece or none for the literal 1, else a list).
    """

    name: str
    argument: str
    prepositions: dict[str, str]
    python: dict[str, str]
    says: str
    result: str | None = None
    uses_chance: bool = False
    shared: bool = False
    example: str = ""
    setup: str = ""
    runtime: dict[str, Callable[..., Any]] = field(default_factory=dict)
