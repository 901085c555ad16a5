"""What was found in rules and scenarios goes in; the text of it for people, programs or services that read reports comes out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from houserule.cli.report import near_path

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


def write(findings: Findings, format: Format) -> str:
    """The findings as a report in any format but text, which is printed as it comes up."""
    from houserule.cli.annotations import to_annotations
    from houserule.cli.junit import to_junit
    from houserule.cli.sarif import to_sarif

    writers: dict[Format, Callable[[Findings], str]] = {
        Format.json: to_json,
        Format.sarif: to_sarif,
        Format.junit: to_junit,
        Format.github: to_annotations,
    }
    return UNWRITABLE.sub("\ufffd", writers[format](findings))


def as_json(tree: object) -> str:
    """A tree of lists and dictionaries as JSON that people can read."""
    return json.dumps(tree, ensure_ascii=False, indent=2) + "\n"


# --- json -------------------------------------------------------------------------------------------------------------


def to_json(findings: Findings) -> str:
    """The findings as one JSON object: `diagnostics`, and `assumed` or `scenarios` where there were any to look for."""
    found: dict[str, Any] = {"diagnostics": [diagnostic_to_json(diagnostic) for diagnostic in findings.diagnostics]}
    if findings.assumptions is not None:
        found["assumed"] = [{**span_to_json(span), "reason": reason} for span, reason in findings.assumptions]
    if findings.command == "test":
        found["scenarios"] = [result_to_json(result) for result in findings.results]
        found["passed"], found["failed"] = counts(findings.results)
    return as_json(found)


def counts(results: Iterable[ScenarioResult]) -> tuple[int, int]:
    """How many scenarios hold, and how many do not."""
    outcomes = [result.passed for result in results]
    return sum(outcomes), len(outcomes) - sum(outcomes)


def span_to_json(span: Span) -> dict[str, Any]:
    """The place as numbers that editors count with: lines and columns from 1, the end exclusive."""
    return {
        "file": near_path(span.file),
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def diagnostic_to_json(diagnostic: Diagnostic) -> dict[str, Any]:
    """One diagnostic with everything that its text form says."""
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        **span_to_json(diagnostic.span),
        "help": diagnostic.help,
        "related": [{"message": related.message, **span_to_json(related.span)} for related in diagnostic.related],
        "fixes": [{**span_to_json(span), "text": text} for span, text in fixes(diagnostic)],
    }


def result_to_json(result: ScenarioResult) -> dict[str, Any]:
    """One scenario: where it stands (for one that fails, the line that does), and what came of it."""
    return {
        "name": result.name,
        "file": near_path(result.path),
        "line": result.line,
        "passed": result.passed,
        "message": result.message,
        "seconds": round(result.seconds, 6),
    }


def fixes(diagnostic: Diagnostic) -> Sequence[tuple[Span, str]]:
    """What certainly mends it: places, and the text that takes each of them."""
    return [(diagnostic.fix.span, diagnostic.fix.text)] if diagnostic.fix is not None else []
