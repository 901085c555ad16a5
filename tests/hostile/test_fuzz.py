"""Whatever is thrown at the reader, the parser, variants, scenarios and the checker, diagnostics come back and nothing else.

A few examples run with the tests, always the same. `make fuzz` throws for as long as it is told, never the same twice.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

import houserule
from houserule.diagnostics import Diagnostic, Report, Span
from houserule.language.grammar import STARTS
from houserule.language.parse import parse, parse_text
from houserule.language.words import FOREIGN_SIGNS, FOREIGN_VERBS, RESERVED
from houserule.mending import with_fixes
from houserule.operations import FUNCTIONS, PREPOSITIONS, VERBS
from houserule.rulebook import markdown, rulebook
from houserule.source.nodes import Fragment, Source
from tests.reading import read_text

GAMES = Path(__file__).parents[2] / "games"
SMALL = Path(__file__).parents[1]
# Small games whose every check takes little time, and the bundled ones, of each kind of file some.
HOMES = [SMALL / "broken" / "house_rules", SMALL / "match" / "parlour", SMALL / "rehearsing" / "orchard"]
EXAMPLES = int(os.environ.get("HOUSERULE_FUZZ", "0"))

SIGNS = [
    *"\n:,;.|-#'\"{}[]()<>=+*/&!%@`?0a_\t\\ ",
    "\n  ",
    "\n    ",
    ": ",
    " #",
    "- ",
    "é",
    "燈",
    "\u200b",
    "\0",
    "\r\n",
    "\ufeff",
]
WORDS = [
    *RESERVED,
    *FUNCTIONS,
    *VERBS,
    *FOREIGN_VERBS,
    *FOREIGN_SIGNS,
    "me",
    "it",
    "players",
    "card",
    "x",
    "3",
    '"…"',
    '"{x}"',
]
effects = st.lists(st.sampled_from([*WORDS, *WORDS, *SIGNS]), max_size=40).map(" ".join)
KEYS = [
    "game",
    "edition",
    "players",
    "flow",
    "zones",
    "components",
    "do",
    "steps",
    "turns",
    "choose",
    "of",
    "variant",
    "add",
]
yamls = st.lists(st.sampled_from([*KEYS, *SIGNS, *SIGNS, *WORDS]), max_size=60).map("".join)


def often(share: int) -> settings:
    """How many examples there are: so many in a hundred of those that are asked for."""
    return settings(
        max_examples=max(5, (EXAMPLES or 60) * share // 100),
        phases=[Phase.explicit, Phase.generate, *([Phase.shrink] if EXAMPLES else [])],
        suppress_health_check=list(HealthCheck),
    )


def is_in(span: Span, text: str) -> bool:
    """Whether a span lies in a text, the place behind its last line included."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff").split("\n")
    return 1 <= span.line <= span.end_line <= len(lines) and span.column <= len(lines[span.line - 1]) + 1


def sees_to(found: list[Diagnostic], text: str) -> None:
    """Each has a sentence and a place in the text, and its fix can be made."""
    for diagnostic in found:
        assert diagnostic.message
        assert is_in(diagnostic.span, text), diagnostic
    mended, done = with_fixes(text, found)
    assert (mended != text) <= bool(done)


@often(300)
@given(effects, st.sampled_from(STARTS))
def test_no_effect_makes_the_parser_fail(text: str, start: str) -> None:
    report = Report()
    source = Source("effect", text)
    parse(Fragment(text, source, "plain", 0, len(text)), start, report, PREPOSITIONS)
    sees_to(report.diagnostics, text)


@often(100)
@given(effects)
def test_no_block_or_sentence_makes_the_parser_fail(text: str) -> None:
    report = Report()
    for style, raw in (
        ("literal", "|\n" + text),
        ("double", f'"{text}"'),
        ("single", f"'{text}'"),
        ("folded", ">\n" + text),
    ):
        source = Source("effect", raw)
        parse(Fragment(text, source, style, 0, len(raw)), "block", report, PREPOSITIONS)  # type: ignore[arg-type]  # each is a style
        parse_text(Fragment(text, source, style, 0, len(raw)), report, PREPOSITIONS)  # type: ignore[arg-type]
    assert all(d.message for d in report.diagnostics)


@often(300)
@example("- ? game")  # YAML ends it on a line that is not there
@given(yamls)
def test_no_text_makes_the_reader_fail(text: str) -> None:
    report = Report()
    read_text(text, "game.yaml", report)
    sees_to(report.diagnostics, text)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Copies of games in which files can be spoilt."""
    made = tmp_path_factory.mktemp("spoilt")
    for home in [*HOMES, *(sorted(path.parent for path in GAMES.glob("*/game.yaml")) if EXAMPLES else ())]:
        shutil.copytree(home, made / home.name)
    (made / "orchard" / "scenarios").mkdir(exist_ok=True)
    (made / "orchard" / "scenarios" / "one.yaml").write_text(SCENARIO, encoding="utf-8")
    yield made


SCENARIO = """\
of: orchard
players: [maya, margot]
---
scenario: One
seed: 3
given: |
  nothing
play:
  - maya: pass
  - roll: {n: [3, 1]}
  - expect: true
  - options: {maya: [pass]}
  - do: {as: maya, effect: nothing}
expect:
  - true
"""


@often(40)
@given(st.data())
def test_no_spoilt_file_makes_the_checker_fail(folder: Path, data: st.DataObject) -> None:
    """Cuts, insertions and lines that change places in games, their parts, variants and scenarios."""
    files = sorted(path for path in folder.rglob("*.yaml"))
    path = data.draw(st.sampled_from(files))
    sound = path.read_text(encoding="utf-8")
    text = sound
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        length = data.draw(st.sampled_from([0, 0, 1, 1, 2, 5, 40]))
        put = data.draw(st.sampled_from([*SIGNS, *WORDS, ""]))
        match data.draw(st.integers(0, 3)):
            case 0:
                lines = text.split("\n")
                a, b = data.draw(st.integers(0, len(lines) - 1)), data.draw(st.integers(0, len(lines) - 1))
                lines[a], lines[b] = lines[b], lines[a]
                text = "\n".join(lines)
            case 1:
                other = data.draw(st.integers(0, len(text)))
                text = text[:at] + text[other : other + length] + text[at:]
            case _:
                text = text[:at] + put + text[at + length :]
    path.write_text(text, encoding="utf-8", newline="")
    try:
        found = houserule.validate(path if path.parent.name in ("variants", "scenarios") else path.parent)
        own = [d for d in found if Path(d.span.file).resolve() == path.resolve()]
        sees_to(own, text)
    finally:
        path.write_text(sound, encoding="utf-8")


VALUES = [
    *[
        "xyz",
        3,
        0,
        -1,
        [],
        {},
        None,
        True,
        [1, 2],
        1.5,
        10**9,
        {"en": "Q"},
        {"do": "nothing"},
        "{a: 1}",
        "{me}",
        "x\ny",
    ],
    *["me", "nothing", "1..3", "player", "bool", "a or b", "all", "none", "first(players)", "1 if true else 2", "pass"],
    *["end game", "end game with draw", "leave", "finish", "2026-01-01", "*x"],
]
"""What is put where something else is meant."""
CHANGED = [*HOMES, GAMES / "classics" / "hearts", GAMES / "classics" / "checkers", GAMES / "classics" / "pig"]
LEAST, MOST_ANSWERS = 2, 30


@pytest.fixture(scope="module", params=[*CHANGED, *(sorted(path.parent for path in GAMES.glob("*/game.yaml")) if EXAMPLES else ())], ids=lambda path: path.name)  # fmt: skip
def changeable(request: pytest.FixtureRequest) -> tuple[houserule.Game, list[str]]:
    game = houserule.load(request.param)
    return game, [one.path for one in game.changeable()]


@often(10)
@given(st.data())
def test_no_house_rule_makes_a_game_fail(
    changeable: tuple[houserule.Game, list[str]], tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """A house rule that changes or removes anything is refused with a diagnostic, or can be played and read."""
    game, paths = changeable
    words = data.draw(st.sampled_from(paths)).split(".")
    words = words[: data.draw(st.integers(LEAST, max(LEAST, len(words))))]
    rule: dict[str, object] = {"variant": "odd", "of": game.id, "title": "Odd"}
    if data.draw(st.booleans()):
        rule["remove"] = [".".join(words)]
    else:
        changed = data.draw(st.sampled_from(VALUES))
        for word in reversed(words):
            changed = {word: changed}
        rule["change"] = changed
    file = tmp_path_factory.getbasetemp() / "odd.yaml"
    file.write_text(yaml.safe_dump(rule, sort_keys=False), encoding="utf-8")
    try:
        odd = houserule.load(game.file, file)
        match = odd.start(odd.players[0], seed=1)
    except houserule.InvalidGame as invalid:
        assert all(one.message for one in invalid.diagnostics)
        return
    except houserule.RuleFault:
        return
    language = data.draw(st.sampled_from(["en", "de", "ja", "zh-Hant"]))
    assert odd.title(language) and markdown(rulebook(odd, language))
    with suppress(houserule.RuleFault):
        while not match.is_over and not match.is_paused and len(match.answers) < MOST_ANSWERS:
            choice = match.pending[0]
            match.answer(choice.player, data.draw(st.sampled_from(choice.options)))
        assert match.is_over is bool(match.told_ending)
