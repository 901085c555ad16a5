"""The steps of docs/cookbook.md, followed on a copy of the game."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from houserule.cli.application import application

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "cookbook.md").read_text(encoding="utf-8")

BLOCK = re.compile(
    r"(?:`(?P<file>[\w/.]+\.yaml)`[^`\n]*:\n\n)?```(?P<language>yaml|diff|console)\n(?P<body>.*?)```", re.DOTALL
)
COMMAND = re.compile(r"^\$ (?P<command>.*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)


@dataclass
class Kitchen:
    """A folder, and the steps that were followed in it."""

    folder: Path
    rules_only: frozenset[str] = frozenset()  # the copies of which only the rules are validated

    def follow(self, section: str) -> None:
        """Follow all steps, and type each command where it stands."""
        for command, output in self.changes(section):
            self.type(command, output)

    def changes(self, section: str) -> Iterator[tuple[str, str]]:
        """Write files, change them and run what is not ours; gives each command of ours with its output."""
        for block in BLOCK.finditer(section):
            match block["language"]:
                case "yaml":
                    assert block["file"], f"no file is named before:\n{block['body']}"
                    (self.folder / block["file"]).write_text(block["body"], encoding="utf-8")
                case "diff":
                    self.change(block["body"])
                case "console":
                    for command in COMMAND.finditer(block["body"]):
                        if command["command"].startswith("houserule new game "):
                            self.type(command["command"], "")
                        elif command["command"].startswith("houserule "):
                            yield command["command"], command["output"].strip()
                        else:
                            subprocess.run(command["command"].split(), cwd=self.folder, check=True)

    def change(self, listing: str) -> None:
        """Apply a listing: the lines without + must stand in the file, once and together."""
        heading, *lines = listing.rstrip("\n").split("\n")
        file = self.folder / heading.removeprefix("--- ")
        before = "\n".join(line[1:] for line in lines if line[0] in " -")
        after = "\n".join(line[1:] for line in lines if line[0] in " +")
        text = file.read_text(encoding="utf-8")
        assert text.count(before) == 1, f"{heading}: these lines should stand in it once:\n{before}"
        file.write_text(text.replace(before, after), encoding="utf-8")

    def type(self, command: str, output: str) -> None:
        """Type a command; it succeeds and prints what the book says, unless the book says that something failed."""
        words = command.split()[1:]
        if words[0] == "validate" and words[1] in self.rules_only:
            words.append("--rules-only")
        done = CliRunner().invoke(application, words, prog_name="houserule", catch_exceptions=False)
        assert done.exit_code == (1 if "failed" in output else 0), f"$ {command}\n{done.output}"
        assert output in done.output, f"$ {command}\n{done.output}"
        if words[0] == "validate":
            assert not done.output, f"$ {command}\n{done.output}"


@pytest.fixture
def kitchen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kitchen:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return Kitchen(tmp_path)


OPENING, *SECTIONS = TEXT.split("\n## ")


def test_the_opening_works(kitchen: Kitchen) -> None:
    kitchen.rules_only = frozenset(["mine/aladdin"])  # it is a copy; the game itself is validated with the bundled ones
    kitchen.follow(OPENING)


def copies(least: int = 1) -> list[str]:
    """The copies that at least so many recipes change."""
    cooked = Counter(
        game for section in SECTIONS for game in set(re.findall(r"\$ houserule validate (mine/\w+)", section))
    )
    return [game for game, sections in cooked.items() if sections >= least]


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.long)], ids=["rules", "whole"])
@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.split("\n")[0])
def test_a_recipe_works_on_its_own(section: str, whole: bool, kitchen: Kitchen) -> None:
    if re.search(r"\bmine/aladdin\b", section):
        assert list(kitchen.changes(OPENING)), "it checks what it has made"
    else:
        (kitchen.folder / "mine").mkdir()
    # The house rules and scenarios of copies take long to validate; those of a game that several recipes change are
    # validated when all of them have changed it.
    kitchen.rules_only = frozenset(copies(2 if whole else 1))
    kitchen.follow(section)


@pytest.mark.long
def test_recipes_for_one_game_go_together(kitchen: Kitchen) -> None:
    """Scenarios hold after the recipes before them, and with everything changed all rules are sound."""
    games = copies(2)
    assert games
    for command, output in kitchen.changes(TEXT):
        if command.startswith("houserule test ") and any(f" {game}/" in command for game in games):
            kitchen.type(command, output)
    for game in games:
        kitchen.type(f"houserule validate {game}", "")
