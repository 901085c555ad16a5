"""Shows the result of each stage of compilation: parsed effects, checked names, compiled segments."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from houserule.compiler.program import Program
from houserule.definition.check import CheckedGame
from houserule.definition.model import GameDefinition, StepDefinition
from houserule.language import nodes
from houserule.language.checked import Family, Parameter, Routine
from houserule.language.format import format
from houserule.language.types import NoValue


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
    """A name with its body below it."""
    yield f"{name}:"
    yield from (f"    {line}" for line in format(body).splitlines())
    yield ""


def steps(found: tuple[StepDefinition, ...]) -> Iterator[StepDefinition]:
    """Every step, outer steps first."""
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
    """A family with its indices."""
    return f"{family.name}({listed(family.parameters)})" if family.parameters else family.name


def listed(parameters: tuple[Parameter, ...]) -> str:
    """Parameters with their types."""
    return ", ".join(
        f"{parameter.name}: {parameter.type}" if parameter.name else str(parameter.type) for parameter in parameters
    )


def signature(routine: Routine) -> str:
    """A routine with its type and properties."""
    notes = [
        note
        for note, holds in (
            ("needs me", routine.needs_me),
            ("asks", routine.asks),
            ("calls itself", routine.recursive),
        )
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
    """The functions of a program, each with the place of its rule."""
    yield f"# with {program.symbols.players} players: state v (variables), z (zones), w (where each piece is)"
    for function in program.functions:
        yield ""
        yield f"# {program.owners.get(function.name, 'who sees what, and the score sheet')}"
        yield ast.unparse(ast.fix_missing_locations(function))
