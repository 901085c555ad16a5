"""Records: all that it takes to play a match again, as it is saved in a file."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from houserule.writing import write_file

FORMAT = 2
UNMIXED = 1
"""The format of records whose answers name pieces that lie face down in the order in which they came."""
MARK = "houserule record"
"""The key that says that a file is a record, and of which format."""


class InvalidRecord(ValueError):
    """This is not a record, or not one of these rules."""


@dataclass(slots=True)
class Record:
    """A match: the game with its variants and options, a hash of its rules, the players, the seed, every answer."""

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

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
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
            "answers": [list(answer) for answer in self.answers],
        }

    @staticmethod
    def from_json(found: Any) -> Record:
        """The record of plain data. Raises InvalidRecord."""
        try:
            if found[MARK] not in (UNMIXED, FORMAT):
                raise InvalidRecord(
                    f"this record is of format {found[MARK]}, and {UNMIXED} and {FORMAT} are understood"
                )
            answers = [(str(player), str(key)) for player, key in found["answers"]]
            return Record(
                str(found["game"]),
                str(found["rules"]),
                [str(p) for p in found["players"]],
                int(found["seed"]),
                answers,
                list(found.get("variants", [])),
                dict(found.get("options", {})),
                str(found.get("language", "en")),
                found.get("path"),
                int(found[MARK]),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            if isinstance(error, InvalidRecord):
                raise
            raise InvalidRecord("this is not the record of a match") from error

    def save(self, path: str | Path) -> None:
        """Write it to a file; the old content is replaced only when the new one is complete. Raises OSError."""
        write_file(Path(path), json.dumps(self.to_json(), ensure_ascii=False, indent=1) + "\n")

    @staticmethod
    def load(path: str | Path) -> Record:
        """Read it from a file. Raises InvalidRecord, or OSError where the file cannot be read."""
        try:
            found = json.loads(Path(path).read_text(encoding="utf-8"))
        except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
            raise InvalidRecord("this is not the record of a match") from error
        return Record.from_json(found)

    @staticmethod
    def is_in(path: str | Path) -> bool:
        """Whether a file says at its beginning that it is a record."""
        try:
            with Path(path).open(encoding="utf-8-sig", errors="replace") as stream:
                return bool(re.match(rf'\s*\{{\s*"{MARK}"', stream.read(200)))
        except OSError:
            return False
