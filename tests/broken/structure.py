"""Makes slips in the structure of the files of the bundled games: a seed goes in, keys, lists and lines in wrong places come out.

Lines of prose and comments are left alone, and so is what comes to the same map. `python -m tests.broken.structure --count 300
--seed 1` prints what each broken file is told.
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from houserule.diagnostics import Report
from houserule.source import Mapping, Scalar, Sequence, Yaml, read_file, walk
from tests.broken.slips import GAMES, Slip, copied, print_said, rules_in, wanted

Edit = Callable[[list[str], int], "list[str] | None"]
"""What becomes of the lines of a file by a slip in one of them; None where that line has no place for it."""


def block(lines: list[str], at: int) -> int:
    """The line behind all that is deeper than a line."""
    end = at + 1
    while end < len(lines) and (not lines[end].strip() or indent(lines[end]) > indent(lines[at])):
        end += 1
    return end


def indent(line: str) -> int:
    """How deep a line begins."""
    return len(line) - len(line.lstrip(" "))


def moved(lines: list[str], at: int, end: int, by: int) -> list[str] | None:
    """Some lines so much further to the right."""
    if indent(lines[at]) + by < 0:
        return None
    shifted = [" " * (indent(line) + by) + line.lstrip(" ") if line.strip() else line for line in lines[at:end]]
    return [*lines[:at], *shifted, *lines[end:]]


def changed(pattern: str, new: str) -> Edit:
    """An edit of what fits a pattern first in the line."""

    def edit(lines: list[str], at: int) -> list[str] | None:
        made, count = re.subn(pattern, new, lines[at], count=1)
        return [*lines[:at], made, *lines[at + 1 :]] if count else None

    return edit


KINDS: dict[str, Edit] = {
    "a list for a map": changed(r"\{([^{}]*)\}", r"[\1]"),
    "a map for a list": changed(r"\[([^\[\]]*)\]", r"{\1}"),
    "a key too deep": lambda lines, at: moved(lines, at, at + 1, 2),
    "a key too shallow": lambda lines, at: moved(lines, at, at + 1, -2),
    "a key twice": lambda lines, at: [*lines[: block(lines, at)], *lines[at:]],
    "a block off by a blank": lambda lines, at: moved(lines, at + 1, block(lines, at), 1) if block(lines, at) > at + 1 else None,
    "merged lines": lambda lines, at: [*lines[:at], lines[at] + lines[at + 1].strip(), *lines[at + 2 :]]
    if at + 1 < len(lines) and lines[at + 1].strip()
    else None,
    "a missing dash": changed(r"^( *)- (?=[\[{\w]+[:\]}])", r"\1"),
    "no blank behind a colon": changed(r"(\w): (?=\S)", r"\1:"),
    "a tab": changed(r"^  ", "\t"),
    "a wrong bracket": changed(r"\]", "}"),
    "another wrong bracket": changed(r"\}", "]"),
    "a blank that is none": changed(r"(?<=\w): (?=\S)", ":\u00a0"),
    "a sign of other languages": changed(r" (?:and|or) ", " && "),
    "a file cut off": lambda lines, at: [*lines[:at], lines[at][: indent(lines[at]) + 1]],
}  # fmt: skip


def plain(node: Yaml | None) -> object:
    """What a map holds, without places."""
    match node:
        case Mapping(entries=entries):
            return {key: plain(entry.value) for key, entry in entries.items()}
        case Sequence(items=items):
            return [plain(item) for item in items]
        case Scalar(text=text):
            return text
    return None


def lines_of_keys(node: Yaml | None) -> set[int]:
    """The lines of a file on which keys stand, numbered from 0; those of effects are none of them."""
    return {key.span.line - 1 for key, _ in walk(node) if key is not None} if node is not None else set()


def structural_slips(seed: int, count: int) -> list[Slip]:
    """So many different slips in all bundled games."""
    chance = random.Random(seed)
    files = [
        rules_in(path)
        for path in sorted(path for path in GAMES.rglob("*.yaml") if (path.parent / "game.yaml").exists())
    ]
    trees = {rules.path: read_file(rules.path, rules.path.parent, Report()) for rules in files}
    sound = {path: plain(tree) for path, tree in trees.items()}
    keys = {path: lines_of_keys(tree) for path, tree in trees.items()}
    found: dict[tuple[Path, str], Slip] = {}
    with tempfile.TemporaryDirectory() as folder:
        trial = Path(folder) / "trial.yaml"
        while len(found) < count:
            kind = chance.choice(list(KINDS))
            rules = chance.choices(files, [rules.marks.count("r") + 1 for rules in files])[0]
            lines = rules.text.split("\n")
            at = chance.randrange(len(lines) - 1)
            marks = rules.marks[rules.starts[at] : rules.starts[at] + len(lines[at])]
            is_fit = "r" in marks and " #" not in lines[at]
            is_fit = is_fit and (at in keys[rules.path] or kind == "a missing dash")
            made = KINDS[kind](lines, at) if is_fit else None
            if made is None or made == lines:
                continue
            trial.write_text("\n".join(made), encoding="utf-8")
            report = Report()
            after = plain(read_file(trial, trial.parent, report))
            if report.has_errors or after != sound[rules.path]:
                slip = Slip(rules.path, at + 1, kind, lines[at], (made[at : at + 1] or [""])[0], "\n".join(made))
                found[slip.file, slip.text] = slip
    return list(found.values())


if __name__ == "__main__":
    sys.stderr = sys.stdout
    asked = wanted()
    with tempfile.TemporaryDirectory() as folder:
        print_said(structural_slips(asked.seed, asked.count), copied(Path(folder)), asked.untold)
