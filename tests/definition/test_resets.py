"""`reset:` before a step that is done only once resets nothing, unless something was changed before."""

from __future__ import annotations

from pathlib import Path

import pytest

import houserule

GAME = """\
edition: 2026
game: shade
players: 2
variables:
  found(player): {type: 0..99, reset: walk}
actions:
  look_round: me.found += 1
flow:
  setup: {do: nothing}
  walk:
    for: n in 1..4
    steps:
      path: {for: p in players, do: p.found += n}
      rest: {turns: players, do: perform look_round}
scoring: {points: me.found}
"""

ONCE = "'found' is never reset: step 'walk' is gone through only once"


def warnings_of(folder: Path, *changes: tuple[str, str], rule: str = "") -> list[tuple[str, str | None]]:
    game = GAME
    for old, new in changes:
        assert old in game
        game = game.replace(old, new)
    (folder / "game.yaml").write_text(game, encoding="utf-8")
    (folder / "rule.yaml").write_text(rule, encoding="utf-8")
    found = houserule.validate(folder, variants=[folder / "rule.yaml"] if rule else [])
    return [(one.message, one.help) for one in found]


@pytest.mark.parametrize(
    ("changes", "help"),
    [
        ((), "all elements of its `for` are one pass; reset it before the first step inside: reset: path"),
        (
            (("path: {for: p in players", "path: {turns: p in players"),),
            "all elements of its `for` are one pass; set it in a first step inside",
        ),
        (
            (("    for: n in 1..4\n", ""), ("+= n", "+= 1")),
            "name a step that is done several times, or leave `reset` out",
        ),
    ],
)
def test_a_reset_before_a_step_that_is_done_once_is_warned_of(
    tmp_path: Path, changes: tuple[tuple[str, str], ...], help: str
) -> None:
    assert warnings_of(tmp_path, *changes) == [(ONCE, help)]


@pytest.mark.parametrize(
    "change",
    [
        ("    for: n in 1..4\n", "    repeat: 2\n    for: n in 1..4\n"),
        ("reset: walk", "reset: path"),
        ("setup: {do: nothing}", "setup: {for: p in players, do: p.found = 3}"),
        ("setup: {do: nothing}", "first: {turns: players, do: perform look_round}"),
        ("scoring:", "  again: {use: walk}\nscoring:"),
        ("    for: n in 1..4\n    steps:\n", "    turns: p in players\n    for: n in 1..4\n    steps:\n"),
    ],
)
def test_a_reset_that_has_something_to_reset_is_not(tmp_path: Path, change: tuple[str, str]) -> None:
    assert warnings_of(tmp_path, change) == []


def test_a_house_rule_that_leaves_a_reset_without_use_is_not_blamed(tmp_path: Path) -> None:
    rule = "variant: short\nof: shade\nremove: [flow.walk.repeat]\n"
    assert warnings_of(tmp_path, ("    for: n in 1..4\n", "    repeat: 2\n    for: n in 1..4\n"), rule=rule) == []
