"""The memory of a sandbox grows, and stays where it is."""

from __future__ import annotations

from houserule.native.in_wasmtime import Sandbox, made

GROWING = """\
(module
  (memory (export "memory") 2 1024)
  (func (export "grow") (drop (memory.grow (i32.const 1022))))
)
"""


def test_a_memory_that_grows_stays_in_its_place() -> None:
    sandbox = Sandbox(made(GROWING))
    sandbox.write(8, b"before")
    here, small = sandbox.address, sandbox.size
    sandbox.calls["grow"]()
    assert sandbox.size == 1024 << 16 > small
    sandbox.write(sandbox.size - 5, b"after")
    assert (sandbox.read(8, 14), sandbox.read(sandbox.size - 5, sandbox.size)) == (b"before", b"after")
    # Asked anew, wasmtime says what was remembered.
    del sandbox.address
    assert sandbox.address == here
