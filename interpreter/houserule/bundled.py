"""What is bundled: the games, the schemas, and the manual by section."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from houserule.reading import own

PACKAGE = Path(__file__).resolve().parent
"""The folder of the package."""


def bundled(name: str) -> Path:
    """The folder `games`, `schema` or `docs`: in an installed package, or at the root of a checkout."""
    installed = PACKAGE / "_data" / name
    return installed if installed.is_dir() else PACKAGE.parents[1] / name


def groups() -> dict[str, list[str]]:
    """The ids of the games by group, sorted. A group is a folder of games; "" has those outside of groups."""
    folder = bundled("games")
    found: dict[str, list[str]] = {"": []}
    for file in sorted((*folder.glob("*/game.yaml"), *folder.glob("*/*/game.yaml"))):
        group = file.parent.parent
        found.setdefault(group.name if group != folder else "", []).append(file.parent.name)
    return found


def bundled_game(name: str) -> Path | None:
    return next((bundled("games") / group / name for group, names in groups().items() if name in names), None)


PAGES = {
    **{name: f"{name}.md" for name in "language cookbook glossary studies bots editors serve table print site engine api".split()},
    **{name: f"reference/{name}.md" for name in "files operations syntax command".split()},
    "messages": "reference/diagnostics.md",
}  # fmt: skip
"""The pages by the names that users type, and their files."""
HEADING = re.compile(r"(#{1,4}) +(.+)")
ROW = re.compile(r"\| (.+) \| (.+) \|")
ANCHOR = re.compile(r"\]\(#([\w-]+)\)")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of a page with everything below it."""

    page: str
    level: int
    title: str
    text: str

    @property
    def anchor(self) -> str:
        return re.sub(r"[^\w\- ]", "", self.title.lower()).replace(" ", "-")

    @property
    def topic(self) -> str:
        """What users type for it: its title in small letters, without number and Markdown."""
        return plain(self.title)


@cache
def sections_of(page: str) -> list[Section]:
    """The sections of a page, the whole page first, each followed by its subsections."""
    lines = own(bundled("docs") / PAGES[page]).splitlines()
    found = list(headings(lines))
    made = []
    for number, (start, level, title) in enumerate(found):
        end = next((begins for begins, other, _ in found[number + 1 :] if other <= level), len(lines))
        made.append(Section(page, level, title, "\n".join(lines[start:end])))
    return made


def headings(lines: list[str]) -> Iterator[tuple[int, int, str]]:
    """The headings of a page: line, level and text; a `#` in code is none."""
    is_code = False
    for number, line in enumerate(lines):
        if line.startswith("```"):
            is_code = not is_code
        elif not is_code and (heading := HEADING.fullmatch(line)):
            yield number, len(heading[1]), heading[2]


def index(sections: list[Section]) -> dict[str, list[Section]]:
    anchors = {section.anchor: section for section in sections}
    found: dict[str, list[Section]] = {}
    for line in sections[-1].text.splitlines():
        row = ROW.fullmatch(line)
        if row is None:
            continue
        told = [anchors[anchor] for anchor in ANCHOR.findall(row[2]) if anchor in anchors]
        for word in re.findall(r"`([^`]+)`", row[1]):
            found.setdefault(plain(word), []).extend(told)
    return found


def plain(text: str) -> str:
    """A topic as users type it: small letters and blanks, without number and Markdown."""
    words = re.sub(r"[`*]", "", text.lower())
    return " ".join(re.sub(r"^[0-9]+\. ", "", words).replace("_", " ").split()) if words.strip() else ""
