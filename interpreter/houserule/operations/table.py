"""The open table of the language: what a row says about a function or a verb, so that nothing else has to know it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from types import CodeType
from typing import Any

from houserule.frozen import by_value
from houserule.language.primitives import Operator
from houserule.language.types import Type


class Fault(Exception):
    """A rule asked for something that cannot be: a value out of its range, a full zone, a table index that is not there.

    `place` is the span of the rule and its name, where no line of a rule is at work: at the merge of a together. `at` is the
    instruction of a rule, as its code, a number in it and a function, where another than the one at work is to blame.
    """

    place: tuple[Any, str] | None = None
    at: tuple[CodeType, int, str] | None = None


@by_value
class Function:
    """A function of the language: `count(S)`.

    `parameters` are patterns: `list`, `number`, `condition list`, `number list`, `member` (what may be in the list before
    it), `thing` (a member, player or piece, which have an order), `piece`, `pile`, `family`, `keyed` (a selection whose `by` is the key: it comes as pairs of key and item). A pattern
    with `?` may be missing and is 1 then; one with `*` may be repeated. `result` makes the type from those of the arguments.
    `constants` are passed after the arguments: `none` (how none is kept in the result), `low` and `size` (of the values that
    the first argument can have). The other columns are those of its `Operator`.
    """

    name: str
    parameters: tuple[str, ...]
    result: Callable[[list[Type]], Type]
    python: str
    says: str
    may_be_none: bool = False
    example: str = ""
    runtime: dict[str, Callable[..., Any]] = field(default_factory=dict)
    gathers: str = ""
    keeps_some: bool = False
    reads_state: bool = False
    constants: tuple[str, ...] = ()
    work: tuple[int, ...] = ()
    operator: Operator = field(init=False)

    def __post_init__(self) -> None:
        made = Operator(self.name, self.python, False, self.reads_state, self.gathers, self.keeps_some, work=self.work)
        object.__setattr__(self, "operator", made)  # the field is set here and never again


@by_value
class Verb:
    """A verb of the language: `move card to discard`.

    `argument` and `prepositions` are patterns: `pieces` (a piece, a list or a zone), `pile`, `number`, `list`, `place` (a
    variable or a new name that gets the result), `piece`, `players` (one or a list), `hands` (a family of zones, one for
    each player), `position` (a number, `top` or `bottom`), `name` (a new name for the result), `alike` (what can be
    exchanged with what `argument` is). A preposition with `?` may be missing. `python` gives the text for each shape the
    argument can have: `piece`, `list`, `pile`, `variable`, `one` (the literal 1), or `any`. Piles and variables come as slots,
    `{s}` is the state, `{name}` what is written as the argument, `{n}` how none is kept; an argument that is missing is left
    out of a call. `unwatched` has the texts where nothing is told, nothing waits and nothing can be full.
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
    unwatched: dict[str, str] = field(default_factory=dict)
    operators: dict[str, Operator] = field(init=False)

    def __post_init__(self) -> None:
        made = {
            shape: Operator(self.name, self.positional(text), unwatched=self.positional(self.unwatched.get(shape, "")))
            for shape, text in self.python.items()
        }
        object.__setattr__(self, "operators", made)  # the field is set here and never again

    def positional(self, text: str) -> str:
        """A text with numbers for the argument, what follows each preposition, and none."""
        for position, word in enumerate(("argument", *self.prepositions, "n")):
            text = text.replace(f"{{{word}}}", f"{{{position}}}")
        return text
