"""The effective rules as one file: they validate, and play the same matches as the game and its variants."""

from __future__ import annotations

from pathlib import Path

import pytest

import houserule
from houserule.source import plain
from houserule.workshop.library import UnknownGame, variants_of
from tests.bundled import LARGE, load

RULES = [
    (game, tuple(variants))
    for game in LARGE
    for variants in ([], *([name] for name in variants_of(houserule.find(game))))
]


@pytest.mark.parametrize(
    ("name", "variants"), RULES, ids=lambda words: "+".join(words) if isinstance(words, tuple) else words
)
def test_the_merged_file_validates_and_plays_the_same_matches(
    name: str, variants: tuple[str, ...], tmp_path: Path
) -> None:
    try:
        game = load(name, variants)
    except (houserule.InvalidGame, UnknownGame):
        pytest.skip("this variant is not played alone")
    (tmp_path / "game.yaml").write_text(game.stage("merged"), encoding="utf-8")
    same = houserule.load(tmp_path)
    assert [d.message for d in same.diagnostics] == [d.message for d in game.diagnostics]
    assert plain(same.loaded.tree) == plain(game.loaded.tree)
    if not variants:  # Equal trees are equal rules; that they are played is shown once for each game.
        players = max(game.players)
        assert same.random_match(players, 7) == game.random_match(players, 7)


def test_settings_are_defaults_of_the_merged_file(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(AWKWARD, encoding="utf-8")
    game = houserule.load(tmp_path, options={"passes": 3})
    (tmp_path / "game.yaml").write_text(game.stage("merged"), encoding="utf-8")
    assert "default: 3" in game.stage("merged")
    assert houserule.load(tmp_path).random_match(2, 7) == game.random_match(2, 7)


AWKWARD = """\
edition: 2026
game: awkward
title: {en: "Yes: no", de: 'It''s [on]'}
players: 2
sources: {a: {title: "012"}}
options: {passes: {type: 1..5, default: 2}}
variables: {n: int, "m(player)": int}
flow:
  round:
    title: >-
      Two
      words
    repeat: passes
    do: |

      n += 1
      if n > 1:
        say "{{x}}"
"""


def test_every_sort_of_text_comes_through(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    (tmp_path / "one" / "game.yaml").write_text(AWKWARD, encoding="utf-8")
    (game, loaded) = (tmp_path / "two" / "game.yaml", houserule.load(tmp_path / "one"))
    game.write_text(loaded.stage("merged"), encoding="utf-8")
    assert plain(houserule.load(game.parent).loaded.tree) == plain(loaded.loaded.tree)
