"""The table of operations: a row says everything about a function or a verb."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, field, fields
from types import CodeType
from typing import Any

from houserule.frozen import by_value
from houserule.language.types import Doing, Effect, Mixes, Operator, Picks, Type


def by_name(*functions: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    return {function.__name__: function for function in functions}


class Fault(Exception):
    """A rule asked for something impossible: a value out of range, a full zone, a missing table entry.

    `place` is the span of the rule and its name, if no line of a rule is running: at the merge of a together. `at` is the
    instruction of a rule, as its code, an offset in it and a function, if another than the current one is to blame.
    """

    place: tuple[Any, str] | None = None
    at: tuple[CodeType, int, str] | None = None


@by_value
class Function:
    """A function of the language: `count(S)`.

    `parameters` are patterns: `list`, `number`, `condition list`, `number list`, `member` (of the list before
    it), `thing` (a member, player or piece, which have an order), `piece`, `board place` (a piece of a grid), `pile`, `family`, `keyed` (a selection whose `by` is the key: it comes as pairs of key and item). A pattern
    with `?` is optional and defaults to 1; one with `*` may be repeated. `result` computes the type from those of the arguments.
    `constants` are passed after the arguments: `none` (its representation in the result), `low` and `size` (of the values of
    the first argument), `grid` (the geometry of the kind of the last one). A list with `once_each` has no more elements than its type has values. A function that `gives_way` means that of the game
    where the game has one of its name. The other columns are those of its `Operator`.
    """

    name: str
    parameters: tuple[str, ...]
    result: Callable[[list[Type]], Type]
    python: str
    says: str
    may_be_none: bool = False
    example: str = ""
    gathers: str = ""
    keeps_some: bool = False
    once_each: bool = False
    reads_state: bool = False
    constants: tuple[str, ...] = ()
    work: tuple[int, ...] = ()
    each: int = 2
    each_found: int = 0
    in_turn: str = ""
    gives_way: bool = False
    operator: Operator = field(init=False)

    def __post_init__(self) -> None:
        columns = {one.name: getattr(self, one.name) for one in fields(Operator) if hasattr(self, one.name)}
        object.__setattr__(self, "operator", Operator(**columns))  # the field is set here only

    @property
    def texts(self) -> tuple[str, ...]:
        """What is written into generated code."""
        return self.python, self.in_turn


SHAPES = {"pieces": ("piece", "list", "pile"), "alike": ("piece", "pile", "variable")}
"""The shapes for which a verb needs a text if it has none for any, by the pattern of its argument."""


@by_value
class Verb:
    """A verb of the language: `move card to discard`.

    `argument` and `prepositions` are patterns: `pieces` (a piece, a list or a zone), `pile`, `number`, `list`, `place` (a
    variable or a new name that gets the result), `piece`, `players` (one or a list), `hands` (a family of zones, one for
    each player), `position` (a number, `top` or `bottom`), `name` (a new name for the result), `alike` (what can be
    exchanged with `argument`). A preposition with `?` is optional. `python` gives the text for each shape of the
    argument: `piece`, `list`, `pile`, `variable`, `one` (the literal 1), or `any`. Piles and variables are slots,
    `{s}` is the state, `{name}` the argument as written, `{n}` the representation of none; a missing argument is omitted
    from a call. `unwatched` has the texts for verbs without events, triggers and full zones.
    `result`: None, `elements` (one of the list after `from`), or `drawn` (a piece or none for the literal 1, else a list).
    `does`, `uses_chance` and `seen` are what all passes know about the verb, see `Doing`. The books of the rulebook have its phrases.
    """

    name: str
    argument: str
    prepositions: dict[str, str]
    python: dict[str, str]
    says: str
    does: tuple[Effect, ...]
    uses_chance: bool
    seen: str
    example: str
    result: str | None = None
    unwatched: dict[str, str] = field(default_factory=dict)
    doing: Doing = field(init=False)
    operators: dict[str, Operator] = field(init=False)

    def __post_init__(self) -> None:
        words = ("argument", *self.prepositions)
        named = {word for one in self.does for word in astuple(one) if word}
        shapes = SHAPES.get(self.argument, ()) if "any" not in self.python else ()
        is_whole = self.does and self.seen and self.example and self.python
        if not is_whole or not named <= set(words) or not self.python.keys() >= set(shapes):
            raise ValueError(f"the row of '{self.name}' is incomplete: {self}")
        if not self.uses_chance and any(isinstance(one, Mixes | Picks) for one in self.does):
            raise ValueError(f"'{self.name}' leaves something to chance, but its row says that it does not use chance")
        doing = Doing(self.does, words, self.uses_chance, self.seen)
        made = {
            shape: Operator(
                self.name, self.positional(text), unwatched=self.positional(self.unwatched.get(shape, "")), doing=doing
            )
            for shape, text in self.python.items()
        }
        object.__setattr__(self, "doing", doing)  # these fields are set here only
        object.__setattr__(self, "operators", made)

    @property
    def texts(self) -> tuple[str, ...]:
        """What is written into generated code."""
        return *self.python.values(), *self.unwatched.values()

    def positional(self, text: str) -> str:
        """A text with numbered placeholders for the argument, the prepositions, and none."""
        for position, word in enumerate(("argument", *self.prepositions, "n")):
            text = text.replace(f"{{{word}}}", f"{{{position}}}")
        return text
