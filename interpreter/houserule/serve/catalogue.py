"""The games on this server: those of the given folders, and no other file."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import houserule
from houserule.language.types import Bool, Int, Maybe, Member, none_of, plain
from houserule.serve.limits import Refused
from houserule.telling.labels import Labels

if TYPE_CHECKING:
    from houserule import Game

MOST_KEPT = 64
"""Games with house rules and settings that stay loaded."""


class Catalogue:
    """Games by id, each loaded once for each choice of house rules and settings. It is thread-safe."""

    def __init__(self, folders: Mapping[str, Path]) -> None:
        self.folders = dict(folders)
        self._loaded: OrderedDict[tuple[Any, ...], Game] = OrderedDict()
        self._lock = threading.Lock()

    def game(self, id: str, house_rules: Sequence[str] = (), options: Mapping[str, int | str] | None = None) -> Game:
        """A game with house rules and settings. Raises Refused."""
        if id not in self.folders:
            raise Refused("game")
        chosen = dict(options or {})
        key = (id, tuple(house_rules), tuple(sorted(chosen.items())))
        with self._lock:
            found = self._loaded.get(key)
            if found is None:
                found = self._loaded[key] = self._load(id, house_rules, chosen)
            self._loaded.move_to_end(key)
            if len(self._loaded) > MOST_KEPT:
                self._loaded.popitem(last=False)
        return found

    def has(self, id: str, house_rules: Sequence[str] = ()) -> bool:
        return (id, tuple(house_rules), ()) in self._loaded

    def _load(self, id: str, house_rules: Sequence[str], options: Mapping[str, int | str]) -> Game:
        folder = self.folders[id]
        if house_rules or options:
            plain = houserule.load(folder)
            if not set(house_rules) <= set(plain.house_rules) or len(set(house_rules)) < len(house_rules):
                raise Refused("house-rule")
        try:
            return houserule.load(folder, house_rules, options)
        except houserule.InvalidGame as wrong:
            raise Refused("option" if options and not house_rules else "house-rule") from wrong

    def listed(self, language: str) -> list[dict[str, Any]]:
        return [described(self.game(id), language) for id in self.folders]


def described(game: Game, language: str) -> dict[str, Any]:
    """The choices of a game, in one of its languages."""
    spoken = language if language in game.languages else game.languages[0]
    definition = game.definition
    return {
        "id": game.id,
        "title": game.title(spoken),
        "text": game.text(spoken),
        "players": [game.players[0], game.players[-1]],
        "languages": game.languages,
        "house_rules": [{"id": id, "title": title} for id, title in game.titles_of_house_rules(spoken).items()],
        "options": [
            {
                "name": option.name,
                "title": option.title.raw(spoken) if option.title else option.name.replace("_", " "),
                "text": option.text.raw(spoken) if option.text else "",
                "default": game.defaults[option.name],
                **values_of(game, option.name, spoken),
            }
            for option in definition.options.values()
        ],
    }


def values_of(game: Game, option: str, language: str) -> dict[str, Any]:
    """The possible values of an option: the least and the greatest number, or choices with their titles."""
    program = game.program(game.players[0], told=True)
    labels = Labels(program, [str(number) for number in game.players][:1] * game.players[0], language)
    type = program.symbols.options[option].type
    inner = plain(type)
    if isinstance(inner, Int):
        return {"low": inner.low, "high": inner.high}
    count = (
        2 if isinstance(inner, Bool) else len(program.symbols.kinds[inner.kind].ids) if isinstance(inner, Member) else 0
    )
    values = [*range(count), *([none_of(type)] if isinstance(type, Maybe) else [])]
    return {"choices": [{"key": labels.keys.word(type, value), "title": labels.value(type, value)} for value in values]}
