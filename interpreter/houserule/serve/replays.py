"""Steps through a finished match, or that of a visitor's record, with everything visible."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Any

from houserule import InvalidRecord, Match, Record, RuleFault, replay
from houserule.serve.catalogue import Catalogue
from houserule.serve.limits import Refused
from houserule.serve.room import hash_of
from houserule.table.compose import scene

MOST_KEPT = 16


class Replays:
    """Matches being replayed; each is kept at its last step, so that the next one is quick."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, str], tuple[Match, Match]] = (
            OrderedDict()
        )  # the former match, and its current step
        self._records: OrderedDict[str, Match] = OrderedDict()
        self._lock = threading.Lock()

    def step_of_record(self, catalogue: Catalogue, record: Any, step: int, language: str) -> dict[str, Any]:
        """The table after `step` answers of a record of a game on this server, and the events of the last one. Raises Refused."""
        key = key_of(record)
        played = self._records.get(key) or match_of(catalogue, record)
        self._records[key] = played
        self._records.move_to_end(key)
        if len(self._records) > MOST_KEPT:
            self._records.popitem(last=False)
        return self.step(played, step, language)

    def has(self, record: Any) -> bool:
        return key_of(record) in self._records

    def step(self, played: Match, step: int, language: str) -> dict[str, Any]:
        """The table after `step` answers, and the events of the last one. Raises Refused."""
        steps = len(played.answers)
        if step > steps:
            raise Refused("step")
        spoken = language if language in played.game.languages else played.language
        with self._lock:
            key = (id(played), spoken)
            of, match = self._kept.pop(key, (None, played))
            if of is not played or len(match.answers) > step:
                match = Match.start(played.game, list(played.players), played.seed, played.language)
                match.mixes = played.mixes
            while len(match.answers) < step - 1:
                match.answer(*played.answers[len(match.answers)])
            told = len(match.told_in(spoken).events)
            if len(match.answers) < step:
                match.answer(*played.answers[len(match.answers)])
            else:
                told = 0 if step == 0 else told
            self._kept[key] = played, match
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


def key_of(record: Any) -> str:
    try:
        return hash_of(json.dumps(record, sort_keys=True))
    except RecursionError as wrong:
        raise Refused("record") from wrong


def match_of(catalogue: Catalogue, found: Any) -> Match:
    """The match of a record. Only games and house rules on this server are played, never rules in the record. Raises Refused."""
    try:
        record = Record.from_json(found)
    except InvalidRecord as wrong:
        raise Refused("record") from wrong
    if record.given is not None:
        raise Refused("record")
    house_rules = [Path(name).stem for name in record.variants]
    game = catalogue.game(record.game, house_rules, record.options)
    if game.rules_hash != record.rules:
        raise Refused("record-rules")
    try:
        return replay(record, game)
    except (InvalidRecord, RuleFault) as wrong:
        raise Refused("record") from wrong
