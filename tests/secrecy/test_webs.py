"""The search for secrets ends, however rules call one another: it settles, or says where it has taken too much work."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from houserule.definition.readings import Readings
from houserule.diagnostics import Report
from houserule.language import scope
from houserule.language.scope import MOST_UNITS
from houserule.workshop.library import examine
from tests.taking_long import but_later

MOST_SECONDS = 20
"""The budget is meant for a quarter of this on a quiet machine."""
TURN = "flow:\n  turn:\n    turns: players\n    do: |\n      {}\n      choose x from 1..2\n      n = x\n"


def zones(number: int) -> str:
    """As many hidden zones, hidden variables and hidden names of players."""
    return (
        "edition: 2026\ngame: webs\nplayers: 2..4\nzones:\n"
        + "".join(f"  z{i}(player): {{holds: card, visible: owner, amount: owner}}\n" for i in range(number))
        + "components:\n  card:\n    attributes: {no: 1..99}\n    starts_in: z0[first(players)]\n    each: {no: 1..99}\n"
        + "variables:\n  n: int\n"
        + "".join(
            f"  v{i}(player): {{type: int, visible: owner}}\n"
            f"  q{i}(player): {{type: player = first(players), visible: none}}\n"
            for i in range(number)
        )
    )


def actions(number: int, parameters: str, body: Callable[[int], list[str]]) -> str:
    """Actions with these parameters."""
    return "actions:\n" + "".join(
        f"  a{i}({parameters}): |\n" + "".join(f"    {line}\n" for line in body(i)) for i in range(number)
    )


def players_beside(n: int) -> str:
    """Actions that call one another for the next player and the one before."""
    body = actions(
        n,
        "card c, player p",
        lambda i: [
            f"if c.no > p.v{i}: p.v{(i * 7 + 1) % n} = v{(i + 1) % n}[next(p)]",
            f"for d in z{i}[p] where d.no > c.no: move d to z{(i + 1) % n}[p]",
            f"if p.v{(i + 2) % n} > 99: perform a{(i + 1) % n}(c, next(p))",
            f"if p.v{(i + 3) % n} > 99: perform a{(i * 3 + 1) % n}(c, previous(p, 2))",
        ],
    )
    return zones(n) + body + TURN.format("for c in me.z0: perform a0(c, me)")


def players_of_players(n: int) -> str:
    """Actions that call one another for players who are known to other players."""
    body = actions(
        n,
        "card c, player p, player r",
        lambda i: [
            f"if c.no > p.v{i}: r.v{(i * 7 + 1) % n} = v{(i + 1) % n}[next(p)]",
            *(
                f"if p.v{(i + k) % n} > 9: perform a{(i * 5 + k * k + 1) % n}(c, p.q{(i + k) % n}, r.q{(i * 3 + k) % n})"
                for k in range(4)
            ),
        ],
    )
    return zones(n) + body + TURN.format("for c in me.z0: perform a0(c, me, next(me))")


def questions(n: int) -> str:
    """Actions that ask and call one another."""
    body = actions(
        n,
        "card c, player p",
        lambda i: [
            f'p chooses d or pass from e in z{i}[p] where e.no > c.no "Which?":',
            f"  move d to z{(i + 1) % n}[next(p)]",
            *(f"if p.v{(i + k) % n} > 9: perform a{(i * 5 + k * k + 1) % n}(c, previous(p))" for k in range(3)),
        ],
    )
    return zones(n) + body + TURN.format("for c in me.z0: perform a0(c, me)")


def many_parameters(n: int) -> str:
    """Actions that pass on eight hidden cards, each time in another order."""
    body = actions(
        n,
        ", ".join(f"card c{k}" for k in range(8)),
        lambda i: [
            *(f"if c0.no > c{k}.no: first(players).v{i} += 1" for k in range(1, 8)),
            *(
                f"if c{k}.no > 5: perform a{(i + k) % n}({', '.join(f'c{(j + k) % 8}' for j in range(8))})"
                for k in range(1, 4)
            ),
        ],
    )
    return zones(n) + body + TURN.format(f"for c in me.z0: perform a0({', '.join('c' * 8)})")


def triggers(n: int) -> str:
    """Triggers that set one another off with hidden cards and numbers."""
    body = "triggers:\n" + "".join(
        f'  t{i}: {{whenever: c enters z{i} of p, do: "if c.no > 3: move c to z{(i * 3 + 1) % n}[next(p)]"}}\n'
        f"  u{i}: {{whenever: v{i} of p changes, do: 'v{(i + 1) % n}[next(p)] = p.v{i * 7 % n}'}}\n"
        for i in range(n)
    )
    return zones(n) + body + TURN.format("move me.z0 to me.z1")


def loops_in_loops(n: int) -> str:
    """Loops in loops, in the last of which each name takes the value of the next."""
    lines = [f"x{k} = 0" for k in range(n + 1)]
    lines += ["  " * k + f"for p{k} in players by p{k}.v{k}:" for k in range(n)]
    lines += ["  " * n + line for line in (*(f"x{k} = x{k + 1}" for k in range(n)), f"x{n} = p0.v1")]
    return zones(n) + TURN.format("\n      ".join([*lines, "n += x0"]))


def names(n: int) -> str:
    """Many names, each of which depends on all before it."""
    lines = ["l0 = 0", *(f"l{i} = next(me).v{i % n} + l{i - 1}" for i in range(1, n * 9))]
    return zones(n) + TURN.format("\n      ".join([*lines, f"n = l{n * 9 - 1}"]))


SHAPES = [players_beside, players_of_players, questions, many_parameters, triggers, loops_in_loops, names]


def looked_for(text: str, folder: Path) -> tuple[Report, int]:
    """What is said about a game when secrets are looked for, and the units that were spent."""
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    report = Report()
    begun = time.process_time()
    _, checked, _ = examine(folder, report, readings=Readings(tells_secrets=True))
    assert time.process_time() - begun < MOST_SECONDS
    for game in checked.values():
        _ = game.secrets.always_put
        break
    assert time.process_time() - begun < 2 * MOST_SECONDS
    return report, MOST_UNITS - min(game.analysis.budget.left for game in checked.values())


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_a_small_web_takes_a_part_of_the_budget(shape: Callable[[int], str], tmp_path: Path) -> None:
    report, spent = looked_for(shape(6), tmp_path)
    assert not report.has_errors, report.found
    assert {one.code for one in report.found} & {"HR580", "HR582"}
    assert spent < MOST_UNITS / 2


@pytest.mark.parametrize(
    "shape", but_later(SHAPES, {players_of_players, questions, players_beside}), ids=lambda shape: shape.__name__
)
def test_a_large_web_ends(shape: Callable[[int], str], tmp_path: Path) -> None:
    report, spent = looked_for(shape(24 if shape is not loops_in_loops else 12), tmp_path)
    assert [one.code for one in report.found if one.severity == "error"] == (["HR564"] if spent > MOST_UNITS else [])


def test_what_takes_too_much_work_is_told_at_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scope, "MOST_UNITS", MOST_UNITS // 7)
    text = players_of_players(24)
    report, _ = looked_for(text, tmp_path)
    (told,) = (one for one in report.found if one.severity == "error")
    assert told.code == "HR564"
    assert "perform" in text.split("\n")[told.span.line - 1]
