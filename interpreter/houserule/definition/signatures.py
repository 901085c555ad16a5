"""Declarations with a signature, as written: zones, variables, functions, actions and triggers."""

from __future__ import annotations

import re

from houserule.definition.model import CallableDefinition, TriggerDefinition, VariableDefinition, ZoneDefinition
from houserule.definition.reader import Keys, Reader
from houserule.diagnostics import Report
from houserule.language import nodes
from houserule.language.format import format
from houserule.source import Mapping, Scalar, Yaml


def zone(reader: Reader, key: Scalar, node: Yaml) -> ZoneDefinition | None:
    """One entry of `zones`."""
    signature = reader.signature(key)
    if signature is None or not isinstance(node, Mapping):
        return None
    keys = Keys(reader, node)
    holds, holds_span = keys.word("holds")
    refill, refill_span = keys.word("refill")
    return ZoneDefinition(
        name=signature.name,
        span=signature.name_span,
        parameters=signature.parameters,
        holds=holds or "piece",
        holds_span=holds_span or key.span,
        visible=visibility(keys, "visible"),
        amount=visibility(keys, "amount"),
        ordered=keys.word("order")[0] != "none",
        capacity=keys.expression("capacity"),
        refill=refill,
        refill_span=refill_span,
        title=keys.prose("title"),
    )


def visibility(keys: Keys, key: str) -> str | nodes.Expression:
    """Who sees something: `all`, which is the default, `none`, `owner` or an expression."""
    word, _ = keys.word(key)
    return word if word in ("all", "none", "owner") else keys.expression(key) or "all"


def variable(
    reader: Reader, key: Scalar, node: Yaml, leading: tuple[nodes.Parameter, ...] = (), of_kind: str | None = None
) -> VariableDefinition | None:
    """One entry of `variables`, of the game or of a kind."""
    signature = reader.signature(key)
    if signature is None:
        return None
    # A bare declaration is short for a map with only a type.
    keys = Keys(reader, node if isinstance(node, Mapping) else Mapping({}, node.span))
    declaration = reader.parsed(keys.get("type") if isinstance(node, Mapping) else node, "declaration")
    start = keys.expression("start")
    reset, reset_span = keys.word("reset")
    visible = visibility(keys, "visible")
    for_people, _ = keys.word("for_people")
    title = keys.prose("title")
    per_position = tuple((item.text, item.span) for item in keys.scalars("per_position"))
    if not isinstance(declaration, nodes.Declaration):
        return None
    return VariableDefinition(
        name=signature.name,
        span=signature.name_span,
        parameters=leading + signature.parameters,
        type=declaration.type,
        start=start or declaration.start,
        reset=reset,
        reset_span=reset_span,
        visible=visible,
        title=title,
        of_kind=of_kind,
        per_position=per_position,
        for_people=for_people == "true",
    )


STATEMENTS = re.compile(r"\bfinish\b|^\w+ *[-+*/%]*= .*\n", re.MULTILINE)
"""What distinguishes a block from an expression: its end, or a first line that sets a name."""


def callable_of(reader: Reader, key: Scalar, node: Yaml, is_function: bool) -> CallableDefinition | None:
    """A function or an action. A function is an expression, or a block that ends with one."""
    signature = reader.signature(key)
    text = None
    if isinstance(node, Mapping):
        keys = Keys(reader, node)
        text = keys.prose("text")
        node = keys.get("do") or node
    if signature is None or not isinstance(node, Scalar):
        return None
    is_block = not is_function or STATEMENTS.search(node.text)
    body = reader.block(node) if is_block else reader.expression(node)
    check_parameters(signature, reader.report)
    if body is None:
        return None
    return CallableDefinition(signature.name, signature.name_span, signature.parameters, body, text)


def check_parameters(signature: nodes.Signature, report: Report) -> None:
    """Check that parameters have different names."""
    names: set[str] = set()
    for parameter in signature.parameters:
        if parameter.name is None:
            message = f"this parameter of '{signature.name}' needs a name"
            report.error("HR402", message, parameter.span, f"{format(parameter.type)} x")
        elif parameter.name in names:
            message = f"'{signature.name}' has the parameter '{parameter.name}' twice"
            report.error("HR301", message, parameter.span, "use another name for one")
        else:
            names.add(parameter.name)


def trigger(reader: Reader, key: Scalar, node: Yaml) -> TriggerDefinition | None:
    """One entry of `triggers`."""
    if not isinstance(node, Mapping):
        return None
    keys = Keys(reader, node)
    event = reader.parsed(keys.get("whenever"), "event")
    body, when = keys.block("do"), keys.condition("when")
    if not isinstance(event, nodes.Event) or body is None:
        return None
    return TriggerDefinition(key.text, key.span, event, when, body)
