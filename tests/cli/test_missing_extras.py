"""A command whose library is not installed ends with one sentence that names the extra."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from houserule.extras import LIBRARIES
from houserule.study import figures
from tests.cli.conftest import Houserule
from tests.modules import ROOT

STUDY = ["-n", "3", "--seed", "1"]
NEEDING = {
    "simulate --out": ("study", ["simulate", "GAME", *STUDY, "--out", "out"]),
    "simulate --report": ("study", ["simulate", "GAME", *STUDY, "--report", "report.html"]),
    "compare": ("study", ["compare", "GAME", *STUDY, "--set", "rounds=1"]),
    "compare --report": ("study", ["compare", "GAME", *STUDY, "--report", "report.html"]),
    "sweep": ("study", ["sweep", "GAME", *STUDY, "--set", "rounds=1,2"]),
    "sweep --report": ("study", ["sweep", "GAME", *STUDY, "--set", "rounds=1,2", "--report", "report.html"]),
    "simulate --cluster": ("cluster", ["simulate", "GAME", *STUDY, "--cluster", "tcp://127.0.0.1:1"]),
    "compare --cluster": ("cluster", ["compare", "GAME", *STUDY, "--cluster", "tcp://127.0.0.1:1"]),
    "sweep --cluster": ("cluster", ["sweep", "GAME", *STUDY, "--set", "rounds=1,2", "--cluster", "tcp://127.0.0.1:1"]),
    "simulate --engine native": ("native", ["simulate", "GAME", *STUDY, "--engine", "native"]),
    "compare --engine native": ("native", ["compare", "GAME", *STUDY, "--engine", "native"]),
    "check --engine native": ("native", ["check", "GAME", "--engine", "native"]),
    "rulebook --output": ("rulebook", ["rulebook", "GAME", "-o", "rules.pdf"]),
    "lsp": ("lsp", ["lsp"]),
    "serve": ("serve", ["serve", "GAME", "--port", "0"]),
    "serve --database": ("postgresql", ["serve", "GAME", "--port", "0", "--database", "postgresql://nowhere/rooms"]),
}
"""The calls that need an extra, with the extra."""

DOING_WITHOUT = {
    "validate": ["validate", "GAME"],
    "test": ["test", "GAME", "--coverage"],
    "check": ["check", "GAME", "-n", "2", "--close", "1"],
    "play": ["play", "GAME", "--seats", "mcts:3", "--seed", "1"],
    "simulate": ["simulate", "GAME", *STUDY],
    "simulate --json": ["simulate", "GAME", *STUDY, "--json"],
    "simulate --workers": ["simulate", "GAME", *STUDY, "--seats", "greedy"],
    "simulate --profile": ["simulate", "GAME", *STUDY, "--profile"],
    "rulebook": ["rulebook", "GAME", "-o", "rules.html"],
    "show": ["show", "GAME", "--table"],
    "docs": ["docs"],
}
"""The calls that need none of them."""


OURS = ("houserule.lsp.", "houserule.serve.")
"""The modules of ours that import a library of an extra at their top."""


@contextmanager
def without(*libraries: str) -> Iterator[None]:
    """A context in which libraries are not installed, and nobody has imported what needs them."""
    loaded = [name for name in sys.modules if name.partition(".")[0] in libraries or name.startswith(OURS)]
    gone = {name: sys.modules.pop(name) for name in loaded}
    sys.modules.update(dict.fromkeys(libraries))
    figures.numpy.cache_clear()
    try:
        yield
    finally:
        for name in [name for name in sys.modules if name in libraries or name.startswith(OURS)]:
            del sys.modules[name]
        sys.modules.update(gone)


@pytest.mark.parametrize("call", NEEDING)
def test_a_missing_library_is_told_in_one_sentence_with_its_extra(call: str, storms: str, houserule: Houserule) -> None:
    extra, words = NEEDING[call]
    # The report of `simulate` needs what others need.
    alone = () if "--report" in words and words[0] != "simulate" else LIBRARIES[extra]
    for libraries in [LIBRARIES[extra], *((library,) for library in alone)]:
        with without(*libraries):
            result = houserule(*(storms if word == "GAME" else word for word in words))
        if result.exit_code == 0 and len(libraries) == 1:
            continue  # it can do without this one
        assert result.exit_code == 2, (libraries, result.output)
        assert result.stdout == ""
        assert f"houserule[{extra}]" in result.stderr, result.stderr
        lines = result.stderr.splitlines()
        assert lines[0].startswith("houserule: ") and len(lines) <= 2, result.stderr


@pytest.mark.parametrize("call", DOING_WITHOUT)
def test_what_needs_no_extra_does_without_any(call: str, storms: str, houserule: Houserule) -> None:
    with without(*(library for libraries in LIBRARIES.values() for library in libraries)):
        result = houserule(*(storms if word == "GAME" else word for word in DOING_WITHOUT[call]))
    assert result.exit_code == 0, result.output


def test_the_table_of_libraries_is_that_of_the_package() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    for extra, modules in LIBRARIES.items():
        names = {
            re.split(r"[\[>]", needed)[0].replace("markdown-it-py", "markdown_it") for needed in declared[extra]
        } - {"houserule"}
        assert names <= {*modules, *LIBRARIES["study"]}, extra  # numpy is named with study
    assert set(LIBRARIES) == set(declared) - {"dev"}
