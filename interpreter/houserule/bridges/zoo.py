"""Games as environments of PettingZoo: players answer one after another, or at once.

>>> from houserule.bridges import zoo
>>> env = zoo.env("my_game", players=3)
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     env.step(None if termination or truncation else env.action_space(agent).sample(observation["action_mask"]))
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any

from houserule import Game
from houserule.bridges.playing import Play, checked_players, rules_of
from houserule.bridges.sandboxed import MOST_SEED, Left, Sandboxed, sandbox_of
from houserule.extras import library

np = library("numpy", "pettingzoo")
errors = library("gymnasium.error", "pettingzoo")
spaces = library("gymnasium.spaces", "pettingzoo")
zoo = library("pettingzoo", "pettingzoo")
Discrete: Any = spaces.Discrete
AECEnv: Any = zoo.AECEnv
ParallelEnv: Any = zoo.ParallelEnv
InvalidAction: Any = errors.InvalidAction


class IllegalAction(InvalidAction, ValueError):  # type: ignore[misc]  # a class of a library without types
    """A number that is not legal now; the match is as it was."""


class Legal(Discrete):  # type: ignore[misc]  # a class of a library without types
    """The numbers of all answers; without a mask, `sample` gives one that is legal now."""

    def __init__(self, size: int, legal: Callable[[], Sequence[int]]) -> None:
        super().__init__(size)
        self.legal = legal

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """A random number: among the legal ones, or as mask or probabilities say."""
        if mask is None and probability is None and (legal := self.legal()):
            return self.dtype.type(legal[int(self.np_random.integers(len(legal)))])
        return super().sample(mask, probability)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, spaces.Discrete) and bool(self.n == other.n)

    __hash__ = None  # type: ignore[assignment]  # as that of other spaces


class Table:
    """What both kinds of environments share: the game, its spaces, and the current match."""

    def __init__(
        self,
        game: Game | str,
        players: int | None,
        utility: str,
        rules: str | None,
        render_mode: str | None,
        most: int | None,
        engine: str = "python",
    ) -> None:
        self.most, self.steps = most, 0
        self.game = rules_of(game, rules)
        self.seats = checked_players(self.game, players)
        self.numbers = self.game.observations(self.seats)
        self.utility, self.render_mode = utility, render_mode
        self.play: Play | Sandboxed | None = None
        self.sandbox = sandbox_of(self.numbers, engine)
        self.is_closed = False
        self.names = [f"player_{seat}" for seat in range(self.seats)]

    def begun(self, seed: int | None) -> Play | Sandboxed:
        """A new match. Raises ClosedEnvironmentError."""
        if self.is_closed:
            raise errors.ClosedEnvironmentError("this environment is closed")
        self.steps = 0
        number = secrets.randbelow(2**31) if seed is None else seed
        if self.sandbox is None or not 0 <= number < MOST_SEED:
            self.play = Play(self.numbers, number, self.utility)
            return self.play
        try:
            self.play = Sandboxed(self.sandbox, number, self.utility)
        except Left as left:
            self.play = left.play
        return self.play

    def take(self, seat: int, number: int) -> Play | Sandboxed:
        """Take a number for a seat of the current match. Raises IllegalAction, and changes nothing, if it is not legal."""
        play = self.current()
        try:
            play.take(seat, number)
        except ValueError as illegal:
            raise IllegalAction(str(illegal)) from illegal
        except Left as left:
            play = self.play = left.play
        self.steps += 1
        return play

    def current(self) -> Play | Sandboxed:
        """The current match. Raises ClosedEnvironmentError and ResetNeeded."""
        if self.is_closed:
            raise errors.ClosedEnvironmentError("this environment is closed")
        if self.play is None:
            raise errors.ResetNeeded("call reset() first")
        return self.play

    @cached_property
    def box(self) -> Any:
        """The space of what a player sees."""
        low, high = ([getattr(one, side) for one in self.numbers.entries] for side in ("low", "high"))
        return spaces.Box(np.array(low, np.int64), np.array(high, np.int64), dtype=np.int64)

    def seen(self, seat: int, extra: int = 0) -> dict[str, Any]:
        """What a seat sees, and what is legal; `extra` is 1 where there is a number for waiting."""
        play = self.current()
        if isinstance(play, Sandboxed):
            observation, mask = play.arrays(seat)
            return {"observation": observation, "action_mask": mask}
        mask = np.zeros(self.numbers.actions.size + extra, np.int8)
        legal = play.legal(seat)
        if legal:
            mask[legal] = 1
        elif extra:
            mask[-1] = 1
        return {"observation": np.array(play.vector(seat), np.int64), "action_mask": mask}

    def legal(self, seat: int) -> list[int]:
        """What a seat may take; nothing where there is no match."""
        return self.play.legal(seat) if self.play is not None else []

    def rendered(self) -> str | None:
        """The match in a line."""
        if self.render_mode is None:
            return None
        text = str(self.current())
        if self.render_mode == "human":
            print(text)
            return None
        return text


def metadata(name: str, is_parallelizable: bool) -> dict[str, Any]:
    return {"render_modes": ["human", "ansi"], "name": f"houserule_{name}_v0", "is_parallelizable": is_parallelizable}


class Environment:
    """What the environments have in common: a table, its agents, and what they observe and answer."""

    def __init__(self, table: Table, waits: bool) -> None:
        """Where an agent `waits`, there is a number for that after those of all answers."""
        super().__init__()
        self.table = table
        self.render_mode = table.render_mode
        self.metadata = metadata(table.game.id, waits)
        self.possible_agents = table.names[:]
        self.agents: list[str] = []
        size = table.numbers.actions.size + waits
        inner = {"observation": table.box, "action_mask": spaces.Box(0, 1, (size,), np.int8)}
        self.observation_spaces = {name: spaces.Dict(inner) for name in table.names}
        self.action_spaces = {name: Legal(size, partial(self.legal, seat)) for seat, name in enumerate(table.names)}

    def observation_space(self, agent: str) -> Any:
        """What an agent observes: numbers of `houserule actions`, and a mask of legal ones."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The numbers of all answers, and one for waiting where agents wait."""
        return self.action_spaces[agent]

    def legal(self, seat: int) -> list[int]:
        return self.table.legal(seat)

    def render(self) -> str | None:
        """The match in a line: returned in mode `ansi`, printed in mode `human`."""
        return self.table.rendered()

    def close(self) -> None:
        """End the match for good."""
        self.table.is_closed = True


class Turns(Environment, AECEnv):  # type: ignore[misc]  # a class of a library without types
    """A game as an `AECEnv`: one agent after another; those who answer at the same time do not see each other's answers."""

    def __init__(self, table: Table) -> None:
        super().__init__(table, waits=False)
        self.seat_of = {name: seat for seat, name in enumerate(table.names)}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002  asked for by PettingZoo
        """Start a match; the seed decides all chance."""
        play = self.table.begun(seed)
        self.agents = self.possible_agents[:]
        for name, value in (
            ("rewards", 0.0),
            ("_cumulative_rewards", 0.0),
            ("terminations", False),
            ("truncations", False),
        ):
            setattr(self, name, dict.fromkeys(self.agents, value))
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        self.turn(play)

    def turn(self, play: Play | Sandboxed) -> None:
        """Select the next agent, or end the match."""
        is_cut = play.is_endless or (
            self.table.most is not None and self.table.steps >= self.table.most * len(self.agents)
        )
        if play.is_over or is_cut:
            if play.is_over:
                self.rewards = dict(zip(self.possible_agents, play.utilities(), strict=True))
            ended = self.terminations if play.is_over else self.truncations
            ended.update(dict.fromkeys(self.agents, True))
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[play.seats[0]]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees now. Raises KeyError for an unknown one."""
        return self.table.seen(self.seat_of[agent])

    def step(self, action: int | None) -> None:
        """Answer for the selected agent. Raises IllegalAction, and changes nothing, for a number that is not legal."""
        self.table.current()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        play = self.table.take(self.seat_of[agent], as_number(action))
        self._cumulative_rewards[agent] = 0.0
        self.turn(play)
        if play.is_over:
            self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()


class AtOnce(Environment, ParallelEnv):  # type: ignore[misc]  # a class of a library without types
    """A game as a `ParallelEnv`: in each step, everybody who is asked answers; all others take the last number, which waits."""

    def __init__(self, table: Table) -> None:
        super().__init__(table, waits=True)
        self.waiting = table.numbers.actions.size

    def legal(self, seat: int) -> list[int]:
        return self.table.legal(seat) or [self.waiting]

    def seen(self) -> dict[str, Any]:
        return {name: self.table.seen(seat, 1) for seat, name in enumerate(self.possible_agents)}

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002  asked for by PettingZoo
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start a match; the seed decides all chance."""
        self.table.begun(seed)
        self.agents = self.possible_agents[:]
        return self.seen(), {name: {} for name in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Answer for everybody who is asked. Raises IllegalAction, and changes nothing, if a number is missing or not legal."""
        play = self.table.current()
        asked = play.seats[:]
        numbers = {}
        for seat, name in enumerate(self.possible_agents):
            number = as_number(actions.get(name, self.waiting if seat not in asked else None))
            if number not in (play.legal(seat) or [self.waiting]):
                raise IllegalAction(f"{number} is not legal for {name}: {play.legal(seat) or [self.waiting]}")
            numbers[seat] = number
        for seat in asked:
            play.take(seat, numbers[seat])
        worth = play.utilities() if play.is_over else [0.0] * len(self.possible_agents)
        names, found = self.possible_agents, self.seen()
        self.table.steps += 1
        is_long = self.table.most is not None and self.table.steps >= self.table.most
        ends, cut = play.is_over, not play.is_over and (play.is_endless or is_long)
        if ends or cut:
            self.agents = []
        rewards = dict(zip(names, worth, strict=True))
        return found, rewards, dict.fromkeys(names, ends), dict.fromkeys(names, cut), {name: {} for name in names}


def as_number(action: Any) -> int:
    """An action as a number; -1, which is never legal, for anything else."""
    return int(action) if isinstance(action, int | np.integer) and not isinstance(action, bool) else -1


def env(
    game: Game | str,
    players: int | None = None,
    *,
    utility: str = "wins",
    rules: str | None = None,
    render_mode: str | None = None,
    max_cycles: int | None = None,
    engine: str = "auto",
) -> Turns:
    """A game as an `AECEnv` of PettingZoo. `utility` is `wins` or `points`; `rules` is the hash that the rules must have,
    and `max_cycles` after how many answers of each player a match is cut off. `engine` is `auto`, `native` or `python`: where the game is played.

    Raises what `load` raises, OtherRules, NotNative, and ValueError if the game is not for so many players.
    """
    return Turns(Table(game, players, utility, rules, render_mode, max_cycles, engine))


def parallel_env(
    game: Game | str,
    players: int | None = None,
    *,
    utility: str = "wins",
    rules: str | None = None,
    render_mode: str | None = None,
    max_cycles: int | None = None,
) -> AtOnce:
    """A game as a `ParallelEnv` of PettingZoo, for games in which players answer at the same time; takes what `env` takes."""
    return AtOnce(Table(game, players, utility, rules, render_mode, max_cycles))
