"""Writes findings as SARIF 2.1.0, with help and fixes, for services that show the findings of tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from houserule.cli.findings import Findings, as_json, fixes
from houserule.cli.report import near_path
from houserule.codes import CHANGED_GAME, CODES, PLAYED_GAME, Code

if TYPE_CHECKING:
    from houserule import Diagnostic, ScenarioResult, Span

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
# The rule of failed scenarios, beside the codes of diagnostics.
SCENARIO = "scenario"


def to_sarif(findings: Findings) -> str:
    """The findings as one run of one tool, with a rule for each code that occurs."""
    diagnostics = findings.diagnostics
    failed = [result for result in findings.results if not result.passed]
    codes = sorted({diagnostic.code for diagnostic in diagnostics})
    rules = [rule(CODES[code]) for code in codes] + ([scenario_rule()] if failed else [])
    index = {made["id"]: number for number, made in enumerate(rules)}
    run = {
        "tool": {"driver": {"name": "Houserule", **version_in_use(), "rules": rules}},
        "invocations": [{"executionSuccessful": True, "exitCode": int(findings.failed)}],
        "columnKind": "unicodeCodePoints",
        "results": [
            *(diagnostic_result(diagnostic, index[diagnostic.code]) for diagnostic in diagnostics),
            *(scenario_result(result, index[SCENARIO]) for result in failed),
        ],
    }
    return as_json({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def version_in_use() -> dict[str, str]:
    """The installed version of the package; empty if it is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return {"semanticVersion": version("houserule")}
    except PackageNotFoundError:
        return {}


# --- rules ------------------------------------------------------------------------------------------------------------


def rule(row: Code) -> dict[str, Any]:
    """A row of the table of codes: its title, why it matters, and the broken and the fixed example as help."""
    return {
        "id": row.code,
        "shortDescription": {"text": row.title},
        "fullDescription": {"text": row.why},
        "help": {
            "text": help_text(row, "{}:\n\n{}", "{}"),
            "markdown": help_text(row, "**{}**\n\n```yaml\n{}\n```", "`{}`"),
        },
        "defaultConfiguration": {"level": row.severity},
    }


def examples(row: Code) -> list[tuple[str, str]]:
    """The examples of a row, each with its heading."""
    game = {"variant": CHANGED_GAME, "scenario": PLAYED_GAME}.get(row.document, "") if row.broken else ""
    found = (("The game", game), ("Broken", row.broken), ("Fixed", row.mended))
    return [(heading, example.rstrip("\n")) for heading, example in found if example]


def help_text(row: Code, shown: str, command: str) -> str:
    """The help of a row, with a form for an example behind its heading and one for a command."""
    parts = [row.why, *(shown.format(heading, example) for heading, example in examples(row))]
    return "\n\n".join([*parts, command.format(f"houserule explain {row.code}")])


def scenario_rule() -> dict[str, Any]:
    """The rule of all failed scenarios."""
    why = "A scenario is an example of the rules. If it fails, the rules or the example are wrong."
    return {
        "id": SCENARIO,
        "shortDescription": {"text": "A scenario fails"},
        "fullDescription": {"text": why},
        "help": {"text": f"{why} `houserule test` runs it and shows what was pending."},
        "defaultConfiguration": {"level": "error"},
    }


# --- results ----------------------------------------------------------------------------------------------------------


def diagnostic_result(diagnostic: Diagnostic, index: int) -> dict[str, Any]:
    """One diagnostic, with its related places and its fix."""
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": index,
        "level": diagnostic.severity,
        "message": {"text": diagnostic.message + (f"\nhelp: {diagnostic.help}" if diagnostic.help else "")},
        "locations": [{"physicalLocation": location(diagnostic.span)}],
    }
    if diagnostic.related:
        result["relatedLocations"] = [
            {"id": number, "message": {"text": related.message}, "physicalLocation": location(related.span)}
            for number, related in enumerate(diagnostic.related, start=1)
        ]
    if mended := fixes(diagnostic):
        result["fixes"] = [
            {
                "description": {"text": diagnostic.help or "fix it"},
                "artifactChanges": [
                    {
                        "artifactLocation": artifact(span.file),
                        "replacements": [{"deletedRegion": region(span), "insertedContent": {"text": text}}],
                    }
                    for span, text in mended
                ],
            }
        ]
    return result


def scenario_result(result: ScenarioResult, index: int) -> dict[str, Any]:
    """One failed scenario, at the line that fails."""
    place = {"artifactLocation": artifact(result.path), "region": {"startLine": result.line}}
    return {
        "ruleId": SCENARIO,
        "ruleIndex": index,
        "level": "error",
        "message": {"text": f"{result.name}: {result.message}"},
        "locations": [{"physicalLocation": place}],
    }


def location(span: Span) -> dict[str, Any]:
    """A range of a file."""
    return {"artifactLocation": artifact(span.file), "region": region(span)}


def region(span: Span) -> dict[str, int]:
    """Lines and columns, which SARIF counts in the same way: from 1, in characters, the end exclusive."""
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def artifact(file: str) -> dict[str, str]:
    """A file, relative to the current folder if it lies below it; so services find it in a repository."""
    near = Path(near_path(file))
    uri = near.as_uri() if near.is_absolute() else quote(near.as_posix().encode("utf-8", "surrogateescape"))
    return {"uri": uri}
