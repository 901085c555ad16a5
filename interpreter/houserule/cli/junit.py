"""Writes findings as JUnit XML, which every service that displays test results can read."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from houserule.cli.findings import UNWRITABLE, Findings
from houserule.cli.report import near_path
from houserule.diagnostics import render
from houserule.printable import printable
from houserule.reading import line_of

if TYPE_CHECKING:
    from houserule import Diagnostic, ScenarioResult


def to_junit(findings: Findings) -> str:
    """A test suite for each game or file that was validated and for each file of scenarios that ran.

    A diagnostic is a test case that fails; a tolerated warning is one that passes, with its text as output. A subject
    without diagnostics is a test case that passes. Each scenario is a test case.
    """
    root = Element("testsuites", name="houserule")
    for subject, found in findings.subjects:
        if found or findings.command == "validate":
            add_subject(root, subject, found, findings)
    files: dict[str, list[ScenarioResult]] = {}
    for result in findings.results:
        files.setdefault(near_path(result.path), []).append(result)
    for path, results in files.items():
        add_file(root, path, results)
    indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def add_subject(root: Element, subject: str, found: list[Diagnostic], findings: Findings) -> None:
    """The diagnostics of one game or file."""
    failed = sum(map(findings.fails, found))
    count = max(1, len(found))
    suite = SubElement(root, "testsuite", name=clean(subject), tests=str(count), failures=str(failed), time="0")
    if not found:
        SubElement(suite, "testcase", name=findings.command, classname=clean(subject), time="0")
    for diagnostic in found:
        span, file = diagnostic.span, clean(near_path(diagnostic.span.file))
        case = SubElement(
            suite,
            "testcase",
            name=clean(f"{span.line}:{span.column}: {diagnostic.severity} {diagnostic.code}: {diagnostic.message}"),
            classname=class_name(file),
            file=file,
            line=str(span.line),
            time="0",
        )
        text = clean(render(diagnostic, line_of))
        if findings.fails(diagnostic):
            failure = SubElement(case, "failure", type=diagnostic.code, message=clean(diagnostic.message))
            failure.text = text
        else:
            SubElement(case, "system-out").text = text


def add_file(root: Element, path: str, results: list[ScenarioResult]) -> None:
    """The results of one file of scenarios."""
    suite = SubElement(
        root,
        "testsuite",
        name=clean(path),
        tests=str(len(results)),
        failures=str(sum(not result.passed for result in results)),
        time=f"{sum(result.seconds for result in results):.3f}",
    )
    for result in results:
        case = SubElement(
            suite,
            "testcase",
            name=clean(result.name),
            classname=class_name(clean(path)),
            file=clean(path),
            line=str(result.line),
            time=f"{result.seconds:.3f}",
        )
        if not result.passed:
            failure = SubElement(case, "failure", message=clean(result.message.split("\n")[0]))
            failure.text = clean(result.message)


def class_name(path: str) -> str:
    """A path with dots, as test reports group by it."""
    return path.removesuffix(".yaml").replace("/", ".")


def clean(text: str) -> str:
    """A text without the characters that XML refuses."""
    return UNWRITABLE.sub("\ufffd", printable(text, lines=True))
