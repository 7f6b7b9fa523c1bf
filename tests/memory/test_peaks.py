"""How much memory one more row takes, of everything that reads many rows, holds many, or draws often."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.memory.paths import CASES, CONTROL, ROWS, Case

ROOT = Path(__file__).parents[2]
MEGABYTE = 2**20

pytestmark = [
    pytest.mark.external,
    pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="the system does not tell the peak anew"),
]


def bytes_per_row(name: str, case: Case, folder: Path) -> float:
    """By how many bytes the peak of a process grows for a row more."""
    peaks = []
    for millions in case.millions:
        inputs = folder / str(millions)
        inputs.mkdir()
        case.prepare(inputs, millions)
        done = subprocess.run(
            [sys.executable, "-m", "tests.memory.child", name, str(inputs)],
            cwd=ROOT,
            env={**os.environ, "POLARS_MAX_THREADS": "2"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        peaks.append(float(done.stdout))
    few, many = case.millions
    return (peaks[1] - peaks[0]) * MEGABYTE / ((many - few) * ROWS)


@pytest.mark.parametrize("name", CASES)
def test_a_row_more(name: str, tmp_path: Path) -> None:
    assert bytes_per_row(name, CASES[name], tmp_path) <= CASES[name].bytes_per_row


def test_rows_that_are_held_are_seen(tmp_path: Path) -> None:
    """Without this, a limit could be kept because nothing is measured."""
    assert bytes_per_row("control", CONTROL, tmp_path) > 30
