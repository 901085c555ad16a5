"""The wheel works from an empty folder, in an environment that has nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.slow


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
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT, folder=folder)
    (built,) = folder.glob("houserule-*.whl")
    return built


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
    assert "houserule/py.typed" in names
    assert {name.split("/")[0].split("-")[0] for name in names} == {"houserule"}


def test_an_installed_copy_works_from_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    environment, folder = tmp_path / "environment", tmp_path / "empty"
    folder.mkdir()
    venv.create(environment, with_pip=False, symlinks=True)
    binaries = environment / ("Scripts" if os.name == "nt" else "bin")
    pip = (sys.executable, "-m", "pip", "--python", environment)
    run(*pip, "install", "--quiet", "--no-compile", wheel, folder=folder)
    houserule = binaries / "houserule"
    games = [line.split()[0] for line in run(houserule, "games", folder=folder).splitlines()]
    files = (*sorted((ROOT / "games").glob("*/game.yaml")), *sorted((ROOT / "games").glob("*/*/game.yaml")))
    assert games == [path.parent.name for path in files]
    small = "ali_baba"
    assert run(houserule, "validate", small, folder=folder) == ""
    assert "wins" in run(houserule, "simulate", games[0], "-n", "10", folder=folder)
    assert run(houserule, "play", small, "--seats", "random", "--seed", "7", folder=folder)
    assert not list(folder.iterdir())
    assert "A trigger runs whenever" in run(houserule, "docs", "triggers", folder=folder)
    run(houserule, "new", "game", "mine", "--from", small, folder=folder)
    assert run(houserule, "validate", "./mine", folder=folder) == ""
    run(houserule, "new", "game", "first_try", folder=folder)
    assert "$schema=https://" in (folder / "first_try" / "game.yaml").read_text(encoding="utf-8")
    assert "passed" in run(houserule, "test", "./first_try", folder=folder)
