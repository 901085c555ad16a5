"""Games as environments of Gymnasium: one seat against bots, alone or in many matches at once.

>>> from houserule.bridges import gym
>>> env = gym.OneSeat("my_game", opponents="random")
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
"""

from __future__ import annotations

from typing import Any

from houserule import Game, games
from houserule.bridges.playing import Play
from houserule.bridges.sandboxed import BEGIN, UNDECIDED, translated
from houserule.bridges.zoo import IllegalAction, Legal, Table, as_number, errors, spaces
from houserule.compiler.runtime import LONGEST_MATCH
from houserule.extras import library
from houserule.spaces.sights import Observations

np = library("numpy", "pettingzoo")

LEAVE = -1
"""The command that leaves a match alone; BEGIN begins another with its seed, and any other number is the answer of the seat."""
ROOM = 64
"""Answers of a match that there is room for at first; if one has more, the room is doubled."""


class Matches:
    """So many matches, and by match what the seat sees and may answer, whether it is over or endless, and what it was worth."""

    def __init__(self, spaces: Observations, count: int, seat: int, utility: str, engine: str = "auto") -> None:
        """Raises ValueError, and NotNative if `engine` is `native` and the game cannot be played so."""
        self.spaces, self.count, self.seat, self.utility = spaces, count, seat, utility
        self.seen = np.zeros((count, spaces.size), np.int64)
        self.legal = np.zeros((count, spaces.actions.size), np.int8)
        self.over, self.endless = np.zeros(count, bool), np.zeros(count, bool)
        self.worth = np.zeros(count)
        self.seeds = np.zeros(count, np.uint64)
        self.plays: dict[int, Play] = {}
        """By match: those that are played in Python."""
        self.answers, self.given = np.zeros((count, ROOM), np.int32), np.zeros(count, int)
        """By match: what the seat has answered in a sandbox, and how often."""
        self.sandboxes = self.native(engine)

    def native(self, engine: str) -> list[Any]:
        """The sandboxes, as many as the matches need; none if the game is played in Python. Raises ValueError and NotNative."""
        first = translated(self.spaces, engine)
        return [] if first is None else [first.another() for _ in range(0, self.count, first.record.count)]

    def go(self, commands: Any, seeds: Any) -> None:
        """Carry out a command for each match; those that begin have their seed there. Raises RuleFault."""
        begins = commands == BEGIN
        self.seeds[begins] = seeds[begins]
        self.given[begins] = 0
        if self.sandboxes:
            self.note(commands)
        here = [match for match in self.plays if commands[match] >= 0]
        for match in [match for match in self.plays if begins[match]]:
            del self.plays[match]
        natively = commands.copy()
        natively[here] = LEAVE
        start = 0
        for sandbox in self.sandboxes:
            stop = min(start + sandbox.record.count, self.count)
            self.go_natively(sandbox, start, stop, natively)
            start = stop
        if not self.sandboxes:
            here = np.flatnonzero(commands != LEAVE).tolist()
        for match in here:
            self.go_in_python(match, int(commands[match]))

    def note(self, commands: Any) -> None:
        """Note the answers among some commands, in case that a match has to be played again in Python."""
        matches = np.flatnonzero(commands >= 0)
        if self.given.max() == self.answers.shape[1]:
            self.answers = np.concatenate([self.answers, np.zeros_like(self.answers)], axis=1)
        self.answers[matches, self.given[matches]] = commands[matches]
        self.given[matches] += 1

    def go_natively(self, sandbox: Any, start: int, stop: int, commands: Any) -> None:
        """Carry out some commands in the matches of a sandbox; one that traps is replayed in Python, and goes on there."""
        packed, seeds = commands[start:stop].astype(np.int64).tobytes(), self.seeds[start:stop].tobytes()
        trapped, at = [], 0
        while (at := sandbox.observe(packed, seeds, self.seat, at)) < stop - start:
            trapped.append(start + at)
            at += 1
        buffer, record = sandbox.content(), sandbox.record

        def column(offset: int, width: int, kind: Any) -> Any:
            size = np.dtype(kind).itemsize
            return np.ndarray((stop - start, width), kind, buffer, offset, (record.size, size))

        here = slice(start, stop)
        self.seen[here] = column(record.seen, self.spaces.size, np.int64)
        self.legal[here] = column(record.legal, self.spaces.actions.size, np.int8)
        head = column(0, 3, np.int64)
        self.over[here] = head[:, 0] != 0
        self.endless[here] = ~self.over[here] & (head[:, 1] >= LONGEST_MATCH)
        self.worth[here] = worth_of_rows(
            self.spaces, column(record.row, sandbox.row, np.int64), self.seat, self.utility
        )
        for match in trapped:
            self.replay(match)
        for match, play in self.plays.items():
            if here.start <= match < here.stop:
                self.show(match, play)

    def replay(self, match: int) -> None:
        """Play a match again in Python, by its seed and the answers so far."""
        play = self.plays[match] = self.begin(match)
        for number in self.answers[match, : self.given[match]].tolist():
            play.take(self.seat, number)
            play.wait_for(self.seat)

    def begin(self, match: int) -> Play:
        """A match with its seed, up to the first question of the seat."""
        play = Play(self.spaces, int(self.seeds[match]), self.utility)
        play.wait_for(self.seat)
        return play

    def go_in_python(self, match: int, command: int) -> None:
        if command == BEGIN:
            self.plays[match] = self.begin(match)
        else:
            self.plays[match].take(self.seat, command)
            self.plays[match].wait_for(self.seat)
        self.show(match, self.plays[match])

    def show(self, match: int, play: Play) -> None:
        """Put what there is to see of a match that is played in Python into its rows."""
        self.seen[match] = play.vector(self.seat)
        self.legal[match] = 0
        self.legal[match, play.legal(self.seat)] = 1
        self.over[match], self.endless[match] = play.is_over, play.is_endless
        if play.is_over:
            self.worth[match] = play.utilities()[self.seat]


def worth_of_rows(spaces: Observations, rows: Any, seat: int, utility: str) -> Any:
    """What matches were worth to a seat, by the rows of their results; those of matches that go on mean nothing."""
    from houserule.native.memory import ENDING, HEAD, WINNERS

    program = spaces.program
    if utility == "points":
        return rows[:, HEAD + program.symbols.players * len(program.points) + seat].astype(float)
    has_won = rows[:, WINNERS] >> seat & 1
    return np.where(np.isin(rows[:, ENDING], UNDECIDED), 0.0, 2.0 * has_won - 1.0)


gymnasium = library("gymnasium", "pettingzoo")
vector = library("gymnasium.vector", "pettingzoo")
Env: Any = gymnasium.Env
VectorEnv: Any = vector.VectorEnv

MOST_BEGUN = 1000
"""So many matches are begun to find one in which the seat is asked."""
MOST_SEED = 2**31


class OneSeat(Env):  # type: ignore[misc]  # a class of a library without types
    """One seat of a game; bots that answer at random have the others, or `opponents`: callables that take the play and the seat, and return a legal number.

    The observation is the vector of `houserule actions`; `info["action_mask"]` and `action_masks()` say what is legal.
    An illegal number raises IllegalAction; with `illegal_reward` it gives that reward instead. Either leaves the match as it was.
    """

    metadata = {"render_modes": ["human", "ansi"]}  # noqa: RUF012  as Gymnasium has it

    def __init__(
        self,
        game: Game | str,
        players: int | None = None,
        seat: int = 0,
        opponents: Any = "random",
        *,
        utility: str = "wins",
        rules: str | None = None,
        illegal_reward: float | None = None,
        render_mode: str | None = None,
    ) -> None:
        if not callable(opponents) and opponents != "random":
            raise ValueError(f"opponents are 'random' or a callable, not {opponents!r}")
        self.table = Table(game, players, utility, rules, render_mode, None)
        self.illegal_reward = illegal_reward
        if not 0 <= seat < self.table.seats:
            raise ValueError(f"there is no seat {seat} at a table of {self.table.seats}")
        self.seat, self.opponents, self.render_mode = seat, opponents, render_mode
        self.observation_space = self.table.box
        self.action_space = Legal(self.table.numbers.actions.size, lambda: self.table.legal(seat))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a match; a seed decides all chance, and that of the bots."""
        super().reset(seed=seed, options=options)
        # A match whose seat is never asked is over before it begins; another one is tried.
        for _ in range(MOST_BEGUN):
            drawn = int(self.np_random.integers(MOST_SEED))
            play = self.table.begun(drawn)
            self.wait(play)
            if not play.is_over:
                break
        return self.seen(play)

    def wait(self, play: Any) -> None:
        """Let the others answer until the seat is asked."""
        if not callable(self.opponents):
            play.wait_for(self.seat)
        while not play.is_over and not play.is_endless and self.seat not in play.seats:
            play.take(play.seats[0], self.opponents(play, play.seats[0]))

    def action_masks(self) -> Any:
        """Which numbers are legal."""
        return self.mask(self.table.current())

    def mask(self, play: Any) -> Any:
        found = np.zeros(self.action_space.n, np.int8)
        found[play.legal(self.seat)] = 1
        return found

    def seen(self, play: Any) -> tuple[Any, dict[str, Any]]:
        return np.array(play.vector(self.seat), np.int64), {"action_mask": self.mask(play)}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Answer. Raises IllegalAction, and changes nothing, for a number that is not legal; ResetNeeded after the end."""
        play = self.table.current()
        if play.is_over or play.is_endless:
            raise errors.ResetNeeded("the match is over: call reset()")
        number = as_number(action.item() if isinstance(action, np.ndarray) and action.ndim == 0 else action)
        try:
            play.take(self.seat, number)
        except ValueError as illegal:
            if self.illegal_reward is not None and self.action_space.contains(action):
                observation, info = self.seen(play)
                return observation, self.illegal_reward, False, False, info | {"illegal": True}
            raise IllegalAction(str(illegal)) from illegal
        self.wait(play)
        reward = play.utilities()[self.seat] if play.is_over else 0.0
        observation, info = self.seen(play)
        return observation, reward, play.is_over, play.is_endless, info

    def render(self) -> str | None:
        """The match in a line: returned in mode `ansi`, printed in mode `human`."""
        return self.table.rendered()

    def close(self) -> None:
        """End the match for good."""
        self.table.is_closed = True


class OneSeatVector(VectorEnv):  # type: ignore[misc]  # a class of a library without types
    """`OneSeat` in many matches at once, against random bots: the same matches as `SyncVectorEnv` plays with the same seeds.

    They are played natively if wasmtime is installed and the game allows it, else in Python; `engine` can be `native` or `python` as well.
    A match that has ended begins anew in the next step, or in the same one with `autoreset_mode`. `info["action_mask"]` has a row for each match.
    """

    def __init__(
        self,
        game: Game | str,
        num_envs: int,
        players: int | None = None,
        seat: int = 0,
        *,
        utility: str = "wins",
        rules: str | None = None,
        engine: str = "auto",
        autoreset_mode: Any = vector.AutoresetMode.NEXT_STEP,
    ) -> None:
        super().__init__()
        one = OneSeat(game, players, seat, utility=utility, rules=rules)
        self.table, self.seat, self.num_envs = one.table, seat, num_envs
        self.autoreset_mode = vector.AutoresetMode(autoreset_mode)
        if self.autoreset_mode == vector.AutoresetMode.DISABLED:
            raise ValueError("matches that have ended begin anew: autoreset_mode is NEXT_STEP or SAME_STEP")
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": []}
        self.single_observation_space = one.observation_space
        self.single_action_space = spaces.Discrete(one.action_space.n)
        self.observation_space, self.action_space = (
            vector.utils.batch_space(space, num_envs) for space in (one.observation_space, self.single_action_space)
        )
        self.matches = Matches(self.table.numbers, num_envs, seat, utility, engine)
        self.chance: list[Any] = []
        """By match the generator of its seeds."""
        self.ended = np.zeros(num_envs, bool)

    @property
    def engine(self) -> str:
        """Where the matches are played: `native` or `python`."""
        return "native" if self.matches.sandboxes else "python"

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:  # noqa: ARG002  asked for by Gymnasium
        """Start all matches: with a seed for each, or with one from which those of the next ones follow."""
        if self.table.is_closed:
            raise errors.ClosedEnvironmentError("this environment is closed")
        seeds = (
            [None if seed is None else seed + at for at in range(self.num_envs)]
            if isinstance(seed, int | None)
            else [*seed]
        )
        if len(seeds) != self.num_envs:
            raise ValueError(f"there are {self.num_envs} matches, and {len(seeds)} seeds")
        known = self.chance or [None] * self.num_envs
        self.chance = [
            old if old is not None and one is None else gymnasium.utils.seeding.np_random(one)[0]
            for old, one in zip(known, seeds, strict=True)
        ]
        self.begin(np.ones(self.num_envs, bool))
        self.ended = np.zeros(self.num_envs, bool)
        return self.seen()

    def begin(self, which: Any) -> None:
        """Begin these matches; one that is over before the seat is asked begins again."""
        for _ in range(MOST_BEGUN):
            self.go(np.where(which, BEGIN, LEAVE))
            which = which & self.matches.over
            if not which.any():
                break

    def go(self, commands: Any) -> None:
        seeds = np.zeros(self.num_envs, np.uint64)
        for match in np.flatnonzero(commands == BEGIN).tolist():
            seeds[match] = self.chance[match].integers(MOST_SEED)
        self.matches.go(commands, seeds)

    def seen(self) -> tuple[Any, dict[str, Any]]:
        matches = self.matches
        info = {"action_mask": matches.legal.copy(), "_action_mask": np.ones(self.num_envs, bool)}
        return matches.seen.copy(), info

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Answer in all matches. Raises IllegalAction, and changes nothing, if a number is not legal where the match goes on."""
        if self.table.is_closed:
            raise errors.ClosedEnvironmentError("this environment is closed")
        if not self.chance:
            raise errors.ResetNeeded("call reset() first")
        commands = self.checked(actions)
        begun, matches = self.ended, self.matches
        self.go(commands)
        again = begun & matches.over
        if again.any():
            self.begin(again)
        over, cut = matches.over & ~begun, matches.endless & ~begun
        rewards = np.where(over, matches.worth, 0.0)
        self.ended = over | cut
        observation, info = self.seen()
        if self.autoreset_mode == vector.AutoresetMode.NEXT_STEP or not self.ended.any():
            return observation, rewards, over, cut, info
        final = np.full(self.num_envs, None, object)
        for match in np.flatnonzero(self.ended):
            final[match] = observation[match]
        final_info = {"action_mask": info["action_mask"] * self.ended[:, None], "_action_mask": self.ended}
        self.begin(self.ended)
        ended, self.ended = self.ended, np.zeros(self.num_envs, bool)
        observation, info = self.seen()
        info |= {"final_obs": final, "_final_obs": ended, "final_info": final_info, "_final_info": ended}
        return observation, rewards, over, cut, info

    def checked(self, actions: Any) -> Any:
        """Commands for all matches: answers, and to begin those that have ended. Raises IllegalAction."""
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or not np.issubdtype(given.dtype, np.integer):
            raise IllegalAction(f"a step takes {self.num_envs} whole numbers")
        given = given.astype(np.int64)
        legal = self.matches.legal
        inside = (given >= 0) & (given < legal.shape[1])
        right = inside & (legal[np.arange(self.num_envs), np.where(inside, given, 0)] == 1)
        if not (right | self.ended).all():
            match = int(np.flatnonzero(~(right | self.ended))[0])
            raise IllegalAction(
                f"{given[match]} is not legal in match {match}: {np.flatnonzero(legal[match]).tolist()}"
            )
        return np.where(self.ended, BEGIN, given)

    def close_extras(self, **_: Any) -> None:
        """End all matches for good."""
        self.table.is_closed = True


for _game in games():
    gymnasium.register(
        id=f"houserule/{_game}-v0",
        entry_point="houserule.bridges.gym:OneSeat",
        vector_entry_point="houserule.bridges.gym:OneSeatVector",
        kwargs={"game": _game},
    )
