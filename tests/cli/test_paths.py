"""Every command takes a path in every spelling: where a game is does not depend on how somebody types it."""

from __future__ import annotations

import os
import re
import shlex
import tracemalloc
from pathlib import Path

import pytest

from houserule.cli.application import COMMANDS
from tests.cli.conftest import Houserule
from tests.taking_long import but_later

CALLS = {
    "validate": ["validate", "{}", "--no-cache"],
    "validate --format json": ["validate", "{}", "--format", "json", "--assumed"],
    "validate --format sarif": ["validate", "{}", "--format", "sarif"],
    "validate --fix": ["validate", "{}", "--fix"],
    "format": ["format", "{}", "--check"],
    "test": ["test", "{}", "--format", "json"],
    "check": ["check", "{}", "-n", "1", "--close", "0", "--json"],
    "play": ["play", "{}", "--seats", "random", "--seed", "1", "--save", "{}saved.json"],
    "play on": ["play", "{}kept.json", "--seats", "random"],
    "replay": ["replay", "{}kept.json"],
    "simulate": ["simulate", "{}", "-n", "2", "--json"],
    "simulate --out": ["simulate", "{}", "-n", "2", "--json", "--out", "{}out", "--records", "{}"],
    "compare": ["compare", "{}", "--set", "rounds=1", "-n", "30", "--json"],
    "ladder": ["ladder", "{}", "--bots", "first,random", "-n", "2", "--json"],
    "sweep": ["sweep", "{}", "--set", "rounds=1,2", "-n", "2", "--json"],
    "show": ["show", "{}"],
    "rulebook": ["rulebook", "{}", "-o", "{}rules.md"],
    "rulebook --check": ["rulebook", "{}", "--check", "{}rules_kept.md"],
    "diff": ["diff", "{}", "--with", "{}variants/short.yaml"],
    "diff --prose": ["diff", "{}", "{}", "--prose"],
    "why": ["why", "{}", "options.rounds.default"],
    "icons": ["icons", "--game", "{}"],
    "new game": ["new", "game", "{}another", "--from", "{}"],
    "new scenario": ["new", "scenario", "{}", "second"],
    "new variant": ["new", "variant", "{}", "long"],
    "actions": ["actions", "{}"],
    "print": ["print", "{}", "--format", "svg", "-o", "{}printed"],
}
"""A call of each command that takes a path; `{}` is the folder of the game, as somebody types it."""

WRITING = {"play", "simulate --out", "rulebook", "print", "new game", "new scenario", "new variant"}
"""The calls that write to a new place, which is not reached through a link in the current folder."""

NO_PATHS = {"games", "explain", "docs", "lsp", "engine"}
FETCHES = {"add", "publish", "site"}
"""They have tests of their own, which try their paths."""
SERVES_TOOLS = {"mcp"}
"""It would not end; `tests/engine/test_tools.py` plays a conversation with it."""
SERVES = {"serve"}
"""It would not end; which folders it serves is found by a function of its own."""

SPELLINGS = {
    "from its folder": ("wood/storms", "."),
    "from a folder in it": ("wood/storms/scenarios", ".."),
    "from another folder": ("meadow", "../wood/storms"),
    "from the folder above": ("wood", "./storms"),
    "with a slash at its end": ("wood", "storms/"),
    "with more dots than it needs": ("wood", ".././wood//storms/."),
    "by its whole path": ("meadow", "{whole}"),
    "by a whole path with dots": ("meadow", "{whole}/../storms"),
    "through a link": ("meadow", "link"),
    "beside what a link leads to": ("meadow", "deep/../storms"),
    "from a folder that is a link": ("meadow/link", "."),
}
ALWAYS = ("from its folder", "from another folder", "through a link")
"""The spellings that each command is tried with; the others, which name the folder in other words, take turns."""


def spellings(call: str) -> dict[str, tuple[str, str]]:
    """The spellings that a call is tried with."""
    turn = list(CALLS).index(call)
    others = [name for name in SPELLINGS if name not in ALWAYS]
    tried = (*ALWAYS, others[turn % len(others)], others[(turn + 4) % len(others)])
    return {name: SPELLINGS[name] for name in tried}


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a small game with a variant and a saved match, made once."""
    from typer.testing import CliRunner

    from houserule.cli.application import application

    folder = tmp_path_factory.mktemp("kept") / "storms"
    for call in (
        ["new", "game", str(folder)],
        ["play", str(folder), "--seats", "random", "--seed", "1", "--set", "rounds=1", "--save", f"{folder}/kept.json"],
        ["rulebook", str(folder), "-o", f"{folder}/rules_kept.md"],
    ):
        assert CliRunner().invoke(application, call).exit_code == 0, call
    (folder / "variants").mkdir()
    (folder / "variants" / "short.yaml").write_text(
        "variant: short\nof: storms\ntitle: Short\noptions: {rounds: 1}\n", "utf-8"
    )
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.fixture
def wood(tmp_path: Path, kept: dict[str, bytes]) -> Path:
    """A folder with the game, and another with links to it and to a folder in it."""
    for name, content in kept.items():
        file = tmp_path / "wood" / "storms" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    (tmp_path / "meadow").mkdir()
    (tmp_path / "meadow" / "link").symlink_to(tmp_path / "wood" / "storms")
    (tmp_path / "wood" / "beside").mkdir()
    (tmp_path / "meadow" / "deep").symlink_to(tmp_path / "wood" / "beside")
    return tmp_path


def test_every_command_is_called_or_takes_no_path() -> None:
    assert {call.split()[0] for call in CALLS} | NO_PATHS | SERVES_TOOLS | SERVES | FETCHES | {"explain"} == set(
        COMMANDS
    )


@pytest.mark.parametrize("call", but_later(CALLS, {"ladder", "check", "compare"}))
def test_a_command_takes_a_path_in_every_spelling(
    call: str, wood: Path, houserule: Houserule, monkeypatch: pytest.MonkeyPatch, kept: dict[str, bytes]
) -> None:
    folder = wood / "wood" / "storms"

    def told(where: str, spelling: str) -> tuple[int, str]:
        monkeypatch.chdir(wood / where)
        typed = spelling.format(whole=folder)
        result = houserule(*(one.format(f"{typed}/" if one != "{}" else typed) for one in CALLS[call]))
        for file in sorted(folder.rglob("*"), reverse=True):
            if not any(name.startswith(str(file.relative_to(folder))) for name in kept):
                file.rmdir() if file.is_dir() else file.unlink()
        return result.exit_code, without_paths(result.output)

    expected = told("wood", str(folder))
    assert expected[0] == 0, expected
    for name, (where, spelling) in spellings(call).items():
        if name == "through a link" and call in WRITING:
            code, text = told(where, spelling)
            assert code == 2 and "is a ; name the folder that it leads to" in text, text
            continue
        assert told(where, spelling) == expected, f"{name}: {spelling} in {where}"


def without_paths(text: str) -> str:
    """An output without what depends on the spelling: paths, and how long something took."""
    text = re.sub(r"\([\d.]+ s\)|\"seconds\": [\d.e-]+", "", " ".join(text.split()))
    text = re.sub(r"[\w.-]*/[\w./-]*|\b[\w.-]+\.(yaml|json|md)\b|\b(link|another|printed)\b", "", text)
    return re.sub(r"(?<!\w)\.+(?!\w)", "", text)


def test_a_mistake_is_shown_with_a_path_that_leads_to_it(
    wood: Path, houserule: Houserule, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = wood / "wood" / "storms"
    game = folder / "game.yaml"
    game.write_text(game.read_text("utf-8").replace("shuffle deck", "shuffle dekc"), "utf-8")
    for where, spelling in SPELLINGS.values():
        monkeypatch.chdir(wood / where)
        result = houserule("validate", spelling.format(whole=folder))
        shown = re.search(r"(?m)^(\S+):\d+:\d+: error", result.stderr)
        assert shown and Path(shown[1]).samefile(game), (spelling, result.stderr)
    for command in ("check", "play", "simulate", "test"):
        assert houserule(command, spelling).stderr == result.stderr, command


ENDLESS = {
    "validate": ["validate", "FILE"],
    "format": ["format", "FILE"],
    "test": ["test", "FILE"],
    "check": ["check", "FILE"],
    "play": ["play", "FILE"],
    "play --with": ["play", "./storms", "--with", "FILE"],
    "replay": ["replay", "FILE"],
    "replay a game": ["replay", "storms/kept.json", "FILE"],
    "serve": ["serve", "FILE"],
    "simulate": ["simulate", "FILE"],
    "simulate --with": ["simulate", "./storms", "--with", "FILE"],
    "simulate --out": ["simulate", "./storms", "-n", "1", "--out", "FILE"],
    "compare": ["compare", "FILE"],
    "compare --against": ["compare", "./storms", "--against", "FILE"],
    "ladder": ["ladder", "{}", "--bots", "first,random", "-n", "2", "--json"],
    "sweep": ["sweep", "FILE", "--set", "rounds=1,2"],
    "show": ["show", "FILE"],
    "rulebook": ["rulebook", "FILE"],
    "rulebook --check": ["rulebook", "./storms", "--check", "FILE"],
    "diff": ["diff", "FILE", "--with", "x"],
    "why": ["why", "FILE", "players"],
    "new game": ["new", "game", "other", "--from", "FILE"],
    "new scenario": ["new", "scenario", "FILE", "other"],
    "new variant": ["new", "variant", "FILE", "other"],
    "actions": ["actions", "{}"],
}
"""A call of each command with each file that it reads."""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with a name are POSIX's")
@pytest.mark.parametrize("call", ENDLESS)
def test_what_never_ends_is_not_read(
    call: str, wood: Path, houserule: Houserule, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(wood / "wood")
    os.mkfifo("pipe.md")
    with Path("huge.md").open("wb") as huge:
        huge.truncate(4 * 1024**3)
    tracemalloc.start()
    for file in ("pipe.md", ("huge.md", "/dev/zero")[list(ENDLESS).index(call) % 2]):
        for ending in (".yaml", ".json") if call in ("play --with", "play", "replay") else ("",):
            name = file if not ending else f"named{ending}"
            if ending:
                Path(name).unlink(missing_ok=True)
                Path(name).symlink_to(file)
            result = houserule(*(name if word == "FILE" else word for word in ENDLESS[call]))
            assert result.exit_code in (1, 2), (name, result.output)
            assert len(result.stderr.splitlines()) <= 6, result.stderr
    assert tracemalloc.get_traced_memory()[1] < 100 * 1024**2
    tracemalloc.stop()


def test_a_command_that_is_suggested_can_be_typed_as_it_stands(houserule: Houserule, storms: str) -> None:
    folder = "anna's games"
    Path(storms).rename(folder)
    made = houserule("new", "variant", folder, "calm").stdout + houserule("new", "scenario", folder, "gale").stdout
    suggested = [shlex.split(line)[1:] for line in made.splitlines() if line.startswith("  houserule ")]
    assert [words[0] for words in suggested] == ["validate", "diff", "show", "test"]
    assert [houserule(*words).exit_code for words in suggested] == [0, 0, 0, 0]
    help = houserule("diff", folder).stderr.partition("help: ")[2].strip()
    assert shlex.split(help) == ["houserule", "diff", folder, "--with", "VARIANT"]


def test_a_house_rule_that_is_begun_is_read_whatever_its_folder_is_called(houserule: Houserule, storms: str) -> None:
    folder = "two\nlines"
    Path(storms).rename(folder)
    houserule("new", "variant", folder, "calm")
    assert houserule("diff", folder, "--with", "calm").stderr == ""
