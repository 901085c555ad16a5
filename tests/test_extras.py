"""Libraries that not everybody needs, and which of them are not installed."""

from __future__ import annotations

import signal
from importlib import metadata
from pathlib import Path

import pytest

from houserule.extras import library, not_installed
from houserule.lsp.answers import lacking

NEEDED = [
    "lark>=1.2.1",
    "pytest>=9; extra == 'serve'",
    'no-such-thing>=1; extra == "serve"',
    "nor.this; extra == 'other'",
]


def test_an_extra_that_is_not_there_is_told_with_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "requires", {"houserule": NEEDED}.get)
    assert not_installed("serve") == ["no-such-thing"]
    assert lacking(("serve",)) == "no-such-thing is not installed: pip install 'houserule[serve]'"
    assert lacking((["other"],)) == "nor.this is not installed: pip install 'houserule[other]'"
    assert lacking(("study",)) is None

    def gone(name: str) -> list[str]:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", gone)
    assert not_installed("serve") == []


def test_ctrl_c_waits_until_a_library_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slowly_imported.py").write_text("import signal\nsignal.raise_signal(signal.SIGINT)\nwhole = True\n")
    monkeypatch.syspath_prepend(tmp_path)
    before = signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # a process in the background may have been started without
    try:
        with pytest.raises(KeyboardInterrupt):
            library("slowly_imported", "study")
    finally:
        signal.signal(signal.SIGINT, before)
    assert library("slowly_imported", "study").whole
