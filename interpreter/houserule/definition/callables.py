"""Functions, actions, effects of pieces and triggers as written go in; what can be called comes out, unchecked."""

from __future__ import annotations

from houserule.definition.look_ups import LookUps
from houserule.diagnostics import Related
from houserule.language import nodes
from houserule.language.scope import Callable, Family, Parameter, Trigger
from houserule.language.types import UNKNOWN


class Callables(LookUps):
    """Gives what can be called its parameters, and triggers the names of their events."""

    def callables(self) -> None:
        """Functions, actions, effects and triggers, unchecked."""
        for section, target in ((self.game.functions, self.words.functions), (self.game.actions, self.words.actions)):
            for definition in section.values():
                parameters = tuple(Parameter(self.type(p.type), p.name, p.span) for p in definition.parameters)
                target[definition.name] = Callable(
                    definition.name, parameters, definition.span, section is self.game.functions, definition.body
                )
        for kind_definition in self.game.kinds.values():
            kind = self.words.kinds[kind_definition.name]
            for member in kind_definition.members:
                for effect, block in member.effects.items():
                    slot = kind.effects[effect]
                    body = Callable(
                        f"{kind.name}.{member.name}.{effect}",
                        slot.parameters,
                        member.key_spans[effect],
                        False,
                        block,
                        this=kind.type,
                    )
                    for number, id in enumerate(kind.ids):
                        if id == member.name:
                            slot.texts[number] = block
                            slot.bodies[number] = body
        for name, trigger in self.game.triggers.items():
            parameters = self.event_parameters(trigger.event)
            block = trigger.body
            if trigger.when is not None:
                block = nodes.Block(block.span, (nodes.If(trigger.when.span, trigger.when, block, None),))
            callable = Callable(f"trigger {name}", parameters, trigger.span, False, block, is_trigger=True)
            self.words.triggers.append(Trigger(name, trigger.event, callable))

    def event_parameters(self, event: nodes.Event) -> tuple[Parameter, ...]:
        """The names that an event gives its trigger."""
        found: list[Parameter] = []
        if event.happening in ("leaves", "enters"):
            zone = self.words.zones.get(event.place)
            if zone is None:
                self.report.misnamed(
                    "HR501", f"there is no zone '{event.place}'", event.place_span, event.place, self.words.zones
                )
                return tuple(Parameter(UNKNOWN, name, event.span) for name in (event.subject, *event.of) if name)
            zone.uses += 1
            if event.subject is not None:
                found.append(Parameter(zone.piece, event.subject, event.span))
            return (*found, *self.index_names(event, zone))
        if event.happening == "changes":
            variable = self.words.variables.get(event.place)
            if variable is None:
                self.report.misnamed(
                    "HR501",
                    f"there is no variable '{event.place}'",
                    event.place_span,
                    event.place,
                    self.words.variables,
                )
                return tuple(Parameter(UNKNOWN, name, event.span) for name in ("old", *event.of))
            variable.uses += 1
            return (Parameter(variable.type, "old", event.span), *self.index_names(event, variable))
        action = self.words.actions.get(event.place)
        if action is None:
            self.report.misnamed(
                "HR503", f"there is no action '{event.place}'", event.place_span, event.place, self.words.actions
            )
        # The type of a result is known when the action has been checked.
        return (Parameter(UNKNOWN, event.result, event.span),) if event.result is not None else ()

    def index_names(self, event: nodes.Event, family: Family) -> tuple[Parameter, ...]:
        """`of p`: names for the indices."""
        if event.of and len(event.of) != len(family.parameters):
            self.report.error(
                "HR511",
                f"'{family.name}' has {len(family.parameters) or 'no'} {'index' if len(family.parameters) == 1 else 'indices'}, not {len(event.of)}",
                event.place_span,
                None,
                [Related("declared here", family.span)],
            )
            return ()
        return tuple(Parameter(p.type, name, event.span) for name, p in zip(event.of, family.parameters, strict=False))
