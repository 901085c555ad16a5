"""Checks the braces in titles, and keeps their expressions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from houserule.definition.model import GameDefinition, ScoreLineDefinition, every_step
from houserule.definition.reader import Prose
from houserule.diagnostics import Report
from houserule.frozen import frozen
from houserule.language import checked, nodes
from houserule.language.checked import Kind
from houserule.language.scope import Analysis, Context, bind, global_place
from houserule.language.trees import walk
from houserule.language.typecheck import expr

MOST_SAID = 20  # per title; more than that is not a title


@frozen
class ShownValue:
    """A checked expression in braces; `names` are its local names with the attributes they stand for, or `it`."""

    expression: checked.Expression
    names: dict[str, str]


def check_titles(game: GameDefinition, analysis: Analysis) -> dict[nodes.Expression, ShownValue]:
    """Check braces: titles of pieces and members show values of `it`, those of the score sheet their name, texts about rules settings, others nothing."""
    found = {}
    for definition in game.kinds.values():
        kind = analysis.symbols.kinds[definition.name]
        for prose in (definition.title, *(member.title for member in definition.members)):
            for part in islice(shown(prose), MOST_SAID):
                found[part] = value_of_kind(part, kind, title_context(analysis, analysis.report))
    for line in game.scoring:
        check_title_of_line(line, analysis.report)
    for prose in read_as_they_stand(game):
        for part in islice(shown(prose), 1):
            analysis.report.warning(
                "HR585",
                "no value is shown in this text",
                part.span,
                "write '{{' and '}}' for braces themselves",
            )
    for prose in read_in_the_rulebook(game):
        for part in islice((one for one in shown(prose) if not is_setting(one, game)), 1):
            advice = "a text about the rules can show options; write '{{' and '}}' for braces themselves"
            analysis.report.warning("HR585", "no value is shown in this text", part.span, advice)
    return found


def is_setting(part: nodes.Expression, game: GameDefinition) -> bool:
    """Whether a value depends on options only."""
    names = [node.id for node in walk(part) if isinstance(node, nodes.Name)]
    return all(name in game.options for name in names)


def shown(prose: Prose | None) -> Iterator[nodes.Expression]:
    for text in prose.texts.values() if prose is not None else ():
        yield from (part for part in text.parts if not isinstance(part, str))


def add_values(game: GameDefinition, analysis: Analysis, found: dict[nodes.Expression, ShownValue]) -> None:
    """Add the values in braces of pieces' and members' titles and texts, without reporting."""
    for definition in game.kinds.values():
        kind = analysis.symbols.kinds[definition.name]
        of_members = (prose for member in definition.members for prose in (member.title, member.text))
        for prose in (definition.title, definition.text, *of_members):
            for part in (part for part in shown(prose) if part not in found):
                found[part] = value_of_kind(part, kind, title_context(analysis, Report()))


def title_context(analysis: Analysis, report: Report) -> Context:
    return analysis.context("me", nobody="a title can use only 'it'").inner(report=report)


def value_of_kind(part: nodes.Expression, kind: Kind, context: Context) -> ShownValue:
    """A value of `it`, or an attribute by its bare name."""
    names = {bind(context, "it", kind.type, part.span, "binder").unique: "it"}
    for attribute, type in kind.attribute_types.items():
        if global_place(context, attribute) is None:
            names[bind(context, attribute, type, part.span, "binder").unique] = attribute
    return ShownValue(expr(context, part), names)


def check_title_of_line(line: ScoreLineDefinition, report: Report) -> None:
    """Check that a title shows only the name after `for`."""
    binder = (line.for_.binder or "it") if line.for_ is not None else None
    for part in islice(shown(line.title), MOST_SAID):
        if binder is None:
            report.warning(
                "HR585", "no value is shown in this title", part.span, "with a `for` there is a line for each member"
            )
        elif not isinstance(part, nodes.Name) or part.id != binder:
            written = part.id if isinstance(part, nodes.Name) else ""
            message = f"the title of '{line.name}' shows '{binder}' and nothing else"
            report.misnamed("HR501", message, part.span, written, [binder], f"{{{binder}}}")


def read_as_they_stand(game: GameDefinition) -> Iterator[Prose | None]:
    """All titles and texts whose braces are plain text."""
    yield from (game.title, game.text)
    for option in game.options.values():
        yield option.title
    for kind in game.kinds.values():
        yield kind.back_title
    for zone in game.zones.values():
        yield zone.title
    for variable in game.variables.values():
        yield variable.title
    for step in every_step(game.flow):
        yield step.title


def read_in_the_rulebook(game: GameDefinition) -> Iterator[Prose | None]:
    """Texts that may show settings."""
    for option in game.options.values():
        yield option.text
    for step in every_step(game.flow):
        yield step.text
    for one in (*game.actions.values(), *game.functions.values()):
        yield one.text
