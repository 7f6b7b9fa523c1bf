"""`make demo` runs to its end, and nothing complains when the process ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_it_ends_in_silence(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "data" / "demo.py"), str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "\na report: " in done.stdout
    # DuckDB reports on standard error what is left of it when Python ends.
    assert "leaked" not in done.stderr
