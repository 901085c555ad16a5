"""Steps through a match that is over, with everything open."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any

from houserule import Match
from houserule.serve.refused import Refused
from houserule.table.compose import scene

MOST_KEPT = 16


class Replays:
    """Matches that are looked at again; each is kept where it was last looked at, so that the next step is a short way."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, str], Match] = OrderedDict()
        self._lock = threading.Lock()

    def step(self, played: Match, step: int, language: str) -> dict[str, Any]:
        """The table after so many answers, and what the last of them brought about. Raises Refused."""
        steps = len(played.answers)
        if step > steps:
            raise Refused("step")
        spoken = language if language in played.game.languages else played.language
        with self._lock:
            key = (id(played), spoken)
            match = self._kept.pop(key, None)
            if match is None or len(match.answers) > step or match.answers != played.answers[: len(match.answers)]:
                match = Match.start(played.game, list(played.players), played.seed, played.language)
            while len(match.answers) < step - 1:
                match.answer(*played.answers[len(match.answers)])
            told = len(match.told_in(spoken).events)
            if len(match.answers) < step:
                match.answer(*played.answers[len(match.answers)])
            else:
                told = 0 if step == 0 else told
            self._kept[key] = match
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
            shown = match.told_in(spoken)
            return {
                "step": step,
                "steps": steps,
                "by": played.answers[step - 1][0] if step else None,
                "scene": {**scene(shown, None).as_dict(), "question": None},
                "log": [event.to_json() for event in shown.events[told:]],
            }
