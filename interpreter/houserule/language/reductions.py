"""Runs the tables of Lark's parser as Lark does, with the effect of each rule on the stacks computed only once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from lark import Token
from lark.parse_tree_builder import ExpandSingleChild
from lark.parsers.lalr_analysis import Shift
from lark.parsers.lalr_parser import LALR_Parser
from lark.parsers.lalr_parser_state import ParseConf, ParserState

Reduction = tuple[int, str, "Callable[[list[Any]], Any] | None"]
"""The number of values that a rule takes, the symbol they become, and the function for it; None if the single value stays the same."""


class Tables(LALR_Parser):
    """A replacement for Lark's table runner, which looks callbacks up by comparing rules, at each of ten levels of precedence."""

    @cached_property
    def starts(self) -> dict[str, Reductions]:
        """The tables for each start symbol."""
        return {start: Reductions(self.parser, start) for start in self.parser.parse_table.start_states}

    def parse(self, lexer: Any, start: str, on_error: object = None) -> Any:  # noqa: ARG002  Lark hands it on
        """The tree of a text. Raises what Lark raises."""
        return self.parser.parse_from_state(Stacks(self.starts[start], lexer))


class Reductions(ParseConf[int]):
    """The tables for one start symbol. Rules are identified by id: the tables keep them alive."""

    def __init__(self, parser: Any, start: str) -> None:
        super().__init__(parser.parse_table, parser.callbacks, start)
        self.known: dict[int, Reduction] = {}

    def of(self, rule: Any) -> Reduction:
        """The reduction of a rule, computed at its first use."""
        size, make = len(rule.expansion), self.callbacks[rule]
        stays = size == 1 and isinstance(make, ExpandSingleChild)
        found = self.known[id(rule)] = (size, rule.origin.name, None if stays else make)
        return found


class Stacks(ParserState[int]):
    """The stacks of states and values while a text is parsed."""

    parse_conf: Reductions

    def feed_token(self, token: Token, is_end: bool = False) -> Any:
        """Shift a token, after all reductions before it; returns the tree at the end. Raises what Lark raises."""
        tables, at, values, type = self.parse_conf, self.state_stack, self.value_stack, token.type
        states, known = tables.states, tables.known
        while True:
            step = states[at[-1]].get(type)
            if step is None or not tables.callbacks:  # Lark reports the error, or only tries the token
                return super().feed_token(token, is_end)
            action, target = step
            if action is Shift:
                at.append(target)
                values.append(token)
                return None
            size, origin, make = known.get(id(target)) or tables.of(target)
            if make is None:
                del at[-1]
            else:
                first = len(at) - size
                parts = values[first - 1 :]
                del at[first:], values[first - 1 :]
                values.append(make(parts))
            at.append(states[at[-1]][origin][1])
            if is_end and at[-1] == tables.end_state:
                return values[-1]
