"""Records: what is needed to replay a match, read from anybody, checked, and replayed."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from houserule.bundled import bundled
from houserule.reading import TooLarge, beginning, is_id, is_inside, own, read, root_of
from houserule.writing import is_well_formed, write_file

MOST_SHOWN = 60
BYTES = re.compile("[\udc80-\udcff]")
"""The bytes of a path that are no text, as Python reads them."""
TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "null": type(None),
}


@cache
def schema() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(own(bundled("schema") / "record.schema.json"))
    return found


def as_json(text: str) -> Any:
    """The value of a JSON text. Raises ValueError also for duplicate keys, and for extensions that Python accepts."""
    try:
        return json.loads(text, parse_constant=_refused, object_pairs_hook=_once)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _refused(word: str) -> NoReturn:
    raise ValueError(f"'{word}' is not a number in JSON")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A map, if its keys are unique."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is given twice")
    return found


def mistakes(value: Any, described: dict[str, Any], path: str = "") -> Iterator[str]:
    """What is wrong with a value, a sentence for each place: what is wanted there, and what was found."""
    types = described["type"] if isinstance(described["type"], list) else [described["type"]]
    place = f"'{path}'" if path else "the record"
    if (
        isinstance(value, bool)
        or not isinstance(value, tuple(TYPES[name] for name in types))
        or ("enum" in described and value not in described["enum"])
    ) or (isinstance(value, int) and not described.get("minimum", value) <= value <= described.get("maximum", value)):
        yield f"{place} wants {described['title']}, and got {shown(value)}"
    elif isinstance(value, str):
        if not is_well_formed(BYTES.sub("", value) if described.get("format") == "path" else value):
            yield f"{place} holds half a character"
    elif isinstance(value, list):
        if not described.get("minItems", 0) <= len(value) <= described["maxItems"]:
            yield f"{place} wants {described['title']}, and got {len(value)}"
        else:
            for position, item in enumerate(value, 1):
                yield from mistakes(item, described["items"], f"{path} {position}".strip())
    elif isinstance(value, dict):
        yield from mistakes_of_map(value, described, path)


def mistakes_of_map(value: dict[str, Any], described: dict[str, Any], path: str) -> Iterator[str]:
    """Wrong values and keys of a map, and missing keys."""
    for key in described.get("required", ()):
        if key not in value:
            yield f"'{key}' is missing"
    properties, others = described.get("properties", {}), described.get("additionalProperties")
    for key, inner in value.items():
        wanted = properties.get(key, others)
        if wanted is not None:
            yield from mistakes(inner, wanted, f"{path} {key}".strip())


def shown(value: Any) -> str:
    """A value as a sentence shows it."""
    if isinstance(value, dict | list):
        return "a map" if isinstance(value, dict) else "a list"
    text = (
        json.dumps(value, ensure_ascii=False) if not isinstance(value, int) or abs(value) < 10**18 else "a huge number"
    )
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


FORMAT = 3
ASKED_ANYWAY = 2
"""The format of records in which those pass of whom all can see that they have nothing to choose from."""
UNMIXED = 1
"""The format of records from then, where answers name face-down pieces in the order of their arrival."""
MARK = "houserule record"
"""The key that marks a file as a record, with its format."""


class InvalidRecord(ValueError):
    """This is not a record, or a record of other rules."""


@dataclass(slots=True)
class Record:
    """A match as data: its game, variants and options, a hash of its rules, its players, seed and answers.

    `given` is the effect that arranged the table after the set-up, if the match began with a position.

    `folder` is the folder it was read from: it may name nothing outside. A record made in this process has none.

    >>> match.answer("Ann", "square_2_2")
    >>> match.record.answers, match.record.seed
    ([('Ann', 'square_2_2')], 1)
    """

    game: str
    rules: str
    players: list[str]
    seed: int
    answers: list[tuple[str, str]] = field(default_factory=list)
    variants: list[str] = field(default_factory=list)
    options: dict[str, int | str] = field(default_factory=dict)
    language: str = "en"
    path: str | None = None
    format: int = FORMAT
    folder: Path | None = field(default=None, compare=False)
    given: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain data for JSON."""
        given = {} if self.given is None else {"given": self.given}
        return {
            MARK: self.format,
            "game": self.game,
            "path": self.path,
            "rules": self.rules,
            "variants": self.variants,
            "options": self.options,
            "players": self.players,
            "seed": self.seed,
            "language": self.language,
            **given,
            "answers": [list(answer) for answer in self.answers],
        }

    @staticmethod
    def from_json(found: Any, folder: str | Path = "") -> Record:
        """The record from plain data, which may name nothing outside a folder. Raises InvalidRecord."""
        if isinstance(found, dict) and found.get(MARK, FORMAT) not in (UNMIXED, ASKED_ANYWAY, FORMAT):
            raise InvalidRecord(
                f"this record has format {shown(found[MARK])}, and {UNMIXED} to {FORMAT} are understood"
            )
        wrong = next(mistakes(found, schema()), None)
        if wrong is not None:
            raise InvalidRecord(f"this is not the record of a match: {wrong}")
        return Record(
            found["game"],
            found["rules"],
            list(found["players"]),
            found["seed"],
            [(player, key) for player, key in found["answers"]],
            list(found.get("variants", [])),
            dict(found.get("options", {})),
            found.get("language", "en"),
            found.get("path"),
            found[MARK],
            Path(folder),
            found.get("given"),
        )

    def save(self, path: str | Path) -> None:
        """Write it to a file, which keeps its old content until the new one is complete. Raises OSError.

        A game and variants in the folder of the file are named relative to it, so that all can move together.
        """
        found, file = self.to_json(), Path(path)
        if self.path is not None and self.folder is None:
            found["path"] = seen_from(file, self.path)
        if self.folder is None:
            found["variants"] = [name if is_id(name) else seen_from(file, name) for name in self.variants]
        write_file(Path(path), json.dumps(found, ensure_ascii=False, indent=1) + "\n")

    @staticmethod
    def load(path: str | Path) -> Record:
        """Read a record from a file. Raises InvalidRecord, or OSError if the file cannot be read."""
        file = Path(path)
        try:
            content = read(file, "record")
        except TooLarge as error:
            raise InvalidRecord("this is not the record of a match: it is larger than any") from error
        try:
            found = as_json(content.decode("utf-8"))
        except ValueError as error:
            raise InvalidRecord("this is not the record of a match: it cannot be read as JSON") from error
        return Record.from_json(found, file.parent)

    @staticmethod
    def is_in(path: str | Path) -> bool:
        return re.match(rf'\s*\{{\s*"{MARK}"', beginning(Path(path), 200)) is not None


def seen_from(record: Path, name: str) -> str:
    """The path of a game or a variant in a record: relative to the record's folder, if it lies there."""
    if not is_inside(Path(name), root_of(record)):
        return name
    return Path(os.path.relpath(Path(name).resolve(), record.resolve().parent)).as_posix()
