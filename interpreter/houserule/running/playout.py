"""Random playouts at full speed, and the reward of each player at their end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from random import Random
from typing import Any, overload

from houserule.compiler.blocks import ASK, DONE, FORKED, GAME_OVER
from houserule.compiler.chance import any_answer
from houserule.compiler.program import Program
from houserule.compiler.questions import Watch, note, note_several
from houserule.compiler.runtime import LONGEST_MATCH, GameEnd, next_to_act
from houserule.language.checked import Site
from houserule.operations.fuel import ANSWERED, for_looks
from houserule.running.faults import FAULTS, endless, rule_fault
from houserule.running.state import State

ENDINGS = ("win", "shared", "victory", "draw", "defeat", "undecided")
"""How a match can end: one player or team has won, several for themselves, all together; nobody, all have lost; or no rule decides."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a match by seat: scores, points by line of the score sheet, and winners; and its number of decisions.

    `ending` is one of `ENDINGS`.
    """

    scores: list[int]
    lines: list[list[int]]
    decisions: int
    winners: list[int]
    ending: str = "win"


def playout(program: Program, seed: int | str, watch: Watch | None = None) -> Outcome:
    """Play one match at random. Raises RuleFault. A watched program records in `watch` what happens.

    Chance draws from a generator with that seed, as in a told match, and answers from a generator of their own; so the seed
    and the answers are a record of the match.
    """
    s = State(program, Random(seed))
    s.watch = watch
    return finish(program, s, play(program, s, answers_of(seed)))


MOST_SEED = 1 << 64
"""Seeds from 0 up to this are given to native play as they are."""


class Seeds(Sequence[int]):
    """The seeds of consecutive matches of a study: far from those of their neighbours, the same on every machine.

    Each is the BLAKE2b digest, of eight bytes, of the seed of the study and the number of the match as a text: `7:0`.
    """

    def __init__(self, seed: int, start: int, end: int) -> None:
        self.begun = b"%d:" % seed
        self.seed, self.start, self.end = seed, start, max(start, end)

    def __len__(self) -> int:
        return self.end - self.start

    @overload
    def __getitem__(self, at: int) -> int: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[int]: ...

    def __getitem__(self, at: int | slice) -> int | Sequence[int]:
        matches = range(self.start, self.end)[at]
        if isinstance(matches, int):
            return int.from_bytes(blake2b(b"%d:%d" % (self.seed, matches), digest_size=8).digest())
        if matches.step == 1:
            return Seeds(self.seed, matches.start, matches.stop)
        return [*self][at]


def answers_of(seed: int | str) -> Random:
    """The generator for the answers of a match."""
    return Random(seed_of_answers(seed))


def seed_of_answers(seed: int | str) -> int | str:
    """A seed unlike those of any match's chance."""
    if isinstance(seed, int) and 0 <= seed < MOST_SEED:
        return MOST_SEED + seed
    return f"answers {seed}"


def play(program: Program, s: State, generator: Random) -> int:
    """Play a match to its end from any state; returns the number of decisions. Raises RuleFault."""
    if not play_on(program, s, generator, LONGEST_MATCH):
        raise rule_fault(program, endless(program.sites[s.site]))
    return LONGEST_MATCH - s.chances


def play_on(program: Program, s: State, generator: Random, most: int) -> bool:
    """Play from any state until about `most` decisions were made; returns whether the match has ended. Raises RuleFault."""
    segments = program.segments
    random = generator.random
    s.chances, s.chance = most, random
    pc = FORKED if s.forks is not None else ASK if s.waits else s.pc
    s.waits = False
    try:
        while True:
            while pc >= 0:
                pc = segments[pc](s)
            if pc == DONE:
                pc = next_to_act(s)
                continue
            if pc == GAME_OVER:
                break
            if s.chances <= 0:
                s.waits = pc == ASK
                return False
            if pc == ASK:
                answer_at_random(s, s, random)
                begin_anew(s)
                pc = s.pc
            elif pc == FORKED:
                pc = answer_parts(s, random)
            else:
                raise AssertionError(pc)
    except GameEnd:
        pass
    except FAULTS as error:
        raise rule_fault(program, error) from error
    return True


def answer_parts(s: State, random: Callable[[], float]) -> int:
    """Play the parts of a together to their end; returns the next segment. Raises what rules raise."""
    assert s.forks is not None
    for part in s.forks:
        while part.waits:
            answer_at_random(part, s, random)
            part.advance(part.pc)
    pc = s.merge()
    begin_anew(s)
    return pc


def begin_anew(s: State) -> None:
    """After an answer, count the work of rules from 0, as in a told match."""
    s.fuel -= ANSWERED
    s.since = 0
    s.passes = 0


def answer_at_random(asked: State, match: State, random: Callable[[], float]) -> None:
    """Answer the pending question at random; in a race, each player who slaps counts as a decision."""
    answer_site(asked, match, asked.program.sites[asked.site], asked.site, random)


def answer_site(asked: State, match: State, site: Site, number: int, random: Any) -> None:
    """Answer a question of a site at random; in the subset that is translated: see `native`."""
    given: Any = any_answer(asked, site, random)
    match.chances -= len(given) if site.kind == "race" else 1
    if asked.watch is not None:
        if site.kind in ("race", "several"):
            note_several(asked, number, asked.asker, asked.options, given)
        else:
            note(asked, number, asked.asker, asked.options, given)
    asked.answer = given


def finish(program: Program, s: State, decisions: int) -> Outcome:
    """Score a finished match. Raises RuleFault."""
    try:
        lines, scores = score_sheet(program, s)
        ending, winners = ended(program, s, scores)
        return Outcome(scores, lines, decisions, winners, ending)
    except FAULTS as error:
        raise rule_fault(program, error) from error


def score_sheet(program: Program, s: State) -> tuple[list[list[int]], list[int]]:
    """The points of each line by seat, and the score of each seat. Raises what rules raise."""
    lines = [points(s) for _, points in program.points]
    return lines, [sum(points) for points in zip(*lines, strict=True)] if lines else [0] * program.symbols.players


def ended(program: Program, s: State, scores: list[int]) -> tuple[str, list[int]]:
    """How a match has ended, and who has won: by the rules that ended it, else by the score."""
    if s.ending is None:
        return judged(program, s, scores)
    ending, winners = s.ending[0], list(s.ending[1])
    if ending != "won":
        return ending, winners
    teams = program.teams_now(s)
    return won_by(with_partners(winners, teams), teams)


def won_by(winners: list[int], teams: Sequence[int] | None) -> tuple[str, list[int]]:
    """How a match has ended with these winners, and who they are."""
    return ("win" if sides(winners, teams) == 1 else "shared" if winners else "undecided"), winners


def with_partners(winners: list[int], teams: Sequence[int] | None) -> list[int]:
    """The winners: a team wins if one of its players does."""
    if teams is None:
        return winners
    won = {teams[seat] for seat in winners}
    return [seat for seat, team in enumerate(teams) if team in won]


def sides(winners: Sequence[int], teams: Sequence[int] | None) -> int:
    """How many have won for themselves: players, or teams."""
    return len(winners) if teams is None else len({teams[seat] for seat in winners})


def part_of_win(winners: Sequence[int], ending: str, teams: Sequence[int] | None) -> float:
    """The part of a victory that each of these winners has: the whole if they win together, else an equal share for each or for each team."""
    return 1.0 if ending in ("win", "victory") else 1 / sides(winners, teams) if winners else 0.0


def judged(program: Program, s: State, scores: list[int]) -> tuple[str, list[int]]:
    """The end of a match by the score sheet and the rule for winning."""
    keys = [program.winner_key(s, p, score) for p, score in enumerate(scores)] if program.winner_key is not None else []
    return judged_by(program, scores, keys, program.teams_now(s))


def judged_by(
    program: Program, scores: list[int], keys: Sequence[Sequence[int]], teams: Sequence[int] | None
) -> tuple[str, list[int]]:
    """The end of a match by the players' keys from `winner_key`, and by their teams."""
    players = range(program.symbols.players)
    rule = program.game.winner
    if program.winner_key is None or rule is None:
        return won_by(with_partners(with_greatest(scores), teams), teams)
    if rule.rule in ("most", "least"):
        winners = with_greatest(keys)
    else:
        still = [p for p in players if all(keys[p][1:])]
        winners = [p for p in still or players if keys[p][0]]
        if rule.rule == "all":
            won = winners == still != []
            return ("victory", [*players]) if won else (rule.nobody or "defeat", [])
    winners = with_partners(winners, teams)
    if sides(winners, teams) > 1 and rule.tie == "draw":
        return "draw", []
    return won_by(winners, teams) if winners else (rule.nobody or "undecided", [])


def with_greatest(keys: Sequence[Any]) -> list[int]:
    greatest = max(keys)
    return [place for place, key in enumerate(keys) if key == greatest]


LEVEL = 0.5
"""The reward in a match where nobody is ahead of anybody."""
BY_MARGIN = 0.1
"""The share of a reward that the margin of points decides, so that a winning bot wins clearly, and a losing one fights on."""


def rewards(program: Program, s: State, is_over: bool = True) -> list[float]:
    """By seat, from 0 to 1: the share of the others whom a player is ahead of in the final ranking; ties count half.

    Partners do not count, and stand where the best of their team does. All who win together have 1, and all who lose together have 0. If points decide, a tenth of it is the margin; before
    the end, half of it is.
    """
    players = program.symbols.players
    try:
        _, scores = score_sheet(program, s)
        ending, winners = ended(program, s, scores) if is_over else ("", [])
        key = program.winner_key
        keys = [tuple(key(s, player, score)) for player, score in enumerate(scores)] if key is not None else []
        teams = program.teams_now(s) or range(players)
    except FAULTS:
        return [LEVEL] * players
    standing = standings(program, scores, keys)
    best = [max(standing[other] for other in range(players) if teams[other] == team) for team in teams]
    return worth(teams, is_over, ending, winners, best)


def worth(
    teams: Sequence[int], is_over: bool, ending: str, winners: Sequence[int], keys: list[tuple[int, ...]]
) -> list[float]:
    """What the current or final standing is worth to each player, by what decides who is ahead."""
    players = len(teams)
    if ending in ("victory", "defeat"):
        return [1.0 if ending == "victory" else 0.0] * players
    ranked = [(player in winners, *key) for player, key in enumerate(keys)]
    rivals = [[other for other in range(players) if teams[other] != team] for team in teams]
    if not keys[0]:
        return [ahead(ranked, player, rivals[player]) for player in range(players)]
    share = BY_MARGIN if is_over else LEVEL
    first = [key[0] for key in keys]
    return [
        (1 - share) * ahead(ranked, player, rivals[player]) + share * lead(first, player, rivals[player])
        for player in range(players)
    ]


def standings(program: Program, scores: list[int], keys: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """By seat: the number that decides who is ahead, the greater the better; None if no points do."""
    if not keys or program.game.winner is None:
        return [(score,) for score in scores]
    if program.game.winner.rule not in ("most", "least"):
        return [()] * len(scores)
    return keys


def ahead(ranked: list[tuple[Any, ...]], player: int, rivals: Sequence[int]) -> float:
    """The share of the rivals whom a player is ahead of; ties count half."""
    own = ranked[player]
    others = [ranked[rival] for rival in rivals]
    if not others:
        return float(bool(own[0]))
    return sum(1.0 if own > key else LEVEL if own == key else 0.0 for key in others) / len(others)


def lead(points: list[int], player: int, rivals: Sequence[int]) -> float:
    """By how much a player is ahead of the best rival, from 0 to 1."""
    others = [points[rival] for rival in rivals]
    margin = points[player] - max(others, default=0)
    scale = 1 + max(map(abs, points)) / 2
    return LEVEL + LEVEL * margin / (abs(margin) + scale)


def units_for_looks() -> int:
    """The work that may be done beside a match, to see who leads."""
    return for_looks()


def beside_the_match(s: State, left: int, work: Callable[[State], object]) -> int:
    """Do work with a state that counts for nothing in its match; returns how many of the units `left` it took."""
    kept = s.fuel, s.reserve, s.since, s.unasked, s.spent
    s.reserve, s.since, s.unasked = left + s.between, 0, s.chances
    before = s.fuel + s.reserve
    work(s)
    used = before - s.fuel - s.reserve
    s.fuel, s.reserve, s.since, s.unasked, s.spent = kept
    return used
