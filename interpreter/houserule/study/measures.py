"""Measures of matches and of the things in them: what was offered, taken or never offered, and what they show, in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from houserule.core import ENDINGS
from houserule.printable import capital, printable
from houserule.running.playout import part_of_win
from houserule.study.figures import Interval, adjusted, numpy, of_mean
from houserule.study.offers import MEASURES, SORTS, TOGETHER
from houserule.study.plan import described
from houserule.study.simulate import Study, packed, result_of
from houserule.study.tension import Measure, scores_of
from houserule.telling.labels import read_out

if TYPE_CHECKING:
    from houserule.study.figures import Numbers

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
    questions = (item for item in study.rows.items if item.about and item.kind in ANSWERS)
    asked = {first.get((item.sort, item.about), (item.sort, item.about)): item.thing for item in questions}
    return asked | {first[item.kind, item.id]: item.title for item in study.rows.items if item.kind not in SORTS}


def asked_about(study: Study) -> set[Key]:
    """The pieces and members that questions were about."""
    first = first_alike(study)
    named = {(item.question, item.about): (item.sort, item.about) for item in study.rows.items if item.about}
    found = {named[row["question"], row["about"]] for row in study.options() if row["about"]}
    return {first.get(key, key) for key in found}


def never_offered(*studies: Study) -> dict[Key, str]:
    """Things that were never offered in any of these studies, of kinds of which others were, and that no question was about.

    Fewer than fifty matches do not show it. Combinations of things are left out, since many of them are not possible.
    """
    titles: dict[Key, str] = {}
    offered: set[Key] = set()
    for study in studies:
        titles |= titles_of(study)
        offered |= set(counts_of(study)) | asked_about(study)
    if sum(map(len, studies)) < LEAST_NEVER:
        return {}
    kinds = {kind for kind, _ in offered if TOGETHER not in kind}
    alike = {(key[0], titles.get(key)) for key in offered}
    return {key: title for key, title in titles.items() if key[0] in kinds and (key[0], title) not in alike}


def listed(titles: Sequence[str], most: int = 3) -> str:
    """Some titles, each once, and how many more there are."""
    titles = list(dict.fromkeys(titles))
    more = [f"{len(titles) - most} more"] if len(titles) > most else []
    return read_out("en", [*map(printable, titles[:most]), *more])


# --- measures ---------------------------------------------------------------------------------------------------------


ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()


def seat_name(seat: int) -> str:
    return f"the {ORDINALS[seat]} seat" if seat < len(ORDINALS) else f"seat {seat + 1}"


def credit_of(study: Study) -> Numbers:
    """What each seat has won in each match: 1, a share of a shared victory, or 0."""
    np, columns = numpy(), study.columns
    words, which = np.unique(packed(columns.endings, columns.winners), return_inverse=True)
    parts = []
    for word in words.tolist():
        ending, *has_won = result_of(word, columns.players)
        part = part_of_win(np.flatnonzero(has_won).tolist(), ENDINGS[ending], study.teams)
        parts.append([part * has for has in has_won])
    credit: Numbers = np.array(parts)[which]
    return credit


def bots_of(study: Study) -> Numbers:
    """The bot at each seat in each match."""
    plan = study.plan
    seatings = numpy().array([plan.bots(rotation) for rotation in range(plan.rotations)])
    bots: Numbers = seatings[numpy().arange(len(study)) % plan.rotations]
    return bots


SIZES = {1: "player", 2: "pair"}


def sides_of(study: Study) -> list[tuple[str, str, int]]:
    """Who wins for themselves, as a key, in words, and the seat that stands for all: each seat, or each team that is fixed."""
    teams = study.teams
    if teams is None:
        return [(f"seat_{seat + 1}", seat_name(seat), seat) for seat in range(study.plan.players)]
    found = []
    sizes = {teams.count(team) for team in teams}
    word = SIZES.get(sizes.pop(), "team") if len(sizes) == 1 else "team"
    for number, first in enumerate(dict.fromkeys(teams)):
        ordinal = ORDINALS[number] if number < len(ORDINALS) else f"{number + 1}."
        found.append((f"team_{number + 1}", f"the {ordinal} {word}", first))
    return found


ENDED = {
    "shared": "shared victories",
    "victory": "joint victories",
    "draw": "draws",
    "defeat": "joint defeats",
    "undecided": "matches that nobody won",
}
"""The words for matches that did not end with a single winner."""


def measures_of(study: Study) -> list[Measure]:
    np, columns, plan = numpy(), study.columns, study.plan
    credit = credit_of(study)
    found = [Measure(f"wins.{key}", f"wins of {name}", "share", credit[:, seat]) for key, name, seat in sides_of(study)]
    if len(set(plan.seats)) > 1:
        for bot in dict.fromkeys(plan.seats):
            theirs = bots_of(study) == bot
            values = (credit * theirs).sum(axis=1) / theirs.sum(axis=1)
            found.append(Measure(f"wins.bot.{bot}", f"wins of a seat with {bot}", "share", values))
    endings = np.array(columns.endings)
    for ending, title in ENDED.items():
        ended = endings == ENDINGS.index(ending)
        if ended.any():
            found.append(Measure(ending, title, "share", ended.astype(float)))
    found.append(Measure("decisions", "length", "decisions", np.array(columns.decisions, dtype=float)))
    if study.summary.rounds.highest:
        found.append(Measure("rounds", "length in rounds", "rounds", np.array(columns.rounds, dtype=float)))
    titles = study.summary.titles
    if titles:
        found += of_scores(study, titles)
    return [*found, *study.measured]


def of_scores(study: Study, titles: dict[str, str]) -> list[Measure]:
    """Measures of the score sheet, each the mean over all seats."""
    np = numpy()
    scores = scores_of(study.columns)
    found = [Measure("score", "score", "points", scores.mean(axis=1))]
    lines = np.array(study.columns.lines, dtype=float).reshape(len(study), len(titles), -1)
    for number, (key, title) in enumerate(titles.items()):
        found.append(Measure(f"line.{key}", f"points for {title}", "points", lines[:, number].mean(axis=1)))
    return found


# --- significance -----------------------------------------------------------------------------------------------------


Setting = dict[str, int | str]
SURE = 0.01
"""A difference is reported if its adjusted p-value is below this."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A measure on both sides, and the first minus the second: an amount of `unit`, or a share of 1."""

    key: str
    title: str
    unit: str
    first: float
    second: float
    interval: Interval
    p: float

    @property
    def is_told(self) -> bool:
        """Whether the difference is significant, adjusted for the number of measures."""
        return self.p < SURE

    @property
    def sides(self) -> tuple[str, str]:
        """The amounts of both sides, for people."""
        return amount(self.first, self.unit), amount(self.second, self.unit)

    def to_json(self) -> dict[str, Any]:
        """The figures by key."""
        return {
            "measure": self.key,
            "title": self.title,
            "unit": self.unit,
            "first": self.first,
            "second": self.second,
            "difference": self.interval.to_json(),
            "is_told": self.is_told,
        }


@dataclass(frozen=True, slots=True)
class Point:
    """A measure under one setting."""

    setting: Setting
    key: str
    title: str
    unit: str
    interval: Interval

    def to_json(self) -> dict[str, Any]:
        return {"measure": self.key, "title": self.title, "unit": self.unit, **self.interval.to_json()}


def amount(value: float, unit: str, sign: str = "") -> str:
    """An amount for people; a share is a percentage. `sign` is `+` to print a plus."""
    return f"{value * 100:{sign}.1f} %" if unit == "share" else f"{value:{sign},.2f}"


def brief(interval: Interval, unit: str) -> str:
    """An estimate with its interval, in few characters; that of a share need not be centred on it, so both ends are told."""
    if unit == "share":
        digits = 0 if interval.width > 0.1 else 1
        estimate, low, high = (f"{end * 100:.{digits}f}" for end in (interval.estimate, interval.low, interval.high))
        return f"{estimate} % ({low}-{high})"
    return f"{interval.estimate:,.2f} ± {interval.width / 2:,.2f}"


def between(interval: Interval, unit: str) -> str:
    if unit == "share":
        return f"{interval.low * 100:+.1f} to {interval.high * 100:+.1f}"
    return f"{interval.low:+,.2f} to {interval.high:+,.2f}"


def signed(interval: Interval, unit: str) -> str:
    scale, mark = (100, " points in 100") if unit == "share" else (1, "")
    low, high = interval.low * scale, interval.high * scale
    return f"{interval.estimate * scale:+.2f}{mark} ({low:+.2f} to {high:+.2f})"


def points(share: float) -> str:
    number = abs(share) * 100
    shown = f"{number:.0f}" if number >= 9.95 else f"{number:.1f}".removesuffix(".0")
    return f"{shown} {'point' if shown == '1' else 'points'} in 100"


# --- a study ----------------------------------------------------------------------------------------------------------


def of_study(study: Study) -> list[str]:
    """What a study shows, in sentences."""
    said = (fairness, length, endings, tension, choices, never, caveat)
    return [sentence for say in said if (sentence := say(study))]


def tension(study: Study) -> str:
    """How soon a match is decided; empty if its matches have no course."""
    found = study.measures
    if not {"leader.half", "decided"} <= set(found):
        return ""
    leader, decided = found["leader.half"], found["decided"]
    return (
        f"Who leads at half-time wins {leader.estimate * 100:.0f} of 100 matches"
        f" (95 %: {leader.low * 100:.0f} to {leader.high * 100:.0f}), and the lead is taken for good after"
        f" {decided.estimate * 100:.0f} % of the course."
    )


def choices(study: Study) -> str:
    """How much there is to decide."""
    found = study.measures
    if not {"options", "forced"} <= set(found):
        return ""
    return f"A question has {found['options'].estimate:.1f} options on average; {found['forced'].estimate * 100:.0f} of 100 have only one."


def never(study: Study, beside: Study | None = None) -> str:
    """Things that were never offered; with a study beside it, only those that it has not.

    What a house rule no longer asks about may be in play all the same.
    """
    if not study.plan.offers:
        return ""
    theirs = titles_of(beside) if beside is not None else {}
    titles = [title for key, title in never_offered(study).items() if key not in theirs]
    return f"Never offered: {listed(titles)}." if titles else ""


def caveat(study: Study) -> str:
    """What random play cannot say; empty for other bots."""
    return "Random play says nothing of strategy: `houserule ladder` does." if study.plan.is_random else ""


def fairness(study: Study) -> str:
    """Whether a seat wins more or less than its share of the victories."""
    of_seats, named = credit_of(study), sides_of(study)
    credit = of_seats[:, [seat for _, _, seat in named]]
    players = credit.shape[1]
    endings = study.summary.endings
    what = "seat" if study.teams is None else "team"
    if players == 1 or not endings["win"] + endings["shared"]:
        won = credit[:, 0].mean()
        return f"{'The player wins' if players == 1 else 'The players win'} {won * 100:.0f} of 100 matches."
    share = credit.sum(axis=1).mean() / players
    found = [of_mean(credit[:, seat] - credit.mean(axis=1), bounded=True) for seat in range(players)]
    sure = adjusted([interval.p for interval in found])
    told = [number for number in range(players) if sure[number] < SURE]
    if not told:
        widest = max(interval.reach for interval in found)
        if widest > share / 2:
            return f"{len(study):,} matches do not show whether the {what}s are fair: a {what} may be up to {points(widest)} from its share."
        return f"No {what} demonstrably wins more or less than its share; a difference of {points(widest)} would have shown."
    seat = max(told, key=lambda number: abs(found[number].estimate))
    interval = found[seat]
    word = "more" if interval.estimate > 0 else "less"
    return (
        f"{capital(named[seat][1])} wins {points(interval.estimate)} {word} than its share of {share * 100:.0f}"
        f" (95 %: {points(min(abs(interval.low), abs(interval.high)))} to {points(interval.reach)})."
    )


def length(study: Study) -> str:
    """How long matches take."""
    summary = study.summary
    rounds = f"{summary.rounds.mean:.1f} rounds and " if summary.rounds.highest else ""
    return f"A match takes {rounds}{summary.length.mean:.0f} decisions on average, from {summary.length.lowest} to {summary.length.highest}."


def endings(study: Study) -> str:
    """How matches end, and how close they are."""
    summary = study.summary
    words = {
        "shared": "are shared victories",
        "victory": "are won by all together",
        "draw": "are draws",
        "defeat": "are lost by all",
        "undecided": "are won by nobody",
    }
    found = [
        f"{summary.endings[ending] / summary.matches * 100:.1f} {said}"
        for ending, said in words.items()
        if summary.endings[ending]
    ]
    if not found:
        return "Every match has one winner." if study.teams is None else "Every match is won by one team."
    return f"Of 100 matches {read_out('en', found)}."


# --- a comparison -----------------------------------------------------------------------------------------------------


def of_comparison(
    names: tuple[str, str], differences: Sequence[Difference], matches: int, is_precise: bool
) -> list[str]:
    """Whether anything differs, and which side is fairer and longer."""
    told = [one for one in differences if one.is_told]
    first, second = names
    if told:
        ordered = sorted(told, key=lambda one: one.p)
        titles = listed([one.title for one in ordered], 4 if len(ordered) < 5 else 3)  # never "and 1 more"
        opening = f"{first} differs from {second} in {titles}."
    elif is_precise:
        opening = f"{first} and {second} show no difference."
    else:
        opening = f"{matches:,} matches each do not show whether {first} and {second} differ: it could all be chance."
    wins = [one for one in differences if one.key.startswith("wins.")]
    compared = wins_compared(wins, second, is_precise) if wins else ONE_IN_TEAMS
    return [capital(opening), compared, length_compared(differences, matches)]


ONE_IN_TEAMS = "Who wins is not compared, since only one of them is played in teams."
OF_SIDES = ("wins.seat", "wins.team")
"""How the keys of measures of seats, or of teams, begin."""


def wins_compared(wins: Sequence[Difference], second: str, is_precise: bool) -> str:
    """Which seat or team wins more or less than on the other side."""
    told = [one for one in wins if one.is_told]
    if not told:
        what = "team" if wins[0].key.startswith(OF_SIDES[1]) else "seat"
        widest = max(one.interval.reach for one in wins)
        if is_precise:
            return f"No {what}'s wins differ from those with {second} by more than {points(widest)}."
        return f"A {what} may win up to {points(widest)} more or less; more matches would tell."
    one = max(told, key=lambda one: abs(one.interval.estimate))
    word = "more" if one.interval.estimate > 0 else "less"
    return (
        f"{capital(one.title.removeprefix('wins of '))} wins {points(one.interval.estimate)} {word} than with"
        f" {second} ({amount(one.first, 'share')} instead of {amount(one.second, 'share')})."
    )


EQUALLY = 0.05
"""Matches are told to be equally long if they differ by no more than this part of their length."""
SHORT = 10
"""The mean length of matches is told with a decimal below so many decisions."""


def length_compared(differences: Sequence[Difference], matches: int) -> str:
    """Whether matches take longer."""
    one = next(one for one in differences if one.key == "decisions")
    first, second = (
        f"{mean:.1f}" if min(one.first, one.second) < SHORT else f"{mean:.0f}" for mean in (one.first, one.second)
    )
    low, high = one.interval.low, one.interval.high
    if not one.is_told and one.interval.reach > EQUALLY * one.second:
        if low > 0 or high < 0:
            word, (least, most) = "longer" if low > 0 else "shorter", sorted((abs(low), abs(high)))
            return (
                f"Matches may be {word}, by {least:.1f} to {most:.1f} of {second} decisions; {matches:,} matches"
                " do not make that sure, since so much is compared at once."
            )
        return f"Whether matches take longer cannot be told yet from {matches:,} matches: {low:+.1f} to {high:+.1f} of {second} decisions."
    if not one.is_told:
        if not one.interval.width:
            return f"Matches take just as long, {second} decisions."
        return f"Matches take equally long, to within {one.interval.reach:.1f} of {second} decisions."
    return f"A match is {longer(one)}: {first} decisions instead of {second}."


def longer(one: Difference) -> str:
    part = abs(one.interval.estimate) / one.second * 100 if one.second else 100.0
    return f"{part:.0f} % {'longer' if one.interval.estimate > 0 else 'shorter'}"


# --- a sweep ----------------------------------------------------------------------------------------------------------


def of_sweep(curves: Mapping[str, Sequence[Point]]) -> list[str]:
    """How wins, length and the rest vary over the settings, given the points of each measure."""
    wins = [key for key in curves if key.startswith(OF_SIDES)]
    moved = sorted(wins, key=lambda key: span(curves[key]))[-1:]
    said = [along(curves[key]) for key in (*moved, "decisions")]
    rest = [key for key in curves if key not in (*wins, "decisions", "rounds") and is_apart(curves[key])]
    if rest:
        titles = [curves[key][0].title for key in rest]
        more = f" and {len(titles) - 3} more" if len(titles) > 3 else ""
        said.append(f"Also affected: {', '.join(titles[:3])}{more}.")
    else:
        said.append("Nothing else demonstrably changes.")
    return said


def span(curve: Sequence[Point]) -> float:
    """How much a measure varies."""
    values = [point.interval.estimate for point in curve]
    return max(values) - min(values)


def in_order(curve: Sequence[Point]) -> list[Point]:
    return sorted(curve, key=lambda point: point.interval.estimate)


def is_apart(curve: Sequence[Point]) -> bool:
    """Whether the intervals of the lowest and the highest point do not overlap."""
    ordered = in_order(curve)
    return ordered[0].interval.high < ordered[-1].interval.low


def along(curve: Sequence[Point]) -> str:
    """The settings where a measure is lowest and highest."""
    ordered = in_order(curve)
    low, high = ordered[0], ordered[-1]
    title = capital(low.title)
    if low.interval.estimate == high.interval.estimate:
        return f"{title}: no change, {amount(low.interval.estimate, low.unit)}."
    if not is_apart(curve):
        return f"{title}: no demonstrable change, from {amount(low.interval.estimate, low.unit)} to {amount(high.interval.estimate, low.unit)}."
    unit = "" if low.unit == "share" else f" {low.unit}"
    return (
        f"{title}: {amount(low.interval.estimate, low.unit)}{unit} with {described(low.setting)},"
        f" {amount(high.interval.estimate, low.unit)}{unit} with {described(high.setting)}."
    )
