"""Reports options: for each card, face, member and line of a menu how often it was offered and taken, and how those who took it fared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from houserule.study.figures import Interval, adjusted, dots, of_difference
from houserule.study.offers import MEASURES
from houserule.study.page import Figure, Section, Table
from houserule.study.result import Study

FEWEST = 20
"""The fewest matches, with it and without it, from which its effect is estimated."""
MOST_SHOWN = 15
LAST = ("option", "race", "truth", "player", "number", "pass")
"""Kinds that are not things of the game come last."""


@dataclass(frozen=True, slots=True)
class Taken:
    """An item at a question, over all seats and bots. `effect` is how much more often those who took it at least once win than
    those who were offered it and never took it; None if there were too few."""

    kind: str
    title: str
    question: str
    offered: int
    taken: int
    wins_taken: float
    wins_left: float
    effect: Interval | None


def taken_of(study: Study) -> list[Taken]:
    """All options, the most often offered first."""
    sums: dict[tuple[str, str, str], list[float]] = {}
    for row in study.options():
        key = (row["kind"], row["title"], row["question"])
        counts = sums.setdefault(key, [0.0] * len(MEASURES))
        for number, name in enumerate(MEASURES):
            counts[number] += row[name]
    found = []
    for (kind, title, question), (offered, taken, seen, had, won, left) in sums.items():
        without = seen - had
        effect = None
        if had >= FEWEST and without >= FEWEST:
            effect = of_difference(round(won), round(had), round(left), round(without))
        found.append(
            Taken(
                kind,
                title,
                question,
                round(offered),
                round(taken),
                won / had if had else 0.0,
                left / without if without else 0.0,
                effect,
            )
        )
    return sorted(found, key=lambda one: (-one.offered, one.question, one.title))


def option_sections(study: Study, made: str) -> list[Section]:
    """A section for each kind of option; none where options were not counted."""
    listed = taken_of(study)
    kinds = sorted(
        {one.kind for one in listed}, key=lambda kind: (kind in LAST, LAST.index(kind) if kind in LAST else 0, kind)
    )
    return [section_of(kind, [one for one in listed if one.kind == kind], made) for kind in kinds if kind != "race"]


HEADINGS = {
    "option": "Lines of menus",
    "truth": "Yes and no",
    "player": "Players",
    "number": "Numbers",
    "pass": "Passing",
}


def section_of(kind: str, listed: Sequence[Taken], made: str) -> Section:
    """The section of one kind: the effect of taking an item, and the numbers for each question."""
    heading = HEADINGS.get(kind, f"Choices of {kind.replace('_', ' ')}")
    figures = [*effect_figure(listed, made), *use_figures(listed, made)]
    return Section(heading, figures)


def read_aloud(question: str) -> str:
    """The text of a question with `…` for the names in braces: `Which side of … becomes …?`."""
    return re.sub(r"\{[^{}]*\}", "…", question)


def effect_figure(listed: Iterable[Taken], made: str) -> list[Figure]:
    """The items whose effect on winning is significant."""
    known = [(one, one.effect) for one in listed if one.effect is not None]
    sure = adjusted([effect.p for _, effect in known])
    told = [pair for pair, p in zip(known, sure, strict=True) if p < 0.05]
    if not told:
        return []
    shown = sorted(told, key=lambda pair: -abs(pair[1].estimate))[:MOST_SHOWN]
    shown.sort(key=lambda pair: -pair[1].estimate)
    labels = [one.title for one, _ in shown]
    rows = [
        (
            one.title,
            read_aloud(one.question),
            f"{effect.estimate * 100:+.1f}",
            f"{effect.low * 100:+.1f}",
            f"{effect.high * 100:+.1f}",
        )
        for one, effect in shown
    ]
    return [
        Figure(
            "What taking it is associated with",
            "Each dot shows how many more of 100 matches are won by those who took it at least once than by those who could have and did not,"
            " with its 95 % interval. Only significant differences are shown. Those who take it may win for another reason.",
            made,
            Table(("taken", "at the question", "more wins in 100", "95 % from", "to"), rows),
            dots(labels, [effect for _, effect in shown], "share", "more victories in 100 matches", 0.0),
        )
    ]


def use_figures(listed: Sequence[Taken], made: str) -> list[Figure]:
    """How often each item was offered and taken: a table for each question."""
    by_question: dict[str, list[Taken]] = {}
    for one in listed:
        by_question.setdefault(one.question, []).append(one)
    found = []
    for question, items in by_question.items():
        rows = []
        for one in items:
            effect = one.effect
            rows.append(
                (
                    one.title,
                    f"{one.offered:,}",
                    f"{one.taken:,}",
                    f"{one.taken / one.offered * 100:.0f} %" if one.offered else "",
                    f"{one.wins_taken * 100:.0f} %",
                    f"{one.wins_left * 100:.0f} %",
                    f"{effect.estimate * 100:+.1f} ({effect.low * 100:+.1f} to {effect.high * 100:+.1f})"
                    if effect
                    else "too few",
                )
            )
        heads = ("", "offered", "taken", "of offers", "wins if taken", "wins if left", "difference in 100 (95 %)")
        found.append(
            Figure(
                read_aloud(question) or "A choice without a question",
                "How often each was offered and taken, and how many matches were won by those who took it at least once, and by those who could have and never did.",
                made,
                Table(heads, rows),
            )
        )
    return found
