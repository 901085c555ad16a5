"""What all tests share: the same examples and an uncoloured terminal in each run, and a small game with every kind of question."""

from __future__ import annotations

import faulthandler
import gc
import os
import sys
import sysconfig
import tempfile
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import psutil
import pytest

ROOM = 1_000_000_000
LIMIT = [ROOM]
"""From how many bytes of this process on its garbage is collected where memory is short; then it may take as many more."""
EVERY = 60
"""After so many seconds a test that begins sets the alarm anew that tells of tests that stand still."""
MEMORY = Path("/dev/shm")
"""Where Linux keeps files in memory, in which thousands of links are made in a tenth of a second."""


def link_compiled(folder: str) -> None:
    """Show Python the modules that libraries were installed with as compiled, in the folder where it looks for all."""
    ending = f".{sys.implementation.cache_tag}.pyc"
    for library in {sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")}:
        for place, below, names in os.walk(library):
            below[:] = [name for name in below if name not in ("site-packages", "test", "tests")]
            if place.endswith("__pycache__"):
                there = folder + place.removesuffix("__pycache__")
                Path(there).mkdir(parents=True, exist_ok=True)
                for name in names:
                    if name.endswith(ending):
                        os.symlink(f"{place}/{name}", there + name)  # noqa: PTH211  to make so many paths takes a second


# Where compiled modules may not be left beside their sources, each of the many processes that tests start would compile all
# of ours: they share a folder for as long as the tests run.
if sys.dont_write_bytecode and "PYTEST_XDIST_WORKER" not in os.environ:
    in_memory = os.access(MEMORY, os.W_OK)
    COMPILED = tempfile.TemporaryDirectory(prefix="houserule-compiled-", dir=MEMORY if in_memory else None)
    if in_memory:
        link_compiled(COMPILED.name)
    sys.dont_write_bytecode, sys.pycache_prefix = False, COMPILED.name
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = COMPILED.name

os.fsync = lambda _: None  # no test cuts the power, and to wait for the disk takes as long as some files of tests


class Alarm:
    """Goes off where a test stands still for as long as `faulthandler_timeout` says, or up to a minute longer.

    pytest sets it for each test and stops it after each, which starts a thread and waits for its end: on a busy machine
    that took 9 ms, longer than most tests.
    """

    def __init__(self) -> None:
        self.last = -float(EVERY)
        self.set, self.stop = faulthandler.dump_traceback_later, faulthandler.cancel_dump_traceback_later
        faulthandler.dump_traceback_later, faulthandler.cancel_dump_traceback_later = self.begin, self.go_on

    def begin(self, timeout: float, **how: Any) -> None:
        now = monotonic()
        if now - self.last >= EVERY:
            self.last = now
            self.set(timeout + EVERY, **how)

    def go_on(self) -> None:
        """After a test it stays as it is, since the next test begins."""


ALARM = Alarm()

gc.disable()  # nearly all that is made while tests are collected stays

# pytest rewrites the assertions of each package that brings a plugin, Hypothesis among them; in none of them is one a test.
for finder in sys.meta_path:
    getattr(finder, "_must_rewrite", set()).clear()
    getattr(finder, "_marked_for_rewrite_cache", {}).clear()

from hypothesis import settings  # noqa: E402  after that

import houserule  # noqa: E402
from houserule import Game, Match  # noqa: E402

PARLOUR = Path(__file__).parent / "match" / "parlour"

# The same examples at each run: a suite that fails does so for what was changed. `make fuzz` looks for others.
settings.register_profile("suite", derandomize=True, database=None, deadline=None)
settings.register_profile("fuzz", database=None, deadline=None)
settings.load_profile("fuzz" if int(os.environ.get("HOUSERULE_FUZZ", "0")) else "suite")


LONGEST = (
    "study/test_run", "games/test_scenarios", "secrecy/test_leaks", "test_manual", "hostile/test_hostile", "games/test_every_game",
    "test_cookbook", "cli/test_commands", "native/test_agreement", "cli/test_studies", "cli/test_streams", "hostile/test_bounds",
    "rulebook/test_book", "language/test_effects", "cli/test_house_rules", "native/test_subset", "cli/test_paths",
    "workshop/test_formatting", "bots/test_quick", "lsp/test_server", "serve/test_races", "test_pytest_plugin", "study/test_tension",
    "native/test_everything", "bots/test_thinking", "study/test_compare", "compiler/test_optimisations", "hostile/test_growth",
    "native/test_tallies", "serve/test_forged", "bridges/test_spiel", "test_readme", "serve/test_command", "broken/test_any_slip",
    "compiler/test_any_rules", "cli/test_site", "lsp/test_any_edits", "test_bots_page", "test_layers", "engine/test_tools",
    "definition/test_made_up_key", "test_reference",
)  # fmt: skip
"""The files that take longest, then those that take long for as few tests as they have: none of them is begun at the end."""


def pytest_xdist_auto_num_workers() -> int:
    """A worker for each core: few tests wait, and each worker collects all tests and loads the games that it plays."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pytest_configure(config: pytest.Config) -> None:
    """Workers take files in the order below."""
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:  # fmt: skip
    """Every second worker collects from the last file on, so that half of the files have been compiled by another."""
    report = yield
    if isinstance(collector, pytest.Directory) and int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % 2:
        report.result.reverse()
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Workers begin with the files that take longest, then with those that have most tests, so that they end together."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return
    here = Path(__file__).parent
    places = {here / f"{name}.py": place for place, name in enumerate(LONGEST)}
    assert all(file.is_file() for file in places), "a file that takes long has gone"
    tests = Counter(item.path for item in items)
    items.sort(key=lambda item: (places.get(item.path, len(places)), -tests[item.path], item.path))


def pytest_collection_finish() -> None:
    """What is there once all tests are collected stays: the garbage collector need not go through it again and again.

    Going through hundreds of megabytes of loaded games took a quarter of the time of all tests: young objects are looked
    at less often, and what is left of a file of tests joins what stays.
    """
    gc.enable()
    gc.set_threshold(2_000_000, 20, 10)
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_enter_pdb() -> None:
    """Who looks for a mistake takes the time it needs."""
    ALARM.stop()


def pytest_sessionfinish() -> None:
    ALARM.stop()


@pytest.fixture(scope="module", autouse=True)
def what_is_left_stays() -> Iterator[None]:
    """What a file of tests leaves behind is kept aside, so that the garbage collector passes over it, until memory is short.

    Most of it is in use: going through it takes 10 s of a worker's time, and frees little.
    """
    yield
    gc.freeze()
    used = psutil.Process().memory_info().rss
    if psutil.virtual_memory().available < 2 * ROOM and used > LIMIT[0]:
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        LIMIT[0] = psutil.Process().memory_info().rss + ROOM


@pytest.fixture(scope="session", autouse=True)
def without_colours() -> Iterator[None]:
    """Nothing asks for colours: services that run tests do, and then what is printed reads otherwise.

    For the whole run, since processes that serve several tests are started before the first of them.
    """
    with pytest.MonkeyPatch.context() as patch:
        for name in (
            "FORCE_COLOR",
            "NO_COLOR",
            "CLICOLOR",
            "CLICOLOR_FORCE",
            "PY_COLORS",
            "TTY_COMPATIBLE",
            "GITHUB_ACTIONS",
        ):
            patch.delenv(name, raising=False)
        patch.setattr("typer.rich_utils.FORCE_TERMINAL", None)  # looked up once, when Typer is imported
        yield


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports have empty figures, for tests of what else they say: to draw those of a page takes longer than its study."""
    monkeypatch.setattr("houserule.study.figures.drawn", lambda *_: "<svg></svg>")


@pytest.fixture(scope="session")
def parlour() -> Game:
    """A parlour game in which every kind of question comes up, and faults can be had."""
    return houserule.load(PARLOUR)


@pytest.fixture
def match(parlour: Game) -> Match:
    """Three at the table, three cards in each hand; Ann is asked what now."""
    return parlour.start(["Ann", "Bob", "Cid"], seed=1)
