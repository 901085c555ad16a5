"""What an editor completes inside `add` and `change` of a variant: the same as at that place of a game, and how to place it."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from houserule.definition.schema import ONLY_IN_VARIANTS, schema_keys, walk

SCHEMAS = Path(__file__).parents[2] / "schema"
WHERE_A_FILE_SAYS_IT_ONCE = frozenset({"edition", "game", "include"})
PLACES = sorted({tuple(path.split(".")[:-1]) for path, _ in walk("game")})


@pytest.mark.parametrize("section", ["add", "change"])
@pytest.mark.parametrize("place", PLACES, ids=lambda place: ".".join(place) or "the file")
def test_a_variant_completes_what_a_game_completes(place: tuple[str, ...], section: str) -> None:
    game, variant = schema_keys("game", *place), schema_keys("variant", section, *place)
    assert game - WHERE_A_FILE_SAYS_IT_ONCE <= variant
    assert variant - game <= ONLY_IN_VARIANTS


@pytest.mark.parametrize("section", ["add", "change"])
def test_every_description_of_a_game_is_shown_in_a_variant(section: str) -> None:
    game = {f"{section}.{path}": text for path, text in walk("game")}
    variant = {path: text for path, text in walk("variant") if path.startswith(f"{section}.")}
    missing = {path for path in game.keys() - variant.keys() if path.split(".")[-1] not in WHERE_A_FILE_SAYS_IT_ONCE}
    assert missing == set()
    assert {path for path in game.keys() & variant.keys() if game[path] != variant[path]} == set()


@pytest.mark.parametrize("place", [("flow", "*"), ("flow", "*", "steps", "*"), ("scoring", "*"), ("triggers", "*")])
def test_what_is_added_can_be_placed(place: tuple[str, ...]) -> None:
    assert {"after", "before"} <= schema_keys("variant", "add", *place)


def test_an_editor_follows_the_reference_to_the_shape_of_a_game() -> None:
    schema = json.loads((SCHEMAS / "variant.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    for section in ("add", "change"):
        file, _, pointer = schema["properties"][section]["$ref"].partition("#/$defs/")
        assert "flow" in json.loads((SCHEMAS / file).read_text(encoding="utf-8"))["$defs"][pointer]["properties"]
