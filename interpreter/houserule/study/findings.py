"""What is probably wrong: options that nobody should take or everybody must, and house rules that spoil the game."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from houserule.printable import capital
from houserule.study.figures import Interval, adjusted, of_share, statistics
from houserule.study.measures import Difference, Key, counts_of, listed, never_offered, titles_of
from houserule.study.offers import MEASURES
from houserule.study.simulate import Study

SELDOM, OFTEN = 0.05, 0.95
"""An option is dead if the strongest bot takes it so seldom of the times when it could, and a must if it takes it so often."""
COMMON = 10
"""What was offered so often without a house rule is hardly missing by chance: once in 20,000."""
LEAST_MATCHES = 30
"""Options that were offered in fewer matches, seat by seat, are not judged."""


@dataclass(frozen=True, slots=True)
class Use:
    """A thing of the game over all questions: how often the strongest bot was offered it and took it.

    What one player does in one match is not independent: it counts as many observations as the bot had seats in matches, at most.

    `by_chance` is how often the weakest bot takes it. `verdict` is `dead`, `must`, `never` (it was never offered), or empty.
    """

    kind: str
    item: str
    title: str
    offered: int
    taken: int
    by_chance: float
    verdict: str = ""

    @property
    def key(self) -> Key:
        return self.kind, self.item

    @property
    def share(self) -> Interval:
        return of_share(self.taken, self.offered)

    def to_json(self) -> dict[str, Any]:
        """The figures by key."""
        return {
            "kind": self.kind,
            "item": self.item,
            "title": self.title,
            "matches_offered": self.offered,
            "matches_taken": self.taken,
            "taken_by_weakest": self.by_chance,
            "verdict": self.verdict,
        }


def of_uses(top: Study, strongest: str, bottom: Study, weakest: str, own: Collection[Key] = ()) -> list[Use]:
    """What the strongest bot takes: dead and must only where chance alone would do otherwise, adjusted for the number of things.

    The `own` things of a house rule, about which it asks, are adjusted for their number alone.
    """
    strong, weak = counts_of(top, strongest), counts_of(bottom, weakest)
    most_seats = len(top) * top.plan.seats.count(strongest)
    found = []
    kinds = {kind for kind, _ in (*strong, *weak)}
    for key, title in titles_of(top).items():
        if key[0] not in kinds:
            continue  # nothing of its kind is ever a question
        _, _, seen, had, *_ = strong.get(key, [0.0] * len(MEASURES))
        _, _, once, took, *_ = weak.get(key, [0.0] * len(MEASURES))
        part = min(1.0, most_seats / seen) if seen else 1.0
        found.append(Use(*key, title, round(seen * part), round(had * part), took / once if once else 0.0))
    verdicts = dict.fromkeys(never_offered(top, bottom), "never") | judged(found, own)
    order = ["dead", "must", "never", ""]
    named = [replace(use, verdict=verdicts.get(use.key, "")) for use in found]
    return sorted(named, key=lambda use: (order.index(use.verdict), -use.offered, use.key))


def judged(uses: Sequence[Use], own: Collection[Key]) -> dict[Key, str]:
    """What is dead or a must: the own things of a house rule are adjusted for their number, and so are all others."""
    many = [use for use in uses if use.offered >= LEAST_MATCHES]
    binomial = statistics().bdtr
    found = {}
    for is_own in (True, False):
        family = [use for use in many if (use.key in own) is is_own]
        tails = adjusted([float(binomial(use.taken, use.offered, 2 * SELDOM)) for use in family])
        for use, p in zip(family, tails, strict=True):
            low, high = use.share.low, use.taken / use.offered
            if p < SELDOM and high <= SELDOM and use.by_chance > 4 * SELDOM:
                found[use.key] = "dead"
            elif low >= OFTEN - SELDOM and use.by_chance < OFTEN - 4 * SELDOM:
                found[use.key] = "must"
    return found


TOLD = {
    "dead": "The strongest bot almost never takes {}, though it could.",
    "must": "The strongest bot takes {} whenever it can.",
    "never": "Never offered: {}.",
}


def told_of_uses(uses: Sequence[Use]) -> list[str]:
    """Options that are dead or a must, and things that were never offered, in sentences."""
    found = []
    for verdict, sentence in TOLD.items():
        titles = [use.title for use in uses if use.verdict == verdict]
        if titles:
            found.append(sentence.format(listed(titles)))
    return found


# --- a house rule -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a house rule probably does to the game: `dead`, `never`, `kingmaking`, `runaway` or `luck`."""

    kind: str
    sentence: str

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


LEADS = ("leader.quarter", "leader.half", "leader.three_quarters")


def findings_of(
    names: Sequence[str],
    differences: Sequence[Difference],
    uses: Sequence[Sequence[Use]],
) -> list[Finding]:
    """What a house rule probably spoils, the most particular first; none without one.

    Luck is no finding of its own beside a leader who runs away: the better player cannot catch up either.
    """
    if len(names) < 2:
        return []
    name = names[0]
    found = []
    ours, theirs = ({use.key: use for use in side} for side in uses)
    for verdict, sentence in (
        ("dead", "{} adds what is not worth having: the strongest bot almost never takes {}, though it could."),
        ("never", "{} has things that are never offered: {}. Probably nothing brings them into play."),
    ):
        new = [use.title for key, use in ours.items() if use.verdict == verdict and is_new(theirs.get(key), verdict)]
        if new:
            found.append(Finding(verdict, capital(sentence.format(name, listed(new)))))
    told = {one.key: one for one in differences if one.is_told}
    lead = most(told, LEADS)
    for kind, one in (
        ("kingmaking", told.get("kingmaking")),
        ("runaway", lead),
        ("luck", most(told, [key for key in told if key.startswith("rung.")], -1) if lead is None else None),
    ):
        if one is not None:
            found.append(Finding(kind, SENTENCES[kind](name, names[1], one)))
    return [one for one in found if one.sentence]


def nothing_found(name: str, matches: int) -> str:
    """What was looked for in vain, so that nobody has to guess it from silence."""
    return (
        f"{capital(name)} does nothing wrong that {matches:,} matches a rung could show: no leader runs away, luck decides no more"
        " than before, nobody who cannot win decides who does, and nothing new is left lying or never offered."
    )


def is_new(there: Use | None, verdict: str) -> bool:
    """Whether a verdict on a thing is due to the house rule: of what is rare there, chance may have offered nothing."""
    if there is None:
        return True
    return there.verdict != verdict and (verdict != "never" or there.offered >= COMMON)


def most(told: Mapping[str, Difference], keys: Sequence[str], sign: int = 1) -> Difference | None:
    """The greatest difference of some measures in one direction."""
    found = [told[key] for key in keys if key in told and told[key].interval.estimate * sign > 0]
    return max(found, key=lambda one: abs(one.interval.estimate), default=None)


def of_kingmaking(name: str, other: str, one: Difference) -> str:
    if one.interval.estimate <= 0:
        return ""
    return (
        f"{capital(name)} lets players who cannot win decide who does: on average a decision moves"
        f" {one.first * 100:.1f} victories in 100 that its player cannot have, and {max(one.second, 0.0) * 100:.1f} with {other}."
    )


def of_runaway(name: str, other: str, one: Difference) -> str:
    when = one.title.removeprefix("wins of the leader ")
    return (
        f"With {name} the leader runs away: who leads {when} wins {one.first * 100:.0f} of 100 matches, and"
        f" {one.second * 100:.0f} with {other}."
    )


def of_luck(name: str, other: str, one: Difference) -> str:
    who = one.title.removeprefix("duels that ").replace(" wins against ", " against ")
    return (
        f"With {name} luck decides more: {who}, the stronger wins {one.first * 100:.0f} of 100 duels, and"
        f" {one.second * 100:.0f} with {other}."
    )


SENTENCES = {"kingmaking": of_kingmaking, "runaway": of_runaway, "luck": of_luck}
