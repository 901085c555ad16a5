"""The memory of a sandbox grows, and stays where it is; functions are called quickly, or as wasmtime does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from houserule.native.in_wasmtime import Sandbox, Trap, made

RULES = """\
(module
  (memory (export "memory") 2 1024)
  (func (export "grow") (drop (memory.grow (i32.const 1022))))
  (func (export "less") (param i32 i64) (result i32) (i32.sub (local.get 0) (i32.wrap_i64 (local.get 1))))
  (func (export "long") (param i64) (result i64) (i64.add (local.get 0) (local.get 0)))
  (func (export "fails") (param i32) (if (local.get 0) (then unreachable)))
)
"""


@pytest.fixture(params=["quick", "slow"])
def sandbox(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sandbox]:
    if request.param == "slow":

        def refuse(*_: Any) -> Any:
            raise NotImplementedError

        monkeypatch.setattr(Sandbox, "quick", refuse)
    yield Sandbox(made(RULES))


def test_a_memory_that_grows_stays_in_its_place(sandbox: Sandbox) -> None:
    sandbox.write(8, b"before")
    here, small = sandbox.address, sandbox.size
    sandbox.calls["grow"]()
    assert sandbox.size == 1024 << 16 > small
    sandbox.write(sandbox.size - 5, b"after")
    assert (sandbox.read(8, 14), sandbox.read(sandbox.size - 5, sandbox.size)) == (b"before", b"after")
    del sandbox.address  # asked anew, wasmtime says what was remembered
    assert sandbox.address == here


def test_numbers_of_both_sizes_go_in_and_out(sandbox: Sandbox) -> None:
    calls = sandbox.calls
    assert (calls["less"](2, 5), calls["less"](7, -1), calls["long"](-(1 << 61))) == (-3, 8, -(1 << 62))


def test_what_traps_raises_and_can_be_called_again(sandbox: Sandbox) -> None:
    for _ in range(3):
        with pytest.raises(Trap):
            sandbox.calls["fails"](1)
        sandbox.calls["fails"](0)


def test_a_call_takes_as_many_numbers_as_its_function(sandbox: Sandbox) -> None:
    with pytest.raises(Exception, match=r"long takes 1 numbers|too (few|many) parameters"):
        sandbox.calls["long"](1, 2)
