"""What can be called: functions, actions, effects of members and triggers, with their parameters, not yet checked."""

from __future__ import annotations

from houserule.definition.constants import Draft, named_type
from houserule.diagnostics import Related
from houserule.language import nodes
from houserule.language.checked import Family, Parameter, Routine
from houserule.language.symbols import Trigger
from houserule.language.types import PLAYER, UNKNOWN


def declare_routines(draft: Draft) -> None:
    """Give each function, action, effect and trigger its parameters and its source."""
    game, symbols = draft.game, draft.symbols
    for section, target in ((game.functions, symbols.functions), (game.actions, symbols.actions)):
        for definition in section.values():
            parameters = tuple(Parameter(named_type(draft, p.type), p.name, p.span) for p in definition.parameters)
            target[definition.name] = Routine(
                definition.name, parameters, definition.span, section is game.functions, definition.body
            )
    for name in draft.lent & symbols.functions.keys():
        symbols.functions[name].uses += 1
    if game.eliminated is not None:
        declare_eliminated(draft, game.eliminated)
    declare_effects(draft)
    for name, trigger in game.triggers.items():
        block = trigger.body
        if trigger.when is not None:
            block = nodes.Block(block.span, (nodes.If(trigger.when.span, trigger.when, block, None),))
        given = event_parameters(draft, trigger.event)
        routine = Routine(f"trigger {name}", given, trigger.span, source=block, is_trigger=True)
        symbols.add_trigger(Trigger(name, len(symbols.triggers), trigger.event, routine))


def declare_eliminated(draft: Draft, condition: nodes.Expression) -> None:
    """Declare the key `eliminated` as a function of a player."""
    other = draft.symbols.functions.get("eliminated")
    if other is not None:
        related = [Related("the function is here", other.span)]
        draft.report.error("HR504", "with this key 'eliminated' is a function already", condition.span, None, related)
    parameters = (Parameter(PLAYER, "me", condition.span),)
    draft.symbols.functions["eliminated"] = Routine(
        "eliminated", parameters, condition.span, is_function=True, source=condition, uses=1, is_of_me=True
    )


def declare_effects(draft: Draft) -> None:
    """Give each effect of a member its source; all copies of a piece have the same."""
    for definition in draft.game.kinds.values():
        kind = draft.symbols.kinds[definition.name]
        for member in definition.members:
            for effect, block in member.effects.items():
                slot = kind.effects[effect]
                name, span = f"{kind.name}.{member.name}.{effect}", member.key_spans[effect]
                body = Routine(name, slot.parameters, span, source=block, this=kind.type)
                slot.bodies.update((number, body) for number, id in enumerate(kind.ids) if id == member.name)


def event_parameters(draft: Draft, event: nodes.Event) -> tuple[Parameter, ...]:
    """The names that an event gives its trigger."""
    symbols, place = draft.symbols, event.place
    if event.happening in ("leaves", "enters"):
        zone = symbols.zones.get(place)
        if zone is None:
            draft.report.misnamed("HR501", f"there is no zone '{place}'", event.place_span, place, symbols.zones)
            return tuple(Parameter(UNKNOWN, name, event.span) for name in (event.subject, *event.of) if name)
        zone.uses += 1
        word = event.subject
        subject = () if word is None else (Parameter(zone.piece, word, event.span.first(len(word))),)
        return (*subject, *index_names(draft, event, zone))
    if event.happening == "changes":
        variable = symbols.variables.get(place)
        if variable is None:
            draft.report.misnamed(
                "HR501", f"there is no variable '{place}'", event.place_span, place, symbols.variables
            )
            return tuple(Parameter(UNKNOWN, name, event.span) for name in ("old", *event.of))
        variable.uses += 1
        if variable.positions:
            message = f"'{place}' has a value per position, so no trigger can wait for it"
            draft.report.error("HR528", message, event.place_span, "do it where the variable is set")
        return (Parameter(variable.type, "old", event.span), *index_names(draft, event, variable))
    if place not in symbols.actions:
        draft.report.misnamed("HR503", f"there is no action '{place}'", event.place_span, place, symbols.actions)
    # The type of a result is unknown until the action has been checked.
    return (Parameter(UNKNOWN, event.result, event.span),) if event.result is not None else ()


def index_names(draft: Draft, event: nodes.Event, family: Family) -> tuple[Parameter, ...]:
    """The names that `of p` gives the indices of a family."""
    wanted = len(family.parameters)
    if event.of and len(event.of) != wanted:
        message = f"'{family.name}' has {wanted or 'no'} {'index' if wanted == 1 else 'indices'}, not {len(event.of)}"
        draft.report.error("HR511", message, event.place_span, related=[Related("declared here", family.span)])
        return ()
    return tuple(Parameter(p.type, name, event.span) for name, p in zip(event.of, family.parameters, strict=False))
