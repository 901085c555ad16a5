"""A key is one row: what reads, checks, describes, completes, renames and formats it follows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_a_made_up_key_takes_a_row_and_nothing_else(tmp_path: Path) -> None:
    script = Path(__file__).with_name("made_up.py")
    command = [sys.executable, str(script), str(tmp_path / "woods")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
