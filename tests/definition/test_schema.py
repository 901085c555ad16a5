"""The shape of games, variants and scenarios: what may stand where, and what is said about what may not."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from houserule.definition.files import sort_at
from houserule.definition.schema import check_complete, check_shape
from houserule.definition.sorts import Document
from houserule.diagnostics import Report
from houserule.reading import game_folder
from houserule.source import Entry, Mapping, Sequence, plain, read_file
from tests.declared import declared_keys
from tests.reading import read_documents, read_text

ROOT = Path(__file__).parents[2]
SCHEMAS = sorted((ROOT / "schema").glob("*.json"))
PUBLISHED = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in SCHEMAS}
REGISTRY: Registry[Any] = Registry().with_resources(
    (name, Resource.from_contents(schema)) for name, schema in PUBLISHED.items()
)
TINY = "edition: 2026\ngame: tiny\nplayers: 2..5\nflow: {round: {do: nothing}}\n"


def said(text: str, document: Document = "game") -> list[str]:
    """Code, place and sentence of everything that is wrong with the shape of a text."""
    report = Report()
    node = read_text(text, "game.yaml", report)
    assert node is not None, report.diagnostics
    is_good = check_shape(node, document, report)
    assert is_good == (not report.diagnostics)
    return [f"{d.code} {d.span.line}:{d.span.column} {d.message}" for d in report.diagnostics]


def help_for(text: str, document: Document = "game") -> str | None:
    report = Report()
    node = read_text(text, "game.yaml", report)
    assert node is not None
    check_shape(node, document, report)
    assert len(report.diagnostics) == 1, report.diagnostics
    return report.diagnostics[0].help


# --- what the language page shows -------------------------------------------------------------------------------------

GOOD_PARTS = {
    "prose": "title: {en: Tiny, de: Winzig, zh-Hant: 小, ja: 小さい}\ntext: A small game\n",
    "a number as a title": "title: 1830\n",
    "sources": "sources: {de: {title: Regeln}}\nsource: {doc: de, at: 3}\nassumed: Nobody knows.\n",
    "options": "options: {depth: {type: 0..25, default: 5, text: {en: How}}, fast: {type: bool, default: false}}\n",
    "enums": """enums:
  metal: [bronze, silver]
  colour:
    effects: ['power(tile t, int n)']
    members: {pink: {power: me.score += 5, grammar: {de: {gender: n}}}, brown: }
""",
    "components": """components:
  chest_card:
    attributes: {chest: metal or none, scorpions: 0..3}
    variables: {placed_on: stone or none, orphaned: bool = false, n: {type: 0..6, reset: round, visible: owner}}
    back: [chest]
    starts_in: chest[it.chest]
    pieces:
      bronze_emerald: {chest: bronze, sort: gem, scorpions: [0, 0, 0, 1]}
      bronze_talisman: {count: 3, chest: bronze, scorpions: 2, source: {doc: de, at: p. 4}}
  space:
    each: {layer: 1..4, x: 1..5, y: 1..6 - layer}
    where: it.x + it.y < 6
  die:
    each: {seat: player, tint: tint}
    count: 2 if it.tint == white else 1
""",
    "zones": """zones:
  chest(metal): {holds: chest_card, visible: none}
  cell(space): {holds: tile, capacity: 1, visible: it.face_up}
  front(drawer d, half h): {holds: stone, visible: d == opened and h == up, amount: none, order: none}
  deck: {holds: card, visible: none, refill: discard}
""",
    "variables": """variables:
  cave_closed: bool
  score(player): int = 3
  pips(player, metal): {type: 0..6, reset: round}
  secret(player): {type: colour or none, visible: owner}
""",
    "tables": """tables:
  price: [0, 1, 3, 6]
  bonus: {gold: 12, silver: x + 1}
  two: {gold: [1, 2], silver: [3, 4]}
  long: {values: [1, 2], source: {doc: de, at: 2}}
""",
    "functions": """functions:
  covers(space a, space b): a.layer == b.layer + 1
  three: 3
  long: {text: What, do: "x[1]"}
""",
    "actions": "actions:\n  search(metal m, int limit): |\n    draw 1 from chest[m] to me.loot\n"
    "  long: {text: {en: What}, do: nothing}\n",
    "triggers": "triggers:\n  lone: {whenever: c leaves loot of p, when: c.sort == gem, do: nothing}\n",
    "scoring": "scoring:\n  cards: {title: Cards, points: count(me.loot)}\n  short: me.score\n  five: 5\n"
    "  sets: {for: m in metal, when: 'complete(me, m)', points: 'set_bonus[m]'}\n",
    "winner": "winner: {most: points, then: [-count(me.stash), me.score], tie: shared}\n",
    "winner by a condition": "winner: {when: me.alive}\n",
    "translations": 'translations: {de: {"Draw another card?": "Noch eine Karte?"}}\n',
}


@pytest.mark.parametrize("part", GOOD_PARTS.values(), ids=GOOD_PARTS)
def test_what_the_language_shows_has_the_right_shape(part: str) -> None:
    assert said(TINY + part) == []


def test_a_flow_is_a_tree_of_steps() -> None:
    flow = """edition: 2026
game: x
players: 4
flow:
  setup: {do: nothing}
  round:
    title: Round
    until: cave_closed
    steps:
      pledge: {title: Choose, together: players, do: nothing}
      explore: {for: m in metal, turns: players from starter, repeat: forever, while: x, when: true, do: nothing}
      again: {use: round.pledge, repeat: 3}
"""
    assert said(flow) == []


def test_a_part_of_a_game_may_lack_everything() -> None:
    assert said("components:\n  card:\n    pieces: {ace: {title: Ace}}\n", "part") == []
    assert said("zones: {deck: {title: Deck}}\n", "part") == []


def test_a_game_with_parts_is_complete_only_with_them() -> None:
    text = "edition: 2026\ngame: x\nplayers: 2\ninclude: [flow.yaml]\nzones: {deck: {title: Deck}}\n"
    assert said(text) == []
    report = Report()
    node = read_text(text, "game.yaml", report)
    assert node is not None
    assert not check_complete(node, report)
    assert [d.message for d in report.diagnostics] == [
        "the file has no 'flow'",
        "'deck' has no 'holds'",
        "'deck' has no 'visible'",
    ]


def test_a_variant_adds_changes_and_removes_in_the_shape_of_the_game() -> None:
    variant = """variant: my_precious
of: aladdin
title: {en: My Precious}
requires: [other]
conflicts: [another]
players: 3..5
options: {depth: 4}
add:
  triggers: {t: {whenever: c leaves loot of p, do: nothing}}
  flow: {round: {steps: {auction: {after: summon, do: nothing}}}}
  enums: {metal: [copper]}
change:
  tables: {set_bonus: {gold: 12}}
  actions: {search: nothing}
  zones: {deck: {visible: all, was: none}}
remove: [components.lamp_card.pieces.a_curse]
"""
    assert said(variant, "variant") == []


def test_a_scenario_answers_promises_and_expects() -> None:
    scenario = """scenario: Margot is too greedy
of: aladdin
players: [maya, margot, maurice]
with: [my_precious]
options: {depth: 4}
source: {doc: de, at: example of a round}
seed: 3
setup:
  - roll: {starter: maya}
given: |
  move bronze_emerald#1 to maya.loot
from: round
play:
  - maya: {slot: bronze, pips: 4}
  - maya: Draw
  - maya: [a, b]
  - maya: 5
  - {maya: pass, margot: pass}
  - roll: {n: [3, 1]}
  - deck: {"chest[bronze]": [bronze_emerald#1, bronze_talisman#1]}
  - race: [maya, maurice]
  - refuse: {maya: {prize: bronze_talisman#1}}
  - options: {maya: [Draw, Stop]}
  - do: {as: maya, effect: perform call_genie}
  - do: perform call_genie
  - expect: not cave_closed
  - unseen: {margot: secret of maya}
  - pending: maya
expect:
  - points(maya) == 25
until: end
"""
    assert said(scenario, "scenario") == []


def files_of_games() -> Iterator[Any]:
    for path in sorted((ROOT / "games").glob("*/**/*.yaml")):
        yield pytest.param(path, id=path.relative_to(ROOT / "games").as_posix())


@pytest.mark.parametrize("path", list(files_of_games()))
def test_every_bundled_file_has_its_shape(path: Path) -> None:
    report = Report()
    folder = game_folder(path)
    assert folder is not None
    if path.parent.name == "scenarios":
        for node in read_documents(path, folder, report):
            check_shape(node, "scenario", report)
    else:
        file = read_file(path, folder, report)
        assert file is not None
        document: Document = "game" if path.name == "game.yaml" else "part"
        check_shape(file, "variant" if path.parent.name == "variants" else document, report)
    assert report.diagnostics == []


# --- faults -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("zones: {deck: {hold: card, visible: all}}", "HR201 5:16 'deck' has no key 'hold'"),
        ("winner: {most: points, than: x}", "HR201 5:24 'winner' has no key 'than'"),
        ("titel: x", "HR201 5:1 the file has no key 'titel'"),
        ("include: part.yaml", "HR202 5:10 'include' expects a list of files, got the text 'part.yaml'"),
        ("tables: {t: 5}", "HR202 5:13 't' expects a list or a map of values, got the number 5"),
        ("enums: {metal: [bronze, [x]]}", "HR202 5:25 an entry of 'metal' expects a name, got a list"),
        ("enums: {metal: [1]}", "HR202 5:17 an entry of 'metal' expects a name, got the number 1"),
        ("title: [x]", "HR202 5:8 'title' expects a sentence, or one for each language, got a list"),
        ("functions: {f: [x]}", "HR202 5:16 'f' expects an expression, or a map with 'do', got a list"),
        ("zones: {deck: {holds: card}}", "HR203 5:9 'deck' has no 'visible'"),
        ("variables: {n: {start: 3}}", "HR203 5:13 'n' has no 'type'"),
        ("enums: {e: {members: [a], variables: {n: {start: 3}}}}", "HR203 5:39 'n' has no 'type'"),
        ("scoring: {n: {title: N}}", "HR203 5:11 'n' has no 'points'"),
        ("winner: {tie: shared}", "HR203 5:1 'winner' expects 'most', 'least', 'when', 'all' or 'by'"),
        ("zones: {a-b: {holds: card, visible: all}}", "HR204 5:9 'a-b' is not a name, or a name with parameters"),
        ("title: {en_US: x}", "HR204 5:9 'en_US' is not a language such as en, de or zh-Hant"),
        (
            "winner: {most: points, tie: share}",
            "HR205 5:29 'tie' is 'shared', 'draw' or left out, got the text 'share'",
        ),
        ("text:", "HR206 5:5 'text' is empty; it expects a sentence, or one for each language"),
        ("text: {}", "HR206 5:7 'text' is empty; it expects a sentence, or one for each language"),
        ("scoring: {n: {points: 3, after: m}}", "HR208 5:26 'after' belongs in the 'add' or 'change' of a variant"),
    ],
)
def test_a_fault_is_said_at_the_exact_words(part: str, expected: str) -> None:
    found = said(TINY + part + "\n")
    assert len(found) == 1
    assert found[0].startswith(expected)


@pytest.mark.parametrize(
    ("part", "help"),
    [
        ("zones: {deck: {hold: card, visible: all}}", "did you mean 'holds'?"),
        ("include: part.yaml", "include: [part.yaml]"),
        ("enums: {metal: [1]}", 'metal: "1"'),
        ("title: [x]", "title: x"),
        ("title: [x, y]", "a text that begins with a bracket goes in quotes"),
        ("zones: {deck: {holds: card}}", "visible: all, none or owner"),
        (
            "winner: {most: points, colour: red}",
            "keys here: most, least, when, all, by, then, tie, nobody, text, source, assumed",
        ),
        ("zones: {draw-pile: {holds: card, visible: all}}", "write: draw_pile"),
        ("enums: {Größe: [klein]}", "write: grosse"),
        ("enums: {大小: [small]}", "names use the letters a to z; people read the title"),
        ("winner: {most: points, tie: share}", "did you mean 'shared'?"),
    ],
)
def test_a_fault_comes_with_the_next_thing_to_type(part: str, help: str) -> None:
    assert help_for(TINY + part + "\n") == help


@pytest.mark.parametrize("key", ["edition", "game", "players", "flow"])
def test_a_game_wants_its_first_keys(key: str) -> None:
    text = re.sub(rf"^{key}:.*\n", "", TINY, flags=re.M)
    assert [line.split(" ", 2)[2] for line in said(text)] == [f"the file has no '{key}'"]


def test_an_effect_written_as_a_map_wants_a_block() -> None:
    text = "edition: 2026\ngame: x\nplayers: 2\nflow:\n  a:\n    do:\n      if x:\n        y: z\n"
    assert said(text) == ["HR202 7:7 'do' expects an effect, got a map"]
    assert help_for(text) == "write 'do: |' and the effect on the lines below it"


def test_a_step_wants_something_to_do() -> None:
    text = "edition: 2026\ngame: x\nplayers: 2\nflow:\n  a: {title: A}\n  b:\n    steps:\n      c: {title: C}\n"
    assert said(text) == [
        "HR203 5:3 'a' expects 'do', 'steps' or 'use'",
        "HR203 8:7 'c' expects 'do', 'steps' or 'use'",
    ]


def test_a_misspelt_key_is_not_also_missing() -> None:
    assert said(TINY + "triggers: {t: {whenever: c leaves loot of p, dooo: nothing}}\n") == [
        "HR203 5:12 't' has no 'do'",
        "HR201 5:46 't' has no key 'dooo'",
    ]
    assert said(TINY + "zones: {deck: {holds: card, visibel: all}}\n") == ["HR201 5:29 'deck' has no key 'visibel'"]


def test_thousands_of_unknown_keys_are_compared_with_no_more_words_than_a_thousand() -> None:
    report = Report()
    node = read_text(TINY + "".join(f"titel{number}: x\n" for number in range(3000)), "game.yaml", report)
    assert node is not None
    check_shape(node, "game", report)
    helps = [one.help or "" for one in report.found]
    assert (len(helps), helps[0], "did you mean" in helps[-1]) == (3000, "did you mean 'title'?", False)


def test_several_faults_are_all_said_in_one_run() -> None:
    zones = "zones:\n  a: 5\n  b: {holds: x, visible: all, colour: red}\n"
    text = f"edition: 2025\ngame: x\nplayers: [2]\n{zones}flow: {{r: {{do: [x]}}}}\n"
    assert [line.split(" ", 2)[:2] for line in said(text)] == [
        ["HR205", "1:10"],
        ["HR202", "3:10"],
        ["HR202", "5:6"],
        ["HR201", "6:31"],
        ["HR202", "7:16"],
    ]


def test_what_the_reader_has_said_is_not_said_again() -> None:
    report = Report()
    node = read_text(TINY + "tables: {a: &x [1], b: *x}\n", "game.yaml", report)
    assert node is not None
    check_shape(node, "game", report)
    assert {d.code for d in report.diagnostics} == {"HR110"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("scenario: x\nplay: maya\n", "HR202 2:7 'play' expects a list of what happens, got the text 'maya'"),
        ("scenario: x\nplay: [maya]\n", "HR202 2:8 an entry of 'play' expects a map such as anna: Draw, got the"),
        ("scenario: x\nseed: many\n", "HR202 2:7 'seed' expects a whole number, got the text 'many'"),
        ("scenario: x\nuntil: never\n", "HR205 2:8 'until' is 'end', 'end at once' or left out, got the text 'never'"),
        ("scenario: x\nplay: [{do: {as: maya}}]\n", "HR203 2:9 'do' has no 'effect'"),
        ("scenraio: x\n", "HR201 1:1 the file has no key 'scenraio'"),
        ("scenario: x\nplay: [{maya: }]\n", "HR206 2:14 'maya' is empty; it expects an answer: a word, a list,"),
    ],
)
def test_a_scenario_with_the_wrong_shape_says_so(text: str, expected: str) -> None:
    found = said(text, "scenario")
    assert len(found) == 1
    assert found[0].startswith(expected)


def test_a_variant_says_of_which_game_it_is() -> None:
    assert said("variant: x\n", "variant") == ["HR203 1:1 the file has no 'of'"]
    assert said("variant: x\nof: y\nadd: {zoens: {}}\n", "variant") == ["HR201 3:7 'add' has no key 'zoens'"]


# --- the schemas themselves -------------------------------------------------------------------------------------------


def parts_of(schema: Any) -> Iterator[dict[str, Any]]:
    """Every map inside a schema."""
    if isinstance(schema, dict):
        yield schema
        for value in schema.values():
            yield from parts_of(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from parts_of(value)


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.name)
def test_a_schema_is_one(path: Path) -> None:
    schema = json.loads(path.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"


@pytest.mark.parametrize("document", ["game", "variant", "scenario"])
def test_every_key_is_described_with_an_example(document: Document) -> None:
    described = list(declared_keys(document))
    assert len(described) > 15
    assert [(path, key.name) for path, key in described if not (key.says and key.examples)] == []


def test_every_example_has_the_shape_that_is_asked_for() -> None:
    for name, schema in PUBLISHED.items():
        for part in parts_of(schema):
            for value in part.get("examples", ()):
                asked = Draft202012Validator({**part, "$defs": schema.get("$defs", {})}, registry=REGISTRY)
                assert not [error.message for error in asked.iter_errors(value)], (name, value)


def test_editors_without_the_server_are_offered_who_sees_something_and_may_write_an_expression() -> None:
    sight = json.loads((SCHEMAS[0].parent / "game.schema.json").read_text(encoding="utf-8"))["$defs"]["sight"]
    assert sight["anyOf"][0] == {"enum": ["all", "none", "owner", "team"]}
    assert "boolean" not in json.dumps(sight["anyOf"]), "or 'true' and 'false' would be offered first"
    asked = Draft202012Validator(sight)
    assert all(asked.is_valid(value) for value in ("owner", "viewer == it.keeper", True))
    assert not any(asked.is_valid(value) for value in ([], {}, 3, None))


def test_what_is_added_can_be_placed() -> None:
    for place in (("flow", "x"), ("flow", "x", "steps", "y"), ("scoring", "x"), ("triggers", "x")):
        sort = sort_at("variant", ("add", *place))
        assert sort is not None
        assert {"after", "before"} <= sort.keys.keys()


def test_the_shape_of_a_long_game_is_checked_at_once() -> None:
    text = (
        TINY
        + "components:\n  card:\n    pieces:\n"
        + "".join(
            f"      card_{n}: {{count: 2, sort: gem, title: {{en: Card {n}, de: Karte {n}}}, power: me.score += {n}}}\n"
            for n in range(400)
        )
    )
    report = Report()
    node = read_text(text, "game.yaml", report)
    assert node is not None
    check_shape(node, "game", report)
    before = time.process_time()
    assert check_shape(node, "game", report)
    assert time.process_time() - before < 5


# --- what is sound ----------------------------------------------------------------------------------------------------

ODD = (
    "null",
    "true",
    "-3",
    "7000",
    "two words",
    "[]",
    "{}",
    "[x]",
    "[{do: x}]",
    "{x: 1}",
    "{do: nothing}",
    "{title: {}}",
)


def spoilt(node: Any, random: Random, odd: list[Any]) -> Any:
    """The same with something else in one place, or with something left out or added."""
    inside = (
        list(node.entries)
        if isinstance(node, Mapping)
        else range(len(node.items))
        if isinstance(node, Sequence)
        else ()
    )
    if not inside or random.random() < 0.2:
        return random.choice(odd)
    if isinstance(node, Sequence):
        at = random.randrange(len(node.items))
        return replace(node, items=(*node.items[:at], spoilt(node.items[at], random, odd), *node.items[at + 1 :]))
    entries, key = dict(node.entries), random.choice(list(inside))
    entry = entries.pop(key)
    if random.random() < 0.7:
        entries[random.choice([key, key, key, "strange", "no name"])] = Entry(
            entry.key, spoilt(entry.value, random, odd)
        )
    return replace(node, entries=entries)


@pytest.mark.parametrize(
    ("document", "pattern"),
    [
        ("part", "game.yaml"),
        ("part", "layout.yaml"),
        ("variant", "variants/*.yaml"),
        ("scenario", "scenarios/*.yaml"),
        ("complete", "game.yaml"),
    ],
)
def test_the_loader_accepts_what_the_published_schema_accepts(document: Any, pattern: str) -> None:
    name = document if document in ("variant", "scenario") else "game"
    place = "" if name == document else f"#/$defs/{document.replace('part', 'game')}"
    validator = Draft202012Validator({"$ref": f"{name}.schema.json{place}"}, registry=REGISTRY)
    random, outcomes = Random(document), [0, 0]
    files = sorted((ROOT / "games").rglob(pattern))
    trees = [tree for file in files for tree in read_documents(file, file.parent, Report())]
    odd = [tree.entries["x"].value for text in ODD if (tree := read_text(f"x: {text}", "odd", Report()))]
    for tree in random.choices(trees, k=25):
        made = tree
        for _ in range(6):
            report = Report()
            is_good = check_complete(made, report) if document == "complete" else check_shape(made, document, report)
            assert is_good == validator.is_valid(plain(made))
            outcomes[is_good] += 1
            made = spoilt(tree, random, odd)
    assert min(outcomes) > 20


def test_what_only_the_schema_refuses_is_told_too(monkeypatch: pytest.MonkeyPatch) -> None:
    stricter = Draft202012Validator({"properties": {"players": {"maxLength": 2}}})
    monkeypatch.setattr("houserule.definition.schema.validator", lambda _: stricter)
    assert said(TINY) == [], "a document without a fault does not meet the library"
    told = said(TINY + "strange: 1\n")
    assert "HR202 3:10 'players' does not fit its schema, which says 'maxLength': 2" in told and len(told) == 2
