"""What happens before a match, and what is told of it, is bounded as its rules are.

Many pieces, options, events and long titles, each by itself: each game is played as the command does it, and may take no more
processor time than rules may work in a match, on a slow machine. Rules that are too large are refused, in a process of their own.
"""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

import houserule
from houserule.bots.playing import bots_at, play
from houserule.bundled import groups
from houserule.cli.application import application
from houserule.cli.report import MOST_OF_A_KIND
from houserule.definition import scenario
from houserule.definition.readings import Readings
from houserule.diagnostics import Diagnostic, Report, Span, render
from houserule.language import scope
from houserule.language.scope import MOST_UNITS
from houserule.operations.fuel import allow_work
from houserule.rehearsing import scenarios
from houserule.rehearsing.validate import validate
from houserule.running.playout import play as play_at_random
from houserule.running.state import State
from houserule.trial import check as trial
from houserule.trial.check import Wanted, check
from houserule.workshop.library import examine, find
from tests.taking_long import but_later

MANY = 300
PART = 0.02
"""What part of the usual work is allowed here, so that the tests take little time."""
MOST_SECONDS = 10
TURN = "  turn:\n    repeat: 2000\n    turns: players\n    do: |\n"
ASK = "      choose x from 1..3\n      me.score += x\n"


def game_of(do: str, *, visible: str = "all", card: str = "", players: str = "2", rest: str = "") -> str:
    """A game with many cards, in which a turn does this."""
    return (
        f"edition: 2026\ngame: hostile\nplayers: {players}\nzones:\n"
        f"  deck: {{holds: card, visible: {visible}}}\n  pile: {{holds: card, visible: all}}\n"
        f"  hand(player): {{holds: card, visible: owner, order: none}}\n"
        f"components:\n  card:\n    starts_in: deck\n{card}"
        f"    attributes: {{no: 1..{MANY}}}\n    each: {{no: 1..{MANY}}}\n"
        "variables:\n  score(player): int\n  n: int\n  seen: {type: int, per_position: [deck, pile]}\n"
        f"flow:\n{TURN}{do}scoring:\n  own: me.score + n + seen + count(pile) + count(me.hand)\n{rest}"
    )


GAMES: dict[str, Callable[[], str]] = {
    "options": lambda: game_of("      choose c from deck\n      me.score += c!.no\n"),
    "selections": lambda: game_of(f"      choose 0..{MANY} cs from deck\n      me.score += count(cs)\n"),
    "events": lambda: game_of("      repeat 300 times: n += 1\n" + ASK),
    "events for many": lambda: game_of("      repeat 300 times: n += 1\n" + ASK, players="20"),
    "shuffles": lambda: game_of("      repeat 30 times: shuffle deck\n" + ASK),
    "shows": lambda: game_of("      repeat 30 times: show deck to players\n" + ASK, visible="none"),
    "positions": lambda: game_of("      repeat 30 times:\n        shuffle deck\n        seen += 1\n" + ASK),
    "sights that change": lambda: game_of("      choose x from 1..3\n      n += x\n", visible="n % 2 == 0"),
    "hidden hands": lambda: game_of(
        "      shuffle deck\n      draw 250 from deck to me.hand\n" + ASK + "      move me.hand to deck\n",
        visible="none",
    ),
    "moves at once": lambda: game_of(
        "      together players:\n        choose c from deck:\n          me.score += c.no\n"
    ),
    "names of many": lambda: game_of(
        '      repeat 30 times: say "{deck} {n}"\n' + ASK, card=f'    title: "{"x" * 9000} {{it.no}}"\n'
    ),
    "long sentences": lambda: game_of(
        f'      repeat 99 times:\n        n += 1\n        say "{"x" * 9000} {{n}}"\n' + ASK
    ),
    "titles that show titles": lambda: game_of(
        "      choose c from deck\n      me.score += c!.no\n",
        card='    title: "{next(it)} {next(it)} {previous(it)}"\n',
    ),
}


def seconds() -> float:
    """The processor time of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


@pytest.mark.parametrize("what", GAMES)
def test_what_is_told_is_work_as_well(what: str, tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(GAMES[what](), encoding="utf-8")
    game = houserule.load(tmp_path)
    usual, before = allow_work(), seconds()
    allow_work(PART)
    try:
        with pytest.raises(houserule.RuleFault, match="takes too long"):
            match = game.start(game.players[0], seed=1)
            play(match, bots_at(match, ["random"] * len(match.players), 1), 1)
    finally:
        allow_work(usual)
    assert seconds() - before < MOST_SECONDS


@pytest.mark.parametrize(
    ("effect", "growth"),
    [
        (f"for i in 1..{MANY}: n = count(last(deck, i))", 8),
        (f"choose 0..{MANY} cs from deck\n      n = count(cs)", 4),
    ],
    ids=["lists that are copied", "selections"],
)
def test_the_work_grows_with_the_pieces(effect: str, growth: int, tmp_path: Path) -> None:
    used = []
    for factor in (1, 8):
        text = game_of(f"      {effect}\n{ASK}").replace("repeat: 2000", "repeat: 2")
        (tmp_path / "game.yaml").write_text(text.replace(str(MANY), str(MANY * factor)), encoding="utf-8")
        program = houserule.load(tmp_path).program(2, told=False)
        s = State(program, Random(1))
        before = s.fuel + s.reserve
        play_at_random(program, s, Random(1))
        used.append(before - s.fuel - s.reserve)
    assert used[1] > growth * used[0]


def test_a_score_sheet_for_thousands_shares_what_it_goes_through(tmp_path: Path) -> None:
    lines = "  each: {for: c in card, points: count(d in card where d.no < c.no)}\n"
    (tmp_path / "game.yaml").write_text(game_of(ASK, rest=lines), encoding="utf-8")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert not [found for found in validate(tmp_path) if found.severity == "error"]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000


@pytest.mark.parametrize(
    "effect",
    [
        "n = count(n for " + " for ".join(f"i{k} in 1..1" for k in range(200)) + ")",
        'choose "Which?":\n' + "".join(f'        "Option {k}": n += 1\n' for k in range(300)),
    ],
    ids=["lists in a row", "lines of a menu"],
)
def test_what_becomes_nested_is_counted_as_nested(effect: str, tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(game_of(f"      {effect}\n"), encoding="utf-8")
    assert "HR420" in [found.code for found in validate(tmp_path) if found.severity == "error"]


# --- before a match ---------------------------------------------------------------------------------------------------

MOST_KILOBYTES = 500_000
MEASURED = """\
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stderr=subprocess.STDOUT)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss, file=sys.stderr)
"""
"""Runs a command from a small process: a child counts the memory of whoever starts it as its own."""
A_GAME = "edition: 2026\ngame: hostile\nplayers: 2\nvariables: {n: int}\nflow: {turn: {do: n += 1}}\n"


def many(section: str, entry: str, count: int) -> str:
    """A section with many entries."""
    return f"{section}:\n" + "".join(f"  {entry.format(i)}\n" for i in range(count))


def included(count: int, text: str) -> dict[str, str]:
    """A game that includes so many files, each with this text."""
    names = [f"p{i}.yaml" for i in range(count)]
    return {"game.yaml": f"{A_GAME}include: [{', '.join(names)}]\n"} | {
        name: text.format(i) for i, name in enumerate(names)
    }


TOO_LARGE: dict[str, Callable[[], dict[str, str]]] = {
    "values": lambda: included(12, "tables:\n  t{0}: [" + "1, " * 15_000 + "1]\n"),
    "characters": lambda: included(30, "text: |\n  " + "words " * 300_000 + "\n"),
    "lines": lambda: included(2, "\n" * 1_900_000),
}
"""What is read."""
TOO_MUCH: dict[str, Callable[[], dict[str, str]]] = {
    "values": lambda: {"game.yaml": A_GAME + many("tables", "t{0}: [1, 2, 3]", 4_000)},
    "expressions": lambda: {"game.yaml": A_GAME + many("functions", f"f{{0}}: {' + '.join(['n'] * 90)}", 100)},
    "statements": lambda: {"game.yaml": A_GAME + many("actions", "a{0}: |\n" + "    n += 1\n" * 200, 10)},
    "questions": lambda: {"game.yaml": A_GAME + many("actions", "a{0}: |\n    choose x from 1..9\n    n = x\n", 200)},
    "menus": lambda: {"game.yaml": A_GAME + many("actions", "a{0}: |\n    choose:\n" + '      "X": n = 1\n' * 30, 20)},
    "mistakes": lambda: {"game.yaml": A_GAME + many("functions", "f{0}: 1 + + 2 )", 600)},
    "sentences": lambda: {"game.yaml": A_GAME + f"text: |\n  {'{n} and ' * 12_000}\n"},
    "steps": lambda: {"game.yaml": A_GAME.replace("flow: {", many("flow", "s{0}: {{do: n += 1}}", 500) + "#")},
    "scenarios": lambda: {
        "game.yaml": A_GAME,
        "scenarios/s.yaml": "---\n".join(
            f"scenario: s{i}\nof: hostile\nplayers: [anna, b{i}]\nplay: [do: n += {i}]\n" for i in range(400)
        ),
    },
}
"""What is parsed, checked and compiled, for a tenth of the budget."""


def write(files: dict[str, str], folder: Path) -> None:
    """Write these files."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("what", but_later(TOO_LARGE, {"characters", "values"}))
def test_files_that_are_too_large_together_are_refused_before_they_take_long(what: str, tmp_path: Path) -> None:
    write(TOO_LARGE[what](), tmp_path)
    command = [sys.executable, "-m", "houserule", "validate", "--no-cache", str(tmp_path)]
    done = subprocess.run([sys.executable, "-c", MEASURED, *command], capture_output=True, text=True, check=False)
    seconds, kilobytes = map(float, done.stderr.split())
    assert "HR107" in done.stdout, done.stdout[:500]
    assert seconds < MOST_SECONDS
    assert kilobytes < MOST_KILOBYTES


@pytest.mark.parametrize("what", TOO_MUCH)
def test_rules_that_are_too_large_are_refused_before_they_take_long(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scope, "MOST_UNITS", MOST_UNITS // 10)
    monkeypatch.setattr(scenario, "MOST_OF_SCENARIOS", MOST_UNITS // 10)
    write(TOO_MUCH[what](), tmp_path)
    before = seconds()
    assert {"HR107", "HR564"} & {found.code for found in validate(tmp_path)}
    assert seconds() - before < MOST_SECONDS / 3  # with a tenth of the work, and most of what surrounds it


REMOVING: dict[str, Callable[[], str]] = {
    "a path of very many words": lambda: f"['{'.'.join(['flow'] * 20_000)}']",
    "very many paths": lambda: f"[{', '.join(f'flow.s{i}.do' for i in range(5_000))}]",
}
"""What a house rule may say that it removes."""


@pytest.mark.parametrize("what", REMOVING)
def test_a_house_rule_that_removes_what_is_not_there_takes_no_time(what: str, tmp_path: Path) -> None:
    rule = f"variant: v\nof: hostile\ntitle: V\nremove: {REMOVING[what]()}\n"
    write({"game.yaml": A_GAME, "variants/v.yaml": rule}, tmp_path)
    before = seconds()
    assert "HR706" in {found.code for found in validate(tmp_path)}
    assert seconds() - before < MOST_SECONDS / 2


def test_a_rulebook_of_very_many_lines_is_compared_in_no_time(tmp_path: Path) -> None:
    (tmp_path / "rules.md").write_text("\n" * 1_000_000, encoding="utf-8")
    write({"game.yaml": A_GAME}, tmp_path)
    before = seconds()
    done = CliRunner().invoke(application, ["rulebook", str(tmp_path), "--check", str(tmp_path / "rules.md")])
    assert done.exit_code == 1
    assert re.search(r"… and \d{6,7} more lines", done.output), done.output[-200:]
    assert seconds() - before < MOST_SECONDS / 2


def test_the_variants_and_scenarios_of_a_game_have_a_limit_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {f"variants/v{i}.yaml": f"variant: v{i}\nof: hostile\n" for i in range(5)}
    files |= {
        f"scenarios/s{i}.yaml": f"scenario: s{i}\nof: hostile\nplayers: [anna, ben]\nplay: [do: n += 1]\n"
        for i in range(5)
    }
    write({"game.yaml": A_GAME} | files, tmp_path / "one")
    readings = Readings()
    assert "HR588" not in {found.code for found in validate(tmp_path / "one", readings=readings)}
    monkeypatch.setattr(scope, "MOST_TOGETHER", readings.spent)
    write({"game.yaml": A_GAME} | files, tmp_path / "other")
    assert "HR588" not in {found.code for found in validate(tmp_path)}, "each game has a limit of its own"
    monkeypatch.setattr(scope, "MOST_TOGETHER", 100)
    found = validate(tmp_path / "one")
    (left,) = (one for one in found if one.code == "HR588")
    assert left.help == f"houserule validate {left.span.file}" and not any(one.severity == "error" for one in found)


def test_very_many_rules_are_played_but_not_examined_closely(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"game.yaml": A_GAME}, tmp_path)
    assert check(tmp_path, Wanted(1, 1)).matches == 2
    monkeypatch.setattr(trial, "LARGEST_EXAMINED", 1)
    found = check(tmp_path, Wanted(1, 1))
    (left,) = (one for one in found.diagnostics if one.code == "HR588")
    assert "not examined closely" in left.message and left.help == f"houserule check {tmp_path} --work 10"
    assert found.matches == 1 and not found.failed
    usual = allow_work()
    allow_work(100_000)
    try:
        assert check(tmp_path, Wanted(1, 1)).matches == 2
    finally:
        allow_work(usual)


def test_of_many_messages_of_one_kind_it_is_said_how_many_more_there_are(tmp_path: Path) -> None:
    variables = ", ".join(f"v{i}: int" for i in range(100))
    write({"game.yaml": A_GAME.replace("n: int", f"n: int, {variables}")}, tmp_path)
    said = CliRunner().invoke(application, ["validate", str(tmp_path)]).stderr
    assert said.count("warning HR571") == MOST_OF_A_KIND
    assert f"and {100 - MOST_OF_A_KIND} more of HR571\n100 warnings" in said


def test_what_a_table_leaves_behind_does_not_pile_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    collected: list[bool] = []
    write({"game.yaml": A_GAME.replace("players: 2", "players: 2..5")}, tmp_path)
    monkeypatch.setattr(trial.gc, "collect", lambda: collected.append(True))
    check(tmp_path, Wanted(1, 0))
    assert not collected
    monkeypatch.setattr(trial, "LARGEST_USUAL", 1)
    check(tmp_path, Wanted(1, 0))
    assert len(collected) == 4


def test_the_tables_that_are_tried_together_have_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(
        {"game.yaml": A_GAME.replace("players: 2", "players: 2..20"), "variants/v.yaml": "variant: v\nof: hostile\n"},
        tmp_path,
    )
    assert check(tmp_path, Wanted(1, 0)).tables == 38
    monkeypatch.setattr(trial, "MOST_TRIED", 100)
    found = check(tmp_path, Wanted(1, 0))
    (left,) = (one for one in found.diagnostics if one.code == "HR588")
    assert left.help == f"houserule check {tmp_path} --work 10"
    assert f"so {found.tables + 2} players and what follows" in left.message and not found.failed
    usual = allow_work()
    allow_work(10)
    try:
        assert check(tmp_path, Wanted(1, 0)).tables > found.tables
    finally:
        allow_work(usual)


def test_the_matches_at_all_tables_have_a_limit_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = game_of(ASK, players="2..9").replace("repeat: 2000", "repeat: 20").replace(str(MANY), "30")
    write({"game.yaml": text}, tmp_path)
    whole = check(tmp_path, Wanted(2, 2))
    assert (whole.tables, whole.matches) == (8, 32)
    assert "HR588" not in {one.code for one in whole.diagnostics}
    monkeypatch.setattr(trial, "MOST_PLAYED", whole.worked // 4)
    found = check(tmp_path, Wanted(2, 2))
    (left,) = (one for one in found.diagnostics if one.code == "HR588")
    assert f"there may be fewer with {found.tables + 1} players, and what follows is not tried" in left.message
    assert 1 < found.tables < 8 and whole.worked // 4 < found.worked < whole.worked // 2 and not found.failed
    assert check(tmp_path, Wanted(80, 0)).tables > found.tables, "who wants more matches gets more of them"


LONG = "do: |\n      repeat 300 times:\n        n += 1\n"


@pytest.mark.parametrize("where", ["in files", "in one file"])
@pytest.mark.parametrize("way", but_later(["test", "strict", "check", "pytest"], {"pytest"}))
def test_the_scenarios_that_are_run_together_have_a_limit_together(
    way: str, where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    each = [f"scenario: s{i}\nplayers: [anna, ben]\nplay:\n  - {LONG}" for i in range(5)]
    if where == "in files":
        files = {f"scenarios/s{i}.yaml": text for i, text in enumerate(each)}
    else:
        files = {"scenarios/s.yaml": "---\n".join(each)}
    write({"game.yaml": A_GAME} | files, tmp_path)
    # Within this process: without its handlers of signals, or those of native play are gone with them.
    plugins = ["-p", "no:cacheprovider", "-p", "no:faulthandler", "-q", str(tmp_path)]
    words = {
        "test": ["test", str(tmp_path)],
        "strict": ["test", "--strict", str(tmp_path)],
        "check": ["check", "-n", "1", str(tmp_path)],
    }.get(way)

    def run() -> str:
        if words is None:
            pytest.main(plugins)
            return capsys.readouterr().out
        return CliRunner().invoke(application, words).output

    assert "HR588" not in (said := run()) and "not run" not in said, said
    monkeypatch.setattr(scenarios, "IN_A_MATCH", 300)
    said = run()
    assert said.count("warning HR588") == (way != "pytest"), said
    assert {"check": "1 of 1 scenarios hold", "pytest": "1 passed, 4 skipped"}.get(way, "1 passed") in said
    if words and way != "check":
        assert f"{4 if where == 'in files' else 1} file" in said and "failed" not in said


def test_a_check_adds_many_diagnostics_in_no_time(tmp_path: Path) -> None:
    names = [f"p{i}.yaml" for i in range(600)]
    files = {name: f"tables: {{{name[:-5]}: 1}}\n" for name in names} | {
        "game.yaml": f"{A_GAME}include: [{', '.join(names)}]\n"
    }
    write(files, tmp_path)
    before = seconds()
    validated = len(validate(tmp_path))
    of_validating = seconds() - before
    assert validated >= len(names)
    assert len(check(tmp_path, Wanted()).diagnostics) == validated
    assert seconds() - before < 7 * of_validating


LISTS: dict[str, Callable[[], dict[str, str]]] = {
    "members": lambda: {"game.yaml": f"{A_GAME}enums: {{e: [{', '.join(f'm{i}' for i in range(9_000))}]}}\n"},
    "enums": lambda: {"game.yaml": A_GAME + many("enums", "e{0}: [a{0}, b{0}, c{0}]", 3_500)},
}
"""What each was once compared with all others."""


@pytest.mark.parametrize("what", LISTS)
def test_long_lists_take_no_longer_than_what_spends_the_budget(what: str, tmp_path: Path) -> None:
    write(LISTS[what](), tmp_path)
    before = seconds()
    validate(tmp_path)
    assert seconds() - before < MOST_SECONDS / 2


def test_a_position_given_for_a_match_is_within_the_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"game.yaml": A_GAME}, tmp_path)
    game = houserule.load(tmp_path)
    monkeypatch.setattr(scope, "MOST_UNITS", 300)
    assert game.start(2, seed=1, given="n = 7") is not None
    with pytest.raises(houserule.InvalidGame, match="HR564"):
        game.start(2, seed=1, given="n = 7\n" * 90)


def test_a_line_of_a_million_characters_is_shown_in_part() -> None:
    line, many_times = "a: " * 600_000, 50
    before = seconds()
    for column in range(1, many_times):
        found = Diagnostic("HR999", "error", "a sentence", Span("game.yaml", 1, column, 1, column + 90_000))
        assert len(render(found, lambda _, __: line)) < 1_000
    assert seconds() - before < 1


def test_each_bundled_game_takes_a_tenth_of_the_budget_at_most() -> None:
    for game in (game for group in groups().values() for game in group):
        readings = Readings(tells_secrets=True)
        _, checked, _ = examine(find(game), Report(), readings=readings)
        for one in checked.values():
            assert MOST_UNITS - one.analysis.budget.left < MOST_UNITS / 10, game
