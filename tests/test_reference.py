"""docs/reference/ is what the code says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_reference_is_current() -> None:
    command = [sys.executable, "docs/generate.py", "--check"]
    checked = subprocess.run(
        command, cwd=ROOT, env={"PYTHONPATH": str(ROOT / "interpreter")}, capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr
