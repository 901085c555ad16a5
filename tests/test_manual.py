"""docs/language.md works: its game grows, its effects run, its scenarios hold, its mistakes are told word for word.

What a block is stands behind its three backticks:

- `yaml game`: lines of the example game; they go where their keys say, in place of what stood there;
- `yaml whole`: another game, which is whole as well;
- `yaml aside`: lines that the game could have as well; other blocks of the same section know them;
- `yaml part`: a file `parts.yaml` beside the next `yaml whole`;
- `yaml scenario`: scenarios that hold in the game;
- `yaml variant`: a variant of the game, played with those that it requires;
- `effect`: an effect that a player performs in a turn of theirs; `expression`: conditions that hold then, one a line;
- `text`: what is said about the block before it, lines counted from the beginning of that block;
- `console`: commands.

`docs/mushrooms/game.yaml` is the example game when it is grown up. `make accept` rewrites it and the `text` blocks; review
the diff.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import yaml

import houserule
from houserule.cli.application import COMMANDS
from houserule.cli.check import print_results
from houserule.definition.load import load_game
from houserule.definition.symbol_table import OF_THE_LANGUAGE
from houserule.diagnostics import Diagnostic, Report, Span, render
from houserule.language import nodes
from houserule.operations import FUNCTIONS, PREPOSITIONS, VERBS
from houserule.site.manual import Block, Example, merged, on_the_table, outline, written
from tests.golden import ACCEPTING, assert_golden

ROOT = Path(__file__).parent.parent
MANUAL = ROOT / "docs" / "language.md"
WHOLE_GAME = ROOT / "docs" / "mushrooms" / "game.yaml"
KINDS = {
    *("yaml", "yaml game", "yaml whole", "yaml aside", "yaml part", "yaml scenario", "yaml variant"),
    *("effect", "expression", "text", "console"),
}
NAMES = ("anna", "ben", "carla", "dora")

EXAMPLE = Example(MANUAL.read_text(encoding="utf-8"))
BLOCKS, grown, around = EXAMPLE.blocks, EXAMPLE.grown, EXAMPLE.around


def of_kind(*kinds: str) -> list[Block]:
    return [block for block in BLOCKS if block.kind in kinds]


# --- what is said -----------------------------------------------------------------------------------------------------


def said_about(block: Block, diagnostics: list[Diagnostic], game: str) -> str:
    """The diagnostics that are about lines of a block, as the command prints them."""
    lines = block.text.split("\n")
    whole = game.split("\n")
    shifts: dict[int, tuple[int, int]] = {}
    at = 0
    for number, line in enumerate(whole, 1):
        fits = [i for i, own in enumerate(lines) if own.strip() and own.strip() == line.strip()]
        if fits:
            at = next((i for i in fits if i >= at), fits[0])
            shifts[number] = (at + 1, indent(line) - indent(lines[at]))

    def moved(span: Span) -> Span:
        if span.line not in shifts:
            return span
        line, shift = shifts[span.line]
        end = shifts.get(span.end_line, (line, 0))[0]
        return Span("game.yaml", line, span.column - shift, end, span.end_column - shift)

    def line_of(file: str, number: int) -> str | None:
        return (lines if file == "game.yaml" else whole)[number - 1]

    texts = []
    for diagnostic in diagnostics:
        if diagnostic.span.line in shifts:
            related = tuple(replace(r, span=moved(r.span)) for r in diagnostic.related if r.span.line in shifts)
            here = replace(diagnostic, span=moved(diagnostic.span), related=related)
            texts.append(render(here, line_of))
        elif diagnostic.severity == "error":
            texts.append(render(diagnostic, line_of))
    return "\n".join(texts) + "\n" if texts else ""


def indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def holds(block: Block, said: str) -> None:
    """What is said is what the manual says is said; `make accept` writes it there."""
    if block.said is not None and said != block.said and ACCEPTING:
        rewrite(block, block.said, said)
    else:
        assert said == (block.said or "")


def rewrite(block: Block, old: str, new: str) -> None:
    """Put another message into the `text` behind a block of the manual."""
    manual = MANUAL.read_text(encoding="utf-8")
    start = manual.index(f"```{block.kind}\n{block.text}```\n")
    at = manual.index(f"```text\n{old}```\n", start) + len("```text\n")
    MANUAL.write_text(manual[:at] + new + manual[at + len(old) :], encoding="utf-8")


def validated(folder: Path, game: str, with_variants: bool = False) -> list[Diagnostic]:
    """What is said about a game, which is written into a folder; on demand with the variants of the manual."""
    (folder / "variants").mkdir(parents=True, exist_ok=True)
    (folder / "game.yaml").write_text(game, encoding="utf-8")
    for block in of_kind("yaml variant") if with_variants else ():
        (folder / "variants" / f"{yaml.safe_load(block.text)['variant']}.yaml").write_text(block.text, encoding="utf-8")
    return houserule.validate(folder)


def errors(diagnostics: list[Diagnostic]) -> list[str]:
    return [str(d) for d in diagnostics if d.severity == "error"]


def played(folder: Path, players: int, seed: int) -> houserule.Match:
    """A match in which everybody answers at random."""
    return finished(houserule.load(folder).start(players=list(NAMES[:players]), seed=seed))


def finished(match: houserule.Match) -> houserule.Match:
    """A match in which everybody has answered this and that until the end."""
    turn = match.seed
    while not match.is_over:
        choice = match.pending[0]
        turn += 7
        match.answer(choice.player, choice.options[turn % len(choice.options)])
        assert turn < 20_000, f"{choice} again and again"
    return match


# --- the tests --------------------------------------------------------------------------------------------------------


def test_every_block_says_what_it_is() -> None:
    assert not {block.kind for block in BLOCKS} - KINDS


@pytest.mark.parametrize("chapter", sorted({block.chapter for block in of_kind("yaml game")}))
def test_the_game_is_sound_and_can_be_played_at_the_end_of_every_chapter(chapter: int, tmp_path: Path) -> None:
    last = [block for block in of_kind("yaml game") if block.chapter == chapter][-1]
    assert not errors(validated(tmp_path / "mushrooms", grown(last.line)))
    played(tmp_path / "mushrooms", 2, 1)


def test_nothing_is_said_about_the_whole_game_and_it_can_be_played(tmp_path: Path) -> None:
    folder = tmp_path / "mushrooms"
    # The variant that another one conflicts with is not shown in the manual: HR713.
    assert not [str(d) for d in validated(folder, grown(), with_variants=True) if d.code != "HR713"]
    for players in houserule.load(folder).players:
        for seed in range(3):
            match = played(folder, players, seed)
            assert match.winners


def test_the_file_of_the_whole_game_is_what_it_has_grown_to() -> None:
    assert_golden(WHOLE_GAME, grown())


@pytest.mark.parametrize("block", of_kind("yaml whole"), ids=str)
def test_another_game_is_whole_too(block: Block, tmp_path: Path) -> None:
    folder = tmp_path / "game"
    folder.mkdir()
    for part in of_kind("yaml part"):
        if part.section == block.section:
            (folder / "parts.yaml").write_text(part.text, encoding="utf-8")
    assert not [str(d) for d in validated(folder, block.text)]
    played(folder, min(houserule.load(folder).players), 1)


@pytest.mark.parametrize("block", of_kind("yaml aside"), ids=str)
def test_what_the_game_could_have_as_well_fits_in(block: Block, tmp_path: Path) -> None:
    game = written(merged(around(block), outline(block.text)))
    diagnostics = validated(tmp_path / "mushrooms", game)
    if block.said is not None:
        holds(block, said_about(block, diagnostics, game))
    else:
        assert not errors(diagnostics)
        played(tmp_path / "mushrooms", 3, 1)


@pytest.mark.parametrize("block", of_kind("effect"), ids=str)
def test_an_effect_is_checked_and_runs(block: Block, tmp_path: Path) -> None:
    game = on_the_table(around(block), block.text)
    diagnostics = validated(tmp_path / "mushrooms", game)
    holds(block, said_about(block, diagnostics, game))
    if not errors(diagnostics):
        for seed in range(2):
            played(tmp_path / "mushrooms", 3, seed)


@pytest.mark.parametrize("section", sorted({block.section for block in of_kind("expression")}))
def test_conditions_hold(section: int, tmp_path: Path) -> None:
    blocks = [block for block in of_kind("expression") if block.section == section]
    folder = tmp_path / "mushrooms"
    validated(folder, on_the_table(around(blocks[-1]), "nothing"))
    lines = [line for block in blocks for line in block.text.split("\n") if line.strip() and line[:1] != "#"]
    file = folder / "expressions.yaml"
    texts = [re.sub(r"\s+# .*", "", line).replace("'", "''") for line in lines]
    documents = [f"scenario: '{text}'\nexpect:\n  - '{text}'\n" for text in texts]
    head = f"of: mushrooms\nplayers: [{', '.join(NAMES[:3])}]\nfrom: day_of_walking\n"
    file.write_text("---\n".join([head, *documents]), encoding="utf-8")
    results = houserule.rehearse(file)
    assert [r for r in results if not r.passed] == []
    assert len(results) == len(texts)


@pytest.mark.parametrize("block", of_kind("yaml scenario"), ids=str)
def test_scenarios_hold_in_the_whole_game(
    block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "mushrooms"
    game = written(around(block))
    assert not errors(validated(folder, game, with_variants=True))
    file = folder / "scenarios.yaml"
    head = "" if block.text.startswith("of:") else f"of: mushrooms\nplayers: [{', '.join(NAMES[:3])}]\n---\n"
    file.write_text(head + block.text, encoding="utf-8")
    try:
        results = houserule.rehearse(file)
    except houserule.InvalidGame as invalid:
        assert block.said is not None, invalid.diagnostics
        holds(block, said_about(block, invalid.diagnostics, head + block.text))
        return
    before = head.count("\n")
    assert results
    if all(result.passed for result in results):
        holds(block, "")
        return
    capsys.readouterr()
    print_results(file, [replace(r, path=str(file), line=r.line - before, seconds=0.01) for r in results])
    holds(block, capsys.readouterr().out.rstrip("\n") + "\n")


@pytest.mark.parametrize("block", of_kind("yaml variant"), ids=str)
def test_the_game_can_be_played_with_a_variant(block: Block, tmp_path: Path) -> None:
    folder = tmp_path / "mushrooms"
    validated(folder, grown(), with_variants=True)
    variant = yaml.safe_load(block.text)
    game = houserule.load(folder, variants=[*variant.get("requires", []), variant["variant"]])
    for players in game.players:
        finished(game.start(players=list(NAMES[:players]), seed=1))


def commands() -> Iterator[str]:
    for block in of_kind("console"):
        yield from re.findall(r"^\$ houserule (\w+)", block.text, re.MULTILINE)


def test_every_command_is_one_that_there_is() -> None:
    assert set(commands()) <= set(COMMANDS)


# --- nothing is left out ----------------------------------------------------------------------------------------------

CODE = "\n".join(block.text for block in BLOCKS if block.said is None)
WHOLE = [block for block in BLOCKS if block.said is None]


def nodes_in(thing: object) -> Iterator[type]:
    """The kinds of nodes in a definition or a tree, at every depth."""
    if isinstance(thing, dict):
        for value in thing.values():
            yield from nodes_in(value)
    elif isinstance(thing, tuple):
        for value in thing:
            yield from nodes_in(value)
    elif not isinstance(thing, type) and is_dataclass(thing):
        yield type(thing)
        for field in fields(thing):
            yield from nodes_in(getattr(thing, field.name))


def definitions(folder: Path) -> Iterator[object]:
    """The definitions of the game with all that it could have, and of the other games."""
    games = [block.text for block in of_kind("yaml whole")]
    games += [written(merged(around(block), outline(block.text))) for block in WHOLE if block.kind == "yaml aside"]
    effects = [block.text.rstrip("\n") for block in WHOLE if block.kind == "effect"]
    conditions = [line for block in of_kind("expression") for line in block.text.split("\n")]
    effects += [f"if {re.sub(' +#.*', '', line)}: nothing" for line in conditions if line and line[0] != "#"]
    for game in [*games, on_the_table(outline(grown()), "\n".join(effects))]:
        (folder / "game.yaml").write_text(game, encoding="utf-8")
        yield load_game(folder / "game.yaml", Report(), PREPOSITIONS).definition


def test_every_form_of_the_language_stands_in_an_example(tmp_path: Path) -> None:
    shown = {kind.__name__ for definition in definitions(tmp_path) for kind in nodes_in(definition)}
    forms = {name for name, value in vars(nodes).items() if isinstance(value, type) and issubclass(value, nodes.Node)}
    assert forms - shown == {"Node"}


def test_every_verb_and_function_stands_in_an_example() -> None:
    assert not [name for name in (*VERBS, *FUNCTIONS) if not re.search(rf"\b{name}\b", CODE)]


@pytest.mark.parametrize("schema", ["game", "variant", "scenario"])
def test_every_key_stands_in_an_example(schema: str) -> None:
    assert not {key for key in keys_of(schema) if not re.search(rf"(?:^|[\s{{]){key}:", CODE, re.MULTILINE)}


def test_every_word_that_cannot_be_a_name_is_listed() -> None:
    text = MANUAL.read_text(encoding="utf-8")
    paragraph = text[text.index("The words of the language cannot be names:") :].partition("\n\n")[0]
    assert set(re.findall(r"\w+", " ".join(paragraph.split("`")[1::2]))) >= OF_THE_LANGUAGE


def test_every_word_and_key_stands_in_the_index() -> None:
    index = MANUAL.read_text(encoding="utf-8").partition("## Index")[2]
    listed = {word for quoted in re.findall("`([^`]+)`", index) for word in re.findall(r"\w+", quoted)}
    grammar = (ROOT / "interpreter" / "houserule" / "language" / "effects.lark").read_text(encoding="utf-8")
    words = {*re.findall(r'"([a-z]+)"', grammar), *VERBS, *FUNCTIONS}
    assert words | keys_of("game") | keys_of("variant") | keys_of("scenario") <= listed


def keys_of(schema: str) -> set[str]:
    text = (ROOT / "schema" / f"{schema}.schema.json").read_text(encoding="utf-8")
    return {key for part in parts_of(json.loads(text)) for key in part.get("properties", {})}


def parts_of(schema: object) -> Iterator[dict[str, Any]]:
    """Every map in a schema, itself first."""
    if isinstance(schema, dict):
        yield schema
        for value in schema.values():
            yield from parts_of(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from parts_of(value)
