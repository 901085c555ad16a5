"""The findings of one command in rules and scenarios, in the form that every report needs."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from houserule.printable import CONTROL

if TYPE_CHECKING:
    from houserule import Diagnostic, ScenarioResult, Span

# Characters that XML forbids, and surrogates, which cannot be encoded.
UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Format(StrEnum):
    """The format of a report."""

    text = "text"
    json = "json"
    sarif = "sarif"
    junit = "junit"
    github = "github"


@dataclass(slots=True, eq=False, repr=False)
class Findings:
    """Everything that one command found.

    `subjects` are the games and files that were checked, each with its diagnostics; `results` are the scenarios that ran.
    `reasons` are listed on request: what is `assumed`, and what is `revealed`. Strict findings fail for warnings as well.
    """

    command: str
    subjects: list[tuple[str, list[Diagnostic]]] = field(default_factory=list)
    results: list[ScenarioResult] = field(default_factory=list)
    reasons: dict[str, list[tuple[Span, str]]] = field(default_factory=dict)
    is_strict: bool = False

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The diagnostics of all subjects, each once."""
        return list(dict.fromkeys(diagnostic for _, found in self.subjects for diagnostic in found))

    @property
    def failed(self) -> bool:
        """Whether the command fails for any of the findings."""
        return any(map(self.fails, self.diagnostics)) or not all(result.passed for result in self.results)

    def fails(self, diagnostic: Diagnostic) -> bool:
        """Whether the command fails for a diagnostic: an error, or a warning under `--strict`."""
        return self.is_strict or diagnostic.severity == "error"


def as_json(tree: object) -> str:
    """Lists and dictionaries as readable JSON."""
    text = json.dumps(tree, ensure_ascii=False, indent=2) + "\n"
    return CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def fixes(diagnostic: Diagnostic) -> Sequence[tuple[Span, str]]:
    """The certain fixes of a diagnostic: places, and the new text of each."""
    return [(diagnostic.fix.span, diagnostic.fix.text)] if diagnostic.fix is not None else []
