"""The sandbox of a translated program, and what is kept of compiled modules."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path

import pytest
import wasmtime

import houserule
from houserule.compiler.program import compile_game
from houserule.native.blueprint import Blueprint
from houserule.native.engines import ENGINES, Engine, NotNative, machine_of
from houserule.native.machine import Machine, compiled
from houserule.native.module import Written
from houserule.native.values import Untranslatable
from houserule.running.playout import playout
from tests.bundled import load


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of one's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "houserule"


def kept(cache: Path) -> list[Path]:
    """The modules in the cache."""
    return sorted(cache.glob("native-*.bin"))


def test_a_module_imports_nothing_and_its_memory_is_capped() -> None:
    module, *_ = compiled(Blueprint.of(load("rattlebones").program(2, told=False)))
    assert list(module.imports) == []
    (memory,) = (export.type for export in module.exports if isinstance(export.type, wasmtime.MemoryType))
    assert memory.limits.max is not None
    assert memory.limits.max <= 1024


def test_a_module_is_kept_and_found_again(cache: Path) -> None:
    checked = load("pig").checked(2)
    assert Machine(compile_game(checked, told=False)).is_from_cache is False
    assert len(kept(cache)) == 1
    assert Machine(compile_game(checked, told=False)).is_from_cache is True
    assert len(kept(cache)) == 1


@pytest.mark.parametrize("content", [b"", b"{}", b'{"row": 3, "sha256": "00"}\nabc', b"\xff" * 100])
def test_a_damaged_entry_is_made_anew(cache: Path, content: bytes) -> None:
    program = load("pig").program(2, told=False)
    Machine(program)
    (file,) = kept(cache)
    whole = file.read_bytes()
    file.write_bytes(content)
    assert next(Machine(program).outcomes([3])) == playout(program, 3)
    assert file.read_bytes()[:20] == whole[:20]


def test_an_entry_that_others_could_have_written_is_not_read(cache: Path) -> None:
    program = load("pig").program(2, told=False)
    Machine(program)
    (file,) = kept(cache)
    file.chmod(0o666)
    assert Machine(program).is_from_cache is False
    other = cache.parent / "elsewhere.bin"
    shutil.move(kept(cache)[0], other)
    (cache / file.name).symlink_to(other)
    assert Machine(program).is_from_cache is False


def test_rules_that_differ_have_modules_of_their_own(cache: Path) -> None:
    for variants, players in (((), 2), (("descending",), 2), ((), 3)):
        Machine(load("goofspiel", variants).program(players, told=False))
    assert len(kept(cache)) == 3


TIES = """\
edition: 2026
game: ties
players: 2
variables: {{dots(player): 0..2}}
flow:
  turn:
    turns: players
    do: |
      choose n from 1..2 "How many?": me.dots += n
scoring: {{dots: me.dots}}
winner: {winner}
"""


def test_who_wins_is_known_by_the_rules_for_winning_even_where_all_else_is_the_same(
    cache: Path, tmp_path: Path
) -> None:
    for number, winner in enumerate(
        (
            "{most: points}",
            "{most: points, tie: draw}",
            "{when: me.dots > 1}",
            "{when: me.dots > 1, nobody: draw}",
            "{when: me.dots > 1, tie: draw}",
            "{all: me.dots > 1}",
            "{all: me.dots > 1, nobody: draw}",
        )
    ):
        file = tmp_path / f"{number}.yaml"
        file.write_text(TIES.format(winner=winner), encoding="utf-8")
        program = houserule.load(file).program(2, told=False)
        assert list(Machine(program).outcomes(range(12))) == [playout(program, seed) for seed in range(12)], winner
        assert len(kept(cache)) == number + 1


def test_engines_play_the_same() -> None:
    rules = load("ali_baba")
    by_engine = [list(rules.random_matches(2, range(8), engine)) for engine in ENGINES]
    assert by_engine[0] == by_engine[1] == by_engine[2]


def test_ctrl_c_waits_for_the_end_of_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    machine, ended = Machine(load("ali_baba").program(2, told=False)), []
    batch = machine.calls["batch"]

    def interrupted(*given: object) -> None:
        signal.raise_signal(signal.SIGINT)
        batch(*given)
        ended.append(True)

    monkeypatch.setitem(machine.calls, "batch", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            list(machine.outcomes(range(3)))
    finally:
        signal.signal(signal.SIGINT, before)
    assert ended


def test_auto_takes_python_for_few_matches_and_native_for_many() -> None:
    program = load("ali_baba").program(2, told=False)
    few, many = Engine(program, "auto", 30), Engine(program, "auto", 1_000_000)
    for engine in (few, many):
        list(engine.outcomes(range(25)))
    assert (few.taken, many.taken) == ("python", "native")


def test_an_unknown_engine_is_told() -> None:
    with pytest.raises(ValueError, match="there is no engine 'quick'; there are auto, python, native"):
        list(load("ali_baba").random_matches(2, [1], "quick"))


def test_without_wasmtime_it_is_said_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houserule.native.engines.is_installed", lambda: False)
    program = load("ali_baba").program(2, told=False)
    with pytest.raises(NotNative, match=r"pip install 'houserule\[native\]'"):
        machine_of(program)
    engine = Engine(program, "auto", 1_000_000)
    assert len(list(engine.outcomes(range(22)))) == 22
    assert engine.taken == "python"


@pytest.mark.parametrize(
    "where",
    [
        "machine.Blueprint.of",
        "machine.Memory",
        "machine.Written",
        "in_wasmtime.wasmtime.wat2wasm",
        "in_wasmtime.wasmtime.Module",
        "in_wasmtime.wasmtime.Instance",
    ],
)
@pytest.mark.parametrize("error", [RecursionError, MemoryError, KeyError, wasmtime.WasmtimeError])
def test_whatever_fails_in_translation_python_plays(
    where: str, error: type[Exception], cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise error("a detail")

    program = compile_game(load("tic_tac_toe").checked(2), told=False)
    assert not kept(cache)
    monkeypatch.setattr(f"houserule.native.{where}", failing)
    is_deep = error is RecursionError
    why = "its rules call one another too deeply" if is_deep else f"its translation failed with {error.__name__}"
    with pytest.raises(NotNative, match=f"^tic_tac_toe cannot be played natively: {why}$"):
        machine_of(program)
    engine = Engine(program, "auto", 100_000_000)
    assert list(engine.outcomes(range(25))) == [playout(program, seed) for seed in range(25)]
    assert (engine.taken, engine.refusal.partition(":")[0]) == ("python", "tic_tac_toe cannot be played natively")


def test_a_refusal_names_the_rule_and_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def divided(*_: object) -> None:
        raise Untranslatable("a remainder")

    file = tmp_path / "ties.yaml"
    text = TIES.format(winner="{most: points}").replace(": me.dots += n", "\n      me.dots += n % 2")
    file.write_text(text, encoding="utf-8")
    program = houserule.load(file).program(2, told=False)
    monkeypatch.setattr("houserule.native.expressions.divided", divided)
    with pytest.raises(NotNative) as refused:
        machine_of(program)
    assert (
        str(refused.value)
        == f"ties cannot be played natively: {file}:10, in 'flow', has no translation: me.dots += n % 2"
    )


def test_a_match_is_copied_and_goes_on_alike() -> None:
    program = load("aladdin").program(3, told=False)
    machine = Machine(program)
    machine.begin(11)
    machine.play(20)
    before = machine.table()
    copy = machine.copy()
    machine.play(30)
    after = machine.table()
    machine.restore(copy)
    assert machine.table() == before
    assert machine.play(30) is False
    assert machine.table() != before
    assert after[0] != before[0] or after[1] != before[1]


def test_nothing_is_put_outside_its_place() -> None:
    machine = Machine(load("rattlebones").program(2, told=False))
    for at in (0, machine.arena - 2, 1 << 30):
        with pytest.raises(ValueError, match="have no room there"):
            machine.write(at, b"long")


def test_the_arena_begins_behind_all_constants() -> None:
    """Also where the rules themselves never ask which zone lies where."""
    for name, players in (("pig", 2), ("nim", 2), ("aladdin", 3)):
        written = Written(Blueprint.of(load(name).program(players, told=False)))
        assert written.arena == written.memory.arena
