"""Performing: calls of actions and effects in, checked calls out, with what becomes of their result."""

from __future__ import annotations

from dataclasses import replace

from houserule.language import nodes
from houserule.language.checked import Expression, Local, Perform, Statement
from houserule.language.choices import Choices
from houserule.language.format import format
from houserule.language.symbols import EffectSlot, Routine
from houserule.language.types import UNKNOWN, Member, NoValue, Piece, Type, Unknown, fits


class Performs(Choices):
    """Checks `perform`."""

    def perform(self, node: nodes.Perform) -> list[Statement]:
        """`perform rest`, `perform m.found`, `ok = perform pay(2)`."""
        self.forbid_change("perform an action", node.span)
        callee = node.callee
        result_type: Type
        found: Perform
        if isinstance(callee, nodes.Name):
            action = self.symbols.actions.get(callee.id)
            if action is None:
                message = f"there is no action '{callee.id}'"
                if callee.id in self.symbols.functions:
                    help = f"'{callee.id}' is a function: use its value, {callee.id}(…)"
                    self.error("HR503", message, callee.span, help)
                else:
                    self.misnamed("HR503", message, callee.span, callee.id, self.symbols.actions)
                self.bind_perform_anyway(node)
                return []
            action.uses += action is not self.current  # One that only performs itself is never performed.
            arguments = self.arguments(action, node.arguments, (), node.span)
            self.demand(action)
            if node.result is not None:
                self.await_result(action)
            me = self.call_me(action, callee.span)
            result_type = action.result or UNKNOWN
            found = Perform(node.span, action, None, None, arguments or (), me, None)
            if arguments is None:
                self.bind_perform_anyway(node)
                return []
        elif isinstance(callee, nodes.Attribute):
            of = self.expr(callee.of)
            if isinstance(of.type, Unknown):
                self.bind_perform_anyway(node)
                return []
            of = self.require_present(of, callee.of)
            slot = self.effect_slot(of, callee)
            if slot is None:
                self.bind_perform_anyway(node)
                return []
            arguments = self.arguments(Routine(slot.name, slot.parameters, slot.span), node.arguments, (), node.span)
            for body in slot.bodies.values():
                body.uses += 1
                self.inherited_calls.append(
                    (self.current if self.me_inherited else None, body, callee.span, self.me is not None)
                )
            result_type = NoValue()
            if arguments is None:
                return []
            found = Perform(node.span, None, slot, of, arguments, self.me, None)
        else:
            self.error("HR503", "`perform` wants the name of an action, or an effect such as card.found", callee.span)
            return []
        self.forget_state()
        self.origins = {}
        if node.result is None:
            return [found]
        if isinstance(result_type, NoValue):
            self.error(
                "HR510", f"'{format(callee)}' has no result", node.span, "`finish with …` in an action gives one"
            )
            self.bind_perform_anyway(node)
            return []
        return self.perform_result(node, found, result_type)

    def perform_result(self, node: nodes.Perform, found: Perform, type: Type) -> list[Statement]:
        """`ok = perform …`: into a variable, a local, or a new name."""
        assert node.result is not None
        word = node.result.id
        if word in self.symbols.variables:
            place = self.place(node.result)
            if place is None:
                return []
            value = Local(node.span, type, self.fresh("result"))
            return [replace(found, result=value.name), *self.set_variable(node.span, place, value, node.result)]
        local = self.find(word)
        if local is None:
            local = self.bind_new(word, type, node.result.span, "assign")
            self.locals_made.append(local)
        elif not fits(type, local.type):
            self.error(
                "HR510", f"'{word}' is {local.type}, but '{format(node.callee)}' finishes with {type}", node.span
            )
        self.now_has(local, type)
        return [replace(found, result=local.unique)]

    def bind_perform_anyway(self, node: nodes.Perform) -> None:
        """After a mistake, the result's name is known as something unknown."""
        if (
            node.result is not None
            and node.result.id not in self.symbols.variables
            and self.find(node.result.id) is None
        ):
            self.bind(node.result.id, UNKNOWN, node.result.span, "verb")

    def effect_slot(self, of: Expression, callee: nodes.Attribute) -> EffectSlot | None:
        """The effect of that name that the piece or member may have."""
        type = of.type
        if isinstance(type, Member | Piece) and type.kind:
            slots = self.symbols.kinds[type.kind].effects
            if callee.name in slots:
                return slots[callee.name]
            message = f"a {type.kind} has no effect '{callee.name}'"
            self.misnamed("HR503", message, callee.name_span, callee.name, slots)
            return None
        self.error("HR503", f"'{format(callee.of)}' is {self.words_for(of)}, which has no effects", callee.span)
        return None
