"""Zones and variables that have their places go in; who sees each of them, and what it starts with, comes out."""

from __future__ import annotations

from collections.abc import Mapping

from houserule.definition.families import MOST_SLOTS, Families
from houserule.diagnostics import nearest
from houserule.language import checked, nodes
from houserule.language.scope import Family, Variable
from houserule.language.types import BOOL, PLAYER, Int, Member, Piece, Player, Type, spelled

SIGHTS = {
    **dict.fromkeys(("no", "off", "nobody", "hidden", "secret"), "none"),
    **dict.fromkeys(("private", "me", "mine", "my", "own", "self"), "owner"),
    **dict.fromkeys(("yes", "on", "everybody", "everyone", "public", "open"), "all"),
}
"""What people write who mean that nobody, whoever it belongs to, or everybody sees something, and how it is written."""
FROM_OTHERS = ("hidden", "secret")
"""Those of them that may be meant of the others only, where it belongs to somebody."""


class Sights(Families):
    """Reads what is said of each of a family, in which its indices have names."""

    def sights(self) -> None:
        """Who sees what, what variables start with, and where pieces begin."""
        for definition in self.game.zones.values():
            zone = self.words.zones.get(definition.name)
            if zone is not None:
                zone.visible = self.sight(definition.visible, zone, zone.piece)
                zone.amount = self.sight(definition.amount, zone, None)
        for variable_definition in self.game.variables.values():
            variable = self.words.variables.get(variable_definition.name)
            if variable is None:
                continue
            variable.visible = self.sight(variable_definition.visible, variable, None)
            if variable_definition.start is not None:
                variable.start = self.start(variable_definition.start, variable)
            elif isinstance(variable.type, Int) and not variable.type.low <= 0 <= variable.type.high:
                self.report.error(
                    "HR519",
                    f"'{variable.name}' must say what it starts with: 0 is not in {variable.type.low}..{variable.type.high}",
                    variable.span,
                    f"{variable_definition.name}: {variable.type.low}..{variable.type.high} = {variable.type.low}",
                )
            elif isinstance(variable.type, Member | Piece | Player):
                self.report.error(
                    "HR519",
                    f"'{variable.name}' must say what it starts with, or may be none",
                    variable.span,
                    f"{variable.name}: {spelled(variable.type)} or none",
                )

    def start(self, node: nodes.Expression, variable: Variable) -> checked.Expression | None:
        """What a variable starts with, seen to be possible for each index."""
        what = f"the start of '{variable.name}'"
        expression = self.over_index(node, variable, variable.type, what)
        if isinstance(expression, checked.Constant):
            return expression
        if not self.known_before(expression, what, node.span):
            return None
        expression = self.checker.within(expression, variable.type, node, what)
        if variable.size > MOST_SLOTS:
            return expression
        for slot in range(variable.base, variable.base + variable.size):
            try:
                self.evaluate(expression, {f"index_{i}": value for i, value in enumerate(variable.index(slot))})
            except ValueError as error:
                self.report.error("HR554", f"{what} cannot be worked out: {error}", node.span)
                return None
        return expression

    def sight(self, visible: str | nodes.Expression, family: Family, it: Type | None) -> str | checked.Expression:
        """Who sees one of a family."""
        if isinstance(visible, str):
            if visible == "owner" and not self.has_owner(family):
                self.report.error(
                    "HR523",
                    f"'{family.name}' has no owner: none of its indices is a player",
                    family.span,
                    f"{family.name}(player)",
                )
            return visible
        if isinstance(visible, nodes.Name) and visible.id.lower() in SIGHTS and not self.is_known(visible.id, family):
            nobody_is_me = visible.id == "me"
            message = "nobody is 'me' here" if nobody_is_me else f"there is nothing called '{visible.id}' here"
            help = self.sight_meant(visible.id.lower(), family)
            self.report.error("HR530" if nobody_is_me else "HR501", message, visible.span, help)
            return "all"
        if isinstance(visible, nodes.Name) and visible.id != "viewer" and nearest(visible.id, ("all", "none", "owner")):
            self.report.misnamed(
                "HR501",
                f"there is nothing called '{visible.id}' here",
                visible.span,
                visible.id,
                ("all", "none", "owner"),
            )
            return "all"
        names: dict[str, Type] = {"viewer": PLAYER}
        if it is not None:
            names["it"] = it
        return as_word(self.over_index(visible, family, BOOL, f"who sees '{family.name}'", names), family)

    def has_owner(self, family: Family) -> bool:
        """Whether each of a family belongs to a player."""
        return any(
            p.type == PLAYER or (isinstance(p.type, Piece) and p.type.kind and self.words.owned_by_player(p.type.kind))
            for p in family.parameters
        )

    def is_known(self, word: str, family: Family) -> bool:
        """Whether a word alone means something where it is said who sees one of a family."""
        words = self.words
        indices = [parameter.name for parameter in family.parameters]
        return (
            word in words.variables
            or word in words.options
            or word in indices
            or any(word in kind.ids for kind in words.kinds.values())
        )

    def sight_meant(self, word: str, family: Family) -> str:
        """What to write instead of a word that does not say who sees one of a family."""
        meant = SIGHTS[word]
        if meant == "owner" and not self.has_owner(family):
            return "write none: it belongs to nobody"
        if word in FROM_OTHERS and self.has_owner(family):
            return "write owner, or none where not even the owner sees it"
        return f"write {meant}"

    def over_index(
        self, node: nodes.Expression, family: Family, wanted: Type, what: str, more: Mapping[str, Type] | None = None
    ) -> checked.Expression:
        """An expression in which the indices of a family have names: their own, or that of their type."""
        checker = self.checker
        checker.scopes.append({})
        checker.taken = set()
        for position, parameter in enumerate(family.parameters):
            name = parameter.name or (
                parameter.type.kind
                if isinstance(parameter.type, Member | Piece)
                else "player"
                if isinstance(parameter.type, Player)
                else None
            )
            checker.bind(
                name or f"index{position}", parameter.type, family.span, "parameter"
            ).unique = f"index_{position}"
        for word, type in (more or {}).items():
            checker.scopes[-1].pop(word, None)
            checker.bind(word, type, family.span, "parameter").unique = f"_{word}"
        if family.parameters and (more is None or "it" not in more):
            checker.bind("it", family.parameters[0].type, family.span, "parameter").unique = "index_0"
        keep = checker.me
        checker.me = None
        checker.missing_me_said = False
        nobody = checker.nobody
        checker.nobody = (
            "the player who looks is called viewer" if "viewer" in (more or {}) else "name the index, and use that"
        )
        expression = (
            checker.condition(node)[0]
            if wanted == BOOL and more
            else checker.coerce(checker.expr(node, wanted), wanted, node, what)
        )
        if not more:
            checker.within(expression, wanted, node, what)
        checker.me, checker.nobody = keep, nobody
        checker.scopes.pop()
        return expression


def as_word(seen: checked.Expression, family: Family) -> str | checked.Expression:
    """The word for who sees something, where a condition says no more than the word does."""
    match seen:
        case checked.Constant(value=value):
            return "all" if value else "none"
        case checked.Apply(python=python, arguments=(checked.Local() as a, checked.Local() as b)) if (
            python == "({0} == {1})" and family.owned
        ):
            return "owner" if {a.name, b.name} == {"_viewer", "index_0"} else seen
        case _:
            return seen
