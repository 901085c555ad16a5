"""The wheel works from an empty folder, in an environment that has nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent

pytestmark = [pytest.mark.slow, pytest.mark.installed]


TYPED = """
import json, sys
from typer.testing import CliRunner
from houserule.cli.application import application
said = [CliRunner().invoke(application, command.split(), catch_exceptions=False) for command in json.loads(sys.argv[1])]
assert not any(one.exit_code for one in said), [one.output for one in said]
print(json.dumps([one.output for one in said]))
"""
"""Commands that are typed one after another in one process: to start it for each would take most of the time."""


def run(*command: str | Path, folder: Path) -> str:
    """What the command prints; fails with everything it said when it does not succeed."""
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        [str(part) for part in command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    quickly = ("--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", folder)
    run(sys.executable, "-m", "pip", "wheel", *quickly, ROOT, folder=folder)
    (built,) = folder.glob("houserule-*.whl")
    return built


def needed(requirements: Iterable[str]) -> Iterator[metadata.Distribution]:
    """The distributions that these requirements, without extras, come to, with what they need themselves."""
    found: dict[str, metadata.Distribution] = {}
    left = list(requirements)
    while left:
        wanted = Requirement(left.pop())
        if wanted.name not in found and (wanted.marker is None or wanted.marker.evaluate({"extra": ""})):
            found[wanted.name] = metadata.distribution(wanted.name)
            assert not wanted.extras and found[wanted.name].version in wanted.specifier
            left += found[wanted.name].requires or ()
    yield from found.values()


def link_needed(wheel: Path, libraries: Path) -> None:
    """Let an environment have what the wheel says that it needs, and nothing else of what is installed here."""
    with zipfile.ZipFile(wheel) as opened:
        (place,) = (name for name in opened.namelist() if name.endswith(".dist-info/METADATA"))
        requirements = metadata.PathDistribution(zipfile.Path(opened, place.removesuffix("METADATA"))).requires
    assert requirements
    for distribution in needed(requirements):
        for name in {file.parts[0] for file in distribution.files or ()} - {"..", "__pycache__"}:
            (libraries / name).symlink_to(distribution.locate_file(name))


def test_the_wheel_has_every_game_and_schema_and_nothing_of_the_tests(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("games", "schema", "docs/mushrooms", "docs/reference"):
        wanted = {
            f"houserule/_data/{file.relative_to(ROOT).as_posix()}"
            for file in (ROOT / folder).rglob("*")
            if file.suffix in (".yaml", ".json", ".md")
        }
        assert wanted
        assert wanted <= names
    pages = (ROOT / "interpreter" / "houserule" / "serve" / "pages").iterdir()
    assert {f"houserule/serve/pages/{page.name}" for page in pages} <= names
    codes = (ROOT / "interpreter" / "houserule" / "codes").glob("HR*.txt")
    assert {f"houserule/codes/{page.name}" for page in codes} <= names
    assert "houserule/py.typed" in names
    assert {name.split("/")[0].split("-")[0] for name in names} == {"houserule"}


def test_an_installed_copy_works_from_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    environment, folder = tmp_path / "environment", tmp_path / "empty"
    folder.mkdir()
    venv.create(environment, with_pip=False, symlinks=True)
    binaries = environment / ("Scripts" if os.name == "nt" else "bin")
    pip = (sys.executable, "-m", "pip", "--python", environment)
    run(*pip, "install", "--quiet", "--no-deps", "--no-compile", wheel, folder=folder)
    scheme = {"base": str(environment), "platbase": str(environment)}
    link_needed(wheel, Path(sysconfig.get_path("purelib", "venv", scheme)))
    houserule = binaries / "houserule"
    games = [line.split()[0] for line in run(houserule, "games", folder=folder).splitlines()]
    files = (*sorted((ROOT / "games").glob("*/game.yaml")), *sorted((ROOT / "games").glob("*/*/game.yaml")))
    assert games == [path.parent.name for path in files]
    assert not list(folder.iterdir())
    commands = {
        "validate ali_baba": "",
        f"simulate {games[0]} -n 10": "wins",
        "play ali_baba --seats random --seed 7": "wins",
        "docs triggers": "A trigger runs whenever",
        "docs studies": "interval",
        "docs bots": "mcts",
        "new scenario aladdin mine_alone": "Made mine_alone.yaml",
        "test mine_alone.yaml": "passed",
        "new game mine --from ali_baba": "mine",
        "validate ./mine": "",
        "new game first_try": "first_try",
        "test ./first_try": "passed",
    }
    told = json.loads(run(binaries / "python", "-c", TYPED, json.dumps(list(commands)), folder=folder))
    for (command, wanted), said in zip(commands.items(), told, strict=True):
        assert wanted in said if wanted else said == "", command
    assert sorted(path.name for path in folder.iterdir()) == ["first_try", "mine", "mine_alone.yaml"]
    assert "$schema=https://" in (folder / "first_try" / "game.yaml").read_text(encoding="utf-8")
