"""Games as environments of Gymnasium: one seat against bots, alone or in many matches at once.

>>> from houserule.bridges import gym
>>> env = gym.OneSeat("my_game", opponents="random")
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
"""

from __future__ import annotations

from random import Random
from typing import Any

from houserule import Game
from houserule.bridges.playing import Play
from houserule.bridges.zoo import IllegalAction, Legal, Table, as_number, errors, np
from houserule.extras import library

gymnasium = library("gymnasium", "pettingzoo")
Env: Any = gymnasium.Env


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
        self.table = Table(game, players, utility, rules, render_mode, None)
        self.illegal_reward = illegal_reward
        if not 0 <= seat < self.table.seats:
            raise ValueError(f"there is no seat {seat} at a table of {self.table.seats}")
        self.seat, self.opponents, self.render_mode = seat, opponents, render_mode
        self.observation_space = self.table.box
        self.action_space = Legal(self.table.numbers.actions.size, lambda: self.table.legal(seat))
        self.others = Random(0)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a match; a seed decides all chance, and that of the bots."""
        super().reset(seed=seed, options=options)
        # A match whose seat is never asked is over before it begins; another one is tried.
        for _ in range(1000):
            drawn = int(self.np_random.integers(2**31))
            self.others = Random(f"others {drawn}")
            play = self.table.begun(drawn)
            self.wait(play)
            if not play.is_over:
                break
        return self.seen(play)

    def wait(self, play: Play) -> None:
        """Let the others answer until the seat is asked."""
        while not play.is_over and not play.is_endless and self.seat not in play.seats:
            self.answer(play, play.seats[0])

    def answer(self, play: Play, other: int) -> None:
        """Let another seat answer."""
        taken = self.opponents(play, other) if callable(self.opponents) else self.others.choice(play.legal(other))
        play.take(other, taken)

    def action_masks(self) -> Any:
        """Which numbers are legal."""
        return self.mask(self.table.current())

    def mask(self, play: Play) -> Any:
        found = np.zeros(self.action_space.n, np.int8)
        found[play.legal(self.seat)] = 1
        return found

    def seen(self, play: Play) -> tuple[Any, dict[str, Any]]:
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
