"""Records: what is needed to replay a match, saved in a file."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from houserule.match.record_shape import as_json, mistakes, schema, shown
from houserule.reading import TooLarge, beginning, is_id, is_inside, read, root_of
from houserule.writing import write_file

FORMAT = 2
UNMIXED = 1
"""The format of records whose answers name face-down pieces in the order of their arrival."""
MARK = "houserule record"
"""The key that marks a file as a record, with its format."""


class InvalidRecord(ValueError):
    """This is not a record, or a record of other rules."""


@dataclass(slots=True)
class Record:
    """A match as data: its game, variants and options, a hash of its rules, its players, seed and answers.

    `given` is the effect that arranged the table after the set-up, if the match began with a position.

    `folder` is the folder it was read from: it may name nothing outside. A record made in this process has none.
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
        if isinstance(found, dict) and found.get(MARK, FORMAT) not in (UNMIXED, FORMAT):
            raise InvalidRecord(
                f"this record has format {shown(found[MARK])}, and {UNMIXED} and {FORMAT} are understood"
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
        """Whether a file begins like a record."""
        return re.match(rf'\s*\{{\s*"{MARK}"', beginning(Path(path), 200)) is not None


def seen_from(record: Path, name: str) -> str:
    """The path of a game or a variant in a record: relative to the record's folder, if it lies there."""
    if not is_inside(Path(name), root_of(record)):
        return name
    return Path(os.path.relpath(Path(name).resolve(), record.resolve().parent)).as_posix()
