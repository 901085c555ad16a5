"""Writes findings as workflow commands, which GitHub shows beside the lines of a pull request."""

from __future__ import annotations

from houserule.cli.findings import Findings
from houserule.cli.report import near_path
from houserule.printable import printable

# A value stands between delimiters, so it must not contain them.
IN_MESSAGES = {"%": "%25", "\r": "%0D", "\n": "%0A"}
IN_PROPERTIES = IN_MESSAGES | {":": "%3A", ",": "%2C"}


def to_annotations(findings: Findings) -> str:
    """A line for each diagnostic and each failed scenario; empty if all is well."""
    lines = []
    for diagnostic in findings.diagnostics:
        span = diagnostic.span
        level = "error" if findings.fails(diagnostic) else "warning"
        properties: dict[str, object] = {"file": near_path(span.file), "line": span.line, "endLine": span.end_line}
        if span.line == span.end_line:
            # GitHub shows columns only within one line.
            properties |= {"col": span.column, "endColumn": span.end_column}
        message = diagnostic.message
        for related in diagnostic.related:
            message += f"\n{related.message}: {near_path(related.span.file)}:{related.span.line}:{related.span.column}"
        if diagnostic.help:
            message += f"\nhelp: {diagnostic.help}"
        lines.append(annotation(level, {**properties, "title": diagnostic.code}, message))
    for result in findings.results:
        if not result.passed:
            place = {"file": near_path(result.path), "line": result.line, "title": result.name}
            lines.append(annotation("error", place, result.message))
    return "".join(f"{line}\n" for line in lines)


def annotation(level: str, properties: dict[str, object], message: str) -> str:
    """One workflow command."""
    listed = ",".join(f"{name}={escaped(printable(str(value)), IN_PROPERTIES)}" for name, value in properties.items())
    return f"::{level} {listed}::{escaped(printable(message, lines=True), IN_MESSAGES)}"


def escaped(text: str, signs: dict[str, str]) -> str:
    """A text with its delimiters escaped."""
    return "".join(signs.get(character, character) for character in text)
