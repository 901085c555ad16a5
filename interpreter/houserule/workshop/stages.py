"""The result of each stage of compilation as text: rules as one file, parsed effects, checked names, compiled segments."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from collections.abc import Mapping as Settings

from houserule.compiler.program import Program
from houserule.definition.check import CheckedGame
from houserule.definition.load import Loaded
from houserule.definition.model import GameDefinition, StepDefinition
from houserule.language import nodes
from houserule.language.checked import Family, Parameter, Routine
from houserule.language.format import format
from houserule.language.types import NoValue
from houserule.source import Mapping, Scalar, Sequence, Yaml


def tree(definition: GameDefinition) -> Iterator[str]:
    """Every effect and expression in its canonical layout, under its name."""
    for section, routines in (("function", definition.functions), ("action", definition.actions)):
        for routine in routines.values():
            parameters = ", ".join(format(parameter) for parameter in routine.parameters)
            yield from entry(f"{section} {routine.name}({parameters})", routine.body)
    for kind in definition.kinds.values():
        for member in kind.members:
            for effect, block in member.effects.items():
                yield from entry(f"{kind.name}.{member.name}.{effect}", block)
    for trigger in definition.triggers.values():
        yield from entry(f"trigger {trigger.name}: whenever {format(trigger.event)}", trigger.body)
    for step in steps(definition.flow):
        if step.do is not None:
            yield from entry(f"step {step.path}", step.do)
    for line in definition.scoring:
        yield from entry(f"points {line.name}", line.points)


def entry(name: str, body: nodes.Node) -> Iterator[str]:
    yield f"{name}:"
    yield from (f"    {line}" for line in format(body).splitlines())
    yield ""


def steps(found: tuple[StepDefinition, ...]) -> Iterator[StepDefinition]:
    for step in found:
        yield step
        yield from steps(step.steps)


def checked(game: CheckedGame) -> Iterator[str]:
    """The meaning of every name: types, slots in the state, routines that need `me` or ask."""
    symbols = game.symbols
    yield f"# with {symbols.players} players"
    for kind in symbols.kinds.values():
        sort = "pieces" if kind.is_piece else "members"
        attributes = ", ".join(f"{name}: {type}" for name, type in kind.attribute_types.items())
        yield f"{kind.name}: {len(kind.ids)} {sort} from {kind.base}" + (f" ({attributes})" if attributes else "")
    for zone in symbols.zones.values():
        holds = zone.holds or "piece"
        yield f"zone {shape(zone)}: {holds}, places {zone.base} to {zone.base + zone.size - 1}" + (
            f", capacity {zone.capacity}" if zone.capacity is not None else ""
        )
    for variable in symbols.variables.values():
        last = variable.base + variable.size - 1
        yield f"variable {shape(variable)}: {variable.type}, places {variable.base} to {last}"
    for table in symbols.tables.values():
        yield f"table {table.name}[{', '.join(str(index) for index in table.indices)}]: {table.type} = {table.values}"
    for option in symbols.options.values():
        yield f"option {option.name}: {option.type} = {option.value}"
    for routine in game.routines:
        yield signature(routine)


def shape(family: Family) -> str:
    return f"{family.name}({listed(family.parameters)})" if family.parameters else family.name


def listed(parameters: tuple[Parameter, ...]) -> str:
    return ", ".join(
        f"{parameter.name}: {parameter.type}" if parameter.name else str(parameter.type) for parameter in parameters
    )


def signature(routine: Routine) -> str:
    notes = [
        note
        for note, holds in (("needs me", routine.needs_me), ("asks", routine.asks), ("calls itself", routine.recursive))
        if holds
    ]
    result = f" → {routine.result}" if routine.result is not None and not isinstance(routine.result, NoValue) else ""
    sort = (
        "function"
        if routine.is_function
        else "effect"
        if routine.this is not None
        else "trigger"
        if routine.name.startswith("trigger ")
        else "action"
    )
    name = routine.name.removeprefix("trigger ")
    return f"{sort} {name}({listed(routine.parameters)}){result}" + (f"  # {', '.join(notes)}" if notes else "")


def segments(program: Program) -> Iterator[str]:
    yield f"# with {program.symbols.players} players: state v (variables), z (zones), w (where each piece is)"
    for function in program.functions:
        yield ""
        yield f"# {program.owners.get(function.name, 'who sees what, and the score sheet')}"
        yield ast.unparse(ast.fix_missing_locations(function))


WIDEST = 110
SIMPLE = re.compile(r"[\w.+*/ -]*[\w.]", re.ASCII)


def merged(loaded: Loaded, settings: Settings[str, int | str]) -> str:
    """The whole game as one file, with its variants applied and its options set."""
    assert loaded.definition is not None
    assert loaded.tree is not None
    title = ", ".join([loaded.definition.name, *(variant.name for variant in loaded.variants)])
    listed = ", ".join(f"{name}: {value}" for name, value in settings.items())
    lines = [f"# {title}" + (f"; {listed}" if listed else "")]
    for key, entry in loaded.tree.entries.items():
        if key == "options" and isinstance(entry.value, Mapping):
            lines.append("options:")
            for name, option in entry.value.entries.items():
                lines += as_lines(option.key, option.value, "  ", str(settings.get(name, "")))
        else:
            lines += as_lines(entry.key, entry.value, "")
    return "\n".join(lines) + "\n"


def as_lines(key: Scalar, value: Yaml, indent: str, default: str = "") -> Iterator[str]:
    """The lines of an entry of a map; `default` replaces the value of that key."""
    before = f"{indent}{scalar(key)}:"
    if isinstance(value, Scalar):
        yield from text_lines(before, value, indent)
    elif (short := in_line(value)) is not None and len(before) + len(short) < WIDEST and not default:
        yield f"{before} {short}"
    elif isinstance(value, Mapping):
        yield before
        for name, entry in value.entries.items():
            if name == "default" and default:
                yield f"{indent}  default: {default}"
            else:
                yield from as_lines(entry.key, entry.value, f"{indent}  ")
    else:
        yield before
        for item in value.items:
            yield from item_lines(item, f"{indent}  ")


def item_lines(item: Yaml, indent: str) -> Iterator[str]:
    if isinstance(item, Scalar):
        yield from text_lines(f"{indent}-", item, indent)
        return
    short = in_line(item)
    if short is not None:
        yield f"{indent}- {short}"
    elif isinstance(item, Mapping):
        first = True
        for entry in item.entries.values():
            for line in as_lines(entry.key, entry.value, f"{indent}  "):
                yield f"{indent}- {line[len(indent) + 2 :]}" if first else line
                first = False
    else:
        yield f"{indent}-"
        for inner in item.items:
            yield from item_lines(inner, f"{indent}  ")


def text_lines(before: str, value: Scalar, indent: str) -> Iterator[str]:
    """A text after its key: on the same line, or as a block if it has several lines."""
    if "\n" not in value.text:
        yield f"{before} {scalar(value)}".rstrip()
        return
    lines = value.text.split("\n")
    ending = "" if lines[-1] == "" and lines[-2:] != ["", ""] else "-" if lines[-1] else "+"
    digit = "2" if value.text[:1] in (" ", "\n") else ""
    yield f"{before} |{digit}{ending}"
    for line in lines[:-1] if lines[-1] == "" else lines:
        yield f"{indent}  {line}" if line else ""


def scalar(value: Scalar) -> str:
    """A text on one line: plain if it was plain, otherwise in quotes."""
    if value.style == "plain" and "\n" not in value.text:
        return value.text
    return json.dumps(value.text, ensure_ascii=False)


def in_line(value: Yaml) -> str | None:
    """A value in brackets or braces; None if it has texts that need quotes."""
    if isinstance(value, Scalar):
        return value.text if value.style == "plain" and SIMPLE.fullmatch(value.text) else None
    if isinstance(value, Sequence):
        items = [in_line(item) for item in value.items]
        found = [item for item in items if item is not None]
        return f"[{', '.join(found)}]" if len(found) == len(items) else None
    pairs = [(in_line(entry.key), in_line(entry.value)) for entry in value.entries.values()]
    if any(key is None or inner is None or inner.startswith(("{", "[")) for key, inner in pairs):
        return None if pairs else "{}"
    return "{" + ", ".join(f"{key}: {inner}" for key, inner in pairs) + "}"
