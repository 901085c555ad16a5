"""Writes what a command found in rules and scenarios as a report: JSON, SARIF, JUnit XML or annotations."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from houserule.cli.report import as_json, fail, near_path, save, target
from houserule.cli.streams import print_commands
from houserule.diagnostics import render
from houserule.printable import printable
from houserule.reading import line_of

if TYPE_CHECKING:
    from houserule import Diagnostic, ScenarioResult, Span
    from houserule.codes import Code


# --- findings ---------------------------------------------------------------------------------------------------------


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
        return list(dict.fromkeys(diagnostic for _, found in self.subjects for diagnostic in found))

    @property
    def failed(self) -> bool:
        return any(map(self.fails, self.diagnostics)) or not all(result.passed for result in self.results)

    def fails(self, diagnostic: Diagnostic) -> bool:
        """Whether the command fails for a diagnostic: an error, or a warning under `--strict`."""
        return self.is_strict or diagnostic.severity == "error"


def fixes(diagnostic: Diagnostic) -> Sequence[tuple[Span, str]]:
    return [(diagnostic.fix.span, diagnostic.fix.text)] if diagnostic.fix is not None else []


# --- formats ----------------------------------------------------------------------------------------------------------


def write(findings: Findings, format: Format) -> str:
    """The findings as a report in any format but text, which is printed on the way."""

    writers: dict[Format, Callable[[Findings], str]] = {
        Format.json: to_json,
        Format.sarif: to_sarif,
        Format.junit: to_junit,
        Format.github: to_annotations,
    }
    return UNWRITABLE.sub("\ufffd", writers[format](findings))


OUTPUT = "Write the report to this file; needs --format."
Output = Annotated[Path | None, target(OUTPUT, (".json", ".sarif", ".xml", ".txt"), "-o", "--output")]


def print_report(findings: Findings, format: Format, output: Path | None = None) -> None:
    """Print the findings in such a format, or write them to a file; only workflow commands are printed unguarded."""
    text = write(findings, format)
    if output is not None:
        save(output, text)
    elif format is Format.github:
        print_commands(text)
    else:
        sys.stdout.write(text)


def see_output(format: Format, output: Path | None) -> None:
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
    ends = {"line": span.line, "column": span.column, "end_line": span.end_line, "end_column": span.end_column}
    return {"file": near_path(span.file), **ends}


def diagnostic_to_json(diagnostic: Diagnostic) -> dict[str, Any]:
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
        "outdated": result.outdated,
    }


# --- annotations ------------------------------------------------------------------------------------------------------


# A value stands between delimiters, so it must not contain them.
IN_MESSAGES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
IN_PROPERTIES = IN_MESSAGES | str.maketrans({":": "%3A", ",": "%2C"})


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
    listed = ",".join(f"{name}={printable(str(value)).translate(IN_PROPERTIES)}" for name, value in properties.items())
    return f"::{level} {listed}::{printable(message, lines=True).translate(IN_MESSAGES)}"


def notice(message: str) -> str:
    """A workflow command that shows a sentence, of no line of a file."""
    return f"::notice::{printable(message, lines=True).translate(IN_MESSAGES)}\n"


# --- junit ------------------------------------------------------------------------------------------------------------


def to_junit(findings: Findings) -> str:
    """A test suite for each game or file that was validated and for each file of scenarios that ran.

    A diagnostic is a test case that fails; a tolerated warning is one that passes, with its text as output. A subject
    without diagnostics is a test case that passes. Each scenario is a test case.
    """
    root = Element("testsuites", name="houserule")
    for subject, found in findings.subjects:
        if found or findings.command == "validate":
            suite = add_suite(root, subject, max(1, len(found)), sum(map(findings.fails, found)), "0")
            if not found:
                SubElement(suite, "testcase", name=findings.command, classname=clean(subject), time="0")
            for one in found:
                name = f"{one.span.line}:{one.span.column}: {one.severity} {one.code}: {one.message}"
                case = add_case(suite, name, near_path(one.span.file), one.span.line, "0")
                if findings.fails(one):
                    case = SubElement(case, "failure", type=one.code, message=clean(one.message))
                else:
                    case = SubElement(case, "system-out")
                case.text = clean(render(one, line_of))
    files: dict[str, list[ScenarioResult]] = {}
    for result in findings.results:
        files.setdefault(near_path(result.path), []).append(result)
    for path, results in files.items():
        seconds = sum(result.seconds for result in results)
        suite = add_suite(root, path, len(results), counts(results)[1], f"{seconds:.3f}")
        for result in results:
            case = add_case(suite, result.name, path, result.line, f"{result.seconds:.3f}")
            if not result.passed:
                case = SubElement(case, "failure", message=clean(result.message.split("\n")[0]))
                case.text = clean(result.message)
    indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def add_suite(root: Element, name: str, tests: int, failures: int, time: str) -> Element:
    return SubElement(root, "testsuite", name=clean(name), tests=str(tests), failures=str(failures), time=time)


def add_case(suite: Element, name: str, path: str, line: int, time: str) -> Element:
    file = clean(path)
    classname = file.removesuffix(".yaml").replace("/", ".")
    return SubElement(suite, "testcase", name=clean(name), classname=classname, file=file, line=str(line), time=time)


def clean(text: str) -> str:
    return UNWRITABLE.sub("\ufffd", printable(text, lines=True))


# --- sarif ------------------------------------------------------------------------------------------------------------


SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
# The rule of failed scenarios, beside the codes of diagnostics.
SCENARIO = "scenario"


def to_sarif(findings: Findings) -> str:
    """The findings as one run of one tool, with a rule for each code that occurs."""
    from houserule.codes import CODES  # a report in text does not read the pages of all codes

    diagnostics = findings.diagnostics
    failed = [result for result in findings.results if not result.passed]
    codes = sorted({diagnostic.code for diagnostic in diagnostics})
    rules = [rule_of(CODES[code]) for code in codes] + ([scenario_rule()] if failed else [])
    results = [*map(diagnostic_result, diagnostics), *map(scenario_result, failed)]
    index = {made["id"]: number for number, made in enumerate(rules)}
    run = {
        "tool": {"driver": {"name": "Houserule", **version_in_use(), "rules": rules}},
        "invocations": [{"executionSuccessful": True, "exitCode": int(findings.failed)}],
        "columnKind": "unicodeCodePoints",
        "results": [one | {"ruleIndex": index[one["ruleId"]]} for one in results],
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


def rule(id: str, title: str, why: str, severity: str, **help: str) -> dict[str, Any]:
    """A kind of results: its title, why it matters, and help as text, and perhaps as Markdown."""
    return {
        "id": id,
        "shortDescription": {"text": title},
        "fullDescription": {"text": why},
        "help": help,
        "defaultConfiguration": {"level": severity},
    }


def rule_of(row: Code) -> dict[str, Any]:
    """A row of the table of codes, with the broken and the fixed example as help."""
    text, markdown = help_text(row, "{}:\n\n{}", "{}"), help_text(row, "**{}**\n\n```yaml\n{}\n```", "`{}`")
    return rule(row.code, row.title, row.why, row.severity, text=text, markdown=markdown)


def help_text(row: Code, shown: str, command: str) -> str:
    """The help of a row, with a form for an example behind its heading and one for a command."""
    from houserule.codes import examples

    parts = [row.why, *(shown.format(heading, example) for heading, example in examples(row))]
    return "\n\n".join([*parts, command.format(f"houserule explain {row.code}")])


def scenario_rule() -> dict[str, Any]:
    why = "A scenario is an example of the rules. If it fails, the rules or the example are wrong."
    help = f"{why} `houserule test` runs it and shows what was pending."
    return rule(SCENARIO, "A scenario fails", why, "error", text=help)


# --- results ----------------------------------------------------------------------------------------------------------


def result(id: str, level: str, message: str, place: dict[str, Any]) -> dict[str, Any]:
    return {"ruleId": id, "level": level, "message": {"text": message}, "locations": [{"physicalLocation": place}]}


def diagnostic_result(diagnostic: Diagnostic) -> dict[str, Any]:
    message = diagnostic.message + (f"\nhelp: {diagnostic.help}" if diagnostic.help else "")
    found = result(diagnostic.code, diagnostic.severity, message, location(diagnostic.span))
    if diagnostic.related:
        found["relatedLocations"] = [
            {"id": number, "message": {"text": related.message}, "physicalLocation": location(related.span)}
            for number, related in enumerate(diagnostic.related, start=1)
        ]
    if mended := fixes(diagnostic):
        found["fixes"] = [
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
    return found


def scenario_result(failed: ScenarioResult) -> dict[str, Any]:
    place = {"artifactLocation": artifact(failed.path), "region": {"startLine": failed.line}}
    return result(SCENARIO, "error", f"{failed.name}: {failed.message}", place)


def location(span: Span) -> dict[str, Any]:
    return {"artifactLocation": artifact(span.file), "region": region(span)}


def region(span: Span) -> dict[str, int]:
    """Lines and columns, which SARIF counts in the same way: from 1, in characters, the end exclusive."""
    return {"startLine": span.line, "startColumn": span.column, "endLine": span.end_line, "endColumn": span.end_column}


def artifact(file: str) -> dict[str, str]:
    """A file, relative to the current folder if it lies below it; so services find it in a repository."""
    near = Path(near_path(file))
    uri = near.as_uri() if near.is_absolute() else quote(near.as_posix().encode("utf-8", "surrogateescape"))
    return {"uri": uri}
