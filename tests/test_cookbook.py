"""The steps of docs/cookbook.md, followed on a copy of the game."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "cookbook.md").read_text(encoding="utf-8")

BLOCK = re.compile(
    r"(?:`(?P<file>[\w/.]+\.yaml)`[^`\n]*:\n\n)?```(?P<language>yaml|diff|console)\n(?P<body>.*?)```", re.DOTALL
)
COMMAND = re.compile(r"^\$ (?P<command>.*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)


@dataclass
class Kitchen:
    """A folder with a copy of the games, and the steps that were followed in it."""

    folder: Path

    def follow(self, section: str) -> None:
        for block in BLOCK.finditer(section):
            match block["language"]:
                case "yaml":
                    assert block["file"], f"no file is named before:\n{block['body']}"
                    (self.folder / block["file"]).write_text(block["body"], encoding="utf-8")
                case "diff":
                    self.change(block["body"])
                case "console":
                    for command in COMMAND.finditer(block["body"]):
                        self.run(command["command"], command["output"].strip())

    def change(self, listing: str) -> None:
        """Apply a listing: the lines without + must stand in the file, once and together."""
        heading, *lines = listing.rstrip("\n").split("\n")
        file = self.folder / heading.removeprefix("--- ")
        before = "\n".join(line[1:] for line in lines if line[0] in " -")
        after = "\n".join(line[1:] for line in lines if line[0] in " +")
        text = file.read_text(encoding="utf-8")
        assert text.count(before) == 1, f"{heading}: these lines should stand in it once:\n{before}"
        file.write_text(text.replace(before, after), encoding="utf-8")

    def run(self, command: str, output: str) -> None:
        """Run a command; it succeeds and prints what the book says, unless the book says that something failed."""
        words = command.split()
        if words[0] == "houserule":
            words = [sys.executable, "-m", "houserule", *words[1:]]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "interpreter"), "PYTHONIOENCODING": "utf-8"}
        done = subprocess.run(
            words, cwd=self.folder, env=environment, capture_output=True, encoding="utf-8", check=False
        )
        said = done.stdout + done.stderr
        assert done.returncode == (1 if "failed" in output else 0), f"$ {command}\n{said}"
        assert output in said, f"$ {command}\n{said}"
        if words[3:4] == ["validate"]:
            assert not said, f"$ {command}\n{said}"


@pytest.fixture
def kitchen(tmp_path: Path) -> Kitchen:
    shutil.copytree(ROOT / "games", tmp_path / "games")
    return Kitchen(tmp_path)


def section(title: str) -> str:
    """A section of the cookbook, after what stands before the first one."""
    opening, *sections = TEXT.split("\n## ")
    return opening + "".join(text for text in sections if text.startswith(title))


TITLES = [text.split("\n")[0] for text in TEXT.split("\n## ")[1:]]


@pytest.mark.parametrize("title", TITLES)
def test_a_recipe_works_on_its_own(title: str, kitchen: Kitchen) -> None:
    kitchen.follow(section(title))


def test_all_recipes_work_one_after_the_other(kitchen: Kitchen) -> None:
    kitchen.follow(TEXT)
