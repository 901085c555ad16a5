"""Makes slips of the keyboard in the files of the bundled games: a seed goes in, single-character edits come out.

A slip *breaks* a file if it destroys a word or a sign that the rules need. Whether it does is told from the words of the
files alone, before any checker has seen it:

- a word that stands elsewhere in the rules too, or belongs to the language, becomes one that stands nowhere;
- a number gets letters;
- a bracket comes or goes, so that brackets do not pair any more;
- a colon, a comma, a range or a sign of assignment or comparison goes, or becomes a sign that there is not.

Edits in prose and comments, in blanks, from one number to another, from one word or sign to another that there is, and
in names that nothing else mentions make another game or none, and are left out.

`python -m tests.broken.slips --count 300 --seed 1` prints what each broken file is told.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import houserule
from houserule.diagnostics import Diagnostic, Report
from houserule.language.words import NEVER_BOUND, RESERVED
from houserule.operations import FUNCTIONS, VERBS
from houserule.source import Mapping, Scalar, Sequence, Yaml, read_file
from tests.declared import declared_keys

GAMES = Path(__file__).parents[2] / "games"
TOKEN = re.compile(r"[A-Za-z_]\w*|\d\w*|[-+*/%<>=!.&|?^~@$\\]+|[^\s\w]")
SIGNS = {"+", "-", "*", "//", "%", "<", "<=", ">", ">=", "==", "!=", "=", "+=", "-=", "*=", "//=", "%=", ".", ".."}
BRACKETS = "()[]{}"
NEEDED = {":", ",", "..", "=", "==", "!=", "<=", ">=", "+=", "-=", "*=", "//="}
PROSE = {
    "title",
    "text",
    "grammar",
    "reveals",
    "source",
    "sources",
    "assumed",
    "translations",
    "include",
    "game",
    "doc",
    "at",
}
LABELS = {"pieces", "steps", "scoring", "triggers", "flow", "members", "enums"}
"""Maps whose keys may be new names: an entry that is called otherwise may be another entry."""
STRING = re.compile(r'"[^"\n]*"')
TYPED = "abcdefghijklmnopqrstuvwxyz_0123456789.,:;=+-*()[]{}<>'\"#"


@dataclass(frozen=True)
class Slip:
    """A single-character edit: in which file, where, and the whole text that is left."""

    file: Path
    line: int
    kind: str
    before: str
    after: str
    text: str

    def __str__(self) -> str:
        return (
            f"{self.file.relative_to(GAMES)}:{self.line} {self.kind}: {self.before.strip()!r} -> {self.after.strip()!r}"
        )


# --- what of a file is rules --------------------------------------------------------------------------------------------


class Rules:
    """A file with what of it is rules: a sign for each character, `r` for rules, `l` for labels, blank for the rest."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        self.starts = [0, *(m.end() for m in re.finditer("\n", self.text))]
        marks = [" "] * len(self.text)
        root = read_file(path, path.parent, Report())
        assert root is not None, path
        self.mark(root, marks, "", in_prose=False)
        for number in range(len(self.text)):
            # Signs between the words of YAML belong to the rules where no prose or comment stands.
            if marks[number] == " " and self.text[number] in "{}[]:,-" and not self.is_aside(number, marks):
                marks[number] = "r"
        self.marks = "".join(" " if m == "p" else m for m in marks)

    def mark(self, node: Yaml, marks: list[str], under: str, *, in_prose: bool) -> None:
        match node:
            case Mapping(entries=entries):
                for key, entry in entries.items():
                    is_prose = in_prose or key in PROSE
                    self.put(entry.key, marks, "p" if is_prose else "l" if under in LABELS else "r")
                    self.mark(entry.value, marks, key, in_prose=is_prose)
            case Sequence(items=items):
                for item in items:
                    self.mark(item, marks, under, in_prose=in_prose or under in LABELS)
            case Scalar():
                self.put(node, marks, "p" if in_prose else "r")

    def put(self, scalar: Scalar, marks: list[str], sign: str) -> None:
        """Mark the characters of a scalar; sentences and comments in effects are prose."""
        lines = scalar.text.split("\n")
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            place = scalar.fragment.span(number, 1, number, len(line) + 1)
            start = self.starts[place.line - 1] + place.column - 1
            end = self.starts[place.end_line - 1] + place.end_column - 1
            raw = self.text[start:end]
            aside = [m.span() for m in STRING.finditer(raw)] if scalar.style in ("literal", "plain") else []
            if scalar.style == "literal" and (
                comment := re.search(r"(?:^|\s)#", STRING.sub(lambda m: "x" * len(m[0]), raw))
            ):
                aside.append((comment.start(), len(raw)))
            marks[start:end] = sign * (end - start)
            for first, last in aside:
                marks[start + first : start + last] = "p" * (last - first)

    def is_aside(self, index: int, marks: list[str]) -> bool:
        """Whether a sign of YAML stands in a comment, beside prose or in a block of prose."""
        line_start = self.text.rfind("\n", 0, index) + 1
        line_end = self.text.find("\n", index)
        if any(self.text[i] == "#" and marks[i] == " " for i in range(line_start, index)):
            return True
        around = marks[line_start : line_end if line_end >= 0 else None]
        return "p" in around or not any(m in "rl" for m in around)

    def words(self) -> Iterator[str]:
        """The words of the rules."""
        for found in re.finditer(r"[A-Za-z_]\w*", self.text):
            if self.marks[found.start()] in "rl":
                yield found[0]

    def tokens(self, text: str, marks: str) -> list[str]:
        """The words and signs of the rules in a piece of text."""
        return TOKEN.findall(
            "".join(
                c if m == "r" or c.isspace() else "\u2022" if m == "l" else " "
                for c, m in zip(text, marks, strict=True)
            )
        )


# --- which slips break something ----------------------------------------------------------------------------------------


@cache
def rules_in(path: Path) -> Rules:
    return Rules(path)


class Slips:
    """Slips in the files of one game."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files = [rules_in(path) for path in sorted(folder.glob("*.yaml"))]
        self.counts = Counter(word for rules in self.files for word in rules.words())
        self.language = {
            *RESERVED,
            *NEVER_BOUND,
            *FUNCTIONS,
            *VERBS,
            *(key.name for _, key in declared_keys("game")),
            "int",
            "bool",
            "all",
            "owner",
            "top",
            "bottom",
        }

    def any(self, random: random.Random) -> Slip | None:
        """Some edit of one character; None where it breaks nothing, or nobody can tell."""
        rules = random.choices(self.files, [rules.marks.count("r") + 1 for rules in self.files])[0]
        places = [i for i, mark in enumerate(rules.marks) if mark == "r"]
        if not places:  # a file of prose alone
            return None
        at = random.choice(places)
        kind = random.choice(["delete", "insert", "replace", "swap"])
        sign = random.choice(TYPED)
        old = rules.text
        match kind:
            case "delete":
                end, new = at + 1, ""
            case "insert":
                end, new = at, sign
            case "replace":
                end, new = at + 1, sign
            case _:
                end, new = at + 2, old[at : at + 2][::-1]
        if "\n" in old[at:end] or old[at:end] == new or not set(rules.marks[at:end]) <= {"r"}:
            return None
        start = old.rfind("\n", 0, at) + 1
        stop = old.find("\n", at)
        stop = stop if stop >= 0 else len(old)
        before, after = old[start:stop], old[start:at] + new + old[end:stop]
        marks = rules.marks[start:at] + "r" * len(new) + rules.marks[end:stop]
        if not self.breaks(rules.tokens(before, rules.marks[start:stop]), rules.tokens(after, marks)):
            return None
        line = old.count("\n", 0, at) + 1
        return Slip(rules.path, line, kind, before, after, old[:at] + new + old[end:])

    def breaks(self, before: list[str], after: list[str]) -> bool:
        """Whether a line lost a word or sign that it needs; both are its words and signs, without prose and labels."""
        while before and after and before[0] == after[0]:
            before, after = before[1:], after[1:]
        while before and after and before[-1] == after[-1]:
            before, after = before[:-1], after[:-1]
        lost, got = Counter(before), Counter(after)
        if any(lost[b] != got[b] for b in BRACKETS):
            return True
        if any(re.fullmatch(r"\d+[A-Za-z_]\w*", word) for word in after):
            return True
        needed = [w for w in before if w in self.language or self.counts[w] > 1]
        strange = [w for w in after if w.isidentifier() and w not in self.language and not self.counts[w]]
        if needed and strange:
            return True
        if any(
            sign in NEEDED and not got[sign] and (not after or not set(after) <= SIGNS | {":", ","}) for sign in before
        ):
            return not any(word in "'\"#" for word in after)
        return bool(before) and any(
            not w.isidentifier()
            and not w[0].isdigit()
            and w not in SIGNS
            and w not in {*BRACKETS, ":", ",", ";", "#", '"', "'", "\u2022"}
            for w in after
        )


@cache
def all_games() -> list[Slips]:
    return [Slips(path.parent) for path in sorted(GAMES.rglob("game.yaml"))]


def slips(seed: int, count: int) -> list[Slip]:
    """So many different slips that break something, in all bundled games."""
    chance = random.Random(seed)
    games = all_games()
    found: dict[tuple[Path, str], Slip] = {}
    while len(found) < count:
        slip = chance.choice(games).any(chance)
        if slip is not None:
            found[slip.file, slip.text] = slip
    return list(found.values())


# --- what is said about them --------------------------------------------------------------------------------------------


def said_about(slip: Slip, copy: Path) -> list[Diagnostic]:
    """What is said about a game with a slip in it; `copy` is a folder with copies of all games."""
    path = copy / slip.file.relative_to(GAMES)
    sound = path.read_bytes()
    path.write_text(slip.text, encoding="utf-8")
    try:
        return houserule.validate(path.parent)
    finally:
        path.write_bytes(sound)


def is_told(slip: Slip, found: list[Diagnostic]) -> bool:
    """Whether something is said of the line itself, or of the one that follows from it.

    That is the next line, or one whose message has the word that is now missing, or the one that took its place.
    """
    words = set(re.findall(r"\w+", slip.before)) ^ set(re.findall(r"\w+", slip.after))
    for diagnostic in found:
        for span in (diagnostic.span, *(related.span for related in diagnostic.related)):
            if Path(span.file).name == slip.file.name and slip.line <= span.line <= slip.line + 1:
                return True
        if words & set(re.findall(r"\w+", f"{diagnostic.message} {diagnostic.help}")):
            return True
    return False


def copied(folder: Path) -> Path:
    """A copy of the games to make slips in."""
    shutil.copytree(GAMES, folder / "games", ignore=shutil.ignore_patterns("scenarios", "variants"))
    return folder / "games"


def wanted() -> argparse.Namespace:
    """What is asked for on the command line: how many slips, of which seed, and whether only those that are not told."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--untold", action="store_true", help="only those of which nothing is said")
    return parser.parse_args()


def print_said(made: list[Slip], games: Path, untold: bool) -> None:
    """Print what is said about slips; `games` is a copy of all games."""
    from houserule.cli.report import complain

    told = 0
    messages: list[int] = []
    for number, slip in enumerate(made, 1):
        found = said_about(slip, games)
        is_good = is_told(slip, found)
        told += is_good
        messages.append(len(found))
        if untold and is_good:
            continue
        print(f"\n=== {number} {'' if is_good else 'UNTOLD '}{slip}", flush=True)
        path = games / slip.file.relative_to(GAMES)
        sound = path.read_bytes()
        path.write_text(slip.text, encoding="utf-8")
        complain(found)
        path.write_bytes(sound)
    worst = sorted(messages)[-max(1, len(made) // 10) :]
    print(f"\n{told} of {len(made)} slips are told at their line or at the one that follows from it")
    print(
        f"{messages.count(0)} are told nowhere; the worst tenth has {statistics.median(worst):g} messages at the median"
    )


def main() -> None:
    """Print what is said about slips."""
    sys.stderr = sys.stdout
    asked = wanted()
    with tempfile.TemporaryDirectory() as folder:
        print_said(slips(asked.seed, asked.count), copied(Path(folder)), asked.untold)


if __name__ == "__main__":
    main()
