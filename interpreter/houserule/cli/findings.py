"""What one command has found in rules and scenarios, and what every format of report needs of it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from houserule import Diagnostic, ScenarioResult, Span

# What a report may not hold: XML refuses it, and half a character cannot be written at all.
UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Format(StrEnum):
    """How a report is written."""

    text = "text"
    json = "json"
    sarif = "sarif"
    junit = "junit"
    github = "github"


@dataclass(slots=True, eq=False, repr=False)
class Findings:
    """Everything that one command found.

    `subjects` are the games and files that were looked at, each with its diagnostics; `results` the scenarios that ran.
    `assumptions` are listed where they are asked for. Where warnings fail, the findings are `strict`.
    """

    command: str
    subjects: list[tuple[str, list[Diagnostic]]] = field(default_factory=list)
    results: list[ScenarioResult] = field(default_factory=list)
    assumptions: list[tuple[Span, str]] | None = None
    is_strict: bool = False

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """Those of all subjects, each once."""
        return list(dict.fromkeys(diagnostic for _, found in self.subjects for diagnostic in found))

    @property
    def failed(self) -> bool:
        """Whether anything found keeps the command from ending well."""
        return any(map(self.fails, self.diagnostics)) or not all(result.passed for result in self.results)

    def fails(self, diagnostic: Diagnostic) -> bool:
        """Whether a diagnostic keeps the command from ending well: an error does, a warning only under `--strict`."""
        return self.is_strict or diagnostic.severity == "error"


def as_json(tree: object) -> str:
    """A tree of lists and dictionaries as JSON that people can read."""
    return json.dumps(tree, ensure_ascii=False, indent=2) + "\n"


def fixes(diagnostic: Diagnostic) -> Sequence[tuple[Span, str]]:
    """What certainly mends it: places, and the text that takes each of them."""
    return [(diagnostic.fix.span, diagnostic.fix.text)] if diagnostic.fix is not None else []
