"""Writes the results as a page: docs/performance.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from benchmarks.agreement import FAR
from benchmarks.contenders import NATIVE, PYTHON
from benchmarks.growth import Step
from benchmarks.measuring import Spread
from benchmarks.results import Played, Results
from benchmarks.targets import LIMITS, Target, targets

DIFFERENCES = """\
- Ours does not ask a player who can only pass, as in liar's dice after the highest bid. OpenSpiel counts that as a decision.
- PettingZoo's Leduc hold'em is RLCard's, whose matches are shorter.
- Every way to play draws answers with the same chances as ours: one of the options, a selection, the order of a race.
- The tables count decisions as each way does. OpenSpiel's hearts passes three cards as three decisions, ours as one; its
  checkers asks again after each jump, as ours does; in goofspiel all players bid at once, and each bid counts.
- In backgammon, OpenSpiel moves two men with one decision, and all of four in two; ours asks for each man. OpenSpiel's go ends without a
  winner when a position comes again, which 15 of 7,000 random matches do.
- OpenSpiel's pig ends after at most 1,000 actions, which random play seldom reaches.
- PettingZoo fills an array with observations at each step, because its interface demands that; boardgame.io keeps a log of
  each match. Users of these libraries wait for both.
- C by hand, like ours, seeds two Mersenne Twisters for each match; ours seeds those of sixteen matches together. With splitmix64,
  C has almost nothing to seed and draws with one multiplication.
- Each way by hand returns points, winners, and the number of decisions; ours returns the lines of the score sheet as well.
- Our times include reading the results as columns in Python; those of C and of other libraries do not include starting a process.
"""
READING = """\
`make bench` writes this page, and [the same results as JSON](performance.json). The values on one line were measured
in turns, in one run on one core, so that the ratios do not depend on the machine or its load. Numbers are medians of
{rounds} rounds of about {seconds:g} s for each way to play, with the quartiles in brackets.
"""


def page(results: Results) -> str:
    """The page as Markdown."""
    parts = [
        "# Performance",
        READING.format(rounds=results.rounds, seconds=results.seconds),
        *(["This was a quick run: a minute is too short for reliable numbers."] if results.is_quick else []),
        "\n".join(f"- {name}: {value}" for name, value in results.machine.items()),
        *(f"Not measured: {line}" for line in results.missing),
        *part_of_targets(targets(results)),
        *part_of_games("The four games", results.four),
        *part_of_agreement(results),
        *part_of_games("Classics, ours and elsewhere", results.classics),
        "What differs between the ways to play:\n\n" + DIFFERENCES.rstrip(),
        *part_of_searches(results.searches),
        *part_of_handling(results),
        *part_of_growth(results.growth),
        *part_of_promises(results),
    ]
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


def table(header: Iterable[str], rows: Iterable[Iterable[str]], words: int = 1) -> str:
    """A table whose first columns are words, and all others numbers."""
    heading = list(header)
    rule = ["---"] * words + ["---:"] * (len(heading) - words)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (heading, rule, *rows))


def digits(number: float) -> str:
    """A number with three digits that count, and commas."""
    if number == 0:
        return "0"
    if abs(number) >= 100:
        return f"{number:,.0f}"
    return f"{number:.2f}" if abs(number) >= 0.995 and abs(number) < 10 else f"{number:.3g}"


def spread_of(value: Spread, factor: float = 1) -> str:
    """A median with its quartiles."""
    return f"{digits(value.median * factor)} ({digits(value.low * factor)}–{digits(value.high * factor)})"


def part_of_targets(found: list[Target]) -> Iterator[str]:
    """What is wanted and what was measured, and for what is missed a paragraph that says why."""
    if not found:
        return
    yield "## Targets"
    met = sum(target.is_met for target in found)
    yield f"{met} of {len(found)} are met. Below the table stands what limits the others."
    yield table(
        ("what", "met", "wanted", "measured"),
        (
            (
                target.what,
                "yes" if target.is_met else "**no**",
                f"{'≤' if target.is_most else '≥'} {target.wanted:g} {target.unit}",
                f"{spread_of(target.measured)} {target.unit}",
            )
            for target in found
        ),
        words=2,
    )
    missed = [target for target in found if not target.is_met]
    for kind in dict.fromkeys(target.kind for target in missed):
        of_kind = [target for target in missed if target.kind == kind]
        games = ", ".join(target.game for target in of_kind if target.game)
        yield f"**{kind}{f' ({games})' if games else ''}.** {LIMITS[kind]}"
        lines = [f"- {target.game or 'in this run'}: {target.about}." for target in of_kind if target.about]
        if lines:
            yield "\n".join(lines)


def part_of_games(title: str, games: list[Played]) -> Iterator[str]:
    """A table for each game."""
    if not games:
        return
    yield f"## {title}"
    for played in games:
        yield f"### {played.game}, {played.players} players"
        header = ("way to play", "matches/s", "decisions/s", "decisions a match", "× our Python", "× native")
        yield table(
            header,
            (
                (
                    rate.way,
                    spread_of(rate.games),
                    digits(rate.decisions.median),
                    digits(rate.decisions_in_a_match),
                    spread_of(rate.by_python),
                    digits(rate.by_native.median) if rate.by_native is not None else "",
                )
                for rate in played.rates
            ),
        )


def part_of_searches(searches: list[Played]) -> Iterator[str]:
    """How fast bots search."""
    if not searches:
        return
    yield "## Searching"
    yield (
        "Passes of `mcts` or answers of `greedy` in a second, each with all that an answer needs. In the four games, somebody is asked in the middle of a "
        "match for two; in classics, at the beginning. A pass of ours values a leaf by four playouts, which end after eight decisions a player if points show "
        "who is ahead; one of OpenSpiel by one playout to the end."
    )
    yield table(
        ("game and bot", "way to search", "passes or answers/s", "× our Python", "× native"),
        (
            (
                searched.game,
                rate.way,
                spread_of(rate.games),
                spread_of(rate.by_python),
                digits(rate.by_native.median) if rate.by_native is not None else "",
            )
            for searched in searches
            for rate in searched.rates
        ),
        words=2,
    )


def part_of_agreement(results: Results) -> Iterator[str]:
    """Whether all play the same games."""
    if results.distances:
        yield "### The same games"
        yield (
            "Averages and spreads of decisions, points and wins, in total and for each seat, are compared with those of the rule "
            f"files. The table shows the greatest distance, in standard errors. Chance explains distances below {FAR}."
        )
        ways = list(dict.fromkeys(way for by_way in results.distances.values() for way in by_way))
        yield table(
            ("game", *ways),
            (
                (game, *(f"{by_way[way]:.1f}" if way in by_way else "" for way in ways))
                for game, by_way in results.distances.items()
            ),
        )
    if results.agreement:
        different = [one for one in results.agreement if one.different]
        games = len({one.game for one in results.agreement})
        told = "are equal in all of them" if not different else f"differ in {len(different)} of these"
        yield (
            f"Python and native were compared match by match: all {games} bundled games, with their house rules and numbers of "
            f"players, {len(results.agreement)} in all, over {results.agreement[0].seeds:,} seeds each. Scores, lines of the "
            f"score sheet, winners, decisions, variables and the final positions of all pieces {told}. "
            f"{sum(one.replayed for one in results.agreement):,} native matches had to be played again in Python."
        )
        for one in different:
            yield f"- {' + '.join([one.game, *one.variants])} for {one.players}: seeds {', '.join(map(str, one.different))}"


def part_of_handling(results: Results) -> Iterator[str]:
    """Parts of native matches, copies, starts and memory."""
    if results.shares:
        yield "## Where the time of a native match goes"
        yield "Times are in µs for a match. Seeds are made in the sandbox, and results are read as columns in Python."
        yield table(
            ("game", "in the sandbox", "result"),
            ((one.game, *(spread_of(part, 1e6) for part in (one.sandbox, one.results))) for one in results.shares),
        )
    if results.copying:
        yield "## Copying a match"
        yield "Aladdin for four in the middle of a match; native copies stay in the sandbox."
        yield table(("what", "µs"), ((name, spread_of(times, 1e6)) for name, times in results.copying.items()))
    if results.starting:
        yield "## Getting ready"
        yield (
            "Times are in milliseconds, each in a new process: cold with an empty cache of games and modules, warm with the cache "
            "of the previous process."
        )
        yield table(
            ("game", "step", "cold", "warm"),
            (
                (started.game, step, spread_of(times, 1e3), spread_of(started.warm[step], 1e3))
                for started in results.starting
                for step, times in started.cold.items()
            ),
            words=2,
        )
    if results.memory:
        yield "## Memory"
        yield "Matches of Aladdin for four, in the middle, held at the same time; without the memory of the process itself."
        yield table(
            ("engine", "matches", "MB", "bytes each"),
            (
                (one.engine, f"{one.matches:,}", digits(one.bytes / 1e6), digits(one.bytes / one.matches))
                for one in results.memory
            ),
        )


def part_of_growth(steps: list[Step]) -> Iterator[str]:
    """How the time for a decision grows."""
    if not steps:
        return
    yield "## Growth"
    yield (
        "The time for a decision, in µs, by the number of players in the four games, and by the number of pieces and the length of "
        "[a small game](../benchmarks/foraging/game.yaml) for four, in which both can be set."
    )
    ways = [way for way in (PYTHON, NATIVE) if any(way in step.seconds for step in steps)]
    yield table(
        ("game", "grows", "to", "decisions a match", *ways),
        (
            (
                step.game,
                step.grows,
                f"{step.to:,}",
                digits(step.decisions),
                *(spread_of(step.seconds[way], 1e6) if way in step.seconds else "" for way in ways),
            )
            for step in steps
        ),
        words=2,
    )


def part_of_promises(results: Results) -> Iterator[str]:
    """Ratios that are kept an eye on."""
    if not results.promises:
        return
    yield "## Other promises"
    yield table(
        ("what", "ratio", "wanted", "one", "other"),
        (
            (promise.what, spread_of(promise.ratio), promise.wanted, spoken(promise.first), spoken(promise.second))
            for promise in results.promises
        ),
    )


def spoken(seconds: float) -> str:
    """A time in the unit that fits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"
