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
"""How many values a rule takes, what they become, and what makes it of them; None where the only value stays as it is."""


class Tables(LALR_Parser):
    """The parser that Lark runs. Lark finds what makes a value by comparing rules, at each of ten levels of precedence."""

    @cached_property
    def starts(self) -> dict[str, Reductions]:
        """The tables from each start."""
        return {start: Reductions(self.parser, start) for start in self.parser.parse_table.start_states}

    def parse(self, lexer: Any, start: str, on_error: object = None) -> Any:  # noqa: ARG002  Lark hands it on
        """The tree of a text. Raises what Lark raises."""
        return self.parser.parse_from_state(Stacks(self.starts[start], lexer))


class Reductions(ParseConf[int]):
    """The tables from one start. Rules are known by their identity: the tables keep them alive."""

    def __init__(self, parser: Any, start: str) -> None:
        super().__init__(parser.parse_table, parser.callbacks, start)
        self.known: dict[int, Reduction] = {}

    def of(self, rule: Any) -> Reduction:
        """What a rule does, worked out when it is first reduced by."""
        size, make = len(rule.expansion), self.callbacks[rule]
        stays = size == 1 and isinstance(make, ExpandSingleChild)
        found = self.known[id(rule)] = (size, rule.origin.name, None if stays else make)
        return found


class Stacks(ParserState[int]):
    """The states and values on the way through a text."""

    parse_conf: Reductions

    def feed_token(self, token: Token, is_end: bool = False) -> Any:
        """Shift a token, after all reductions that come before it; the tree at the end. Raises what Lark raises."""
        tables, at, values, type = self.parse_conf, self.state_stack, self.value_stack, token.type
        states, known = tables.states, tables.known
        while True:
            step = states[at[-1]].get(type)
            if step is None or not tables.callbacks:  # Lark says what is wrong, or asks without making anything
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
