"""Icons by name: the list of all names, and the drawings that travel with a game in its `icons.json`.

The drawings come from the npm package named below. A game carries only those that its layouts name; `houserule icons`
writes them. What a file says of itself is not believed: a drawing is the data of one path, and nothing else.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import tarfile
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from houserule.bundled import bundled_game, groups
from houserule.reading import files_below, is_inside, own, read

LIBRARY = "game-icons"
PACKAGE = "@iconify-json/game-icons"
VERSION = "1.2.4"
DIGEST = "f5758efb34d91c4f50b941f355f16ee73938625e5996fabc25171288404460a4"
"""The SHA-256 of the package as npm packs it."""
MEMBER = "package/icons.json"
FILE = "icons.json"
LICENSE_FILE = "icons.LICENSE.txt"
"""The drawings of a game, in its folder, and whom to thank for them."""
SIZE = 512
"""The width and height of a drawing."""
CREDIT = "Icons by Lorc, Delapouite and contributors, game-icons.net, CC BY 3.0"
"""The attribution that the licence of the icons asks for."""
LICENSE = "https://creativecommons.org/licenses/by/3.0/"
CHANGES = "The icons in icons.json are shown in other colours and sizes; nothing else was changed."
MOST_PIPS = 9
SIGNS = (*(f"pips/{number}" for number in range(MOST_PIPS + 1)), *(f"suit/{name}" for name in ("club", "diamond", "heart", "spade")))  # fmt: skip
"""Signs that every table can draw without a file."""
MOST_DRAWINGS = 300
LONGEST_DRAWING = 24_000
MOST_DRAWN = 250_000
"""The most characters of all drawings of a game: pages load them at once."""
DRAWING = re.compile(r"[Mm][0-9.][0-9 .,MmLlHhVvCcSsQqTtAaZz-]*")
"""The data of a path: letters of commands, and numbers."""
NAMED = re.compile(rf"\b{LIBRARY}/([a-z0-9-]+)")
"""Where a text of rules names an icon."""


class WrongPackage(ValueError):
    """A file is not the package of icons."""


@lru_cache(1)
def names() -> tuple[str, ...]:
    """The names of all icons of the library, sorted."""
    return tuple(own(Path(__file__).with_suffix(".txt")).split())


@lru_cache(1)
def known() -> frozenset[str]:
    """All that a layout can name: `game-icons/…`, `pips/…` and `suit/…`."""
    return frozenset((*(f"{LIBRARY}/{name}" for name in names()), *SIGNS))


def matching(words: Iterable[str]) -> list[str]:
    """The names with all of these words in them; those in which they are whole words come first."""
    wanted = [word.lower() for word in words]
    found = [name for name in names() if all(word in name for word in wanted)]
    return sorted(found, key=lambda name: (not set(wanted) <= set(name.split("-")), name))


def drawings(folder: Path) -> dict[str, str]:
    """The drawings of a game's icons by name: those in its folder, else those of the bundled games that its files name."""
    if (folder / FILE).exists():
        return drawn_in(folder)
    rules = (file for file in files_below(folder, "**/*.yaml", folder) if is_inside(file, folder))
    named = named_in(text for file in rules if (text := text_of(file)))
    return {name: travelling()[name] for name in named if name in travelling()} if named else {}


def text_of(file: Path) -> str:
    try:
        return read(file, "rules").decode("utf-8", "replace")
    except OSError:
        return ""


@lru_cache(1)
def travelling() -> dict[str, str]:
    """The drawings of all bundled games."""
    folders = (game for names in groups().values() for name in names if (game := bundled_game(name)) is not None)
    return {name: drawing for folder in folders for name, drawing in drawn_in(folder).items()}


def drawn_in(folder: Path) -> dict[str, str]:
    """The drawings in a game's folder by name: the data of a path each. What is no drawing is left out."""
    try:
        said: Any = json.loads(read(folder / FILE, "icons"))
    except (OSError, ValueError, RecursionError):
        return {}
    listed = said.get("icons") if isinstance(said, dict) else None
    return valid(listed) if isinstance(listed, dict) else {}


def valid(listed: Mapping[Any, Any]) -> dict[str, str]:
    """The drawings among what a file lists, as many as a page may load."""
    found: dict[str, str] = {}
    left = MOST_DRAWN
    every = known()
    for name, drawing in listed.items():
        if not isinstance(drawing, str) or len(drawing) > min(LONGEST_DRAWING, left) or len(found) == MOST_DRAWINGS:
            continue
        if f"{LIBRARY}/{name}" in every and DRAWING.fullmatch(drawing):
            found[name] = drawing
            left -= len(drawing)
    return found


def library(package: Path) -> dict[str, str]:
    """The drawings of the whole library, from the package as npm packs it. Raises OSError, WrongPackage."""
    content = read(package, "library")
    if hashlib.sha256(content).hexdigest() != DIGEST:
        raise WrongPackage(f"it is not {PACKAGE} {VERSION} as npm packs it")
    with tarfile.open(fileobj=io.BytesIO(content)) as packed:
        member = packed.extractfile(MEMBER)
        assert member is not None  # the digest says so
        said = json.load(member)
    found = {}
    for name, one in said["icons"].items():
        drawing = re.search(r' d="([^"]*)"', one["body"])
        if drawing is not None and DRAWING.fullmatch(drawing[1]):
            found[name] = drawing[1]
    return found


def named_in(texts: Iterable[str]) -> list[str]:
    """The icons that texts of rules name, sorted."""
    return sorted({name for text in texts for name in NAMED.findall(text)})


def written(found: Mapping[str, str]) -> str:
    """The file of a game's drawings, with its attribution."""
    said = {"credit": CREDIT, "license": LICENSE, "changes": CHANGES, "icons": dict(found)}
    return json.dumps(said, indent=1) + "\n"
