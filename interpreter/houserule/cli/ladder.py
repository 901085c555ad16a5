"""`houserule ladder`: bots of growing strength play against each other, to see whether the rules reward skill and what they spoil."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from houserule.cli.report import Set, fail, known_variants, option, settings
from houserule.cli.studies import (
    Csv,
    Wanted,
    of_study,
    print_table,
    print_verdict,
    said,
    see_statistics,
)
from houserule.printable import printable

if TYPE_CHECKING:
    from houserule import Ladders
    from houserule.study.findings import Use

BOTS = "The bots from the weakest to the strongest; each plays against the next."
OUT = "A folder for the tables of each rung; a stopped ladder resumes from it."
AGAINST = "A house rule of the other side, or GAME for the game itself, which is the other side if --with is given."
MOST_USES = 12
"""The most things of the game that are printed; the report has all."""


@of_study
def ladder(
    wanted: Wanted,
    matches: Annotated[int, option("How many matches on each rung.", "NUMBER", "-n", "--matches", min=2)] = 200,
    options: Set = None,
    against: Annotated[list[str] | None, option(AGAINST, "VARIANT", autocompletion=known_variants)] = None,
    bots: Annotated[str, option(BOTS, "BOT,...")] = "random,greedy,mcts:25,mcts:100,mcts:400",
    out: Annotated[Path | None, option(OUT, "FOLDER")] = None,
    csv: Csv = None,
) -> None:
    """Let bots of growing strength play against each other, with and without a house rule.

    How often the stronger wins says how much skill pays; the play of the strongest shows what is never worth
    taking, when a match is decided, and who decides it. With --with, the same is played without the house rule, and the
    verdict says what the house rule probably spoils.

    houserule ladder ./mushrooms --with my_rule.yaml --bots random,greedy,mcts:50 -n 100
    """
    from houserule.bots.playing import words_of
    from houserule.study.ladder import climbed, see_bots, studies_of

    words = words_of(bots)
    one = wanted.loaded(settings(options))
    games = [one]
    if against or wanted.variants:
        games.append(wanted.beside(one, against, {}))
    with said(matches, wanted.records):
        see_bots(words)
    number = wanted.players or min(one.players)
    if any(number not in game.players for game in games):
        fail(f"not both sides are for {number} players" if len(games) > 1 else f"{one.id} is not for {number} players")
    see_statistics()
    total = matches * sum(studies_of(game, words, number) for game in games)
    with wanted.played(one, total, total) as means:
        found = climbed(games, words, matches, number, wanted.seed, means, out)
    wanted.show(found, print_ladder, csv)


def print_ladder(found: Ladders) -> None:
    """Print the verdict, the rungs, what differs, and what the strongest bot takes."""
    print_verdict(found)
    print_rungs(found)
    print_measures(found)
    print_differences(found)
    uses = [use for use in found.sides[0].uses if use.offered or use.verdict]
    if uses:
        part = f", {MOST_USES} of {len(uses)} (--report and --json have all)" if len(uses) > MOST_USES else ""
        title = f"What the strongest bot takes, by seats in matches{part}; dead: almost never, must: whenever it can"
        print_table(title, USE_HEADS, map(use_row, uses[:MOST_USES]))


USE_HEADS = ("thing", "offered", "taken", "by the weakest bot", "verdict")


def use_row(use: Use) -> tuple[str, ...]:
    taken = f"{use.taken / use.offered:.0%}" if use.offered else ""
    return use.title, f"{use.offered:,}", taken, f"{use.by_chance:.0%}", use.verdict


def print_rungs(found: Ladders) -> None:
    """Print how often the stronger wins on each rung, and what each seat wins more than its share."""
    for name, side in zip(found.names, found.sides, strict=True):
        seats = [f"seat {seat}" for seat in range(1, side.top.plan.players + 1)]
        rows = []
        for rung, is_climbed in zip(side.rungs, side.climbed, strict=True):
            at = rung.duels
            duels = f"{at.estimate * 100:.0f} ({at.low * 100:.0f}-{at.high * 100:.0f}){'' if is_climbed else ' ?'}"
            rows.append(
                (f"{rung.stronger} / {rung.weaker}", duels, *(f"{one.estimate * 100:+.0f}" for one in rung.seats))
            )
        title = f"{printable(name)}: duels of 100 that the stronger wins (95 %; ?: perhaps by chance), and what seats win more than their share"
        print_table(title, ("rung", "duels", *seats), rows)


def print_measures(found: Ladders) -> None:
    """Print the tension and the choices of the highest rung."""
    from houserule.study.studio import measure_rows

    rows = [*measure_rows(found, is_brief=True)]
    if rows:
        heads = found.names if len(found.names) > 1 else ("mean, 95 %",)
        print_table("Tension and choices of the highest rung", ("measure", *heads), rows)


def print_differences(found: Ladders) -> None:
    """Print the measures that demonstrably differ."""
    from houserule.study.measures import between

    rows = [(one.title, *one.sides, between(one.interval, one.unit)) for one in found.differences if one.is_told]
    if rows:
        print_table("What differs", ("measure", *found.names, "difference, 95 %"), rows)
