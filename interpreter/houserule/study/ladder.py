"""The ladder of bots: how often the stronger wins on each rung, with and without a house rule, and what their play shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houserule.bots.playing import see_word, words_of
from houserule.core import Game, load
from houserule.study.compare import differences_of, names_of, side_to_json
from houserule.study.figures import Interval, adjusted, numpy, of_mean
from houserule.study.findings import Finding, Use, findings_of, nothing_found, of_uses, told_of_uses
from houserule.study.measures import SURE, Difference, Key, bots_of, credit_of, measures_of, seat_name, titles_of
from houserule.study.plan import Means, Plan
from houserule.study.rows import fixed_teams, is_low
from houserule.study.simulate import Study, as_frame, as_html, planned, study
from houserule.study.tension import FEWEST, Measure, scores_of

if TYPE_CHECKING:
    from pandas import DataFrame

    from houserule.study.figures import Numbers

BOTS = ("random", "greedy", "mcts:25", "mcts:100", "mcts:400")
"""The bots of a ladder, from the weakest."""
MATCHES = 200
WEIGHED = 12
"""About so many decisions are weighed in each match of the highest rung."""


@dataclass(frozen=True, eq=False)
class Rung:
    """The matches of a bot against a weaker one, which sit in turn, and move on by one seat from match to match.

    `values` are the duels that the stronger wins: the mean is its part of all victories, as if it had as many seats. Where players
    win together, or there is only one, each bot plays alone; then it is how often the stronger does better with the same seed.
    """

    weaker: str
    stronger: str
    study: Study
    values: Numbers

    @cached_property
    def duels(self) -> Interval:
        """The share of the duels that the stronger wins; `p` is for a share of one half."""
        above = of_mean(self.values - 0.5, bounded=True)
        low, high = (min(max(end + 0.5, 0.0), 1.0) for end in (above.low, above.high))
        return Interval(above.estimate + 0.5, low, high, above.p)

    @property
    def seats(self) -> list[Interval]:
        """What each seat wins more than its share, over both bots."""
        credit = credit_of(self.study)
        over = credit - credit.mean(axis=1, keepdims=True)
        return [of_mean(over[:, seat], bounded=True) for seat in range(credit.shape[1])]


@dataclass(frozen=True, eq=False)
class Ladder:
    """The rungs of a game under one set of rules, from the lowest."""

    rungs: list[Rung]
    own: frozenset[Key] = frozenset()
    """The things that only these rules have, of two ladders."""

    @property
    def top(self) -> Study:
        """The matches of the strongest bot; some of their decisions are weighed."""
        return self.rungs[-1].study

    @cached_property
    def climbed(self) -> list[bool]:
        """For each rung whether the stronger demonstrably wins more, adjusted for the number of rungs."""
        sure = adjusted([rung.duels.p for rung in self.rungs])
        return [
            p < SURE and rung.duels.estimate > 0.5 and len(rung.study) >= FEWEST
            for rung, p in zip(self.rungs, sure, strict=True)
        ]

    @cached_property
    def measures(self) -> list[Measure]:
        """The duels of each rung, and the measures of the highest."""
        duels = [
            Measure(f"rung.{number}", f"duels that {rung.stronger} wins against {rung.weaker}", "share", rung.values)
            for number, rung in enumerate(self.rungs, 1)
        ]
        return [*duels, *(one for one in measures_of(self.top) if not one.key.startswith("wins.bot."))]

    @cached_property
    def uses(self) -> list[Use]:
        """What the strongest bot takes of what it is offered, and how often the weakest does."""
        return of_uses(self.top, self.rungs[-1].stronger, self.rungs[0].study, self.rungs[0].weaker, self.own)

    def to_json(self) -> dict[str, Any]:
        """The figures by key."""
        return {
            "rungs": [
                {
                    "weaker": rung.weaker,
                    "stronger": rung.stronger,
                    "duels": rung.duels.to_json(),
                    "is_climbed": is_climbed,
                    "seats": [one.to_json() for one in rung.seats],
                }
                for rung, is_climbed in zip(self.rungs, self.climbed, strict=True)
            ],
            "measures": {key: at.to_json() for key, at in self.top.measures.items()},
            "options": [use.to_json() for use in self.uses],
        }


@dataclass(frozen=True, eq=False)
class Ladders:
    """The ladder of a game, and beside it that without the house rule, if there is one. `names` are those of the sides."""

    names: tuple[str, ...]
    sides: tuple[Ladder, ...]

    def __repr__(self) -> str:
        return f"<Ladder of {', '.join(self.names)}: {len(self.sides[0].rungs)} rungs>"

    @cached_property
    def differences(self) -> list[Difference]:
        """Each measure with and without the house rule; none if there is none."""
        if len(self.sides) < 2:
            return []
        return differences_of(self.sides[0].measures, self.sides[1].measures)

    @cached_property
    def findings(self) -> list[Finding]:
        """What is probably wrong with the game, or with the house rule where there is one."""
        uses = [side.uses for side in self.sides]
        return findings_of(self.names, self.differences, uses)

    @property
    def verdict(self) -> list[str]:
        """What the ladder shows, in sentences: first what is probably wrong."""
        said = [one.sentence for one in self.findings]
        matches = min(len(rung.study) for side in self.sides for rung in side.rungs)
        if not said and len(self.sides) > 1 and matches >= FEWEST:
            said.append(nothing_found(self.names[0], matches))
        said += [
            skill(side, name if len(self.sides) > 1 else "") for side, name in zip(self.sides, self.names, strict=True)
        ]
        other = {use.key for side in self.sides[1:] for use in side.uses if use.verdict == "must"}
        alone = len(self.sides) == 1  # beside another side, the findings tell what is dead or never offered
        own = [use for use in self.sides[0].uses if alone or (use.verdict == "must" and use.key not in other)]
        return [*said, seats_by_strength(self.sides[0]), *told_of_uses(own)]

    def to_json(self) -> dict[str, Any]:
        """The figures by key."""
        sides = zip(self.names, self.sides, strict=True)
        return {
            "game": self.sides[0].top.plan.game,
            "players": self.sides[0].top.plan.players,
            "matches": len(self.sides[0].top),
            "verdict": self.verdict,
            "findings": [one.to_json() for one in self.findings],
            "sides": [side_to_json(name, side.top) | side.to_json() for name, side in sides],
            "differences": [one.to_json() for one in self.differences],
        }

    def flat(self) -> list[dict[str, Any]]:
        """A row for each side and rung, with the advantage of each seat, and the measures of its matches with their intervals."""
        keys = dict.fromkeys(key for side in self.sides for rung in side.rungs for key in rung.study.measures)
        return [
            {
                "side": name,
                "weaker": rung.weaker,
                "stronger": rung.stronger,
                "duels": rung.duels.estimate,
                "low": rung.duels.low,
                "high": rung.duels.high,
                **{f"seat_{seat}": at.estimate for seat, at in enumerate(rung.seats, 1)},
                **{
                    f"{key}{end}": getattr(at, name) if (at := rung.study.measures.get(key)) else None
                    for key in keys
                    for end, name in (("", "estimate"), ("_low", "low"), ("_high", "high"))
                },
            }
            for name, side in zip(self.names, self.sides, strict=True)
            for rung in side.rungs
        ]

    def to_pandas(self) -> DataFrame:
        """A row for each side and rung. Raises MissingExtra."""
        return as_frame(self.flat())

    def _repr_html_(self) -> str:
        """The verdict and the rungs, for notebooks."""
        rows = [
            (
                row["side"],
                f"{row['stronger']} against {row['weaker']}",
                f"{row['duels']:.1%}",
                f"{row['low']:.1%} to {row['high']:.1%}",
            )
            for row in self.flat()
        ]
        return as_html(" ".join(self.verdict), ("side", "rung", "duels won", "95 %"), rows)


def skill(side: Ladder, name: str) -> str:
    """How many rungs the game has."""
    climbed = sum(side.climbed)
    rungs = "; ".join(
        f"{rung.stronger} wins {rung.duels.estimate * 100:.0f} against {rung.weaker}" for rung in side.rungs
    )
    opening = f"With {name}, skill" if name else "Skill"
    if len(side.top) < FEWEST:
        few = f"{len(side.top)} matches a rung are too few to say whether skill pays"
        return f"{few}{f' with {name}' if name else ''}."
    return f"{opening} pays over {climbed} of {len(side.rungs)} {'rung' if len(side.rungs) == 1 else 'rungs'}: of 100 duels, {rungs}."


def seats_by_strength(side: Ladder) -> str:
    """Whether a seat has an advantage on the highest rung."""
    if len(side.top) < FEWEST:
        return f"{len(side.top)} matches do not show whether a seat has an advantage."
    found = side.rungs[-1].seats
    sure = adjusted([at.p for at in found])
    told = [seat for seat, p in enumerate(sure) if p < SURE]
    if not told:
        widest = max(at.reach for at in found)
        return (
            "Between the strongest bots no seat demonstrably has an advantage;"
            f" {widest * 100:.0f} victories in 100 more or less than its share would have shown."
        )
    seat = max(told, key=lambda number: abs(found[number].estimate))
    at = found[seat]
    word = "more" if at.estimate > 0 else "less"
    return (
        f"Between the strongest bots {seat_name(seat)} wins {abs(at.estimate) * 100:.0f} in 100 {word} than its share."
    )


# --- playing ----------------------------------------------------------------------------------------------------------


def ladder(
    game: Game | str | Path,
    against: Game | None = None,
    *,
    variants: str | Path | Sequence[str | Path] = (),
    options: Mapping[str, int | str] | None = None,
    bots: str | Sequence[str] = BOTS,
    matches: int = MATCHES,
    players: int | None = None,
    seed: int = 0,
    workers: int = 1,
    cluster: str | None = None,
    out: str | Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> Ladders:
    """Let each bot play against the next stronger one, to see how much skill a game rewards, and what strong play is like.

    `bots` are words from the weakest to the strongest, or one text with commas between them. With `variants`, or a game `against`, the same is
    played without the house rule. `out` is a folder in which each rung has a folder of
    its own; a ladder that was stopped goes on from there. `progress` is called with the number of matches played since its last call.

    Raises what `simulate` raises.
    """
    one = game if isinstance(game, Game) else load(game, variants, options)
    if against is None and one.variants:
        against = load(one.file, (), None)
    games = [one] if against is None else [one, against]
    return climbed(
        games,
        words_of(bots) if isinstance(bots, str) else bots,
        matches,
        players,
        seed,
        Means(workers, cluster, progress),
        out,
    )


def climbed(
    games: Sequence[Game],
    bots: Sequence[str],
    matches: int,
    players: int | None,
    seed: int,
    means: Means,
    out: str | Path | None = None,
) -> Ladders:
    """Play the ladders of one game or two."""
    see_bots(bots)
    names = names_of((games[0], games[1])) if len(games) == 2 else (games[0].title(),)
    number = players or min(games[0].players)
    played = []
    for side, game in enumerate(games):
        folder = None if out is None else Path(out) / f"side_{side + 1}"
        played.append([*rungs(game, bots, matches, number, seed, means, folder)])
    things = [frozenset(titles_of(side[-1].study)) for side in played]
    others = things[::-1] if len(things) > 1 else things
    sides = (Ladder(side, own - other) for side, own, other in zip(played, things, others, strict=True))
    return Ladders(names, tuple(sides))


def see_bots(bots: Sequence[str]) -> None:
    """Raise ValueError if these bots make no ladder."""
    if len(bots) < 2 or len(set(bots)) < len(bots):
        raise ValueError("a ladder needs two bots or more, all different, from the weakest to the strongest")
    for word in bots:
        see_word(word, people=False)


def studies_of(game: Game, bots: Sequence[str], players: int) -> int:
    """How many studies a ladder is made of."""
    return len(bots) if is_together(game, players) else len(bots) - 1


def is_together(game: Game, players: int) -> bool:
    """Whether players win together or alone, so that nobody can be compared with a rival."""
    rule = game.definition.winner
    return players == 1 or (rule is not None and rule.rule == "all")


def rungs(
    game: Game, bots: Sequence[str], matches: int, players: int, seed: int, means: Means, folder: Path | None
) -> Iterator[Rung]:
    """Play rung by rung."""
    together = is_together(game, players)
    before: Study | None = None
    for number, stronger in enumerate(bots):
        weaker = bots[number - 1]
        if number == 0 and not together:
            continue
        seats = [stronger] * players if together else in_turn(weaker, stronger, players, fixed_teams(game, players))
        is_top = number == len(bots) - 1
        noted: dict[str, Any] = {"rotates": not together, "offers": True}
        plan = planned(game, seats, matches, seed, **noted)
        if is_top and not plan.is_random:
            plan = planned(game, seats, matches, seed, weighs=rate_of(game, plan), **noted)
        place = None if folder is None else folder / f"{number}_{stronger.replace(':', '_')}"
        played = study(game, plan, means, place)
        if number:
            yield Rung(weaker, stronger, played, better(played, before) if together else duels(played, stronger))
        before = played


def in_turn(weaker: str, stronger: str, players: int, teams: Sequence[int] | None) -> list[str]:
    """Seats for both bots by turns, or by team."""
    places = [*dict.fromkeys(teams)] if teams is not None else list(range(players))
    return [
        stronger if (places.index(teams[seat]) if teams is not None else seat) % 2 == 0 else weaker
        for seat in range(players)
    ]


def rate_of(game: Game, plan: Plan) -> float:
    """The chance of a decision to be weighed, from the length of a few random matches."""
    tried = study(game, Plan.of(game, ["random"] * plan.players, 20, plan.seed, "python"))
    return round(min(1.0, WEIGHED / max(1.0, tried.summary.length.mean)), 3)


def duels(played: Study, stronger: str) -> Numbers:
    """A number for each match whose mean is the stronger bot's part of all victories, a seat for a seat.

    The part is a ratio of two means; each match counts by what it adds to it (the delta method).
    """
    credit, strong = credit_of(played), bots_of(played) == stronger
    # All rotations together give each bot its seats; a match counts by all of them.
    ours = (credit * strong).sum(axis=1) / strong.sum(axis=1).mean()
    theirs = (credit * ~strong).sum(axis=1) / (~strong).sum(axis=1).mean()
    total = float(ours.mean() + theirs.mean())
    if not total:
        even: Numbers = numpy().full(len(played), 0.5)
        return even
    part = float(ours.mean()) / total
    found: Numbers = part + ((1 - part) * ours - part * theirs) / total
    return found


def better(ours: Study, theirs: Study | None) -> Numbers:
    """For each match 1 if it went better for the first bot than for the other, with the same seed, and a half if just as well."""
    assert theirs is not None
    np = numpy()
    keys = [
        credit_of(one).sum(axis=1) * 1e9 + scores_of(one.columns).sum(axis=1) * (-1 if is_low(one.game) else 1)
        for one in (ours, theirs)
    ]
    found: Numbers = (np.sign(keys[0] - keys[1]) + 1) / 2
    return found
