"""What is wanted of the speed, what was measured, and what limits it where it falls short."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from benchmarks.contenders import (
    FOUR,
    IN_C,
    IN_C_FAST,
    NATIVE,
    OBJECTS,
    THROUGH_GYMNASIUM,
    THROUGH_OPENSPIEL,
    THROUGH_PETTINGZOO,
    TIGHT,
)
from benchmarks.measuring import Spread
from benchmarks.others import WAYS
from benchmarks.results import Played, Results

BOTS = WAYS["OpenSpiel", "bots"]
TWICE = ("tic_tac_toe", "kuhn_poker", "pig", "leduc_poker", "liars_dice", "hearts")
"""Games on which native play is to be twice as fast as OpenSpiel's own bots; on the others it is to be ahead."""


NATIVE_BY_PYTHON = "native, times our Python"
NATIVE_BY_C = "native, times tight C"
NATIVE_BY_BOTS = "native, times OpenSpiel's bots in C++"
SEARCHING = "searching natively, times our Python"
PYTHON_BY_HAND = "our Python, times tight Python by hand (geometric mean)"
BY_PETTINGZOO = "through PettingZoo, times its own game"
BY_OPENSPIEL = "through OpenSpiel, times its own game in Python"
AT_ONCE = "many matches of Gymnasium at once, decisions of one seat a second"
COPYING = "copying a native match"
COMPILING = "compiling natively"
KEEPING = "compiling natively, kept from before"


@dataclass(frozen=True, slots=True)
class Target:
    """One thing that is wanted. `kind` says what limits it where it is missed, and `about` how that shows in this game."""

    kind: str
    game: str
    unit: str
    wanted: float
    measured: Spread
    is_most: bool = False
    about: str = ""

    @property
    def what(self) -> str:
        """What is measured."""
        return f"{self.game}: {self.kind}" if self.game else self.kind

    @property
    def is_met(self) -> bool:
        """Whether the median is good enough."""
        return self.measured.median <= self.wanted if self.is_most else self.measured.median >= self.wanted


def targets(results: Results) -> list[Target]:
    """All targets for which there are measurements."""
    parts = (of_native, of_others, of_searches, of_bridges, of_python, of_handling)
    return [target for part in parts for target in part(results)]


def of_native(results: Results) -> Iterator[Target]:
    """Native play against our Python, and against C."""
    for played in results.four:
        native = played.rate(NATIVE)
        if native is not None:
            about = taken_apart(results, played.game)
            yield Target(NATIVE_BY_PYTHON, played.game, "×", 25, native.by_python, about=about)
    for played in results.four:
        in_c = played.rate(IN_C)
        if in_c is not None and in_c.by_native is not None:
            about = taken_apart(results, played.game) + share_of_chance(played)
            yield Target(NATIVE_BY_C, played.game, "×", 0.3, inverse(in_c.by_native), about=about)


def of_others(results: Results) -> Iterator[Target]:
    """Native play against OpenSpiel's C++."""
    for played in results.classics:
        bots = played.rate(BOTS)
        if bots is not None and bots.by_native is not None:
            wanted = 2.0 if played.game in TWICE else 1.0
            there = f"{1e6 / bots.games.median:.1f} µs there, for {bots.decisions_in_a_match:.1f} decisions"
            about = f"{taken_apart(results, played.game)}; {there}"
            yield Target(NATIVE_BY_BOTS, played.game, "×", wanted, inverse(bots.by_native), about=about)


def of_searches(results: Results) -> Iterator[Target]:
    """Searching natively against our Python, in the four games."""
    for searched in results.searches:
        native = searched.rate(NATIVE)
        if native is not None and searched.game.partition(",")[0] in FOUR:
            yield Target(SEARCHING, searched.game, "×", 10, native.by_python)


def of_bridges(results: Results) -> Iterator[Target]:
    """Our games through the interfaces of other libraries, against the games of these."""
    for kind, ours, theirs, wanted, games in (
        (BY_PETTINGZOO, THROUGH_PETTINGZOO, WAYS["PettingZoo", "loop"], 5.0, ("tic_tac_toe", "connect_four")),
        (BY_OPENSPIEL, THROUGH_OPENSPIEL, WAYS["OpenSpiel", "python"], 2.0, ("tic_tac_toe", "kuhn_poker")),
    ):
        for played in results.classics:
            one, other = played.rate(ours), played.rate(theirs)
            if one is not None and other is not None and played.game in games:
                yield Target(kind, played.game, "×", wanted, quotient(one.by_python, other.by_python))
    for played in results.classics:
        many = played.rate(THROUGH_GYMNASIUM)
        if many is not None and played.game == "tic_tac_toe":
            yield Target(AT_ONCE, played.game, "", 100_000, many.decisions)


def of_python(results: Results) -> Iterator[Target]:
    """Our Python against tight Python by hand: the geometric mean over the four games."""
    ratios = [inverse(rate.by_python) for played in results.four if (rate := played.rate(TIGHT)) is not None]
    if ratios:
        yield Target(PYTHON_BY_HAND, "", "×", 1.0, geometric_mean(ratios), about=limit_of_python(results))


def of_handling(results: Results) -> Iterator[Target]:
    """Copying and compiling."""
    if f"{NATIVE}: copy" in results.copying:
        yield Target(COPYING, "aladdin", "µs", 2.0, scaled(results.copying[f"{NATIVE}: copy"], 1e6), is_most=True)
    for started in results.starting:
        if started.game == "aladdin" and STEP in started.cold:
            yield Target(COMPILING, started.game, "s", 0.5, started.cold[STEP], is_most=True)
            yield Target(KEEPING, started.game, "s", 0.05, started.warm[STEP], is_most=True)


STEP = "compile natively"


def inverse(times: Spread) -> Spread:
    """The ratio the other way round."""
    return Spread(1 / times.median, 1 / times.high, 1 / times.low)


def quotient(one: Spread, other: Spread) -> Spread:
    """How many times the first is the second, where both are relative to the same."""
    return Spread(one.median / other.median, one.low / other.high, one.high / other.low)


def scaled(times: Spread, factor: float) -> Spread:
    """The same in another unit."""
    return Spread(times.median * factor, times.low * factor, times.high * factor)


def geometric_mean(ratios: list[Spread]) -> Spread:
    """The geometric mean of medians, and of quartiles."""
    low, median, high = (
        prod(getattr(one, part) for one in ratios) ** (1 / len(ratios)) for part in ("low", "median", "high")
    )
    return Spread(median, low, high)


def share_of_chance(played: Played) -> str:
    """How much of a match in C goes into the Mersenne Twister, measured by leaving it out."""
    slow, fast = played.rate(IN_C), played.rate(IN_C_FAST)
    if slow is None or fast is None:
        return ""
    share = 1 - slow.games.median / fast.games.median
    each = 1e6 / slow.games.median - 1e6 / fast.games.median
    return f"; in C the Mersenne Twister takes {each:.1f} µs of a match, {share:.0%} of it"


def taken_apart(results: Results, game: str) -> str:
    """Where the time of a native match goes."""
    for one in results.shares:
        if one.game == game:
            sandbox, made = one.sandbox.median * 1e6, one.results.median * 1e6
            return f"{sandbox:.1f} µs in the sandbox, {made:.1f} µs for its result in Python"
    return "not taken apart"


def limit_of_python(results: Results) -> str:
    """Why our Python is slower than a game written for itself alone."""
    ratios = [inverse(rate.by_python) for played in results.four if (rate := played.rate(OBJECTS)) is not None]
    if not ratios:
        return ""
    times = geometric_mean(ratios).median
    return f"it is {times:.2f} times as fast as the same games written in ordinary Python with objects"


LIMITS = {
    NATIVE_BY_PYTHON: (
        "Better machine code does not shrink every part of a native match: two random generators are seeded for it, "
        "and drawing from them takes as long anywhere. The rest is the same program of the rules that Python runs, "
        "piece by piece and list by list. Drawing an option from a zone itself instead of a copy of it was tried, and gained 2 % in goofspiel "
        "and nothing elsewhere; constant tables of the addresses of zones gained 1 % in ali_baba. Next to "
        "try are masks of the zones that have pieces, so that a list of places skips the empty ones."
    ),
    NATIVE_BY_C: (
        "C by hand knows only one game: it counts kinds of cards or stones, and its options are the bits of a mask. The translation "
        "moves pieces between lists, lists the options before it draws one, follows who sees which piece where that decides which "
        "options are alike, runs triggers, and counts the work of the rules, as Python does. It also takes a seed and returns a "
        "result for each match."
    ),
    NATIVE_BY_BOTS: (
        "Each of our matches depends on its seed alone: two Mersenne Twisters are seeded for it, sixteen matches at a time. OpenSpiel's "
        "bots keep using the same generators. Hands and boards are piles of pieces here, and numbers or masks there. In go, a chain is followed "
        "again for each question, up to its first free point, where OpenSpiel keeps all chains with their free points; next to try is to remember "
        "which places were free at the last question, and to look again only beside those that have changed. In backgammon, a move that asks whether another die could be used afterwards "
        "is made and taken back for each man."
    ),
    SEARCHING: (
        "Matches are dealt and played in the sandbox. What remains in Python is the same for every answer: what the player can know, and where "
        "pieces may be, are worked out anew if something has changed, and stored, in some tenths of a millisecond. An answer of `greedy` needs only about a hundred "
        "short playouts, so that this is most of it; next to try is to follow what players know in the sandbox as well."
    ),
    BY_PETTINGZOO: (
        "A step goes through the interface of PettingZoo in Python. Next to try are fewer calls for each: the loop asks for the last observation, "
        "reward and end, and fills an array with each."
    ),
    BY_OPENSPIEL: (
        "A step of a game with chance copies the state in Python, since an earlier position may go on as well, runs the rules there, and goes "
        "from Python to C++ and back. Games without chance go on in a sandbox, where what remains are the calls between Python and C++. The first "
        "positions of a game are kept, which is all of Kuhn poker. Next to try is a sandbox that is given the outcomes of chance."
    ),
    AT_ONCE: (
        "A match is stored after each step and loaded before the next, with its generators; NumPy then checks and copies what players see."
    ),
    PYTHON_BY_HAND: (
        "Tight Python keeps only what decides one game: counts instead of pieces, no zones, no triggers, no visibility, and one "
        "function without calls. Our program moves each piece, records where it lies, runs the triggers, and counts the work of the "
        "rules, because any rule file or house rule may depend on it."
    ),
    COPYING: "A copy moves every list of the state, because zones are lists of piece numbers.",
    COMPILING: (
        "Every function of the program and of the runtime is translated in Python, once for each game; the time that wasmtime takes "
        "to compile comes on top. None of this is repeated until the rules or the program change."
    ),
    KEEPING: (
        "A stored module is found by a digest of the program and of the sources that determine it, and trusted only if its own "
        "digest is right. In a new process, the first match waits until these files are read and the machine code is loaded."
    ),
}
"""What limits each kind of target."""
