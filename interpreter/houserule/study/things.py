"""The things of a game over all questions: what was offered and taken of them, and what was never offered."""

from __future__ import annotations

from collections.abc import Sequence

from houserule.printable import printable
from houserule.study.offers import MEASURES, SORTS
from houserule.study.simulate import Study

Key = tuple[str, str]

LEAST_NEVER = 50
"""Fewer matches do not show that something is never offered."""


def first_alike(study: Study) -> dict[Key, Key]:
    """For each thing the first of its kind with the same title, which stands for all of them."""
    firsts: dict[Key, Key] = {}
    found: dict[Key, Key] = {}
    for item in study.rows.items:
        key = item.kind, item.id
        found[key] = firsts.setdefault((item.kind, item.title), key)
    return found


def counts_of(study: Study, bot: str | None = None) -> dict[Key, list[float]]:
    """The sums of all measures of options, by thing, over all questions and all that is called alike; of one bot or of all.

    A question about a thing, such as whether to accept it, offers the thing: it is taken with any line but the last, which declines.
    """
    found: dict[Key, list[float]] = {}
    first, declines = first_alike(study), declining(study)
    for row in study.options():
        if bot is not None and row["bot"] != bot:
            continue
        key = row["kind"], row["item"]
        sums = found.setdefault(first[key], [0.0] * len(MEASURES))
        for number, name in enumerate(MEASURES):
            sums[number] += row[name]
        about = declines.get((row["question"], row["about"]))
        if about is None or row["kind"] not in ANSWERS:
            continue
        thing, last = about
        sums = found.setdefault(first.get(thing, thing), [0.0] * len(MEASURES))
        for number, name in enumerate(MEASURES):
            if name.endswith("offered") is (key == last):
                sums[number] += row[name]
    return found


ANSWERS = ("option", "truth", "pass")
"""Kinds of items that answer a question about a thing with yes or no."""


def declining(study: Study) -> dict[tuple[str, str], tuple[Key, Key]]:
    """For each question about a thing: the thing, and the answer that declines it, which comes last."""
    return {
        (item.question, item.about): ((item.sort, item.about), (item.kind, item.id))
        for item in study.rows.items
        if item.about and item.kind in ANSWERS and (item.kind, item.id) != ("truth", "true")
    }


def titles_of(study: Study) -> dict[Key, str]:
    """The pieces and members that could be offered, with their titles; of several that are called alike, the first."""
    first = first_alike(study)
    asked = {first.get(key, key): title for key, title in named_in_questions(study).items()}
    return asked | {first[item.kind, item.id]: item.title for item in study.rows.items if item.kind not in SORTS}


def named_in_questions(study: Study) -> dict[Key, str]:
    """The pieces and members that a question can be about, with their titles."""
    return {(item.sort, item.about): item.thing for item in study.rows.items if item.about and item.kind in ANSWERS}


def asked_about(study: Study) -> set[Key]:
    """The pieces and members that questions were about."""
    first = first_alike(study)
    named = {(item.question, item.about): (item.sort, item.about) for item in study.rows.items if item.about}
    found = {named[row["question"], row["about"]] for row in study.options() if row["about"]}
    return {first.get(key, key) for key in found}


def never_offered(*studies: Study) -> dict[Key, str]:
    """Things that were never offered in any of these studies, of kinds of which others were, and that no question was about.

    Fewer than fifty matches do not show it.
    """
    titles: dict[Key, str] = {}
    offered: set[Key] = set()
    for study in studies:
        titles |= titles_of(study)
        offered |= set(counts_of(study)) | asked_about(study)
    if sum(map(len, studies)) < LEAST_NEVER:
        return {}
    kinds = {kind for kind, _ in offered}
    alike = {(key[0], titles.get(key)) for key in offered}
    return {key: title for key, title in titles.items() if key[0] in kinds and (key[0], title) not in alike}


def listed(titles: Sequence[str], most: int = 3) -> str:
    """Some titles, each once, and how many more there are."""
    titles = list(dict.fromkeys(titles))
    shown = [printable(title) for title in titles[:most]]
    if len(titles) > most:
        return f"{', '.join(shown)} and {len(titles) - most} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def told_never(titles: Sequence[str]) -> str:
    """That things were never offered, in a sentence; empty if there are none."""
    return f"Never offered: {listed(titles)}." if titles else ""
