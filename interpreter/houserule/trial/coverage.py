"""Reports which rules no scenario ran, as text, JSON or Cobertura XML."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from xml.etree import ElementTree

from houserule import Coverage, Rule

KINDS = {kind: f"{kind}s" for kind in ("step", "effect", "card", "face", "trigger")} | {"branch": "branches"}
"""The kinds that are counted, in the order of the report. Lines are for programs that read XML."""
COBERTURA = "http://cobertura.sourceforge.net/xml/coverage-04.dtd"


@dataclass(frozen=True, slots=True)
class Share:
    """The number of rules of a kind, and of those that ran."""

    ran: int
    of: int

    @property
    def percent(self) -> float:
        return 100.0 * self.ran / self.of if self.of else 100.0

    @property
    def rate(self) -> str:
        return f"{self.ran / self.of:.4f}" if self.of else "1"


def share(rules: Sequence[Rule]) -> Share:
    return Share(sum(rule.ran for rule in rules), len(rules))


def shares(coverage: Coverage) -> dict[str, Share]:
    rules = coverage.rules
    found = {word: share([rule for rule in rules if rule.kind == kind]) for kind, word in KINDS.items()}
    return {word: counted for word, counted in found.items() if counted.of}


def least(coverage: Coverage) -> float:
    """The lowest percentage of all kinds: nothing compensates for an untested trigger."""
    return min((counted.percent for counted in shares(coverage).values()), default=100.0)


def missing(coverage: Coverage) -> list[Rule]:
    """The rules that no scenario ran. Cards are left out, because their effects are listed."""
    return [rule for rule in coverage.rules if not rule.ran and rule.kind in ("step", "effect", "branch")]


def described(rule: Rule) -> str:
    """A rule that did not run, in words."""
    if rule.kind != "branch":
        return f"{rule.kind} {rule.name} never ran" if not rule.name.startswith(rule.kind) else f"{rule.name} never ran"
    if rule.name == "menu":
        return f'"{rule.way}" is never chosen'
    if rule.way in ("true", "false"):
        return f"'{rule.name}' is never {rule.way}"
    if rule.name == "while":
        return f"'while' {'always holds at first' if rule.way == 'left out' else 'never holds at first'}"
    return f"'{rule.name}' never ends {rule.way}"


def to_text(coverage: Coverage) -> str:
    """A line for each kind, then what is missing, each with its place."""
    said = [
        f"{word:<10}{counted.ran:>5} of {counted.of:<5}{int(counted.percent):>4} %"
        for word, counted in shares(coverage).items()
    ]
    missed = missing(coverage)
    if missed:
        said += ["", "no scenario ran:"]
        said += [f"{rule.span}: {described(rule)}" for rule in missed]
    return "\n".join(said)


def to_json(coverage: Coverage) -> str:
    found = {
        "shares": {
            word: {"ran": counted.ran, "of": counted.of, "percent": round(counted.percent, 2)}
            for word, counted in shares(coverage).items()
        },
        "rules": [
            {"kind": rule.kind, "name": rule.name}
            | ({"way": rule.way} if rule.kind == "branch" else {})
            | {"file": rule.span.file, "line": rule.span.line, "column": rule.span.column, "ran": rule.ran}
            for rule in coverage.rules
            if rule.kind in KINDS
        ],
    }
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


# --- Cobertura --------------------------------------------------------------------------------------------------------


def to_cobertura(coverage: Coverage) -> str:
    """The coverage as Cobertura XML: a package for each folder, a class for each file, a method for each effect."""
    rules = sorted(coverage.rules, key=lambda rule: (str(Path(rule.span.file).parent), rule.span))
    lines, branches = of_lines(rules), share([rule for rule in rules if rule.kind == "branch"])
    root = ElementTree.Element(
        "coverage",
        {
            **rates(rules),
            "lines-covered": str(lines.ran),
            "lines-valid": str(lines.of),
            "branches-covered": str(branches.ran),
            "branches-valid": str(branches.of),
            "version": "houserule",
            "timestamp": str(int(time.time() * 1000)),
        },
    )
    ElementTree.SubElement(ElementTree.SubElement(root, "sources"), "source").text = str(Path.cwd())
    packages = ElementTree.SubElement(root, "packages")
    for folder, inside in groupby(rules, lambda rule: str(Path(rule.span.file).parent)):
        of_folder = list(inside)
        package = ElementTree.SubElement(packages, "package", {"name": folder.replace("/", "."), **rates(of_folder)})
        classes = ElementTree.SubElement(package, "classes")
        for file, within in groupby(of_folder, lambda rule: rule.span.file):
            add_class(classes, file, list(within))
    ElementTree.indent(root)
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE coverage SYSTEM "{COBERTURA}">\n'
    return head + ElementTree.tostring(root, encoding="unicode") + "\n"


def add_class(classes: ElementTree.Element, file: str, rules: list[Rule]) -> None:
    made = ElementTree.SubElement(classes, "class", {"name": Path(file).stem, "filename": file, **rates(rules)})
    methods = ElementTree.SubElement(made, "methods")
    for rule in rules:
        if rule.kind == "effect":
            method = {"name": rule.name, "signature": "", **rates([rule])}
            inside = ElementTree.SubElement(ElementTree.SubElement(methods, "method", method), "lines")
            ElementTree.SubElement(inside, "line", number=str(rule.span.line), hits=str(int(rule.ran)))
    listed = ElementTree.SubElement(made, "lines")
    for number, on_line in groupby(rules, lambda rule: rule.span.line):
        add_line(listed, number, list(on_line))


def add_line(listed: ElementTree.Element, number: int, rules: list[Rule]) -> None:
    """One line of a file, with how many ways of its branches were taken."""
    line = ElementTree.SubElement(listed, "line", number=str(number), hits=str(int(any(rule.ran for rule in rules))))
    ways = [rule for rule in rules if rule.kind == "branch"]
    if ways:
        taken = share(ways)
        line.set("branch", "true")
        line.set("condition-coverage", f"{int(taken.percent)}% ({taken.ran}/{taken.of})")
        conditions = ElementTree.SubElement(line, "conditions")
        for position, (_, of_one) in enumerate(groupby(ways, lambda rule: (rule.span, rule.name))):
            coverage = f"{int(share(list(of_one)).percent)}%"
            ElementTree.SubElement(conditions, "condition", number=str(position), type="jump", coverage=coverage)
    else:
        line.set("branch", "false")


def rates(rules: list[Rule]) -> dict[str, str]:
    """How much of a file or folder ran."""
    branches = share([rule for rule in rules if rule.kind == "branch"])
    return {"line-rate": of_lines(rules).rate, "branch-rate": branches.rate, "complexity": "0"}


def of_lines(rules: list[Rule]) -> Share:
    by_line = groupby(rules, lambda rule: (rule.span.file, rule.span.line))
    ran = [any(rule.ran for rule in on_line) for _, on_line in by_line]
    return Share(sum(ran), len(ran))
