"""Figures of options: how often each was offered and taken, and what taking it is associated with."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from houserule.study.figures import Interval, adjusted, dots, of_difference
from houserule.study.offers import MEASURES, SORTS
from houserule.study.pages import Figure, Section, Table
from houserule.study.simulate import Study

FEWEST = 20
"""The fewest matches, with it and without it, from which its effect is estimated."""
MOST_SHOWN = 15


@dataclass(frozen=True, slots=True)
class Taken:
    """An item at a question, over all seats and bots, apart for each thing that the question names. `effect` is how much more
    often those who took it at least once win than those who were offered it and never took it; None if there were too few."""

    kind: str
    item: str
    title: str
    question: str
    about: tuple[str, str]
    offered: int
    taken: int
    had: float
    without: float
    wins_taken: float
    wins_left: float
    effect: Interval | None


def taken_of(study: Study, bot: str | None = None) -> list[Taken]:
    """All options, or those of one bot, the most often offered first."""
    sums: dict[tuple[str, str, str, str, tuple[str, str]], list[float]] = {}
    things = {(item.question, item.about): item for item in study.rows.items}
    for row in study.options():
        if bot is not None and row["bot"] != bot:
            continue
        named = things[row["question"], row["about"]]
        title = f"{named.thing}: {row['title']}" if named.thing else row["title"]
        key = (row["kind"], row["item"], title, row["question"], (named.sort, named.about))
        counts = sums.setdefault(key, [0.0] * len(MEASURES))
        for number, name in enumerate(MEASURES):
            counts[number] += row[name]
    found = []
    for (kind, item, title, question, about), (offered, taken, seen, had, won, left) in sums.items():
        without = seen - had
        shares = won / had if had else 0.0, left / without if without else 0.0
        effect = None
        if had >= FEWEST and without >= FEWEST:
            effect = of_difference(round(won), round(had), round(left), round(without))
        found.append(
            Taken(kind, item, title, question, about, round(offered), round(taken), had, without, *shares, effect)
        )
    return sorted(found, key=lambda one: (-one.offered, one.question, one.title))


def option_sections(study: Study, made: str, bot: str | None = None) -> list[Section]:
    """A section for each kind of option; none where options were not counted. With a bot, they tell of its play alone."""
    listed = taken_of(study, bot)
    kinds = sorted(
        {one.kind for one in listed}, key=lambda kind: (kind in SORTS, SORTS.index(kind) if kind in SORTS else 0, kind)
    )
    sections = [section_of(kind, [one for one in listed if one.kind == kind], made) for kind in kinds if kind != "race"]
    grouped = attribute_figure(study, made, bot) if listed else []
    return [*([Section("By attribute", grouped)] if grouped else []), *sections]


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
    return Section(heading, [*effect_figure(listed, made), *use_figures(listed, made)])


def read_aloud(question: str) -> str:
    """The text of a question with `…` for the names in braces: `Which side of … becomes …?`."""
    return re.sub(r"\{[^{}]*\}", "…", question)


def distinct(named: Sequence[tuple[str, str]]) -> list[str]:
    """Labels of things at questions: with the question where two are alike."""
    titles = [title for title, _ in named]
    return [f"{title}: {question}" if titles.count(title) > 1 and question else title for title, question in named]


Group = tuple[str, str, str]
"""A kind, an attribute and its value."""


@dataclass(frozen=True, slots=True)
class Grouped:
    """The things of a kind with the same printed value: how many, and what taking one is associated with."""

    group: Group
    things: int
    wins_taken: float
    wins_left: float
    effect: Interval

    @property
    def label(self) -> str:
        kind, attribute, value = self.group
        return f"{kind} {attribute}: {value}".replace("_", " ")


def grouped_of(study: Study, bot: str | None = None) -> list[Grouped]:
    """The groups that enough matches show, of attributes with several values.

    What a player takes of a group in one match is not independent: all of it counts as one observation at most.
    """
    printed = study.rows.printed
    sums: dict[Group, list[float]] = {}
    sizes: dict[Group, set[str]] = {}
    for one in taken_of(study, bot):
        for attribute, value in printed.get((one.kind, one.item), {}).items():
            key = one.kind, attribute, value
            counts = sums.setdefault(key, [0.0] * 4)
            for number, more in enumerate(
                (one.had, one.wins_taken * one.had, one.without, one.wins_left * one.without)
            ):
                counts[number] += more
            sizes.setdefault(key, set()).add(one.item)
    values = Counter(key[:2] for key in sums)
    most = len(study) * study.plan.players
    found = []
    for key, (had, won, without, left) in sums.items():
        part = min(1.0, most / max(1.0, had + without))
        if values[key[:2]] > 1 and len(sizes[key]) > 1 and min(had, without) * part >= FEWEST:
            effect = of_difference(round(won * part), round(had * part), round(left * part), round(without * part))
            found.append(Grouped(key, len(sizes[key]), won / had, left / without, effect))
    return sorted(found, key=lambda one: -one.effect.estimate)


def attribute_figure(study: Study, made: str, bot: str | None = None) -> list[Figure]:
    """The effect of taking things by what is printed on them: all gold tiles together."""
    known = grouped_of(study, bot)
    if not known:
        return []
    sure = adjusted([one.effect.p for one in known])
    rows = []
    for one, p in zip(known, sure, strict=True):
        at = one.effect
        wins = (f"{share * 100:.0f} %" for share in (one.wins_taken, one.wins_left))
        cells = (f"{end * 100:+.1f}" for end in (at.estimate, at.low, at.high))
        rows.append((one.label, str(one.things), *wins, *cells, "yes" if p < 0.05 else "no"))
    shown = [one for one, p in zip(known, sure, strict=True) if p < 0.05][:MOST_SHOWN]
    labels, effects = [one.label for one in shown], [one.effect for one in shown]
    axis = "more victories in 100 matches"
    return [
        Figure(
            "By what is printed on it",
            "Things with the same printed value together: how many of 100 matches are won by those who took one and by those who"
            " could have and did not. Differences are adjusted for the number of groups; what one player takes in a match counts once.",
            made,
            Table(
                ("printed", "things", "wins if taken", "wins if left", "difference", "95 % from", "to", "told"), rows
            ),
            dots(labels, effects, "share", axis, 0.0) if shown else "",
        )
    ]


def effect_figure(listed: Iterable[Taken], made: str) -> list[Figure]:
    """The items whose effect on winning is significant."""
    known = [(one, one.effect) for one in listed if one.effect is not None]
    sure = adjusted([effect.p for _, effect in known])
    told = [pair for pair, p in zip(known, sure, strict=True) if p < 0.05]
    if not told:
        return []
    shown = sorted(told, key=lambda pair: -abs(pair[1].estimate))[:MOST_SHOWN]
    shown.sort(key=lambda pair: -pair[1].estimate)
    labels = distinct([(one.title, read_aloud(one.question)) for one, _ in shown])
    rows = [
        (one.title, read_aloud(one.question), *(f"{end * 100:+.1f}" for end in (at.estimate, at.low, at.high)))
        for one, at in shown
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
            of_offers = f"{one.taken / one.offered * 100:.0f} %" if one.offered else ""
            sides = ((one.wins_taken, one.had), (one.wins_left, one.without))
            wins = (f"{won * 100:.0f} %" if number else "" for won, number in sides)
            differs = "too few"
            if effect is not None:
                differs = f"{effect.estimate * 100:+.1f} ({effect.low * 100:+.1f} to {effect.high * 100:+.1f})"
            rows.append((one.title, f"{one.offered:,}", f"{one.taken:,}", of_offers, *wins, differs))
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
