"""Nothing in the current folder is obeyed: no module that lies there is imported, and no settings of a library are read."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.modules import ROOT

pytestmark = pytest.mark.installed
HOUSERULE = Path(sys.executable).with_name("houserule")
TOUCHED = "touched"
SETTINGS = {
    "matplotlibrc": "text.usetex: True\ntext.latex.preamble: \\immediate\\write18{touch TOUCHED}\nfont.size: 40\n"
    "backend: module://evil\naxes.grid: False\nlines.linewidth: 30\n",
    "dask.yaml": "distributed: {worker: {preload: [evil]}, scheduler: {preload: [evil]}}\n",
    ".dask/config.yaml": "distributed: {worker: {preload: [evil]}, scheduler: {preload: [evil]}}\n",
    ".config/dask/dask.yaml": "distributed: {worker: {preload: [evil]}, scheduler: {preload: [evil]}}\n",
    ".env": "PYTHONSTARTUP=evil.py\nUVICORN_APP=evil:app\n",
    "fonts.conf": "<fontconfig><dir>.</dir></fontconfig>\n",
    "pyvenv.cfg": "home = .\n",
    "pytest.ini": "[pytest]\naddopts = -p evil\n",
    "wasmtime.toml": "[cache]\nenabled = true\ndirectory = '.'\n",
    "pip.conf": "[global]\nindex-url = http://127.0.0.1:1/\n",
    "setup.cfg": "[options]\n",
    "alembic.ini": "[alembic]\n",
    "pg_service.conf": "[houserule]\n",
}


def taken_by_python() -> set[str]:
    """The modules that `python -m` has imported before it comes to ours; no program can keep those safe."""
    seen = "import runpy, sys; print(*{name.partition('.')[0] for name in sys.modules})"
    return set(subprocess.run([sys.executable, "-c", seen], capture_output=True, text=True, check=True).stdout.split())


@pytest.fixture(scope="module")
def storms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of one's own in a folder where nothing else is."""
    folder = tmp_path_factory.mktemp("clean")
    subprocess.run([HOUSERULE, "new", "game", "storms"], cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def traps(tmp_path_factory: pytest.TempPathFactory, storms: Path) -> Path:
    """The same with a module of every name that Python or a library has, and settings for every library."""
    folder = tmp_path_factory.mktemp("hostile")
    shutil.copytree(storms / "storms", folder / "storms")
    libraries = {name for name in importlib.metadata.packages_distributions() if name.isidentifier()}
    for name in (set(sys.stdlib_module_names) | libraries | {"evil"}) - taken_by_python() - {"houserule"}:
        (folder / f"{name}.py").write_text(
            f"open({str(folder / TOUCHED)!r}, 'a').write({name!r} + chr(10))\nraise SystemExit('{name} was imported')\n"
        )
    for name, text in SETTINGS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def hostile(traps: Path) -> Path:
    """That folder, in which nothing has been obeyed yet."""
    (traps / TOUCHED).unlink(missing_ok=True)
    return traps


def called(folder: Path, *words: str | Path, **more: str) -> subprocess.CompletedProcess[bytes]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "HOUSERULE"))}
    return subprocess.run(
        [str(word) for word in words], cwd=folder, env=kept | more, capture_output=True, check=False, stdin=subprocess.DEVNULL
    )  # fmt: skip


def seen(folder: Path) -> str:
    file = folder / TOUCHED
    return file.read_text() if file.exists() else ""


STUDY = ["simulate", "storms", "-n", "60", "--seed", "1"]
CALLS = {
    "validate": ["validate", "storms", "--no-cache"],
    "a study of two threads": [*STUDY, "--workers", "2", "--engine", "native", "--out", "out"],
    "a cluster that is not there": [*STUDY, "--cluster", "tcp://127.0.0.1:1"],
    "a language server": ["lsp"],
    "a server": ["serve", "storms", "--port", "0", "--database", "nowhere:///"],
}
IN_MODULE, BY_NAME = [sys.executable, "-m", "houserule"], [HOUSERULE]
"""Two ways to call: with the current folder where Python looks for modules, until it is taken away, and without."""
WAYS = [(IN_MODULE, call) for call in CALLS] + [(BY_NAME, "validate")]


@pytest.mark.parametrize(
    ("way", "call"),
    [pytest.param(*one, marks=pytest.mark.cluster) if "cluster" in one[1] else one for one in WAYS],
    ids=lambda one: one if isinstance(one, str) else "python -m" if len(one) > 1 else "houserule",
)
def test_no_module_of_the_current_folder_is_imported(call: str, way: list[str | Path], hostile: Path) -> None:
    done = called(hostile, *way, *CALLS[call], MPLCONFIGDIR=str(hostile / "kept"))
    assert seen(hostile) == ""
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    assert done.returncode == (2 if call in ("a cluster that is not there", "a server") else 0), done.stderr.decode()


def test_a_report_of_two_processes_is_drawn_as_without_any_modules_and_settings(storms: Path, hostile: Path) -> None:
    words = [*STUDY, "--workers", "2", "--engine", "python", "--report", "report.html"]
    for folder, way in ((storms, BY_NAME), (hostile, IN_MODULE)):
        done = called(folder, *way, *words)
        assert (done.returncode, b"Traceback" in done.stderr) == (0, False), done.stderr.decode()
    assert (storms / "report.html").read_bytes() == (hostile / "report.html").read_bytes()
    assert seen(hostile) == ""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with a name are POSIX's")
def test_settings_that_never_end_are_not_waited_for(storms: Path, tmp_path: Path) -> None:
    shutil.copytree(storms / "storms", tmp_path / "storms")
    os.mkfifo(tmp_path / "matplotlibrc")
    assert called(tmp_path, HOUSERULE, *STUDY, "--report", "report.html").returncode == 0


def test_what_a_user_has_set_is_left_alone(storms: Path, tmp_path: Path) -> None:
    code = (
        "import matplotlib, houserule\n"
        "matplotlib.rcParams['font.size'] = 33\n"
        f"study = houserule.simulate({str(storms / 'storms')!r}, 20)\n"
        f"houserule.report(study, {str(tmp_path / 'report.html')!r})\n"
        "assert matplotlib.rcParams['font.size'] == 33\n"
    )
    done = called(tmp_path, sys.executable, "-c", code, PYTHONPATH=str(ROOT / "interpreter"))
    assert done.returncode == 0, done.stderr.decode()
    assert "font-size: 33px" not in (tmp_path / "report.html").read_text("utf-8")
