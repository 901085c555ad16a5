"""What effects do: each chunk of `effects/*.effects` is played in the game of `game.yaml` and compared with what it says.

A file is a list of chunks. A chunk begins with a line `--- what it shows` and holds, in this order:

- declarations in YAML that are added to the game (a `flow:` among them replaces the effect), closed by a line `do:`;
- an effect, which the first of the players ann, ben and cem performs in a turn of theirs;
- what is to come of it, a line each, looked at in turn:

  `expect: level == 2`              holds now, for ann as me
  `answer: ann: corn`               ann answers that: a key, a label, or a list of those
  `options: ann: [corn, date]`      she has exactly these options (by key)
  `refuse: ann: apple`              that answer is not legal and changes nothing
  `pending: [ann, ben]`             who is to choose now
  `said: [Hello., Good-bye.]`       all that `say` told so far
  `over`                            the match is over

Before the first of them, `players: 2`, `roll: [3, 1]` and `seed: 7` set the match up.

`### HR510 part of the message` beside a line of declarations or of the effect is a diagnostic about that line, and
`### fault part of the message` a fault of a rule there; the words are a regular expression, several are divided by a further
`###`. What is said but not expected fails, and so does what is expected but not said. After a fault the match stands as it did.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from houserule.compiler.program import compile_game
from houserule.definition.check import Rules, check_game
from houserule.definition.flow import ScoreLine, score_lines
from houserule.definition.load import Loaded, merge
from houserule.definition.model import ScoreLineDefinition, StepDefinition, game_of
from houserule.definition.reader import Reader
from houserule.definition.readings import Readings
from houserule.diagnostics import Report, Span
from houserule.language import nodes
from houserule.match.game import Game
from houserule.match.match import IllegalAnswer, Match
from houserule.operations import PREPOSITIONS
from houserule.running.faults import RuleFault
from houserule.running.state import State
from houserule.source import Mapping, read_file
from houserule.workshop.library import OPERATIONS
from tests.reading import read_text

HERE = Path(__file__).parent
FILES = sorted((HERE / "effects").glob("*.effects"))
NAMES = ("ann", "ben", "cem", "dot")
DIRECTIVE = re.compile(r"(expect|answer|options|refuse|pending|said|players|roll|seed|over)(?::(?= )|$)\s*(.*)")
SETTINGS = ("players", "roll", "seed")


@dataclass
class Chunk:
    """One chunk of a file: where its parts begin, and what is expected of them."""

    file: str
    line: int
    title: str
    declarations: str = ""
    effect: str = ""
    effect_line: int = 0
    directives: list[tuple[int, str, str]] = field(default_factory=list)
    remarks: list[tuple[int, str]] = field(default_factory=list)

    @property
    def settings(self) -> dict[str, Any]:
        """What is set up before the match."""
        return {word: yaml.safe_load(value) for _, word, value in self.directives if word in SETTINGS}


def chunks_of(path: Path) -> list[Chunk]:
    """The chunks of a file."""
    found: list[Chunk] = []
    lines: list[str] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if line.startswith("--- "):
            found.append(Chunk(path.name, number, line[4:]))
            lines = []
            continue
        if not found:
            continue
        chunk = found[-1]
        text, *remarks = line.split("###")
        chunk.remarks += [(number, remark.strip()) for remark in remarks]
        if directive := DIRECTIVE.fullmatch(text.rstrip()):
            chunk.directives.append((number, directive[1], directive[2]))
        elif text.rstrip() == "do:":
            chunk.declarations = "\n" * chunk.line + "\n".join(lines)
            chunk.effect = ""
        elif chunk.directives and text.strip() and not text.startswith("#"):
            raise ValueError(f"{path.name}:{number}: an effect comes before what is expected of it")
        else:
            lines.append(text.rstrip())
            if text.strip() and not chunk.directives:
                chunk.effect_line = chunk.effect_line if chunk.effect else number
                chunk.effect += "\n" * (number - chunk.effect_line - chunk.effect.count("\n")) + text.rstrip()
    return found


def chunk_file(path: Path) -> list[Chunk]:
    """The chunks of a file, whose `flow:` may stand in place of an effect."""
    found = chunks_of(path)
    for chunk in found:
        if re.search(r"^flow:", chunk.effect, re.MULTILINE):
            chunk.declarations = "\n" * (chunk.effect_line - 1) + chunk.effect
            chunk.effect = ""
    return found


@cache
def base() -> Mapping:
    """The tree of the game that all chunks share."""
    report = Report()
    tree = read_file(HERE / "game.yaml", HERE, report, "game.yaml")
    assert tree is not None, report.diagnostics
    return tree


def definition_of(chunk: Chunk, report: Report) -> tuple[Mapping, Any]:
    """The game with what the chunk declares, and its effect as the one step of its flow."""
    tree = base()
    if chunk.declarations.strip():
        added = read_text(chunk.declarations, chunk.file, report)
        assert added is not None, report.diagnostics
        tree = merge(tree, added, report)
    reader = Reader(report, PREPOSITIONS, Readings())
    definition = game_of(reader, tree, "chunks")
    if definition.flow:
        return tree, definition
    indented = "\n".join("  " + line for line in chunk.effect.split("\n"))
    written = read_text("\n" * (chunk.effect_line - 2) + "do: |\n" + indented, chunk.file, report)
    assert written is not None, report.diagnostics
    span = Span(chunk.file, chunk.effect_line)
    block = (reader.block(written.entries["do"].value) if chunk.effect else None) or nodes.Block(span, ())
    turns = nodes.Binding(span, None, None, nodes.ListOf(span, (nodes.Name(span, NAMES[0]),)))
    step = StepDefinition("play", "play", span, turns=turns, do=block)
    return tree, replace(definition, flow=(step,))


def expectation(chunk: Chunk, number: int, line: int, text: str, report: Report) -> ScoreLineDefinition:
    """An expectation as a line of a score sheet, which is how an expression is asked at any time."""
    reader = Reader(report, PREPOSITIONS, Readings())
    written = read_text("\n" * (line - 1) + f"expect: '{text.replace(chr(39), chr(39) * 2)}'", chunk.file, report)
    assert written is not None, report.diagnostics
    value = written.entries["expect"].value
    condition = reader.expression(value) or nodes.Truth(value.span, True)
    one, zero = nodes.Number(value.span, 1), nodes.Number(value.span, 0)
    points = nodes.Conditional(value.span, one, condition, zero)
    return ScoreLineDefinition(f"expect_{number}", value.span, points=points)


def prepare(chunk: Chunk, report: Report) -> Match | None:
    """The match of a chunk before its first step; None where the checker refuses it."""
    tree, definition = definition_of(chunk, report)
    players = chunk.settings.get("players", 3)
    checked = check_game(Rules(definition, OPERATIONS), players, report, seats=NAMES[:players])
    if checked is None:
        return None
    if any("HR58" in remark for _, remark in chunk.remarks):
        checked.secrets.check(report)  # what comes to light in a chunk about something else is no matter of it
    lines: list[ScoreLine] = []
    for number, (line, word, text) in enumerate(chunk.directives):
        if word == "expect":
            made = expectation(chunk, number, line, text, report)
            lines += score_lines(checked.analysis, replace(made, name=f"expect_{line}"))
    checked.lines = tuple(lines)
    if report.has_errors:
        return None
    program = compile_game(checked, told=True)
    game = Game(Loaded(HERE / "game.yaml", tree, definition, ()), {players: checked}, {}, [])
    seed = chunk.settings.get("seed", 1)
    match = Match(game, program, State(program, Random(seed)), NAMES[:players], seed, "en")
    if "roll" in chunk.settings:
        match.state.script = Dice(chunk.settings["roll"])
    return match


class Dice:
    """Chance as a chunk wants it: the values that come, in order."""

    def __init__(self, values: list[int]) -> None:
        self.values = list(values)

    def rolled(self, s: Any, name: str, values: Any) -> int | None:
        return self.values.pop(0) if self.values else None

    def shuffled(self, s: Any, zone: int) -> None:
        """Shuffles are not scripted."""


def follow(chunk: Chunk, match: Match, problems: list[str]) -> list[tuple[int, str]]:
    """Play the chunk and look at everything it expects; the faults that came up, by line."""
    faults: list[tuple[int, str]] = []

    def guarded(work: Any, *arguments: Any) -> None:
        try:
            work(*arguments)
        except RuleFault as fault:
            if fault.span.file != chunk.file:
                raise
            faults.append((fault.span.line, f"fault {fault.message}"))

    guarded(match._go, match.program.entry)
    for line, word, text in chunk.directives:
        where = f"{chunk.file}:{line}"
        match word:
            case "expect":
                if not dict(match.program.points)[f"expect_{line}"](match.state)[0]:
                    problems.append(f"{where}: does not hold: {text}")
            case "answer" | "refuse":
                player, _, answer = text.partition(": ")
                value = yaml.safe_load(answer)
                try:
                    guarded(match.answer, player, value)
                    if word == "refuse":
                        problems.append(f"{where}: '{answer}' is legal")
                except IllegalAnswer as error:
                    if word == "answer":
                        problems.append(f"{where}: {error}")
            case "options":
                player, _, keys = text.partition(": ")
                found = next(([o.key for o in c.single] for c in match.pending if c.player == player), None)
                if found != [str(k) for k in yaml.safe_load(keys)]:
                    problems.append(f"{where}: the options are {found}")
            case "pending":
                who = [c.player for c in match.pending]
                if who != yaml.safe_load(text):
                    problems.append(f"{where}: {who} are to choose")
            case "said":
                said = [e.text for e in match.events if e.kind == "say"]
                if said != yaml.safe_load(text):
                    problems.append(f"{where}: said was {said}")
            case "over":
                if not match.is_over:
                    problems.append(f"{where}: the match is not over; {[repr(c) for c in match.pending]}")
    if not match.is_over and not faults and not any(word == "pending" for _, word, _ in chunk.directives[-1:]):
        problems.append(
            f"{chunk.file}:{chunk.line}: at the end somebody is still to choose: {[repr(c) for c in match.pending]}"
        )
    return faults


def compare(chunk: Chunk, found: list[tuple[int, str]], problems: list[str]) -> None:
    """What was said of each line against what the chunk says will be."""
    left = list(found)
    for line, remark in chunk.remarks:
        code, _, words = remark.partition(" ")
        fitting = next(
            (s for s in left if s[0] == line and s[1].startswith(f"{code} ") and re.search(words, s[1])), None
        )
        if fitting is None:
            problems.append(
                f"{chunk.file}:{line}: expected '{remark}', and it did not come; of this line: {[s for at, s in found if at == line]}"
            )
        else:
            left.remove(fitting)
    problems += [f"{chunk.file}:{line}: unexpected: {said}" for line, said in left]


@pytest.mark.parametrize("chunk", [pytest.param(c, id=f"{p.stem}: {c.title}") for p in FILES for c in chunk_file(p)])
def test_effects_do_what_their_chunks_say(chunk: Chunk) -> None:
    report = Report()
    problems: list[str] = []
    match = prepare(chunk, report)
    found = [(d.span.line, f"{d.code} {d.message}") for d in report.diagnostics if d.span.file == chunk.file]
    problems += [
        f"outside the chunk: {d}" for d in report.diagnostics if d.span.file != chunk.file and d.severity == "error"
    ]
    if match is not None:
        found += follow(chunk, match, problems)
    compare(chunk, found, problems)
    if problems:
        pytest.fail("\n".join(problems), pytrace=False)
