"""What can be read about a game: what it is about, what can be set, its pieces with their texts, and what scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from houserule import Game
from houserule.definition.model import StepDefinition
from houserule.serve.catalogue import described
from houserule.telling.labels import Labels


def rules_shown(game: Game, language: str) -> dict[str, Any]:
    """A game as its page tells it, in a language that it speaks."""
    spoken = language if language in game.languages else game.languages[0]
    most = game.players[-1]
    program = game.program(most, told=True)
    labels = Labels(program, [str(number) for number in range(1, most + 1)], spoken)
    definition = game.definition
    return {
        **described(game, spoken),
        "language": spoken,
        "steps": [
            {"title": step.title.raw(spoken), "text": step.text.raw(spoken) if step.text else ""}
            for step in all_steps(definition.flow)
            if step.title is not None
        ],
        "kinds": [kind for kind in (kind_shown(labels, name, spoken) for name in definition.kinds) if kind["members"]],
        "scoring": [
            line.title.raw(spoken) if line.title else line.name.replace("_", " ") for line in definition.scoring
        ],
        "assumptions": sorted({reason for _, reason in game.assumptions}),
    }


def all_steps(steps: Sequence[StepDefinition]) -> Iterator[StepDefinition]:
    """The steps of a flow with those inside them, in their order."""
    for step in steps:
        yield step
        yield from all_steps(step.steps)


def kind_shown(labels: Labels, name: str, language: str) -> dict[str, Any]:
    """A kind of piece, or an enum, with those of its members that have a text; each once, with how many there are."""
    definition = labels.definition.kinds[name]
    kind = labels.symbols.kinds[name]
    members: dict[tuple[str, str], int] = {}
    for number in range(kind.base, kind.base + len(kind.ids)):
        text = labels.text(kind, number)
        if text:
            row = (labels.member(kind, number), text)
            members[row] = members.get(row, 0) + 1
    return {
        "title": definition.title.raw(language)
        if definition.title and not definition.title.shows_values
        else name.replace("_", " "),
        "is_piece": definition.is_piece,
        "members": [{"title": title, "text": text, "count": count} for (title, text), count in members.items()],
    }
