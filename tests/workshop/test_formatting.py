"""Formatting files of rules: one layout whatever the layout was, the same meaning, and everything else byte for byte."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import houserule
from houserule.definition import reader, scenario
from houserule.definition.load import load_game
from houserule.definition.variant import read_variant
from houserule.diagnostics import Report
from houserule.language.format import Line, lay_out
from houserule.language.scan import WORD
from houserule.operations import PREPOSITIONS
from houserule.source import Scalar, Source, documents_of, open_source
from houserule.workshop.formatting import meaning, texts_of
from tests.bundled import LARGE

GAMES = Path(__file__).parents[2] / "games"
FILES = sorted(GAMES.rglob("*.yaml"))
NAMES = [str(file.relative_to(GAMES)) for file in FILES]
SCENARIOS = ("aladdin/", "classics/")
"""Of these games the scenarios are laid out anew as well: those of another have no other keys."""


def formatted(text: str, folder: Path, name: str = "rules.yaml") -> str:
    file = folder / name
    file.write_bytes(text.encode("utf-8"))
    return houserule.format(file).after


# --- random layouts ---------------------------------------------------------------------------------------------------


class Mess:
    """Gives the effects of a file another layout: other blanks between words, other indentation, other margins."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def file(self, text: str, path: Path) -> str:
        source = Source(str(path), text)
        lines = list(source.lines)
        found = list(texts_of(documents_of(source, Report()), path))
        words = [text for text in found if text.scalar.style not in ("literal", "folded")]
        for rule in sorted(words, key=lambda rule: (rule.scalar.span.line, -rule.scalar.span.column)):
            span = rule.scalar.span
            if span.line == span.end_line:
                line, start, end = span.line - 1, span.column - 1, span.end_column - 1
                messed = self.inline(rule.scalar, lines[line][start:end])
                if rule.starts == ("signature",):  # a key, which has no blank before its brackets
                    messed = re.sub(r"^(\w+) +\(", r"\1(", messed)
                lines[line] = lines[line][:start] + messed + lines[line][end:]
        for text in found:
            if text.scalar.style == "literal":
                self.block(text.scalar, lines)
        return "\n".join(lines)

    def inline(self, scalar: Scalar, written: str) -> str:
        """The words of a plain or quoted text, with other blanks. Quotes within quotes are left alone."""
        quote = "" if scalar.style == "plain" else written[0]
        inside = written[len(quote) : len(written) - len(quote)]
        if quote and (quote in inside or "\\" in inside):
            return written
        messed = self.line(inside, is_plain=not quote)
        # In plain text `- ` begins a list.
        return quote + messed + quote if quote else re.sub(r"^- +", "-", messed)

    def block(self, scalar: Scalar, lines: list[str]) -> None:
        first = scalar.span.line
        written = scalar.fragment.text.rstrip("\n ").split("\n")
        margin = len(lines[first]) - len(written[0])
        widths = [self.random.randint(1, 5) for _ in range(20)]
        shift = margin + self.random.randint(0, 3)
        for number, line in enumerate(written):
            depth = (len(line) - len(line.lstrip())) // 2
            code, hash_, comment = line.partition("#") if line.lstrip().startswith("#") else (line, "", "")
            messed = self.line(code.strip()) + hash_ + comment
            blanks = " " * self.random.choice((0, 0, 3))
            lines[first + number] = (
                " " * shift + " " * sum(widths[:depth]) + messed + blanks if line.strip() else blanks[:margin]
            )

    def line(self, line: str, is_plain: bool = False) -> str:
        """A line with other blanks between its words; those before a comment stay."""
        found = [match for match in WORD.finditer(line) if match.lastgroup != "blank"]
        if not found:
            return line
        made = line[: found[0].start()]
        for before, after in zip(found, [*found[1:], None], strict=True):
            made += before[0]
            if after is None:
                break
            blanks = line[before.end() : after.start()]
            if "comment" in (before.lastgroup, after.lastgroup) or (is_plain and ":" in (before[0], after[0])):
                made += blanks
                continue
            fewest = 1 if is_word(before[0][-1]) == is_word(after[0][0]) and not is_bracket(before[0], after[0]) else 0
            made += " " * self.random.choice((fewest, fewest, 1, 2, 3))
        return made


def is_word(sign: str) -> bool:
    return sign.isalnum() or sign in '_"'


def is_bracket(*words: str) -> bool:
    return any(word in "()[],;:" for word in words)


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith(SCENARIOS) or "/scenarios/" not in name])
def test_any_layout_of_a_bundled_file_becomes_the_one_layout(name: str, tmp_path: Path) -> None:
    text = (GAMES / name).read_text(encoding="utf-8")
    (tmp_path / "scenarios").mkdir()
    file = tmp_path / ("scenarios" if "/scenarios/" in name else ".") / "rules.yaml"
    wanted = formatted(text, file.parent)
    file.write_text(text, encoding="utf-8")
    said = meaning(documents_of(Source("rules.yaml", text), Report()), file)
    messed = Mess(len(text)).file(text, file)
    assert messed != text or not name.endswith("game.yaml")
    assert meaning(documents_of(Source("rules.yaml", messed), Report()), file) == said
    # Comments behind code keep the distance that the mess has given them.
    assert re.sub(" +#", " #", formatted(messed, file.parent)) == re.sub(" +#", " #", wanted)


@pytest.mark.parametrize("name", NAMES)
def test_bundled_files_have_the_one_layout(name: str) -> None:
    """Where this fails: houserule format games."""
    done = houserule.format(GAMES / name)
    assert done.after == done.before
    assert not done.diagnostics


def comments(text: str) -> list[str]:
    return [comment.rstrip() for comment in re.findall(r"(?m)(?:^|(?<=\s))#.*", text)]


@pytest.mark.parametrize("name", [name for name in NAMES if "/scenarios/" not in name])
def test_formatting_twice_changes_nothing_and_comments_stay(name: str, tmp_path: Path) -> None:
    text = Mess(1).file((GAMES / name).read_text(encoding="utf-8"), tmp_path / "rules.yaml")
    once = formatted(text, tmp_path)
    assert formatted(once, tmp_path) == once
    assert comments(once) == comments(text)
    assert re.sub(" ", "", once) == re.sub(" ", "", text)


WORDS = st.sampled_from(
    ["a", "count", "draw", "move", "to", "from", "if", "for", "in", "(", ")", "[", "]", ":", ";", ",", "-", "1", "..",
     '"a  b"', "=", "+=", "==", "#", "# note", "not", "choose", "\n", "\n  ", "\n    ", "\n", " ", "   "]
)  # fmt: skip


@settings(max_examples=150)
@given(st.lists(WORDS, max_size=25).map("".join))
def test_whatever_stands_in_a_block_formatting_is_safe(tmp_path_factory: pytest.TempPathFactory, body: str) -> None:
    folder = tmp_path_factory.getbasetemp()
    block = "".join(f"      {line}\n" for line in body.split("\n"))
    text = f"actions:\n  try_it: |\n{block}  # behind\n  other:   |\n     nothing\n"
    once = formatted(text, folder)
    assert formatted(once, folder) == once
    assert re.sub(r"[ ]", "", once) == re.sub(r"[ ]", "", text)
    before, after = (meaning(documents_of(Source("r", t), Report()), folder / "r") for t in (text, once))
    assert before == after


SIMPLE = st.sampled_from(
    ["nothing", "leave", "x = -1", "me.score += 2*(a+b)", "move (c in hand where c.cost>1) to z", 'say "{a}  b"']
)
EFFECTS = st.recursive(
    SIMPLE.map(lambda line: [line]),
    lambda inside: st.one_of(
        st.tuples(st.sampled_from(["if a :", "for x in y:", "repeat 2 times:", "while a==b:"]), inside).map(
            lambda parts: [parts[0], *(f" {line}" for line in parts[1])]
        ),
        st.tuples(inside, inside).map(lambda parts: [*parts[0], *parts[1]]),
        st.tuples(inside, inside).map(
            lambda parts: ["if a:", *(f"    {line}" for line in parts[0]), "else:", *(f"  {line}" for line in parts[1])]
        ),
        st.tuples(inside, st.integers(0, 9)).map(lambda parts: [*parts[0], " " * parts[1] + "# a comment"]),
        st.tuples(inside, st.integers(1, 9)).map(
            lambda parts: [*parts[0][:-1], parts[0][-1] + " " * parts[1] + "# behind"]
        ),
        inside.map(lambda lines: [*lines, ""]),
    ),
    max_leaves=8,
)


@settings(max_examples=150)
@given(EFFECTS, st.integers(1, 5))
def test_any_effect_keeps_its_meaning_and_its_comments(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], margin: int
) -> None:
    folder = tmp_path_factory.getbasetemp()
    body = "".join(f"{' ' * (margin + 2)}{line}\n" if line else "\n" for line in ["nothing", *lines])
    text = f"actions:\n  try_it: |\n{body}"
    assert not list_of_errors(text, folder)
    once = formatted(text, folder)
    assert formatted(once, folder) == once
    assert re.findall(r"#.*", once) == re.findall(r"#.*", text)
    assert [line.strip() == "" for line in once.split("\n")] == [line.strip() == "" for line in text.split("\n")]
    before, after = (meaning(documents_of(Source("r", t), Report()), folder / "r") for t in (text, once))
    assert before == after
    assert "\n    nothing\n" in once


def list_of_errors(text: str, folder: Path) -> list[houserule.Diagnostic]:
    file = folder / "rules.yaml"
    file.write_text(text, encoding="utf-8")
    return houserule.format(file).diagnostics


# --- everything else stays --------------------------------------------------------------------------------------------


def test_only_effects_change(tmp_path: Path) -> None:
    text = """\
# yaml-language-server: $schema=../schema/game.schema.json
title:   {en:  "Two   blanks:  {a+b}",  de: 'x'}   # a  comment
variables:
  score( player ):   0..9=3     # of  YAML
translations: {de: {"Draw   {a+b}?":  "Ziehen   ?"}}
components:
  card:
    attributes:  {cost:   0 .. 6}
    effects: [ wish( player  p ) ]
    pieces:
      one: {cost: [ 1,2,   3 ],   wish: "move  a to b"}
      two:
        wish: 'say  "it''s  {a+b}" ;leave'
      three:
        wish: "say  \\"{a+b}\\" ;leave"
functions:
  f( int a,int b ):   a+b
  g: >-
    a+b  -
    c
actions:
  late: |-

        # first
        if a :
            say "x   y"   # of the  effect


  next:   nothing
  last:   if a:leave
"""
    wanted = """\
# yaml-language-server: $schema=../schema/game.schema.json
title:   {en:  "Two   blanks:  {a+b}",  de: 'x'}   # a  comment
variables:
  score(player):   0..9 = 3     # of  YAML
translations: {de: {"Draw   {a+b}?":  "Ziehen   ?"}}
components:
  card:
    attributes:  {cost:   0..6}
    effects: [ wish(player p) ]
    pieces:
      one: {cost: [ 1,2,   3 ],   wish: "move a to b"}
      two:
        wish: 'say "it''s  {a+b}"; leave'
      three:
        wish: "say \\"{a+b}\\"; leave"
functions:
  f(int a, int b):   a + b
  g: >-
    a + b -
    c
actions:
  late: |-

    # first
    if a:
      say "x   y"   # of the  effect


  next:   nothing
  last:   if a:leave
"""
    assert formatted(text, tmp_path) == wanted
    assert list_of_errors(text, tmp_path) == []


def test_scenarios_are_formatted_as_well(tmp_path: Path) -> None:
    text = """\
of:   g
players: [a,b]
---
scenario:   x=1
given:  |
     x=1
setup:
  - roll: {n: [ 3,1 ]}
play:
  - deck: {"chest[ gold ]": [a#1]}
  - maya:   {slot:   gold}
  - do: {as: maya, effect: 'x=2'}
  - do: |
        x=3
  - expect: a==b
expect:
  - a==b
  - "c [ 1 ]"
"""
    wanted = """\
of:   g
players: [a,b]
---
scenario:   x=1
given:  |
  x = 1
setup:
  - roll: {n: [ 3,1 ]}
play:
  - deck: {"chest[gold]": [a#1]}
  - maya:   {slot:   gold}
  - do: {as: maya, effect: 'x = 2'}
  - do: |
      x = 3
  - expect: a == b
expect:
  - a == b
  - "c[1]"
"""
    assert formatted(text, tmp_path) == wanted


def test_a_layout_that_would_change_a_meaning_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What would be a bug of the formatter costs a layout, never a rule."""

    def without_blanks(*arguments: Any) -> list[Line]:
        lines = lay_out(*arguments)
        for line in lines:
            for word in line.words:
                word.blanks = 0
        return lines

    monkeypatch.setattr("houserule.workshop.formatting.lay_out", without_blanks)
    text = "actions:\n  a: |\n    x=a in   b\n"
    assert formatted(text, tmp_path) == text


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_breaks_and_what_stands_before_the_text_stay(tmp_path: Path, line_break: str, mark: str) -> None:
    text = mark + line_break.join(["actions:", "  a: |", "     x=1", "", "     y=2", ""])
    wanted = mark + line_break.join(["actions:", "  a: |", "    x = 1", "", "    y = 2", ""])
    assert formatted(text, tmp_path) == wanted


@pytest.mark.parametrize(
    "block",
    [
        "  a: |4\n      x = 1\n",  # says itself how far in it stands
        "  a: |\n      x = 1\n    # of YAML, and it would be of the effect\n  b: nothing\n",
        "  a:\n      |\n      x = 1\n",
    ],
)
def test_a_margin_that_means_something_stays(tmp_path: Path, block: str) -> None:
    text = f"actions:\n{block}"
    assert formatted(text.replace("x = 1", "x=1"), tmp_path) == text


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("actions:\n  a: |\n     x=1\n     y=(2\n  b: |\n     z=3\n", "HR4"),
        ("actions: {a: |\n", "HR1"),
        ("actions: &x {a:   x=1}\n", "HR110"),
        ("", "HR106"),
        ("- a\n", "HR116"),
    ],
)
def test_what_cannot_be_understood_stays_and_is_said(tmp_path: Path, text: str, code: str) -> None:
    file = tmp_path / "rules.yaml"
    file.write_text(text, encoding="utf-8")
    done = houserule.format(file)
    assert [found.code for found in done.diagnostics if found.code.startswith(code)]
    assert done.after == text.replace("     z=3", "    z = 3")


@pytest.mark.parametrize("content", [b"\xff\xfea", b"a: \xff", b"a: \0", None])
def test_what_is_no_text_is_said_and_left_alone(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "rules.yaml"
    if content is not None:
        file.write_bytes(content)
    done = houserule.format(file)
    assert done.diagnostics
    assert not done.is_changed


HOSTILE = """\
a: &a [x, x]
b: &b [*a, *a, *a]
---
actions: {x: "!!python/object:os.system"}
---
actions: ["""


@pytest.mark.parametrize(
    "text",
    [
        HOSTILE,
        "actions:\n  a: |\n" + "".join(f"    {' ' * depth}if a:\n" for depth in range(500)),
        "actions:\n  a: " + "(" * 5000 + "\n",
        "actions: " + "{a: " * 500 + "\n",
        "actions:\n  a: |\n    x=1\n" + "    # c\n" * 3000,
        "actions:\n  a: " + "x " * 200_000 + "\n",
        "actions:\n  ? |\n    x=1\n  : |\n    y=1\n",
        'functions:\n  a: "x=\\x20 1 \\\n   + 2"\n',
        "actions:\n  a: |+\n    x=1\n\n\n",
        "actions:\n  a: |\n    x=1",
        "actions:\n  a: | # of YAML\n    x=1\n",
    ],
)
def test_odd_and_hostile_files_never_stop_the_formatter(text: str, tmp_path: Path) -> None:
    once = formatted(text, tmp_path)
    assert formatted(once, tmp_path) == once
    assert re.sub(" ", "", once) == re.sub(" ", "", text)


@pytest.mark.parametrize("page", ["README.md", "docs/language.md", "docs/cookbook.md"])
def test_what_the_manual_shows_has_the_one_layout(page: str, tmp_path: Path) -> None:
    text = (GAMES.parent / page).read_text(encoding="utf-8")
    blocks = re.findall(r"(?ms)^```(yaml|effect)[^\n]*\n(.*?)^```", text)
    assert blocks
    for language, block in blocks:
        rules = block
        if language == "effect":
            rules = "actions:\n  shown: |\n" + "".join(f"    {line}\n" if line else "\n" for line in block.split("\n"))
        assert formatted(rules, tmp_path) == rules


# --- which texts there are --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", LARGE)
def test_the_schema_knows_every_text_that_the_language_is_asked_to_read(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is parsed when a game and its scenarios are loaded is what the formatter finds in their files."""
    parsed: set[tuple[tuple[str, ...], int, int]] = set()

    def noting(original: Callable[..., object]) -> Callable[..., object]:
        def note(fragment: object, *rest: object) -> object:
            span = fragment.span(1, 1, 1, 1)  # type: ignore[attr-defined]
            parsed.add((Path(span.file).parts[-2:], span.line, span.column))
            return original(fragment, *rest)

        return note

    for module, name in ((reader, "parse"), (scenario, "parse")):
        monkeypatch.setattr(module, name, noting(getattr(module, name)))
    folder, report = GAMES / game, Report()
    variants = [read_variant(file, report, str(file)) for file in sorted((folder / "variants").glob("*.yaml"))]
    for chosen in ([], *([variant] for variant in variants if variant is not None)):
        load_game(folder, report, PREPOSITIONS, str(folder / "game.yaml"), chosen)
    for file in sorted((folder / "scenarios").glob("*.yaml")):
        scenario.ScenarioReader(report, PREPOSITIONS).file(file, str(file))
    known: set[tuple[tuple[str, ...], int, int]] = set()
    for file in sorted(folder.rglob("*.yaml")):
        report = Report()
        source = open_source(file, file.parent, report, str(file), None)
        assert source is not None
        for text in texts_of(documents_of(source, report), file):
            span = text.scalar.fragment.span(1, 1, 1, 1)
            known.add((file.parts[-2:], span.line, span.column))
    assert parsed
    # What is not to be seen may be an expression, or `secret of maya`, which is none.
    lines = {file.parts[-2:]: file.read_text(encoding="utf-8").split("\n") for file in folder.rglob("*.yaml")}
    assert not [place for place in parsed - known if "unseen:" not in lines[place[0]][place[1] - 1]]


# --- which files ------------------------------------------------------------------------------------------------------


def test_a_path_stands_for_the_files_of_rules_below_it(tmp_path: Path) -> None:
    for name in (
        "x/game.yaml",
        "x/parts/a.yaml",
        "x/variants/b.yaml",
        "x/.cache/c.yaml",
        "x/n.txt",
        "ci.yaml",
        ".y/game.yaml",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("a: b\n", encoding="utf-8")

    def names(path: Path) -> list[str]:
        return [file.relative_to(tmp_path).as_posix() for file in houserule.rule_files(path)]

    assert names(tmp_path) == ["x/game.yaml", "x/parts/a.yaml", "x/variants/b.yaml"]
    assert names(tmp_path / "x") == names(tmp_path)
    assert names(tmp_path / "x" / "variants") == ["x/variants/b.yaml"]
    assert names(tmp_path / "ci.yaml") == ["ci.yaml"]
