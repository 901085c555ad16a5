"""What is made of a game is the same in every run: Python gives texts other hashes in each, and so sets another order."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.games.every_game import GAMES, OWN

MADE = """
import ast, hashlib, sys
import houserule
from houserule.rulebook import html, rulebook

for path in sys.argv[1:]:
    game = houserule.load(path)
    program = game.program(game.players[0], told=False)
    match = game.start(game.players[0], seed=1)
    made = {
        "findings": houserule.validate(path),
        "pieces": {kind.name: kind.ids for kind in program.symbols.kinds.values()},
        "code": [ast.dump(function) for function in program.functions],
        "rulebook": html(rulebook(game)),
        "table": (match.view(), [[option.key for option in choice.single] for choice in match.pending]),
    }
    for name, value in made.items():
        print(path, name, hashlib.sha256(repr(value).encode()).hexdigest())
"""


@pytest.mark.long
def test_what_is_made_of_a_game_is_the_same_in_every_run() -> None:
    paths = sorted({str(file.parent) for folder in (GAMES / "classics", OWN) for file in folder.rglob("game.yaml")})
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", MADE, *paths],
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "2")
    ]
    one, other = (run.communicate()[0].splitlines() for run in runs)
    assert one == other
    assert len(one) == 5 * len(paths)
