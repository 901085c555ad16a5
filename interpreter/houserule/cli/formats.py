"""Writes findings as a report: here as JSON, in other modules as SARIF, JUnit XML and annotations."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from houserule.cli.findings import UNWRITABLE, Findings, Format, as_json, fixes
from houserule.cli.report import fail, near_path, not_written
from houserule.cli.streams import print_commands
from houserule.writing import write_file

if TYPE_CHECKING:
    from houserule import Diagnostic, ScenarioResult, Span


def write(findings: Findings, format: Format) -> str:
    """The findings as a report in any format but text, which is printed on the way."""
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


Output = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write the report to this file; needs --format.")
]


def print_report(findings: Findings, format: Format, output: Path | None = None) -> None:
    """Print the findings in such a format, or write them to a file; only workflow commands are printed unguarded."""
    text = write(findings, format)
    if output is not None:
        try:
            write_file(output, text)
        except OSError as reason:
            not_written(output, reason)
    elif format is Format.github:
        print_commands(text)
    else:
        sys.stdout.write(text)


def see_output(format: Format, output: Path | None) -> None:
    """Exit with a sentence if a file is named for what is printed."""
    if output is not None and format is Format.text:
        fail("--output writes a report for other programs", f"--format sarif --output {output}")


def to_json(findings: Findings) -> str:
    """The findings as one JSON object: `diagnostics`, and `assumed` or `scenarios` if they were looked for."""
    found: dict[str, Any] = {"diagnostics": [diagnostic_to_json(diagnostic) for diagnostic in findings.diagnostics]}
    for key, listed in findings.reasons.items():
        found[key] = [{**span_to_json(span), "reason": reason} for span, reason in listed]
    if findings.command == "test":
        found["scenarios"] = [result_to_json(result) for result in findings.results]
        found["passed"], found["failed"] = counts(findings.results)
    return as_json(found)


def counts(results: Iterable[ScenarioResult]) -> tuple[int, int]:
    """How many scenarios hold, and how many do not."""
    outcomes = [result.passed for result in results]
    return sum(outcomes), len(outcomes) - sum(outcomes)


def span_to_json(span: Span) -> dict[str, Any]:
    """The place in the numbers of editors: lines and columns from 1, the end exclusive."""
    return {
        "file": near_path(span.file),
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def diagnostic_to_json(diagnostic: Diagnostic) -> dict[str, Any]:
    """One diagnostic with everything in its text form."""
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
    """One scenario: its place (for a failure, the failing line), and its result."""
    return {
        "name": result.name,
        "file": near_path(result.path),
        "line": result.line,
        "passed": result.passed,
        "message": result.message,
        "seconds": round(result.seconds, 6),
    }
